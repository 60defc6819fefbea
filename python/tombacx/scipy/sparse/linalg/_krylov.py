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
from tombacx.scipy.sparse.linalg._system import Looks, System, arithmetic, evaluate, tolerance

__all__ = ["NO_RHO", "NO_STEP", "State", "bicgstab", "cg", "cgs", "solve"]

NO_RHO, NO_STEP = -10, -11  # SciPy's numbers for two breakdowns


class State:
    """What a method keeps from step to step. ``size`` is the residual's norm and ``code`` zero or a breakdown's number,
    both where ``f``, which computes with numbers, has them; a method's ``step`` takes ``x`` and ``r`` further, unless
    one of them says that it is over."""

    def __init__(self, system, x, r):
        self.system, self.x, self.r, self.f = system, x, r, arithmetic()
        self.size = self.f.norm(r)
        self.code = self.f.number(0, np.int32)
        self.tolerance = 0.0
        self.tiny = float(np.finfo(system.dtype).eps) ** 2  # as in SciPy
        self.first = True
        self.begin()

    def begin(self):
        pass

    def going(self):
        return self.f.both(self.size >= self.tolerance, self.code == 0)

    def broken(self, condition, number):
        self.code = self.f.where(self.f.both(self.going(), condition), np.int32(number), self.code)


def solve(name, method, A, b, x0, rtol, atol, maxiter, M, callback):
    system = System(name, A, b, x0, M)
    state = method(system, *system.start())
    norm_b, size = state.f.read(state.f.norm(system.b), state.size)
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
            size, code = state.f.read(state.size, state.code)
            if callback is not None and code == 0:
                callback(state.x)
            if math.isnan(size):
                break
    if size < state.tolerance or size == 0:
        return state.x, 0
    return state.x, int(code) if code else limit


class _CG(State):
    def begin(self):
        self.square = self.f.dot(self.r, self.r).real

    def step(self):
        s, f, going = self.system, self.f, self.going()
        z = s.precondition(self.r)
        rho = f.dot(self.r, z) if s.preconditioned else self.square
        # A residual of zero has no direction: without the condition what comes after would be NaN, and x with it.
        self.p = z if self.first else z + f.quotient(going, rho, self.rho, s.dtype) * self.p
        q = s.apply(self.p)
        alpha = f.quotient(going, rho, f.dot(self.p, q), s.dtype)
        self.x = self.x + alpha * self.p
        self.r = self.r - alpha * q
        self.rho = rho
        self.square = self.f.dot(self.r, self.r).real
        self.size = f.sqrt(self.square)


class _CGS(State):
    def begin(self):
        self.shadow = self.r

    def step(self):
        s, f = self.system, self.f
        rho = f.dot(self.shadow, self.r)
        self.broken(f.magnitude(rho) < self.tiny, NO_RHO)
        if self.first:
            u = self.p = self.r
        else:
            beta = f.quotient(self.going(), rho, self.rho, s.dtype)
            u = self.r + beta * self.q
            self.p = u + beta * (self.q + beta * self.p)
        v = s.apply(s.precondition(self.p))
        along = f.dot(self.shadow, v)
        self.broken(along == 0, NO_STEP)
        alpha = f.quotient(self.going(), rho, along, s.dtype)
        self.q = u - alpha * v
        self.x = self.x + alpha * s.precondition(u + self.q)
        self.r = s.residual(self.x)  # which costs what an update costs, and does not drift
        self.rho = rho
        self.size = f.norm(self.r)


class _BiCGSTAB(State):
    def begin(self):
        self.shadow = self.r

    def step(self):
        s, f = self.system, self.f
        rho = f.dot(self.shadow, self.r)
        self.broken(f.magnitude(rho) < self.tiny, NO_RHO)
        if self.first:
            self.p = self.r
        else:
            self.broken(f.magnitude(self.omega) < self.tiny, NO_STEP)
            going = self.going()
            beta = f.quotient(going, rho, self.rho, s.dtype) * f.quotient(going, self.alpha, self.omega, s.dtype)
            self.p = self.r + beta * (self.p - self.omega * self.v)
        direction = s.precondition(self.p)
        self.v = s.apply(direction)
        along = f.dot(self.shadow, self.v)
        self.broken(along == 0, NO_STEP)
        going = self.going()
        self.alpha = f.quotient(going, rho, along, s.dtype)
        half = self.r - self.alpha * self.v
        second = s.precondition(half)
        t = s.apply(second)
        # No second half where the first one has converged.
        more = f.both(going, f.norm(half) >= self.tolerance)
        self.omega = f.quotient(more, f.dot(t, half), f.dot(t, t), s.dtype)
        self.x = self.x + self.alpha * direction + self.omega * second
        self.r = half - self.omega * t
        self.rho = rho
        self.size = f.norm(self.r)


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
