# Made by tools/stubs.py of the signatures and docstrings of tombacx.linalg.sparse.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
import tombac

def lschol(A: _typing.Any, b: _typing.Any) -> tombac.ndarray: ...
__all__ = [
    "lschol"
]
