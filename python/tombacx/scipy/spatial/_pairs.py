"""Distances of all pairs: cdist, pdist and distance_matrix, and squareform, which lays them out."""

import functools
import math

from tombac import _core
from tombac._core import arange, asarray, where
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy.spatial import _metrics
from tombacx.scipy.spatial._forms import points_of

__all__ = ["cdist", "distance_matrix", "pdist", "squareform"]


def _metric_of(name, metric):
    """The metric that a name or one of the public functions stands for, or the function itself."""
    if callable(metric):
        known = _metrics.BY_NAME.get(getattr(metric, "__name__", ""))
        return known if str(getattr(metric, "__module__", "")).startswith("tombacx.scipy.spatial") and known else metric
    if not isinstance(metric, str):
        raise TypeError(f"{name}: metric must be a name or a function, not {type(metric)}")
    try:
        return _metrics.BY_NAME[metric.lower()]
    except KeyError:
        raise ValueError(f"{name}: no metric is called {metric!r}") from None


def _checked(name, metric, XA, XB, options):
    """The options of a metric for two sets, with what is made of the sets where an option is not given."""
    n = XA.shape[1]
    if "w" in options:
        options["w"] = _metrics.weights(name, options["w"], n)
    sets = (XA,) if XA is XB else (XA, XB)
    if metric is _metrics.seuclidean:
        V = options.get("V")
        V = _core.concatenate(sets).astype("d").var(axis=0, ddof=1) if V is None else V
        options["V"] = _metrics.weights(name, V, n)
    if metric is _metrics.mahalanobis:
        options["VI"] = _inverse_covariance(name, sets) if options.get("VI") is None else \
            _metrics.numeric(name, options["VI"])
    return options


def _inverse_covariance(name, sets):
    import tombac

    points = _core.concatenate(sets).astype("d")
    m, n = points.shape
    if m <= n:
        raise ValueError(f"{name}: {m} points of {n} dimensions have a singular covariance matrix; {n + 1} are needed")
    return tombac.linalg.inv(tombac.cov(points.T).reshape(n, n)).T


def _all_pairs(name, XA, XB, metric, options):
    """The distances of all pairs, or with no XB of each pair once; of float32 where both sets are, else of float64."""
    metric, once = _metric_of(name, metric), XB is None
    if metric not in _metrics.BY_NAME.values():
        matrix = _one_by_one(XA, XA if once else XB, metric, options)
        return _condensed(matrix) if once else matrix
    if metric in _metrics.TRUTH:
        return _of_truth(name, XA, XB, metric, options)
    A = _metrics.numeric(name, XA)
    A, B = (A, A) if once else _metrics.of_one_dtype(A, _metrics.numeric(name, XB))
    options = _checked(name, metric, A, B, options)
    dtype = A.dtype
    if metric in _metrics.ANGLES:
        A, B = A.astype("d", copy=False), B.astype("d", copy=False)
    if metric is _metrics.jensenshannon:
        metric, A, B = _metrics.jensenshannon_of_shares, _metrics.shares(A), _metrics.shares(B)
    if once and metric not in _metrics.PRODUCTS and len(A) > 1:
        return _once(functools.partial(metric, **options), A, dtype)
    matrix = metric(A[:, None, :], B[None, :, :], **options).astype(dtype, copy=False)
    return _condensed(matrix) if once else matrix


_WHOLE = 1 << 24  # up to which float32 counts


def _of_truth(name, XA, XB, metric, options):
    """Of what is zero and what is not: counts are products of matrices, in float32 where that is exact."""
    sets = (XA,) if XB is None else (XA, XB)
    if any(x.dtype.kind == "c" for x in sets):
        raise ValueError(f"{name}: distances of complex numbers are not defined")
    dtype = "f" if all(x.dtype.char == "f" for x in sets) else "d"
    options = _checked(name, metric, XA, XA if XB is None else XB, options)
    counted = "f" if options.get("w") is None and XA.shape[1] < _WHOLE else "d"
    A, *B = ((x if x.dtype.kind == "b" else x != 0).astype(counted) for x in sets)
    matrix = metric(A[:, None, :], (B[0] if B else A)[None, :, :], **options).astype(dtype, copy=False)
    return _condensed(matrix) if XB is None else matrix


def _once(metric, A, dtype):
    """The distances of each pair once. Of many points those of some rows from all behind the first of them at a time:
    few are computed for nothing."""
    m = len(A)
    if m <= _FEW:
        i, j = map(_core.array, _few_pairs(m))
        return metric(_core.take(A, i, axis=0), _core.take(A, j, axis=0)).astype(dtype, copy=False)
    result, at = _core.empty(m * (m - 1) // 2, dtype), 0
    for first in range(0, m - 1, _FEW):
        some = metric(A[first:first + _FEW, None, :], A[None, first + 1:, :])
        row, column = (arange(n) for n in some.shape)
        some = some[row[:, None] <= column]
        result[at:at + some.size] = some
        at += some.size
    return result


_BY_KERNEL = {
    _metrics.sqeuclidean: 0, _metrics.euclidean: 1, _metrics.cityblock: 2, _metrics.chebyshev: 3, _metrics.minkowski: 4,
    _metrics.hamming: 5, _metrics.canberra: 6, _metrics.braycurtis: 7, _metrics.cosine: 8, _metrics.correlation: 8,
}
_COLUMNS_OF_ANGLES = 64  # of more a product of matrices takes less time


def _by_kernel(name, XA, XB, metric, options):
    """Sums over differences: of all pairs, or with no XB of each pair once. None: another way is needed."""
    metric, options = _metric_of(name, metric), dict(options)
    if metric is _metrics.seuclidean and not options and XA.size and (XB is None or len(XB)):
        return _in_deviations(name, XA, XB)
    number = _BY_KERNEL.get(metric)
    p = options.pop("p", 2) if metric is _metrics.minkowski else 2
    if number is None or any(value is not None for value in options.values()) or options.keys() - {"w"}:
        return None
    if not (isinstance(p, (int, float)) and 0 < p < math.inf):
        return None
    if number == 8 and not 0 < XA.shape[1] <= _COLUMNS_OF_ANGLES:
        return None
    A = _metrics.numeric(name, XA)
    A, B = (A, None) if XB is None else _metrics.of_one_dtype(A, _metrics.numeric(name, XB))
    dtype = A.dtype
    if number == 8 and (metric is _metrics.correlation or _core.backend() != "cpu"):  # whose loop takes floats, too
        A, B = (x if x is None else x.astype("d", copy=False) for x in (A, B))
    if metric is _metrics.correlation:
        A, B = (x if x is None else x - x.mean(axis=-1, keepdims=True) for x in (A, B))
    if number == 8 and _core.backend() != "cpu":
        A, B = (x if x is None else _metrics.directions(x) for x in (A, B))
    return _core._distances(A, B, {1: 2, 2: 1}.get(p, 4) if number == 4 else number, float(p)).astype(dtype, copy=False)


def _in_deviations(name, XA, XB):
    """Euclidean distances of points whose coordinates are counted in standard deviations of all, from the first one on:
    what scaling them rounds is little beside these."""
    sets = [_metrics.numeric(name, x) for x in (XA, XB) if x is not None]
    dtype = _metrics.of_one_dtype(sets[0], sets[-1])[0].dtype
    sets = [x.astype("d", copy=False) for x in sets]
    deviation = _core.sqrt(_core.concatenate(sets).var(axis=0, ddof=1))
    A, *B = ((x - sets[0][:1]) / deviation for x in sets)
    return _core._distances(A, B[0] if B else None, 1, 2.0).astype(dtype, copy=False)


def _one_by_one(XA, XB, metric, options):
    """Distances by a function of two vectors that is somebody else's: a call for each pair."""
    rows = [[asarray(metric(a, b, **options), "d") for b in XB] for a in XA]
    if not rows or not rows[0]:
        return _core.zeros((len(XA), len(XB)))
    return _core.stack([_core.stack(row) for row in rows])


def _deliver(name, result, out):
    if out is None:
        return result
    if out.shape != result.shape or out.dtype != result.dtype:
        raise ValueError(f"{name}: out must be of {result.dtype} and the shape {result.shape}, not of {out.dtype} and "
                         f"{out.shape}")
    out[...] = result
    return out


def cdist(XA, XB, metric="euclidean", out=None, **kwargs):
    """Distances between each point of one set and each of another.

    Args:
        XA: The points of one set as rows, of shape (m, n).
        XB: The points of the other, of shape (k, n).
        metric: The name of a metric: braycurtis, canberra, chebyshev, cityblock, correlation, cosine, dice, euclidean,
            hamming, hellinger, jaccard, jensenshannon, kl_divergence, mahalanobis, minkowski, rogerstanimoto,
            russellrao, seuclidean, sokalsneath, sqeuclidean, yule, or SciPy's short forms of these; or a function of
            two vectors, which is called for each pair.
        out: An array of shape (m, k) to write to, of the dtype of the result.
        kwargs: What the metric takes: ``w``, ``p``, ``base``, ``V`` (the variances of all points if not given), ``VI``
            (the inverse of their covariance matrix if not given).

    Returns:
        An array of shape (m, k): of float32 where both sets are, as in CuPy, else of float64.

    Raises:
        TypeError: A set is no tombac array, the metric is neither a name nor a function, or does not take an option.
        ValueError: There is no such metric, or the shapes do not fit.

    jaccard, dice and the like take what is not zero for true.

    >>> a = tombac.array([[0.0, 0.0], [1.0, 1.0]])
    >>> tombacx.scipy.spatial.distance.cdist(a, tombac.array([[3.0, 4.0]]))
    array([[5.        ],
           [3.60555128]])
    """
    check_arrays("cdist", XA, XB)
    if XA.ndim != 2 or XB.ndim != 2:
        raise ValueError(f"cdist: XA and XB must have two dimensions, not the shapes {XA.shape} and {XB.shape}")
    if XA.shape[1] != XB.shape[1]:
        raise ValueError(f"cdist: XA and XB must have as many columns, not {XA.shape[1]} and {XB.shape[1]}")
    result = _by_kernel("cdist", XA, XB, metric, kwargs)
    return _deliver("cdist", _all_pairs("cdist", XA, XB, metric, kwargs) if result is None else result, out)


def pdist(X, metric="euclidean", *, out=None, **kwargs):
    """Distances between the points of a set, each pair once.

    Args:
        X: The points as rows, of shape (m, n).
        metric: As in cdist.
        out: An array of as many elements to write to, of the dtype of the result.
        kwargs: What the metric takes, as in cdist.

    Returns:
        An array of m (m - 1) / 2 distances, of (0, 1), (0, 2), ..., (m - 2, m - 1): of float32 where ``X`` is, else of
        float64.

    Raises:
        TypeError: ``X`` is no tombac array, the metric is neither a name nor a function, or does not take an option.
        ValueError: There is no such metric, or ``X`` has not two dimensions.

    >>> tombacx.scipy.spatial.distance.pdist(tombac.array([[0.0], [1.0], [3.0]]))
    array([1., 3., 2.])
    """
    check_arrays("pdist", X)
    if X.ndim != 2:
        raise ValueError(f"pdist: X must have two dimensions, not the shape {X.shape}")
    result = _by_kernel("pdist", X, None, metric, kwargs)
    return _deliver("pdist", _all_pairs("pdist", X, None, metric, kwargs) if result is None else result, out)


def distance_matrix(x, y, p=2.0, threshold=1000000):
    """Minkowski distances between each point of one set and each of another.

    Args:
        x: The points of one set as rows, of shape (m, n).
        y: The points of the other, of shape (k, n).
        p: Which norm: a number greater than 0, or inf.
        threshold: Taken and without effect.

    Returns:
        An array of shape (m, k): of float32 where both sets are, as in CuPy, else of float64.

    Raises:
        TypeError: A set is no tombac array.
        ValueError: The shapes do not fit, or ``p`` is not greater than 0.

    >>> tombacx.scipy.spatial.distance_matrix(tombac.array([[0.0, 0.0]]), tombac.array([[3.0, 4.0]]), 1)
    array([[7.]])
    """
    return cdist(x, y, "minkowski", p=p)


# ---- layouts ---------------------------------------------------------------------------------------------------------


def _condensed(matrix):
    """What is above the diagonal, by rows."""
    m = matrix.shape[0]
    if m < 2:
        return _core.zeros(0, matrix.dtype)
    i = arange(m)
    return matrix[i[:, None] < i]


@functools.lru_cache(64)
def _points(pairs):
    """How many points have that many pairs; ValueError if none do."""
    m = points_of(pairs)
    if m is None:
        raise ValueError(f"squareform: {pairs} is not the number of pairs of any number of points")
    return m


_FEW = 128


def _places(xp, m):
    """Where in the vector of pairs each element of the matrix is: an array of m by m, on the diagonal of any places."""
    i = xp.arange(m)
    row, column = xp.minimum(i[:, None], i), xp.maximum(i[:, None], i)
    return xp.where(row == column, 0, row * (2 * m - row - 1) // 2 + column - row - 1)


@functools.lru_cache(8)
def _few_places(m):
    return _places(np, m)


@functools.lru_cache(8)
def _few_pairs(m):
    return np.triu_indices(m, 1)


def squareform(X, force="no", checks=True):
    """A vector of the distances of pairs as a symmetric matrix, or the other way round.

    Args:
        X: A vector as pdist makes it, or a square matrix.
        force: ``"tomatrix"`` refuses matrices, ``"tovector"`` vectors; ``"no"`` takes either.
        checks: Whether a matrix is looked at to be symmetric and zero on its diagonal, which waits for it.

    Returns:
        An array of the other form and ``X``'s dtype.

    Raises:
        TypeError: ``X`` is no tombac array.
        ValueError: It is of another form, or fails the checks.

    >>> tombacx.scipy.spatial.distance.squareform(tombac.array([1.0, 3.0, 2.0]))
    array([[0., 1., 3.],
           [1., 0., 2.],
           [3., 2., 0.]])
    """
    check_arrays("squareform", X)
    ndim = X.ndim
    if ndim not in (1, 2) or (force != "no" and ndim == {"tomatrix": 2, "tovector": 1}.get(force.lower())):
        raise ValueError(f"squareform: an array of {ndim} dimensions cannot be converted with force={force!r}")
    if ndim == 1:
        m = _points(X.size)
        if m == 1 or not X.size:
            return _core.zeros((1, 1), X.dtype)
        result = X[_core.array(_few_places(m)) if m <= _FEW else _places(_core, m)]
        result.reshape(-1)[::m + 1] = 0
        return result
    if X.shape[0] != X.shape[1]:
        raise ValueError(f"squareform: the matrix must be square, not of the shape {X.shape}")
    if checks:
        if not (X == X.T).all():
            raise ValueError("squareform: the matrix is not symmetric")
        if not (X.diagonal() == 0).all():
            raise ValueError("squareform: the matrix is not zero on its diagonal")
    return _condensed(X)
