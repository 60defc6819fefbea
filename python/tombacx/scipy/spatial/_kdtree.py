"""KDTree: neighbours of points."""

import math
import operator

import tombac
from tombac import _core
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombacx.scipy._host import host_view, scipy_module
from tombacx.scipy.spatial._tiles import Tiles

__all__ = ["KDTree"]

_documented = with_rows(
    p="p: Of which Minkowski metric the distances are: at least 1, and infinity for the greatest difference.",
    eps="eps: By which fraction neighbours may be further than the nearest. Results are exact on a GPU.",
    points="x: The points: a real array whose last axis has the dimensions.",
    refusals="""ImportError: SciPy is not installed, which is needed on the CPU.
        ValueError: Points have another number of dimensions, or are not finite, or an argument is out of range.""",
)


def _on_host():
    """Whether SciPy's tree answers, rather than a comparison of all pairs."""
    return _core.backend() == "cpu"


class KDTree:
    """Points, among which neighbours are found.

    Args:
        data: The points: a real array of shape (points, dimensions).
        leafsize: How many points a leaf of the tree holds at most.
        compact_nodes: Whether nodes shrink to what they hold.
        copy_data: Whether the points are copied. If not, they must not be changed.
        balanced_tree: Whether nodes are split at the median.
        boxsize: The periods of the dimensions: a number, or one for each, where 0 is none.

    Raises:
        ImportError: SciPy is not installed, which is needed on the CPU.
        ValueError: The points are not finite, or have not 2 axes, or are outside of the box.

    On the CPU the tree is SciPy's cKDTree over the memory of the array, asked by all threads. On a GPU there is no
    tree: all pairs are compared, in blocks of bounded size, and the options of the tree have no effect.

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
        self._tree = None
        if _on_host():
            tree = scipy_module("scipy.spatial", "KDTree").cKDTree
            self._tree = tree(host_view(self.data), leafsize, compact_nodes, False, balanced_tree,
                              None if boxsize is None else self.boxsize.get())
        else:
            self._check("KDTree", self.data)
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
        """The least coordinates: an array of shape (dimensions,)."""
        return self.data.min(axis=0)

    @property
    def maxes(self):
        """The greatest coordinates: an array of shape (dimensions,)."""
        return self.data.max(axis=0)

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

    def _of_tree(self, f, *args, **kwargs):
        return f(*(host_view(a) if isinstance(a, tombac.ndarray) else a for a in args), **kwargs)

    @_documented
    def query(self, x, k=1, eps=0.0, p=2.0, distance_upper_bound=math.inf):
        """The nearest neighbours of points.

        Args:
            {points}
            k: How many: an int; or which ones, from 1 on: a sequence.
            {eps}
            {p}
            distance_upper_bound: Neighbours must be nearer.

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
        if self._tree is None:
            d, i = self._tiles.nearest(x, most, float(p), distance_upper_bound)
        else:
            d, i = self._of_tree(self._tree.query, x, range(1, most + 1), eps, p, distance_upper_bound, workers=-1)
            d, i = tombac.array(d), tombac.array(i)
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
    def query_ball_point(self, x, r, p=2.0, eps=0, return_sorted=None, return_length=False):
        """The neighbours no further away than a distance.

        Args:
            {points}
            r: The distance: a number, or an array that broadcasts to the points' shape.
            {p}
            {eps}
            return_sorted: Whether numbers are in order; they always are on a GPU.
            return_length: Whether numbers are counted instead.

        Returns:
            For one point an array of the neighbours' numbers; else a list of these, or lists within each other by the
            points' axes. If ``return_length``, an array of the points' shape.

        Raises:
            {refusals}
        """
        x, shape = self._points("query_ball_point", x)
        radii = self._radii("query_ball_point", r, shape)
        if return_length:
            if self._tree is None:
                return self._tiles.count(x, radii, float(p)).reshape(shape)
            counts = self._of_tree(self._tree.query_ball_point, x, radii, p, eps, return_length=True, workers=-1)
            return tombac.array(np.asarray(counts, "l")).reshape(shape)
        if return_sorted is None:
            return_sorted = len(shape) > 0
        return _nested(self._neighbours(x, radii, p, eps, return_sorted), shape)

    def _neighbours(self, x, radii, p, eps, in_order=True):
        """A list of the neighbours' numbers, for each of x: views of one array."""
        if self._tree is None:
            counts, columns = self._tiles.within(x, radii, float(p))
            counts = counts.get()
        else:
            lists = self._of_tree(self._tree.query_ball_point, x, radii, p, eps, return_sorted=in_order, workers=-1)
            counts = np.fromiter(map(len, lists), "l", len(lists))
            columns = tombac.array(np.concatenate([np.zeros(0, "l"), *lists]).astype("l"))
        ends = np.cumsum(counts).tolist()
        return [columns[start:end] for start, end in zip([0, *ends], ends, strict=False)]

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
        return other._neighbours(self.data, self._radii("query_ball_tree", r, (self.n,)), p, eps)

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
        if self._tree is not None:
            pairs = tombac.array(self._tree.query_pairs(r, p, eps, output_type="ndarray").astype("l"))
        else:
            first, second = self._all_within(self._tiles, self.data, r, p)
            kept = first < second
            pairs = tombac.stack([first[kept], second[kept]], axis=1)
        return set(map(tuple, pairs.tolist())) if output_type == "set" else pairs

    @staticmethod
    def _all_within(tiles, x, r, p):
        counts, columns = tiles.within(x, tombac.full(len(x), float(r)), float(p))
        return tombac.repeat(tombac.arange(len(x)), counts.tolist()), columns

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
        if self._tree is not None:
            pair = None if weights is None else tuple(None if w is None else host_view(w) for w in (own, others))
            counts = self._tree.count_neighbors(other._tree, radii.get()[()], p, pair, cumulative)
            return tombac.array(np.asarray(counts))
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
        if self._tree is not None:
            found = self._tree.sparse_distance_matrix(other._tree, max_distance, p, "ndarray")
            rows, columns, distances = (tombac.array(np.ascontiguousarray(found[name])) for name in "ijv")
        else:
            rows, columns = self._all_within(other._tiles, self.data, max_distance, p)
            distances = self._tiles.between(self.data[rows], other.data[columns], float(p))
        if output_type == "ndarray":
            return rows, columns, distances
        if output_type == "dict":
            return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), distances.tolist(), strict=True))
        from tombacx.scipy import sparse

        made = sparse.coo_matrix((distances, (rows, columns)), shape=(self.n, other.n))
        return made if output_type == "coo_matrix" else made.asformat(output_type.removesuffix("_matrix"))


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
