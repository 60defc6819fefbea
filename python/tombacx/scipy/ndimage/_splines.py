"""Splines through an image's elements: their coefficients, their weights, and which elements they are of.

Coefficients are found by a filter forward and one backward along each axis for each pole of the B-spline's samples.
Source: M. Unser, Splines: a perfect fit for signal and image processing, IEEE Signal Processing Magazine 16 (1999).
"""

import functools
import itertools
import math

from tombac import _core
from tombac._core import floor, where
from tombac._numpy import np
from tombacx.scipy.ndimage import _support, _windows

_POLES = {
    2: (math.sqrt(8) - 3,),
    3: (math.sqrt(3) - 2,),
    4: tuple(math.sqrt(664 - s * math.sqrt(438976)) + s * math.sqrt(304) - 19 for s in (1, -1)),
    5: tuple(math.sqrt(67.5 - s * math.sqrt(4436.25)) + s * math.sqrt(26.25) - 6.5 for s in (1, -1)),
}
# How coefficients go on beyond the edges, by the mode of the image; SciPy's choice.
_COEFFICIENT_MODES = {
    "reflect": "reflect", "grid-mirror": "reflect", "nearest": "reflect", "mirror": "mirror", "wrap": "mirror",
    "constant": "mirror", "grid-constant": "mirror", "grid-wrap": "grid-wrap",
}
# The same, for the elements that a spline near an edge is of.
_TAP_MODES = dict(_COEFFICIENT_MODES, nearest="nearest")
_EDGES = ("mirror", "reflect", "grid-wrap")  # tb_spline_edge
MOST_AXES = 8  # of an image at points
# tb_spline_mode
_MODES = ("constant", "grid-constant", "nearest", "mirror", "reflect", "wrap", "grid-wrap")
_FEW = 1 << 15
_MARGIN = 12  # how far an image goes on before its coefficients are computed, in modes that these cannot follow


@functools.lru_cache(256)
def _starts(z, n, mode):
    """What a pole's filters remember of before the first and of behind the last of ``n`` elements: twice (the elements
    it is a sum of, their weights). Powers of the pole are summed up until float64 no longer sees them."""
    power = np.arange(1, math.ceil(math.log(1e-18) / math.log(abs(z))) + 1)
    if mode == "grid-wrap":
        return _gathered(-power % n, z**power), _gathered((power - 1) % n, -z**(power + 1))
    if mode == "mirror":
        place = power % (2 * n - 2)
        last = (np.array([n - 1, n - 2]), np.array([z, 1.0]) * (z * z / (z * z - 1)))
        return _gathered(np.minimum(place, 2 * n - 2 - place), z**power), last
    place = (power - 1) % (2 * n)
    return _gathered(np.minimum(place, 2 * n - 1 - place), z**power), (np.array([n - 1]), np.array([z * z / (z - 1)]))


def _gathered(places, weights):
    places, which = np.unique(places, return_inverse=True)
    return places, np.bincount(which, weights)


def _remembered(x, axis, start, factor):
    places, weights = start
    column = [-1 if d == axis else 1 for d in range(x.ndim)]
    weights = _core.array(weights * factor).reshape(column)
    return (_core.take(x, _core.array(places), axis=axis) * weights).sum(axis=axis, keepdims=True)[None]


@functools.cache
def _weights_of_poles(order):
    """What powers of each pole, to either side, are multiplied by: the filters of all poles as a sum of two-sided ones,
    by partial fractions in the filters' common variable."""
    poles = _POLES[order]
    rows = []
    for z in poles:
        weight = math.prod((1 - p) ** 2 for p in poles) / (1 - z * z)
        rows.append(weight / math.prod(1 + p * p - p * (1 + z * z) / z for p in poles if p != z))
    return tuple(rows)


def _coefficients1d(input, axis, mode, order, output, cval):
    dtype = _support.any_output("spline_filter", input, output)
    n = input.shape[axis]
    if n > 1 and input.size and input.dtype.kind != "c":
        try:
            x = _core._two_sided_sums(input, axis, _EDGES.index(mode), _POLES[order], _weights_of_poles(order))
            return _support.deliver(x, output, dtype)
        except NotImplementedError:  # lines are too long for the CPU
            pass
    x = input.astype("D" if input.dtype.kind == "c" else "d", copy=False)
    for z in _POLES[order] if n > 1 and x.size else ():
        first, last = _starts(z, n, mode)
        gain, pole = (1 - z) * (1 - 1 / z), np.array([[1.0, -z]])
        for start, scale, factor, backwards in (first, gain, gain, False), (last, 1.0, -z, True):
            before = _remembered(x, axis, start, scale)
            x, _ = _core._recurrence(x, axis, x.dtype, np.array([[factor, 0.0]]), pole, backwards, before)
    return _support.deliver(x, output, dtype)


def along(input, order, axis, mode, output):
    """The coefficients along one axis."""
    _support.padding_mode("spline_filter1d", mode)
    return _coefficients1d(input, axis, _COEFFICIENT_MODES[mode], order, output, 0)


def coefficients(input, order, axes, mode, output=None):
    """The coefficients along axes, in float64 or complex128 unless an output or its dtype is given."""
    _support.padding_mode("spline_filter", mode)
    output = ("D" if input.dtype.kind == "c" else "d") if output is None else output
    rows = [{"axis": d, "mode": _COEFFICIENT_MODES[mode], "order": order} for d in axes]
    return _windows.one_after_another("spline_filter", _coefficients1d, input, output, rows, 0)


def prepared(name, input, order, axes, mode, cval, prefilter):
    """(what splines are of, how many elements it has before the image along each of the axes)."""
    if not prefilter or order < 2:
        return input, 0
    if mode not in ("nearest", "grid-constant"):
        return coefficients(input, order, axes, mode), 0
    widths = [(_MARGIN, _MARGIN) if d in axes else (0, 0) for d in range(input.ndim)]
    return coefficients(_support.extended(name, input, widths, [mode] * input.ndim, cval), order, axes, mode), _MARGIN


# ---- along one axis --------------------------------------------------------------------------------------------------


def _remainder(x, period):
    return x - period * floor(x / period)


def folded(x, n, mode):
    """Coordinates beyond the edges of ``n`` elements as the mode takes them; also whole ones, of elements."""
    last = n - 1
    if mode == "nearest":
        return _core.clip(x, 0, last)
    if mode == "grid-wrap":
        # Between the last element and the first there is room, which stays.
        return where((x >= 0) & (x <= last), x, _remainder(x, n)) if n > 1 else 0 * x
    if n == 1:
        return 0 * x
    if mode == "wrap":
        # The first and the last element are one; what comes before is counted from the last one, as in SciPy.
        return where(x < 0, x + last * (floor(-x / last) + 1), where(x > last, _remainder(x, last), x))
    if mode == "mirror":
        around = _remainder(_core.absolute(x), 2 * last)
        return where(around > last, 2 * last - around, around)
    around = _remainder(where(x < 0, -x - 1, x), 2 * n)  # reflect
    return where(around >= n, 2 * n - 1 - around, around)


def _inside(x, n, mode):
    """Coordinates as splines are taken at them, and where there is a spline at all, or None."""
    if mode == "constant":
        inside = (x >= 0) & (x <= n - 1)
        return where(inside, x, 0), inside
    if mode not in ("grid-constant", "nearest"):
        x = folded(x, n, {"grid-mirror": "reflect"}.get(mode, mode))
    return x, None


def taps(x, n, order, mode):
    """[(weight, element, whether there is one, or None)] of the spline at coordinates along an axis of ``n`` elements,
    and where there is a spline at all, or None."""
    x, inside = _inside(x, n, mode)
    nearest = floor(x + 0.5) if order % 2 == 0 else floor(x)
    rows = []
    for k, weight in enumerate(_weights(order, x - nearest)):
        place = nearest + (k - order // 2)
        if mode == "grid-constant":
            there = (place >= 0) & (place <= n - 1)
            rows.append((weight, where(there, place, 0).astype(int), there))
        else:
            rows.append((weight, folded(place, n, _TAP_MODES[mode]).astype(int), None))
    return rows, inside


def _weights(order, t):
    """The B-spline at the elements around a coordinate, which is ``t`` after the middle one."""
    if order == 0:
        return [None]
    if order == 1:
        return [1 - t, t]
    half = order // 2
    weights = []
    for k in range(order + 1):
        piece = abs(k - half) if order % 2 == 0 else max(half - k, k - half - 1)
        weights.append(_spline(order, _core.absolute(t - (k - half)), piece))
    return weights


def _spline(order, d, piece):
    """The B-spline at the distance ``d``, which lies in its piece of that number from the middle."""
    if order == 2:
        return 0.75 - d * d if piece == 0 else 0.5 * (1.5 - d) ** 2
    if order == 3:
        return (4 + d * d * (3 * d - 6)) / 6 if piece == 0 else (2 - d) ** 3 / 6
    if order == 4:
        if piece == 0:
            return 115 / 192 + d * d * (d * d * 0.25 - 0.625)
        if piece == 1:
            return 55 / 96 + d * (5 / 24 + d * (-1.25 + d * (5 / 6 - d / 6)))
        return (2.5 - d) ** 4 / 24
    if piece == 0:
        return 0.55 + d * d * (-0.5 + d * d * (0.25 - d / 12))
    if piece == 1:
        return 0.425 + d * (0.625 + d * (-1.75 + d * (1.25 + d * (-0.375 + d / 24))))
    return (3 - d) ** 5 / 120


# ---- along several ---------------------------------------------------------------------------------------------------


def _mode(mode):
    return _MODES.index("reflect" if mode == "grid-mirror" else mode)


def mapped(x, shape, diagonal, rows, margin, order, mode, cval, single):
    """``x`` at the points of a map, in float32 if ``single``; None where there is no kernel for it."""
    numbers = tuple(map(float, itertools.chain.from_iterable(rows)))
    try:
        return _core._spline_at_map(x, order, _mode(mode), float(cval), margin, tuple(shape), diagonal, numbers, single)
    except NotImplementedError:  # work is outstanding on the CPU
        return None


def separable(x, axes, coordinates, margin, order, mode, cval):
    """``x`` at one vector of coordinates along each axis: one axis after another."""
    whole = None
    for d, at in zip(axes, coordinates):
        rows, inside = taps(at + margin, x.shape[d], order, mode)
        column = [-1 if d == e else 1 for e in range(x.ndim)]
        total = None
        for weight, place, there in rows:
            term = _core.take(x, place, axis=d)
            if there is not None:
                term = where(there.reshape(column), term, cval)
            term = term if weight is None else term * weight.reshape(column)
            total = term if total is None else total + term
        x = total
        if inside is not None:
            inside = inside.reshape(column)
            whole = inside if whole is None else whole & inside
    return x if whole is None else where(whole, x, cval)


def scattered(x, batch, coordinates, margin, order, mode, cval):
    """``x``, in float64, at points: arrays of coordinates, all of one shape, for each axis behind ``batch`` others."""
    sides = x.shape[batch:]
    few = order > 1 or coordinates[0].size <= _FEW  # a fused expression gathers many single elements faster
    if _core.backend() == "cpu" and few and len(sides) <= MOST_AXES:
        return _core._spline_at(x, order, _mode(mode), float(cval), margin, tuple(coordinates))
    flat = x.astype("d", copy=False).reshape(x.shape[:batch] + (-1,))
    total, whole = None, None
    choices = []
    for at, n in zip(coordinates, sides):
        rows, inside = taps(at + margin, n, order, mode)
        choices.append(rows)
        if inside is not None:
            whole = inside if whole is None else whole & inside
    combinations = [(None, 0, None)]
    for rows, n in zip(choices, sides):
        combinations = [(_times(w, weight), place * n + index, _both(there, here))
                        for w, place, there in combinations for weight, index, here in rows]
    for weight, place, there in combinations:
        term = _core.take(flat, place, axis=batch)
        term = term if there is None else where(there, term, cval)
        term = term if weight is None else term * weight
        total = term if total is None else total + term
    return total if whole is None else where(whole, total, cval)


def _times(a, b):
    return b if a is None else a if b is None else a * b


def _both(a, b):
    return b if a is None else a if b is None else a & b


def deliver(result, output, dtype):
    """``result`` as the dtype has it: rounded to the nearest integer, unsigned ones no further than they reach."""
    if dtype.kind in "iu" and result.dtype.kind == "f":
        result = _core.trunc(result + _core.copysign(0.5, result))
        if dtype.kind == "u":
            result = _core.clip(result, 0, float(np.iinfo(dtype).max)) if dtype.itemsize < 8 else \
                _core.maximum(result, 0)
    return _support.deliver(result, output, dtype)
