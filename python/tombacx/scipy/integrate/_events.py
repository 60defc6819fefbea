"""Events of differential equations: zeros of functions of the state, by Brent's method in the continuous solution."""

import math

import tombac
from tombacx.scipy.optimize._scalar_roots import brent_root

__all__ = ["Events"]


class Events:
    """The functions that are watched, what they were last, and the zeros that were found."""

    def __init__(self, events, args, t, y):
        self._single = callable(events)
        self._functions = () if events is None else (events,) if self._single else tuple(events)
        self._wanted, self._args, self._y = events is not None, args, y
        self._most = [_most(f) for f in self._functions]
        self._direction = [getattr(f, "direction", 0) for f in self._functions]
        self._found = [[] for _ in self._functions]
        self._last = self._values(t, y)

    def _values(self, t, y):
        """Numbers of the host, all of which are waited for together."""
        values = [f(t, y, *self._args) for f in self._functions]
        arrays = [tombac.asarray(v, "d").reshape(()) for v in values if isinstance(v, tombac.ndarray)]
        known = iter(tombac.stack(arrays).tolist() if arrays else ())
        return [next(known) if isinstance(v, tombac.ndarray) else float(v) for v in values]

    def look(self, step, t, y):
        """What happens within a step that ends at ``t``: the time at which the solution ends with it, or None."""
        if not self._functions:
            return None
        new = self._values(t, y)
        zeros = []
        for i, (old, now, direction) in enumerate(zip(self._last, new, self._direction, strict=True)):
            rises, falls = old <= 0 <= now, old >= 0 >= now
            if (rises and direction >= 0) or (falls and direction <= 0):
                zeros.append((self._zero(self._functions[i], step, t), i))
        self._last = new
        zeros.sort(key=lambda zero: zero[0] * (1 if t >= step.t else -1))
        for time, i in zeros:
            self._found[i].append((time, step.at(time)))
            if len(self._found[i]) >= self._most[i]:
                return time
        return None

    def _zero(self, f, step, t):
        def value(time):
            return float(tombac.asarray(f(time, step.at(time), *self._args)).item())

        eps = math.ulp(1.0)
        return brent_root(value, step.t, t, 4 * eps, 4 * eps)

    def found(self):
        """Times and states of each function's zeros: lists of arrays; (None, None) if none were looked for."""
        if not self._wanted:
            return None, None
        times = [tombac.array([t for t, _ in zeros], "d") for zeros in self._found]
        states = [tombac.stack([y for _, y in zeros]) if zeros else tombac.zeros((0, *self._y.shape), self._y.dtype)
                  for zeros in self._found]
        return times, states


def _most(f):
    """After how many zeros of a function the solution ends."""
    terminal = getattr(f, "terminal", None)
    if not terminal:
        return math.inf
    if terminal is not True and (terminal != int(terminal) or terminal < 0):
        raise ValueError(f"solve_ivp: terminal must be a bool or a whole number, not {terminal!r}")
    return int(terminal)
