"""Arrays from ranges, diagonals, functions, files and host data: compositions of the creation functions in C."""

import math
import operator

from tombac import _core
from tombac._core import arange, array, asanyarray, asarray, empty, linspace, power, where, zeros
from tombac._numpy import np
from tombac._util import check_arrays

__all__ = [
    "asarray_chkfinite", "asfarray", "astype", "copy", "diag", "diagflat", "frombuffer", "fromfile", "fromfunction",
    "fromiter", "fromstring", "genfromtxt", "geomspace", "loadtxt", "logspace", "require", "tril", "triu",
    "vander",
]


def copy(a, order="K"):
    """A copy of ``a``; ``order`` is its memory layout. >>> tombac.copy(tombac.arange(2))"""
    check_arrays("copy", a)
    return a.copy(order=order)


def astype(x, dtype, /, *, copy=True, device=None):
    """``x`` converted to ``dtype``, on a device; ``copy=False`` gives ``x`` itself where nothing has to change."""
    check_arrays("astype", x)
    return x.astype(dtype, copy=copy) if device is None else asanyarray(x, dtype, copy=copy or None, device=device)


# ---- ranges ----------------------------------------------------------------------------------------------------------


def _spaced(start, stop, num, endpoint, dtype):
    """(num,) + broadcast(start, stop).shape evenly spaced numbers of an inexact dtype, and their step."""
    div = num - 1 if endpoint else num
    start, stop = start.astype(dtype), stop.astype(dtype)
    delta = stop - start
    steps = arange(num, dtype=np.dtype(dtype).type(0).real.dtype).reshape((-1,) + (1,) * delta.ndim)
    step = delta / div if div > 0 else delta * math.nan
    out = steps * step + start if div > 0 else steps * delta + start
    if endpoint and num > 1:
        out[-1] = stop
    return out, step


def _linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, device=None):
    """linspace where an end is an array."""
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"linspace: num must not be negative, it is {num}")
    ends = [x if isinstance(x, (_core.ndarray, bool, int, float, complex)) else asarray(x) for x in (start, stop)]
    # Python numbers bend to the arrays' dtypes, as everywhere.
    work = np.result_type(*(getattr(x, "dtype", x) for x in ends), 1.0)
    start, stop = (x if isinstance(x, _core.ndarray) else asarray(x) for x in ends)
    result, step = _spaced(start, stop, num, endpoint, work)
    if dtype is not None and np.dtype(dtype) != work:
        if np.issubdtype(dtype, np.integer):
            result = _core.floor(result)
        result = result.astype(dtype)
    if axis != 0:
        from tombac._manipulation import moveaxis

        result = moveaxis(result, 0, axis)
    return (result, step) if retstep else result


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """``base`` to the power of ``linspace(start, stop, num, endpoint)``."""
    y = linspace(start, stop, num=num, endpoint=endpoint, axis=axis)
    result = power(base, y)
    return result if dtype is None else result.astype(dtype, copy=False)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """``num`` numbers from ``start`` to ``stop`` in geometric progression.

    Complex endpoints give a spiral; real ones of different signs have nothing between them but NaN.

    Raises:
        ValueError: An endpoint is zero (arrays are read to know).
    """
    start, stop = (x if isinstance(x, _core.ndarray) else asarray(x) for x in (start, stop))
    if bool((start == 0).any()) or bool((stop == 0).any()):
        raise ValueError("geomspace: the progression cannot include zero")
    work = np.result_type(start.dtype, stop.dtype, np.float64 if dtype is None else dtype, 1.0)
    start, stop = start.astype(work), stop.astype(work)
    sign = _core.sign(start)
    start, stop = start / sign, stop / sign
    result = logspace(_core.log10(start), _core.log10(stop), num, endpoint, dtype=work)
    if num > 0:
        result[0] = start
    if num > 1 and endpoint:
        result[-1] = stop
    result = result * sign
    if axis != 0:
        from tombac._manipulation import moveaxis

        result = moveaxis(result, 0, axis)
    return result if dtype is None else result.astype(dtype)


# ---- matrices --------------------------------------------------------------------------------------------------------


def _triangle(name, m, k, lower):
    m = asarray(m)
    if m.ndim == 0:
        raise TypeError(f"{name}: the array must have at least one dimension")
    if m.ndim == 1:
        m = _core.broadcast_to(m, m.shape * 2)
    mask = _core.tri(m.shape[-2], m.shape[-1], k if lower else k - 1, bool)
    zero = m.dtype.type(0)
    return where(mask, m, zero) if lower else where(mask, zero, m)


def tril(m, k=0):
    """``m`` with zeros above the ``k``-th diagonal of its last two axes."""
    return _triangle("tril", m, k, True)


def triu(m, k=0):
    """``m`` with zeros below the ``k``-th diagonal of its last two axes."""
    return _triangle("triu", m, k, False)


def diag(v, k=0):
    """The ``k``-th diagonal of a matrix (a view), or a matrix with the vector ``v`` as its ``k``-th diagonal.

    Raises:
        ValueError: ``v`` is neither 1- nor 2-dimensional.
    """
    v = v if isinstance(v, _core.ndarray) else asarray(v)
    if v.ndim == 2:
        return v.diagonal(k)
    if v.ndim != 1:
        raise ValueError(f"diag: the input must be 1- or 2-dimensional, it is {v.ndim}-dimensional")
    n = v.shape[0] + abs(k)
    result = zeros((n, n), v.dtype)
    result.diagonal(k)[...] = v
    return result


def diagflat(v, k=0):
    """A matrix with the flattened ``v`` as its ``k``-th diagonal."""
    v = v if isinstance(v, _core.ndarray) else asarray(v)
    return diag(v.ravel(), k)


def vander(x, N=None, increasing=False):
    """The Vandermonde matrix: column i holds ``x`` to the power of N-1-i (i if ``increasing``)."""
    x = x if isinstance(x, _core.ndarray) else asarray(x)
    if x.ndim != 1:
        raise ValueError("vander: x must be one-dimensional")
    N = len(x) if N is None else operator.index(N)
    result = empty((len(x), N), np.result_type(x.dtype, int))
    columns = result if increasing else result[:, ::-1]
    columns[:, :1] = 1
    _core.cumprod(_core.broadcast_to(x[:, None], columns[:, 1:].shape), 1, result.dtype, columns[:, 1:])
    return result


# ---- from functions, host data and files -----------------------------------------------------------------------------


def fromfunction(function, shape, *, dtype=float, **kwargs):
    """``function`` of the coordinate arrays of ``shape``: >>> tombac.fromfunction(lambda i, j: i + j, (2, 2))"""
    from tombac._grid import indices

    return function(*indices(shape, dtype=dtype), **kwargs)


def _from_host(function, *args, **kwargs):
    return array(function(*args, **kwargs))


def fromiter(*args, **kwargs):
    """As numpy.fromiter, then copied to the device."""
    return _from_host(np.fromiter, *args, **kwargs)


def frombuffer(*args, **kwargs):
    """As numpy.frombuffer, then copied to the device."""
    return _from_host(np.frombuffer, *args, **kwargs)


def fromfile(*args, **kwargs):
    """As numpy.fromfile, then copied to the device."""
    return _from_host(np.fromfile, *args, **kwargs)


def fromstring(*args, **kwargs):
    """As numpy.fromstring, then copied to the device."""
    return _from_host(np.fromstring, *args, **kwargs)


def loadtxt(*args, **kwargs):
    """As numpy.loadtxt, then copied to the device."""
    return _from_host(np.loadtxt, *args, **kwargs)


def genfromtxt(*args, **kwargs):
    """As numpy.genfromtxt, then copied to the device."""
    return _from_host(np.genfromtxt, *args, **kwargs)


def asfarray(a, dtype=float):
    """``a`` as an array of an inexact dtype: ``dtype``, or float64 if that is not inexact."""
    return asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64)


def asarray_chkfinite(a, dtype=None, order=None):
    """As asarray, but ValueError if an element is infinite or NaN (which waits for the device)."""
    a = asarray(a, dtype=dtype, order=order)
    if a.dtype.kind in "fc" and not bool(_core.isfinite(a).all()):
        raise ValueError("asarray_chkfinite: array must not contain infs or NaNs")
    return a


_REQUIREMENTS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F",
    "O": "O", "OWNDATA": "O",
}


def require(a, dtype=None, requirements=None):
    """``a`` as an array with the given dtype and layout: requirements are 'C', 'F' and 'O' (owns its memory)."""
    if not requirements:
        return _core.asanyarray(a, dtype=dtype)
    try:
        wanted = {_REQUIREMENTS[r.upper()] for r in requirements}
    except KeyError as e:
        raise ValueError(f"require: {e.args[0]} is not a requirement; C, F and O are") from None
    if wanted >= {"C", "F"}:
        raise ValueError("require: C and F order exclude each other")
    order = "C" if "C" in wanted else "F" if "F" in wanted else "A"
    result = asarray(a, dtype=dtype, order=order)
    return result.copy(order=order) if "O" in wanted and result.base is not None else result
