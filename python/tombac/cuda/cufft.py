"""Plans of Fourier transforms as objects, and cuFFT's functions for programs that call them themselves.

A plan says what is transformed: with it, ``tombacx.scipy.fft`` checks that arrays fit. The library keeps cuFFT's own
plans (``tombac.fft.config.get_plan_cache``), so that a plan object holds no memory.
"""

import ctypes as _ctypes
import functools as _functools
import math as _math
import sys as _sys
import threading as _threading

from tombac import _core

__all__ = [
    "CUFFT_C2C", "CUFFT_C2R", "CUFFT_CB_LD_COMPLEX", "CUFFT_CB_LD_COMPLEX_DOUBLE", "CUFFT_CB_LD_REAL",
    "CUFFT_CB_LD_REAL_DOUBLE", "CUFFT_CB_ST_COMPLEX", "CUFFT_CB_ST_COMPLEX_DOUBLE", "CUFFT_CB_ST_REAL",
    "CUFFT_CB_ST_REAL_DOUBLE", "CUFFT_D2Z", "CUFFT_FORWARD", "CUFFT_INVERSE", "CUFFT_R2C", "CUFFT_Z2D", "CUFFT_Z2Z",
    "CuFFTError", "Plan1d", "PlanNd", "check_result", "create", "execC2C", "execC2R", "execD2Z", "execR2C", "execZ2D",
    "execZ2Z", "getVersion", "get_current_plan", "setAutoAllocation",
]

CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D = 0x29, 0x2A, 0x2C, 0x69, 0x6A, 0x6C
CUFFT_FORWARD, CUFFT_INVERSE = -1, 1
(CUFFT_CB_LD_COMPLEX, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_LD_REAL, CUFFT_CB_LD_REAL_DOUBLE, CUFFT_CB_ST_COMPLEX,
 CUFFT_CB_ST_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL, CUFFT_CB_ST_REAL_DOUBLE) = range(8)

_RESULTS = {
    1: "CUFFT_INVALID_PLAN", 2: "CUFFT_ALLOC_FAILED", 3: "CUFFT_INVALID_TYPE", 4: "CUFFT_INVALID_VALUE",
    5: "CUFFT_INTERNAL_ERROR", 6: "CUFFT_EXEC_FAILED", 7: "CUFFT_SETUP_FAILED", 8: "CUFFT_INVALID_SIZE",
    9: "CUFFT_UNALIGNED_DATA", 11: "CUFFT_INVALID_DEVICE", 13: "CUFFT_NO_WORKSPACE", 14: "CUFFT_NOT_IMPLEMENTED",
    16: "CUFFT_NOT_SUPPORTED", 17: "CUFFT_MISSING_DEPENDENCY", 18: "CUFFT_NVRTC_FAILURE",
    19: "CUFFT_NVJITLINK_FAILURE", 20: "CUFFT_NVSHMEM_FAILURE",
}
# Of each type: the kinds of transforms forward and backward, dtypes of input and result.
_TYPES = {
    CUFFT_C2C: ((0, 1), "F", "F"), CUFFT_Z2Z: ((0, 1), "D", "D"), CUFFT_R2C: ((2, 2), "f", "F"),
    CUFFT_D2Z: ((2, 2), "d", "D"), CUFFT_C2R: ((3, 3), "F", "f"), CUFFT_Z2D: ((3, 3), "D", "d"),
}
_current = _threading.local()


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


def get_current_plan():
    """The plan of the innermost ``with plan:`` of the calling thread, or None."""
    plans = getattr(_current, "plans", None)
    return plans[-1] if plans else None


class _Plan:
    gpus = None
    work_area = None  # lent by the pool while a transform runs
    _handle = None

    @property
    def handle(self):
        """A plan of cuFFT's for contiguous arrays, made when first asked for, with a work area of its own; CPU: 0."""
        if self._handle is None:
            self._handle = _make_handle(self._points(), self.fft_type, self.batch)
        return self._handle

    def __del__(self):
        if self._handle and not _sys.is_finalizing():
            _library().cufftDestroy(self._handle)

    def __enter__(self):
        _current.__dict__.setdefault("plans", []).append(self)
        return self

    def __exit__(self, *_):
        _current.plans.pop()

    def _check_type(self):
        if self.fft_type not in _TYPES:
            raise ValueError(f"there is no type {self.fft_type} of cuFFT's transforms")

    def _run(self, a, axes, lengths, out, direction):
        kinds, dtype, _ = _TYPES[self.fft_type]
        if a.dtype.char != dtype:
            raise TypeError(f"the plan is for arrays of dtype {dtype}, not {a.dtype}")
        kind = kinds[direction == CUFFT_INVERSE]
        norm = "backward" if kind in (0, 2) else "forward"  # so that nothing is scaled
        return _core._fft(a, kind, norm, axes, lengths, out)


class Plan1d(_Plan):
    """A plan for transforms along one axis.

    Args:
        nx: Number of points.
        fft_type: CUFFT_C2C or another.
        batch: Number of transforms.
        devices: None; transforms run on one GPU.
        out: Ignored.
    """

    def __init__(self, nx, fft_type, batch, *, devices=None, out=None):
        if devices is not None:
            raise NotImplementedError("Plan1d: transforms run on one GPU")
        if nx < 1:
            raise ValueError(f"Invalid number of FFT data points ({nx}) specified.")
        self.nx, self.fft_type, self.batch = int(nx), int(fft_type), int(batch)
        self._check_type()

    def _points(self):
        return (self.nx,)

    def _out_length(self):
        return self.nx // 2 + 1 if _TYPES[self.fft_type][0][0] == 2 else self.nx

    def get_output_array(self, a, *args, **kwargs):
        """An array for the transform of ``a`` along its last axis."""
        return _core.empty((*a.shape[:-1], self._out_length()), _TYPES[self.fft_type][2])

    def check_output_array(self, a, out):
        """Raises ValueError unless ``out`` is fit for the transform of ``a``."""
        if out.dtype.char != _TYPES[self.fft_type][2] or out.shape != (*a.shape[:-1], self._out_length()):
            raise ValueError("out has not the shape and dtype of the plan's result")

    def fft(self, a, out, direction):
        """Transforms ``a`` along its last axis into ``out``, unscaled; direction: CUFFT_FORWARD or CUFFT_INVERSE."""
        self.check_output_array(a, out)
        return self._run(a, -1, self.nx, out, direction)


class PlanNd(_Plan):
    """A plan for transforms over several axes: the first ones of arrays in Fortran order, else the last ones.

    Args:
        shape: Number of points along each axis that is transformed.
        inembed, istride, idist, onembed, ostride, odist: cuFFT's layout; arrays have their own, so it is not used.
        fft_type: CUFFT_C2C or another.
        batch: Number of transforms.
        order: 'C' or 'F'.
        last_axis: The axis that real transforms halve.
        last_size: The result's length along it.
    """

    def __init__(self, shape, inembed, istride, idist, onembed, ostride, odist, fft_type, batch, order, last_axis,
                 last_size):
        self.shape, self.fft_type, self.batch = tuple(shape), int(fft_type), int(batch)
        self.order, self.last_axis, self.last_size = order, last_axis, last_size
        self._check_type()

    def _points(self):
        return self.shape

    def _axes(self, a):
        n = len(self.shape)
        return tuple(range(n)) if self.order == "F" else tuple(range(a.ndim - n, a.ndim))

    def _out_shape(self, a):
        shape = list(a.shape)
        for axis, n in zip(self._axes(a), self.shape, strict=True):
            shape[axis] = n
        if _TYPES[self.fft_type][0][0] == 2:
            shape[self._axes(a)[-1]] = self.shape[-1] // 2 + 1
        return tuple(shape)

    def get_output_array(self, a, order="C"):
        """An array for the transform of ``a``."""
        return _core.empty(self._out_shape(a), _TYPES[self.fft_type][2], order)

    def check_output_array(self, a, out):
        """Raises ValueError unless ``out`` is fit for the transform of ``a``."""
        if out.dtype.char != _TYPES[self.fft_type][2] or out.shape != self._out_shape(a):
            raise ValueError("out has not the shape and dtype of the plan's result")

    def fft(self, a, out, direction):
        """Transforms ``a`` into ``out``, unscaled; direction: CUFFT_FORWARD or CUFFT_INVERSE."""
        self.check_output_array(a, out)
        return self._run(a, self._axes(a), self.shape, out, direction)


def _type_of(dtype, value_type):
    single = dtype.char in "efF"
    return {
        "C2C": (CUFFT_Z2Z, CUFFT_C2C), "R2C": (CUFFT_D2Z, CUFFT_R2C), "C2R": (CUFFT_Z2D, CUFFT_C2R),
    }[value_type][single]


def _make(a, lengths, axes, value_type, several):
    """The plan of a transform of ``a``: over axes (not negative), with so many points along each."""
    shape = list(a.shape)
    for axis, n in zip(axes, lengths, strict=True):
        shape[axis] = n
    batch = _math.prod(shape) // max(_math.prod(lengths), 1)
    fft_type = _type_of(a.dtype, value_type)
    if not several:
        return Plan1d(lengths[0], fft_type, batch)
    last = lengths[-1] // 2 + 1 if value_type == "R2C" else lengths[-1]
    fortran = axes == tuple(range(len(axes))) and len(axes) < a.ndim
    return PlanNd(lengths, None, 1, 1, None, 1, 1, fft_type, batch, "F" if fortran else "C", axes[-1], last)


def _check(plan, wanted):
    """Raises ValueError unless ``plan`` is for what ``wanted`` is for."""
    if type(plan) is not type(wanted):
        raise ValueError(f"expected plan to be of the type {type(wanted).__name__}, not {type(plan).__name__}")
    for name in ("fft_type", "batch", "nx", "shape", "last_axis"):
        if getattr(plan, name, None) != getattr(wanted, name, None):
            raise ValueError(f"the plan's {name} is {getattr(plan, name)}, the transform's {getattr(wanted, name)}")


# ---- cuFFT's own functions ------------------------------------------------------------------------------------------


@_functools.cache
def _library():
    return _ctypes.CDLL("libcufft.so", handle=_core.library_handle("cufft"))


def _call(name, *args):
    if _core.backend() == "cpu":
        raise NotImplementedError(f"{name}: cuFFT computes on GPUs; the CPU backend has none")
    _core.runtime_call("ctxGetCurrent")  # the library works in the calling thread's context
    check_result(getattr(_library(), name)(*args))


def _make_handle(points, fft_type, batch):
    if _core.backend() == "cpu":
        return 0
    plan, size = create(), _ctypes.c_size_t()
    n, one = (_ctypes.c_longlong * len(points))(*points), _ctypes.c_longlong(1)
    try:
        _call("cufftMakePlanMany64", plan, len(points), n, None, one, one, None, one, one, fft_type,
              _ctypes.c_longlong(batch), _ctypes.byref(size))
    except CuFFTError:
        _library().cufftDestroy(plan)
        raise
    return plan


def getVersion():
    """cuFFT's version, as 12000."""
    version = _ctypes.c_int()
    _call("cufftGetVersion", _ctypes.byref(version))
    return version.value


def create():
    """A new plan of cuFFT's: a number, for its other functions."""
    plan = _ctypes.c_int()
    _call("cufftCreate", _ctypes.byref(plan))
    return plan.value


def setAutoAllocation(plan, auto_allocate):
    """Whether the plan takes its work area itself."""
    _call("cufftSetAutoAllocation", plan, int(auto_allocate))


def _execute(name, plan, idata, odata, *direction):
    _call("cufftSetStream", plan, _ctypes.c_void_p(_core.get_current_stream().ptr))
    _call(name, plan, _ctypes.c_void_p(idata), _ctypes.c_void_p(odata), *direction)


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


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
