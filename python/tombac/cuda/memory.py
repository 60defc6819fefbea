"""Device memory: pools, allocators, and what they hand out.

A pool has a part for each device and, in that, an arena for each stream: memory that was freed on a stream is handed
out on it again at once, since its work runs in order. An array's memory comes from the allocator that is current when
the array is made.
"""

import contextlib
import operator
import threading
import weakref

from tombac import _core
from tombac._core import (
    BaseMemory,
    CUDARuntimeError,
    ManagedMemory,
    Memory,
    MemoryAsync,
    MemoryPointer,
    OutOfMemoryError,
    PooledMemory,
    SystemMemory,
    UnownedMemory,
)

__all__ = [
    "BaseMemory", "CFunctionAllocator", "CFunctionAllocatorMemory", "CUDARuntimeError", "ManagedMemory", "Memory",
    "MemoryAsync", "MemoryAsyncPool", "MemoryPointer", "MemoryPool", "OutOfMemoryError", "PooledMemory",
    "PythonFunctionAllocator", "PythonFunctionAllocatorMemory", "SingleDeviceMemoryPool", "SystemMemory",
    "UnownedMemory", "alloc", "get_allocator", "malloc_async", "malloc_managed", "malloc_system", "set_allocator",
    "using_allocator",
]


class _Pool(_core.Pool):
    """What pools have in common; ``_allocator`` is the library's pool, None the default one."""

    def malloc(self, size):
        """A MemoryPointer to ``size`` bytes."""
        return _core.alloc_from(self._allocator, size)

    def free_all_blocks(self, stream=None):
        """Gives back what is not in use: memory that was last used on ``stream``, or all."""
        _core.pool_free_all(self._allocator, None, stream)


class MemoryPool(_Pool):
    """A pool of device memory. Methods are about the current device; figures are in bytes.

    Asking for figures enqueues deferred work first, since results need memory.

    Args:
        allocator: Where the pool gets its memory: a function such as ``malloc_managed``, which takes a size and returns
            a MemoryPointer. None: the device.

    >>> pool = tombac.cuda.MemoryPool()
    >>> with tombac.cuda.using_allocator(pool.malloc):
    ...     a = tombac.zeros(1000)
    >>> pool.used_bytes()
    8192
    """

    def __init__(self, allocator=None):
        source = None if allocator is None or allocator is _malloc_device else _allocator_of(allocator)
        self._allocator = _core.allocator_pool(source)
        _pools[operator.index(self._allocator)] = self

    def free_all_free(self):
        """Another name of free_all_blocks."""
        self.free_all_blocks()

    def set_limit(self, size=None, fraction=None):
        """Limits what the pool may hold on the current device, in bytes or as a fraction of the device's memory.

        Zero takes the limit away. The default pool starts with the limit in TOMBAC_GPU_MEMORY_LIMIT: bytes, or a part
        of the device's memory such as "50%".

        Raises:
            ValueError: Both or neither are given, or the value is out of range.
        """
        if (size is None) == (fraction is None):
            raise ValueError("set_limit: give either size or fraction")
        if size is None:
            if not 0 <= fraction <= 1:
                raise ValueError(f"set_limit: fraction must be between 0 and 1, it is {fraction}")
            size = int(fraction * _core.Device().mem_info[1])
        _core.pool_set_limit(self._allocator, None, operator.index(size))


SingleDeviceMemoryPool = MemoryPool

default_pool = MemoryPool.__new__(MemoryPool)

# Pools by the address of the library's, which is 0 for the default one.
_pools = weakref.WeakValueDictionary({0: default_pool})


def _pool_of(address):
    """A weak reference to the pool, which is dead if there is none."""
    return weakref.ref(_pools.get(address) or set())


# Attributes of the driver's pools, by its numbers.
_RESERVED_NOW, _USED_NOW = 5, 7


class MemoryAsyncPool(_Pool):
    """The driver's own stream-ordered pool.

    Args:
        pool_handles: "current" or "default" pool of each device, "create" for a new one on each, an address of a
            cudaMemPool_t, or a sequence of these with one for each device.
    """

    memoryAsyncHasStat = True

    def __init__(self, pool_handles="current"):
        n = _core.device_count()
        current = pool_handles == "current"
        if isinstance(pool_handles, (str, int)):
            pool_handles = [pool_handles] * n
        if len(pool_handles) != n:
            raise ValueError(f"MemoryAsyncPool: there are {n} devices, and {len(pool_handles)} pool handles")
        self._handles = [self._handle(h, device) for device, h in enumerate(pool_handles)]
        self._allocator = _core.allocator_direct("async", [] if current else self._handles)

    @staticmethod
    def _handle(handle, device):
        from tombac.cuda import runtime

        with _core.Device(device):
            if handle == "current":
                return runtime.deviceGetMemPool(device)
            if handle == "default":
                return runtime.deviceGetDefaultMemPool(device)
            if handle == "create":
                return runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, device))
        if isinstance(handle, str):
            raise ValueError(f"MemoryAsyncPool: pool_handles must be 'current', 'default' or 'create', not '{handle}'")
        return operator.index(handle)

    def _attribute(self, number):
        from tombac.cuda import runtime

        default_pool.used_bytes()  # enqueues what is pending
        return runtime.memPoolGetAttribute(self._handles[_core.Device().id], number)

    def used_bytes(self):
        """Bytes in use by arrays and memory pointers."""
        return self._attribute(_USED_NOW)

    def total_bytes(self):
        """Bytes held."""
        return self._attribute(_RESERVED_NOW)

    def free_bytes(self):
        """Bytes held and not in use."""
        return self.total_bytes() - self.used_bytes()

    def malloc(self, size):
        """A MemoryPointer to ``size`` bytes, allocated and freed in the current stream's order."""
        return _core.alloc_from(self._allocator, size)

    def free_all_blocks(self, stream=None):
        """Waits for ``stream`` (None: the current one) and gives what is not in use back to the device."""
        from tombac.cuda import runtime

        (_core.get_current_stream() if stream is None else stream).synchronize()
        runtime.memPoolTrimTo(self._handles[_core.Device().id], 0)

    def n_free_blocks(self):
        """The driver does not tell: NotImplementedError."""
        raise NotImplementedError("MemoryAsyncPool.n_free_blocks: the driver does not tell; use free_bytes()")

    def set_limit(self, size=None, fraction=None):
        """The driver's pools have no limit: NotImplementedError."""
        raise NotImplementedError("MemoryAsyncPool.set_limit: the driver's pool has no limit; use a MemoryPool")

    def get_limit(self):
        """The driver's pools have no limit: NotImplementedError."""
        raise NotImplementedError("MemoryAsyncPool.get_limit: the driver's pool has no limit; use a MemoryPool")


# ---- allocators that are functions ----------------------------------------------------------------------------------


class _Freed:
    """Calls ``free(ptr, device)`` when it goes."""

    def __init__(self, free, ptr, device):
        self._free, self._ptr, self._device = free, ptr, device

    def __del__(self):
        if self._ptr:
            self._free(self._ptr, self._device)


class PythonFunctionAllocatorMemory(UnownedMemory):
    """Memory of a PythonFunctionAllocator."""

    def __new__(cls, size, malloc_func, free_func, device_id):
        """Asks ``malloc_func(size, device_id)`` for an address, which goes to ``free_func(address, device_id)``."""
        ptr = malloc_func(size, device_id) if size else 0
        return UnownedMemory.__new__(cls, ptr, size, _Freed(free_func, ptr, device_id), device_id)


class PythonFunctionAllocator:
    """An allocator made of two Python functions.

    Args:
        malloc_func: ``malloc_func(size, device_id)`` returns the address of ``size`` bytes as an int.
        free_func: ``free_func(address, device_id)`` gives it back.

    The functions must not compute with arrays, nor wait for threads that use tombac.

    >>> from tombac.cuda import runtime
    >>> a = tombac.cuda.PythonFunctionAllocator(lambda size, device: runtime.malloc(size),
    ...                                         lambda address, device: runtime.free(address))
    >>> with tombac.cuda.using_allocator(a.malloc):
    ...     x = tombac.zeros(1000)
    >>> del x
    """

    def __init__(self, malloc_func, free_func):
        self._functions = malloc_func, free_func

    def malloc(self, size):
        """A MemoryPointer to ``size`` bytes of the current device."""
        memory = PythonFunctionAllocatorMemory(size, *self._functions, _core.Device().id)
        return MemoryPointer(memory, 0)


class CFunctionAllocatorMemory(PythonFunctionAllocatorMemory):
    """Memory of a CFunctionAllocator."""


class CFunctionAllocator:
    """An allocator made of two C functions.

    Args:
        param: A number that both functions get first, as ``void *``.
        malloc_func: Address of ``void *malloc_func(void *param, size_t size, int device_id)``.
        free_func: Address of ``void free_func(void *param, void *ptr, int device_id)``.
        owner: Kept alive as long as the allocator is.
    """

    def __init__(self, param, malloc_func, free_func, owner):
        import ctypes

        malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)(malloc_func)
        free = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(free_func)

        def allocate(size, device):
            ptr = malloc(param, size, device)
            if not ptr:
                raise OutOfMemoryError(f"CFunctionAllocator: the function has no {size:,} bytes for device {device}")
            return ptr

        def release(ptr, device):
            free(param, ptr, device)

        release.owner = owner
        self._functions = allocate, release

    def malloc(self, size):
        """A MemoryPointer to ``size`` bytes of the current device."""
        return MemoryPointer(CFunctionAllocatorMemory(size, *self._functions, _core.Device().id), 0)


# ---- which allocator is current -------------------------------------------------------------------------------------


def alloc(size):
    """A MemoryPointer to ``size`` bytes of the current device's memory, from the current allocator.

    Raises:
        OutOfMemoryError: The device, or the pool's limit, has not that much left.

    >>> p = tombac.cuda.alloc(24)
    >>> x = tombac.ndarray((3,), "d", p)
    """
    return _core.alloc(size)


def _malloc_device(size):
    """A MemoryPointer to ``size`` bytes, straight from the driver."""
    return MemoryPointer(Memory(size), 0)


def malloc_managed(size):
    """A MemoryPointer to ``size`` bytes that the host and the device both reach at one address.

    >>> with tombac.cuda.using_allocator(tombac.cuda.malloc_managed):
    ...     x = tombac.zeros(1000)
    """
    return MemoryPointer(ManagedMemory(size), 0)


def malloc_system(size):
    """A MemoryPointer to ``size`` bytes of the host's memory, for devices that can reach all of it."""
    return MemoryPointer(SystemMemory(size), 0)


def malloc_async(size):
    """A MemoryPointer to ``size`` bytes of the driver's stream-ordered allocator, on the current stream."""
    return MemoryPointer(MemoryAsync(size, _core.get_current_stream()), 0)


_direct = {_malloc_device: "device", malloc_managed: "managed", malloc_system: "system", malloc_async: "async"}
_common = default_pool.malloc
_thread = threading.local()
_lock = threading.Lock()


def _allocator_of(function):
    """The Allocator that a function stands for; None: the default pool."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, MemoryPool) and function == owner.malloc:
        return owner._allocator
    if isinstance(owner, MemoryAsyncPool) and function == owner.malloc:
        return owner._allocator
    try:
        kind = _direct.get(function)
    except TypeError:  # not hashable
        kind = None
    return _core.allocator_function(function) if kind is None else _core.allocator_direct(kind)


def get_allocator():
    """The function that allocates device memory: it takes a size and returns a MemoryPointer."""
    return getattr(_thread, "allocator", None) or _common


def set_allocator(allocator=None):
    """Chooses where arrays get their memory, for all threads.

    Args:
        allocator: A function that takes a size in bytes and returns a MemoryPointer, such as a pool's ``malloc``. None:
            each array's memory is asked of the driver, without a pool.

    Under an allocator that is a Python function, arrays are computed at once rather than deferred, so that it is
    called, and its exception raised, where the array is made.

    Raises:
        ValueError: The thread is inside ``using_allocator``.
    """
    global _common
    if getattr(_thread, "allocator", None) is not None:
        raise ValueError("set_allocator: the allocator of all threads cannot be changed inside using_allocator")
    if allocator is None:
        allocator = _malloc_device
    with _lock:
        _core.allocator_set(_allocator_of(allocator))
        _common = allocator


@contextlib.contextmanager
def using_allocator(allocator=None):
    """Chooses where this thread's arrays get their memory, for the time of a block; see set_allocator.

    >>> pool = tombac.cuda.MemoryPool()
    >>> with tombac.cuda.using_allocator(pool.malloc):
    ...     x = tombac.zeros(1000)
    """
    if allocator is None:
        allocator = _malloc_device
    before = getattr(_thread, "allocator", None)
    native_before = getattr(_thread, "native", None)
    native = _allocator_of(allocator)
    _core.allocator_use(True, native)
    _thread.allocator, _thread.native = allocator, native
    try:
        yield
    finally:
        _thread.allocator, _thread.native = before, native_before
        _core.allocator_use(before is not None, native_before)
