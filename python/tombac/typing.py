"""Types for annotations, NumPy's own where they fit."""

from typing import Any, TypeAlias

from numpy.typing import ArrayLike, DTypeLike, NBitBase

from tombac._core import ndarray

NDArray: TypeAlias = ndarray | Any

__all__ = ["ArrayLike", "DTypeLike", "NBitBase", "NDArray"]
