"""Matrices for construction element by element, in the LIL and DOK formats: SciPy's, on the host.

Elements are set and read there, one after the other or by any key of SciPy's, and so are sums and products with
numbers, which stay in the format. Whatever else is computed of such a matrix is computed in CSR on the device, to which
its elements are copied each time.
"""

import bisect
import copy
import functools
import itertools

from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import host, scipy_function
from tombacx.scipy.sparse import _host
from tombacx.scipy.sparse._arithmetic import is_number
from tombacx.scipy.sparse._base import SparseBase, sparray, spmatrix
from tombacx.scipy.sparse._by_scipy import by_scipy, taken
from tombacx.scipy.sparse._compressed import register
from tombacx.scipy.sparse._loops import flat_lists, on_device
from tombacx.scipy.sparse._structure import index_dtype

__all__ = ["dok_array", "dok_matrix", "isspmatrix_dok", "isspmatrix_lil", "lil_array", "lil_matrix"]


_MANY = 32  # rows of lists, each of which SciPy makes dense by itself
_PLAIN = frozenset((int, float, complex, bool, slice, type(None), np.ndarray, np.float64, np.int64))
_NUMBERS = frozenset((int, float, complex, bool))


def _has_many_rows(a):
    return a._shape[0] > _MANY


def _on_host(x):
    """Whatever is on the device in a key or a value, on the host."""
    if type(x) in _PLAIN:
        return x
    if type(x) is tuple:
        for y in x:
            if type(y) not in _PLAIN:
                return tuple(map(_on_host, x))
        return x
    return x.get() if isinstance(x, SparseBase) else host(x)


@functools.cache
def _class(format, is_array):
    """SciPy's of a format."""
    name = f"{format}_{'array' if is_array else 'matrix'}"
    return scipy_function("scipy.sparse", name)


_FIELDS = {"lil": {"_shape", "maxprint", "dtype", "rows", "data"}, "dok": {"_shape", "maxprint", "dtype", "_dict"}}


@functools.cache
def _sample(format, is_array):
    """SciPy's class of a format, and what its objects hold: None where that is not what is known here."""
    cls = _class(format, is_array)
    fields = vars(cls((1, 1)))
    return cls, fields if set(fields) == _FIELDS[format] else None


def _is_shape(x):
    return type(x) is tuple and len(x) == 2 and type(x[0]) is type(x[1]) is int and x[0] >= 0 <= x[1]


def _lists(n):
    """An array of empty lists."""
    return np.fromiter(map(list, itertools.repeat((), n)), object, n)


def _is_place(key):
    return type(key) is tuple and len(key) == 2 and type(key[0]) is type(key[1]) is int


class Built(SparseBase):
    """What matrices in LIL and DOK have in common: _built is SciPy's."""

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        if type(arg1) is not tuple:
            _host.known(self, arg1)
            if isinstance(arg1, Built) and arg1.format == self.format:
                arg1 = arg1._built
        built = self._empty(arg1) if shape is None is dtype and _is_shape(arg1) else None
        if built is None:
            built = _class(self.format, self._is_array)(_on_host(arg1), shape, dtype, copy)
        self._built, self._shape, self.maxprint = built, built.shape, 50 if maxprint is None else maxprint

    def _empty(self, shape):
        """SciPy's without elements, whose own looks at a shape take longer than all else; None: SciPy has to."""
        cls, fields = _sample(self.format, self._is_array)
        if fields is None:
            return None
        built = cls.__new__(cls)
        built.__dict__.update(fields, _shape=shape, **self._no_elements(shape))
        return built

    def _like(self, built):
        a = object.__new__(type(self))
        a._built, a._shape, a.maxprint = built, built.shape, self.maxprint
        return a

    @classmethod
    def _of_built(cls, built):
        """A matrix that is that one of SciPy's."""
        a = object.__new__(cls)
        a._built, a._shape, a.maxprint = built, built.shape, 50
        return a

    @property
    def dtype(self):
        """The dtype of the elements."""
        return self._built.dtype

    @property
    def device(self):
        """The device that the elements go to when something is computed."""
        return _core.empty(()).device

    def _for_scipy(self):
        return self._built

    def _count(self):
        return int(self._built.nnz)

    def _sum_of_all(self, dtype):
        return self._values().sum(dtype=dtype)

    def _counts(self, axis):
        return _core.array(self._built._getnnz(axis) if self._is_array else self._built.getnnz(axis))

    def _mapped(self, f, copy=False):
        return self.tocsr()._mapped(f)

    def _canonical_here(self):
        return self.tocsr()

    def _from_host(self, found):
        if type(found) is type(self._built):
            return self._like(found)
        format = getattr(found, "format", None)
        if format is None:
            return _core.array(found)
        return taken(found)

    def __getitem__(self, key):
        if type(key) in _PLAIN:
            return self._from_host(self._built[key])
        if _is_place(key) and len(self._shape) == 2:
            return _core.array(self._element(*key), self._built.dtype)
        return self._from_host(self._built[_on_host(key)])

    def __iter__(self):
        return (self[i] for i in range(self._shape[0]))

    def __setitem__(self, key, value):
        if _is_place(key) and type(value) in _NUMBERS:
            self._set_element(key, value)
        else:
            self._built[_on_host(key)] = _on_host(value)

    # ---- with numbers

    def _stays(self, other):
        """Whether a sum with that has this format."""
        return is_number(other)

    def _scaled(self, number):
        return self._from_host(self._built * _on_host(number))

    def __truediv__(self, other):
        return (self._from_host(self._built / _on_host(other)) if is_number(other)
                else SparseBase.__truediv__(self, other))

    def __add__(self, other):
        return (self._from_host(self._built + _on_host(other)) if self._stays(other)
                else SparseBase.__add__(self, other))

    def __radd__(self, other):
        return (self._from_host(_on_host(other) + self._built) if self._stays(other)
                else SparseBase.__radd__(self, other))

    def __sub__(self, other):
        return (self._from_host(self._built - _on_host(other)) if is_number(other)
                else SparseBase.__sub__(self, other))

    def __rsub__(self, other):
        return (self._from_host(_on_host(other) - self._built) if is_number(other)
                else SparseBase.__rsub__(self, other))

    def __imul__(self, other):
        if not np.isscalar(other):
            return NotImplemented
        self._built *= other
        return self

    def __itruediv__(self, other):
        if not np.isscalar(other):
            return NotImplemented
        self._built /= other
        return self

    def setdiag(self, values, k=0):
        """Sets the k-th diagonal to a number, or to the elements of a vector."""
        self._built.setdiag(_on_host(values), k)

    def resize(self, *shape):
        """Another shape in place: elements outside of it are dropped."""
        self._built.resize(*shape)
        self._shape = self._built.shape

    def copy(self):
        """A copy, on the host."""
        return self._like(self._built.copy())

    def __copy__(self):
        return self._like(copy.copy(self._built))

    def astype(self, dtype, casting="unsafe", copy=True):
        """The same with elements of another dtype."""
        if np.dtype(dtype) == self.dtype and not copy:
            return self
        return self._like(self._built.astype(dtype, casting=casting, copy=copy))

    def transpose(self, axes=None, copy=False):
        """The transpose."""
        return self._like(self._built.transpose(axes, copy=copy))

    def toarray(self, order=None, out=None):
        """A dense array; see ``SparseBase.toarray``."""
        return self._dense(order) if out is None else self.tocsr().toarray(order, out)


class LIL(Built):
    """What lil_matrix and lil_array have in common."""

    format = "lil"

    @staticmethod
    def _no_elements(shape):
        return {"rows": _lists(shape[0]), "data": _lists(shape[0])}

    def _place(self, i, j):
        """The lists of a row, where a column has its place in them, whether there is an element, and that column."""
        n = self._shape[1]
        if not -n <= j < n:
            raise IndexError(f"column index ({j}) out of bounds")
        built, j = self._built, j if j >= 0 else j + n
        columns = built.rows[i]
        place = bisect.bisect_left(columns, j)
        return columns, built.data[i], place, place < len(columns) and columns[place] == j, j

    def _element(self, i, j):
        _, values, place, is_stored, _ = self._place(i, j)
        return values[place] if is_stored else 0

    def _set_element(self, key, value):
        columns, values, place, is_stored, j = self._place(*key)
        value = self._built.dtype.type(value)
        if value == 0:
            if is_stored:
                del columns[place], values[place]
        elif is_stored:
            values[place] = value
        else:
            columns.insert(place, j)
            values.insert(place, value)

    def tocsr(self, copy=False):
        """The same in the CSR format, on the device."""
        built = self._built
        found = flat_lists(built.data, built.dtype) if self._shape[1] else None
        if found is None:
            a = built.tocsr()
            parts = a.data, a.indices, a.indptr
        else:
            data, indptr = found
            dtype = np.dtype(index_dtype(self._shape[1], data.size))
            parts = data, flat_lists(built.rows, dtype)[0], indptr.astype(dtype, copy=False)
        return self._of("csr")._from_parts(*map(on_device, parts), self._shape)

    def _values(self):
        found = flat_lists(self._built.data, self._built.dtype)
        return SparseBase._values(self) if found is None else on_device(found[0])

    @property
    def rows(self):
        """A host array of lists: the columns of each row's elements."""
        return self._built.rows

    @property
    def data(self):
        """A host array of lists: the elements of each row."""
        return self._built.data

    @by_scipy("toarray", leaves=_has_many_rows)
    def _dense(self, order=None):
        return self.tocsr().toarray(order)

    def _has_any(self):
        return any(self._built.rows.flat)

    def _axis_sum(self, axes, dtype):
        return self.tocsr()._axis_sum(axes, dtype)

    def tolil(self, copy=False):
        """This, or a copy."""
        return self.copy() if copy else self

    def reshape(self, *shape, order="C", copy=False):
        """The same elements in another shape of two dimensions, in C order or Fortran's."""
        made = self._built.reshape(*shape, order=order, copy=copy)
        return self if made is self._built else self._like(made)

    def getrow(self, i):
        """A copy of row i."""
        return self._like(self._built.getrow(i))

    def getrowview(self, i):
        """Row i; what is set in it is set in this matrix."""
        return self._like(self._built.getrowview(i))

    def __iadd__(self, other):
        self._built += _on_host(other)
        return self

    def __isub__(self, other):
        self._built -= _on_host(other)
        return self

    def get(self, stream=None, *, copy=True):
        """The matrix as SciPy's: a copy, or itself."""
        return self._built.copy() if copy else self._built


class DOK(Built):
    """What dok_matrix and dok_array have in common."""

    format = "dok"

    @staticmethod
    def _no_elements(shape):
        return {"_dict": {}}

    def _element(self, i, j):
        return self._built.get((i, j), 0)

    def _set_element(self, key, value):
        self._built[key] = value

    def _values(self):
        built = self._built
        return on_device(np.fromiter(built.values(), built.dtype, len(built)))

    _dense = SparseBase.toarray

    def _has_any(self):
        return len(self._built) > 0

    def tocoo(self, copy=False):
        """The same in the COO format, on the device."""
        shape = self._shape
        wide = index_dtype(*shape) is np.int64
        places = _core._key_columns(self._built.keys(), len(shape), wide)
        return self._of("coo")._from_parts(self._values(), *map(on_device, places), shape)

    def tocsr(self, copy=False):
        """The same in the CSR format, on the device."""
        return self.tocoo().tocsr()

    def todok(self, copy=False):
        """This, or a copy."""
        return self.copy() if copy else self

    def get(self, key=None, default=0, stream=None, *, copy=True):
        """The matrix as SciPy's, a copy or itself; or the element of a key, and default where none is stored."""
        if key is not None:
            return self._built.get(key, default)
        return self._built.copy() if copy else self._built

    def _stays(self, other):
        return is_number(other) or isinstance(other, SparseBase)

    def __neg__(self):
        return self._from_host(-self._built)

    def __len__(self):
        return len(self._built)

    def __contains__(self, key):
        return key in self._built

    def __delitem__(self, key):
        del self._built[key]

    def keys(self):
        """The places of stored elements: tuples, or numbers in one dimension."""
        return self._built.keys()

    def values(self):
        """The stored elements."""
        return self._built.values()

    def items(self):
        """Pairs of place and element."""
        return self._built.items()

    def setdefault(self, key, default=None):
        """The element of a place, where default is stored if none is."""
        return self._built.setdefault(key, default)

    def pop(self, *args):
        """Takes the element of a place away and gives it, or a second argument where none is stored."""
        return self._built.pop(*args)

    def popitem(self):
        """Takes the element that was stored last away and gives its place and it."""
        return self._built.popitem()

    def clear(self):
        """Takes all elements away."""
        self._built.clear()

    def update(self, val):
        """Sets the elements of a dictionary, of pairs of a place and an element, or of another matrix in DOK."""
        self._built.update({key: _on_host(x) for key, x in val.items()} if isinstance(val, dict) else _on_host(val))

    @classmethod
    def fromkeys(cls, iterable, value=1):
        """A matrix of these places, with that element at each."""
        return cls._of_built(_class("dok", cls._is_array).fromkeys(iterable, _on_host(value)))


@register
class lil_matrix(spmatrix, LIL):
    """A sparse matrix that is a list of elements for each row, to be made row by row. CuPy has none.

    Args:
        arg1: A dense array; a sparse matrix, of SciPy's too; or a shape.
        shape: The matrix's, if arg1 does not say it.
        dtype: Of the elements.
        copy: Whether a list that is given is copied.

    Raises:
        ImportError: There is no SciPy, whose object on the host it is.
        ValueError: arg1 is nothing to make a matrix of.

    Keys read and write on the host; what is computed is CSR on the device.

    >>> a = tombacx.scipy.sparse.lil_matrix((2, 3))
    >>> a[0, 1:] = [4, 5]
    >>> a.tocsr().toarray()
    array([[0., 4., 5.],
           [0., 0., 0.]])
    """

    __init__ = LIL.__init__


@register
class lil_array(sparray, LIL):
    """The same as an array, whose ``*`` is elementwise; see lil_matrix."""

    __init__ = LIL.__init__


@register
class dok_matrix(spmatrix, DOK):
    """A sparse matrix that is a dictionary of elements by their places, to be made one by one. CuPy has none.

    Args:
        arg1: A dense array; a sparse matrix, of SciPy's too; or a shape.
        shape: The matrix's, if arg1 does not say it.
        dtype: Of the elements.
        copy: Whether a dictionary that is given is copied.

    Raises:
        ImportError: There is no SciPy, whose object on the host it is.
        ValueError: arg1 is nothing to make a matrix of.

    Keys read and write on the host; what is computed is CSR on the device. ``get()`` without a key is SciPy's matrix.

    >>> a = tombacx.scipy.sparse.dok_matrix((2, 2))
    >>> a[1, 0] = 3
    >>> list(a.keys()), float(a.sum())
    ([(1, 0)], 3.0)
    """

    __init__ = DOK.__init__


@register
class dok_array(sparray, DOK):
    """The same as an array of one or two dimensions, whose ``*`` is elementwise; see dok_matrix."""

    _allow_nd = (1, 2)
    __init__ = DOK.__init__


def isspmatrix_lil(x):
    """Whether x is a lil_matrix.

    Args:
        x: Anything.

    Returns:
        A bool.

    >>> tombacx.scipy.sparse.isspmatrix_lil(tombacx.scipy.sparse.lil_matrix((2, 2)))
    True
    """
    return isinstance(x, lil_matrix)


def isspmatrix_dok(x):
    """Whether x is a dok_matrix.

    Args:
        x: Anything.

    Returns:
        A bool.

    >>> tombacx.scipy.sparse.isspmatrix_dok(tombacx.scipy.sparse.dok_matrix((2, 2)))
    True
    """
    return isinstance(x, dok_matrix)
