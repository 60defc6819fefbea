"""Filters of finite length, frequency shifts, and channelizers."""

import math
import operator

from tombac import _core
from tombac._core import asarray
from tombac._manipulation import moveaxis
from tombac._padding import pad
from tombac._util import normalize_axis_index
from tombacx.scipy import fft as _fft
from tombacx.scipy.signal._recurrences import filtfilt
from tombacx.scipy.signal._windowed_sums import direct

__all__ = ["channelize_poly", "firfilter", "firfilter2", "firfilter_zi", "freq_shift"]

_PADDINGS = {
    "odd": {"mode": "reflect", "reflect_type": "odd"}, "even": {"mode": "reflect"}, "constant": {"mode": "edge"},
}


def _filter(name, b):
    b = asarray(b)
    if b.ndim != 1 or not b.size:
        raise ValueError(f"{name}: b must be a vector of one element or more, its shape is {b.shape}")
    return b.astype(_core.result_type(b, "f"), copy=False)


def _filtered(b, x):
    """All sums of products of ``b`` with the windows of each row of ``x``, partly overlapping ones too."""
    shape = (*x.shape[:-1], x.shape[-1] + b.size - 1)
    if not x.size:
        return _core.zeros(shape, _core.result_type(b, x))
    return direct(x, b.reshape((1,) * (x.ndim - 1) + b.shape), [0] * x.ndim, shape)


def firfilter(b, x, axis=-1, zi=None):
    """A filter of finite length along an axis.

    Args:
        b: The coefficients: a vector.
        x: The signal: an array of numbers, or a sequence.
        axis: Along which axis.
        zi: The state at first, as of :func:`scipy.signal.lfilter`: an array of the shape of ``x``, but ``len(b) - 1``
            long along ``axis``; or None for a filter at rest.

    Returns:
        An array of the shape of ``x``; with ``zi``, a tuple of it and the state afterwards.

    Raises:
        ValueError: ``b`` has not one dimension or no element, or ``zi`` has another shape.
        AxisError: There is no such axis.

    >>> tombacx.signal.firfilter([0.5, 0.5], tombac.array([2.0, 4.0, 6.0]))
    array([1., 3., 5.])
    """
    b, x = _filter("firfilter", b), asarray(x)
    axis = normalize_axis_index(axis, x.ndim, "firfilter")
    x = moveaxis(x, axis, -1)
    n = x.shape[-1]
    y = _filtered(b, x)
    if zi is None:
        return moveaxis(y[..., :n], -1, axis)
    zi = asarray(zi)
    expected = (*x.shape[:-1], b.size - 1)
    zi = moveaxis(zi, axis, -1) if zi.ndim == x.ndim else zi
    if zi.ndim != x.ndim or zi.shape[-1] != expected[-1] or any(m not in (1, e) for m, e in zip(zi.shape, expected)):
        raise ValueError(f"firfilter: zi must have {b.size - 1} elements along axis {axis} and else the shape of x, "
                         f"{x.shape[:-1]}; with that axis last its shape is {zi.shape}")
    y = y.astype(_core.result_type(y, zi), copy=False)
    y[..., :b.size - 1] += zi
    return moveaxis(y[..., :n], -1, axis), moveaxis(y[..., n:], -1, axis)


def firfilter_zi(b):
    """The state of a filter of finite length that has been given ones for a long time.

    Args:
        b: The coefficients: a vector.

    Returns:
        An array of shape (len(b) - 1,), for :func:`firfilter`.

    Raises:
        ValueError: ``b`` has not one dimension or no element.

    >>> tombacx.signal.firfilter_zi([0.25, 0.5, 0.25])
    array([0.75, 0.25])
    """
    b = _filter("firfilter_zi", b)
    return b[:0:-1].cumsum()[::-1]


def firfilter2(b, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    """A filter of finite length along an axis, forwards and then backwards: phases are kept.

    Args:
        b: The coefficients: a vector.
        x: The signal: an array of numbers, or a sequence.
        axis: Along which axis.
        padtype: How the signal is continued before: 'odd', 'even' or 'constant'; None for not.
        padlen: By how many samples at each end; ``3 * len(b)`` if None.
        method: 'pad', or 'gust' for Gustafsson's choice of the first states, which is computed by SciPy on the host:
            nothing is continued.
        irlen: For 'gust': after how many samples the filter's answer is over; None for not before the end.

    Returns:
        An array of the shape of ``x``.

    Raises:
        ValueError: ``b`` has not one dimension or no element, there is no such ``padtype`` or ``method``, or
            ``padlen`` is negative or not less than the number of samples.
        ImportError: SciPy, which computes Gustafsson's states, is not installed.
        AxisError: There is no such axis.

    >>> tombacx.signal.firfilter2([0.5, 0.5], tombac.array([0.0, 4.0, 8.0, 12.0]), padlen=1)
    array([ 0.,  4.,  8., 12.])
    """
    b, x = _filter("firfilter2", b), asarray(x)
    if method not in ("pad", "gust"):
        raise ValueError(f"firfilter2: method must be 'pad' or 'gust', not {method!r}")
    if padtype not in (None, *_PADDINGS):
        raise ValueError(f"firfilter2: padtype must be 'odd', 'even', 'constant' or None, not {padtype!r}")
    axis = normalize_axis_index(axis, x.ndim, "firfilter2")
    if method == "gust":
        return filtfilt(b, [1.0], x, axis, method=method, irlen=irlen)
    x = moveaxis(x, axis, -1)
    n = x.shape[-1]
    edge = 0 if padtype is None else 3 * b.size if padlen is None else operator.index(padlen)
    if edge < 0 or n <= edge:
        raise ValueError(f"firfilter2: padlen must be from 0 to less than the number of samples, {n}, not {edge}")
    y = pad(x, [(0, 0)] * (x.ndim - 1) + [(edge, edge)], **_PADDINGS[padtype]) if edge else x
    zi = firfilter_zi(b)
    for _ in range(2):
        y, _ = firfilter(b, y, zi=zi * y[..., :1])
        y = y[..., ::-1]
    return moveaxis(y[..., edge:edge + n], -1, axis)


def freq_shift(x, freq, fs):
    """A signal whose frequencies are lower: it is multiplied by exp(-2j pi freq k / fs) at sample ``k``.

    Args:
        x: The signal: a vector of numbers, or a sequence; of more dimensions samples are counted in C order.
        freq: By how much.
        fs: How many samples there are in a unit of time.

    Returns:
        An array of complex128, of the shape of ``x``.

    Raises:
        ZeroDivisionError: ``fs`` is 0.

    >>> tombacx.signal.freq_shift(tombac.ones(3), 0.25, 1).round(6) + 0.0
    array([ 1.+0.j,  0.-1.j, -1.+0.j])
    """
    x = asarray(x)
    return x * _core.exp((-2j * math.pi * freq / fs) * _core.arange(x.size).reshape(x.shape))


def channelize_poly(x, h, n_chans):
    """A signal split into channels, frequency bands of one width, by a polyphase filter.

    Args:
        x: The signal: a vector of numbers, or a sequence. What does not fill the last row of ``n_chans`` samples is
            left out.
        h: The filter of the first channel: a vector. Its taps come to ``n_chans`` branches in turn; those that do not
            fill a turn are left out.
        n_chans: How many channels.

    Returns:
        An array of shape (n_chans, len(x) // n_chans): complex64 if all numbers are of single precision, else
        complex128.

    Raises:
        ValueError: ``x`` or ``h`` has not one dimension, ``h`` has fewer elements than there are channels, or there is
            no channel.

    Channel ``c`` at place ``i`` is the sum over ``j`` of conj(h[j]) x[(i + 1) n_chans - 1 - j] exp(2j pi c j /
    n_chans). There may be any number of taps; CuPy takes up to 32 in a branch.

    >>> tombacx.signal.channelize_poly(tombac.ones(4), [0.5, 0.5], 2).real
    array([[1., 1.],
           [0., 0.]])
    """
    x, h, n_chans = asarray(x), asarray(h), operator.index(n_chans)
    if x.ndim != 1 or h.ndim != 1:
        raise ValueError(f"channelize_poly: x and h must have one dimension, not {x.ndim} and {h.ndim}")
    if n_chans < 1 or h.size < n_chans:
        raise ValueError(f"channelize_poly: h has {h.size} elements, for {n_chans} channels")
    dtype = _core.result_type(x, h, "f")
    taps, rows = h.size // n_chans, x.size // n_chans
    h = h[:taps * n_chans].astype(dtype, copy=False).conj()
    h = h.reshape(taps, n_chans)[:, ::-1]
    samples = _core.zeros((taps - 1 + rows, n_chans), dtype)
    samples[taps - 1:] = x[:rows * n_chans].reshape(rows, n_chans)
    branches = samples[taps - 1:] * h[0]
    for k in range(1, taps):
        branches = branches + samples[taps - 1 - k:taps - 1 - k + rows] * h[k]
    return _fft.ifft(branches[:, ::-1], norm="forward").T
