"""Counts, histograms and linear interpolation against NumPy: bins, ranges, weights, densities, errors."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import FLOATS, INTS, same, values
from test_reductions import close
from test_sorting import with_nan

import tombac as tb

REAL = INTS + FLOATS
RULES = ["auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges"]


def all_close(got, want):
    for g, w in zip(got, want, strict=True):
        close(g, w, 10.0)


# ---- bincount --------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 20), max_size=30), st.sampled_from(["?"] + INTS), st.integers(0, 30),
       st.sampled_from([None, "?", "b", "L", "e", "f", "d"]))
@settings(max_examples=200, deadline=None)
def test_bincount(x, code, minlength, weight):
    host = np.array(x, code)
    weights = None if weight is None else values(np.dtype(weight), host.shape, 1)
    safe = host.astype(np.int64)  # NumPy's casts of uint64 are others from version to version
    want = np.bincount(safe, weights, minlength)
    want = want if weights is None else want.astype("d")  # of NumPy's sums of nothing the dtype is int64
    same(tb.bincount(tb.array(host), None if weights is None else tb.array(weights), minlength), want)


@pytest.mark.parametrize("n", [5000, 20_000, 200_000])
@pytest.mark.parametrize("code", "HiIlL")
def test_bincount_of_numbers_that_are_far_apart(n, code):
    rng = np.random.default_rng(n)
    for most in (60_000, min(n + 60_000, int(np.iinfo(code).max))):
        host, weights = rng.integers(0, most, n).astype(code), rng.random(n)
        same(tb.bincount(tb.array(host)), np.bincount(host.astype("l")))
        want = np.bincount(host.astype("l"), weights, most + 5)
        got = tb.bincount(tb.array(host), tb.array(weights), most + 5)
        np.testing.assert_allclose(got.get(), want, 1e-13)  # a GPU adds in any order
        if code != "H":
            host[n // 2] = 3_000_000
            same(tb.bincount(tb.array(host)), np.bincount(host.astype("l")))
        if code in "il":
            host[n // 2] = -1
            with pytest.raises(ValueError, match="negative"):
                tb.bincount(tb.array(host))


@pytest.mark.parametrize("n", [10, 1000, 100000])
def test_bincount_of_many(n):
    host = np.random.default_rng(1).integers(0, n, 200001)
    weights = np.arange(200001) % 64
    same(tb.bincount(tb.array(host)), np.bincount(host))
    same(tb.bincount(tb.array(host)[::3], tb.array(weights)[::3]), np.bincount(host[::3], weights[::3]))
    host[-1] = 10**6  # many places that nobody expected
    same(tb.bincount(tb.array(host)), np.bincount(host))


@pytest.mark.parametrize("code", INTS)
def test_numbers_are_counted_whatever_their_order(code):
    n = 300000
    for host in (np.zeros(n), np.arange(n) % 120, np.sort(np.arange(n) % 120), (np.arange(n) > n - 2) * 120):
        host = host.astype(code)
        same(tb.bincount(tb.array(host)), np.bincount(host.astype("l")))
        weights = np.sqrt(np.arange(n))
        order = 0 if tb.config.backend() == "cpu" else 1e-12  # of sums, which a GPU makes in any
        same(tb.bincount(tb.array(host), tb.array(weights)), np.bincount(host.astype("l"), weights), order)


@pytest.mark.parametrize("code", INTS)
def test_places_are_added_to(code):
    """add.at with few places and many values: sums wrap around, and what was there counts."""
    n, places = 300001, np.arange(300001) * 7 % 50
    host = np.arange(50).astype(code)
    device, added = tb.array(host), values(np.dtype(code), (n,), 3)
    np.add.at(host, places, added)
    tb.add.at(device, tb.array(places), tb.array(added))
    same(device, host)
    np.subtract.at(host, places, added[0])
    tb.subtract.at(device, tb.array(places), added[0])
    same(device, host)
    grid, there = np.zeros((7, 10), code), tb.zeros((7, 10), code)
    np.add.at(grid, (places % 7, slice(2, 5)), 1)
    tb.add.at(there, (tb.array(places % 7), slice(2, 5)), 1)
    same(there, grid)


@pytest.mark.parametrize("code", "bhil")
@pytest.mark.parametrize("n", [1, 100, 50000])
def test_bincount_refuses_negative_numbers(code, n):
    host = np.ones(n, code)
    host[n // 2] = -3
    with pytest.raises(ValueError, match="-3"):
        tb.bincount(tb.array(host))


@pytest.mark.parametrize("n", [8191, 8192, 8193])
@pytest.mark.parametrize("minlength", [0, 8000, 20000])
def test_bincount_at_the_end_of_its_table(n, minlength):
    host = np.random.default_rng(n).integers(0, n, 50000)
    host[7] = n - 1
    same(tb.bincount(tb.array(host), minlength=minlength), np.bincount(host, minlength=minlength))


def test_bincount_checks_its_arguments():
    x = tb.arange(3)
    for a in (x - 1, x.reshape(1, 3), tb.array(1)):
        with pytest.raises(ValueError):
            tb.bincount(a)
    with pytest.raises(ValueError, match="minlength"):
        tb.bincount(x, minlength=-1)
    with pytest.raises(ValueError, match="weights"):
        tb.bincount(x, x[:2])
    for args in ((x * 1.0,), (x, x * 1j), ([1, 2],)):
        with pytest.raises(TypeError):
            tb.bincount(*args)


# ---- histogram -------------------------------------------------------------------------------------------------------


@st.composite
def bins(draw):
    if draw(st.booleans()):
        return draw(st.integers(1, 20))
    edges = np.sort(np.array(draw(st.lists(st.integers(-9, 9), min_size=1, max_size=8)),
                             draw(st.sampled_from(["l", "d", "f"]))))
    return edges


def on_device(x):
    return tb.array(x) if isinstance(x, np.ndarray) else x


@given(with_nan(max_dims=2, max_side=12, codes=REAL), bins(), st.sampled_from([None, (-3, 5), (0.0, 2.5), (1, 1)]),
       st.booleans(), st.sampled_from([None, "b", "l", "f", "d", "D"]))
@settings(max_examples=400, deadline=None)
def test_histogram(pair, bins, range, density, weight):
    host, device = pair
    weights = None if weight is None else values(np.dtype(weight), host.shape, 1)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            want = np.histogram(host, bins, range, density, weights)
        except ValueError:
            with pytest.raises(ValueError):
                tb.histogram(device, on_device(bins), range, density, on_device(weights))
            return
    if weight == "b":
        return  # NumPy's sums overflow by the way it counts
    all_close(tb.histogram(device, on_device(bins), range, density, on_device(weights)), want)
    if isinstance(bins, np.ndarray):
        all_close(tb.histogram(device, bins.tolist(), range), np.histogram(host, bins.tolist(), range))
    all_close((tb.histogram_bin_edges(device, on_device(bins), range),), (np.histogram_bin_edges(host, bins, range),))


@pytest.mark.parametrize("code", ["b", "i", "L", "e", "f", "d"])
@pytest.mark.parametrize("n", [1, 10, 777])
def test_histogram_of_many(code, n):
    rng = np.random.default_rng(8)
    host = (rng.random(100001) * 100).astype(code)
    if code == "e" and n > 10:
        return  # finer than float16
    all_close(tb.histogram(tb.array(host), n), np.histogram(host, n))
    all_close(tb.histogram(tb.array(host), n, (10, 90)), np.histogram(host, n, (10, 90)))
    edges = np.sort(rng.random(n + 1) * 100)
    all_close(tb.histogram(tb.array(host), tb.array(edges)), np.histogram(host, edges))


@pytest.mark.parametrize("code", ["i", "L", "e", "f", "d"])
@pytest.mark.parametrize("place", [(0, 1), (-5, 5), (1e6, 1e6 + 64), (-3e4, -1e-3), (0, 1e-40)])
def test_elements_near_edges(code, place):
    """Many elements, whose bins are computed: at the edges, beside them, outside, and none at all."""
    low, high = place
    for n in (1, 7, 100):
        with np.errstate(all="ignore"):
            edges = np.linspace(low, high, n + 1).astype(code)
            near = np.concatenate([edges, low - (high - low) * np.arange(9), high + (high - low) * np.arange(9)])
            near = near.astype(code)
            if edges.dtype.kind == "f":
                near = np.concatenate([near, np.nextafter(near, -np.inf), np.nextafter(near, np.inf)])
                near = np.concatenate([near, np.array([np.nan, np.inf, -np.inf], code)])
            host = np.tile(near, 1 + 20000 // near.size)
            try:
                want = np.histogram(host, n, place)
            except ValueError:
                continue
        all_close(tb.histogram(tb.array(host), n, place), want)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("code", ["i", "d"])
def test_numbers_of_bins(rule, code):
    rng = np.random.default_rng(2)
    for n in (0, 1, 2, 3, 50, 1500):
        host = (rng.normal(size=n) * 1000).astype(code)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            for range in (None, (-500, 800)):
                all_close(tb.histogram(tb.array(host), rule, range), np.histogram(host, rule, range))
    flat = np.ones(20, code)
    all_close(tb.histogram(tb.array(flat), rule), np.histogram(flat, rule))


def test_histogram_of_bools():
    host = np.array([True, False, True])
    all_close(tb.histogram(tb.array(host), 2), np.histogram(host.astype(np.uint8), 2))


def test_histogram_checks_its_arguments():
    x = tb.arange(4.0)
    for bins in (0, -1, [2, 1], tb.array([1.0, 0.0]), [[1, 2]], "no such rule"):
        with pytest.raises(ValueError, match="bins"):
            tb.histogram(x, bins)
    with pytest.raises(TypeError, match="bins"):
        tb.histogram(x, 2.5)
    with pytest.raises(ValueError, match="range"):
        tb.histogram(x, 2, (3, 1))
    with pytest.raises(ValueError, match="finite"):
        tb.histogram(x, 2, (0, np.inf))
    with pytest.raises(ValueError, match="finite"):
        tb.histogram(x * np.nan, 2)
    with pytest.raises(ValueError, match="weights"):
        tb.histogram(x, weights=x[:2])
    with pytest.raises(TypeError, match="weighted"):
        tb.histogram(x, "auto", weights=x)
    with pytest.raises(NotImplementedError, match="complex"):
        tb.histogram(x * 1j)
    with pytest.raises(TypeError, match="histogram"):
        tb.histogram([1.0, 2.0])


# ---- several dimensions ----------------------------------------------------------------------------------------------


@given(st.integers(0, 20), st.sampled_from(["i", "f", "d"]), st.booleans(), st.booleans(), st.data())
@settings(max_examples=200, deadline=None)
def test_histogramdd(n, code, density, weighted, data):
    dims = data.draw(st.integers(1, 3))
    host = values(np.dtype(code), (n, dims), n)
    weights = np.arange(n) + 0.5 if weighted else None
    width = data.draw(st.one_of(st.integers(1, 4), st.lists(bins(), min_size=dims, max_size=dims)))
    ranges = data.draw(st.one_of(st.none(), st.just([(-2.0, 3.0)] * dims), st.just([None] + [(0, 5)] * (dims - 1))))
    there = [on_device(b) for b in width] if isinstance(width, list) else width
    with np.errstate(all="ignore"):
        want, edges = np.histogramdd(host, width, ranges, density, weights)
    for sample in (tb.array(host), [tb.array(host[:, d]) for d in range(dims)]):
        got, ours = tb.histogramdd(sample, there, ranges, on_device(weights), density)
        close(got, want)
        assert isinstance(ours, list)
        all_close(ours, edges)


@pytest.mark.parametrize("bins", [3, (2, 4), [0, 3, 6, 10], ([0, 5, 9], 3), (np.array([0, 4, 9]), np.arange(5))])
def test_histogram2d(bins):
    rng = np.random.default_rng(3)
    x, y, w = rng.random(500) * 10, rng.random(500) * 5, rng.random(500)
    there = tuple(on_device(b) for b in bins) if isinstance(bins, tuple) else bins
    for kw in ({}, {"range": [[1, 8], [0, 4]]}, {"density": True}, {"weights": w}):
        device = {k: on_device(v) for k, v in kw.items()}
        all_close(tb.histogram2d(tb.array(x), tb.array(y), there, **device), np.histogram2d(x, y, bins, **kw))
    if isinstance(bins, list):
        all_close(tb.histogram2d(tb.array(x), tb.array(y), tb.array(bins)), np.histogram2d(x, y, bins))


def test_histograms_of_several_dimensions_check_their_arguments():
    x = tb.ones((3, 2))
    for args in ((x, (1, 2, 3)), (x, 2, [None]), (x, (0, 1)), (x, ([2, 1], 1)), (x, 2, None, tb.ones(2))):
        with pytest.raises(ValueError):
            tb.histogramdd(*args)
    for args in ((x, 1.5), (x, 2, None, tb.ones(3) * 1j), ([[1, 2]],)):
        with pytest.raises(TypeError):
            tb.histogramdd(*args)
    with pytest.raises(ValueError, match="elements"):
        tb.histogram2d(x[0], x[:, 0])


EDGES = [
    np.linspace(-60, 60, 11), np.arange(-50, 50), np.arange(-50, 50, dtype="i"), np.arange(0, 90, dtype="B"),
    np.unique(np.random.default_rng(4).standard_normal(1000) * 30), np.array([0, 0, 1, 1, 5, 5.0]),
    np.array([-5, -5, 2, 2], "f"), np.array([0, 1e300]), np.array([-np.inf, 0, np.inf]), np.array([-1e308, 1e308]),
    np.array([1.0, 1.0]), np.array([0, 1e-320, 1]), np.linspace(0, 1, 40_000), np.arange(8.0) ** 30 * 1e-9,
    np.array([0, 3.4e38], "f"), np.array([-3.4e38, 3.4e38], "f"), np.array([0, np.finfo("d").max]),
    np.unique((np.random.default_rng(5).standard_normal(500) * 30).astype("e")),
]


@pytest.mark.parametrize("edges", EDGES, ids=range(len(EDGES)))
@pytest.mark.parametrize("code", list("bBhHefiIlLd"))
def test_histogram_of_many_between_edges(code, edges):
    numbers = np.random.default_rng(3).standard_normal(40_000) * 50
    host = (np.abs(numbers) if code in "BHIL" else numbers).astype(code)
    host[5000:9000] = 100  # stretches of which nothing, or all, is in a bin
    host[9000:12000] = edges[edges.size // 2] if np.isfinite(edges).all() and abs(edges).max() < 100 else 1
    if code in "efd":
        host[:6] = [np.nan, np.inf, -np.inf, -0.0, 0.0, np.nan]
    both = np.result_type(host, edges)
    x, e = host.astype(both), edges.astype(both)
    below, upto = (np.searchsorted(np.sort(x[x == x]), e, side) for side in ("left", "right"))
    want = np.diff(np.append(below[:-1], upto[-1]))
    same(tb.histogram(tb.array(host), tb.array(edges))[0], want)


# ---- interp ----------------------------------------------------------------------------------------------------------


@given(with_nan(max_dims=3, max_side=6, codes=REAL), st.lists(st.integers(-9, 9), min_size=1, max_size=9),
       st.sampled_from(["l", "d", "f", "D"]), st.booleans(), st.booleans(), st.data())
@settings(max_examples=300, deadline=None)
def test_interp(pair, points, code, left, right, data):
    host, device = pair
    xp = np.sort(np.array(points, "d"))
    fp = values(np.dtype(code), xp.shape, len(points))
    if code in "dD" and data.draw(st.booleans()):
        fp[0], fp[-1] = np.inf, -np.inf
    kw = {"left": 3.5 if left else None, "right": -2.0 if right else None}
    period = data.draw(st.sampled_from([None, None, 4.5, -3]))
    with np.errstate(all="ignore"):
        want = np.interp(host, xp, fp, period=period, **kw)
    if period is not None and np.unique(xp % period).size != xp.size:
        return  # points at one place, in any order
    got = tb.interp(device, tb.array(xp), tb.array(fp), period=period, **kw)
    assert got.dtype == want.dtype
    close(got.real, want.real, 10.0)
    close(got.imag, want.imag, 10.0)


@pytest.mark.parametrize("period", [None, 4.5])
@pytest.mark.parametrize("points", [1, 2])
def test_interp_of_complex_heights_where_x_is_nan(points, period):
    x, xp, fp = np.array([np.nan, 1.0]), np.array([0.0, 3.0])[:points], np.array([1 + 2j, 3 - 1j])[:points]
    want = np.interp(x, xp, fp, period=period)
    got = tb.interp(tb.array(x), tb.array(xp), tb.array(fp), period=period)
    np.testing.assert_allclose(got.get().view("d"), want.view("d"))


def test_interp_of_many():
    rng = np.random.default_rng(6)
    x, xp, fp = rng.random(100001) * 120 - 10, np.sort(rng.random(5000) * 100), rng.random(5000)
    close(tb.interp(tb.array(x), tb.array(xp), tb.array(fp)), np.interp(x, xp, fp))


def test_interp_of_values_in_order():
    rng = np.random.default_rng(6)
    xp, fp = np.sort(rng.random(700)), rng.random(700)
    xp[300:340] = xp[300]  # points at one place
    x = np.sort(rng.random(5000) * 1.2 - 0.1)
    x[::70] = xp[rng.integers(0, 700, x[::70].size)]
    x[[9, 999]] = np.nan
    for v in (x, x[::-1], x[::7], x[:1000].reshape(10, 100).T):
        for ends in ({}, {"left": -7, "right": tb.array(9.5)}):
            want = np.interp(v, xp, fp, **{k: float(e) for k, e in ends.items()})
            close(tb.interp(tb.array(v), tb.array(xp), tb.array(fp), **ends), want)


def test_interp_takes_numbers():
    xp, fp = np.arange(3.0), np.array([1.0, 5.0, 2.0])
    for x in (0.5, 2, -1, np.nan):
        close(tb.interp(x, tb.array(xp), tb.array(fp)), np.interp(x, xp, fp))


def test_interp_checks_its_arguments():
    x = tb.arange(3.0)
    for args in ((x, x, x[:2]), (x, x[:0], x[:0]), (x, x.reshape(1, 3), x), (x, x, x, None, None, 0)):
        with pytest.raises(ValueError, match="interp"):
            tb.interp(*args)
    for args in ((x * 1j, x, x), (x, x * 1j, x), ([1.0], x, x)):
        with pytest.raises(TypeError, match="interp"):
            tb.interp(*args)


@pytest.mark.parametrize("codes", ["de", "if", "fe", "Bb"])
@pytest.mark.parametrize("weights", [None, "e"])
def test_coordinates_are_promoted_together(codes, weights):
    rng = np.random.default_rng(3)
    x, y = (rng.integers(0, 100, 50).astype(code) for code in codes)
    x[0] = y[0] = 0
    w = None if weights is None else rng.random(50).astype(weights)
    got = tb.histogram2d(tb.array(x), tb.array(y), [3, 7], weights=None if w is None else tb.array(w))
    all_close(got, np.histogram2d(x, y, [3, 7], weights=w))
    device, host = tb.histogramdd([tb.array(x), tb.array(y)], 7), np.histogramdd([x, y], 7)
    all_close([device[0], *device[1]], [host[0], *host[1]])


def test_histograms_of_integers_of_64_bits():
    """uint64 and int64 are compared in float64, as in NumPy; truth values are edges, too."""
    base = 4269053856510063523
    for x, edges in ((np.array([2**60], "u8"), np.array([0, 2**60 + 1])),
                     (np.array([base + 3, base + 1, base], "u8"), np.arange(4) + base)):
        for weights in (None, np.ones(len(x))):
            got = tb.histogram(tb.array(x), tb.array(edges), weights=None if weights is None else tb.array(weights))[0]
            same(got, np.histogram(x, edges, weights=weights)[0])
    truth = np.array([False, True])
    same(tb.histogram(tb.array([0, 1, 1]), tb.array(truth), density=True)[0],
         np.histogram([0, 1, 1], truth, density=True)[0])


@pytest.mark.parametrize("code", ["i", "l", "I", "L"])
def test_bincount_of_many_numbers(code):
    """Tables that no cache keeps; of numbers in any order, with all in one place, and one that is out of it."""
    rng = np.random.default_rng(0)
    for n, most in ((300_001, 1 << 18), (300_001, 350_000), (1_000_000, 1_050_000)):
        for host in (rng.integers(0, most, n), np.arange(n)[::-1], np.full(n, most - 1)):
            host = host.astype(code)
            host[-1] = most - 1
            want = np.bincount(host.astype("l"))
            np.testing.assert_array_equal(tb.bincount(tb.array(host)).get(), want)
            longer = tb.bincount(tb.array(host), minlength=most + 7).get()
            np.testing.assert_array_equal(longer, np.bincount(host.astype("l"), minlength=most + 7))
        if code in "il":
            host[n // 2] = -1
            with pytest.raises(ValueError, match="negative"):
                tb.bincount(tb.array(host))
