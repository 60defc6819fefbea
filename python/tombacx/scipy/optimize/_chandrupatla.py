"""Roots and least values of many functions of one number, by Chandrupatla's methods.

A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without using derivatives,
Advances in Engineering Software 28, 1997; An efficient quadratic fit-sectioning algorithm for minimization without
derivatives, Computer Methods in Applied Mechanics and Engineering 152, 1998. Both decide for each element alone between
interpolation and sectioning, by conditions that are arithmetic.
"""

import math

import tombac
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy.optimize._elements import CONVERGED, INVALID, NOT_FINITE, Problems, broadcast

__all__ = ["find_minimum", "find_root"]


def _tolerances(name, given, **known):
    unknown = set(given or {}) - set(known)
    if unknown:
        raise ValueError(f"{name}: no tolerance is called {sorted(unknown)[0]!r}")
    known.update({key: value for key, value in (given or {}).items() if value is not None})
    if any(not value >= 0 for value in known.values()):
        raise ValueError(f"{name}: tolerances must not be negative")
    return known


def _steps(name, maxiter, default):
    if maxiter is None:
        return default
    if maxiter != int(maxiter) or maxiter < 0:
        raise ValueError(f"{name}: maxiter must be a whole number that is not negative, not {maxiter!r}")
    return int(maxiter)


def find_root(f, init, /, *, args=(), tolerances=None, maxiter=None, callback=None):
    """Roots of a function of one number, within brackets: one for each element.

    Args:
        f: A function of an array, and of ``args`` that are broadcast with it, that gives an array of its shape.
        init: Two numbers or real arrays, the ends of the brackets, at which the signs differ.
        args: Further arguments of ``f``: a tuple of numbers and arrays, which broadcast with the ends.
        tolerances: A dict of ``xatol`` and ``xrtol``, how long a bracket may be at the end, and of ``fatol`` and
            ``frtol``, how great a value may be at a root. About as small as they can be if None.
        maxiter: How many steps may be taken; more than any bracket needs if None.
        callback: A function of the result so far, after each step; StopIteration ends the search.

    Returns:
        An OptimizeResult of arrays: ``x`` and ``f_x``; ``success`` and ``status`` (0 where the root was found, -1 where
        the signs do not differ, -2 where there were not enough steps, -3 where a number is not finite, -4 where the
        callback ended the search); ``nfev`` and ``nit``; ``bracket`` and ``f_bracket``, tuples.

    Raises:
        ValueError: A tolerance is not known or negative, or points are not real, or ``f`` gives another shape.

    ``f`` is called with whole arrays always, also where some problems are solved.

    >>> f = lambda x, c: tombac.exp(x) - c
    >>> tombacx.scipy.optimize.elementwise.find_root(f, (0.0, 9.0), args=(tombac.array([2.0, 3.0]),)).x
    array([0.69314718, 1.09861229])
    """
    a, b = init
    (x1, x2), values = broadcast("find_root", f, (a, b), args)
    info = np.finfo(x1.dtype)
    tol = _tolerances("find_root", tolerances, xatol=4 * float(info.tiny), xrtol=4 * float(info.eps),
                      fatol=float(info.tiny), frtol=0.0)
    most = _steps("find_root", maxiter, int(math.log2(float(info.max)) - info.minexp + info.nmant))
    f1, f2 = values(x1), values(x2)
    least = tombac.minimum(abs(f1), abs(f2))
    half = tombac.full(x1.shape, 0.5, x1.dtype)
    all_ = Problems(x1.shape, x1=x1, f1=f1, x2=x2, f2=f2, x3=x2, f3=f2, t=half, x=x1, fx=f1)

    def check(p):
        first = abs(p.f1) < abs(p.f2)
        p.change(x=where(first, p.x1, p.x2), fx=where(first, p.f1, p.f2))
        p.length = abs(p.x2 - p.x1)
        p.tolerance = abs(p.x) * tol["xrtol"] + tol["xatol"]
        good = (p.length < p.tolerance) | (abs(p.fx) <= tol["fatol"] + tol["frtol"] * least)
        known = tombac.isfinite(p.x1) & tombac.isfinite(p.x2) & tombac.isfinite(p.f1) & tombac.isfinite(p.f2)
        p.end(CONVERGED, good & ((p.fx == 0) | (tombac.sign(p.f1) != tombac.sign(p.f2))))
        p.end(INVALID, known & (tombac.sign(p.f1) == tombac.sign(p.f2)))
        p.end(NOT_FINITE, ~known)
        p.change(t=_part(p))

    def step(p):
        x = p.x1 + p.t * (p.x2 - p.x1)
        fx = values(x)
        same = tombac.sign(fx) == tombac.sign(p.f1)
        p.change(x3=where(same, p.x1, p.x2), f3=where(same, p.f1, p.f2), x2=where(same, p.x2, p.x1),
                 f2=where(same, p.f2, p.f1))
        p.change(x1=x, f1=fx)

    def result(p):
        found = p.status == CONVERGED
        left = p.x1 < p.x2
        lost = (p.status == INVALID) | (p.status == NOT_FINITE)
        return p.result(
            2 + p.nit, x=where(lost & ~found, np.nan, p.x), f_x=where(lost & ~found, np.nan, p.fx),
            bracket=(where(left, p.x1, p.x2), where(left, p.x2, p.x1)),
            f_bracket=(where(left, p.f1, p.f2), where(left, p.f2, p.f1)))

    all_.run(step, check, most, callback, result)
    return result(all_)


def _part(p):
    """Which part of the bracket the next point is at: by the inverse parabola where it is safe, else a half."""
    xi, phi = (p.x1 - p.x2) / (p.x3 - p.x2), (p.f1 - p.f2) / (p.f3 - p.f2)
    safe = (1 - tombac.sqrt(1 - xi) < phi) & (phi < tombac.sqrt(xi))
    alpha = (p.x3 - p.x1) / (p.x2 - p.x1)
    t = p.f1 / (p.f1 - p.f2) * (p.f3 / (p.f3 - p.f2)) - alpha * (p.f1 / (p.f3 - p.f1)) * (p.f2 / (p.f2 - p.f3))
    edge = 0.5 * p.tolerance / p.length
    return where(safe, tombac.clip(t, edge, 1 - edge), 0.5).astype(p.t.dtype)


_GOLDEN = (3 - math.sqrt(5)) / 2


def find_minimum(f, init, /, *, args=(), tolerances=None, maxiter=100, callback=None):
    """Points at which a function of one number is least, within brackets: one for each element.

    Args:
        f: A function of an array, and of ``args`` that are broadcast with it, that gives an array of its shape.
        init: Three numbers or real arrays: the ends of the brackets, and between them points at which the function is
            less than at one end and not greater than at the other.
        args: Further arguments of ``f``: a tuple of numbers and arrays, which broadcast with the points.
        tolerances: A dict of ``xatol`` and ``xrtol``, how long a bracket may be at the end, and of ``fatol`` and
            ``frtol``, how far its values may be apart. For the ``xrtol`` the root of the numbers' precision, for the
            others about 0 if None.
        maxiter: How many steps may be taken.
        callback: A function of the result so far, after each step; StopIteration ends the search.

    Returns:
        An OptimizeResult of arrays: ``x`` and ``f_x``; ``success`` and ``status`` (0 where the least value was found,
        -1 where the points are no bracket, -2 where there were not enough steps, -3 where a number is not finite, -4
        where the callback ended the search); ``nfev`` and ``nit``; ``bracket`` and ``f_bracket``, tuples of three.

    Raises:
        ValueError: A tolerance is not known or negative, or points are not real, or ``f`` gives another shape.

    ``f`` is called with whole arrays always, also where some problems are solved.

    >>> f = lambda x, c: (x - c) ** 2
    >>> tombacx.scipy.optimize.elementwise.find_minimum(f, (0.0, 1.0, 9.0), args=(tombac.array([2.0, 3.0]),)).x.round(6)
    array([2., 3.])
    """
    a, m, b = init
    (x1, x2, x3), values = broadcast("find_minimum", f, (a, m, b), args)
    info = np.finfo(x1.dtype)
    tiny = float(info.tiny)
    tol = _tolerances("find_minimum", tolerances, xatol=tiny, xrtol=math.sqrt(info.eps), fatol=tiny, frtol=tiny)
    most = _steps("find_minimum", maxiter, 100)
    f1, f2, f3 = values(x1), values(x2), values(x3)
    all_ = Problems(x1.shape, x1=x1, f1=f1, x2=x2, f2=f2, x3=x3, f3=f3, q=x3)

    def check(p):
        far = abs(p.x3 - p.x2) >= abs(p.x2 - p.x1)
        p.change(x1=where(far, p.x1, p.x3), x3=where(far, p.x3, p.x1), f1=where(far, p.f1, p.f3),
                 f3=where(far, p.f3, p.f1))
        p.tolerance = abs(p.x2) * tol["xrtol"] + tol["xatol"]
        small = (p.f1 - 2 * p.f2 + p.f3) / 2 <= abs(p.f2) * tol["frtol"] + tol["fatol"]
        known = tombac.isfinite(p.x1 + p.x2 + p.x3 + p.f1 + p.f2 + p.f3)
        within = (p.x1 <= p.x2) & (p.x2 <= p.x3) | (p.x1 >= p.x2) & (p.x2 >= p.x3)
        lowest = (p.f2 <= p.f1) & (p.f2 <= p.f3) & ((p.f2 < p.f1) | (p.f2 < p.f3) | (p.nit > 0))
        p.end(INVALID, known & ~(within & lowest))
        p.end(NOT_FINITE, ~known)
        p.end(CONVERGED, (abs(p.x3 - p.x2) / 2 <= p.tolerance) | small)

    def step(p):
        x21, x32 = p.x2 - p.x1, p.x3 - p.x2
        one, other = x21 * (p.f3 - p.f2), x32 * (p.f1 - p.f2)
        lowest = ((one / (one + other)) * (p.x1 - p.x3) + p.x2 + p.x3) / 2  # the parabola's
        steady = abs(lowest - p.q) < 0.5 * abs(x21)
        near = abs(lowest - p.x2) <= p.tolerance
        lowest_apart = where(near, p.x2 + tombac.sign(x32) * p.tolerance, lowest)
        x = where(steady, lowest_apart, p.x2 + _GOLDEN * x32).astype(p.x2.dtype)
        fx = values(x)
        beyond, lower = (x - p.x2) * x32 > 0, fx <= p.f2
        p.change(
            q=where(tombac.isfinite(lowest), lowest, p.q), x2=where(lower, x, p.x2), f2=where(lower, fx, p.f2),
            x1=where(beyond & lower, p.x2, where(beyond | lower, p.x1, x)),
            f1=where(beyond & lower, p.f2, where(beyond | lower, p.f1, fx)),
            x3=where(beyond == lower, p.x3, where(lower, p.x2, x)),
            f3=where(beyond == lower, p.f3, where(lower, p.f2, fx)))

    def result(p):
        lost = (p.status == INVALID) | (p.status == NOT_FINITE)
        up = p.x1 <= p.x3
        return p.result(
            3 + p.nit, x=where(lost, np.nan, p.x2), f_x=where(lost, np.nan, p.f2),
            bracket=(where(up, p.x1, p.x3), p.x2, where(up, p.x3, p.x1)),
            f_bracket=(where(up, p.f1, p.f3), p.f2, where(up, p.f3, p.f1)))

    all_.run(step, check, most, callback, result)
    return result(all_)
