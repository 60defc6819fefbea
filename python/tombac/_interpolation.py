"""Linear interpolation between points."""

from tombac import _core
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
    if period is not None:
        x, xp, fp = _periodic(x, xp, fp, period)
        left = right = None
    if fp._kind != "c":
        return _core._interp(x, xp, fp, left, right)
    result = _core.empty(x.shape, np.complex128)
    ends = [None if e is None else complex(e) for e in (left, right)]
    for part in ("real", "imag"):
        y = _core._interp(x, xp, getattr(fp, part), *(None if e is None else getattr(e, part) for e in ends))
        getattr(result, part)[...] = y if part == "real" or xp.size == 1 else _core.where(_core.isnan(x), 0.0, y)
    return result


def _periodic(x, xp, fp, period):
    """x and the points within one period, the points in order, with the neighbours of the first and the last one."""
    if xp.ndim != 1 or fp.shape != xp.shape or "c" in (x._kind, xp._kind):
        return x, xp, fp  # for which there is an error
    x, xp = x.astype(np.float64, copy=False), xp.astype(np.float64, copy=False)
    if period == 0:
        raise ValueError("interp: period must not be zero")
    period = abs(period)
    x, xp = x % period, xp % period
    order = _core._argsort(xp, 0)
    xp, fp = xp[order], fp[order]
    xp = _core.concatenate((xp[-1:] - period, xp, xp[:1] + period))
    return x, xp, _core.concatenate((fp[-1:], fp, fp[:1]))
