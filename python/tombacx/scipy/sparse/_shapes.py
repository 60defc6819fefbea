"""Shapes of sparse matrices, checked."""

import operator

from tombac._numpy import np

_MOST = 2**63 - 1

__all__ = ["as_axis", "as_shape", "check_axes", "is_shape", "same_size"]


def as_shape(shape):
    """A tuple of two Python integers."""
    try:
        m, n = map(operator.index, shape)
    except TypeError as e:
        raise TypeError(f"a shape must be two integers, not {shape!r}") from e
    except ValueError as e:
        raise ValueError(f"a sparse matrix has two dimensions, not those of {shape!r}") from e
    if m < 0 or n < 0:
        raise ValueError("'shape' elements cannot be negative")
    if max(m, n) > _MOST:
        raise OverflowError(f"a sparse matrix of shape {m, n}: indices have 64 bits")
    return m, n


def is_shape(x):
    """Whether that is a tuple of two integers."""
    return type(x) in (tuple, list) and len(x) == 2 and all(isinstance(n, (int, np.integer)) for n in x)


def same_size(shape, old):
    """A new shape, in which one number may be -1, of as many elements as the old one."""
    shape = tuple(map(operator.index, shape))
    if len(shape) != 2:
        raise ValueError(f"shape must have length 2, not {len(shape)}")
    size = old[0] * old[1]
    if shape.count(-1) > 1:
        raise ValueError("only one dimension can be unknown")
    if -1 in shape:
        other = shape[0] if shape[1] == -1 else shape[1]
        if other == 0 or size % other:
            raise ValueError(f"cannot reshape an array of size {size} into shape {shape}")
        shape = tuple(size // other if n == -1 else n for n in shape)
    if min(shape) < 0:
        raise ValueError("'shape' elements cannot be negative")
    if shape[0] * shape[1] != size:
        raise ValueError(f"cannot reshape an array of size {size} into shape {shape}")
    if size > _MOST:
        raise OverflowError(f"cannot reshape an array of size {size}: places are counted in 64 bits")
    return shape


def as_axis(axis):
    """0, 1, or None for both."""
    if axis is None:
        return None
    if isinstance(axis, tuple):
        if sorted(as_axis(i) for i in axis) == [0, 1]:
            return None
        if len(axis) != 1:
            raise ValueError("duplicate value in axis, or too many")
        (axis,) = axis
    try:
        axis = operator.index(axis)
    except TypeError as e:
        raise TypeError("axis must be an integer/tuple of ints/None") from e
    if not -2 <= axis <= 1:
        raise ValueError("axis out of range")
    return axis % 2


def check_axes(axes):
    """Raises ValueError for axes of a transpose but (1, 0), in which it swaps them anyway."""
    if axes is not None and (not isinstance(axes, (tuple, list)) or tuple(axes) != (1, 0)):
        raise ValueError("Sparse matrices do not support an 'axes' parameter because swapping dimensions is the only "
                         "logical permutation.")
