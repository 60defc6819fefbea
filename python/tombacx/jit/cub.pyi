# Made by tools/stubs.py of the signatures and docstrings of tombacx.jit.cub.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

BlockReduce: _typing.Any
def Max() -> _typing.Any: ...
def Min() -> _typing.Any: ...
def Sum() -> _typing.Any: ...
WarpReduce: _typing.Any
__all__ = [
    "BlockReduce", "Max", "Min", "Sum", "WarpReduce"
]
