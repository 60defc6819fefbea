"""Windows that are sums of cosines: each is one kernel."""

import math

from tombac import _core
from tombac._core import cos
from tombacx.scipy.signal.windows._points import documented as _documented
from tombacx.scipy.signal.windows._points import window as _window

__all__ = [
    "blackman", "blackmanharris", "flattop", "general_cosine", "general_hamming", "hamming", "hann", "nuttall", "tukey",
]


def _cosines(name, M, sym, weights):
    def values(t, points):
        total = weights[0]
        for k in range(1, len(weights)):
            total = total + weights[k] * cos((k * math.pi / (points - 1)) * t)
        return total if isinstance(total, _core.ndarray) and total.ndim else _core.full(t.shape, total, float)

    return _window(name, M, sym, values)


@_documented
def general_cosine(M, a, sym=True):
    """A sum of cosines: the weighted sum of cos(k x) for x from -pi to pi.

    Args:
        {M}
        a: The weights of k = 0, 1, ...: numbers, or a vector.
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.general_cosine(5, [0.5, 0.5])
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    weights = a.astype(float) if isinstance(a, _core.ndarray) else [float(w) for w in a]
    return _cosines("general_cosine", M, sym, weights)


@_documented
def general_hamming(M, alpha, sym=True):
    """A raised cosine on a step: alpha + (1 - alpha) cos(x) for x from -pi to pi.

    Args:
        {M}
        alpha: The mean: 0.5 makes the Hann window, 0.54 the Hamming window.
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.general_hamming(5, 0.6)
    array([0.2, 0.6, 1. , 0.6, 0.2])
    """
    return _cosines("general_hamming", M, sym, (alpha, 1.0 - alpha))


@_documented
def hann(M, sym=True):
    """The Hann window, a raised cosine.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.hann(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _cosines("hann", M, sym, (0.5, 0.5))


@_documented
def hamming(M, sym=True):
    """The Hamming window, a raised cosine on a step.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.hamming(5)
    array([0.08, 0.54, 1.  , 0.54, 0.08])
    """
    return _cosines("hamming", M, sym, (0.54, 0.46))


@_documented
def blackman(M, sym=True):
    """The Blackman window, of three cosines.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.blackman(3)
    array([-1.38777878e-17,  1.00000000e+00, -1.38777878e-17])
    """
    return _cosines("blackman", M, sym, (0.42, 0.5, 0.08))


@_documented
def nuttall(M, sym=True):
    """The Nuttall window, of four cosines, with the least side lobes.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    Source: A. H. Nuttall, Some windows with very good sidelobe behavior, IEEE Transactions ASSP 29 (1981).

    >>> tombacx.scipy.signal.windows.nuttall(5)
    array([3.628000e-04, 2.269824e-01, 1.000000e+00, 2.269824e-01,
           3.628000e-04])
    """
    return _cosines("nuttall", M, sym, (0.3635819, 0.4891775, 0.1365995, 0.0106411))


@_documented
def blackmanharris(M, sym=True):
    """The Blackman-Harris window, of four cosines.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.blackmanharris(5)
    array([6.0000e-05, 2.1747e-01, 1.0000e+00, 2.1747e-01, 6.0000e-05])
    """
    return _cosines("blackmanharris", M, sym, (0.35875, 0.48829, 0.14128, 0.01168))


@_documented
def flattop(M, sym=True):
    """The flat top window, of five cosines, for the amplitudes of spectral lines.

    Args:
        {M}
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.flattop(5)
    array([-4.210510e-04, -5.473684e-02,  1.000000e+00, -5.473684e-02,
           -4.210510e-04])
    """
    return _cosines("flattop", M, sym, (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368))


@_documented
def tukey(M, alpha=0.5, sym=True):
    """The Tukey window: ones between two halves of a Hann window.

    Args:
        {M}
        alpha: Which part of the window the two halves are: 0 makes a rectangle, 1 the Hann window.
        {sym}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.windows.tukey(5)
    array([0., 1., 1., 1., 0.])
    """
    if alpha <= 0:
        return _window("tukey", M, sym, lambda t, points: _core.ones(t.size))
    if alpha >= 1:
        return hann(M, sym)

    def values(t, points):
        from_edge = (points - 1 - _core.absolute(t)) / 2
        slope = 0.5 * (1 + cos(math.pi * (2 * from_edge / alpha / (points - 1) - 1)))
        return _core.where(from_edge <= math.floor(alpha * (points - 1) / 2), slope, 1.0)

    return _window("tukey", M, sym, values)
