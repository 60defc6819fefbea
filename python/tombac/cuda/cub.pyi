# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.cub.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
import tombac
import enum as _enum

CUB_sum_support_dtype: _typing.Any
CUB_sum_support_dtype_with_half: _typing.Any
CUB_sum_support_dtype_without_half: _typing.Any
CUB_support_dtype: _typing.Any
CUB_support_dtype_with_half: _typing.Any
CUB_support_dtype_without_half: _typing.Any
CUPY_CUB_ARGMAX: _typing.Any
CUPY_CUB_ARGMIN: _typing.Any
CUPY_CUB_CUMPROD: _typing.Any
CUPY_CUB_CUMSUM: _typing.Any
CUPY_CUB_MAX: _typing.Any
CUPY_CUB_MIN: _typing.Any
CUPY_CUB_PROD: _typing.Any
CUPY_CUB_SUM: _typing.Any
available: builtins.bool
def cub_histogram(x: _typing.Any, bins: _typing.Any, y: _typing.Any) -> tombac.ndarray: ...
def cub_reduction(arr: _typing.Any, op: _typing.Any, axis: _typing.SupportsIndex | _typing.Sequence[_typing.SupportsIndex] | None = None, dtype: _npt.DTypeLike | None = None, out: _typing.Any = None, keepdims: builtins.bool = False) -> _typing.Any: ...
def cub_scan(arr: _typing.Any, op: _typing.Any) -> tombac.ndarray: ...
class cupy_cub_op(_enum.IntEnum):
    CUPY_CUB_SUM = 0
    CUPY_CUB_MIN = 1
    CUPY_CUB_MAX = 2
    CUPY_CUB_ARGMIN = 3
    CUPY_CUB_ARGMAX = 4
    CUPY_CUB_CUMSUM = 5
    CUPY_CUB_CUMPROD = 6
    CUPY_CUB_PROD = 7
def device_histogram(x: _typing.Any, bins: _typing.Any, y: _typing.Any) -> tombac.ndarray: ...
def device_reduce(x: _typing.Any, op: _typing.Any, out_axis: _typing.Any = ..., out: _typing.Any = None, keepdims: builtins.bool = False) -> tombac.ndarray: ...
def device_scan(x: _typing.Any, op: _typing.Any) -> tombac.ndarray: ...
def device_segmented_reduce(x: _typing.Any, op: _typing.Any, reduce_axis: _typing.Any, out_axis: _typing.Any = ..., out: _typing.Any = None, keepdims: builtins.bool = False, contiguous_size: builtins.int = 0) -> tombac.ndarray: ...
def get_build_version() -> builtins.int: ...
__all__ = [
    "CUB_sum_support_dtype", "CUB_sum_support_dtype_with_half", "CUB_sum_support_dtype_without_half",
    "CUB_support_dtype", "CUB_support_dtype_with_half", "CUB_support_dtype_without_half", "CUPY_CUB_ARGMAX",
    "CUPY_CUB_ARGMIN", "CUPY_CUB_CUMPROD", "CUPY_CUB_CUMSUM", "CUPY_CUB_MAX", "CUPY_CUB_MIN", "CUPY_CUB_PROD",
    "CUPY_CUB_SUM", "available", "cub_histogram", "cub_reduction", "cub_scan", "cupy_cub_op", "device_histogram",
    "device_reduce", "device_scan", "device_segmented_reduce", "get_build_version"
]
