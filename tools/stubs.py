"""Writes the stubs (.pyi) of tombac's and tombacx' public modules beside their sources.

    python tools/stubs.py              writes them
    python tools/stubs.py --check      says which are not what they should be, and exits with 1

Signatures are those that inspect finds, in Python and in C. What functions return is read from their docstrings
("Returns: An array ..."), and from tables below for methods in C; where neither says it, it is Any. Parameters get the
types of their defaults, or those that their names stand for everywhere. Runs with the tombac that the environment
imports.
"""

import enum
import importlib
import inspect
import pathlib
import pkgutil
import re
import sys
import textwrap
import types

from stub_types import IGNORED, MEMBER_TYPES, PARAMETERS, RETURNS, WIDER, WRITABLE, default_type, returned

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "python"
HEAD = '''# Made by tools/stubs.py of the signatures and docstrings of {0}.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt
'''
# What a class has that says nothing to a type checker.
SILENT = {
    "__annotations__", "__class__", "__delattr__", "__dict__", "__dir__", "__doc__", "__firstlineno__", "__format__",
    "__getattribute__", "__getnewargs__", "__getstate__", "__init_subclass__", "__module__",
    "__reduce__", "__reduce_ex__", "__repr__", "__setattr__", "__setstate__", "__sizeof__", "__slots__",
    "__static_attributes__", "__str__", "__subclasshook__", "__vectorcalloffset__", "__weakref__",
    "__hash__", "__orig_bases__", "__parameters__", "__type_params__", "__dictoffset__",
    "__weaklistoffset__", "__basicsize__", "__text_signature__",
}


def public_modules():
    """Names of all modules but private ones."""
    for package in ("tombac", "tombacx"):
        yield package
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
            parts = module.name.split(".")
            if not any(p.startswith("_") for p in parts) and parts[-1] != "libtombac":
                yield module.name


def public_names(module):
    names = getattr(module, "__all__", None)
    if names is None:
        names = [n for n in vars(module) if not n.startswith("_")]
    return sorted(set(names) | ({n for n in dir(module) if n in vars(module)} - _hidden(module)))


def _hidden(module):
    """What a module has of others: private names, and what is imported for its own use."""
    exported = set(getattr(module, "__all__", ()))
    return {n for n in vars(module) if n not in exported}


class Homes:
    """Where a class is defined for a type checker: the one of the public modules with it that comes first."""

    def __init__(self, modules):
        self.of = {}
        for module in sorted(modules, key=lambda m: (m.__name__.count("."), m.__name__)):
            for name in public_names(module):
                o = getattr(module, name, None)
                if isinstance(o, type) and str(o.__module__).partition(".")[0] in ("tombac", "tombacx"):
                    self.of.setdefault(o, (module.__name__, name))
        for module in modules:  # but in the module that it names, if it is there
            for name in public_names(module):
                o = getattr(module, name, None)
                if isinstance(o, type) and o in self.of and (o.__module__, o.__name__) == (module.__name__, name):
                    self.of[o] = (module.__name__, name)


# ---- signatures ------------------------------------------------------------------------------------------------------


def literal(value):
    simple = value is None or isinstance(value, (bool, str, int)) or (isinstance(value, float) and value == value and
                                                                      abs(value) != float("inf"))
    return repr(value) if simple and type(value) in (bool, str, int, float, type(None)) else "..."


def parameter(p, is_method, owner):
    text = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
    if is_method and p.name in ("self", "cls"):
        return text
    kind = PARAMETERS.get(p.name)
    if (owner, p.name) in WIDER or (p.default is None and kind == "builtins.bool"):
        kind = "_typing.Any"
    elif not kind or (isinstance(p.default, int) and kind.startswith("builtins.str")):  # a name of several meanings
        kind = default_type(p.default if p.default is not p.empty else None)
    if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
        kind = "_typing.Any"
    return f"{text}: {kind}" + ("" if p.default is p.empty else f" = {literal(p.default)}")


def parameters(signature, is_method=False, owner=""):
    """The list of parameters between the parentheses, with the bars for positional and keyword-only ones."""
    parts, seen_slash, seen_star = [], False, False
    rows = list(signature.parameters.values())
    for i, p in enumerate(rows):
        if p.kind is p.KEYWORD_ONLY and not seen_star:
            parts.append("*")
            seen_star = True
        seen_star = seen_star or p.kind is p.VAR_POSITIONAL
        parts.append(parameter(p, is_method and i == 0, owner))
        last = i + 1 == len(rows) or rows[i + 1].kind is not p.POSITIONAL_ONLY
        if p.kind is p.POSITIONAL_ONLY and last and not seen_slash:
            parts.append("/")
            seen_slash = True
    return ", ".join(parts)


def signature_of(f):
    try:
        return inspect.signature(f)
    except (TypeError, ValueError):
        return None


def function(name, f, ret=None, indent="", decorator="", is_method=False):
    signature = signature_of(f)
    inside = parameters(signature, is_method, name) if signature else \
        ("self, " if is_method else "") + "*args: _typing.Any, **kwargs: _typing.Any"
    if is_method and signature and not signature.parameters:
        inside = "self"
    ret = ret or returned(inspect.getdoc(f) or "") or "_typing.Any"
    return f"{indent}{decorator}def {name}({inside}) -> {ret}: ..."


# ---- classes ---------------------------------------------------------------------------------------------------------


def property_lines(cls, name, kind):
    yield "    @property"
    yield f"    def {name}(self) -> {kind}: ..."
    if name in WRITABLE.get(cls.__name__, ()):
        yield f"    @{name}.setter"
        yield f"    def {name}(self, value: _typing.Any) -> None: ..."


def member(cls, name, value):
    """Lines of one member of a class."""
    kind = MEMBER_TYPES.get(f"{cls.__name__}.{name}") or MEMBER_TYPES.get(name)
    if name == "__new__":
        # A type in C: what its docstring says, or anything.
        signature = signature_of(cls)
        inside = parameters(signature) if signature else "*args: _typing.Any, **kwargs: _typing.Any"
        yield f"    def __new__(cls{', ' * bool(inside)}{inside}) -> _typing.Self: ..."
    elif name == "__init__" and isinstance(value, types.WrapperDescriptorType):
        signature = signature_of(cls)
        inside = parameters(signature) if signature else "*args: _typing.Any, **kwargs: _typing.Any"
        yield f"    def __init__(self{', ' * bool(inside)}{inside}) -> None: ..."
    elif isinstance(value, (staticmethod, classmethod)) or type(value).__name__ == "classmethod_descriptor":
        static = isinstance(value, staticmethod)
        f = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
        signature = signature_of(getattr(cls, name))
        inside = parameters(signature) if signature else "*args: _typing.Any, **kwargs: _typing.Any"
        first = "" if static else "cls" + ", " * bool(inside)
        ret = kind or returned(inspect.getdoc(f) or "") or "_typing.Any"
        yield f"    @{'staticmethod' if static else 'classmethod'}"
        yield f"    def {name}({first}{inside}) -> {ret}: ..."
    elif isinstance(value, (property, types.GetSetDescriptorType, types.MemberDescriptorType)):
        if isinstance(value, property) and value.fset is not None:
            yield f"    {name}: {kind or '_typing.Any'}"
        else:
            yield from property_lines(cls, name, kind or "_typing.Any")
    elif callable(value) and not isinstance(value, type):
        ignored = IGNORED.get(f"{cls.__name__}.{name}")
        yield function(name, value, kind, "    ", is_method=True) + (f"  # type: ignore[{ignored}]" if ignored else "")
    else:
        yield f"    {name}: {kind or default_type(value)}"


def own_members(cls, homes):
    """{name: value} of a class and of its private bases; hidden are those that say nothing."""
    found = {}
    for c in cls.__mro__:
        if c is not cls and (c in homes.of or c.__module__.partition(".")[0] not in ("tombac", "tombacx")):
            break
        for name, value in vars(c).items():
            private = name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
            if name not in SILENT and not private:
                found.setdefault(name, value)
    return found


def set_in_code(cls):
    """Attributes that methods give to instances."""
    try:
        text = inspect.getsource(cls)
    except (OSError, TypeError):
        return set()
    targets = re.findall(r"\b(self\.\w+(?:, self\.\w+)*) = ", text)
    return {name for row in targets for name in re.findall(r"self\.([a-z]\w*)", row)}


def class_lines(name, cls, module, homes):
    bases = []
    for base in cls.__bases__:
        if base in homes.of:
            where, called = homes.of[base]
            bases.append(called if where == module else f"{where}.{called}")
        elif base.__module__ == "builtins" and base is not object:
            bases.append("builtins.dict[builtins.str, _typing.Any]" if base is dict else f"builtins.{base.__name__}")
    if name == "ufunc":
        bases = ["_typing.Generic[_R]"]
    if not cls.__flags__ & (1 << 10):
        yield "@_typing.final"
    yield f"class {name}{'(' + ', '.join(bases) + ')' if bases else ''}:"
    members = own_members(cls, homes)
    lines = [f"    {n}: {MEMBER_TYPES.get(f'{name}.{n}', '_typing.Any')}"
             for n in sorted(set_in_code(cls) - set(members))]
    if vars(cls).get("__hash__", 0) is None:
        lines.append("    __hash__: _typing.ClassVar[None]  # type: ignore[assignment]")
    for n in sorted(members):
        lines += member(cls, n, members[n])
    if name == "ufunc":
        lines = [line.replace("def __call__(self, *args: _typing.Any, **kwargs: _typing.Any) -> _typing.Any",
                              "def __call__(self, *args: _typing.Any, **kwargs: _typing.Any) -> _R") for line in lines]
    yield from lines or ["    ..."]


# ---- modules ---------------------------------------------------------------------------------------------------------


def numpy_path(name, o):
    """module and name of what NumPy has, for an import; None for objects of others."""
    if name in sys.modules["numpy.typing"].__all__ and getattr(sys.modules["numpy.typing"], name) is o:
        return "numpy.typing", name
    name, module = getattr(o, "__name__", None), str(getattr(o, "__module__", ""))
    for place in ("numpy", "numpy.exceptions", "numpy.linalg", "numpy.typing", module):
        if name and place.partition(".")[0] == "numpy" and vars(sys.modules.get(place, types)).get(name) is o:
            return place, name
    return None


def name_lines(name, o, module, homes):
    """How a stub says what a name of a module is: (imports, lines)."""
    if inspect.ismodule(o):
        parent, _, last = o.__name__.rpartition(".")
        return [f"from {parent} import {last} as {name}"], []
    if isinstance(o, type) and o in homes.of:
        where, called = homes.of[o]
        if (where, called) == (module, name) and issubclass(o, enum.IntEnum):
            return ["import enum as _enum"], [f"class {name}(_enum.IntEnum):", *(f"    {e.name} = {e:d}" for e in o)]
        if (where, called) == (module, name):
            return [], list(class_lines(name, o, module, homes))
        return ([f"from {where} import {called} as {name}"], []) if where != module else ([], [f"{name} = {called}"])
    path = numpy_path(name, o)
    if path:
        return [f"from {path[0]} import {path[1]} as {name}"], []
    if isinstance(o, type):
        return [f"from {o.__module__} import {o.__name__} as {name}"], []
    if type(o).__name__ == "ufunc" and type(o).__module__ == "tombac":
        prefix = "" if module == "tombac" else "tombac."
        ret = RETURNS[o.nout].replace("tombac.", prefix) if prefix == "" else RETURNS[o.nout]
        return [], [f"{name}: {prefix}ufunc[{ret}]"]
    if str(type(o).__module__).startswith("tombacx.scipy"):  # an object of a private class, such as a distribution
        return [], [f"{name}: _typing.Any"]
    if callable(o) and signature_of(o) and not isinstance(o, (types.GenericAlias, types.UnionType)):
        return [], [function(name, o)]
    return [], [f"{name}: {default_type(o)}"]


def stub(module, homes):
    m = importlib.import_module(module)
    imports, bodies = set(), []
    for name in public_names(m):
        more, lines = name_lines(name, getattr(m, name), module, homes)
        imports |= set(more)
        bodies.append("\n".join(lines))
    if module == "tombac":
        imports |= {"from {0} import {2} as {name}".format(*path.rpartition("."), name=name)
                    for name, path in m._MODULES.items()}
        bodies.insert(0, '_R = _typing.TypeVar("_R", covariant=True)')
        bodies.append("__version__: builtins.str")
    if module == "tombacx":
        imports |= {f"from tombacx import {n} as {n}" for n in sorted(m._MODULES)}
    if "__all__" in vars(m):
        names = textwrap.wrap(", ".join(f'"{n}"' for n in sorted(m.__all__)), 116)
        bodies.append("__all__ = [\n" + "".join(f"    {line}\n" for line in names) + "]")
    body = "\n".join(b for b in bodies if b)
    if module == "tombac":
        body = re.sub(r"\btombac\.(ndarray|ufunc)\b", r"\1", body)
    head = HEAD.format(module)
    others = {w for w in re.findall(r"\b(tombacx?(?:\.[a-z]\w*)*)\.[A-Za-z]\w*", body)} - {module}
    head += "".join(f"import {o}\n" for o in sorted(others))
    return head + "".join(f"{line}\n" for line in sorted(imports)) + "\n" + body + "\n"


def main():
    names = list(public_modules())
    for n in names:
        module = importlib.import_module(n)
        for name in dir(module):
            getattr(module, name, None)
    homes = Homes([importlib.import_module(n) for n in names])
    old = []
    for n in names:
        m = importlib.import_module(n)
        path = SOURCE / n.replace(".", "/")
        path = path / "__init__.pyi" if hasattr(m, "__path__") else path.with_suffix(".pyi")
        text = stub(n, homes)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        old.append(path.relative_to(SOURCE.parent))
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    if "--check" in sys.argv and old:
        sys.exit("\n".join(f"{p} is old: run tools/stubs.py" for p in old))


if __name__ == "__main__":
    main()
