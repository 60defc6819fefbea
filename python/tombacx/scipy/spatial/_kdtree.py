"""KDTree: neighbours of points."""

import math
import operator

import tombac
from tombac import _core
from tombac._core import where
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombacx.scipy.spatial._tiles import Tiles

__all__ = ["KDTree"]

_documented = with_rows(
    p="p: Of which Minkowski metric the distances are: at least 1, and infinity for the greatest difference.",
    eps="eps: By which fraction neighbours may be further than the nearest. Results are exact whatever it is.",
    workers="workers: In how many threads SciPy would search. It has no effect: all of them do.",
    points="x: The points: a real array whose last axis has the dimensions.",
    refusals="ValueError: Points have another number of dimensions, or are not finite, or an argument is out of range.",
)


class KDTree:
    """Points, among which neighbours are found.

    Args:
        data: The points: a real array of shape (points, dimensions).
        leafsize: At least 1. It has no effect, nor have compact_nodes and balanced_tree.
        compact_nodes: Whether nodes shrink to what they hold; they always do.
        copy_data: Whether the points are copied. The tree has a copy of its own in any case.
        balanced_tree: Whether nodes are split at the median.
        boxsize: The periods of the dimensions: a number, or one for each, where 0 is none.

    Raises:
        ValueError: The points are not finite, or have not 2 axes, or are outside of the box.

    The tree is one of boxes around points, made and searched where the points are: on a GPU of points that follow one
    another on a Hilbert curve through the ranks of their coordinates (Kamel and Faloutsos, On packing R-trees, 1993),
    by a thread for each point that is asked for; on the CPU of halves along the longest axis, by all threads.

    >>> tree = tombacx.scipy.spatial.KDTree(tombac.array([[0.0, 0.0], [1.0, 0.0], [0.0, 5.0]]))
    >>> tree.query(tombac.array([[0.9, 0.1], [0.0, 4.0]]))
    (array([0.14142136, 1.        ]), array([1, 2]))
    """

    def __init__(self, data, leafsize=10, compact_nodes=True, copy_data=False, balanced_tree=True, boxsize=None):
        data = tombac.asarray(data)
        if data.dtype.kind == "c":
            raise TypeError("KDTree: points must be real, not complex")
        if data.ndim != 2:
            raise ValueError(f"KDTree: data must have 2 dimensions, not the shape {data.shape}")
        if leafsize < 1:
            raise ValueError(f"KDTree: leafsize must be at least 1, not {leafsize}")
        self.data = tombac.array(data, "d", copy=True) if copy_data else \
            tombac.ascontiguousarray(data.astype("d", copy=False))
        self.n, self.m = self.data.shape
        self.leafsize, self.boxsize = leafsize, self._periods(boxsize)
        self._check("KDTree", self.data)
        self._tree = _core._tree_make(self.data)
        self._tiles = Tiles(self.data, self.boxsize)

    def _periods(self, boxsize):
        if boxsize is None:
            return None
        periods = tombac.asarray(boxsize).astype("d", copy=False)
        if periods.ndim > 1 or periods.size not in (1, self.m):
            raise ValueError(f"KDTree: boxsize must be a number or of shape ({self.m},), not {periods.shape}")
        periods = tombac.broadcast_to(periods, (self.m,)).copy()
        known = periods.get()
        if known.size and self.n:
            low, high = self.data.min(axis=0).get(), self.data.max(axis=0).get()
            if ((known > 0) & ((low < 0) | (high >= known))).any():
                raise ValueError("KDTree: data must lie between 0 and boxsize, in dimensions that have a period")
        return periods

    @property
    def mins(self):
        """The least coordinates: an array of shape (dimensions,); 0 where there are no points."""
        return self.data.min(axis=0) if self.n else tombac.zeros(self.m)

    @property
    def maxes(self):
        """The greatest coordinates: an array of shape (dimensions,); 0 where there are no points."""
        return self.data.max(axis=0) if self.n else tombac.zeros(self.m)

    def _check(self, name, x):
        if x.ndim == 0 or x.shape[-1] != self.m:
            raise ValueError(f"{name}: points of {self.m} dimensions are expected, not the shape {x.shape}")
        if not tombac.isfinite(x).all():
            raise ValueError(f"{name}: points must be finite")
        return x

    def _points(self, name, x):
        """The points as rows, and the shape they had."""
        x = self._check(name, tombac.asarray(x).astype("d", copy=False))
        return tombac.ascontiguousarray(x.reshape(-1, self.m)), x.shape[:-1]

    def _asked(self, x):
        """The points within the periods."""
        if self.boxsize is None:
            return x
        period = where(self.boxsize > 0, self.boxsize, 1.0)
        return where(self.boxsize > 0, x - tombac.floor(x / period) * period, x)

    def _counts(self, x, radii, p):
        """How many neighbours each of x has."""
        return _core._tree_within(*self._tree, self._asked(x), radii, self.boxsize, None, float(p))

    def _within(self, x, radii, p):
        """Where the neighbours of each of x begin, and their numbers."""
        starts = tombac.zeros(len(x) + 1, "l")
        tombac.cumsum(self._counts(x, radii, p), out=starts[1:])
        return starts, _core._tree_within(*self._tree, self._asked(x), radii, self.boxsize, starts, float(p))

    def _pairs(self, x, r, p):
        """All pairs of a row of x and one of its neighbours: their numbers."""
        starts, columns = self._within(x, tombac.full(len(x), float(r)), p)
        return _rows(starts, columns), columns

    def _own_pairs(self, r, p):
        """Each pair of points once, the lower number first."""
        if _core.backend() == "cpu":
            return _core._tree_pairs(*self._tree, None, None, None, self.boxsize, float(r), float(p), False)
        packed, order, *_ = self._tree  # whose neighbours look at the same leaves
        first, second = self._pairs(packed, r, p)
        first = order[first]
        kept = first < second
        return tombac.stack([first[kept], second[kept]], axis=1)

    def _pairs_apart(self, other, r, p):
        """All pairs of a point of this tree and one of another: their numbers, and how far apart they are."""
        periodic = other.boxsize is not None and other is not self
        points = other._asked(self.data) if periodic else self.data
        if _core.backend() == "cpu":
            tree = _core._tree_make(points) if periodic else self._tree
            pairs, distances = _core._tree_pairs(*tree, *other._tree, other.boxsize, float(r), float(p), True)
            return pairs[:, 0], pairs[:, 1], distances
        rows, columns = other._pairs(points, r, p)
        return rows, columns, other._tiles.between(points[rows], other.data[columns], float(p))

    @_documented
    def query(self, x, k=1, eps=0.0, p=2.0, distance_upper_bound=math.inf, workers=1):
        """The nearest neighbours of points.

        Args:
            {points}
            k: How many: an int; or which ones, from 1 on: a sequence.
            {eps}
            {p}
            distance_upper_bound: Neighbours must be nearer.
            {workers}

        Returns:
            A tuple of arrays (d, i): distances, and numbers of neighbours. Of the shape of the points, with an axis of
            the neighbours behind if ``k`` is not 1. Where there are not so many, infinity and the number of all points.

        Raises:
            {refusals}
        """
        x, shape = self._points("query", x)
        chosen, trailing = _which(k)
        most = max(chosen)
        if p < 1:
            raise ValueError(f"query: p must be at least 1, not {p}")
        d, i = _core._tree_nearest(*self._tree, self._asked(x), self.boxsize, most, float(p),
                                   float(distance_upper_bound))
        if len(chosen) != most:
            columns = tombac.array([n - 1 for n in chosen])
            d, i = d[:, columns], i[:, columns]
        return d.reshape(shape + trailing), i.reshape(shape + trailing)

    def _radii(self, name, r, shape):
        try:
            return tombac.broadcast_to(tombac.asarray(r, "d"), shape).ravel()
        except ValueError:
            raise ValueError(f"{name}: radii of shape {np.shape(r)} do not fit points of shape {shape}") from None

    @_documented
    def query_ball_point(self, x, r, p=2.0, eps=0, return_sorted=None, return_length=False, workers=1):
        """The neighbours no further away than a distance.

        Args:
            {points}
            r: The distance: a number, or an array that broadcasts to the points' shape.
            {p}
            {eps}
            return_sorted: Whether numbers are in order; None: those of several points are.
            return_length: Whether numbers are counted instead.
            {workers}

        Returns:
            For one point an array of the neighbours' numbers; else a list of these, or lists within each other by the
            points' axes. If ``return_length``, an array of the points' shape.

        Raises:
            {refusals}
        """
        x, shape = self._points("query_ball_point", x)
        radii = self._radii("query_ball_point", r, shape)
        if return_length:
            return self._counts(x, radii, p).reshape(shape)
        if return_sorted is None:
            return_sorted = len(shape) > 0
        return _nested(self._neighbours(x, radii, p, return_sorted), shape)

    def _neighbours(self, x, radii, p, in_order=True):
        """A list of the neighbours' numbers, for each of x: views of one array."""
        starts, columns = self._within(x, radii, p)
        if in_order and self.n > 0:
            columns = tombac.sort(_rows(starts, columns) * self.n + columns) % self.n
        ends = starts.tolist()
        return [columns[start:end] for start, end in zip(ends[:-1], ends[1:], strict=True)]

    @_documented
    def query_ball_tree(self, other, r, p=2.0, eps=0.0):
        """For each point of this tree the neighbours in another, no further away than a distance.

        Args:
            other: A KDTree of as many dimensions.
            r: The distance, a number.
            {p}
            {eps}

        Returns:
            A list of arrays of numbers of the other's points.

        Raises:
            {refusals}
        """
        self._same("query_ball_tree", other)
        return other._neighbours(self.data, self._radii("query_ball_tree", r, (self.n,)), p)

    def _same(self, name, other):
        if other.m != self.m:
            raise ValueError(f"{name}: trees have {self.m} and {other.m} dimensions")

    @_documented
    def query_pairs(self, r, p=2.0, eps=0, output_type="ndarray"):
        """All pairs of points no further apart than a distance.

        Args:
            r: The distance, a number.
            {p}
            {eps}
            output_type: 'ndarray' or 'set'.

        Returns:
            An array of shape (pairs, 2), in each row the lower number first; or a set of such tuples.

        Raises:
            {refusals}
        """
        if output_type not in ("ndarray", "set"):
            raise ValueError(f"query_pairs: output_type must be 'ndarray' or 'set', not {output_type!r}")
        pairs = self._own_pairs(r, p)
        return set(zip(pairs[:, 0].tolist(), pairs[:, 1].tolist(), strict=True)) if output_type == "set" else pairs

    @_documented
    def count_neighbors(self, other, r, p=2.0, weights=None, cumulative=True):
        """How many pairs of a point of this tree and one of another are no further apart than distances.

        Args:
            other: A KDTree of as many dimensions.
            r: The distances: a number or a vector.
            {p}
            weights: None; the weights of the points, a vector of as many as both trees have; or a tuple of two, for the
                points of this tree and of the other. Products of weights are summed instead of pairs.
            cumulative: False counts those further apart than the distance before.

        Returns:
            An array of the shape of ``r``.

        Raises:
            {refusals}
        """
        self._same("count_neighbors", other)
        own, others = weights if isinstance(weights, tuple) else (weights, weights)
        own, others = (w if w is None else tombac.asarray(w, "d") for w in (own, others))
        radii = tombac.asarray(r, "d")
        if weights is None:
            each = [self._counts(other.data, tombac.full(other.n, radius), p).sum() for radius in
                    radii.ravel().tolist()]
            counts = tombac.stack(each) if each else tombac.zeros(0, "l")
        else:
            counts = self._tiles.weigh(other.data, radii.ravel(), float(p), own, others)
        if not cumulative:
            counts = tombac.diff(counts, prepend=0)
        return counts.reshape(radii.shape)

    @_documented
    def sparse_distance_matrix(self, other, max_distance, p=2.0, output_type="coo_matrix"):
        """The distances of pairs of a point of this tree and one of another that are near to each other.

        Args:
            other: A KDTree of as many dimensions.
            max_distance: Pairs further apart are left out.
            {p}
            output_type: 'coo_matrix' or another name of tombacx.scipy.sparse's; 'dict'; or 'ndarray', a tuple of the
                arrays of rows, columns and distances.

        Returns:
            A matrix of shape (points of this tree, points of the other), or what ``output_type`` says.

        Raises:
            {refusals}
        """
        self._same("sparse_distance_matrix", other)
        rows, columns, distances = self._pairs_apart(other, max_distance, p)
        if output_type == "ndarray":
            return rows, columns, distances
        if output_type == "dict":
            return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), distances.tolist(), strict=True))
        from tombacx.scipy import sparse

        made = sparse.coo_matrix((distances, (rows, columns)), shape=(self.n, other.n))
        return made if output_type == "coo_matrix" else made.asformat(output_type.removesuffix("_matrix"))


def _rows(starts, columns):
    """The row of each element, of rows that begin at ``starts``."""
    return tombac.searchsorted(starts[1:], tombac.arange(columns.size), side="right")


def _which(k):
    """Which neighbours are wanted, and the axis that they have in results."""
    if isinstance(k, (int, np.integer)):
        chosen, trailing = list(range(1, k + 1)) or [0], () if k == 1 else (int(k),)
    elif isinstance(k, (list, tuple, range, np.ndarray, tombac.ndarray)):
        chosen = [operator.index(n) for n in (k.tolist() if hasattr(k, "tolist") else k)]
        trailing = (len(chosen),)
    else:
        raise ValueError(f"query: k must be an integer or a sequence of integers, not {k!r}")
    if not chosen or min(chosen) < 1:
        raise ValueError(f"query: k must be an integer of at least 1 or a sequence of such, not {k!r}")
    return chosen, trailing


def _nested(items, shape):
    """A list as lists within each other; of no dimension, its only item."""
    if not shape:
        return items[0]
    if len(shape) == 1:
        return items
    step = math.prod(shape[1:])
    return [_nested(items[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])]
