"""Peaks of signals: where they are, by which of their properties they are chosen, and wavelet transforms.

Elements are compared on the device. What depends on one peak after the other, which of them lie too close, is decided
by the host; on the CPU in C, as is all that is asked of single peaks.
"""

import math
import operator


from tombac import _core
from tombac._core import asarray, where
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombac._util import normalize_axis_index
from tombacx.scipy._host import host
from tombacx.scipy.signal._peak_shapes import check_height, prominences_of, vector, widths_of, window_of

__all__ = ["argrelextrema", "argrelmax", "argrelmin", "cwt", "find_peaks"]

_BETWEEN_LOOKS = 16  # after how many neighbours it is looked whether any element is left

_documented = with_rows(
    data="data: An array of numbers that can be compared.",
    axis="axis: Along which axis elements are neighbours.",
    order="order: How many neighbours on each side an element is compared with.",
    mode="""mode: What is beyond the ends: 'clip', the element at the end, or 'wrap', the elements at the other end;
            'raise' is an error.""",
    positions="A tuple of arrays of int64: one for each axis, as nonzero gives them.",
    refusals="""ValueError: ``order`` is no positive int, or there is no such mode.
        IndexError: ``mode`` is 'raise'.
        AxisError: There is no such axis.""",
)


# ---- extrema ---------------------------------------------------------------------------------------------------------


@_documented
def argrelextrema(data, comparator, axis=0, order=1, mode="clip"):
    """Positions of elements that a comparison puts before all their neighbours.

    Args:
        {data}
        comparator: A function of two arrays that compares them, element by element.
        {axis}
        {order}
        {mode}

    Returns:
        {positions}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 1, 2, 3, 2, 0, 1, 0])
    >>> tombacx.scipy.signal.argrelextrema(x, tombac.greater)
    (array([3, 6]),)
    """
    if int(order) != order or order < 1:
        raise ValueError("argrelextrema: order must be an int >= 1")
    if mode not in ("clip", "wrap", "raise"):
        raise ValueError(f"argrelextrema: mode must be 'clip', 'wrap' or 'raise', not {mode!r}")
    data = asarray(data)
    axis = normalize_axis_index(axis, data.ndim)
    n = data.shape[axis]
    if mode == "raise" and n:
        raise IndexError(f"argrelextrema: index {n} is out of bounds for axis {axis} with size {n}")
    places, best = _core.arange(n), None
    for shift in range(1, min(int(order), max(n, 1)) + 1):  # all neighbours of a greater order have been seen
        if shift % _BETWEEN_LOOKS == 0 and not best.any():
            break
        for by in (shift, -shift):
            neighbours = (places + by) % n if mode == "wrap" else _core.clip(places + by, 0, n - 1)
            better = comparator(data, _core.take(data, neighbours, axis=axis) if n else data)
            best = better if best is None else best & better
    return best.nonzero()


@_documented
def argrelmax(data, axis=0, order=1, mode="clip"):
    """Positions of elements that are greater than all their neighbours.

    Args:
        {data}
        {axis}
        {order}
        {mode}

    Returns:
        {positions}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.argrelmax(tombac.array([2, 1, 2, 3, 2, 0, 1, 0]))
    (array([3, 6]),)
    """
    return argrelextrema(data, _core.greater, axis, order, mode)


@_documented
def argrelmin(data, axis=0, order=1, mode="clip"):
    """Positions of elements that are less than all their neighbours.

    Args:
        {data}
        {axis}
        {order}
        {mode}

    Returns:
        {positions}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.argrelmin(tombac.array([2, 1, 2, 3, 2, 0, 1, 0]))
    (array([1, 5]),)
    """
    return argrelextrema(data, _core.less, axis, order, mode)


# ---- peaks -----------------------------------------------------------------------------------------------------------


def _positions(mask):
    return mask.nonzero()[0]


def _local_maxima(x):
    """(middles, left edges, right edges) of plateaus whose neighbours are lower; not of those that reach an end."""
    if _core.backend() == "cpu":
        return _core._peaks_edges(x)
    starts = _positions(_core.concatenate((_core.ones(min(x.size, 1), dtype=bool), x[1:] != x[:-1])))
    if starts.size < 3:
        none = _core.empty(0, dtype="l")
        return none, none, none
    levels = _core.take(x, starts)
    chosen = _positions((levels[:-2] < levels[1:-1]) & (levels[2:] < levels[1:-1])) + 1
    left, right = _core.take(starts, chosen), _core.take(starts, chosen + 1) - 1
    return (left + right) // 2, left, right


def _bounds(interval, x, peaks):
    """The least and the greatest value of a condition: numbers, or arrays with one for each peak."""
    is_pair = isinstance(interval, (tuple, list)) or getattr(interval, "shape", ())[:1] == (2,)
    pair = tuple(interval) if is_pair else (interval, None)
    if len(pair) > 2:
        raise ValueError(f"find_peaks: a condition is a number, an array or two of them, not {len(pair)}")
    bounds = []
    for which, bound in zip(("lower", "upper"), pair + (None,) * (2 - len(pair))):
        if hasattr(bound, "shape") and bound.shape != ():
            if bound.size != x.size:
                raise ValueError(f"find_peaks: array size of {which} interval border must match x")
            bound = _core.take(asarray(bound), peaks)
        bounds.append(bound)
    return bounds


def _within(values, interval, x, peaks):
    least, greatest = _bounds(interval, x, peaks)
    if greatest is None:
        return _core.ones(values.shape, dtype=bool) if least is None else values >= least
    below = values <= greatest
    return below if least is None else (values >= least) & below


def _far_enough(peaks, heights, distance):
    """Which of the peaks stay, if the highest ones go first and those that are too close to them go."""
    if _core.backend() == "cpu":
        return _core._peaks_apart(peaks, _core._argsort(heights, 0), distance)
    peaks, order = peaks.get(), np.argsort(heights.get(), kind="stable")
    first = np.searchsorted(peaks, peaks - distance, side="right").tolist()
    last = np.searchsorted(peaks, peaks + distance, side="left").tolist()
    keep = bytearray(b"\1") * peaks.size
    for i in order[::-1].tolist():
        if keep[i]:
            keep[first[i]:last[i]] = bytes(last[i] - first[i])
            keep[i] = 1
    return asarray(np.frombuffer(keep, dtype=bool).copy())


class _Chosen:
    """Peaks, and what is known of them."""

    def __init__(self, x, edges):
        self.x, self.properties = x, {}
        if edges or _core.backend() != "cpu":
            self.peaks, self.left, self.right = _local_maxima(x)
        else:
            self.peaks = _core._peaks_find(x)

    def keep(self, mask):
        kept = _positions(mask)
        self.peaks = _core.take(self.peaks, kept)
        self.properties = {name: _core.take(values, kept) for name, values in self.properties.items()}

    def keep_within(self, values, interval):
        self.keep(_within(values, interval, self.x, self.peaks))


def _choose_by_elements(chosen, height, threshold, distance, plateau_size):
    if plateau_size is not None:
        sizes = chosen.right - chosen.left + 1
        chosen.properties.update(plateau_sizes=sizes, left_edges=chosen.left, right_edges=chosen.right)
        chosen.keep_within(sizes, plateau_size)
    if height is not None:
        heights = _core.take(chosen.x, chosen.peaks)
        chosen.properties["peak_heights"] = heights
        chosen.keep_within(heights, height)
    if threshold is not None:
        heights = _core.take(chosen.x, chosen.peaks)
        left = heights - _core.take(chosen.x, chosen.peaks - 1)
        right = heights - _core.take(chosen.x, chosen.peaks + 1)
        chosen.properties.update(left_thresholds=left, right_thresholds=right)
        least, greatest = _bounds(threshold, chosen.x, chosen.peaks)
        keep = _core.ones(left.shape, dtype=bool)
        if least is not None:
            keep &= _core.minimum(left, right) >= least
        if greatest is not None:
            keep &= _core.maximum(left, right) <= greatest
        chosen.keep(keep)
    if distance is not None:
        distance = math.ceil(min(distance, max(chosen.x.size, 1)))  # which int64 can hold
        chosen.keep(_far_enough(chosen.peaks, _core.take(chosen.x, chosen.peaks), distance))


def find_peaks(x, height=None, threshold=None, distance=None, prominence=None, width=None, wlen=None, rel_height=0.5,
               plateau_size=None):
    """Positions of peaks: elements, or plateaus of equal ones, whose neighbours are lower; chosen by their properties.

    Args:
        x: The signal: a vector of real numbers.
        height: How high peaks are: a number or an array of ``x``'s size for the least, or a pair of these, of which
            either may be None, for the least and the greatest. All conditions are so.
        threshold: How far their neighbours are below them.
        distance: By how many elements peaks are apart at least: of two that are closer the lower one goes.
        prominence: How prominent they are; see peak_prominences.
        width: How wide they are, in elements; see peak_widths.
        wlen: How many elements around a peak are looked at for its prominence; all of them if None.
        rel_height: At which part of the prominence, from above, the width is taken.
        plateau_size: How many equal elements they have.

    Returns:
        A tuple of an array of int64, the peaks' middles in ascending order, and a dict of arrays with what had to be
        found out about them: 'peak_heights', 'left_thresholds', 'right_thresholds', 'prominences', 'left_bases',
        'right_bases', 'widths', 'width_heights', 'left_ips', 'right_ips', 'plateau_sizes', 'left_edges',
        'right_edges'.

    Raises:
        ValueError: ``x`` is no vector, a condition has an array of another size, ``distance`` is less than 1, ``wlen``
            is not more than 1, or ``rel_height`` is negative.

    A PeakPropertyWarning says that a prominence or a width is 0.

    Peaks of equal height are taken from the last to the first where they lie too close. Which peaks are at a distance
    is decided by the host.

    >>> x = tombac.array([0.0, 2.0, 0.0, 1.0, 1.0, 1.0, 0.0, 3.0, 0.0])
    >>> peaks, properties = tombacx.scipy.signal.find_peaks(x, height=2)
    >>> peaks, properties["peak_heights"]
    (array([1, 7]), array([2., 3.]))
    """
    x = vector("find_peaks", "x", x, "d")
    if distance is not None and distance < 1:
        raise ValueError("find_peaks: distance must be greater or equal to 1")
    chosen = _Chosen(x, plateau_size is not None)
    _choose_by_elements(chosen, height, threshold, distance, plateau_size)
    if prominence is not None or width is not None:
        found = prominences_of(x, chosen.peaks, window_of("find_peaks", wlen))
        chosen.properties.update(zip(("prominences", "left_bases", "right_bases"), found))
    if prominence is not None:
        chosen.keep_within(chosen.properties["prominences"], prominence)
    if width is not None:
        check_height("find_peaks", rel_height)
        data = [chosen.properties[name] for name in ("prominences", "left_bases", "right_bases")]
        found = widths_of(x, chosen.peaks, rel_height, *data)
        chosen.properties.update(zip(("widths", "width_heights", "left_ips", "right_ips"), found))
        chosen.keep_within(chosen.properties["widths"], width)
    return chosen.peaks, chosen.properties


# ---- wavelets --------------------------------------------------------------------------------------------------------


def cwt(data, wavelet, widths):
    """The continuous wavelet transform: the signal's convolutions with a wavelet of several widths.

    Args:
        data: The signal: a vector.
        wavelet: A function of a number of points and a width that gives a vector of so many points, as ricker and
            morlet2 do.
        widths: The widths: a sequence, or a vector.

    Returns:
        An array of shape (len(widths), len(data)), complex where the wavelet is.

    Raises:
        ValueError: ``data`` is no vector.

    A wavelet has ten times as many points as it is wide, but no more than the signal. SciPy has this function no
    longer.

    >>> x = tombac.array([0.0, 0.0, 1.0, 0.0, 0.0])
    >>> tombacx.scipy.signal.cwt(x, tombacx.scipy.signal.ricker, [1.0]).round(3)
    array([[-0.352,  0.   ,  0.867,  0.   , -0.352]])
    """
    from tombac._convolution import convolve

    data = asarray(data)
    if data.ndim != 1 or data.size == 0:
        raise ValueError(f"cwt: data must be a vector that is not empty, and has shape {data.shape}")
    rows = []
    for width in np.atleast_1d(np.asarray(host(widths))).tolist():
        wave = asarray(wavelet(int(min(10 * width, data.size)), width))
        rows.append(convolve(data, _core.conjugate(wave)[::-1], mode="same"))
    return _core.stack(rows) if rows else _core.empty((0, data.size))
