"""pad: an array with a margin around it, by each of NumPy's modes.

The result is made once, and each of its margins is written once, axis by axis: those of an axis reach over the margins
of the axes before it, which gives the corners.
"""

import math

from tombac import _core
from tombac._numpy import np
from tombac._order_statistics import median
from tombac._util import as_device

__all__ = ["pad"]

# What is no larger than this is filled whole with the constant: one assignment instead of two for each axis.
_SMALL = 1 << 17
_LARGEST = 2**62  # of integers that stay Python's: NumPy may make larger ones floats


def _is_pair(x, kind):
    return type(x) in (tuple, list) and len(x) == 2 and type(x[0]) is kind and type(x[1]) is kind


def _plain(x, ndim, kind):
    """What _pairs gives, where x is of Python numbers of one kind and no sequence is to be repeated along an axis."""
    if type(x) is kind:
        return [(x, x)] * ndim
    if _is_pair(x, kind):
        return [tuple(x)] * ndim
    if type(x) in (tuple, list) and 0 < len(x) == ndim and all([_is_pair(pair, kind) for pair in x]):
        return [tuple(pair) for pair in x]
    return None


def _pairs(x, ndim):
    """A number, a pair, or one for each axis, as a pair of Python numbers for each axis."""
    plain = _plain(x, ndim, int) or _plain(x, ndim, float)
    if plain is not None and all([-_LARGEST <= n <= _LARGEST for pair in plain for n in pair if n == n]):
        return plain
    x = np.asarray(_core._on_host(x))
    return [tuple(pair) for pair in np.broadcast_to(x, (ndim, 2)).tolist()]


def _widths(pad_width, ndim):
    pairs = _plain(pad_width, ndim, int)
    if pairs is None:
        if isinstance(pad_width, dict):
            given, pad_width = pad_width, [(0, 0)] * ndim
            for axis, width in given.items():
                pad_width[axis] = tuple(width) if isinstance(width, (tuple, list)) else (width, width)
        x = np.asarray(_core._on_host(pad_width))
        if x.dtype.kind not in "iu":
            raise TypeError(f"pad: pad_width must hold integers, not {x.dtype}")
        pairs = _pairs(x, ndim)
    if any(width < 0 for pair in pairs for width in pair):
        raise ValueError("pad: pad_width must not hold negative numbers")
    return pairs


class _Axis:
    """One axis of the padded array: ``a`` is the part of it that this axis fills, ``low`` and ``high`` where what is
    known of it begins and ends."""

    def __init__(self, padded, center, axis, pair):
        self.a = padded[(slice(None),) * (axis + 1) + center[axis + 1 :]]
        self.axis, self.before = axis, (slice(None),) * axis
        self.low, self.high, self.length = pair[0], padded.shape[axis] - pair[1], padded.shape[axis]
        self.n = self.high - self.low

    def part(self, start, stop):
        return self.a[self.before + (slice(start, stop),)]

    def backwards(self, start, stop):
        return self.part(start, stop)[self.before + (slice(None, None, -1),)]

    def write(self, start, stop, value):
        self.a[self.before + (slice(start, stop),)] = value

    def fill(self, left, right):
        """Writes both margins, where there is one."""
        if self.low:
            self.write(0, self.low, left)
        if self.high < self.length:
            self.write(self.high, self.length, right)

    def edge(self):
        self.fill(self.part(self.low, self.low + 1), self.part(self.high - 1, self.high))

    def repeat(self, copy, usable):
        """Calls ``copy(self, n, left, right)`` until the margins are full: it writes so many elements of them, taken
        from the first or the last n = ``usable(known)`` of the elements that are known."""
        while self.low > 0 or self.high < self.length:
            n = usable(self.high - self.low)
            left, right = min(n, self.low), min(n, self.length - self.high)
            copy(self, n, left, right)
            self.low, self.high = self.low - left, self.high + right


# ---- modes: a function of an axis and its pair of keyword values -----------------------------------------------------


def _ramp(axis, pair):
    ends = [_core.asarray(np.asarray(v, np.result_type(type(v), np.float64))) for v in pair]
    margins = []
    for end, edge, n in ((ends[0], axis.part(axis.low, axis.low + 1), axis.low),
                         (ends[1], axis.part(axis.high - 1, axis.high), axis.length - axis.high)):
        line = _core.linspace(end, edge.squeeze(axis.axis), n, False, dtype=axis.a.dtype, axis=axis.axis) if n else None
        margins.append(line)
    if margins[1] is not None:
        margins[1] = margins[1][axis.before + (slice(None, None, -1),)]
    axis.fill(*margins)


_STATISTICS = {"maximum": _core.amax, "minimum": _core.amin, "mean": _core.mean, "median": median}


def _statistic(mode):
    def fill(axis, pair):
        left, right = (axis.n if n is None else min(n, axis.n) for n in pair)
        if mode in ("maximum", "minimum") and 0 in (left, right):
            raise ValueError("pad: stat_length of 0 yields no value for padding")
        first = _value(axis.part(axis.low, axis.low + left), axis)
        same = left == right == axis.n
        axis.fill(first, first if same else _value(axis.part(axis.high - right, axis.high), axis))

    def _value(part, axis):
        value = _STATISTICS[mode](part, axis=axis.axis, keepdims=True)
        return _core.rint(value) if part._kind in "iu" and value._kind not in "iu" else value

    return fill


def _reflect(include_edge, odd):
    e = 0 if include_edge else 1

    def copy(axis, n, left, right):
        if left:
            chunk = axis.backwards(axis.low + e, axis.low + e + left)
            axis.write(axis.low - left, axis.low, 2 * axis.part(axis.low, axis.low + 1) - chunk if odd else chunk)
        if right:
            chunk = axis.backwards(axis.high - e - right, axis.high - e)
            axis.write(axis.high, axis.high + right, 2 * axis.part(axis.high - 1, axis.high) - chunk if odd else chunk)

    def fill(axis, _):
        if axis.n == 1:
            axis.edge()
            return
        period = axis.n - e  # whole periods only, else what comes next would not go on with them
        axis.repeat(copy, lambda known: (known - e) // period * period)

    return fill


def _wrap(axis, _):
    def copy(axis, n, left, right):
        if left:
            axis.write(axis.low - left, axis.low, axis.part(axis.low + n - left, axis.low + n))
        if right:
            axis.write(axis.high, axis.high + right, axis.part(axis.high - n, axis.high - n + right))

    period = axis.n
    axis.repeat(copy, lambda known: known // period * period)


# By mode: the one keyword argument it takes, and its default.
_KEYWORD = {
    "empty": None, "edge": None, "wrap": None, "constant": ("constant_values", 0), "linear_ramp": ("end_values", 0),
    "maximum": ("stat_length", None), "minimum": ("stat_length", None), "mean": ("stat_length", None),
    "median": ("stat_length", None), "reflect": ("reflect_type", "even"), "symmetric": ("reflect_type", "even"),
}


def _keyword(mode, kwargs, ndim):
    """The value of a mode's keyword argument: a pair for each axis, or reflect_type."""
    if not isinstance(mode, str) or mode not in _KEYWORD:
        raise ValueError(f"pad: mode {mode!r} is not supported")
    name, value = _KEYWORD[mode] or (None, None)
    wrong = set(kwargs) - {name}
    if wrong:
        raise ValueError(f"pad: unsupported keyword arguments for mode {mode!r}: {', '.join(sorted(wrong))}")
    value = kwargs.get(name, value)
    if name == "reflect_type" or value is None:
        return value
    pairs = _pairs(value, ndim)
    if name == "stat_length":
        pairs = [tuple(round(n) for n in pair) for pair in pairs]
        if any(n < 0 for pair in pairs for n in pair):
            raise ValueError("pad: stat_length must not hold negative numbers")
    if name == "constant_values":  # of NumPy's numbers, which are cast, and not refused where they do not fit
        pairs = [tuple([_number(v) for v in pair]) for pair in pairs]
    return pairs


def _number(v):
    """A number of Python's as NumPy's."""
    if type(v) is int and -_LARGEST <= v <= _LARGEST:
        return np.int64(v)
    return np.asarray(v)[()] if isinstance(v, (int, float, complex)) else v


def _filler(mode, value):
    if mode in ("reflect", "symmetric"):
        return _reflect(mode == "symmetric", value == "odd")
    if mode in _STATISTICS:
        return _statistic(mode)
    return {"constant": lambda axis, pair: axis.fill(*pair), "edge": lambda axis, _: axis.edge(),
            "linear_ramp": _ramp, "wrap": _wrap}[mode]


def _by_function(function, padded, widths, kwargs):
    """Calls a function of the user's for every line along every axis, as views that it writes to."""
    for axis in range(padded.ndim):
        order = [d for d in range(padded.ndim) if d != axis] + [axis]
        lines = padded.transpose(order)
        for index in np.ndindex(lines.shape[:-1]):
            function(lines[index], widths[axis], axis, kwargs)


def pad(array, pad_width, mode="constant", **kwargs):
    """``array`` with a margin around it.

    Args:
        array: An array of any shape and dtype.
        pad_width: How wide the margins are: an integer, ``(before, after)``, a pair for each axis, or a dict from axes
            to widths.
        mode: What they hold. 'constant' (``constant_values``), 'edge', 'linear_ramp' (to ``end_values``), 'maximum',
            'mean', 'median', 'minimum' (of the ``stat_length`` elements next to the edge), 'reflect' (without the
            edge), 'symmetric' (with it; ``reflect_type`` 'even' or 'odd'), 'wrap', 'empty' (anything), or a function
            ``f(vector, (before, after), axis, kwargs)`` that writes to the margins of ``vector``, which are zero.
        kwargs: The keyword argument of the mode; a number, a pair, or a pair for each axis.

    Returns:
        A new array of ``array``'s dtype.

    Raises:
        TypeError: ``array`` is no tombac array, or the widths are not integers.
        ValueError: A width is negative, the mode or a keyword argument of it is not known, or an axis without elements
            is to be extended by what it holds.

    >>> import tombac as tb
    >>> tb.pad(tb.arange(3), (2, 1), 'edge')
    array([0, 0, 0, 1, 2, 2])
    """
    array = as_device("pad", array)
    widths = _widths(pad_width, array.ndim)
    shape = tuple([n + left + right for n, (left, right) in zip(array.shape, widths)])
    center = tuple([slice(left, left + n) for n, (left, _) in zip(array.shape, widths)])
    order = "F" if array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous else "C"
    if callable(mode):
        padded = _core.zeros(shape, array.dtype, order)
        padded[center] = array
        _by_function(mode, padded, widths, kwargs)
        return padded
    value = _keyword(mode, kwargs, array.ndim)
    if mode == "constant" and math.prod(shape) * array.itemsize <= _SMALL and len({v for p in value for v in p}) <= 1:
        constant = value[0][0] if value else 0
        padded = _core.zeros(shape, array.dtype, order) if constant == 0 else _core.full(
            shape, constant, array.dtype, order)
        padded[center] = array
        return padded
    padded = _core.empty(shape, array.dtype, order)
    padded[center] = array
    if mode == "empty":
        return padded
    if array.size == 0 and mode != "constant":
        for axis, n in enumerate(array.shape):
            if n == 0 and any(widths[axis]):
                raise ValueError(f"pad: axis {axis} is empty, only the modes 'constant' and 'empty' can extend it")
        return padded
    fill = _filler(mode, value)
    for axis, pair in enumerate(widths):
        if any(pair):
            known = _Axis(padded, center, axis, pair)
            fill(known, value[axis] if isinstance(value, list) else (None, None))
    return padded
