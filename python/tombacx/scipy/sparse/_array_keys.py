"""Keys of sparse arrays: integers take an axis away, and in the COO format there may be any number of them.

An array of one or many dimensions is read by way of a matrix, too: what index arrays pick are its rows.
"""

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse._coords import grouped, numbers_of
from tombacx.scipy.sparse._keys import Layout, assigned, items_of
from tombacx.scipy.sparse._structure import among, at, cast_index, index_dtype

__all__ = ["ArrayKeys"]


class ArrayKeys:
    """Reading and writing by key for sparse arrays."""

    def __getitem__(self, key):
        if self.format != "coo" and self.ndim == 2:
            return self._read_lines_and_keys(key)
        items = items_of(key, self._shape, 32)
        layout = Layout(items, self._shape)
        if self.format == "coo":
            return _read(self, layout)
        if layout.shape == () and not layout.has_arrays:
            self._usable()
            row = self._with(self.data, self.indices, self.indptr, self._table)
            return row._read(0, *items)
        self._shaped(layout)
        result = _read(self.tocoo(), layout)
        if layout.has_new and not layout.picks:
            return result
        a = result.asformat(self.format)
        dtype = index_dtype(*a._shape) if layout.has_arrays else self.indices.dtype
        return a._with(a.data, *cast_index(dtype, a.indices, a.indptr), a._shape, canonical=a._stores_once())

    def _shaped(self, layout):
        if len(layout.shape) > 2:
            raise IndexError(f"Indexing that leads to >2D is not supported by {self.format} format. Try converting to "
                             "COO format")

    def _read_lines_and_keys(self, key):
        items = items_of(key, self._shape, 32)
        kinds = [type(k) for k in items]
        is_flat = kinds == [_core.ndarray] * 2 and max(k.ndim for k in items) == 1
        if is_flat or kinds in ([int, int], [slice, slice]):
            return self._read(*items)
        layout = Layout(items, self._shape)
        self._shaped(layout)
        if type(None) not in kinds and int not in kinds:
            return self._read(*items)
        result = self._read(*(k for k in items if k is not None))
        if isinstance(result, _core.ndarray):
            return result.reshape(layout.shape)
        if result._shape != layout.shape:
            result = result.tocoo()._reshaped(layout.shape, "C")
        return result.asformat(self.format) if layout.has_new and len(layout.shape) == 2 else result

    def __setitem__(self, key, value):
        if self.format != "coo" and self.ndim == 2:
            super().__setitem__(key, value)
            return
        layout = Layout(items_of(key, self._shape, 32), self._shape)
        value, stored = assigned(value, self.dtype, layout.shape)
        stored = (value != 0 if stored is None else stored).reshape(-1)
        value = value.reshape(-1)
        coords = [x.reshape(-1) for x in layout.coords(self._shape)]
        if self.format == "coo":
            rows = self._matrix().tocsr()
            n = rows._shape[1]
            numbers = numbers_of(coords, self._shape, value.size)
            place = cast_index(rows.indices.dtype, numbers // max(n, 1), numbers % max(n, 1))
            rows._put(*place, value, layout.has_arrays)
            rows = _without(rows, place, stored) if layout.shape else rows
            a = rows.tocoo()._reshaped(self._shape, "C") if self.ndim != 2 else rows.tocoo()
            self._take_parts(self._shape, a.data, *a.coords)
            self._once, self._said = True, None
        else:
            self._put_slowly(_core.zeros_like(coords[0]), coords[0], value, layout.has_arrays)


def _without(rows, place, stored):
    """What is set to zero, or to nothing, is not stored."""
    if not stored.size or bool(stored.all()):
        return rows
    kept = _core.ones(rows.data.shape, np.bool_)
    kept[_core._sparse_find(*rows._pattern(), *place)] = stored
    return rows._picked(_core.nonzero(kept)[0])


def _read(a, layout):
    """The elements of a COO array that a key picks."""
    a = _sliced(a, layout.slices)
    if not layout.has_arrays:
        return _at_integers(a, layout)
    axes = [i for i, _ in layout.picks]
    lengths = [a._shape[i] for i in axes]
    wanted = [_core.broadcast_to(k, layout.together).reshape(-1) if isinstance(k, _core.ndarray) else k
              for _, k in layout.picks]
    count = next(k for k in wanted if not isinstance(k, int)).size
    wanted = [_core.full((count,), k, np.int64) if isinstance(k, int) else k for k in wanted]
    matrix = grouped(a, axes, [i for i, _ in layout.slices])
    rows, which, kept, row = among(numbers_of(wanted, lengths, count), matrix.row)
    rows = a._made((rows, matrix._shape[1]), at(matrix.data, kept), row, at(matrix.col, kept))
    picked = rows._lines("csr")._lines_taken(which)
    first = picked.tocoo()._reshaped(layout.first(), "C")
    order = layout.order()
    first = first if order == sorted(order) else first.transpose(order)
    return first if first._shape == layout.shape else first._reshaped(layout.shape, "C")


def _sliced(a, slices):
    """A COO array of the elements that slices pick along some axes."""
    coords, shape, inside = list(a._usable().coords), list(a._shape), None
    for i, key in slices:
        start, stop, step = key.indices(shape[i])
        n = len(range(start, stop, step))
        if (start, n, step) == (0, shape[i], 1):
            continue
        far = coords[i].astype(np.int64) - start
        here = (far >= 0) & (far < n) if step == 1 else (far % step == 0) & (far // step >= 0) & (far // step < n)
        inside = here if inside is None else inside & here
        coords[i], shape[i] = (far if step == 1 else far // step).astype(coords[i].dtype), n
    return _kept(a, inside, shape, coords)


def _kept(a, inside, shape, coords):
    data = a.data
    if inside is not None:
        kept = _core.nonzero(inside)[0]
        data, coords = at(data, kept), [at(x, kept) for x in coords]
    return a._made(tuple(shape), data, *coords)


def _at_integers(a, layout):
    inside = None
    for i, k in layout.picks:
        here = a.coords[i] == k
        inside = here if inside is None else inside & here
    axes = [i for i, _ in layout.slices]
    if not layout.shape:
        data = at(a.data, _core.nonzero(inside)[0])
        return data.any() if a.dtype.kind == "b" else data.sum(dtype=a.dtype)
    if not axes:  # one element with new axes
        axes, coords, shape = [], [_core.zeros_like(a.coords[0])] * len(layout.shape), layout.shape
        return _kept(a, inside, shape, cast_index(a.coords[0].dtype, *coords))
    b = _kept(a, inside, [a._shape[i] for i in axes], [a.coords[i] for i in axes])
    return b if b._shape == layout.shape else b._reshaped(layout.shape, "C")
