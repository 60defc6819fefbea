"""Places in sparse arrays of any number of dimensions.

What is done to the elements of such an array is done to a matrix that has them: its rows are lines along the last axis,
or all that is kept of a reduction, or what an index array picks. Nothing here is a mechanism of its own.
"""

import math

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse._shapes import as_shape, two_dimensions
from tombacx.scipy.sparse._structure import cast_index, index_dtype

__all__ = ["MOST_ROWS", "coord_dtype", "coords_at", "flat_shape", "grouped", "grouped_sum", "numbers_of", "stretched"]

MOST_ROWS = 2**24  # a matrix of more rows than that has more memory for their beginnings than most have for elements


def coord_dtype(shape, count=0):
    """The dtype of coordinates that are made here: int64 beyond two dimensions, as in SciPy."""
    return np.int64 if len(shape) > 2 else index_dtype(*shape, count)


def numbers_of(coords, shape, count):
    """The place of each of that many elements, counted in C order along these axes."""
    if not coords:
        return _core.zeros((count,), np.int64)
    numbers = coords[0].astype(np.int64)
    for x, n in zip(coords[1:], shape[1:]):
        numbers = numbers * n + x
    return numbers


def coords_at(numbers, shape, dtype):
    """The coordinates of places that are counted in C order."""
    coords = []
    for n in shape[:0:-1]:
        coords.append(numbers % max(n, 1))
        numbers = numbers // max(n, 1)
    return cast_index(dtype, numbers, *coords[::-1]) if shape else ()


def flat_shape(shape):
    """The shape of the matrix for what is done to each element: lines along the last axis, or all in one row."""
    rows, cols = two_dimensions(shape)
    return as_shape((rows, cols) if rows <= MOST_ROWS else (1, rows * cols))


def grouped(a, first, then):
    """The elements of a COO array as a matrix: some of the axes, in order, are its rows, and others its columns."""
    shapes = [[a._shape[i] for i in axes] for axes in (first, then)]
    coords = a._usable().coords
    numbers = [numbers_of([coords[i] for i in axes], shape, a.data.size)
               for axes, shape in zip((first, then), shapes)]
    shape = as_shape(map(math.prod, shapes))
    matrix = a._made(shape, a.data, *cast_index(coord_dtype(shape), *numbers))
    matrix._once, matrix._said = (a._once, a._said) if len(first) + len(then) == a.ndim else (False, None)
    return matrix


def grouped_sum(a, axes):
    """The sum of an array along some of its axes, dense: elements that fall on one place are summed there."""
    a = a.tocoo()
    kept = [i for i in range(a.ndim) if i not in axes]
    shape = [a._shape[i] for i in kept]
    matrix = grouped(a, kept, ())
    return matrix.tocsr().toarray().reshape(shape)


def stretched(a, shape):
    """A COO array broadcast to a shape: each element comes as often as it is seen there."""
    old = (1,) * (len(shape) - a.ndim) + a._shape
    axes = [i for i, (m, n) in enumerate(zip(old, shape)) if m != n]
    copies = math.prod(shape[i] for i in axes)
    dtype = coord_dtype(shape)
    new = dict(zip(axes, coords_at(_core.arange(copies), [shape[i] for i in axes], dtype)))
    count = a._usable().data.size

    def copied(x):
        return _core.broadcast_to(x[:, None], (count, copies)).reshape(-1)

    coords = [_core.broadcast_to(new[i], (count, copies)).reshape(-1) if i in new else
              copied(a.coords[i - len(shape)]) if i >= len(shape) - a.ndim else _core.zeros((count * copies,), dtype)
              for i in range(len(shape))]
    b = a._made(tuple(shape), copied(a.data), *cast_index(dtype, *coords))
    b._once = a._once
    return b
