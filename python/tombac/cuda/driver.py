"""The driver's version and current context, by CuPy's names."""

from tombac import _core
from tombac._core import CUDARuntimeError

__all__ = ["CUDADriverError", "ctxGetCurrent", "get_build_version"]

CUDADriverError = CUDARuntimeError


def get_build_version():
    """The CUDA version that the driver supports, such as 12040: nothing of CUDA is fixed by the build. 0 on the CPU."""
    return _core.runtime_call("driverGetVersion")


def ctxGetCurrent():
    """The calling thread's context as a number: the current device's primary one."""
    return _core.runtime_call("ctxGetCurrent")
