"""The connected objects of an array: on the CPU by runs of elements, on a device in passes until nothing changes."""

from tombac import _core
from tombac._core import where
from tombacx.scipy.ndimage import _support


def labelled(input, structure):
    """(labels, how many) of what is not zero. On the CPU in one pass over runs of elements."""
    if _core.backend() == "cpu":
        return _core._label(input, structure.tobytes())
    return _hooked(input != 0, structure)


def _hooked(inside, structure):
    """The same on a device: an element's parent is an element of its object that comes before it, or is itself."""
    size = inside.size
    if not size:
        return inside.astype(int), 0
    if not inside.ndim:
        return inside.astype(int), int(inside)
    index = _core.arange(size).reshape(inside.shape)
    structure = structure.copy()
    structure[(1,) * structure.ndim] = True
    parent = index
    while True:
        candidates = where(inside, parent, size)
        least = None
        for _, near in _support.views("label", candidates, structure, [0] * inside.ndim, "constant", size):
            least = near if least is None else _core.minimum(least, near)
        hooked = parent.ravel().copy()
        _core.minimum.at(hooked, parent.ravel(), where(inside, least, index).ravel())
        hooked = hooked[hooked]
        hooked = hooked[hooked].reshape(inside.shape)
        same = (hooked == parent).all()
        parent = hooked
        if same:
            break
    number = (inside & (parent == index)).ravel().cumsum()
    return where(inside, number[parent], 0), int(number[-1])
