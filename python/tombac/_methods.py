"""Methods of ndarray that are compositions: this gives them to the type, which is written in C."""

from tombac import _arranging, _core, _select, _sorting


def argpartition(self, kth, axis=-1, kind="introselect"):
    """See tombac.argpartition."""
    return _sorting.argpartition(self, kth, axis, kind)


def argsort(self, axis=-1, kind=None, order=None, *, stable=None):
    """See tombac.argsort."""
    return _sorting.argsort(self, axis, kind, order, stable=stable)


def byteswap(self, inplace=False):
    """The elements with their bytes in the other order: a new array, or this one.

    Bytes of complex numbers are swapped in the real and the imaginary part.

    >>> tombac.array([1, 256], dtype='int16').byteswap()
    array([256,   1], dtype=int16)
    """
    part = self.itemsize // 2 if self.dtype.kind == "c" else self.itemsize
    swapped = self.copy(order="C")
    if part > 1:
        parts = swapped.reshape(-1).view("u1").reshape(-1, part)
        swapped = _core.ascontiguousarray(parts[:, ::-1]).reshape(-1).view(self.dtype).reshape(self.shape)
    if not inplace:
        return swapped
    self[...] = swapped
    return self


def choose(self, choices, out=None, mode="raise"):
    """See tombac.choose."""
    return _select.choose(self, choices, out, mode)


def nonzero(self):
    """See tombac.nonzero."""
    return _core.nonzero(self)


def partition(self, kth, axis=-1, kind="introselect"):
    """Partitions in place; see tombac.partition."""
    _sorting.partition_in_place(self, kth, axis, kind)


def scatter_add(self, slices, value):
    """self[slices] += value, where an index that is repeated counts every time."""
    _core.add.at(self, slices, value)


def scatter_max(self, slices, value):
    """self[slices] = maximum(self[slices], value), where an index that is repeated counts every time."""
    _core.maximum.at(self, slices, value)


def scatter_min(self, slices, value):
    """self[slices] = minimum(self[slices], value), where an index that is repeated counts every time."""
    _core.minimum.at(self, slices, value)


def searchsorted(self, v, side="left", sorter=None):
    """See tombac.searchsorted."""
    return _sorting.searchsorted(self, v, side, sorter)


def sort(self, axis=-1, kind=None, order=None, *, stable=None):
    """Sorts in place; see tombac.sort."""
    _sorting.sort_in_place(self, axis, kind, order, stable)


def to_numpy(self):
    """A NumPy array of the same elements: ``get()``, by the name that pandas' users know and xarray looks for."""
    return self.get()


for _method in (argpartition, argsort, byteswap, choose, nonzero, partition, scatter_add, scatter_max, scatter_min,
                searchsorted, sort, to_numpy):
    _core._add_method(_method.__name__, _method)
