"""Cooperative groups in kernels: the block's and the grid's threads, their synchronisation, and copies by a group.

>>> from tombacx import jit
>>> @jit.rawkernel()
... def rotate(x, y):
...     block = jit.cg.this_thread_block()
...     shared = jit.shared_memory("float32", 64)
...     shared[block.thread_rank()] = x[block.thread_rank()]
...     jit.cg.sync(block)
...     y[block.thread_rank()] = shared[(block.thread_rank() + 1) % 64]
"""

import numpy as np

from tombacx.jit._builtins import Builtin, target
from tombacx.jit._types import BOOL, DIM3, INT64, UINT32, VOID, Group, Value, cast

__all__ = ["memcpy_async", "sync", "this_grid", "this_thread_block", "wait", "wait_prior"]

_UINT64 = np.dtype("uint64")
_RANK = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"
_COUNT = "(blockDim.x * blockDim.y * blockDim.z)"
_BLOCK_RANK = "(blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z))"
_BLOCKS = "((unsigned long long)gridDim.x * gridDim.y * gridDim.z)"

_METHODS = {
    "block": {
        "thread_rank": (_RANK, UINT32), "size": (_COUNT, UINT32), "num_threads": (_COUNT, UINT32),
        "thread_index": ("threadIdx", DIM3), "group_index": ("blockIdx", DIM3), "group_dim": ("blockDim", DIM3),
        "dim_threads": ("blockDim", DIM3), "sync": ("__syncthreads()", VOID),
    },
    "grid": {
        "thread_rank": (f"({_BLOCK_RANK} * {_COUNT} + {_RANK})", _UINT64), "size": (f"({_BLOCKS} * {_COUNT})", _UINT64),
        "num_threads": (f"({_BLOCKS} * {_COUNT})", _UINT64), "block_rank": (_BLOCK_RANK, _UINT64),
        "num_blocks": (_BLOCKS, _UINT64), "group_dim": ("gridDim", DIM3), "dim_blocks": ("gridDim", DIM3),
        "block_index": ("blockIdx", DIM3), "is_valid": ("cooperative_groups::this_grid().is_valid()", BOOL),
        "sync": ("cooperative_groups::this_grid().sync()", VOID),
    },
}


def method(fc, group, name, args, kwargs):
    """The value of group.name(); groups have CUDA's methods."""
    methods = _METHODS[group.type.scope]
    if name not in methods:
        raise AttributeError(f"{group.type} has no method '{name}' in kernels, only {', '.join(methods)}")
    if args or kwargs:
        raise TypeError(f"{name}() takes no arguments")
    code, type = methods[name]
    if "cooperative_groups" in code:
        fc.unit.need_grid()
    return Value(code, type)


def _group(name, group):
    if not isinstance(group, Value) or not isinstance(group.type, Group):
        raise TypeError(f"{name}: a group is expected: this_thread_block() or this_grid()")
    return group


@Builtin
def this_thread_block(fc):
    """this_thread_block(): the group of the block's threads."""
    return Value("", Group("block"))


@Builtin
def this_grid(fc):
    """this_grid(): the group of the grid's threads. A kernel that synchronises it is launched cooperatively."""
    return Value("", Group("grid"))


@Builtin
def sync(fc, group):
    """sync(group): waits until all threads of the group have come here."""
    return method(fc, _group("sync", group), "sync", (), {})


@Builtin
def memcpy_async(fc, group, dst, dst_idx, src, src_idx, size, *, aligned_size=None):
    """memcpy_async(group, dst, dst_idx, src, src_idx, size, *, aligned_size=None): the threads of the group copy `size`
    bytes from src[src_idx] on to dst[dst_idx] on. The copy is complete after wait(group)."""
    group = _group("memcpy_async", group)
    to, source = target(fc, "memcpy_async: dst", dst, dst_idx), target(fc, "memcpy_async: src", src, src_idx)
    fc.unit.need("group_copy")
    rank, count = (method(fc, group, m, (), {}) for m in ("thread_rank", "num_threads"))
    count = cast(fc.scalar(size, "memcpy_async: size"), INT64, fc.mode), rank.code, count.code
    return Value(f"jit_group_copy((char *)&{to.code}, (const char *)&{source.code}, {', '.join(count)})", VOID)


@Builtin
def wait(fc, group):
    """wait(group): waits until the copies of the group are complete."""
    return method(fc, _group("wait", group), "sync", (), {})


@Builtin
def wait_prior(fc, group, step=None):
    """wait_prior(group): waits until the copies of the group but the last ones are complete; here, all of them."""
    return method(fc, _group("wait_prior", group), "sync", (), {})
