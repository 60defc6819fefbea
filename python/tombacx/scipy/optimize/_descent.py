"""Descent along lines: quasi-Newton methods, conjugate gradients and truncated Newton.

Nocedal and Wright, Numerical Optimization, 2006: algorithms 5.4 with the choice of Polak and Ribiere, 6.1, 7.1, 7.4 and
7.5, and the line search 3.5 and 3.6 for the strong conditions of Wolfe. The host waits once for each direction and once
for each point that is tried.
"""

import collections
import math

import tombac
from tombac import _core
from tombacx.scipy.optimize._result import OptimizeResult

__all__ = ["Conjugate", "Inverse", "Remembered", "Truncated", "along", "descended", "finished", "numbers",
           "steepness", "told"]

_MESSAGES = {
    0: "The gradient, or what the value or the point changes by, is small enough.",
    1: "The greatest number of steps is reached.", 2: "No point along the line is lower, by the numbers' precision.",
    3: "The value or the gradient is not a number.", 99: "The callback asked to stop.",
}
_NEAREST, _FARTHEST = 1.1, 4.0  # how far behind a point that is too near the next is tried, in steps before it
_DECREASE = 1e-4


def numbers(*values):
    """Numbers of the device on the host, all by one wait."""
    if _core.backend() == "cpu":  # there is nothing to wait for
        return [float(v) for v in values]
    return tombac.stack([tombac.asarray(v, "d").reshape(()) for v in values]).tolist()


def steepness(gradient):
    """The greatest element of a gradient."""
    return abs(gradient).max() if gradient.size else tombac.zeros(())


class Inverse:
    """The inverse of the second derivatives, as BFGS has it."""

    curvature, scaled = 0.9, True

    def __init__(self, n):
        self.matrix, self._known = tombac.eye(n), False

    def direction(self, x, gradient):
        return -(self.matrix @ gradient)

    def learn(self, step, change, product, step_square):
        if product <= 1e-10 * step_square:
            return
        if not self._known:
            self.matrix = self.matrix * (product / (change @ change))
            self._known = True
        bent = self.matrix @ change
        across = tombac.outer(bent, step)
        self.matrix = self.matrix + ((1 + (change @ bent) / product) * tombac.outer(step, step) - across
                                     - across.T) / product

    def forget(self):
        self.matrix, self._known = tombac.eye(self.matrix.shape[0]), False


class Remembered:
    """What the last steps say of it, as L-BFGS has it."""

    curvature, scaled = 0.9, True

    def __init__(self, most):
        self._pairs = collections.deque(maxlen=most)

    def direction(self, x, gradient):
        q, parts = -gradient, []
        for _, change, part_of, _ in reversed(self._pairs):
            parts.append(part_of @ q)
            q = q - parts[-1] * change
        if self._pairs:
            q = q * self._length
        for step, _, _, part_of in self._pairs:
            q = q + step * (parts.pop() - part_of @ q)
        return q

    def learn(self, step, change, product, step_square):
        if product > 2.2e-16 * step_square:
            self._pairs.append((step, change, step / product, change / product))
            self._length = product / (change @ change)

    def forget(self):
        self._pairs.clear()


class Conjugate:
    """The last direction and gradient."""

    curvature, scaled = 0.4, False

    def __init__(self):
        self._direction = self._gradient = None

    def direction(self, x, gradient):
        part = 0.0
        if self._gradient is not None:
            old = self._gradient @ self._gradient
            part = tombac.where(old > 0, tombac.maximum((gradient - self._gradient) @ gradient / old, 0), 0.0)
        self._direction = -gradient + part * self._direction if self._direction is not None else -gradient
        self._gradient = gradient
        return self._direction

    def learn(self, step, change, product, step_square):
        pass

    def forget(self):
        self._direction = self._gradient = None


class Truncated:
    """Newton's direction by conjugate gradients, which end at the first direction without curvature."""

    curvature, scaled = 0.9, True

    def __init__(self, objective, hess, hessp, args):
        self._objective, self._hess, self._hessp, self._args = objective, hess, hessp, args

    def _products(self, x, gradient):
        if callable(self._hessp):
            return lambda v: tombac.asarray(self._hessp(x, v, *self._args), "d").reshape(x.shape)
        if callable(self._hess):
            matrix = tombac.asarray(self._hess(x, *self._args), "d").reshape(x.size, x.size)
            return lambda v: matrix @ v

        def product(v):
            size = tombac.sqrt(v @ v)
            step = 1.5e-8 * (1 + tombac.sqrt(x @ x)) / tombac.where(size > 0, size, 1.0)
            return (self._objective.gradient(x + step * v) - gradient) / step

        return product

    def direction(self, x, gradient):
        product = self._products(x, gradient)
        z, r = tombac.zeros(x.shape), gradient
        d = -r
        (square,) = numbers(r @ r)
        enough = min(0.25, square**0.5) * square  # of squares: superlinear convergence
        for count in range(20 * x.size):
            applied = product(d)
            bent, size = numbers(d @ applied, d @ d)
            if not bent > 3 * 2.2e-16 * size:
                return z if count else -gradient
            length = square / bent
            z, r = z + length * d, r + length * applied
            (new,) = numbers(r @ r)
            if not new > enough:
                break
            d, square = -r + (new / square) * d, new
        return z

    def learn(self, step, change, product, step_square):
        pass

    def forget(self):
        pass


def finished(x, value, gradient, count, objective, status, **more):
    return OptimizeResult(x=x, fun=value, jac=gradient, nit=count, nfev=objective.nfev, njev=objective.njev,
                          status=status, message=_MESSAGES[status], success=status == 0, **more)


def told(callback, x, value):
    """Whether the callback asks to stop."""
    if callback is not None:
        try:
            callback(OptimizeResult(x=x, fun=value))
        except StopIteration:
            return True
    return False


def _measures(gradient, direction, options):
    """Slope and square of a direction; and the sum of its elements' sizes, where the point's change is looked at."""
    both = gradient @ direction, direction @ direction
    return both if options["xtol"] is None else (*both, abs(direction).sum())


def descended(objective, model, x, options, callback):
    """The least value that steps along a model's directions come to."""
    value, gradient = objective(x)
    value, steepest = numbers(value, steepness(gradient))
    status, count, before, fresh = 1, 0, None, True
    while True:
        if not math.isfinite(value) or math.isnan(steepest):
            status = 3
        elif steepest <= (options["gtol"] or 0.0):
            status = 0
        if status != 1 or count >= options["maxiter"] or objective.nfev >= (options["maxfun"] or math.inf):
            break
        direction = model.direction(x, gradient)
        slope, square, *length = numbers(*_measures(gradient, direction, options))
        if not slope < 0:  # what was learned is of no use here
            model.forget()
            direction, fresh = -gradient, True
            slope, square, *length = numbers(*_measures(gradient, direction, options))
        first = min(1.0, 1 / max(steepest, 1e-300)) if fresh else 1.0
        if isinstance(model, Truncated):
            first = 1.0
        if not model.scaled and before is not None:
            first = min(1.0, 2.02 * (value - before) / slope) if value < before else 1.0
        found = along(objective, x, direction, value, gradient, slope, first, model.curvature)
        if found is None and not fresh:  # once more along the gradient
            model.forget()
            fresh, before = True, None
            continue
        if found is None:
            status = 2
            break
        part, new_value, new_gradient, new_slope, steepest = found
        step = part * direction
        model.learn(step, new_gradient - gradient, part * (new_slope - slope), part * part * square)
        if options["ftol"] and value - new_value <= options["ftol"] * max(abs(value), abs(new_value), 1):
            status = 0
        if length and part * length[0] <= x.size * options["xtol"]:
            status = 0
        x, before, value, gradient, fresh, count = x + step, value, new_value, new_gradient, False, count + 1
        if told(callback, x, value):
            status = 99
    more = {"hess_inv": model.matrix} if isinstance(model, Inverse) else {}
    return finished(x, value, gradient, count, objective, status, **more)


def along(objective, x, direction, value, gradient, slope, first, curvature=0.9, most=math.inf, keep=None):
    """A length for which the strong conditions of Wolfe hold, or None; at a length of ``most`` the first is enough.

    Returns:
        (length, value, gradient, slope, steepness) there. ``keep`` puts points back within bounds.
    """

    def at(length):
        v, g = objective(x + length * direction if keep is None else keep(x + length * direction))
        v, s, steepest = numbers(v, g @ direction, steepness(g))
        return length, v, g, s, steepest

    before, now = (0.0, value, gradient, slope, None), at(min(first, most))
    for trial in range(40):
        length, v, g, s, _ = now
        if not math.isfinite(v) or math.isnan(s):
            now = at((before[0] + length) / 2)
            continue
        if v > value + _DECREASE * length * slope or (trial and v >= before[1]):
            return _between(at, before, now, value, slope, curvature)
        if abs(s) <= -curvature * slope or (s < 0 and length >= most):
            return now
        if s >= 0:
            return _between(at, now, before, value, slope, curvature)
        before, now = now, at(min(_beyond(before, now), most))
    return None


def _beyond(before, now):
    """Where the cubic through two points is least behind the second, as far as it is to be trusted there."""
    width = now[0] - before[0]
    part = _least(now[1] - before[1], before[3] * width, now[3] * width)
    return now[0] + width * (min(max(part - 1, _NEAREST), _FARTHEST) if part > 1 else _FARTHEST)


def _least(rise, start, end):
    """Where between 0 and 1 the cubic is least that rises so much and has these slopes at 0 and 1; at an end: NaN."""
    bend = start + end - 3 * rise
    root = bend * bend - start * end
    if not (math.isfinite(root) and root >= 0):
        return math.nan
    divisor = end - start + 2 * math.sqrt(root)
    return 1 - (end + math.sqrt(root) - bend) / divisor if divisor else math.nan


def _between(at, low, high, value, slope, curvature):
    """Of an interval that holds such a length; ``low`` is its end of the less value."""
    for _ in range(40):
        width = high[0] - low[0]
        part = _least(high[1] - low[1], low[3] * width, high[3] * width)
        now = at(low[0] + width * (part if 0.1 <= part <= 0.9 else 0.5))
        length, v, _, s, _ = now
        if not v <= value + _DECREASE * length * slope or v >= low[1]:
            high = now
        else:
            if abs(s) <= -curvature * slope:
                return now
            if s * width >= 0:
                high = low
            low = now
        if abs(width) <= 1e-14 * max(abs(low[0]), 1e-300):
            break
    return low if low[4] is not None and low[1] < value else None
