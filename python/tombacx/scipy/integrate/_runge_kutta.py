"""Embedded Runge-Kutta methods.

The state stays on the device; the host sees one number for each step, by which it is taken or made smaller. The first
step and the control of steps are those of Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.4;
the estimate of the error of the method of order 8 is that of II.10.
"""

import math

import tombac
from tombac._numpy import np
from tombacx.scipy.integrate import _tableaus
from tombacx.scipy.integrate._solver import DenseOutput, OdeSolver, checked_tolerances, warn_of_unused

__all__ = ["DOP853", "RK23", "RK45"]

_SAFETY, _LEAST, _MOST = 0.9, 0.2, 10.0


def _combined(terms, weights):
    total = None
    for term, weight in zip(terms, weights, strict=False):
        if weight:
            total = term * weight if total is None else total + term * weight
    return total


def _norm(x):
    return float(tombac.sqrt((tombac.square(abs(x))).mean()).item()) if x.size else 0.0


class _Polynomial(DenseOutput):
    """The solution within a step, by powers of the part x of it that has passed and of 1 - x in turn."""

    def __init__(self, t_old, t, y_old, terms):
        super().__init__(t_old, t)
        self._y, self._terms = y_old, terms

    def _call_impl(self, t):
        x = (t - self.t_old) / (self.t - self.t_old)
        x = tombac.array(x) if x.ndim else float(x)
        columns = isinstance(x, tombac.ndarray)
        result = 0.0
        for i in reversed(range(len(self._terms))):
            term = self._terms[i][:, None] if columns else self._terms[i]
            result = (x if i % 2 == 0 else 1 - x) * (term + result)
        return (self._y[:, None] if columns else self._y) + result


class _RungeKutta(OdeSolver):
    """A method whose numbers are ``_numbers``."""

    def __init__(self, fun, t0, y0, t_bound, max_step=np.inf, rtol=1e-3, atol=1e-6, vectorized=False, first_step=None,
                 **extraneous):
        warn_of_unused(extraneous)
        super().__init__(fun, t0, y0, t_bound, vectorized, support_complex=True)
        if max_step <= 0 or (first_step is not None and first_step <= 0):
            raise ValueError("max_step and first_step must be positive")
        if first_step is not None and first_step > abs(t_bound - t0):
            raise ValueError("first_step is longer than the time to be solved for")
        self.max_step, self.y_old, self._slopes = max_step, None, None
        self.rtol, self.atol = checked_tolerances(rtol, atol, self.n)
        self.f = self.fun(self.t, self.y)
        self.h_abs = self._first() if first_step is None else first_step

    def _first(self):
        """How long the first step is, by the sizes of the state and of its first two derivatives."""
        whole = abs(self.t_bound - self.t)
        if whole == 0 or not self.n:
            return whole
        scale = self.atol + abs(self.y) * self.rtol
        d0, d1 = _norm(self.y / scale), _norm(self.f / scale)
        h0 = min(1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1, whole)
        h = h0 * self.direction
        d2 = _norm((self.fun(self.t + h, self.y + h * self.f) - self.f) / scale) / h0
        power = 1 / (self._numbers.error_order + 1)
        h1 = max(1e-6, h0 * 1e-3) if max(d1, d2) <= 1e-15 else (0.01 / max(d1, d2)) ** power
        return min(100 * h0, h1, whole, self.max_step)

    def _step_impl(self):
        """One step that is exact enough, and how long the next one may be."""
        least = 10 * abs(math.nextafter(self.t, self.direction * math.inf) - self.t)
        length, rejected = min(max(self.h_abs, least), self.max_step), False
        power = -1 / (self._numbers.error_order + 1)
        while length >= least:
            t = self.t + length * self.direction
            if (t - self.t_bound) * self.direction > 0:
                t = self.t_bound
            h = t - self.t
            new, slopes = self._tried(h)
            scale = self.atol + tombac.maximum(abs(self.y), abs(new)) * self.rtol
            error = self._error(h, slopes, scale)
            if error < 1:
                factor = _MOST if error == 0 else min(_MOST, _SAFETY * error**power)
                self.h_abs = abs(h) * (min(1.0, factor) if rejected else factor)
                self.y_old, self.t, self.y = self.y, t, new
                self._slopes, self.f = slopes, slopes[-1]
                return True, None
            length = abs(h) * (max(_LEAST, _SAFETY * error**power) if error == error else _LEAST)
            rejected = True
        return False, self.TOO_SMALL_STEP

    def _error(self, h, slopes, scale):
        numbers = self._numbers
        first = h * _combined(slopes, numbers.error) / scale
        if not numbers.error_3:
            return _norm(first)
        fifth = tombac.square(abs(first)).mean()
        third = tombac.square(abs(h * _combined(slopes, numbers.error_3) / scale)).mean()
        both = fifth + 0.01 * third
        return float(tombac.where(both > 0, fifth / tombac.sqrt(both), both).item())

    def _tried(self, h):
        slopes, t, start, numbers = [self.f], self.t, self.y, self._numbers
        for node, row in zip(numbers.nodes, numbers.rows, strict=True):
            y = start + h * _combined(slopes, row)
            slopes.append(self.fun(t + node * h, y))
        return y, slopes

    def _dense_output_impl(self):
        numbers, t, y, slopes = self._numbers, self.t_old, self.y_old, list(self._slopes)
        h, difference = self.t - t, self.y - y
        start = h * slopes[0] - difference
        terms = [difference, start, difference - h * slopes[-1] - start]
        if numbers.error_3:  # the further stages of the method of order 8
            for node, row in zip(numbers.more_nodes, numbers.more_rows, strict=True):
                slopes.append(self.fun(t + node * h, y + h * _combined(slopes, row)))
            terms += [h * _combined(slopes, row) for row in numbers.dense]
        elif numbers.dense:
            terms.append(h * _combined(slopes, numbers.dense))
        return _Polynomial(t, self.t, y, terms)


_ARGUMENTS = """

    Args:
        fun: A function of a float and an array, the state, which gives an array of the state's shape.
        t0: The first time.
        y0: The initial state: a vector, real or complex.
        t_bound: The last time.
        max_step: How long a step may be.
        rtol: How great the error of a step may be: a number or a vector, by the size of the state.
        atol: How great it may be besides: a number or a vector.
        vectorized: Whether ``fun`` takes states as columns of a matrix, and is to be given such alone.
        first_step: How long the first step is; chosen if None.
        extraneous: Other options, of which the program is warned.

    Raises:
        ValueError: An argument is out of range.
    """


class RK23(_RungeKutta):
    __doc__ = "Bogacki's and Shampine's method of order 3, with an error of order 2." + _ARGUMENTS
    _numbers = _tableaus.BOGACKI_SHAMPINE


class RK45(_RungeKutta):
    __doc__ = "Dormand's and Prince's method of order 5, with an error of order 4." + _ARGUMENTS
    _numbers = _tableaus.DORMAND_PRINCE


class DOP853(_RungeKutta):
    __doc__ = "Hairer's method of order 8, with errors of orders 5 and 3." + _ARGUMENTS
    _numbers = _tableaus.HAIRER
