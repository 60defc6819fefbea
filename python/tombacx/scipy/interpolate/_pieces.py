"""What all functions in pieces share: which piece a point lies in, coefficients, and the axes of results.

Powers, lines and splines at points are a kernel of the library's; what else is computed at them is an expression over
gathers.
"""

import math

import tombac
from tombac import _core
from tombac._core import where
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombacx.scipy._host import device, host, scipy_function

__all__ = [
    "LINES", "OUTSIDE", "POWERS", "SPLINE", "Rows", "documented", "interval_of", "made_by_scipy", "periods",
    "pieces_at", "placed", "points_of", "values_of",
]

documented = with_rows(
    points="x: Where: a real array of any shape, or a number.",
    nu="nu: Which derivative; 0 is the function itself.",
    extrapolate="""extrapolate: What is said outside: True, the polynomial of the nearest piece; False, NaN;
            ``"periodic"``, what is inside, repeated; None, as the object was made with.""",
    at_points="An array of the shape of ``x``, in the place of the axis, with the coefficients' other axes.",
    abscissae="x: The first coordinates: a real vector in ascending order.",
    ordinates="y: The values at these: an array, real or complex, as long as ``x`` along ``axis``.",
    axis="axis: Along which axis of the values the points lie.",
    host_refusals="""ImportError: SciPy is not installed.
        ValueError: The points are out of order, or do not fit each other, in SciPy's words.""",
)


def points_of(name, x):
    """The points as a vector of float64, and the shape they had."""
    x = tombac.asarray(x)
    if x.dtype.kind not in "biuf":
        raise TypeError(f"{name}: points must be real, not {x.dtype}")
    return x.ravel().astype("d", copy=False), x.shape


def values_of(c):
    """An array of float64 or complex128."""
    c = tombac.asarray(c)
    return c.astype("D" if c.dtype.kind == "c" else "d", copy=False)


def interval_of(x, points, ascending=True):
    """For each point the number of the piece it lies in; the first and the last one go on outside."""
    last = x.size - 2
    if ascending:
        return tombac.clip(tombac.searchsorted(x, points, "right") - 1, 0, last)
    return last - tombac.clip(tombac.searchsorted(x[::-1], points, "left") - 1, 0, last)


POWERS, LINES, SPLINE = range(3)  # what coefficients belong to
OUTSIDE = {True: 0, False: 1, "periodic": 2}


def pieces_at(form, x, c, points, nu=0, extrapolate=True, degree=0):
    """A function in pieces, or a derivative, at points: a row for each, found and computed by one kernel."""
    return _core._pieces_at(x, c, form, degree, points, nu, OUTSIDE[extrapolate])


def periods(points, first, last):
    """The points moved by whole periods to where the function is known."""
    return first + (points - first) % (last - first)


def outside(points, first, last):
    """Where points lie before the first or behind the last one, whichever is the greater."""
    return (points < tombac.minimum(first, last)) | (points > tombac.maximum(first, last))


def placed(result, shape, trailing, axis):
    """``result``, a row for each point, with the points' shape at the place of ``axis`` among the other axes."""
    result = result.reshape(shape + trailing)
    n = len(shape)
    if axis == 0 or n == 0:
        return result
    return result.transpose([*range(n, n + axis), *range(n), *range(n + axis, result.ndim)])


class Rows:
    """Coefficients of shape (orders, pieces, ...), gathered for points: one number for each, or a row of them."""

    def __init__(self, c):
        self.trailing = c.shape[2:]
        self.single = math.prod(self.trailing) == 1
        self.c = c.reshape(c.shape[:2] if self.single else c.shape[:2] + (math.prod(self.trailing),))

    def __len__(self):
        return self.c.shape[0]

    def at(self, order, where_):
        return self.c[order][where_]

    def beside(self, x):
        """Numbers that belong to points, such as distances, so that they go with what is gathered."""
        return x if self.single else x[:, None]


def bernstein(rows, interval, s):
    """The polynomial with these Bernstein coefficients at ``s``, from 0 to 1 (Farin, Curves and Surfaces for CAGD)."""
    degree = len(rows) - 1
    along = rows.beside(s)
    result = rows.at(0, interval)
    if degree:
        rest, power, binomial = 1 - along, along, degree
        result = result * rest
        for order in range(1, degree):
            result = (result + rows.at(order, interval) * (power * binomial)) * rest
            power, binomial = power * along, binomial * (degree - order) // (order + 1)
        result = result + rows.at(degree, interval) * power
    return where(tombac.isnan(along), np.nan, result)


def made_by_scipy(name, *args, **kwargs):
    """SciPy's object of that name, on the host, of arguments on the device."""
    made = scipy_function("scipy.interpolate", name)
    return made(*map(host, args), **{key: host(value) for key, value in kwargs.items()})


def on_device(x):
    """An array of SciPy's on the device; arrays of objects keep their shape, and have device arrays for elements."""
    if isinstance(x, np.ndarray) and x.dtype == object:
        result = np.empty_like(x)
        for index, value in np.ndenumerate(x):
            result[index] = device(value)
        return result
    return device(x)
