"""Norms, powers and products of matrices, as compositions of reductions and matrix products."""

import functools
import math
import operator

from tombac import _core, _products
from tombac._manipulation import expand_dims, moveaxis
from tombac._numpy import np
from tombac._util import as_device, check_arrays, deliver, normalize_axis_index, normalize_axis_tuple, other_name


def sum_of_squares(x, axis, keepdims=False):
    """Of absolute values, without the square root of a complex one.

    Where the last axis is summed over, complex numbers in memory are as many real ones again.
    """
    if x._kind == "c":
        last = axis is None or x.ndim - 1 in (axis if isinstance(axis, tuple) else (axis,))
        if not last or x.ndim == 0 or not x.flags.c_contiguous or _core.is_pending(x):
            return _core.sum(x.real * x.real + x.imag * x.imag, axis, None, None, keepdims)
        x = x.view(np.float32 if x.itemsize == 8 else np.float64)
    if axis is None and x.itemsize > 2 and (x.ndim == 1 or (x.flags.c_contiguous and not _core.is_pending(x))):
        return _core.vdot(x, x)  # products of float16 would not be rounded
    return _core.sum(x * x, axis, None, None, keepdims)


def _inexact(name, x):
    if not isinstance(x, _core.ndarray):
        x = as_device(name, x)
    return x if x._kind in "fc" else x.astype(float)


def _largest(x, axis, keepdims=False):
    """Of numbers that are not negative: 0 where there are none."""
    return _core.max(x, axis, None, keepdims, 0 if x.size == 0 else None)


def _least(x, axis, keepdims=False):
    return _core.min(x, axis, None, keepdims)


def _vector_norm(x, order, axis, keepdims):
    if order is None or order == 2:
        return _core.sqrt(sum_of_squares(x, axis, keepdims))
    if order == np.inf:
        return _largest(_core.absolute(x), axis, keepdims)
    if order == -np.inf:
        return _least(_core.absolute(x), axis, keepdims)
    if order == 0:
        return _core.sum(x != 0, axis, x.real.dtype, None, keepdims)
    if order == 1:
        return _core.sum(_core.absolute(x), axis, None, None, keepdims)
    if isinstance(order, str):
        raise ValueError(f"norm: invalid norm order {order!r} for vectors")
    if isinstance(order, complex):
        raise TypeError(f"norm: the order must be real, not {order!r}")
    return _core.power(_core.sum(_core.power(_core.absolute(x), order), axis, None, None, keepdims), 1.0 / order)


_OF_SUMS = {1: (0, _largest), -1: (0, _least), math.inf: (1, _largest), -math.inf: (1, _least)}
_OF_SINGULAR_VALUES = {2: _largest, -2: _least, "nuc": _core.sum}


def _matrix_norm(x, order, axis, keepdims):
    rows, columns = axis
    if rows == columns:
        raise ValueError("norm: the two axes must be different")
    if order.__hash__ is None:
        raise ValueError(f"norm: invalid norm order {order!r} for matrices")
    if order is None or order in ("fro", "f"):
        return _core.sqrt(sum_of_squares(x, axis, keepdims))
    if order in _OF_SUMS:
        summed, extreme = _OF_SUMS[order]
        if x.ndim == 2 and not keepdims:
            return extreme(_core.sum(_core.absolute(x), axis[summed], None, None, False), None)
        return extreme(_core.sum(_core.absolute(x), axis[summed], None, None, True), axis, keepdims)
    if order in _OF_SINGULAR_VALUES:
        r = _OF_SINGULAR_VALUES[order](_core._svdvals(moveaxis(x, axis, (-2, -1))), -1)
        return expand_dims(r, tuple(sorted(axis))) if keepdims else r
    raise ValueError(f"norm: invalid norm order {order!r} for matrices")


def norm(x, ord=None, axis=None, keepdims=False):
    """The norm of a vector or a matrix, as a 0-dimensional array; along axes, an array of norms.

    Args:
        x: An array of any dtype and shape, or a number; integers are converted to float64.
        keepdims: Whether reduced axes stay, with length 1.
        ord: None (the square root of the sum of squares), a number, inf, -inf; for matrices 'fro', 'nuc' (the sum of
            the singular values), 2 and -2 (the largest and the smallest), 1, -1, inf and -inf.
        axis: An axis for vector norms, two axes for matrix norms; None takes ``x`` as a whole.

    Returns:
        An array of a real and inexact dtype.

    Raises:
        ValueError: ``ord`` is not a norm of that kind, or more than two axes are given.

    >>> tombac.linalg.norm(tombac.array([3.0, 4.0]))
    array(5.)
    """
    x, ord = _inexact("norm", x), _core._on_host(ord)
    if axis is None:
        if ord is None or (ord in ("fro", "f") and x.ndim == 2) or (ord == 2 and x.ndim == 1):
            r = _core.sqrt(sum_of_squares(x, None, False))
            return r.reshape((1,) * x.ndim) if keepdims else r
        axis = tuple(range(x.ndim))
    if isinstance(axis, (tuple, list)) and len(axis) not in (1, 2):
        raise ValueError("norm: the number of axes must be one or two")
    axis = normalize_axis_tuple(axis, x.ndim)
    return _vector_norm(x, ord, axis[0], keepdims) if len(axis) == 1 else _matrix_norm(x, ord, axis, keepdims)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The vector norm over the given axes, all by default, as if they were one.

    Args:
        x: An array of any dtype and shape, or a number; integers are converted to float64.
        axis: An axis or a tuple of axes; None for all.
        keepdims: Whether reduced axes stay, with length 1.
        ord: A number, inf or -inf.

    Returns:
        An array of a real and inexact dtype.

    Raises:
        ValueError: ``ord`` is none of these.
        AxisError: There is no such axis.

    >>> tombac.linalg.vector_norm(tombac.array([3.0, 4.0]))
    array(5.)
    """
    x, ord = _inexact("vector_norm", x), _core._on_host(ord)
    axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim)
    return _vector_norm(x, ord, axes, keepdims)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The matrix norm of the last two axes.

    Args:
        x: An array of any dtype and at least two dimensions; integers are converted to float64.
        keepdims: Whether reduced axes stay, with length 1.
        ord: 'fro', 'nuc', 2, -2, 1, -1, inf or -inf.

    Returns:
        An array of a real and inexact dtype.

    Raises:
        ValueError: ``ord`` is no norm of matrices.
        AxisError: ``x`` has fewer than two dimensions.

    >>> tombac.linalg.matrix_norm(tombac.array([[3.0, 0.0], [0.0, 4.0]]))
    array(5.)
    """
    x, ord = _inexact("matrix_norm", x), _core._on_host(ord)
    return _matrix_norm(x, ord, normalize_axis_tuple((-2, -1), x.ndim), keepdims)


def matrix_power(M=None, n=None, *, a=None):
    """The ``n``-th power of square matrices, by repeated squaring; a negative one is that of the inverse.

    Args:
        M: An array of any dtype and shape ``(..., n, n)``.
        n: An int.
        a: NumPy's name of ``M``.

    Returns:
        An array of ``M``'s shape and, unless ``n`` is negative, dtype.

    Raises:
        LinAlgError: The last two dimensions differ.
        TypeError: ``M`` is no tombac array.

    >>> tombac.linalg.matrix_power(tombac.array([[1, 1], [0, 1]]), 5)
    array([[1, 5],
           [0, 1]])
    """
    if a is not None:
        M = other_name("matrix_power", M, a)
    check_arrays("matrix_power", M)
    if M.ndim < 2 or M.shape[-1] != M.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    n = operator.index(n)
    if n < 0:
        M, n = _core._inv(M), -n
    if n == 0:
        return _core.broadcast_to(_core.eye(M.shape[-1], dtype=M.dtype), M.shape).copy()
    result = None
    while n:
        if n & 1:
            result = M if result is None else _core.matmul(result, M)
        n >>= 1
        if n:
            M = _core.matmul(M, M)
    return result.copy() if result is M else result


def multi_dot(arrays, *, out=None):
    """The product of two or more matrices, in the order that needs the fewest multiplications.

    Args:
        arrays: A sequence of matrices; the first and the last may be vectors.
        out: An array of the result's shape to write to.

    Returns:
        An array of what the dtypes promote to.

    Raises:
        ValueError: There are fewer than two, or their shapes do not match.
        LinAlgError: One in the middle is no matrix.

    >>> tombac.linalg.multi_dot([tombac.ones((2, 3)), tombac.ones((3, 4)), tombac.ones((4, 1))])
    array([[12.],
           [12.]])
    """
    arrays = list(arrays)
    check_arrays("multi_dot", *arrays)
    if len(arrays) < 2:
        raise ValueError("multi_dot: at least two arrays are needed")
    row, column = arrays[0].ndim == 1, arrays[-1].ndim == 1
    if row:
        arrays[0] = arrays[0].reshape(1, -1)
    if column:
        arrays[-1] = arrays[-1].reshape(-1, 1)
    shapes = [a.shape for a in arrays]
    if {len(shape) for shape in shapes} != {2}:
        raise np.linalg.LinAlgError("multi_dot: all arrays but the first and the last must be two-dimensional")
    for left, right in _steps(tuple(shapes)):
        arrays[left] = _core.matmul(arrays[left], arrays[right])
    result = arrays[0]
    if row:
        result = result[0]
    if column:
        result = result[..., 0]
    return deliver("multi_dot", result, out)


@functools.lru_cache(256)
def _steps(shapes):
    """Which two to multiply next, for the least work (dynamic programming over all sub-chains i..j): the product takes
    the left one's place."""
    dims = [shapes[0][0], *[shape[1] for shape in shapes]]
    n = len(shapes)
    cost, split = [[0] * n for _ in range(n)], [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            choices = [(cost[i][k] + cost[k + 1][j] + dims[i] * dims[k + 1] * dims[j + 1], k) for k in range(i, j)]
            cost[i][j], split[i][j] = min(choices)

    def chain(i, j):
        return [] if i == j else [*chain(i, split[i][j]), *chain(split[i][j] + 1, j), (i, split[i][j] + 1)]

    return chain(0, n - 1)


def cross(x1, x2, /, *, axis=-1):
    """The cross product of vectors of three elements along ``axis``.

    Args:
        x1, x2: Arrays of numbers with three elements along the axis; the other axes broadcast.
        axis: The axis.

    Returns:
        An array of what the dtypes promote to.

    Raises:
        ValueError: A vector has another number of elements.
        TypeError: An argument is no tombac array.

    >>> tombac.linalg.cross(tombac.array([1, 0, 0]), tombac.array([0, 1, 0]))
    array([0, 0, 1])
    """
    check_arrays("cross", x1, x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError("cross: both vectors must have three elements along the axis")
    return _products.cross(x1, x2, axis=axis)


def outer(x1, x2, /):
    """The outer product of two vectors.

    Args:
        x1, x2: Arrays of any dtype and one dimension.

    Returns:
        An array of shape ``(x1.size, x2.size)``.

    Raises:
        ValueError: An array does not have one dimension.
        TypeError: An argument is no tombac array.

    >>> tombac.linalg.outer(tombac.arange(1, 3), tombac.arange(1, 4))
    array([[1, 2, 3],
           [2, 4, 6]])
    """
    check_arrays("outer", x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError("outer: both arrays must be one-dimensional")
    return _products.outer(x1, x2)


def diagonal(x, /, *, offset=0):
    """A diagonal of the last two axes; a view.

    Args:
        x: An array of any dtype and at least two dimensions.
        offset: The diagonal: 0 is the main one, those above it have positive numbers.

    Returns:
        A view of ``x``, which can be written to, other than NumPy's.

    Raises:
        ValueError: ``x`` has fewer dimensions.
        TypeError: ``x`` is no tombac array.

    >>> tombac.linalg.diagonal(tombac.array([[1, 2], [3, 4]]))
    array([1, 4])
    """
    check_arrays("diagonal", x)
    return x.diagonal(offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    """The sum along a diagonal of the last two axes.

    Args:
        x: An array of any dtype and at least two dimensions.
        offset: The diagonal: 0 is the main one, those above it have positive numbers.
        dtype: The dtype of the sum; integers narrower than int64 are summed in int64.

    Returns:
        An array without the last two axes.

    Raises:
        AxisError: ``x`` has fewer dimensions.

    >>> tombac.linalg.trace(tombac.array([[1, 2], [3, 4]]))
    array(5)
    """
    return _products.trace(x, offset, normalize_axis_index(-2, x.ndim), normalize_axis_index(-1, x.ndim), dtype)
