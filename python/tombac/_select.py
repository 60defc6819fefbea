"""put, choose, select and the other functions over indexing by arrays, and the indices of matrices."""

from tombac import _core
from tombac._core import arange, broadcast_to, nonzero, put, take, where
from tombac._manipulation import resize
from tombac._numpy import np
from tombac._util import as_device, check_arrays, check_method, deliver, host_int, is_host_array, normalize_axis_index

__all__ = [
    "choose", "compress", "diag_indices", "diag_indices_from", "diagonal", "extract", "mask_indices", "place", "put",
    "put_along_axis", "putmask", "select", "take_along_axis", "tril_indices", "tril_indices_from", "triu_indices",
    "triu_indices_from",
]


def _along(name, a, indices, axis):
    check_arrays(name, a, indices)
    if indices._kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    axis = normalize_axis_index(axis, a.ndim)
    if a.ndim != indices.ndim:
        raise ValueError(f"{name}: the array has {a.ndim} dimensions, the indices have {indices.ndim}")
    return axis


def _along_key(a, indices, axis):
    """The key that goes along every axis of the broadcast shape but ``axis``, where it follows ``indices``."""
    shape = np.broadcast_shapes(indices.shape[:axis] + (1,) + indices.shape[axis + 1 :],
                                a.shape[:axis] + (1,) + a.shape[axis + 1 :])
    key = []
    for d, n in enumerate(shape):
        if d != axis:
            key.append(arange(n if a.shape[d] > 1 else 1).reshape((-1,) + (1,) * (a.ndim - 1 - d)))
    key.insert(axis, indices)
    return tuple(key)


def take_along_axis(a, indices, axis):
    """result[..., j, ...] = a[..., indices[..., j, ...], ...]; the other axes are broadcast."""
    if axis is None:
        check_arrays("take_along_axis", a)
        return take_along_axis(a.ravel(), indices, 0)
    axis = _along("take_along_axis", a, indices, axis)
    return a[_along_key(a, indices, axis)]


def put_along_axis(arr, indices, values, axis):
    """arr[..., indices[..., j, ...], ...] = values[..., j, ...], in place."""
    if axis is None:
        arr[...] = _put_flat(arr, indices, values)
        return
    axis = _along("put_along_axis", arr, indices, axis)
    values = values if isinstance(values, _core.ndarray) else _core.asarray(values)
    arr[_along_key(arr, indices, axis)] = broadcast_to(values, indices.shape)


def _put_flat(arr, indices, values):
    flat = arr.ravel().copy()
    put_along_axis(flat, indices.ravel(), values, 0)
    return flat.reshape(arr.shape)


def choose(a, choices, out=None, mode="raise"):
    """Elements of ``choices[a]``: position by position the choice that ``a`` names. ``mode`` 'raise' waits to check."""
    if is_host_array(a):
        return a.choose(choices, out=out, mode=mode)
    a = as_device("choose", a)
    choices = list(choices)
    if mode == "wrap":
        a = a % len(choices)
    elif mode == "clip":
        a = _core.clip(a, 0, len(choices) - 1)
    elif bool(((a < 0) | (a >= len(choices))).any()):
        raise ValueError("choose: invalid entry in choice array")
    result = as_device("choose", choices[-1])
    for i in range(len(choices) - 2, -1, -1):
        result = where(a == i, choices[i], result)
    result = broadcast_to(result, np.broadcast_shapes(result.shape, a.shape))
    return deliver("choose", result if out is not None or len(choices) > 1 else result.copy(), out)


def select(condlist, choicelist, default=0):
    """The elements of the first choice whose condition holds, ``default`` where none does.

    Raises:
        ValueError: The lists are empty or differ in length.
        TypeError: A condition is not a bool array.
    """
    if len(condlist) != len(choicelist) or not condlist:
        raise ValueError("select: the lists of conditions and choices must have the same length, at least one")
    check_arrays("select", *condlist)
    if any(c.dtype != bool for c in condlist):
        raise TypeError("select: the conditions must be bool arrays")
    result = default
    types = [getattr(c, "dtype", None) or type(c) for c in choicelist]
    t = np.result_type(*types, default if not isinstance(default, _core.ndarray) else default.dtype)
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        result = where(condition, choice, result)
    return result.astype(t, copy=False)


def compress(condition, a, axis=None, out=None):
    """The parts of ``a`` along ``axis`` (of the flattened array by default) where the vector ``condition`` is true."""
    if is_host_array(a):
        return a.compress(condition, axis, out)
    a = as_device("compress", a)
    condition = condition if isinstance(condition, _core.ndarray) else np.asarray(condition)
    if condition.ndim != 1:
        raise ValueError("compress: the condition must be one-dimensional")
    if axis is None:
        a, axis = a.ravel(), 0
    elif a.ndim == 0:
        a = a.reshape(1)
    axis = normalize_axis_index(axis, a.ndim)
    n = a.shape[axis]
    if isinstance(condition, _core.ndarray) and out is None and condition.size == n:
        return a[(slice(None),) * axis + (condition.astype(bool, copy=False),)]
    index = nonzero(condition)[0] if isinstance(condition, _core.ndarray) else np.nonzero(condition)[0]
    if isinstance(index, np.ndarray) and index.size and index[-1] >= n:
        raise IndexError(f"compress: index {index[-1]} is out of bounds for an axis of length {n}")
    return take(a, index, axis, out)


def extract(condition, a):
    """The elements of the flattened ``a`` where the flattened ``condition`` is true."""
    condition = condition if isinstance(condition, _core.ndarray) else _core.asarray(condition)
    return compress(condition.ravel().astype(bool, copy=False), as_device("extract", a).ravel())


def _as_values(name, values, dtype):
    """``values`` as an array of dtype: numbers and lists by any cast that assigns them, arrays by a safe one alone."""
    if isinstance(values, (_core.ndarray, np.ndarray)) and not np.can_cast(values.dtype, dtype, "safe"):
        raise TypeError(f"{name}: values cannot be cast from {values.dtype} to {dtype} according to the rule 'safe'")
    return _core.asarray(values, dtype)


def putmask(a, mask, values):
    """Where ``mask`` holds, a.flat[n] = values.flat[n % values.size], in place.

    Raises:
        TypeError: The dtype of ``values`` cannot be cast safely to that of ``a``.

    >>> a = tombac.arange(5)
    >>> tombac.putmask(a, a > 2, -a)
    >>> a
    array([ 0,  1,  2, -3, -4])
    """
    check_arrays("putmask", a)
    values = _as_values("putmask", values, a.dtype)
    if values.shape != a.shape and values.ndim and values.size != 1:
        values = resize(values, a.shape)
    a[...] = where(as_device("putmask", mask), values, a)


def place(arr, mask, vals):
    """Writes the elements of ``vals``, one after the other and repeated as needed, where ``mask`` is true, in place.

    Raises:
        TypeError: The dtype of ``vals`` cannot be cast safely to that of ``arr``.
        ValueError: ``vals`` is empty, and ``mask`` is true somewhere.

    >>> a = tombac.zeros(5, int)
    >>> tombac.place(a, tombac.arange(5) > 1, [7, 8])
    >>> a
    array([0, 0, 7, 8, 7])
    """
    check_arrays("place", arr, mask)
    vals = _as_values("place", vals, arr.dtype)
    mask = mask if mask._kind == "b" else mask != 0
    if vals.size == 0:
        if bool(mask.any()):
            raise ValueError("place: vals must not be empty where the mask holds")
        return
    if vals.size == 1:
        arr[mask] = vals.reshape(())
    else:
        arr[mask] = resize(vals, (host_int(mask.sum()),))


# ---- indices of matrices ---------------------------------------------------------------------------------------------


def diag_indices(n, ndim=2):
    """The indices of the main diagonal of an array with ``ndim`` axes of length ``n``."""
    return (arange(n),) * ndim


def diag_indices_from(arr):
    """diag_indices for the shape of ``arr``, whose axes must be equally long."""
    check_arrays("diag_indices_from", arr)
    if arr.ndim < 2 or len(set(arr.shape)) != 1:
        raise ValueError("diag_indices_from: at least two dimensions, all of equal length, are needed")
    return diag_indices(arr.shape[0], arr.ndim)


def _check_matrix(name, arr):
    if arr.ndim != 2:
        raise ValueError(f"{name}: the array must have 2 dimensions, it has {arr.ndim}")


def tril_indices(n, k=0, m=None):
    """The indices of the lower triangle of an (n, m) matrix."""
    return nonzero(_core.tri(n, m, k, bool))


def triu_indices(n, k=0, m=None):
    """The indices of the upper triangle of an (n, m) matrix."""
    return nonzero(~_core.tri(n, m, k - 1, bool))


def tril_indices_from(arr, k=0):
    """tril_indices for the shape of the matrix ``arr``."""
    _check_matrix("tril_indices_from", arr)
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr, k=0):
    """triu_indices for the shape of the matrix ``arr``."""
    _check_matrix("triu_indices_from", arr)
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def mask_indices(n, mask_func, k=0):
    """The indices of the elements of an (n, n) matrix that a function such as triu leaves: ``mask_func(ones, k)``.

    >>> import tombac as tb
    >>> tb.mask_indices(2, tb.triu)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return nonzero(mask_func(_core.ones((n, n), int), k) != 0)


def diagonal(a, offset=0, axis1=0, axis2=1):
    """A diagonal of the plane of two axes, as the last axis of the result; a view."""
    check_method("diagonal", a)
    return a.diagonal(offset, axis1, axis2)
