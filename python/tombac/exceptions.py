"""Exceptions and warnings: NumPy's own classes, and those of devices."""

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
