"""Delaunay triangulations, by Qhull on the host."""

import tombac
from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy._host import Held, device, host, scipy_module

__all__ = ["Delaunay"]

_BLOCK = 1 << 24  # pairs of a point and a simplex that are looked at in one kernel


def _part(name, doc):
    """An array of the triangulation, copied to the device when first asked for."""

    def read(self):
        if name not in self._parts:
            self._parts[name] = device(getattr(self._held, name))
        return self._parts[name]

    return property(read, doc=doc)


class Delaunay(Held):
    """A Delaunay triangulation.

    Args:
        points: The points: a real array of shape (points, dimensions).
        furthest_site: Whether it is that of the furthest sites.
        incremental: Whether SciPy keeps Qhull's state, to which ``add_points`` adds.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The points are not finite, or have not 2 axes.
        scipy.spatial.QhullError: There is no triangulation.

    It is made by Qhull on the host, in any number of dimensions; its parts are copied to the device when asked for.
    Which simplex holds a point is found on the host by walking through the triangulation; on a GPU by comparing all
    pairs.

    >>> d = tombacx.scipy.spatial.Delaunay(tombac.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> d.find_simplex(tombac.array([[0.2, 0.2], [1.0, 1.0]]))
    array([ 0, -1], dtype=int32)
    """

    __slots__ = ("_parts", "points")

    def __init__(self, points, furthest_site=False, incremental=False):
        points = tombac.asarray(points)
        if points.dtype.kind == "c":
            raise TypeError("Delaunay: points must be real, not complex")
        self.points = points.astype("d", copy=False)
        made = scipy_module("scipy.spatial", "Delaunay").Delaunay
        self._held, self._parts = made(host(self.points), furthest_site, incremental), {}

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
        return self._held.ndim

    @property
    def npoints(self):
        """The number of points."""
        return self._held.npoints

    @property
    def nsimplex(self):
        """The number of simplices."""
        return self._held.nsimplex

    def vertex_neighbor_vertices(self):
        """The neighbours of each point.

        Returns:
            A tuple of arrays (starts, numbers): those of point k are ``numbers[starts[k]:starts[k + 1]]``.
        """
        return device(tuple(self._held.vertex_neighbor_vertices))

    def add_points(self, points, restart=False):
        """Adds points, if the triangulation was made to be added to.

        Args:
            points: Further points: an array of shape (points, dimensions).
            restart: Whether all is made anew.

        Raises:
            RuntimeError: It was made without ``incremental``.
        """
        self._held.add_points(host(points), restart)
        self._parts, self.points = {}, device(self._held.points)

    def close(self):
        """Ends what keeps Qhull's state, after which no points can be added."""
        self._held.close()

    def find_simplex(self, xi, bruteforce=False, tol=None):
        """Which simplex holds each point.

        Args:
            xi: The points: a real array whose last axis has the dimensions.
            bruteforce: Whether all simplices are looked at; on a GPU they always are.
            tol: By how much barycentric coordinates may be negative; SciPy's choice if None.

        Returns:
            An array of int32 of the points' shape; -1 for those outside.

        Raises:
            ValueError: The points have another number of dimensions.
        """
        xi = tombac.asarray(xi).astype("d", copy=False)
        if xi.ndim == 0 or xi.shape[-1] != self.ndim:
            raise ValueError(f"find_simplex: points of {self.ndim} dimensions are expected, not the shape {xi.shape}")
        if _core.backend() == "cpu":
            return device(np.asarray(self._held.find_simplex(host(xi), bruteforce, tol)))
        return self._compared(xi.reshape(-1, self.ndim), tol).reshape(xi.shape[:-1])

    def _compared(self, x, tol):
        """The first simplex in which no barycentric coordinate is negative, of all."""
        eps = 100 * np.finfo("d").eps if tol is None else tol
        step = max(1, _BLOCK // max(1, self.nsimplex))
        found = [tombac.zeros(0, "i")]
        for i in range(0, len(x), step):
            least = None
            for c in barycentric(self.transform[None], x[i:i + step, None]):
                least = c if least is None else tombac.minimum(least, c)
            inside = least >= -eps
            found.append(where(inside.any(axis=1), inside.argmax(axis=1), -1).astype("i"))
        return tombac.concatenate(found)


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
