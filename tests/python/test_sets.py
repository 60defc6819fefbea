"""Unique elements, unions, intersections and differences against NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import DTYPES, arrays, dtypes, layouts, same, values
from test_sorting import with_nan

import tombac as tb


def all_same(got, want):
    if not isinstance(want, tuple):
        got, want = (got,), (want,)
    assert len(got) == len(want)
    for g, w in zip(got, want):
        same(g, w)


@given(with_nan(max_dims=3, max_side=8), st.tuples(*[st.booleans()] * 4))
@settings(max_examples=300, deadline=None)
def test_unique(pair, flags):
    host, device = pair
    *which, equal_nan = flags
    all_same(tb.unique(device, *which, equal_nan=equal_nan), stable_unique(host, *which, equal_nan))


def stable_unique(host, index, inverse, counts, equal_nan):
    """np.unique, whose inverse does not number NaN in their order unless the first positions are wanted too."""
    want = np.unique(host, index or inverse, inverse, counts, equal_nan=equal_nan)
    return want[:1] + want[2:] if inverse and not index else want


@st.composite
def few_values(draw, codes=DTYPES, max_dims=3):
    """arrays of few different numbers, so that slices are equal."""
    dtype = draw(dtypes(codes))
    shape = tuple(draw(st.lists(st.integers(0, 6), min_size=1, max_size=max_dims)))
    host = np.random.default_rng(draw(st.integers(0, 999))).integers(0, 2, shape).astype(dtype)
    layout = draw(layouts(host.ndim))
    return layout(host), layout(tb.array(host))


@given(few_values(), st.data())
@settings(max_examples=300, deadline=None)
def test_unique_slices(pair, data):
    host, device = pair
    axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
    which = [data.draw(st.booleans()) for _ in range(3)]
    all_same(tb.unique(device, *which, axis=axis), np.unique(host, *which, axis=axis))


def test_unique_slices_with_nan():
    host = np.array([[1, np.nan], [0, 1], [1, np.nan], [0, 1]])
    same(tb.unique(tb.array(host), axis=0), np.unique(host, axis=0))
    same(tb.unique(tb.array(host), axis=1), np.unique(host, axis=1))


@pytest.mark.parametrize("code", ["b", "L", "i", "e", "f", "D"])
@pytest.mark.parametrize("n", [1000, 70001])
def test_unique_long(code, n):
    for most in (5, 10 * n):
        host = np.random.default_rng(n).integers(0, min(most, 60000) if code == "e" else most, n).astype(code)
        all_same(tb.unique(tb.array(host), True, True, True), np.unique(host, True, True, True))
        same(tb.unique(tb.array(host)), np.unique(host))


def test_unique_checks_its_arguments():
    with pytest.raises(np.exceptions.AxisError):
        tb.unique(tb.ones((2, 2)), axis=2)
    with pytest.raises(TypeError, match="unique"):
        tb.unique([1, 1])
    same(tb.unique(tb.array(3)), np.unique(3))


@given(with_nan(max_dims=2, max_side=8))
@settings(max_examples=100, deadline=None)
def test_unique_of_the_array_api(pair):
    host, device = pair
    for name, which in (("all", (True, True, True)), ("counts", (False, False, True)),
                        ("inverse", (False, True, False))):
        got, like = getattr(tb, "unique_" + name)(device), getattr(np, "unique_" + name)(host)
        assert got._fields == like._fields and type(got).__name__ == type(like).__name__
        all_same(tuple(got), stable_unique(host, *which, False))
    # NumPy's is in no order.
    same(tb.unique_values(device), np.unique(host, equal_nan=False))


# ---- two sets --------------------------------------------------------------------------------------------------------


@given(arrays(max_dims=2, max_side=8), arrays(max_dims=2, max_side=8))
@settings(max_examples=200, deadline=None)
def test_two_sets(a, b):
    (a, x), (b, y) = a, b
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
        same(getattr(tb, name)(x, y), getattr(np, name)(a, b))
    all_same(tb.intersect1d(x, y, return_indices=True), np.intersect1d(a, b, return_indices=True))
    a, b = (np.random.default_rng(len(c)).permutation(np.unique(c)) for c in (a.ravel(), b.ravel()))
    x, y = tb.array(a), tb.array(b)
    for name in ("intersect1d", "setdiff1d", "setxor1d"):
        same(getattr(tb, name)(x, y, assume_unique=True), getattr(np, name)(a, b, assume_unique=True))
    all_same(tb.intersect1d(x, y, True, True), np.intersect1d(a, b, True, True))


@given(with_nan(max_dims=1), with_nan(max_dims=1))
@settings(max_examples=100, deadline=None)
def test_two_sets_with_nan(a, b):
    (a, x), (b, y) = a, b
    for name in ("union1d", "setdiff1d", "setxor1d"):
        same(getattr(tb, name)(x, y), getattr(np, name)(a, b))


@pytest.mark.parametrize("code", ["b", "i", "l", "L", "f", "d", "D"])
def test_two_long_sets(code):
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 10**6, n).astype(code) for n in (60000, 40000))
    x, y = tb.array(a), tb.array(b)
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d", "isin"):
        same(getattr(tb, name)(x, y), getattr(np, name)(a, b))


@pytest.mark.parametrize("code", ["f", "D"])
def test_isin_of_many_does_not_find_nan(code):
    host = values(np.dtype(code), 50000, 2)
    host[::7] = np.nan
    test = host[:2000:3].copy()
    for invert in (False, True):
        same(tb.isin(tb.array(host), tb.array(test), invert=invert), np.isin(host, test, invert=invert))


@pytest.mark.parametrize("axis", [0, -1])
def test_unique_along_the_axis_of_a_vector(axis):
    host = np.array([np.nan, 2, np.nan, 1, 2])
    all_same(tb.unique(tb.array(host), True, True, True, axis), np.unique(host, True, True, True, axis))
    with pytest.raises(np.exceptions.AxisError):
        tb.unique(tb.array(host), axis=1)
