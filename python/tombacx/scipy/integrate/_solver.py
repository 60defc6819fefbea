"""Solvers of initial value problems that go step by step, and solutions within steps: what all methods share.

States are vectors of the device; times, and what steps are chosen by, are numbers of the host.
"""

import warnings

import tombac
from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import host

__all__ = ["DenseOutput", "OdeSolution", "OdeSolver", "checked_tolerances", "host_times", "warn_of_unused"]

_LEAST = 100 * 2.0**-52


def host_times(t):
    """Times on the host: a number or a vector, which is read."""
    t = np.asarray(host(t), "d")
    if t.ndim > 1:
        raise ValueError(f"times must be a number or a vector, not of shape {t.shape}")
    return t


def checked_tolerances(rtol, atol, n):
    """The tolerances: numbers, or vectors of the device."""
    rtol, atol = (np.asarray(host(v), "d") for v in (rtol, atol))
    if (rtol < _LEAST).any():
        warnings.warn(f"rtol is too small and taken as {_LEAST}", stacklevel=5)
        rtol = np.maximum(rtol, _LEAST)
    if atol.ndim and atol.shape != (n,):
        raise ValueError(f"atol must be a number or a vector of {n}, not of shape {atol.shape}")
    if (atol < 0).any():
        raise ValueError("atol must be positive")
    return tuple(tombac.array(v) if v.ndim else float(v) for v in (rtol, atol))


def warn_of_unused(options):
    """Options that a method does not know are told of."""
    if options:
        warnings.warn(f"this method makes no use of {', '.join(options)}", stacklevel=4)


class OdeSolver:
    """A method that solves an initial value problem step by step; a base for methods of a program's own.

    Args:
        fun: A function of a float and an array, the state, which gives an array of the state's shape.
        t0: The first time.
        y0: The initial state: a vector, real or complex.
        t_bound: The last time.
        vectorized: Whether ``fun`` takes states as columns of a matrix, and is to be given such alone.
        support_complex: Whether the method takes complex states.

    Its attributes are ``t`` and ``y``, where it is; ``t_old``, where the last step began; ``n``, ``t_bound``,
    ``direction``, ``step_size``; ``status``, 'running', 'finished' or 'failed'; ``nfev``, ``njev`` and ``nlu``.
    A method of a program's own has ``_step_impl()``, which changes ``t`` and ``y`` and returns whether there was a step
    and else why not, and ``_dense_output_impl()``, which returns a DenseOutput.
    """

    TOO_SMALL_STEP = "The step that is needed is less than the distance of two numbers."

    def __init__(self, fun, t0, y0, t_bound, vectorized, support_complex=False):
        y = tombac.asarray(y0)
        if y.ndim != 1:
            raise ValueError(f"y0 must be a vector, not of shape {y.shape}")
        if y._kind == "c" and not support_complex:
            raise ValueError("y0 is complex, and this method is for real numbers")
        y = y.astype("D" if y._kind == "c" else "d", copy=False)
        if not _core.all_finite(y):
            raise ValueError("y0 must be finite")
        self.t_old, self.t, self.y, self.t_bound = None, t0, y, t_bound
        self._fun, self.vectorized = fun, vectorized
        self.direction = 1.0 if t_bound >= t0 else -1.0
        self.n, self.status = y.size, "running"
        self.nfev = self.njev = self.nlu = 0

    def fun(self, t, y):
        """The derivatives of a state; counted."""
        self.nfev += 1
        return self.fun_single(t, y)

    def fun_single(self, t, y):
        """The derivatives of a state."""
        if self.vectorized:
            y = y[:, None]
        slope = tombac.asarray(self._fun(t, y)).astype(self.y.dtype, copy=False)
        return slope.ravel() if self.vectorized else slope

    def fun_vectorized(self, t, y):
        """The derivatives of states that are columns."""
        if self.vectorized:
            return tombac.asarray(self._fun(t, y)).astype(self.y.dtype, copy=False)
        return tombac.stack([self.fun_single(t, column) for column in y.T], axis=1)

    @property
    def step_size(self):
        """How long the last step was; None before the first."""
        return None if self.t_old is None else abs(self.t - self.t_old)

    def step(self):
        """Takes a step.

        Returns:
            A str that says why there was none, or None.

        Raises:
            RuntimeError: The end has been reached, or a step has failed.
        """
        if self.status != "running":
            raise RuntimeError("a solver that has finished or failed takes no step")
        start = self.t
        if self.n == 0 or start == self.t_bound:
            self.t_old, self.t, self.status = start, self.t_bound, "finished"
            return None
        taken, message = self._step_impl()
        if not taken:
            self.status = "failed"
            return message
        self.t_old = start
        if self.direction * (self.t - self.t_bound) >= 0:
            self.status = "finished"
        return message

    def dense_output(self):
        """The solution within the last step.

        Returns:
            A DenseOutput.

        Raises:
            RuntimeError: There was no step.
        """
        if self.t_old is None:
            raise RuntimeError("there is no solution within a step before the first one")
        if self.n == 0 or self.t == self.t_old:
            return _Constant(self.t_old, self.t, self.y)
        return self._dense_output_impl()

    def _step_impl(self):
        raise NotImplementedError

    def _dense_output_impl(self):
        raise NotImplementedError


class DenseOutput:
    """The solution within a step from ``t_old`` to ``t``: a function of a number or a vector of times, which gives an
    array of shape (state,) or (state, times); a base for those of a program's own, which have ``_call_impl(t)``."""

    def __init__(self, t_old, t):
        self.t_old, self.t = t_old, t
        self.t_min, self.t_max = min(t_old, t), max(t_old, t)

    def __call__(self, t):
        """The state at times."""
        return self._call_impl(host_times(t))

    def _call_impl(self, t):
        raise NotImplementedError


class _Constant(DenseOutput):
    """Of no time or no state."""

    def __init__(self, t_old, t, y):
        super().__init__(t_old, t)
        self._y = y

    def _call_impl(self, t):
        return tombac.repeat(self._y[:, None], t.size, axis=1) if t.ndim else self._y


class OdeSolution:
    """The solution at any times, of solutions within steps.

    Args:
        ts: The times between which they are, in ascending or descending order: a sequence or a vector, which is read.
        interpolants: A list of DenseOutput, one for each step.
        alt_segment: Whether a time between two steps belongs to the second of them.

    Raises:
        ValueError: The times are not in order, or not one more than the solutions.

    Its attributes are ``ts``, an array of the host, ``t_min``, ``t_max``, ``interpolants`` and ``n_segments``.
    """

    def __init__(self, ts, interpolants, alt_segment=False):
        self.ts = host_times(ts)
        steps = np.diff(self.ts)
        if not ((steps > 0).all() or (steps < 0).all() or (self.ts.size == 2 and steps[0] == 0)):
            raise ValueError("ts must be in ascending or descending order, each time once")
        if self.ts.size != len(interpolants) + 1:
            raise ValueError(f"{self.ts.size} times do not fit {len(interpolants)} solutions")
        self.n_segments, self.interpolants = len(interpolants), interpolants
        self.t_min, self.t_max = sorted((float(self.ts[0]), float(self.ts[-1])))
        self._sign = 1 if self.ts[-1] >= self.ts[0] else -1
        self._side = "right" if alt_segment else "left"

    def __call__(self, t):
        """The state at times.

        Args:
            t: A number, or a vector of times, which is read.

        Returns:
            An array of shape (state,) or (state, times).
        """
        known = host_times(t)
        times = np.atleast_1d(known)
        piece = np.searchsorted(self._sign * self.ts, self._sign * times, self._side) - 1
        piece = np.clip(piece, 0, self.n_segments - 1)
        if known.ndim == 0:
            return self.interpolants[piece[0]](known)
        if not times.size:
            return self.interpolants[0](times)
        order = np.argsort(piece, kind="stable")
        back = np.empty_like(order)
        back[order] = np.arange(order.size)
        parts = [self.interpolants[p](times[piece == p]) for p in np.unique(piece)]
        return tombac.concatenate(parts, axis=1)[:, tombac.array(back)]
