"""Integrals of functions of numbers, by SciPy's QUADPACK on the host, which waits for one value after the other.
Functions of which a value is an array are for :func:`quad_vec`."""

from tombac import _core
from tombacx.scipy._host import OfSciPy

__all__ = ["dblquad", "nquad", "quad", "tplquad"]

HostValues, _on_host = _core.HostValues, _core._on_host
_integrated, _is_integrand = _core._integrated, _core._is_integrand
_of_scipy, _scipy = OfSciPy("scipy.integrate"), OfSciPy("scipy")


def _number(f):
    """A function whose values are numbers of the host; a number as it is."""
    return HostValues(f) if callable(f) else _on_host(f)


def _ends(low, high):
    """Limits as a function of the numbers further out, the nearest first: numbers, or functions of these in their own
    order, of which `low` and `high` take all."""
    if not (callable(low) or callable(high)):
        low, high = _on_host((low, high))
    return lambda *outer: (low(*outer) if callable(low) else low, high(*outer) if callable(high) else high)


def _nested(func, ranges, args, **options):
    """The integral of integrals, the last range's outermost, and the greatest of their errors. Ranges are functions of
    the numbers further out and of args."""
    worst = 0.0

    def integral(depth, outer):
        nonlocal worst
        inner = (lambda *numbers: integral(depth - 1, numbers)) if depth else func
        found = quad(inner, *ranges[depth](*outer), outer, **options)
        worst = max(worst, found[1])
        return found[0]

    return integral(len(ranges) - 1, tuple(args)), worst


def quad(func, a, b, args=(), full_output=0, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, points=None, weight=None,
         wvar=None, wopts=None, maxp1=50, limlst=50, complex_func=False):
    """The integral of a function of a number between two limits.

    Args:
        func: A function of a float that gives a number, of the device or the host.
        a, b: The limits: numbers, which may be infinite.
        args: Further arguments of ``func``: a tuple.
        full_output: Whether the third result is wanted, and nobody is warned.
        epsabs: How great the error may be.
        epsrel: How great it may be by the size of the integral.
        limit: How many intervals there may be.
        points: Numbers at which the function has a peak or a step: a sequence.
        weight: By what the function is multiplied: 'cos', 'sin', 'alg', 'alg-loga', 'alg-logb', 'alg-log' or 'cauchy'.
        wvar: The parameters of that.
        wopts: What an earlier call with a weight has left.
        maxp1: How many moments there may be.
        limlst: How many cycles there may be.
        complex_func: Whether the function's values are complex.

    Returns:
        A tuple of two floats, the integral and how great its error may be; with ``full_output`` and more of SciPy's.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: An argument is out of range.

    >>> round(tombacx.scipy.integrate.quad(lambda x: tombac.exp(-x * x), 0, tombac.inf)[0], 6)
    0.886227
    """
    a, b, points, wvar = _on_host((a, b, points, wvar))
    if complex_func or not _is_integrand(func, args):
        return _of_scipy.quad(func, a, b, args, full_output, epsabs, epsrel, limit, points, weight, wvar, wopts, maxp1,
                              limlst, complex_func)
    return _integrated(_of_scipy.quad, _scipy.LowLevelCallable, func, args, a, b, (), full_output, epsabs, epsrel,
                       limit, points, weight, wvar, wopts, maxp1, limlst)


def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """The integral of a function of two numbers, y and x.

    Args:
        func: A function of y and x, floats, that gives a number, of the device or the host.
        a, b: The limits of x.
        gfun, hfun: Those of y: numbers, or functions of x.
        args: Further arguments of ``func``: a tuple.
        epsabs: How great the error of an inner integral may be.
        epsrel: How great it may be by its size.

    Returns:
        A tuple of two floats: the integral, and how great its error may be.

    Raises:
        ImportError: SciPy is not installed.

    >>> round(tombacx.scipy.integrate.dblquad(lambda y, x: x * y, 0, 1, 0, lambda x: x)[0], 6)
    0.125
    """
    def of_x(f):
        return (lambda x, *more: f(x)) if callable(f) else f

    return _nested(func, [_ends(of_x(gfun), of_x(hfun)), _ends(a, b)], args, epsabs=epsabs, epsrel=epsrel)


def tplquad(func, a, b, gfun, hfun, qfun, rfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """The integral of a function of three numbers, z, y and x.

    Args:
        func: A function of z, y and x, floats, that gives a number, of the device or the host.
        a, b: The limits of x.
        gfun, hfun: Those of y: numbers, or functions of x.
        qfun, rfun: Those of z: numbers, or functions of x and y.
        args: Further arguments of ``func``: a tuple.
        epsabs: How great the error of an inner integral may be.
        epsrel: How great it may be by its size.

    Returns:
        A tuple of two floats: the integral, and how great its error may be.

    Raises:
        ImportError: SciPy is not installed.

    >>> round(tombacx.scipy.integrate.tplquad(lambda z, y, x: x * y * z, 0, 1, 0, 1, 0, 1)[0], 6)
    0.125
    """
    def of_x(f):
        return (lambda x, *more: f(x)) if callable(f) else f

    def of_both(f):
        return (lambda y, x, *more: f(x, y)) if callable(f) else f

    ranges = [_ends(of_both(qfun), of_both(rfun)), _ends(of_x(gfun), of_x(hfun)), _ends(a, b)]
    return _nested(func, ranges, args, epsabs=epsabs, epsrel=epsrel)


def nquad(func, ranges, args=None, opts=None, full_output=False):
    """The integral of a function of any number of numbers.

    Args:
        func: A function of floats that gives a number, of the device or the host.
        ranges: The limits of each, the first one's innermost: pairs of numbers, or functions of those further out and
            of ``args`` that give such.
        args: Further arguments of ``func``: a tuple.
        opts: Options of :func:`quad`: a dict, or one, or a function that gives one, for each.
        full_output: Whether the third result is wanted.

    Returns:
        A tuple of two floats, the integral and how great its error may be; with ``full_output`` also a dict.

    Raises:
        ImportError: SciPy is not installed.

    >>> round(tombacx.scipy.integrate.nquad(lambda x, y: x * y, [(0, 1), (0, 2)])[0], 6)
    1.0
    """
    if opts is None and not full_output and len(ranges):
        return _nested(func, [r if callable(r) else _ends(*r) for r in ranges], () if args is None else args)
    return _of_scipy.nquad(func, [_number(r) for r in ranges], args, opts, full_output)
