"""Spectra of tombacx.scipy.signal against SciPy's: segments, windows, uneven times, chirp transforms."""

import inspect
import warnings

import numpy as np
import pytest
import scipy.signal as ss
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st

import tombacx.scipy.signal as xs

WINDOWS = ["hann", "boxcar", ("tukey", 0.3), ("kaiser", 2.0)]
DETRENDS = [False, None, "constant", "linear", "l", lambda x: x * 2]


def numbers(code, shape, seed):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=shape) * 4
    return (a + 1j * rng.normal(size=shape) if code in "FD" else a).astype(code)


def close(got, want, rtol):
    want = np.asarray(want)
    assert type(got) is tb.ndarray
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_allclose(got.get(), want, rtol, np.abs(want[np.isfinite(want)]).max(initial=1e-2) * rtol)


def compare(ours, theirs, rtol=1e-10):
    """Arrays, or tuples of them, or the same exception; warnings as well."""
    with warnings.catch_warnings(record=True) as said, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        try:
            want = theirs()
        except Exception as e:
            with pytest.raises((type(e), ValueError)):
                ours()
            return
    with warnings.catch_warnings(record=True) as ours_said:
        warnings.simplefilter("always")
        got = ours()
    assert any(w.category is UserWarning for w in said) == any(w.category is UserWarning for w in ours_said)
    got, want = (x if isinstance(x, tuple) else (x,) for x in (got, want))
    assert len(got) == len(want)
    for g, w in zip(got, want, strict=True):
        close(g, w, rtol)


def device(x):
    return tb.array(x) if isinstance(x, np.ndarray) else x


@st.composite
def signals(draw, codes="bhlfdFD", longest=60):
    """(a signal, the axis of time)."""
    ndim = draw(st.integers(1, 3))
    axis = draw(st.integers(-ndim, ndim - 1))
    shape = draw(st.lists(st.integers(1, 4), min_size=ndim, max_size=ndim))
    shape[axis] = draw(st.integers(1, longest))
    x = numbers(draw(st.sampled_from(codes)), shape, draw(st.integers(0, 2**32 - 1)))
    return x[..., ::-1] if draw(st.booleans()) else x, axis


@st.composite
def options(draw, **more):
    return {name: draw(choices) for name, choices in {
        "fs": st.sampled_from([1.0, 10, 0.3]), "window": st.sampled_from(WINDOWS), "detrend": st.sampled_from(DETRENDS),
        "nfft": st.sampled_from([None, None, 20, 33]), **more}.items()}


SEGMENTS = {"nperseg": st.sampled_from([4, 5, 8, 16, 17, 64]), "noverlap": st.sampled_from([None, 0, 3, 5])}
SIDES = {"return_onesided": st.booleans()}
SCALINGS = {"scaling": st.sampled_from(["density", "spectrum"])}
AVERAGES = {"average": st.sampled_from(["mean", "median"])}


def tolerance(*arrays):
    return 1e-4 if any(a.dtype.char in "bhfF" for a in arrays) else 1e-9


def check(name, arrays, axis, how):
    ours = {key: device(value) for key, value in how.items()}
    moved = {id(a): tb.array(a) for a in arrays}  # one that is given twice stays one
    compare(lambda: getattr(xs, name)(*(moved[id(a)] for a in arrays), axis=axis, **ours),
            lambda: getattr(ss, name)(*arrays, axis=axis, **how), tolerance(*arrays))


@settings(max_examples=200, deadline=None)
@given(x=signals(), how=options(**SIDES, **SCALINGS))
def test_periodogram(x, how):
    check("periodogram", x[:1], x[1], how)


@settings(max_examples=200, deadline=None)
@given(x=signals(), how=options(**SEGMENTS, **SIDES, **SCALINGS, **AVERAGES))
def test_welch(x, how):
    check("welch", x[:1], x[1], how)


@settings(max_examples=200, deadline=None)
@given(x=signals("hlfd"), n=st.integers(1, 60), how=options(**SEGMENTS, **SIDES, **SCALINGS, **AVERAGES),
       own=st.booleans())
def test_csd(x, n, how, own):
    x, axis = x
    shape = list(x.shape)
    shape[axis] = n
    check("csd", (x, x if own else numbers(x.dtype.char, shape, n)), axis, how)


def test_csd_of_complex_and_broadcast_signals():
    x, y = numbers("D", (2, 1, 40), 0), numbers("d", (3, 40), 1)
    check("csd", (x, y.astype("D")), -1, {"nperseg": 8})
    got = xs.csd(tb.array(y[0]), tb.array(x), nperseg=8, return_onesided=False)[1]
    close(got, ss.csd(y[0].astype("D"), x, nperseg=8)[1], 1e-9)


@settings(max_examples=100, deadline=None)
@given(x=signals("fdD"), how=options(**SEGMENTS))
def test_coherence(x, how):
    x, axis = x
    y = numbers("d", x.shape, 1).astype(x.dtype)
    how["detrend"] = how["detrend"] if callable(how["detrend"]) else False  # where nothing is left it is 0 / 0
    check("coherence", (x, y), axis, how)


@settings(max_examples=200, deadline=None)
@given(x=signals(), how=options(**SEGMENTS, **SIDES, **SCALINGS,
                                mode=st.sampled_from(["psd", "complex", "magnitude"])))
def test_spectrogram(x, how):
    check("spectrogram", x[:1], x[1], how)


@pytest.mark.parametrize("mode", ["angle", "phase"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_phases(mode, axis):
    check("spectrogram", (numbers("d", (40, 50), 3),), axis, {"mode": mode, "nperseg": 8, "window": "hann"})


@settings(max_examples=200, deadline=None)
@given(x=signals(), how=options(**SEGMENTS, **SIDES, scaling=st.sampled_from(["spectrum", "psd"]),
                                boundary=st.sampled_from([None, "zeros", "even", "odd", "constant"]),
                                padded=st.booleans()))
def test_stft(x, how):
    check("stft", x[:1], x[1], how)


@pytest.mark.parametrize("boundary", ["even", "odd", "constant"])
def test_stft_of_truth_values(boundary):
    """Continued as the numbers 0 and 1."""
    x = numbers("d", (2, 40), 5) > 0
    got = xs.stft(tb.array(x), nperseg=8, boundary=boundary)[2]
    np.testing.assert_allclose(got.get(), ss.stft(x.astype("f"), nperseg=8, boundary=boundary)[2], 1e-5, 1e-6)


@pytest.mark.parametrize("name", ["welch", "stft", "spectrogram", "periodogram"])
def test_windows_of_values(name):
    x = numbers("d", (3, 30), 0)
    n = 30 if name == "periodogram" else 7
    check(name, (x,), -1, {"window": np.linspace(0.1, 1, n)})
    check(name, (x,), -1, {"window": np.linspace(0.1, 1, 40)})
    check(name, (x,), -1, {"window": np.ones((2, 2))})


def test_complex_windows():
    x, window = numbers("d", 50, 0), numbers("D", 8, 1)  # SciPy scales by complex numbers, or conjugates the window
    want = np.fft.fft(np.lib.stride_tricks.sliding_window_view(x, 8)[::4] * window).T
    for signal in (x, x.astype("D")):
        how = {"window": tb.array(window), "nperseg": 8, "return_onesided": False, "boundary": None, "padded": False}
        close(xs.stft(tb.array(signal), **how)[2], want / abs(window.sum()), 1e-9)
        close(xs.stft(tb.array(signal), 3.0, scaling="psd", **how)[2],
              want / np.sqrt(3 * (abs(window) ** 2).sum()), 1e-9)


def test_detrend_sees_time_where_it_is():
    x = numbers("d", (12, 3, 2), 0)
    for name, axis in (("welch", -1), ("stft", 0), ("spectrogram", 0)):
        check(name, (x,), 0, {"nperseg": 4, "detrend": lambda s: s - s.mean(axis, keepdims=True)})


@settings(max_examples=200, deadline=None)
@given(data=st.data(), code=st.sampled_from("fFD"), time_axis=st.integers(-3, 2), freq_axis=st.integers(-3, 2),
       nfft=st.sampled_from([None, None, 16]), how=st.fixed_dictionaries({
           "fs": st.sampled_from([1.0, 3]), "window": st.sampled_from(["hann", "boxcar"]), "boundary": st.booleans(),
           "input_onesided": st.booleans(), "scaling": st.sampled_from(["spectrum", "psd"]),
           "noverlap": st.sampled_from([None, 0, 1])}))
def test_istft(data, code, time_axis, freq_axis, nfft, how):
    shape = data.draw(st.lists(st.integers(2, 9), min_size=2, max_size=3))
    time, freq = time_axis % len(shape), freq_axis % len(shape)
    Zxx = numbers(code, shape, 5)
    how = {**how, "time_axis": time, "freq_axis": freq, "nfft": nfft}
    # The times are not compared: those of SciPy are as many as the first axis is long.
    compare(lambda: xs.istft(tb.array(Zxx), **how)[1], lambda: ss.istft(Zxx, **how)[1], tolerance(Zxx))


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("nperseg, noverlap", [(16, None), (16, 12), (15, 11), (16, 15)])
def test_there_and_back(code, nperseg, noverlap):
    x = numbers(code, (2, 100), 0)
    one = code in "fd"
    f, t, X = xs.stft(tb.array(x), 4.0, nperseg=nperseg, noverlap=noverlap, return_onesided=one)
    times, y = xs.istft(X, 4.0, nperseg=nperseg, noverlap=noverlap, input_onesided=one)
    close(y[:, :100], x, 1e-5 if code in "fF" else 1e-12)
    np.testing.assert_allclose(times.get(), np.arange(y.shape[1]) / 4)


@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 2)])
@pytest.mark.parametrize("name", ["periodogram", "welch", "stft"])
def test_empty(name, shape):
    compare(lambda: getattr(xs, name)(tb.ones(shape)), lambda: getattr(ss, name)(np.ones(shape)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [a.shape for a in xs.spectrogram(tb.ones(shape))] == [shape] * 3
    compare(lambda: xs.csd(tb.ones(shape), tb.ones(shape)), lambda: ss.csd(np.ones(shape), np.ones(shape)))


NORMALS = [False, True, "power", "normalize", "amplitude"]


@settings(max_examples=200, deadline=None)
@given(n=st.integers(1, 30), m=st.integers(2, 9), normalize=st.sampled_from(NORMALS), floating_mean=st.booleans(),
       weighted=st.booleans(), seed=st.integers(0, 1000))
def test_lombscargle(n, m, normalize, floating_mean, weighted, seed):
    rng = np.random.default_rng(seed)
    t, y, w = rng.random(n) * 9, rng.normal(size=n), rng.random(m) * 4 + 0.01
    weights = rng.integers(0, 4, n) + 0.5 * (np.arange(n) == 0) if weighted else None
    few = n < 4 or (weighted and np.count_nonzero(weights) < 4)
    if floating_mean and few and normalize not in (False, "power"):
        return  # sinusoids and constants go through all of so few points: quotients of rounding errors
    if normalize == "amplitude" and n < 3:
        return
    options = {"normalize": normalize, "floating_mean": floating_mean}
    compare(lambda: xs.lombscargle(tb.array(t), tb.array(y), tb.array(w), **options,
                                   weights=tb.array(weights) if weighted else None),
            lambda: ss.lombscargle(t, y, w, **options, weights=weights), 1e-6)


@pytest.mark.parametrize("floating_mean", [False, True])
def test_lombscargle_finds_a_sinusoid(floating_mean):
    rng = np.random.default_rng(0)
    t = np.sort(rng.random(200)) * 50
    y = 3 * np.cos(1.5 * t - 0.7) + (5 if floating_mean else 0)
    options = {"weights": tb.array(rng.random(200) + 0.1), "floating_mean": floating_mean}
    amplitude = xs.lombscargle(tb.array(t), tb.array(y), [1.5], normalize="amplitude", **options).get()
    np.testing.assert_allclose(amplitude, 3 * np.exp(0.7j), 1e-9)
    part = xs.lombscargle(tb.array(t), tb.array(y), [1.5, 4.0], normalize=True, **options).get()
    assert part[0] == pytest.approx(1) and part[1] < 0.2


def test_many_frequencies_are_taken_in_parts(monkeypatch):
    from tombacx.scipy.signal import _uneven

    rng = np.random.default_rng(0)
    t, y, w = rng.random(20) * 9, rng.normal(size=20), rng.random(13) + 0.1
    monkeypatch.setattr(_uneven, "_LARGEST", 100)
    compare(lambda: xs.lombscargle(tb.array(t), tb.array(y), tb.array(w)), lambda: ss.lombscargle(t, y, w), 1e-7)
    compare(lambda: xs.vectorstrength(tb.array(t), tb.array(w)), lambda: ss.vectorstrength(t, w))


def test_lombscargle_about_the_mean():
    t, y, w = np.arange(9.0) ** 1.1, np.arange(9.0) % 4 + 5, np.array([0.5, 2.0])
    got = xs.lombscargle(tb.array(t), tb.array(y), tb.array(w), precenter=True)
    close(got, ss.lombscargle(t, y - y.mean(), w), 1e-10)
    assert xs.lombscargle(tb.array(t), tb.array(y), tb.array([0.0])).shape == (1,)
    assert float(xs.lombscargle(tb.array(t), tb.array(y), tb.array([0.0]))[0]) == pytest.approx(y.sum() ** 2 / 18)


@settings(max_examples=50, deadline=None)
@given(n=st.integers(1, 30), periods=st.sampled_from([0.7, np.array([0.7]), np.array([0.2, 3.0, 1.0])]))
def test_vectorstrength(n, periods):
    events = np.random.default_rng(n).random(n) * 9
    compare(lambda: xs.vectorstrength(tb.array(events), device(periods)),
            lambda: tuple(map(np.asarray, ss.vectorstrength(events, periods))))


@settings(max_examples=200, deadline=None)
@given(x=signals("hfdFD", 20), m=st.sampled_from([None, 1, 3, 17, 40]),
       w=st.sampled_from([None, 0.98, np.exp(-0.3j), 0.99 * np.exp(0.2j)]), a=st.sampled_from([1, 0.8 + 0.1j]))
def test_czt(x, m, w, a):
    x, axis = x
    compare(lambda: xs.czt(tb.array(x), m, w, a, axis=axis), lambda: ss.czt(x, m, w, a, axis=axis), 1e-4)
    if x.dtype.char in "dD":
        ours, theirs = xs.CZT(x.shape[axis], m, w, a), ss.CZT(x.shape[axis], m, w, a)
        compare(lambda: ours(tb.array(x), axis=axis), lambda: theirs(x, axis=axis), 1e-9)
        compare(ours.points, lambda: theirs.points().astype(complex))


@settings(max_examples=200, deadline=None)
@given(x=signals("hfdFD", 20), m=st.sampled_from([None, 2, 17, 40]),
       fn=st.sampled_from([0.5, [0.1, 0.7], np.array([0.0, 2.0])]), endpoint=st.booleans())
def test_zoom_fft(x, m, fn, endpoint):
    x, axis = x
    if endpoint and (m or x.shape[axis]) == 1:
        return  # SciPy divides by zero
    compare(lambda: xs.zoom_fft(tb.array(x), device(fn), m, fs=3, endpoint=endpoint, axis=axis),
            lambda: ss.zoom_fft(x, fn, m, fs=3, endpoint=endpoint, axis=axis), 1e-5 if x.dtype.char in "fF" else 1e-9)
    ours, theirs = (f.ZoomFFT(4, fn, m, fs=3, endpoint=endpoint) for f in (xs, ss))
    assert (ours.f1, ours.f2, ours.fs, ours.n, ours.m) == (theirs.f1, theirs.f2, theirs.fs, theirs.n, theirs.m)
    assert ours.w == pytest.approx(theirs.w)
    compare(ours.points, theirs.points)


def test_czt_of_many_points_is_exact():
    x = numbers("d", 3000, 0)
    close(xs.czt(tb.array(x)), np.fft.fft(x), 1e-12)


X = tb.ones(50)
Z = tb.ones((5, 4), complex)
REFUSED = [  # call, exception, what is named
    (lambda: xs.welch(X, nperseg=0), ValueError, "nperseg"),
    (lambda: xs.welch(X, nperseg=8, noverlap=8), ValueError, "noverlap"),
    (lambda: xs.welch(X, nperseg=8, nfft=4), ValueError, "nfft"),
    (lambda: xs.welch(X, nperseg=8, window="x"), ValueError, "window"),
    (lambda: xs.welch(X, nperseg=8, window=tb.ones(4)), ValueError, "nperseg"),
    (lambda: xs.welch(X, scaling="x", nperseg=8), ValueError, "scaling"),
    (lambda: xs.welch(X, detrend="x", nperseg=8), ValueError, "detrend"),
    (lambda: xs.welch(X, average="x", nperseg=8), ValueError, "average"),
    (lambda: xs.welch(X, fs=0, nperseg=8), ValueError, "fs"),
    (lambda: xs.welch(X, axis=1), IndexError, "axis"),
    (lambda: xs.welch(X, window=tb.ones(8, complex)), ValueError, "complex window"),
    (lambda: xs.periodogram(X, nfft=0), ValueError, "nfft"),
    (lambda: xs.periodogram(X, window=tb.ones(4)), ValueError, "window"),
    (lambda: xs.csd(tb.ones((2, 8)), tb.ones((3, 8))), ValueError, "broadcast"),
    (lambda: xs.coherence(tb.ones((2, 8)), tb.ones((3, 8))), ValueError, "broadcast"),
    (lambda: xs.spectrogram(X, mode="x"), ValueError, "mode"),
    (lambda: xs.stft(X, nperseg=8, boundary="x"), ValueError, "boundary"),
    (lambda: xs.stft(X, nperseg=8, scaling="density"), ValueError, "scaling"),
    (lambda: xs.istft(Z[0]), ValueError, "two dimensions"),
    (lambda: xs.istft(Z, time_axis=-2), ValueError, "time_axis"),
    (lambda: xs.istft(Z, nperseg=0), ValueError, "nperseg"),
    (lambda: xs.istft(Z, nfft=4), ValueError, "nfft"),
    (lambda: xs.istft(Z, noverlap=8), ValueError, "noverlap"),
    (lambda: xs.istft(Z, window=tb.ones(3)), ValueError, "window"),
    (lambda: xs.istft(Z, window=tb.ones((2, 4))), ValueError, "window"),
    (lambda: xs.istft(Z, scaling="x"), ValueError, "scaling"),
    (lambda: xs.istft(Z, time_axis=5), IndexError, "axis"),
    (lambda: xs.lombscargle(X, X[:3], X), ValueError, "x and y"),
    (lambda: xs.lombscargle(X, X, X[:0]), ValueError, "freqs"),
    (lambda: xs.lombscargle(X, X, X, normalize="x"), ValueError, "normalize"),
    (lambda: xs.lombscargle(X, X, X, normalize=None), ValueError, "normalize"),
    (lambda: xs.lombscargle(X, X, X, normalize=2), ValueError, "normalize"),
    (lambda: xs.lombscargle(X, X, X, weights=X[:3]), ValueError, "shape of x"),
    (lambda: xs.lombscargle(X, X, X, weights=0 * X), ValueError, "all of them 0"),
    (lambda: xs.lombscargle(X, X, X, weights=tb.where(tb.arange(X.size) == 1, -1.0, 1.0)), ValueError, "negative"),
    (lambda: xs.vectorstrength(tb.ones((2, 2)), 1), ValueError, "events"),
    (lambda: xs.vectorstrength(X, tb.ones((2, 2))), ValueError, "period"),
    (lambda: xs.vectorstrength(X, tb.array([1, -1])), ValueError, "positive"),
    (lambda: xs.czt(X, 0), ValueError, "points"),
    (lambda: xs.czt(X[:0]), ValueError, "samples"),
    (lambda: xs.CZT(2.5), ValueError, "samples"),
    (lambda: xs.CZT(4)(X), ValueError, "50"),
    (lambda: xs.czt_points(2.5), ValueError, "points"),
    (lambda: xs.zoom_fft(X, [1, 2, 3]), ValueError, "fn"),
]


@pytest.mark.parametrize("row", REFUSED, ids=range(len(REFUSED)))
def test_refused(row):
    call, exception, named = row
    with pytest.raises(exception, match=named):
        call()


@pytest.mark.parametrize("name", ["periodogram", "welch", "csd", "coherence", "spectrogram", "stft", "istft", "CZT",
                                  "vectorstrength", "ZoomFFT", "czt", "czt_points", "zoom_fft"])
def test_signatures(name):
    ours, theirs = (list(inspect.signature(getattr(m, name)).parameters) for m in (xs, ss))
    assert ours == theirs


def test_one_sided_spectra_with_a_second_signal_that_is_complex():
    x, y = numbers("d", (16,), 0), numbers("D", (16,), 1)
    for name in ("csd", "coherence"):
        with pytest.raises(ValueError, match="y must be real"):
            getattr(xs, name)(tb.array(x), tb.array(y), nperseg=8)
        with pytest.raises(ValueError, match="broadcast"):
            getattr(xs, name)(tb.ones((2, 16)), tb.ones((3, 16)), nperseg=8)
    for a, b, options in ((x, y, {"return_onesided": False}), (y, x, {}), (y, y[::-1], {})):
        got, want = (f(*pair, nperseg=8, **options) for f, pair in ((xs.csd, (tb.array(a), tb.array(b))),
                                                                    (ss.csd, (a, b))))
        for g, w in zip(got, want, strict=True):
            np.testing.assert_allclose(g.get(), w, 1e-10, 1e-12)
