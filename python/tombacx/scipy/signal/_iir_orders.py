"""Which order a filter needs, and the analog low-pass filters that others are made of; computed on the host."""

from tombac._docstrings import with_rows
from tombacx.scipy._host import call

__all__ = [
    "band_stop_obj", "besselap", "buttap", "buttord", "cheb1ap", "cheb1ord", "cheb2ap", "cheb2ord", "ellipap",
    "ellipord",
]

_documented = with_rows(
    N="N: The order: an int.",
    rp="rp: By how many decibels the gain may vary in the pass band.",
    rs="rs: By how many decibels the stop band lies below the pass band.",
    bounds="""wp, ws: The edges of the pass band and of the stop band: numbers, or two each.
        gpass: How many decibels may be lost in the pass band.
        gstop: How many decibels have to be lost in the stop band.
        analog: True for an analog filter, False for a digital one.
        fs: The sampling frequency of a digital filter; None is 2, by which frequencies are fractions of Nyquist's.""",
    order="""A tuple (N, Wn): the order, an int, and the critical frequency or frequencies, a number or a float64 array
        of shape () or (2,).""",
    prototype="""A tuple (z, p, k) of the zeros and the poles, vectors, and the gain, a number or a float64 array of
        shape ().""",
    refusals="""ImportError: SciPy is not installed.
        ValueError: There is no such filter, in SciPy's words.""",
    none="ValueError: There is no such filter.",
)


@_documented
def buttord(wp, ws, gpass, gstop, analog=False, fs=None):
    """The least order of a Butterworth filter that keeps within bounds.

    Args:
        {bounds}

    Returns:
        {order}

    Raises:
        {refusals}

    >>> N, Wn = tombacx.scipy.signal.buttord(0.2, 0.4, 1, 40)
    >>> N, round(float(Wn), 3)
    (7, 0.219)
    """
    return call("buttord", wp, ws, gpass, gstop, analog, fs)


@_documented
def cheb1ord(wp, ws, gpass, gstop, analog=False, fs=None):
    """The least order of a Chebyshev filter of type I that keeps within bounds.

    Args:
        {bounds}

    Returns:
        {order}

    Raises:
        {refusals}

    >>> N, Wn = tombacx.scipy.signal.cheb1ord(0.2, 0.4, 1, 40)
    >>> N, round(float(Wn), 3)
    (5, 0.2)
    """
    return call("cheb1ord", wp, ws, gpass, gstop, analog, fs)


@_documented
def cheb2ord(wp, ws, gpass, gstop, analog=False, fs=None):
    """The least order of a Chebyshev filter of type II that keeps within bounds.

    Args:
        {bounds}

    Returns:
        {order}

    Raises:
        {refusals}

    >>> N, Wn = tombacx.scipy.signal.cheb2ord(0.2, 0.4, 1, 40)
    >>> N, round(float(Wn), 3)
    (5, 0.337)
    """
    return call("cheb2ord", wp, ws, gpass, gstop, analog, fs)


@_documented
def ellipord(wp, ws, gpass, gstop, analog=False, fs=None):
    """The least order of an elliptic filter that keeps within bounds.

    Args:
        {bounds}

    Returns:
        {order}

    Raises:
        {refusals}

    >>> N, Wn = tombacx.scipy.signal.ellipord(0.2, 0.4, 1, 40)
    >>> N, round(float(Wn), 3)
    (4, 0.2)
    """
    return call("ellipord", wp, ws, gpass, gstop, analog, fs)


@_documented
def band_stop_obj(wp, ind, passb, stopb, gpass, gstop, type):
    """The order, no whole number, that a band-stop filter needs for one edge: what searches for edges make small.

    Args:
        wp: The edge that is tried.
        ind: Which of ``passb`` it replaces: 0 or 1.
        passb, stopb: The edges of the pass band and of the stop band: arrays of shape (2,).
        gpass: How many decibels may be lost in the pass band.
        gstop: How many decibels have to be lost in the stop band.
        type: 'butter', 'cheby' or 'ellip'.

    Returns:
        A float, or an array of float64 and shape ().

    Raises:
        {refusals}

    >>> n = tombacx.scipy.signal.band_stop_obj(1, 0, tombac.array([1, 4]), tombac.array([2, 3]), 1, 40, "butter")
    >>> round(float(n), 3)
    8.984
    """
    return call("band_stop_obj", wp, ind, passb, stopb, gpass, gstop, type)


@_documented
def buttap(N):
    """The analog Butterworth filter whose edge is at 1 rad/s.

    Args:
        {N}

    Returns:
        {prototype}

    Raises:
        {none}

    >>> z, p, k = tombacx.scipy.signal.buttap(2)
    >>> z.size, p.round(3), float(k)
    (0, array([-0.707+0.707j, -0.707-0.707j]), 1.0)
    """
    return call("buttap", N)


@_documented
def cheb1ap(N, rp):
    """The analog Chebyshev filter of type I whose gain falls below -rp dB from 1 rad/s on.

    Args:
        {N}
        {rp}

    Returns:
        {prototype}

    Raises:
        {none}

    >>> z, p, k = tombacx.scipy.signal.cheb1ap(2, 1)
    >>> z.size, p.round(3), round(float(k), 3)
    (0, array([-0.549+0.895j, -0.549-0.895j]), 0.983)
    """
    return call("cheb1ap", N, rp)


@_documented
def cheb2ap(N, rs):
    """The analog Chebyshev filter of type II whose gain reaches -rs dB at 1 rad/s.

    Args:
        {N}
        {rs}

    Returns:
        {prototype}

    Raises:
        {none}

    >>> z, p, k = tombacx.scipy.signal.cheb2ap(1, 40)
    >>> z.size, p.round(3), round(float(k), 3)
    (0, array([-0.01+0.j]), 0.01)
    """
    return call("cheb2ap", N, rs)


@_documented
def ellipap(N, rp, rs):
    """The analog elliptic filter whose gain falls below -rp dB from 1 rad/s on.

    Args:
        {N}
        {rp}
        {rs}

    Returns:
        {prototype}

    Raises:
        {refusals}

    >>> z, p, k = tombacx.scipy.signal.ellipap(2, 1, 40)
    >>> z.shape, p.round(3), round(float(k), 3)
    ((2,), array([-0.546-0.9j, -0.546+0.9j]), 0.01)
    """
    return call("ellipap", N, rp, rs)


@_documented
def besselap(N, norm="phase"):
    """The analog Bessel filter of a critical frequency of 1 rad/s.

    Args:
        {N}
        norm: What the critical frequency is: 'phase', 'delay' or 'mag', as of bessel.

    Returns:
        {prototype}

    Raises:
        {refusals}

    CuPy has none.

    >>> z, p, k = tombacx.scipy.signal.besselap(2)
    >>> z.size, p.round(3), float(k)
    (0, array([-0.866+0.5j, -0.866-0.5j]), 1.0)
    """
    return call("besselap", N, norm)
