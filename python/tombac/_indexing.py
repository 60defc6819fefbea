"""reduceat, and the functions that give indices; indexing itself is in the extension."""

import math
import operator

from tombac import _core
from tombac._core import nonzero
from tombac._numpy import np
from tombac._util import as_device, as_tuple, check_arrays, deliver, normalize_axis_index

__all__ = ["argwhere", "flatnonzero", "ndenumerate", "nonzero", "ravel_multi_index", "unravel_index"]

_LARGEST = 2**63 - 1  # elements of an array


def ufunc_at(ufunc, a, key, value):
    """a[key] = ufunc(a[key], value), where every mention of an element counts, one after the other: for functions whose
    order matters, where a kernel's threads come in none.

    Each round does those that come first of what is left, until nothing is.
    """
    flat = a.reshape(-1)
    places = _core.arange(a.size).reshape(a.shape)[key]
    shape, places = places.shape, places.reshape(-1)
    operands = () if value is None else (_core.broadcast_to(_core.asarray(value), shape).reshape(-1),)
    weak = value is not None and not isinstance(value, (_core.ndarray, np.ndarray, np.generic))
    left = _core.arange(places.size)
    while left.size:
        first = _core.full(a.size, places.size, np.int64)
        _core.minimum.at(first, places[left], left)
        now = first[places[left]] == left
        at = left[now]
        rest = (value,) if weak else tuple(x[at] for x in operands)
        flat[places[at]] = ufunc(flat[places[at]], *rest).astype(a.dtype, casting="unsafe")
        left = left[~now]
    if not _core.may_share_memory(flat, a):
        a[...] = flat.reshape(a.shape)


def ufunc_reduceat(ufunc, a, indices, axis, dtype, out):
    """Element i reduces a[indices[i]:indices[i+1]], or is a[indices[i]] where that slice is empty or backwards.

    On a GPU: slices of some lengths, up to twice the others', are the rows of one reduction, which gathers their
    elements; few or long ones are reduced one by one. The result is in C order, as it is where the device is the host.
    """
    axis = normalize_axis_index(axis, a.ndim)
    if indices.ndim != 1 or (indices.size and indices._kind not in "biu"):
        raise TypeError("reduceat: the indices must be one-dimensional and of integers")
    starts = indices.astype(np.int64, copy=False)
    if starts.size == 0:
        one = ufunc.reduce(_core.zeros(1, a.dtype), 0, dtype)
        return deliver("reduceat", _core.empty(a.shape[:axis] + (0,) + a.shape[axis + 1 :], one.dtype), out)
    ends = _core.concatenate((starts[1:], _core.full(1, a.shape[axis], np.int64)))
    lengths = _core.maximum(ends - starts, 1)
    facts = (starts.min(), starts.max(), lengths.min(), lengths.max(), lengths.sum())
    first, last, shortest, longest, total = _core.stack(facts).get().tolist()
    if first < 0 or last >= a.shape[axis]:
        wrong = first if first < 0 else last
        raise IndexError(f"reduceat: index {wrong} is out of bounds for axis {axis} with size {a.shape[axis]}")
    before = (slice(None),) * axis
    if starts.size <= 16 or total > starts.size * (1 << 20):
        parts = [ufunc.reduce(a[before + (slice(i, i + k),)], axis, dtype)
                 for i, k in zip(starts.get().tolist(), lengths.get().tolist())]
        return deliver("reduceat", _core.ascontiguousarray(_core.stack(parts, axis)), out)
    if longest <= 2 * shortest:
        result = _reduce_slices(ufunc, a, axis, starts, lengths, longest, dtype)
        return deliver("reduceat", _core.ascontiguousarray(result), out)
    result = None
    for k in range((shortest - 1).bit_length(), (longest - 1).bit_length() + 1):
        chosen = nonzero((lengths > (1 << k) // 2) & (lengths <= 1 << k))[0]
        if chosen.size == 0:
            continue
        part = _reduce_slices(ufunc, a, axis, starts[chosen], lengths[chosen], min(1 << k, longest), dtype)
        if result is None:
            result = _core.empty(a.shape[:axis] + starts.shape + a.shape[axis + 1 :], part.dtype)
        result[before + (chosen,)] = part
    return deliver("reduceat", result, out)


# Functions for which an element that comes twice is no matter have no entry.
_IDENTITY = {"add": 0, "multiply": 1, "bitwise_xor": 0}


def _reduce_slices(ufunc, a, axis, starts, lengths, longest, dtype):
    """The function over slices of an axis of a, none of which has more than ``longest`` elements."""
    k = _core.arange(longest)
    starts, lengths = starts[:, None], lengths[:, None]
    elements = a[(slice(None),) * axis + (starts + _core.minimum(k, lengths - 1),)]
    if ufunc.__name__ in _IDENTITY:
        counts = (k < lengths).reshape((-1, longest) + (1,) * (a.ndim - axis - 1))
        elements = _core.where(counts, elements, a.dtype.type(_IDENTITY[ufunc.__name__]))
    return ufunc.reduce(elements, axis + 1, dtype)


def flatnonzero(a):
    """Positions in the flattened array of the elements that are not zero.

    Args:
        a: An array of any dtype and shape, or a number.

    Returns:
        An array of int64 and one dimension. The host waits for its length.

    Raises:
        TypeError: ``a`` is neither a tombac array nor a number.

    >>> tombac.flatnonzero(tombac.array([[0, 3], [5, 0]]))
    array([1, 2])
    """
    return nonzero(as_device("flatnonzero", a).ravel())[0]


def argwhere(a):
    """The indices of the elements that are not zero, one row each.

    Args:
        a: An array of any dtype and shape, or a number.

    Returns:
        An array of int64 and shape ``(n, a.ndim)``. The host waits for n.

    Raises:
        TypeError: ``a`` is neither a tombac array nor a number.

    >>> tombac.argwhere(tombac.array([[0, 3], [5, 0]]))
    array([[0, 1],
           [1, 0]])
    """
    a = as_device("argwhere", a)
    if a.ndim == 0:
        return _core.empty((int(bool(a)), 0), np.int64)
    return _core.argwhere(a)


def _extent(name, dims):
    """The lengths of an array's axes, and its size; TypeError unless they are integers, ValueError if too large."""
    dims = tuple([operator.index(n) for n in as_tuple(dims)])
    size = math.prod(dims)
    if size > _LARGEST or any(n < 0 for n in dims):
        raise ValueError(f"{name}: an array of shape {dims} is larger than any can be")
    return dims, size


def _fortran(name, order):
    """Whether order is 'F' rather than 'C' or None, in either case."""
    if order not in (None, "C", "F", "c", "f"):
        raise ValueError(f"{name}: order must be 'C' or 'F', not {order!r}")
    return order in ("F", "f")


def _positions(name, x):
    x = as_device(name, x)
    if x._kind not in "biu":
        raise TypeError(f"{name}: only integers can be indices, not {x.dtype}")
    return x


def unravel_index(indices, dims=None, order="C", *, shape=None):
    """Flat positions as one index array for each axis of an array of shape ``dims``.

    The host waits for the device to know that none is out of bounds.

    Args:
        indices: An array of integers, of any shape, or an integer.
        dims: The lengths of the axes.
        order: 'C' or 'F': the order in which positions are counted.
        shape: NumPy's name of ``dims``.

    Returns:
        A tuple of int64 arrays of the shape of ``indices``.

    Raises:
        TypeError: ``indices`` or ``dims`` are not of integers; not just one of ``dims`` and ``shape`` is given.
        ValueError: An index is out of bounds, an array of this shape cannot be, or ``order`` is neither.

    >>> tombac.unravel_index(tombac.array([1, 5]), (2, 3))
    (array([0, 1]), array([1, 2]))
    """
    if (dims is None) == (shape is None):
        raise TypeError("unravel_index: dims is needed, or shape in its place")
    indices = _positions("unravel_index", indices)
    dims, size = _extent("unravel_index", shape if dims is None else dims)
    fortran = _fortran("unravel_index", order)
    if not dims and indices.ndim:
        raise ValueError("unravel_index: an array without axes has one position, that of a single index")
    indices = indices.astype(np.int64, copy=False)
    # As numbers without a sign, negative ones are the largest.
    if indices.size and bool((indices.view(np.uint64) >= size).any()):
        raise ValueError(f"unravel_index: an index is out of bounds for an array of shape {dims}")
    out = []
    lengths = dims if fortran else dims[::-1]
    for n in lengths[:-1]:
        above = indices // n
        out.append(indices - above * n)  # without another division
        indices = above
    if lengths:
        out.append(indices.copy() if len(lengths) == 1 else indices)
    return tuple(out if fortran else reversed(out))


def _modes(mode, ndim):
    """What happens to indices out of bounds, for those axes where anything but wrapping around does."""
    if mode == "wrap":
        return ()
    modes = mode if isinstance(mode, tuple) else (mode,) * ndim
    if len(modes) != ndim or any(m not in ("wrap", "clip", "raise") for m in modes):
        raise ValueError(f"ravel_multi_index: mode must be 'wrap', 'clip' or 'raise', or one of them for each of "
                         f"{ndim} axes, not {mode!r}")
    return modes


def ravel_multi_index(multi_index, dims, mode="wrap", order="C"):
    """One index array for each axis as flat positions.

    Args:
        multi_index: A sequence of arrays of integers that broadcast together, one for each axis, or an array of them.
        dims: The lengths of the axes.
        mode: What happens to indices out of bounds: 'wrap', 'clip' or 'raise' (for which the host waits); a tuple has
            one for each axis.
        order: 'C' or 'F': the order in which positions are counted.

    Returns:
        An int64 array.

    Raises:
        TypeError: ``multi_index`` or ``dims`` are not of integers.
        ValueError: Not one index array for each axis, an index out of bounds, a shape that no array can have, or a mode
            or order that is none.

    >>> tombac.ravel_multi_index((tombac.array([0, 1]), tombac.array([1, 2])), (2, 3))
    array([1, 5])
    """
    flat = _core._flat_positions(multi_index, dims, False) if mode == "wrap" and order == "C" else None
    if flat is not None:
        return flat
    dims, size = _extent("ravel_multi_index", dims)
    indices = [_positions("ravel_multi_index", i) for i in multi_index]
    if len(indices) != len(dims):
        raise ValueError(f"ravel_multi_index: {len(indices)} indices for {len(dims)} dimensions")
    modes = _modes(mode, len(dims))
    fortran = _fortran("ravel_multi_index", order)
    if size == 0 and any(i.size for i in indices):
        raise ValueError(f"ravel_multi_index: there are no elements in an array of shape {dims}")
    if not dims:
        return _core.asarray(0)
    beyond = None
    for d, within in enumerate(modes):
        if within == "clip":
            indices[d] = _core.clip(indices[d].astype(np.int64, copy=False), 0, dims[d] - 1)
        elif within == "raise":  # negative ones are large numbers
            outside = indices[d].astype(np.int64, copy=False).view(np.uint64) >= dims[d]
            beyond = outside if beyond is None else beyond | outside
    if beyond is not None and bool(beyond.any()):
        raise ValueError("ravel_multi_index: invalid entry in coordinates array")
    return _core._flat_positions(tuple(indices), dims, fortran)


class ndenumerate:
    """An iterator over the elements of an array in C order, each after its indices.

    Args:
        arr: An array of any dtype and shape.

    Elements are arrays without dimensions, as ``arr.flat`` gives them, and on the device; NumPy's are scalars.

    >>> for index, x in tombac.ndenumerate(tombac.array([[1, 2], [3, 4]])):
    ...     print(index, x)
    (0, 0) 1
    (0, 1) 2
    (1, 0) 3
    (1, 1) 4
    """

    def __init__(self, arr):
        check_arrays("ndenumerate", arr)
        self._pairs = zip(np.ndindex(arr.shape), arr.flat)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._pairs)
