"""Medians and quantiles against NumPy: every method, axes, dtypes, NaN, empty arrays, out=, weights."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import FLOATS, INTS, arrays
from test_reductions import axes, close
from test_sorting import with_nan

import tombac as tb

METHODS = [
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
    "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest",
]
REAL = ["?"] + INTS + FLOATS


def outcome(name, host, device, *args, **kw):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            want = getattr(np, name)(host, *args, **kw)
        except (ValueError, TypeError, IndexError, np.exceptions.AxisError) as e:
            with pytest.raises(type(e)):
                getattr(tb, name)(device, *args, **kw)
            return
    got = getattr(tb, name)(device, *args, **kw)
    if np.size(want) == 1 and np.isnan(want):
        want = np.asarray(want, got.dtype)  # NumPy's is an element, whatever the dtype of numbers between elements is
    close(got, want, 10.0)


@given(with_nan(max_side=5), st.data(), st.sampled_from(["median", "nanmedian"]))
@settings(max_examples=300, deadline=None)
def test_medians(pair, data, name):
    host, device = pair
    if host.dtype.kind == "c" and not np.isfinite(host).all():
        return  # NumPy's quotients of infinite complex numbers are NaN
    axis = data.draw(axes(host.ndim, single=host.size == 0))  # of several NumPy makes no rows if they are empty
    outcome(name, host, device, axis=axis, keepdims=data.draw(st.booleans()))


def test_nothing_has_no_quantiles():
    for shape, axis in (((0,), None), ((3, 0), 1), ((0, 3), 0)):
        x = tb.zeros(shape)
        for f in (tb.quantile, tb.percentile):
            with pytest.raises(IndexError, match="no elements"):
                f(x, 0.5, axis)
        for f in (tb.nanquantile, tb.nanpercentile):
            close(f(x, [0.5, 0.1], axis), np.full((2,) + (() if axis is None else (3,)), np.nan))
    close(tb.quantile(tb.zeros((3, 0)), [0.5, 0.1], 0), np.zeros((2, 0)))
    close(tb.quantile(tb.ones(3), np.zeros(0)), np.zeros(0))


def quantiles():
    one = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.25, 0.5, 1.0, 1 / 3]))
    some = st.lists(one, max_size=4)
    return st.one_of(one, some.map(np.array), one.map(np.float64), st.just([[0.1, 0.5], [0.9, 1.0]]))


@given(with_nan(max_side=5, codes=REAL), quantiles(), st.sampled_from(METHODS), st.data(),
       st.sampled_from(["quantile", "percentile", "nanquantile", "nanpercentile"]))
@settings(max_examples=600, deadline=None)
def test_quantiles(pair, q, method, data, name):
    host, device = pair
    if name.startswith("nan") and host.dtype == np.float16:
        host, device = host.astype("f"), device.astype("f")  # NumPy's places are rounded to float16
    if name.startswith("nan"):
        q = np.ravel(q) if np.ndim(q) == 2 else q  # NumPy moves one of the two axes alone to the front
    axis = data.draw(axes(host.ndim))
    if host.size == 0:
        return
    if name.endswith("percentile"):
        q = float(q) * 100 if type(q) is float else np.asarray(q) * 100
    outcome(name, host, device, q, axis=axis, method=method, keepdims=data.draw(st.booleans()))


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("code", ["i", "f", "d"])
def test_quantiles_of_many(name, method, code):
    host = np.random.default_rng(4).integers(0, 10**6, (3, 20001)).astype(code)
    if code != "i":
        host[1, ::3] = np.nan
    device = tb.array(host)
    for q in (0.0, 0.1234, 1.0, [0.25, 0.5], np.linspace(0, 1, 7)):
        outcome(name, host, device, q, axis=1, method=method)
        outcome(name, host, device, q, method=method)


@given(with_nan(max_side=5, codes=REAL, min_dims=1), quantiles(), st.data(),
       st.sampled_from(["quantile", "nanquantile", "percentile"]))
@settings(max_examples=200, deadline=None)
def test_weights(pair, q, data, name):
    host, device = pair
    q = np.ravel(q) if np.ndim(q) == 2 else q  # of which NumPy makes none
    axis = data.draw(axes(host.ndim))
    if axis is None or name == "nanquantile" or data.draw(st.booleans()):
        shape = host.shape
    else:
        shape = tuple(host.shape[d] for d in np.atleast_1d(axis))
    if host.size == 0:
        return
    w = np.random.default_rng(1).integers(1, 4, shape).astype(float)
    kw = {"axis": axis, "method": "inverted_cdf"}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        want = getattr(np, name)(host, q, weights=w, **kw)
    close(getattr(tb, name)(device, q, weights=tb.array(w), **kw), np.asarray(want))


@given(arrays(["d", "f", "i"], max_side=5, min_dims=1), st.data())
@settings(max_examples=60, deadline=None)
def test_out(pair, data):
    host, device = pair
    if host.size == 0:
        return
    axis = data.draw(axes(host.ndim))
    for name, args in (("median", ()), ("nanmedian", ()), ("quantile", (0.3,)), ("percentile", ([10, 20],))):
        want = getattr(np, name)(host, *args, axis=axis)
        out = tb.empty(np.shape(want), "d")
        assert getattr(tb, name)(device, *args, axis=axis, out=out) is out
        close(out, np.asarray(want, "d"), 10.0) if host.dtype != "f" else None


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@pytest.mark.parametrize("method", METHODS)
def test_a_place_that_is_nearly_an_element(name, method):
    """What is left of the way to it is not nothing, though float32 has no such number."""
    host = np.array([[-np.inf, 2], [1, np.inf]], "f")
    outcome(name, host, tb.array(host), 1 - 2.0**-53, axis=1, method=method)


def test_quantiles_of_the_device():
    host = np.arange(10.0)
    for q in (np.array([0.1, 0.5]), np.array(0.3)):
        close(tb.quantile(tb.array(host), tb.array(q)), np.quantile(host, q))
        close(tb.percentile(tb.array(host), tb.array(q * 100)), np.percentile(host, q * 100))


def test_arguments_are_checked():
    x = tb.arange(4.0)
    for q in (-0.1, 1.5, np.nan, [0.5, 2]):
        with pytest.raises(ValueError, match="range"):
            tb.quantile(x, q)
    with pytest.raises(ValueError, match="range"):
        tb.percentile(x, 101)
    with pytest.raises(ValueError, match="method"):
        tb.quantile(x, 0.5, method="best")
    with pytest.raises(TypeError, match="real"):
        tb.quantile(x * 1j, 0.5)
    with pytest.raises(np.exceptions.AxisError):
        tb.quantile(x, 0.5, 1)
    with pytest.raises(np.exceptions.AxisError):
        tb.median(x, 1)
    with pytest.raises(TypeError, match="median"):
        tb.median([1, 2])
    with pytest.raises(ValueError, match="weights"):
        tb.quantile(x, 0.5, weights=x)
    with pytest.raises(ValueError, match="negative"):
        tb.quantile(x, 0.5, weights=x - 2, method="inverted_cdf")
    with pytest.raises(ValueError, match="zero"):
        tb.quantile(x, 0.5, weights=x * 0, method="inverted_cdf")
    with pytest.warns(DeprecationWarning, match="interpolation"):
        close(tb.percentile(x, 50, interpolation="lower"), np.percentile(np.arange(4.0), 50, method="lower"))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("code", ["h", "B", "f", "d"])
@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
def test_least_and_greatest_by_integers(name, code, method):
    host = np.array([[3, 1, 2], [9, 8, 7]], code)
    for q in (0, 1, np.array(1), np.array([0, 1]), [1, 0]):
        want = getattr(np, name)(host, q, 1, method=method)
        got = getattr(tb, name)(tb.array(host), tb.array(q) if isinstance(q, np.ndarray) else q, 1, method=method)
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
def test_weights_that_are_all_zero(name):
    kw = {"axis": 1, "method": "inverted_cdf"}
    for a in ([1.0, 2.0], [1.0, np.nan], [1, 2]):
        with pytest.raises(ValueError):
            getattr(np, name)(np.array([a, a]), 0.5, weights=np.zeros((2, 2)), **kw)
        with pytest.raises(ValueError, match="zero"):
            getattr(tb, name)(tb.array([a, a]), 0.5, weights=tb.zeros((2, 2)), **kw)
    assert tb.isnan(getattr(tb, name)(tb.full((1, 2), np.nan), 0.5, weights=tb.ones((1, 2)), **kw)).all()
