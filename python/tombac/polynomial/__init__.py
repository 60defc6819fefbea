"""Polynomials by coefficients, the lowest power first: what CuPy has of ``numpy.polynomial``."""

from tombac.polynomial import polynomial, polyutils

__all__ = ["polynomial", "polyutils"]
