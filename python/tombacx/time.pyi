# Made by tools/stubs.py of the signatures and docstrings of tombacx.time.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

def repeat(*args: _typing.Any, **kwargs: _typing.Any) -> _typing.Any: ...
__all__ = [
    "repeat"
]
