"""Filters by order: least and greatest elements of windows, medians and other ranks.

A GPU's kernel orders windows of up to 49 elements by a network of comparisons, of which what the wanted rank does not
need is left out (``_windows``). Elsewhere those of up to 16 are ordered by an expression of the same kind, and of
larger ones the elements are gathered and parted.
"""

import functools
import operator
import warnings

from tombac import _core
from tombac._numpy import np
from tombac._sorting import partition
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.ndimage import _support, _windows
from tombacx.scipy.ndimage._support import documented as _documented

__all__ = [
    "maximum_filter", "maximum_filter1d", "median_filter", "minimum_filter", "minimum_filter1d", "percentile_filter",
    "rank_filter",
]


def _check_real(name, input):
    check_arrays(name, input)
    if input.dtype.kind == "c":
        raise TypeError(f"{name}: complex type not supported")


# ---- least and greatest ----------------------------------------------------------------------------------------------


def _extreme1d(name, input, size, axis, output, mode, cval, origin, least):
    _check_real(name, input)
    dtype = _support.check_output(name, input, output)
    if size < 1:
        raise RuntimeError(f"{name}: incorrect filter size {size}")
    kind, size = _windows.LEAST if least else _windows.GREATEST, int(size)
    window, modes = _windows.along(name, kind, input.ndim, axis, size, origin, mode)
    if not input.size:
        return _support.deliver(input, output, dtype)
    result = None
    if _windows.pays(input, size):
        result = _windows.filtered(input, kind, window, modes, cval, input.dtype, dtype)
    if result is None:
        axis = normalize_axis_index(axis, input.ndim)
        _, whole = _support.along(name, input, axis, size, origin, mode, cval)
        operation = _core.minimum if least else _core.maximum
        result = _support.folded(whole, axis, input.shape[axis], size, operation)
    return _support.deliver(result, output, dtype)


def window(name, input, size, footprint, axes):
    """(the footprint on the host, or None for a full window; the sizes along the axes)."""
    if size is not None and footprint is not None:
        warnings.warn("ignoring size because footprint is set", UserWarning, stacklevel=4)
    if footprint is None:
        if size is None:
            raise RuntimeError(f"{name}: no footprint or filter size provided")
        sizes = [_support.whole_size(name, n) for n in _support.sequence(name, "size", size, len(axes))]
        return None, sizes
    footprint = _support.host(footprint, bool)
    if not footprint.any():
        raise ValueError(f"{name}: a footprint without elements is not supported")
    return (None if footprint.all() and footprint.ndim == len(axes) else footprint), footprint.shape


@functools.lru_cache(64)
def _full(sizes):
    return np.ones(sizes, bool)


@_support.cached_by_value
def _separate(name, kind, ndim, axes, size, origin, mode):
    """(the filters along the axes, the last two as windows)"""
    rows = _support.separable(name, ndim, axes, ("size", "origin", "mode"), size, origin, mode)
    rows = [{**row, "size": _support.whole_size(name, row["size"])} for row in rows]
    rows = [row for row in rows if row["size"] > 1]
    return rows, [_windows.window(kind, row, row["size"]) for row in rows[-2:]]


def extreme(name, input, size, footprint, structure, output, mode, cval, origin, axes, least):
    """The least or the greatest elements of windows, of which ``structure`` is taken first, or to which it is added."""
    _check_real(name, input)
    axes = _support.chosen_axes(axes, input.ndim)
    if structure is not None:
        structure = _support.host(structure, "d")
        footprint = np.ones(structure.shape, bool) if footprint is None else footprint
        size = None
    if footprint is not None or size is None:
        footprint, size = window(name, input, size, footprint, axes)
    if structure is None and footprint is None:
        kind = _windows.LEAST if least else _windows.GREATEST
        rows, windows = _separate(name, kind, input.ndim, axes, size, origin, mode)
        filter1d = minimum_filter1d if least else maximum_filter1d
        return _windows.one_after_another(name, filter1d, input, output, rows, cval, windows)
    dtype = _support.check_output(name, input, output)
    footprint = np.ones(size, bool) if footprint is None else footprint
    footprint, origins = _support.over_all_axes(name, "footprint", footprint, input.ndim, axes, origin)
    if structure is not None:
        structure, _ = _support.over_all_axes(name, "structure", structure, input.ndim, axes, 0)
        if structure.shape != footprint.shape:
            raise RuntimeError(f"{name}: structure array has incorrect shape {structure.shape}")
    if not input.size:
        return _support.deliver(input, output, dtype)
    _support.check_window(name, footprint.shape, origins, mode)
    added = None if structure is None else -structure[footprint] if least else structure[footprint]
    result = _windows.filtered(input, _windows.LEAST if least else _windows.GREATEST,
                               (_windows.places_of(footprint, origins), added), mode, cval,
                               input.dtype if structure is None else np.dtype("d"), dtype)
    for place, x in _support.views(name, input, footprint, origins, mode, cval) if result is None else []:
        if structure is not None:
            added = structure[place].item()
            x = x.astype("d", copy=False) + (-added if least else added)
        result = x if result is None else (_core.minimum if least else _core.maximum)(result, x)
    return _support.deliver(result, output, dtype)


@_documented
def minimum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The least elements of windows along an axis.

    Args:
        {input}
        size: How many elements the window has.
        {axis}
        {output}
        {mode}
        {cval}
        {origin}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.minimum_filter1d(x, 3)
    array([2, 0, 0, 0, 1, 1, 0, 0])
    """
    return _extreme1d("minimum_filter1d", input, size, axis, output, mode, cval, origin, True)


@_documented
def maximum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The greatest elements of windows along an axis.

    Args:
        {input}
        size: How many elements the window has.
        {axis}
        {output}
        {mode}
        {cval}
        {origin}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.maximum_filter1d(x, 3)
    array([8, 8, 8, 4, 9, 9, 9, 9])
    """
    return _extreme1d("maximum_filter1d", input, size, axis, output, mode, cval, origin, False)


@_documented
def minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, axes=None):
    """The least elements of windows.

    Args:
        {input}
        {size}
        {footprint}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.minimum_filter(x, 3)
    array([2, 0, 0, 0, 1, 1, 0, 0])
    """
    return extreme("minimum_filter", input, size, footprint, None, output, mode, cval, origin, axes, True)


@_documented
def maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, axes=None):
    """The greatest elements of windows.

    Args:
        {input}
        {size}
        {footprint}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.maximum_filter(x, 3)
    array([8, 8, 8, 4, 9, 9, 9, 9])
    """
    return extreme("maximum_filter", input, size, footprint, None, output, mode, cval, origin, axes, False)


# ---- ranks -----------------------------------------------------------------------------------------------------------


@functools.cache
def _network(n, rank):
    """The comparisons (i, j) that bring the element of a rank to its place among ``n``.

    Source: K. E. Batcher, Sorting networks and their applications (1968): odd-even merging. Those that the rank's place
    does not depend on are left out, from the last one back.
    """
    comparisons = []
    p = 1
    while p < n:
        k = p
        while k:
            for j in range(k % p, n - k, 2 * k):
                comparisons += [(i + j, i + j + k) for i in range(min(k, n - j - k))
                                if (i + j) // (2 * p) == (i + j + k) // (2 * p)]
            k //= 2
        p *= 2
    needed, kept = {rank}, []
    for i, j in reversed(comparisons):
        if i in needed or j in needed:
            kept.append((i, j, i in needed, j in needed))
            needed |= {i, j}
    return kept[::-1]


def _selected(elements, rank):
    """The element of a rank at each point of arrays of one shape."""
    if len(elements) > 16:
        return partition(_core.stack(elements, -1), rank, -1)[..., rank]
    wires = list(elements)
    for i, j, least, greatest in _network(len(wires), rank):
        a, b = wires[i], wires[j]
        if least:
            wires[i] = _core.minimum(a, b)
        if greatest:
            wires[j] = _core.maximum(a, b)
    return wires[rank]


def _ranked(name, input, rank_of, size, footprint, output, mode, cval, origin, axes):
    """The elements of the rank that ``rank_of`` gives for a number of elements."""
    _check_real(name, input)
    axes = _support.chosen_axes(axes, input.ndim)
    dtype = _support.check_output(name, input, output)
    footprint, sizes = window(name, input, size, footprint, axes)
    footprint = _full(tuple(sizes)) if footprint is None else footprint
    n = int(np.count_nonzero(footprint))
    rank = rank_of(n)
    rank = rank + n if rank < 0 else rank
    if not 0 <= rank < n:
        raise RuntimeError(f"{name}: the rank {rank} is not within the window of {n} elements")
    whole, origins = _support.over_all_axes(name, "footprint", footprint, input.ndim, axes, origin)
    for o, side in zip(origins, whole.shape):
        _support.check_origin(name, o, side)
    if rank in (0, n - 1):
        return extreme(name, input, None, footprint, None, output, mode, cval, origin, axes, rank == 0)
    if not isinstance(mode, str) and len(set(mode)) == 1:
        mode = next(iter(mode))
    if not input.size:
        return _support.deliver(input, output, dtype)
    _support.check_window(name, whole.shape, origins, mode)
    result = _windows.filtered(input, _windows.RANK, (_windows.places_of(whole, origins), None), mode, cval,
                               input.dtype, dtype, rank=rank)
    if result is None:
        result = _selected([x for _, x in _support.views(name, input, whole, origins, mode, cval)], rank)
    return _support.deliver(result, output, dtype)


@_documented
def rank_filter(input, rank, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, axes=None):
    """The elements of a rank in windows.

    Args:
        {input}
        rank: The rank: 0 is the least element, -1 the greatest.
        {size}
        {footprint}
        {output}
        {mode}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    What comes of NaN is not defined, as in SciPy.

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.rank_filter(x, 1, 3)
    array([2, 2, 4, 1, 4, 9, 9, 0])
    """
    rank = operator.index(rank)
    return _ranked("rank_filter", input, lambda n: rank, size, footprint, output, mode, cval, origin, axes)


@_documented
def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, axes=None):
    """The medians of windows; of an even number of elements the greater one of the two in the middle.

    Args:
        {input}
        {size}
        {footprint}
        {output}
        {mode}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    What comes of NaN is not defined, as in SciPy.

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.median_filter(x, 3)
    array([2, 2, 4, 1, 4, 9, 9, 0])
    """
    return _ranked("median_filter", input, lambda n: n // 2, size, footprint, output, mode, cval, origin, axes)


@_documented
def percentile_filter(input, percentile, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0,
                      axes=None):
    """The elements of windows below which a percentage of the others is.

    Args:
        {input}
        percentile: The percentage; counted from 100 down if negative.
        {size}
        {footprint}
        {output}
        {mode}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    What comes of NaN is not defined, as in SciPy.

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.percentile_filter(x, 20, 5)
    array([2, 2, 1, 1, 1, 1, 0, 0])
    """
    percentile = percentile + 100.0 if percentile < 0 else percentile
    if not 0 <= percentile <= 100:
        raise RuntimeError(f"percentile_filter: invalid percentile {percentile}")

    def rank(n):
        return n - 1 if percentile == 100 else int(float(n) * percentile / 100.0)

    return _ranked("percentile_filter", input, rank, size, footprint, output, mode, cval, origin, axes)
