"""What each metric is: one expression of two arrays whose last axis it reduces, so that vectors, pairs and all pairs of
two sets are the same code. Broadcast, the expression is the prologue of the reduction: one kernel, and no array of all
differences. Metrics of counts and of angles are made of products of matrices instead.
"""

import math

from tombac import _core
from tombac._core import absolute, special, where
from tombac._numpy import np


# ---- sums over differences -------------------------------------------------------------------------------------------


def _total(terms, w):
    return (terms if w is None else w * terms).sum(axis=-1)


def _largest(terms):
    return terms.max(axis=-1, initial=0)


def sqeuclidean(u, v, w=None):
    return _total(_core.square(u - v), w)


def euclidean(u, v, w=None):
    return _core.sqrt(sqeuclidean(u, v, w))


def cityblock(u, v, w=None):
    return _total(absolute(u - v), w)


def chebyshev(u, v, w=None):
    return _largest(absolute(u - v) if w is None else where(w > 0, absolute(u - v), 0))


def minkowski(u, v, p=2, w=None):
    if not p > 0:
        raise ValueError(f"minkowski: p must be greater than 0, not {p}")
    if p == 1:
        return cityblock(u, v, w)
    if p == 2:
        return euclidean(u, v, w)
    if p == math.inf:
        return chebyshev(u, v, w)
    return _total(absolute(u - v) ** float(p), w) ** (1.0 / p)


def seuclidean(u, v, V):
    return euclidean(u, v, 1 / V)


def mahalanobis(u, v, VI):
    if u.ndim == v.ndim == 1:
        apart = u - v
        return _core.sqrt(_core.matmul(_core.matmul(apart, VI), apart))
    # Of many pairs the matrix is applied to either side before differences are taken.
    return _core.sqrt(((u - v) * (_core.matmul(u, VI.T) - _core.matmul(v, VI.T))).sum(axis=-1))


def canberra(u, v, w=None):
    size = absolute(u) + absolute(v)
    return _total(where(size == 0, 0, absolute(u - v) / size), w)


def braycurtis(u, v, w=None):
    return _total(absolute(u - v), w) / _total(absolute(u + v), w)


def hamming(u, v, w=None):
    differ = (u != v).astype("d")
    return differ.mean(axis=-1) if w is None else (w * differ).sum(axis=-1) / w.sum()


def jensenshannon(u, v, base=None):
    return jensenshannon_of_shares(shares(u), shares(v), base)


def shares(x, axis=-1):
    """What has sums of 1."""
    return x / x.sum(axis=axis, keepdims=True)


def jensenshannon_of_shares(u, v, base=None, axis=-1, keepdims=False):
    # The mean has no name here: an array that one refers to would be written, for all pairs.
    total = (_relative(u, (u + v) / 2) + _relative(v, (u + v) / 2)).sum(axis=axis, keepdims=keepdims)
    # Of equal distributions rounding may make it a little less than nothing.
    return _core.sqrt(_core.maximum(total, 0) / (2 * (1.0 if base is None else math.log(base))))


def _relative(p, q):
    """p log(p / q), which is nothing where p is 0 and infinite where only q is."""
    if p.dtype == "d":
        return special.rel_entr(p, q)
    return where((p < 0) | (q < 0), math.inf, where(p == 0, 0, p * _core.log(p / q)))  # that one is of doubles


def kl_divergence(u, v):
    return _relative(u, v).sum(axis=-1)


def hellinger(u, v):
    return _core.sqrt(_core.maximum(1 - _core.sqrt(u * v).sum(axis=-1), 0))


# ---- products --------------------------------------------------------------------------------------------------------


def _product(u, v):
    """Sums of products over the last axis: of two vectors, or of all pairs of two sets by a product of matrices."""
    if u.ndim == 1:
        return _core.dot(u, v)
    return _core.matmul(u[:, 0], v[0].T)


def cosine(u, v, w=None):
    """One less the cosine of the angle between vectors."""
    if w is not None:
        w = w / w.sum()
        u, v = u * _core.sqrt(w), v * _core.sqrt(w)
    sizes = _core.sqrt(_core.square(u).sum(axis=-1) * _core.square(v).sum(axis=-1))
    return _core.clip(1.0 - _product(u, v) / sizes, 0.0, 2.0)


def directions(x):
    """Rows of length 1."""
    return x / _core.sqrt(_core.square(x).sum(axis=-1, keepdims=True))


def correlation(u, v, w=None, centered=True):
    if centered and w is None and u.ndim == 1:
        return _of_centered(u, v)
    if centered:
        total = (lambda x: x.mean(axis=-1, keepdims=True)) if w is None else \
            (lambda x: (x * w).sum(axis=-1, keepdims=True) / w.sum())
        u, v = u - total(u), v - total(v)
    return cosine(u, v, w)


def _of_centered(u, v):
    """Of two vectors, in float64. Their deviations have no names: arrays that one refers to would be stored."""
    first, second = u.mean(dtype="d"), v.mean(dtype="d")
    sizes = _core.sqrt(_core.square(u - first).sum() * _core.square(v - second).sum())
    return _core.clip(1.0 - ((u - first) * (v - second)).sum() / sizes, 0.0, 2.0)


def _counts(u, v, w):
    """How many elements, or how much weight, are of both, of the first alone, of the second alone, and of neither."""
    if w is not None:
        return tuple(_product(w * a, b) for a, b in ((u, v), (u, 1 - v), (1 - u, v), (1 - u, 1 - v)))
    both, first, second = (x.astype("d", copy=False) for x in (_product(u, v), u.sum(axis=-1), v.sum(axis=-1)))
    return both, first - both, second - both, u.shape[-1] - first - second + both


def jaccard(u, v, w=None):
    both, first, second, _ = _counts(u, v, w)
    any_of = both + first + second
    return where(any_of == 0, 0, (first + second) / any_of)


def dice(u, v, w=None):
    both, first, second, _ = _counts(u, v, w)
    return (first + second) / (2 * both + first + second)


def rogerstanimoto(u, v, w=None):
    both, first, second, neither = _counts(u, v, w)
    return 2 * (first + second) / (both + neither + 2 * (first + second))


def russellrao(u, v, w=None):
    total = u.shape[-1] if w is None else w.sum()
    return (total - _product(u if w is None else w * u, v).astype("d", copy=False)) / total


def sokalsneath(u, v, w=None):
    both, first, second, _ = _counts(u, v, w)
    return 2 * (first + second) / (both + 2 * (first + second))


def yule(u, v, w=None):
    both, first, second, neither = _counts(u, v, w)
    apart = first * second
    return where(apart == 0, 0, 2 * apart / (both * neither + apart))


# ---- which there are -------------------------------------------------------------------------------------------------

TRUTH = {dice, jaccard, rogerstanimoto, russellrao, sokalsneath, yule}  # of what is zero and what is not
ANGLES = {cosine, correlation}  # one less what is nearly one: in float64, whatever the points are
PRODUCTS = {*TRUTH, *ANGLES}  # that products of matrices make
_ROWS = {
    braycurtis: "braycurtis",
    canberra: "canberra",
    chebyshev: "chebyshev chebychev cheby cheb ch linf",
    cityblock: "cityblock cblock cb c l1 manhattan",
    correlation: "correlation co",
    cosine: "cosine cos",
    dice: "dice",
    euclidean: "euclidean euclid eu e l2",
    hamming: "hamming matching hamm ha h",
    hellinger: "hellinger",
    jaccard: "jaccard jacc ja j",
    jensenshannon: "jensenshannon js",
    kl_divergence: "kl_divergence",
    mahalanobis: "mahalanobis mahal mah",
    minkowski: "minkowski mi m pnorm",
    rogerstanimoto: "rogerstanimoto",
    russellrao: "russellrao",
    seuclidean: "seuclidean se s",
    sokalsneath: "sokalsneath",
    sqeuclidean: "sqeuclidean sqe sqeuclid",
    yule: "yule",
}
BY_NAME = {name: metric for metric, names in _ROWS.items() for name in names.split()}


def numeric(name, x):
    """``x`` as metrics compute: in float32 where it is that, in float64 otherwise."""
    x = _core.asarray(x)
    if x.dtype.kind == "c":
        raise ValueError(f"{name}: distances of complex numbers are not defined")
    return x if x.dtype.char in "fd" else x.astype("d")


def of_one_dtype(u, v):
    return (u, v) if u.dtype == v.dtype else (u.astype("d"), v.astype("d"))


def weights(name, w, n):
    """Weights as an array of ``n`` elements; those that are on the host are looked at."""
    if w is None:
        return None
    if not isinstance(w, _core.ndarray) and np.any(np.asarray(w) < 0):
        raise ValueError(f"{name}: weights must not be negative")
    w = numeric(name, w)
    if w.shape != (n,):
        raise ValueError(f"{name}: the weights must be a vector of {n} elements, not of the shape {w.shape}")
    return w
