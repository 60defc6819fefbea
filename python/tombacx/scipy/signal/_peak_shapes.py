"""How prominent peaks are, and how wide.

Both ask for the nearest element on a side that is above, or not above, a bound. The CPU goes from one peak to the next,
in C. On a GPU all peaks ask at once. Of few peaks the neighbours are looked at, ever more of them for those that have
not found an end. Where that would be as much as the signal, a tree of the largest elements of 2, 4, 8, ... neighbours
is gone up until a node has such an element, and down to it: that is work proportional to the signal's length, and for
each peak to the logarithm of that.
"""

import functools
import math
import operator
import warnings

from tombac import _core
from tombac._core import asarray, where
from tombac._numpy import np

__all__ = ["PeakPropertyWarning", "peak_prominences", "peak_widths"]

_FIRST_LOOK = 32  # how many neighbours of a peak are looked at first
_LOOKED_AT = 4  # so many times as many neighbours as are looked at, and the signal is shorter: it is gone through whole


class PeakPropertyWarning(RuntimeWarning):
    """A property of a peak is 0 or unclear."""


# ---- arguments -------------------------------------------------------------------------------------------------------


def vector(name, what, x, dtype):
    x = asarray(x)
    if x.ndim != 1:
        raise ValueError(f"{name}: `{what}` must be a 1-D array, and has shape {x.shape}")
    return x.real.astype(dtype, copy=False) if x.dtype.kind == "c" else x.astype(dtype, copy=False)


def _numbers(peaks):
    peaks = asarray(peaks)
    return peaks if peaks.size else peaks.astype("l", copy=False)


def _positions(name, x, peaks):
    peaks = _numbers(peaks)
    if peaks.ndim != 1:
        raise ValueError(f"{name}: `peaks` must be a 1-D array, and has shape {peaks.shape}")
    if not np.can_cast(peaks.dtype, "l", "safe"):
        raise TypeError(f"{name}: `peaks` must be integers, not {peaks.dtype}")
    peaks = peaks.astype("l", copy=False)
    if peaks.size:
        least, greatest = int(peaks.min()), int(peaks.max())
        if least < 0 or greatest >= x.size:
            raise ValueError(f"{name}: peak {least if least < 0 else greatest} is not a valid index for `x`")
    return peaks


def window_of(name, wlen):
    """The window as a number of elements, or None."""
    if wlen is None:
        return None
    if wlen <= 1:
        raise ValueError(f"{name}: `wlen` must be larger than 1, was {wlen}")
    return operator.index(math.ceil(wlen))


def check_height(name, rel_height):
    if rel_height < 0:
        raise ValueError(f"{name}: `rel_height` must be greater or equal to 0.0")


# ---- trees -----------------------------------------------------------------------------------------------------------


def _tree(x, least):
    """[x, the largest of 2, of 4, ...], each of twice as many elements as the next; ``least`` where there are none."""
    n = 1 << max(x.size - 1, 0).bit_length()
    level = _core.concatenate((x, _core.full(n - x.size, least, dtype=x.dtype)))
    levels = [level]
    while level.size > 1:
        pairs = level.reshape(-1, 2)
        level = _core.maximum(pairs[:, 0], pairs[:, 1])
        levels.append(level)
    return levels


def _levels_within(levels, reach):
    """How many levels are gone through by who looks no further than so many elements."""
    return len(levels) if reach is None else min(len(levels), max(reach, 1).bit_length() + 1)


def _nearest(levels, start, bound, side, reaches=_core.greater, reach=None):
    """For each start the nearest position at it, or on that side (-1 or 1) of it, that reaches the bound; where there
    is none, or none within so many elements, it may be one beyond the end."""
    found = reaches(_core.take(levels[0], start), bound)
    result = where(found, start, -1 if side < 0 else levels[0].size)
    waiting = (~found).nonzero()[0]
    node, bound = _core.take(start, waiting), _core.take(bound, waiting)
    for k in range(_levels_within(levels, reach)):
        if waiting.size == 0:
            break
        # What is between this node and the start has been asked already.
        beside, level = node + side, levels[k]
        inside = (beside >= 0) & (beside < level.size)
        hits = inside & reaches(_core.take(level, _core.clip(beside, 0, level.size - 1)), bound)
        here = hits.nonzero()[0]
        if here.size:
            result[_core.take(waiting, here)] = _descended(
                levels, k, _core.take(beside, here), _core.take(bound, here), side, reaches)
        left = (~hits).nonzero()[0]
        waiting, bound, node = _core.take(waiting, left), _core.take(bound, left), _core.take(node, left) >> 1
    return result


def _descended(levels, k, node, bound, side, reaches):
    """The nearest positions, seen from the other side, below nodes of level k that reach their bounds."""
    for level in levels[:k][::-1]:
        near = 2 * node + (1 if side < 0 else 0)
        node = where(reaches(_core.take(level, near), bound), near, near + side)
    return node


def _largest_between(levels, first, last, reach):
    """The largest element of each stretch, both ends included, of no more than so many elements beside its first."""
    best = _core.take(levels[0], first)
    one_past = last + 1
    for level in levels[:_levels_within(levels, reach)]:
        some = first < one_past
        left, right = some & ((first & 1) == 1), some & ((one_past & 1) == 1)
        for chosen, node in ((left, first), (right, one_past - 1)):
            values = _core.take(level, _core.clip(node, 0, level.size - 1))
            best = where(chosen, _core.maximum(best, values), best)
        first, one_past = (first + 1) >> 1, one_past >> 1
    return best


# ---- neighbours ------------------------------------------------------------------------------------------------------


def _grown(x, peaks, side, reach, look, far):
    """What ``look`` finds for each peak in so many neighbours on a side that it comes to an end there, and no more than
    ``reach`` (a number, or one for each peak); of peaks for which that is too many what ``far`` finds: some vectors.

    ``look`` is given the peaks' numbers, the distances, the neighbours, and which of them are there.
    """
    waiting, found, width = _core.arange(peaks.size), None, _FIRST_LOOK
    farthest = reach if isinstance(reach, int) else x.size
    while waiting.size and waiting.size * width <= x.size // _LOOKED_AT:
        steps = _core.arange(width)
        place = _core.take(peaks, waiting)[:, None] + side * steps
        most = _core.take(reach, waiting)[:, None] if isinstance(reach, _core.ndarray) else reach
        inside = (place >= 0) & (place < x.size) & (steps <= most)
        values = _core.take(x, _core.clip(place, 0, x.size - 1))
        *results, ended = look(waiting, steps, values, inside)
        if found is None:
            found = results
        else:
            for whole, part in zip(found, results):
                whole[waiting] = part
        waiting = _core.take(waiting, (~ended & inside.all(axis=1)).nonzero()[0])
        width = min(8 * width, farthest + 2)  # of which the last one is too far for all
    if found is None:
        return far(waiting)
    if waiting.size:
        for whole, part in zip(found, far(waiting)):
            whole[waiting] = part
    return found


# ---- prominences -----------------------------------------------------------------------------------------------------


class _Valleys:
    """The lowest elements between peaks and higher ones, and where they are."""

    def __init__(self, x, peaks, wlen):
        self.x, self.peaks, self.heights = x, peaks, _core.take(x, peaks)
        self.reach = x.size if wlen is None else min(wlen // 2, x.size)

    def on(self, side):
        least, base = _grown(self.x, self.peaks, side, self.reach, functools.partial(self._near, side),
                             functools.partial(self._far, side))
        none = _core.isnan(self.heights)
        return where(none, self.heights, least), where(none, self.peaks, base)

    def _near(self, side, which, steps, values, inside):
        height = _core.take(self.heights, which)[:, None]
        walls = ~(values <= height)  # NaN is one
        some = walls.any(axis=1)
        first = where(some, walls.argmax(axis=1), steps.size)
        between = where(inside & (steps < first[:, None]), values, math.inf)
        return between.min(axis=1), _core.take(self.peaks, which) + side * between.argmin(axis=1), some

    @functools.cached_property
    def _walls(self):
        return _tree(where(_core.isnan(self.x), math.inf, self.x), -math.inf)

    @functools.cached_property
    def _depths(self):
        return _tree(where(_core.isnan(self.x), -math.inf, -self.x), -math.inf)

    def _far(self, side, which):
        peaks, reach = _core.take(self.peaks, which), self.reach
        end = _nearest(self._walls, peaks, _core.take(self.heights, which), side, reach=reach) - side
        if side < 0:
            end = _core.minimum(_core.maximum(end, peaks - reach), peaks)
            least = _largest_between(self._depths, end, peaks, reach)
        else:
            end = _core.maximum(_core.minimum(_core.minimum(end, peaks + reach), self.x.size - 1), peaks)
            least = _largest_between(self._depths, peaks, end, reach)
        return -least, _nearest(self._depths, peaks, least, side, _core.greater_equal, reach)


def _warned(what, found, flat=None):
    """What was found, whose first is that property; of peaks that have none the caller's caller is warned."""
    if (found[0] == 0).any() if flat is None else flat:
        warnings.warn(f"some peaks have a {what} of 0", PeakPropertyWarning, stacklevel=4)
    return tuple(found)


def prominences_of(x, peaks, wlen):
    """(prominences, left bases, right bases)"""
    if _core.backend() == "cpu":
        *found, flat = _core._peak_prominences(x, peaks, wlen or 0)
        return _warned("prominence", found, flat)
    if peaks.size == 0:
        return _core.empty(0), _core.empty(0, dtype="l"), _core.empty(0, dtype="l")
    valleys = _Valleys(x, peaks, wlen)
    (left, left_base), (right, right_base) = valleys.on(-1), valleys.on(1)
    return _warned("prominence", (valleys.heights - _core.maximum(left, right), left_base, right_base))


def peak_prominences(x, peaks, wlen=None):
    """How far peaks stand out: how far one must go down from each to get to a higher one, on the side where that is
    less.

    Args:
        x: The signal: a vector of real numbers.
        peaks: Positions of peaks in it: a vector of integers.
        wlen: How many elements around a peak are looked at, an odd number (else one more); all of them if None.

    Returns:
        A tuple of arrays (prominences, left_bases, right_bases): of float64, and of int64: the lowest elements between
        the peak and a higher one, or the window's end, on both sides; the nearest ones of equal ones.

    Raises:
        ValueError: ``x`` or ``peaks`` is no vector, a position is not in ``x``, or ``wlen`` is not more than 1.
        TypeError: ``peaks`` are no integers.

    A PeakPropertyWarning says that a prominence is 0.

    >>> x = tombac.array([0.0, 2.0, 1.0, 3.0, 0.0])
    >>> tombacx.scipy.signal.peak_prominences(x, tombac.array([1, 3]))
    (array([1., 3.]), array([0, 0]), array([2, 4]))
    """
    x, wlen = vector("peak_prominences", "x", x, "d"), window_of("peak_prominences", wlen)
    peaks = _numbers(peaks) if _core.backend() == "cpu" else _positions("peak_prominences", x, peaks)
    return prominences_of(x, peaks, wlen)


# ---- widths ----------------------------------------------------------------------------------------------------------


def _reached_near(peaks, heights, base, side, which, steps, values, inside):
    """Where the signal comes down to the heights, or the bases if these are nearer; and whether it is known."""
    hits = inside & ~(values > _core.take(heights, which)[:, None])
    some = hits.any(axis=1)
    return where(some, _core.take(peaks, which) + side * hits.argmax(axis=1), _core.take(base, which)), some


def _reached_far(x, peaks, heights, base, side, which):
    depths = _tree(where(_core.isnan(x), math.inf, -x), -math.inf)
    peaks, heights, base = (_core.take(values, which) for values in (peaks, heights, base))
    at = _nearest(depths, peaks, -heights, side, _core.greater_equal)
    at = _core.maximum(at, base) if side < 0 else _core.minimum(at, base)
    return [where(_core.isnan(heights), peaks, at)]


def widths_of(x, peaks, rel_height, prominences, left_bases, right_bases):
    """(widths, heights at which they are taken, left ends, right ends)"""
    if _core.backend() == "cpu":
        *found, flat = _core._peak_widths(x, peaks, prominences, left_bases, right_bases, rel_height)
        return _warned("width", found, flat)
    if peaks.size == 0:
        return tuple(_core.empty(0) for _ in range(4))
    heights = _core.take(x, peaks) - prominences * rel_height
    ends = []
    for side, base in ((-1, left_bases), (1, right_bases)):
        at, = _grown(x, peaks, side, abs(base - peaks), functools.partial(_reached_near, peaks, heights, base, side),
                     functools.partial(_reached_far, x, peaks, heights, base, side))
        value, next_one = _core.take(x, at), _core.take(x, _core.clip(at - side, 0, x.size - 1))
        ends.append(where(value < heights, at - side * (heights - value) / (next_one - value), at))
    return _warned("width", (ends[1] - ends[0], heights, ends[0], ends[1]))


def peak_widths(x, peaks, rel_height=0.5, prominence_data=None, wlen=None):
    """How wide peaks are, at a part of their prominence below their tops.

    Args:
        x: The signal: a vector of real numbers.
        peaks: Positions of peaks in it: a vector of integers.
        rel_height: At which part of the prominence, from above: 1 is at the higher base.
        prominence_data: (prominences, left_bases, right_bases), as peak_prominences gives them; if None they are found.
        wlen: How many elements around a peak are looked at for its prominence; all of them if None.

    Returns:
        A tuple of arrays of float64 (widths, width_heights, left_ips, right_ips): in elements, the heights at which
        they are taken, and the positions between elements where the signal has these.

    Raises:
        ValueError: ``x`` or ``peaks`` is no vector, a position is not in ``x``, ``wlen`` is not more than 1,
            ``rel_height`` is negative, or the prominence data are not of the peaks, or their bases not around them.
        TypeError: ``peaks`` are no integers, or ``prominence_data`` is no triple.

    A PeakPropertyWarning says that a width is 0.

    >>> x = tombac.array([0.0, 1.0, 2.0, 1.0, 0.0])
    >>> tombacx.scipy.signal.peak_widths(x, tombac.array([2]))
    (array([2.]), array([1.]), array([1.]), array([3.]))
    """
    x = vector("peak_widths", "x", x, "d")
    check_height("peak_widths", rel_height)
    if _core.backend() == "cpu":
        data = (rel_height, window_of("peak_widths", wlen) or 0) if prominence_data is None else \
            (*_three(prominence_data), rel_height)
        return _widths_on_host(x, _numbers(peaks), *data)
    peaks = _positions("peak_widths", x, peaks)
    data = prominences_of(x, peaks, window_of("peak_widths", wlen)) if prominence_data is None else \
        _checked(x, peaks, prominence_data)
    return widths_of(x, peaks, rel_height, *data)


def _widths_on_host(x, peaks, *data):
    *found, flat = _core._peak_widths(x, peaks, *data)
    return _warned("width", found, flat)


def _three(data):
    if not isinstance(data, (tuple, list)) or len(data) != 3 or any(values is None for values in data):
        raise TypeError("peak_widths: prominence_data must have three arrays, none of them None")
    return [asarray(values).astype(t, copy=False) for values, t in zip(data, "dll")]


def _checked(x, peaks, data):
    prominences, left, right = _three(data)
    if not prominences.shape == left.shape == right.shape == peaks.shape:
        raise ValueError("peak_widths: arrays in `prominence_data` must have the same shape as `peaks`")
    if peaks.size and not bool(((left >= 0) & (left <= peaks) & (peaks <= right) & (right < x.size)).all()):
        raise ValueError("peak_widths: prominence data is invalid: bases must be around their peaks")
    return prominences, left, right
