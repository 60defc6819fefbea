"""Initial value problems of ordinary differential equations, by embedded Runge-Kutta methods.

The state stays on the device; the host sees one number for each step, by which it is taken or made smaller. Methods:
Dormand and Prince, J. Comp. Appl. Math. 6, 1980, with the continuous extension of Hairer, Norsett and Wanner, Solving
Ordinary Differential Equations I, II.6; Bogacki and Shampine, Appl. Math. Lett. 2, 1989. The first step and the control
of steps are those of Hairer, Norsett and Wanner, II.4.
"""

import types

import tombac
from tombac._numpy import np

__all__ = ["OdeResult", "solve_ivp"]

# The rows of each method's tableau, the last of which is the solution, and how it differs from the embedded one.
_DORMAND_PRINCE = types.SimpleNamespace(
    order=5, error_order=4, nodes=(1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1), rows=(
        (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)),
    error=(71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),
    dense=(-12715105075 / 11282082432, 0, 87487479700 / 32700410799, -10690763975 / 1880347072,
           701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423))
_BOGACKI_SHAMPINE = types.SimpleNamespace(
    order=3, error_order=2, nodes=(1 / 2, 3 / 4, 1), rows=((1 / 2,), (0, 3 / 4), (2 / 9, 1 / 3, 4 / 9)),
    error=(-5 / 72, 1 / 12, 1 / 9, -1 / 8), dense=None)
_METHODS = {"RK45": _DORMAND_PRINCE, "RK23": _BOGACKI_SHAMPINE}
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
    """A step that was taken, from t to t + h, and the solution within it."""

    def __init__(self, method, t, h, y, new, slopes):
        self.t, self.h, self._y = t, h, y
        self._difference = new - y
        self._start = h * slopes[0] - self._difference
        self._end = self._difference - h * slopes[-1] - self._start
        self._more = 0 if method.dense is None else h * _combined(slopes, method.dense)

    def __call__(self, t):
        """The solution at times, a vector: an array of shape (state, times)."""
        x = (t - self.t) / self.h
        y, difference, start, end = (v[:, None] for v in (self._y, self._difference, self._start, self._end))
        more = self._more if isinstance(self._more, int) else self._more[:, None]
        return y + x * (difference + (1 - x) * (start + x * (end + (1 - x) * more)))


class _Solution:
    """The solution at any times between the first and the last."""

    def __init__(self, steps):
        self._steps = steps
        self.ts = np.array([steps[0].t, *(s.t + s.h for s in steps)])
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
            return tombac.zeros((self._steps[0]._y.size, 0), self._steps[0]._y.dtype)
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
        method: 'RK45' (Dormand and Prince) or 'RK23' (Bogacki and Shampine).
        t_eval: The times of which the solution is given: a sequence or vector of the host or the device, in order;
            those of the steps if None.
        dense_output: Whether ``sol`` is wanted, the solution as a function of time.
        events: None: events are not looked for.
        vectorized: Taken and without effect.
        args: Further arguments of ``fun``: a tuple.
        rtol: How great the error of a step may be: a number, by the size of the state.
        atol: How great it may be besides: a number, or an array of the state's shape.
        max_step: How long a step may be.
        first_step: How long the first step is; chosen if None.

    Returns:
        An OdeResult with ``t``, an array of the times; ``y``, one of shape (state, times); ``sol``; ``nfev``, how often
        ``fun`` was called; ``status`` and ``success``, which say whether the last time was reached, and ``message``.

    Raises:
        ValueError: An argument is out of range, or there is no such method.
        NotImplementedError: Events are wanted.

    The host waits for one number in each step, the size of its error.

    >>> s = tombacx.scipy.integrate.solve_ivp(lambda t, y: -y, (0.0, 1.0), tombac.array([1.0]), rtol=1e-8, atol=1e-10)
    >>> s.y[0, -1].round(6)
    array(0.367879)
    """
    if events is not None:
        raise NotImplementedError("solve_ivp: events are not looked for")
    if method not in _METHODS:
        raise ValueError(f"solve_ivp: method must be 'RK45' or 'RK23', not {method!r}")
    if max_step <= 0 or rtol < 0 or (first_step is not None and first_step <= 0):
        raise ValueError("solve_ivp: max_step and first_step must be positive, and rtol not negative")
    start, end = map(float, t_span)
    y = tombac.asarray(y0)
    y = y.astype("D" if y.dtype.kind == "c" else "d", copy=False)
    if y.ndim != 1:
        raise ValueError(f"solve_ivp: y0 must be a vector, not of shape {y.shape}")
    if first_step is not None and first_step > abs(end - start):
        raise ValueError("solve_ivp: first_step is longer than the time to be solved for")
    times = _wanted(t_eval, start, end)
    walk = _Walk(_METHODS[method], fun, args or (), start, end, y, max(rtol, 100 * np.finfo("d").eps), atol, max_step)
    steps = walk.steps(first_step)
    solution = _Solution(steps) if steps and (dense_output or t_eval is not None) else None
    if t_eval is None:
        t = tombac.array([start, *(s.t + s.h for s in steps)])
        states = tombac.stack([s._y for s in steps] + [walk.y], axis=1)
    else:
        reached = steps[-1].t + steps[-1].h if steps else start
        times = times[np.abs(times - start) <= abs(reached - start)]
        t = tombac.array(times)
        states = solution(times) if solution else tombac.stack([y] * len(times), axis=1)
    return OdeResult(t=t, y=states, sol=solution if dense_output else None, nfev=walk.nfev, njev=0, nlu=0,
                     status=walk.status, success=walk.status == 0, message=_MESSAGES[walk.status], t_events=None,
                     y_events=None)


_MESSAGES = {0: "The last time was reached.", -1: "The step that is needed is less than the distance of two numbers."}


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

    def _slope(self, t, y):
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
        later = self._slope(self._t + h0 * self._sign, self.y + h0 * self._sign * slope)
        d2 = _norm((later - slope) / scale) / h0
        power = 1 / (self.method.error_order + 1)
        h1 = max(1e-6, h0 * 1e-3) if max(d1, d2) <= 1e-15 else (0.01 / max(d1, d2)) ** power
        return min(100 * h0, h1, whole, self._max_step)

    def steps(self, first_step):
        slope, taken = self._slope(self._t, self.y), []
        length = self._first(slope) if first_step is None else first_step
        while (self._end - self._t) * self._sign > 0 and self.y.size:
            step, slope, length = self._step(slope, length)
            if step is None:
                self.status = -1
                break
            taken.append(step)
        return taken

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
            error = _norm(h * _combined(slopes, self.method.error) / scale)
            if error < 1:
                factor = _MOST if error == 0 else min(_MOST, _SAFETY * error**power)
                step = _Step(self.method, self._t, h, self.y, new, slopes)
                self._t, self.y = t, new
                return step, slopes[-1], abs(h) * (min(1.0, factor) if rejected else factor)
            length = abs(h) * (max(_LEAST, _SAFETY * error**power) if error == error else _LEAST)
            rejected = True
        return None, slope, length

    def _tried(self, h, slope):
        slopes = [slope]
        for node, row in zip(self.method.nodes, self.method.rows, strict=True):
            y = self.y + h * _combined(slopes, row)
            slopes.append(self._slope(self._t + node * h, y))
        return y, slopes
