"""Events of differential equations: zeros of functions of the state, by Brent's method in the solution within steps."""

import math

import tombac
from tombacx.scipy.optimize._scalar_roots import brent_root

__all__ = ["Events"]


class Events:
    """The functions that are watched, what they were last, and the zeros that were found."""

    def __init__(self, events, args, t, y):
        self._functions = () if events is None else (events,) if callable(events) else tuple(events)
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

    def happened(self, t, y):
        """Which functions have had zeros in a step that ends in a state: a list."""
        if not self._functions:
            return ()
        new, which = self._values(t, y), []
        for i, (old, now, direction) in enumerate(zip(self._last, new, self._direction, strict=True)):
            rises, falls = old <= 0 <= now, old >= 0 >= now
            if (rises and direction >= 0) or (falls and direction <= 0):
                which.append(i)
        self._last = new
        return which

    def find(self, which, within, start, end):
        """Finds the zeros of these functions in a step; the time at which the solution ends with one, or None."""
        zeros = [(self._zero(self._functions[i], within, start, end), i) for i in which]
        zeros.sort(key=lambda zero: zero[0] * (1 if end >= start else -1))
        for time, i in zeros:
            self._found[i].append((time, within(time)))
            if len(self._found[i]) >= self._most[i]:
                return time
        return None

    def _zero(self, f, within, start, end):
        def value(time):
            return float(tombac.asarray(f(time, within(time), *self._args)).item())

        eps = math.ulp(1.0)
        return brent_root(value, start, end, 4 * eps, 4 * eps)

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
