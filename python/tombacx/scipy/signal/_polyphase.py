"""Filters of finite length between two rates: zeros are thought between samples, and only some results are taken.

Result ``m`` is the sum over ``j`` of ``h[j] * X[start + m * down - j]``, where ``X`` is the signal with ``up - 1``
zeros after each sample. So it needs every ``up``-th tap only: which ones repeats with a period of ``up / gcd(up,
down)`` results. One routine computes all results; but of many phases on the CPU, and by very long filters on a GPU, a
period of results, or several, are a product of a row of samples with a matrix of taps. Where that were too large, each
result of a period is a convolution of its taps with the samples in turn.
"""

import math

from tombac import _core
from tombac._padding import pad

__all__ = ["EXTENSIONS", "resampled"]

_MOST_CONVOLUTIONS = 64  # above that matrix products take less time
_LARGEST_MATRIX = 1 << 21
_MOST_TAPS = 512  # of a result, that a thread adds up


def _antisymmetric(x, before, after):
    """The mirror image with the opposite sign, whose own mirror image has the same sign again."""
    n = x.shape[-1]
    place = _core.arange(-before, n + after)
    sign = 1 - 2 * (_core.floor_divide(place, n) % 2).astype(x.dtype)
    return pad(x, [(0, 0)] * (x.ndim - 1) + [(before, after)], "symmetric") * sign


def _straight(x, before, after, left, right):
    """``x`` continued by straight lines of the given slopes."""
    steps = _core.arange(before, 0, -1), _core.arange(1, after + 1)
    return _core.concatenate([x[..., :1] - left * steps[0], x, x[..., -1:] + right * steps[1]], -1).astype(x.dtype)


def _smooth(x, before, after):
    if x.shape[-1] < 2:
        return _straight(x, before, after, 0 * x, 0 * x)
    return _straight(x, before, after, x[..., 1:2] - x[..., :1], x[..., -1:] - x[..., -2:-1])


def _line(x, before, after):
    slope = (x[..., -1:] - x[..., :1]) / max(x.shape[-1] - 1, 1)
    return _straight(x, before, after, slope, slope)


def _padding(mode, **options):
    def extend(x, before, after):
        return pad(x, [(0, 0)] * (x.ndim - 1) + [(before, after)], mode, **options)

    return extend


# How a signal goes on beyond its ends.
EXTENSIONS = {
    "constant": None, "wrap": _padding("wrap"), "edge": _padding("edge"), "smooth": _smooth,
    "symmetric": _padding("symmetric"), "reflect": _padding("reflect"), "antisymmetric": _antisymmetric,
    "antireflect": _padding("reflect", reflect_type="odd"), "line": _line,
}


def resampled(h, x, up, down, start, count, mode="constant", cval=0):
    """``count`` results, for a vector ``h`` and every row of ``x``, both of one dtype that is no integer's."""
    *rows, n = x.shape
    taps = -(-h.size // up)
    if not count or not n or not math.prod(rows):
        return _core.zeros((*rows, count), x.dtype)
    lag = taps - 1 - start // up  # of the earliest sample that is needed, before the first one
    last = (start + (count - 1) * down) // up
    if mode != "constant" or cval:
        before, after = max(lag, 0), max(last - n + 1, 0)
        extend = EXTENSIONS[mode] or _padding("constant", constant_values=cval)
        x = extend(x, before, after)
        start, lag, last = start + before * up, lag - before, last + before
    divisor = math.gcd(up, down)
    period, advance = up // divisor, down // divisor
    compute = _by_convolutions
    if taps <= _MOST_TAPS if _core.backend() != "cpu" else period * advance <= _MOST_CONVOLUTIONS:
        return _core._polyphase(x, h, up, down, start, count)
    if period * advance > _MOST_CONVOLUTIONS and (taps + advance) * period <= _LARGEST_MATRIX:
        # A product with a matrix that is mostly zeros would make NaN of more than NaN's neighbours.
        compute = _by_products if bool(_core.isfinite(x).all()) else _by_convolutions
    return compute(h, x, up, down, start, count, max(lag, 0), last).reshape(*rows, count)


def _rows(x):
    return x.size // x.shape[-1]


def _with_margins(x, before, length, spare=0):
    """The rows of ``x``, ``before`` zeros before each, in rows of ``length`` that follow each other in one vector."""
    rows = x.reshape(-1, x.shape[-1])[:, :max(length - before, 0)]
    margined = _core.zeros(len(rows) * length + spare, x.dtype)
    margined[:len(rows) * length].reshape(-1, length)[:, before:before + rows.shape[1]] = rows
    return margined


def _by_convolutions(h, x, up, down, start, count, lag, last):
    divisor = math.gcd(up, down)
    period, advance = up // divisor, down // divisor
    # Samples are taken apart by their number modulo ``advance``: within such a part results follow each other.
    lag += -lag % advance + advance * -(-h.size // (up * advance))
    length = lag + last + 1
    length += -length % advance
    margined = _with_margins(x, lag, length)
    parts = [_core.ascontiguousarray(margined[i::advance]) for i in range(advance)]
    out = _core.empty((_rows(x), count), x.dtype)
    for first in range(min(period, count)):
        at = start + first * down
        sample, phase = at // up, at % up
        results = -(-(count - first) // period)
        total = None
        for skipped in range(advance):
            taps = h[phase + skipped * up::up * advance]
            if taps.size:
                row, part = divmod(sample - skipped + lag, advance)
                sums = _core._convolve(parts[part], taps, 2)
                sums = _core.as_strided(sums[row - taps.size + 1:], (len(out), results),
                                        (length // advance * sums.itemsize, sums.itemsize))
                total = sums if total is None else total + sums
        out[:, first::period] = 0 if total is None else total
    return out


def _by_products(h, x, up, down, start, count, lag, last):
    divisor = math.gcd(up, down)
    period, advance = up // divisor, down // divisor
    taps = -(-h.size // up)
    # Some results at a time, which need about twice as many samples as there are taps: half of a matrix is used then.
    together = max(1, min(taps // advance, _LARGEST_MATRIX // ((2 * taps + advance) * period), -(-count // period)))
    period, advance = period * together, advance * together
    at_once = min(period, max(16, taps * up // down))
    blocks = max(-(-count // period), -(-(lag + last + 1) // advance))
    margined = _with_margins(x, lag, blocks * advance, advance + taps + lag)
    size = margined.itemsize
    out = _core.empty((_rows(x) * blocks, period), x.dtype)
    for first in range(0, period, at_once):
        times = start + _core.arange(first, min(first + at_once, period)) * down
        base = (start + first * down) // up - taps + 1  # the sample in the matrix's first row
        width = (start + (first + len(times) - 1) * down) // up - base + 1
        tap = times - up * (base + _core.arange(width))[:, None]
        matrix = _core.where((tap >= 0) & (tap < h.size), h[_core.clip(tap, 0, h.size - 1)], 0)
        windows = _core.as_strided(margined[base + lag:], (len(out), width), (advance * size, size))
        out[:, first:first + len(times)] = windows @ matrix.astype(x.dtype, copy=False)
    return out.reshape(_rows(x), blocks * period)[:, :count]
