"""tombacx.scipy.signal.windows against SciPy's."""

import warnings

import numpy as np
import pytest
import scipy.signal.windows as sw
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.signal.windows as xw
from tombacx.scipy import signal

PLAIN = [
    "barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "cosine", "exponential", "flattop",
    "hamming", "hann", "nuttall", "parzen", "taylor", "triang", "tukey",
]
WITH = {
    "chebwin": st.tuples(st.floats(1, 150)),
    "exponential": st.tuples(st.none(), st.floats(0.1, 50)),
    "gaussian": st.tuples(st.floats(0.1, 100)),
    "general_cosine": st.tuples(st.lists(st.floats(-2, 2), min_size=1, max_size=6)),
    "general_gaussian": st.tuples(st.floats(0.1, 3), st.floats(0.5, 50)),
    "general_hamming": st.tuples(st.floats(-1, 2)),
    "kaiser": st.tuples(st.floats(0, 100)),
    "taylor": st.tuples(st.integers(2, 20), st.floats(20, 60), st.booleans()),
    "tukey": st.tuples(st.floats(-0.5, 0) | st.floats(0.001, 1.5)),  # SciPy loses the last point where it is tiny
}


def check(got, want, atol=1e-13):
    assert type(got) is tb.ndarray and got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(got.get(), want, 1e-9, atol)


def quietly(f, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return f(*args, **kwargs)


@pytest.mark.parametrize("sym", [True, False])
@pytest.mark.parametrize("M", [0, 1, 2, 3, 4, 10, 51, 1000, np.int8(7), 6.0])
@pytest.mark.parametrize("name", PLAIN)
def test_plain(name, M, sym):
    check(getattr(xw, name)(M, sym=sym), getattr(sw, name)(int(M), sym=sym))


@pytest.mark.parametrize("sym", [True, False])
@pytest.mark.parametrize("M", [0, 1, 2, 3, 4, 10, 51])
def test_lanczos(M, sym):
    check(xw.lanczos(M, sym), sw.lanczos(M, sym=sym))


@pytest.mark.parametrize("name", WITH)
def test_with_parameters(name):
    @given(st.integers(0, 120), st.booleans(), WITH[name])
    def run(M, sym, parameters):
        want = quietly(getattr(sw, name), M, *map(np.asarray, parameters) if name == "general_cosine" else parameters,
                       sym=sym)
        # Of Chebyshev's spectrum what is far below its peak is rounding errors' in both.
        check(quietly(getattr(xw, name), M, *parameters, sym=sym), want, 1e-8 if name == "chebwin" else 1e-11)

    run()


@given(st.integers(-1, 40), st.floats(0, 30))
def test_kaiser_bessel_derived(M, beta):
    if M % 2 and M > 0:
        with pytest.raises(ValueError):
            xw.kaiser_bessel_derived(M, beta)
    else:
        check(xw.kaiser_bessel_derived(M, beta), sw.kaiser_bessel_derived(M, beta))
    with pytest.raises(ValueError):
        xw.kaiser_bessel_derived(4, beta, sym=False)


def test_exponential_around_a_point():
    for center in 0, 2.5, 20:
        check(xw.exponential(10, center, 3, False), sw.exponential(10, center, 3, False))
    with pytest.raises(ValueError):
        xw.exponential(10, 3)


def test_weights_on_the_device():
    weights = np.array([0.4, 0.5, 0.1])
    check(xw.general_cosine(20, tb.array(weights)), sw.general_cosine(20, weights))


def test_symmetry_is_exact():
    for name in PLAIN:
        for M in 20, 21:
            w = getattr(xw, name)(M).get()
            np.testing.assert_array_equal(w, w[::-1], name)


@pytest.mark.parametrize("name", PLAIN)
def test_refusals(name):
    for M in (-1, 2.5):
        with pytest.raises(ValueError):
            getattr(xw, name)(M)


@pytest.mark.parametrize("M", [2, 3, 255, 4096, 50001])
@pytest.mark.parametrize("sym", [True, False])
def test_chebwin_is_one_transform(M, sym):
    tb.config.reset_counters()
    got = xw.chebwin(M, 70, sym)
    np.testing.assert_allclose(got.get(), sw.chebwin(M, 70, sym), 0, 1e-7)  # the spectrum is ill-conditioned
    assert tb.config.counters()["bytes_allocated"] < 100 * (M + 1000)


def test_chebwin_warns():
    with pytest.warns(UserWarning):
        xw.chebwin(10, 30)


NAMES = [
    "bth", "brt", "blk", "bkh", "bman", "rect", ("cheb", 80), "halfcosine", "poisson", ("poisson", None, 2.0), "flt",
    ("gss", 3.0), ("general cosine", [0.3, 0.7]), ("ggs", 1.2, 4), ("general hamming", 0.6), "ham", "hann",
    ("ksr", 4.0), "sinc", "nut", "par", "taylorwin", ("taylor", 5, 40), "tri", "tukey", ("tuk", 0.3), 5.5,
    "hann_symmetric", "hann_periodic", ("kaiser_symmetric", 3.0),
]


@pytest.mark.parametrize("fftbins", [True, False])
@pytest.mark.parametrize("window", NAMES, ids=map(str, NAMES))
def test_get_window(window, fftbins):
    assert signal.get_window is xw.get_window
    plain = window
    if isinstance(window, tuple) and isinstance(window[1], list):
        plain = (window[0], np.array(window[1]))
    check(xw.get_window(window, 16, fftbins), sw.get_window(plain, 16, fftbins), 1e-8)


def test_get_window_of_half_a_kaiser():
    check(xw.get_window(("kbd", 3.0), 16, False), sw.get_window(("kbd", 3.0), 16, False))


@pytest.mark.parametrize("args", [
    ("no such window", 4), (("hann", 1.0), 4), ("kaiser", 4), ("hann", 0), ("hann", 2.5), ((1, 2), 4), ([], 4),
    ("hann", 4, 1),
], ids=str)
def test_refusals_of_get_window(args):
    with pytest.raises(ValueError):
        sw.get_window(*args)
    with pytest.raises(ValueError):
        xw.get_window(*args)


def test_one_kernel():
    for make in (lambda: xw.hann(5000), lambda: xw.flattop(5000), lambda: xw.taylor(5000), lambda: xw.parzen(5000)):
        make().get()
        with tb.config.fusion("all"):
            tb.config.reset_counters()
            make().get()
            assert tb.config.counters()["launches"] == 1


@pytest.mark.parametrize("arguments", [{}, {"Kmax": 3}, {"Kmax": 2, "norm": "approximate"}, {"norm": "subsample"},
                                       {"sym": False}, {"return_ratios": True}, {"Kmax": 3, "return_ratios": True}])
@pytest.mark.parametrize("M", [8, 51])
def test_dpss(M, arguments):
    got, want = xw.dpss(M, 2.5, **arguments), sw.dpss(M, 2.5, **arguments)
    assert type(got) is type(want) or not isinstance(want, tuple)
    for g, w in zip(*((x if isinstance(x, tuple) else (x,)) for x in (got, want)), strict=True):
        check(g, np.asarray(w))


def test_dpss_by_its_name():
    check(signal.get_window(("dpss", 2.5), 12), sw.get_window(("dpss", 2.5), 12))
    with pytest.raises(ValueError):
        signal.get_window("dpss", 12)
    with pytest.raises(ValueError):
        xw.dpss(8, 5)
