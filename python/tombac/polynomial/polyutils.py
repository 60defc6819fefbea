"""Series of coefficients, the lowest power first: their types, zeros at their ends, and domains of points."""

import tombac
from tombac import _core
from tombac._numpy import np

__all__ = ["as_series", "format_float", "getdomain", "mapdomain", "mapparms", "trimcoef", "trimseq"]


def device_array(name, x):
    """An array as it is, a sequence or a number as one; NumPy's arrays are a TypeError, as elsewhere."""
    if isinstance(x, _core.ndarray):
        return x
    if isinstance(x, np.ndarray):
        raise TypeError(f"{name}: a tombac.ndarray is expected, not {type(x)}")
    return _core.asarray(x)


def trimseq(seq):
    """A series without the zeros at its end, but for the first element; this waits for the device.

    Args:
        seq: An array of one dimension, or a sequence of numbers.

    Returns:
        A view of the array, or a part of the sequence.

    Raises:
        TypeError: ``seq`` is an array of NumPy's.

    >>> import tombac as tb
    >>> tb.polynomial.polyutils.trimseq(tb.array([1, 2, 0, 0]))
    array([1, 2])
    """
    if isinstance(seq, (list, tuple)):
        n = len(seq)
        while n > 1 and seq[n - 1] == 0:
            n -= 1
        return seq[:n]
    seq = device_array("trimseq", seq)
    # Most series end in a coefficient that is not zero, and that is one element to read.
    return seq if seq.size == 0 or bool(seq[-1]) else seq[: max(1, tombac.trim_zeros(seq, "b").size)]


def as_series(alist, trim=True):
    """Arrays as vectors of a common inexact dtype.

    Args:
        alist: A sequence of arrays with one dimension or none, of sequences and numbers.
        trim: Cut off zeros at the end, which waits for the device.

    Returns:
        A list of arrays of one dimension.

    Raises:
        ValueError: An array is empty or has more dimensions, or the arrays have no common type.
        TypeError: One is an array of NumPy's.

    >>> import tombac as tb
    >>> tb.polynomial.polyutils.as_series([tb.array([1, 2, 0])])
    [array([1., 2.])]
    """
    arrays = [device_array("as_series", a) for a in alist]
    if any(a.size == 0 for a in arrays):
        raise ValueError("as_series: a series of coefficients must not be empty")
    if any(a.ndim > 1 for a in arrays):
        raise ValueError("as_series: a series of coefficients must have one dimension")
    arrays = [a.reshape(1) if a.ndim == 0 else a for a in arrays]
    arrays = [trimseq(a) for a in arrays] if trim else arrays
    try:
        t = tombac.common_type(*arrays)
    except TypeError as e:
        raise ValueError("as_series: the series have no common type") from e
    return [a.astype(t) for a in arrays]


def trimcoef(c, tol=0):
    """A series without the coefficients at its end that are no larger than a bound; this waits for the device.

    Args:
        c: An array of one dimension, or a sequence of numbers.
        tol: The bound, a number.

    Returns:
        An array of one dimension; a zero if no coefficient is larger.

    Raises:
        ValueError: ``tol`` is negative, or ``c`` is empty or has more than one dimension.
        TypeError: ``c`` is an array of NumPy's.

    >>> import tombac as tb
    >>> tb.polynomial.polyutils.trimcoef(tb.array([1.0, 2.0, 0.1]), 0.5)
    array([1., 2.])
    """
    if tol < 0:
        raise ValueError(f"trimcoef: tol must not be negative, it is {tol}")
    (c,) = as_series([c], trim=False)
    n = tombac.trim_zeros(_core.absolute(c) > tol, "b").size
    return c[:n].copy() if n else c[:1] * 0


def getdomain(x):
    """The smallest interval, or rectangle of the complex plane, that has all points in it.

    Args:
        x: An array of one dimension, or a sequence of numbers.

    Returns:
        An array of two elements: the ends of the interval, or two corners of the rectangle.

    Raises:
        ValueError: ``x`` is empty or has more than one dimension.
        TypeError: ``x`` is an array of NumPy's.

    >>> import tombac as tb
    >>> tb.polynomial.polyutils.getdomain([3, 1, 2])
    array([1., 3.])
    """
    (x,) = as_series([x], trim=False)
    if x._kind == "c":
        return _core.stack((x.real.min() + 1j * x.imag.min(), x.real.max() + 1j * x.imag.max()))
    return _core.stack((x.min(), x.max()))


def mapparms(old, new):
    """The numbers of the map off + scl x that takes the ends of an interval to those of another.

    Args:
        old: The ends of an interval: an array of two elements, or a sequence.
        new: Those of the other.

    Returns:
        A tuple of two: off and scl, arrays without dimensions, or numbers if both arguments are sequences of them.

    Raises:
        ZeroDivisionError: ``old`` is a sequence of two equal numbers.

    >>> import tombac as tb
    >>> tb.polynomial.polyutils.mapparms((-1, 1), (0, 4))
    (2.0, 2.0)
    """
    length = old[1] - old[0]
    return (old[1] * new[0] - old[0] * new[1]) / length, (new[1] - new[0]) / length


def mapdomain(x, old, new):
    """Points by the linear map that takes the ends of an interval to those of another.

    Args:
        x: An array of any shape, a sequence or a number.
        old: The ends of an interval: an array of two elements, or a sequence.
        new: Those of the other.

    Returns:
        An array of ``x``'s shape, or a number if all arguments are.

    Raises:
        ZeroDivisionError: ``old`` is a sequence of two equal numbers.
        TypeError: ``x`` is an array of NumPy's.

    >>> import tombac as tb
    >>> tb.polynomial.polyutils.mapdomain(tb.array([-1.0, 0.0, 1.0]), (-1, 1), (0, 4))
    array([0., 2., 4.])
    """
    if type(x) not in (int, float, complex) and not isinstance(x, np.generic):
        x = device_array("mapdomain", x)
    off, scl = mapparms(old, new)
    return off + scl * x


def format_float(x, parens=False):
    """A number as the classes print it: with as many digits as arrays are printed with.

    Args:
        x: A number, or an array without dimensions.
        parens: Whether there are parentheses around it where it has an exponent or no value.

    Returns:
        A str.

    Raises:
        TypeError: ``x`` is an array with dimensions.

    >>> tombac.polynomial.polyutils.format_float(1.5)
    '1.5'
    """
    return np.polynomial.polyutils.format_float(x.item() if isinstance(x, _core.ndarray) else x, parens)
