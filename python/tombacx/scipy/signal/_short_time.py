"""The short-time Fourier transform as an object: transforms of slices of a signal, and what they restore."""

from tombac import _core
from tombac._core import asarray
from tombac._docstrings import with_rows
from tombac._manipulation import moveaxis
from tombac._numpy import np
from tombac._padding import pad
from tombac._util import normalize_axis_index
from tombacx.scipy import fft as _fft
from tombacx.scipy._host import call, scipy_module
from tombacx.scipy.signal._slices import Slices
from tombacx.scipy.signal._stft import overlapped

__all__ = ["ShortTimeFFT", "closest_STFT_dual_window"]

_PADDINGS = {
    "zeros": {"mode": "constant"}, "edge": {"mode": "edge"}, "even": {"mode": "reflect"},
    "odd": {"mode": "reflect", "reflect_type": "odd"},
}

_documented = with_rows(
    k_offset="k_offset: The number of the first sample.",
    slices="p0, p1: The first slice, and the one behind the last: all of them if None.",
    signal="x: The signal: an array of numbers, or a sequence; real ones where frequencies have one side.",
    padding="""padding: How the signal goes on beyond its ends: 'zeros', 'edge', 'even' (reflected about the last
            sample) or 'odd' (reflected, and upside down).""",
    detr="""detr: What is subtracted from each slice: 'constant' its mean, 'linear' a straight line, None nothing; or a
            function of an array of slices, along whose last axis samples are.""",
    axis="axis: Along which axis.",
    refusals="""ValueError: The signal is shorter than half the window, or complex where frequencies have one side;
            there are no such slices, or is no such ``padding`` or ``detr``.
        AxisError: There is no such axis.""",
)


class ShortTimeFFT(Slices):
    """Transforms of slices of a signal: slice p is centered at the sample p * hop, and multiplied by a window.

    Args:
        win: The window: a vector of real or complex numbers, which is read by the host.
        hop: By how many samples a slice is behind the one before.
        fs: How many samples there are in a unit of time.
        fft_mode: Which frequencies there are: 'onesided' (those that are not negative, for real numbers), 'onesided2X'
            (the same, and they stand for the negative ones as well: with a scaling alone), 'twosided', or 'centered'
            (in ascending order).
        mfft: How many points the transforms have; as many as the window if None.
        dual_win: The window that restores signals; if None the one of the least energy.
        scale_to: 'magnitude' or 'psd', as which the window is scaled; None for as it is.
        phase_shift: By how many samples slices are rolled before they are transformed; from the middle of the window
            on, so that at 0 the phase is that at a slice's time. None for not at all.

    Transforms are of the precision of signal and window together; SciPy's are complex128. What needs a dual window
    raises ValueError where there is none. Needs SciPy.

    >>> frames = tombacx.scipy.signal.ShortTimeFFT(tombac.ones(4), hop=2, fs=1.0)
    >>> X = frames.stft(tombac.arange(8.0))
    >>> X.shape
    (3, 5)
    >>> frames.istft(X, k1=8).round(9)
    array([0., 1., 2., 3., 4., 5., 6., 7.])
    """

    @_documented
    def stft(self, x, p0=None, p1=None, *, k_offset=0, padding="zeros", axis=-1):
        """The transforms of slices of a signal.

        Args:
            {signal}
            {slices}
            {k_offset}
            {padding}
            {axis}

        Returns:
            An array: frequencies are along ``axis``, slices along an axis behind all others.

        Raises:
            {refusals}
        """
        return self.stft_detrend(x, None, p0, p1, k_offset=k_offset, padding=padding, axis=axis)

    @_documented
    def stft_detrend(self, x, detr, p0=None, p1=None, *, k_offset=0, padding="zeros", axis=-1):
        """The transforms of slices of a signal, from each of which its mean, a line or something else is subtracted.

        Args:
            {signal}
            {detr}
            {slices}
            {k_offset}
            {padding}
            {axis}

        Returns:
            An array: frequencies are along ``axis``, slices along an axis behind all others.

        Raises:
            {refusals}
        """
        x = asarray(x)
        if self.onesided_fft and x.dtype.kind == "c":
            raise ValueError(f"ShortTimeFFT: x must not be complex with fft_mode {self.fft_mode!r}: its frequencies "
                             "have two sides, set fft_mode to 'twosided' or 'centered'")
        if not (detr is None or callable(detr) or isinstance(detr, str)):
            raise ValueError(f"ShortTimeFFT: detr must be 'constant', 'linear', a function or None, not {detr!r}")
        axis = normalize_axis_index(axis, x.ndim, "ShortTimeFFT")
        n, least = x.shape[axis], self.m_num - self.m_num_mid
        if n < least:
            raise ValueError(f"ShortTimeFFT: x must have half as many samples as the window, {least}, along axis "
                             f"{axis}: its shape is {x.shape}")
        segments = self._slices(moveaxis(x, axis, -1), *self.p_range(n, p0, p1), k_offset, padding)
        if detr is not None:
            segments = self._detrended(segments, detr)
        return moveaxis(self._transformed(segments * self.on_device("win").conj()), -1, axis)

    @staticmethod
    def _detrended(segments, detr):
        if isinstance(detr, str):
            from tombacx.scipy.signal._smoothing import detrend

            return detrend(segments, type=detr)
        return asarray(detr(segments))

    def _slices(self, x, p0, p1, k_offset, padding):
        """The slices along the last axis of ``x``, an array (..., slices, samples)."""
        if padding not in _PADDINGS:
            raise ValueError(f"ShortTimeFFT: padding must be one of {list(_PADDINGS)}, not {padding!r}")
        n, hop = x.shape[-1], int(self.hop)
        first = p0 * hop - self.m_num_mid + k_offset
        # Up to where the next slice begins, whose samples decide what is reflected.
        behind = first + (p1 - p0) * hop + self.m_num
        if first > n or behind < 0:
            raise ValueError(f"ShortTimeFFT: with the k_offset {k_offset} no slice is near the signal")
        widths = [(0, 0)] * (x.ndim - 1) + [(max(-first, 0), max(behind - n, 0))]
        x = _core.ascontiguousarray(pad(x[..., max(first, 0):min(behind, n)], widths, **_PADDINGS[padding]))
        size = x.strides[-1]
        return _core.as_strided(x, (*x.shape[:-1], p1 - p0, self.m_num), (*x.strides[:-1], hop * size, size))

    def _factors(self):
        """What transforms of slices that begin at the window's first sample are multiplied by; or None."""
        key = self.phase_shift, self.fft_mode, self.scaling, self.mfft
        kept = self._kept.get("factors")
        if kept is None or kept[0] != key:
            self._kept["factors"] = kept = key, self._made_factors()
        return kept[1]

    def _made_factors(self):
        n, factors = int(self.mfft), None
        number = np.fft.fftshift(np.fft.fftfreq(n, 1 / n)) if self.fft_mode == "centered" else np.arange(self.f_pts)
        if self.phase_shift is not None:
            shift = (self.phase_shift + self.m_num_mid) % self.m_num
            factors = np.exp(2j * np.pi / n * (number.astype("l") * shift % n))
        if self.fft_mode == "onesided2X":
            paired = (number != 0) & (2 * number != n)
            factors = np.where(paired, np.sqrt(2) if self.scaling == "psd" else 2.0, 1.0) * (1 if factors is None else
                                                                                          factors)
        return None if factors is None else (_core.array(factors), _core.array(1 / factors))

    def _transformed(self, segments):
        if self.onesided_fft:
            X = _fft.rfft(segments, self.mfft)
        else:
            X = _fft.fft(segments, self.mfft)
            X = _fft.fftshift(X, axes=-1) if self.fft_mode == "centered" else X
        factors = self._factors()
        return X if factors is None else X * factors[0].astype(X.dtype, copy=False)

    def _restored(self, X):
        factors = self._factors()
        X = X if factors is None else X * factors[1].astype(_core.result_type(X, "F"), copy=False)
        if self.onesided_fft:
            return _fft.irfft(X, self.mfft)[..., :self.m_num]
        return _fft.ifft(_fft.ifftshift(X, axes=-1) if self.fft_mode == "centered" else X, self.mfft)[..., :self.m_num]

    @_documented
    def istft(self, S, k0=0, k1=None, *, f_axis=-2, t_axis=-1):
        """The signal that transforms of slices are of, or the nearest one.

        Args:
            S: The transforms: an array of two dimensions or more, of all slices from the first one on.
            k0, k1: The first sample that is wanted, and the one behind the last; all that there are if None.
            f_axis: Along which axis frequencies are.
            t_axis: Along which axis slices are.

        Returns:
            An array with one dimension less, real where frequencies have one side, else complex.

        Raises:
            ValueError: The axes are one; there are not as many frequencies as ``f_pts``, too few slices, no such
                samples or less than half as many as the window has; or no window restores signals.
            AxisError: There is no such axis.
        """
        S = asarray(S)
        freq, time = (normalize_axis_index(d, S.ndim, "ShortTimeFFT") for d in (f_axis, t_axis))
        if freq == time:
            raise ValueError(f"ShortTimeFFT: f_axis and t_axis must differ, and are {f_axis} and {t_axis}")
        least = self.m_num - self.m_num_mid
        if S.shape[freq] != self.f_pts or S.shape[time] < self.p_num(least):
            raise ValueError(f"ShortTimeFFT: S must have {self.f_pts} frequencies along axis {freq} and "
                             f"{self.p_num(least)} slices at least along axis {time}: its shape is {S.shape}")
        S = moveaxis(S, (freq, time), (-1, -2))
        first, hop = self.p_min * self.hop - self.m_num_mid, int(self.hop)
        most = (S.shape[-2] + self.p_min - 1) * hop + least
        k1 = most if k1 is None else k1
        if not self.k_min <= k0 < k1 <= most:
            raise ValueError(f"ShortTimeFFT: k0 and k1 must be in ascending order from {self.k_min} to {most}, not "
                             f"{k0} and {k1}")
        if k1 - k0 < least:
            raise ValueError(f"ShortTimeFFT: half as many samples as the window has, {least}, must be asked for, not "
                             f"{k1 - k0}")
        dual = self.on_device("dual_win")
        # Slices that have one of these samples.
        low = max(0, (k0 - first - self.m_num) // hop)
        high = min(S.shape[-2], (k1 - first) // hop + 1)
        x = overlapped(self._restored(S[..., low:high, :]) * dual, hop)
        start = first + low * hop
        x = x[..., k0 - start:k1 - start]
        return moveaxis(x, -1, freq if freq < x.ndim else time) if x.ndim > 1 else x

    @_documented
    def spectrogram(self, x, y=None, detr=None, *, p0=None, p1=None, k_offset=0, padding="zeros", axis=-1):
        """The squares of the transforms of slices, or the products of one signal's with the conjugates of another's.

        Args:
            {signal}
            y: The other signal, of the same shape; None for squares.
            {detr}
            {slices}
            {k_offset}
            {padding}
            {axis}

        Returns:
            An array, real for squares: frequencies are along ``axis``, slices along an axis behind all others.

        Raises:
            {refusals}
        """
        def transforms(signal):
            return self.stft_detrend(signal, detr, p0, p1, k_offset=k_offset, padding=padding, axis=axis)

        X = transforms(x)
        if y is None or y is x:
            return X.real**2 + X.imag**2
        return X * transforms(y).conj()


def closest_STFT_dual_window(win, hop, desired_dual=None, *, scaled=True):
    """Of the windows that restore what a window has taken apart, the one nearest to a given one.

    Args:
        win: The window: a vector, which is read by the host.
        hop: By how many samples a slice is behind the one before.
        desired_dual: The window that is wanted: a vector of the same shape; a rectangle if None.
        scaled: Whether it may be multiplied by a number to be nearer.

    Returns:
        A tuple of an array, the window, and that number, 1 if not ``scaled``.

    Raises:
        ValueError: There is no such window, in SciPy's words.
        NotImplementedError: SciPy is older than 1.16.

    >>> window, factor = tombacx.scipy.signal.closest_STFT_dual_window(tombac.ones(4), 2)
    >>> window, factor
    (array([0.5, 0.5, 0.5, 0.5]), 0.5)
    """
    if not hasattr(scipy_module("scipy.signal", "closest_STFT_dual_window"), "closest_STFT_dual_window"):
        raise NotImplementedError("closest_STFT_dual_window needs SciPy 1.16 or later")
    dual, factor = call("closest_STFT_dual_window", win, hop, desired_dual, scaled=scaled)
    return dual, factor.item() if hasattr(factor, "item") else factor
