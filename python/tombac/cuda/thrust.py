"""The functions that CuPy has over Thrust: sorts of memory given by its address, for programs that call them. They are
tombac's own sorts, on both backends. ``available`` tells whether tombac.sort goes through Thrust, which it does not."""

import math

from tombac import _core
from tombac._numpy import np

__all__ = ["argsort", "available", "get_build_version", "lexsort", "sort"]

available = False


def _at(address, dtype, shape):
    """An array over memory that somebody else owns."""
    dtype = np.dtype(dtype)
    memory = _core.UnownedMemory(address, math.prod(shape) * dtype.itemsize, None)
    return _core.ndarray(tuple(shape), dtype, _core.MemoryPointer(memory, 0))


def sort(dtype, data_start, keys_start, shape):
    """Sorts along the last axis, in place.

    Args:
        dtype: The elements' dtype.
        data_start: The address of an array in C order.
        keys_start: Accepted for CuPy's sake: no memory is needed.
        shape: The array's shape.

    Returns:
        None.

    Raises:
        ValueError: There is no memory of that size at the address.

    >>> from tombac.cuda import thrust
    >>> a = tombac.array([3, 1, 2])
    >>> thrust.sort(a.dtype, a.data.ptr, 0, a.shape)
    >>> a
    array([1, 2, 3])
    """
    _at(data_start, dtype, shape).sort(axis=-1)


def argsort(dtype, idx_start, data_start, keys_start, shape):
    """Writes the places of the elements in order along the last axis, and sorts these in place.

    Args:
        dtype: The elements' dtype.
        idx_start: The address of an array of int64 in C order that is written to.
        data_start: The address of the elements.
        keys_start: Accepted for CuPy's sake.
        shape: The shape of both arrays.

    Returns:
        None.

    Raises:
        ValueError: There is no memory of that size at an address.

    >>> from tombac.cuda import thrust
    >>> a, places = tombac.array([3.0, 1.0, 2.0]), tombac.empty(3, int)
    >>> thrust.argsort(a.dtype, places.data.ptr, a.data.ptr, 0, a.shape)
    >>> places, a
    (array([1, 2, 0]), array([1., 2., 3.]))
    """
    data = _at(data_start, dtype, shape)
    order = data.argsort(axis=-1, kind="stable")
    _at(idx_start, np.int64, shape)[...] = order
    data.sort(axis=-1)


def lexsort(dtype, idx_start, keys_start, k, n):
    """Writes the places of ``n`` elements in the order of ``k`` keys, of which the last counts first.

    Args:
        dtype: The keys' dtype.
        idx_start: The address of ``n`` int64 that are written to.
        keys_start: The address of the keys, an array of shape (``k``, ``n``) in C order.
        k, n: Integers.

    Returns:
        None.

    Raises:
        ValueError: There is no memory of that size at an address.

    >>> from tombac.cuda import thrust
    >>> keys, places = tombac.array([[1, 0, 0], [5, 7, 5]]), tombac.empty(3, int)
    >>> thrust.lexsort(keys.dtype, places.data.ptr, keys.data.ptr, 2, 3)
    >>> places
    array([2, 0, 1])
    """
    from tombac._sorting import lexsort as by_keys

    _at(idx_start, np.int64, (n,))[...] = by_keys(_at(keys_start, dtype, (k, n)))


def get_build_version():
    """The version of Thrust that was built against: 0, since tombac uses none.

    Returns:
        An int.

    >>> from tombac.cuda import thrust
    >>> thrust.get_build_version()
    0
    """
    return 0


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
