# Made by tools/stubs.py of the signatures and docstrings of tombac.lib.stride_tricks.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
import tombac

def as_strided(x: _typing.Any, shape: _typing.Any = None, strides: _typing.Any = None, subok: builtins.bool | None = False, writeable: builtins.bool = True) -> _typing.Any: ...
def broadcast_arrays(*args: _typing.Any, subok: builtins.bool | None = True) -> builtins.tuple[tombac.ndarray, ...]: ...
def broadcast_to(array: _typing.Any, shape: _typing.Any, subok: builtins.bool | None = False) -> tombac.ndarray: ...
def sliding_window_view(x: _typing.Any, window_shape: _typing.Any, axis: _typing.SupportsIndex | _typing.Sequence[_typing.SupportsIndex] | None = None, *, subok: builtins.bool | None = False, writeable: builtins.bool = False) -> _typing.Any: ...
__all__ = [
    "as_strided", "broadcast_arrays", "broadcast_to", "sliding_window_view"
]
