"""Updates at indices that may repeat, in place."""

from tombac import _core


def scatter_add(a, slices, value):
    """a[slices] += value in place, where an index that is repeated counts every time."""
    _core.add.at(a, slices, value)


def scatter_max(a, slices, value):
    """a[slices] = maximum(a[slices], value) in place, where an index that is repeated counts every time."""
    _core.maximum.at(a, slices, value)


def scatter_min(a, slices, value):
    """a[slices] = minimum(a[slices], value) in place, where an index that is repeated counts every time."""
    _core.minimum.at(a, slices, value)
