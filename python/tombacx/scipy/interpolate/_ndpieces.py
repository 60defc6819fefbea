"""Polynomials in pieces and splines of several variables."""

import math
import operator

import tombac
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy.interpolate._basis import Basis, tensor_sum
from tombacx.scipy.interpolate._bspline import BSpline
from tombacx.scipy.interpolate._grid_kernel import spline_at, suits_spline
from tombacx.scipy.interpolate._pieces import interval_of, outside, values_of
from tombacx.scipy.interpolate._ppoly import PPoly

__all__ = ["NdBSpline", "NdPPoly"]


def coordinates(name, x, dims):
    """The points' coordinates, a vector of float64 for each dimension, and the shape of the points."""
    rows, shape = rows_of_coordinates(name, x, dims)
    return list(tombac.ascontiguousarray(rows.T)), shape


def rows_of_coordinates(name, x, dims):
    """The same as an array with a row for each point."""
    x = tombac.asarray(x)
    if x.dtype.kind not in "biuf":
        raise TypeError(f"{name}: points must be real, not {x.dtype}")
    if x.ndim == 0 or x.shape[-1] != dims:
        raise ValueError(f"{name}: points of {dims} dimensions are expected along the last axis, not the shape "
                         f"{x.shape}")
    return tombac.ascontiguousarray(x.reshape(-1, dims).astype("d", copy=False)), x.shape[:-1]


def _orders(name, nu, dims):
    """The orders of derivatives by each dimension."""
    orders = [0] * dims if nu is None else [operator.index(n) for n in tombac.asarray(nu).ravel().tolist()]
    if len(orders) != dims:
        raise ValueError(f"{name}: nu must have an order for each of the {dims} dimensions, not {nu}")
    if min(orders) < 0:
        raise ValueError(f"{name}: nu must not be negative, which {nu} is")
    return orders


def _nowhere(points, ranges):
    """Where points are NaN, or outside if there are ranges."""
    bad = False
    for d, x in enumerate(points):
        bad = tombac.isnan(x) | bad
        if ranges:
            bad = bad | outside(x, *ranges[d])
    return bad


class NdPPoly:
    """Polynomials in pieces of several variables, in powers of the distances from where each piece begins.

    Args:
        c: The coefficients: an array of shape (orders, ..., pieces, ..., others), with an axis of the orders for each
            variable and then one of the pieces for each.
        x: The breakpoints of each variable: a tuple of vectors in ascending order.
        extrapolate: Whether the polynomials go on outside, where there is NaN else.

    Raises:
        ValueError: The shapes do not fit, or the breakpoints do not ascend.

    >>> c = tombac.array([[[[1.0]]], [[[2.0]]]])  # x + 2
    >>> tombacx.scipy.interpolate.NdPPoly(c, ([0.0, 1.0], [0.0, 1.0]))(tombac.array([[0.5, 0.5]]))
    array([2.5])
    """

    def __init__(self, c, x, extrapolate=None):
        self.x = tuple(tombac.asarray(v).astype("d", copy=False) for v in x)
        self.c = values_of(c)
        self.extrapolate = True if extrapolate is None else bool(extrapolate)
        dims = len(self.x)
        if any(v.ndim != 1 or v.size < 2 for v in self.x):
            raise ValueError("NdPPoly: x must be vectors of at least 2 breakpoints")
        if any((np.diff(v.get()) <= 0).any() for v in self.x):
            raise ValueError("NdPPoly: breakpoints must ascend")
        if self.c.ndim < 2 * dims:
            raise ValueError(f"NdPPoly: coefficients of {dims} variables need {2 * dims} dimensions, not the shape "
                             f"{self.c.shape}")
        if any(n != v.size - 1 for n, v in zip(self.c.shape[dims:2 * dims], self.x, strict=True)):
            raise ValueError(f"NdPPoly: breakpoints of the lengths {[v.size for v in self.x]} do not fit coefficients "
                             f"of shape {self.c.shape}")

    @classmethod
    def construct_fast(cls, c, x, extrapolate=None):
        """The function with these coefficients and breakpoints, which are not looked at.

        Args:
            c: The coefficients: an array of float64 or complex128.
            x: The breakpoints: a tuple of arrays of float64.
            extrapolate: As in the constructor.

        Returns:
            A new NdPPoly.
        """
        self = object.__new__(cls)
        self.c, self.x, self.extrapolate = c, x, True if extrapolate is None else extrapolate
        return self

    def __call__(self, x, nu=None, extrapolate=None):
        """The function or a derivative of it at points.

        Args:
            x: The points: a real array whose last axis has the variables.
            nu: The order of the derivative by each variable; zeros if None.
            extrapolate: As in the constructor; as the object was made with if None.

        Returns:
            An array of the points' shape, with the coefficients' other axes behind.

        Raises:
            TypeError: The points are complex.
            ValueError: The points have another number of variables, or ``nu`` is negative.
        """
        dims = len(self.x)
        x = tombac.asarray(x)
        points, shape = coordinates("NdPPoly", x[:, None] if x.ndim == dims == 1 else x, dims)
        orders = _orders("NdPPoly", nu, dims)
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        trailing = self.c.shape[2 * dims:]
        pieces = self.c.shape[dims:2 * dims]
        rows = self.c.reshape((*self.c.shape[:dims], math.prod(pieces), math.prod(trailing)))
        place, steps = 0, []
        for v, p, n in zip(self.x, points, pieces, strict=True):
            interval = interval_of(v, p)
            place = place * n + interval
            steps.append((p - v[interval])[:, None])
        result = _nested(rows, place, steps, orders)
        bad = _nowhere(points, None if extrapolate else [(v[0], v[-1]) for v in self.x])
        return where(bad[:, None], np.nan, result).reshape(shape + trailing)

    def _along(self, axis):
        """The polynomials of one variable, as a PPoly whose other axes are those of all the others."""
        dims = len(self.x)
        c = tombac.moveaxis(self.c, (axis, dims + axis), (0, 1))
        return PPoly.construct_fast(c, self.x[axis], self.extrapolate)

    def _changed(self, nu, change):
        dims, made = len(self.x), self
        for axis, n in enumerate(_orders("NdPPoly", [abs(n) for n in nu], dims)):
            if n:
                c = change(made._along(axis), nu[axis]).c
                made = self.construct_fast(tombac.moveaxis(c, (0, 1), (axis, dims + axis)), self.x, self.extrapolate)
        return made

    def derivative(self, nu):
        """The derivative.

        Args:
            nu: Its order by each variable; negative ones are antiderivatives.

        Returns:
            A new NdPPoly.
        """
        return self._changed(nu, PPoly.derivative)

    def antiderivative(self, nu):
        """The antiderivative, without jumps along each variable, and 0 where the variable's breakpoints begin.

        Args:
            nu: How often by each variable; negative numbers are derivatives.

        Returns:
            A new NdPPoly.
        """
        return self._changed(nu, PPoly.antiderivative)

    def integrate_1d(self, a, b, axis, extrapolate=None):
        """The integral along one variable.

        Args:
            a, b: The limits, numbers.
            axis: Which variable.
            extrapolate: As in the constructor; as the object was made with if None.

        Returns:
            An NdPPoly of the other variables; an array if there are none.

        Raises:
            IndexError: There is no such variable.
        """
        dims = len(self.x)
        axis = range(dims)[operator.index(axis)]
        extrapolate = self.extrapolate if extrapolate is None else bool(extrapolate)
        c = self._along(axis).integrate(a, b, extrapolate)
        if dims == 1:
            return c
        return self.construct_fast(c, self.x[:axis] + self.x[axis + 1:], extrapolate)

    def integrate(self, ranges, extrapolate=None):
        """The integral over a box.

        Args:
            ranges: The limits (a, b) of each variable.
            extrapolate: As in the constructor; as the object was made with if None.

        Returns:
            An array with the coefficients' other axes.

        Raises:
            ValueError: There are not as many limits as variables.
        """
        if len(ranges) != len(self.x):
            raise ValueError(f"NdPPoly: {len(self.x)} pairs of limits are expected, not {len(ranges)}")
        made = self
        for a, b in ranges:
            made = made.integrate_1d(a, b, 0, extrapolate)
        return made


def _nested(rows, place, steps, orders):
    """Horner's rule in each variable, one within the other."""
    if not steps:
        return rows[place]
    degree, nu = rows.shape[0] - 1, orders[0]
    if nu > degree:
        return 0 * _nested(rows[0], place, steps[1:], orders[1:])
    result = None
    for order in range(degree - nu + 1):
        term = _nested(rows[order], place, steps[1:], orders[1:]) * math.perm(degree - order, nu)
        result = term if result is None else result * steps[0] + term
    return result


class NdBSpline:
    """A spline of several variables: a sum of products of B-splines.

    Args:
        t: The knots of each variable: a tuple of vectors that do not descend.
        c: The coefficients: an array with an axis for each variable, and others behind.
        k: The degree, or one for each variable.
        extrapolate: Whether the polynomials go on outside, where there is NaN else; True if None.

    Raises:
        ValueError: Knots descend or are too few, or the shapes do not fit.

    >>> t = tombac.array([0.0, 0.0, 1.0, 1.0])
    >>> b = tombacx.scipy.interpolate.NdBSpline((t, t), tombac.array([[0.0, 1.0], [1.0, 2.0]]), 1)
    >>> b(tombac.array([[0.5, 0.25]]))
    array([0.75])
    """

    def __init__(self, t, c, k, *, extrapolate=None):
        self.t, self._knots = tuple(tombac.asarray(v).astype("d", copy=False) for v in t), None  # and all of them
        dims = len(self.t)
        self.k = _degrees(k, dims)
        self.c = values_of(c)
        self.extrapolate = True if extrapolate is None else bool(extrapolate)
        if self.c.ndim < dims:
            raise ValueError(f"NdBSpline: coefficients of {dims} variables need as many dimensions, not the shape "
                             f"{self.c.shape}")
        for d, (v, degree) in enumerate(zip(self.t, self.k, strict=True)):
            n = v.size - degree - 1
            if degree < 0 or v.ndim != 1 or n < degree + 1:
                raise ValueError(f"NdBSpline: a degree of {degree} needs {2 * degree + 2} knots at least, not an array "
                                 f"of shape {v.shape}, for the variable {d}")
            knots = v.get()
            if not np.isfinite(knots).all() or (np.diff(knots) < 0).any() or knots[degree] == knots[n]:
                raise ValueError(f"NdBSpline: knots of the variable {d} must be finite, must not descend, and must be "
                                 "different in their midst")
            if self.c.shape[d] != n:
                raise ValueError(f"NdBSpline: {v.size} knots need {n} coefficients, not {self.c.shape[d]}, for the "
                                 f"variable {d}")

    @property
    def tck(self):
        """The knots, the coefficients and the degrees."""
        return self.t, self.c, self.k

    def __call__(self, xi, *, nu=None, extrapolate=None):
        """The spline or a derivative of it at points.

        Args:
            xi: The points: a real array whose last axis has the variables.
            nu: The order of the derivative by each variable; zeros if None.
            extrapolate: As in the constructor; as the object was made with if None.

        Returns:
            An array of the points' shape, with the coefficients' other axes behind.

        Raises:
            TypeError: The points are complex.
            ValueError: The points have another number of variables, or ``nu`` is negative.
        """
        dims = len(self.t)
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        if suits_spline(self.k):
            rows, shape = rows_of_coordinates("NdBSpline", xi, dims)
            result, _ = self._rows_at(rows, nu, None if extrapolate else np.nan)
            return result.reshape(shape + self.c.shape[dims:])
        points, shape = coordinates("NdBSpline", xi, dims)
        orders = _orders("NdBSpline", nu, dims)
        bases = [Basis(*of_one) for of_one in zip(self.t, self.k, points, orders, strict=True)]
        ranges = None if extrapolate else [(t[k], t[t.size - k - 1]) for t, k in zip(self.t, self.k, strict=True)]
        result, bad = tensor_sum(bases, self.c), _nowhere(points, ranges)
        result = where(bad[:, None] if result.ndim > 1 else bad, np.nan, result)
        return result.reshape(shape + self.c.shape[dims:])

    def _rows_at(self, rows, nu, fill):
        """An array with a row for each point, and for each variable whether a point is outside of it."""
        if self._knots is None:
            self._knots = tombac.concatenate(self.t)
        return spline_at(self._knots, self.c, self.k, tuple(_orders("NdBSpline", nu, len(self.t))), rows, fill)

    def derivative(self, nu):
        """A partial derivative.

        Args:
            nu: The order by each variable: a sequence.

        Returns:
            A new NdBSpline.

        Raises:
            ValueError: ``nu`` is negative, or of another number of variables, or a knot is repeated too often.
        """
        knots, degrees, c = list(self.t), list(self.k), self.c
        for axis, n in enumerate(_orders("NdBSpline", () if np.ndim(nu) == 0 else nu, len(knots))):
            c = tombac.moveaxis(c, axis, 0)
            if n > degrees[axis]:
                degrees[axis], c = 0, tombac.zeros((knots[axis].size - 1, *c.shape[1:]))
            elif n:
                made = BSpline.construct_fast(knots[axis], c, degrees[axis]).derivative(n)
                knots[axis], degrees[axis], c = made.t, made.k, made.c[:made.t.size - made.k - 1]
            c = tombac.moveaxis(c, 0, axis)
        return NdBSpline(knots, c, degrees, extrapolate=self.extrapolate)

    @classmethod
    def design_matrix(cls, xvals, t, k, extrapolate=True):
        """The values of all products of B-splines at points, as a sparse matrix.

        Args:
            xvals: The points: a real array of shape (points, variables).
            t: The knots of each variable: a tuple of vectors.
            k: The degree, or one for each variable.
            extrapolate: Whether the polynomials go on outside; if not, no point may be outside.

        Returns:
            A csr_matrix of shape (points, products), with the product of all (degree + 1) elements in each row.

        Raises:
            ValueError: A point is outside, or has another number of variables.
        """
        from tombacx.scipy.sparse import csr_matrix

        t = [tombac.asarray(v).astype("d", copy=False) for v in t]
        degrees = _degrees(k, len(t))
        points, shape = coordinates("design_matrix", xvals, len(t))
        for x, v, degree in zip(points, t, degrees, strict=True):
            if not extrapolate and outside(x, v[degree], v[v.size - degree - 1]).any():
                raise ValueError("design_matrix: points are outside of the knots' range")
        bases = [Basis(*of_one) for of_one in zip(t, degrees, points, strict=True)]
        columns, values = tombac.zeros((points[0].size, 1), "l"), tombac.ones((points[0].size, 1))
        for basis, v in zip(bases, t, strict=True):
            own = basis.first[:, None] + tombac.arange(basis.k + 1)
            functions = tombac.stack(basis.functions, axis=1)
            columns = (columns[:, :, None] * (v.size - basis.k - 1) + own[:, None]).reshape(len(own), -1)
            values = (values[:, :, None] * functions[:, None]).reshape(len(own), -1)
        width = columns.shape[1]
        starts = tombac.arange(0, (len(columns) + 1) * width, width)
        total = math.prod(v.size - degree - 1 for v, degree in zip(t, degrees, strict=True))
        return csr_matrix((values.ravel(), columns.ravel().astype("i"), starts.astype("i")),
                          shape=(len(columns), total))


def _degrees(k, dims):
    k = (operator.index(k),) * dims if not isinstance(k, (tuple, list)) else tuple(operator.index(d) for d in k)
    if len(k) != dims:
        raise ValueError(f"NdBSpline: {dims} degrees are expected, not {len(k)}")
    return k
