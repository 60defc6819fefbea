# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.memory_hooks.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
from tombac.cuda.memory_hooks import debug_print as debug_print
from tombac.cuda.memory_hooks import line_profile as line_profile
from tombac.cuda.memory_hooks.debug_print import DebugPrintHook as DebugPrintHook
from tombac.cuda.memory_hooks.line_profile import LineProfileHook as LineProfileHook

__all__ = [
    "DebugPrintHook", "LineProfileHook", "debug_print", "line_profile"
]
