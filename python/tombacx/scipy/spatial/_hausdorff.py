"""The directed Hausdorff distance, without all pairs: by a tree in few dimensions, else as A. A. Taha and A. Hanbury,
An efficient algorithm for calculating the exact Hausdorff distance, 2015: a point that is near to some other cannot be
the one that is far from all."""

import math

from tombac import _core
from tombac._util import check_arrays
from tombacx.scipy.spatial._kdtree import KDTree
from tombacx.scipy.spatial._metrics import numeric, of_one_dtype

__all__ = ["directed_hausdorff"]

_FIRST = 64  # points that all others are compared with at first; then with twice as many each time
_PAIRS = 1 << 22  # at a time
_DIMENSIONS = 4  # of a tree


def _squares(a, b):
    return _core._distances(a, b, 0, 2.0)


def _nearest(u, v):
    """The squared distance of each row to the nearest of others."""
    step = max(1, _PAIRS // max(1, len(v)))
    return _core.concatenate([_squares(u[k:k + step], v).min(axis=1) for k in range(0, len(u), step)])


def _spread(v):
    """The rows in another order, in which those that are beside each other are not near: neighbours in an array often
    are points that are."""
    n, step = len(v), max(1, round(len(v) * 0.618))
    while math.gcd(n, step) != 1:
        step += 1
    return v[_core.arange(n) * step % n]


def directed_hausdorff(u, v, rng=0, *, seed=None):
    """The directed Hausdorff distance: how far the point of one set is that is farthest from another set.

    Args:
        u: The points of the one set as rows, of shape (m, n).
        v: The points of the other, of shape (k, n).
        rng: Taken and without effect: nothing is drawn.
        seed: The same by its former name.

    Returns:
        A tuple of Python numbers: the distance, and the numbers of the rows of ``u`` and ``v`` that are as far apart.

    Raises:
        TypeError: A set is no tombac array.
        ValueError: The shapes do not fit, or a set has no points.

    It waits for the distances. Of several pairs as far apart it may be another one than SciPy's.

    >>> a, b = tombac.array([[0.0, 0.0], [3.0, 4.0]]), tombac.array([[0.0, 0.0], [1.0, 0.0]])
    >>> distance, i, j = tombacx.scipy.spatial.distance.directed_hausdorff(a, b)
    >>> i, j
    (1, 1)
    """
    check_arrays("directed_hausdorff", u, v)
    if u.ndim != 2 or v.ndim != 2 or u.shape[1] != v.shape[1]:
        raise ValueError("directed_hausdorff: two arrays of rows of one length are expected, not of the shapes "
                         f"{u.shape} and {v.shape}")
    if not (len(u) and len(v)):
        raise ValueError("directed_hausdorff: a set without points has no distance")
    u, v = of_one_dtype(numeric("directed_hausdorff", u).astype("d"), numeric("directed_hausdorff", v).astype("d"))
    i = _farthest(u, v)
    apart = _squares(u[i:i + 1], v)[0]
    j = int(apart.argmin())
    return float(_core.sqrt(apart[j])), i, j


def _farthest(u, v):
    """The number of the row that is farthest from all others."""
    if len(u) * len(v) <= _FIRST * _FIRST:
        return int(_squares(u, v).min(axis=1).argmax())
    if 0 < u.shape[1] <= _DIMENSIONS:
        return int(KDTree(v).query(u)[0].argmax())
    others, left, at, count = _spread(v), _core.arange(len(u)), 0, _FIRST
    least = _core.full(len(u), math.inf)
    best, bound = 0, -1.0
    while len(left) and at < len(v):
        least = _core.minimum(least, _nearest(u[left], others[at:at + count]))
        at, count = at + count, 2 * count
        first = int(least.argmax())
        exact = float(_nearest(u[left[first:first + 1]], v)[0])
        if exact > bound:
            best, bound = int(left[first]), exact
        some = least > bound
        left, least = left[some], least[some]
    return best if not len(left) else int(left[int(least.argmax())])
