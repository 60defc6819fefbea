"""Estimates of spectra: means over segments of the squares of their transforms."""

import warnings

from tombac import _core
from tombac._core import asarray
from tombac._manipulation import moveaxis
from tombac._math import angle, unwrap
from tombac._numpy import np
from tombac._order_statistics import median
from tombac._util import normalize_axis_index
from tombacx.scipy.signal._frames import Frames, median_bias
from tombacx.scipy.signal._frames import documented as _documented

__all__ = ["coherence", "csd", "periodogram", "spectrogram", "welch"]


def _last(name, x, axis):
    x = asarray(x)
    return moveaxis(x, normalize_axis_index(axis, x.ndim, name), -1)


def _signals(name, x, y, axis):
    """Both signals with time last and of one length, the shorter one continued by zeros, and their shape."""
    x, y = _last(name, x, axis), _last(name, y, axis)
    try:
        lead = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
    except ValueError:
        raise ValueError(f"{name}: x and y cannot be broadcast together: their shapes without the axis are "
                         f"{x.shape[:-1]} and {y.shape[:-1]}") from None
    n = max(x.shape[-1], y.shape[-1])
    if not x.size or not y.size:
        return x, y, (*lead, min(x.shape[-1], y.shape[-1]))
    return _continued(x, n), _continued(y, n), (*lead, n)


def _check_kinds(name, x, y, onesided):
    if onesided and x.dtype.kind != "c" and y.dtype.kind == "c":
        raise ValueError(f"{name}: y must be real, as x is, for a one-sided spectrum")


def _continued(x, n):
    if x.shape[-1] == n:
        return x
    longer = _core.zeros((*x.shape[:-1], n), x.dtype)
    longer[..., :x.shape[-1]] = x
    return longer


def _mean(name, powers, average):
    """The mean over segments, which are the last axis but one."""
    if average == "mean":
        return powers.mean(-2)
    if average != "median":
        raise ValueError(f"{name}: average must be 'mean' or 'median', not {average!r}")
    bias = median_bias(powers.shape[-2])
    if powers.dtype.kind == "c":
        return (median(powers.real, -2) + 1j * median(powers.imag, -2)) / bias
    return median(powers, -2) / bias


def _power(X):
    return X.real * X.real + X.imag * X.imag


def _spectrum(name, x, y, fs, frames, detrend, return_onesided, scaling, axis, average):
    """(frequencies, the cross spectrum), or for no ``y`` that of ``x`` alone, which is real."""
    if fs <= 0:
        raise ValueError(f"{name}: fs must be positive, not {fs}")
    onesided = bool(return_onesided) and "c" not in (x.dtype.kind, (x if y is None else y).dtype.kind)
    scale = frames.scale(name, scaling, fs)
    X = frames.transforms(name, x, detrend, onesided)
    if y is None:
        powers = _power(X)
    else:
        powers = X.conj() * frames.transforms(name, y, detrend, onesided)
    result = _mean(name, powers, average)
    result = result * frames.powers_factor(scale, onesided, result.real.dtype)
    return frames.frequencies(fs, onesided), moveaxis(result, -1, axis)


def _empty(shape, axis, count):
    return tuple([moveaxis(_core.empty(shape), -1, axis) for _ in range(count)])


@_documented
def periodogram(x, fs=1.0, window="boxcar", nfft=None, detrend="constant", return_onesided=True, scaling="density",
                axis=-1):
    """The power spectrum by one transform of the whole signal.

    Args:
        {x}
        {fs}
        {window}
        nfft: How many points the transform has: as many samples are taken, or zeros follow them; all if None.
        {detrend}
        {return_onesided}
        {scaling}
        {axis}

    Returns:
        A tuple of arrays (frequencies, powers); powers are float32 or float64.

    Raises:
        {refusals}

    >>> f, power = tombacx.scipy.signal.periodogram(tombac.array([1.0, -1.0, 1.0, -1.0]), scaling="spectrum")
    >>> power
    array([0., 0., 1.])
    """
    x = asarray(x)
    if not x.size:
        return _empty(x.shape, -1, 2)
    x = moveaxis(x, normalize_axis_index(axis, x.ndim, "periodogram"), -1)
    n = x.shape[-1]
    if nfft is not None:
        if nfft < 1:
            raise ValueError(f"periodogram: nfft must be positive, not {nfft}")
        x = x[..., :nfft]
        n = x.shape[-1]
    window = "boxcar" if window is None else window
    if getattr(window, "shape", (n,)) != (n,):
        raise ValueError(f"periodogram: the window has the shape {window.shape}, but there are {n} samples")
    frames = Frames("periodogram", window, n, 0, nfft, n)
    return _spectrum("periodogram", x, None, fs, frames, detrend, return_onesided, scaling, axis, "mean")


@_documented
def welch(x, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
          scaling="density", axis=-1, average="mean"):
    """The power spectrum by Welch's method: the mean of those of segments that overlap.

    Args:
        {x}
        {fs}
        {window}
        {nperseg}
        {noverlap}
        {nfft}
        {detrend}
        {return_onesided}
        {scaling}
        {axis}
        {average}

    Returns:
        A tuple of arrays (frequencies, powers); powers are float32 or float64.

    Raises:
        {refusals}

    A median is divided by its bias for noise. P. D. Welch, IEEE Trans. Audio Electroacoust. 15 (1967).

    >>> x = tombac.array([1.0, -1.0] * 8)
    >>> f, power = tombacx.scipy.signal.welch(x, window="boxcar", nperseg=4, scaling="spectrum")
    >>> power
    array([0., 0., 1.])
    """
    return _csd("welch", x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


@_documented
def csd(x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
        scaling="density", axis=-1, average="mean"):
    """The cross power spectrum of two signals by Welch's method: the first one's transforms are conjugated.

    Args:
        {x}
        y: Another one, which is broadcast with it; the shorter one is continued by zeros.
        {fs}
        {window}
        {nperseg}
        {noverlap}
        {nfft}
        {detrend}
        {return_onesided}
        {scaling}
        {axis}
        {average}

    Returns:
        A tuple of arrays (frequencies, powers); powers are complex64 or complex128, but real where ``y is x``.

    Raises:
        {refusals}
        ValueError: The signals cannot be broadcast, or the second one alone is complex and the spectrum one-sided.

    >>> x = tombac.array([1.0, -1.0] * 8)
    >>> f, power = tombacx.scipy.signal.csd(x, -x, window="boxcar", nperseg=4, scaling="spectrum")
    >>> power.real + 0.0
    array([ 0.,  0., -1.])
    """
    y = None if y is x else y
    return _csd("csd", x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def _csd(name, x, y, fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling, axis, average):
    x, other, shape = _signals(name, x, x if y is None else y, axis)
    _check_kinds(name, x, other, onesided)
    if not x.size or not other.size:
        return _empty(shape, axis, 2)
    frames = Frames(name, window, nperseg, noverlap, nfft, shape[-1])
    return _spectrum(name, x, None if y is None else other, fs, frames, detrend, onesided, scaling, axis, average)


@_documented
def coherence(x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", axis=-1):
    """How far two signals depend linearly on each other at each frequency: |Pxy|^2 / (Pxx Pyy), by Welch's method.

    Args:
        {x}
        y: Another one, which is broadcast with it; the shorter one is continued by zeros.
        {fs}
        {window}
        {nperseg}
        {noverlap}
        {nfft}
        {detrend}
        {axis}

    Returns:
        A tuple of arrays (frequencies, coherence), the second from 0 to 1, NaN where a signal has no power.

    Raises:
        {refusals}
        ValueError: The signals cannot be broadcast, or the second one alone is complex.

    >>> x = tombac.array([1.0, -1.0, 2.0, 0.5] * 8)
    >>> f, c = tombacx.scipy.signal.coherence(x, 3 * x, nperseg=4, detrend=False)
    >>> c
    array([1., 1., 1.])
    """
    x, y, shape = _signals("coherence", x, y, axis)
    _check_kinds("coherence", x, y, True)
    if not x.size or not y.size:
        return _empty(shape, axis, 2)
    frames = Frames("coherence", window, nperseg, noverlap, nfft, shape[-1])
    onesided = "c" not in (x.dtype.kind, y.dtype.kind)
    X, Y = (frames.transforms("coherence", s, detrend, onesided) for s in (x, y))
    cross = (X.conj() * Y).mean(-2)
    result = _power(cross) / _power(X).mean(-2) / _power(Y).mean(-2)
    return frames.frequencies(fs, onesided), moveaxis(result, -1, axis)


@_documented
def spectrogram(x, fs=1.0, window=("tukey", 0.25), nperseg=None, noverlap=None, nfft=None, detrend="constant",
                return_onesided=True, scaling="density", axis=-1, mode="psd"):
    """The spectra of segments one after another.

    Args:
        {x}
        {fs}
        {window}
        {nperseg}
        noverlap: How many of them it shares with the next; an eighth of them if None.
        {nfft}
        {detrend}
        {return_onesided}
        {scaling}
        {axis}
        mode: 'psd' gives powers, 'complex' transforms, 'magnitude' their absolute values, 'angle' their phases, 'phase'
            these without jumps.

    Returns:
        A tuple of arrays (frequencies, times, spectra): frequencies are along ``axis``, times along an axis behind all
        others.

    Raises:
        {refusals}
        ValueError: There is no such ``mode``.

    >>> x = tombac.array([1.0, -1.0] * 8)
    >>> f, t, powers = tombacx.scipy.signal.spectrogram(x, window="boxcar", nperseg=8, scaling="spectrum")
    >>> t, powers[-1]
    (array([ 4., 11.]), array([1., 1.]))
    """
    if mode not in ("psd", "complex", "magnitude", "angle", "phase"):
        raise ValueError(f"spectrogram: mode must be 'psd', 'complex', 'magnitude', 'angle' or 'phase', not {mode!r}")
    x = asarray(x)
    if not x.size:
        return _empty(x.shape, -1, 3)
    time = normalize_axis_index(axis, x.ndim, "spectrogram")
    n = x.shape[time]
    probe = Frames("spectrogram", window, nperseg, 0, None, n)
    noverlap = probe.n // 8 if noverlap is None else noverlap
    frames = Frames("spectrogram", probe.window, None, noverlap, nfft, n)
    onesided = check_onesided("spectrogram", x, return_onesided)
    X = frames.transforms("spectrogram", moveaxis(x, time, -1), detrend, onesided, axis)
    scale = frames.scale("spectrogram", scaling, fs)
    if mode == "psd":
        X = _power(X)
        X = X * frames.powers_factor(scale, onesided, X.dtype)
    else:
        X = X * _core.sqrt(scale).astype(X.real.dtype)
    # Frequencies take the place of the samples, and segments, which are times, go behind.
    X = moveaxis(X, -1, time)
    if mode == "magnitude":
        X = abs(X)
    elif mode in ("angle", "phase"):
        X = angle(X)
        X = unwrap(X, axis=time) if mode == "phase" else X
    return frames.frequencies(fs, onesided), frames.times(n, fs), X


def check_onesided(name, x, wanted):
    """Whether half of the spectrum is computed; a UserWarning where it is wanted of complex numbers."""
    if wanted and x.dtype.kind == "c":
        warnings.warn(f"{name}: the signal is complex; return_onesided is taken to be False", UserWarning, stacklevel=3)
    return bool(wanted) and x.dtype.kind != "c"
