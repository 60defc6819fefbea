"""Filters with infinite impulse responses, designed on the host."""

from tombac._docstrings import with_rows
from tombacx.scipy._host import call
from tombacx.scipy.signal import _prototypes  # noqa: F401

__all__ = [
    "bessel", "butter", "cheby1", "cheby2", "ellip", "gammatone", "iircomb", "iirdesign", "iirfilter", "iirnotch",
    "iirpeak",
]

_documented = with_rows(
    N="N: The order: an int.",
    Wn="""Wn: The critical frequency, or for bands the two: a number, a sequence or an array of shape (2,). Half of
            ``fs`` is the Nyquist frequency; rad/s for analog filters.""",
    rp="rp: By how many decibels the gain may vary in the pass band.",
    rs="rs: By how many decibels the stop band lies below the pass band.",
    btype="btype: 'low', 'high', 'bandpass' or 'bandstop', or another of SciPy's names of these.",
    analog="analog: True for an analog filter, False for a digital one.",
    output="output: 'ba', 'zpk' or 'sos': how the filter is given.",
    fs="fs: The sampling frequency of a digital filter; None is 2, by which frequencies are fractions of Nyquist's.",
    returns="""By ``output``: a tuple of arrays (b, a), coefficients of the numerator and the denominator; a tuple of
        arrays (z, p, k), zeros, poles and the gain, which is a number or has shape (); or an array of float64 and shape
        (sections, 6). b and a have float64, z and p complex128.""",
    pair="A tuple of arrays (b, a) of float64 and shape (3,): coefficients of the numerator and the denominator.",
    w0="w0: The frequency, between 0 and half of ``fs``.",
    Q="Q: The quality factor: the frequency by the width of the band at -3 dB.",
    sampling="fs: The sampling frequency.",
    refusals="""ImportError: SciPy is not installed.
        ValueError: There is no such filter, in SciPy's words.""",
    none="ValueError: There is no such filter.",
)


@_documented
def butter(N, Wn, btype="low", analog=False, output="ba", fs=None):
    """A Butterworth filter, the flattest in the pass band.

    Args:
        {N}
        {Wn}
        {btype}
        {analog}
        {output}
        {fs}

    Returns:
        {returns}

    Raises:
        {none}

    >>> b, a = tombacx.scipy.signal.butter(2, 0.25)
    >>> b.round(3), a.round(3)
    (array([0.098, 0.195, 0.098]), array([ 1.   , -0.943,  0.333]))
    """
    return call("butter", N, Wn, btype, analog, output, fs)


@_documented
def cheby1(N, rp, Wn, btype="low", analog=False, output="ba", fs=None):
    """A Chebyshev filter of type I, with ripples in the pass band.

    Args:
        {N}
        {rp}
        {Wn}
        {btype}
        {analog}
        {output}
        {fs}

    Returns:
        {returns}

    Raises:
        {none}

    >>> b, a = tombacx.scipy.signal.cheby1(2, 1, 0.25)
    >>> b.round(3), a.round(3)
    (array([0.103, 0.205, 0.103]), array([ 1.   , -0.987,  0.447]))
    """
    return call("cheby1", N, rp, Wn, btype, analog, output, fs)


@_documented
def cheby2(N, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    """A Chebyshev filter of type II, with ripples in the stop band.

    Args:
        {N}
        {rs}
        {Wn}
        {btype}
        {analog}
        {output}
        {fs}

    Returns:
        {returns}

    Raises:
        {none}

    >>> b, a = tombacx.scipy.signal.cheby2(2, 40, 0.25)
    >>> b.round(3), a.round(3)
    (array([ 0.012, -0.012,  0.012]), array([ 1.   , -1.836,  0.848]))
    """
    return call("cheby2", N, rs, Wn, btype, analog, output, fs)


@_documented
def ellip(N, rp, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    """An elliptic filter, which has the steepest edge for ripples in both bands.

    Args:
        {N}
        {rp}
        {rs}
        {Wn}
        {btype}
        {analog}
        {output}
        {fs}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> b, a = tombacx.scipy.signal.ellip(2, 1, 40, 0.25)
    >>> b.round(3), a.round(3)
    (array([0.109, 0.194, 0.109]), array([ 1.   , -0.986,  0.449]))
    """
    return call("ellip", N, rp, rs, Wn, btype, analog, output, fs)


@_documented
def bessel(N, Wn, btype="low", analog=False, output="ba", norm="phase", fs=None):
    """A Bessel filter, the one with the flattest group delay.

    Args:
        {N}
        {Wn}
        {btype}
        {analog}
        {output}
        norm: What ``Wn`` is: 'phase', where the phase is half-way; 'delay', by which the delay is 1 / Wn; or 'mag',
            where the gain is -3 dB.
        {fs}

    Returns:
        {returns}

    Raises:
        {refusals}

    CuPy has none.

    >>> b, a = tombacx.scipy.signal.bessel(2, 0.25)
    >>> b.round(3), a.round(3)
    (array([0.091, 0.182, 0.091]), array([ 1.   , -0.877,  0.24 ]))
    """
    return call("bessel", N, Wn, btype, analog, output, norm, fs)


@_documented
def iirfilter(N, Wn, rp=None, rs=None, btype="band", analog=False, ftype="butter", output="ba", fs=None):
    """A filter of given order, kind and edges.

    Args:
        {N}
        {Wn}
        {rp}
        {rs}
        {btype}
        {analog}
        ftype: 'butter', 'cheby1', 'cheby2', 'ellip' or 'bessel'.
        {output}
        {fs}

    Returns:
        {returns}

    Raises:
        ImportError: An elliptic or a Bessel filter is wanted, and SciPy not installed.
        ValueError: There is no such filter.

    >>> z, p, k = tombacx.scipy.signal.iirfilter(1, [0.25, 0.75], output="zpk")
    >>> z.shape, p.shape
    ((2,), (2,))
    """
    return call("iirfilter", N, Wn, rp, rs, btype, analog, ftype, output, fs)


@_documented
def iirdesign(wp, ws, gpass, gstop, analog=False, ftype="ellip", output="ba", fs=None):
    """The filter of least order that keeps within given bounds.

    Args:
        wp, ws: The edges of the pass band and of the stop band: numbers, or two each.
        gpass: How many decibels may be lost in the pass band.
        gstop: How many decibels have to be lost in the stop band.
        {analog}
        ftype: 'butter', 'cheby1', 'cheby2' or 'ellip'.
        {output}
        {fs}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.iirdesign(0.2, 0.4, 1, 40, output="sos").shape
    (2, 6)
    """
    return call("iirdesign", wp, ws, gpass, gstop, analog, ftype, output, fs)


@_documented
def iirnotch(w0, Q, fs=2.0):
    """A filter of second order that takes one frequency away.

    Args:
        {w0}
        {Q}
        {sampling}

    Returns:
        {pair}

    Raises:
        {refusals}

    >>> b, a = tombacx.scipy.signal.iirnotch(60.0, 30.0, 400.0)
    >>> b.round(3), a.round(3)
    (array([ 0.985, -1.157,  0.985]), array([ 1.   , -1.157,  0.969]))
    """
    return call("iirnotch", w0, Q, fs)


@_documented
def iirpeak(w0, Q, fs=2.0):
    """A filter of second order that keeps one frequency.

    Args:
        {w0}
        {Q}
        {sampling}

    Returns:
        {pair}

    Raises:
        {refusals}

    >>> b, a = tombacx.scipy.signal.iirpeak(60.0, 30.0, 400.0)
    >>> b.round(3), a.round(3)
    (array([ 0.015,  0.   , -0.015]), array([ 1.   , -1.157,  0.969]))
    """
    return call("iirpeak", w0, Q, fs)


@_documented
def iircomb(w0, Q, ftype="notch", fs=2.0, *, pass_zero=False):
    """A filter that takes away, or keeps, a frequency and its multiples.

    Args:
        {w0} It divides ``fs``.
        {Q}
        ftype: 'notch' takes away, 'peak' keeps.
        {sampling}
        pass_zero: Whether the multiples, 0 among them, are those between which a notch filter takes away.

    Returns:
        A tuple of arrays (b, a) of float64 and shape (fs / w0 + 1,): coefficients of the numerator and the denominator.

    Raises:
        {refusals}

    >>> b, a = tombacx.scipy.signal.iircomb(50.0, 30.0, fs=200.0)
    >>> b.round(3), a.round(3)
    (array([ 0.95,  0.  ,  0.  ,  0.  , -0.95]), array([ 1. ,  0. ,  0. ,  0. , -0.9]))
    """
    return call("iircomb", w0, Q, ftype, fs, pass_zero=pass_zero)


@_documented
def gammatone(freq, ftype, order=None, numtaps=None, fs=None):
    """A gammatone filter, as the cochlea is modelled by.

    Args:
        freq: The centre frequency.
        ftype: 'fir' or 'iir'.
        order: The order of a filter of finite impulse response; 4 if None. The others have 4.
        numtaps: The length of a filter of finite impulse response; 15 ms if None.
        {fs}

    Returns:
        A tuple (b, a): coefficients of the numerator and the denominator, float64 vectors; a is 1 or [1] for 'fir'.

    Raises:
        {refusals}

    >>> b, a = tombacx.scipy.signal.gammatone(440, "iir", fs=16000)
    >>> b.shape, a.shape
    ((5,), (9,))
    """
    return call("gammatone", freq, ftype, order, numtaps, fs)
