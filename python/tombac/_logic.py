"""Comparisons of arrays, and questions about objects and dtypes."""

from tombac import _core
from tombac._numpy import np
from tombac._util import as_device

__all__ = [
    "allclose", "array_equal", "array_equiv", "in1d", "iscomplex", "iscomplexobj", "isclose", "isfortran", "isin",
    "isneginf", "isposinf", "isreal", "isrealobj", "isscalar",
]

_SCALARS = frozenset((bool, int, float, complex, str, bytes))  # NumPy knows others


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Element by element: abs(a - b) <= atol + rtol * abs(b), equal infinities included.

    Args:
        a, b: Arrays of any dtype of numbers that broadcast together, or numbers.
        rtol, atol: Numbers or arrays.
        equal_nan: Whether NaN is close to NaN.

    Returns:
        A bool array of the common shape.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.
        ValueError: The shapes do not broadcast.

    >>> tombac.isclose(tombac.array([1.0, 2.0]), tombac.array([1.0 + 1e-9, 2.1]))
    array([ True, False])
    """
    a, b = as_device("isclose", a), as_device("isclose", b)
    if b._kind in "iub":
        b = b.astype(np.float64)
    near = _core.absolute(a - b) <= atol + rtol * _core.absolute(b)
    result = (near & _core.isfinite(b) & _core.isfinite(_inexact(a))) | (a == b)
    if equal_nan:
        result = result | (_core.isnan(_inexact(a)) & _core.isnan(b))
    return result


def _inexact(a):
    return a if a._kind in "fc" else a.astype(np.float64)


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are close, as a 0-dimensional bool array (see isclose).

    Args:
        a, b: Arrays of any dtype of numbers that broadcast together, or numbers.
        rtol, atol: Numbers or arrays.
        equal_nan: Whether NaN is close to NaN.

    Returns:
        A bool array without dimensions; NumPy gives a Python bool, for which the device would be waited for.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.
        ValueError: The shapes do not broadcast.

    >>> bool(tombac.allclose(tombac.array([1.0, 2.0]), tombac.array([1.0 + 1e-9, 2.0])))
    True
    """
    return isclose(a, b, rtol, atol, equal_nan).all()


def array_equal(a1, a2, equal_nan=False):
    """Whether shapes and elements are equal, as a 0-dimensional bool array.

    Args:
        a1, a2: Arrays of any dtype and shape, or numbers.
        equal_nan: Whether NaN equals NaN.

    Returns:
        A bool array without dimensions; NumPy gives a Python bool, for which the device would be waited for.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> bool(tombac.array_equal(tombac.arange(3), tombac.arange(3)))
    True
    """
    a1, a2 = as_device("array_equal", a1), as_device("array_equal", a2)
    if a1.shape != a2.shape:
        return _core.array(False)
    if a1 is a2 and (equal_nan or a1._kind not in "fc"):
        return _core.array(True)
    result = a1 == a2
    if equal_nan and a1._kind in "fc" and a2._kind in "fc":
        result = result | (_core.isnan(a1) & _core.isnan(a2))
    return result.all()


def array_equiv(a1, a2):
    """Whether the arrays broadcast together and are equal then, as a 0-dimensional bool array.

    Args:
        a1, a2: Arrays of any dtype and shape, or numbers.

    Returns:
        A bool array without dimensions; NumPy gives a Python bool, for which the device would be waited for.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> bool(tombac.array_equiv(tombac.ones((2, 3)), tombac.ones(3)))
    True
    """
    a1, a2 = as_device("array_equiv", a1), as_device("array_equiv", a2)
    if a1.shape != a2.shape:
        try:
            np.broadcast_shapes(a1.shape, a2.shape)
        except ValueError:
            return _core.array(False)
    return (a1 == a2).all()


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """Which elements occur in ``test_elements``.

    Few are compared with one another. Of many, integers are looked up in a table if their range is at most six times
    their number, for which the host waits (``kind`` 'table': always; 'sort': never). All others are looked for in
    ``test_elements`` in order. ``assume_unique`` is accepted and not needed.

    Args:
        element: An array of any dtype and shape, or a number.
        test_elements: An array of any dtype and shape, or a number.
        assume_unique: Accepted and not needed.
        invert: Whether to tell those that do not occur.
        kind: None, 'table' or 'sort'.

    Returns:
        A bool array of the shape of ``element``.

    Raises:
        ValueError: ``kind`` is none of these, or a table is asked for and an array is of inexact numbers.
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.isin(tombac.arange(4), tombac.array([1, 3]))
    array([False,  True, False,  True])
    """
    element = as_device("isin", element)
    test = as_device("isin", test_elements).ravel()
    if kind not in (None, "sort", "table"):
        raise ValueError(f"isin: kind must be None, 'sort' or 'table', not {kind!r}")
    dtype = _core.result_type(element.dtype, test.dtype)
    if kind == "table" and dtype.kind not in "biu":
        raise ValueError(f"isin: a table is for integers and truth values, not {dtype}")
    many = element.size * test.size > (1 << 14 if _core.backend() == "cpu" else 1 << 24)
    found = None
    if kind == "table" or (kind is None and many and dtype.kind in "iu"):
        found = _looked_up(element, test, np.uint64 if dtype == np.uint64 else np.int64, kind == "table")
    if found is None and (many or kind == "sort") and test.size:
        found = _searched(element, test)
    if found is None:
        found = (element.reshape(element.shape + (1,)) == test).any(-1)
    return ~found if invert else found


def _looked_up(element, test, dtype, always):
    """isin by a table of truth values; None where it would be large."""
    if test.size == 0:
        return _core.zeros(element.shape, bool)
    low, high = _core._extremes(test).get().tolist()
    if high - low >= 6 * (element.size + test.size) and not always:
        return None
    table = _core.zeros(high - low + 1, bool)
    table[(test.astype(dtype) - low).astype(np.int64)] = True
    element = element.astype(dtype)
    inside = (element >= low) & (element <= high)
    return inside & table[_core.where(inside, element - low, 0).astype(np.int64)]


def _searched(element, test):
    """isin by the places that the elements would have among those of ``test`` in order."""
    test = _core._sort(test, 0)
    place = _core._searchsorted(test, element, False)
    return test[_core.minimum(place, test.size - 1)] == element


def in1d(ar1, ar2, assume_unique=False, invert=False):
    """isin of the flattened ``ar1``.

    Args:
        ar1: An array of any dtype and shape, or a number.
        ar2: An array of any dtype and shape, or a number.
        assume_unique: Accepted and not needed.
        invert: Whether to tell those that do not occur.

    Returns:
        A bool array of one dimension.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.in1d(tombac.arange(4), tombac.array([1, 3]))
    array([False,  True, False,  True])
    """
    return isin(as_device("in1d", ar1).ravel(), ar2, assume_unique, invert)


def _is_infinity(name, x, infinity, out):
    x = as_device(name, x)
    if x.dtype.kind == "c":
        raise TypeError(f"{name}: not supported for {x.dtype} values, because it would be ambiguous")
    return _core.equal(x, infinity, out)


def isposinf(x, out=None):
    """Where ``x`` is positive infinity.

    Args:
        x: An array of any dtype of real numbers and any shape, or a number.
        out: An array of ``x``'s shape to write to.

    Returns:
        A bool array of ``x``'s shape.

    Raises:
        TypeError: ``x`` is complex, or neither a tombac array nor a number.

    >>> tombac.isposinf(tombac.array([1.0, tombac.inf, -tombac.inf]))
    array([False,  True, False])
    """
    return _is_infinity("isposinf", x, np.inf, out)


def isneginf(x, out=None):
    """Where ``x`` is negative infinity.

    Args:
        x: An array of any dtype of real numbers and any shape, or a number.
        out: An array of ``x``'s shape to write to.

    Returns:
        A bool array of ``x``'s shape.

    Raises:
        TypeError: ``x`` is complex, or neither a tombac array nor a number.

    >>> tombac.isneginf(tombac.array([1.0, tombac.inf, -tombac.inf]))
    array([False, False,  True])
    """
    return _is_infinity("isneginf", x, -np.inf, out)


def iscomplex(x):
    """Where the imaginary part is not zero.

    Args:
        x: An array of any dtype and shape, or what asarray makes one of.

    Returns:
        A bool array of ``x``'s shape.

    Raises:
        ValueError: ``x`` is of a dtype that arrays cannot have.

    >>> tombac.iscomplex([1 + 1j, 2])
    array([ True, False])
    """
    x = _core.asarray(x)
    return x.imag != 0 if x.dtype.kind == "c" else _core.zeros(x.shape, bool)


def isreal(x):
    """Where the imaginary part is zero.

    Args:
        x: An array of any dtype and shape, or what asarray makes one of.

    Returns:
        A bool array of ``x``'s shape.

    Raises:
        ValueError: ``x`` is of a dtype that arrays cannot have.

    >>> tombac.isreal([1 + 1j, 2])
    array([False,  True])
    """
    x = _core.asarray(x)
    return x.imag == 0 if x.dtype.kind == "c" else _core.ones(x.shape, bool)


def iscomplexobj(x):
    """Whether the dtype is complex.

    Args:
        x: An array, or an object of any kind.

    Returns:
        A bool.

    >>> tombac.iscomplexobj(tombac.array([1 + 0j]))
    True
    """
    return x.dtype.kind == "c" if hasattr(x, "dtype") else np.iscomplexobj(x)


def isrealobj(x):
    """Whether the dtype is not complex.

    Args:
        x: An array, or an object of any kind.

    Returns:
        A bool.

    >>> tombac.isrealobj(tombac.array([1 + 0j]))
    False
    """
    return not iscomplexobj(x)


def isfortran(a):
    """Whether the array is in Fortran order and not in C order.

    Args:
        a: An array of any dtype and shape.

    Returns:
        A bool.

    Raises:
        AttributeError: ``a`` is no array.

    >>> tombac.isfortran(tombac.ones((2, 3), order='F'))
    True
    """
    return a.flags.f_contiguous and not a.flags.c_contiguous


def isscalar(element):
    """Whether ``element`` is a number or a string rather than an array.

    Args:
        element: An object of any kind.

    Returns:
        A bool.

    >>> tombac.isscalar(3), tombac.isscalar(tombac.array(3))
    (True, False)
    """
    return type(element) in _SCALARS or np.isscalar(element)
