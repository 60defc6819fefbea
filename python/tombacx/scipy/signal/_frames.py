"""Signals cut into segments that may overlap: each is detrended, multiplied by a window, and Fourier transformed.

Segments are a view of the signal; what is done to them before the transform is one expression.
"""

import math
import warnings

from tombac import _core
from tombac._core import asarray
from tombac._docstrings import with_rows
from tombac._manipulation import moveaxis
from tombac.fft import fftfreq, rfftfreq
from tombacx.scipy import fft as _fft
from tombacx.scipy.signal.windows import get_window

__all__ = ["Frames", "documented", "median_bias"]

documented = with_rows(
    x="x: The signal: an array of numbers, or a sequence.",
    fs="fs: How many samples there are in a unit of time.",
    window="""window: A window by its name, a tuple or a number, as of :func:`get_window`; or its values, a vector.""",
    nperseg="nperseg: How many samples a segment has; if None 256, or as many as the window has.",
    noverlap="noverlap: How many of them it shares with the next; half of them if None.",
    nfft="nfft: How many points the transforms have: segments are continued by zeros; ``nperseg`` if None.",
    detrend="""detrend: What is subtracted from each segment: 'constant' its mean, 'linear' the straight line that fits
            it best, False nothing; or a function of segments. Time is its last axis, or ``axis`` where a spectrum of
            each segment is given.""",
    return_onesided="return_onesided: Whether half of the spectrum is enough, for real numbers.",
    scaling="""scaling: 'density' for a power for each unit of frequency, 'spectrum' for a power.""",
    axis="axis: Along which axis.",
    average="average: 'mean' or 'median' of the segments.",
    refusals="""ValueError: A number of samples is not positive, segments overlap wholly, ``nfft`` is less than
            ``nperseg``, a window has another length or is unknown, or there is no such ``scaling`` or ``detrend``.
        AxisError: There is no such axis.""",
)


def dtypes_of(*arrays):
    """The dtype of the transforms of signals, of single precision for those it holds, and that of its real parts."""
    dtype = _core.result_type(*arrays, "F")
    return dtype, _core.empty((), dtype).real.dtype


class Frames:
    """How long segments are, how far apart they begin, their window, and the length of their transforms."""

    def __init__(self, name, window, nperseg, noverlap, nfft, length):
        self.window, self.n = self._window(name, window, nperseg, length)
        n = self.n
        self.nfft = n if nfft is None else int(nfft)
        noverlap = n // 2 if noverlap is None else int(noverlap)
        if self.nfft < n:
            raise ValueError(f"{name}: nfft must be at least nperseg, {n}, not {nfft}")
        if noverlap >= n:
            raise ValueError(f"{name}: noverlap must be less than nperseg, {n}, not {noverlap}")
        self.step = n - noverlap

    @staticmethod
    def _window(name, window, nperseg, length):
        if nperseg is not None:
            nperseg = int(nperseg)
            if nperseg < 1:
                raise ValueError(f"{name}: nperseg must be positive, not {nperseg}")
        if isinstance(window, (str, tuple, float, int)):
            nperseg = 256 if nperseg is None else nperseg
            if length is not None and nperseg > length:
                warnings.warn(f"{name}: nperseg = {nperseg} is greater than the signal's length; it is taken to be "
                              f"{length}", UserWarning, stacklevel=5)
                nperseg = length
            return get_window(window, nperseg), nperseg
        values = asarray(window)
        if values.ndim != 1:
            raise ValueError(f"{name}: window must have one dimension, not {values.ndim}")
        if nperseg is not None and nperseg != values.size:
            raise ValueError(f"{name}: a window of {values.size} values, but nperseg is {nperseg}")
        if not values.size or (length is not None and values.size > length):
            raise ValueError(f"{name}: a window of {values.size} values, but the signal has {length} samples")
        return values, values.size

    def scale(self, name, scaling, fs):
        """What powers are multiplied by, as an array without dimensions."""
        if scaling == "density":
            return 1 / (fs * (self.window * self.window.conj()).real.sum())
        if scaling == "spectrum":
            return 1 / abs(self.window.sum()) ** 2
        raise ValueError(f"{name}: scaling must be 'density' or 'spectrum', not {scaling!r}")

    def frequencies(self, fs, onesided):
        return rfftfreq(self.nfft, 1 / fs) if onesided else fftfreq(self.nfft, 1 / fs)

    def times(self, length, fs):
        """The middles of the segments of a signal of that length."""
        return (_core.arange(self.count(length)) * self.step + self.n / 2) / fs

    def count(self, length):
        return max(0, (length - self.n) // self.step + 1)

    def transforms(self, name, x, detrend, onesided, axis=-1):
        """The transforms of the segments of ``x``, whose last axis is time: an array (..., segments, frequencies).

        A function for ``detrend`` sees time along ``axis``.
        """
        dtype, real = dtypes_of(x)
        if onesided and self.window.dtype.kind == "c":
            raise ValueError(f"{name}: with a complex window spectra have two sides: return_onesided must be False")
        x = x.astype(dtype if x.dtype.kind == "c" else real, copy=False)
        size = x.strides[-1]
        segments = _core.as_strided(x, (*x.shape[:-1], self.count(x.shape[-1]), self.n),
                                    (*x.strides[:-1], self.step * size, size))
        segments = _detrended(name, segments, detrend, real, axis)
        segments = segments * self.window.astype(dtype if self.window.dtype.kind == "c" else real, copy=False)
        return (_fft.rfft if onesided else _fft.fft)(segments, self.nfft)

    def powers_factor(self, scale, onesided, dtype):
        """``scale`` for each frequency: twice that for those that stand for a negative one as well."""
        if not onesided:
            return scale.astype(dtype)
        number = _core.arange(self.nfft // 2 + 1)
        alone = (number == 0) | (2 * number == self.nfft)
        return (_core.where(alone, 1, 2) * scale).astype(dtype)


def _detrended(name, segments, detrend, real, axis):
    if callable(detrend):
        moved = asarray(detrend(moveaxis(segments, -1, axis)))
        return moveaxis(moved, axis, -1)
    if detrend is None or (not isinstance(detrend, str) and not detrend):
        return segments
    if detrend not in ("constant", "c", "linear", "l"):
        raise ValueError(f"{name}: detrend must be 'constant', 'linear', False or a function, not {detrend!r}")
    level = segments.mean(-1, keepdims=True)
    n = segments.shape[-1]
    if detrend[0] == "c" or n == 1:
        return segments - level
    place = (_core.arange(n) - (n - 1) / 2).astype(real)
    slope = (segments * place).sum(-1, keepdims=True) / ((n - 1) * n * (n + 1) / 12)
    return segments - level - slope * place


def median_bias(n):
    """How much greater the mean of powers of noise is than the median of ``n``: its inverse, as of Welch's method."""
    return 1 + math.fsum(1 / (k + 1) - 1 / k for k in range(2, n, 2))
