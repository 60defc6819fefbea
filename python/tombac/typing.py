"""Types for annotations, NumPy's own where they fit."""

from typing import Any, TypeAlias

import numpy  # noqa: F401 whole before a module of its: see tombac._numpy.host_module
from numpy.typing import ArrayLike, DTypeLike, NBitBase

from tombac._core import ndarray

NDArray: TypeAlias = ndarray | Any

__all__ = ["ArrayLike", "DTypeLike", "NBitBase", "NDArray"]
