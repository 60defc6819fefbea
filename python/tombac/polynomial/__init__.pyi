# Made by tools/stubs.py of the signatures and docstrings of tombac.polynomial.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
from tombac.polynomial import polynomial as polynomial
from tombac.polynomial import polyutils as polyutils

__all__ = [
    "polynomial", "polyutils"
]
