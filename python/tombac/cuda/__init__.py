"""Devices, streams, events and memory, under CuPy's names. On the CPU backend the same objects stand for the host."""

from tombac._core import (
    Device,
    Event,
    ExternalStream,
    Memory,
    MemoryPointer,
    Stream,
    UnownedMemory,
    get_current_stream,
    get_elapsed_time,
)
from tombac.cuda import compiler, device, memory, pinned_memory, runtime, stream
from tombac.cuda.device import get_device_id
from tombac.cuda.memory import (
    MemoryAsyncPool,
    MemoryPool,
    OutOfMemoryError,
    alloc,
    get_allocator,
    malloc_async,
    malloc_managed,
    set_allocator,
    using_allocator,
)
from tombac.cuda.pinned_memory import (
    PinnedMemory,
    PinnedMemoryPointer,
    PinnedMemoryPool,
    alloc_pinned_memory,
    set_pinned_memory_allocator,
)

__all__ = [
    "Device", "Event", "ExternalStream", "Memory", "MemoryAsyncPool", "MemoryPointer", "MemoryPool", "OutOfMemoryError",
    "PinnedMemory", "PinnedMemoryPointer", "PinnedMemoryPool", "Stream", "UnownedMemory", "alloc",
    "alloc_pinned_memory", "compiler", "device", "get_allocator", "get_current_stream", "get_device_id",
    "get_elapsed_time", "get_local_runtime_version", "is_available", "malloc_async", "malloc_managed", "memory",
    "pinned_memory", "runtime", "set_allocator", "set_pinned_memory_allocator", "stream", "using_allocator",
]


def is_available():
    """Whether there is a device to compute on; true on the CPU backend as well."""
    try:
        return runtime.getDeviceCount() > 0
    except Exception:
        return False


def get_local_runtime_version():
    """As runtime.runtimeGetVersion."""
    return runtime.runtimeGetVersion()
