"""Generalised minimal residuals.

Saad and Schultz, "GMRES: a generalized minimal residual algorithm for solving nonsymmetric linear systems" (1986), with
the preconditioner on the right (Saad, "Iterative methods for sparse linear systems", 2nd ed., algorithm 9.5), so that
the norms of the method are those of true residuals.

The host reads the Hessenberg matrix every few columns and finds the first at which the residual is small; columns after
that, which the device has made in the meantime, are left out. Where steps can be recorded, cycles after the first are
launched whole.
"""

import math
import warnings

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._orthogonal import extend
from tombacx.scipy.sparse.linalg._repeat import LARGEST, record
from tombacx.scipy.sparse.linalg._system import Looks, System, evaluate, norm, numbers, tolerance

__all__ = ["gmres"]


class _Triangle:
    """The Hessenberg matrix made a triangle by rotations, one column after the other, on the host; in Python's numbers,
    which take less time than NumPy's."""

    def __init__(self, beta, eps):
        self.columns = []
        self.g = [beta]
        self.rotations = []
        self.eps = eps
        self.broken = False

    def residual(self):
        return abs(self.g[-1])

    def append(self, column):
        """A column with one element below the diagonal."""
        k = len(self.rotations)
        column = column[: k + 2]
        scale = max(map(_length, column))
        for i, (c, s) in enumerate(self.rotations):
            x, y = column[i], column[i + 1]
            column[i], column[i + 1] = c * x + s * y, c * y - s.conjugate() * x
        a, b = column[k], column[k + 1]
        length = math.hypot(_length(a), _length(b))
        if a == 0:
            c, s = (0.0, 1.0) if b != 0 else (1.0, 0.0)
        else:
            c, s = _length(a) / length, a / _length(a) * b.conjugate() / length
        self.rotations.append((c, s))
        self.columns.append([*column[:k], c * a + s * b])
        last = self.g[k]
        self.g[k:] = [c * last, -s.conjugate() * last]
        # A new direction of no length: the space is complete (or the numbers have run out).
        self.broken = not _length(b) > self.eps * scale

    def solution(self):
        """The combination of directions whose residual is least; of least norm where it is not unique."""
        k = len(self.rotations)
        R, g = np.zeros((k, k), np.result_type(*map(type, self.columns[-1]))), np.array(self.g[:k])
        for i, column in enumerate(self.columns):
            R[: i + 1, i] = column
        if not np.isfinite(R).all() or not np.isfinite(g).all():
            return np.full(k, np.nan)
        diagonal = abs(R.diagonal())
        if diagonal.min() > math.sqrt(self.eps) * diagonal.max():
            return np.linalg.solve(R, g)
        return np.linalg.lstsq(R, g, rcond=None)[0]


def _length(x):
    return math.hypot(x.real, x.imag)  # abs() of complex numbers raises OverflowError


class _Basis:
    """The directions of a cycle: an orthonormal basis as rows, and the products with it as Hessenberg columns. Each
    cycle has the same places, so that the steps of a whole one can be recorded, and launched for each later one."""

    def __init__(self, system, size, looks, recordable):
        self.system, self.looks, self.size = system, looks, size
        self.V = _core.empty((size + 1, system.n), system.dtype)
        self.H = _core.zeros((size, size + 1), system.dtype)  # by columns
        self.eps = float(np.finfo(system.dtype).eps)
        self.graph = None
        self.recordable = recordable and system.recordable() and self.V[0].nbytes <= LARGEST

    def extend(self, k):
        """Direction k + 1, on the device."""
        s = self.system
        w = s.apply(s.precondition(self.V[k])).astype(s.dtype, copy=False)
        extend(self.V, k + 1, w, self.H[k])

    def extend_all(self):
        for k in range(self.size):
            self.extend(k)

    def cycle(self, r, beta, small, limit, told):
        """Directions from a residual on until it is small, or there are ``limit`` of them; ``told`` is called with
        each residual. What was found of them."""
        triangle = _Triangle(beta, self.eps)
        self.V[0] = r / beta
        if self.graph and limit == self.size:
            self.graph.launch()
            self._look(triangle, limit, small, told)
            return triangle
        for made in range(1, limit + 1):
            self.extend(made - 1)
            if (self.looks.due(made) or made == limit) and self._look(triangle, made, small, told):
                return triangle
        if self.recordable and limit == self.size:
            self.graph = record(self.extend_all)
            self.recordable = False
        return triangle

    def _look(self, triangle, made, small, told):
        """Whether the residual is small after one of the steps that were made."""
        for column in self.H[len(triangle.rotations):made].tolist():
            triangle.append(column)
            told(triangle.residual())
            if triangle.residual() <= small or triangle.broken:
                return True
        return False

    def correction(self, triangle):
        y = _core.array(triangle.solution().astype(self.system.dtype, copy=False))
        return self.system.precondition(y @ self.V[: y.size])


def _kind_of_callback(callback, kind):
    if kind not in (None, "x", "pr_norm", "legacy"):
        raise ValueError(f"gmres: callback_type must be 'x', 'pr_norm' or 'legacy', not {kind!r}")
    if callback is None:
        return "x"
    if kind is None:
        warnings.warn("gmres: callback_type is not given; 'legacy' is taken, as in SciPy: callback has the residual's "
                      "norm, and maxiter counts single steps. Say which of 'x', 'pr_norm' and 'legacy' is meant.",
                      DeprecationWarning, stacklevel=3)
        return "legacy"
    return kind


def gmres(A, b, x0=None, *, rtol=1e-05, atol=0.0, restart=None, maxiter=None, M=None, callback=None,
          callback_type=None):
    """``x`` with ``A @ x == b`` by generalised minimal residuals, restarted.

    It stops where ``norm(b - A @ x) <= max(rtol * norm(b), atol)``. The preconditioner is applied from the right, as in
    CuPy; SciPy applies it from the left, and looks at the norm of the preconditioned residual within a cycle.

    Args:
        A: A square matrix of shape (n, n): an array, a sparse matrix or a LinearOperator of any numeric dtype.
        b: An array of shape (n,) or (n, 1).
        x0: The array to begin with; by default zeros. 'Mb' begins with ``M @ b``.
        rtol, atol: How small the residual is to be, relative to ``b`` and absolute.
        restart: After how many steps a new cycle begins, whose vectors are all kept; by default 20, at most n.
        maxiter: The largest number of cycles; by default 10 n.
        M: An operator near the inverse of ``A``: an array, a sparse matrix or a LinearOperator.
        callback: A function that is called after each step or cycle, for which the host then waits.
        callback_type: 'x': it is called with ``x`` after each cycle; 'pr_norm': with the residual's norm, relative to
            ``b``, after each step; 'legacy', as SciPy has by default: as 'pr_norm', and ``maxiter`` counts steps.

    Returns:
        A tuple: an array of shape (n,), and an int: 0 where it has converged, ``maxiter`` where it has not.

    Raises:
        ValueError: The shapes do not match, or there is no such ``callback_type``.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[4.0, 1.0], [0.0, 3.0]])
    >>> x, info = tombacx.scipy.sparse.linalg.gmres(A, tombac.array([1.0, 2.0]))
    >>> x.round(4), info
    (array([0.0833, 0.6667]), 0)
    """
    kind = _kind_of_callback(callback, callback_type)
    system = System("gmres", A, b, x0, M)
    x, r = system.start()
    norm_b, size = numbers(norm(system.b), norm(r))
    small = tolerance(norm_b, rtol, atol)
    if norm_b == 0:
        return _core.zeros(system.n, system.dtype), 0
    restart = min(20 if restart is None else restart, system.n)
    maxiter = 10 * system.n if maxiter is None else maxiter
    tells = kind != "x"
    basis = _Basis(system, restart, Looks(callback if tells else None), not tells)
    steps_left = maxiter if kind == "legacy" else restart * maxiter

    def told(residual):
        if tells:
            callback(float(residual) / norm_b)

    while steps_left > 0 and not size <= small:
        triangle = basis.cycle(r, size, small, min(restart, steps_left), told)
        steps_left -= len(triangle.rotations) if kind == "legacy" else restart
        x = x + basis.correction(triangle)
        r = system.residual(x)
        evaluate(x, r)
        before, size = size, numbers(norm(r))[0]
        if callback is not None and kind == "x":
            callback(x)
        if triangle.broken and not size < before:
            break  # the same cycle again would end in the same way
    return x, 0 if size <= small else maxiter
