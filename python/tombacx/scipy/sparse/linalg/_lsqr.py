"""Least squares by LSQR: Paige and Saunders, "LSQR: an algorithm for sparse linear equations and sparse least squares"
(1982), whose names of numbers are kept."""

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._least_squares import Bidiagonalisation, Method, Problem, run

__all__ = ["lsqr"]


class _LSQR(Method):
    watched_vector = "w"
    watched_before = True

    def __init__(self, process, damp, atol, btol, conlim, calc_var):
        super().__init__(process, damp, atol, btol, conlim)
        self.w = process.v.astype(process.wide, copy=False)
        self.var = _core.zeros(process.shape[1])
        self.calc_var = calc_var
        self.alpha = self.rhobar = process.first_alpha
        self.phibar = self.norm_r = self.norm_r1 = process.first_beta
        self.norm_ar = self.alpha * self.phibar
        self.norm_a2 = self.cond_a = self.norm_x = self.xx = self.res2 = self.z = self.s2 = np.float64(0)
        self.c2 = np.float64(-1)
        self.sums.dd = np.float64(0)

    def numbers(self, alpha, beta):
        self.norm_a2 = self.norm_a2 + self.f.where(beta > 0, self.alpha**2 + beta**2 + self.damp**2, 0.0)
        c, s, rhobar1 = self.rotation(self.rhobar, self.damp)
        psi, phibar = s * self.phibar, c * self.phibar
        c, s, rho = self.rotation(rhobar1, beta)
        theta, self.rhobar = s * alpha, -c * alpha
        phi, self.phibar = c * phibar, s * phibar
        self.alpha, self.rho, self.tau = alpha, rho, s * phi
        self._estimate_x(rho, theta, phi)
        self.res2 = self.res2 + psi**2
        return phi / rho, -theta / rho, 1 / rho**2

    def vectors(self, v, along, back, variance):
        if self.calc_var:
            self.var = self.var + abs(self.w) ** 2 * variance
        self.x = self.x + self.w * along
        self.w = v + self.w * back

    def _estimate_x(self, rho, theta, phi):
        """The norm of x, by rotations from the other side."""
        delta, gambar = self.s2 * rho, -self.c2 * rho
        right = phi - delta * self.z
        self.norm_x = self.f.sqrt(self.xx + (right / gambar) ** 2)
        self.c2, self.s2, gamma = self.rotation(gambar, theta)
        self.z = right / gamma
        self.xx = self.xx + self.z**2

    def test(self, ww):
        sqrt = self.f.sqrt
        norm_a = sqrt(self.norm_a2)
        self.sums.dd = self.sums.dd + ww / self.rho**2
        self.cond_a = norm_a * sqrt(self.sums.dd)
        self.norm_r = sqrt(self.phibar**2 + self.res2)
        self.norm_ar = self.alpha * abs(self.tau)
        r1 = self.norm_r**2 - self.damp**2 * self.xx
        self.norm_r1 = self.f.sign(r1) * sqrt(abs(r1))
        return self.stop(self.norm_r, self.norm_ar, norm_a, self.cond_a, self.norm_x)


def lsqr(A, b, damp=0.0, atol=1e-06, btol=1e-06, conlim=1e8, iter_lim=None, show=False, calc_var=False, x0=None):
    """``x`` for which ``norm(b - A @ x)**2 + damp**2 * norm(x - x0)**2`` is least, by LSQR.

    Args:
        A: An array, a sparse matrix or a LinearOperator of any numeric dtype and shape (m, n).
        b: An array of shape (m,) or (m, 1).
        damp: The weight of ``x`` itself.
        atol, btol: To how many places ``A`` and ``b`` are known: the method stops where the residual is explained by
            that.
        conlim: It stops where the condition of ``A`` seems to be larger.
        iter_lim: The largest number of steps; by default 2 n.
        show: Whether a line is printed that says why it stopped.
        calc_var: Whether variances are estimated.
        x0: An array of shape (n,) to begin with; by default zeros.

    Returns:
        A tuple: an array of shape (n,), of float64 or complex128; the number of SciPy's reason to stop; the number of
        steps; the norms of ``b - A @ x`` and of the damped residual; estimates of the Frobenius norm and the condition
        of the damped ``A``, of the norm of ``A.conj().T @ r`` and of that of ``x``; and an array of shape (n,), the
        variances, or zeros.

    Raises:
        ValueError: The shapes do not match.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> x, reason, steps = tombacx.scipy.sparse.linalg.lsqr(A, tombac.array([1.0, 0.0, -1.0]))[:3]
    >>> x.round(4), reason, steps
    (array([ 1., -1.]), 1, 1)
    """
    problem = Problem("lsqr", A, b, x0)
    limit = 2 * problem.shape[1] if iter_lim is None else iter_lim
    found = problem.by_routine(False, damp, atol, btol, conlim, limit, bool(calc_var))
    x, reason, steps, norms, *var = found or _stepwise(problem, damp, atol, btol, conlim, calc_var, limit)
    if show:
        print(f"lsqr: stopped for reason {reason} after {steps} steps; norm(r) = {norms[1]:.6g}, "
              f"norm(A^H r) = {norms[4]:.6g}")
    return x, reason, steps, *norms, *(var or [_core.zeros(problem.shape[1])])


def _stepwise(problem, damp, atol, btol, conlim, calc_var, limit):
    process = Bidiagonalisation(problem)
    method, reason = _LSQR(process, damp, atol, btol, conlim, calc_var), 0
    if method.norm_ar != 0:
        method, reason = run(process, method, limit)
    norms = (method.norm_r1, method.norm_r, np.sqrt(method.norm_a2), method.cond_a, method.norm_ar, method.norm_x)
    return method.x, reason, int(method.count), tuple(map(float, norms)), method.var
