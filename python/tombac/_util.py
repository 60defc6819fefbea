"""Argument checks that the compositions share."""

import operator

from tombac import _core
from tombac._core import PerformanceWarning
from tombac._numpy import np

__all__ = [
    "PerformanceWarning", "as_device", "as_tuple", "check_arrays", "check_method", "has_functions", "host_int",
    "is_host_array", "is_number", "normalize_axis_index", "normalize_axis_tuple", "other_name", "plain",
]


def normalize_axis_index(axis, ndim, msg_prefix=None):
    """An axis as a number from 0 on.

    Args:
        axis: An int.
        ndim: How many dimensions there are.
        msg_prefix: What the error's message begins with.

    Returns:
        An int.

    Raises:
        AxisError: There is no such axis.

    >>> tombac.lib.array_utils.normalize_axis_index(-1, 3)
    2
    """
    index = operator.index(axis)
    if -ndim <= index < ndim:
        return index % ndim
    return np.lib.array_utils.normalize_axis_index(axis, ndim, msg_prefix)


def normalize_axis_tuple(axis, ndim, argname=None, allow_duplicate=False):
    """One axis or several as a tuple of numbers from 0 on.

    Args:
        axis: An int or a sequence of ints.
        ndim: How many dimensions there are.
        argname: What the error's message begins with.
        allow_duplicate: Whether an axis may be named twice.

    Returns:
        A tuple of ints.

    Raises:
        AxisError: There is no such axis.
        ValueError: One is named twice.

    >>> tombac.lib.array_utils.normalize_axis_tuple([-1, 0], 3)
    (2, 0)
    """
    if isinstance(axis, int):
        return (normalize_axis_index(axis, ndim, argname),)
    if isinstance(axis, (tuple, list)):
        axes = tuple([normalize_axis_index(d, ndim, argname) for d in axis])
        if allow_duplicate or len(set(axes)) == len(axes):
            return axes
    return np.lib.array_utils.normalize_axis_tuple(axis, ndim, argname, allow_duplicate)


def is_number(x):
    """Whether ``x`` has no dimension: numpy.ndim makes an array of a Python number or a sequence to say so."""
    return isinstance(x, (int, float, complex)) or not isinstance(x, (tuple, list)) and np.ndim(x) == 0


def as_tuple(x):
    """A number or a sequence as a tuple."""
    if isinstance(x, (tuple, list)):
        return tuple(x)
    return (x,) if is_number(x) else tuple(x)


def check_arrays(name, *arrays):
    """TypeError unless every one of ``arrays`` is a tombac.ndarray."""
    for a in arrays:
        if not isinstance(a, _core.ndarray):
            raise TypeError(f"{name}: a tombac.ndarray is expected, not {type(a)}")


def check_method(name, a):
    """TypeError unless ``a`` is an array, a tombac.ndarray or NumPy's, or a sparse matrix that has such a method: its
    own method of that name does the work."""
    if not isinstance(a, _core.ndarray) and not is_host_array(a) and not (has_functions(a) and hasattr(a, name)):
        raise TypeError(f"{name}: a tombac.ndarray is expected, not {type(a)}")


def plain(a):
    """``a`` itself, or a view of the class tombac.ndarray where it is of a subclass."""
    return a if type(a) is _core.ndarray else a.view(_core.ndarray)


def has_functions(a):
    """Whether ``a`` has functions of arrays itself, as sparse matrices have: ufuncs ask its ``__tombac_ufunc__``."""
    return hasattr(type(a), "__tombac_ufunc__")


def is_host_array(a):
    """Whether ``a`` is an array of NumPy's: functions that are a method of their argument call its own, as in CuPy."""
    return not isinstance(a, _core.ndarray) and isinstance(a, np.ndarray)


def as_device(name, x, dtype=None):
    """``x`` as a tombac.ndarray: an array as it is, a number as a 0-dimensional array; TypeError for host arrays."""
    if isinstance(x, _core.ndarray):
        return x
    if isinstance(x, (bool, int, float, complex, np.generic)):
        return _core.array(x, dtype)
    raise TypeError(f"{name}: Unsupported type {type(x)}")


def other_name(name, value, other):
    """An argument that was given by NumPy's name of a parameter that CuPy calls otherwise, or TypeError if by both."""
    if (value is None) == (other is None):
        raise TypeError(f"{name}: an argument is expected by one of its names")
    return other


def deliver(name, result, out):
    """``result``, in ``out`` if that is not None: an array of its shape, or a tuple of one."""
    if out is None:
        return result
    out = out[0] if isinstance(out, tuple) else out
    check_arrays(name, out)
    if out.shape != result.shape:
        raise ValueError(f"{name}: out has the shape {out.shape}, the result {result.shape}")
    out[...] = result
    return out


def host_int(x):
    """An integer argument that may be a 0-dimensional device array (which is then read)."""
    return int(x.item()) if isinstance(x, _core.ndarray) else int(x)
