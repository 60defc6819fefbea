"""Signals made smooth, or thinner, or rid of a trend; the analytic signal."""

import functools
import operator
import warnings

from tombac import _core
from tombac._core import asarray, where
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombac._util import normalize_axis_index, normalize_axis_tuple
from tombacx.scipy._host import computed, host
from tombacx.scipy.signal._recurrences import at

__all__ = [
    "decimate", "detrend", "hilbert", "hilbert2", "medfilt", "medfilt2d", "order_filter", "savgol_filter", "wiener",
]

_documented = with_rows(
    x="x: The signal: an array of numbers, or a sequence.",
    axis="axis: Along which axis.",
    beyond="What is beyond the edges is 0.",
)


def _real_or_wide(x):
    """An array as float32 or float64."""
    x = asarray(x)
    return x if x.dtype.char in "fd" else x.astype("d")


# ---- windows ---------------------------------------------------------------------------------------------------------


def _window_sizes(name, sizes, ndim):
    """An odd number for each axis."""
    sizes = [3 if sizes is None else sizes] * ndim if sizes is None or np.ndim(host(sizes)) == 0 else list(host(sizes))
    sizes = [operator.index(n) for n in (sizes * ndim if len(sizes) == 1 else sizes)]
    if len(sizes) != ndim:
        raise ValueError(f"{name}: kernel_size has {len(sizes)} elements, and there are {ndim} axes")
    if any(n % 2 == 0 or n < 1 for n in sizes):
        raise ValueError(f"{name}: each element of kernel_size should be odd and positive")
    return sizes


def _check_order(name, x):
    if x.dtype.char in "?eFD":
        raise ValueError(f"{name}: dtype={x.dtype} is not supported")


@_documented
def medfilt(volume, kernel_size=None):
    """The median of the window around each element.

    Args:
        volume: An array of real numbers, of any number of dimensions.
        kernel_size: The window's lengths, which are odd: one for each axis, or one for all; 3 if None.

    Returns:
        An array of the same shape and dtype.

    Raises:
        ValueError: A length is even, there is not one for each axis, or ``volume`` is of truth values, float16 or
            complex numbers.

    {beyond}

    >>> tombacx.scipy.signal.medfilt(tombac.array([1.0, 9.0, 2.0, 3.0]))
    array([1., 2., 3., 2.])
    """
    from tombacx.scipy.ndimage import median_filter

    volume = _core.array(volume, ndmin=1)
    _check_order("medfilt", volume)
    sizes = _window_sizes("medfilt", kernel_size, volume.ndim)
    _warn_of_zeros("medfilt", sizes, volume)
    return median_filter(volume, sizes, mode="constant")


def _warn_of_zeros(name, sizes, x):
    if any(k > n for k, n in zip(sizes, x.shape)):
        warnings.warn(f"{name}: kernel_size, {sizes}, exceeds the shape {x.shape}: there are zeros around it",
                      stacklevel=3)


@_documented
def medfilt2d(input, kernel_size=3):
    """The median of the window around each element of a matrix.

    Args:
        input: A matrix of real numbers.
        kernel_size: The window's lengths, which are odd: one for each axis, or one for both.

    Returns:
        An array of the same shape and dtype.

    Raises:
        ValueError: A length is even, there are not two axes, or ``input`` is of truth values, float16 or complex
            numbers.

    {beyond}

    >>> tombacx.scipy.signal.medfilt2d(tombac.array([[1.0, 9.0], [2.0, 3.0]]), (1, 3))
    array([[1., 1.],
           [2., 2.]])
    """
    from tombacx.scipy.ndimage import median_filter

    input = asarray(input)
    if input.ndim != 2:
        raise ValueError(f"medfilt2d: input must be a matrix, and has shape {input.shape}")
    _check_order("medfilt2d", input)
    sizes = _window_sizes("medfilt2d", kernel_size, 2)
    if input.dtype.char not in "Bfd":  # as SciPy, whose loops for these do not
        _warn_of_zeros("medfilt2d", sizes, input)
    return median_filter(input, sizes, mode="constant")


@_documented
def order_filter(a, domain, rank):
    """The element of a given rank among those around each element.

    Args:
        a: An array of real numbers.
        domain: Which elements around count: an array that is not 0 there, of odd lengths and ``a``'s number of axes.
        rank: Which of them in order, the smallest being number 0; from the largest on, if negative.

    Returns:
        An array of ``a``'s shape and dtype.

    Raises:
        ValueError: A length of ``domain`` is even, or ``a`` is of truth values, float16 or complex numbers.
        RuntimeError: ``domain`` has another number of axes, or fewer elements that count.

    {beyond}

    >>> tombacx.scipy.signal.order_filter(tombac.array([1.0, 9.0, 2.0, 3.0]), [1, 1, 1], 0)
    array([0., 1., 2., 0.])
    """
    from tombacx.scipy.ndimage import rank_filter

    a, domain = asarray(a), np.asarray(host(domain))
    if any(n % 2 == 0 for n in domain.shape):
        raise ValueError("order_filter: each length of domain should be odd")
    _check_order("order_filter", a)
    return rank_filter(a, operator.index(rank), footprint=domain != 0, mode="constant")


@_documented
def wiener(im, mysize=None, noise=None):
    """Noise taken out of an array: elements whose surroundings vary little are drawn to their mean.

    Args:
        im: An array of numbers.
        mysize: The window's lengths: one for each axis, or one for all; 3 if None.
        noise: The noise's power; if None, the mean of the variances in all windows.

    Returns:
        An array of float64 or complex128 and of the same shape.

    Raises:
        ValueError: There is not one length for each axis.

    {beyond}

    >>> tombacx.scipy.signal.wiener(tombac.array([3.0, 0.0, 0.0, 6.0, 6.0])).round(3)
    array([1. , 1. , 1.4, 4.6, 4.6])
    """
    from tombacx.scipy.ndimage import correlate1d

    im = asarray(im)
    x = im.astype("D" if im.dtype.kind == "c" else "d", copy=False)
    sizes = [3] * x.ndim if mysize is None else np.atleast_1d(np.asarray(host(mysize))).tolist()
    sizes = sizes * x.ndim if len(sizes) == 1 and np.ndim(host(mysize)) == 0 else sizes
    if len(sizes) != x.ndim:
        raise ValueError(f"wiener: mysize has {len(sizes)} elements, and there are {x.ndim} axes")

    def mean(values):
        for axis, n in enumerate(sizes):
            values = correlate1d(values, np.full(n, 1 / n), axis, mode="constant")
        return values

    means = mean(x)
    variances = mean(x * x) - means * means
    noise = variances.mean() if noise is None else noise
    kept = (x - means) * (1 - noise / variances) + means
    return _core.where(variances < noise, means, kept)


# ---- polynomials -----------------------------------------------------------------------------------------------------


def _edge_weights(n, polyorder, deriv, delta, first, stop):
    """The derivative at places of the polynomial through n neighbours, as a matrix that takes these."""
    places = np.arange(first, stop)
    middle = (n - 1) / 2  # about which powers stay small
    neighbours = np.linalg.pinv(np.vander(np.arange(n) - middle, polyorder + 1, increasing=True))
    weights = np.zeros((len(places), polyorder + 1))
    for power in range(deriv, polyorder + 1):
        factor = np.prod(np.arange(power, power - deriv, -1.0)) if deriv else 1.0
        weights[:, power] = factor * (places - middle) ** (power - deriv) / delta**deriv
    return weights @ neighbours


@functools.lru_cache(16)
def _weights_of_ends(n, half, polyorder, deriv, delta, dtype):
    """Those of the first and the last ``half`` places, as matrices that elements are multiplied with."""
    ends = [_edge_weights(n, polyorder, deriv, delta, *places).T for places in ((0, half), (n - half, n))]
    return np.ascontiguousarray(ends, dtype)


def _ends(x, axis, n):
    """The first and the last ``n`` elements along an axis, as one array of two: a view."""
    x = x.swapaxes(axis, -1)
    x = x if x.ndim > 1 else x[None]
    step, away = x.strides[-1], x.shape[-1] - n
    return _core.as_strided(x, (2, *x.shape[:-1], n), (away * step, *x.strides[:-1], step))


@_documented
def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    """A signal made smooth by a polynomial fitted to each window, by Savitzky and Golay.

    Args:
        {x}
        window_length: The window's length.
        polyorder: The polynomial's order, less than that.
        deriv: Which derivative is taken; 0 for the signal itself.
        delta: The distance of elements, for derivatives.
        {axis}
        mode: What is beyond the ends: 'mirror', 'nearest', 'wrap', 'constant' (``cval``), or 'interp': nothing, the
            polynomials of the first and the last whole window go on to the ends.
        cval: What is beyond the ends for 'constant'.

    Returns:
        An array of ``x``'s shape: float32, or float64 for everything else.

    Raises:
        ValueError: There is no such mode, or the order is negative, or the window not longer than that, or for 'interp'
            longer than ``x``.
        AxisError: There is no such axis.

    >>> x = tombac.array([2.0, 2.0, 5.0, 2.0, 1.0, 0.0, 1.0, 4.0, 9.0])
    >>> tombacx.scipy.signal.savgol_filter(x, 5, 2).round(2)
    array([1.66, 3.17, 3.54, 2.86, 0.66, 0.17, 1.  , 4.  , 9.  ])
    """
    from tombacx.scipy.ndimage import convolve1d

    if mode not in ("mirror", "constant", "nearest", "interp", "wrap"):
        raise ValueError(f"savgol_filter: there is no mode {mode!r}, but 'mirror', 'constant', 'nearest', 'wrap' and "
                         f"'interp'")
    x = asarray(x)
    x = x.astype("d") if x.dtype.kind == "c" else _real_or_wide(x)
    axis = normalize_axis_index(axis, x.ndim)
    if polyorder < 0:
        raise ValueError(f"savgol_filter: polyorder must not be negative: {polyorder}")
    window_length, polyorder, deriv, delta = _core._on_host((window_length, polyorder, deriv, float(delta)))
    weights = computed("savgol_coeffs", window_length, polyorder, deriv, delta)
    if mode != "interp":
        return convolve1d(x, weights, axis, mode=mode, cval=cval)
    n, length = operator.index(window_length), x.shape[axis]
    if n > length:
        raise ValueError(f"savgol_filter: in the mode 'interp' window_length, {n}, must not be more than the size of "
                         f"x, {length}")
    y, half = convolve1d(x, weights, axis, mode="constant"), n // 2
    if half:
        weights = asarray(_weights_of_ends(n, half, polyorder, deriv, delta, x.dtype.char))
        weights = weights.reshape(2, *[1] * (x.ndim - 2), n, half)
        _ends(y, axis, half)[...] = _core.matmul(_ends(x, axis, n), weights)
    return y


@_documented
def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    """A signal without its mean, or without the lines that fit best to its stretches.

    Args:
        data: The signal: an array of numbers, or a sequence.
        {axis}
        type: 'linear' (or 'l'), or 'constant' ('c') for the mean.
        bp: Where stretches begin that have lines of their own: a number or several.
        overwrite_data: Whether ``data`` may be written to, which it is not.

    Returns:
        An array of ``data``'s shape, and of its dtype if that is float32, float64, complex64 or complex128, or float16
        for 'constant'; else of float64.

    Raises:
        ValueError: There is no such type, or a stretch begins outside of the signal.
        AxisError: There is no such axis.

    >>> tombacx.scipy.signal.detrend(tombac.array([0.0, 3.0, 3.0, 6.0])).round(2)
    array([-0.3,  0.9, -0.9,  0.3])
    """
    if type not in ("linear", "l", "constant", "c"):
        raise ValueError(f"detrend: type must be 'linear' or 'constant', not {type!r}")
    data = asarray(data)
    axis = normalize_axis_index(axis, data.ndim)
    if type in ("constant", "c"):
        return data - data.mean(axis, keepdims=True)
    data = data if data.dtype.char in "fdFD" else data.astype("d")
    n = data.shape[axis]
    starts = sorted({0, n, *np.ravel(np.asarray(host(bp), int)).tolist()})
    if starts[-1] > n or starts[0] < 0:
        raise ValueError(f"detrend: breakpoints must be less than the length of data along the axis, {n}")
    pieces = [_without_line(data[at(axis, i, k)], axis) for i, k in zip(starts, starts[1:])]
    return _core.concatenate(pieces, axis=axis) if len(pieces) > 1 else pieces[0] if pieces else data.copy()


def _without_line(x, axis):
    n = x.shape[axis]
    t = (_core.arange(n, dtype=x.dtype.char.lower()) - (n - 1) / 2).reshape((n,) + (1,) * (x.ndim - 1 - axis))
    mean = x.mean(axis, keepdims=True)
    slope = (x * t).sum(axis, keepdims=True) / (n * (n * n - 1) / 12 or 1)
    return x - mean - slope * t


# ---- fewer elements --------------------------------------------------------------------------------------------------


def _filter_of(q, n, ftype):
    """('fir', weights) or ('iir', sections) of a decimation."""
    from tombacx.scipy.signal._systems import dlti

    if ftype == "fir":
        return "fir", computed("firwin", (20 * q if n is None else n) + 1, 1 / q, window="hamming")
    if ftype == "iir":
        return "iir", computed("cheby1", 8 if n is None else n, 0.05, 0.8 / q, output="sos")
    if isinstance(ftype, dlti):
        system = ftype.to_zpk()
        if system.poles.size == 0:
            function = ftype.to_tf()
            return "fir", host(function.num) / host(function.den)[0]
        return "iir", computed("zpk2sos", system.zeros, system.poles, system.gain)
    raise ValueError(f"decimate: invalid ftype {ftype!r}: it is 'iir', 'fir' or a dlti")


@_documented
def decimate(x, q, n=None, ftype="iir", axis=-1, zero_phase=True):
    """Every q-th element of a signal, without the frequencies that so few elements cannot have.

    Args:
        {x}
        q: The factor, an integer.
        n: The filter's order; 8 for 'iir' and 20 * q for 'fir' if None.
        ftype: 'iir', a Chebyshev filter of the first kind; 'fir', a filter by a Hamming window; or a dlti.
        {axis}
        zero_phase: Whether the filter is run both ways, or shifted, so that nothing is delayed.

    Returns:
        An array of every q-th element, of ``x``'s dtype; float64 for integers and float16.

    Raises:
        TypeError: ``q`` or ``n`` is no integer.
        ValueError: There is no such filter, or the signal is too short for it.
        AxisError: There is no such axis.
        ImportError: SciPy, which designs the filter, is not installed.

    >>> tombacx.scipy.signal.decimate(tombac.ones(60), 20).round(1)
    array([1., 1., 1.])
    """
    from tombacx.scipy.signal._recurrences import sosfilt, sosfiltfilt

    x, q = asarray(x), operator.index(q)
    x = x if x.dtype.char in "fdFD" else x.astype("d")
    axis = normalize_axis_index(axis, x.ndim)
    kind, weights = _filter_of(q, None if n is None else operator.index(n), ftype)
    weights = weights.astype(np.result_type(x.dtype, "F" if weights.dtype.kind == "c" else "f"))
    if kind == "iir":
        y = (sosfiltfilt if zero_phase else sosfilt)(weights, x, axis)
        return y[at(axis, None, None, q)].astype(weights.dtype, copy=False)
    from tombacx.scipy.signal._resampling import resample_poly, upfirdn

    weights = asarray(weights)
    if zero_phase:
        return resample_poly(x, 1, q, axis=axis, window=weights)
    y = upfirdn(weights, x, up=1, down=q, axis=axis)
    return y[at(axis, 0, -(-x.shape[axis] // q))]


# ---- the analytic signal ---------------------------------------------------------------------------------------------


def _one_sided(n, like):
    """1 for the frequency 0, 2 for positive ones, 0 for negative ones and for that which is both."""
    k = _core.arange(n)
    return where(k == 0, 1, where(2 * k < n, 2, 0)).astype(like.real.dtype)


def _check_real(name, x):
    x = asarray(x)
    if x.dtype.kind == "c":
        raise ValueError(f"{name}: x must be real")
    return x


@_documented
def hilbert(x, N=None, axis=-1):
    """The analytic signal: the signal, and its Hilbert transform as imaginary part.

    Args:
        x: The signal: an array of real numbers, or a sequence.
        N: How many elements of it are taken, zeros behind its end; all of them if None.
        {axis}

    Returns:
        An array of complex128, or complex64 for float32.

    Raises:
        ValueError: ``x`` is complex, or ``N`` is not positive.
        AxisError: There is no such axis.

    >>> tombacx.scipy.signal.hilbert(tombac.array([1.0, 0.0, -1.0, 0.0]))
    array([ 1.+0.j,  0.+1.j, -1.+0.j,  0.-1.j])
    """
    from tombacx.scipy.fft import irfft, rfft

    x = _check_real("hilbert", x)
    axis = normalize_axis_index(axis, x.ndim)
    n = x.shape[axis] if N is None else operator.index(N)
    if n <= 0:
        raise ValueError("hilbert: N must be positive")
    half = rfft(x, n, axis)
    k = _core.arange(n // 2 + 1)
    quarter_turn = where((k == 0) | (2 * k == n), 0, -1j).astype(half.dtype)
    transform = irfft(half * quarter_turn.reshape((-1,) + (1,) * (x.ndim - 1 - axis)), n, axis)
    kept = x[at(axis, 0, n)]
    if n > x.shape[axis]:
        kept = _core.concatenate((kept, _core.zeros_like(transform[at(axis, x.shape[axis])], kept.dtype)), axis)
    return kept.astype(transform.dtype, copy=False) + 1j * transform


@_documented
def hilbert2(x, N=None, axes=(-2, -1)):
    """The analytic signal of a matrix: what has a positive frequency along both axes, four times, and what has none.

    Args:
        x: A matrix of real numbers, or an array of several.
        N: How many rows and columns of it are taken, zeros behind its ends: two numbers, or one for both; all of them
            if None.
        axes: The two axes of ``x`` that are its matrices'.

    Returns:
        An array of complex128, or complex64 for float32.

    Raises:
        ValueError: ``x`` is complex, ``N`` is not positive, or ``axes`` are not two.
        AxisError: There is no such axis.

    Along axes of even length the highest frequency is left out, as in SciPy.

    >>> tombacx.scipy.signal.hilbert2(tombac.array([[1.0, 0.0, -1.0, 0.0]]))
    array([[ 1.+0.j,  0.+1.j, -1.+0.j,  0.-1.j]])
    """
    from tombacx.scipy.fft import fft2, ifft2

    x = _check_real("hilbert2", _core.array(x, ndmin=2))
    if len(axes) != 2:
        raise ValueError(f"hilbert2: axes must be a tuple of two axes, not {axes}")
    axes = normalize_axis_tuple(tuple(axes), x.ndim, "axes")
    if N is None:
        sizes = tuple([x.shape[d] for d in axes])
    else:
        sizes = tuple(N) if isinstance(N, (tuple, list)) else (operator.index(N),) * 2
    if len(sizes) != 2 or any(n <= 0 for n in sizes):
        raise ValueError(f"hilbert2: N must be positive, or two positive numbers, not {N}")
    spectrum = fft2(x, sizes, axes)
    for n, axis in zip(sizes, axes):
        spectrum = spectrum * _one_sided(n, spectrum).reshape((n,) + (1,) * (x.ndim - 1 - axis))
    return ifft2(spectrum, axes=axes)
