"""tombacx.scipy.stats against SciPy's."""

import decimal
import math

import numpy as np
import pytest
import scipy.stats as ss
import tombac as tb
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import layouts, values

import tombacx.scipy.stats as xs

try:
    from tombacx.scipy.special import betainc
except ImportError:
    betainc = None

pytestmark = pytest.mark.filterwarnings("ignore")


@st.composite
def samples(draw, codes="? b H l f d", min_dims=1, min_side=2, positive=False, nans=False):
    """(NumPy array, tombac array, an axis or None)."""
    dtype = np.dtype(draw(st.sampled_from(codes.split())))
    shape = tuple(draw(st.lists(st.integers(min_side, 7), min_size=min_dims, max_size=3)))
    host = values(dtype, shape, draw(st.integers(0, 2**32 - 1)))
    if positive:
        host = (abs(host) + 1).astype(dtype)
    if nans and dtype.kind == "f":
        host[np.random.default_rng(draw(st.integers(0, 99))).random(shape) < 0.2] = np.nan
    layout = draw(layouts(host.ndim))
    host, device = layout(host), layout(tb.array(host))
    return host, device, draw(st.none() | st.integers(-host.ndim, host.ndim - 1))


def close(got, want):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.shape == want.shape
    assert got.dtype == want.dtype
    rtol, atol = (2e-4, 1e-3) if want.dtype == "f" else (1e-9, 1e-9)
    np.testing.assert_allclose(got.get(), want, rtol, atol)


def of_samples(name, pair, **options):
    a, d, axis = pair
    a = a.astype(float) if a.dtype.kind != "f" else a
    close(getattr(xs, name)(d, axis=axis, **options), getattr(ss, name)(a, axis=axis, **options))


policies = st.sampled_from(["propagate", "omit"])


@given(samples(nans=True), policies, st.booleans(), st.booleans())
def test_skew(pair, policy, bias, keepdims):
    of_samples("skew", pair, nan_policy=policy, bias=bias, keepdims=keepdims)


@given(samples(nans=True), policies, st.booleans(), st.booleans(), st.booleans())
def test_kurtosis(pair, policy, bias, fisher, keepdims):
    of_samples("kurtosis", pair, nan_policy=policy, bias=bias, fisher=fisher, keepdims=keepdims)


@given(samples(nans=True), policies, st.integers(0, 5), st.none() | st.floats(-2, 2), st.booleans())
def test_moment(pair, policy, order, center, keepdims):
    of_samples("moment", pair, nan_policy=policy, order=order, center=center, keepdims=keepdims)


def test_first_moment_of_what_is_infinite():
    for x in ([1.0, np.inf], [1.0, np.nan]):
        for policy in ("propagate", "omit"):
            close(xs.moment(tb.array(x), [0, 1], nan_policy=policy), ss.moment(x, [0, 1], nan_policy=policy))


def test_several_moments():
    a = np.arange(12.0).reshape(3, 4) ** 2
    close(xs.moment(tb.array(a), [0, 1, 2, 3]), ss.moment(a, [0, 1, 2, 3]))


@given(samples(nans=True), policies, st.integers(0, 2), st.booleans())
def test_sem_and_variation(pair, policy, ddof, keepdims):
    a, d, axis = pair
    if np.min(np.sum(~np.isnan(a), axis=axis)) < 2:  # of which SciPy says NaN
        return
    of_samples("sem", pair, nan_policy=policy, ddof=ddof, keepdims=keepdims)
    if np.all(np.nanmean(a.astype(float), axis=axis) != 0):  # SciPy has signs of infinity of its own
        of_samples("variation", pair, nan_policy=policy, ddof=ddof, keepdims=keepdims)


@given(samples("b l f d", positive=True, nans=True), policies, st.booleans(), st.booleans())
def test_means(pair, policy, weighted, keepdims):
    a, d, axis = pair
    for name in "gmean", "hmean":
        options = {"nan_policy": policy, "keepdims": keepdims}
        if weighted:
            w = np.arange(1.0, a.size + 1).reshape(a.shape)
            want = getattr(ss, name)(a.astype(float), axis=axis, weights=w, **options)
            got = getattr(xs, name)(d, axis=axis, weights=tb.array(w), **options)
            np.testing.assert_allclose(got.get(), want, 2e-4)
        else:
            of_samples(name, pair, **options)


def test_harmonic_mean_of_what_is_not_positive():
    a = np.array([[1.0, 2, 3], [0, 1, 2], [-1, 2, 3]])
    close(xs.hmean(tb.array(a), axis=1), ss.hmean(a, axis=1))


@given(samples(), st.sampled_from([0, 0.1, 0.25, 0.49]))
def test_trim_mean(pair, cut):
    a, d, axis = pair
    if a.dtype == bool:
        return
    got, want = xs.trim_mean(d, cut, axis), ss.trim_mean(a, cut, axis)
    assert got.shape == np.shape(want)
    np.testing.assert_allclose(got.get(), want, 2e-5)


@given(samples("b l f d", nans=True), policies, st.booleans(), st.sampled_from([(25, 75), (10, 50), (90, 5)]),
       st.sampled_from([1.0, "normal", 2.5]), st.sampled_from(["linear", "lower", "midpoint"]))
def test_iqr(pair, policy, keepdims, rng, scale, method):
    of_samples("iqr", pair, nan_policy=policy, keepdims=keepdims, rng=rng, scale=scale, interpolation=method)


@given(samples(nans=True), st.sampled_from(["propagate"]), st.integers(0, 1))
def test_scores(pair, policy, ddof):
    a, d, axis = pair
    a = a.astype(float) if a.dtype.kind != "f" else a
    close(xs.zscore(d, axis, ddof, policy), ss.zscore(a, axis, ddof, policy))
    close(xs.zmap(d + 1, d, axis, ddof, policy), ss.zmap(a + 1, a, axis, ddof, policy))


@given(samples("b l f d"), st.integers(0, 2))
def test_standardize_is_what_two_passes_are(pair, ddof):
    a, d, axis = pair
    a = a.astype("d") if a.dtype.kind != "f" else a
    mean, deviation = a.mean(axis, keepdims=True), a.std(axis, ddof=ddof, keepdims=True)
    want = (a - mean) / np.where(deviation <= abs(np.finfo(a.dtype).eps * mean), np.nan, deviation)
    close(tb._core._standardize(d, axis, ddof), want.astype(a.dtype))


def test_standardize_refuses():
    for bad in ((), (1, None, 0), (tb.ones(2), None, "a"), (tb.ones(2) * 1j, None, 0)):
        with pytest.raises(TypeError):
            tb._core._standardize(*bad)
    with pytest.raises(ValueError):
        tb._core._standardize(tb.ones(2), 1, 0)
    assert tb._core._standardize(tb.ones((0, 3)), 0, 0).shape == (0, 3)


def test_scores_without_nan():
    a = np.array([[1.0, np.nan, 3, 7], [np.nan, 2, 2, 5]])
    close(xs.zscore(tb.array(a), 1, nan_policy="omit"), ss.zscore(a, 1, nan_policy="omit"))


@given(samples("b l f d", positive=True), samples("d", positive=True), st.sampled_from([None, 2, 10.0]))
def test_entropy(p, q, base):
    a, d, axis = p
    axis = axis or 0
    a = a.astype(float) if a.dtype.kind != "f" else a
    close(xs.entropy(d, None, base, axis), ss.entropy(a, None, base, axis))
    other = np.random.default_rng(a.size).random(a.shape).astype(a.dtype)
    other[0], a = other[0], a.copy()
    close(xs.entropy(d, tb.array(other), base, axis), ss.entropy(a, other, base, axis))


def test_entropy_of_what_is_zero():
    p, q = np.array([[0.0, 1, 2], [1, 0, 0]]), np.array([[0.0, 2, 1], [0, 1, 1]])
    close(xs.entropy(tb.array(p), axis=1), ss.entropy(p, axis=1))
    close(xs.entropy(tb.array(p), tb.array(q), axis=1), ss.entropy(p, q, axis=1))


@pytest.mark.parametrize("power", [0, 1, 5, 40, -40])
@pytest.mark.parametrize("scale", [1.0, 1e-320, 1e-300, 1e300])
@pytest.mark.parametrize("n", [2, 3, 40, 200])
def test_entropy_of_any_scale(n, scale, power):
    x = np.random.default_rng(n).random(n) ** power
    x = x / x.max() * scale
    with decimal.localcontext(prec=50):
        exact = [decimal.Decimal(e) for e in x.tolist()]
        p = [e / sum(exact) for e in exact]
        want = float(-sum(e * e.ln() for e in p if e))
    np.testing.assert_allclose(float(xs.entropy(tb.array(x))), want, 1e-12, 1e-15)
    np.testing.assert_allclose(float(xs.entropy(tb.array(np.tile(x, 500)))), want + math.log(500), 1e-12)
    tall = tb.array(np.stack([x, x[::-1]], 1))
    np.testing.assert_allclose(xs.entropy(tall).get(), [want, want], 1e-12, 1e-15)


@pytest.mark.parametrize("p, want", [
    ([-1.0, -3, 0], ss.entropy([1, 3])), ([-1.0, 3], -np.inf), ([-1.0, 3, np.nan], np.nan), ([0.0, 0], np.nan),
    ([np.inf, 1], np.nan), ([np.inf, np.inf], np.nan), ([7.0], 0.0), ([0.0, -0.0, 5], 0.0), ([1e308] * 3, 0.0),
    ([], 0.0)])
def test_entropy_of_what_is_no_distribution(p, want):
    np.testing.assert_allclose(float(xs.entropy(tb.array(p, dtype="d"))), want)


def test_entropy_is_one_reduction():
    x = np.random.default_rng(5).random((40, 50, 3))
    for axis in (None, 1, (0, 2), ()):
        want = -np.sum(x / x.sum(axis, keepdims=True) * np.log(x / x.sum(axis, keepdims=True)), axis=axis)
        np.testing.assert_allclose(tb._core.entropy(tb.array(x) * 2 + 0, axis=axis).get(), want, 1e-12, 1e-14)
        np.testing.assert_allclose(tb._core.entropy(tb.array(x)[::-1, ::2, 1:], axis=1, keepdims=True).get(),
                                   ss.entropy(x[::-1, ::2, 1:], axis=1, keepdims=True), 1e-12)


@given(samples("f d", positive=True), st.sampled_from([0, 1, -0.5, 2.5]))
def test_boxcox_llf(pair, lmb):
    a, d, _ = pair
    assume((np.ptp(a, axis=0) > 0).all())
    got = xs.boxcox_llf(lmb, d)
    np.testing.assert_allclose(got.get(), ss.boxcox_llf(lmb, a), 2e-3 if a.dtype == "f" else 1e-9, 1e-2)


def test_boxcox_llf_does_not_overflow():
    a = np.array([1e3, 2e3, 5e3, 1e4])
    np.testing.assert_allclose(xs.boxcox_llf(200.0, tb.array(a)).get(), ss.boxcox_llf(200.0, a), 1e-9)
    assert np.isnan(xs.boxcox_llf(1, tb.zeros(0)).get())


@given(samples("l f d", min_side=3), st.integers(0, 99))
def test_pearsonr(pair, seed):
    a, d, axis = pair
    b = np.random.default_rng(seed).random(a.shape).astype(a.dtype if a.dtype.kind == "f" else "d")
    a = a.astype(float) if a.dtype.kind != "f" else a
    assume((np.ptp(a, axis=axis) > 0).all())
    want = ss.pearsonr(a, b, axis=axis)
    got = xs.pearsonr(d, tb.array(b), axis=axis)
    close(got.statistic, want.statistic)
    assert got[0] is got.statistic and len(got) == 2


@pytest.mark.skipif(betainc is None, reason="there is no tombacx.scipy.special.betainc")
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_pvalue(alternative):
    a, b = np.random.default_rng(0).random((2, 9))
    statistic, pvalue = xs.pearsonr(tb.array(a), tb.array(b), alternative=alternative)
    want = ss.pearsonr(a, b, alternative=alternative)
    np.testing.assert_allclose([float(statistic), float(pvalue)], [want.statistic, want.pvalue], 1e-8)


def test_pearsonr_of_large_numbers():
    a = np.array([1e200, -2e200, 3e200])
    np.testing.assert_allclose(float(xs.pearsonr(tb.array(a), tb.array([1.0, 2, 4])).statistic),
                               ss.pearsonr(a, [1.0, 2, 4]).statistic)


@pytest.mark.parametrize("code", ["f", "d", "l"])
@pytest.mark.parametrize("value", [3.7, 0.1, -1e18, 7, 0])
@pytest.mark.parametrize("n", [2, 3, 10, 33])
def test_correlations_of_constants(code, value, n):
    """NaN, whatever the mean is rounded to."""
    rng = np.random.default_rng(n)
    constant, other = np.full(n, np.dtype(code).type(value)), rng.standard_normal(n).astype(code)
    for name in ("pearsonr", "pointbiserialr", "spearmanr", "kendalltau", "somersd", "weightedtau"):
        for pair in ((constant, other), (other, constant), (constant, constant)):
            got, want = (f(*samples) for f, samples in ((getattr(xs, name), map(tb.array, pair)),
                                                        (getattr(ss, name), pair)))
            assert np.isnan(got.statistic.get()) and np.isnan(want.statistic), name
            np.testing.assert_array_equal(got.pvalue.get(), want.pvalue)
    if n > 2 and code != "l":
        rows = np.stack([constant, other, other * 2])
        got = xs.pearsonr(tb.array(rows), tb.array(rows[::-1].copy()), axis=1)
        close(got.statistic, ss.pearsonr(rows, rows[::-1], axis=1).statistic)


def test_next_to_constants():
    """Samples that differ in their last digits have correlations; those that hardly differ, no Alexander and Govern's
    statistic."""
    x, y = 3.7 + 4e-16 * (np.arange(10) // 5), np.arange(10.0) ** 2
    close(xs.pearsonr(tb.array(x), tb.array(y)).statistic, np.corrcoef(np.arange(10) // 5, y)[0, 1])
    close(xs.jarque_bera(tb.array(x)).statistic, ss.jarque_bera(x - 3.7).statistic)
    for pair in ((x, y), (y, x), (np.full(9, 0.1), y)):
        assert np.isnan(ss.alexandergovern(*pair).statistic)
        assert all(np.isnan(v.get()) for v in xs.alexandergovern(*map(tb.array, pair)))


@pytest.mark.parametrize("code", ["f", "d"])
@pytest.mark.parametrize("policy", ["propagate", "omit"])
def test_circular_spread_of_constants(code, policy):
    """Exactly 0, as SciPy's is of most."""
    for value in (1.234, 0.1, 3.7, -2.0, 1e5):
        for n in (1, 2, 3, 10, 20):
            x = np.full((2, n), value, code)
            if policy == "omit":
                x = np.concatenate([np.full((2, 1), np.nan, code), x], axis=1)
            for f in (xs.circstd, xs.circvar):
                got = f(tb.array(x), axis=1, nan_policy=policy)
                assert got.dtype == code and not got.get().any()
    assert ss.circstd([1.234]) == 0


def test_pearsonr_of_different_lengths():
    for x, y, axis in [((3,), (1,), 0), ((3, 2), (1, 2), 0), ((2, 5), (1,), 1)]:
        with pytest.raises(ValueError, match="lengths"):
            xs.pearsonr(tb.ones(x), tb.ones(y), axis=axis)
    a, b = np.random.default_rng(0).random((2, 5)), np.random.default_rng(1).random(5)
    np.testing.assert_allclose(xs.pearsonr(tb.array(a), tb.array(b), axis=1).statistic.get(),
                               ss.pearsonr(a, b[None], axis=1).statistic)


@given(samples("l f d", nans=True), st.integers(0, 1), st.booleans())
def test_describe(pair, ddof, bias):
    a, d, axis = pair
    check_description(a if a.dtype.kind == "f" else a.astype(float), d, axis, ddof, bias)


def test_describe_without_nan():
    a = np.array([[1.0, np.nan, 3, 7, 8], [np.nan, 2, 2, 5, 1]])
    check_description(a, tb.array(a), 1, 1, False, "omit")


def check_description(a, d, *options):
    want, got = ss.describe(a, *options), xs.describe(d, *options)
    np.testing.assert_array_equal(tb.asnumpy(got.nobs), want.nobs)
    for g, w in zip((*got.minmax, *got[2:]), (*want.minmax, *want[2:])):
        np.testing.assert_allclose(g.get(), w, 2e-4, 1e-3)
        assert g.shape == np.shape(w)


x = tb.arange(6.0).reshape(2, 3)
WRONG = {
    "host": (lambda: xs.skew(np.ones(3)), TypeError),
    "complex": (lambda: xs.kurtosis(x * 1j), TypeError),
    "axis": (lambda: xs.sem(x, 2), ValueError),
    "policy": (lambda: xs.zscore(x, nan_policy="none"), ValueError),
    "nan": (lambda: xs.skew(x * np.nan, nan_policy="raise"), ValueError),
    "cut": (lambda: xs.trim_mean(x, 1.5), ValueError),
    "order": (lambda: xs.moment(x, -1), ValueError),
    "fraction": (lambda: xs.moment(x, 1.5), ValueError),
    "base": (lambda: xs.entropy(x, base=0), ValueError),
    "complex entropy": (lambda: xs.entropy(x + 0j), TypeError),
    "alternative": (lambda: xs.pearsonr(x, x, alternative="both"), ValueError),
    "one element": (lambda: xs.pearsonr(tb.ones(1), tb.ones(1)), ValueError),
    "nothing": (lambda: xs.describe(tb.ones(0)), ValueError),
    "range": (lambda: xs.iqr(x, rng=(1, 2, 3)), TypeError),
    "scale": (lambda: xs.iqr(x, scale="uniform"), ValueError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


@pytest.mark.parametrize("dtype", "efd")
def test_trim_mean_of_nan(dtype):
    a = np.array([[1, 2, 3, 4, np.nan], [np.inf, 1, 2, 3, -np.inf]], dtype)
    for axis in (0, 1, None):
        got, want = xs.trim_mean(tb.array(a), 0.2, axis), ss.trim_mean(a.astype("d"), 0.2, axis)
        np.testing.assert_allclose(got.get(), want)
        assert got.dtype == dtype


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3, 0)])
def test_trim_mean_of_few(shape):
    a = np.full(shape, 3.0)
    for axis in (0, None):
        close(xs.trim_mean(tb.array(a), 0.2, axis), ss.trim_mean(a, 0.2, axis))


@pytest.mark.parametrize("method", ["fraction", "lower", "higher"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_scores_at_tables_of_percentages(method, axis):
    x, per = np.random.default_rng(3).random((3, 4)), [[5, 16], [27, 38], [0, 100]]
    close(xs.scoreatpercentile(tb.array(x), per, interpolation_method=method, axis=axis),
          ss.scoreatpercentile(x, per, interpolation_method=method, axis=axis))


def test_scores_where_no_sample_is_within_limits():
    for per, method in ((0, "fraction"), (100, "fraction"), (30, "lower"), ([0, 100], "fraction"), ([3, 4], "higher")):
        got = xs.scoreatpercentile(tb.array([50.0]), per, (5, 40), method)
        close(got, np.zeros(np.shape(per)))
    with pytest.raises(ValueError):
        xs.scoreatpercentile(tb.array([50.0]), 30, (5, 40))


def test_entropy_along_no_axis_is_of_all_elements():
    x = np.random.default_rng(1).random((3, 4))
    close(xs.entropy(tb.array(x), axis=()), ss.entropy(x, axis=()))


def test_gzscore_refuses_complex_numbers():
    with pytest.raises(TypeError):
        xs.gzscore(tb.array([1 + 1j, 2]))
