"""Indexing with boolean masks and integer arrays, and the functions built on it.

There is no gather or scatter kernel underneath: both are compositions of array operations that run on the device.

* Reading n elements out of m compares every index with every position inside one reduction, so the work is n * m *
  (size of an element's row) and no temporary is made. Bit patterns are combined, so the numbers are exact. Up to 256
  indices that the host knows (lists, NumPy arrays) are read through views instead, one copy each.
* Writing works the same way from the other side; of several values for one position the last one stays.
* A mask with a number, or a value that broadcasts against the masked array, is a single ``where``.

Work beyond ``MAX_WORK`` comparisons raises NotImplementedError. Indices out of range wrap around.
"""

import math
import operator

import numpy as np

from tombac import _core
from tombac._core import arange, broadcast_to, where
from tombac._util import as_device, check_arrays, normalize_axis_index

__all__ = ["argwhere", "flatnonzero", "nonzero", "ravel_multi_index", "unravel_index"]

MAX_WORK = 1 << 34
MAX_VIEWS = 256


# ---- gather ----------------------------------------------------------------------------------------------------------


def _check_work(what, n):
    if n > MAX_WORK:
        raise NotImplementedError(
            f"{what}: indexing by arrays compares every index with every position; this would take {n:.1e} "
            f"comparisons, {MAX_WORK:.1e} is the limit. Slices, and masks with a value that broadcasts, have no limit."
        )


_BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def _to_bits(m):
    """A C-contiguous matrix as unsigned integers."""
    if m.dtype == np.complex128:
        return m.view(np.uint64)
    return m.view(_BITS[m.dtype.itemsize])


def _gather_rows(m, index):
    """m[index] for a C-contiguous matrix and a vector of indices in range, on the device."""
    n, p = m.shape[0], index.shape[0]
    if p == 0 or m.shape[1] == 0:
        return _core.empty((p, m.shape[1]), m.dtype)
    _check_work("getitem", n * p * m.shape[1])
    bits = _to_bits(m)
    hit = index.reshape(-1, 1, 1) == arange(n).reshape(1, -1, 1)
    return _core.bitwise_or.reduce(where(hit, bits.reshape(1, n, -1), bits.dtype.type(0)), 1).view(m.dtype)


def _rows(index):
    """Whether the rows are better read one by one."""
    return isinstance(index, np.ndarray) and index.size <= MAX_VIEWS


def _take_rows(m, index):
    """m[index] for a matrix; index is a vector on the host or the device, in range."""
    if _rows(index) and index.size:
        return _core.concatenate([m[i : i + 1] for i in index.tolist()])
    index = index if isinstance(index, _core.ndarray) else _core.array(index)
    return _gather_rows(_core.ascontiguousarray(m), index)


# ---- keys ------------------------------------------------------------------------------------------------------------


def _as_index(item):
    """An item of a key: an int, slice, None or Ellipsis as it is, everything else as an array."""
    if item is None or item is Ellipsis or isinstance(item, (slice, _core.ndarray)):
        return item
    if isinstance(item, (bool, np.bool_)):
        return np.asarray(item)
    if not isinstance(item, (np.ndarray, list, tuple)):
        try:
            return operator.index(item)
        except TypeError:
            pass
    kind, item = type(item), np.asarray(item)
    if item.dtype.kind not in "biuf" or (item.ndim == 0 and item.dtype.kind == "f"):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), tombac.newaxis (`None`) and integer or boolean arrays are "
            f"valid indices, not {kind}"
        )
    return item.astype(np.intp) if item.size == 0 and item.dtype.kind == "f" else item


def _is_array(item):
    return isinstance(item, (np.ndarray, _core.ndarray))


def _used(item):
    """How many axes of the indexed array an item stands for."""
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if _is_array(item) and item.dtype == bool else 1


def _expand(a, key):
    """(a, the key's items), with masks as integer arrays and one slice for each axis that was left out.

    A mask of no dimensions stands for an axis of its own, of length 1, which the returned array has in addition.
    """
    items = [_as_index(k) for k in (key if isinstance(key, tuple) else (key,))]
    used = sum(_used(k) for k in items)
    if used > a.ndim:
        raise IndexError(f"too many indices for array: array is {a.ndim}-dimensional, but {used} were indexed")
    dots = [i for i, k in enumerate(items) if k is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    at = dots[0] if dots else len(items)
    items[at : at + len(dots)] = [slice(None)] * (a.ndim - used)
    result, axis = [], 0
    for k in items:
        n = _used(k)
        if _is_array(k) and k.dtype == bool:
            if k.ndim == 0:
                a = a[(slice(None),) * axis + (None,)]
                result.append(np.zeros(int(bool(k)), np.intp))
                axis += 1
                continue
            _check_mask(k, a.shape[axis : axis + n], axis)
            result.extend(nonzero(k) if isinstance(k, _core.ndarray) else np.nonzero(k))
        elif _is_array(k) and k.dtype.kind not in "iu":
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        else:
            result.append(k)
        axis += n
    return a, result


def _check_mask(mask, shape, axis):
    for d, (n, want) in enumerate(zip(mask.shape, shape)):
        if n != want:
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + d}; size of axis is {want} but size of "
                f"corresponding boolean axis is {n}"
            )


def _split(a, key):
    """Does the slices of a key. Returns (view, axes, indices, position).

    ``axes`` of the view are indexed by the arrays ``indices``, and the axes of the result go to ``position``.
    """
    a, items = _expand(a, key)
    arrays = [i for i, k in enumerate(items) if _is_array(k)]
    numbers = [i for i, k in enumerate(items) if isinstance(k, int)]
    # Between arrays an integer counts as one, for where the result's axes go.
    together = sorted(arrays + numbers)
    adjacent = together[-1] - together[0] == len(together) - 1
    basic = tuple(k if isinstance(k, (slice, type(None))) else slice(k, k + 1) if isinstance(k, int) and k >= 0
                  else slice(k, k + 1 or None) if isinstance(k, int) else slice(None) for k in items)
    axis = 0
    for i, k in enumerate(items):
        if isinstance(k, int) and not -a.shape[axis] <= k < a.shape[axis]:
            raise IndexError(f"index {k} is out of bounds for axis {axis} with size {a.shape[axis]}")
        axis += k is not None
    view = a[basic]
    kept = [d for d in range(len(items)) if d not in numbers]
    position = sum(1 for d in kept if d < together[0]) if adjacent else 0
    view = view.reshape(tuple(view.shape[d] for d in kept)) if numbers else view
    return view, [kept.index(i) for i in arrays], [items[i] for i in arrays], position


def _wrapped(index, n):
    """Indices moved into [0, n)."""
    if n == 0 and index.size:
        raise IndexError("index is out of bounds for an axis of length 0")
    return index.astype(np.int64) % n if n else index.astype(np.int64)


def _flat(shape, indices):
    """The arrays of one key as positions in the flattened axes they index, and their common shape."""
    if any(isinstance(i, _core.ndarray) for i in indices):
        indices = [i if isinstance(i, _core.ndarray) else _core.array(i) for i in indices]
    flat = None
    for n, index in zip(shape, indices):
        index = _wrapped(index, n)
        flat = index if flat is None else flat * n + index
    shape = np.broadcast_shapes(*(i.shape for i in indices))
    return flat.reshape(-1) if flat.shape == shape else flat, shape


def _as_matrix(view, axes):
    """The view with ``axes`` in front: (transposed view, number of positions, size of a row)."""
    rest = [d for d in range(view.ndim) if d not in axes]
    front = view.transpose(axes + rest)
    return front, math.prod(view.shape[d] for d in axes), math.prod(view.shape[d] for d in rest)


def getitem(a, key):
    """a[key] for keys that hold arrays; called by ndarray.__getitem__."""
    view, axes, indices, position = _split(a, key)
    front, n, row = _as_matrix(view, axes)
    flat, shape = _flat([view.shape[d] for d in axes], indices)
    rest = front.shape[len(axes) :]
    result = _take_rows(front.reshape(n, row), flat).reshape(tuple(shape) + rest)
    if position == 0:
        return result
    k = len(shape)
    order = list(range(k, k + position)) + list(range(k)) + list(range(k + position, result.ndim))
    return result.transpose(order)


# ---- scatter ---------------------------------------------------------------------------------------------------------


def setitem(a, key, value):
    """a[key] = value for keys that hold arrays; called by ndarray.__setitem__."""
    mask = _only_mask(a, key)
    if isinstance(value, _core.ndarray):
        value = value.astype(a.dtype, copy=False)
    else:
        value = _element_values(a.dtype, value)
    if mask is not None:
        _set_masked(a, mask, value)
        return
    view, axes, indices, position = _split(a, key)
    front, n, row = _as_matrix(view, axes)
    flat, shape = _flat([view.shape[d] for d in axes], indices)
    value = _value_rows(value, shape, front.shape[len(axes) :], position)
    if row == 0 or flat.size == 0:
        return
    if _rows(flat):
        matrix = front.reshape(n, row)
        if _core.may_share_memory(matrix, front) or matrix is front:
            for k, i in enumerate(flat.tolist()):
                matrix[i] = value[k]
            return
    flat = flat if isinstance(flat, _core.ndarray) else _core.array(flat)
    front[...] = _scatter(front.reshape(n, row), flat, value).reshape(front.shape)


def _element_values(dtype, value):
    """A value from the host as an array of ``dtype``; numbers that do not fit are refused as in ``a[...] = value``."""
    if isinstance(value, (bool, int, float, complex)):
        return _core.full((), value, dtype)
    return _core.asarray(value).astype(dtype, copy=False)


def _value_rows(value, shape, rest, position):
    """The value of an assignment, broadcast to the indexed part, as a matrix with a row for each index."""
    full = rest[:position] + tuple(shape) + rest[position:]
    value = broadcast_to(value, full) if value.shape != full else value
    k = len(shape)
    order = list(range(position, position + k)) + list(range(position)) + list(range(position + k, len(full)))
    return value.transpose(order).reshape(math.prod(shape), math.prod(rest))


def _last_writer(flat, n):
    """For each of n positions the number of the last index that names it, or -1."""
    p = flat.shape[0]
    _check_work("setitem", n * p)
    hit = flat.reshape(1, -1) == arange(n).reshape(-1, 1)
    return where(hit, arange(p).reshape(1, -1), -1).max(1)


def _scatter(m, flat, value):
    """The matrix m with m[flat] = value."""
    writer = _last_writer(flat, m.shape[0])
    rows = _gather_rows(_core.ascontiguousarray(value), _core.maximum(writer, 0))
    return where((writer >= 0).reshape(-1, 1), rows, m)


def _only_mask(a, key):
    """The mask of a key that is nothing else, on the device; None for other keys."""
    if isinstance(key, tuple) and len(key) == 1:
        key = key[0]
    if isinstance(key, list):
        key = np.asarray(key)
    if not _is_array(key) or key.dtype != bool or key.ndim == 0:
        return None
    if key.ndim > a.ndim:
        raise IndexError(f"too many indices for array: array is {a.ndim}-dimensional, but {key.ndim} were indexed")
    _check_mask(key, a.shape, 0)
    return key if isinstance(key, _core.ndarray) else _core.array(key)


def _set_masked(a, mask, value):
    """a[mask] = value."""
    rest = a.shape[mask.ndim :]
    wide = mask.reshape(mask.shape + (1,) * len(rest))
    if value.ndim <= len(rest) or (value.ndim == len(rest) + 1 and value.shape[0] == 1):
        value = broadcast_to(value.reshape(value.shape[1:]) if value.ndim > len(rest) else value, rest)
        a[...] = where(wide, value, a)
        return
    order = _core.cumsum(mask.ravel(), dtype=np.int64) - 1
    count = int(order[-1]) + 1 if order.size else 0
    if value.shape[0] != count:
        raise ValueError(
            f"NumPy boolean array indexing assignment cannot assign {value.shape[0]} input values to the {count} "
            "output values where the mask is true"
        )
    if count == 0:
        return
    value = broadcast_to(value, (count,) + rest).reshape(count, math.prod(rest))
    rows = _gather_rows(_core.ascontiguousarray(value), _core.maximum(order, 0))
    a[...] = where(wide, rows.reshape(a.shape), a)


# ---- ufunc.at, ufunc.reduceat ----------------------------------------------------------------------------------------


def ufunc_at(ufunc, a, indices, b):
    """a[indices] = ufunc(a[indices], b), in place, where an index that is repeated counts every time.

    Keys of slices and integers, and masks with a value that broadcasts, are one elementwise operation. Integer arrays
    need add, subtract, multiply, maximum, minimum, bitwise_and, bitwise_or or bitwise_xor; the work is the number of
    indices times the number of positions. Others raise NotImplementedError.
    """
    check_arrays("at", a)
    if ufunc.nout != 1 or ufunc.nin > 2 or (ufunc.nin == 2) != (b is not None):
        raise ValueError(f"at: {ufunc.__name__} cannot be applied in place with these operands")
    operands = () if b is None else (as_device("at", b),)
    key = indices if isinstance(indices, tuple) else (indices,)
    if not any(isinstance(k, (_core.ndarray, np.ndarray, list, bool)) for k in key):
        a[indices] = ufunc(a[indices], *operands)
        return
    mask = _only_mask(a, indices)
    if mask is not None and (b is None or operands[0].ndim <= a.ndim - mask.ndim):
        wide = mask.reshape(mask.shape + (1,) * (a.ndim - mask.ndim))
        a[...] = where(wide, ufunc(a, *operands).astype(a.dtype, copy=False), a)
        return
    _reduce_at(ufunc, a, indices, operands)


_AT = {
    "add": ("add", 0), "subtract": ("add", 0), "multiply": ("multiply", 1), "maximum": ("maximum", None),
    "minimum": ("minimum", None), "bitwise_and": ("bitwise_and", None), "bitwise_or": ("bitwise_or", None),
    "bitwise_xor": ("bitwise_xor", 0),
}


def _reduce_at(ufunc, a, indices, operands):
    if ufunc.__name__ not in _AT:
        raise NotImplementedError(f"at: {ufunc.__name__} with integer-array indices; {', '.join(_AT)} are supported")
    reducer, neutral = _AT[ufunc.__name__]
    reducer = getattr(_core, reducer)
    view, axes, arrays, position = _split(a, indices)
    front, n, row = _as_matrix(view, axes)
    flat, shape = _flat([view.shape[d] for d in axes], arrays)
    value = _value_rows(operands[0].astype(a.dtype), shape, front.shape[len(axes) :], position)
    flat = flat if isinstance(flat, _core.ndarray) else _core.array(flat)
    if flat.size == 0 or row == 0:
        return
    _check_work("at", n * row * flat.size)
    old = front.reshape(n, row)
    hit = flat.reshape(1, -1, 1) == arange(n).reshape(-1, 1, 1)
    rest = old.reshape(n, 1, row) if neutral is None else a.dtype.type(neutral)
    change = reducer.reduce(where(hit, value.reshape(1, -1, row), rest), 1, dtype=a.dtype)
    front[...] = (ufunc(old, change) if neutral is not None else change).reshape(front.shape)


def ufunc_reduceat(ufunc, a, indices, axis, dtype, out):
    """Element i reduces a[indices[i]:indices[i+1]], or is a[indices[i]] where that slice is empty or backwards."""
    check_arrays("reduceat", a)
    indices = [operator.index(i) for i in (indices.tolist() if hasattr(indices, "tolist") else indices)]
    axis = normalize_axis_index(axis, a.ndim)
    before = (slice(None),) * axis
    parts = []
    for i, start in enumerate(indices):
        if not 0 <= start < a.shape[axis]:
            raise IndexError(f"reduceat: index {start} is out of bounds for axis {axis} with size {a.shape[axis]}")
        stop = indices[i + 1] if i + 1 < len(indices) else a.shape[axis]
        part = a[before + (slice(start, stop if stop > start else start + 1),)]
        parts.append(ufunc.reduce(part, axis, dtype))
    if not parts:
        return _core.empty(a.shape[:axis] + (0,) + a.shape[axis + 1 :], a.dtype if dtype is None else dtype)
    return _core.stack(parts, axis, out)


# ---- positions of true elements --------------------------------------------------------------------------------------


def _true_positions(flags):
    """Positions of the true elements of a bool vector; this waits for the device to count them."""
    n = flags.size
    if n == 0:
        return _core.empty((0,), np.int64)
    before = _core.cumsum(flags, dtype=np.int64)
    count = int(before[-1])
    _check_work("nonzero", n * count)
    return _core.sum(before.reshape(1, -1) <= arange(count).reshape(-1, 1), 1)


def nonzero(a):
    """A tuple of index arrays, one for each axis, of the elements that are not zero, in C order."""
    a = as_device("nonzero", a)
    if a.ndim == 0:
        raise ValueError("nonzero: a 0-dimensional array has no axes; use atleast_1d")
    flat = _true_positions((a if a.dtype == bool else a != 0).ravel())
    return (flat,) if a.ndim == 1 else unravel_index(flat, a.shape)


def flatnonzero(a):
    """Positions in the flattened array of the elements that are not zero."""
    return nonzero(as_device("flatnonzero", a).ravel())[0]


def argwhere(a):
    """The indices of the elements that are not zero, one row each."""
    a = as_device("argwhere", a)
    if a.ndim == 0:
        return _core.empty((int(bool(a)), 0), np.int64)
    return _core.stack(nonzero(a), 1)


def unravel_index(indices, dims, order="C"):
    """Flat positions as one index array for each axis of an array of shape ``dims``."""
    indices = as_device("unravel_index", indices)
    if indices.dtype.kind not in "iu":
        raise TypeError("unravel_index: the indices must be integers")
    dims = (dims,) if np.ndim(dims) == 0 else tuple(dims)
    if order not in ("C", "F"):
        raise ValueError("unravel_index: order must be 'C' or 'F'")
    out = []
    for n in dims if order == "F" else reversed(dims):
        out.append(indices % n)
        indices = indices // n
    return tuple(out if order == "F" else reversed(out))


def ravel_multi_index(multi_index, dims, mode="wrap", order="C"):
    """One index array for each axis as flat positions.

    ``mode`` is 'wrap', 'clip' or 'raise' (which waits), or a tuple with one of them for each axis.
    """
    dims = tuple(dims)
    indices = [as_device("ravel_multi_index", i) for i in multi_index]
    if len(indices) != len(dims):
        raise ValueError(f"ravel_multi_index: {len(indices)} indices for {len(dims)} dimensions")
    flat, step = None, 1
    modes = mode if isinstance(mode, tuple) else (mode,) * len(dims)
    if len(modes) != len(dims):
        raise ValueError(f"ravel_multi_index: {len(modes)} modes for {len(dims)} dimensions")
    parts = list(zip(indices, dims, modes))
    for i, n, mode in parts if order == "F" else reversed(parts):
        if mode == "wrap":
            i = i % n
        elif mode == "clip":
            i = _core.clip(i, 0, n - 1)
        elif bool(((i < 0) | (i >= n)).any()):
            raise ValueError("ravel_multi_index: invalid entry in coordinates array")
        flat = i * step if flat is None else flat + i * step
        step *= n
    return flat
