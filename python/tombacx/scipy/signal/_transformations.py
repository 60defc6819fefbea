"""A filter made of an analog low-pass filter, on the host: other bands, and digital filters."""

from tombac._docstrings import with_rows
from tombacx.scipy._host import call

__all__ = [
    "bilinear", "bilinear_zpk", "lp2bp", "lp2bp_zpk", "lp2bs", "lp2bs_zpk", "lp2hp", "lp2hp_zpk", "lp2lp", "lp2lp_zpk",
]

_documented = with_rows(
    ba="""b, a: Coefficients of the numerator and the denominator of the analog filter, the highest power first:
            sequences or vectors.""",
    zpk="""z, p: The zeros and the poles of the analog filter: sequences or vectors.
        k: Its gain.""",
    edge="wo: The edge that is wanted, in rad/s.",
    middle="wo: The middle of the band, in rad/s.",
    bw="bw: The width of the band, in rad/s.",
    fs="fs: The sampling frequency.",
    as_ba="A tuple of arrays (b, a): coefficients of the numerator and the denominator.",
    as_zpk="A tuple (z, p, k) of the zeros and the poles, vectors, and the gain, a number or an array of shape ().",
    refusals="""ImportError: SciPy is not installed.
        ValueError: There is no such filter, in SciPy's words.""",
    none="ValueError: There is no such filter.",
)


@_documented
def lp2lp(b, a, wo=1.0):
    """A low-pass filter of another edge, of one whose edge is at 1 rad/s.

    Args:
        {ba}
        {edge}

    Returns:
        {as_ba}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.lp2lp([1], [1, 1], 2.0)
    (array([2.]), array([1., 2.]))
    """
    return call("lp2lp", b, a, wo)


@_documented
def lp2lp_zpk(z, p, k, wo=1.0):
    """A low-pass filter of another edge, by zeros, poles and gain.

    Args:
        {zpk}
        {edge}

    Returns:
        {as_zpk}

    Raises:
        {none}

    >>> z, p, k = tombacx.scipy.signal.lp2lp_zpk([], [-1], 1, 2.0)
    >>> p, float(k)
    (array([-2.]), 2.0)
    """
    return call("lp2lp_zpk", z, p, k, wo)


@_documented
def lp2hp(b, a, wo=1.0):
    """A high-pass filter, of a low-pass filter whose edge is at 1 rad/s.

    Args:
        {ba}
        {edge}

    Returns:
        {as_ba}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.lp2hp([1], [1, 1], 2.0)
    (array([1., 0.]), array([1., 2.]))
    """
    return call("lp2hp", b, a, wo)


@_documented
def lp2hp_zpk(z, p, k, wo=1.0):
    """A high-pass filter of a low-pass filter, by zeros, poles and gain.

    Args:
        {zpk}
        {edge}

    Returns:
        {as_zpk}

    Raises:
        {none}

    >>> z, p, k = tombacx.scipy.signal.lp2hp_zpk([], [-1], 1, 2.0)
    >>> z, p, float(k)
    (array([0.]), array([-2.]), 1.0)
    """
    return call("lp2hp_zpk", z, p, k, wo)


@_documented
def lp2bp(b, a, wo=1.0, bw=1.0):
    """A band-pass filter, of a low-pass filter whose edge is at 1 rad/s.

    Args:
        {ba}
        {middle}
        {bw}

    Returns:
        {as_ba}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.lp2bp([1], [1, 1], 2.0, 0.5)
    (array([0.5, 0. ]), array([1. , 0.5, 4. ]))
    """
    return call("lp2bp", b, a, wo, bw)


@_documented
def lp2bp_zpk(z, p, k, wo=1.0, bw=1.0):
    """A band-pass filter of a low-pass filter, by zeros, poles and gain.

    Args:
        {zpk}
        {middle}
        {bw}

    Returns:
        {as_zpk}

    Raises:
        {none}

    >>> z, p, k = tombacx.scipy.signal.lp2bp_zpk([], [-1], 1, 2.0, 0.5)
    >>> z.size, p.size, float(k)
    (1, 2, 0.5)
    """
    return call("lp2bp_zpk", z, p, k, wo, bw)


@_documented
def lp2bs(b, a, wo=1.0, bw=1.0):
    """A band-stop filter, of a low-pass filter whose edge is at 1 rad/s.

    Args:
        {ba}
        {middle}
        {bw}

    Returns:
        {as_ba}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.lp2bs([1], [1, 1], 2.0, 0.5)
    (array([1., 0., 4.]), array([1. , 0.5, 4. ]))
    """
    return call("lp2bs", b, a, wo, bw)


@_documented
def lp2bs_zpk(z, p, k, wo=1.0, bw=1.0):
    """A band-stop filter of a low-pass filter, by zeros, poles and gain.

    Args:
        {zpk}
        {middle}
        {bw}

    Returns:
        {as_zpk}

    Raises:
        {none}

    >>> z, p, k = tombacx.scipy.signal.lp2bs_zpk([], [-1], 1, 2.0, 0.5)
    >>> z.size, p.size, float(k)
    (2, 2, 1.0)
    """
    return call("lp2bs_zpk", z, p, k, wo, bw)


@_documented
def bilinear(b, a, fs=1.0):
    """A digital filter of an analog one: s becomes 2 fs (z - 1) / (z + 1), Tustin's method.

    Args:
        {ba}
        {fs}

    Returns:
        {as_ba}

    Raises:
        {refusals}

    >>> b, a = tombacx.scipy.signal.bilinear([1], [1, 1])
    >>> b.round(3), a.round(3)
    (array([0.333, 0.333]), array([ 1.   , -0.333]))
    """
    return call("bilinear", b, a, fs)


@_documented
def bilinear_zpk(z, p, k, fs):
    """A digital filter of an analog one by Tustin's method, by zeros, poles and gain.

    Args:
        {zpk}
        {fs}

    Returns:
        {as_zpk}

    Raises:
        {none}

    >>> z, p, k = tombacx.scipy.signal.bilinear_zpk([], [-2.0], 1.0, 1.0)
    >>> z, p, float(k)
    (array([-1.]), array([0.]), 0.25)
    """
    return call("bilinear_zpk", z, p, k, fs)
