"""Matrices in the COO format: the row, the column and the value of each element, in any order."""

from tombac import _core
from tombac._histograms import bincount
from tombac._numpy import np
from tombac._sets import unique
from tombac._sorting import searchsorted
from tombacx.scipy.sparse import _host
from tombacx.scipy.sparse._base import SparseBase, sparray, spmatrix
from tombacx.scipy.sparse._compressed import register
from tombacx.scipy.sparse._shapes import as_axis, as_shape, check_axes, is_shape
from tombacx.scipy.sparse._structure import at, cast_index, index_dtype

__all__ = ["coo_array", "coo_matrix", "isspmatrix_coo"]


class COO(SparseBase):
    """What coo_matrix and coo_array have in common."""

    format = "coo"
    _once = False  # whether it is known that no element is stored twice
    _said = None  # what somebody else has said of that

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        _host.known(self, arg1)
        if isinstance(arg1, SparseBase):
            a = arg1.tocoo(copy=copy)
            self._take_parts(a._shape, a.data, a.row, a.col)
            self._once, self._said = a._once, a._said
            self._check_shape(shape)
        elif _host.is_sparse(arg1):
            a = arg1.tocoo()
            self._take_parts(tuple(a.shape), *map(_core.array, (a.data, a.row, a.col)))
            self._check_shape(shape)
        elif isinstance(arg1, tuple) and is_shape(arg1) and shape is None:
            shape = as_shape(arg1)
            places = _core.zeros((0,), index_dtype(*shape))
            self._take_parts(shape, _core.zeros((0,), np.float64), places, places.copy())
            self._once = True
        elif isinstance(arg1, tuple):
            self._take_given(arg1, shape, copy)
        else:
            self._take_dense(_host.dense(arg1), shape)
        if dtype is not None and self.data.dtype != dtype:
            self.data = self.data.astype(dtype)
        SparseBase.__init__(self, self._shape, maxprint)

    def _take_parts(self, shape, data, row, col):
        self._shape, self.data, self.row, self.col = shape, data, row, col

    def _check_shape(self, shape):
        if shape is not None and as_shape(shape) != self._shape:
            raise ValueError(f"inconsistent shapes: {self._shape} and {shape}")

    @classmethod
    def _made(cls, shape, data, row, col):
        a = object.__new__(cls)
        a._take_parts(shape, data, row, col)
        a.maxprint = 50
        return a

    def _take_given(self, arg1, shape, copy):
        try:
            data, (row, col) = arg1
        except (TypeError, ValueError) as e:
            raise TypeError("invalid input format: (data, (row, col)) or a shape is expected") from e
        data, row, col = map(_host.dense, (data, row, col))
        if not data.ndim == row.ndim == col.ndim == 1:
            raise ValueError("row, column, and data arrays must be 1-D")
        if not data.size == row.size == col.size:
            raise ValueError("row, column, and data arrays must have one length")
        for name, x in (("row", row), ("column", col)):
            if x.dtype.kind not in "iu" and x.size:
                raise ValueError(f"{name} indices must be integers, not {x.dtype}")
        most = [int(x.max()) if x.size else -1 for x in (row, col)]
        if shape is None:
            if data.size == 0:
                raise ValueError("cannot infer dimensions from zero sized index arrays")
            shape = tuple(n + 1 for n in most)
        shape = as_shape(shape)
        for name, x, n, end in (("row", row, most[0], shape[0]), ("column", col, most[1], shape[1])):
            if n >= end:
                raise ValueError(f"{name} index {n} exceeds matrix dimension {end}")
            if x.size and int(x.min()) < 0:
                raise ValueError(f"negative {name} index found")
        keeps = self._is_array and "int64" in (row.dtype, col.dtype)
        dtype = np.int64 if keeps else index_dtype(*shape, data.size)
        row, col = cast_index(dtype, row, col)
        self._take_parts(shape, *((x.copy() for x in (data, row, col)) if copy else (data, row, col)))

    def _take_dense(self, a, shape):
        if a.ndim > 2:
            raise TypeError("expected dimension <= 2 array or matrix")
        a = a.reshape((1,) * (2 - a.ndim) + a.shape)
        row, col = _core.nonzero(a)
        data = a[row, col] if row.size else _core.empty((0,), a.dtype)
        self._take_parts(a.shape, data, *cast_index(index_dtype(*a.shape, row.size), row, col))
        self._once = True
        self._check_shape(shape)

    @property
    def has_canonical_format(self):
        """Whether no element is stored twice, as far as is known."""
        return self._once if self._said is None else self._said

    @has_canonical_format.setter
    def has_canonical_format(self, on):
        self._said = bool(on)

    @property
    def coords(self):
        """The rows and the columns of the elements."""
        return self.row, self.col

    def _with_data(self, data):
        a = self._made(self._shape, data, self.row, self.col)
        a._once, a._said = self._once, self._said
        return a

    def _mapped(self, f, copy=False):
        a = self._with_data(f(self.data))
        if copy:
            a.row, a.col = self.row.copy(), self.col.copy()
        return a

    def _as_stored(self):
        return self

    def _counts(self, axis):
        axis = as_axis(axis)
        return bincount((self.row, self.col)[1 - axis], minlength=self._shape[1 - axis])

    def get(self, stream=None):
        """The matrix as SciPy's, on the host."""
        return _host.to_scipy(self, (self.data, self.row, self.col))

    # ---- duplicates

    def sum_duplicates(self):
        """Stores each element once: the sum of those that are stored more often. They lie in columns then."""
        if not self.has_canonical_format:
            a = self.transpose().tocsr().tocoo(copy=False)
            self.data, self.row, self.col = a.data, a.col, a.row
            self._once = True

    def eliminate_zeros(self):
        """Stores no element that is zero."""
        kept = _core.nonzero(self.data)[0] if self.data.size else self.data
        if kept.size != self.data.size:
            self.data, self.row, self.col = at(self.data, kept), at(self.row, kept), at(self.col, kept)

    # ---- formats

    def tocoo(self, copy=False):
        """This, or a copy."""
        return self.copy() if copy else self

    def _lines(self, format):
        """The same in a compressed format, with elements that are stored more often kept so."""
        m, n = self._shape
        wide = "int64" in (self.row.dtype, self.col.dtype)
        row, col = cast_index(np.int64 if wide else index_dtype(m, n, self.data.size), self.row, self.col)
        given = (row, col, m, n) if format == "csr" else (col, row, n, m)
        indptr, indices, order = _core._sparse_group(*given)
        a = object.__new__(self._of(format))
        a._take_parts(self._shape, at(self.data, order), indices, indptr, None)
        a.maxprint = self.maxprint
        return a

    def tocsr(self, copy=False):
        """The same in the CSR format, each element stored once."""
        return self._lines("csr")._summed()

    def tocsc(self, copy=False):
        """The same in the CSC format, each element stored once."""
        return self._lines("csc")._summed()

    def todia(self, copy=False):
        """The same in the DIA format."""
        a = self._canonical().tocoo()
        places = a.col.astype(np.int64) - a.row
        offsets = unique(places)
        m, n = self._shape
        data = _core.zeros((offsets.size, int(a.col.max()) + 1 if a.nnz else 0), self.dtype)
        if a.nnz:
            data[searchsorted(offsets, places), a.col] = a.data
        return self._of("dia")((data, offsets.astype(index_dtype(m, n))), shape=self._shape)

    def transpose(self, axes=None, copy=False):
        """The transpose, which shares the parts unless they are to be copied."""
        check_axes(axes)
        parts = (self.data, self.col, self.row)
        return self._made(self._shape[::-1], *(x.copy() for x in parts) if copy else parts)

    def _filled(self, order, out, once):
        if order not in (None, "C", "F"):
            raise ValueError(f"order must be 'C' or 'F', not {order!r}")
        if out is None:
            out = _core.zeros(self._shape, self.dtype, order or "C")
        else:
            if order is not None:
                raise ValueError("order cannot be specified if out is not None")
            if out.shape != self._shape or out.dtype != self.dtype:
                raise ValueError("out array must be same dtype and shape as sparse array")
            out[...] = 0
        if self.data.size == 0:
            return out
        if once:
            out[self.row, self.col] = self.data
        else:
            (_core.logical_or if self.dtype.kind == "b" else _core.add).at(out, (self.row, self.col), self.data)
        return out

    def toarray(self, order=None, out=None):
        """A dense array; of elements that are stored twice the sum."""
        return self._filled(order, out, self._once)

    def diagonal(self, k=0):
        """The k-th diagonal, a dense vector of zero length if it lies outside."""
        return self.tocsr().diagonal(k)

    def setdiag(self, values, k=0):
        """Sets the k-th diagonal to a number, or to the elements of a vector, of which the first are taken.

        What is elsewhere stays in its order, and the diagonal comes after it.
        """
        rows, cols = self._shape
        if k <= -rows or k >= cols:
            raise ValueError("k exceeds matrix dimensions")
        values = _core.asarray(values, self.dtype)
        if values.ndim > 1:
            raise ValueError("values must be 0-d or 1-d")
        n = min(rows + min(k, 0), cols - max(k, 0))
        n = min(n, values.size) if values.ndim else n
        if n == 0:
            return
        place = _core.arange(n, dtype=self.row.dtype)
        other = (self.col - self.row != k) | (_core.minimum(self.row, self.col) >= n)
        kept = _core.nonzero(other)[0] if self.data.size else _core.empty((0,), np.intp)
        values = _core.broadcast_to(values[:n] if values.ndim else values, (n,))
        new = (values, place - min(k, 0), place + max(k, 0))
        old = (at(x, kept) for x in (self.data, self.row, self.col))
        self.data, self.row, self.col = (_core.concatenate(x) for x in zip(old, new))
        self._once = False

    def dot(self, other):
        """The product with a number, a vector, a dense or a sparse matrix."""
        return self._scaled(other) if getattr(other, "ndim", 1) == 0 else SparseBase.dot(self, other)

    def _reshaped(self, shape, order):
        m, n = self._shape
        row, col = self.row.astype(np.int64), self.col.astype(np.int64)
        if order == "C":
            place = row * n + col
            row, col = place // max(shape[1], 1), place % max(shape[1], 1)
        elif order == "F":
            place = row + col * m
            row, col = place % max(shape[0], 1), place // max(shape[0], 1)
        else:
            raise ValueError("'order' must be 'C' or 'F'")
        return self._made(shape, self.data, *cast_index(index_dtype(*shape, self.data.size), row, col))


@register
class coo_matrix(spmatrix, COO):
    """A sparse matrix whose elements are in any order, some perhaps more than once: their sum counts.

    Args:
        arg1: A dense array of one or two dimensions; a sparse matrix, of SciPy's too; a shape; or
            ``(data, (row, col))``, three vectors.
        shape: The matrix's, if arg1 does not say it.
        dtype: Of the elements.
        copy: Whether arrays that are given are copied.

    Raises:
        ValueError: Parts do not fit together, or an index is outside of the shape.
        TypeError: arg1 is nothing to make a matrix of.

    >>> tombacx.scipy.sparse.coo_matrix((tombac.ones(2), (tombac.array([0, 1]), tombac.array([1, 0])))).toarray()
    array([[0., 1.],
           [1., 0.]])
    """

    def __init__(self, *args, maxprint=50, **kwargs):
        COO.__init__(self, *args, maxprint=maxprint, **kwargs)


@register
class coo_array(sparray, COO):
    """The same as an array, whose ``*`` is elementwise; see coo_matrix."""

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        COO.__init__(self, arg1, shape, dtype, copy, maxprint=maxprint)


def isspmatrix_coo(x):
    """Whether x is a coo_matrix.

    Args:
        x: Anything.

    Returns:
        A bool.

    >>> tombacx.scipy.sparse.isspmatrix_coo(tombacx.scipy.sparse.eye(2, format="coo"))
    True
    """
    return isinstance(x, coo_matrix)
