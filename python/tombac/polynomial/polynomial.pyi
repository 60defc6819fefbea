# Made by tools/stubs.py of the signatures and docstrings of tombac.polynomial.polynomial.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def polycompanion(c: _typing.Any) -> _typing.Any: ...
def polyval(x: _typing.Any, c: _typing.Any, tensor: builtins.bool = True) -> _typing.Any: ...
def polyvalfromroots(x: _typing.Any, r: _typing.Any, tensor: builtins.bool = True) -> _typing.Any: ...
def polyvander(x: _typing.Any, deg: _typing.Any) -> _typing.Any: ...
__all__ = [
    "polycompanion", "polyval", "polyvalfromroots", "polyvander"
]
