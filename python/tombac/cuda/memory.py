"""The memory pool.

libtombac has one pool for each device, which all arrays use; MemoryPool objects are views of it, with CuPy's methods.
"""

import contextlib
import operator

from tombac import _core
from tombac._core import CUDARuntimeError, Memory, MemoryPointer, OutOfMemoryError, UnownedMemory

__all__ = [
    "CUDARuntimeError", "Memory", "MemoryAsyncPool", "MemoryPointer", "MemoryPool", "OutOfMemoryError",
    "SingleDeviceMemoryPool", "UnownedMemory", "alloc", "get_allocator", "malloc_async", "malloc_managed",
    "set_allocator", "using_allocator",
]


class MemoryPool:
    """The pool of the current device. All objects of this class stand for the same memory.

    Figures are in bytes. Asking for them enqueues deferred work first, since results need memory.

    >>> pool = tombac.get_default_memory_pool()
    >>> pool.set_limit(size=1024**3)
    """

    def __init__(self, allocator=None):
        if allocator is not None:
            raise NotImplementedError(
                "MemoryPool: the pool takes its memory from the device; allocators cannot be set"
            )

    def _statistic(self, name):
        return _core.pool_statistics(None)[name]

    def malloc(self, size):
        """A MemoryPointer to ``size`` bytes."""
        return _core.alloc(size)

    def used_bytes(self):
        """Bytes in use by arrays and memory pointers."""
        return self._statistic("used_bytes")

    def free_bytes(self):
        """Bytes held and not in use."""
        return self._statistic("free_bytes")

    def total_bytes(self):
        """Bytes held from the device."""
        return self._statistic("total_bytes")

    def n_free_blocks(self):
        """Number of blocks held and not in use."""
        return self._statistic("n_free_blocks")

    def free_all_blocks(self, stream=None):
        """Gives what is not in use back to the device; ``stream`` is accepted and has no effect."""
        _core.pool_free_all(None)

    def free_all_free(self):
        """Another name of free_all_blocks."""
        self.free_all_blocks()

    def set_limit(self, size=None, fraction=None):
        """Limits what the pool may hold on the current device, in bytes or as a fraction of the device's memory.

        Zero takes the limit away.

        Raises:
            ValueError: Both or neither are given, or the value is out of range.
        """
        if (size is None) == (fraction is None):
            raise ValueError("set_limit: give either size or fraction")
        if size is None:
            if not 0 <= fraction <= 1:
                raise ValueError(f"set_limit: fraction must be between 0 and 1, it is {fraction}")
            size = int(fraction * _core.Device().mem_info[1])
        _core.pool_set_limit(None, operator.index(size))

    def get_limit(self):
        """The limit in bytes; 0 if there is none."""
        return self._statistic("limit")


SingleDeviceMemoryPool = MemoryPool


class MemoryAsyncPool(MemoryPool):
    """The pool of the current device, too: it hands out memory in stream order, as the driver's own does."""

    def __init__(self, pool_handles="current"):
        super().__init__()

default_pool = MemoryPool()
_default_malloc = default_pool.malloc
_current = _default_malloc


def alloc(size):
    """A MemoryPointer to ``size`` bytes of the current device's memory."""
    return _core.alloc(size)


def get_allocator():
    """The function that allocates device memory."""
    return _current


def set_allocator(allocator=None):
    """Chooses the allocator: a MemoryPool's malloc, or None for the default pool (which is the same).

    Raises:
        NotImplementedError: Any other allocator.
    """
    global _current
    owner = getattr(allocator, "__self__", None)
    if allocator is None or isinstance(owner, MemoryPool):
        _current = _default_malloc if allocator is None else allocator
        return
    raise NotImplementedError(
        "set_allocator: arrays take their memory from libtombac's own pool; only MemoryPool().malloc can be set"
    )


@contextlib.contextmanager
def using_allocator(allocator=None):
    """set_allocator for the time of a block."""
    before = _current
    set_allocator(allocator)
    try:
        yield
    finally:
        set_allocator(before)


def malloc_managed(size):
    """Not supported on a GPU: NotImplementedError. On the CPU backend all memory is managed, and alloc is the same."""
    if _core.backend() != "cpu":
        raise NotImplementedError("malloc_managed: unified memory is not supported; use alloc")
    return _core.alloc(size)


def malloc_async(size):
    """As alloc: the pool hands out memory in stream order itself, without the driver's asynchronous allocator."""
    return _core.alloc(size)
