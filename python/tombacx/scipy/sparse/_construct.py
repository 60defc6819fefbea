"""Making sparse matrices: of diagonals, of blocks, of random places."""

import math
import operator

from tombac import _core
from tombac._grid import indices
from tombac._manipulation import atleast_1d, atleast_2d
from tombac._numpy import np
from tombacx.scipy.sparse import _host
from tombacx.scipy.sparse._base import FAMILY, SparseBase, sparray
from tombacx.scipy.sparse._coords import coord_dtype, coords_at
from tombacx.scipy.sparse._shapes import as_order, as_shape
from tombacx.scipy.sparse._structure import cast_index, index_dtype

__all__ = [
    "block_array", "block_diag", "bmat", "diags", "diags_array", "eye", "eye_array", "hstack", "identity", "kron",
    "kronsum", "matrix_transpose", "permute_dims", "rand", "random", "random_array", "spdiags", "swapaxes", "vstack",
]


# ---- diagonals


def _diagonals(diagonals, offsets, shape, format, dtype, is_array):
    if np.isscalar(offsets) or getattr(offsets, "ndim", 1) == 0:
        if len(diagonals) == 0 or np.isscalar(diagonals[0]) or getattr(diagonals[0], "ndim", 1) == 0:
            diagonals = [_host.dense(diagonals)]
        elif len(diagonals) != 1:
            raise ValueError("Different number of diagonals and offsets.")
        offsets = [operator.index(_core._on_host(offsets))]
    else:
        offsets = [operator.index(i) for i in _core._on_host(offsets)]
    diagonals = [atleast_1d(_host.dense(d)) for d in diagonals]
    if len(diagonals) != len(offsets):
        raise ValueError("Different number of diagonals and offsets.")
    if shape is None:
        m = diagonals[0].size + abs(offsets[0])
        shape = (m, m)
    m, n = shape = as_shape(shape)
    if dtype is None:
        dtype = np.result_type(*(d.dtype for d in diagonals), np.float16) if diagonals else np.float64
        if all(d.dtype.kind in "biu" for d in diagonals):
            dtype = np.float64
    width = max((min(m + k, n - k) + max(k, 0) for k in offsets), default=0)
    data = _core.zeros((len(offsets), max(width, 0)), dtype)
    for i, (d, k) in enumerate(zip(diagonals, offsets)):
        first, length = max(k, 0), min(m + k, n - k, m, n)
        if length < 0:
            raise ValueError(f"Offset {k} (index {i}) out of bounds")
        if d.size < length and d.size != 1:
            raise ValueError(f"Diagonal length (index {i}: {d.size} at offset {k}) does not agree with array size "
                             f"({m}, {n}).")
        data[i, first : first + length] = d[:length] if d.size != 1 else d[0]
    cls = FAMILY["dia", is_array]
    return cls((data, np.array(offsets, index_dtype(m, n))), shape=shape).asformat(format)


def diags(diagonals, offsets=0, shape=None, format=None, dtype=None):
    """A matrix of diagonals.

    Args:
        diagonals: A sequence of vectors, each as long as its diagonal, or of one element for all of it.
        offsets: Which diagonals: 0 is the main one, and those above it are positive.
        shape: The matrix's; by default square, so that the first diagonal fits.
        format: Of the result; DIA by default.
        dtype: Of the elements.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: A diagonal's length does not agree with the shape, or there are not as many as offsets.
        TypeError: An offset is no integer.

    >>> tombacx.scipy.sparse.diags([[1.0, 2.0], [3.0]], [0, 1]).toarray()
    array([[1., 3.],
           [0., 2.]])
    """
    return _diagonals(diagonals, offsets, shape, format, dtype, False)


def diags_array(diagonals, /, *, offsets=0, shape=None, format=None, dtype=None):
    """A sparse array of diagonals; see diags.

    Args:
        diagonals: A sequence of vectors, each as long as its diagonal, or of one element for all of it.
        offsets: Which diagonals: 0 is the main one, and those above it are positive.
        shape: The array's; by default square, so that the first diagonal fits.
        format: Of the result; DIA by default.
        dtype: Of the elements.

    Returns:
        A sparse array.

    Raises:
        ValueError: A diagonal's length does not agree with the shape, or there are not as many as offsets.
        TypeError: An offset is no integer.

    >>> tombacx.scipy.sparse.diags_array([[1.0, 2.0]], offsets=[0]).shape
    (2, 2)
    """
    return _diagonals(diagonals, offsets, shape, format, dtype, True)


def spdiags(data, diags, m=None, n=None, format=None):
    """A matrix of diagonals, which are the rows of an array.

    Args:
        data: A two-dimensional array; column j of it holds elements of column j.
        diags: Which diagonals they are.
        m: The number of rows, or the shape; by default square, as wide as data.
        n: The number of columns.
        format: Of the result; DIA by default.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: There are not as many rows as diagonals, or one comes twice.
        OverflowError: A diagonal's number is none of the integers that the matrix has.

    >>> tombacx.scipy.sparse.spdiags(tombac.array([[1.0, 2.0]]), 1, 2, 2).toarray()
    array([[0., 2.],
           [0., 0.]])
    """
    if n is None:
        m, n = 2 * (np.shape(data)[-1],) if m is None else m
    return FAMILY["dia", False]((data, diags), shape=(m, n)).asformat(format)


def _identity(m, n, k, dtype, format, is_array):
    m, n = as_shape(map(int, (m, m if n is None else n)))
    dtype, k = _host.element_dtype(dtype), _core._on_host(k)
    if format in ("csr", "csc") and m == n and k == 0:
        index = _core.arange(n, dtype=index_dtype(n))
        indptr = _core.arange(n + 1, dtype=index.dtype)
        return FAMILY[format, is_array]._from_parts(_core.ones((n,), dtype), index, indptr, (m, n), True)
    k = operator.index(k)
    if min(m + k, n - k) < 0:
        raise ValueError(f"Offset {k} (index 0) out of bounds")
    data = _core.ones((1, min(m + k, n)), dtype)
    return FAMILY["dia", is_array]((data, np.array([k], index_dtype(m, n))), shape=(m, n)).asformat(format)


def eye(m, n=None, k=0, dtype="d", format=None):
    """A matrix with ones on a diagonal.

    Args:
        m: The number of rows.
        n: The number of columns; m by default.
        k: The diagonal.
        dtype: Of the elements.
        format: Of the result; DIA by default.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: A shape is negative, the diagonal is outside of it, or there is no such format.
        TypeError: The diagonal's number is no integer.

    >>> tombacx.scipy.sparse.eye(2).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    return _identity(m, n, k, dtype, format, False)


def eye_array(m, n=None, *, k=0, dtype=float, format=None):
    """A sparse array with ones on a diagonal; see eye.

    Args:
        m: The number of rows.
        n: The number of columns; m by default.
        k: The diagonal.
        dtype: Of the elements.
        format: Of the result; DIA by default.

    Returns:
        A sparse array.

    Raises:
        ValueError: A shape is negative, the diagonal is outside of it, or there is no such format.
        TypeError: The diagonal's number is no integer.

    >>> tombacx.scipy.sparse.eye_array(2, k=1).toarray()
    array([[0., 1.],
           [0., 0.]])
    """
    return _identity(m, n, k, dtype, format, True)


def identity(n, dtype="d", format=None):
    """The identity matrix.

    Args:
        n: The number of rows and columns.
        dtype: Of the elements.
        format: Of the result; DIA by default.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: n is negative, or there is no such format.

    >>> tombacx.scipy.sparse.identity(2).nnz
    2
    """
    return eye(n, n, 0, dtype, format)


# ---- products


def _is_array(*matrices):
    return any(isinstance(a, sparray) or _host.is_sparse(a) and not hasattr(a, "getH") for a in matrices)


def _coo(a, is_array):
    if isinstance(a, SparseBase) and a._is_array == is_array:
        return a.tocoo()
    return FAMILY["coo", is_array](a)


def _wide(parts, shape):
    """The dtype of coordinates of what is made of matrices in COO: int64 where one of them has it."""
    if any(x.dtype == "int64" for a in parts for x in a.coords):
        return np.int64
    return coord_dtype(shape, sum(a.data.size for a in parts))


def kron(A, B, format=None):
    """The Kronecker product: a matrix of blocks, each B times an element of A.

    Args:
        A: A sparse matrix, or a dense array.
        B: The same.
        format: Of the result; BSR by default if at least half of B's elements are stored, and else COO.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: There is no such format.

    >>> tombacx.scipy.sparse.kron(tombacx.scipy.sparse.eye(2), tombac.array([[1.0, 2.0]])).toarray()
    array([[1., 2., 0., 0.],
           [0., 0., 1., 2.]])
    """
    is_array = _is_array(A, B)
    a, b = _coo(A, is_array), _coo(B, is_array)
    if format in (None, "bsr") and a.ndim == b.ndim == 2 and a.nnz and 0 < math.prod(b.shape) <= 2 * b.nnz:
        is_own = getattr(A, "_is_array", None) == is_array and A.format not in ("lil", "dok")  # which are on the host
        return _kron_in_blocks((A if is_own else a).tocsr(), b, is_array)
    n = max(a.ndim, b.ndim)
    a, b = (x if x.ndim == n else x._reshaped((1,) * (n - x.ndim) + x.shape, "C") for x in (a, b))
    shape = as_shape((i * j for i, j in zip(a.shape, b.shape)), (n,))
    dtype = np.result_type(a.dtype, b.dtype)
    wide = _wide((a, b), shape)
    coords = [(x[:, None] * j + y).reshape(-1).astype(wide, copy=False)
              for x, y, j in zip(cast_index(wide, *a.coords), b.coords, b.shape)]
    data = (a.data[:, None] * b.data).reshape(-1).astype(dtype, copy=False)
    return a._made(shape, data, *coords).asformat(format)


def _kron_in_blocks(a, b, is_array):
    shape = as_shape(i * j for i, j in zip(a.shape, b.shape))
    data = (a.data[:, None, None] * b.toarray()).astype(np.result_type(a.dtype, b.dtype), copy=False)
    return FAMILY["bsr", is_array]((data, a.indices, a.indptr), shape=shape)


def kronsum(A, B, format=None):
    """The Kronecker sum of two square matrices: ``kron(I, A) + kron(B, I)``.

    Args:
        A: A square sparse matrix, or a dense array.
        B: The same.
        format: Of the result; CSR by default.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: One of them is not square.

    >>> tombacx.scipy.sparse.kronsum(tombac.array([[1.0]]), tombac.array([[2.0]])).toarray()
    array([[3.]])
    """
    is_array = _is_array(A, B)
    a, b = _coo(A, is_array), _coo(B, is_array)
    for x, name in ((a, "A"), (b, "B")):
        if x.shape[0] != x.shape[1]:
            raise ValueError(f"{name} is not square matrix")
    dtype = np.result_type(a.dtype, b.dtype)
    left = kron(_identity(b.shape[0], None, 0, dtype, "coo", is_array), a, "coo")
    right = kron(b, _identity(a.shape[0], None, 0, dtype, "coo", is_array), "coo")
    return (left.tocsr() + right.tocsr()).asformat(format)


# ---- blocks


def _row_or_matrix(a):
    """A matrix in COO as it is, and an array of one dimension as a row."""
    if a.ndim > 2:
        raise ValueError(f"blocks have one or two dimensions, not {a.ndim}")
    return a._matrix()


def _blocks(blocks, format, dtype, is_array):
    """Matrices in rows of blocks, of which some are None: their places are shifted."""
    if isinstance(blocks, SparseBase) or any(isinstance(row, SparseBase) for row in blocks):
        raise ValueError("blocks must be 2-D")
    if isinstance(blocks, (_core.ndarray, np.ndarray)):
        blocks = blocks.tolist() if isinstance(blocks, np.ndarray) else [list(row) for row in blocks]
    rows = [list(row) for row in blocks]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("blocks must be 2-D")
    made = _as_lines(rows, dtype)
    if made is not None:
        return (made if made._is_array == is_array else FAMILY[made.format, is_array](made)).asformat(format)
    lines = _common_format(b for row in rows for b in row)
    format = format or lines
    rows = [[None if b is None else _row_or_matrix(_coo(b, is_array)) for b in row] for row in rows]
    heights, widths = [None] * len(rows), [None] * len(rows[0])
    for i, row in enumerate(rows):
        for j, b in enumerate(row):
            if b is None:
                continue
            for name, sizes, k, n in (("rows", heights, i, b.shape[0]), ("columns", widths, j, b.shape[1])):
                if sizes[k] is not None and sizes[k] != n:
                    raise ValueError(f"blocks[{i},{j}] has incompatible number of {name}: got {n}, expected {sizes[k]}")
                sizes[k] = n
    heights, widths = ([n or 0 for n in sizes] for sizes in (heights, widths))
    tops, lefts = np.cumsum([0, *heights]).tolist(), np.cumsum([0, *widths]).tolist()
    found = [(b, tops[i], lefts[j]) for i, row in enumerate(rows) for j, b in enumerate(row) if b is not None]
    shape = (tops[-1], lefts[-1])
    if not found:
        return FAMILY["coo", is_array](shape, dtype=dtype).asformat(format)
    dtype = np.result_type(*(b.dtype for b, _, _ in found)) if dtype is None else _host.element_dtype(dtype)
    wide = _wide([b for b, _, _ in found], shape)
    data = _core.concatenate([b.data.astype(dtype, copy=False) for b, _, _ in found])
    row = _core.concatenate([b.row.astype(wide, copy=False) + wide(top) for b, top, _ in found])
    col = _core.concatenate([b.col.astype(wide, copy=False) + wide(left) for b, _, left in found])
    made = FAMILY["coo", is_array]._made(shape, data, row, col).asformat(format)
    if data.size or made.format != lines:
        return made
    return made._from_parts(made.data, *cast_index(wide, made.indices, made.indptr), shape)  # a COO of nothing loses it


def bmat(blocks, format=None, dtype=None):
    """A matrix of blocks.

    Args:
        blocks: Rows of sparse matrices or dense arrays; None stands for zeros.
        format: Of the result; COO by default.
        dtype: Of the elements; what those of the blocks promote to by default.

    Returns:
        A sparse matrix, or an array if a block is one.

    Raises:
        ValueError: Shapes do not fit together.

    >>> tombacx.scipy.sparse.bmat([[tombacx.scipy.sparse.eye(1), None], [None, tombac.array([[2.0]])]]).toarray()
    array([[1., 0.],
           [0., 2.]])
    """
    return _blocks(blocks, format, dtype, _is_array(*(b for row in blocks for b in row)))


def block_array(blocks, *, format=None, dtype=None):
    """A sparse array of blocks; see bmat.

    Args:
        blocks: Rows of sparse matrices or dense arrays; None stands for zeros.
        format: Of the result; COO by default.
        dtype: Of the elements; what those of the blocks promote to by default.

    Returns:
        A sparse array.

    Raises:
        ValueError: Shapes do not fit together.

    >>> tombacx.scipy.sparse.block_array([[tombacx.scipy.sparse.eye(1), tombac.array([[2.0]])]]).shape
    (1, 2)
    """
    return _blocks(blocks, format, dtype, True)


def hstack(blocks, format=None, dtype=None):
    """Matrices side by side.

    Args:
        blocks: Sparse matrices of as many rows.
        format: Of the result; COO by default.
        dtype: Of the elements.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: Shapes do not fit together.

    >>> tombacx.scipy.sparse.hstack([tombacx.scipy.sparse.eye(2), tombacx.scipy.sparse.eye(2)]).shape
    (2, 4)
    """
    if isinstance(blocks, (SparseBase, _core.ndarray)):
        raise ValueError("blocks must be 2-D: several matrices are expected, not one")
    blocks = list(blocks)
    return _blocks([blocks], format, dtype, _is_array(*blocks))


def vstack(blocks, format=None, dtype=None):
    """Matrices one above the other.

    Args:
        blocks: Sparse matrices of as many columns.
        format: Of the result; COO by default.
        dtype: Of the elements.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: Shapes do not fit together.

    >>> tombacx.scipy.sparse.vstack([tombacx.scipy.sparse.eye(2), tombacx.scipy.sparse.eye(2)]).shape
    (4, 2)
    """
    if isinstance(blocks, (SparseBase, _core.ndarray)):
        raise (TypeError if isinstance(blocks, SparseBase) else ValueError)("several matrices are expected, not one")
    blocks = list(blocks)
    return _blocks([[b] for b in blocks], format, dtype, _is_array(*blocks))


def _as_lines(rows, dtype):
    """Blocks that all are CSR, or all CSC, put together as they are: lines are continued, then follow one another; None
    if they are no such.
    """
    cls = type(rows[0][0])
    if getattr(cls, "format", None) not in ("csr", "csc") or not all(
            type(b) is cls and b.ndim == 2 for row in rows for b in row):
        return None
    lines = rows if cls.format == "csr" else list(zip(*rows))
    parts = [line[0] if len(line) == 1 else _joined(line, dtype) for line in lines]
    if any(a is None for a in parts):
        return None
    return parts[0] if len(parts) == 1 < len(lines[0]) else _stacked(parts, dtype)


def _stacked(blocks, dtype):
    """Those whose lines follow lines as their parts do; None if they do not fit."""
    blocks, cls = [b._same() for b in blocks], type(blocks[0])
    swap = blocks[0]._swap
    lines, widths = zip(*(swap(b._shape) for b in blocks))
    if len(set(widths)) > 1:
        return None
    shape = swap((sum(lines), widths[0]))
    dtype, wide = _common_dtypes(blocks, shape, dtype)
    begin, indptr = 0, []
    for b in blocks:
        first = b.indptr.astype(wide, copy=False)
        indptr.append(first[1:] + wide(begin) if indptr else first)
        begin += b.data.size
    return cls._from_parts(_core.concatenate([b.data.astype(dtype, copy=False) for b in blocks]),
                           _core.concatenate([b.indices.astype(wide, copy=False) for b in blocks]),
                           _core.concatenate(indptr), shape, all(b._stores_once() for b in blocks))


def _joined(blocks, dtype):
    """Those whose lines are continued by the next one's, on the host; None elsewhere, and if they do not fit."""
    blocks = [b._same() for b in blocks]
    swap = blocks[0]._swap
    lines, widths = zip(*(swap(b._shape) for b in blocks))
    if len(set(lines)) > 1:
        return None
    shape = swap((lines[0], sum(widths)))
    dtype, wide = _common_dtypes(blocks, shape, dtype)
    parts = []
    for b in blocks:
        n, m, indptr, indices = b._pattern()
        parts += n, m, *cast_index(wide, indptr, indices), b.data.astype(dtype, copy=False)
    made = _core._sparse_join(*parts)
    if made is None:
        return None
    indptr, indices, data = made
    return type(blocks[0])._from_parts(data, indices, indptr, shape, all(b._stores_once() for b in blocks))


def _common_dtypes(blocks, shape, dtype):
    """The dtypes of the values and of the indices of what compressed matrices become."""
    dtype = np.result_type(*{b.dtype for b in blocks}) if dtype is None else _host.element_dtype(dtype)
    wide = np.int64 if any(b.indptr.dtype == "int64" for b in blocks) else (
        coord_dtype(shape, sum(b.data.size for b in blocks)))
    return dtype, np.dtype(wide).type


def _common_format(blocks):
    """CSR or CSC if all blocks are in it, or else None."""
    formats = {getattr(b, "format", None) for b in blocks}
    return formats.pop() if formats in ({"csr"}, {"csc"}) else None


def block_diag(mats, format=None, dtype=None):
    """Matrices along the diagonal.

    Args:
        mats: Sparse matrices or dense arrays; numbers and vectors are rows.
        format: Of the result; COO by default.
        dtype: Of the elements.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: There is no such format.

    >>> tombacx.scipy.sparse.block_diag([tombac.array([[1.0]]), tombac.array([[2.0, 3.0]])]).toarray()
    array([[1., 0., 0.],
           [0., 2., 3.]])
    """
    is_array = _is_array(*mats)
    found = [_coo(a, is_array) if isinstance(a, SparseBase) or _host.is_sparse(a) else _all_stored(a, is_array)
             for a in mats]
    n = len(found)
    return _blocks([[a if i == j else None for j in range(n)] for i, a in enumerate(found)], format, dtype, is_array)


def _all_stored(a, is_array):
    """A matrix in COO that stores each element of a dense one; but of lists those that are not zero, as in SciPy."""
    if isinstance(a, list) or np.isscalar(a):
        return FAMILY["coo", is_array](atleast_2d(_host.dense(a)))
    a = atleast_2d(_host.dense(a))
    if a.ndim > 2:
        raise ValueError(f"blocks have one or two dimensions, not {a.ndim}")
    row, col = (x.reshape(-1) for x in indices(a.shape, coord_dtype(a.shape, a.size)))
    return FAMILY["coo", is_array]._from_parts(a.reshape(-1), row, col, a.shape, has_canonical_format=True)


# ---- random


def _sampled(shape, density, format, dtype, source, values, is_array):
    density = _core._on_host(density)
    if not 0 <= density <= 1:
        raise ValueError("density expected to be 0 <= density <= 1")
    dtype = _host.element_dtype(np.float64 if dtype is None else dtype)
    shape = as_shape(shape, FAMILY["coo", is_array]._allow_nd)
    size = math.prod(shape)
    k = int(round(density * size))
    place = _core.asarray(source.choice(size, size=k, replace=False)) if k else _core.zeros((0,), np.int64)
    coords = coords_at(place, shape, coord_dtype(shape, k))
    if values is not None:
        data = _host.dense(values(k)).astype(dtype, copy=False)
    elif dtype.kind in "iu":
        numbers, limits = getattr(source, "integers", None) or source.randint, np.iinfo(dtype)
        data = _core.asarray(numbers(limits.min, limits.max, k, dtype=dtype))
    else:
        uniform = source.random_sample if hasattr(source, "random_sample") else source.random
        data = uniform(k) + 1j * uniform(k) if dtype.kind == "c" else uniform(k)
        data = _core.asarray(data).astype(dtype, copy=False)
    a = FAMILY["coo", is_array]._from_parts(data, *coords, shape, has_canonical_format=True)
    return a.asformat(format)


def random(m, n, density=0.01, format="coo", dtype=None, rng=None, data_rvs=None, *, random_state=None):
    """A matrix with random elements at random places.

    Args:
        m: The number of rows.
        n: The number of columns.
        density: The share of elements that are stored, from 0 to 1.
        format: Of the result.
        dtype: Of the elements; integers are any that it holds.
        rng: A seed, a ``tombac.random.RandomState`` or a generator; the global state by default.
        data_rvs: Makes as many elements as it is asked for; by default they are uniform, from 0 to 1 if not integers.
        random_state: The same as ``rng``, by its older name.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: The density is not a share.
        TypeError: Both ``rng`` and ``random_state`` are given.

    >>> tombacx.scipy.sparse.random(10, 10, density=0.2).nnz
    20
    """
    return _sampled((m, n), density, format, dtype, _source("random", rng, random_state), data_rvs, False)


def _source(name, state, older):
    from tombac import random as numbers

    if older is not None:
        if state is not None:
            raise TypeError(f"{name}() got multiple values for argument now known as `rng`. Specify one of `rng` or "
                            "`random_state`")
        state = older
    if state is None:
        return numbers
    if isinstance(state, (int, np.integer)):
        return numbers.RandomState(int(state))
    return state


def rand(m, n, density=0.01, format="coo", dtype=None, rng=None, *, random_state=None):
    """A matrix with uniform random elements from 0 to 1 at random places; see random.

    Args:
        m: The number of rows.
        n: The number of columns.
        density: The share of elements that are stored, from 0 to 1.
        format: Of the result.
        dtype: Of the elements: float or complex.
        rng: A seed, a ``tombac.random.RandomState`` or a generator; the global state by default.
        random_state: The same as ``rng``, by its older name.

    Returns:
        A sparse matrix.

    Raises:
        ValueError: The density is not a share.
        TypeError: Both ``rng`` and ``random_state`` are given.

    >>> tombacx.scipy.sparse.rand(4, 5, density=1).nnz
    20
    """
    return _sampled((m, n), density, format, dtype, _source("rand", rng, random_state), None, False)


def random_array(shape, *, density=0.01, format="coo", dtype=None, rng=None, data_sampler=None, random_state=None):
    """A sparse array with random elements at random places; see random.

    Args:
        shape: A tuple of as many integers as there are to be dimensions.
        density: The share of elements that are stored, from 0 to 1.
        format: Of the result.
        dtype: Of the elements; integers are any that it holds.
        rng: A seed, a ``tombac.random.RandomState`` or a generator; the global state by default.
        data_sampler: Makes as many elements as its ``size`` says; by default they are uniform, and from 0 to 1 if not
            integers.
        random_state: The same as ``rng``, by its older name.

    Returns:
        A sparse array.

    Raises:
        ValueError: The density is not a share.
        TypeError: Both ``rng`` and ``random_state`` are given.

    >>> tombacx.scipy.sparse.random_array((4, 5), density=0.5).shape
    (4, 5)
    """
    values = None if data_sampler is None else lambda k: data_sampler(size=k)
    return _sampled(shape, density, format, dtype, _source("random_array", rng, random_state), values, True)


# ---- axes


def permute_dims(A, axes=None, copy=False):
    """The axes in another order.

    Args:
        A: A sparse array or matrix.
        axes: Which axis of A each of the result is; reversed by default.
        copy: Whether the parts are copied.

    Returns:
        A sparse array or matrix, in the COO format unless the order is A's.

    Raises:
        ValueError: axes is no order of A's axes.

    >>> tombacx.scipy.sparse.permute_dims(tombacx.scipy.sparse.eye_array(2, 3), (1, 0)).shape
    (3, 2)
    """
    order = tuple(range(A.ndim))[::-1] if axes is None else as_order(axes, A.ndim)
    if order == tuple(range(A.ndim)):
        return A.copy() if copy else A
    A = A.tocoo()
    return A.transpose(copy=copy) if A.ndim == 2 else A.transpose(order, copy=copy)


def expand_dims(A, /, *, axis=0):
    """A new axis of length 1.

    Args:
        A: A sparse array; what a matrix gives is one of three dimensions, an array.
        axis: Where the new axis is in the result.

    Returns:
        A sparse array in the COO format.

    Raises:
        ValueError: The result has no such axis, or axis is no integer.

    >>> tombacx.scipy.sparse.expand_dims(tombacx.scipy.sparse.eye_array(2, 3), axis=1).shape
    (2, 1, 3)
    """
    axis = _core._on_host(axis)
    if not isinstance(axis, (int, np.integer)):
        raise ValueError(f"expand_dims: axis must be an integer, not {axis!r}")
    if not -A.ndim - 1 <= axis <= A.ndim:
        raise ValueError(f"expand_dims: axis {axis} is not within [{-A.ndim - 1}, {A.ndim}]")
    at_axis = axis % (A.ndim + 1)
    a = FAMILY["coo", True](A)
    coords = [*a.coords[:at_axis], _core.zeros_like(a.coords[0]), *a.coords[at_axis:]]
    return a._made((*a.shape[:at_axis], 1, *a.shape[at_axis:]), a.data, *coords)


def swapaxes(A, axis1, axis2):
    """Two axes exchanged.

    Args:
        A: A sparse array.
        axis1: An axis.
        axis2: The other one; if it is the same A is returned.

    Returns:
        A sparse array.

    Raises:
        ValueError: There is no such axis.

    >>> tombacx.scipy.sparse.swapaxes(tombacx.scipy.sparse.eye_array(2, 3), 0, 1).shape
    (3, 2)
    """
    for axis in (axis1, axis2):
        if not -A.ndim <= axis < A.ndim:
            raise ValueError(f"axis {axis} is out of bounds for an array of {A.ndim} dimensions")
    order = list(range(A.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return permute_dims(A, order)


def matrix_transpose(A):
    """The transpose of each matrix: the last two axes swapped.

    Args:
        A: A sparse array.

    Returns:
        A sparse array.

    Raises:
        AttributeError: A is none.
        ValueError: A has one dimension.

    >>> tombacx.scipy.sparse.matrix_transpose(tombacx.scipy.sparse.eye_array(2, 3)).shape
    (3, 2)
    """
    return A.mT
