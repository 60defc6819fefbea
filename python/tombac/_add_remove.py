"""delete, insert and trim_zeros: arrays with parts left out or put in."""

from tombac import _core
from tombac._numpy import np
from tombac._util import as_device, check_arrays, normalize_axis_index, normalize_axis_tuple, other_name

__all__ = ["delete", "insert", "trim_zeros"]


def _new(a, axis, n):
    """An array like ``a``, with n elements along the axis."""
    order = "F" if a.ndim > 1 and a.flags.f_contiguous and not a.flags.c_contiguous else "C"
    return _core.empty(a.shape[:axis] + (n,) + a.shape[axis + 1 :], a.dtype, order)


def _line(a, axis):
    """``a`` and the axis to work along: flattened if axis is None."""
    if axis is None:
        a = a if a.ndim == 1 else a.ravel()
        return a, 0
    return a, normalize_axis_index(axis, a.ndim)


def _host_indices(name, obj, n):
    """Indices that are no device array, as NumPy's array of integers; bools have been looked up."""
    index = np.asarray(_core._on_host(obj))
    if index.size == 0 and not isinstance(obj, np.ndarray):
        index = index.astype(np.intp)
    if index.dtype == bool:
        return index
    if index.dtype.kind not in "iu":
        raise IndexError(f"{name}: indices must be integers or bools, not {index.dtype}")
    return index


def _in_range(name, index, limit, axis, n):
    if index.size and not (-n <= index.min() and index.max() < limit):
        wrong = index.min() if index.min() < -n else index.max()
        raise IndexError(f"{name}: index {wrong} is out of bounds for axis {axis} with size {n}")


# ---- delete ----------------------------------------------------------------------------------------------------------


def _without_run(a, axis, start, stop):
    """``a`` without [start, stop) along the axis: its two ends, joined."""
    n, before = a.shape[axis], (slice(None),) * axis
    if a.flags.c_contiguous or not a.flags.f_contiguous:
        return _core.concatenate((a[before + (slice(0, start),)], a[before + (slice(stop, n),)]), axis)
    result = _new(a, axis, n - (stop - start))
    if start:
        result[before + (slice(0, start),)] = a[before + (slice(0, start),)]
    if stop < n:
        result[before + (slice(start, None),)] = a[before + (slice(stop, n),)]
    return result


def _keep_mask(indices, n):
    """On the device: a mask of n elements, false at the indices."""
    if indices._kind == "b":
        if indices.shape != (n,):
            raise ValueError(f"delete: a mask of shape {indices.shape} for an axis of length {n}")
        return ~indices
    keep = _core.ones(n, bool)
    keep[indices.ravel()] = False
    return keep


def _kept(indices, axis, n):
    """The positions that are left, on the host."""
    index = _host_indices("delete", indices, n)
    if index.dtype == bool:
        if index.shape != (n,):
            raise ValueError(f"delete: a mask of shape {index.shape} for an axis of length {n}")
        return np.flatnonzero(~index)
    _in_range("delete", index, n, axis, n)
    keep = np.ones(n, bool)
    keep[index] = False
    return np.flatnonzero(keep)


def delete(arr, indices=None, axis=None, *, obj=None):
    """``arr`` without parts of it along an axis.

    Args:
        arr: An array.
        indices: What to leave out: an integer, a slice, or an array or sequence of integers or bools. Indices on the
            device wrap where they are out of bounds, and are waited for.
        axis: The axis; by default the array is flattened.
        obj: NumPy's name of ``indices``.

    Returns:
        A new array of ``arr``'s dtype.

    Raises:
        ValueError: ``arr`` is no tombac array, or a mask has not the axis' length.
        IndexError: An index that is not on the device is out of bounds.

    >>> import tombac as tb
    >>> tb.delete(tb.arange(5), [0, 3])
    array([1, 2, 4])
    """
    if obj is not None or indices is None:
        indices = other_name("delete", indices, obj)
    if not isinstance(arr, _core.ndarray):
        raise ValueError(f"delete: arr must be a tombac.ndarray, not {type(arr)}")
    arr, axis = _line(arr, axis)
    n, before = arr.shape[axis], (slice(None),) * axis
    if type(indices) is int and -n <= indices < n:
        return _without_run(arr, axis, indices % n, indices % n + 1)
    if isinstance(indices, slice):
        taken = range(*indices.indices(n))
        taken = taken if taken.step > 0 else taken[::-1]
        if not taken:
            return arr.copy()
        if taken.step == 1 or len(taken) == 1:
            return _without_run(arr, axis, taken[0], taken[-1] + 1)
        indices = taken
    elif isinstance(indices, _core.ndarray):
        return arr[before + (_keep_mask(indices, n),)]
    elif not isinstance(indices, (bool, np.bool_)) and np.size(indices := _core._on_host(indices)) == 1:
        index = _host_indices("delete", indices, n)
        if index.dtype != bool:
            _in_range("delete", index, n, axis, n)
            start = int(index.item()) % n
            return _without_run(arr, axis, start, start + 1)
    return _core.take(arr, _core.asarray(_kept(indices, axis, n)), axis)


# ---- insert ----------------------------------------------------------------------------------------------------------


def _positions(obj, n):
    """Where to insert, before whose elements of the array, as integers on the host."""
    if isinstance(obj, slice):
        return np.arange(*obj.indices(n))
    index = _host_indices("insert", obj, n)
    if index.ndim > 1 or (index.dtype == bool and index.ndim != 1):
        raise ValueError("insert: obj must be an integer, a slice or one-dimensional")
    return np.flatnonzero(index) if index.dtype == bool else index.astype(np.intp)


def insert(arr, obj, values, axis=None):
    """``arr`` with values put in before given positions of an axis.

    Args:
        arr: An array.
        obj: The positions, in ``arr``: an integer, a slice, a one-dimensional sequence or array of integers, or a mask.
            On the device, it is waited for.
        values: What to put in: an array or a number, which broadcasts to what is put in, cast to ``arr``'s dtype.
        axis: The axis; by default the array is flattened.

    Returns:
        A new array of ``arr``'s dtype.

    Raises:
        TypeError: ``arr`` is no tombac array.
        IndexError: A position is out of bounds.
        ValueError: ``obj`` has more than one dimension, or the values' shape does not fit.

    >>> import tombac as tb
    >>> tb.insert(tb.arange(4), 1, [7, 8])
    array([0, 7, 8, 1, 2, 3])
    """
    check_arrays("insert", arr)
    arr, axis = _line(arr, axis)
    n, before = arr.shape[axis], (slice(None),) * axis
    values = values if isinstance(values, _core.ndarray) else _core.asarray(values, arr.dtype)
    values = values if values.dtype is arr.dtype else values.astype(arr.dtype, copy=False)
    if type(obj) is int and values.ndim == 0 and -n <= obj <= n and arr.flags.c_contiguous:
        at = obj + n if obj < 0 else obj
        one = _core.broadcast_to(values, arr.shape[:axis] + (1,) + arr.shape[axis + 1 :])
        return _core.concatenate((arr[before + (slice(0, at),)], one, arr[before + (slice(at, None),)]), axis)
    index = _positions(obj, n)
    _in_range("insert", index, n + 1, axis, n)
    if index.size == 1:
        at = int(index.item())
        at += n if at < 0 else 0
        values = values.reshape((1,) * (arr.ndim - values.ndim) + values.shape)
        if index.ndim == 0:  # a[:, 0] = values, not a[:, [0]] = values
            order = list(range(1, values.ndim))
            order.insert(axis, 0)
            values = values.transpose(order)
        k = values.shape[axis]
        result = _new(arr, axis, n + k)
        result[before + (slice(0, at),)] = arr[before + (slice(0, at),)]
        result[before + (slice(at, at + k),)] = values
        result[before + (slice(at + k, None),)] = arr[before + (slice(at, None),)]
        return result
    index = np.where(index < 0, index + n, index)
    order = index.argsort(kind="stable")
    index[order] += np.arange(index.size)
    old = np.ones(n + index.size, bool)
    old[index] = False
    result = _new(arr, axis, old.size)
    result[before + (_core.asarray(index),)] = values
    result[before + (_core.asarray(np.flatnonzero(old)),)] = arr
    return result


# ---- trim_zeros ------------------------------------------------------------------------------------------------------


def trim_zeros(filt, trim="fb", axis=None):
    """``filt`` without the zeros at its ends; a view. This waits for the device.

    Args:
        filt: An array; of one with several dimensions, the smallest block that holds all that is not zero is left.
        trim: Where to cut: 'f' (the front), 'b' (the back) or both.
        axis: The axes along which to cut, all by default.

    Returns:
        A view of ``filt``.

    Raises:
        TypeError: ``filt`` is no tombac array.
        ValueError: ``trim`` has other letters.

    >>> import tombac as tb
    >>> tb.trim_zeros(tb.array([0, 0, 1, 2, 0]))
    array([1, 2])
    """
    filt = as_device("trim_zeros", filt)
    trim = trim.lower()
    if trim not in ("f", "b", "fb", "bf"):
        raise ValueError(f"trim_zeros: trim must be made of 'f' and 'b', it is {trim!r}")
    axes = tuple(range(filt.ndim)) if axis is None else normalize_axis_tuple(axis, filt.ndim, "axis")
    if not axes:
        return filt
    if filt.size == 0:
        return filt[tuple([slice(0, 0) if d in axes else slice(None) for d in range(filt.ndim)])]
    there = filt != 0
    facts = []
    for d in axes:
        rest = tuple([k for k in range(filt.ndim) if k != d])
        line = there.any(rest) if rest else there
        facts += [line.argmax(), line[::-1].argmax(), line.any().astype(np.int64)]
    facts = _core.stack(facts).get().tolist()
    key = [slice(None)] * filt.ndim
    for i, d in enumerate(axes):
        first, last, some = facts[3 * i : 3 * i + 3]
        if not some:
            key[d] = slice(0, 0)
        else:
            n = filt.shape[d]
            key[d] = slice(first if "f" in trim else 0, n - last if "b" in trim else n)
    return filt[tuple(key)]
