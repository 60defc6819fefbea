# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.graph.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
from tombac.cuda import Graph as Graph

__all__ = [
    "Graph"
]
