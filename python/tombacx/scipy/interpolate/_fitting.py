"""Splines through points, and near them: knots and coefficients by the library on the host, or where more is given than
points, a degree, knots and weights by SciPy.
"""

import inspect

import tombac
from tombac import _core
from tombac._util import normalize_axis_index
from tombacx.scipy._host import scipy_function
from tombacx.scipy.interpolate._bspline import BSpline
from tombacx.scipy.interpolate._pieces import documented as _documented
from tombacx.scipy.interpolate._pieces import made_by_scipy

__all__ = ["make_interp_spline", "make_lsq_spline", "make_smoothing_spline"]


def _spline(made):
    return BSpline.construct_fast(tombac.array(made.t), tombac.array(made.c), made.k, made.extrapolate, made.axis)


@_documented
def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    """The spline through points.

    Args:
        {abscissae}
        {ordinates}
        k: The degree.
        t: The knots: a vector; chosen by the points if None.
        bc_type: The conditions at the ends: 'not-a-knot', 'periodic', 'clamped', 'natural', or a tuple of two, each
            one of these names or a list of tuples (order of the derivative, its value). None leaves the choice.
        {axis}
        check_finite: Whether NaN and infinities are refused.

    Returns:
        A BSpline.

    Raises:
        {host_refusals}

    >>> s = tombacx.scipy.interpolate.make_interp_spline(tombac.arange(4.0), tombac.arange(4.0) ** 2)
    >>> s(tombac.array([0.5, 2.5])).round(6)
    array([0.25, 6.25])
    """
    if t is None and bc_type is None and check_finite and isinstance(k, int) and 1 <= k <= 9:
        x, y = tombac.asarray(x), tombac.asarray(y)
        if x.dtype.kind in "biuf" and y.ndim > 0:
            axis = normalize_axis_index(axis, y.ndim)
            knots, c = _core._spline_through(x, tombac.moveaxis(y, axis, 0), k)
            return BSpline.construct_fast(knots, c, k, True, axis)
    return _spline(made_by_scipy("make_interp_spline", x, y, k, t, bc_type, axis, check_finite))


@_documented
def make_lsq_spline(x, y, t, k=3, w=None, axis=0, check_finite=True, *, method="qr"):
    """The spline of given knots that is nearest to points, by the sum of squared distances.

    Args:
        {abscissae}
        {ordinates}
        t: The knots: a vector in ascending order, whose ends are repeated k + 1 times.
        k: The degree.
        w: The points' weights: a vector; 1 if None.
        {axis}
        check_finite: Whether NaN and infinities are refused.
        method: 'qr', or 'norm-eq', which solves the normal equations.

    Returns:
        A BSpline.

    Raises:
        {host_refusals}

    >>> x = tombac.linspace(0.0, 3.0, 9)
    >>> t = tombac.array([0.0] * 4 + [3.0] * 4)
    >>> tombacx.scipy.interpolate.make_lsq_spline(x, x**2, t)(tombac.array([0.5, 2.5])).round(6)
    array([0.25, 6.25])
    """
    if method == "qr" and isinstance(k, int) and 1 <= k <= 9:
        found = _nearest(*map(tombac.asarray, (x, y, t)), k, w, axis)
        if found is not None:
            return found
    named = {"method": method}
    of_scipy = scipy_function("scipy.interpolate", "make_lsq_spline")
    if "method" not in inspect.signature(of_scipy).parameters:  # SciPy before 1.15 knows the normal equations alone
        named = {}
    return _spline(made_by_scipy("make_lsq_spline", x, y, t, k, w, axis, check_finite, **named))


def _nearest(x, y, t, k, w, axis):
    """That spline by the library; None where SciPy is to say what is wrong."""
    w = w if w is None else tombac.asarray(w)
    if any(a.dtype.kind not in "biuf" for a in (x, t, *(() if w is None else (w,)))) or not -y.ndim <= axis < y.ndim:
        return None
    axis = normalize_axis_index(axis, y.ndim)
    try:
        c = _core._spline_nearest(x, tombac.moveaxis(y, axis, 0), k, t, w)
    except ValueError:
        return None
    return BSpline.construct_fast(t.astype("d"), c, k, True, axis)


@_documented
def make_smoothing_spline(x, y, w=None, lam=None, *, axis=0):
    """The cubic spline that is near to points and smooth.

    Args:
        {abscissae}
        y: The values at these: a vector, or an array.
        w: The points' weights: a vector; 1 if None.
        lam: How much smoothness counts, from 0 on; chosen by generalised cross-validation if None.
        axis: Along which axis of ``y`` the points lie; other than 0 with SciPy 1.17 or later.

    Returns:
        A BSpline.

    Raises:
        {host_refusals}

    >>> x = tombac.arange(6.0)
    >>> tombacx.scipy.interpolate.make_smoothing_spline(x, 2 * x, lam=1.0)(tombac.array([0.5, 2.5])).round(6)
    array([1., 5.])
    """
    return _spline(made_by_scipy("make_smoothing_spline", x, y, w, lam, **({"axis": axis} if axis else {})))
