"""Arrays joined, which are one new array and one assignment for each part, and arrays cut into views."""

import operator
import warnings

from tombac import _core
from tombac._core import concatenate
from tombac._manipulation import at_least_three, atleast_1d, atleast_2d, moveaxis
from tombac._util import as_device, check_arrays, is_number, normalize_axis_index

__all__ = [
    "append", "array_split", "block", "column_stack", "concat", "dsplit", "dstack", "hsplit", "hstack", "row_stack",
    "split", "unstack", "vsplit", "vstack",
]

concat = concatenate


# ---- joining ---------------------------------------------------------------------------------------------------------


def _rows(name, tup, reshape):
    if isinstance(tup, _core.ndarray):
        tup = list(tup)
    return [reshape(a if isinstance(a, _core.ndarray) else as_device(name, a)) for a in tup]


def _depth(arrays):
    """How deep the lists are nested; those of one depth are nested equally."""
    if isinstance(arrays, tuple):
        raise TypeError("block: arrays must be lists of blocks; a tuple could be either")
    if not isinstance(arrays, list):
        return 0
    depths = {_depth(a) for a in arrays}
    if len(depths) > 1:
        raise ValueError("block: list depths are mismatched")
    if not depths:
        raise ValueError("block: lists must not be empty")
    return depths.pop() + 1


def _innermost(arrays, reshape):
    return [_innermost(a, reshape) for a in arrays] if isinstance(arrays, list) else reshape(as_device("block", arrays))


def block(arrays):
    """An array put together from nested lists of blocks: the innermost are joined along the last axis, and so on.

    Args:
        arrays: Nested lists of arrays of any dtype, or of numbers, or one array.

    Returns:
        A new array.

    Raises:
        TypeError: There are tuples in it, or NumPy's arrays.
        ValueError: The lists are empty or differ in depth, or the blocks do not fit.

    CuPy does not have it.

    >>> i = tombac.eye(2)
    >>> tombac.block([[i, i * 0], [7.0, tombac.array([8.0, 9.0, 10.0])]])
    array([[ 1.,  0.,  0.,  0.],
           [ 0.,  1.,  0.,  0.],
           [ 7.,  8.,  9., 10.]])
    """
    depth, ndims = _depth(arrays), []
    _innermost(arrays, lambda a: ndims.append(a.ndim))
    ndim = max(depth, *ndims)
    parts = _innermost(arrays, lambda a: a.reshape((1,) * (ndim - a.ndim) + a.shape))

    def join(parts, axis):
        return concatenate([join(p, axis + 1) for p in parts], axis) if isinstance(parts, list) else parts

    return join(parts, -depth).copy() if depth == 0 else join(parts, -depth)


def vstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the first axis; vectors are rows.

    Args:
        tup: A sequence of arrays that agree in shape except along the first axis, or an array, whose rows are taken.
        dtype: The result's dtype; by default what the arrays' dtypes promote to.
        casting: Which conversions to it are allowed, as for can_cast.

    Returns:
        An array of at least two dimensions.

    Raises:
        ValueError: There is no array, or the shapes do not match.
        TypeError: An element is no tombac array, or ``casting`` forbids a conversion.

    >>> tombac.vstack([tombac.arange(2), tombac.arange(2)])
    array([[0, 1],
           [0, 1]])
    """
    return concatenate(_rows("vstack", tup, atleast_2d), 0, dtype=dtype, casting=casting)


def row_stack(tup, *, dtype=None, casting="same_kind"):
    """As vstack; NumPy 2 deprecates this name, and a DeprecationWarning says so.

    Args:
        tup: A sequence of arrays, as for vstack.
        dtype: The result's dtype; by default what the arrays' dtypes promote to.
        casting: Which conversions to it are allowed, as for can_cast.

    Returns:
        An array of at least two dimensions.

    Raises:
        ValueError: There is no array, or the shapes do not match.

    >>> tombac.row_stack([tombac.arange(2), tombac.arange(2)]).shape
    (2, 2)
    """
    warnings.warn("row_stack is deprecated; use vstack", DeprecationWarning, stacklevel=2)
    return vstack(tup, dtype=dtype, casting=casting)


def hstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the second axis, vectors along their only one.

    Args:
        tup: A sequence of arrays that agree in shape except along that axis, or an array, whose rows are taken.
        dtype: The result's dtype; by default what the arrays' dtypes promote to.
        casting: Which conversions to it are allowed, as for can_cast.

    Returns:
        An array of at least one dimension.

    Raises:
        ValueError: There is no array, or the shapes do not match.
        TypeError: An element is no tombac array, or ``casting`` forbids a conversion.

    >>> tombac.hstack([tombac.arange(2), tombac.arange(3)])
    array([0, 1, 0, 1, 2])
    """
    arrays = _rows("hstack", tup, atleast_1d)
    return concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype=dtype, casting=casting)


def dstack(tup):
    """Arrays joined along the third axis.

    Args:
        tup: A sequence of arrays that agree in shape except along the third axis, vectors being (1, n, 1), matrices (m,
            n, 1).

    Returns:
        An array of at least three dimensions.

    Raises:
        ValueError: There is no array, or the shapes do not match.
        TypeError: An element is no tombac array.

    >>> tombac.dstack([tombac.arange(2), tombac.arange(2)]).shape
    (1, 2, 2)
    """
    return concatenate(_rows("dstack", tup, at_least_three), 2)


def column_stack(tup):
    """Vectors as the columns of a matrix; matrices are put beside each other.

    Args:
        tup: A sequence of vectors and matrices of as many rows.

    Returns:
        An array of two dimensions.

    Raises:
        ValueError: There is no array, or the numbers of rows differ.
        TypeError: An element is no tombac array.

    >>> tombac.column_stack([tombac.arange(2), tombac.ones(2, int)])
    array([[0, 1],
           [1, 1]])
    """
    return concatenate(_rows("column_stack", tup, lambda a: a.reshape(-1, 1) if a.ndim < 2 else a), 1)


def append(arr, values, axis=None):
    """``values`` joined to the end of ``arr``; both flattened if ``axis`` is None.

    Args:
        arr: An array of any dtype and shape, or what asarray makes one of.
        values: The same, of ``arr``'s shape except along ``axis``.
        axis: The axis along which they are joined; None joins flattened arrays.

    Returns:
        A new array, of what the two dtypes promote to.

    Raises:
        ValueError: The shapes do not match.
        AxisError: There is no such axis.

    >>> tombac.append(tombac.arange(2), 7)
    array([0, 1, 7])
    """
    arr, values = (a if isinstance(a, _core.ndarray) else _core.asarray(a) for a in (arr, values))
    return concatenate((arr.ravel(), values.ravel())) if axis is None else concatenate((arr, values), axis)


# ---- splitting -------------------------------------------------------------------------------------------------------


def array_split(ary, indices_or_sections, axis=0):
    """Views of ``ary`` cut along ``axis``: at given indices, or into n parts that differ in length by at most one.

    Args:
        ary: An array of any dtype and shape.
        indices_or_sections: A number of parts, or a sequence of the indices at which to cut.
        axis: The axis to cut.

    Returns:
        A list of views.

    Raises:
        ValueError: The number of parts is not positive.
        AxisError: There is no such axis.

    >>> tombac.array_split(tombac.arange(5), 2)
    [array([0, 1, 2]), array([3, 4])]
    """
    check_arrays("array_split", ary)
    axis = normalize_axis_index(axis, ary.ndim)
    length = ary.shape[axis]
    if isinstance(indices_or_sections, (tuple, list)) or not is_number(indices_or_sections):
        cuts = [operator.index(i) for i in indices_or_sections]
    else:
        n = operator.index(indices_or_sections)
        if n <= 0:
            raise ValueError(f"array_split: the number of sections must be positive, it is {n}")
        small, extra = divmod(length, n)
        cuts = [i * small + min(i, extra) for i in range(1, n)]
    return _core._split(ary, cuts, axis)


def split(ary, indices_or_sections, axis=0):
    """As array_split, but ValueError if a number of sections does not divide the length.

    Args:
        ary: An array of any dtype and shape.
        indices_or_sections: A number of parts, or a sequence of the indices at which to cut.
        axis: The axis to cut.

    Returns:
        A list of views.

    Raises:
        ValueError: A number of parts does not divide the length.
        AxisError: There is no such axis.

    >>> tombac.split(tombac.arange(4), [1, 3])
    [array([0]), array([1, 2]), array([3])]
    """
    check_arrays("split", ary)
    if not isinstance(indices_or_sections, (tuple, list)) and is_number(indices_or_sections):
        length = ary.shape[normalize_axis_index(axis, ary.ndim)]
        if length % operator.index(indices_or_sections):
            raise ValueError(f"split: length {length} cannot be divided into {indices_or_sections} equal parts")
    return array_split(ary, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    """split along the second axis (the only one of a vector).

    Args:
        ary: An array of any dtype and at least one dimension.
        indices_or_sections: As for split.

    Returns:
        A list of views.

    Raises:
        ValueError: ``ary`` has no dimensions, or a number of parts does not divide the length.

    >>> [part.shape for part in tombac.hsplit(tombac.ones((2, 4)), 2)]
    [(2, 2), (2, 2)]
    """
    check_arrays("hsplit", ary)
    if ary.ndim == 0:
        raise ValueError("hsplit: a 0-dimensional array cannot be split")
    return split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


def vsplit(ary, indices_or_sections):
    """split along the first axis of an array of two dimensions or more.

    Args:
        ary: An array of any dtype and at least two dimensions.
        indices_or_sections: As for split.

    Returns:
        A list of views.

    Raises:
        ValueError: ``ary`` has fewer dimensions, or a number of parts does not divide the length.

    >>> [part.shape for part in tombac.vsplit(tombac.ones((2, 4)), 2)]
    [(1, 4), (1, 4)]
    """
    check_arrays("vsplit", ary)
    if ary.ndim < 2:
        raise ValueError("vsplit: at least two dimensions are needed")
    return split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    """split along the third axis.

    Args:
        ary: An array of any dtype and at least three dimensions.
        indices_or_sections: As for split.

    Returns:
        A list of views.

    Raises:
        ValueError: ``ary`` has fewer dimensions, or a number of parts does not divide the length.

    >>> [part.shape for part in tombac.dsplit(tombac.ones((2, 3, 4)), 2)]
    [(2, 3, 2), (2, 3, 2)]
    """
    check_arrays("dsplit", ary)
    if ary.ndim < 3:
        raise ValueError("dsplit: at least three dimensions are needed")
    return split(ary, indices_or_sections, 2)


def unstack(x, /, *, axis=0):
    """The parts of ``x`` along ``axis``, as a tuple of views.

    Args:
        x: An array of any dtype and at least one dimension.
        axis: The axis to take apart.

    Returns:
        A tuple of views, one for each position along the axis.

    Raises:
        ValueError: ``x`` has no dimensions.
        AxisError: There is no such axis.

    >>> tombac.unstack(tombac.array([[1, 2], [3, 4]]))
    (array([1, 2]), array([3, 4]))
    """
    check_arrays("unstack", x)
    if x.ndim == 0:
        raise ValueError("unstack: a 0-dimensional array cannot be unstacked")
    return tuple(moveaxis(x, axis, 0) if axis else x)
