"""SciPy's Fourier transforms: those of tombac.fft, with plans."""

from tombac._util import as_device
from tombac.fft import _BACKWARD, _FORWARD, _HALF, _REAL, _swapped
from tombacx.scipy.fft._plans import transform

__all__ = [
    "fft", "fft2", "fftn", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ihfft", "ihfft2", "ihfftn", "irfft",
    "irfft2", "irfftn", "rfft", "rfft2", "rfftn",
]


def _refuse_plan(name, plan):
    if plan is not None:
        raise NotImplementedError(f"{name}: plans are not yet supported")


def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The Fourier transform along an axis.

    Args:
        x: An array of numbers.
        n: Number of points; ``x`` is cut off, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.fft(tombac.ones(2))
    array([2.+0.j, 0.+0.j])
    """
    return transform("fft", x, _FORWARD, n, axis, norm, plan, False)


def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of :func:`fft`.

    Args:
        x: An array of numbers.
        n: Number of points; ``x`` is cut off, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.ifft(tombac.ones(2))
    array([1.+0.j, 0.+0.j])
    """
    return transform("ifft", x, _BACKWARD, n, axis, norm, plan, False)


def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The first n // 2 + 1 elements of the Fourier transform of real numbers.

    Args:
        x: An array of real numbers.
        n: Number of points; ``x`` is cut off, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array, or complex.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.rfft(tombac.ones(2))
    array([2.+0.j, 0.+0.j])
    """
    return transform("rfft", x, _REAL, n, axis, norm, plan, False)


def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of :func:`rfft`: n real numbers.

    Args:
        x: An array of numbers.
        n: Number of points of the result, 2 * (m - 1) for m elements unless given; ``x`` is
            cut off, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of float32 or float64.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.irfft(tombac.ones(2))
    array([1., 0.])
    """
    return transform("irfft", x, _HALF, n, axis, norm, plan, False)


def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The Fourier transform of numbers whose second half would be the conjugates of the first: n real numbers.

    Args:
        x: An array of numbers, the first half.
        n: Number of points of the result, 2 * (m - 1) for m elements unless given; ``x`` is
            cut off, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: None.

    Returns:
        An array of float32 or float64.

    Raises:
        NotImplementedError: There is a plan.
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, or no such axis or norm.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.hfft(tombac.ones(2))
    array([2., 0.])
    """
    _refuse_plan("hfft", plan)
    return transform("hfft", as_device("hfft", x).conj(), _HALF, n, axis, _swapped(norm), None, False)


def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of :func:`hfft`: the first n // 2 + 1 elements.

    Args:
        x: An array of real numbers.
        n: Number of points; ``x`` is cut off, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        NotImplementedError: There is a plan.
        TypeError: ``x`` is no tombac array, or complex.
        ValueError: There is no point, or no such axis or norm.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.ihfft(tombac.ones(2))
    array([1.-0.j, 0.-0.j])
    """
    _refuse_plan("ihfft", plan)
    return transform("ihfft", x, _REAL, n, axis, _swapped(norm), None, False).conj()


def fft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The Fourier transform over two axes.

    Args:
        x: An array of numbers.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.fft2(tombac.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return transform("fft2", x, _FORWARD, s, axes, norm, plan, True)


def ifft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of :func:`fft2`.

    Args:
        x: An array of numbers.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.ifft2(tombac.ones((2, 2)))
    array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return transform("ifft2", x, _BACKWARD, s, axes, norm, plan, True)


def rfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The Fourier transform of real numbers over two axes; along the last the first n // 2 + 1 elements.

    Args:
        x: An array of real numbers.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array, or complex.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.rfft2(tombac.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return transform("rfft2", x, _REAL, s, axes, norm, plan, True)


def irfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of :func:`rfft2`.

    Args:
        x: An array of numbers.
        s: Number of points along each of the axes; None: as many as there are, 2 * (m - 1) of m along the last one.
        axes: Along which, each once.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of float32 or float64.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.irfft2(tombac.ones((2, 2)))
    array([[1., 0.],
           [0., 0.]])
    """
    return transform("irfft2", x, _HALF, s, axes, norm, plan, True)


def hfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As :func:`hfft` along the last axis, after Fourier transforms along the others.

    Args:
        x: An array of numbers.
        s: Number of points along each of the axes; None: as many as there are, 2 * (m - 1) of m along the last one.
        axes: Along which, each once.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: None.

    Returns:
        An array of float32 or float64.

    Raises:
        NotImplementedError: There is a plan.
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, or no such axis or norm.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.hfft2(tombac.ones((2, 2)))
    array([[4., 0.],
           [0., 0.]])
    """
    _refuse_plan("hfft2", plan)
    return transform("hfft2", as_device("hfft2", x).conj(), _HALF, s, axes, _swapped(norm), None, True)


def ihfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of :func:`hfft2`.

    Args:
        x: An array of real numbers.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        NotImplementedError: There is a plan.
        TypeError: ``x`` is no tombac array, or complex.
        ValueError: There is no point, or no such axis or norm.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.ihfft2(tombac.ones((2, 2)))
    array([[1.-0.j, 0.-0.j],
           [0.-0.j, 0.-0.j]])
    """
    _refuse_plan("ihfft2", plan)
    return transform("ihfft2", x, _REAL, s, axes, _swapped(norm), None, True).conj()


def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The Fourier transform over several axes.

    Args:
        x: An array of numbers.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once; None: the last len(s) ones, or all.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.fftn(tombac.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return transform("fftn", x, _FORWARD, s, axes, norm, plan, True)


def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of :func:`fftn`.

    Args:
        x: An array of numbers.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once; None: the last len(s) ones, or all.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.ifftn(tombac.ones((2, 2)))
    array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return transform("ifftn", x, _BACKWARD, s, axes, norm, plan, True)


def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The Fourier transform of real numbers over several axes; along the last the first n // 2 + 1 elements.

    Args:
        x: An array of real numbers.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once; None: the last len(s) ones, or all.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        TypeError: ``x`` is no tombac array, or complex.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.rfftn(tombac.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return transform("rfftn", x, _REAL, s, axes, norm, plan, True)


def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of :func:`rfftn`.

    Args:
        x: An array of numbers.
        s: Number of points along each of the axes; None: as many as there are, 2 * (m - 1) of m along the last one.
        axes: Along which, each once; None: the last len(s) ones, or all.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: One of :func:`get_fft_plan` for such arrays, or None.

    Returns:
        An array of float32 or float64.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, no such axis or norm, or the plan is for other arrays.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.irfftn(tombac.ones((2, 2)))
    array([[1., 0.],
           [0., 0.]])
    """
    return transform("irfftn", x, _HALF, s, axes, norm, plan, True)


def hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As :func:`hfft` along the last axis, after Fourier transforms along the others.

    Args:
        x: An array of numbers.
        s: Number of points along each of the axes; None: as many as there are, 2 * (m - 1) of m along the last one.
        axes: Along which, each once; None: the last len(s) ones, or all.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: None.

    Returns:
        An array of float32 or float64.

    Raises:
        NotImplementedError: There is a plan.
        TypeError: ``x`` is no tombac array.
        ValueError: There is no point, or no such axis or norm.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.hfftn(tombac.ones((2, 2)))
    array([[4., 0.],
           [0., 0.]])
    """
    _refuse_plan("hfftn", plan)
    return transform("hfftn", as_device("hfftn", x).conj(), _HALF, s, axes, _swapped(norm), None, True)


def ihfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of :func:`hfftn`.

    Args:
        x: An array of real numbers.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which, each once; None: the last len(s) ones, or all.
        norm: 'backward' (or None), 'ortho' or 'forward', as in :func:`tombac.fft.fft`.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        plan: None.

    Returns:
        An array of complex64 or complex128.

    Raises:
        NotImplementedError: There is a plan.
        TypeError: ``x`` is no tombac array, or complex.
        ValueError: There is no point, or no such axis or norm.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.ihfftn(tombac.ones((2, 2)))
    array([[1.-0.j, 0.-0.j],
           [0.-0.j, 0.-0.j]])
    """
    _refuse_plan("ihfftn", plan)
    return transform("ihfftn", x, _REAL, s, axes, _swapped(norm), None, True).conj()
