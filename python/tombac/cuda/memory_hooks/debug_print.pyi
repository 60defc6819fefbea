# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.memory_hooks.debug_print.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
import tombac.cuda.memory_hook

class DebugPrintHook(tombac.cuda.memory_hook.MemoryHook):
    file: _typing.Any
    flush: _typing.Any
    def __init__(self, file: _typing.Any = None, flush: builtins.bool = True) -> None: ...
    def alloc_postprocess(self, **kwargs: _typing.Any) -> _typing.Any: ...
    def free_postprocess(self, **kwargs: _typing.Any) -> _typing.Any: ...
    def malloc_postprocess(self, **kwargs: _typing.Any) -> _typing.Any: ...
    name: builtins.str
__all__ = [
    "DebugPrintHook"
]
