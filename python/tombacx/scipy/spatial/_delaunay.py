"""Delaunay triangulations: ours in the plane, by Qhull otherwise."""

import tombac
from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy._host import Held, device, host, scipy_function, scipy_module
from tombacx.scipy.spatial._kdtree import KDTree
from tombacx.scipy.spatial._plane import edges_of_hull, find, is_flat, maps, neighbors_of_points, planes

__all__ = ["Delaunay", "tsearch"]

_BLOCK = 1 << 24  # pairs of a point and a simplex that are looked at in one kernel
_TOLERANCE = 100 * np.finfo("d").eps


_IN_THE_PLANE = {
    "convex_hull": lambda d: edges_of_hull(d.simplices, d.neighbors),
    "equations": lambda d: planes(d.points, d.simplices),
    "max_bound": lambda d: d.points.max(axis=0),
    "min_bound": lambda d: d.points.min(axis=0),
    "transform": lambda d: maps(d.points, d.simplices),
}


def _part(name, doc):
    """An array of the triangulation, made or copied to the device when first asked for."""

    def read(self):
        if name not in self._parts:
            self._parts[name] = _IN_THE_PLANE[name](self) if self._is_ours else device(getattr(self._held, name))
        return self._parts[name]

    return property(read, doc=doc)


class Delaunay(Held):
    """A Delaunay triangulation.

    Args:
        points: The points: a real array of shape (points, dimensions).
        furthest_site: Whether it is that of the furthest sites.
        incremental: Whether SciPy keeps Qhull's state, to which ``add_points`` adds.

    Raises:
        ImportError: SciPy, which is needed for what is not in the plane, is not installed.
        ValueError: The points are not finite, or have not 2 axes.
        scipy.spatial.QhullError: There is no triangulation.

    In the plane it is made by the host in C (A. Bowyer, Computing Dirichlet tessellations, 1981; J. R. Shewchuk,
    Adaptive precision floating-point arithmetic and fast robust geometric predicates, 1997), and exact: also points
    that are nearly on one line have one, and every point is a corner but those that equal another. Which triangles are
    taken where more than three points are on a circle, and in which order they come, may differ from SciPy. In other
    dimensions, or if it is incremental or of the furthest sites, it is made by Qhull, and its parts are copied to the
    device when asked for.

    >>> d = tombacx.scipy.spatial.Delaunay(tombac.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> d.find_simplex(tombac.array([[0.2, 0.2], [1.0, 1.0]]))
    array([ 0, -1], dtype=int32)
    """

    __slots__ = ("_is_ours", "_parts", "_tree", "_scipys", "points")

    def __init__(self, points, furthest_site=False, incremental=False):
        points = tombac.asarray(points)
        if points.dtype.kind == "c":
            raise TypeError("Delaunay: points must be real, not complex")
        self.points = points.astype("d", copy=False)
        self._parts, self._tree, self._scipys = {}, None, None
        self._is_ours = points.ndim == 2 and points.shape[1] == 2 and len(points) > 0 and \
            not (furthest_site or incremental)
        if self._is_ours:
            self._triangulate()
        else:
            made = scipy_function("scipy.spatial", "Delaunay")
            self._scipys = made(host(self.points), furthest_site, incremental)

    def _triangulate(self):
        parts = dict(zip(("simplices", "neighbors", "vertex_to_simplex", "coplanar"), _core._delaunay(self.points),
                         strict=True))
        if len(parts["simplices"]) == 0:
            raise scipy_module("scipy.spatial", "Delaunay").QhullError("Delaunay: all points are on one line")
        self._parts = parts

    @property
    def _held(self):
        """SciPy's triangulation, which has an order of its own; for a few functions of SciPy's."""
        if self._scipys is None:
            self._scipys = scipy_function("scipy.spatial", "Delaunay")(host(self.points))
        return self._scipys

    simplices = _part("simplices", "The numbers of each simplex's corners: of shape (simplices, dimensions + 1).")
    neighbors = _part("neighbors", "The number of the simplex opposite to each corner, -1 where there is none.")
    equations = _part("equations", "The normals and offsets of the facets of the paraboloid.")
    coplanar = _part("coplanar", "Points that are no corners: an array of (point, simplex, nearest corner).")
    vertex_to_simplex = _part("vertex_to_simplex", "For each point a simplex that has it for a corner, or -1.")
    convex_hull = _part("convex_hull", "The corners of the hull's facets: an array of shape (facets, dimensions).")
    transform = _part("transform", "The maps to barycentric coordinates: (simplices, dimensions + 1, dimensions).")
    min_bound = _part("min_bound", "The least coordinates.")
    max_bound = _part("max_bound", "The greatest coordinates.")

    @property
    def ndim(self):
        """The number of dimensions."""
        return self.points.shape[1]

    @property
    def npoints(self):
        """The number of points."""
        return len(self.points)

    @property
    def nsimplex(self):
        """The number of simplices."""
        return len(self.simplices)

    def vertex_neighbor_vertices(self):
        """The neighbours of each point.

        Returns:
            A tuple of arrays (starts, numbers): those of point k are ``numbers[starts[k]:starts[k + 1]]``.
        """
        if self._is_ours:
            return neighbors_of_points(len(self.points), self.simplices)
        return device(tuple(self._held.vertex_neighbor_vertices))

    def add_points(self, points, restart=False):
        """Adds points, if the triangulation was made to be added to.

        Args:
            points: Further points: an array of shape (points, dimensions).
            restart: Whether all is made anew.

        Raises:
            RuntimeError: It was made without ``incremental``.
        """
        if self._is_ours:
            raise RuntimeError("add_points: the triangulation was made without incremental=True")
        self._held.add_points(host(points), restart)
        self._parts, self.points = {}, device(self._held.points)

    def close(self):
        """Ends what keeps Qhull's state, after which no points can be added."""
        if not self._is_ours:
            self._held.close()

    def find_simplex(self, xi, bruteforce=False, tol=None):
        """Which simplex holds each point.

        Args:
            xi: The points: a real array whose last axis has the dimensions.
            bruteforce: Whether simplices are looked at one after the other, until one holds the point. On a GPU they
                always are in more than two dimensions.
            tol: By how much barycentric coordinates may be negative; SciPy's choice if None.

        Returns:
            An array of int32 of the points' shape; -1 for those outside.

        Raises:
            ValueError: The points have another number of dimensions.
        """
        xi = tombac.asarray(xi).astype("d", copy=False)
        if xi.ndim == 0 or xi.shape[-1] != self.ndim:
            raise ValueError(f"find_simplex: points of {self.ndim} dimensions are expected, not the shape {xi.shape}")
        on_host, x = _core.backend() == "cpu", xi if xi.ndim == 2 else xi.reshape(-1, self.ndim)
        if not self._is_ours and on_host:
            return device(np.asarray(self._held.find_simplex(host(xi), bruteforce, tol)))
        if not on_host and (bruteforce or not self._is_ours):
            found = self._compared(x, tol)
        elif on_host:
            found = _core._delaunay_find(self.points, self.simplices, self.neighbors, x,
                                         _TOLERANCE if tol is None else float(tol), bruteforce)
        else:
            found = self._walked(x, tol)
        if tol is not None:
            found = where(((x >= self.min_bound - tol) & (x <= self.max_bound + tol)).all(axis=1), found, -1)
        return found if xi.ndim == 2 else found.reshape(xi.shape[:-1])

    def _walked(self, x, tol):
        """The simplices by walks from those of the nearest points."""
        if self._tree is None:
            rows = tombac.ascontiguousarray(self.points.astype("d", copy=False)[self.simplices]).reshape(-1, 6)
            self._tree = (KDTree(self.points), rows, *self._starts())
        tree, rows, flat, starts = self._tree
        known = tombac.isfinite(x).all(axis=1)
        x = where(known[:, None], x, 0.0)
        eps = _TOLERANCE if tol is None else float(tol)
        found, left = find(rows, self.neighbors, flat, starts[tree.query(x)[1]], x, eps)
        if len(left):
            found[left] = self._compared(x[left], tol)
        return where(known, found, -1)

    def _starts(self):
        """Which simplices are flat, and for each point one that it belongs to, not a flat one if possible."""
        flat = is_flat(self.points, self.simplices)
        starts = tombac.full(len(self.points), -1, "i")
        numbers = where(flat, -1, tombac.arange(len(flat), dtype="i"))
        for k in range(3):
            tombac.maximum.at(starts, self.simplices[:, k], numbers)
        starts = where(starts < 0, self.vertex_to_simplex, starts)
        starts[self.coplanar[:, 0]] = starts[self.coplanar[:, 2]]
        return flat, starts

    def _compared(self, x, tol):
        """The first simplex of all in which every barycentric coordinate is from 0 to 1."""
        eps = _TOLERANCE if tol is None else tol
        step = max(1, _BLOCK // max(1, self.nsimplex))
        found = [tombac.zeros(0, "i")]
        for i in range(0, len(x), step):
            far = None  # from one half
            for c in barycentric(self.transform[None], x[i:i + step, None]):
                far = abs(c - 0.5) if far is None else tombac.maximum(far, abs(c - 0.5))
            inside = far <= 0.5 + eps
            found.append(where(inside.any(axis=1), inside.argmax(axis=1), -1).astype("i"))
        return tombac.concatenate(found)


def tsearch(tri, xi):
    """Which simplex of a triangulation holds each point; find_simplex of Delaunay by its former name.

    Args:
        tri: A Delaunay.
        xi: The points: a real array whose last axis has the dimensions.

    Returns:
        An array of int32 of the points' shape; -1 for those outside.

    Raises:
        ValueError: The points have another number of dimensions.

    >>> d = tombacx.scipy.spatial.Delaunay(tombac.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> tombacx.scipy.spatial.tsearch(d, tombac.array([[0.2, 0.2], [1.0, 1.0]]))
    array([ 0, -1], dtype=int32)
    """
    return tri.find_simplex(xi)


def barycentric(transform, x):
    """The barycentric coordinates, one after the other, of points in simplices that broadcast with them."""
    d = x.shape[-1]
    apart = [x[..., j] - transform[..., d, j] for j in range(d)]
    last, coordinates = 1.0, []
    for i in range(d):
        c = transform[..., i, 0] * apart[0]
        for j in range(1, d):
            c = c + transform[..., i, j] * apart[j]
        coordinates.append(c)
        last = last - c
    return [*coordinates, last]
