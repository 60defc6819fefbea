# Made by tools/stubs.py of the signatures and docstrings of tombacx.scipy.optimize.elementwise.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def bracket_minimum(f: _typing.Any, xm0: _typing.Any, *, xl0: _typing.Any = None, xr0: _typing.Any = None, xmin: _typing.Any = None, xmax: _typing.Any = None, factor: _typing.Any = None, args: _typing.Any = ..., maxiter: builtins.int = 1000) -> _typing.Any: ...
def bracket_root(f: _typing.Any, xl0: _typing.Any, xr0: _typing.Any = None, *, xmin: _typing.Any = None, xmax: _typing.Any = None, factor: _typing.Any = None, args: _typing.Any = ..., maxiter: builtins.int = 1000) -> _typing.Any: ...
def find_minimum(f: _typing.Any, init: _typing.Any, /, *, args: _typing.Any = ..., tolerances: _typing.Any = None, maxiter: builtins.int = 100, callback: _typing.Any = None) -> _typing.Any: ...
def find_root(f: _typing.Any, init: _typing.Any, /, *, args: _typing.Any = ..., tolerances: _typing.Any = None, maxiter: _typing.Any = None, callback: _typing.Any = None) -> _typing.Any: ...
__all__ = [
    "bracket_minimum", "bracket_root", "find_minimum", "find_root"
]
