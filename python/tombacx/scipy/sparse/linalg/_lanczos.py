"""Some eigenvalues of Hermitian operators: Lanczos' process with thick restarts.

Wu and Simon, "Thick-restart Lanczos method for large symmetric eigenvalue problems" (2000). Every new vector is made
orthogonal to all of them, by products. The host reads the numbers of a whole cycle at once, and finds in them whether
the space was invariant before its end; then the rest of the cycle is made again, from a random direction.
"""

from tombac import _core
from tombac._numpy import np
from tombac.random import default_rng
from tombacx.scipy.sparse.linalg._orthogonal import orthogonalise
from tombacx.scipy.sparse.linalg._repeat import LARGEST, record
from tombacx.scipy.sparse.linalg._system import dot, norm

__all__ = ["Lanczos"]


class Lanczos:
    """A basis of ``size`` rows and one more, and the operator's matrix in it, on the host."""

    def __init__(self, apply, n, size, dtype, v0, rng, recordable):
        self.apply, self.n, self.size, self.dtype = apply, n, size, dtype
        self.rng = default_rng(1 if rng is None else rng)
        self.V = _core.zeros((size + 1, n), dtype)
        self.T = np.zeros((size, size))
        self.read = _core.zeros(2 * size, np.finfo(dtype).dtype)
        self.graphs = {}  # by the first row that is filled
        self.recordable = recordable and n * dtype.itemsize <= LARGEST
        self.kept = 0
        v = self.random() if v0 is None else v0.astype(dtype)
        length = norm(v).item()
        if length == 0:
            v = self.random()
            length = norm(v).item()
        self.V[0] = v / length

    def random(self):
        v = self.rng.standard_normal(self.n)
        return (v + 1j * self.rng.standard_normal(self.n) if self.dtype.kind == "c" else v).astype(self.dtype)

    def _step(self, k, before):
        """Row k + 1 of the basis, of row k; the diagonals' elements, on the device. before: the length of row k before
        it was divided by it, or None."""
        V = self.V[: k + 1]
        w = self.apply(V[k]).astype(self.dtype, copy=False)
        if before is None:
            w, parts = orthogonalise(V, w)
            alpha = parts[k].real
        else:
            # The parts that there are but for rounding, then all that is left of them: two passes, one of them short.
            w = w - before * V[k - 1]
            alpha = dot(V[k], w).real
            w, parts = orthogonalise(V, w - alpha * V[k], 1)
        length = norm(w)
        self.V[k + 1] = w * _core.where(length > 0, 1 / length, 0)
        return alpha, length

    def _fill(self, first):
        before = None
        read = []
        for k in range(first, self.size):
            alpha, before = self._step(k, before)
            read += [alpha, before]
        self.read[: len(read)] = _core.stack(read)

    def _steps(self, first):
        """Fills the basis from one row on; the diagonals that come of it, on the host."""
        if first == self.size:
            return np.zeros(0), np.zeros(0)
        if first not in self.graphs:
            self.graphs[first] = None
            self._fill(first)
        else:
            graph = self.graphs[first]
            if graph is None and self.recordable:
                graph = self.graphs[first] = record(lambda: self._fill(first))
                self.recordable = graph is not None
            if graph is None:
                self._fill(first)
            else:
                graph.launch()
        read = self.read[: 2 * (self.size - first)].get()
        return read[::2], read[1::2]

    def cycle(self):
        """Fills the basis behind the rows that are kept; the length of what is left over."""
        first = self.kept
        while True:
            alpha, beta = self._steps(first)
            scale = max(np.abs(self.T).max(initial=0), np.abs(alpha).max(initial=0), beta.max(initial=0))
            ends = np.flatnonzero(~(beta[:-1] > 10 * np.finfo(self.dtype).eps * scale))
            stop = first + (ends[0] if len(ends) else len(beta) - 1)
            for k in range(first, stop + 1):
                self.T[k, k] = alpha[k - first]
                if k < stop:
                    self.T[k, k + 1] = self.T[k + 1, k] = beta[k - first]
            if not len(ends) or not np.isfinite(scale):
                return beta[-1]
            first = stop + 1
            w, _ = orthogonalise(self.V[:first], self.random())
            w, _ = orthogonalise(self.V[:first], w / norm(w))
            self.V[first] = w / norm(w)

    def restart(self, theta, S, left):
        """Keeps the combinations of rows that are the columns of S, with their values, and what was left over."""
        k = len(theta)
        self.V[:k] = self.combine(S)
        self.V[k] = self.V[self.size]
        self.T[:] = 0
        self.T[range(k), range(k)] = theta
        self.T[k, :k] = self.T[:k, k] = left * S[-1]
        self.kept = k

    def combine(self, S):
        """The rows that are these combinations of the basis."""
        return _core.array(np.ascontiguousarray(S.T, self.dtype)) @ self.V[: self.size]
