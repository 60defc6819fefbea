"""Counts of numbers and of what falls into bins."""

import math
import operator

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._order_statistics import percentile
from tombac._util import as_device, check_arrays, other_name

__all__ = ["bincount", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


def _count(places, n, weights):
    """How often each number below n is among the places, or the sum of its weights, in int64, float64 or complex128."""
    if weights is None:
        counts = _core.zeros(n, np.int64)
        _core.add.at(counts, places, 1)
        return counts
    sums = _core.zeros(n, np.complex128 if weights._kind == "c" else np.float64)
    _core.add.at(sums, places, weights)
    return sums


def bincount(x, weights=None, minlength=None):
    """How often each number from 0 on is in ``x``; the host waits for the largest.

    Args:
        x: A vector of integers that are not negative.
        weights: A real array of ``x``'s shape; then the result is the sum of the weights of each number.
        minlength: The least length of the result.

    Returns:
        An int64 vector, of float64 with weights, of length max(x.max() + 1, minlength).

    Raises:
        ValueError: ``x`` is not one-dimensional or has negative elements, ``minlength`` is negative, or ``weights``
            differs in shape.
        TypeError: ``x`` is not of integers, or ``weights`` is complex.

    >>> tombac.bincount(tombac.array([1, 3, 1]))
    array([0, 2, 0, 1])
    """
    check_arrays("bincount", x)
    if weights is not None:
        weights = as_device("bincount", weights)
    return _core._bincount(x, weights, 0 if minlength is None else minlength)


# ---- edges -----------------------------------------------------------------------------------------------------------


def _outer_edges(name, a, range):
    """The range of bins as numbers of the host's: what was asked for, or that of a's elements."""
    if range is not None:
        first, last = (x.item() if isinstance(x, _core.ndarray) else x for x in range)
        if first > last:
            raise ValueError(f"{name}: range must be (least, most), not ({first}, {last})")
    else:
        first, last = _core._extremes(a).get() if a.size else (0, 1)
    if not (math.isfinite(first) and math.isfinite(last)):
        raise ValueError(f"{name}: the range [{first}, {last}] is not finite")
    return (first - 0.5, last + 0.5) if first == last else (first, last)


def _given_edges(name, bins):
    """An array of edges, of the device."""
    host = np.asarray(_core._on_host(bins))
    if host.ndim != 1:
        raise ValueError(f"{name}: bins must be a number or one-dimensional, they have {host.ndim} dimensions")
    if (host[:-1] > host[1:]).any():
        raise ValueError(f"{name}: bins must be in ascending order")
    return bins if isinstance(bins, _core.ndarray) else _core.asarray(host)


def _is_single(bins):
    return getattr(bins, "ndim", 1) == 0 if hasattr(bins, "ndim") else not hasattr(bins, "__len__")


def _number_of_bins(name, bins):
    try:
        n = operator.index(bins.item() if isinstance(bins, _core.ndarray) else bins)
    except TypeError:
        raise TypeError(f"{name}: bins must be an integer, a name or an array, not {bins!r}") from None
    if n < 1:
        raise ValueError(f"{name}: the number of bins must be positive, it is {n}")
    return n


def _bin_edges(a, bins, range, weights):
    """The edges, and the same on the host if they make bins of equal width, or None."""
    name = "histogram"
    if isinstance(bins, str):
        if bins not in _WIDTHS:
            raise ValueError(f"{name}: bins must be one of {', '.join(_WIDTHS)}, not {bins!r}")
        if weights is not None:
            raise TypeError(f"{name}: the number of bins is not estimated for weighted data")
        first, last = _outer_edges(name, a, range)
        n = _estimate(a if range is None else a[(a >= first) & (a <= last)], bins, range, _distance(a, first, last))
    elif _is_single(bins):
        n = _number_of_bins(name, bins)
        first, last = _outer_edges(name, a, range)
    else:
        return _given_edges(name, bins), None
    edges = _equal_edges(first, last, n, a.dtype)
    if edges is None:
        raise ValueError(f"{name}: {n} bins of finite size do not fit in the range [{first}, {last}]")
    return _core.asarray(edges), edges


def _equal_edges(first, last, n, dtype):
    """The edges of n bins of equal width for elements of a dtype, on the host; None if some have the same edges.

    Where the outer ones are numbers of that dtype, or Python's, linspace's steps are taken here without its checks.
    """
    weak = type(first) in (int, float) and type(last) in (int, float)
    if dtype.char in "fd" and (weak or type(first) is type(last) is dtype.type):
        if weak:
            first, last = float(first), float(last)
        step = (last - first) / n
        if math.inf > step > max(1e-5 * max(abs(first), abs(last)), 1.2e-38):  # far more than edges are rounded by
            edges = np.arange(n + 1, dtype=np.float64 if weak else dtype)
            edges *= step
            edges += first
            edges[n] = last
            return edges.astype(dtype, copy=False)
    dtype = _core.result_type(first, last, dtype)
    edges = np.linspace(first, last, n + 1, dtype=np.result_type(dtype, float) if dtype.kind in "iu" else dtype)
    return None if (edges[:-1] >= edges[1:]).any() else edges


def _distance(a, first, last):
    """last - first, without overflow."""
    whole = all(isinstance(x, (int, np.integer)) for x in (first, last))
    return int(last) - int(first) if whole else last - first


# ---- how many bins suit: widths from the number of elements and their spread -----------------------------------------


def _estimate(a, name, range, distance):
    width = _WIDTHS[name](a.astype(np.float64) if a._kind in "iu" else a, range) if a.size else 0
    if a._kind in "iu" and 0 < width < 1:
        width = 1
    return int(math.ceil(distance / width)) if width else 1


def _spread(a):
    return float(a.ptp())


def _sqrt(a, range):
    return _spread(a) / math.sqrt(a.size)


def _sturges(a, range):
    return _spread(a) / (math.log2(a.size) + 1)


def _rice(a, range):
    return _spread(a) / (2 * a.size ** (1 / 3))


def _scott(a, range):
    return (24 * math.pi**0.5 / a.size) ** (1 / 3) * float(a.std())


def _doane(a, range):
    n, sigma = a.size, float(a.std()) if a.size > 2 else 0
    if not sigma > 0:
        return 0
    scale = math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))
    skewness = abs(float((((a - a.mean()) / sigma) ** 3).mean()))
    return _spread(a) / (1 + math.log2(n) + math.log2(1 + skewness / scale))


def _freedman_diaconis(a, range):
    high, low = percentile(a, [75, 25]).get().tolist()
    return 2 * (high - low) * a.size ** (-1 / 3)


def _stone(a, range):
    n, spread = a.size, _spread(a)
    if n <= 1 or spread == 0:
        return 0

    def loss(bins):
        share = histogram(a, bins, range)[0] / n
        return (2 - (n + 1) * float(_core.dot(share, share))) / (spread / bins)

    most = max(100, int(math.sqrt(n)))
    return spread / min((k + 1 for k in np.arange(most).tolist()), key=loss)


def _auto(a, range):
    return min(max(_freedman_diaconis(a, range), _sqrt(a, range) / 2), _sturges(a, range))


_WIDTHS = {
    "auto": _auto, "doane": _doane, "fd": _freedman_diaconis, "rice": _rice, "scott": _scott, "sqrt": _sqrt,
    "stone": _stone, "sturges": _sturges,
}


# ---- histograms ------------------------------------------------------------------------------------------------------


def _data(name, a, weights):
    """What is counted, and its weights or None, as vectors."""
    a = as_device(name, a)
    if a._kind == "c":
        raise NotImplementedError(f"{name}: complex numbers have no bins")
    if weights is not None:
        weights = as_device(name, weights)
        if weights.shape != a.shape:
            raise ValueError(f"{name}: weights of shape {weights.shape} for an array of shape {a.shape}")
        weights = weights.ravel()
    a = a.ravel()
    return a.astype(np.uint8) if a._kind == "b" else a, weights


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of the bins that histogram would use.

    Args:
        a: A real array, which is flattened.
        bins: How many bins of equal width, or their edges in ascending order, or the name of a rule for their number;
            see histogram.
        range: The outer edges; by default the least and the largest element, for which the host waits.
        weights: An array of ``a``'s shape, which edges do not depend on; but the rules take none.

    Returns:
        A vector of one edge more than there are bins: of float64, or of ``a``'s dtype if that is inexact; edges that
        were given as they are.

    Raises:
        ValueError: The edges are not in order, the range is not finite, there is no bin, or shapes differ.
        TypeError: ``bins`` is none of these, or a rule with weights.
        NotImplementedError: ``a`` is complex.

    >>> tombac.histogram_bin_edges(tombac.array([0.0, 1.0]), 2)
    array([0. , 0.5, 1. ])
    """
    a, weights = _data("histogram_bin_edges", a, weights)
    return _bin_edges(a, bins, range, weights)[0]


def histogram(x=None, bins=10, range=None, density=False, weights=None, *, a=None):
    """How many elements fall into each of a row of bins; the last bin includes its upper edge.

    Args:
        x: A real array, which is flattened.
        bins: How many bins of equal width, or their edges in ascending order, or the name of a rule for their number:
            'auto', 'doane', 'fd', 'rice', 'scott', 'sqrt', 'stone', 'sturges'.
        range: The outer edges; by default the least and the largest element, for which the host waits.
        density: Give the density, whose integral over the range is 1.
        weights: An array of ``x``'s shape: how much each element counts.
        a: NumPy's name of ``x``.

    Returns:
        A vector of int64, of the weights' dtype, or of float64 for densities, and the vector of edges.

    Raises:
        ValueError: The edges are not in order, the range is not finite, there is no bin, or shapes differ.
        TypeError: ``bins`` is none of these.
        NotImplementedError: ``x`` is complex.

    >>> tombac.histogram(tombac.array([1, 2, 1]), tombac.array([0, 1, 2, 3]))
    (array([0, 2, 1]), array([0, 1, 2, 3]))
    """
    if a is not None:
        x = other_name("histogram", x, a)
    if type(bins) is int and range is None and weights is None and not density:
        x = as_device("histogram", x)
        found = _core._histogram(x, bins) if bins < _MANY else None
        if found:
            return found
    x, weights = _data("histogram", x, weights)
    edges, equal = _bin_edges(x, bins, range, weights)
    counts = None
    if weights is None and x.size >= _MANY and edges.size > 1:
        counts = _core._histogram_between(x, edges)
    if edges.size < 2:
        counts = _core.zeros(0, np.int64 if weights is None else weights.dtype)
    elif counts is None:
        counts = _count(_bins_of(x, edges, equal), edges.size + 1, weights)[1:-1]
    if weights is not None:
        counts = counts.astype(weights.dtype)
    if density:
        widths = (edges[1:] - edges[:-1] if edges._kind != "b" else edges[1:] != edges[:-1]).astype(np.float64)
        return counts / widths / counts.sum(), edges
    return counts, edges


def _bins_of(x, edges, equal):
    """The numbers of the bins, from 1 on; 0 and len(edges) for what is outside."""
    if equal is not None and x.size >= _MANY:
        places = _equal_bins_of(x, equal)
        if places is not None:
            return places
    t = _core.result_type(x, edges)  # in which uint64 and int64 are compared, here and there
    places = _core._searchsorted(edges, x, True)
    return where(x.astype(t, copy=False) == edges[-1].astype(t, copy=False), places - 1, places)


# From how many elements on a few operations on all of them take less time than searching among edges.
_MANY = 1 << 14


def _equal_bins_of(x, edges):
    """_bins_of for edges, on the host, of equal bins; None where the range is too wide for it, or bins are too narrow.

    A quotient gives the bin but for rounding, and the two edges near it, computed as linspace did, decide.
    """
    n, dtype = edges.size - 1, edges.dtype.type
    if n > 1 << 20 or dtype not in (np.float32, np.float64) or np.result_type(x.dtype, dtype) != dtype:
        return None
    first, last = edges[0], edges[-1]
    with np.errstate(over="ignore"):
        step, scale = (last - first) / dtype(n), dtype(n / (np.float64(last) - np.float64(first)))
    if not (0 < scale < np.finfo(dtype).max and (np.arange(n, dtype=dtype) * step + first == edges[:-1]).all()):
        return None
    first, step, beyond = float(first), float(step), float(np.nextafter(last, dtype(np.inf)))
    x = x.astype(dtype, copy=False)
    place = _core.fmin(_core.fmax(_core.floor((x - first) * float(scale)), 0), n - 1)
    following = place + 1
    behind = where(following >= n, beyond, following * step + first)  # the last bin has its upper edge
    return (place + (x >= place * step + first) + (x >= behind)).astype(np.int64)


def histogram2d(x, y, bins=10, range=None, weights=None, density=None):
    """The histogram of points in a plane.

    Args:
        x, y: Vectors of the same length.
        bins: A number or the edges for both axes, or a pair of them.
        range: A pair of pairs: the outer edges of both axes.
        weights: How much each point counts.
        density: Give the density, whose integral over the range is 1.

    Returns:
        A float64 matrix, x along its first axis, and the vectors of edges for x and for y.

    Raises:
        ValueError: The vectors differ in length, or as histogramdd.

    >>> tombac.histogram2d(tombac.array([0.0, 1.0]), tombac.array([0.0, 3.0]), 2)[0]
    array([[1., 0.],
           [0., 1.]])
    """
    check_arrays("histogram2d", x, y)
    if len(x) != len(y):
        raise ValueError(f"histogram2d: x has {len(x)} elements, y has {len(y)}")
    n = 1 if _is_single(bins) else len(bins)
    counts, edges = histogramdd([x, y], bins if n == 2 or _is_single(bins) else [bins, bins], range, weights, density)
    return counts, edges[0], edges[1]


def histogramdd(sample, bins=10, range=None, weights=None, density=False):
    """The histogram of points in a space of several dimensions.

    Args:
        sample: An array of shape (N, D), or D vectors of length N.
        bins: How many bins of equal width for every dimension, or for each of them such a number or an array of edges.
        range: For each dimension the outer edges, or None: the least and the largest coordinate.
        weights: A vector of length N: how much each point counts.
        density: Give the density, whose integral over the range is 1.

    Returns:
        A float64 array of D dimensions, and the list of the vectors of edges.

    Raises:
        ValueError: ``bins`` or ``range`` has another length than D, or edges are not in order.
        TypeError: A number of bins is no integer, or the weights are complex.

    >>> tombac.histogramdd(tombac.array([[0.0, 0.0], [1.0, 3.0]]), bins=(1, 2))[0]
    array([[1., 1.]])
    """
    if isinstance(sample, _core.ndarray) and sample.ndim == 2:
        columns = [sample[:, d] for d in np.arange(sample.shape[1]).tolist()]
    else:
        columns = [sample] if isinstance(sample, _core.ndarray) else list(sample)
        check_arrays("histogramdd", *columns)
        if len({c.dtype for c in columns}) > 1:
            dtype = _core.result_type(*(c.dtype for c in columns))
            columns = [c.astype(dtype, copy=False) for c in columns]
    if any(c._kind == "c" for c in columns):
        raise NotImplementedError("histogramdd: complex numbers have no bins")
    dims = len(columns)
    bins = [bins] * dims if _is_single(bins) else list(bins)
    if len(bins) != dims:
        raise ValueError(f"histogramdd: {len(bins)} bins for {dims} dimensions")
    ranges = (None,) * dims if range is None else tuple(range)
    if len(ranges) != dims:
        raise ValueError(f"histogramdd: {len(ranges)} ranges for {dims} dimensions")
    if weights is not None:
        weights = as_device("histogramdd", weights)
        if weights._kind == "c":
            raise TypeError(f"histogramdd: weights must be real, not {weights.dtype}")
        if weights.shape != columns[0].shape:
            raise ValueError(f"histogramdd: weights of shape {weights.shape} for {columns[0].size} points")
    found = [_edges_along(c, b, r) for c, b, r in zip(columns, bins, ranges)]
    edges = [e for e, _ in found]
    place, shape = None, tuple(e.size + 1 for e in edges)
    for column, (e, equal), n in zip(columns, found, shape):
        at = _bins_of(column, e, equal)
        place = at if place is None else place * n + at
    counts = _count(place, math.prod(shape), weights).astype(np.float64).reshape(shape)[(slice(1, -1),) * dims]
    if density:
        total = counts.sum()
        for d, e in enumerate(edges):
            counts = counts / (e[1:] - e[:-1]).reshape((-1,) + (1,) * (dims - 1 - d))
        counts = counts / total
    return counts, edges


def _edges_along(column, bins, range):
    if not _is_single(bins):
        return _given_edges("histogramdd", bins), None
    n = _number_of_bins("histogramdd", bins)
    edges = np.linspace(*_outer_edges("histogramdd", column, range), n + 1)
    return _core.asarray(edges), edges
