"""The ufuncs of tombacx.scipy.special in kernels: rows of the library's table, which are functions of C++ by the same
names in tombac/special.cuh."""

import numpy as np

from tombac import _core
from tombacx.jit import _math
from tombacx.jit._types import FLOAT16, FLOAT32, FLOAT64, Constant, Tuple, Value, canonical, cast

_RANK = {bool: 0, int: 1, float: 2, complex: 3, "b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


def ufunc_of(obj):
    """The ufunc of tombacx.scipy.special that obj is, or is SciPy's of that name of; None for any other object."""
    name = getattr(obj, "__name__", None) if isinstance(obj, (_core.ufunc, np.ufunc)) else None
    ours = vars(_core.special).get(name)
    return ours if obj is ours or isinstance(obj, np.ufunc) and not hasattr(np, name) else None


def _suits(v, dtype):
    """Whether a loop takes v as dtype. Python's numbers bend to any dtype of their kind, or of a wider one."""
    if isinstance(v, Value):
        return _RANK[dtype.kind] >= 1 if v.weak else np.can_cast(v.type, dtype, "safe")
    return np.can_cast(v.obj.dtype, dtype, "safe") if isinstance(v.obj, np.generic) \
        else _RANK[type(v.obj)] <= _RANK[dtype.kind]


def _loop(f, args):
    """The first loop that takes the arguments: dtypes of inputs, and of the result."""
    for types in f.types:
        inputs, outputs = types.split("->")
        dtypes = [np.dtype(t) for t in inputs]
        if all(map(_suits, args, dtypes)):
            return dtypes, canonical(outputs[0])
    given = ", ".join(str(v.type) if isinstance(v, Value) else type(v.obj).__name__ for v in args)
    raise TypeError(f"{f.__name__} is not defined for {given}")


def call(fc, f, args):
    """f of scalar values and numbers; of numbers alone it is computed now."""
    _math.check(f.__name__, f.nin, args)
    if all(isinstance(v, Constant) for v in args):
        return _of_constants(f, [v.obj for v in args])
    inputs, dtype = _loop(f, args)
    inner = FLOAT32 if dtype == FLOAT16 else dtype
    real = FLOAT64 if inner.kind == "c" else inner
    fc.unit.need_header("special")
    code = ", ".join(cast(v, inner if t.kind == "c" else real, fc.mode) for v, t in zip(args, inputs, strict=True))
    code = f"special::{f.__name__.lstrip('_')}({code})"
    if f.nout == 2:
        fc.unit.need("from_pair")
        pair = Tuple([dtype, dtype])
        return Value(f"jit_from_pair<{fc.unit.c_type(pair)}>({code})", pair)
    return Value(f"float16({code})" if dtype == FLOAT16 else code, dtype)


def _of_constants(f, numbers):
    results = f(*numbers)
    results = tuple(r.get()[()] for r in (results if f.nout == 2 else (results,)))
    if not any(isinstance(x, np.generic) for x in numbers):
        results = tuple(r.item() for r in results)
    return Constant(results if f.nout == 2 else results[0])
