"""Page-locked host memory, which the device reads and writes while the host goes on, under CuPy's names.

On the CPU backend it is ordinary memory with the same interface.
"""

import operator
import threading
import weakref

from tombac import _core
from tombac._core import PinnedMemory, PinnedMemoryPointer

__all__ = [
    "PinnedMemory", "PinnedMemoryPointer", "PinnedMemoryPool", "PooledPinnedMemory", "alloc_pinned_memory",
    "is_memory_pinned", "set_pinned_memory_allocator",
]

_UNIT = 512


class PooledPinnedMemory(PinnedMemory):
    """A block of a PinnedMemoryPool, which goes back to it when it is not used any more, or on ``free``."""

    def __init__(self, mem, pool):
        self._mem, self._pool = mem, pool
        self.ptr, self.size = mem.ptr, mem.size

    def free(self):
        """Gives the block back to the pool, once. Pointers to it must not be used any more.

        Somebody may use them all the same, so that the memory itself stays as long as they do.
        """
        ptr, self.ptr, self.size = self.ptr, 0, 0
        if ptr:
            self._pool._give(self._mem)

    def __del__(self):
        self.free()


class PinnedMemoryPool:
    """Keeps pinned memory for reuse: locking pages takes the operating system long.

    Sizes are rounded up to 512 bytes, and a block is reused for requests of its own size. Work that was under way on
    any stream when the block was freed, and might use it, is over before it is handed out again.
    """

    def __init__(self, allocator=None):
        self._allocate = PinnedMemory if allocator is None else allocator
        self._free = {}
        self._used = weakref.WeakValueDictionary()  # by address
        self._lock = threading.RLock()  # freeing may interrupt itself: it happens in the garbage collector

    def malloc(self, size):
        """A PinnedMemoryPointer to ``size`` bytes."""
        size = operator.index(size)
        if size < 0:
            raise ValueError(f"PinnedMemoryPool.malloc: size must be 0 or more, it is {size}")
        if size == 0:
            return PinnedMemoryPointer(PinnedMemory(0), 0)
        rounded = max(_UNIT, -(-size // _UNIT) * _UNIT)
        with self._lock:
            blocks = self._free.get(rounded, [])
            ready = next((i for i, (_, events) in enumerate(blocks) if all(e.done for e in events)), None)
            mem = None if ready is None else blocks.pop(ready)[0]
        if mem is None:
            mem = self._new(rounded)
        block = PooledPinnedMemory(mem, self)
        self._used[block.ptr] = block
        return PinnedMemoryPointer(block, 0)

    def _new(self, size):
        try:
            return self._memory(size)
        except (_core.OutOfMemoryError, _core.CUDARuntimeError):
            self.free_all_blocks()
            return self._memory(size)

    def _memory(self, size):
        mem = self._allocate(size)
        return mem.mem if isinstance(mem, PinnedMemoryPointer) else mem

    def _give(self, mem):
        events = _core.outstanding_events()
        with self._lock:
            self._free.setdefault(mem.size, []).append((mem, events))

    def free(self, ptr, size):
        """Blocks go back by themselves; this is for programs that give them back themselves.

        Args:
            ptr: The PooledPinnedMemory, the pointer that ``malloc`` returned, or its address.
            size: Not used: the block knows.

        Raises:
            RuntimeError: It is no block of this pool that is in use.
        """
        address = operator.index(getattr(getattr(ptr, "mem", ptr), "ptr", ptr))
        block = self._used.pop(address, None)
        if not address or block is None or block.ptr != address:
            raise RuntimeError(f"PinnedMemoryPool.free: there is no block of this pool in use at {address:#x}")
        block.free()

    def free_all_blocks(self):
        """Gives the memory that is not in use back to the operating system."""
        with self._lock:
            blocks, self._free = self._free, {}
        for row in blocks.values():
            for _, events in row:
                for event in events:
                    event.synchronize()

    def n_free_blocks(self):
        """Number of blocks held and not in use."""
        with self._lock:
            return sum(map(len, self._free.values()))


default_pool = PinnedMemoryPool()
_current = default_pool.malloc


def alloc_pinned_memory(size):
    """A PinnedMemoryPointer to ``size`` bytes, from the current allocator. It has the buffer protocol.

    >>> a = numpy.frombuffer(tombac.cuda.alloc_pinned_memory(80), numpy.float64, 10)
    """
    return _current(size)


def set_pinned_memory_allocator(allocator=None):
    """Chooses the function behind alloc_pinned_memory: it takes a size and returns a PinnedMemoryPointer.

    None: memory is asked of the driver each time, without a pool.
    """
    global _current
    _current = _unpooled if allocator is None else allocator


def _unpooled(size):
    return PinnedMemoryPointer(PinnedMemory(size), 0)


def is_memory_pinned(ptr):
    """Whether the memory at a host address is page-locked."""
    from tombac.cuda import runtime

    return runtime.pointerGetAttributes(ptr).type == runtime.memoryTypeHost
