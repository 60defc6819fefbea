"""tombacx.scipy.signal.ShortTimeFFT against SciPy's."""

import pickle

import numpy as np
import pytest
import scipy.signal as ss
import tombac as tb
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tombacx.scipy.signal as xs

MODES = ["onesided", "onesided2X", "twosided", "centered"]
NUMBERS = [
    "hop", "m_num", "m_num_mid", "T", "fs", "delta_t", "mfft", "fft_mode", "onesided_fft", "phase_shift", "scaling",
    "fac_magnitude", "fac_psd", "invertible", "delta_f", "f_pts", "k_min", "p_min", "lower_border_end",
]


@st.composite
def frames(draw):
    """(SciPy's object, tombac's), with the same window."""
    n = draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    mode = draw(st.sampled_from(MODES))
    window = rng.random(n) + 0.1
    if mode in MODES[2:] and draw(st.booleans()):
        window = window + 1j * rng.random(n)
    options = {
        "hop": draw(st.integers(1, 5)), "fs": draw(st.sampled_from([1.0, 2.5])), "fft_mode": mode,
        "mfft": draw(st.sampled_from([None, n, n + 1, n + 4])), "phase_shift": draw(st.sampled_from([0, None, 1, -1])),
        "scale_to": draw(st.sampled_from(["magnitude", "psd"] if mode == "onesided2X" else [None, "magnitude", "psd"])),
    }
    assume(options["phase_shift"] is None or abs(options["phase_shift"]) < (options["mfft"] or n))
    return ss.ShortTimeFFT(window.copy(), **options), xs.ShortTimeFFT(tb.array(window), **options)


def close(got, want, rtol=1e-12):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_allclose(got.get(), want, rtol, rtol * np.abs(want).max(initial=1.0))


def each_line(transform, x):
    """SciPy's transforms of lines along the last axis; with mfft its own of several lines fail."""
    lines = [transform(line) for line in x.reshape(-1, x.shape[-1])]
    return np.stack(lines).reshape(*x.shape[:-1], *lines[0].shape)


def signals(rng, shape, pair):
    x = rng.standard_normal(shape)
    return x if pair[0].onesided_fft else x + 1j * rng.standard_normal(shape)


@settings(max_examples=200, deadline=None)
@given(frames(), st.sampled_from(["zeros", "edge", "even", "odd"]), st.sampled_from([0, 2, -3]),
       st.sampled_from([None, "constant", "linear"]), st.integers(9, 30), st.integers(0, 999))
def test_transforms(pair, padding, k_offset, detr, n, seed):
    theirs, ours = pair
    x = signals(np.random.default_rng(seed), (2, n), pair)
    options = {"padding": padding, "k_offset": k_offset}
    close(ours.stft(tb.array(x), **options), each_line(lambda line: theirs.stft(line, **options), x))
    want = each_line(lambda line: theirs.stft_detrend(line, detr, **options), x)
    close(ours.stft_detrend(tb.array(x), detr, **options), want, 1e-10)
    close(ours.stft(tb.array(x.T), axis=0, **options), np.moveaxis(ours.stft(tb.array(x), **options).get(), 0, 1))
    p0, p1 = theirs.p_min + 1, theirs.p_max(n)
    if p0 < p1:
        close(ours.stft(tb.array(x[0]), p0, p1, **options), theirs.stft(x[0], p0, p1, **options))
        close(ours.t(n, p0, p1, k_offset), theirs.t(n, p0, p1, k_offset))


@settings(max_examples=200, deadline=None)
@given(frames(), st.data(), st.integers(9, 30), st.integers(0, 999))
def test_signals_are_restored(pair, data, n, seed):
    theirs, ours = pair
    assert ours.invertible == theirs.invertible
    x = signals(np.random.default_rng(seed), (n,), pair)
    S = theirs.stft(x)
    if not theirs.invertible:
        with pytest.raises(ValueError):
            ours.istft(tb.array(S))
        return
    close(ours.istft(tb.array(S), k1=n), x, 1e-9)
    close(ours.istft(tb.array(S)), theirs.istft(S), 1e-9)
    k0, k1 = sorted(data.draw(st.tuples(st.integers(0, n), st.integers(0, n))))
    if k1 - k0 >= theirs.m_num - theirs.m_num_mid:
        close(ours.istft(tb.array(S), k0, k1), x[k0:k1], 1e-9)  # SciPy's fails where a window ends before k0
    close(ours.dual_win, theirs.dual_win)
    two = tb.stack([tb.array(S), 2 * tb.array(S)])
    close(ours.istft(two, k1=n), np.stack([x, 2 * x]), 1e-9)
    for order, axes in (((2, 1, 0), (1, 0)), ((1, 0, 2), (0, 2)), ((0, 2, 1), (2, 1))):
        options = {"k1": n, "f_axis": axes[0], "t_axis": axes[1]}
        close(ours.istft(two.transpose(order), **options), theirs.istft(two.get().transpose(order), **options), 1e-9)


@settings(max_examples=50, deadline=None)
@given(frames(), st.integers(9, 30))
def test_spectrograms(pair, n):
    theirs, ours = pair
    x, y = signals(np.random.default_rng(n), (2, n), pair)
    close(ours.spectrogram(tb.array(x)), theirs.spectrogram(x))
    close(ours.spectrogram(tb.array(x), tb.array(y), "constant"), theirs.spectrogram(x, y, "constant"))


@settings(max_examples=100, deadline=None)
@given(frames(), st.integers(9, 30))
def test_what_is_known_of_slices(pair, n):
    theirs, ours = pair
    for name in NUMBERS:
        if name not in ("fac_magnitude", "fac_psd"):
            assert getattr(ours, name) == getattr(theirs, name), name
        else:
            assert getattr(ours, name) == pytest.approx(getattr(theirs, name))
    close(ours.win, theirs.win)
    close(ours.f, theirs.f)
    close(ours.t(n), theirs.t(n))
    for name in "k_max", "p_max", "p_num", "p_range", "upper_border_begin":
        assert getattr(ours, name)(n) == getattr(theirs, name)(n)
    for left in False, True:
        assert ours.nearest_k_p(n // 2, left) == theirs.nearest_k_p(n // 2, left)
    if ours.fft_mode != "twosided":
        assert ours.extent(n, "ft", True) == theirs.extent(n, "ft", True)


def test_what_is_set():
    ours, theirs = xs.ShortTimeFFT(tb.ones(4), 2, 1.0), ss.ShortTimeFFT(np.ones(4), 2, 1.0)
    x = np.arange(12.0)
    for change in (lambda o: setattr(o, "mfft", 8), lambda o: o.scale_to("psd"), lambda o: setattr(o, "T", 0.5),
                   lambda o: setattr(o, "fft_mode", "onesided2X"), lambda o: o.scale_to("magnitude"),
                   lambda o: setattr(o, "phase_shift", 2), lambda o: setattr(o, "fft_mode", "centered")):
        change(ours), change(theirs)
        close(ours.stft(tb.array(x)), theirs.stft(x))
        close(ours.istft(ours.stft(tb.array(x)), k1=12), x + 0j if "sided" not in ours.fft_mode else x)
        close(ours.win, theirs.win)
    again = pickle.loads(pickle.dumps(ours))
    close(again.stft(tb.array(x)), theirs.stft(x))


def test_other_makers():
    x = np.random.default_rng(0).standard_normal(40)
    window = ss.windows.hann(8, sym=True) + 0.1
    for name, args in (("from_dual", (window, 3, 1.0)), ("from_win_equals_dual", (window, 3, 1.0))):
        if hasattr(ss.ShortTimeFFT, name):
            theirs = getattr(ss.ShortTimeFFT, name)(*args)
            ours = getattr(xs.ShortTimeFFT, name)(tb.array(window), *args[1:])
            assert type(ours) is xs.ShortTimeFFT
            close(ours.stft(tb.array(x)), theirs.stft(x))
            close(ours.istft(ours.stft(tb.array(x)), k1=40), x)
    theirs = ss.ShortTimeFFT.from_window(("gaussian", 2.0), 4.0, 8, 5, symmetric_win=True, scale_to="psd")
    ours = xs.ShortTimeFFT.from_window(("gaussian", 2.0), 4.0, 8, 5, symmetric_win=True, scale_to="psd")
    close(ours.stft(tb.array(x)), theirs.stft(x))
    if hasattr(ss, "closest_STFT_dual_window"):
        want = ss.closest_STFT_dual_window(window, 3, scaled=False)
        got = xs.closest_STFT_dual_window(tb.array(window), 3, scaled=False)
        close(got[0], want[0])
        assert got[1] == want[1]


def test_precision():
    x = tb.array(np.random.default_rng(0).standard_normal(40).astype("f"))
    frames = xs.ShortTimeFFT(tb.ones(8, "f"), 4, 1.0)
    X = frames.stft(x)
    assert X.dtype == "F" and xs.ShortTimeFFT(tb.ones(8), 4, 1.0).stft(x).dtype == "D"
    np.testing.assert_allclose(frames.istft(X, k1=40).get(), x.get(), 1e-5, 1e-5)
    assert frames.stft(tb.arange(40)).dtype == "D"


def test_functions_of_slices():
    x = np.random.default_rng(0).standard_normal((2, 30))
    theirs, ours = ss.ShortTimeFFT(np.ones(6), 2, 1.0), xs.ShortTimeFFT(tb.ones(6), 2, 1.0)
    want = theirs.stft_detrend(x, lambda part: part - part.max(-1, keepdims=True))
    close(ours.stft_detrend(tb.array(x), lambda parts: parts - parts.max(-1, keepdims=True)), want)


F = xs.ShortTimeFFT(tb.ones(6), 2, 1.0)
X = tb.ones(20)
S = F.stft(X)
REFUSED = {
    "window": (lambda: xs.ShortTimeFFT(tb.ones((2, 2)), 2, 1.0), ValueError, "1d"),
    "hop": (lambda: xs.ShortTimeFFT(tb.ones(4), 0, 1.0), ValueError, "hop"),
    "fs": (lambda: xs.ShortTimeFFT(tb.ones(4), 1, -1.0), ValueError, "."),
    "mode": (lambda: xs.ShortTimeFFT(tb.ones(4), 1, 1.0, fft_mode="x"), ValueError, "fft_mode"),
    "dual": (lambda: xs.ShortTimeFFT(tb.ones(4), 1, 1.0, dual_win=tb.ones(3)), ValueError, "dual_win"),
    "short": (lambda: F.stft(tb.ones(2)), ValueError, "half as many"),
    "complex": (lambda: F.stft(X * 1j), ValueError, "complex"),
    "padding": (lambda: F.stft(X, padding="x"), ValueError, "padding"),
    "slices": (lambda: F.stft(X, 3, 3), ValueError, "p0"),
    "far": (lambda: F.stft(X, k_offset=100), ValueError, "k_offset"),
    "detr": (lambda: F.stft_detrend(X, 1), ValueError, "detr"),
    "detr name": (lambda: F.stft_detrend(X, "x"), ValueError, "."),
    "axis": (lambda: F.stft(X, axis=1), IndexError, "axis"),
    "axes": (lambda: F.istft(S, f_axis=1, t_axis=1), ValueError, "f_axis"),
    "frequencies": (lambda: F.istft(S[:2]), ValueError, "frequencies"),
    "few slices": (lambda: F.istft(S[:, :1]), ValueError, "slices"),
    "samples": (lambda: F.istft(S, 5, 200), ValueError, "k1"),
    "few samples": (lambda: F.istft(S, 5, 6), ValueError, "half as many"),
    "scaling": (lambda: F.scale_to("x"), ValueError, "scaling"),
}


@pytest.mark.parametrize("call, kind, says", REFUSED.values(), ids=REFUSED)
def test_refusals(call, kind, says):
    with pytest.raises(kind, match=says):
        call()
