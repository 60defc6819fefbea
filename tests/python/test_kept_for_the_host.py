"""What is kept of arrays for SciPy and for loops of the host (its matrices of their memory, values as loops read them):
it is what the arrays are, whoever writes to them, also where calls fail and memory runs out."""

import numpy as np
import pytest
import scipy.interpolate as si
import scipy.optimize as so
import scipy.sparse as ss
import scipy.sparse.csgraph as sg
import tombac as tb

import tombacx.scipy.interpolate as xi
import tombacx.scipy.optimize as xo
import tombacx.scipy.sparse as xs
import tombacx.scipy.sparse.csgraph as xg


def close(got, want, tol=1e-5):
    got = got.toarray() if xs.issparse(got) else got
    np.testing.assert_allclose(got.get(), want.toarray() if ss.issparse(want) else want, tol, tol)


class Graph:
    """With elements that are written through a view, or are another array."""

    def __init__(self, rng, k):
        n = int(rng.integers(5, 40))
        self.host = ss.random(n, n, 0.2, ["csr", "csc"][k % 2], ["d", "f"][k % 2], k)
        self.host.data += 1
        self.device = getattr(xs, f"{self.host.format}_matrix")(self.host)

    def write(self, step):
        if step % 2:
            part = self.device.data[::2]
            part *= 3
        else:
            self.device.data = self.device.data + 1

    def agrees(self):
        self.host.data[...] = self.device.data.get()
        for f in ("csgraph_to_dense", "dijkstra", "minimum_spanning_tree"):
            close(getattr(xg, f)(self.device), getattr(sg, f)(self.host))
        close(tb.sqrt(self.device), self.host.sqrt())
        with pytest.raises(ValueError):
            xg.dijkstra(self.device, indices=10**6)


class Grid:
    """Read where it is, in another dtype or order than that of the host's loop, at points that take memory."""

    def __init__(self, rng, k):
        self.device = tb.array(rng.random((30, 40)).astype("fd"[k % 2]))
        seen, lines = (self.device.T, (40, 30)) if k % 3 else (self.device[::-1], (30, 40))
        self.f = xi.RegularGridInterpolator([np.arange(float(n)) for n in lines], seen)
        self.seen, self.lines, self.at = seen, lines, rng.uniform(1, 25, (20000, 2))

    def write(self, step):
        part = self.device[step % 3 :: 2, 1:]
        part *= 1.25

    def agrees(self):
        of_scipy = si.RegularGridInterpolator([np.arange(float(n)) for n in self.lines], self.seen.get())
        close(self.f(tb.array(self.at)), of_scipy(self.at))
        with pytest.raises(ValueError):
            self.f(tb.array([[-1.0, 1.0]]))


class Costs:
    def __init__(self, rng, k):
        self.device = tb.array(rng.integers(0, 9, (12, 10 + k)).astype("d"))

    def write(self, step):
        part = self.device[step % 2 :: 2, ::3]
        part += 2

    def agrees(self):
        for got, want in zip(xo.linear_sum_assignment(self.device), so.linear_sum_assignment(self.device.get())):
            close(got, want)
        with pytest.raises(ValueError):
            xo.linear_sum_assignment(self.device * np.nan)


@pytest.mark.parametrize("mode", [False, True, "all"])
@pytest.mark.parametrize("seed", range(2))
def test_a_program_of_many_that_are_kept(own_pool, mode, seed):
    rng, failed = np.random.default_rng(seed), 0
    with tb.config.fusion(mode):
        live = [kind(rng, k) for k in range(5) for kind in (Graph, Grid, Costs)]
        for step in range(150):
            one = live[int(rng.integers(len(live)))]
            own_pool.set_limit(size=0)
            used = own_pool.used_bytes()
            own_pool.free_all_blocks()
            own_pool.set_limit(size=used + (1 if step % 3 == 2 else 1 << 22))
            try:
                one.write(step)
                one.agrees()
            except tb.cuda.memory.OutOfMemoryError:
                failed += 1
        own_pool.set_limit(size=0)
        for one in live:
            one.agrees()
    assert failed
