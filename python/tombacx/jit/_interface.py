"""tombacx.jit.rawkernel and tombacx.jit.kernel: decorators that make kernels of Python functions."""

import functools
import types

import numpy as np

from tombac import _core
from tombacx.jit._compile import FunctionCompiler, Signature
from tombacx.jit._types import (
    DTYPES, INT32, VOID, Array, ArrayValue, Constant, Tuple, Value, canonical, cast, literal_dtype,
)
from tombacx.jit._unit import Unit

_PARTS = {"data": 0, "value": 1, "size": 2, "shape": 3, "stride": 4}
# A kernel is launched before what it follows in its stream has ended, and waits for that itself.
_WAIT = '#if __CUDA_ARCH__ >= 900\n    asm volatile("griddepcontrol.wait;" ::: "memory");\n#endif\n'
_WEAK = {"b": False, "i": 2**40, "u": 2**63, "f": 0.0, "c": 0j}


def argument(spec, mode):
    """What the compiler sees of an argument, by the extension's description of its type."""
    if spec is None:
        return Constant(None)
    if len(spec) == 4:
        dtype, ndim, contiguous, wide = spec
        return ArrayValue("", Array(DTYPES[dtype], ndim, bool(contiguous), bool(wide)), None)
    dtype, weak, fits = spec
    dtype = DTYPES[dtype]
    if not weak or dtype.kind == "b":
        return Value("", dtype)
    if dtype.kind in "iu":
        return Value("", INT32 if fits and mode == "cuda" else dtype)
    narrow = literal_dtype(_WEAK[dtype.kind], mode)
    return Value("", narrow, ("", dtype) if narrow != dtype else None)


def translate(func, mode, specs):
    """CUDA C++ of the kernel `func` for argument types `specs`: (source, name, options, plan, cooperative, ndim), as
    the extension's JitKernel wants it."""
    unit = Unit(mode)
    args = [argument(s, mode) for s in specs]
    fc = FunctionCompiler(unit, func, Signature(unit, args), kernel=True)
    fc.compile()
    name = fc.c_name + "_jit"  # a Python name may mean something in C
    params = ", ".join(fc.signature.parameters())
    body = f'extern "C" __global__ void {name}({params})\n{{\n{_WAIT}{fc.text()}}}\n'
    return unit.source(body), name, (), _plan(args, fc.signature.uses), unit.cooperative, unit.grid_ndim


def _plan(args, uses):
    plan = bytearray()
    for i, kind, axis in uses:
        a = args[i]
        width = 8 if isinstance(a, ArrayValue) and a.type.wide else 4
        if kind == "value":
            axis = DTYPES.index(a.precise[1] if a.precise else a.type)
        plan += bytes((_PARTS[kind], i, axis, width))
    return bytes(plan)


class _DeviceFunction:
    """A function for kernels to call; tombacx.jit.rawkernel(device=True) makes it."""

    def __init__(self, func):
        functools.update_wrapper(self, func)
        self._func = func

    def jit_device_function(self):
        return self._func

    def __call__(self, *args, **kwargs):
        raise TypeError(f"{self._func.__name__} is a device function: only kernels can call it")

    def __get__(self, owner, type=None):
        return self

    def __repr__(self):
        return f"<device function {self._func.__qualname__}>"


class _Kernel(_core.JitKernel):
    """A kernel written in Python. It is compiled when it meets a new combination of argument types."""

    def __new__(cls, func, mode, infer):
        if not isinstance(func, types.FunctionType):
            raise TypeError(f"jit: a Python function is expected, not {func!r}")
        self = super().__new__(cls, functools.partial(_compile, func, mode, codes := {}), func.__name__, infer)
        self._codes = codes
        functools.update_wrapper(self, func)
        return self

    def __init__(self, func, mode, infer):
        self._func, self._mode = func, mode

    @property
    def kernel(self):
        """The function that was decorated."""
        return self._func

    @property
    def cached_codes(self):
        """The CUDA C++ sources made so far: a dict from argument types to source."""
        return dict(self._codes)

    @property
    def cached_code(self):
        """The CUDA C++ source for the argument types of the first call."""
        if not self._codes:
            raise RuntimeError(f"{self._func.__name__} has not been compiled: call it first")
        return next(iter(self._codes.values()))

    def source(self, *args):
        """The CUDA C++ source that a call with these arguments would run; nothing is compiled or launched."""
        return translate(self._func, self._mode, _core.jit_types(args))[0]

    def __repr__(self):
        return f"<jit kernel {self._func.__qualname__}>"


def _compile(func, mode, codes, specs):
    compiled = translate(func, mode, specs)
    codes[tuple(map(_type_name, specs))] = compiled[0]
    return compiled


def _type_name(spec):
    if spec is None:
        return "None"
    dtype = DTYPES[spec[0]]
    if len(spec) == 4:
        return str(Array(dtype, spec[1])) + ("" if spec[2] else ", strided") + (", 64-bit offsets" if spec[3] else "")
    return {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}[dtype.kind] if spec[1] else dtype.name


def _check(name, mode):
    if mode not in ("cuda", "numpy"):
        raise ValueError(f"{name}: mode must be 'cuda' or 'numpy', not {mode!r}")


def rawkernel(*, mode="cuda", device=False):
    """Makes a CUDA kernel of a Python function.

    The function's parameters are arrays (of any dtype, shape and strides) and numbers. It is compiled for the types of
    the arguments of a call and kept. Its body is a subset of Python: assignments, if, while, for over range, break,
    continue, return, assert, arithmetic, comparisons, tuples, calls of other Python functions, of the functions of
    `math`, `numpy` and `tombac` on numbers, of the ufuncs of `tombacx.scipy.special`, and of the names in this module.
    `x[i]`, `x[i, j]` are elements, and there are `x.shape`, `x.size`, `x.ndim`, `x.strides`, `x.dtype`, `len(x)`, and
    for `jit.thrust` `x.begin()` and `x.end()`. Indices are not checked and do not count from the end. Names from
    outside are constants.

    A variable has the type of what is first assigned to it. With mode='cuda' numbers behave like C's: 1 is an int32,
    1.0 a float32, and the wider type of two operands wins, but / divides as in Python; with mode='numpy' they behave
    like NumPy's. Numbers given as arguments follow the same rule.

    Args:
        mode: 'cuda' or 'numpy'.
        device: Make a function for kernels to call, rather than a kernel.

    Returns:
        A decorator. Kernels are called as ``f(grid, block, args, shared_mem=0, stream=None)`` or
        ``f[grid, block](*args)``; ``f[grid, block, stream, shared_mem](*args)`` gives all four. grid and block are
        integers or tuples of up to three. ``f.cached_code`` is the CUDA C++ source.

    Raises:
        TypeError, NotImplementedError, NameError, IndexError, ValueError: At the first call, with the line of the
            function that cannot be compiled.

    >>> import tombac as tb
    >>> from tombacx import jit
    >>> @jit.rawkernel()
    ... def copy(x, y, size):
    ...     for i in range(jit.grid(1), size, jit.gridsize(1)):
    ...         y[i] = x[i]
    >>> x, y = tb.arange(1000.0), tb.empty(1000)
    >>> copy((4,), (128,), (x, y, x.size))
    """
    _check("rawkernel", mode)

    def decorator(func):
        return _DeviceFunction(func) if device else _Kernel(func, mode, False)
    return decorator


def kernel(func=None, *, mode="cuda"):
    """Makes a kernel of a Python function, whose grid and block follow from the arguments of a call.

    The language is that of :func:`rawkernel`. A call ``f(*args)`` launches one thread for each element of the largest
    array among the arguments (the first of them, if there are several): blocks of 256 threads for a function that
    uses ``jit.grid(1)`` or none; for ``jit.grid(2)`` and ``jit.grid(3)`` that array must have 2 or 3 dimensions,
    ``jit.grid`` counts along its shape in that order, and blocks have 16 x 16 or 8 x 8 x 4 threads. There are more
    threads than elements in general, so that the function must test its index. Nothing is launched for an empty array.

    ``f(*args, size=n)`` asks for n threads, or for a tuple of them along each axis; ``block=`` gives the block,
    ``shared_mem=`` the bytes of dynamic shared memory, ``stream=`` the stream; ``f[grid, block](*args)`` gives
    everything, as for a raw kernel.

    Args:
        func: The function; ``@jit.kernel`` and ``@jit.kernel()`` are the same.
        mode: 'cuda' or 'numpy': see rawkernel.

    >>> import tombac as tb
    >>> from tombacx import jit
    >>> @jit.kernel()
    ... def axpy(a, x, y):
    ...     i = jit.grid(1)
    ...     if i < x.size:
    ...         y[i] = a * x[i] + y[i]
    >>> x, y = tb.arange(1000.0), tb.ones(1000)
    >>> axpy(2.0, x, y)
    """
    _check("kernel", mode)

    def decorator(func):
        return _Kernel(func, mode, True)
    return decorator if func is None else decorator(func)


def elementwise(func, dtypes, otypes):
    """The parts of an ElementwiseKernel that calls the Python function `func`, for tombac.vectorize: its name, input
    and output parameters, operation and preamble.

    Args:
        dtypes: Of the arguments.
        otypes: Of the results; None: those that the function gives.
    """
    unit = Unit("numpy")
    f = unit.device_function(func, [Value("", t) for t in dtypes])
    results = f.type.items if isinstance(f.type, Tuple) else (f.type,)
    if f.type is VOID or not all(isinstance(t, np.dtype) for t in results):
        raise TypeError(f"vectorize: {func.__name__} must return a number or a tuple of numbers, not {f.type}")
    if otypes is not None and len(otypes) != len(results):
        raise ValueError(f"vectorize: otypes has {len(otypes)} dtypes, and {func.__name__} returns {len(results)}")
    otypes = results if otypes is None else [canonical(t) for t in otypes]
    call = f"{f.name}({', '.join(f'in{i}' for i, _, _ in f.uses)})"
    parts = [call] if results == (f.type,) else [f"result.f{i}" for i in range(len(results))]
    lines = [f"out{i} = {cast(Value(code, t), o, 'numpy')};"
             for i, (code, t, o) in enumerate(zip(parts, results, otypes))]
    if parts[0] != call:
        lines.insert(0, f"{unit.c_type(f.type)} result = {call};")
    for t in [*dtypes, *otypes]:
        unit.c_type(t)
    return (f"{f.name}_vectorized",
            ", ".join(f"{t} in{i}" for i, t in enumerate(dtypes)),
            ", ".join(f"{t} out{i}" for i, t in enumerate(otypes)), " ".join(lines), unit.source())
