# Made by tools/stubs.py of the signatures and docstrings of tombac.polynomial.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
from tombac.polynomial import chebyshev as chebyshev
from tombac.polynomial import hermite as hermite
from tombac.polynomial import hermite_e as hermite_e
from tombac.polynomial import laguerre as laguerre
from tombac.polynomial import legendre as legendre
from tombac.polynomial import polynomial as polynomial
from tombac.polynomial import polyutils as polyutils
from tombac.polynomial.chebyshev import Chebyshev as Chebyshev
from tombac.polynomial.hermite import Hermite as Hermite
from tombac.polynomial.hermite_e import HermiteE as HermiteE
from tombac.polynomial.laguerre import Laguerre as Laguerre
from tombac.polynomial.legendre import Legendre as Legendre
from tombac.polynomial.polynomial import Polynomial as Polynomial

def set_default_printstyle(style: _typing.Any) -> None: ...
__all__ = [
    "Chebyshev", "Hermite", "HermiteE", "Laguerre", "Legendre", "Polynomial", "chebyshev", "hermite", "hermite_e",
    "laguerre", "legendre", "polynomial", "polyutils", "set_default_printstyle"
]
