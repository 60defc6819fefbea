"""Operators and mathematical functions on scalars: result dtypes and C code."""

import ast

import numpy as np

from tombacx.jit._types import (
    BOOL, FLOAT16, FLOAT32, FLOAT64, INT32, Constant, Value, c_name, canonical, cast, literal, promote,
)

_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_BITWISE = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"}
_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", **_BITWISE, **_COMPARE, ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}


def sign_of(op):
    return _SIGNS[type(op) if isinstance(op, ast.AST) else op]


def _kind(v):
    return v.type if isinstance(v, Value) else type(v.obj).__name__


def _refuse(op, x, y):
    raise TypeError(f"unsupported operand types for {sign_of(op)}: {_kind(x)} and {_kind(y)}")


def _narrowed(code, dtype):
    """C computes in int what is narrower than int, and the operators of float16 give float."""
    if dtype == FLOAT16:
        return f"float16{code}"
    return f"(({c_name(dtype)}){code})" if dtype.kind in "biu" and dtype.itemsize < 4 else code


def _through_float(dtype):
    """float16 is computed as float."""
    return FLOAT32 if dtype == FLOAT16 else dtype


def _back(code, dtype):
    return f"float16({code})" if dtype == FLOAT16 else code


def _number(mode, dtype):
    """What computes with numbers takes bools as the smallest of them."""
    return dtype if dtype != BOOL else INT32 if mode == "cuda" else np.dtype("int8")


def binary(fc, op, x, y):
    """x op y of two scalars, at least one of which is not a constant. op: a class of ast."""
    mode, dtype = fc.mode, promote(fc.mode, x, y)
    if op not in _BITWISE and (mode == "cuda" or op not in (ast.Add, ast.Mult, ast.Sub)):
        dtype = _number(mode, dtype)
    if op is ast.Div:
        return _divide(mode, dtype, x, y)
    if op in _BITWISE:
        if dtype.kind not in "biu":
            _refuse(op, x, y)
        if dtype == BOOL and op in (ast.LShift, ast.RShift):
            dtype = _number(mode, dtype)
    if op in (ast.FloorDiv, ast.Mod) and dtype.kind == "c":
        _refuse(op, x, y)
    if op is ast.Pow and isinstance(y, Constant) and y.obj == 2 and dtype.kind != "b":
        fc.unit.need("square")
        return Value(f"jit_square<{c_name(dtype)}>({cast(x, dtype, mode)})", dtype)
    a, b = cast(x, dtype, mode), cast(y, dtype, mode)
    if dtype == BOOL and op in _ARITHMETIC:  # NumPy's
        if op is ast.Sub:
            raise TypeError("bools cannot be subtracted: use ^ or np.logical_xor")
        return Value(f"({a} {'||' if op is ast.Add else '&&'} {b})", BOOL)
    if op in _ARITHMETIC or op in _BITWISE:
        return Value(_narrowed(f"({a} {(_ARITHMETIC | _BITWISE)[op]} {b})", dtype), dtype)
    if op in (ast.FloorDiv, ast.Mod):
        name = "floor_divide" if op is ast.FloorDiv else "mod"
        fc.unit.need(name)
        t = _through_float(dtype)
        c = c_name(t)
        return Value(_back(f"jit_{name}(({c}){a}, ({c}){b})", dtype), dtype)
    if op is ast.Pow:
        return _power(fc, dtype, a, b)
    raise NotImplementedError(f"operator {sign_of(op)} is not available in kernels")


def _divide(mode, dtype, x, y):
    if dtype.kind in "biu":
        dtype = FLOAT64
    return Value(_narrowed(f"({cast(x, dtype, mode)} / {cast(y, dtype, mode)})", dtype), dtype)


def _power(fc, dtype, a, b):
    if dtype.kind in "iu":
        fc.unit.need("integer_power")
        return Value(f"jit_power({a}, {b})", dtype)
    if dtype.kind == "c":
        return Value(f"pow({a}, {b})", dtype)
    t = _through_float(dtype)
    return Value(_back(f"{'powf' if t == FLOAT32 else 'pow'}(({c_name(t)}){a}, ({c_name(t)}){b})", dtype), dtype)


def compare(fc, op, x, y):
    if op not in _COMPARE:
        raise NotImplementedError(f"operator '{sign_of(op)}' is not available in kernels, but on constants")
    dtype = promote(fc.mode, x, y)
    if dtype.kind == "c" and op not in (ast.Eq, ast.NotEq):
        _refuse(op, x, y)
    return Value(f"({cast(x, dtype, fc.mode)} {_COMPARE[op]} {cast(y, dtype, fc.mode)})", BOOL)


def unary(fc, op, x):
    if op is ast.Not:
        return Value(f"(!{cast(x, BOOL, fc.mode)})", BOOL)
    dtype = x.type
    if dtype == BOOL and op is not ast.Invert:
        if fc.mode != "cuda":
            raise TypeError("the sign of a bool: use not or ~")
        dtype = INT32
    code = cast(x, dtype, fc.mode)
    if op is ast.UAdd:
        return Value(code, dtype, x.precise)
    if op is ast.USub:
        precise = x.precise and (f"(-{x.precise[0]})", x.precise[1])
        return Value(_narrowed(f"(-{code})", dtype), dtype, precise)
    if dtype.kind not in "biu":
        raise TypeError(f"unsupported operand type for ~: {dtype}")
    return Value(f"(!{code})" if dtype == BOOL else _narrowed(f"(~{code})", dtype), dtype)


# ---- functions -------------------------------------------------------------------------------------------------------

def _real(mode, *operands):
    """The floating dtype in which a function of the operands is computed (NumPy's: the smallest that holds them)."""
    dtype = promote(mode, *operands)
    if dtype.kind in "fc":
        return dtype
    if mode == "cuda":
        return FLOAT64
    return FLOAT16 if dtype.itemsize == 1 else FLOAT32 if dtype.itemsize == 2 else FLOAT64


def _floating(c, complex_too=False):
    def emit(fc, *args):
        dtype = _real(fc.mode, *args)
        if dtype.kind == "c":
            if not complex_too:
                raise TypeError(f"{c} is not defined for {dtype}")
            return Value(f"{c}({', '.join(cast(v, dtype, fc.mode) for v in args)})", dtype)
        t = _through_float(dtype)
        name = c + "f" if t == FLOAT32 else c
        inner = [f"(({c_name(t)}){cast(v, dtype, fc.mode)})" if t != dtype else cast(v, dtype, fc.mode) for v in args]
        return Value(_back(f"{name}({', '.join(inner)})", dtype), dtype)
    return emit


def _rounding(c):
    floating = _floating(c)

    def emit(fc, x):  # integers are whole already
        return x if isinstance(x, Value) and x.type.kind in "biu" else floating(fc, x)
    return emit


def _predicate(name):
    def emit(fc, x):
        dtype = promote(fc.mode, x)
        if dtype.kind in "biu":
            return Value({"isfinite": "true", "signbit": f"({cast(x, dtype, fc.mode)} < 0)"}.get(name, "false"), BOOL)
        if dtype.kind == "c":
            part = FLOAT32 if dtype.itemsize == 8 else FLOAT64
            code = cast(x, dtype, fc.mode)
            parts = [emit(fc, Value(f"{code}.{p}()", part)).code for p in ("real", "imag")]
            return Value(f"({(' && ' if name == 'isfinite' else ' || ').join(parts)})", BOOL)
        t = _through_float(dtype)
        code = f"(({c_name(t)}){cast(x, dtype, fc.mode)})"
        large = literal(float("inf"), t)
        size = f"{'fabsf' if t == FLOAT32 else 'fabs'}({code})"
        signed = f"{'copysignf' if t == FLOAT32 else 'copysign'}({literal(1, t)}, {code})"
        texts = {"isnan": f"({code} != {code})", "isinf": f"({size} == {large})", "isfinite": f"({size} < {large})",
                 "signbit": f"({signed} < {literal(0, t)})"}
        return Value(texts[name], BOOL)
    return emit


def _same(helper):
    """A helper of _prelude that takes and gives one dtype."""
    def emit(fc, *args):
        dtype = promote(fc.mode, *args)
        if dtype.kind == "c":
            raise TypeError(f"{helper} is not defined for {dtype}")
        fc.unit.need(helper)
        t = INT32 if dtype == BOOL else _through_float(dtype)
        inner = [cast(Value(cast(v, dtype, fc.mode), dtype), t, fc.mode) for v in args]
        return Value(cast(Value(f"jit_{helper}<{c_name(t)}>({', '.join(inner)})", t), dtype, fc.mode), dtype)
    return emit


def _operator(op):
    return lambda fc, x, y: binary(fc, op, x, y)


def _comparison(op):
    return lambda fc, x, y: compare(fc, op, x, y)


def _logical(sign):
    return lambda fc, x, y: Value(f"({cast(x, BOOL, fc.mode)} {sign} {cast(y, BOOL, fc.mode)})", BOOL)


def _absolute(fc, x):
    dtype = promote(fc.mode, x)
    code = cast(x, dtype, fc.mode)
    if dtype.kind in "bu":
        return Value(code, dtype)
    if dtype.kind == "c":
        return Value(f"abs({code})", FLOAT32 if dtype.itemsize == 8 else FLOAT64)
    return _floating("fabs")(fc, x) if dtype.kind == "f" else _same("absolute")(fc, x)


def _part(name):
    def emit(fc, x):
        dtype = promote(fc.mode, x)
        if dtype.kind != "c":
            return Value(cast(x, dtype, fc.mode) if name == "real" else literal(0, dtype), dtype)
        return Value(f"{cast(x, dtype, fc.mode)}.{name}()", FLOAT32 if dtype.itemsize == 8 else FLOAT64)
    return emit


def _conjugate(fc, x):
    dtype = promote(fc.mode, x)
    code = cast(x, dtype, fc.mode)
    return Value(f"conj({code})" if dtype.kind == "c" else code, dtype)


def _angle(fc, x):
    return _floating("atan2")(fc, _part("imag")(fc, x), _part("real")(fc, x))


def _scaled(factor):
    def emit(fc, x):
        dtype = _real(fc.mode, x)
        return binary(fc, ast.Mult, Value(cast(x, dtype, fc.mode), dtype), Constant(factor))
    return emit


def _square(fc, x):
    dtype = _number(fc.mode, promote(fc.mode, x))
    return binary(fc, ast.Pow, Value(cast(x, dtype, fc.mode), dtype), Constant(2))


def _reciprocal(fc, x):
    dtype = _number(fc.mode, promote(fc.mode, x))
    return Value(_narrowed(f"({literal(1, dtype)} / {cast(x, dtype, fc.mode)})", dtype), dtype)


def _rsqrt(fc, x):
    dtype = _real(fc.mode, x)
    return _reciprocal(fc, _floating("sqrt")(fc, Value(cast(x, dtype, fc.mode), dtype)))


def _where(fc, condition, x, y):
    dtype = promote(fc.mode, x, y)
    code = f"({cast(condition, BOOL, fc.mode)} ? {cast(x, dtype, fc.mode)} : {cast(y, dtype, fc.mode)})"
    return Value(code, dtype)


def _clip(fc, x, low, high):
    return _same("minimum")(fc, _same("maximum")(fc, x, low), high)


def _lcm(fc, x, y):
    g = _same("gcd")(fc, x, y)
    return _absolute(fc, binary(fc, ast.Mult, binary(fc, ast.FloorDiv, Value(cast(x, g.type, fc.mode), g.type), g), y))


def _ldexp(fc, x, e):
    dtype = _real(fc.mode, x)
    t = _through_float(dtype)
    name = "ldexpf" if t == FLOAT32 else "ldexp"
    return Value(_back(f"{name}(({c_name(t)}){cast(x, dtype, fc.mode)}, {cast(e, INT32, fc.mode)})", dtype), dtype)


def _sinc(fc, x):
    dtype = _real(fc.mode, x)
    t = _through_float(dtype)
    y = f"(({c_name(t)}){cast(x, dtype, fc.mode)})"
    s = f"{'sinpif' if t == FLOAT32 else 'sinpi'}({y}) / ({literal(np.pi, t)} * {y})"
    return Value(_back(f"({y} == {literal(0, t)} ? {literal(1, t)} : {s})", dtype), dtype)


_FLOATING = dict(
    arcsin="asin", arccos="acos", arctan="atan", arcsinh="asinh", arccosh="acosh", arctanh="atanh", arctan2="atan2",
    hypot="hypot", cbrt="cbrt", exp2="exp2", expm1="expm1", log2="log2", log1p="log1p", fabs="fabs", fmod="fmod",
    copysign="copysign", nextafter="nextafter", asin="asin", acos="acos", atan="atan", asinh="asinh", acosh="acosh",
    atanh="atanh", atan2="atan2", erf="erf", erfc="erfc", gamma="tgamma", lgamma="lgamma",
)
_COMPLEX = dict(sqrt="sqrt", exp="exp", log="log", log10="log10", sin="sin", cos="cos", tan="tan", sinh="sinh",
                cosh="cosh", tanh="tanh")
_OPERATORS = dict(
    add=ast.Add, subtract=ast.Sub, multiply=ast.Mult, divide=ast.Div, true_divide=ast.Div, floor_divide=ast.FloorDiv,
    mod=ast.Mod, remainder=ast.Mod, power=ast.Pow, pow=ast.Pow, bitwise_and=ast.BitAnd, bitwise_or=ast.BitOr,
    bitwise_xor=ast.BitXor, left_shift=ast.LShift, right_shift=ast.RShift, bitwise_left_shift=ast.LShift,
    bitwise_right_shift=ast.RShift,
)
_COMPARISONS = dict(equal=ast.Eq, not_equal=ast.NotEq, less=ast.Lt, less_equal=ast.LtE, greater=ast.Gt,
                    greater_equal=ast.GtE)
_UNARY = dict(negative=ast.USub, positive=ast.UAdd, invert=ast.Invert, bitwise_not=ast.Invert, logical_not=ast.Not,
              bitwise_invert=ast.Invert)

# Functions of numpy, tombac and math by name: (number of arguments, code).
FUNCTIONS = {
    **{n: (2 if c in ("atan2", "hypot", "fmod", "copysign", "nextafter") else 1, _floating(c))
       for n, c in _FLOATING.items()},
    **{n: (1, _floating(c, complex_too=True)) for n, c in _COMPLEX.items()},
    **{n: (1, _rounding(c)) for n, c in dict(floor="floor", ceil="ceil", trunc="trunc", rint="rint").items()},
    **{n: (1, _predicate(n)) for n in ("isnan", "isinf", "isfinite", "signbit")},
    **{n: (2, _operator(op)) for n, op in _OPERATORS.items()},
    **{n: (2, _comparison(op)) for n, op in _COMPARISONS.items()},
    **{n: (1, lambda fc, x, op=op: unary(fc, op, Value(cast(x, promote(fc.mode, x), fc.mode), promote(fc.mode, x))))
       for n, op in _UNARY.items()},
    "maximum": (2, _same("maximum")), "minimum": (2, _same("minimum")), "sign": (1, _same("sign")),
    "fmax": (2, _floating("fmax")), "fmin": (2, _floating("fmin")), "gcd": (2, _same("gcd")), "lcm": (2, _lcm),
    "logical_and": (2, _logical("&&")), "logical_or": (2, _logical("||")), "logical_xor": (2, _logical("!=")),
    "absolute": (1, _absolute), "abs": (1, _absolute), "conj": (1, _conjugate), "conjugate": (1, _conjugate),
    "real": (1, _part("real")), "imag": (1, _part("imag")), "angle": (1, _angle),
    "square": (1, _square), "reciprocal": (1, _reciprocal),
    "rsqrt": (1, _rsqrt), "where": (3, _where), "clip": (3, _clip), "ldexp": (2, _ldexp), "sinc": (1, _sinc),
    "degrees": (1, _scaled(180 / np.pi)), "rad2deg": (1, _scaled(180 / np.pi)),
    "radians": (1, _scaled(np.pi / 180)), "deg2rad": (1, _scaled(np.pi / 180)),
}
# Ufuncs whose result has the dtype that they compute in.
OF_ONE_DTYPE = frozenset(_FLOATING) | frozenset(_COMPLEX) | frozenset(_OPERATORS) | {
    "floor", "ceil", "trunc", "rint", "maximum", "minimum", "fmax", "fmin", "gcd", "lcm", "sign", "conj", "conjugate",
    "square", "reciprocal", "negative", "positive", "invert", "bitwise_not", "bitwise_invert", "degrees", "rad2deg",
    "radians", "deg2rad",
}


def check(name, count, args):
    """TypeError unless the arguments of a function are so many scalars."""
    if len(args) != count:
        raise TypeError(f"{name} takes {count} argument{'s' * (count > 1)} in kernels, and {len(args)} are given")
    for v in args:
        if isinstance(v, Constant) and not v.is_number or isinstance(v, Value) and not v.is_scalar:
            raise TypeError(f"{name}: a scalar is expected, not {_kind(v)}")
        if not isinstance(v, (Constant, Value)):
            raise TypeError(f"{name}: a scalar is expected, not {v.type}")


def call(fc, name, args):
    """The function of that name on scalar values and numbers."""
    count, emit = FUNCTIONS[name]
    check(name, count, args)
    return emit(fc, *args)


def call_in(fc, dtype, name, args):
    """The ufunc of that name with dtype=: its arguments are brought to the dtype first, where NumPy would."""
    if name not in OF_ONE_DTYPE or not isinstance(dtype, Constant):
        raise NotImplementedError(f"{name} with dtype= is not available in kernels")
    dtype = canonical(dtype.obj)
    for v in args:
        weak = isinstance(fc.scalar(v, name), Constant) and not isinstance(v.obj, np.generic)
        t = np.result_type(dtype, type(v.obj)(0)) if weak else promote(fc.mode, v)
        if not np.can_cast(t, dtype, "same_kind"):
            raise TypeError(f"{name}: {t} cannot become {dtype} by the rule 'same_kind'")
    result = call(fc, name, [fc.convert(dtype, v) for v in args])
    if result.type != dtype:
        raise TypeError(f"{name} has no loop that gives {dtype}")
    return result


def function_name(obj):
    """The key of FUNCTIONS for a function of numpy, tombac, cupy or math; None for any other object."""
    name = getattr(obj, "__name__", None)
    if not isinstance(name, str) or name not in FUNCTIONS:
        return None
    module = getattr(obj, "__module__", None) or type(obj).__module__
    ours = isinstance(obj, np.ufunc) or module.split(".")[0] in ("numpy", "tombac", "tombacx", "math", "scipy")
    return name if ours else None


def scalar_type(obj):
    """The dtype that a class names when it is called in a kernel, such as numpy.float32; None for any other object."""
    if isinstance(obj, type) and issubclass(obj, np.generic):
        return canonical(obj)
    return None
