"""bfloat16: against float32 rounded once, every bit pattern of it, and against the arrays of ml_dtypes."""

import ctypes
import io
import itertools
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tombac as tb
from tombac import config
from tombacx import jit
from tombacx.scipy import special

ml_dtypes = pytest.importorskip("ml_dtypes")

pytestmark = [pytest.mark.filterwarnings("ignore:" + text) for text in (
    "invalid value encountered in cast", "overflow encountered in cast", "Casting complex values")]
B = np.dtype(ml_dtypes.bfloat16)
MOST = 255 * 2.0**120
EPS = 2.0**-8  # half a unit in the last place of 1
CODES = "?bBhHiIlLefdFD"
EVERY = np.arange(1 << 16, dtype=np.uint16).view(B)  # each of its numbers, and each NaN
SOME = np.array([0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 1e-3, -7.25, 11, 100, -100, 1e30, 2**-130, np.inf,
                 -np.inf, np.nan], B)
UFUNCS = sorted({f.__name__ for f in vars(tb).values() if isinstance(f, tb.ufunc)})


def nearest(x):
    """Numbers of NumPy's dtypes as bfloat16: the nearest, and of two that are as near the even one.

    By way of float32 for integers, as in ml_dtypes.
    """
    x = np.asarray(x)
    x = x.real if x.dtype.kind == "c" else x.astype("f") if x.dtype.kind in "iub" else x
    x = x.astype("d")
    with np.errstate(all="ignore"):
        step = np.maximum(np.frexp(x)[1] - 8, -133)
        y = np.where(np.isfinite(x), np.ldexp(np.rint(np.ldexp(x, -step)), step), x).astype("f")
    return (np.ascontiguousarray(y).view(np.uint32) >> 16).astype(np.uint16).view(B).reshape(x.shape)


def wide(x):
    return np.asarray(x).astype("f")


def bits(x):
    """The bits, of NaNs but that they are NaN."""
    x = x.get() if isinstance(x, tb.ndarray) else np.asarray(x)
    if x.dtype == B:
        return np.where(np.isnan(wide(x)), np.uint16(0x7fc0), np.ascontiguousarray(x).view(np.uint16).reshape(x.shape))
    return np.where(np.isnan(x), np.nan, x) if x.dtype.kind == "f" else x


def same(got, want):
    """The same numbers, dtype and shape, zeros of the same sign."""
    want = np.asarray(want)
    assert isinstance(got, tb.ndarray) and got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_array_equal(bits(got), bits(want))


def close(got, want, rtol=2 * EPS, atol=0.0):
    """Of dtype bfloat16, and near numbers of a wider dtype."""
    assert got.dtype == B and got.shape == np.shape(want)
    np.testing.assert_allclose(wide(got.get()), want, rtol, atol)


def normal(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(B)


# ---- the dtype -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bfloat16", B, ml_dtypes.bfloat16, pickle.loads(pickle.dumps(B)), "E"])
def test_what_names_it(dtype):
    x = tb.zeros(3, dtype)
    assert x.dtype is tb.ones(1, B).dtype and x.dtype == B and x.itemsize == 2 and x.nbytes == 6
    assert tb.empty_like(x).dtype == B and tb.full(2, 1.5, dtype).tolist() == [1.5, 1.5]
    assert tb.array([1, 2.5, 1e-3], dtype).dtype == B and tb.asarray(x, dtype) is x
    assert x.astype("f").dtype == np.float32 and tb.arange(3, dtype=dtype).tolist() == [0, 1, 2]


def test_from_host_arrays_and_back():
    same(tb.array(EVERY), EVERY)
    matrix = EVERY[:6000].reshape(60, 100)
    for view in (matrix.T, matrix[::-2, 3:50:3], matrix[:0], matrix[2, 7]):
        same(tb.array(view), view)
        assert type(tb.array(view).get()) is np.ndarray
    x, out = tb.array(matrix), np.zeros((60, 100), B)
    x.get(out=out)
    np.testing.assert_array_equal(bits(out), bits(matrix))
    x.set(matrix[::-1])
    same(x, matrix[::-1])
    with pytest.raises(TypeError, match="bfloat16"):
        x.set(matrix.view(np.uint16))
    assert x.view(np.uint16).dtype == np.uint16 and x.view("h").view("bfloat16").dtype == B
    same(x.view(np.uint16).view(B), matrix[::-1])


def test_numbers_and_lists():
    x = tb.array([1.5, -2, 1e-3], B)
    assert x[0].item() == 1.5 and float(x[1]) == -2.0 and int(x[1]) == -2 and bool(x[2]) and x.tolist()[:2] == [1.5, -2]
    assert type(x[0].item()) is float and x.tolist() == wide(x.get()).tolist()
    assert repr(x) == repr(x.get()) and str(x) == str(x.get())
    same(tb.array(ml_dtypes.bfloat16(3.25)), np.array(3.25, B))
    same(tb.array([ml_dtypes.bfloat16(3.25), ml_dtypes.bfloat16(1)]), np.array([3.25, 1], B))
    same(tb.array([[1, 2], [3, 4]], "bfloat16"), np.array([[1, 2], [3, 4]], B))
    same(tb.array([1 + 2.0**-8 + 2.0**-40], B), nearest([1 + 2.0**-8 + 2.0**-40]))
    x[1] = 7.7
    x[2] = ml_dtypes.bfloat16(0.1)
    same(x, nearest([1.5, 7.7, 0.1]))


def test_promotion_is_that_of_ml_dtypes():
    for code in CODES:
        with np.errstate(all="ignore"):
            want = (np.ones(1, B) + np.ones(1, code)).dtype
        x, y = tb.ones(1, B), tb.ones(1, code)
        assert (x + y).dtype == (y + x).dtype == want, code
        assert tb.result_type(B, np.dtype(code)) == tb.result_type(x, y) == tb.result_type(y, B, "bfloat16") == want
        assert tb.concatenate([x, y]).dtype == tb.where(True, x, y).dtype == tb.stack([y, x]).dtype == want
    assert tb.result_type(B, B) == tb.result_type("bfloat16", 1, 2.5, True) == B
    assert tb.result_type(tb.ones(1, B), ml_dtypes.bfloat16(1), np.int8(1)) == B
    assert tb.result_type(B, 1j) == np.complex64 and tb.result_type(B, np.float64(1)) == np.float64
    x = tb.ones(2, B)
    assert (x + 1).dtype == (x * 1e300).dtype == (True + x).dtype == (x + ml_dtypes.bfloat16(2)).dtype == B
    assert (x + 1j).dtype == np.complex64 and (x + np.float32(1)).dtype == np.float32


def test_casting_rules():
    x, i = tb.ones(3, B), tb.ones(3, "i")
    assert tb.can_cast("b", B) and tb.can_cast(B, "f") and tb.can_cast(x, "F") and tb.can_cast("d", B, "same_kind")
    assert not tb.can_cast("h", B) and not tb.can_cast(B, "e") and not tb.can_cast(B, "i", "same_kind")
    assert tb.can_cast("e", "bfloat16", "same_kind") and not tb.can_cast(B, "e", "equiv") and tb.can_cast(B, B, "no")
    tb.add(x, 1.5, out=i.astype("e"))
    with pytest.raises(TypeError):
        tb.add(x, x, out=i)
    with pytest.raises(TypeError):
        i += x
    with pytest.raises(TypeError):
        x.astype("i", casting="same_kind")
    x += tb.ones(3, "d")
    assert x.dtype == B and x.tolist() == [2, 2, 2]


def test_finfo():
    info = tb.finfo("bfloat16")
    assert float(info.eps) == 2.0**-7 and float(info.max) == MOST
    assert float(tb.finfo(tb.ones(1, B)).tiny) == 2.0**-126
    assert tb.finfo(np.float32) is np.finfo("f") or tb.finfo(np.float32).eps == np.finfo("f").eps


# ---- casts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
def test_casts_from_every_number(code):
    x = EVERY if code in "?efdFD" else EVERY[np.abs(wide(EVERY)) < (100 if code in "bB" else 30000)]
    x = x[wide(x) >= 0] if code in "BHIL" else x
    same(tb.array(x).astype(code), wide(x).astype(code))


@pytest.mark.parametrize("code", CODES)
def test_casts_to_it(code):
    rng = np.random.default_rng(3)
    t = np.dtype(code)
    if t.kind in "biu":
        top = 1 if t.kind == "b" else np.iinfo(t).max
        kind = "L" if t.kind == "u" else "l"
        x = rng.integers(0 if t.kind in "bu" else -top, top, 5000, endpoint=True, dtype=kind)
        x = np.concatenate([x, x >> (4 * t.itemsize), x & min(511, top)]).astype(t)
        np.testing.assert_array_equal(bits(x.astype(B)), bits(nearest(x)))  # ml_dtypes goes by way of float32 too
    else:
        ties = (1 + (2 * np.arange(128) + 1) * EPS / 2)[:, None]
        ties = ties * 2.0 ** np.array([-140, -134, -130, -20, -3, 0, 9, 127])
        with np.errstate(all="ignore"):
            x = (ties[..., None] * (1 + np.array([0, 2.0**-40, -2.0**-40, 2.0**-20, -2.0**-20]))).ravel().astype(t)
            x = np.concatenate([x, -x, SOME.astype(t), rng.standard_normal(999).astype(t), [t.type(511 * 2.0**119)]])
    same(tb.array(x).astype(B), nearest(x))
    same(tb.array(x, B), nearest(x))


@given(st.floats(width=64))
def test_single_numbers_are_rounded_once(x):
    want = nearest(np.array([x]))
    same(tb.full(1, x, B), want)
    same(tb.array([x, x])[:1].astype(B), want)
    y = tb.zeros(1, B)
    y[...] = x
    same(y, want)


# ---- ufuncs ----------------------------------------------------------------------------------------------------------


SIGNATURES = [(name, types) for name in UFUNCS for types in dict.fromkeys(getattr(tb, name).types) if "E" in types]


def operands(types):
    """Every number for functions of one, all pairs of some for functions of two."""
    left = types.split("->")[0]
    if left == "E":
        return [EVERY]
    each = [SOME if c == "E" else np.array([True, False]) if c == "?" else np.arange(-9, 10, dtype=c) for c in left]
    return [g.ravel() for g in np.meshgrid(*each, indexing="ij")]


def result_of(name, types, arrays):
    """As the float32 function gives it, rounded once."""
    wide_types = types.replace("E", "f")
    out = getattr(tb, name)(*(tb.array(wide(a) if a.dtype == B else a) for a in arrays), signature=wide_types)
    out = out if isinstance(out, tuple) else (out,)
    return [nearest(o.get()) if c == "E" else o.get() for o, c in zip(out, types.split("->")[1])]


@pytest.mark.parametrize("name, types", SIGNATURES)
def test_every_loop(name, types):
    arrays = operands(types)
    got = getattr(tb, name)(*map(tb.array, arrays))
    got = got if isinstance(got, tuple) else (got,)
    if name not in ("nextafter", "spacing"):  # which are of the dtype's own numbers
        for g, w in zip(got, result_of(name, types, arrays), strict=True):
            same(g, w)
    f = getattr(np, name, None)
    if not isinstance(f, np.ufunc) or name in ("nextafter", "spacing", "ldexp"):
        return
    with np.errstate(all="ignore"):
        want = f(*(wide(a) if a.dtype == B else a for a in arrays))
    for g, w in zip(got, want if isinstance(want, tuple) else (want,), strict=True):
        g, least = g.get(), 2.0**-125 if name in ("arctan2", "logaddexp") else 2.0**-133
        keep = np.isfinite(w) if w.dtype.kind == "f" else slice(None)
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(wide(g)[keep], wide(nearest(w))[keep], 2 * EPS, least)


def test_which_loops_there_are():
    """Those of float16, and one for each of them."""
    for name in UFUNCS:
        types = getattr(tb, name).types
        assert {t.replace("e", "E") for t in types if "e" in t} == {t for t in types if "E" in t}, name
        assert [t for t in types if "E" in t] == [] or types.index(next(t for t in types if "E" in t)) > 0


def test_nextafter():
    x, y = (a.ravel() for a in np.meshgrid(SOME, SOME))
    got = tb.nextafter(tb.array(x), tb.array(y))
    with np.errstate(all="ignore"):
        want = np.nextafter(x, y)
    equal = wide(x) == wide(y)
    np.testing.assert_array_equal(bits(got)[~equal], bits(want)[~equal])
    np.testing.assert_array_equal(wide(got.get())[equal], wide(y)[equal])


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "left_shift", "invert", "gcd"])
def test_what_needs_integers_refuses(name):
    f = getattr(tb, name)
    with pytest.raises(TypeError):
        f(*[tb.ones(3, B)] * f.nin)


@pytest.mark.parametrize("code", CODES)
def test_arithmetic_with_other_dtypes(code):
    y = np.arange(1, 21).astype(code)
    x = SOME[:20]
    with np.errstate(all="ignore"):
        for op in (np.add, np.multiply, np.subtract):
            want = op(x, y)
            got = getattr(tb, op.__name__)(tb.array(x), tb.array(y))
            assert got.dtype == want.dtype
            if want.dtype.kind == "c":
                continue  # infinities times complex numbers are NaN in one part or the other
            same(got, want)


def chain(x, y):
    z = tb.where(x > y, x * 3, y) + 1
    w = (z.astype("f") / 7).astype(B) * x
    return [z, w, tb.sqrt(abs(w)).astype("e"), tb.exp(-abs(z)), tb.maximum(w, y), (x * y + z).sum(0),
            tb.cumsum(z - w, 1)]


def test_fusing_changes_no_bit():
    x, y = tb.array(normal((60, 40))), tb.array(normal((60, 40), 1))
    want = None
    for fused in (True, False, "all"):
        with config.fusion(fused):
            got = [bits(r).tobytes() for r in chain(x, y)]
        want = want or got
        assert got == want, fused


def test_one_kernel():
    """An expression of several operations is one launch, as for other dtypes."""
    x = tb.array(normal(5000))
    with config.fusion("all"):
        y = (x * 2 + 1).astype("f") - 1
        before = config.counters()["launches"]
        y.get()
        assert config.counters()["launches"] == before + 1


# ---- reductions, scans, order ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2), -1])
@pytest.mark.parametrize("name", ["sum", "mean", "prod", "max", "min", "std", "var", "nansum", "nanmean", "nanmax",
                                  "ptp", "median", "amax", "nanvar"])
def test_reductions(name, axis):
    x = normal((7, 30, 11))
    with np.errstate(all="ignore"):
        want = getattr(np, name)(x.astype("d"), axis)
    got = getattr(tb, name)(tb.array(x), axis)
    if name in ("max", "min", "nanmax", "amax"):
        same(got, nearest(want))
    else:
        least = {"median": 1e-3, "sum": 1e-2, "nansum": 1e-2, "mean": 1e-2, "nanmean": 1e-2}
        close(got, want, 2 * EPS, least.get(name, 1e-30))


@pytest.mark.parametrize("shape, axis", [((100000,), None), ((300, 1000), 0), ((1000, 300), 1), ((5, 70000), 1)])
def test_sums_do_not_stop_growing(shape, axis):
    """They are sums of float32: adding 1 to 256 changes no bfloat16."""
    ones = np.ones(shape, B)
    same(tb.array(ones).sum(axis), nearest(ones.astype("d").sum(axis)))
    same(tb.array(ones).mean(axis), nearest(ones.astype("d").mean(axis)))
    same(tb.count_nonzero(tb.array(ones), axis), np.asarray(np.count_nonzero(ones, axis)))
    assert tb.array(ones).sum(axis, dtype="f").dtype == np.float32


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("axis", [0, 1])
def test_scans(axis, order):
    x = (np.random.default_rng(1).integers(-4, 5, (300, 200)) / 4).astype(B)
    a = tb.array(x, order=order)
    same(tb.cumsum(a, axis), nearest(np.cumsum(x.astype("d"), axis)))
    same(tb.add.accumulate(a[::2], axis), nearest(np.cumsum(x[::2].astype("d"), axis)))
    same(tb.maximum.accumulate(a, axis), nearest(np.maximum.accumulate(wide(x), axis)))
    same(tb.cumprod(tb.sign(a[:, :9]), axis), nearest(np.cumprod(np.sign(x[:, :9].astype("d")), axis)))


def test_scans_carry_floats():
    ones = tb.ones(5000, B)
    same(tb.cumsum(ones), nearest(np.arange(1, 5001)))


def test_extremes_with_nan():
    x = SOME.copy()
    for name in ("max", "min", "argmax", "argmin", "nanmax", "nanmin", "nanargmax", "nanargmin"):
        want = getattr(np, name)(wide(x))
        got = getattr(tb, name)(tb.array(x))
        same(got, nearest(want) if "arg" not in name else np.asarray(want))
    a = np.stack([normal(500), normal(500, 2)])
    for axis in (0, 1, None):
        same(tb.argmax(tb.array(a), axis), np.asarray(np.argmax(wide(a), axis)))
        same(tb.argmin(tb.array(a), axis), np.asarray(np.argmin(wide(a), axis)))


def test_logical_reductions_and_logsumexp():
    x = np.array([[0, 1, np.nan], [0, -0.0, 0]], B)
    assert tb.array(x).any(1).tolist() == [True, False] and tb.array(x).all(1).tolist() == [False, False]
    y = normal((4, 600))
    close(special.logsumexp(tb.array(y), axis=1), np.logaddexp.reduce(y.astype("d"), axis=1))
    soft = special.softmax(tb.array(y), axis=1)
    close(soft, np.exp(y.astype("d") - np.logaddexp.reduce(y.astype("d"), axis=1)[:, None]), 16 * EPS)


@pytest.mark.parametrize("n", [5, 300, 5000, 200000])
def test_sorting(n):
    x = np.random.default_rng(n).permutation(np.resize(EVERY, n))
    a, w = tb.array(x), wide(x)
    np.testing.assert_array_equal(wide(tb.sort(a).get()), np.sort(w))
    order = tb.argsort(a).get()
    np.testing.assert_array_equal(order, np.argsort(w, kind="stable"))
    part = wide(tb.partition(a, n // 2).get())
    np.testing.assert_array_equal(part[n // 2], np.sort(w)[n // 2])
    finite = np.sort(x[np.isfinite(w)])
    finite = finite[np.argsort(wide(finite), kind="stable")]
    same(tb.searchsorted(tb.array(finite), tb.array(x[:50])), np.searchsorted(wide(finite), w[:50]))


def test_sets_and_order_statistics():
    x = normal(999)
    same(tb.unique(tb.array(x)), nearest(np.unique(wide(x))))
    assert tb.isin(tb.array(x), tb.array(x[::3])).sum() == np.isin(wide(x), wide(x[::3])).sum()
    close(tb.median(tb.array(x)), np.median(wide(x)))
    np.testing.assert_allclose(tb.percentile(tb.array(x), 30).get().astype("d"), np.percentile(wide(x), 30), 4 * EPS)
    same(tb.lexsort(tb.array(np.stack([x[:50], x[50:100]]))), np.lexsort(wide(np.stack([x[:50], x[50:100]]))))


# ---- products --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("m, k, n", [(1, 1000, 1), (5, 7, 3), (40, 300, 50), (1, 64, 33), (64, 33, 1), (0, 3, 4),
                                     (3, 0, 4)])
def test_matrix_products(m, k, n):
    x, y = normal((m, k)), normal((k, n), 1)
    want = x.astype("d") @ y.astype("d")
    scale = (abs(x.astype("d")) @ abs(y.astype("d"))).max(initial=0) * 1e-5
    a, b = tb.array(x), tb.array(y)
    for got in (a @ b, tb.dot(a, b), (b.T @ a.T).T, tb.array(x, order="F") @ b, tb.einsum("ij,jk->ik", a, b),
                tb.tensordot(a, b, 1)):
        close(got, want, 2 * EPS, scale)
    stack = tb.stack([a, -a, a[::-1]]) @ b
    close(stack, np.stack([want, -want, want[::-1]]), 2 * EPS, scale)


def test_long_inner_products():
    """They are summed in float32."""
    ones = tb.ones(30000, B)
    assert float(ones @ ones) == float(nearest(30000)) == float(tb.vdot(ones, ones)) == float(tb.inner(ones, ones))
    assert float(tb.linalg.vecdot(ones, ones)) == float(nearest(30000))
    assert (tb.ones((3, 30000), B) @ tb.ones((30000, 2), B)).tolist() == [[float(nearest(30000))] * 2] * 3
    assert (tb.ones((2, 2), B) @ tb.ones((2, 2), "h")).dtype == np.float32


def test_linear_algebra_is_done_in_float32():
    x = normal((6, 6)) + np.eye(6, dtype=B) * ml_dtypes.bfloat16(8)
    a = tb.array(x)
    inverse = tb.linalg.inv(a)
    assert inverse.dtype == np.float32 and tb.linalg.qr(a)[0].dtype == np.float32
    np.testing.assert_allclose((inverse @ a.astype("f")).get(), np.eye(6), atol=1e-4)
    close(tb.linalg.norm(a), np.linalg.norm(wide(x)))
    assert tb.fft.fft(a).dtype == np.complex64
    np.testing.assert_allclose(tb.fft.rfft(a).get(), np.fft.rfft(wide(x)), atol=1e-4)
    close(tb.convolve(a[0], a[1]), np.convolve(wide(x[0]), wide(x[1])), 2 * EPS, 1e-2)


# ---- indexing, making, joining ---------------------------------------------------------------------------------------


def test_indexing():
    x = normal((20, 30))
    a, i, mask = tb.array(x), np.array([3, -1, 0, 3]), wide(x) > 0
    same(a[i], x[i])
    same(a[:, i] * 2, x[:, i] * ml_dtypes.bfloat16(2))
    same(a[mask], x[mask])
    same(tb.take(a, i, 1), np.take(x, i, 1))
    same(a[::-2, None, 4], x[::-2, None, 4])
    a[mask], x[mask] = 0, 0
    same(a, x)
    a[i[:3]] = tb.arange(30, dtype="l")
    x[i[:3]] = np.arange(30).astype(B)
    same(a, x)
    same(tb.choose(tb.array([0, 1, 0]), [a[0, :3], a[1, :3]]), np.where(np.array([0, 1, 0]) == 0, x[0, :3], x[1, :3]))
    assert [int(v) for v in tb.nonzero(a[0])[0]] == np.flatnonzero(wide(x[0])).tolist()


@pytest.mark.parametrize("name", ["add", "subtract", "maximum", "minimum", "multiply"])
def test_updates_at_indices(name):
    x = np.arange(8).astype(B)
    i, v = np.array([1, 5, 1, 7, 1]), np.array([2, -1, 3, 0.5, 1], B)
    a, want = tb.array(x), wide(x)
    getattr(tb, name).at(a, tb.array(i), tb.array(v))
    getattr(np, name).at(want, i, wide(v))
    same(a, nearest(want))


def test_updates_at_many_indices():
    i = np.random.default_rng(0).integers(0, 50, 4000)
    a = tb.zeros(50, B)
    tb.add.at(a, tb.array(i), tb.array(np.full(4000, 0.5, B)))
    same(a, nearest(np.bincount(i, minlength=50) / 2))


def test_making():
    same(tb.arange(0, 50, 0.5, B), nearest(np.arange(0, 50, 0.5)))
    same(tb.arange(5, -5, -1, "bfloat16"), nearest(np.arange(5, -5, -1)))
    same(tb.linspace(0, 1, 9, dtype=B), nearest(np.linspace(0, 1, 9)))
    assert tb.linspace(tb.zeros(2, B), tb.ones(2, B), 3).dtype == B
    same(tb.eye(3, dtype=B), np.eye(3, dtype=B))
    same(tb.tri(3, dtype=B), np.tri(3).astype(B))
    same(tb.full_like(tb.zeros(2, B), 1e-3), nearest([1e-3, 1e-3]))
    same(tb.pad(tb.ones(2, B), 1), np.array([0, 1, 1, 0], B))
    same(tb.repeat(tb.array(SOME[:3]), 2), np.repeat(SOME[:3], 2))
    same(tb.diff(tb.array(np.arange(9).astype(B))), np.ones(8, B))
    same(tb.nan_to_num(tb.array(SOME)), nearest(np.nan_to_num(wide(SOME), posinf=MOST, neginf=-MOST)))
    same(tb.isclose(tb.array(SOME), tb.array(SOME), equal_nan=True), np.ones(len(SOME), bool))
    same(tb.clip(tb.array(SOME), -1, 2.25), nearest(np.clip(wide(SOME), -1, 2.25)))
    assert tb.average(tb.array([1, 3], B), weights=tb.array([1, 3], "h")).dtype == np.float32
    close(tb.average(tb.array([1, 3], B), weights=tb.array([1, 3], B)), 2.5)
    assert tb.iscomplexobj(tb.ones(1, B)) is False and tb.real(tb.ones(2, B)).dtype == B
    assert tb.common_type(tb.ones(1, B)) is ml_dtypes.bfloat16
    assert tb.common_type(tb.ones(1, B), tb.ones(1, "f")) is np.float32


def test_mean_and_deviation_under_a_mask():
    x, mask = normal((20, 30)), np.random.default_rng(2).random((20, 30)) > 0.4
    for name in ("mean", "var", "std"):
        got = getattr(tb, name)(tb.array(x), 0, where=tb.array(mask))
        close(got, getattr(np, name)(x.astype("d"), 0, where=mask), 3 * EPS, 1e-2)


def test_complex_numbers():
    x = tb.array(normal(9))
    z = x + 1j * x
    assert z.dtype == np.complex64 and x.conj().dtype == x.real.dtype == B and x.imag.dtype == B
    z.real = x * 2
    np.testing.assert_array_equal(z.real.get(), wide(x.get()) * 2)
    with pytest.warns(np.exceptions.ComplexWarning):
        same(z.astype(B), nearest(z.real.get()))
    np.testing.assert_allclose(tb.angle(x).get().astype("f"), np.angle(wide(x.get())), 2 * EPS)


def test_records_have_such_fields():
    t = np.dtype([("a", B), ("b", "i4"), ("c", B, (2,))])
    host = np.zeros(4, t)
    host["a"] = normal(4)
    host["c"] = normal((4, 2))
    x = tb.array(host)
    same(x["a"] * 2, host["a"] * ml_dtypes.bfloat16(2))
    x["c"] = 1.5
    assert x["c"].dtype == B and (x["c"] == 1.5).all() and x.get()["b"].tolist() == [0] * 4


def test_bytes_of_two_are_not_it():
    host = np.arange(4, dtype="H").view("V2")
    x = tb.array(host)
    assert x.dtype == np.dtype("V2") and x.dtype != B
    assert x.get().tobytes() == host.tobytes()


# ---- random numbers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bfloat16", B])
def test_random(dtype):
    rng = tb.random.default_rng(3)
    u = rng.random(20000, dtype=dtype)
    assert u.dtype == B and float(u.max()) < 1 and float(u.min()) >= 0 and abs(float(u.astype("f").mean()) - 0.5) < 0.02
    n = rng.standard_normal(20000, dtype=dtype)
    assert n.dtype == B and abs(float(n.astype("f").std()) - 1) < 0.05
    assert rng.standard_exponential(99, dtype=dtype).dtype == rng.standard_gamma(2.0, 99, dtype=dtype).dtype == B
    x = tb.random.uniform(-3, 5, 10000, dtype=dtype)
    assert x.dtype == B and -3 <= float(x.min()) and float(x.max()) < 5
    y = rng.permutation(tb.array(EVERY[:300]))
    assert sorted(bits(y)) == sorted(bits(EVERY[:300]))


# ---- exchange --------------------------------------------------------------------------------------------------------


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64)]


def test_dlpack():
    x = tb.array(normal((5, 8)))
    same(tb.from_dlpack(x), x.get())
    same(tb.from_dlpack(x[::2].T), x.get()[::2].T)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = x.__dlpack__()
    tensor = _Tensor.from_address(pointer(capsule, b"dltensor"))
    assert (tensor.code, tensor.bits, tensor.lanes) == (4, 16, 1)


def test_other_libraries_tensors():
    torch = pytest.importorskip("torch")
    t = torch.arange(6, dtype=torch.bfloat16, device="cuda" if config.backend() == "cuda" else "cpu").reshape(2, 3)
    same(tb.from_dlpack(t), np.arange(6).astype(B).reshape(2, 3))
    assert torch.from_dlpack(tb.array(normal(3))).dtype is torch.bfloat16


def test_array_interface(monkeypatch):
    program = """if True:
        import numpy as np, tombac as tb, ml_dtypes
        x = tb.arange(6, dtype='bfloat16')
        d = x.__cuda_array_interface__
        assert d["typestr"] == "<V2" and d["descr"] == [("", "<V2")], d
        class Other:
            __cuda_array_interface__ = d
        y = tb.asarray(Other())
        assert y.dtype == np.dtype(ml_dtypes.bfloat16) and y.tolist() == list(range(6)), y
    """
    monkeypatch.setenv("TOMBAC_CPU_CUDA_INTERFACE", "1")
    subprocess.run([sys.executable, "-c", program], check=True)


def test_pickles_and_bytes():
    x = tb.array(normal((3, 4)))
    same(pickle.loads(pickle.dumps(x)), x.get())
    assert x.tobytes() == x.get().tobytes()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 4)])
def test_npy_files(tmp_path, shape, order):
    x = tb.array(normal(shape), order=order)
    path = tmp_path / "x.npy"
    tb.save(path, x)
    same(tb.load(path), x.get())
    same(tb.load(str(path), mmap_mode="r"), x.get())
    file = io.BytesIO(path.read_bytes())
    assert b"'<V2'" in path.read_bytes()
    same(tb.load(file), x.get())
    tb.savez(tmp_path / "y.npz", x=x, y=tb.ones(3))
    with tb.load(tmp_path / "y.npz") as arrays:
        same(arrays["x"], x.get())
        assert arrays["y"].dtype == np.float64
    np.save(path, np.zeros(3, "V2"))
    assert tb.load(path).dtype == np.dtype("V2")


# ---- user kernels ----------------------------------------------------------------------------------------------------


def test_elementwise_kernels():
    x, y = tb.array(normal(500)), tb.array(normal(500, 1))
    f = tb.ElementwiseKernel("bfloat16 x, T y", "bfloat16 z", "z = x * y + bfloat16(1)", "bf16_muladd")
    same(f(x, y), nearest(nearest(wide(x.get()) * wide(y.get()) + np.float32(1))))
    g = tb.ElementwiseKernel("T x, raw T y, float32 k", "T z", "T t = y[i]; t += x; z = max(t, x) / (T)k", "bf16_any")
    t = nearest(wide(x.get()) + wide(y.get()))
    want = nearest(np.maximum(wide(t), wide(x.get())) / np.float32(3))
    same(g(x, y, 3.0), want)
    h = tb.ElementwiseKernel("bfloat16 x", "bool a, bool b, bool c", "a = isnan(x); b = isinf(x); c = signbit(x)",
                             "bf16_is")
    a, b, c = h(tb.array(EVERY))
    w = wide(EVERY)
    same(a, np.isnan(w))
    same(b, np.isinf(w))
    same(c, np.signbit(w))
    k = tb.ElementwiseKernel("float32 x", "bfloat16 y", "y = x", "bf16_of")
    same(k(tb.array(wide(normal(3000)) * np.float32(1.00171))), nearest(wide(normal(3000)) * np.float32(1.00171)))


def test_a_programs_own_meaning_of_the_word():
    f = tb.ElementwiseKernel("float32 x", "float32 y", "bfloat16 t = x; y = t * 2", "bf16_own",
                             preamble="typedef float bfloat16;")
    assert f(tb.array([1.001], "f")).tolist() == [np.float32(1.001) * 2]


def test_reduction_kernels():
    x = tb.array(np.ones((30, 50), B))
    f = tb.ReductionKernel("T x", "T y", "(float)x", "a + b", "y = a", "0", "bf16_sum", reduce_type="float")
    same(f(x, axis=1), np.full(30, 50, B))


def test_raw_kernels():
    code = r"""
    #include <tombac/bfloat16.cuh>
    extern "C" __global__ void scale(const bfloat16 *x, bfloat16 by, bfloat16 *y, int n)
    {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = x[i] * by;
    }"""
    x, y = tb.array(normal(300)), tb.empty(300, B)
    tb.RawKernel(code, "scale")((3,), (128,), (x, ml_dtypes.bfloat16(1.5), y, np.int32(300)))
    same(y, nearest(wide(x.get()) * np.float32(1.5)))


def test_fuse_and_vectorize():
    x = tb.array(normal(100))
    f = tb.fuse(lambda a, b: tb.sqrt(abs(a)) * b + 1)
    same(f(x, x), (tb.sqrt(abs(x)) * x + 1).get())


def test_kernels_in_python_do_not_have_it():
    @jit.rawkernel()
    def double(x, y):
        i = jit.threadIdx.x
        y[i] = x[i] * 2

    x = tb.array(normal(8))
    for f in (lambda: double((1,), (8,), (x, x)), lambda: tb.vectorize(lambda a: a + 1)(x),
              lambda: double((1,), (8,), (x.astype("f"), ml_dtypes.bfloat16(1)))):
        with pytest.raises(TypeError, match="bfloat16"):
            f()
    wide_x, y = x.astype("f"), tb.empty(8, "f")
    double((1,), (8,), (wide_x, y))
    same(y, wide_x.get() * 2)


# ---- without ml_dtypes -----------------------------------------------------------------------------------------------


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_nothing_is_imported_before_it_is_needed():
    done = run("import sys, tombac; x = tombac.ones(3, 'bfloat16') + 1; assert x.sum().item() == 6;"
               "assert 'ml_dtypes' not in sys.modules and 'numpy' not in sys.modules;"
               "x.dtype; assert 'ml_dtypes' in sys.modules")
    assert done.returncode == 0, done.stderr


def test_without_ml_dtypes():
    program = """if True:
        import sys
        sys.modules["ml_dtypes"] = None
        import numpy as np, tombac as tb
        x = tb.array([1.5, 2.5, 2.0**-8 + 1], "bfloat16")
        assert (x * 2).sum().item() == 10 and x.astype("f").get().tolist() == [1.5, 2.5, 1]
        assert (x + tb.ones(3, "h")).dtype == np.float32 and x.view("H").get().tolist() == [0x3fc0, 0x4020, 0x3f80]
        for f in (lambda: x.dtype, lambda: x.get(), lambda: repr(x), lambda: tb.finfo("bfloat16")):
            try:
                f()
            except ImportError as e:
                assert "ml_dtypes" in str(e) and "bfloat16" in str(e), e
            else:
                raise AssertionError("no error")
    """
    done = run(program)
    assert done.returncode == 0, done.stderr


def test_pairs_of_all_casts():
    """From each dtype by way of bfloat16 to each other one."""
    for first, last in itertools.product(CODES, CODES):
        x = np.arange(0, 100).astype(first)
        with np.errstate(all="ignore"):
            same(tb.array(x).astype(B).astype(last), wide(nearest(x)).astype(last))
