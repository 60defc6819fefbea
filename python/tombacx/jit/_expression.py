"""Expressions of the kernel language: syntax nodes become values."""

import ast
import builtins
import inspect
import operator
import types

import numpy as np

from tombac import _core
from tombacx.jit import _iterator, _math, _special
from tombacx.jit._builtins import RANGE, Builtin, DeviceValue, Method, printf, range_bounds
from tombacx.jit._types import (
    BOOL, DIM3, FLOAT32, FLOAT64, INT32, INT64, UINT32, Array, ArrayValue, Constant, Group, Stored, Tuple, TupleValue,
    Value, canonical, cast, literal_dtype, promote, same_type,
)

_PYTHON = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.MatMult: operator.matmul, ast.UAdd: operator.pos, ast.USub: operator.neg, ast.Invert: operator.invert,
    ast.Not: operator.not_, ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}


class Expressions:
    """The part of FunctionCompiler that deals with expressions."""

    def visit(self, node):
        method = getattr(self, "expr_" + type(node).__name__, None)
        return self._guard(node, (lambda: method(node)) if method else (lambda: self._unknown(node)))

    # ---- what a value is -----------------------------------------------------------------------------------------

    def describe(self, v):
        if isinstance(v, Constant):
            kind = type(v.obj).__name__
            return f"the number {v.obj!r}" if v.is_number else "None" if v.obj is None else f"a Python {kind}"
        if isinstance(v, Method):
            return "a method"
        article = "an" if str(v.type)[0] in "aeiou" else "a"
        return f"{article} {v.type}" if isinstance(v.type, (Array, Group, Stored)) else str(v.type)

    def materialize(self, v):
        """A number of the source as a value of its dtype, a constant tuple as a tuple of values."""
        if isinstance(v, Constant):
            if v.is_number:
                dtype = literal_dtype(v.obj, self.mode)
                return Value(cast(v, dtype, self.mode), dtype)
            if isinstance(v.obj, tuple):
                return TupleValue([self.materialize(Constant(x)) for x in v.obj])
            raise TypeError(f"{self.describe(v)} ({v.obj!r}) cannot be a value in a kernel")
        if isinstance(v, TupleValue):
            return TupleValue([self.materialize(item) for item in v.items])
        return v

    def code_as(self, v, t):
        """The value as C code of type t."""
        if isinstance(t, Stored) and isinstance(v, Value) and same_type(v.type, t):
            return v.code
        if isinstance(t, Tuple):
            items = self.items_of(v)
            if items is None or len(items) != len(t.items):
                raise TypeError(f"{t} is expected, not {self.describe(v)}")
            if isinstance(v, Value) and same_type(v.type, t):
                return v.code
            return f"{self.unit.c_type(t)}{{{', '.join(self.code_as(i, u) for i, u in zip(items, t.items))}}}"
        if isinstance(v, Constant) and v.is_number or isinstance(v, Value) and v.is_scalar:
            self.unit.c_type(t)
            return cast(v, t, self.mode)
        raise TypeError(f"{t} is expected, not {self.describe(v)}")

    def items_of(self, v):
        """The items of a tuple of any kind, or None."""
        if isinstance(v, TupleValue):
            return v.items
        if isinstance(v, Constant) and isinstance(v.obj, (tuple, list)):
            return [Constant(x) for x in v.obj]
        if isinstance(v, Value) and isinstance(v.type, Tuple):
            return [Value(f"{v.code}.f{i}", t) for i, t in enumerate(v.type.items)]
        return None

    def scalar(self, v, what):
        if isinstance(v, Constant) and v.is_number or isinstance(v, Value) and v.is_scalar:
            return v
        raise TypeError(f"{what}: a number is expected, not {self.describe(v)}")

    def condition(self, node):
        """A test: C code, or a constant."""
        v = self.visit(node)
        if isinstance(v, Constant):
            return Constant(bool(v.obj))
        return cast(self.scalar(v, "a condition"), BOOL, self.mode)

    def c_string(self, text):
        out = ""
        for byte in text.encode():
            c = chr(byte)
            out += {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}.get(c) or (
                c if 32 <= byte < 127 and c != "?" else f"\\{byte:03o}")
        return f'"{out}"'

    # ---- leaves --------------------------------------------------------------------------------------------------

    def expr_Constant(self, node):
        return Constant(node.value)

    def expr_Name(self, node):
        return self._known(self.lookup(node.id))

    def _known(self, v):
        if isinstance(v, Constant) and isinstance(v.obj, DeviceValue):
            return v.obj.value(self)
        if isinstance(v, Value) and isinstance(v.type, np.dtype):
            self.unit.c_type(v.type)
        return v

    def expr_Attribute(self, node):
        v, name = self.visit(node.value), node.attr
        if isinstance(v, ArrayValue):
            return self._array_attribute(v, name)
        if isinstance(v, Constant):
            return self._known(Constant(getattr(v.obj, name)))
        if isinstance(v, Value) and v.type is DIM3 and name in "xyz":
            return Value(f"{v.code}.{name}", UINT32)
        if isinstance(v, Value) and hasattr(v.type, "call_method"):
            return Method(v, name)
        if isinstance(v, Value) and v.is_scalar:
            if name == "dtype":
                return Constant(v.type)
            if name in ("real", "imag"):
                return _math.call(self, name, [v])
            if name in ("conj", "conjugate"):
                return Method(v, "conj")
        raise AttributeError(f"{self.describe(v)} has no attribute '{name}' in kernels")

    def _array_attribute(self, a, name):
        t = a.type
        size = lambda: Value(f"((long long){a.meta('size')})", INT64)  # noqa: E731
        if name in ("shape", "strides"):
            return TupleValue([self._extent(a, name, k) for k in range(t.ndim)])
        if name == "size":
            return size()
        if name == "nbytes":
            return _math.binary(self, ast.Mult, size(), Constant(np.int64(t.dtype.itemsize)))
        constants = {"ndim": t.ndim, "dtype": t.dtype, "itemsize": t.dtype.itemsize}
        if name in constants:
            return Constant(constants[name])
        if name in ("begin", "end"):
            return Method(a, name)
        raise AttributeError(f"arrays have no attribute '{name}' in kernels: only shape, strides, size, ndim, dtype, "
                             "itemsize, nbytes, begin and end")

    def _extent(self, a, name, k):
        if name == "shape":
            return Value(f"((long long){a.meta('shape', k)})", INT64)
        if not a.type.contiguous:
            return Value(f"((long long){a.meta('stride', k)})", INT64)
        extents = [f" * {a.meta('shape', j)}" for j in range(k + 1, a.type.ndim)]
        return Value(f"({a.type.dtype.itemsize}LL{''.join(extents)})", INT64)

    # ---- subscripts ------------------------------------------------------------------------------------------------

    def expr_Subscript(self, node):
        base = node.value
        if isinstance(base, ast.Attribute) and base.attr in ("shape", "strides"):
            owner = self.visit(base.value)
            if isinstance(owner, ArrayValue):  # only what is used is passed
                k = self._constant_index(node.slice, owner.type.ndim)
                return self._extent(owner, base.attr, k)
        v = self.visit(base)
        if isinstance(v, ArrayValue):
            return self.index(v, self._indices(node.slice, v.type.ndim))
        if isinstance(v, Constant):
            k = self.visit(node.slice)
            if not isinstance(k, Constant):
                raise NotImplementedError(f"{self.describe(v)} is indexed by constants only in kernels: pass an array "
                                          "instead")
            return self._known(Constant(v.obj[k.obj]))
        if _iterator.is_iterator(v):
            return _iterator.element(self, v, self.visit(node.slice))
        items = self.items_of(v)
        if items is None:
            raise TypeError(f"{self.describe(v)} cannot be indexed")
        return items[self._constant_index(node.slice, len(items))]

    def _constant_index(self, node, n):
        k = self.visit(node)
        if not isinstance(k, Constant):
            raise NotImplementedError("a tuple is indexed by constants only in kernels")
        k = operator.index(k.obj)
        if not -n <= k < n:
            raise IndexError(f"tuple index {k} is out of range for {n} items")
        return k % n

    def _indices(self, node, ndim):
        nodes = node.elts if isinstance(node, ast.Tuple) else [node]
        found = []
        for i, n in enumerate(nodes):
            whole = isinstance(n, ast.Slice) and n.lower is n.upper is n.step is None
            if whole or isinstance(n, ast.Constant) and n.value is ...:
                if not all(isinstance(m, ast.Slice) and m.lower is m.upper is m.step is None for m in nodes[i + 1:]):
                    raise NotImplementedError("only leading dimensions can be indexed in a kernel: x[i], x[i, :]")
                if len(nodes) > ndim and whole:
                    raise IndexError(f"too many indices: the array has {ndim} dimensions, and {len(nodes)} are given")
                break
            if isinstance(n, ast.Slice):
                raise NotImplementedError("slices with bounds are not available in kernels: index the elements")
            found.append(self.visit(n))
        if len(found) == 1 and not isinstance(node, ast.Tuple):
            items = self.items_of(found[0])
            if items is not None:
                return items
        return found

    def index(self, a, indices):
        """The element of a, or the part that is left when there are fewer indices than dimensions."""
        t = a.type
        if len(indices) > t.ndim:
            raise IndexError(f"too many indices: the array has {t.ndim} dimension{'s' * (t.ndim != 1)}, and "
                             f"{len(indices)} are given")
        c = self.unit.c_type(t.dtype)
        codes = [self._index_code(a, v) for v in indices]
        if t.contiguous:
            at = codes[0] if codes else None
            for k, code in enumerate(codes[1:], 1):
                at = f"({at} * {a.meta('shape', k)} + {code})"
            if len(indices) == t.ndim:
                return Value(f"{a.code}[{at or 0}]", t.dtype)
            for k in range(len(indices), t.ndim):
                at = at and f"{at} * {a.meta('shape', k)}"
            code = f"({a.code} + {at})" if at else a.code
        else:
            terms = [f"{code} * {a.meta('stride', k)}" for k, code in enumerate(codes)]
            code = f"(({c} *)((char *){a.code} + ({' + '.join(terms) or 0})))"
            if len(indices) == t.ndim:
                return Value(f"(*{code})", t.dtype)
        return ArrayValue(code, Array(t.dtype, t.ndim - len(indices), t.contiguous, t.wide,
                                      t.shape and t.shape[len(indices):]), _Shifted(a.meta, len(indices)))

    def _index_code(self, a, v):
        if isinstance(v, Constant) and v.is_number and not isinstance(v.obj, (bool, float, complex)):
            k = operator.index(v.obj)
            if k < 0:
                raise IndexError(f"index {k}: negative indices do not count from the end in kernels; use "
                                 "x[x.shape[0] - 1]")
            return f"{k}LL" if a.type.wide else str(k)
        if not (isinstance(v, Value) and v.is_scalar) or v.type.kind not in "iu":
            raise TypeError(f"an index must be an integer, not {self.describe(v)}")
        return v.code if v.type == (INT64 if a.type.wide else INT32) else f"({a.index_type}){v.code}"

    # ---- operators -------------------------------------------------------------------------------------------------

    def expr_BinOp(self, node):
        x, y = self.visit(node.left), self.visit(node.right)
        return self._binary(type(node.op), x, y)

    def _binary(self, op, x, y):
        if isinstance(x, Constant) and isinstance(y, Constant):
            return Constant(_PYTHON[op](x.obj, y.obj))
        if _iterator.among(x, y):
            return _iterator.binary(self, op, x, y)
        return _math.binary(self, op, self._operand(op, x), self._operand(op, y))

    def _operand(self, op, v):
        if isinstance(v, Constant) and v.is_number or isinstance(v, Value) and v.is_scalar:
            return v
        hint = ": index its elements" if isinstance(v, ArrayValue) else ""
        raise TypeError(f"operator {_math.sign_of(op)} is not defined for {self.describe(v)} in kernels{hint}")

    def expr_UnaryOp(self, node):
        v, op = self.visit(node.operand), type(node.op)
        if isinstance(v, Constant):
            return Constant(_PYTHON[op](v.obj))
        if not (isinstance(v, Value) and v.is_scalar):
            raise TypeError(f"a number is expected, not {self.describe(v)}")
        return _math.unary(self, op, v)

    def expr_Compare(self, node):
        return self._comparisons(node, self.visit(node.left), 0)

    def _comparisons(self, node, x, k):
        """x compared with what follows it. Between two operators is evaluated once; after one that fails, nothing."""
        op, y = type(node.ops[k]), self.visit(node.comparators[k])
        if k + 1 == len(node.ops):
            return self._compare(op, x, y)
        called = isinstance(y, Value) and any(isinstance(n, ast.Call) for n in ast.walk(node.comparators[k]))
        middle = Value(f"_between{k}", y.type) if called else y
        first = self._compare(op, x, middle)
        rest = first
        if not isinstance(first, Constant) or first.obj:
            rest = self._comparisons(node, middle, k + 1)
        if isinstance(first, Constant):
            test = rest
        else:
            last = rest.code if isinstance(rest, Value) else "true" if rest.obj else "false"
            test = Value(f"({first.code} && {last})", BOOL)
        if not called or isinstance(test, Constant):
            return test
        return Value(f"([&](const {self.unit.c_type(y.type)} {middle.code}) {{ return {test.code}; }}({y.code}))", BOOL)

    def _compare(self, op, x, y):
        if isinstance(x, Constant) and isinstance(y, Constant):
            return Constant(_PYTHON[op](x.obj, y.obj))
        none = [v for v in (x, y) if isinstance(v, Constant) and v.obj is None]
        if none and op in (ast.Is, ast.IsNot, ast.Eq, ast.NotEq):  # nothing else is None
            return Constant(op in (ast.IsNot, ast.NotEq))
        if _iterator.among(x, y):
            return _iterator.compare(self, op, x, y)
        return _math.compare(self, op, self._operand(op, x), self._operand(op, y))

    def expr_BoolOp(self, node):
        conjunction = isinstance(node.op, ast.And)
        codes = []
        for n in node.values:
            test = self.condition(n)
            if not isinstance(test, Constant):
                codes.append(test)
            elif test.obj != conjunction:  # decides, and what comes after it is not evaluated
                if not codes:
                    return Constant(test.obj)
                codes.append("true" if test.obj else "false")
                break
        return Value(f"({(' && ' if conjunction else ' || ').join(codes)})", BOOL) if codes else Constant(conjunction)

    def expr_IfExp(self, node):
        test = self.condition(node.test)
        if isinstance(test, Constant):
            return self.visit(node.body if test.obj else node.orelse)
        x, y = (self.scalar(self.visit(n), "if ... else") for n in (node.body, node.orelse))
        dtype = promote(self.mode, x, y)
        self.unit.c_type(dtype)
        return Value(f"({test} ? {cast(x, dtype, self.mode)} : {cast(y, dtype, self.mode)})", dtype)

    def expr_Tuple(self, node):
        items = [self.visit(n) for n in node.elts]
        if all(isinstance(v, Constant) for v in items):
            return Constant(tuple(v.obj for v in items))
        return TupleValue([v if isinstance(v, (Value, TupleValue, ArrayValue)) else self.materialize(v)
                           for v in items])

    # ---- calls -----------------------------------------------------------------------------------------------------

    def expr_Call(self, node):
        f = self.visit(node.func)
        if isinstance(f, Constant) and any(f.obj is r for r in RANGE):
            raise NotImplementedError("range is available in for loops only")
        args = []
        for n in node.args:
            args += self.items_of(self.visit(n.value)) or self._unknown(n) if isinstance(n, ast.Starred) \
                else [self.visit(n)]
        if any(k.arg is None for k in node.keywords):
            raise NotImplementedError("**kwargs are not available in kernels")
        kwargs = {k.arg: self.visit(k.value) for k in node.keywords}
        if isinstance(f, Method):
            return f.call(self, args, kwargs)
        if not isinstance(f, Constant):
            raise TypeError(f"{self.describe(f)} cannot be called")
        return self.call(f.obj, args, kwargs)

    def call(self, obj, args, kwargs):
        if isinstance(obj, (Builtin, Stored)):
            return obj.emit(self, *args, **kwargs)
        python = getattr(obj, "jit_device_function", None)
        if python is not None:
            return self.call_function(python(), args, kwargs)
        builtin = _BUILTINS.get(obj) if isinstance(obj, (type, types.BuiltinFunctionType)) else None
        if builtin is not None:
            if kwargs:
                raise TypeError(f"{obj.__name__} takes no keyword arguments in kernels")
            return builtin(self, *args)
        dtype = obj if isinstance(obj, np.dtype) else _math.scalar_type(obj)
        if dtype is not None and len(args) == 1 and not kwargs:
            return self.convert(dtype, args[0])
        constant = all(isinstance(v, Constant) for v in [*args, *kwargs.values()])
        special = _special.ufunc_of(obj)
        if special is not None:
            if set(kwargs) - {"dtype"}:
                raise NotImplementedError(f"{special.__name__} with keyword arguments other than dtype is not "
                                          "available in kernels")
            return _special.call(self, special, args, **kwargs)
        composed = _special.composition_of(obj)
        if composed is not None:
            return _special.compose(self, composed, obj, args, kwargs)
        name = _math.function_name(obj)
        if name is not None and not kwargs:
            return self._function_of_constants(obj, name, args) if constant else _math.call(self, name, args)
        if name is not None and set(kwargs) == {"dtype"} and not constant:
            return _math.call_in(self, kwargs["dtype"], name, args)
        if constant and not isinstance(obj, _core.ndarray):
            return Constant(obj(*(v.obj for v in args), **{k: v.obj for k, v in kwargs.items()}))
        if isinstance(obj, types.FunctionType):
            return self.call_function(obj, args, kwargs)
        raise NotImplementedError(f"{getattr(obj, '__name__', None) or type(obj).__name__} is not available in kernels"
                                  + (" with keyword arguments" if name is not None else ""))

    def _function_of_constants(self, obj, name, args):
        obj = getattr(np, name, obj) if isinstance(obj, _core.ufunc) else obj
        result = obj(*(v.obj for v in args))
        if isinstance(result, np.generic) and not any(isinstance(v.obj, np.generic) for v in args):
            result = result.item()
        return Constant(result)

    def call_function(self, func, args, kwargs):
        if kwargs:
            bound = inspect.signature(func).bind(*args, **kwargs)
            bound.apply_defaults()
            args = [v if not isinstance(v, (int, float, complex, str, type(None))) else Constant(v)
                    for v in bound.args]
        args = [v if isinstance(v, (ArrayValue, Constant)) else self.materialize(v) for v in args]
        args = [self.materialize(v) if isinstance(v, Constant) and v.is_number else v for v in args]
        f = self.unit.device_function(func, args)
        codes = []
        for i, kind, axis in f.uses:
            a = args[i]
            if kind == "value":
                codes.append(a.precise[0] if isinstance(a, Value) and a.precise else self.code_as(a, a.type))
            else:
                codes.append(a.code if kind == "data" else a.meta(kind, axis))
        return Value(f"{f.name}({', '.join(map(str, codes))})", f.type)

    def convert(self, dtype, v):
        dtype = canonical(dtype)
        if isinstance(v, Constant) and v.is_number:
            return Constant(dtype.type(v.obj))
        self.unit.c_type(dtype)
        return Value(cast(self.scalar(v, dtype.name), dtype, self.mode), dtype)

    # ---- loops -----------------------------------------------------------------------------------------------------

    def range_of(self, node):
        """(start, stop, step) and the unroll argument of a call of range."""
        if isinstance(node, ast.Call):
            f = self.visit(node.func)
            if isinstance(f, Constant) and any(f.obj is r for r in RANGE):
                args = [self.visit(n) for n in node.args]
                kwargs = {k.arg: self.visit(k.value) for k in node.keywords}
                return range_bounds(f.obj, args, kwargs)
        raise NotImplementedError("a for loop in a kernel runs over range(...) or jit.range(...)")


class _Shifted:
    """The extents of a part of an array: of the dimensions that are left."""

    def __init__(self, meta, by):
        self.meta, self.by = meta, by
        self.key = (getattr(meta, "key", meta), by)

    def __call__(self, kind, axis=0):
        if kind != "size":
            return self.meta(kind, axis + self.by)
        raise NotImplementedError("the size of a part of an array is not available in kernels: multiply its shape")


# ---- Python's own functions ------------------------------------------------------------------------------------------

def _len(fc, v):
    if isinstance(v, ArrayValue):
        if v.type.ndim == 0:
            raise TypeError("len() of an array of no dimensions")
        return fc._extent(v, "shape", 0)
    items = fc.items_of(v)
    if items is None:
        raise TypeError(f"{fc.describe(v)} has no length")
    return Constant(len(items))


def _extreme(name, python):
    def emit(fc, *args):
        if len(args) == 1:
            args = fc.items_of(args[0])
        if not args:
            raise TypeError(f"{python.__name__} needs two numbers at least")
        result = args[0]
        for v in args[1:]:
            if isinstance(result, Constant) and isinstance(v, Constant):
                result = Constant(python(result.obj, v.obj))
                continue
            dtype = promote(fc.mode, fc.scalar(result, python.__name__), fc.scalar(v, python.__name__))
            fc.unit.need(name)
            c = fc.unit.c_type(dtype)
            result = Value(f"jit_{name}<{c}>({cast(result, dtype, fc.mode)}, {cast(v, dtype, fc.mode)})", dtype)
        return result
    return emit


def _through_constants(python, emit):
    def call(fc, *args):
        if all(isinstance(v, Constant) for v in args):
            return Constant(python(*(v.obj for v in args)))
        return emit(fc, *args)
    return call


def _int(fc, v):
    v = fc.scalar(v, "int")
    if v.type.kind in "iu":
        return v
    return fc.convert(INT32 if fc.mode == "cuda" else INT64, v)


def _float(fc, v):
    v = fc.scalar(v, "float")
    return v if v.type.kind == "f" else fc.convert(FLOAT32 if fc.mode == "cuda" else FLOAT64, v)


def _complex(fc, x, y=Constant(0)):
    part = np.dtype("complex64" if fc.mode == "cuda" else "complex128")
    dtype = promote(fc.mode, *(v for v in (x, y) if isinstance(v, Value)))
    part = np.result_type(dtype, part) if dtype.kind == "f" else part
    c, p = fc.unit.c_type(part), FLOAT32 if part.itemsize == 8 else FLOAT64
    if isinstance(y, Constant) and y.obj == 0:
        return Value(cast(x, part, fc.mode), part)
    return Value(f"{c}({cast(x, p, fc.mode)}, {cast(y, p, fc.mode)})", part)


def _round(fc, v):
    return _int(fc, _math.call(fc, "rint", [v]))


def _print(fc, *args):
    values = [fc.scalar(v, "print") for v in args if not (isinstance(v, Constant) and isinstance(v.obj, str))]
    marks = iter("%g" if (v.type if isinstance(v, Value) else literal_dtype(v.obj, fc.mode)).kind == "f" else "%d"
                 for v in values)
    words = [v.obj.replace("%", "%%") if isinstance(v, Constant) and isinstance(v.obj, str) else next(marks)
             for v in args]
    return printf.emit(fc, Constant(" ".join(words) + "\n"), *values)


def _binary_of(op):
    return lambda fc, x, y: fc._binary(op, x, y)


_BUILTINS = {
    builtins.len: _len, builtins.min: _extreme("lesser", min), builtins.max: _extreme("greater", max),
    builtins.abs: _through_constants(abs, lambda fc, v: _math.call(fc, "absolute", [v])),
    builtins.int: _through_constants(int, _int), builtins.float: _through_constants(float, _float),
    builtins.bool: _through_constants(bool, lambda fc, v: Value(cast(fc.scalar(v, "bool"), BOOL, fc.mode), BOOL)),
    builtins.complex: _through_constants(complex, _complex), builtins.round: _through_constants(round, _round),
    builtins.pow: _through_constants(pow, _binary_of(ast.Pow)), builtins.print: _print,
    builtins.divmod: _through_constants(divmod, lambda fc, x, y: TupleValue(
        [fc._binary(ast.FloorDiv, x, y), fc._binary(ast.Mod, x, y)])),
}
