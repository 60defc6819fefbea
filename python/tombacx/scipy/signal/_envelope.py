"""The envelope of a signal: the size of what a band of frequencies makes of it, as a signal that is analytic."""

import operator

import tombac as tb
from tombac import _core
from tombac._core import arange, asarray, where
from tombac._util import normalize_axis_index
from tombacx.scipy.signal._resampling import resample

__all__ = ["envelope"]


def _band(bp_in, n):
    """From which frequency the band goes, to before which."""
    if not isinstance(bp_in, tuple) or len(bp_in) != 2 or any(not isinstance(b, (int, type(None))) for b in bp_in):
        raise ValueError(f"envelope: bp_in must be a tuple of two integers or None, not {bp_in!r}")
    least, most = -(n // 2), (n + 1) // 2
    first, last = least if bp_in[0] is None else bp_in[0], most if bp_in[1] is None else bp_in[1]
    if not -n // 2 <= first < last <= most:
        raise ValueError(f"envelope: bp_in must be a rising pair from {-n // 2} to {most}, not {bp_in}")
    return max(first, least), last


def _of_band(spectrum, first, last, is_real, n_out):
    """What the band is as a signal of ``n_out`` elements, turned so that its first frequency is 0."""
    n = spectrum.shape[-1]
    band = tb.fft.fftshift(spectrum, -1)[..., first + n // 2:last + n // 2]
    if is_real:
        k = arange(first, last)
        band = band * where(k > 0, 2, where((k == 0) | (2 * k == -n), 1, 0)).astype(spectrum.real.dtype)
    return tb.fft.ifft(band, n_out) * (n_out / n)


def _without_band(spectrum, first, last, is_real, lowest):
    """What is left of the signal, or what of it is below the band."""
    n = spectrum.shape[-1]
    k = arange(n)
    k = where(k < (n + 1) // 2, k, k - n)
    kept = spectrum * (k < first if lowest else (k < first) | (k >= last))
    return tb.fft.irfft(kept[..., :n // 2 + 1], n) if is_real else tb.fft.ifft(kept)


def envelope(z, bp_in=(1, None), *, n_out=None, squared=False, residual="lowpass", axis=-1):
    """The envelope of a signal, of a band of its frequencies.

    Args:
        z: The signal: an array of real or complex numbers, or a sequence; n elements along the axis.
        bp_in: From which frequency the band goes, and before which it ends, in turns of the whole signal: integers from
            -(n // 2) to (n + 1) // 2; None is the least or the greatest. Negative ones of real signals do not count.
        n_out: How many elements the results have along the axis; as many as ``z`` if None.
        squared: Whether the envelope's square is computed in its place.
        residual: What of the signal comes too: 'lowpass' for what is below the band, 'all' for all that is not in it,
            or None.
        axis: Along which axis.

    Returns:
        An array of the envelope and the residual, of shape (2, ...); of the envelope alone if ``residual`` is None.

    Raises:
        ValueError: There is no such band, residual, length or axis (AxisError), or the signal is empty.

    Where the band begins or ends at frequency 0, SciPy 1.17 leaves out other frequencies of the residual.

    >>> x = tombac.cos(tombac.arange(8) * (tombac.pi / 2)) + 3
    >>> tombacx.scipy.signal.envelope(x).round(6)
    array([[1., 1., 1., 1., 1., 1., 1., 1.],
           [3., 3., 3., 3., 3., 3., 3., 3.]])
    """
    z = asarray(z)
    axis = normalize_axis_index(axis, z.ndim)
    n = z.shape[axis]
    if n == 0:
        raise ValueError(f"envelope: z must have elements along axis {axis}, and has shape {z.shape}")
    if residual not in ("lowpass", "all", None):
        raise ValueError(f"envelope: residual must be 'lowpass', 'all' or None, not {residual!r}")
    first, last = _band(bp_in, n)
    if n_out is not None and (not hasattr(n_out, "__index__") or n_out <= 0):
        raise ValueError(f"envelope: n_out must be a positive integer or None, not {n_out!r}")
    length, is_real = n if n_out is None else operator.index(n_out), z.dtype.kind != "c"
    spectrum = tb.fft.fft(tb.moveaxis(z, axis, -1))
    part = _of_band(spectrum, first, last, is_real, length)
    size = part.real * part.real + part.imag * part.imag if squared else _core.absolute(part)
    if residual is None:
        return tb.moveaxis(size, -1, axis)
    rest = _without_band(spectrum, first, last, is_real, residual == "lowpass")
    rest = rest if n_out is None else resample(rest, length, axis=-1)
    return tb.moveaxis(_core.stack((size.astype(rest.dtype, copy=False), rest)), -1, axis + 1)
