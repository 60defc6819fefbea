"""Shapes and axes: reshape, broadcast, transpose and their kind. Everything that can be a view is one."""

import math

from tombac import _core
from tombac._core import broadcast_to
from tombac._dtypes import can_cast
from tombac._numpy import np
from tombac._util import (
    as_device, check_arrays, check_method, has_functions, is_host_array, normalize_axis_index, normalize_axis_tuple,
    plain,
)

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast", "broadcast_arrays", "copyto", "expand_dims",
    "matrix_transpose", "moveaxis", "ndim", "permute_dims", "ravel", "reshape", "rollaxis", "shape", "size",
    "squeeze", "swapaxes", "transpose",
]


def shape(a):
    """The shape of ``a`` as a tuple.

    Args:
        a: An array, or anything that has a shape for NumPy: a number, a list.

    Returns:
        A tuple of ints.

    Raises:
        ValueError: ``a`` is a nested sequence of no single shape.

    >>> tombac.shape(tombac.ones((2, 3)))
    (2, 3)
    """
    return a.shape if isinstance(a, _core.ndarray) else np.shape(_core._on_host(a))


def ndim(a):
    """The number of dimensions of ``a``.

    Args:
        a: An array, or anything that has a shape for NumPy: a number, a list.

    Returns:
        An int.

    Raises:
        ValueError: ``a`` is a nested sequence of no single shape.

    >>> tombac.ndim(tombac.ones((2, 3)))
    2
    """
    return a.ndim if isinstance(a, _core.ndarray) else np.ndim(_core._on_host(a))


def size(a, axis=None):
    """The number of elements of ``a``, or its length along ``axis``, or the product of those along several.

    Args:
        a: An array, or anything that has a shape for NumPy: a number, a list.
        axis: The axis whose length is asked for, or a tuple of axes; None asks for the number of all elements.

    Returns:
        An int.

    Raises:
        AxisError: There is no such axis.

    >>> tombac.size(tombac.ones((2, 3)), 1)
    3
    """
    if not isinstance(a, _core.ndarray) and not has_functions(a):
        a = np.asarray(_core._on_host(a))
    return a.size if axis is None else math.prod([a.shape[d] for d in normalize_axis_tuple(axis, a.ndim, "axis")])


# By the kinds of dtypes: Python numbers are cast to their own kind and those above it. "O": an int beyond 64 bits.
_RANK = {"b": 0, "u": 1, "i": 1, "O": 1, "f": 2, "c": 3}


def copyto(dst, src, casting="same_kind", where=None):
    """Writes ``src`` into ``dst``, where the mask ``where`` holds.

    Args:
        dst: The array to write to, of any dtype and shape.
        src: An array that broadcasts to the shape of ``dst``, or a number.
        casting: Which conversions are allowed, as for can_cast.
        where: A mask that broadcasts to the shape of ``dst``: an array of truth values, or what numbers and lists say;
            None for all elements.

    Returns:
        None.

    Raises:
        TypeError: ``casting`` forbids the conversion, ``dst`` is no tombac array, or ``where`` an array that is not
            of truth values.
        ValueError: The shapes do not broadcast.

    >>> x = tombac.zeros(3)
    >>> tombac.copyto(x, 7, where=tombac.array([True, False, True]))
    >>> x
    array([7., 0., 7.])
    """
    check_arrays("copyto", dst)
    if where is None and isinstance(src, _core.ndarray) and src.dtype is dst.dtype:
        dst[...] = src
        return
    if isinstance(src, (bool, int, float, complex)) and not isinstance(src, np.generic):
        castable = casting == "unsafe" or _RANK[np.asarray(src).dtype.kind] <= _RANK.get(dst._kind, -1)
    else:
        castable = not hasattr(src, "dtype") or can_cast(src.dtype, dst.dtype, casting)
    if not castable:
        what = getattr(src, "dtype", type(src))
        raise TypeError(f"copyto: cannot cast {what} to {dst.dtype} with casting {casting!r}")
    if where is None or where is True:
        dst[...] = src
    elif is_host_array(where):
        raise TypeError(f"copyto: Unsupported type {type(where)}")
    else:
        _core._assign_where(dst, _core._mask(where, "copyto"), src)


# ---- shape -----------------------------------------------------------------------------------------------------------


def reshape(a, shape=None, order="C", *, newshape=None, copy=None):
    """``a`` with another shape: a view if ``copy`` is not True and the layout allows it.

    Args:
        a: An array of any dtype and shape; one of NumPy's is reshaped by its own method.
        shape: The new shape: an int or a tuple of them, of which one may be -1 for what is left over.
        newshape: Its other name.
        order: In which order elements are read and placed: 'C', 'F' or 'A'.
        copy: True always copies, False never does, None where the layout needs it.

    Returns:
        An array of ``a``'s dtype and the new shape; a view where the layout allows it.

    Raises:
        ValueError: The sizes differ, ``copy`` is False and a copy would be needed, or ``copy`` is none of the three.
        TypeError: ``a`` is no array.

    >>> tombac.reshape(tombac.arange(6), (2, 3))
    array([[0, 1, 2],
           [3, 4, 5]])
    """
    check_method("reshape", a)
    if (shape is None) == (newshape is None):
        raise TypeError("reshape: one of shape and newshape is expected")
    shape = newshape if shape is None else shape
    return a.reshape(shape, order=order, **({} if copy is None else {"copy": copy}))


def ravel(a, order="C"):
    """``a`` flattened; a view if the layout allows it.

    Args:
        a: An array of any dtype and shape; one of NumPy's is flattened by its own method.
        order: In which order elements are read: 'C', 'F', 'A' or 'K'.

    Returns:
        An array of ``a``'s dtype and one dimension.

    Raises:
        TypeError: ``a`` is no array.

    >>> tombac.ravel(tombac.array([[1, 2], [3, 4]]))
    array([1, 2, 3, 4])
    """
    check_method("ravel", a)
    return a.ravel(order)


def expand_dims(a, axis):
    """``a`` with axes of length 1 put in at the positions ``axis`` of the result.

    Args:
        a: An array of any dtype and shape.
        axis: An int or a tuple of them: where the new axes are in the result.

    Returns:
        A view of ``a`` with as many dimensions more.

    Raises:
        AxisError: A position is beyond the result's dimensions.
        ValueError: A position is given twice.

    >>> tombac.expand_dims(tombac.arange(3), 0).shape
    (1, 3)
    """
    check_arrays("expand_dims", a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    ndim = a.ndim + len(axes)
    axes = set(normalize_axis_tuple(axes, ndim))
    rest = iter(a.shape)
    return a.reshape(tuple(1 if d in axes else next(rest) for d in range(ndim)))


def squeeze(a, axis=None):
    """``a`` without its axes of length 1, or without the given ones.

    Args:
        a: An array of any dtype and shape; one of NumPy's is squeezed by its own method.
        axis: An int or a tuple of them; None for all axes of length 1.

    Returns:
        A view of ``a``.

    Raises:
        ValueError: A given axis has another length.
        AxisError: There is no such axis.

    >>> tombac.squeeze(tombac.ones((1, 3, 1))).shape
    (3,)
    """
    check_method("squeeze", a)
    return a.squeeze(axis)


def _at_least(name, arrays, reshape):
    if len(arrays) == 1:
        return reshape(as_device(name, arrays[0]))
    return tuple([reshape(as_device(name, a)) for a in arrays])


def atleast_1d(*arys):
    """Arrays with at least one dimension.

    Args:
        arys: Arrays of any dtype and shape, or numbers.

    Returns:
        An array, or a tuple of arrays if there are several arguments; views where they are arrays.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.atleast_1d(tombac.array(3.0))
    array([3.])
    """
    if len(arys) == 1 and isinstance(arys[0], _core.ndarray) and arys[0].ndim > 0:
        return arys[0]
    return _at_least("atleast_1d", arys, lambda a: a.reshape(1) if a.ndim == 0 else a)


def atleast_2d(*arys):
    """Arrays with at least two dimensions; new ones come first.

    Args:
        arys: Arrays of any dtype and shape, or numbers.

    Returns:
        An array, or a tuple of arrays if there are several arguments; views where they are arrays.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.atleast_2d(tombac.arange(3)).shape
    (1, 3)
    """
    return _at_least("atleast_2d", arys, _two)


def _two(a):
    return a.reshape(1, -1) if a.ndim < 2 else a


def at_least_three(a):
    if a.ndim == 2:
        return a.reshape(a.shape + (1,))
    return a.reshape(1, -1, 1) if a.ndim < 2 else a


def atleast_3d(*arys):
    """Arrays with at least three dimensions: a vector becomes (1, n, 1), a matrix (m, n, 1).

    Args:
        arys: Arrays of any dtype and shape, or numbers.

    Returns:
        An array, or a tuple of arrays if there are several arguments; views where they are arrays.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.atleast_3d(tombac.arange(3)).shape
    (1, 3, 1)
    """
    return _at_least("atleast_3d", arys, at_least_three)


class broadcast:
    """The result of broadcasting arrays together: shape, nd, size, and the broadcast arrays as ``values``.

    >>> tombac.broadcast(tombac.ones((2, 1)), tombac.ones(3)).shape
    (2, 3)
    """

    def __init__(self, *arrays):
        self.shape = np.broadcast_shapes(*(np.shape(a) if not hasattr(a, "shape") else a.shape for a in arrays))
        self.values = tuple(broadcast_to(a, self.shape) if isinstance(a, _core.ndarray) else a for a in arrays)

    @property
    def nd(self):
        """Number of dimensions."""
        return len(self.shape)

    ndim = nd

    @property
    def size(self):
        """Number of elements."""
        return math.prod(self.shape)


def broadcast_arrays(*args, subok=True):
    """Views of the arrays broadcast against each other, as a tuple.

    Args:
        args: Arrays of any dtype and of shapes that broadcast together.
        subok: Whether views are of their arrays' classes; if not, all are plain arrays, which is NumPy's default.

    Returns:
        A tuple of views, all of one shape.

    Raises:
        ValueError: The shapes do not broadcast.
        TypeError: An argument is no tombac array.

    >>> [a.shape for a in tombac.broadcast_arrays(tombac.ones((2, 1)), tombac.ones(3))]
    [(2, 3), (2, 3)]
    """
    check_arrays("broadcast_arrays", *args)
    return broadcast(*(args if subok else map(plain, args))).values


# ---- axes ------------------------------------------------------------------------------------------------------------


def transpose(a, axes=None):
    """``a`` with its axes permuted, reversed by default; a view.

    Args:
        a: An array of any dtype and shape; one of NumPy's is transposed by its own method.
        axes: A permutation of the axes; None reverses them.

    Returns:
        A view of ``a``.

    Raises:
        ValueError: ``axes`` is no permutation.

    >>> tombac.transpose(tombac.ones((2, 3))).shape
    (3, 2)
    """
    check_method("transpose", a)
    return a.transpose(axes)


permute_dims = transpose


def matrix_transpose(x, /):
    """``x`` with its last two axes exchanged; a view.

    Args:
        x: An array of any dtype and at least two dimensions.

    Returns:
        A view of ``x``.

    Raises:
        ValueError: ``x`` has fewer dimensions.
        TypeError: ``x`` is no tombac array.

    >>> tombac.matrix_transpose(tombac.ones((4, 2, 3))).shape
    (4, 3, 2)
    """
    check_arrays("matrix_transpose", x)
    if x.ndim < 2:
        raise ValueError(f"matrix_transpose: at least two dimensions are needed, the array has {x.ndim}")
    return x.swapaxes(-1, -2)


def swapaxes(a, axis1, axis2):
    """``a`` with two axes exchanged; a view.

    Args:
        a: An array of any dtype and shape; one of NumPy's is treated by its own method.
        axis1, axis2: The axes.

    Returns:
        A view of ``a``.

    Raises:
        AxisError: There is no such axis.

    >>> tombac.swapaxes(tombac.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    check_method("swapaxes", a)
    return a.swapaxes(axis1, axis2)


def moveaxis(a, source, destination):
    """``a`` with the axes ``source`` moved to the positions ``destination``; a view.

    Args:
        a: An array of any dtype and shape.
        source: An int or a tuple of them: axes of ``a``.
        destination: As many positions in the result.

    Returns:
        A view of ``a``.

    Raises:
        AxisError: There is no such axis.
        ValueError: There are not as many positions as axes, or one is given twice.

    >>> tombac.moveaxis(tombac.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    check_arrays("moveaxis", a)
    source = normalize_axis_tuple(source, a.ndim, "source")
    destination = normalize_axis_tuple(destination, a.ndim, "destination")
    if len(source) != len(destination):
        raise ValueError("moveaxis: source and destination must have the same number of elements")
    order = [n for n in range(a.ndim) if n not in source]
    for to, axis in sorted(zip(destination, source)):
        order.insert(to, axis)
    return a.transpose(order)


def rollaxis(a, axis, start=0):
    """``a`` with ``axis`` moved to before position ``start``; a view.

    Args:
        a: An array of any dtype and shape.
        axis: The axis to move.
        start: The axis before which it comes to lie; ``a.ndim`` moves it to the end.

    Returns:
        A view of ``a``.

    Raises:
        AxisError: There is no such axis or position.

    >>> tombac.rollaxis(tombac.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    check_arrays("rollaxis", a)
    axis = normalize_axis_index(axis, a.ndim)
    if not -a.ndim <= start <= a.ndim:
        raise np.exceptions.AxisError(f"rollaxis: start {start} is out of bounds for array of dimension {a.ndim}")
    start = start + a.ndim if start < 0 else start
    order = list(range(a.ndim))
    order.insert(start - 1 if axis < start else start, order.pop(axis))
    return a.transpose(order)
