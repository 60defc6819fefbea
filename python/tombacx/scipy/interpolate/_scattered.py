"""Interpolation between scattered points: the nearest, and on triangles."""

import warnings

import tombac
from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy._host import host, scipy_function
from tombacx.scipy.interpolate._pieces import values_of
from tombacx.scipy.spatial import Delaunay, KDTree
from tombacx.scipy.spatial._delaunay import barycentric

__all__ = ["CloughTocher2DInterpolator", "LinearNDInterpolator", "NearestNDInterpolator"]


def _joined(name, args, dims):
    """The points of a call: one array whose last axis has the dimensions, or one array for each dimension."""
    if len(args) == 1 and isinstance(args[0], tuple):
        args = args[0]
    if len(args) == 1:
        x = tombac.asarray(args[0])
    else:
        x = tombac.stack(tombac.broadcast_arrays(*map(tombac.asarray, args)), axis=-1)
    if x.ndim == 1 and len(args) == 1 and x.size % dims == 0:
        x = x.reshape(-1, dims)
    if x.ndim == 0 or x.shape[-1] != dims:
        raise ValueError(f"{name}: points of {dims} dimensions are expected, not the shape {x.shape}")
    return x.astype("d", copy=False)


class _Scattered:
    """Points, moved and scaled to be one wide if that is wanted, and values at them."""

    def _set(self, points, values, rescale):
        name = type(self).__name__
        if isinstance(points, (tuple, list)) and points and isinstance(points[0], tombac.ndarray):
            points = tombac.stack(tombac.broadcast_arrays(*points), axis=-1)
        points = tombac.asarray(points).astype("d", copy=False)
        points = points[:, None] if points.ndim == 1 else points.reshape(-1, points.shape[-1])
        self.values = values_of(values)
        if self.values.ndim == 0 or len(self.values) != len(points):
            raise ValueError(f"{name}: {len(points)} points, and values of shape {self.values.shape}")
        self._trailing = self.values.shape[1:]
        self._rows = self.values.reshape(len(points), -1)
        self._shift = self._scale = None
        if rescale:
            self._shift, self._scale = points.mean(axis=0), tombac.ptp(points, axis=0)
            self._scale = where(self._scale > 0, self._scale, 1.0)
        self.points = self._moved(points)

    def _moved(self, x):
        return x if self._shift is None else (x - self._shift) / self._scale

    def _asked(self, args):
        """The points of a call as rows, and the shape they had."""
        dims = self.points.shape[1]
        x = self._moved(_joined(type(self).__name__, args, dims))
        return x.reshape(-1, dims), x.shape[:-1]


class NearestNDInterpolator(_Scattered):
    """The value at the nearest of scattered points.

    Args:
        x: The points: a real array of shape (points, dimensions), or a tuple of arrays, one for each dimension.
        y: The values there: an array of as many elements along the first axis.
        rescale: Whether distances are of points scaled to be one wide in each dimension.
        tree_options: Further arguments of the KDTree that is made: a dict.

    Raises:
        ValueError: The shapes do not fit.

    >>> x = tombac.array([[0.0, 0.0], [1.0, 1.0]])
    >>> tombacx.scipy.interpolate.NearestNDInterpolator(x, tombac.array([5.0, 7.0]))(tombac.array([[0.9, 0.4]]))
    array([7.])
    """

    def __init__(self, x, y, rescale=False, tree_options=None):
        self._set(x, y, rescale)
        self.tree = KDTree(self.points, **(tree_options or {}))
        given = tombac.asarray(y)
        rows = given if given.dtype.kind == "c" else given.astype("d", copy=False)
        self.values, self._rows = given, rows.reshape(len(given), -1)

    def __call__(self, *args, **query_options):
        """The values at points.

        Args:
            args: The points: a real array whose last axis has the dimensions, or an array for each dimension.
            query_options: Arguments of KDTree.query: ``eps``, ``p`` and ``distance_upper_bound``, beyond which there is
                NaN.

        Returns:
            An array of the points' shape, with the values' other axes behind, of float64 or a complex dtype.

        Raises:
            ValueError: The points have another number of dimensions.
        """
        x, shape = self._asked(args)
        query_options.pop("workers", None)
        distances, near = self.tree.query(x, **query_options)
        if "distance_upper_bound" not in query_options:
            return self._rows[near].reshape(shape + self._trailing)
        far = tombac.isinf(distances)
        return where(far[:, None], np.nan, self._rows[where(far, 0, near)]).reshape(shape + self._trailing)


def _parts(rows):
    """Real and imaginary parts of complex values are columns of their own."""
    return tombac.ascontiguousarray(rows).view("d")


class _OnTriangles(_Scattered):
    def _triangulate(self, points, values, fill_value, rescale):
        if isinstance(points, Delaunay):
            if rescale:
                raise ValueError(f"{type(self).__name__}: a triangulation cannot be scaled")
            self._set(points.points, values, False)
            self.tri = points
        else:
            self._set(points, values, rescale)
            self.tri = Delaunay(self.points)
        self.fill_value = complex(fill_value) if self._rows.dtype.kind == "c" else float(fill_value)
        self._here = self.tri._is_ours and _core.backend() == "cpu"
        self._outside = _parts(tombac.full((1, self._rows.shape[1]), self.fill_value, self._rows.dtype))[0]
        self._slopes = None

    def __call__(self, *args):
        """The function at points.

        Args:
            args: The points: a real array whose last axis has the dimensions, or an array for each dimension.

        Returns:
            An array of the points' shape, with the values' other axes behind.

        Raises:
            ValueError: The points have another number of dimensions.
        """
        x, shape = self._asked(args)
        if self._here:
            tri = self.tri
            result = _core._delaunay_values(tri.points, tri.simplices, tri.neighbors, _parts(self._rows), self._outside,
                                            x, self._slopes)
            return result.view(self._rows.dtype).reshape(shape + self._trailing)
        simplex = self.tri.find_simplex(x).astype("l")
        outside = simplex < 0
        simplex = where(outside, 0, simplex)
        result = self._inside(simplex, barycentric(self.tri.transform[simplex], x))
        return where(outside[:, None], self.fill_value, result).reshape(shape + self._trailing)


class LinearNDInterpolator(_OnTriangles):
    """The function that is linear on each simplex of the Delaunay triangulation of scattered points.

    Args:
        points: The points: a real array of shape (points, dimensions), or a tuple of arrays, one for each dimension, or
            a Delaunay.
        values: The values there: an array, real or complex, of as many elements along the first axis.
        fill_value: The value outside of all simplices.
        rescale: Whether points are scaled to be one wide in each dimension.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The shapes do not fit.
        scipy.spatial.QhullError: There is no triangulation.

    >>> x = tombac.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> f = tombacx.scipy.interpolate.LinearNDInterpolator(x, tombac.array([0.0, 1.0, 2.0]))
    >>> f(tombac.array([[0.25, 0.5], [3.0, 3.0]]))
    array([1.25,  nan])
    """

    def __init__(self, points, values, fill_value=np.nan, rescale=False):
        self._triangulate(points, values, fill_value, rescale)

    def _inside(self, simplex, coordinates):
        result = 0
        for i, c in enumerate(coordinates):
            result = result + c[:, None] * self._rows[self.tri.simplices[:, i][simplex]]
        return result


# Exponents of Bernstein's cubic polynomials in the coordinates of a triangle's corners and its centre, without those of
# all three corners, one of whose coordinates is always 0.
_ORDINATES = [(a, b, c, 3 - a - b - c) for a in range(4) for b in range(4 - a) for c in range(4 - a - b)
              if min(a, b, c) == 0]
_FACTORIALS = (1, 1, 2, 6)


class CloughTocher2DInterpolator(_OnTriangles):
    """The smooth function of two variables that is cubic on the thirds of each triangle between scattered points.

    Args:
        points: The points: a real array of shape (points, 2), or a tuple of two arrays, or a Delaunay.
        values: The values there: an array, real or complex, of as many elements along the first axis.
        fill_value: The value outside of all triangles.
        tol: How exactly the slopes at the points are found.
        maxiter: How often they are made better, at most.
        rescale: Whether points are scaled to be one wide in each dimension.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: The shapes do not fit.
        scipy.spatial.QhullError: There is no triangulation.

    The slopes, which make the function bend least along the edges (Nielson, A method for interpolating scattered data
    based upon a minimum norm network, 1983), are found by the library on the CPU, else by SciPy on the host. The
    polynomials are those of Alfeld, A trivariate Clough-Tocher scheme for tetrahedral data, 1984, and Farin, Triangular
    Bernstein-Bezier patches, 1986; across an edge slopes are linear in the direction of the neighbour's centre.

    >>> x = tombac.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> f = tombacx.scipy.interpolate.CloughTocher2DInterpolator(x, x.sum(axis=1))
    >>> f(tombac.array([[0.25, 0.5]])).round(5)
    array([0.75])
    """

    def __init__(self, points, values, fill_value=np.nan, tol=1e-6, maxiter=400, rescale=False):
        self._triangulate(points, values, fill_value, rescale)
        if self.points.shape[1] != 2:
            raise ValueError(f"CloughTocher2DInterpolator: points must have 2 dimensions, not {self.points.shape[1]}")
        if self._here:
            self._slopes = self._found(tol, maxiter)
            return
        of_scipy = scipy_function("scipy.interpolate", "CloughTocher2DInterpolator")
        made = of_scipy(self.tri._held, host(self._rows), tol=tol, maxiter=maxiter)
        self._patches = self._ordinates(tombac.array(made.grad))

    def _found(self, tol, maxiter):
        """The slopes at the points for each column of values."""
        tri = self.tri
        slopes, rounds = _core._delaunay_slopes(tri.points, tri.simplices, tri.neighbors, _parts(self._rows),
                                                float(tol), min(int(maxiter), 2**31 - 1))
        if rounds == 0:
            warnings.warn(f"CloughTocher2DInterpolator: slopes are not found to {tol} after {maxiter} rounds",
                          UserWarning, stacklevel=3)
        return slopes

    def _ordinates(self, slopes):
        """The ordinates of each triangle's polynomials, by their exponents: arrays of (triangles, others)."""
        corners, transform = self.tri.simplices, self.tri.transform
        place = [self.points[corners[:, i]] for i in range(3)]
        c = {}
        for i in range(3):
            value, slope = self._rows[corners[:, i]], slopes[corners[:, i]]
            c[_exponents(i, i, i)] = value
            for j in range(3):
                if j != i:
                    along = (place[j] - place[i])[:, None, :]
                    c[_exponents(i, i, j)] = value + (slope * along).sum(axis=-1) / 3
            j, k = (n for n in range(3) if n != i)
            c[_exponents(i, i, 3)] = (value + c[_exponents(i, i, j)] + c[_exponents(i, i, k)]) / 3
        for k in range(3):
            i, j = (n for n in range(3) if n != k)
            c[_exponents(i, j, 3)] = self._across(c, i, j, k, transform)
        for i in range(3):
            j, k = (n for n in range(3) if n != i)
            c[_exponents(i, 3, 3)] = (c[_exponents(i, i, 3)] + c[_exponents(i, j, 3)] + c[_exponents(i, k, 3)]) / 3
        c[_exponents(3, 3, 3)] = sum(c[_exponents(i, 3, 3)] for i in range(3)) / 3
        return tombac.stack([c[e] for e in _ORDINATES])

    def _across(self, c, i, j, k, transform):
        """The ordinate by which the slope across the edge from corner i to j is linear along it."""
        beyond = self.tri.neighbors[:, k]
        centres = self.points[self.tri.simplices].mean(axis=1)
        b = barycentric(transform, centres[where(beyond < 0, 0, beyond)])
        edge = (beyond < 0)[:, None]  # where nothing is beyond, the direction is that of the edge's middle
        ai, aj, centre = (where(edge, at_edge, direction[:, None]) for at_edge, direction in (
            (0.5, b[i] - b[k]), (0.5, b[j] - b[k]), (-1.0, 3 * b[k] - 1)))
        ends = ai * (c[_exponents(i, i, i)] + c[_exponents(i, j, j)]) + \
            aj * (c[_exponents(i, i, j)] + c[_exponents(j, j, j)]) + \
            centre * (c[_exponents(i, i, 3)] + c[_exponents(j, j, 3)])
        return (ends / 2 - ai * c[_exponents(i, i, j)] - aj * c[_exponents(i, j, j)]) / centre

    def _inside(self, simplex, coordinates):
        least = tombac.minimum(tombac.minimum(*coordinates[:2]), coordinates[2])
        parts = [*((c - least)[:, None] for c in coordinates), 3 * least[:, None]]
        result = 0
        for ordinate, exponents in zip(self._patches, _ORDINATES, strict=True):
            term = ordinate[simplex]
            weight = 6
            for part, power in zip(parts, exponents, strict=True):
                weight //= _FACTORIALS[power]
                for _ in range(power):
                    term = term * part
            result = result + weight * term
        return result


def _exponents(*corners):
    return tuple(corners.count(n) for n in range(4))
