"""Variances, and means with them: as exact as in longer floats where kernels go over the elements once."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tombac as tb


def spread_of(a, axis, ddof):
    """The variance in the machine's longest floats."""
    a = a.astype(np.longdouble)
    n = a.size if axis is None else a.shape[axis]
    return np.square(a - a.mean(axis=axis, keepdims=True)).sum(axis=axis) / np.longdouble(n - ddof)


@settings(max_examples=40, deadline=None)
@given(rows=st.integers(1, 40), n=st.integers(2, 3000), where=st.sampled_from([0.0, 1e3, -1e8, 1e12]),
       outlier=st.sampled_from([None, 1e4, -1e9]), at=st.integers(0, 10**6), fused=st.booleans(),
       layout=st.sampled_from(["rows", "columns", "all", "backwards"]), ddof=st.sampled_from([0, 1, 0.5]))
def test_variances_lose_nothing_to_large_means_and_outliers(rows, n, where, outlier, at, fused, layout, ddof):
    a = np.random.default_rng(n).integers(-1000, 1000, (rows, n)) / 64 + where
    a[:, 0] += 1
    if outlier is not None:
        a[at % rows, at % n] += outlier
    axis = {"rows": 1, "columns": 0, "all": None, "backwards": 1}[layout]
    if layout == "columns":
        a = np.ascontiguousarray(a.T)
    device = tb.array(a)
    if layout == "backwards":
        a, device = a[:, ::-1], device[:, ::-1]
    if fused:
        a, device = a * 2, device * 2
    want = spread_of(a, axis, ddof)
    if tb.config.backend() != "cpu":  # where NumPy's way, twice over the elements, is not taken
        np.testing.assert_allclose(device.var(axis=axis, ddof=ddof).get(), want.astype("d"), rtol=1e-12)
        np.testing.assert_allclose(device.std(axis=axis, ddof=ddof).get(), np.sqrt(want).astype("d"), rtol=1e-12)
    mean, var = tb._core._mean_var(device, axis, ddof, True)
    np.testing.assert_array_equal(var.get().ravel(), device.var(axis=axis, ddof=ddof).get().ravel())
    np.testing.assert_allclose(mean.get(), a.astype(np.longdouble).mean(axis=axis, keepdims=True).astype("d"),
                               rtol=1e-14, atol=1e-15 * np.abs(a).max())


@pytest.mark.parametrize("code", "?bIlefdFD")
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2), ()])
def test_mean_and_variance_at_once(code, axis):
    host = (np.random.default_rng(5).standard_normal((7, 300, 3)) * 40 + 50).astype(code)
    if code in "FD":
        host += host.dtype.type(3j) * host[::-1]
    for keepdims in (False, True):
        mean, var = tb._core._mean_var(tb.array(host), axis, 1, keepdims)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            kw = {"axis": axis, "keepdims": keepdims}
            if code == "e":
                kw["dtype"] = "f"  # NumPy's own sums of squares overflow
            np.testing.assert_allclose(mean.get(), host.mean(**kw), rtol=2e-3 if code == "e" else 1e-5)
            np.testing.assert_allclose(var.get(), host.var(ddof=1, **kw), rtol=2e-3 if code == "e" else 1e-4)
            assert mean.dtype == host.mean().dtype and var.dtype == host.var().dtype
        np.testing.assert_array_equal(var.get(), tb.array(host).var(axis=axis, ddof=1, keepdims=keepdims).get())


@pytest.mark.parametrize("values", [[np.inf, 1, 2], [1, 2, -np.inf], [np.nan, 1], [1, np.nan], [1e200, -1e200, 3], [5],
                                    [1e300, 1e300, 1e300], [], [1e-320, 0]])
def test_moments_of_what_is_not_usual(values):
    host, device = np.array(values, "d"), tb.array(values, "d")
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for ddof in (0, 1):
            np.testing.assert_array_equal(device.var(ddof=ddof).get(), host.var(ddof=ddof))
            np.testing.assert_array_equal(tb._core._mean_var(device, None, ddof, False)[1].get(), host.var(ddof=ddof))


def test_moments_refuse():
    x = tb.zeros((2, 3))
    with pytest.raises(np.exceptions.AxisError):
        tb._core._mean_var(x, 2, 0, False)
    for bad in ((x, 0, 0), (x, 0, "a", False), ([1], 0, 0, False), (x, "0", 0, False)):
        with pytest.raises(TypeError):
            tb._core._mean_var(*bad)


@pytest.mark.skipif(tb.config.backend() == "cpu", reason="the CPU goes over the elements twice")
def test_variances_are_one_kernel():
    x = tb.array(np.random.default_rng(1).random((300, 40)))
    for a, axis in ((x, None), (x, 0), (x, 1), (x.astype("f"), 0), (x * 2, None)):
        before = tb.config.counters()["launches"]
        a.var(axis=axis, ddof=1)
        assert tb.config.counters()["launches"] == before + 1
