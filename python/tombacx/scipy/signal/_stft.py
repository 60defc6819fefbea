"""The short-time Fourier transform, and the signal that has a given one."""

import warnings

from tombac import _core
from tombac._core import asarray
from tombac._manipulation import moveaxis
from tombac._padding import pad
from tombac._util import normalize_axis_index
from tombacx.scipy import fft as _fft
from tombacx.scipy.signal._frames import Frames
from tombacx.scipy.signal._frames import documented as _documented
from tombacx.scipy.signal._spectral import check_onesided
from tombacx.scipy.signal.windows import get_window

__all__ = ["istft", "stft"]

_BOUNDARIES = {
    None: None, "even": {"mode": "reflect"}, "odd": {"mode": "reflect", "reflect_type": "odd"},
    "constant": {"mode": "edge"}, "zeros": {"mode": "constant"},
}
_NO_WINDOW = 1e-10  # where windows that overlap add up to less, a signal cannot be restored


def _amplitude(name, frames, scaling, fs):
    """What transforms are multiplied by."""
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"{name}: scaling must be 'spectrum' or 'psd', not {scaling!r}")
    return _core.sqrt(frames.scale(name, "density" if scaling == "psd" else scaling, fs))


@_documented
def stft(x, fs=1.0, window="hann", nperseg=256, noverlap=None, nfft=None, detrend=False, return_onesided=True,
         boundary="zeros", padded=True, axis=-1, scaling="spectrum"):
    """The Fourier transforms of segments one after another.

    Args:
        {x}
        {fs}
        {window}
        {nperseg}
        {noverlap}
        {nfft}
        {detrend}
        {return_onesided}
        boundary: How the signal is continued by half a segment at both ends, so that the first samples are in the
            middle of one: 'zeros', 'constant', 'even' or 'odd'; None for not.
        padded: Whether zeros at the end make the last segment whole; else what is left over is left out.
        {axis}
        scaling: 'spectrum' makes the squares of magnitudes powers, 'psd' powers for each unit of frequency.

    Returns:
        A tuple of arrays (frequencies, times, transforms): the last is complex64 or complex128; frequencies are along
        ``axis``, times along an axis behind all others.

    Raises:
        {refusals}
        ValueError: There is no such ``boundary``.

    >>> f, t, X = tombacx.scipy.signal.stft(tombac.array([1.0, -1.0] * 4), window="boxcar", nperseg=4, boundary=None)
    >>> t, abs(X[2])
    (array([2., 4., 6.]), array([1., 1., 1.]))
    """
    if boundary not in _BOUNDARIES:
        raise ValueError(f"stft: boundary must be 'even', 'odd', 'constant', 'zeros' or None, not {boundary!r}")
    x = asarray(x)
    if not x.size:
        return tuple([_core.empty(x.shape) for _ in range(3)])
    time = normalize_axis_index(axis, x.ndim, "stft")
    frames = Frames("stft", window, nperseg, noverlap, nfft, x.shape[time])
    amplitude = _amplitude("stft", frames, scaling, fs)
    onesided = check_onesided("stft", x, return_onesided)
    x = moveaxis(x, time, -1)
    half = frames.n // 2 if boundary else 0
    length = x.shape[-1] + 2 * half
    spare = -(length - frames.n) % frames.step % frames.n if padded else 0
    none = [(0, 0)] * (x.ndim - 1)
    if boundary == "zeros":
        x = pad(x, [*none, (half, half + spare)])
    else:
        x = x.astype("f") if x.dtype.kind == "b" and boundary == "odd" else x  # twice an end less what is inside
        x = pad(x, [*none, (half, half)], **_BOUNDARIES[boundary]) if half else x
        x = pad(x, [*none, (0, spare)]) if spare else x
    X = frames.transforms("stft", x, detrend, onesided, axis)
    X = X * amplitude.astype(X.real.dtype)
    times = frames.times(length + spare, fs)
    return frames.frequencies(fs, onesided), times - frames.n / 2 / fs if boundary else times, moveaxis(X, -1, time)


def overlapped(segments, step):
    """Segments (..., segments, samples) laid over each other ``step`` apart and added."""
    *lead, count, n = segments.shape
    reach = -(-n // step)  # over how many steps a segment lies
    total = _core.zeros((*lead, count + reach - 1, step), segments.dtype)
    for i in range(reach):
        part = segments[..., i * step:(i + 1) * step]
        total[..., i:i + count, :part.shape[-1]] += part
    return total.reshape(*lead, -1)[..., :(count - 1) * step + n]


def _synthesis(Zxx, window, nperseg, noverlap, nfft, input_onesided, points):
    """The frames that a transform of so many frequencies has been made with."""
    usual = 2 * (points - 1) if input_onesided else points
    nperseg = usual if nperseg is None else int(nperseg)
    if nperseg < 1:
        raise ValueError(f"istft: nperseg must be positive, not {nperseg}")
    if nfft is None:
        nfft = nperseg if input_onesided and nperseg == usual + 1 else usual
    if isinstance(window, (str, tuple)):
        window = get_window(window, nperseg)
    return Frames("istft", asarray(window), nperseg, noverlap, nfft, None)


@_documented
def istft(Zxx, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, input_onesided=True, boundary=True,
          time_axis=-1, freq_axis=-2, scaling="spectrum"):
    """The signal whose short-time Fourier transform is nearest to the given one, by weighted overlapping and adding.

    Args:
        Zxx: Transforms of segments, as :func:`stft` gives them: an array of two dimensions or more.
        {fs}
        window: The window they were made with.
        nperseg: How many samples a segment has; if None as many as the frequencies tell.
        {noverlap}
        nfft: How many points the transforms have; if None as many as the frequencies tell.
        input_onesided: Whether the frequencies are half of the spectrum, of real numbers.
        boundary: Whether the signal was continued at its ends.
        time_axis, freq_axis: Along which axes times and frequencies are.
        scaling: 'spectrum' or 'psd', as they were made with.

    Returns:
        A tuple of arrays (times, signal): the signal is real if ``input_onesided``, else complex.

    Raises:
        ValueError: ``Zxx`` has fewer than two dimensions, the axes are one, a number of samples is not positive or does
            not fit, segments overlap wholly, a window has another length or is unknown, or there is no such
            ``scaling``.
        AxisError: There is no such axis.

    A UserWarning says where windows do not overlap enough to restore the signal.

    >>> x = tombac.array([1.0, 2.0, 3.0, 4.0])
    >>> f, t, X = tombacx.scipy.signal.stft(x, nperseg=4)
    >>> tombacx.scipy.signal.istft(X)[1].round(9)
    array([1., 2., 3., 4.])
    """
    Zxx = asarray(Zxx)
    Zxx = Zxx.astype(_core.result_type(Zxx, "F"), copy=False)
    if Zxx.ndim < 2:
        raise ValueError("istft: Zxx must have two dimensions or more")
    time, freq = (normalize_axis_index(d, Zxx.ndim, "istft") for d in (time_axis, freq_axis))
    if time == freq:
        raise ValueError(f"istft: time_axis and freq_axis must differ, and are both {time}")
    frames = _synthesis(Zxx, window, nperseg, noverlap, nfft, input_onesided, Zxx.shape[freq])
    amplitude = _amplitude("istft", frames, scaling, fs)
    Zxx = moveaxis(Zxx, (time, freq), (-2, -1))
    segments = (_fft.irfft if input_onesided else _fft.ifft)(Zxx, frames.nfft)[..., :frames.n]
    real = segments.real.dtype
    weights = (frames.window / amplitude).astype(real)
    x = overlapped(segments * weights, frames.step)
    squares = _core.broadcast_to((frames.window**2).astype(real), segments.shape[-2:])
    covered = overlapped(squares, frames.step)
    if boundary:
        kept = slice(frames.n // 2, x.shape[-1] - frames.n // 2)
        x, covered = x[..., kept], covered[kept]
    enough = covered > _NO_WINDOW
    if not bool(enough.all()):
        warnings.warn("istft: windows do not overlap enough everywhere (NOLA): the signal may not be restored"
                      + ("" if boundary else "; perhaps it was not continued at its ends"), UserWarning, stacklevel=2)
    x = x / _core.where(enough, covered, 1)
    times = _core.arange(x.shape[-1]) / fs
    if x.ndim > 1:
        x = moveaxis(x, -1, time - (freq < time))
    return times, x
