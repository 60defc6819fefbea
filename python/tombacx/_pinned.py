"""NumPy arrays in page-locked memory: transfers between them and the device run while the host goes on."""

import math
import operator
import sys

from tombac import _core
from tombac._numpy import np
from tombac.cuda import pinned_memory


def empty_pinned(shape, dtype=float, order="C"):
    """A numpy.ndarray of uninitialised content, in pinned memory.

    Args:
        shape: An int or a tuple of them.
        dtype: The dtype.
        order: The layout: 'C' or 'F'.

    Returns:
        A numpy.ndarray.

    Raises:
        ValueError: A length is negative, or the array would be too large.
        TypeError: The dtype is none that arrays have.

    >>> a = tombacx.empty_pinned((2, 3), "float32")
    """
    dtype = _core.empty(0, dtype).dtype  # ValueError for what arrays do not hold
    shape = tuple(map(operator.index, shape if np.iterable(shape) else (shape,)))
    count = math.prod(shape)
    if count < 0 or any(n < 0 for n in shape):
        raise ValueError(f"empty_pinned: negative dimensions are not allowed, shape is {shape}")
    if count * dtype.itemsize > sys.maxsize:
        raise ValueError(f"empty_pinned: an array of shape {shape} and dtype {dtype} is too large")
    memory = pinned_memory.alloc_pinned_memory(max(count * dtype.itemsize, 1))
    return np.ndarray(shape, dtype, memory, order=order)


def zeros_pinned(shape, dtype=float, order="C"):
    """A numpy.ndarray of zeros in pinned memory; arguments as for numpy.zeros.

    Args:
        shape: An int or a tuple of them.
        dtype: The dtype.
        order: The layout: 'C' or 'F'.

    Returns:
        A numpy.ndarray.

    Raises:
        ValueError: A length is negative, or the array would be too large.
        TypeError: The dtype is none that arrays have.

    >>> tombacx.zeros_pinned((2, 3), "f").shape
    (2, 3)
    """
    a = empty_pinned(shape, dtype, order)
    a[...] = np.zeros((), a.dtype)
    return a


def _like(make, a, dtype, order, subok, shape):
    if subok:
        raise TypeError("subok is not supported: pinned arrays are numpy.ndarray itself")
    ndim = a.ndim if shape is None else len(shape) if np.iterable(shape) else 1
    if order in ("K", "A", None):
        order = "F" if a.flags.f_contiguous and not a.flags.c_contiguous and ndim == a.ndim else "C"
    return make(a.shape if shape is None else shape, a.dtype if dtype is None else dtype, order)


def empty_like_pinned(a, dtype=None, order="K", subok=None, shape=None):
    """A numpy.ndarray of uninitialised content in pinned memory, shaped like a tombac or NumPy array.

    Args:
        a: An array of tombac or NumPy.
        dtype: The dtype; None for that of the array.
        order: The layout: 'C', 'F', 'A' or 'K', as near to the array's as can be.
        subok: Accepted for CuPy's sake; True is refused.
        shape: An int or a tuple of them, instead of the array's.

    Returns:
        A numpy.ndarray.

    Raises:
        TypeError: ``subok`` is true.

    >>> tombacx.empty_like_pinned(tombac.ones((2, 3), 'f')).shape
    (2, 3)
    """
    return _like(empty_pinned, a, dtype, order, subok, shape)


def zeros_like_pinned(a, dtype=None, order="K", subok=None, shape=None):
    """A numpy.ndarray of zeros in pinned memory, shaped like a tombac or NumPy array.

    Args:
        a: An array of tombac or NumPy.
        dtype: The dtype; None for that of the array.
        order: The layout: 'C', 'F', 'A' or 'K', as near to the array's as can be.
        subok: Accepted for CuPy's sake; True is refused.
        shape: An int or a tuple of them, instead of the array's.

    Returns:
        A numpy.ndarray.

    Raises:
        TypeError: ``subok`` is true.

    >>> tombacx.zeros_like_pinned(tombac.ones(3)).sum()
    np.float64(0.0)
    """
    return _like(zeros_pinned, a, dtype, order, subok, shape)
