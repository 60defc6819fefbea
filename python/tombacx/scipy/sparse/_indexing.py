"""Keys of compressed matrices: numbers, slices, arrays of places and masks, read and written."""

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._sorting import searchsorted
from tombacx.scipy.sparse._arithmetic import slow
from tombacx.scipy.sparse._coords import MOST_ROWS
from tombacx.scipy.sparse._keys import assigned, index_at, items_of, together
from tombacx.scipy.sparse._structure import among, at, at_or_zero, cast_index, pair

__all__ = ["Indexing"]


class Indexing:
    """Reading and writing by key, for matrices of which lines lie together."""

    # ---- keys

    def _index_of(self, i, axis):
        return index_at(i, self._shape[axis], ("row", "column")[axis])

    def _two_keys(self, key, new=False):
        """What picks rows, and columns; new axes may be among them, or not."""
        if type(key) is tuple and len(key) == 2 == len(self._shape) and type(key[0]) is type(key[1]) is int:
            return self._index_of(key[0], 0), self._index_of(key[1], 1)
        items = items_of(key, self._shape)
        if any(k is None for k in items) and not new:
            raise IndexError("newaxis is not supported in sparse matrices")
        return [k for k in items if k is not None]

    # ---- reading

    def __getitem__(self, key):
        return self._read(*self._two_keys(key))

    def _read(self, row, col):
        """What two items of a key pick: integers, slices or index arrays, none negative."""
        if type(row) is type(col) is int:
            return self._read_element(row, col)
        arrays = isinstance(row, _core.ndarray), isinstance(col, _core.ndarray)
        if arrays == (True, True):
            return self._read_places(row, col)
        for key in (row, col):
            if isinstance(key, _core.ndarray) and key.ndim == 2:
                if int in (type(row), type(col)):
                    return self._read_line_in_shape(row, col, key.shape)
                if 1 not in key.shape:
                    raise IndexError("index arrays of two dimensions must be a row or a column")
        major, minor = self._swap((row, col))
        a = self if _is_all(major) else self._read_lines(major)
        return (a.copy() if a is self else a) if _is_all(minor) else a._read_across(minor)

    def _read_line_in_shape(self, row, col, shape):
        """Places of one row, or one column, as an index array of two dimensions has them."""
        line = self._read(*(k if isinstance(k, int) else k.reshape(-1) for k in (row, col)))
        return line if line._shape == shape else line.tocoo()._reshaped(shape, "C")

    def _read_element(self, row, col):
        a, place = self, self._swap((row, col))
        if not self._is_known():
            a, place = self._lines_between(place[0], 1), (0, place[1])
        a = a._compressed()
        found = _core._sparse_element(*a._pattern(), a.data, *place)
        if found is not None:
            return found
        place = [_core.full((1,), i, a.indices.dtype) for i in place]
        return at_or_zero(a.data, _core._sparse_find(*a._pattern(), *place))[0]

    def _read_lines(self, key):
        if isinstance(key, int):
            return self._lines_between(key, 1)
        if isinstance(key, slice):
            first, stop, step = key.indices(self._swap(self._table)[0])
            if step == 1:
                return self._lines_between(first, max(stop - first, 0))
            key = _core.arange(first, stop, step)
        return self._lines_taken(key.reshape(-1))

    def _lines_between(self, first, n):
        lines, length = self._swap(self._table)
        known = self._is_known()
        if not known and self.indptr.size != lines + 1:
            self._usable()
        data, indices, indptr, found = self._parts
        start, end = (int(indptr[i]) for i in (first, first + n)) if n else (0, 0)
        starts = indptr[first : first + n + 1] - start if n else _core.zeros((1,), indptr.dtype)
        a = self._with(data[start:end].copy(), indices[start:end].copy(), starts.astype(indptr.dtype, copy=False),
                       self._swap((n, length)))
        if known:
            a._found = found
        else:
            a._check()  # which looks at these alone
        return a

    def _lines_taken(self, lines):
        (lines,) = cast_index(self.indices.dtype, lines)
        shape = self._swap((lines.size, self._swap(self._table)[1]))
        if lines.size == 0:
            return type(self)(shape, dtype=self.dtype)
        picked = _core._sparse_pick(*self._pattern(), self.data, False, lines)
        if picked is None:
            indptr, indices, numbers = _core._sparse_take(*self._pattern(), lines)
            picked = indptr, indices, at(self.data, numbers)
        indptr, indices, data = picked
        a = self._with(data, indices, indptr, shape)
        a._found = self._found
        return a

    def _read_across(self, key):
        lines, length = self._swap(self._usable()._table)
        if isinstance(key, _core.ndarray):
            if key.size == 0:
                return type(self)(self._swap((lines, 0)), dtype=self.dtype)
            if length > MOST_ROWS:
                return self._read_far_across(key.reshape(-1))
            (key,) = cast_index(self.indices.dtype, key.reshape(-1))
            picked = _core._sparse_pick(*self._pattern(), self.data, True, key)
            if picked is not None:
                indptr, indices, data = picked
                return self._with(data, indices, indptr, self._swap((lines, key.size)))
            other = "csc" if self.format == "csr" else "csr"
            return self._turned(other)._lines_taken(key).asformat(self.format)
        if isinstance(key, int):
            key = slice(key, key + 1)
        first, stop, step = key.indices(length)
        n = len(range(first, stop, step))
        if n == 0 or self.data.size == 0:
            parts = self.data[:0], self.indices[:0], _core.zeros_like(self.indptr)
            return self._with(*parts, self._swap((lines, n)), canonical=True)
        far = self.indices - first
        if n == 1:
            inside = self.indices == first
        else:
            inside = (far >= 0) & (far < n) if step == 1 else (far % step == 0) & (far // step >= 0) & (far // step < n)
        kept = _core.nonzero(inside)[0]
        indptr = searchsorted(kept, self.indptr).astype(self.indptr.dtype)
        indices = at(self.indices, kept) - first
        indices = indices if step == 1 else indices // step
        a = self._with(at(self.data, kept), indices.astype(self.indices.dtype, copy=False), indptr,
                       self._swap((lines, n)))
        a._found = self._found if step > 0 else None
        return a

    def _read_far_across(self, key):
        """The same for an index array in lines so long that nothing should have an element for each of their places."""
        count, which, kept, index = among(key, self.indices)
        a = self._picked(kept)
        shape = self._swap((self._swap(self._table)[0], count))
        return a._with(a.data, index.astype(a.indices.dtype, copy=False), a.indptr, shape)._read_across(which)

    def _read_places(self, row, col):
        if row.ndim == 2 and col.ndim <= 2 and row.shape[1] == 1 and (col.ndim == 1 or col.shape[0] == 1):
            major, minor = self._swap((row.reshape(-1), col.reshape(-1)))
            return self._lines_taken(major)._read_across(minor)
        row, col = together(row, col)
        if row.size == 0:
            cls = self._of("coo") if self._is_array and row.ndim == 1 else type(self)
            return cls(row.shape if row.ndim == 2 or self._is_array else (1, 0), dtype=self.dtype)
        a = self._compressed()
        places = cast_index(a.indices.dtype, *a._swap((row.reshape(-1), col.reshape(-1))))
        values = at_or_zero(a.data, _core._sparse_find(*a._pattern(), *places))
        if row.ndim == 1:
            return values if self._is_array else values[None, :]
        return type(self)(values.reshape(row.shape))

    # ---- writing

    def __setitem__(self, key, value):
        row, col = self._two_keys(key, new=True)
        arrays = [isinstance(k, _core.ndarray) for k in (row, col)]
        repeats = any(arrays) and np.ndim(value) > 0
        if not all(arrays):
            row, col = self._grid(row, col)
        row, col = together(row, col)
        value, stored = assigned(value, self.dtype, row.shape)
        parts = [x.reshape(-1) for x in (row, col, value)]
        if stored is not None:  # where nothing is stored there is a zero only if something was
            a = self._compressed()
            place = cast_index(a.indices.dtype, *a._swap(parts[:2]))
            kept = _core.nonzero(stored.reshape(-1) | (_core._sparse_find(*a._pattern(), *place) >= 0))[0]
            parts = [at(x, kept) for x in parts]
        self._put_slowly(*parts, repeats)

    def _grid(self, row, col):
        """Places of every row with every column; with one of either those of an array in its shape."""
        for key, other in ((row, col), (col, row)):
            if isinstance(key, int) and isinstance(other, _core.ndarray) and other.ndim == 2:
                line = _core.full((1, 1), key, np.int64)
                return (line, other) if key is row else (other, line)

        def numbers(key, n):
            if isinstance(key, int):
                return _core.full((1,), key, np.int64)
            return _core.arange(*key.indices(n)) if isinstance(key, slice) else key.reshape(-1)

        return numbers(row, self._shape[0])[:, None], numbers(col, self._shape[1])[None, :]

    def _put(self, row, col, value, repeats=False):
        """Stores values, the last of several for one place if it repeats, and says whether there are new elements."""
        if value.size == 0:
            return False
        a = self._compressed()
        lines, length = self._swap(self._table)
        major, minor = cast_index(a.indices.dtype, *self._swap((row, col)))
        if repeats and _core.backend() != "cpu":  # which stores whatever comes last
            start, index, last = _last_of_each(major, minor, lines, length)
            major, minor, value = major[last], minor[last], value[last]
        found = _core._sparse_find(*a._pattern(), major, minor)
        if bool((found >= 0).all()):
            a.data[found] = value
            self._become(a)
            return False
        start, index, last = _last_of_each(major, minor, lines, length)
        value = value[last]
        p, q = pair(a._pattern(), (lines, length, start, index))
        start, index, old, new = _core._sparse_match(*p, *q, True)
        data = where(new >= 0, at_or_zero(value, new), at_or_zero(a.data, old))
        self._become(a._with(data, index, start, canonical=True))
        return index.size != a.indices.size

    def _put_slowly(self, row, col, value, repeats=False):
        """The same, as the user asks for, who is told of another way if there are new elements."""
        if self._put(row, col, value, repeats):
            slow(f"Changing the sparsity structure of a {self.format}_{'array' if self._is_array else 'matrix'} is "
                 "expensive: lil and dok are more efficient.")


def _last_of_each(major, minor, lines, length):
    """The pattern of some places, and which one of those that are one place comes last."""
    start, index, order = _core._sparse_group(major[::-1], minor[::-1], lines, length)
    start, index, first = _core._sparse_unique(lines, length, start, index)
    return start, index, major.size - 1 - order[first]


def _is_all(key):
    return isinstance(key, slice) and key == slice(None)
