"""bootstrap, permutation_test, monte_carlo_test and power of tombacx.scipy.stats against SciPy's."""

import types

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


def apart(x, y, axis):
    return x.mean(axis=axis) - y.mean(axis=axis)


def sums_apart(x, y, axis):
    return 4 * x.sum(axis=axis) - 5 * y.sum(axis=axis)


def apart_alone(x, y):
    return x.mean() - y.mean()


def spread(x, axis):
    return x.std(axis=axis)


def lopsided(x, axis):
    return (x * x * x).sum(axis=axis)


def product(x, y, axis):
    return (x * y).sum(axis=axis)


def close(got, want):
    assert type(got) is tb.ndarray and got.shape == np.shape(want)
    np.testing.assert_allclose(got.get(), want, 1e-9, 1e-12)


@given(seeds, st.sampled_from(["percentile", "basic", "BCa"]), alternatives, st.floats(0.5, 0.99),
       st.sampled_from([None, 3]), st.booleans())
def test_intervals_of_given_distributions(seed, method, alternative, level, batch, paired):
    rng = np.random.default_rng(seed)
    options = {"method": method, "alternative": alternative, "confidence_level": level, "batch": batch,
               "paired": paired, "n_resamples": 0, "axis": -1}
    x, y, z = (np.round(99 * rng.random((2, n))) for n in (9, 5, 5 if paired else 4))  # of which sums are exact
    for samples, statistic in (((x,), lopsided), ((y, z), sums_apart)):
        drawn = ss.bootstrap(samples, statistic, n_resamples=30, axis=-1, paired=paired, method="basic")
        given = types.SimpleNamespace(bootstrap_distribution=tb.array(drawn.bootstrap_distribution))
        want = ss.bootstrap(samples, statistic, bootstrap_result=drawn, **options)
        got = xs.bootstrap(tuple(map(tb.array, samples)), statistic, bootstrap_result=given, **options)
        for g, w in zip(got.confidence_interval, want.confidence_interval, strict=True):
            close(g, w)
        close(got.standard_error, want.standard_error)
        close(got.bootstrap_distribution, drawn.bootstrap_distribution)


@pytest.mark.parametrize("batch", [None, 70])
@pytest.mark.parametrize("statistic", [apart, apart_alone])
def test_drawn_samples(batch, statistic):
    rng = np.random.default_rng(0)
    x, y = rng.random(20), rng.random(15)
    options = {"batch": batch, "n_resamples": 300, "method": "percentile"}
    got = xs.bootstrap((tb.array(x), tb.array(y)), statistic, rng=1, **options)
    again = xs.bootstrap((tb.array(x), tb.array(y)), statistic, random_state=1, **options)
    assert got.bootstrap_distribution.shape == (300,)
    assert (got.bootstrap_distribution == again.bootstrap_distribution).all()
    want = ss.bootstrap((x, y), statistic, rng=1, **(options | {"n_resamples": 3000})).standard_error
    assert abs(got.standard_error.item() / want - 1) < 0.2
    more = xs.bootstrap((tb.array(x), tb.array(y)), statistic, bootstrap_result=got, rng=2, **options)
    assert more.bootstrap_distribution.shape == (600,)


def test_pairs_are_drawn_together():
    x = tb.arange(9.0)
    got = xs.bootstrap((x, x), apart, paired=True, n_resamples=50)
    assert (got.bootstrap_distribution == 0).all()


@given(seeds, alternatives, st.sampled_from([None, 4]), st.booleans(), st.booleans())
def test_all_permutations(seed, alternative, batch, vectorized, tied):
    rng = np.random.default_rng(seed)
    a, b, c = (np.round(4 * rng.random((2, n))) / (1 if tied else 1 + rng.random()) for n in (3, 4, 3))
    for kind, samples, statistic in (
            ("independent", (a, b), apart), ("independent", (a, b, c[:1, :2]), lambda x, y, z, axis: x.mean(
                axis=axis) * 2 - y.mean(axis=axis) + 3 * z.mean(axis=axis)), ("samples", (a, c), apart),
            ("samples", (a,), lopsided), ("pairings", (a, c), product),
            ("samples", (a, c, a + 1), lambda x, y, z, axis: (x * y - z * y).sum(axis=axis))):
        options = {"permutation_type": kind, "alternative": alternative, "n_resamples": np.inf, "axis": -1}
        want = ss.permutation_test(samples, statistic, **options)
        if not vectorized:
            def of(*lines, statistic=statistic):
                return statistic(*lines, axis=-1)
        else:
            of = statistic
        got = xs.permutation_test(tuple(map(tb.array, samples)), of, batch=batch, **options)
        close(got.statistic, want.statistic)
        close(got.pvalue, want.pvalue)
        close(tb.sort(got.null_distribution, axis=0), np.sort(want.null_distribution, axis=0))


@pytest.mark.parametrize("kind, samples, statistic", [
    ("independent", 2, apart), ("samples", 2, apart), ("samples", 1, lopsided), ("pairings", 2, product)])
def test_drawn_permutations(kind, samples, statistic):
    data = tuple(np.random.default_rng(3).standard_normal((samples, 2, 12)) + [[[0.3]], [[0]]][:samples])
    options = {"permutation_type": kind, "axis": 1}
    got = xs.permutation_test(tuple(map(tb.array, data)), statistic, n_resamples=2000, batch=600, rng=5, **options)
    want = ss.permutation_test(data, statistic, n_resamples=9999, rng=5, **options)
    assert got.null_distribution.shape == (2000, 2)
    np.testing.assert_allclose(got.pvalue.get(), want.pvalue, atol=0.06)
    assert (got.pvalue * 2001 / 2 % 1 < 1e-6).all() or (got.pvalue == 1).any()  # the sample's own counts


@given(seeds, alternatives, st.sampled_from([None, 7]), st.integers(1, 2))
def test_simulated_samples(seed, alternative, batch, count):
    rng = np.random.default_rng(seed)
    data = [np.round(9 * rng.random((3, n))) for n in (4, 5)][:count]
    statistic = (lopsided, apart)[count - 1]

    def drawing(of):
        streams = [np.random.default_rng(seed + i) for i in range(count)]
        return [lambda size, g=g: of(np.round(9 * g.random(size))) for g in streams]

    options = {"n_resamples": 20, "batch": batch, "alternative": alternative, "axis": 1}
    want = ss.monte_carlo_test(data, drawing(np.asarray), statistic, **options)
    got = xs.monte_carlo_test(list(map(tb.array, data)), drawing(tb.array), statistic, **options)
    for name in ("statistic", "pvalue", "null_distribution"):
        close(getattr(got, name), getattr(want, name))
    close(xs.monte_carlo_test(tb.array(data[0][0]), drawing(tb.array)[0], lopsided, n_resamples=9).statistic,
          lopsided(data[0][0], 0))


@given(seeds, st.sampled_from([None, 7]), st.booleans())
def test_powers(seed, batch, vectorized):
    def drawing(of):
        g = np.random.default_rng(seed)
        return lambda size, mu: of(g.standard_normal(size) + mu)

    def test(xp):
        def alone(x, y):
            return xp.ttest_ind(x, y).pvalue

        return xp.ttest_ind if vectorized else alone

    options = {"n_resamples": 10, "batch": batch, "significance": [0.05, 0.5], "kwargs": {"mu": [[0.0], [0.5]]}}
    want = ss.power(test(ss), (drawing(np.asarray),) * 2, (5, [6, 7]), **options)
    got = xs.power(test(xs), (drawing(tb.array),) * 2, (5, tb.array([6, 7])), **options)
    close(got.pvalues, want.pvalues)
    close(got.power, want.power)


x = tb.arange(5.0)


@pytest.mark.parametrize("call, kind", [
    (lambda: xs.bootstrap(x, spread), ValueError), (lambda: xs.bootstrap((), spread), ValueError),
    (lambda: xs.bootstrap((x[:1],), spread), ValueError), (lambda: xs.bootstrap(([1.0, 2.0],), spread), TypeError),
    (lambda: xs.bootstrap((x,), 3), TypeError), (lambda: xs.bootstrap((x,), spread, method="best"), ValueError),
    (lambda: xs.bootstrap((x,), spread, n_resamples=-1), ValueError),
    (lambda: xs.bootstrap((x,), spread, n_resamples=0), ValueError),
    (lambda: xs.bootstrap((x,), spread, batch=0), ValueError),
    (lambda: xs.bootstrap((x,), spread, vectorized=3), ValueError),
    (lambda: xs.bootstrap((x, x[1:]), apart, paired=True), ValueError),
    (lambda: xs.bootstrap((x,), spread, alternative="more"), ValueError),
    (lambda: xs.bootstrap((x,), spread, rng=1, random_state=1), TypeError),
    (lambda: xs.bootstrap((x,), spread, axis=1), ValueError),
    (lambda: xs.bootstrap((x.reshape(5, 1), tb.ones((5, 2)), tb.ones((5, 3))), lambda *a: a[0]), ValueError),
    (lambda: xs.permutation_test((x,), spread), ValueError),
    (lambda: xs.permutation_test((x, x[1:]), apart, permutation_type="samples"), ValueError),
    (lambda: xs.permutation_test((x, x), apart, permutation_type="all"), ValueError),
    (lambda: xs.permutation_test((x, x), apart, n_resamples=1.5), ValueError),
    (lambda: xs.permutation_test((tb.ones(99),) * 2, apart, n_resamples=np.inf), ValueError),
    (lambda: xs.permutation_test((x, x), apart, axis=0.5), ValueError),
    (lambda: xs.monte_carlo_test((x, x), (tb.ones,), apart), ValueError),
    (lambda: xs.monte_carlo_test(x, 3, spread), TypeError),
    (lambda: xs.power(spread, tb.ones, 5, significance=2), ValueError),
    (lambda: xs.power(spread, tb.ones, 5, kwargs=3), TypeError), (lambda: xs.power(3, tb.ones, 5), TypeError),
    (lambda: xs.power(spread, (tb.ones,) * 2, (5,)), ValueError)], ids=range(27))
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()
