# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.thrust.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def argsort(dtype: _npt.DTypeLike | None, idx_start: _typing.Any, data_start: _typing.Any, keys_start: _typing.Any, shape: _typing.Any) -> None: ...
available: builtins.bool
def get_build_version() -> builtins.int: ...
def lexsort(dtype: _npt.DTypeLike | None, idx_start: _typing.Any, keys_start: _typing.Any, k: _typing.Any, n: _typing.Any) -> None: ...
def sort(dtype: _npt.DTypeLike | None, data_start: _typing.Any, keys_start: _typing.Any, shape: _typing.Any) -> None: ...
__all__ = [
    "argsort", "available", "get_build_version", "lexsort", "sort"
]
