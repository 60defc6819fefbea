"""Distances between vectors: of two, of all pairs of one set, or between two sets.

Each is an expression that a reduction takes in: one kernel for all pairs, without an array of their differences.
Nothing but tombac is needed for any of them. The functions of two vectors give arrays without dimensions, which are on
the device; nothing waits for them. What says whether distances have the form of some waits for them.

>>> points = tombac.array([[0.0, 0.0], [3.0, 4.0]])
>>> tombacx.scipy.spatial.distance.cdist(points, points, "cityblock")
array([[0., 7.],
       [7., 0.]])
"""

from tombac import _core
from tombac._core import asarray
from tombac._docstrings import with_rows
from tombac._util import check_arrays
from tombacx.scipy.spatial import _metrics
from tombacx.scipy.spatial._dependencies import (
    MetricInfo, check_soft_dependencies, cuvs_available, pylibraft_available,
)
from tombacx.scipy.spatial._forms import is_valid_dm, is_valid_y, num_obs_dm, num_obs_y
from tombacx.scipy.spatial._hausdorff import directed_hausdorff
from tombacx.scipy.spatial._metrics import numeric as _numeric
from tombacx.scipy.spatial._metrics import weights as _weights
from tombacx.scipy.spatial._pairs import cdist, distance_matrix, pdist, squareform

__all__ = [
    "braycurtis", "canberra", "cdist", "chebyshev", "check_soft_dependencies", "cityblock", "correlation", "cosine",
    "cuvs_available", "dice", "directed_hausdorff", "distance_matrix", "euclidean", "hamming", "hellinger",
    "is_valid_dm", "is_valid_y", "jaccard", "jensenshannon", "kl_divergence", "mahalanobis", "MetricInfo", "minkowski",
    "num_obs_dm", "num_obs_y", "pdist", "pylibraft_available", "rogerstanimoto", "russellrao", "seuclidean",
    "sokalsneath", "sqeuclidean", "squareform", "yule",
]

_documented = with_rows(
    u="u: A vector.",
    v="v: A vector of as many elements.",
    w="w: The weights of the elements, none below 0; 1 if None. Weights on the device are not looked at.",
    number="An array without dimensions, of float32 if both vectors are, else of float64.",
    refusals="""TypeError: An argument is no tombac array.
        ValueError: A vector has not one dimension, or not as many elements as the other, or is complex.""",
)


_ALONE = 1 << 21  # elements that one thread goes over in one pass; of more there are sums by several


def _of_vectors(name, metric, u, v, **options):
    check_arrays(name, u, v)
    u, v = _numeric(name, u), _numeric(name, v)
    if u.ndim != 1 or u.shape != v.shape:
        raise ValueError(f"{name}: two vectors of a length are expected, not of the shapes {u.shape} and {v.shape}")
    if "w" in options:
        options["w"] = _weights(name, options["w"], u.size)
    u, v = _metrics.of_one_dtype(u, v)
    dtype = u.dtype
    if metric is _metrics.jaccard:  # the others of its kind compute with what is given, as SciPy's do
        u, v = (u != 0).astype("d"), (v != 0).astype("d")
    if metric is _metrics.cosine and options["w"] is None and 0 < u.size <= _ALONE and _core.backend() == "cpu":
        return _core._distances(u[None], v[None], 8, 2.0)[0, 0]
    if metric in _metrics.ANGLES and (metric is _metrics.cosine or options["w"] is not None):
        u, v = u.astype("d", copy=False), v.astype("d", copy=False)
    return metric(u, v, **options).astype(dtype, copy=False)


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)



@_documented
def braycurtis(u, v, w=None):
    """The Bray-Curtis distance: the sum of absolute differences, by that of the absolute sums.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.braycurtis(tombac.array([1.0, 0.0, 0.0]), tombac.array([0.0, 2.0, 0.0]))
    array(1.)
    """
    return _of_vectors("braycurtis", _metrics.braycurtis, u, v, w=w)


@_documented
def canberra(u, v, w=None):
    """The Canberra distance: the sum of absolute differences by sums of absolute values, 0 / 0 being 0.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.canberra(tombac.array([1.0, 0.0, 0.0]), tombac.array([0.0, 2.0, 0.0]))
    array(2.)
    """
    return _of_vectors("canberra", _metrics.canberra, u, v, w=w)


@_documented
def chebyshev(u, v, w=None):
    """The Chebyshev distance: the largest absolute difference.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    Elements of no weight do not count.

    >>> tombacx.scipy.spatial.distance.chebyshev(tombac.array([1.0, 0.0, 0.0]), tombac.array([0.0, 2.0, 0.0]))
    array(2.)
    """
    return _of_vectors("chebyshev", _metrics.chebyshev, u, v, w=w)


@_documented
def cityblock(u, v, w=None):
    """The Manhattan distance: the sum of absolute differences.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.cityblock(tombac.array([1.0, 0.0, 0.0]), tombac.array([0.0, 2.0, 0.0]))
    array(3.)
    """
    return _of_vectors("cityblock", _metrics.cityblock, u, v, w=w)


@_documented
def correlation(u, v, w=None, centered=True):
    """The correlation distance: one less the correlation.

    Args:
        {u}
        {v}
        {w}
        centered: Whether the means are subtracted first; False makes it the cosine distance.

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.correlation(tombac.array([1.0, 0.0, 1.0]), tombac.array([1.0, 1.0, 0.0]))
    array(1.5)
    """
    return _of_vectors("correlation", _metrics.correlation, u, v, w=w, centered=centered)


@_documented
def cosine(u, v, w=None):
    """The cosine distance: one less the cosine of the angle between the vectors.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.cosine(tombac.array([1.0, 0.0]), tombac.array([3.0, 4.0]))
    array(0.4)
    """
    return _of_vectors("cosine", _metrics.cosine, u, v, w=w)


@_documented
def dice(u, v, w=None):
    """The Dice dissimilarity of truth values.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.dice(tombac.array([True, False, True]), tombac.array([True, True, False]))
    array(0.5)
    """
    return _of_vectors("dice", _metrics.dice, u, v, w=w)


@_documented
def euclidean(u, v, w=None):
    """The Euclidean distance.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.euclidean(tombac.array([1.0, 1.0]), tombac.array([4.0, 5.0]))
    array(5.)
    """
    return _of_vectors("euclidean", _metrics.euclidean, u, v, w=w)


@_documented
def hamming(u, v, w=None):
    """The Hamming distance: the part of elements that differ.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.hamming(tombac.array([True, False, True]), tombac.array([True, True, False]))
    array(0.66666667)
    """
    return _of_vectors("hamming", _metrics.hamming, u, v, w=w)


@_documented
def hellinger(u, v):
    """The Hellinger distance of two distributions: sqrt(1 - sum(sqrt(u v))).

    Args:
        {u}
        {v}

    Returns:
        {number}

    Raises:
        {refusals}

    SciPy has no such function.

    >>> tombacx.scipy.spatial.distance.hellinger(tombac.array([0.5, 0.5]), tombac.array([0.25, 0.75]))
    array(0.18459191)
    """
    return _of_vectors("hellinger", _metrics.hellinger, u, v)


@_documented
def jaccard(u, v, w=None):
    """The Jaccard dissimilarity of truth values.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.jaccard(tombac.array([True, False, True]), tombac.array([True, True, False]))
    array(0.66666667)
    """
    return _of_vectors("jaccard", _metrics.jaccard, u, v, w=w)


@_documented
def jensenshannon(u, v, base=None, *, axis=0, keepdims=False):
    """The Jensen-Shannon distance of distributions: the root of their divergence from their mean.

    Args:
        u: A distribution: a vector, or an array with several along other axes.
        v: The other: an array whose shape broadcasts.
        base: The base of the logarithm; e if None.
        axis: Along which axis the distributions lie.
        keepdims: Whether the axis stays, with the length 1.

    Returns:
        An array without the axis, of float32 if both are, else of float64.

    Raises:
        TypeError: An argument is no tombac array.
        ValueError: There is no such axis (AxisError), shapes do not broadcast, or numbers are complex.

    Distributions are divided by their sums.

    >>> tombacx.scipy.spatial.distance.jensenshannon(tombac.array([0.5, 0.5]), tombac.array([0.25, 0.75]))
    array(0.18390779)
    """
    check_arrays("jensenshannon", u, v)
    u, v = _metrics.of_one_dtype(_numeric("jensenshannon", u), _numeric("jensenshannon", v))
    return _metrics.jensenshannon_of_shares(_metrics.shares(u, axis), _metrics.shares(v, axis), base, axis, keepdims)


@_documented
def kl_divergence(u, v):
    """The Kullback-Leibler divergence of two distributions: the sum of u log(u / v).

    Args:
        {u}
        {v}

    Returns:
        {number}

    Raises:
        {refusals}

    SciPy has no such function; its ``rel_entr`` makes the terms.

    >>> tombacx.scipy.spatial.distance.kl_divergence(tombac.array([0.5, 0.5]), tombac.array([0.25, 0.75]))
    array(0.14384104)
    """
    return _of_vectors("kl_divergence", _metrics.kl_divergence, u, v)


@_documented
def mahalanobis(u, v, VI):
    """The Mahalanobis distance.

    Args:
        {u}
        {v}
        VI: The inverse of the covariance matrix.

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.mahalanobis(tombac.array([1.0, 0.0, 0.0]),
    ...                                           tombac.array([0.0, 2.0, 0.0]), tombac.eye(3))
    array(2.23606798)
    """
    return _of_vectors("mahalanobis", _metrics.mahalanobis, u, v, VI=_matrix(VI))


@_documented
def minkowski(u, v, p=2, w=None):
    """The Minkowski distance: the p-norm of the difference.

    Args:
        {u}
        {v}
        p: Which norm: a number greater than 0, or inf.
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.minkowski(tombac.array([1.0, 0.0, 0.0]), tombac.array([0.0, 2.0, 0.0]), 3)
    array(2.08008382)
    """
    return _of_vectors("minkowski", _metrics.minkowski, u, v, p=p, w=w)


@_documented
def rogerstanimoto(u, v, w=None):
    """The Rogers-Tanimoto dissimilarity of truth values.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.rogerstanimoto(tombac.array([True, False, True]),
    ...                                              tombac.array([True, True, False]))
    array(0.8)
    """
    return _of_vectors("rogerstanimoto", _metrics.rogerstanimoto, u, v, w=w)


@_documented
def russellrao(u, v, w=None):
    """The Russell-Rao dissimilarity of truth values.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.russellrao(tombac.array([True, False, True]), tombac.array([True, True, False]))
    array(0.66666667)
    """
    return _of_vectors("russellrao", _metrics.russellrao, u, v, w=w)


@_documented
def seuclidean(u, v, V):
    """The Euclidean distance of what is divided by its standard deviation.

    Args:
        {u}
        {v}
        V: The variances, a vector.

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.seuclidean(tombac.array([1.0, 0.0, 0.0]),
    ...                                          tombac.array([0.0, 2.0, 0.0]), tombac.array([4.0, 1.0, 1.0]))
    array(2.06155281)
    """
    return _of_vectors("seuclidean", _metrics.seuclidean, u, v, V=_vector("seuclidean", V, u))


@_documented
def sokalsneath(u, v, w=None):
    """The Sokal-Sneath dissimilarity of truth values.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    Of vectors that are false throughout it is NaN, where SciPy raises a ValueError.

    >>> tombacx.scipy.spatial.distance.sokalsneath(tombac.array([True, False, True]), tombac.array([True, True, False]))
    array(0.8)
    """
    return _of_vectors("sokalsneath", _metrics.sokalsneath, u, v, w=w)


@_documented
def sqeuclidean(u, v, w=None):
    """The square of the Euclidean distance.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.sqeuclidean(tombac.array([1.0, 0.0, 0.0]), tombac.array([0.0, 2.0, 0.0]))
    array(5.)
    """
    return _of_vectors("sqeuclidean", _metrics.sqeuclidean, u, v, w=w)


@_documented
def yule(u, v, w=None):
    """The Yule dissimilarity of truth values.

    Args:
        {u}
        {v}
        {w}

    Returns:
        {number}

    Raises:
        {refusals}

    >>> tombacx.scipy.spatial.distance.yule(tombac.array([True, False, True]), tombac.array([True, True, False]))
    array(2.)
    """
    return _of_vectors("yule", _metrics.yule, u, v, w=w)


def _vector(name, V, u):
    return _weights(name, V, asarray(u).size)


def _matrix(VI):
    VI = _numeric("mahalanobis", VI)
    return VI.reshape((1,) * (2 - VI.ndim) + VI.shape)
