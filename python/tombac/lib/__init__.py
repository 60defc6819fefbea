"""Helpers that NumPy keeps in ``numpy.lib``."""

from tombac.lib import stride_tricks

__all__ = ["stride_tricks"]
