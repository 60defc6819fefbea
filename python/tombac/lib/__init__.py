"""Helpers that NumPy keeps in ``numpy.lib``."""

from tombac.lib import scimath, stride_tricks

__all__ = ["scimath", "stride_tricks"]
