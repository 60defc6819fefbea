"""Users' kernels as functions of windows and of lines: their text is called by that of a kernel over an array.

The text depends on the function, the dtypes, the number of dimensions and of a window's elements; shapes are arguments.
"""

import functools
import re

from tombac import _core
from tombac._core import RawKernel
from tombac._numpy import np

_THREADS = 128
_BOUNDS = re.compile(r"__launch_bounds__\s*\([^()]*\)")  # which functions have not
_TYPES = {
    "?": "bool", "b": "signed char", "B": "unsigned char", "h": "short", "H": "unsigned short", "i": "int",
    "I": "unsigned int", "l": "long long", "L": "unsigned long long", "q": "long long", "Q": "unsigned long long",
    "f": "float", "d": "double",
}

# Where a window's elements are: in ``geometry``, shape and steps of the dimensions, then the elements' distances.
_WINDOWS = """
extern "C" __global__ void tombac_windows(const %(x)s* x, const long long* geometry, %(y)s* y, long long n) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    long long rest = i, at = 0;
    for (int d = %(dims)d - 1; d >= 0; --d) {
        at += rest %% geometry[d] * geometry[%(dims)d + d];
        rest /= geometry[d];
    }
    %(x)s window[%(size)d];
    for (int k = 0; k < %(size)d; ++k) window[k] = x[at + geometry[2 * %(dims)d + k]];
    %(function)s(window, %(size)d, y + i);
}
"""

_LINES = """
extern "C" __global__ void tombac_lines(const double* x, long long from, double* y, long long to, long long n) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) %(function)s(x + i * from, from, y + i * to, to);
}
"""

# A reduction kernel's expressions, with the names that they may use.
_REDUCTION = """
%(preamble)s
struct tombac_count {
    long long n;
    __device__ long long size() const { return n; }
};
__device__ void tombac_reduction(const %(x)s* _raw_%(in)s, int n, %(y)s* result) {
    %(names)s
    typedef %(reduced)s _type_reduce;
    tombac_count _in_ind = {n}, _out_ind = {1};
    (void)_in_ind, (void)_out_ind;
    _type_reduce total = _type_reduce(%(identity)s);
    for (int _i = 0; _i < n; ++_i) {
        const %(x)s %(in)s = _raw_%(in)s[_i];
        (void)%(in)s;
        const _type_reduce b = static_cast<_type_reduce>(%(map)s);
        const _type_reduce a = %(first)s total;
        total = %(first)s static_cast<_type_reduce>(%(reduce)s);
    }
    const _type_reduce a = total;
    %(y)s %(out)s;
    %(post)s;
    *result = %(out)s;
}
"""


@functools.lru_cache(64)
def _compiled(code, name, options):
    return RawKernel(code, name, options)


def _launch(code, name, options, arguments, n):
    _compiled(code, name, options)((-(-n // _THREADS),), (_THREADS,), arguments)


def _device_function(name, kernel):
    """The text of a RawKernel, in which the kernel itself is a function that other kernels can call."""
    launched = rf"\b__global__\b((?:[^;{{}}()]|\([^()]*\))*?\b{re.escape(kernel.name)}\s*\()"
    code, found = re.subn(launched, lambda m: "__device__" + _BOUNDS.sub("", m[1]), kernel.code or "")
    if not found:
        raise ValueError(f"{name}: the text of the kernel has no function {kernel.name}")
    return code


def _typed(name, parameter, types, dtype):
    """The C type of a reduction kernel's parameter, of the dtype where it is a placeholder that is not decided yet."""
    if parameter.dtype is None:
        return types.setdefault(parameter.ctype, _TYPES[dtype.char])
    if parameter.dtype.char not in _TYPES:
        raise TypeError(f"{name}: a kernel's parameter {parameter.name} must not be of {parameter.dtype}")
    return _TYPES[parameter.dtype.char]


def _reduction(name, kernel, taken, dtype):
    """(text, types of the elements and of the result) of a function of windows that a ReductionKernel is."""
    if kernel.nin != 1 or kernel.nout != 1:
        raise ValueError(f"{name}: a kernel must have one input and one output, not {kernel.nin} and {kernel.nout}")
    (x,), (y,), types = kernel.in_params, kernel.out_params, {}
    x_type = _typed(name, x, types, taken)
    y_type = _typed(name, y, types, dtype)
    nothing = kernel.identity in (None, "")
    return _REDUCTION % {
        "preamble": kernel.preamble or "", "x": x_type, "y": y_type, "in": x.name, "out": y.name,
        "names": " ".join(f"typedef {t} {letter};" for letter, t in types.items()),
        "reduced": kernel.reduce_type or y_type, "identity": "" if nothing else kernel.identity,
        "map": kernel.map_expr, "first": "_i == 0 ? b :" if nothing else "", "reduce": kernel.reduce_expr,
        "post": kernel.post_map_expr,
    }, x_type, y_type


def _computed(dtype):
    """The dtype in which kernels have elements of a dtype: C has no float16, nor have kernels complex results here."""
    return np.dtype("f" if dtype.char == "e" else "d" if dtype.kind == "c" else dtype)


def of_windows(name, kernel, whole, shape, footprint, dtype):
    """What a kernel makes of each window of ``whole``, an array with what is beyond the edges of one of that shape."""
    if isinstance(kernel, RawKernel):
        code, function, x_type, y_type = _device_function(name, kernel), kernel.name, "double", "double"
        taken = made = np.dtype("d")
    else:
        taken, made = _computed(whole.dtype), _computed(dtype)
        code, x_type, y_type = _reduction(name, kernel, taken, made)
        function = "tombac_reduction"
        taken, made = (p.dtype or d for p, d in zip(kernel.in_params + kernel.out_params, (taken, made)))
        made = taken if kernel.out_params[0].ctype == kernel.in_params[0].ctype else made
    whole = _core.ascontiguousarray(whole.astype(taken, copy=False))
    steps = [s // whole.dtype.itemsize for s in whole.strides]
    moves = np.argwhere(footprint) @ np.array(steps, dtype="l").reshape(-1)
    geometry = _core.array(np.concatenate([np.array([*shape, *steps], dtype="l"), moves.astype("l")]))
    y = _core.empty(shape, made)
    code += _WINDOWS % {"x": x_type, "y": y_type, "dims": len(shape), "size": len(moves), "function": function}
    _launch(code, "tombac_windows", kernel.options, (whole, geometry, y, y.size), y.size)
    return y


def of_lines(name, kernel, lines, shape):
    """What a kernel makes of each line along the last axis, of float64."""
    lines = _core.ascontiguousarray(lines)
    y = _core.empty(shape)
    n = y.size // shape[-1]
    code = _device_function(name, kernel) + _LINES % {"function": kernel.name}
    _launch(code, "tombac_lines", kernel.options, (lines, lines.shape[-1], y, shape[-1], n), n)
    return y
