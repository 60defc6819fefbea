"""Least squares by LSMR: Fong and Saunders, "LSMR: an iterative algorithm for sparse least-squares problems" (2011),
whose names of numbers are kept."""

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._least_squares import Bidiagonalisation, Method, Problem, run

__all__ = ["lsmr"]


class _LSMR(Method):
    def __init__(self, process, damp, atol, btol, conlim):
        super().__init__(process, damp, atol, btol, conlim)
        alpha, beta = process.first_alpha, process.first_beta
        self.h = process.v.astype(process.wide, copy=False)
        self.hbar = _core.zeros(process.shape[1], process.wide)
        self.alphabar, self.zetabar = alpha, alpha * beta
        self.rho = self.rhobar = self.cbar = self.rhodold = np.float64(1)
        self.sbar = self.betad = self.tautildeold = self.thetatilde = self.zeta = self.d = np.float64(0)
        self.betadd = self.norm_r = beta
        self.norm_ar = alpha * beta
        self.norm_a2 = alpha**2
        self.norm_a, self.cond_a, self.norm_x = alpha, np.float64(1), np.float64(0)
        self.largest, self.smallest = np.float64(0), np.float64(1e100)

    def numbers(self, alpha, beta):
        chat, shat, alphahat = self.rotation(self.alphabar, self.damp)
        before = self.rho * self.rhobar
        c, s, self.rho = self.rotation(alphahat, beta)
        thetanew, self.alphabar = s * alpha, c * alpha
        zetaold, rhobarold = self.zeta, self.rhobar
        thetabar, rhotemp = self.sbar * self.rho, self.cbar * self.rho
        self.cbar, self.sbar, self.rhobar = self.rotation(rhotemp, thetanew)
        self.zeta, self.zetabar = self.cbar * self.zetabar, -self.sbar * self.zetabar

        self._estimate_r(chat, shat, c, s, thetabar, zetaold)
        self.norm_a = self.f.sqrt(self.norm_a2 + beta**2)
        self.norm_a2 = self.norm_a2 + beta**2 + alpha**2
        f = self.f
        self.largest = f.maximum(self.largest, rhobarold)
        self.smallest = f.where(self.count > 1, f.minimum(self.smallest, rhobarold), self.smallest)
        self.cond_a = f.maximum(self.largest, rhotemp) / f.minimum(self.smallest, rhotemp)
        self.norm_ar = abs(self.zetabar)
        return thetabar * self.rho / before, self.zeta / (self.rho * self.rhobar), thetanew / self.rho

    def vectors(self, v, back, along, turn):
        self.hbar = self.h - self.hbar * back
        self.x = self.x + self.hbar * along
        self.h = v - self.h * turn

    def _estimate_r(self, chat, shat, c, s, thetabar, zetaold):
        """The norm of the residual, by rotations that make the triangle's bidiagonal factor lower again."""
        betaacute, betacheck = chat * self.betadd, -shat * self.betadd
        betahat, self.betadd = c * betaacute, -s * betaacute
        thetatildeold = self.thetatilde
        ctilde, stilde, rhotilde = self.rotation(self.rhodold, thetabar)
        self.thetatilde, self.rhodold = stilde * self.rhobar, ctilde * self.rhobar
        self.betad = -stilde * self.betad + ctilde * betahat
        self.tautildeold = (zetaold - thetatildeold * self.tautildeold) / rhotilde
        taud = (self.zeta - self.thetatilde * self.tautildeold) / self.rhodold
        self.d = self.d + betacheck**2
        self.norm_r = self.f.sqrt(self.d + (self.betad - taud) ** 2 + self.betadd**2)

    def test(self, xx):
        self.norm_x = self.f.sqrt(xx)
        return self.stop(self.norm_r, self.norm_ar, self.norm_a, self.cond_a, self.norm_x)


def lsmr(A, b, x0=None, damp=0.0, atol=1e-06, btol=1e-06, conlim=1e8, maxiter=None, show=False):
    """``x`` for which ``norm(b - A @ x)**2 + damp**2 * norm(x - x0)**2`` is least, by LSMR.

    Arguments are in CuPy's order; SciPy has ``damp`` in the place of ``x0``, and a number there is taken for it.

    Args:
        A: An array, a sparse matrix or a LinearOperator of any numeric dtype and shape (m, n).
        b: An array of shape (m,) or (m, 1).
        x0: An array of shape (n,) to begin with; by default zeros.
        damp: The weight of ``x`` itself.
        atol, btol: To how many places ``A`` and ``b`` are known: the method stops where the residual is explained by
            that.
        conlim: It stops where the condition of ``A`` seems to be larger.
        maxiter: The largest number of steps; by default min(m, n).
        show: Whether a line is printed that says why it stopped.

    Returns:
        A tuple: an array of shape (n,), of float64 or complex128; the number of SciPy's reason to stop; the number of
        steps; and the norms of ``b - A @ x``, of ``A.conj().T @ (b - A @ x)`` and of ``A``, its condition, and the norm
        of ``x``, all but the last estimates.

    Raises:
        ValueError: The shapes do not match.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> x, reason, steps = tombacx.scipy.sparse.linalg.lsmr(A, tombac.array([1.0, 0.0, -1.0]))[:3]
    >>> x.round(4), reason, steps
    (array([ 1., -1.]), 1, 1)
    """
    if isinstance(x0, (int, float)):
        x0, damp = None, x0
    problem = Problem("lsmr", A, b, x0)
    limit = min(problem.shape) if maxiter is None else maxiter
    found = problem.by_routine(True, damp, atol, btol, conlim, limit)
    x, reason, steps, norms = found or _stepwise(problem, damp, atol, btol, conlim, limit)
    if show:
        print(f"lsmr: stopped for reason {reason} after {steps} steps; norm(r) = {norms[0]:.6g}, "
              f"norm(A^H r) = {norms[1]:.6g}")
    return x, reason, steps, *norms[:5]


def _stepwise(problem, damp, atol, btol, conlim, limit):
    process = Bidiagonalisation(problem)
    method, reason = _LSMR(process, damp, atol, btol, conlim), 0
    if method.norm_ar != 0 and process.norm_b == 0:
        method.x = _core.zeros(process.shape[1], process.wide)
    elif method.norm_ar != 0:
        method, reason = run(process, method, limit)
    norms = method.norm_r, method.norm_ar, method.norm_a, method.cond_a, method.norm_x
    return method.x, reason, int(method.count), tuple(map(float, norms))
