# Made by tools/stubs.py of the signatures and docstrings of tombac.typing.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import DTypeLike as DTypeLike
from numpy.typing import NBitBase as NBitBase

NDArray: _typing.Any
__all__ = [
    "ArrayLike", "DTypeLike", "NBitBase", "NDArray"
]
