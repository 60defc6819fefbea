"""bartlett, blackman, hamming, hanning and kaiser against NumPy."""

import numpy as np
import pytest
import tombac as tb

NAMES = ["bartlett", "blackman", "hamming", "hanning"]


def check(got, want):
    assert type(got) is tb.ndarray and got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(got.get(), want, 1e-12, 1e-15)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("M", [-3, 0, 1, 2, 3, 10, 11, 1000, 5.5, 0.5, np.int8(7), np.float32(4), True])
def test_windows(name, M):
    check(getattr(tb, name)(M), getattr(np, name)(M))


@pytest.mark.parametrize("M", [-1, 0, 1, 2, 3, 10, 257, np.int16(12)])
@pytest.mark.parametrize("beta", [0, 1, 5.0, 14, 100.0, np.float32(8.6)])
def test_kaiser(M, beta):
    check(tb.kaiser(M, beta), np.kaiser(M, float(beta)))


def test_arguments_on_the_device():
    check(tb.hanning(tb.array(5)), np.hanning(5))
    check(tb.kaiser(tb.array(5), tb.array(2.0)), np.kaiser(5, 2.0))


@pytest.mark.parametrize("name", NAMES)
def test_refusals(name):
    for M in (1j, np.ones(2), "a", None):
        with pytest.raises(TypeError):
            getattr(tb, name)(M)


def test_one_kernel():
    tb.hamming(64).get()
    for name in NAMES:
        with tb.config.fusion("all"):
            tb.config.reset_counters()
            getattr(tb, name)(5000).get()
            assert tb.config.counters()["launches"] == 1
