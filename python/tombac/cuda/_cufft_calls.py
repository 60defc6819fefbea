"""cuFFT's own functions, by ctypes, for programs that call them themselves."""

import ctypes
import functools

from tombac import _core

__all__ = [
    "CuFFTError", "XtExec", "check_result", "create", "execC2C", "execC2R", "execD2Z", "execR2C", "execZ2D", "execZ2Z",
    "getVersion", "multi_gpu_execC2C", "multi_gpu_execZ2Z", "setAutoAllocation", "setCallback", "setJITCallback",
]

_RESULTS = {
    1: "CUFFT_INVALID_PLAN", 2: "CUFFT_ALLOC_FAILED", 3: "CUFFT_INVALID_TYPE", 4: "CUFFT_INVALID_VALUE",
    5: "CUFFT_INTERNAL_ERROR", 6: "CUFFT_EXEC_FAILED", 7: "CUFFT_SETUP_FAILED", 8: "CUFFT_INVALID_SIZE",
    9: "CUFFT_UNALIGNED_DATA", 11: "CUFFT_INVALID_DEVICE", 13: "CUFFT_NO_WORKSPACE", 14: "CUFFT_NOT_IMPLEMENTED",
    16: "CUFFT_NOT_SUPPORTED", 17: "CUFFT_MISSING_DEPENDENCY", 18: "CUFFT_NVRTC_FAILURE",
    19: "CUFFT_NVJITLINK_FAILURE", 20: "CUFFT_NVSHMEM_FAILURE",
}


class CuFFTError(RuntimeError):
    """A call of cuFFT failed.

    Args:
        result: Its cufftResult, the attribute ``result``.
    """

    def __init__(self, result):
        self.result = result
        super().__init__(_RESULTS.get(result, f"cuFFT error {result}"))

    def __reduce__(self):
        return type(self), (self.result,)


def check_result(result):
    """Raises :class:`CuFFTError` unless ``result`` is 0."""
    if result != 0:
        raise CuFFTError(result)


@functools.cache
def _library():
    return ctypes.CDLL("libcufft.so", handle=_core.library_handle("cufft"))


def _call(name, *args):
    if _core.backend() == "cpu":
        raise NotImplementedError(f"{name}: cuFFT computes on GPUs; the CPU backend has none")
    _core.runtime_call("ctxGetCurrent")  # the library works in the calling thread's context
    function = getattr(_library(), name, None)
    if function is None:
        raise NotImplementedError(f"{name}: the cuFFT that was found has no such function")
    check_result(function(*args))


def make_handle(function, points, types, batch):
    """A new plan for contiguous arrays, by cufftMakePlanMany64 or cufftXtMakePlanMany; CPU: 0."""
    if _core.backend() == "cpu":
        return 0
    plan, size = create(), ctypes.c_size_t()
    n, one, many = (ctypes.c_longlong * len(points))(*points), ctypes.c_longlong(1), ctypes.c_longlong(batch)
    try:
        if len(types) == 1:
            _call(function, plan, len(points), n, None, one, one, None, one, one, *types, many, ctypes.byref(size))
        else:
            of_input, of_output, inside = types
            _call(function, plan, len(points), n, None, one, one, of_input, None, one, one, of_output, many,
                  ctypes.byref(size), inside)
    except CuFFTError:
        destroy(plan)
        raise
    return plan


def destroy(plan):
    """Ends a plan that :func:`make_handle` or :func:`create` made."""
    _library().cufftDestroy(plan)


def getVersion():
    """cuFFT's version, as 12000."""
    version = ctypes.c_int()
    _call("cufftGetVersion", ctypes.byref(version))
    return version.value


def create():
    """A new plan of cuFFT's: a number, for its other functions."""
    plan = ctypes.c_int()
    _call("cufftCreate", ctypes.byref(plan))
    return plan.value


def setAutoAllocation(plan, auto_allocate):
    """Whether the plan takes its work area itself."""
    _call("cufftSetAutoAllocation", plan, int(auto_allocate))


def _execute(name, plan, idata, odata, *direction):
    _call("cufftSetStream", plan, ctypes.c_void_p(_core.get_current_stream().ptr))
    _call(name, plan, ctypes.c_void_p(idata), ctypes.c_void_p(odata), *direction)


def setCallback(plan, cb_type, is_load, aux_arr=0):
    """Would have cuFFT call a function by its address, which it does only where it is linked statically.

    Raises:
        NotImplementedError: Always.
    """
    raise NotImplementedError("setCallback: a cuFFT that is loaded at run time takes no pointers of functions; "
                              "tombac.fft.config.set_cufft_callbacks has them called")


def setJITCallback(plan, name, callback, callback_type, caller_info=0):
    """Has cuFFT link a function into a plan (:func:`create`) that is not made yet; needs cuFFT 11.3.3 and nvJitLink.

    Args:
        plan: Its number.
        name: The function's, as bytes.
        callback: LTO-IR, as bytes.
        callback_type: CUFFT_CB_LD_COMPLEX or another.
        caller_info: The address that the function is given.
    """
    library = "__cufftXtSetJITCallback_12_7"  # CUDA 12's cufftXtSetJITCallback has other parameters
    if _core.backend() != "cpu" and not hasattr(_library(), library):
        library = "cufftXtSetJITCallback"
    info = (ctypes.c_void_p * 1)(caller_info)
    _call(library, plan, ctypes.c_char_p(name), ctypes.c_char_p(callback), ctypes.c_size_t(len(callback)),
          int(callback_type), info if caller_info else None)


def execC2C(plan, idata, odata, direction):
    """Runs the plan on the current stream, from one address to the other."""
    _execute("cufftExecC2C", plan, idata, odata, direction)


def execR2C(plan, idata, odata):
    """Runs the plan on the current stream, from one address to the other."""
    _execute("cufftExecR2C", plan, idata, odata)


def execC2R(plan, idata, odata):
    """Runs the plan on the current stream, from one address to the other; what is at ``idata`` is overwritten."""
    _execute("cufftExecC2R", plan, idata, odata)


def execZ2Z(plan, idata, odata, direction):
    """Runs the plan on the current stream, from one address to the other."""
    _execute("cufftExecZ2Z", plan, idata, odata, direction)


def execD2Z(plan, idata, odata):
    """Runs the plan on the current stream, from one address to the other."""
    _execute("cufftExecD2Z", plan, idata, odata)


def execZ2D(plan, idata, odata):
    """Runs the plan on the current stream, from one address to the other; what is at ``idata`` is overwritten."""
    _execute("cufftExecZ2D", plan, idata, odata)


def XtExec(plan, idata, odata, direction):  # noqa: N802 (cuFFT's name)
    """Runs a plan of any types on the current stream, from one address to the other."""
    _execute("cufftXtExec", plan, idata, odata, direction)


def multi_gpu_execC2C(plan, idata, odata, direction):  # noqa: N802
    """Runs a plan over several GPUs, from one descriptor (cudaLibXtDesc), by its address, to the other."""
    _call("cufftXtExecDescriptorC2C", plan, ctypes.c_void_p(idata), ctypes.c_void_p(odata), direction)


def multi_gpu_execZ2Z(plan, idata, odata, direction):  # noqa: N802
    """Runs a plan over several GPUs, from one descriptor (cudaLibXtDesc), by its address, to the other."""
    _call("cufftXtExecDescriptorZ2Z", plan, ctypes.c_void_p(idata), ctypes.c_void_p(odata), direction)
