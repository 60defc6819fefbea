"""What filters do to frequencies, computed on the host."""

from math import pi

from tombac._docstrings import with_rows
from tombacx.scipy._host import call, device

__all__ = [
    "findfreqs", "freqs", "freqs_zpk", "freqz", "freqz_sos", "freqz_zpk", "group_delay", "sosfreqz",
]

_documented = with_rows(
    ba="b, a: Coefficients of the numerator and the denominator, the highest power first: sequences or vectors.",
    baz="""b: Coefficients of the numerator in powers of 1/z, from the zeroth on: a sequence or a vector; or an array of
            any shape, each of whose columns along the first axis is one filter's.
        a: The same of the denominator.""",
    zpk="""z, p: The zeros and the poles: sequences or vectors.
        k: The gain.""",
    sos="sos: Sections of second order: an array of shape (sections, 6).",
    points="worN: How many frequencies, or which: an int, a sequence or a vector; None is 512.",
    analog_points="worN: How many frequencies, or which (rad/s): an int, a sequence or a vector; None is 200.",
    whole="whole: Whether the frequencies go on to ``fs`` rather than to half of it, where they are not given.",
    fs="fs: The sampling frequency; 2 pi makes frequencies angles per sample.",
    plot="plot: A function that is called with the frequencies and the response, as arrays.",
    returns="A tuple of arrays (w, h): the frequencies and the complex responses there.",
    refusals="""ImportError: SciPy is not installed.
        ValueError: There is no such filter, in SciPy's words.""",
)


def _plotting(plot):
    return None if plot is None else lambda w, h: plot(device(w), device(h))


@_documented
def freqs(b, a, worN=200, plot=None):
    """The frequency response of an analog filter.

    Args:
        {ba}
        {analog_points}
        {plot}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> w, h = tombacx.scipy.signal.freqs([1], [1, 1], [0, 1])
    >>> h
    array([1. +0.j , 0.5-0.5j])
    """
    return call("freqs", b, a, worN, _plotting(plot))


@_documented
def freqs_zpk(z, p, k, worN=200):
    """The frequency response of an analog filter given by zeros, poles and gain.

    Args:
        {zpk}
        {analog_points}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> w, h = tombacx.scipy.signal.freqs_zpk([], [-1], 1, [0, 1])
    >>> h
    array([1. +0.j , 0.5-0.5j])
    """
    return call("freqs_zpk", z, p, k, worN)


@_documented
def freqz(b, a=1, worN=512, whole=False, plot=None, fs=2 * pi, include_nyquist=False):
    """The frequency response of a digital filter.

    Args:
        {baz}
        {points}
        {whole}
        {plot}
        {fs}
        include_nyquist: Whether the last frequency is half of ``fs``, where ``worN`` is a number and ``whole`` False.

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> w, h = tombacx.scipy.signal.freqz([1, 1], worN=2, fs=2)
    >>> abs(h).round(3)
    array([2.   , 1.414])
    """
    return call("freqz", b, a, worN, whole, _plotting(plot), fs, include_nyquist)


@_documented
def freqz_zpk(z, p, k, worN=512, whole=False, fs=2 * pi):
    """The frequency response of a digital filter given by zeros, poles and gain.

    Args:
        {zpk}
        {points}
        {whole}
        {fs}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> w, h = tombacx.scipy.signal.freqz_zpk([-1], [0], 1, worN=2, fs=2)
    >>> abs(h).round(3)
    array([2.   , 1.414])
    """
    return call("freqz_zpk", z, p, k, worN, whole, fs)


@_documented
def sosfreqz(sos, worN=512, whole=False, fs=2 * pi):
    """The frequency response of a digital filter given by sections of second order.

    Args:
        {sos}
        {points}
        {whole}
        {fs}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> w, h = tombacx.scipy.signal.sosfreqz([[1, 1, 0, 1, 0, 0]], worN=2, fs=2)
    >>> abs(h).round(3)
    array([2.   , 1.414])
    """
    return call("sosfreqz", sos, worN, whole, fs)


@_documented
def freqz_sos(sos, worN=512, whole=False, fs=2 * pi):
    """The frequency response of a digital filter given by sections of second order; another name of sosfreqz.

    Args:
        {sos}
        {points}
        {whole}
        {fs}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> w, h = tombacx.scipy.signal.freqz_sos([[1, 1, 0, 1, 0, 0]], worN=2, fs=2)
    >>> abs(h).round(3)
    array([2.   , 1.414])
    """
    return sosfreqz(sos, worN, whole, fs)  # by the name that SciPy had first


@_documented
def group_delay(system, w=512, whole=False, fs=2 * pi):
    """By how many samples a digital filter delays each frequency.

    Args:
        system: (b, a), coefficients of the numerator and the denominator in powers of 1/z.
        w: How many frequencies, or which: an int, a sequence or a vector; None is 512.
        {whole}
        {fs}

    Returns:
        A tuple of arrays (w, gd) of float64: the frequencies and the delays, 0 where there is none.

    Raises:
        {refusals}

    >>> w, gd = tombacx.scipy.signal.group_delay(([1, 2, 1], [1]), 2, fs=2)
    >>> w, gd.round(3)
    (array([0. , 0.5]), array([1., 1.]))
    """
    return call("group_delay", system, w, whole, fs)


@_documented
def findfreqs(num, den, N, kind="ba"):
    """Frequencies at which the response of an analog filter is worth a look.

    Args:
        num, den: Coefficients of the numerator and the denominator; zeros and poles for ``kind='zp'``.
        N: How many frequencies.
        kind: 'ba' or 'zp'.

    Returns:
        An array of float64 and shape (N,), equally spaced in the logarithm.

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.findfreqs([1, 0], [1, 8, 25], 3).round(3)
    array([1.e-02, 1.e+00, 1.e+02])
    """
    return call("findfreqs", num, den, N, kind)
