"""Math functions in user kernels: their accuracy in loops that are vectorised and in those that are not, and special
values."""

import math

import numpy as np
import pytest

import tombac as xp

L = np.longdouble
UNIT, REAL, POSITIVE, ABOVE = (-1, 1), (-20, 20), (1e-6, 1e4), (1, 1e4)
# name: domain, reference in a wider type
FUNCTIONS = {
    "acos": (UNIT, np.arccos), "acosh": (ABOVE, np.arccosh), "asin": (UNIT, np.arcsin), "asinh": (REAL, np.arcsinh),
    "atan": (REAL, np.arctan), "atanh": ((-0.999, 0.999), np.arctanh), "cbrt": (REAL, np.cbrt), "cos": (REAL, np.cos),
    "cosh": (REAL, np.cosh), "exp": (REAL, np.exp), "exp10": (REAL, lambda x: np.power(L(10), x)),
    "exp2": (REAL, np.exp2), "expm1": (REAL, np.expm1), "log": (POSITIVE, np.log), "log10": (POSITIVE, np.log10),
    "log1p": (POSITIVE, np.log1p), "log2": (POSITIVE, np.log2), "sin": (REAL, np.sin), "sinh": (REAL, np.sinh),
    "sqrt": (POSITIVE, np.sqrt), "tan": (REAL, np.tan), "tanh": (REAL, np.tanh),
    "erf": ((-3, 3), np.vectorize(lambda x: L(math.erf(x)), otypes=[L])),
    "erfc": ((-3, 3), np.vectorize(lambda x: L(math.erfc(x)), otypes=[L])),
}
N = 4099


def off(got, want):
    """The largest error in units of the last place of the result's dtype."""
    unit = np.spacing(abs(want.astype(got.dtype)))
    return float((abs(got.astype(L) - want) / unit).max())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_one_number(name, dtype):
    (low, high), reference = FUNCTIONS[name]
    a = np.random.default_rng(0).uniform(low, high, N).astype(dtype)
    a[-3:] = a[:3]  # the end of a vectorised loop
    k = xp.ElementwiseKernel("T x", "T y", f"y = {name}(x)", f"kernel_{name}")
    got = xp.asnumpy(k(xp.asarray(a)))
    want = reference(a if name in ("erf", "erfc") else a.astype(L))
    slack = 1 if name in ("erf", "erfc") and dtype == "float64" else 0  # the reference is no better than that
    assert got.dtype == dtype
    assert off(got, want) <= 4 + slack
    strided = xp.asarray(np.repeat(a, 3))[::3]
    assert off(xp.asnumpy(k(strided)), want) <= 4 + slack


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name, reference", [("pow", np.power), ("atan2", np.arctan2), ("hypot", np.hypot)])
def test_functions_of_two_numbers(name, reference, dtype):
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0.01, 30, N).astype(dtype), rng.uniform(-8, 8, N).astype(dtype)
    k = xp.ElementwiseKernel("T x, T y", "T z", f"z = {name}(x, y)", f"kernel_{name}")
    assert off(xp.asnumpy(k(xp.asarray(a), xp.asarray(b))), reference(a.astype(L), b.astype(L))) <= 4


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name, reference", [
    ("exp", np.exp), ("log", np.log), ("sin", np.sin), ("cos", np.cos), ("tanh", np.tanh), ("log1p", np.log1p),
    ("expm1", np.expm1), ("exp2", np.exp2), ("log2", np.log2), ("atan", np.arctan),
])
def test_special_values(name, reference, dtype):
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 1e-30, -1e-30, 1e30, -1e30, 88, -88, 709, -709], dtype)
    a = np.tile(special, 20)
    k = xp.ElementwiseKernel("T x", "T y", f"y = {name}(x)", f"special_{name}")
    with np.errstate(all="ignore"):
        want = reference(a)
    got = xp.asnumpy(k(xp.asarray(a)))
    np.testing.assert_allclose(got, want, rtol=1e-6 if dtype == "float32" else 1e-14, atol=np.finfo(dtype).tiny)
    zero = want == 0
    if name not in ("exp", "exp2"):
        assert (np.signbit(got[zero]) == np.signbit(want[zero])).all()


@pytest.mark.parametrize("n", [1, 7, 16385, 50001])
def test_a_plain_loop_in_a_raw_kernel(n):
    a = np.random.default_rng(1).uniform(-5, 5, n).astype("f")
    k = xp.RawKernel(r'''extern "C" __global__ void f(const float *x, float *y, int n)
    {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = expf(x[i]);
    }''', "f")
    y = xp.zeros(n, "f")
    k((1,), (1,), (xp.asarray(a), y, np.int32(n)))
    assert off(xp.asnumpy(y), np.exp(a.astype(L))) <= 4
