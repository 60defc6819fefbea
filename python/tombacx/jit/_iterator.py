"""Positions in ranges of elements: what x.begin() and x.end() are in kernels, and their arithmetic."""

import ast

import numpy as np

from tombacx.jit._types import BOOL, INT64, ArrayValue, Constant, Iterator, Value, cast, same_type

_SIGNS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def of_array(fc, a, name):
    """a.begin() or a.end(). Elements of several dimensions follow each other in C order."""
    t = a.type
    if not isinstance(t.dtype, np.dtype):
        raise TypeError(f"{name}(): {t.dtype} is not an element of a range")
    if t.shape == (None,) and name == "end":
        raise NotImplementedError("dynamic shared memory does not know its end: add the number of elements to begin()")
    count = "0"
    if name == "end":
        count = " * ".join(["1LL", *(str(a.meta("shape", k)) for k in range(t.ndim))])
    if t.contiguous or t.ndim == 0:
        return Value(f"({a.code} + {count})" if name == "end" else f"({a.code})", Iterator(t.dtype))
    type = Iterator(t.dtype, "tb_strided", (t.ndim,))
    shape = ", ".join(["0", *(str(a.meta("shape", k)) for k in range(1, t.ndim))])  # the first is not needed
    strides = ", ".join(str(a.meta("stride", k)) for k in range(t.ndim))
    return Value(f"{type.c_type(fc.unit)}{{(char *){a.code}, {count}, {{{shape}}}, {{{strides}}}}}", type)


def decayed(fc, v):
    """Shared memory as the position of its first element; anything else as it is."""
    if isinstance(v, ArrayValue) and v.type.shape is not None and isinstance(v.type.dtype, np.dtype):
        return of_array(fc, v, "begin")
    return v


def is_iterator(v):
    return isinstance(v, Value) and isinstance(v.type, Iterator)


def among(x, y):
    """Whether one of two operands is an iterator, or shared memory that stands for one."""
    return any(is_iterator(v) or isinstance(v, ArrayValue) and v.type.shape is not None for v in (x, y))


def _offset(fc, v, what):
    v = fc.scalar(v, what)
    if isinstance(v, Constant) and not isinstance(v.obj, (int, np.integer)) or \
            isinstance(v, Value) and v.type.kind not in "iu":
        raise TypeError(f"{what}: an integer is expected, not {fc.describe(v)}")
    return cast(v, INT64, fc.mode)


def element(fc, it, index):
    """it[index]"""
    fc.unit.c_type(it.type)
    return Value(f"{it.code}[{_offset(fc, index, 'the index of an iterator')}]", it.type.dtype)


def binary(fc, op, x, y):
    """x + n, n + x, x - n, or the distance x - y."""
    x, y = decayed(fc, x), decayed(fc, y)
    if op is ast.Sub and is_iterator(x) and is_iterator(y):
        _same(fc, x, y)
        return Value(f"((long long)({x.code} - {y.code}))", INT64)
    if op is ast.Add and is_iterator(y):
        x, y = y, x
    if op not in (ast.Add, ast.Sub) or not is_iterator(x) or is_iterator(y):
        raise TypeError(f"iterators know + and - with integers and - with each other, not this operator between "
                        f"{fc.describe(x)} and {fc.describe(y)}")
    return Value(f"({x.code} {'+' if op is ast.Add else '-'} {_offset(fc, y, 'the offset of an iterator')})", x.type)


def compare(fc, op, x, y):
    x, y = decayed(fc, x), decayed(fc, y)
    if op not in _SIGNS or not is_iterator(x) or not is_iterator(y):
        raise TypeError(f"{fc.describe(x)} and {fc.describe(y)} cannot be compared like this")
    _same(fc, x, y)
    return Value(f"({x.code} {_SIGNS[op]} {y.code})", BOOL)


def _same(fc, x, y):
    if not same_type(x.type, y.type):
        raise TypeError(f"{fc.describe(x)} and {fc.describe(y)} are not of the same range")
