"""tombacx.scipy.stats' distributions against SciPy's."""

import doctest

import numpy as np
import pytest
import scipy.stats as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.stats as xs

pytestmark = pytest.mark.filterwarnings("ignore")

PARAMETERS = {  # name: parameters, the last of which are not allowed
    "norm": [()], "halfnorm": [()], "uniform": [()], "expon": [()], "laplace": [()], "logistic": [()], "cauchy": [()],
    "rayleigh": [()], "gumbel_r": [()], "gumbel_l": [()], "lognorm": [(0.5,), (2.0,), (-1.0,)],
    "gamma": [(0.5,), (1.0,), (30.0,), (0.0,)], "chi2": [(1.0,), (2.0,), (50.5,), (-2.0,)],
    "beta": [(0.5, 0.5), (1.0, 2.0), (20.0, 3.0), (-1.0, 1.0)], "f": [(2.0, 3.0), (5.0, 30.0), (1.0, 1.0), (0.0, 2.0)],
    "t": [(1.0,), (2.5,), (40.0,), (np.inf,), (-1.0,)], "weibull_min": [(0.7,), (1.0,), (3.0,), (0.0,)],
    "pareto": [(0.7,), (1.5,), (3.0,), (0.0,)],
}
DISCRETE = {
    "binom": [(10, 0.3), (1, 0.5), (0, 0.2), (6, 0.0), (200, 0.9), (3.5, 0.5), (3, 1.5)],
    "bernoulli": [(0.3,), (0.0,), (1.0,), (1.5,)], "poisson": [(0.5,), (4.0,), (300.0,), (0.0,), (-1.0,)],
    "geom": [(0.3,), (0.01,), (0.0,)], "nbinom": [(3, 0.4), (0.5, 0.7), (20, 0.1), (2, 1.0), (-1, 0.5)],
    "randint": [(0, 5), (-3, 4), (2, 2)],
}
CASES = [(name, p) for table in (PARAMETERS, DISCRETE) for name, rows in table.items() for p in rows]
Q = np.array([0.0, 1e-12, 1e-3, 0.1, 0.25, 0.4, 0.5, 0.6, 0.9, 0.999, 1.0, -0.1, 1.1, np.nan])


def close(got, want, rtol=1e-9, atol=0.0):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.shape == want.shape and got.dtype == np.float64
    np.testing.assert_allclose(got.get(), want.astype("d"), rtol, atol)


def grid(name):
    x = np.array([-np.inf, -40.0, -3.0, -1.0, -0.5, 0.0, 0.1, 0.5, 0.999, 1.0, 1.5, 2.0, 5.0, 30.0, np.nan, np.inf])
    return x if name in PARAMETERS else np.r_[x[1:-1], np.arange(12)]


@pytest.mark.parametrize("name, parameters", CASES)
@pytest.mark.parametrize("moved", [{}, {"loc": 1, "scale": 2.5}, {"scale": -1.0}])
def test_functions_of_points(name, parameters, moved):
    if name in DISCRETE:
        if "scale" in moved:
            moved = {"loc": 2}
    ours, theirs, x = getattr(xs, name), getattr(ss, name), grid(name)
    density = "pdf" if name in PARAMETERS else "pmf"
    for f in (density, "log" + density, "cdf", "sf", "logcdf", "logsf"):
        want = getattr(theirs, f)(x, *parameters, **moved)
        got = getattr(ours, f)(tb.array(x), *parameters, **moved)
        if name in DISCRETE and f in ("logsf", "logcdf"):  # which SciPy has where parameters are not allowed
            want = np.where(np.isnan(theirs.sf(x, *parameters, **moved)), np.nan, want)
        if f.endswith("pdf"):  # some of SciPy's are NaN at infinity
            got, want = got[1:-1], want[1:-1]
        close(got, want, 1e-8, 1e-300 if f[0] != "l" else 1e-10)


@pytest.mark.parametrize("name, parameters", CASES)
def test_quantiles(name, parameters):
    ours, theirs = getattr(xs, name), getattr(ss, name)
    for f in ("ppf", "isf"):
        for moved in ({}, {"loc": 1.0}):
            q = Q
            if name in DISCRETE:  # SciPy's are not exact where a number is reached exactly
                q = Q + np.where((Q > 0) & (Q < 1), 1e-9, 0)
            if name == "f" and f == "isf":  # of which SciPy's is that of 1 - q
                q = np.delete(Q, 1)
            close(getattr(ours, f)(tb.array(q), *parameters, **moved), getattr(theirs, f)(q, *parameters, **moved),
                  1e-8, 1e-12)


@pytest.mark.parametrize("name, parameters", CASES)
def test_numbers(name, parameters):
    ours, theirs = getattr(xs, name), getattr(ss, name)
    for f in ("mean", "var", "std", "median"):
        close(getattr(ours, f)(*parameters, loc=3), getattr(theirs, f)(*parameters, loc=3))
    for f, args in (("interval", (0.9,)), ("support", ())):
        for got, want in zip(getattr(ours, f)(*args, *parameters), getattr(theirs, f)(*args, *parameters), strict=True):
            close(got, want, 1e-9, 1e-12)


@given(st.integers(0, 2**32 - 1), st.sampled_from("bifd"))
def test_arguments_broadcast(seed, dtype):
    rng = np.random.default_rng(seed)
    x, a, loc = rng.integers(-3, 9, (3, 1)).astype(dtype), rng.random(4) * 3, rng.random((2, 1, 1))
    close(xs.gamma.cdf(tb.array(x), tb.array(a), loc=tb.array(loc)), ss.gamma.cdf(x, a, loc=loc))
    close(xs.gamma(tb.array(a), tb.array(loc)).logpdf(tb.array(x)), ss.gamma(a, loc).logpdf(x), 1e-9, 1e-12)
    close(xs.poisson.ppf(tb.array(loc), tb.array(a)), ss.poisson.ppf(loc, a))


def test_frozen():
    d = xs.norm(loc=1.0, scale=2.0)
    close(d.cdf(1.0), 0.5)
    close(d.mean(), 1.0)
    assert repr(d) == "tombacx.scipy.stats.norm(loc=1.0, scale=2.0)" and repr(xs.norm) == "<tombacx.scipy.stats.norm>"
    with pytest.raises(AttributeError):
        d.no_such_function(1)


def test_refusals():
    for wrong in (lambda: xs.gamma.pdf(1.0), lambda: xs.norm.pdf(1.0, 1, 2, 3), lambda: xs.norm.pdf(1.0, size=3),
                  lambda: xs.norm.pdf(tb.array([1j])), lambda: xs.beta(1.0), lambda: xs.poisson.cdf(1, 2, scale=2)):
        with pytest.raises(TypeError):
            wrong()
    assert not hasattr(xs.poisson, "pdf") and not hasattr(xs.norm, "pmf")


@pytest.mark.parametrize("name", [*PARAMETERS, *DISCRETE])
def test_example(name):
    import tombacx

    test = doctest.DocTestParser().get_doctest(getattr(xs, name).__doc__, {"tombacx": tombacx}, name, None, 0)
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert test.examples and not said


def test_quantiles_of_wide_supports():
    close(xs.randint.ppf(tb.array([0.25, 0.5, 0.75]), -2.0**53, 2.0**53), [-2.0**52, -1, 2.0**52], atol=4)
    close(xs.randint.ppf(tb.array([0.25, 0.75]), -2.0**60, 2.0**60), [-2.0**59, 2.0**59], atol=2.0**9)
    close(xs.geom.ppf(tb.array([0.5, 0.9]), 1e-20), [6.931471805599453e19, 2.302585092994046e20])
    close(xs.poisson.ppf(tb.array(0.5), tb.array([1e16, 1e18, 0.5])), [1e16, 1e18, 0], 1e-8)
    close(xs.poisson.isf(tb.array(0.5), tb.array([4.0, 1e18])), [4.0, 1e18], 1e-8)


def test_tails_of_students_distribution_keep_their_digits():
    rng = np.random.default_rng(1)
    x, n = 10 ** rng.uniform(-3, 1.5, 3000), 10 ** rng.uniform(-1.5, 8, 3000)
    for dx, dn in ((x, n), (np.array([12.43, 8.6, 10.0]), np.array([158.0, 650.0, 1e5]))):
        want = ss.t.sf(dx, dn)
        np.testing.assert_allclose(xs.t.sf(tb.array(dx), tb.array(dn)).get(), want, rtol=1e-11, atol=1e-300)
        np.testing.assert_allclose(xs.t.cdf(tb.array(-dx), tb.array(dn)).get(), want, rtol=1e-11, atol=1e-300)
        np.testing.assert_allclose(xs.t.logsf(tb.array(dx), tb.array(dn)).get(), np.log(want), rtol=1e-11, atol=1e-11)


ENDS = np.array([1e-12, 1e-6, 0.1, 0.5, 0.9, 0.9999, 1 - 1e-6, 1 - 1e-12])


@pytest.mark.parametrize("name, shapes", [
    ("powernorm", (0.3,)), ("powernorm", (5.0,)), ("powerlognorm", (0.1, 1.0)), ("powerlognorm", (4.0, 0.5)),
    ("beta", (0.693, 0.188)), ("crystalball", (10.0, 15.0)),
])  # fmt: skip
def test_quantiles_next_to_0_and_1(name, shapes):
    """The way back: what is above, or below, has the probability that was asked for, to its last digits."""
    ours, theirs = getattr(xs, name), getattr(ss, name)
    for quantile, probability in (("ppf", "cdf"), ("isf", "sf")):
        x = getattr(ours, quantile)(tb.array(ENDS), *shapes).get()
        inside = (x > 1e-300) & (x < 1 - 1e-9) if name == "beta" else np.isfinite(x)
        assert inside.sum() > 3
        np.testing.assert_allclose(getattr(theirs, probability)(x[inside], *shapes), ENDS[inside], rtol=1e-8)


def test_power_of_a_normal_tail_is_not_what_is_left_of_one():
    x = np.array([-12.0, -9.0, -8.3, -7.0, -1.0, 0.0, 2.0])
    got = xs.crystalball.cdf(tb.array(x), 10.0, 15.0).get()
    np.testing.assert_allclose(got, ss.crystalball.cdf(x, 10.0, 15.0), rtol=1e-12)
