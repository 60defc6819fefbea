"""The device vocabulary: thread indices, synchronisation, shared memory, atomics, shuffles, printf."""

import builtins
import inspect
import operator
import re

import numpy as np

from tombacx.jit._types import (
    FLOAT16, FLOAT64, INT32, INT64, UINT32, VOID, Array, ArrayValue, Constant, Stored, TupleValue, Value, c_name,
    canonical, cast, literal_dtype,
)

_INT64, _UINT64 = INT64, np.dtype("uint64")


class DeviceValue:
    """A number that a kernel finds on the device, such as threadIdx.x."""

    def __init__(self, code, dtype):
        self._code, self._dtype = code, dtype

    def value(self, fc):
        return Value(self._code, self._dtype)

    def __repr__(self):
        return f"<tombacx.jit {self._code}>"


class _Dim3:
    """A triple of uint32 that a kernel finds on the device; its fields are x, y, z."""

    def __init__(self, code):
        self._code = code
        self.x, self.y, self.z = (DeviceValue(f"{code}.{c}", UINT32) for c in "xyz")

    def __repr__(self):
        return f"<tombacx.jit.{self._code}>"


class Builtin:
    """A function that exists in kernels only. emit(compiler, *args, **kwargs) makes its value."""

    def __init__(self, emit):
        self.emit, self.__name__, self.__doc__ = emit, emit.__name__, emit.__doc__
        self.__module__ = "tombacx.jit"
        parameters = list(inspect.signature(emit).parameters.values())[1:]
        self.__signature__ = inspect.Signature(parameters)

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"{self.__module__}.{self.__name__} exists in kernels only: call it in a function that is "
                           "decorated with tombacx.jit.rawkernel or tombacx.jit.kernel")

    def __repr__(self):
        return f"<{self.__module__}.{self.__name__}{self.__signature__}>"


class Method:
    """A bound method of a value in a kernel."""

    def __init__(self, owner, name):
        self.owner, self.name = owner, name

    def call(self, fc, args, kwargs):
        from tombacx.jit import _iterator, _math

        if hasattr(self.owner.type, "call_method"):
            return self.owner.type.call_method(fc, self.owner, self.name, args, kwargs)
        if args or kwargs:
            raise TypeError(f"{self.name}() takes no arguments")
        if isinstance(self.owner, ArrayValue):
            return _iterator.of_array(fc, self.owner, self.name)
        return _math.call(fc, self.name, [self.owner])


threadIdx = _Dim3("threadIdx")
blockIdx = _Dim3("blockIdx")
blockDim = _Dim3("blockDim")
gridDim = _Dim3("gridDim")
warpsize = DeviceValue("warpSize", INT32)


def _integer_constant(v, what):
    if not isinstance(v, Constant) or isinstance(v.obj, (bool, float)):
        raise TypeError(f"{what} must be a constant integer")
    return operator.index(v.obj)


# ---- threads ---------------------------------------------------------------------------------------------------------

def _grid(fc, name, ndim, form):
    ndim = _integer_constant(ndim, f"{name}: ndim")
    if ndim not in (1, 2, 3):
        raise ValueError(f"{name}: ndim must be 1, 2 or 3, not {ndim}")
    fc.unit.grid_ndim = max(fc.unit.grid_ndim, ndim)
    items = [Value(form.format(c=c), UINT32) for c in "xyz"[:ndim]]
    return items[0] if ndim == 1 else TupleValue(items)


@Builtin
def grid(fc, ndim):
    """grid(ndim): the position of the thread in the grid: a uint32, or a tuple of 2 or 3 (x, y and z)."""
    return _grid(fc, "grid", ndim, "(threadIdx.{c} + blockIdx.{c} * blockDim.{c})")


@Builtin
def gridsize(fc, ndim):
    """gridsize(ndim): the number of threads of the grid along x, or a tuple of them along 2 or 3 axes."""
    return _grid(fc, "gridsize", ndim, "(blockDim.{c} * gridDim.{c})")


@Builtin
def laneid(fc):
    """laneid(): the number of the thread in its warp, 0 to 31."""
    return Value("((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31u)", UINT32)


@Builtin
def syncthreads(fc):
    """syncthreads(): waits until all threads of the block have come here."""
    return Value("__syncthreads()", VOID)


@Builtin
def syncwarp(fc, *, mask=Constant(0xffffffff)):
    """syncwarp(*, mask=0xffffffff): waits until all threads of the warp that mask names have come here."""
    return Value(f"__syncwarp({cast(fc.scalar(mask, 'syncwarp: mask'), UINT32, fc.mode)})", VOID)


# ---- shared memory ---------------------------------------------------------------------------------------------------

@Builtin
def shared_memory(fc, dtype, size, alignment=Constant(None)):
    """shared_memory(dtype, size, alignment=None): an array that the threads of a block share.

    dtype: of the elements, or the TempStorage of one of cub's classes.
    size: a constant number of elements or a constant shape, or None for the dynamic shared memory, whose size is
    given at the launch (shared_mem=, in bytes).
    """
    dtype = getattr(dtype, "obj", None) or _missing("shared_memory: dtype must be a constant")
    dtype = dtype if isinstance(dtype, Stored) else canonical(dtype)
    if alignment is None or alignment.obj is None:
        align = max(getattr(dtype, "itemsize", 16), 4)
    else:
        align = _integer_constant(alignment, "shared_memory: alignment")
        if align < 1 or align & (align - 1):
            raise ValueError(f"shared_memory: alignment must be a power of two, not {align}")
    c, number = fc.unit.c_type(dtype), fc.unit.number()
    name = f"shared{number}"
    if isinstance(size, Constant) and size.obj is None:
        fc.unit.dynamic_shared = True
        if not any("jit_dynamic_shared" in d for d in fc.declared):
            fc.declared.append("extern __shared__ __align__(16) unsigned char jit_dynamic_shared[]")
        return ArrayValue(f"(({c} *)jit_dynamic_shared)", Array(dtype, 1, shape=(None,)), _shared_meta(None))
    items = fc.items_of(size)
    shape = tuple(_integer_constant(v, "shared_memory: size") for v in ([size] if items is None else items))
    if not shape or any(n < 1 for n in shape):
        raise ValueError(f"shared_memory: size must be positive, not {shape}")
    count = 1
    for n in shape:
        count *= n
    # These have constructors, which shared memory cannot run.
    if not isinstance(dtype, Stored) and (dtype.kind == "c" or dtype == FLOAT16):
        fc.declared.append(f"__shared__ __align__({max(align, dtype.itemsize)}) unsigned char "
                           f"{name}_bytes[{count * dtype.itemsize}]")
        code = f"(({c} *){name}_bytes)"
    else:
        fc.declared.append(f"__shared__ __align__({align}) {c} {name}[{count}]")
        code = name
    return ArrayValue(code, Array(dtype, len(shape), shape=shape), _shared_meta(shape))


def _missing(text):
    raise TypeError(text)


class _shared_meta:
    """The extents of shared memory: constants."""

    def __init__(self, shape):
        self.shape = self.key = shape

    def __call__(self, kind, axis=0):
        if self.shape is None:
            raise NotImplementedError("dynamic shared memory does not know its size: pass it as an argument")
        if kind == "size":
            return str(int(np.prod(self.shape)))
        return str(self.shape[axis])


# ---- atomics ---------------------------------------------------------------------------------------------------------

_WORDS = (INT32, UINT32, _INT64, _UINT64)
_ATOMIC = {
    "add": (*_WORDS, FLOAT16, np.dtype("float32"), FLOAT64), "sub": (*_WORDS, np.dtype("float32"), FLOAT64),
    "exch": (*_WORDS, np.dtype("float32"), FLOAT64), "min": (*_WORDS, np.dtype("float32"), FLOAT64),
    "max": (*_WORDS, np.dtype("float32"), FLOAT64), "inc": (UINT32,), "dec": (UINT32,),
    "cas": (*_WORDS, np.dtype("float32"), FLOAT64), "and": _WORDS, "or": _WORDS, "xor": _WORDS,
}
_AS_UNSIGNED = {"add", "sub", "exch", "cas", "and", "or", "xor"}  # the same bits, whatever the sign


def target(fc, name, array, index):
    if not isinstance(array, ArrayValue):
        raise TypeError(f"{name}: an array is expected, not {fc.describe(array)}")
    items = fc.items_of(index)
    element = fc.index(array, [index] if items is None else items)
    if isinstance(element, ArrayValue):
        raise IndexError(f"{name}: the array has {array.type.ndim} dimensions, and the index has "
                         f"{1 if items is None else len(items)}")
    return element


def _atomic_code(fc, op, address, dtype, value):
    if op == "sub" and dtype.kind == "f" or op == "sub" and dtype.itemsize == 8:
        op, value = "add", f"(-{value})"
    if op in ("min", "max") and dtype.kind == "f":
        fc.unit.need("atomic_cas_loop")
        word = "unsigned int" if dtype.itemsize == 4 else "unsigned long long"
        pick = "jit_pick_lesser" if op == "min" else "jit_pick_greater"
        return f"jit_atomic_update<{c_name(dtype)}, {word}>({address}, {value}, {pick}())"
    if op == "exch" and dtype == FLOAT64:
        return f"__longlong_as_double(atomicExch((unsigned long long *){address}, __double_as_longlong({value})))"
    if dtype == FLOAT16:
        fc.unit.need("atomic_add_half")
        return f"jit_atomic_add_half({address}, {value})"
    if dtype == _INT64 and op in _AS_UNSIGNED:
        u = "unsigned long long"
        return f"((long long)atomic{op.capitalize()}(({u} *){address}, ({u}){value}))"
    return f"atomic{op.capitalize()}({address}, {value})"


def _atomic(op, doc):
    def emit(fc, array, index, value, alt_value=None):
        name = f"atomic_{op}"
        element = target(fc, name, array, index)
        dtype = element.type
        if dtype not in _ATOMIC[op]:
            raise TypeError(f"{name} is available for {', '.join(d.name for d in _ATOMIC[op])}, not for {dtype}")
        code = cast(fc.scalar(value, f"{name}: value"), dtype, fc.mode)
        address = f"&{element.code}"
        if alt_value is not None and getattr(alt_value, "obj", 0) is not None and op != "cas":
            raise TypeError(f"{name} takes no alt_value")
        return Value(_atomic_code(fc, op, f"({address})", dtype, code), dtype)
    emit.__name__ = f"atomic_{op}"
    emit.__doc__ = f"atomic_{op}(array, index, value): {doc} The old element is returned."
    return Builtin(emit)


atomic_add = _atomic("add", "array[index] += value, undivided by other threads.")
atomic_sub = _atomic("sub", "array[index] -= value, undivided by other threads.")
atomic_exch = _atomic("exch", "array[index] = value, undivided by other threads.")
atomic_min = _atomic("min", "array[index] = min(array[index], value), undivided by other threads.")
atomic_max = _atomic("max", "array[index] = max(array[index], value), undivided by other threads.")
atomic_inc = _atomic("inc", "array[index] counts up from 0 to value and starts again, undivided by other threads.")
atomic_dec = _atomic("dec", "array[index] counts down from value to 0 and starts again, undivided by other threads.")
atomic_and = _atomic("and", "array[index] &= value, undivided by other threads.")
atomic_or = _atomic("or", "array[index] |= value, undivided by other threads.")
atomic_xor = _atomic("xor", "array[index] ^= value, undivided by other threads.")


@Builtin
def atomic_cas(fc, array, index, value, alt_value=None):
    """atomic_cas(array, index, value, alt_value): array[index] becomes alt_value if it is value, undivided by other
    threads. The old element is returned."""
    element = target(fc, "atomic_cas", array, index)
    dtype = element.type
    if dtype not in _ATOMIC["cas"]:
        raise TypeError(f"atomic_cas is available for {', '.join(d.name for d in _ATOMIC['cas'])}, not for {dtype}")
    if alt_value is None:
        raise TypeError("atomic_cas: alt_value, the new element, is missing")
    old, new = (cast(fc.scalar(v, "atomic_cas"), dtype, fc.mode) for v in (value, alt_value))
    address = f"&{element.code}"
    if dtype in (INT32, UINT32, _UINT64):
        return Value(f"atomicCAS({address}, {old}, {new})", dtype)
    u = "unsigned int" if dtype.itemsize == 4 else "unsigned long long"
    there = {"float32": "__float_as_uint({})", "float64": "(unsigned long long)__double_as_longlong({})"}.get(
        dtype.name, "(unsigned long long){}")
    back = {"float32": "__uint_as_float({})", "float64": "__longlong_as_double({})"}.get(dtype.name, "((long long){})")
    return Value(back.format(f"atomicCAS(({u} *){address}, {there.format(old)}, {there.format(new)})"), dtype)


# ---- warp shuffles ---------------------------------------------------------------------------------------------------

def _shuffle(name, which, doc):
    def emit(fc, mask, var, val_id, *, width=Constant(32)):
        var = fc.materialize(fc.scalar(var, f"{name}: var"))
        dtype = var.type
        if dtype.kind not in "iuf" or dtype.itemsize < 4:
            raise TypeError(f"{name} is available for int32, uint32, int64, uint64, float32 and float64, "
                            f"not for {dtype}")
        if isinstance(width, Constant) and width.obj not in (2, 4, 8, 16, 32):
            raise ValueError(f"{name}: width must be 2, 4, 8, 16 or 32, not {width.obj}")
        at = cast(fc.scalar(val_id, name), UINT32 if which in ("up_", "down_") else INT32, fc.mode)
        code = f"__shfl_{which}sync({cast(fc.scalar(mask, name), UINT32, fc.mode)}, {var.code}, {at}, " \
               f"{cast(fc.scalar(width, name), INT32, fc.mode)})"
        return Value(code, dtype)
    emit.__name__, emit.__doc__ = name, f"{name}(mask, var, val_id, *, width=32): {doc}"
    return Builtin(emit)


shfl_sync = _shuffle("shfl_sync", "", "var of the lane val_id.")
shfl_up_sync = _shuffle("shfl_up_sync", "up_", "var of the lane that is val_id below this one.")
shfl_down_sync = _shuffle("shfl_down_sync", "down_", "var of the lane that is val_id above this one.")
shfl_xor_sync = _shuffle("shfl_xor_sync", "xor_", "var of the lane whose number is this one's XOR val_id.")


# ---- output ----------------------------------------------------------------------------------------------------------

_CONVERSION = re.compile(r"%([-+ #0]*)(\d*)(\.\d+)?(?:hh|h|ll|l|z|j|t)?([diouxXcfFeEgGaAps%])")


@Builtin
def printf(fc, format, *args):
    """printf(format, *args): prints from the device; format is a constant string in C's notation."""
    if not isinstance(format, Constant) or not isinstance(format.obj, str):
        raise TypeError("printf: the format must be a constant string")
    values, codes = iter(args), []

    def convert(match):
        flags, width, precision, kind = match.groups()
        head = f"%{flags}{width}{precision or ''}"
        if kind == "%":
            return match.group()
        v = next(values, None)
        if v is None:
            raise TypeError(f"printf: the format wants more than {len(args)} values")
        if kind == "s":
            if not isinstance(v, Constant) or not isinstance(v.obj, str):
                raise TypeError("printf: %s prints constant strings only")
            codes.append(fc.c_string(v.obj))
            return head + "s"
        v = fc.scalar(v, "printf")
        dtype = v.type if isinstance(v, Value) else literal_dtype(v.obj, fc.mode)
        if kind in "fFeEgGaA":
            codes.append(cast(v, FLOAT64, fc.mode))
            return head + kind
        if kind == "c":
            codes.append(cast(v, INT32, fc.mode))
            return head + kind
        if dtype.kind not in "iub":
            raise TypeError(f"printf: %{kind} prints integers, not {dtype}")
        signed = kind in "di" and dtype.kind != "u"
        codes.append(cast(v, _INT64 if signed else _UINT64, fc.mode))
        return f"{head}ll{'u' if kind in 'di' and not signed else kind}"
    text = _CONVERSION.sub(convert, format.obj)
    if next(values, None) is not None:
        raise TypeError(f"printf: the format wants {len(codes)} values, and {len(args)} are given")
    return Value(f"printf({', '.join([fc.c_string(text), *codes])})", VOID)


# ---- loops -----------------------------------------------------------------------------------------------------------

class _Range:
    """range(stop), range(start, stop), range(start, stop, step), unroll=None: what a for loop in a kernel runs over.

    unroll: True unrolls the loop in full, an integer that many times, False not at all; None: as the compiler likes.
    """

    __name__ = "range"
    __signature__ = inspect.Signature([
        inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
        inspect.Parameter("unroll", inspect.Parameter.KEYWORD_ONLY, default=None)])

    def __call__(self, *args, unroll=None):
        return builtins.range(*args)

    def __repr__(self):
        return "<tombacx.jit.range(*args, unroll=None)>"


range_ = _Range()
RANGE = (builtins.range, range_)


def range_bounds(which, args, kwargs):
    """((start, stop, step), unroll) of the arguments of a call of one of RANGE."""
    unroll = kwargs.pop("unroll", None) if which is range_ else None
    if kwargs or not 1 <= len(args) <= 3:
        raise TypeError("range takes 1 to 3 arguments" + (f", and not {', '.join(kwargs)}=" if kwargs else ""))
    if unroll is not None:
        if not isinstance(unroll, Constant) or not isinstance(unroll.obj, (bool, int, type(None))):
            raise TypeError("range: unroll must be a constant integer or bool")
        unroll = unroll.obj
    start, stop, step = (Constant(0), args[0], Constant(1)) if len(args) == 1 else (*args, Constant(1))[:3]
    return (start, stop, step), unroll
