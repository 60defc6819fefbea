"""Recurrences of single numbers as kernels: what a function does to attributes of objects, written down as CUDA C++.

A step of a solver computes some fifty numbers from some twenty. As arrays without dimensions they are a kernel for
every few of them; so the function runs once with objects that note each operation, and what they noted is one kernel
for one thread, from an array of the numbers before to one of those after.
"""

import math
from types import SimpleNamespace

from tombac import _core
from tombac._numpy import np

__all__ = ["HOST", "Recurrence", "State"]


class _Number:
    """A number of which only its name in a kernel is known, and the lines of the kernel, to which operations add."""

    def __init__(self, lines, text):
        self.lines, self.name = lines, f"t{len(lines)}"
        lines.append(f"const double {self.name} = {text};")

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
        return self.with_none("fabs({})")


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


class State:
    """Those attributes of some objects that are np.float64, as one array, ``values``; in an object whose ``f`` says
    where functions of numbers are."""

    def __init__(self, owner, *parts):
        self.owner, owners = owner, (owner, *parts)
        self.names = [(each, name) for each in owners for name, x in vars(each).items() if isinstance(x, np.float64)]
        self.values = _core.array([getattr(each, name) for each, name in self.names])

    def number(self, name):
        """One of the owner's numbers, on the device."""
        return self.values[self.names.index((self.owner, name))]

    def fetch(self):
        """The numbers become attributes again."""
        for (each, name), value in zip(self.names, self.values.get(), strict=True):
            setattr(each, name, value)


class Recurrence:
    """``function(*given)`` as a kernel that changes a state. ``given``: for each argument what it is in CUDA C++, where
    ``x0``, ``x1``, ... are the numbers with which this object is called, each of its dtype. Calling it gives what the
    function returns, as many arrays without dimensions."""

    def __init__(self, state, function, *given):
        lines = []
        before = [getattr(each, name) for each, name in state.names]
        for i, (each, name) in enumerate(state.names):
            setattr(each, name, _Number(lines, f"before[{i}]"))
        state.owner.f = KERNEL
        results = function(*[_Number(lines, text) for text in given])
        after = [getattr(each, name) for each, name in state.names]
        for (each, name), x in zip(state.names, before, strict=True):
            setattr(each, name, x)
        state.owner.f = HOST
        lines += [f"after[{i}] = {_text(x)};" for i, x in enumerate(after)]
        lines += [f"made[{i}] = {_text(x)};" for i, x in enumerate(results)]
        self.state, self.results = state, len(results)
        inputs = ", ".join(f"{'TUV'[i]} x{i}" for i in range(len(given)))
        self.kernel = _core.ElementwiseKernel(f"raw float64 before, {inputs}", "raw float64 after, raw float64 made",
                                              "\n".join(lines), "tombac_recurrence")

    def __call__(self, *given):
        before = self.state.values
        after, made = _core.empty_like(before), _core.empty(self.results)
        self.kernel(before, *given, after, made)
        self.state.values = after
        return [made[i] for i in range(self.results)]
