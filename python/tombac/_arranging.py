"""Elements in another order, or again and again: flip, roll, tile and their kind."""

import math

from tombac import _core
from tombac._core import as_strided, broadcast_to, empty_like, repeat
from tombac._numpy import np
from tombac._util import (
    as_device, as_tuple, check_arrays, is_host_array, normalize_axis_index, normalize_axis_tuple, other_name,
)

__all__ = [
    "fill_diagonal", "flip", "fliplr", "flipud", "repeat", "resize", "roll", "rot90", "tile",
]


_BACKWARDS = slice(None, None, -1)
_COLUMNS_BACKWARDS = slice(None), _BACKWARDS


def flip(a=None, axis=None, *, m=None):
    """``a`` reversed along the given axes, all by default; a view.

    Args:
        a: An array of any dtype and shape.
        axis: An int or a tuple of them; None for all axes.
        m: NumPy's name of ``a``.

    Returns:
        A view of ``a``.

    Raises:
        AxisError: There is no such axis.

    >>> tombac.flip(tombac.arange(3))
    array([2, 1, 0])
    """
    if m is not None:
        a = other_name("flip", a, m)
    check_arrays("flip", a)
    if axis is None:
        return a[(_BACKWARDS,) * a.ndim]
    axes = normalize_axis_tuple(axis, a.ndim)
    return a[tuple(_BACKWARDS if d in axes else slice(None) for d in range(a.ndim))]


def fliplr(a=None, *, m=None):
    """``a`` reversed along its second axis; a view.

    Args:
        a: An array of any dtype and at least two dimensions.
        m: NumPy's name of ``a``.

    Returns:
        A view of ``a``.

    Raises:
        ValueError: ``a`` has fewer dimensions.

    >>> tombac.fliplr(tombac.array([[1, 2], [3, 4]]))
    array([[2, 1],
           [4, 3]])
    """
    if m is not None:
        a = other_name("fliplr", a, m)
    check_arrays("fliplr", a)
    if a.ndim < 2:
        raise ValueError("fliplr: at least two dimensions are needed")
    return a[_COLUMNS_BACKWARDS]


def flipud(a=None, *, m=None):
    """``a`` reversed along its first axis; a view.

    Args:
        a: An array of any dtype and at least one dimension.
        m: NumPy's name of ``a``.

    Returns:
        A view of ``a``.

    Raises:
        ValueError: ``a`` has no dimensions.

    >>> tombac.flipud(tombac.array([[1, 2], [3, 4]]))
    array([[3, 4],
           [1, 2]])
    """
    if m is not None:
        a = other_name("flipud", a, m)
    check_arrays("flipud", a)
    if a.ndim < 1:
        raise ValueError("flipud: at least one dimension is needed")
    return a[::-1]


def rot90(a=None, k=1, axes=(0, 1), *, m=None):
    """``a`` rotated by ``k`` times 90 degrees in the plane of two axes; a view.

    Args:
        a: An array of any dtype and at least two dimensions.
        k: How often; negative numbers rotate the other way.
        axes: The two axes; the rotation is from the first towards the second.
        m: NumPy's name of ``a``.

    Returns:
        A view of ``a``.

    Raises:
        ValueError: The axes are not two different ones.
        AxisError: There is no such axis.

    >>> tombac.rot90(tombac.array([[1, 2], [3, 4]]))
    array([[2, 4],
           [1, 3]])
    """
    if m is not None:
        a = other_name("rot90", a, m)
    check_arrays("rot90", a)
    if len(axes) != 2:
        raise ValueError("rot90: two axes are needed")
    first, second = (normalize_axis_index(d, a.ndim) for d in axes)
    if first == second:
        raise ValueError("rot90: the axes must be different")
    k = k % 4  # may be an array of the caller's
    if k == 0:
        return a[...]
    if k == 2:
        return flip(a, (first, second))
    return flip(a.swapaxes(first, second), first) if k == 1 else flip(a, first).swapaxes(first, second)


def roll(a, shift, axis=None):
    """``a`` with elements moved by ``shift`` along the axes, those that leave at one end coming back at the other.

    ``axis`` None rolls the flattened array. Tuples give a shift for each axis. One copy of each part is made.

    Args:
        a: An array of any dtype and shape.
        shift: By how much: an int, or a tuple of them.
        axis: The axis, or a tuple of axes; None for the flattened array.

    Returns:
        A new array of ``a``'s dtype and shape.

    Raises:
        AxisError: There is no such axis.
        ValueError: ``shift`` and ``axis`` do not match.

    >>> tombac.roll(tombac.arange(4), 1)
    array([3, 0, 1, 2])
    """
    check_arrays("roll", a)
    if axis is None:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    axes = normalize_axis_tuple(axis, a.ndim, allow_duplicate=True)
    pairs = np.broadcast(np.asarray(_core._on_host(shift)), np.asarray(axes))
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

    Args:
        A: An array of any dtype and shape, or a number.
        reps: How often: an int for the last axis, or a tuple with one for each of the last axes or more.

    Returns:
        A new array of ``A``'s dtype.

    Raises:
        ValueError: A number is negative.

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


def resize(a, new_shape):
    """The elements of ``a``, repeated or cut, in a new shape.

    Args:
        a: An array of any dtype and shape, or a number.
        new_shape: An int or a tuple of them.

    Returns:
        A new array of ``a``'s dtype.

    Raises:
        ValueError: A length is negative.

    >>> tombac.resize(tombac.arange(3), (2, 2))
    array([[0, 1],
           [2, 0]])
    """
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

    Args:
        a: An array of any dtype, to write to.
        val: A number, or an array or sequence whose elements are taken in turn, from the first again when they are used
            up.
        wrap: Whether the diagonal of a tall matrix begins again below its end.

    Returns:
        None.

    Raises:
        ValueError: The dimensions are not as they must be.

    >>> x = tombac.zeros((2, 2), int)
    >>> tombac.fill_diagonal(x, 5)
    >>> x
    array([[5, 0],
           [0, 5]])
    """
    check_arrays("fill_diagonal", a)
    shape = a.shape
    if len(shape) < 2:
        raise ValueError("fill_diagonal: at least two dimensions are needed")
    if len(shape) > 2 and len(set(shape)) != 1:
        raise ValueError("fill_diagonal: all dimensions must be of equal length")
    again = wrap and len(shape) == 2 and shape[0] > shape[1] + 1
    if type(val) not in (bool, int, float):
        val = _first(val, -(-a.size // (shape[1] + 1)) if again else min(shape), a.dtype)
    if not again:
        line = a.diagonal() if len(shape) == 2 else as_strided(a, shape[:1], (sum(a.strides),))
        line[...] = val
        return
    varies = isinstance(val, _core.ndarray) and val.ndim > 0
    for row in range(0, shape[0], shape[1] + 1):
        line = a[row:].diagonal()
        line[...] = val[row // (shape[1] + 1) * shape[1] :][: line.size] if varies else val


def _first(val, n, dtype):
    """The n elements that a diagonal takes from val, repeated as needed."""
    val = val if isinstance(val, _core.ndarray) else _core.asarray(val, dtype)
    return val if val.ndim == 0 else resize(val, (n,))
