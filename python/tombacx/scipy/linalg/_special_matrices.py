"""Matrices whose elements follow from their indices or from a vector's elements.

Those that are constant along diagonals are copies of one view: the windows of the vector of all diagonals.
"""

import math
import operator

from tombac import _core
from tombac._core import arange, asarray, concatenate
from tombac._numpy import np
from tombac.lib.stride_tricks import sliding_window_view

__all__ = [
    "bandwidth", "block_diag", "circulant", "convolution_matrix", "dft", "hadamard", "hankel", "helmert", "hilbert",
    "khatri_rao", "toeplitz",
]


def vector(x):
    """``x`` as an array of at least one dimension, whose last is the vector's."""
    x = asarray(x)
    return x if x.ndim else x.reshape(1)


def constant_diagonals(values, rows, columns, step):
    """The matrices whose row i is a window of ``values``: from i on for step 1, from rows - 1 - i on for step -1."""
    if not rows or not columns:
        return _core.zeros(values.shape[:-1] + (rows, columns), values.dtype)
    windows = sliding_window_view(values, columns, axis=-1)
    return windows[..., ::step, :].copy()


def joined(first, rest):
    """``first`` before ``rest`` but for that one's first element; both may be batches."""
    if first.ndim > 1 or rest.ndim > 1:
        batch = np.broadcast_shapes(first.shape[:-1], rest.shape[:-1])
        first = _core.broadcast_to(first, batch + first.shape[-1:])
        rest = _core.broadcast_to(rest, batch + rest.shape[-1:])
    return concatenate((first, rest[..., 1:]), -1)


def toeplitz(c, r=None):
    """Toeplitz matrices, which are constant along each diagonal, by their first column and row.

    Args:
        c: The first column, of any dtype and shape (..., m).
        r: The first row, of shape (..., n), whose first element does not count; the conjugate of ``c`` if None.

    Returns:
        An array of shape (..., m, n) and the dtype that ``c`` and ``r`` are promoted to.

    Raises:
        ValueError: The batches of ``c`` and ``r`` do not broadcast.

    >>> tombacx.scipy.linalg.toeplitz(tombac.array([1, 2, 3]), tombac.array([1, 4, 5, 6]))
    array([[1, 4, 5, 6],
           [2, 1, 4, 5],
           [3, 2, 1, 4]])
    """
    c = vector(c)
    r = c.conj() if r is None else vector(r)
    return constant_diagonals(joined(c[..., ::-1], r), c.shape[-1], r.shape[-1], -1)


def circulant(c):
    """Circulant matrices: each column is the one before it, moved down by one and around.

    Args:
        c: The first column, of any dtype and shape (..., n).

    Returns:
        An array of shape (..., n, n) and ``c``'s dtype.

    Raises:
        TypeError: ``c`` is of a dtype that arrays cannot have.

    >>> tombacx.scipy.linalg.circulant(tombac.array([1, 2, 3]))
    array([[1, 3, 2],
           [2, 1, 3],
           [3, 2, 1]])
    """
    c = vector(c)
    n = c.shape[-1]
    return constant_diagonals(concatenate((c[..., ::-1], c[..., :0:-1]), -1), n, n, -1)


def hankel(c, r=None):
    """A Hankel matrix, which is constant along each antidiagonal, by its first column and last row.

    Args:
        c: The first column, m elements in any shape.
        r: The last row, n elements of which the first does not count; zeros, as many as ``c`` has, if None.

    Returns:
        An array of shape (m, n) and the dtype that ``c`` and ``r`` are promoted to.

    Raises:
        TypeError: ``c`` or ``r`` is of a dtype that arrays cannot have.

    >>> tombacx.scipy.linalg.hankel(tombac.array([1, 2, 3]), tombac.array([3, 4]))
    array([[1, 2],
           [2, 3],
           [3, 4]])
    """
    c = asarray(c).ravel()
    r = _core.zeros_like(c) if r is None else asarray(r).ravel()
    return constant_diagonals(joined(c, r), c.size, r.size, 1)


def hilbert(n):
    """The Hilbert matrix: 1 / (i + j + 1).

    Args:
        n: Its size.

    Returns:
        An array of float64 and shape (n, n).

    Raises:
        ValueError: ``n`` is negative.

    >>> tombacx.scipy.linalg.hilbert(2)
    array([[1.        , 0.5       ],
           [0.5       , 0.33333333]])
    """
    i = _indices(n)
    return 1.0 / (i[:, None] + i + 1.0)


def _indices(n):
    n = operator.index(n)
    if n < 0:
        raise ValueError(f"a matrix cannot have {n} rows")
    return arange(n)


def hadamard(n, dtype=int):
    """The Hadamard matrix of Sylvester's construction: (-1) to the number of bits that i and j share.

    Args:
        n: Its size, a power of two.
        dtype: The dtype of the result.

    Returns:
        An array of shape (n, n).

    Raises:
        ValueError: ``n`` is no power of two.

    >>> tombacx.scipy.linalg.hadamard(4)
    array([[ 1,  1,  1,  1],
           [ 1, -1,  1, -1],
           [ 1,  1, -1, -1],
           [ 1, -1, -1,  1]])
    """
    if n < 1 or n != 1 << int(n).bit_length() - 1:
        raise ValueError(f"hadamard: n must be a power of 2, not {n}")
    i = arange(int(n))
    odd = _core.bitwise_count(i[:, None] & i) & 1
    return (1 - 2 * odd.astype(int)).astype(dtype)


def helmert(n, full=False):
    """The Helmert matrix, whose rows are orthonormal and contrast each element with those before it.

    Args:
        n: Its size.
        full: True includes the first row, all 1 / sqrt(n).

    Returns:
        An array of float64 and shape (n, n), or (n - 1, n) unless ``full``.

    Raises:
        ValueError: ``n`` is negative.

    >>> tombacx.scipy.linalg.helmert(2, full=True)
    array([[ 0.70710678,  0.70710678],
           [ 0.70710678, -0.70710678]])
    """
    j = _indices(n)
    i = j[:, None]
    contrasts = _core.where(j < i, 1.0, _core.where(j == i, -1.0 * i, 0.0))
    length = _core.where(i == 0, 1.0 * n, 1.0 * i * (i + 1))
    rows = _core.where(i == 0, 1.0, contrasts) / _core.sqrt(length)
    return rows if full else rows[1:]


def dft(n, scale=None):
    """The matrix of the discrete Fourier transform: exp(-2 pi i j k / n).

    Args:
        n: Its size.
        scale: ``"sqrtn"`` divides by sqrt(n), ``"n"`` by n.

    Returns:
        An array of complex128 and shape (n, n).

    Raises:
        ValueError: ``scale`` is something else, or ``n`` is negative.

    >>> tombacx.scipy.linalg.dft(2).real
    array([[ 1.,  1.],
           [ 1., -1.]])
    """
    if scale not in (None, "sqrtn", "n"):
        raise ValueError(f"dft: scale must be None, 'sqrtn' or 'n', not {scale!r}")
    i = _indices(n)
    # Whole turns are taken off the integers, where that is exact, and n roots are all there are.
    roots = _core.exp(i * (-2j * math.pi / max(n, 1)))
    waves = roots[(i[:, None] * i) % max(n, 1)]
    return waves if scale is None else waves / (math.sqrt(n) if scale == "sqrtn" else n)


def block_diag(*arrs):
    """The matrices with the given ones along the diagonal, and zeros elsewhere.

    Args:
        arrs: Matrices (..., m, n) of any dtypes, whose batches broadcast; vectors are matrices of one row.

    Returns:
        An array of shape (..., sum of m, sum of n) and the dtype that theirs are promoted to.

    Raises:
        ValueError: The batches do not broadcast.

    >>> tombacx.scipy.linalg.block_diag(tombac.array([[1, 2], [3, 4]]), tombac.array([5]))
    array([[1, 2, 0],
           [3, 4, 0],
           [0, 0, 5]])
    """
    if not arrs:
        return _core.zeros((1, 0))
    blocks = [vector(a) for a in arrs]
    blocks = [a if a.ndim > 1 else a[None] for a in blocks]
    batch = np.broadcast_shapes(*(a.shape[:-2] for a in blocks))
    shape = tuple(sum(a.shape[d] for a in blocks) for d in (-2, -1))
    result = _core.zeros(batch + shape, np.result_type(*(a.dtype for a in blocks)))
    row = column = 0
    for a in blocks:
        m, n = a.shape[-2:]
        result[..., row:row + m, column:column + n] = a
        row, column = row + m, column + n
    return result


def convolution_matrix(a, n, mode="full"):
    """The Toeplitz matrix by which a product with a vector of ``n`` elements is its convolution with ``a``.

    Args:
        a: A vector of m elements, or several (..., m).
        n: How many columns the matrix has.
        mode: Which places of the convolution are rows: ``"full"`` all m + n - 1, ``"same"`` max(m, n) from the
            middle, ``"valid"`` the max(m, n) - min(m, n) + 1 where one lies within the other.

    Returns:
        An array of shape (..., rows, n) and ``a``'s dtype.

    Raises:
        ValueError: ``n`` is not positive, ``a`` is empty, or the mode is another one.

    >>> tombacx.scipy.linalg.convolution_matrix(tombac.array([1, 2]), 3, "same")
    array([[1, 0, 0],
           [2, 1, 0],
           [0, 2, 1]])
    """
    if n <= 0:
        raise ValueError(f"convolution_matrix: n must be a positive integer, not {n}")
    a = vector(a)
    m = a.shape[-1]
    if a.size == 0:
        raise ValueError("convolution_matrix: a must have elements")
    if mode not in ("full", "valid", "same"):
        raise ValueError(f"convolution_matrix: mode must be 'full', 'valid' or 'same', not {mode!r}")
    margin = _core.zeros(a.shape[:-1] + (n - 1,), a.dtype)
    full = constant_diagonals(concatenate((margin, a[..., ::-1], margin), -1), m + n - 1, n, -1)
    trim = {"full": 0, "same": min(m, n) - 1, "valid": 2 * (min(m, n) - 1)}[mode]
    return full if not trim else full[..., trim // 2:m + n - 1 - (trim - trim // 2), :].copy()


def khatri_rao(a, b):
    """The Khatri-Rao product: the Kronecker product of each column of ``a`` with that of ``b``.

    Args:
        a: A matrix of shape (m, k).
        b: A matrix of shape (n, k).

    Returns:
        An array of shape (m n, k) and the dtype that theirs are promoted to.

    Raises:
        ValueError: One is no matrix (LinAlgError), or they have not as many columns.

    >>> tombacx.scipy.linalg.khatri_rao(tombac.array([[1, 2], [3, 4]]), tombac.array([[5, 6]]))
    array([[ 5, 12],
           [15, 24]])
    """
    a, b = asarray(a), asarray(b)
    if a.ndim != 2 or b.ndim != 2:
        raise np.linalg.LinAlgError(f"khatri_rao: two matrices are expected, not arrays of the shapes {a.shape} and "
                                    f"{b.shape}")
    if a.shape[1] != b.shape[1]:
        raise ValueError(f"khatri_rao: the matrices have {a.shape[1]} and {b.shape[1]} columns")
    return (a[:, None, :] * b[None, :, :]).reshape(a.shape[0] * b.shape[0], a.shape[1])


def bandwidth(a):
    """How far from the diagonal a matrix has elements that are not zero, below it and above it.

    Args:
        a: An array of any dtype and shape (..., m, n).

    Returns:
        A tuple of two ints: the lower and the upper bandwidth; of stacks two int64 arrays of shape (...).

    Raises:
        ValueError: ``a`` has fewer than two dimensions.

    The result of one matrix is read from the device.

    >>> tombacx.scipy.linalg.bandwidth(tombac.array([[1, 2, 3], [4, 5, 6], [0, 7, 8]]))
    (1, 2)
    """
    a = asarray(a)
    if a.ndim < 2:
        raise ValueError(f"bandwidth: a must have two dimensions at least, not {a.ndim}")
    if a.ndim == 2 and _core.backend() == "cpu":
        return _core._bandwidth(a)
    if not a.size:
        return (0, 0) if a.ndim == 2 else (_core.zeros(a.shape[:-2], int), _core.zeros(a.shape[:-2], int))
    distance = arange(a.shape[-1]) - arange(a.shape[-2])[:, None]
    distance = _core.where(a != 0, distance, 0)
    lower, upper = (_core.maximum(d.max((-2, -1)), 0) for d in (-distance, distance))
    return tuple(_core.stack((lower, upper)).get().tolist()) if a.ndim == 2 else (lower, upper)
