"""HermiteE series: coefficients of Hermite's polynomials He_k, the probabilists'."""

from tombac import _core
from tombac.polynomial import _family, _functions
from tombac.polynomial._base import ABCPolyBase

_made = _functions.functions(_family.HERMITE_E, "hermite_e", lambda x: _core.exp(-0.5 * x**2), "exp(-x^2 / 2)")
globals().update(_made)
__getattr__ = _functions.constants(_family.HERMITE_E, __name__)
__all__ = [*_functions.names(_family.HERMITE_E, _made), "HermiteE"]


class HermiteE(ABCPolyBase):
    """A series of HermiteE polynomials, with its arithmetic.

    Args:
        coef: Coefficients, the lowest degree first: a vector, a sequence or a number.
        domain: Two numbers, which are mapped to those of ``window`` before the polynomials are evaluated.
        window: Two numbers; both are [-1, 1] by default.
        symbol: The variable's name where the series is printed, an identifier.

    >>> p = tombac.polynomial.HermiteE([1, 2, 3])
    >>> p.degree(), (p - p).coef
    (2, array([0.]))
    >>> print(p)
    1.0 + 2.0·He₁(x) + 3.0·He₂(x)
    """

    _family, _functions = _family.HERMITE_E, _made
