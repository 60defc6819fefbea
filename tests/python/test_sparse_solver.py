"""Sparse equations where the device's own solver is asked for: SciPy's results, whoever computes them."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sps
import scipy.sparse.linalg as spla
from hypothesis import given
from hypothesis import strategies as st
from strategies import same

import tombac as tb
from tombac import _core
from tombacx.linalg.sparse import lschol
from tombacx.scipy import sparse
from tombacx.scipy.sparse.linalg import factorized, spsolve
from tombacx.scipy.sparse.linalg._direct import device_factors

TOLERANCE = {"f": 2e-4, "F": 2e-4, "d": 1e-11, "D": 1e-11}


@pytest.fixture(scope="module", autouse=True)
def asked_for():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOMBAC_SPARSE_SOLVERS", "device")
        yield


@pytest.fixture
def solver():
    """Tests that ask what only the device's solver does."""
    if tb.config.backend() == "cpu":
        pytest.skip("cuDSS computes on GPUs; this is the CPU backend")
    try:
        _core.library_handle("cudss")
    except ImportError as e:
        pytest.skip(str(e).split(":")[0])


def drawn(n, dtype, seed, positive=False):
    """A matrix that is regular, with some elements off its diagonal."""
    rng = np.random.default_rng(seed)
    a = rng.integers(-3, 4, (n, n)) * (rng.random((n, n)) < 0.4).astype(dtype)
    if np.dtype(dtype).kind == "c":
        a = a * (1 + 0.5j)
    if positive:
        a = a + a.conj().T
    return (a + np.diag(np.abs(a).sum(1) + np.abs(a).sum(0) + 1)).astype(dtype)


def right(shape, dtype, seed):
    rng = np.random.default_rng(seed)
    b = rng.integers(-5, 6, shape)
    return (b + 1j * rng.integers(-5, 6, shape) if np.dtype(dtype).kind == "c" else b).astype(dtype)


@given(st.integers(1, 9), st.sampled_from("fdFD"), st.sampled_from("fdFDi"), st.sampled_from([None, 1, 3]),
       st.sampled_from(["csr", "csc", "coo"]), st.integers(0, 2**32 - 1))
def test_spsolve(n, code, other, width, form, seed):
    a, b = drawn(n, code, seed), right((n,) if width is None else (n, width), other, seed)
    mine = getattr(sparse, f"{form}_matrix")(getattr(sps, f"{form}_matrix")(a))
    want = spla.spsolve((sps.csr_matrix if form == "csr" else sps.csc_matrix)(a), b)
    got = spsolve(mine, tb.array(b))
    tolerance = TOLERANCE[want.dtype.char] * 10
    same(got, want, tolerance, tolerance * np.abs(want).max())


@pytest.mark.parametrize("code", "fdFD")
def test_factorized(code):
    a = drawn(30, code, 1)
    solve = factorized(sparse.csr_matrix(sps.csr_matrix(a)))
    strided = right((60, 8), code, 5)[::2, ::-2]
    for b in right((30,), code, 2), right((30, 4), code, 3), right((30, 1), code, 4), strided:
        got = solve(tb.array(b))
        assert got.shape == b.shape and got.dtype == a.dtype
        np.testing.assert_allclose(a @ got.get(), b, atol=1e-3 if code in "fF" else 1e-9)


@pytest.mark.parametrize("code", "fdFD")
def test_positive(code):
    a, b = drawn(20, code, 4, positive=True), right((20,), code, 5)
    got = lschol(sparse.csr_matrix(sps.csr_matrix(a)), tb.array(b))
    np.testing.assert_allclose(a @ got.get(), b, atol=1e-3 if code in "fF" else 1e-9)


def test_singular_matrices_are_left_to_superlu():
    a = sparse.csr_matrix(sps.csr_matrix(np.array([[1.0, 2], [2, 4]])))
    assert device_factors(a) is None
    with pytest.raises(RuntimeError, match="singular"):
        factorized(a)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isnan(spsolve(a, tb.ones(2)).get()).all()
    same(lschol(sparse.csr_matrix(sps.csr_matrix(np.diag([1.0, -1.0]))), tb.ones(2)), np.array([1.0, -1.0]))


def test_bad_input():
    a = sparse.csr_matrix(sps.eye(3, format="csr"))
    with pytest.raises(ValueError):
        spsolve(a, tb.ones(4))
    with pytest.raises(ValueError):
        factorized(a)(tb.ones(4))
    with pytest.raises(ValueError):
        factorized(a)(tb.ones((3, 1, 1)))
    with pytest.raises(TypeError):
        factorized(a)(tb.ones(3, "D"))
    with pytest.raises(TypeError, match="tombac.ndarray"):
        factorized(a)(np.ones(3))
    with pytest.raises(ValueError):
        factorized(sparse.csr_matrix(sps.csr_matrix(np.ones((2, 3)))))


def test_who_solves(solver, monkeypatch):
    a = drawn(8, "d", 6)
    mine = sparse.csr_matrix(sps.csr_matrix(a))
    assert device_factors(mine) is not None and device_factors(tb.array(a)) is None
    assert device_factors(mine, "F").dtype == np.complex128
    assert device_factors(sparse.csr_matrix((3, 3))) is None
    monkeypatch.setenv("TOMBAC_SPARSE_SOLVERS", "host")
    assert device_factors(mine) is None


def test_factors_keep_the_matrix(solver):
    a = drawn(8, "d", 7)
    mine, b = sparse.csr_matrix(sps.csr_matrix(a)), tb.ones(8)
    factors = device_factors(mine)
    mine.data *= 0
    del mine
    np.testing.assert_allclose(a @ factors.solve(b).get(), np.ones(8), atol=1e-9)
    y = factors.solve(b + 1) * 2
    np.testing.assert_allclose(a @ y.get(), np.full(8, 4.0), atol=1e-9)


def test_elements_that_come_twice(solver):
    data, row, col = np.array([1.0, 1.0, 4.0, 2.0]), np.array([0, 0, 1, 0]), np.array([0, 0, 1, 1])
    mine = sparse.coo_matrix((tb.array(data), (tb.array(row), tb.array(col))), shape=(2, 2))
    x = device_factors(mine).solve(tb.array([4.0, 4.0]))
    np.testing.assert_allclose(x.get(), [1.0, 1.0])


def test_wrong_arguments(solver):
    eye = sparse.csr_matrix(sps.eye(3, format="csr"))
    held = device_factors(eye)._held
    with pytest.raises(ValueError, match=r"tb_sparse_solve: b must have the shape \(3,\)"):
        _core._sparse_solve(held, tb.ones(4))
    with pytest.raises(ValueError, match="PyCapsule"):
        _core._sparse_solve(eye, tb.ones(3))
    with pytest.raises(TypeError, match="tb_sparse_factor: .*int64"):
        _core._sparse_factor(3, 3, eye.indptr, eye.indices, tb.ones(3, "l"), 0)
    with pytest.raises(np.linalg.LinAlgError, match=r"\(3, 4\)"):
        _core._sparse_factor(3, 4, eye.indptr, eye.indices, tb.ones(3), 0)
