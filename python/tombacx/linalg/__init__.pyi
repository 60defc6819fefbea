# Made by tools/stubs.py of the signatures and docstrings of tombacx.linalg.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
import tombac

def cho_solve(c_and_lower: _typing.Any, b: _typing.Any, overwrite_b: builtins.bool = False, check_finite: builtins.bool = True) -> tombac.ndarray: ...
def invh(a: _typing.Any) -> tombac.ndarray: ...
__all__ = [
    "cho_solve", "invh"
]
