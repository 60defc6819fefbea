"""griddata: values at scattered points, and the function through them at others, by one call."""

import tombac
from tombac._numpy import np
from tombacx.scipy.interpolate._interp1d import interp1d
from tombacx.scipy.interpolate._scattered import (
    CloughTocher2DInterpolator, LinearNDInterpolator, NearestNDInterpolator,
)

__all__ = ["griddata"]


def _column(points):
    """The one coordinate of points of one dimension, in whichever form they are given."""
    points = tombac.asarray(points[0] if isinstance(points, tuple) else points)
    return points.reshape(-1) if points.ndim > 1 else points


def _along_a_line(points, values, xi, method, fill_value):
    kind = interp1d(_column(points), values, method, 0, True, False,
                    "extrapolate" if method == "nearest" else fill_value)
    if isinstance(xi, tuple):
        if len(xi) != 1:
            raise ValueError(f"griddata: points of 1 dimension are expected, not of {len(xi)}")
        xi = xi[0]
    return kind(xi)


def griddata(points, values, xi, method="linear", fill_value=np.nan, rescale=False):
    """The function through scattered points, at others.

    Args:
        points: Where values are known: an array of shape (points, dimensions), a vector for one dimension, or a tuple
            of vectors, one for each dimension.
        values: The values there: an array, real or complex, of as many elements along the first axis.
        xi: Where they are wanted: an array whose last axis has the dimensions, or a tuple of arrays, one for each
            dimension, which are broadcast.
        method: 'nearest'; 'linear', on the simplices of a triangulation; 'cubic', by a spline in one dimension and by
            CloughTocher2DInterpolator in two.
        fill_value: The value outside of the points' hull; 'nearest' has none.
        rescale: Whether points are scaled to be one wide in each dimension. One dimension has no need of it.

    Returns:
        An array of the shape of the points wanted, with the values' other axes behind.

    Raises:
        ImportError: SciPy is not installed, and it is needed (other methods than 'nearest', unless in the plane on the
            CPU).
        ValueError: There is no such method for so many dimensions, or the shapes do not fit.

    Whoever asks for values more than once makes the interpolator, which keeps its triangulation.

    >>> known = tombac.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> tombacx.scipy.interpolate.griddata(known, tombac.array([0.0, 1.0, 2.0]), tombac.array([[0.25, 0.5]]))
    array([1.25])
    """
    if isinstance(points, tuple):
        dims = len(points)
    else:
        points = tombac.asarray(points)
        dims = points.shape[-1] if points.ndim > 1 else points.ndim
    if dims == 1 and method in ("nearest", "linear", "cubic"):
        return _along_a_line(points, values, xi, method, fill_value)
    if method == "nearest":
        return NearestNDInterpolator(points, values, rescale=rescale)(xi)
    if method == "linear":
        return LinearNDInterpolator(points, values, fill_value, rescale)(xi)
    if method == "cubic" and dims == 2:
        return CloughTocher2DInterpolator(points, values, fill_value, rescale=rescale)(xi)
    raise ValueError(f"griddata: there is no method {method!r} for points of {dims} dimensions")
