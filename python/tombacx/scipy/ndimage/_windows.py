"""Filters over windows by one kernel of a GPU's, which reads its input once and goes beyond edges by itself.

The CPU has the same filters as expressions over shifted views (``_support``).
"""

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
    return np.argwhere(footprint).reshape(-1, footprint.ndim) - np.array(middle, "l")


def filtered(x, kind, places, modes, cval, work, dtype, weights=None, rank=0):
    """``x`` filtered, as an array of ``dtype`` computed in dtype ``work``; None where there is no kernel for it.

    ``modes`` has one mode for each axis, or is one for all. Where edges are constant and ``work`` does not have
    ``cval``, real numbers are computed in float64.
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
    if weights is not None:
        weights = np.ascontiguousarray(weights, work)
    try:
        return _core._window_filter(x, kind, np.ascontiguousarray(places, "l"), weights, rank, edges, cval, work, dtype)
    except NotImplementedError:  # no room for such a window
        return None
