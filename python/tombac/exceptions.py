"""Exceptions and warnings: NumPy's own classes, and those of devices."""

import numpy  # noqa: F401 whole before a module of its: see tombac._numpy.host_module
from numpy.exceptions import (
    AxisError,
    ComplexWarning,
    DTypePromotionError,
    ModuleDeprecationWarning,
    RankWarning,
    TooHardError,
    VisibleDeprecationWarning,
)

from tombac._core import CompileException, CUDARuntimeError, OutOfMemoryError

__all__ = [
    "AxisError", "CUDARuntimeError", "CompileException", "ComplexWarning", "DTypePromotionError",
    "ModuleDeprecationWarning", "OutOfMemoryError", "RankWarning", "TooHardError", "VisibleDeprecationWarning",
]
