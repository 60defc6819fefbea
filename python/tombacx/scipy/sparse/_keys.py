"""Keys of sparse matrices and arrays, read into one item for each axis, and the shape of what they pick."""

import math
import operator

from tombac import _core
from tombac._core import where
from tombac._manipulation import broadcast_arrays
from tombac._numpy import np
from tombacx.scipy.sparse import _host

__all__ = ["Layout", "as_index", "assigned", "index_at", "items_of", "together"]


def as_index(key, most=2):
    """An index array on the device, of at most so many dimensions."""
    key = _host.dense(np.asarray(key) if type(key) in (list, tuple, range) else key)
    if key.size == 0 and key.dtype.kind == "f":
        key = key.astype(np.int64)
    if key.dtype.kind not in "biu" or key.ndim > most:
        raise IndexError("Index dimension must be 1 or 2, of integers or truth values")
    return key


def index_at(i, n, name):
    """An integer index that is not negative."""
    i = operator.index(i)
    if not -n <= i < n:
        raise IndexError(f"{name} index ({i}) out of range")
    return i % n if n else 0


def is_integer(key):
    return isinstance(key, (int, np.integer)) and not isinstance(key, (bool, np.bool_))


def item_of(key, n, name, most=2):
    """What picks along one axis: an integer, a slice, or an array of integers, none negative."""
    if isinstance(key, slice):
        return key
    if is_integer(key):
        return index_at(key, n, name)
    if isinstance(key, str) or not hasattr(key, "__len__") and not hasattr(key, "ndim"):
        raise IndexError(f"invalid index {key!r}")
    key = as_index(key, most)
    if key.dtype.kind == "b":
        if key.ndim != 1 or key.size != n:
            raise IndexError(f"boolean index of shape {key.shape} does not match {name} with size {n}")
        return _core.nonzero(key)[0]
    if key.ndim == 0:
        return index_at(int(key), n, name)
    if key.size:
        least, most = int(key.min()), int(key.max())
        if most >= n:
            raise IndexError(f"index ({most}) out of range")
        if least < -n:
            raise IndexError(f"index ({least}) out of range")
        if least < 0:
            key = where(key < 0, key + n, key)
    return key


def mask_places(key, shape):
    """The coordinates where a mask of that many dimensions, dense or sparse, is true; None for other keys."""
    if hasattr(key, "tocoo") and hasattr(key, "nonzero"):
        if key.dtype.kind != "b":
            raise IndexError("sparse index arrays must be of truth values")
        if len(key.shape) != len(shape) or any(m > n for m, n in zip(key.shape, shape)):
            raise IndexError("the mask is larger than the matrix, or has other dimensions")
        return tuple(map(_host.dense, key.nonzero()))
    if isinstance(key, (list, np.ndarray, _core.ndarray)) and np.ndim(key) > 1:
        key = as_index(key, 32)
        if key.dtype.kind == "b":
            if key.shape != shape[: key.ndim]:
                raise IndexError(f"boolean index shape {key.shape} does not match the array's shape {shape}")
            return _core.nonzero(key)
    return None


def items_of(key, shape, most=2):
    """The items of a key: for each axis an integer, a slice or an index array, and None for a new axis."""
    keys = list(key) if isinstance(key, tuple) else [key]
    dots = [i for i, k in enumerate(keys) if k is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    used = sum(_axes_of(k) for k in keys if k is not None and k is not Ellipsis)
    if used > len(shape):
        raise IndexError(f"too many indices: {used} for {len(shape)} dimensions, invalid number of indices")
    at = dots[0] if dots else len(keys)
    keys[at : at + 1] = [slice(None)] * (len(shape) - used)
    items, axis = [], 0
    for k in keys:
        if k is None:
            items.append(None)
            continue
        places = None if isinstance(k, slice) else mask_places(k, shape[axis:][: _axes_of(k)])
        name = ("row", "column")[axis] if len(shape) == 2 else f"axis {axis}"
        items += [item_of(k, shape[axis], name, most)] if places is None else list(places)
        axis += 1 if places is None else len(places)
    return items


def _axes_of(key):
    """How many axes a key is for: a mask is for as many as it has."""
    if hasattr(key, "dtype") and key.dtype.kind == "b" and hasattr(key, "shape"):
        return max(len(key.shape), 1)
    if isinstance(key, list) and np.ndim(key) > 1 and np.asarray(key).dtype.kind == "b":
        return np.ndim(key)
    return 1


class Layout:
    """Where the axes of a result come from, as in NumPy: index arrays broadcast, and stay where they are if together.

    ``dims`` has for each axis of the result the axis it is a slice of, or None for a new one, or -1 for the axes of the
    index arrays together; ``shape`` is the result's.
    """

    def __init__(self, items, shape):
        axes = []  # of each item
        for item in items:
            axes.append(None if item is None else len([i for i in axes if i is not None]))
        self.axes = axes
        self.slices = [(i, k) for i, k in zip(axes, items) if isinstance(k, slice)]
        self.lengths = {i: len(range(*k.indices(shape[i]))) for i, k in self.slices}
        arrays = [k for k in items if isinstance(k, _core.ndarray)]
        try:
            self.together = np.broadcast_shapes(*(k.shape for k in arrays)) if arrays else ()
        except ValueError as e:
            raise IndexError("shape mismatch: indexing arrays could not be broadcast together") from e
        self.picks = [(i, k) for i, k in zip(axes, items) if isinstance(k, (int, _core.ndarray))]
        places = [j for j, k in enumerate(items) if isinstance(k, (int, _core.ndarray))]
        dims = [i for i, k in zip(axes, items) if k is None or isinstance(k, slice)]
        if arrays:
            apart = places[-1] - places[0] >= len(places)
            dims.insert(0 if apart else sum(not isinstance(k, (int, _core.ndarray)) for k in items[: places[0]]), -1)
        self.has_arrays, self.has_new, self.dims = bool(arrays), None in dims, dims
        self.shape = ()
        for d in dims:
            self.shape += (1,) if d is None else self.together if d == -1 else (self.lengths[d],)

    def first(self):
        """The shape of the index arrays' axes, then those of the slices."""
        return (*self.together, *(self.lengths[i] for i, _ in self.slices))

    def order(self):
        """Which axes of ``first`` those of the result are, new ones left out."""
        n = len(self.together)
        numbers = {i: n + j for j, (i, _) in enumerate(self.slices)}
        order = []
        for d in self.dims:
            order += range(n) if d == -1 else [] if d is None else [numbers[d]]
        return order

    def coords(self, shape):
        """For each axis of the array the places of the result's elements along it, arrays that broadcast."""
        found, ndim, at = {}, len(self.shape), 0
        for d in self.dims:
            n = len(self.together) if d == -1 else 1
            after = ndim - at - n
            if d == -1:
                for i, k in self.picks:
                    k = _core.broadcast_to(k, self.together) if isinstance(k, _core.ndarray) else k
                    found[i] = k if isinstance(k, int) else k.reshape(k.shape + (1,) * after)
            elif d is not None:
                found[d] = _core.arange(*dict(self.slices)[d].indices(shape[d])).reshape((-1,) + (1,) * after)
            at += n
        found.update((i, k) for i, k in self.picks if i not in found)
        return [_core.broadcast_to(found[i] if not isinstance(found[i], int) else _core.full((), found[i], np.int64),
                                   self.shape) for i in range(len(shape))]


def together(row, col):
    """Two index arrays, broadcast to each other's shape."""
    try:
        return broadcast_arrays(row, col)
    except ValueError as e:
        raise IndexError("shape mismatch: indexing arrays could not be broadcast together with shapes "
                         f"{row.shape} {col.shape}") from e


def assigned(value, dtype, shape):
    """A value to assign to places of that shape, and where it stores elements if it is sparse, or None."""
    if not hasattr(value, "toarray"):
        return _spread(_core.asarray(value, dtype), shape, True), None
    turned, a = len(value.shape) != len(shape), value.tocoo()
    stored = _core.zeros(value.shape, np.bool_)
    if a.nnz:
        stored[tuple(map(_host.dense, a.coords if hasattr(a, "coords") else (a.row, a.col)))] = True
    return tuple(_spread(x, shape, turned) for x in (_core.asarray(value.toarray(), dtype), stored))


def _spread(value, shape, turned):
    """An array broadcast to a shape, which may have other axes of length 1 if it may be turned."""
    try:
        if turned and [n for n in value.shape if n != 1] == [n for n in shape if n != 1]:
            value = value.reshape(shape)
        return _core.broadcast_to(value, shape)
    except ValueError as e:
        raise ValueError("shape mismatch in assignment") from e
