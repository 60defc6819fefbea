"""Recurrences as CUDA C++: what a function does to attributes of objects, written down.

A step of a solver computes some fifty numbers from some twenty, and a few vectors element by element. So that this is
said once, for the host and for a kernel, the function runs with attributes that note each operation; what they noted
are lines of the kernel.
"""

import math
import re
from types import SimpleNamespace

from tombac import _core
from tombac._numpy import np

__all__ = ["HOST", "State", "elements"]


class _Number:
    """A number of which only its name in a kernel is known, and the lines of the kernel, to which operations add."""

    def __init__(self, lines, text):
        self.lines, self.name = lines, f"t{len(lines)}"
        lines.append(f"const auto {self.name} = {text};")

    def with_other(self, pattern, other):
        return _Number(self.lines, pattern.format(self.name, _text(other)))

    def with_none(self, pattern):
        return _Number(self.lines, pattern.format(self.name))

    def __pow__(self, exponent):
        assert exponent == 2
        return self * self

    def __neg__(self):
        return self.with_none("-{}")

    def __abs__(self):
        return self.with_none("magnitude({})")


def _operator(pattern):
    return lambda self, other: self.with_other(pattern, other)


for _name, _sign in {"add": "+", "sub": "-", "mul": "*", "truediv": "/"}.items():
    setattr(_Number, f"__{_name}__", _operator(f"{{0}} {_sign} {{1}}"))
    setattr(_Number, f"__r{_name}__", _operator(f"{{1}} {_sign} {{0}}"))
for _name, _sign in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}.items():
    setattr(_Number, f"__{_name}__", _operator(f"{{0}} {_sign} {{1}}"))


def _text(x):
    if isinstance(x, _Number):
        return x.name
    return "-log(0.0)" if x == math.inf else f"({float(x)!r})"


def _where(condition, a, b):
    return _Number(condition.lines, f"{condition.name} ? {_text(a)} : {_text(b)}")


# Functions of single numbers: on the host, and of those that are written down.
HOST = SimpleNamespace(where=lambda condition, a, b: a if condition else b, hypot=np.hypot, sqrt=np.sqrt, sign=np.sign,
                       maximum=max, minimum=min)
KERNEL = SimpleNamespace(where=_where, hypot=lambda a, b: a.with_other("hypot({}, {})", b),
                         sqrt=lambda a: a.with_none("sqrt({})"),
                         sign=lambda a: a.with_none("{0} > 0 ? 1 : {0} < 0 ? -1 : {0}"),
                         maximum=lambda a, b: _where(b > a, b, a), minimum=lambda a, b: _where(b < a, b, a))


def _joined(lines, ends):
    """The last lines, and those of the others that they need."""
    needed, kept = set(re.findall(r"\bt\d+\b", " ".join(ends))), []
    for i, line in reversed([*enumerate(lines)]):
        if f"t{i}" in needed:
            needed.update(re.findall(r"\bt\d+\b", line))
            kept.append(line)
    return "\n".join([*reversed(kept), *ends])


class State:
    """Those attributes of some objects that are np.float64, in one order; in an object whose ``f`` says where functions
    of numbers are."""

    def __init__(self, owner, *parts):
        self.owner, owners = owner, (owner, *parts)
        self.names = [(each, name) for each in owners for name, x in vars(each).items() if isinstance(x, np.float64)]

    def __len__(self):
        return len(self.names)

    def place(self, name):
        """Where one of the owner's numbers is."""
        return self.names.index((self.owner, name))

    def get(self):
        return [getattr(each, name) for each, name in self.names]

    def set(self, values):
        for (each, name), value in zip(self.names, values, strict=True):
            setattr(each, name, value)

    def written(self, function, *given):
        """``function(*given)`` as lines that change an array ``state`` of these numbers, and store what it returns in
        ``made``. ``given``: for each argument what it is in CUDA C++."""
        lines, before = [], self.get()
        self.set([_Number(lines, f"state[{i}]") for i in range(len(self))])
        self.owner.f = KERNEL
        made = function(*[_Number(lines, text) for text in given])
        ends = [f"state[{i}] = {_text(x)};" for i, x in enumerate(self.get())]
        ends += [f"made[{i}] = {_text(x)};" for i, x in enumerate(made)]
        self.set(before)
        self.owner.f = HOST
        return _joined(lines, ends)


def elements(owner, function, *given):
    """``function(*given)`` as lines that change elements ``name[i]`` of an object's arrays, and the names of those that
    are needed."""
    before = {name: x for name, x in vars(owner).items() if isinstance(x, _core.ndarray)}
    lines = []
    first = {name: _Number(lines, f"{name}[i]") for name in before}
    vars(owner).update(first)
    function(*[_Number(lines, text) for text in given])
    after = {name: getattr(owner, name) for name in before}
    vars(owner).update(before)
    text = _joined(lines, [f"{name}[i] = {x.name};" for name, x in after.items() if x is not first[name]])
    return [name for name in before if re.search(rf"\b{name}\[", text)], text
