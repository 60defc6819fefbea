"""NumPy's functions of dtypes, taking tombac arrays as well."""

from tombac import _core
from tombac._core import result_type
from tombac._numpy import np

__all__ = ["can_cast", "common_type", "finfo", "min_scalar_type", "result_type"]


_casts, _MOST_CASTS = {}, 1 << 10  # what has been asked, and the answers
_unsigned = {}  # the smallest dtypes of integers that are not negative, by their bits
_RANKS = {"b": 0, "u": 1, "i": 2, "f": 3, "V": 3, "c": 4}  # of kinds in casts; bfloat16 is of kind "V"


def _dtype_of(x):
    return x.dtype if isinstance(x, _core.ndarray) else x


def as_dtype(t):
    """numpy.dtype(t), for which bfloat16 has its name whoever has imported ml_dtypes."""
    return _core.result_type(t) if isinstance(t, str) and t == "bfloat16" else np.dtype(t)


def _is_bfloat(t):
    """Whether a dtype, or what NumPy takes for one, is bfloat16."""
    if isinstance(t, (str, type)):
        return (t if isinstance(t, str) else t.__name__) == "bfloat16"
    return getattr(getattr(t, "dtype", t), "char", None) == "E"


def is_inexact(t):
    """Whether a dtype is of floating-point or complex numbers."""
    return _is_bfloat(t) or np.issubdtype(t, np.inexact)


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
    from_, to = _dtype_of(from_), _dtype_of(to)
    key = from_, to, casting
    try:
        return _casts[key]
    except (KeyError, TypeError):  # a TypeError: they have no hash
        allowed = _can_cast(from_, to, casting)
    if len(_casts) < _MOST_CASTS and all(isinstance(x, (str, type, np.dtype)) for x in key):
        _casts[key] = allowed
    return allowed


def _can_cast(from_, to, casting):
    if not (_is_bfloat(from_) or _is_bfloat(to)):
        return np.can_cast(from_, to, casting)
    from_, to = as_dtype(from_), as_dtype(to)
    if casting == "safe":
        return _core.result_type(from_, to) == to
    if casting == "same_kind":
        return _RANKS.get(from_.kind, 5) <= _RANKS.get(to.kind, -1)
    return casting == "unsafe" or from_ == to


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
    common = None
    for a in arrays:
        dtype = a.dtype
        kind = dtype.kind
        if kind == "b":
            raise TypeError("common_type: can't get common type for non-numeric array")
        if kind in "iu":
            dtype = np.dtype(np.float64)
        common = dtype if common is None or common is dtype else _core.result_type(common, dtype)
    return common.type


def finfo(dtype):
    """The limits of a dtype of floating-point or complex numbers.

    Args:
        dtype: A dtype, or what NumPy takes for one; or an array or a number, for its own.

    Returns:
        A numpy.finfo; of bfloat16 that of ml_dtypes, which has the same attributes.

    Raises:
        ValueError: The dtype has no such limits.

    >>> float(tombac.finfo('float32').eps) == 2.0**-23
    True
    """
    dtype = _dtype_of(dtype)
    if not _is_bfloat(dtype):
        return np.finfo(dtype)
    dtype = as_dtype(dtype)
    import ml_dtypes

    return ml_dtypes.finfo(dtype)


def min_scalar_type(a):
    """The smallest dtype of a number; of an array, its own dtype. 0-dimensional arrays are not read.

    Args:
        a: An array, or a number.

    Returns:
        A dtype.

    >>> tombac.min_scalar_type(1000)
    dtype('uint16')
    """
    if type(a) is int and a >= 0:
        bits = a.bit_length()
        if bits not in _unsigned:
            _unsigned[bits] = np.min_scalar_type(a)
        return _unsigned[bits]
    return a.dtype if isinstance(a, _core.ndarray) else np.min_scalar_type(a)
