"""Host memory for transfers, under CuPy's names.

Memory is ordinary host memory that the operating system may page; transfers from it are correct, and stage through the
driver's own buffers. So nothing is held back by a pool.
"""

__all__ = [
    "PinnedMemory", "PinnedMemoryPointer", "PinnedMemoryPool", "alloc_pinned_memory", "set_pinned_memory_allocator",
]


class PinnedMemory:
    """A block of host memory."""

    def __init__(self, size, flags=0):
        self.size = size
        self._memory = bytearray(size)

    @property
    def ptr(self):
        """The address."""
        import numpy as np

        return np.frombuffer(self._memory, np.uint8).ctypes.data if self.size else 0


class PinnedMemoryPointer:
    """A place in a block of host memory; it has the buffer protocol of its ``memory`` attribute."""

    def __init__(self, mem, offset):
        self.mem, self._offset = mem, offset

    @property
    def ptr(self):
        """The address."""
        return self.mem.ptr + self._offset

    @property
    def memory(self):
        """The bytes from here to the end of the block."""
        return memoryview(self.mem._memory)[self._offset :]

    def size(self):
        """How many bytes there are from here to the end of the block."""
        return self.mem.size - self._offset


class PinnedMemoryPool:
    """Host memory is not kept: all methods answer accordingly."""

    def malloc(self, size):
        """A PinnedMemoryPointer to ``size`` bytes."""
        return PinnedMemoryPointer(PinnedMemory(size), 0)

    def free_all_blocks(self):
        """There is nothing to free."""

    def n_free_blocks(self):
        """Zero."""
        return 0


default_pool = PinnedMemoryPool()


def alloc_pinned_memory(size):
    """A PinnedMemoryPointer to ``size`` bytes."""
    return default_pool.malloc(size)


def set_pinned_memory_allocator(allocator=None):
    """Only the default can be set; others raise NotImplementedError."""
    if allocator is not None and not isinstance(getattr(allocator, "__self__", None), PinnedMemoryPool):
        raise NotImplementedError("set_pinned_memory_allocator: only PinnedMemoryPool().malloc can be set")
