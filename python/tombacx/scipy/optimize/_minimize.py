"""Least values of functions of a vector, by quasi-Newton methods: BFGS, and L-BFGS, which keeps a few vectors alone.

Nocedal and Wright, Numerical Optimization, 2006: algorithms 6.1, 7.4 and 7.5, and the line search 3.5 and 3.6 for the
strong conditions of Wolfe.
"""

import collections

import tombac
from tombac._numpy import np
from tombacx.scipy.optimize._result import OptimizeResult, differences, point

__all__ = ["minimize"]

_MESSAGES = {
    0: "The gradient, or what the value changes by, is small enough.", 1: "The greatest number of steps is reached.",
    2: "No point along the line is lower, by the numbers' precision.",
    99: "The callback asked to stop.",
}
_DECREASE, _CURVATURE = 1e-4, 0.9


def minimize(fun, x0, args=(), method="BFGS", jac=None, tol=None, callback=None, options=None):
    """A point at which a function is least nearby.

    Args:
        fun: A function of a vector that gives a number of the device; with ``jac=True`` also the gradient.
        x0: Where to begin: a real vector, or a number.
        args: Further arguments of ``fun`` and ``jac``: a tuple.
        method: 'BFGS' or 'L-BFGS-B', which takes no bounds here.
        jac: The gradient: a function of a vector; True where ``fun`` gives it; None, '2-point' or '3-point' for
            differences.
        tol: How great an element of the gradient may be at the end; ``gtol`` if None.
        callback: A function of the point after each step; it stops what it raises StopIteration in.
        options: A dict of ``gtol`` (1e-5), ``ftol`` (for 'L-BFGS-B': by which part the value may change at the end;
            2.2e-9), ``maxiter`` (200 times the number of variables, or 15000) and ``maxcor`` (10: how many steps
            'L-BFGS-B' remembers).

    Returns:
        An OptimizeResult with ``x``, an array; ``fun``, a float; ``jac``, the gradient; ``nit``, ``nfev`` and ``njev``;
        ``status``, ``message`` and ``success``. Of 'BFGS' also ``hess_inv``.

    Raises:
        ValueError: There is no such method or option, or ``x0`` is no real vector.

    The other methods of SciPy are not there, nor bounds and constraints.

    >>> f = lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
    >>> tombacx.scipy.optimize.minimize(f, tombac.array([-1.0, 1.0]), jac="3-point").x.round(4)
    array([1., 1.])
    """
    if method not in ("BFGS", "L-BFGS-B"):
        raise ValueError(f"minimize: method must be 'BFGS' or 'L-BFGS-B', not {method!r}")
    if not (callable(jac) or jac in (None, True, False, "2-point", "3-point")):
        raise ValueError(f"minimize: jac must be a function, True, None, '2-point' or '3-point', not {jac!r}")
    x = point("minimize", x0)
    limited = method == "L-BFGS-B"
    known = {"gtol": 1e-5, "ftol": 2.2e-9 if limited else 0.0, "maxiter": 15000 if limited else 200 * x.size,
             "maxcor": 10, **({} if tol is None else {"gtol": tol})}
    unknown = set(options or {}) - set(known)
    if unknown:
        raise ValueError(f"minimize: no option is called {sorted(unknown)[0]!r}")
    known.update(options or {})
    objective = _Objective(fun, jac, args)
    model = _Remembered(known["maxcor"]) if limited else _Inverse(x.size)
    return _descended(objective, model, x, known, callback)


class _Objective:
    """A function and its gradient, which are counted."""

    def __init__(self, fun, jac, args):
        self._fun, self._jac, self._args = fun, jac, args
        self.nfev = self.njev = 0

    def _value(self, x):
        self.nfev += 1
        return tombac.asarray(self._fun(x, *self._args), "d").reshape(())

    def __call__(self, x):
        """The value, a float, and the gradient."""
        self.njev += 1
        if self._jac is True:
            self.nfev += 1
            value, gradient = self._fun(x, *self._args)
            value = tombac.asarray(value, "d")
        elif callable(self._jac):
            value, gradient = self._value(x), self._jac(x, *self._args)
        else:
            value = self._value(x)
            gradient = differences(self._value, x, value, self._jac == "3-point")
        return float(value.item()), tombac.asarray(gradient, "d").reshape(x.shape)


class _Inverse:
    """The inverse of the second derivatives, as BFGS has it."""

    def __init__(self, n):
        self.matrix, self._known = tombac.eye(n), False

    def direction(self, gradient):
        return -(self.matrix @ gradient)

    def learn(self, step, change):
        product = float((step @ change).item())
        if product <= 1e-10 * float((step @ step).item()):
            return
        if not self._known:
            self.matrix = self.matrix * (product / (change @ change))
            self._known = True
        left = tombac.eye(step.size) - tombac.outer(step, change) / product
        self.matrix = left @ self.matrix @ left.T + tombac.outer(step, step) / product


class _Remembered:
    """What the last steps say of it."""

    def __init__(self, most):
        self._pairs = collections.deque(maxlen=most)

    def direction(self, gradient):
        q, parts = -gradient, []
        for step, change, product in reversed(self._pairs):
            parts.append((step @ q) / product)
            q = q - parts[-1] * change
        if self._pairs:
            _, change, product = self._pairs[-1]
            q = q * (product / (change @ change))
        for (step, change, product), part in zip(self._pairs, reversed(parts), strict=True):
            q = q + step * (part - (change @ q) / product)
        return q

    def learn(self, step, change):
        product = float((step @ change).item())
        if product > 2.2e-16 * float((change @ change).item()):
            self._pairs.append((step, change, product))


def _descended(objective, model, x, options, callback):
    value, gradient = objective(x)
    status, count, first = 1, 0, True
    while True:
        steepest = float(abs(gradient).max().item()) if x.size else 0.0
        if steepest <= options["gtol"]:
            status = 0
        if status != 1 or count >= options["maxiter"]:
            break
        direction = model.direction(gradient)
        slope = float((gradient @ direction).item())
        if not slope < 0:  # what was learned is of no use here
            direction, slope = -gradient, -float((gradient @ gradient).item())
        found = _along(objective, x, direction, value, slope, min(1.0, 1 / max(steepest, 1e-300)) if first else 1.0)
        if found is None:
            status = 2
            break
        length, new_value, new_gradient = found
        step = length * direction
        model.learn(step, new_gradient - gradient)
        if value - new_value <= options["ftol"] * max(abs(value), abs(new_value), 1) and options["ftol"]:
            status = 0
        x, value, gradient, first, count = x + step, new_value, new_gradient, False, count + 1
        if callback is not None:
            try:
                callback(x)
            except StopIteration:
                status = 99
    more = {"hess_inv": model.matrix} if isinstance(model, _Inverse) else {}
    return OptimizeResult(x=x, fun=value, jac=gradient, nit=count, nfev=objective.nfev, njev=objective.njev,
                          status=status, message=_MESSAGES[status], success=status == 0, **more)


def _along(objective, x, direction, value, slope, first):
    """A length, the value and the gradient there, for which the strong conditions of Wolfe hold, or None."""

    def at(length):
        v, g = objective(x + length * direction)
        return length, v, g, float((g @ direction).item())

    before, now = (0.0, value, None, slope), at(first)
    for trial in range(30):
        length, v, g, s = now
        if not np.isfinite(v):
            now = at((before[0] + length) / 2)
            continue
        if v > value + _DECREASE * length * slope or (trial and v >= before[1]):
            return _between(at, before, now, value, slope)
        if abs(s) <= -_CURVATURE * slope:
            return length, v, g
        if s >= 0:
            return _between(at, now, before, value, slope)
        before, now = now, at(2 * length)
    return None


def _between(at, low, high, value, slope):
    """Of an interval that holds such a length; ``low`` is its end of the less value."""
    for _ in range(40):
        width = high[0] - low[0]
        curve = high[1] - low[1] - low[3] * width  # the least of the parabola through both, unless that is at an end
        part = -low[3] * width / (2 * curve) if curve > 0 else 0.5
        now = at(low[0] + width * (part if 0.1 <= part <= 0.9 else 0.5))
        length, v, g, s = now
        if not v <= value + _DECREASE * length * slope or v >= low[1]:
            high = now
        else:
            if abs(s) <= -_CURVATURE * slope:
                return length, v, g
            if s * width >= 0:
                high = low
            low = now
        if abs(width) <= 1e-14 * max(abs(low[0]), 1e-300):
            break
    return low[:3] if low[2] is not None and low[1] < value else None
