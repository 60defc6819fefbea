"""Convolution as it is defined, by sums of products, in any number of dimensions.

Rows of one array are convolved with rows of the other, all rows at once: they lie one after another in memory, and what
would mix two of them is left out. Integers are exact, and a NaN reaches only the sums it is a term of.
"""

import itertools

from tombac import _core
from tombac._manipulation import moveaxis
from tombac._padding import pad

__all__ = ["direct", "valid"]


def direct(a, v, begin, shape):
    """The part of the full convolution that begins at ``begin`` and has the given shape. Neither array is empty."""
    if a.ndim == 1:
        return _core._convolve(a, v, 0)[begin[0]:begin[0] + shape[0]]
    axis = max(range(a.ndim), key=lambda d: min(a.shape[d], v.shape[d]))
    if _rows(v, axis) > _rows(a, axis):
        a, v = v, a
    cut, widths = [], []
    for n, k, first, length in zip(a.shape, v.shape, begin, shape):
        before, after = k - 1 - first, first + length - n  # how far the windows reach beyond the data
        cut.append(slice(max(-before, 0), n - max(-after, 0)))
        widths.append((max(before, 0), max(after, 0)))
    return valid(pad(a[tuple(cut)], widths), v, axis)


def _rows(x, axis):
    return x.size // x.shape[axis]


def valid(a, v, axis=-1):
    """The convolution where ``v`` lies within ``a``, which has two dimensions or more; rows run along ``axis``."""
    result = _core.zeros(tuple(m - j + 1 for m, j in zip(a.shape, v.shape)), _core.result_type(a, v))
    a, v, total = (moveaxis(x, axis, -1) for x in (a, v, result))
    if total.size:
        for place in itertools.product(*map(range, v.shape[:-1])):
            rows = tuple(slice(j - 1 - i, j - 1 - i + m) for i, j, m in zip(place, v.shape, total.shape))
            total += _of_rows(a[rows], v[place])
    return result


def _of_rows(a, v):
    """The convolution of every row of ``a`` with the vector ``v``, where it lies within the row."""
    n, k = a.shape[-1], v.size
    sums = _core._convolve(a.reshape(-1), v, 2)  # those of windows over the end of a row are not looked at
    strides = [sums.itemsize]
    for m in a.shape[:0:-1]:
        strides.append(strides[-1] * m)
    return _core.as_strided(sums, (*a.shape[:-1], n - k + 1), tuple(reversed(strides)))
