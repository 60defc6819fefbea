"""tombacx.scipy.interpolate's functions of one variable against SciPy's."""

import math
import pickle

import numpy as np
import pytest
import scipy.interpolate as si
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx
import tombacx.scipy.interpolate as xi

pytestmark = pytest.mark.filterwarnings("ignore")
seeds = st.integers(0, 2**32 - 1)
kinds = st.sampled_from(["d", "D"])
modes = st.sampled_from([None, True, False, "periodic"])
shapes = st.sampled_from([(), (0,), (7,), (2, 3)])
orders = st.integers(0, 4)


def close(got, want, tol=1e-8):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.shape == want.shape
    assert got.dtype == want.dtype
    scale = np.nanmax(np.abs(want), initial=1.0, where=np.isfinite(want))
    np.testing.assert_allclose(got.get(), want, tol, tol * scale)


def numbers(rng, shape, kind="d"):
    x = rng.standard_normal(shape)
    return x + 1j * rng.standard_normal(shape) if kind == "D" else x


def vector(rng, n):
    return np.cumsum(rng.uniform(0.3, 2.0, n)) - 3


def points(rng, x, shape):
    """Some inside, some outside, some of the points themselves, NaN."""
    low, high = min(x[0], x[-1]), max(x[0], x[-1])
    q = rng.uniform(low - 1, high + 1, shape)
    q = np.where(rng.random(shape) < 0.3, rng.choice(x, shape), q)
    return np.where(rng.random(shape) < 0.1, np.nan, q)[()]


def values_along(rng, n, kind, axis, others=(2,)):
    return np.moveaxis(numbers(rng, (n, *others), kind), 0, axis)


def at(f, g, rng, x, shape, *args, **kwargs):
    q = points(rng, x, shape)
    close(f(tb.array(q), *args, **kwargs), g(q, *args, **kwargs))


@st.composite
def pieces(draw, name):
    rng = np.random.default_rng(draw(seeds))
    k, m, axis = draw(st.integers(1, 6)), draw(st.integers(1, 5)), draw(st.integers(0, 1))
    shape = (k, m, 2) if axis == 0 else (3, k, m)
    c, x = numbers(rng, shape, draw(kinds)), vector(rng, m + 1)
    if draw(st.booleans()):
        x = x[::-1].copy()
    mode = draw(modes)
    ours, theirs = getattr(xi, name), getattr(si, name)
    return ours(tb.array(c), tb.array(x), mode, axis), theirs(c, x, mode, axis), rng


@pytest.mark.parametrize("name", ["PPoly", "BPoly"])
@given(st.data(), shapes, orders, modes)
def test_polynomials_in_pieces(name, data, shape, nu, mode):
    ours, theirs, rng = data.draw(pieces(name))
    if name == "BPoly":
        nu = min(nu, len(theirs.c) - 1)  # SciPy fails with more
    at(ours, theirs, rng, theirs.x, shape, nu, mode)


@pytest.mark.parametrize("name", ["PPoly", "BPoly"])
@given(st.data(), shapes, st.integers(-3, 3))
def test_derivatives_and_antiderivatives(name, data, shape, nu):
    ours, theirs, rng = data.draw(pieces(name))
    f, g = ours.derivative(nu), theirs.derivative(nu)
    assert f.extrapolate == g.extrapolate and f.axis == g.axis
    close(f.c, g.c)
    at(f, g, rng, g.x, shape)


@pytest.mark.parametrize("name", ["PPoly", "BPoly"])
@given(st.data(), st.floats(-20, 20), st.floats(-20, 20), modes)
def test_integrals(name, data, a, b, mode):
    ours, theirs, _ = data.draw(pieces(name))
    if theirs.x[0] > theirs.x[-1]:
        return
    close(ours.integrate(a, b, mode), np.moveaxis(theirs.integrate(a, b, mode), 0, 0), 1e-6)


@pytest.mark.parametrize("name", ["PPoly", "BPoly"])
@given(st.data(), st.booleans(), st.integers(1, 5))
def test_further_pieces(name, data, right, k):
    ours, theirs, rng = data.draw(pieces(name))
    sign = np.sign(theirs.x[-1] - theirs.x[0])
    x = theirs.x[-1] + sign * np.array([1.0, 2.5]) if right else theirs.x[0] - sign * np.array([2.5, 1.0])
    k = k if right else len(theirs.c)  # SciPy fails with others there
    c = numbers(rng, (k, 2, *theirs.c.shape[2:]), theirs.c.dtype.char)
    ours.extend(tb.array(c), tb.array(x))
    theirs.extend(c, x)
    close(ours.c, theirs.c)
    close(ours.x, theirs.x)


@given(st.data())
def test_bases_are_exchanged(data):
    p, q, _ = data.draw(pieces("PPoly"))
    b = xi.BPoly.from_power_basis(p)
    close(b.c, si.BPoly.from_power_basis(q).c, 1e-6)
    close(xi.PPoly.from_bernstein_basis(b).c, q.c, 1e-6)


@given(seeds, st.floats(-1, 1), st.booleans())
def test_roots(seed, y, extrapolate):
    rng = np.random.default_rng(seed)
    c, x = numbers(rng, (4, 5)), vector(rng, 6)
    p, q = xi.PPoly(tb.array(c), tb.array(x)), si.PPoly(c, x)
    close(p.solve(y, extrapolate=extrapolate), q.solve(y, extrapolate=extrapolate))
    close(p.roots(), q.roots())
    several = xi.PPoly(tb.array(c[..., None] + [0.0, 1.0]), tb.array(x)).roots()
    close(several[1], si.PPoly(c + 1.0, x).roots())


def test_derivatives_at_breakpoints():
    ours, theirs = (m.BPoly.from_derivatives([0, 1, 3], [[1, 2], [0, 1], [2, 0]]) for m in (xi, si))
    close(ours(tb.linspace(0, 3, 9)), theirs(np.linspace(0, 3, 9)))


@pytest.mark.parametrize("c, x, axis", [
    ((2, 3), (3,), 0), ((2, 3), (2, 2), 0), ((2,), (3,), 0), ((0, 3), (4,), 0), ((2, 3), (1,), 0), ((2, 3), (4,), 5)])
def test_pieces_that_do_not_fit(c, x, axis):
    for f, m in ((xi.PPoly, tb), (xi.BPoly, tb)):
        with pytest.raises(ValueError, match=f.__name__ if axis == 0 else "axis"):
            f(m.ones(c), m.arange(np.prod(x), dtype="d").reshape(x), axis=axis)
    with pytest.raises(ValueError, match="order"):
        xi.PPoly(tb.ones((2, 3)), tb.array([0.0, 2.0, 1.0, 3.0]))
    with pytest.raises(TypeError, match="complex"):
        xi.PPoly(tb.ones((2, 1)), tb.arange(2.0))(tb.array([1j]))


# ---- cubics ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["CubicSpline", "PchipInterpolator", "Akima1DInterpolator"])
@given(seeds, kinds, st.integers(2, 8), st.integers(-2, 1), shapes, st.integers(0, 3), modes)
def test_cubics(name, seed, kind, n, axis, shape, nu, mode):
    rng = np.random.default_rng(seed)
    x, y = vector(rng, n), values_along(rng, n, "d" if name[0] in "PA" else kind, axis)
    y = np.where(rng.random(y.shape) < 0.2, 0.0, y)
    f, g = getattr(xi, name)(tb.array(x), tb.array(y), axis=axis), getattr(si, name)(x, y, axis=axis)
    close(f.c, g.c)
    assert f.axis == g.axis and f.extrapolate == g.extrapolate
    at(f, g, rng, x, shape, nu, mode)
    assert type(f.derivative()) is type(f)


@given(seeds, st.integers(2, 30), st.sampled_from(["akima", "makima"]), st.sampled_from([1.0, 1e-12, 1e200]))
def test_akima(seed, n, method, size):
    """Level and equal chords too, between which slopes are said by a rule of their own."""
    rng = np.random.default_rng(seed)
    x, y = np.arange(float(n)), rng.integers(-1, 2, (n, 2)) * size
    f, g = (m.Akima1DInterpolator(x, y, method=method) for m in (xi, si))
    np.testing.assert_allclose(f.c.get(), g.c, 1e-9, 1e-9 * size)
    with pytest.raises(NotImplementedError):
        xi.Akima1DInterpolator(x, y, method="wrong")
    with pytest.raises(ValueError):
        xi.Akima1DInterpolator(x, y + 1j)


@given(seeds, kinds, st.integers(3, 8), shapes, st.sampled_from([
    "natural", "clamped", "periodic", ((1, 0.5), (2, -1.0)), ("not-a-knot", "natural")]))
def test_conditions_at_ends(seed, kind, n, shape, conditions):
    rng = np.random.default_rng(seed)
    x, y = vector(rng, n), values_along(rng, n, kind, 0, ())
    y[-1] = y[0]
    f, g = xi.CubicSpline(tb.array(x), tb.array(y), bc_type=conditions), si.CubicSpline(x, y, bc_type=conditions)
    assert f.extrapolate == g.extrapolate
    at(f, g, rng, x, shape)


@given(seeds, kinds, st.integers(2, 6), st.integers(0, 1), shapes)
def test_hermite(seed, kind, n, axis, shape):
    rng = np.random.default_rng(seed)
    x, y, slopes = vector(rng, n), values_along(rng, n, kind, axis), values_along(rng, n, kind, axis)
    f, g = xi.CubicHermiteSpline(*map(tb.array, (x, y, slopes)), axis), si.CubicHermiteSpline(x, y, slopes, axis)
    at(f, g, rng, x, shape, 1)
    close(f.antiderivative().c, g.antiderivative().c)


@pytest.mark.parametrize("name", ["CubicSpline", "PchipInterpolator", "Akima1DInterpolator"])
@pytest.mark.parametrize("x, y", [
    ([0.0, 0.0, 1.0, 2.0], [1.0] * 4), ([0.0, 1.0, 2.0, 3.0], [1.0] * 3), ([0.0, 1.0, 2.0], [1.0, np.nan, 2.0]),
    ([0.0, np.inf, 2.0], [1.0, 1.0, 2.0]), ([[0.0, 1.0]], [[1.0, 1.0]])])
def test_points_that_do_not_fit(name, x, y):
    for module in (xi, si):
        with pytest.raises(ValueError):
            getattr(module, name)(x, y)


def test_pchip_interpolate():
    x, y, q = np.arange(5.0), np.array([0.0, 2, 1, 1, 5]), np.linspace(-1, 5, 9)
    close(xi.pchip_interpolate(tb.array(x), tb.array(y), tb.array(q), 1), si.pchip_interpolate(x, y, q, 1))
    both = (module.pchip_interpolate(x, y, q, [0, 2]) for module in (xi, si))
    for got, want in zip(*both, strict=True):
        close(got, want)


# ---- splines ---------------------------------------------------------------------------------------------------------


@st.composite
def splines(draw):
    rng = np.random.default_rng(draw(seeds))
    k = draw(st.integers(0, 5))
    n, axis = draw(st.integers(k + 1, k + 6)), draw(st.integers(0, 1))
    t = vector(rng, n + k + 1)
    if draw(st.booleans()):
        t[:k], t[n + 1:] = t[k], t[n]
    c = values_along(rng, n, draw(kinds), axis)
    mode = draw(modes)
    return xi.BSpline(tb.array(t), tb.array(c), k, mode, axis), si.BSpline(t, c, k, mode, axis), rng


@given(splines(), shapes | st.just((60,)), orders, modes)
def test_splines(pair, shape, nu, mode):
    ours, theirs, rng = pair
    if nu <= theirs.k:
        at(ours, theirs, rng, theirs.t[theirs.k:len(theirs.t) - theirs.k], shape, nu, mode)


@given(splines(), shapes, st.floats(-9, 9), st.floats(-9, 9), modes)
def test_splines_integrated(pair, shape, a, b, mode):
    ours, theirs, rng = pair
    inner = theirs.t[theirs.k:len(theirs.t) - theirs.k]
    at(ours.antiderivative(), theirs.antiderivative(), rng, inner, shape)
    parts = [si.BSpline(theirs.t, c, theirs.k, theirs.extrapolate).integrate(a, b, mode)
             for c in (theirs.c.real, theirs.c.imag)]
    close(ours.integrate(a, b, mode), parts[0] + 1j * parts[1] if theirs.c.dtype.kind == "c" else parts[0])
    if theirs.k > 0:
        at(xi.splder(ours), si.splder(theirs), rng, inner, shape)


@given(splines(), shapes)
def test_pieces_of_splines(pair, shape):
    ours, theirs, rng = pair
    p = xi.PPoly.from_spline(ours)
    q = points(rng, theirs.t[theirs.k:len(theirs.t) - theirs.k], shape)
    close(p(tb.array(q), extrapolate=True), theirs(q, extrapolate=True), 1e-5)


# How a kernel finds the piece of a point depends on how breakpoints lie: on how many there are, and how even.
SPREADS = {
    "many": lambda rng: vector(rng, 5000),
    "one more": lambda rng: vector(rng, 2049),
    "a cluster": lambda rng: np.concatenate([[-3], 0.5 + 1e-6 * vector(rng, 300), [4e3]]),
    "a cluster of many": lambda rng: np.concatenate([[-3], 0.5 + 1e-6 * vector(rng, 3000), 9 + vector(rng, 40)]),
    "clusters": lambda rng: np.concatenate([k + 1e-5 * vector(rng, 50) for k in range(60)]),
    "far apart": lambda rng: np.cumsum(2.0 ** np.arange(40)),
}


@pytest.mark.parametrize("form", ["powers", "descending powers", "lines", "spline"])
@pytest.mark.parametrize("spread", SPREADS)
def test_breakpoints_that_are_many_or_uneven(spread, form):
    rng = np.random.default_rng(len(spread))
    x = SPREADS[spread](rng)
    between = x[:-1] + rng.random(len(x) - 1) * np.diff(x)
    q = np.concatenate([x, between, rng.uniform(x[0] - 1, x[-1] + 1, 200), [np.nan]])
    n = len(x)
    if form == "lines":
        y = rng.standard_normal(n)
        close(xi.interp1d(tb.array(x), tb.array(y), bounds_error=False)(tb.array(q)),
              si.interp1d(x, y, bounds_error=False)(q))
    elif form == "spline":
        c = rng.standard_normal(n - 3)
        for points in q, q[::50]:
            close(xi.BSpline(tb.array(x), tb.array(c), 2)(tb.array(points), extrapolate=False),
                  si.BSpline(x, c, 2)(points, extrapolate=False))
    else:
        x = x[::-1].copy() if form.startswith("descending") else x
        c = rng.standard_normal((2, n - 1))
        close(xi.PPoly(tb.array(c), tb.array(x))(tb.array(q)), si.PPoly(c, x)(q))


@pytest.mark.parametrize("n", [0, 1, 2, 3, -1, -2])
@pytest.mark.parametrize("shape", [(), (2,), (2, 3)])
@pytest.mark.parametrize("dtype", "dD")
def test_tuples_of_splines(n, shape, dtype):
    t, c, k = si.splrep(np.arange(8.0), np.sin(np.arange(8.0)))
    rows = np.arange(1, 1 + math.prod(shape)).reshape(shape) * (1 + 2j if dtype == "D" else 1)
    c = c.reshape(-1, *[1] * len(shape)) * rows
    for f, g in ((xi.splder, si.splder), (xi.splantider, si.splantider)):
        if (n if f is xi.splder else -n) <= k:
            for got, want in zip(f((tb.array(t), tb.array(c), k), n), g((t, c, k), n), strict=True):
                assert type(got) is int and got == want if isinstance(want, int) else close(got, want) is None


def test_splines_without_derivatives():
    t, c = tb.array([0.0, 0, 0, 1, 1, 1, 2, 2, 2]), tb.array([1.0, 2, 0, 1, 3, 1, 0, 0, 0])
    for n in 2, 3:  # a knot is there three times, and the degree is 2
        with pytest.raises(ValueError):
            xi.splder((t, c, 2), n)
        with pytest.raises(ValueError):
            xi.splantider((t, c, 2), -n)


def test_a_basis_element():
    for t in ([0.0, 1.0, 2.0, 3.5], [0.0, 0.0, 1.0], [-1.0, 4.0]):
        q = np.linspace(-2, 5, 40)
        close(xi.BSpline.basis_element(tb.array(t))(tb.array(q)), si.BSpline.basis_element(t)(q))


@pytest.mark.parametrize("t, c, k", [
    ([0.0, 2.0, 1.0, 3.0], [1.0, 1.0], 1), ([0.0, 1.0], [1.0], 1), ([0.0, 1.0, 2.0, 3.0], [1.0], 1),
    ([0.0, 1.0, 1.0, 2.0], [1.0, 1.0], 1), ([0.0, 1.0, np.nan, 2.0], [1.0, 1.0], 1),
    ([0.0, 1.0, 2.0, 3.0], [1.0] * 4, -1)])
def test_splines_that_do_not_fit(t, c, k):
    for module in (xi, si):
        with pytest.raises(ValueError):
            module.BSpline(np.array(t), np.array(c), k)


@given(seeds, kinds, st.integers(0, 5), st.integers(0, 1), shapes)
def test_interpolating_splines(seed, kind, k, axis, shape):
    rng = np.random.default_rng(seed)
    x, y = vector(rng, k + 3), values_along(rng, k + 3, kind, axis)
    f, g = xi.make_interp_spline(tb.array(x), tb.array(y), k, axis=axis), si.make_interp_spline(x, y, k, axis=axis)
    at(f, g, rng, x, shape)


@given(seeds, st.sampled_from(["qr", "norm-eq"]), shapes)
def test_splines_near_points(seed, method, shape):
    rng = np.random.default_rng(seed)
    x, y, w = vector(rng, 20), numbers(rng, 20), rng.uniform(0.5, 1, 20)
    t = np.r_[[x[0]] * 4, x[7], x[13], [x[-1]] * 4]
    f = xi.make_lsq_spline(*map(tb.array, (x, y, t)), w=tb.array(w), method=method)
    at(f, si.make_lsq_spline(x, y, t, w=w, method=method), rng, x, shape)
    at(xi.make_smoothing_spline(tb.array(x), tb.array(y)), si.make_smoothing_spline(x, y), rng, x, shape)


@given(seeds, kinds, st.integers(1, 5), st.integers(-2, 1), st.booleans(), shapes)
def test_splines_near_any_points(seed, kind, k, axis, weighted, shape):
    """Some at one place, in an array of any axes."""
    rng = np.random.default_rng(seed)
    x = np.sort(np.round(rng.random(60) * 20) / 2)
    y, w = values_along(rng, 60, kind, axis), rng.uniform(0.5, 1, 60) if weighted else None
    t = np.r_[[x[0]] * (k + 1), 3.0, 7.0, [x[-1]] * (k + 1)]
    f = xi.make_lsq_spline(*map(tb.array, (x, y, t)), k, w if w is None else tb.array(w), axis)
    at(f, si.make_lsq_spline(x, y, t, k, w, axis), rng, x, shape)


@pytest.mark.parametrize("weight", [1e-200, 1e-30, 1e200])
def test_weights_whose_squares_are_no_numbers(weight):
    x = np.linspace(0, 1, 30)
    y, t = np.sin(5 * x), np.r_[(0,) * 4, 0.3, 0.6, (1,) * 4]
    got = tb._core._spline_nearest(tb.array(x), tb.array(y), 3, tb.array(t), tb.full(30, weight))
    np.testing.assert_allclose(got.get(), si.make_lsq_spline(x, y, t, 3).c, 1e-9)


@pytest.mark.parametrize("x, t", [
    ([0.0, 1, 2, 3, 4, 5], [0.0, 0, 2, 4, 4]), ([0.0, 2, 1, 3, 4, 4], [0.0, 0, 2, 4, 4]),
    ([0.0, 1, 1, 3, 4, 4], [0.0, 0, 4, 2, 4])])
def test_knots_that_do_not_fit(x, t):
    for module in (xi, si):
        with pytest.raises(ValueError):
            module.make_lsq_spline(np.array(x), np.ones(6), np.array(t), 1)


# ---- FITPACK's -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, args", [
    ("UnivariateSpline", ()), ("InterpolatedUnivariateSpline", ()), ("LSQUnivariateSpline", ([2.0, 6.0],))])
@given(seeds, st.integers(1, 5), st.sampled_from([0, 1, 3, "extrapolate", "zeros", "const"]), shapes)
def test_univariate_splines(name, args, seed, k, ext, shape):
    rng = np.random.default_rng(seed)
    x, y = np.arange(12.0), numbers(rng, 12)
    f, g = getattr(xi, name)(tb.array(x), tb.array(y), *args, k=k), getattr(si, name)(x, y, *args, k=k)
    q = rng.uniform(-2, 13, shape)
    for nu in range(k + 1):
        close(f(tb.array(q), nu, ext), g(q, nu, ext), 1e-6)
    close(f.get_knots(), g.get_knots())
    close(f.get_coeffs(), g.get_coeffs())
    assert f.get_residual() == pytest.approx(g.get_residual())
    assert f.integral(1, 7) == pytest.approx(g.integral(1, 7))
    close(f.derivatives(3.5), g.derivatives(3.5))
    if k == 3:
        close(f.roots(), g.roots())
    if k < 5:
        close(f.antiderivative()(tb.array(q)), g.antiderivative()(q), 1e-6)
    if k > 1:
        close(f.derivative()(tb.array(q)), g.derivative()(q), 1e-6)
    with pytest.raises(ValueError):
        f(tb.array([99.0]), ext=2)


def test_another_smoothing_factor():
    x, y = np.arange(20.0), np.sin(np.arange(20.0) * 0.7)
    assert type(xi.UnivariateSpline(tb.array(x), tb.array(y), s=0)) is xi.InterpolatedUnivariateSpline
    f, g = xi.InterpolatedUnivariateSpline(tb.array(x), tb.array(y)), si.InterpolatedUnivariateSpline(x, y)
    close(f.get_knots(), g.get_knots())  # SciPy's object is made when it is asked for
    close(f.get_coeffs(), g.get_coeffs())
    assert f.integral(1, 3) == pytest.approx(g.integral(1, 3)) and f.get_residual() < 1e-20
    close(pickle.loads(pickle.dumps(f)).derivative()(tb.array(x)), g.derivative()(x))
    for s in (f, g):
        s.set_smoothing_factor(3)
    close(f(tb.array(x)), g(x))
    f, g = xi.UnivariateSpline(tb.array(x), tb.array(y), s=3), si.UnivariateSpline(x, y, s=3)
    for s in (1.0, 0.1):
        f.set_smoothing_factor(s)
        g.set_smoothing_factor(s)
        close(f(tb.array(x)), g(x))


@given(seeds, st.integers(1, 5), st.integers(0, 5), st.sampled_from([0, 1, 3]), shapes)
def test_splev(seed, k, der, ext, shape):
    rng = np.random.default_rng(seed)
    x, y = np.arange(9.0), numbers(rng, 9)
    tck = si.splrep(x, y, k=k)
    ours = xi.splrep(tb.array(x), tb.array(y), k=k)
    close(ours[1], tck[1])
    q = rng.uniform(-1, 10, shape)
    if der <= k and shape != (0,):  # which SciPy refuses
        close(xi.splev(tb.array(q), ours, der, ext), np.asarray(si.splev(q, tck, der, ext)), 1e-6)


@pytest.mark.parametrize("ext", [0, 1, 3])
@pytest.mark.parametrize("s", [0, 2.0])
def test_what_derivatives_of_univariate_splines_are_outside(ext, s):
    """0 where the spline is constant there."""
    x, q = np.arange(12.0), np.linspace(-3, 14, 18)
    f, g = xi.UnivariateSpline(tb.array(x), tb.array(np.sin(x)), s=s, ext=ext), si.UnivariateSpline(
        x, np.sin(x), s=s, ext=ext)
    close(f.derivative()(tb.array(q)), g.derivative()(q), 1e-6)
    close(f.antiderivative()(tb.array(q)), g.antiderivative()(q), 1e-6)


@pytest.mark.parametrize("x, y, w", [
    ((2, 6), (12,), None), ((12,), (6, 2), None), ((12,), (12,), (2, 6)), ((12,), (11,), None), ((), (), None)])
def test_fits_refuse_what_are_no_vectors(x, y, w):
    """FITPACK reads beyond them."""
    x, y, w = (None if shape is None else tb.arange(float(np.prod(shape))).reshape(shape) for shape in (x, y, w))
    for fit in (xi.UnivariateSpline, xi.InterpolatedUnivariateSpline, xi.splrep,
                lambda *points, **named: xi.LSQUnivariateSpline(*points, [3.0, 6.0], **named)):
        with pytest.raises(ValueError, match="vectors of one length"):
            fit(x, y, w=w)


@pytest.mark.parametrize("s", [None, 0, 1.5])
def test_how_well_a_spline_fits(s):
    x, y = np.arange(12.0), np.sin(np.arange(12.0)) * 3
    want = si.splrep(x, y, s=s, full_output=1)
    got = xi.splrep(tb.array(x), tb.array(y), s=s, full_output=1, quiet=1)
    for ours, theirs in zip(got[0][:2], want[0][:2], strict=True):
        close(ours, theirs, 1e-6)
    assert got[0][2] == want[0][2] and got[2:] == want[2:] and float(got[1]) == pytest.approx(want[1], abs=1e-12)


@pytest.mark.parametrize("name", ["Akima1DInterpolator", "PchipInterpolator", "CubicSpline"])
def test_complex_points_are_refused(name):
    x = np.arange(5.0) + 1j
    for module, x in ((xi, tb.array(x)), (si, x)):
        with pytest.raises(ValueError):
            getattr(module, name)(x, x.real)


@pytest.mark.parametrize("condition", ["not-a-knot", "natural", "clamped", "periodic"])
def test_splines_of_powers_and_with_more_knots(condition):
    x, y = np.arange(8) + np.linspace(0, 0.5, 8) ** 2, np.sin(np.arange(8.0))
    y[-1] = y[0]
    ours = xi.BSpline.from_power_basis(xi.CubicSpline(tb.array(x), tb.array(y), bc_type=condition), condition)
    theirs = si.BSpline.from_power_basis(si.CubicSpline(x, y, bc_type=condition), condition)
    for got, want in ((ours, theirs), (ours.insert_knot(3), theirs.insert_knot(3)),
                      (ours.insert_knot(2.5, m=2), theirs.insert_knot(2.5, m=2))):
        assert got.extrapolate == want.extrapolate and got.k == want.k
        close(got.t, want.t)
        close(got.c, want.c)
    for wrong in (lambda: ours.insert_knot(-5), lambda: ours.insert_knot(3, 0)):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(NotImplementedError):
        xi.BSpline.from_power_basis(ours)


# ---- one polynomial --------------------------------------------------------------------------------------------------


@given(seeds, kinds, st.integers(1, 9), st.integers(0, 1), shapes)
def test_barycentric(seed, kind, n, axis, shape):
    rng = np.random.default_rng(seed)
    x, y = rng.permutation(vector(rng, n)), values_along(rng, n, kind, axis)
    f, g = xi.BarycentricInterpolator(tb.array(x), tb.array(y), axis), si.BarycentricInterpolator(x, y, axis)
    q = rng.uniform(x.min(), x.max(), shape)
    q = np.where(rng.random(shape) < 0.3, rng.choice(x, shape), q)[()]
    close(f(tb.array(q)), g(q), 1e-6)
    close(xi.barycentric_interpolate(x, y, q, axis), si.barycentric_interpolate(x, y, q, axis), 1e-6)


def test_points_are_added():
    x, y = np.array([0.0, 1, 2, 4]), np.array([[1.0, 2], [0, 5], [2, 2], [1, 1]])
    f = xi.BarycentricInterpolator(x[:2], tb.array(y[:2]))
    f.add_xi(tb.array(x[2:]), tb.array(y[2:]))
    close(f(tb.array([0.5, 3])), si.BarycentricInterpolator(x, y)([0.5, 3]))
    with pytest.raises(ValueError):
        f.add_xi(tb.array([9.0]))
    with pytest.raises(ValueError):
        xi.BarycentricInterpolator([0.0, 0.0], [1.0, 2.0])
    empty = xi.BarycentricInterpolator([0.0, 1.0])
    with pytest.raises(ValueError):
        empty(0.5)
    empty.set_yi([1.0, 2.0])
    close(empty(0.5), np.asarray(1.5))


@given(seeds, kinds, st.integers(1, 7), st.integers(0, 1), shapes, st.integers(0, 3), st.booleans())
def test_krogh(seed, kind, n, axis, shape, der, repeated):
    rng = np.random.default_rng(seed)
    x, y = vector(rng, n), values_along(rng, n, kind, axis)
    if repeated:
        x = np.sort(rng.choice(x, n))
    f, g = xi.KroghInterpolator(tb.array(x), tb.array(y), axis), si.KroghInterpolator(x, y, axis)
    q = rng.uniform(x.min(), x.max(), shape)
    close(f(tb.array(q)), g(q), 1e-6)
    close(f.derivative(tb.array(q), der), g.derivative(q, der), 1e-6)
    close(f.derivatives(tb.array(q)), g.derivatives(q), 1e-6)
    close(xi.krogh_interpolate(x, y, q, der, axis), si.krogh_interpolate(x, y, q, der, axis), 1e-6)


@given(seeds, kinds, st.integers(1, 7), st.integers(0, 1), shapes, st.sampled_from([0, 1, 2, 9]))
def test_derivatives_of_barycentric_polynomials(seed, kind, n, axis, shape, der):
    rng = np.random.default_rng(seed)
    x, y = rng.permutation(vector(rng, n)), values_along(rng, n, kind, axis)
    f, g = xi.BarycentricInterpolator(tb.array(x), tb.array(y), axis, rng=0), si.BarycentricInterpolator(x, y, axis)
    q = rng.uniform(x.min(), x.max(), shape)
    q = np.where(rng.random(shape) < 0.3, rng.choice(x, shape), q)[()]
    assert f.dtype == g.dtype
    close(f.derivative(tb.array(q), der), g.derivative(q, der), 1e-6)
    close(f.derivatives(tb.array(q), der or None), g.derivatives(q, der or None), 1e-6)
    for name in ("barycentric_interpolate", "krogh_interpolate"):
        for orders in (der, [1, 0]):
            got, want = getattr(xi, name), getattr(si, name)
            close(got(x, y, q, der=orders, axis=axis), want(x, y, q, der=orders, axis=axis), 1e-6)


def test_nothing_through_points_and_no_points():
    x = np.arange(5.0)
    got = xi.Akima1DInterpolator(tb.array(x), tb.zeros((5, 0)))(tb.array([0.5, 1.5]))
    assert got.shape == si.Akima1DInterpolator(x, np.zeros((5, 0)))([0.5, 1.5]).shape == (2, 0)
    with pytest.raises(ValueError):
        xi.KroghInterpolator([], [])


def test_weights_are_given_and_derivatives_refused():
    x, y = np.array([0.0, 1, 3]), np.array([1.0, 4, 2])
    known = si.BarycentricInterpolator(x, y)
    got = xi.BarycentricInterpolator(tb.array(x), tb.array(y), wi=tb.array(known.wi))
    close(got(tb.array([0.5])), known([0.5]))
    for wrong in (lambda: xi.BarycentricInterpolator(x, y, wi=[1.0]), lambda: got.derivative(0.5, -1),
                  lambda: got.derivatives(0.5, 0), lambda: xi.BarycentricInterpolator(x).derivative(0.5)):
        with pytest.raises(ValueError):
            wrong()


# ---- interp1d --------------------------------------------------------------------------------------------------------

INTERP1D = ["linear", "nearest", "nearest-up", "previous", "next", "zero", "slinear", "quadratic", "cubic", 4]


@pytest.mark.parametrize("kind", INTERP1D)
@given(seeds, st.sampled_from("fdFD"), st.integers(-2, 1), shapes, st.booleans(),
       st.sampled_from(["extrapolate", 7.0, (1.0, -1.0), np.nan]))
def test_interp1d(kind, seed, dtype, axis, shape, ordered, fill):
    rng = np.random.default_rng(seed)
    x = vector(rng, 6)
    x = x if ordered else rng.permutation(x)
    y = values_along(rng, 6, "D" if dtype in "FD" else "d", axis).astype(dtype)
    options = {"kind": kind, "axis": axis, "bounds_error": False, "fill_value": fill, "assume_sorted": ordered}
    f, g = xi.interp1d(tb.array(x), tb.array(y), **options), si.interp1d(x, y, **options)
    q = points(rng, np.sort(x), shape)
    if kind in INTERP1D[1:5]:  # SciPy leaves open what these say of NaN
        q = np.nan_to_num(q)
    close(f(tb.array(q)), g(q), 1e-4 if dtype in "fF" else 1e-8)


@pytest.mark.parametrize("kind", ["linear", "nearest", "nearest-up", "previous", "next", "slinear", "cubic"])
@pytest.mark.parametrize("of_x", "fdl")
@pytest.mark.parametrize("of_y", "fdlFD")
@pytest.mark.parametrize("of_points", "fdl")
def test_interp1d_dtypes(kind, of_x, of_y, of_points):
    x, y, q = np.arange(5).astype(of_x), (np.arange(5) ** 2).astype(of_y), np.array([0.5, 2, 3.75]).astype(of_points)
    got, want = xi.interp1d(tb.array(x), tb.array(y), kind)(tb.array(q)), si.interp1d(x, y, kind)(q)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, 1e-6, 1e-6)
    assert xi.interp1d(tb.array(x), tb.array(y), kind)(0.5).dtype == si.interp1d(x, y, kind)(0.5).dtype


def test_interp1d_refuses():
    for module in (xi, si):
        f = module.interp1d(np.arange(3.0), np.arange(3.0))
        for wrong in (lambda f=f: f(np.array([5.0])), lambda m=module: m.interp1d(np.arange(3.0), np.arange(4.0)),
                      lambda m=module: m.interp1d([0.0, 1], [0.0, 1], "cubic"),
                      lambda m=module: m.interp1d(np.arange(3.0), np.arange(3.0), fill_value=np.ones(5)),
                      lambda m=module: m.interp1d([0.0, 1], [0.0, 1], bounds_error=True, fill_value="extrapolate")):
            with pytest.raises(ValueError):
                wrong()
        with pytest.raises(NotImplementedError):
            module.interp1d(np.arange(3.0), np.arange(3.0), "wrong")
    f = xi.interp1d(tb.arange(3.0), tb.arange(3.0), bounds_error=False, fill_value=-1.0)
    close(f(tb.array([5.0])), np.array([-1.0]))
    for fill in (-1.0, (0, 2.0), np.nan):
        with pytest.raises(ValueError, match="outside"):
            xi.interp1d(tb.arange(3.0), tb.arange(3.0), fill_value=fill)(tb.array([5.0]))




@given(seeds, st.integers(0, 4), st.sampled_from([True, False, "periodic"]), st.integers(1, 9))
def test_design_matrices(seed, k, mode, n):
    rng = np.random.default_rng(seed)
    t = vector(rng, 2 * k + 6)
    x = rng.uniform(t[k], t[-k - 1], n) + (mode is not False)
    got = xi.BSpline.design_matrix(tb.array(x), tb.array(t), k, mode)
    close(got.toarray(), si.BSpline.design_matrix(x, t, k, mode).toarray())
    with pytest.raises(ValueError):
        xi.BSpline.design_matrix(tb.array([t[0] - 1]), tb.array(t), k)


@pytest.mark.parametrize("make", [
    lambda x, y: xi.CubicSpline(x, y), lambda x, y: xi.make_interp_spline(x, y), lambda x, y: xi.interp1d(x, y)],
    ids=["CubicSpline", "make_interp_spline", "interp1d"])
def test_as_many_kernels_whatever_the_number_of_points(make):
    f, launches = make(tb.arange(50.0), tb.sin(tb.arange(50.0))), []
    for n in (1 << 15, 1 << 17):
        q = tb.linspace(0, 49, n)
        f(q).get()
        tb.config.reset_counters()
        f(q).get()
        launches.append(tb.config.counters()["launches"])
    assert abs(launches[0] - launches[1]) <= 1  # on a GPU a reduction of many takes one more


@pytest.mark.skipif(tb.config.backend() == "cpu", reason="there it is a loop at the call")
def test_points_in_order_are_not_sorted():
    """They are read; where that is not allowed they are sorted on the device."""
    x, q = np.linspace(0, 11, 100), np.linspace(0, 11, 37)
    y, order = np.sin(x), np.random.default_rng(0).permutation(100)
    launches = {}
    for name, at in ("in order", np.arange(100)), ("shuffled", order):
        xs, ys, points = tb.array(x[at]), tb.array(y[at]), tb.array(q)
        tb.config.reset_counters()
        got = xi.interp1d(xs, ys)(points)
        launches[name] = tb.config.counters()["launches"]
        np.testing.assert_allclose(got.get(), np.interp(q, x, y), 1e-12, 1e-12)
        with tombacx.allow_synchronize(False):
            got = xi.interp1d(xs, ys, bounds_error=False)(points)
        np.testing.assert_allclose(got.get(), np.interp(q, x, y), 1e-12, 1e-12)
    assert launches["in order"] < launches["shuffled"]


@pytest.mark.parametrize("k, nu, shape, extrapolate", [(3, 1, (), True), (3, 3, (2,), False), (5, 2, (2, 3), True),
    (1, 0, (), True), (2, -1, (2,), True), (4, 1, (3,), "periodic")])
def test_derivatives_of_b_splines(k, nu, shape, extrapolate):
    rng = np.random.default_rng(k)
    t = np.sort(rng.random(k + 12))
    c = rng.random((11 + rng.integers(0, 3), *shape))
    ours, theirs = (m.BSpline(x(t), x(c), k, extrapolate) for m, x in ((xi, tb.array), (si, np.array)))
    f, g = ours.derivative(nu), theirs.derivative(nu)
    assert (f.k, f.extrapolate, f.c.shape) == (g.k, g.extrapolate, g.c.shape)
    close(f.t, g.t)
    close(f.c, g.c, 1e-9)
    assert np.iscomplexobj(xi.BSpline(tb.array(t), tb.array(c + 1j), k).derivative(max(nu, 0)).c.get())
    last = c.ndim - 1
    f, g = (m.BSpline(x(t), x(np.moveaxis(c, 0, last)), k, extrapolate, last).derivative(nu)
            for m, x in ((xi, tb.array), (si, np.array)))
    q = rng.uniform(t[k], t[-k - 1], 7)
    close(f(tb.array(q)), g(q), 1e-8)


def test_b_splines_without_a_derivative():
    for t, k, nu in (([0.0, 0, 1, 1, 2, 2], 1, 1), ([0.0, 1, 2, 3], 1, 2), ([0.0, 0, 1, 2, 2], 1, -1.5)):
        for m, x in ((xi, tb.array), (si, np.array)):
            with pytest.raises((ValueError, TypeError)):
                m.BSpline(x(t), x(np.ones(len(t) - k - 1)), k).derivative(nu)


@pytest.mark.parametrize("xi_, yi", [([0.0, 1, 2], [0.0, 1, 4]), ([1.0], [2.0]), ([0.0, 0, 1, 1], [1.0, 2, 3, 4])])
def test_krogh_far_out(xi_, yi):
    x, far = np.array([np.inf, np.nan, 0.5]), xi.KroghInterpolator(xi_, yi)
    want = si.KroghInterpolator(xi_, yi)(x)
    if len(xi_) == 4:
        want[0] = np.inf  # the cubic has a positive coefficient; SciPy's factors are 0 times infinity
    close(far(tb.array(x)), want)
    close(far.derivatives(tb.array([0.5]), 6), si.KroghInterpolator(xi_, yi).derivatives([0.5], 6))


def test_a_periodic_spline_of_one_point():
    assert np.isnan(xi.make_interp_spline([1.0], [2.0], k=1, bc_type="periodic")(tb.array([1.5, 2.0])).get()).all()


@pytest.mark.parametrize("kind", ["linear", "nearest", "previous", "next", "cubic"])
def test_interp1d_has_its_own_points(kind):
    x, y = np.array([0, 1, 3, 4, 7]), np.array([1.0, 5, 2, 0, 3])
    for dtype in "ifd":
        a, b = tb.array(x.astype(dtype)), tb.array(y)
        f = xi.interp1d(a, b, kind)
        a[1], b[2:] = 2, 9
        np.testing.assert_allclose(f(tb.array([0.3, 2.6, 6.9])).get(), si.interp1d(x, y, kind)([0.3, 2.6, 6.9]), 1e-6)
        assert f.x.dtype == dtype


def test_interp1d_shares_points_that_are_in_order():
    for m, of in ((si, np.array), (xi, tb.array)):
        y = of([1.0, 5.0, 2.0])
        f = m.interp1d(of([0.0, 1.0, 2.0]), y, "nearest", copy=False, assume_sorted=True)
        y[1] = 7
        assert float(f(1.2)) == 7


@pytest.mark.parametrize("axis", [0, 1])
def test_interp1d_names_points_in_order(axis):
    x, y = np.array([3, 1, 2, 1]), np.arange(8.0).reshape((4, 2) if axis == 0 else (2, 4))
    for sorted_ in (False, True):
        want = si.interp1d(x, y, axis=axis, assume_sorted=sorted_)
        got = xi.interp1d(tb.array(x), tb.array(y), axis=axis, assume_sorted=sorted_)
        for name in ("x", "y"):
            np.testing.assert_array_equal(getattr(got, name).get(), getattr(want, name))
            assert getattr(got, name).dtype == getattr(want, name).dtype


def test_barycentric_values_that_are_no_numbers_stay_where_they_are():
    x, y = np.arange(4.0), np.array([[1.0, 2.0], [np.nan, 5.0], [0.0, np.inf], [3.0, 1.0]])
    at = [0.0, 1.0, 2.0, 3.0]
    np.testing.assert_array_equal(xi.BarycentricInterpolator(x, y)(tb.array(at)).get(), y)
    assert np.isnan(xi.BarycentricInterpolator(x, y)(tb.array([0.5])).get()[0, 0])


def test_krogh_refuses_points_that_come_again_later():
    for m in (si, xi):
        with pytest.raises(ValueError):
            m.KroghInterpolator([0.0, 1.0, 0.0], [1.0, 2.0, 3.0])
        m.KroghInterpolator([0.0, 0.0, 1.0], [1.0, 2.0, 3.0])


def test_krogh_warns_of_many_points():
    for m in (si, xi):
        with pytest.warns(UserWarning):
            m.KroghInterpolator(np.linspace(0, 1, 31), np.zeros(31))


@pytest.mark.skipif(tb._core.backend() != "cpu", reason="a GPU's kernels read values as they are: nothing is kept")
@pytest.mark.parametrize("kind", ["linear", "nearest", "nearest-up", "previous"])
@pytest.mark.parametrize("code", "fdD")
def test_interp1d_makes_nothing_of_all_points_at_a_call(kind, code):
    rng = np.random.default_rng(1)
    x, y = np.arange(900.0), rng.random((3, 900)).astype(code)
    f, at = xi.interp1d(tb.array(x), tb.array(y), kind), tb.array([0.5, 7.2, 898.9])
    close(f(at), si.interp1d(x, y, kind)([0.5, 7.2, 898.9]), 1e-6)
    tb.config.reset_counters()
    f(at).get()
    assert tb.config.counters()["bytes_allocated"] < 3000
