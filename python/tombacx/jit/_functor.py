"""Operators that algorithms in kernels are given: Python functions of numbers, and those with a name in C++."""

from tombacx.jit._types import Constant, Value, cast


class Operator:
    """An operator that has a name in a header of device code."""

    def __init__(self, name, header, doc):
        self.__name__, self._header, self.__doc__ = name, header, doc

    def __call__(self):
        return self

    def code(self, fc):
        fc.unit.need_header(self._header)
        return f"{self._header}::{self.__name__}()"

    def __repr__(self):
        return f"<tombacx.jit.{self._header}.{self.__name__}>"


def functor(fc, what, f, types, result):
    """C++ code of a function object that takes numbers of dtypes `types` and returns a number of dtype `result`.

    f: a constant: an Operator, or whatever a kernel can call with that many numbers.
    """
    if not isinstance(f, Constant) or not callable(f.obj):
        raise TypeError(f"{what}: a function is expected, not {fc.describe(f)}")
    if isinstance(f.obj, Operator):
        return f.obj.code(fc)
    parameters = [Value(f"jit_{name}", t) for name, t in zip("ab", types)]
    lines = len(fc.lines)
    value = fc.call(f.obj, parameters, {})
    if len(fc.lines) != lines:
        raise NotImplementedError(f"{what}: write a function around {getattr(f.obj, '__name__', 'this')}")
    code = cast(fc.scalar(value, f"{what}: the function's result"), result, fc.mode)
    names = ", ".join(f"{fc.unit.c_type(p.type)} {p.code}" for p in parameters)
    return f"[]({names}) -> {fc.unit.c_type(result)} {{ return {code}; }}"
