"""Interpolation on regular grids, whose lines need not be equally spaced."""

import math

import tombac
from tombac._core import where
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombacx.scipy.interpolate._cubic import PchipInterpolator
from tombacx.scipy.interpolate._fitting import make_interp_spline
from tombacx.scipy.interpolate._grid_kernel import at_points, suits, suits_spline
from tombacx.scipy.interpolate._ndpieces import NdBSpline, coordinates, rows_of_coordinates
from tombacx.scipy.interpolate._slopes import monotone_at

__all__ = ["RegularGridInterpolator", "interpn"]

_DEGREES = {"slinear": 1, "cubic": 3, "quintic": 5}
_METHODS = ("linear", "nearest", "pchip", *_DEGREES)
_LEGACY = "_legacy"  # how SciPy calls splines along one variable after the other, which are the same

_documented = with_rows(
    method="""method: 'linear' or 'nearest', or a tensor product of splines: 'slinear', 'cubic', 'quintic' (not-a-knot)
            or of 'pchip'.""",
    values="""values: The values on the grid: an array, real or complex, with an axis for each variable, and others
            behind.""",
    bounds_error="bounds_error: Whether points outside, or with NaN, raise a ValueError.",
    fill_value="fill_value: The value outside; None has the polynomials there go on.",
    at_points="An array of the points' shape, with the values' other axes behind.",
)


class RegularGridInterpolator:
    """A function through the points of a grid.

    Args:
        points: The grid's lines for each variable: a tuple of vectors in ascending or descending order.
        values: The values on the grid: an array, real or complex, with an axis for each variable, and others behind.
        method: 'linear' or 'nearest', or a tensor product of splines: 'slinear', 'cubic', 'quintic' (not-a-knot) or of
            'pchip'.
        bounds_error: Whether points outside, or with NaN, raise a ValueError; if not, NaN has NaN.
        fill_value: The value outside; None has the polynomials there go on.
        solver, solver_args: Of splines; taken and without effect: coefficients are those of banded systems.

    Raises:
        ValueError: The shapes do not fit, or a line occurs twice, or there is no such method.
        ImportError: A spline is wanted, and SciPy is not installed, by which its coefficients are found.

    >>> x = tombac.arange(3.0)
    >>> f = tombacx.scipy.interpolate.RegularGridInterpolator((x, x), x[:, None] + 10 * x)
    >>> f(tombac.array([[0.5, 1.5], [2.0, 0.25]]))
    array([15.5,  4.5])
    """

    def __init__(self, points, values, method="linear", bounds_error=True, fill_value=np.nan, *, solver=None,
                 solver_args=None):
        name = "RegularGridInterpolator"
        method = _checked(name, method)
        if (solver is not None or solver_args) and method not in _DEGREES:
            raise ValueError(f"{name}: {method!r} has no solver")
        values = tombac.asarray(values)
        self.values = values if values.dtype.kind in "fc" else values.astype("d")
        self.grid = tuple(tombac.asarray(p).astype("d", copy=False) for p in points)
        self.method, self.bounds_error, self._splines = method, bounds_error, {}
        if len(self.grid) > self.values.ndim:
            raise ValueError(f"{name}: {len(self.grid)} vectors of points, and values of shape {self.values.shape}")
        self._check_lines(name)
        self.fill_value = fill_value
        if fill_value is not None:
            kind = (fill_value if isinstance(fill_value, tombac.ndarray) else np.asarray(fill_value)).dtype
            if not np.can_cast(kind, self.values.dtype, "same_kind"):
                raise ValueError(f"{name}: fill_value is of {kind}, the values of {self.values.dtype}")
        if method in _DEGREES or method == "pchip":
            self._check_enough(method)

    def _check_lines(self, name):
        """Whether lines fit the values and are in order, for which the host waits once."""
        for d, p in enumerate(self.grid):
            if p.ndim != 1 or p.size != self.values.shape[d]:
                raise ValueError(f"{name}: {p.size} points in an array of shape {p.shape} do not fit values of shape "
                                 f"{self.values.shape} along the axis {d}")
        if not self.grid:
            return
        self._lines = tombac.concatenate(self.grid)  # one after the other
        lines, at, turned = self._lines.get(), 0, False
        for d, p in enumerate(self.grid):
            line = lines[at:at + p.size]
            at += p.size
            if (line[1:] > line[:-1]).all():
                continue
            if not (line[1:] < line[:-1]).all():
                raise ValueError(f"{name}: points of the variable {d} must be strictly ascending or descending")
            self.grid = (*self.grid[:d], p[::-1], *self.grid[d + 1:])
            self.values, turned = tombac.flip(self.values, d), True
        if turned:
            self._lines = tombac.concatenate(self.grid)

    def _check_enough(self, method):
        least = 4 if method == "pchip" else _DEGREES[method] + 1
        for d, p in enumerate(self.grid):
            if p.size < least:
                raise ValueError(f"RegularGridInterpolator: {method} needs {least} points at least in each variable, "
                                 f"and there are {p.size} of the variable {d}")

    @_documented
    def __call__(self, xi, method=None, *, nu=None):
        """The function at points.

        Args:
            xi: The points: a real array whose last axis has the variables, or a tuple of arrays that broadcast.
            method: As in the constructor; as the object was made with if None.
            nu: The order of the derivative by each variable, for splines; zeros if None.

        Returns:
            {at_points}

        Raises:
            ValueError: A point is outside, or NaN, and must not be, or has another number of variables.
        """
        name = "RegularGridInterpolator"
        method = self.method if method is None else _checked(name, method)
        if nu is not None and method not in _DEGREES:
            raise ValueError(f"{name}: derivatives are those of splines, not of {method}")
        dims = len(self.grid)
        xi = _joined(xi, dims)
        if xi.ndim == 0 or xi.shape[-1] != dims:
            given = xi.shape[-1] if xi.ndim else 0
            raise ValueError(f"The requested sample points xi have dimension {given}, but this "
                             f"{name} has dimension {dims}")
        if 0 not in self.values.shape and (suits_spline((_DEGREES[method],) * dims) if method in _DEGREES
                                           else method != "pchip" and suits(dims)):
            return self._by_kernel(name, xi, method, nu)
        points, shape = coordinates(name, xi, dims)
        trailing = self.values.shape[dims:]
        flat = self.values.reshape(*self.values.shape[:dims], math.prod(trailing))
        bad, beyond = self._judged(points)
        if method in _DEGREES:
            result = self._spline(method)(tombac.stack(points, axis=1), nu=nu).reshape(len(bad), flat.shape[-1])
        else:
            result = {"linear": self._linear, "nearest": self._nearest, "pchip": self._pchip}[method](points, flat)
        if not self.bounds_error and self.fill_value is not None:
            result = where(beyond[:, None], self.fill_value, result)
        return where(bad[:, None], np.nan, result).astype(self._dtype(result)).reshape(shape + trailing)

    def _dtype(self, result):
        return result.dtype if self.values.dtype.kind == result.dtype.kind else np.result_type(result.dtype, "d")

    def _by_kernel(self, name, xi, method, nu):
        dims = len(self.grid)
        points, shape = rows_of_coordinates(name, xi, dims)
        kind = self.values.dtype
        fill = None if self.bounds_error else self.fill_value
        if isinstance(fill, tombac.ndarray):
            fill = fill.item()
        if method in _DEGREES:
            found, outside = self._spline(method)._rows_at(points, nu, fill)
        else:
            dtype = np.result_type(kind, "d") if method == "linear" else kind
            found, outside = at_points(self._lines, self.values, points, method == "linear", dtype, fill)
        if self.bounds_error:
            self._refuse(outside)
        return found.reshape(shape + self.values.shape[dims:])

    @staticmethod
    def _refuse(outside):
        for d in np.flatnonzero(outside):
            raise ValueError(f"RegularGridInterpolator: a point is out of bounds in dimension {d}")

    def _judged(self, points):
        """Which points have NaN, and which are outside."""
        bad, beyond, found = False, False, []
        for x, p in zip(points, self.grid, strict=True):
            out = ~((x >= p[0]) & (x <= p[-1]))
            bad, beyond = tombac.isnan(x) | bad, out | beyond
            found.append(out)
        if self.bounds_error:
            self._refuse(tombac.stack([out.any() for out in found]).get())
        return bad, beyond

    def _places(self, points):
        """For each variable where a point's cell begins, and how far across it lies."""
        for x, p in zip(points, self.grid, strict=True):
            if p.size == 1:
                yield tombac.zeros(x.shape, "l"), 0 * x
                continue
            lower = tombac.clip(tombac.searchsorted(p, x, "right") - 1, 0, p.size - 2)
            start = p[lower]
            yield lower, (x - start) / (p[lower + 1] - start)

    def _linear(self, points, flat):
        """Lines along the last variable, lines between those along the one before, and so on."""
        rows, base, shares, steps = self._flattened(flat), 0, [], []
        for d, (lower, share) in enumerate(self._places(points)):
            base = base * flat.shape[d] + lower
            shares.append(share[:, None] if rows.ndim > 1 else share)
            steps.append(math.prod(flat.shape[d + 1:-1]) if flat.shape[d] > 1 else 0)

        def between(d, offset):
            if d == len(steps):
                return rows[base + offset]
            first, second = between(d + 1, offset), between(d + 1, offset + steps[d])
            return first * (1 - shares[d]) + second * shares[d]

        return between(0, 0).reshape(points[0].size, flat.shape[-1])

    @staticmethod
    def _flattened(flat):
        return flat.reshape(-1) if flat.shape[-1] == 1 else flat.reshape(math.prod(flat.shape[:-1]), flat.shape[-1])

    def _nearest(self, points, flat):
        place = 0
        for d, (lower, share) in enumerate(self._places(points)):
            place = place * flat.shape[d] + where(share <= 0.5, lower, lower + 1)
        return self._flattened(flat)[place].reshape(points[0].size, flat.shape[-1])

    def _spline(self, method):
        """The tensor product, whose coefficients are those of splines along one variable after the other."""
        if method not in self._splines:
            self._check_enough(method)
            degree, c = _DEGREES[method], self.values
            c = c.astype("D" if c.dtype.kind == "c" else "d", copy=False)
            knots = []
            for d, p in enumerate(self.grid):
                made = make_interp_spline(p, c, degree, axis=d)
                knots.append(made.t)
                c = tombac.moveaxis(made.c, 0, d)
            made = NdBSpline(tuple(knots), c, degree)
            self._splines[method] = made
        return self._splines[method]

    def _pchip(self, points, flat):
        """Along the last variable for all points, then along the others, in values that each point has of its own."""
        if flat.dtype.kind == "c":
            return (self._pchip(points, flat.real) + 1j * self._pchip(points, flat.imag)).astype(flat.dtype, copy=False)
        axis = len(points) - 1
        rows = tombac.moveaxis(PchipInterpolator(self.grid[-1], flat, axis)(points[-1]), axis, 0)
        for d in range(axis - 1, -1, -1):
            rows = monotone_at(self.grid[d], tombac.moveaxis(rows, d + 1, 0), points[d])
        return rows.astype(flat.dtype, copy=False)


def _checked(name, method):
    known = method.removesuffix(_LEGACY) if isinstance(method, str) else method
    if known not in _METHODS or (known != method and known not in _DEGREES):
        raise ValueError(f"{name}: no method is called {method!r}")
    return known


def _joined(xi, dims):
    """Points as one array: a tuple of arrays, one for each variable, is broadcast and stacked; a vector has rows."""
    if not isinstance(xi, tuple):
        xi = tombac.asarray(xi)
        return xi.reshape(-1, dims) if xi.ndim == 1 and xi.size % dims == 0 else xi
    return tombac.stack(tombac.broadcast_arrays(*map(tombac.asarray, xi)), axis=-1)


@_documented
def interpn(points, values, xi, method="linear", bounds_error=True, fill_value=np.nan):
    """A function through the points of a grid, at others.

    Args:
        points: The grid's lines for each variable: a tuple of vectors in ascending or descending order.
        {values}
        xi: Where: a real array whose last axis has the variables, or a tuple of arrays that broadcast.
        {method} 'splinef2d' is 'cubic' here, for two variables.
        {bounds_error}
        {fill_value}

    Returns:
        {at_points}

    Raises:
        ValueError: The shapes do not fit, or there is no such method, or a point is outside and must not be.
        ImportError: A spline is wanted, and SciPy is not installed.

    >>> x = tombac.arange(3.0)
    >>> tombacx.scipy.interpolate.interpn((x, x), x[:, None] + 10 * x, tombac.array([[0.5, 1.5]]))
    array([15.5])
    """
    if method == "splinef2d":
        if len(points) != 2:
            raise ValueError("interpn: splinef2d is for two variables")
        method = "cubic"
    return RegularGridInterpolator(points, values, method, bounds_error, fill_value)(xi)
