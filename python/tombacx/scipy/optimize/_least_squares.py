"""Nonlinear least squares, by the method of Levenberg and Marquardt.

Madsen, Nielsen and Tingleff, Methods for Non-Linear Least Squares Problems, 2004, with Nielsen's rule for the damping.
Steps are solutions of damped linear problems by QR, in which the condition of the Jacobian is not squared.
"""

import inspect
import warnings

import tombac
from tombac._numpy import np
from tombacx.scipy.optimize._result import OptimizeResult, differences, point, size

__all__ = ["curve_fit", "least_squares"]

_MESSAGES = {
    0: "The greatest number of evaluations is reached.", 1: "The gradient is as small as gtol.",
    2: "The sum of squares changed by less than ftol.", 3: "The point changed by less than xtol.",
}


def least_squares(fun, x0, jac="2-point", method="lm", ftol=1e-8, xtol=1e-8, gtol=1e-8, max_nfev=None, args=(),
                  kwargs=None):
    """The point at which the sum of squares of a function's elements is least, found from another nearby.

    Args:
        fun: A function of a vector that gives a vector of residuals: arrays of the device.
        x0: Where to begin: a real vector, or a number.
        jac: The Jacobian: a function of a vector that gives an array of shape (residuals, variables); '2-point' or
            '3-point' for differences.
        method: 'lm': Levenberg's and Marquardt's, without bounds.
        ftol: By which part the sum may change at the end.
        xtol: By which part the point may change at the end.
        gtol: How great an element of the gradient may be at the end.
        max_nfev: How often ``fun`` may be called, but for differences; 100 times the number of variables if None.
        args: Further arguments of ``fun`` and ``jac``: a tuple.
        kwargs: Further arguments by name: a dict.

    Returns:
        An OptimizeResult with ``x``; ``cost``, half of the sum, a float; ``fun``, ``jac`` and ``grad`` there; the
        ``optimality``; ``nfev`` and ``njev``; ``status``, ``message`` and ``success``.

    Raises:
        ValueError: There are fewer residuals than variables, or they are not finite at ``x0``, or an argument is not
            known.

    SciPy's method is 'trf' where none is named, which takes bounds.

    >>> f = lambda x: tombac.stack([x[0] - 1, 10 * (x[1] - x[0] ** 2)])
    >>> tombacx.scipy.optimize.least_squares(f, tombac.array([-1.0, 2.0])).x.round(5)
    array([1., 1.])
    """
    if method != "lm":
        raise ValueError(f"least_squares: method must be 'lm', not {method!r}")
    if not callable(jac) and jac not in ("2-point", "3-point"):
        raise ValueError(f"least_squares: jac must be a function, '2-point' or '3-point', not {jac!r}")
    x, kwargs = point("least_squares", x0), kwargs or {}

    def residuals(x):
        return tombac.atleast_1d(tombac.asarray(fun(x, *args, **kwargs), "d"))

    def jacobian(x, f):
        J = jac(x, *args, **kwargs) if callable(jac) else differences(residuals, x, f, jac == "3-point")
        return tombac.asarray(J, "d").reshape(f.size, x.size)

    f = residuals(x)
    if f.ndim != 1 or f.size < x.size:
        raise ValueError(f"least_squares: a vector of at least {x.size} residuals is expected, not of shape {f.shape}")
    if not tombac.isfinite(f).all():
        raise ValueError("least_squares: residuals are not finite at x0")
    return _Marquardt(residuals, jacobian, x, f, ftol, xtol, gtol).run(max_nfev or 100 * max(x.size, 1))


class _Marquardt:
    def __init__(self, residuals, jacobian, x, f, ftol, xtol, gtol):
        self._residuals, self._jacobian = residuals, jacobian
        self.x, self.f, self.J = x, f, jacobian(x, f)
        self._tolerances = ftol, xtol, gtol
        self.cost, self.nfev, self.njev = self._half(f), 1, 1

    @staticmethod
    def _half(f):
        return float((f * f).sum().item()) / 2

    def run(self, most):
        ftol, xtol, gtol = self._tolerances
        gradient = self.J.T @ self.f
        lengths = tombac.sqrt((self.J * self.J).sum(axis=0))  # by which variables of any units are alike
        scale = tombac.where(lengths > 0, lengths, 1.0)
        damping, growth, status = 1e-3, 2.0, 0
        while True:
            steepest = float(abs(gradient).max().item()) if gradient.size else 0.0
            if steepest <= gtol:
                status = 1
            if status or self.nfev >= most:
                break
            step = self._damped(damping, scale)
            new = self.x + step
            f = self._residuals(new)
            self.nfev += 1
            cost = self._half(f)
            expected = self.cost - self._half(self.f + self.J @ step)
            actual = self.cost - cost
            short = size(scale * step) <= xtol * (xtol + size(scale * self.x))
            if np.isfinite(cost) and actual > 0 and expected > 0:
                small = actual <= ftol * self.cost and expected <= ftol * self.cost
                self.x, self.f, self.cost = new, f, cost
                self.J = self._jacobian(new, f)
                self.njev += 1
                gradient = self.J.T @ f
                scale = tombac.maximum(scale, tombac.sqrt((self.J * self.J).sum(axis=0)))
                damping *= max(1 / 3, 1 - (2 * actual / expected - 1) ** 3)
                growth = 2.0
                status = 2 if small else 3 if short else 0
            else:
                status = 3 if short else 2 if expected <= ftol * self.cost and abs(actual) <= ftol * self.cost else 0
                damping, growth = damping * growth, growth * 2
        return OptimizeResult(x=self.x, cost=self.cost, fun=self.f, jac=self.J, grad=gradient, optimality=steepest,
                              nfev=self.nfev, njev=self.njev, status=status, message=_MESSAGES[status],
                              success=status > 0)

    def _damped(self, damping, scale):
        """The solution of J h = -f and sqrt(damping) scale h = 0, in the sense of least squares."""
        n = self.x.size
        q, r = tombac.linalg.qr(tombac.concatenate([self.J, damping**0.5 * tombac.diag(scale)]))
        right = tombac.concatenate([-self.f, tombac.zeros(n)])
        return tombac.linalg.solve(r, q.T @ right)


def curve_fit(f, xdata, ydata, p0=None, sigma=None, absolute_sigma=False, check_finite=True, method="lm", jac=None,
              **kwargs):
    """The parameters of a function with which it is nearest to points, by the sum of squares.

    Args:
        f: A function of ``xdata`` and of the parameters, numbers of the device, that gives an array of ``ydata``'s
            shape.
        xdata: What is given to ``f``: anything.
        ydata: The values: a real array.
        p0: Where to begin: a vector or sequence; ones if None, as many as ``f`` has parameters.
        sigma: The standard deviations of the values: an array of their shape; or their covariances, a matrix.
        absolute_sigma: Whether ``sigma`` is meant as it is, rather than up to a factor.
        check_finite: Whether NaN and infinities are refused.
        method: 'lm': Levenberg's and Marquardt's, without bounds.
        jac: The derivatives by the parameters, of which it is a function as ``f`` is: of shape (values, parameters);
            differences if None.
        kwargs: Further arguments of least_squares.

    Returns:
        A tuple of arrays (popt, pcov): the parameters, and their covariances, infinite where they are not determined.

    Raises:
        ValueError: Values are not finite, or less than parameters, or the shapes do not fit.
        RuntimeError: No least sum was found.

    >>> x = tombac.arange(5.0)
    >>> tombacx.scipy.optimize.curve_fit(lambda x, a, b: a * x + b, x, 2 * x + 1)[0].round(6)
    array([2., 1.])
    """
    if p0 is None:
        known = inspect.signature(f).parameters.values()
        if any(p.kind == p.VAR_POSITIONAL for p in known) or len(known) < 2:
            raise ValueError("curve_fit: the number of parameters is not known; p0 says it")
        p0 = np.ones(len(known) - 1)
    ydata = tombac.asarray(ydata, "d")
    if ydata.size == 0:
        raise ValueError("curve_fit: ydata has no elements")
    if check_finite and not tombac.isfinite(ydata).all():
        raise ValueError("curve_fit: ydata must be finite")
    whitened = _whitening(sigma, ydata)

    def residuals(p):
        return whitened((f(xdata, *p) - ydata).ravel())

    def jacobian(p):
        return whitened(tombac.asarray(jac(xdata, *p), "d").reshape(ydata.size, p.size))

    if callable(jac):
        kwargs["jac"] = jacobian
    elif jac is not None:
        kwargs["jac"] = jac
    found = least_squares(residuals, p0, method=method, **{"ftol": 1e-13, "xtol": 1e-12, "gtol": 1e-12, **kwargs})
    if not found.success:
        raise RuntimeError(f"curve_fit: no least sum was found: {found.message}")
    return found.x, _covariances(found, ydata.size, absolute_sigma)


def _whitening(sigma, ydata):
    """What makes residuals of one deviation and of none in common: a function of a vector or of columns."""
    if sigma is None:
        return lambda r: r
    sigma = tombac.asarray(sigma, "d")
    if sigma.shape == ydata.shape or sigma.size == 1:
        sigma = tombac.broadcast_to(sigma, ydata.shape).ravel()
        return lambda r: r / (sigma if r.ndim == 1 else sigma[:, None])
    if sigma.shape != (ydata.size, ydata.size):
        raise ValueError(f"curve_fit: sigma of shape {sigma.shape} does not fit values of shape {ydata.shape}")
    lower = tombac.linalg.cholesky(sigma)
    return lambda r: tombac.linalg.solve(lower, r)


def _covariances(found, n, absolute):
    _, s, vt = tombac.linalg.svd(found.jac, full_matrices=False)
    known = s > np.finfo("d").eps * max(found.jac.shape) * s[0]
    if not known.all() or (not absolute and n <= found.x.size):
        warnings.warn("curve_fit: the covariances of the parameters could not be estimated", RuntimeWarning,
                      stacklevel=3)
        return tombac.full((found.x.size, found.x.size), np.inf)
    covariances = (vt.T / (s * s)) @ vt
    return covariances if absolute else covariances * (2 * found.cost / (n - found.x.size))
