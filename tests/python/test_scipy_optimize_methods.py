"""tombacx.scipy.optimize's bounds, losses and further methods against SciPy's."""

import numpy as np
import pytest
import scipy.optimize as so
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.optimize as xo

seeds = st.integers(0, 2**32 - 1)


def valley(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def gradient(x):
    a = x[1:] - x[:-1] ** 2
    g = (tb if isinstance(x, tb.ndarray) else np).zeros(x.size)
    g[:-1] = -400 * x[:-1] * a - 2 * (1 - x[:-1])
    g[1:] += 200 * a
    return g


def near(got, want, tol=1e-6):
    assert type(got) is tb.ndarray and got.shape == np.shape(want)
    np.testing.assert_allclose(got.get(), want, tol, tol)


# ---- minimize --------------------------------------------------------------------------------------------------------


def problem(seed, n):
    """A convex function's matrix and vector, bounds some of which are infinite, and where to begin."""
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((n, n))
    low = rng.uniform(-1, 0.5, n)
    high = low + rng.choice([0, 0.5, 2], n)
    low[rng.random(n) < 0.3] = -np.inf
    high[rng.random(n) < 0.3] = np.inf
    return a @ a.T + 0.1 * np.eye(n), rng.standard_normal(n), low, high, rng.standard_normal(n)


@given(seeds, st.integers(1, 12), st.sampled_from(["pairs", "object", "scipy"]))
def test_bounds_of_quadratics(seed, n, kind):
    a, b, low, high, x0 = problem(seed, n)
    bounds = {"scipy": so.Bounds(low, high), "object": xo.Bounds(tb.array(low), tb.array(high)),
              "pairs": [(None if np.isinf(u) else u, None if np.isinf(v) else v) for u, v in
                        zip(low, high, strict=True)]}
    A, B, options = tb.array(a), tb.array(b), {"ftol": 0.0, "gtol": 1e-8}
    got = xo.minimize(lambda x: x @ A @ x / 2 - B @ x, tb.array(x0), jac=lambda x: A @ x - B, bounds=bounds[kind],
                      options=options)
    x = got.x.get()
    assert (low <= x).all() and (x <= high).all()
    slope = a @ x - b  # nothing but bounds keeps it from descending
    assert np.max(abs(np.clip(x - slope, low, high) - x)) <= 1e-6
    want = so.minimize(lambda x: x @ a @ x / 2 - b @ x, x0, jac=lambda x: a @ x - b, bounds=so.Bounds(low, high),
                       options={"ftol": 0.0, "gtol": 1e-9})
    assert got.fun <= want.fun + 1e-8 * max(1, abs(want.fun))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("jac", [gradient, None, "3-point"], ids=["function", "none", "3-point"])
def test_bounds_of_a_valley(seed, jac):
    rng = np.random.default_rng(seed)
    low = rng.uniform(-2, 1, 8)
    high = low + rng.uniform(0, 3, 8)
    bounds = so.Bounds(low, high)
    got = xo.minimize(valley, tb.array(rng.standard_normal(8)), jac=jac, bounds=bounds, options={"ftol": 1e-12})
    want = so.minimize(valley, got.x.get(), jac=gradient, bounds=bounds, options={"ftol": 1e-14})
    assert got.status == 0 and got.fun == pytest.approx(want.fun, rel=1e-6)


@pytest.mark.parametrize("method", ["CG", "Newton-CG", "newton-cg"])
@pytest.mark.parametrize("second", [None, "hess", "hessp"])
def test_valleys_by_directions(method, second):
    if method == "CG" and second:
        return
    curves = {"hess": lambda x: tb.array(so.rosen_hess(x.get())),
              "hessp": lambda x, p: tb.array(so.rosen_hess_prod(x.get(), p.get()))}
    found = xo.minimize(valley, tb.linspace(0.5, 2, 6), method=method, jac=gradient,
                        **({second: curves[second]} if second else {}))
    assert found.success and found.nfev > found.nit > 0 and found.njev >= found.nit
    near(found.x, np.ones(6), 1e-4)


@pytest.mark.parametrize("method", ["Nelder-Mead", "Powell", "TNC", "COBYQA", "SLSQP", "trust-constr", "dogleg",
                                    "trust-exact", "trust-krylov", "trust-ncg"])
@pytest.mark.filterwarnings("ignore")
def test_methods_of_scipy(method):
    options = {}
    if method in ("trust-constr", "dogleg", "trust-exact", "trust-krylov", "trust-ncg"):
        options = {"jac": gradient, "hess": lambda x: tb.array(so.rosen_hess(x.get()))}
    seen = []
    got = xo.minimize(valley, tb.array([1.5, 0.5]), method=method, callback=lambda x, *_: seen.append(x), **options)
    host = {key: (so.rosen_hess if key == "hess" else f) for key, f in options.items()}
    want = so.minimize(valley, np.array([1.5, 0.5]), method=method, **host)
    assert type(got.fun) is float and got.nfev == want.nfev and got.success == want.success and seen
    near(got.x, want.x, 1e-4)
    assert type(seen[0]) is tb.ndarray


@pytest.mark.parametrize("method, more", [("CG", {}), ("BFGS", {}), ("L-BFGS-B", {}), ("Newton-CG", {}),
                                          ("L-BFGS-B", {"bounds": [(-1, 0.5)] * 2}), ("SLSQP", {}),
                                          ("trust-constr", {})])
@pytest.mark.filterwarnings("ignore")
def test_what_callbacks_are_told(method, more):
    """A parameter called intermediate_result is the result so far, as in SciPy."""
    seen, points = [], []

    def named(*, intermediate_result):
        seen.append(intermediate_result)
        if len(seen) == 2:
            raise StopIteration

    start = tb.array([-1.2, 1.0])
    got = xo.minimize(valley, start, method=method, jac=gradient, callback=named, **more)
    assert len(seen) == 2 and not got.success
    for r in seen:
        assert type(r) is xo.OptimizeResult and type(r.fun) is float and type(r.x) is tb.ndarray
        assert r.fun == pytest.approx(float(valley(r.x)), rel=1e-9)
    xo.minimize(valley, start, method=method, jac=gradient, callback=lambda *told: points.append(told), **more)
    near(points[0][0], seen[0].x.get(), 1e-9)
    assert len(points[0]) == (2 if method == "trust-constr" else 1)
    if method == "trust-constr":
        assert type(points[0][1].x) is tb.ndarray and points[0][1].nit == 1


def test_constraints():
    for constraints in ({"type": "ineq", "fun": lambda x: 0.5 - x[0], "jac": lambda x: tb.array([-1.0, 0.0])},
                        [{"type": "eq", "fun": lambda x, s: tb.stack([x.sum() - s]), "args": (0.75,)}]):
        got = xo.minimize(valley, tb.array([0.2, 0.2]), constraints=constraints)
        assert got.success
        near(got.x, [0.5, 0.25], 1e-3) if isinstance(constraints, dict) else near(got.x.sum(), 0.75, 1e-6)
    got = xo.minimize(valley, tb.array([0.2, 0.2]), method="Nelder-Mead", bounds=[(None, 0.5), (None, None)])
    near(got.x, [0.5, 0.25], 1e-3)


def test_what_minimize_refuses():
    x = tb.zeros(2)
    for wrong in ({"bounds": [(0, 1)]}, {"bounds": [(1, 0), (0, 1)]}, {"method": "CG", "bounds": [(0, 1)] * 2},
                  {"method": "BFGS", "constraints": [{"type": "eq", "fun": valley}]}, {"method": 3},
                  {"method": "CG", "options": {"ftol": 1}}, {"bounds": xo.Bounds(tb.zeros(3), 1)}):
        with pytest.raises(ValueError):
            xo.minimize(valley, x, **wrong)
    lost = xo.minimize(lambda x: (x * np.nan).sum(), x, jac=lambda x: x)
    assert lost.status == 3 and not lost.success
    few = xo.minimize(valley, tb.zeros(3), jac=gradient, bounds=[(-5, 5)] * 3, options={"maxiter": 2})
    assert few.nit == 2 and few.status == 1
    few = xo.minimize(valley, tb.zeros(3), jac=gradient, method="L-BFGS-B", options={"maxfun": 5})
    assert 5 <= few.nfev < 12 and few.status == 1


# ---- functions of one number -----------------------------------------------------------------------------------------


def cubic(x, c=2.0):
    return x**3 - c * x - 5


@pytest.mark.parametrize("name", ["bisect", "brentq", "brenth", "ridder", "toms748"])
@pytest.mark.parametrize("on_device", [False, True])
def test_roots_in_brackets(name, on_device):
    f = (lambda x, c: tb.array(cubic(x, c))) if on_device else cubic
    options = {"args": (2.5,), "full_output": True, "xtol": 1e-10}
    got, about = getattr(xo, name)(f, tb.array(1.0), 4, **options)
    want, theirs = getattr(so, name)(cubic, 1.0, 4, **options)
    assert type(got) is float and got == want and about.function_calls == theirs.function_calls
    assert getattr(xo, name)(f, 1, 4, args=(2.5,)) == getattr(so, name)(cubic, 1, 4, args=(2.5,))
    with pytest.raises(ValueError, match="sign"):
        getattr(xo, name)(f, 5, 6, args=(2.5,))
    with pytest.raises(RuntimeError):
        getattr(xo, name)(f, 1, 4, args=(2.5,), maxiter=1)


@pytest.mark.parametrize("options", [
    {"bracket": (1, 4)}, {"bracket": (1, 4), "method": "ridder"}, {"x0": 3.0, "fprime": True, "method": "newton"},
    {"x0": 3.0, "x1": 2.5}, {"x0": 3.0, "fprime": lambda x: 3 * x**2 - 2, "fprime2": lambda x: 6 * x},
    {"bracket": (1, 4), "method": "bisect", "options": {"maxiter": 3}}])
def test_root_scalar(options):
    both = options.get("fprime") is True
    got = xo.root_scalar(lambda x: (tb.array(cubic(x)), tb.array(3 * x**2 - 2)) if both else tb.array(cubic(x)),
                         **options)
    want = so.root_scalar(lambda x: (cubic(x), 3 * x**2 - 2) if both else cubic(x), **options)
    assert type(got.root) is float and got.root == want.root and got.converged == want.converged
    assert got.function_calls == want.function_calls
    with pytest.raises(ValueError):
        xo.root_scalar(cubic)


@pytest.mark.parametrize("options", [{}, {"bracket": (-1, 0)}, {"bounds": (0.5, 3)}, {"method": "golden"},
                                     {"bounds": (2, 3), "method": "bounded", "options": {"xatol": 1e-9}}])
def test_minimize_scalar(options):
    got = xo.minimize_scalar(lambda x, c: tb.array((x - c) ** 2 + 1), args=(1.5,), **options)
    want = so.minimize_scalar(lambda x, c: (x - c) ** 2 + 1, args=(1.5,), **options)
    assert type(got.x) is float and got.x == want.x and got.fun == want.fun and got.nfev == want.nfev
    with pytest.raises(ValueError):
        xo.minimize_scalar(cubic, method="wrong")


@pytest.mark.parametrize("slopes", [0, 1, 2])
def test_newton(slopes):
    derivatives = dict(zip(("fprime", "fprime2"), (lambda x, c: 3 * x**2 - c, lambda x, c: 6 * x), strict=True))
    options = {key: derivatives[key] for key in [*derivatives][:slopes]}
    assert xo.newton(cubic, 3.0, args=(2.0,), **options) == so.newton(cubic, 3.0, args=(2.0,), **options)
    c, x0 = np.linspace(0, 4, 12).reshape(3, 4), np.full((3, 4), 3.0)
    got = xo.newton(cubic, tb.array(x0), args=(tb.array(c),), **options)
    near(got, so.newton(cubic, x0, args=(c,), **options), 1e-7)
    root, converged, flat = xo.newton(cubic, tb.array(x0), args=(tb.array(c),), full_output=True, tol=1e-10, **options)
    near(root, so.newton(cubic, x0, args=(c,), tol=1e-10, **options), 1e-10)
    assert converged.all() and not flat.any() and converged.dtype == bool
    some = xo.newton(lambda x: x**2 + tb.array([1.0, -1.0]), tb.array([1.0, 2.0]), full_output=True)
    assert some[1].tolist() == [False, True]


def test_newton_tells():
    slope = lambda x: 2 * x  # noqa: E731
    with pytest.raises(RuntimeError, match="derivative"):
        xo.newton(lambda x: x**2 + 1, tb.zeros(3), slope)
    with pytest.warns(RuntimeWarning, match="some"):
        xo.newton(lambda x: x**2 - 1, tb.array([0.0, 2.0]), slope)
    with pytest.raises(RuntimeError, match="3 steps"):
        xo.newton(lambda x: x**2 - 1, tb.full(2, 1e9), slope, maxiter=3)
    near(xo.newton(lambda x: x**2 + 1, tb.array([1 + 2j, 1 - 2j]), slope), [1j, -1j])
    for wrong in ({"tol": 0}, {"maxiter": 0}):
        with pytest.raises(ValueError):
            xo.newton(slope, tb.ones(2), **wrong)


# ---- least squares ---------------------------------------------------------------------------------------------------


def decay(x, a, b, c):
    return a * (tb if isinstance(x, tb.ndarray) else np).exp(-b * x) + c


def measured(seed, outliers=False):
    rng = np.random.default_rng(seed)
    x = np.linspace(0, 4, 40)
    y = decay(x, 2.5, 1.3, 0.5) + 0.05 * rng.standard_normal(40)
    if outliers:
        y[rng.integers(0, 40, 4)] += 3
    return x, y


@pytest.mark.parametrize("jac", ["2-point", "3-point", "function"])
@pytest.mark.parametrize("bounds", [([2.6, 0, 0], [4, 1.1, 0.3]), ([-np.inf, 1.5, -1], np.inf), (0, [2.0, 9, 9])])
@pytest.mark.parametrize("x_scale", [None, "jac", [1.0, 0.5, 2.0]])
def test_least_squares_within_bounds(jac, bounds, x_scale):
    x, y = measured(0)
    X, Y = tb.array(x), tb.array(y)
    x0 = np.clip([3.0, 1.0, 0.2], *bounds)

    def slopes(p):
        e = tb.exp(-p[1] * X)
        return tb.stack([e, -p[0] * X * e, tb.ones(40)], axis=1)

    seen = []

    def f(p):
        seen.append(p)
        return decay(X, *p) - Y

    got = xo.least_squares(f, tb.array(x0), slopes if jac == "function" else jac, bounds, x_scale=x_scale)
    want = so.least_squares(lambda p: decay(x, *p) - y, x0, "3-point", bounds, xtol=1e-12, ftol=1e-12, gtol=1e-12)
    assert got.success and got.cost == pytest.approx(want.cost, rel=1e-5)
    near(got.x, want.x, 5e-3)
    assert got.nfev < 60 and got.active_mask.dtype == np.int64
    low, high = (np.broadcast_to(v, 3) for v in bounds)
    assert all((low <= p.get()).all() and (p.get() <= high).all() for p in seen)


@pytest.mark.parametrize("loss", ["soft_l1", "huber", "cauchy", "arctan", "own"])
@pytest.mark.parametrize("f_scale", [0.1, 1.0])
@pytest.mark.parametrize("bounds", [(-np.inf, np.inf), (0, 2.2)])
def test_losses(loss, f_scale, bounds):
    x, y = measured(1, True)

    def own(z):
        m = tb if isinstance(z, tb.ndarray) else np
        return m.stack([m.log1p(z), 1 / (1 + z), -1 / (1 + z) ** 2])

    loss = own if loss == "own" else loss
    X, Y, options = tb.array(x), tb.array(y), {"xtol": 1e-12, "ftol": 1e-12, "loss": loss, "f_scale": f_scale}
    x0 = [2.0, 1.2, 0.4]
    got = xo.least_squares(lambda p: decay(X, *p) - Y, tb.array(x0), "3-point", bounds, **options)
    want = so.least_squares(lambda p: decay(x, *p) - y, x0, "3-point", bounds, **options)
    assert got.success and got.cost == pytest.approx(want.cost, rel=1e-7)
    near(got.x, want.x, 1e-3)
    near(got.grad, want.grad, 1e-4)


def test_least_squares_of_little():
    got = xo.least_squares(lambda p: tb.stack([p[0] + p[1] - 1]), tb.zeros(2))  # fewer residuals than variables
    assert got.success and got.cost == pytest.approx(0, abs=1e-12)
    rank = xo.least_squares(lambda p: (p[0] + p[1]) * tb.arange(3.0) - 1, tb.zeros(2))
    assert rank.cost == pytest.approx(so.least_squares(lambda p: (p[0] + p[1]) * np.arange(3.0) - 1, np.zeros(2)).cost)
    steps = []

    def stop(found):
        steps.append(found)
        raise StopIteration

    found = xo.least_squares(lambda p: p**3 - 1, tb.full(2, 9.0), callback=stop)
    assert found.status == -2 and len(steps) == 1 and steps[0].nit == 1
    assert xo.least_squares(lambda p: p**3 - 1, tb.full(2, 9.0), max_nfev=2).status == 0
    near(xo.least_squares(lambda p: p**3 - 8, 9.0, diff_step=1e-7, gtol=None, ftol=None).x, [2.0])


def test_least_squares_refuses():
    f, x = (lambda p: p), tb.ones(2)
    for wrong in ({"bounds": (2, 3)}, {"bounds": (1, 0)}, {"bounds": ([0] * 3, 3)}, {"method": "lm", "bounds": (0, 2)},
                  {"method": "lm", "loss": "huber"}, {"loss": "wrong"}, {"x_scale": "wrong"}, {"x_scale": [1.0, 0.0]},
                  {"f_scale": 0}):
        with pytest.raises(ValueError):
            xo.least_squares(f, x, **wrong)
    with pytest.raises(ValueError, match="at least 2"):
        xo.least_squares(lambda p: p[:1], x, method="lm")


@pytest.mark.parametrize("policy", [None, "omit"])
@pytest.mark.parametrize("sigma", [False, True])
def test_curves_within_bounds(policy, sigma):
    x, y = measured(3)
    s = np.linspace(0.5, 1.5, 40) if sigma else None
    if policy:
        y[[2, 30]] = np.nan
    bounds = ([0, 0, 0], [3.0, np.inf, 2.0])
    options = {"bounds": bounds, "nan_policy": policy, "full_output": True}
    got = xo.curve_fit(decay, tb.array(x), tb.array(y), sigma=None if s is None else tb.array(s), **options)
    want = so.curve_fit(decay, x, y, sigma=s, **options)
    near(got[0], want[0], 1e-4)
    np.testing.assert_allclose(got[1].get(), want[1], 1e-2, 1e-2 * abs(want[1]).max())
    near(got[2]["fvec"], want[2]["fvec"], 1e-4)
    assert got[4] > 0 and isinstance(got[3], str)
    with pytest.raises(ValueError):
        xo.curve_fit(decay, tb.array(x), tb.array(y), nan_policy="wrong")
    with pytest.raises(ValueError):
        xo.curve_fit(decay, tb.array(x), tb.full(40, np.nan), nan_policy="raise")


# ---- derivatives, and the host's -------------------------------------------------------------------------------------


def test_derivatives():
    x = np.array([0.5, 2.0, -3.0])
    near(xo.approx_fprime(tb.array(x), valley), so.approx_fprime(x, valley), 1e-4)
    slopes = xo.approx_fprime(tb.array(x), lambda x, k: tb.stack([x.sum(), k * x[0] ** 2]), 1e-6, 3)
    near(slopes, [[1, 1, 1], [3, 0, 0]], 1e-4)
    near(xo.approx_fprime(2.0, lambda x: x[0] ** 2), [4.0], 1e-6)
    near(xo.approx_fprime(tb.array(x), valley, tb.full(3, 1e-6)), so.approx_fprime(x, valley, 1e-6), 1e-4)
    for direction in ("all", "random"):
        assert xo.check_grad(valley, gradient, tb.array(x), direction=direction, seed=1) < 1e-3
        assert xo.check_grad(valley, lambda x: gradient(x) + 1, tb.array(x), direction=direction, seed=1) > 0.1
    for wrong in (lambda: xo.approx_fprime(tb.ones(3), valley, tb.ones(2)),
                  lambda: xo.check_grad(valley, gradient, tb.ones(3), direction="wrong")):
        with pytest.raises(ValueError):
            wrong()


@given(seeds)
def test_linear_programs(seed):
    rng = np.random.default_rng(seed)
    c, a, b = rng.standard_normal(4), rng.standard_normal((3, 4)), rng.random(3) * 4
    got = xo.linprog(tb.array(c), tb.array(a), tb.array(b), bounds=(-1, 2))
    want = so.linprog(c, a, b, bounds=(-1, 2))
    near(got.x, want.x)
    near(got.ineqlin.marginals, want.ineqlin.marginals)
    assert type(got.fun) is float and got.success and got.fun == pytest.approx(want.fun)
    whole = xo.linprog(tb.array(c), tb.array(a), tb.array(b), bounds=(-1, 2), integrality=tb.array([1, 0, 0, 1]))
    near(whole.x, so.linprog(c, a, b, bounds=(-1, 2), integrality=[1, 0, 0, 1]).x)
    assert not xo.linprog(-abs(tb.array(c))).success
    with pytest.raises(ValueError):
        xo.linprog(tb.ones(3), tb.ones((2, 2)), tb.ones(2))


def test_a_step_hardly_longer_than_the_radius_is_one():
    """The damping that would make it as long is 0 but for rounding."""
    x = tb.arange(5.0)
    got = xo.least_squares(lambda p: p[0] * x + p[1] - (2.41 * x + 1.11), tb.array([1.0, 1.0]))
    assert got.success and got.optimality < 1e-6
    near(got.x, np.array([2.41, 1.11]), 1e-6)


@given(seeds)
def test_lines_are_found_from_anywhere(seed):
    rng = np.random.default_rng(seed)
    n, x = rng.normal(size=2) * 2, np.linspace(0, rng.uniform(1, 9), 7)
    start = n + rng.normal(size=2) * rng.uniform(0.1, 3)
    got = xo.least_squares(lambda p: p[0] * tb.array(x) + p[1] - tb.array(n[0] * x + n[1]), tb.array(start))
    assert got.success
    np.testing.assert_allclose(got.x.get(), n, 1e-5, 1e-5)


def test_how_far_a_point_is_from_bounds():
    got = xo.Bounds([0.0, -1.0], tb.array([1.0, 5.0])).residual(tb.array([0.5, 6.0]))
    assert [x.tolist() for x in got] == [[0.5, 7.0], [0.5, -1.0]]


def rosenbrocks(x, m, by=10.0, less=1.0):
    return m.stack([by * (x[1] - x[0] ** 2), less - x[0]])


@pytest.mark.parametrize("options", [
    {}, {"bounds": ([-2.0, 0.25], [0.9, 3.0])}, {"loss": "soft_l1", "f_scale": 0.5}, {"jac": True}, {"jac": "3-point"},
    {"x_scale": [1.0, 2.0]}, {"kwargs": {"less": 0.5}}, {"max_nfev": 3}], ids=str)
def test_dogbox(options):
    def solved(m, array, module):
        def jac(x, m, by):
            return array([[-2 * by * float(x[0]), by], [-1.0, 0.0]])

        more = {**options, **({"jac": jac} if options.get("jac") is True else {})}
        return module.least_squares(rosenbrocks, array([-1.5, 1.0]), method="dogbox", args=(m, 10.0), **more)

    got, want = solved(tb, tb.array, xo), solved(np, np.array, so)
    assert (got.status, got.nfev, got.success) == (want.status, want.nfev, want.success)
    assert type(got.cost) is float and isinstance(got.x, tb.ndarray)
    for name in ("x", "fun", "jac", "grad", "active_mask"):
        np.testing.assert_allclose(got[name].get(), want[name], 1e-6, 1e-8)


def test_curves_by_dogbox():
    x = np.linspace(0, 1, 20)
    y = 2 * np.exp(-3 * x)
    got, cov = xo.curve_fit(lambda x, a, b: a * tb.exp(-b * x), tb.array(x), tb.array(y) + 0.01, method="dogbox",
                            bounds=([0, 0], [5, 9]))
    want, known = so.curve_fit(lambda x, a, b: a * np.exp(-b * x), x, y + 0.01, method="dogbox",
                               bounds=([0, 0], [5, 9]))
    np.testing.assert_allclose(got.get(), want, 1e-6)
    np.testing.assert_allclose(cov.get(), known, 1e-4)


def crossing(x, m, level=3.0):
    return m.stack([x[0] + x[1] - level, x[0] * x[1] - 2])


@pytest.mark.parametrize("method", ["hybr", "lm", "broyden1", "anderson", "krylov", "df-sane"])
def test_roots_of_vectors(method):
    def jac(x, m, *rest):
        return m.array([[1.0, 1.0], [float(x[1]), float(x[0])]])

    for level in ((), (3.5,)):
        options = {"tol": 1e-10} if method != "df-sane" else {}
        jacobians = [None, jac] if method in ("hybr", "lm") else [None]
        for j in jacobians:
            got = xo.root(crossing, tb.array([0.5, 3.0]), (tb, *level), method, j, **options)
            want = so.root(crossing, np.array([0.5, 3.0]), (np, *level), method, j, **options)
            assert got.success == want.success and isinstance(got.x, tb.ndarray)
            np.testing.assert_allclose(got.x.get(), want.x, 1e-6)
    both = xo.root(lambda x: (crossing(x, tb), jac(x, tb)), [0.5, 3.0], jac=True)
    np.testing.assert_allclose(both.x.get(), [1, 2], 1e-6)
    with pytest.raises(ValueError):
        xo.root(crossing, [0.5, 3.0], (tb,), "wrong")


def test_roots_of_vectors_by_minpack():
    got = xo.fsolve(crossing, [0.5, 3.0], (tb,), full_output=1, diag=tb.array([1.0, 2.0]))
    want = so.fsolve(crossing, [0.5, 3.0], (np,), full_output=1, diag=[1.0, 2.0])
    np.testing.assert_allclose(got[0].get(), want[0], 1e-10)
    assert got[2:] == want[2:] and got[1]["nfev"] == want[1]["nfev"] and isinstance(got[1]["fvec"], tb.ndarray)
    np.testing.assert_allclose(xo.fsolve(lambda x: tb.cos(x) - x, 1.0).get(), [0.739085133], 1e-8)
    with pytest.raises(TypeError):
        xo.fsolve(lambda x: tb.ones(3), [1.0, 2.0])


def waves(x, m, depth=2.0):
    return ((x - 0.5) ** 2).sum(axis=0) + depth * m.sin(3 * x).sum(axis=0) ** 2


def test_searches_everywhere():
    bounds = [(-3.0, 3.0), (-2.0, 3.0)]
    for options in ({}, {"vectorized": True, "updating": "deferred"}, {"integrality": [True, False]},
                    {"x0": [0.5, 0.25], "strategy": "rand1bin", "maxiter": 20}):
        moved = {key: tb.array(v) if key in ("x0", "integrality") else v for key, v in options.items()}
        got = xo.differential_evolution(waves, xo.Bounds(tb.array([-3.0, -2.0]), 3.0), (tb, 1.0), rng=3, **moved)
        want = so.differential_evolution(waves, so.Bounds([-3.0, -2.0], 3.0), (np, 1.0), rng=3, **options)
        assert type(got.fun) is float and isinstance(got.x, tb.ndarray) and got.success == want.success
        np.testing.assert_allclose(got.x.get(), want.x, 1e-4, 1e-4)
    got = xo.dual_annealing(waves, bounds, (tb,), maxiter=50, rng=3, x0=tb.zeros(2))
    want = so.dual_annealing(waves, bounds, (np,), maxiter=50, rng=3, x0=np.zeros(2))
    np.testing.assert_allclose(got.fun, want.fun, 1e-6, 1e-9)
    with pytest.raises(ValueError, match="workers"):
        xo.differential_evolution(waves, bounds, (tb,), workers=2)


def test_hops_between_basins():
    def jac(x, m, depth=2.0):
        return 2 * (x - 0.5) + 6 * depth * m.sin(3 * x).sum() * m.cos(3 * x)

    for more in ({}, {"jac": jac}):
        got = xo.basinhopping(waves, tb.array([2.0, -1.0]), 10, rng=3, minimizer_kwargs={"args": (tb, 1.0), **more})
        want = so.basinhopping(waves, np.array([2.0, -1.0]), 10, rng=3, minimizer_kwargs={"args": (np, 1.0), **more})
        np.testing.assert_allclose(got.fun, want.fun, 1e-5, 1e-8)
        assert isinstance(got.x, tb.ndarray) and isinstance(got.lowest_optimization_result.x, tb.ndarray)


def test_seeds_by_their_older_name():
    bounds = [(-3.0, 3.0), (-2.0, 3.0)]
    runs = (lambda m, xp, **s: m.differential_evolution(waves, bounds, (xp,), maxiter=5, polish=False, **s),
            lambda m, xp, **s: m.dual_annealing(waves, bounds, (xp,), maxiter=5, no_local_search=True, **s),
            lambda m, xp, **s: m.basinhopping(waves, xp.zeros(2), 3, minimizer_kwargs={"args": (xp,)}, **s))
    for run in runs:
        near(run(xo, tb, seed=4).x, run(so, np, seed=4).x, 1e-4)
        with pytest.raises(TypeError, match="rng and seed"):
            run(xo, tb, rng=1, seed=1)


def test_roots_of_arrays_are_named():
    got = xo.newton(lambda x: x**3 - 2, tb.array([1.0, 2.0]), full_output=True)
    want = so.newton(lambda x: x**3 - 2, np.array([1.0, 2.0]), full_output=True)
    assert got._fields == want._fields and type(got).__name__ == type(want).__name__
    near(got.root, want.root, 1e-9)
    assert got.converged.all() and not got.zero_der.any()


def test_results_are_shown_an_item_a_line():
    shown = repr(xo.OptimizeResult(x=tb.array([[1, 2], [3, 4]]), success=True))
    assert shown == "        x: array([[1, 2],\n                  [3, 4]])\n  success: True"
    assert repr(xo.OptimizeResult()) == "OptimizeResult()"


def test_derivatives_of_one_value():
    for x in ([1.0, 2.0], 3.0):
        for f in (lambda x: (x * x).sum(), lambda x: (x * x).sum(keepdims=True)):
            near(xo.approx_fprime(tb.array(x), f), so.approx_fprime(np.array(x), f), 1e-6)


@pytest.mark.parametrize("method", ["BFGS", "CG", "L-BFGS-B", "SLSQP"])
def test_gradients_by_complex_steps(method):
    found = xo.minimize(valley, tb.array([-1.2, 1.0]), method=method, jac="cs", options={"maxiter": 200})
    near(found.x, [1, 1], 1e-3)
    if method != "SLSQP":  # which gives the last one but one
        near(found.jac, gradient(found.x).get(), 1e-12)


@pytest.mark.parametrize("method", ["trf", "lm", "dogbox"])
def test_jacobians_by_complex_steps(method):
    t = tb.linspace(0, 3, 20)
    found = xo.least_squares(lambda p: p[0] * tb.exp(p[1] * t) - 2 * tb.exp(-t), [1.0, -0.5], "cs", method=method)
    near(found.x, [2, -1], 1e-6)
    want = np.stack([np.exp(-t.get()), 2 * t.get() * np.exp(-t.get())], axis=1)
    np.testing.assert_allclose(found.jac.get(), want, 1e-6, 1e-8)
