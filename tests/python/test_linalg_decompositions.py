"""Cholesky, QR, singular values and eigenvalues against NumPy: what they multiply to, their shapes and dtypes."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import assume, given
from hypothesis import strategies as st
from matrices import as_worked, eps, hermitian, near, numbers, regular, stacks, unchanged, worked_on

import tombac as tb
import tombacx

L = tb.linalg
LinAlgError = np.linalg.LinAlgError


def adjoint(a):
    return np.swapaxes(a, -1, -2).conj()


def arrays(result):
    return result if isinstance(result, tuple) else (result,)


def size(a):
    return float(np.abs(a).max()) if a.size else 1.0


def numbers_of(rng, shape, code):
    h = rng.standard_normal(shape)
    return (h + 1j * rng.standard_normal(shape) if code in "FD" else h).astype(code)


def orthonormal(q, dtype):
    q = q.get()
    n = q.shape[-1]
    np.testing.assert_allclose(adjoint(q) @ q, np.broadcast_to(np.eye(n), (*q.shape[:-2], n, n)), atol=130 * eps(dtype))


# ---- Cholesky --------------------------------------------------------------------------------------------------------


@given(stacks(hermitian, square=True), st.booleans())
def test_cholesky(pair, upper):
    h, x = pair
    near(L.cholesky(x, upper=upper), np.linalg.cholesky(as_worked(h), upper=upper), size(h))
    unchanged(x, h)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("code", "fdFD")
def test_cholesky_reads_one_triangle(code, upper):
    h = hermitian(np.dtype(code), (2, 4, 4), np.random.default_rng(0))
    spoilt = np.where(np.tri(4, k=-1 if upper else 0, dtype=bool) != upper, h, np.nan).astype(code)
    near(L.cholesky(tb.array(spoilt), upper=upper), np.linalg.cholesky(h, upper=upper), size(h))


@pytest.mark.parametrize("code", "fdFD")
def test_cholesky_of_what_is_not_positive_definite(code):
    h = np.stack([np.eye(3), np.diag([1.0, -1, 1]), 2 * np.eye(3)]).astype(code)
    got = L.cholesky(tb.array(h)).get()
    np.testing.assert_array_equal(got[0], np.eye(3))
    assert np.isnan(got[1][1, 1])
    with tombacx.errstate(linalg="raise"), pytest.raises(LinAlgError, match="cholesky: .*not positive definite"):
        L.cholesky(tb.array(h))
    near(L.cholesky(tb.array(h[::2])), np.linalg.cholesky(h[::2]))


# ---- QR --------------------------------------------------------------------------------------------------------------


@given(stacks(), st.sampled_from(["reduced", "complete"]))
def test_qr(pair, mode):
    h, x = pair
    want = np.linalg.qr(as_worked(h), mode)
    q, r = result = L.qr(x, mode)
    assert result.Q is q and result.R is r
    for got, numpy in zip(result, want, strict=True):
        near(got, numpy, 4 * size(h))
    orthonormal(q, h.dtype)
    np.testing.assert_allclose((q @ r).get(), as_worked(h), atol=100 * eps(h.dtype) * size(h))
    unchanged(x, h)


def decides(h):
    """Whether a matrix has but one QR: else rounding chooses reflectors."""
    k = min(h.shape[-2:])
    return h.size > 0 and bool((np.linalg.matrix_rank(as_worked(h)[..., :k]) == k).all())


@given(stacks())
def test_qr_without_q(pair):
    h, x = pair
    assume(decides(h))
    near(L.qr(x, "r"), np.linalg.qr(as_worked(h), "r"), 4 * size(h))


@given(stacks())
def test_qr_raw(pair):
    h, x = pair
    assume(decides(h))
    for got, numpy in zip(L.qr(x, "raw"), np.linalg.qr(as_worked(h), "raw"), strict=True):
        near(got, numpy, 4 * size(h))


@pytest.mark.parametrize("shape", [(70, 3), (3, 70), (200, 200), (300, 40)], ids=str)
@pytest.mark.parametrize("mode", ["reduced", "complete"])
def test_qr_of_larger_matrices(shape, mode):
    h = np.random.default_rng(0).standard_normal(shape)
    q, r = L.qr(tb.array(h), mode)
    near(q @ r, h, 10)
    orthonormal(q, "d")
    assert (tb.tril(r, -1) == 0).all()


# ---- singular values -------------------------------------------------------------------------------------------------


@given(stacks(), st.booleans())
def test_svd(pair, full):
    h, x = pair
    a = as_worked(h)
    numpy = np.linalg.svd(a, full)
    u, s, vh = result = L.svd(x, full)
    assert result.U is u and result.S is s and result.Vh is vh
    assert [(p.shape, p.dtype) for p in result] == [(p.shape, p.dtype) for p in numpy]
    near(s, numpy[1], 4 * size(h))
    orthonormal(u, h.dtype)
    orthonormal(vh.swapaxes(-1, -2), h.dtype)
    k = s.shape[-1]
    product = (u.get()[..., :k] * s.get()[..., None, :]) @ vh.get()[..., :k, :]
    np.testing.assert_allclose(product, a, atol=100 * eps(h.dtype) * size(h))
    unchanged(x, h)


@given(stacks())
def test_singular_values(pair):
    h, x = pair
    want = np.linalg.svd(as_worked(h), compute_uv=False)
    near(L.svd(x, compute_uv=False), want, 4 * size(h))
    near(L.svdvals(x), want, 4 * size(h))


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("shape", [(20, 20), (40, 40), (70, 64), (50, 100), (130, 130)])
def test_singular_values_of_larger_matrices_keep_their_digits(shape, code):
    """Of one sign, near a lower rank, and of one: each is worked on in another way on a GPU."""
    rng = np.random.default_rng(0)
    few = min(shape) // 2
    normal = numbers_of(rng, shape, code)
    near_few = numbers_of(rng, (shape[0], few), code) @ numbers_of(rng, (few, shape[1]), code)
    for h in (np.stack([normal, normal + 10]), near_few, np.ones(shape, code), np.zeros(shape, code)):
        want = np.linalg.svd(h.astype("D"), compute_uv=False)
        most = 200 * eps(code) * max(1, want.max())  # of ones a host's float32 has lost 70
        u, s, vh = L.svd(tb.array(h), full_matrices=False)
        for got in (s, L.svdvals(tb.array(h))):
            np.testing.assert_allclose(got.get(), want, atol=most)
        orthonormal(u, code)
        orthonormal(vh.swapaxes(-1, -2), code)
        np.testing.assert_allclose((u.get() * s.get()[..., None, :]) @ vh.get(), h, atol=most)


@given(stacks(hermitian, square=True, codes="lfdFD"))
def test_svd_of_hermitian_matrices(pair):
    h, x = pair
    h, x = h - (30 * h.shape[-1] * np.eye(h.shape[-1])).astype(h.dtype), x - x.dtype.type(30 * h.shape[-1]) * tb.eye(
        h.shape[-1], dtype=x.dtype)
    u, s, vh = L.svd(x, hermitian=True)
    near(s, np.linalg.svd(as_worked(h), compute_uv=False), 8 * size(h))
    near(L.svd(x, compute_uv=False, hermitian=True), s.get(), 8 * size(h))
    product = (u.get() * s.get()[..., None, :]) @ vh.get()
    np.testing.assert_allclose(product, as_worked(h), atol=100 * eps(h.dtype) * size(h))
    orthonormal(vh.swapaxes(-1, -2), h.dtype)


def test_svd_of_a_hermitian_matrix_without_full_rank():
    u, _, vh = L.svd(tb.array(np.diag([0.0, -2, 0, 1])), hermitian=True)
    orthonormal(u, "d")
    orthonormal(vh, "d")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_svd_that_does_not_converge(bad):
    h = np.ones((2, 3, 3))
    h[1, 1, 1] = bad
    got = L.svdvals(tb.array(h)).get()
    np.testing.assert_allclose(got[0], [3, 0, 0], atol=1e-12)
    assert np.isnan(got[1]).all()
    assert np.isnan(L.svd(tb.array(h)).S.get()[1]).all()
    if bad == np.inf:  # of which LAPACK says nothing
        return
    assert all(np.isnan(p.get()[1]).all() for p in L.svd(tb.array(h)))
    with tombacx.errstate(linalg="raise"), pytest.raises(LinAlgError, match="svd: .*did not converge"):
        L.svd(tb.array(h))


# ---- Hermitian matrices ----------------------------------------------------------------------------------------------


@given(stacks(hermitian, square=True), st.sampled_from("LUlu"))
def test_eigh(pair, triangle):
    h, x = pair
    a = as_worked(h)
    values, vectors = result = L.eigh(x, triangle)
    assert result.eigenvalues is values and result.eigenvectors is vectors
    near(values, np.linalg.eigvalsh(a), size(h))
    near(L.eigvalsh(x, UPLO=triangle), np.linalg.eigvalsh(a), size(h))
    assert vectors.dtype == a.dtype and vectors.shape == a.shape
    orthonormal(vectors, h.dtype)
    v = vectors.get()
    np.testing.assert_allclose(a @ v, v * values.get()[..., None, :], atol=100 * eps(h.dtype) * size(h))
    unchanged(x, h)


@pytest.mark.parametrize("layout", [lambda x: x, lambda x: x.swapaxes(-1, -2).copy().swapaxes(-1, -2)], ids=["C", "F"])
@pytest.mark.parametrize("triangle", "LU")
@pytest.mark.parametrize("code", "fdFD")
def test_eigh_reads_one_triangle(code, triangle, layout):
    h = numbers(np.dtype(code), (2, 5, 5), np.random.default_rng(0))
    x = layout(tb.array(h))
    near(L.eigvalsh(x, triangle), np.linalg.eigvalsh(h, triangle), size(h))
    half = np.tril(h, -1) if triangle == "L" else np.triu(h, 1)
    whole = half + adjoint(half) + np.real(h * np.eye(5))
    values, vectors = (p.get() for p in L.eigh(x, triangle))
    np.testing.assert_allclose(whole @ vectors, vectors * values[..., None, :], atol=100 * eps(code) * size(h))


@pytest.mark.parametrize("function", ["eigh", "eigvalsh"])
def test_eigh_names_its_triangle(function):
    for bad in ("X", "", None, 1):
        with pytest.raises(ValueError, match=f"{function}: UPLO must be 'L' or 'U'"):
            getattr(L, function)(tb.eye(2), bad)


# ---- any square matrices ---------------------------------------------------------------------------------------------


def by_value(w):
    """In an order that does not depend on rounding."""
    return np.take_along_axis(w, np.lexsort((np.round(w.imag, 1), np.round(w.real, 1)), axis=-1), -1)


@given(stacks(square=True))
def test_eig(pair):
    h, x = pair
    a = as_worked(h)
    values, vectors = result = L.eig(x)
    assert result.eigenvalues is values and result.eigenvectors is vectors
    kind = np.result_type(a.dtype, np.complex64)
    assert values.dtype == vectors.dtype == kind
    assert values.shape == h.shape[:-1] and vectors.shape == h.shape
    w, v = values.get(), vectors.get()
    np.testing.assert_allclose(a @ v, v * w[..., None, :], atol=500 * eps(h.dtype) * size(h))
    if h.size:
        np.testing.assert_allclose(np.linalg.norm(v, axis=-2), 1, atol=100 * eps(h.dtype))
        np.testing.assert_allclose(w.sum(-1), np.trace(a, axis1=-2, axis2=-1), atol=500 * eps(h.dtype) * size(h))
    alone = L.eigvals(x)
    assert alone.dtype == kind and alone.shape == values.shape
    unchanged(x, h)


@given(stacks(regular, square=True, codes="dD", max_side=4))
def test_eigenvalues_are_numpys(pair):
    h, x = pair
    want = np.linalg.eigvals(h).astype("D")
    for got in (L.eigvals(x), L.eig(x).eigenvalues):
        np.testing.assert_allclose(by_value(got.get()), by_value(want), atol=1e-6 * size(h))


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_eig_of_what_is_not_finite(code, bad):
    h = np.ones((2, 3, 3), code)
    h[0, 2, 1] = bad
    w, v = (p.get() for p in L.eig(tb.array(h)))
    assert np.isnan(w[0]).all() and np.isnan(v[0]).all() and np.isfinite(w[1]).all()
    assert np.isnan(L.eigvals(tb.array(h)).get()[0]).all()
    with tombacx.errstate(linalg="raise"), pytest.raises(LinAlgError, match="eig: .*infs or NaNs"):
        L.eig(tb.array(h))


# ---- what they share -------------------------------------------------------------------------------------------------

ONE = ["cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals"]
SQUARE = ["cholesky", "eig", "eigh", "eigvals", "eigvalsh"]


@pytest.mark.parametrize("name", ONE)
def test_what_is_no_matrix(name):
    for x in (tb.ones(()), tb.ones(3)):
        with pytest.raises(LinAlgError, match=f"{x.ndim}-dimensional array given"):
            getattr(L, name)(x)
    for x in (np.eye(2), [[1.0]], 3, None):
        with pytest.raises(TypeError, match=name):
            getattr(L, name)(x)


@pytest.mark.parametrize("name", SQUARE)
def test_what_is_not_square(name):
    for shape in ((2, 3), (0, 3), (4, 3, 2)):
        with pytest.raises(LinAlgError, match="must be square"):
            getattr(L, name)(tb.ones(shape))


def test_modes_of_qr():
    for mode in ("full", "", None, 3):
        with pytest.raises(ValueError, match="qr: unrecognized mode"):
            L.qr(tb.eye(2), mode)


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("order", ["first", "last"])
def test_large_stacks(name, order):
    h = hermitian(np.dtype("d"), (10_000, 3, 3), np.random.default_rng(0))
    x = tb.array(h) if order == "last" else tb.array(np.moveaxis(h, 0, -1).copy()).transpose(2, 0, 1)
    got = arrays(getattr(L, name)(x))
    pick = [0, 1, 4999, 5000, 9999]
    for g, w in zip(got, arrays(getattr(L, name)(tb.array(h[pick]))), strict=True):
        np.testing.assert_array_equal(g.get()[pick], w.get())


@pytest.mark.parametrize("code", "fD")
def test_large_matrices(code):
    rng = np.random.default_rng(0)
    h = rng.standard_normal((300, 300)).astype(code)
    if h.dtype.kind == "c":
        h += 1j * rng.standard_normal((300, 300))
    a = tb.array(h)
    scale = 300 * eps(code)
    u, s, vh = L.svd(a)
    np.testing.assert_allclose(((u * s) @ vh).get(), h, atol=scale * 20)
    w, v = L.eigh(a + a.T.conj())
    np.testing.assert_allclose(((v * w) @ v.T.conj()).get(), h + h.T.conj(), atol=scale * 20)
    w, v = L.eig(a)
    np.testing.assert_allclose((a @ v).get(), (v * w).get(), atol=scale * 20)
    c = L.cholesky(a @ a.T.conj() + 300 * tb.eye(300))
    np.testing.assert_allclose((c @ c.T.conj()).get(), h @ h.T.conj() + 300 * np.eye(300), atol=scale * 600)


@pytest.mark.parametrize("name", ONE)
def test_huge_and_tiny_numbers(name):
    h = hermitian(np.dtype("d"), (3, 3), np.random.default_rng(0))
    for factor in (2.0**900, 2.0**-900):
        for g in arrays(getattr(L, name)(tb.array(h * factor))):
            assert tb.isfinite(g).all()
    if name in ("svdvals", "eigvalsh"):
        near(getattr(L, name)(tb.array(h * 2.0**900)) / 2.0**900, getattr(L, name)(tb.array(h)).get())


def test_raw_and_scipys_factors_agree():
    h = np.random.default_rng(0).standard_normal((5, 3))
    got, want = L.qr(tb.array(h), "raw"), scipy.linalg.qr(h, mode="raw")[0]
    near(got[0].T, want[0])
    near(got[1], want[1])


def test_worked_on_knows_the_dtypes():
    for code in "?bHLefdFD":
        assert L.svdvals(tb.ones((2, 2), code)).dtype == worked_on(code).type(0).real.dtype
