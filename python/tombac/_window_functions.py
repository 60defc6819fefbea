"""Windows by which the ends of a signal are faded: each is one kernel."""

import math

from tombac import _core
from tombac._core import arange, cos, where

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def _window(name, M, values):
    """``values(n, M - 1)`` of n = 1-M, 3-M, ..., M-1."""
    if isinstance(M, complex) or getattr(M, "ndim", 0):
        raise TypeError(f"{name}: M must be a real number, not {type(M)}")
    M = M.item() if hasattr(M, "item") else M
    if M < 1:
        return _core.empty(0, float)
    if M == 1:
        return _core.ones(1, float)
    return values(arange(1 - M, M, 2, float), M - 1)


def bartlett(M):
    """The Bartlett window, a triangle: ``M`` points in float64, the first and the last zero.

    Args:
        M: A number, or an array without dimensions; below 1 there are no points.

    Returns:
        An array of float64 and one dimension.

    Raises:
        TypeError: ``M`` is complex, or has dimensions.

    >>> import tombac as tb
    >>> tb.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _window("bartlett", M, lambda n, m: where(n <= 0, 1 + n / m, 1 - n / m))


def blackman(M):
    """The Blackman window: ``M`` points in float64, of the first three terms of a cosine series.

    Args:
        M: A number, or an array without dimensions; below 1 there are no points.

    Returns:
        An array of float64 and one dimension.

    Raises:
        TypeError: ``M`` is complex, or has dimensions.

    >>> import tombac as tb
    >>> tb.blackman(5).round(2)
    array([-0.  ,  0.34,  1.  ,  0.34, -0.  ])
    """
    return _window("blackman", M,
                   lambda n, m: 0.42 + 0.5 * cos(math.pi * n / m) + 0.08 * cos(2.0 * math.pi * n / m))


def hamming(M):
    """The Hamming window, a cosine on a step: ``M`` points in float64.

    Args:
        M: A number, or an array without dimensions; below 1 there are no points.

    Returns:
        An array of float64 and one dimension.

    Raises:
        TypeError: ``M`` is complex, or has dimensions.

    >>> import tombac as tb
    >>> tb.hamming(5)
    array([0.08, 0.54, 1.  , 0.54, 0.08])
    """
    return _window("hamming", M, lambda n, m: 0.54 + 0.46 * cos(math.pi * n / m))


def hanning(M):
    """The Hann window, a cosine: ``M`` points in float64, the first and the last zero.

    Args:
        M: A number, or an array without dimensions; below 1 there are no points.

    Returns:
        An array of float64 and one dimension.

    Raises:
        TypeError: ``M`` is complex, or has dimensions.

    >>> import tombac as tb
    >>> tb.hanning(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _window("hanning", M, lambda n, m: 0.5 + 0.5 * cos(math.pi * n / m))


def kaiser(M, beta):
    """The Kaiser window, of a Bessel function: ``M`` points in float64.

    Args:
        M: The number of points; below one, the result is empty.
        beta: The shape: 0 is a rectangle, 5 near a Hamming window, 6 near a Hann window, 8.6 near a Blackman window.

    Returns:
        An array of float64 and one dimension.

    Raises:
        TypeError: ``M`` is complex, or has dimensions.

    >>> import tombac as tb
    >>> tb.kaiser(3, 0.0)
    array([1., 1., 1.])
    """
    beta = beta.item() if hasattr(beta, "item") else beta

    def values(n, m):
        ratio = (arange(m + 1, dtype=float) - m / 2.0) / (m / 2.0)
        return _core.i0(beta * _core.sqrt(1 - ratio**2.0)) / _core.i0(float(beta))

    return _window("kaiser", M, values)
