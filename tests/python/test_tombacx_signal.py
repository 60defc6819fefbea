"""tombacx.signal against SciPy's filters and against the sums that the functions stand for."""

import math

import numpy as np
import pytest
import scipy.signal as ss
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st

import tombacx.signal as xg


def numbers(code, shape, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=shape) * 4
    return (a + 1j * rng.normal(size=shape) if code in "FD" else a).astype(code)


def close(got, want, rtol=1e-10):
    want = np.asarray(want)
    assert type(got) is tb.ndarray
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    rtol = 1e-4 if want.dtype.char in "fF" else rtol
    np.testing.assert_allclose(got.get(), want, rtol, np.abs(want).max(initial=1e-3) * rtol)


@st.composite
def signals(draw, codes="lfdFD", sides=(1, 20)):
    """(a signal, the axis of time)."""
    shape = draw(st.lists(st.integers(*sides), min_size=1, max_size=3))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    x = numbers(draw(st.sampled_from(codes)), shape, draw(st.integers(0, 1000)))
    return x[..., ::-1] if draw(st.booleans()) else x, axis


@settings(max_examples=200, deadline=None)
@given(x=signals(), taps=st.integers(1, 8), code=st.sampled_from("dD"))
def test_firfilter(x, taps, code):
    x, axis = x
    b = numbers(code, taps, taps)
    close(xg.firfilter(tb.array(b), tb.array(x), axis), ss.lfilter(b, 1.0, x, axis))
    shape = list(x.shape)
    shape[axis] = taps - 1
    zi = numbers("d", shape, 1)
    got, want = xg.firfilter(tb.array(b), tb.array(x), axis, tb.array(zi)), ss.lfilter(b, [1.0], x, axis, zi)
    close(got[0], want[0])
    close(got[1], want[1])


def test_firfilter_in_parts():
    b, x = numbers("d", 5), numbers("d", 40, 1)
    state = tb.zeros(4)
    parts = []
    for i in range(0, 40, 8):
        y, state = xg.firfilter(tb.array(b), tb.array(x[i:i + 8]), zi=state)
        parts.append(y)
    close(tb.concatenate(parts), ss.lfilter(b, 1.0, x))


@settings(max_examples=200, deadline=None)
@given(x=signals(), taps=st.integers(2, 8), padtype=st.sampled_from(["odd", "even", "constant", None]),
       padlen=st.sampled_from([None, 0, 2, 5]))
def test_firfilter2(x, taps, padtype, padlen):
    x, axis = x
    b = numbers("d", taps, taps)
    close(xg.firfilter_zi(tb.array(b)), ss.lfilter_zi(b, [1.0]))
    try:
        want = ss.filtfilt(b, [1.0], x, axis, padtype, padlen)
    except ValueError:
        with pytest.raises(ValueError, match="padlen"):
            xg.firfilter2(tb.array(b), tb.array(x), axis, padtype, padlen)
        return
    close(xg.firfilter2(tb.array(b), tb.array(x), axis, padtype, padlen), want.astype(np.result_type(x, b)), 1e-9)


@settings(max_examples=30, deadline=None)
@given(n=st.integers(12, 40), taps=st.integers(2, 4), axis=st.integers(0, 1), irlen=st.sampled_from([None, 6]),
       code=st.sampled_from("ld"))
def test_firfilter2_by_gustafsson(n, taps, axis, irlen, code):
    x = numbers(code, 2 * n, n).reshape((n, 2) if axis == 0 else (2, n))
    b = numbers("d", taps, taps)
    want = ss.filtfilt(b, [1.0], x, axis, method="gust", irlen=irlen)
    got = xg.firfilter2(tb.array(b), tb.array(x), axis, method="gust", irlen=irlen)
    close(got, want, 1e-9)
    backwards = xg.firfilter2(tb.array(b), tb.flip(tb.array(x), axis), axis, method="gust", irlen=irlen)
    close(tb.flip(backwards, axis), want, 1e-7)  # the states are those with which the order does not matter


@settings(max_examples=60, deadline=None)
@given(channels=st.integers(1, 6), n=st.integers(0, 50), more=st.integers(0, 25),
       codes=st.sampled_from(["dd", "DD", "fd"]))
def test_channelize_poly(channels, n, more, codes):
    x, h = numbers(codes[0], n, 1), numbers(codes[1], channels + more, 2)
    used = h.size // channels * channels
    want = np.zeros((channels, n // channels), complex)
    for c, i, j in np.ndindex(channels, n // channels, used):
        k = (i + 1) * channels - 1 - j
        if k >= 0:
            want[c, i] += np.conj(h[j]) * x[k] * np.exp(2j * np.pi * c * j / channels)
    close(xg.channelize_poly(tb.array(x), tb.array(h), channels), want)


def test_channelize_poly_takes_many_taps_and_single_precision():
    x, h = numbers("f", 64), numbers("f", 200)
    got = xg.channelize_poly(tb.array(x), tb.array(h), 2)
    assert got.dtype == np.complex64
    close(got[0], np.convolve(x, h)[1:64:2].astype("F"))


def test_freq_shift():
    for x in (numbers("d", 50), numbers("F", 50)):
        close(xg.freq_shift(tb.array(x), 3.0, 20.0), x * np.exp(-2j * np.pi * 3 / 20 * np.arange(50)))


@settings(max_examples=60, deadline=None)
@given(w=st.integers(1, 5), h=st.integers(1, 5), d=st.integers(1, 5), n=st.integers(1, 12),
       code=st.sampled_from("lfdD"), mode=st.sampled_from(["valid", "same", "full"]))
def test_convolutions_of_higher_order(w, h, d, n, code, mode):
    a = numbers(code, n, 1)
    for name, kernel in (("convolve1d2o", numbers(code, (w, h), 2)), ("convolve1d3o", numbers(code, (w, h, d), 3))):
        longest = max(kernel.shape)
        if mode == "valid" and n < longest:
            with pytest.raises(ValueError, match="filter"):
                getattr(xg, name)(tb.array(a), tb.array(kernel), mode)
            continue
        filled = np.pad(a, 0 if mode == "valid" else longest - 1)
        first = (longest - 1) // 2 if mode == "same" else 0
        count = n if mode == "same" else filled.size - longest + 1
        want = np.zeros(count, a.dtype)
        for i in range(count):
            for place in np.ndindex(*kernel.shape):
                samples = [filled[first + i + k - 1 - j] for j, k in zip(place, kernel.shape)]
                want[i] += kernel[place] * np.prod(samples)
        close(getattr(xg, name)(tb.array(a), tb.array(kernel), mode), want)


def test_long_signals_are_convolved_in_parts(monkeypatch):
    from tombacx.signal import _higher_order

    a, k2, k3 = numbers("d", 100), numbers("d", (4, 3), 1), numbers("d", (4, 3, 2), 2)
    whole = [xg.convolve1d2o(tb.array(a), tb.array(k2)).get(), xg.convolve1d3o(tb.array(a), tb.array(k3)).get()]
    monkeypatch.setattr(_higher_order, "_LARGEST", 40)
    close(xg.convolve1d2o(tb.array(a), tb.array(k2)), whole[0])
    close(xg.convolve1d3o(tb.array(a), tb.array(k3)), whole[1])


@pytest.mark.parametrize("n", [None, 16, 15, 40])
@pytest.mark.parametrize("code", "df")
def test_cepstra(n, code):
    x = abs(numbers(code, (3, 20)))
    points = n or 20
    spectrum = np.fft.fft(x.astype("d"), points)
    close(xg.real_cepstrum(tb.array(x), n), np.fft.ifft(np.log(abs(spectrum))).real.astype(code), 1e-9)
    close(xg.real_cepstrum(tb.array(x.T), n, 0), np.fft.ifft(np.log(abs(spectrum))).real.astype(code).T, 1e-9)
    ceps, ndelay = xg.complex_cepstrum(tb.array(x), n)
    middle = (points + 1) // 2
    phase = np.unwrap(np.angle(spectrum))
    delay = np.round(phase[:, middle] / np.pi)
    phase -= delay[:, None] * np.pi * np.arange(points) / middle
    close(ndelay, delay.astype(code))
    close(ceps, np.fft.ifft(np.log(abs(spectrum)) + 1j * phase).real.astype(code), 1e-9)
    assert [a.shape for a in xg.complex_cepstrum(tb.array(x.T), n, 0)] == [(points, 3), (3,)]
    if points % 2 == 0:
        want = np.zeros((3, points), code)
        want[:, :20] = x[:, :points]
        close(xg.inverse_complex_cepstrum(ceps, ndelay), want, 1e-9)


@pytest.mark.parametrize("n", [None, 64, 63])
def test_minimum_phase(n):
    zeros = np.array([0.5, -0.3, 0.2 + 0.4j, 0.2 - 0.4j])
    want = np.poly(zeros)  # all within the unit circle: of minimum phase itself
    x = np.zeros(64)
    x[:5] = want[::-1]  # the same magnitudes, all zeros outside
    got = xg.minimum_phase(tb.array(x), n)
    assert got.shape == (n or 64,)
    np.testing.assert_allclose(got[:5].get(), want, 0, 1e-8)
    np.testing.assert_allclose(got[5:].get(), 0, 0, 1e-8)


@pytest.mark.parametrize("window", [None, "hamming", ("kaiser", 3.0), np.linspace(1, 2, 6), lambda f: 1 + f])
@pytest.mark.parametrize("nfft", [None, 24])
def test_pulses(window, nfft):
    x, template = numbers("D", (6, 20)), numbers("D", 6, 1)
    weights = 1 if window is None else window(np.fft.fftfreq(6)) if callable(window) else window \
        if isinstance(window, np.ndarray) else ss.get_window(window, 6, False)
    ours = tb.array(window) if isinstance(window, np.ndarray) else window
    points = nfft or 20
    for normalize in (False, True):
        pulse = template * weights
        pulse = pulse / np.linalg.norm(pulse) if normalize else pulse
        want = np.fft.ifft(np.fft.fft(x, points) * np.fft.fft(pulse, points).conj())
        close(xg.pulse_compression(tb.array(x), tb.array(template), normalize, ours, nfft), want)
    close(xg.pulse_doppler(tb.array(x), ours, nfft), np.fft.fft(x * np.reshape(weights, (-1, 1)), nfft, 0))


@settings(max_examples=100, deadline=None)
@given(data=st.data(), ndim=st.integers(1, 2), code=st.sampled_from("fdl"))
def test_ca_cfar(data, ndim, code):
    few = st.lists(st.integers(0, 2), min_size=ndim, max_size=ndim)
    guards, references = data.draw(few), data.draw(few.filter(any))
    outer = [g + r for g, r in zip(guards, references)]
    shape = [2 * o + data.draw(st.integers(1, 6)) for o in outer]
    x = abs(numbers(code, shape, 1))
    cells = math.prod(2 * o + 1 for o in outer) - math.prod(2 * g + 1 for g in guards)
    want = np.zeros(shape, np.result_type(code, "f"))
    for place in np.ndindex(*shape):
        if all(o <= i < n - o for i, o, n in zip(place, outer, shape)):
            around, guarded = (x[tuple(slice(i - r, i + r + 1) for i, r in zip(place, radii))].astype("d").sum()
                               for radii in (outer, guards))
            want[place] = (around - guarded) * (0.01 ** (-1 / cells) - 1)
    pair = (guards, references) if ndim > 1 else (guards[0], references[0])
    threshold, found = xg.ca_cfar(tb.array(x), *pair, pfa=0.01)
    close(threshold, want)
    np.testing.assert_array_equal(found.get(), x > threshold.get())
    assert xg.cfar_alpha(0.01, cells) == pytest.approx(cells * (0.01 ** (-1 / cells) - 1))


def test_ca_cfar_beside_a_strong_echo():
    x = np.ones(15, "f")
    x[7] = 1e12
    threshold, found = xg.ca_cfar(tb.array(x), 1, 2)
    assert threshold[7] == threshold[8] == tb.float32(4 * (0.001 ** -0.25 - 1) * 1)
    assert found.get()[3:-3].tolist() == [False] * 4 + [True] + [False] * 4


@pytest.mark.parametrize("code", "dD")
def test_mvdr(code):
    x, sv = numbers(code, (3, 30)), numbers("D", (3, 4), 1)
    R = np.cov(x)
    want = np.linalg.solve(R, sv)
    want = want / (sv.conj() * want).sum(0)
    close(xg.mvdr(tb.array(x), tb.array(sv)), want)
    close(xg.mvdr(tb.array(R), tb.array(sv[:, 1]), calc_cov=False), want[:, 1])


def test_host_arrays_and_sequences():
    close(xg.firfilter(np.array([1.0, 1.0]), [1.0, 2.0]), [1.0, 3.0])
    close(xg.real_cepstrum([1.0, 0.5]), np.fft.ifft(np.log(abs(np.fft.fft([1.0, 0.5])))).real)


ONE, TWO = tb.ones(6), tb.ones((2, 6))
REFUSED = [  # call, exception, what is named
    (lambda: xg.firfilter(TWO, ONE), ValueError, "b must"),
    (lambda: xg.firfilter([], ONE), ValueError, "b must"),
    (lambda: xg.firfilter(ONE, ONE, 1), IndexError, "axis"),
    (lambda: xg.firfilter(ONE, TWO, zi=tb.ones((2, 4))), ValueError, "zi"),
    (lambda: xg.firfilter_zi(TWO), ValueError, "b must"),
    (lambda: xg.firfilter2(ONE, ONE), ValueError, "padlen"),
    (lambda: xg.firfilter2(ONE, ONE, padlen=-1), ValueError, "padlen"),
    (lambda: xg.firfilter2(ONE, ONE, padtype="x"), ValueError, "padtype"),
    (lambda: xg.firfilter2(ONE, ONE, method="x"), ValueError, "method"),
    (lambda: xg.channelize_poly(TWO, ONE, 2), ValueError, "one dimension"),
    (lambda: xg.channelize_poly(ONE, ONE, 7), ValueError, "7 channels"),
    (lambda: xg.channelize_poly(ONE, ONE, 0), ValueError, "0 channels"),
    (lambda: xg.convolve1d2o(TWO, TWO), ValueError, "one dimension"),
    (lambda: xg.convolve1d3o(ONE, TWO), ValueError, "in2 3"),
    (lambda: xg.convolve1d2o(ONE, TWO, "x"), ValueError, "mode"),
    (lambda: xg.convolve1d2o(ONE, TWO, "full", "fft"), ValueError, "method"),
    (lambda: xg.convolve1d2o(ONE, TWO[:0]), ValueError, "filter"),
    (lambda: xg.pulse_compression(ONE, ONE), ValueError, "two dimensions"),
    (lambda: xg.pulse_compression(TWO, TWO), ValueError, "template"),
    (lambda: xg.pulse_compression(TWO, ONE, window=tb.ones(3)), ValueError, "window"),
    (lambda: xg.pulse_doppler(ONE), ValueError, "two dimensions"),
    (lambda: xg.pulse_doppler(TWO, "x"), ValueError, "window"),
    (lambda: xg.ca_cfar(tb.ones((2, 2, 2)), 1, 1), TypeError, "dimension"),
    (lambda: xg.ca_cfar(ONE, 1, 2), ValueError, "too small"),
    (lambda: xg.ca_cfar(ONE, 1, 0), ValueError, "reference"),
    (lambda: xg.ca_cfar(ONE, (1, 1), 1), ValueError, "guard_cells"),
    (lambda: xg.mvdr(ONE, ONE), ValueError, "two dimensions"),
    (lambda: xg.mvdr(tb.ones((6, 2)), ONE), ValueError, "sensors"),
    (lambda: xg.mvdr(TWO, ONE), ValueError, "6"),
    (lambda: xg.cfar_alpha(0.1, 0), ZeroDivisionError, "zero"),
]


@pytest.mark.parametrize("row", REFUSED, ids=range(len(REFUSED)))
def test_refused(row):
    call, exception, named = row
    with pytest.raises(exception, match=named):
        call()
