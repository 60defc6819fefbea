"""Methods of ndarray that are compositions: this gives them to the type, which is written in C."""

from tombac import _core, _manipulation, _select


def choose(self, choices, out=None, mode="raise"):
    """See tombac.choose."""
    return _select.choose(self, choices, out, mode)


def compress(self, condition, axis=None, out=None):
    """See tombac.compress."""
    return _select.compress(condition, self, axis, out)


def nonzero(self):
    """See tombac.nonzero."""
    return _core.nonzero(self)


def repeat(self, repeats, axis=None):
    """See tombac.repeat."""
    return _manipulation.repeat(self, repeats, axis)


def scatter_add(self, slices, value):
    """self[slices] += value, where an index that is repeated counts every time."""
    _core.add.at(self, slices, value)


def scatter_max(self, slices, value):
    """self[slices] = maximum(self[slices], value), where an index that is repeated counts every time."""
    _core.maximum.at(self, slices, value)


def scatter_min(self, slices, value):
    """self[slices] = minimum(self[slices], value), where an index that is repeated counts every time."""
    _core.minimum.at(self, slices, value)


for _method in (choose, compress, nonzero, repeat, scatter_add, scatter_max, scatter_min):
    _core._add_method(_method.__name__, _method)
