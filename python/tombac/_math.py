"""Rounding, differences, sums with options, and other mathematical functions that are compositions of ufuncs."""

import math
import operator

from tombac import _core
from tombac._core import concatenate, where
from tombac._dtypes import can_cast, finfo
from tombac._numpy import np
from tombac._util import (
    as_device, check_arrays, has_functions, is_host_array, is_number, normalize_axis_index, normalize_axis_tuple,
    other_name,
)

__all__ = [
    "angle", "around", "cumulative_prod", "cumulative_sum", "diff", "ediff1d", "gradient", "imag", "nan_to_num",
    "real", "real_if_close", "round", "round_", "trapezoid", "trapz", "unwrap",
]


# ---- parts of numbers ------------------------------------------------------------------------------------------------


def real(val):
    """The real part; a view for complex arrays, ``val`` itself for real ones.

    Args:
        val: An array of any dtype and shape, or a number.

    Returns:
        An array of the parts' dtype: float32 for complex64, float64 for complex128.

    Raises:
        TypeError: ``val`` is neither a tombac array nor a number.

    >>> tombac.real(tombac.array([1 + 2j, 3]))
    array([1., 3.])
    """
    return val.real if isinstance(val, _core.ndarray) or has_functions(val) else as_device("real", val).real


def imag(val):
    """The imaginary part; a view for complex arrays, zeros for real ones.

    Args:
        val: An array of any dtype and shape, or a number.

    Returns:
        An array of the parts' dtype: float32 for complex64, float64 for complex128.

    Raises:
        TypeError: ``val`` is neither a tombac array nor a number.

    >>> tombac.imag(tombac.array([1 + 2j, 3]))
    array([2., 0.])
    """
    return val.imag if isinstance(val, _core.ndarray) or has_functions(val) else as_device("imag", val).imag


def angle(z, deg=False):
    """The angle of complex numbers in radians, or degrees.

    Args:
        z: An array of any dtype and shape, or a number.
        deg: Whether the result is in degrees.

    Returns:
        An array of ``z``'s shape, of the parts' dtype for complex numbers; between -pi and pi.

    Raises:
        TypeError: ``z`` is neither a tombac array nor a number.

    >>> tombac.angle(tombac.array([1j, -1.0]), deg=True)
    array([ 90., 180.])
    """
    z = as_device("angle", z)
    result = _core.arctan2(z.imag, z.real) if z._kind == "c" else _core.arctan2(0, z)
    return result * (180 / np.pi) if deg else result


def real_if_close(a, tol=100):
    """The real part if every imaginary part is within ``tol`` machine epsilons of zero; this waits for the device.

    Args:
        a: An array of any dtype and shape.
        tol: How many machine epsilons of the dtype; up to 1 it is the distance itself.

    Returns:
        An array: a view of the real parts, or ``a`` itself.

    Raises:
        TypeError: ``a`` is no tombac array.

    >>> tombac.real_if_close(tombac.array([1 + 1e-16j, 2]))
    array([1., 2.])
    """
    if not isinstance(a, _core.ndarray):
        check_arrays("real_if_close", a)
    if a._kind != "c":
        return a
    if tol > 1:
        tol = np.finfo(a.dtype).eps * tol
    return a.real if bool((_core.absolute(a.imag) < tol).all()) else a


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """``x`` with NaN and infinities replaced by numbers: zero and the largest ones of the dtype by default.

    Args:
        x: An array of any dtype and shape, or a number.
        copy: False writes to ``x`` itself.
        nan, posinf, neginf: What takes the places of NaN and the infinities.

    Returns:
        An array of ``x``'s dtype and shape.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.nan_to_num(tombac.array([tombac.nan, 1.5]))
    array([0. , 1.5])
    """
    x = as_device("nan_to_num", x)
    if x._kind not in "fc":
        return x.copy("K") if copy else x
    result = x.copy("K") if copy else x
    parts = (result.real, result.imag) if x._kind == "c" else (result,)
    limits = finfo(x.dtype)
    posinf = float(limits.max) if posinf is None else posinf
    neginf = float(limits.min) if neginf is None else neginf
    for p in parts:
        value = where(p == -np.inf, neginf, p)
        value = where(p == np.inf, posinf, value)
        p[...] = where(_core.isnan(p), nan, value)
    return result


# ---- rounding --------------------------------------------------------------------------------------------------------


def around(a, decimals=0, out=None):
    """``a`` rounded to ``decimals`` places, halves to even; negative places round to tens, hundreds and so on.

    Args:
        a: An array of any dtype and shape, or a number; NumPy's are rounded by their own method.
        decimals: How many places; an int.
        out: An array of ``a``'s shape to write to.

    Returns:
        An array of ``a``'s dtype and shape; of float16 for truth values.

    Raises:
        TypeError: ``a`` is neither an array nor a number.

    >>> tombac.around(tombac.array([1.25, 2.675]), 1)
    array([1.2, 2.7])
    """
    a = a if is_host_array(a) else as_device("around", a)
    return a.round(decimals, out)


round = around
round_ = around


# ---- differences and integrals ---------------------------------------------------------------------------------------


def _slices(axis):
    """Indices along one axis: f(i, j) is [..., i:j, ...]."""
    before = (slice(None),) * axis
    return lambda i, j=None: before + (slice(i, j),)


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """The ``n``-th difference along ``axis``: a[1:] - a[:-1], n times.

    ``prepend`` and ``append`` are put before and behind ``a`` first.

    Args:
        a: An array of any dtype and at least one dimension; truth values are compared, not subtracted.
        n: How often; an int, not negative.
        axis: The axis.
        prepend, append: Arrays of ``a``'s shape except along the axis, or numbers.

    Returns:
        An array, shorter by ``n`` along the axis; ``a`` itself if ``n`` is 0.

    Raises:
        ValueError: ``n`` is negative, or ``a`` has no dimensions.
        AxisError: There is no such axis.

    >>> tombac.diff(tombac.array([1, 4, 9, 16]))
    array([3, 5, 7])
    """
    check_arrays("diff", a)
    n = operator.index(n)
    if n < 0:
        raise ValueError(f"diff: n must not be negative, it is {n}")
    if n == 0:
        return a
    if a.ndim == 0:
        raise ValueError("diff: the input must have at least one dimension")
    axis = normalize_axis_index(axis, a.ndim)
    if prepend is not None or append is not None:
        ends = [_end(e, a, axis) for e in (prepend, a, append) if e is not None]
        a = concatenate(ends, axis)
    at = _slices(axis)
    behind, before = at(1), at(0, -1)
    step = _core.not_equal if a._kind == "b" else _core.subtract
    for _ in range(n):
        a = step(a[behind], a[before])
    return a


def _end(end, a, axis):
    """What goes before or behind a along axis; a number stands for a slice of it."""
    end = as_device("diff", end)
    return end if end.ndim else _core.broadcast_to(end, a.shape[:axis] + (1,) + a.shape[axis + 1 :])


def ediff1d(arr=None, to_end=None, to_begin=None, *, ary=None):
    """Differences of consecutive elements of the flattened array, with ends put on.

    Args:
        arr: An array of any dtype of numbers and any shape.
        to_end, to_begin: Arrays or numbers, flattened and cast to ``arr``'s dtype.
        ary: NumPy's name of ``arr``.

    Returns:
        An array of ``arr``'s dtype and one dimension.

    Raises:
        TypeError: ``arr`` is no tombac array, or of truth values.

    >>> tombac.ediff1d(tombac.array([1, 4, 9]), to_begin=0)
    array([0, 3, 5])
    """
    if ary is not None:
        arr = other_name("ediff1d", arr, ary)
    check_arrays("ediff1d", arr)
    flat = arr.ravel()
    parts = [flat[1:] - flat[:-1]]
    if to_begin is not None:
        parts.insert(0, _beside(arr, to_begin))
    if to_end is not None:
        parts.append(_beside(arr, to_end))
    return concatenate(parts) if len(parts) > 1 else parts[0]


def _beside(arr, values):
    values = as_device("ediff1d", values)
    if not can_cast(values.dtype, arr.dtype, "same_kind"):
        raise TypeError(f"ediff1d: values of {values.dtype} cannot stand beside differences of {arr.dtype}")
    return values.ravel().astype(arr.dtype, copy=False)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral of ``y`` along ``axis`` by the trapezoidal rule, over the points ``x`` or with spacing ``dx``.

    Args:
        y: An array of any dtype of numbers and at least one dimension.
        x: The points: an array of one dimension, or of ``y``'s shape; None for points ``dx`` apart.
        dx: The distance of points.
        axis: The axis.

    Returns:
        An array without that axis, of an inexact dtype.

    Raises:
        AxisError: There is no such axis.
        ValueError: The shapes of ``x`` and ``y`` do not match.

    >>> tombac.trapezoid(tombac.array([1.0, 2.0, 3.0]))
    array(4.)
    """
    check_arrays("trapezoid", y)
    axis = normalize_axis_index(axis, y.ndim)
    at = _slices(axis)
    if x is not None:
        x = as_device("trapezoid", x)
        dx = diff(x).reshape((-1,) + (1,) * (y.ndim - axis - 1)) if x.ndim == 1 else diff(x, axis=axis)
    return (dx * (y[at(1)] + y[at(0, -1)]) / 2.0).sum(axis)


trapz = trapezoid


def gradient(f, *varargs, axis=None, edge_order=1):
    """Central differences inside, one-sided ones at the ends, along each axis.

    Args:
        f: An array of numbers with at least one dimension; integers are converted to float64.
        varargs: The spacing: nothing (1), one number for all axes, or for each axis a number or the coordinates.
        axis: The axes, all by default.
        edge_order: Order of accuracy at the ends, 1 or 2.

    Returns:
        An array for one axis, a tuple of arrays for several.

    Raises:
        ValueError: An axis is too short, coordinates do not match it, or ``edge_order`` is neither 1 nor 2.
        TypeError: There are not as many spacings as axes, or ``f`` is of truth values.

    >>> tombac.gradient(tombac.array([1.0, 4.0, 9.0, 16.0]))
    array([3., 4., 6., 7.])
    """
    check_arrays("gradient", f)
    axes = tuple(range(f.ndim)) if axis is None else normalize_axis_tuple(axis, f.ndim)
    if edge_order not in (1, 2):
        raise ValueError("gradient: edge_order must be 1 or 2")
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError(f"gradient: {len(varargs)} spacings for {len(axes)} axes")
    spacings = varargs * len(axes) if len(varargs) == 1 else varargs or (1.0,) * len(axes)
    if f._kind == "b":
        raise TypeError("gradient: bool arrays have no differences; convert them to a number dtype first")
    f = f if f._kind in "fc" else f.astype(np.float64)
    results = [_gradient(f, d, h, edge_order) for d, h in zip(axes, spacings)]
    return results[0] if len(results) == 1 else tuple(results)


def _gradient(f, axis, h, edge_order):
    n = f.shape[axis]
    if n < edge_order + 1:
        raise ValueError(f"gradient: axis {axis} has length {n}, at least {edge_order + 1} is needed")
    at = _slices(axis)
    out = _core.empty_like(f)
    if is_number(h):
        first = last = first2 = last2 = h
        out[at(1, -1)] = (f[at(2)] - f[at(0, -2)]) / (2.0 * h)
    else:
        h = as_device("gradient", h)
        h = diff(h if h._kind in "fc" else h.astype(np.float64))
        if h.ndim != 1 or h.shape[0] != n - 1:
            raise ValueError(f"gradient: the coordinates of axis {axis} must be a vector of length {n}")
        wide = h.reshape((-1,) + (1,) * (f.ndim - axis - 1))
        low, high = wide[:-1], wide[1:]
        a, b, c = -high / (low * (low + high)), (high - low) / (low * high), low / (high * (low + high))
        out[at(1, -1)] = a * f[at(0, -2)] + b * f[at(1, -1)] + c * f[at(2)]
        first, last = h[0], h[-1]
        first2, last2 = (h[1], h[-2]) if n > 2 else (h[0], h[-1])
    if edge_order == 1:
        out[at(0, 1)] = (f[at(1, 2)] - f[at(0, 1)]) / first
        out[at(-1)] = (f[at(-1)] - f[at(-2, -1)]) / last
        return out
    a, b, c = _edge(first, first2)
    out[at(0, 1)] = a * f[at(0, 1)] + b * f[at(1, 2)] + c * f[at(2, 3)]
    a, b, c = _edge(last, last2)
    out[at(-1)] = -(a * f[at(-1)] + b * f[at(-2, -1)] + c * f[at(-3, -2)])
    return out


def _edge(h, k):
    """Weights of a second-order one-sided difference with steps h, then k."""
    return -(2.0 * h + k) / (h * (h + k)), (h + k) / (h * k), -h / (k * (h + k))


def unwrap(p, discont=None, axis=-1, *, period=2 * math.pi):
    """``p`` with jumps of more than ``discont`` (half a period) along ``axis`` taken out by whole periods.

    Args:
        p: An array of numbers with at least one dimension: angles, or what else has a period.
        discont: The largest step that is left as it is; None, or less than half a period, is half a period.
        axis: The axis.
        period: The period.

    Returns:
        An array of ``p``'s shape, inexact unless ``p`` and ``period`` are integers.

    Raises:
        AxisError: There is no such axis.

    >>> tombac.unwrap(tombac.array([0.0, 3.0, -3.0]))
    array([0.        , 3.        , 3.28318531])
    """
    check_arrays("unwrap", p)
    axis = normalize_axis_index(axis, p.ndim)
    step = diff(p, axis=axis)
    discont = period / 2 if discont is None else discont
    t = _core.result_type(step.dtype, period)
    if np.issubdtype(t, np.integer):
        high, odd = divmod(period, 2)
        ambiguous = odd == 0
    else:
        high, ambiguous = period / 2, True
    folded = _core.remainder(step + high, period) - high
    if ambiguous:
        folded = where((folded == -high) & (step > 0), high, folded)
    correction = where(_core.absolute(step) < discont, 0, folded - step)
    up = p.astype(t)
    at = _slices(axis)
    up[at(1)] = p[at(1)] + _core.cumsum(correction, axis)
    return up


# ---- running sums ----------------------------------------------------------------------------------------------------


def _cumulative(name, scan, start, x, axis, dtype, out, include_initial):
    x = as_device(name, x)
    if x.ndim == 0:
        x = x.reshape(1)
    if axis is None:
        if x.ndim > 1:
            raise ValueError(f"{name}: axis is needed for an array of {x.ndim} dimensions")
        axis = 0
    axis = normalize_axis_index(axis, x.ndim)
    if not include_initial:
        return scan(x, axis, dtype, out)
    if out is None:
        values = scan(x, axis, dtype)
        first = _core.full(x.shape[:axis] + (1,) + x.shape[axis + 1 :], start, values.dtype)
        return concatenate((first, values), axis)
    out = out[0] if isinstance(out, tuple) else out
    at = _slices(axis)
    scan(x, axis, out.dtype if dtype is None else dtype, out[at(1)])
    out[at(0, 1)] = start
    return out


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """Running sum along ``axis``, starting with zero if ``include_initial``.

    Args:
        x: An array of any dtype and shape, or a number.
        axis: The axis; None for an array of one dimension.
        dtype: The result's dtype; integers narrower than int64 are summed in int64.
        out: An array of the result's shape to write to.
        include_initial: Whether the result begins with zero, and is longer by one.

    Returns:
        An array of ``x``'s shape, longer by one along the axis if ``include_initial``.

    Raises:
        ValueError: ``axis`` is None and ``x`` has several dimensions.
        AxisError: There is no such axis.

    >>> tombac.cumulative_sum(tombac.arange(1, 4), include_initial=True)
    array([0, 1, 3, 6])
    """
    return _cumulative("cumulative_sum", _core.cumsum, 0, x, axis, dtype, out, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """Running product along ``axis``, starting with one if ``include_initial``.

    Args:
        x: An array of any dtype and shape, or a number.
        axis: The axis; None for an array of one dimension.
        dtype: The result's dtype; integers narrower than int64 are multiplied in int64.
        out: An array of the result's shape to write to.
        include_initial: Whether the result begins with one, and is longer by one.

    Returns:
        An array of ``x``'s shape, longer by one along the axis if ``include_initial``.

    Raises:
        ValueError: ``axis`` is None and ``x`` has several dimensions.
        AxisError: There is no such axis.

    >>> tombac.cumulative_prod(tombac.arange(1, 4), include_initial=True)
    array([1, 1, 2, 6])
    """
    return _cumulative("cumulative_prod", _core.cumprod, 1, x, axis, dtype, out, include_initial)
