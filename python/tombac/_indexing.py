"""reduceat, and the functions that give indices; indexing itself is in the extension."""

from tombac import _core
from tombac._core import nonzero
from tombac._numpy import np
from tombac._util import as_device, check_arrays, deliver, normalize_axis_index

__all__ = ["argwhere", "flatnonzero", "nonzero", "ravel_multi_index", "unravel_index"]


def ufunc_reduceat(ufunc, a, indices, axis, dtype, out):
    """Element i reduces a[indices[i]:indices[i+1]], or is a[indices[i]] where that slice is empty or backwards.

    Slices of some lengths, up to twice the others', are the rows of one reduction, which gathers their elements; few
    or long ones are reduced one by one.
    """
    check_arrays("reduceat", a)
    axis = normalize_axis_index(axis, a.ndim)
    starts, lengths = _slices(indices, a.shape[axis])
    n = len(starts)
    if n == 0:
        one = ufunc.reduce(_core.zeros(1, a.dtype), 0, dtype)
        return deliver("reduceat", _core.empty(a.shape[:axis] + (0,) + a.shape[axis + 1 :], one.dtype), out)
    if n <= 16 or lengths.mean() > (1 << 10 if _core.backend() == "cpu" else 1 << 20):
        before = (slice(None),) * axis
        parts = [ufunc.reduce(a[before + (slice(i, i + k),)], axis, dtype)
                 for i, k in zip(starts.tolist(), lengths.tolist())]
        return _core.stack(parts, axis, out)
    rows = a.swapaxes(axis, -1)
    bits = np.frexp(lengths - 0.5)[1]
    groups = [np.flatnonzero(bits == b) for b in np.unique(bits)]
    parts = [_reduce_rows(ufunc, rows, starts[g], lengths[g], dtype) for g in groups]
    if len(groups) == 1:
        result = parts[0]
    else:
        order = np.empty(n, np.int64)
        order[np.concatenate(groups)] = np.arange(n)
        result = _core.take(_core.concatenate(parts, -1), _core.asarray(order), -1)
    return deliver("reduceat", result.swapaxes(axis, -1), out)


def _slices(indices, size):
    """Where slices begin, and how many elements each has, as arrays of the host."""
    starts = np.asarray(indices.get() if isinstance(indices, _core.ndarray) else indices)
    if starts.size == 0:
        starts = starts.astype(np.int64)
    if starts.dtype.kind not in "iu" or starts.ndim != 1:
        raise TypeError("reduceat: the indices must be one-dimensional and of integers")
    wrong = (starts < 0) | (starts >= size)
    if wrong.any():
        raise IndexError(f"reduceat: index {starts[wrong][0]} is out of bounds for an axis of size {size}")
    starts = starts.astype(np.int64)
    return starts, np.maximum(np.diff(starts, append=size), 1)


# Functions for which an element that comes twice is no matter have no entry.
_IDENTITY = {"add": 0, "multiply": 1, "bitwise_xor": 0}


def _reduce_rows(ufunc, a, starts, lengths, dtype):
    """The function over the slices of a's last axis, each of at most as many elements as the longest."""
    k = _core.arange(int(lengths.max()))
    starts, lengths = _core.asarray(starts)[:, None], _core.asarray(lengths)[:, None]
    elements = a[..., starts + _core.minimum(k, lengths - 1)]
    if ufunc.__name__ in _IDENTITY:
        elements = _core.where(k < lengths, elements, a.dtype.type(_IDENTITY[ufunc.__name__]))
    return ufunc.reduce(elements, -1, dtype)


def flatnonzero(a):
    """Positions in the flattened array of the elements that are not zero."""
    return nonzero(as_device("flatnonzero", a).ravel())[0]


def argwhere(a):
    """The indices of the elements that are not zero, one row each."""
    a = as_device("argwhere", a)
    if a.ndim == 0:
        return _core.empty((int(bool(a)), 0), np.int64)
    return _core.argwhere(a)


def unravel_index(indices, dims, order="C"):
    """Flat positions as one index array for each axis of an array of shape ``dims``."""
    indices = as_device("unravel_index", indices)
    if indices._kind not in "iu":
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
