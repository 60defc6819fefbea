"""Series of polynomials by coefficients, the lowest degree first: ``numpy.polynomial``'s modules and classes."""

from tombac._numpy import np
from tombac.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils
from tombac.polynomial.chebyshev import Chebyshev
from tombac.polynomial.hermite import Hermite
from tombac.polynomial.hermite_e import HermiteE
from tombac.polynomial.laguerre import Laguerre
from tombac.polynomial.legendre import Legendre
from tombac.polynomial.polynomial import Polynomial

__all__ = [
    "Chebyshev", "Hermite", "HermiteE", "Laguerre", "Legendre", "Polynomial", "chebyshev", "hermite", "hermite_e",
    "laguerre", "legendre", "polynomial", "polyutils", "set_default_printstyle",
]


def set_default_printstyle(style):
    """How series are printed, those of NumPy's classes too.

    Args:
        style: 'unicode' or 'ascii'.

    Returns:
        None.

    Raises:
        ValueError: ``style`` is neither.

    >>> import tombac as tb
    >>> tb.polynomial.set_default_printstyle("ascii")
    >>> print(tb.polynomial.Chebyshev([1, 2]))
    1.0 + 2.0 T_1(x)
    >>> tb.polynomial.set_default_printstyle("unicode")
    """
    np.polynomial.set_default_printstyle(style)
