"""Power series: coefficients of 1, x, x**2 and so on."""

from tombac.polynomial import _family, _functions
from tombac.polynomial._base import ABCPolyBase

_made = _functions.functions(_family.POWER, "polynomial")
globals().update(_made)
__getattr__ = _functions.constants(_family.POWER, __name__)
__all__ = [*_functions.names(_family.POWER, _made), "Polynomial"]


class Polynomial(ABCPolyBase):
    """A power series, with its arithmetic.

    Args:
        coef: Coefficients, the lowest degree first: a vector, a sequence or a number.
        domain: Two numbers, which are mapped to those of ``window`` before powers are taken.
        window: Two numbers; both are [-1, 1] by default.
        symbol: The variable's name where the series is printed, an identifier.

    >>> p = tombac.polynomial.Polynomial([1, 2, 3])
    >>> (p * p).coef, p(2.0)
    (array([ 1.,  4., 10., 12.,  9.]), array(17.))
    >>> print(p)
    1.0 + 2.0·x + 3.0·x²
    """

    _family, _functions = _family.POWER, _made
