"""Filters over windows by one kernel, which reads its input once and goes beyond edges by itself. Two along different
axes are one kernel of a GPU's where their windows are short, and one call on the CPU where the array is small.

What there is no kernel for is an expression over shifted views (``_support``).
"""

import functools

from tombac import _core
from tombac._numpy import np
from tombac._util import normalize_axis_index
from tombacx.scipy.ndimage import _support

SUM, MIRRORED, OPPOSED, MEAN, LEAST, GREATEST, RANK = range(7)  # tb_window_kind

# tb_spline_edge
_EDGES = {
    "mirror": 0, "reflect": 1, "grid-mirror": 1, "wrap": 2, "grid-wrap": 2, "nearest": 3, "constant": 4,
    "grid-constant": 4,
}
_CONSTANT = 4

def _line(ndim, axis, size, origin):
    """The places of a window along an axis: how far they are from the element that is computed."""
    places = np.zeros((size, ndim), "l")
    places[:, axis] = np.arange(size) - (size // 2 + origin)
    return places


@functools.lru_cache(256)
def line(ndim, kind, axis, size, origin, weights=None):
    """A window along an axis as the kernel takes it: its places, and its weights as an array, or None; these are given
    as bytes, of float64.
    """
    places = _line(ndim, axis, size, origin)
    listed = None if weights is None else np.frombuffer(weights)
    if kind == SUM:  # from the last one on, as in SciPy
        places, listed = np.roll(places, 1, 0), np.roll(listed, 1)
    return np.ascontiguousarray(places, "l"), listed


@functools.lru_cache(256)
def _listed(footprint, shape, origins):
    footprint = np.frombuffer(footprint, bool).reshape(shape)
    middle = [n // 2 + o for n, o in zip(shape, origins)]
    places = np.argwhere(footprint).reshape(np.count_nonzero(footprint), footprint.ndim) - np.array(middle, "l")
    return np.ascontiguousarray(places, "l")


def places_of(footprint, origins):
    """Those of a window's elements that count."""
    return _listed(footprint.tobytes(), footprint.shape, tuple(origins))


@functools.lru_cache(256)
def _edges(modes, ndim):
    return tuple(_EDGES[mode] for mode in ([modes] * ndim if isinstance(modes, str) else modes))


@functools.lru_cache(256)
def edges_along(ndim, axis, mode):
    """The modes of all axes where windows lie along one."""
    return tuple("nearest" if d != axis else mode for d in range(ndim))


@_support.cached_by_value
def along(name, kind, ndim, axis, size, origin, mode, weights=None):
    """(a window along an axis as of :func:`line`, the modes of all axes); refuses an axis, an origin or a mode."""
    axis = normalize_axis_index(axis, ndim)
    _support.check_origin(name, origin, size)
    _support.padding_mode(name, mode)
    return line(ndim, kind, axis, size, origin, weights), edges_along(ndim, axis, mode)


_DOUBLE = np.dtype("d")


def plan(name, kind, ndim, axis, size, origin, mode, weights=None):
    """What :func:`promptly` takes of a filter along an axis; None where edges are constant."""
    (places, listed), modes = along(name, kind, ndim, axis, size, origin, mode, weights)
    edges = _edges(modes, ndim)
    return None if _CONSTANT in edges else (kind, places, listed, 0, edges, 0, _DOUBLE)


def plan_of_two(ndim, first, second):
    """The same of two windows (:func:`window`), and what the call ends with; None: they are none for one call."""
    if None in (first, second):
        return None
    modes, kind, (places, listed), then = _pair(ndim, first, second)
    edges = _edges(modes, ndim)
    return None if _CONSTANT in edges else ((kind, places, listed, 0, edges, 0, _DOUBLE), then)


def promptly(x, output, planned, then=()):
    """``x`` filtered by one call and no more than that, if numbers are real and stay of their dtype; else None, as
    where there is no kernel."""
    dtype = x.dtype
    if planned is None or not (output is None or output is dtype) or dtype.kind not in "fiu" or not x.size:
        return None
    try:
        return _core._window_filter(x, *planned, dtype, *then)
    except NotImplementedError:
        return None


def pays(x, size):
    """Whether least and greatest elements and means of so many along an axis are to have a kernel: on the CPU short
    windows of large arrays are a matter of memory, over which expressions go once less.
    """
    return size > 6 or x.size <= 1 << 18 or _core.backend() != "cpu"


def filtered(x, kind, window, modes, cval, work, dtype, rank=0, then=()):
    """``x`` filtered, as an array of ``dtype`` computed in dtype ``work``; None where there is no kernel for it.

    ``window``: the places and the weights, or None for these. ``modes`` is a tuple of one mode for each axis, or
    one for all. Where edges are constant and ``work`` does not have ``cval``, real numbers are computed in float64.
    Numbers whose whole parts are truth values are given as they are.
    ``then``: kind, places and weights of a second filter.
    """
    if not x.size:
        return None
    edges = _edges(modes, x.ndim)
    if _CONSTANT in edges:
        cval = cval.item() if isinstance(cval, _core.ndarray) else cval
        if not _support.holds(work, cval):
            if isinstance(cval, complex):
                return None
            work = np.dtype("d")
    else:
        cval = 0
    if dtype.kind == "b" and work.kind == "f":
        dtype = work
    places, weights = window
    if weights is not None and weights.dtype != work:
        weights = weights.astype(work)
    try:
        return _core._window_filter(x, kind, places, weights, rank, edges, cval, work, dtype, *then)
    except NotImplementedError:  # no room for such a window, or work is outstanding on the CPU
        return None


_SHORT = 9  # places of windows of which two are one kernel of a GPU's
_SMALL = 1 << 14  # elements of which two filters are one call on the CPU: of more the host's time is little


def is_short(size):
    return 1 < size <= (_SHORT if _core.backend() != "cpu" else _SMALL)


def window(kind, row, size, weights=None):
    """A filter along an axis as ``filtered_twice`` takes it: that of a ``row`` of options, with ``size`` places and the
    bytes of as many weights, or None.
    """
    origin, mode = row.get("origin", 0), row.get("mode")
    if not (isinstance(size, int) and isinstance(origin, int) and is_short(size) and 0 <= size // 2 + origin < size
            and isinstance(mode, str) and mode in _EDGES):
        return None  # what is wrong with it is said elsewhere
    return kind, row["axis"], size, origin, mode, weights


def is_for_two(x):
    return x.size <= _SMALL or _core.backend() != "cpu"


def filtered_twice(x, first, second, cval, dtype):
    """What the second of two windows (``window``) makes of what the first one makes, which is rounded to ``dtype``;
    None where there is no kernel for it.
    """
    if not x.size or None in (first, second) or "c" in (x.dtype.kind, dtype.kind) or dtype.kind == "b":
        return None
    if not is_for_two(x):
        return None
    modes, kind, window, then = _pair(x.ndim, first, second)
    if kind > MEAN and x.dtype != dtype and any(t.kind in "iu" and t.itemsize == 8 for t in (x.dtype, dtype)):
        return None  # float64 would round them
    work = np.dtype("d") if kind <= MEAN or x.dtype != dtype else dtype
    return filtered(x, kind, window, modes, cval, work, dtype, then=then)


@functools.lru_cache(256)
def _pair(ndim, first, second):
    """(the modes of all axes, the first kind, its places and weights, the kind, places and weights of the second)"""
    modes, listed = ["nearest"] * ndim, []
    for kind, axis, size, origin, mode, weights in (first, second):
        modes[axis] = mode
        listed.append((kind, *line(ndim, kind, axis, size, origin, weights)))
    (kind, *window), then = listed
    return tuple(modes), kind, window, then


def one_after_another(name, filter1d, input, output, rows, cval, windows=()):
    """A filter along each axis in turn, each of which rounds to the result's dtype, as in SciPy.

    ``windows``: what the last two rows are as :func:`window`.
    """
    dtype = _support.any_output(name, input, output)
    for row in rows[:-2]:
        input = filter1d(input, output=dtype, cval=cval, **row)
    if len(windows) > 1:
        result = filtered_twice(input, *windows, cval, dtype)
        if result is not None:
            return _support.deliver(result, output, dtype)
    if len(rows) > 1:
        input = filter1d(input, output=dtype, cval=cval, **rows[-2])
    if rows:
        return filter1d(input, output=output if isinstance(output, _core.ndarray) else dtype, cval=cval, **rows[-1])
    return _support.deliver(input.copy() if output is None else input, output, dtype)
