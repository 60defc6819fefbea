"""Bessel functions of real order and Airy's functions: against SciPy, mpmath and identities. What test_special.py asks
of all ufuncs is asked of these there."""

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.special
import tombac as tb
import tombacx.scipy.special as special
from hypothesis import given, settings
from test_special import ORDERS, RNG, agree, cat, of_scipy


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=100, deadline=None)
@given(st.floats(-40, 120), st.floats(1e-3, 500))
def test_products_of_bessel_functions(v, x):
    """Wronskians (DLMF 10.5.2, 10.28.2), of which all terms are large where one is: orders next to each other."""
    o = tb.array([v, v + 1])
    (j, j1), (y, y1), (i, i1), (k, k1) = (f(o, x).get() for f in (special.jv, special.yv, special.ive, special.kve))
    terms = j1 * y, j * y1
    if np.isfinite(terms).all() and min(abs(j), abs(j1)) > 1e-290:
        assert abs(terms[0] - terms[1] - 2 / (np.pi * x)) <= 1e-13 * max(abs(terms[0]), abs(terms[1]), 2 / (np.pi * x))
    if v >= 0 and np.isfinite([i * k1, i1 * k]).all() and min(i, i1) > 1e-290:
        assert abs((i * k1 + i1 * k) * x - 1) <= 1e-13


def test_names_of_bessel_functions():
    """Of real arguments, scaled ones are the same."""
    assert special.jve is special.jn is special.jv and special.yve is special.yv
    v, x = tb.array(ORDERS[:200]), tb.array(np.linspace(0.1, 40, 200))
    j, y, h = special.jv(v, x).get(), special.yv(v, x).get(), special.hankel1(v, x).get()
    agree(h, j + 1j * y, 10, 0)
    agree(special.hankel2(v, x).get(), h.conj(), 10, 0)
    agree(special.hankel1e(v, x).get(), h * np.exp(-1j * x.get()), 50, 0)
    assert special.hankel1(v.astype("f"), x.astype("f")).dtype == "F"
    for name in ("jv", "yv", "iv", "kv", "hankel1", "airy", "airye"):
        with pytest.raises(TypeError):
            getattr(special, name)(*[x + 1j] * (1 if name[0] == "a" else 2))


def test_bessel_functions_of_any_order_at_the_ends():
    v, x = tb.array([0.0, 0.5, 2.0, -0.5, -2.0, -2.5]), tb.array([0.0, np.inf, np.nan, -1.5])[:, None]
    for name in ("jv", "yv", "iv", "kv"):
        at_zero, far, none, left = getattr(special, name)(v, x).get()
        np.testing.assert_array_equal(at_zero, of_scipy(name, v.get(), 0.0))
        np.testing.assert_array_equal(far, np.inf if name == "iv" else 0)
        assert np.isnan(none).all()
        agree(left, of_scipy(name, v.get(), -1.5), 100, 0)
    assert special.jv(tb.array([1e300]), 30.0).get() == 0 and special.yv(tb.array([1e300]), 30.0).get() == -np.inf
    assert special.jv(1e15, tb.array([1e10])).get() == 0


# x, Ai, Ai', Bi, Bi' by mpmath with 50 digits: on both sides of where pieces meet, and far out.
AIRY = np.array([
    (-1000.0, 0.05597189577301992, 2.6330710195241287, -0.08326457411708063, 1.769965940135989),
    (-13.0, 0.17151043937053703, -0.8715196778799533, 0.2426132290926272, 0.6230972488192877),
    (-12.5, -0.27627456138116024, -0.41933133041950515, 0.11703336725739277, -0.974516536167174),
    (-2.1, 0.16348451299929267, 0.6583406928143435, -0.43590234823072677, 0.19168563232842978),
    (-2.05, 0.19594753873978907, 0.6396938560287005, -0.4251916795343979, 0.23637643753525225),
    (-0.5, 0.4757280916105396, -0.20408167033954738, 0.38035265975105387, 0.5059337136238472),
    (0.0, 0.3550280538878172, -0.2588194037928068, 0.6149266274460007, 0.4482883573538264),
    (1e-200, 0.3550280538878172, -0.2588194037928068, 0.6149266274460007, 0.4482883573538264),
    (0.99, 0.13689065924593272, -0.16050152755135297, 1.198159251430774, 0.9204681807616444),
    (1.01, 0.13370770246895858, -0.15779574022638146, 1.2168086833947425, 0.9446176767785754),
    (2.07, 0.03137489268091639, -0.04837360489925958, 3.601982811479793, 4.591856114777156),
    (2.09, 0.03042031836319838, -0.04708838543657824, 3.695328796274153, 4.743632784741663),
    (12.6, 1.6785354028490656e-14, -5.991063349331595e-14, 2671396401305.796, 9428745750680.316),
    (12.7, 1.1738673947735686e-14, -4.206116798404999e-14, 3804805113201.9404, 13483238385828.223),
    (60.0, 2.7831487094969354e-136, -2.1569758112094737e-135, 7.382584191543099e+133, 5.715444898335451e+134),
]).T


def test_airy_functions_are_exact():
    x, *want = AIRY
    for got, w in zip(special.airy(tb.array(x)), want, strict=True):
        agree(got.get(), w, 12, 0)
    for got, w in zip(special.airy(tb.array(x, dtype="f")), special.airy(tb.array(x.astype("f").astype("d")))):
        assert got.dtype == "f"
        agree(got.get(), w.get().astype("f"), 4, 1e-44)
    z = 2 / 3 * x * np.sqrt(np.maximum(x, 0))
    for k, (got, w) in enumerate(zip(special.airye(tb.array(x)), want, strict=True)):
        with np.errstate(all="ignore"):
            agree(got.get(), np.where(x < 0, np.nan, w * np.exp(z)) if k < 2 else w * np.exp(-z), 400, 0)


@pytest.mark.parametrize("name", ["airy", "airye"])
def test_airy_functions(name):
    x = cat(np.linspace(-10, 10, 501), RNG.uniform(-3, 3, 200), [np.nan])
    parts = getattr(special, name)(tb.array(x))
    for got, want in zip(parts, of_scipy(name, x), strict=True):
        agree(got.get(), want, 1e4, 1e-13)
    before = tb.config.counters()["launches"]
    for part in getattr(special, name)(tb.array(x)):
        part.data
    assert tb.config.counters()["launches"] <= before + 2
    y = tb.array(x)
    out = tuple(tb.empty_like(y) for _ in range(3))
    got = getattr(special, name)(y, (out[0], y, None, out[1]))
    assert got[0] is out[0] and got[1] is y and got[3] is out[1]
    for g, w in zip(got, parts, strict=True):
        np.testing.assert_array_equal(g.get(), w.get())
    with pytest.raises(ValueError, match="4"):
        getattr(special, name)(y, out)


@pytest.mark.parametrize("dtype, bound", [("d", 100), ("f", 5e9)])
@pytest.mark.parametrize("name", ["hankel1", "hankel2", "hankel1e", "hankel2e"])
def test_hankel_functions_of_negative_half_orders(name, dtype, bound):
    v = np.array([-0.5, -1.5, -2.5, -10.5])[:, None].astype(dtype)
    x = np.array([0.3, 2, 17.5, 60, -1.5, -40]).astype(dtype)
    got = getattr(special, name)(tb.array(v), tb.array(x)).get()
    agree(got, of_scipy(name, v.astype("d"), x.astype("d")), bound, 0)


def test_scaled_modified_functions_are_no_quotients_of_infinities():
    """By mpmath, where iv is infinite."""
    got = special.ive(-300.7, tb.array([20.0, 21.0])).get()
    np.testing.assert_allclose(got, [4.193763262442951e303, 6.3365279085383894e296], 1e-13)
    np.testing.assert_allclose(special.ive(-29.5, tb.array([3.0])).get(), [-1.5293437357749746e23], 1e-14)


def test_bessel_functions_of_large_orders_next_to_their_argument():
    """The Wronskian (DLMF 10.5.2), which checks every term, and orders equal to it (DLMF 10.19.8, 9.2.3 to 9.2.6)."""
    for x in (1.1e9, 3e9, 1e10):
        near = np.array([-10.9, -9, -5.5, -2, -1, -0.25, 0, 0.4, 1, 3, 6, 9.5])
        v = x + np.rint(near * np.cbrt(x))
        (j, j1), (y, y1) = (f(tb.array([v, v + 1]), x).get() for f in (special.jv, special.yv))
        np.testing.assert_allclose((j1 * y - j * y1) * x * np.pi / 2, 1, atol=2e-15 * np.cbrt(x) * 40)
        agree(special.hankel2(tb.array(v), x).get(), j - 1j * y, 4, 0)
    v = np.array([1e10, 1e16, 1e30, 1e300])
    agree(special.jv(tb.array(v), tb.array(v)).get(), 0.4473073183964723 / np.cbrt(v), 20, 0)
    agree(special.yv(tb.array(v), tb.array(v)).get(), -0.7747590020600788 / np.cbrt(v), 20, 0)
    v = np.array([2e9, 1e10])
    for name in ("jv", "yv"):
        agree(getattr(special, name)(tb.array(v), tb.array(v)).get(), of_scipy(name, v, v), 1e3, 0)


@pytest.mark.parametrize("name", ["jv", "yv"])
def test_expansions_next_to_large_orders_meet(name):
    """Where the one in Airy's functions ends, by three orders next to each other (DLMF 10.6.1)."""
    x = 1.5e9
    for near in (-11.0, 10.0):
        v = x + np.rint(near * np.cbrt(x)) + np.arange(-400, 400)
        f = getattr(special, name)(tb.array(v), x).get()
        bend = f[:-2] + f[2:] - 2 * v[1:-1] / x * f[1:-1]
        assert np.abs(bend).max() <= 1e-12 * np.abs(f).max()


@pytest.mark.parametrize("name", ["eval_chebyt", "eval_chebyu", "eval_hermite", "eval_hermitenorm"])
@pytest.mark.parametrize("dtype", "fd")
def test_polynomials_of_mixed_degrees(name, dtype):
    n = np.tile([0, 1, 2, 7, 63, 64, 65, -1, -3, 3, 2.5, np.nan, np.inf, 1e7, 5, 4, 31], 23)
    x = np.resize([0.3, -1.7, 0.0, -0.0, 1.0, 9999, 1e4, 1e200, np.nan, np.inf, -np.inf, 1e-300, 5.5, -8.0, 2.0], 391)
    f, n, x = getattr(special, name), tb.array(n.astype(dtype)), tb.array(x).astype(dtype)
    got = f(n, x)
    for some in (slice(0, 391), slice(None, None, -1), slice(3, 20)):
        single = [f(n[i:i + 1], x[i:i + 1]).item() for i in range(*some.indices(391))]
        np.testing.assert_array_equal(f(n[some], x[some]).get(), single)
        np.testing.assert_array_equal(got[some].get(), single)
    u = np.linspace(-2, 2, 200)
    for degree in (*range(12), 63, 64):
        want = getattr(scipy.special, name)(degree, u)
        np.testing.assert_allclose(f(degree, tb.array(u)).get(), want, rtol=1e-11, atol=1e-11 * abs(want).max())
