"""tombacx.scipy.stats' tests by ranks, of variances and of fit, and trimmed and circular statistics against SciPy's."""

import warnings

import numpy as np
import pytest
import scipy.stats as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import SCIPY
from test_scipy_stats import close, policies, samples
from test_scipy_stats_tests import both

import tombacx.scipy.stats as xs

pytestmark = pytest.mark.filterwarnings("ignore")
seeds = st.integers(0, 2**32 - 1)
alternatives = st.sampled_from(["two-sided", "less", "greater"])
sizes = st.integers(2, 14)


def drawn(seed, shapes, tied):
    """NumPy's arrays, with equal elements or without, and the same of tombac."""
    rng = np.random.default_rng(seed)
    host = [rng.integers(-4, 5, s).astype("d") if tied else rng.standard_normal(s) for s in shapes]
    return host, [tb.array(a) for a in host]


@given(seeds, sizes, sizes, st.booleans(), alternatives, st.sampled_from(["auto", "exact", "asymptotic"]),
       st.booleans())
def test_mann_whitney(seed, m, n, tied, alternative, method, continuous):
    host, ours = drawn(seed, ((2, m), (2, n)), tied and method != "exact")
    options = {"alternative": alternative, "method": method, "use_continuity": continuous, "axis": 1}
    both(xs.mannwhitneyu(*ours, **options), ss.mannwhitneyu(*host, **options))


@pytest.mark.parametrize("name, sizes", [("mannwhitneyu", (7, 9)), ("mannwhitneyu", (2, 40)), ("mannwhitneyu", (9, 9)),
                                         ("ansari", (8, 11)), ("ansari", (60, 4)), ("wilcoxon", (13,)),
                                         ("wilcoxon", (20,)), ("wilcoxon", (51,))])
@pytest.mark.parametrize("policy", ["propagate", "omit"])
@pytest.mark.parametrize("spoilt", [False, True])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_method_of_several(name, sizes, policy, spoilt, alternative):
    """Ties in one sample decide of all that SciPy computes together: of those without NaN."""
    if name == "wilcoxon" and SCIPY < (1, 16):
        pytest.skip("SciPy's method of several samples was another")
    rng = np.random.default_rng(2)
    host = [rng.standard_normal((4, n)) for n in sizes]
    host[0][1, 1] = host[0][1, 0]
    if spoilt:
        host[0][2, 0] = np.nan
    options = {"alternative": alternative, "nan_policy": policy, "axis": 1}
    ours, theirs = getattr(xs, name), getattr(ss, name)
    both(ours(*map(tb.array, host), **options), theirs(*host, **options))
    whole = [np.delete(x, 1, 0) for x in host]
    both(ours(*map(tb.array, whole), **options), theirs(*whole, **options))


def test_mann_whitney_of_many():
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal(8), rng.standard_normal(400) + 0.2
    both(xs.mannwhitneyu(tb.array(x), tb.array(y)), ss.mannwhitneyu(x, y))
    both(xs.mannwhitneyu(tb.array(x), tb.array(y), method="exact"), ss.mannwhitneyu(x, y, method="exact"))


@given(seeds, st.integers(2, 60), st.booleans(), alternatives, st.sampled_from(["wilcox", "pratt", "zsplit"]),
       st.booleans(), st.sampled_from(["auto", "asymptotic", "approx"]))
def test_wilcoxon(seed, n, tied, alternative, zeros, correction, method):
    (x,), (d,) = drawn(seed, (n,), tied)
    if not x.any():
        return
    if tied:
        method = "asymptotic"
    options = {"zero_method": zeros, "correction": correction, "alternative": alternative, "method": method}
    both(xs.wilcoxon(d, **options), ss.wilcoxon(x, **options))
    (a, b), (c, e) = drawn(seed, ((n, 2), (n, 2)), False)
    both(xs.wilcoxon(c, e, **options), ss.wilcoxon(a, b, **options))


@given(seeds, st.integers(1, 40), alternatives, st.sampled_from(["wilcox", "pratt", "zsplit"]))
def test_wilcoxon_of_ties_by_the_distribution_without(seed, n, alternative, zeros):
    """Differences of 0 that are not there are not counted, and sums of ranks that are no whole numbers are taken for
    those next to them, whichever is more likely (SciPy from 1.13)."""
    x = np.random.default_rng(seed).integers(-3, 4, (4, n)).astype("d")
    options = {"zero_method": zeros, "alternative": alternative, "method": "exact", "axis": 1}
    both(xs.wilcoxon(tb.array(x), **options), ss.wilcoxon(x, **options))


@given(seeds, st.integers(2, 13), alternatives, st.sampled_from(["wilcox", "pratt", "zsplit"]))
def test_wilcoxon_of_few_with_ties(seed, n, alternative, zeros):
    """Of all signs that the ranks may have, as SciPy goes through them."""
    x = np.random.default_rng(seed).integers(-3, 4, (5, n)).astype("d")
    x[:, 0] = 2
    options = {"zero_method": zeros, "alternative": alternative}
    together = xs.wilcoxon(tb.array(x), axis=1, **options)
    for i, line in enumerate(x):
        want = ss.wilcoxon(line, **options)
        both(xs.wilcoxon(tb.array(line), **options), want)
        close(together.pvalue[i], want.pvalue)


@given(seeds, sizes, sizes, st.booleans(), alternatives)
def test_two_samples_by_ranks(seed, m, n, tied, alternative):
    host, ours = drawn(seed, ((m, 3), (n, 3)), tied)
    both(xs.ranksums(*ours, alternative), ss.ranksums(*host, alternative))
    for distribution in ("t", "normal"):
        want = ss.brunnermunzel(*host, alternative, distribution)
        got = xs.brunnermunzel(*ours, alternative, distribution)
        fine = np.isfinite(want.statistic) & np.isfinite(want.pvalue)
        np.testing.assert_allclose(got.statistic.get()[fine], want.statistic[fine], 1e-9, 1e-9)
        np.testing.assert_allclose(got.pvalue.get()[fine], want.pvalue[fine], 1e-8, 1e-10)


@given(seeds, st.lists(st.integers(3, 9), min_size=2, max_size=4), st.booleans(), st.sampled_from([0, None]))
def test_several_samples(seed, lengths, tied, axis):
    host, ours = drawn(seed, [(n, 2) for n in lengths], tied)
    for center in ("median", "mean", "trimmed"):
        for name in ("levene", "fligner"):
            options = {"center": center, "proportiontocut": 0.15, "axis": axis}
            got, want = getattr(xs, name)(*ours, **options), getattr(ss, name)(*host, **options)
            fine = np.isfinite(want.statistic)
            np.testing.assert_allclose(got.statistic.get()[fine], np.asarray(want.statistic)[fine], 1e-8, 1e-10)
            np.testing.assert_allclose(got.pvalue.get()[fine], np.asarray(want.pvalue)[fine], 1e-8, 1e-10)
    if not tied:
        both(xs.kruskal(*ours, axis=axis), ss.kruskal(*host, axis=axis))
        both(xs.bartlett(*ours, axis=axis), ss.bartlett(*host, axis=axis))


@given(seeds, st.integers(3, 5), st.integers(2, 9), st.booleans())
def test_friedman(seed, k, n, tied):
    host, ours = drawn(seed, [(n, 2)] * k, tied)
    want = ss.friedmanchisquare(*host)
    if np.isfinite(want.statistic).all():
        both(xs.friedmanchisquare(*ours), want)


@given(seeds, st.sampled_from([2, 5, 33, 34, 100, 700, 40_000]), st.booleans(), alternatives, st.sampled_from("bc"))
def test_kendall(seed, n, tied, alternative, variant):
    host, ours = drawn(seed, ((n,), (n,)), tied)
    options = {"alternative": alternative, "variant": variant}
    both(xs.kendalltau(*ours, **options), ss.kendalltau(*host, **options))
    mixed = host[0] + (np.arange(n) % 7 if tied else host[1])
    want = ss.kendalltau(host[0], mixed, **options)
    both(xs.kendalltau(ours[0], tb.array(mixed), **options), want)


@given(seeds, st.integers(1, 40), alternatives, st.sampled_from(["auto", "exact", "approx", "asymp"]))
def test_kolmogorov_of_one(seed, n, alternative, method):
    (x,), (d,) = drawn(seed, ((3, n),), False)
    got = xs.ks_1samp(d, xs.norm.cdf, (0.1,), alternative, method, axis=1)
    for i, row in enumerate(x):
        want = ss.ks_1samp(row, ss.norm.cdf, (0.1,), alternative, method)
        np.testing.assert_allclose([v.get()[i] for v in got], want, 1e-8, 1e-10)
        assert got.statistic_location.get()[i] == want.statistic_location
        assert got.statistic_sign.get()[i] == want.statistic_sign
    both(xs.kstest(d[0], "norm"), ss.kstest(x[0], "norm"))


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("sizes", [(30, 17), (10_500, 800)])
def test_kolmogorov_of_two(alternative, sizes):
    (x, y), (a, b) = drawn(4, sizes, False)
    for method in ("auto", "asymp"):
        got, want = xs.ks_2samp(a, b, alternative, method), ss.ks_2samp(x, y, alternative, method)
        both(got, want)
        assert got.statistic_location.item() == want.statistic_location
        assert got.statistic_sign.item() == want.statistic_sign
    both(xs.kstest(a, b, alternative=alternative), ss.kstest(x, y, alternative=alternative))
    assert 0 <= xs.kstest("norm", "norm", N=5).pvalue.item() <= 1


@given(seeds, st.integers(1, 60), st.booleans(), alternatives, st.sampled_from(["auto", "exact"]))
def test_kolmogorov_of_two_as_long(seed, n, tied, alternative, method):
    (x, y), (a, b) = drawn(seed, (n, n), tied)
    for shift in (0, 0.3, 9):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            want = ss.ks_2samp(x, y + shift, alternative, method)
        got = xs.ks_2samp(a, b + shift, alternative, method)
        if any("Switching" in str(w.message) for w in told):  # its exact probability is above 1, by rounding
            want = want.statistic, 1.0
        np.testing.assert_allclose([v.item() for v in got], tuple(want), 1e-12)
        # Rounding decides which of several equal distances SciPy names.
        at = got.statistic_location.item()
        apart = np.mean(x <= at) - np.mean(y + shift <= at)
        np.testing.assert_allclose(abs(apart), want.statistic, 1e-12, 1e-12)
        assert got.statistic_sign.item() in ([-1, 1] if abs(apart) < 1e-12 else [np.sign(apart)])


def test_kolmogorov_of_many_as_long():
    (x, y), (a, b) = drawn(5, (3000, 3000), False)
    for shift in (0, 0.01, 0.1, 0.5):
        got, want = xs.ks_2samp(a, b + shift), ss.ks_2samp(x, y + shift)
        np.testing.assert_allclose([v.item() for v in got], want, 1e-11)


@given(seeds, st.integers(2, 60), st.integers(2, 60), st.booleans(), st.floats(0, 3),
       st.sampled_from(["auto", "asymptotic", "exact"]))
def test_cramer_of_two(seed, m, n, tied, shift, method):
    if method == "exact":
        m, n = min(m, 9), min(n, 9)
    (x, y), (a, b) = drawn(seed, ((2, m), (2, n)), tied)
    got, want = (f.cramervonmises_2samp(u, v + shift, method, axis=1) for f, u, v in ((xs, a, b), (ss, x, y)))
    np.testing.assert_allclose(got.statistic.get(), want.statistic, 1e-12)
    np.testing.assert_allclose(got.pvalue.get(), want.pvalue, 1e-6, 2e-7)  # SciPy leaves out terms below 1e-7
    alone = xs.cramervonmises_2samp(a[1], b[1] + shift, method)
    np.testing.assert_allclose([v.item() for v in alone], [v.get()[1] for v in got], 1e-11, 1e-13)


@given(seeds, st.sampled_from([None, 0, 1, -1, 0.5, "cressie-read", "neyman", "freeman-tukey"]),
       st.sampled_from([0, 1, None]), st.booleans())
def test_divergences(seed, power, axis, given_):
    f = np.random.default_rng(seed).integers(1, 30, (4, 5)).astype("d")
    e = np.broadcast_to(f.mean(axis, keepdims=True), f.shape).copy() if given_ and axis is not None else None
    both(xs.power_divergence(tb.array(f), None if e is None else tb.array(e), 1, axis, power),
         ss.power_divergence(f, e, 1, axis, power))


@given(seeds, st.sampled_from(["fisher", "pearson", "tippett", "stouffer", "mudholkar_george"]),
       st.sampled_from([0, 1, None]))
def test_p_values(seed, method, axis):
    p = np.random.default_rng(seed).random((3, 4))
    both(xs.combine_pvalues(tb.array(p), method, axis=axis), ss.combine_pvalues(p, method, axis=axis))
    if method == "stouffer":
        both(xs.combine_pvalues(tb.array(p), method, tb.array(p + 1), axis=axis),
             ss.combine_pvalues(p, method, p + 1, axis=axis))
    for control in ("bh", "by"):
        got = xs.false_discovery_control(tb.array(p), axis=axis, method=control)
        np.testing.assert_allclose(got.get(), ss.false_discovery_control(p, axis=axis, method=control), 1e-10)


@given(seeds, st.booleans(), alternatives)
def test_means_by_what_is_known(seed, equal, alternative):
    rng = np.random.default_rng(seed)
    known = [rng.random(3), rng.random(3) + 1, rng.integers(3, 9, 3), rng.random(3), rng.random(3) + 1, 5]
    ours = [tb.array(v) if isinstance(v, np.ndarray) else v for v in known]
    both(xs.ttest_ind_from_stats(*ours, equal, alternative), ss.ttest_ind_from_stats(*known, equal, alternative))
    x, y = rng.random(9) < 0.5, rng.random(9)
    if 0 < x.sum() < 9:
        both(xs.pointbiserialr(tb.array(x), tb.array(y)), ss.pointbiserialr(x, y))


# ---- within limits, and of angles ------------------------------------------------------------------------------------

limits = st.sampled_from([None, (None, 1.0), (-1.0, None), (-1.0, 2.0), (5.0, 1.0)])


def trimmed(package, name, x, options, *limit):
    """None where it is refused: nothing is within the limits."""
    try:
        return getattr(package, name)(x, *limit, **options)
    except ValueError:
        return None


@given(samples("h f d", nans=True), limits, st.booleans(), st.booleans(), policies, st.booleans())
def test_within_limits(pair, limit, low, high, policy, keepdims):
    a, d, axis = pair
    a = a.astype("d") if a.dtype.kind != "f" else a
    options = {"limits": limit, "inclusive": (low, high), "axis": axis, "nan_policy": policy, "keepdims": keepdims}
    for name in ("tmean", "tvar", "tstd", "tsem"):
        got, want = (trimmed(f, name, x, options) for f, x in ((xs, d), (ss, a)))
        if got is None or want is None:
            assert got is want
            continue
        want = np.asarray(want)
        assert got.shape == want.shape
        tol = 1e-3 if a.dtype == "f" else 1e-8
        fine = np.isfinite(want) & np.isfinite(got.get())
        np.testing.assert_allclose(got.get()[fine], want[fine], tol, tol)
        if name in ("tmean", "tvar"):
            np.testing.assert_array_equal(np.isnan(got.get()), np.isnan(want))
    options = {"axis": axis, "keepdims": keepdims}
    if not np.isnan(a).any():
        for name, i in (("tmin", 0), ("tmax", 1)):
            limit_ = None if limit is None else limit[i]
            got, want = (trimmed(f, name, x, {"inclusive": low, **options}, limit_) for f, x in ((xs, d), (ss, a)))
            if got is None or want is None:
                assert got is want
            else:
                np.testing.assert_allclose(got.get(), want, 1e-6)


@pytest.mark.parametrize("name, limit", [("tmin", 9), ("tmax", -9), ("tmean", (7, 9)), ("tvar", (7, 9)),
                                         ("tstd", (7, 9)), ("tsem", (None, -9))])
@pytest.mark.parametrize("policy", ["propagate", "omit"])
def test_nothing_within_limits(name, limit, policy):
    nan = np.nan
    for a in (np.arange(3.0), np.arange(3), np.array([1.0, nan, 2]), np.full(3, nan), np.arange(6.0).reshape(2, 3),
              np.array([[1.0, nan], [2, 3]]), np.array([[1.0, 8], [2, 8.5]]), np.array([[1.0, nan], [nan, 8]]),
              np.empty(0)):
        for axis in range(a.ndim):
            options = {"axis": axis, "nan_policy": policy}
            got, want = (trimmed(f, name, x, options, limit) for f, x in ((xs, tb.array(a)), (ss, a)))
            if got is None or want is None:
                assert got is want, (a, axis)
            else:
                np.testing.assert_allclose(got.get(), want, 1e-7)


@given(samples("h f d"), st.sampled_from([0.0, 0.1, 0.3, 0.5]))
def test_cut_off(pair, part):
    a, d, axis = pair
    tails = {"right": lambda x: xs.trim1(x, part, "right", axis), "left": lambda x: xs.trim1(x, part, "left", axis)}
    at = 0 if axis is None else axis
    for tail, f in tails.items():
        want = ss.trim1(a, part, tail, axis)
        np.testing.assert_array_equal(np.sort(f(d).get(), axis=at), np.sort(want, axis=at))
    if part < 0.5:
        want = ss.trimboth(a, part, axis)
        np.testing.assert_array_equal(np.sort(xs.trimboth(d, part, axis).get(), axis=at), np.sort(want, axis=at))


@given(seeds, st.sampled_from([1.5, 2.0, 4.0]))
def test_far_elements(seed, low):
    a = np.random.default_rng(seed).standard_t(2, (5, 12))
    got, want = xs.sigmaclip(tb.array(a), low, 2.5), ss.sigmaclip(a, low, 2.5)
    np.testing.assert_array_equal(got.clipped.get(), want.clipped)
    np.testing.assert_allclose([got.lower.item(), got.upper.item()], [want.lower, want.upper], 1e-9)


@given(samples("f d", nans=True), policies, st.booleans(), st.sampled_from([(2 * np.pi, 0), (180, -180), (24, 0)]))
def test_angles(pair, policy, keepdims, turn):
    a, d, axis = pair
    options = {"high": turn[0], "low": turn[1], "axis": axis, "nan_policy": policy, "keepdims": keepdims}
    tol = (2e-3 if a.dtype == "f" else 1e-6) * max((turn[0] - turn[1]) / 6, 1)  # of the unit: roots of roundings
    for name in ("circvar", "circstd"):
        got, want = getattr(xs, name)(d, **options), np.asarray(getattr(ss, name)(a.astype("d"), **options))
        assert got.shape == want.shape
        agree = (np.asarray(ss.circvar(a.astype("d"), **options)) < 0.99) | np.isnan(want)  # else rounding decides
        np.testing.assert_allclose(got.get()[agree], want[agree], tol, tol)
    got, want = xs.circmean(d, **options), np.asarray(ss.circmean(a.astype("d"), **options))
    whole = turn[0] - turn[1]
    agree = np.asarray(ss.circvar(a.astype("d"), **options)) < 0.99
    apart = (got.get() - want + whole / 2) % whole - whole / 2
    assert (np.abs(apart[agree]) < 1e-2 * whole).all()
    close(xs.circstd(tb.array([0.5, 1.0]), normalize=True), ss.circstd([0.5, 1.0], normalize=True))


@given(seeds, st.integers(0, 1), st.booleans())
def test_directions(seed, axis, normalize):
    v = np.random.default_rng(seed).standard_normal((4, 5, 3))
    got = xs.directional_stats(tb.array(v), axis=axis, normalize=normalize)
    want = ss.directional_stats(v, axis=axis, normalize=normalize)
    close(got.mean_direction, want.mean_direction)
    close(got.mean_resultant_length, want.mean_resultant_length)


@given(samples("h d", min_side=5, nans=True), policies, st.integers(1, 4), st.booleans())
def test_k_statistics(pair, policy, n, keepdims):
    a, d, axis = pair
    options = {"axis": axis, "nan_policy": policy, "keepdims": keepdims}
    for name in ("kstat", "kstatvar") if n < 3 else ("kstat",):
        got, want = getattr(xs, name)(d, n, **options), np.asarray(getattr(ss, name)(a.astype("d"), n, **options))
        fine = np.isfinite(want)
        assert got.shape == want.shape
        np.testing.assert_allclose(got.get()[fine], want[fine], 1e-7, 1e-7 * np.max(abs(want[fine]), initial=1))


@given(samples("h d", positive=True), st.integers(0, 1))
def test_geometric_scores(pair, ddof):
    a, d, axis = pair
    if np.all(a.std(axis) > 0):
        close(xs.gzscore(d, axis=axis, ddof=ddof), ss.gzscore(a.astype("d"), axis=axis, ddof=ddof))


def test_what_is_refused():
    x = tb.arange(5.0)
    for wrong in (lambda: xs.mannwhitneyu(x, x, method="wrong"), lambda: xs.mannwhitneyu(x, x, alternative="wrong"),
                  lambda: xs.wilcoxon(x, zero_method="wrong"), lambda: xs.kruskal(x), lambda: xs.bartlett(x),
                  lambda: xs.friedmanchisquare(x, x), lambda: xs.friedmanchisquare(x, x, x[1:]),
                  lambda: xs.levene(x, x, center="wrong"), lambda: xs.kendalltau(x, x[1:]),
                  lambda: xs.kendalltau(x, x, variant="a"), lambda: xs.brunnermunzel(x, x, distribution="wrong"),
                  lambda: xs.ks_1samp(x, xs.norm.cdf, method="wrong"), lambda: xs.kstest(x, "wrong"),
                  lambda: xs.power_divergence(x, lambda_="wrong"), lambda: xs.combine_pvalues(x, "wrong"),
                  lambda: xs.false_discovery_control(x), lambda: xs.trimboth(x, 0.7), lambda: xs.trim1(x, 0.1, "up"),
                  lambda: xs.kstat(x, 5), lambda: xs.kstatvar(x, 3), lambda: xs.directional_stats(x),
                  lambda: xs.circmean(x, axis=2), lambda: xs.tmean(x, nan_policy="wrong")):
        with pytest.raises(ValueError):
            wrong()
    for wrong in (lambda: xs.mannwhitneyu([1.0], x), lambda: xs.kendalltau(x + 0j, x), lambda: xs.circvar(x + 0j)):
        with pytest.raises(TypeError):
            wrong()
    bad = tb.array([1.0, np.nan, 3.0, 4.0])
    for f in (lambda: xs.mannwhitneyu(bad, x), lambda: xs.wilcoxon(bad), lambda: xs.kruskal(bad, x),
              lambda: xs.ks_1samp(bad, xs.norm.cdf), lambda: xs.levene(bad, x), lambda: xs.bartlett(bad, x)):
        assert np.isnan(f().statistic.item()) and np.isnan(f().pvalue.item())


@pytest.mark.parametrize("a", [
    np.array([2**53 + 1, 2**53 + 3]), np.array([1, 2], "B"), np.array([True, False]), np.array([[1, 2], [3, 9]], "h"),
    np.array([], int), np.array([1.0, np.nan], "f"),
], ids=str)
@pytest.mark.parametrize("limit", [None, 2, 2.5, 4, 2**53 + 2])
def test_extremes_keep_dtype_and_value(a, limit):
    for name in ("tmin", "tmax"):
        for options in ({}, {"axis": None}, {"inclusive": False}, {"axis": -1, "keepdims": True}):
            got, want = (trimmed(f, name, x, options, limit) for f, x in ((xs, tb.array(a)), (ss, a)))
            if got is None or want is None:
                assert got is want
            else:
                assert got.dtype == want.dtype
                np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("a", [[1.0, np.nan, 3.0], [1.0, np.inf, 3.0], []])
def test_limits_of_what_is_clipped_away(a):
    got = xs.sigmaclip(tb.array(np.array(a)))
    assert got.clipped.size == 0
    assert np.isnan([got.lower.item(), got.upper.item()]).all()


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_wilcoxon_says_how_far_off(alternative):
    x = np.random.default_rng(1).normal(0.3, 1, (20, 3))
    for options in ({}, {"correction": True}, {"axis": None}, {"keepdims": True, "zero_method": "zsplit"}):
        for method in ("asymptotic", "approx"):
            got = xs.wilcoxon(tb.array(x), alternative=alternative, method=method, **options)
            want = ss.wilcoxon(x, alternative=alternative, method=method, **options)
            np.testing.assert_allclose(got.zstatistic.get(), want.zstatistic, 1e-12)
            assert len(got) == 2 and got.zstatistic.shape == got.pvalue.shape
    assert not hasattr(xs.wilcoxon(tb.array(x), method="exact"), "zstatistic")
