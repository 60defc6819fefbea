"""Quantiles, L-moments, entropies and associations of tombacx.scipy.stats against SciPy's."""

import numpy as np
import pytest
import scipy.stats as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.stats as xs

pytestmark = pytest.mark.filterwarnings("ignore")
seeds = st.integers(0, 2**32 - 1)
alternatives = st.sampled_from(["two-sided", "less", "greater"])
METHODS = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen",
           "weibull", "linear", "median_unbiased", "normal_unbiased", "harrell-davis", "round_outward", "round_inward",
           "round_nearest"]


def on_device(rng, a):
    """``a`` as it is, or as what lies otherwise in memory."""
    kind = rng.integers(3)
    if kind == 1:
        return tb.array(a[..., ::-1].copy())[..., ::-1]
    return tb.array(np.asfortranarray(a)) if kind else tb.array(a)


def close(got, want, rtol=1e-8, atol=1e-10):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.shape == want.shape and got.dtype == want.dtype
    if want.dtype == "f":
        rtol = atol = 1e-4
    np.testing.assert_allclose(got.get(), want, rtol, atol)


@given(seeds, st.sampled_from(METHODS), st.sampled_from(["propagate", "omit"]), st.sampled_from("bfd"),
       st.sampled_from("fd"), st.booleans())
def test_quantiles(seed, method, policy, dtype, probabilities, weighted):
    rng = np.random.default_rng(seed)
    least = 2 if method == "round_inward" else 1  # SciPy looks for a second element
    x = np.round(3 * rng.standard_normal((3, rng.integers(least, 9)))).astype(dtype)
    if dtype != "b":
        x[rng.random(x.shape) < 0.15] = np.nan
    p = [rng.random(), rng.random((3, 1)), rng.random(4), rng.integers(-1, 6, (3, 2)) / 4][rng.integers(4)]
    p = p if np.ndim(p) == 0 else p.astype(probabilities)
    options = {"method": method, "nan_policy": policy, "axis": -1, "keepdims": [None, True][rng.integers(2)]}
    of = options
    if weighted and method in METHODS[:9]:
        w = rng.integers(1, 4, x.shape).astype("d")
        options, of = options | {"weights": w}, options | {"weights": tb.array(w)}
    want = ss.quantile(x, p, **options)
    if method == "harrell-davis":  # of no element alone, in SciPy's
        want = np.where((p == 0) | (p == 1), np.nan, want).astype(want.dtype)
    got = xs.quantile(on_device(rng, x), tb.array(p) if np.ndim(p) else p, **of)
    if method == "harrell-davis":
        got = tb.where(tb.isnan(tb.array(want)), tb.array(want), got)
    close(got, want, atol=1e-5 if "f" in (dtype, probabilities) else 1e-10)


@pytest.mark.parametrize("shape, p, axis, keepdims", [
    ((5,), (2,), 0, None), ((5,), (), 0, True), ((1, 5), (2,), None, None), ((1, 5), (), None, True),
    ((1, 5), (2,), None, True), ((2, 3), (2, 1), 1, None), ((2, 3), (4,), 1, None), ((4, 3), (2, 1), 0, None),
    ((2, 3), (4, 1), 0, None), ((0,), (), 0, None), ((2, 0), (2,), 1, None), ((0, 2), (3,), 1, None),
    ((), (), None, None),
    ((5,), (0,), 0, None), ((2, 3, 4), (2, 1, 1), 1, None), ((2, 3), (3, 1, 2), -1, None), ((5,), (1,), 0, False)])
def test_shapes_of_quantiles(shape, p, axis, keepdims):
    rng = np.random.default_rng(0)
    x, p = rng.random(shape), rng.random(p)
    close(xs.quantile(tb.array(x), tb.array(p), axis=axis, keepdims=keepdims),
          ss.quantile(x, p, axis=axis, keepdims=keepdims))


def test_refusals_of_quantiles():
    x = tb.arange(6.0).reshape(2, 3)
    for args, options in (((x, 1), {}), ((x, tb.array([1])), {}), ((x, 0.5), {"method": "exact"}),
                          ((x, 0.5), {"axis": 2}), ((tb.array(1.0), 0.5), {}), ((x, tb.ones((3, 1))), {"axis": 1}),
                          ((x, tb.array([0.1, 0.2])), {"axis": 1, "keepdims": False}),
                          ((x, 0.5), {"method": "harrell-davis", "weights": x}), ((x, 0.5), {"nan_policy": "no"}),
                          ((x * np.nan, 0.5), {"nan_policy": "raise"}), ((x, 0.5), {"weights": tb.ones(2)})):
        with pytest.raises(ValueError):
            xs.quantile(*args, **options)
    for x in (x * 1j, [1.0, 2.0]):
        with pytest.raises(TypeError):
            xs.quantile(x, 0.5)


@given(seeds, st.sampled_from(["fraction", "lower", "higher"]), st.sampled_from([None, 0, 1]), st.booleans())
def test_scores_at_percentiles(seed, method, axis, limited):
    rng = np.random.default_rng(seed)
    a = rng.integers(-5, 5, (4, 3)) / 2
    for per in (30.0, [0, 50, 100], rng.random(4) * 100):
        if limited and axis == 1:
            continue
        limit = (-2, 2) if limited else ()
        want = ss.scoreatpercentile(a, per, limit, method, axis)
        got = xs.scoreatpercentile(on_device(rng, a), per, limit, method, axis)
        np.testing.assert_allclose(got.get(), want)
        assert got.shape == np.shape(want)


@given(seeds, st.sampled_from(["rank", "weak", "strict", "mean"]), st.sampled_from(["propagate", "omit"]))
def test_percentiles_of_scores(seed, kind, policy):
    rng = np.random.default_rng(seed)
    a, score = rng.integers(0, 6, rng.integers(0, 9)).astype("d"), rng.integers(-1, 8, (2, 3)).astype("d")
    if rng.integers(2):
        a[rng.random(a.shape) < 0.2] = np.nan
    score[rng.random(score.shape) < 0.2] = np.nan
    for some in (score, score[0, 0], score[:, :1]):  # of few the elements below are counted
        close(xs.percentileofscore(tb.array(a), tb.array(some), kind, policy),
              ss.percentileofscore(a, some, kind, policy))
    with pytest.raises(ValueError, match="NaN"):
        xs.percentileofscore(tb.array([1.0, np.nan]), 1, nan_policy="raise")


@given(seeds, st.sampled_from([0, 0.01, 0.3, 0.5, 0.9, 1]), st.booleans(), st.sampled_from("bdf"))
def test_expectiles(seed, alpha, weighted, dtype):
    rng = np.random.default_rng(seed)
    a = (1000 + 10 * rng.standard_normal(rng.integers(1, 30))).round(rng.integers(0, 3)).astype(dtype)
    w = rng.random(a.size) if weighted else None
    want = ss.expectile(a, alpha, weights=w)
    got = xs.expectile(on_device(rng, a), alpha, weights=None if w is None else tb.array(w))
    assert got.shape == ()
    np.testing.assert_allclose(got.get(), want, 1e-6 if np.asarray(want).dtype == "f" else 1e-9)  # SciPy 1.18's float32
    for wrong in (-0.1, 1.5, "half"):
        with pytest.raises(ValueError, match="alpha"):
            xs.expectile(tb.ones(3), wrong)


@pytest.mark.parametrize("alpha", [1e-9, 0.01, 0.3, 0.5, 0.7, 0.999])
@pytest.mark.parametrize("shape", [(3, 70), (5000,)], ids=str)
def test_expectiles_are_where_sums_agree(alpha, shape):
    """With weights that broadcast, elements that occur often, and outliers."""
    rng = np.random.default_rng(3)
    a = np.round(rng.standard_cauchy(shape), 1)
    for weights in (None, rng.random(shape[-1:]), np.full(shape[-1:], 2, "i")):
        got = xs.expectile(tb.array(a), alpha, weights=None if weights is None else tb.array(weights)).item()
        each = (np.ones(1) if weights is None else weights) * np.where(a > got, alpha, 1 - alpha)
        rounded = 1e-15 * abs(got) * (each * np.ones(shape)).sum()
        assert abs((each * (a - got)).sum()) <= rounded + 1e-13 * (each * abs(a - got)).sum()
    assert np.isnan(xs.expectile(tb.array([1.0, np.nan, 2.0]), alpha).item())
    with pytest.raises(ValueError):
        xs.expectile(tb.ones(3), alpha, weights=tb.ones(2))


@given(seeds, st.integers(1, 9), st.sampled_from("bfd"), st.booleans(), st.booleans())
def test_l_moments(seed, n, dtype, ordered, standardize):
    rng = np.random.default_rng(seed)
    x = (9 * rng.standard_normal((n, 2))).astype(dtype)
    for order in (None, 3, [2, 5, 1], [4]):
        options = {"sorted": ordered, "standardize": standardize}
        close(xs.lmoment(on_device(rng, x), order, **options), ss.lmoment(x, order, **options))
    for order in (0, 1.5, [], [[1]], [1, -1]):
        with pytest.raises(ValueError, match="order"):
            xs.lmoment(tb.ones(3), order)


@given(seeds, st.sampled_from(["auto", "vasicek", "Van Es", "ebrahimi", "correa"]), st.sampled_from("bfd"),
       st.sampled_from([None, 1, 3]), st.sampled_from([None, 2]))
def test_differential_entropies(seed, method, dtype, window, base):
    rng = np.random.default_rng(seed)
    x = (20 * rng.standard_normal((rng.integers(7, 40), 2))).astype(dtype)
    options = {"method": method, "window_length": window, "base": base}
    close(xs.differential_entropy(on_device(rng, x), **options), ss.differential_entropy(x, **options))


def test_long_samples_have_entropies():
    x = np.random.default_rng(0).standard_normal(1500)
    close(xs.differential_entropy(tb.array(x)), ss.differential_entropy(x))
    for options in ({"base": 0}, {"method": "best"}):
        with pytest.raises(ValueError, match=next(iter(options))):
            xs.differential_entropy(tb.array(x), **options)


@given(seeds, st.integers(2, 12), st.booleans(), st.booleans())
def test_chatterjees_correlation(seed, n, tied, y_continuous):
    rng = np.random.default_rng(seed)
    x, y = rng.permutation(n), rng.integers(0, 4, n) if tied else rng.random(n)
    got = xs.chatterjeexi(tb.array(x), tb.array(y), y_continuous=y_continuous)
    want = ss.chatterjeexi(x, y, y_continuous=y_continuous)
    np.testing.assert_allclose([float(v) for v in got], [want.statistic, want.pvalue], 1e-8, 1e-12)
    for options in ({"method": "exact"}, {"y_continuous": 2}):
        with pytest.raises(ValueError, match=next(iter(options))):
            xs.chatterjeexi(tb.array(x), tb.array(y), **options)


@given(seeds, st.integers(2, 15), st.sampled_from([0.95, 0.1, 0.5]), st.booleans(), st.booleans())
def test_lines_of_medians(seed, n, alpha, tied, given_x):
    rng = np.random.default_rng(seed)
    x, y = rng.random((2, n, 2))
    if tied:
        x, y = np.round(4 * x), np.round(4 * y)
        x[0] = -1  # of variables that are constant SciPy's slopes are what happens to be in memory
    xs_, more = (tb.array(x), x) if given_x else (None, None)
    for method in ("separate", "joint"):
        got = xs.theilslopes(on_device(rng, y), xs_, alpha, method, axis=0)
        for g, w in zip(got, ss.theilslopes(y, more, alpha, method, axis=0), strict=True):
            np.testing.assert_allclose(g.get(), w, 1e-8, 1e-10)
    for method in ("hierarchical", "separate"):
        got = xs.siegelslopes(on_device(rng, y), xs_, method, axis=0)
        for g, w in zip(got, ss.siegelslopes(y, more, method, axis=0), strict=True):
            np.testing.assert_allclose(g.get(), w, 1e-8, 1e-10)
    for m, n in ((1, 3), (3, 1), (0, 3), (3, 0), (1, 1)):  # nothing is repeated
        for name in ("theilslopes", "siegelslopes", "kendalltau"):
            for options in ({}, {"axis": 0}):
                got = getattr(xs, name)(tb.arange(m), tb.arange(float(n)), **options)
                assert all(v.shape == () and np.isnan(v.item()) for v in got)
    for f in (xs.theilslopes, xs.siegelslopes):
        with pytest.raises(ValueError, match="method"):
            f(tb.ones(4), method="other")


@given(seeds, st.integers(1, 9), st.integers(1, 60), alternatives, st.booleans())
def test_ansari(seed, m, n, alternative, tied):
    rng = np.random.default_rng(seed)
    x, y = (np.round(3 * v) if tied else v for v in (rng.standard_normal(m), 2 * rng.standard_normal(n)))
    got, want = xs.ansari(tb.array(x), tb.array(y), alternative), ss.ansari(x, y, alternative)
    np.testing.assert_allclose([float(v) for v in got], want, 1e-8, 1e-12)
    with pytest.raises(ValueError, match="alternative"):
        xs.ansari(tb.array(x), tb.array(y), "more")


@given(seeds, st.integers(15, 40), st.integers(15, 40))
def test_epps_singleton(seed, m, n):
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((m, 2)), rng.poisson(2, (n, 2))
    for t in ((0.4, 0.8), (0.3,), np.array([0.2, 0.5, 1.0])):
        got, want = xs.epps_singleton_2samp(tb.array(x), tb.array(y), t), ss.epps_singleton_2samp(x, y, t)
        for g, w in zip(got, want, strict=True):
            np.testing.assert_allclose(g.get(), w, 1e-6, 1e-9)
    for t in ((0.4, -1), [[0.4]]):
        with pytest.raises(ValueError, match="t must"):
            xs.epps_singleton_2samp(tb.array(x), tb.array(y), t)


def test_epps_singleton_of_what_has_no_scale():
    x = tb.array([[1.0] * 6, [1, 2, 3, 4, 5, np.inf], [1, 2, 3, 4, 5, 6]])
    assert np.isnan(xs.epps_singleton_2samp(x, x, axis=1).statistic.get()).tolist() == [True, True, False]


@given(seeds, st.sampled_from(["propagate", "omit"]), st.booleans())
def test_cramer_and_von_mises(seed, policy, keepdims):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((9, 3))
    x[rng.random(x.shape) < 0.1] = np.nan
    options = {"nan_policy": policy, "keepdims": keepdims}
    for ours, theirs, args in (("norm", "norm", ()), (xs.norm.cdf, ss.norm.cdf, (0.1, 2)), ("hypsecant",) * 2 + ((),)):
        got = xs.cramervonmises(tb.array(x), ours, args, **options)
        want = ss.cramervonmises(x, theirs, args, **options)
        for g, w in zip(got, (want.statistic, want.pvalue), strict=True):
            assert g.shape == np.shape(w)
            np.testing.assert_allclose(g.get(), w, 1e-8, 1e-10)
    with pytest.raises(ValueError, match="no distribution"):
        xs.cramervonmises(tb.array(x), "rankdata")
