# Made by tools/stubs.py of the signatures and docstrings of tombac.lib.array_utils.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def byte_bounds(a: _typing.Any) -> builtins.tuple[builtins.int, ...]: ...
def normalize_axis_index(axis: _typing.SupportsIndex | _typing.Sequence[_typing.SupportsIndex] | None, ndim: _typing.Any, msg_prefix: _typing.Any = None) -> builtins.int: ...
def normalize_axis_tuple(axis: _typing.SupportsIndex | _typing.Sequence[_typing.SupportsIndex] | None, ndim: _typing.Any, argname: _typing.Any = None, allow_duplicate: builtins.bool = False) -> builtins.tuple[builtins.int, ...]: ...
__all__ = [
    "byte_bounds", "normalize_axis_index", "normalize_axis_tuple"
]
