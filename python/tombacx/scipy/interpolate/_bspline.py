"""Splines as sums of B-splines."""

import math
import operator

import tombac
from tombac._numpy import np
from tombac._util import normalize_axis_index
from tombacx.scipy._host import host, scipy_function, scipy_module
from tombacx.scipy.interpolate._basis import Basis
from tombacx.scipy.interpolate._pieces import documented as _documented
from tombacx.scipy.interpolate._pieces import (
    SPLINE,
    outside,
    periods,
    pieces_at,
    placed,
    points_of,
    values_of,
)
from tombacx.scipy.interpolate._ppoly import _mode

__all__ = ["BSpline", "splantider", "splder"]


class BSpline:
    """A spline: a sum of B-splines.

    Args:
        t: The knots: a real vector that does not descend, of n + k + 1 elements.
        c: The coefficients: an array, real or complex, of at least n elements along ``axis``.
        k: The degree, up to 99.
        extrapolate: What is said outside of ``t[k]`` and ``t[n]``: True, the polynomials there go on; False, NaN;
            ``"periodic"``, what is inside, repeated.
        axis: Which axis of ``c`` goes with the B-splines.

    Raises:
        ValueError: The knots descend or are too few, or the shapes do not fit.

    Evaluation at any number of points is one kernel, or where they are many beside the knots two.

    >>> b = tombacx.scipy.interpolate.BSpline(tombac.array([0.0, 0.0, 1.0, 2.0, 2.0]), tombac.array([1.0, 3.0, 2.0]), 1)
    >>> b(tombac.array([0.5, 1.5])), b.integrate(0, 2)
    (array([2. , 2.5]), array(4.5))
    """

    def __init__(self, t, c, k, extrapolate=True, axis=0):
        self.k = operator.index(k)
        self.c = values_of(c)
        self.t, shape = points_of("BSpline", t)
        self.extrapolate = _mode(extrapolate)
        self.axis = normalize_axis_index(axis, self.c.ndim)
        self.c = tombac.moveaxis(self.c, self.axis, 0)
        n = self.t.size - self.k - 1
        if self.k < 0:
            raise ValueError(f"BSpline: the degree must not be negative, which {k} is")
        if len(shape) != 1:
            raise ValueError(f"BSpline: knots are a vector, not of shape {shape}")
        if n < self.k + 1:
            raise ValueError(f"BSpline: a degree of {k} needs {2 * self.k + 2} knots at least, not {self.t.size}")
        knots = self.t.get()
        if not np.isfinite(knots).all() or (np.diff(knots) < 0).any():
            raise ValueError("BSpline: knots must be finite and must not descend")
        if knots[self.k] == knots[n]:
            raise ValueError("BSpline: two inner knots at least must be different")
        if self.c.shape[0] < n:
            raise ValueError(f"BSpline: {self.t.size} knots need {n} coefficients, not {self.c.shape[0]}")

    @classmethod
    def construct_fast(cls, t, c, k, extrapolate=True, axis=0):
        """The spline with these knots and coefficients, which are not looked at.

        Args:
            t: The knots: an array of float64.
            c: The coefficients: an array of float64 or complex128, with the axis of the B-splines first.
            k: The degree.
            extrapolate: As in the constructor.
            axis: At which place of the result the points' axes come.

        Returns:
            A new BSpline.
        """
        self = object.__new__(cls)
        self.t, self.c, self.k, self.extrapolate, self.axis = t, c, k, extrapolate, axis
        return self

    @property
    def tck(self):
        """The knots, the coefficients and the degree."""
        return self.t, self.c, self.k

    @classmethod
    def basis_element(cls, t, extrapolate=True):
        """A B-spline alone.

        Args:
            t: Its knots: a vector of k + 2 elements.
            extrapolate: As in the constructor.

        Returns:
            A BSpline of the degree k.

        >>> tombacx.scipy.interpolate.BSpline.basis_element([0.0, 1.0, 2.0])(tombac.array([0.5, 1.0]))
        array([0.5, 1. ])
        """
        t, _ = points_of("basis_element", t)
        k = t.size - 2
        t = tombac.concatenate([tombac.broadcast_to(t[:1] - 1, (k,)), t, tombac.broadcast_to(t[-1:] + 1, (k,))])
        c = tombac.zeros(t.size)
        c[k] = 1.0
        return cls.construct_fast(t, c, k, extrapolate)

    @classmethod
    def from_power_basis(cls, pp, bc_type="not-a-knot"):
        """A cubic spline as a sum of B-splines; found on the host.

        Args:
            pp: The spline: a CubicSpline.
            bc_type: What it was made with: 'not-a-knot', 'natural', 'clamped' or 'periodic', or what CubicSpline takes.

        Returns:
            A BSpline.

        Raises:
            ImportError: SciPy is not installed.
            NotImplementedError: ``pp`` is no CubicSpline.
        """
        from tombacx.scipy.interpolate._cubic import CubicSpline

        if not isinstance(pp, CubicSpline):
            raise NotImplementedError(f"from_power_basis: a CubicSpline is expected, not {type(pp).__name__}")
        si = scipy_module("scipy.interpolate", "BSpline")
        made = si.CubicSpline.construct_fast(host(pp.c), host(pp.x), pp.extrapolate, pp.axis)
        made = si.BSpline.from_power_basis(made, host(bc_type))
        return cls.construct_fast(tombac.array(made.t), tombac.array(made.c), made.k, made.extrapolate, made.axis)

    @classmethod
    def design_matrix(cls, x, t, k, extrapolate=False):
        """The values of all B-splines at points, as a sparse matrix.

        Args:
            x: The points: a real vector.
            t: The knots: a vector.
            k: The degree.
            extrapolate: Whether the polynomials go on outside, or ``"periodic"``; if not, no point may be outside.

        Returns:
            A csr_matrix of shape (points, B-splines), with k + 1 elements in each row.

        Raises:
            ValueError: A point is outside, or the knots are too few.
        """
        from tombacx.scipy.sparse import csr_matrix

        (x, _), (t, _) = points_of("design_matrix", x), points_of("design_matrix", t)
        n = t.size - k - 1
        if n < k + 1:
            raise ValueError(f"design_matrix: a degree of {k} needs {2 * k + 2} knots at least, not {t.size}")
        if extrapolate == "periodic":
            x = periods(x, t[k], t[n])
        elif not extrapolate and outside(x, t[k], t[n]).any():
            raise ValueError("design_matrix: points are outside of the knots' range")
        basis = Basis(t, k, x)
        columns = (basis.first[:, None] + tombac.arange(k + 1)).ravel()
        starts = tombac.arange(0, (x.size + 1) * (k + 1), k + 1)
        values = tombac.stack(basis.functions, axis=1).ravel()
        return csr_matrix((values, columns.astype("i"), starts.astype("i")), shape=(x.size, n))

    @_documented
    def __call__(self, x, nu=0, extrapolate=None):
        """The spline or a derivative of it at points.

        Args:
            {points}
            {nu}
            {extrapolate}

        Returns:
            {at_points}

        Raises:
            TypeError: The points are complex.
            ValueError: ``nu`` is negative.
        """
        extrapolate = self.extrapolate if extrapolate is None else _mode(extrapolate)
        points, shape = points_of("BSpline", x)
        if nu < 0:
            raise ValueError(f"BSpline: nu must not be negative, which {nu} is")
        return placed(self._rows_at(points, nu, extrapolate), shape, self.c.shape[1:], self.axis)

    def _rows_at(self, points, nu, extrapolate=True):
        """An array with a row for each point."""
        if self.t.size < 2 * self.k + 2:  # of one point that is periodic: nowhere are there enough B-splines
            return tombac.full((points.size, *self.c.shape[1:]), math.nan, self.c.dtype)
        return pieces_at(SPLINE, self.t, self.c, points, nu, extrapolate, self.k)

    def _on_host(self):
        made = scipy_function("scipy.interpolate", "BSpline").construct_fast
        return made(host(self.t), np.ascontiguousarray(host(self.c)), self.k, self.extrapolate)

    def _of_host(self, made):
        return self.construct_fast(tombac.array(made.t), tombac.array(made.c), made.k, made.extrapolate, self.axis)

    def derivative(self, nu=1):
        """The derivative.

        Args:
            nu: Which; a negative one is an antiderivative.

        Returns:
            A BSpline of lower degree.

        Raises:
            ValueError: The degree is less than ``nu``, or a knot is repeated too often, for which knots are read from
                the device.
        """
        nu = operator.index(nu)
        if nu < 0:
            return self.antiderivative(-nu)
        t, c, k = _differentiated(self.t, self.c, self.k, nu)
        return self.construct_fast(t, c, k, self.extrapolate, self.axis)

    def antiderivative(self, nu=1):
        """The antiderivative.

        Args:
            nu: How often; a negative number is a derivative.

        Returns:
            A BSpline of higher degree; one that was periodic is not.
        """
        nu = operator.index(nu)
        t, c, k = _differentiated(self.t, self.c, self.k, -nu) if nu < 0 else _integrated(self.t, self.c, self.k, nu)
        return self.construct_fast(t, c, k, self.extrapolate != "periodic" and self.extrapolate, self.axis)

    def insert_knot(self, x, m=1):
        """The same spline with a knot more; found on the host.

        Args:
            x: The knot: a number.
            m: How often it is inserted.

        Returns:
            A new BSpline.

        Raises:
            ImportError: SciPy is not installed.
            ValueError: The knot is out of range, or ``m`` is not positive.
        """
        return self._of_host(self._on_host().insert_knot(float(x), m))

    @_documented
    def integrate(self, a, b, extrapolate=None):
        """The integral between two points; found on the host.

        Args:
            a, b: The limits, numbers.
            {extrapolate}

        Returns:
            An array with the coefficients' other axes.

        Raises:
            ImportError: SciPy is not installed.
        """
        if self.c.dtype.kind == "c":  # for which SciPy's has no code
            parts = (self.construct_fast(self.t, c, self.k, self.extrapolate) for c in (self.c.real, self.c.imag))
            real, imaginary = (part.integrate(a, b, extrapolate) for part in parts)
            return real + 1j * imaginary
        return tombac.asarray(self._on_host().integrate(float(a), float(b), extrapolate))


def _padded(c, n):
    """Coefficients with as many zeros behind them as make n."""
    return tombac.concatenate([c, tombac.zeros((max(n - len(c), 0), *c.shape[1:]), c.dtype)])


def _beside(x, c):
    return x[(..., *(None,) * (c.ndim - 1))]


def _differentiated(t, c, degree, n):
    """Knots, coefficients and degree of a derivative."""
    if n > degree:
        raise ValueError(f"a spline of degree {degree} has no derivative {n}")
    c = c[:t.size - degree - 1] if n else c
    for k in range(degree, degree - n, -1):
        apart = t[k + 1:-1] - t[1:-k - 1]
        if not apart.all():
            raise ValueError(f"a knot is repeated too often for derivative {n}")
        t, c = t[1:-1], (c[1:] - c[:-1]) * k / _beside(apart, c)
    return t, _padded(c, t.size), degree - n


def _integrated(t, c, degree, n):
    """Of an antiderivative, whose coefficients are sums of the others by the distances of knots."""
    for k in range(degree + 1, degree + n + 1):
        widths = t[k:] - t[:-k]
        sums = tombac.cumsum(c[:widths.size] * _beside(widths, c), axis=0) / k
        last = tombac.broadcast_to(sums[-1:], (k + 1, *c.shape[1:]))
        t, c = tombac.concatenate([t[:1], t, t[-1:]]), tombac.concatenate([tombac.zeros_like(sums[:1]), sums, last])
    return t, _padded(c, t.size), degree + n


def _of_spline(tck, n):
    """Knots, coefficients and degree of the derivative n; a negative one is an antiderivative."""
    if isinstance(tck, BSpline):
        return tck.derivative(n)
    t, c, k = tck
    t, c, k, n = tombac.asarray(t), tombac.asarray(c), operator.index(k), operator.index(n)
    return _differentiated(t, c, k, n) if n >= 0 else _integrated(t, c, k, -n)


def splder(tck, n=1):
    """The derivative of a spline.

    Args:
        tck: A BSpline, or a tuple (knots, coefficients, degree).
        n: Which derivative.

    Returns:
        A BSpline, or a tuple if ``tck`` was one.

    Raises:
        ValueError: The degree is less than ``n``, or a knot is repeated too often, for which knots are read from the
            device.

    >>> s = tombacx.scipy.interpolate.make_interp_spline(tombac.arange(4.0), tombac.arange(4.0) ** 2)
    >>> tombacx.scipy.interpolate.splder(s)(tombac.array([0.5, 1.0])).round(6)
    array([1., 2.])
    """
    return _of_spline(tck, n)


def splantider(tck, n=1):
    """The antiderivative of a spline.

    Args:
        tck: A BSpline, or a tuple (knots, coefficients, degree).
        n: How often; a negative number is a derivative.

    Returns:
        A BSpline, or a tuple if ``tck`` was one.

    Raises:
        TypeError: The degree or ``n`` is no whole number.

    >>> s = tombacx.scipy.interpolate.make_interp_spline(tombac.arange(4.0), tombac.arange(4.0))
    >>> tombacx.scipy.interpolate.splantider(s)(tombac.array([1.0, 2.0])).round(6)
    array([0.5, 2. ])
    """
    return _of_spline(tck, -n)
