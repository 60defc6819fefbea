"""Windows that are not sums of a few cosines: triangles, powers, exponentials, Bessel functions."""

import math

from tombac import _core
from tombac._core import absolute, cos, exp, where
from tombacx.scipy.signal.windows._points import documented as _documented
from tombacx.scipy.signal.windows._points import window as _window

__all__ = [
    "barthann", "bartlett", "bohman", "boxcar", "cosine", "exponential", "gaussian", "general_gaussian", "kaiser",
    "kaiser_bessel_derived", "lanczos", "parzen", "triang",
]


@_documented
def boxcar(M, sym=True):
    """A rectangle: all points are 1.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.boxcar(3)
    array([1., 1., 1.])
    """
    return _window("boxcar", M, sym, lambda t, points: _core.ones(t.size))


@_documented
def triang(M, sym=True):
    """A triangle, whose ends are not zero.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.triang(5)
    array([0.33333333, 0.66666667, 1.        , 0.66666667, 0.33333333])
    """
    def values(t, points):
        return 1 - absolute(t) / (points + points % 2)

    return _window("triang", M, sym, values)


@_documented
def bartlett(M, sym=True):
    """The Bartlett window, a triangle whose ends are zero.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _window("bartlett", M, sym, lambda t, points: 1 - absolute(t) / (points - 1))


@_documented
def parzen(M, sym=True):
    """The Parzen window, of cubic pieces.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    Source: E. Parzen, Mathematical considerations in the estimation of spectra, Technometrics 3 (1961).

    >>> tombacx.scipy.signal.windows.parzen(3)
    array([0.07407407, 1.        , 0.07407407])
    """
    def values(t, points):
        x = absolute(t) / points
        return where(absolute(t) <= (points - 1) / 2, 1 - 6 * x * x * (1 - x), 2 * (1 - x) ** 3.0)

    return _window("parzen", M, sym, values)


@_documented
def bohman(M, sym=True):
    """The Bohman window, the convolution of two halves of a cosine.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.bohman(5)
    array([0.        , 0.31830989, 1.        , 0.31830989, 0.        ])
    """
    def values(t, points):
        x = absolute(t) / (points - 1)
        return where(x < 1, (1 - x) * cos(math.pi * x) + _core.sin(math.pi * x) / math.pi, 0.0)

    return _window("bohman", M, sym, values)


@_documented
def barthann(M, sym=True):
    """The Bartlett-Hann window, between a triangle and a cosine.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.barthann(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    def values(t, points):
        x = absolute(t) / (2 * (points - 1))
        return 0.62 - 0.48 * x + 0.38 * cos(2 * math.pi * x)

    return _window("barthann", M, sym, values)


@_documented
def cosine(M, sym=True):
    """Half a wave of a sine, whose ends are not zero.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.cosine(3)
    array([0.5, 1. , 0.5])
    """
    return _window("cosine", M, sym, lambda t, points: cos((math.pi / 2 / points) * t))


def _falling(x):
    """exp(x), as the square of what does not underflow: what does is slow, and long windows are mostly that."""
    half = exp(_core.maximum(0.5 * x, -400.0))
    return half * half


@_documented
def gaussian(M, std, sym=True):
    """A Gaussian curve.

    Args:
        {M}
        std: Its standard deviation, in points.
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.gaussian(3, 2.0)
    array([0.8824969, 1.       , 0.8824969])
    """
    def values(t, points):
        n = t / 2
        return _falling(-(n * n) / (2 * std * std))

    return _window("gaussian", M, sym, values)


@_documented
def general_gaussian(M, p, sig, sym=True):
    """A Gaussian curve, or one flatter or more pointed: exp(-|x / sig|^(2 p) / 2).

    Args:
        {M}
        p: The shape: 1 is a Gaussian curve, 0.5 a Laplace distribution's.
        sig: The width, in points.
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.general_gaussian(3, 1.5, 2.0)
    array([0.93941306, 1.        , 0.93941306])
    """
    return _window("general_gaussian", M, sym, lambda t, points: _falling(-0.5 * absolute(t / (2 * sig)) ** (2 * p)))


@_documented
def exponential(M, center=None, tau=1.0, sym=True):
    """An exponential function on either side of its centre.

    Args:
        {M}
        center: Where it is 1, counted from the first point; the middle if None, which it must be where ``sym`` is
            True.
        tau: In how many points it falls by a factor of e.
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.exponential(3)
    array([0.36787944, 1.        , 0.36787944])
    """
    if sym and center is not None:
        raise ValueError("exponential: center must be None where sym is True")

    def values(t, points):
        middle = 0.0 if center is None else 2.0 * center - (points - 1)
        return _falling(-absolute(t - middle) / (2 * tau))

    return _window("exponential", M, sym, values)


@_documented
def kaiser(M, beta, sym=True):
    """The Kaiser window, of the Bessel function I0.

    Args:
        {M}
        beta: The shape: 0 is a rectangle, 5 near a Hamming window, 6 near a Hann window, 8.6 near a Blackman window.
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.kaiser(3, 5.0)
    array([0.03671089, 1.        , 0.03671089])
    """
    def values(t, points):
        x = t / (points - 1)
        return _core.i0(beta * _core.sqrt(1 - x * x)) / _core.i0(float(beta))

    return _window("kaiser", M, sym, values)


@_documented
def kaiser_bessel_derived(M, beta, sym=True):
    """The Kaiser-Bessel derived window: roots of a Kaiser window's running sums.

    Args:
        {M}
        beta: The shape of the Kaiser window.
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.kaiser_bessel_derived(4, 5.0)
    array([0.18493209, 0.9827513 , 0.9827513 , 0.18493209])
    """
    if not sym:
        raise ValueError("kaiser_bessel_derived: the window is symmetric; sym must be True")
    if M < 1:
        return _core.zeros(0)
    if M % 2:
        raise ValueError(f"kaiser_bessel_derived: M must be even, not {M}")
    sums = kaiser(M // 2 + 1, beta).cumsum()
    half = _core.sqrt(sums[:-1] / sums[-1])
    return _core.concatenate((half, half[::-1]))


@_documented
def lanczos(M, sym=True):
    """The Lanczos window, the main lobe of sinc.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.lanczos(5)
    array([3.89817183e-17, 6.36619772e-01, 1.00000000e+00, 6.36619772e-01,
           3.89817183e-17])
    """
    return _window("lanczos", M, sym, lambda t, points: _core.sinc(t / (points - 1)))
