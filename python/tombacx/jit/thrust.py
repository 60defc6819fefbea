"""Thrust's algorithms in kernels, on ranges of elements of arrays and of shared memory.

Each thread that calls one does all of its work, whatever the policy is. A range is a pair of iterators:
``x.begin()`` and ``x.end()`` of an array or a part of one (of any strides; elements of several dimensions follow each
other in C order), ``it + n`` of an iterator or of shared memory. ``it[i]`` is an element, ``last - first`` a number of
them.

Where Thrust takes a function, so do these: a Python function of numbers, a ufunc or one of ``jit.cub``'s operators.

>>> import tombac as tb
>>> from tombacx import jit
>>> @jit.rawkernel()
... def sort_rows(x):
...     row = x[jit.threadIdx.x]
...     jit.thrust.sort(jit.thrust.seq, row.begin(), row.end())
>>> x = tb.asarray([[3, 1, 2], [9, 8, 7]])
>>> sort_rows[1, 2](x)
"""

import inspect
import re

from tombacx.jit._builtins import Builtin
from tombacx.jit._functor import functor
from tombacx.jit._iterator import decayed, is_iterator
from tombacx.jit._types import BOOL, INT64, VOID, Constant, Iterator, Tuple, Value, cast, promote, same_type

# Forms of calls: what an algorithm takes and, behind "->", what it returns. Parameters are name:kind or
# name:kind=default, of these kinds:
#   in, io, out(of)  an iterator that is read, read and written, written with elements of `of`
#   end              the end of the range that the iterator in front begins
#   like(of)         a number that elements of `of` are compared with
#   as(of)           a number that becomes an element of `of`
#   acc(of, ...)     a number to begin with; what is combined has the dtype that it and elements of `of` promote to
#   fn(of, ... > to) a function of elements; `to`: of what it returns elements, or bool; acc: what is combined
# What is returned is an iterator that was given, a pair of them, acc, bool, a count or none.
_RANGE = "first:in last:end"
_INPLACE = "first:io last:end"
_TWO = "first1:in last1:end first2:in"
_KEYS = "keys_first:in keys_last:end values_first:in"
_TEST = "pred:fn(first>bool)"
_SAME = "binary_pred:fn({0},{0}>bool)=equal_to"
_PLUS = "binary_op:fn({0},{0}>{0})=plus"
_COMP = "comp:fn({0},{0}>bool)=less"
_BY = _COMP.format("first")
_SEEK = f"{_RANGE} value:like(first) {_BY}"
_SEEK_EACH = f"{_RANGE} values_first:in values_last:end result:out {_BY} -> result"
_SORT = f"{_INPLACE} {_BY} -> none"
_SORT_BY_KEY = f"keys_first:io keys_last:end values_first:io {_COMP.format('keys_first')} -> none"
_SET = f"{_TWO} last2:end result:out(first1,first2) {_COMP.format('first1')} -> result"
_KEY_SETS = "keys_first1:in keys_last1:end keys_first2:in keys_last2:end values_first1:in"
_KEY_SETS_END = f"{_COMP.format('keys_first1')} -> pair(keys_result,values_result)"
_SET_BY_KEY = (f"{_KEY_SETS} values_first2:in keys_result:out(keys_first1,keys_first2)"
               f" values_result:out(values_first1,values_first2) {_KEY_SETS_END}")

# Name, docstring, forms: these are told apart by the number of arguments.
_TABLE = [
    ("adjacent_difference", "Writes the first element, and of each other what it is more than the one before it.",
     f"{_RANGE} result:out(first) binary_op:fn(first,first>first)=minus -> result"),
    ("all_of", "Whether pred holds for all elements.", f"{_RANGE} {_TEST} -> bool"),
    ("any_of", "Whether pred holds for an element.", f"{_RANGE} {_TEST} -> bool"),
    ("binary_search", "Whether a sorted range has the value; or, written to result, each of several values.",
     f"{_SEEK} -> bool", _SEEK_EACH),
    ("copy", "Copies the elements.", f"{_RANGE} result:out(first) -> result"),
    ("copy_if", "Copies the elements for which pred holds.", f"{_RANGE} result:out(first) {_TEST} -> result"),
    ("count", "How many elements equal the value.", f"{_RANGE} value:like(first) -> count"),
    ("count_if", "For how many elements pred holds.", f"{_RANGE} {_TEST} -> count"),
    ("equal", "Whether two ranges have equal elements.", f"{_TWO} binary_pred:fn(first1,first2>bool)=equal_to -> bool"),
    ("equal_range", "The first and past the last of the elements of a sorted range that equal the value.",
     f"{_SEEK} -> pair(first,first)"),
    ("exclusive_scan", "Writes the sum of init and of all elements before this one.",
     f"{_RANGE} result:out(first) init:acc(first)=0 {_PLUS.format('acc')} -> result"),
    ("exclusive_scan_by_key", "exclusive_scan that starts again where the keys change.",
     f"{_TWO} result:out(first2) init:acc(first2)=0 {_SAME.format('first1')} {_PLUS.format('acc')} -> result"),
    ("fill", "Makes all elements the value.", f"{_INPLACE} value:as(first) -> none"),
    ("find", "The first element that equals the value, or the end.", f"{_RANGE} value:like(first) -> first"),
    ("find_if", "The first element for which pred holds, or the end.", f"{_RANGE} {_TEST} -> first"),
    ("gather", "Writes the elements of input whose numbers the map has.",
     "map_first:in map_last:end input_first:in result:out(input_first) -> result"),
    ("inclusive_scan", "Writes the sum of all elements up to this one.",
     f"{_RANGE} result:out(first) {_PLUS.format('first')} -> result"),
    ("inclusive_scan_by_key", "inclusive_scan that starts again where the keys change.",
     f"{_TWO} result:out(first2) {_SAME.format('first1')} {_PLUS.format('first2')} -> result"),
    ("inner_product", "The sum of init and of the products of elements.",
     f"{_TWO} init:acc(first1,first2) binary_op1:fn(acc,acc>acc)=plus"
     " binary_op2:fn(first1,first2>acc)=multiplies -> acc"),
    ("is_sorted", "Whether no element comes before the one in front of it.", f"{_RANGE} {_BY} -> bool"),
    ("is_sorted_until", "The end of the longest sorted range that begins at first.", f"{_RANGE} {_BY} -> first"),
    ("lower_bound", "The first element of a sorted range that is not less than the value; or, written to result, its "
     "number for each of several values.", f"{_SEEK} -> first", _SEEK_EACH),
    ("max_element", "The first of the greatest elements.", f"{_RANGE} {_BY} -> first"),
    ("merge", "Writes the elements of two sorted ranges in order.", _SET),
    ("merge_by_key", "Writes the keys of two sorted ranges in order, and their values.", _SET_BY_KEY),
    ("min_element", "The first of the least elements.", f"{_RANGE} {_BY} -> first"),
    ("mismatch", "Where two ranges first differ.",
     f"{_TWO} pred:fn(first1,first2>bool)=equal_to -> pair(first1,first2)"),
    ("none_of", "Whether pred holds for no element.", f"{_RANGE} {_TEST} -> bool"),
    ("reduce", "The sum of init and of the elements, in their order.",
     f"{_RANGE} init:acc(first)=0 {_PLUS.format('acc')} -> acc"),
    ("reduce_by_key", "Writes the first key of each run of equal keys, and the sum of their values.",
     f"{_KEYS} keys_output:out(keys_first) values_output:out(values_first) {_SAME.format('keys_first')}"
     f" {_PLUS.format('values_first')} -> pair(keys_output,values_output)"),
    ("remove", "Removes the elements that equal the value; the new end is returned.",
     f"{_INPLACE} value:like(first) -> first"),
    ("remove_copy", "Copies the elements that do not equal the value.",
     f"{_RANGE} result:out(first) value:like(first) -> result"),
    ("remove_if", "Removes the elements for which pred holds; the new end is returned.",
     f"{_INPLACE} {_TEST} -> first"),
    ("replace", "Makes the elements that equal old_value new_value.",
     f"{_INPLACE} old_value:like(first) new_value:as(first) -> none"),
    ("replace_copy", "Copies the elements, new_value instead of those that equal old_value.",
     f"{_RANGE} result:out(first) old_value:like(first) new_value:as(result) -> result"),
    ("reverse", "Reverses the order of the elements.", f"{_INPLACE} -> none"),
    ("reverse_copy", "Copies the elements, the last one first.", f"{_RANGE} result:out(first) -> result"),
    ("scatter", "Writes each element where the map says, as a number of an element of result.",
     f"{_RANGE} map:in result:out(first) -> none"),
    ("sequence", "Makes the elements init, init + step and so on.",
     f"{_INPLACE} init:as(first)=0 step:as(first)=1 -> none"),
    ("set_difference", "Writes the elements of a sorted range that another does not have.", _SET),
    ("set_difference_by_key", "set_difference of keys, and their values.", _SET_BY_KEY),
    ("set_intersection", "Writes the elements of a sorted range that another has too.", _SET),
    ("set_intersection_by_key", "set_intersection of keys, and the values that the first of the ranges has.",
     f"{_KEY_SETS} keys_result:out(keys_first1) values_result:out(values_first1) {_KEY_SETS_END}"),
    ("set_symmetric_difference", "Writes the elements that only one of two sorted ranges has.", _SET),
    ("set_symmetric_difference_by_key", "set_symmetric_difference of keys, and their values.", _SET_BY_KEY),
    ("set_union", "Writes the elements that one of two sorted ranges has, or both.", _SET),
    ("set_union_by_key", "set_union of keys, and their values; those of the first range where both have a key.",
     _SET_BY_KEY),
    ("sort", "Sorts the elements. Equal ones keep their order.", _SORT),
    ("sort_by_key", "Sorts the keys, and the values with them. Equal keys keep their order.", _SORT_BY_KEY),
    ("stable_sort", "Sorts the elements. Equal ones keep their order.", _SORT),
    ("stable_sort_by_key", "Sorts the keys, and the values with them. Equal keys keep their order.", _SORT_BY_KEY),
    ("swap_ranges", "Exchanges the elements of two ranges.", "first1:io last1:end first2:io -> first2"),
    ("transform", "Writes op of each element, or of each pair of elements of two ranges.",
     f"{_RANGE} result:out op:fn(first>result) -> result", f"{_TWO} result:out op:fn(first1,first2>result) -> result"),
    ("transform_reduce", "The sum, by binary_op, of init and of unary_op of each element.",
     f"{_RANGE} unary_op:fn(first>acc) init:acc(first) binary_op:fn(acc,acc>acc) -> acc"),
    ("unique", "Removes all but the first of each run of equal elements; the new end is returned.",
     f"{_INPLACE} {_SAME.format('first')} -> first"),
    ("unique_by_key", "Removes all but the first of each run of equal keys, and their values.",
     f"keys_first:io keys_last:end values_first:io {_SAME.format('keys_first')} -> pair(keys_first,values_first)"),
    ("upper_bound", "The first element of a sorted range that is greater than the value; or, written to result, its "
     "number for each of several values.", f"{_SEEK} -> first", _SEEK_EACH),
]


class _Parameter:
    def __init__(self, text):
        self.name, self.kind, of, self.to, self.default = re.fullmatch(
            r"(\w+):(\w+)(?:\((\w+(?:,\w+)*)(?:>(\w+))?\))?(?:=(\w+))?", text).groups()
        self.of = of.split(",") if of else []

    @property
    def signature(self):
        default = inspect.Parameter.empty if self.default is None else None
        return inspect.Parameter(self.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)


class _Form:
    """What an algorithm takes and returns: a row's text, taken apart."""

    def __init__(self, text):
        parameters, self.result = text.split(" -> ")
        self.parameters = [_Parameter(p) for p in parameters.split()]
        self.signature = inspect.Signature([p.signature for p in self.parameters])


class _Call:
    """One call of an algorithm in a kernel."""

    def __init__(self, fc, name, form, values):
        self.fc, self.name, self.values, self.dtypes = fc, name, values, {"bool": BOOL}
        for p in form.parameters:  # the accumulator's dtype is known before the functions are
            if p.kind in ("in", "io", "out", "end"):
                self._take_iterator(p)
        for p in form.parameters:
            if p.kind == "acc":
                operands = [Value("", self.dtypes[n]) for n in p.of]
                self.dtypes["acc"] = promote(fc.mode, *operands, *self._number(p))
        self.codes = [getattr(self, "_code_" + p.kind)(p) for p in form.parameters]

    def what(self, p):
        return f"thrust.{self.name}: {p.name}"

    def _given(self, p):
        v = self.values.get(p.name)
        return None if v is None or isinstance(v, Constant) and v.obj is None else v

    def _number(self, p):
        v = self._given(p)
        return [] if v is None else [self.fc.scalar(v, self.what(p))]

    def _take_iterator(self, p):
        v = self.values[p.name] = decayed(self.fc, self.values[p.name])
        if not is_iterator(v):
            raise TypeError(f"{self.what(p)}: an iterator such as x.begin() is expected, not {self.fc.describe(v)}")
        if p.kind == "end" and not same_type(v.type, self.begin.type):
            raise TypeError(f"{self.what(p)}: the end of a range of {self.fc.describe(self.begin)} is expected, not "
                            f"{self.fc.describe(v)}")
        if p.kind in ("io", "out") and not v.type.is_writable:
            raise TypeError(f"{self.what(p)}: elements of a constant or counting iterator cannot be written")
        for n in p.of:
            try:
                cast(Value("", self.dtypes[n]), v.type.dtype, self.fc.mode)
            except TypeError as e:
                raise TypeError(f"{self.what(p)}: {e}") from None
        if p.kind != "end":
            self.begin = v
        self.dtypes[p.name] = v.type.dtype

    def _code_in(self, p):
        return self.values[p.name].code

    _code_end = _code_io = _code_out = _code_in

    def _as(self, v, dtype):
        return f"({self.fc.unit.c_type(dtype)})({cast(v, dtype, self.fc.mode)})"

    def _code_as(self, p):
        return self._as(*(self._number(p) or [Constant(int(p.default))]), self.dtypes[p.of[0]])

    def _code_like(self, p):
        v, dtype = self.fc.scalar(self.values[p.name], self.what(p)), self.dtypes[p.of[0]]
        return self._as(v, dtype if dtype.kind == "c" else promote(self.fc.mode, Value("", dtype), v))

    def _code_acc(self, p):
        return self._as(*(self._number(p) or [Constant(int(p.default))]), self.dtypes["acc"])

    def _code_fn(self, p):
        f = self._given(p)
        if f is None:
            return f"thrust::{p.default}<>()"
        return functor(self.fc, self.what(p), f, [self.dtypes[n] for n in p.of], self.dtypes[p.to])

    def value(self, result):
        code, unit = f"thrust::{self.name}({', '.join(map(str, self.codes))})", self.fc.unit
        unit.need_header("thrust")
        for dtype in self.dtypes.values():
            unit.c_type(dtype)
        known = {"none": VOID, "bool": BOOL, "count": INT64, "acc": self.dtypes.get("acc")}
        if result in known:
            return Value(code, known[result])
        if not result.startswith("pair"):
            return Value(code, self.values[result].type)
        type = Tuple([self.values[n].type for n in result[5:-1].split(",")])
        unit.need("from_pair")
        return Value(f"jit_from_pair<{unit.c_type(type)}>({code})", type)


class _Policy:
    """An execution policy. One thread does all the work with any of them."""

    def __init__(self, name):
        self.__name__ = name

    def __repr__(self):
        return f"<tombacx.jit.thrust.{self.__name__}>"


device, host, seq = (_Policy(name) for name in ("device", "host", "seq"))


def _bind(name, forms, args, kwargs):
    for form in forms:
        try:
            return form, dict(form.signature.bind(*args, **kwargs).arguments)
        except TypeError as e:
            error = e
    wanted = " or ".join(f"(exec_policy, {str(form.signature)[1:]}" for form in forms)
    raise TypeError(f"thrust.{name}{wanted}: {error}")


def _algorithm(name, doc, *texts):
    forms = [_Form(text) for text in texts]

    def emit(fc, exec_policy, *args, **kwargs):
        if not isinstance(getattr(exec_policy, "obj", None), _Policy):
            raise TypeError(f"thrust.{name}: exec_policy must be thrust.seq, thrust.device or thrust.host, not "
                            f"{fc.describe(exec_policy)}")
        form, values = _bind(name, forms, args, kwargs)
        return _Call(fc, name, form, values).value(form.result)
    emit.__name__ = name
    lines = [f"{name}(exec_policy, {str(form.signature)[1:]}" for form in forms]
    emit.__doc__ = "\n".join(lines) + f"\n\n{doc}"
    return _builtin(emit)


def _builtin(emit):
    made = Builtin(emit)
    made.__module__ = "tombacx.jit.thrust"
    return made


@_builtin
def make_constant_iterator(fc, x, i=None):
    """make_constant_iterator(x): an iterator whose elements are all x."""
    return _made(fc, "constant_iterator", "ifucb", x, i, ", 0")


@_builtin
def make_counting_iterator(fc, x, i=None):
    """make_counting_iterator(x): an iterator whose elements are x, x + 1 and so on."""
    return _made(fc, "counting_iterator", "ifu", x, i, "")


def _made(fc, form, kinds, x, i, more):
    v = fc.materialize(fc.scalar(x, f"thrust.make_{form}: x"))
    if v.type.kind not in kinds:
        raise TypeError(f"thrust.make_{form}: x must be an integer or a real number, not {v.type}")
    if i is not None and getattr(i, "obj", 0) is not None:
        raise NotImplementedError(f"thrust.make_{form}: add i to the iterator instead")
    type = Iterator(v.type, form)
    return Value(f"{type.c_type(fc.unit)}{{({fc.unit.c_type(v.type)})({v.code}){more}}}", type)


globals().update({row[0]: _algorithm(*row) for row in _TABLE})
__all__ = ["device", "host", "make_constant_iterator", "make_counting_iterator", "seq", *(row[0] for row in _TABLE)]
