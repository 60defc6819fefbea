"""tombacx.scipy.signal's recursive filters, and what is built on them, against SciPy's."""

import warnings

import numpy as np
import pytest
import scipy.signal as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import strategies as s
import tombacx.scipy.signal as xs

FLOATS = "fdFD"


def close(got, want, rtol=1e-9):
    """The same dtype and shape, and numbers close to each other beside the largest one."""
    want = np.asarray(want)
    assert type(got) is tb.ndarray
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    tolerance = rtol if want.dtype.char in "dD" else max(rtol, 3e-4)
    finite = np.abs(want[np.isfinite(want)])
    np.testing.assert_allclose(got.get(), want, tolerance, tolerance * finite.max(initial=0.0))


def all_close(got, want, rtol=1e-9):
    assert len(got) == len(want)
    for g, w in zip(got, want):
        close(g, w, rtol)


def random(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


@st.composite
def filters(draw, codes=FLOATS):
    """(b, a) of a stable filter: orders 0 to 8, leading zeros in b."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    dtype, order = draw(st.sampled_from(codes)), draw(st.integers(0, 8))
    poles = np.atleast_1d(0.7 * rng.random(order) * np.exp(2j * np.pi * rng.random(order)))
    a = np.atleast_1d(np.poly(poles if np.dtype(dtype).kind == "c" else poles.real))
    b = random(draw(st.integers(1, 9)), dtype, rng.integers(2**32))
    b[: draw(st.integers(0, b.size - 1))] = 0
    return b, (a * draw(st.sampled_from([1.0, 2.0, -0.5]))).astype(dtype)


@st.composite
def signals(draw, codes=FLOATS, max_side=20):
    """(NumPy array, tombac array of the same layout, axis), neither 0-d nor without elements."""
    host, device = draw(s.arrays(codes, max_dims=3, max_side=max_side, min_dims=1).filter(lambda x: x[0].size))
    return host, device, draw(st.integers(-host.ndim, host.ndim - 1))


# ---- lfilter, sosfilt ------------------------------------------------------------------------------------------------


@given(filters(), signals())
def test_lfilter(ba, x):
    host, device, axis = x
    close(xs.lfilter(*ba, device, axis), ss.lfilter(*ba, host, axis))


@given(filters(), signals(), st.integers(0, 2**32 - 1), st.booleans())
def test_lfilter_states(ba, x, seed, one):
    host, device, axis = x
    shape = list(host.shape)
    if one:
        shape = [1] * host.ndim
    shape[axis] = max(len(c) for c in ba) - 1
    zi = random(shape, "D" if host.dtype.kind == "c" else "d", seed)
    all_close(xs.lfilter(*ba, device, axis, tb.array(zi)), ss.lfilter(*ba, host, axis, zi))


@pytest.mark.parametrize("n", range(1, 12))
def test_lfilter_states_without_feedback(n):
    rng = np.random.default_rng(n)
    b, zi = rng.standard_normal(n + 1), rng.standard_normal((2, n))
    for length in (1, 2, 17, 3000):
        x = rng.standard_normal((2, length))
        all_close(xs.lfilter(b, [1.0], tb.array(x), zi=tb.array(zi)), ss.lfilter(b, [1.0], x, zi=zi))


@given(st.sampled_from("?bBhHiIlLe"), st.integers(0, 5))
def test_lfilter_of_integers(code, n):
    x, b, a = s.values(np.dtype(code), (n + 1,), n), np.array([1.0, 0.5]), np.array([1.0, 0.25])
    close(xs.lfilter(b, a, tb.array(x)), ss.lfilter(b, a, x))
    assert xs.lfilter([1, 2], [1], tb.array(x)).dtype == "d"


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_lfilter_of_nothing(shape):
    x, zi = np.zeros(shape), np.ones(shape[:-1] + (1,))
    close(xs.lfilter([1.0, 2.0], [1.0, 0.5], tb.array(x)), x)
    y, zf = xs.lfilter([1.0, 2.0], [1.0, 0.5], tb.array(x), zi=tb.array(zi))
    close(y, x)
    if x.shape[-1] == 0:
        close(zf, zi)


def test_lfilter_reads_coefficients_of_the_device():
    x = random(9)
    got = xs.lfilter(tb.array([1.0, 2.0]), tb.array([1.0, 0.5]), tb.array(x))
    close(got, ss.lfilter([1.0, 2.0], [1.0, 0.5], x))


@pytest.mark.parametrize("b, a, shape, keywords", [
    ([], [1.0], 6, {}), ([1.0], [], 6, {}), ([1.0], [0.0, 1.0], 6, {}), ([[1.0, 2.0]], [1.0, 2.0], 6, {}),
    ([1.0, 2.0], [1.0, 2.0], (), {}), ([1.0, 2.0], [1.0, 2.0], (3, 4), {"axis": 2}),
    ([1.0, 2.0], [1.0, 2.0], 6, {"zi": [1.0, 2.0]}), ([1.0, 2.0], [1.0, 2.0], (3, 4), {"zi": [1.0]}),
    ([1.0, 2.0], [1.0], (3, 4), {"zi": [[1.0, 2.0]]}),
])
def test_lfilter_refuses(b, a, shape, keywords):
    for lfilter, x in ((ss.lfilter, np.ones(shape)), (xs.lfilter, tb.ones(shape))):
        with pytest.raises(ValueError):
            lfilter(b, a, x, **keywords)


@st.composite
def sections(draw, codes="fd"):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(1, 5))
    poles = 0.8 * rng.random(n) * np.exp(1j * np.pi * rng.random(n))
    a = np.stack([np.ones(n), -2 * poles.real, np.abs(poles) ** 2], 1)
    return np.hstack([rng.standard_normal((n, 3)), a]).astype(draw(st.sampled_from(codes)))


@given(sections(), signals(), st.booleans(), st.integers(0, 2**32 - 1))
def test_sosfilt(sos, x, states, seed):
    host, device, axis = x
    if not states:
        close(xs.sosfilt(sos, device, axis), ss.sosfilt(sos, host, axis))
        return
    shape = list(host.shape)
    shape[axis] = 2
    zi = random([len(sos), *shape], "D" if host.dtype.kind == "c" else "d", seed)
    all_close(xs.sosfilt(sos, device, axis, tb.array(zi)), ss.sosfilt(sos, host, axis, zi))


@pytest.mark.parametrize("shape", [(20000,), (5, 5000)])
def test_sosfilt_in_blocks(shape):
    x, sos = random(shape), ss.butter(8, 0.05, output="sos")
    close(xs.sosfilt(sos, tb.array(x)), ss.sosfilt(sos, x))
    many = np.repeat(sos, 5, axis=0)  # too many states for blocks
    close(xs.sosfilt(many, tb.array(x)), ss.sosfilt(many, x), 1e-6)


@pytest.mark.parametrize("sos, shape, keywords", [
    ([[1, 2, 3, 1, 2]], 6, {}), ([[1, 2, 3, 2, 2, 3.0]], 6, {}), (np.ones((2, 6)), (), {}),
    (np.ones((2, 6)), 6, {"zi": np.ones((2, 3))}), (np.ones((2, 6)), (3, 4), {"zi": np.ones((2, 1, 2))}),
    (np.ones((0, 6)), 6, {}),
])
def test_sosfilt_refuses(sos, shape, keywords):
    for sosfilt, x in ((ss.sosfilt, np.ones(shape)), (xs.sosfilt, tb.ones(shape))):
        with pytest.raises(ValueError):
            sosfilt(sos, x, **keywords)


# ---- both ways -------------------------------------------------------------------------------------------------------


@given(filters(), signals(max_side=60), st.sampled_from(["odd", "even", "constant", None]),
       st.one_of(st.none(), st.integers(0, 8)))
def test_filtfilt(ba, x, padtype, padlen):
    host, device, axis = x
    try:
        want = ss.filtfilt(*ba, host, axis, padtype, padlen)
    except ValueError:
        with pytest.raises(ValueError):
            xs.filtfilt(*ba, device, axis, padtype, padlen)
        return
    close(xs.filtfilt(*ba, device, axis, padtype, padlen), want, 1e-6 if want.dtype.char in "dD" else 1e-2)


@given(sections("d"), signals(max_side=60), st.sampled_from(["odd", "even", "constant", None]))
def test_sosfiltfilt(sos, x, padtype):
    host, device, axis = x
    try:
        want = ss.sosfiltfilt(sos, host, axis, padtype)
    except ValueError:
        with pytest.raises(ValueError):
            xs.sosfiltfilt(sos, device, axis, padtype)
        return
    close(xs.sosfiltfilt(sos, device, axis, padtype), want, 1e-6)


def test_filtfilt_long():
    x, (b, a) = random((2, 9000)), ss.butter(3, 0.1)
    close(xs.filtfilt(b, a, tb.array(x)), ss.filtfilt(b, a, x))
    close(xs.filtfilt(b, a, tb.array(x[:, :50]), method="gust"), ss.filtfilt(b, a, x[:, :50], method="gust"))


@pytest.mark.parametrize("keywords", [{"padtype": "x"}, {"padlen": 7}, {"method": "x"}])
def test_filtfilt_refuses(keywords):
    for filtfilt, x in ((ss.filtfilt, np.ones(7)), (xs.filtfilt, tb.ones(7))):
        with pytest.raises(ValueError):
            filtfilt([1.0, 2.0], [1.0, 0.2], x, **keywords)


@given(st.integers(1, 30), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_deconvolve(n, k, seed):
    divisor = random(k, seed=seed)
    divisor[0] = 3
    x = random(n, seed=seed + 1)
    quotient, rest = xs.deconvolve(tb.array(x), tb.array(divisor))
    want, left = ss.deconvolve(x, divisor)
    close(quotient, np.asarray(want), 1e-6)
    np.testing.assert_allclose(rest.get(), left, atol=1e-9 * np.abs(x).max())
    for bad in (([[1.0]], [1.0]), ([1.0], [[1.0]]), ([1.0, 2.0], [0.0, 1.0])):
        with pytest.raises(ValueError):
            xs.deconvolve(*bad)


# ---- smoothing -------------------------------------------------------------------------------------------------------


def warned_and_close(got, want):
    """What both calls give, and whether they warn."""
    kinds = []
    for i, call in enumerate((got, want)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            results = (*(results if i else ()), call())
        kinds.append({w.category for w in caught})
    close(*results)
    assert kinds[0] == kinds[1]


@given(signals("bhilfd"), st.sampled_from([None, 1, 3, 5]))
def test_medfilt(x, size):
    host, device, _ = x
    warned_and_close(lambda: xs.medfilt(device, size), lambda: ss.medfilt(host, size))


@given(s.arrays("BhlfdI", max_dims=2, max_side=8, min_dims=2).filter(lambda x: x[0].size),
       st.sampled_from([3, (1, 3), (5, 3)]))
def test_medfilt2d(x, size):
    warned_and_close(lambda: xs.medfilt2d(x[1], size), lambda: ss.medfilt2d(x[0], size))


@given(s.arrays("hlfd", max_dims=2, max_side=8, min_dims=2).filter(lambda x: x[0].size), st.integers(-5, 4))
def test_order_filter(x, rank):
    domain = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
    close(xs.order_filter(x[1], tb.array(domain), rank), ss.order_filter(x[0], domain, rank))


@pytest.mark.parametrize("call", [
    lambda m, a: m.medfilt(a(6), 4), lambda m, a: m.medfilt(a(6, "e")), lambda m, a: m.medfilt(a(6, "?")),
    lambda m, a: m.medfilt(a(6, "D")), lambda m, a: m.medfilt2d(a(6)), lambda m, a: m.medfilt2d(a((3, 3)), 4),
    lambda m, a: m.order_filter(a((3, 3)), np.ones((2, 3)), 1), lambda m, a: m.order_filter(a((3, 3), "D"), [[1]], 0),
    lambda m, a: m.wiener(a((3, 3)), [3]), lambda m, a: m.savgol_filter(a(9), 5, 7),
    lambda m, a: m.savgol_filter(a(9), 11, 2), lambda m, a: m.savgol_filter(a(9), 5, 2, mode="x"),
    lambda m, a: m.detrend(a(9), type="x"), lambda m, a: m.detrend(a(9), bp=[10]), lambda m, a: m.hilbert(a(4, "D")),
    lambda m, a: m.hilbert(a(4), N=0), lambda m, a: m.hilbert2(a((4, 4)), N=0), lambda m, a: m.hilbert2(a((3, 3), "D")),
    lambda m, a: m.decimate(a(40), 2, ftype="x"), lambda m, a: m.hilbert2(a((3, 3)), N=(1, 2, 3)),
])
def test_smoothing_refuses(call):
    for module, ones in ((ss, np.ones), (xs, tb.ones)):
        with pytest.raises(ValueError):
            call(module, ones)


@pytest.mark.parametrize("call", [
    lambda m, a: m.decimate(a(40), 2.0), lambda m, a: m.decimate(a(40), 2, n=2.5), lambda m, a: m.hilbert(a(4), N=2.5),
    lambda m, a: m.order_filter(a((3, 3)), np.ones((3, 3)), 2.0),
])
def test_smoothing_refuses_types(call):
    for module, ones in ((ss, np.ones), (xs, tb.ones)):
        with pytest.raises(TypeError):
            call(module, ones)


@pytest.mark.parametrize("code", "ifdD")
@pytest.mark.parametrize("size, noise", [(None, None), (5, 0.1), ((3, 4), None)])
def test_wiener(code, size, noise):
    x = (10 * random((9, 8), "D" if code == "D" else "d")).astype(code)
    close(xs.wiener(tb.array(x), size, noise), ss.wiener(x, size, noise), 1e-5)


@pytest.mark.parametrize("mode", ["interp", "mirror", "nearest", "wrap", "constant"])
@pytest.mark.parametrize("n, order, deriv", [(5, 2, 0), (6, 3, 1), (7, 2, 3), (1, 0, 0)])
def test_savgol_filter(mode, n, order, deriv):
    for code, axis in (("d", 0), ("f", 1), ("i", -1), ("e", 0)):
        x = (10 * random((9, 8))).astype(code)
        want = ss.savgol_filter(x, n, order, deriv, 0.5, axis, mode, 1.5)
        close(xs.savgol_filter(tb.array(x), n, order, deriv, 0.5, axis, mode, 1.5), want, 1e-8)
    for x, axis in ((random((9, 2, 3)), 0), (random((2, 9, 3)), 1), (random(9), 0), (random(2 * (n // 2) + 1), 0)):
        want = ss.savgol_filter(x, n, order, deriv, 0.5, axis, mode, 1.5)
        close(xs.savgol_filter(tb.array(x), n, order, deriv, 0.5, axis, mode, 1.5), want, 1e-8)


@pytest.mark.filterwarnings("ignore:Casting complex")
def test_savgol_filter_of_complex_numbers():
    """Their real parts, in double precision."""
    for code in "FD":
        x = random(9, code)
        warned_and_close(lambda: xs.savgol_filter(tb.array(x), 5, 2), lambda: ss.savgol_filter(x, 5, 2))
        assert xs.savgol_filter(tb.array(x), 5, 2).dtype == "d"


@given(signals("ifdFDe"), st.sampled_from(["linear", "constant"]), st.lists(st.integers(0, 20), max_size=3))
def test_detrend(x, type, bp):
    host, device, axis = x
    bp = [n for n in bp if n <= host.shape[axis]]
    bp = bp or 0
    got, want = xs.detrend(device, axis, type, bp), ss.detrend(host, axis, type, bp)
    assert got.dtype == want.dtype
    tolerance = {"d": 1e-12, "D": 1e-12, "e": 3e-2}.get(want.dtype.char, 1e-4)
    np.testing.assert_allclose(got.get(), want, atol=tolerance * (float(np.abs(host).max()) + 1))


@given(signals("ilfde"), st.one_of(st.none(), st.integers(1, 30)))
def test_hilbert(x, n):
    host, device, axis = x
    host, device = (host.astype("d"), device.astype("d")) if host.dtype.char == "e" else (host, device)
    close(xs.hilbert(device, n, axis), ss.hilbert(host, n, axis))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_hilbert_of_what_is_not_finite(bad):
    x = random((3, 8))
    x[1, 2] = bad
    with np.errstate(all="ignore"):
        want = ss.hilbert(x)
    close(xs.hilbert(tb.array(x)), want)


@given(s.arrays("ifd", max_dims=2, max_side=7, min_dims=2).filter(lambda x: x[0].size),
       st.sampled_from([None, 4, (3, 6)]))
def test_hilbert2(x, n):
    close(xs.hilbert2(x[1], n), ss.hilbert2(x[0], n))


@pytest.mark.parametrize("axes", [(0, 1), (0, 2), (-1, 0), (2, 1)])
@pytest.mark.parametrize("sizes", [None, 6, (2, 5)])
def test_hilbert2_along_axes(axes, sizes):
    host = np.random.default_rng(4).normal(size=(3, 4, 5))
    swapped = np.moveaxis(host, axes, (-2, -1))  # matrix by matrix: SciPy has axes= from 1.17 on
    want = np.stack([ss.hilbert2(m, sizes) for m in swapped])
    close(xs.hilbert2(tb.array(host), sizes, axes), np.moveaxis(want, (-2, -1), axes))
    for wrong in ((0,), (0, 1, 2), (1, 1), (0, 3)):
        with pytest.raises(ValueError):
            xs.hilbert2(tb.array(host), axes=wrong)


@pytest.mark.parametrize("code", "fdi")
@pytest.mark.parametrize("q, keywords", [(2, {}), (5, {"n": 4}), (3, {"zero_phase": False}), (4, {"axis": 0})])
def test_decimate(code, q, keywords):
    x = (10 * random((60, 50))).astype(code)
    close(xs.decimate(tb.array(x), q, **keywords), ss.decimate(x, q, **keywords), 1e-7)


@pytest.mark.parametrize("zero_phase", [False, True])
def test_decimate_by_windows(zero_phase):
    pytest.importorskip("tombacx.scipy.signal._resampling")
    for code in "fd":
        x = random((3, 100), code)
        want = ss.decimate(x, 3, ftype="fir", zero_phase=zero_phase)
        close(xs.decimate(tb.array(x), 3, ftype="fir", zero_phase=zero_phase), want, 1e-7)


def test_decimate_by_a_system():
    x = random(100)
    want = ss.decimate(x, 3, ftype=ss.dlti([1.0], [1.0, -0.5]))
    close(xs.decimate(tb.array(x), 3, ftype=xs.dlti([1.0], [1.0, -0.5])), want)


# ---- splines ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", "fdFDi")
@pytest.mark.parametrize("shape", [(60,), (4, 50), (1, 300)])
@pytest.mark.parametrize("z1", [0.5, -0.3])
def test_symiirorder1(code, shape, z1):
    x = (10 * random(shape, "D" if code in "FD" else "d")).astype(code)
    close(xs.symiirorder1(tb.array(x), 1.5, z1), ss.symiirorder1(x, 1.5, z1), 1e-5 if code in "fF" else 1e-9)


def mirrored(x, r, omega):
    """The filter both ways, over a long signal."""
    long, a = np.concatenate([x[::-1], x] * 8), [1, -2 * r * np.cos(omega), r * r]
    b = [sum(a)]
    return ss.lfilter(b, a, ss.lfilter(b, a, long)[::-1])[::-1][x.size * 7:x.size * 8]


@pytest.mark.parametrize("code", "fdi")
@pytest.mark.parametrize("shape", [(90,), (4, 80)])
@pytest.mark.parametrize("r, omega", [(0.5, 0.3), (0.3, 0.9), (0.4, 0.0)])
def test_symiirorder2(code, shape, r, omega):
    x = (10 * random(shape)).astype(code)
    close(xs.symiirorder2(tb.array(x), r, omega), ss.symiirorder2(x, r, omega), 3e-3 if code == "f" else 1e-5)
    if code == "d":  # SciPy's sums end early
        close(xs.symiirorder2(tb.array(x), r, omega), np.apply_along_axis(mirrored, -1, x, r, omega))


@pytest.mark.parametrize("call", [
    lambda m, a: m.symiirorder1(a(36), 1.0, 0.999), lambda m, a: m.symiirorder1(a(36), 1.0, 1.5),
    lambda m, a: m.symiirorder1(a(37), 1.0, 0.5), lambda m, a: m.symiirorder1(a((2, 2, 90)), 1.0, 0.5),
    lambda m, a: m.symiirorder2(a(36), 1.5, 0.1), lambda m, a: m.symiirorder2(a(1), 0.5, 0.1),
    lambda m, a: m.cspline2d(a((5, 50))), lambda m, a: m.qspline2d(a((50, 50)), 1.0),
    lambda m, a: m.qspline1d(a(9), 0.1), lambda m, a: m.cspline1d(a((3, 3))),
    lambda m, a: m.sepfir2d(a(9), [1.0], [1.0]),
    lambda m, a: m.sepfir2d(a((3, 3)), [1.0, 2.0], [1.0]), lambda m, a: m.cspline1d_eval(a(0), [1.0]),
    lambda m, a: m.qspline1d_eval(a(0), [1.0]), lambda m, a: m.spline_filter(a(20)),
])
def test_splines_refuse(call):
    for module, ones in ((ss, np.ones), (xs, tb.ones)):
        with pytest.raises(ValueError):
            call(module, ones)


@pytest.mark.parametrize("call", [
    lambda m, a: m.symiirorder2(a(60, "D"), 0.5, 0.1), lambda m, a: m.spline_filter(a((60, 60), "i")),
    lambda m, a: m.spline_filter(a((60, 60), "D")),
])
def test_splines_refuse_types(call):
    for module, ones in ((ss, np.ones), (xs, tb.ones)):
        with pytest.raises(TypeError):
            call(module, ones)


@pytest.mark.parametrize("code", "fdDi")
@pytest.mark.parametrize("n", [1, 2, 3, 20, 5000])
def test_splines_of_vectors(code, n):
    x = (10 * random(n, "D" if code == "D" else "d")).astype(code)
    if n > 1:
        close(xs.cspline1d(tb.array(x)), ss.cspline1d(x).astype("D" if code == "D" else "d"))
        close(xs.qspline1d(tb.array(x)), ss.qspline1d(x).astype("D" if code == "D" else "d"))
    at = np.linspace(-3 * n, 4 * n, 41)
    cj = x.astype("d") if code == "i" else x
    if n > 1:
        close(xs.cspline1d_eval(tb.array(cj), tb.array(at), 0.7, 2), ss.cspline1d_eval(cj, at, 0.7, 2), 1e-6)
    if n > 1 and code != "D":
        close(xs.qspline1d_eval(tb.array(cj), tb.array(at), 0.7, 2), ss.qspline1d_eval(cj, at, 0.7, 2), 1e-6)


def spline_of(x, lamb, quadratic=False):
    """Coefficients along the last axis, by the spectrum of the mirrored signal."""
    n = x.shape[-1]
    k = np.pi * np.fft.fftfreq(2 * n) * 2
    samples = (6 + 2 * np.cos(k)) / 8 if quadratic else (4 + 2 * np.cos(k)) / 6
    spectrum = np.fft.fft(np.concatenate([x, x[..., ::-1]], -1)) / (samples + lamb * (2 * np.cos(k) - 2) ** 2)
    return np.fft.ifft(spectrum).real[..., :n]


@pytest.mark.parametrize("lamb", [0.01, 1.0, 30.0])
def test_smoothing_splines_of_vectors(lamb):
    """The first elements of SciPy's are others, which do not belong to the mirrored signal."""
    x = random(200)
    got = xs.cspline1d(tb.array(x), lamb)
    if lamb > 1 / 24:
        close(got[60:], ss.cspline1d(x, lamb)[60:], 1e-6)
    close(got, spline_of(x, lamb))
    with pytest.raises(ValueError):
        xs.cspline1d(tb.array(x), 1e-3)


@pytest.mark.parametrize("code", "fdi")
@pytest.mark.parametrize("name, lamb", [("cspline2d", 0.0), ("qspline2d", 0.0), ("cspline2d", 0.1), ("cspline2d", 5.0)])
def test_splines_of_images(code, name, lamb):
    x = (10 * random((60, 70))).astype(code)
    got, want = getattr(xs, name)(tb.array(x), lamb), x.astype("d")
    for _ in range(2):
        want = spline_of(want, lamb, name == "qspline2d").T
    close(got, want.astype(got.dtype))
    close(got, getattr(ss, name)(x, lamb), 0.1 if lamb else 2e-3)  # whose sums end early


@pytest.mark.parametrize("code", "fdF")
def test_spline_filter(code):
    x = random((80, 70), code)
    lamb = 0.0 if code == "F" else 1.0
    close(xs.spline_filter(tb.array(x), lamb), ss.spline_filter(x, lamb), 0.05 if lamb else 2e-3)


@given(s.arrays("ifdD", max_dims=2, max_side=8, min_dims=2).filter(lambda x: min(x[0].shape) > 3))
def test_sepfir2d(x):
    row, column = np.array([1.0, 2.0, 4.0]), np.array([1.0, 0.5, 3.0, 2.0, 7.0])
    if x[0].dtype.char == "f":
        row, column = row.astype("f"), column.astype("f")
    close(xs.sepfir2d(x[1], tb.array(row), column), ss.sepfir2d(x[0], row, column))


# ---- peaks -----------------------------------------------------------------------------------------------------------


@given(s.arrays("ifd", max_dims=2, max_side=9, min_dims=1), st.integers(1, 4), st.sampled_from(["clip", "wrap"]),
       st.integers(-2, 1))
def test_extrema(x, order, mode, axis):
    host, device = x
    if not -host.ndim <= axis < host.ndim:
        with pytest.raises((ValueError, IndexError)):
            xs.argrelmax(device, axis)
        return
    for name in ("argrelmax", "argrelmin"):
        want = getattr(ss, name)(host, axis, order, mode)
        for got, w in zip(getattr(xs, name)(device, axis, order, mode), want, strict=True):
            s.same(got, w)


def test_extrema_by_a_comparison():
    x = s.values(np.dtype("d"), (40,), 3)
    s.same(xs.argrelextrema(tb.array(x), np.less_equal, order=2)[0], ss.argrelextrema(x, np.less_equal, order=2)[0])
    for keywords, error in (({"order": 0}, ValueError), ({"order": 1.5}, ValueError), ({"mode": "x"}, ValueError),
                            ({"mode": "raise"}, IndexError), ({"axis": 1}, IndexError)):
        with pytest.raises(error):
            xs.argrelmax(tb.array(x), **keywords)


@st.composite
def landscapes(draw):
    """A vector with plateaus and, now and then, NaN."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = rng.integers(0, draw(st.sampled_from([2, 4, 50])), draw(st.integers(0, 80))).astype("d")
    x[rng.random(x.size) < draw(st.sampled_from([0, 0, 0.1]))] = np.nan
    return x


LIMITS = st.one_of(st.none(), st.integers(0, 4), st.tuples(st.one_of(st.none(), st.integers(0, 2)),
                                                         st.one_of(st.none(), st.integers(1, 9))))


def same_peaks(got, want):
    s.same(got[0], want[0])
    assert list(got[1]) == list(want[1])
    for name, values in want[1].items():
        close(got[1][name], values)


@given(landscapes(), LIMITS, LIMITS, LIMITS, LIMITS, LIMITS, st.one_of(st.none(), st.integers(2, 30)),
       st.sampled_from([0, 0.3, 0.5, 1, 1.5]))
@pytest.mark.filterwarnings("ignore")
def test_find_peaks(x, height, threshold, prominence, width, plateau_size, wlen, rel_height):
    keywords = dict(height=height, threshold=threshold, prominence=prominence, width=width, wlen=wlen,
                    rel_height=rel_height, plateau_size=plateau_size)
    same_peaks(xs.find_peaks(tb.array(x), **keywords), ss.find_peaks(x, **keywords))


@given(st.integers(0, 2**32 - 1), st.floats(1, 30), st.integers(0, 200))
def test_find_peaks_at_a_distance(seed, distance, n):
    x = random(n, seed=seed)
    same_peaks(xs.find_peaks(tb.array(x), distance=distance), ss.find_peaks(x, distance=distance))


@pytest.mark.filterwarnings("ignore")
@given(landscapes(), st.one_of(st.none(), st.integers(2, 30)), st.sampled_from([0, 0.5, 1, 1.5]),
       st.integers(0, 2**32 - 1))
def test_shapes_of_peaks(x, wlen, rel_height, seed):
    peaks = np.random.default_rng(seed).integers(0, max(x.size, 1), 5 if x.size else 0)
    want = ss.peak_prominences(x, peaks, wlen)
    for got, w in zip(xs.peak_prominences(tb.array(x), tb.array(peaks), wlen), want, strict=True):
        close(got, w)
    widths = ss.peak_widths(x, peaks, rel_height, None, wlen)
    for got, w in zip(xs.peak_widths(tb.array(x), tb.array(peaks), rel_height, None, wlen), widths, strict=True):
        close(got, w)
    data = tuple(tb.array(d) for d in want)
    for got, w in zip(xs.peak_widths(tb.array(x), tb.array(peaks), rel_height, data), widths, strict=True):
        close(got, w)


def test_shapes_of_many_peaks():
    x = np.cumsum(random(20000))
    peaks, _ = ss.find_peaks(x)
    got, _ = xs.find_peaks(tb.array(x))
    s.same(got, peaks)
    for g, w in zip(xs.peak_prominences(tb.array(x), got), ss.peak_prominences(x, peaks), strict=True):
        close(g, w)
    for g, w in zip(xs.peak_widths(tb.array(x), got), ss.peak_widths(x, peaks), strict=True):
        close(g, w)


@pytest.mark.filterwarnings("ignore")
@given(st.integers(0, 2**32 - 1), st.sampled_from([200, 700, 5000, 40000]), st.sampled_from([0, 0, 0.001, 0.02]),
       st.one_of(st.none(), st.integers(2, 900)), st.sampled_from([0, 0.5, 1, 1.5]), st.booleans())
def test_shapes_of_few_peaks(seed, n, holes, wlen, rel_height, smooth):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 5, n).astype("d")
    x = np.cumsum(x - 2) if smooth else x
    x[rng.random(n) < holes] = np.nan
    peaks = rng.integers(0, n, rng.integers(1, 6))
    data = ss.peak_prominences(x, peaks, wlen)
    for got, w in zip(xs.peak_prominences(tb.array(x), tb.array(peaks), wlen), data, strict=True):
        close(got, w)
    want = ss.peak_widths(x, peaks, rel_height, data)
    for got, w in zip(xs.peak_widths(tb.array(x), tb.array(peaks), rel_height, data), want, strict=True):
        close(got, w)


def same_shapes(x, device, peaks, **keywords):
    data = ss.peak_prominences(x, peaks, **keywords)
    got = xs.peak_prominences(device, tb.array(peaks), **keywords)
    for g, w in zip(got, data, strict=True):
        s.same(g, w)
    for part in (0.4, 1):
        want = ss.peak_widths(x, peaks, part, data)
        for found in (xs.peak_widths(device, tb.array(peaks), part, got),
                      xs.peak_widths(device, tb.array(peaks), part, **keywords)):
            for g, w in zip(found, want, strict=True):
                s.same(g, w)


@pytest.mark.filterwarnings("ignore")
@given(s.arrays("?bBhHiIlLefd", max_dims=1, max_side=300, min_dims=1), st.sampled_from("?bBhHiIl"),
       st.one_of(st.none(), st.integers(2, 40)), st.integers(0, 2**32 - 1))
def test_peaks_of_any_layout_and_dtype(x, code, wlen, seed):
    host, device = x
    same_peaks(xs.find_peaks(device, plateau_size=1, height=0), ss.find_peaks(host, plateau_size=1, height=0))
    most = min(host.size, np.iinfo(code).max if code != "?" else 2)
    same_shapes(host, device, np.random.default_rng(seed).integers(0, max(most, 1), 7 if most else 0).astype(code),
                wlen=wlen)


@pytest.mark.parametrize("first, last", [(65530, 65545), (100, 140_000), (65535, 65536), (65536, 131_071), (0, 70_000),
                                         (70_000, 199_999), (1, 199_998), (131_071, 131_071), (64, 127), (63, 65_600)])
@pytest.mark.parametrize("before, behind", [(0, 0), (0, 9), (9, 0)])
def test_plateaus_of_any_length(first, last, before, behind):
    x = np.random.default_rng(first).integers(0, 3, 200_000).astype("d")
    x[max(first - 1, 0)], x[min(last + 1, 199_999)] = before, behind
    x[first:last + 1] = 5
    same_peaks(xs.find_peaks(tb.array(x), plateau_size=1), ss.find_peaks(x, plateau_size=1))
    s.same(xs.find_peaks(tb.array(x))[0], ss.find_peaks(x)[0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wlen", [None, 9001, 150_001])
@pytest.mark.parametrize("slope, hole, steps", [(0, 0, 0), (3e-4, 0, 0), (-3e-4, 0, 0), (-3e-4, 1e-5, 4), (0, 1e-3, 9)])
def test_long_ways_from_peaks(wlen, slope, hole, steps):
    rng = np.random.default_rng(7)
    x = np.sin(np.arange(300_000) / 5) + slope * np.arange(300_000) + 0.01 * rng.random(300_000)
    x = np.round(x * steps) if steps else x
    x[rng.random(x.size) < hole] = np.nan
    same_shapes(x, tb.array(x), rng.permutation(np.r_[rng.integers(0, x.size, 300), ss.find_peaks(x)[0][::400]]),
                wlen=wlen)


def test_peaks_of_one_height():
    x = tb.array([0.0, 1, 0, 1, 0, 1, 0])
    np.testing.assert_array_equal(xs.find_peaks(x, distance=3)[0].get(), [1, 5])


def test_few_peaks_are_looked_at_alone():
    x = np.sin(np.arange(100_000) / 3)
    signal, peaks = tb.array(x), tb.array(ss.find_peaks(x)[0][1000:1003])
    for call in (lambda: xs.peak_prominences(signal, peaks, wlen=50), lambda: xs.peak_widths(signal, peaks, wlen=50)):
        call()
        tb.config.reset_counters()
        call()
        assert tb.config.counters()["bytes_allocated"] < x.nbytes / 4


def test_arrays_as_limits():
    x = random(50)
    low, high = x - 0.5 * np.sign(np.arange(50) % 3 - 1), x + 1
    same_peaks(xs.find_peaks(tb.array(x), height=(tb.array(low), high)), ss.find_peaks(x, height=(low, high)))


@pytest.mark.parametrize("call, error", [
    (lambda m: m.find_peaks([[1.0, 2.0]]), ValueError), (lambda m: m.find_peaks([1, 2, 1], distance=0.5), ValueError),
    (lambda m: m.find_peaks([1, 2, 1], height=np.ones(5)), ValueError),
    (lambda m: m.find_peaks([1, 2, 1], height=(1, 2, 3)), ValueError),
    (lambda m: m.find_peaks([1, 2, 1], prominence=1, wlen=1), ValueError),
    (lambda m: m.find_peaks([1, 2, 1], width=1, rel_height=-1), ValueError),
    (lambda m: m.peak_prominences([0, 1, 0], [5]), ValueError),
    (lambda m: m.peak_prominences([0, 1, 0], [-1]), ValueError),
    (lambda m: m.peak_prominences([0, 1, 0], [1.0]), TypeError),
    (lambda m: m.peak_prominences([0, 1, 0], [[1]]), ValueError),
    (lambda m: m.peak_prominences([[0, 1, 0]], [1]), ValueError),
    (lambda m: m.peak_widths([0, 1, 0], [1], -1), ValueError),
    (lambda m: m.peak_widths([0, 1, 0], [1], 0.5, (1,)), TypeError),
    (lambda m: m.peak_widths([0, 1, 0], [1], 0.5, (None, None, None)), TypeError),
])
def test_peaks_refuse(call, error):
    for module in (ss, xs):
        with pytest.raises(error):
            call(module)


def test_shapes_of_peaks_are_refused_in_scipys_words():
    for module in (ss, xs):
        for call in (module.peak_prominences, module.peak_widths):
            with pytest.raises(ValueError, match="1-D array"):
                call([0, 1, 0], [[1]])
        with pytest.raises(ValueError, match="arrays in `prominence_data` must have the same shape"):
            module.peak_widths([0.0, 1, 0], [1], 0.5, tuple(np.zeros(2, t) for t in "dll"))


def test_peaks_that_are_none_warn():
    x = tb.array([1.0, 1.0, 1.0])
    with pytest.warns(xs.PeakPropertyWarning, match="prominence of 0"):
        xs.peak_prominences(x, [1])
    with pytest.warns(xs.PeakPropertyWarning, match="width of 0"):
        xs.peak_widths(x, [1])
    x = np.array([0.0, 3.0, 3.0, 3.0, 0.0, 2.0, 0.0])
    for m, of in ((ss, np.asarray), (xs, tb.asarray)):
        with pytest.warns(m.PeakPropertyWarning if m is xs else RuntimeWarning, match="prominence of 0"):
            m.find_peaks(of(x), prominence=(None, 5), wlen=2)
        with pytest.warns(m.PeakPropertyWarning if m is xs else RuntimeWarning, match="width of 0") as caught:
            m.find_peaks(of(x), width=0, rel_height=0)
        assert m is ss or caught[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            m.peak_prominences(of(np.array([0.0, 1.0, 0.0])), of(np.array([1])))
            m.find_peaks(of(x), prominence=1, width=1)


def test_conditions_in_one_array_of_two():
    x = np.array([0.0, 1.0, 0.0, 2.0, 0.0, 3.0, 0.0])
    for rows in (np.array([1.5, 2.5]), np.array([1, 2]), np.stack([x - 0.5, np.full(7, 2.5)])):
        for name in ("height", "prominence"):
            got, want = xs.find_peaks(tb.array(x), **{name: tb.array(rows)}), ss.find_peaks(x, **{name: rows})
            np.testing.assert_array_equal(got[0].get(), want[0])


@pytest.mark.parametrize("wavelet", [xs.ricker, xs.morlet2])
def test_cwt(wavelet):
    x, widths = random(60), [1, 2.5, 9]
    got = xs.cwt(tb.array(x), wavelet, widths)
    for row, width in zip(got, widths, strict=True):
        wave = wavelet(int(min(10 * width, 60)), width).get()
        close(row, np.convolve(x, wave.conj()[::-1], mode="same"))
    assert xs.cwt(tb.array(x), wavelet, []).shape == (0, 60)
    with pytest.raises(ValueError):
        xs.cwt(tb.ones((2, 2)), wavelet, widths)


@pytest.mark.parametrize("order", [49, 50, 51, 10**5, 2**62])
@pytest.mark.parametrize("mode", ["clip", "wrap"])
def test_extrema_of_great_orders(order, mode):
    a = np.random.default_rng(0).random(50)
    for x in (np.arange(50.0), a, np.r_[a, 2.0, a], np.zeros(0), np.ones(1)):
        want = ss.argrelmax(x, order=min(order, 2 * x.size + 1), mode=mode)[0]
        np.testing.assert_array_equal(xs.argrelmax(tb.array(x), order=order, mode=mode)[0].get(), want)
        every = xs.argrelextrema(tb.array(x), tb.greater_equal, order=order, mode=mode)[0]
        want = ss.argrelextrema(x, np.greater_equal, order=min(order, 2 * x.size + 1), mode=mode)[0]
        np.testing.assert_array_equal(every.get(), want)


@pytest.mark.parametrize("mode", ["interp", "nearest"])
def test_polynomials_of_negative_order(mode):
    with pytest.raises(ValueError, match="polyorder"):
        xs.savgol_filter(tb.arange(9.0), 5, -1, mode=mode)


@pytest.mark.parametrize("distance", [5, 1e18, 1e300, np.inf])
def test_peaks_far_apart(distance):
    x = np.array([0.0, 1, 0, 2, 0])
    np.testing.assert_array_equal(xs.find_peaks(tb.array(x), distance=distance)[0].get(),
                                  ss.find_peaks(x, distance=5)[0])


def test_distances_of_elements_that_are_arrays():
    x = np.random.default_rng(0).random(20)
    got = xs.savgol_filter(tb.array(x), 5, 2, deriv=1, delta=tb.array(0.5))
    np.testing.assert_allclose(got.get(), ss.savgol_filter(x, 5, 2, deriv=1, delta=0.5), 1e-9)


def test_splines_of_one_element_are_constant():
    for code in "fdD":
        x = tb.array([3.0], code)
        for c in (xs.cspline1d(x), xs.cspline1d(x, 1.0), xs.qspline1d(x)):
            assert c.shape == (1,) and c.dtype == ("D" if code == "D" else "d") and c.item() == 3
        np.testing.assert_allclose(xs.cspline1d_eval(xs.cspline1d(x), tb.array([0.0, 0.5, 2.0])).get(), [3, 3, 3], 1e-6)


@pytest.mark.parametrize("code", "hfdFD")
@pytest.mark.parametrize("name", ["cspline1d", "qspline1d"])
def test_coefficients_have_double_precision(name, code):
    x = np.arange(30).astype(code)
    got, want = getattr(xs, name)(tb.array(x)), getattr(ss, name)(x)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, 1e-7)


@pytest.mark.parametrize("code", "hBfdFD")
def test_the_dtype_of_resampled_spectra(code):
    x = np.arange(8).astype(code)
    got, want = xs.resample(tb.array(x), 4, domain="freq"), ss.resample(x, 4, domain="freq")
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, 1e-5, 1e-6)


@pytest.mark.parametrize("r, omega, precision", [(0.5, 1.0, 1e-8), (0.5, 1.0, -1), (0.8, 0.3, 1e-6), (0.9, 2.0, -1),
                                                 (0.3, 0.01, -1), (0.5, 0.0, 1e-8)])
def test_how_long_a_signal_must_be(r, omega, precision):
    for n in (2, 20, 21, 22, 24, 25, 30, 31, 36, 37, 51, 52, 233, 234, 5000):
        x = np.arange(float(n))
        try:
            ss.symiirorder2(x, r, omega, precision)
        except ValueError:
            with pytest.raises(ValueError):
                xs.symiirorder2(tb.array(x), r, omega, precision)
        else:
            assert xs.symiirorder2(tb.array(x), r, omega, precision).shape == x.shape
