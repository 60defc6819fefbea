"""What all sparse formats have in common. What a format does not do itself is done in the CSR format."""

import operator

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse import _products as products
from tombacx.scipy.sparse._arithmetic import Arithmetic, is_operand, no_operand
from tombacx.scipy.sparse._host import element_dtype
from tombacx.scipy.sparse._shapes import as_axes, as_shape, same_size
from tombacx.scipy.sparse._structure import index_dtype
from tombacx.scipy.sparse._ufuncs import asked

__all__ = ["FAMILY", "SparseBase", "SparseEfficiencyWarning", "SparseWarning", "issparse", "sparray", "spmatrix"]

_LONG_NAMES = {
    "coo": "COOrdinate", "csr": "Compressed Sparse Row", "csc": "Compressed Sparse Column", "dia": "DIAgonal",
    "bsr": "Block Sparse Row", "lil": "List of Lists", "dok": "Dictionary Of Keys",
}
FAMILY = {}  # (format, whether an array) -> class


class SparseWarning(Warning):
    """Something of a sparse matrix that is not as it should be."""


class SparseEfficiencyWarning(SparseWarning):
    """Something that is slow with sparse matrices."""


try:  # SciPy's, so that filters for them work, where it is imported already
    import sys

    if "scipy.sparse" in sys.modules:
        SparseWarning = sys.modules["scipy.sparse"].SparseWarning
        SparseEfficiencyWarning = sys.modules["scipy.sparse"].SparseEfficiencyWarning
except AttributeError:
    pass


class SparseBase(Arithmetic):
    """A sparse matrix or array, whatever its format; _allow_nd says of how many dimensions there are some."""

    __array_priority__ = 10.1
    __array_ufunc__ = None  # NumPy's and tombac's operators leave it to this one's
    _is_array = False
    format = "und"
    _allow_nd = (2,)

    def __init__(self, shape, maxprint=50):
        self._shape = as_shape(shape, self._allow_nd)
        self.maxprint = 50 if maxprint is None else maxprint

    # ---- what it is

    @property
    def shape(self):
        """The numbers of rows and columns."""
        return self._shape

    @property
    def ndim(self):
        """The number of dimensions: 2, but of some arrays."""
        return len(self._shape)

    @property
    def dtype(self):
        """The dtype of the elements."""
        return self.data.dtype

    @property
    def nnz(self):
        """How many elements are stored."""
        return self._count()

    @property
    def size(self):
        """How many elements are stored."""
        return self._count()

    @property
    def device(self):
        """The device that the elements are on."""
        return self.data.device

    @property
    def T(self):
        """The transpose."""
        return self.transpose()

    @property
    def mT(self):
        """The transpose of each matrix: the last two axes swapped."""
        if self.ndim < 2:
            raise ValueError("an array of one dimension has no matrix transpose")
        return self.transpose() if self.ndim == 2 else self.transpose((*range(self.ndim - 2), -1, -2))

    @property
    def real(self):
        """The real parts."""
        return self._mapped(lambda x: x.real.copy() if x.dtype.kind == "c" else x)

    @property
    def imag(self):
        """The imaginary parts."""
        return self._mapped(lambda x: x.imag.copy())

    def _count(self):
        return int(self.data.size)

    def _has_any(self):
        return self.data.size > 0

    def count_nonzero(self, axis=None):
        """How many elements are not zero, those that are stored twice counted once."""
        if axis is None:
            return int(_core.count_nonzero(self._values()))
        axes = (axis,) if type(axis) is int and 0 <= axis < len(self._shape) > 1 else as_axes(axis, self.ndim)
        if axes is None:
            return int(_core.count_nonzero(self._values()))
        a = self._distinct()
        if axes and a.format != "bsr" and int(_core.count_nonzero(a.data)) == a.data.size:
            return a._counts(axis).astype(np.intp, copy=False)
        nonzero = a._mapped(lambda x: (x != 0).astype(np.intp)).sum(axis=axis)
        return nonzero if self._is_array else nonzero.ravel()

    def _two(self, what):
        """The numbers of rows and columns, for what only matrices have."""
        if len(self._shape) != 2:
            raise ValueError(f"{what} requires two dimensions")
        return self._shape

    def _canonical(self):
        """This, or one in which no element is stored twice."""
        a = self.tocsr()
        return a if a.has_canonical_format else a._summed()

    def _distinct(self):
        """The same, as this is if that is one of elements and their places."""
        return self._canonical_here() if self.format in ("coo", "csr", "csc", "bsr") else self._canonical()

    def _values(self):
        """The elements of different places."""
        return self._distinct().data

    def __tombac_get_ndarray__(self):
        return self.toarray()

    def __tombac_ufunc__(self, name, *args):
        return asked(name, args)

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __bool__(self):
        if self._shape != (1,) * self.ndim or self.ndim == 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or "
                             "a.all().")
        return self.nnz != 0 and bool(self.toarray().reshape(()))

    __nonzero__ = __bool__

    def __iter__(self):
        if not self._is_array:
            rows = self.tocsr()
            return (rows[i] for i in range(self._shape[0]))
        if self.ndim == 1:
            return iter(self.toarray())
        if self.ndim > 2:
            return (self[i] for i in range(self._shape[0]))
        rows = self.tocsr()._vectors()
        return (a.tocoo() for a in rows) if self.format == "coo" else rows

    def __repr__(self):
        what = "array" if self._is_array else "matrix"
        more = f" ({self.data.shape[0]} diagonals)" if self.format == "dia" else ""
        more = " (blocksize={}x{})".format(*self.data.shape[1:]) if self.format == "bsr" else more
        return (f"<{_LONG_NAMES[self.format]} sparse {what} of dtype '{self.dtype}'\n\twith {self.nnz} stored elements"
                f"{more} and shape {self._shape}>")

    def __str__(self):
        return str(self.get())

    def __class_getitem__(cls, item):
        import types

        return types.GenericAlias(cls, item)

    def __reduce__(self):
        return _restored, (type(self), self.get())

    def __copy__(self):
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def __deepcopy__(self, memo):
        return self.copy()

    def get(self, stream=None, *, copy=True):
        """The matrix as SciPy's, on the host.

        Args:
            stream: Must be None: the parts are copied on the current stream.
            copy: False: where the device is the host the result has the memory of this matrix, as what is made of one
                of SciPy's with ``copy=False`` has that one's. Each keeps it alive, and sees what the other one writes
                to elements. Places of elements may not be changed as long as both are used, in no way: not by
                ``sort_indices``, ``sum_duplicates`` or ``eliminate_zeros`` either, which do so in place in SciPy. What
                works with memory that is shared is not deferred. float16 is copied, which SciPy does not have.
        """
        raise NotImplementedError

    def _usable(self):
        """This, whose indices have been looked at."""
        return self

    def _suits_loops(self):
        """Whether SciPy's loops, which do not look at what they are given, may be given the parts of this."""
        return True

    def _still_known(self):
        """Says that SciPy, to which their memory has been given, does not write to it."""

    def _for_scipy(self):
        """SciPy's matrix, to be read."""
        return self.get()

    # ---- other formats and dtypes

    def _of(self, format):
        """The class of a format, matrices or arrays as this one."""
        return FAMILY[format, self._is_array]

    def asformat(self, format, copy=False):
        """The same in another format: 'bsr', 'coo', 'csc', 'csr', 'dia', 'dok' or 'lil'."""
        if format is None or format == self.format:
            return self.copy() if copy else self._usable()
        if not isinstance(format, str) or not hasattr(self, "to" + format):
            raise ValueError(f"Format {format} is unknown.")
        return getattr(self, "to" + format)(copy=copy)

    def tocsr(self, copy=False):
        """The same in the CSR format."""
        return self.tocoo().tocsr()

    def tocsc(self, copy=False):
        """The same in the CSC format."""
        return self.tocsr().tocsc()

    def tocoo(self, copy=False):
        """The same in the COO format."""
        return self.tocsr().tocoo()

    def todia(self, copy=False):
        """The same in the DIA format."""
        return self.tocoo().todia()

    def tobsr(self, blocksize=None, copy=False):
        """The same in the BSR format, in blocks of that size. CuPy refuses."""
        return self.tocsr().tobsr(blocksize)

    def todok(self, copy=False):
        """The same in the DOK format, on the host. CuPy refuses."""
        return self._of("dok")._of_built(self._for_scipy().todok())

    def tolil(self, copy=False):
        """The same in the LIL format, on the host. CuPy refuses."""
        return self._of("lil")._of_built(self._for_scipy().tolil())

    def toarray(self, order=None, out=None):
        """A dense array; of elements that are stored twice the sum.

        Args:
            order: 'C', 'F', or None, which is 'C'.
            out: An array of this shape and dtype to write to.
        """
        return self.tocoo().toarray(order, out)

    def todense(self, order=None, out=None):
        """A dense array, as ``toarray``; not a matrix, as SciPy's."""
        return self.toarray(order, out)

    def astype(self, dtype, casting="unsafe", copy=True):
        """The same with elements of another dtype."""
        dtype = element_dtype(dtype)
        if dtype == self.dtype and not copy:
            return self
        return self._mapped(lambda x: x.astype(dtype, casting=casting))

    def copy(self):
        """The same in memory of its own."""
        return self._mapped(lambda x: x.copy(), copy=True)

    def conj(self, copy=True):
        """The complex conjugate."""
        if self.dtype.kind == "c":
            return self._mapped(_core.conjugate, copy=copy)
        return self.copy() if copy else self

    def conjugate(self, copy=True):
        """The complex conjugate."""
        return self.conj(copy)

    def reshape(self, *shape, order="C", copy=False):
        """The same elements in another shape, in C order or Fortran's, in the COO format unless the shape is the same:
        then it is this matrix, or a copy.
        """
        if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)):
            shape = shape[0]
        shape = same_size(shape, self._shape, FAMILY["coo", self._is_array]._allow_nd)
        if shape == self._shape:
            return self.copy() if copy else self
        made = self.tocoo()._reshaped(shape, order)
        return made.copy() if copy else made

    def resize(self, *shape):
        """Gives this matrix another shape: elements stay in their rows and columns, and those outside of the shape are
        gone. Other numbers of dimensions are those that the format has: elements then stay where they are in C order,
        but of an array in CSR, where one dimension is the first row.
        """
        shape = as_shape(shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape,
                         self._allow_nd)
        if shape != self._shape:
            self._resize(shape)

    # ---- parts

    def diagonal(self, k=0):
        """The k-th diagonal, a dense vector of zero length if it lies outside."""
        self._two("diagonal")
        return self.tocsr().diagonal(k)

    def trace(self, offset=0):
        """The sum of a diagonal."""
        return self.diagonal(offset).sum()

    def nonzero(self):
        """The coordinates of stored elements that are not zero: the rows and the columns of a matrix. What is stored
        in parts is there as often, as SciPy has it.
        """
        a = (self.tocsr() if self.format == "csc" else self).tocoo(copy=False)
        kept = a.data != 0
        if not a.data.size or bool(kept.all()):
            return tuple(x.copy() for x in a.coords)
        return tuple(x[kept] for x in a.coords)

    def setdiag(self, values, k=0):
        """Sets the k-th diagonal to a number, or to the elements of a vector, in this matrix's dtype."""
        self._two("setdiag")
        a, (row, col, values) = self.tocsr(), self._diagonal_places(values, k)
        a._put(row, col, values.astype(self.dtype, copy=False))
        self.__dict__.update(a.asformat(self.format).__dict__)

    def _diagonal_places(self, values, k):
        """The rows and columns of the first elements of a diagonal, as many as there are values, and the values: a
        number in this matrix's dtype, a vector in its own.
        """
        rows, cols = self._two("setdiag")
        if k and (k <= -rows or k >= cols):
            raise ValueError("k exceeds matrix dimensions")
        if not isinstance(values, _core.ndarray) or values.ndim == 0:
            values = _core.asarray(values) if np.ndim(values) else _core.asarray(values, self.dtype)
        if values.ndim > 1:
            raise ValueError("values must be 0-d or 1-d")
        n = min(rows + min(k, 0), cols - max(k, 0))
        if values.ndim == 1:
            n = min(n, values.size)
            values = values[:n]
        i = _core.arange(n, dtype=index_dtype(rows, cols))
        return i - k if k < 0 else i, i + k if k > 0 else i, _core.broadcast_to(values, (n,))

    # ---- operators, whose work is in _arithmetic.py

    def dot(self, other):
        """The product with a number, a vector, a dense or a sparse matrix; an array of no dimension is no number."""
        ndim = getattr(other, "ndim", None)
        if not ndim and np.isscalar(other):
            return self._scaled(other)
        if ndim == 0:
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        product = NotImplemented if ndim is None else products.dot(self, other)
        if product is NotImplemented:
            raise no_operand("dot", other)
        return product

    def __matmul__(self, other):
        if type(other) is _core.ndarray and other.ndim:
            return self._matmul(other)
        if np.isscalar(other) or getattr(other, "ndim", 1) == 0:
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._matmul(other)

    def __rmatmul__(self, other):
        if np.isscalar(other) or getattr(other, "ndim", 1) == 0:
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._rmatmul(other)

    def __pow__(self, n):
        return self.power(n)

    def power(self, n, dtype=None):
        """Each stored element to the power n, a number that is not 0."""
        n = _core._on_host(n)
        if not np.isscalar(n):
            raise NotImplementedError("input is not scalar")
        if not n:
            raise NotImplementedError("zero power is not supported as it would densify the matrix. Use "
                                      "`np.ones(A.shape, dtype=A.dtype)` for this case.")
        a = self._canonical_here()
        return (a if dtype is None else a.astype(dtype))._mapped(lambda x: x**n)


def _restored(cls, host):
    return cls(host)


class sparray:
    """The base of sparse arrays, whose ``*`` is elementwise. There are none of it alone.

    Those in the COO format have any number of dimensions, those in CSR one or two.
    """

    _is_array = True

    def __init__(self):
        raise ValueError("sparray is the base of sparse arrays: make one of a format, such as csr_array")

    def __mul__(self, other):
        return self.multiply(other) if is_operand(other) else NotImplemented

    def __rmul__(self, other):
        return self.multiply(other) if is_operand(other) else NotImplemented


class spmatrix:
    """The base of sparse matrices, whose ``*`` is the matrix product. There are none of it alone."""

    _is_array = False

    def __init__(self, *args, maxprint=50, **kwargs):
        raise ValueError("spmatrix is the base of sparse matrices: make one of a format, such as csr_matrix")

    def __mul__(self, other):
        return self._scaled(other) if np.isscalar(other) or getattr(other, "ndim", 1) == 0 else self._matmul(other)

    def __rmul__(self, other):
        return self._scaled(other) if np.isscalar(other) or getattr(other, "ndim", 1) == 0 else self._rmatmul(other)

    def __pow__(self, n):
        from tombacx.scipy.sparse.linalg import matrix_power

        rows, cols = self._shape
        if rows != cols:
            raise TypeError("matrix is not square")
        try:
            n = operator.index(n)
        except TypeError:
            if not np.isscalar(n) or n != int(n):
                raise ValueError("exponent must be an integer") from None
            n = int(n)
        if n < 0:
            raise ValueError("exponent must be >= 0")
        return matrix_power(self, n)

    @property
    def A(self):
        """A dense array."""
        return self.toarray()

    @property
    def H(self):
        """The conjugate transpose."""
        return self.getH()

    def getH(self):
        """The conjugate transpose."""
        return self.conj(False).transpose()

    @property
    def shape(self):
        """The numbers of rows and columns. Another one may be set, in which the elements lie as in C order."""
        return self._shape

    @shape.setter
    def shape(self, shape):
        self.__dict__.update(self.reshape(shape).asformat(self.format).__dict__)

    def get_shape(self):
        """The shape."""
        return self._shape

    def set_shape(self, shape):
        """Sets the shape, as ``reshape``."""
        self.shape = shape

    def getformat(self):
        """The format's name."""
        return self.format

    def getmaxprint(self):
        """How many elements are shown at most."""
        return self.maxprint

    def getnnz(self, axis=None):
        """How many elements are stored, in each row or column if there is an axis."""
        return self._count() if axis is None else self._counts(axis)

    def getrow(self, i):
        """Row i, a sparse matrix in the CSR format."""
        return self._picked_line((self if self.format == "csc" else self.tocsr())._row(i)).asformat("csr")

    def getcol(self, j):
        """Column j, a sparse matrix."""
        return self._picked_line((self if self.format in ("csc", "bsr") else self.tocsr())._col(j))

    def _picked_line(self, a):
        """Without zeros, but of CSR and CSC: what SciPy's other formats give is a product. One of blocks keeps those of
        zeros, if they are not single elements.
        """
        if self.format not in ("csr", "csc") and (a.format != "bsr" or self.blocksize == (1, 1)):
            a.eliminate_zeros()
        return a

    def asfptype(self):
        """The same, with elements of float32 or float64, whichever holds them all, if they are integers."""
        return self if self.dtype.kind in "fc" else self.astype(np.promote_types(self.dtype, np.float32))


def issparse(x):
    """Whether x is a sparse matrix or array of tombac's.

    Args:
        x: Anything.

    Returns:
        A bool.

    >>> tombacx.scipy.sparse.issparse(tombacx.scipy.sparse.eye(3))
    True
    """
    return isinstance(x, SparseBase)
