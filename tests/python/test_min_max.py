"""The least and the greatest of one reading, and what is made of both: spans, ranges of histograms."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import arrays

import tombac as tb


def expect(host, device, axis, keepdims):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            want = [f(host, axis=axis, keepdims=keepdims) for f in (np.min, np.max)]
        except ValueError as error:
            with pytest.raises(ValueError, match="no identity") as e:
                tb._core._min_max(device, axis, keepdims)
            assert ("minimum" in str(error)) == ("minimum" in str(e.value))
            return
    for got, w in zip(tb._core._min_max(device, axis, keepdims), want):
        assert got.dtype == host.dtype and got.shape == w.shape
        np.testing.assert_array_equal(got.get(), w)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_both_extremes(data):
    host, device = data.draw(arrays())
    axis = data.draw(st.sampled_from([None, *range(host.ndim), tuple(range(host.ndim)), ()]))
    if data.draw(st.booleans()) and host.dtype.kind == "f":
        host, device = host * host.dtype.type(0.5), device * host.dtype.type(0.5)  # pending
    expect(host, device, axis, data.draw(st.booleans()))


@pytest.mark.parametrize("code", "?bBhHiIlLefdFD")
@pytest.mark.parametrize("shape, axis", [((100_003,), None), ((300, 401), 0), ((300, 401), 1), ((70_000, 3), 0),
                                         ((3, 70_000), 0), ((17, 33, 65), (0, 2)), ((5, 1500), 0)])
def test_both_extremes_of_many(code, shape, axis):
    rng = np.random.default_rng(7)
    host = rng.integers(0, 256, (*shape, np.dtype(code).itemsize), dtype="B").view(code)[..., 0]
    if code == "?":
        host = rng.random(shape) < 0.999
    if host.dtype.kind in "fc":
        host = np.where(np.isfinite(host) & (abs(host) < 1e4), host, 3).astype(code)
    for sign in (1, -1):
        part = host[..., ::sign]
        expect(part, tb.array(host)[..., ::sign], axis, False)
        if code != "?":
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(tb.array(host)[..., ::sign].ptp(axis=axis).get(), np.ptp(part, axis=axis))


@pytest.mark.parametrize("code", "efd")
@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("at", [0, 1, 63, 5000, 40_000, -1])
def test_what_is_no_number(code, odd, at):
    host = np.arange(50_000).astype(code) % 97
    host[at] = odd
    device = tb.array(host)
    expect(host, device, None, False)
    expect(host.reshape(250, 200), device.reshape(250, 200), 0, True)
    expect(host.reshape(250, 200), device.reshape(250, 200), 1, True)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(device.ptp().get(), np.ptp(host))


@pytest.mark.parametrize("code", "bBhHiIlL")
def test_limits_of_integers_and_spans_that_wrap_around(code):
    info = np.iinfo(code)
    host = np.array([info.min, 0, info.max, info.max - 1], code)
    expect(host, tb.array(host), None, False)
    with np.errstate(all="ignore"):
        assert tb.array(host).ptp().get() == np.ptp(host)


def test_extremes_as_one_array():
    for code in "?bhlLefd":
        host = np.array([3, 1, 0, 2]).astype(code)
        both = tb._core._extremes(tb.array(host)[::-1])
        assert both.dtype == host.dtype
        assert both.tolist() == [host.min(), host.max()]
    assert tb._core._extremes(tb.array(7)).tolist() == [7, 7]
    both = tb._core._extremes(tb.arange(6) * 2)
    both[1] = -1
    assert both.tolist() == [0, -1]


def test_min_max_refuse():
    x = tb.zeros((2, 3))
    with pytest.raises(np.exceptions.AxisError):
        tb._core._min_max(x, 2, False)
    for bad in ((x, 0), ([1], 0, False), (x, "0", False)):
        with pytest.raises(TypeError):
            tb._core._min_max(*bad)
    for bad in ([1, 2], tb.zeros(2, "F")):
        with pytest.raises(TypeError, match="real numbers"):
            tb._core._extremes(bad)
    with pytest.raises(ValueError, match="no identity"):
        tb._core._extremes(tb.zeros(0))
    with pytest.raises(ValueError, match="no identity"):
        tb.zeros((0, 2)).ptp(axis=0)
    with pytest.raises(TypeError):
        tb.ones(3, bool).ptp()
    assert tb.zeros((2, 0)).ptp(axis=0).shape == (0,)


def test_ptp_into_an_array():
    x = tb.array(np.arange(12.0).reshape(3, 4))
    out = tb.zeros(4)
    assert x.ptp(axis=0, out=out) is out
    np.testing.assert_array_equal(out.get(), 8.0)
    row = x[0]
    x.ptp(axis=0, out=row)
    np.testing.assert_array_equal(x[0].get(), 8.0)
    with pytest.raises(TypeError):
        x.ptp(out=tb.zeros((), "l"))


def test_both_extremes_are_one_kernel():
    x = tb.array(np.random.default_rng(1).random((300, 40)))
    made = lambda: x, lambda: x.astype("f"), lambda: x * 2
    for make, axis in ((made[0], None), (made[0], 0), (made[0], 1), (made[1], 0), (made[2], None)):
        for f in (tb.ptp, lambda a, axis: tb._core._min_max(a, axis, False)):
            a = make()
            before = tb.config.counters()
            f(a, axis=axis)
            after = tb.config.counters()
            assert after["launches"] + after.get("lines", 0) <= before["launches"] + before.get("lines", 0) + 1


# ---- histograms of few numbers, of which a GPU has a kernel ----------------------------------------------------------


@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 2**31), n=st.integers(1, 17_000), code=st.sampled_from("fd"), bins=st.integers(1, 1100),
       kind=st.sampled_from(["normal", "whole", "edges", "far", "huge", "tiny", "nan", "inf", "equal"]),
       layout=st.sampled_from(["plain", "backwards", "strided", "matrix", "pending"]))
def test_histograms(seed, n, code, bins, kind, layout):
    rng = np.random.default_rng(seed)
    host = rng.standard_normal(n).astype(code)
    if kind == "whole":
        host = rng.integers(-20, 20, n).astype(code)
    elif kind == "edges":  # elements that are edges, and their neighbours
        low, high = np.sort(rng.standard_normal(2).astype(code))
        edges = np.linspace(low, high, bins + 1, dtype=code)
        edges = np.concatenate([edges, np.nextafter(edges, low), np.nextafter(edges, high)])
        host = np.append(rng.choice(np.clip(edges, low, high), n), [low, high]).astype(code)
    elif kind in ("far", "huge", "tiny"):
        host = host * host.dtype.type({"far": 1, "huge": 1e37, "tiny": 1e-42}[kind])
        host = host + host.dtype.type(1e4 if kind == "far" else 0)
    elif kind in ("nan", "inf"):
        host[n // 2] = np.nan if kind == "nan" else np.inf
    elif kind == "equal":
        host[:] = host[0]
    device = tb.array(host)
    if layout == "backwards":
        host, device = host[::-1], device[::-1]
    elif layout == "strided":
        host, device = host[::2], device[::2]
    elif layout == "matrix" and host.size % 2 == 0:
        host, device = host.reshape(2, -1).T, device.reshape(2, -1).T
    elif layout == "pending":
        host, device = host * 2, device * 2
    with np.errstate(all="ignore"):
        try:
            want = np.histogram(host, bins)
        except ValueError:
            with pytest.raises(ValueError, match="finite"):
                tb.histogram(device, bins)
            return
        got = tb.histogram(device, bins)
    assert got[0].dtype == want[0].dtype and got[1].dtype == want[1].dtype
    np.testing.assert_array_equal(got[1].get(), want[1])
    expected = np.bincount(np.minimum(np.searchsorted(want[1], host.ravel(), "right"), bins) - 1, minlength=bins)
    np.testing.assert_array_equal(got[0].get(), expected)  # NumPy's own counts may differ beside edges


@pytest.mark.skipif(tb.config.backend() == "cpu", reason="the CPU has no kernel for it")
def test_a_small_histogram_is_two_kernels():
    x = tb.array(np.random.default_rng(1).standard_normal(1024).astype("f"))
    tb.histogram(x)
    before = tb.config.counters()
    tb.histogram(x)
    after = tb.config.counters()
    assert after["launches"] == before["launches"] + 2


def test_histogram_refuses():
    for bad in ((tb.zeros(3),), ([1.0], 2), (tb.zeros(3), "2")):
        with pytest.raises(TypeError):
            tb._core._histogram(*bad)
    assert tb._core._histogram(tb.zeros(3), 0) is None
    assert tb._core._histogram(tb.zeros(3), 1 << 40) is None
    with pytest.raises(ValueError, match="positive"):
        tb.histogram(tb.zeros(3), 0)
    with pytest.raises(TypeError):
        tb.histogram("abc", 3)
    counts, edges = tb.histogram(tb.zeros(0, "f"), 3)
    assert counts.tolist() == [0, 0, 0] and edges.tolist() == np.histogram(np.zeros(0, "f"), 3)[1].tolist()
