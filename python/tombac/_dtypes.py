"""NumPy's functions of dtypes, taking tombac arrays as well."""

from tombac import _core
from tombac._numpy import np

__all__ = ["can_cast", "common_type", "min_scalar_type", "result_type"]


def _dtype_of(x):
    return x.dtype if isinstance(x, _core.ndarray) else x


def result_type(*arrays_and_dtypes):
    """The dtype that NumPy's promotion gives for arrays, dtypes and numbers.

    >>> tombac.result_type(tombac.arange(3, dtype="i4"), "f4", 3)
    dtype('float64')
    """
    types = [x.dtype if isinstance(x, _core.ndarray) else x for x in arrays_and_dtypes]
    if len(types) == 2 and all([isinstance(x, np.dtype) for x in types]):
        return np.promote_types(*types)  # result_type of dtypes alone takes ten times as long
    return np.result_type(*types)


def can_cast(from_, to, casting="safe"):
    """Whether the cast from an array's or a given dtype is allowed."""
    return np.can_cast(_dtype_of(from_), to, casting)


def common_type(*arrays):
    """The inexact scalar type that all arrays have in common."""
    if not arrays:
        return np.float16
    kinds = [np.float64 if a.dtype.kind in "iu" else a.dtype for a in arrays]
    if any(a.dtype == bool for a in arrays):
        raise TypeError("common_type: can't get common type for non-numeric array")
    return np.result_type(*kinds).type


def min_scalar_type(a):
    """The smallest dtype of a number; of an array, its own dtype. 0-dimensional arrays are not read."""
    return a.dtype if isinstance(a, _core.ndarray) else np.min_scalar_type(a)
