"""Morphology of truth values: each step is a chain of "and" or "or" over shifted views; all steps until nothing changes
are one search for connected objects.
"""

import functools
import operator

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy.ndimage import _support, _windows
from tombacx.scipy.ndimage._support import documented as _documented

__all__ = [
    "binary_closing", "binary_dilation", "binary_erosion", "binary_fill_holes", "binary_hit_or_miss", "binary_opening",
    "binary_propagation", "generate_binary_structure", "iterate_structure",
]

_BETWEEN_LOOKS = 16  # after how many steps at most an array is looked at for changes


def generate_binary_structure(rank, connectivity):
    """Which neighbours of an element count: those that differ in at most ``connectivity`` of their indices, by one.

    Args:
        rank: The number of dimensions.
        connectivity: In how many indices neighbours may differ; 1 if it is less.

    Returns:
        An array of truth values, of shape (3, 3, ...).

    Raises:
        TypeError: ``rank`` is no number.

    >>> tombacx.scipy.ndimage.generate_binary_structure(2, 1)
    array([[False,  True, False],
           [ True,  True,  True],
           [False,  True, False]])
    """
    return _core.array(structure_of(rank, connectivity))


def structure_of(rank, connectivity=1):
    """The same on the host, not to be written to."""
    if rank < 1:
        return np.array(True)
    return _neighbours(*_core._on_host((rank, max(connectivity, 1))))


@functools.lru_cache(64)
def _neighbours(rank, connectivity):
    return sum(abs(i - 1) for i in np.indices((3,) * rank)) <= connectivity


def iterate_structure(structure, iterations, origin=None):
    """What a structure becomes when it is dilated by itself.

    Args:
        structure: An array of truth values.
        iterations: How many times the structure counts; below 2 it stays as it is.
        origin: The structure's origin, if that of the result is wanted.

    Returns:
        An array of truth values; with ``origin`` a tuple of it and of the origins, a list.

    Raises:
        TypeError: ``structure`` is no tombac array.

    >>> tombacx.scipy.ndimage.iterate_structure(tombac.array([True, True, True]), 2)
    array([ True,  True,  True,  True,  True])
    """
    check_arrays("iterate_structure", structure)
    if iterations < 2:
        return structure.copy()
    more = iterations - 1
    result = _core.zeros(tuple(n + more * (n - 1) for n in structure.shape), bool)
    inside = tuple(slice(more * (n // 2), more * (n // 2) + n) for n in structure.shape)
    result[inside] = structure != 0
    result = binary_dilation(result, structure, more)
    if origin is None:
        return result
    return result, [iterations * o for o in _support.sequence("iterate_structure", "origin", origin, structure.ndim)]


# ---- steps -----------------------------------------------------------------------------------------------------------


def _whole_structure(name, input, structure, origin, axes, mirrored=False):
    """The structure on the host and its origins, for all axes."""
    check_arrays(name, input)
    if input.dtype.kind == "c":
        raise TypeError(f"{name}: complex type not supported")
    axes = _support.chosen_axes(axes, input.ndim)
    structure = _structure(structure, len(axes))
    if structure.size < 1:
        raise RuntimeError(f"{name}: the structure must not be empty")
    if mirrored and structure.ndim == len(axes):  # before the axes are put in order, as in SciPy
        structure, origin = _mirrored(structure, _support.sequence(name, "origin", origin, len(axes)))
    return _support.over_all_axes(name, "structure", structure, input.ndim, axes, origin)


def _structure(structure, n):
    """The structure on the host: of an int a box of that side along ``n`` axes, of a tuple of ints of these sides."""
    if structure is None:
        return structure_of(n)
    if isinstance(structure, int) and not isinstance(structure, bool):
        structure = (structure,) * n
    if isinstance(structure, tuple) and structure and all(type(side) is int for side in structure):
        return np.ones(structure, bool)
    return _support.host(structure, bool)


def _mirrored(structure, origins):
    return _support.reversed_window(structure), [-o - (n + 1) % 2 for o, n in zip(origins, structure.shape)]


def _steps(name, input, structure, origins, iterations, mask, border, combine):
    """``combine`` over the neighbours of each element, so many times; of no neighbours what it makes of nothing."""
    try:
        iterations = operator.index(iterations)
    except TypeError:
        raise TypeError(f"{name}: iterations must be an integer, not {iterations!r}") from None
    if mask is not None:
        check_arrays(name, mask)
    if mask is not None and mask.shape != input.shape:
        raise RuntimeError(f"{name}: mask and input must have equal sizes, not {mask.shape} and {input.shape}")
    for o, n in zip(origins, structure.shape):
        _support.check_origin(name, o, n)
    current = input if input.size and input.dtype.kind == "b" else input != 0
    if not input.size:
        return current
    if iterations < 1 and combine is _core.logical_or and not any(origins) and _box(structure) is not None:
        return _reached(current, structure, mask, bool(border))

    kind = _windows.LEAST if combine is _core.logical_and else _windows.GREATEST
    places, flags = _windows.places_of(structure, origins), np.dtype("?")

    def step(x):
        result = None
        if len(places):
            result = _windows.filtered(x, kind, (places, None), "constant", bool(border), flags, flags)
        if result is None:
            for _, neighbour in _support.views(name, x, structure, origins, "constant", bool(border)):
                result = neighbour if result is None else combine(result, neighbour)
        if result is None:
            result = _core.full(x.shape, combine is _core.logical_and)
        return result if mask is None else _core.where(mask != 0, result, x)

    if iterations >= 1:
        return _repeated(step, current, iterations)
    n = 1
    while True:
        for _ in range(n):
            before, current = current, step(current)
        if (before == current).all():
            return current
        n = min(2 * n, _BETWEEN_LOOKS)


def _repeated(step, current, count):
    """So many steps, but for those between equal arrays: one is kept, ever later (Brent, BIT 20, 1980)."""
    kept, since, most = current, 0, _BETWEEN_LOOKS
    while count:
        n = min(count, _BETWEEN_LOOKS)
        for _ in range(n):
            current = step(current)
        count, since = count - n, since + n
        if count and (current == kept).all():
            count %= since
        elif since == most:
            kept, since, most = current, 0, 2 * most
    return current


def _box(structure):
    """Whether all neighbours along axes belong to a structure, if it is of an element and some of the neighbours around
    it, the same from either end; None for others."""
    return _listed_box(structure.tobytes(), structure.shape)


@functools.lru_cache(64)
def _listed_box(structure, shape):
    structure, ndim = np.frombuffer(structure, bool).reshape(shape), len(shape)
    if not ndim or shape != (3,) * ndim or not structure[(1,) * ndim] or (structure != np.flip(structure)).any():
        return None
    return bool(structure[structure_of(ndim)].all())


def _reached(seeds, structure, mask, border):
    """Dilation until nothing changes any more: the objects of what may be reached that have a seed."""
    inside = _core.ones(seeds.shape, bool) if mask is None else (mask != 0) | seeds
    if border:
        within = (slice(1, -1),) * inside.ndim
        around = _core.ones(tuple([n + 2 for n in inside.shape]), bool)
        around[within] = inside
    labels, n = _core._label(around if border else inside, structure.tobytes())
    found = _core.zeros(n + 1, bool)
    inner = labels[within] if border else labels
    found[(inner * seeds).ravel()] = True
    if border and labels.ndim > 1 and _box(structure):
        found[1] = True  # all around is one object, the first
    elif border:
        for d in range(labels.ndim):
            found[labels.take([0, -1], d).ravel()] = True
    found[0] = False
    return found[inner]


def _deliver(result, output):
    return _support.deliver(result, output, output.dtype if isinstance(output, _core.ndarray) else result.dtype)


def _check_output(name, input, output):
    if isinstance(output, _core.ndarray):
        _support.check_output(name, input, output)
        if output.dtype.kind == "c":
            raise TypeError(f"{name}: complex output type not supported")


def _erosion(name, input, structure, iterations, mask, border, origin, axes):
    structure, origins = _whole_structure(name, input, structure, origin, axes)
    return _steps(name, input, structure, origins, iterations, mask, border, _core.logical_and)


def _dilation(name, input, structure, iterations, mask, border, origin, axes):
    structure, origins = _whole_structure(name, input, structure, origin, axes, True)
    return _steps(name, input, structure, origins, iterations, mask, border, _core.logical_or)


# ---- functions -------------------------------------------------------------------------------------------------------


@_documented
def binary_erosion(input, structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0,
                   brute_force=False, *, axes=None):
    """Erosion: what is true stays so where all its neighbours are true.

    Args:
        {input}
        structure: Which neighbours there are: an array of truth values, read from the device; a tuple of the sides of
            a box of them, or their number along every axis; those along the axes if None.
        iterations: How many times; below 1 until nothing changes any more, for which the array is looked at.
        mask: Where elements may change: an array of ``input``'s shape; everywhere if None.
        output: An array of the same shape to write to; a new one of truth values if it is not an array.
        border_value: What is beyond the edges.
        {origin}
        brute_force: Accepted for SciPy's sake.
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0, 1, 1, 1, 0, 0, 1, 0])
    >>> tombacx.scipy.ndimage.binary_erosion(x)
    array([False, False,  True, False, False, False, False, False])
    """
    _check_output("binary_erosion", input, output)
    return _deliver(_erosion("binary_erosion", input, structure, iterations, mask, border_value, origin, axes), output)


@_documented
def binary_dilation(input, structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0,
                    brute_force=False, *, axes=None):
    """Dilation: what has a true neighbour becomes true.

    Args:
        {input}
        structure: Which neighbours there are: an array of truth values, read from the device; a tuple of the sides of
            a box of them, or their number along every axis; those along the axes if None.
        iterations: How many times; below 1 until nothing changes any more, for which the array is looked at.
        mask: Where elements may change: an array of ``input``'s shape; everywhere if None.
        output: An array of the same shape to write to; a new one of truth values if it is not an array.
        border_value: What is beyond the edges.
        {origin}
        brute_force: Accepted for SciPy's sake.
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0, 1, 1, 1, 0, 0, 1, 0])
    >>> tombacx.scipy.ndimage.binary_dilation(x)
    array([ True,  True,  True,  True,  True,  True,  True,  True])
    """
    _check_output("binary_dilation", input, output)
    dilated = _dilation("binary_dilation", input, structure, iterations, mask, border_value, origin, axes)
    return _deliver(dilated, output)


@_documented
def binary_opening(input, structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0,
                   brute_force=False, *, axes=None):
    """Opening: a dilation of the erosion, which takes away what is smaller than the structure.

    Args:
        {input}
        structure: Which neighbours there are: an array of truth values, read from the device; a tuple of the sides of
            a box of them, or their number along every axis; those along the axes if None.
        iterations: How many times; below 1 until nothing changes any more, for which the array is looked at.
        output: An array of the same shape to write to; a new one of truth values if it is not an array.
        {origin}
        mask: Where elements may change: an array of ``input``'s shape; everywhere if None.
        border_value: What is beyond the edges.
        brute_force: Accepted for SciPy's sake.
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0, 1, 1, 1, 0, 0, 1, 0])
    >>> tombacx.scipy.ndimage.binary_opening(x)
    array([False,  True,  True,  True, False, False, False, False])
    """
    _check_output("binary_opening", input, output)
    eroded = _erosion("binary_opening", input, structure, iterations, mask, border_value, origin, axes)
    opened = _dilation("binary_opening", eroded, structure, iterations, mask, border_value, origin, axes)
    return _deliver(opened, output)


@_documented
def binary_closing(input, structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0,
                   brute_force=False, *, axes=None):
    """Closing: an erosion of the dilation, which fills what is smaller than the structure.

    Args:
        {input}
        structure: Which neighbours there are: an array of truth values, read from the device; a tuple of the sides of
            a box of them, or their number along every axis; those along the axes if None.
        iterations: How many times; below 1 until nothing changes any more, for which the array is looked at.
        output: An array of the same shape to write to; a new one of truth values if it is not an array.
        {origin}
        mask: Where elements may change: an array of ``input``'s shape; everywhere if None.
        border_value: What is beyond the edges.
        brute_force: Accepted for SciPy's sake.
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0, 1, 1, 1, 0, 0, 1, 0])
    >>> tombacx.scipy.ndimage.binary_closing(x)
    array([False,  True,  True,  True,  True,  True,  True, False])
    """
    _check_output("binary_closing", input, output)
    dilated = _dilation("binary_closing", input, structure, iterations, mask, border_value, origin, axes)
    closed = _erosion("binary_closing", dilated, structure, iterations, mask, border_value, origin, axes)
    return _deliver(closed, output)


@_documented
def binary_hit_or_miss(input, structure1=None, structure2=None, output=None, origin1=0, origin2=None, *, axes=None):
    """Where one pattern of neighbours is true and another one is false.

    Args:
        {input}
        structure1: Which neighbours must be true; those along the axes if None.
        structure2: Which must be false; those that need not be true if None.
        output: An array of the same shape to write to; a new one of truth values if it is not an array.
        origin1: The origin of the first structure, as in binary_erosion.
        origin2: That of the second; the same if None.
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0, 1, 1, 1, 0, 0, 1, 0])
    >>> tombacx.scipy.ndimage.binary_hit_or_miss(x, [1, 0, 0], [0, 1, 1])
    array([False, False, False, False,  True, False, False,  True])
    """
    name = "binary_hit_or_miss"
    _check_output(name, input, output)
    check_arrays(name, input)
    first = structure_of(len(_support.chosen_axes(axes, input.ndim))) if structure1 is None else structure1
    first = _support.host(first, bool)
    second = ~first if structure2 is None else _support.host(structure2, bool)
    hit = _erosion(name, input, first, 1, None, 0, origin1, axes)
    whole, origins = _whole_structure(name, input, second, origin1 if origin2 is None else origin2, axes)
    missed = _steps(name, input, whole, origins, 1, None, 0, _core.logical_or)
    return _deliver(hit & ~missed, output)


@_documented
def binary_propagation(input, structure=None, mask=None, output=None, border_value=0, origin=0, *, axes=None):
    """Dilation until nothing changes any more.

    Args:
        {input}
        structure: Which neighbours there are: an array of truth values, read from the device; a tuple of the sides of
            a box of them, or their number along every axis; those along the axes if None.
        mask: Where elements may change: an array of ``input``'s shape; everywhere if None.
        output: An array of the same shape to write to; a new one of truth values if it is not an array.
        border_value: What is beyond the edges.
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0, 1, 1, 1, 0, 0, 1, 0])
    >>> tombacx.scipy.ndimage.binary_propagation(x, mask=tombac.array([1, 1, 1, 1, 1, 0, 1, 1]))
    array([ True,  True,  True,  True,  True, False,  True,  True])
    """
    return binary_dilation(input, structure, -1, mask, output, border_value, origin, axes=axes)


@_documented
def binary_fill_holes(input, structure=None, output=None, origin=0, *, axes=None):
    """Makes true what cannot be reached from beyond the edges.

    Args:
        {input}
        structure: Which neighbours can be reached from one another; those along the axes if None.
        output: An array of the same shape to write to; a new one of truth values if it is not an array.
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([0, 1, 1, 1, 0, 0, 1, 0])
    >>> tombacx.scipy.ndimage.binary_fill_holes(x)
    array([False,  True,  True,  True,  True,  True,  True, False])
    """
    name = "binary_fill_holes"
    _check_output(name, input, output)
    check_arrays(name, input)
    outside = _core.zeros(input.shape, bool)
    reached = _dilation(name, outside, structure, -1, input == 0, True, origin, axes)
    return _deliver(~reached, output)
