"""Kernels written in Python.

>>> import tombac as tb
>>> from tombacx import jit
>>> @jit.rawkernel()
... def double(x, y):
...     i = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
...     if i < x.size:
...         y[i] = 2 * x[i]
>>> x = tb.arange(100.0)
>>> y = tb.empty_like(x)
>>> double[1, 128](x, y)

`rawkernel` describes the language; `kernel` makes kernels that find their grid and block themselves. Everything else
here is for use in kernels. The same source runs on GPU and CPU.
"""

from tombacx.jit import cg, cub, thrust
from tombacx.jit._builtins import (
    atomic_add, atomic_and, atomic_cas, atomic_dec, atomic_exch, atomic_inc, atomic_max, atomic_min, atomic_or,
    atomic_sub, atomic_xor, blockDim, blockIdx, grid, gridDim, gridsize, laneid, printf, shared_memory, shfl_down_sync,
    shfl_sync, shfl_up_sync, shfl_xor_sync, syncthreads, syncwarp, threadIdx, warpsize,
)
from tombacx.jit._builtins import range_ as range
from tombacx.jit._interface import kernel, rawkernel

__all__ = [
    "atomic_add", "atomic_and", "atomic_cas", "atomic_dec", "atomic_exch", "atomic_inc", "atomic_max", "atomic_min",
    "atomic_or", "atomic_sub", "atomic_xor", "blockDim", "blockIdx", "cg", "cub", "grid", "gridDim", "gridsize",
    "kernel", "laneid", "printf", "range", "rawkernel", "shared_memory", "shfl_down_sync", "shfl_sync", "shfl_up_sync",
    "shfl_xor_sync", "syncthreads", "syncwarp", "threadIdx", "thrust", "warpsize",
]
