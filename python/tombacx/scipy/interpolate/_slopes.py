"""Cubic polynomials by the values and slopes at their ends, and slopes that follow points up and down.

Fritsch and Butland, A method for constructing local monotone piecewise cubic interpolants, 1984; at the ends the
three-point formula, kept from overshooting (Moler, Numerical Computing with MATLAB, 3.6).
"""

import tombac
from tombac._core import where
from tombac._numpy import np
from tombac._util import normalize_axis_index
from tombacx.scipy.interpolate._pieces import interval_of, points_of, values_of

__all__ = ["hermite_coefficients", "local_slopes", "monotone_at", "monotone_slopes", "prepared"]

_ALIKE = 1e-9  # of the greatest difference of chords


def prepared(name, x, y, axis, *more):
    """Points in ascending order, and values along the first axis, all of them finite."""
    x = tombac.asarray(x)
    if x.dtype.kind == "c":
        raise ValueError(f"{name}: x must be real, not {x.dtype}")
    x, shape = points_of(name, x)
    values = [values_of(v) for v in (y, *more)]
    if len(shape) != 1 or x.size < 2:
        raise ValueError(f"{name}: x must be a vector of at least 2 points, not of shape {shape}")
    if values[0].ndim == 0 or any(v.shape != values[0].shape for v in values):
        raise ValueError(f"{name}: values of the shapes {[v.shape for v in values]} do not fit each other")
    axis = normalize_axis_index(axis, values[0].ndim)
    if values[0].shape[axis] != x.size:
        raise ValueError(f"{name}: {x.size} points, and values of shape {values[0].shape} along the axis {axis}")
    known = x.get()
    if not np.isfinite(known).all() or (np.diff(known) <= 0).any():
        raise ValueError(f"{name}: x must be finite and ascend")
    if not all(tombac.isfinite(v).all() for v in values):
        raise ValueError(f"{name}: values must be finite")
    return x, [tombac.moveaxis(v, axis, 0) for v in values], axis


def _steps(x, y):
    widths = tombac.diff(x).reshape((-1,) + (1,) * (y.ndim - 1))
    return widths, tombac.diff(y, axis=0) / widths


def hermite_coefficients(x, y, slopes):
    """A PPoly's coefficients."""
    widths, chords = _steps(x, y)
    third = (slopes[:-1] + slopes[1:] - 2 * chords) / widths
    return tombac.stack([third / widths, (chords - slopes[:-1]) / widths - third, slopes[:-1] + 0 * third, y[:-1]])


def _end(h0, h1, m0, m1):
    slope = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1)
    over = (tombac.sign(m0) != tombac.sign(m1)) & (abs(slope) > 3 * abs(m0))
    return where(tombac.sign(slope) != tombac.sign(m0), 0.0, where(over, 3 * m0, slope))


def monotone_slopes(x, y):
    """The slopes at points whose values lie along the first axis."""
    h, m = _steps(x, y)
    if x.size == 2:
        return tombac.concatenate([m, m])
    flat = (tombac.sign(m[1:]) != tombac.sign(m[:-1])) | (m[1:] == 0) | (m[:-1] == 0)
    w1, w2 = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    harmonic = (w1 + w2) / (w1 / where(flat, 1.0, m[:-1]) + w2 / where(flat, 1.0, m[1:]))
    first, last = _end(h[0], h[1], m[0], m[1]), _end(h[-1], h[-2], m[-1], m[-2])
    return tombac.concatenate([first[None], where(flat, 0.0, harmonic), last[None]])


def local_slopes(x, y, swings):
    """Akima's slopes at points whose values lie along the first axis: means of the chords on both sides, each of which
    counts as much as those on the other side differ (A new method of interpolation, 1970).

    Args:
        swings: Whether chords that are level on one side count for no more than others that are alike (``makima``).
    """
    _, m = _steps(x, y)
    if x.size == 2:
        return tombac.concatenate([m, m])
    before, behind = 2 * m[0] - m[1], 2 * m[-1] - m[-2]  # as if on parabolas
    m = tombac.concatenate([(2 * before - m[0])[None], before[None], m, behind[None], (2 * behind - m[-1])[None]])
    apart = abs(tombac.diff(m, axis=0))
    if not swings:
        apart = apart + abs(m[1:] + m[:-1]) / 2
    left, right = apart[:-2], apart[2:]
    both = left + right
    known = both > _ALIKE * both.max(initial=0.0)
    whole = where(known, both, 1.0)
    mean = right / whole * m[1:-2] + left / whole * m[2:-1]
    return where(known, mean, (m[3:] + m[:-3]) / 2)


def monotone_at(x, y, points):
    """For each point the cubic polynomials through values of its own: ``y`` is (points of x, points, ...)."""
    slopes = monotone_slopes(x, y)
    interval, own = interval_of(x, points), tombac.arange(points.size)
    column = (-1,) + (1,) * (y.ndim - 2)
    start = x[interval]
    s, h = (points - start).reshape(column), (x[interval + 1] - start).reshape(column)
    y0, y1, d0, d1 = (a[at, own] for a in (y, slopes) for at in (interval, interval + 1))
    chord = (y1 - y0) / h
    third = (d0 + d1 - 2 * chord) / h
    return ((third / h * s + ((chord - d0) / h - third)) * s + d0) * s + y0
