"""Cepstra: the spectra of logarithms of spectra."""

import math

from tombac import _core
from tombac._core import asarray
from tombac._docstrings import with_rows
from tombac._manipulation import moveaxis
from tombac._math import angle, unwrap
from tombacx.scipy import fft as _fft

__all__ = ["complex_cepstrum", "inverse_complex_cepstrum", "minimum_phase", "real_cepstrum"]

_documented = with_rows(
    x="x: The signal: an array of real numbers, or a sequence.",
    n="n: How many points the transforms have: the signal is cut off, or continued by zeros; all of it if None.",
    axis="axis: Along which axis.",
    refusals="""ValueError: There is no point.
        AxisError: There is no such axis.""",
)


def _phase_per_sample(n, dtype):
    """By what a delay turns the phase from one frequency to the next: half a turn up to the middle one."""
    return (math.pi * _core.arange(n) / max((n + 1) // 2, 1)).astype(dtype)


@_documented
def complex_cepstrum(x, n=None, axis=-1):
    """The complex cepstrum: the inverse transform of the logarithm of the spectrum, phases included.

    Args:
        {x}
        {n}
        {axis}

    Returns:
        A tuple of arrays (cepstrum, ndelay): the second says for each signal by how many samples of delay its phase was
        corrected.

    Raises:
        {refusals}

    Of an odd number of points the delay is not quite that of whole samples, and the inverse gives the signal
    approximately. A. V. Oppenheim and R. W. Schafer, Discrete-Time Signal Processing.

    >>> cepstrum, ndelay = tombacx.signal.complex_cepstrum(tombac.array([1.0, 0.5, 0.0, 0.0]))
    >>> cepstrum.round(3), ndelay
    (array([-0.016,  0.506, -0.128,  0.043]), array(0.))
    """
    x = moveaxis(asarray(x), axis, -1)
    spectrum = _fft.fft(x, n)
    n = spectrum.shape[-1]
    phase = unwrap(angle(spectrum))
    ndelay = _core.rint(phase[..., (n + 1) // 2 if n > 1 else 0] / math.pi)
    phase = phase - ndelay[..., None] * _phase_per_sample(n, phase.dtype)
    cepstrum = _fft.ifft(_core.log(abs(spectrum)) + 1j * phase).real
    return moveaxis(cepstrum, -1, axis), ndelay


@_documented
def real_cepstrum(x, n=None, axis=-1):
    """The real cepstrum: the inverse transform of the logarithm of the spectrum's magnitudes.

    Args:
        {x}
        {n}
        {axis}

    Returns:
        An array of float32 or float64.

    Raises:
        {refusals}

    >>> tombacx.signal.real_cepstrum(tombac.array([1.0, 0.5, 0.0, 0.0])).round(3)
    array([-0.016,  0.275, -0.128,  0.275])
    """
    x = moveaxis(asarray(x), axis, -1)
    return moveaxis(_fft.ifft(_core.log(abs(_fft.fft(x, n)))).real, -1, axis)


def inverse_complex_cepstrum(ceps, ndelay):
    """The signal that has a complex cepstrum.

    Args:
        ceps: The cepstrum, along the last axis, as of :func:`complex_cepstrum`.
        ndelay: The delay, as it gives it.

    Returns:
        An array of float32 or float64, of the shape of ``ceps``.

    Raises:
        ValueError: There is no point.

    >>> x = tombac.array([1.0, 0.5, 0.25, 0.0])
    >>> tombacx.signal.inverse_complex_cepstrum(*tombacx.signal.complex_cepstrum(x)).round(9) + 0.0
    array([1.  , 0.5 , 0.25, 0.  ])
    """
    logarithm = _fft.fft(asarray(ceps))
    phase = logarithm.imag
    phase = phase + asarray(ndelay)[..., None] * _phase_per_sample(phase.shape[-1], phase.dtype)
    return _fft.ifft(_core.exp(logarithm.real + 1j * phase)).real


@_documented
def minimum_phase(x, n=None):
    """The signal of minimum phase that has the same magnitudes, by folding its real cepstrum.

    Args:
        x: The signal, along the last axis: an array of real numbers, or a sequence.
        {n}

    Returns:
        An array of float32 or float64 with ``n`` elements along the last axis.

    Raises:
        ValueError: There is no point.

    >>> tombacx.signal.minimum_phase(tombac.array([0.5, 1.0] + [0.0] * 14)).round(3) + 0.0
    array([1. , 0.5, 0. , 0. , 0. , 0. , 0. , 0. , 0. , 0. , 0. , 0. , 0. ,
           0. , 0. , 0. ])
    """
    cepstrum = real_cepstrum(x, n)
    n = cepstrum.shape[-1]
    place = _core.arange(n)
    # What comes before time 0 is added to what comes after; time 0 and, of an even number, the middle are alone.
    fold = _core.where((place == 0) | (2 * place == n), 1, _core.where(2 * place < n, 2, 0))
    return _fft.ifft(_core.exp(_fft.fft(cepstrum * fold.astype(cepstrum.dtype)))).real
