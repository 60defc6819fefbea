"""Pending inputs of ElementwiseKernel and ReductionKernel: computed by the kernel where that changes no bit, and
written first where it might."""

import numpy as np
import pytest

import tombac as xp

pytestmark = pytest.mark.usefixtures("fused")

NUMBERS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
COPY = "z = x"


def values(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "fc":
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0, 2 if dtype == "bool" else 100, shape).astype(dtype)


def launched(call):
    """The result of a call, and how many kernels it took."""
    before = xp.config.counters()["launches"]
    result = call()
    return xp.asnumpy(result), xp.config.counters()["launches"] - before


def bits(a):
    return a.shape, a.dtype, a.tobytes()


def check(call, kernels=1):
    """The same bits without deferral, when it is met first, and when it is met again: then it is `kernels` kernels."""
    with xp.config.fusion(False):
        want = xp.asnumpy(call())
    for _ in range(3):
        got, n = launched(call)
        assert bits(got) == bits(want)
    assert n == kernels
    return got


def test_a_pending_input_is_part_of_the_kernel():
    a, b = values((100, 33), "f"), values((100, 33), "f", 1)
    x, y = xp.asarray(a), xp.asarray(b)
    k = xp.ElementwiseKernel("T x, T y", "T z", "z = x * y + x", "joined")
    before = xp.config.counters()
    got = check(lambda: k(x * 2 + 1, y - x))
    after = xp.config.counters()
    np.testing.assert_allclose(got, (a * 2 + 1) * (b - a) + (a * 2 + 1), rtol=1e-5, atol=1e-5)
    assert after["fused_kernels"] > before["fused_kernels"]
    assert after["fused_nodes"] >= before["fused_nodes"] + 6


@pytest.mark.parametrize("dtype", NUMBERS)
def test_every_dtype_rounds_as_before(dtype):
    x, y = xp.asarray(values(1003, dtype)), xp.asarray(values(1003, dtype, 1))
    k = xp.ElementwiseKernel("T x", "T z", COPY, "same")
    if dtype == "bool":
        check(lambda: k((x & y) ^ (x | ~y)))
        return
    check(lambda: k((x + y) * (x - y)))
    check(lambda: k(xp.where(x > y, abs(x) * 3, y)))


@pytest.mark.parametrize("expression", [
    lambda x, y: x / y, lambda x, y: xp.sqrt(abs(x)) * y, lambda x, y: xp.floor(x * 3) - xp.rint(y),
    lambda x, y: xp.copysign(x, y) + xp.trunc(y), lambda x, y: (x < y) + x, lambda x, y: -x * y - xp.ceil(x),
    lambda x, y: xp.isfinite(x) * y,
])
def test_functions_that_are_exact(expression):
    a, b = values(1003, "f"), values(1003, "f", 1)
    a[:6], b[:6] = [np.nan, np.inf, -np.inf, 0, -0.0, 1e-42], [1, -np.inf, 0, 0, np.nan, 1e30]
    x, y = xp.asarray(a), xp.asarray(b)
    k = xp.ElementwiseKernel("T x, T y", "T z", "z = x * y + x", "exact")
    with np.errstate(all="ignore"):
        check(lambda: k(expression(x, y), y))


def test_conversions():
    x = xp.asarray(values(1003, "i"))
    k = xp.ElementwiseKernel("T x", "T z", COPY, "same")
    for to in ["int8", "uint64", "float32", "float64", "bool"]:
        check(lambda to=to: k((x * 1000).astype(to)))


@pytest.mark.parametrize("expression", [
    lambda x: xp.exp(x), lambda x: xp.sin(x) + 1, lambda x: x.astype("e") + 1, lambda x: x * 1j,
    lambda x: (x * 300).astype("int8"), lambda x: xp.deg2rad(x), lambda x: x ** 1.5,
])
def test_what_may_round_otherwise_is_written_first(expression):
    x = xp.asarray(abs(values(1003, "f")))
    k = xp.ElementwiseKernel("T x", "T z", COPY, "same")
    check(lambda: k(expression(x)), 2)


def test_broadcasting_and_views():
    a, b, c = values((3, 1), "d"), values(4, "d", 1), values((2, 3, 4), "d", 2)
    x, y, z = map(xp.asarray, (a, b, c))
    k = xp.ElementwiseKernel("T x, T y", "T z", "z = x - y", "minus")
    np.testing.assert_array_equal(check(lambda: k(x + y, z)), (a + b) - c)
    m = xp.asarray(values((40, 50), "d"))
    check(lambda: k(m[::2, ::-1] * 2, m[1::2]))
    check(lambda: k(m.T * 2, 1))
    check(lambda: k(m * 2, (m + 1)[:, ::-1]), 2)  # a view of a promise is not one


def test_indices_and_raw_arrays():
    x = xp.asarray(values((6, 7), "f"))
    k = xp.ElementwiseKernel("T x, raw T t", "T z", "const ptrdiff_t *at = _ind.get(); z = x + t[at[1]] + i + n",
                             "placed", reduce_dims=False)
    check(lambda: k(x * 2, x[0] * 3), 2)


def test_code_that_names_things():
    x = xp.asarray(values(1003, "f"))
    k = xp.ElementwiseKernel("T x, T y", "T z", "T a = x, b = y; const T x2 = x; { T x = b; z = twice(a * x - x2); }",
                             "named", preamble="__device__ T twice(T v) { return v + v; }")
    check(lambda: k(x * x, x - 1))
    k = xp.ElementwiseKernel("T x", "T z", "sum += x; z = x; if (x > 1) return; z = sum - sum", "prepared",
                             loop_prep="T sum = 0", after_loop="(void)sum")
    check(lambda: k(x * x))
    k = xp.ElementwiseKernel("T x", "T z", "const T *p = &x; z = *p", "addressed")
    check(lambda: k(x * x), 2)


def test_options_that_change_rounding():
    x = xp.asarray(values(1003, "f"))
    k = xp.ElementwiseKernel("T x", "T z", "z = x * x + x", "contracted", options=("--fmad=true",))
    check(lambda: k(x * 3 + 1), 2)


def test_outputs_that_are_read():
    a = values(1003, "f")
    k = xp.ElementwiseKernel("T x", "T z", "z = x + 1", "more")
    for _ in range(3):
        x = xp.asarray(a)
        k(x * 2, x)
        np.testing.assert_array_equal(xp.asnumpy(x), a * 2 + 1)
        x = xp.asarray(a)
        k(x[:-1] * 2, x[1:])
        np.testing.assert_array_equal(xp.asnumpy(x), np.concatenate([a[:1], a[:-1] * 2 + 1]))


def test_a_promise_that_somebody_holds():
    a = values(1003, "f")
    k = xp.ElementwiseKernel("T x, T y", "T z", "z = x - y", "minus")
    for _ in range(3):
        x = xp.asarray(a)
        held = x * 2
        first = k(held, held)
        second = k(held, x)
        x += 1
        third = k(held, x)
        np.testing.assert_array_equal(xp.asnumpy(first), np.zeros_like(a))
        np.testing.assert_array_equal(xp.asnumpy(second), a * 2 - a)
        np.testing.assert_array_equal(xp.asnumpy(third), a * 2 - (a + 1))
        np.testing.assert_array_equal(xp.asnumpy(held), a * 2)


def test_more_expressions_than_are_remembered():
    a = np.arange(50, dtype="i8")
    x = xp.asarray(a)
    k = xp.ElementwiseKernel("T x", "T z", COPY, "same")
    for n in range(1, 80):
        e, want = x, a
        for bit in f"{n:b}":
            e, want = (e + 3, want + 3) if bit == "1" else (e * 2, want * 2)
        np.testing.assert_array_equal(xp.asnumpy(k(e)), want)


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2)])
def test_reductions(axis):
    a, b = values((20, 30, 40), "f"), values((20, 30, 40), "f", 1)
    x, y = xp.asarray(a), xp.asarray(b)
    k = xp.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot")
    got = check(lambda: k(x * 2 + 1, y - x, axis=axis))
    np.testing.assert_allclose(got, ((a * 2.0 + 1) * (b - a)).sum(axis), rtol=1e-3, atol=1e-3)


def test_reductions_that_are_not_fused():
    x = xp.asarray(values((64, 48), "f"))
    wide = xp.asarray(values((64, 48), "d"))
    total = xp.ReductionKernel("T x", "T z", "x", "a + b", "z = a", "0", "total")
    check(lambda: total(xp.exp(x), axis=0), 2)
    check(lambda: total(wide.astype("f") + 1, axis=1), 2)      # read as another dtype
    check(lambda: total(x + x[:, :1], axis=1), 2)              # lies otherwise than what would be written
    both = xp.ReductionKernel("T x, S y", "S z", "y + x", "a + b", "z = a", "0", "both")
    check(lambda: both(x * 2, wide, axis=1), 2)                # another dtype comes first


def test_reductions_with_positions_and_without_an_identity():
    a = values((30, 41), "f")
    x = xp.asarray(a)
    best = xp.ReductionKernel(
        "T x", "int64 at", "best(x, _J)", "b.at < 0 || (a.at >= 0 && a.v >= b.v) ? a : b", "at = a.at",
        "best(0, -1)", "arg_largest", reduce_type="best",
        preamble="struct best { T v; long long at; __device__ best(T v, long long at) : v(v), at(at) {} };")
    np.testing.assert_array_equal(check(lambda: best(-x, axis=1)), (-a).argmax(1))
    least = xp.ReductionKernel("T x", "T z", "x", "a < b ? a : b", "z = a", None, "least")
    np.testing.assert_array_equal(check(lambda: least(x * x, axis=0)), (a * a).min(0))
