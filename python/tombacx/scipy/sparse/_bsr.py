"""Matrices in the BSR format: dense blocks of one size, whose rows lie together.

The blocks are on the device, and their pattern is that of a CSR matrix with an element for each. What is computed of
such a matrix is computed by SciPy on the CPU where that is quicker, and else in CSR, for which the blocks are taken
apart.
"""

import functools
import math
import operator

from tombac import _core
from tombac._numpy import np
from tombac._sets import unique
from tombac._sorting import searchsorted
from tombacx.scipy.sparse import _host
from tombacx.scipy.sparse._base import FAMILY, SparseBase, sparray, spmatrix
from tombacx.scipy.sparse._by_scipy import ByScipy, by_scipy, is_small
from tombacx.scipy.sparse._compressed import ends_checked, looked_over, register
from tombacx.scipy.sparse._extremes import Extremes
from tombacx.scipy.sparse._keys import index_at
from tombacx.scipy.sparse._loops import ByLoops, by_loops, fitting_blocksize
from tombacx.scipy.sparse._shapes import as_shape, check_axes, is_shape
from tombacx.scipy.sparse._structure import as_indices, at, cast_index, index_dtype, pair, resized

__all__ = ["bsr_array", "bsr_matrix", "isspmatrix_bsr"]

_SORTED, _ONCE = 1, 1 | 2  # what _sparse_check finds
_FEW = 128  # blocks
_NARROW = 8  # columns of a block whose products are an expression


def _has_few(a):
    return a.data.shape[0] <= _FEW


class BSR(ByScipy, ByLoops, Extremes, SparseBase):
    """What bsr_matrix and bsr_array have in common."""

    format = "bsr"

    def __init__(self, arg1, shape=None, dtype=None, copy=None, blocksize=None, *, maxprint=None):
        _host.known(self, arg1, dtype)
        if _host.is_sparse(arg1):
            a = arg1.tobsr(blocksize, copy=False) if arg1.format != "bsr" or blocksize else arg1
            parts = [_host.dense(x, copy) for x in (a.data, a.indices, a.indptr)]
            self._take_blocks(parts, a.shape if shape is None else shape, False)
        elif isinstance(arg1, tuple) and is_shape(arg1):
            m, n = own = as_shape(arg1)
            if shape is not None and as_shape(shape) != own:
                raise ValueError(f"inconsistent shapes: {own} and {shape}")
            shape = own
            rows, cols = _block_shape(shape, blocksize or (1, 1))
            dtype_of_indices = index_dtype(m, n)
            self._shape, self.data = shape, _core.zeros((0, rows, cols), np.float64)
            self.indices = _core.zeros((0,), dtype_of_indices)
            self.indptr = _core.zeros((m // rows + 1,), dtype_of_indices)
        elif isinstance(arg1, tuple) and len(arg1) == 3:
            self._take_blocks(arg1, shape, copy, blocksize)
        else:
            a = arg1 if isinstance(arg1, SparseBase) else self._of("coo")(arg1, shape=shape)
            if shape is not None and as_shape(shape) != a._shape:
                raise ValueError(f"inconsistent shapes: {a._shape} and {shape}")
            if a.ndim != 2:
                raise ValueError(f"Cannot convert a {a.ndim}d sparse array to bsr format")
            a = a.tobsr(blocksize)
            self._shape, parts = a._shape, a._stored()
            self.data, self.indices, self.indptr = (x.copy() for x in parts) if copy and a is arg1 else parts
        if dtype is not None and self.data.dtype != dtype:
            self.data = self.data.astype(dtype)
        SparseBase.__init__(self, self._shape, maxprint)

    def _take_blocks(self, parts, shape, copy, blocksize=None):
        data, indices, indptr = _host.dense(parts[0], copy), *(_host.index(x, copy) for x in parts[1:])
        if data.ndim != 3:
            raise ValueError(f"BSR data must be 3-dimensional, got shape={data.shape}")
        rows, cols = data.shape[1:]
        if blocksize is not None and tuple(blocksize) != (rows, cols):
            raise ValueError(f"mismatching blocksize={tuple(blocksize)} vs {(rows, cols)}")
        if shape is None:
            n = int(indices.max()) + 1 if indices.size else 0
            shape = ((indptr.size - 1) * rows, n * cols)
        self._shape = as_shape(shape)
        _block_shape(self._shape, (rows, cols))
        if indices.ndim != 1 or indptr.ndim != 1 or data.shape[0] != indices.size:
            raise ValueError("indices and indptr should be 1-D, and indices and data should have the same size")
        data, indices = ends_checked(data, indices, indptr, self._shape[0] // rows)
        keeps = self._is_array and "int64" in (indices.dtype, indptr.dtype)
        dtype = np.int64 if keeps else index_dtype(*self._shape, data.shape[0])
        parts = (data, *cast_index(dtype, indices, indptr))
        self.data, self.indices, self.indptr = (x.copy() for x in parts) if copy else parts

    @classmethod
    def _grouped(cls, a, blocksize):
        """The elements of another matrix in blocks."""
        if a.ndim != 2:
            raise ValueError(f"Cannot convert a {a.ndim}d sparse array to bsr format")
        shape = a._shape
        rows, cols = _block_shape(shape, blocksize or _fitting_blocksize(a))
        a = a._canonical().tocoo()
        across = shape[1] // cols
        numbers, block = unique(_block_numbers(a, rows, cols), return_inverse=True)
        data = _core.zeros((numbers.size, rows, cols), a.dtype)
        if a.data.size:
            data[block.reshape(-1), a.row % rows, a.col % cols] = a.data
        indices = (numbers % max(across, 1)).astype(a.col.dtype)
        lines = _core.arange(shape[0] // rows + 1)
        return cls._from_parts(data, indices, searchsorted(numbers // max(across, 1), lines).astype(a.col.dtype), shape)

    @property
    def blocksize(self):
        """The numbers of rows and columns of a block."""
        return self.data.shape[1:]

    def _stored(self):
        return self._usable().data, self.indices, self.indptr

    def _pattern(self):
        """The blocks' pattern."""
        self._usable()
        return (*self._grid(), self.indptr, self.indices)

    def _grid(self):
        """The numbers of rows and columns of blocks."""
        rows, cols = self.blocksize
        return self._shape[0] // rows, self._shape[1] // cols

    # The arrays that are known to be a pattern, of blocks of that shape, up to which write to their memory, and what is
    # to be said of it if known.
    _looked_at = None, None, None, -1, None

    def _know(self, found):
        self._looked_at = (self.indices, self.indptr, self.data.shape,
                           _core._sparse_written(self.indices, self.indptr), found)

    def _still_known(self):
        self._know(self._looked_at[-1])

    def _usable(self):
        indices, indptr, shape, written, _ = self._looked_at
        if (indices is not self.indices or indptr is not self.indptr or shape != self.data.shape
                or _core._sparse_written(indices, indptr) > written):
            self._check()
        return self

    def _check(self):
        self.indices, self.indptr = as_indices(self.indices, self.indptr)
        written = _core._sparse_written(self.indices, self.indptr)
        if self.data.ndim != 3:
            raise ValueError(f"BSR data must be 3-dimensional, got shape={self.data.shape}")
        _block_shape(self._shape, self.blocksize)
        lines, length = self._grid()
        self.data, self.indices = ends_checked(self.data, self.indices, self.indptr, lines)
        found = looked_over(lines, length, self.indptr, self.indices, "column of blocks")
        self._looked_at = self.indices, self.indptr, self.data.shape, written, found

    def _found(self):
        if self._usable()._looked_at[-1] is None:
            self._know(_core._sparse_check(*self._pattern()))
        return self._looked_at[-1]

    @classmethod
    def _from_parts(cls, data, indices, indptr, shape):
        """A matrix of these parts, unchecked."""
        a = object.__new__(cls)
        a._shape, a.data, a.indices, a.indptr, a.maxprint = shape, data, indices, indptr, 50
        a._know(None)
        return a

    def _with(self, data, indices, indptr, shape):
        a = self._from_parts(data, indices, indptr, shape)
        a.maxprint = self.maxprint
        return a

    def _mapped(self, f, copy=False):
        data, indices, indptr = self._stored()
        a = self._with(f(data), *((indices.copy(), indptr.copy()) if copy else (indices, indptr)), self._shape)
        a._know(self._looked_at[-1])
        return a

    def _canonical_here(self):
        return self if self.has_canonical_format else type(self)(self.tocsr(), blocksize=self.blocksize)

    def _sum_of_all(self, dtype):
        if self.dtype.kind == "b" or not self.data.size:
            return super()._sum_of_all(dtype)
        return self.data.sum(dtype=dtype)

    def _extreme(self, axis, out, f, reduction, explicit):
        if axis is not None or out is not None or not self.data.size or not self.has_canonical_format:
            return self.tocsr()._extreme(axis, out, f, reduction, explicit)
        value = reduction(self.data.reshape(-1))
        return value if explicit or self.data.size == math.prod(self._shape) else f(value, self.dtype.type(0))

    def _place(self, axis, out, f, explicit):
        return self.tocsr()._place(axis, out, f, explicit)

    # ---- what stays blocks

    def _in_blocks(self, result, other, cols=None):
        """A sparse result of this shape in blocks of this matrix's rows, and as many columns if no number is given."""
        if not isinstance(result, SparseBase) or not isinstance(other, SparseBase):
            return result
        return result.tobsr((self.blocksize[0], cols or self.blocksize[1]))

    def _block_by_block(self, other, f, any):
        """f of blocks of one size, each stored once, where either has one, or both have; those of zeros are not stored.
        None for other matrices.
        """
        if not isinstance(other, BSR) or (other._shape, other.blocksize) != (self._shape, self.blocksize):
            return None
        if not (self.has_canonical_format and other.has_canonical_format):
            return None
        p, q = pair(self._pattern(), other._pattern())
        start, index, mine, others = _core._sparse_match(*p, *q, any)
        a, b = (_blocks_at(x.data, numbers) for x, numbers in ((self, mine), (other, others)))
        result = self._with(f(a, b), index, start, self._shape)
        result.eliminate_zeros()
        return result

    __add__ = by_loops(by_scipy("__add__", SparseBase, _has_few)(SparseBase.__add__))
    __sub__ = by_loops(by_scipy("__sub__", SparseBase, _has_few)(SparseBase.__sub__))

    def _sum_with(self, other, f):
        made = self._block_by_block(other, f, True)
        return self._in_blocks(SparseBase._sum_with(self, other, f), other) if made is None else made

    def multiply(self, other):
        """The elementwise product with a number, or with a dense or sparse matrix that broadcasts; sparse."""
        made = self._block_by_block(other, _core.multiply, False)
        if made is not None:
            return made
        result = SparseBase.multiply(self, other)
        return self._in_blocks(result, other) if getattr(other, "shape", None) == self._shape else result

    def _numbers(self, blocks):
        """A matrix in CSR with an element for each block, of any format's that has this one's rows."""
        rows, cols, indptr, indices = self._pattern()
        return FAMILY["csr", self._is_array]._from_parts(blocks, indices, indptr, (rows, cols))

    def _times_dense(self, other):
        if self.blocksize == (1, 1):
            return self._numbers(self._usable().data.reshape(-1))._times_dense(other)
        made = _core._sparse_matmul_blocks(*self._pattern(), self.data, other) if self.data.size else None
        return self._times_expressions(other) if made is None else made

    def _times_expressions(self, other):
        """Of a vector each block's product with its part, then the sum of those of a row of blocks."""
        cols = self.blocksize[1]
        if other.ndim != 1 or not self.data.size or cols > _NARROW:
            return SparseBase._times_dense(self._counted(other), other)
        x = other.reshape(-1, cols)[self._usable().indices]
        products = functools.reduce(operator.add, (self.data[:, :, c] * x[:, c, None] for c in range(cols)))
        count = self.data.shape[0]
        numbers = _core.arange(count, dtype=self.indices.dtype)
        sums = FAMILY["csr", self._is_array]._from_parts(
            _core.ones((count,), products.dtype), numbers, self.indptr, (self.indptr.size - 1, count))
        return sums._times_dense(products).reshape(-1)

    def _axis_sum(self, axes, dtype):
        if axes == ():
            return super()._axis_sum(axes, dtype)
        (axis,) = axes
        a = self.astype(dtype, copy=False)
        return (a.transpose() if axis == 0 else a)._times_dense(_core.ones((self._shape[axis],), dtype))

    @by_loops
    @by_scipy("__matmul__")
    def _times_sparse(self, other):
        """A block is where two blocks meet, but of single elements only where their sum is not zero, as in SciPy."""
        product = SparseBase._times_sparse(self, other).tocoo()
        (rows, inner), cols = self.blocksize, other.blocksize[1] if other.format == "bsr" else 1
        if (rows, inner, cols) == (1, 1, 1):
            return product.tobsr((1, 1))
        other = other.tobsr((inner, cols))
        ones = (x._numbers(_core.ones((x.data.shape[0],), np.int64)) for x in (self, other))
        blocks = (next(ones) @ next(ones)).sorted_indices()
        place = cast_index(blocks.indices.dtype, product.row // rows, product.col // cols)
        data = _core.zeros((blocks.nnz, rows, cols), product.dtype)
        if product.nnz:
            data[_core._sparse_find(*blocks._pattern(), *place), product.row % rows, product.col % cols] = product.data
        return self._with(data, blocks.indices, blocks.indptr, product._shape)

    def sum_duplicates(self):
        """Stores each block once: the sum of those that are stored more often."""
        if not self.has_canonical_format:
            self.__dict__.update(self._canonical_here().__dict__)

    def eliminate_zeros(self):
        """Stores no block that is zero."""
        if self._usable().data.size:
            kept = _core.nonzero((self.data != 0).any(axis=(1, 2)))[0]
            self.indptr = searchsorted(kept, self.indptr).astype(self.indptr.dtype)
            self.data, self.indices = at(self.data, kept), at(self.indices, kept)
            self._know(self._looked_at[-1])

    @property
    def has_sorted_indices(self):
        """Whether the columns of blocks do not descend in any row of them."""
        return bool(self._found() & _SORTED)

    @property
    def has_canonical_format(self):
        """Whether the columns of blocks ascend in each row of them, and no block is stored twice."""
        return self._found() & _ONCE == _ONCE

    def sorted_indices(self):
        """The same with blocks in order in each row of them."""
        if self.has_sorted_indices:
            return self.copy()
        indptr, indices, order = _core._sparse_sort(*self._pattern())
        return self._with(at(self.data, order), indices, indptr, self._shape)

    def sort_indices(self):
        """Puts blocks in order in each row of them."""
        if not self.has_sorted_indices:
            self.__dict__.update(self.sorted_indices().__dict__)

    def _resize(self, shape):
        rows, cols = _block_shape(shape, self.blocksize)
        parts = resized(*self._stored(), shape[0] // rows, shape[1] // cols, shape[1] < self._shape[1])
        self.data, self.indices, self.indptr = parts
        self._shape = shape

    def prune(self):
        """Gives up what data and indices hold beyond the last block, if they have been made longer by hand."""
        n = int(self.indptr[-1])
        self.data, self.indices = self.data[:n], self.indices[:n]

    def check_format(self, full_check=True):
        """Raises ValueError where the parts are no matrix.

        Args:
            full_check: Accepted; all is looked at, which is one pass over the indices.
        """
        type(self)((self.data, self.indices, self.indptr), shape=self._shape)._usable()

    def _col(self, j):
        """Of each block in that column of blocks one column is a block."""
        j, (_, cols) = index_at(j, self._shape[1], "column"), self.blocksize
        a = self._canonical_here()
        kept = _core.nonzero(a.indices == j // cols)[0]
        place = j % cols
        return self._with(at(a.data, kept)[:, :, place : place + 1], _core.zeros((kept.size,), a.indices.dtype),
                          searchsorted(kept, a.indptr).astype(a.indptr.dtype), (self._shape[0], 1))

    def __getitem__(self, key):
        raise NotImplementedError("blocks cannot be picked by a key: convert the matrix to CSR")

    def __setitem__(self, key, value):
        raise NotImplementedError("blocks cannot be written by a key: convert the matrix to CSR")

    def _counts(self, axis):
        return self.tocoo()._counts(axis)

    def get(self, stream=None, *, copy=True):
        """The matrix as SciPy's, on the host: a copy of the parts; see ``SparseBase.get``."""
        return _host.to_scipy(self, self._stored(), copy)

    def _elements(self, dtype, copy=False):
        """All elements of all blocks in the COO format, with coordinates of that dtype."""
        rows, cols = self.blocksize
        first = _core._sparse_rows(*self._pattern()).astype(dtype)[:, None, None] * rows
        row = first + _core.arange(rows, dtype=dtype)[:, None]
        col = self.indices.astype(dtype)[:, None, None] * cols + _core.arange(cols, dtype=dtype)
        coords = (_core.broadcast_to(x, self.data.shape).reshape(-1) for x in (row, col))
        data = self.data.reshape(-1)
        return self._of("coo")._made(self._shape, data.copy() if copy else data, *cast_index(dtype, *coords))

    def tocoo(self, copy=False):
        """The same in the COO format: all elements of all blocks."""
        return self._elements(index_dtype(*self._shape), copy)

    def diagonal(self, k=0):
        """The k-th diagonal, a dense vector of zero length if it lies outside."""
        found = _core._sparse_block_diagonal(*self._pattern(), self.data, k)
        return SparseBase.diagonal(self, k) if found is None else found

    @by_loops
    @by_scipy("tocsr", leaves=is_small)
    def tocsr(self, copy=False):
        """The same in the CSR format: all elements of all blocks."""
        dtype = np.int64 if self.indices.dtype == "int64" else index_dtype(*self._shape)
        return self._elements(dtype).tocsr()

    def tobsr(self, blocksize=None, copy=False):
        """This, a copy, or the same in blocks of another size."""
        if blocksize not in (None, self.blocksize):
            return self.tocsr().tobsr(blocksize)
        return self.copy() if copy else self._usable()

    @by_loops
    @by_scipy("transpose", leaves=is_small)
    def transpose(self, axes=None, copy=False):
        """The transpose, in transposed blocks."""
        check_axes(axes)
        indptr, indices, order = _core._sparse_transpose(*self._pattern())
        return self._with(at(self.data, order).transpose(0, 2, 1), indices, indptr, self._shape[::-1])


def _blocks_at(data, numbers):
    """The blocks that have these numbers, and zeros where a number is -1."""
    if not data.shape[0]:
        return _core.zeros((numbers.size, *data.shape[1:]), data.dtype)
    return _core.where((numbers >= 0)[:, None, None], data[_core.maximum(numbers, 0)], data.dtype.type(0))


def _block_shape(shape, blocksize):
    try:
        rows, cols = blocksize
    except (TypeError, ValueError) as e:
        raise ValueError(f"invalid blocksize={blocksize}") from e
    if rows < 1 or cols < 1 or shape[0] % rows or shape[1] % cols:
        raise ValueError(f"invalid blocksize {blocksize}: a matrix of shape {shape} has not whole blocks of it")
    return int(rows), int(cols)


def _block_numbers(a, rows, cols):
    """Of each element of a COO matrix which block of that size it is in, counted in C order."""
    return a.row.astype(np.int64) // rows * max(a._shape[1] // cols, 1) + a.col // cols


def _fitting_blocksize(a):
    """See fitting_blocksize."""
    a = a.tocoo()

    def filled(n):
        if a._shape[0] % n or a._shape[1] % n or not a.nnz:
            return 0.0
        return a.nnz / (n * n * unique(_block_numbers(a, n, n)).size)

    return fitting_blocksize(filled)


@register
class bsr_matrix(spmatrix, BSR):
    """A sparse matrix of dense blocks of one size, whose rows lie together. CuPy has none.

    Args:
        arg1: A dense array; a sparse matrix, of SciPy's too; a shape; or ``(data, indices, indptr)``: the blocks of
            shape ``(blocks, rows, columns)``, which column of blocks each is in, and where each row of blocks begins.
        shape: The matrix's, if arg1 does not say it.
        dtype: Of the elements.
        copy: Whether arrays that are given are copied. By default those on the device are not; False shares the memory
            of NumPy's and SciPy's, too, where the device is the host (see ``get``).
        blocksize: The numbers of rows and columns of a block; by default that of what is given, or one that its
            elements fill well.

    Raises:
        ValueError: Parts do not fit together, or the shape is not one of whole blocks. Indices outside of it are found
            when they are first used.
        TypeError: arg1 is nothing to make a matrix of.

    On the CPU loops over blocks compute, SciPy's for the most part, in this matrix's memory. On a GPU it is for
    construction: products and most sums with others are those of ``tocsr()``, made anew for each, and in blocks again.

    >>> a = tombacx.scipy.sparse.bsr_matrix((tombac.ones((2, 1, 2)), [0, 1], [0, 1, 2]), shape=(2, 4))
    >>> a.toarray()
    array([[1., 1., 0., 0.],
           [0., 0., 1., 1.]])
    """

    def __init__(self, *args, maxprint=50, **kwargs):
        BSR.__init__(self, *args, maxprint=maxprint, **kwargs)


@register
class bsr_array(sparray, BSR):
    """The same as an array, whose ``*`` is elementwise; see bsr_matrix."""

    def __init__(self, arg1, shape=None, dtype=None, copy=None, blocksize=None, *, maxprint=None):
        BSR.__init__(self, arg1, shape, dtype, copy, blocksize, maxprint=maxprint)


def isspmatrix_bsr(x):
    """Whether x is a bsr_matrix.

    Args:
        x: Anything.

    Returns:
        A bool.

    >>> tombacx.scipy.sparse.isspmatrix_bsr(tombacx.scipy.sparse.eye(2, format="bsr"))
    True
    """
    return isinstance(x, bsr_matrix)
