"""Sorting, partitions, and places in sorted arrays."""

from tombac import _core
from tombac._numpy import np
from tombac._select import take_along_axis
from tombac._util import as_device, check_arrays, check_method, normalize_axis_index

__all__ = [
    "argpartition", "argsort", "digitize", "lexsort", "msort", "partition", "searchsorted", "sort", "sort_complex",
]

_RECORDS = "VmM"  # kinds of dtypes that are compared by composition
_KINDS = (None, "quicksort", "mergesort", "heapsort", "stable")


def _check_kind(name, kind, stable):
    """Every kind is served by the same sort, which keeps the order of equal elements."""
    if kind is not None and stable is not None:
        raise ValueError(f"{name}: kind and stable cannot be given at the same time")
    if kind not in _KINDS:
        raise ValueError(f"{name}: kind must be one of 'quicksort', 'mergesort', 'heapsort' and 'stable', not {kind!r}")


def _is_here(name, a):
    """Whether ``a`` is an array of this library rather than NumPy's; TypeError if it is neither."""
    if isinstance(a, _core.ndarray):
        return True
    check_method(name, a)
    return False


def _reversed(a, axis):
    """``a`` from behind along an axis, as a view."""
    return a[(slice(None),) * normalize_axis_index(axis, a.ndim) + (slice(None, None, -1),)]


def sort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False):
    """A sorted copy of ``a``.

    NaN comes last. Complex numbers are ordered by their real parts, then by their imaginary ones. Zeros of floats that
    have a sign come before those that have none; to argsort they are equal.

    Args:
        a: An array of any dtype and shape.
        axis: The axis along which to sort; None sorts the flattened array.
        kind: 'quicksort', 'mergesort', 'heapsort' or 'stable': all are stable.
        order: For records, the name of the field that they are compared by first, or a sequence of names; the other
            fields follow in their order.
        stable: Accepted and not needed.
        descending: Whether the greatest come first, NaN before all; of the array API standard, NumPy does not have it.

    Returns:
        An array of ``a``'s dtype, and its shape, or one-dimensional if ``axis`` is None.

    Raises:
        AxisError: There is no such axis; an array without dimensions has none.
        ValueError: ``kind`` is none of those, or is given together with ``stable``; ``order`` names no field.

    >>> tombac.sort(tombac.array([3, 1, 2]))
    array([1, 2, 3])
    """
    if descending:
        ascending = sort(a, axis, kind, order, stable=stable)
        return _reversed(ascending, 0 if axis is None else axis).copy()
    if not _is_here("sort", a):
        return np.sort(a, axis, kind, order, stable=stable)
    if kind is not None:
        _check_kind("sort", kind, stable)
    if order is None and a._kind not in _RECORDS:
        return _core._sort(a, axis)
    return _sorted_records(a, axis, order)


def _sorted_records(a, axis, order):
    from tombac._record_order import argsort_records

    positions = argsort_records("sort", a, axis, order)
    return a.reshape(-1)[positions] if axis is None else take_along_axis(a, positions, axis)


def sort_in_place(a, axis, kind, order, stable):
    """ndarray.sort."""
    _check_kind("sort", kind, stable)
    axis = normalize_axis_index(axis, a.ndim)
    if order is None and a._kind not in _RECORDS:
        _core._sort_into(a, axis)
    else:
        a[...] = _sorted_records(a, axis, order)


def argsort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False):
    """The positions along an axis that sort ``a``; equal elements keep their order.

    Args:
        a: An array of any dtype and shape.
        axis: The axis along which to sort; None sorts the flattened array.
        kind, order, stable, descending: See sort.

    Returns:
        An int64 array of ``a``'s shape, or one-dimensional if ``axis`` is None.

    Raises:
        AxisError: There is no such axis.
        ValueError: ``kind`` is none that sort knows, or ``order`` names no field.

    >>> tombac.argsort(tombac.array([3, 1, 2]))
    array([1, 2, 0])
    """
    if descending:
        return _argsort_descending(a, axis, kind, order, stable)
    if not _is_here("argsort", a):
        return np.argsort(a, axis, kind, order, stable=stable)
    if kind is not None:
        _check_kind("argsort", kind, stable)
    if a.ndim == 0:
        a = a.reshape(1)
    if order is None and a._kind not in _RECORDS:
        return _core._argsort(a, axis)
    from tombac._record_order import argsort_records

    return argsort_records("argsort", a, axis, order)


def _argsort_descending(a, axis, kind, order, stable):
    """Sorted from behind, so that equal elements keep their order when the positions are turned round."""
    check_method("argsort", a)
    if axis is None or a.ndim == 0:
        a, axis = a.reshape(-1), 0
    positions = argsort(_reversed(a, axis), axis, kind, order, stable=stable)
    return a.shape[axis] - 1 - _reversed(positions, axis)


def msort(a):
    """A copy of ``a`` sorted along its first axis: sort(a, axis=0).

    Args:
        a: An array of any dtype with at least one dimension.

    Returns:
        An array of ``a``'s dtype and shape.

    Raises:
        AxisError: ``a`` has no dimensions.

    NumPy 2 has it no more.

    >>> tombac.msort(tombac.array([[3, 1], [2, 4]]))
    array([[2, 1],
           [3, 4]])
    """
    return sort(a, 0)


def sort_complex(a):
    """``a`` as complex numbers, sorted along the last axis by their real parts, then by their imaginary ones.

    Args:
        a: An array of numbers with at least one dimension.

    Returns:
        An array of ``a``'s shape and dtype if that is complex; of complex64 for integers of 8 and 16 bits, and of
        complex128 for all other dtypes.

    Raises:
        AxisError: ``a`` has no dimensions.

    >>> tombac.sort_complex(tombac.array([3 + 1j, 1 + 2j, 1 - 2j]))
    array([1.-2.j, 1.+2.j, 3.+1.j])
    """
    result = sort(a)
    if result.dtype.kind == "c":
        return result
    return result.astype(np.complex64 if result.dtype.char in "bhBH" else np.complex128)


def lexsort(keys, axis=-1):
    """The positions that sort by several keys: by the last one, where that is equal by the one before it, and so on.

    Args:
        keys: A sequence of arrays of one shape, or an array of which each ``keys[i]`` is one.
        axis: The axis of the keys along which to sort.

    Returns:
        An int64 array of a key's shape; elements that are equal in all keys keep their order.

    Raises:
        TypeError: There are no keys, or they are not arrays.
        ValueError: The keys differ in shape.
        AxisError: There is no such axis.

    >>> tombac.lexsort((tombac.array([2, 1, 3]), tombac.array([0, 1, 0])))
    array([0, 2, 1])
    """
    if not isinstance(keys, _core.ndarray):
        keys = tuple(keys)
        check_arrays("lexsort", *keys)
    elif keys.ndim == 0:
        raise TypeError("lexsort: a sequence of keys is expected, not an array without dimensions")
    if len(keys) == 0:
        raise TypeError("lexsort: at least one key is needed")
    shape = keys[0].shape
    if any(k.shape != shape for k in keys):
        raise ValueError("lexsort: the keys must have the same shape")
    if shape == ():
        return _core.zeros((), np.int64)
    axis = normalize_axis_index(axis, len(shape))
    if _core.backend() == "cpu":
        return _core._lexsort(tuple(keys), axis)
    order = _core._argsort(keys[0], axis)
    for i in range(1, len(keys)):
        order = _along(order, _core._argsort(_along(keys[i], order, axis), axis), axis)
    return order


def _along(a, positions, axis):
    return a[positions] if a.ndim == 1 else take_along_axis(a, positions, axis)


# ---- partitions ------------------------------------------------------------------------------------------------------


def _positions(name, kth):
    """kth as a tuple of integers."""
    if type(kth) is int:
        return (kth,)
    if type(kth) is tuple and all(type(k) is int for k in kth):
        return kth
    kth = np.asarray(_core._on_host(kth))
    if kth.size and kth.dtype.kind not in "iu":
        raise TypeError(f"{name}: kth must be integers, not {kth.dtype}")
    if kth.ndim > 1:
        raise ValueError(f"{name}: kth must be a number or one-dimensional, it has {kth.ndim} dimensions")
    return tuple(kth.reshape(-1).tolist())


def partition(a, kth, axis=-1, kind="introselect"):
    """A copy of ``a`` in which element ``kth`` is where sorting would put it, what is smaller before it.

    Args:
        a: An array of any dtype with at least one dimension.
        kth: A position, or several of them; negative ones count from the end.
        axis: The axis along which to partition; None does this to the flattened array.
        kind: 'introselect'.

    Returns:
        An array of ``a``'s dtype, and its shape, or one-dimensional if ``axis`` is None.

    Raises:
        ValueError: A position is out of bounds.
        TypeError: ``kth`` is not of integers.
        AxisError: There is no such axis.

    >>> int(tombac.partition(tombac.array([7, 1, 5, 3]), 1)[1])
    3
    """
    if not _is_here("partition", a):
        return np.partition(a, kth, axis, kind)
    _check_selection("partition", kind)
    return _core._partition(a, _positions("partition", kth), axis)


def partition_in_place(a, kth, axis, kind):
    """ndarray.partition."""
    _check_selection("partition", kind)
    axis = normalize_axis_index(axis, a.ndim)  # None is none
    _core._partition_into(a, _positions("partition", kth), axis)


def _check_selection(name, kind):
    if kind != "introselect":
        raise ValueError(f"{name}: kind must be 'introselect', not {kind!r}")


def argpartition(a, kth, axis=-1, kind="introselect"):
    """The positions that partition ``a``: see partition.

    Args:
        a: An array of any dtype.
        kth: A position, or several of them; negative ones count from the end.
        axis: The axis along which to partition; None does this to the flattened array.
        kind: 'introselect'.

    Returns:
        An int64 array of ``a``'s shape, or one-dimensional if ``axis`` is None.

    Raises:
        ValueError: A position is out of bounds.
        TypeError: ``kth`` is not of integers.
        AxisError: There is no such axis.

    >>> int(tombac.argpartition(tombac.array([7, 1, 5, 3]), 1)[1])
    3
    """
    if not _is_here("argpartition", a):
        return np.argpartition(a, kth, axis, kind)
    _check_selection("argpartition", kind)
    if a.ndim == 0:
        a = a.reshape(1)
    return _core._argpartition(a, _positions("argpartition", kth), axis)


# ---- places in sorted arrays -----------------------------------------------------------------------------------------


def searchsorted(a, v, side="left", sorter=None):
    """Where elements belong in a sorted vector: the positions before which to insert them.

    Args:
        a: A vector in ascending order, NaN last; if it is not, the result is not defined.
        v: An array of any shape, or a number.
        side: 'left' for the first such position, before what is equal; 'right' for the last.
        sorter: Positions that sort ``a``, as argsort gives them, if it is not sorted.

    Returns:
        An int64 array of ``v``'s shape. The two are compared as their common dtype.

    Raises:
        ValueError: ``a`` is not one-dimensional, ``side`` is neither word, ``sorter`` has another length than ``a``.
        TypeError: ``sorter`` is not of integers.

    >>> tombac.searchsorted(tombac.array([1, 3, 5]), tombac.array([0, 3, 9]))
    array([0, 1, 3])
    """
    if not _is_here("searchsorted", a):
        return np.searchsorted(a, v, side, sorter)
    if not isinstance(v, _core.ndarray):
        v = as_device("searchsorted", v)
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side must be 'left' or 'right', not {side!r}")
    if a.ndim != 1:
        raise ValueError(f"searchsorted: a must be one-dimensional, it has {a.ndim} dimensions")
    if sorter is not None:
        sorter = sorter if isinstance(sorter, _core.ndarray) else _core.asarray(sorter)
        if sorter._kind not in "iu":
            raise TypeError("searchsorted: sorter must be of integers")
        if sorter.shape != a.shape:
            raise ValueError(f"searchsorted: sorter of shape {sorter.shape} for {a.size} elements")
        a = a[sorter]
    return _core._searchsorted(a, v, side == "right")


def digitize(x, bins, right=False):
    """The numbers of the bins that elements belong to; the host waits to know that the bins are in order.

    Args:
        x: A real array of any shape.
        bins: A vector of bounds that ascend or descend.
        right: Bins include their greater bound and not the lesser one, rather than the other way round.

    Returns:
        An int64 array i of ``x``'s shape with ``bins[i - 1] <= x < bins[i]``, or of descending bins
        ``bins[i - 1] > x >= bins[i]``; 0 and ``len(bins)`` stand for what is outside.

    Raises:
        ValueError: ``bins`` is not one-dimensional, or not in order.
        TypeError: ``x`` is complex.

    >>> tombac.digitize(tombac.array([0.2, 6.4, 3.0]), tombac.array([0.0, 1.0, 2.5, 4.0]))
    array([1, 4, 3])
    """
    x, bins = as_device("digitize", x), as_device("digitize", bins)
    if x._kind == "c":
        raise TypeError("digitize: x must not be complex")
    if bins.ndim != 1:
        raise ValueError(f"digitize: bins must be one-dimensional, they have {bins.ndim} dimensions")
    ascending, descending = in_order(bins)
    if ascending:
        return _core._searchsorted(bins, x, not right)
    if not descending:
        raise ValueError("digitize: bins must be in ascending or descending order")
    return bins.size - _core._searchsorted(bins[::-1], x, not right)


def in_order(a):
    """Whether a vector ascends, and whether it descends: read from the device."""
    if a.size < 2:
        return True, True
    first, second = a[:-1], a[1:]
    return tuple(_core.stack((~(second < first).any(), ~(second > first).any())).get().tolist())
