# Made by tools/stubs.py of the signatures and docstrings of tombacx.tools.install_library.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def calculate_destination(prefix: _typing.Any, cuda: _typing.Any, lib: _typing.Any, lib_ver: _typing.Any) -> builtins.str: ...
def install_lib(cuda: _typing.Any, prefix: _typing.Any, library: _typing.Any, arch: _typing.Any) -> _typing.Any: ...
library_records: _typing.Any
def main(args: _typing.Any) -> None: ...
__all__ = [
    "calculate_destination", "install_lib", "library_records", "main"
]
