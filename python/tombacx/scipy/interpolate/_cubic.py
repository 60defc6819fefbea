"""Cubic polynomials through points: by Hermite's conditions, monotone, Akima's and splines.

Slopes of splines are found by the library on the host, those of periodic ones by SciPy; all are evaluated as any
PPoly.
"""

import tombac
from tombac import _core
from tombac._util import normalize_axis_index
from tombacx.scipy.interpolate._pieces import documented as _documented
from tombacx.scipy.interpolate._pieces import made_by_scipy
from tombacx.scipy.interpolate._ppoly import PPoly, _mode
from tombacx.scipy.interpolate._slopes import hermite_coefficients, local_slopes, monotone_slopes, prepared

__all__ = [
    "Akima1DInterpolator", "CubicHermiteSpline", "CubicSpline", "PchipInterpolator", "pchip", "pchip_interpolate",
]


_CONDITIONS = {"not-a-knot": (0, 0.0), "clamped": (1, 0.0), "natural": (2, 0.0)}


def _ends(conditions):
    """The order and the value of a derivative at either end, 0 for none; None if that is not all they are."""
    both = conditions if isinstance(conditions, (tuple, list)) else (conditions, conditions)
    ends = []
    for end in both:
        if isinstance(end, str):
            end = _CONDITIONS.get(end)
        elif not (isinstance(end, (tuple, list)) and len(end) == 2 and end[0] in (1, 2)
                  and isinstance(end[1], (int, float))):
            return None
        if end is None:
            return None
        ends += end
    return ends if len(ends) == 4 else None


class _Cubic(PPoly):
    """A PPoly by its slopes."""

    __slots__ = ()

    def _set(self, x, y, slopes, axis, extrapolate):
        self.c, self.x, self.axis = hermite_coefficients(x, y, slopes), x, axis
        self.extrapolate, self._ascending = True if extrapolate is None else _mode(extrapolate), True

    def _make(self, *args, **kwargs):
        made = made_by_scipy(type(self)._scipy, *args, **kwargs)
        self.c, self.x = tombac.array(made.c), tombac.array(made.x)
        self.axis, self.extrapolate, self._ascending = made.axis, made.extrapolate, True


class CubicHermiteSpline(_Cubic):
    """The cubic polynomials through points with given slopes there.

    Args:
        x: The first coordinates: a real vector in ascending order.
        y: The values at these: an array, real or complex, as long as ``x`` along ``axis``.
        dydx: The slopes: an array of the shape of ``y``.
        axis: Along which axis of the values the points lie.
        extrapolate: What is said outside, as for a PPoly; True if None.

    Raises:
        ValueError: The points are out of order, or do not fit each other, or are not finite.

    >>> f = tombacx.scipy.interpolate.CubicHermiteSpline([0.0, 1.0], [0.0, 1.0], [0.0, 0.0])
    >>> f(tombac.array([0.25, 0.5]))
    array([0.15625, 0.5    ])
    """

    __slots__ = ()

    def __init__(self, x, y, dydx, axis=0, extrapolate=None):
        x, (y, dydx), axis = prepared("CubicHermiteSpline", x, y, axis, dydx)
        self._set(x, y, dydx, axis, extrapolate)


class CubicSpline(CubicHermiteSpline):
    """The cubic spline through points, which has a continuous second derivative.

    Args:
        x: The first coordinates: a real vector in ascending order.
        y: The values at these: an array, real or complex, as long as ``x`` along ``axis``.
        axis: Along which axis of the values the points lie.
        bc_type: The conditions at the ends: 'not-a-knot', 'periodic', 'clamped', 'natural', or a tuple of two, each
            one of these names or a tuple (order of the derivative, its value).
        extrapolate: What is said outside, as for a PPoly; if None, True, or 'periodic' if the conditions are.

    Raises:
        ImportError: The spline is periodic, or a derivative at an end is an array, and SciPy is not installed.
        ValueError: The points are out of order, or do not fit each other, or are not finite.

    >>> f = tombacx.scipy.interpolate.CubicSpline(tombac.arange(4.0), tombac.arange(4.0) ** 3)
    >>> f(tombac.array([0.5, 2.5])), f(2.5, 1)
    (array([ 0.125, 15.625]), array(18.75))
    """

    __slots__ = ()
    _scipy = "CubicSpline"

    def __init__(self, x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
        ends, (x, y) = _ends(bc_type), map(tombac.asarray, (x, y))
        if ends is None or x.dtype.kind not in "biuf" or y.ndim == 0:
            self._make(x, y, axis, bc_type, extrapolate)
            return
        self.axis = normalize_axis_index(axis, y.ndim)
        self.x = x.astype("d", copy=False)
        self.c = _core._cubic_spline(x, tombac.moveaxis(y, self.axis, 0), *ends)
        self.extrapolate, self._ascending = True if extrapolate is None else _mode(extrapolate), True


class PchipInterpolator(CubicHermiteSpline):
    """The cubic polynomials through points that rise and fall where the points do (Fritsch and Butland, 1984).

    Args:
        x: The first coordinates: a real vector in ascending order.
        y: The values at these: a real array, as long as ``x`` along ``axis``.
        axis: Along which axis of the values the points lie.
        extrapolate: What is said outside, as for a PPoly; True if None.

    Raises:
        ValueError: The points are out of order, or do not fit each other, or are not finite.

    >>> f = tombacx.scipy.interpolate.PchipInterpolator([0.0, 1.0, 2.0], [0.0, 1.0, 1.0])
    >>> f(tombac.array([0.5, 1.5]))
    array([0.6875, 1.    ])
    """

    __slots__ = ()

    def __init__(self, x, y, axis=0, extrapolate=None):
        x, (y,), axis = prepared("PchipInterpolator", x, y, axis)
        if y.dtype.kind == "c":
            raise ValueError("PchipInterpolator: values must be real, to rise and fall")
        self._set(x, y, monotone_slopes(x, y), axis, extrapolate)


pchip = PchipInterpolator


class Akima1DInterpolator(CubicHermiteSpline):
    """The cubic polynomials through points whose slopes follow from the four nearest chords (Akima, 1970).

    Args:
        x: The first coordinates: a real vector in ascending order.
        y: The values at these: an array as long as ``x`` along ``axis``.
        axis: Along which axis of the values the points lie.
        method: 'akima', or 'makima', which swings less where chords are level.
        extrapolate: What is said outside, as for a PPoly; False if None.

    Raises:
        NotImplementedError: There is no such method.
        ValueError: The points are out of order, or do not fit each other, or are not finite, or the values are complex.

    >>> f = tombacx.scipy.interpolate.Akima1DInterpolator(tombac.arange(5.0), tombac.arange(5.0) * 2)
    >>> f(tombac.array([0.5, 9.0]))
    array([ 1., nan])
    """

    __slots__ = ()

    def __init__(self, x, y, axis=0, *, method="akima", extrapolate=None):
        if method not in ("akima", "makima"):
            raise NotImplementedError(f"Akima1DInterpolator: method must be 'akima' or 'makima', not {method!r}")
        x, (y,), axis = prepared("Akima1DInterpolator", x, y, axis)
        if y.dtype.kind == "c":
            raise ValueError("Akima1DInterpolator: values must be real")
        self._set(x, y, local_slopes(x, y, method == "akima"), axis, False if extrapolate is None else extrapolate)

    def extend(self, c, x, right=True):
        """NotImplementedError: further pieces would change those that there are."""
        raise NotImplementedError("Akima1DInterpolator: its pieces cannot be extended")

    @classmethod
    def from_spline(cls, tck, extrapolate=None):
        """NotImplementedError: a spline is not of this kind."""
        raise NotImplementedError("Akima1DInterpolator: a spline has other slopes")

    @classmethod
    def from_bernstein_basis(cls, bp, extrapolate=None):
        """NotImplementedError: polynomials in Bernstein's basis are not of this kind."""
        raise NotImplementedError("Akima1DInterpolator: polynomials in Bernstein's basis have other slopes")


@_documented
def pchip_interpolate(xi, yi, x, der=0, axis=0):
    """PchipInterpolator or its derivatives at points.

    Args:
        xi: The first coordinates: a real vector in ascending order.
        yi: The values at these: a real array, as long as ``xi`` along ``axis``.
        {points}
        der: Which derivative, or a sequence of several.
        {axis}

    Returns:
        An array of the shape of ``x`` in the place of the axis; of several derivatives a list of arrays.

    Raises:
        ValueError: The points are out of order, or do not fit each other, or are not finite.

    >>> tombacx.scipy.interpolate.pchip_interpolate([0.0, 1.0, 2.0], [0.0, 1.0, 1.0], tombac.array([0.5]))
    array([0.6875])
    """
    f = PchipInterpolator(xi, yi, axis)
    return [f(x, nu) for nu in der] if isinstance(der, (tuple, list)) else f(x, der)
