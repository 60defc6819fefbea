"""Statistics of what falls into bins, of one dimension or more."""

import collections
import math

import tombac
from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy.stats._over import check_real

__all__ = ["binned_statistic", "binned_statistic_2d", "binned_statistic_dd", "cumfreq", "relfreq"]

BinnedStatisticResult = collections.namedtuple("BinnedStatisticResult", "statistic bin_edges binnumber")
BinnedStatistic2dResult = collections.namedtuple("BinnedStatistic2dResult", "statistic x_edge y_edge binnumber")
BinnedStatisticddResult = collections.namedtuple("BinnedStatisticddResult", "statistic bin_edges binnumber")
CumfreqResult = collections.namedtuple("CumfreqResult", "cumcount lowerlimit binsize extrapoints")
RelfreqResult = collections.namedtuple("RelfreqResult", "frequency lowerlimit binsize extrapoints")

_NAMED = ("mean", "std", "median", "count", "sum", "min", "max")


def _several(bins):
    return isinstance(bins, (list, tuple)) or np.ndim(bins) > 0


def _edges(name, x, bins, limits):
    """The edges of the bins along a dimension."""
    if np.ndim(bins) > 0:
        edges = tombac.asarray(bins, "d")
        if edges.ndim != 1 or edges.size < 2 or bool((tombac.diff(edges) < 0).any()):
            raise ValueError(f"{name}: edges of bins must be a vector that increases")
        return edges
    if limits is None:
        if x.size == 0:
            limits = (0.0, 1.0)
        else:
            limits = _core._extremes(x).tolist()
            if not all(map(math.isfinite, limits)):
                raise ValueError(f"{name}: the points are not all finite, and there is no range")
    low, high = map(float, limits)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return tombac.linspace(low, high, int(bins) + 1)


def _numbers(x, edges):
    """The number of the bin of each point: 0 below the first; the last has its right edge, too."""
    return tombac.searchsorted(edges, x, side="right") - (x == edges[-1])


def _of_bins(name, statistic, values, index, size):
    """A statistic of the values of each bin."""
    count = tombac.bincount(index, minlength=size)
    if statistic == "count":
        return count.astype("d")
    if callable(statistic):
        return _called(statistic, values, index, count)
    if statistic in ("min", "max", "median"):
        return _ordered(statistic, values, index, count)
    total = tombac.bincount(index, weights=values, minlength=size)
    if statistic == "sum":
        return total
    mean = total / count
    if statistic == "mean":
        return mean
    return tombac.sqrt(tombac.bincount(index, weights=tombac.square(values - mean[index]), minlength=size) / count)


def _ordered(statistic, values, index, count):
    """What sorting the values of each bin gives, NaN behind all others."""
    if values.size == 0:
        return tombac.full(count.shape, np.nan)
    order = tombac.lexsort(tombac.stack([values, index]))
    ordered, end = values[order], tombac.cumsum(count)
    start = end - count
    if statistic == "min":
        places = (start, start)
    elif statistic == "max":
        places = (end - 1, end - 1)
    else:
        places = (start + (count - 1) // 2, start + count // 2)
    low, high = (ordered[tombac.clip(p, 0, values.size - 1)] for p in places)
    return where(count == 0, np.nan, where(low == high, low, (low + high) / 2))


def _called(statistic, values, index, count):
    ordered, numbers = values[tombac.argsort(index, kind="stable")], count.tolist()
    try:
        empty = float(statistic(values[:0]))
    except Exception:  # which may be any that a function raises of no elements
        empty = math.nan
    found, start = [], 0
    for n in numbers:
        found.append(float(statistic(ordered[start:start + n])) if n else empty)
        start += n
    return tombac.array(found)


def binned_statistic_dd(sample, values, statistic="mean", bins=10, range=None, expand_binnumbers=False):
    """A statistic of the values of points within each bin of a grid.

    Args:
        sample: The points: an array of shape (N, D), or D vectors.
        values: Their values: an array of N elements, or several, for each of which there are statistics; None for
            counts.
        statistic: ``"mean"``, ``"std"``, ``"median"``, ``"count"``, ``"sum"``, ``"min"``, ``"max"``, or a function of
            an array that gives a number, which is called for each bin.
        bins: How many bins there are, or the edges of bins; or a sequence with these for each dimension.
        range: For each dimension the outer edges, a pair, or None; the least and greatest points if None.
        expand_binnumbers: Whether the numbers of bins come back for each dimension.

    Returns:
        A tuple with the fields ``statistic``, an array of a dimension for each of the points', NaN in bins without
        points (0 for counts and sums); ``bin_edges``, a list of vectors; and ``binnumber``, an array of the number of
        each point's bin, among those that are there and one before and behind along each dimension.

    Raises:
        TypeError: Points or values are no tombac arrays, or complex.
        ValueError: Their numbers differ, or there is no such statistic, or bins are no edges, or a point is NaN, or
            infinite along a dimension of which neither edges nor range are given.

    >>> x = tombac.array([[0.0], [0.2], [1.0]])
    >>> tombacx.scipy.stats.binned_statistic_dd(x, tombac.array([1.0, 3.0, 5.0]), bins=2).statistic
    array([2., 5.])
    """
    return BinnedStatisticddResult(*_binned("binned_statistic_dd", sample, values, statistic, bins, range,
                                            expand_binnumbers))


def _binned(name, sample, values, statistic, bins, limits, expand):
    if not callable(statistic) and statistic not in _NAMED:
        raise ValueError(f"{name}: statistic must be a function or one of {', '.join(_NAMED)}, not {statistic!r}")
    if isinstance(sample, tombac.ndarray):
        columns = [sample] if sample.ndim == 1 else list(sample.T)
    else:
        columns = list(sample)
    if values is None and statistic == "count":
        values = columns[0]  # nobody looks at them
    several = isinstance(values, (list, tuple)) or getattr(values, "ndim", 1) > 1
    rows = list(values) if several else [values]
    check_real(name, *columns, *rows)
    n, dims = columns[0].size, len(columns)
    if any(x.shape != (n,) for x in (*columns, *rows)):
        raise ValueError(f"{name}: of {n} points there must be as many values and coordinates")
    columns = [x.astype("d", copy=False) for x in columns]
    if any(bool(tombac.isnan(x).any()) for x in columns):
        raise ValueError(f"{name}: points must be finite, or infinite and out of all bins, and not NaN")
    bins = list(bins) if _several(bins) else [bins] * dims
    limits = [None] * dims if limits is None else list(limits)
    if len(bins) != dims or len(limits) != dims:
        raise ValueError(f"{name}: bins and ranges must be given for all {dims} dimensions, or for none")
    edges = [_edges(name, *given) for given in zip(columns, bins, limits, strict=True)]
    numbers = [_numbers(*pair) for pair in zip(columns, edges, strict=True)]
    grid, index = [e.size + 1 for e in edges], tombac.zeros(n, "l")
    for number, size in zip(numbers, grid, strict=True):
        index = index * size + number
    inner = (slice(1, -1),) * dims
    found = [_of_bins(name, statistic, row.astype("d", copy=False), index, math.prod(grid)).reshape(grid)[inner]
             for row in rows]
    return tombac.stack(found) if several else found[0], edges, tombac.stack(numbers) if expand and dims > 1 else index


def binned_statistic(x, values, statistic="mean", bins=10, range=None):
    """A statistic of the values of points within each bin.

    Args:
        x: The points: a vector of any real dtype.
        values: Their values: a vector, or several, for each of which there are statistics; None for counts.
        statistic: ``"mean"``, ``"std"``, ``"median"``, ``"count"``, ``"sum"``, ``"min"``, ``"max"``, or a function of
            an array that gives a number, which is called for each bin.
        bins: How many bins there are, or a vector of their edges.
        range: The outer edges, a pair; the least and the greatest point if None.

    Returns:
        A tuple with the fields ``statistic``, an array of an element for each bin, NaN in those without points (0 for
        counts and sums); ``bin_edges``, a vector; and ``binnumber``, an array of the number of each point's bin, from 1
        on; 0 and one more than there are for points outside of them.

    Raises:
        TypeError: Points or values are no tombac arrays, or complex.
        ValueError: Their numbers differ, or there is no such statistic, or bins are no edges, or a point is NaN, or
            infinite along a dimension of which neither edges nor range are given.

    >>> x = tombac.array([0.0, 0.2, 1.0])
    >>> tombacx.scipy.stats.binned_statistic(x, tombac.array([1.0, 3.0, 5.0]), bins=2).statistic
    array([2., 5.])
    """
    range = _core._on_host(range)
    limits = None if range is None else [range] if np.ndim(range) == 1 else range
    bins = [bins] if np.ndim(bins) else bins
    found, edges, number = _binned("binned_statistic", [x], values, statistic, bins, limits, False)
    return BinnedStatisticResult(found, edges[0], number)


def binned_statistic_2d(x, y, values, statistic="mean", bins=10, range=None, expand_binnumbers=False):
    """A statistic of the values of points of the plane within each bin of a grid.

    Args:
        x, y: The points' coordinates: vectors of any real dtype.
        values: Their values: a vector, or several, for each of which there are statistics; None for counts.
        statistic: ``"mean"``, ``"std"``, ``"median"``, ``"count"``, ``"sum"``, ``"min"``, ``"max"``, or a function of
            an array that gives a number, which is called for each bin.
        bins: How many bins there are, or the edges of all; or a pair with these for each coordinate.
        range: For each coordinate the outer edges, a pair; the least and the greatest if None.
        expand_binnumbers: Whether the numbers of bins come back for each coordinate.

    Returns:
        A tuple with the fields ``statistic``, an array of the bins' shape, NaN in those without points (0 for counts
        and sums); ``x_edge`` and ``y_edge``, vectors; and ``binnumber``, an array of the number of each point's bin.

    Raises:
        TypeError: Coordinates or values are no tombac arrays, or complex.
        ValueError: Their numbers differ, or there is no such statistic, or bins are no edges, or a point is NaN, or
            infinite along a dimension of which neither edges nor range are given.

    >>> x, y = tombac.array([0.0, 0.0, 1.0]), tombac.array([0.0, 1.0, 1.0])
    >>> tombacx.scipy.stats.binned_statistic_2d(x, y, x, "count", 2).statistic
    array([[1., 1.],
           [0., 1.]])
    """
    if _several(bins) and len(bins) != 2:
        bins = [bins[0], bins[0]] if len(bins) == 1 else [bins, bins]
    found, edges, number = _binned("binned_statistic_2d", [x, y], values, statistic, bins, range, expand_binnumbers)
    return BinnedStatistic2dResult(found, *edges, number)


def _histogram(name, a, numbins, limits, weights):
    """Counts, the lower limit, the width of bins, and how many points are in none."""
    check_real(name, a, *(() if weights is None else (weights,)))
    x = a.ravel().astype("d", copy=False)
    if weights is not None and weights.shape != x.shape:
        raise ValueError(f"{name}: weights must be a vector of {x.size} elements, not of the shape {weights.shape}")
    if limits is None:
        if x.size == 0:
            limits = (0.0, 1.0)
        else:
            low, high = _core._extremes(x).tolist()
            margin = (high - low) / (2 * (numbins - 1)) if numbins > 1 else 0.0
            limits = (low - margin, high + margin)
    low, high = limits
    counts, edges = tombac.histogram(x, bins=numbins, range=(low, high),
                                     weights=weights)
    outside = int(((x < low) | (x > high)).sum())
    return counts.astype("d"), float(low), float((edges[1] - edges[0]).item()), outside


def cumfreq(a, numbins=10, defaultreallimits=None, weights=None):
    """How many elements are in each bin and those before it.

    Args:
        a: The sample: an array of any real dtype, all elements for one.
        numbins: How many bins there are.
        defaultreallimits: The outer edges, a pair; a little more than the range of the elements if None.
        weights: The weights of the elements, a vector; all 1 if None.

    Returns:
        A tuple with the fields ``cumcount``, an array, ``lowerlimit`` and ``binsize``, floats, and ``extrapoints``, the
        number of elements that are in no bin.

    Raises:
        TypeError: The sample is no tombac array, or complex.
        ValueError: The weights are no vector of as many elements.

    >>> tombacx.scipy.stats.cumfreq(tombac.array([1.0, 2.0, 2.0, 4.0]), 3).cumcount
    array([1., 3., 4.])
    """
    counts, *rest = _histogram("cumfreq", a, numbins, defaultreallimits, weights)
    return CumfreqResult(tombac.cumsum(counts), *rest)


def relfreq(a, numbins=10, defaultreallimits=None, weights=None):
    """Which part of the elements, or of their weights, is in each bin; of all weights, as SciPy counts from 1.18 on.

    Args:
        a: The sample: an array of any real dtype, all elements for one.
        numbins: How many bins there are.
        defaultreallimits: The outer edges, a pair; a little more than the range of the elements if None.
        weights: The weights of the elements, a vector; all 1 if None.

    Returns:
        A tuple with the fields ``frequency``, an array, ``lowerlimit`` and ``binsize``, floats, and ``extrapoints``,
        the number of elements that are in no bin.

    Raises:
        TypeError: The sample is no tombac array, or complex.
        ValueError: The weights are no vector of as many elements.

    Without weights counts are divided by the length of the first axis, as SciPy's are.

    >>> tombacx.scipy.stats.relfreq(tombac.array([1.0, 2.0, 2.0, 4.0]), 3).frequency
    array([0.25, 0.5 , 0.25])
    """
    counts, *rest = _histogram("relfreq", a, numbins, defaultreallimits, weights)
    return RelfreqResult(counts / (len(a) if weights is None else weights.sum()), *rest)
