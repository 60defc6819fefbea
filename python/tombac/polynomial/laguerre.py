"""Laguerre series: coefficients of Laguerre's polynomials."""

from tombac import _core
from tombac.polynomial import _family, _functions
from tombac.polynomial._base import ABCPolyBase

_made = _functions.functions(_family.LAGUERRE, "laguerre", lambda x: _core.exp(-x), "exp(-x)")
globals().update(_made)
__getattr__ = _functions.constants(_family.LAGUERRE, __name__)
__all__ = [*_functions.names(_family.LAGUERRE, _made), "Laguerre"]


class Laguerre(ABCPolyBase):
    """A series of Laguerre polynomials, with its arithmetic.

    Args:
        coef: Coefficients, the lowest degree first: a vector, a sequence or a number.
        domain: Two numbers, which are mapped to those of ``window`` before the polynomials are evaluated.
        window: Two numbers; both are [0, 1] by default.
        symbol: The variable's name where the series is printed, an identifier.

    >>> p = tombac.polynomial.Laguerre([1, 2, 3])
    >>> p.degree(), (p - p).coef
    (2, array([0.]))
    >>> print(p)
    1.0 + 2.0·L₁(x) + 3.0·L₂(x)
    """

    _family, _functions = _family.LAGUERRE, _made
