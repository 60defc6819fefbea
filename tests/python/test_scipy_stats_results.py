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
