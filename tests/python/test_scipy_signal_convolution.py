"""Convolution, correlation and resampling of tombacx.scipy.signal against SciPy's."""

import inspect

import numpy as np
import pytest
import scipy.signal as ss
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import layouts, same

import tombacx.scipy.signal as xs
from tombacx.scipy.signal import _transformed_products as transformed_products

MODES = ["full", "same", "valid"]
EXTENSIONS = ["constant", "wrap", "edge", "smooth", "symmetric", "reflect", "antisymmetric", "antireflect", "line"]


def small(code, shape, seed):
    """Integers from -4 to 4, whose sums of products are exact in every dtype but the narrowest."""
    rng = np.random.default_rng(seed)
    a = rng.integers(-4, 5, shape) + (1j * rng.integers(-4, 5, shape) if code in "FD" else 0)
    return (abs(a) if code in "?BHIL" else a).astype(code)


@st.composite
def signals(draw, codes, dims=(1, 3), sides=(1, 7)):
    """(NumPy array, tombac array) of one layout."""
    code = draw(st.sampled_from(codes))
    shape = draw(st.lists(st.integers(*sides), min_size=dims[0], max_size=dims[1]))
    host = small(code, shape, draw(st.integers(0, 2**32 - 1)))
    layout = draw(layouts(host.ndim))
    return layout(host), layout(tb.array(host))


@st.composite
def pairs(draw, codes, dims=(1, 3), sides=(1, 7)):
    (a, x), (v, y) = draw(signals(codes, dims, sides)), draw(signals(codes, dims, sides))
    ndim = min(a.ndim, v.ndim)
    a, x, v, y = (s[(0,) * (s.ndim - ndim)] for s in (a, x, v, y))
    return (a, v), (x, y)


def close(got, want, rtol=None):
    assert type(got) is tb.ndarray
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    assert got.flags.c_contiguous or not want.flags.c_contiguous
    rtol = rtol or (1e-2 if want.dtype.char == "e" else 1e-5 if want.dtype.char in "fF" else 1e-11)
    np.testing.assert_allclose(got.get(), want, rtol, np.abs(want[np.isfinite(want)]).max(initial=1) * rtol)


def compare(ours, theirs, rtol=None):
    try:
        want = theirs()
    except Exception as e:
        with pytest.raises((type(e), ValueError)):
            ours()
        return
    close(ours(), np.asarray(want), rtol)


@settings(max_examples=300, deadline=None)
@given(pair=pairs("bBhHiIlLfdFD"), name=st.sampled_from(["convolve", "correlate"]), mode=st.sampled_from(MODES),
       method=st.sampled_from(["auto", "direct", "fft"]))
def test_convolve_and_correlate(pair, name, mode, method):
    (a, v), (x, y) = pair
    if {"L", "b"} & {a.dtype.char, v.dtype.char} and method != "direct":
        method = "direct"  # sums wrap around, which transforms cannot
    # SciPy transforms float32 as such even where the result has double precision
    single = method != "direct" and {a.dtype.char, v.dtype.char} & set("fF")
    compare(lambda: getattr(xs, name)(x, y, mode, method), lambda: getattr(ss, name)(a, v, mode, method),
            1e-5 if single else None)


@settings(max_examples=300, deadline=None)
@given(pair=pairs("?bhifdFD"), name=st.sampled_from(["fftconvolve", "oaconvolve"]), mode=st.sampled_from(MODES),
       axes=st.sampled_from([None, 0, -1, [0, 1], [-1, 0], (2,)]))
def test_products_of_transforms(pair, name, mode, axes):
    (a, v), (x, y) = pair
    mixed = {a.dtype.char, v.dtype.char} & set("fF") and a.dtype.char != v.dtype.char
    compare(lambda: getattr(xs, name)(x, y, mode, axes), lambda: getattr(ss, name)(a, v, mode, axes),
            1e-5 if mixed else None)


@pytest.mark.parametrize("shapes", [((1000,), (3,)), ((3,), (1000,)), ((2000,), (150,)), ((300, 5), (9, 5)),
                                    ((5, 300), (5, 9)), ((200, 4), (3, 150)), ((64, 64), (7, 9)), ((700,), (700,))])
@pytest.mark.parametrize("mode", MODES)
def test_pieces(shapes, mode):
    rng = np.random.default_rng(0)
    a, v = (rng.normal(size=s) for s in shapes)
    for name in ("oaconvolve", "fftconvolve", "convolve"):
        compare(lambda: getattr(xs, name)(tb.array(a), tb.array(v), mode), lambda: getattr(ss, name)(a, v, mode))


@pytest.mark.parametrize("codes", ["dd", "ff", "fd", "FF", "dD", "ef", "hd"])
@pytest.mark.parametrize("shapes", [((1000,), (1,)), ((1000,), (3,)), ((16,), (900,)), ((700,), (17,)),
                                    ((2, 300), (1, 9)), ((300, 3), (9, 1)), ((300, 1), (5, 2))])
@pytest.mark.parametrize("mode", MODES)
def test_windows(shapes, codes, mode, monkeypatch):
    """What a GPU makes of a long array with a short one, here of any lengths; the CPU does it when asked to."""
    monkeypatch.setattr(transformed_products, "_LONG", 1)
    monkeypatch.setattr(transformed_products, "_on_device", lambda: True)
    windows = counted(transformed_products, "_of_windows", monkeypatch)
    axis = 0 if shapes[0][0] > 100 or shapes[1][0] > 100 else 1
    a, v = (small(code, s, 3) for code, s in zip(codes, shapes, strict=True))
    for name in ("oaconvolve", "fftconvolve", "convolve"):
        how = {"convolve": {"method": "fft"}}.get(name, {"axes": axis})
        if name == "convolve" and a.ndim > 1:
            continue
        windows.clear()
        options = {"mode": mode, **how}
        compare(lambda: getattr(xs, name)(tb.array(a)[..., ::1], tb.array(v), **options),
                lambda: getattr(ss, name)(a, v, **options), 2e-5 if "f" in codes else None)
        longer_first = a.shape[axis] > v.shape[axis]
        alone = 1 in (a.shape[axis], v.shape[axis]) and name != "convolve"  # it is multiplied with
        assert bool(windows) == (not alone and (longer_first or mode != "same"))


def counted(module, name, monkeypatch):
    """A list that a module's function adds to whenever it is called."""
    calls, function = [], getattr(module, name)
    monkeypatch.setattr(module, name, lambda *args: calls.append(args) or function(*args))
    return calls


@settings(max_examples=300, deadline=None)
@given(pair=pairs("bhilfdFD", (2, 2), (1, 6)), name=st.sampled_from(["convolve2d", "correlate2d"]),
       mode=st.sampled_from(MODES), boundary=st.sampled_from(["fill", "wrap", "symm", "circular"]),
       fillvalue=st.sampled_from([0, 2, 1.5, [3]]))
def test_pictures(pair, name, mode, boundary, fillvalue):
    (a, v), (x, y) = pair
    if name == "correlate2d" and mode == "valid" and a.dtype.kind + v.dtype.kind != "ff":
        v, y = v.real, y.real  # SciPy conjugates the first picture where the second is the larger one
        a, x = a.real, x.real
    compare(lambda: getattr(xs, name)(x, y, mode, boundary, fillvalue),
            lambda: getattr(ss, name)(a, v, mode, boundary, fillvalue))


def test_complex_fillvalue():
    a, v = small("D", (4, 5), 1), small("D", (3, 2), 2)
    for name in ("convolve2d", "correlate2d"):
        close(getattr(xs, name)(tb.array(a), tb.array(v), "full", "fill", 2 - 1j),
              getattr(ss, name)(a, v, "full", "fill", 2 - 1j))


def test_bool_and_half():
    a, v = np.array([[1, 0, 1], [0, 0, 1]], bool), np.array([[1, 1]], bool)
    want = ss.convolve2d(a.astype(int), v.astype(int)) > 0
    for method in ("direct", "fft", "auto"):
        same(xs.convolve(tb.array(a), tb.array(v), "full", method), want)
    half = a.astype("e")
    same(xs.convolve(tb.array(half), tb.array(half)), ss.convolve(a.astype(int), a.astype(int)).astype("e"))


def test_large_integers_are_exact():
    a, v = np.array([2**60, 3, -5]), np.array([7, 1, 2])
    same(xs.convolve(tb.array(a), tb.array(v)), np.convolve(a, v))
    assert xs.choose_conv_method(tb.full(20000, 2**40), tb.ones(20000, int)) == "direct"
    assert xs.choose_conv_method(tb.ones(20000, int), tb.ones(20000, int)) == "fft"


def test_choose_conv_method():
    for n, k, want in ((5, 3, "direct"), (30000, 30000, "fft"), (30000, 2, "direct")):
        assert xs.choose_conv_method(tb.ones(n), tb.ones(k)) == want == ss.choose_conv_method(np.ones(n), np.ones(k))
    assert xs.choose_conv_method(tb.ones(20000, bool), tb.ones(20000, bool)) == "direct"
    assert xs.choose_conv_method(tb.ones(0), tb.ones(3)) == "direct"


def test_nan_stays_where_it_is():
    a, v = np.ones((4, 6)), np.ones((2, 2))
    a[1, 2], a[3, 5] = np.nan, np.inf
    same(xs.convolve2d(tb.array(a), tb.array(v)), ss.convolve2d(a, v))
    x = np.ones(400)
    x[200] = np.nan
    for up, down in ((3, 2), (1, 1), (21, 20)):
        h = np.ones(63)  # SciPy makes them a multiple of up, by zeros, which are multiplied with NaN as well
        same(tb.isnan(xs.upfirdn(tb.array(h), tb.array(x), up, down)), np.isnan(ss.upfirdn(h, x, up, down)))


@settings(max_examples=300, deadline=None)
@given(x=signals("bhlfdFD", (1, 3), (2, 20)), h=signals("lfdFD", (1, 1), (1, 40)), up=st.integers(1, 19),
       down=st.integers(1, 19), axis=st.integers(-3, 2), mode=st.sampled_from(["constant", *EXTENSIONS]),
       cval=st.sampled_from([0, 0, 2]))
def test_upfirdn(x, h, up, down, axis, mode, cval):
    axis = axis % x[0].ndim
    if mode != "constant" and x[0].shape[axis] == 1:
        return  # SciPy reads beyond a single sample
    compare(lambda: xs.upfirdn(h[1], x[1], up, down, axis, mode, cval),
            lambda: ss.upfirdn(np.ascontiguousarray(h[0]), x[0], up, down, axis, mode, cval), 1e-5)


@pytest.mark.parametrize("up, down, taps, code", [
    (3, 2, 61, "f"), (1, 4, 33, "d"), (4, 1, 80, "F"), (160, 147, 1601, "d"), (7, 3, 2100, "d"), (300, 7, 900, "f"),
    (1, 1, 5, "D"), (1, 70, 101, "d"), (1, 3, 600, "D")])
@pytest.mark.parametrize("n, rows", [(2900, 1), (700, 3), (40, 30)])
def test_upfirdn_of_long_signals(up, down, taps, code, n, rows):
    """A GPU's shared memory has room for all, for less, or for nothing; NaN and infinity in the middle and at ends."""
    rng = np.random.default_rng(up + n)
    x, h = rng.normal(size=(n, rows)), rng.normal(size=taps)
    if code in "FD":
        x, h = x + 1j * rng.normal(size=x.shape), h + 1j * rng.normal(size=taps)
    x, h = x.astype(code), h.astype(code)
    rtol = 1e-4 if code in "fF" else 1e-9
    close(xs.upfirdn(tb.array(h), tb.array(x), up, down, 0), ss.upfirdn(h, x, up, down, 0), rtol)
    if code in "fd":
        x[0], x[n // 3], x[-1] = np.inf, np.nan, -np.inf
        h = np.ones(taps, code)  # all are there: SciPy has more of them, zeros, where up does not divide their number
        h = h[:taps // up * up] if taps >= up else np.ones(up, code)
        got = xs.upfirdn(tb.array(h), tb.array(x[:, 0]), up, down).get()
        np.testing.assert_allclose(got, ss.upfirdn(h, x[:, 0], up, down), rtol, rtol * taps)


@settings(max_examples=200, deadline=None)
@given(x=signals("bhlfdFD", (1, 3), (2, 20)), up=st.integers(1, 19), down=st.integers(1, 19), axis=st.integers(0, 2),
       window=st.sampled_from([("kaiser", 5.0), "hann", 3.0, np.arange(1.0, 10)]),
       padtype=st.sampled_from([*EXTENSIONS, "mean", "median", "minimum", "maximum"]), data=st.data())
def test_resample_poly(x, up, down, axis, window, padtype, data):
    if x[0].dtype.kind == "c" and padtype in ("median", "minimum", "maximum"):
        padtype = "mean"
    if x[0].shape[axis % x[0].ndim] == 1:
        padtype = "constant"  # SciPy reads beyond a single sample
    cval = data.draw(st.sampled_from([None, 2])) if padtype == "constant" else None
    ours = tb.array(window) if isinstance(window, np.ndarray) else window
    compare(lambda: xs.resample_poly(x[1], up, down, axis % x[0].ndim, ours, padtype, cval),
            lambda: ss.resample_poly(x[0], up, down, axis % x[0].ndim, window, padtype, cval), 2e-5)


@pytest.mark.parametrize("up, down", [(160, 147), (147, 160), (1, 50), (50, 1), (97, 3)])
@pytest.mark.parametrize("shape, axis", [((1500,), 0), ((3, 500), 1), ((500, 3), 0)])
def test_resample_poly_of_long_signals(up, down, shape, axis):
    x = np.random.default_rng(0).normal(size=shape)
    close(xs.resample_poly(tb.array(x), up, down, axis), ss.resample_poly(x, up, down, axis), 1e-9)


@settings(max_examples=300, deadline=None)
@given(x=signals("hlfdFD", (1, 3), (1, 12)), num=st.integers(1, 20), axis=st.integers(0, 2), data=st.data(),
       domain=st.sampled_from(["time", "time", "freq"]))
def test_resample(x, num, axis, data, domain):
    x, ours = x
    axis = axis % x.ndim
    if domain == "freq":
        x, ours = x.astype("D"), ours.astype("D")
    factors = np.linspace(0.1, 1, x.shape[axis])
    window = data.draw(st.sampled_from([None, "hann", 3.0, factors, factors * (1 + 1j), lambda f: 1 + f]))
    want = ss.resample(x, num, None, axis, window, domain)
    got = xs.resample(ours, num, None, axis, tb.array(window) if isinstance(window, np.ndarray) else window, domain)
    close(got, want.astype(got.dtype) if x.dtype == "F" else want, 1e-5)  # complex64 stays that here


def test_resample_gives_times():
    t = np.arange(5) * 0.5 + 2
    y, times = xs.resample(tb.arange(5.0), 8, tb.array(t))
    want = ss.resample(np.arange(5.0), 8, t)
    close(y, want[0])
    close(times, want[1])


def test_host_arrays_and_sequences():
    same(xs.convolve([1, 2], np.array([1, 1])), np.array([1, 3, 2]))
    close(xs.resample_poly([1.0, 2.0, 3.0], 2, 1), ss.resample_poly([1.0, 2.0, 3.0], 2, 1))
    x, window = np.arange(4.0), [1.0, 2.0]
    close(xs.resample_poly(tb.array(x), 2, 1, window=window), ss.resample_poly(x, 2, 1, window=window))


@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 2)])
def test_empty(shape):
    x, y = np.ones(shape), tb.ones(shape)
    same(xs.fftconvolve(y, y), ss.fftconvolve(x, x))
    same(xs.upfirdn(tb.ones(5), y, 2, 1), ss.upfirdn(np.ones(5), x, 2, 1))
    same(xs.resample_poly(y, 3, 2, axis=-1), ss.resample_poly(x, 3, 2, axis=-1))
    with pytest.raises(ValueError, match="empty"):
        xs.convolve(y, tb.ones((2,) * len(shape)))


ONE, TWO = tb.ones(3), tb.ones((2, 3))
REFUSED = [  # call, exception, what is named
    (lambda: xs.convolve(ONE, ONE, "some"), ValueError, "mode"),
    (lambda: xs.convolve(ONE, TWO), ValueError, "dimensions"),
    (lambda: xs.convolve(ONE, ONE, "full", "slow"), ValueError, "method"),
    (lambda: xs.convolve(TWO, tb.ones((3, 2)), "valid"), ValueError, "valid"),
    (lambda: xs.correlate(ONE, ONE, 7), ValueError, "mode"),
    (lambda: xs.correlate(ONE, TWO), ValueError, "dimensions"),
    (lambda: xs.choose_conv_method(ONE, ONE, "some"), ValueError, "mode"),
    (lambda: xs.fftconvolve(ONE, TWO), ValueError, "dimensions"),
    (lambda: xs.fftconvolve(ONE, ONE, "x"), ValueError, "mode"),
    (lambda: xs.fftconvolve(TWO, TWO, axes=5), ValueError, "axes"),
    (lambda: xs.fftconvolve(TWO, TWO, axes=()), ValueError, "empty"),
    (lambda: xs.fftconvolve(TWO, TWO, axes=1.5), ValueError, "integer"),
    (lambda: xs.oaconvolve(TWO, TWO, axes=(0, -2)), ValueError, "different"),
    (lambda: xs.oaconvolve(TWO, tb.ones((4, 3)), axes=1), ValueError, "broadcast"),
    (lambda: xs.convolve2d(ONE, ONE), ValueError, "two dimensions"),
    (lambda: xs.convolve2d(TWO, TWO, "x"), ValueError, "mode"),
    (lambda: xs.convolve2d(TWO, TWO, "full", "x"), ValueError, "boundary"),
    (lambda: xs.convolve2d(TWO, TWO, "full", "fill", [1, 2]), ValueError, "fillvalue"),
    (lambda: xs.correlate2d(TWO, TWO, "full", "fill", 1j), ValueError, "fillvalue"),
    (lambda: xs.convolve2d(TWO.astype(int), TWO.astype(int), "full", "fill", np.nan), ValueError, "fillvalue"),
    (lambda: xs.upfirdn(TWO, ONE), ValueError, "h must"),
    (lambda: xs.upfirdn([], ONE), ValueError, "h must"),
    (lambda: xs.upfirdn(ONE, ONE, 0), ValueError, "up and down"),
    (lambda: xs.upfirdn(ONE, ONE, mode="x"), ValueError, "mode"),
    (lambda: xs.upfirdn(ONE, ONE, axis=1), IndexError, "axis"),
    (lambda: xs.upfirdn(ONE, tb.array(1.0)), IndexError, "axis"),
    (lambda: xs.resample_poly(ONE, 1.5, 2), ValueError, "integer"),
    (lambda: xs.resample_poly(ONE, 1, 0), ValueError, "down"),
    (lambda: xs.resample_poly(ONE, 2, 1, padtype="x"), ValueError, "padtype"),
    (lambda: xs.resample_poly(ONE, 2, 1, padtype="mean", cval=1), ValueError, "cval"),
    (lambda: xs.resample_poly(ONE, 2, 1, window=TWO), ValueError, "window"),
    (lambda: xs.resample_poly(ONE, 2, 1, window="x"), ValueError, "window"),
    (lambda: xs.resample(ONE, 2, domain="x"), ValueError, "domain"),
    (lambda: xs.resample(ONE, 0), ValueError, "samples"),
    (lambda: xs.resample(ONE, 2, window=TWO), ValueError, "window"),
    (lambda: xs.resample(ONE, 2, axis=2), IndexError, "axis"),
    (lambda: xs.resample(ONE, 2.5), TypeError, "float"),
    (lambda: xs.resample([], 2), ValueError, "samples"),
]


@pytest.mark.parametrize("row", REFUSED, ids=range(len(REFUSED)))
def test_refused(row):
    call, exception, named = row
    with pytest.raises(exception, match=named):
        call()


@pytest.mark.parametrize("name", ["convolve", "fftconvolve", "oaconvolve", "convolve2d", "correlate2d", "upfirdn",
                                  "resample", "resample_poly"])
def test_signatures(name):
    ours, theirs = (list(inspect.signature(getattr(m, name)).parameters) for m in (xs, ss))
    assert ours == theirs


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["fftconvolve", "convolve"])
def test_a_long_array_with_a_short_one(name, mode):
    """Of the long one pieces are transformed on the CPU: NaN reaches none but its neighbours there."""
    rng = np.random.default_rng(1)
    a, v = rng.normal(size=3000), rng.normal(size=(2, 20))
    options = {"mode": mode} | ({"method": "fft"} if name == "convolve" else {})
    for x in (a, a + 1j * a[::-1], a.astype("f")):
        for y in v.astype(x.dtype.char.lower()):
            for one, other in ((x, y), (y, x)):
                if mode != "valid" or len(one) > len(other):
                    got = getattr(xs, name)(tb.array(one), tb.array(other), **options)
                    want = getattr(ss, name)(one, other, **options)
                    assert (got.shape, got.dtype) == (want.shape, want.dtype)
                    np.testing.assert_allclose(got.get(), want, 0, 1e-4 if x.dtype == "f" else 1e-12)
    a[0] = np.nan
    got = np.isnan(getattr(xs, name)(tb.array(a), tb.array(v[0]), **options).get())
    assert got[0] and got[-1] == (tb.config.backend() != "cpu")
