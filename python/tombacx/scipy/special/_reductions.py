"""Sums of exponentials: logsumexp, softmax, log_softmax. The logarithm of a plain sum is one reduction. Of weighted and
complex ones, and where each element is compared with the sum, the largest element is one, and what follows is fused
with another."""

import tombac as tb
from tombac import _core

__all__ = ["log_softmax", "logsumexp", "softmax"]


def _in_floats(a):
    a = tb.asarray(a)
    return a if a._kind in "fc" else a.astype("d")


def _largest(a, axis, **least):
    """The largest real part along an axis, 0 where it is not finite, so that nothing is subtracted from itself."""
    most = _core.amax(a.real if a._kind == "c" else a, axis=axis, keepdims=True, **least)
    return _core.where(_core.isfinite(most), most, most.dtype.type(0))


def _sign_of_sum(logarithm):
    """Of a sum of exponentials: 1, or 0 where there are none but of -inf, or NaN."""
    kind = logarithm.dtype.type
    some = _core.where(_core.isnan(logarithm), kind(tb.nan), kind(1))
    return _core.where(logarithm == -tb.inf, kind(0), some)


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    """The logarithm of the sum of exponentials, without overflow.

    Args:
        a: An array of real or complex numbers.
        axis: An axis, a tuple of axes, or None for all.
        b: Factors of the exponentials, broadcast to ``a``; where one is 0, the element does not count.
        keepdims: Whether the axes stay, with length 1.
        return_sign: Whether the sign of the sum comes too; else the logarithm of a negative one is NaN.

    Returns:
        An array, or a tuple of the logarithm of the sum's magnitude and its sign.

    Raises:
        AxisError: ``a`` has no such axis.

    >>> tombacx.scipy.special.logsumexp(tombac.array([1000.0, 1000.0]))
    array(1000.69314718)
    """
    a = _in_floats(a)
    if b is None and a._kind == "f":
        result = _core.logsumexp(a, axis=axis, keepdims=keepdims)
        return (result, _sign_of_sum(result)) if return_sign else result
    if b is not None:
        number = isinstance(b, (int, float, complex))  # which leaves the dtype
        a, b = tb.broadcast_arrays(a, tb.asarray(b, tb.result_type(a, b) if number else None))
        a = _core.where(b == 0, a.dtype.type(-tb.inf), a)
    most = _largest(a, axis, initial=-tb.inf)
    terms = _core.exp(a - most)
    total = _core.sum(terms if b is None else b * terms, axis=axis, keepdims=keepdims)
    sign = _core.sign(total) if return_sign else None
    if return_sign:
        total = _core.absolute(total)
    most = most if keepdims else most.squeeze(axis=axis) if axis is not None else most.reshape(())
    result = _core.log(total) + most
    return (result, sign) if return_sign else result


def _of_rows(x, axis, log):
    """softmax, or its logarithm, along the last axis in one kernel; None where that is not to be had."""
    if axis is None and x.ndim == 1:
        axis = 0
    last = type(axis) is int and x.ndim > 0 and axis in (-1, x.ndim - 1)
    return _core._softmax(x, log) if last and x._kind == "f" else None


def softmax(x, axis=None):
    """Exponentials divided by their sum.

    Args:
        x: An array of real numbers.
        axis: The axis, or axes, along which the results add up to 1; None for all.

    Returns:
        An array of x's shape.

    Raises:
        AxisError: ``x`` has no such axis.

    >>> tombacx.scipy.special.softmax(tombac.array([0.0, 1.0, 2.0]))
    array([0.09003057, 0.24472847, 0.66524096])
    """
    x = tb.asarray(x)
    of_rows = _of_rows(x, axis, False)
    if of_rows is not None:
        return of_rows
    shifted = _core.exp(x - _core.amax(x, axis=axis, keepdims=True))
    return shifted / _core.sum(shifted, axis=axis, keepdims=True)


def log_softmax(x, axis=None):
    """The logarithm of softmax, without its underflow.

    Args:
        x: An array of real numbers.
        axis: The axis, or axes, along which softmax adds up to 1; None for all.

    Returns:
        An array of x's shape.

    Raises:
        AxisError: ``x`` has no such axis.

    >>> tombacx.scipy.special.log_softmax(tombac.array([0.0, 1000.0]))
    array([-1000.,     0.])
    """
    x = tb.asarray(x)
    of_rows = _of_rows(x, axis, True)
    if of_rows is not None:
        return of_rows
    most = _core.amax(x, axis=axis, keepdims=True)
    shifted = x - (most if x._kind in "iu" else _core.where(_core.isfinite(most), most, most.dtype.type(0)))
    return shifted - _core.log(_core.sum(_core.exp(shifted), axis=axis, keepdims=True))
