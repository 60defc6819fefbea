"""Views with shapes and strides of one's choice."""

from tombac._core import _on_host, asarray, broadcast_to
from tombac._core import as_strided as _as_strided
from tombac._manipulation import broadcast_arrays
from tombac._util import as_tuple, check_arrays, normalize_axis_tuple

__all__ = ["as_strided", "broadcast_arrays", "broadcast_to", "sliding_window_view"]


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    """A view of ``x``'s memory with the given shape and byte strides, checked to stay within it.

    ``subok`` and ``writeable`` are accepted and have no effect: being read-only is a property of memory here.
    """
    check_arrays("as_strided", x)
    return _as_strided(x, shape, strides)


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """A view of all windows of ``window_shape`` along the axes; the windows are the last dimensions.

    ``subok`` and ``writeable`` are accepted and have no effect: the view can always be written to.

    >>> sliding_window_view(tombac.arange(4), 3)
    array([[0, 1, 2],
           [1, 2, 3]])
    """
    if isinstance(x, (tuple, list)):
        x = asarray(x)
    check_arrays("sliding_window_view", x)
    window = as_tuple(_on_host(window_shape))
    if any(w < 0 for w in window):
        raise ValueError("sliding_window_view: window_shape must not be negative")
    axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim, allow_duplicate=True)
    if len(window) != len(axes):
        why = "Since axis is `None`, the window has a length for every axis: " if axis is None else ""
        raise ValueError(f"sliding_window_view: {why}{len(window)} window lengths for {len(axes)} axes")
    shape = list(x.shape)
    for d, w in zip(axes, window):
        if shape[d] < w:
            raise ValueError("sliding_window_view: window shape cannot be larger than input array shape")
        shape[d] -= w - 1
    return _as_strided(x, tuple(shape) + window, x.strides + tuple(x.strides[d] for d in axes))
