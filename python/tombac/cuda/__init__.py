"""Devices, streams, events and memory, under CuPy's names. On the CPU backend the same objects stand for the host."""

import contextlib
import os
import warnings

from tombac._core import (
    Device,
    Event,
    ExternalStream,
    Function,
    Graph,
    Memory,
    MemoryPointer,
    Module,
    Stream,
    UnownedMemory,
    get_current_stream,
    get_elapsed_time,
)
from tombac.cuda import (
    compiler,
    cub,
    cufft,
    cutensor,
    device,
    driver,
    function,
    graph,
    jitify,
    memory,
    memory_hook,
    memory_hooks,
    nccl,
    nvrtc,
    nvtx,
    pinned_memory,
    profiler,
    runtime,
    stream,
    texture,
    thrust,
)
from tombac.cuda.device import get_cublas_handle, get_device_id
from tombac.cuda.memory import (
    BaseMemory,
    CFunctionAllocator,
    ManagedMemory,
    MemoryAsync,
    MemoryAsyncPool,
    MemoryPool,
    OutOfMemoryError,
    PythonFunctionAllocator,
    SystemMemory,
    alloc,
    get_allocator,
    malloc_async,
    malloc_managed,
    malloc_system,
    set_allocator,
    using_allocator,
)
from tombac.cuda.memory_hook import MemoryHook
from tombac.cuda.pinned_memory import (
    PinnedMemory,
    PinnedMemoryPointer,
    PinnedMemoryPool,
    alloc_pinned_memory,
    set_pinned_memory_allocator,
)

__all__ = [
    "BaseMemory", "CFunctionAllocator", "Device", "Event", "ExternalStream", "Function", "Graph", "ManagedMemory",
    "Memory", "MemoryAsync", "MemoryAsyncPool", "MemoryHook", "MemoryPointer", "MemoryPool", "Module",
    "OutOfMemoryError", "PinnedMemory", "PinnedMemoryPointer", "PinnedMemoryPool", "PythonFunctionAllocator",
    "Stream", "SystemMemory", "UnownedMemory", "alloc", "alloc_pinned_memory", "compiler", "cub", "cufft", "cutensor",
    "device", "driver", "function", "get_allocator", "get_cublas_handle", "get_cuda_path", "get_current_stream",
    "get_device_id", "get_elapsed_time", "get_hipcc_path", "get_local_runtime_version", "get_nvcc_path",
    "get_rocm_path", "graph", "is_available", "jitify", "malloc_async", "malloc_managed", "malloc_system",
    "memory", "memory_hook", "memory_hooks", "nccl", "nvrtc", "nvtx", "pinned_memory", "profile", "profiler", "runtime",
    "set_allocator", "set_pinned_memory_allocator", "stream", "texture", "thrust", "using_allocator",
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


def _on_path(program):
    import shutil  # takes long to import, and few programs get here

    return shutil.which(program)


def get_cuda_path():
    """The folder of the CUDA toolkit, or None: CUDA_PATH, CUDA_HOME, that of nvcc, or /usr/local/cuda."""
    nvcc = _on_path("nvcc")
    places = [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), nvcc and os.path.dirname(os.path.dirname(nvcc))]
    return next((p for p in [*places, "/usr/local/cuda"] if p and os.path.isdir(p)), None)


def get_nvcc_path():
    """The path of nvcc, or None: the variable NVCC, the CUDA toolkit's, or the one on PATH."""
    root = get_cuda_path()
    own = os.path.join(root, "bin", "nvcc") if root else ""
    return os.environ.get("NVCC") or (own if os.path.exists(own) else _on_path("nvcc"))


def get_rocm_path():
    """None: there is no backend for ROCm."""
    return None


def get_hipcc_path():
    """None: there is no backend for ROCm."""
    return None


@contextlib.contextmanager
def profile():
    """As tombacx.profiler.profile, with a DeprecationWarning."""
    warnings.warn("cuda.profile is deprecated; use tombacx.profiler.profile", DeprecationWarning, stacklevel=3)
    profiler.start()
    try:
        yield
    finally:
        profiler.stop()


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
