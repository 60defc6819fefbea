"""Where the elements of sparse matrices are, and values that follow them.

A pattern is (rows, columns, start, index): the elements of row i have the numbers start[i] to start[i + 1], and index
says their columns. Functions of the core (``tombac/sparse.h``) make patterns of patterns and say which old element each
new one is; here values are gathered by these numbers, as expressions like any others.
"""

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._sets import unique
from tombac._sorting import searchsorted
from tombacx.scipy.sparse import _host

__all__ = ["among", "as_indices", "at", "at_or_zero", "cast_index", "index_dtype", "pair", "product_dtype", "resized",
           "runs_summed"]

_INT32_MAX = 2**31 - 1


def index_dtype(*numbers):
    """int32 if that holds all of the numbers (shapes, counts of elements), else int64."""
    return np.int32 if max(numbers, default=0) <= _INT32_MAX else np.int64


def cast_index(dtype, *arrays):
    """Arrays as indices of that dtype, those that have it as they are."""
    return tuple(a.astype(dtype, copy=False) for a in arrays)


def as_indices(*arrays):
    """Arrays that somebody has set as indices of one dtype, int32 or int64, that holds each."""
    if arrays[0].dtype.char in "il" and all(x.dtype == arrays[0].dtype for x in arrays):
        return arrays
    arrays = [_host.index(x) for x in arrays]
    wide = any(x.dtype.itemsize == 8 or x.dtype.char == "I" for x in arrays)
    return cast_index(np.int64 if wide else np.int32, *arrays)


def pair(a, b):
    """Two patterns with indices of one dtype, which holds the elements of both together."""
    n = a[3].size + b[3].size
    wide = "l" in (a[3].dtype.char, b[3].dtype.char) or n > _INT32_MAX
    dtype = np.int64 if wide else np.int32
    return (*a[:2], *cast_index(dtype, *a[2:])), (*b[:2], *cast_index(dtype, *b[2:]))


def at(data, numbers):
    """The elements of data that have these numbers."""
    return data[numbers] if numbers.size else _core.empty((0, *data.shape[1:]), data.dtype)


def at_or_zero(data, numbers, fill=0):
    """The same, and fill where a number is -1."""
    if data.size == 0:
        return _core.full(numbers.shape, fill, data.dtype)
    return where(numbers >= 0, data[_core.maximum(numbers, 0)], data.dtype.type(fill))


def among(wanted, places):
    """How many different numbers are wanted, which of these each is; and of places those wanted, and which they are."""
    different, which = unique(wanted, return_inverse=True)
    number = searchsorted(different, places)
    if different.size and places.size:
        kept = _core.nonzero(different[_core.minimum(number, different.size - 1)] == places)[0]
    else:
        kept = _core.zeros((0,), np.int64)
    return different.size, which.reshape(-1), kept, at(number, kept)


def runs_summed(data, first):
    """Sums of the elements from each of these numbers up to the next one, in data's dtype."""
    if first.size == 0:
        return _core.empty((0,), data.dtype)
    add = _core.logical_or if data.dtype.kind == "b" else _core.add
    if 8 * (data.size - first.size) > data.size:
        return add.reduceat(data, first) if data.dtype.kind == "b" else add.reduceat(data, first, dtype=data.dtype)
    # Most are alone: what is not is added to the first of its run.
    later = _core.ones(data.shape, np.bool_)
    later[first] = False
    later = _core.nonzero(later)[0]
    sums = data[first]
    add.at(sums, searchsorted(first, later, "right") - 1, data[later])
    return sums


def resized(data, indices, indptr, lines, length, shorter):
    """The parts of that many lines, of which elements from that length on are gone if they are shorter now."""
    n = indptr.size - 1
    if lines > n:
        indptr = _core.concatenate((indptr, _core.broadcast_to(indptr[-1:], (lines - n,))))
    elif lines < n:
        end = int(indptr[lines])
        data, indices, indptr = data[:end], indices[:end], indptr[: lines + 1]
    if not shorter:
        return data, indices, indptr
    kept = _core.nonzero(indices < length)[0] if indices.size else indices
    if kept.size == indices.size:
        return data, indices, indptr
    return at(data, kept), at(indices, kept), searchsorted(kept, indptr).astype(indptr.dtype)


def product_dtype(a, b):
    """The dtype of what two operands give, of which one may be a number."""
    return np.result_type(*(x.dtype if hasattr(x, "dtype") else x for x in (a, b)))
