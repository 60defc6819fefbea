"""Subclasses of ndarray through operators and functions, and objects with an __array_ufunc__ of their own."""

import numpy as np
import pytest

import tombac


class Marked(tombac.ndarray):
    """Remembers what it was made from."""

    def __array_finalize__(self, obj):
        self.mark = getattr(obj, "mark", None)


class Important(Marked):
    __array_priority__ = 200


OPERATIONS = {
    "x + 1": lambda x, b: x + 1, "1 + x": lambda x, b: 1 + x, "x * b": lambda x, b: x * b, "b * x": lambda x, b: b * x,
    "x < 2": lambda x, b: x < 2, "b == x": lambda x, b: b == x, "-x": lambda x, b: -x, "abs": lambda x, b: abs(x),
    "x ** 2": lambda x, b: x**2, "x ** 0.5": lambda x, b: x**0.5, "x ** b": lambda x, b: x**b,
    "integers ** 2.0": lambda x, b: x.astype("i8") ** 2.0, "divmod": lambda x, b: divmod(x, 2)[1],
    "~x": lambda x, b: ~x.astype("i8"), "numpy scalar": lambda x, b: np.float32(2) * x,
    "x @ x": lambda x, b: x @ x, "x @ b": lambda x, b: x @ b, "conj": lambda x, b: (x * 1j).conj(),
    "where": lambda x, b: tombac.where(b > 1, b, x), "clip": lambda x, b: tombac.clip(b, x, 3),
    "maximum": lambda x, b: tombac.maximum(b, x), "round": lambda x, b: x.round(), "sum": lambda x, b: x.sum(),
}


def test_copies_and_views_of_subclasses():
    x = tombac.arange(4.0).view(Marked)
    for f in (tombac.copy, lambda x, **how: tombac.broadcast_arrays(x, x[:, None], **how)[0]):
        assert type(f(x)) is type(f(x, subok=True)) is Marked and type(f(x, subok=False)) is tombac.ndarray
        assert f(x, subok=False).ravel()[:4].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_keep_subclasses(name):
    x, b = tombac.arange(4.0).view(Marked), tombac.arange(4.0)
    x.mark = "made"
    result = OPERATIONS[name](x, b)
    assert type(result) is Marked and result.mark == "made"


def test_the_subclass_of_highest_priority_wins():
    x, y, b = tombac.ones(3).view(Marked), tombac.ones(3).view(Important), tombac.ones(3)
    for result in (x + y, y + x, b + y, y + b, tombac.add(x, y), tombac.add(b, y), y * 2):
        assert type(result) is Important
    x += y
    assert type(x) is Marked


class Foreign:
    """Says which of NumPy's functions it was asked for."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return ufunc.__name__, [type(a) is tombac.ndarray for a in inputs], "out" in kwargs


def test_operators_ask_foreign_array_ufuncs():
    x, y = tombac.ones(3), Foreign()
    for operator, name in ((lambda a, b: a < b, "less"), (lambda a, b: a > b, "greater"),
                           (lambda a, b: a == b, "equal"),
                           (lambda a, b: a >= b, "greater_equal"), (lambda a, b: a + b, "add"), (divmod, "divmod"),
                           (lambda a, b: a**b, "power"), (lambda a, b: a @ b, "matmul"),
                           (lambda a, b: a << b, "left_shift")):
        assert operator(x, y) == (name, [True, False], False)
    assert y.__array_ufunc__(np.add, "__call__", y, x) == np.add(y, x) == ("add", [False, True], False)
    x += y
    assert x == ("add", [True, False], True)
