"""tombacx.scipy.sparse.linalg's eigenvalues, direct solvers, norms and functions against SciPy's."""

import warnings

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg as sl
from hypothesis import given
from hypothesis import strategies as st
from strategies import SCIPY
from test_scipy_sparse_linalg import FORMS, forms, random

import tombac as tb
import tombacx.cusolver
import tombacx.linalg.sparse
import tombacx.scipy.sparse as xs
import tombacx.scipy.sparse.linalg as xl

seeds = st.integers(0, 2**32 - 1)
SPARSE = {"csr": (xs.csr_matrix, scipy.sparse.csr_matrix), "csc": (xs.csc_matrix, scipy.sparse.csc_matrix),
          "coo": (xs.coo_matrix, scipy.sparse.coo_matrix)}


def tolerance(dtype):
    return 2e-4 if np.dtype(dtype).char in "fF" else 1e-9


def hermitian(rng, n, dtype):
    a = random(rng, (n, n), dtype)
    return (a + a.conj().T) / 2


def wanted(w, k, which):
    """The k of all values that are wanted, ascending."""
    if which == "BE":
        return np.concatenate([w[: k // 2], w[len(w) - (k + 1) // 2:]])
    order = {"LM": -abs(w), "SM": abs(w), "LA": -w, "SA": w}[which]
    return np.sort(w[np.argsort(order, kind="stable")[:k]])


# ---- eigenvalues -----------------------------------------------------------------------------------------------------


@given(seeds, st.sampled_from("fdFD"), st.integers(2, 40), st.integers(1, 5), forms,
       st.sampled_from(["LM", "SM", "LA", "SA", "BE"]))
def test_eigsh(seed, dtype, n, k, form, which):
    rng = np.random.default_rng(seed)
    a = hermitian(rng, n, dtype)
    k = min(k, n - 1)
    w, v = xl.eigsh(FORMS[form](a), k, which=which)
    assert w.dtype == np.dtype(dtype.lower()) and v.dtype == np.dtype(dtype)
    assert w.shape == (k,) and v.shape == (n, k)
    size = np.linalg.norm(a)
    np.testing.assert_allclose(w.get(), wanted(np.linalg.eigvalsh(a), k, which), atol=tolerance(dtype) * size)
    h = v.get()
    np.testing.assert_allclose(a @ h, h * w.get(), atol=tolerance(dtype) * size)
    np.testing.assert_allclose(h.conj().T @ h, np.eye(k), atol=tolerance(dtype))


@pytest.mark.parametrize("which", ["LM", "SM", "LA", "SA", "BE"])
@pytest.mark.parametrize("k", [4, 5])
def test_values_alone_are_in_scipys_order(which, k):
    a = np.diag([-9.5, -3, 1, 2.25, 5, 7, 8, 4, 6, -2, 3.5, 10, 11])
    options = {"which": which, "return_eigenvectors": False}
    np.testing.assert_allclose(xl.eigsh(tb.array(a), k, **options).get(), sl.eigsh(a, k, **options), atol=1e-12)


@pytest.mark.parametrize("kind", ["low rank", "ones", "nothing", "two values", "start"])
def test_invariant_spaces(kind):
    """A space that ends early is gone on with."""
    rng = np.random.default_rng(1)
    a = {"low rank": (lambda b: b @ b.T)(rng.standard_normal((30, 4))), "ones": np.eye(30),
         "nothing": np.zeros((30, 30)), "two values": np.diag([1.0] * 15 + [2.0] * 15),
         "start": np.diag(np.arange(30.0))}[kind]
    v0 = tb.array(np.eye(30)[3]) if kind == "start" else None
    for k in (1, 6, 12):
        w, v = xl.eigsh(tb.array(a), k, v0=v0)
        np.testing.assert_allclose(w.get(), np.linalg.eigvalsh(a)[-k:], atol=1e-10)
        np.testing.assert_allclose(a @ v.get(), v.get() * w.get(), atol=1e-10)


def test_eigsh_of_a_larger_matrix():
    """Many restarts, and few products."""
    n = 40
    a = scipy.sparse.diags([4 * np.ones(n * n), -np.ones(n * n - 1), -np.ones(n * n - 1), -np.ones(n * n - n),
                            -np.ones(n * n - n)], [0, -1, 1, -n, n], format="csr")
    d = xs.csr_matrix(a)
    products = [0, 0]

    def counted(i, apply):
        def f(x):
            products[i] += 1
            return apply(x)
        return f

    want = sl.eigsh(sl.LinearOperator(a.shape, counted(0, a.dot), dtype="d"), 6)[0]
    got = xl.eigsh(xl.LinearOperator(a.shape, counted(1, d.dot), dtype="d"), 6)[0]
    np.testing.assert_allclose(got.get(), want, atol=1e-9)
    assert products[1] <= 1.5 * products[0]


def test_eigsh_is_repeatable():
    a = tb.array(hermitian(np.random.default_rng(0), 50, "d"))
    assert all((xl.eigsh(a, 3)[1] == xl.eigsh(a, 3)[1]).all(1).tolist())
    tb.random.seed(5)
    want = tb.random.random(3).tolist()
    tb.random.seed(5)
    xl.eigsh(a, 3)
    assert tb.random.random(3).tolist() == want  # its random vector is its own


def test_eigsh_that_does_not_converge():
    a = np.diag(np.arange(1.0, 200) ** 2)
    with pytest.raises(xl.ArpackNoConvergence) as error:
        xl.eigsh(tb.array(a), 3, which="SA", ncv=5, maxiter=2)
    assert error.value.eigenvectors.shape == (199, len(error.value.eigenvalues))
    assert xl.ArpackNoConvergence is sl.ArpackNoConvergence
    w, v = xl.eigsh(tb.array(a), 1, ncv=1, maxiter=0)  # CuPy's way to the first guess
    assert w.shape == (1,) and v.shape == (199, 1)
    with pytest.raises(xl.ArpackError):
        xl.eigsh(tb.full((5, 5), np.nan), 2)


def test_eigsh_on_the_host():
    a, m = np.diag(np.arange(1.0, 20)), np.diag(np.arange(2.0, 21))
    np.testing.assert_allclose(xl.eigsh(tb.array(a), 3, sigma=7.2)[0].get(), [6, 7, 8])
    np.testing.assert_allclose(xl.eigsh(tb.array(a), 3, M=tb.array(m))[0].get(), sl.eigsh(a, 3, M=m)[0])
    operator = xl.aslinearoperator(tb.array(a))
    w, v = xl.eigsh(operator, 3, M=xl.aslinearoperator(tb.array(m)), Minv=tb.array(np.linalg.inv(m)))
    np.testing.assert_allclose(w.get(), sl.eigsh(a, 3, M=m)[0])
    assert type(v) is tb.ndarray


@pytest.mark.parametrize("dtype", ["d", "D"])
def test_more_vectors_than_there_are(dtype):
    a = np.diag(np.arange(1.0, 13)).astype(dtype)
    np.testing.assert_allclose(xl.eigsh(tb.array(a), 2, ncv=30)[0].get(), np.sort(sl.eigsh(a, 2, ncv=30)[0]))
    for v0 in tb.ones((12, 1)), tb.arange(1, 13):
        for f in xl.eigsh, xl.eigs:
            np.testing.assert_allclose(np.sort(f(tb.array(a), 2, v0=v0)[0].get().real), [11, 12])


def test_bad_eigsh():
    a = tb.eye(10)
    for call, message in [(lambda: xl.eigsh(a, 0), "k must be"), (lambda: xl.eigsh(tb.ones((2, 3)), 1), "square"),
                          (lambda: xl.eigsh(a, 2, which="XX"), "which"), (lambda: xl.eigsh(a, 2, ncv=2), "ncv"),
                          (lambda: xl.eigsh(a, 2, v0=tb.ones(9)), "v0"),
                          (lambda: xl.eigsh(a, 2, v0=tb.ones(9), sigma=0.5), "v0"),
                          (lambda: xl.eigsh(a, 2, v0=tb.ones(11), M=a), "v0"),
                          (lambda: xl.eigs(a, 2, v0=tb.ones(9)), "v0"), (lambda: xl.eigs(a, 2, v0=tb.ones(99)), "v0"),
                          (lambda: xl.eigsh(tb.ones((2, 2, 2)), 1), "ndim")]:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.warns(RuntimeWarning, match="k >= n"):
        assert xl.eigsh(a, 10)[0].tolist() == [1] * 10
    with pytest.raises(TypeError, match="k must be less than n"):
        xl.eigsh(xl.aslinearoperator(a), 10)
    with pytest.raises(TypeError):
        xl.eigsh(a.get(), 2)


@given(seeds, st.sampled_from("fdFD"), st.integers(2, 20), st.integers(2, 20), st.integers(1, 4), forms,
       st.sampled_from(["LM", "SM"]))
def test_svds(seed, dtype, m, n, k, form, which):
    rng = np.random.default_rng(seed)
    a = random(rng, (m, n), dtype)
    k = min(k, m - 1, n - 1)
    u, s, vh = xl.svds(FORMS[form](a), k, which=which)
    assert (u.dtype, s.dtype, vh.dtype) == (a.dtype, np.dtype(dtype.lower()), a.dtype)
    fu, fs, fv = np.linalg.svd(a, full_matrices=False)
    chosen = slice(None, k) if which == "LM" else slice(len(fs) - k, None)
    np.testing.assert_allclose(s.get(), fs[chosen][::-1], atol=tolerance(dtype) * fs[0])
    np.testing.assert_allclose(a @ vh.get().conj().T, u.get() * s.get(), atol=50 * tolerance(dtype) * fs[0])
    np.testing.assert_allclose(u.get().conj().T @ u.get(), np.eye(k), atol=tolerance(dtype))
    np.testing.assert_allclose(vh.get() @ vh.get().conj().T, np.eye(k), atol=tolerance(dtype))


def test_parts_of_svds():
    a = tb.array(np.random.default_rng(0).standard_normal((6, 5)))
    u, s, vh = xl.svds(a, 2)
    assert xl.svds(a, 2, return_singular_vectors=False).tolist() == s.tolist()
    assert xl.svds(a, 2, return_singular_vectors="u")[2] is None
    assert xl.svds(a, 2, return_singular_vectors="vh")[0] is None
    assert xl.svds(a, 5, solver="lobpcg")[1].shape == (5,)


def test_bad_svds():
    a = tb.ones((6, 5))
    for kwargs in ({"k": 0}, {"k": 5}, {"k": 2.5}, {"which": "LA"}, {"ncv": 2, "k": 2}, {"v0": tb.ones(6), "k": 1},
                   {"maxiter": 0, "k": 1}, {"return_singular_vectors": "x", "k": 1}, {"solver": "x", "k": 1}):
        with pytest.raises(ValueError, match="svds: "):
            xl.svds(a, **kwargs)
    with pytest.raises(ValueError, match="empty"):
        xl.svds(tb.ones((0, 3)), 1)
    for bad in ((a.get(), 1), (a, None)):
        with pytest.raises(TypeError):
            xl.svds(*bad)
    assert xl.svds(tb.diag(tb.arange(6.0)), 2.0)[1].shape == (2,)


# ---- lobpcg ----------------------------------------------------------------------------------------------------------


@given(seeds, st.sampled_from("fdFD"), st.integers(20, 40), forms, st.booleans(), st.booleans(), st.booleans(),
       st.booleans())
def test_lobpcg(seed, dtype, n, form, largest, generalised, preconditioned, constrained):
    rng = np.random.default_rng(seed)
    a = hermitian(rng, n, dtype)
    a = (a @ a + np.diag(np.arange(n) * 5)).astype(dtype)
    b = np.diag(rng.uniform(1, 2, n)).astype(dtype) if generalised else None
    w, v = scipy.linalg.eigh(a, b)
    order = slice(None, None, -1) if largest else slice(None)
    w, v = w[order], v[:, order]
    y, w = (v[:, :2], w[2:]) if constrained else (None, w)
    m = np.diag(1 / np.diag(a)) if preconditioned else None

    def put(h):
        return None if h is None else FORMS[form](h)

    x = random(rng, (n, 3), dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # float32 is as exact as it can be
        got, vectors = xl.lobpcg(FORMS[form](a), tb.array(x), put(b), put(m), None if y is None else tb.array(y),
                                 tol=1e-2 if dtype in "fF" else 1e-6, maxiter=400, largest=largest)
    assert got.dtype == np.dtype(dtype.lower()) and vectors.dtype == np.dtype(dtype)
    size = np.linalg.norm(a, 2)
    np.testing.assert_allclose(got.get(), w[:3], atol=(1e-3 if dtype in "fF" else 1e-7) * size)
    h = vectors.get()
    np.testing.assert_allclose(h.conj().T @ (h if b is None else b @ h), np.eye(3), atol=10 * tolerance(dtype))


def test_history_of_lobpcg(capsys):
    a, x = np.diag(-np.arange(1.0, 51)), np.random.default_rng(0).standard_normal((50, 4))
    with pytest.warns(UserWarning, match="residuals"):
        w, v, values, norms = xl.lobpcg(tb.array(a), tb.array(x), tol=1e-14, maxiter=None, retLambdaHistory=True,
                                        retResidualNormsHistory=True, verbosityLevel=10)
    assert len(values) == len(norms) == 22
    assert "iteration 20" in capsys.readouterr().out
    assert values[-1].tolist() == w.tolist()
    np.testing.assert_allclose(norms[-1].get(), np.linalg.norm(a @ v.get() - v.get() * w.get(), axis=0), atol=1e-9)


def test_lobpcg_of_small_problems():
    a = np.diag(np.arange(1.0, 9))
    for largest, want in ((True, [8, 7]), (False, [1, 2])):
        with pytest.warns(UserWarning, match="dense"):
            w, v = xl.lobpcg(tb.array(a), tb.ones((8, 2)), largest=largest)
        np.testing.assert_allclose(w.get(), want)
        np.testing.assert_allclose(a @ v.get(), v.get() * w.get(), atol=1e-12)
    assert xl.lobpcg(tb.eye(10), tb.ones((10, 1)))[0].tolist() == pytest.approx([1])
    assert xl.lobpcg(lambda x: 2 * x, tb.ones((10, 1)))[0].tolist() == pytest.approx([2])


@pytest.mark.parametrize("of", "AXBY")
def test_dtypes_of_lobpcg(of):
    """One argument of float64, or of integers, is enough."""
    values = np.arange(1, 41)
    a, b = tb.diag(tb.array(values, "f")), tb.eye(40, dtype="f")
    x, y = tb.array(np.random.default_rng(0).standard_normal((40, 3)), "f"), tb.eye(40, 2, dtype="f")
    for dtype in "dl" if of in "AB" else "d":
        parts = {"A": a, "X": x, "B": b, "Y": y}
        parts[of] = parts[of].astype(dtype)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            w, v = xl.lobpcg(**parts, largest=False, maxiter=100)
        assert w.dtype == v.dtype == np.float64
        np.testing.assert_allclose(w.get(), [3, 4, 5], rtol=1e-5)


def test_bad_lobpcg():
    a = tb.eye(20)
    for call, message in [(lambda: xl.lobpcg(a, tb.ones(20)), "X must have two"),
                          (lambda: xl.lobpcg(a, tb.ones((20, 2))), "dependent"),
                          (lambda: xl.lobpcg(a, tb.ones((20, 1)), Y=tb.ones((19, 1))), "rows"),
                          (lambda: xl.lobpcg(a, tb.ones((19, 1))), "mismatch")]:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(NotImplementedError, match="constraints"):
        xl.lobpcg(tb.eye(6), tb.eye(6, 2), Y=tb.eye(6, 1))
    for call in (lambda: xl.lobpcg(a, np.ones((20, 1))), lambda: xl.lobpcg(a.get(), tb.ones((20, 1)))):
        with pytest.raises(TypeError):
            call()


# ---- direct solvers --------------------------------------------------------------------------------------------------


@given(seeds, st.sampled_from("lfdFD"), st.sampled_from("fdFD"), st.integers(1, 8), st.sampled_from(sorted(SPARSE)),
       st.sampled_from([None, 1, 3]))
def test_spsolve(seed, dtype, of_b, n, form, columns):
    rng = np.random.default_rng(seed)
    a = (random(rng, (n, n), "D") * (rng.random((n, n)) < 0.5) + 4 * np.eye(n))
    a = (a if np.dtype(dtype).kind == "c" else a.real).astype(dtype)
    b = random(rng, (n,) if columns is None else (n, columns), of_b)
    ours, theirs = SPARSE[form]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = sl.spsolve(theirs(a).tocsc(), b)
    for given_a in (ours(theirs(a)), tb.array(a)):
        got = xl.spsolve(given_a, tb.array(b))
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_allclose(got.get(), want, rtol=1e-4 if want.dtype.char in "fF" else 1e-10)


@given(seeds, st.sampled_from("fdFD"), st.integers(1, 8), st.sampled_from(sorted(SPARSE)),
       st.sampled_from([None, 1, 3]), st.sampled_from("NTH"))
def test_splu(seed, dtype, n, form, columns, trans):
    rng = np.random.default_rng(seed)
    a = random(rng, (n, n), dtype) * (rng.random((n, n)) < 0.5) + 4 * np.eye(n, dtype=dtype)
    b = random(rng, (n,) if columns is None else (n, columns), dtype)
    ours, theirs = SPARSE[form]
    lu, want = xl.splu(ours(theirs(a))), sl.splu(scipy.sparse.csc_matrix(a))
    for got in (lu.solve(tb.array(b), trans), xl.spilu(ours(theirs(a)), drop_tol=0).solve(tb.array(b), trans)):
        assert got.dtype == np.dtype(dtype)
        np.testing.assert_allclose(got.get(), want.solve(b, trans), rtol=1e-3 if dtype in "fF" else 1e-9, atol=1e-5)
    if trans == "N":
        np.testing.assert_allclose(xl.factorized(tb.array(a))(tb.array(b)).get(), lu.solve(tb.array(b)).get())
    assert lu.shape == (n, n) and lu.nnz == want.nnz
    assert (lu.perm_r.tolist(), lu.perm_c.tolist()) == (want.perm_r.tolist(), want.perm_c.tolist())
    pairs = [(lu.L, want.L), (lu.U, want.U)]
    for factor, reference in pairs:
        np.testing.assert_allclose(factor.toarray().get(), reference.toarray())


def test_float16_is_worked_on_as_float32():
    a, b = 2 * tb.eye(2, dtype="e"), tb.ones(2, "e")
    for x in (xl.spsolve(a, b), xl.splu(a).solve(b), xl.spsolve(xs.csr_matrix(a), b), xl.cg(a, b)[0]):
        assert x.dtype == np.float32 and x.tolist() == [0.5, 0.5]


def test_singular_systems():
    a = tb.array([[1.0, 2], [2, 4]])
    with pytest.warns(xl.MatrixRankWarning, match="singular"):
        assert np.isnan(xl.spsolve(a, tb.ones(2)).get()).all()
    assert xl.MatrixRankWarning is sl.MatrixRankWarning
    for f in (xl.splu, xl.spilu, xl.factorized):
        with pytest.raises(RuntimeError, match="singular"):
            f(tb.zeros((2, 2)))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        xl.spsolve_triangular(xs.csr_matrix(scipy.sparse.csr_matrix([[1.0, 0], [1, 0]])), tb.ones(2))


@given(seeds, st.sampled_from("fdFD"), st.integers(1, 8), st.sampled_from(sorted(SPARSE)),
       st.sampled_from([None, 1, 3]), st.booleans(), st.booleans())
def test_triangles(seed, dtype, n, form, columns, lower, unit):
    rng = np.random.default_rng(seed)
    a = (np.tril if lower else np.triu)(random(rng, (n, n), dtype)) + 2 * np.eye(n, dtype=dtype)
    other = random(rng, (n, n), dtype) * (1 - np.tri(n) if lower else np.tri(n, k=-1))  # which is not read
    b = random(rng, (n,) if columns is None else (n, columns), dtype)
    ours, theirs = SPARSE[form]
    want = scipy.linalg.solve_triangular(a, b, lower=lower, unit_diagonal=unit)
    got = xl.spsolve_triangular(ours(theirs((a + other).astype(dtype))), tb.array(b), lower, unit_diagonal=unit)
    assert got.dtype == np.dtype(dtype) and got.shape == b.shape
    np.testing.assert_allclose(got.get(), want, rtol=1e-3 if dtype in "fF" else 1e-9, atol=1e-3 * np.abs(want).max())


@given(seeds, st.sampled_from("?bifdFDe"), st.sampled_from("ifdFDe"), st.sampled_from("il"), st.booleans())
def test_triangles_of_other_dtypes_and_orders(seed, right, left, index, lower):
    """Elements that are stored twice count twice, indices need be in no order, and dtypes are SciPy's."""
    rng = np.random.default_rng(seed)
    row, col = rng.integers(0, 6, (2, 14))
    row, col = (np.maximum(row, col), np.minimum(row, col)) if lower else (np.minimum(row, col), np.maximum(row, col))
    row, col = np.append(row, np.arange(6)), np.append(col, np.arange(6))
    data = np.append(rng.integers(-3, 4, 14), [9] * 6).astype(left)
    order = np.argsort(row, kind="stable")
    indptr = np.searchsorted(row[order], np.arange(7)).astype(index)
    a = xs.csr_matrix((tb.array(data[order]), tb.array(col[order].astype(index)), tb.array(indptr)), (6, 6))
    b = rng.integers(-4, 5, (6, 2)).astype(right)
    theirs = scipy.sparse.csr_matrix((data[order].astype("f" if left == "e" else left), col[order], indptr), (6, 6))
    want = scipy.sparse.linalg.spsolve_triangular(theirs, b.astype("f") if right == "e" else b, lower)
    given_b = tb.array(b)
    got = xl.spsolve_triangular(a, given_b, lower)
    assert got.dtype == want.dtype and (given_b.get() == b).all()
    np.testing.assert_allclose(got.get(), want, 1e-4, 1e-4 * max(np.abs(want).max(), 1))


def test_bad_direct_solvers():
    a, b = xs.csr_matrix(scipy.sparse.csr_matrix(np.eye(3))), tb.ones(3)
    wide = xs.csr_matrix(scipy.sparse.csr_matrix(np.ones((2, 3))))
    for call in (lambda: xl.spsolve(wide, b), lambda: xl.spsolve(a, tb.ones(4)), lambda: xl.splu(wide),
                 lambda: xl.splu(a).solve(tb.ones(4)), lambda: xl.splu(a).solve(tb.ones((3, 1, 1))),
                 lambda: xl.splu(a).solve(b, "X"), lambda: xl.spsolve_triangular(wide, tb.ones(2)),
                 lambda: xl.spsolve_triangular(a, tb.ones(4)), lambda: xl.spsolve_triangular(a, tb.ones((3, 1, 1))),
                 lambda: tombacx.linalg.sparse.lschol(a, tb.ones((3, 1)))):
        with pytest.raises(ValueError):
            call()
    booleans = xs.csr_matrix(scipy.sparse.csr_matrix(np.eye(3, dtype=bool)))
    for call in (lambda: xl.spsolve(a, b.get()), lambda: xl.spsolve(a.get(), b), lambda: xl.splu("a"),
                 lambda: xl.splu(a).solve(b.get()), lambda: xl.splu(a).solve(b * 1j), lambda: xl.SuperLU(a),
                 lambda: xl.spsolve_triangular(tb.eye(3), b), lambda: xl.spsolve_triangular(a, b.get()),
                 lambda: tombacx.linalg.sparse.lschol(booleans, b),
                 lambda: tombacx.cusolver.csrlsvqr(a, b.get())):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(np.linalg.LinAlgError):
        tombacx.cusolver.csrlsvqr(wide, tb.ones(2))


@pytest.mark.parametrize("dtype", "fdFD")
def test_cusolvers_names(dtype):
    rng = np.random.default_rng(0)
    a = random(rng, (6, 6), dtype)
    a, b = (a @ a.conj().T + 6 * np.eye(6)).astype(dtype), random(rng, 6, dtype)
    d = xs.csr_matrix(scipy.sparse.csr_matrix(a))
    want = np.linalg.solve(a, b)
    assert tombacx.cusolver.check_availability("csrlsvqr")
    for got in (tombacx.linalg.sparse.lschol(d, tb.array(b)), tombacx.cusolver.csrlsvqr(d, tb.array(b), 1e-5, 2)):
        assert got.dtype == np.dtype(dtype)
        np.testing.assert_allclose(got.get(), want, rtol=1e-3 if dtype in "fF" else 1e-10)


# ---- norms and functions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0,), (0, 1), (1, -2)])
@pytest.mark.parametrize("ord", [None, "fro", 1, -1, 2, -2, 0, 3, np.inf, -np.inf, "nuc"])
def test_norm(ord, axis):
    rng = np.random.default_rng(7)
    for dtype, shape in [(d, s) for d in "?ilfdFD" for s in [(4, 5), (3, 3), (2, 0), (0, 3)]]:
        negative = isinstance(ord, int) and ord < 0 and np.dtype(dtype).kind in "bi"
        if (ord == 2 and (0 in shape or dtype == "?")) or negative:
            continue  # of which SciPy has none
        h = scipy.sparse.random(*shape, density=0.6, rng=rng, format="csr")
        h = scipy.sparse.csr_matrix((rng.integers(-9, 9, h.nnz).astype(dtype), h.indices, h.indptr), shape)
        try:
            with np.errstate(all="ignore"):
                want = np.asarray(sl.norm(h, ord, axis))
        except (ValueError, NotImplementedError) as e:
            with pytest.raises(type(e)):
                xl.norm(xs.csr_matrix(h), ord, axis)
            continue
        got = xl.norm(xs.csr_matrix(h), ord, axis)
        if SCIPY < (1, 18):  # which has float64 for some orders, and for axis=(0,) a row
            assert got.shape == want.shape and got.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want.reshape(got.shape), rtol=1e-5)


@pytest.mark.parametrize("dtype", "?ilfdFD")
@pytest.mark.parametrize("length", [0, 2, 4, 7])
def test_norms_of_diagonals(dtype, length):
    """What is stored outside of the matrix counts in one of them."""
    data = np.random.default_rng(length).integers(1, 9, (3, length)).astype(dtype)
    h = scipy.sparse.dia_matrix((data, [-2, 0, 1]), shape=(4, 5))
    a = xs.dia_matrix((tb.array(data), tb.array([-2, 0, 1])), shape=(4, 5))
    for ord, axis in [(None, None), ("fro", None), ("fro", (0, 1)), (1, None), (np.inf, None), (None, 0), (1, 1)]:
        want = np.asarray(sl.norm(h, ord, axis))
        got = xl.norm(a, ord, axis)
        np.testing.assert_allclose(got.get(), want.reshape(got.shape), rtol=1e-5)
        if SCIPY < (1, 18):
            assert got.dtype == want.dtype


def test_norm_adds_what_is_stored_twice():
    h = scipy.sparse.coo_matrix(([3.0, -3, 1], ([0, 0, 1], [0, 0, 1])), (2, 2))
    d = xs.coo_matrix((tb.array(h.data), (tb.array(h.row), tb.array(h.col))), shape=(2, 2))
    for ord in (None, 1, np.inf):
        assert float(xl.norm(d, ord)) == 1
    assert d.nnz == 3


@pytest.mark.parametrize("dtype", "?bBhHiIlL")
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_norms_of_large_integers(dtype, axis):
    """No square or sum of them wraps around."""
    most = 1 if dtype == "?" else np.iinfo(dtype).max
    h = np.array([[most, most, 0], [0, most, most // 2]], dtype)
    d = xs.csr_matrix(tb.array(h))
    np.testing.assert_allclose(xl.norm(d, axis=axis).get(), np.linalg.norm(h.astype("d"), axis=axis), rtol=1e-6)
    if dtype in "?bBhHiI":
        np.testing.assert_allclose(xl.norm(d, 1, axis).get(), np.linalg.norm(h.astype("d"), 1, axis), rtol=1e-6)


def test_bad_norms():
    a = xs.csr_matrix(scipy.sparse.csr_matrix(np.eye(2)))
    for axis in (2, (0, 0), (0, 2), (0, 1, 0), ()):
        with pytest.raises(ValueError):
            xl.norm(a, axis=axis)
    with pytest.raises(TypeError, match="not sparse"):
        xl.norm(tb.eye(2))


@pytest.mark.parametrize("power", [0, 1, 2, 3, 6])
def test_matrix_power(power):
    h = scipy.sparse.random(5, 5, density=0.5, rng=np.random.default_rng(0), format="csr")
    want = sl.matrix_power(h, power).toarray()
    got = xl.matrix_power(xs.csr_matrix(h), power)
    np.testing.assert_allclose(got.toarray().get(), want)
    assert got.dtype == np.float64
    np.testing.assert_allclose(xl.matrix_power(tb.array(h.toarray()), power).get(), want)
    for bad, kind in ((-1, ValueError), (1.5, ValueError)):
        with pytest.raises(kind, match="exponent"):
            xl.matrix_power(tb.eye(2), bad)
    with pytest.raises(TypeError, match="square"):
        xl.matrix_power(tb.ones((2, 3)), 2)


@given(seeds, st.sampled_from("fdFD"), st.integers(1, 8), forms, st.sampled_from([0, 0.1, 1, 4]), st.booleans(),
       st.booleans())
def test_expm_multiply(seed, dtype, n, form, scale, block, times):
    rng = np.random.default_rng(seed)
    a, b = scale * random(rng, (n, n), dtype), random(rng, (n, 2) if block else n, dtype)
    if form in ("operator", "functions"):
        times = times and n > 1
    points = (0.5, 1.5, 4) if times else ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of operators without a trace
        got = xl.expm_multiply(FORMS[form](a.astype(dtype)), tb.array(b), *points)
    ts = np.linspace(*points) if times else [1.0]
    exponentials = [scipy.linalg.expm(t * a.astype("D")) for t in ts]
    want = np.stack([e @ b for e in exponentials])
    want = want if times else want[0]
    assert got.shape == want.shape
    size = max(np.linalg.norm(e) for e in exponentials) * np.linalg.norm(b)
    np.testing.assert_allclose(got.get(), want, atol=(1e-3 if dtype in "fF" else 1e-9) * size)


def test_bad_expm_multiply():
    with pytest.raises(ValueError, match="incompatible"):
        xl.expm_multiply(tb.eye(2), tb.ones(3))
    with pytest.raises(ValueError, match="finite"):
        xl.expm_multiply(tb.full((2, 2), np.nan), tb.ones(2))
    with pytest.raises(TypeError):
        xl.expm_multiply(tb.eye(2), np.ones(2))
    assert xl.expm_multiply(tb.empty((0, 0)), tb.empty(0)).shape == (0,)


# ---- what SciPy does on the host -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(FORMS))
def test_by_scipy(form):
    a = np.random.default_rng(0).standard_normal((12, 12)) + np.diag(np.arange(12.0) * 3)
    d = FORMS[form](a)
    w, v = xl.eigs(d, 3)
    np.testing.assert_allclose(np.sort_complex(w.get()), np.sort_complex(sl.eigs(a, 3)[0]))
    np.testing.assert_allclose(a @ v.get(), v.get() * w.get(), atol=1e-9)
    assert xl.eigs(d, 3, return_eigenvectors=False).shape == (3,)
    exact = np.linalg.norm(a, 1)
    value, vector, image = xl.onenormest(d, compute_v=True, compute_w=True)
    assert type(value) is type(xl.onenormest(d)) is float
    assert 0.5 * exact <= value <= exact * (1 + 1e-12)
    np.testing.assert_allclose(a @ vector.get(), image.get())


def test_sparse_functions_by_scipy():
    h = scipy.sparse.csc_matrix(np.array([[2.0, 1, 0], [0, 4, 0], [0, 0, 1]]))
    d = xs.csc_matrix(h)
    np.testing.assert_allclose(xl.inv(d).toarray().get(), np.linalg.inv(h.toarray()))
    np.testing.assert_allclose(xl.expm(d).toarray().get(), scipy.linalg.expm(h.toarray()))
    np.testing.assert_allclose(xl.expm(tb.array(h.toarray())).get(), scipy.linalg.expm(h.toarray()))
    for call in (lambda: xl.inv(tb.eye(2)), lambda: xl.expm(np.eye(2)), lambda: xl.eigs(np.eye(9)),
                 lambda: xl.onenormest("a")):
        with pytest.raises(TypeError):
            call()
