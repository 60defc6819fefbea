"""Series of coefficients, the lowest power first: their types, and zeros at their ends."""

import tombac
from tombac import _core
from tombac._util import check_arrays

__all__ = ["as_series", "trimcoef", "trimseq"]


def trimseq(seq):
    """``seq`` without the zeros at its end, but for the first element; this waits for the device.

    >>> import tombac as tb
    >>> trimseq(tb.array([1, 2, 0, 0]))
    array([1, 2])
    """
    check_arrays("trimseq", seq)
    return seq if seq.size == 0 else seq[: max(1, tombac.trim_zeros(seq, "b").size)]


def as_series(alist, trim=True):
    """Arrays as vectors of a common inexact dtype.

    Args:
        alist: A sequence of tombac arrays with one dimension or none.
        trim: Cut off zeros at the end, which waits for the device.

    Raises:
        ValueError: An array is empty or has more dimensions, or the arrays have no common type.

    >>> import tombac as tb
    >>> as_series([tb.array([1, 2, 0])])
    [array([1., 2.])]
    """
    check_arrays("as_series", *alist)
    if any(a.size == 0 for a in alist):
        raise ValueError("as_series: a series of coefficients must not be empty")
    if any(a.ndim > 1 for a in alist):
        raise ValueError("as_series: a series of coefficients must have one dimension")
    arrays = [a.reshape(1) if a.ndim == 0 else a for a in alist]
    arrays = [trimseq(a) for a in arrays] if trim else arrays
    try:
        t = tombac.common_type(*arrays)
    except TypeError as e:
        raise ValueError("as_series: the series have no common type") from e
    return [a.astype(t) for a in arrays]


def trimcoef(c, tol=0):
    """``c`` without the coefficients at its end that are no larger than ``tol``; this waits for the device.

    Raises:
        ValueError: ``tol`` is negative, or ``c`` is empty or has more than one dimension.

    >>> import tombac as tb
    >>> trimcoef(tb.array([1.0, 2.0, 0.1]), 0.5)
    array([1., 2.])
    """
    if tol < 0:
        raise ValueError(f"trimcoef: tol must not be negative, it is {tol}")
    (c,) = as_series([c], trim=False)
    n = tombac.trim_zeros(_core.absolute(c) > tol, "b").size
    return c[:n].copy() if n else c[:1] * 0
