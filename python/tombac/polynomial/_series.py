"""What functions of every family do with their arguments: points and coefficients in, series and values out."""

import operator
import warnings

from tombac import _core, linalg
from tombac._manipulation import broadcast_arrays
from tombac._numpy import np
from tombac._util import is_number, normalize_axis_index
from tombac.exceptions import RankWarning
from tombac.polynomial.polyutils import as_series, device_array


def coefficients(name, c):
    """Coefficients along the first axis, with a dtype that has fractions."""
    c = device_array(name, c)
    c = c.reshape(1) if c.ndim == 0 else c
    return c.astype("d") if c._kind in "biu" else c


def points(x):
    """Points as something to compute with: numbers and polynomials as they are."""
    is_sequence = isinstance(x, (list, tuple, np.ndarray))
    return _core.asarray(x) if is_sequence else x


def inexact(name, x):
    """Points as an array of one dimension or more, of a dtype that has fractions."""
    x = device_array(name, x)
    return (x.reshape(1) if x.ndim == 0 else x) + 0.0


def same_shapes(name, xs):
    xs = [_core.asarray(x) for x in xs]
    if any(x.shape != xs[0].shape for x in xs):
        raise ValueError(f"{name}: the coordinates must have the same shape, not {[x.shape for x in xs]}")
    return xs


def degree(name, deg):
    deg = operator.index(deg)
    if deg < 0:
        raise ValueError(f"{name}: deg must not be negative, it is {deg}")
    return deg


def _orders(name, c, times, axis):
    """What derivatives and integrals have in common: coefficients along the first axis, how often, and the axis."""
    c = coefficients(name, c)
    times, axis = operator.index(times), operator.index(axis)
    if times < 0:
        raise ValueError(f"{name}: m must not be negative, it is {times}")
    axis = normalize_axis_index(axis, c.ndim)
    return moved(c, axis, 0), times, axis


def _scaled(c, factor):
    """Coefficients times a number, in their own dtype: NumPy multiplies in place."""
    if type(factor) in (int, float) and factor == 1:
        return c
    c = c.copy()
    c *= factor
    return c


def moved(c, source, target):
    if source == target:
        return c
    order = [d for d in range(c.ndim) if d != source]
    order.insert(target, source)
    return c.transpose(order)


def value(family, x, c, tensor=True):
    """The sum of c[k] p_k(x): what the functions chebval and so on do."""
    c = coefficients(family.prefix + "val", c)
    x = points(x)
    if tensor and isinstance(x, _core.ndarray):
        c = c.reshape(c.shape + (1,) * x.ndim)
    if isinstance(x, (_core.ndarray, np.generic)) and x.dtype != c.dtype:
        x = x.astype(_core.result_type(x.dtype, c.dtype))
    return family.value(x, c)


def derivative(family, c, m=1, scl=1, axis=0):
    c, times, axis = _orders(family.prefix + "der", c, m, axis)
    if times >= len(c):
        return moved(c[:1] * 0, 0, axis)
    for _ in range(times):
        c = family.derive(_scaled(c, scl))
    return moved(c, 0, axis) if times else moved(c.copy(), 0, axis)


def integral(family, c, m=1, k=(), lbnd=0, scl=1, axis=0):
    name = family.prefix + "int"
    c, times, axis = _orders(name, c, m, axis)
    constants = list(k) if np.iterable(k) else [k]
    if len(constants) > times:
        raise ValueError(f"{name}: there are {len(constants)} constants of integration, more than m = {times}")
    if not is_number(lbnd) or not is_number(scl):
        raise ValueError(f"{name}: lbnd and scl must be numbers")
    constants += [0] * (times - len(constants))
    c = c.copy()
    for constant in constants:
        c = _scaled(c, scl)
        if len(c) == 1 and not bool((c != 0).any()):
            c[0] += constant
            continue
        c = family.integrate(c)
        c[0] += constant - family.value(lbnd, c)
    return moved(c, 0, axis)


def power(family, c, exponent, maxpower):
    name = family.prefix + "pow"
    (c,) = as_series([c])
    n = int(exponent)
    if n != exponent or n < 0:
        raise ValueError(f"{name}: the power must be a non-negative integer, it is {exponent}")
    if maxpower is not None and n > maxpower:
        raise ValueError(f"{name}: the power {n} is above maxpower, {maxpower}")
    result = _core.ones(1, c.dtype) if n == 0 else c
    for _ in range(n - 1):
        result = family.multiply(result, c)
    return result


def _fit_degrees(name, deg):
    degrees = np.asarray(_core._on_host(deg))
    if degrees.ndim > 1 or degrees.dtype.kind not in "iu" or degrees.size == 0:
        raise TypeError(f"{name}: deg must be an int or a vector of ints that is not empty")
    if degrees.min() < 0:
        raise ValueError(f"{name}: degrees must not be negative")
    return degrees


def _fit_points(name, x, y, w):
    x, y = device_array(name, x) + 0.0, device_array(name, y) + 0.0
    w = None if w is None else device_array(name, w) + 0.0
    if x.ndim != 1 or x.size == 0:
        raise TypeError(f"{name}: x must be a vector that is not empty, not of the shape {x.shape}")
    if y.ndim not in (1, 2) or len(y) != x.size:
        raise TypeError(f"{name}: y must be a vector or a matrix of {x.size} rows, not of the shape {y.shape}")
    if w is not None and w.shape != x.shape:
        raise TypeError(f"{name}: w must be a vector of {x.size} elements, not of the shape {w.shape}")
    return x, y, w


def fit(family, x, y, deg, rcond=None, full=False, w=None):
    """Coefficients of the least squared distance from points: the columns of the matrix are scaled to length one."""
    name = family.prefix + "fit"
    degrees = _fit_degrees(name, deg)
    x, y, w = _fit_points(name, x, y, w)
    highest = int(degrees.max())
    columns = family.rows(x, highest)
    chosen = sorted(degrees.tolist()) if degrees.ndim else range(highest + 1)
    left = _core.stack([columns[k] for k in chosen], -1)
    if w is not None:
        left, y = left * w[:, None], y * (w if y.ndim == 1 else w[:, None])
    rcond = x.size * np.finfo(x.dtype).eps if rcond is None else rcond
    squares = left.real**2 + left.imag**2 if left._kind == "c" else left**2
    size = _core.sqrt(squares.sum(0))
    size = _core.where(size == 0, _core.ones((), size.dtype), size)
    c, residuals, rank, values = linalg.lstsq(left / size, y, rcond)
    c = (c.T / size).T
    if degrees.ndim:
        every = _core.zeros((highest + 1,) + c.shape[1:], c.dtype)
        every[np.asarray(chosen).tolist()] = c
        c = every
    if full:
        return c, [residuals, rank, values, rcond]
    if int(rank) != len(chosen):
        warnings.warn(f"{name}: the points may not determine the series", RankWarning, stacklevel=3)
    return c


def joint_rows(family, name, xs, deg):
    """Products of polynomials of each coordinate, for each combination of degrees, along a new last axis."""
    if len(deg) != len(xs):
        raise ValueError(f"{name}: deg must have {len(xs)} degrees")
    xs = [_core.asarray(x) + 0.0 for x in xs]
    xs = [x.reshape(1) if x.ndim == 0 else x for x in broadcast_arrays(*xs)]
    result = None
    for i, (x, n) in enumerate(zip(xs, deg)):
        rows = _core.stack(family.rows(x, degree(name, n)), -1)
        rows = rows.reshape(rows.shape[:-1] + (1,) * i + rows.shape[-1:] + (1,) * (len(xs) - 1 - i))
        result = rows if result is None else result * rows
    return result.reshape(xs[0].shape + (-1,))
