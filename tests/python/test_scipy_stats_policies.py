"""What functions of tombacx.scipy.stats have in common against SciPy's: axes, NaN, and the axes that results keep."""

import numpy as np
import pytest
import scipy.stats as ss
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SCIPY
from test_scipy_stats import policies

import tombacx.scipy.stats as xs

pytestmark = pytest.mark.filterwarnings("ignore")
PAIRED, POSITIVE, TIED = "paired", "positive", "tied"

FUNCTIONS = {  # name: how many samples, what they are like, further arguments
    "alexandergovern": (3, (), {}), "ansari": (2, (), {}), "bartlett": (2, (), {}), "boxcox_llf": (1, (POSITIVE,), {}),
    "brunnermunzel": (2, (), {}), "chatterjeexi": (2, (PAIRED,), {}), "chisquare": (1, (POSITIVE,), {}),
    "circmean": (1, (), {}), "circstd": (1, (), {}), "combine_pvalues": (1, ("probabilities",), {}),
    "cramervonmises_2samp": (2, (), {}), "differential_entropy": (1, (), {}), "entropy": (1, (POSITIVE,), {"base": 2}),
    "epps_singleton_2samp": (2, (), {}), "f_oneway": (3, (), {}), "fligner": (2, (), {}),
    "friedmanchisquare": (3, (PAIRED,), {}), "gmean": (1, (POSITIVE,), {}), "gstd": (1, (POSITIVE,), {}),
    "hmean": (1, (POSITIVE,), {}), "iqr": (1, (), {}), "jarque_bera": (1, (), {}), "kendalltau": (2, (PAIRED,), {}),
    "kruskal": (3, (), {}), "ks_2samp": (2, (), {}), "kstat": (1, (), {}), "kurtosis": (1, (), {}),
    "kurtosistest": (1, (), {}), "levene": (2, (), {}), "linregress": (2, (PAIRED,), {}), "lmoment": (1, (), {}),
    "mannwhitneyu": (2, (), {"method": "asymptotic"}), "median_abs_deviation": (1, (), {}), "mode": (1, (TIED,), {}),
    "moment": (1, (), {"order": 3}), "mood": (2, (), {}), "normaltest": (1, (), {}),
    "pmean": (1, (POSITIVE,), {"p": 3}), "pointbiserialr": (2, (PAIRED,), {}),
    "power_divergence": (1, (POSITIVE,), {"lambda_": 0.5}), "ranksums": (2, (), {}), "sem": (1, (), {}),
    "shapiro": (1, (), {}), "siegelslopes": (2, (PAIRED,), {}), "skew": (1, (), {}), "skewtest": (1, (), {}),
    "spearmanrho": (2, (PAIRED,), {}), "theilslopes": (2, (PAIRED,), {}), "tmean": (1, (), {"limits": (-2, 2)}),
    "trim_mean": (1, (), {"proportiontocut": 0.2}), "tstd": (1, (), {}), "ttest_1samp": (1, (), {"popmean": 0.1}),
    "ttest_ind": (2, (), {}), "ttest_rel": (2, (PAIRED,), {}), "variation": (1, (), {}),
    "wilcoxon": (2, (PAIRED,), {"method": "asymptotic"}), "yeojohnson_llf": (1, (), {}),
}
LAMBDA_FIRST = ("boxcox_llf", "yeojohnson_llf")


def drawn(rng, kinds, shape):
    x = rng.random(shape) if "probabilities" in kinds else rng.standard_normal(shape)
    x = abs(x) + 0.1 if POSITIVE in kinds else np.round(2 * x) if TIED in kinds else x
    x[rng.random(shape) < 0.15] = np.nan
    return x


def same(got, want):
    if isinstance(got, tuple) and not isinstance(want, tuple):
        want = want.statistic, want.pvalue
    got, want = (v if isinstance(v, tuple) else (v,) for v in (got, want))
    assert len(got) == len(want)
    for g, w in zip(got, want, strict=True):
        assert type(g) is tb.ndarray and g.shape == np.shape(w)
        np.testing.assert_allclose(g.get(), w, 1e-7, 1e-7)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if hasattr(xs, name)])
@settings(max_examples=12)
@given(st.integers(0, 2**32 - 1), policies, st.booleans(), st.sampled_from([0, 1, -1, None, (0, 1), (-1, 0)]))
def test_policies(name, seed, policy, keepdims, axis):
    count, kinds, options = FUNCTIONS[name]
    rng = np.random.default_rng(seed)
    side = 14 if policy == "omit" else 10
    shapes = [(side, side, 2)[:3 if isinstance(axis, tuple) else 2]] * count
    if PAIRED not in kinds and axis == 0:
        shapes = [(side + i, *s[1:]) for i, s in enumerate(shapes)]
    host = [drawn(rng, kinds, s) for s in shapes]
    if policy == "propagate":  # some lines without NaN
        host = [np.where(np.arange(x.shape[1])[:, None] % 2 if x.ndim == 3 else np.arange(x.shape[1]) % 2,
                         np.where(np.isnan(x), rng.random(x.shape), x), x) for x in host]
    options = {**options, "axis": axis, "nan_policy": policy, "keepdims": keepdims}
    first = (0.7,) if name in LAMBDA_FIRST else ()
    same(getattr(xs, name)(*first, *map(tb.array, host), **options), getattr(ss, name)(*first, *host, **options))


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if hasattr(xs, name)])
def test_few_elements(name):
    count, kinds, options = FUNCTIONS[name]
    first = (0.7,) if name in LAMBDA_FIRST else ()
    # but where SciPy has no rows
    for shape in ((0,), (1,), (3, 0), (2, 1), (0, 4))[:-2 if name in ("f_oneway", "mood") else None]:
        if name == "mannwhitneyu" and 0 not in shape and SCIPY >= (1, 18):
            continue  # NaN, where older ones give 1
        host = [np.full(shape, 0.5)] * count
        try:
            want = getattr(ss, name)(*first, *host, axis=-1, **options)
        except ValueError:
            newly = SCIPY >= (1, 18) and name in ("pointbiserialr", "shapiro", "siegelslopes", "theilslopes")
            if SCIPY >= (1, 17) and not newly:  # refused of late, NaN before
                with pytest.raises(ValueError, match=name):
                    getattr(xs, name)(*first, *map(tb.array, host), axis=-1, **options)
            continue
        same(getattr(xs, name)(*first, *map(tb.array, host), axis=-1, **options), want)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if hasattr(xs, name)])
def test_refusals(name):
    count, kinds, options = FUNCTIONS[name]
    first, f = (0.7,) if name in LAMBDA_FIRST else (), getattr(xs, name)
    x = tb.array([0.5, 0.25, np.nan, 0.125, 0.75, 0.875, 0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match=name if name != "ttest_rel" else "ttest_1samp"):
        f(*first, *[x] * count, nan_policy="raise", **options)
    with pytest.raises(ValueError, match="nan_policy"):
        f(*first, *[x] * count, nan_policy="wrong", **options)
    with pytest.raises(np.exceptions.AxisError):
        f(*first, *[x] * count, axis=1, **options)
    with pytest.raises(TypeError):
        f(*first, *[[1.0, 2.0]] * count, **options)
    if name != "linregress":
        with pytest.raises(TypeError):
            f(*first, *[x + 1j] * count, **options)


@pytest.mark.parametrize("name, most, options", [
    ("alexandergovern", 1, {}), ("cramervonmises_2samp", 1, {}), ("differential_entropy", 4, {}),
    ("differential_entropy", 6, {"window_length": 3}), ("epps_singleton_2samp", 4, {}), ("spearmanrho", 1, {})])
def test_short_samples(name, most, options):
    """Of which several at once are refused, unless there is NaN."""
    if SCIPY < (1, 17):
        pytest.skip("older ones look at each sample alone")
    theirs, ours, count = getattr(ss, name), getattr(xs, name), FUNCTIONS[name][0]
    x = np.random.default_rng(0).random((3, most))
    for f, a in ((theirs, x), (ours, tb.array(x))):
        with pytest.raises(ValueError):
            f(*[a] * count, axis=1, **options)
    spoilt = np.where(np.arange(most) == 0, np.nan, x)
    for a in (x[0], spoilt):
        same(ours(*[tb.array(a)] * count, axis=-1, **options), theirs(*[a] * count, axis=-1, **options))


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if hasattr(xs, name)])
def test_single_precision(name):
    """Samples of float32 give what SciPy gives them in the dtype of its results."""
    count, kinds, options = FUNCTIONS[name]
    rng, first = np.random.default_rng(1), (0.7,) if name in LAMBDA_FIRST else ()
    host = [rng.random(14).astype("f") for _ in range(count)]
    got, want = (f(*first, *samples, **options)
                 for f, samples in ((getattr(xs, name), map(tb.array, host)), (getattr(ss, name), host)))
    if hasattr(want, "pvalue") and not hasattr(want, "slope"):
        got, want = ((r.statistic, r.pvalue) for r in (got, want))
    for g, w in zip(*(r if isinstance(r, tuple) else (r,) for r in (got, want)), strict=True):
        newly = SCIPY >= (1, 18) and np.asarray(w).dtype == "f"  # of functions that gave float64 before
        assert g.dtype == np.asarray(w).dtype or newly
        np.testing.assert_allclose(g.get(), w, 1e-3, 1e-5)
