# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.memory_hooks.line_profile.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
import tombac.cuda.memory_hook

class LineProfileHook(tombac.cuda.memory_hook.MemoryHook):
    def __init__(self, max_depth: builtins.int = 0) -> None: ...
    def alloc_preprocess(self, device_id: _typing.Any, mem_size: _typing.Any) -> _typing.Any: ...  # type: ignore[override]
    def malloc_preprocess(self, device_id: _typing.Any, size: _typing.Any, mem_size: _typing.Any) -> _typing.Any: ...  # type: ignore[override]
    name: builtins.str
    def print_report(self, file: _typing.Any = None) -> _typing.Any: ...
class MemoryFrame:
    acquired_bytes: _typing.Any
    children: _typing.Any
    parent: _typing.Any
    stackframe: _typing.Any
    used_bytes: _typing.Any
    def __init__(self, parent: _typing.Any, stackframe: _typing.Any) -> None: ...
    def humanized_bytes(self) -> _typing.Any: ...
class StackFrame:
    filename: _typing.Any
    lineno: _typing.Any
    name: _typing.Any
    __hash__: _typing.ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: _typing.Any) -> _typing.Any: ...
    def __init__(self, obj: _typing.Any) -> None: ...
__all__ = [
    "LineProfileHook", "MemoryFrame", "StackFrame"
]
