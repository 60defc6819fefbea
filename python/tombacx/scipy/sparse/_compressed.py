"""Matrices whose rows (CSR) or columns (CSC) lie together: data, indices and indptr.

"Major" is the direction of which each line's elements follow one another: rows for CSR, columns for CSC. A CSC matrix
is the pattern of the CSR matrix that is its transpose.
"""

from tombac import _core
from tombac._histograms import bincount
from tombac._math import diff
from tombac._numpy import np
from tombac._sorting import searchsorted
from tombacx.scipy.sparse import _host
from tombacx.scipy.sparse._base import FAMILY, SparseBase
from tombacx.scipy.sparse._by_scipy import ByScipy, by_scipy, is_small
from tombacx.scipy.sparse._extremes import Extremes
from tombacx.scipy.sparse._indexing import Indexing
from tombacx.scipy.sparse._loops import by_loops
from tombacx.scipy.sparse._shapes import as_axes, as_order, as_shape, check_axes, is_shape, two_dimensions
from tombacx.scipy.sparse._structure import as_indices, at, cast_index, index_dtype, resized, runs_summed

__all__ = ["NEVER", "Compressed", "ends_checked", "looked_over", "register"]

_SORTED, _UNIQUE, _VALID = 1, 2, 4
_ONCE = _SORTED | _UNIQUE
NEVER = -1  # when nobody has looked at indices
_ORDERS = None, "C", "F"


class Compressed(ByScipy, Indexing, Extremes, SparseBase):
    """What CSR and CSC have in common."""

    def __init__(self, arg1, shape=None, dtype=None, copy=None, *, maxprint=None):
        _host.known(self, arg1, dtype)
        if isinstance(arg1, SparseBase):
            self._take_over(arg1, shape, copy)
        elif _host.is_sparse(arg1):
            self._take_host(arg1, shape, copy)
        elif isinstance(arg1, tuple) and is_shape(arg1, self._allow_nd):
            own = as_shape(arg1, self._allow_nd)
            shape = own if shape is None else as_shape(shape, self._allow_nd)
            lines, wanted = (self._swap(two_dimensions(x))[0] for x in (own, shape))
            if lines != wanted:
                raise ValueError(f"index pointer size {lines + 1} should be {wanted + 1}")
            self._take_parts(shape, *self._nothing(shape), _SORTED | _UNIQUE | _VALID)
        elif isinstance(arg1, tuple) and len(arg1) == 2:
            a = self._of("coo")(arg1, shape=shape, dtype=dtype).asformat(self.format)
            self._take_over(a, None, False)
        elif isinstance(arg1, tuple) and len(arg1) == 3:
            self._take_given(arg1, shape, copy)
        elif isinstance(arg1, tuple):
            raise ValueError("unrecognized form for a sparse matrix: (data, (row, col)), (data, indices, indptr) or a "
                             "shape is expected")
        else:
            self._take_dense(_host.dense(arg1), shape)
        if dtype is not None and self.data.dtype != dtype:
            self.data = self.data.astype(dtype)
        SparseBase.__init__(self, self._shape, maxprint)

    # ---- construction

    def _take_parts(self, shape, data, indices, indptr, found):
        self._shape = shape
        # One assignment, so that other threads see parts that belong together. found: by _sparse_check, or None.
        self._parts = (data, indices, indptr, found)
        # What was written later than that to their memory has not been looked at.
        self._checked, self._said = _core._sparse_written(indices, indptr), None

    def _same(self):
        """A matrix with this one's parts, which stays as it is whatever becomes of this one."""
        self._usable()
        a = object.__new__(type(self))
        a._shape, a._parts, a._checked, a._said, a.maxprint = (
            self._shape, self._parts, self._checked, self._said, self.maxprint)
        return a

    @property
    def _table(self):
        """The shape, that of one row in place of an array of one dimension."""
        return self._shape if len(self._shape) == 2 else (1, *self._shape)

    def _nothing(self, shape):
        n = self._swap(two_dimensions(shape))[0]
        dtype = index_dtype(*shape)
        return _core.zeros((0,), np.float64), _core.zeros((0,), dtype), _core.zeros((n + 1,), dtype)

    def _take_over(self, a, shape, copy):
        a = a.asformat(self.format)
        *parts, found = a._parts
        if a.ndim == 1 and (shape is not None or not self._is_array):
            self._take_given(parts, (1, *a._shape) if shape is None else shape, copy)
            return self._check()  # whether a shorter one has room for all
        if shape is not None and as_shape(shape, self._allow_nd) != a._shape:
            raise ValueError(f"inconsistent shapes: {a._shape} and {shape}")
        self._take_parts(a._shape, *(x.copy() for x in parts) if copy else parts, found)

    def _take_host(self, a, shape, copy):
        a = a.asformat(self.format)
        own = as_shape(a.shape, self._allow_nd)
        parts = [_host.dense(x, copy) for x in (a.data, a.indices, a.indptr)]
        if len(own) == 1 and shape is not None:
            self._take_given(parts, shape, False)
            return self._check()
        if shape is not None and as_shape(shape, self._allow_nd) != own:
            raise ValueError(f"inconsistent shapes: {own} and {shape}")
        self._take_parts(own, parts[0], *as_indices(*parts[1:]), None)
        self._checked = NEVER

    def _take_given(self, parts, shape, copy):
        data, indices, indptr = _host.dense(parts[0], copy), *(_host.index(x, copy) for x in parts[1:])
        for name, x in (("data", data), ("indices", indices), ("indptr", indptr)):
            if x.ndim != 1:
                raise ValueError(f"data, indices, and indptr should be 1-D; {name} has {x.ndim} dimensions")
        if data.size != indices.size:
            raise ValueError("indices and data should have the same size")
        if shape is None:
            n = int(indices.max()) + 1 if indices.size else 0
            shape = self._swap((indptr.size - 1, n))
        shape = as_shape(shape, self._allow_nd)
        data, indices = ends_checked(data, indices, indptr, self._swap(two_dimensions(shape))[0])
        keeps = self._is_array and "int64" in (indices.dtype, indptr.dtype)
        dtype = np.int64 if keeps else index_dtype(*shape, data.size)
        indices, indptr = cast_index(dtype, indices, indptr)
        given = (data.copy(), indices.copy(), indptr.copy()) if copy else (data, indices, indptr)
        self._take_parts(shape, *given, None)
        self._checked = NEVER  # the indices are looked at when they are used

    def _take_dense(self, a, shape):
        if not self._is_array:
            a = a.reshape((1,) * (2 - a.ndim) + a.shape)
        if a.ndim == 0 and self.format == "csr":
            raise TypeError("csr_array has one or two dimensions, not 0")
        if a.ndim not in self._allow_nd:
            most = "one or two dimensions" if 1 in self._allow_nd else "two dimensions"
            raise ValueError(f"{type(self).__name__} has {most}, not {a.ndim}: {a.ndim}D input is not supported")
        own, a = a.shape, a.reshape((1,) * (2 - a.ndim) + a.shape)
        rows, cols = self._swap(a.shape)
        lines = a if self.format == "csr" else a.T
        major, minor = _core.nonzero(lines)
        dtype = index_dtype(rows, cols, major.size)
        indptr = searchsorted(major, _core.arange(rows + 1)).astype(dtype)
        data = lines[major, minor] if major.size else _core.empty((0,), a.dtype)
        self._take_parts(own, data, minor.astype(dtype), indptr, _SORTED | _UNIQUE | _VALID)
        if shape is not None and len(own) == 1:
            self._take_over(self, shape, False)
        elif shape is not None and as_shape(shape, self._allow_nd) != own:
            raise ValueError(f"inconsistent shapes: {own} and {shape}")

    def _check(self):
        """Raises ValueError for parts that are no matrix."""
        lines, length = self._swap(self._table)
        data, indices, indptr, _ = self._parts
        written = _core._sparse_written(indices, indptr)
        data, indices = ends_checked(data, indices, indptr, lines)
        self._parts = data, indices, indptr, looked_over(lines, length, indptr, indices, self._names[1])
        self._checked = written

    def _with(self, data, indices, indptr, shape=None, canonical=False):
        """A matrix of this class with these parts, unchecked."""
        a = self._from_parts(data, indices, indptr, self._shape if shape is None else shape, canonical)
        a.maxprint = self.maxprint
        return a

    @classmethod
    def _from_parts(cls, data, indices, indptr, shape, has_canonical_format=False):
        """A matrix of these parts, unchecked."""
        a = object.__new__(cls)
        found = _SORTED | _UNIQUE | _VALID if has_canonical_format else None
        a._take_parts(tuple(shape), data, indices, indptr, found)
        a.maxprint = 50
        return a

    def _mapped(self, f, copy=False):
        """A matrix of other values at the same places, whose arrays both share unless they are to be copied."""
        a = self._same()
        data, indices, indptr, found = a._parts
        a._parts = (f(data), indices.copy(), indptr.copy(), found) if copy else (f(data), indices, indptr, found)
        return a

    # ---- what it is

    @property
    def data(self):
        """The elements."""
        return self._parts[0]

    @data.setter
    def data(self, data):
        data = _host.dense(data)
        self._parts = (data, *self._parts[1:])
        if data.shape != self._parts[1].shape:
            self._checked = NEVER

    @property
    def indices(self):
        """The column (CSR) or row (CSC) of each element. Others may be set, and are looked at when they are used."""
        return self._parts[1]

    @indices.setter
    def indices(self, indices):
        self._parts = (self._parts[0], *as_indices(_host.dense(indices), self._parts[2]), None)
        self._checked, self._said = NEVER, None

    @property
    def indptr(self):
        """Where the elements of each row (CSR) or column (CSC) begin, and where those of the last one end."""
        return self._parts[2]

    @indptr.setter
    def indptr(self, indptr):
        self._parts = (self._parts[0], *as_indices(self._parts[1], _host.dense(indptr)), None)
        self._checked, self._said = NEVER, None

    @property
    def _found(self):
        return self._parts[3]

    @_found.setter
    def _found(self, found):
        self._parts = (*self._parts[:3], found)

    def _stored(self):
        return self._usable()._parts[:3]

    def _pattern(self):
        _, indices, indptr, _ = self._usable()._parts
        return (*self._swap(self._table), indptr, indices)

    def _is_known(self):
        """Whether indices have been looked at since they were written."""
        _, indices, indptr, _ = self._parts
        return _core._sparse_written(indices, indptr) <= self._checked

    def _usable(self):
        if not self._is_known():
            self._check()
        return self

    def _still_known(self):
        self._checked = _core._sparse_written(*self._parts[1:3])

    def _flags(self):
        if (found := self._usable()._parts[3]) is not None:
            return found
        a = self._same()
        if a._found is None:
            found = _core._sparse_check(*a._pattern())
            if self._parts[1] is a._parts[1] and self._parts[2] is a._parts[2]:
                self._found = found
            return found
        return a._found

    @property
    def has_canonical_format(self):
        """Whether indices ascend in each line, and no element is stored twice."""
        return self._flags() & (_SORTED | _UNIQUE) == _SORTED | _UNIQUE if self._said is None else self._said

    def _known_once(self):
        """The elements, if it is known that none is stored twice and nothing is to be looked at again; or None."""
        data, indices, indptr, found = self._parts
        once = found is not None and found & _ONCE == _ONCE
        return data if once and _core._sparse_written(indices, indptr) <= self._checked else None

    def _values(self):
        data = self._known_once()
        return super()._values() if data is None else data

    def _stores_once(self):
        """Whether it is known, and not only said, that no element is stored twice."""
        return (found := self._usable()._parts[3]) is not None and found & _ONCE == _ONCE

    @has_canonical_format.setter
    def has_canonical_format(self, on):
        self._said = True if on else None
        self._found = self._found if on else None

    @property
    def has_sorted_indices(self):
        """Whether indices do not descend in any line."""
        return bool(self._flags() & _SORTED)

    @has_sorted_indices.setter
    def has_sorted_indices(self, on):
        self._found = self._flags() & ~(_SORTED | _UNIQUE) if not on else self._flags() | _SORTED

    def _counts(self, axis):
        axes = (axis,) if type(axis) is int and 0 <= axis < 2 == len(self._shape) else as_axes(axis, self.ndim)
        if axes is None:
            return self._count()
        _, length, indptr, indices = self._pattern()
        return bincount(indices, minlength=length) if self._swap((0, 1))[0] == axes[0] else diff(indptr)

    def get(self, stream=None, *, copy=True):
        """The matrix as SciPy's, on the host: a copy of the parts; see ``SparseBase.get``."""
        a = self._same()
        return _host.to_scipy(a, a._parts[:3], copy)

    # ---- order and duplicates

    def sorted_indices(self):
        """The same with indices that ascend in each line."""
        a = self._same()
        if a.has_sorted_indices:
            return a.copy()
        indptr, indices, order = _core._sparse_sort(*a._pattern())
        return a._with(at(a.data, order), indices, indptr.copy())

    def sort_indices(self):
        """Puts indices in order in each line."""
        if not self.has_sorted_indices:
            self._become(self.sorted_indices())
            self._found = None

    def _canonical(self):
        found = self._usable()._parts[3]
        return self if self.format == "csr" and found is not None and found & _ONCE == _ONCE else super()._canonical()

    def _canonical_here(self):
        return self._summed()

    def _summed(self):
        """The same with each element stored once, in order."""
        if self.has_canonical_format:
            return self._usable()
        a = self._same()
        a = a if a.has_sorted_indices else a.sorted_indices()
        indptr, indices, first = _core._sparse_unique(*a._pattern())
        if first.size == a.data.size:
            return a._with(a.data, a.indices, a.indptr, canonical=True)
        return a._with(runs_summed(a.data, first), indices, indptr, canonical=True)

    def sum_duplicates(self):
        """Stores each element once: the sum of those that are stored more often."""
        if self._said or self._known_once() is not None or self._stores_once():
            return
        if not self.has_canonical_format:
            self._become(self._summed())

    def check_format(self, full_check=True):
        """Raises ValueError where the parts are no matrix.

        Args:
            full_check: Accepted; all is looked at, which is one pass over the indices.
        """
        self._check()

    def _become(self, other):
        self._take_parts(self._shape, other.data, other.indices, other.indptr, other._found)

    def eliminate_zeros(self):
        """Stores no element that is zero."""
        a = self._same()
        a.data.data  # noqa: B018 - the memory: what it is computed from is gathered once, not for the count and again
        if int(_core.count_nonzero(a.data)) < a.data.size:  # which is mostly not so, and quick to see
            self._become(a._picked(_core.nonzero(a.data)[0]))

    def _resize(self, shape):
        a, (lines, length) = self._same(), self._swap(two_dimensions(shape))
        *parts, found = a._parts
        self._take_parts(shape, *resized(*parts, lines, length, length < self._swap(self._table)[1]), found)

    def _picked(self, kept):
        """The same with the elements that have these numbers, which ascend, and no others."""
        indptr = searchsorted(kept, self.indptr).astype(self.indptr.dtype)
        a = self._with(at(self.data, kept), at(self.indices, kept), indptr)
        a._found = self._found
        return a

    def prune(self):
        """Gives up what data and indices hold beyond the last element, if they have been made longer by hand."""
        n = int(self.indptr[-1])
        if n < self.indices.size:
            self.data, self.indices, self._found = self.data[:n].copy(), self.indices[:n].copy(), None

    # ---- formats

    def _line_numbers(self):
        """The line of each element."""
        return _core._sparse_rows(*self._pattern())

    def tocoo(self, copy=False):
        """The same in the COO format."""
        a = self._same()
        lines = a._line_numbers() if self.ndim == 2 else None
        indices, data = (a.indices.copy(), a.data.copy()) if copy else (a.indices, a.data)
        coords = (indices,) if lines is None else self._swap((lines, indices))
        result = self._of("coo")._made(self._shape, data, *coords)
        result._once = a._stores_once() and self.format == "csr"
        return result

    def _turned(self, format):
        """The same with the lines in the other direction."""
        a = self._same()
        indptr, indices, data = _core._sparse_transpose_values(*a._pattern(), a.data)
        result = object.__new__(self._of(format))
        found = a._found if a._found is not None and a._found & _SORTED else None
        result._take_parts(self._shape, data, indices, indptr, found)
        result.maxprint = self.maxprint
        return result

    def transpose(self, axes=None, copy=False):
        """The transpose, which shares the parts unless they are to be copied; an array of one dimension itself."""
        if self.ndim == 1:
            if axes is not None:
                as_order(axes, 1)
            return self.copy() if copy else self
        check_axes(axes)
        a = object.__new__(self._of("csc" if self.format == "csr" else "csr"))
        *parts, found = self._same()._parts
        a._take_parts(self._shape[::-1], *(x.copy() for x in parts) if copy else parts, found)
        a.maxprint = self.maxprint
        return a

    def toarray(self, order=None, out=None):
        """A dense array; see ``SparseBase.toarray``."""
        if out is None and order in _ORDERS:
            data, indices, indptr, _ = self._usable()._parts
            dense = _core._sparse_to_dense(*self._swap(self._table), indptr, indices, data, self.format == "csc",
                                           order == "F")
            if dense is not None:
                return dense if len(self._shape) == 2 else dense.reshape(self._shape)
        a = self._same()
        return a.tocoo()._filled(order, out, a._stores_once())

    @by_loops
    @by_scipy("tobsr", leaves=is_small)
    def tobsr(self, blocksize=None, copy=False):
        """The same in the BSR format, in blocks of that size. CuPy refuses."""
        return self._of("bsr")._grouped(self, blocksize)

    # ---- products

    def _times_dense(self, other):
        data, indices, indptr, _ = self._usable()._parts
        product = _core._sparse_matmul(*self._swap(self._table), indptr, indices, data, other, self.format == "csc")
        return product if self.ndim == 2 else product.reshape(other.shape[1:])

    def _times_sparse(self, other):
        a, b = self._same(), other.asformat(self.format)._same()
        if self.format == "csc":
            a, b = b, a
        p, q = a._pattern(), b._pattern()
        wide = "l" in (p[3].dtype.char, q[3].dtype.char)
        shape = (self._shape[0], other._shape[1])
        while True:
            dtype = np.int64 if wide else np.int32
            p, q = ((*x[:2], *cast_index(dtype, *x[2:])) for x in (p, q))
            try:
                indptr, indices, data = _core._sparse_multiply(*p, a.data, *q, b.data)
            except OverflowError:
                if wide:
                    raise
                wide = True
            else:
                if not data.size:
                    return type(self)(shape, dtype=data.dtype)
                result = self._with(data, indices, indptr, shape)
                result.eliminate_zeros()
                return result

    # ---- diagonals

    def diagonal(self, k=0):
        """The k-th diagonal, a dense vector of zero length if it lies outside."""
        rows, cols = self._two("diagonal")
        found = _core._sparse_diagonal(*self._pattern(), self.data, k if self.format == "csr" else -k)
        if found is not None:
            return found
        n = min(rows + min(k, 0), cols - max(k, 0))
        if n <= 0:
            return _core.empty((0,), self.dtype)
        a = self._compressed()
        first = _core.arange(n, dtype=a.indices.dtype)
        at_row, at_col = first - k if k < 0 else first, first + k if k > 0 else first
        from tombacx.scipy.sparse._structure import at_or_zero

        return at_or_zero(a.data, _core._sparse_find(*a._pattern(), *a._swap((at_row, at_col))))

    def setdiag(self, values, k=0):
        """Sets the k-th diagonal to a number, or to the elements of a vector, of which the first are taken.

        Where elements come to what is stored, the dtype is one that the vector's have a place in, as SciPy's.
        """
        row, col, values = self._diagonal_places(values, k)
        dtype = self.dtype if values.dtype == self.dtype else np.result_type(self.dtype, values.dtype)
        if dtype != self.dtype and values.size:
            a = self._compressed()
            found = _core._sparse_find(*a._pattern(), *cast_index(a.indices.dtype, *self._swap((row, col))))
            if (found < 0).any():
                self._become(self._summed().astype(dtype))
        self._put(row, col, values.astype(self.dtype, copy=False))


def ends_checked(data, indices, indptr, lines):
    """Data and indices up to where the last line ends, or ValueError if the lines do not begin and end among them."""
    if indptr.size != lines + 1:
        raise ValueError(f"index pointer size {indptr.size} should be {lines + 1}")
    ends = indptr[:: max(indptr.size - 1, 1)].tolist()  # with one wait for a GPU
    first, n = ends[0], ends[-1]
    if first != 0:
        raise ValueError(f"index pointer should start with 0, not {first}")
    if n > min(indices.size, data.shape[0]):
        raise ValueError("Last value of index pointer should be less than the size of index and data arrays")
    return (data, indices) if n == indices.size == data.shape[0] else (data[:n], indices[:n])


def looked_over(lines, length, indptr, indices, name):
    """What is to be said of a pattern, or ValueError if it is none."""
    found = _core._sparse_check(lines, length, indptr, indices)
    if found & _VALID:
        return found
    if bool((indptr[1:] < indptr[:-1]).any()):
        raise ValueError("indptr must be a non-decreasing sequence")
    if int(indices.min()) < 0:
        raise ValueError(f"negative {name} index found")
    raise ValueError(f"{name} index {int(indices.max())} exceeds matrix dimension {length}")


def register(cls):
    """Says that this is the class of its format."""
    FAMILY[cls.format, cls._is_array] = cls
    return cls
