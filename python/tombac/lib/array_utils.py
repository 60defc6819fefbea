"""Axes and the memory of arrays: ``numpy.lib.array_utils``."""

from tombac._miscellany import byte_bounds
from tombac._util import normalize_axis_index, normalize_axis_tuple

__all__ = ["byte_bounds", "normalize_axis_index", "normalize_axis_tuple"]
