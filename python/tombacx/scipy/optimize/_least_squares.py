"""Nonlinear least squares within bounds, and curves.

The trust region is that of Branch, Coleman and Li, A subspace, interior, and conjugate gradient method for large-scale
bound-constrained minimization problems, SIAM J. Sci. Comput. 21, 1999; without bounds it is Levenberg's and Marquardt's
method as of More, Numerical Analysis, Lecture Notes in Mathematics 630, 1978. Losses that outliers have less weight in
scale residuals and Jacobian as of Triggs, McLauchlan, Hartley and Fitzgibbon, Bundle adjustment, 1999.

Residuals and Jacobians are on the device, where an orthogonal decomposition makes of both a triangle of as many rows as
there are variables. It is all that the host needs to choose steps, and a copy for each Jacobian.
"""

import functools
import inspect
import math
import operator
import warnings

import tombac
from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import device, host, host_view, scipy_function, scipy_module
from tombacx.scipy.optimize._losses import loss_of
from tombacx.scipy.optimize._result import OptimizeResult, by_complex_steps, limits, point
from tombacx.scipy.optimize._trust_region import Region

__all__ = ["curve_fit", "least_squares"]

_MESSAGES = {
    -2: "The callback asked to stop.", 0: "The greatest number of evaluations is reached.",
    1: "The gradient is as small as gtol.", 2: "The sum of squares changed by less than ftol.",
    3: "The point changed by less than xtol.", 4: "Sum and point changed by less than ftol and xtol.",
}
_EPS = 2.0**-52


def least_squares(fun, x0, jac="2-point", bounds=(-np.inf, np.inf), method="trf", ftol=1e-8, xtol=1e-8, gtol=1e-8,
                  x_scale=None, loss="linear", f_scale=1.0, diff_step=None, tr_solver=None, tr_options=None,
                  jac_sparsity=None, max_nfev=None, verbose=0, args=(), kwargs=None, callback=None, workers=None):
    """The point at which the sum of squares of a function's elements is least, found from another nearby.

    Args:
        fun: A function of a vector that gives a vector of residuals: arrays of the device.
        x0: Where to begin: a real vector, or a number, within the bounds.
        jac: The Jacobian: a function of a vector that gives an array of shape (residuals, variables); '2-point' or
            '3-point' for differences; 'cs' for steps along the imaginary axis, of a ``fun`` that takes complex vectors.
        bounds: The least and the greatest that variables may be: two numbers or vectors, or a Bounds.
        method: 'trf', or 'lm', which takes no bounds and no other loss, and no fewer residuals than variables; or, by
            SciPy with its points on the host, 'dogbox'.
        ftol: By which part the sum may change at the end; not looked at if None.
        xtol: By which part the point may change at the end; not looked at if None.
        gtol: How great an element of the gradient may be at the end; not looked at if None.
        x_scale: How great variables are: numbers that are positive, or 'jac' for what the Jacobian says; 1 for 'trf'
            and 'jac' for 'lm' if None.
        loss: What is summed of the squares z: 'linear', z itself; 'soft_l1', 'huber', 'cauchy' or 'arctan'; or a
            function of an array that gives its values and first and second derivatives, stacked.
        f_scale: By what residuals are divided before, where the loss is not 'linear'.
        diff_step: How long the steps of differences are, by the sizes of variables: a number or a vector.
        tr_solver: Taken and without effect.
        tr_options: Taken and without effect.
        jac_sparsity: Taken and without effect.
        max_nfev: How often ``fun`` may be called, but for differences; 100 times the number of variables if None.
        verbose: Taken and without effect.
        args: Further arguments of ``fun`` and ``jac``: a tuple.
        kwargs: Further arguments by name: a dict.
        callback: A function of an OptimizeResult with ``x``, ``fun``, ``cost``, ``nit`` and ``nfev`` after each step;
            it stops what it raises StopIteration in.
        workers: Taken and without effect.

    Returns:
        An OptimizeResult with ``x``; ``cost``, half of the sum, a float; ``fun`` and ``grad`` there; ``jac``, whose
        square is nearly the second derivatives of ``cost``, the Jacobian itself where the loss is 'linear'; the
        ``optimality``; ``active_mask``, -1 and 1 at bounds; ``nfev`` and ``njev``; ``status``, ``message`` and
        ``success``.

    Raises:
        ImportError: SciPy is not installed, for 'dogbox'.
        ValueError: Residuals are not finite at ``x0``, or that is out of bounds, or an argument is not known.

    >>> f = lambda x: tombac.stack([x[0] - 1, 10 * (x[1] - x[0] ** 2)])
    >>> tombacx.scipy.optimize.least_squares(f, tombac.array([-1.0, 2.0])).x.round(5)
    array([1., 1.])
    """
    if method not in ("trf", "lm", "dogbox"):
        raise ValueError(f"least_squares: method must be 'trf', 'lm' or 'dogbox', not {method!r}")
    if not callable(jac) and jac not in ("2-point", "3-point", "cs"):
        raise ValueError(f"least_squares: jac must be a function, '2-point', '3-point' or 'cs', not {jac!r}")
    x, kwargs = point("least_squares", x0).get(), kwargs or {}
    low, high = _limits("least_squares", bounds, x.size)
    if method == "dogbox":
        return _by_scipy(
            fun, x, jac, args, kwargs, callback, bounds=bounds if low is None else (low, high), method=method,
            ftol=ftol, xtol=xtol, gtol=gtol, x_scale=1.0 if x_scale is None else x_scale, loss=loss, f_scale=f_scale,
            diff_step=diff_step, tr_solver=tr_solver, tr_options=tr_options or {}, jac_sparsity=jac_sparsity,
            max_nfev=max_nfev, verbose=verbose)
    bounded, weigh = low is not None, loss_of(loss, f_scale)
    if method == "lm" and (bounded or weigh is not None):
        raise ValueError(f"least_squares: 'lm' takes no {'bounds' if bounded else 'loss'}")
    if bounded and ((x < low) | (x > high)).any():
        raise ValueError("least_squares: x0 is out of bounds")

    def residuals(x, dtype="d"):
        return tombac.atleast_1d(tombac.asarray(fun(x, *args, **kwargs), dtype))

    def jacobian(x, f):
        if isinstance(jac, str) and jac == "cs":
            return by_complex_steps(functools.partial(residuals, dtype="D"), tombac.array(x))
        if callable(jac):
            return tombac.asarray(jac(tombac.array(x), *args, **kwargs), "d").reshape(f.size, x.size)
        return _differences(residuals, x, f, jac == "3-point", low, high, diff_step)

    x = _inside(x, low, high, 1e-10) if bounded else x
    f = residuals(tombac.array(x))
    if f.ndim != 1 or (method == "lm" and f.size < x.size):
        raise ValueError(f"least_squares: a vector of at least {x.size} residuals is expected, not of shape {f.shape}")
    if not tombac.isfinite(f).all():
        raise ValueError("least_squares: residuals are not finite at x0")
    scale = ("jac" if method == "lm" else 1.0) if x_scale is None else x_scale
    search = _Search(residuals, jacobian, weigh, x, f, low, high, scale)
    search.far = 100.0 if method == "lm" else 1.0  # More's factor
    return search.run([0.0 if tol is None else tol for tol in (ftol, xtol, gtol)], max_nfev or 100 * max(x.size, 1),
                      callback)


def _by_scipy(fun, x, jac, args, kwargs, callback, loss, **options):
    """By SciPy on the host, whose functions compute on the device."""
    def on_host(f, args=()):
        return _core.HostValues(functools.partial(f, **kwargs) if f is not loss and kwargs else f, args)

    if callback is not None:
        options["callback"] = lambda intermediate_result: callback(_found_by_scipy(intermediate_result))
    found = scipy_function("scipy.optimize", "least_squares")(
        on_host(fun, args), x, on_host(jac, args) if callable(jac) else jac,
        loss=on_host(loss) if callable(loss) else loss, **{key: host(value) for key, value in options.items()})
    return _found_by_scipy(found)


def _found_by_scipy(found):
    result = OptimizeResult({key: device(value) for key, value in found.items()})
    result.cost = float(found.cost)
    return result


def _limits(name, bounds, n):
    """The bounds on the host, (None, None) without any; of one variable if it is not known how many there are."""
    low, high = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else bounds
    if type(low) is type(high) is float and low == -high == -np.inf:
        return None, None
    if n is None:
        n = max(tombac.asarray(v).size for v in (low, high))
    low, high = limits(name, low, high, n)
    return (None, None) if low is None else (low.get(), high.get())


def _inside(x, low, high, part):
    """A point that is not on bounds: by a part of the numbers' sizes or of the way between the bounds."""
    apart = part * np.maximum(1, np.abs(np.where(np.isfinite(low), low, 0)))
    x = np.where(x <= low + apart, np.where(np.isfinite(low), low + apart, x), x)
    apart = part * np.maximum(1, np.abs(np.where(np.isfinite(high), high, 0)))
    x = np.where(x >= high - apart, np.where(np.isfinite(high), high - apart, x), x)
    tight = (x < low) | (x > high)
    x[tight] = low[tight] / 2 + high[tight] / 2
    return x


def _differences(f, x, at_x, central, low, high, relative):
    """The Jacobian by differences that stay within bounds: as many calls as variables, or twice as many."""
    least, columns = _EPS ** (1 / 3 if central else 1 / 2), []
    if relative is None:
        h = least * np.maximum(1, np.abs(x))
    else:
        h = np.broadcast_to(np.asarray(_core._on_host(relative), "d"), x.shape) * np.abs(x)
        h = np.where(h == 0, least, h)
    h[x < 0] *= -1
    for i in range(x.size):
        below, above = (np.inf, np.inf) if low is None else (x[i] - low[i], high[i] - x[i])
        two_sided = central and abs(h[i]) <= min(below, above)
        reach = 2 if central and not two_sided else 1
        if not two_sided and not -below <= reach * h[i] <= above:
            side = above if above >= below else -below
            h[i] = np.copysign(min(abs(h[i]), abs(side) / reach), side)

        def at(k, i=i):
            moved = x.copy()
            moved[i] += k * h[i]
            return f(tombac.array(moved)), moved[i] - x[i]

        f1, step = at(1)
        if two_sided:
            f2, back = at(-1)
            columns.append((f1 - f2) / (step - back))
        elif central:
            columns.append((4 * f1 - 3 * at_x - at(2)[0]) / (2 * step))
        else:
            columns.append((f1 - at_x) / step)
    return tombac.stack(columns, axis=-1) if columns else tombac.zeros((at_x.size, 0))


def _size(v):
    return float(np.linalg.norm(v))


class _Search:
    """The point, on the host; residuals and Jacobian there, on the device; and what is known of them on the host."""

    def __init__(self, residuals, jacobian, weigh, x, f, low, high, scale):
        self._residuals, self._jacobian, self._weigh = residuals, jacobian, weigh
        self._low, self._high = low, high
        self._by_jacobian = isinstance(scale, str)
        if self._by_jacobian and scale != "jac":
            raise ValueError(f"least_squares: x_scale must be 'jac' or positive numbers, not {scale!r}")
        scale = np.zeros(x.size) if self._by_jacobian else np.asarray(
            _core._on_host(scale), "d")
        if not self._by_jacobian and (not (scale > 0).all() or scale.shape not in ((), x.shape)):
            raise ValueError("least_squares: x_scale must be 'jac' or positive numbers, one for each variable")
        self._lengths = scale if self._by_jacobian else 1 / np.broadcast_to(scale, x.shape)
        self.x, self.f, self.nfev, self.njev = x, f, 1, 0
        self.cost = self._half(f)
        self._look()

    def _half(self, f):
        return (f * f).sum().item() / 2 if self._weigh is None else float(self._weigh(f)[0].item())

    def _look(self):
        """The Jacobian, by the loss's weights, of which the host gets a triangle."""
        self.J, f = self._jacobian(self.x, self.f), self.f
        self.njev += 1
        if self._weigh is not None:
            _, of_j, of_f = self._weigh(f)
            self.J, f = self.J * of_j[:, None], f * of_f
        n = self.x.size
        triangle = tombac.linalg.qr(tombac.concatenate([self.J, f[:, None]], axis=1), mode="r").get()
        self.R, self.projected = triangle[:, :n], triangle[:, n]
        self.gradient = self.R.T @ self.projected
        if self._by_jacobian:
            lengths = np.sqrt((self.R * self.R).sum(axis=0))
            lengths[(lengths == 0) & (self._lengths == 0)] = 1.0
            self._lengths = np.maximum(self._lengths, lengths)

    def run(self, tolerances, most, callback):
        ftol, xtol, gtol = tolerances
        region, status, steps, known = None, 0, 0, None
        while True:
            if known is not self.R:
                here = Region(self.x, self.gradient, self.R, self.projected, 1 / self._lengths, self._low, self._high)
                known = self.R
            if region is None:
                region = self.far * here.first_radius(self._lengths)
            if here.optimality <= gtol:
                status = 1
            if status or self.nfev >= most:
                break
            status, region = self._step(here, region, ftol, xtol, most)
            steps += 1
            if callback is not None and self._told(callback, steps):
                status = -2
        result = OptimizeResult(
            x=tombac.array(self.x), cost=self.cost, fun=self.f, jac=self.J, grad=tombac.array(self.gradient),
            optimality=here.optimality, active_mask=tombac.array(self._active(xtol)), nfev=self.nfev,
            njev=self.njev, status=status, message=_MESSAGES[status], success=status > 0)
        object.__setattr__(result, "_triangle", self.R)  # no item: for curve_fit's covariances
        return result

    def _active(self, tolerance):
        """-1 and 1 where variables are on their lower and upper bounds, but for a part of these."""
        if self._low is None:
            return np.zeros(self.x.size, int)
        below, above = self.x - self._low, self._high - self.x
        on_low = below <= np.minimum(above, tolerance * np.maximum(1, np.abs(self._low)))
        on_high = above <= np.minimum(below, tolerance * np.maximum(1, np.abs(self._high)))
        return np.where(on_low & np.isfinite(self._low), -1, np.where(on_high & np.isfinite(self._high), 1, 0))

    def _step(self, here, radius, ftol, xtol, most):
        """Tries steps until one leads down; what is said of the end (0: nothing), and the next radius."""
        while self.nfev < most:
            step, scaled, expected = here.step(radius)
            new = here.within(self.x + step)
            f = self._residuals(tombac.array(new))
            self.nfev += 1
            cost, length = self._half(f), _size(scaled)
            if not math.isfinite(cost):
                radius = length / 4
                continue
            actual = self.cost - cost
            ratio = actual / expected if expected > 0 else 1.0 if actual == expected == 0 else 0.0
            new_radius = length / 4 if ratio < 0.25 else 2 * radius if ratio > 0.75 and length > 0.95 * radius \
                else radius
            least = ftol * self.cost
            small = actual <= least and (ratio > 0.25 or (0 < expected <= least and -actual <= least))
            short = _size(new - self.x) <= xtol * (xtol + _size(self.x))
            radius = new_radius
            if actual > 0:
                self.x, self.f, self.cost = new, f, cost
                self._look()
            if small or short or actual > 0:
                return 4 if small and short else 2 if small else 3 if short else 0, radius
        return 0, radius

    def _told(self, callback, steps):
        try:
            callback(OptimizeResult(x=tombac.array(self.x), fun=self.f, cost=self.cost, nit=steps, nfev=self.nfev))
        except StopIteration:
            return True
        return False


def curve_fit(f, xdata, ydata, p0=None, sigma=None, absolute_sigma=False, check_finite=None, bounds=(-np.inf, np.inf),
              method=None, jac=None, *, full_output=False, nan_policy=None, **kwargs):
    """The parameters of a function with which it is nearest to points, by the sum of squares.

    Args:
        f: A function of ``xdata`` and of the parameters, numbers of the device, that gives an array of ``ydata``'s
            shape.
        xdata: What is given to ``f``: anything; real numbers, also in a sequence, as an array of float64.
        ydata: The values: a real array.
        p0: Where to begin: a vector or sequence; if None ones, as many as ``f`` has parameters, or within the bounds.
        sigma: The standard deviations of the values: an array of their shape; or their covariances, a matrix.
        absolute_sigma: Whether ``sigma`` is meant as it is, rather than up to a factor.
        check_finite: Whether NaN and infinities are refused; if None, unless ``nan_policy`` says what NaN is.
        bounds: The least and the greatest that parameters may be: two numbers or vectors, or a Bounds.
        method: 'lm', without bounds, 'trf' or 'dogbox'; 'trf' if there are bounds and None is given.
        jac: The derivatives by the parameters, of which it is a function as ``f`` is: of shape (values, parameters);
            differences if None.
        full_output: Whether three more results are wanted.
        nan_policy: None or 'raise'; or 'omit': points with NaN in ``xdata`` or ``ydata`` do not count.
        kwargs: Further arguments of least_squares; without bounds also ``epsfcn``, ``factor`` and ``diag`` where
            MINPACK is at work, which is on the CPU.

    Returns:
        A tuple of arrays (popt, pcov): the parameters, and their covariances, infinite where they are not determined;
        with ``full_output`` also a dict of ``nfev`` and ``fvec``, the message and the status.

    Raises:
        ValueError: Numbers are not finite, or the shapes do not fit, or ``p0`` is out of bounds.
        TypeError: Without bounds there are fewer values than parameters.
        RuntimeError: No least sum was found.

    >>> x = tombac.arange(5.0)
    >>> tombacx.scipy.optimize.curve_fit(lambda x, a, b: a * x + b, x, 2 * x + 1)[0].round(6)
    array([2., 1.])
    """
    if nan_policy not in (None, "raise", "omit"):
        raise ValueError(f"curve_fit: nan_policy must be None, 'raise' or 'omit', not {nan_policy!r}")
    if p0 is None:
        known = inspect.signature(f).parameters.values()
        if any(p.kind == p.VAR_POSITIONAL for p in known) or len(known) < 2:
            raise ValueError("curve_fit: the number of parameters is not known; p0 says it")
        n = len(known) - 1
        low, high = _limits("curve_fit", bounds, n)
        p0 = np.ones(n) if low is None else _between(low, high)
    ydata = tombac.asarray(ydata, "d")
    if ydata.size == 0:
        raise ValueError("curve_fit: ydata has no elements")
    if isinstance(xdata, (list, tuple, tombac.ndarray, np.ndarray)) and tombac.asarray(xdata).dtype.kind in "biuf":
        xdata = tombac.asarray(xdata, "d")
    numbers = [v for v in (xdata, ydata) if isinstance(v, tombac.ndarray)]
    if (check_finite or (check_finite is None and nan_policy is None)) and not _all(map(tombac.isfinite, numbers)):
        raise ValueError("curve_fit: xdata and ydata must be finite")
    known = nan_policy is None or _all(~tombac.isnan(v) for v in numbers)
    if nan_policy == "raise" and not known:
        raise ValueError("curve_fit: xdata or ydata hold NaN")
    counted = None if known else _without_nan(xdata, ydata)
    whitened = _whitening(sigma, ydata, counted)

    def residuals(p):
        return whitened(_kept((f(xdata, *p) - ydata).ravel(), counted))

    def jacobian(p):
        return whitened(_kept(tombac.asarray(jac(xdata, *p), "d").reshape(ydata.size, p.size), counted))

    n = ydata.size if counted is None else int(counted.sum())
    unbounded = (method or "lm") == "lm" and _limits("curve_fit", bounds, None)[0] is None
    if unbounded and tombac.asarray(p0).size > n:
        raise TypeError(f"curve_fit: {tombac.asarray(p0).size} parameters are more than {n} values")
    if unbounded and (jac is None or callable(jac)) and _core.backend() == "cpu" and kwargs.keys() <= _OF_MINPACK:
        found, inverse = _by_minpack(residuals, p0, jacobian if callable(jac) else None, n, **kwargs)
    else:
        if jac is not None:
            kwargs["jac"] = jacobian if callable(jac) else jac
        if "maxfev" in kwargs:
            kwargs["max_nfev"] = kwargs.pop("maxfev")
        tolerances = {"ftol": 1e-13, "xtol": 1e-12, "gtol": 1e-12}
        found = least_squares(residuals, p0, bounds=bounds, method="lm" if unbounded else method or "trf",
                              **{**tolerances, **kwargs})
        inverse = _inverse(found)
    if not found.success:
        raise RuntimeError(f"curve_fit: no least sum was found: {found.message}")
    if inverse is None or not (absolute_sigma or n > found.x.size):
        warnings.warn("curve_fit: the covariances of the parameters could not be estimated", RuntimeWarning,
                      stacklevel=2)
        inverse = np.full((found.x.size, found.x.size), np.inf)
    elif not absolute_sigma:
        inverse = inverse * (2 * found.cost / (n - found.x.size))
    result = found.x, tombac.array(inverse)
    if full_output:
        result += {"nfev": found.nfev, "fvec": found.fun}, found.message, found.status
    return result


_OF_MINPACK = {"ftol", "xtol", "gtol", "maxfev", "max_nfev", "epsfcn", "factor", "diag"}


def _by_minpack(residuals, p0, jacobian, n, max_nfev=None, maxfev=0, diag=None, **kwargs):
    """Where the device is the host, MINPACK looks at the elements where they are: it takes less time for a step than
    the few calls from which :class:`_Search` makes one."""
    p0 = np.asarray(host(p0), "d").reshape(-1)
    x, inverse, more, message, status = scipy_module("scipy.optimize", "curve_fit").leastsq(
        lambda p: host_view(residuals(tombac.array(p))), p0,
        Dfun=jacobian and (lambda p: host_view(jacobian(tombac.array(p)))), full_output=True,
        maxfev=max_nfev or maxfev, diag=host(diag), **kwargs)
    f = more["fvec"]
    if inverse is not None and np.isnan(inverse).any():
        inverse = None
    return OptimizeResult(x=tombac.array(x), cost=np.dot(f, f) / 2, fun=tombac.array(f), nfev=more["nfev"],
                          message=message, status=status, success=status in (1, 2, 3, 4)), inverse


def _all(conditions):
    return bool(functools.reduce(operator.and_, (c.all() for c in conditions)))


def _without_nan(xdata, ydata):
    """Which values count: those of points without NaN, where xdata has one for each along its last axis."""
    counted = ~tombac.isnan(ydata)
    if isinstance(xdata, tombac.ndarray) and xdata.ndim and xdata.shape[-1:] == ydata.shape:
        counted &= ~tombac.isnan(xdata).reshape(-1, ydata.size).any(axis=0)
    return counted.ravel()


def _kept(rows, counted):
    return rows if counted is None else rows[counted]


def _between(low, high):
    """Where to begin within bounds."""
    x = np.ones(low.shape)
    below, above = np.isfinite(low), np.isfinite(high)
    x[below] = low[below] + 1
    x[above] = high[above] - 1
    both = below & above
    x[both] = (low[both] + high[both]) / 2
    return x


def _whitening(sigma, ydata, counted):
    """What makes residuals of one deviation and of none in common: a function of a vector or of columns."""
    if sigma is None:
        return lambda r: r
    sigma = tombac.asarray(sigma, "d")
    if sigma.shape == ydata.shape or sigma.size == 1:
        sigma = _kept(tombac.broadcast_to(sigma, ydata.shape).ravel(), counted)
        return lambda r: r / (sigma if r.ndim == 1 else sigma[:, None])
    if sigma.shape != (ydata.size, ydata.size):
        raise ValueError(f"curve_fit: sigma of shape {sigma.shape} does not fit values of shape {ydata.shape}")
    lower = tombac.linalg.cholesky(sigma if counted is None else sigma[counted][:, counted])
    return lambda r: tombac.linalg.solve(lower, r)


def _inverse(found):
    """Of the Jacobian's square; None where it has none."""
    triangle = found.__dict__.get("_triangle")
    if triangle is None:
        triangle = tombac.linalg.qr(found.jac, mode="r").get()
    _, s, vt = np.linalg.svd(triangle, full_matrices=False)
    known = s > np.finfo("d").eps * max(found.jac.shape) * s[0]
    return (vt.T / (s * s)) @ vt if known.all() else None
