"""Filters over windows by one kernel of a GPU's, which reads its input once and goes beyond edges by itself. Two along
different axes are one kernel where their windows are short.

The CPU has the same filters as expressions over shifted views (``_support``).
"""

import functools

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.ndimage import _support

SUM, MIRRORED, OPPOSED, MEAN, LEAST, GREATEST, RANK = range(7)  # tb_window_kind

# tb_spline_edge
_EDGES = {
    "mirror": 0, "reflect": 1, "grid-mirror": 1, "wrap": 2, "grid-wrap": 2, "nearest": 3, "constant": 4,
    "grid-constant": 4,
}


def line(ndim, axis, size, origin):
    """The places of a window along an axis: how far they are from the element that is computed."""
    places = np.zeros((size, ndim), "l")
    places[:, axis] = np.arange(size) - (size // 2 + origin)
    return places


def places_of(footprint, origins):
    """Those of a window's elements that count."""
    middle = [n // 2 + o for n, o in zip(footprint.shape, origins)]
    return np.argwhere(footprint).reshape(np.count_nonzero(footprint), footprint.ndim) - np.array(middle, "l")


def filtered(x, kind, window, modes, cval, work, dtype, rank=0, then=()):
    """``x`` filtered, as an array of ``dtype`` computed in dtype ``work``; None where there is no kernel for it.

    ``window()`` gives the places and the weights, or None for these: what many calls on the CPU need not make.
    ``modes`` has one mode for each axis, or is one for all. Where edges are constant and ``work`` does not have
    ``cval``, real numbers are computed in float64. ``then``: kind, places and weights of a second filter.
    """
    if _core.backend() == "cpu" or not x.size:
        return None
    modes = [modes] * x.ndim if isinstance(modes, str) else modes
    edges = tuple(_EDGES[mode] for mode in modes)
    if 4 in edges:
        cval = cval.item() if isinstance(cval, _core.ndarray) else cval
        if not _support.holds(np.dtype(work), cval):
            if isinstance(cval, complex):
                return None
            work = "d"
    else:
        cval = 0
    places, weights = window()
    if weights is not None:
        weights = np.ascontiguousarray(weights, work)
    try:
        return _core._window_filter(x, kind, np.ascontiguousarray(places, "l"), weights, rank, edges, cval, work, dtype,
                                    *then)
    except NotImplementedError:  # no room for such a window
        return None


SHORT = 9  # places


def window(kind, row, size, weights=None):
    """A filter along an axis as ``filtered_twice`` takes it: that of a ``row`` of options, with ``size`` places and the
    bytes of as many weights, or None.
    """
    origin, mode = row.get("origin", 0), row.get("mode")
    if not (isinstance(size, int) and isinstance(origin, int) and 1 < size <= SHORT and 0 <= size // 2 + origin < size
            and isinstance(mode, str) and mode in _EDGES):
        return None  # what is wrong with it is said elsewhere
    return kind, row["axis"], size, origin, mode, weights


@functools.lru_cache(256)
def _listed(ndim, kind, axis, size, origin, weights):
    """A window as the kernel takes it: its places, and its weights as an array, or None."""
    places = line(ndim, axis, size, origin)
    listed = None if weights is None else np.frombuffer(weights)
    if kind == SUM:  # from the last one on, as in SciPy
        places, listed = np.roll(places, 1, 0), np.roll(listed, 1)
    return np.ascontiguousarray(places, "l"), listed


def filtered_twice(x, first, second, cval, dtype):
    """What the second of two windows (``window``) makes of what the first one makes, which is rounded to ``dtype``;
    None where there is no kernel for it.
    """
    if not x.size or "c" in (x.dtype.kind, dtype.kind) or None in (first, second):
        return None
    modes, listed = ["nearest"] * x.ndim, []
    for kind, axis, size, origin, mode, weights in (first, second):
        modes[axis] = mode
        listed.append((kind, *_listed(x.ndim, kind, axis, size, origin, weights)))
    (kind, places, weights), then = listed
    if kind > MEAN and x.dtype != dtype and any(t.kind in "iu" and t.itemsize == 8 for t in (x.dtype, dtype)):
        return None  # float64 would round them
    work = "d" if kind <= MEAN or x.dtype != dtype else x.dtype
    return filtered(x, kind, lambda: (places, weights), modes, cval, work, dtype, then=then)
