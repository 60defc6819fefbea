"""Bins, densities, distances, tables, transformations and tests of tombacx.scipy.stats against SciPy's."""

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


def same(got, want, rtol=1e-9, atol=1e-9):
    assert type(got) is tb.ndarray and got.shape == np.shape(want)
    np.testing.assert_allclose(got.get(), want, rtol, atol)


def all_same(got, want, **tolerances):
    for g, w in zip(got, want, strict=True):
        same(g, w, **tolerances)


STATISTICS = ["mean", "std", "median", "count", "sum", "min", "max"]


@given(seeds, st.integers(1, 40), st.sampled_from([*STATISTICS, "function"]), st.sampled_from("di"), st.booleans(),
       st.booleans(), st.sampled_from([0.0, 0.2]))
def test_bins(seed, n, statistic, dtype, ranged, edged, nans):
    rng = np.random.default_rng(seed)
    x = np.round(rng.standard_normal(n) * 4).astype(dtype)
    v = rng.standard_normal((2, n))
    v[rng.random(v.shape) < nans] = np.nan
    bins, limits = (np.array([-3.0, -1.0, 0.5, 4.0]) if edged else 5), ((-4, 3) if ranged and not edged else None)
    ours, theirs = (lambda a: a.max() - a[0], lambda a: a.max() - a[0]) if statistic == "function" else [statistic] * 2
    want = ss.binned_statistic(x, v[0], theirs, bins, limits)
    got = xs.binned_statistic(tb.array(x), tb.array(v[0]), ours, tb.array(bins) if edged else bins, limits)
    all_same(got, want)
    want = ss.binned_statistic(x, v, theirs, bins, limits)
    all_same(xs.binned_statistic(tb.array(x), tb.array(v), ours, bins, limits), want)


@given(seeds, st.integers(1, 40), st.sampled_from(STATISTICS), st.booleans())
def test_bins_of_several_dimensions(seed, n, statistic, expand):
    rng = np.random.default_rng(seed)
    p, v = rng.standard_normal((n, 3)), rng.standard_normal(n)
    want = ss.binned_statistic_dd(p, v, statistic, [2, 3, 4], expand_binnumbers=expand)
    got = xs.binned_statistic_dd(tb.array(p), tb.array(v), statistic, [2, 3, 4], expand_binnumbers=expand)
    same(got.statistic, want.statistic)
    same(got.binnumber, want.binnumber)
    all_same(got.bin_edges, want.bin_edges)
    all_same(xs.binned_statistic_2d(*map(tb.array, p.T[:2]), None, "count", 3),
             ss.binned_statistic_2d(*p.T[:2], None, "count", 3))
    with pytest.raises((TypeError, ValueError)):
        xs.binned_statistic_dd(tb.array(p), None, "mean", 3)
    for bins, limits in ((3, None), ([2, 4], [(-1, 1), (-0.5, 2)])):
        want = ss.binned_statistic_2d(*p.T[:2], v, statistic, bins, limits, expand)
        all_same(xs.binned_statistic_2d(*map(tb.array, p.T[:2]), tb.array(v), statistic, bins, limits, expand), want)


@given(seeds, st.integers(2, 30), st.integers(2, 9), st.booleans(), st.booleans())
def test_frequencies(seed, n, bins, limited, weighted):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(n)
    options = {"numbins": bins, "defaultreallimits": (-1, 1.5) if limited else None}
    w = rng.random(n) if weighted else None
    for name in ("cumfreq", "relfreq"):
        want = getattr(ss, name)(x, weights=w, **options)
        got = getattr(xs, name)(tb.array(x), weights=None if w is None else tb.array(w), **options)
        by_number = name == "relfreq" and weighted and SCIPY < (1, 18)
        same(got[0], want[0] * n / w.sum() if by_number else want[0])
        np.testing.assert_allclose(got[1:], want[1:])
        if not weighted and n % 2 == 0 and SCIPY < (1, 18):
            rows = x.reshape(2, -1)
            same(getattr(xs, name)(tb.array(rows), **options)[0], getattr(ss, name)(rows, **options)[0])
        with pytest.raises(ValueError):
            getattr(xs, name)(tb.array(x), weights=tb.ones(n + 1))


@given(seeds, st.integers(1, 3), st.integers(5, 30), st.sampled_from(["scott", "silverman", 0.4, None]), st.booleans())
def test_densities(seed, d, n, method, weighted):
    rng = np.random.default_rng(seed)
    x, y, w = rng.standard_normal((d, n)), rng.standard_normal((d, 7)) * 2, rng.random(n) if weighted else None
    theirs = ss.gaussian_kde(x, method, w)
    ours = xs.gaussian_kde(tb.array(x), method, None if w is None else tb.array(w))
    for name in ("covariance", "inv_cov", "weights", "dataset"):
        same(getattr(ours, name), getattr(theirs, name), 1e-7)
    assert ours.factor == pytest.approx(theirs.factor) and ours.neff == pytest.approx(theirs.neff)
    assert (ours.d, ours.n) == (theirs.d, theirs.n)
    for name in ("evaluate", "pdf", "logpdf", "__call__"):
        same(getattr(ours, name)(tb.array(y)), getattr(theirs, name)(y), 1e-8, 1e-10)
    far = np.full((d, 1), 60.0)
    assert np.isfinite(ours.logpdf(tb.array(far)).get()).all() and np.isfinite(theirs.logpdf(far)).all()
    mean, cov = np.arange(d) / 2, np.eye(d) + 0.1
    same(ours.integrate_gaussian(mean, cov), theirs.integrate_gaussian(mean, cov), 1e-8)
    same(ours.integrate_kde(ours), theirs.integrate_kde(theirs), 1e-8)
    if d == 1:
        same(ours.integrate_box_1d(-0.5, 1.0), theirs.integrate_box_1d(-0.5, 1.0))
        same(ours(0.25), theirs(0.25), 1e-8)
    else:
        same(ours.marginal([1, 0])(tb.array(y[:2])), theirs.marginal([1, 0])(y[:2]), 1e-8)
    drawn = ours.resample(4, seed=3)
    assert drawn.shape == (d, 4)
    same(ours.resample(4, seed=3), drawn.get())


def test_random_numbers_of_densities():
    kde = xs.gaussian_kde(tb.array([-5.0, 0.0, 7.0]), 0.1, tb.array([1.0, 2.0, 1.0]))
    drawn = kde.resample(4000, seed=0).get()[0]
    assert ss.kstest(drawn, lambda x: np.vectorize(lambda v: kde.integrate_box_1d(-np.inf, v).item())(x)).pvalue > 1e-4


@given(seeds, st.integers(1, 30), st.integers(1, 30), st.booleans(), st.booleans())
def test_distances(seed, m, n, weighted, tied):
    rng = np.random.default_rng(seed)
    u, v = rng.standard_normal(m), rng.standard_normal(n)
    u, v = (np.round(u), np.round(v)) if tied else (u, v)
    w = (rng.random(m) + 0.1, rng.random(n)) if weighted else ()
    for name in ("wasserstein_distance", "energy_distance"):
        got = getattr(xs, name)(*map(tb.array, (u, v, *w)))
        same(got, getattr(ss, name)(u, v, *w))


@given(seeds, st.sampled_from([(2, 2), (3, 4), (2, 2, 3), (5,), (1, 3)]), st.booleans(),
       st.sampled_from([None, "log-likelihood", 0.5]))
def test_tables(seed, shape, correction, power):
    table = np.random.default_rng(seed).integers(1, 30, shape)
    want = ss.chi2_contingency(table, correction, power)
    got = xs.chi2_contingency(tb.array(table), correction, power)
    assert got.dof == want.dof
    all_same((got.statistic, got.pvalue, got.expected_freq), (want.statistic, want.pvalue, want.expected_freq))


@given(seeds, st.sampled_from(["two-sided", "less", "greater"]), st.sampled_from([3, 12, 300]))
def test_small_tables(seed, alternative, most):
    table = np.random.default_rng(seed).integers(0, most, (2, 2))
    want = ss.fisher_exact(table, alternative)
    all_same(xs.fisher_exact(tb.array(table), alternative), want, rtol=1e-7)


@given(seeds, st.integers(0, 20))
def test_tie_corrections(seed, n):
    ranks = ss.rankdata(np.random.default_rng(seed).integers(0, 8, n))
    same(xs.tiecorrect(tb.array(ranks)), ss.tiecorrect(ranks))


@given(seeds, st.integers(5, 40))
def test_transformations(seed, n):
    x = np.random.default_rng(seed).lognormal(size=n)
    d = tb.array(x)
    for lmb in (0.0, 0.7, -1.0, 2.0):
        same(xs.boxcox(d, lmb), ss.boxcox(x, lmb))
        same(xs.yeojohnson(d - 1, lmb), ss.yeojohnson(x - 1, lmb))
    (got, found), (want, expected) = xs.boxcox(d), ss.boxcox(x)
    assert found == pytest.approx(expected, abs=1e-5)
    same(got, want, 1e-3, 1e-3)
    np.testing.assert_allclose(xs.boxcox(d, alpha=0.1)[2], ss.boxcox(x, alpha=0.1)[2], atol=1e-4)
    assert xs.boxcox_normmax(d) == pytest.approx(ss.boxcox_normmax(x), abs=1e-4)
    same(xs.boxcox_normmax(d, method="all"), ss.boxcox_normmax(x, method="all"), 1e-4, 1e-4)
    assert xs.yeojohnson(d - 1)[1] == pytest.approx(ss.yeojohnson(x - 1)[1], abs=1e-4)


@given(seeds, st.integers(3, 60), st.booleans())
def test_shapiro(seed, n, tied):
    x = np.random.default_rng(seed).standard_normal((4, n))
    x = np.round(x, 1) if tied else x
    all_same(xs.shapiro(tb.array(x), axis=1), ss.shapiro(x, axis=1), rtol=1e-6, atol=1e-6)


@given(seeds, st.integers(2, 15), st.integers(2, 15), st.booleans(), st.sampled_from(["two-sided", "less", "greater"]))
def test_mood(seed, m, n, tied, alternative):
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((m, 3)), 2 * rng.standard_normal((n, 3))
    if tied:
        x, y = np.round(x), np.round(y)
    want = ss.mood(x, y, alternative=alternative)
    if np.isfinite(want.statistic).all():
        all_same(xs.mood(tb.array(x), tb.array(y), alternative=alternative), want, rtol=1e-7)


def test_refusals():
    x, y = tb.arange(5.0), tb.arange(4.0)
    for wrong in (
            lambda: xs.binned_statistic(x, y), lambda: xs.binned_statistic(x, x, "wrong"),
            lambda: xs.binned_statistic(x, x, bins=[1.0, 0.0]), lambda: xs.binned_statistic(x * np.nan, x),
            lambda: xs.binned_statistic_dd([x, x], x, bins=[1, 2, 3]), lambda: xs.gaussian_kde(x[:1]),
            lambda: xs.gaussian_kde(x, "wrong"), lambda: xs.gaussian_kde(x, weights=y),
            lambda: xs.gaussian_kde(tb.ones((3, 2))), lambda: xs.gaussian_kde(x)(tb.ones((2, 3))),
            lambda: xs.gaussian_kde(tb.random.random((2, 5))).integrate_box_1d(0, 1),
            lambda: xs.wasserstein_distance(x[:0], y), lambda: xs.energy_distance(x, y, y),
            lambda: xs.energy_distance(x, y, -x), lambda: xs.chi2_contingency(-x),
            lambda: xs.chi2_contingency(tb.array([[0, 0], [1, 2]])), lambda: xs.chi2_contingency(x[:0]),
            lambda: xs.fisher_exact(x), lambda: xs.fisher_exact(tb.ones((2, 2)), "wrong"), lambda: xs.boxcox(x),
            lambda: xs.boxcox(x[1:2]), lambda: xs.boxcox(tb.ones((2, 2))), lambda: xs.boxcox_normmax(y + 1, method="x"),
            lambda: xs.yeojohnson(x / 0), lambda: xs.alexandergovern(x), lambda: xs.cramervonmises_2samp(x, y, "wrong"),
            lambda: xs.mood(x, y, alternative="wrong")):
        with pytest.raises(ValueError):
            wrong()
    for wrong in (lambda: xs.binned_statistic(x + 1j, x), lambda: xs.gaussian_kde(x + 1j),
                  lambda: xs.boxcox([1.0, 2.0]), lambda: xs.chi2_contingency([[1, 2], [3, 4]]),
                  lambda: xs.energy_distance(x, y + 1j),
                  lambda: xs.tiecorrect([1.0])):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize("point", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("statistic", ["sum", "std", "median", "count"])
@pytest.mark.parametrize("options", [{}, {"range": (0, 2)}, {"bins": 3, "range": (0, 2)}, {"bins": [0, 1, 2]}], ids=str)
def test_bins_of_points_that_are_not_finite(point, statistic, options):
    """As SciPy takes them from 1.18 on: infinite ones where no edges are to be found from them, and no NaN."""
    finite, v = np.array([1.0, 0.5, 2.0]), np.array([1.0, 2.0, 4.0, 8.0])
    x = np.append(finite, point)
    plane = {key: [value] * 2 if key == "range" else value for key, value in options.items()}
    for name, dims, given_ in (("binned_statistic", 1, options), ("binned_statistic_2d", 2, plane)):
        def ours(given_=given_, name=name, dims=dims):
            return getattr(xs, name)(*[tb.array(x)] * dims, tb.array(v), statistic, **given_)

        if np.isnan(point) or not options:
            with pytest.raises(ValueError, match="finite"):
                ours()
        else:
            want = getattr(ss, name)(*[finite] * dims, v[:-1], statistic, **given_)
            got = ours()
            same(got.statistic, want.statistic)
            np.testing.assert_array_equal(got.binnumber.get()[:-1], want.binnumber)


@pytest.mark.parametrize("limits", [[None, (0, 2)], [(0, 2), None]], ids=str)
@pytest.mark.parametrize("place", [0, 1])
def test_infinite_points_along_one_dimension(limits, place):
    points, v = np.array([[1.0, 0.5, 2.0, 1.0], [0.5, 1.0, 2.0, 0.0]]), np.arange(4.0)
    points[place, -1] = np.inf
    if limits[place] is None:
        with pytest.raises(ValueError, match="finite"):
            xs.binned_statistic_dd(tb.array(points.T), tb.array(v), "sum", 3, limits)
    else:
        edges = [np.linspace(0, 2, 4) if pair else np.linspace(x.min(), x.max(), 4)
                 for pair, x in zip(limits, points, strict=True)]
        want = ss.binned_statistic_dd(points.T[:-1], v[:-1], "sum", edges)
        same(xs.binned_statistic_dd(tb.array(points.T), tb.array(v), "sum", 3, limits).statistic, want.statistic)


@pytest.mark.parametrize("name", ["boxcox", "boxcox_normmax"])
@pytest.mark.parametrize("last", [np.inf, np.nan, 0.0])
def test_transformations_of_what_is_not_finite(name, last):
    with pytest.raises(ValueError, match="finite"):
        getattr(xs, name)(tb.array([1.0, 2.0, last]))


@pytest.mark.parametrize("a", [np.arange(4.0), np.arange(8.0).reshape(2, 4), np.arange(8)], ids=str)
@pytest.mark.parametrize("part", [0.5, 0.49, 0.6])
def test_trimmed_means_of_nothing(a, part):
    same(xs.trim_mean(tb.array(a), part), ss.trim_mean(a, part))
    with pytest.raises(ValueError):
        xs.trim_mean(tb.array(a), 1.5)


@pytest.mark.parametrize("name, power", [("gmean", ()), ("hmean", ()), ("pmean", (2,))])
@pytest.mark.parametrize("weights", [[1, 2, 3], np.ones(3, "f"), np.ones(3), np.arange(1, 4)], ids=str)
def test_the_dtype_of_weighted_means(name, power, weights):
    for code in "fdl":
        a = np.array([1, 2, 3], code)
        for dtype in (None, "f"):
            got = getattr(xs, name)(tb.array(a), *power, dtype=dtype, weights=weights)
            want = getattr(ss, name)(a, *power, dtype=dtype, weights=weights)
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got.get(), want, 1e-6)


@pytest.mark.parametrize("p", "Bhlfd")
@pytest.mark.parametrize("q", "Bhlfd")
def test_the_dtype_of_divergences(p, q):
    a, b = np.array([1, 2], p), np.array([3, 2], q)
    got, want = xs.entropy(tb.array(a), tb.array(b)), ss.entropy(a, b)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, 1e-6)


def test_other_names_of_statistics():
    assert xs.binomtest(3, 10).proportion_estimate == 0.3
    result = xs.somersd(tb.array([1, 2, 3, 4]), tb.array([1, 3, 2, 4]))
    assert result.correlation is result.statistic


@pytest.mark.parametrize("a", [[-0.4], [0.4], [0.4, 0.4], [-1.0, 0.5, 3.0], [-3.0, -1.0, -0.5]],
                         ids=str)
def test_searches_for_powers_go_as_far_as_numbers(a):
    np.testing.assert_allclose(xs.yeojohnson_normmax(tb.array(a)), ss.yeojohnson_normmax(np.array(a)), 1e-6, 1e-6)
