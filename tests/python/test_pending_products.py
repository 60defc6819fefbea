"""Products that wait for what is added to them: the numbers of two steps, whatever else a program does to operands and
results, and on a GPU one call of the library for both."""

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tombac as tb
from tombac import config

N = 72  # large enough for a product to be the library's
CUDA = config.backend() == "cuda"
needs_cuda = pytest.mark.skipif(not CUDA, reason="products wait on a GPU alone")


def small(rng, *shape, dtype="f"):
    """Whole numbers whose products and sums are exact, so that the order of additions does not matter."""
    return rng.integers(-3, 4, shape).astype(dtype)


class Program:
    """Steps done to arrays of tombac and of NumPy alike."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.pairs = [self.pair(small(self.rng, N, N)) for _ in range(3)]
        self.rows = [self.pair(small(self.rng, N)) for _ in range(2)]

    def pair(self, x):
        return [tb.array(x), x.copy()]

    def pick(self):
        return self.pairs[self.rng.integers(len(self.pairs))]

    def keep(self, function, *operands):
        got, want = (function(*(p[i] for p in operands)) for i in range(2))
        if np.abs(want).max(initial=0) > 1000:  # stays exact
            got, want = function_of_both(np.sign, got, want)
        self.pairs.append([got, want])
        if len(self.pairs) > 6:
            del self.pairs[self.rng.integers(len(self.pairs))]

    def matmul(self):
        a, b = self.pick(), self.pick()
        self.keep(lambda x, y: clip(x) @ clip(y), a, b)

    def matmul_turned(self):
        self.keep(lambda x, y: clip(x).T @ clip(y)[::-1], self.pick(), self.pick())

    def dense(self):
        row = self.rows[self.rng.integers(2)]
        self.keep(lambda x, y, b: clip(x) @ clip(y) + b, self.pick(), self.pick(), row)

    def residual(self):
        self.keep(lambda x, y, z, b: z + clip(x) @ clip(y) + b, self.pick(), self.pick(), self.pick(), self.rows[0])

    def kept_product(self):
        def both(x, y, b):
            p = clip(x) @ clip(y)
            q = p + b
            return q - p

        self.keep(both, self.pick(), self.pick(), self.rows[1])

    def add(self):
        self.keep(operator.add, self.pick(), self.pick())

    def add_in_place(self):
        p, q = self.pick(), self.rows[0]
        p[0] += q[0]
        p[1] += q[1]

    def write_part(self):
        p, q = self.pick(), self.pick()
        for i in range(2):
            p[i][1:9, ::3] = q[i][2:10, ::3]

    def write_row(self):
        for i in range(2):
            self.rows[0][i][3:7] = self.rows[1][i][:4]

    def product_into_part(self):
        p = self.pick()
        for i in range(2):
            p[i][...] = clip(p[i]) @ clip(p[i])
        tame(p)

    def read(self):
        p = self.pick()
        np.testing.assert_array_equal(p[0].sum(axis=0).get(), p[1].sum(axis=0))


def clip(x):
    return (tb if isinstance(x, tb.ndarray) else np).clip(x, -3, 3)


def function_of_both(function, got, want):
    return getattr(tb, function.__name__)(got), function(want)


def tame(pair):
    pair[0], pair[1] = function_of_both(np.sign, *pair)


STEPS = [name for name in vars(Program) if not name.startswith("_") and name not in ("pair", "pick", "keep")]


@pytest.mark.parametrize("mode", [True, False, "all"])
@given(seed=st.integers(0, 2**32), steps=st.lists(st.sampled_from(STEPS), min_size=4, max_size=14))
def test_programs(mode, seed, steps):
    with config.fusion(mode):
        program = Program(seed)
        for step in steps:
            getattr(program, step)()
        for got, want in program.pairs + program.rows:
            np.testing.assert_array_equal(got.get(), want)


def operands(dtype="f", m=N, k=N, n=N):
    rng = np.random.default_rng(m + k + n)
    made = [rng.standard_normal(s).astype(dtype) for s in ((m, k), (k, n), (n,), (m, n))]
    return [tb.array(x) for x in made]


SUMS = {
    "row": lambda x, w, b, c: x @ w + b,
    "row first": lambda x, w, b, c: b + x @ w,
    "matrix": lambda x, w, b, c: x @ w + c,
    "both": lambda x, w, b, c: c + x @ w + b,
    "row of a view": lambda x, w, b, c: x @ w + c[5],
    "rows backwards": lambda x, w, b, c: x @ w + c[::-1],
    "a column": lambda x, w, b, c: x @ w + c[:, :1],
    "a transpose": lambda x, w, b, c: (x @ w).T + b[0],
    "a number": lambda x, w, b, c: x @ w + 2,
    "twice": lambda x, w, b, c: x @ w + x @ w,
    "activation": lambda x, w, b, c: tb.maximum(x @ w + b, 0),
    "reduction": lambda x, w, b, c: (x @ w + b).sum(axis=1),
    "another dtype": lambda x, w, b, c: x @ w + b.astype("d"),
    "another product": lambda x, w, b, c: (x @ w + b) @ w.T + x[0],
}
ONE_CALL = [("row", "default"), ("row first", "default"), ("matrix", "default"), ("matrix", "tf32"), ("both", "tf32")]


@pytest.mark.parametrize("shape", [(N, N, N), (300, 64, 40), (5000, 20, 33), (65, 129, 257)])
@pytest.mark.parametrize("dtype", "efd")
@pytest.mark.parametrize("name", SUMS)
def test_bits_are_those_of_two_steps(name, dtype, shape):
    x = operands(dtype, *shape)
    with config.fusion(False):
        want = SUMS[name](*x).get()
    for mode in (True, "all"):
        with config.fusion(mode):
            got = SUMS[name](*x)
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got.get(), want)


@needs_cuda
@pytest.mark.parametrize("name, kind", ONE_CALL)
def test_one_call(name, kind):
    x = operands()
    with config.compute_type("f", kind):
        SUMS[name](*x).get()
        config.reset_counters()
        result = SUMS[name](*x)
        assert config.counters()["launches"] == 0 and "matmul float32" in str(tb.explain(result))
        result.get()
        assert config.counters()["launches"] == 1 and config.counters()["allocations"] == 1


@needs_cuda
@pytest.mark.parametrize("name", ["activation", "twice", "both", "reduction", "a column"])
def test_others_are_two(name):
    x = operands()
    SUMS[name](*x).get()
    config.reset_counters()
    SUMS[name](*x).get()
    assert config.counters()["launches"] == 2


@needs_cuda
def test_halves_are_added_before_they_are_rounded_where_that_is_asked_for():
    x = operands("e", 300, 64, 40)
    with config.compute_type("e", "fp32"):
        SUMS["row"](*x).get()
        config.reset_counters()
        got = SUMS["row"](*x).get()
        assert config.counters()["launches"] == 1
    a, w, b = (v.get().astype("f") for v in x[:3])
    exact = a.astype("d") @ w + b
    assert np.abs(got - exact).max() <= np.spacing(np.abs(exact).max().astype("e"))
    assert np.abs(got - exact).mean() < np.abs(SUMS["row"](*x).get() - exact).mean()


@needs_cuda
def test_the_next_product_sends_off_the_one_that_waits():
    x, w, b, _ = operands()
    (x @ w).get()
    config.reset_counters()
    waiting = [x @ w for _ in range(5)]
    assert config.counters()["launches"] == 4
    np.testing.assert_array_equal(waiting[0].get(), waiting[4].get())
    assert config.counters()["launches"] == 5


def test_operands_change_after_the_call():
    x, w, b, c = operands()
    want = (x.get() @ w.get() + b.get(), x.get() @ w.get())
    first, second = x @ w + b, x @ w
    x[...] = 0
    b += 1
    w.fill(7)
    for got, expected in zip((first, second), want, strict=True):
        np.testing.assert_allclose(got.get(), expected, rtol=1e-4, atol=1e-4)


def test_nothing_is_lost_where_memory_runs_out(own_pool):
    x, w, b, c = operands(m=2000, k=100, n=500)
    want = x.get() @ w.get() + b.get()
    result = x @ w + b
    own_pool.set_limit(own_pool.used_bytes() + 1024)
    with pytest.raises(tb.cuda.memory.OutOfMemoryError):
        for _ in range(3):
            result = result + 0 if result is None else x @ w + b
            result.get()
    own_pool.set_limit(0)
    np.testing.assert_allclose(result.get(), want, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose((x @ w + b).get(), want, rtol=1e-3, atol=1e-3)
