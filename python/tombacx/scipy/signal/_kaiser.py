"""Kaiser's formulas: which window attenuates by how much."""

from math import ceil, pi

from tombacx.scipy._host import device

__all__ = ["kaiser_atten", "kaiser_beta", "kaiserord"]


def kaiser_beta(a):
    """The parameter beta of a Kaiser window for a given attenuation.

    Args:
        a: The attenuation of the stop band in decibels.

    Returns:
        A float, or an array of float64 and shape () for one of an array.

    Raises:
        TypeError: An argument is no number.

    >>> round(tombacx.scipy.signal.kaiser_beta(65), 3)
    6.204
    """
    if a > 50.0:
        beta = 0.1102 * (a - 8.7)
    else:
        beta = 0.5842 * (a - 21) ** 0.4 + 0.07886 * (a - 21) if a > 21 else 0.0
    if type(beta) is float:
        return beta
    return device(beta)


def kaiser_atten(numtaps, width):
    """How many decibels a filter by a Kaiser window attenuates the stop band.

    Args:
        numtaps: The length of the filter.
        width: The width of the transition, as a fraction of the Nyquist frequency.

    Returns:
        A float, or an array of float64 and shape () for one of an array.

    Raises:
        TypeError: An argument is no number.

    >>> round(tombacx.scipy.signal.kaiser_atten(211, 0.0375), 3)
    64.481
    """
    loss = 2.285 * (numtaps - 1) * pi * width + 7.95
    return loss if type(loss) is float else device(loss)


def kaiserord(ripple, width):
    """The Kaiser window by which a filter keeps within bounds.

    Args:
        ripple: By how many decibels the gain may differ from what is wanted.
        width: The width of the transition, as a fraction of the Nyquist frequency.

    Returns:
        A tuple (numtaps, beta): an int and a float.

    Raises:
        ValueError: There is no such filter.

    >>> numtaps, beta = tombacx.scipy.signal.kaiserord(65, 0.1)
    >>> numtaps, round(beta, 3)
    (81, 6.204)
    """
    loss = abs(ripple)
    if loss < 8:
        raise ValueError(f"a Kaiser window's ripples are at most -8 dB, not {-loss}")
    return ceil((loss - 7.95) / 2.285 / (pi * width) + 1), kaiser_beta(loss)
