"""Tensors with modes against NumPy's einsum and expressions."""

import itertools
import pickle

import numpy as np
import pytest

import tombac as tb
from tombac.cuda import cutensor as numbers
from tombacx import cutensor

TOLERANCE = {"e": 3e-3, "f": 1e-5, "d": 1e-12, "F": 1e-5, "D": 1e-12}
dtypes = pytest.mark.parametrize("t", "efdFD")


def data(t, *shape, seed=0):
    x = np.random.default_rng(seed).uniform(0.1, 1, shape)
    return (x + 1j * x[::-1] if t in "FD" else x).astype(t)


def close(got, want, t):
    assert got.dtype == np.dtype(t) and got.shape == want.shape
    np.testing.assert_allclose(got.get(), want, rtol=TOLERANCE[t], atol=TOLERANCE[t])


@dtypes
@pytest.mark.parametrize("order", list(itertools.permutations("xyz")))
def test_elementwise(t, order):
    lengths = {"x": 3, "y": 4, "z": 5}
    a, b, c = (data(t, *[lengths[m] for m in mode], seed=i) for i, mode in enumerate((order, "zx", "xyz")))
    at = np.einsum(a, ["xyz".index(m) for m in order], [0, 1, 2])
    bt = b.T[:, None, :]
    got = cutensor.elementwise_trinary(1.5, tb.array(a), order, 0.5, tb.array(b), "zx", 2, tb.array(c), "xyz")
    close(got, (t_of(t, 1.5) * at + t_of(t, 0.5) * bt) + t_of(t, 2) * c, t)
    out = tb.zeros((3, 4, 5), t)
    assert cutensor.elementwise_binary(1.5, tb.array(a), order, 2, tb.array(c), ("x", "y", "z"), out=out) is out
    close(out, t_of(t, 1.5) * at + t_of(t, 2) * c, t)


def t_of(t, number):
    return np.dtype(t).type(number)


def test_elementwise_is_one_kernel():
    a, c = tb.array(data("f", 300, 200)), tb.array(data("f", 200, 300))
    before = tb.config.counters()["launches"]
    r = cutensor.elementwise_trinary(2, a, "yx", 3, a, "yx", 4, c, "xy", op_A=numbers.OP_SQRT, op_ABC=numbers.OP_MUL)
    r.sum().get()
    assert tb.config.counters()["launches"] == before + 1


OPERATORS = {
    "OP_SQRT": np.sqrt, "OP_RELU": lambda x: np.maximum(x, 0), "OP_CONJ": np.conj, "OP_RCP": np.reciprocal,
    "OP_SIGMOID": lambda x: 1 / (1 + np.exp(-x)), "OP_TANH": np.tanh, "OP_EXP": np.exp, "OP_LOG": np.log,
    "OP_ABS": np.abs, "OP_NEG": np.negative, "OP_SIN": np.sin, "OP_COS": np.cos, "OP_TAN": np.tan, "OP_SINH": np.sinh,
    "OP_COSH": np.cosh, "OP_ASIN": np.arcsin, "OP_ACOS": np.arccos, "OP_ATAN": np.arctan, "OP_ASINH": np.arcsinh,
    "OP_ATANH": np.arctanh, "OP_CEIL": np.ceil, "OP_FLOOR": np.floor, "OP_SWISH": lambda x: x / (1 + np.exp(-x)),
    "OP_MISH": lambda x: x * np.tanh(np.log1p(np.exp(x))), "OP_SOFT_PLUS": lambda x: np.log1p(np.exp(x)),
    "OP_SOFT_SIGN": lambda x: x / (1 + np.abs(x)), "OP_IDENTITY": np.positive,
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name):
    a = data("d", 7) - (0.5 if name in ("OP_RELU", "OP_ABS", "OP_SOFT_SIGN", "OP_MISH", "OP_CEIL") else 0)
    got = cutensor.elementwise_binary(2, tb.array(a), "i", 0, tb.array(a), "i", op_A=getattr(numbers, name))
    close(got, 2 * OPERATORS[name](a), "d")


@dtypes
def test_contraction(t):
    a, b, c = data(t, 3, 4, 5), data(t, 5, 6, 3, seed=1), data(t, 6, 4, seed=2)
    into = tb.array(c)
    got = cutensor.contraction(1.5, tb.array(a), "xyz", tb.array(b), "zwx", 0.5, into, "wy", op_A=numbers.OP_CONJ)
    assert got is into
    wide = np.result_type(t, "F" if t in "FD" else "d")
    expected = 1.5 * np.einsum("xyz,zwx->wy", a.conj().astype(wide), b.astype(wide)) + 0.5 * c
    np.testing.assert_allclose(into.get(), expected, rtol=2e-2 if t == "e" else 1e-4)
    into = tb.full((6, 4), np.nan, t)
    cutensor.contraction(1, tb.array(a), "xyz", tb.array(b), "zwx", 0, into, cutensor.create_mode("w", "y"))
    assert not tb.isnan(into).any()


@dtypes
@pytest.mark.parametrize("op", ["ADD", "MUL", "MAX", "MIN"])
def test_reduction(t, op):
    a, c = data(t, 3, 4, 5), data(t, 5, 3, seed=1)
    reduce = {"ADD": np.sum, "MUL": np.prod, "MAX": np.max, "MIN": np.min}[op]
    into = tb.array(c)
    got = cutensor.reduction(2, tb.array(a), "xyz", 3, into, "zx", op_reduce=getattr(numbers, f"OP_{op}"))
    assert got is into
    np.testing.assert_allclose(into.get(), 2 * reduce(a, axis=1).T + 3 * c, rtol=1e-2 if t == "e" else 1e-5)


def test_modes():
    assert cutensor.create_mode("a", 5) == (97, 5) and repr(cutensor.create_mode("x", "y")) == "mode(120, 121)"
    assert cutensor.create_mode(1, 2) != cutensor.create_mode(2, 1) and cutensor.create_mode(1, 2).ndim == 2
    with pytest.raises(TypeError, match="create_mode"):
        cutensor.create_mode("ab")
    assert cutensor.create_tensor_descriptor(tb.ones((2, 3)).T) == ((3, 2), (1, 3), np.dtype("d"))


def test_what_does_not_fit():
    x, v = tb.ones((2, 3)), tb.ones(3)
    with pytest.raises(ValueError, match="elementwise_binary.*modes"):
        cutensor.elementwise_binary(1, x, "a", 1, x, "ab")
    with pytest.raises(ValueError, match="twice"):
        cutensor.elementwise_binary(1, x, "aa", 1, x, "ab")
    with pytest.raises(ValueError, match="length"):
        cutensor.elementwise_binary(1, v, "a", 1, x, "ab")
    with pytest.raises(ValueError, match="result does not have"):
        cutensor.elementwise_binary(1, v, "c", 1, x, "ab")
    with pytest.raises(ValueError, match="operator"):
        cutensor.elementwise_binary(1, x, "ab", 1, x, "ab", op_A=numbers.OP_ADD)
    with pytest.raises(ValueError, match="shape"):
        cutensor.elementwise_binary(1, x, "ab", 1, x, "ab", out=v)
    with pytest.raises(TypeError, match="int64"):
        cutensor.elementwise_binary(1, tb.arange(3), "a", 1, tb.arange(3), "a")
    with pytest.raises(TypeError):
        cutensor.reduction(1, np.ones((2, 3)), "ab", 0, v, "b")
    with pytest.raises(ValueError, match="modes"):
        cutensor.reduction(1, v, "a", 0, x, "ab")
    with pytest.raises(ValueError, match="shape"):
        cutensor.contraction(1, x, "ab", v, "b", 0, v, "a")
    with pytest.raises(ValueError, match="neither"):
        cutensor.contraction(1, x, "ab", v, "b", 0, v, "c")


def test_the_error_can_be_pickled():
    e = pickle.loads(pickle.dumps(numbers.CuTensorError(15)))
    assert e.status == 15 and e.args == (15,) and "15" in str(e)
