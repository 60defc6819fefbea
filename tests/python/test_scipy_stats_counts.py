"""Tests by counts, and empirical distribution functions, of tombacx.scipy.stats against SciPy's."""

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


def close(got, want, rtol=1e-9, atol=1e-13):
    np.testing.assert_allclose([float(v) for v in got], [float(v) for v in want], rtol, atol)


@given(st.integers(1, 40), st.floats(0, 1), st.sampled_from([0.0, 0.2, 0.5, 1.0]), alternatives, st.floats(0.5, 0.99))
def test_proportions(n, part, p, alternative, level):
    k = round(part * n)
    got, want = xs.binomtest(k, n, p, alternative), ss.binomtest(k, n, p, alternative)
    close([got.statistic, got.pvalue], [want.statistic, want.pvalue])
    for method in ("exact", "wilson", "wilsoncc"):
        close(got.proportion_ci(level, method), want.proportion_ci(level, method), 1e-7)


@given(seeds, st.integers(1, 30), st.floats(-1, 1), st.floats(0.1, 0.9), alternatives, st.floats(0.5, 0.99))
def test_quantiles(seed, n, q, p, alternative, level):
    x = np.round(2 * np.random.default_rng(seed).standard_normal(n)) / 2
    got = xs.quantile_test(tb.array(x), q=q, p=p, alternative=alternative)
    want = ss.quantile_test(x, q=q, p=p, alternative=alternative)
    assert (got.statistic, got.statistic_type) == (want.statistic, want.statistic_type)
    close([got.pvalue, *got.confidence_interval(level)], [want.pvalue, *want.confidence_interval(level)])


@given(seeds, st.integers(2, 4), st.sampled_from(["below", "above", "ignore"]), st.booleans(),
       st.sampled_from([1, 0, "cressie-read"]), st.sampled_from(["propagate", "omit"]), st.booleans())
def test_medians(seed, many, ties, correction, power, policy, nans):
    rng = np.random.default_rng(seed)
    samples = [np.round(3 * rng.standard_normal(rng.integers(3, 12))) for _ in range(many)]
    if nans:
        samples[1][0] = np.nan
    options = {"ties": ties, "correction": correction, "lambda_": power, "nan_policy": policy}
    try:
        want = ss.median_test(*samples, **options)
    except ValueError:
        with pytest.raises(ValueError, match="median_test|chi2_contingency"):
            xs.median_test(*map(tb.array, samples), **options)
        return
    got = xs.median_test(*map(tb.array, samples), **options)
    close(got[:3], [want.statistic, want.pvalue, want.median])
    if want.table is None:
        assert got.table is None
    else:
        np.testing.assert_array_equal(got.table.get(), want.table)


@given(seeds, st.integers(2, 14), st.integers(3, 6), st.sampled_from(["auto", "exact", "asymptotic"]), st.booleans())
def test_trends(seed, m, n, method, tied):
    rng = np.random.default_rng(seed)
    data = rng.random((m, n))
    data = np.round(3 * data) if tied else data
    order = rng.permutation(n) + 1
    for predicted in (None, order):
        want = ss.page_trend_test(data, predicted_ranks=predicted, method=method)
        got = xs.page_trend_test(tb.array(data), predicted_ranks=predicted, method=method)
        close(got[:2], [want.statistic, want.pvalue])
        assert got.method == want.method
    ranks = ss.rankdata(data, axis=1)
    assert xs.page_trend_test(tb.array(ranks), True).statistic == ss.page_trend_test(ranks, True).statistic


@pytest.mark.parametrize("m, n", [(20, 3), (21, 3), (12, 4), (13, 4), (2, 9), (12, 8)])
def test_which_trends_are_exact(m, n):
    data = np.random.default_rng(0).random((m, n))
    assert xs.page_trend_test(tb.array(data)).method == ss.page_trend_test(data).method


x = tb.arange(5.0)
WRONG = {
    "k": (lambda: xs.binomtest(3.5, 10), TypeError), "many": (lambda: xs.binomtest(11, 10), ValueError),
    "none": (lambda: xs.binomtest(0, 0), ValueError), "p": (lambda: xs.binomtest(1, 2, 2), ValueError),
    "alternative": (lambda: xs.binomtest(1, 2, 0.5, "more"), ValueError),
    "level": (lambda: xs.binomtest(1, 2).proportion_ci(2), ValueError),
    "method": (lambda: xs.binomtest(1, 2).proportion_ci(0.9, "best"), ValueError),
    "matrix": (lambda: xs.quantile_test(tb.ones((2, 2))), ValueError),
    "q": (lambda: xs.quantile_test(x, q="a"), ValueError),
    "part": (lambda: xs.quantile_test(x, p=1), ValueError), "list": (lambda: xs.quantile_test([1.0]), TypeError),
    "side": (lambda: xs.quantile_test(x, alternative="more"), ValueError),
    "one": (lambda: xs.median_test(x), ValueError), "empty": (lambda: xs.median_test(x, x[:0]), ValueError),
    "table": (lambda: xs.median_test(x, tb.ones((2, 2))), ValueError),
    "ties": (lambda: xs.median_test(x, x, ties="no"), ValueError),
    "same": (lambda: xs.median_test(x * 0, x * 0), ValueError),
    "nan": (lambda: xs.median_test(x, x * np.nan, nan_policy="raise"), ValueError),
    "rows": (lambda: xs.page_trend_test(tb.ones((1, 3))), ValueError),
    "columns": (lambda: xs.page_trend_test(tb.ones((3, 2))), ValueError),
    "ranks": (lambda: xs.page_trend_test(tb.ones((3, 3)), True), ValueError),
    "order": (lambda: xs.page_trend_test(tb.ones((3, 3)), predicted_ranks=[1, 1, 2]), ValueError),
    "way": (lambda: xs.page_trend_test(tb.ones((3, 3)), method="best"), ValueError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


@given(seeds, st.integers(1, 12), st.floats(0.1, 0.99), st.sampled_from(["linear", "log-log"]), st.sampled_from("dlf"))
def test_empirical_functions(seed, n, level, method, dtype):
    rng = np.random.default_rng(seed)
    sample = np.round(3 * rng.standard_normal(n)).astype(dtype)
    got, want = xs.ecdf(tb.array(sample)), ss.ecdf(sample)
    at = np.r_[sample, sample + 0.5, -99, 99]
    for name in ("cdf", "sf"):
        g, w = getattr(got, name), getattr(want, name)
        for part in ("quantiles", "probabilities"):
            np.testing.assert_allclose(getattr(g, part).get(), getattr(w, part), atol=1e-12)
        np.testing.assert_allclose(g.evaluate(tb.array(at)).get(), w.evaluate(at), atol=1e-12)
        for end, wanted in zip(g.confidence_interval(level, method=method),
                               w.confidence_interval(level, method=method), strict=True):
            np.testing.assert_allclose(end.probabilities.get(), wanted.probabilities, 1e-9, 1e-12)


def test_refusals_of_empirical_functions():
    assert xs.ecdf(tb.empty(0)).cdf.probabilities.size == 0
    for wrong in (tb.ones((2, 2)), tb.array([1.0, np.nan])):
        with pytest.raises(ValueError, match="ecdf"):
            xs.ecdf(wrong)
    for options in ({"method": "best"}, {"confidence_level": 2}):
        with pytest.raises(ValueError, match=next(iter(options))):
            xs.ecdf(x).cdf.confidence_interval(**options)


@given(seeds, st.integers(3, 9), st.integers(3, 9), st.sampled_from("dlf"))
def test_obriens_terms(seed, m, n, dtype):
    rng = np.random.default_rng(seed)
    a, b = ((20 * rng.standard_normal(k)).astype(dtype) for k in (m, n))
    got, want = xs.obrientransform(tb.array(a), tb.array(b)), ss.obrientransform(a.astype("d"), b.astype("d"))
    assert isinstance(got, tb.ndarray) is (m == n)
    for g, w in zip(got, want, strict=True):
        assert g.dtype == ("f" if dtype == "f" else "d")
        tol = 1e-5 if dtype == "f" else 1e-9  # SciPy's own often gives up in single precision
        np.testing.assert_allclose(g.get(), w.astype("d"), tol, 1e-3 if dtype == "f" else tol)
    assert np.isnan(xs.obrientransform(tb.ones(2)).get()).all()
    with pytest.raises(ValueError, match="vectors"):
        xs.obrientransform(tb.ones((2, 2)))
