"""tombacx.scipy.special's orthogonal polynomials at their ends, and counts, against SciPy."""

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.special as reference
import tombac as tb
from hypothesis import given
from test_special import CASES, agree, of_scipy

import tombacx.scipy.special as special

POLYNOMIALS = [n for n in CASES if n.startswith("eval_")]


@pytest.mark.parametrize("name", POLYNOMIALS)
@pytest.mark.parametrize("x", [np.nan, np.inf, -np.inf, 1.0, -1.0, 0.0])
def test_polynomials_at_the_ends(name, x):
    n = np.arange(-3, 7)
    agree(getattr(special, name)(tb.array(n), x).get(), of_scipy(name, n, x), 200, 1e-12)


@pytest.mark.parametrize("name", POLYNOMIALS)
def test_polynomials_of_degrees_that_are_none(name):
    n = tb.array([0.5, np.nan, np.inf, 1e7])
    assert np.isnan(getattr(special, name)(n, 0.3).get()).all()


def test_polynomials_of_large_degrees():
    n, x = np.array([100, 1000]), np.linspace(-1, 1, 41)[:, None]
    for name in ("eval_legendre", "eval_chebyt", "eval_chebyu"):
        want = of_scipy(name, n, x)
        np.testing.assert_allclose(getattr(special, name)(tb.array(n), tb.array(x)).get(), want, 0,
                                   1e-11 * np.abs(want).max())


def test_fractions_of_binomial_coefficients():
    rng = np.random.default_rng(0)
    n, k = rng.uniform(-2, 20, (2, 4000))
    k[::7] = np.round(k[::7])
    far = np.abs(n - k - np.round(n - k)) > 0.01  # from zeros, where digits are lost in n - k
    np.testing.assert_allclose(special.binom(tb.array(n), tb.array(k)).get()[far], of_scipy("binom", n, k)[far], 1e-11)


@pytest.mark.parametrize("name", ["ellipk", "ellipkm1", "cbrt"])
def test_roots_and_means_of_any_size(name):
    rng = np.random.default_rng(0)
    x = 10.0 ** rng.uniform(-307, 307, 3000)
    x = np.concatenate([x, -x, 1 - x, [0.0, -0.0, 5e-324, 1.0, np.inf, -np.inf, np.nan]])
    agree(getattr(special, name)(tb.array(x)).get(), of_scipy(name, x), 8, 0)


TAILS = ["gammainc", "gammaincc", "chdtr", "chdtrc", "pdtr", "pdtrc"]


@pytest.mark.parametrize("name", TAILS)
@pytest.mark.parametrize("a, x", [((0, 25), (0, 30)), ((0, 25), (0, 130)), ((0, 1), (0, 2)), ((-6, 2), (-6, 2.5))])
def test_tails_of_gamma_distributions(name, a, x):
    rng = np.random.default_rng(0)
    a, x = rng.uniform(*a, 2001), rng.uniform(*x, 2001)
    if a.min() < 0:  # powers of ten
        a, x = 10**a, 10**x
    np.testing.assert_allclose(getattr(special, name)(tb.array(a), tb.array(x)).get(), of_scipy(name, a, x), 1e-12,
                               1e-300)


@pytest.mark.parametrize("name", ["gdtr", "gdtrc"])
@pytest.mark.parametrize("code", "fd")
def test_gamma_distributions_of_any_rate(name, code):
    rng = np.random.default_rng(0)
    rate, shape, x = (rng.uniform(low, high, 3001).astype(code) for low, high in ((-1, 10), (0, 25), (-1, 10)))
    want = of_scipy(name, *(part.astype("d") for part in (rate, shape, x)))
    got = getattr(special, name)(tb.array(rate), tb.array(shape), tb.array(x))
    assert got.dtype == code
    usual = rate > 0  # of negative ones SciPy's versions give this or that
    np.testing.assert_allclose(got.get()[usual], want[usual], 1e-12 if code == "d" else 1e-6, 1e-40)


@pytest.mark.parametrize("name", TAILS)
def test_ends_of_gamma_distributions(name):
    ends = np.array([0.0, -0.0, -1.0, 1e-20, 0.5, 1.0, 19.5, 20.0, 100.0, 1e5, np.inf, -np.inf, np.nan])
    a, x = (part.ravel() for part in np.meshgrid(ends, ends))
    usual = ~((a < 0) | (x == 0) & ~(a > 0) | np.isinf(a) | (a > 1e4))  # of which SciPy's versions give this or that
    got, want = getattr(special, name)(tb.array(a), tb.array(x)).get(), of_scipy(name, a, x)
    np.testing.assert_allclose(got[usual], want[usual], 1e-10, 1e-300)


# ---- counts ----------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-3, 60), min_size=1, max_size=9), st.integers(-2, 12), st.booleans())
def test_combinations(n, k, repetition):
    n = np.array(n)
    close = dict(rtol=1e-11, atol=0)
    np.testing.assert_allclose(special.comb(tb.array(n), k).get(), reference.comb(n, k), **close)
    np.testing.assert_allclose(special.perm(tb.array(n), k).get(), reference.perm(n, k), **close)
    repeated = n[n >= 0]
    np.testing.assert_allclose(special.comb(tb.array(repeated), abs(k), repetition=True).get(),
                               reference.comb(repeated, abs(k), repetition=True), **close)
    for some in map(int, n):
        got = special.comb(some, k, exact=True, repetition=repetition)
        assert type(got) is int and got == reference.comb(some, k, exact=True, repetition=repetition)
        assert special.perm(some, k, exact=True) == reference.perm(some, k, exact=True)


@pytest.mark.parametrize("dtype", ["d", "f", "q", "B"])
def test_dtypes_of_combinations(dtype):
    n, k = np.arange(1, 9).astype(dtype), np.arange(8).astype(dtype)
    got, want = special.comb(tb.array(n), tb.array(k)), reference.comb(n.astype("d"), k.astype("d"))
    assert got.dtype == ("f" if dtype == "f" else "d")
    np.testing.assert_allclose(got.get(), want, 1e-6)
    shape = special.comb(tb.array(n)[:, None], tb.array(k)).shape
    assert shape == (8, 8) and special.perm(5, 2).shape == ()
    broken = special.comb(tb.array([5.5, np.nan]), 2).get()
    np.testing.assert_allclose(broken, reference.comb([5.5, np.nan], 2))


@given(st.lists(st.integers(-4, 180) | st.floats(-4, 180) | st.just(np.nan), max_size=9))
def test_factorials(n):
    x = np.array(n, "d")
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(special.factorial(tb.array(x)).get(), reference.factorial(x), 1e-12)
    whole = np.nan_to_num(x).astype(int)
    for name in ("factorial", "factorial2"):
        ours, theirs = getattr(special, name), getattr(reference, name)
        got = ours(tb.array(whole))
        assert got.dtype == "d"
        np.testing.assert_allclose(got.get(), theirs(whole), 1e-12)
        small = np.clip(whole, -4, 20)
        got = ours(tb.array(small), exact=True)
        assert got.dtype == "q"
        np.testing.assert_array_equal(got.get(), theirs(small, exact=True))
        for one in map(int, whole):
            assert ours(one, exact=True) == theirs(one, exact=True)


@pytest.mark.parametrize("call, error", [
    (lambda: special.comb(5.5, 2, exact=True), ValueError), (lambda: special.perm(5, 2.5, exact=True), ValueError),
    (lambda: special.factorial(2.5, exact=True), ValueError), (lambda: special.factorial(True), ValueError),
    (lambda: special.factorial(2j), ValueError), (lambda: special.factorial2(2.5), ValueError),
    (lambda: special.factorial(5, extend="one"), ValueError),
    (lambda: special.factorial(tb.array([21]), exact=True), OverflowError),
    (lambda: special.factorial2(tb.array([34]), exact=True), OverflowError),
])
def test_counts_refuse(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("code", list("bBhHiIlL"))
@pytest.mark.parametrize("k", [-1, *range(11)])
def test_a_few_of_whole_numbers(code, k):
    info = np.iinfo(code)
    low = np.array([i for i in range(-20, 120) if i >= info.min], code)
    for n in low, info.max - np.arange(50).astype(code), low[:0], low[:1].reshape(()), low[::-3]:
        for name in "comb", "perm":
            got, want = getattr(special, name)(tb.array(n), k), getattr(reference, name)(n.astype("d"), float(k))
            assert got.dtype == "d" and got.shape == n.shape
            np.testing.assert_allclose(got.get(), want, 1e-14)
