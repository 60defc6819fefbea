# Made by tools/stubs.py of the signatures and docstrings of tombacx.tools.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

__all__ = [
]
