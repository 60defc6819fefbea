# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.jitify.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def find_nvidia_header_directory(libname: _typing.Any) -> builtins.str: ...
def get_build_version() -> builtins.str: ...
def get_cuda_version() -> builtins.int: ...
def jitify(code: _typing.Any, opt: _typing.Any, cached_sources: _typing.Any = None) -> _typing.Any: ...
__all__ = [
    "find_nvidia_header_directory", "get_build_version", "get_cuda_version", "jitify"
]
