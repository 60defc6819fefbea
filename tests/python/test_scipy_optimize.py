"""tombacx.scipy.optimize against SciPy's, and against what is known of functions."""

import numpy as np
import pytest
import scipy.optimize as so
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.optimize as xo

seeds = st.integers(0, 2**32 - 1)


def near(got, want, tol=1e-5):
    assert type(got) is tb.ndarray and got.shape == np.shape(want)
    np.testing.assert_allclose(got.get(), want, tol, tol)


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def its_gradient(x):
    apart = x[1:] - x[:-1] ** 2
    g = tb.zeros(x.size)
    g[:-1] = -400 * x[:-1] * apart - 2 * (1 - x[:-1])
    g[1:] += 200 * apart
    return g


@pytest.mark.parametrize("method", ["BFGS", "L-BFGS-B"])
@pytest.mark.parametrize("jac", [its_gradient, True, None, "3-point"], ids=["function", "both", "none", "3-point"])
def test_a_valley(method, jac):
    fun = (lambda x: (rosenbrock(x), its_gradient(x))) if jac is True else rosenbrock
    options = {"ftol": 0.0} if method[0] == "L" else {}
    found = xo.minimize(fun, tb.full(5, -0.5) ** tb.arange(5), method=method, jac=jac, options=options)
    near(found.x, np.ones(5), 1e-3)
    assert found["x"] is found.x and found.nfev >= found.nit > 0
    if callable(jac):
        assert found.success and found.status == 0 and abs(found.jac).max().item() <= 1e-5


@pytest.mark.parametrize("method", ["BFGS", "L-BFGS-B"])
@given(seeds, st.integers(1, 8))
def test_quadratics(method, seed, n):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((n, n))
    a, b = a @ a.T + np.eye(n), rng.standard_normal(n)
    A, B = tb.array(a), tb.array(b)
    found = xo.minimize(lambda x: x @ A @ x / 2 - B @ x, tb.array(rng.standard_normal(n)), jac=lambda x: A @ x - B,
                        method=method, tol=1e-8, options={"ftol": 0.0})
    near(found.x, np.linalg.solve(a, b), 1e-5)
    assert found.fun == pytest.approx(-b @ np.linalg.solve(a, b) / 2)


def test_of_one_number_and_of_infinities():
    assert xo.minimize(lambda x: x[0] - tb.log(x[0]), 9.0, jac="3-point").x.item() == pytest.approx(1, abs=1e-4)


def test_conjugate_gradients_take_no_more_evaluations():
    """Than SciPy's, of functions that bend: steps behind a trial that is too near go where the cubic is least."""
    ours = theirs = 0
    for n in (20, 50, 100):
        for seed in range(2):
            x = np.random.default_rng(seed).uniform(-2, 2, n)
            found = xo.minimize(rosenbrock, tb.array(x), jac=its_gradient, method="CG")
            assert found.success and float(found.fun) < 1e-8
            ours += found.nfev
            theirs += so.minimize(so.rosen, x, jac=so.rosen_der, method="CG").nfev
    assert ours <= 1.1 * theirs


def test_steps_are_limited_and_told():
    seen = []
    found = xo.minimize(rosenbrock, tb.zeros(2), jac=its_gradient, callback=seen.append, options={"maxiter": 3})
    assert found.nit == 3 == len(seen) and not found.success and found.status == 1

    def stop(x):
        raise StopIteration

    assert xo.minimize(rosenbrock, tb.zeros(2), jac=its_gradient, callback=stop).status == 99


def test_minimize_refuses():
    for wrong in ({"method": "wrong"}, {"jac": "wrong"}, {"options": {"wrong": 1}}):
        with pytest.raises(ValueError, match="wrong"):
            xo.minimize(rosenbrock, tb.zeros(2), **wrong)
    with pytest.raises(ValueError, match="x0"):
        xo.minimize(rosenbrock, tb.zeros((2, 2)))


# ---- least squares ---------------------------------------------------------------------------------------------------


def decay(x, a, b, c, m=tb):
    return a * m.exp(-b * x) + c


@pytest.mark.parametrize("jac", ["2-point", "3-point", "function"])
@given(seeds)
def test_least_squares(jac, seed):
    rng = np.random.default_rng(seed)
    x = np.linspace(0, 4, 30)
    y = decay(x, 2.5, 1.3, 0.5, np) + 0.05 * rng.standard_normal(30)
    X, Y = tb.array(x), tb.array(y)

    def derivatives(p):
        e = tb.exp(-p[1] * X)
        return tb.stack([e, -p[0] * X * e, tb.ones(30)], axis=1)

    got = xo.least_squares(lambda p: decay(X, *p) - Y, tb.ones(3), derivatives if jac == "function" else jac)
    want = so.least_squares(lambda p: decay(x, *p, np) - y, np.ones(3), method="lm")
    assert got.success and got.cost == pytest.approx(want.cost, rel=1e-6)
    near(got.x, want.x, 1e-3)
    near(got.fun, want.fun, 1e-3)
    assert got.jac.shape == (30, 3)


@pytest.mark.parametrize("n", [3, 1000, 20_000])
@pytest.mark.parametrize("bounds", [(-np.inf, np.inf), (-np.inf, [np.inf, np.inf]), ([-np.inf, 0.5], np.inf), (-9, 9)])
@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_lines_take_few_evaluations(n, bounds, noise):
    """One step leads to the least sum, and another one nowhere."""
    x = np.linspace(0, 4, n)
    y = 2 * x + 1 + noise * np.random.default_rng(n).standard_normal(n)
    want = so.curve_fit(lambda x, a, b: a * x + b, x, y, bounds=bounds, full_output=True)
    p, covariances, more, _, status = xo.curve_fit(lambda x, a, b: a * x + b, tb.array(x), tb.array(y), bounds=bounds,
                                                   full_output=True)
    np.testing.assert_allclose(p.get(), want[0], 1e-6)
    np.testing.assert_allclose(covariances.get(), want[1], 1e-5, 1e-12)
    most = want[2]["nfev"] if tb.config.backend() == "cpu" else 4  # with or without those of differences
    assert status > 0 and (more["nfev"] <= most or np.isfinite(bounds[0]).any())


@pytest.mark.parametrize("sigma", [None, "vector", "matrix"])
@given(seeds, st.booleans())
def test_curves(sigma, seed, absolute):
    rng = np.random.default_rng(seed)
    x = np.linspace(0, 4, 30)
    y = decay(x, 2.5, 1.3, 0.5, np) + 0.05 * rng.standard_normal(30)
    s = {None: None, "vector": rng.uniform(0.5, 1.5, 30)}.get(sigma)
    if sigma == "matrix":
        s = np.diag(rng.uniform(0.5, 1.5, 30)) + 0.05
    p, covariances = xo.curve_fit(lambda x, a, b, c: decay(x, a, b, c), tb.array(x), tb.array(y),
                                  sigma=None if s is None else tb.array(s), absolute_sigma=absolute)
    want, of_scipy = so.curve_fit(lambda x, a, b, c: decay(x, a, b, c, np), x, y, sigma=s, absolute_sigma=absolute)
    near(p, want, 1e-4)
    np.testing.assert_allclose(covariances.get(), of_scipy, 1e-2, 1e-2 * abs(of_scipy).max())


def test_curves_refuse():
    x = tb.arange(5.0)
    for wrong in (lambda: xo.curve_fit(lambda x, *p: x, x, x), lambda: xo.curve_fit(lambda x, a: a * x, x, x * np.nan),
                  lambda: xo.curve_fit(lambda x, a: a * x, x[:0], x[:0]),
                  lambda: xo.curve_fit(lambda x, a: a * x, x, x, sigma=tb.ones(3)),
                  lambda: xo.curve_fit(lambda x, a: a * x, x / 0, x),
                  lambda: xo.curve_fit(lambda x, a: a, [1, np.nan], x[:2]),
                  lambda: xo.curve_fit(lambda x, a: a * x, x * np.nan, x, nan_policy="raise"),
                  lambda: xo.least_squares(lambda p: p, tb.ones(2), method="wrong"),
                  lambda: xo.least_squares(lambda p: p, tb.ones(2), jac="wrong"),
                  lambda: xo.least_squares(lambda p: p * np.inf, tb.ones(2))):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError, match="3 parameters"):
        xo.curve_fit(lambda x, a, b, c: a + b + c + x, x[:2], x[:2])
    with pytest.raises(RuntimeError, match="evaluations|maxfev"):
        xo.curve_fit(lambda x, a: tb.exp(a * x), x, tb.exp(2 * x), p0=[0.1], max_nfev=2)
    with pytest.warns(RuntimeWarning, match="covariances"):
        p, covariances = xo.curve_fit(lambda x, a, b: a + b * x, x[:2], 2 * x[:2])
    assert tb.isinf(covariances).all() and p.sum().item() == pytest.approx(2)


@pytest.mark.parametrize("bounds", [(-np.inf, np.inf), (0, 9)])
def test_points_with_nan_are_left_out(bounds):
    rng = np.random.default_rng(1)
    x, s = np.linspace(0, 4, 30), rng.uniform(0.5, 1.5, 30)
    y = decay(x, 2.5, 1.3, 0.5, np) + 0.05 * rng.standard_normal(30)
    x[3], y[7] = np.nan, np.nan
    for sigma in (None, s, np.diag(s)):
        moved = None if sigma is None else tb.array(sigma)
        got = xo.curve_fit(lambda x, a, b, c: decay(x, a, b, c), tb.array(x), tb.array(y), sigma=moved,
                           nan_policy="omit", bounds=bounds)
        kept = ~np.isnan(x + y)
        if sigma is not None:
            sigma = sigma[kept] if sigma.ndim == 1 else sigma[kept][:, kept]
        want = so.curve_fit(lambda x, a, b, c: decay(x, a, b, c, np), x[kept], y[kept], sigma=sigma, bounds=bounds)
        near(got[0], want[0], 1e-4)
        np.testing.assert_allclose(got[1].get(), want[1], 1e-2, 1e-2 * abs(want[1]).max())
    two = tb.stack([tb.array(x), tb.arange(30.0)])
    near(xo.curve_fit(lambda x, a, b: a * x[0] + b, two, 2 * two[0] + 1, nan_policy="omit")[0], [2, 1], 1e-9)


def test_curves_of_sequences_and_whole_numbers():
    for x in ([1, 2, 3, 4], (1.0, 2.0, 3.0, 4.0), tb.arange(1, 5), np.arange(1, 5)):
        got = xo.curve_fit(lambda x, a, b: a * x**-1 + b, x, [4.0, 2.5, 2.0, 1.75])[0]
        near(got, [3, 1], 1e-6)


@pytest.mark.parametrize("loss", ["soft_l1", "huber", "cauchy", "arctan"])
@pytest.mark.parametrize("method", ["trf", "dogbox"])
def test_jacobian_of_losses(loss, method):
    """Its square is nearly the second derivatives of what is summed, of which covariances are made."""
    x = np.linspace(0, 4, 30)
    y = decay(x, 2.5, 1.3, 0.5, np)
    y[4] += 2
    options = {"loss": loss, "f_scale": 0.3, "method": method, "ftol": 1e-12, "xtol": 1e-12, "gtol": 1e-12}
    t, v = tb.array(x), tb.array(y)
    got = xo.least_squares(lambda p: decay(t, *p) - v, [1.0, 1.0, 0.0], **options)
    want = so.least_squares(lambda p: decay(x, *p, np) - y, [1.0, 1.0, 0.0], **options)
    near(got.jac, want.jac, 1e-4)
    if method == "trf":
        options = {"method": method, "loss": loss, "f_scale": 0.3}
        fitted = xo.curve_fit(lambda x, a, b, c: decay(x, a, b, c), t, v, **options)[1]
        of_scipy = so.curve_fit(lambda x, a, b, c: decay(x, a, b, c, np), x, y, **options)[1]
        np.testing.assert_allclose(fitted.get(), of_scipy, 1e-3, 1e-4 * abs(of_scipy).max())


def test_curves_take_options_of_minpack():
    x, y = np.linspace(0, 4, 50), decay(np.linspace(0, 4, 50), 2.5, 1.3, 0.5, np)
    for options in ({"ftol": 1e-4, "xtol": 1e-4}, {"maxfev": 500}, {"factor": 10, "epsfcn": 1e-10},
                    {"diag": np.array([1.0, 2.0, 3.0]), "p0": (1.0, 2.0, 0.0)}):
        if tb.config.backend() != "cpu" and options.keys() - {"ftol", "xtol", "maxfev", "p0"}:
            continue
        got = xo.curve_fit(lambda x, a, b, c: decay(x, a, b, c), tb.array(x), tb.array(y), **options)
        near(got[0], so.curve_fit(lambda x, a, b, c: decay(x, a, b, c, np), x, y, **options)[0], 1e-3)
    slopes = lambda x, a, b: tb.stack([x, tb.ones(x.size)], axis=1)
    got = xo.curve_fit(lambda x, a, b: a * x + b, tb.array(x), tb.array(y), jac=slopes)
    near(got[0], so.curve_fit(lambda x, a, b: a * x + b, x, y)[0], 1e-6)


# ---- on the host -----------------------------------------------------------------------------------------------------


@given(seeds, st.integers(0, 9), st.integers(0, 9), st.booleans(), st.sampled_from("?bHlefd"), st.booleans(),
       st.booleans())
def test_assignments(seed, m, n, greatest, code, turned, forbids):
    """Where several have the same total, SciPy's."""
    rng = np.random.default_rng(seed)
    cost = (rng.random((m, n)) * 4).astype(code)
    if forbids and code in "efd":
        cost[rng.random((m, n)) < 0.3] = -np.inf if greatest else np.inf
    cost = cost.T if turned else cost
    try:
        expected = so.linear_sum_assignment(cost, greatest)
    except ValueError as e:
        with pytest.raises(ValueError, match=str(e)):
            xo.linear_sum_assignment(tb.array(cost), greatest)
        return
    got = xo.linear_sum_assignment(tb.array(cost).T.copy().T if seed % 2 else tb.array(cost), greatest)
    for x, want in zip(got, expected, strict=True):
        assert x.dtype == want.dtype and x.tolist() == want.tolist()


def test_assignments_of_what_is_no_matrix_of_costs():
    for wrong in (np.ones(3), np.ones((2, 2, 2)), np.array(1.0), np.array([[1, np.nan]]), np.array([[-np.inf, 1]]),
                  np.array([[1j]])):
        with pytest.raises((ValueError, TypeError)) as expected:
            so.linear_sum_assignment(wrong)
        with pytest.raises(expected.type):
            xo.linear_sum_assignment(tb.array(wrong))
    with pytest.raises(ValueError, match="invalid numeric"):
        xo.linear_sum_assignment(tb.array([[np.inf, 1]]), maximize=True)
    assert [x.tolist() for x in xo.linear_sum_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])] == [[0, 1, 2], [1, 0, 2]]


@given(seeds, st.integers(1, 6), st.integers(1, 6))
def test_without_negative_elements(seed, m, n):
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((m, n)), rng.standard_normal(m)
    (x, distance), (want, of_scipy) = xo.nnls(tb.array(a), tb.array(b)), so.nnls(a, b)
    near(x, want)
    assert type(distance) is float and distance == pytest.approx(of_scipy)
