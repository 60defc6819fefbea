"""Steps of iterative solvers that are recorded: the CPU records, too, what multiplies by dense matrices."""

import numpy as np
import pytest
import scipy.sparse.linalg as sl

import tombac as tb
import tombacx.scipy.sparse.linalg as xl
from tombacx.scipy.sparse.linalg import (
    _arpack, _eigsh, _gmres, _krylov, _lanczos, _minres, _orthogonal, _repeat, _system
)


@pytest.fixture
def recorded(monkeypatch):
    """Whether recordings succeeded, one after the other."""
    made = []
    record = _repeat.record

    def noted(work):
        graph = record(work)
        made.append(graph is not None)
        return graph

    monkeypatch.setattr(_arpack, "is_there", lambda dtype: False)
    for module in (_system, _eigsh):
        monkeypatch.setattr(module, "is_recordable", lambda *operators: True)
    for module in (_repeat, _lanczos, _gmres):
        monkeypatch.setattr(module, "record", noted)
    for module in (_krylov, _minres):
        monkeypatch.setattr(module, "arithmetic", lambda: _system._OnDevice)
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


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_nan(recorded):
    _, a = matrix("d", 30)
    a[3, 4] = np.nan
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
