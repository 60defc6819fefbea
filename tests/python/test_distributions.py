"""Distributions of random numbers: what is drawn against SciPy, that it is the same everywhere, bad parameters."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.stats as st
from hypothesis import given
from hypothesis import strategies as hs

import tombac as tb
import tombacx

N = 20_000
LEAST = 1e-4  # of a test's p-value; seeds are fixed, so that the tests either pass or fail for good

# ---- against SciPy ---------------------------------------------------------------------------------------------------

CONTINUOUS = {
    "standard_gamma": (st.gamma, [(0.05,), (0.3,), (0.999,), (1,), (1.5,), (2,), (10,), (1e3,), (1e8,)]),
    "beta": (st.beta, [(0.01, 0.5), (0.3, 0.4), (0.4, 0.3), (0.5, 0.5), (0.5, 3), (3, 0.5), (1, 1), (1, 7), (2, 3),
                       (1 + 1e-7, 1 + 1e-6), (0.9, 1.1), (1.2, 80), (0.1, 1e3), (30, 30), (1e5, 2e5), (5, 1e6)]),
    "chisquare": (st.chi2, [(0.1,), (1,), (2,), (3.5,), (100,)]),
    "f": (st.f, [(1, 1), (3, 5), (0.5, 8), (100, 2), (40, 50)]),
    "standard_t": (st.t, [(0.5,), (1,), (3,), (30,), (1e6,)]),
    "noncentral_chisquare": (st.ncx2, [(0.5, 1), (1, 3), (3, 1), (3, 1e-3), (7, 40)]),
    "noncentral_f": (st.ncf, [(3, 5, 1), (0.5, 8, 2), (10, 10, 20)]),
    "laplace": (st.laplace, [(0, 1), (-3, 2)]),
    "logistic": (st.logistic, [(0, 1), (5, 3)]),
    "gumbel": (st.gumbel_r, [(0, 1), (5, 3)]),
    "normal": (st.norm, [(0, 1), (5, 3)]),
    "uniform": (lambda a, b: st.uniform(a, b - a), [(0, 1), (-3, 4)]),
    "exponential": (lambda s: st.expon(0, s), [(1,), (3,)]),
    "rayleigh": (lambda s: st.rayleigh(0, s), [(1,), (3,)]),
    "pareto": (st.lomax, [(0.5,), (1,), (3,)]),
    "power": (st.powerlaw, [(0.5,), (1,), (3,)]),
    "weibull": (st.weibull_min, [(0.5,), (1,), (1.5,), (2,), (10,)]),
    "standard_cauchy": (st.cauchy, [()]),
    "lognormal": (lambda m, s: st.lognorm(s, 0, np.exp(m)), [(0, 1), (2, 0.1)]),
    "triangular": (lambda a, m, b: st.triang((m - a) / (b - a), a, b - a), [(0, 1, 4), (-1, -1, 2), (0, 2, 2)]),
    "wald": (lambda m, s: st.invgauss(m / s, 0, s), [(1, 1), (1, 100), (3, 0.1), (0.2, 5)]),
    "vonmises": (lambda m, k: st.vonmises(k, m), [(0, 1e-3), (0, 0.5), (0, 4), (0, 1e3)]),
}


@pytest.mark.parametrize("code", "fd")
@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous(name, code):
    of, cases = CONTINUOUS[name]
    for k, args in enumerate(cases):
        if code == "f" and min(args, default=1) < 0.05:
            continue  # float32 has no room for the lower tail
        x = getattr(tb.random.default_rng([k, 7]), name)(*args, size=N, dtype=code).get()
        assert x.dtype == np.dtype(code)
        assert st.kstest(x.astype("d"), of(*args).cdf).pvalue > LEAST, args


def chi_square(x, cdf):
    """The p-value of whole numbers, in bins of at least about eight."""
    edges = np.unique(np.quantile(x, np.linspace(0, 1, 40)).astype(np.int64))
    p = np.diff(np.concatenate([[0.0], cdf(edges), [1.0]]))
    seen = np.bincount(np.searchsorted(edges, x), minlength=p.size)
    assert not seen[p <= 0].any()
    large = p * x.size > 8
    expected, seen = np.append(p[large], p[~large].sum()) * x.size, np.append(seen[large], seen[~large].sum())
    if expected[-1] < 8:
        expected, seen = np.append(expected[:-2], expected[-2:].sum()), np.append(seen[:-2], seen[-2:].sum())
    return 1.0 if expected.size < 2 else st.chisquare(seen, expected * (seen.sum() / expected.sum())).pvalue


def zipf_cdf(a):
    terms = np.cumsum(np.arange(1.0, 1e6) ** -a)
    total = st.zipf(a).pmf(1)
    return lambda k: np.where(k < 1, 0, terms[np.clip(k, 1, terms.size) - 1] * total)


def urn_cdf(good, bad, drawn):
    return st.hypergeom(good + bad, good, drawn).cdf


DISCRETE = {
    "poisson": (lambda m: st.poisson(m).cdf,
                [(0,), (1e-3,), (0.5,), (3,), (9.99,), (10,), (10.01,), (12.5,), (20,), (400,), (1e3,), (1e6,),
                 (1e8,), (1e10,)]),
    "binomial": (lambda n, p: st.binom(n, p).cdf,
                 [(0, 0.5), (1, 0.5), (7, 0), (7, 1), (19, 0.5), (20, 0.5), (25, 0.4), (40, 0.75), (100, 0.1),
                  (1000, 0.999), (10**6, 1e-6), (10**6, 0.3), (10**9, 0.5), (21, 0.48), (100, 0.3), (10**6, 1.001e-5),
                  (10**9, 1.0001e-8), (2**40, 1e-3), (2**40, 1 - 1e-9)]),
    "negative_binomial": (lambda n, p: st.nbinom(n, p).cdf, [(1, 0.5), (0.3, 0.1), (20, 0.4), (5, 1)]),
    "geometric": (lambda p: st.geom(p).cdf, [(1e-6,), (0.01,), (0.3,), (0.99,)]),
    "hypergeometric": (urn_cdf, [(5, 5, 3), (10, 20, 15), (50, 50, 50), (100, 10, 80), (1000, 2000, 300), (7, 3, 10),
                                 (0, 10, 5), (10, 0, 5), (11, 100, 50), (500, 30, 520), (10**6, 10**6, 1000)]),
    "logseries": (lambda p: lambda k: np.where(k < 1, 0, st.logser(p).cdf(np.maximum(k, 1))),
                  [(1e-9,), (0.1,), (0.5,), (0.9,), (0.999,)]),
    "zipf": (zipf_cdf, [(1.8,), (2,), (3,), (10,)]),
}


@pytest.mark.parametrize("name", DISCRETE)
def test_discrete(name):
    of, cases = DISCRETE[name]
    for k, args in enumerate(cases):
        x = getattr(tb.random.default_rng([k, 3]), name)(*args, size=N).get()
        assert x.dtype == np.int64
        assert chi_square(x, of(*args)) > LEAST, args


@pytest.mark.parametrize("p", [0.5, 0.4, 0.3, 0.1, 0.01, 1e-4, 1e-7])
def test_hat_of_binomial_numbers(p):
    """Over the normal density's peak, as random_counts.h has it, all that can be accepted is under the hat."""
    for n in (10 / p + 1e-6, 11 / p, 13.7 / p, 20 / p, 50 / p, 1e3 / p, 1e5 / p):
        n = np.ceil(n)
        spread = (n * p * (1 - p)) ** 0.5
        b = 1.15 + 2.53 * spread
        a = -0.0873 + 0.0248 * b + 0.01 * p
        near = np.geomspace(1e-7, 0.02, 500) - 0.5
        u = np.concatenate([np.linspace(-0.5, 0.5, 5001)[1:-1], near, -near])
        us = 0.5 - abs(u)
        density = st.binom(n, p).pmf(np.floor((2 * a / us + b) * u + (n * p + 0.5))) * (2 * np.pi) ** 0.5
        accepted = density * (a / us**2 + b) / (2.83 + 5.1 / b)
        assert accepted.max() <= 1


@pytest.mark.parametrize("m", [1e-300, 1e-6, 1e-3, 0.1, 0.3, 0.9, 1, 1 + 1e-9, 1.5, 2, 10, 1e3, 1e6])
def test_hat_of_beta_numbers(m):
    """With the rates that random_floats.h has, the density is below the logistic one's to both sides of its mode."""
    t = np.geomspace(1e-3, 1e5, 3000)
    hat = -t - 2 * np.log1p(np.exp(-t)) + 2 * np.log(2)
    for times in (1, 1 + 1e-9, 1.01, 1.5, 2, 3, 10, 100, 1e4, 1e8):
        n, q = m * times, 1 / (1 + times)
        down = m if m <= 1 else (1 + 2 * (m - 1) * ((n - 1) / (m - 1 + (n - 1)))) ** 0.5
        up = min(n, (2 * m * (1 - q)) ** 0.5)
        for v in (-t / down, t / up):
            small = m * v - (m + n) * np.log1p(q * np.expm1(np.minimum(v, 20)))
            density = np.where(v < 20, small, -n * v - (m + n) * np.log(q + (1 - q) * np.exp(-np.maximum(v, 20))))
            assert (density <= hat + 1e-8 * t**2).all()


@pytest.mark.parametrize("code", "fd")
@pytest.mark.parametrize("a, b", [(1e-3, 1e-3), (1e-3, 1), (2, 1e-3), (1e-3, 1e6), (0.01, 0.03), (0.05, 0.02),
                                  (1e-6, 0.7)])
def test_beta_numbers_next_to_the_ends(a, b, code):
    """As many as there should be where rounding leaves 0 or 1 alone, and between them SciPy's."""
    x = tb.random.default_rng([7, 1]).beta(a, b, size=4 * N, dtype=code).get().astype("d")
    of, least, most = st.beta(a, b), {"f": 1e-36, "d": 1e-300}[code], {"f": 1 - 1e-5, "d": 1 - 1e-13}[code]
    assert ((0 <= x) & (x <= 1)).all()
    assert st.binomtest(int((x <= least).sum()), x.size, of.cdf(least)).pvalue > LEAST
    assert st.binomtest(int((x >= most).sum()), x.size, of.sf(most)).pvalue > LEAST
    inside, start = x[(least < x) & (x < most)], of.cdf(least)
    share = 1 - of.sf(most) - start
    assert inside.size < 20 or st.kstest(inside, lambda t: (of.cdf(t) - start) / share).pvalue > LEAST


@pytest.mark.parametrize("a, b", [(1e6, 3e6), (1e9, 3e9), (1e12, 7e12), (40.0, 1e10), (3.0, 1e12), (1e15, 2e15)])
def test_beta_numbers_of_large_shapes(a, b):
    x = tb.random.default_rng(5).beta(a, b, N).get()
    if a < 1e13:  # SciPy's are imprecise above
        assert st.kstest(x, st.beta(a, b).cdf).pvalue > LEAST
    else:
        assert st.kstest((x - a / (a + b)) * ((a + b) ** 3 / (a * b)) ** 0.5, "norm").pvalue > LEAST
    np.testing.assert_allclose(tb.random.default_rng(5).beta(b, a, N).get(), 1 - x, rtol=1e-14)


def test_huge_parameters():
    g = tb.random.default_rng(4)
    for a, b in ((1e20, 1e20), (1e100, 3e100), (1e300, 1e308), (1e40, 1.7e308)):
        np.testing.assert_allclose(g.beta(a, b, 1000).get(), 1 / (1 + b / a), rtol=1e-8)
        np.testing.assert_allclose(g.beta(b, a, 1000).get(), 1 / (1 + a / b), rtol=1e-8)
    x = g.poisson(1e18, N).get().astype("d")
    assert abs(x.mean() - 1e18) < 5e9 / N**0.5 and abs(x.std() / 1e9 - 1) < 0.03
    assert g.binomial(2**62 + 1, 1.0).item() == 2**62 + 1 and g.binomial(2**62 + 1, 0.0).item() == 0
    x = g.binomial(10**18, 0.5, N).get() - 5e17
    assert abs(x.mean()) < 5 * 5e8 / N**0.5 and abs(x.std() / 5e8 - 1) < 0.03
    for a in (1e12, 1e16, 1e30):
        x = (g.standard_gamma(a, N).get() - a) / a**0.5
        assert a == 1e30 or abs(x.mean()) < 5 / N**0.5 and abs(x.std() - 1) < 0.03 + 1e-7 * a**0.5
        assert np.isfinite(x).all()
    x = g.vonmises(0, 1e12, N).get() * 1e6
    assert st.kstest(x, "norm").pvalue > LEAST
    assert (g.geometric(1e-300, 5).get() == 2**63 - 1).all() and (g.geometric(1.0, 5).get() == 1).all()
    assert (g.zipf(5000.0, 100).get() == 1).all()
    x = g.zipf(1 + 1e-9, N).get()
    assert x.min() >= 1 and abs(np.log2(x).mean() - 31.5) < 1
    assert (g.wald(1.0, 1e300, 5).get() == 1).all() and (g.wald(1e200, 1e-300, 5).get() >= 0).all()


def test_tiny_parameters():
    g = tb.random.default_rng(4)
    assert (g.standard_gamma(0.0, 100).get() == 0).all() and (g.standard_gamma(1e-320, 100).get() == 0).all()
    x = g.standard_gamma(1e-3, N).get()
    assert abs((x == 0).mean() - st.gamma(1e-3).cdf(1e-308)) < 0.02
    x = g.beta(1e-200, 3e-200, N).get()
    assert set(np.unique(x)) == {0, 1} and abs(x.mean() - 0.25) < 0.02
    assert (g.beta(1e-200, 1.0, N).get() == 0).all() and (g.beta(3e5, 1e-250, N).get() == 1).all()
    assert not np.isnan(g.beta(5e-324, 1e-320, N).get()).any()
    x = g.dirichlet([1e-200, 1e-200, 2e-200], N).get()
    assert (x.sum(-1) == 1).all() and abs(x.mean(0) - [0.25, 0.25, 0.5]).max() < 0.02
    assert not np.isnan(g.f(1e-3, 1e-3, N).get()).any()
    assert (g.poisson(0.0, 100).get() == 0).all() and (g.weibull(0, 5).get() == 0).all()
    assert (g.noncentral_chisquare(2.0, 0.0, 100).get() > 0).all()


# ---- the same numbers everywhere -------------------------------------------------------------------------------------

MASK = 0xFFFFFFFF


def philox(key, counter):
    """A block of Philox 4x32-10: four words from a key of 64 bits and a counter of four words."""
    c, k = list(counter), [key & MASK, key >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & MASK, (a >> 32) ^ c[3] ^ k[1], a & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("rest", [[1.0], [0.3, 7.0], [1.0, 1.0, np.nan]])
def test_shape_1_has_its_numbers_among_others(rest, dtype):
    shapes = np.resize([1.0, *rest], 3000)
    alone = tb.random.default_rng(5).standard_gamma(1, 3000, dtype).get()
    among = tb.random.default_rng(5).standard_gamma(tb.array(shapes), dtype=dtype).get()
    assert (among[shapes == 1] == alone[shapes == 1]).all()
    for k, shape in enumerate(rest):
        x = tb.random.default_rng(5).standard_gamma(tb.full(3000, shape), dtype=dtype).get()
        np.testing.assert_array_equal(among[1 + k :: 1 + len(rest)], x[1 + k :: 1 + len(rest)])


def test_numbers_follow_from_the_key():
    """A point's key, then its own stream, as the papers say: written again in Python."""
    g = tb.random.default_rng(11)
    state = g.bit_generator.state()
    assert state["offset"] == 0
    blocks = [philox(state["key"], (k, 0, 0, 0)) for k in range(100)]
    keys = [w for b in blocks for w in (b[0] | b[1] << 32, b[2] | b[3] << 32)]
    shape, d = 2.5, 2.5 - 1 / 3

    def gamma(key):
        for attempt in range(100):
            w = philox(key, (attempt, 0, 0, 0x706F696E))
            x, y = w[0] | w[1] << 32, w[2] | w[3] << 32
            first, second = 1 - (x >> 12) / 2**52, (y >> 20) / 2**44
            third = 1 - ((x & 0xFFF) << 20 | y & 0xFFFFF) / 2**32
            n = np.sqrt(-2 * np.log(first)) * np.sin(np.pi / 2 * (2 * second - 1))
            v = (1 + n / np.sqrt(9 * d)) ** 3
            if v > 0 and np.log(third) < n * n / 2 + d - d * v + d * np.log(v):
                return d * v

    np.testing.assert_allclose(g.standard_gamma(shape, 200).get(), [gamma(k) for k in keys], rtol=1e-12)
    a, b = 0.3, 4.0
    up = 1 / (2 * a * b / (a + b)) ** 0.5

    def beta(key):
        for attempt in range(100):
            w = philox(key, (attempt, 0, 0, 0x706F696E))
            x, y = w[0] | w[1] << 32, w[2] | w[3] << 32
            first, second = 1 - (x >> 12) / 2**52, (y >> 20) / 2**44
            third = 1 - ((x & 0xFFF) << 20 | y & 0xFFFFF) / 2**32
            v = np.log(2 / first - 1) * (up if third <= up / (up + 1 / a) else -1 / a)
            density = a * v - (a + b) * np.log((b + a * np.exp(v)) / (a + b))
            if np.log(first * (2 - first) * (1 - second)) <= density:
                return a * np.exp(v) / (b + a * np.exp(v))

    g = tb.random.default_rng(11)
    np.testing.assert_allclose(g.beta(a, b, 200).get(), [beta(k) for k in keys], rtol=1e-12)
    g = tb.random.default_rng(11)
    np.testing.assert_allclose(g.beta(b, a, 200).get(), [1 - beta(k) for k in keys], rtol=1e-12)
    first = np.array([1 - (k >> 12) / 2**52 for k in keys])
    g = tb.random.default_rng(11)
    np.testing.assert_allclose(g.standard_gamma(1, 200).get(), -np.log(first), rtol=1e-12)
    g = tb.random.default_rng(11)
    assert (g.geometric(0.2, 200).get() == np.maximum(1, np.ceil(np.log(first) / np.log1p(-0.2)))).all()
    g = tb.random.default_rng(11)
    assert (g.poisson(3.0, 200).get() == np.searchsorted(st.poisson(3).cdf(np.arange(60)), first)).all()
    for top in (0, 9, 2**32 - 2, 2**32 - 1, 2**32, 10**12, 2**64 - 2, 2**64 - 1):
        x = tb.random.default_rng(11).integers(0, top, 200, dtype="Q", endpoint=True)
        assert x.get().tolist() == [k * (top + 1) >> 64 for k in keys]


DRAWS = [("standard_gamma", (2.0,)), ("standard_gamma", (0.3,)), ("beta", (0.5, 0.75)), ("beta", (20.0, 3.0)),
         ("vonmises", (0.0, 2.0)), ("poisson", (3.0,)),
         ("poisson", (40.0,)), ("binomial", (10, 0.25)), ("binomial", (200, 0.75)), ("hypergeometric", (20, 30, 8)),
         ("hypergeometric", (200, 300, 80)), ("geometric", (0.1,)), ("logseries", (0.9,)), ("zipf", (2.0,))]
IDS = [f"{name}-{args[0]}" for name, args in DRAWS]


@pytest.mark.parametrize("name, args", DRAWS, ids=IDS)
def test_a_number_depends_on_its_place_alone(name, args):
    def draw(size, *args, **kwargs):
        return getattr(tb.random.default_rng(5), name)(*args, size=size, **kwargs).get()

    x = draw(3001, *args)
    assert (draw(700, *args) == x[:700]).all() and (draw((3, 1000), *args).ravel() == x[:3000]).all()
    arrays = [np.full(3001, a) for a in args]
    assert (draw(None, *arrays) == x).all()
    mixed = [np.where(np.arange(3001) % 7 == 3, a, np.array(b)) for a, b in zip(args, [np.float64(a) for a in args])]
    assert (draw(3001, *[m.astype(a.dtype) for m, a in zip(mixed, arrays)]) == x).all()
    g = tb.random.default_rng(5)
    getattr(g, name)(*args, size=3001)
    assert g.bit_generator.state()["offset"] == 1501


@pytest.mark.parametrize("name", ["poisson", "binomial", "standard_gamma", "beta", "hypergeometric", "geometric",
                                  "logseries"])
def test_parameters_side_by_side(name):
    """Points that are searched for, that take attempts, and that have no number, in one run."""
    n = 2000
    kinds = np.arange(n) % 4
    columns = {"poisson": ([3.0, 50.0, np.nan, -1.0],), "binomial": ([10, 400, 10, 400], [0.5, 0.5, 2.0, np.nan]),
               "standard_gamma": ([0.3, 5.0, np.nan, -1.0],), "beta": ([0.3, 5.0, np.nan, 1.0], [2.0, 0.1, 1.0, -1.0]),
               "geometric": ([0.3, 1.0, 1.5, 0.0],), "logseries": ([0.0, 0.9, 1.0, -0.5],),
               "hypergeometric": ([5, 500, 5, 5], [5, 500, 5, -1], [4, 500, 11, 1])}[name]
    x = getattr(tb.random.default_rng(2), name)(*[tb.array(np.array(c)[kinds]) for c in columns]).get()
    for kind in range(4):
        mine = x[kinds == kind]
        if kind >= 2:
            assert np.isnan(mine).all() if name in ("standard_gamma", "beta") else (mine == np.iinfo("q").min).all()
            continue
        alone = getattr(tb.random.default_rng(2), name)(*[c[kind] for c in columns], size=n).get()
        assert (mine == alone[kinds == kind]).all()


PRINT = """
import hashlib, numpy as np, tombac as tb
for code in "fd":
    for name, args in (("standard_gamma", (0.4,)), ("standard_gamma", (3.0,)), ("beta", (0.4, 3.0)),
                       ("beta", (20.0, 5.0)), ("vonmises", (0.0, 3.0))):
        x = getattr(tb.random.default_rng(1), name)(*args, size=5000, dtype=code)
        print(hashlib.sha256(x.get().round(4).tobytes() if name == "vonmises" else x.get().tobytes()).hexdigest())
for name, args in (("poisson", (4.0,)), ("poisson", (60.0,)), ("binomial", (9, 0.4)), ("binomial", (900, 0.4)),
                   ("hypergeometric", (9, 9, 9)), ("hypergeometric", (90, 90, 90)), ("geometric", (0.1,)),
                   ("logseries", (0.9,)), ("zipf", (1.5,))):
    print(hashlib.sha256(getattr(tb.random.default_rng(1), name)(*args, size=5000).get().tobytes()).hexdigest())
mixed = tb.array(np.resize([0.3, 5, -1, 40, np.nan, 0.9, 3000, 1, 0], 5000))  # some searched for, some tried, some none
for draw in (lambda g, n: g.random(n), lambda g, n: g.random(n, dtype="f"), lambda g, n: g.integers(0, 100, n),
             lambda g, n: g.integers(0, 2**32, n), lambda g, n: g.integers(0, 10**12, n), lambda g, n: g.permutation(n),
             lambda g, n: g.gamma(mixed[:n]), lambda g, n: g.poisson(mixed[:n]),
             lambda g, n: g.binomial(mixed[:n], 0.3), lambda g, n: g.random(2 * n)[1::2],
             lambda g, n: g.poisson(tb.full(n, -1.0)), lambda g, n: g.beta(mixed[:n], mixed[:n][::-1]),
             lambda g, n: g.beta(tb.full(n, -1.0), 2), lambda g, n: g.geometric(mixed[:n]),
             lambda g, n: g.logseries(mixed[:n]),
             lambda g, n: g.hypergeometric(mixed[:n], 30, 5)):
    h = hashlib.sha256()
    for n in (1, 15, 16, 17, 33, 511, 1023, 1028, 5000):
        h.update(draw(tb.random.default_rng(2), n).get().tobytes())
    print(h.hexdigest())
"""


def test_every_instruction_set_draws_the_same():
    def run(isa):
        environment = {**os.environ, "TOMBAC_BACKEND": "cpu", "TOMBAC_CPU_ISA": isa}
        return subprocess.run([sys.executable, "-c", PRINT], env=environment, capture_output=True, text=True,
                              check=True).stdout

    base = run("base")
    assert base.count("\n") == 35 and run("avx2") == base and run("avx512") == base


FIXED = {
    "random": lambda g: g.random(3001), "float32": lambda g: g.random(3001, dtype="f"),
    "integers": lambda g: g.integers(0, 100, 3001), "words": lambda g: g.integers(0, 2**32, 3001),
    "wide": lambda g: g.integers(-5, 10**12, 3001), "gamma": lambda g: g.standard_gamma(3.0, 3001),
    "poisson": lambda g: g.poisson(60.0, 3001), "order": lambda g: g.permutation(3001),
    "beta": lambda g: g.beta(2.0, 3.0, 3001),
}
SUMS = {  # 64 bits of each hash
    "random": "3b3acb8bbc618c34", "float32": "f86923df9f55a710", "integers": "a0dbdc3fbc31aa86",
    "words": "9e3bafb7b081ebf7", "wide": "46f871b40dd58fbc", "gamma": "6aef963a07f9960a",
    "poisson": "a434312532bd0b41", "order": "82c40e03705e7966", "beta": "8a5e1aa160761706",
}


@pytest.mark.parametrize("name", FIXED)
def test_numbers_of_a_seed_stay(name):
    assert hashlib.sha256(FIXED[name](tb.random.default_rng(1)).get().tobytes()).hexdigest()[:16] == SUMS[name]


@pytest.mark.usefixtures("fused")
def test_draws_with_parameters_are_fused():
    g = tb.random.default_rng(1)
    scale = tb.full(1000, 3.0)

    def kernels(f):
        f().get()
        tb.config.reset_counters()
        f().get()
        return tb.config.counters()["launches"]

    assert kernels(lambda: g.gamma(2.0, size=1000) * 2 + 1) == 1
    assert kernels(lambda: g.gamma(scale, scale) * 2 + 1) == 1
    assert kernels(lambda: g.beta(2.0, 0.5, size=1000) * 2 + 1) == 1
    assert kernels(lambda: g.poisson(g.gamma(scale)) + 1) == 1
    assert kernels(lambda: g.vonmises(1.0, 2.0, size=1000)) == 1


# ---- parameters ------------------------------------------------------------------------------------------------------

BAD = [
    ("gamma", (-1,), "shape"), ("gamma", (1, -1), "scale"), ("standard_gamma", (-1,), "shape"), ("beta", (0, 1), "a"),
    ("beta", (1, 0), "b"), ("chisquare", (0,), "df"), ("f", (0, 1), "dfnum"), ("f", (1, 0), "dfden"),
    ("standard_t", (0,), "df"), ("noncentral_chisquare", (0, 1), "df"), ("noncentral_chisquare", (1, -1), "nonc"),
    ("noncentral_f", (0, 1, 1), "dfnum"), ("noncentral_f", (1, 0, 1), "dfden"), ("noncentral_f", (1, 1, -1), "nonc"),
    ("vonmises", (0, -1), "kappa"), ("laplace", (0, -1), "scale"), ("logistic", (0, -1), "scale"),
    ("gumbel", (0, -1), "scale"), ("pareto", (0,), "a"), ("power", (0,), "a"), ("rayleigh", (-1,), "scale"),
    ("weibull", (-1,), "a"), ("lognormal", (0, -1), "sigma"), ("normal", (0, -1), "scale"),
    ("exponential", (-1,), "scale"), ("wald", (0, 1), "mean"), ("wald", (1, 0), "scale"),
    ("triangular", (1, 0, 2), "left > mode"), ("triangular", (0, 3, 2), "mode > right"),
    ("triangular", (1, 1, 1), "left == right"), ("poisson", (-1,), "lam"), ("poisson", (np.nan,), "lam"),
    ("poisson", (1e19,), "lam value too large"), ("binomial", (-1, 0.5), "n"), ("binomial", (5, 1.5), "p"),
    ("binomial", (5, np.nan), "p"), ("negative_binomial", (0, 0.5), "n"), ("negative_binomial", (5, 0), "p"),
    ("geometric", (0,), "p"), ("geometric", (1.5,), "p"), ("geometric", (np.nan,), "p"), ("logseries", (1,), "p"),
    ("logseries", (-0.5,), "p"), ("zipf", (1,), "a"), ("zipf", (np.nan,), "a"),
    ("hypergeometric", (-1, 2, 1), "ngood"), ("hypergeometric", (1, -2, 1), "nbad"),
    ("hypergeometric", (1, 2, -1), "nsample"), ("hypergeometric", (1, 2, 4), "nsample"),
    ("hypergeometric", (10**9, 2, 4), "ngood"), ("multinomial", (-1, [0.5, 0.5]), "n"),
    ("multinomial", (5, [0.9, 0.9, 0.1]), "pvals"), ("multinomial", (5, [-0.1, 1.1]), "pvals"),
    ("multinomial", (5, []), "pvals"), ("dirichlet", ([-1, 1],), "alpha"), ("dirichlet", ([[1, 1]],), "alpha"),
    ("multivariate_hypergeometric", ([3, 4], 8), "nsample"), ("multivariate_hypergeometric", ([3, -4], 1), "colors"),
    ("multivariate_hypergeometric", ([3, 4], -1), "nsample"),
    ("multivariate_normal", ([0, 0, 0], np.eye(2)), "mean and cov"),
    ("multivariate_normal", ([[0, 0]], np.eye(2)), "mean"), ("multivariate_normal", ([0, 0], np.ones(2)), "cov"),
]


@pytest.mark.parametrize("name, args, what", BAD, ids=[f"{n}-{k}" for k, (n, _, _) in enumerate(BAD)])
def test_bad_parameters(name, args, what):
    with pytest.raises(ValueError):
        getattr(np.random.default_rng(0), name)(*args, size=3)
    g = tb.random.default_rng(0)
    with pytest.raises(ValueError, match=rf"{name}.*\b{what}\b"):
        getattr(g, name)(*args, size=3)
    if all(np.ndim(a) == 0 for a in args):
        with pytest.raises(ValueError, match=rf"{name}.*\b{what}\b"):
            getattr(g, name)(*[[a, a] for a in args])
    assert g.bit_generator.state()["offset"] == 0


OF_BOTH = [(n, a, w) for n, a, w in BAD if hasattr(tb.random.RandomState, n) and all(np.ndim(p) == 0 for p in a)]


@pytest.mark.parametrize("name, args, what", OF_BOTH, ids=[f"{n}-{k}" for k, (n, _, _) in enumerate(OF_BOTH)])
def test_bad_parameters_on_a_device(name, args, what):
    state, g = tb.random.RandomState(0), tb.random.default_rng(0)
    for shape in ((), (2, 3)):
        bad = [tb.array(np.full(shape, a, "d")) for a in args]
        for given_ in (bad, [b.T[..., ::-1] if shape else b for b in bad]):
            with pytest.raises(ValueError, match=rf"{name}.*\b{what}\b"):
                getattr(state, name)(*given_)
            with pytest.raises(ValueError, match=rf"{name}.*\b{what}\b"):
                getattr(tb.random, name)(*given_, size=(5, 3, 2) if shape else 7)
    assert state._rng.offset == 0
    with tombacx.allow_synchronize(False):
        getattr(g, name)(*bad)
        with pytest.raises(tombacx.DeviceSynchronized):
            getattr(state, name)(*bad)
    assert getattr(state, name)(*[b[:0] for b in bad]).shape == (0, 3)


def test_bad_vectors_on_a_device():
    state, g = tb.random.RandomState(0), tb.random.default_rng(0)
    for name, args, what in (
            ("dirichlet", ([1.0, -1],), "alpha"), ("multinomial", (5, [0.9, 0.9, 0.1]), "sum"),
            ("multinomial", (5, [-0.1, 1.1]), "pvals < 0"), ("multinomial", (5, [0.5, np.nan, 0]), "NaN"),
            ("multinomial", ([[1], [-1]], [0.5, 0.5]), "n < 0"),
            ("multinomial", (2, [[0.5, 0.5], [2, 0]]), "pvals > 1"),
            ("uniform", ([0, 1], [1, np.inf]), "finite"), ("uniform", (np.nan, [1, 2]), "finite"),
            ("randint", ([0, 3], 3), "low >= high"), ("randint", (0, [3, 300], None, "b"), "high is out of bounds"),
            ("randint", ([-1, 2], 300, None, "H"), "low is out of bounds")):
        there = [tb.array(a) if np.ndim(a) else a for a in args]
        with pytest.raises((OverflowError, ValueError)) as error:
            getattr(np.random if name in ("randint", "dirichlet") else np.random.default_rng(0), name)(*args)
        with pytest.raises(error.type, match=what):
            getattr(state, name)(*there)
        if hasattr(g, name):
            getattr(g, name)(*there)


def test_parameters_on_a_device_that_are_good():
    state, size = tb.random.RandomState(0), (2, 3)
    for name, args in (("poisson", (3,)), ("hypergeometric", (200, 200, 250)), ("normal", (np.nan, np.nan)),
                       ("triangular", (0, 1, 1)), ("gamma", (0, 1)), ("wald", (np.nan, 1)), ("lognormal", (0, 0))):
        for code in "Bhd":
            if code == "d" or not np.isnan(args).any():
                there = [tb.full(size, a, code)[::-1] for a in args]
                want = getattr(tb.random.RandomState(3), name)(*args, size=size).get()
                state.seed(3)
                assert np.array_equal(getattr(state, name)(*there).get(), want, equal_nan=True)


@pytest.mark.usefixtures("fused")
def test_one_kernel_looks_at_all_parameters():
    state = tb.random.RandomState(0)
    a, b, c = (tb.array(np.full(1000, x)) for x in (3.0, 4.0, 5.0))
    for draw in (lambda: state.hypergeometric(a, b, c), lambda: state.triangular(a, b, c), lambda: state.gamma(a, 2.0),
                 lambda: state.lognormal(a, b)):
        draw()
        tb.config.reset_counters()
        result = draw()
        assert tb.config.counters()["launches"] == 1
        result.get()
        assert tb.config.counters()["launches"] == 2
    tb.config.reset_counters()
    state.gamma(2.0, [1.0, 2.0])
    assert tb.config.counters()["launches"] == 0


@pytest.mark.parametrize("bad", [None, 1j, [1j], "a", np.array([1j]), np.array([None])])
def test_parameters_that_are_not_real(bad):
    for rng in (tb.random.RandomState(0), tb.random.default_rng(0)):
        for draw in (rng.poisson, rng.standard_gamma, rng.exponential, rng.normal, lambda x: rng.binomial(5, x),
                     lambda x: rng.wald(x, 1)):
            with pytest.raises(TypeError):
                draw(bad)
            if np.ndim(bad) and bad[0] is not None:
                with pytest.raises(TypeError):
                    draw(tb.array(bad))


NAMES = sorted(set(CONTINUOUS) | set(DISCRETE))


@pytest.mark.parametrize("name", NAMES)
def test_bad_sizes_and_dtypes(name):
    args = (CONTINUOUS | DISCRETE)[name][1][-1]
    f = getattr(tb.random.default_rng(0), name)
    for size, error in ((-1, ValueError), ((2, -3), ValueError), ("a", (TypeError, ValueError)), (1.5, TypeError)):
        with pytest.raises(error):
            f(*args, size=size)
    with pytest.raises(TypeError):
        f(*args, size=3, dtype="F")
    if args:
        with pytest.raises(ValueError):
            f(*[np.full(3, a) for a in args], size=2)
        assert f(*[np.full(3, a) for a in args], size=(2, 3)).shape == (2, 3)
    assert f(*args).shape == () and f(*args, size=(0, 3)).shape == (0, 3)


@given(hs.sampled_from(["gamma", "beta", "binomial", "vonmises", "f", "wald", "negative_binomial"]),
       hs.lists(hs.integers(0, 3), max_size=3), hs.lists(hs.integers(0, 3), max_size=3), hs.booleans(), hs.booleans())
def test_shapes_broadcast(name, a, b, device, strided):
    x, y = np.full(a, 2), np.full(b, 0.5)
    try:
        expected = np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        with pytest.raises(ValueError):
            getattr(tb.random.default_rng(0), name)(x, tb.array(y))
        return
    if strided and a:
        x = np.repeat(x, 2, 0)[::-2]
    mine = getattr(tb.random.default_rng(0), name)(*((tb.array(p) if device else p) for p in (x, y)))
    assert mine.shape == expected
    alone = getattr(tb.random.default_rng(0), name)(2, 0.5, size=expected)
    assert name == "f" or (mine.get() == alone.get()).all()


def test_standard_gamma_out():
    g = tb.random.default_rng(0)
    out = tb.empty((2, 3), "f")
    assert g.standard_gamma(2.0, dtype="f", out=out) is out and (out.get() > 0).all()
    assert (out.get() == tb.random.default_rng(0).standard_gamma(2.0, (2, 3), dtype="f").get()).all()
    assert g.standard_gamma(tb.ones(3), (2, 3), dtype="f", out=out[:, ::-1]) is not out
    for kwargs, error in (({"size": 3}, ValueError), ({"dtype": "d"}, TypeError), ({"out": np.empty(3)}, TypeError)):
        with pytest.raises(error, match="out"):
            g.standard_gamma(2.0, **{"dtype": "f", "out": out, **kwargs})


def test_parameters_that_are_truth_values_or_large():
    for rng in tb.random.default_rng(0), tb.random.RandomState(0):
        for draw in (rng.beta, rng.gamma, rng.lognormal, rng.gumbel, rng.f):
            assert draw(True, np.True_, 3).shape == draw(1.0, [True, True], (3, 2)).shape[:1]
        assert rng.lognormal(0, 2**70, 3).shape == rng.uniform([1, 2, 3], 2**70).shape == (3,)


def test_uniform_of_ends_in_the_wrong_order():
    """Is refused by Generators, as NumPy's are."""
    g, state = tb.random.default_rng(0), tb.random.RandomState(0)
    for low, high in ((3, 1), (3, [4, 1]), (np.array([3.0]), 1)):
        with pytest.raises(ValueError):
            np.random.default_rng(0).uniform(low, high)
        with pytest.raises(ValueError, match="high < low"):
            g.uniform(low, high)
        x = state.uniform(low, high, (4, 2)).get()
        assert (np.minimum(low, high) <= x).all() and (x <= np.maximum(low, high)).all()
    g.uniform(tb.array([3.0]), 1)
    for low, high in ((-1.7e308, 1.7e308), (1, -np.inf), (2, np.nan)):
        for rng in g, state:
            with pytest.raises(OverflowError, match="finite"):
                rng.uniform(low, high)


def test_whole_parameters_are_truncated_before_they_are_looked_at():
    for rng in tb.random.default_rng(0), tb.random.RandomState(0):
        assert rng.binomial(-0.5, 0.5, 2).tolist() == [0, 0]
        assert rng.hypergeometric(0, 0, 0.5, 2).tolist() == [0, 0]
        with pytest.raises(ValueError, match="ngood"):
            rng.hypergeometric(0.5, 0.5, 1)
