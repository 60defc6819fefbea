"""tombacx.scipy.sparse.linalg against SciPy's: iterative solvers, what they say of how it went, and bad input."""

import functools
import gc
import math
import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg as sl
from hypothesis import given
from hypothesis import strategies as st
from strategies import SCIPY

import tombac as tb
import tombacx.scipy.sparse as xs
import tombacx.scipy.sparse.linalg as xl
from tombacx.scipy.sparse.linalg import _krylov, _minres, _system

SQUARE = ["cg", "cgs", "bicg", "bicgstab", "tfqmr", "gmres"]
seeds = st.integers(0, 2**32 - 1)


def random(rng, shape, dtype):
    a = rng.standard_normal(shape)
    return (a + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else a).astype(dtype)


def regular(rng, n, dtype, definite):
    a = random(rng, (n, n), dtype)
    return (a @ a.conj().T + n * np.eye(n) if definite else a + 4 * math.sqrt(n) * np.eye(n)).astype(dtype)


# As what a matrix may be given.
FORMS = {
    "dense": tb.array, "csr": lambda h: xs.csr_matrix(scipy.sparse.csr_matrix(h)),
    "csc": lambda h: xs.csc_matrix(scipy.sparse.csc_matrix(h)), "operator": lambda h: xl.aslinearoperator(tb.array(h)),
    "functions": lambda h: xl.LinearOperator(h.shape, tb.array(h).dot, tb.array(h.conj().T).dot, dtype=h.dtype),
}
forms = st.sampled_from(sorted(FORMS))


@pytest.fixture(params=[True, False], ids=["each step", "steps ahead"])
def looks(request, monkeypatch):
    """Whether the host looks after each step, or after some as on a GPU."""
    if not request.param:
        monkeypatch.setattr(_system._core, "backend", lambda: "cuda")
    return request.param


def numbers_stay(patch):
    """Numbers are arrays without dimensions, as on a GPU."""
    for module in (_krylov, _minres):
        patch.setattr(module, "arithmetic", lambda: _system._OnDevice)


def both_looks(test):
    """Runs a test both ways, within one example."""
    @functools.wraps(test)
    def run(*args, **kwargs):
        test(*args, **kwargs)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_system.Looks, "__init__", lambda self, callback=None: setattr(self, "every", False))
            numbers_stay(patch)
            test(*args, **kwargs)
    return run


# ---- systems ---------------------------------------------------------------------------------------------------------


@given(seeds, st.sampled_from(SQUARE), st.sampled_from("fdFD"), st.integers(1, 12), forms, st.booleans(), st.booleans(),
       st.booleans())
@both_looks
def test_systems(seed, name, dtype, n, form, preconditioned, begun, column):
    rng = np.random.default_rng(seed)
    a, b = regular(rng, n, dtype, name == "cg"), random(rng, n, dtype)
    m = np.diag(1 / np.diag(a)) if preconditioned else None
    x0 = random(rng, n, dtype) if begun else None
    rtol = 1e-5 if dtype in "fF" else 1e-10
    db = tb.array(b[:, None] if column else b)
    dx0 = None if x0 is None else tb.array(x0)
    want, code = getattr(sl, name)(a, b, x0, M=m, rtol=rtol)
    if name == "tfqmr":  # SciPy's stops by the norm of a preconditioned residual
        want = np.linalg.solve(a, b)
    got, info = getattr(xl, name)(FORMS[form](a), db, dx0, M=None if m is None else FORMS[form](m), rtol=rtol)
    assert info == 0 == code
    assert got.dtype == want.dtype and got.shape == (n,)
    scale = np.linalg.norm(b) / np.linalg.svd(a)[1].min()
    np.testing.assert_allclose(got.get(), want, rtol=0, atol=8 * rtol * scale)
    assert np.linalg.norm(b - a @ got.get()) <= 2 * rtol * np.linalg.norm(b)
    if begun:
        np.testing.assert_array_equal(dx0.get(), x0)


@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_steps_that_do_not_suffice(name, steps, looks):
    """x is what SciPy has after so many steps, which is what the second number says."""
    a, b = np.diag(np.arange(1.0, 9)) + np.eye(8, k=1) * (name != "cg") * 0.1, np.ones(8)
    options = {"restart": 2} if name == "gmres" else {}
    got, info = getattr(xl, name)(tb.array(a), tb.array(b), maxiter=steps, **options)
    if name == "gmres" and steps == 0:  # where SciPy fails
        want, code = np.zeros(8), 0
    else:
        want, code = getattr(sl, name)(a, b, maxiter=steps, **options)
    assert info == code == steps
    np.testing.assert_allclose(got.get(), want, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", ["cg", "cgs", "bicg"])
def test_last_step_may_converge(name):
    """Which SciPy does not look for any more."""
    a, b = np.diag([1.0, 2, 4]), np.ones(3)
    x, info = getattr(xl, name)(tb.array(a), tb.array(b), maxiter=3)
    assert info == 0
    np.testing.assert_allclose(x.get(), [1, 0.5, 0.25])
    assert getattr(sl, name)(a, b, maxiter=3)[1] == 3


@pytest.mark.parametrize("name", ["cgs", "bicg", "bicgstab"])
@pytest.mark.parametrize("case", ["zero", "exchange", "indefinite", "skew"])
def test_breakdown(name, case, looks):
    a = {"zero": np.zeros((2, 2)), "exchange": np.eye(2)[::-1], "indefinite": np.diag([1.0, -1]),
         "skew": np.array([[0, 1.0], [-1, 0]])}[case]
    b = np.ones(2) if case in ("zero", "indefinite") else np.array([1.0, 0])
    want, code = getattr(sl, name)(a, b)
    got, info = getattr(xl, name)(tb.array(a), tb.array(b))
    assert info == code < 0
    np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("name", [*SQUARE, "minres"])
@pytest.mark.parametrize("where", ["A", "b"])
def test_nan(name, where, looks):
    a, b = np.eye(3), np.ones(3)
    (a if where == "A" else b)[0] = np.nan
    with np.errstate(all="ignore"):
        code = getattr(sl, name)(a, b)[1]
    x, info = getattr(xl, name)(tb.array(a), tb.array(b))
    assert info == code > 0
    assert np.isnan(x.get()).any()


@pytest.mark.parametrize("name", [*SQUARE, "minres"])
def test_nothing_to_do(name):
    f = getattr(xl, name)
    for dtype in "fdFD":
        x, info = f(tb.empty((0, 0), dtype), tb.empty(0, dtype))
        assert x.shape == (0,) and info == 0
        x, info = f(tb.eye(3, dtype=dtype), tb.zeros(3, dtype), x0=tb.ones(3, dtype))
        assert x.tolist() == [0, 0, 0] and info == 0
        x, info = f(2 * tb.eye(3, dtype=dtype), tb.ones(3, dtype), x0=tb.full(3, 0.5, dtype))
        assert x.tolist() == [0.5, 0.5, 0.5] and info == 0


@pytest.mark.parametrize("name", SQUARE)
def test_dtypes(name):
    """SciPy's, for those that it takes; float16 is worked on as float32."""
    for first, second in [("i", "l"), ("f", "d"), ("d", "F"), ("?", "f"), ("b", "f")]:
        a, b = np.eye(2).astype(first), np.ones(2, second)
        want = getattr(sl, name)(a, b)[0]
        got = getattr(xl, name)(tb.array(a), tb.array(b))[0]
        assert got.dtype == want.dtype
    assert getattr(xl, name)(tb.eye(2, dtype="e"), tb.ones(2, "e"))[0].dtype == np.float32


@pytest.mark.parametrize("name", [*SQUARE, "minres"])
def test_callbacks(name):
    a, b = np.diag(np.arange(1.0, 7)), np.ones(6)
    options = {"callback_type": "x", "restart": 3} if name == "gmres" else {}
    theirs, ours = [], []
    getattr(sl, name)(a, b, callback=lambda x: theirs.append(x.copy()), **options)
    getattr(xl, name)(tb.array(a), tb.array(b), callback=ours.append, **options)
    assert len(ours) >= len(theirs) - 1 and len(ours) > 1
    for got, want in zip(ours, theirs, strict=False):
        np.testing.assert_allclose(got.get(), want, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", ["pr_norm", "legacy"])
def test_gmres_tells_norms(kind):
    a, b = np.diag(np.arange(1.0, 7)) + np.eye(6, k=1), np.ones(6)
    theirs, ours = [], []
    want, code = sl.gmres(a, b, callback=theirs.append, callback_type=kind, restart=3, maxiter=4)
    got, info = xl.gmres(tb.array(a), tb.array(b), callback=ours.append, callback_type=kind, restart=3, maxiter=4)
    assert info == code
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    assert all(type(norm) is float for norm in ours)
    np.testing.assert_allclose(got.get(), want, rtol=1e-9)


def test_gmres_says_which_callback():
    with pytest.warns(DeprecationWarning, match="callback_type"):
        xl.gmres(tb.eye(2), tb.ones(2), callback=lambda norm: None)
    with pytest.raises(ValueError, match="'x', 'pr_norm' or 'legacy'"):
        xl.gmres(tb.eye(2), tb.ones(2), callback_type="?")


def test_gmres_of_singular_systems(looks):
    """The least residual that a step finds; and it ends."""
    x, info = xl.gmres(tb.zeros((3, 3)), tb.ones(3))
    assert x.tolist() == [0, 0, 0] and info == 30
    x, info = xl.gmres(tb.diag(tb.array([1.0, 0])), tb.array([2.0, 0]))
    assert x.tolist() == [2, 0] and info == 0


def test_first_guess_by_the_preconditioner():
    a = np.diag([1.0, 2, 4])
    x, info = xl.cg(tb.array(a), tb.ones(3), x0="Mb", M=tb.array(np.linalg.inv(a)))
    assert info == 0 and x.tolist() == [1, 0.5, 0.25]


def test_preconditioner_of_the_matrix_itself():
    """SciPy's protocol: an object's psolve."""
    class Scaled:
        shape, dtype = (2, 2), np.dtype("d")

        def matvec(self, x):
            return x * tb.array([1.0, 1e6])

    operator = Scaled()
    assert xl.cg(operator, tb.ones(2))[1] == 0


@pytest.mark.parametrize("name", [*SQUARE, "minres", "lsqr", "lsmr", "eigsh", "svds", "lobpcg"])
def test_operator_that_raises(name):
    """What it raises arrives, at the first product or a later one."""
    for last in (0, 3):
        calls = []

        def fail(x, last=last, calls=calls):
            calls.append(1)
            if len(calls) > last:
                raise ZeroDivisionError("mine")
            return x * tb.arange(1.0, 21).reshape(20, *[1] * (x.ndim - 1))

        operator = xl.LinearOperator((20, 20), fail, fail, matmat=fail, rmatmat=fail, dtype="d")
        b = tb.eye(20, 2) + 0.1 * tb.tri(20, 2, -3) if name == "lobpcg" else tb.ones(20)
        with pytest.raises(ZeroDivisionError, match="mine"):
            if name in ("eigsh", "svds"):
                getattr(xl, name)(operator, 2)
            else:
                getattr(xl, name)(operator, b)
        assert len(calls) == last + 1


@pytest.mark.parametrize("name", [*SQUARE, "minres"])
def test_bad_systems(name):
    f = getattr(xl, name)
    a, b = tb.eye(4), tb.ones(4)
    for bad in (tb.ones(4), tb.ones((4, 5))):
        with pytest.raises(ValueError, match=f"{name}: a square matrix"):
            f(bad, b)
    with pytest.raises(ValueError, match="ndim <= 2"):
        f(tb.ones((4, 4, 1)), b)
    for bad in (tb.ones(5), tb.ones((4, 2)), tb.ones((1, 4)), tb.ones(())):
        with pytest.raises(ValueError, match=r"A \(4, 4\) and b"):
            f(a, bad)
    with pytest.raises(ValueError, match=r"A \(4, 4\) and x0 \(5,\)"):
        f(a, b, x0=tb.ones(5))
    with pytest.raises(ValueError, match="preconditioner"):
        f(a, b, M=tb.eye(5))
    for wrong in ((a.get(), b), (a, b.get()), ("a", b), (a, [1.0] * 4), (None, b)):
        with pytest.raises(TypeError):
            f(*wrong)
    with pytest.raises(TypeError):
        f(a, b, x0=b.get())


def test_iterations_do_not_wait():
    """A step of cg is its sums and products, and few kernels more: on a GPU six, and two for x every eighth time.
    Numbers without dimensions are computed at once where the device is the host."""
    n = 1 << 14
    d = tb.linspace(1, 1000, n)
    operator = xl.LinearOperator((n, n), lambda x: d * x, dtype="d")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_system.Looks, "__init__", lambda self, callback=None: setattr(self, "every", False))
        xl.cg(operator, tb.ones(n), maxiter=40)
        before = tb.config.counters()
        xl.cg(operator, tb.ones(n), maxiter=40)
        after = tb.config.counters()
    assert (after["launches"] - before["launches"]) / 40 <= (14 if tb.config.backend() == "cpu" else 7)


# ---- Hermitian systems and least squares -----------------------------------------------------------------------------


@given(seeds, st.sampled_from("fdFD"), st.integers(1, 10), forms, st.booleans(), st.booleans(),
       st.sampled_from([0, 0.5]))
@both_looks
def test_minres(seed, dtype, n, form, preconditioned, begun, shift):
    rng = np.random.default_rng(seed)
    q = np.linalg.qr(random(rng, (n, n), dtype))[0]
    values = rng.uniform(1, 3, n) * rng.choice([-1, 1], n)
    a = ((q * values) @ q.conj().T).astype(dtype)
    a = (a + a.conj().T) / 2
    b = random(rng, n, dtype)
    m = np.diag(rng.uniform(0.5, 1.5, n)).astype(dtype) if preconditioned else None
    x0 = random(rng, n, dtype) if begun else None
    x, info = xl.minres(FORMS[form](a), tb.array(b), None if x0 is None else tb.array(x0), shift=shift, rtol=1e-6,
                        M=None if m is None else FORMS[form](m), maxiter=20 * n)
    assert info == 0
    assert x.dtype == np.result_type(dtype, "d")
    want = np.linalg.solve(a - shift * np.eye(n), b)
    np.testing.assert_allclose(x.get(), want, atol=1e-3 * max(1, np.abs(want).max()))


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_minres_steps(steps):
    a, b = np.diag([1.0, -2, 3, -4, 5]), np.ones(5)
    want, code = sl.minres(a, b, maxiter=steps, shift=0.25)
    got, info = xl.minres(tb.array(a), tb.array(b), maxiter=steps, shift=0.25)
    assert info == code == steps
    np.testing.assert_allclose(got.get(), want, rtol=1e-12, atol=1e-15)


def test_minres_finds_what_is_not_hermitian(capsys):
    with pytest.raises(ValueError, match="non-symmetric matrix"):
        xl.minres(tb.array([[1.0, 2], [0, 1]]), tb.array([1.0, 2]), check=True)
    with pytest.raises(ValueError, match="non-symmetric preconditioner"):
        xl.minres(tb.eye(2), tb.array([1.0, 2]), M=tb.array([[1.0, 2], [0, 1]]), check=True)
    with pytest.raises(ValueError, match="indefinite preconditioner"):
        xl.minres(tb.eye(2), tb.ones(2), M=-tb.eye(2))
    xl.minres(tb.eye(2), tb.ones(2), check=True, show=True, tol=1e-3)
    assert "stopped" in capsys.readouterr().out


@given(seeds, st.sampled_from(["lsqr", "lsmr"]), st.sampled_from("dD"), st.integers(1, 12), st.integers(1, 5), forms,
       st.booleans(), st.sampled_from([0, 1.5]))
@both_looks
def test_least_squares(seed, name, dtype, m, n, form, begun, damp):
    """Solutions, the reason to stop, the number of steps, and estimates."""
    rng = np.random.default_rng(seed)
    a = random(rng, (m, n), dtype) + 3 * np.eye(m, n)
    b = random(rng, m, dtype)
    x0 = random(rng, n, dtype) if begun else None
    want = getattr(sl, name)(a, b, damp=damp, x0=x0, atol=1e-9, btol=1e-9)
    got = getattr(xl, name)(FORMS[form](a), tb.array(b), damp=damp, x0=None if x0 is None else tb.array(x0), atol=1e-9,
                            btol=1e-9)
    assert len(got) == len(want)
    assert got[0].dtype == want[0].dtype
    np.testing.assert_allclose(got[0].get(), want[0], atol=1e-6 * max(1, np.abs(want[0]).max()), rtol=1e-6)
    exact = np.linalg.norm(b - a @ got[0].get())
    assert abs(got[2] - want[2]) <= 1
    np.testing.assert_allclose(got[3], exact if name == "lsqr" or damp == 0 else want[3], atol=1e-6)
    assert all(type(x) in (int, float) for x in got[1:8])


@pytest.mark.parametrize("name", ["lsqr", "lsmr"])
@pytest.mark.parametrize("case", ["b = 0", "A = 0", "no steps", "few steps", "empty", "float32", "column", "ill"])
def test_least_squares_ends(name, case, looks, capsys):
    a, b, limit = np.diag(np.arange(1.0, 6)), np.ones(5), {}
    if case == "b = 0":
        b[:] = 0
    elif case == "A = 0":
        a[:] = 0
    elif case in ("no steps", "few steps"):
        limit = {"iter_lim" if name == "lsqr" else "maxiter": 0 if case == "no steps" else 3}
    elif case == "empty":
        a, b = a[:0, :0], b[:0]
    elif case == "float32":
        a, b = a.astype("f"), b.astype("f")
    elif case == "column":
        b = b[:, None]
    else:
        a = np.diag([1.0, 1e-3, 1e-9, 1, 2])
    want = getattr(sl, name)(a, b, **limit)
    got = getattr(xl, name)(tb.array(a), tb.array(b), show=True, **limit)
    assert "stopped" in capsys.readouterr().out
    assert got[1:3] == want[1:3]
    assert got[0].dtype == want[0].dtype
    np.testing.assert_allclose(got[0].get(), want[0], rtol=1e-5)
    np.testing.assert_allclose(got[3:8], np.array(want[3:8], float), rtol=1e-4, atol=1e-5)


def test_lsqr_variances():
    a, b = np.array([[1.0, 2], [3, 4], [5, 7]]), np.array([1.0, 1, 2])
    np.testing.assert_allclose(xl.lsqr(tb.array(a), tb.array(b), calc_var=True)[9].get(),
                               sl.lsqr(a, b, calc_var=True)[9])
    assert xl.lsqr(tb.array(a), tb.array(b))[9].tolist() == [0, 0]


@pytest.mark.parametrize("name", ["lsqr", "lsmr"])
@pytest.mark.parametrize("a", [np.zeros((3, 2)), np.ones((3, 2))])
def test_least_squares_of_nothing(name, a):
    for damp in (0, 10):
        want = getattr(sl, name)(a, np.zeros(3), x0=np.array([1.0, -1]), damp=damp)
        got = getattr(xl, name)(tb.array(a), tb.zeros(3), x0=tb.array([1.0, -1]), damp=damp)
        np.testing.assert_array_equal(got[0].get(), want[0])
        assert got[1:3] == want[1:3]


def test_lsmr_takes_both_orders():
    """CuPy has x0 where SciPy has damp."""
    a, b = tb.array([[1.0, 2], [3, 4], [5, 7]]), tb.array([1.0, 1, 2])
    assert xl.lsmr(a, b, 2.0)[0].tolist() == xl.lsmr(a, b, None, 2.0)[0].tolist() == xl.lsmr(a, b, damp=2.0)[0].tolist()


@pytest.mark.parametrize("name", ["lsqr", "lsmr"])
def test_bad_least_squares(name):
    f = getattr(xl, name)
    a, b = tb.ones((4, 2)), tb.ones(4)
    for args, message in [((a, tb.ones(5)), "incompatible"), ((a, tb.ones((4, 2))), "incompatible"),
                          ((tb.ones(3), b), "incompatible"), ((tb.ones((2, 2, 2)), b), "ndim")]:
        with pytest.raises(ValueError, match=message):
            f(*args)
    with pytest.raises(ValueError, match=r"x0 must be an array of shape \(2,\)"):
        f(a, b, x0=tb.ones(3))
    with pytest.raises(TypeError):
        f(a, b.get())
    with pytest.raises(TypeError):
        f(a.get(), b)


def test_least_squares_of_nan():
    for name in ("lsqr", "lsmr"):
        result = getattr(xl, name)(tb.full((2, 2), np.nan), tb.ones(2))
        assert result[1] == 7 and np.isnan(result[0].get()).all()


# ---- operators -------------------------------------------------------------------------------------------------------

OPERATIONS = {
    "A": lambda A, B: A, "A.T": lambda A, B: A.T, "A.H": lambda A, B: A.H, "A.T.T": lambda A, B: A.T.T,
    "A.H.T": lambda A, B: A.H.T, "A + B": lambda A, B: A + B, "A - B": lambda A, B: A - B, "-A": lambda A, B: -A,
    "A @ B": lambda A, B: A @ B, "A * B": lambda A, B: A * B, "2 * A": lambda A, B: 2 * A,
    "A * 2j": lambda A, B: A * 2j, "A / 4": lambda A, B: A / 4,
    "A ** 0": lambda A, B: A ** 0, "A ** 3": lambda A, B: A ** 3,
    "(A @ B.T).H": lambda A, B: (A @ B.T).H, "((A + B) * 3j).T": lambda A, B: ((A + B) * 3j).T,
    "(A ** 2).H": lambda A, B: (A ** 2).H, "(2j * A).H": lambda A, B: (2j * A).H,
}


def subclassed(base, array):
    """Classes that define as little as they may."""
    class Vectors(base):
        def __init__(self, a):
            super().__init__(a.dtype, a.shape)
            self.a = a

        def _matvec(self, x):
            return self.a.dot(x)

        def _rmatvec(self, x):
            return self.a.conj().T.dot(x)

    class Blocks(base):
        def __init__(self, a):
            super().__init__(a.dtype, a.shape)
            self.a = a

        def _matmat(self, x):
            return self.a.dot(x)

        def _adjoint(self):
            return Blocks(self.a.conj().T)

    return {"array": lambda a: (xl if array is tb.array else sl).aslinearoperator(array(a)),
            "vectors": lambda a: Vectors(array(a)), "blocks": lambda a: Blocks(array(a)),
            "functions": lambda a: (xl if array is tb.array else sl).LinearOperator(
                a.shape, array(a).dot, array(a.conj().T).dot, dtype=a.dtype)}


@pytest.mark.parametrize("kind", ["array", "vectors", "blocks", "functions"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_operators(kind, operation):
    rng = np.random.default_rng(3)
    for dtype in "dD":
        a, b = random(rng, (3, 3), dtype), random(rng, (3, 3), dtype)
        ours, theirs = (OPERATIONS[operation](made[kind](a), made[kind](b)) for made in
                        (subclassed(xl.LinearOperator, tb.array), subclassed(sl.LinearOperator, np.array)))
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
        for shape in ((3,), (3, 1), (3, 4)):
            x = random(rng, shape, dtype)
            check_products(ours, theirs, x)


def check_products(ours, theirs, x):
    dx = tb.array(x)
    pairs = [(ours @ dx, theirs @ x), (ours * dx, theirs * x), (ours.dot(dx), theirs.dot(x)), (ours(dx), theirs(x)),
             (dx.T @ ours, x.T @ theirs), (dx.T * ours, x.T * theirs)]
    if x.ndim == 1 or x.shape[1] == 1:
        pairs += [(ours.matvec(dx), theirs.matvec(x)), (ours.rmatvec(dx), theirs.rmatvec(x))]
    if x.ndim == 2:
        pairs += [(ours.matmat(dx), theirs.matmat(x)), (ours.rmatmat(dx), theirs.rmatmat(x))]
    for got, want in pairs:
        assert got.shape == want.shape and got.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want, rtol=1e-12, atol=1e-12)


def test_operators_of_nothing():
    assert (xl.aslinearoperator(tb.ones((3, 0))) @ tb.ones(0)).tolist() == [0, 0, 0]
    assert xl.LinearOperator((2, 3), lambda x: x[:2], dtype="d").matmat(tb.ones((3, 0))).shape == (2, 0)


def test_dtype_of_an_operator_is_found():
    assert xl.LinearOperator((2, 2), lambda x: x * tb.ones(2, "f")).dtype == np.float32
    assert xl.LinearOperator((2, 2), lambda x: x * 1j).dtype == sl.LinearOperator((2, 2), lambda x: x * 1j).dtype
    assert xl.LinearOperator((2, 2), lambda x: x, dtype="F").dtype == np.complex64
    assert repr(xl.aslinearoperator(tb.eye(2))) == "<2x2 MatrixLinearOperator with dtype=float64>"


def test_bad_operators():
    A = xl.aslinearoperator(tb.ones((2, 3)))
    for call in (lambda: A.matvec(tb.ones(2)), lambda: A.rmatvec(tb.ones(3)), lambda: A.matmat(tb.ones(3)),
                 lambda: A.matvec(tb.ones((3, 2))), lambda: A.rmatmat(tb.ones((3, 2))),
                 lambda: A.dot(tb.ones((3, 1, 1))), lambda: A @ 2, lambda: 2 @ A,
                 lambda: A + xl.aslinearoperator(tb.eye(2)), lambda: A @ A, lambda: A ** 2,
                 lambda: A.T @ A ** 1, lambda: A / A, lambda: xl.LinearOperator((2,), len), lambda: (A @ A.T) ** -1,
                 lambda: xl.LinearOperator((2, -1), len, dtype="d"), lambda: xl.aslinearoperator(tb.ones((2, 2, 2)))):
        with pytest.raises(ValueError):
            call()
    for call in (lambda: A.matvec(np.ones(3)), lambda: A + 1, lambda: xl.aslinearoperator(np.eye(2)), lambda: A ** A,
                 lambda: xl.aslinearoperator([[1.0]])):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(NotImplementedError):
        xl.LinearOperator((2, 2), lambda x: x, dtype="d").rmatvec(tb.ones(2))
    with pytest.warns(RuntimeWarning, match="_matvec"):
        type("Neither", (xl.LinearOperator,), {})("d", (2, 2))


def test_objects_with_matvec():
    class Twice:
        shape = (2, 2)
        dtype = np.dtype("d")

        def matvec(self, x):
            return 2 * x

    assert (xl.aslinearoperator(Twice()) @ tb.ones(2)).tolist() == [2, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert xl.aslinearoperator(xl.aslinearoperator(tb.eye(2))).shape == (2, 2)


@pytest.mark.parametrize("dtype", ["d", "f"])
def test_long_vectors(dtype):
    """For which a GPU has kernels of their own: the basis of gmres and eigsh."""
    n = 5000
    a = scipy.sparse.diags_array([np.linspace(1, 9, n), np.full(n - 1, 0.5)], offsets=[0, 1]).tocsr().astype(dtype)
    b = np.ones(n, dtype)
    A = xs.csr_array(a)
    tol = 1e-9 if dtype == "d" else 1e-4
    x, info = xl.gmres(A, tb.array(b), rtol=tol, restart=15)
    want, code = sl.gmres(a, b, rtol=tol, restart=15)
    assert info == code == 0
    np.testing.assert_allclose(x.get(), want, rtol=0, atol=30 * tol)
    values = np.append(np.linspace(0, 1, n - 3), [5, 7, 9])
    symmetric = scipy.sparse.diags_array(values).tocsr().astype(dtype)
    np.testing.assert_allclose(xl.eigsh(xs.csr_array(symmetric), k=3, return_eigenvectors=False).get(), [5, 7, 9],
                               rtol=tol)


@pytest.mark.parametrize("solver", ["cg", "gmres", "minres", "lsqr", "lsmr", "eigsh", "svds"])
def test_memory_is_free_when_a_solver_is_done(solver):
    """Without a collection of garbage: nothing refers to itself."""
    pool = tb.cuda.MemoryPool()
    gc.collect()
    gc.disable()
    try:
        with tb.cuda.using_allocator(pool.malloc):
            a = tb.array(np.diag(np.arange(1.0, 41.0)))
            result = getattr(xl, solver)(a, **({"k": 2} if solver in ("eigsh", "svds") else {"b": a[:, 0]}))
            assert pool.used_bytes() >= a.nbytes
            del a, result
            assert pool.used_bytes() == 0
    finally:
        gc.enable()


@pytest.mark.parametrize("solver", ["cg", "cgs", "bicgstab", "gmres", "minres", "lsqr"])
@pytest.mark.parametrize("preconditioned", [False, True])
@pytest.mark.parametrize("dtype", ["f", "d", "D"])
@pytest.mark.parametrize("stay", [False, True])
def test_steps_after_an_exact_solution(solver, preconditioned, dtype, stay, monkeypatch):
    """The host looks late, as on a GPU: what comes after a residual of zero must leave the solution alone."""
    if stay:
        numbers_stay(monkeypatch)
    monkeypatch.setattr(_system.Looks, "due", lambda self, step: step % 16 == 0)
    monkeypatch.setattr(_system.Looks, "ahead", lambda self, done, limit: min(16, limit - done))
    options = {} if solver == "lsqr" or not preconditioned else {"M": xs.eye(12, dtype=dtype) * 2}
    laplacian = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(12, 12))
    for a in (laplacian, scipy.sparse.identity(12), scipy.sparse.diags(np.repeat([1.0, 2.0], 6))):
        a = a.tocsr().astype(dtype)
        for b in (np.ones(12, dtype), a @ np.arange(12).astype(dtype)):
            x = getattr(xl, solver)(xs.csr_matrix(a), tb.array(b), **options)[0]
            np.testing.assert_allclose(x.get(), sl.spsolve(a.tocsc(), b), 1e-3, 1e-2 if dtype == "f" else 1e-3)


@pytest.mark.parametrize("kind", ["csr", "csc"])
@pytest.mark.parametrize("dtype", list("fdFD"))
def test_spsolve_of_symmetric_patterns(kind, dtype):
    n = 30  # matrices for which an order is looked for
    e, tolerance = np.ones(n * n), 2e-2 if dtype in "fF" else 1e-8
    lattice = scipy.sparse.diags([4.5 * e, -e[:-1], -e[:-1], -e[:-n], -e[:-n]], [0, 1, -1, n, -n])
    small = scipy.sparse.diags([e * 4.4], [0])  # what leaves a diagonal that is less than the rest
    for matrix in (lattice, lattice + scipy.sparse.diags([e[:-2]], [2]), lattice - small):
        a = matrix.asformat(kind).astype(dtype)
        b = np.random.default_rng(1).random(n * n).astype(dtype)
        x = xl.spsolve(getattr(xs, kind + "_matrix")(a), tb.array(b))
        assert x.dtype == a.dtype
        np.testing.assert_allclose(a @ x.get(), b, tolerance, tolerance)


@pytest.mark.parametrize("name", ["lsqr", "lsmr"])
@pytest.mark.parametrize("dtype", list("dD"))
def test_least_squares_of_hermitian_matrices(name, dtype):
    rng = np.random.default_rng(3)
    a = scipy.sparse.csr_matrix(scipy.sparse.random(60, 60, 0.1, random_state=1) * (1 + 2j if dtype == "D" else 1))
    b = random(rng, 60, dtype)
    for matrix in (a + a.conj().T, a + a.T, a - a.conj().T):  # the second and the third are not their own adjoints
        matrix = (matrix + 9 * scipy.sparse.eye(60)).tocsr().astype(dtype)
        x = getattr(xl, name)(xs.csr_matrix(matrix), tb.array(b), **{"atol": 1e-12, "btol": 1e-12})[0]
        np.testing.assert_allclose(x.get(), sl.spsolve(matrix.tocsc(), b), 1e-6, 1e-8)


@pytest.mark.parametrize("name", ["lsqr", "lsmr"])
@pytest.mark.parametrize("form", ["dense", "csr", "csc"])
@pytest.mark.parametrize("shape", [(1, 2), (2, 1), (1, 1), (1, 40), (40, 1)])
def test_least_squares_of_one_row(name, form, shape):
    """Whose adjoint has its elements in the same memory."""
    rng = np.random.default_rng(2)
    a, b = random(rng, shape, "d"), random(rng, shape[0], "d")
    got = getattr(xl, name)(FORMS[form](a), tb.array(b))[0].get()
    np.testing.assert_allclose(got, np.linalg.lstsq(a, b, None)[0], 1e-5, 1e-7)


@pytest.mark.parametrize("size", [-1, 0, 10**9, 2**40])
def test_panels_that_superlu_does_not_come_back_from(size):
    for f in (xl.splu, xl.spilu):
        for options in ({"panel_size": size}, {"options": {"PanelSize": size}}):
            with pytest.raises(ValueError, match="panel_size"):
                f(tb.eye(5), **options)


@pytest.mark.parametrize("factor", [0, -1, 1e-9, float("nan")])
def test_no_memory_to_begin_with(factor):
    with pytest.raises(ValueError, match="fill_factor"):
        xl.spilu(tb.eye(5), fill_factor=factor)
    assert xl.spilu(tb.eye(1), fill_factor=1).solve(tb.ones(1)).tolist() == [1]


@pytest.mark.parametrize("name", "cg cgs bicg bicgstab gmres minres tfqmr qmr lgmres gcrotmk".split())
@pytest.mark.parametrize("code", ["?", "i", "l", "f", "d", "F", "D"])
@pytest.mark.parametrize("other", ["b", "i", "l", "f", "d", "F", "D"])
def test_dtypes_of_solutions(name, code, other):
    a = (np.diag([4, 5, 6]) + np.eye(3, k=1)).astype(code)
    b = np.array([1, 0, 2]).astype(other)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = getattr(sl, name)(scipy.sparse.csc_array(a), b, maxiter=2)[0]
        got = getattr(xl, name)(xs.csc_array(a), tb.array(b), maxiter=2)[0]
    assert got.dtype == want.dtype or name == "minres" and SCIPY >= (1, 18)  # which keeps single precision
