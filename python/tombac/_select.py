"""put, choose, select and the other functions over indexing by arrays, and the indices of matrices."""

import operator

from tombac import _core
from tombac._arranging import resize
from tombac._core import arange, broadcast_to, compress, nonzero, put, put_along_axis, take, take_along_axis, where
from tombac._dtypes import can_cast
from tombac._numpy import np
from tombac._util import as_device, check_arrays, check_method, deliver, host_int, is_host_array, other_name

__all__ = [
    "choose", "compress", "diag_indices", "diag_indices_from", "diagonal", "extract", "mask_indices", "place", "put",
    "put_along_axis", "putmask", "select", "take_along_axis", "tril_indices", "tril_indices_from", "triu_indices",
    "triu_indices_from",
]


def choose(a, choices, out=None, mode="raise"):
    """Elements of ``choices[a]``: position by position the choice that ``a`` names. ``mode`` 'raise' waits to check.

    Args:
        a: An array of integers of any shape, or an integer.
        choices: A sequence of arrays that broadcast together with ``a``, or an array, whose rows are taken.
        out: An array of the result's shape to write to.
        mode: What becomes of numbers beyond the choices: 'raise', 'wrap' or 'clip'.

    Returns:
        An array of what the choices' dtypes promote to.

    Raises:
        TypeError: ``a`` is not of integers.
        ValueError: With 'raise', a number is beyond the choices.

    >>> tombac.choose(tombac.array([1, 0]), [tombac.array([1, 2]), tombac.array([10, 20])])
    array([10,  2])
    """
    if is_host_array(a):
        return a.choose(choices, out=out, mode=mode)
    a = as_device("choose", a)
    if a._kind not in "biu":
        raise TypeError(f"choose: a must be an array of integers, not of {a.dtype}")
    if a.dtype == "uint64":
        raise TypeError("choose: uint64 cannot be cast to int64 safely")
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"choose: mode must be 'raise', 'wrap' or 'clip', not {mode!r}")
    choices = list(choices)
    if mode == "wrap":
        a = a % len(choices)
    elif mode == "clip":
        a = _core.clip(a, 0, len(choices) - 1)
    elif bool(((a < 0) | (a >= len(choices))).any()):
        raise ValueError("choose: invalid entry in choice array")
    weak = [c if type(c) in (int, float, complex) else as_device("choose", c) for c in choices]
    dtype = _core.result_type(*(c.dtype if isinstance(c, _core.ndarray) else c for c in weak))
    choices = [as_device("choose", c).astype(dtype, copy=False) for c in choices]
    result = choices[-1]
    for i in range(len(choices) - 2, -1, -1):
        result = where(a == i, choices[i], result)
    result = broadcast_to(result, np.broadcast_shapes(result.shape, a.shape))
    return deliver("choose", result if out is not None or len(choices) > 1 else result.copy(), out)


def select(condlist, choicelist, default=0):
    """The elements of the first choice whose condition holds, ``default`` where none does.

    Args:
        condlist: A list of bool arrays.
        choicelist: A list of arrays or numbers, as many; all broadcast together.
        default: A number or an array.

    Returns:
        An array of what the choices and the default promote to; numbers of Python's take the arrays' dtype where it has
        their kind.

    Raises:
        ValueError: The lists are empty or differ in length.
        TypeError: A condition is not a bool array.

    >>> x = tombac.arange(5)
    >>> tombac.select([x < 2, x > 3], [x, x * 10], -1)
    array([ 0,  1, -1, -1, 40])
    """
    if len(condlist) != len(choicelist) or not condlist:
        raise ValueError("select: the lists of conditions and choices must have the same length, at least one")
    check_arrays("select", *condlist)
    if any(c.dtype != bool for c in condlist):
        raise TypeError("select: the conditions must be bool arrays")
    result = default
    t = _core.result_type(*(getattr(c, "dtype", c) for c in (*choicelist, default)))
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        result = where(condition, choice, result)
    return result.astype(t, copy=False)


def extract(condition, a=None, *, arr=None):
    """The elements of the flattened ``a`` where the flattened ``condition`` is true.

    Args:
        condition: An array or a sequence, as a mask.
        a: An array of any dtype and shape.
        arr: NumPy's name of ``a``.

    Returns:
        A new array of ``a``'s dtype and one dimension. The host waits for its length.

    Raises:
        TypeError: ``a`` is no tombac array.

    >>> x = tombac.arange(5)
    >>> tombac.extract(x % 2 == 0, x)
    array([0, 2, 4])
    """
    if arr is not None:
        a = other_name("extract", a, arr)
    condition = condition if isinstance(condition, _core.ndarray) else _core.asarray(condition)
    return compress(condition.ravel().astype(bool, copy=False), as_device("extract", a).ravel())


def _as_values(name, values, dtype):
    """``values`` as an array of dtype: numbers and lists by any cast that assigns them, arrays by a safe one alone."""
    if isinstance(values, _core.ndarray) and values.dtype is dtype:
        return values
    if isinstance(values, (_core.ndarray, np.ndarray)) and not can_cast(values.dtype, dtype, "safe"):
        raise TypeError(f"{name}: values cannot be cast from {values.dtype} to {dtype} according to the rule 'safe'")
    return _core.asarray(values, dtype)


def putmask(a, mask, values):
    """Where ``mask`` holds, a.flat[n] = values.flat[n % values.size], in place.

    Args:
        a: An array of any dtype and shape, to write to.
        mask: An array of as many elements, in its order.
        values: An array, a sequence or a number; cast safely to ``a``'s dtype.

    Returns:
        None.

    Raises:
        ValueError: ``mask`` has another number of elements.
        TypeError: ``a`` is no tombac array, or ``values`` are of a dtype that cannot be cast safely to ``a``'s.

    >>> x = tombac.arange(4)
    >>> tombac.putmask(x, x > 1, -1)
    >>> x
    array([ 0,  1, -1, -1])
    """
    if _core._put_alike(a, mask, values):
        return
    check_arrays("putmask", a)
    alike = _core._alike(a, mask)
    if not alike:
        mask = as_device("putmask", mask)
        if mask.size != a.size:
            raise ValueError(f"putmask: a mask of {mask.size} elements for an array of {a.size}")
    if not (isinstance(values, _core.ndarray) and values.dtype is a.dtype):
        values = _as_values("putmask", values, a.dtype)
    if not alike or mask._kind != "b":
        mask = mask.astype(bool).reshape(a.shape)
    if not _core._alike(a, values):
        if values.size == 0:
            return
        values = values.reshape(()) if values.size == 1 else resize(values, a.shape)
    _core._assign_where(a, mask, values)


def place(arr, mask, vals):
    """Writes the elements of ``vals``, one after the other and repeated as needed, where ``mask`` is true, in place.

    Args:
        arr: An array of any dtype and shape, to write to.
        mask: An array of ``arr``'s shape.
        vals: An array, a sequence or a number.

    Returns:
        None.

    Raises:
        ValueError: ``vals`` is empty and the mask is not, or there are not as many elements in it as in ``arr``.
        TypeError: ``arr`` or ``mask`` is no tombac array, or ``vals`` are of a dtype that cannot be cast safely.

    >>> x = tombac.arange(4)
    >>> tombac.place(x, x > 1, [7, 8])
    >>> x
    array([0, 1, 7, 8])
    """
    check_arrays("place", arr, mask)
    if mask.size != arr.size:
        raise ValueError(f"place: a mask of {mask.size} elements for an array of {arr.size}")
    _core._place(arr, mask, _as_values("place", vals, arr.dtype))


# ---- indices of matrices ---------------------------------------------------------------------------------------------


def diag_indices(n, ndim=2):
    """The indices of the main diagonal of an array with ``ndim`` axes of length ``n``.

    Args:
        n: The length of the axes.
        ndim: Their number.

    Returns:
        A tuple of arrays of int64: one, ``ndim`` times.

    Raises:
        TypeError: ``n`` is no number.

    >>> tombac.diag_indices(2)
    (array([0, 1]), array([0, 1]))
    """
    return (arange(n),) * operator.index(ndim)


def diag_indices_from(arr):
    """diag_indices for the shape of ``arr``, whose axes must be equally long.

    Args:
        arr: An array of any dtype and at least two dimensions of the same length.

    Returns:
        A tuple of arrays of int64.

    Raises:
        ValueError: The dimensions are not as they must be.
        TypeError: ``arr`` is no tombac array.

    >>> tombac.diag_indices_from(tombac.ones((2, 2)))
    (array([0, 1]), array([0, 1]))
    """
    check_arrays("diag_indices_from", arr)
    if arr.ndim < 2 or len(set(arr.shape)) != 1:
        raise ValueError("diag_indices_from: at least two dimensions, all of equal length, are needed")
    return diag_indices(arr.shape[0], arr.ndim)


def _check_matrix(name, arr):
    if arr.ndim != 2:
        raise ValueError(f"{name}: the array must have 2 dimensions, it has {arr.ndim}")


def tril_indices(n, k=0, m=None):
    """The indices of the lower triangle of an (n, m) matrix.

    Args:
        n: The number of rows.
        k: The diagonal up to which elements belong to the triangle.
        m: The number of columns; None for as many as rows.

    Returns:
        A tuple of two arrays of int64.

    Raises:
        ValueError: ``n`` or ``m`` is negative.

    >>> tombac.tril_indices(2)
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    return nonzero(_core.tri(n, m, k, bool))


def triu_indices(n, k=0, m=None):
    """The indices of the upper triangle of an (n, m) matrix.

    Args:
        n: The number of rows.
        k: The diagonal from which on elements belong to the triangle.
        m: The number of columns; None for as many as rows.

    Returns:
        A tuple of two arrays of int64.

    Raises:
        ValueError: ``n`` or ``m`` is negative.

    >>> tombac.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return nonzero(~_core.tri(n, m, k - 1, bool))


def tril_indices_from(arr, k=0):
    """tril_indices for the shape of the matrix ``arr``.

    Args:
        arr: An array of any dtype and two dimensions.
        k: The diagonal up to which elements belong to the triangle.

    Returns:
        A tuple of two arrays of int64.

    Raises:
        ValueError: ``arr`` does not have two dimensions.
        TypeError: ``arr`` is no tombac array.

    >>> tombac.tril_indices_from(tombac.ones((2, 2)))
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    _check_matrix("tril_indices_from", arr)
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr, k=0):
    """triu_indices for the shape of the matrix ``arr``.

    Args:
        arr: An array of any dtype and two dimensions.
        k: The diagonal from which on elements belong to the triangle.

    Returns:
        A tuple of two arrays of int64.

    Raises:
        ValueError: ``arr`` does not have two dimensions.
        TypeError: ``arr`` is no tombac array.

    >>> tombac.triu_indices_from(tombac.ones((2, 2)))
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    _check_matrix("triu_indices_from", arr)
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def mask_indices(n, mask_func, k=0):
    """The indices of the elements of an (n, n) matrix that a function such as triu leaves: ``mask_func(ones, k)``.

    Args:
        n: The number of rows and of columns.
        mask_func: A function of a matrix and ``k`` that gives a matrix.
        k: Its second argument.

    Returns:
        A tuple of two arrays of int64. The host waits for their length.

    Raises:
        ValueError: ``n`` is negative.

    >>> import tombac as tb
    >>> tb.mask_indices(2, tb.triu)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return nonzero(mask_func(_core.ones((n, n), int), k) != 0)


def diagonal(a, offset=0, axis1=0, axis2=1):
    """A diagonal of the plane of two axes, as the last axis of the result; a view.

    Args:
        a: An array of any dtype and at least two dimensions; one of NumPy's is treated by its own method.
        offset: The diagonal: 0 is the main one, those above it have positive numbers.
        axis1, axis2: The axes of the plane.

    Returns:
        A view of ``a``, which can be written to, other than NumPy's.

    Raises:
        ValueError: ``a`` has fewer dimensions, or the axes are the same.
        AxisError: There is no such axis.

    >>> tombac.diagonal(tombac.array([[1, 2], [3, 4]]))
    array([1, 4])
    """
    check_method("diagonal", a)
    return a.diagonal(offset, axis1, axis2)
