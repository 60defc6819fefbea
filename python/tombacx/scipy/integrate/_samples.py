"""Integrals of samples, and of functions by Gauss's rule. Each is a reduction into which the weights fuse."""

import functools
import operator

import tombac
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy._host import host, scipy_function

__all__ = ["cumulative_simpson", "cumulative_trapezoid", "fixed_quad", "newton_cotes", "romb", "simpson", "trapezoid"]

_documented = with_rows(
    y="y: The samples: an array of any numeric dtype.",
    x="""x: Where they were taken: a vector of the length of the axis, or an array that broadcasts with ``y``; equally
            spaced by ``dx`` if None.""",
    dx="dx: The spacing.",
    axis="axis: Along which axis the samples lie.",
    refusals="""TypeError: The samples are no tombac array.
        ValueError: The shapes do not fit, or there is no such axis (AxisError).""",
)


def _samples(name, y, x, dx, axis):
    """The samples along the last axis, and the spacings: a number, or an array that broadcasts with differences."""
    check_arrays(name, y, *(() if x is None else (x,)))
    axis = normalize_axis_index(axis, y.ndim)
    y = y.astype("d") if y.dtype.kind in "biu" else y
    if x is None:
        return tombac.moveaxis(y, axis, -1), dx, axis
    if x.ndim > 1:
        x = tombac.moveaxis(tombac.broadcast_to(x, y.shape), axis, -1)
    y = tombac.moveaxis(y, axis, -1)
    if x.ndim == 0 or x.shape[-1] != y.shape[-1]:
        raise ValueError(f"{name}: {y.shape[-1]} samples were taken at {x.shape[-1] if x.ndim else 1} places")
    return y, tombac.diff(x, axis=-1), axis


@_documented
def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral of samples by the trapezoidal rule.

    Args:
        {y}
        {x}
        {dx}
        {axis}

    Returns:
        An array without the axis, of ``y``'s dtype, or of float64 for integers.

    Raises:
        {refusals}

    >>> tombacx.scipy.integrate.trapezoid(tombac.array([1.0, 2.0, 4.0]))
    array(4.5)
    """
    y, steps, _ = _samples("trapezoid", y, x, dx, axis)
    total = (steps * (y[..., 1:] + y[..., :-1]) / 2).sum(axis=-1)
    return total.astype(y.dtype, copy=False) if total.dtype.kind == y.dtype.kind else total


@_documented
def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    """The integrals of samples up to each of them, by the trapezoidal rule.

    Args:
        {y}
        {x}
        {dx}
        {axis}
        initial: None, or 0, which is put before the integrals, so that there are as many as samples.

    Returns:
        An array of the samples' shape, with one element less along the axis if there is no ``initial``.

    Raises:
        {refusals}

    >>> tombacx.scipy.integrate.cumulative_trapezoid(tombac.array([1.0, 2.0, 4.0]), initial=0)
    array([0. , 1.5, 4.5])
    """
    if initial not in (None, 0):
        raise ValueError(f"cumulative_trapezoid: initial must be 0 or None, not {initial!r}")
    y, steps, axis = _samples("cumulative_trapezoid", y, x, dx, axis)
    if y.shape[-1] == 0:
        raise ValueError("cumulative_trapezoid: at least one sample is expected")
    result = tombac.cumsum(steps * (y[..., 1:] + y[..., :-1]) / 2, axis=-1)
    if initial is not None:
        result = tombac.concatenate([tombac.zeros((*y.shape[:-1], 1), result.dtype), result], axis=-1)
    return tombac.moveaxis(result, -1, axis)


def _is_one(steps):
    return not isinstance(steps, tombac.ndarray) or steps.ndim == 0


def _quotient(a, b):
    """a / b, and 0 where b is: of places that come twice, as SciPy has it."""
    if not isinstance(b, tombac.ndarray):
        return a / b if b else 0.0
    return tombac.where(b != 0, a / tombac.where(b != 0, b, 1.0), 0.0)


def _parabolas(y, steps, first, last):
    """Simpson's rule over pairs of intervals that begin at the samples first, first + 2, ..., before last."""
    y0, y1, y2 = (y[..., first + i:last + i:2] for i in range(3))
    if _is_one(steps):
        return (steps / 3 * (y0 + 4 * y1 + y2)).sum(axis=-1)
    h0, h1 = steps[..., first:last:2], steps[..., first + 1:last + 1:2]
    both = h0 + h1
    outer = y0 * (2 - _quotient(h1, h0)) + y2 * (2 - _quotient(h0, h1))
    return (both / 6 * (outer + y1 * (both * _quotient(both, h0 * h1)))).sum(axis=-1)


@_documented
def simpson(y, x=None, *, dx=1.0, axis=-1):
    """The integral of samples by Simpson's rule.

    Args:
        {y}
        {x}
        {dx}
        {axis}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    Of an even number of samples the last interval is that of the parabola through the last three (Cartwright, Journal
    of Mathematical Sciences and Mathematics Education 12, 2017). Places may come twice.

    >>> tombacx.scipy.integrate.simpson(tombac.array([0.0, 1.0, 4.0, 9.0]))
    array(9.)
    """
    y, steps, _ = _samples("simpson", y, x, dx, axis)
    n = y.shape[-1]
    if n == 0:
        raise ValueError("simpson: at least one sample is expected")
    if n % 2:
        return _parabolas(y, steps, 0, n - 2) if n > 1 else 0 * y[..., 0]
    if n == 2:
        return (steps * (y[..., 1:] + y[..., :-1]) / 2).sum(axis=-1)
    h0, h1 = (steps, steps) if _is_one(steps) else (steps[..., -2], steps[..., -1])
    both = h0 + h1
    last = y[..., -1] * _quotient(h1 * (2 * h1 + 3 * h0), 6 * both) - \
        y[..., -3] * _quotient(h1 * h1 * h1, 6 * h0 * both) + y[..., -2] * _quotient(h1 * (h1 + 3 * h0), 6 * h0)
    return _parabolas(y, steps, 0, n - 3) + last


@_documented
def cumulative_simpson(y, *, x=None, dx=1.0, axis=-1, initial=None):
    """The integrals of samples up to each of them, by Simpson's rule.

    Args:
        {y}
        {x}
        dx: The spacing: a number, or an array of the samples' shape but for the axis, which has the length 1.
        {axis}
        initial: What is put before the integrals and added to them: a number, or an array of the samples' shape but for
            the axis, which has the length 1; nothing if None.

    Returns:
        An array of the samples' shape, with one element less along the axis if there is no ``initial``.

    Raises:
        {refusals}

    An interval's integral is that of the parabola through its ends and the next sample, or the one before (Cartwright,
    as in simpson). The places must grow, for which they are looked at. Of two samples the rule is the trapezoidal.

    >>> tombacx.scipy.integrate.cumulative_simpson(tombac.array([0.0, 1.0, 4.0, 9.0, 16.0]), initial=0).round(6)
    array([ 0.      ,  0.333333,  2.666667,  9.      , 21.333333])
    """
    y, steps, axis = _samples("cumulative_simpson", y, x, dx, axis)
    n = y.shape[-1]
    if n == 0:
        raise ValueError("cumulative_simpson: at least one sample is expected")
    along = (*y.shape[:-1], 1)
    if x is None and isinstance(dx, tombac.ndarray) and dx.ndim:
        steps = tombac.broadcast_to(tombac.moveaxis(dx, axis, -1), along)
    if x is not None and not (steps > 0).all():
        raise ValueError("cumulative_simpson: the places must grow along the axis")
    parts = steps * (y[..., 1:] + y[..., :-1]) / 2
    if n > 2:
        steps = tombac.broadcast_to(steps, parts.shape)
        slopes = tombac.diff(y, axis=-1) / steps
        curves = tombac.diff(slopes, axis=-1) / (steps[..., 1:] + steps[..., :-1])
        whole = tombac.repeat(curves[..., ::2], 2, axis=-1)
        if n % 2 == 0:
            whole = tombac.concatenate([whole, curves[..., -1:]], axis=-1)
        parts = parts - steps * steps * steps * whole / 6
    result = tombac.cumsum(parts, axis=-1)
    if initial is not None:
        first = tombac.asarray(initial)
        first = tombac.broadcast_to(tombac.moveaxis(first, axis, -1) if first.ndim else first, along)
        result = tombac.concatenate([first.astype(result.dtype), result + first], axis=-1)
    return tombac.moveaxis(result, -1, axis)


def newton_cotes(rn, equal=0):
    """The weights of Newton's and Cotes's integration, and the coefficient of its error; found by SciPy on the host.

    Args:
        rn: The order, a whole number, for samples that are equally spaced; or their places, a vector that begins with 0
            and ends with its length less one.
        equal: Whether the places are equally spaced.

    Returns:
        A tuple (weights, coefficient): an array and a float.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The places do not begin or end so.

    >>> tombacx.scipy.integrate.newton_cotes(2)[0].round(6)
    array([0.333333, 1.333333, 0.333333])
    """
    weights, coefficient = _kept_weights(rn) if type(rn) is int else _weights(rn, equal)
    return tombac.array(weights), coefficient


def _weights(rn, equal=0):
    weights, coefficient = scipy_function("scipy.integrate", "newton_cotes")(host(rn), equal)
    return weights, float(coefficient)


_kept_weights = functools.lru_cache(64)(_weights)  # of orders: the same for all samples


@_documented
def romb(y, dx=1.0, axis=-1, show=False):
    """The integral of equally spaced samples by Romberg's method.

    Args:
        y: The samples: an array of any numeric dtype, 2**k + 1 of them along the axis.
        {dx}
        {axis}
        show: Whether the table of what is made of ever finer rules is printed, where ``y`` is a vector: a bool, or a
            tuple of how many digits behind the point numbers have, and how many characters.

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.integrate.romb(tombac.arange(5.0) ** 3)
    array(64.)
    """
    y, dx, _ = _samples("romb", y, None, dx, axis)
    intervals = y.shape[-1] - 1
    if intervals < 1 or intervals & (intervals - 1):
        raise ValueError(f"romb: a power of 2 and one more samples are expected, not {intervals + 1}")
    row, step, table = [], intervals, []
    while step:
        rule = (y[..., :-1:step] + y[..., step::step]).sum(axis=-1) * (step * dx / 2)
        new = [rule]
        for order, coarse in enumerate(row, 1):
            new.append(new[-1] + (new[-1] - coarse) / (4**order - 1))
        row, step = new, step // 2
        table.append(row)
    if show:
        _print_table(table, show)
    return row[-1]


def _print_table(rows, show):
    if rows[0][0].ndim:
        print("*** Printing table only supported for integrals of a single data set.")
        return
    given = tuple(show) if isinstance(show, (tuple, list)) else ()
    digits, width = given[:2] + (5, 8)[len(given):]
    title = "Richardson Extrapolation Table for Romberg Integration"
    print(title, "=" * len(title), sep="\n")
    for row in rows:
        print(*(f"{number.item():{width}.{digits}f}" for number in row), "")
    print("=" * len(title))


@functools.lru_cache(16)
def _gauss(n):
    return tuple(v.tolist() for v in np.polynomial.legendre.leggauss(n))


def fixed_quad(func, a, b, args=(), n=5):
    """The integral of a function by Gauss's rule of a fixed order.

    Args:
        func: A function of a vector of points, which gives an array whose last axis is theirs.
        a, b: The limits: finite numbers.
        args: Further arguments of ``func``: a tuple.
        n: The order of the rule, which is exact for polynomials of the degree 2 n - 1.

    Returns:
        A tuple (integral, None): an array without the last axis, and nothing about its error.

    Raises:
        ValueError: A limit is infinite, or ``n`` is less than 1.

    >>> tombacx.scipy.integrate.fixed_quad(lambda x: x**8, 0.0, 3.0)[0].round(6)
    array(2187.)
    """
    if not (np.isfinite(a) and np.isfinite(b)):
        raise ValueError(f"fixed_quad: limits must be finite, not {a} and {b}")
    if operator.index(n) < 1:
        raise ValueError(f"fixed_quad: n must be at least 1, not {n}")
    points, weights = map(tombac.array, _gauss(n))
    values = func((b - a) * (points + 1) / 2 + a, *args)
    return (b - a) / 2 * (weights * values).sum(axis=-1), None
