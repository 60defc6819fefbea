"""ElementwiseKernel and ReductionKernel against NumPy, on either backend."""

import copy
import pickle
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tombac as xp
from tombac.cuda.compiler import CompileException

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
          "float64", "complex64", "complex128"]
REAL = DTYPES[:12]
SHAPES = [(), (1,), (7,), (0,), (3, 4), (5, 1, 6), (2, 0, 3), (4, 33), (2, 3, 4, 5), (1000,), (40000,)]
COPY = xp.ElementwiseKernel("T x", "T y", "y = x", "copy_of")
SQUARED = xp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")


def values(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    v = rng.integers(0, 2 if dtype == "bool" else 20, shape)
    return np.asarray((v + 1j * rng.integers(0, 9, shape)) if dtype.startswith("c") else v).astype(dtype)


def host(a):
    return xp.asnumpy(a)


def same(a, b, **tolerance):
    a = host(a)
    assert a.shape == b.shape
    assert a.dtype == b.dtype
    np.testing.assert_allclose(a, b, **tolerance)


# --- elementwise: dtypes, layouts, broadcasting -------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype):
    for shape in [(7,), (4, 33)]:
        a = values(shape, dtype)
        same(COPY(xp.asarray(a)), a)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape(shape):
    a, b = values(shape, "float32"), values(shape, "float32", 1)
    same(SQUARED(xp.asarray(a), xp.asarray(b)), (a - b) * (a - b))


@st.composite
def views(draw, shape):
    """An array that broadcasts to shape: some dimensions 1 or missing, some steps, some axes swapped."""
    shape = tuple(1 if draw(st.booleans()) and draw(st.booleans()) else n for n in shape)
    shape = shape[draw(st.integers(0, len(shape))):] if draw(st.booleans()) else shape
    steps = tuple(draw(st.sampled_from([1, 1, 2, -1])) for _ in shape)
    order = draw(st.permutations(range(len(shape))))
    big = tuple(n * abs(s) for n, s in zip(shape, steps, strict=True))
    index = tuple(slice(None, None, s) for s in steps)
    seed = draw(st.integers(0, 99))

    def make(m, dtype):
        base = m.asarray(values(big, dtype, seed).transpose(order).copy())
        return base.transpose(np.argsort(order).tolist())[index]

    return make


@settings(deadline=None, max_examples=25)
@given(st.data(), st.sampled_from([(6,), (3, 5), (2, 3, 4), (4, 1, 2, 3)]), st.sampled_from(["int32", "float32"]))
def test_layouts_and_broadcasting(data, shape, dtype):
    x, y = data.draw(views(shape)), data.draw(views(shape))
    a, b = x(np, dtype), y(np, dtype)
    same(SQUARED(x(xp, dtype), y(xp, dtype)), (a - b) * (a - b))


@pytest.mark.parametrize("dtype", ["float32", "complex128", "uint8"])
def test_output_views(dtype):
    a = values((6, 10), dtype)
    for index in [np.s_[:, ::2], np.s_[::-1, :5], np.s_[1:, 3:8]]:
        out, expected = xp.zeros((6, 10), dtype), np.zeros((6, 10), dtype)
        assert COPY(xp.asarray(a)[index], out[index]) is not None
        expected[index] = a[index]
        same(out, expected)


def test_output_is_an_input():
    a = values((100,), "float32")
    x = xp.asarray(a)
    assert SQUARED(x, 3, x) is x
    same(x, (a - 3) * (a - 3))


def test_overlapping_memory_is_read_first():
    a = values((20001,), "int32")
    x = xp.asarray(a)
    COPY(x[:-1], x[1:])
    same(x, np.concatenate([a[:1], a[:-1]]))
    m = values((64, 64), "int32")
    x = xp.asarray(m)
    COPY(x.T, x)
    same(x, np.ascontiguousarray(m.T))


def test_pending_inputs_and_outputs():
    x = xp.arange(10, dtype="f") * 2 + 1
    later = x + 1
    COPY(xp.zeros(10, "f"), x)
    same(later, np.arange(10, dtype="f") * 2 + 2)
    same(x, np.zeros(10, "f"))


def test_unassigned_outputs_stay():
    a = values((1003,), "float32")
    k = xp.ElementwiseKernel("T x", "T y", "if (x > 5) y = x", "above")
    out = xp.full(1003, -1, "f")
    k(xp.asarray(a), out)
    same(out, np.where(a > 5, a, np.float32(-1)))


def test_control_flow_leaves_one_element():
    a = values((1003,), "int64")
    for word in ["return", "continue", "break"]:
        k = xp.ElementwiseKernel("T x", "T y", f"y = 0; if (x % 2) {word}; y = x", "even")
        same(k(xp.asarray(a)), np.where(a % 2, 0, a))


def test_a_large_index_space():
    k = xp.ElementwiseKernel("", "raw int64 y", "if (i == 2147483655) y[0] = i + n", "far")
    y = xp.zeros(1, "l")
    k(y, size=(1 << 31) + 10)
    same(y, np.array([2147483655 + (1 << 31) + 10]))


# --- types --------------------------------------------------------------------------------------------------------


def test_scalars_take_the_parameters_type():
    a = values((5,), "float32")
    same(SQUARED(xp.asarray(a), 2), (a - 2) * (a - 2))
    same(SQUARED(xp.asarray(a), np.float64(2.5)), (a - np.float32(2.5)) ** 2)
    k = xp.ElementwiseKernel("T x, int32 n, bool b, complex64 c, float16 h", "complex64 y",
                             "y = c * (float)x + n + b + h", "kinds")
    same(k(xp.asarray(a), 7, True, 1 + 2j, 0.5), (a * np.complex64(1 + 2j) + 8.5).astype("F"))


def test_only_scalars_decide():
    k = xp.ElementwiseKernel("T x, raw int32 like", "T y", "y = x + i", "scalars")
    like = xp.zeros(3, "i")
    assert k(2.5, like, size=3).dtype == np.float64
    assert k(2, like, size=3).dtype == np.int64
    assert k(np.float32(2), like, size=3).dtype == np.float32


def test_outputs_decide():
    k = xp.ElementwiseKernel("X x, Y y", "Z z", "z = (x - y) * (x - y)", "generic")
    z = xp.empty(4, "d")
    k(xp.arange(4, dtype="f"), xp.ones(4, "i"), z)
    same(z, (np.arange(4.0) - 1) ** 2)
    with pytest.raises(TypeError, match="Z"):
        k(xp.arange(4, dtype="f"), xp.ones(4, "i"))


@pytest.mark.parametrize("name, dtype", [
    ("int", "int64"), ("float", "float64"), ("half", "float16"), ("uintp", "uint64"), ("complex", "complex128"),
    ("f4", "float32"), ("bool_", "bool"),
])
def test_dtype_names(name, dtype):
    a = values((5,), dtype)
    same(xp.ElementwiseKernel(f"{name} x", f"{name} y", "y = x", "named")(xp.asarray(a)), a)


def test_dtypes_must_fit():
    k = xp.ElementwiseKernel("float32 x", "float32 y", "y = x", "fixed")
    with pytest.raises(TypeError, match="'x'.*float64.*float32"):
        k(xp.zeros(3))
    with pytest.raises(TypeError, match="'y'"):
        SQUARED(xp.zeros(3, "f"), xp.zeros(3))
    with pytest.raises(TypeError, match="numpy"):
        k(np.zeros(3, "f"))
    with pytest.raises(TypeError):
        k(xp.zeros(3, "f"), np.zeros(3, "f"))
    with pytest.raises(TypeError):
        k([1.0])


def test_complex_arithmetic():
    rng = np.random.default_rng(0)
    for dtype, tolerance in [("complex64", 2e-5), ("complex128", 1e-12)]:
        a, b = (rng.normal(size=50) + 1j * rng.normal(size=50) for _ in range(2))
        a, b = a.astype(dtype), b.astype(dtype)
        for code, expected in [
            ("x * y + 2", a * b + 2), ("x / y - 1.5f", a / b - 1.5), ("conj(x) * 3", a.conj() * 3), ("exp(x)",
                                                                                                     np.exp(a)),
            ("log(x)", np.log(a)), ("sqrt(x)", np.sqrt(a)), ("pow(x, y)", a ** b), ("pow(x, 2)", a ** 2),
            ("sin(x) + cos(y)", np.sin(a) + np.cos(b)), ("tanh(x)", np.tanh(a)), ("T(abs(x), arg(y))",
            np.abs(a) + 1j * np.angle(b)), ("T(x.imag(), y.real())", a.imag + 1j * b.real), ("asin(x)", np.arcsin(a)),
            ("acos(x)", np.arccos(a)), ("atan(x)", np.arctan(a)), ("asinh(x)", np.arcsinh(a)), ("acosh(x)",
                                                                                                np.arccosh(a)),
            ("atanh(x)", np.arctanh(a)), ("x == y ? x : -y", -b),
        ]:
            k = xp.ElementwiseKernel("T x, T y", "T z", "z = " + code, "complex_code")
            same(k(xp.asarray(a), xp.asarray(b)), expected.astype(dtype), rtol=tolerance, atol=tolerance)


def test_half_arithmetic():
    bits = np.arange(65536, dtype=np.uint16)
    a = bits.view(np.float16)
    k = xp.ElementwiseKernel("float16 x", "float32 f, float16 h, bool nan", "f = x; h = f; nan = isnan(x)", "halves")
    f, h, nan = (host(v) for v in k(xp.asarray(a)))
    np.testing.assert_array_equal(f, a.astype("f"))
    np.testing.assert_array_equal(h, a)
    np.testing.assert_array_equal(nan, np.isnan(a))
    x = np.random.default_rng(1).normal(size=10000).astype("f") * 1000
    k = xp.ElementwiseKernel("float32 x", "float16 y", "y = x; y += 1; y *= y", "rounded")
    with np.errstate(over="ignore"):
        y = (x.astype("e") + np.float16(1))
        same(k(xp.asarray(x)), y * y)


# --- raw arrays and names of the code -----------------------------------------------------------------------------


def test_raw_linear_index():
    a = values((3, 5), "int32")
    k = xp.ElementwiseKernel("raw T x", "T y", "y = x[x.size() - 1 - i]", "reversed")
    for view in [xp.asarray(a), xp.asarray(a).T, xp.asarray(a)[::2, ::-1]]:
        flat = host(view).ravel()
        same(k(view, size=flat.size), flat[::-1].copy())


def test_raw_multi_dimensional_index():
    a = values((4, 6), "float64")
    k = xp.ElementwiseKernel("raw T x", "T y", "ptrdiff_t at[] = {_ind.get()[1], _ind.get()[0]}; y = x[at]",
                             "transposed",
                             reduce_dims=False)
    for view, expected in [(xp.asarray(a), a.T), (xp.asarray(a)[:, ::-2], a[:, ::-2].T)]:
        same(k(view, xp.empty(expected.shape)), np.ascontiguousarray(expected))


def test_raw_attributes():
    k = xp.ElementwiseKernel("raw T x", "raw int64 y", """
        y[0] = x.size(); y[1] = x.ndim; y[2] = x.shape()[0]; y[3] = x.shape()[1]; y[4] = x.strides()[0];
        y[5] = x.strides()[1]; y[6] = *x.begin(); y[7] = *(&x[0]); y[8] = n; y[9] = _ind.size()""", "attributes")
    x = xp.arange(24, dtype="i").reshape(4, 6)[:, ::2]
    y = xp.zeros(10, "l")
    k(x, y, size=1)
    same(y, np.array([12, 2, 4, 3, 24, 8, 0, 0, 1, 1]))


def test_raw_outputs_and_size():
    k = xp.ElementwiseKernel("T x", "raw T y", "y[i * 2] = x; y[i * 2 + 1] = -x", "doubled")
    y = xp.zeros(8, "f")
    k(xp.arange(4, dtype="f"), y)
    same(y, np.array([0, -0.0, 1, -1, 2, -2, 3, -3], "f"))
    with pytest.raises(ValueError, match="'y'"):
        k(xp.arange(4, dtype="f"))
    made = xp.ElementwiseKernel("raw T x", "T y", "y = x[0] + i", "sized")(xp.ones(1, "f"), size=5)
    same(made, np.arange(1, 6, dtype="f"))


def test_size_is_checked():
    with pytest.raises(ValueError, match="size"):
        SQUARED(xp.zeros(3), xp.zeros(3), size=3)
    with pytest.raises(ValueError, match="size"):
        xp.ElementwiseKernel("raw T x", "raw T y", "y[i] = x[i]", "raws")(xp.zeros(3), xp.zeros(3))
    with pytest.raises(ValueError, match="size"):
        xp.ElementwiseKernel("raw T x", "raw T y", "y[i] = x[i]", "raws")(xp.zeros(3), xp.zeros(3), size=-1)


def test_index_names():
    k = xp.ElementwiseKernel("T x", "int64 a, int64 b, int64 c", "a = i; b = n; c = _ind.get()[0] * 10 + _ind.get()[1]",
                             "names", reduce_dims=False)
    a, b, c = k(xp.zeros((3, 4)))
    same(a, np.arange(12).reshape(3, 4))
    same(b, np.full((3, 4), 12))
    same(c, np.add.outer(np.arange(3) * 10, np.arange(4)))
    k = xp.ElementwiseKernel("T x, int32 n", "T y", "y = x + n", "taken")
    same(k(xp.zeros(3), 4), np.full(3, 4.0))


def test_inputs_that_are_written():
    x = xp.arange(5, dtype="f")
    k = xp.ElementwiseKernel("_non_const T x, T y", "", "x += y", "in_place")
    k(x, 2)
    same(x, np.arange(2, 7, dtype="f"))
    with pytest.raises(CompileException):
        xp.ElementwiseKernel("T x", "T y", "x = 1; y = x", "constant")(x)


def test_preamble_loop_prep_after_loop_options():
    k = xp.ElementwiseKernel("T x", "T y", "y = twice(x) + offset + EXTRA; seen++", "all_of_it",
                             preamble="__device__ T twice(T v) { return 2 * v; }",
                                 loop_prep="T offset = 3; int seen = 0",
                             after_loop="if (seen < 0) twice(offset)", options=("-DEXTRA=4",))
    same(k(xp.arange(100, dtype="f")), np.arange(100, dtype="f") * 2 + 7)


def test_atomics_on_raw_outputs():
    k = xp.ElementwiseKernel("int32 x", "raw int32 counts", "atomicAdd(&counts[x], 1)", "histogram")
    a = values((50000,), "int32")
    counts = xp.zeros(20, "i")
    k(xp.asarray(a), counts)
    same(counts, np.bincount(a, minlength=20).astype("i"))


# --- calls --------------------------------------------------------------------------------------------------------


def test_results():
    one = ("T x", "T y", "y = x", "one")
    x = xp.arange(3.0)
    assert isinstance(xp.ElementwiseKernel(*one)(x), xp.ndarray)
    assert isinstance(xp.ElementwiseKernel(*one, return_tuple=True)(x), tuple)
    assert xp.ElementwiseKernel(*one, no_return=True)(x, xp.empty(3)) is None
    two = xp.ElementwiseKernel("T x", "T y, T z", "y = x; z = -x", "two")(x)
    assert isinstance(two, tuple)
    same(two[1], -np.arange(3.0))
    out = xp.empty(3)
    assert xp.ElementwiseKernel(*one)(x, out, block_size=64, stream=xp.cuda.Stream.null) is out


def test_wrong_calls():
    with pytest.raises(TypeError, match="squared_diff"):
        SQUARED(xp.zeros(3))
    with pytest.raises(TypeError, match="nope"):
        SQUARED(xp.zeros(3), 1, nope=1)
    with pytest.raises(ValueError, match="broadcast"):
        SQUARED(xp.zeros(3), xp.zeros(4))
    with pytest.raises(ValueError, match="shape"):
        SQUARED(xp.zeros(3), xp.zeros(3), xp.zeros(1))
    with pytest.raises(ValueError, match="block_size"):
        SQUARED(xp.zeros(3), 1, block_size=5000)


@pytest.mark.parametrize("args, error, match", [
    (("nope x", "T y", "y = x", "k"), TypeError, "'x'.*'nope'"),
    (("T", "T y", "y = x", "k"), ValueError, "'T'"),
    (("odd T x", "T y", "y = x", "k"), ValueError, "'odd'"),
    (("T x, T x", "T y", "y = x", "k"), ValueError, "'x'"),
    (("T i", "T y", "y = i", "k"), ValueError, "'i'"),
    (("T 3x", "T y", "y = x", "k"), ValueError, "'3x'"),
    (("T x", "const T y", "y = x", "k"), ValueError, "'y'"),
    (("T x", "T y", "y = x", "not a name"), ValueError, "not a name"),
])
def test_bad_declarations(args, error, match):
    with pytest.raises(error, match=match):
        xp.ElementwiseKernel(*args)


def test_attributes():
    k = xp.ElementwiseKernel("T x, raw float32 t", "T y", "y = x", "attributes", True, "//preamble", loop_prep="int a")
    assert (k.name, k.__name__, k.nin, k.nout, k.nargs) == ("attributes", "attributes", 2, 1, 3)
    assert (k.operation, k.preamble, k.reduce_dims, k.no_return, k.return_tuple) == ("y = x", "//preamble", True, False,
                                                                                     False)
    assert k.kwargs["loop_prep"] == "int a"
    assert [p.name for p in k.params] == ["x", "t", "y"]
    assert k.in_params[1].raw
    assert k.in_params[1].dtype == np.float32
    assert k.out_params[0].ctype == "T"
    with pytest.raises(ValueError, match="call it first"):
        k.cached_code  # noqa: B018
    k(xp.zeros(3), xp.zeros(2, "f"))
    assert "attributes" in k.cached_code
    assert list(k.cached_codes) == [(np.dtype("d"), np.dtype("f"), np.dtype("d"))]


def test_compile_errors_show_the_source():
    with pytest.raises(CompileException, match="undeclared_name"):
        xp.ElementwiseKernel("T x", "T y", "y = undeclared_name", "broken")(xp.zeros(3))


def test_one_launch_and_no_more_compilation():
    a = xp.arange(1000, dtype="f")
    SQUARED(a, a)
    before = xp.config.counters()
    for _ in range(5):
        SQUARED(a, a)
    after = xp.config.counters()
    assert after["launches"] - before["launches"] == 5
    assert after["compiles"] == before["compiles"]


def test_threads():
    k = xp.ElementwiseKernel("T x, T y", "T z", "z = x * y + 1", "threaded")
    failures = []

    def work(seed):
        for n in range(20):
            a = values((100 + n,), ["float32", "float64", "int32"][n % 3], seed)
            if not (host(k(xp.asarray(a), xp.asarray(a))) == a * a + 1).all():
                failures.append((seed, n))

    threads = [threading.Thread(target=work, args=(s,)) for s in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures


# --- reductions ---------------------------------------------------------------------------------------------------

SUM = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
NORM = xp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d not in ("bool", "float16", "int8", "uint8")])
def test_reduction_dtypes(dtype):
    a = values((6, 35), dtype)
    for axis in [None, 0, 1]:
        same(SUM(xp.asarray(a), axis=axis), np.asarray(a.sum(axis=axis, dtype=dtype)), rtol=1e-6)


@pytest.mark.parametrize("shape, axes", [
    ((0,), []),
    ((5,), [0, None]),
    ((1,), [None]),
    ((40000,), [None]),
    ((1 << 20,), [None]),
    ((3, 4), [0, 1, (0, 1), ()]),
    ((300, 200), [0, 1]),
    ((2000, 1500), [0, 1, None]),
    ((100000, 3), [0, 1]),
    ((3, 100000), [0, 1]),
    ((2, 300000), [1]),
    ((300000, 2), [0]),
    ((64, 33, 65), [1, (0, 2)]),
    ((2, 3, 4, 5), [0, 1, 2, 3, (0, 2), (1, 3), (0, 1, 2, 3), -1]),
])
def test_reduction_axes(shape, axes):
    a = values(shape, "int64")
    x = xp.asarray(a)
    for axis in axes:
        for keepdims in [False, True]:
            same(SUM(x, axis=axis, keepdims=keepdims), np.asarray(a.sum(axis=axis, keepdims=keepdims)))


@settings(deadline=None, max_examples=25)
@given(st.data(), st.sampled_from([(6,), (3, 5), (2, 3, 4), (4, 1, 2, 3)]))
def test_reduction_layouts(data, shape):
    x, y = data.draw(views(shape)), data.draw(views(shape))
    k = xp.ReductionKernel("T x, T y", "int64 z", "x * y + 1", "a + b", "z = a", "0", "dot1")
    a, b = x(np, "int64"), y(np, "int64")
    product = np.asarray(a * b + 1)
    axis = data.draw(st.sets(st.integers(0, product.ndim - 1)).map(lambda s: tuple(sorted(s)))) if product.ndim else ()
    same(k(x(xp, "int64"), y(xp, "int64"), axis=axis), np.asarray(product.sum(axis=axis)))


def test_reduction_of_nothing():
    same(SUM(xp.zeros((0, 3)), axis=0), np.zeros(3))
    assert SUM(xp.zeros((0, 3)), axis=1).shape == (0,)
    assert float(NORM(xp.zeros(0))) == 0
    k = xp.ReductionKernel("T x", "T y", "x", "min(a, b)", "y = a", None, "smallest")
    with pytest.raises(ValueError, match="identity"):
        k(xp.zeros(0))


def test_reduction_without_identity():
    k = xp.ReductionKernel("T x", "T y", "x", "a < b ? a : b", "y = a", None, "smallest")
    a = values((70, 300), "float32") + 5
    for axis in [None, 0, 1]:
        same(k(xp.asarray(a), axis=axis), np.asarray(a.min(axis=axis)))


def test_reduction_with_its_own_type():
    k = xp.ReductionKernel("T x", "int64 y", "best(x, _J)",
                           "b.at < 0 || (a.at >= 0 && (a.v > b.v || (a.v == b.v && a.at < b.at))) ? a : b", "y = a.at",
                           "best()", "position", "best", preamble="""
        struct best {
            T v; long long at;
            __device__ best() : v(0), at(-1) {}
            __device__ best(T x, long long i) : v(x), at(i) {}
        };""")
    rng = np.random.default_rng(3)
    for shape in [(1000,), (40, 60), (5, 70, 9), (1 << 18,)]:
        a = rng.normal(size=shape).astype("f")
        x = xp.asarray(a)
        same(k(x), np.asarray(a.argmax()))
        for axis in range(len(shape)):
            same(k(x, axis=axis), np.asarray(a.argmax(axis=axis)))
        if len(shape) == 2:
            same(k(x.T), np.asarray(a.T.argmax()))
            same(k(x.T, axis=0), np.asarray(a.T.argmax(axis=0)))


def test_reduction_parameters():
    k = xp.ReductionKernel("T x, raw T w, float64 s", "float64 y", "x * w[_J % w.size()]", "a + b",
                           "y = a * s + w[0]", "0",
                           "weighted", "double")
    a, w = values((6, 9), "float64"), np.array([2.0, 3.0])
    weights = np.resize(w, 9)
    same(k(xp.asarray(a), xp.asarray(w), 0.5, axis=1), (a * weights).sum(1) * 0.5 + 2)
    a = values((6, 9), "int64")
    k = xp.ReductionKernel("T x", "int64 y", "x + _i * 100", "max(a, b)", "y = a", "0", "numbered")
    same(k(xp.asarray(a), axis=1), (a + np.arange(6)[:, None] * 100).max(1))
    same(k(xp.asarray(a), axis=0), (a + np.arange(9) * 100).max(0))


@pytest.mark.parametrize("params, error, message", [
    ("x", ValueError, "'type name', got 'x'"),
    ("T x, ", ValueError, "'type name', got ' *'"),
    ("T 1x", ValueError, "'1x' cannot be a parameter's name"),
    ("T \u00e9", ValueError, "cannot be a parameter's name"),
    ("T i", ValueError, "'i' is the loop's index"),
    ("T _ind", ValueError, "'_ind' is reserved"),
    ("T x, T x", ValueError, "two parameters are named 'x'"),
    ("shared T x", ValueError, "unknown keyword 'shared'"),
    ("raw raw raw raw T x y", ValueError, "too many words"),
    ("float33 x", TypeError, "'x' has type 'float33'"),
    ("\u00e9 x", TypeError, "neither a dtype nor a placeholder"),
    ("T x" + "".join(f", T x{k}" for k in range(64)), ValueError, "at most 64 parameters"),
])
def test_parameter_lists_that_cannot_be_read(params, error, message):
    with pytest.raises(error, match=message):
        xp.ElementwiseKernel(params, "T y", "y = 0", "unreadable")
    with pytest.raises(error, match=message):
        xp.ReductionKernel(params, "T y", "1", "a + b", "y = a", "0", "unreadable")


def test_reduction_mixed_types():
    k = xp.ReductionKernel("float32 x", "complex128 y", "complex<double>(x, 1)", "a + b", "y = a", "0", "to_complex")
    a = values((100, 50), "float32")
    same(k(xp.asarray(a), axis=1), a.sum(1).astype("D") + 50j)
    k = xp.ReductionKernel("float16 x", "float16 y", "x", "a + b", "y = a", "0", "half_sum", "float")
    a = values((10, 50), "float16")
    same(k(xp.asarray(a), axis=1), a.astype("f").sum(1).astype("e"))
    k = xp.ReductionKernel("bool x", "bool y", "x", "a || b", "y = a", "false", "any_of")
    a = values((10, 5), "bool")
    same(k(xp.asarray(a), axis=1), a.any(1))


def test_reduction_outputs():
    a = values((6, 9), "float32")
    x, out = xp.asarray(a), xp.zeros((6, 4), "f")[:, 1]
    assert SUM(x, out, axis=1) is out
    same(out, a.sum(1))
    out2 = xp.empty(6, "f")
    assert SUM(x, axis=1, out=out2) is out2
    same(out2, a.sum(1))
    with pytest.raises(ValueError, match="shape"):
        SUM(x, xp.empty(9, "f"), axis=1)
    with pytest.raises(TypeError):
        SUM(x, xp.empty(6, "d"), axis=1)
    with pytest.raises(ValueError, match="out"):
        SUM(x, out2, axis=1, out=out2)
    with pytest.raises(np.exceptions.AxisError):
        SUM(x, axis=5)
    with pytest.raises(TypeError, match="nope"):
        SUM(x, nope=1)


def test_reduction_declarations():
    with pytest.raises(ValueError, match="one output"):
        xp.ReductionKernel("T x", "T y, T z", "x", "a + b", "y = a", "0")
    with pytest.raises(TypeError, match="'nope'"):
        xp.ReductionKernel("nope x", "T y", "x", "a + b", "y = a", "0")
    k = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, reduce_type="T", options=("-DA=1",))
    assert (k.name, k.nin, k.nout, k.nargs, k.identity, k.reduce_type) == ("reduce_kernel", 1, 1, 2, "0", "T")
    assert (k.map_expr, k.reduce_expr, k.post_map_expr, k.options) == ("x", "a + b", "y = a", ("-DA=1",))
    with pytest.raises(CompileException, match="undeclared_name"):
        xp.ReductionKernel("T x", "T y", "undeclared_name", "a + b", "y = a", "0")(xp.zeros(3))


def test_reductions_repeat_themselves():
    a = xp.asarray(np.random.default_rng(5).normal(size=(700, 1300)).astype("f"))
    for axis in [None, 0, 1]:
        first = host(NORM(a, axis=axis))
        for _ in range(3):
            np.testing.assert_array_equal(host(NORM(a, axis=axis)), first)
        np.testing.assert_allclose(first, np.sqrt((host(a).astype("d") ** 2).sum(axis)), rtol=1e-5)


def test_reduction_of_pending_input():
    x = xp.arange(1000, dtype="f")
    same(SUM(x * 2 + 1, axis=0), np.asarray((np.arange(1000, dtype="f") * 2 + 1).sum()))


# --- indices in reductions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis, keepdims", [(None, False), (0, False), (1, True), (2, False), ((0, 2), True)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_indices_of_elements_and_results(axis, keepdims, order):
    """_in_ind counts reduced dimensions first, _out_ind those that stay; both are known wherever they are used."""
    a = values((4, 5, 6), "int64")
    reduced = tuple(range(3)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    kept = tuple(d for d in range(3) if d not in reduced)
    grid = np.indices(a.shape)
    first, last = grid[reduced[0]], grid[kept[-1] if kept else reduced[-1]]
    k = xp.ReductionKernel("T x", "int64 y", "x * (1 + _in_ind.get()[0] * 100 + _in_ind.get()[ndim - 1] * 10000)",
                           "a + b", "y = a", "0", "weighted", preamble="enum { ndim = 3 };", reduce_dims=False)
    x = xp.asarray(a, order=order)
    same(k(x, axis=axis, keepdims=keepdims), (a * (1 + first * 100 + last * 10000)).sum(axis, keepdims=keepdims))
    if not kept:
        return
    k = xp.ReductionKernel("T x", "int64 y", "x + _out_ind.get()[0]", "a + b",
                           "y = a * 1000 + _out_ind.get()[0] * 100 + _out_ind.size() + _i", "0", "placed")
    want = (a + grid[kept[0]]).sum(reduced)
    place = np.indices(want.shape)[0] * 100 + want.size + np.arange(want.size).reshape(want.shape)
    want = want * 1000 + place
    got = k(x, axis=axis, keepdims=keepdims)
    same(got.reshape(want.shape), want)


def test_indices_of_results_of_nothing_and_of_many_parts():
    k = xp.ReductionKernel("T x", "int64 y", "x", "a + b", "y = a + _out_ind.get()[0] + _i", "7", "of_nothing")
    same(k(xp.zeros((3, 0), "l"), axis=1), np.array([7, 9, 11]))
    a = values((2, 1 << 19), "int64")
    k = xp.ReductionKernel("T x", "T y", "x", "a < b ? b : a", "y = a * 10 + _out_ind.get()[0]", None, "largest")
    same(k(xp.asarray(a), axis=1), a.max(1) * 10 + np.arange(2))
    same(k(xp.asarray(np.ascontiguousarray(a.T)), axis=0), a.max(1) * 10 + np.arange(2))


OWN_TYPES = ["typedef unsigned long long uint64_t;", "using uint64_t = unsigned long long;",
             "typedef unsigned int uint32_t;\ntypedef unsigned long long uint64_t;", "typedef unsigned long uint64_t;"]


@pytest.mark.parametrize("own", OWN_TYPES)
def test_names_of_stdint_may_be_the_users_own(own):
    preamble = own + "__device__ inline uint64_t next(uint64_t s) { return s * 6364136223846793005ull + 1; }"
    x = np.arange(5)
    want = x.astype("u8") * np.uint64(6364136223846793005) + np.uint64(1)
    each = xp.ElementwiseKernel("T x", "uint64 y", "uint64_t s = x; int32_t t = 0; y = next(s) + t;", "own_types",
                                preamble=preamble)
    np.testing.assert_array_equal(each(xp.array(x)).get(), want)
    raw = xp.ElementwiseKernel("raw T x", "uint64 y", "uint64_t s = x[i]; y = next(s);", "own_raw", preamble=preamble)
    np.testing.assert_array_equal(raw(xp.array(x), size=5).get(), want)
    total = xp.ReductionKernel("T x", "uint64 y", "next(x)", "a + b", "y = a", "0", "own_sum", preamble=preamble)
    assert int(total(xp.array(x))) == int(want.sum())


KERNELS = {
    "elementwise": (lambda: xp.ElementwiseKernel("T x, T y", "T z", "z = ADD(x, y)", "added", no_return=False,
                                                 preamble="#define ADD(a, b) ((a) + (b))", options=("-DONE=1",)),
                    lambda k: k(xp.arange(3.0), 2)),
    "reduction": (lambda: xp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = a", 0, name="squares"),
                  lambda k: k(xp.arange(6.0).reshape(2, 3), axis=1)),
    "raw": (lambda: xp.RawKernel('extern "C" __global__ void three(double *x) { x[threadIdx.x] = 3; }', "three"),
            lambda k: filled(k)),
    "module": (lambda: xp.RawModule(code='extern "C" __global__ void three(double *x) { x[threadIdx.x] = 3; }'),
               lambda m: filled(m.get_function("three"))),
}


def filled(kernel):
    x = xp.zeros(4)
    kernel((1,), (4,), (x,))
    return x


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_are_pickled_and_copied(name):
    make, call = KERNELS[name]
    kernel = make()
    want = call(kernel).get()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(kernel, protocol))
        assert type(again) is type(kernel) and again is not kernel
        np.testing.assert_array_equal(call(again).get(), want)
    np.testing.assert_array_equal(call(copy.deepcopy(kernel)).get(), want)


def test_what_pickles_of_kernels_keep():
    kernel = pickle.loads(pickle.dumps(KERNELS["elementwise"][0]()))
    assert (kernel.name, kernel.operation, kernel.kwargs["options"]) == ("added", "z = ADD(x, y)", ("-DONE=1",))
    kernel = copy.copy(KERNELS["reduction"][0]())
    assert (kernel.name, kernel.map_expr, kernel.identity) == ("squares", "x * x", "0")
