"""SciPy's older Fourier transforms: where real numbers are transformed, real and imaginary parts take turns.

>>> import tombac, tombacx.scipy.fftpack
>>> tombacx.scipy.fftpack.rfft(tombac.array([1.0, 2.0, 3.0, 4.0]))
array([10., -2.,  2., -2.])
"""

from tombac import _core
from tombac._manipulation import moveaxis as _moveaxis
from tombac._util import as_device as _as_device
from tombac.fft import _BACKWARD, _FORWARD, _HALF, _REAL
from tombacx.scipy.fft._plans import get_fft_plan
from tombacx.scipy.fft._plans import transform as _transform

__all__ = ["fft", "fft2", "fftn", "get_fft_plan", "ifft", "ifft2", "ifftn", "irfft", "rfft"]


def fft(x, n=None, axis=-1, overwrite_x=False, plan=None):
    """The Fourier transform along an axis.

    Args:
        x: An array of numbers.
        n: Number of points: x is cut off there, or continued by zeros.
        axis: Along which.
        overwrite_x: Whether x's elements may be lost; they never are.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point or no such axis, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fftpack
    >>> tombacx.scipy.fftpack.fft(tombac.ones(2))
    array([2.+0.j, 0.+0.j])
    """
    return _transform("fft", x, _FORWARD, n, axis, None, plan, False)


def ifft(x, n=None, axis=-1, overwrite_x=False, plan=None):
    """The inverse of :func:`fft`.

    Args:
        x: An array of numbers.
        n: Number of points: x is cut off there, or continued by zeros.
        axis: Along which.
        overwrite_x: Whether x's elements may be lost; they never are.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point or no such axis, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fftpack
    >>> tombacx.scipy.fftpack.ifft(tombac.ones(2))
    array([1.+0.j, 0.+0.j])
    """
    return _transform("ifft", x, _BACKWARD, n, axis, None, plan, False)


def fft2(x, shape=None, axes=(-2, -1), overwrite_x=False, plan=None):
    """The Fourier transform over two axes.

    Args:
        x: An array of numbers.
        shape: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once.
        overwrite_x: Whether x's elements may be lost; they never are.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point or no such axis, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fftpack
    >>> tombacx.scipy.fftpack.fft2(tombac.ones((1, 2)))
    array([[2.+0.j, 0.+0.j]])
    """
    return _transform("fft2", x, _FORWARD, shape, axes, None, plan, True)


def ifft2(x, shape=None, axes=(-2, -1), overwrite_x=False, plan=None):
    """The inverse of :func:`fft2`.

    Args:
        x: An array of numbers.
        shape: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once.
        overwrite_x: Whether x's elements may be lost; they never are.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point or no such axis, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fftpack
    >>> tombacx.scipy.fftpack.ifft2(tombac.ones((1, 2)))
    array([[1.+0.j, 0.+0.j]])
    """
    return _transform("ifft2", x, _BACKWARD, shape, axes, None, plan, True)


def fftn(x, shape=None, axes=None, overwrite_x=False, plan=None):
    """The Fourier transform over several axes.

    Args:
        x: An array of numbers.
        shape: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once; None: the last len(shape) ones, or all.
        overwrite_x: Whether x's elements may be lost; they never are.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point or no such axis, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fftpack
    >>> tombacx.scipy.fftpack.fftn(tombac.ones((1, 2)))
    array([[2.+0.j, 0.+0.j]])
    """
    return _transform("fftn", x, _FORWARD, shape, axes, None, plan, True)


def ifftn(x, shape=None, axes=None, overwrite_x=False, plan=None):
    """The inverse of :func:`fftn`.

    Args:
        x: An array of numbers.
        shape: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once; None: the last len(shape) ones, or all.
        overwrite_x: Whether x's elements may be lost; they never are.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point or no such axis, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fftpack
    >>> tombacx.scipy.fftpack.ifftn(tombac.ones((1, 2)))
    array([[1.+0.j, 0.+0.j]])
    """
    return _transform("ifftn", x, _BACKWARD, shape, axes, None, plan, True)


def rfft(x, n=None, axis=-1, overwrite_x=False, plan=None):
    """The Fourier transform of real numbers, as n real numbers: of element 0 the real part, then both parts of each.

    Args:
        x: An array of real numbers.
        n: Number of points: x is cut off there, or continued by zeros.
        axis: Along which.
        overwrite_x: Whether x's elements may be lost; they never are.
        plan: One of :func:`get_fft_plan` for such arrays and ``value_type='R2C'``, or None.

    Returns:
        An array of float32 or float64. The part that is 0 of the last element of an even number is left out.

    Raises:
        TypeError: ``x`` is no tombac array, or complex.
        ValueError: There is no point or no such axis, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fftpack
    >>> tombacx.scipy.fftpack.rfft(tombac.array([0.0, 1.0, 0.0]))
    array([ 1.       , -0.5      , -0.8660254])
    """
    half = _moveaxis(_transform("rfft", x, _REAL, n, axis, None, plan, False), axis, -1)
    n = x.shape[axis] if n is None else n
    parts = _core.ascontiguousarray(half).view(half.dtype.char.lower())
    return _moveaxis(_core.concatenate([parts[..., :1], parts[..., 2:n + 1]], axis=-1), -1, axis)


def irfft(x, n=None, axis=-1, overwrite_x=False):
    """The inverse of :func:`rfft`.

    Args:
        x: An array of real numbers, as :func:`rfft` gives them.
        n: Number of points: x is cut off there, or continued by zeros.
        axis: Along which.
        overwrite_x: Whether x's elements may be lost; they never are.

    Returns:
        An array of float32 or float64.

    Raises:
        TypeError: ``x`` is no tombac array, or complex.
        ValueError: There is no point or no such axis.

    >>> import tombac, tombacx.scipy.fftpack
    >>> tombacx.scipy.fftpack.irfft(tombac.array([10.0, -2.0, 2.0, -2.0]))
    array([1., 2., 3., 4.])
    """
    x = _as_device("irfft", x)
    if x.dtype.kind == "c":
        raise TypeError(f"irfft: x must be real, not {x.dtype}")
    x = _moveaxis(x.astype("f" if x.dtype.char in "ef" else "d", copy=False), axis, -1)
    n = x.shape[-1] if n is None else n
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    parts, given = _core.zeros((*x.shape[:-1], 2 * (n // 2 + 1)), x.dtype), min(n, x.shape[-1])
    parts[..., 0] = x[..., 0]
    parts[..., 2:given + 1] = x[..., 1:given]
    half = parts.view(x.dtype.char.upper())
    return _moveaxis(_transform("irfft", half, _HALF, n, -1, None, None, False), -1, axis)
