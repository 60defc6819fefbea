"""tombac.vectorize: Python functions of numbers as elementwise kernels."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import tombac as tb


def same(func, *args, rtol=1e-6, **kw):
    """vectorize gives what NumPy's gives, value and dtype."""
    want = np.vectorize(func, **kw)(*args)
    got = tb.vectorize(func, **kw)(*(tb.asarray(a) if isinstance(a, np.ndarray) else a for a in args))
    for g, w in zip(got, want) if isinstance(want, tuple) else [(got, want)]:
        assert isinstance(g, tb.ndarray) and g.shape == w.shape
        assert g.dtype == w.dtype, (g.dtype, w.dtype)
        assert_allclose(g.get(), w, rtol=rtol)


I = np.arange(-20, 20)  # noqa: E741
F = np.linspace(-3, 3, 41)


def test_while():
    def triangle(x):
        y = 0
        while x > 0:
            y += x
            x -= 1
        return y
    same(triangle, I)
    same(triangle, np.arange(10, dtype=np.int32).astype(np.int64).reshape(2, 5))


def test_branches_and_loops():
    def f(x, n):
        if x < -1:
            return -1.0
        elif x > 1:
            return 1.0
        s = 0.0
        for k in range(n):
            if k == 3:
                continue
            s = s + x ** k
        return s
    same(f, F, np.full(41, 5))


def test_operators_on_integers():
    b = np.where(I == 0, 3, I)[::-1].copy()
    same(lambda x, y: x + y * 2 - 1, I, b)
    same(lambda x, y: x // y, I, b)
    same(lambda x, y: x % y, I, b)
    same(lambda x, y: x / y, I, b)
    same(lambda x, y: x & y | 5 ^ x, I, b)
    same(lambda x: x << 2 >> 1, I)
    same(lambda x: ~x, I)
    same(lambda x, y: x if x > y else y, I, b)
    same(lambda x, y: x > y and y > 3 or not x, I, b)
    same(lambda x: x ** 3, I)
    same(lambda x: abs(x) + min(x, 3) + max(x, -3, 0), I)


def test_operators_on_floats():
    same(lambda x, y: x // y, F, F[::-1].copy() + 0.3)
    same(lambda x, y: x % y, F, F[::-1].copy() + 0.3, rtol=1e-9)
    same(lambda x: np.sin(x) ** 2 + math.cos(x) * np.exp(-x), F)
    same(lambda x: np.sqrt(np.abs(x)) + np.log1p(np.abs(x)), F)
    same(lambda x: 2.5 if x > 0 else x, F)


@pytest.mark.parametrize("dtype", "b B h H i I l L e f d F D".split())
def test_literals_take_the_dtype_of_arrays(dtype):
    x = np.arange(5).astype(dtype)
    got = tb.vectorize(lambda v: v * 2 + 1)(tb.asarray(x))
    assert got.dtype == dtype
    assert_array_equal(got.get(), x * 2 + 1)


def test_complex():
    z = F + 1j * F[::-1]
    same(lambda v: v * v.conjugate() + 1j, z, rtol=1e-12)
    same(lambda v: v.real - v.imag, z)
    same(lambda v: np.exp(v) + abs(v), z, rtol=1e-9)


def test_several_results():
    same(lambda x, y: (x + y, x < y), I, I[::-1].copy())
    a, b = tb.vectorize(lambda x: (x, 2 * x))(tb.arange(3))
    assert_array_equal(b.get(), 2 * a.get())


def test_otypes():
    x = tb.arange(5)
    for otypes in ("f", ["f"], [np.float32], np.dtype("f").char):
        y = tb.vectorize(lambda v: v + 1, otypes=otypes)(x)
        assert y.dtype == np.float32
        assert_array_equal(y.get(), np.arange(1, 6))
    with pytest.raises(ValueError, match="otypes has 2"):
        tb.vectorize(lambda v: v, otypes="ff")(x)


def test_numbers_and_broadcasting():
    f = tb.vectorize(lambda a, b, c: a * b + c)
    x, y = np.arange(6.0).reshape(2, 3), np.arange(3)
    assert_array_equal(f(tb.asarray(x), tb.asarray(y), 2).get(), x * y + 2)
    assert_array_equal(f(tb.asarray(x).T, tb.asarray(x).T[:, ::-1], np.float32(2)).get(), x.T * x.T[:, ::-1] + 2)
    assert f(tb.zeros((0, 3)), 1, 2.0).shape == (0, 3)
    assert f(tb.asarray(3), 4, 5).item() == 17
    assert f(tb.arange(3), 1, 2.0).dtype == np.float64


def test_closures_and_nested_calls():
    def make(scale):
        def inner(v):
            return v * scale

        def outer(v):
            return inner(v) + inner(2 * v)
        return tb.vectorize(outer)
    x = np.arange(4.0)
    assert_array_equal(make(3)(tb.asarray(x)).get(), 9 * x)
    assert_array_equal(make(5)(tb.asarray(x)).get(), 15 * x)

    @tb.vectorize
    def half(v):
        return v / 2
    assert_array_equal(tb.vectorize(lambda v: half(v) + 1)(tb.asarray(x)).get(), x / 2 + 1)


def test_pending_operands():
    x = tb.arange(5.0)
    y = tb.vectorize(lambda v: v + 1)(x * 2)
    assert_array_equal((y * 3).get(), (np.arange(5.0) * 2 + 1) * 3)


def test_attributes():
    def f(x):
        """Doubles."""
        return 2 * x
    g = tb.vectorize(f)
    assert g.__doc__ == "Doubles." and g.pyfunc is f and g.__name__ == "f"
    assert tb.vectorize(f, doc="Other.").__doc__ == "Other."
    assert g(tb.arange(3)).get().tolist() == g(tb.arange(3)).get().tolist() == [0, 2, 4]


@settings(max_examples=15)
@given(st.integers(-50, 50), st.integers(1, 9), st.sampled_from(["int32", "int64", "float32", "float64"]))
def test_floor_and_remainder(a, b, dtype):
    x, y = np.array([a, -a, a + 1], dtype), np.array([b, b, -b], dtype)
    assert_array_equal(FLOOR(tb.asarray(x), tb.asarray(y)).get(), x // y)
    assert_array_equal(REMAINDER(tb.asarray(x), tb.asarray(y)).get(), x % y)


FLOOR = tb.vectorize(lambda x, y: x // y)
REMAINDER = tb.vectorize(lambda x, y: x % y)


def test_errors():
    x = tb.arange(3.0)
    with pytest.raises(TypeError, match="numpy.ndarray"):
        tb.vectorize(lambda v: v)(np.arange(3))
    with pytest.raises(TypeError, match="takes 1 argument"):
        tb.vectorize(lambda v: v)(x, x)
    with pytest.raises(TypeError, match="must return"):
        def nothing(v):
            v += 1
        tb.vectorize(nothing)(x)
    with pytest.raises(NotImplementedError, match="excluded"):
        tb.vectorize(lambda v: v, excluded={0})
    with pytest.raises(NotImplementedError, match="signature"):
        tb.vectorize(lambda v: v, signature="(n)->()")
    with pytest.raises(NotImplementedError) as e:
        def bad(v):
            return sorted(v)
        tb.vectorize(bad)(x)
    assert "return sorted(v)" in str(e.value) and __file__ in str(e.value)
    with pytest.raises(TypeError, match="by position"):
        tb.vectorize(lambda v: v)(v=x)
    with pytest.raises(TypeError):
        tb.vectorize(3)


@pytest.mark.parametrize("code", "bBhHiIlL")
def test_numbers_of_a_range_bend_as_pythons_do(code):
    def total(x):
        y = 0
        for i in range(x):
            y += i
        return y

    def shifted(x):
        z = x
        for i in range(3):
            z = x + i
        return z
    host = np.arange(1, 9).astype(code)
    for f in (total, shifted):
        ours, theirs = tb.vectorize(f)(tb.array(host)), np.vectorize(f)(host)
        assert ours.dtype == theirs.dtype
        assert_array_equal(ours.get(), theirs)


FUNCTIONS_IN = {
    "add": lambda xp, dtype: lambda x, y: xp.add(x, y, dtype=dtype),
    "maximum": lambda xp, dtype: lambda x, y: xp.maximum(x, y, dtype=dtype),
    "multiply": lambda xp, dtype: lambda x, y: xp.multiply(x, 2, dtype=dtype),
}


@pytest.mark.parametrize("name", FUNCTIONS_IN)
@pytest.mark.parametrize("code", "?bBhHiIlLefdFD")
@pytest.mark.parametrize("dtype", "bHilefdD")
def test_ufuncs_with_dtype(name, code, dtype):
    if name == "maximum" and dtype == "D":
        pytest.skip("kernels have no order of complex numbers")
    host = np.array([0, 1, 3, 5]).astype(code)
    f = FUNCTIONS_IN[name]
    try:
        theirs = f(np, dtype)(host, host[::-1])
    except TypeError:
        with pytest.raises(TypeError):
            tb.vectorize(f(tb, dtype))(tb.array(host), tb.array(host[::-1]))
    else:
        ours = tb.vectorize(f(tb, dtype))(tb.array(host), tb.array(host[::-1]))
        assert ours.dtype == theirs.dtype
        assert_array_equal(ours.get(), theirs)


def test_ufuncs_with_dtype_that_say_nothing_of_the_result():
    with pytest.raises(NotImplementedError, match="less with dtype="):
        tb.vectorize(lambda x: np.less(x, 2, dtype="d"))(tb.arange(3))


@pytest.mark.parametrize("function", [
    lambda x, y: x << y, lambda x, y: x >> y, lambda x, y: np.left_shift(x, y), lambda x, y: np.right_shift(x, y),
    lambda x, y: np.reciprocal(x), lambda x, y: np.square(y), lambda x, y: np.floor_divide(x, y),
    lambda x, y: np.power(x, y), lambda x, y: x // y,
])
def test_functions_that_take_truth_values_as_small_integers(function):
    host = np.array([True, True])
    theirs, ours = function(host, host), tb.vectorize(function)(tb.array(host), tb.array(host))
    assert ours.dtype == theirs.dtype == np.int8
    assert_array_equal(ours.get(), theirs)
