"""Shapes and arrangements: reshape, transpose, join, split, flip, roll, tile and their kind.

Everything that can be a view is one; the others are one new array and one assignment for each part.
"""

import math
import operator
import warnings

from tombac import _core
from tombac._core import as_strided, broadcast_to, concatenate, empty_like
from tombac._numpy import np
from tombac._util import (
    as_device, as_tuple, check_arrays, check_method, is_host_array, is_number, normalize_axis_index,
    normalize_axis_tuple,
)

__all__ = [
    "append", "array_split", "atleast_1d", "atleast_2d", "atleast_3d", "broadcast", "broadcast_arrays", "column_stack",
    "concat", "copyto", "dsplit", "dstack", "expand_dims", "fill_diagonal", "flip", "fliplr", "flipud", "hsplit",
    "hstack", "matrix_transpose", "moveaxis", "ndim", "permute_dims", "ravel", "repeat", "reshape", "resize", "roll",
    "rollaxis", "rot90", "row_stack", "shape", "size", "split", "squeeze", "swapaxes", "tile", "transpose", "unstack",
    "vsplit", "vstack",
]

concat = concatenate


def shape(a):
    """The shape of ``a`` as a tuple."""
    return a.shape if isinstance(a, _core.ndarray) else np.shape(a)


def ndim(a):
    """The number of dimensions of ``a``."""
    return a.ndim if isinstance(a, _core.ndarray) else np.ndim(a)


def size(a, axis=None):
    """The number of elements of ``a``, or its length along ``axis``."""
    if not isinstance(a, _core.ndarray):
        return np.size(a, axis)
    return a.size if axis is None else a.shape[normalize_axis_index(axis, a.ndim)]


# By the kinds of dtypes: Python numbers are cast to their own kind and those above it. "O": an int beyond 64 bits.
_RANK = {"b": 0, "u": 1, "i": 1, "O": 1, "f": 2, "c": 3}


def copyto(dst, src, casting="same_kind", where=None):
    """Writes ``src`` into ``dst``, where the mask ``where`` holds.

    Raises:
        TypeError: ``casting`` forbids the conversion.
    """
    check_arrays("copyto", dst)
    if where is None and isinstance(src, _core.ndarray) and src.dtype is dst.dtype:
        dst[...] = src
        return
    if isinstance(src, (bool, int, float, complex)) and not isinstance(src, np.generic):
        castable = casting == "unsafe" or _RANK[np.asarray(src).dtype.kind] <= _RANK[dst.dtype.kind]
    else:
        castable = not hasattr(src, "dtype") or np.can_cast(src.dtype, dst.dtype, casting)
    if not castable:
        what = getattr(src, "dtype", type(src))
        raise TypeError(f"copyto: cannot cast {what} to {dst.dtype} with casting {casting!r}")
    if where is None or where is True:
        dst[...] = src
    else:
        _core._assign_where(dst, as_device("copyto", where).astype(bool, copy=False), src)


# ---- shape -----------------------------------------------------------------------------------------------------------


def reshape(a, shape=None, order="C", *, newshape=None, copy=None):
    """``a`` with another shape: a view if ``copy`` is not True and the layout allows it.

    Args:
        a: An array of any dtype and shape.
        shape: The new shape; one length may be -1. ``newshape`` is its other name.
        order: 'C', 'F' or 'A': the order in which elements are read and placed.
        copy: True: always copy; False: never; None: only where a view is not possible.

    Raises:
        ValueError: The sizes differ, ``copy`` is False and a copy would be needed, or ``copy`` is none of the three.

    >>> tombac.reshape(tombac.arange(4), (2, -1))
    array([[0, 1],
           [2, 3]])
    """
    check_method("reshape", a)
    if (shape is None) == (newshape is None):
        raise TypeError("reshape: one of shape and newshape is expected")
    shape = newshape if shape is None else shape
    return a.reshape(shape, order=order, **({} if copy is None else {"copy": copy}))


def ravel(a, order="C"):
    """``a`` flattened; a view if the layout allows it."""
    check_method("ravel", a)
    return a.ravel(order)


def expand_dims(a, axis):
    """``a`` with axes of length 1 put in at the positions ``axis`` of the result."""
    check_arrays("expand_dims", a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    ndim = a.ndim + len(axes)
    axes = set(normalize_axis_tuple(axes, ndim))
    rest = iter(a.shape)
    return a.reshape(tuple(1 if d in axes else next(rest) for d in range(ndim)))


def squeeze(a, axis=None):
    """``a`` without its axes of length 1, or without the given ones."""
    check_method("squeeze", a)
    return a.squeeze(axis)


def _at_least(name, arrays, reshape):
    if len(arrays) == 1:
        return reshape(as_device(name, arrays[0]))
    return tuple([reshape(as_device(name, a)) for a in arrays])


def atleast_1d(*arys):
    """Arrays with at least one dimension."""
    if len(arys) == 1 and isinstance(arys[0], _core.ndarray) and arys[0].ndim > 0:
        return arys[0]
    return _at_least("atleast_1d", arys, lambda a: a.reshape(1) if a.ndim == 0 else a)


def atleast_2d(*arys):
    """Arrays with at least two dimensions; new ones come first."""
    return _at_least("atleast_2d", arys, _two)


def _two(a):
    return a.reshape(1, -1) if a.ndim < 2 else a


def _three(a):
    if a.ndim == 2:
        return a.reshape(a.shape + (1,))
    return a.reshape(1, -1, 1) if a.ndim < 2 else a


def atleast_3d(*arys):
    """Arrays with at least three dimensions: a vector becomes (1, n, 1), a matrix (m, n, 1)."""
    return _at_least("atleast_3d", arys, _three)


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


def broadcast_arrays(*args):
    """Views of the arrays broadcast against each other, as a tuple."""
    check_arrays("broadcast_arrays", *args)
    return broadcast(*args).values


# ---- axes ------------------------------------------------------------------------------------------------------------


def transpose(a, axes=None):
    """``a`` with its axes permuted, reversed by default; a view."""
    check_method("transpose", a)
    return a.transpose(axes)


permute_dims = transpose


def matrix_transpose(x, /):
    """``x`` with its last two axes exchanged; a view."""
    check_arrays("matrix_transpose", x)
    if x.ndim < 2:
        raise ValueError(f"matrix_transpose: at least two dimensions are needed, the array has {x.ndim}")
    return x.swapaxes(-1, -2)


def swapaxes(a, axis1, axis2):
    """``a`` with two axes exchanged; a view."""
    check_method("swapaxes", a)
    return a.swapaxes(axis1, axis2)


def moveaxis(a, source, destination):
    """``a`` with the axes ``source`` moved to the positions ``destination``; a view."""
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
    """``a`` with ``axis`` moved to before position ``start``; a view."""
    check_arrays("rollaxis", a)
    axis = normalize_axis_index(axis, a.ndim)
    if not -a.ndim <= start <= a.ndim:
        raise np.exceptions.AxisError(f"rollaxis: start {start} is out of bounds for array of dimension {a.ndim}")
    start = start + a.ndim if start < 0 else start
    order = list(range(a.ndim))
    order.insert(start - 1 if axis < start else start, order.pop(axis))
    return a.transpose(order)


# ---- joining ---------------------------------------------------------------------------------------------------------


def _rows(name, tup, reshape):
    if isinstance(tup, _core.ndarray):
        tup = list(tup)
    return [reshape(as_device(name, a)) for a in tup]


def vstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the first axis; vectors are rows."""
    return concatenate(_rows("vstack", tup, atleast_2d), 0, dtype=dtype, casting=casting)


def row_stack(tup, *, dtype=None, casting="same_kind"):
    """As vstack; NumPy 2 deprecates this name, and a DeprecationWarning says so."""
    warnings.warn("row_stack is deprecated; use vstack", DeprecationWarning, stacklevel=2)
    return vstack(tup, dtype=dtype, casting=casting)


def hstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the second axis, vectors along their only one."""
    arrays = _rows("hstack", tup, atleast_1d)
    return concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype=dtype, casting=casting)


def dstack(tup):
    """Arrays joined along the third axis."""
    return concatenate(_rows("dstack", tup, atleast_3d), 2)


def column_stack(tup):
    """Vectors as the columns of a matrix; matrices are put beside each other."""
    return concatenate(_rows("column_stack", tup, lambda a: a.reshape(-1, 1) if a.ndim < 2 else a), 1)


def append(arr, values, axis=None):
    """``values`` joined to the end of ``arr``; both flattened if ``axis`` is None."""
    arr, values = (a if isinstance(a, _core.ndarray) else _core.asarray(a) for a in (arr, values))
    return concatenate((arr.ravel(), values.ravel())) if axis is None else concatenate((arr, values), axis)


# ---- splitting -------------------------------------------------------------------------------------------------------


def array_split(ary, indices_or_sections, axis=0):
    """Views of ``ary`` cut along ``axis``: at given indices, or into n parts that differ in length by at most one."""
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
    before = (slice(None),) * axis
    return [ary[before + (slice(a, b),)] for a, b in zip([0] + cuts, cuts + [None])]


def split(ary, indices_or_sections, axis=0):
    """As array_split, but ValueError if a number of sections does not divide the length."""
    check_arrays("split", ary)
    if not isinstance(indices_or_sections, (tuple, list)) and is_number(indices_or_sections):
        length = ary.shape[normalize_axis_index(axis, ary.ndim)]
        if length % operator.index(indices_or_sections):
            raise ValueError(f"split: length {length} cannot be divided into {indices_or_sections} equal parts")
    return array_split(ary, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    """split along the second axis (the only one of a vector)."""
    check_arrays("hsplit", ary)
    if ary.ndim == 0:
        raise ValueError("hsplit: a 0-dimensional array cannot be split")
    return split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


def vsplit(ary, indices_or_sections):
    """split along the first axis of an array of two dimensions or more."""
    check_arrays("vsplit", ary)
    if ary.ndim < 2:
        raise ValueError("vsplit: at least two dimensions are needed")
    return split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    """split along the third axis."""
    check_arrays("dsplit", ary)
    if ary.ndim < 3:
        raise ValueError("dsplit: at least three dimensions are needed")
    return split(ary, indices_or_sections, 2)


def unstack(x, /, *, axis=0):
    """The parts of ``x`` along ``axis``, as a tuple of views."""
    check_arrays("unstack", x)
    if x.ndim == 0:
        raise ValueError("unstack: a 0-dimensional array cannot be unstacked")
    return tuple(moveaxis(x, axis, 0))


# ---- arranging -------------------------------------------------------------------------------------------------------


_BACKWARDS = slice(None, None, -1)


def flip(a, axis=None):
    """``a`` reversed along the given axes, all by default; a view."""
    check_arrays("flip", a)
    if axis is None:
        return a[(_BACKWARDS,) * a.ndim]
    axes = normalize_axis_tuple(axis, a.ndim)
    return a[tuple(_BACKWARDS if d in axes else slice(None) for d in range(a.ndim))]


def fliplr(a):
    """``a`` reversed along its second axis; a view."""
    check_arrays("fliplr", a)
    if a.ndim < 2:
        raise ValueError("fliplr: at least two dimensions are needed")
    return a[:, ::-1]


def flipud(a):
    """``a`` reversed along its first axis; a view."""
    check_arrays("flipud", a)
    if a.ndim < 1:
        raise ValueError("flipud: at least one dimension is needed")
    return a[::-1]


def rot90(a, k=1, axes=(0, 1)):
    """``a`` rotated by ``k`` times 90 degrees in the plane of two axes; a view."""
    check_arrays("rot90", a)
    if len(axes) != 2:
        raise ValueError("rot90: two axes are needed")
    first, second = (normalize_axis_index(d, a.ndim) for d in axes)
    if first == second:
        raise ValueError("rot90: the axes must be different")
    k %= 4
    if k == 0:
        return a[...]
    if k == 2:
        return flip(a, (first, second))
    return flip(a.swapaxes(first, second), first) if k == 1 else flip(a, first).swapaxes(first, second)


def roll(a, shift, axis=None):
    """``a`` with elements moved by ``shift`` along the axes, those that leave at one end coming back at the other.

    ``axis`` None rolls the flattened array. Tuples give a shift for each axis. One copy of each part is made.
    """
    check_arrays("roll", a)
    if axis is None:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    axes = normalize_axis_tuple(axis, a.ndim, allow_duplicate=True)
    pairs = np.broadcast(np.asarray(shift), np.asarray(axes))
    if pairs.ndim > 1:
        raise ValueError("roll: shift and axis must be numbers or one-dimensional sequences")
    shifts = [0] * a.ndim
    for s, d in pairs:
        shifts[d] += int(s)
    parts = [((slice(None), slice(None)),)] * a.ndim
    for d, s in enumerate(shifts):
        s = s % a.shape[d] if a.shape[d] else 0
        if s:
            parts[d] = ((slice(None, -s), slice(s, None)), (slice(-s, None), slice(None, s)))
    result = empty_like(a)
    _each_part(a, result, parts)
    return result


def _each_part(source, target, parts):
    """target[t] = source[s] for every combination of the (s, t) slices in ``parts``, a list for each axis."""
    combinations = [((), ())]
    for axis in parts:
        combinations = [(s + (i,), t + (j,)) for s, t in combinations for i, j in axis]
    for s, t in combinations:
        target[t] = source[s]


def tile(A, reps):
    """``A`` repeated ``reps`` times along each axis.

    >>> tombac.tile(tombac.arange(2), 2)
    array([0, 1, 0, 1])
    """
    A = as_device("tile", A)
    reps = as_tuple(reps)
    if reps and min(reps) < 0:
        raise ValueError("tile: repetitions must not be negative")
    own = (1,) * (len(reps) - A.ndim) + A.shape
    reps = (1,) * (len(own) - len(reps)) + reps
    wide, full, result = [], [], []
    for r, n in zip(reps, own):
        wide += 1, n
        full += r, n
        result.append(r * n)
    return broadcast_to(A.reshape(wide), full).copy("C").reshape(result)


def repeat(a, repeats, axis=None):
    """Elements of ``a`` repeated along ``axis`` (of the flattened array by default).

    ``repeats`` is a number, or a sequence with one number for each element along the axis.

    >>> tombac.repeat(tombac.arange(2), 2)
    array([0, 0, 1, 1])
    """
    if is_host_array(a):
        return a.repeat(repeats, axis)
    a = as_device("repeat", a)
    if axis is None:
        a, axis = a.ravel(), 0
    elif a.ndim == 0:
        a = a.reshape(1)
    axis = normalize_axis_index(axis, a.ndim)
    shape, length = a.shape, a.shape[axis]
    counts = repeats if isinstance(repeats, (int, _core.ndarray)) else np.asarray(repeats)
    if isinstance(counts, int) or counts.size == 1:
        n = int(counts if isinstance(counts, int) else counts.item())
        if n < 0:
            raise ValueError("repeat: repeats must not be negative")
        head, tail = shape[: axis + 1], shape[axis + 1 :]
        full = broadcast_to(a.reshape(head + (1,) + tail), head + (n,) + tail)
        return full.copy("C").reshape(shape[:axis] + (length * n,) + tail)
    if counts.shape != (length,):
        raise ValueError(f"repeat: {counts.size} repeats for an axis of length {length}")
    return _core.take(a, _repeated_positions(_core.asarray(counts)), axis)


def _repeated_positions(counts):
    """arange(len(counts)) with each number repeated as often as counts says: a number begins where all before it have
    ended, which the running sum of a one at each end counts."""
    if counts.size == 0:
        return _core.zeros(0, np.int64)
    if counts._kind not in "biu":
        raise TypeError(f"repeat: repeats must be integers, not {counts.dtype}")
    ends = _core.cumsum(counts, dtype=np.int64)
    n = _core.where(counts.min() < 0, -1, ends[-1]).item()
    if n < 0:
        raise ValueError("repeat: repeats must not be negative")
    marks = _core.zeros(n + 1, np.int64)
    _core.add.at(marks, ends, 1)
    return _core.cumsum(marks[:n])


def resize(a, new_shape):
    """The elements of ``a``, repeated or cut, in a new shape."""
    a = as_device("resize", a).ravel()
    new_shape = as_tuple(new_shape)
    if new_shape and min(new_shape) < 0:
        raise ValueError(f"resize: the new shape {new_shape} has a negative length")
    n, size = math.prod(new_shape), a.size
    if size == 0 or n == 0:
        return _core.zeros(new_shape, a.dtype)
    if n <= size:
        return a[:n].copy().reshape(new_shape)
    return broadcast_to(a, (-(-n // size), size)).copy("C").reshape(-1)[:n].reshape(new_shape)


def flat_values(value, flat, key):
    """What is assigned to ``flat[key]``, a vector's elements: ``value``'s in C order, from the first again when they
    are used up. Called by the iterator ``a.flat``."""
    value = value if isinstance(value, _core.ndarray) else _core.asarray(value)
    if value.ndim == 0 or value.size == 0:
        return value  # nothing cannot be repeated: the assignment says so
    n = flat[key].size
    return value.ravel() if value.size == n else resize(value, (n,))


def fill_diagonal(a, val, wrap=False):
    """Writes ``val`` to the main diagonal of ``a``, in place.

    ``a`` has two dimensions or more, of equal length if there are more than two. ``wrap`` starts the diagonal again
    below the end of a tall matrix.
    """
    check_arrays("fill_diagonal", a)
    if a.ndim < 2:
        raise ValueError("fill_diagonal: at least two dimensions are needed")
    if a.ndim > 2 and len(set(a.shape)) != 1:
        raise ValueError("fill_diagonal: all dimensions must be of equal length")
    step = sum(a.strides)
    rows = a.shape[0]
    n = min(a.shape)
    as_strided(a, (n,), (step,))[...] = _first(val, n)
    if wrap and a.ndim == 2 and rows > a.shape[1] + 1:
        fill_diagonal(a[a.shape[1] + 1 :], val, True)


def _first(val, n):
    """The n elements that a diagonal takes from val, repeated as needed."""
    val = val if isinstance(val, _core.ndarray) else _core.asarray(val)
    return val if val.ndim == 0 else resize(val, (n,))
