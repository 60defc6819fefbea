"""poly1d, the poly functions and tombac.polynomial against NumPy."""

import numpy as np
import pytest
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import polynomial as np_series
from numpy.polynomial import polyutils as np_utils
from strategies import arrays, same, same_outcome
from tombac.polynomial import polynomial, polyutils

NUMBERS = "b i l f d F D".split()


def close(got, want, rtol=1e-9):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(got.get(), want, rtol, rtol)


def vectors(data):
    return data.draw(arrays(NUMBERS, max_dims=1, min_dims=1, max_side=6))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_arithmetic(data):
    (a, x), (b, y) = vectors(data), vectors(data)
    for name in ("polyadd", "polysub"):
        same_outcome(lambda: getattr(tb, name)(x, y), lambda: getattr(np, name)(a, b))
        same(getattr(tb, name)(x, 2), getattr(np, name)(a, 2))
    same(tb.polymul(x, y), np.polymul(a, b))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_values(data):
    a, x = vectors(data)
    points, p = data.draw(arrays(NUMBERS, max_dims=2))
    with np.errstate(all="ignore"):
        same(tb.polyval(x, p), np.polyval(a, points), 1e-4)
        same(tb.polyval(x, 2), np.asarray(np.polyval(a, 2)))


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_derivatives_and_integrals(data):
    a, x = data.draw(arrays("i l f d D".split(), max_dims=1, min_dims=1, max_side=6))
    if a.size == 0:
        return
    m = data.draw(st.integers(0, 3))
    same_outcome(lambda: tb.polyder(x, m), lambda: np.polyder(a, m))
    close(tb.polyint(x, m), np.polyint(a, m), 1e-5)
    if m:
        close(tb.polyint(x, m, 2.5), np.polyint(a, m, 2.5), 1e-5)
        close(tb.polyint(x, m, tb.arange(m)), np.polyint(a, m, np.arange(m)), 1e-5)


def test_refusals():
    x = tb.arange(3)
    for f in (tb.polyadd, tb.polysub, tb.polymul):
        with pytest.raises(TypeError):
            f(np.arange(3), x)
        with pytest.raises(ValueError):
            f(x, x.reshape(3, 1))
    for f in (tb.polyder, tb.polyint):
        with pytest.raises(ValueError):
            f(x, -1)
    with pytest.raises(ValueError):
        tb.polyint(x, 3, [1, 2])
    with pytest.raises(ValueError):
        tb.roots(x.reshape(3, 1))
    for f in (tb.roots, tb.poly):
        with pytest.raises(TypeError):
            f(np.arange(3))
    with pytest.raises(TypeError):
        tb.polyfit(np.arange(3), x, 1)


def test_zeros():
    for zeros in ([], [2.0], [1.0, -2.0, 3.5], [1j, -1j], [1 + 2j, 3]):
        close(tb.poly(tb.array(zeros)), np.poly(zeros))
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    close(tb.poly(tb.array(matrix)), np.poly(matrix))
    for c in ([1.0, -3.0, 2.0], [1, 0, 1], [0, 0, 2, 4, 0], [5], [0], [1j, 2]):
        want = np.roots(c)
        if np.isrealobj(np.array(c)) and not want.imag.any():
            want = want.real  # which NumPy has complex from 2.5 on
        close(tb.roots(tb.array(c)), want)
        close(tb.poly1d(tb.array(c)).r, want)
    with pytest.raises(ValueError):
        tb.poly(tb.ones((2, 3)))


def test_division():
    u, v = np.array([3.0, 5.0, 2.0]), np.array([2.0, 1.0])
    for got, want in zip(tb.polydiv(tb.array(u), tb.array(v)), np.polydiv(u, v)):
        close(got, want)
    q, r = tb.poly1d(tb.array(u)) / tb.poly1d(tb.array(v))
    assert type(q) is tb.poly1d
    close(q.coeffs, np.polydiv(u, v)[0])


@pytest.mark.parametrize("code", ["i", "f", "d"])
@pytest.mark.parametrize("deg", [0, 1, 3])
def test_fit(code, deg):
    rng = np.random.default_rng(0)
    x = rng.normal(size=30).astype(code) if code != "i" else np.arange(30, dtype="i")
    y = (rng.normal(size=(30, 2)) * 9).astype(code)
    w = rng.random(30) + 0.1
    a, b, c = tb.array(x), tb.array(y), tb.array(w)
    rtol = 1e-4 if code == "f" else 1e-9
    close(tb.polyfit(a, b, deg), np.polyfit(x, y, deg), rtol)
    close(tb.polyfit(a, b[:, 0], deg, w=c), np.polyfit(x, y[:, 0], deg, w=w), rtol)
    got, want = tb.polyfit(a, b, deg, full=True), np.polyfit(x, y, deg, full=True)
    for g, e in zip(got, want):
        if isinstance(e, np.ndarray):
            close(g, e, rtol)
        else:
            assert g == e  # the rank, an array here, and rcond
    for cov in (True, "unscaled"):
        for g, e in zip(tb.polyfit(a, b, deg, cov=cov), np.polyfit(x, y, deg, cov=cov)):
            close(g, e, rtol)


def test_fit_refusals():
    x = tb.arange(5.0)
    with pytest.raises(ValueError):
        tb.polyfit(x, x, -1)
    for args in ((x, x[:3], 1), (x[:0], x[:0], 1), (x.reshape(1, 5), x, 1)):
        with pytest.raises(TypeError):
            tb.polyfit(*args)
    with pytest.warns(np.exceptions.RankWarning):
        tb.polyfit(x[:2], x[:2], 4)


# ---- poly1d ----------------------------------------------------------------------------------------------------------

OPERATIONS = [
    lambda xp, p, q: p + q, lambda xp, p, q: p - q, lambda xp, p, q: p * q, lambda xp, p, q: -p, lambda xp, p, q: +p,
    lambda xp, p, q: p + 2, lambda xp, p, q: 2 - p, lambda xp, p, q: 3 * p, lambda xp, p, q: p * 2.5,
    lambda xp, p, q: p / 2, lambda xp, p, q: p**0, lambda xp, p, q: p**3, lambda xp, p, q: p(q),
    lambda xp, p, q: p.deriv(), lambda xp, p, q: p.integ(), lambda xp, p, q: p.integ(2, 3),
    lambda xp, p, q: xp.polyadd(p, q), lambda xp, p, q: xp.polymul(p, xp.array([1, 2])), lambda xp, p, q: [1, 2] * p,
    lambda xp, p, q: p - xp.array([1, 2, 3, 4]), lambda xp, p, q: xp.poly1d(p), lambda xp, p, q: xp.polyder(p),
    lambda xp, p, q: p ** -1, lambda xp, p, q: p ** 1.5, lambda xp, p, q: xp.poly1d(xp.ones((2, 2))),
    lambda xp, p, q: xp.poly1d(xp.array([1, 2]), True, "z"), lambda xp, p, q: xp.poly1d([0, 0, 1, 2]),
    lambda xp, p, q: xp.poly1d(5),
]


@pytest.mark.parametrize("i", range(len(OPERATIONS)))
def test_poly1d(i):
    a, b = np.array([0, 0, 1, -2, 3]), np.array([2.0, 1.0])
    host, device = (np.poly1d(a), np.poly1d(b)), (tb.poly1d(tb.array(a)), tb.poly1d(tb.array(b)))
    f = OPERATIONS[i]
    try:
        want = f(np, *host)
    except Exception as e:
        with pytest.raises(type(e)):
            f(tb, *device)
        return
    got = f(tb, *device)
    assert type(got) is tb.poly1d
    close(got.coeffs, want.coeffs)
    assert got.variable == want.variable and got.order == want.order == len(got)
    assert str(got) == str(want) and repr(got) == repr(want)


def test_arrays_and_numbers_leave_operators_to_poly1d():
    p = tb.poly1d(tb.array([1, 2, 3]))
    for got, want in ((tb.array([1, 2]) + p, [1, 3, 5]), (np.float64(2) * p, [2.0, 4.0, 6.0]),
                      (tb.array([1, 2]) * p, [1, 4, 7, 6]), (tb.array(2) * p, [2, 4, 6])):
        assert type(got) is tb.poly1d
        same(got.coeffs, np.array(want))


def test_poly1d_as_a_container():
    host, device = np.poly1d([1, 2, 3]), tb.poly1d(tb.array([1, 2, 3]))
    assert [int(c) for c in device] == [1, 2, 3]
    assert [int(device[i]) for i in range(-1, 5)] == [host[i] for i in range(-1, 5)]
    for i, value in ((0, 7), (4, 9)):
        host[i], device[i] = value, value
        same(device.coeffs, host.coeffs)
    with pytest.raises(ValueError):
        device[-1] = 1
    assert device == tb.poly1d(device.coeffs.copy()) and device != tb.poly1d([1]) and device != 3
    back = device.get()
    assert type(back) is np.poly1d and back == host
    device.set(np.poly1d([5, 4, 3, 2, 1]))
    same(device.c, np.array([5, 4, 3, 2, 1]))
    same(tb.asarray(device), np.array([5, 4, 3, 2, 1]))
    same(device(tb.arange(3)), np.polyval([5, 4, 3, 2, 1], np.arange(3)))
    with pytest.raises(TypeError):
        np.asarray(device)
    with pytest.raises(AttributeError):
        device.coeffs = tb.arange(3)
    same(tb.poly1d(np.poly1d([1, 2], variable="t")).coeffs, np.array([1, 2]))
    with pytest.raises(TypeError):
        tb.poly1d(np.array([1, 2]))


# ---- series ----------------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_series(data):
    c, device = vectors(data)
    points, p = data.draw(arrays(NUMBERS, max_dims=2, max_side=3))
    deg = data.draw(st.integers(0, 4))
    rtol = 1e-4
    same(polynomial.polyvander(p, deg), np_series.polyvander(points, deg), rtol)
    if not c.size:
        return
    same(polynomial.polyval(p, device), np_series.polyval(points, c), rtol)
    same(polynomial.polyvalfromroots(p, device), np_series.polyvalfromroots(points, c), rtol)
    c = c.astype("d") if c.dtype.kind != "c" else c
    if c[-1]:
        device = tb.array(c)
        same_outcome(lambda: polynomial.polycompanion(device), lambda: np_series.polycompanion(c), 1e-12)
    same(polyutils.trimseq(device), np_utils.trimseq(c if device.dtype == c.dtype else device.get()))
    for tol in (0, 3):
        same_outcome(lambda: polyutils.trimcoef(device, tol), lambda: np_utils.trimcoef(device.get(), tol))
    for trim in (True, False):
        got = polyutils.as_series([device, tb.arange(3, dtype="f")], trim)
        want = np_utils.as_series([device.get(), np.arange(3, dtype="f")], trim)
        for g, e in zip(got, want):
            same(g, e)


def test_series_of_several_polynomials():
    c, x = np.arange(12.0).reshape(3, 4), np.arange(4.0)
    for tensor in (True, False):
        same(polynomial.polyval(tb.array(x), tb.array(c), tensor), np_series.polyval(x, c, tensor))
        same(polynomial.polyvalfromroots(tb.array(x), tb.array(c), tensor), np_series.polyvalfromroots(x, c, tensor))
    same(polynomial.polyval(2.0, tb.array(c)), np_series.polyval(2.0, c))
    with pytest.raises(ValueError):
        polynomial.polyvalfromroots(tb.array(c), tb.array(x), tensor=False)
    for bad in (lambda: polynomial.polyvander(tb.array(x), -1), lambda: polynomial.polycompanion(tb.ones(1)),
                lambda: polyutils.as_series([tb.ones(0)]), lambda: polyutils.as_series([tb.array(c)]),
                lambda: polyutils.trimcoef(tb.ones(2), -1), lambda: polyutils.as_series([tb.ones(2, bool)])):
        with pytest.raises(ValueError):
            bad()
    with pytest.raises(TypeError):
        polyutils.trimseq(x)


@pytest.mark.parametrize(
    "a, b", [([], [1, 2]), ([], []), ([0, 0, 1, 2], [0, 3]), ([0, 0], [1, 2]), ([1, 0, 0], [0, 0, 2, 0])])
@pytest.mark.parametrize("codes", ["fd", "ii", "?b", "DF"])
def test_products_have_no_leading_zeros(a, b, codes):
    a, b = np.array(a, codes[0]), np.array(b, codes[1])
    same(tb.polymul(tb.array(a), tb.array(b)), np.polymul(a, b))


@pytest.mark.parametrize("code", NUMBERS + ["?"])
def test_powers_are_products_with_an_integer(code):
    for n in range(4):
        got, want = tb.poly1d(tb.array([1, 1, 0, 1], code)) ** n, np.poly1d(np.array([1, 1, 0, 1], code)) ** n
        same(got.coeffs, want.coeffs)
