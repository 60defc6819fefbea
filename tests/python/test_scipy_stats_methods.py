"""tombacx.scipy.stats: trimmed samples, p-values by resampling, and samples beside distributions, against SciPy's."""

import pickle

import numpy as np
import pytest
import scipy.optimize as so
import scipy.stats as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import SCIPY

import tombacx.scipy.stats as xs

pytestmark = pytest.mark.filterwarnings("ignore")
seeds = st.integers(0, 2**32 - 1)
alternatives = st.sampled_from(["two-sided", "less", "greater"])
codes = st.sampled_from("fdli")


def drawn(seed, *shapes, code="d"):
    rng = np.random.default_rng(seed)
    host = [(rng.standard_normal(s) * 9).astype(code) for s in shapes]
    return host, [tb.array(a) for a in host]


def close(got, want, rtol=1e-9, atol=1e-12):
    for g, w in zip(got, want, strict=True):
        assert g.shape == np.shape(w)
        np.testing.assert_allclose(g.get(), w, rtol, atol)


@given(seeds, st.integers(0, 14), st.integers(1, 14), codes, st.floats(0, 0.49), st.booleans(), alternatives,
       st.booleans())
def test_yuens_test(seed, m, n, code, trim, equal, alternative, keepdims):
    (x, y), (a, b) = drawn(seed, (3, m), (3, n), code=code)
    options = {"axis": 1, "equal_var": equal, "trim": trim, "alternative": alternative, "keepdims": keepdims}
    got, want = xs.ttest_ind(a, b, **options), ss.ttest_ind(x, y, **options)
    tol = 2e-3 if code == "f" else 1e-8
    assert got.statistic.dtype == want.statistic.dtype
    close(got, want, tol, tol)
    close((got.df,) if trim else (), (want.df,) if trim else (), tol)


@pytest.mark.parametrize("policy", ["propagate", "omit"])
def test_yuens_test_of_nan(policy):
    (x, y), _ = drawn(2, (2, 9), (2, 7))
    x[0, 1] = y[1, 2] = np.nan
    options = {"axis": 1, "trim": 0.2, "nan_policy": policy}
    close(xs.ttest_ind(tb.array(x), tb.array(y), **options), ss.ttest_ind(x, y, **options))


@given(seeds, st.integers(2, 5), alternatives, st.sampled_from([0, 0.25]), st.booleans())
def test_all_permutations(seed, n, alternative, trim, of_scipy):
    (x, y), (a, b) = drawn(seed, (2, n), (2, n))
    method = (ss if of_scipy else xs).PermutationMethod()
    options = {"axis": 1, "alternative": alternative}
    want = ss.pearsonr(x, y, method=ss.PermutationMethod(), **options)
    close(xs.pearsonr(a, b, method=method, **options), want, 1e-7)
    want = ss.ttest_ind(x, y, trim=trim, method=ss.PermutationMethod(), **options)
    close(xs.ttest_ind(a, b, trim=trim, method=method, **options), want, 1e-7)


@pytest.mark.parametrize("name", ["pearsonr", "ttest_ind"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_drawn_samples(name, alternative):
    (x, y), (a, b) = drawn(7, (2, 30), (2, 30))
    want = getattr(ss, name)(x, y, axis=1, alternative=alternative)
    draw = tb.random.default_rng(3).normal
    for method in (xs.PermutationMethod(4999, rng=1), xs.PermutationMethod(4999, batch=1000, random_state=2),
                   xs.MonteCarloMethod(4999, rng=1), xs.MonteCarloMethod(4999, rvs=(draw, draw))):
        got = getattr(xs, name)(a, b, axis=1, alternative=alternative, method=method)
        close(got, want, atol=0.04)
    again = pickle.loads(pickle.dumps(got))
    close(again, [v.get() for v in got])


def test_methods_refuse():
    x = tb.arange(4.0)
    for name in ("pearsonr", "ttest_ind"):
        with pytest.raises(ValueError, match="method"):
            getattr(xs, name)(x, x, method="exact")
    for trim in (-0.1, 0.5):
        with pytest.raises(ValueError, match="trim"):
            xs.ttest_ind(x, x, trim=trim)
    with pytest.raises(ValueError, match="rvs"):
        xs.MonteCarloMethod(rvs=1, rng=1)
    assert repr(xs.PermutationMethod(9)) == "PermutationMethod(n_resamples=9, batch=None, random_state=None, rng=None)"


@given(seeds, st.integers(0, 40), codes, st.sampled_from([True, False, None]), st.booleans())
def test_weighted_ranks(seed, n, code, rank, additive):
    (x, y), (a, b) = drawn(seed, n, n, code=code)
    close(xs.weightedtau(a, b, rank, additive=additive), ss.weightedtau(x, y, rank, additive=additive))
    if n > 1 and rank is None:
        order = np.random.default_rng(seed).permutation(n)
        want = ss.weightedtau(x, y, order, lambda r: 1 / (r + 2))
        close(xs.weightedtau(a, b, tb.array(order), lambda r: 1 / (r + 2)), want)
    with pytest.raises(TypeError):
        xs.weightedtau(x, y)


@given(seeds, st.integers(1, 60), codes, st.sampled_from([("norm", ()), ("t", 5), ("expon", None), ("norm", (1, 2))]))
def test_plots_of_quantiles(seed, n, code, family):
    (x,), (a,) = drawn(seed, n, code=code)
    dist, parameters = family
    close(xs.probplot(a, parameters, dist, fit=False), ss.probplot(x, parameters, dist, fit=False))
    if n > 2 and np.ptp(x) > 0:
        (points, line), (want, wanted) = xs.probplot(a, parameters, dist), ss.probplot(x, parameters, dist)
        close(points, want)
        close(line, wanted, 1e-8)


def test_drawing():
    class Axes:
        def __init__(self, *names):
            self.calls = []
            for name in ("plot", "text", *names):
                setattr(self, name, lambda *args, name=name: self.calls.append((name, *args)))

    x = np.random.default_rng(1).standard_normal(9)
    for names in (("set_title", "set_xlabel", "set_ylabel"), ("title", "xlabel", "ylabel")):
        ours, theirs = Axes(*names), Axes(*names)
        xs.probplot(tb.array(x), plot=ours, rvalue=True)
        ss.probplot(x, plot=theirs, rvalue=True)
        assert sorted(c[0] for c in ours.calls) == sorted(c[0] for c in theirs.calls)
        in_order = (sorted(axes.calls, key=lambda c: c[0] + str(c[-1])) for axes in (ours, theirs))
        for got, want in zip(*in_order, strict=True):
            for g, w in zip(got, want, strict=True):
                assert g == w if isinstance(w, str) else np.allclose(g, w)
    empty = xs.probplot(tb.empty(0))
    assert empty[0][0].size == 0 and np.isnan(empty[1][0])
    for wrong in ("nothing", 3):
        with pytest.raises(ValueError, match="probplot"):
            xs.probplot(tb.array(x), dist=wrong)


@given(seeds, st.integers(4, 30), st.sampled_from(["norm", "expon", "logistic", "gumbel", "gumbel_r", "extreme1"]))
def test_anderson(seed, n, dist):
    (x,), _ = drawn(seed, n)
    x = abs(x) + 1 if dist == "expon" else x
    got, want = xs.anderson(tb.array(x), dist), ss.anderson(x, dist)
    close(got, want[:3])
    assert got.fit_result.params == want.fit_result.params
    with pytest.raises(ValueError):
        xs.anderson(tb.array(x), "nothing")
    with pytest.raises(TypeError):
        xs.anderson(x)


# ---- names and arguments as SciPy's ----------------------------------------------------------------------------------


def test_expectations_take_shapes_as_a_tuple():
    for ours, theirs, args in ((xs.gamma, ss.gamma, (2.5,)), (xs.norm, ss.norm, ()), (xs.binom, ss.binom, (9, 0.25))):
        want = theirs.expect(lambda x: np.cos(x), args, loc=1)
        for got in (ours.expect(tb.cos, args, loc=1), ours.expect(tb.cos, args=args, loc=1),
                    ours.expect(tb.cos, *args, loc=1), ours(*args, loc=1).expect(tb.cos)):
            np.testing.assert_allclose(got.get(), want, 1e-8)


def test_distributions_say_what_their_shapes_are():
    for name in ("norm", "gamma", "beta", "poisson", "betabinom"):
        ours, theirs = getattr(xs, name), getattr(ss, name)
        assert ours.shapes == theirs.shapes and ours.numargs == theirs.numargs
    assert xs.gamma.freeze(2.0).mean().item() == 2


def test_transformations_by_another_optimizer():
    x = np.random.default_rng(3).gamma(2.0, size=40) + 0.1
    d = tb.array(x)

    def bounded(f):
        return so.minimize_scalar(f, bounds=(-1, 1.5), method="bounded")

    for method in ("mle", "pearsonr", "all"):
        np.testing.assert_allclose(np.asarray(tb.asnumpy(xs.boxcox_normmax(d, method=method, optimizer=bounded))),
                                   ss.boxcox_normmax(x, method=method, optimizer=bounded), 1e-3)
    got, want = xs.boxcox(d, optimizer=bounded), ss.boxcox(x, optimizer=bounded)
    np.testing.assert_allclose(got[0].get(), want[0], 1e-4)
    for wrong in ({"optimizer": 3}, {"optimizer": bounded, "brack": (0, 1)}, {"optimizer": lambda f: 3}):
        with pytest.raises(ValueError):
            xs.boxcox_normmax(d, **wrong)


@pytest.mark.parametrize("dims", [1, 2])
def test_probabilities_of_boxes(dims):
    sample = np.random.default_rng(5).standard_normal((dims, 30))
    weights = np.linspace(1, 2, 30)
    ours, theirs = xs.gaussian_kde(tb.array(sample), 0.5, tb.array(weights)), ss.gaussian_kde(sample, 0.5, weights)
    low, high = np.full(dims, -0.5), np.full(dims, 1.0)
    got = ours.integrate_box(tb.array(low), tb.array(high), rng=1)
    assert isinstance(got, tb.ndarray) and got.shape == ()
    np.testing.assert_allclose(got.get(), theirs.integrate_box(low, high, rng=1), 1e-4)
    assert ours.covariance_factor() == theirs.covariance_factor()
    points = np.ones((dims, 3))
    np.testing.assert_allclose(ours.pdf(x=tb.array(points)).get(), theirs.pdf(x=points), 1e-10)
    np.testing.assert_allclose(ours.logpdf(x=tb.array(points)).get(), theirs.logpdf(x=points), 1e-10)


@pytest.mark.parametrize("method", ["average", "min", "max", "dense", "ordinal"])
@pytest.mark.parametrize("policy", ["propagate", "omit"])
def test_ranks_are_whole_numbers_where_there_is_no_nan(method, policy):
    for sample in (np.array([3, 1, 2, 1]), np.array([[3.0, 1, 1], [2, 2, 2]]), np.array([1.0, np.nan, 0]), np.zeros(0)):
        for axis in (None, -1):
            got = xs.rankdata(tb.array(sample), method, axis=axis, nan_policy=policy)
            want = ss.rankdata(sample, method, axis=axis, nan_policy=policy)
            if SCIPY < (1, 18):  # later versions give float64 always
                assert got.dtype == want.dtype, (sample, axis)
            np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("name, shapes", [("norm", ()), ("gamma", (2.0,)), ("binom", (4, 0.5)),
                                          ("truncnorm", (-1.0, 2.0))])
def test_what_methods_take_by_name_and_place(name, shapes):
    """As SciPy's, frozen and not: points by their names, moments and limits by their places."""
    ours, theirs = getattr(xs, name), getattr(ss, name)
    a, b, point = ours(*shapes, loc=1), theirs(*shapes, loc=1), "x" if ours.scaled else "k"
    points = {"cdf": point, "sf": point, "logcdf": point, "logsf": point, "ppf": "q", "isf": "q"}
    points |= {"pdf": "x", "logpdf": "x"} if ours.scaled else {"pmf": "k", "logpmf": "k"}
    for method, word in points.items():
        value = 0.3 if word == "q" else 1.0
        want = getattr(theirs, method)(value, *shapes)
        named = dict(zip((ours.shapes or "").split(", "), shapes, strict=False))
        assert float(getattr(ours, method)(**{word: value}, **named)) == pytest.approx(want)
        want = getattr(b, method)(value)
        for by in {word, "x" if word == "k" else word}:
            assert float(getattr(a, method)(**{by: value})) == pytest.approx(want)
    for got, want in ((a.stats("mvsk"), b.stats("mvsk")),
                      (ours.stats(*shapes, "sk"), theirs.stats(*shapes, moments="sk")),
                      (a.interval(confidence=0.9), b.interval(confidence=0.9)), ([a.moment(order=2)], [b.moment(2)]),
                      ([a.expect(), a.expect(None, 1, 3), a.expect(lambda x: x * x, 1, 3, True)],
                       [b.expect(), b.expect(None, 1, 3), b.expect(lambda x: x * x, 1, 3, True)])):
        np.testing.assert_allclose([float(v) for v in got], want, 1e-8, 1e-12)
    place = (1, 2) if ours.scaled else (1,)
    for limits in ((), (1, 3), (1, 3, True)):
        got = ours.expect(lambda x: x, shapes, *place, *limits)
        assert float(got) == pytest.approx(theirs.expect(lambda x: x, shapes, *place, *limits))
