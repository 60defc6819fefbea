# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.profiler.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def start() -> _typing.Any: ...
def stop() -> _typing.Any: ...
__all__ = [
    "start", "stop"
]
