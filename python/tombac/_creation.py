"""Arrays from ranges, diagonals, functions, files and host data: compositions of the creation functions in C."""

import math
import operator

from tombac import _core
from tombac._core import arange, array, asanyarray, asarray, empty, linspace, power, where, zeros
from tombac._dtypes import as_dtype, is_inexact
from tombac._numpy import np
from tombac._util import check_arrays, is_number, plain

__all__ = [
    "asarray_chkfinite", "asfarray", "astype", "copy", "diag", "diagflat", "frombuffer", "fromfile", "fromfunction",
    "fromiter", "fromregex", "fromstring", "genfromtxt", "geomspace", "loadtxt", "logspace", "require", "tril", "triu",
    "vander",
]


def copy(a, order="K", subok=True):
    """A copy of ``a``, on the current device.

    Args:
        a: An array of any dtype and shape.
        order: Its memory layout: 'C', 'F', 'A' (F where ``a`` is in Fortran order) or 'K' (as near to ``a``'s as can
            be).
        subok: Whether the copy is of ``a``'s class; if not, it is a plain tombac.ndarray, which is NumPy's default.

    Returns:
        An array of ``a``'s dtype and shape.

    Raises:
        TypeError: ``a`` is no tombac array.

    >>> tombac.copy(tombac.arange(2))
    array([0, 1])
    """
    check_arrays("copy", a)
    return (a if subok else plain(a)).copy(order=order)


def astype(x, dtype, /, *, copy=True, device=None):
    """``x`` converted to ``dtype``, on a device; ``copy=False`` gives ``x`` itself where nothing has to change.

    Args:
        x: An array of any dtype and shape.
        dtype: A dtype, or what NumPy takes for one.
        copy: False gives ``x`` itself where it has that dtype, and is there.
        device: A tombac.cuda.Device or its number; where ``x`` is if None.

    Returns:
        An array of ``x``'s shape.

    Raises:
        TypeError: ``x`` is no tombac array, or ``dtype`` is none that arrays have.

    >>> tombac.astype(tombac.array([1.7, 2.2]), int)
    array([1, 2])
    """
    check_arrays("astype", x)
    return x.astype(dtype, copy=copy) if device is None else asanyarray(x, dtype, copy=copy or None, device=device)


# ---- ranges ----------------------------------------------------------------------------------------------------------


def _spaced(start, stop, num, endpoint, dtype):
    """(num,) + broadcast(start, stop).shape evenly spaced numbers of an inexact dtype, and their step."""
    div = num - 1 if endpoint else num
    start, stop = start.astype(dtype), stop.astype(dtype)
    delta = stop - start
    steps = arange(num, dtype=np.dtype(dtype).type(0).real.dtype).reshape((-1,) + (1,) * delta.ndim)
    if div > 0:
        step = delta / div
        # A step may be too small for the dtype. Where one is, NumPy computes all of them the other way round.
        out = where((step == 0).any(), steps / div * delta, steps * step) + start
    else:
        step, out = delta * math.nan, steps * delta + start
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
    work = _core.result_type(*(getattr(x, "dtype", x) for x in ends), 1.0)
    start, stop = (x if isinstance(x, _core.ndarray) else asarray(x) for x in ends)
    result, step = _spaced(start, stop, num, endpoint, work)
    if dtype is not None and as_dtype(dtype) != work:
        if np.issubdtype(as_dtype(dtype), np.integer):
            result = _core.floor(result)
        result = result.astype(dtype)
    if axis != 0:
        from tombac._manipulation import moveaxis

        result = moveaxis(result, 0, axis)
    return (result, step) if retstep else result


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """``base`` to the power of ``linspace(start, stop, num, endpoint)``.

    Args:
        start, stop: Numbers, or arrays that broadcast together: exponents.
        num: How many; an int, not negative.
        endpoint: Whether ``stop`` is the last exponent.
        base: A number, or an array that broadcasts with the exponents' ends.
        dtype: The result's dtype; by default an inexact one.
        axis: The axis along which the numbers lie where an exponent is an array.

    Returns:
        An array of ``num`` elements, or with an axis of that length.

    Raises:
        ValueError: ``num`` is negative.

    >>> tombac.logspace(0, 2, 3)
    array([  1.,  10., 100.])
    """
    if not is_number(base):
        from tombac._manipulation import expand_dims

        ends = [asarray(x) for x in (start, stop, base)]
        start, stop, base = (array(x, copy=None, ndmin=max([x.ndim for x in ends])) for x in ends)
        base = expand_dims(base, axis)
    y = linspace(start, stop, num=num, endpoint=endpoint, axis=axis)
    result = power(base, y)
    return result if dtype is None else result.astype(dtype, copy=False)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """``num`` numbers from ``start`` to ``stop`` in geometric progression.

    Complex endpoints give a spiral; real ones of different signs have nothing between them but NaN.

    Args:
        start, stop: Numbers, or arrays that broadcast together.
        num: How many; an int, not negative.
        endpoint: Whether ``stop`` is the last number.
        dtype: The result's dtype; by default an inexact one.
        axis: The axis along which the numbers lie where an end is an array.

    Returns:
        An array of ``num`` elements, or with an axis of that length.

    Raises:
        ValueError: An endpoint is zero (arrays are read to know).

    >>> tombac.geomspace(1, 100, 3)
    array([  1.,  10., 100.])
    """
    start, stop = (x if isinstance(x, _core.ndarray) else asarray(x) for x in (start, stop))
    if bool((start == 0).any()) or bool((stop == 0).any()):
        raise ValueError("geomspace: the progression cannot include zero")
    work = _core.result_type(start.dtype, stop.dtype, np.float64 if dtype is None else dtype, 1.0)
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
    zero = m.dtype.type(0) if m.dtype.kind in "biufc" else zeros((), m.dtype)
    return where(mask, m, zero) if lower else where(mask, zero, m)


def tril(m, k=0):
    """``m`` with zeros above the ``k``-th diagonal of its last two axes.

    Args:
        m: An array of any dtype and at least one dimension; a vector stands for as many equal rows.
        k: The diagonal: 0 is the main one, those above it have positive numbers.

    Returns:
        A new array of ``m``'s dtype.

    Raises:
        TypeError: ``m`` has no dimensions, or is no tombac array.

    >>> tombac.tril(tombac.ones((2, 2), int))
    array([[1, 0],
           [1, 1]])
    """
    return _triangle("tril", m, k, True)


def triu(m, k=0):
    """``m`` with zeros below the ``k``-th diagonal of its last two axes.

    Args:
        m: An array of any dtype and at least one dimension; a vector stands for as many equal rows.
        k: The diagonal: 0 is the main one, those above it have positive numbers.

    Returns:
        A new array of ``m``'s dtype.

    Raises:
        TypeError: ``m`` has no dimensions, or is no tombac array.

    >>> tombac.triu(tombac.ones((2, 2), int))
    array([[1, 1],
           [0, 1]])
    """
    return _triangle("triu", m, k, False)


def diag(v, k=0):
    """The ``k``-th diagonal of a matrix (a view), or a matrix with the vector ``v`` as its ``k``-th diagonal.

    Args:
        v: An array of any dtype and one or two dimensions, or what asarray makes one of.
        k: The diagonal: 0 is the main one, those above it have positive numbers.

    Returns:
        An array of ``v``'s dtype: of a matrix a view with one dimension, of a vector a new matrix.

    Raises:
        ValueError: ``v`` is neither 1- nor 2-dimensional.

    >>> tombac.diag(tombac.array([1, 2]))
    array([[1, 0],
           [0, 2]])
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
    """A matrix with the flattened ``v`` as its ``k``-th diagonal.

    Args:
        v: An array of any dtype and shape, or what asarray makes one of.
        k: The diagonal: 0 is the main one, those above it have positive numbers.

    Returns:
        A new array of ``v``'s dtype and two dimensions.

    Raises:
        ValueError: ``v`` is nothing that asarray makes an array of.

    >>> tombac.diagflat([1, 2], 1)
    array([[0, 1, 0],
           [0, 0, 2],
           [0, 0, 0]])
    """
    v = v if isinstance(v, _core.ndarray) else asarray(v)
    return diag(v.ravel(), k)


def vander(x, N=None, increasing=False):
    """The Vandermonde matrix: column i holds ``x`` to the power of N-1-i (i if ``increasing``).

    Args:
        x: An array of numbers with one dimension, or what asarray makes one of.
        N: The number of columns; None for as many as rows.
        increasing: Whether powers grow from left to right.

    Returns:
        An array of shape ``(len(x), N)``, of int64 at least.

    Raises:
        ValueError: ``x`` does not have one dimension.

    >>> tombac.vander(tombac.array([1, 2, 3]))
    array([[1, 1, 1],
           [4, 2, 1],
           [9, 3, 1]])
    """
    x = x if isinstance(x, _core.ndarray) else asarray(x)
    if x.ndim != 1:
        raise ValueError("vander: x must be one-dimensional")
    N = len(x) if N is None else operator.index(N)
    result = empty((len(x), N), _core.result_type(x.dtype, int))
    columns = result if increasing else result[:, ::-1]
    columns[:, :1] = 1
    _core.cumprod(_core.broadcast_to(x[:, None], columns[:, 1:].shape), 1, result.dtype, columns[:, 1:])
    return result


# ---- from functions, host data and files -----------------------------------------------------------------------------


def fromfunction(function, shape, *, dtype=float, **kwargs):
    """``function`` of the coordinates of an array's elements.

    Args:
        function: Called once, with an array for each axis.
        shape: A tuple of ints.
        dtype: The dtype of the coordinates.
        kwargs: Given to the function.

    Returns:
        What the function returns: an array of that shape, if it is elementwise.

    Raises:
        ValueError: A length is negative.

    >>> tombac.fromfunction(lambda i, j: i * 10 + j, (2, 2), dtype=int)
    array([[ 0,  1],
           [10, 11]])
    """
    from tombac._grid import indices

    return function(*indices(shape, dtype=dtype), **kwargs)


def _from_host(function, *args, **kwargs):
    return array(function(*args, **kwargs))


def fromiter(*args, **kwargs):
    """As numpy.fromiter, then copied to the device.

    Args:
        args, kwargs: As of numpy.fromiter: an iterable, the dtype, and ``count``.

    Returns:
        An array of one dimension.

    Raises:
        ValueError: The dtype is none that arrays have.

    >>> tombac.fromiter((i * i for i in range(4)), int)
    array([0, 1, 4, 9])
    """
    return _from_host(np.fromiter, *args, **kwargs)


def frombuffer(*args, **kwargs):
    r"""As numpy.frombuffer, then copied to the device.

    Args:
        args, kwargs: As of numpy.frombuffer: an object with a buffer, the dtype, ``count`` and ``offset``.

    Returns:
        An array of one dimension, which is a copy.

    Raises:
        ValueError: The buffer is shorter than asked for, or no multiple of the dtype's size.

    >>> tombac.frombuffer(b'\x01\x02', 'uint8')
    array([1, 2], dtype=uint8)
    """
    return _from_host(np.frombuffer, *args, **kwargs)


def fromfile(*args, **kwargs):
    """As numpy.fromfile, then copied to the device.

    Args:
        args, kwargs: As of numpy.fromfile: a file or its name, the dtype, ``count``, ``sep`` and ``offset``.

    Returns:
        An array of one dimension.

    Raises:
        OSError: The file cannot be read.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     name = os.path.join(folder, 'numbers')
    ...     tombac.arange(3, dtype='f').tofile(name)
    ...     read = tombac.fromfile(name, 'f')
    >>> read
    array([0., 1., 2.], dtype=float32)
    """
    return _from_host(np.fromfile, *args, **kwargs)


def fromstring(*args, **kwargs):
    """As numpy.fromstring, then copied to the device.

    Args:
        args, kwargs: As of numpy.fromstring: the text, the dtype, ``count`` and ``sep``.

    Returns:
        An array of one dimension.

    Raises:
        ValueError: The text is not made of numbers; without ``sep`` always.

    >>> tombac.fromstring('1 2 3', int, sep=' ')
    array([1, 2, 3])
    """
    return _from_host(np.fromstring, *args, **kwargs)


def loadtxt(*args, **kwargs):
    """As numpy.loadtxt, then copied to the device.

    Args:
        args, kwargs: As of numpy.loadtxt: a file, its name or lines of text, and options.

    Returns:
        An array.

    Raises:
        ValueError: A line does not hold numbers, or not as many as the others.

    >>> tombac.loadtxt(['1 2', '3 4'])
    array([[1., 2.],
           [3., 4.]])
    """
    return _from_host(np.loadtxt, *args, **kwargs)


def genfromtxt(*args, **kwargs):
    """As numpy.genfromtxt, then copied to the device.

    Args:
        args, kwargs: As of numpy.genfromtxt: a file, its name or lines of text, and options.

    Returns:
        An array.

    Raises:
        ValueError: Lines do not hold equally many fields.

    >>> tombac.genfromtxt(['1 2', '3 x'])
    array([[ 1.,  2.],
           [ 3., nan]])
    """
    return _from_host(np.genfromtxt, *args, **kwargs)


def fromregex(*args, **kwargs):
    """As numpy.fromregex, then copied to the device.

    Args:
        args, kwargs: As of numpy.fromregex: a file or its name, a regular expression with groups, a structured
            dtype.

    Returns:
        An array of one dimension.

    Raises:
        TypeError: The dtype has no fields.
        ValueError: It has fields of text.

    >>> import io
    >>> tombac.fromregex(io.StringIO('x1 y2 x3 y4'), 'x([0-9]) y([0-9])', [('x', 'i4'), ('y', 'i4')])['y']
    array([2, 4], dtype=int32)
    """
    return _from_host(np.fromregex, *args, **kwargs)


def asfarray(a, dtype=float):
    """``a`` as an array of an inexact dtype: ``dtype``, or float64 if that is not inexact.

    Args:
        a: An array of any dtype and shape, or what asarray makes one of.
        dtype: A dtype.

    Returns:
        An array of ``a``'s shape; ``a`` itself where it has that dtype.

    Raises:
        ValueError: ``a`` is nothing that asarray makes an array of.

    >>> tombac.asfarray([1, 2])
    array([1., 2.])
    """
    return asarray(a, dtype if is_inexact(dtype) else np.float64)


def asarray_chkfinite(a, dtype=None, order=None):
    """As asarray, but an error where an element is infinite or NaN, for which the device is waited for.

    Args:
        a: An array of any dtype and shape, or what asarray makes one of.
        dtype: The result's dtype; None for ``a``'s.
        order: The result's layout: 'C', 'F', 'A' or 'K'.

    Returns:
        An array of ``a``'s shape; ``a`` itself where nothing has to change.

    Raises:
        ValueError: An element is infinite or NaN.

    >>> tombac.asarray_chkfinite([1.0, 2.0])
    array([1., 2.])
    """
    a = asarray(a, dtype=dtype, order=order)
    if a._kind in "fc" and not bool(_core.isfinite(a).all()):
        raise ValueError("asarray_chkfinite: array must not contain infs or NaNs")
    return a


_REQUIREMENTS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F",
    "O": "O", "OWNDATA": "O",
}


def require(a, dtype=None, requirements=None):
    """``a`` as an array with the given dtype and layout: requirements are 'C', 'F' and 'O' (owns its memory).

    Args:
        a: An array of any dtype and shape, or what asarray makes one of.
        dtype: The result's dtype; None for ``a``'s.
        requirements: A string or a sequence of strings: 'C', 'F', 'O', or their longer names such as 'C_CONTIGUOUS'.

    Returns:
        An array of ``a``'s shape; ``a`` itself where nothing has to change.

    Raises:
        ValueError: A requirement is none of these, or both layouts are asked for.

    >>> tombac.require([[1, 2], [3, 4]], requirements='F').flags.f_contiguous
    True
    """
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
