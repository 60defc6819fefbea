"""Frequencies of a transform's elements, and their order."""

import operator

from tombac import _core
from tombac._arranging import roll
from tombac._dtypes import as_dtype, is_inexact
from tombac._util import as_device

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def _count(name, n):
    try:
        n = operator.index(n)
    except TypeError:
        raise ValueError(f"{name}: n should be an integer, not {n!r}") from None
    if n == 0:
        raise ZeroDivisionError(f"{name}: there are no frequencies of no points")
    return n


def _typed(name, frequencies, dtype):
    if dtype is None:
        return frequencies
    dtype = as_dtype(dtype)
    if dtype.kind == "c" or not is_inexact(dtype):
        raise TypeError(f"{name}: dtype must be of real floating-point numbers, not {dtype}")
    return frequencies.astype(dtype, copy=False)


def fftfreq(n, d=1.0, device=None, *, dtype=None):
    """The frequencies of the elements of a Fourier transform.

    Args:
        n: Number of points.
        d: Distance between two.
        device: A tombac.cuda.Device or its number; the current one if None.
        dtype: The result's dtype, that of a real floating-point number, as the array API standard has it; NumPy and
            CuPy do not. float64 if None.

    Returns:
        An array of n elements: 0, 1, ... and then the negative ones, over ``d * n``.

    Raises:
        ValueError: n is no integer, or negative, or ``device`` is no device.
        TypeError: ``dtype`` is none of real floating-point numbers.

    >>> import tombac as tb
    >>> tb.fft.fftfreq(4, 0.5)
    array([ 0. ,  0.5, -1. , -0.5])
    """
    n = _count("fftfreq", n)
    half = (n - 1) // 2 + 1
    places = _core.arange(n, device=device) if n > 0 else _core.empty(n)
    return _typed("fftfreq", _core.where(places < half, places, places - n) * (1.0 / (n * d)), dtype)


def rfftfreq(n, d=1.0, device=None, *, dtype=None):
    """The frequencies of the elements of a Fourier transform of real numbers.

    Args:
        n: Number of points.
        d: Distance between two.
        device: A tombac.cuda.Device or its number; the current one if None.
        dtype: See fftfreq.

    Returns:
        An array of n // 2 + 1 elements: 0, 1, ... over ``d * n``.

    Raises:
        ValueError: n is no integer, or negative, or ``device`` is no device.
        TypeError: ``dtype`` is none of real floating-point numbers.

    >>> import tombac as tb
    >>> tb.fft.rfftfreq(4, 0.5)
    array([0. , 0.5, 1. ])
    """
    n = _count("rfftfreq", n)
    places = _core.arange(n // 2 + 1, device=device) if n > 0 else _core.empty(n)
    return _typed("rfftfreq", places * (1.0 / (n * d)), dtype)


def _shift(name, x, axes, by):
    x = as_device(name, x)
    if axes is None:
        axes = tuple(range(x.ndim))
        if not axes:
            return x.copy()
    if not isinstance(axes, (tuple, list)):
        return roll(x, by(x.shape[axes]), axes)
    return roll(x, tuple(by(x.shape[axis]) for axis in axes), tuple(axes))


def fftshift(x, axes=None):
    """A transform with frequency 0 moved to the middle.

    Args:
        x: An array.
        axes: An axis, or several, along which; None: all.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        IndexError: There is no such axis.
        TypeError: ``x`` is no tombac array.

    >>> import tombac as tb
    >>> tb.fft.fftshift(tb.fft.fftfreq(4))
    array([-0.5 , -0.25,  0.  ,  0.25])
    """
    return _shift("fftshift", x, axes, lambda n: n // 2)


def ifftshift(x, axes=None):
    """The inverse of :func:`fftshift`.

    Args:
        x: An array.
        axes: An axis, or several, along which; None: all.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        IndexError: There is no such axis.
        TypeError: ``x`` is no tombac array.

    >>> import tombac as tb
    >>> tb.fft.ifftshift(tb.array([-1, 0, 1]))
    array([ 0,  1, -1])
    """
    return _shift("ifftshift", x, axes, lambda n: -(n // 2))
