"""Windows made for a level of side lobes, sums of as many cosines as that takes; and for the energy in the main one."""

import math
import warnings

from tombac import _core
from tombac._core import cos, where
from tombac.fft import rfft
from tombacx.scipy._host import device, host, scipy_module
from tombacx.scipy.signal.windows._points import documented as _documented
from tombacx.scipy.signal.windows._points import window as _window

__all__ = ["chebwin", "dpss", "taylor"]


@_documented
def chebwin(M, at, sym=True):
    """The Dolph-Chebyshev window: the narrowest main lobe for side lobes of a given level.

    Args:
        {M}
        at: The attenuation of the side lobes, in dB.
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    The work grows with the square of ``M``. Below 45 dB a warning says that it is not for spectral analysis.
    Source: C. L. Dolph, A current distribution for broadside arrays, Proceedings of the IRE 34 (1946).

    >>> tombacx.scipy.signal.windows.chebwin(3, 100)
    array([0.50001, 1.     , 0.50001])
    """
    if abs(at) < 45:
        warnings.warn("chebwin: below 45 dB of attenuation the noise bandwidth does not grow with it; the window is "
                      "not for spectral analysis", stacklevel=2)

    def values(t, points):
        n = _core.arange(points)
        spectrum = _chebyshev(points - 1, math.acosh(10 ** (abs(at) / 20)), n)
        w = rfft(spectrum, 2 * points).real[abs(t).astype(int)]
        return w / w.max()

    return _window("chebwin", M, sym, values)


def _chebyshev(order, area, n):
    """The Chebyshev polynomial of that order at cosh(area / order) cos(pi n / (order + 1)): the window's spectrum."""
    x = math.cosh(area / order) * cos((math.pi / (order + 1)) * n)
    beyond = _core.cosh(order * _core.arccosh(_core.maximum(_core.absolute(x), 1.0)))
    within = cos(order * _core.arccos(_core.clip(x, -1.0, 1.0)))
    return where(x > 1, beyond, where(x < -1, beyond if order % 2 == 0 else -beyond, within))


@_documented
def taylor(M, nbar=4, sll=30, norm=True, sym=True):
    """The Taylor window: side lobes near the main one of nearly the same level, and falling beyond.

    Args:
        {M}
        nbar: How many side lobes are of nearly the same level.
        sll: How far below the main lobe these are, in dB.
        norm: Whether the window is divided by its value in the middle.
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    Source: W. G. Carrara, R. M. Majewski, R. S. Goodman, Spotlight Synthetic Aperture Radar (1995), appendix D.

    >>> tombacx.scipy.signal.windows.taylor(3)
    array([0.46690632, 1.        , 0.46690632])
    """
    factors = _taylor_factors(nbar, sll)
    middle = 1 + 2 * sum(factors)

    def values(t, points):
        total = 1.0 + 0.0 * t
        for m, factor in enumerate(factors, 1):
            total = total + 2 * factor * cos((m * math.pi / points) * t)
        return total / middle if norm else total

    return _window("taylor", M, sym, values)


def _taylor_factors(nbar, sll):
    """The weights of the cosines, of which there are a few: numbers on the host."""
    a = math.acosh(10 ** (sll / 20)) / math.pi
    s2 = nbar**2 / (a**2 + (nbar - 0.5) ** 2)
    factors = []
    for m in range(1, nbar):
        above = math.prod(1 - m * m / s2 / (a**2 + (i - 0.5) ** 2) for i in range(1, nbar))
        below = math.prod(1 - m * m / (i * i) for i in range(1, nbar) if i != m)
        factors.append((1 if m % 2 else -1) * above / (2 * below))
    return factors


@_documented
def dpss(M, NW, Kmax=None, sym=True, norm=None, return_ratios=False):
    """Slepian's discrete prolate spheroidal sequences: the most of their energy is in the main lobe.

    Args:
        {M}
        NW: Half the width of the main lobe, in 1 / M of the sampling frequency.
        Kmax: How many sequences, of orders 0, 1, ...; None for the first one alone.
        {sym}
        norm: What is 1: 2 for the sum of squares, 'approximate' or 'subsample' for the largest value, or where it would
            be between two points; None is 2 if there is ``Kmax``, else 'approximate'.
        return_ratios: Whether the parts of the energy in the main lobe come too.

    Returns:
        An array of float64 and shape (M,), or (Kmax, M). With ``return_ratios`` a tuple of it and an array of ratios,
        of shape (Kmax,) or without dimensions.

    Raises:
        ValueError: ``M`` is negative or no whole number, or the other numbers do not fit, in SciPy's words.
        ImportError: SciPy is not installed.

    It is computed by SciPy on the host.
    Source: D. Slepian, Prolate spheroidal wave functions, Fourier analysis, and uncertainty V, Bell System Technical
    Journal 57 (1978).

    >>> tombacx.scipy.signal.windows.dpss(5, 2).round(3)
    array([0.187, 0.685, 1.   , 0.685, 0.187])
    """
    windows = scipy_module("scipy.signal.windows", "dpss")
    return device(windows.dpss(host(M), host(NW), Kmax, sym, norm, return_ratios))
