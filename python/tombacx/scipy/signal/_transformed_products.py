"""Convolution by Fourier transforms: of the arrays as a whole, or piece by piece (overlap-add, and on a GPU
overlap-save: A. V. Oppenheim and R. W. Schafer, Discrete-Time Signal Processing, section 8.7.3)."""

import math

from tombac import _core
from tombac._manipulation import moveaxis
from tombacx.scipy import fft as _fft

__all__ = ["at_best", "by_pieces", "by_windows", "whole"]

# Where windows take less time on a GPU: the shorter array has no more elements than SHORT, there are as many results
# as LONG, and as WINDOWS windows. Longer ones would pass the memory as often as transforms of the whole.
_SHORT, _LONG, _WINDOWS = 1 << 14, 1 << 19, 4


def whole(a, v, axes):
    """The full convolution along the axes; the arrays are broadcast along others."""
    lengths = [a.shape[d] + v.shape[d] - 1 for d in axes]
    product = _multiplied(a, v, [_fft.next_fast_len(n) for n in lengths], axes)
    key = [slice(None)] * product.ndim
    for d, n in zip(axes, lengths):
        key[d] = slice(n)
    return product[tuple(key)]


def _on_device():
    return _core.backend() != "cpu"


def at_best(a, v, axes):
    """The full convolution, whole or by pieces: these stay in a processor's caches, and threads share them out."""
    return by_pieces(a, v, axes) if len(axes) == 1 and not _on_device() else whole(a, v, axes)


def _dtype(a, v):
    """That of products: float32 only where both arrays are."""
    return _core.result_type(*(x.dtype if x.dtype.kind in "fc" else "d" for x in (a, v)))


def _multiplied(a, v, lengths, axes):
    """The convolution, around circles of the given lengths."""
    dtype = _dtype(a, v)
    a, v = a.astype(dtype, copy=False), v.astype(dtype, copy=False)
    if dtype.kind == "c":
        return _fft.ifftn(_fft.fftn(a, lengths, axes) * _fft.fftn(v, lengths, axes), lengths, axes)
    return _fft.irfftn(_fft.rfftn(a, lengths, axes) * _fft.rfftn(v, lengths, axes), lengths, axes)


def by_windows(a, v, axes, begin, shape):
    """``shape`` elements from ``begin`` on of the full convolution along an axis, where one array is much longer than
    the other and a device has a cache that windows of it stay in; else None.

    Windows of the longer array overlap by all of the shorter one but an element: these many of a product around a
    circle are left out, at its beginning, as they are wrong.
    """
    if len(axes) != 1 or not _on_device():
        return None
    (d,), (first,), (count,) = axes, begin, shape
    a, v = (a, v) if a.shape[d] >= v.shape[d] else (v, a)
    k = v.shape[d]
    length = 4 << (k - 1).bit_length()
    if k > _SHORT or count < max(_LONG, _WINDOWS * length):
        return None
    return moveaxis(_of_windows(moveaxis(a, d, -1), moveaxis(v, d, -1), length, first, count), -1, d)


def _of_windows(a, v, length, first, count):
    """``count`` elements from ``first`` on of the full convolution along the last axis, by windows of ``length``."""
    dtype, k = _dtype(a, v), v.shape[-1]
    v, step = v.astype(dtype, copy=False), length - k + 1
    pieces, before = -(-count // step), k - 1 - first
    longer = _core.zeros((*a.shape[:-1], pieces * step + k - 1), dtype)
    there = min(longer.shape[-1] - before, a.shape[-1])
    longer[..., before:before + there] = a[..., :there]
    item = dtype.itemsize
    windows = _core.as_strided(longer, (*a.shape[:-1], pieces, length), (*longer.strides[:-1], step * item, item))
    forward, back = (_fft.fft, _fft.ifft) if dtype.kind == "c" else (_fft.rfft, _fft.irfft)
    product = back(forward(windows) * forward(v, length)[..., None, :], length)[..., k - 1:]
    return product.reshape(*product.shape[:-2], pieces * step)[..., :count]


def _piece(n, k):
    """How long transforms of pieces should be, of ``n`` elements and with ``k`` others; n + k - 1 for a whole.

    Lengths are few factors beside a power of two: of others transforms take up to twice as long for an element.
    """
    best = n + k - 1
    cost, shift = best * math.log2(best + 1), max((2 * k).bit_length() - 4, 0)
    while 8 << shift < n:
        for length in (factor << shift for factor in (8, 9, 10, 12, 15)):
            price = -(-n // (length - k + 1)) * length * math.log2(length)
            if 2 * k <= length < n and price < cost:
                best, cost = length, price
        shift += 1
    return best


def by_pieces(a, v, axes):
    """The full convolution along the axes: along each the longer array is cut into pieces, if that is less work."""
    layouts = ([], []), ([], [])  # of a and of v: the shape up to whole pieces, and that with the pieces apart
    lengths, inner, steps = [], [], {}
    for d in range(a.ndim):
        n = a.shape[d], v.shape[d]
        total = sum(n) - 1
        length = _piece(max(n), min(n)) if d in axes else total
        step = length - min(n) + 1 if length < total else 0
        if d in axes:
            lengths.append(length if step else _fft.next_fast_len(length))
            inner.append(len(layouts[0][1]) + bool(step))
            steps[d] = step, total
        for k, (filled, split), longer in zip(n, layouts, (n[0] >= n[1], n[0] < n[1])):
            split += (-(-k // step), step) if step and longer else (1, k) if step else (k,)
            filled.append(split[-2] * step if step and longer else k)
    product = _multiplied(_split(a, *layouts[0]), _split(v, *layouts[1]), lengths, inner)
    for d, (step, total) in steps.items():  # pieces along axes before d have been joined when it is d's turn
        if step:
            product = _joined(product, d, step)
        product = product[(slice(None),) * d + (slice(total),)]
    return product


def _split(x, filled, split):
    """``x`` in the shape ``split``, continued by zeros to the shape ``filled`` before."""
    if tuple(filled) != x.shape:
        longer = _core.zeros(tuple(filled), x.dtype)
        longer[tuple(map(slice, x.shape))] = x
        x = longer
    return x.reshape(split)


def _joined(pieces, d, step):
    """Pieces along axis ``d``, their elements along the next one, laid over each other ``step`` apart and added."""
    at = (slice(None),) * d
    count, length = pieces.shape[d:d + 2]
    joined = _core.zeros((*pieces.shape[:d], count + 1, step, *pieces.shape[d + 2:]), pieces.dtype)
    joined[(*at, slice(count))] = pieces[(*at, slice(None), slice(step))]
    joined[(*at, slice(1, None), slice(length - step))] += pieces[(*at, slice(None), slice(step, None))]
    return joined.reshape(*pieces.shape[:d], (count + 1) * step, *pieces.shape[d + 2:])
