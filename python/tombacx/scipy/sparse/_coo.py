"""Matrices in the COO format: the row, the column and the value of each element, in any order."""

import math

from tombac import _core
from tombac._histograms import bincount
from tombac._numpy import np
from tombac._sets import unique
from tombac._sorting import searchsorted
from tombacx.scipy.sparse import _host
from tombacx.scipy.sparse import _products as products
from tombacx.scipy.sparse._array_keys import ArrayKeys
from tombacx.scipy.sparse._base import FAMILY, SparseBase, sparray, spmatrix
from tombacx.scipy.sparse._by_scipy import ByScipy
from tombacx.scipy.sparse._compressed import NEVER, register
from tombacx.scipy.sparse._coords import MOST_ROWS, coord_dtype, coords_at, flat_shape, grouped, numbers_of
from tombacx.scipy.sparse._extremes import Extremes
from tombacx.scipy.sparse._loops import ByLoops, by_loops
from tombacx.scipy.sparse._shapes import as_axes, as_order, as_shape, check_axes, is_shape
from tombacx.scipy.sparse._structure import as_indices, at, cast_index, index_dtype

__all__ = ["coo_array", "coo_matrix", "isspmatrix_coo"]


class COO(ByScipy, ByLoops, Extremes, SparseBase):
    """What coo_matrix and coo_array have in common."""

    format = "coo"
    _once = False  # whether it is known that no element is stored twice
    _said = None  # what somebody else has said of that
    _alone = None  # the coordinates of which that has been found

    def __init__(self, arg1, shape=None, dtype=None, copy=None, *, maxprint=None):
        _host.known(self, arg1, dtype)
        if isinstance(arg1, SparseBase):
            a = arg1.tocoo(copy=copy)
            self._take_coo(a._shape, a.data, a.coords, shape)
            self._once, self._said = a._once, a._said
        elif _host.is_sparse(arg1):
            a = arg1.tocoo()
            coords = a.coords if hasattr(a, "coords") else (a.row, a.col)
            self._take_coo(tuple(a.shape), _host.dense(a.data, copy), [_host.dense(x, copy) for x in coords], shape)
        elif isinstance(arg1, tuple) and is_shape(arg1, self._allow_nd):
            shape = as_shape(arg1, self._allow_nd)
            dtype_of_coords = coord_dtype(shape)
            self._take_parts(shape, _core.zeros((0,), np.float64),
                             *(_core.zeros((0,), dtype_of_coords) for _ in shape))
            self._once = True
        elif isinstance(arg1, tuple):
            self._take_given(arg1, shape, copy)
        else:
            self._take_dense(_host.dense(arg1), shape)
        if dtype is not None and self.data.dtype != dtype:
            self.data = self.data.astype(dtype)
        SparseBase.__init__(self, self._shape, maxprint)

    def _take_parts(self, shape, data, *coords):
        self._shape, self.data, self._coords = shape, data, coords
        self._checked = _core._sparse_written(*coords)  # as in Compressed

    def _usable(self):
        coords = self._coords
        if _core._sparse_written(*coords) > self._checked or coords[0].size != self.data.size:
            self._check()
        return self

    def _still_known(self):
        self._checked = _core._sparse_written(*self._coords)

    def _check(self):
        """Raises ValueError for parts that are no matrix."""
        written = _core._sparse_written(*self._coords)
        if self.data.ndim != 1 or any(x.ndim != 1 for x in self._coords):
            raise ValueError("row, column, and data arrays must be 1-D")
        if any(x.size != self.data.size for x in self._coords):
            raise ValueError("row, column, and data arrays must have one length")
        _look_over(self._coords, self._shape)
        self._once, self._alone, self._checked = False, None, written

    def _take_coo(self, own, data, coords, shape):
        """The parts of another one, of which a vector may be longer here, and is the one row of a matrix."""
        if len(own) not in self._allow_nd:
            if len(own) != 1:
                raise ValueError(f"{type(self).__name__} has two dimensions, not {len(own)}")
            own, coords = (1, *own), (_core.zeros_like(coords[0]), coords[0])
        self._take_parts(own, data, *coords)
        if len(own) == 1 and shape is not None:
            own = as_shape(shape, self._allow_nd)
            if len(own) == 1 and coords[0].size and int(coords[0].max()) >= own[0]:
                raise ValueError(f"axis 0 index {int(coords[0].max())} exceeds array dimension {own[0]}")
            self._shape = own if len(own) == 1 else self._shape
        self._check_shape(shape)

    def _check_shape(self, shape):
        if shape is not None and as_shape(shape, self._allow_nd) != self._shape:
            raise ValueError(f"inconsistent shapes: {self._shape} and {shape}")

    @classmethod
    def _made(cls, shape, data, *coords):
        if len(shape) not in cls._allow_nd:
            cls = FAMILY["coo", True]
        a = object.__new__(cls)
        a._take_parts(shape, data, *coords)
        a.maxprint = 50
        return a

    @classmethod
    def _from_parts(cls, data, *parts, has_canonical_format=False):
        """A matrix of these elements and coordinates, and behind them its shape, unchecked."""
        *coords, shape = parts
        a = cls._made(tuple(shape), data, *coords)
        a._once = has_canonical_format
        return a

    def _take_given(self, arg1, shape, copy):
        try:
            data, coords = arg1
            coords = tuple(coords)
        except (TypeError, ValueError) as e:
            lengths = all(isinstance(n, (int, np.integer)) for n in arg1)
            if self._is_array and lengths and arg1 and shape is None:
                as_shape(arg1, self._allow_nd)  # which says what is wrong with that many dimensions
            raise TypeError("invalid input format: (data, (row, col)) or a shape is expected") from e
        data, coords = _host.dense(data, copy), tuple(_host.index(x, copy) for x in coords)
        if not data.ndim == 1 or any(x.ndim != 1 for x in coords):
            raise ValueError("row, column, and data arrays must be 1-D")
        if any(x.size != data.size for x in coords):
            raise ValueError("row, column, and data arrays must have one length")
        most = _most(coords)
        if shape is None:
            if data.size == 0:
                raise ValueError("cannot infer dimensions from zero sized index arrays")
            shape = tuple(n + 1 for n in most)
        shape = as_shape(shape, self._allow_nd)
        if len(shape) != len(coords):
            raise ValueError(f"mismatching number of index arrays for shape; got {len(coords)}, expected {len(shape)}")
        _look_over(coords, shape, most)
        keeps = self._is_array and any(x.dtype == "int64" for x in coords)
        coords = cast_index(np.int64 if keeps else coord_dtype(shape, data.size), *coords)
        self._take_parts(shape, *((x.copy() for x in (data, *coords)) if copy else (data, *coords)))

    def _take_dense(self, a, shape):
        if not self._is_array:
            a = a.reshape((1,) * (2 - a.ndim) + a.shape)
        if a.ndim not in self._allow_nd:
            raise TypeError(f"a sparse array has at least one dimension, a sparse matrix two, not {a.ndim}")
        coords = _core.nonzero(a)
        data = a[coords] if coords[0].size else _core.empty((0,), a.dtype)
        self._take_parts(a.shape, data, *cast_index(coord_dtype(a.shape, data.size), *coords))
        self._once = True
        self._check_shape(shape)

    # ---- where the elements are

    @property
    def coords(self):
        """The coordinates of the elements: an array for each axis."""
        return self._coords

    @coords.setter
    def coords(self, coords):
        if len(coords) != len(self._coords):
            raise ValueError(f"{len(self._coords)} arrays of coordinates are expected, not {len(coords)}")
        self._coords = as_indices(*map(_host.dense, coords))
        self._once, self._said, self._checked = False, None, NEVER

    @property
    def row(self):
        """The row of each element: 0 in an array of one dimension, and the last axis but one of many."""
        return self._coords[-2] if len(self._coords) > 1 else _core.zeros_like(self._coords[0])

    @row.setter
    def row(self, row):
        if len(self._coords) < 2:
            raise ValueError("cannot set row attribute of a 1-dimensional sparse array")
        self.coords = (*self._coords[:-2], row, self._coords[-1])

    @property
    def col(self):
        """The column of each element: the coordinate of the last axis."""
        return self._coords[-1]

    @col.setter
    def col(self, col):
        self.coords = (*self._coords[:-1], col)

    def _matrix(self):
        """A matrix of the same elements, in which lines along the last axis are rows."""
        self._usable()
        if self.ndim == 2:
            return self
        if self.ndim == 1:
            a = self._made((1, *self._shape), self.data, self.row, self.col)
            a._once, a._said = self._once, self._said
            return a
        return self._flat()

    def _flat(self):
        shape = flat_shape(self._shape)
        axes = range(self.ndim)
        last = self.ndim - 1 if shape[0] != 1 else 0
        return grouped(self, axes[:last], axes[last:])

    @property
    def has_canonical_format(self):
        """Whether no element is stored twice, as far as is known."""
        return self._once if self._said is None else self._said

    @has_canonical_format.setter
    def has_canonical_format(self, on):
        self._said = bool(on)

    def _with_data(self, data):
        a = self._made(self._shape, data, *self._usable()._coords)
        a._once, a._said, a._alone = self._once, self._said, self._alone
        return a

    def _mapped(self, f, copy=False):
        a = self._with_data(f(self.data))
        if copy:
            a._take_parts(self._shape, a.data, *(x.copy() for x in self._coords))
        return a

    def _as_stored(self):
        return self

    def _counts(self, axis):
        axes = as_axes(axis, self.ndim)
        if axes is None:
            return self._count()
        self._usable()
        kept = [i for i in range(self.ndim) if i not in axes]
        shape = [self._shape[i] for i in kept]
        if len(kept) == 1:
            return bincount(self._coords[kept[0]], minlength=shape[0])
        numbers = numbers_of([self._coords[i] for i in kept], shape, self.data.size)
        return bincount(numbers, minlength=math.prod(shape)).reshape(shape)

    def get(self, stream=None, *, copy=True):
        """The matrix as SciPy's, on the host: a copy of the parts; see ``SparseBase.get``."""
        return _host.to_scipy(self, self._stored(), copy)

    # ---- duplicates

    def sum_duplicates(self):
        """Stores each element once: the sum of those that are stored more often. They are in C order then."""
        if not self._usable().has_canonical_format:
            a = self._canonical().tocoo()
            self._take_parts(self._shape, a.data, *a._coords)
            self._once = True

    def _canonical(self):
        if self.ndim < 3 and self._shape[0] <= MOST_ROWS:
            return super()._canonical()
        if self.has_canonical_format:
            return self
        a = self._flat().tocsr().tocoo()._reshaped(self._shape, "C")
        a._once = True
        return a

    def _canonical_here(self):
        if self._usable()._stores_once() or not self.data.size:
            return self
        made = super()._canonical_here()
        return self if self._stores_once() else made

    def _values(self):
        return self._usable().data if self._stores_once() else super()._values()

    def _stores_once(self):
        return self._once or self._alone is self._coords

    def eliminate_zeros(self):
        """Stores no element that is zero."""
        self._usable()
        kept = _core.nonzero(self.data)[0] if self.data.size else self.data
        if kept.size != self.data.size:
            self._take_parts(self._shape, at(self.data, kept), *(at(x, kept) for x in self._coords))

    def _resize(self, shape):
        a, n = self._usable(), len(shape) - 1
        if len(shape) > self.ndim:
            numbers = numbers_of(self._coords, self._shape, self.data.size)
            kept = _core.nonzero(numbers < math.prod(shape))[0]
            a = self._made(shape, at(self.data, kept), *coords_at(at(numbers, kept), shape, np.int64))
        elif len(shape) < self.ndim:
            a = self._reshaped((*self._shape[:n], math.prod(self._shape[n:])), "C")
        data, coords = a.data, a._coords
        for i, end in enumerate(shape):
            if end < a._shape[i]:
                kept = _core.nonzero(coords[i] < end)[0] if data.size else coords[i]
                data, coords = at(data, kept), [at(x, kept) for x in coords]
        self._take_parts(shape, data, *coords)

    def _stored(self):
        return self.data, *self._usable()._coords

    def diagonal(self, k=0):
        """The k-th diagonal, a dense vector of zero length if it lies outside."""
        rows, cols = self._two("diagonal")
        n = max(min(rows + min(k, 0), cols - max(k, 0)), 0)
        self._usable()
        found = _core.nonzero(self.row + k == self.col)[0] if n and self.data.size else ()
        result = _core.zeros((n,), self.dtype)
        if len(found):
            place, data = self.row[found] + min(k, 0), self.data[found]
            if self._stores_once():
                result[place] = data
            else:
                (_core.logical_or if self.dtype.kind == "b" else _core.add).at(result, place, data)
        return result

    # ---- formats

    def tocoo(self, copy=False):
        """This, or a copy."""
        return self.copy() if copy else self._usable()

    def _lines(self, format):
        """The same in a compressed format, with elements that are stored more often kept so."""
        if self.ndim > 2 or self.ndim == 1 and format == "csc":
            most = "1D or 2D" if format == "csr" else "2D"
            raise ValueError(f"Cannot convert. {format.upper()} format must be {most}. Got {self.ndim}D")
        if not self.data.size:
            return self._of(format)(self._shape, dtype=self.dtype)
        matrix = self._matrix()
        m, n = matrix._shape
        wide = "int64" in (matrix.row.dtype, matrix.col.dtype)
        row, col = cast_index(np.int64 if wide else index_dtype(m, n, self.data.size), matrix.row, matrix.col)
        major, minor, lines, length = (row, col, m, n) if format == "csr" else (col, row, n, m)
        made = _core._sparse_group_values(major, minor, self.data, lines, length)
        if made is None:
            indptr, indices, order = _core._sparse_group(major, minor, lines, length)
            made = indptr, indices, at(self.data, order)
        indptr, indices, data = made
        return self._of(format)._from_parts(data, indices, indptr, self._shape)

    def _summed_lines(self, format):
        made = self._lines(format)._summed()
        if made.data.size == self.data.size:
            self._alone = self._coords
        return made

    def tocsr(self, copy=False):
        """The same in the CSR format, each element stored once; only of one or two dimensions."""
        return self._summed_lines("csr")

    def tocsc(self, copy=False):
        """The same in the CSC format, each element stored once; only of two dimensions."""
        return self._summed_lines("csc")

    def todok(self, copy=False):
        """The same in the DOK format, on the host; no element is stored twice here then, as in SciPy. CuPy refuses."""
        if self.ndim > 2:
            raise ValueError(f"Cannot convert. DOK must be 1D or 2D. Got {self.ndim}D")
        self.sum_duplicates()
        host = self.get(copy=False)
        host.has_canonical_format = True
        return self._of("dok")._of_built(host.todok())

    def todia(self, copy=False):
        """The same in the DIA format; only of two dimensions."""
        if self.ndim != 2:
            raise ValueError(f"Cannot convert. DIA format must be 2D. Got {self.ndim}D")
        a = self._canonical().tocoo()
        places = a.col.astype(np.int64) - a.row
        offsets = unique(places)
        m, n = self._shape
        data = _core.zeros((offsets.size, int(a.col.max()) + 1 if a.nnz else 0), self.dtype)
        if a.nnz:
            data[searchsorted(offsets, places), a.col] = a.data
        return self._of("dia")((data, offsets.astype(index_dtype(m, n))), shape=self._shape)

    def transpose(self, axes=None, copy=False):
        """The axes in another order, reversed by default, which shares the parts unless they are to be copied."""
        if self._is_array and axes is not None:
            order = as_order(axes, self.ndim)
        else:
            check_axes(axes)
            order = range(self.ndim)[::-1]
        parts = (self.data, *(self._usable()._coords[i] for i in order))
        return self._made(tuple(self._shape[i] for i in order), *(x.copy() for x in parts) if copy else parts)

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
            out[self._coords] = self.data
        else:
            (_core.logical_or if self.dtype.kind == "b" else _core.add).at(out, self._coords, self.data)
        return out

    def toarray(self, order=None, out=None):
        """A dense array; of elements that are stored twice the sum."""
        self._usable()
        return self._filled(order, out, self._stores_once())

    def setdiag(self, values, k=0):
        """Sets the k-th diagonal to a number, or to the elements of a vector, of which the first are taken.

        What is elsewhere stays in its order, and the diagonal comes after it; the dtype is one that elements of both
        have a place in.
        """
        row, col, values = self._diagonal_places(values, k)
        n, (rows, cols) = values.size, self._shape
        if n == 0:
            return
        self._usable()
        other = self.col - self.row != k
        if n < min(rows + min(k, 0), cols - max(k, 0)):
            other = other | (_core.minimum(self.row, self.col) >= n)
        kept = _core.nonzero(other)[0] if self.data.size else _core.empty((0,), np.intp)

        def joined(old, new, dtype):
            x = _core.empty((kept.size + n,), dtype)
            x[: kept.size], x[kept.size :] = at(old, kept), new
            return x

        coords = [joined(old, new, old.dtype) for old, new in zip(self._coords, (row, col))]
        data = joined(self.data, values, np.result_type(self.dtype, values.dtype))
        self._take_parts(self._shape, data, *coords)
        self._once = False

    @by_loops
    def _times_dense(self, other):
        return self._counted(other)._lines("csr")._times_dense(other)

    def dot(self, other):
        """The product with a number, a vector, a dense or a sparse matrix."""
        return self._scaled(other) if getattr(other, "ndim", 1) == 0 else SparseBase.dot(self, other)

    def _reshaped(self, shape, order):
        if order not in ("C", "F"):
            raise ValueError("'order' must be 'C' or 'F'")
        dtype = coord_dtype(shape, self._usable().data.size)
        if any(x.dtype == "int64" for x in self._coords) and self._is_array:
            dtype = np.int64
        long = [(i, n) for i, n in enumerate(self._shape) if n != 1]
        if len(shape) == len(long) == 1 and self.data.size:
            coords = cast_index(dtype, self._coords[long[0][0]])
        elif order == "C":
            coords = coords_at(numbers_of(self._coords, self._shape, self.data.size), shape, dtype)
        else:
            numbers = numbers_of(self._coords[::-1], self._shape[::-1], self.data.size)
            coords = coords_at(numbers, shape[::-1], dtype)[::-1]
        return self._made(shape, self.data, *coords)


def _most(coords):
    """The greatest coordinate along each axis, -1 where there is none."""
    return [int(x.max()) if x.size else -1 for x in coords]


def _look_over(coords, shape, most=None):
    """Raises ValueError where coordinates are outside of the shape. most: the greatest of them, where that is known."""
    names = ("row", "column") if len(coords) == 2 else [f"axis {i}" for i in range(len(coords))]
    for name, x, n, end in zip(names, coords, most or _most(coords), shape):
        if n >= end:
            raise ValueError(f"{name} index {n} exceeds matrix dimension {end}")
        if x.size and int(x.min()) < 0:
            raise ValueError(f"negative {name} index found")


@register
class coo_matrix(spmatrix, COO):
    """A sparse matrix whose elements are in any order, some perhaps more than once: their sum counts.

    Args:
        arg1: A dense array of one or two dimensions; a sparse matrix, of SciPy's too; a shape; or
            ``(data, (row, col))``, three vectors.
        shape: The matrix's, if arg1 does not say it.
        dtype: Of the elements.
        copy: Whether arrays that are given are copied. By default those on the device are not; False shares the memory
            of NumPy's and SciPy's, too, where the device is the host (see ``get``).

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
class coo_array(sparray, ArrayKeys, COO):
    """The same as an array of any number of dimensions, whose ``*`` is elementwise; see coo_matrix.

    Args:
        arg1: A dense array; a sparse array or matrix, of SciPy's too; a shape; or ``(data, coords)``, a vector and for
            each axis a vector of coordinates.
        shape: The array's, if arg1 does not say it.
        dtype: Of the elements.
        copy: Whether arrays that are given are copied. By default those on the device are not; False shares the memory
            of NumPy's and SciPy's, too, where the device is the host (see ``get``).

    Raises:
        ValueError: Parts do not fit together, or an index is outside of the shape.
        TypeError: arg1 is nothing to make an array of.

    What is done to the elements of more than two dimensions is done to a matrix of them, so there must be less than
    2**63 places in it. CuPy has one and two dimensions; there are at most 32.

    >>> a = tombacx.scipy.sparse.coo_array((tombac.ones(2), ([0, 1], [2, 0], [1, 1])), shape=(2, 3, 2))
    >>> a.sum(axis=(0, 2))
    array([1., 0., 1.])
    """

    _allow_nd = tuple(range(1, 33))

    def __init__(self, arg1, shape=None, dtype=None, copy=None, *, maxprint=None):
        COO.__init__(self, arg1, shape, dtype, copy, maxprint=maxprint)

    def tensordot(self, other, axes=2):
        """The sum over pairs of axes of this and another array; ``numpy.tensordot``.

        Args:
            other: A sparse array, or a dense one, of which the result is dense.
            axes: How many, the last ones of this and the first ones of other; or the two sequences of axes.
        """
        if not hasattr(other, "ndim"):
            raise TypeError(f"tensordot: a sparse or a tombac array is expected, not {type(other).__name__}")
        return products.tensordot(self, other, axes)


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
