# Made by tools/stubs.py of the signatures and docstrings of tombacx.optimizing.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def optimize(*, key: _typing.Any = None, path: _typing.Any = None, readonly: builtins.bool = False, **config_dict: _typing.Any) -> _typing.Any: ...
__all__ = [
    "optimize"
]
