"""Every routine that a backend's solvers have, against NumPy: the dtypes, one matrix and stacks, tall and wide ones."""

import os
import threading

import numpy as np
import pytest

import tombac as tb
import tombacx.scipy.linalg as scipy

SHAPES = [(4, 4), (6, 3), (3, 6), (1, 1), (5, 1), (1, 5)]
STACKS = [(), (3,), (2, 2)]
TOLERANCE = {"f": 2e-4, "F": 2e-4, "d": 1e-10, "D": 1e-10}
each = pytest.mark.parametrize("stack", STACKS)
dtypes = pytest.mark.parametrize("t", "fdFD")


def data(t, *shape):
    rng = np.random.default_rng(sum(shape) + 7)
    x = rng.uniform(-1, 1, shape)
    return (x + 1j * rng.uniform(-1, 1, shape) if t in "FD" else x).astype(t)


def square(t, stack, n=4):
    """Matrices that are far from singular."""
    return data(t, *stack, n, n) + 3 * np.eye(n, dtype=t)


def definite(t, stack, n=4):
    a = data(t, *stack, n, n)
    return a @ a.swapaxes(-1, -2).conj() + np.eye(n, dtype=t)


def close(got, want, t):
    got = got.get()
    assert got.shape == np.shape(want)
    assert got.dtype == np.asarray(want).dtype
    np.testing.assert_allclose(got, want, rtol=TOLERANCE[t], atol=TOLERANCE[t])


@dtypes
@each
@pytest.mark.parametrize("shape", SHAPES)
def test_qr(t, stack, shape):
    a = data(t, *stack, *shape)
    for mode in ("reduced", "complete"):
        q, r = tb.linalg.qr(tb.array(a), mode)
        expected = np.linalg.qr(a, mode)
        assert q.shape == expected.Q.shape and r.shape == expected.R.shape
        close(q @ r, a, t)
        unit = q.swapaxes(-1, -2).conj() @ q
        close(unit, np.broadcast_to(np.eye(unit.shape[-1], dtype=t), unit.shape), t)
        assert not tb.tril(r, -1).any()
    close(abs(tb.linalg.qr(tb.array(a), "r")), abs(np.linalg.qr(a, "r")), t)


@dtypes
@each
@pytest.mark.parametrize("shape", SHAPES)
def test_svd(t, stack, shape):
    a = data(t, *stack, *shape)
    values = np.linalg.svd(a, compute_uv=False)
    k = min(shape)
    for full in (False, True):
        u, s, vh = tb.linalg.svd(tb.array(a), full)
        expected = np.linalg.svd(a, full)
        assert u.shape == expected.U.shape and vh.shape == expected.Vh.shape
        close(s, values, t)
        close((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, t)
        for v in (u.swapaxes(-1, -2).conj() @ u, vh @ vh.swapaxes(-1, -2).conj()):
            np.testing.assert_allclose(v.get(), np.broadcast_to(np.eye(v.shape[-1]), v.shape), atol=TOLERANCE[t])
    close(tb.linalg.svdvals(tb.array(a)), values, t)


@dtypes
@each
def test_svd_without_full_rank(t, stack):
    a = data(t, *stack, 6, 2) @ data(t, *stack, 2, 4)
    u, s, vh = tb.linalg.svd(tb.array(a), True)
    close((u[..., :4] * s[..., None, :]) @ vh, a, t)
    assert (tb.linalg.matrix_rank(tb.array(a)) == 2).all()
    close(tb.linalg.pinv(tb.array(a), 1e-4), np.linalg.pinv(a, 1e-4), t)


@dtypes
@each
@pytest.mark.parametrize("triangle", "LU")
def test_eigh(t, stack, triangle):
    a = definite(t, stack)
    other = np.tril(a) if triangle == "L" else np.triu(a)
    values = np.linalg.eigvalsh(a)
    w, v = tb.linalg.eigh(tb.array(other), triangle)
    close(w, values, t)
    close(tb.array(a) @ v, (v * w[..., None, :]).get(), t)
    close(tb.linalg.eigvalsh(tb.array(other), triangle), values, t)


@dtypes
@each
def test_eig(t, stack):
    a = data(t, *stack, 4, 4)
    w, v = tb.linalg.eig(tb.array(a))
    assert w.dtype.kind == v.dtype.kind == "c"
    np.testing.assert_allclose((tb.array(a) @ v).get(), (v * w[..., None, :]).get(), atol=10 * TOLERANCE[t])
    np.testing.assert_allclose((abs(v) ** 2).sum(-2).get(), np.ones(w.shape), atol=10 * TOLERANCE[t])
    for got, other in zip(w.get().reshape(-1, 4), np.linalg.eigvals(a).reshape(-1, 4), strict=True):
        for value in other:
            assert abs(got - value).min() < 100 * TOLERANCE[t]
    np.testing.assert_allclose(np.sort_complex(tb.linalg.eigvals(tb.array(a)).get().round(3)),
                               np.sort_complex(w.get().round(3)), atol=0.01)


@dtypes
@each
def test_cholesky(t, stack):
    a = definite(t, stack)
    lower, upper = tb.linalg.cholesky(tb.array(a)), tb.linalg.cholesky(tb.array(a), upper=True)
    close(lower, np.linalg.cholesky(a), t)
    close(upper.swapaxes(-1, -2).conj() @ upper, a, t)
    close(tb.linalg.cholesky(tb.array(np.tril(a))), np.linalg.cholesky(a), t)
    b = data(t, *stack, 4, 3)
    for factor, is_lower in ((lower, True), (upper, False)):
        close(tb._core._cho_solve(factor, tb.array(b), is_lower), np.linalg.solve(a, b), t)


@dtypes
@each
def test_solve(t, stack):
    a = square(t, stack)
    for b in (data(t, 4), data(t, 4, 3), data(t, *stack, 4, 2), data(t, 5, *[1 for _ in stack], 4, 1)):
        close(tb.linalg.solve(tb.array(a), tb.array(b)), np.linalg.solve(a, b), t)
    close(tb.linalg.inv(tb.array(a)), np.linalg.inv(a), t)
    close(tb.linalg.det(tb.array(a)), np.asarray(np.linalg.det(a)), t)
    for got, want in zip(tb.linalg.slogdet(tb.array(a)), np.linalg.slogdet(a), strict=True):
        close(got, np.asarray(want), t)


@dtypes
@each
def test_lu(t, stack):
    a, b = square(t, stack), data(t, *stack, 4, 3)
    lu, pivots = tb._core._lu_factor(tb.array(a))
    assert pivots.dtype == np.int32 and lu.dtype == np.dtype(t)
    for trans, op in (("N", a), ("T", a.swapaxes(-1, -2)), ("C", a.swapaxes(-1, -2).conj())):
        close(tb._core._lu_solve(lu, pivots, tb.array(b), trans), np.linalg.solve(op, b), t)
    for shape in ((5, 3), (3, 5)):
        wide = data(t, *stack, *shape)
        lu, pivots = tb._core._lu_factor(tb.array(wide))
        k = min(shape)
        low = np.tril(lu.get()[..., :, :k], -1) + np.eye(shape[0], k)
        for got, p, want in zip((low @ np.triu(lu.get())[..., :k, :]).reshape(-1, *shape),
                                pivots.get().reshape(-1, k), wide.reshape(-1, *shape), strict=True):
            for i in reversed(range(k)):
                got[[i, p[i]]] = got[[p[i], i]]
            np.testing.assert_allclose(got, want, atol=TOLERANCE[t])


@dtypes
@each
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("unit", [False, True])
def test_solve_triangular(t, stack, lower, unit):
    a, b = square(t, stack), data(t, *stack, 4, 3)
    full = np.tril(a) if lower else np.triu(a)
    if unit:
        full = full - full * np.eye(4) + np.eye(4)
    for trans, op in (("N", full), ("T", full.swapaxes(-1, -2)), ("C", full.swapaxes(-1, -2).conj())):
        for given in (tb.array(a), tb.array(a.swapaxes(-1, -2)).swapaxes(-1, -2)):
            got = tb._core._solve_triangular(given, tb.array(b), lower, trans, unit)
            close(got, np.linalg.solve(op.astype(t), b), t)


@dtypes
def test_large_matrices(t):
    a = square(t, (), 70)
    b = data(t, 70, 2)
    close(tb.linalg.solve(tb.array(a), tb.array(b)), np.linalg.solve(a, b), t)
    q, r = tb.linalg.qr(tb.array(a))
    close(q @ r, a, t)
    close(tb.linalg.cholesky(tb.array(definite(t, (), 70))), np.linalg.cholesky(definite(t, (), 70)), t)


@dtypes
@pytest.mark.parametrize("n, columns", [(300, 300), (257, 65), (300, 20)])
def test_many_right_sides(t, n, columns):
    """Rows of large matrices are exchanged in all columns, for transposed ones backwards; these have some."""
    a = data(t, n, n)[::-1] + 20 * np.eye(n, dtype=t)[:, ::-1]
    b = data(t, n, columns)
    x, factors = tb.array(a), scipy.lu_factor(tb.array(a))
    assert (factors[1].get() != np.arange(n)).sum() > n / 3
    for trans, of in enumerate((a, a.T, a.conj().T)):
        close(scipy.lu_solve(factors, tb.array(b), trans), np.linalg.solve(of, b), t)
    close(tb.linalg.solve(x, tb.array(b)), np.linalg.solve(a, b), t)
    close(tb.linalg.inv(x), np.linalg.inv(a), t)


@pytest.mark.skipif(tb.config.backend() == "cpu" or os.environ.get("TOMBAC_SOLVERS") == "host",
                    reason="LAPACK takes any number for a row's, and what is there")
def test_exchanges_with_what_is_no_row():
    wrong = tb.array(np.where(np.arange(300) % 2, 307, -5).astype("i4"))
    b = data("d", 300, 80)
    close(scipy.lu_solve((tb.eye(300), wrong), tb.array(b)), b, "d")


def test_errors_are_told_where_they_are_asked_for():
    import tombacx

    singular, negative = tb.zeros((2, 3, 3)), -tb.eye(3)
    tb.linalg.inv(singular)
    tb.linalg.cholesky(negative)
    with tombacx.errstate(linalg="raise"):
        with pytest.raises(np.linalg.LinAlgError, match="singular"):
            tb.linalg.inv(singular)
        with pytest.raises(np.linalg.LinAlgError, match="singular"):
            tb.linalg.solve(singular, tb.ones(3))
        with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
            tb.linalg.cholesky(negative)
        assert (tb.linalg.inv(tb.eye(3)) == tb.eye(3)).all()
    tb.linalg.inv(singular)
    with tb.config.strict_indices(True), pytest.raises(np.linalg.LinAlgError, match="singular"):
        tb.linalg.inv(singular)


@pytest.mark.skipif(tb.config.backend() != "cpu" and os.environ.get("TOMBAC_SOLVERS") != "host",
                    reason="the device's solvers work while nobody waits")
def test_other_threads_go_on():
    """However busy the machine is: a factorization that kept the lock would stop every one of them."""
    x = tb.zeros(10)
    for n in [300, 600, 900, 1200, 1500]:
        a, done, rounds = tb.array(data("d", n, n)), threading.Event(), 0

        def work(a=a, done=done):
            tb.linalg.svd(a)
            done.set()

        x, start = x + 1, x[0].item() + 1
        assert x[0].item() == start
        worker = threading.Thread(target=work)
        worker.start()
        while not done.is_set():
            x, rounds = x + 1, rounds + 1
            assert x[0].item() == start + rounds
        worker.join()
        if rounds > 5:
            return
    raise AssertionError("no other thread goes on while the solver works")
