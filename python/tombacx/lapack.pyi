# Made by tools/stubs.py of the signatures and docstrings of tombacx.lapack.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
import tombac

def gels(a: _typing.Any, b: _typing.Any) -> tombac.ndarray: ...
def gesv(a: _typing.Any, b: _typing.Any) -> tombac.ndarray: ...
def posv(a: _typing.Any, b: _typing.Any) -> tombac.ndarray: ...
def potrs(L: _typing.Any, b: _typing.Any, lower: _typing.Any) -> tombac.ndarray: ...
__all__ = [
    "gels", "gesv", "posv", "potrs"
]
