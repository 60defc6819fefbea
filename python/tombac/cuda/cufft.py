"""Plans of Fourier transforms as objects, and cuFFT's functions for programs that call them themselves.

A plan says what is transformed: with it, ``tombacx.scipy.fft`` checks that arrays fit. The library keeps cuFFT's own
plans (``tombac.fft.config.get_plan_cache``), so that a plan object holds no memory.
"""

import math as _math
import sys as _sys
import threading as _threading

from tombac import _core
from tombac.cuda import _cufft_calls
from tombac.cuda._cufft_calls import (
    CuFFTError,
    XtExec,
    check_result,
    create,
    execC2C,
    execC2R,
    execD2Z,
    execR2C,
    execZ2D,
    execZ2Z,
    getVersion,
    multi_gpu_execC2C,
    multi_gpu_execZ2Z,
    setAutoAllocation,
    setCallback,
    setJITCallback,
)
from tombac._numpy import np as _np
from tombac.fft import _devices

__all__ = [
    "CUFFT_C2C", "CUFFT_C2R", "CUFFT_CB_LD_COMPLEX", "CUFFT_CB_LD_COMPLEX_DOUBLE", "CUFFT_CB_LD_REAL",
    "CUFFT_CB_LD_REAL_DOUBLE", "CUFFT_CB_ST_COMPLEX", "CUFFT_CB_ST_COMPLEX_DOUBLE", "CUFFT_CB_ST_REAL",
    "CUFFT_CB_ST_REAL_DOUBLE", "CUFFT_D2Z", "CUFFT_FORWARD", "CUFFT_INVERSE", "CUFFT_R2C", "CUFFT_Z2D", "CUFFT_Z2Z",
    "CuFFTError", "Plan1d", "PlanNd", "XtExec", "XtPlanNd", "check_result", "create", "execC2C", "execC2R", "execD2Z",
    "execR2C", "execZ2D", "execZ2Z", "getVersion", "get_current_plan", "multi_gpu_execC2C", "multi_gpu_execZ2Z",
    "setAutoAllocation", "setCallback", "setJITCallback",
]

CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D = 0x29, 0x2A, 0x2C, 0x69, 0x6A, 0x6C
CUFFT_FORWARD, CUFFT_INVERSE = -1, 1
(CUFFT_CB_LD_COMPLEX, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_LD_REAL, CUFFT_CB_LD_REAL_DOUBLE, CUFFT_CB_ST_COMPLEX,
 CUFFT_CB_ST_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL, CUFFT_CB_ST_REAL_DOUBLE) = range(8)

# Of each type: the kinds of transforms forward and backward, dtypes of input and result.
_TYPES = {
    CUFFT_C2C: ((0, 1), "F", "F"), CUFFT_Z2Z: ((0, 1), "D", "D"), CUFFT_R2C: ((2, 2), "f", "F"),
    CUFFT_D2Z: ((2, 2), "d", "D"), CUFFT_C2R: ((3, 3), "F", "f"), CUFFT_Z2D: ((3, 3), "D", "d"),
}
_CUDA_TYPES = {"e": 2, "E": 6, "f": 0, "F": 4, "d": 1, "D": 5}  # cudaDataType
_current = _threading.local()


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
            self._handle = self._make_handle()
        return self._handle

    def __del__(self):
        if self._handle and not _sys.is_finalizing():
            _cufft_calls.destroy(self._handle)

    def _make_handle(self):
        return _cufft_calls.make_handle("cufftMakePlanMany64", self._points(), (self.fft_type,), self.batch)

    def __enter__(self):
        _current.__dict__.setdefault("plans", []).append(self)
        return self

    def __exit__(self, *_):
        _current.plans.pop()

    def _axes(self, a):
        n = len(self.shape)
        return tuple(range(n)) if self.order == "F" else tuple(range(a.ndim - n, a.ndim))

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
        devices: How many devices share the transforms out, or a list of their numbers, for complex ones; then arrays
            may be NumPy's. None: the current one.
        out: Ignored.

    Raises:
        NotImplementedError: Transforms of or to real numbers on several devices.
        ValueError: There is no point, no such type or device.
    """

    def __init__(self, nx, fft_type, batch, *, devices=None, out=None):
        if nx < 1:
            raise ValueError(f"Invalid number of FFT data points ({nx}) specified.")
        self.nx, self.fft_type, self.batch = int(nx), int(fft_type), int(batch)
        self._check_type()
        if devices is not None:
            if self.fft_type not in (CUFFT_C2C, CUFFT_Z2Z):
                raise NotImplementedError("Plan1d: only complex transforms are shared out among devices")
            self.gpus = list(_devices.chosen("Plan1d", devices))

    def _points(self):
        return (self.nx,)

    def _out_length(self):
        return self.nx // 2 + 1 if _TYPES[self.fft_type][0][0] == 2 else self.nx

    def get_output_array(self, a, *args, **kwargs):
        """An array for the transform of ``a`` along its last axis."""
        shape, dtype = (*a.shape[:-1], self._out_length()), _TYPES[self.fft_type][2]
        module = _core if self.gpus is None or isinstance(a, _core.ndarray) else _np
        return module.empty(shape, dtype)

    def check_output_array(self, a, out):
        """Raises ValueError unless ``out`` is fit for the transform of ``a``."""
        if out.dtype.char != _TYPES[self.fft_type][2] or out.shape != (*a.shape[:-1], self._out_length()):
            raise ValueError("out has not the shape and dtype of the plan's result")

    def fft(self, a, out, direction):
        """Transforms ``a`` along its last axis into ``out``, unscaled; direction: CUFFT_FORWARD or CUFFT_INVERSE."""
        self.check_output_array(a, out)
        if self.gpus is None:
            return self._run(a, -1, self.nx, out, direction)
        rows = out.reshape(-1, self.nx)
        for part, y in _devices.parts_of(a.reshape(-1, a.shape[-1]), self.gpus,
                                         lambda x: self._run(x, -1, self.nx, None, direction)):
            rows[part] = _core.array(y) if isinstance(out, _core.ndarray) else y.get()
        if not out.flags.c_contiguous:
            out[...] = rows.reshape(out.shape)
        return out


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


class XtPlanNd(_Plan):
    """A plan for transforms over several axes, whose types of elements are named: half precision is among them.

    Complex numbers of halves ('E') are arrays of float16 whose last axis has real and imaginary parts in turn. They are
    transformed in single precision and rounded, whatever the number of points.

    Args:
        shape: Number of points along each axis that is transformed.
        inembed, istride, idist, onembed, ostride, odist: cuFFT's layout; arrays have their own, so it is not used.
        idtype: Type of the input's elements: one of 'efdEFD'.
        odtype: The result's.
        batch: Number of transforms.
        edtype: In which type is computed.
        order: 'C' or 'F': whether the last or the first axes are transformed.
        last_axis: The axis that real transforms halve.
        last_size: The result's length along it.

    Raises:
        ValueError: There is no such type, or they have not one precision.
    """

    def __init__(self, shape, inembed, istride, idist, idtype, onembed, ostride, odist, odtype, batch, edtype, *, order,
                 last_axis, last_size):
        self.shape, self.batch = tuple(shape), int(batch)
        self.itype, self.otype, self.etype = idtype, odtype, edtype
        self.order, self.last_axis, self.last_size = order, last_axis, last_size
        for name, t in [("idtype", idtype), ("odtype", odtype), ("edtype", edtype)]:
            if t not in _CUDA_TYPES:
                raise ValueError(f"XtPlanNd: {name} must be one of 'efdEFD', not {t!r}")
        if not idtype.lower() == odtype.lower() == edtype.lower() or (idtype + odtype).islower():
            raise ValueError(f"XtPlanNd: {idtype}, {odtype} and {edtype} are no types of one transform")
        if order == "F" and "E" in idtype + odtype:
            raise NotImplementedError("XtPlanNd: complex numbers of halves are transformed in C order")

    def _make_handle(self):
        types = [_CUDA_TYPES[t] for t in (self.itype, self.otype, self.etype)]
        return _cufft_calls.make_handle("cufftXtMakePlanMany", self.shape, types, self.batch)

    def _elements(self, a):
        """``a`` as an array that transforms take."""
        if a.dtype.char != self.itype.replace("E", "e"):
            raise TypeError(f"the plan is for arrays of dtype {self.itype}, not {a.dtype}")
        if self.itype != "E":
            return a
        if not a.ndim or a.shape[-1] % 2:
            raise ValueError("the last axis has not real and imaginary parts in turn")
        return _core.ascontiguousarray(a, "f").view("F")

    def _out_shape(self, x):
        shape = list(x.shape)
        for axis, n in zip(self._axes(x), self.shape, strict=True):
            shape[axis] = n
        if self.itype.islower():
            shape[self._axes(x)[-1]] = self.shape[-1] // 2 + 1
        if self.otype == "E":
            shape[-1] *= 2
        return tuple(shape)

    def get_output_array(self, a, order="C"):
        """An array for the transform of ``a``."""
        return _core.empty(self._out_shape(self._elements(a)), self.otype.replace("E", "e"), order)

    def fft(self, a, out, direction):
        """Transforms ``a`` into ``out``, unscaled; direction: CUFFT_FORWARD or CUFFT_INVERSE."""
        x = self._elements(a)
        if out.dtype.char != self.otype.replace("E", "e") or out.shape != self._out_shape(x):
            raise ValueError("out has not the shape and dtype of the plan's result")
        kind = 2 if self.itype.islower() else 3 if self.otype.islower() else int(direction == CUFFT_INVERSE)
        y = _core._fft(x, kind, "backward" if kind in (0, 2) else "forward", self._axes(x), self.shape, None)
        out[...] = y.view("f") if self.otype == "E" else y
        return out


def _type_of(dtype, value_type):
    single = dtype.char in "eEfF"
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


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
