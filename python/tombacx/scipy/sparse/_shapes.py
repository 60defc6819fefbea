"""Shapes of sparse matrices, checked."""

import math
import operator

from tombac import _core
from tombac._numpy import np

_MOST = 2**63 - 1

__all__ = ["as_axes", "as_order", "as_shape", "check_axes", "is_shape", "same_size", "two_dimensions"]


def as_shape(shape, dimensions=(2,)):
    """A tuple of Python integers, as many as one of the dimensions says."""
    try:
        shape = tuple(map(operator.index, shape))
    except TypeError as e:
        raise TypeError(f"a shape must be integers, not {shape!r}") from e
    if len(shape) not in dimensions:
        most = {1: "two dimensions", 2: "one or two dimensions"}.get(len(dimensions), "one dimension to 32")
        raise ValueError(f"shape must have length {_lengths(dimensions)}: this sparse format has {most}, not those of "
                         f"{shape!r}")
    if min(shape) < 0:
        raise ValueError("'shape' elements cannot be negative")
    if max(shape) > _MOST:
        raise OverflowError(f"a sparse matrix of shape {shape}: indices have 64 bits")
    return shape


def _lengths(dimensions):
    return " or ".join(map(str, dimensions)) if len(dimensions) < 3 else "1 to 32"


def is_shape(x, dimensions=(2,)):
    """Whether that is a tuple of as many integers as one of the dimensions says."""
    return type(x) in (tuple, list) and len(x) in dimensions and all(map(_is_integer, x))


def _is_integer(n):
    return isinstance(n, (int, np.integer)) or isinstance(n, _core.ndarray) and n.ndim == 0 and n._kind in "iu"


def two_dimensions(shape):
    """The shape of the matrix whose rows are all the lines along the last axis; of a vector its one row."""
    return math.prod(shape[:-1]), shape[-1]


def same_size(shape, old, dimensions=(2,)):
    """A new shape, in which one number may be -1, of as many elements as the old one."""
    shape = tuple(map(operator.index, shape))
    if len(shape) not in dimensions:
        raise ValueError(f"shape must have length {_lengths(dimensions)}, not {len(shape)}")
    size = math.prod(old)
    if shape.count(-1) > 1:
        raise ValueError("only one dimension can be unknown")
    if -1 in shape:
        other = math.prod(n for n in shape if n != -1)
        if other <= 0 or size % other:
            raise ValueError(f"cannot reshape an array of size {size} into shape {shape}")
        shape = tuple(size // other if n == -1 else n for n in shape)
    if min(shape) < 0:
        raise ValueError("'shape' elements cannot be negative")
    if math.prod(shape) != size:
        raise ValueError(f"cannot reshape an array of size {size} into shape {shape}")
    if size > _MOST:
        raise OverflowError(f"cannot reshape an array of size {size}: places are counted in 64 bits")
    return shape


def as_axes(axis, ndim):
    """A tuple of axes in order, or None for all of them."""
    if axis is None:
        return None
    axes = axis if isinstance(axis, tuple) else (axis,)
    try:
        axes = tuple(map(operator.index, axes))
    except TypeError as e:
        raise TypeError("axis must be an integer/tuple of ints/None") from e
    if not all(-ndim <= i < ndim for i in axes):
        raise ValueError("axis out of range")
    found = tuple(sorted(i % ndim for i in axes))
    if len(set(found)) != len(found):
        raise ValueError("duplicate value in axis, or too many")
    return None if len(found) == ndim else found


def as_order(axes, ndim):
    """Axes in another order, as non-negative integers."""
    try:
        order = tuple(i % ndim if -ndim <= i < ndim else i for i in map(operator.index, axes))
    except TypeError as e:
        raise TypeError(f"axes must be integers, not {axes!r}") from e
    if sorted(order) != list(range(ndim)):
        raise ValueError(f"axes don't match array: {tuple(axes)} is no order of {ndim} axes (repeated axis, or one out "
                         "of bounds)")
    return order


def check_axes(axes):
    """Raises ValueError for axes of a transpose but (1, 0), in which it swaps them anyway."""
    if axes is not None and (not isinstance(axes, (tuple, list)) or tuple(axes) != (1, 0)):
        raise ValueError("Sparse matrices do not support an 'axes' parameter because swapping dimensions is the only "
                         "logical permutation.")
