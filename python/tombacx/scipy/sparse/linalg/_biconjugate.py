"""Two more methods of biconjugate gradients for square matrices.

bicg: Fletcher, "Conjugate gradient methods for indefinite systems" (1976), as in Saad, "Iterative methods for sparse
linear systems" (2nd ed.), algorithm 7.3. tfqmr: Freund, "A transpose-free quasi-minimal residual algorithm for
non-Hermitian linear systems" (1993), preconditioned from the right.
"""

import math

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._interface import aslinearoperator
from tombacx.scipy.sparse.linalg._krylov import NO_RHO, NO_STEP, State, solve

__all__ = ["bicg", "tfqmr"]


class _BiCG(State):
    def begin(self):
        self.shadow = self.r
        self.apply_adjoint, self.precondition_adjoint = self.system.adjoint()

    def step(self):
        s, f = self.system, self.f
        z, shadow_z = s.precondition(self.r), self.precondition_adjoint(self.shadow)
        rho = f.dot(self.shadow, z)
        self.broken(f.magnitude(rho) < self.tiny, NO_RHO)
        if self.first:
            self.p, self.shadow_p = z, shadow_z
        else:
            beta = f.quotient(self.going(), rho, self.rho, s.dtype)
            self.p, self.shadow_p = z + beta * self.p, shadow_z + beta.conjugate() * self.shadow_p
        q, shadow_q = s.apply(self.p), self.apply_adjoint(self.shadow_p)
        along = f.dot(self.shadow_p, q)
        self.broken(along == 0, NO_STEP)
        alpha = f.quotient(self.going(), rho, along, s.dtype)
        self.x = self.x + alpha * self.p
        self.r, self.shadow = self.r - alpha * q, self.shadow - alpha.conjugate() * shadow_q
        self.rho = rho
        self.size = f.norm(self.r)


class _TFQMR(State):
    """Steps come in pairs; ``size`` is a bound of the residual's norm."""

    def begin(self):
        s = self.system
        self.shadow = self.w = self.y = self.r
        self.d = _core.zeros_like(self.r)
        self.v = self.u = s.apply(s.precondition(self.y))
        self.tau, self.rho = self.size, self.f.dot(self.shadow, self.r)
        self.theta = self.eta = self.f.number(0.0, self.r.real.dtype)
        self.count = 0

    def step(self):
        s, f = self.system, self.f
        if self.count % 2 == 0:
            along = f.dot(self.shadow, self.v)
            self.broken(along == 0, NO_STEP)
            self.alpha = f.quotient(self.going(), self.rho, along, s.dtype)
            self._advance()
            self.y = self.y - self.alpha * self.v
            self.u = s.apply(s.precondition(self.y))
        else:
            self._advance()
            rho = f.dot(self.shadow, self.w)
            self.broken(f.magnitude(self.rho) < self.tiny, NO_RHO)
            beta = f.quotient(self.going(), rho, self.rho, s.dtype)
            self.rho = rho
            self.y = self.w + beta * self.y
            before, self.u = self.u, s.apply(s.precondition(self.y))
            self.v = self.u + beta * (before + beta * self.v)
        self.count += 1

    def _advance(self):
        f, going, dtype = self.f, self.going(), self.d.dtype
        self.w = self.w - f.where(going, self.alpha, 0) * self.u
        self.d = self.y + f.quotient(going, self.theta * self.theta * self.eta, self.alpha, dtype) * self.d
        theta = f.ratio(f.norm(self.w), self.tau)
        c2 = 1 / (1 + theta * theta)
        self.tau = f.where(going, self.tau * theta * f.sqrt(c2), self.tau)
        self.theta, self.eta = theta, c2 * self.alpha
        self.x = self.x + f.quotient(going, self.eta, 1, dtype) * self.system.precondition(self.d)
        self.size = f.where(going, self.tau * math.sqrt(self.count + 2), self.size)


def bicg(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """``x`` with ``A @ x == b`` by biconjugate gradients.

    It stops where ``norm(b - A @ x) < max(rtol * norm(b), atol)``, which the host looks at every few steps; what comes
    after that changes nothing.

    Args:
        A: A matrix of shape (n, n): an array, a sparse matrix or a LinearOperator, with its adjoint, of any numeric
            dtype.
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
    >>> x, info = tombacx.scipy.sparse.linalg.bicg(A, tombac.array([1.0, 2.0]))
    >>> x.round(4), info
    (array([0.0909, 0.6364]), 0)
    """
    return solve("bicg", _BiCG, A, b, x0, rtol, atol, maxiter, M, callback)


def tfqmr(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None, show=False):
    """``x`` with ``A @ x == b`` by quasi-minimal residuals without products with the transpose.

    It stops where a bound of ``norm(b - A @ x)`` is below ``max(rtol * norm(b), atol)``, which the host looks at every
    few steps; what comes after that changes nothing.

    Args:
        A: A matrix of shape (n, n): an array, a sparse matrix or a LinearOperator of any numeric dtype.
        b: An array of shape (n,) or (n, 1).
        x0: The array to begin with; by default zeros. 'Mb' begins with ``M @ b``.
        rtol, atol: How small the residual is to be, relative to ``b`` and absolute.
        maxiter: The largest number of steps, each of one product; by default 10 n.
        M: An operator near the inverse of ``A``: an array, a sparse matrix or a LinearOperator.
        callback: A function that is called with ``x`` after each step, for which the host then waits.
        show: Accepted; nothing is printed.

    Returns:
        A tuple: an array of shape (n,), and an int: 0 where it has converged, the number of steps where it has not, -10
        or -11 where the method has broken down. Other than in SciPy it is 0 as well where the last step allowed is the
        one that converges.

    Raises:
        ValueError: The shapes do not match.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[4.0, 1.0], [1.0, 3.0]])
    >>> x, info = tombacx.scipy.sparse.linalg.tfqmr(A, tombac.array([1.0, 2.0]))
    >>> x.round(4), info
    (array([0.0909, 0.6364]), 0)
    """
    A = aslinearoperator(A)
    if getattr(b, "dtype", None) == np.int64 and A.dtype.kind in "fc":
        b = b.astype(A.dtype)  # as in SciPy, and no other integers
    return solve("tfqmr", _TFQMR, A, b, x0, rtol, atol, maxiter, M, callback)
