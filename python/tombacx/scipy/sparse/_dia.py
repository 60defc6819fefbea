"""Matrices in the DIA format: diagonals, each as long as the longest."""

from tombac import _core
from tombac._numpy import np
from tombac._sets import unique
from tombacx.scipy.sparse import _host
from tombacx.scipy.sparse._base import SparseBase, sparray, spmatrix
from tombacx.scipy.sparse._by_scipy import ByScipy, by_scipy
from tombacx.scipy.sparse._compressed import register
from tombacx.scipy.sparse._loops import ByLoops, by_loops, on_host
from tombacx.scipy.sparse._shapes import as_shape, check_axes, is_shape
from tombacx.scipy.sparse._structure import as_indices, cast_index, index_dtype

__all__ = ["dia_array", "dia_matrix", "isspmatrix_dia"]


_FEW, _LONG = 64, 1 << 12  # diagonals, and elements of them
_LITTLE = 1 << 14  # elements whose sums take less time than SciPy's checks
_COUNTED = 16  # diagonals whose elements are counted in a loop, for which NumPy takes longer
_VAST = 1 << 18  # elements for whose products SciPy waits for new memory


def _is_little(a):
    return a.data.size <= _LITTLE


def _is_long(a):
    """Whether there are few diagonals, and long ones: then each by itself takes less time than a matrix of rows."""
    count, length = a.data.shape
    return 0 < count <= _FEW and length >= _LONG and 0 not in a._shape


def _is_own(a):
    """Whether sums take less time than SciPy's checks, or than its passes over all diagonals."""
    return _is_little(a) or _is_long(a)


def _is_vast(a):
    return _is_long(a) and a.data.size >= _VAST


class DIA(ByScipy, ByLoops, SparseBase):
    """What dia_matrix and dia_array have in common."""

    format = "dia"

    def __init__(self, arg1, shape=None, dtype=None, copy=None, *, maxprint=None):
        _host.known(self, arg1, dtype)
        if isinstance(arg1, SparseBase) or _host.is_sparse(arg1):
            a = arg1.todia()
            data, offsets, found = _host.dense(a.data, copy), _host.dense(a.offsets, copy), tuple(a.shape)
            if copy and a is arg1:
                data, offsets = data.copy(), offsets.copy()
            if shape is not None and as_shape(shape) != found:
                raise ValueError(f"inconsistent shapes: {found} and {shape}")
            self._shape, self.data, self.offsets = found, data, offsets
        elif isinstance(arg1, tuple) and is_shape(arg1):
            self._shape = as_shape(arg1)
            self.data, self.offsets = _core.zeros((0, 0), np.float64), _core.zeros((0,), index_dtype(*self._shape))
        elif isinstance(arg1, tuple):
            self._take_given(arg1, shape, copy)
        else:
            arg1 = _host.dense(arg1)
            if self._is_array and arg1.ndim != 2:
                raise ValueError(f"DIA arrays don't support {arg1.ndim}D input. Use 2D")
            a = self._of("coo")(arg1, shape=shape).todia()
            self._shape, self.data, self.offsets = a._shape, a.data, a.offsets
        if dtype is not None and self.data.dtype != dtype:
            self.data = self.data.astype(dtype)
        SparseBase.__init__(self, self._shape, maxprint)

    def _take_given(self, arg1, shape, copy):
        try:
            data, offsets = arg1
        except (TypeError, ValueError) as e:
            raise ValueError("unrecognized form for a sparse matrix: (data, offsets) or a shape is expected") from e
        if shape is None:
            raise ValueError("expected a shape argument")
        self._shape = as_shape(shape)
        dtype = np.dtype(index_dtype(*self._shape))
        if not isinstance(offsets, _core.ndarray):  # of which NumPy says what is no such integer
            offsets = np.asarray(_core._on_host(offsets), dtype)
        data, offsets = _host.dense(data, copy), _host.dense(offsets, copy)
        data = data.reshape((1,) * (2 - data.ndim) + data.shape)
        offsets = offsets.reshape((1,) * (1 - offsets.ndim) + offsets.shape)
        if data.ndim != 2 or offsets.ndim != 1:
            raise ValueError("data must have two dimensions, and offsets one")
        if data.shape[0] != offsets.size:
            raise ValueError(f"number of diagonals ({data.shape[0]}) does not match the number of offsets "
                             f"({offsets.size})")
        (offsets,) = cast_index(dtype, offsets)  # which may make one of two
        if unique(offsets).size != offsets.size:
            raise ValueError("offset array contains duplicate values")
        self.data, self.offsets = data.copy() if copy else data, offsets
        self._know(None)

    @classmethod
    def _from_parts(cls, data, offsets, shape):
        """A matrix of these parts, unchecked."""
        a = object.__new__(cls)
        a._shape, a.data, a.offsets, a.maxprint = shape, data, offsets, 50
        a._know(None)
        return a

    # The offsets that have been looked at, with what shapes, up to which write to their memory; and whether none of
    # them is so far outside of the matrix that SciPy's loops would count beyond their integers, None if nobody knows.
    _looked_at = None, None, -1, None

    def _know(self, near):
        self._looked_at = self.offsets, (self._shape, self.data.shape), _core._sparse_written(self.offsets), near

    def _usable(self):
        offsets, shapes, written, _ = self._looked_at
        if (offsets is not self.offsets or shapes != (self._shape, self.data.shape)
                or _core._sparse_written(offsets) > written):
            self._check()
        return self

    def _stored(self):
        return self._usable().data, self.offsets

    def _still_known(self):
        self._know(self._looked_at[-1])

    def _check(self):
        """Raises ValueError for parts that are no matrix."""
        (self.offsets,) = (offsets,) = as_indices(self.offsets)
        written = _core._sparse_written(offsets)
        if self.data.ndim != 2 or offsets.ndim != 1:
            raise ValueError("data must have two dimensions, and offsets one")
        if self.data.shape[0] != offsets.size:
            raise ValueError(f"number of diagonals ({self.data.shape[0]}) does not match the number of offsets "
                             f"({offsets.size})")
        if len(set(offsets.tolist())) != offsets.size:
            raise ValueError("offset array contains duplicate values")
        self._looked_at = offsets, (self._shape, self.data.shape), written, None

    def _suits_loops(self):
        if self._usable()._looked_at[-1] is None:
            m, n = self._shape
            self._know(all(-m < k < n for k in self.offsets.tolist()))
        return self._looked_at[-1]

    def _mapped(self, f, copy=False):
        a = object.__new__(type(self))
        a._shape, a.data, a.offsets, a.maxprint = self._shape, f(self._usable().data), self.offsets, self.maxprint
        if copy:
            a.offsets = self.offsets.copy()
        a._know(self._looked_at[-1])
        return a

    def _inside(self):
        """Which elements of data are in the matrix, and the row of each."""
        m, n = self._usable()._shape
        col = _core.arange(self.data.shape[1])
        row = col[None, :] - self.offsets[:, None]
        return (row >= 0) & (row < m) & (col < n)[None, :], row

    def _lines(self):
        """For each diagonal with places in the matrix its elements there, its offset, and its first and last column."""
        m, n = self._usable()._shape
        for line, k in zip(self.data, self.offsets.get().tolist()):
            first, end = max(k, 0), min(m + k, n, self.data.shape[1])
            if first < end:
                yield line[first:end], k, first, end

    def _count(self):
        m, n = self._shape
        end = min(n, self.data.shape[1])
        offsets = self.offsets.get()
        if offsets.size > _COUNTED:
            offsets = offsets.astype(np.int64)
            return int(np.maximum(np.minimum(m + offsets, end) - np.maximum(offsets, 0), 0).sum())
        return sum(max(min(m + k, end) - max(k, 0), 0) for k in offsets.tolist())

    def count_nonzero(self, axis=None):
        """How many elements are not zero; along an axis it is not implemented, as in SciPy."""
        if axis is not None:
            raise NotImplementedError("count_nonzero over an axis is not implemented for the DIA format")
        if _is_long(self):
            return sum(int(_core.count_nonzero(line)) for line, _, _, _ in self._lines())
        return super().count_nonzero()

    def _counts(self, axis):
        raise NotImplementedError("getnnz over an axis is not implemented for DIA format")

    def get(self, stream=None, *, copy=True):
        """The matrix as SciPy's, on the host: a copy of the parts; see ``SparseBase.get``."""
        return _host.to_scipy(self, self._stored(), copy)

    def tocoo(self, copy=False):
        """The same in the COO format, without zeros."""
        if _core.backend() == "cpu":
            return self.tocsr().tocoo()
        inside, row = self._inside()
        inside &= self.data != 0
        diagonal, col = _core.nonzero(inside)
        dtype = index_dtype(*self._shape)
        data = self.data[diagonal, col] if col.size else _core.empty((0,), self.dtype)
        row = row[diagonal, col] if col.size else _core.empty((0,), dtype)
        coords = cast_index(dtype, row, col)  # along diagonals: they do not ascend
        return self._of("coo")._from_parts(data, *coords, self._shape)

    def tocsr(self, copy=False):
        """The same in the CSR format, without zeros."""
        made = _core._sparse_bands(*self._usable()._shape, self.offsets, self.data)
        if made is None:
            return self.tocoo().tocsr()
        indptr, indices, data = made
        return self._of("csr")._from_parts(data, indices, indptr, self._shape, True)

    def tocsc(self, copy=False):
        """The same in the CSC format, without zeros."""
        return self.tocoo().tocsc() if _core.backend() != "cpu" else self.tocsr().tocsc()

    def todia(self, copy=False):
        """This, or a copy."""
        return self.copy() if copy else self._usable()

    def _canonical_here(self):
        return self

    def _resize(self, shape):
        rows, data = self._usable()._shape[0], self.data[:, : shape[1]].copy()
        if shape[0] > rows:  # what was below the last one is in the matrix now
            row = _core.arange(data.shape[1]) - self.offsets[:, None]
            data = _core.where(row < rows, data, self.dtype.type(0))
        self.data, self._shape = data, shape

    # ---- by diagonals

    def diagonal(self, k=0):
        """The k-th diagonal, a dense vector of zero length if it lies outside; a view of data where that has all of it.
        """
        m, n = self._shape
        first, end = max(k, 0), min(m + k, n)
        offsets = self.offsets.get().tolist()
        if first >= end or k not in offsets:
            return _core.zeros((max(end - first, 0),), self.dtype)
        line = self.data[offsets.index(k), first:end]
        if line.size == end - first:
            return line
        return _core.concatenate((line, _core.zeros((end - first - line.size,), self.dtype)))

    def setdiag(self, values, k=0):
        """Sets the k-th diagonal to a number, or to the elements of a vector, in this matrix's dtype."""
        row, col, values = self._diagonal_places(values, k)
        first, end = max(k, 0), max(k, 0) + values.size
        offsets = self.offsets.get().tolist()
        count, length = self.data.shape
        if k not in offsets or end > length:
            data = _core.zeros((count + (k not in offsets), max(length, end)), self.dtype)
            data[:count, :length] = self.data
            self.data = data
        if k not in offsets:
            offsets.append(k)
            self.offsets = _core.array(np.array(offsets, self.offsets.dtype))
        self.data[offsets.index(k), first:end] = values

    def _sum_of_all(self, dtype):
        if not _is_long(self):
            return self._sums((1,), dtype).sum(dtype=dtype)
        sums = [line.sum(dtype=dtype) for line, _, _, _ in self._lines()]
        return _core.stack(sums).sum() if sums else _core.zeros((), dtype)

    @by_loops
    def _axis_sum(self, axes, dtype):
        if axes == ():
            return super()._axis_sum(axes, dtype)
        if not _is_long(self) or axes == (1,) and on_host():
            a = self.astype(dtype, copy=False)
            return (a.transpose() if axes == (0,) else a)._times_dense(_core.ones((self._shape[axes[0]],), dtype))
        result = _core.zeros((self._shape[1 - axes[0]],), dtype)
        for line, k, first, end in self._lines():
            part = result[first:end] if axes == (0,) else result[first - k : end - k]
            part += line.astype(dtype, copy=False)
        return result

    def _times_dense(self, other):
        made = _core._sparse_matmul_bands(*self._usable()._shape, self.offsets, self.data, other)
        if made is not None:
            return made
        if not _is_long(self):
            return super()._times_dense(other)
        result = _core.zeros((self._shape[0], *other.shape[1:]), np.result_type(self.dtype, other.dtype))
        for line, k, first, end in self._lines():
            part = result[first - k : end - k]
            part += line.reshape(line.shape + (1,) * (other.ndim - 1)) * other[first:end]
        return result

    # ---- what stays diagonals

    def _matches(self, other):
        """Whether both have the same diagonals in one order."""
        return self.data.shape == other.data.shape and np.array_equal(self.offsets.get(), other.offsets.get())

    def _lined_up(self, other, any):
        """The diagonals that one of two matrices has (any), or both, and the elements of both along them."""
        mine, others = self._usable().offsets.get(), other._usable().offsets.get()
        if self._matches(other):
            return mine, (self.data, other.data)
        mine, others = mine.tolist(), others.tolist()
        offsets = sorted({*mine, *others} if any else {*mine} & {*others})
        length = (max if any else min)(self.data.shape[1], other.data.shape[1])
        place, both = {k: i for i, k in enumerate(offsets)}, []
        for a, known in ((self, mine), (other, others)):
            data = _core.zeros((len(offsets), length), a.dtype)
            lines = [i for i, k in enumerate(known) if k in place]
            if lines:
                end = min(length, a.data.shape[1])
                to = _core.array([place[known[i]] for i in lines])
                data[to, :end] = a.data[_core.array(lines), :end]
            both.append(data)
        return np.array(offsets, self.offsets.dtype), both

    def _of_diagonals(self, data, offsets):
        """With zeros in what is stored outside of the matrix."""
        a = self._mapped(lambda _: data)._placed(self._shape, offsets)
        inside, _ = a._inside()
        a.data = _core.where(inside, data, data.dtype.type(0))
        return a

    def _with_diagonals(self, other, f, any):
        long = _is_long(self) and _is_long(other) and self.data.shape[1] == other.data.shape[1]
        if long and not self._matches(other):
            return self._by_lines(other, f, any)
        offsets, both = self._lined_up(other, any)
        return self._mapped(lambda _: f(*both))._placed(self._shape, _core.array(offsets))

    def _by_lines(self, other, f, any):
        """f of the diagonals that one of two matrices has (any), or both, each of which is read where it is."""
        mine, others = ({k: i for i, k in enumerate(x._usable().offsets.get().tolist())} for x in (self, other))
        offsets = sorted({*mine, *others} if any else {*mine} & {*others})
        data = _core.empty((len(offsets), self.data.shape[1]), np.result_type(self.dtype, other.dtype))
        nothing = data.dtype.type(0)
        for line, k in zip(data, offsets, strict=True):
            f(self.data[mine[k]] if k in mine else nothing, other.data[others[k]] if k in others else nothing, line)
        offsets = _core.array(np.array(offsets, self.offsets.dtype))
        return self._mapped(lambda _: data)._placed(self._shape, offsets)

    @by_scipy("__add__", leaves=_is_own)
    def _plus(self, other):
        return self._with_diagonals(other, _core.add, True)

    @by_scipy("__sub__", leaves=_is_own)
    def _minus(self, other):
        return self._with_diagonals(other, _core.subtract, True)

    def _sum_with(self, other, f):
        if isinstance(other, DIA) and other._shape == self._shape:
            joined = {_core.add: self._plus, _core.subtract: self._minus}.get(f)
            return self._with_diagonals(other, f, True) if joined is None or self._matches(other) else joined(other)
        if f is _core.add and isinstance(other, SparseBase) and not isinstance(other, DIA):
            return other._sum_with(self, f)  # whose format it has then, and class
        return SparseBase._sum_with(self, other, f)

    def multiply(self, other):
        """The elementwise product with a number, or with a dense or sparse matrix that broadcasts; sparse."""
        if isinstance(other, DIA) and other._shape == self._shape:
            return self._with_diagonals(other, _core.multiply, False)
        return SparseBase.multiply(self, other)

    def _with_dense(self, other, f, format=None):
        if format is not None or np.broadcast_shapes(self._shape, other.shape) != self._shape:
            return SparseBase._with_dense(self, other, f, format)
        if not self.data.size or 0 in self._shape:
            return SparseBase._with_dense(self, other, f).todia()
        if other.shape in (self._shape[1:], (1, self._shape[1])) and self.data.shape[1] <= self._shape[1]:
            return self._mapped(lambda x: f(x, other.reshape(-1)[: x.shape[1]]))
        inside, row = self._inside()
        row, col = (_core.where(inside, x, 0) for x in (row, _core.arange(self.data.shape[1])))
        return self._of_diagonals(f(self.data, _core.broadcast_to(other, self._shape)[row, col]), self.offsets)

    @by_loops
    def _times_sparse(self, other):
        return self._times_diagonals(other) if other.format == "dia" else SparseBase._times_sparse(self, other)

    # SciPy fails where no diagonals meet, of which it has no shape, or less than no memory.
    @by_scipy("__matmul__", leaves=_is_vast, fails=(ValueError, RuntimeError))
    def _times_diagonals(self, other):
        """The product with another such matrix: each two diagonals make one, whose offset is the sum of theirs."""
        mine, others = self._usable().offsets.get().astype(np.int64), other.offsets.get().astype(np.int64)
        (rows, inner), columns = self._shape, other._shape[1]
        offsets = np.unique(np.add.outer(mine, others))
        offsets = offsets[(offsets > -rows) & (offsets < columns)]
        a, b = self.data, other.data
        length = min(columns, b.shape[1])
        data = _core.zeros((offsets.size, length), np.result_type(a.dtype, b.dtype))
        mine, others, lines = mine.tolist(), others.tolist(), {k: i for i, k in enumerate(offsets.tolist())}
        for i, own in enumerate(mine):
            for j, shift in enumerate(others):  # column c of the result is made of row c - shift of the other one
                first = max(shift, own + shift, 0)
                end = min(length, inner + shift, a.shape[1] + shift, rows + own + shift)
                if first < end:
                    line = data[lines[own + shift], first:end]
                    line += a[i, first - shift : end - shift] * b[j, first:end]
        return self._mapped(lambda _: data)._placed((rows, columns), _core.array(offsets.astype(self.offsets.dtype)))

    def _placed(self, shape, offsets):
        self._shape, self.offsets = shape, offsets
        self._know(None)
        return self

    def transpose(self, axes=None, copy=False):
        """The transpose."""
        check_axes(axes)
        rows, columns = self._usable()._shape
        count, length = self.data.shape
        if self.data.size == 0:
            return self._turned(_core.zeros((count, rows), self.dtype))
        # Of each diagonal element j is in column j, and after it in column j of the other matrix: this one's row.
        column = _core.arange(rows, dtype=np.int64) + self.offsets[:, None]
        inside = (column >= 0) & (column < min(columns, length))
        place = _core.where(inside, column, 0) + length * _core.arange(count)[:, None]
        return self._turned(_core.where(inside, self.data.ravel()[place], self.dtype.type(0)))

    def _turned(self, data):
        a = self._from_parts(data, -self.offsets, self._shape[::-1])
        a.maxprint = self.maxprint
        return a


@register
class dia_matrix(spmatrix, DIA):
    """A sparse matrix that is a few diagonals.

    Args:
        arg1: A dense array; a sparse matrix, of SciPy's too; a shape; or ``(data, offsets)``, where ``data[i, j]`` is
            the element of column j of the diagonal ``offsets[i]``.
        shape: The matrix's, if arg1 does not say it.
        dtype: Of the elements.
        copy: Whether arrays that are given are copied. By default those on the device are not; False shares the memory
            of NumPy's and SciPy's, too, where the device is the host (see ``get``).

    Raises:
        ValueError: Parts do not fit together, or an offset comes twice.
        TypeError: arg1 is nothing to make a matrix of.

    >>> tombacx.scipy.sparse.dia_matrix((tombac.array([[1.0, 2.0]]), tombac.array([1])), shape=(2, 2)).toarray()
    array([[0., 2.],
           [0., 0.]])
    """

    def __init__(self, *args, maxprint=50, **kwargs):
        DIA.__init__(self, *args, maxprint=maxprint, **kwargs)


@register
class dia_array(sparray, DIA):
    """The same as an array, whose ``*`` is elementwise; see dia_matrix."""

    def __init__(self, arg1, shape=None, dtype=None, copy=None, *, maxprint=None):
        DIA.__init__(self, arg1, shape, dtype, copy, maxprint=maxprint)


def isspmatrix_dia(x):
    """Whether x is a dia_matrix.

    Args:
        x: Anything.

    Returns:
        A bool.

    >>> tombacx.scipy.sparse.isspmatrix_dia(tombacx.scipy.sparse.eye(2))
    True
    """
    return isinstance(x, dia_matrix)
