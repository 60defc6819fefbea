"""reduceat, and the functions that give indices; indexing itself is in the extension."""

import operator

from tombac import _core
from tombac._core import nonzero
from tombac._numpy import np
from tombac._util import as_device, check_arrays, normalize_axis_index

__all__ = ["argwhere", "flatnonzero", "nonzero", "ravel_multi_index", "unravel_index"]


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
