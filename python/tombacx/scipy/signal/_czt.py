"""The chirp z-transform: the z-transform of a signal at points on a spiral, by three Fourier transforms (Bluestein)."""

import cmath
import math
import operator

from tombac import _core
from tombac._core import asarray
from tombac._manipulation import moveaxis
from tombac._util import normalize_axis_index
from tombacx.scipy import fft as _fft

__all__ = ["CZT", "ZoomFFT", "czt", "czt_points", "zoom_fft"]


def _count(what, n):
    try:
        count = operator.index(n)
    except TypeError:
        count = 0
    if count < 1:
        raise ValueError(f"the number of {what} must be a positive integer, not {n!r}")
    return count


def _turned(period, k):
    """exp(-2j pi k**2 / (2 period)) for integers ``k``, whose squares are reduced by whole turns without rounding."""
    return _core.exp((-1j * math.pi / period) * (k * k % (2 * period)))


def _power(base, exponents):
    """``base`` to real powers: by one logarithm."""
    base = complex(base)
    if base == 0:
        return _core.power(_core.asarray(base), exponents)
    return _core.exp(cmath.log(base) * exponents)


class CZT:
    """A chirp z-transform of signals of one length, whose factors are computed once.

    Args:
        n: How many samples signals have.
        m: How many points the z-transform is wanted at; ``n`` if None.
        w: The ratio of one point to the next; exp(-2j pi / m), which goes around the unit circle, if None.
        a: The first point.

    Raises:
        ValueError: ``n`` or ``m`` is no positive integer.

    The points are ``a * w**-k``. Called with an array, it transforms it along ``axis``. Results are complex128.

    >>> transform = tombacx.scipy.signal.CZT(3, m=2)
    >>> transform(tombac.array([1.0, 2.0, 3.0])).round(6)
    array([6.+0.j, 2.+0.j])
    """

    def __init__(self, n, m=None, w=None, a=1 + 0j):
        n = _count("samples", n)
        m = n if m is None else _count("points", m)
        k = _core.arange(max(m, n))
        if w is None:
            self._make(n, m, cmath.exp(-2j * math.pi / m), a, _turned(m, k))
        else:
            self._make(n, m, w, a, _power(w, k * k / 2.0))

    def _make(self, n, m, w, a, chirp):
        """``chirp``: w**(k**2 / 2)."""
        self.n, self.m, self.w, self.a = n, m, w, a
        self._length = _fft.next_fast_len(n + m - 1)
        self._before = chirp[:n] if a == 1 else _power(a, -_core.arange(n)) * chirp[:n]
        self._after = chirp[:m]
        self._kernel = _fft.fft(1 / _core.concatenate([chirp[n - 1:0:-1], chirp[:m]]), self._length)

    def __call__(self, x, *, axis=-1):
        """The transform of ``x`` along an axis.

        Args:
            x: An array, or a sequence, of n samples along the axis.
            axis: Along which axis.

        Returns:
            An array of complex128 that has m elements along the axis.

        Raises:
            ValueError: ``x`` has another length.
            AxisError: There is no such axis.
        """
        x = asarray(x)
        axis = normalize_axis_index(axis, x.ndim, "CZT")
        if x.shape[axis] != self.n:
            raise ValueError(f"CZT: a transform of {self.n} samples, but x has {x.shape[axis]} along axis {axis}")
        spectrum = _fft.fft(moveaxis(x, axis, -1) * self._before, self._length)
        y = _fft.ifft(spectrum * self._kernel)[..., self.n - 1:self.n + self.m - 1] * self._after
        return moveaxis(y, -1, axis)

    def points(self):
        """The points of the transform.

        Returns:
            An array of complex128 and shape (m,).
        """
        return czt_points(self.m, self.w, self.a)


class ZoomFFT(CZT):
    """A Fourier transform of signals of one length at frequencies of a band alone.

    Args:
        n: How many samples signals have.
        fn: The band: its first and last frequency, or its last one, and the first is 0.
        m: How many frequencies; ``n`` if None.
        fs: How many samples there are in a unit of time.
        endpoint: Whether the last frequency is among them.

    Raises:
        ValueError: ``n`` or ``m`` is no positive integer, or ``fn`` has more than two elements.

    >>> transform = tombacx.scipy.signal.ZoomFFT(4, [0, 0.5], m=2)
    >>> abs(transform(tombac.array([1.0, 1.0, 1.0, 1.0]))).round(3)
    array([4.   , 2.613])
    """

    def __init__(self, n, fn, m=None, *, fs=2, endpoint=False):
        n = _count("samples", n)
        m = n if m is None else _count("points", m)
        band = fn.tolist() if hasattr(fn, "tolist") else fn
        band = [0.0, band] if not isinstance(band, (list, tuple)) else list(band)
        if len(band) != 2:
            raise ValueError(f"ZoomFFT: fn must be one frequency or two, not {fn!r}")
        self.f1, self.f2 = band
        self.fs = fs
        # How much of the circle lies between two points; one point alone has no next one.
        scale = (self.f2 - self.f1) / fs * (m / max(m - 1, 1) if endpoint else 1)
        k = _core.arange(max(m, n))
        chirp = _core.exp((-1j * math.pi * scale / m) * (k * k))
        self._make(n, m, cmath.exp(-2j * math.pi * scale / m), cmath.exp(2j * math.pi * self.f1 / fs), chirp)


def czt_points(m, w=None, a=1 + 0j):
    """The points of a chirp z-transform.

    Args:
        m: How many.
        w: The ratio of one to the next; exp(-2j pi / m) if None.
        a: The first one.

    Returns:
        An array of complex128 and shape (m,): ``a * w**-k``.

    Raises:
        ValueError: ``m`` is no positive integer.

    >>> tombacx.scipy.signal.czt_points(2).round(6)
    array([ 1.+0.j, -1.+0.j])
    """
    m = _count("points", m)
    k = _core.arange(m)
    return a * (_core.exp((2j * math.pi / m) * k) if w is None else _power(w, -k))


def czt(x, m=None, w=None, a=1 + 0j, *, axis=-1):
    """The z-transform of a signal at points on a spiral.

    Args:
        x: The signal: an array of numbers, or a sequence.
        m: How many points; as many as ``x`` has samples if None.
        w: The ratio of one point to the next; exp(-2j pi / m), which goes around the unit circle, if None.
        a: The first point.
        axis: Along which axis.

    Returns:
        An array of complex128 that has ``m`` elements along ``axis``.

    Raises:
        ValueError: ``m`` is no positive integer, or ``x`` has no samples.
        AxisError: There is no such axis.

    >>> tombacx.scipy.signal.czt(tombac.array([1.0, 2.0, 3.0]), 2).round(6)
    array([6.+0.j, 2.+0.j])
    """
    x = asarray(x)
    return CZT(x.shape[normalize_axis_index(axis, x.ndim, "czt")], m, w, a)(x, axis=axis)


def zoom_fft(x, fn, m=None, *, fs=2, endpoint=False, axis=-1):
    """The Fourier transform of a signal at frequencies of a band alone.

    Args:
        x: The signal: an array of numbers, or a sequence.
        fn: The band: its first and last frequency, or its last one, and the first is 0.
        m: How many frequencies; as many as ``x`` has samples if None.
        fs: How many samples there are in a unit of time.
        endpoint: Whether the last frequency is among them.
        axis: Along which axis.

    Returns:
        An array of complex128 that has ``m`` elements along ``axis``.

    Raises:
        ValueError: ``m`` is no positive integer, ``x`` has no samples, or ``fn`` has more than two elements.
        AxisError: There is no such axis.

    >>> abs(tombacx.scipy.signal.zoom_fft(tombac.array([1.0, 1.0, 1.0, 1.0]), [0, 0.5], 2)).round(3)
    array([4.   , 2.613])
    """
    x = asarray(x)
    n = x.shape[normalize_axis_index(axis, x.ndim, "zoom_fft")]
    return ZoomFFT(n, fn, m, fs=fs, endpoint=endpoint)(x, axis=axis)
