"""NumPy's functions of dtypes, taking tombac arrays as well."""

from tombac import _core
from tombac._core import result_type
from tombac._numpy import np

__all__ = ["can_cast", "common_type", "min_scalar_type", "result_type"]


def _dtype_of(x):
    return x.dtype if isinstance(x, _core.ndarray) else x


def can_cast(from_, to, casting="safe"):
    """Whether the cast from an array's or a given dtype is allowed.

    Args:
        from_: An array, a dtype, or what NumPy takes for one.
        to: A dtype, or what NumPy takes for one.
        casting: 'no', 'equiv', 'safe', 'same_kind' or 'unsafe'.

    Returns:
        A bool.

    Raises:
        TypeError: An argument is none of these.

    >>> tombac.can_cast(tombac.arange(3), 'float32'), tombac.can_cast('int16', 'float32')
    (False, True)
    """
    return np.can_cast(_dtype_of(from_), to, casting)


def common_type(*arrays):
    """The inexact scalar type that all arrays have in common.

    Args:
        arrays: Arrays of numbers.

    Returns:
        A type: one of NumPy's scalar types.

    Raises:
        TypeError: An array is of truth values.

    >>> tombac.common_type(tombac.ones(2, 'f'), tombac.arange(2))
    <class 'numpy.float64'>
    """
    if not arrays:
        return np.float16
    kinds = [np.float64 if a.dtype.kind in "iu" else a.dtype for a in arrays]
    if any(a.dtype == bool for a in arrays):
        raise TypeError("common_type: can't get common type for non-numeric array")
    return np.result_type(*kinds).type


def min_scalar_type(a):
    """The smallest dtype of a number; of an array, its own dtype. 0-dimensional arrays are not read.

    Args:
        a: An array, or a number.

    Returns:
        A dtype.

    >>> tombac.min_scalar_type(1000)
    dtype('uint16')
    """
    return a.dtype if isinstance(a, _core.ndarray) else np.min_scalar_type(a)
