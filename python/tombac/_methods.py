"""Methods of ndarray that are compositions: this gives them to the type, which is written in C."""

import operator

from tombac import _arranging, _core, _select, _sorting
from tombac._numpy import np


def argpartition(self, kth, axis=-1, kind="introselect"):
    """See tombac.argpartition."""
    return _sorting.argpartition(self, kth, axis, kind)


def argsort(self, axis=-1, kind=None, order=None, *, stable=None):
    """See tombac.argsort."""
    return _sorting.argsort(self, axis, kind, order, stable=stable)


def _swapped_bytes(dtype):
    """Which byte of an element each byte of the swapped one is."""
    places = list(range(dtype.itemsize))
    if dtype.names is not None:
        for part, at, *_ in dtype.fields.values():
            places[at : at + part.itemsize] = [at + i for i in _swapped_bytes(part)]
    elif dtype.subdtype is not None:
        part = dtype.subdtype[0]
        one = _swapped_bytes(part)
        places = [at + i for at in range(0, dtype.itemsize, part.itemsize or 1) for i in one]
    elif dtype.char != "V":
        part = dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
        places = [at + i for at in range(0, dtype.itemsize, part) for i in reversed(range(part))]
    return places


def byteswap(self, inplace=False):
    """The elements with their bytes in the other order: a new array, or this one.

    Bytes of complex numbers are swapped in the real and the imaginary part, those of records in each field; plain bytes
    (``V10``) stay where they are.

    >>> tombac.array([1, 256], dtype='int16').byteswap()
    array([256,   1], dtype=int16)
    """
    swapped = self.copy(order="C")
    plain = self.dtype.char != "V"
    places = None if plain else _swapped_bytes(self.dtype)
    part = self.itemsize // 2 if self.dtype.kind == "c" else self.itemsize
    if part > 1 and (plain or places != list(range(part))):
        parts = swapped.reshape(-1).view("u1").reshape(-1, part)
        moved = parts[:, ::-1] if plain else parts[:, places]
        swapped = _core.ascontiguousarray(moved).reshape(-1).view(self.dtype).reshape(self.shape)
    if not inplace:
        return swapped
    self[...] = swapped
    return self


def choose(self, choices, out=None, mode="raise"):
    """See tombac.choose."""
    return _select.choose(self, choices, out, mode)


def _with_part(self, dtype, offset):
    """A view of the elements as records with a field ``part`` of that dtype, so many bytes from their beginning."""
    dtype, offset = np.dtype(dtype), operator.index(offset)
    if offset < 0:
        raise ValueError("offset is negative")
    if dtype.hasobject:
        raise TypeError("Cannot get/set field of an object array")
    if offset + dtype.itemsize > self.itemsize:
        raise ValueError("new type plus offset is larger than original type")
    return self.view(np.dtype({"names": ["part"], "formats": [dtype], "offsets": [offset], "itemsize": self.itemsize}))


def getfield(self, dtype, offset=0):
    """A view of a part of each element as another dtype, which begins that many bytes from the element's beginning.

    The parts must be aligned; NumPy's may lie anywhere.

    >>> tombac.array([1 + 2j, 3 + 4j]).getfield('float64', 8)
    array([2., 4.])
    """
    return _with_part(self, dtype, offset)["part"]


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


def setfield(self, val, dtype, offset=0):
    """Writes to a part of each element as another dtype; see ndarray.getfield.

    >>> a = tombac.array([1 + 2j, 3 + 4j])
    >>> a.setfield(0.5, 'float64', 8)
    >>> a
    array([1.+0.5j, 3.+0.5j])
    """
    _with_part(self, dtype, offset)["part"] = val


def setflags(self, write=None, align=None, uic=None):
    """Accepts what is so: arrays are aligned, and may be written to unless their memory is read-only.

    Being read-only is a property of memory here, not of an array: ``write=False`` of memory that is not raises
    NotImplementedError, where NumPy protects the array.

    >>> tombac.zeros(2).setflags(write=True)
    """
    if uic:
        raise ValueError("cannot set WRITEBACKIFCOPY flag to True")
    if align is not None and not align:
        raise NotImplementedError("setflags: arrays are aligned, align cannot be False")
    if write is None or bool(write) is self.flags.writeable:
        return
    if write:
        raise ValueError("cannot set WRITEABLE flag to True of this array")
    raise NotImplementedError("setflags: an array cannot be made read-only; that is a property of its memory")


def sort(self, axis=-1, kind=None, order=None, *, stable=None):
    """Sorts in place; see tombac.sort."""
    if kind is None and order is None and axis is not None and self._kind not in "VmM":
        _core._sort_into(self, axis)
    else:
        _sorting.sort_in_place(self, axis, kind, order, stable)


def to_numpy(self):
    """A NumPy array of the same elements: ``get()``, by the name that pandas' users know and xarray looks for."""
    return self.get()


for _method in (argpartition, argsort, byteswap, choose, getfield, nonzero, partition, scatter_add, scatter_max,
                scatter_min, searchsorted, setfield, setflags, sort, to_numpy):
    _core._add_method(_method.__name__, _method)
