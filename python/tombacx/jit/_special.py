"""The ufuncs of tombacx.scipy.special in kernels: rows of the library's table, which are functions of C++ by the same
names in tombac/special.cuh."""

import inspect

import numpy as np

from tombac import _core
from tombacx.jit import _math
from tombacx.jit._types import FLOAT16, FLOAT32, FLOAT64, Constant, Tuple, TupleValue, Value, canonical, cast

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


def _becomes(v, dtype):
    """Whether NumPy casts v to what dtype= asks for, by the rule 'same_kind'."""
    given = v.type if isinstance(v, Value) else getattr(v.obj, "dtype", None)
    return _suits(v, dtype) or given is not None and np.can_cast(given, dtype, "same_kind")


def _loop_of(f, args, dtype):
    """The first loop that gives a dtype, for the keyword argument, and takes the arguments."""
    if not isinstance(dtype, Constant):
        raise NotImplementedError(f"{f.__name__}: dtype= that is no constant is not available in kernels")
    wanted = canonical(dtype.obj)
    loops = [[np.dtype(t) for t in types.split("->")[0]] for types in f.types
             if set(types.split("->")[1]) == {wanted.char}]
    if not loops:
        raise TypeError(f"{f.__name__} has no loop that gives {wanted}")
    for inputs in loops:
        if all(map(_becomes, args, inputs)):
            return inputs, wanted
    given = ", ".join(str(v.type) if isinstance(v, Value) else type(v.obj).__name__ for v in args)
    raise TypeError(f"{f.__name__}: {given} cannot become {wanted} by the rule 'same_kind'")


def call(fc, f, args, dtype=None):
    """f of scalar values and numbers; of numbers alone it is computed now."""
    _math.check(f.__name__, f.nin, args)
    if all(isinstance(v, Constant) for v in args):
        return _of_constants(f, [v.obj for v in args], {} if dtype is None else {"dtype": dtype.obj})
    inputs, dtype = _loop(f, args) if dtype is None else _loop_of(f, args, dtype)
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


def _of_constants(f, numbers, options):
    results = f(*numbers, **options)
    results = tuple(r.get()[()] for r in (results if f.nout == 2 else (results,)))
    if not any(isinstance(x, np.generic) for x in numbers):
        results = tuple(r.item() for r in results)
    return Constant(results if f.nout == 2 else results[0])


# ---- functions of tombacx.scipy.special that are made of ufuncs -----------------------------------------------------

def _lambertw(fc, z, k=Constant(0), tol=Constant(1e-8)):
    return call(fc, _core.special._lambertw, [z, k, tol])


def _ellipj(fc, u, m):
    parts = (getattr(_core.special, f"_ellipj_{part}") for part in ("sn", "cn", "dn", "ph"))
    return TupleValue([call(fc, part, [u, m]) for part in parts])


def _btdtr(fc, a, b, x):
    return call(fc, _core.special.betainc, [a, b, x])


def _btdtri(fc, a, b, p):
    return call(fc, _core.special.betaincinv, [a, b, p])


def _spherical_yn(fc, n, z, derivative=Constant(False)):
    if not isinstance(derivative, Constant) or derivative.obj:
        raise NotImplementedError("spherical_yn: derivatives are not available in kernels")
    return call(fc, _core.special._spherical_yn, [n, z])


_COMPOSED = {"lambertw": _lambertw, "ellipj": _ellipj, "btdtr": _btdtr, "btdtri": _btdtri,
             "spherical_yn": _spherical_yn}


def composition_of(obj):
    """What makes code of a function that is a composition, ours or SciPy's; None for any other object."""
    name = getattr(obj, "__name__", None)
    ours = isinstance(obj, np.ufunc) or (getattr(obj, "__module__", None) or "").startswith(("tombacx.scipy.special",
                                                                                              "scipy.special"))
    return _COMPOSED.get(name) if ours and isinstance(name, str) else None


def compose(fc, f, obj, args, kwargs):
    try:
        inspect.signature(f).bind(fc, *args, **kwargs)
    except TypeError as e:
        raise TypeError(f"{obj.__name__} in kernels: {e}") from None
    return f(fc, *args, **kwargs)
