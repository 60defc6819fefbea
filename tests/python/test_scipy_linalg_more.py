"""What SciPy's linear algebra has and CuPy has not: factors, bands, equations of matrices, functions of matrices."""

import warnings

import numpy as np
import pytest
import scipy.linalg as sl
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.linalg as xl

CODES = "f d F D".split()


def close(got, want, factor=1):
    """Arrays of SciPy's dtype and shape, compared by their largest number; anything else is equal."""
    if isinstance(want, tuple):
        assert type(got) is tuple and len(got) == len(want)
        for g, w in zip(got, want):
            close(g, w, factor)
        return
    if not isinstance(want, (np.ndarray, np.generic)):
        assert type(got) is type(want) and got == want
        return
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.shape == want.shape and got.dtype == want.dtype, (got.dtype, want.dtype)
    if want.size:
        limit = factor * (2e-4 if want.dtype.char in "fF" else 1e-9) * (1 + np.abs(want).max())
        np.testing.assert_allclose(got.get(), want, rtol=0, atol=limit)


def numbers(rng, shape, code):
    return (rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if code in "FD" else 0)).astype(code)


def device(x):
    return tuple(map(device, x)) if type(x) is tuple else tb.array(x) if isinstance(x, np.ndarray) else x


def compare(name, *args, factor=1, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = getattr(sl, name)(*args, **options)
    got = getattr(xl, name)(*map(device, args), **options)
    close(got, want, factor)
    return got


seeds = st.integers(0, 2**32 - 1)


# ---- compositions ----------------------------------------------------------------------------------------------------


@given(st.sampled_from(CODES), st.integers(1, 6), st.integers(1, 6), seeds)
def test_polar(code, m, n, seed):
    a = numbers(np.random.default_rng(seed), (m, n), code)
    a[:min(m, n), :min(m, n)] += 9 * np.eye(min(m, n), dtype=code)
    compare("polar", a)
    compare("polar", a, side="left")
    stack = np.stack([a, 2 * a])
    u, p = xl.polar(tb.array(stack))
    close(u[1], sl.polar(2 * a)[0])
    close(p[1], sl.polar(2 * a)[1])


@given(st.sampled_from(CODES), st.integers(1, 6), st.booleans(), seeds)
def test_inverses_of_hermitian_matrices(code, n, lower, seed):
    rng = np.random.default_rng(seed)
    half = numbers(rng, (n, max(n - 1, 1)), code)
    a = half @ half.conj().T + (9 * np.eye(n, dtype=code) if n == 1 else 0)
    for options in {}, {"atol": 1e-2}, {"rtol": 1e-3}, {"atol": 1e-3, "rtol": 1e-3}:
        if code in "dD" or options:
            want, rank = sl.pinvh(a, lower=lower, return_rank=True, **options)
            got, found = xl.pinvh(tb.array(a), lower=lower, return_rank=True, **options)
            close(got, want, 10)
            assert int(found) == rank
    close(xl.pinvh(tb.array(np.stack([a, a])), atol=1e-2)[1], sl.pinvh(a, atol=1e-2), 10)


@pytest.mark.parametrize("name", ["issymmetric", "ishermitian"])
@pytest.mark.parametrize("a", [
    np.array([[1, 2], [2, 1]]), np.array([[1, 2], [3, 1]]), np.array([[1, 2 + 1j], [2 - 1j, 1]]), np.array([[1j]]),
    np.array([[1j, 2j], [2j, 0]]), np.array([[np.nan]]), np.array([[1, np.nan], [np.nan, 1]]),
    np.array([[1, np.inf], [np.inf, 1]]), np.array([[1, np.inf], [-np.inf, 1]]), np.zeros((0, 0)),
    np.array([[1, 1.5], [1.25, 2]], "f"), np.array([[True, False], [True, True]]),
], ids=str)
@pytest.mark.parametrize("options", [{}, {"atol": 0.3}, {"rtol": 0.25}, {"atol": 0, "rtol": 0}], ids=str)
def test_symmetry(name, a, options):
    got = getattr(xl, name)(tb.array(a), **options)
    assert type(got) is bool and got == getattr(sl, name)(a, **options)


def test_symmetry_of_stacks():
    a = np.array([[[1.0, 2], [2, 1]], [[1, 2], [3, 1]]])
    for name in "issymmetric", "ishermitian":
        assert getattr(xl, name)(tb.array(a)).tolist() == [True, False]
        for wrong in tb.zeros((2, 3)), tb.zeros(3):
            with pytest.raises(ValueError, match=name):
                getattr(xl, name)(wrong)


@given(st.sampled_from(CODES), st.integers(1, 6), st.integers(1, 5), st.integers(1, 5), seeds)
def test_subspaces(code, m, n, k, seed):
    rng = np.random.default_rng(seed)
    a, b = numbers(rng, (m, n), code), numbers(rng, (m, k), code)
    compare("subspace_angles", a, b, factor=10)
    near = a + (1e-3 * numbers(rng, (m, n), code)).astype(code)
    compare("subspace_angles", a, near, factor=10)
    square = numbers(rng, (n, n), code) + 9 * np.eye(n, dtype=code)
    compare("orthogonal_procrustes", square, (square @ square).astype(code), factor=10)


@given(st.sampled_from([*CODES, "i", "e"]), st.sampled_from([*CODES, "i"]), st.integers(1, 7), st.integers(1, 7),
       st.sampled_from([None, 1, 3]), st.booleans(), seeds)
def test_products_with_toeplitz_matrices(code, other, m, n, columns, row, seed):
    rng = np.random.default_rng(seed)
    n = n if row else m
    c, r = numbers(rng, m, code.replace("i", "d")), numbers(rng, n, code.replace("i", "d"))
    x = (9 * numbers(rng, n if columns is None else (n, columns), other.replace("i", "d"))).astype(other)
    c, r = (9 * c).astype(code), (9 * r).astype(code)
    compare("matmul_toeplitz", (c, r) if row else c, x, factor=100)


def test_products_with_toeplitz_matrices_that_do_not_match():
    c = tb.ones(3)
    for args in (c, tb.ones(4)), ((c, tb.ones(4)), tb.ones((4, 2, 2))):
        with pytest.raises(ValueError, match="columns"):
            xl.matmul_toeplitz(*args)
    with pytest.raises(ValueError, match="infs or NaNs"):
        xl.matmul_toeplitz(c * tb.nan, c, check_finite=True)


@given(st.sampled_from([*CODES, "i", "e"]), st.sampled_from([*CODES, "i"]), st.integers(1, 7), seeds)
def test_circulant_equations(code, other, n, seed):
    rng = np.random.default_rng(seed)
    c = (numbers(rng, n, code.replace("i", "d")) + 9 * (np.arange(n) == 0)).astype(code)
    b = (9 * numbers(rng, (n, 2), other.replace("i", "d"))).astype(other)
    assert xl.solve_circulant(tb.array(c), tb.array(b)).dtype == sl.solve_circulant(c, b).dtype
    c, b = (x.astype(np.result_type(c, b, "f")) for x in (c, b))  # SciPy transforms each in its own precision
    for right in b, b[:, 0]:
        compare("solve_circulant", c, right, factor=10)
    stack = np.stack([c, c + (np.arange(n) == 0).astype(c.dtype)])
    compare("solve_circulant", stack.T, b, caxis=0, baxis=0, outaxis=-1, factor=10)


def test_circulant_equations_without_solutions():
    c, b = np.ones(3), np.arange(3.0)
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        xl.solve_circulant(tb.array(c), tb.array(b))
    compare("solve_circulant", c, b, singular="lstsq")
    compare("solve_circulant", np.array([1.0, 0.5]), b[:2], singular="lstsq", tol=0.6)
    for wrong in (tb.ones(3), tb.ones(4)), (tb.ones((2, 3)), tb.ones((3, 4))):
        with pytest.raises(ValueError):
            xl.solve_circulant(*wrong)
    with pytest.raises(ValueError, match="'x'"):
        xl.solve_circulant(tb.eye(2)[0], tb.ones(2), singular="x")
    assert xl.solve_circulant(tb.zeros(0), tb.zeros(0)).shape == (0,)


@given(st.sampled_from([*CODES, "i"]), st.integers(0, 5), seeds)
def test_functions_made_of_exponentials(code, n, seed):
    a = numbers(np.random.default_rng(seed), (n, n), code.replace("i", "d"))
    a = (a * 2).astype("i") if code == "i" else a / max(n, 1)
    for name in "cosm", "sinm", "coshm", "sinhm":
        compare(name, a, factor=10)
    if code != "i":  # of small matrices, which have tangents
        for name in "tanm", "tanhm":
            compare(name, a / 4, factor=10)
    if n:
        e = numbers(np.random.default_rng(seed + 1), (n, n), code.replace("i", "d"))
        assert xl.expm_frechet(tb.array(a), tb.array(e))[1].dtype == sl.expm_frechet(a, e)[1].dtype
        a, e = (x.astype(np.result_type(x, "d")) for x in (a, e))  # SciPy has it of single precision, with its digits
        compare("expm_frechet", a, e, factor=10)
        compare("expm_frechet", a, e, compute_expm=False, factor=10)
        close(xl.cosm(tb.array(np.stack([a, a])))[1], sl.cosm(a), 10)


def test_exponential_functions_refuse():
    for call in (lambda: xl.cosm(tb.zeros((2, 3))), lambda: xl.sinhm(tb.zeros(3)),
                 lambda: xl.expm_frechet(tb.zeros((2, 2)), tb.zeros((3, 3))),
                 lambda: xl.expm_frechet(tb.eye(2), tb.eye(2), method="x")):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        xl.sinm(np.eye(2))


@pytest.mark.parametrize("s, m, n", [([1, 2], 2, 3), ([1.0, 2.0], 3, 2), ([1j], 1, 1), ([], 0, 3), ([1, 2], 2, 2)])
def test_matrices_of_singular_values(s, m, n):
    compare("diagsvd", np.array(s), m, n)
    assert xl.diagsvd(tb.ones((4, 2)), 2, 3).shape == (4, 2, 3)
    for wrong in ([1, 2], 3, 3), ([1, 2], 2, 1):
        with pytest.raises(ValueError, match="diagsvd"):
            xl.diagsvd(tb.array(wrong[0]), *wrong[1:])


@pytest.mark.parametrize("name", ["pascal", "invpascal", "invhilbert"])
def test_matrices_of_binomial_coefficients(name):
    for exact in True, False:
        for n in 0, 1, 5, 12:
            want = getattr(sl, name)(n, exact=exact)
            got = getattr(xl, name)(n, exact=exact)
            assert got.dtype == want.dtype and (got.get() == want).all() and got.shape == want.shape
    with pytest.raises(ValueError, match="n=40"):
        getattr(xl, name)(40, exact=True)


# ---- SciPy's own -----------------------------------------------------------------------------------------------------


def banded(rng, n, code):
    """Diagonals of a matrix that is diagonally dominant, one below and two above."""
    ab = numbers(rng, (4, n), code)
    ab[2] += 9
    return ab


@given(st.sampled_from(CODES), st.integers(3, 8), st.booleans(), seeds)
def test_bands(code, n, lower, seed):
    rng = np.random.default_rng(seed)
    b = numbers(rng, (n, 2), code)
    compare("solve_banded", (1, 2), banded(rng, n, code), b)
    ab = numbers(rng, (2, n), code)
    ab[0 if lower else 1] = 9
    compare("solveh_banded", ab, b, lower=lower)
    factor = compare("cholesky_banded", ab, lower=lower)
    close(xl.cho_solve_banded((factor, lower), tb.array(b)), sl.cho_solve_banded((factor.get(), lower), b))
    compare("eigvals_banded", ab, lower=lower)
    compare("eig_banded", ab, lower=lower, eigvals_only=True, select="i", select_range=(0, 1))
    w, v = xl.eig_banded(tb.array(ab), lower=lower)
    assert v.shape == (n, n) and v.dtype == code
    d, e = numbers(rng, n, code.lower()), numbers(rng, n - 1, code.lower())
    compare("eigvalsh_tridiagonal", d, e)
    compare("eigh_tridiagonal", d, e, eigvals_only=True, select="v", select_range=(0.0, 2.0))
    w, v = xl.eigh_tridiagonal(tb.array(d), tb.array(e))
    a = np.diag(d) + np.diag(e, 1) + np.diag(e, -1)
    np.testing.assert_allclose(a @ v.get(), v.get() * w.get(), atol=1e-3 if code in "fF" else 1e-9)


@given(st.sampled_from(CODES), st.integers(1, 5), seeds)
def test_decompositions_on_the_host(code, n, seed):
    rng = np.random.default_rng(seed)
    a, b = numbers(rng, (n, n), code), numbers(rng, (n, n), code)
    limit = 1e-3 if code in "fF" else 1e-8
    t, z = (x.get() for x in xl.schur(tb.array(a)))
    np.testing.assert_allclose(z @ t @ z.conj().T, a, atol=limit)
    t, z = (x.get() for x in xl.rsf2csf(*xl.schur(tb.array(a))))
    np.testing.assert_allclose(z @ t @ z.conj().T, a, atol=limit)
    assert t.dtype.kind == "c" and (np.tril(t, -1) == 0).all()
    t, z, count = xl.schur(tb.array(a), output="complex", sort=lambda x: x.real > 0)
    assert type(count) is int and count == (np.linalg.eigvals(a).real > 0).sum()
    h, q = (x.get() for x in xl.hessenberg(tb.array(a), calc_q=True))
    np.testing.assert_allclose(q @ h @ q.conj().T, a, atol=limit)
    left, right, q, z = (x.get() for x in xl.qz(tb.array(a), tb.array(b)))
    np.testing.assert_allclose(q @ left @ z.conj().T, a, atol=limit)
    np.testing.assert_allclose(q @ right @ z.conj().T, b, atol=limit)
    assert len(xl.ordqz(tb.array(a), tb.array(b), output="complex")) == 6
    lower, d, perm = (x.get() for x in xl.ldl(tb.array(a + a.conj().T)))
    np.testing.assert_allclose(lower @ d @ lower.conj().T, a + a.conj().T, atol=limit)
    assert (np.triu(lower[perm], 1) == 0).all()
    r, q = (x.get() for x in xl.rq(tb.array(a)))
    np.testing.assert_allclose(r @ q, a, atol=limit)
    product, r = (x.get() for x in xl.qr_multiply(tb.array(a), tb.array(b)))
    np.testing.assert_allclose(b @ a, product @ (sl.qr(a)[0].conj().T @ a), atol=10 * limit)
    compare("matrix_balance", a)
    compare("matrix_balance", a, separate=True)


def test_real_blocks_of_conjugate_eigenvalues():
    a = np.array([[0.0, 2, 1], [-2, 0, 3], [0, 0, 5]])
    compare("cdf2rdf", *np.linalg.eig(a))


@given(st.sampled_from(CODES), st.integers(1, 5), st.integers(1, 4), seeds)
def test_equations_of_matrices(code, n, k, seed):
    rng = np.random.default_rng(seed)
    a = numbers(rng, (n, n), code) + 9 * np.eye(n, dtype=code)
    b = numbers(rng, (k, k), code) + 9 * np.eye(k, dtype=code)
    compare("solve_sylvester", a, b, numbers(rng, (n, k), code))
    q = a @ a.conj().T
    compare("solve_continuous_lyapunov", a, q)
    compare("solve_discrete_lyapunov", (a / 40).astype(code), q)
    assert xl.solve_lyapunov is xl.solve_continuous_lyapunov
    c, d = (c.lower() if c in "fd" else "D" for c in "dD")
    a, b = numbers(rng, (n, n), "d"), numbers(rng, (n, k), "d")
    q, r = np.eye(n), np.eye(k)
    for name in "solve_continuous_are", "solve_discrete_are":
        try:
            getattr(sl, name)(a, b, q, r)
        except np.linalg.LinAlgError:
            with pytest.raises(np.linalg.LinAlgError):
                getattr(xl, name)(*map(tb.array, (a, b, q, r)))
        else:
            compare(name, a, b, q, r, factor=1e3)


def test_toeplitz_equations():
    c, r, b = np.array([4.0, 1, 2]), np.array([0, 1, 0.5]), np.arange(6.0).reshape(3, 2)
    compare("solve_toeplitz", c, b)
    compare("solve_toeplitz", (c, r), b[:, 0])
    with pytest.raises(np.linalg.LinAlgError):
        xl.solve_toeplitz(tb.ones(3), tb.ones(3))


def test_functions_of_matrices_on_the_host():
    a = np.array([[5.0, 2.0], [1.0, 4.0]])
    compare("signm", a - 4 * np.eye(2))
    compare("fractional_matrix_power", a, 0.3)
    compare("funm", a, lambda x: x * x)
    compare("expm_cond", a)
    stack = np.stack([a, a @ a])
    want = np.stack([sl.fractional_matrix_power(x, 0.5) for x in stack])
    close(xl.fractional_matrix_power(tb.array(stack), 0.5), want)
    close(xl.signm(tb.array(-stack)), -np.stack([np.eye(2)] * 2))
    assert xl.schur(tb.eye(2, dtype="e"))[0].dtype == "f"


def test_names_and_arguments():
    assert xl.LinAlgError is np.linalg.LinAlgError and xl.LinAlgWarning is sl.LinAlgWarning
    for name in "schur", "hessenberg", "rq", "matrix_balance", "expm_cond", "signm":
        with pytest.raises(TypeError, match=name):
            getattr(xl, name)(np.eye(2))
        with pytest.raises(ValueError):
            getattr(xl, name)(tb.zeros(3))
    with pytest.raises(TypeError, match="solve_sylvester"):
        xl.solve_sylvester(tb.eye(2), 1.0, tb.eye(2))


@pytest.mark.parametrize("dtype", "efdFDi")
@pytest.mark.parametrize("n", [31, 40])
def test_what_scipy_computes_of_larger_matrices(n, dtype):
    rng = np.random.default_rng(n)
    a, b = ((4 * rng.standard_normal((n, n))).astype(dtype) for _ in range(2))
    hermitian = a + a.conj().T
    definite = (np.eye(n) * 4 * n + hermitian).astype(dtype)
    as_scipys = [x.astype("f") if dtype == "e" else x for x in (hermitian, definite)]
    tol = 2e-3 if dtype in "efF" else 1e-8
    whole = sl.eigh(*as_scipys[:1])[0]
    for pair in (1, 2):
        on_device = [tb.array(x) for x in (hermitian, definite)[:pair]]
        for options in ({"subset_by_index": [1, 3]}, {"subset_by_value": [0, float(whole[-1]) + 1]}):
            w, v = xl.eigh(*on_device, **options)
            want = sl.eigh(*as_scipys[:pair], **options, eigvals_only=True)
            assert isinstance(w, tb.ndarray) and w.dtype == want.dtype and v.shape == (n, len(want))
            np.testing.assert_allclose(w.get(), want, tol, tol * abs(want).max())
            np.testing.assert_allclose(xl.eigvalsh(*on_device, **options).get(), want, tol, tol * abs(want).max())
            left = hermitian @ v.get()
            right = (definite @ v.get() if pair == 2 else v.get()) * w.get()
            np.testing.assert_allclose(left, right, atol=tol * abs(left).max())
    bad = tb.array(hermitian).astype("d") * tb.nan if dtype not in "FD" else tb.array(hermitian) * tb.nan
    with pytest.raises(ValueError):
        xl.eigh(bad, subset_by_index=[0, 1])
    if dtype == "e":
        return
    a, b = a / (a.dtype.type(8) if dtype != "i" else 9.0), b
    for compute in (True, False):
        got = xl.expm_frechet(tb.array(a), tb.array(b), compute_expm=compute)
        want = sl.expm_frechet(a, b, compute_expm=compute)
        for x, y in zip(got, want, strict=True) if compute else ((got, want),):
            assert isinstance(x, tb.ndarray) and x.dtype == y.dtype
            np.testing.assert_allclose(x.get(), y, 1e-7, 1e-7 * abs(y).max())
