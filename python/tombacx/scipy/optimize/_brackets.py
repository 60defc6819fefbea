"""Brackets of roots and of least values of many functions of one number: intervals that grow until they hold one."""

import tombac
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy.optimize._elements import CONVERGED, INVALID, NOT_FINITE, ORDER, Problems, broadcast

__all__ = ["bracket_minimum", "bracket_root"]


def _factor(name, factor):
    factor = tombac.asarray(2.0 if factor is None else factor)
    if factor.dtype.kind not in "biuf" or not bool((factor > 1).all()):
        raise ValueError(f"{name}: factor must be greater than 1")
    return factor


def _limits(xmin, xmax):
    return -np.inf if xmin is None else xmin, np.inf if xmax is None else xmax


def _most(name, maxiter):
    if np.ndim(maxiter) or maxiter != int(maxiter) or maxiter < 0:
        raise ValueError(f"{name}: maxiter must be a whole number that is not negative, not {maxiter!r}")
    return int(maxiter)


def bracket_root(f, xl0, xr0=None, *, xmin=None, xmax=None, factor=None, args=(), maxiter=1000):
    """Brackets of roots of a function of one number: one for each element.

    Args:
        f: A function of an array, and of ``args`` that are broadcast with it, that gives an array of its shape.
        xl0: The left ends to begin with: a number or a real array.
        xr0: The right ends to begin with; greater by 1, or by the 8th part of the way to ``xmax``, if None.
        xmin: What the left ends may not go below, a number or a real array; nothing if None.
        xmax: What the right ends may not go above.
        factor: By what the distance from the other first end grows, or that from a limit becomes less: more than 1,
            2 if None.
        args: Further arguments of ``f``: a tuple of numbers and arrays, which broadcast with the ends.
        maxiter: How many steps may be taken.

    Returns:
        An OptimizeResult of arrays: ``bracket`` and ``f_bracket``, tuples of two; ``success`` and ``status`` (0 where
        there is a bracket, -1 where both limits were reached without, -2 where there were not enough steps, -3 where a
        number is not finite, -5 where the first ends and the limits are not in order); ``nfev`` and ``nit``.

    Raises:
        ValueError: Points are not real, or ``factor`` is not greater than 1, for which it is looked at, or ``f`` gives
            another shape.

    ``f`` is called with whole arrays always, at both ends in turn, also where some problems are solved.

    >>> f = lambda x, c: x - c
    >>> tombacx.scipy.optimize.elementwise.bracket_root(f, 0.0, args=(tombac.array([0.5, 3.0]),)).bracket
    (array([0., 2.]), array([1., 4.]))
    """
    xl0, (xmin, xmax) = tombac.asarray(xl0), map(tombac.asarray, _limits(xmin, xmax))
    if xr0 is None:
        xr0 = tombac.minimum(xl0 + 1, xl0 + (xmax - xl0) / 8)
    factor = _factor("bracket_root", factor)
    (l, r, low, high, factor), values = broadcast("bracket_root", f, (xl0, xr0, xmin, xmax, factor), args)
    most, no = _most("bracket_root", maxiter), tombac.zeros(l.shape, "?")
    fl, fr = values(l), values(r)
    p = Problems(l.shape, l=l, fl=fl, r=r, fr=fr, l_last=r, fl_last=fr, r_last=l, fr_last=fl, at_left=no, at_right=no,
                 over_left=no, over_right=no, nfev=tombac.full(l.shape, 2, "i"))
    width, below, above = r - l, l - low, high - r
    p.power = tombac.ones(l.shape, l.dtype)
    p.end(ORDER, ~((low <= l) & (l < r) & (r <= high)))

    def check(p):
        at_left, at_right = ((tombac.sign(f) * tombac.sign(last) <= 0) for f, last in ((p.fl, p.fl_last),
                                                                                      (p.fr, p.fr_last)))
        nearer = abs(p.l - p.l_last) <= abs(p.r - p.r_last)
        p.change(at_left=at_left & (~at_right | nearer), at_right=at_right)
        p.end(CONVERGED, at_left | at_right)
        lost_left, lost_right = ~tombac.isfinite(p.l + p.fl), ~tombac.isfinite(p.r + p.fr)
        p.change(over_left=lost_left | (p.l <= low), over_right=lost_right | (p.r >= high))
        over = p.over_left & p.over_right
        p.end(NOT_FINITE, over & lost_left & lost_right)
        p.end(INVALID, over)

    def step(p):
        p.power = p.power * factor
        left = where(low == -np.inf, r - width * p.power, low + below / p.power)
        right = where(high == np.inf, l + width * p.power, high - above / p.power)
        left = where(p.over_left, p.l, left).astype(l.dtype)
        right = where(p.over_right, p.r, right).astype(l.dtype)
        fl, fr = values(left), values(right)
        p.change(l_last=where(p.over_left, p.l_last, p.l), fl_last=where(p.over_left, p.fl_last, p.fl), l=left, fl=fl,
                 r_last=where(p.over_right, p.r_last, p.r), fr_last=where(p.over_right, p.fr_last, p.fr), r=right,
                 fr=fr, nfev=(p.nfev + ~p.over_left + ~p.over_right).astype("i"))

    p.run(step, check, most)
    right_alone, left_alone = p.at_right & ~p.at_left & (p.nit > 0), p.at_left & (p.nit > 0)
    return p.result(
        p.nfev, bracket=(where(right_alone, p.r_last, p.l), where(left_alone, p.l_last, p.r)),
        f_bracket=(where(right_alone, p.fr_last, p.fl), where(left_alone, p.fl_last, p.fr)))


def bracket_minimum(f, xm0, *, xl0=None, xr0=None, xmin=None, xmax=None, factor=None, args=(), maxiter=1000):
    """Brackets of least values of a function of one number: one for each element.

    Args:
        f: A function of an array, and of ``args`` that are broadcast with it, that gives an array of its shape.
        xm0: The middle points to begin with: a number or a real array.
        xl0: The left ends to begin with; less by 0.5, or by the 16th part of the way to ``xmin``, if None.
        xr0: The right ends to begin with; greater likewise if None.
        xmin: What points may not go below, a number or a real array; nothing if None.
        xmax: What points may not go above.
        factor: By what the distance from the first end grows, or that from a limit becomes less: more than 1, 2 if
            None.
        args: Further arguments of ``f``: a tuple of numbers and arrays, which broadcast with the points.
        maxiter: How many steps may be taken.

    Returns:
        An OptimizeResult of arrays: ``bracket`` and ``f_bracket``, tuples of three; ``success`` and ``status`` (0 where
        there is a bracket, -1 where a limit was reached without, -2 where there were not enough steps, -3 where a
        number is not finite, -5 where the first points and the limits are not in order); ``nfev`` and ``nit``.

    Raises:
        ValueError: Points are not real, or ``factor`` is not greater than 1, for which it is looked at, or ``f`` gives
            another shape.

    >>> f = lambda x, c: (x - c) ** 2
    >>> tombacx.scipy.optimize.elementwise.bracket_minimum(f, 0.0, args=(tombac.array([0.25, 4.0]),)).bracket[2]
    array([0.5, 8.5])
    """
    xm0, (xmin, xmax) = tombac.asarray(xm0), map(tombac.asarray, _limits(xmin, xmax))
    xl0 = xm0 - tombac.minimum(0.5, (xm0 - xmin) / 16) if xl0 is None else xl0
    xr0 = xm0 + tombac.minimum(0.5, (xmax - xm0) / 16) if xr0 is None else xr0
    factor = _factor("bracket_minimum", factor)
    (l, m, r, low, high, factor), values = broadcast("bracket_minimum", f, (xl0, xm0, xr0, xmin, xmax, factor), args)
    most = _most("bracket_minimum", maxiter)
    fl, fm, fr = values(l), values(m), values(r)
    down = fl < fr  # to the left, where all is done with the ends exchanged
    p = Problems(l.shape, a=where(down, r, l), fa=where(down, fr, fl), m=m, fm=fm, b=where(down, l, r),
                 fb=where(down, fl, fr))
    limit, start, first = where(down, low, high), p.b, p.b - m
    p.power = tombac.ones(l.shape, l.dtype)
    p.end(ORDER, ~((low <= l) & (l < m) & (m < r) & (r <= high)))

    def check(p):
        held = (p.fa >= p.fm) & (p.fm <= p.fb) & ((p.fa > p.fm) | (p.fm < p.fb))
        p.end(CONVERGED, held)
        p.end(NOT_FINITE, ~tombac.isfinite(p.a + p.fa + p.m + p.fm + p.b + p.fb))
        p.end(INVALID, p.b == limit)

    def step(p):
        p.power = p.power * factor
        new = where(tombac.isinf(limit), start + first * p.power, limit - (limit - p.b) / factor).astype(l.dtype)
        p.change(a=p.m, fa=p.fm, m=p.b, fm=p.fb, b=new, fb=values(new))

    p.run(step, check, most)
    return p.result(3 + p.nit, bracket=(where(down, p.b, p.a), p.m, where(down, p.a, p.b)),
                    f_bracket=(where(down, p.fb, p.fa), p.fm, where(down, p.fa, p.fb)))
