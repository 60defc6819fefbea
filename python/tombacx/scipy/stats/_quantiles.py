"""Quantiles of samples, and where numbers are among them.

Hyndman and Fan, The American Statistician 50, 1996, number the ways between elements; Harrell and Davis, Biometrika 69,
1982; Newey and Powell, Econometrica 55, 1987 (expectiles).
"""

import math
import numbers

import tombac
from tombac import _core
from tombac._core import special, where
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.stats._over import check_policy, check_real
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["expectile", "percentileofscore", "quantile", "scoreatpercentile"]

_OFFSETS = {  # the m of Hyndman's and Fan's, of the probability
    "inverted_cdf": lambda p: 0 * p, "averaged_inverted_cdf": lambda p: 0 * p,
    "closest_observation": lambda p: 0 * p - 0.5, "interpolated_inverted_cdf": lambda p: 0 * p,
    "hazen": lambda p: 0 * p + 0.5, "weibull": lambda p: p, "linear": lambda p: 1 - p,
    "median_unbiased": lambda p: p / 3 + 1 / 3, "normal_unbiased": lambda p: p / 4 + 3 / 8,
}
_ROUNDED = {  # to which side numbers of elements are rounded, below the middle and above
    "round_outward": (_core.floor, _core.ceil), "round_inward": (_core.ceil, _core.floor),
    "round_nearest": (_core.rint, _core.rint),
}


@_documented
def quantile(x, p, *, method="linear", axis=0, nan_policy="propagate", keepdims=None, weights=None):
    """Quantiles of samples, of which each sample may have its own.

    Args:
        x: The samples: an array of any real dtype.
        p: The probabilities: a float, or an array of a floating dtype whose shape broadcasts with ``x``'s but for the
            axis, along which it has any length.
        method: What is between elements: as that of numpy.quantile, from ``"inverted_cdf"`` to
            ``"normal_unbiased"``; ``"harrell-davis"``, a mean of all elements; or an element itself:
            ``"round_outward"``, ``"round_inward"``, ``"round_nearest"``.
        axis: Along which axis, of what shapes have been extended to in front, the samples lie; None takes all elements
            for one.
        {nan_policy}
        keepdims: Whether the axis stays; None: only if there are several probabilities along it.
        weights: How often elements count: an array that broadcasts with ``x``; once if None.

    Returns:
        An array of the samples' and the probabilities' dtype, with the probabilities along the axis; NaN where a
        probability is not from 0 to 1.

    Raises:
        TypeError: The samples are no tombac array, or complex.
        ValueError: Shapes do not broadcast; there is no such axis or method, or none that takes weights; probabilities
            are of no floating dtype, or several where the axis is not to stay.

    >>> x = tombac.array([[1.0, 2.0, 3.0], [5.0, 6.0, 9.0]])
    >>> tombacx.scipy.stats.quantile(x, tombac.array([[0.5], [1.0]]), axis=1)
    array([2., 9.])
    """
    check_policy("quantile", nan_policy)
    if method not in _OFFSETS and method not in _ROUNDED and method != "harrell-davis":
        raise ValueError(f"quantile: no method is called {method!r}")
    if weights is not None and method not in _OFFSETS:
        raise ValueError(f"quantile: the method {method!r} takes no weights")
    y, p, weights, axis, squeezed = _quantile_lines(x, p, axis, keepdims, weights)
    bad = tombac.isnan(y)
    if nan_policy == "raise" and bool(bad.any()):
        raise ValueError("quantile: the samples contain NaN")
    if y.size:
        found = _quantiles(y, p, weights, bad, method, nan_policy)
    else:
        found = tombac.full(p.shape, np.nan, y.dtype)
    found = tombac.moveaxis(found, -1, axis)
    return found.squeeze(axis) if squeezed else found


def _quantile_lines(x, p, axis, keepdims, weights):
    """Samples, probabilities and weights along the last axis, the axis, and whether it goes."""
    check_real("quantile", x)
    weak, p = type(p) is float, tombac.asarray(p)
    if p.dtype.kind != "f":
        raise ValueError(f"quantile: p must be of a floating dtype, not {p.dtype}")
    dtype = np.result_type(x.dtype, p.dtype) if not weak or x.dtype.kind != "f" else x.dtype
    if weights is not None:
        weights = tombac.asarray(weights)
        check_real("quantile", weights)
        dtype = np.result_type(dtype, weights.dtype)
        weights = tombac.broadcast_to(weights.astype("d", copy=False), x.shape)
    ndim = max(x.ndim, p.ndim)
    if axis is None:
        given, (x, p) = ndim, (v.reshape(-1) for v in (x, p))
        weights, kept = None if weights is None else weights.reshape(-1), keepdims or (keepdims is None and p.size != 1)
        if kept:  # the axes that are left are of length 1
            x, p = (v.reshape((1,) * (given - 1) + v.shape) for v in (x, p))
            weights = None if weights is None else weights.reshape(x.shape)
        axis, ndim = -1, x.ndim
    axis = normalize_axis_index(axis, ndim)
    x, p, weights = (v if v is None else tombac.moveaxis(v.reshape((1,) * (ndim - v.ndim) + v.shape), axis, -1)
                     for v in (x, p, weights))
    try:
        batch = np.broadcast_shapes(x.shape[:-1], p.shape[:-1])
    except ValueError:
        raise ValueError(f"quantile: samples of shape {x.shape} and probabilities of {p.shape}, the axis last, do not "
                         "broadcast") from None
    x, p, weights = (v if v is None else tombac.broadcast_to(v, (*batch, v.shape[-1])) for v in (x, p, weights))
    if keepdims is False and p.shape[-1] != 1:
        raise ValueError(f"quantile: an axis with {p.shape[-1]} probabilities must stay")
    return x.astype(dtype, copy=False), p.astype(dtype, copy=False), weights, axis, \
        not keepdims and p.shape[-1] == 1


def _quantiles(y, p, weights, bad, method, nan_policy):
    if weights is None:
        y = tombac.sort(y, axis=-1)
    else:
        order = tombac.argsort(y, axis=-1)
        y = tombac.take_along_axis(y, order, -1)
        weights = tombac.take_along_axis(where(bad, 0.0, weights), order, -1)
    spoilt = bad.any(axis=-1, keepdims=True) if nan_policy == "propagate" else False
    n = y.shape[-1] if nan_policy != "omit" else y.shape[-1] - bad.sum(axis=-1, keepdims=True).astype(y.dtype)
    known = (p >= 0) & (p <= 1) & ~tombac.asarray(spoilt) & (n > 0)
    p = where(known, p, 0.5)
    if method == "harrell-davis":
        found = _averaged(y, p, n)
    elif method in _ROUNDED:
        low, high = _ROUNDED[method]
        found = _elements(y, where(p < 0.5, low(p * n), high(p * n - 1)))
    else:
        found = _between(y, p, n, method, weights)
    return where(known, found, np.nan).astype(y.dtype, copy=False)


def _elements(y, places):
    return tombac.take_along_axis(y, tombac.clip(places, 0, y.shape[-1] - 1).astype("l"), -1)


def _between(y, p, n, method, weights):
    """What is between two elements, or at one."""
    m = _OFFSETS[method](p)
    if weights is None:
        place = p * n + m
        above = tombac.floor(place)
        below = above - 1
    else:
        sums = tombac.cumsum(weights, axis=-1)
        place = p * sums[..., -1:] + m
        above, below = _first_above(sums, place), _first_above(sums, place - 1)
    part = place - tombac.floor(place)
    if method == "inverted_cdf":
        part = where((part > 0) & (place >= 0), 1.0, 0.0)
    elif method == "averaged_inverted_cdf":
        part = where(place < 0, 0.0, where(part > 0, 1.0, 0.5))
    elif method == "closest_observation":
        part = where((place < 0) | ((part == 0) & (below % 2 == 1)), 0.0, 1.0)
    part = where(below < 0, 0.0, part)
    below, above = (_elements(y, tombac.clip(k, 0, n - 1)) for k in (below, above))
    return (1 - part) * below + part * above


def _first_above(sums, places):
    """How many of the sums, that rise along the last axis, are not above places."""
    if sums.ndim == 1:
        return tombac.searchsorted(sums, places, side="right").astype(places.dtype)
    return (sums[..., None, :] <= places[..., None]).sum(axis=-1).astype(places.dtype)


def _averaged(y, p, n):
    p = p[..., None]
    n = n if isinstance(n, int) else n[..., None]
    ends = tombac.arange(y.shape[-1] + 1.0) / n
    reached = special.betainc(p * (n + 1), (1 - p) * (n + 1), tombac.minimum(ends, 1.0))
    weight = where(ends[..., 1:] <= 1, reached[..., 1:] - reached[..., :-1], 0.0)
    return where(ends[..., 1:] <= 1, weight * y[..., None, :], 0.0).sum(axis=-1)


def scoreatpercentile(a, per, limit=(), interpolation_method="fraction", axis=None):
    """Percentiles of samples.

    Args:
        a: The samples: an array of any real dtype.
        per: The percentages: a number or a sequence of them.
        limit: The least and the greatest element that count; empty if all do. With limits all elements are one sample.
        interpolation_method: What is between elements: ``"fraction"``: both, by their distance; ``"lower"`` or
            ``"higher"``: one of them.
        axis: Along which axis the samples lie; None takes all elements for one.

    Returns:
        An array without the axis, and with the axis of ``per`` in front if it is a sequence; NaN if there are no
        samples.

    Raises:
        TypeError: The samples are no tombac array, or complex.
        ValueError: A percentage is not from 0 to 100, or there is no such axis or method.

    >>> tombacx.scipy.stats.scoreatpercentile(tombac.arange(5.0), 30)
    array(1.2)
    """
    check_real("scoreatpercentile", a)
    if interpolation_method not in ("lower", "higher", "fraction"):
        raise ValueError("scoreatpercentile: interpolation_method must be 'fraction', 'lower' or 'higher', not "
                         f"{interpolation_method!r}")
    per = np.asarray(_core._on_host(per), "d")
    if a.size == 0:
        return tombac.full(per.shape, np.nan)
    if limit:
        a = a[(a >= limit[0]) & (a <= limit[1])]
        if a.size == 0:  # whose element at a place is 0, as a sum of none, and nothing lies between two
            if interpolation_method == "fraction" and (per % 100).any():
                raise ValueError("scoreatpercentile: no sample is within the limits")
            return tombac.zeros(per.shape)
    if not (0 <= per <= 100 if per.ndim == 0 else ((per >= 0) & (per <= 100)).all()):
        raise ValueError(f"scoreatpercentile: percentages must be from 0 to 100, not {per}")
    if axis is None:
        a, axis = a.ravel(), -1
    if per.ndim == 0:
        place = float(per) / 100 * (a.shape[axis] - 1)
        return _at_place(tombac.partition(a, [math.floor(place), math.ceil(place)], axis), axis, place,
                         interpolation_method)
    ordered = tombac.sort(a, axis=axis)
    if ordered.ndim > 1:
        ordered = tombac.moveaxis(ordered, axis, -1)
    places = per / 100 * (ordered.shape[-1] - 1)
    if interpolation_method != "fraction":
        places = (np.floor if interpolation_method == "lower" else np.ceil)(places)
    below = np.floor(places)
    part = tombac.array(places - below)
    low, high = (ordered[..., tombac.array(k.astype("l"))] for k in (below, np.ceil(places)))
    axes = range(per.ndim)
    return tombac.moveaxis(where(part == 0, low, low * (1 - part) + high * part), [i - per.ndim for i in axes], axes)


def _at_place(ordered, axis, place, method):
    """The elements at one place along an axis, or between two, as float64."""
    if ordered.ndim > 1:
        ordered = tombac.moveaxis(ordered, axis, -1)
    below = math.ceil(place) if method == "higher" else math.floor(place)
    part = place - below if method == "fraction" else 0
    low, high = (ordered[..., k].astype("d", copy=False) for k in (below, below + (part > 0)))
    return low * (1 - part) + high * part if part else low


_KINDS = ("rank", "strict", "weak", "mean")


_FEW_SCORES = 4


def _counts_below(a, score):
    """How many elements, of which NaN counts for more than any score, are less than each score, and no more than it."""
    if score.size <= _FEW_SCORES:
        column = score[..., None]
        return (a < column).sum(axis=-1), (a <= column).sum(axis=-1)
    ordered = tombac.sort(a)
    return [tombac.searchsorted(ordered, score, side=side) for side in ("left", "right")]


@_documented
def percentileofscore(a, score, kind="rank", nan_policy="propagate"):
    """Which percentage of a sample is below scores.

    Args:
        a: The sample: a vector of any real dtype.
        score: The scores: a number or an array.
        kind: ``"rank"``: elements that equal the score count as if half of them, and half of one more, were below;
            ``"weak"``: all of them are; ``"strict"``: none is; ``"mean"``: half of them are.
        {nan_policy}

    Returns:
        An array of float64, of the scores' shape; NaN where there is no score or no sample.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.percentileofscore(tombac.array([1.0, 2.0, 3.0, 4.0]), 3)
    array(75.)
    """
    check_arrays("percentileofscore", a)
    check_policy("percentileofscore", nan_policy)
    if kind not in _KINDS:
        raise ValueError(f"percentileofscore: kind must be one of {', '.join(map(repr, _KINDS))}, not {kind!r}")
    score = tombac.asarray(score)
    check_real("percentileofscore", a, score)
    if a.ndim != 1:
        raise ValueError(f"percentileofscore: a vector is expected, not an array of {a.ndim} dimensions")
    bad = tombac.isnan(a).sum()
    if nan_policy == "raise" and bool((bad > 0) | tombac.isnan(score).any()):
        raise ValueError("percentileofscore: the sample or the scores contain NaN")
    n = (a.size - bad if nan_policy == "omit" else a.size + 0 * bad).astype("d")
    below, up_to = (c.astype("d") for c in _counts_below(a, where(tombac.isnan(score), 0, score)))
    counted = {"strict": below, "weak": up_to, "mean": (below + up_to) / 2,
               "rank": (below + up_to + (up_to > below)) / 2}[kind]
    lost = tombac.isnan(score) | (n == 0)
    return where(lost if nan_policy == "omit" else lost | (bad > 0), np.nan, counted * 100 / n)


def expectile(a, alpha=0.5, *, weights=None):
    """The number from which deviations above, times ``alpha``, and those below, times the rest, have one sum.

    Args:
        a: The sample: an array of any real dtype, all elements of which are taken.
        alpha: The part, a number from 0 to 1: 0.5 gives the mean.
        weights: The weights of the elements: what broadcasts to ``a``'s shape; alike if None.

    Returns:
        An array of float64 without dimensions.

    Raises:
        TypeError: The sample is no tombac array, or complex.
        ValueError: ``alpha`` is not from 0 to 1, or weights do not broadcast to the sample's shape.

    Found by Newton's steps from the mean, which all go to one side: each counts the elements above anew, and the last
    one is where none changes sides.

    >>> tombacx.scipy.stats.expectile(tombac.array([1.0, 2.0, 4.0, 5.0]))
    array(3.)
    """
    check_real("expectile", a)
    alpha = _core._on_host(alpha)
    if not isinstance(alpha, numbers.Real) or not 0 <= alpha <= 1:
        raise ValueError(f"expectile: alpha must be from 0 to 1, not {alpha!r}")
    x = a.astype("d").ravel()
    if weights is not None:
        weights = tombac.broadcast_to(tombac.asarray(weights), a.shape).astype("d").ravel()
    if x.size == 0:
        return tombac.full((), math.nan)
    if alpha in (0, 1):
        counted = x if weights is None else x[weights > 0]
        return counted.min() if alpha == 0 else counted.max()
    share = lambda t: where(x > t, alpha, 1 - alpha) if weights is None else where(x > t, alpha, 1 - alpha) * weights
    t = x.mean() if weights is None else (x * weights).sum() / weights.sum()
    above = int((x > t).sum())
    while True:
        t = t + (share(t) * (x - t)).sum() / share(t).sum()
        now = int((x > t).sum())
        if not (now < above if alpha > 0.5 else now > above):
            return t
        above = now
