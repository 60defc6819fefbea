# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.function.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
from tombac.cuda import Function as Function
from tombac.cuda import Module as Module

class CIntptr:
    __ctype_be__: _typing.Any
    __ctype_le__: _typing.Any
    @property
    def ptr(self) -> _typing.Any: ...
class CNumpyArray:
    def __new__(cls, a: _typing.Any) -> _typing.Self: ...
    @property
    def ptr(self) -> _typing.Any: ...
class CPointer:
    @property
    def ptr(self) -> _typing.Any: ...
class CUIntMax:
    __ctype_be__: _typing.Any
    __ctype_le__: _typing.Any
    @property
    def ptr(self) -> _typing.Any: ...
class LinkState:
    def __del__(self) -> _typing.Any: ...
    def __init__(self) -> None: ...
    def add_ptr_data(self, data: _typing.Any, name: _typing.Any) -> _typing.Any: ...
    def add_ptr_file(self, path: _typing.Any) -> _typing.Any: ...
    def complete(self) -> _typing.Any: ...
    ptr: builtins.int
__all__ = [
    "CIntptr", "CNumpyArray", "CPointer", "CUIntMax", "Function", "LinkState", "Module"
]
