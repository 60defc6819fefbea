"""Initial value problems of ordinary differential equations, from a first to a last time."""

import tombac
from tombac._numpy import np
from tombacx.scipy.integrate._events import Events
from tombacx.scipy.integrate._implicit import BDF, LSODA, Radau, solved_by_scipy
from tombacx.scipy.integrate._runge_kutta import DOP853, RK23, RK45
from tombacx.scipy.integrate._solver import OdeSolution, OdeSolver, host_times
from tombacx.scipy.optimize._result import OptimizeResult

__all__ = ["OdeResult", "solve_ivp"]

_METHODS = {"RK23": RK23, "RK45": RK45, "DOP853": DOP853, "Radau": Radau, "BDF": BDF, "LSODA": LSODA}
_BY_SCIPY = (Radau, BDF, LSODA)
_MESSAGES = {0: "The last time was reached.", 1: "An event ended the solution."}


class OdeResult(OptimizeResult):
    """What solve_ivp found: ``t``, ``y``, ``sol``, ``nfev``, ``status``, ``message``, ``success``, ``t_events``,
    ``y_events``, ``njev``, ``nlu``."""


def solve_ivp(fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False,
              args=None, **options):
    """The solution of the system of differential equations dy/dt = fun(t, y) from its initial values.

    Args:
        fun: A function of a float and an array, the state, which gives an array of the state's shape.
        t_span: The first and the last time: two numbers.
        y0: The initial values: a vector, real or complex.
        method: 'RK45' (Dormand and Prince), 'RK23' (Bogacki and Shampine) or 'DOP853' (Hairer, Norsett and Wanner),
            whose states stay on the device; for stiff problems, by SciPy with its states on the host, 'Radau', 'BDF'
            or 'LSODA'; or a class that is an OdeSolver.
        t_eval: The times of which the solution is given: a sequence or vector of the host or the device, in order;
            those of the steps if None.
        dense_output: Whether ``sol`` is wanted, the solution as a function of time.
        events: A function of the time and the state, or a sequence of them, whose zeros are looked for. With an
            attribute ``terminal``, True or a number, the solution ends with the first or so many of them; with a
            positive or negative ``direction`` only zeros of a rising or falling function count.
        vectorized: Whether ``fun`` takes states as columns of a matrix, and is to be given such alone.
        args: Further arguments of ``fun``, the events and ``jac``: a tuple.
        options: Of the method's class: ``rtol`` (1e-3), how great the error of a step may be by the size of the state,
            and ``atol`` (1e-6), how great it may be besides, numbers or arrays of the state's shape; ``max_step`` and
            ``first_step``, how long a step may be and the first one is; ``jac``, ``jac_sparsity``, ``lband``,
            ``uband`` and ``min_step`` of those for stiff problems.

    Returns:
        An OdeResult with ``t``, an array of the times; ``y``, one of shape (state, times); ``sol``, an OdeSolution;
        ``nfev``, how often ``fun`` was called, ``njev`` and ``nlu``; ``status``, 0 where the last time was reached, 1
        where an event ended the solution and -1 where it could not go on; ``success`` and ``message``; ``t_events`` and
        ``y_events``, lists of arrays of the events' times and states.

    Raises:
        ImportError: SciPy is not installed, where the method is one of its.
        TypeError: ``args`` is no sequence.
        ValueError: An argument is out of range, or there is no such method.

    The host waits for one number in each step, the size of its error, and for one of all events.

    >>> s = tombacx.scipy.integrate.solve_ivp(lambda t, y: -y, (0.0, 1.0), tombac.array([1.0]), rtol=1e-8, atol=1e-10)
    >>> s.y[0, -1].round(6)
    array(0.367879)
    """
    known = _METHODS.get(method, method) if isinstance(method, str) else method
    if not (isinstance(known, type) and issubclass(known, OdeSolver)):
        raise ValueError(f"solve_ivp: method must be one of {', '.join(_METHODS)} or an OdeSolver, not {method!r}")
    start, end = map(float, t_span)
    args = () if args is None else _unpacked(args)
    if args:
        fun, jac = _with(fun, args), options.get("jac")
        if callable(jac):
            options["jac"] = _with(jac, args)
    if known in _BY_SCIPY and events is None and not dense_output:
        return _as_result(solved_by_scipy(known, fun, (start, end), y0, t_eval=t_eval, vectorized=vectorized,
                                          **options), y0)
    wanted = _Wanted(t_eval, start, end)
    solver = known(fun, start, y0, end, vectorized=vectorized, **options)
    watched, status, message = Events(events, args, start, solver.y), None, None
    times, states, ends, pieces = [], [], [start], []
    if t_eval is None:
        times, states = [start], [solver.y]
    while status is None:
        message = solver.step()
        if solver.status == "failed":
            status = -1
            break
        if solver.status == "finished":
            status = 0
        t, y = solver.t, solver.y
        within = solver.dense_output() if dense_output else None
        happened = watched.happened(t, y)
        if happened:
            within = within or solver.dense_output()
            ended = watched.find(happened, within, solver.t_old, t)
            if ended is not None:
                status, t, y = 1, ended, within(ended)
        if dense_output and (t != ends[-1] or len(ends) == 1):
            ends.append(t)
            pieces.append(within)
        if t_eval is None:
            if not (dense_output and len(times) > 1 and times[-1] == t):
                times.append(t)
                states.append(y)
        else:
            inside = wanted.until(t)
            if inside.size:
                times.append(inside)
                states.append((within or solver.dense_output())(inside))
    t_events, y_events = watched.found()
    if t_eval is None:
        y = tombac.stack(states, axis=1)
    else:
        y = tombac.concatenate(states, axis=1) if states else tombac.zeros((solver.n, 0), solver.y.dtype)
    sol = OdeSolution(ends, pieces, alt_segment=known in (BDF, LSODA)) if dense_output else None
    return OdeResult(t=tombac.array(np.hstack(times) if times else times, "d"), y=y, sol=sol, t_events=t_events,
                     y_events=y_events, nfev=solver.nfev, njev=solver.njev, nlu=solver.nlu, status=status,
                     message=_MESSAGES.get(status, message), success=status >= 0)


def _as_result(found, y0):
    """SciPy's result without events, on the device."""
    t, y, status = found["t"], found["y"], found["status"]
    y = tombac.array(y) if len(t) else tombac.zeros((len(y0), 0))
    return OdeResult(t=tombac.array(t, "d"), y=y, sol=None, t_events=None, y_events=None, nfev=found["nfev"],
                     njev=found["njev"], nlu=found["nlu"], status=status,
                     message=_MESSAGES.get(status, found["message"]), success=found["success"])


def _unpacked(args):
    try:
        return tuple(args)
    except TypeError:
        raise TypeError(f"solve_ivp: args must be a tuple, not {args!r}") from None


def _with(f, args):
    """A function of the time and the state, with further arguments."""
    return lambda t, y: f(t, y, *args)


class _Wanted:
    """The times of which the solution is asked for, from the first one on."""

    def __init__(self, t_eval, start, end):
        if t_eval is None:
            return
        self._times, self._next = host_times(t_eval), 0
        low, high, self._sign = min(start, end), max(start, end), 1 if end >= start else -1
        if self._times.ndim != 1:
            raise ValueError("solve_ivp: t_eval must be a vector, not a number")
        if ((self._times < low) | (self._times > high)).any():
            raise ValueError("solve_ivp: times of t_eval are outside of t_span")
        if start != end and (np.diff(self._times) * self._sign <= 0).any():
            raise ValueError("solve_ivp: times of t_eval are not in order")
        self._keys = self._sign * self._times

    def until(self, t):
        """Those up to a time that have not been told."""
        first, self._next = self._next, np.searchsorted(self._keys, self._sign * t, "right")
        return self._times[first:self._next]
