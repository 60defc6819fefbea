"""convolve and correlate against NumPy: every dtype and mode, integers exactly."""

import numpy as np
import pytest
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import DTYPES, arrays, same, same_outcome

MODES = st.sampled_from(["full", "same", "valid"])
RTOL = {"e": 1e-3, "f": 1e-6, "F": 1e-6}


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_small_numbers_are_exact(data):
    (a, x), (v, y) = data.draw(arrays(max_dims=1, max_side=9)), data.draw(arrays(max_dims=1, max_side=9))
    mode = data.draw(MODES)
    for name in ("convolve", "correlate"):
        same_outcome(lambda: getattr(tb, name)(x, y, mode), lambda: getattr(np, name)(a, v, mode))


@pytest.mark.parametrize("code", DTYPES)
@pytest.mark.parametrize("sizes", [(300, 40), (40, 300), (257, 257), (5000, 3)])
def test_larger(code, sizes):
    rng = np.random.default_rng(1)

    def draw(n):
        a = rng.normal(size=n) * 100
        return (a + 1j * rng.normal(size=n)).astype(code) if code in "FD" else \
            np.abs(a).astype(code) if code in "?BHILefd" else a.astype(code)

    a, v = draw(sizes[0]), draw(sizes[1])
    if code == "e":  # so that no sum is infinite
        a, v = a / np.float16(50), v / np.float16(50)
    for mode in ("full", "same", "valid"):
        for name in ("convolve", "correlate"):
            want = getattr(np, name)(a, v, mode)
            got = getattr(tb, name)(tb.array(a), tb.array(v), mode)
            if code in RTOL or code in "dD":
                assert got.dtype == want.dtype
                scale = np.abs(want).max()
                np.testing.assert_allclose(got.get(), want, RTOL.get(code, 1e-13), scale * RTOL.get(code, 1e-13))
            else:
                same(got, want)


def test_special_values_stay_where_they_are():
    a = np.array([1.0, np.inf, 2.0, np.nan, 3.0, 4.0, 5.0, 6.0])
    v = np.array([1.0, 0.5])
    same(tb.convolve(tb.array(a), tb.array(v)), np.convolve(a, v))
    if tb.config.backend() != "cpu":
        return  # a GPU multiplies zeros beyond the ends
    for v in ([1.0, np.inf, 2.0], [np.nan, 1.0], [0.0, -np.inf]):  # nothing is multiplied that is not there
        for n in (3, 50, 1000):
            for code in "fd":
                a, w = np.arange(1.0, n + 1).astype(code), np.array(v, code)
                for mode in ("full", "same", "valid"):
                    same(tb.convolve(tb.array(a), tb.array(w), mode), np.convolve(a, w, mode))
                    same(tb.correlate(tb.array(w), tb.array(a), mode), np.correlate(w, a, mode))

def test_layouts():
    x = np.arange(400.0).reshape(20, 20)
    y = tb.array(x)
    for key in ((slice(None), 3), (3, slice(None, None, -1)), (slice(None, None, -3), 0)):
        same(tb.convolve(y[key], y[0, ::-2]), np.convolve(x[key], x[0, ::-2]))
        same(tb.correlate(y[0, ::-2], y[key], "full"), np.correlate(x[0, ::-2], x[key], "full"))
    same(tb.convolve(y[0] + 1, y[1] * 2), np.convolve(x[0] + 1, x[1] * 2))


def test_arguments():
    x = tb.arange(5)
    for f in (tb.convolve, tb.correlate):
        for bad in ("no", None, [1]):
            with pytest.raises(ValueError):
                f(x, x, bad)
        with pytest.raises(ValueError):
            f(x.reshape(1, 5), x)
        with pytest.raises(ValueError):
            f(x, x[:0])
        with pytest.raises(TypeError):
            f(np.arange(3), x)
    same(tb.convolve(x, 2), np.convolve(np.arange(5), 2))
    same(np.convolve(x, x), np.convolve(np.arange(5), np.arange(5)))


def test_one_launch_and_no_windows_in_memory():
    x, w = tb.ones(5000), tb.ones(11)
    tb.correlate(x, w).get()
    tb.config.reset_counters()
    tb.correlate(x, w).get()
    assert tb.config.counters()["launches"] == 1
