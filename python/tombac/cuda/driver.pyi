# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.driver.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
from tombac.cuda.runtime import CUDARuntimeError as CUDADriverError

def ctxGetCurrent() -> _typing.Any: ...
def get_build_version() -> _typing.Any: ...
__all__ = [
    "CUDADriverError", "ctxGetCurrent", "get_build_version"
]
