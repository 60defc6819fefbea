"""Helpers that NumPy keeps in ``numpy.lib``."""

from tombac.lib import array_utils, scimath, stride_tricks

__all__ = ["array_utils", "scimath", "stride_tricks"]
