"""Fourier transforms, with NumPy's names: by cuFFT on a GPU, by SciPy's functions on the CPU.

float16, float32 and complex64 are transformed in single precision, all else in double.

>>> import tombac as tb
>>> tb.fft.fft(tb.array([1.0, 2.0, 3.0, 4.0]))
array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
"""

import operator as _operator
import warnings as _warnings

from tombac import _core
from tombac._util import as_device as _as_device
from tombac.fft import _config, _devices
from tombac.fft._frequencies import fftfreq, fftshift, ifftshift, rfftfreq

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]

config = _config.FFTConfig()

_FORWARD, _BACKWARD, _REAL, _HALF = range(4)
_SWAPPED = {"backward": "forward", None: "forward", "ortho": "ortho", "forward": "backward"}


def _swapped(norm):
    try:
        return _SWAPPED[norm]
    except (KeyError, TypeError):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".') from None


def _along(name, a, kind, n, axis, norm, out):
    a = a if type(a) is _core.ndarray else _as_device(name, a)
    if config.use_multi_gpus and kind <= _BACKWARD:
        y = _devices.transform(a, kind, norm, _operator.index(axis), n, config._devices)
        return y if out is None else _core.positive(y, out=out)
    return _core._fft(a, kind, norm, _operator.index(axis), n, out)


def _axes_and_lengths(a, s, axes):
    if s is not None:
        s = tuple(s)
        if None in s:
            s = tuple(-1 if length is None else length for length in s)
        if axes is None:
            axes = range(-len(s), 0)
    elif axes is None:
        axes = range(a.ndim)
    return tuple(axes), s


def _over(name, a, kind, s, axes, norm, out):
    a = _as_device(name, a)
    if s is not None and axes is None:
        _warnings.warn(f"{name}: axes should be given where s is, as in NumPy 2", DeprecationWarning, stacklevel=3)
    axes, s = _axes_and_lengths(a, s, axes)
    return _core._fft(a, kind, norm, axes, s, out)


def fft(a, n=None, axis=-1, norm=None, out=None):
    """The discrete Fourier transform: result[k] is the sum of a[j] * exp(-2 pi i j k / n).

    Args:
        a: An array of numbers.
        n: Number of points, as many as there are unless given: a is cut off there, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward': whether the backward transform is divided by n, both
            by its square root, or the forward one.
        out: An array for the result, of its shape.

    Returns:
        An array of complex64 or complex128.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array.
        ValueError: There is no point, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.fft(tb.array([0.0, 1.0, 0.0, 0.0]))
    array([ 1.+0.j,  0.-1.j, -1.+0.j,  0.+1.j])
    """
    return _along("fft", a, _FORWARD, n, axis, norm, out)


def ifft(a, n=None, axis=-1, norm=None, out=None):
    """The inverse of :func:`fft`: sums of a[j] * exp(2 pi i j k / n), divided by n.

    Args:
        a: An array of numbers.
        n: Number of points, as many as there are unless given: a is cut off there, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward': whether the backward transform is divided by n, both
            by its square root, or the forward one.
        out: An array for the result, of its shape.

    Returns:
        An array of complex64 or complex128.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array.
        ValueError: There is no point, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.ifft(tb.array([4.0j, 0.0, 0.0, 0.0]))
    array([0.+1.j, 0.+1.j, 0.+1.j, 0.+1.j])
    """
    return _along("ifft", a, _BACKWARD, n, axis, norm, out)


def rfft(a, n=None, axis=-1, norm=None, out=None):
    """The first n // 2 + 1 elements of the Fourier transform of real numbers; the others are their conjugates.

    Args:
        a: An array of real numbers.
        n: Number of points, as many as there are unless given: a is cut off there, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward': whether the backward transform is divided by n, both
            by its square root, or the forward one.
        out: An array for the result, of its shape.

    Returns:
        An array of complex64 or complex128.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array, or complex.
        ValueError: There is no point, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.rfft(tb.array([0.0, 1.0, 0.0, 0.0]))
    array([ 1.+0.j,  0.-1.j, -1.+0.j])
    """
    return _along("rfft", a, _REAL, n, axis, norm, out)


def irfft(a, n=None, axis=-1, norm=None, out=None):
    """The inverse of :func:`rfft`: n real numbers.

    Args:
        a: An array of numbers.
        n: Number of points of the result, 2 * (m - 1) for m elements unless given. Of ``a`` the first n // 2 + 1
            elements count: it is cut off there, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward': whether the backward transform is divided by n, both
            by its square root, or the forward one.
        out: An array for the result, of its shape.

    Returns:
        An array of float32 or float64.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array.
        ValueError: There is no point, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.irfft(tb.array([1.0, -1.0j, -1.0]), 4)
    array([0., 1., 0., 0.])
    """
    return _along("irfft", a, _HALF, n, axis, norm, out)


def hfft(a, n=None, axis=-1, norm=None, out=None):
    """The Fourier transform of numbers whose second half would be the conjugates of the first: n real numbers.

    Args:
        a: An array of numbers, the first half.
        n: Number of points of the result, 2 * (m - 1) for m elements unless given. Of ``a`` the first n // 2 + 1
            elements count: it is cut off there, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward': whether the backward transform is divided by n, both
            by its square root, or the forward one.
        out: An array for the result, of its shape.

    Returns:
        An array of float32 or float64.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array.
        ValueError: There is no point, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.hfft(tb.array([1.0, 2.0, 3.0]))
    array([ 8., -2.,  0., -2.])
    """
    a = _as_device("hfft", a)
    return _core._fft(a.conj(), _HALF, _swapped(norm), _operator.index(axis), n, out)


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    """The inverse of :func:`hfft`: the first n // 2 + 1 elements.

    Args:
        a: An array of real numbers.
        n: Number of points, as many as there are unless given: a is cut off there, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward': whether the backward transform is divided by n, both
            by its square root, or the forward one.
        out: An array for the result, of its shape.

    Returns:
        An array of complex64 or complex128.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array, or complex.
        ValueError: There is no point, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.ihfft(tb.array([8.0, -2.0, 0.0, -2.0]))
    array([1.-0.j, 2.-0.j, 3.-0.j])
    """
    half = _along("ihfft", a, _REAL, n, axis, _swapped(norm), None)
    return half.conj() if out is None else _core.conj(half, out)


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """The Fourier transform over two axes.

    Args:
        a: An array of numbers.
        s: Number of points along each of the axes, -1 for as many as there are. As in :func:`fft` for each.
        axes: Along which. One that is named twice is gone through twice.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`fft`.
        out: An array for the result, of its shape.

    Returns:
        An array of complex64 or complex128.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array.
        ValueError: s is not as long as axes, there is no point along one, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.fft2(tb.eye(2))
    array([[2.+0.j, 0.+0.j],
           [0.+0.j, 2.+0.j]])
    """
    return _over("fft2", a, _FORWARD, s, axes, norm, out)


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """The inverse of :func:`fft2`.

    Args:
        a: An array of numbers.
        s: Number of points along each of the axes, -1 for as many as there are. As in :func:`fft` for each.
        axes: Along which. One that is named twice is gone through twice.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`fft`.
        out: An array for the result, of its shape.

    Returns:
        An array of complex64 or complex128.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array.
        ValueError: s is not as long as axes, there is no point along one, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.ifft2(tb.eye(2))
    array([[0.5+0.j, 0. +0.j],
           [0. +0.j, 0.5+0.j]])
    """
    return _over("ifft2", a, _BACKWARD, s, axes, norm, out)


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """The Fourier transform of real numbers over two axes; along the last the first n // 2 + 1 elements.

    Args:
        a: An array of real numbers.
        s: Number of points along each of the axes, -1 for as many as there are. As in :func:`fft` for each.
        axes: Along which. One that is named twice is gone through twice.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`fft`.
        out: An array for the result, of its shape.

    Returns:
        An array of complex64 or complex128.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array, or complex.
        ValueError: s is not as long as axes, there is no point along one, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.rfft2(tb.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _over("rfft2", a, _REAL, s, axes, norm, out)


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """The inverse of :func:`rfft2`.

    Args:
        a: An array of numbers.
        s: Number of points along each of the axes, -1 for as many as there are. None: as many as
            there are, and 2 * (m - 1) of m along the last one.
        axes: Along which. One that is named twice is gone through twice.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`fft`.
        out: An array for the result, of its shape.

    Returns:
        An array of float32 or float64.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array.
        ValueError: s is not as long as axes, there is no point along one, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.irfft2(tb.ones((2, 2)))
    array([[1., 0.],
           [0., 0.]])
    """
    return _over("irfft2", a, _HALF, s, axes, norm, out)


def fftn(a, s=None, axes=None, norm=None, out=None):
    """The Fourier transform over several axes.

    Args:
        a: An array of numbers.
        s: Number of points along each of the axes, -1 for as many as there are. As in :func:`fft` for each.
        axes: Along which; None: the last len(s) ones, or all. One that is named twice is gone through twice.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`fft`.
        out: An array for the result, of its shape.

    Returns:
        An array of complex64 or complex128.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array.
        ValueError: s is not as long as axes, there is no point along one, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.fftn(tb.eye(2))
    array([[2.+0.j, 0.+0.j],
           [0.+0.j, 2.+0.j]])
    """
    return _over("fftn", a, _FORWARD, s, axes, norm, out)


def ifftn(a, s=None, axes=None, norm=None, out=None):
    """The inverse of :func:`fftn`.

    Args:
        a: An array of numbers.
        s: Number of points along each of the axes, -1 for as many as there are. As in :func:`fft` for each.
        axes: Along which; None: the last len(s) ones, or all. One that is named twice is gone through twice.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`fft`.
        out: An array for the result, of its shape.

    Returns:
        An array of complex64 or complex128.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array.
        ValueError: s is not as long as axes, there is no point along one, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.ifftn(tb.eye(2))
    array([[0.5+0.j, 0. +0.j],
           [0. +0.j, 0.5+0.j]])
    """
    return _over("ifftn", a, _BACKWARD, s, axes, norm, out)


def rfftn(a, s=None, axes=None, norm=None, out=None):
    """The Fourier transform of real numbers over several axes; along the last the first n // 2 + 1 elements.

    Args:
        a: An array of real numbers.
        s: Number of points along each of the axes, -1 for as many as there are. As in :func:`fft` for each.
        axes: Along which; None: the last len(s) ones, or all. One that is named twice is gone through twice.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`fft`.
        out: An array for the result, of its shape.

    Returns:
        An array of complex64 or complex128.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array, or complex.
        ValueError: s is not as long as axes, there is no point along one, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.rfftn(tb.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _over("rfftn", a, _REAL, s, axes, norm, out)


def irfftn(a, s=None, axes=None, norm=None, out=None):
    """The inverse of :func:`rfftn`.

    Args:
        a: An array of numbers.
        s: Number of points along each of the axes, -1 for as many as there are. None: as many as
            there are, and 2 * (m - 1) of m along the last one.
        axes: Along which; None: the last len(s) ones, or all. One that is named twice is gone through twice.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`fft`.
        out: An array for the result, of its shape.

    Returns:
        An array of float32 or float64.

    Raises:
        AxisError: There is no such axis.
        TypeError: ``a`` is no tombac array.
        ValueError: s is not as long as axes, there is no point along one, or the norm is another word.

    >>> import tombac as tb
    >>> tb.fft.irfftn(tb.ones((2, 2)))
    array([[1., 0.],
           [0., 0.]])
    """
    return _over("irfftn", a, _HALF, s, axes, norm, out)
