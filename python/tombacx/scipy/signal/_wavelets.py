"""Wavelets and a spline at given points: each is one expression."""

import math

from tombac import _core
from tombac._core import arange, asarray, exp

__all__ = ["gauss_spline", "morlet", "morlet2", "qmf", "ricker"]


def _centred(M):
    """-(M - 1) / 2, ..., (M - 1) / 2."""
    return arange(M, dtype=float) - (M - 1) / 2


def morlet(M, w=5.0, s=1.0, complete=True):
    """A Morlet wavelet from -2 pi s to 2 pi s.

    Args:
        M: How many points it has.
        w: The frequency.
        s: By how much it is scaled.
        complete: Whether a constant is subtracted, so that its mean is 0.

    Returns:
        An array of complex128 and shape (M,).

    Raises:
        ValueError: ``M`` is negative.

    SciPy has it no longer.

    >>> tombacx.scipy.signal.morlet(3).real.round(3)
    array([0.   , 0.751, 0.   ])
    """
    x = _core.linspace(-2 * math.pi * s, 2 * math.pi * s, M)
    wave = exp(1j * w * x)
    if complete:
        wave = wave - math.exp(-0.5 * w * w)
    return wave * exp(-0.5 * x * x) * math.pi**-0.25


def morlet2(M, s, w=5):
    """A Morlet wavelet of given width, as cwt takes it.

    Args:
        M: How many points it has.
        s: The width.
        w: The frequency.

    Returns:
        An array of complex128 and shape (M,).

    Raises:
        ZeroDivisionError: ``s`` is 0.

    SciPy has it no longer.

    >>> tombacx.scipy.signal.morlet2(3, 2.0).round(3)
    array([-0.376-0.281j,  0.531+0.j   , -0.376+0.281j])
    """
    x = _centred(M) * (1 / s)
    return exp(1j * w * x) * exp(-0.5 * x * x) * (math.pi**-0.25 * math.sqrt(1 / s))


def ricker(points, a):
    """A Ricker wavelet: the negative second derivative of a Gaussian.

    Args:
        points: How many points it has.
        a: The width.

    Returns:
        An array of float64 and shape (points,).

    Raises:
        ZeroDivisionError: ``a`` is 0.

    SciPy has it no longer.

    >>> tombacx.scipy.signal.ricker(3, 1.0).round(3)
    array([0.   , 0.867, 0.   ])
    """
    x = _centred(points)
    squared = x * x * (1 / a**2)
    return (2 / (math.sqrt(3 * a) * math.pi**0.25)) * (1 - squared) * exp(-0.5 * squared)


def qmf(hk):
    """The high-pass filter that goes with a low-pass filter, by quadrature: reversed, every second sign changed.

    Args:
        hk: The coefficients of the low-pass filter: a vector or a sequence.

    Returns:
        An array of the same shape and dtype.

    Raises:
        ValueError: ``hk`` is no vector.

    SciPy has it no longer.

    >>> tombacx.scipy.signal.qmf([1.0, 2.0, 3.0])
    array([ 3., -2.,  1.])
    """
    hk = asarray(hk)
    if hk.ndim != 1:
        raise ValueError(f"qmf: hk must be a vector, and has shape {hk.shape}")
    mirrored = hk[::-1].copy()
    mirrored[1::2] *= -1
    return mirrored


def gauss_spline(x, n):
    """The Gaussian that a B-spline of high order is like.

    Args:
        x: The points: an array of real numbers, or a sequence.
        n: The order of the spline.

    Returns:
        An array of the shape of ``x``.

    Raises:
        ZeroDivisionError: ``n`` is -1.

    >>> tombacx.scipy.signal.gauss_spline(tombac.array([0.0, 0.5, 1.0]), 3).round(3)
    array([0.691, 0.475, 0.154])
    """
    x, variance = asarray(x), (n + 1) / 12
    return (1 / math.sqrt(2 * math.pi * variance)) * exp(x * x * (-0.5 / variance))
