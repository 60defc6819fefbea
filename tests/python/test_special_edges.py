"""Special functions where one of their pieces would lose digits that another one keeps."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.special as ss

import tombac as tb
import tombacx.scipy.special as sp

# a, b and betaln there, by mpmath with 50 digits and more.
BETALN = [
    (1e8, -1.21, 23.82087655806171), (1e12, -1.21, 34.96538842152205), (1e20, -1.21, 57.25441212170575),
    (6.26e91, -3.000000000002509, 659.0276068584263), (-4.5, 1846658436.093245, 93.20181207570194),
    (405708624974.1, -14.5853, 364.2619458903816), (25.3, -24.1, 3.045836739324785), (25.3, -20.7, 10.047190840009886),
    (31.5, -40.25, -22.633338733635668), (0.001, -25.3, 6.9016384158092405), (-30.3, -2.6, 7.937984616044808),
    (-100000.25, -7.3, 76.59976097034006),
]


def test_betaln_of_negative_numbers():
    a, b, want = np.array(BETALN).T
    np.testing.assert_allclose(sp.betaln(tb.array(a), tb.array(b)).get(), want, 1e-13)
    np.testing.assert_allclose(sp.betaln(tb.array(b), tb.array(a)).get(), want, 1e-13)
    assert sp.betaln(30.5, tb.array(-50.5)).item() == -np.inf  # their sum is a pole
    assert sp.betaln(tb.array(-60.0), 1e3).item() == np.inf


def test_log1p_of_complex_numbers_next_to_minus_one():
    z = np.array([-1 + 1e-20j, -1 - 1.197e-7j, -0.999999943674892 + 1e-160j, -1.2 + 0.3j, -0.51 + 0.49j])
    want = np.array([-46.051701859880914 + 1.5707963267948966j, -15.938277224382484 - 1.5707963267948966j,
                     -16.6921254327939 + 1.775407158753018e-153j, -1.0201104142632773 + 2.158798930342464j,
                     -0.36677629759749214 + 0.7853981633974483j])
    for got in (sp.log1p(tb.array(z)).get(), sp.xlog1py(1.0, tb.array(z)).get()):
        np.testing.assert_allclose(got.real, want.real, 4e-16)
        np.testing.assert_allclose(got.imag, want.imag, 4e-16)


@pytest.mark.parametrize("n", [1, 3, 7, 11, 101])
def test_legendre_polynomials_of_odd_degree_next_to_0(n):
    value = math.prod((-(2 * k + 1) / (2 * k) for k in range(1, n // 2 + 1)), start=1.0)  # the slope at 0
    x = np.array([1e-300, 1e-16, -1e-12])
    np.testing.assert_allclose(sp.eval_legendre(n, tb.array(x)).get(), value * x, 1e-12)


def test_hermite_polynomials_of_huge_numbers():
    x = tb.array([1e308, -1e308, 1e200])
    assert sp.eval_hermite(3, x).tolist() == [np.inf, -np.inf, np.inf]
    assert sp.eval_hermitenorm(4, x).tolist() == [np.inf] * 3


def test_ends_of_fdtri():
    assert sp.fdtri(2.0, 12.0, tb.array([0.0, 1e-300, 1.0])).tolist() == [0, pytest.approx(1e-300), np.inf]


@pytest.mark.parametrize("name", ["betaincinv", "gammaincinv"])
def test_inverses_where_the_first_guess_is_nearly_right(name):
    rng = np.random.default_rng(3)
    near = 1 + rng.choice([-1, 1], 4000) * 10 ** rng.uniform(-14, -7, 4000)
    p, a = rng.uniform(0.01, 0.99, 4000), rng.uniform(0.1, 10, 4000)
    orders = [(a, near), (near, a)] if name == "betaincinv" else [(near,)]
    for order in orders:
        order = [tb.array(v) for v in order]
        x = getattr(sp, name)(*order, tb.array(p))
        back, inner = getattr(sp, name[:-3])(*order, x).get(), x.get() < 0.9 if len(order) == 2 else slice(None)
        np.testing.assert_allclose(back[inner], p[inner], 1e-13)


# Numbers for which neighbours take other ways through a function, some of which end at once.
PARTED = """
import numpy as np
import tombac as tb
import tombacx.scipy.special as sp
r = np.random.default_rng(3)
wide = np.where(r.random(3000) < 0.1, r.normal(0, 1000, 3000), r.normal(0, 8, 3000))
some = np.exp(r.normal(0, 2, 3000))
some[::20] = r.choice([0, 1, 2, 5, 30, 1e3, np.inf, -1, np.nan], 150)
part = r.random(3000)
part[::19] = r.choice([0, 1, -0.1, 1.1, 0.5, np.nan], 158)
for name, *a in ("gamma", wide), ("chdtrc", some, wide), ("nbdtri", np.floor(some[::-1]), 2 + np.floor(some), part):
    np.save(name, [*a, (getattr(sp, name)(*map(tb.array, a)) + 1).get()])
"""


def test_lanes_of_which_some_have_their_result_before_others(tmp_path):
    """In a process that ends, for on a GPU such lanes have waited for one another for ever."""
    program = [sys.executable, "-c", PARTED]
    subprocess.run(program, env={**os.environ, "TOMBAC_COMPILE": "sync"}, cwd=tmp_path, check=True, timeout=300)
    for name in "gamma", "chdtrc", "nbdtri":
        *a, got = np.load(tmp_path / (name + ".npy"))
        finite = np.isfinite(a).all(0)  # at infinity others give up
        want = getattr(ss, name)(*(x[finite] for x in a)) + 1
        np.testing.assert_allclose(got[finite], want, 1e-9)


def test_beta_of_large_parameters():
    a = 10.0 ** np.array([8, 8.1, 9, 10, 11, 13, 15, 20, 100, 300, 307])
    np.testing.assert_allclose(sp.betainc(tb.array(a), tb.array(a), 0.5).get(), 0.5, 1e-11)
    np.testing.assert_array_equal(sp.betaincc(tb.array(a[1:]), tb.array(a[1:]), 0.5).get(), 0.5)
    r = np.random.default_rng(0)
    a, b = 10.0 ** r.uniform(8.1, 16, (2, 500))
    middle, deviation = a / (a + b), np.sqrt(a * b / (a + b)) / (a + b)
    x = middle + deviation * r.choice([0, 1e-9, 1e-6, 1e-3, 0.1, 1, 2, 4], 500) * r.choice([-1, 1], 500)
    rounding = 1e-12 + 2e-16 * x / deviation  # of x alone, and Boost's
    for got, want in ((sp.betainc, ss.betainc), (sp.betaincc, ss.betaincc)):
        got = got(tb.array(a), tb.array(b), tb.array(x)).get()
        assert not np.isnan(got).any() and not (np.abs(got - want(a, b, x)) > rounding).any()  # Boost's has one NaN


# ---- the smallest numbers --------------------------------------------------------------------------------------------

TINY = np.array([5e-324, 1e-323, 1e-320, 1e-310, 3e-308, 1e-300, 1e-295])


def near(got, want, tol=1e-13):
    np.testing.assert_allclose(got.get(), want, tol, 5e-324)


def test_beta_of_tiny_parameters():
    x = tb.array([1e-300, 0.01, 0.5, 0.99])
    for t in TINY[2:]:
        near(sp.betainc(3 * t, t, x), np.full(4, 1 / 4), 1e-3 if t < 1e-315 else 1e-13)
        near(sp.betaincc(t, t, x), np.full(4, 1 / 2))
    for t in TINY[3:]:
        near(sp.betainc(t, 2.5, x), np.ones(4))
        near(sp.betaincc(t, 1.0, x), -t * np.log(x.get()), 1e-12)
        near(sp.betainc(1.0, t, x), -t * np.log1p(-x.get()), 1e-12)
        near(sp.betaincinv(t, 2.5, tb.array([0.0, 0.5, 1.0])), [0, 0, 1])
        near(sp.betaincinv(2.5, t, tb.array([0.0, 0.5, 1.0])), [0, 1, 1])
        near(sp.betaincinv(t, t, tb.array([0.25, 0.75])), [0, 1])
    near(sp.fdtr(1e-310, 1e-310, tb.array([0.25, 2.5])), [0.5, 0.5])


def test_gamma_of_tiny_parameters():
    x = np.array([0.1, 0.5, 3])
    for t in TINY[3:]:
        q = t * sp.exp1(tb.array(x))
        near(sp.gammaincc(t, tb.array(x)), q.get(), 1e-13)
        near(sp.gammainccinv(t, q), x, 1e-12)
        near(sp.gammaincinv(t, tb.array([0.0, 0.5, 1.0])), [0, 0, np.inf])
    near(sp.gammainccinv(TINY[0], 0.5), 0)
    near(sp.gammaincinv(0.0, tb.array([0.0, 1.0])), [0, np.inf])
    near(sp.gammainccinv(0.0, tb.array([0.0, 1.0])), [np.inf, 0])


def test_logarithms_and_powers_of_tiny_numbers():
    x = tb.array(np.tile(TINY, 5))
    logarithm = np.log(x.get())
    half = logarithm - np.log(2) + np.euler_gamma
    near(sp.expi(x), logarithm + np.euler_gamma)
    near(sp.k0(x), -half)
    near(sp.kv(0.0, x), -half)
    near(sp.y0(x), 2 / np.pi * half)
    near(sp.yv(0.0, x), 2 / np.pi * half)
    near(sp.sici(x)[1], logarithm + np.euler_gamma)
    near(sp.shichi(x)[1], logarithm + np.euler_gamma)
    assert (sp.k1(x[:3]) == np.inf).all() and (sp.y1(x[:3]) == -np.inf).all()
    near(sp.kv(0.5, x), np.sqrt(np.pi / 2) * x.get() ** -0.5, 1e-12)
    near(sp.yv(0.5, x), -np.sqrt(2 / np.pi) * x.get() ** -0.5, 1e-12)
    near(sp.iv(0.5, x), np.sqrt(2 / np.pi) * x.get() ** 0.5, 1e-12)
    near(sp.jv(-1e-310, x), np.ones(len(x)))


def test_zeta_of_one_argument():
    x = np.array([1.5, 2, 3, 20])
    out = tb.empty(4)
    assert sp.zeta(tb.array(x), out=out) is out
    for got in (out, sp.zeta(tb.array(x)), sp.zeta(tb.array(x), 1)):
        np.testing.assert_allclose(got.get(), ss.zeta(x), 1e-14)
    assert sp.zeta(2.0).item() == pytest.approx(np.pi**2 / 6, rel=1e-15)
    assert sp.zeta(tb.array(x, "f")).dtype == "f"
    for call in (lambda: sp.zeta(), lambda: sp.beta(2.0), lambda: sp.zeta(2.0, q=3, where=True)):
        with pytest.raises(TypeError):
            call()
    assert sp.zeta(tb.array(-2.0000001)).item() == pytest.approx(3.044845372038631e-09, rel=1e-14)  # by mpmath
    x = np.array([0, -1, 0.5, 0.999, -2, -2.25, -30.5, 1, -200.5, -np.inf, np.nan])
    np.testing.assert_allclose(sp.zeta(tb.array(x)).get(), ss.zeta(x), 1e-13)
    assert np.isnan(sp.zeta(tb.array(0.5), 1).item())  # Hurwitz's is for more than 1


def test_quantiles_of_gamma_distributions_of_huge_shapes():
    a = np.array([1e30, 1e36, 2e36, 1e204, 1e210, 1e300])
    for got in (sp.gammaincinv(tb.array(a), 0.3), sp.gammainccinv(tb.array(a), 1e-300), sp.chdtri(tb.array(a), 0.3)):
        np.testing.assert_allclose(got.get(), a, 1e-13)


def test_airye_far_out():
    x = np.array([1e5, 1e11, 1e12, 1e205, 1e206, 1e300])
    fourth = x**0.25
    for got, want in zip(sp.airye(tb.array(x)), (0.5 / fourth, -0.5 * fourth, 1 / fourth, fourth), strict=True):
        np.testing.assert_allclose(got.get(), want / math.sqrt(math.pi), 1e-8)
    assert [v.item() for v in sp.airy(tb.array(1e206))] == [0, 0, np.inf, np.inf]


# m, v, x, and by mpmath lpmv there.
LPMV = [(3, -1e-16, 0.1, 1.480146600654476e-16), (1, -1e-16, 0.1, 9.045340337332909e-17),
        (-3, -1e-16, 0.1, 0.12334555005453968), (3, 1e-16, 0.1, -1.480146600654476e-16),
        (0, -1e-20, -0.5, 1.0)]


@pytest.mark.parametrize("m, v, x, want", LPMV)
def test_lpmv_of_degrees_next_to_0(m, v, x, want):
    np.testing.assert_allclose(sp.lpmv(tb.array([float(m)]), v, x).get(), [want], 1e-13)


def test_quantiles_of_beta_with_large_parameters():
    """Agree with the function to x's rounding, where SciPy's are off by up to 1e-9."""
    rng = np.random.default_rng(0)
    a, b = 10 ** rng.uniform(8.1, 14, (2, 400))
    p = rng.uniform(0.01, 0.99, 400)
    there = [tb.array(v) for v in (a, b, p)]
    deviation = np.sqrt(a * b / (a + b) / (a + b) / (a + b + 1))
    for inverse, function in (("betaincinv", "betainc"), ("betainccinv", "betaincc")):
        x = getattr(sp, inverse)(*there)
        off = abs(getattr(sp, function)(*there[:2], x).get() - p)
        x = x.get()
        density = np.exp(-np.square((x - a / (a + b)) / deviation) / 2) / math.sqrt(2 * math.pi) / deviation
        assert (off / density <= 4e-16 * np.minimum(x, 1) + 1e-300).all()


# ---- sums of exponentials --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["e", "f", "d", "F", "D"])
def test_factors_that_are_numbers_leave_the_dtype(dtype):
    a = np.array([[0.5, -1.0, 2.0], [1.0, 3.0, -2.0]], dtype)
    for b in (2, -1.5, True, 0, np.float32(2)):
        got, sign = sp.logsumexp(tb.array(a), axis=1, b=b, return_sign=True)
        want, of_scipy = ss.logsumexp(a, axis=1, b=b, return_sign=True)
        np.testing.assert_allclose(got.get(), want, 1e-2 if dtype == "e" else 1e-6)
        np.testing.assert_allclose(sign.get(), of_scipy, 1e-6)
        assert got.dtype == want.dtype and sign.dtype == of_scipy.dtype
    assert sp.logsumexp(tb.ones(3, "f"), b=1j, return_sign=True)[1].dtype == "F"


@pytest.mark.parametrize("dtype", ["f", "d", "D"])
def test_sums_of_no_exponentials(dtype):
    for shape, axis, left in ((0, None, ()), ((0, 3), 0, (3,)), ((2, 0), -1, (2,)), ((2, 0, 3), (1, 2), (2,))):
        for b in (None, 2.0, tb.ones(shape, dtype)):
            got = sp.logsumexp(tb.zeros(shape, dtype), axis=axis, b=b)
            assert got.shape == left and got.dtype == dtype and (got.real == -np.inf).all()


# ---- what would overflow on the way ----------------------------------------------------------------------------------


def test_beta_and_binom_of_huge_numbers():
    """By mpmath with 900 digits, since what is added to the huge number counts."""
    near(sp.beta(tb.array([-0.5, -1e-10, -170.5]), tb.array([1.7e308, 1e300, 250.25])),
         [-4.6219941631735747e154, -10000000691.352767, -5.6811942061901478e66], 1e-12)
    near(sp.binom(tb.array([1e300, 1.7e308, 2.0, -1 - 2.0**-52]), tb.array([0.5, 0.75, -1 - 2.0**-52, 1e300])),
         [1.1283791670955126e150, 1.6199127816659048e231, -7.4014868308343739e-17, 1.0000000000001535], 1e-12)
    assert sp.poch(tb.array([0.75, -0.5]), -1e300).tolist() == [0, 0]


def test_inverse_power_transformations_of_huge_numbers():
    y, power = tb.array([170.5, 1.7e308, 3.0, -1e300, 5e299]), tb.array([1.7e308, 2.0, 0.5, -1e300, 2.0])
    want = [1, 1.8439088914584983e154, 6.25, 1, 1e150]
    near(sp.inv_boxcox(y, power), want)
    near(sp.inv_boxcox1p(y, power) + 1, want)
    assert sp.inv_boxcox1p(tb.array([np.inf, -np.inf]), 0.0).tolist() == [np.inf, -1]


def test_pseudo_huber_of_huge_and_tiny_numbers():
    delta, r = np.array([(1e-300, 20.5), (1e300, 1.0), (2.0, -1e300), (1e160, 1e160), (3.0, 1e-8), (1e-8, 3.0)]).T
    want = [2.05e-299, 0.5, 2e300, np.inf, 5e-17, 2.99999999e-8]
    near(sp.pseudo_huber(tb.array(delta), tb.array(r)), want)
