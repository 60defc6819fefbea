"""NumPy arrays for transfers. Their memory is ordinary host memory: transfers are correct, and staged by the driver."""

import numpy as np


def empty_pinned(shape, dtype=float, order="C"):
    """A numpy.ndarray of uninitialised content."""
    return np.empty(shape, dtype, order)


def zeros_pinned(shape, dtype=float, order="C"):
    """A numpy.ndarray of zeros."""
    return np.zeros(shape, dtype, order)


def _like(make, a, dtype, order, shape):
    if order in ("K", "A", None):
        order = "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
    return make(a.shape if shape is None else shape, a.dtype if dtype is None else dtype, order)


def empty_like_pinned(a, dtype=None, order="K", subok=None, shape=None):
    """A numpy.ndarray of uninitialised content, shaped like a tombac or NumPy array."""
    return _like(empty_pinned, a, dtype, order, shape)


def zeros_like_pinned(a, dtype=None, order="K", subok=None, shape=None):
    """A numpy.ndarray of zeros, shaped like a tombac or NumPy array."""
    return _like(zeros_pinned, a, dtype, order, shape)
