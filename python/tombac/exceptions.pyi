# Made by tools/stubs.py of the signatures and docstrings of tombac.exceptions.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
from numpy.exceptions import AxisError as AxisError
from numpy.exceptions import ComplexWarning as ComplexWarning
from numpy.exceptions import DTypePromotionError as DTypePromotionError
from numpy.exceptions import ModuleDeprecationWarning as ModuleDeprecationWarning
from numpy.exceptions import RankWarning as RankWarning
from numpy.exceptions import TooHardError as TooHardError
from numpy.exceptions import VisibleDeprecationWarning as VisibleDeprecationWarning
from tombac.cuda.compiler import CompileException as CompileException
from tombac.cuda.memory import OutOfMemoryError as OutOfMemoryError
from tombac.cuda.runtime import CUDARuntimeError as CUDARuntimeError

__all__ = [
    "AxisError", "CUDARuntimeError", "CompileException", "ComplexWarning", "DTypePromotionError",
    "ModuleDeprecationWarning", "OutOfMemoryError", "RankWarning", "TooHardError", "VisibleDeprecationWarning"
]
