"""One form of a filter made of another, on the host: polynomials, zeros and poles, sections, and state space."""

from tombac._docstrings import with_rows
from tombacx.scipy._host import call

__all__ = [
    "abcd_normalize", "normalize", "sos2tf", "sos2zpk", "ss2tf", "ss2zpk", "tf2sos", "tf2ss", "tf2zpk", "zpk2sos",
    "zpk2ss", "zpk2tf",
]

_documented = with_rows(
    ba="b, a: Coefficients of the numerator and the denominator, the highest power first: sequences or vectors.",
    numden="""num, den: Coefficients of the numerator and the denominator, the highest power first: sequences or
            vectors; ``num`` may have a row for each output.""",
    zpk="""z, p: The zeros and the poles: sequences or vectors.
        k: The gain.""",
    sos="sos: Sections of second order: an array of shape (sections, 6).",
    abcd="A, B, C, D: The matrices of the state space: the system's, the inputs', the outputs', and the direct one.",
    pairing="""pairing: Which zeros and poles share a section: 'nearest', 'keep_odd' or 'minimal'; None is 'nearest' for
            digital filters and 'minimal' for analog ones.
        analog: True for an analog filter.""",
    as_zpk="A tuple (z, p, k) of the zeros and the poles, vectors, and the gain, a number or an array of shape ().",
    as_ba="A tuple of arrays (b, a): coefficients of the numerator and the denominator.",
    as_sos="An array of float64 and shape (sections, 6).",
    as_ss="A tuple of arrays (A, B, C, D): matrices.",
    refusals="""ImportError: SciPy is not installed.
        ValueError: There is no such filter, in SciPy's words.""",
    none="ValueError: There is no such filter.",
)


@_documented
def tf2zpk(b, a):
    """Zeros, poles and gain of polynomials.

    Args:
        {ba}

    Returns:
        {as_zpk}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.tf2zpk([2, -4], [1, 3])
    (array([2.]), array([-3.]), array(2.))
    """
    return call("tf2zpk", b, a)


@_documented
def zpk2tf(z, p, k):
    """Polynomials of zeros, poles and gain.

    Args:
        {zpk} An array has a value for each row of ``z``.

    Returns:
        {as_ba}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.zpk2tf([2], [-3], 2)
    (array([ 2., -4.]), array([1, 3]))
    """
    return call("zpk2tf", z, p, k)


@_documented
def tf2sos(b, a, pairing=None, *, analog=False):
    """Sections of second order of polynomials.

    Args:
        {ba}
        {pairing}

    Returns:
        {as_sos}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.tf2sos([1, 0.5], [1, 0.25])
    array([[1.  , 0.5 , 0.  , 1.  , 0.25, 0.  ]])
    """
    return call("tf2sos", b, a, pairing, analog=analog)


@_documented
def sos2tf(sos):
    """Polynomials of sections of second order.

    Args:
        {sos}

    Returns:
        {as_ba}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.sos2tf([[1, 2, 1, 1, 0, 0], [1, 0, 0, 1, 0.5, 0]])
    (array([1., 2., 1., 0., 0.]), array([1. , 0.5, 0. , 0. , 0. ]))
    """
    return call("sos2tf", sos)


@_documented
def zpk2sos(z, p, k, pairing=None, *, analog=False):
    """Sections of second order of zeros, poles and gain.

    Args:
        {zpk}
        {pairing}

    Returns:
        {as_sos}

    Raises:
        {none}

    >>> tombacx.scipy.signal.zpk2sos([-1, -1], [0.5, 0.25], 2)
    array([[ 2.   ,  4.   ,  2.   ,  1.   , -0.75 ,  0.125]])
    """
    return call("zpk2sos", z, p, k, pairing, analog=analog)


@_documented
def sos2zpk(sos):
    """Zeros, poles and gain of sections of second order.

    Args:
        {sos}

    Returns:
        {as_zpk}

    Raises:
        {refusals}

    >>> z, p, k = tombacx.scipy.signal.sos2zpk(tombac.array([[1, 0, -1, 1, 0, -0.25]]))
    >>> z, p, float(k)
    (array([-1.+0.j,  1.+0.j]), array([-0.5+0.j,  0.5+0.j]), 1.0)
    """
    return call("sos2zpk", sos)


@_documented
def tf2ss(num, den):
    """The state space of polynomials.

    Args:
        {numden}

    Returns:
        {as_ss}

    Raises:
        {refusals}

    >>> A, B, C, D = tombacx.scipy.signal.tf2ss([1, 3], [1, 2, 1])
    >>> A, C
    (array([[-2., -1.],
           [ 1.,  0.]]), array([[1., 3.]]))
    """
    return call("tf2ss", num, den)


@_documented
def ss2tf(A, B, C, D, input=0):
    """Polynomials of a state space.

    Args:
        {abcd}
        input: Which of the inputs.

    Returns:
        A tuple of arrays (num, den): coefficients, of which ``num`` has a row for each output.

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.ss2tf([[-2]], [[1]], [[3]], [[0]])
    (array([[0., 3.]]), array([1., 2.]))
    """
    return call("ss2tf", A, B, C, D, input)


@_documented
def zpk2ss(z, p, k):
    """The state space of zeros, poles and gain.

    Args:
        {zpk}

    Returns:
        {as_ss}

    Raises:
        {refusals}

    >>> A, B, C, D = tombacx.scipy.signal.zpk2ss([], [-2], 3)
    >>> A, C
    (array([[-2.]]), array([[3.]]))
    """
    return call("zpk2ss", z, p, k)


@_documented
def ss2zpk(A, B, C, D, input=0):
    """Zeros, poles and gain of a state space.

    Args:
        {abcd}
        input: Which of the inputs.

    Returns:
        {as_zpk}

    Raises:
        {refusals}

    >>> z, p, k = tombacx.scipy.signal.ss2zpk([[-2]], [[1]], [[3]], [[0]])
    >>> z.size, p, float(k)
    (0, array([-2.]), 3.0)
    """
    return call("ss2zpk", A, B, C, D, input)


@_documented
def abcd_normalize(A=None, B=None, C=None, D=None):
    """The matrices of a state space as matrices that fit together; those that are missing are zeros.

    Args:
        {abcd} Enough of them are given to say all shapes.

    Returns:
        {as_ss}

    Raises:
        {refusals}

    >>> A, B, C, D = tombacx.scipy.signal.abcd_normalize([[-2]], [[1]], [[3]])
    >>> D
    array([[0.]])
    """
    return call("abcd_normalize", A, B, C, D)


@_documented
def normalize(b, a):
    """Polynomials divided by the first coefficient of the denominator, without leading zeros.

    Args:
        {ba}

    Returns:
        {as_ba}

    Raises:
        {refusals}

    Leading coefficients of the numerator that are nearly zero are dropped with a BadCoefficients warning.

    >>> tombacx.scipy.signal.normalize([4, 2], [2, 1])
    (array([2., 1.]), array([1. , 0.5]))
    """
    return call("normalize", b, a)
