"""Fast Hankel transforms on logarithmic grids (FFTLog).

A. J. S. Hamilton, "Uncorrelated modes of the non-linear power spectrum", Monthly Notices of the Royal Astronomical
Society 312 (2000), appendix B: the transform of a power law r^(q + i y) is one of k with a known coefficient, so that
between logarithms of r and k it is a convolution.
"""

import math

import numpy as np

from tombac import _core
from tombac._numpy import host_module
from tombac._util import as_device
from tombac.fft import irfft, rfft

__all__ = ["fht", "ifht"]


def _coefficients(n, dln, mu, offset, bias, inverse):
    """Of the first n // 2 + 1 frequencies, on the host: they depend on no array."""
    special = host_module("scipy.special")
    loggamma, poch = special.loggamma, special.poch
    above, below = (mu + 1 + bias) / 2, (mu + 1 - bias) / 2
    y = np.linspace(0, math.pi * (n // 2) / (n * dln), n // 2 + 1)
    up, down = loggamma(above + 1j * y), loggamma(below + 1j * y)
    size = bias * math.log(2) + up.real - down.real
    turn = up.imag + down.imag + 2 * y * (math.log(2) - offset)
    with np.errstate(all="ignore"):
        u = np.exp(size + 1j * turn)
    if n % 2 == 0:
        u[-1] = u[-1].real
    if not np.isfinite(u[0]):  # both gamma functions have a pole, or one: their ratio may be finite
        u[0] = 2**bias * poch(below, above - below)
    return 1 / u.conj() if inverse else u


def _transform(name, a, dln, mu, offset, bias, inverse):
    a, dln, mu, offset, bias = as_device(name, a), float(dln), float(mu), float(offset), float(bias)
    if a.dtype.kind == "c":
        raise TypeError(f"{name}: a must be real, not {a.dtype}")
    n = a.shape[-1]
    j = _core.arange(n, dtype="d") - (n - 1) / 2
    if bias != 0:
        a = a * _core.exp((j * dln + offset) * bias if inverse else j * (-bias * dln))
    u = _core.array(_coefficients(n, dln, mu, offset, bias, inverse), "F" if a.dtype.char in "ef" else "D")
    result = irfft(rfft(a) * u, n)[..., ::-1]
    if bias != 0:
        result = result / _core.exp(j * (-bias * dln)) if inverse else result * _core.exp((j * dln + offset) * -bias)
    return result


def fht(a, dln, mu, offset=0.0, bias=0.0):
    """The fast Hankel transform along the last axis: at logarithmically spaced points.

    Args:
        a: A real array.
        dln: Distance between the points' logarithms.
        mu: The order of the Bessel function.
        offset: Of the result's points: the logarithm of the product of the central points.
        bias: Exponent of a power law by which the input is multiplied.

    Returns:
        An array of a's shape; where there is no bias float32 stays, otherwise it is of float64.

    Raises:
        TypeError: ``a`` is no tombac array, or complex.
        ImportError: SciPy is not installed, whose gamma function the coefficients need.

    >>> import tombac, tombacx.scipy.fft
    >>> a = tombac.exp(-tombac.linspace(-1, 1, 4) ** 2)
    >>> tombacx.scipy.fft.ifht(tombacx.scipy.fft.fht(a, 0.5, 0.5), 0.5, 0.5).round(8)
    array([0.36787944, 0.89483932, 0.89483932, 0.36787944])
    """
    return _transform("fht", a, dln, mu, offset, bias, False)


def ifht(A, dln, mu, offset=0.0, bias=0.0):
    """The inverse of :func:`fht`.

    Args:
        A: A real array.
        dln: Distance between the points' logarithms.
        mu: The order of the Bessel function.
        offset: The logarithm of the product of the central points.
        bias: Exponent of a power law by which the input was multiplied.

    Returns:
        An array of A's shape; where there is no bias float32 stays, otherwise it is of float64.

    Raises:
        TypeError: ``A`` is no tombac array, or complex.
        ImportError: SciPy is not installed, whose gamma function the coefficients need.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.ifht(tombac.zeros(3), 0.5, 0.5)
    array([0., 0., 0.])
    """
    return _transform("ifht", A, dln, mu, offset, bias, True)
