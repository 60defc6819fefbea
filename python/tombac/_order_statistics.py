"""Medians and quantiles: elements at places in the order along axes, and between them."""

import math
import warnings

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._select import take_along_axis
from tombac._util import as_device, deliver, normalize_axis_tuple

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]


# ---- rows ------------------------------------------------------------------------------------------------------------


class _Rows:
    """An array as rows: the axes that a statistic goes over are one, the last."""

    def __init__(self, name, a, axis):
        self.name = name
        ndim = a.ndim
        axes = tuple(range(ndim)) if axis is None else normalize_axis_tuple(axis, ndim, "axis")
        rest = tuple(d for d in range(ndim) if d not in axes)
        self.order = rest + tuple(sorted(axes))
        self.n = math.prod(a.shape[d] for d in axes)
        self.shape = tuple(a.shape[d] for d in rest)
        self.kept = tuple(1 if d in axes else a.shape[d] for d in range(ndim))

    def of(self, a):
        if a.ndim > 1 and self.order != tuple(range(a.ndim)):
            a = a.transpose(self.order)
        return a.reshape(self.shape + (self.n,))

    def ordered(self, a):
        return _core._sort(self.of(a), -1)

    def elements(self, a, places):
        """What sorting would put at these places of each row, as the last axis; the other elements stay unsorted."""
        return _core._order_statistics(self.of(a), places, -1)

    def numbers(self, a):
        """How many elements of the only row are not NaN, which the host waits for, but 1 if none is."""
        return max(int(_numbers(self.of(a))[0]), 1)

    def deliver(self, result, before, keepdims, out):
        """A result of the shape before + self.shape."""
        if keepdims:
            result = result.reshape(before + self.kept)
        return deliver(self.name, result, out)


# ---- medians ---------------------------------------------------------------------------------------------------------


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle of the elements in order, or the mean of the two in the middle; NaN where one of them is NaN.

    Args:
        a: An array of any dtype.
        axis: One axis or several; all by default.
        out: Where to put the result.
        overwrite_input: Accepted and not needed.
        keepdims: The axes stay, with length 1.

    Returns:
        An array of ``a``'s dtype if that is inexact, of float64 otherwise.

    Raises:
        AxisError: There is no such axis.

    >>> tombac.median(tombac.array([[10, 7, 4], [3, 2, 1]]))
    array(3.5)
    """
    a = as_device("median", a)
    rows = _Rows("median", a, axis)
    return rows.deliver(_medians(rows, a), (), keepdims, out)


def _medians(rows, a):
    n = rows.n
    if n == 0:
        return _core.mean(rows.of(a), -1)
    middle = (n // 2,) if n % 2 else (n // 2 - 1, n // 2)
    if a._kind not in "fc":
        return _core.mean(rows.elements(a, middle), -1)
    found = rows.elements(a, (*middle, n - 1))
    last = found[..., -1]
    return where(_core.isnan(last), last, _core.mean(found[..., :-1], -1))


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The median of what is not NaN; NaN where nothing is left.

    Args:
        a: An array of any dtype.
        axis: One axis or several; all by default.
        out: Where to put the result.
        overwrite_input: Accepted and not needed.
        keepdims: The axes stay, with length 1.

    Returns:
        An array of ``a``'s dtype if that is inexact, of float64 otherwise.

    Raises:
        AxisError: There is no such axis.

    Unlike NumPy's it does not warn of rows in which nothing is left.

    >>> tombac.nanmedian(tombac.array([3.0, tombac.nan, 1.0]))
    array(2.)
    """
    a = as_device("nanmedian", a)
    rows = _Rows("nanmedian", a, axis)
    if rows.n == 0 or a._kind not in "fc":
        return rows.deliver(_medians(rows, a), (), keepdims, out)
    if rows.shape == ():
        n = rows.numbers(a)
        return rows.deliver(_core.mean(rows.elements(a, ((n - 1) // 2, n // 2)[n % 2 :]), -1), (), keepdims, out)
    ordered = rows.ordered(a)
    count = _numbers(ordered)
    below, above = _core.maximum(count - 1, 0) // 2, _core.minimum(count // 2, rows.n - 1)
    middle = take_along_axis(ordered, _core.concatenate((below, above), -1), -1)
    result = where((below == above)[..., 0], middle[..., 0], _core.mean(middle, -1))
    return rows.deliver(result, (), keepdims, out)


def _numbers(ordered):
    """How many elements of each row are not NaN, as a last axis of length 1."""
    return _core.sum(~_core.isnan(ordered), -1, np.int64, None, True)


# ---- quantiles -------------------------------------------------------------------------------------------------------


# alpha and beta of Hyndman and Fan: the q-quantile is element n * q + alpha + q * (1 - alpha - beta), from 1 on.
_CONTINUOUS = {
    "interpolated_inverted_cdf": (0, 1), "hazen": (0.5, 0.5), "weibull": (0, 0), "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
_METHODS = (
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", *_CONTINUOUS, "linear", "lower", "higher",
    "midpoint", "nearest",
)


def _places(method, n, q, xp):
    """Where the quantiles are in n elements in order, from 0 on; integers where that is an element."""
    if method == "inverted_cdf":
        at = n * q - 1
        return xp.maximum(xp.ceil(at), 0).astype(np.int64)
    if method == "averaged_inverted_cdf":
        return n * q - 1
    if method == "closest_observation":
        at = n * q - 1 - 0.5
        below = xp.floor(at)
        even = (at == below) & (below % 2 == 1)
        return xp.maximum(xp.where(even, below, below + 1), 0).astype(np.int64)
    if method in _CONTINUOUS:
        alpha, beta = _CONTINUOUS[method]
        return n * q + (alpha + q * (1 - alpha - beta)) - 1
    at = (n - 1) * q
    if method == "linear":
        return at
    if method == "midpoint":
        return 0.5 * (xp.floor(at) + xp.ceil(at))
    return {"lower": xp.floor, "higher": xp.ceil, "nearest": xp.rint}[method](at).astype(np.int64)


def _are_elements(method, kind):
    """Whether places of a kind are taken as they are: integers, but where the method goes between elements anyhow."""
    return kind in "iu" and method not in _CONTINUOUS and method != "averaged_inverted_cdf"


def _neighbours(method, at, n, xp):
    """The elements around a place, and how far it is from the first to the second."""
    below = xp.floor(at)
    first = xp.minimum(xp.maximum(below, 0), n - 1)
    second = xp.minimum(xp.maximum(below + 1, 0), n - 1)
    part = at - first
    if method == "averaged_inverted_cdf":
        part = xp.where(part == 0, 0.5, 1.0)
    elif method == "midpoint":
        part = xp.where(at % 1 == 0, 0.0, 0.5)
    return first.astype(np.int64), second.astype(np.int64), part


def _between(first, second, part, dtype=None):
    """part of the way from first to second, so that it does not decrease from one part to the next.

    Parts that are an array are rounded to `dtype` if there is one, as a Python float would be: what is left of the way
    is found before.
    """
    step = second - first
    if not isinstance(part, _core.ndarray):
        return second - step * (1 - part) if part >= 0.5 else first + step * part
    rest = 1 - part
    if dtype is not None:
        return where(part >= 0.5, second - step * rest.astype(dtype), first + step * part.astype(dtype))
    return where(part >= 0.5, second - step * rest, first + step * part)


def _quantiles(rows, a, n, q, method, weak, nan):
    """Quantiles of the n least elements of each row, NaN (if `nan`) where the last is; the shape of q comes last."""
    if weak and method == "linear" and q.dtype.kind == "f":
        return _quantile_between(rows, a, n, float(q), nan)
    at = np.asarray(_places(method, n, q, np))
    whole = _are_elements(method, at.dtype.kind)
    first, second, part = (np.clip(at, 0, n - 1), None, None) if whole else _neighbours(method, at, n, np)
    places = first.reshape(-1).tolist() + ([] if whole else second.reshape(-1).tolist()) + ([n - 1] if nan else [])
    found = rows.elements(a, tuple(places))
    shape = rows.shape + q.shape
    result = found[..., : q.size].reshape(shape)
    if not whole:
        part = float(part) if weak else _core.asarray(np.asarray(part, at.dtype))
        result = _between(result, found[..., q.size : 2 * q.size].reshape(shape), part)
    return _spread_nan(result, found[..., -1], rows, q) if nan else result


def _quantile_between(rows, a, n, q, nan):
    """The same for one Python number and the method that most ask for, of which the host knows all beforehand."""
    at = (n - 1) * q
    first = min(max(math.floor(at), 0), n - 1)
    second = min(first + 1, n - 1)
    found = rows.elements(a, (first, second, n - 1) if nan else (first, second))
    result = _between(found[..., 0], found[..., 1], at - first)
    return _spread_nan(result, found[..., 2], rows, None) if nan else result


def _spread_nan(result, last, rows, q):
    """NaN for the rows whose last element in order is NaN."""
    nan = _core.isnan(last)
    return where(nan.reshape(rows.shape + (1,) * q.ndim) if q is not None and q.ndim else nan, math.nan, result)


def _nan_quantiles(ordered, n, q, method, weak):
    """The same of what is not NaN, of which rows have different numbers: all places count."""
    count = _numbers(ordered)
    places = _core.asarray((q if q.dtype.kind in "iu" else q.astype(np.float64, copy=False)).reshape(-1))
    at = _places(method, count, places, _core)
    shape = ordered.shape[:-1] + q.shape

    def elements(positions):
        return take_along_axis(ordered, _core.clip(positions, 0, n - 1), -1).reshape(shape)

    if _are_elements(method, at._kind):
        return elements(_core.minimum(at, count - 1))
    first, second, part = _neighbours(method, at, count, _core)
    part = part.reshape(shape)
    return _between(elements(first), elements(second), part, ordered.dtype if weak else None)


def _weighted(rows, a, q, weights, axis, ignore_nan):
    """The inverted_cdf of rows whose elements count as much as their weights; the shape of q comes last."""
    if weights.shape != a.shape:
        axes = None if axis is None else normalize_axis_tuple(axis, a.ndim, "axis")
        if axes is None:
            raise TypeError(f"{rows.name}: axis is needed where the shapes of a and weights differ")
        if weights.shape != tuple(a.shape[d] for d in axes):
            raise ValueError(f"{rows.name}: weights of shape {weights.shape} do not match axes {axes} of shape "
                             f"{a.shape}")
        weights = weights.transpose([int(i) for i in np.argsort(axes)])
        weights = _core.broadcast_to(
            weights.reshape(tuple(n if d in axes else 1 for d, n in enumerate(a.shape))), a.shape)
    if bool((weights < 0).any()):
        raise ValueError(f"{rows.name}: weights must not be negative")
    values = rows.of(a)
    order = _core._argsort(values, -1)
    ordered = take_along_axis(values, order, -1)
    weights = take_along_axis(rows.of(weights), order, -1)
    if ignore_nan and a._kind == "f":
        weights = where(_core.isnan(ordered), 0, weights)
    share = _core.cumsum(weights, -1, np.float64)
    share = share / share[..., -1:]
    unknown = _core.isnan(share[..., -1])
    if ignore_nan and a._kind == "f":  # but nothing has a weight where all is NaN
        unknown = unknown & ~_core.isnan(ordered[..., 0])
    if bool(unknown.any()):
        raise ValueError(f"{rows.name}: weights include NaN or infinity, or are all zero")
    share = where(share == 0, -1, share)
    below = _core.sum(share[..., None, :] < _core.asarray(q.reshape(-1).astype(np.float64))[:, None], -1, np.int64)
    at = _core.minimum(below, rows.n - 1)
    return ordered, take_along_axis(ordered, at, -1).reshape(rows.shape + q.shape)


def _method(name, method, interpolation):
    if interpolation is not None:
        warnings.warn(f"{name}: interpolation= is now method=", DeprecationWarning, stacklevel=4)
        if method != "linear":
            raise TypeError(f"{name}: method and interpolation cannot be given at the same time")
        method = interpolation
    if method not in _METHODS:
        raise ValueError(f"{name}: {method!r} is not a valid method, use one of: {', '.join(_METHODS)}")
    return method


def _check_q(name, q, most):
    """Quantiles as an array of the host's, and whether they are one Python number, which bends to a's dtype."""
    weak = type(q) in (int, float)
    if weak and 0 <= q <= most:
        return np.asarray(q if most == 1 else q / most), True
    q = np.asarray(_core._on_host(q))
    if most != 1:
        q = np.asarray(np.true_divide(q, most))
    if q.ndim > 2:
        raise ValueError(f"{name}: q must have at most two dimensions, it has {q.ndim}")
    if q.size and not (q.min() >= 0 and q.max() <= 1):
        raise ValueError(f"{name}: q must be in the range [0, {most}]")
    return q, weak


def _quantile(name, a, q, most, axis, out, method, keepdims, weights, interpolation, ignore_nan):
    method = _method(name, method, interpolation)
    a = as_device(name, a)
    if a._kind == "c":
        raise TypeError(f"{name}: a must be an array of real numbers, not of {a.dtype}")
    q, weak = _check_q(name, q, most)
    rows = _Rows(name, a, axis)
    before = q.shape
    nan = a._kind == "f"
    if rows.n == 0:
        if math.prod(rows.shape) and q.size and not ignore_nan:
            raise IndexError(f"{name}: there are no elements")
        result = _core.full(before + rows.shape, np.nan, a.dtype if nan else np.float64)
        return rows.deliver(result, before, keepdims, out)
    if weights is not None:
        if method != "inverted_cdf":
            raise ValueError(f"{name}: only method 'inverted_cdf' takes weights, not {method!r}")
        ordered, result = _weighted(rows, a, q, as_device(name, weights), axis, ignore_nan)
        if nan and not ignore_nan:
            result = _spread_nan(result, ordered[..., -1], rows, q)
    elif ignore_nan and nan and rows.shape != ():
        result = _nan_quantiles(rows.ordered(a), rows.n, q, method, weak)
    else:
        n = rows.numbers(a) if ignore_nan and nan else rows.n
        result = _quantiles(rows, a, n, q, method, weak, nan and not ignore_nan)
    if q.ndim:
        k = len(rows.shape)
        result = result.transpose(tuple(range(k, k + q.ndim)) + tuple(range(k)))
    return rows.deliver(result, before, keepdims, out)


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None,
             interpolation=None):
    """Quantiles along axes; NaN where there is one among the elements.

    Args:
        a: A real array.
        q: Numbers in [0, 1]: one, or an array of up to two dimensions (of the device's, which is read).
        axis: One axis or several; all by default.
        out: Where to put the result.
        overwrite_input: Accepted and not needed.
        method: 'linear', which interpolates between elements, or 'inverted_cdf', 'averaged_inverted_cdf',
            'closest_observation', 'interpolated_inverted_cdf', 'hazen', 'weibull', 'median_unbiased',
            'normal_unbiased', 'lower', 'higher', 'midpoint', 'nearest'; all as NumPy defines them.
        keepdims: The axes stay, with length 1.
        weights: How much each element counts: an array of ``a``'s shape, or of that of its reduced axes; with method
            'inverted_cdf' only.
        interpolation: The old name of ``method``.

    Returns:
        An array of the shape of ``q`` and then that of the axes which are left. The dtype is ``a``'s where the method
        takes elements; where it interpolates float64, or ``a``'s if that is inexact and ``q`` a Python number.

    Raises:
        TypeError: ``a`` is complex; or a bool array that would have to be interpolated.
        ValueError: ``q`` is not in [0, 1], or the method is none of these.
        IndexError: There are no elements.

    >>> tombac.quantile(tombac.array([1.0, 2.0, 4.0]), [0.5, 0.75])
    array([2., 3.])
    """
    return _quantile("quantile", a, q, 1, axis, out, method, keepdims, weights, interpolation, False)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None,
               interpolation=None):
    """Percentiles along axes, quantile(a, q / 100, ...); NaN where there is one among the elements.

    Args:
        a: A real array.
        q: Numbers in [0, 100]: one, or an array of up to two dimensions (of the device's, which is read).
        axis: One axis or several; all by default.
        out: Where to put the result.
        overwrite_input: Accepted and not needed.
        method: How to go between elements: one of the names that quantile takes.
        keepdims: The axes stay, with length 1.
        weights: How much each element counts: an array of ``a``'s shape, or of that of its reduced axes; with method
            'inverted_cdf' only.
        interpolation: The old name of ``method``.

    Returns:
        An array of the shape of ``q`` and then that of the axes which are left, of the dtype that quantile gives.

    Raises:
        TypeError: ``a`` is complex; or a bool array that would have to be interpolated.
        ValueError: ``q`` is not in [0, 100], or the method is none of these.
        IndexError: There are no elements.

    >>> tombac.percentile(tombac.array([1.0, 2.0, 4.0]), 75)
    array(3.)
    """
    return _quantile("percentile", a, q, 100, axis, out, method, keepdims, weights, interpolation, False)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None,
                interpolation=None):
    """Quantiles along axes of what is not NaN; NaN where nothing is left.

    Args:
        a: A real array.
        q: Numbers in [0, 1]: one, or an array of up to two dimensions (of the device's, which is read).
        axis: One axis or several; all by default.
        out: Where to put the result.
        overwrite_input: Accepted and not needed.
        method: How to go between elements: one of the names that quantile takes.
        keepdims: The axes stay, with length 1.
        weights: How much each element counts: an array of ``a``'s shape, or of that of its reduced axes; with method
            'inverted_cdf' only.
        interpolation: The old name of ``method``.

    Returns:
        An array of the shape of ``q`` and then that of the axes which are left, of the dtype that quantile gives.

    Raises:
        TypeError: ``a`` is complex; or a bool array that would have to be interpolated.
        ValueError: ``q`` is not in [0, 1], or the method is none of these.

    >>> tombac.nanquantile(tombac.array([1.0, tombac.nan, 3.0]), 0.5)
    array(2.)
    """
    return _quantile("nanquantile", a, q, 1, axis, out, method, keepdims, weights, interpolation, True)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None,
                  interpolation=None):
    """Percentiles along axes of what is not NaN; NaN where nothing is left.

    Args:
        a: A real array.
        q: Numbers in [0, 100]: one, or an array of up to two dimensions (of the device's, which is read).
        axis: One axis or several; all by default.
        out: Where to put the result.
        overwrite_input: Accepted and not needed.
        method: How to go between elements: one of the names that quantile takes.
        keepdims: The axes stay, with length 1.
        weights: How much each element counts: an array of ``a``'s shape, or of that of its reduced axes; with method
            'inverted_cdf' only.
        interpolation: The old name of ``method``.

    Returns:
        An array of the shape of ``q`` and then that of the axes which are left, of the dtype that quantile gives.

    Raises:
        TypeError: ``a`` is complex; or a bool array that would have to be interpolated.
        ValueError: ``q`` is not in [0, 100], or the method is none of these.

    >>> tombac.nanpercentile(tombac.array([1.0, tombac.nan, 3.0]), 50)
    array(2.)
    """
    return _quantile("nanpercentile", a, q, 100, axis, out, method, keepdims, weights, interpolation, True)
