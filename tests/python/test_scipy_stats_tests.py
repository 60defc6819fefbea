"""tombacx.scipy.stats' tests of hypotheses and ranks against SciPy's."""

import numpy as np
import pytest
import scipy.stats as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import SCIPY
from test_scipy_stats import close, policies, samples

import tombacx.scipy.stats as xs

pytestmark = pytest.mark.filterwarnings("ignore")
alternatives = st.sampled_from(["two-sided", "less", "greater"])
long = samples("d", min_side=9)


def both(got, want):
    """Statistics and p-values, of float64 as all ours are of such samples."""
    for g, w in zip(got, want, strict=True):
        w = np.asarray(w, "d")
        np.testing.assert_allclose(g.get(), w, 1e-8, 1e-10)
        assert g.shape == w.shape


def steady(a):
    """Whether rounding decides nothing: no sample has elements that are all the same."""
    return np.all(np.nanstd(a) > 0) and np.isfinite(a).all()


@given(samples("h d", nans=True), policies, alternatives, st.sampled_from([0.0, 1.5]))
def test_of_one_mean(pair, policy, alternative, mean):
    a, d, axis = pair
    if np.min(np.sum(~np.isnan(a), axis=axis)) < 2 or np.any(np.nanstd(a, axis=axis) == 0):
        return
    got = xs.ttest_1samp(d, mean, axis, policy, alternative)
    want = ss.ttest_1samp(a, mean, axis, policy, alternative)
    both(got, want)
    np.testing.assert_allclose(tb.asarray(got.df).get(), np.asarray(want.df)) if policy == "omit" else None


@given(samples("d"), st.integers(0, 99), st.booleans(), alternatives)
def test_of_two_means(pair, seed, equal, alternative):
    a, d, axis = pair
    b = a + np.random.default_rng(seed).standard_normal(a.shape)
    if np.any(a.std(axis) == 0):
        return
    options = {"axis": axis, "alternative": alternative}
    both(xs.ttest_ind(d, tb.array(b), equal_var=equal, **options), ss.ttest_ind(a, b, equal_var=equal, **options))
    both(xs.ttest_rel(d, tb.array(b), **options), ss.ttest_rel(a, b, **options))
    if axis is not None:
        got, want = xs.f_oneway(d, tb.array(b), tb.array(b + 1), axis=axis), ss.f_oneway(a, b, b + 1, axis=axis)
        both(got, want)


@given(st.integers(0, 99), st.integers(-2, 1), st.booleans(), st.integers(0, 1))
def test_of_frequencies(seed, axis, given_, ddof):
    rng = np.random.default_rng(seed)
    f = rng.integers(1, 30, (4, 5)).astype("d")
    e = np.broadcast_to(f.mean(axis, keepdims=True), f.shape).copy() if given_ else None
    both(xs.chisquare(tb.array(f), None if e is None else tb.array(e), ddof, axis), ss.chisquare(f, e, ddof, axis))
    with pytest.raises(ValueError, match="sums"):
        xs.chisquare(tb.array(f), tb.array(f + 1))


@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 0, 1]), alternatives)
def test_of_normality(seed, axis, alternative):
    a = np.random.default_rng(seed).standard_gamma(2, (20, 21))
    d = tb.array(a)
    for name in ("skewtest", "kurtosistest"):
        both(getattr(xs, name)(d, axis, alternative=alternative), getattr(ss, name)(a, axis, alternative=alternative))
    both(xs.normaltest(d, axis), ss.normaltest(a, axis))
    both(xs.jarque_bera(d, axis=axis), ss.jarque_bera(a, axis=axis))


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), alternatives)
def test_lines(seed, n, alternative):
    rng = np.random.default_rng(seed)
    x, y = rng.random(n), rng.random(n)
    got, want = xs.linregress(tb.array(x), tb.array(y), alternative), ss.linregress(x, y, alternative)
    both(got if n > 2 else got[:3], want if n > 2 else want[:3])  # of two points SciPy 1.18 says no more
    assert got._fields == ("slope", "intercept", "rvalue", "pvalue", "stderr")


@given(samples(nans=True), st.sampled_from(["average", "min", "max", "dense", "ordinal"]), policies)
def test_ranks(pair, method, policy):
    a, d, axis = pair
    want = ss.rankdata(a, method, axis=axis, nan_policy=policy)
    got = xs.rankdata(d, method, axis=axis, nan_policy=policy)
    if SCIPY >= (1, 18) and not np.isnan(want).any():  # float64 more often than before
        want = want.astype(got.dtype)
    close(got, want)


@given(samples("b H l f d"), st.booleans())
def test_modes(pair, keepdims):
    a, d, axis = pair
    got, want = xs.mode(d, axis, keepdims=keepdims), ss.mode(a, axis, keepdims=keepdims)
    assert got.mode.dtype == a.dtype
    for g, w in zip(got, want, strict=True):
        assert g.shape == np.shape(w)
        np.testing.assert_array_equal(g.get(), w)


def test_modes_of_nan():
    got = xs.mode(tb.array([[1.0, np.nan], [2.0, np.nan], [2.0, 3.0]]))
    np.testing.assert_array_equal(got.mode.get(), [2.0, np.nan])
    assert got.count.tolist() == [2, 2]


@given(st.integers(0, 2**32 - 1), st.integers(3, 9), alternatives)
def test_rank_correlations(seed, n, alternative):
    a = np.random.default_rng(seed).integers(0, 6, (n, 3)).astype("d")
    a[0] = 9
    want = ss.spearmanr(a, alternative=alternative)
    got = xs.spearmanr(tb.array(a), alternative=alternative)
    np.testing.assert_allclose(got.statistic.get(), want.statistic, 1e-9, 1e-12)
    exact = abs(np.asarray(want.statistic)) < 1 - 1e-9
    np.testing.assert_allclose(got.pvalue.get()[exact], np.asarray(want.pvalue)[exact], 1e-8, 1e-12)
    two = xs.spearmanr(tb.array(a[:, 0]), tb.array(a[:, 1]), alternative=alternative)
    assert two.statistic.shape == () and two.statistic.item() == pytest.approx(want.statistic[1, 0], nan_ok=True)


@given(samples(), st.sampled_from([1.0, 2.5, "normal"]))
def test_median_absolute_deviations(pair, scale):
    a, d, axis = pair
    want = ss.median_abs_deviation(a.astype("d"), axis, scale=scale)
    np.testing.assert_allclose(xs.median_abs_deviation(d, axis, scale=scale).get(), want, 1e-5)


@given(samples("h d", positive=True), st.sampled_from([-1, 0, 0.5, 1, 3]), st.booleans())
def test_power_means(pair, p, keepdims):
    a, d, axis = pair
    close(xs.pmean(d, p, axis=axis, keepdims=keepdims), ss.pmean(a.astype("d"), p, axis=axis, keepdims=keepdims))
    close(xs.gstd(d, axis, keepdims=keepdims), ss.gstd(a.astype("d"), axis, keepdims=keepdims))


@pytest.mark.parametrize("p", [-2, 0, 1, 2, 3])
def test_power_means_of_negative_numbers(p):
    a = np.array([[1.0, -2.0, 4.0], [1.0, 2.0, 4.0]])
    close(xs.pmean(tb.array(a), p, axis=1), ss.pmean(a, p, axis=1))


def test_refusals():
    x = tb.arange(4.0)
    for wrong in (lambda: xs.ttest_1samp(x, 0, alternative="wrong"), lambda: xs.rankdata(x, "wrong"),
                  lambda: xs.rankdata(x, nan_policy="wrong"), lambda: xs.ttest_rel(x, x[1:]), lambda: xs.f_oneway(x),
                  lambda: xs.linregress(x, x[1:]), lambda: xs.spearmanr(x), lambda: xs.spearmanr(x, x[1:]),
                  lambda: xs.median_abs_deviation(x, scale="wrong"), lambda: xs.rankdata(x, axis=3),
                  lambda: xs.rankdata(tb.array([np.nan]), nan_policy="raise")):
        with pytest.raises(ValueError):
            wrong()
    for wrong in (lambda: xs.rankdata([1, 2]), lambda: xs.mode(x + 0j), lambda: xs.linregress([1.0], [2.0])):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize("n", [3, 5, 12, 40])
@pytest.mark.parametrize("alternative, falling, rising", [("two-sided", 0, 0), ("less", 0, 1), ("greater", 1, 0)])
def test_rank_correlations_of_one(n, alternative, falling, rising):
    x = tb.arange(float(n))
    for y, r, p in ((x, 1.0, rising), (-x, -1.0, falling)):
        got = xs.spearmanr(x, y, alternative=alternative)
        assert float(got.statistic) == pytest.approx(r) and abs(float(got.statistic)) <= 1
        assert float(got.pvalue) == pytest.approx(p, abs=1e-6)
    got = xs.spearmanr(tb.stack([x, -x, x * x], axis=1), alternative=alternative)
    assert (abs(got.statistic) <= 1).all()
    signs = np.array([[1, -1, 1], [-1, 1, -1], [1, -1, 1]])
    np.testing.assert_allclose(got.pvalue.get(), np.where(signs > 0, rising, falling), atol=1e-6)


# What SciPy gives up to 1.17, which from 1.18 on refuses complex numbers.
COMPLEX_LINES = {
    "x": (-0.10530655437535738 + 0.07142693244550612j, 0.49676672014056517 + 0.026742710582550167j,
          -0.2003361007932131 + 0.13588321470236475j, 0.6080056675059079, 0.23260643893813443 + 0.006467339579914377j),
    "y": (-0.27135379242928337 + 0.2729558408169295j, 0.5241928051314346 + 0.5095709313527284j,
          -0.20413974193138326 + 0.20534496460945176j, 0.5466563124630311, 0.5951283907558866 + 0.024891302018820716j),
    "xy": (-0.11284409749581643 + 0.17735520724767342j, 0.5544260919991337 + 0.6049247963243294j,
           -0.13627329582236647 + 0.21417849191266156j, 0.5998958257795834,
           0.37549765005315305 + 0.010659714272626847j),
}


@pytest.mark.parametrize("where", ["x", "y", "xy"])
def test_lines_through_complex_points(where):
    rng = np.random.default_rng(3)
    x, y = rng.random((2, 7)) + 1j * rng.random((2, 7))
    x, y = x if "x" in where else x.real, y if "y" in where else y.real
    got = xs.linregress(tb.array(x), tb.array(y))
    for name, want in zip(got._fields, COMPLEX_LINES[where], strict=True):
        np.testing.assert_allclose(getattr(got, name).get(), want, 1e-9, err_msg=name)


def test_lines_through_few_points():
    for shape in ((), (0,), (1,)):
        got = xs.linregress(tb.ones(shape), tb.ones(shape))
        assert all(np.isnan(x.get()) and x.shape == () for x in got)
    for x in ([1.0, 1.0], [2, 2, 2]):
        with pytest.raises(ValueError, match="the same"):
            xs.linregress(tb.array(x), tb.arange(float(len(x))))
    assert np.isnan(xs.linregress(tb.array([1.0, np.nan, 1.0]), tb.arange(3.0)).slope.get())


FEW = [(), (0,), (1,), (4,), (7,), (0, 3), (3, 0), (2, 3)]


def alike(got, want):
    """Arrays or tuples of them, NumPy's against ours."""
    if not isinstance(want, tuple):
        got, want = (got,), (want,)
    for g, w in zip(got, want, strict=True):
        g = tb.asnumpy(g)
        assert g.shape == np.shape(w)
        np.testing.assert_allclose(g, np.asarray(w, "d"), 1e-8, 1e-10)


@pytest.mark.parametrize("shape", FEW)
@pytest.mark.parametrize("axis", [0, None])
def test_few_elements(shape, axis):
    a = np.sqrt(np.arange(np.prod(shape, dtype=int)).reshape(shape))
    names = ["mode", "skewtest", "kurtosistest", "normaltest", "jarque_bera", "iqr", "median_abs_deviation", "skew",
             "kurtosis", "moment", "sem", "variation", "gmean", "hmean"]
    for name in names:
        for keepdims in (False, True) if shape and name == "mode" else (False,):
            options = {"axis": axis, **({"keepdims": True} if keepdims else {})}
            alike(getattr(xs, name)(tb.array(a), **options), getattr(ss, name)(a, **options))
    for popmean in (0.0, 1.5):
        alike(xs.ttest_1samp(tb.array(a), popmean, axis), tuple(ss.ttest_1samp(a, popmean, axis)))


@pytest.mark.parametrize("shapes", [((), ()), ((0,), (0,)), ((1,), (1,)), ((1,), (0,)), ((1,), (3,)), ((0,), (3,)),
                                    ((0, 2), (0, 2)), ((2, 0), (2, 0)), ((0, 2), (3, 2)), ((1, 2), (3, 2))])
@pytest.mark.parametrize("equal", [True, False])
def test_two_means_of_few_elements(shapes, equal):
    a, b = (np.sqrt(np.arange(np.prod(s, dtype=int)).reshape(s)) + s.count(1) for s in shapes)
    alike(xs.ttest_ind(tb.array(a), tb.array(b), equal_var=equal), tuple(ss.ttest_ind(a, b, equal_var=equal)))
    if a.shape == b.shape:
        alike(xs.ttest_rel(tb.array(a), tb.array(b)), tuple(ss.ttest_rel(a, b)))


def test_rank_correlations_of_few_elements():
    for n in (0, 1, 2):
        x = np.arange(float(n))
        alike(tuple(xs.spearmanr(tb.array(x), tb.array(x))), tuple(ss.spearmanr(x, x)))
    alike(tuple(xs.spearmanr(tb.ones((0, 3)))), tuple(ss.spearmanr(np.ones((0, 3)))))


def test_numbers_are_samples_of_one():
    x = tb.array(3.0)
    assert float(xs.entropy(x)) == 0 and xs.rankdata(x).tolist() == [1.0]
    got, want = xs.describe(x), ss.describe(np.array(3.0))
    assert got.nobs == want.nobs
    alike((*got.minmax, *got[2:]), (*want.minmax, *want[2:]))
    alike(tuple(xs.chisquare(x)), tuple(ss.chisquare(np.array(3.0))))
    assert xs.mode(tb.array([], "l")).mode.dtype == "d"
    for wrong in (lambda: xs.zscore(x), lambda: xs.skew(x, 1)):
        with pytest.raises(ValueError, match="axis"):
            wrong()


@pytest.mark.parametrize("n", [2, 3, 9])
def test_lines_through_points_on_one_level(n):
    got = xs.linregress(tb.arange(float(n)), tb.full(n, 4.0))
    assert float(got.slope) == 0 and float(got.intercept) == 4 and np.isnan(float(got.rvalue))
    if n == 2:
        assert float(got.pvalue) == 1 and float(got.stderr) == 0
    else:
        assert np.isnan([float(got.pvalue), float(got.stderr), float(got.intercept_stderr)]).all()


def test_policies_and_alternatives_by_their_places():
    x, y = np.random.default_rng(1).normal(size=(2, 30))
    x[3] = np.nan
    for name, args in (("skewtest", (0, "omit", "less")), ("kurtosistest", (0, "omit", "greater"))):
        got, want = getattr(xs, name)(tb.array(x), *args), getattr(ss, name)(x, *args)
        np.testing.assert_allclose(float(got.pvalue), want.pvalue, 1e-9)
    args = "less", "t", "omit"
    got, want = xs.brunnermunzel(tb.array(x), tb.array(y), *args), ss.brunnermunzel(x, y, *args)
    np.testing.assert_allclose(float(got.pvalue), want.pvalue, 1e-9)
