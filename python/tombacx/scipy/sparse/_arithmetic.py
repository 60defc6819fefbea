"""Operators and elementwise functions of sparse matrices, whatever their format.

Between two sparse matrices the core matches the patterns; the values are gathered and computed as expressions.
"""

import math
import operator
import warnings

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse import _products as products
from tombacx.scipy.sparse._coords import grouped_sum, stretched
from tombacx.scipy.sparse._shapes import as_axes
from tombacx.scipy.sparse._structure import at, at_or_zero, cast_index, pair, product_dtype

__all__ = ["Arithmetic", "is_number", "is_operand", "no_operand", "slow"]

_COMPRESSED = ("csr", "csc")
_NUMBERS = frozenset((int, float, complex))
_UNORDERED = _core.equal, _core.not_equal
_ONCE = ("dia", "lil", "dok")  # formats that store no element twice
# By a routine on the host, and whether where either has an element, or both.
_IN_ONE_PASS = {_core.multiply: False, **dict.fromkeys((_core.add, _core.subtract, _core.maximum, _core.minimum,
                                                        _core.not_equal, _core.less, _core.greater), True)}


def is_number(x):
    """Whether that is a number, of Python's, NumPy's or an array of no dimension."""
    return type(x) in _NUMBERS or np.isscalar(x) and not isinstance(x, (str, bytes)) or (
        isinstance(x, _core.ndarray) and x.ndim == 0)


def _is_dense(x):
    return isinstance(x, _core.ndarray)


def _is_sparse(x):
    return isinstance(x, Arithmetic)


def is_operand(x):
    """Whether that is a number, an array or a sparse matrix: what operators have a result with."""
    return is_number(x) or _is_dense(x) or _is_sparse(x)


def no_operand(name, x):
    """The error of a method for something else, of which an operator says that it is not implemented."""
    return TypeError(f"{name}: a number, a tombac array or a sparse matrix is expected, not {type(x).__name__}")


def _at_zero(f, number):
    """Whether f of 0 and a number, or an array of one, is not 0."""
    return bool(f(np.float64(0), _core._on_host(number)))


def _check_divisor(number):
    """Raises ZeroDivisionError for a zero of Python's; what is divided by one of NumPy's is infinite."""
    if isinstance(number, (int, float, complex)) and not isinstance(number, np.generic) and number == 0:
        raise ZeroDivisionError("division by zero")


def slow(what):
    """Warns of what is slow with sparse matrices."""
    from tombacx.scipy.sparse._base import SparseEfficiencyWarning

    warnings.warn(what, SparseEfficiencyWarning, stacklevel=4)


class Arithmetic:
    """Operators in terms of _mapped(f), tocsr() and the parts of compressed matrices."""

    # ---- with numbers

    def _scaled(self, number):
        return self._mapped(lambda x: x * number)

    def __neg__(self):
        if self.dtype.kind == "b":
            raise NotImplementedError("negating a boolean sparse array is not supported")
        return self._mapped(operator.neg)

    def __pos__(self):
        return self.copy()

    def __abs__(self):
        return self._canonical_here()._mapped(_core.absolute)

    def __round__(self, ndigits=0):
        return self._canonical_here()._mapped(lambda x: x.round(ndigits))

    def _canonical_here(self):
        """This with no element stored twice, in its format, for functions that are not linear."""
        a = self._canonical()
        return a if a.format == self.format else a.asformat(self.format)

    # ---- with other matrices

    def _of_dense(self, x):
        """A matrix of a dense result that is sparse in SciPy."""
        return self._of("coo" if x.ndim > 2 else "csc" if self.format == "csc" else "csr")(x)

    def _of_truth(self, x, *others):
        """The same of a comparison, with indices as wide as this array's and the other's."""
        a = self._of_dense(x)
        if not self._is_array or a.format == "coo":
            return a
        dtype = np.result_type(*((b if b.format in _COMPRESSED else b.tocsr()).indices.dtype for b in (self, *others)))
        return a._with(a.data, *cast_index(dtype, a.indices, a.indptr), canonical=True)

    def _compressed(self):
        """This in a format of which rows or columns lie together, each element once and in order."""
        a = self if self.format in _COMPRESSED else self.tocsr()
        return a._same() if a.has_canonical_format else a._summed()

    def _combined(self, other, f, any):
        """f of the elements of two matrices: where either has one, or both have. Zeros are not stored."""
        if self._shape != other._shape:
            return self._combined_rows(other, f, any)
        if self.ndim > 2:
            return self._matrix()._combined(other._matrix(), f, any).tocoo()._reshaped(self._shape, "C")
        a = self._compressed()
        b = other.asformat(a.format)._compressed()
        p, q = pair(a._pattern(), b._pattern())
        made = _core._sparse_combine(*p, a.data, *q, b.data, f.__name__) if _IN_ONE_PASS.get(f) is any else None
        if made is not None:
            start, index, data = made
            return a._with(data, index, start, canonical=True)
        start, index, from_a, from_b = _core._sparse_match(*p, *q, any)
        if any:
            data = f(at_or_zero(a.data, from_a), at_or_zero(b.data, from_b))
        else:
            data = f(at(a.data, from_a), at(b.data, from_b))
        result = a._with(data, index, start, canonical=True)
        result.eliminate_zeros()
        return result

    def _combined_rows(self, other, f, any):
        """The same where one has dimensions of length 1 in front that the other one lacks."""
        long, short = (self, other) if self.ndim > other.ndim else (other, self)
        if not self._is_array or (1,) * (long.ndim - short.ndim) + short._shape != long._shape:
            raise ValueError(f"inconsistent shapes: {self._shape} and {other._shape}")
        shape, format = long._shape, self.format if self.ndim == 2 else "csr" if long.ndim == 2 else "coo"
        return self.reshape(shape).asformat(format)._combined(other.reshape(shape), f, any)

    def _sum_with(self, other, f):
        if is_number(other):
            if other == 0:
                return self.copy()
            raise NotImplementedError("adding a nonzero scalar to a sparse array is not supported")
        if _is_dense(other):
            return f(self._spread_over(other), other)
        if not _is_sparse(other):
            return NotImplemented
        return self._combined(other, f, True)

    def _spread_over(self, other):
        """This as a dense array, to which a dense one is added that may be stretched, but not this one."""
        if other.shape != self._shape and _broadcast(self._shape, other.shape) != self._shape:
            raise ValueError(f"inconsistent shapes: {other.shape} cannot be broadcast to {self._shape}")
        return self.toarray()

    def _counted(self, other):
        """This, or where elements may be stored twice one of the dtype of results with ``other``: their sum is that
        of truth values and narrow integers no more.
        """
        dtype = np.result_type(self.dtype, other.dtype)
        if dtype == self.dtype or self.format in _ONCE or self.has_canonical_format:
            return self
        return self.astype(dtype)

    def __add__(self, other):
        if _is_dense(other):
            return _core.add(self._counted(other)._spread_over(other), other)
        return self._sum_with(other, _core.add)

    def __radd__(self, other):
        return self._sum_with(other, lambda x, y: _core.add(y, x))

    def __sub__(self, other):
        if _is_sparse(other) and self.dtype.kind == other.dtype.kind == "b":
            return self._sum_with(other, _core.logical_xor)  # as in SciPy; NumPy has no such difference
        return self._sum_with(other, _core.subtract)

    def __rsub__(self, other):
        if is_number(other) and other == 0:
            return -self.copy()
        return self._sum_with(other, lambda x, y: _core.subtract(y, x))

    def multiply(self, other):
        """The elementwise product with a number, or with a dense or sparse matrix that broadcasts; sparse."""
        if is_number(other):
            return self._scaled(other)
        if _is_sparse(other):
            if other._shape == self._shape:
                return self._combined(other, _core.multiply, False)
            if self._shape == _broadcast(self._shape, other._shape):
                return self._stretching(other, _core.multiply)
            if other._shape == _broadcast(self._shape, other._shape):
                return other._stretching(self, lambda y, x: x * y)
            return self._outer(other)
        if not _is_dense(other):
            raise no_operand("multiply", other)
        return self._with_dense(other, _core.multiply)

    def _stretching(self, other, f):
        """A product with a sparse matrix that has fewer rows or columns, of which no zeros are stored."""
        if math.prod(other._shape) == 1 and other.ndim <= self.ndim:
            a = self if self.format in ("csc", "bsr") or self.ndim > 2 else self.tocsr()
            return a._scaled(other.toarray().reshape(()))
        is_row = other.ndim == 1 or other._shape[0] == 1
        format = "coo" if self.ndim > 2 else self.format if is_row and self.format in ("csc", "bsr") else "csr"
        result = self._with_dense(other.toarray(), f, format)
        result.eliminate_zeros()
        return result

    def _outer(self, other):
        """A product with a sparse matrix where either is stretched; no zeros are stored."""
        shape = _broadcast(self._shape, other._shape)
        if len(shape) == 2:
            column, row = (self, other) if self._shape[-1] == 1 else (other, self)
            if row._shape[-2:-1] in ((), (1,)) and column.ndim == 2:
                column = column if column.format in ("csc", "bsr") else column.tocsr()
                return column @ row.reshape((1, shape[1]))
        return stretched(self.tocoo(), shape)._stretching(other, _core.multiply)

    def _with_dense(self, other, f, format=None):
        """f of the stored elements and those of a dense array at their places; others are 0 whatever f says. Unless a
        format is given, the result of CSR and CSC is such, as CuPy's.
        """
        shape = _broadcast(self._shape, other.shape)
        if len(shape) not in self._of("coo")._allow_nd:
            raise ValueError(f"a sparse matrix and an array of {other.ndim} dimensions")
        given = self._same() if self.format in _COMPRESSED else self._canonical()
        a = given.tocoo()._as_stored()
        if shape != self._shape:
            a = stretched(a, shape)
        axes = [i for i, n in enumerate(other.shape, len(shape) - other.ndim) if n != 1]
        y = other.reshape([shape[i] for i in axes])
        if axes:
            y = y[tuple(a.coords[i] for i in axes)] if a.data.size else _core.empty((0,), other.dtype)
        if self.format in _COMPRESSED and self.ndim == 2 and format in (None, self.format):
            if shape == self._shape and given.has_canonical_format:
                return given._mapped(lambda x: f(x, y), copy=True)
            format = self.format if len(shape) in self._allow_nd else "coo"
        return a._with_data(f(a.data, y)).asformat(format or "coo")

    def __truediv__(self, other):
        if is_number(other):
            _check_divisor(other)
            if self.dtype.kind != "c" and self.dtype != np.float16:
                return self.astype(np.float64, copy=False)._mapped(lambda x: _core.true_divide(x, other))
            return self._mapped(lambda x: _core.true_divide(x, other))
        if _is_sparse(other):
            if other._shape != self._shape:
                raise ValueError("inconsistent shapes")
            made = _core.true_divide(self.toarray(), other.toarray())
            return made.astype(np.float64) if made.dtype.char == "f" else made
        if not _is_dense(other):
            return NotImplemented
        a = self if self.format == "dia" else self._canonical()
        other = other if other.dtype.kind in "fc" else other.astype(np.float64)
        result = a._with_dense(other, _core.true_divide)
        return result if self.format in ("dia", "csr") else result.asformat("csc" if self.format == "csc" else "coo")

    def __rtruediv__(self, other):
        return NotImplemented

    __div__ = __truediv__
    __rdiv__ = __rtruediv__

    def _own_factors(self, number):
        """The elements; truth values as 0.0 and 1.0, if a number is multiplied with them in place: CuPy allows it."""
        data = self.data
        if data.dtype.kind == "b" and np.result_type(number).kind != "b":
            self.data = data = data.astype(np.float64)
        return data

    def __iadd__(self, other):
        return NotImplemented

    def __isub__(self, other):
        return NotImplemented

    def __imul__(self, other):
        if not is_number(other):
            return NotImplemented
        data = self._own_factors(other)
        data *= other
        return self

    def __itruediv__(self, other):
        if not is_number(other):
            return NotImplemented
        _check_divisor(other)
        data = self._own_factors(other)
        data /= other
        return self

    __idiv__ = __itruediv__

    # ---- products

    def _matmul(self, other):
        if not (_is_dense(other) or _is_sparse(other)):
            return NotImplemented
        if max(self.ndim, other.ndim) > 2 or other.ndim == 0 or _is_sparse(other) and min(self.ndim, other.ndim) == 1:
            return products.matmul(self, other)
        if other.shape[0] != self._shape[-1]:
            raise ValueError(f"dimension mismatch: {self._shape} and {other.shape}")
        return self._times_dense(other) if _is_dense(other) else self._times_sparse(other)

    def _rmatmul(self, other):
        if not _is_dense(other):
            return NotImplemented
        return products.matmul_dense(other, self)

    def _times_dense(self, other):
        return self.tocsr()._times_dense(other)

    def _times_sparse(self, other):
        return self.tocsr()._times_sparse(other)

    # ---- comparisons

    def _compared(self, other, f):
        if is_number(other):
            if isinstance(other, complex) and not isinstance(other, np.generic) and f not in _UNORDERED:
                raise TypeError(f"{f.__name__}: numbers are not in order with complex ones")
            if other != other:
                return self._nowhere_or_everywhere(f is _core.not_equal)
            if not _at_zero(f, other):
                a = self._canonical_here() if self.format in _COMPRESSED or self.ndim > 2 else self._canonical()
                return a._mapped(lambda x: f(x, other))._without_zeros()
            slow("comparing a sparse matrix with a number so that most elements become true is slow")
            return self._of_truth(f(self.toarray(), other))
        if _is_dense(other):
            return f(self.toarray(), other)
        if not _is_sparse(other):
            return NotImplemented
        if other._shape != self._shape:
            if f in _UNORDERED:
                return f is _core.not_equal
            raise ValueError("inconsistent shapes")
        if not _at_zero(f, 0):
            return self._combined(other, f, True)
        slow("comparing sparse matrices so that most elements become true is slow")
        return self._of_truth(f(self.toarray(), other.toarray()), other)

    def _nowhere_or_everywhere(self, true):
        """What each element compares to NaN as, in this format."""
        if true:
            slow("comparing a sparse matrix with NaN so that all elements become true is slow")
        cls = type(self)
        return cls(_core.ones(self._shape, np.bool_)) if true else cls(self._shape, dtype=np.bool_)

    def _without_zeros(self):
        a = self.tocsr() if self.format not in _COMPRESSED and self.ndim < 3 else self
        a.eliminate_zeros()
        return a

    def __eq__(self, other):
        return self._compared(other, _core.equal)

    def __ne__(self, other):
        return self._compared(other, _core.not_equal)

    def __lt__(self, other):
        return self._compared(other, _core.less)

    def __gt__(self, other):
        return self._compared(other, _core.greater)

    def __le__(self, other):
        return self._compared(other, _core.less_equal)

    def __ge__(self, other):
        return self._compared(other, _core.greater_equal)

    __hash__ = None

    def _extreme_with(self, other, f, beyond):
        if is_number(other):
            if beyond(other if _is_dense(other) else np.asarray(other)):
                slow("the extremes of a sparse matrix and a number that stays where nothing is stored are dense")
                return self._of_dense(f(self.toarray(), other)).asformat(self.format)
            dtype = product_dtype(self, other)
            a = self._canonical_here() if self.format in _COMPRESSED or self.ndim > 2 else self._compressed()
            a = a._mapped(lambda x: f(x, other).astype(dtype, copy=False))
            a.eliminate_zeros()
            return a
        if _is_dense(other):
            return f(self.toarray(), other)
        if not _is_sparse(other):
            raise no_operand(f.__name__, other)
        return self._combined(other, f, True)

    def maximum(self, other):
        """The larger of each element and that of a number, a dense or a sparse matrix."""
        return self._extreme_with(other, _core.maximum, lambda x: x > 0 or x != x)

    def minimum(self, other):
        """The smaller of each element and that of a number, a dense or a sparse matrix."""
        return self._extreme_with(other, _core.minimum, lambda x: x < 0 or x != x)

    # ---- sums

    def sum(self, axis=None, dtype=None, out=None):
        """The sum of all elements, or along an axis or several: dense, and of a matrix two-dimensional."""
        axes = as_axes(axis, self.ndim)
        wide = {"b": np.intp, "i": np.int64, "u": np.uint64}
        made = np.dtype(wide.get(self.dtype.kind, self.dtype)) if dtype is None else np.dtype(dtype)
        if self.dtype.itemsize == 8 and self.dtype.kind in "iu" and dtype is None:
            made = self.dtype
        if axes is None:
            result = self._sum_of_all(made)
        else:
            result = self._sums(axes, made)
            if not self._is_array:
                result = result[None, :] if axes == (0,) else result[:, None]
        return _delivered(result, out)

    def _sum_of_all(self, dtype):
        a = self if self.format in ("coo", "csr", "csc") else self.tocoo()
        a = a._canonical() if self.dtype.kind == "b" else a  # along axes all count, as in SciPy
        return a.data.sum(dtype=dtype) if a.data.size else _core.zeros((), dtype)

    def _sums(self, axes, dtype):
        """Along axes: products with ones, which make NaN of complex infinities; then of parts by themselves."""
        if dtype.kind != "c":
            return self._axis_sum(axes, dtype)
        part = np.finfo(dtype).dtype
        if self.dtype.kind != "c":
            return self._sums(axes, part).astype(dtype)
        if _core.backend() == "cpu":  # where it is seen at once
            made = self._axis_sum(axes, dtype)
            if not bool(_core.isnan(made).any()):
                return made
        real, imag = self.real._sums(axes, part), self.imag._sums(axes, part)
        return _core.stack((real, imag), axis=-1).view(dtype)[..., 0]

    def _axis_sum(self, axes, dtype):
        if self.ndim != 2 or axes == ():
            return grouped_sum(self.astype(dtype, copy=False), axes)
        (axis,) = axes
        a = self if self.format in ("coo", "csr", "csc") else self.tocoo()
        a = a.astype(dtype, copy=False)  # before elements of one place are summed up, which wraps narrow ones around
        ones = _core.ones((self._shape[axis],), dtype)
        return (a.transpose() if axis == 0 else a)._times_dense(ones)

    def mean(self, axis=None, dtype=None, out=None):
        """The mean of all elements, or along an axis or several, as ``sum``; of integers in float64."""
        axes = as_axes(axis, self.ndim)
        integral = self.dtype.kind in "biu"
        made = np.dtype(dtype) if dtype is not None else np.dtype(np.float64) if integral else self.dtype
        between = np.dtype(np.float64) if integral or made.kind in "biu" else made
        between = np.finfo(between).dtype if self.dtype.kind != "c" == between.kind else between
        n = math.prod(self._shape[i] for i in (range(self.ndim) if axes is None else axes))
        if n == 0:
            raise ZeroDivisionError("the mean of no elements")
        result = self.astype(between, copy=False).sum(axes, between) / np.float64(n)
        return _delivered(result.astype(made, copy=False), out)


def _delivered(result, out):
    if out is None:
        return result
    if out.shape != result.shape:
        raise ValueError(f"out must have shape {result.shape}, not {out.shape}")
    out[...] = result
    return out


def _broadcast(a, b):
    try:
        return np.broadcast_shapes(a, b)
    except ValueError as e:
        raise ValueError(f"inconsistent shapes: {a} and {b}") from e


def _unary(name):
    f = getattr(_core, name)

    def method(self):
        return self._canonical_here()._mapped(f)

    method.__name__ = name
    method.__qualname__ = f"Arithmetic.{name}"
    method.__doc__ = f"``tombac.{name}`` of each element."
    return method


for _name in ("arcsin arcsinh arctan arctanh ceil deg2rad expm1 floor log1p rad2deg rint sign sin sinh sqrt tan tanh "
              "trunc").split():
    setattr(Arithmetic, _name, _unary(_name))
