# Made by tools/stubs.py of the signatures and docstrings of tombacx.profiler.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def benchmark(func: _typing.Any, args: _typing.Any = ..., kwargs: _typing.Any = ..., n_repeat: builtins.int = 10000, *, name: _typing.Any = None, n_warmup: builtins.int = 10, max_duration: builtins.float = ..., devices: _typing.Any = None) -> _typing.Any: ...
def profile() -> _typing.Any: ...
class time_range:
    argb_color: _typing.Any
    color_id: _typing.Any
    message: _typing.Any
    sync: _typing.Any
    def __call__(self, func: _typing.Any) -> _typing.Any: ...
    def __enter__(self) -> _typing.Self: ...
    def __exit__(self, exc_type: _typing.Any, exc_value: _typing.Any, traceback: _typing.Any) -> _typing.Any: ...
    def __init__(self, message: _typing.Any = None, color_id: _typing.Any = None, argb_color: _typing.Any = None, sync: builtins.bool = False) -> None: ...
__all__ = [
    "benchmark", "profile", "time_range"
]
