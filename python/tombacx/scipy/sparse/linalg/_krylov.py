"""Methods of conjugate gradients, for Hermitian and for other matrices.

cg: Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems" (1952), in the preconditioned form
of Saad, "Iterative methods for sparse linear systems" (2nd ed.), algorithm 9.1. cgs: Sonneveld, "CGS, a fast
Lanczos-type solver for nonsymmetric linear systems" (1989). bicgstab: van der Vorst, "Bi-CGSTAB: a fast and smoothly
converging variant of Bi-CG" (1992).

A step that comes after convergence or breakdown has lengths of zero, which leave ``x`` and the residual as they are.
"""

import math

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._repeat import Repeated
from tombacx.scipy.sparse.linalg._system import Looks, System, dot, evaluate, norm, numbers, tolerance

__all__ = ["NO_RHO", "NO_STEP", "State", "bicgstab", "cg", "cgs", "solve"]

NO_RHO, NO_STEP = -10, -11  # SciPy's numbers for two breakdowns


class State:
    """What a method keeps from step to step. ``size`` is the residual's norm and ``code`` zero or a breakdown's number,
    both on the device; a method's ``step`` takes ``x`` and ``r`` further, unless one of them says that it is over."""

    def __init__(self, system, x, r):
        self.system, self.x, self.r = system, x, r
        self.size = norm(r)
        self.code = _core.zeros((), np.int32)
        self.tolerance = 0.0
        self.tiny = float(np.finfo(system.dtype).eps) ** 2  # as in SciPy
        self.first = True
        self.begin()

    def begin(self):
        pass

    def going(self):
        return _core.logical_and(self.size >= self.tolerance, self.code == 0)

    def broken(self, condition, number):
        self.code = _core.where(_core.logical_and(self.going(), condition), np.int32(number), self.code)


def solve(name, method, A, b, x0, rtol, atol, maxiter, M, callback):
    system = System(name, A, b, x0, M)
    state = method(system, *system.start())
    norm_b, size = numbers(norm(system.b), state.size)
    state.tolerance = tolerance(norm_b, rtol, atol)
    if norm_b == 0:
        return _core.zeros(system.n, system.dtype), 0
    limit = 10 * system.n if maxiter is None else maxiter
    looks = Looks(callback)
    steps = Repeated(state, callback is None and system.recordable())
    code = done = 0
    while done < limit and not (size < state.tolerance or size == 0) and code == 0:
        taken = steps.advance(limit - done)
        state.first = False
        done += taken
        if looks.due(done) or done == limit:
            evaluate(state.x)
            size, code = numbers(state.size, state.code.astype(state.size.dtype))
            if callback is not None and code == 0:
                callback(state.x)
            if math.isnan(size):
                break
    if size < state.tolerance or size == 0:
        return state.x, 0
    return state.x, int(code) if code else limit


class _CG(State):
    def begin(self):
        self.square = dot(self.r, self.r).real

    def step(self):
        s, going = self.system, self.going()
        z = s.precondition(self.r)
        rho = dot(self.r, z) if s.preconditioned else self.square
        # A residual of zero has no direction: without the condition what comes after would be NaN, and x with it.
        self.p = z if self.first else z + _core.where(going, rho / self.rho, 0).astype(s.dtype) * self.p
        q = s.apply(self.p)
        alpha = _core.where(going, rho / dot(self.p, q), 0).astype(s.dtype)
        self.x = self.x + alpha * self.p
        self.r = self.r - alpha * q
        self.rho = rho
        self.square = dot(self.r, self.r).real
        self.size = _core.sqrt(self.square)


class _CGS(State):
    def begin(self):
        self.shadow = self.r

    def step(self):
        s = self.system
        rho = dot(self.shadow, self.r)
        self.broken(abs(rho) < self.tiny, NO_RHO)
        if self.first:
            u = self.p = self.r
        else:
            beta = _core.where(self.going(), rho / self.rho, 0).astype(s.dtype)
            u = self.r + beta * self.q
            self.p = u + beta * (self.q + beta * self.p)
        v = s.apply(s.precondition(self.p))
        along = dot(self.shadow, v)
        self.broken(along == 0, NO_STEP)
        alpha = _core.where(self.going(), rho / along, 0).astype(s.dtype)
        self.q = u - alpha * v
        self.x = self.x + alpha * s.precondition(u + self.q)
        self.r = s.residual(self.x)  # which costs what an update costs, and does not drift
        self.rho = rho
        self.size = norm(self.r)


class _BiCGSTAB(State):
    def begin(self):
        self.shadow = self.r

    def step(self):
        s = self.system
        rho = dot(self.shadow, self.r)
        self.broken(abs(rho) < self.tiny, NO_RHO)
        if self.first:
            self.p = self.r
        else:
            self.broken(abs(self.omega) < self.tiny, NO_STEP)
            beta = _core.where(self.going(), (rho / self.rho) * (self.alpha / self.omega), 0).astype(s.dtype)
            self.p = self.r + beta * (self.p - self.omega * self.v)
        direction = s.precondition(self.p)
        self.v = s.apply(direction)
        along = dot(self.shadow, self.v)
        self.broken(along == 0, NO_STEP)
        going = self.going()
        self.alpha = _core.where(going, rho / along, 0).astype(s.dtype)
        half = self.r - self.alpha * self.v
        second = s.precondition(half)
        t = s.apply(second)
        # No second half where the first one has converged.
        more = _core.logical_and(going, norm(half) >= self.tolerance)
        self.omega = _core.where(more, dot(t, half) / dot(t, t), 0).astype(s.dtype)
        self.x = self.x + self.alpha * direction + self.omega * second
        self.r = half - self.omega * t
        self.rho = rho
        self.size = norm(self.r)


def cg(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """``x`` with ``A @ x == b`` by conjugate gradients.

    It stops where ``norm(b - A @ x) < max(rtol * norm(b), atol)``, which the host looks at every few steps; what comes
    after that changes nothing.

    Args:
        A: A Hermitian positive definite matrix of shape (n, n): an array, a sparse matrix or a LinearOperator of any
            numeric dtype.
        b: An array of shape (n,) or (n, 1).
        x0: The array to begin with; by default zeros. 'Mb' begins with ``M @ b``.
        rtol, atol: How small the residual is to be, relative to ``b`` and absolute.
        maxiter: The largest number of steps; by default 10 n.
        M: An operator near the inverse of ``A``: an array, a sparse matrix or a LinearOperator.
        callback: A function that is called with ``x`` after each step, for which the host then waits.

    Returns:
        A tuple: an array of shape (n,), and an int: 0 where it has converged, the number of steps where it has not.
        Other than in SciPy it is 0 as well where the last step allowed is the one that converges.

    Raises:
        ValueError: The shapes do not match.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[4.0, 1.0], [1.0, 3.0]])
    >>> x, info = tombacx.scipy.sparse.linalg.cg(A, tombac.array([1.0, 2.0]))
    >>> x.round(4), info
    (array([0.0909, 0.6364]), 0)
    """
    return solve("cg", _CG, A, b, x0, rtol, atol, maxiter, M, callback)


def cgs(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """``x`` with ``A @ x == b`` by conjugate gradients squared.

    It stops where ``norm(b - A @ x) < max(rtol * norm(b), atol)``, which the host looks at every few steps; what comes
    after that changes nothing.

    Args:
        A: A matrix of shape (n, n): an array, a sparse matrix or a LinearOperator of any numeric dtype.
        b: An array of shape (n,) or (n, 1).
        x0: The array to begin with; by default zeros. 'Mb' begins with ``M @ b``.
        rtol, atol: How small the residual is to be, relative to ``b`` and absolute.
        maxiter: The largest number of steps; by default 10 n.
        M: An operator near the inverse of ``A``: an array, a sparse matrix or a LinearOperator.
        callback: A function that is called with ``x`` after each step, for which the host then waits.

    Returns:
        A tuple: an array of shape (n,), and an int: 0 where it has converged, the number of steps where it has not, -10
        or -11 where the method has broken down. Other than in SciPy it is 0 as well where the last step allowed is the
        one that converges.

    Raises:
        ValueError: The shapes do not match.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[4.0, 1.0], [1.0, 3.0]])
    >>> x, info = tombacx.scipy.sparse.linalg.cgs(A, tombac.array([1.0, 2.0]))
    >>> x.round(4), info
    (array([0.0909, 0.6364]), 0)
    """
    return solve("cgs", _CGS, A, b, x0, rtol, atol, maxiter, M, callback)


def bicgstab(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """``x`` with ``A @ x == b`` by stabilised biconjugate gradients.

    It stops where ``norm(b - A @ x) < max(rtol * norm(b), atol)``, which the host looks at every few steps; what comes
    after that changes nothing.

    Args:
        A: A matrix of shape (n, n): an array, a sparse matrix or a LinearOperator of any numeric dtype.
        b: An array of shape (n,) or (n, 1).
        x0: The array to begin with; by default zeros. 'Mb' begins with ``M @ b``.
        rtol, atol: How small the residual is to be, relative to ``b`` and absolute.
        maxiter: The largest number of steps; by default 10 n.
        M: An operator near the inverse of ``A``: an array, a sparse matrix or a LinearOperator.
        callback: A function that is called with ``x`` after each step, for which the host then waits.

    Returns:
        A tuple: an array of shape (n,), and an int: 0 where it has converged, the number of steps where it has not, -10
        or -11 where the method has broken down. Other than in SciPy it is 0 as well where the last step allowed is the
        one that converges.

    Raises:
        ValueError: The shapes do not match.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[4.0, 1.0], [1.0, 3.0]])
    >>> x, info = tombacx.scipy.sparse.linalg.bicgstab(A, tombac.array([1.0, 2.0]))
    >>> x.round(4), info
    (array([0.0909, 0.6364]), 0)
    """
    return solve("bicgstab", _BiCGSTAB, A, b, x0, rtol, atol, maxiter, M, callback)
