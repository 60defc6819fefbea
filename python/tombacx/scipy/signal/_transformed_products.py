"""Convolution by Fourier transforms: of the arrays as a whole, or piece by piece (overlap-add)."""

import math

from tombac import _core
from tombacx.scipy import fft as _fft

__all__ = ["at_best", "by_pieces", "whole"]


def whole(a, v, axes):
    """The full convolution along the axes; the arrays are broadcast along others."""
    lengths = [a.shape[d] + v.shape[d] - 1 for d in axes]
    product = _multiplied(a, v, [_fft.next_fast_len(n) for n in lengths], axes)
    key = [slice(None)] * product.ndim
    for d, n in zip(axes, lengths):
        key[d] = slice(n)
    return product[tuple(key)]


def at_best(a, v, axes):
    """The full convolution, whole or by pieces: these stay in a processor's caches, and threads share them out."""
    return by_pieces(a, v, axes) if len(axes) == 1 and _core.backend() == "cpu" else whole(a, v, axes)


def _multiplied(a, v, lengths, axes):
    """The convolution, around circles of the given lengths; float32 only where both arrays are."""
    dtype = _core.result_type(*(x.dtype if x.dtype.kind in "fc" else "d" for x in (a, v)))
    a, v = a.astype(dtype, copy=False), v.astype(dtype, copy=False)
    if dtype.kind == "c":
        return _fft.ifftn(_fft.fftn(a, lengths, axes) * _fft.fftn(v, lengths, axes), lengths, axes)
    return _fft.irfftn(_fft.rfftn(a, lengths, axes) * _fft.rfftn(v, lengths, axes), lengths, axes)


def _piece(n, k):
    """How long transforms of pieces should be, of ``n`` elements and with ``k`` others; n + k - 1 for a whole."""
    best, length = n + k - 1, _fft.next_fast_len(2 * k)
    cost = best * math.log2(best + 1)
    while length < n:
        step = length - k + 1
        price = -(-n // step) * length * math.log2(length)
        if price < cost:
            best, cost = length, price
        length = _fft.next_fast_len(length + 1 + length // 2)
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
