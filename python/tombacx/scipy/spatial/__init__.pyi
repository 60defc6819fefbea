# Made by tools/stubs.py of the signatures and docstrings of tombacx.scipy.spatial.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
import tombac
from tombacx.scipy.spatial import distance as distance

def distance_matrix(x: _typing.Any, y: _typing.Any, p: builtins.float = 2.0) -> tombac.ndarray: ...
__all__ = [
    "distance", "distance_matrix"
]
