"""Chebyshev series: coefficients of Chebyshev's polynomials of the first kind, cos(k arccos(x))."""

import operator

from tombac import _core
from tombac._numpy import np
from tombac.polynomial import _family, _functions
from tombac.polynomial._base import ABCPolyBase
from tombac.polynomial.polyutils import mapdomain

_made = _functions.functions(_family.CHEBYSHEV, "chebyshev", lambda x: 1 / (_core.sqrt(1 + x) * _core.sqrt(1 - x)),
                             "1 / sqrt(1 - x^2)")
globals().update(_made)
__getattr__ = _functions.constants(_family.CHEBYSHEV, __name__)
__all__ = [*_functions.names(_family.CHEBYSHEV, _made), "Chebyshev", "chebinterpolate", "chebpts1", "chebpts2"]


def _count(name, npts, least):
    n = int(npts)
    if n != npts or n < least:
        raise ValueError(f"{name}: npts must be an integer from {least} on, it is {npts}")
    return n


def chebpts1(npts):
    """Chebyshev's points of the first kind: the zeros of the polynomial of degree ``npts``, in ascending order.

    Args:
        npts: How many, an int.

    Returns:
        An array of ``npts`` elements.

    Raises:
        ValueError: ``npts`` is not positive or has a fraction.

    >>> tombac.polynomial.chebyshev.chebpts1(2)
    array([-0.70710678,  0.70710678])
    """
    n = _count("chebpts1", npts, 1)
    return _core.sin(_core.arange(1 - n, n + 1, 2) * (0.5 * np.pi / n))


def chebpts2(npts):
    """Chebyshev's points of the second kind: where the polynomial of degree ``npts`` - 1 is 1 or -1, ascending.

    Args:
        npts: How many, an int.

    Returns:
        An array of ``npts`` elements.

    Raises:
        ValueError: ``npts`` is below 2 or has a fraction.

    >>> tombac.polynomial.chebyshev.chebpts2(3).round(9) + 0.0
    array([-1.,  0.,  1.])
    """
    return _core.cos(_core.linspace(-np.pi, 0, _count("chebpts2", npts, 2)))


def chebinterpolate(func, deg, args=()):
    """The series that has a function's values at Chebyshev's points of the first kind.

    Args:
        func: A function of an array of points, which gives an array of values.
        deg: The series' degree, an int.
        args: What the function is given besides.

    Returns:
        An array of ``deg`` + 1 coefficients along the first axis.

    Raises:
        TypeError: ``deg`` is no int.
        ValueError: It is negative.

    >>> tombac.polynomial.chebyshev.chebinterpolate(lambda x: x**2, 2).round(9) + 0.0
    array([0.5, 0. , 0.5])
    """
    deg = operator.index(deg)
    if deg < 0:
        raise ValueError(f"chebinterpolate: deg must not be negative, it is {deg}")
    x = chebpts1(deg + 1)
    c = _core.matmul(_made["chebvander"](x, deg).T, _core.asarray(func(x, *args)))
    c[0] /= deg + 1
    c[1:] /= 0.5 * (deg + 1)
    return c


class Chebyshev(ABCPolyBase):
    """A series of Chebyshev polynomials, with its arithmetic.

    Args:
        coef: Coefficients, the lowest degree first: a vector, a sequence or a number.
        domain: Two numbers, which are mapped to those of ``window`` before the polynomials are evaluated.
        window: Two numbers; both are [-1, 1] by default.
        symbol: The variable's name where the series is printed, an identifier.

    >>> p = tombac.polynomial.Chebyshev([1, 2, 3])
    >>> p.degree(), (p - p).coef
    (2, array([0.]))
    >>> print(p)
    1.0 + 2.0·T₁(x) + 3.0·T₂(x)
    """

    _family, _functions = _family.CHEBYSHEV, _made

    @classmethod
    def interpolate(cls, func, deg, domain=None, args=()):
        """The series of degree ``deg`` that has a function's values at Chebyshev's points, mapped to the domain.

        >>> Chebyshev.interpolate(lambda x: x**2, 2).coef.round(9) + 0.0
        array([0.5, 0. , 0.5])
        """
        domain = cls.domain if domain is None else domain
        ends = _core.asarray(domain)
        return cls(chebinterpolate(lambda x: func(mapdomain(x, cls.window, ends), *args), deg), domain)
