"""Other rates: filters between two rates, and resampling by them or by Fourier transforms."""

import math
import operator

from tombac import _core
from tombac._arranging import roll
from tombac._core import asarray
from tombac._manipulation import moveaxis
from tombac._order_statistics import median
from tombac._util import normalize_axis_index
from tombac.fft import fftfreq, fftshift
from tombacx.scipy import fft as _fft
from tombacx.scipy.signal._fir_design import firwin
from tombacx.scipy.signal._polyphase import EXTENSIONS, resampled
from tombacx.scipy.signal.windows import get_window

__all__ = ["resample", "resample_poly", "upfirdn"]

_BACKGROUNDS = {"maximum": _core.amax, "mean": _core.mean, "median": median, "minimum": _core.amin}


def _along(name, x, axis):
    """``x`` as an array with the axis last, and its number."""
    x = asarray(x)
    axis = normalize_axis_index(axis, x.ndim, name)
    return moveaxis(x, axis, -1), axis


def _filtered(h, x, *how):
    if h.dtype is x.dtype and x.dtype.char in "fdFD":
        return resampled(h, x, *how)
    dtype = _core.result_type(h, x, "f")
    return resampled(h.astype(dtype, copy=False), x.astype(dtype, copy=False), *how)


def _put_back(y, axis):
    """``y`` with its last axis where the caller has it, in C order, as SciPy gives it."""
    return _core.ascontiguousarray(moveaxis(y, -1, axis))


def upfirdn(h, x, up=1, down=1, axis=-1, mode="constant", cval=0):
    """A signal with zeros put between samples, filtered, and of the result every so manyeth taken.

    Args:
        h: The filter: a vector of real or complex numbers, or a sequence.
        x: The signal: an array, or a sequence.
        up: How many places a sample takes up: itself and ``up - 1`` zeros.
        down: Which results are taken: those whose number it divides.
        axis: Along which axis.
        mode: How the signal goes on beyond its ends: 'constant', 'wrap', 'edge', 'smooth', 'symmetric', 'reflect',
            'antisymmetric', 'antireflect' or 'line', as for SciPy's upfirdn.
        cval: The number for 'constant'.

    Returns:
        An array of float32, float64, complex64 or complex128, whichever the dtypes are promoted to; along ``axis`` it
        has ceil(((n - 1) * up + len(h)) / down) elements.

    Raises:
        ValueError: ``h`` has not one dimension or no element, ``up`` or ``down`` is less than 1, or there is no such
            mode.
        AxisError: There is no such axis.

    >>> tombacx.scipy.signal.upfirdn([1.0, 2.0, 1.0], [1.0, 2.0, 3.0], up=2)
    array([1., 2., 3., 4., 5., 6., 3.])
    """
    h = asarray(h)
    if h.ndim != 1 or not h.size:
        raise ValueError(f"upfirdn: h must be a vector of one element or more, its shape is {h.shape}")
    up, down = int(up), int(down)
    if up < 1 or down < 1:
        raise ValueError(f"upfirdn: up and down must be 1 or more, not {up} and {down}")
    if mode not in EXTENSIONS:
        raise ValueError(f"upfirdn: mode must be one of {', '.join(map(repr, EXTENSIONS))}, not {mode!r}")
    x = asarray(x)
    axis = normalize_axis_index(axis, x.ndim, "upfirdn")
    count = max(-(-((x.shape[axis] - 1) * up + h.size) // down), 0)
    if axis == x.ndim - 1:
        return _core.ascontiguousarray(_filtered(h, x, up, down, 0, count, mode, cval))
    return _put_back(_filtered(h, moveaxis(x, axis, -1), up, down, 0, count, mode, cval), axis)


def _rate(name, n):
    if int(n) != n:
        raise ValueError(f"resample_poly: {name} must be an integer, not {n!r}")
    if n < 1:
        raise ValueError(f"resample_poly: {name} must be 1 or more, not {n}")
    return int(n)


def resample_poly(x, up, down, axis=0, window=("kaiser", 5.0), padtype="constant", cval=None):
    """A signal at ``up / down`` times its rate, by a filter of finite length without a delay.

    Args:
        x: The signal: an array of numbers, or a sequence.
        up: What the rate is multiplied by.
        down: What it is divided by.
        axis: Along which axis.
        window: The window by which :func:`firwin` designs the filter: its name, a tuple, or a Kaiser window's beta; or
            the filter's coefficients, an array or a list.
        padtype: What the signal is taken to be beyond its ends: 'constant', 'line' or another mode of :func:`upfirdn`;
            'mean', 'median', 'maximum' or 'minimum' of it.
        cval: The number for 'constant'; 0 if None.

    Returns:
        An array of float32, float64, complex64 or complex128; along ``axis`` it has ceil(n * up / down) elements. Where
        ``up == down`` it is a copy.

    Raises:
        ValueError: ``up`` or ``down`` is no integer from 1 on, there is no such ``padtype`` or window, ``cval`` is
            given for another one, or coefficients have more than one dimension.
        AxisError: There is no such axis.

    >>> abs(tombacx.scipy.signal.resample_poly([0.0, 1.0, 2.0, 3.0], 1, 2, padtype="line")).round(6)
    array([0., 2.])
    """
    up, down = _rate("up", up), _rate("down", down)
    if padtype not in EXTENSIONS and padtype not in _BACKGROUNDS:
        raise ValueError(f"resample_poly: padtype must be one of {', '.join(map(repr, [*EXTENSIONS, *_BACKGROUNDS]))}, "
                         f"not {padtype!r}")
    if cval is not None and padtype != "constant":
        raise ValueError(f"resample_poly: cval has no effect where padtype is {padtype!r}")
    x, axis = _along("resample_poly", x, axis)
    divisor = math.gcd(up, down)
    up, down = up // divisor, down // divisor
    if up == down:
        return moveaxis(x, -1, axis).copy()
    if isinstance(window, list) or hasattr(window, "dtype"):
        h = asarray(window)
        if h.ndim != 1:
            raise ValueError(f"resample_poly: window must have one dimension, not {h.ndim}")
    else:
        rate = max(up, down)
        h = firwin(20 * rate + 1, 1 / rate, window=window)
        h = h.astype(x.dtype, copy=False) if x.dtype.kind in "fc" else h
    middle = (h.size - 1) // 2
    count = -(-x.shape[-1] * up // down)
    if not h.size or not x.size:
        return _put_back(_core.zeros((*x.shape[:-1], count), _core.result_type(h, x, "f")), axis)
    if padtype not in _BACKGROUNDS:
        return _put_back(_filtered(h * up, x, up, down, middle, count, padtype, cval or 0), axis)
    level = _BACKGROUNDS[padtype](x, axis=-1, keepdims=True)
    return _put_back(_filtered(h * up, x - level, up, down, middle, count) + level, axis)


def _resample_window(window, n):
    """The factors of the ``n`` frequencies, in the order of transforms."""
    if callable(window):
        return asarray(window(fftfreq(n)))
    if hasattr(window, "shape"):
        if window.shape != (n,):
            raise ValueError(f"resample: a window of shape {window.shape}, but there are {n} frequencies")
        return asarray(window)
    return fftshift(get_window(window, n))


def _other_length(X, n, num, real):
    """Of a spectrum of ``n`` points that of ``num``: frequencies that are new are 0. Half of it for real numbers."""
    kept = min(n, num)
    half = kept // 2
    Y = _core.zeros((*X.shape[:-1], num // 2 + 1 if real else num), X.dtype)
    Y[..., :half + 1] = X[..., :half + 1]
    if not real and kept > 2:
        negative = (kept - 1) // 2
        Y[..., num - negative:] = X[..., n - negative:]
    if kept % 2 == 0 and n != num:
        # The highest frequency of the shorter one stands for both signs.
        if num > n:
            Y[..., half] *= 0.5
            if not real:
                Y[..., num - half] = Y[..., half]
        elif real:
            Y[..., half] *= 2
        else:
            Y[..., half] += X[..., n - half]
    return Y


def resample(x, num, t=None, axis=0, window=None, domain="time"):
    """A signal with ``num`` samples for as long a time, by a Fourier transform: it is taken to be periodic.

    Args:
        x: The signal: an array of numbers, or a sequence; for ``domain='freq'`` its Fourier transform.
        num: How many samples the result has.
        t: The times of the samples, if those of the result are wanted: a vector.
        axis: Along which axis.
        window: By what the spectrum is multiplied: a function of frequencies in cycles per sample, an array of factors
            in the order of transforms, or a window by its name, a tuple or a number, as of :func:`get_window`.
        domain: 'time', or 'freq'.

    Returns:
        An array of float32 or float64, or complex64 or complex128 for complex ``x`` and for 'freq'; or, with ``t``, a
        tuple of it and the times.

    Raises:
        ValueError: There is no such domain or window, a window has another length, or ``num`` or the length of ``x`` is
            0.
        AxisError: There is no such axis.

    >>> tombacx.scipy.signal.resample([0.0, 1.0, 0.0, -1.0], 8).round(6) + 0.0
    array([ 0.      ,  0.707107,  1.      ,  0.707107,  0.      , -0.707107,
           -1.      , -0.707107])
    """
    if domain not in ("time", "freq"):
        raise ValueError(f"resample: domain must be 'time' or 'freq', not {domain!r}")
    num = operator.index(num)
    x, axis = _along("resample", x, axis)
    n = x.shape[-1]
    if num < 1 or not n:
        raise ValueError(f"resample: the numbers of samples must be positive, and are {n} and {num}")
    weights = None if window is None else _resample_window(window, n)
    real = domain == "time" and x.dtype.kind != "c"
    if domain == "time":
        X = _fft.rfft(x) if real else _fft.fft(x)
    else:
        X = x.astype("D" if x.dtype.kind in "biu" else _core.result_type(x, "F"), copy=False)
    if weights is not None:
        if real:  # the spectrum's halves are alike only if the factors' are
            weights = ((weights + roll(weights[::-1], 1)) * 0.5)[:n // 2 + 1]
        X = X * weights.astype(X.dtype if weights.dtype.kind == "c" else X.real.dtype, copy=False)
    scale = num / n
    Y = _other_length(X, n, num, real)
    y = (_fft.irfft(Y, num) if real else _fft.ifft(Y)) * scale
    y = moveaxis(y, -1, axis)
    if t is None:
        return y
    t = asarray(t)
    return y, _core.arange(num) * ((t[1] - t[0]) * n / num) + t[0]
