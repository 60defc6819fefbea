"""tombacx.scipy.integrate against SciPy's."""

import numpy as np
import pytest
import scipy.integrate as si
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import layouts, values

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
    if n:
        shape = tuple(draw(n) if i == axis % len(shape) else s for i, s in enumerate(shape))
    host = values(dtype, shape, draw(st.integers(0, 2**32 - 1)))
    layout = draw(layouts(host.ndim)) if not n else lambda a: a
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
    close(xi.simpson(d, places, dx=dx, axis=axis), si.simpson(y, x, dx=dx, axis=axis), dtype=d.dtype)
    for initial in (None, 0):
        want = si.cumulative_trapezoid(y, x, dx, axis, initial)
        close(xi.cumulative_trapezoid(d, places, dx, axis, initial), want, dtype=d.dtype)


@given(samples(n=st.sampled_from([2, 3, 5, 17])), st.sampled_from([1.0, 0.25]))
def test_rombergs_method(sample, dx):
    y, d, axis, _, _ = sample
    y = y.astype("d") if y.dtype.kind in "bi" else y
    close(xi.romb(d, dx, axis), si.romb(y, dx, axis), dtype=d.dtype)


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
                  lambda: solve(t_eval=[0.5, 0.25]), lambda: solve(max_step=0), lambda: solve(rtol=-1),
                  lambda: solve(first_step=2), lambda: solve(t_eval=[[0.5]])):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(NotImplementedError):
        solve(events=lambda t, y: y[0])
