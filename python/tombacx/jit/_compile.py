"""Statements of the kernel language: a Python function becomes a C++ function."""

import ast
import builtins
import contextlib

import numpy as np

from tombacx.jit import _iterator, _math
from tombacx.jit._expression import Expressions
from tombacx.jit._place import Place
from tombacx.jit._types import (
    INT32, INT64, VOID, ArrayValue, Constant, Stored, Tuple, TupleValue, Value, c_name, cast, literal_dtype,
    promote, same_type,
)

_RANK = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


def constant_key(v):
    """What tells a constant argument of a device function from another; None for what is not constant."""
    if not isinstance(v, Constant):
        return None
    try:
        hash(v.obj)
    except TypeError:
        return ("constant", id(v.obj))
    return ("constant", type(v.obj), v.obj)


def c_identifier(name):
    return "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)


class Signature:
    """The parameters of a C++ function: of each Python argument those parts that the function needs."""

    def __init__(self, unit, args):
        self.unit, self.args = unit, args
        self.uses = {}      # (argument, kind, axis) -> (C type, C name), in order of first use
        self.names = None

    def bind(self, names, assigned):
        """What the function's body sees under each of the names. Those that it assigns to are variables beside them."""
        self.names = [c_identifier(n) + ("_given" if n in assigned else "_") for n in names]
        return [self._bound(i, a) for i, a in enumerate(self.args)]

    def _use(self, i, kind, axis, c_type, name):
        return self.uses.setdefault((i, kind, axis), (c_type, name))[1]

    def _bound(self, i, a):
        name = self.names[i]
        if isinstance(a, ArrayValue):
            return ArrayValue(_Late(lambda: self._use(i, "data", 0, self.unit.c_type(a.type.dtype) + " *", name)),
                              a.type, self._meta(i, a, name))
        if isinstance(a, Constant):
            return a
        if isinstance(a.type, (Stored, Tuple)):
            return self._late_value(i, a.type, name)
        if isinstance(a.type, np.dtype):
            if a.precise is not None:
                wide = a.precise[1]
                code = _Late(lambda: self._use(i, "value", 0, self.unit.c_type(wide) + " ", name))
                narrow = _Late(lambda: cast(Value(str(code), wide), a.type, self.unit.mode))
                return Value(narrow, a.type, (code, wide))
            return self._late_value(i, a.type, name)
        return a

    def _late_value(self, i, type, name):
        return Value(_Late(lambda: self._use(i, "value", 0, self.unit.c_type(type) + " ", name)), type)

    def _meta(self, i, a, name):
        def meta(kind, axis=0):
            if a.type.shape is not None:
                return a.meta(kind, axis)
            c_type = "long long " if a.type.wide else "int "
            return self._use(i, kind, axis, c_type, f"{name}_{kind}{axis if kind != 'size' else ''}")
        return meta

    def parameters(self):
        return [c_type + name for c_type, name in self.uses.values()]


class _Late:
    """Code whose text is made, and noted as used, when it is asked for."""

    def __init__(self, make):
        self.make = make

    def __str__(self):
        return self.make()

    def __format__(self, spec):
        return self.make()


class FunctionCompiler(Expressions):
    """The translation of one Python function for one list of argument types."""

    def __init__(self, unit, func, signature, kernel, ret=None):
        self.unit, self.mode, self.func, self.signature = unit, unit.mode, func, signature
        self.kernel, self.ret = kernel, ret
        self.place = Place(func)
        self.c_name = c_identifier(func.__name__) if func.__name__.isidentifier() else "lambda"
        self.env, self.declared, self.lines, self.depth = {}, [], [], 1
        self.returned = []
        self.loop_names = set()
        self.free = self._free_variables()
        self._scan()

    def _free_variables(self):
        cells = self.func.__closure__ or ()
        found = {}
        for name, cell in zip(self.func.__code__.co_freevars, cells):
            with contextlib.suppress(ValueError):  # not assigned yet
                found[name] = cell.cell_contents
        return found

    def _scan(self):
        """How often each local name is bound, and which are read outside the for loops that bind them."""
        self.bound, self.read_outside = {}, set()

        def walk(node, loops):
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Store):
                    self.bound[node.id] = self.bound.get(node.id, 0) + 1
                elif node.id not in loops:
                    self.read_outside.add(node.id)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self.bound[node.target.id] = self.bound.get(node.target.id, 0) + 1
            elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                self.bound[node.target.id] = self.bound.get(node.target.id, 0) + 1  # twice: never a constant
                loops = loops | {node.target.id}
            for child in ast.iter_child_nodes(node):
                walk(child, loops)
        body = self.place.node.body
        for stmt in body if isinstance(body, list) else []:
            walk(stmt, frozenset())

    def compile(self):
        node = self.place.node
        a = node.args
        if a.vararg or a.kwarg or a.kwonlyargs:
            raise self.place.error(NotImplementedError("*args, **kwargs and keyword-only parameters are not available "
                                                       "in kernels"), node if hasattr(node, "lineno") else a)
        names = [p.arg for p in a.posonlyargs + a.args]
        defaults = self.func.__defaults__ or ()
        args = self.signature.args
        if not len(names) - len(defaults) <= len(args) <= len(names):
            count = str(len(names)) if not defaults else f"{len(names) - len(defaults)} to {len(names)}"
            raise TypeError(f"{self.func.__name__} takes {count} arguments, and {len(args)} are given")
        for name, value in zip(names, self.signature.bind(names, self.bound)):
            self._bind_parameter(name, value)
        for name, default in list(zip(reversed(names), reversed(defaults)))[:len(names) - len(args)]:
            self._bind_parameter(name, Constant(default))
        if isinstance(node, ast.Lambda):
            self._guard(node.body, lambda: self._return(self.visit(node.body)))
        else:
            self.block(node.body)

    def _bind_parameter(self, name, value):
        self.env[name] = value
        if isinstance(value, TupleValue) or not isinstance(value, (Value, Constant)) or name not in self.bound:
            return
        if isinstance(value, Constant) and not value.is_number:
            return
        # A parameter that is assigned to is a variable.
        del self.env[name]
        self.bound[name] += 1
        self._assign_name(name, value)

    def result_type(self):
        if not self.returned:
            return VOID
        first = self.returned[0]
        if self.ret is not None:
            return self.ret
        if all(isinstance(t, np.dtype) for t in self.returned):
            return promote(self.mode, *(Value("", t) for t in self.returned)) if any(
                t != first for t in self.returned) else first
        for t in self.returned:
            if not same_type(t, first):
                raise TypeError(f"{self.func.__name__} returns {first} in one place and {t} in another")
        return first

    def text(self):
        return "".join(f"    {d};\n" for d in self.declared) + "".join(self.lines)

    def emit(self, line):
        self.lines.append("    " * self.depth + line + "\n")

    def declare(self, c_type, name):
        taken = {d.split()[-1].lstrip("*") for d in self.declared} | {n for _, n in self.signature.uses.values()}
        new, i = name, 2
        while new in taken:
            new, i = f"{name}{i}", i + 1
        self.declared.append(f"{c_type} {new}")
        return new

    # ---- statements --------------------------------------------------------------------------------------------------

    def _guard(self, node, do):
        """Errors get the place of the innermost node that they come from."""
        try:
            return do()
        except Exception as e:
            if getattr(e, "jit_place", None) is self.place:
                raise
            new = self.place.error(e, node)
            new.jit_place = self.place
            raise new from None

    def block(self, statements):
        for stmt in statements:
            method = getattr(self, "stmt_" + type(stmt).__name__, None)
            self._guard(stmt, (lambda: method(stmt)) if method else (lambda: self._unknown(stmt)))

    def _unknown(self, node):
        names = {"FunctionDef": "a nested function", "With": "with", "Try": "try", "Raise": "raise", "Import": "import",
                 "ImportFrom": "import", "Delete": "del", "ClassDef": "class", "Global": "global", "Match": "match",
                 "Nonlocal": "nonlocal", "ListComp": "a list comprehension", "Lambda": "lambda", "Yield": "yield",
                 "GeneratorExp": "a generator expression", "Dict": "a dict", "Set": "a set", "List": "a list",
                 "JoinedStr": "an f-string", "NamedExpr": "':='", "Slice": "a slice", "Starred": "'*'",
                 "Await": "await", "DictComp": "a dict comprehension", "SetComp": "a set comprehension"}
        kind = type(node).__name__
        raise NotImplementedError(f"{names.get(kind, kind)} is not available in kernels")

    @contextlib.contextmanager
    def braces(self, head):
        self.emit(f"{head} {{".lstrip())
        self.depth += 1
        yield
        self.depth -= 1
        self.emit("}")

    def stmt_Pass(self, node):
        pass

    def stmt_Break(self, node):
        self.emit("break;")

    def stmt_Continue(self, node):
        self.emit("continue;")

    def stmt_Expr(self, node):
        if isinstance(node.value, ast.Constant):
            return  # a docstring, or ...
        v = self.visit(node.value)
        if isinstance(v, Value) and str(v.code):
            self.emit(f"{v.code};")

    def stmt_Return(self, node):
        self._return(Constant(None) if node.value is None else self.visit(node.value))

    def _return(self, v):
        if isinstance(v, Constant) and v.obj is None or isinstance(v, Value) and v.type is VOID:
            if isinstance(v, Value):
                self.emit(f"{v.code};")
            if self.returned or self.ret is not None and self.ret is not VOID:
                raise TypeError(f"{self.func.__name__} returns a value in one place and nothing in another")
            self.emit("return;")
            return
        if self.kernel:
            raise TypeError("a kernel returns nothing: write the result into an array")
        v = self.materialize(v)
        if isinstance(v, (ArrayValue, Constant)) or not isinstance(v.type, (np.dtype, Stored, Tuple)):
            raise TypeError("a function in a kernel returns numbers, iterators and tuples of them, not "
                            f"{self.describe(v)}")
        self.returned.append(v.type)
        self.emit(f"return {self.code_as(v, self.ret if self.ret is not None else v.type)};")

    def stmt_If(self, node):
        test = self.condition(node.test)
        if isinstance(test, Constant):
            self.block(node.body if test.obj else node.orelse)
            return
        with self.braces(f"if ({test})"):
            self.block(node.body)
        if node.orelse:
            with self.braces("else"):
                self.block(node.orelse)

    def stmt_While(self, node):
        if node.orelse:
            raise NotImplementedError("while ... else is not available in kernels")
        test = self.condition(node.test)
        if isinstance(test, Constant):
            test = "true" if test.obj else "false"
        with self.braces(f"while ({test})"):
            self.block(node.body)

    def stmt_Assert(self, node):
        test = self.condition(node.test)
        if isinstance(test, Constant):
            assert test.obj, f"the assertion is false: {ast.unparse(node.test)}"
            return
        message = self.visit(node.msg).obj if node.msg is not None else ast.unparse(node.test)
        where = f"{self.place.file}:{node.lineno + self.place.shift}: assertion failed: {message}\n"
        with self.braces(f"if (!({test}))"):
            self.emit(f"printf(\"%s\", {self.c_string(where)});")
            self.emit("__trap();")

    def stmt_Assign(self, node):
        v = self.visit(node.value)
        if len(node.targets) > 1:
            v = self._held(v)
        for target in node.targets:
            self._assign(target, v)

    def stmt_AnnAssign(self, node):
        if node.value is not None:
            self._assign(node.target, self.visit(node.value))

    def stmt_AugAssign(self, node):
        op = type(node.op)
        if isinstance(node.target, ast.Name):
            old = self.lookup(node.target.id)
            if _iterator.is_iterator(old):
                self._assign_name(node.target.id, self._binary(op, old, self.visit(node.value)))
                return
            if not (isinstance(old, Value) and old.is_scalar):
                raise TypeError(f"{_math.sign_of(op)}= needs a number, and {node.target.id} is {self.describe(old)}")
            new = self._updated(op, old, self.visit(node.value), node.target.id)
            self.emit(f"{old.code} = {new};")
            return
        if not isinstance(node.target, ast.Subscript):
            self._unassignable(node.target)
        element = self._element(node.target)
        name = f"element{self.unit.number()}"
        with self.braces(""):
            self.emit(f"{self.unit.c_type(element.type)} &{name} = {element.code};")
            new = self._updated(op, Value(name, element.type), self.visit(node.value), ast.unparse(node.target))
            self.emit(f"{name} = {new};")

    def _updated(self, op, old, value, what):
        if not (isinstance(value, Constant) and value.is_number or isinstance(value, Value) and value.is_scalar):
            raise TypeError(f"{_math.sign_of(op)}= needs a number, not {self.describe(value)}")
        new = _math.binary(self, op, old, value)
        if _RANK[new.type.kind] > _RANK[old.type.kind]:
            raise TypeError(f"{what} is {old.type} and cannot become {new.type}: make it {new.type} where it is first "
                            f"assigned, or convert the right-hand side")
        return cast(new, old.type, self.mode)

    def stmt_For(self, node):
        if node.orelse:
            raise NotImplementedError("for ... else is not available in kernels")
        if not isinstance(node.target, ast.Name):
            raise NotImplementedError("the target of a for loop in a kernel is a name")
        bounds, unroll = self.range_of(node.iter)
        start, stop, step = bounds
        dtype = self._loop_dtype(bounds)
        one = isinstance(step, Constant) and abs(step.obj) == 1
        wide = dtype if one or dtype.name == "uint64" else INT64
        number, t = self.unit.number(), c_name(wide)
        it, end, by = f"it{number}", f"end{number}", f"by{number}"
        head = f"{t} {it} = {self.widened(start, dtype, wide)}, {end} = {self.widened(stop, dtype, wide)}"
        if isinstance(step, Constant):
            test = f"{it} {'<' if step.obj > 0 else '>'} {end}"
            move = f"{it} {'+' if step.obj > 0 else '-'}= {abs(step.obj)}"
        else:
            head += f", {by} = {self.widened(step, dtype, wide)}"
            unsigned = dtype.kind == "u" and step.type.kind in "bu"
            test = f"{it} < {end}" if unsigned else f"{by} >= 0 ? {it} < {end} : {it} > {end}"
            move = f"{it} += {by}"
        variable = self._loop_variable(node.target.id, dtype)
        if unroll is not None:
            self.emit("#pragma unroll" if unroll is True else f"#pragma unroll {int(unroll) or 1}")
        with self.braces(f"for ({head}; {test}; {move})"):
            cast_it = it if wide == dtype else f"({c_name(dtype)}){it}"
            self.emit(f"{variable} = {cast_it};")
            self.block(node.body)

    def widened(self, v, dtype, wide):
        """v as the loop's dtype would hold it, in the type that the iteration is done in."""
        if isinstance(v, Constant):
            return cast(v, wide, self.mode)
        return cast(Value(cast(v, dtype, self.mode), dtype), wide, self.mode)

    def _loop_dtype(self, bounds):
        start, stop, step = bounds
        for what, v in zip(("start", "stop", "step"), bounds):
            dtype = v.type if isinstance(v, Value) else literal_dtype(v.obj, self.mode) if v.is_number else None
            if dtype is None or not isinstance(dtype, np.dtype) or dtype.kind not in "iub":
                raise TypeError(f"range: {what} must be an integer, not {self.describe(v)}")
        if isinstance(step, Constant) and step.obj == 0:
            raise ValueError("range: step must not be 0")
        types = [v.type if isinstance(v, Value) else literal_dtype(v.obj, self.mode) for v in (stop, start)]
        dtype = types[0] if self.mode == "cuda" and types[1].itemsize <= types[0].itemsize else types[1]
        if self.mode != "cuda":
            dtype = promote(self.mode, *bounds)
        if dtype.kind == "b":
            dtype = INT32
        negative = any(isinstance(v, Constant) and v.obj < 0 for v in (start, stop))
        return INT64 if dtype.kind == "u" and negative else dtype

    def _loop_variable(self, name, dtype):
        old = self.env.get(name)
        if old is None or isinstance(old, Value) and old.type != dtype and name in self.loop_names \
                and name not in self.read_outside:
            new = self.declare(self.unit.c_type(dtype), c_identifier(name) + "_")
            self.env[name] = Value(new, dtype, weak=self.mode == "numpy")  # range gives Python's integers
            self.loop_names.add(name)
            return new
        if not (isinstance(old, Value) and old.is_scalar) or old.type != dtype:
            raise TypeError(f"the loop variable {name} is {self.describe(old)} from before, and this range is {dtype}: "
                            "use another name, or convert the bounds")
        return old.code

    # ---- assignment --------------------------------------------------------------------------------------------------

    def _unassignable(self, target):
        if isinstance(target, ast.Attribute):
            raise NotImplementedError("attributes cannot be assigned to in kernels")
        self._unknown(target)

    def _assign(self, target, v):
        if isinstance(target, ast.Name):
            self._assign_name(target.id, v)
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = self.items_of(v)
            if items is None:
                raise TypeError(f"{self.describe(v)} cannot be unpacked")
            if len(items) != len(target.elts):
                raise ValueError(f"{len(items)} values cannot be unpacked to {len(target.elts)} names")
            if isinstance(v, Value):
                items = self.items_of(self._held(v))
            elif len(items) > 1:
                items = [self._held(item) for item in items]
            for t, item in zip(target.elts, items):
                self._assign(t, item)
        elif isinstance(target, ast.Subscript):
            element = self._element(target)
            if isinstance(v, Constant) and not v.is_number or isinstance(v, (ArrayValue, TupleValue)):
                raise TypeError(f"an element of dtype {element.type} cannot be {self.describe(v)}")
            if isinstance(v, Value) and not v.is_scalar:
                raise TypeError(f"an element of dtype {element.type} cannot be {self.describe(v)}")
            self.emit(f"{element.code} = {cast(v, element.type, self.mode)};")
        else:
            self._unassignable(target)

    def _element(self, node):
        element = self.visit(node)
        if isinstance(element, ArrayValue):
            raise IndexError(f"{ast.unparse(node)} has {element.type.ndim} dimension"
                             f"{'s' * (element.type.ndim > 1)} left: only elements can be assigned to")
        base = self.visit(node.value)
        is_fixed = isinstance(base, TupleValue) or _iterator.is_iterator(base) and not base.type.is_writable
        if is_fixed or not (isinstance(element, Value) and element.is_scalar):
            raise TypeError(f"{ast.unparse(node)} cannot be assigned to")
        return element

    def _held(self, v):
        """v in variables of its own, so that it keeps its value whatever is assigned afterwards."""
        if isinstance(v, TupleValue):
            return TupleValue([self._held(item) for item in v.items])
        if isinstance(v, Value) and isinstance(v.type, (np.dtype, Stored, Tuple)):
            name = self.declare(self.unit.c_type(v.type), f"held{self.unit.number()}")
            self.emit(f"{name} = {v.code};")
            return Value(name, v.type)
        if isinstance(v, ArrayValue):
            name = self.declare(f"{self.unit.c_type(v.type.dtype)} *", f"held{self.unit.number()}")
            self.emit(f"{name} = {v.code};")
            return ArrayValue(name, v.type, v.meta)
        return v

    def _assign_name(self, name, v):
        old = self.env.get(name)
        if isinstance(v, Value) and isinstance(v.type, Tuple):
            v = TupleValue(self.items_of(self._held(v)))
        elif isinstance(v, TupleValue) and old is not None:
            v = self._held(v)
        if isinstance(v, Constant) and self.bound.get(name, 0) <= 1 and old is None:
            self.env[name] = v
            return
        if isinstance(v, Constant) and v.is_number and isinstance(old, Value) and old.is_scalar and \
                self._takes(old.type, v.obj):
            v = Value(cast(v, old.type, self.mode), old.type)
        v = self.materialize(v)
        if isinstance(v, Value) and v.type is VOID:
            raise TypeError(f"{name} would be nothing: the function on the right returns no value")
        self.env[name] = self._store(c_identifier(name) + "_", name, old, v)

    def _takes(self, dtype, x):
        """Whether a variable of that dtype can be assigned the number x of the source: 0 to a float, not 0.5 to an
        int."""
        kind = literal_dtype(x, self.mode).kind
        if kind == "b" or dtype.kind == "b":
            return kind == dtype.kind
        if kind in "iu" and dtype.kind in "iu":
            return np.iinfo(dtype).min <= x <= np.iinfo(dtype).max
        return not isinstance(x, np.generic) and _RANK[kind] <= _RANK[dtype.kind]

    def _store(self, c, name, old, v):
        """Assigns v to the C variable c (or those that begin with c), which is made if `old` is None."""
        if old is not None and not isinstance(old, Constant) and not same_type(old.type, v.type):
            raise TypeError(f"Data type mismatch of variable: {name} is {self.describe(old)} and cannot become "
                            f"{self.describe(v)}: the first assignment decides the type; convert the value, or use "
                            "another name")
        if isinstance(old, Constant):
            raise TypeError(f"{name} is the constant {old.obj!r} and cannot be assigned again")
        if isinstance(v, TupleValue):
            parts = old.items if old is not None else [None] * len(v.items)
            c = c if c.endswith("_") else c + "_"
            return TupleValue([self._store(f"{c}{i}", f"{name}[{i}]", part, item)
                               for i, (part, item) in enumerate(zip(parts, v.items))])
        if isinstance(v, ArrayValue):
            return self._store_array(c, name, old, v)
        if not isinstance(v.type, (np.dtype, Stored)):  # a group or a dim3: nothing to store
            return v
        target = old.code if old is not None else self.declare(self.unit.c_type(v.type), c)
        self.emit(f"{target} = {v.code};")
        return old if old is not None else Value(target, v.type)

    def _store_array(self, c, name, old, v):
        if old is not None and v.type.shape is None and old.meta is not v.meta and \
                getattr(old.meta, "key", old.meta) != getattr(v.meta, "key", v.meta):
            raise TypeError(f"{name} is a part of another array already: use another name")
        if old is None and self.bound.get(name, 0) <= 1 and not isinstance(v.code, _Late) and v.code.isidentifier():
            return v
        target = old.code if old is not None else self.declare(f"{self.unit.c_type(v.type.dtype)} *", c)
        self.emit(f"{target} = {v.code};")
        return ArrayValue(target, v.type, v.meta)

    def lookup(self, name):
        if name in self.env:
            return self.env[name]
        if name in self.bound:
            raise NameError(f"variable {name} is used before it is assigned")
        for scope in (self.free, self.func.__globals__, vars(builtins)):
            if name in scope:
                return Constant(scope[name])
        raise NameError(f"name {name} is not defined")

