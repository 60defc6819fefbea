"""Minimal residuals of Hermitian matrices, definite or not: Paige and Saunders, "Solution of sparse indefinite systems
of linear equations" (1975), whose names of numbers are kept.

As in least squares, Lanczos' process runs some steps ahead on the device; the host reads its numbers, does the
recurrences of the rotations, and decides whether to go on.
"""

import math

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._system import Looks, System, arithmetic, dot, evaluate, norm, numbers

__all__ = ["minres"]


class _Lanczos:
    """The process for ``A - shift``, in the inner product of a preconditioner."""

    def __init__(self, system, shift, r):
        self.system, self.shift, self.f = system, shift, arithmetic()
        self.r1 = self.r2 = r
        self.y = system.precondition(r)
        self.beta2 = self.f.dot(r, self.y).real
        self.old = None

    def step(self):
        """(v, alpha, beta**2), none of which the host waits for."""
        s, f = self.system, self.f
        inverse = f.quotient(self.beta2 > 0, 1, f.sqrt(self.beta2))
        v = self.y * inverse
        y = s.apply(v).astype(s.dtype, copy=False)
        if self.shift != 0:
            y = y - self.shift * v
        if self.old is not None:
            y = y - f.sqrt(f.quotient(self.old > 0, self.beta2, self.old)) * self.r1
        alpha = f.dot(v, y).real
        y = y - (alpha * inverse) * self.r2
        self.r1, self.r2, self.old = self.r2, y, self.beta2
        self.y = s.precondition(y)
        self.beta2 = f.dot(y, self.y).real
        return v, alpha, self.beta2


class _Rotations:
    """The recurrences; ``x`` and its directions are on the device."""

    def __init__(self, x, beta, tol):
        self.x, self.w, self.w2 = x, _core.zeros_like(x), _core.zeros_like(x)
        self.first = self.beta = self.phibar = np.float64(beta)
        self.tol = tol
        self.dbar = self.epsln = self.sn = self.tnorm2 = self.largest = np.float64(0)
        self.cs, self.smallest = np.float64(-1), np.float64(np.finfo("d").max)
        self.count = self.reason = 0

    def step(self, v, alpha, beta):
        eps = np.finfo("d").eps
        self.count += 1
        self.tnorm2 = self.tnorm2 + alpha**2 + self.beta**2 + beta**2
        self.beta = beta
        if self.count == 1 and beta / self.first <= 10 * eps:
            self.reason = -1  # b is an eigenvector
        oldeps = self.epsln
        delta, gbar = self.cs * self.dbar + self.sn * alpha, self.sn * self.dbar - self.cs * alpha
        self.epsln, self.dbar = self.sn * beta, -self.cs * beta
        self.root = np.hypot(gbar, self.dbar)
        gamma = max(np.hypot(gbar, beta), eps)
        self.cs, self.sn = gbar / gamma, beta / gamma
        phi, self.phibar = self.cs * self.phibar, self.sn * self.phibar
        w = (v - self.w2 * float(oldeps) - self.w * float(delta)) * float(1 / gamma)
        self.w2, self.w = self.w, w
        self.x = self.x + w * float(phi)
        self.largest, self.smallest = max(self.largest, gamma), min(self.smallest, gamma)

    def test(self, norm_x, limit):
        """The number of a reason to stop, or 0."""
        eps = np.finfo("d").eps
        norm_a = np.sqrt(self.tnorm2)
        test1 = self.phibar / (norm_a * norm_x) if norm_a * norm_x != 0 else math.inf
        test2 = self.root / norm_a if norm_a != 0 else math.inf
        if self.reason:
            return self.reason
        for number, holds in ((1, test1 <= self.tol), (2, test2 <= self.tol), (3, norm_a * norm_x * eps >= self.first),
                              (4, self.largest / self.smallest >= 0.1 / eps), (6, self.count >= limit),
                              (1, 1 + test1 <= 1), (2, 1 + test2 <= 1)):
            if holds:
                return number
        return 0


def _check_symmetry(what, apply, y):
    w = apply(y)
    s, t = numbers(dot(w, w).real, dot(y, apply(w)).real)
    eps = np.finfo(y.dtype).eps
    if abs(s - t) > (s + eps) * eps ** (1 / 3):
        raise ValueError(f"minres: non-symmetric {what}")


def minres(A, b, x0=None, shift=0.0, tol=None, maxiter=None, M=None, callback=None, check=False, *, rtol=1e-05,
           show=False):
    """``x`` with ``(A - shift * I) @ x == b``, or nearly so, by minimal residuals.

    Args:
        A: A Hermitian matrix of shape (n, n), which may be indefinite or singular: an array, a sparse matrix or a
            LinearOperator of any numeric dtype.
        b: An array of shape (n,) or (n, 1).
        x0: The array to begin with; by default zeros.
        shift: What is subtracted from the diagonal of ``A``.
        tol: CuPy's name of ``rtol``.
        maxiter: The largest number of steps; by default 5 n.
        M: A positive definite operator near the inverse of ``A``: an array, a sparse matrix or a LinearOperator.
        callback: A function that is called with ``x`` after each step, for which the host then waits.
        check: Whether ``A`` and ``M`` are tried to be Hermitian.
        rtol: How small the residual is to be, relative to the norms of ``A`` and ``x``, which are estimated.
        show: Whether a line is printed that says why it stopped.

    Returns:
        A tuple: an array of shape (n,), of float64 or complex128, and an int: 0, or ``maxiter`` where it has not
        converged. Results are right of complex matrices, too, which SciPy casts to real ones in part, and of a shift
        with ``x0``, which it leaves out of the first residual.

    Raises:
        ValueError: The shapes do not match, ``M`` turns out to be indefinite, or, where it is asked for, ``A`` or ``M``
            is not Hermitian.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[0.0, 2.0], [2.0, 0.0]])
    >>> x, info = tombacx.scipy.sparse.linalg.minres(A, tombac.array([2.0, 4.0]))
    >>> x.round(4), info
    (array([2., 1.]), 0)
    """
    system = System("minres", A, b, x0, M)
    x, r = system.start()
    if x0 is not None and shift != 0:
        r = r + shift * x
    x = x.astype(np.result_type(system.dtype, np.float64), copy=False)
    limit = 5 * system.n if maxiter is None else maxiter
    process = _Lanczos(system, shift, r)
    norm_b, beta2 = process.f.read(process.f.norm(system.b), process.beta2)
    if beta2 < 0:
        raise ValueError("minres: indefinite preconditioner")
    if norm_b == 0 or beta2 == 0:
        return (_core.zeros_like(x) if norm_b == 0 else x), 0
    if check:
        _check_symmetry("matrix", system.apply, process.y)
        _check_symmetry("preconditioner", system.precondition, r)
    method, looks, reason = _Rotations(x, math.sqrt(beta2), rtol if tol is None else tol), Looks(callback), 0
    with np.errstate(all="ignore"):
        while reason == 0 and method.count < limit:
            reason = _steps(process, method, looks.ahead(method.count, limit), limit)
            if callback is not None:
                callback(method.x)
    if show:
        print(f"minres: stopped for reason {reason} after {method.count} steps; norm(r) = {float(method.phibar):.6g}")
    return method.x, limit if reason == 6 else 0


def _steps(process, method, count, limit):
    """So many steps; the number of a reason to stop after them, or 0."""
    made = [process.step() for _ in range(count)]
    read = process.f.read(*[number for step in made for number in step[1:]])
    for (v, _, _), alpha, beta2 in zip(made, read[::2], read[1::2], strict=True):
        if beta2 < 0:
            raise ValueError("minres: non-symmetric matrix")
        method.step(v, np.float64(alpha), np.sqrt(np.float64(beta2)))
    evaluate(method.x)
    norm_x = norm(method.x).item()
    return 6 if math.isnan(norm_x) else method.test(norm_x, limit)
