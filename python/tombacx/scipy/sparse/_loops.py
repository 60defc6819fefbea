"""SciPy's compiled loops over diagonals and coordinates, in the memory of our matrices.

SciPy's classes look at their arguments for longer than the loops over small matrices take: what has been looked at
already goes straight to the loops, which are those of `scipy.sparse._sparsetools` and have kept their arguments for as
long as the formats are there. Where one is missing, SciPy's own method is asked.
"""

import functools

from tombac import _core
from tombac._numpy import host_module, np
from tombacx.scipy._host import host_view
from tombacx.scipy.sparse import _host

__all__ = ["SHORT", "ByLoops", "by_loops", "fitting_blocksize", "flat_lists", "on_device", "on_host"]

SHORT = 1 << 12  # elements that are copied sooner than they are shared
_FEW, _MANY = 64, 1 << 18  # diagonals, and elements of them, of which expressions are quicker on all threads
_FULL, _VERY_FULL = 0.7, 0.85  # shares of the elements of blocks
_DTYPES = frozenset("bBhHiIlLqQfdFD")


def on_host():
    """Whether SciPy may compute in the memory of arrays: the host's, outside of captures."""
    return _core.backend() == "cpu" and not _core.get_current_stream().is_capturing()


def on_device(x):
    """An array over new memory of NumPy's, or a short one in its own."""
    return _core.array(x) if x.size <= SHORT else _host.dense(x, False)


class ByLoops:
    """A format with such loops. _stored() are its parts; NumPy's arrays over them are kept as long as those are."""

    _seen = (), ()

    def _views(self):
        parts = self._stored()
        of, views = self._seen
        if len(of) != len(parts) or any(x is not y for x, y in zip(parts, of)):
            views = tuple(map(host_view, parts))
            self._seen = parts, views
            self._still_known()
        return views


@functools.cache
def _loop(name, module="scipy.sparse._sparsetools"):
    try:
        return getattr(host_module(module), name, None)
    except ImportError:
        return None


def _waiting(compute):
    """NotImplemented where the host may not wait for the elements."""
    @functools.wraps(compute)
    def method(*args, **kwargs):
        try:
            return compute(*args, **kwargs)
        except _core.DeviceSynchronized:
            return NotImplemented

    return method


def _usable(a):
    return a.data.size and len(a._shape) == 2 and a.data.dtype.char in _DTYPES and on_host() and a._suits_loops()


@_waiting
def _times_dense(a, x):
    loop = _loop("coo_matvec" if x.ndim == 1 else "coo_matmat_dense")
    if loop is None or x.dtype != a.data.dtype or not (x.size and _usable(a)):
        return NotImplemented
    (data, row, col), x = a._views(), host_view(x)
    y = np.zeros((a._shape[0], *x.shape[1:]), x.dtype)
    if x.ndim == 1:
        loop(data.size, row, col, data, x if x.flags.c_contiguous else x.copy(), y)
    else:
        loop(data.size, x.shape[1], row, col, data, x.ravel(), y)
    return on_device(y)


@_waiting
def _times_diagonals(a, b):
    loop = _loop("dia_matmat")
    if loop is None or b.format != "dia" or a.data.dtype != b.data.dtype or a.data.size >= _MANY:
        return NotImplemented
    if not (_usable(a) and _usable(b)):
        return NotImplemented
    (data, offsets), (others, their_offsets) = a._views(), b._views()
    if offsets.dtype != their_offsets.dtype:
        return NotImplemented
    shape = a._shape[0], b._shape[1]
    try:
        offsets, data = loop(*a._shape, *data.shape, offsets, data, shape[1], *others.shape, their_offsets, others)
    except RuntimeError:  # no diagonals meet, for which SciPy asks for less than no memory
        return NotImplemented
    if not len(offsets):  # SciPy's class fails to give a shape to no elements
        return a._of("dia")(shape, dtype=a.data.dtype)
    return a._from_parts(on_device(data.reshape(len(offsets), -1)), on_device(offsets), shape)


@_waiting
def _axis_sum(a, axes, dtype):
    """Of columns, diagonals one after the other."""
    if axes != (0,) or a.data.size >= _MANY or a.data.shape[0] > _FEW or a.data.dtype != dtype or not _usable(a):
        return NotImplemented
    data, offsets = a._views()
    m, n = a._shape
    sums = np.zeros(n, dtype)
    for line, k in zip(data, offsets.tolist()):
        first, end = max(k, 0), min(m + k, n, line.size)
        if first < end:
            sums[first:end] += line[first:end]
    return on_device(sums)


def flat_lists(lists, dtype):
    """What an array of lists holds in one array, and where that of each list begins and ends; None without loops."""
    names = "lil_get_lengths", "lil_flatten_to_array"
    measure, flatten = (_loop(name, "scipy.sparse._csparsetools") for name in names)
    if None in (measure, flatten) or not len(lists) or dtype.char not in _DTYPES:
        return None
    ends = np.zeros(len(lists) + 1, np.int64)
    measure(lists, ends[1:])
    np.cumsum(ends, out=ends)
    flat = np.empty(int(ends[-1]), dtype)
    flatten(lists, flat)
    return flat, ends


# ---- blocks


def _grid(a, views):
    """The numbers of rows and columns of blocks, and of a block."""
    _, rows, cols = views[0].shape
    return a._shape[0] // rows, a._shape[1] // cols, rows, cols


def _first(count, data, indices):
    """Both as long as that, of which SciPy's loops have been given more."""
    data, indices = data[:count], indices[:count]
    return (data.copy(), indices.copy()) if 2 * count < len(data.base) else (data, indices)


def _blocks(a, shape, data, indices, indptr):
    return a._with(on_device(data), on_device(indices), on_device(indptr), shape)


@_waiting
def _transposed(a, axes=None, copy=False):
    loop = _loop("bsr_transpose")
    if loop is None or axes is not None or a.data.size <= SHORT or not _usable(a):
        return NotImplemented
    data, indices, indptr = views = a._views()
    rows, cols, *block = _grid(a, views)
    turned = np.empty(data.shape[:1] + data.shape[:0:-1], data.dtype)
    new_indices, start = np.empty_like(indices), np.empty(cols + 1, indptr.dtype)
    loop(rows, cols, *block, indptr, indices, data.ravel(), start, new_indices, turned.ravel())
    return _blocks(a, a._shape[::-1], turned, new_indices, start)


@_waiting
def _in_rows(a, copy=False):
    loop = _loop("bsr_tocsr")
    if loop is None or not SHORT < a.data.size < 2**31 or a.indices.dtype != np.int32 or not _usable(a):
        return NotImplemented
    data, indices, indptr = views = a._views()
    if data.shape[0] != indptr[-1]:
        return NotImplemented
    made = np.empty(data.size, data.dtype), np.empty(data.size, np.int32), np.empty(a._shape[0] + 1, np.int32)
    loop(*_grid(a, views), indptr, indices, data, made[2], made[1], made[0])
    return a._of("csr")._from_parts(*map(on_device, made), a._shape)


def _divides(blocksize, shape):
    return type(blocksize) is tuple and len(blocksize) == 2 and all(
        type(x) is int and x > 0 and n % x == 0 for x, n in zip(blocksize, shape))


def fitting_blocksize(filled):
    """The size of blocks that a matrix fills well, as SciPy finds it: 6, 4, 3 or 2 rows and columns, or else 1.
    filled(n) says what share of the blocks of n rows and columns that have elements is filled, 0 if there are no whole
    ones."""
    two, three = filled(2), filled(3)
    if min(two, three) > _VERY_FULL:
        return (6, 6) if filled(6) > _FULL else (3, 3)
    n = 4 if filled(4) > _FULL else 3 if three > _FULL else 2 if two > _FULL else 1
    return n, n


@_waiting
def _in_blocks(a, blocksize=None, copy=False):
    count, loop = _loop("csr_count_blocks"), _loop("csr_tobsr")
    if None in (count, loop) or not a.data.size < 2**31 or a.indices.dtype != np.int32 or not _usable(a):
        return NotImplemented
    a = a.tocsr()
    (m, n), (data, indices, indptr) = a._shape, map(host_view, a._usable()._parts[:3])
    a._still_known()

    def blocks(rows, cols):
        return count(m, n, rows, cols, indptr, indices)

    if blocksize is None:
        blocksize = fitting_blocksize(lambda k: 0 if m % k or n % k else data.size / (k * k * blocks(k, k)))
    elif not _divides(blocksize, a._shape):
        return NotImplemented
    if blocksize == (1, 1):
        data, indices, indptr, _ = a.copy()._parts
        return a._of("bsr")._from_parts(data.reshape(-1, 1, 1), indices, indptr, a._shape)
    rows, cols = blocksize
    number = blocks(rows, cols)
    made = np.zeros((number, rows, cols), data.dtype), np.empty(number, np.int32), np.empty(m // rows + 1, np.int32)
    loop(m, n, rows, cols, indptr, indices, data, made[2], made[1], made[0].ravel())
    return a._of("bsr")._from_parts(*map(on_device, made), a._shape)


def _joined(name):
    """A sum of two matrices in blocks of one size; those of zeros are not stored."""
    @_waiting
    def compute(a, b):
        loop = _loop(f"bsr_{name}_bsr")
        if loop is None or not _are_alike(a, b) or b._shape != a._shape or b.data.shape[1:] != a.data.shape[1:]:
            return NotImplemented
        (data, indices, indptr), (others, *places) = views, _ = a._views(), b._views()
        most = len(data) + len(others)
        made = np.empty((most, *data.shape[1:]), data.dtype)
        columns, start = np.empty(most, indices.dtype), np.empty_like(indptr)
        loop(*_grid(a, views), indptr, indices, data.ravel(), places[1], places[0], others.ravel(), start, columns,
             made.ravel())
        return _blocks(a, a._shape, *_first(int(start[-1]), made, columns), start)

    return compute


def _are_alike(a, b):
    """Whether both are blocks of one dtype, with indices of one."""
    return (getattr(b, "format", None) == "bsr" and a.data.dtype == b.data.dtype
            and a.indices.dtype == b.indices.dtype and _usable(a) and _usable(b))


@_waiting
def _times_blocks(a, b):
    count, loop = _loop("csr_matmat_maxnnz"), _loop("bsr_matmat")
    if count is None or loop is None or not _are_alike(a, b) or a.data.shape[2] != b.data.shape[1]:
        return NotImplemented
    (data, indices, indptr), (others, *places) = views, more = a._views(), b._views()
    (rows, _, high, inner), (_, cols, _, wide) = _grid(a, views), _grid(b, more)
    most = count(rows, cols, indptr, indices, places[1], places[0])
    if not most or indices.dtype == np.int32 and most >= 2**31:
        return NotImplemented
    made = np.empty((most, high, wide), data.dtype)
    columns, start = np.empty(most, indices.dtype), np.empty_like(indptr)
    loop(most, rows, cols, high, wide, inner, indptr, indices, data.ravel(), places[1], places[0], others.ravel(),
         start, columns, made.ravel())
    return _blocks(a, (a._shape[0], b._shape[1]), *_first(int(start[-1]), made, columns), start)


def _times(a, b):
    return (_times_blocks if a.format == "bsr" else _times_diagonals)(a, b)


_COMPUTE = {
    "_times_dense": _times_dense, "_times_sparse": _times, "_axis_sum": _axis_sum, "transpose": _transposed,
    "tocsr": _in_rows, "tobsr": _in_blocks, "__add__": _joined("plus"), "__sub__": _joined("minus"),
}


def by_loops(own):
    """For a method that a loop of SciPy's computes on the host, and the method itself elsewhere."""
    compute = _COMPUTE[own.__name__]

    @functools.wraps(own)
    def method(self, *args, **kwargs):
        found = compute(self, *args, **kwargs)
        return own(self, *args, **kwargs) if found is NotImplemented else found

    return method
