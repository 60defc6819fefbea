"""Initial value problems of ordinary differential equations, by embedded Runge-Kutta methods.

The state stays on the device; the host sees one number for each step, by which it is taken or made smaller, and those
of events. The first step and the control of steps are those of Hairer, Norsett and Wanner, Solving Ordinary
Differential Equations I, II.4; the estimate of the error of the method of order 8 is that of II.10.
"""

import types

import tombac
from tombac._numpy import np
from tombacx.scipy.integrate._events import Events
from tombacx.scipy.integrate._tableaus import METHODS

__all__ = ["OdeResult", "solve_ivp"]

_SAFETY, _LEAST, _MOST = 0.9, 0.2, 10.0


class OdeResult(types.SimpleNamespace):
    """What solve_ivp found: ``t``, ``y``, ``sol``, ``nfev``, ``status``, ``message``, ``success``, ``t_events``,
    ``y_events``, ``njev``, ``nlu``."""


def _combined(terms, weights):
    total = None
    for term, weight in zip(terms, weights, strict=False):
        if weight:
            total = term * weight if total is None else total + term * weight
    return total


def _norm(x):
    return float(tombac.sqrt((tombac.square(abs(x))).mean()).item()) if x.size else 0.0


class _Step:
    """A step that was taken, from t to t + h, and the solution within it, up to ``end``."""

    def __init__(self, walk, t, h, y, new, slopes):
        self.t, self.h, self.end, self.y = t, h, t + h, y
        self._walk, self._new, self._slopes, self._terms = walk, new, slopes, None

    def forget(self):
        """The solution within the step is not wanted."""
        self._walk = self._new = self._slopes = None

    def prepare(self):
        """What the solution within the step is made of."""
        if self._terms is not None:
            return
        method, h, slopes = self._walk.method, self.h, list(self._slopes)
        difference = self._new - self.y
        start = h * slopes[0] - difference
        self._terms = [difference, start, difference - h * slopes[-1] - start]
        if method.error_3:  # the further stages of the method of order 8
            for node, row in zip(method.more_nodes, method.more_rows, strict=True):
                slopes.append(self._walk.slope(self.t + node * h, self.y + h * _combined(slopes, row)))
            self._terms += [h * _combined(slopes, row) for row in method.dense]
        elif method.dense:
            self._terms.append(h * _combined(slopes, method.dense))
        self.forget()

    def __call__(self, t):
        """The solution at times, a vector: an array of shape (state, times)."""
        self.prepare()
        x = (t - self.t) / self.h
        result = 0.0
        for i in reversed(range(len(self._terms))):
            result = (x if i % 2 == 0 else 1 - x) * (self._terms[i][:, None] + result)
        return self.y[:, None] + result

    def at(self, t):
        """The state at one time."""
        return self(tombac.array([t]))[:, 0]


class _Solution:
    """The solution at any times between the first and the last."""

    def __init__(self, steps):
        self._steps = steps
        self.ts = np.array([steps[0].t, *(s.end for s in steps)])
        self.t_min, self.t_max = sorted((float(self.ts[0]), float(self.ts[-1])))

    def __call__(self, t):
        """The state at times.

        Args:
            t: A number, or a vector of times, which is read.

        Returns:
            An array of shape (state,) or (state, times).
        """
        known = t.get() if isinstance(t, tombac.ndarray) else np.asarray(t)
        times = np.atleast_1d(known).astype("d")
        sign = 1 if self.ts[-1] >= self.ts[0] else -1
        piece = np.clip(np.searchsorted(sign * self.ts, sign * times, "left") - 1, 0, len(self._steps) - 1)
        order = np.argsort(piece, kind="stable")
        parts = [self._steps[p](tombac.array(times[piece == p])) for p in np.unique(piece)]
        if not parts:
            return tombac.zeros((self._steps[0].y.size, 0), self._steps[0].y.dtype)
        back = np.empty_like(order)
        back[order] = np.arange(order.size)
        result = tombac.concatenate(parts, axis=1)[:, tombac.array(back)]
        return result[:, 0] if known.ndim == 0 else result


def solve_ivp(fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False,
              args=None, *, rtol=1e-3, atol=1e-6, max_step=np.inf, first_step=None):
    """The solution of the system of differential equations dy/dt = fun(t, y) from its initial values.

    Args:
        fun: A function of a float and an array, the state, which gives an array of the state's shape.
        t_span: The first and the last time: two numbers.
        y0: The initial values: a vector, real or complex.
        method: 'RK45' (Dormand and Prince), 'RK23' (Bogacki and Shampine) or 'DOP853' (Hairer, Norsett and Wanner).
        t_eval: The times of which the solution is given: a sequence or vector of the host or the device, in order;
            those of the steps if None.
        dense_output: Whether ``sol`` is wanted, the solution as a function of time.
        events: A function of the time and the state, or a sequence of them, whose zeros are looked for. With an
            attribute ``terminal``, True or a number, the solution ends with the first or so many of them; with a
            positive or negative ``direction`` only zeros of a rising or falling function count.
        vectorized: Taken and without effect.
        args: Further arguments of ``fun`` and the events: a tuple.
        rtol: How great the error of a step may be: a number, by the size of the state.
        atol: How great it may be besides: a number, or an array of the state's shape.
        max_step: How long a step may be.
        first_step: How long the first step is; chosen if None.

    Returns:
        An OdeResult with ``t``, an array of the times; ``y``, one of shape (state, times); ``sol``; ``nfev``, how often
        ``fun`` was called; ``status``, 0 where the last time was reached, 1 where an event ended the solution and -1
        where it could not go on; ``success`` and ``message``; ``t_events`` and ``y_events``, lists of arrays of the
        events' times and states.

    Raises:
        ValueError: An argument is out of range, or there is no such method.

    The host waits for one number in each step, the size of its error, and for one of all events. SciPy's implicit
    methods are not there.

    >>> s = tombacx.scipy.integrate.solve_ivp(lambda t, y: -y, (0.0, 1.0), tombac.array([1.0]), rtol=1e-8, atol=1e-10)
    >>> s.y[0, -1].round(6)
    array(0.367879)
    """
    if method not in METHODS:
        raise ValueError(f"solve_ivp: method must be 'RK45', 'RK23' or 'DOP853', not {method!r}")
    if max_step <= 0 or rtol < 0 or (first_step is not None and first_step <= 0):
        raise ValueError("solve_ivp: max_step and first_step must be positive, and rtol not negative")
    start, end = map(float, t_span)
    y = tombac.asarray(y0)
    y = y.astype("D" if y.dtype.kind == "c" else "d", copy=False)
    if y.ndim != 1:
        raise ValueError(f"solve_ivp: y0 must be a vector, not of shape {y.shape}")
    if first_step is not None and first_step > abs(end - start):
        raise ValueError("solve_ivp: first_step is longer than the time to be solved for")
    args, times = args or (), _wanted(t_eval, start, end)
    watched = Events(events, args, start, y)
    walk = _Walk(METHODS[method], fun, args, start, end, y, max(rtol, 100 * np.finfo("d").eps), atol, max_step)
    steps = walk.steps(first_step, watched, dense_output, times)
    solution = _Solution(steps) if steps and (dense_output or t_eval is not None) else None
    if t_eval is None:
        t = tombac.array([start, *(s.end for s in steps)])
        states = tombac.stack([s.y for s in steps] + [walk.y], axis=1)
    else:
        reached = steps[-1].end if steps else start
        times = times[np.abs(times - start) <= abs(reached - start)]
        t = tombac.array(times)
        states = solution(times) if solution else tombac.stack([y] * len(times), axis=1)
    t_events, y_events = watched.found()
    return OdeResult(t=t, y=states, sol=solution if dense_output else None, nfev=walk.nfev, njev=0, nlu=0,
                     status=walk.status, success=walk.status >= 0, message=_MESSAGES[walk.status], t_events=t_events,
                     y_events=y_events)


_MESSAGES = {
    0: "The last time was reached.", 1: "An event ended the solution.",
    -1: "The step that is needed is less than the distance of two numbers.",
}


def _wanted(t_eval, start, end):
    if t_eval is None:
        return None
    times = np.asarray(t_eval.get() if isinstance(t_eval, tombac.ndarray) else t_eval, "d")
    low, high = min(start, end), max(start, end)
    if times.ndim != 1:
        raise ValueError(f"solve_ivp: t_eval must be a vector, not of shape {times.shape}")
    if ((times < low) | (times > high)).any():
        raise ValueError("solve_ivp: times of t_eval are outside of t_span")
    if (np.diff(times) * (1 if end >= start else -1) <= 0).any():
        raise ValueError("solve_ivp: times of t_eval are not in order")
    return times


class _Walk:
    """The steps from one time to another."""

    def __init__(self, method, fun, args, start, end, y, rtol, atol, max_step):
        self.method, self._fun, self._args = method, fun, args
        self._t, self._end, self.y = start, end, y
        self._rtol, self._atol, self._max_step = rtol, atol, max_step
        self._sign = 1.0 if end >= start else -1.0
        self.nfev, self.status = 0, 0

    def slope(self, t, y):
        """The derivatives of a state."""
        self.nfev += 1
        return tombac.asarray(self._fun(t, y, *self._args)).astype(self.y.dtype, copy=False)

    def _first(self, slope):
        """How long the first step is, by the sizes of the state and of its first two derivatives."""
        whole = abs(self._end - self._t)
        if whole == 0:
            return 0.0
        scale = self._atol + abs(self.y) * self._rtol
        d0, d1 = _norm(self.y / scale), _norm(slope / scale)
        h0 = min(1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1, whole)
        later = self.slope(self._t + h0 * self._sign, self.y + h0 * self._sign * slope)
        d2 = _norm((later - slope) / scale) / h0
        power = 1 / (self.method.error_order + 1)
        h1 = max(1e-6, h0 * 1e-3) if max(d1, d2) <= 1e-15 else (0.01 / max(d1, d2)) ** power
        return min(100 * h0, h1, whole, self._max_step)

    def steps(self, first_step, events, dense, times):
        slope, taken = self.slope(self._t, self.y), []
        length = self._first(slope) if first_step is None else first_step
        while self.status == 0 and (self._end - self._t) * self._sign > 0 and self.y.size:
            step, slope, length = self._step(slope, length)
            if step is None:
                self.status = -1
                break
            taken.append(step)
            ended = events.look(step, self._t, self.y)
            if ended is not None:
                self.status, step.end, self._t = 1, ended, ended
                self.y = step.at(ended)
            if dense or self._holds(times, step, len(taken) == 1):
                step.prepare()
            else:
                step.forget()
        return taken

    def _holds(self, times, step, first):
        """Whether the solution within the step is asked for."""
        if times is None:
            return False
        after, before = self._sign * (times - step.t), self._sign * (times - step.end)
        return bool((((after >= 0) if first else (after > 0)) & (before <= 0)).any())

    def _step(self, slope, length):
        """One step that is exact enough, the slope at its end, and how long the next one may be."""
        least = 10 * abs(np.nextafter(self._t, self._sign * np.inf) - self._t)
        length, rejected = min(max(length, least), self._max_step), False
        power = -1 / (self.method.error_order + 1)
        while length >= least:
            t = self._t + length * self._sign
            if (t - self._end) * self._sign > 0:
                t = self._end
            h = t - self._t
            new, slopes = self._tried(h, slope)
            scale = self._atol + tombac.maximum(abs(self.y), abs(new)) * self._rtol
            error = self._error(h, slopes, scale)
            if error < 1:
                factor = _MOST if error == 0 else min(_MOST, _SAFETY * error**power)
                step = _Step(self, self._t, h, self.y, new, slopes)
                self._t, self.y = t, new
                return step, slopes[-1], abs(h) * (min(1.0, factor) if rejected else factor)
            length = abs(h) * (max(_LEAST, _SAFETY * error**power) if error == error else _LEAST)
            rejected = True
        return None, slope, length

    def _error(self, h, slopes, scale):
        first = h * _combined(slopes, self.method.error) / scale
        if not self.method.error_3:
            return _norm(first)
        fifth = tombac.square(abs(first)).mean()
        third = tombac.square(abs(h * _combined(slopes, self.method.error_3) / scale)).mean()
        both = fifth + 0.01 * third
        return float(tombac.where(both > 0, fifth / tombac.sqrt(both), both).item())

    def _tried(self, h, slope):
        slopes = [slope]
        for node, row in zip(self.method.nodes, self.method.rows, strict=True):
            y = self.y + h * _combined(slopes, row)
            slopes.append(self.slope(self._t + node * h, y))
        return y, slopes
