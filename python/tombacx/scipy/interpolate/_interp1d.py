"""interp1d: steps, lines and splines through points."""

import tombac
from tombac._core import where
from tombac._numpy import np
from tombac._util import normalize_axis_index
from tombacx.scipy._host import readable
from tombacx.scipy.interpolate._bspline import BSpline
from tombacx.scipy.interpolate._fitting import make_interp_spline
from tombacx.scipy.interpolate._pieces import documented as _documented
from tombacx.scipy.interpolate._pieces import LINES, outside, pieces_at, placed, points_of

__all__ = ["interp1d"]

_DEGREES = {"zero": 0, "slinear": 1, "quadratic": 2, "cubic": 3}
_KINDS = ("linear", "nearest", "nearest-up", "previous", "next")


class interp1d:
    """A function through points: by steps, lines or a spline.

    Args:
        x: The first coordinates: a real vector.
        y: The values at these: an array, real or complex, as long as ``x`` along ``axis``.
        kind: 'linear'; 'nearest', of two equally near the first, or 'nearest-up', the second; 'previous'; 'next'; or a
            spline, 'zero', 'slinear', 'quadratic', 'cubic' or its degree.
        axis: Along which axis of the values the points lie.
        copy: Whether ``x`` and ``y`` are copied where they need not be sorted; what is written to them later is seen
            if not.
        bounds_error: Whether points outside raise; if None, unless they are extrapolated.
        fill_value: The value outside, or a tuple of that before the first and that behind the last point, or
            'extrapolate'.
        assume_sorted: Whether ``x`` is in ascending order; it is sorted if not.

    Raises:
        ValueError: The shapes do not fit, or there is no such kind, or ``fill_value`` and ``bounds_error`` exclude each
            other.
        ImportError: A spline is wanted, and SciPy is not installed, by which its coefficients are found.

    >>> f = tombacx.scipy.interpolate.interp1d([0.0, 1.0, 2.0], [0.0, 10.0, 40.0], fill_value="extrapolate")
    >>> f(tombac.array([0.5, 3.0]))
    array([ 5., 70.])
    """

    def __init__(self, x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=np.nan,
                 assume_sorted=False):
        shared = assume_sorted and not copy
        own = tombac.asarray if shared else tombac.array
        self.x, y = own(x), own(y)
        self._points, shape = points_of("interp1d", self.x)
        y = y if y.dtype.kind in "fc" else y.astype("d")
        if len(shape) != 1:
            raise ValueError(f"interp1d: x must be a vector, not of shape {shape}")
        if y.ndim == 0:
            raise ValueError("interp1d: y must have a dimension at least")
        self.axis = normalize_axis_index(axis, y.ndim)
        if y.shape[self.axis] != self.x.size:
            raise ValueError(f"interp1d: {self.x.size} points, and values of shape {y.shape} along the axis {axis}")
        self.y, self._y = y, tombac.moveaxis(y, self.axis, 0)
        degree = _DEGREES.get(kind, kind) if isinstance(kind, str) else kind
        if isinstance(degree, str) and degree not in _KINDS:
            raise NotImplementedError(f"interp1d: no kind is called {kind!r}")
        self._kind = degree
        self._range = self._sorted() if not assume_sorted and self.x.size else None
        least = 1 if isinstance(degree, str) else degree + 1
        if self.x.size < least:
            raise ValueError(f"interp1d: {least} points are needed at least, not {self.x.size}")
        self._spline = None if isinstance(degree, str) else self._made_spline(degree)
        if degree == "linear" and not shared:  # as the kernel reads them, once for all calls
            self._lines = self._y.astype("D" if self._y.dtype.kind == "c" else "d", order="C", copy=False)
        else:
            self._lines = self._y
        self._middles = (self._points[1:] + self._points[:-1]) / 2 if degree in ("nearest", "nearest-up") else None
        self.bounds_error = bounds_error
        self.fill_value = fill_value

    def _sorted(self):
        """Sorts points; the first and the last one, if the host may read them: those that are in order stay then."""
        x = readable(self._points)
        if x is None or not (x[1:] >= x[:-1]).all():
            order = tombac.argsort(self.x, kind="stable")
            self.x, self._points, self._y = self.x[order], self._points[order], self._y[order]
            self.y = tombac.moveaxis(self._y, 0, self.axis)
            return None
        return float(x[0]), float(x[-1])

    def _are_outside(self, points):
        if self._range is None:
            return outside(points, self._points[0], self._points[-1])
        return (points < self._range[0]) | (points > self._range[1])

    def _made_spline(self, degree):
        """The spline; NaN everywhere where the points have NaN, as SciPy's is."""
        y = self._y.astype("D" if self._y.dtype.kind == "c" else "d", copy=False)
        if not (tombac.isfinite(self._points).all() and tombac.isfinite(y).all()):
            known = make_interp_spline(np.linspace(0.0, 1.0, self.x.size), tombac.ones_like(y), degree)
            return BSpline.construct_fast(known.t, known.c * np.nan, degree)
        return make_interp_spline(self._points, y, degree, check_finite=False)

    @property
    def fill_value(self):
        """What is said outside, as it was given."""
        return self._fill_value

    @fill_value.setter
    def fill_value(self, value):
        extrapolate = isinstance(value, str) and value == "extrapolate"
        if extrapolate:
            if self.bounds_error:
                raise ValueError("interp1d: points outside cannot both raise and be extrapolated")
            blank = {"previous": [np.nan, self._y[-1]], "next": [self._y[0], np.nan]}  # before all and behind all
            self._ends = blank.get(self._kind)
            self.bounds_error = False
        else:
            both = value if isinstance(value, tuple) and len(value) == 2 else (value, value)
            trailing = self._y.shape[1:]
            self._ends = [self._filling(v, trailing) for v in both]
            if self.bounds_error is None:
                self.bounds_error = True
        self._fill_value = value

    @staticmethod
    def _filling(value, trailing):
        value = tombac.asarray(value)
        try:
            return tombac.broadcast_to(value, trailing)
        except ValueError:
            raise ValueError(f"interp1d: fill_value of shape {value.shape} does not fit values of shape {trailing}") \
                from None

    @_documented
    def __call__(self, x):
        """The function at points.

        Args:
            {points}

        Returns:
            An array of the shape of ``x``, in the place of the axis, with the values' other axes.

        Raises:
            ValueError: A point is outside and must not be.
        """
        x = tombac.asarray(x)
        points, shape = points_of("interp1d", x)
        if self.bounds_error and self._are_outside(points).any():
            raise ValueError("interp1d: a point is outside of the range of x")
        result = self._rows(points).astype(self._dtype(x.dtype), copy=False)
        if self._ends is not None and not self.bounds_error:
            column = (-1,) + (1,) * (result.ndim - 1)
            below, above = (points < self._points[0]).reshape(column), (points > self._points[-1]).reshape(column)
            result = where(below, self._ends[0], where(above, self._ends[1], result)).astype(result.dtype, copy=False)
        return placed(result, shape, self._y.shape[1:], self.axis)

    def _dtype(self, points):
        """Of the result at points of that dtype."""
        if self._spline is not None:
            return self._spline.c.dtype
        if self._kind != "linear":
            return self._y.dtype
        return np.result_type(self._y.dtype, self.x.dtype, points if points.kind == "f" else "d")

    def _rows(self, points):
        if self._spline is not None:
            return self._spline._rows_at(points, 0)
        if self._kind == "linear" and self.x.size > 1:
            return pieces_at(LINES, self._points, self._lines, points)
        nan = tombac.isnan(points).reshape((-1,) + (1,) * (self._y.ndim - 1))
        return where(nan, np.nan, self._y[self._nearby(points)])

    def _nearby(self, points):
        """Which point each takes its value from."""
        last = self.x.size - 1
        if last == 0:
            return tombac.zeros(points.shape, "l")
        if self._kind == "previous":
            return tombac.clip(tombac.searchsorted(self._points, points, "right") - 1, 0, last)
        if self._kind == "next":
            return tombac.clip(tombac.searchsorted(self._points, points, "left"), 0, last)
        side = "left" if self._kind == "nearest" else "right"
        return tombac.clip(tombac.searchsorted(self._middles, points, side), 0, last)
