"""Functions of arrays that are given sparse matrices, which give what they give of SciPy's and make none dense."""

import numpy as np
import pytest
import scipy.sparse as ss

import tombac as tb
import tombacx.scipy.sparse as sp

DENSE = np.array([[0, 1.0, -2.5], [3.0, 0, 0], [0, 0, 4.0]])
FORMATS = ["csr", "csc", "coo", "bsr", "dia"]
FUNCTIONS = {
    **{name: lambda xp, a, b, name=name: getattr(xp, name)(a) for name in (
        "sqrt", "abs", "absolute", "sin", "log1p", "negative", "conj", "rint", "expm1", "tan", "arctan", "tanh",
        "deg2rad", "sum", "mean", "argmin", "transpose", "real", "imag", "size")},
    "add": lambda xp, a, b: xp.add(a, b), "subtract": lambda xp, a, b: xp.subtract(a, b),
    "twice": lambda xp, a, b: xp.multiply(a, 2),
    "thrice": lambda xp, a, b: xp.multiply(3.0, a),
    "half": lambda xp, a, b: xp.divide(a, 2), "sums": lambda xp, a, b: xp.sum(a, axis=0),
    "sums by position": lambda xp, a, b: xp.sum(a, 1, "f"), "means": lambda xp, a, b: xp.mean(a, axis=1),
    "maxima": lambda xp, a, b: xp.max(a, axis=0), "minima": lambda xp, a, b: xp.amin(a, axis=1),
    "places": lambda xp, a, b: xp.argmax(a, axis=0), "reshape": lambda xp, a, b: xp.reshape(a, (1, 9)),
}
ELEMENTWISE = {"multiply": lambda xp, a, b: xp.multiply(a, b), "power": lambda xp, a, b: xp.power(a, 2),
               "square": lambda xp, a, b: xp.square(a)}


def host(x):
    return x.toarray() if hasattr(x, "toarray") else np.asarray(x.get() if isinstance(x, tb.ndarray) else x)


def alike(got, want):
    if ss.issparse(want):
        assert type(got).__name__ == type(want).__name__
    got, want = host(got), host(want)
    got = got.get() if isinstance(got, tb.ndarray) else got
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(got, want, 1e-6)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("name", [*FUNCTIONS, *ELEMENTWISE])
def test_functions_of_arrays(name, kind, format):
    if kind == "matrix" and name in ELEMENTWISE or format == "dia" and name in ("argmin", "maxima", "minima", "places"):
        return  # products of matrices in SciPy; of diagonals it has none
    f = FUNCTIONS.get(name) or ELEMENTWISE[name]
    a, h = (getattr(m, f"{format}_{kind}")(DENSE) for m in (sp, ss))
    with np.errstate(invalid="ignore", divide="ignore"):
        alike(f(tb, a, a.T), f(np, h, h.T))


def test_what_would_be_too_large():
    n = 10**6
    a = sp.csr_array((tb.array([4.0, -9.0]), ([0, n - 1], [5, n - 1])), shape=(n, n))
    for got, want in ((tb.abs(a), [4, 9]), (tb.sign(a), [1, -1]), (tb.multiply(a, 2), [8, -18]),
                      (tb.add(a, a), [8, -18]), (tb.power(a, 2), [16, 81]), (tb.multiply(a, a), [16, 81]),
                      (tb.maximum(a, 0), [4]), (tb.minimum(a, a), [4, -9])):
        assert got.shape == (n, n) and got.data.tolist() == want
    assert tb.sum(a) == -5 and tb.max(a) == 4 and tb.min(a) == -9 and tb.count_nonzero(a) == 2


def test_with_dense_arrays():
    a, x = sp.csr_array(DENSE), tb.arange(9.0).reshape(3, 3)
    for product in tb.multiply(a, x), tb.multiply(x, a):
        assert sp.issparse(product)
        np.testing.assert_array_equal(product.toarray().get(), DENSE * x.get())
    for got, want in ((tb.add(x, a), x.get() + DENSE), (tb.exp(a), np.exp(DENSE)), (tb.std(a), DENSE.std()),
                      (tb.add(a, 1), DENSE + 1), (tb.greater(a, 0), DENSE > 0), (tb.power(a, 0), DENSE**0)):
        assert isinstance(got, tb.ndarray)
        np.testing.assert_allclose(got.get(), want)
    np.testing.assert_array_equal(tb.add(a, a, out=tb.empty((3, 3))).get(), 2 * DENSE)
    with pytest.raises(ValueError, match="inconsistent shapes"):
        tb.add(a, sp.csr_array((2, 3)))
    with pytest.raises(TypeError):
        tb.sum(a, keepdims=True)
