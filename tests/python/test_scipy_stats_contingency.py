"""tombacx.scipy.stats.contingency, somersd and exact tests of tables against SciPy's."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.stats as xs

pytestmark = pytest.mark.filterwarnings("ignore")
seeds = st.integers(0, 2**32 - 1)
ours, theirs = xs.contingency, ss.contingency


@given(seeds, st.integers(1, 3))
def test_margins(seed, ndim):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 9, rng.integers(1, 4, ndim))
    for got, want in zip(ours.margins(tb.array(a)), theirs.margins(a), strict=True):
        np.testing.assert_array_equal(got.get(), want)
    np.testing.assert_allclose(ours.expected_freq(tb.array(a)).get(), theirs.expected_freq(a))


@given(seeds, st.integers(1, 3), st.booleans())
def test_combinations(seed, many, chosen):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 4, (many, 12)).astype("ldb"[seed % 3])
    levels = [[3, 0], None, [1, 7, 2]][:many] if chosen else None
    got, want = ours.crosstab(*map(tb.array, x), levels=levels), theirs.crosstab(*x, levels=levels)
    for g, w in zip(got.elements, want.elements, strict=True):
        np.testing.assert_array_equal(g.get(), w)
    np.testing.assert_array_equal(got.count.get(), want.count)
    if many == 2:
        np.testing.assert_array_equal(ours.crosstab(*map(tb.array, x), sparse=True).count.toarray().get(),
                                      theirs.crosstab(*x).count)


@given(seeds, st.sampled_from(["cramer", "tschuprow", "pearson"]), st.booleans(), st.sampled_from([None, 0.5]))
def test_associations(seed, method, correction, power):
    rng = np.random.default_rng(seed)
    a = rng.integers(1, 30, rng.integers(2, 4, 2))
    got = ours.association(tb.array(a), method, correction, power)
    np.testing.assert_allclose(got.get(), theirs.association(a, method, correction, power), 1e-9)


@given(st.integers(0, 5), st.integers(5, 9), st.integers(0, 5), st.integers(5, 9), st.floats(0.1, 0.99))
def test_risks(a, m, b, n, level):
    got, want = ours.relative_risk(a, m, b, n), theirs.relative_risk(a, m, b, n)
    np.testing.assert_allclose(got.relative_risk, want.relative_risk)
    np.testing.assert_allclose(got.confidence_interval(level), want.confidence_interval(level))


@given(seeds, st.sampled_from(["conditional", "sample"]))
def test_odds(seed, kind):
    table = np.random.default_rng(seed).integers(0, 9, (2, 2))
    got, want = ours.odds_ratio(tb.array(table), kind=kind), theirs.odds_ratio(table, kind=kind)
    np.testing.assert_allclose(got.statistic, want.statistic)
    np.testing.assert_allclose(got.confidence_interval(0.9, "less"), want.confidence_interval(0.9, "less"))


@given(seeds, st.integers(2, 20), st.sampled_from(["two-sided", "less", "greater"]))
def test_somers(seed, n, alternative):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 4, (2, n))
    x[:2], y[:2] = [0, 1], [1, 3]
    table = rng.integers(0, 5, (3, 4)) + np.eye(3, 4, dtype=int)
    for host in ((x, y), (table,)):
        got, want = xs.somersd(*map(tb.array, host), alternative=alternative), ss.somersd(*host,
                                                                                         alternative=alternative)
        np.testing.assert_allclose([got.statistic.get(), got.pvalue.get()], [want.statistic, want.pvalue], 1e-9)
        np.testing.assert_array_equal(got.table.get(), want.table)


t = tb.array([[1, 2], [3, 4]])
WRONG = {
    "nothing": (lambda: ours.crosstab(), ValueError), "lengths": (lambda: ours.crosstab(t[0], t[0, :1]), ValueError),
    "levels": (lambda: ours.crosstab(t[0], levels=[None, None]), ValueError),
    "sparse": (lambda: ours.crosstab(t[0], sparse=True), ValueError), "list": (lambda: ours.crosstab([1]), TypeError),
    "method": (lambda: ours.association(t, "best"), ValueError), "float": (lambda: ours.association(t / 2), ValueError),
    "vector": (lambda: ours.association(t[0]), ValueError),
    "cases": (lambda: ours.relative_risk(3, 2, 1, 2), ValueError),
    "half": (lambda: ours.relative_risk(0.5, 2, 1, 2), TypeError), "none": (lambda: ours.relative_risk(0, 0, 1, 2),
                                                                            ValueError),
    "level": (lambda: ours.relative_risk(1, 2, 1, 2).confidence_interval(2), ValueError),
    "kind": (lambda: ours.odds_ratio(t, kind="best"), ValueError),
    "shape": (lambda: ours.odds_ratio(t[:1]), ValueError),
    "one sample": (lambda: xs.somersd(t[0]), ValueError), "row": (lambda: xs.somersd(t[:1]), ValueError),
    "negative": (lambda: xs.somersd(-t), ValueError),
    "empty row": (lambda: xs.somersd(t * tb.array([0, 1])), ValueError),
    "alternative": (lambda: xs.somersd(t, alternative="more"), ValueError),
    "cube": (lambda: xs.somersd(tb.ones((2, 2, 2))), ValueError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


def greatest_probability(table, alternative):
    """Barnard's p-value by squares of statistics without rounding."""
    (first, second), sizes = table[0].tolist(), table.sum(axis=0).tolist()

    def signed_square(a, b):
        apart, share = Fraction(a, sizes[0]) - Fraction(b, sizes[1]), Fraction(a + b, sum(sizes))
        variance = share * (1 - share) * (Fraction(1, sizes[0]) + Fraction(1, sizes[1]))
        return apart * abs(apart) / variance if apart else Fraction(0)

    own, p, total = signed_square(first, second), np.linspace(0, 1, 4001), 0
    for a, b in itertools.product(range(sizes[0] + 1), range(sizes[1] + 1)):
        value = signed_square(a, b)
        if {"two-sided": abs(value) >= abs(own), "less": value <= own, "greater": value >= own}[alternative]:
            choices = math.comb(sizes[0], a) * math.comb(sizes[1], b)
            total = total + choices * p ** (a + b) * (1 - p) ** (sum(sizes) - a - b)
    return np.max(total)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_tables_of_two_groups(alternative):
    """SciPy's search ends at a lesser probability at times, and rounding tells apart what is equally extreme."""
    rng = np.random.default_rng(0)
    for shape in ((3, 3), (9, 14), (25, 25)):
        table = np.stack([rng.integers(1, n, 2) for n in shape])
        for name, options in (("barnard_exact", {}), ("barnard_exact", {"pooled": False}), ("boschloo_exact", {})):
            got = getattr(xs, name)(tb.array(table), alternative=alternative, **options)
            want = getattr(ss, name)(table, alternative=alternative, **options)
            assert type(got).__name__ == type(want).__name__
            np.testing.assert_allclose(got.statistic.get(), want.statistic, 1e-10)
            assert want.pvalue - 1e-8 <= float(got.pvalue) <= 1
            if name == "barnard_exact" and not options:
                np.testing.assert_allclose(got.pvalue.get(), greatest_probability(table, alternative), 1e-5)


def test_tables_of_two_groups_one_of_them_empty():
    for name in ("barnard_exact", "boschloo_exact"):
        for table in ([[0, 0], [3, 4]], [[1, 0], [0, 3]], [[0, 3], [0, 3]]):
            got, want = getattr(xs, name)(table), getattr(ss, name)(table)
            np.testing.assert_allclose([got.statistic.get(), got.pvalue.get()], [want.statistic, want.pvalue], 1e-8)
        for args in (([[1, 2]],), ([[1, -2], [3, 4]],), ([[1, 2], [3, 4]], "both")):
            with pytest.raises(ValueError):
                getattr(ss, name)(*args)
            with pytest.raises(ValueError):
                getattr(xs, name)(*args)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_poisson_means(alternative):
    """SciPy leaves out what was counted, at times, as equal numbers that were computed in two ways differ."""
    rng = np.random.default_rng(0)
    for diff in (0, 0.1):
        for _ in range(15):
            k1, n1, k2, n2 = (int(v) for v in rng.integers((0, 3, 0, 5), 30))
            got = xs.poisson_means_test(k1, n1, k2, n2, diff=diff, alternative=alternative)
            want = ss.poisson_means_test(k1, n1, k2, n2, diff=diff, alternative=alternative)
            mean = (k1 + k2) / (n1 + n2) - diff * n1 / (n1 + n2)
            own = ss.poisson.pmf(k1, n1 * (mean + diff)) * ss.poisson.pmf(k2, n2 * mean) if mean > 0 else 0
            np.testing.assert_allclose(got.statistic.get(), want.statistic, 1e-10, 1e-12)
            assert want.pvalue - 1e-8 <= float(got.pvalue) <= want.pvalue + own + 1e-8
    for args in ((-1, 1, 1, 1), (1, 0, 1, 1), (1, 1, 1, -2)):
        with pytest.raises(ValueError):
            xs.poisson_means_test(*args)
    with pytest.raises(TypeError):
        xs.poisson_means_test(1.5, 2, 1, 1)
