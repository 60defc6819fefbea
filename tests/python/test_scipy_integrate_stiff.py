"""Stiff differential equations, solvers that go step by step, and SciPy's older interfaces, step for step."""

import numpy as np
import pytest
import scipy.integrate as si
import scipy.sparse as ss

import tombac as tb
import tombacx.scipy.integrate as xi
import tombacx.scipy.sparse as xs

STIFF = ["Radau", "BDF", "LSODA"]
METHODS = ["RK23", "RK45", "DOP853", *STIFF]
N = 6


def close(got, want, tol=1e-9):
    got = got.get() if isinstance(got, tb.ndarray) else got
    assert np.shape(got) == np.shape(want)
    np.testing.assert_allclose(got, want, tol, tol)


def reaction(t, y):
    a, b, c = y
    return [-0.04 * a + 1e4 * b * c, 0.04 * a - 1e4 * b * c - 3e7 * b * b, 3e7 * b * b]


def heat_matrix():
    return (np.diag(np.full(N, -2.0)) + np.diag(np.ones(N - 1), 1) + np.diag(np.ones(N - 1), -1)) * 100


def same(got, want, tol=1e-8):
    assert (got.status, got.nfev, got.njev, got.nlu, got.success) == (
        want.status, want.nfev, want.njev, want.nlu, want.success)
    close(got.t, want.t, tol)
    close(got.y, want.y, tol)


@pytest.mark.parametrize("method", STIFF)
@pytest.mark.parametrize("options", [
    {}, {"t_eval": np.array([0.0, 3.0, 200.0])}, {"dense_output": True}, {"first_step": 1e-4}, {"max_step": 90.0},
    {"rtol": 1e-6, "atol": [1e-8, 1e-12, 1e-8]}, {"t_eval": [], "dense_output": True}], ids=str)
def test_a_stiff_problem(method, options):
    span = (0.0, 200.0)
    want = si.solve_ivp(reaction, span, [1.0, 0, 0], method, **options)
    moved = {key: tb.array(v) if type(v) is np.ndarray else v for key, v in options.items()}
    got = xi.solve_ivp(reaction, span, tb.array([1.0, 0, 0]), method, **moved)
    if np.size(options.get("t_eval", 1)) == 0:
        assert got.t.shape == (0,) and got.y.shape == (3, 0) and want.t == []
    else:
        same(got, want)
    assert isinstance(got.y, tb.ndarray) and (got.sol is None) == (want.sol is None)
    if got.sol is not None:
        times = np.array([100.0, 0.0, 1e-3, 200.0, want.sol.ts[3], 210.0])
        close(got.sol(tb.array(times)), want.sol(times), 1e-8)
        close(got.sol(7.0), want.sol(7.0), 1e-8)
        assert got.sol.n_segments == want.sol.n_segments and (got.sol.t_min, got.sol.t_max) == span


def jacobians(method):
    a = heat_matrix()
    sparse = xs.csr_matrix(tb.array(a))
    cases = {
        "function": ({"jac": lambda t, y: a}, {"jac": lambda t, y: tb.array(a)}),
        "vectorized": ({"vectorized": True}, {"vectorized": True}),
    }
    if method == "LSODA":
        cases["bands"] = ({"lband": 1, "uband": 1},) * 2
    else:
        cases |= {
            "array": ({"jac": a}, {"jac": tb.array(a)}), "sparse": ({"jac": ss.csc_matrix(a)}, {"jac": sparse}),
            "sparse function": ({"jac": lambda t, y: ss.csr_matrix(a)}, {"jac": lambda t, y: sparse}),
            "sparsity": ({"jac_sparsity": ss.csr_matrix(a)}, {"jac_sparsity": sparse}),
            "dense sparsity": ({"jac_sparsity": a}, {"jac_sparsity": tb.array(a)}),
        }
    return cases


@pytest.mark.parametrize("method, name", [(m, name) for m in STIFF for name in jacobians(m)])
@pytest.mark.parametrize("span", [(0.0, 0.5), (0.5, 0.3)])
def test_jacobians(method, name, span):
    a, y0 = heat_matrix(), np.linspace(-1, 1, N)
    b, (theirs, ours) = tb.array(a), jacobians(method)[name]
    want = si.solve_ivp(lambda t, y: a @ y, span, y0, method, **theirs)
    got = xi.solve_ivp(lambda t, y: b @ y, span, tb.array(y0), method, **ours)
    same(got, want, 1e-7)


def test_jacobians_have_the_functions_arguments():
    want = si.solve_ivp(lambda t, y, k: -k * y, (0, 1), [1.0], "BDF", args=(3.0,), jac=lambda t, y, k: [[-k]])
    got = xi.solve_ivp(lambda t, y, k: -k * y, (0, 1), [1.0], "BDF", args=(3.0,), jac=lambda t, y, k: tb.array([[-k]]))
    same(got, want)
    with pytest.raises(TypeError, match="args"):
        xi.solve_ivp(lambda t, y, k: -k * y, (0, 1), [1.0], args=3.0)


def test_complex_states():
    got = xi.solve_ivp(lambda t, y: 1j * y, (0, 2), tb.array([1 + 0j, 2j]), "BDF")
    same(got, si.solve_ivp(lambda t, y: 1j * y, (0, 2), [1 + 0j, 2j], "BDF"))
    for method in ("Radau", "LSODA"):
        with pytest.raises(ValueError, match="complex"):
            xi.solve_ivp(lambda t, y: 1j * y, (0, 2), tb.array([1 + 0j]), method)


@pytest.mark.parametrize("method", METHODS)
def test_events_and_vectorized(method):
    def falls(t, y):
        return y[0] - 0.3

    def slow(t, y):
        return t - 0.2

    falls.terminal = True
    options = {"events": [slow, falls], "vectorized": True, "rtol": 1e-7, "atol": 1e-9}
    a = np.array([[-1.0, 0.2], [0, -50]])
    want = si.solve_ivp(lambda t, y: a @ y, (0, 5), [1.0, 1.0], method, **options)
    got = xi.solve_ivp(lambda t, y: tb.array(a) @ y, (0, 5), [1.0, 1.0], method, **options)
    same(got, want, 1e-7)
    for ours, theirs in zip(got.t_events + got.y_events, want.t_events + want.y_events, strict=True):
        close(ours, theirs, 1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_no_time_and_no_state(method):
    for span, y0 in (((1.0, 1.0), [2.0]), ((0.0, 1.0), [])):
        for dense in (False, True):
            want = si.solve_ivp(lambda t, y: -y, span, y0, method, dense_output=dense)
            got = xi.solve_ivp(lambda t, y: -y, span, y0, method, dense_output=dense)
            same(got, want)
            if dense:
                close(got.sol([1.0, 1.0]), want.sol([1.0, 1.0]))


def test_a_problem_without_an_end():
    for method in METHODS[:-1]:  # SciPy's LSODA goes on for ever
        got = xi.solve_ivp(lambda t, y: y * y, (0, 2), tb.array([1.0]), method)
        assert not got.success and got.status == -1 and got.t[-1].item() == pytest.approx(1, abs=1e-2)


@pytest.mark.parametrize("method", METHODS)
def test_solvers_go_step_by_step(method):
    span = 0.0, 3.0
    ours = getattr(xi, method)(lambda t, y: -y * y, 0.0, tb.array([1.0, 2.0]), 3.0)
    theirs = getattr(si, method)(lambda t, y: -y * y, 0.0, np.array([1.0, 2.0]), 3.0)
    assert isinstance(ours, xi.OdeSolver) and ours.step_size is None and ours.n == 2
    with pytest.raises(RuntimeError):
        ours.dense_output()
    while theirs.status == "running":
        assert ours.step() is theirs.step() is None
        assert (ours.status, ours.direction, ours.nfev) == (theirs.status, theirs.direction, theirs.nfev)
        close(ours.t, theirs.t, 1e-10)
        close(ours.y, theirs.y, 1e-10)
        close(ours.step_size, theirs.step_size, 1e-10)
        within, known = ours.dense_output(), theirs.dense_output()
        assert isinstance(within, xi.DenseOutput) and within.t_min == pytest.approx(known.t_min)
        times = np.linspace(known.t_min, known.t_max, 4)
        close(within(tb.array(times)), known(times), 1e-10)
        close(within(times[1]), known(times[1]), 1e-10)
    assert ours.t == span[1]
    with pytest.raises(RuntimeError):
        ours.step()
    close(ours.fun_vectorized(0.0, tb.ones((2, 3))), -np.ones((2, 3)))


class Euler(xi.OdeSolver):
    """A method of a program's own."""

    def __init__(self, fun, t0, y0, t_bound, vectorized, length=0.5, **rest):
        super().__init__(fun, t0, y0, t_bound, vectorized)
        self.length = length

    def _step_impl(self):
        h = min(self.length, self.t_bound - self.t)
        self.before, self.y, self.t = self.y, self.y + h * self.fun(self.t, self.y), self.t + h
        return True, None

    def _dense_output_impl(self):
        return Line(self.t_old, self.t, self.before, self.y)


class Line(xi.DenseOutput):
    def __init__(self, t_old, t, first, last):
        super().__init__(t_old, t)
        self.first, self.last = first, last

    def _call_impl(self, t):
        x = tb.array((t - self.t_old) / (self.t - self.t_old))
        return tb.multiply.outer(self.first, 1 - x) + tb.multiply.outer(self.last, x)


def test_methods_of_a_programs_own():
    got = xi.solve_ivp(lambda t, y: -y, (0, 2), tb.array([1.0, 2.0]), Euler, t_eval=[0.0, 0.75, 2.0], length=0.5)
    close(got.t, [0.0, 0.75, 2.0])
    close(got.y, np.outer([1.0, 2.0], [1.0, 0.375, 0.0625]))
    assert got.nfev == 4


def test_solutions_of_pieces():
    class Number(xi.DenseOutput):
        def __init__(self, t_old, t, value):
            super().__init__(t_old, t)
            self.value = value

        def _call_impl(self, t):
            return tb.full((1, *t.shape), self.value)

    times = np.array([0.5, 1.0, -1, 9, 2.0, 3.0])
    for ts in ([0.0, 1.0, 2.0, 3.0], [3.0, 2.0, 1.0, 0.0]):
        for after in (False, True):
            pieces = [Number(a, b, i) for i, (a, b) in enumerate(zip(ts[:-1], ts[1:], strict=True))]
            got = xi.OdeSolution(tb.array(ts), pieces, alt_segment=after)
            want = si.OdeSolution(ts, [lambda t, i=i: np.full((1, *np.shape(t)), float(i)) for i in range(3)], after)
            # SciPy's asks its pieces for nothing else but values
            for d in want.interpolants:
                assert callable(d)
            close(got(times), want(times))
            close(got(1.0), want(1.0))
            assert got(np.array([])).shape == (1, 0)
    for wrong in ([0.0, 1.0], [0.0, 2.0, 1.0, 3.0], [[0.0, 1.0]]):
        with pytest.raises(ValueError):
            xi.OdeSolution(wrong, pieces)


def test_options_that_are_not_known_are_told_of():
    for method in METHODS:
        with pytest.warns(UserWarning, match="foo"):
            xi.solve_ivp(lambda t, y: -y, (0, 1), [1.0], method, foo=1)
    with pytest.warns(UserWarning, match="rtol"):
        xi.solve_ivp(lambda t, y: -y, (0, 1e-6), [1.0], rtol=1e-20)


@pytest.mark.parametrize("method", METHODS)
def test_solvers_refuse(method):
    for wrong in ({"y0": [np.nan]}, {"y0": [[1.0]]}, {"max_step": 0}, {"first_step": -1}, {"first_step": 5},
                  {"atol": -1.0}, {"atol": [1.0, 1.0]}):
        with pytest.raises(ValueError):
            xi.solve_ivp(**{"fun": lambda t, y: -y, "t_span": (0, 1), "y0": [1.0], "method": method, **wrong})


# ---- the older interfaces --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"rtol": 1e-10, "atol": [1e-10, 1e-11]}, {"full_output": 1}, {"tfirst": True},
                                     {"Dfun": True}, {"Dfun": True, "col_deriv": 1}, {"tcrit": [0.7]}], ids=str)
def test_odeint(options):
    matrix = np.array([[0.0, 1.0], [-4.0, -0.5]])
    times = np.linspace(0, 3, 7)

    def solved(m, array, module):
        a = array(matrix)
        f = (lambda t, y, k: k * (a @ y)) if options.get("tfirst") else lambda y, t, k: k * (a @ y)
        more = dict(options)
        if "Dfun" in more:
            more["Dfun"] = lambda y, t, k: k * (a.T if more.get("col_deriv") else a)
        return module.odeint(f, array([1.0, 0.0]), array(times), (2.0,), **more)

    got, want = solved(tb, tb.array, xi), solved(np, np.array, si)
    if "full_output" in options:
        (got, known), (want, theirs) = got, want
        assert known.keys() == theirs.keys() and known["message"] == theirs["message"]
        assert isinstance(known["nfe"], tb.ndarray) and known["nfe"].tolist() == theirs["nfe"].tolist()
    assert isinstance(got, tb.ndarray)
    close(got, want, 1e-10)
    with pytest.raises(ValueError):
        xi.odeint(lambda y, t: -y, [1.0], [0.0, 2.0, 1.0])


@pytest.mark.parametrize("name", ["vode", "lsoda", "dopri5", "dop853", "zvode"])
@pytest.mark.parametrize("with_jac", [False, True])
def test_ode(name, with_jac):
    matrix = np.array([[0.0, 1.0], [-4.0, -0.5]]) * (1j if name == "zvode" else 1)

    def solved(array, module):
        a = array(matrix)
        s = module.ode(lambda t, y, k: k * (a @ y), (lambda t, y, k: k * a) if with_jac else None)
        assert s.set_integrator(name, rtol=1e-8, atol=1e-10 if name.startswith("dop") else array([1e-10, 1e-10])) is s
        assert s.set_f_params(0.5) is s and s.set_jac_params(0.5) is s
        s.set_initial_value(array([1.0, 0.5]), 0.25)
        return s, [s.integrate(t) + 0 for t in (0.5, 1.0, 2.0)]  # SciPy's 'lsoda' writes to what it gave

    (ours, got), (theirs, want) = solved(tb.array, xi), solved(np.array, si)
    for a, b in zip(got, want, strict=True):
        assert isinstance(a, tb.ndarray) and a.dtype == b.dtype
        close(a, b, 1e-12)
    assert ours.successful() and ours.get_return_code() == theirs.get_return_code() and ours.t == theirs.t == 2.0
    close(ours.y, theirs.y, 1e-12)


def test_ode_of_complex_states_and_of_steps_that_are_told():
    ours, theirs = (m.complex_ode(lambda t, y: 1j * y).set_integrator("vode") for m in (xi, si))
    y0 = np.array([1.0, 2j])
    ours.set_initial_value(tb.array(y0), 0.5)
    theirs.set_initial_value(y0, 0.5)
    close(ours.integrate(1.0), theirs.integrate(1.0), 1e-12)
    close(ours.y, theirs.y, 1e-12)
    ours, theirs = (m.complex_ode(lambda t, y, k: 1j * k * y).set_integrator("vode") for m in (xi, si))
    for k in 0.5, 2:
        got = ours.set_f_params(k).set_initial_value(tb.array(y0)).integrate(1.0)
        close(got, theirs.set_f_params(k).set_initial_value(y0).integrate(1.0), 1e-12)
    seen = []
    s = xi.ode(lambda t, y: -y).set_integrator("dopri5")
    s.set_solout(lambda t, y: seen.append((t, y.sum().item())) or (-1 if t > 0.5 else 0))
    s.set_initial_value(tb.array([1.0, 2.0])).integrate(4.0)
    assert len(seen) > 2 and 0.5 < s.t < 4 and seen[0] == (0.0, 3.0)
    with pytest.raises(ValueError):
        xi.ode(lambda t, y: -y).set_integrator("vode").set_solout(print)


@pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA"])
def test_methods_may_be_derived_from(method):
    class Counted(getattr(xi, method)):
        steps = 0

        def _step_impl(self):
            Counted.steps += 1
            return super()._step_impl()

    found = xi.solve_ivp(lambda t, y: -y, (0, 1), tb.ones(2), method=Counted)
    assert found.success and Counted.steps == found.t.size - 1
