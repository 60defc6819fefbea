"""Handles of NVIDIA's libraries, for programs that call those themselves; tombac's own work does not use them."""

import ctypes
import functools
import sys
import threading

from tombac import _core

# The library's name, and the functions that make a handle, destroy it and set its stream.
_LIBRARIES = {
    "cublas": ("cublas", "cublasCreate_v2", "cublasDestroy_v2", "cublasSetStream_v2"),
    "cusolver": ("cusolver", "cusolverDnCreate", "cusolverDnDestroy", "cusolverDnSetStream"),
    "cusolver_sp": ("cusolver", "cusolverSpCreate", "cusolverSpDestroy", "cusolverSpSetStream"),
    "cusparse": ("cusparse", "cusparseCreate", "cusparseDestroy", "cusparseSetStream"),
    "cutensor": ("cutensor", "cutensorCreate", "cutensorDestroy", None),
}

_thread = threading.local()


class Handle:
    """A handle that is destroyed with the object.

    Args:
        handle: Number.
        destroy: Called with it at the end.
    """

    def __init__(self, handle, destroy):
        self.handle, self._destroy = handle, destroy

    def __del__(self):
        if not sys.is_finalizing():
            self._destroy(self.handle)


@functools.cache
def _library(name):
    return ctypes.CDLL(f"lib{name}.so", handle=_core.library_handle(name))


def _check(status, call):
    if status:
        raise RuntimeError(f"{call} failed with status {status}")


def _make(kind):
    name, create, destroy, _ = _LIBRARIES[kind]
    library, value = _library(name), ctypes.c_void_p()
    _core.runtime_call("ctxGetCurrent")  # the library works in the calling thread's context
    _check(getattr(library, create)(ctypes.byref(value)), create)
    end = getattr(library, destroy)
    return Handle(value.value, lambda handle: end(ctypes.c_void_p(handle)))


def handle_of(kind, device):
    """The calling thread's handle of a library on a device, set to the device's current stream.

    Raises:
        NotImplementedError: On the CPU backend.
        ImportError: The library is not there.
    """
    if _core.backend() == "cpu":
        raise NotImplementedError(f"Device.{kind}_handle: the library computes on GPUs; the CPU backend has no handles")
    handles = _thread.__dict__
    with _core.Device(device):
        if (kind, device) not in handles:
            handles[kind, device] = _make(kind)
        found = handles[kind, device].handle
        name, _, _, set_stream = _LIBRARIES[kind]
        if set_stream:
            stream = ctypes.c_void_p(_core.get_current_stream().ptr)
            _check(getattr(_library(name), set_stream)(ctypes.c_void_p(found), stream), set_stream)
    return found
