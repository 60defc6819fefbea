"""tombacx.scipy.linalg's factors, equations and functions of matrices against SciPy's; tombacx.linalg, tombacx.lapack
and tombacx.cusolver against NumPy's."""

import numpy as np
import pytest
import scipy.linalg as sl
from hypothesis import given
from hypothesis import strategies as st
from matrices import as_worked, eps, hermitian, near, numbers, regular, stacks, unchanged

import tombac as tb
import tombacx
import tombacx.cusolver as cu
import tombacx.lapack as lapack
import tombacx.linalg as xlin
import tombacx.scipy.linalg as xl

LinAlgError = np.linalg.LinAlgError


def size(a):
    return float(np.abs(a).max()) if a.size else 1.0


# ---- LU --------------------------------------------------------------------------------------------------------------


@given(stacks())
def test_lu(pair):
    h, x = pair
    a = as_worked(h)
    if h.size == 0:
        m, n = h.shape[-2:]
        k = min(m, n)
        assert [p.shape[-2:] for p in xl.lu(x)] == [(m, m), (m, k), (k, n)]
        return
    if h.dtype.kind == "c" and tb.config.backend() != "cpu":
        return  # which of two complex pivots is larger is not what LAPACK says it is
    for options in ({}, {"permute_l": True}, {"p_indices": True}):
        for got, want in zip(xl.lu(x, **options), sl.lu(a, **options), strict=True):
            if want.dtype.kind == "i":
                np.testing.assert_array_equal(got.get(), want)
                assert got.dtype == np.int32
            else:  # SciPy's permutation of one row has the matrix's dtype
                near(got, want.real if got.dtype.kind == "f" else want, size(h))
    unchanged(x, h)


@given(stacks(codes="ldFD"), st.integers(0, 2))
def test_lu_makes_the_matrix(pair, kind):
    h, x = pair
    if kind == 0:
        p, low, up = xl.lu(x)
        product = p.astype(low.dtype) @ low @ up
    elif kind == 1:
        product = tb.matmul(*xl.lu(x, permute_l=True))
    else:
        p, low, up = xl.lu(x, p_indices=True)
        product = tb.take_along_axis(low, p[..., None], -2) @ up
    near(product, as_worked(h), 10 * size(h))


@given(stacks(regular, square=True, codes="lfdFD"), st.sampled_from([0, 1, 2, "N", "T", "C"]), st.integers(0, 2))
def test_lu_solve(pair, trans, columns):
    h, x = pair
    a = as_worked(h)
    b = numbers(np.dtype("d"), (h.shape[-1], columns) if columns else h.shape[-1:], np.random.default_rng(0))
    turned = {0: a, 1: np.swapaxes(a, -1, -2), 2: np.swapaxes(a, -1, -2).conj()}["NTC".index(trans) if trans in (
        "N", "T", "C") else trans]
    want = np.linalg.solve(turned.astype(np.result_type(a, "d")), b)
    near(xl.lu_solve(xl.lu_factor(x), tb.array(b), trans), want, eps(a.dtype) / eps(want.dtype))


@pytest.mark.parametrize("f", [
    lambda a: xl.lu(a), lambda a: xl.lu_factor(a), lambda a: xl.lu_solve((a, tb.zeros(2, "i")), tb.ones(2)),
    lambda a: xl.solve_triangular(a, tb.ones(2), check_finite=True), lambda a: xl.cho_solve((a, True), tb.ones(2)),
    lambda a: xl.cholesky(a), lambda a: xl.cho_factor(a), lambda a: xl.null_space(a),
])  # fmt: skip
def test_what_is_not_finite(f):
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="infs or NaNs"):
            f(tb.array([[1.0, 0.0], [bad, 1.0]]))
    f(tb.eye(2))
    with pytest.raises(TypeError):
        f(np.eye(2))


def test_arguments_of_lu():
    for f in (xl.lu, xl.lu_factor):
        with pytest.raises(LinAlgError, match="lu"):
            f(tb.ones(3))
        f(tb.full((2, 2), np.nan), check_finite=False)
    factors = xl.lu_factor(tb.eye(3))
    for bad in (3, "X", None, [0]):
        with pytest.raises(ValueError, match="lu_solve: trans"):
            xl.lu_solve(factors, tb.ones(3), bad)
        with pytest.raises(ValueError, match="solve_triangular: trans"):
            xl.solve_triangular(tb.eye(3), tb.ones(3), bad)
    with pytest.raises(ValueError, match="lu_solve"):
        xl.lu_solve(factors, tb.ones(4))
    with pytest.raises(LinAlgError, match="lu_solve"):
        xl.lu_solve(xl.lu_factor(tb.ones((2, 3))), tb.ones(2))


# ---- triangles -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("code", "lefdFD")
def test_solve_triangular(code, unit, lower, trans):
    rng = np.random.default_rng(0)
    a = regular(np.dtype(code), (5, 5), rng)
    if unit:
        a = (a / 64).astype(a.dtype if a.dtype.kind != "i" else "d")
    worked = as_worked(a)
    for shape in ((5,), (5, 2), (5, 5), (5, 0)):
        b = numbers(worked.dtype, shape, rng)
        want = sl.solve_triangular(worked, b, trans=trans, lower=lower, unit_diagonal=unit)
        near(xl.solve_triangular(tb.array(a), tb.array(b), trans, lower, unit), want, 10 * size(want))


@pytest.mark.parametrize("a, b", [
    ((3, 3, 3), (3,)), ((8, 3, 3), (3, 2)), ((3, 3), (8, 3, 2)), ((2, 1, 3, 3), (4, 3, 2)),
], ids=str)  # fmt: skip
def test_stacks_of_triangles(a, b):
    rng = np.random.default_rng(0)
    left, right = regular(np.dtype("d"), a, rng), rng.standard_normal(b)
    want = np.linalg.solve(np.triu(left), right)
    near(xl.solve_triangular(tb.array(left), tb.array(right)), want)


def test_stacks_of_vectors():
    rng = np.random.default_rng(0)
    for stack in ((4,), (3,), (2, 4)):
        left, right = regular(np.dtype("d"), (*stack, 3, 3), rng), rng.standard_normal((*stack, 3))
        want = np.linalg.solve(np.tril(left), right[..., None])[..., 0]
        near(xl.solve_triangular(tb.array(left), tb.array(right), lower=True), want)


@pytest.mark.parametrize("a, b", [
    ((2, 3), (4,)), ((3, 3), (2,)), ((3, 3), (2, 2)), ((3, 3, 4), (3,)), ((3, 3, 3), (2, 3)), ((3,), (3,)),
], ids=str)  # fmt: skip
def test_triangles_of_other_shapes(a, b):
    with pytest.raises(ValueError, match="solve_triangular"):
        xl.solve_triangular(tb.ones(a), tb.ones(b))


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("code", "lfdFD")
def test_cholesky(code, lower):
    h = hermitian(np.dtype(code), (4, 4), np.random.default_rng(0))
    b = numbers(as_worked(h).dtype, (4, 2), np.random.default_rng(1))
    near(xl.cholesky(tb.array(h), lower), sl.cholesky(as_worked(h), lower), size(h))
    factor = xl.cho_factor(tb.array(h), lower)
    assert factor[1] is lower
    near(xl.cho_solve(factor, tb.array(b)), sl.cho_solve(sl.cho_factor(as_worked(h), lower), b))
    near(xlin.cho_solve(factor, tb.array(b[:, 0])), sl.cho_solve(sl.cho_factor(as_worked(h), lower), b[:, 0]))


@given(stacks(hermitian, square=True))
def test_invh(pair):
    h, x = pair
    near(xlin.invh(x), np.linalg.inv(as_worked(h)))
    unchanged(x, h)


def test_invh_of_what_is_not_positive_definite():
    with tombacx.errstate(linalg="raise"), pytest.raises(LinAlgError, match="positive definite"):
        xlin.invh(-tb.eye(2))
    for shape in ((3,), (2, 3)):
        with pytest.raises(LinAlgError, match="invh"):
            xlin.invh(tb.ones(shape))


# ---- functions of matrices -------------------------------------------------------------------------------------------


@given(stacks(square=True, codes="bIlefdFD", max_side=4), st.sampled_from([1e-4, 0.01, 0.1, 1.0, 3.0]))
def test_expm(pair, factor):
    h, x = pair
    if h.dtype.kind in "fc" and h.dtype != "e":
        h, x = h * h.dtype.type(factor), x * x.dtype.type(factor)
    else:
        h, x = h % 3, x % 3
    want = sl.expm(as_worked(h)) if h.size else as_worked(h)
    near(xl.expm(x), want, 100 * size(want))
    unchanged(x, h)


def test_expm_of_stacks_that_differ():
    h = np.stack([np.zeros((3, 3)), np.eye(3) * 20, np.full((3, 3), 1e-3), np.full((3, 3), np.nan)])
    got = xl.expm(tb.array(h)).get()
    for g, a in zip(got[:3], h, strict=False):
        np.testing.assert_allclose(g, sl.expm(a), rtol=1e-13, atol=1e-15)
    assert np.isnan(got[3]).all()
    assert np.isnan(xl.expm(tb.array([[1.0, np.inf], [0, 1]])).get()).all()


@pytest.mark.parametrize("code", "fdFD")
def test_expm_of_larger_matrices(code):
    rng = np.random.default_rng(0)
    a = numbers(np.dtype(code), (60, 60), rng)
    skew = (a - a.T.conj()) / 30
    u = xl.expm(tb.array(skew))
    np.testing.assert_allclose((u @ u.T.conj()).get(), np.eye(60), atol=300 * eps(code))
    near(u, sl.expm(skew), 30)
    assert xl.expm(tb.array([[-1000.0, 0], [0, -2000.0]])).get().max() == 0


def test_arguments_of_expm():
    for shape in ((3,), (2, 3)):
        with pytest.raises(ValueError, match="expm"):
            xl.expm(tb.ones(shape))
    with pytest.raises(TypeError, match="expm"):
        xl.expm(np.eye(2))


@pytest.mark.parametrize("code", "lfdFD")
@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (5, 5), (3, 0), (0, 3)], ids=str)
def test_bases(shape, code):
    rng = np.random.default_rng(0)
    k = min(*shape, 2)
    h = numbers(np.dtype(code), (shape[0], k), rng) @ numbers(np.dtype(code), (k, shape[1]), rng)
    basis, null = xl.orth(tb.array(h)), xl.null_space(tb.array(h))
    assert basis.shape == (shape[0], k) and null.shape == (shape[1], shape[1] - k)
    near(basis.T.conj() @ basis, np.eye(k, dtype=basis.dtype))
    near(null.T.conj() @ null, np.eye(null.shape[1], dtype=null.dtype))
    if h.size:
        np.testing.assert_allclose(h @ null.get(), 0, atol=200 * eps(code) * size(h))
        near(basis @ (basis.T.conj() @ tb.array(as_worked(h))), as_worked(h), size(h))
    for f in (xl.orth, xl.null_space):
        with pytest.raises(LinAlgError, match=f.__name__):
            f(tb.ones(3))


def test_rank_that_is_chosen():
    a = tb.array(np.diag([1.0, 1e-3]))
    assert xl.orth(a).shape == (2, 2) and xl.orth(a, 1e-2).shape == (2, 1)
    assert xl.null_space(a).shape == (2, 0) and xl.null_space(a, 1e-2).shape == (2, 1)


# ---- routines by their names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("columns", [None, 1, 3])
def test_equations_by_name(code, columns):
    rng, dtype = np.random.default_rng(0), np.dtype(code)
    shape = (5,) if columns is None else (5, columns)
    b = numbers(dtype, shape, rng)
    square, definite = regular(dtype, (5, 5), rng), hermitian(dtype, (5, 5), rng)
    for f in (lapack.gesv, cu.gesv):
        near(f(tb.array(square), tb.array(b)), np.linalg.solve(square, b))
    near(lapack.posv(tb.array(definite), tb.array(b)), np.linalg.solve(definite, b))
    for lower in (True, False):
        factor = tb.linalg.cholesky(tb.array(definite), upper=not lower)
        near(lapack.potrs(factor, tb.array(b), lower), np.linalg.solve(definite, b))
    tall = np.concatenate((square, numbers(dtype, (4, 5), rng)))
    right = numbers(dtype, (9, *shape[1:]), rng)
    for f in (lapack.gels, cu.gels):
        near(f(tb.array(tall), tb.array(right)), np.linalg.lstsq(tall, right)[0], 10)
        near(f(tb.array(square), tb.array(b)), np.linalg.solve(square, b))
    wide = tall.T.copy()
    near(lapack.gels(tb.array(wide), tb.array(b)), np.linalg.lstsq(wide, b)[0], 10)


def test_stacks_by_name():
    rng = np.random.default_rng(0)
    h = hermitian(np.dtype("d"), (2, 3, 4, 4), rng)
    for shape in ((2, 3, 4), (2, 3, 4, 2)):
        b = rng.standard_normal(shape)
        want = np.linalg.solve(h, b.reshape(2, 3, 4, -1)).reshape(shape)
        near(lapack.posv(tb.array(h), tb.array(b)), want)
        near(lapack.potrs(tb.linalg.cholesky(tb.array(h)), tb.array(b), True), want)
    for f in (lapack.posv, lambda a, b: lapack.potrs(a, b, True)):
        with pytest.raises(ValueError, match="po"):
            f(tb.array(h), tb.ones((2, 4)))


@pytest.mark.parametrize("f", [lapack.gesv, lapack.gels, cu.gesv, cu.gels, lambda a, b: lapack.potrs(a, b, True)])
def test_arguments_by_name(f):
    eye = tb.eye(3)
    for a, b in ((eye, tb.ones(3, "f")), (tb.eye(3, dtype="i"), tb.ones(3, "i")), (eye, tb.ones(4)), (eye, tb.ones(())),
                 (tb.ones(3), tb.ones(3))):
        with pytest.raises(ValueError):
            f(a, b)
    with pytest.raises(TypeError):
        f(np.eye(3), np.ones(3))


@given(stacks(codes="fdFD"), st.booleans())
def test_gesvdj(pair, full):
    h, x = pair
    u, s, v = cu.gesvdj(x, full)
    want = np.linalg.svd(h, full)
    assert u.shape == want.U.shape and v.shape == np.swapaxes(want.Vh, -1, -2).shape
    near(s, want.S, 4 * size(h))
    near(cu.gesvdj(x, compute_uv=False), want.S, 4 * size(h))
    k = s.shape[-1]
    near((u[..., :k] * s[..., None, :]) @ v[..., :k].swapaxes(-1, -2).conj(), h, 4 * size(h))


def test_gesvda_and_syevj():
    rng = np.random.default_rng(0)
    h = rng.standard_normal((2, 5, 3))
    u, s, v = cu.gesvda(tb.array(h))
    near((u * s[..., None, :]) @ v.swapaxes(-1, -2), h, 4)
    near(cu.gesvda(tb.array(h), compute_uv=False), s.get())
    with pytest.raises(ValueError, match="gesvda"):
        cu.gesvda(tb.ones((3, 5)))
    g = hermitian(np.dtype("D"), (2, 3, 3), rng)
    w, vectors = cu.syevj(tb.array(g), "U")
    near(w, np.linalg.eigvalsh(g), size(g))
    near(tb.array(g) @ vectors, (vectors * w[..., None, :]).get(), size(g))
    values, none = cu.syevj(tb.array(g), with_eigen_vector=False)
    assert none is None
    near(values, w.get())
    for f in (cu.gesvdj, cu.gesvda):
        with pytest.raises(ValueError, match=f.__name__):
            f(tb.ones((3, 3), "i"))


def test_routines_that_there_are():
    assert all(map(cu.check_availability, ["gels", "gesv", "gesvda", "gesvdj", "syevj", "potrfBatched"]))
    assert cu.check_availability("csrlsvqr")
    with pytest.raises(ValueError, match="getrf"):
        cu.check_availability("getrf")
