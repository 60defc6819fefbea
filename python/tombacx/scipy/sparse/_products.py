"""Products of sparse arrays that have not two dimensions: each is one product of two matrices.

Shapes are those of ``numpy.matmul``, ``dot`` and ``tensordot``. A result is sparse, in the COO format, where both
operands are, but for a single number.
"""

import math
import operator

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse._coords import coord_dtype, grouped, stretched
from tombacx.scipy.sparse._structure import cast_index

__all__ = ["dot", "matmul", "matmul_dense", "tensordot"]


def _is_dense(x):
    return isinstance(x, _core.ndarray)


def _reshaped(x, shape):
    return x.reshape(shape) if _is_dense(x) else x.tocoo()._reshaped(tuple(shape), "C")


def _in_shape(product, shape):
    """A product of matrices in its shape: a number if that has no dimension."""
    if _is_dense(product):
        return product.reshape(shape)
    return product.tocoo()._reshaped(tuple(shape), "C") if shape else product.toarray().reshape(())


def _transposed(x):
    """The matrices of x transposed, x itself if it is a vector."""
    if x.ndim < 2:
        return x
    order = (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)
    return x.transpose(order) if _is_dense(x) or x.ndim > 2 else x.transpose()


def matmul(a, b):
    """The product of a sparse array and a dense or sparse one, of which one has not two dimensions."""
    if b.ndim == 0:
        raise ValueError("Scalar operands are not allowed, use '*' instead")
    if b.ndim > 2 and _is_dense(b) and not (a._is_array and a.format == "coo"):
        raise ValueError(f"could not interpret dimensions: a product of {a._shape} and {b.shape}")
    length = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if a._shape[-1] != length:
        raise ValueError(f"dimension mismatch: {a._shape} and {b.shape}")
    if _is_dense(b) and a.ndim < 3 and b.ndim < 3:
        return a._times_dense(b)
    shape = [*a._shape[-2:-1], *b.shape[-1:]] if b.ndim > 1 else [*a._shape[-2:-1]]
    a, b = (a if a.ndim > 1 else _reshaped(a, (1, length))), (b if b.ndim > 1 else _reshaped(b, (length, 1)))
    if b.ndim == 2:
        product = _reshaped(a, (math.prod(a.shape[:-1]), length))._matmul(b)
        return _in_shape(product, (*a.shape[:-2], *shape))
    try:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError as e:
        raise ValueError(f"Batch dimensions are not broadcastable: those of {a.shape} and {b.shape}") from e
    count = math.prod(batch)
    m, n = a.shape[-2], b.shape[-1]
    blocks = _block_diagonal(stretched(a.tocoo(), (*batch, m, length)))
    spread = (*batch, length, n)
    b = _core.broadcast_to(b, spread) if _is_dense(b) else stretched(b.tocoo(), spread)
    return _in_shape(blocks._matmul(_reshaped(b, (count * length, n))), (*batch, *shape))


def _block_diagonal(a):
    """The matrices of a COO array, one after the other along the diagonal of one matrix."""
    rows = grouped(a, range(a.ndim - 1), [a.ndim - 1])
    m, n = a._shape[-2:]
    count = rows._shape[0] // max(m, 1) if m else math.prod(a._shape[:-2])
    shape = (rows._shape[0], count * n)
    col = rows.row.astype(np.int64) // max(m, 1) * n + rows.col
    return a._made(shape, a.data, *cast_index(coord_dtype(shape), rows.row, col))


def matmul_dense(a, b):
    """The product of a dense array and a sparse one."""
    if a.ndim == 0 or a.shape[-1] != b._shape[-2 if b.ndim > 1 else 0] or (b.ndim < 3 and a.ndim > 2
                                                                           and b.format != "coo"):
        raise ValueError(f"dimension mismatch: {a.shape} and {b._shape}")
    if b.ndim == 1:
        return b._times_dense(a.reshape(math.prod(a.shape[:-1]), a.shape[-1]).T).reshape(a.shape[:-1])
    if b.ndim == 2 and a.ndim < 3:
        return b.transpose()._times_dense(a.T).T
    product = matmul(_transposed(b), _transposed(a))
    return product if a.ndim == 1 else _transposed(product)


def dot(a, b):
    """The sum over the last axis of a and the last but one of b."""
    if a.ndim < 3 and b.ndim < 3:
        return a._matmul(b)
    inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if a._shape[-1] != inner:
        raise ValueError(f"shapes {a._shape} and {b.shape} are not aligned for n-D dot")
    return tensordot(a, b, ([a.ndim - 1], [max(b.ndim - 2, 0)]))


def tensordot(a, b, axes):
    """The sum over pairs of axes."""
    firsts, seconds = _axis_pairs(a.ndim, b.ndim, axes)
    if any(a._shape[i] != b.shape[j] for i, j in zip(firsts, seconds)):
        raise ValueError("sizes of the corresponding axes must match")
    kept = [[i for i in range(x.ndim) if i not in axes] for x, axes in ((a, firsts), (b, seconds))]
    shape = [a._shape[i] for i in kept[0]] + [b.shape[i] for i in kept[1]]
    left = grouped(a.tocoo(), kept[0], firsts)
    if _is_dense(b):
        right = b.transpose((*seconds, *kept[1])).reshape(left._shape[1], math.prod(b.shape[i] for i in kept[1]))
    else:
        right = grouped(b.tocoo(), seconds, kept[1])
    return _in_shape(left._matmul(right), shape)


def _axis_pairs(m, n, axes):
    """The axes of both operands that are summed over, as lists of numbers that are not negative."""
    try:
        count = operator.index(axes)
    except TypeError:
        firsts, seconds = ([x] if isinstance(x, (int, np.integer)) else list(x) for x in axes)
    else:
        if not 0 <= count <= min(m, n):
            raise ValueError("axes integer is out of bounds for input arrays")
        firsts, seconds = list(range(m - count, m)), list(range(count))
    if len(firsts) != len(seconds):
        raise ValueError("axes lists must have the same length")
    for found, ndim in ((firsts, m), (seconds, n)):
        if not all(-ndim <= i < ndim for i in found) or len({i % ndim for i in found}) != len(found):
            raise ValueError("axes indices are out of bounds for input arrays, or come twice")
    return [i % m for i in firsts], [j % n for j in seconds]
