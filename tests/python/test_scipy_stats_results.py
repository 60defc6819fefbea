"""What results of tombacx.scipy.stats' functions have besides their fields, against SciPy's."""

import copy
import pickle

import numpy as np
import pytest
import scipy.stats as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import SCIPY

import tombacx.scipy.stats as xs

pytestmark = pytest.mark.filterwarnings("ignore")
seeds = st.integers(0, 2**32 - 1)
alternatives = st.sampled_from(["two-sided", "less", "greater"])


def same(got, want):
    for g, w in zip(got, want, strict=True):
        w = tb.asnumpy(w)
        assert g.shape == np.shape(w)
        np.testing.assert_allclose(g.get(), w, 1e-8, 1e-10)


@given(seeds, alternatives, st.floats(0.5, 0.99), st.booleans(), st.booleans())
def test_intervals_of_means(seed, alternative, level, equal_var, keepdims):
    x, y = np.random.default_rng(seed).standard_normal((2, 7, 3))
    for name, args, options in (("ttest_1samp", (x, 0.5), {}), ("ttest_rel", (x, y), {}),
                                ("ttest_ind", (x, y[:5]), {"equal_var": equal_var})):
        options = {**options, "alternative": alternative, "keepdims": keepdims}
        want = getattr(ss, name)(*args, **options)
        got = getattr(xs, name)(*(tb.array(a) if isinstance(a, np.ndarray) else a for a in args), **options)
        same(got.confidence_interval(level), want.confidence_interval(level))
        np.testing.assert_allclose(np.broadcast_to(tb.asarray(got.df).get(), np.shape(want.df)), want.df)


@given(seeds, alternatives, st.integers(2, 9), st.floats(0.5, 0.99))
def test_intervals_of_correlations(seed, alternative, n, level):
    x, y = np.random.default_rng(seed).standard_normal((2, n, 2))
    want = ss.pearsonr(x, y, alternative=alternative).confidence_interval(level)
    same(xs.pearsonr(tb.array(x), tb.array(y), alternative=alternative).confidence_interval(level), want)


@given(seeds, st.integers(2 if SCIPY < (1, 18) else 3, 9))  # of two points newer ones give NaN for 0
def test_intercepts(seed, n):
    x, y = np.random.default_rng(seed).standard_normal((2, n, 2))
    got, want = xs.linregress(tb.array(x), tb.array(y)), ss.linregress(x, y)
    same([got.intercept_stderr], [want.intercept_stderr])


def test_levels():
    r = xs.ttest_1samp(tb.array([1.0, 2.0, 4.0]), 0)
    for level in (0, 1, 1.5):
        with pytest.raises(ValueError, match="confidence_level"):
            r.confidence_interval(level)


@given(seeds, st.integers(2, 4))
def test_ranks_with_pairs_left_out(seed, variables):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((9, variables))
    a[rng.random(a.shape) < 0.1] = np.nan
    got, want = xs.spearmanr(tb.array(a), nan_policy="omit"), ss.spearmanr(a, nan_policy="omit")
    if variables > 2:  # SciPy's p-values of a variable with itself are those of rounding
        off = ~np.eye(variables, dtype=bool)
        got, want = [v.get()[off] for v in got], [np.asarray(v)[off] for v in want]
    for g, w in zip(got, want, strict=True):
        np.testing.assert_allclose(getattr(g, "get", lambda g=g: g)(), w, 1e-8, 1e-10)


def test_weights_over_several_axes():
    rng = np.random.default_rng(0)
    a, w = rng.random((2, 3, 4, 5)) + 0.1
    for axis in (None, 1, (0, 2), (1, -1)):
        for name, more in (("gmean", ()), ("hmean", ()), ("pmean", (2,))):
            want = getattr(ss, name)(a, *more, axis=axis, weights=w)
            same([getattr(xs, name)(tb.array(a), *more, axis=axis, weights=tb.array(w))], [want])


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))],
                         ids=["copy", "deepcopy", "pickle"])
def test_results_and_distributions_are_copied(again):
    x, y = tb.array([1.0, 4, 2, 8, 5]), tb.array([2.0, 3, 5, 7, 7])
    test, line = xs.ttest_1samp(x, 3.0), xs.linregress(x, y)
    same(again(test).confidence_interval(), test.confidence_interval())
    assert again(test).df == test.df
    same([*again(line), again(line).intercept_stderr], [*line, line.intercept_stderr])
    for result in (xs.ks_2samp(x, y), xs.pearsonr(x, y)):
        assert type(again(result)) is type(result)
        same(again(result), result)
    assert again(xs.ks_2samp(x, y)).statistic_sign == xs.ks_2samp(x, y).statistic_sign
    same(again(xs.pearsonr(x, y)).confidence_interval(), xs.pearsonr(x, y).confidence_interval())
    assert again(xs.gamma) is xs.gamma
    same([again(xs.gamma(2.0, scale=3)).cdf(x)], [ss.gamma(2.0, scale=3).cdf(x.get())])


def on_device(samples):
    return [tb.array(x) if isinstance(x, np.ndarray) else x for x in samples]


ONE_SAMPLE = ("jarque_bera", "kurtosistest", "normaltest", "shapiro", "skewtest", "wilcoxon")
TWO_SAMPLES = ("alexandergovern", "ansari", "bartlett", "brunnermunzel", "chatterjeexi", "cramervonmises_2samp",
               "epps_singleton_2samp", "f_oneway", "fligner", "kendalltau", "kruskal", "ks_2samp", "levene",
               "linregress", "mannwhitneyu", "mood", "pearsonr", "pointbiserialr", "ranksums", "siegelslopes",
               "theilslopes", "ttest_ind", "ttest_rel", "wilcoxon")


# Of which SciPy gives float32 for samples of it from 1.18 on, as for the others before; ours are float64 beside any.
SINCE_1_18 = {"brunnermunzel", "kendalltau", "ks_2samp", "linregress", "shapiro", "siegelslopes", "theilslopes"}


@pytest.mark.parametrize("name", sorted({*ONE_SAMPLE, *TWO_SAMPLES}))
@pytest.mark.parametrize("dtypes", ["ff", "fd", "df", "fe", "fi", "bf"])
def test_results_have_scipys_dtypes(name, dtypes):
    x, y = np.random.default_rng(5).standard_normal((2, 20)) * 4
    samples = [x.astype(dtypes[0]), y.astype(dtypes[1])] if name in TWO_SAMPLES else [x.astype(dtypes[0])]
    got, want = getattr(xs, name)(*on_device(samples)), getattr(ss, name)(*samples)
    got, want = (tuple(r) if isinstance(want, tuple) else (r.statistic, r.pvalue) for r in (got, want))
    for g, w in zip(got, want, strict=True):
        wanted = np.dtype("d") if name in SINCE_1_18 and SCIPY >= (1, 18) else np.asarray(w).dtype
        assert g.dtype == wanted, (name, dtypes)
        np.testing.assert_allclose(g.get(), w, 2e-3, 1e-4)


@pytest.mark.parametrize("n", [2, 3, 9])
def test_single_precision_intervals(n):
    x, y = np.random.default_rng(1).standard_normal((2, n)).astype("f")
    for name, samples in (("ttest_1samp", (x, 0.25)), ("ttest_rel", (x, y)), ("ttest_ind", (x, y)),
                          ("pearsonr", (x, y))):
        got, want = getattr(xs, name)(*on_device(samples)), getattr(ss, name)(*samples)
        assert got.pvalue.dtype == want.pvalue.dtype == "f"
        np.testing.assert_allclose(got.pvalue.get(), want.pvalue, 1e-3)
        for g, w in zip(got.confidence_interval(), want.confidence_interval(), strict=True):
            assert g.dtype == "f"
            np.testing.assert_allclose(g.get(), w, 1e-3, 1e-4)


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", ["median_abs_deviation", "trim_mean", "entropy", "iqr", "tsem"])
def test_leaving_nan_out_keeps_the_dtype(name, dtype):
    a = np.random.default_rng(2).random((9, 3)).astype(dtype)
    a[0, 0] = a[3, 1] = a[4, 1] = np.nan
    more = (0.2,) if name == "trim_mean" else ()
    got, want = (getattr(m, name)(b, *more, axis=0, nan_policy="omit") for m, b in ((xs, tb.array(a)), (ss, a)))
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, 1e-5)


@pytest.mark.parametrize("axis", [0, (0, 1), (0, 2), (-1, 0), (0, 1, 2), None])
@pytest.mark.parametrize("policy", ["propagate", "omit"])
def test_scores_over_several_axes(axis, policy):
    rng = np.random.default_rng(3)
    a, b = rng.random((2, 2, 3, 4)) + 0.5
    if policy == "omit":
        a[0, 1, 2] = b[1, 2, 3] = np.nan
    for ddof in (0, 1):
        for compare in (b, b[:, :1], b[:, :, ::-1]):
            want = ss.zmap(a, compare, axis=axis, ddof=ddof, nan_policy=policy)
            same([xs.zmap(tb.array(a), tb.array(compare), axis=axis, ddof=ddof, nan_policy=policy)], [want])
        for name in ("zscore", "gzscore"):
            same([getattr(xs, name)(tb.array(a), axis=axis, ddof=ddof, nan_policy=policy)],
                 [getattr(ss, name)(a, axis=axis, ddof=ddof, nan_policy=policy)])


def test_scores_refuse_axes():
    a = tb.ones((2, 3))
    for axis in (2, (0, -3)):
        with pytest.raises(np.exceptions.AxisError):
            xs.zmap(a, a, axis=axis)
    with pytest.raises(ValueError, match="axis"):
        xs.zmap(a, a, axis=(0, 0))


def test_transformations_of_nothing():
    for dtype in "fd":
        x = np.empty(0, dtype)
        for name in ("boxcox", "yeojohnson"):
            got, want = getattr(xs, name)(tb.array(x)), getattr(ss, name)(x)
            assert isinstance(got, tb.ndarray) and got.shape == want.shape == (0,) and got.dtype == want.dtype
            assert getattr(xs, name)(tb.array(x), 0.5).shape == (0,)
        assert xs.boxcox(tb.array(x), alpha=0.1).shape == (0,)
    assert xs.yeojohnson_normmax(tb.empty(0)) == ss.yeojohnson_normmax(np.empty(0)) == 1.0
    same([xs.boxcox(tb.array([1.0, 2.0]), [1, 2])], [ss.boxcox(np.array([1.0, 2.0]), [1, 2])])


@pytest.mark.parametrize("name", ["boxcox", "yeojohnson"])
def test_transformations_of_single_precision(name):
    x = np.random.default_rng(4).random(30).astype("f") + 1
    got, parameter = getattr(xs, name)(tb.array(x))
    want, expected = getattr(ss, name)(x)
    assert got.dtype == want.dtype == "d"
    # SciPy's search ends in the rounding of float32; what it looks for is the double's.
    np.testing.assert_allclose(parameter, getattr(ss, name)(x.astype("d"))[1], 1e-5)
    np.testing.assert_allclose(parameter, expected, 1e-2)


INFINITE = np.array([[1, 2, np.inf, np.nan], [1, -np.inf, np.inf, 2], [np.nan] * 4, [np.inf] * 3 + [np.nan],
                     [1, 2, 3, np.nan], [4, 4, -np.inf, np.inf]])


@pytest.mark.parametrize("name", ["tvar", "tstd", "tsem", "gstd"])
@pytest.mark.parametrize("policy", ["propagate", "omit"])
@pytest.mark.parametrize("axis", [0, 1, None])
def test_spreads_of_infinities(name, policy, axis):
    for a in (INFINITE, INFINITE[:, :3], abs(INFINITE), INFINITE[:, ::-2]):
        for options in ({}, {"limits": (-1, None)}, {"limits": (None, 2.5)}, {"ddof": 0}):
            if name != "gstd" or "limits" not in options:
                try:
                    want = getattr(ss, name)(a, axis=axis, nan_policy=policy, **options)
                except ValueError:  # that a row has nothing within the limits
                    continue
                same([getattr(xs, name)(tb.array(a), axis=axis, nan_policy=policy, **options)], [want])


@pytest.mark.parametrize("axis", [0, 1, None])
@pytest.mark.parametrize("columns", [slice(None), slice(3), slice(0, 2)])
def test_descriptions_of_infinities(axis, columns):
    a = INFINITE[:, columns]
    for rows in (a, a[[1, 5]], a[4:5]):  # without NaN infinities count
        got, want = xs.describe(tb.array(rows), axis, nan_policy="omit"), ss.describe(rows, axis, nan_policy="omit")
        nothing = np.isnan(rows).any()
        for g, w in zip([got.nobs, *got.minmax, got.mean, got.variance],
                        [want.nobs, *want.minmax, want.mean, want.variance], strict=True):
            w = np.ma.filled(w, np.nan) if nothing else w
            np.testing.assert_allclose(*np.broadcast_arrays(tb.asarray(g).get(), np.asarray(w, "d")))


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("n", [3000, 5001])
def test_ranks_in_one_order_but_for_a_pair(alternative, n):
    x = np.arange(float(n))
    once = x.copy()
    once[[5, 6]] = once[[6, 5]]
    for y in (x, -x, once, -once):
        for size in (n, 40):
            got = xs.kendalltau(tb.array(x[:size]), tb.array(y[:size]), alternative=alternative)
            want = ss.kendalltau(x[:size], y[:size], alternative=alternative)
            np.testing.assert_allclose([got.statistic.item(), got.pvalue.item()], want, 1e-9, 1e-300)


def test_pairs_of_different_shapes_without_an_axis():
    x = np.random.default_rng(6).random(12)
    for name in ("kendalltau", "pearsonr", "linregress"):
        options = {} if name == "kendalltau" else {"axis": None}
        got = getattr(xs, name)(tb.array(x.reshape(3, 4)), tb.array(x[::-1]), **options)
        want = getattr(ss, name)(x, x[::-1])
        np.testing.assert_allclose(got[0].get(), want[0], 1e-9)


@pytest.mark.parametrize("ddof", [2, 3, 4])
def test_too_few_elements(ddof):
    for a in (np.array([1.0, 2, 4]), np.array([[1.0, 2, 4], [np.nan, 3, 3]])):
        for name in ("tvar", "tstd", "tsem", "gstd", "zscore"):
            want = getattr(ss, name)(a, axis=-1, ddof=ddof, nan_policy="omit")
            same([getattr(xs, name)(tb.array(a), axis=-1, ddof=ddof, nan_policy="omit")], [want])
        same([xs.zmap(tb.array(a), tb.array(a[..., :3]), axis=-1, ddof=ddof)],
             [ss.zmap(a, a[..., :3], axis=-1, ddof=ddof)])


def test_correlations_by_their_older_name():
    x, y = np.random.default_rng(1).normal(size=(2, 12))
    for name in ("pearsonr", "spearmanr", "kendalltau", "weightedtau", "pointbiserialr"):
        first = x > 0 if name == "pointbiserialr" else x
        got = getattr(xs, name)(tb.array(first), tb.array(y))
        np.testing.assert_allclose(got.correlation.get(), getattr(ss, name)(first, y).correlation, 1e-12)
        assert len(got) == 2 and "pvalue=" in repr(got)
