"""Linear interpolation between points."""

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._util import as_device

__all__ = ["interp"]


def interp(x, xp, fp, left=None, right=None, period=None):
    """The piecewise linear function through the points ``(xp, fp)`` at ``x``.

    Args:
        x: A real array of any shape, or a number.
        xp: The points' first coordinates: a real vector in ascending order, which is not checked.
        fp: Their second coordinates: a vector of the same length, real or complex.
        left, right: The results before the first point and behind the last one; the value there by default.
        period: The period of ``x`` and ``xp``, which need not be in order then; ``left`` and ``right`` have no effect.

    Returns:
        An array of ``x``'s shape, of float64, or complex128 where ``fp`` is complex.

    Raises:
        ValueError: ``xp`` and ``fp`` are not vectors of one length, or have no elements, or ``period`` is zero.
        TypeError: ``x`` or ``xp`` is complex.

    >>> tombac.interp(tombac.array([0.5, 9.0]), tombac.array([0.0, 1.0]), tombac.array([2.0, 4.0]))
    array([3., 4.])
    """
    x, xp, fp = as_device("interp", x), as_device("interp", xp), as_device("interp", fp)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("interp: xp and fp must be one-dimensional")
    if xp.size != fp.size:
        raise ValueError(f"interp: xp has {xp.size} elements, fp has {fp.size}")
    if xp.size == 0:
        raise ValueError("interp: at least one point is needed")
    for name, a in (("x", x), ("xp", xp)):
        if a._kind == "c":
            raise TypeError(f"interp: {name} must be real, not {a.dtype}")
    x, xp = x.astype(np.float64, copy=False), xp.astype(np.float64, copy=False)
    fp = fp.astype(np.complex128 if fp._kind == "c" else np.float64, copy=False)
    if period is not None:
        x, xp, fp = _periodic(x, xp, fp, period)
        left = right = None
    at = _core._searchsorted(xp, x, True) - 1
    if fp._kind != "c":
        return _at_places(x, xp, fp, at, left, right, x)
    result = _core.empty(x.shape, np.complex128)
    for part, nowhere in (("real", x), ("imag", 0.0)):
        ends = (None if e is None else getattr(e if isinstance(e, _core.ndarray) else complex(e), part)
                for e in (left, right))
        getattr(result, part)[...] = _at_places(x, xp, getattr(fp, part), at, *ends, nowhere)
    return result


def _periodic(x, xp, fp, period):
    """x and the points within one period, the points in order, with the neighbours of the first and the last one."""
    if period == 0:
        raise ValueError("interp: period must not be zero")
    period = abs(period)
    x, xp = x % period, xp % period
    order = _core._argsort(xp, 0)
    xp, fp = xp[order], fp[order]
    xp = _core.concatenate((xp[-1:] - period, xp, xp[:1] + period))
    return x, xp, _core.concatenate((fp[-1:], fp, fp[:1]))


def _at_places(x, xp, fp, at, left, right, nowhere):
    """at: the number of the last point that is not behind x, or -1. nowhere: the result where x is NaN."""
    left, right = fp[0] if left is None else left, fp[-1] if right is None else right
    if xp.size == 1:
        return where(x < xp[0], left, where(x > xp[0], right, fp[0])).astype(np.float64, copy=False)
    at = _core.clip(at, 0, xp.size - 2)
    x0, x1, f0, f1 = xp[at], xp[at + 1], fp[at], fp[at + 1]
    slope = (f1 - f0) / (x1 - x0)
    result = slope * (x - x0) + f0
    # Between infinities, from the other end; where both say nothing, points of equal height do.
    result = where(_core.isnan(result), slope * (x - x1) + f1, result)
    result = where(_core.isnan(result) & (f0 == f1), f0, result)
    result = where(x == x1, f1, where(x == x0, f0, result))  # both where the last points are at one place
    result = where(x < xp[0], left, where(x > xp[-1], right, result))
    return where(_core.isnan(x), nowhere, result).astype(np.float64, copy=False)
