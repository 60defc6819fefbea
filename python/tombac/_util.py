"""Argument checks that the compositions share."""

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from tombac import _core
from tombac._core import PerformanceWarning

__all__ = [
    "PerformanceWarning", "as_device", "check_arrays", "host_int", "normalize_axis_index", "normalize_axis_tuple",
]


def check_arrays(name, *arrays):
    """TypeError unless every one of ``arrays`` is a tombac.ndarray."""
    for a in arrays:
        if not isinstance(a, _core.ndarray):
            raise TypeError(f"{name}: a tombac.ndarray is expected, not {type(a)}")


def as_device(name, x, dtype=None):
    """``x`` as a tombac.ndarray: an array as it is, a number as a 0-dimensional array; TypeError for host arrays."""
    if isinstance(x, _core.ndarray):
        return x
    if isinstance(x, (bool, int, float, complex, np.generic)):
        return _core.array(x, dtype)
    raise TypeError(f"{name}: Unsupported type {type(x)}")


def host_int(x):
    """An integer argument that may be a 0-dimensional device array (which is then read)."""
    return int(x.item()) if isinstance(x, _core.ndarray) else int(x)
