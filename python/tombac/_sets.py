"""Arrays as sets: unique elements, unions, intersections, differences."""

import collections

from tombac import _core
from tombac._core import concatenate
from tombac._logic import isin
from tombac._manipulation import moveaxis
from tombac._numpy import np
from tombac._sorting import argsort, lexsort, sort
from tombac._util import as_device, normalize_axis_index, other_name

__all__ = [
    "intersect1d", "setdiff1d", "setxor1d", "union1d", "unique", "unique_all", "unique_counts", "unique_inverse",
    "unique_values",
]

_All = collections.namedtuple("UniqueAllResult", "values indices inverse_indices counts")
_Counts = collections.namedtuple("UniqueCountsResult", "values counts")
_Inverse = collections.namedtuple("UniqueInverseResult", "values inverse_indices")


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True,
           sorted=True):
    """The distinct elements of ``ar``, or the distinct slices along an axis, in ascending order.

    The host waits for their number.

    Args:
        ar: An array of any dtype and shape.
        return_index: Also return where each of them occurs first.
        return_inverse: Also return for each element of ``ar`` its position among them.
        return_counts: Also return how often each of them occurs.
        axis: The axis whose slices are compared; None compares the elements.
        equal_nan: All NaN are one element; otherwise each is one of its own. Rows and other slices with NaN are always
            distinct.
        sorted: Accepted: the result is always in order.

    Returns:
        The elements, as an array of one dimension, or of ``ar``'s number of dimensions if ``axis`` is given; with
        further results a tuple, all of int64: indices and counts have one dimension, so have the positions if ``axis``
        is given, and otherwise ``ar``'s shape.

    Raises:
        AxisError: There is no such axis.

    >>> tombac.unique(tombac.array([2, 1, 2, 3]), return_counts=True)
    (array([1, 2, 3]), array([1, 2, 1]))
    """
    ar = as_device("unique", ar)
    if axis is not None and ar.ndim == 1:
        normalize_axis_index(axis, 1)
        axis = None
    if axis is None:
        flat = ar.ravel()
        if not (return_index or return_inverse or return_counts):
            ordered = sort(flat, 0)
            return ordered[_starts(ordered, equal_nan)]
        order = argsort(flat, 0) if return_index or return_inverse else None
        ordered = sort(flat, 0) if order is None else flat[order]
        start = _starts(ordered, equal_nan)
        values, inverse_shape = None, ar.shape
    else:
        axis = normalize_axis_index(axis, ar.ndim)
        rows = moveaxis(ar, axis, 0)
        order, start = _row_order(rows.reshape(rows.shape[0], -1) if rows.size else rows)
        values, inverse_shape = moveaxis(rows[order[start]], 0, axis), (rows.shape[0],)
    first = _core.nonzero(start)[0] if return_index or return_counts else None
    if values is None:  # positions that are known take less time than truth values
        values = ordered[start if first is None else first]
    results = [values]
    if return_index:
        results.append(order[first])
    if return_inverse:
        inverse = _core.empty(start.size, np.int64)
        inverse[order] = _core.cumsum(start) - 1
        results.append(inverse.reshape(inverse_shape))
    if return_counts:
        results.append(concatenate((first[1:], _core.full(min(first.size, 1), start.size, np.int64))) - first)
    return tuple(results) if len(results) > 1 else values


def _starts(ordered, equal_nan):
    """Where in a sorted vector something begins that is not like the element before."""
    if ordered.size == 0:
        return _core.zeros(0, bool)
    if equal_nan and ordered._kind in "mM":
        ordered = ordered.view("l")  # of which "not a time" is one number
    here, before = ordered[1:], ordered[:-1]
    differs = here != before
    if equal_nan and ordered._kind in "fc":
        differs &= ~(_core.isnan(here) & _core.isnan(before))
    start = _core.ones(ordered.size, bool)
    start[1:] = differs
    return start


def _row_order(rows):
    """(positions that sort the rows of a matrix, where in that order a row begins that is not like the one before)."""
    n = rows.shape[0]
    if rows.size == 0:
        return _core.arange(n), _core.arange(n) == 0
    order = lexsort(rows.T[::-1].copy())
    ordered = rows[order]
    start = _core.ones(n, bool)
    start[1:] = (ordered[1:] != ordered[:-1]).any(1)
    return order, start


def unique_all(x):
    """unique with the first positions, inverse and counts, as a named tuple; each NaN is an element of its own.

    Args:
        x: An array of any dtype and shape, which is flattened, or a number.

    Returns:
        A named tuple of arrays: ``values``, and of int64 ``indices``, ``inverse_indices`` (of ``x``'s shape) and
        ``counts``.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.unique_all(tombac.array([5, 3, 5])).indices
    array([1, 0])
    """
    return _All(*unique(x, True, True, True, equal_nan=False))


def unique_counts(x):
    """unique with the counts, as a named tuple; each NaN is an element of its own.

    Args:
        x: An array of any dtype and shape, which is flattened, or a number.

    Returns:
        A named tuple of arrays: ``values``, and ``counts`` of int64.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.unique_counts(tombac.array([5, 3, 5])).counts
    array([1, 2])
    """
    return _Counts(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x):
    """unique with the inverse, as a named tuple; each NaN is an element of its own.

    Args:
        x: An array of any dtype and shape, which is flattened, or a number.

    Returns:
        A named tuple of arrays: ``values``, and ``inverse_indices`` of int64 and ``x``'s shape.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.unique_inverse(tombac.array([5, 3, 5])).inverse_indices
    array([1, 0, 1])
    """
    return _Inverse(*unique(x, return_inverse=True, equal_nan=False))


def unique_values(x):
    """The distinct elements in ascending order; each NaN is an element of its own.

    Args:
        x: An array of any dtype and shape, which is flattened, or a number.

    Returns:
        An array of ``x``'s dtype and one dimension.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.unique_values(tombac.array([5, 3, 5]))
    array([3, 5])
    """
    return unique(x, equal_nan=False)


# ---- two sets --------------------------------------------------------------------------------------------------------


def union1d(arr1=None, arr2=None, *, ar1=None, ar2=None):
    """The distinct elements of both arrays in ascending order.

    Args:
        arr1, arr2: Arrays of any dtype and shape, which are flattened, or numbers.
        ar1, ar2: NumPy's names of these.

    Returns:
        An array of what the dtypes promote to, of one dimension.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.union1d(tombac.array([1, 3]), tombac.array([2, 3]))
    array([1, 2, 3])
    """
    if ar1 is not None:
        arr1 = other_name("union1d", arr1, ar1)
    if ar2 is not None:
        arr2 = other_name("union1d", arr2, ar2)
    return unique(concatenate((as_device("union1d", arr1).ravel(), as_device("union1d", arr2).ravel())))


def intersect1d(arr1=None, arr2=None, assume_unique=False, return_indices=False, *, ar1=None, ar2=None):
    """The distinct elements that are in both arrays, in ascending order.

    Args:
        arr1, arr2: Arrays, which are flattened.
        assume_unique: No element comes twice in one of them, which is not checked.
        return_indices: Also return where they occur first in ``arr1``, and in ``arr2``.
        ar1, ar2: NumPy's names of these.

    Returns:
        A vector of the common dtype, or that and two int64 vectors.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.intersect1d(tombac.array([4, 1, 3]), tombac.array([3, 4, 9]))
    array([3, 4])
    """
    if ar1 is not None:
        arr1 = other_name("intersect1d", arr1, ar1)
    if ar2 is not None:
        arr2 = other_name("intersect1d", arr2, ar2)
    arr1, arr2 = as_device("intersect1d", arr1).ravel(), as_device("intersect1d", arr2).ravel()
    if not assume_unique:
        if return_indices:
            (arr1, first1), (arr2, first2) = unique(arr1, return_index=True), unique(arr2, return_index=True)
        else:
            arr1, arr2 = unique(arr1), unique(arr2)
    both = concatenate((arr1, arr2))
    if both.size == 0:
        return (both, _core.zeros(0, np.int64), _core.zeros(0, np.int64)) if return_indices else both
    order = argsort(both, 0) if return_indices else None
    both = sort(both, 0) if order is None else both[order]
    twice = both[1:] == both[:-1]
    result = both[:-1][twice]
    if not return_indices:
        return result
    at1, at2 = order[:-1][twice], order[1:][twice] - arr1.size
    return (result, at1, at2) if assume_unique else (result, first1[at1], first2[at2])


def setdiff1d(ar1, ar2, assume_unique=False):
    """The distinct elements of ``ar1`` that are not in ``ar2``, in ascending order.

    ``assume_unique`` says that no element comes twice in ``ar1``; then they stay as they come.

    Args:
        ar1, ar2: Arrays of any dtype and shape, which are flattened, or numbers.
        assume_unique: Whether no element comes twice.

    Returns:
        An array of ``ar1``'s dtype and one dimension.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.setdiff1d(tombac.array([3, 1, 2]), tombac.array([2]))
    array([1, 3])
    """
    ar1, ar2 = as_device("setdiff1d", ar1), as_device("setdiff1d", ar2)
    ar1 = ar1.ravel() if assume_unique else unique(ar1)
    return ar1[isin(ar1, ar2, invert=True)]


def setxor1d(ar1, ar2, assume_unique=False):
    """The elements that are in one of the arrays only, in ascending order.

    ``assume_unique`` says that no element comes twice in one of them, which is not checked.

    Args:
        ar1, ar2: Arrays of any dtype and shape, which are flattened, or numbers.
        assume_unique: Whether no element comes twice in one of them.

    Returns:
        An array of what the dtypes promote to, of one dimension.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.setxor1d(tombac.array([1, 2]), tombac.array([2, 3]))
    array([1, 3])
    """
    ar1, ar2 = as_device("setxor1d", ar1), as_device("setxor1d", ar2)
    if not assume_unique:
        ar1, ar2 = unique(ar1), unique(ar2)
    both = sort(concatenate((ar1.ravel(), ar2.ravel())), 0)
    if both.size == 0:
        return both
    alone = _core.ones(both.size + 1, bool)
    alone[1:-1] = both[1:] != both[:-1]
    return both[alone[1:] & alone[:-1]]
