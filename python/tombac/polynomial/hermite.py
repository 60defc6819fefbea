"""Hermite series: coefficients of Hermite's polynomials H_k, the physicists'."""

from tombac import _core
from tombac.polynomial import _family, _functions
from tombac.polynomial._base import ABCPolyBase

_made = _functions.functions(_family.HERMITE, "hermite", lambda x: _core.exp(-(x**2)), "exp(-x^2)")
globals().update(_made)
__getattr__ = _functions.constants(_family.HERMITE, __name__)
__all__ = [*_functions.names(_family.HERMITE, _made), "Hermite"]


class Hermite(ABCPolyBase):
    """A series of Hermite polynomials, with its arithmetic.

    Args:
        coef: Coefficients, the lowest degree first: a vector, a sequence or a number.
        domain: Two numbers, which are mapped to those of ``window`` before the polynomials are evaluated.
        window: Two numbers; both are [-1, 1] by default.
        symbol: The variable's name where the series is printed, an identifier.

    >>> p = tombac.polynomial.Hermite([1, 2, 3])
    >>> p.degree(), (p - p).coef
    (2, array([0.]))
    >>> print(p)
    1.0 + 2.0·H₁(x) + 3.0·H₂(x)
    """

    _family, _functions = _family.HERMITE, _made
