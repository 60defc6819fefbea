# Made by tools/stubs.py of the signatures and docstrings of tombac.lib.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
from tombac.lib import array_utils as array_utils
from tombac.lib import scimath as scimath
from tombac.lib import stride_tricks as stride_tricks

__all__ = [
    "array_utils", "scimath", "stride_tricks"
]
