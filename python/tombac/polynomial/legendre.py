"""Legendre series: coefficients of Legendre's polynomials."""

from tombac.polynomial import _family, _functions
from tombac.polynomial._base import ABCPolyBase

_made = _functions.functions(_family.LEGENDRE, "legendre", lambda x: x * 0.0 + 1.0, "1")
globals().update(_made)
__getattr__ = _functions.constants(_family.LEGENDRE, __name__)
__all__ = [*_functions.names(_family.LEGENDRE, _made), "Legendre"]


class Legendre(ABCPolyBase):
    """A series of Legendre polynomials, with its arithmetic.

    Args:
        coef: Coefficients, the lowest degree first: a vector, a sequence or a number.
        domain: Two numbers, which are mapped to those of ``window`` before the polynomials are evaluated.
        window: Two numbers; both are [-1, 1] by default.
        symbol: The variable's name where the series is printed, an identifier.

    >>> p = tombac.polynomial.Legendre([1, 2, 3])
    >>> p.degree(), (p - p).coef
    (2, array([0.]))
    >>> print(p)
    1.0 + 2.0·P₁(x) + 3.0·P₂(x)
    """

    _family, _functions = _family.LEGENDRE, _made
