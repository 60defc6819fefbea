"""Steps of iterative solvers that are recorded: the CPU records, too, what multiplies by dense matrices."""

import math
from types import SimpleNamespace

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse.linalg as sl

import tombac as tb
import tombacx.scipy.sparse.linalg as xl
from tombacx.scipy.sparse.linalg import (_eigsh, _gmres, _lanczos, _least_squares, _orthogonal, _recurrence, _repeat,
                                         _system)


@pytest.fixture
def recorded(monkeypatch):
    """Whether recordings succeeded, one after the other."""
    made = []
    record = _repeat.record

    def noted(work):
        graph = record(work)
        made.append(graph is not None)
        return graph

    for module in (_system, _eigsh, _least_squares):
        monkeypatch.setattr(module, "is_recordable", lambda *operators: True)
    for module in (_repeat, _lanczos, _gmres):
        monkeypatch.setattr(module, "record", noted)
    monkeypatch.setattr(_system.Looks, "__init__", lambda self, callback=None: setattr(self, "every", False))
    return made


def matrix(dtype, n, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((n, n)).astype(dtype)
    if np.dtype(dtype).kind == "c":
        a += (1j * rng.standard_normal((n, n))).astype(dtype)
    return rng, a


@pytest.mark.parametrize("dtype", ["d", "D"])
@pytest.mark.parametrize("solver", ["cg", "cgs", "bicgstab"])
@pytest.mark.parametrize("limit", [9, 13, 200])
def test_linear_equations(recorded, dtype, solver, limit):
    rng, a = matrix(dtype, 60)
    a = a @ a.conj().T / 60 + 0.3 * np.eye(60)
    b = rng.standard_normal(60).astype(dtype)
    x, info = getattr(xl, solver)(tb.array(a), tb.array(b), rtol=1e-9, maxiter=limit)
    expected, code = getattr(sl, solver)(a, b, rtol=1e-9, maxiter=limit)
    assert recorded == [True]
    assert (info == 0) == (code == 0)
    np.testing.assert_allclose(x.get(), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", ["d", "D"])
@pytest.mark.parametrize("preconditioned", [False, True])
@pytest.mark.parametrize("cycles", [1, 5, 200])
def test_gmres(recorded, dtype, preconditioned, cycles):
    """Cycles after the first are launched whole; the last one may end before its last direction."""
    rng, a = matrix(dtype, 60)
    a = a / (11 if dtype == "D" else 8) + 1.6 * np.eye(60)
    b = rng.standard_normal(60).astype(dtype)
    M = {"M": tb.array(np.diag(1 / np.diag(a)))} if preconditioned else {}
    norms = []
    x, info = xl.gmres(tb.array(a), tb.array(b), rtol=1e-10, restart=7, maxiter=cycles, **M,
                       callback=lambda x: norms.append(np.linalg.norm(b - a @ x.get())), callback_type="x")
    plain, code = xl.gmres(tb.array(a), tb.array(b), rtol=1e-10, restart=7, maxiter=cycles, **M,
                           callback=lambda norm: None, callback_type="pr_norm")
    assert recorded == [True] and info == code
    np.testing.assert_allclose(x.get(), plain.get(), rtol=1e-8)
    assert (info == 0) == (norms[-1] <= 1e-10 * np.linalg.norm(b)) == (cycles == 200)
    assert cycles == 1 or norms[4] < 0.1 * norms[0]
    if not preconditioned:
        np.testing.assert_allclose(x.get(), sl.gmres(a, b, rtol=1e-10, restart=7, maxiter=cycles)[0], rtol=1e-6)


@pytest.mark.parametrize("dtype", ["d", "D", "f"])
@pytest.mark.parametrize("kw", [{}, {"damp": 0.3}, {"calc_var": True}, {"iter_lim": 12}, {"iter_lim": 3}, {"x0": 1}],
                         ids=str)
def test_lsqr(recorded, dtype, kw):
    rng, a = matrix(dtype, 60)
    a = np.ascontiguousarray(a[:, :30])
    b = rng.standard_normal(60).astype(dtype)
    x0 = {"x0": rng.standard_normal(30).astype(dtype)} if "x0" in kw else {}
    on_device = {"x0": tb.array(x0["x0"])} if x0 else {}
    found = xl.lsqr(tb.array(a), tb.array(b), **kw | on_device)
    expected = sl.lsqr(a, b, **kw | x0)
    assert recorded == ([] if kw.get("iter_lim") == 3 else [True])
    assert found[1] == expected[1]
    assert abs(found[2] - expected[2]) <= (dtype == "f")  # where rounding decides in which step it is precise enough
    assert found[0].dtype == expected[0].dtype
    tol = 1e-3 if dtype == "f" else 1e-6
    np.testing.assert_allclose(found[0].get(), expected[0], atol=tol)
    np.testing.assert_allclose(found[3:5], expected[3:5], rtol=tol)
    if found[2] == expected[2]:  # estimates that grow from step to step
        np.testing.assert_allclose(found[5:7], expected[5:7], rtol=tol)
    np.testing.assert_allclose(found[7], expected[7], atol=tol)
    np.testing.assert_allclose(found[8], expected[8], rtol=tol)
    if kw.get("iter_lim") is None and dtype == "d":
        np.testing.assert_allclose(found[9].get(), expected[9], rtol=1e-6)


@pytest.mark.parametrize("kw", [{}, {"damp": 0.3}, {"maxiter": 11}], ids=str)
def test_lsmr(recorded, kw):
    rng, a = matrix("d", 60)
    a = np.ascontiguousarray(a[:, :30])
    b = rng.standard_normal(60)
    found, expected = xl.lsmr(tb.array(a), tb.array(b), **kw), sl.lsmr(a, b, **kw)
    assert recorded == [True]
    assert found[1:3] == expected[1:3]
    np.testing.assert_allclose(found[0].get(), expected[0], atol=1e-6)
    np.testing.assert_allclose([found[3], *found[5:]], [expected[3], *expected[5:]], rtol=1e-6)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_nan(recorded):
    _, a = matrix("d", 30)
    a[3, 4] = np.nan
    found = xl.lsqr(tb.array(a), tb.ones(30), iter_lim=40)
    assert found[1] == 7 and found[2] == 40
    assert xl.cg(tb.array(a), tb.ones(30), maxiter=20)[1] == 20


@pytest.mark.parametrize("dtype", ["d", "D"])
@pytest.mark.parametrize("which", ["LM", "SA"])
def test_eigsh(recorded, dtype, which):
    _, a = matrix(dtype, 150)
    a = a + a.conj().T
    values, vectors = xl.eigsh(tb.array(a), 4, which=which, ncv=12)
    assert recorded == [True]
    w = np.linalg.eigvalsh(a)
    np.testing.assert_allclose(values.get(), np.sort(w[np.argsort(-abs(w))[:4]]) if which == "LM" else w[:4], rtol=1e-9)
    np.testing.assert_allclose(a @ vectors.get(), vectors.get() * values.get(), atol=1e-8)


def test_svds(recorded):
    _, a = matrix("d", 120)
    a = np.ascontiguousarray(a[:, :100])
    found = xl.svds(tb.array(a), 3, ncv=10)[1]
    assert recorded == [True]
    np.testing.assert_allclose(found.get(), np.linalg.svd(a)[1][:3][::-1], rtol=1e-9)


def test_what_cannot_be_recorded(recorded):
    """An operator that needs the numbers on the host: steps go on as they began."""
    rng, a = matrix("d", 60)
    a = a @ a.T / 60 + 0.3 * np.eye(60)
    b = rng.standard_normal(60)
    A = xl.LinearOperator((60, 60), lambda x: tb.array(a @ x.get()), dtype="d")
    x, info = xl.cg(A, tb.array(b), rtol=1e-9)
    assert recorded == [False] and info == 0
    np.testing.assert_allclose(x.get(), np.linalg.solve(a, b), atol=1e-6)


def test_only_matrices_are_recorded(monkeypatch):
    monkeypatch.setattr(_repeat.threading, "active_count", lambda: 1)
    A = xl.aslinearoperator(tb.eye(3))
    assert not _repeat.is_recordable(A, None)
    assert not _repeat.is_recordable(xl.LinearOperator((3, 3), lambda x: x, dtype="d"))
    assert _repeat.is_recordable(A, _repeat.Square(A, "d")) == (tb.config.backend() != "cpu")


special = st.sampled_from([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan])
numbers = st.one_of(st.floats(width=64, allow_subnormal=False), special)


def everything(f, a, b):
    """Each function that recurrences of numbers use."""
    return (a + b, 2 - b, a * 3, a / b, 1 / a, -a, abs(b), a**2, f.hypot(a, b), f.sqrt(a), f.sign(b),
            f.maximum(a, b), f.minimum(a, b), f.where(a < b, a, 7), f.where(a == b, math.inf, b),
            f.where(1 + a <= 1, 1.5, a), f.where(a >= b, a - b, b), f.where(a != b, 1.0, 2.0), f.where(a > 2, a, b))


@hypothesis.settings(deadline=None)
@hypothesis.given(numbers, numbers, numbers)
def test_recurrences(a, b, x):
    """What a kernel computes is what the host does."""
    owner = SimpleNamespace(f=_recurrence.HOST, a=np.float64(a), b=np.float64(b), other="no number")
    part = SimpleNamespace(sum=np.float64(1))

    def change(x):
        owner.a, owner.b, part.sum = owner.b, owner.a * x, part.sum + x
        return everything(owner.f, owner.a, x)

    state = _recurrence.State(owner, part)
    kernel = _recurrence.Recurrence(state, change, "x0")
    assert (repr(owner.a), repr(owner.b), owner.f) == (repr(np.float64(a)), repr(np.float64(b)), _recurrence.HOST)
    found = [y.item() for y in kernel(tb.array(x))]
    assert state.number("b").item() == pytest.approx(a * x, nan_ok=True, rel=1e-15)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(found, change(np.float64(x)), rtol=1e-14)
    expected = owner.a, owner.b, part.sum
    state.fetch()
    np.testing.assert_allclose([owner.a, owner.b, part.sum], expected, rtol=1e-14)


@pytest.mark.parametrize("dtype", ["d", "f"])
@pytest.mark.parametrize("k, n", [(1, 1), (1, 5000), (3, 1023), (7, 1024), (20, 1025), (2, 300_000), (256, 2000)])
def test_sweeps(monkeypatch, dtype, k, n):
    """Sweeps over a basis do what products do, wherever a vector ends, also if blocks have several parts of it."""
    rng = np.random.default_rng(k)
    k = min(k, n)
    V = np.zeros((k + 2, n), dtype)
    V[:k] = np.linalg.qr(rng.standard_normal((n, k)))[0].T
    w = (rng.standard_normal(n) + 100 * V[0]).astype(dtype)
    monkeypatch.setattr(_orthogonal, "_suits", lambda V: True)
    eps = np.finfo(dtype).eps
    left, parts = _orthogonal.orthogonalise(tb.array(V[:k]), tb.array(w))
    np.testing.assert_allclose(parts.get(), V[:k] @ w, rtol=1e3 * eps, atol=1e4 * eps)
    np.testing.assert_allclose(left.get(), w - V[:k].T @ (V[:k] @ w), atol=1e4 * eps)
    basis, column = tb.array(V), tb.full(k + 2, -1, dtype)
    _orthogonal.extend(basis, k, tb.array(np.repeat(w, 2))[::2], column)
    length = np.linalg.norm(left.get())
    np.testing.assert_allclose(column.get()[:k + 1], [*parts.get(), length], rtol=1e3 * eps, atol=1e4 * eps)
    assert column[k + 1] == -1
    got = basis.get()
    np.testing.assert_array_equal(got[[*range(k), k + 1]], V[[*range(k), k + 1]])
    if n > k:
        np.testing.assert_allclose(np.linalg.norm(got[k]), 1, rtol=100 * eps)
        np.testing.assert_allclose(V[:k] @ got[k], np.zeros(k), atol=100 * eps)
    monkeypatch.undo()
    plain, again = tb.array(V), tb.zeros(k + 2, dtype)
    _orthogonal.extend(plain, k, tb.array(w), again)
    np.testing.assert_allclose(again.get()[:k + 1], column.get()[:k + 1], rtol=1e3 * eps, atol=1e4 * eps)
