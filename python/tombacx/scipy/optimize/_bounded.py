"""L-BFGS-B: least values within bounds, by the last steps alone.

Byrd, Lu, Nocedal and Zhu, A limited memory algorithm for bound constrained optimization, SIAM J. Sci. Comput. 16, 1995,
with the projection of Morales and Nocedal, ACM Trans. Math. Softw. 38, 2011. The model is a quadratic function whose
second derivatives are theta I - W M W^T; W has two columns for each step that is remembered.

Where the algorithm goes from one bound to the next along the projected gradient, all bounds are looked at together:
the model's slope and curvature beyond each of them are sums over the variables in the order in which these meet their
bounds.
"""

import collections
import math

import tombac
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy.optimize._descent import along, finished, numbers, steepness, told

__all__ = ["descended"]


def descended(objective, x, low, high, options, callback):
    """The least value within bounds: vectors, which may be infinite."""
    def keep(x):
        return tombac.clip(x, low, high)

    def gap(x, gradient):
        """How far the point is from one at which only bounds keep it from descending."""
        return steepness(keep(x - gradient) - x)

    x, model = keep(x), _Model(options["maxcor"], x.size)
    value, gradient = objective(x)
    value, rest = numbers(value, gap(x, gradient))
    status, count = 1, 0
    while True:
        if not math.isfinite(value) or math.isnan(rest):
            status = 3
        elif rest <= options["gtol"]:
            status = 0
        if status != 1 or count >= options["maxiter"] or objective.nfev >= (options["maxfun"] or math.inf):
            break
        direction = model.minimum(x, gradient, low, high) - x
        ahead = where(direction > 0, high - x, where(direction < 0, low - x, np.inf))
        part = where(direction != 0, ahead / where(direction != 0, direction, 1.0), np.inf)
        slope, square, most = numbers(gradient @ direction, direction @ direction, part.min())
        fresh, found = not model.steps, None
        if slope < 0:
            most = max(most, 1.0)  # the model's least point is within the bounds
            first = min(1.0, square**-0.5) if fresh else 1.0
            found = along(objective, x, direction, value, gradient, slope, first, most=most, keep=keep)
        if found is None and not fresh:
            model.forget()
            continue
        if found is None:
            status = 2
            break
        length, new_value, new_gradient = found[:3]
        new = keep(x + length * direction)
        step, change = new - x, new_gradient - gradient
        rest, product, size = numbers(gap(new, new_gradient), step @ change, change @ change)
        if product > 2.2e-16 * size:
            model.learn(step, change, size / product)
        if value - new_value <= options["ftol"] * max(abs(value), abs(new_value), 1) and options["ftol"]:
            status = 0
        x, value, gradient, count = new, new_value, new_gradient, count + 1
        if told(callback, x, value):
            status = 99
    return finished(x, value, gradient, count, objective, status)


class _Model:
    """The quadratic function that the last steps say."""

    def __init__(self, most, n):
        self.steps, self._changes = (collections.deque(maxlen=most) for _ in range(2))
        self._n = n
        self.forget()

    def forget(self):
        self.steps.clear()
        self._changes.clear()
        self._theta, self._w, self._m = 1.0, None, None

    def learn(self, step, change, theta):
        self.steps.append(step)
        self._changes.append(change)
        self._theta = theta
        s, y = tombac.stack(list(self.steps), axis=1), tombac.stack(list(self._changes), axis=1)
        products = s.T @ y
        lower = tombac.tril(products, -1)
        diagonal = tombac.diag(tombac.diag(products))
        middle = tombac.concatenate([tombac.concatenate([-diagonal, lower.T], axis=1),
                                     tombac.concatenate([lower, theta * (s.T @ s)], axis=1)])
        self._w, self._m = tombac.concatenate([y, theta * s], axis=1), tombac.linalg.inv(middle)

    def minimum(self, x, gradient, low, high):
        """The model's least point of the face of the bounds that its first local minimum along the gradient is on."""
        meets = where(gradient < 0, (x - high) / gradient, where(gradient > 0, (x - low) / gradient, np.inf))
        direction = where(meets > 0, -gradient, 0.0)
        t = self._first_minimum(meets, direction)
        cauchy = where(meets <= t, where(gradient < 0, high, where(gradient > 0, low, x)),
                       x + tombac.minimum(t, meets) * direction)
        cauchy = where(direction == 0, x, cauchy)
        if self._w is None:
            return tombac.clip(cauchy, low, high)
        free = (meets > t) & (gradient != 0)
        free = free | ((gradient == 0) & (x > low) & (x < high))
        best = self._within(x, gradient, cauchy, free)
        found = tombac.clip(best, low, high)
        downhill = gradient @ (found - x) < 0
        return where(downhill, found, self._cut(cauchy, best, low, high))

    def _first_minimum(self, meets, direction):
        """How far along the projected gradient the model decreases at first."""
        order = tombac.argsort(meets)
        ends, d = meets[order], direction[order]
        begins = tombac.concatenate([tombac.zeros(1), ends[:-1]])
        squares = d * d
        moving = tombac.flip(tombac.cumsum(tombac.flip(squares)))  # beyond each bound but the last
        curve, slope = self._theta * moving, moving
        if self._w is not None:
            p = self._w[order] * d[:, None]
            ahead = tombac.flip(tombac.cumsum(tombac.flip(p, 0), axis=0), 0)
            met = tombac.cumsum(p * where(tombac.isinf(ends), 0.0, ends)[:, None], axis=0)
            met = tombac.concatenate([tombac.zeros((1, p.shape[1])), met[:-1]])
            applied = ahead @ self._m
            curve = curve - (applied * ahead).sum(axis=1)
            slope = slope + (applied * met).sum(axis=1)
        least = where(curve > 0, slope / where(curve > 0, curve, 1.0), where(moving > 0, np.inf, 0.0))
        least = tombac.maximum(least, begins)
        return least[((least <= ends) | (moving <= 0)).argmax()]

    def _within(self, x, gradient, cauchy, free):
        """The model's least point in the free variables, by the formula of Sherman, Morrison and Woodbury."""
        w, m, theta = self._w, self._m, self._theta
        away = cauchy - x
        rest = where(free, gradient + theta * away - w @ (m @ (w.T @ away)), 0.0)
        inside = where(free[:, None], w, 0.0)
        v = m @ (inside.T @ rest)
        n = tombac.eye(v.size) - m @ (inside.T @ inside) / theta
        v = tombac.linalg.solve(n, v)
        return cauchy + where(free, -rest / theta - (inside @ v) / (theta * theta), 0.0)

    @staticmethod
    def _cut(cauchy, best, low, high):
        """As far towards ``best`` as bounds let one go."""
        step = best - cauchy
        room = where(step > 0, high - cauchy, where(step < 0, low - cauchy, np.inf))
        parts = where(step != 0, room / where(step != 0, step, 1.0), np.inf)
        return tombac.clip(cauchy + tombac.minimum(parts.min(), 1.0) * step, low, high)
