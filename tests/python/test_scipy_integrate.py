"""tombacx.scipy.integrate against SciPy's."""

import concurrent.futures
import ctypes
import ctypes.util
import time
import warnings

import numpy as np
import pytest
import scipy
import scipy.integrate as si
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import SCIPY, layouts, values

import tombacx.scipy.integrate as xi


def close(got, want, tol=1e-10, dtype=None):
    want = np.asarray(want)
    if dtype == "f" and got.dtype == "f":  # SciPy's numbers of a half are of float64
        want = want.astype("f")
    if dtype == "f" and want.dtype == "f":  # and so are ours, but SciPy's of one sample
        got = got.astype("f")
    assert type(got) is tb.ndarray and got.shape == want.shape and got.dtype == want.dtype
    tol = max(tol, 1e-4 if want.dtype.char in "fF" else 0)
    np.testing.assert_allclose(got.get(), want, tol, tol * np.max(np.abs(want), initial=1))


@st.composite
def samples(draw, n=None):
    """(NumPy array, tombac array, axis, places or None, the same of tombac)."""
    dtype = np.dtype(draw(st.sampled_from("b i l f d D".split())))
    shape = tuple(draw(st.lists(st.integers(1, 7), min_size=1, max_size=3)))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    if n is not None:
        shape = tuple(draw(n) if i == axis % len(shape) else s for i, s in enumerate(shape))
    host = values(dtype, shape, draw(st.integers(0, 2**32 - 1)))
    layout = draw(layouts(host.ndim)) if n is None else lambda a: a
    host, device = layout(host), layout(tb.array(host))
    rng, kind = np.random.default_rng(draw(st.integers(0, 99))), draw(st.sampled_from(["none", "vector", "all"]))
    size = host.shape[axis]
    x = None if kind == "none" else np.cumsum(rng.uniform(0.5, 2, size))
    if kind == "all":
        x = np.moveaxis(np.broadcast_to(x, (*np.moveaxis(host, axis, -1).shape[:-1], size)), -1, axis).copy()
    return host, device, axis, x, None if x is None else tb.array(x)


@given(samples(), st.sampled_from([1.0, 0.25]))
def test_samples(sample, dx):
    y, d, axis, x, places = sample
    y = y.astype("d") if y.dtype.kind in "bi" else y
    close(xi.trapezoid(d, places, dx, axis), si.trapezoid(y, x, dx, axis), dtype=d.dtype)
    if y.shape[axis] > 1 or SCIPY < (1, 18):  # whose sum of one sample has an axis of none
        close(xi.simpson(d, places, dx=dx, axis=axis), si.simpson(y, x, dx=dx, axis=axis), dtype=d.dtype)
    for initial in (None, 0):
        want = si.cumulative_trapezoid(y, x, dx, axis, initial)
        close(xi.cumulative_trapezoid(d, places, dx, axis, initial), want, dtype=d.dtype)


@given(samples(n=st.sampled_from([2, 3, 5, 17])), st.sampled_from([1.0, 0.25]))
def test_rombergs_method(sample, dx):
    y, d, axis, _, _ = sample
    y = y.astype("d") if y.dtype.kind in "bi" else y
    close(xi.romb(d, dx, axis), si.romb(y, dx, axis), dtype=d.dtype)


@pytest.mark.parametrize("shape, show", [((9,), True), ((2, 9), True), ((9,), (3, 9)), ((5,), (2,)), ((3,), False)])
def test_rombergs_table(shape, show, capsys):
    y = np.random.default_rng(1).random(shape)
    want, printed = si.romb(y, 0.5, show=show), capsys.readouterr().out
    close(xi.romb(tb.array(y), 0.5, show=show), want)
    assert capsys.readouterr().out == printed


@given(st.integers(1, 9), st.floats(-3, 3), st.floats(-3, 3))
def test_gausss_rule(n, a, b):
    got, nothing = xi.fixed_quad(lambda x, k: x**3 + k * x, a, b, (2,), n)
    close(got, si.fixed_quad(lambda x, k: x**3 + k * x, a, b, (2,), n)[0])
    assert nothing is None


def test_samples_refuse():
    y = tb.arange(4.0)
    for wrong in (lambda: xi.trapezoid(y, tb.arange(3.0)), lambda: xi.simpson(y[:0]), lambda: xi.romb(y),
                  lambda: xi.cumulative_trapezoid(y, initial=1), lambda: xi.trapezoid(y, axis=2),
                  lambda: xi.cumulative_trapezoid(y[:0]), lambda: xi.fixed_quad(tb.sin, 0, np.inf),
                  lambda: xi.fixed_quad(tb.sin, 0, 1, n=0)):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        xi.trapezoid([1.0, 2.0])


# ---- differential equations ------------------------------------------------------------------------------------------


def predators(t, y, m, rate):
    return m.stack([rate * y[0] - y[0] * y[1], y[0] * y[1] - y[1]])


@pytest.mark.parametrize("method", ["RK45", "RK23"])
@pytest.mark.parametrize("span", [(0.0, 8.0), (3.0, -2.0)])
def test_equations(method, span):
    y0 = [1.5, 1.0]
    options = {"method": method, "rtol": 1e-7, "atol": 1e-9}
    got = xi.solve_ivp(predators, span, tb.array(y0), args=(tb, 1.5), **options)
    want = si.solve_ivp(predators, span, y0, args=(np, 1.5), **options)
    assert got.success and got.status == 0 and got.nfev == want.nfev  # the same steps
    close(got.t, want.t, 1e-6)
    close(got.y, want.y, 1e-6)
    times = np.linspace(*span, 23)
    want = si.solve_ivp(predators, span, y0, "DOP853", times, args=(np, 1.5), rtol=1e-11, atol=1e-12).y
    for wanted in (times, tb.array(times), times.tolist()):
        close(xi.solve_ivp(predators, span, tb.array(y0), t_eval=wanted, args=(tb, 1.5), **options).y, want, 1e-5)
    solution = xi.solve_ivp(predators, span, tb.array(y0), dense_output=True, args=(tb, 1.5), **options).sol
    shuffled = np.random.default_rng(0).permutation(23)
    close(solution(tb.array(times[shuffled])), want[:, shuffled], 1e-5)
    close(solution(float(times[4])), want[:, 4], 1e-5)


def test_complex_states():
    got = xi.solve_ivp(lambda t, y: 1j * y, (0, 2), tb.array([1 + 0j, 2j]), rtol=1e-9, atol=1e-10)
    close(got.y[:, -1], np.array([1, 2j]) * np.exp(2j), 1e-7)


def test_of_many_elements_one_number_is_read_a_step():
    y0 = tb.linspace(0, 1, 10000)
    got = xi.solve_ivp(lambda t, y: -y, (0, 1), y0, max_step=0.3, atol=1e-9, first_step=0.1)
    np.testing.assert_allclose(got.y[:, -1].get(), y0.get() * np.exp(-1), 2e-3)
    assert (tb.diff(got.t) <= 0.3 + 1e-12).all() and got.t[1].item() == 0.1


def test_equations_without_an_end():
    got = xi.solve_ivp(lambda t, y: y * y, (0, 2), tb.array([1.0]))
    assert not got.success and got.status == -1 and got.t[-1].item() == pytest.approx(1, abs=1e-2)


def test_no_time_at_all():
    got = xi.solve_ivp(lambda t, y: -y, (1, 1), tb.array([2.0]), t_eval=[1.0])
    assert got.success and got.t.tolist() == [1.0] and got.y.tolist() == [[2.0]]


def test_equations_refuse():
    def solve(span=(0, 1), y0=None, **options):
        return xi.solve_ivp(lambda t, y: -y, span, tb.ones(2) if y0 is None else y0, **options)

    for wrong in (lambda: solve(method="wrong"), lambda: solve(y0=tb.ones((2, 2))), lambda: solve(t_eval=[2.0]),
                  lambda: solve(t_eval=[0.5, 0.25]), lambda: solve(max_step=0), lambda: solve(atol=-1),
                  lambda: solve(first_step=2), lambda: solve(t_eval=[[0.5]])):
        with pytest.raises(ValueError):
            wrong()


# ---- events, and the method of order 8 -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["RK23", "RK45", "DOP853"])
@pytest.mark.parametrize("backwards", [False, True])
def test_methods_step_as_scipys(method, backwards):
    span = (9.0, 0.0) if backwards else (0.0, 9.0)
    times = np.linspace(*span, 31)
    for options in ({}, {"t_eval": times}, {"dense_output": True}, {"max_step": 0.4}, {"first_step": 1e-3}):
        options = {"rtol": 1e-6, "atol": 1e-8, **options}
        got = xi.solve_ivp(predators, span, tb.array([10.0, 5.0]), method, args=(tb, 1.5), **options)
        want = si.solve_ivp(predators, span, np.array([10.0, 5.0]), method, args=(np, 1.5), **options)
        close(got.t, want.t, 1e-6)
        close(got.y, want.y, 1e-6)
        assert got.nfev == want.nfev and got.status == want.status == 0
        if "dense_output" in options:
            close(got.sol(tb.array(times)), want.sol(times), 1e-6)
            assert got.sol.t_max == want.sol.t_max and got.sol.t_min == want.sol.t_min


def swing(t, y, xp):
    return xp.stack([y[1], -y[0]])


def crossing(direction=None, terminal=None, level=0.3, number=float):
    def event(t, y, xp):
        return number(y[0] - level)

    if direction is not None:
        event.direction = direction
    if terminal is not None:
        event.terminal = terminal
    return event


@pytest.mark.parametrize("method", ["RK23", "RK45", "DOP853"])
@pytest.mark.parametrize("direction", [None, 1, -1])
@pytest.mark.parametrize("terminal", [None, False, True, 3])
@pytest.mark.parametrize("end", [20.0, -20.0])
def test_events(method, direction, terminal, end):
    events = [crossing(direction, terminal, number=lambda v: v), crossing(level=-0.5), lambda t, y, xp: t - 4]
    options = {"rtol": 1e-8, "atol": 1e-8, "events": events}
    for more in ({}, {"t_eval": np.linspace(0, end, 50)}, {"dense_output": True}):
        got = xi.solve_ivp(swing, (0, end), tb.array([0.0, 1.0]), method, args=(tb,), **options, **more)
        want = si.solve_ivp(swing, (0, end), np.array([0.0, 1.0]), method, args=(np,), **options, **more)
        assert got.status == want.status and got.success and got.nfev == want.nfev
        close(got.t, want.t, 1e-6)
        close(got.y, want.y, 1e-6)
        for times, states, t, y in zip(got.t_events, got.y_events, want.t_events, want.y_events, strict=True):
            close(times, t, 1e-7)
            close(states, y if y.size else y.reshape(0, 2), 1e-7)
        if more.get("dense_output"):
            close(got.sol(got.t), got.y.get(), 1e-9)


def test_events_are_told_of_or_refused():
    got = xi.solve_ivp(swing, (0, 1), tb.ones(2), args=(tb,), events=crossing(level=9.0))
    assert [t.shape for t in got.t_events] == [(0,)] and [y.shape for y in got.y_events] == [(0, 2)]
    assert xi.solve_ivp(swing, (0, 1), tb.ones(2), args=(tb,)).t_events is None
    for wrong in (0.5, -1):
        with pytest.raises(ValueError, match="terminal"):
            xi.solve_ivp(swing, (0, 1), tb.ones(2), args=(tb,), events=crossing(terminal=wrong))


# ---- more rules ------------------------------------------------------------------------------------------------------


@given(samples(), st.sampled_from([1.0, 0.25, "array"]), st.sampled_from([None, 0, 1.5, "array"]))
def test_cumulative_parabolas(sample, dx, initial):
    y, d, axis, x, places = sample
    y = y.astype("d") if y.dtype.kind in "bi" else y
    along = tuple(1 if i == axis % y.ndim else s for i, s in enumerate(y.shape))
    rng = np.random.default_rng(0)
    first = rng.random(along) if initial == "array" else initial
    spacing = rng.random(along) + 0.5 if dx == "array" else dx
    want = si.cumulative_simpson(y, x=x, dx=spacing, axis=axis, initial=first)
    moved = [tb.array(v) if isinstance(v, np.ndarray) else v for v in (spacing, first)]
    got = xi.cumulative_simpson(d, x=places, dx=moved[0], axis=axis, initial=moved[1])
    assert got.shape == want.shape
    tol = 1e-4 if d.dtype.char == "f" else 1e-9
    np.testing.assert_allclose(got.get(), want, tol, tol * np.max(np.abs(want), initial=1))


def test_cumulative_parabolas_refuse():
    y = tb.arange(4.0)
    for wrong in ({"x": tb.array([0.0, 1.0, 1.0, 2.0])}, {"x": -tb.arange(4.0)}, {"x": tb.arange(3.0)}, {"axis": 1}):
        with pytest.raises(ValueError):
            xi.cumulative_simpson(y, **wrong)
    with pytest.raises(ValueError, match="sample"):
        xi.cumulative_simpson(y[:0])


@pytest.mark.parametrize("rn, equal", [(1, 0), (4, 1), (tb.array([0, 0.5, 2]), 0), ([0, 1, 2], 1)])
def test_newtons_and_cotess_weights(rn, equal):
    got, want = xi.newton_cotes(rn, equal), si.newton_cotes(tb.asnumpy(rn) if isinstance(rn, tb.ndarray) else rn, equal)
    close(got[0], want[0])
    assert got[1] == want[1]


INTEGRANDS = {
    "smooth": (lambda x, xp: xp.exp(-x * xp.arange(1.0, 4)), 0, 2), "backwards": (lambda x, xp: x * xp.ones(2), 2, -1),
    "peaks": (lambda x, xp: 1 / (xp.array([[0.1, 1e-3]]) + x * x), -1, 3),
    "number": (lambda x, xp: np.cos(x), 0, 1), "complex": (lambda x, xp: xp.exp(1j * x * xp.arange(3)), 0, 5),
    "to infinity": (lambda x, xp: xp.exp(-x * xp.arange(1.0, 4)), 0.5, np.inf),
    "from infinity": (lambda x, xp: xp.exp(x * xp.arange(1.0, 4)), -np.inf, 0.5),
    "backwards from infinity": (lambda x, xp: xp.exp(-x * x * xp.arange(1.0, 4)), np.inf, 1),
    "whole": (lambda x, xp: xp.exp(-x * x * xp.arange(1.0, 4)), -np.inf, np.inf),
    "nothing": (lambda x, xp: x * xp.ones(2), 1, 1),
}


@pytest.mark.parametrize("name", INTEGRANDS)
@pytest.mark.parametrize("norm", ["2", "max"])
@pytest.mark.parametrize("rule", [None, "gk15", "gk21", "trapezoid"])
def test_integrals_of_arrays(name, norm, rule):
    f, a, b = INTEGRANDS[name]
    options = {"norm": norm, "quadrature": rule, "epsrel": 1e-4 if rule == "trapezoid" else 1e-9, "epsabs": 1e-13}
    got, error = xi.quad_vec(f, a, b, **options, args=(tb,))
    want, _ = si.quad_vec(f, a, b, **options, args=(np,))
    assert type(error) is float and got.shape == np.shape(want) and got.dtype == np.asarray(want).dtype
    np.testing.assert_allclose(got.get(), want, 1e-3 if rule == "trapezoid" else 1e-9, 1e-12)
    assert np.max(abs(got.get() - si.quad_vec(f, a, b, epsrel=1e-12, args=(np,))[0]), initial=0) <= max(error, 1e-12)


def test_what_is_said_of_integrals():
    def f(x):
        return 1 / tb.sqrt(tb.array([x, 2 * x]))

    got, error, info = xi.quad_vec(f, 0, 1, epsrel=1e-6, points=[0.25], full_output=True)
    assert info.success and info.status == 0 and info.neval > 42
    ends = np.sort(info.intervals.get(), axis=0)
    assert ends[0, 0] == 0 and ends[-1, 1] == 1 and 0.25 in ends[:, 0] and (ends[1:, 0] == ends[:-1, 1]).all()
    close(info.integrals.sum(axis=0), got.get())
    assert info.errors.sum().item() <= error
    few = xi.quad_vec(f, 0, 1, epsrel=1e-12, limit=3, full_output=True)[2]
    assert not few.success and few.status == 1 and few.intervals.shape == (3, 2)
    assert xi.quad_vec(lambda x: tb.full(2, np.nan), 0, 1, full_output=True)[2].status == 3
    assert xi.quad_vec(tb.sin, 0, 1, epsrel=0, epsabs=0, full_output=True)[2].status == 2
    cut = xi.quad_vec(lambda x: tb.exp(-x * x) + 0 * tb.ones(2), -np.inf, np.inf, points=[-1.0, 2.0])[0]
    np.testing.assert_allclose(cut.get(), np.sqrt(np.pi), 1e-9)


def test_integrals_of_arrays_refuse():
    for wrong in ({"norm": "1"}, {"quadrature": "wrong"}, {"a": np.nan}):
        with pytest.raises(ValueError):
            xi.quad_vec(**{"f": tb.sin, "a": 0, "b": 1, **wrong})


# ---- of numbers, by QUADPACK -----------------------------------------------------------------------------------------


def test_integrals_of_numbers():
    for options in ({}, {"epsabs": 1e-12, "limit": 90}, {"points": [0.5, 1.5]}, {"weight": "cos", "wvar": 3.0}):
        got = xi.quad(lambda x, k: tb.exp(-k * x), 0, tb.array(2.0), (3.0,), **options)
        want = si.quad(lambda x, k: np.exp(-k * x), 0, 2.0, (3.0,), **options)
        assert type(got[0]) is type(got[1]) is float
        np.testing.assert_allclose(got, want, 1e-12, 1e-12)
    got = xi.quad(lambda x: tb.exp(1j * tb.asarray(x)), 0, 1, complex_func=True)
    np.testing.assert_allclose(got[0], si.quad(lambda x: np.exp(1j * x), 0, 1, complex_func=True)[0], 1e-12)
    got = xi.quad(lambda x: tb.sin(x), 0, np.inf, weight="sin", wvar=1.0, full_output=1, limlst=5)
    assert len(got) > 2 and isinstance(got[2], dict)
    with pytest.raises(ValueError):
        xi.quad(tb.sin, 0, 1, weight="wrong", wvar=1)


@pytest.mark.parametrize("value", ["1.5", "2", "np.float32(3)", "make(1.5)", "make(2)", "make(True)", "make([2.5])",
                                   "make([1.0, 2.0])", "None", "1j", "make(1j)", "'1'", "[1.0]", "1 / 0"])
def test_what_a_value_is(value):
    def outcome(module, make):
        try:
            return module.quad(lambda x: eval(value, {"np": np, "make": make}), 0, 1)
        except (TypeError, ZeroDivisionError) as e:
            return type(e)

    assert outcome(xi, tb.asarray) == outcome(si, np.asarray)


@pytest.mark.parametrize("ends", [(0, 1), (-np.inf, np.inf), (2, np.inf), (1, 1), (3, 1)])
def test_vectors_that_are_floats(ends):
    def f(x):
        return 1 / (1 + x * x)

    got, error, info = xi.quad_vec(f, *ends, full_output=True)
    want, _, wanted = si.quad_vec(f, *ends, full_output=True)
    assert isinstance(got, tb.ndarray) and got.shape == () and got.dtype == "d" and info.integrals.ndim == 1
    assert got.item() == pytest.approx(want, abs=1e-9) and error < 1e-7
    mixed = xi.quad_vec(lambda x: x if x < 0.5 else tb.asarray(x), 0, 1)[0]
    assert mixed.item() == pytest.approx(0.5)


def test_functions_that_integrate_or_fail():
    def inner(x, n):
        return n if n == 0 else xi.quad(inner, 0, x, (n - 1,))[0] + tb.asarray(x)

    want = si.quad(lambda x: x * x / 2 + x, 0, 2)[0]
    np.testing.assert_allclose(xi.quad(inner, 0, 2, (2,))[0], want)  # three deep, all of them at once
    calls = []

    def fails(x):
        calls.append(x)
        if len(calls) == 30:
            raise KeyError("thirty")
        return abs(x - 0.3) ** 0.1

    for function in (fails, lambda x: xi.quad(fails, 0, 1)[0]):
        calls.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(KeyError, match="thirty"):
                xi.quad(function, 0, 1)
        assert len(calls) == 30
    assert xi.quad(tb.array(0.5).__mul__, 0, 1)[0] == pytest.approx(0.25)  # a method, a ufunc, an object
    assert xi.quad(tb.sin, 0, 1) == pytest.approx(si.quad(np.sin, 0, 1))
    assert xi.quad(type("f", (), {"__call__": lambda self, x: x})(), 0, 1)[0] == pytest.approx(0.5)
    assert xi.quad(lambda x, *more: x + sum(more), 0, 1, (1,) * 20)[0] == pytest.approx(20.5)
    assert xi.quad(lambda x, k: x + k, 0, 1, 2.0)[0] == pytest.approx(2.5)
    with pytest.warns(si.IntegrationWarning):
        assert xi.quad(lambda x: 1 / x, 0, 1, limit=3) == si.quad(lambda x: 1 / x, 0, 1, limit=3)
    with pytest.raises((TypeError, ValueError)):
        xi.quad(3, 0, 1)


def test_integrals_of_threads():
    def value(x):
        time.sleep(1e-5)
        return x

    ends = np.arange(1.0, 9.0)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda b: xi.quad(value, 0, b)[0], ends))
    np.testing.assert_allclose(found, ends**2 / 2)


def test_a_function_of_c():
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    libm.sin.restype, libm.sin.argtypes = ctypes.c_double, (ctypes.c_double,)
    assert xi.quad(scipy.LowLevelCallable(libm.sin), 0, 1) == si.quad(scipy.LowLevelCallable(libm.sin), 0, 1)


def test_integrals_of_several_numbers():
    want = si.dblquad(lambda y, x, k: np.exp(-k * x * y), 0, 1, 0, lambda x: 1 + x, (2.0,))
    got = xi.dblquad(lambda y, x, k: tb.exp(-k * tb.asarray(x) * y), 0, 1, tb.array(0.0), lambda x: 1 + tb.asarray(x),
                     (2.0,))
    np.testing.assert_allclose(got[0], want[0], 1e-9)
    got = xi.tplquad(lambda z, y, x: tb.asarray(x * y * z), 0, 1, 0, lambda x: x, 0, lambda x, y: tb.asarray(x + y))
    np.testing.assert_allclose(got[0], si.tplquad(lambda z, y, x: x * y * z, 0, 1, 0, lambda x: x, 0,
                                                  lambda x, y: x + y)[0], 1e-9)
    got = xi.nquad(lambda x, y, k: tb.asarray(k * x * y), [lambda y, k: (0, tb.asarray(y)), (0, 2)], args=(3.0,),
                   opts={"epsabs": 1e-9}, full_output=True)
    want = si.nquad(lambda x, y, k: k * x * y, [lambda y, k: (0, y), (0, 2)], args=(3.0,), full_output=True)
    np.testing.assert_allclose(got[0], want[0], 1e-9)
    assert got[2] == want[2]


@pytest.mark.parametrize("y", "lfdF")
@pytest.mark.parametrize("x", [None, "l", "f", "d"])
def test_the_dtype_of_trapezoid(y, x):
    samples, places = np.arange(3).astype(y), None if x is None else np.arange(3).astype(x)
    got = xi.trapezoid(tb.array(samples), None if x is None else tb.array(places))
    want = si.trapezoid(samples, places)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want)


@pytest.mark.parametrize("dtype", ["d", "f"])
def test_simpson_of_places_that_come_twice(dtype):
    for x in ([0, 1, 1, 2, 3], [0, 0, 1, 2, 3], [0, 1, 1, 2], [0, 1, 2, 2], [0, 0, 1, 2, 3, 3], [1] * 5, [2] * 4):
        y = (np.arange(2.0 * len(x)).reshape(2, -1) ** 2).astype(dtype)
        got = xi.simpson(tb.array(y), tb.array(x, dtype=dtype))
        np.testing.assert_allclose(got.get(), si.simpson(y, x=np.array(x, dtype)), 1e-6)
        assert got.dtype == y.dtype
    for n in (4, 5):
        got = xi.simpson(tb.ones(n, dtype), dx=0)
        assert got.item() == 0 and got.dtype == dtype
