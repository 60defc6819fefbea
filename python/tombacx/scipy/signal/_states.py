"""States that filters start in, computed on the host."""

from tombacx.scipy._host import call

__all__ = ["lfilter_zi", "lfiltic", "sosfilt_zi"]


def lfilter_zi(b, a):
    """The state in which a filter's answer to a constant 1 is constant.

    Args:
        b, a: Coefficients of the numerator and the denominator in powers of 1/z: sequences or vectors.

    Returns:
        An array of float64 and shape (max(len(a), len(b)) - 1,): lfilter's ``zi``.

    Raises:
        ValueError: ``a`` or ``b`` is no vector, or ``a`` is zero.
        LinAlgError: There is no such state.

    >>> tombacx.scipy.signal.lfilter_zi([0.5, 0.5], [1.0, -0.5])
    array([1.5])
    """
    return call("lfilter_zi", b, a)


def sosfilt_zi(sos):
    """The state in which the answer of a filter in sections to a constant 1 is constant.

    Args:
        sos: Sections of second order: an array of shape (sections, 6).

    Returns:
        An array of float64 and shape (sections, 2): sosfilt's ``zi``.

    Raises:
        ValueError: ``sos`` has another shape.
        LinAlgError: There is no such state.

    >>> tombacx.scipy.signal.sosfilt_zi([[0.5, 0.5, 0.0, 1.0, -0.5, 0.0]])
    array([[1.5, 0. ]])
    """
    return call("sosfilt_zi", sos)


def lfiltic(b, a, y, x=None):
    """The state of a filter of which the last outputs and inputs are known.

    Args:
        b, a: Coefficients of the numerator and the denominator in powers of 1/z: sequences or vectors.
        y: The outputs y[-1], y[-2], ...: a sequence or a vector; what is missing is 0.
        x: The inputs x[-1], x[-2], ...; zeros if None.

    Returns:
        An array of shape (max(len(a), len(b)) - 1,): lfilter's ``zi``.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: A coefficient is missing.

    >>> tombacx.scipy.signal.lfiltic([0.5, 0.5], [1.0, -0.5], [2.0], [1.0])
    array([1.5])
    """
    return call("lfiltic", b, a, y, x)
