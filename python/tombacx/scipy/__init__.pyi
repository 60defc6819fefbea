# Made by tools/stubs.py of the signatures and docstrings of tombacx.scipy.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def get_array_module(*args: _typing.Any) -> _types.ModuleType: ...
__all__ = [
    "get_array_module"
]
