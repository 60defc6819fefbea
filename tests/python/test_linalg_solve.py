"""Equations, inverses, determinants, least squares and ranks against NumPy; and what every call of LAPACK has to keep:
inputs, memory, the order of a stream."""

import gc
import time

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st
from matrices import LAYOUTS, as_worked, eps, hermitian, near, numbers, regular, stacks, unchanged, worked_on
from strategies import dtypes

import tombac as tb
import tombacx
from tombac import _core

L = tb.linalg
LinAlgError = np.linalg.LinAlgError


def size(a):
    return float(np.abs(a).max()) if a.size else 1.0


@st.composite
def systems(draw, make=regular):
    """(a, b) of NumPy and of tombac: stacks that broadcast, or a vector, of two dtypes and layouts."""
    ha, xa = draw(stacks(make, square=True))
    dtype, n = draw(dtypes(list("?bIlefdFD"))), ha.shape[-1]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    own = tuple(1 if draw(st.booleans()) else side for side in ha.shape[:-2])
    stack = own[draw(st.integers(0, len(own))) :]
    if draw(st.booleans()):
        shape = (n,)
    else:
        shape = (*stack, n, draw(st.integers(0, 3)))
    hb = numbers(dtype, shape, rng)
    layouts = sorted(LAYOUTS) if len(shape) > 1 else ["pending", "rows"]
    return (ha, xa), (hb, LAYOUTS[draw(st.sampled_from(layouts))](hb))


# ---- equations -------------------------------------------------------------------------------------------------------


@given(systems())
def test_solve(pair):
    (ha, xa), (hb, xb) = pair
    near(L.solve(xa, xb), np.linalg.solve(as_worked(ha), as_worked(hb)))
    unchanged(xa, ha)
    unchanged(xb, hb)


@given(stacks(regular, square=True))
def test_inverse(pair):
    h, x = pair
    near(L.inv(x), np.linalg.inv(as_worked(h)))
    unchanged(x, h)


@pytest.mark.parametrize("n", [1, 33, 300])
@pytest.mark.parametrize("code", "fdFD")
def test_large_systems(code, n):
    rng = np.random.default_rng(0)
    a, b = regular(np.dtype(code), (n, n), rng), numbers(np.dtype(code), (n, 7), rng)
    near(L.solve(tb.array(a), tb.array(b)), np.linalg.solve(a, b))
    near(L.inv(tb.array(a).T), np.linalg.inv(a.T))
    near(L.solve(tb.array(a), tb.array(b[:, 0])), np.linalg.solve(a, b[:, 0]))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (0, 2, 1)], ids=str)
def test_many_small_systems(order):
    rng = np.random.default_rng(0)
    a = regular(np.dtype("d"), (10_000, 3, 3), rng)
    b = numbers(np.dtype("d"), (10_000, 3, 2), rng)
    x = tb.array(a.transpose(order).copy()).transpose(np.argsort(order))
    near(L.solve(x, tb.array(b)), np.linalg.solve(a, b))
    near(L.inv(x), np.linalg.inv(a))
    near(L.det(x), np.linalg.det(a), size(np.linalg.det(a)))
    near(L.solve(x, tb.array(b[0, :, 0])), np.linalg.solve(a, b[0, :, 0]))


@pytest.mark.parametrize("a, b, kind", [
    ((3, 3), (4,), ValueError), ((3, 3), (4, 2), ValueError), ((2, 3, 3), (3, 3, 1), ValueError),
    ((3, 3), (), ValueError), ((2, 3), (2,), LinAlgError), ((3,), (3,), LinAlgError), ((), (3,), LinAlgError),
    ((2, 3, 3), (2, 4, 1), ValueError), ((0, 3), (0,), LinAlgError),
], ids=str)
def test_solve_of_other_shapes(a, b, kind):
    with pytest.raises(kind, match="solve"):
        L.solve(tb.ones(a), tb.ones(b))


def test_solve_of_what_is_no_array():
    for a, b in ((np.eye(2), tb.ones(2)), (tb.eye(2), np.ones(2)), ([[1.0]], tb.ones(1)), (tb.eye(2), 3), (None, None)):
        with pytest.raises(TypeError, match="solve"):
            L.solve(a, b)
    for f in (L.inv, L.det, L.slogdet, L.pinv, L.matrix_rank, L.cond, L.tensorinv):
        with pytest.raises(TypeError, match=f.__name__):
            f(np.eye(2))


@pytest.mark.parametrize("f", [L.inv, L.det, L.slogdet, L.cond], ids=lambda f: f.__name__)
def test_what_is_no_square_matrix(f):
    for shape in ((), (3,), (2, 3), (0, 3), (4, 2, 3)):
        if f is L.cond and len(shape) > 1:
            continue
        with pytest.raises(LinAlgError, match=f.__name__):
            f(tb.ones(shape))


# ---- singular matrices -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", "fdFD")
def test_singular_matrices(code):
    h = np.stack([np.eye(3), np.ones((3, 3)), np.zeros((3, 3))]).astype(code)
    x = tb.array(h)
    for got in (L.inv(x), L.solve(x, tb.ones(3, code))):
        assert np.isfinite(got.get()[0]).all() and not np.isfinite(got.get()[1:]).any(axis=-1).all(axis=None)
    for f in (lambda: L.inv(x), lambda: L.solve(x, tb.ones(3, code))):
        with tombacx.errstate(linalg="raise"), pytest.raises(LinAlgError, match="singular matrix"):
            f()
        with tb.config.strict_indices(True), pytest.raises(LinAlgError, match="singular matrix"):
            f()
    near(L.det(x), np.asarray([1, 0, 0], code))
    sign, log = L.slogdet(x)
    near(sign, np.asarray([1, 0, 0], code))
    np.testing.assert_array_equal(log.get(), [0, -np.inf, -np.inf])
    with tombacx.errstate(linalg="raise"):
        near(L.det(x), np.asarray([1, 0, 0], code))
        near(L.inv(x[0]), h[0])


def test_errors_are_of_a_thread_and_a_block():
    assert tombacx.geterr()["linalg"] == "ignore"
    with tombacx.errstate(linalg="raise"):
        with tombacx.errstate(linalg="ignore"):
            L.inv(tb.zeros((2, 2)))
        with pytest.raises(LinAlgError):
            L.inv(tb.zeros((2, 2)))
    L.inv(tb.zeros((2, 2)))
    with pytest.raises(ValueError, match="linalg"):
        tombacx.seterr(linalg="warn")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_matrices_that_are_not_finite(bad):
    h = np.stack([2 * np.eye(3), np.full((3, 3), bad)])
    for got in (L.inv(tb.array(h)), L.solve(tb.array(h), tb.ones(3))):
        assert np.isfinite(got.get()[0]).all() and np.isnan(got.get()[1]).any()
    assert not np.isfinite(L.det(tb.array(h)).get()[1])


# ---- determinants ----------------------------------------------------------------------------------------------------


@given(stacks(square=True))
def test_determinants(pair):
    h, x = pair
    a = as_worked(h)
    want = np.asarray(np.linalg.det(a))
    scale = float(np.prod(np.linalg.norm(a, axis=-1), axis=-1).max(initial=1))
    near(L.det(x), want, scale)
    sign, log = result = L.slogdet(x)
    assert result.sign is sign and result.logabsdet is log
    assert sign.dtype == want.dtype and log.dtype == want.real.dtype and sign.shape == log.shape == want.shape
    np.testing.assert_allclose(sign.get() * np.exp(log.get()), want, atol=1000 * eps(h.dtype) * scale, rtol=1e-3)
    unchanged(x, h)


@pytest.mark.parametrize("dtype", "fdFD")
def test_determinants_whose_products_leave_the_range_on_the_way(dtype):
    big, n = (1e30, 40) if dtype in "fF" else (1e250, 30)
    unit = np.eye(2 * n, dtype=dtype)
    for values, want in (([big] * n + [1 / big] * n, 1), ([1 / big] * n + [-big] * n, 1), ([2] * 2 * n, 4.0**n),
                         ([big] * n + [0] * n, 0), ([big] * 2 * (n - 1) + [0, -0.0], 0)):
        m = np.diag(np.array(values, dtype))
        got = L.det(tb.array(np.stack([m, unit]))).get()
        np.testing.assert_allclose(got, [want, 1], 1e-5 if dtype in "fF" else 1e-9)
    singular = np.random.default_rng(0).standard_normal((100, 100)).astype(dtype)
    singular[:, 50] = 0
    assert L.det(tb.array(singular)).item() == 0


def test_determinants_need_not_be_looked_at():
    x = tb.array(np.diag([1e-200, 1e-200, 1e250, 1e150, 3.0]))
    with tombacx.allow_synchronize(False):
        results = L.det(x), L.det(x[1:3, 1:3])
    np.testing.assert_allclose([r.item() for r in results], [3, 1e50], 1e-12)


def test_determinants_too_large_for_their_dtype():
    h = np.eye(400) * 100.0
    sign, log = L.slogdet(tb.array(-h[:399, :399]))
    assert sign == -1
    near(log, np.asarray(399 * np.log(100.0)))
    assert L.det(tb.array(h)) == np.inf


# ---- least squares ---------------------------------------------------------------------------------------------------


@given(stacks(codes="?bIlefdFD"), st.integers(-1, 3), dtypes(list("ilefdFD")), st.sampled_from([None, -1, 1e-3]))
def test_least_squares(pair, columns, dtype, rcond):
    h, x = (p.reshape(-1, p.shape[-1]) if p.size else p[(0,) * (p.ndim - 2)] if 0 not in p.shape[:-2] else None
            for p in pair)
    if h is None:
        return
    b = numbers(dtype, h.shape[:1] if columns < 0 else (h.shape[0], columns), np.random.default_rng(0))
    if np.linalg.cond(as_worked(h)) > 1e4 if h.size else False:
        return
    kind = np.result_type(worked_on(h.dtype), worked_on(b.dtype))
    want = np.linalg.lstsq(h.astype(kind), b.astype(kind), rcond)
    got = L.lstsq(x, tb.array(b), rcond)
    near(got[0], want[0], 1e4)
    assert int(got[2]) == want[2] and got[2].shape == () and got[1].shape == want[1].shape
    np.testing.assert_allclose(got[1].get(), want[1], atol=1e5 * eps(kind), rtol=1e4 * eps(kind))
    near(got[3], want[3], 10 * size(h))
    unchanged(x, h)


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("shape", [(60, 7), (7, 60), (40, 40)], ids=str)
def test_least_squares_without_full_rank(shape, code):
    rng = np.random.default_rng(0)
    a = numbers(np.dtype(code), (shape[0], 4), rng) @ numbers(np.dtype(code), (4, shape[1]), rng)
    b = numbers(np.dtype(code), (shape[0], 2), rng)
    want = np.linalg.lstsq(a, b, 1e-4)
    got = L.lstsq(tb.array(a), tb.array(b), 1e-4)
    near(got[0], want[0], 10)
    assert int(got[2]) == 4 and got[1].shape == (0,)


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("spread", [1, 4, 7.5, 8.5, 1e3, 0])
def test_least_squares_of_tall_matrices(spread, code):
    """Singular values from 1 to spread, or a matrix with a column of zeros."""
    rng = np.random.default_rng(1)
    u, v = (np.linalg.qr(numbers(np.dtype(code), shape, rng))[0] for shape in ((200, 70), (70, 70)))
    a = (u * np.linspace(1, spread or 1, 70)) @ v
    a[:, 3] *= spread != 0
    b = numbers(np.dtype(code), (200, 3), rng)
    for rcond in (None, 0.2):
        want = np.linalg.lstsq(a.astype(code), b, rcond)
        x, rest, rank, values = L.lstsq(tb.array(a.astype(code)), tb.array(b), rcond)
        assert (int(rank), rest.shape) == (want[2], want[1].shape)
        near(x, want[0], 40 + 4 * min(spread, 100)**2)
        near(values, want[3], 40)
        near(rest, want[1], 100)
    power = 25 if code in "fF" else 200  # squares are out of range
    if code in "FD" and tb._core.backend() != "cpu":
        return  # cuSOLVER squares complex numbers
    for scale in (10.0**-power, 10.0**power):
        got = L.lstsq(tb.array((a * scale).astype(code)), tb.array(b * scale))
        assert int(got[2]) == 70 - (spread == 0)


@pytest.mark.parametrize("a, b", [((3,), (3,)), ((2, 3, 3), (3,)), ((3, 2), (4,)), ((3, 2), (3, 1, 1)), ((3, 2), ())],
                         ids=str)
def test_least_squares_of_other_shapes(a, b):
    with pytest.raises(LinAlgError, match="lstsq"):
        L.lstsq(tb.ones(a), tb.ones(b))


# ---- pseudo-inverses, ranks, condition numbers -----------------------------------------------------------------------


@given(stacks(), st.sampled_from([1e-3, 1e-5]))
def test_pseudo_inverses(pair, cutoff):
    h, x = pair
    a = as_worked(h)
    s = np.linalg.svd(a, compute_uv=False)
    if s.size and (s / np.maximum(s.max(-1, keepdims=True), 1e-30) < 1e-2).any():
        return
    near(L.pinv(x, cutoff), np.linalg.pinv(a, cutoff), 10)
    near(L.pinv(x, rtol=cutoff), np.linalg.pinv(a, cutoff), 10)
    near(L.pinv(x, None, rtol=None), np.linalg.pinv(a, rtol=None), 10)
    with pytest.raises(ValueError, match="pinv"):
        L.pinv(x, 1e-3, rtol=1e-3)
    unchanged(x, h)


def test_pseudo_inverses_of_what_has_not_full_rank():
    h = np.ones((2, 3, 4))
    h[1, 0, 0] = 2
    near(L.pinv(tb.array(h)), np.linalg.pinv(h), 10)
    near(L.pinv(tb.array(h), tb.array([0.5, 1e-9])), np.linalg.pinv(h, np.array([0.5, 1e-9])), 10)
    square = np.ones((3, 3)) - np.eye(3)
    near(L.pinv(tb.array(square), hermitian=True), np.linalg.pinv(square, hermitian=True), 10)


@given(stacks(codes="?bIldD"))
def test_ranks(pair):
    h, x = pair
    if 0 in h.shape[-2:]:
        assert L.matrix_rank(x).shape == h.shape[:-2] and not L.matrix_rank(x).any()
        return
    s = np.linalg.svd(as_worked(h), compute_uv=False)
    limit = s.max(-1, keepdims=True, initial=0) * 1e-13
    if ((s > limit) & (s < limit * 1e6)).any():
        return
    got = L.matrix_rank(x)
    assert got.dtype == int
    np.testing.assert_array_equal(got.get(), np.linalg.matrix_rank(as_worked(h)))
    np.testing.assert_array_equal(L.matrix_rank(x, tol=0.7).get(), (s > 0.7).sum(-1))


def test_forms_of_ranks():
    h = np.diag([3.0, 1e-3, 0])
    x = tb.array(h)
    assert L.matrix_rank(x) == 2 and L.matrix_rank(x, 1e-2) == 1 and L.matrix_rank(x, rtol=1e-2) == 1
    assert L.matrix_rank(x, hermitian=True) == 2
    assert L.matrix_rank(tb.zeros(3)) == 0 and L.matrix_rank(tb.ones(3)) == 1 and L.matrix_rank(tb.zeros(())) == 0
    with pytest.raises(ValueError, match="tol"):
        L.matrix_rank(x, 1e-2, rtol=1e-2)
    stack = np.stack([h, np.eye(3)])
    np.testing.assert_array_equal(L.matrix_rank(tb.array(stack), tb.array([1e-2, 1e-2])).get(), [1, 3])


@pytest.mark.parametrize("p", [None, 2, -2, "fro", 1, -1, np.inf, -np.inf], ids=str)
@pytest.mark.parametrize("code", "lfdD")
def test_condition_numbers(code, p):
    h = regular(np.dtype(code), (2, 4, 4), np.random.default_rng(0))
    near(L.cond(tb.array(h), p), np.linalg.cond(as_worked(h), p), 10)
    singular = np.zeros((2, 2), code)
    assert L.cond(tb.array(singular), p) == np.inf
    assert L.cond(tb.zeros((0, 2, 2), code), p).shape == (0,)
    for shape in [(0, 0), (2, 0, 0)]:
        with pytest.raises(LinAlgError, match="cond"):
            L.cond(tb.zeros(shape), p)


# ---- tensors ---------------------------------------------------------------------------------------------------------


def test_tensors():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 3, 6)), rng.standard_normal((2, 3))
    near(L.tensorsolve(tb.array(a), tb.array(b)), np.linalg.tensorsolve(a, b), 10)
    moved = np.moveaxis(a, 2, 0)
    near(L.tensorsolve(tb.array(moved), tb.array(b), (0,)), np.linalg.tensorsolve(moved, b, (0,)), 10)
    near(L.tensorinv(tb.array(a)), np.linalg.tensorinv(a), 10)
    flat = rng.standard_normal((6, 3, 2))
    near(L.tensorinv(tb.array(flat), 1), np.linalg.tensorinv(flat, 1), 10)
    with pytest.raises(ValueError, match="tensorinv"):
        L.tensorinv(tb.array(a), 0)
    for f in (lambda: L.tensorsolve(tb.ones((2, 3, 4)), tb.ones((2, 3))), lambda: L.tensorinv(tb.ones((2, 3, 4)))):
        with pytest.raises(LinAlgError):
            f()


# ---- by given factors ------------------------------------------------------------------------------------------------


@given(stacks(codes="lfdFD"))
def test_lu_factors(pair):
    h, x = pair
    lu, pivots = _core._lu_factor(x)
    if h.size == 0:
        assert lu.shape == h.shape and pivots.shape == (*h.shape[:-2], min(h.shape[-2:]))
        return
    want_lu, want_pivots = np.vectorize(scipy.linalg.lu_factor, signature="(m,n)->(m,n),(k)")(as_worked(h))
    np.testing.assert_array_equal(pivots.get(), want_pivots)
    near(lu, want_lu, size(h))
    assert pivots.dtype == np.int32
    unchanged(x, h)


@given(systems(), st.sampled_from("NTC"))
def test_solutions_by_lu_factors(pair, trans):
    (ha, xa), (hb, xb) = pair
    a = as_worked(ha)
    turned = {"N": a, "T": np.swapaxes(a, -1, -2), "C": np.swapaxes(a, -1, -2).conj()}[trans]
    lu, pivots = _core._lu_factor(xa)
    want = np.linalg.solve(turned, as_worked(hb))
    near(_core._lu_solve(lu, pivots, xb, trans), want, eps(ha.dtype) / eps(want.dtype))
    unchanged(xb, hb)


@given(systems(), st.sampled_from("NTC"), st.booleans(), st.booleans())
def test_solutions_by_triangles(pair, trans, lower, unit):
    (ha, xa), (hb, xb) = pair
    a = as_worked(ha)
    half = np.tril(a) if lower else np.triu(a)
    if unit:
        half, xa = half / 64, xa / xa.dtype.type(64) if xa.dtype.kind in "fc" else xa
        half = np.tril(as_worked(xa.get())) if lower else np.triu(as_worked(xa.get()))
        n = half.shape[-1]
        half[..., range(n), range(n)] = 1
    turned = {"N": half, "T": np.swapaxes(half, -1, -2), "C": np.swapaxes(half, -1, -2).conj()}[trans]
    want = np.linalg.solve(turned, as_worked(hb))
    got = _core._solve_triangular(xa, xb, lower, trans, unit)
    near(got, want, size(want) * (1e4 if unit else 1))


@given(systems(hermitian), st.booleans())
def test_solutions_by_cholesky_factors(pair, lower):
    (ha, xa), (hb, xb) = pair
    factor = L.cholesky(xa, upper=not lower)
    want = np.linalg.solve(as_worked(ha), as_worked(hb))
    near(_core._cho_solve(factor, xb, lower), want, eps(ha.dtype) / eps(want.dtype))


def test_arguments_of_given_factors():
    eye, b = tb.eye(3), tb.ones(3)
    for trans in ("X", "NN", ""):
        with pytest.raises(ValueError, match="lu_solve"):
            _core._lu_solve(eye, tb.zeros(3, "i"), b, trans)
        with pytest.raises(ValueError, match="solve_triangular"):
            _core._solve_triangular(eye, b, True, trans, False)
    with pytest.raises(ValueError, match="lu_solve: there must be 3 pivots"):
        _core._lu_solve(eye, tb.zeros(2, "i"), b, "N")
    with tombacx.errstate(linalg="raise"), pytest.raises(LinAlgError, match="singular"):
        _core._solve_triangular(tb.zeros((3, 3)), b, True, "N", False)


# ---- what every call keeps -------------------------------------------------------------------------------------------

CALLS = {
    "solve": lambda a: L.solve(a, a), "inv": L.inv, "det": L.det, "slogdet": L.slogdet, "cholesky": L.cholesky,
    "qr": L.qr, "svd": L.svd, "svdvals": L.svdvals, "eigh": L.eigh, "eigvalsh": L.eigvalsh, "eig": L.eig,
    "eigvals": L.eigvals, "lstsq": lambda a: L.lstsq(a, a), "pinv": L.pinv, "matrix_rank": L.matrix_rank,
    "cond": L.cond, "lu_solve": lambda a: _core._lu_solve(*_core._lu_factor(a), a, "N"),
    "triangular": lambda a: _core._solve_triangular(a, a, True, "N", False),
    "cho_solve": lambda a: _core._cho_solve(a, a, True),
}  # fmt: skip


def arrays(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("name", CALLS)
def test_nothing_leaks(name):
    pool, a, f = tb.get_default_memory_pool(), tb.eye(4) * 3, CALLS[name]
    failing = tb.ones((2, 3))

    def rounds(n):
        for _ in range(n):
            f(a)
            if name not in ("qr", "svd", "svdvals", "pinv", "matrix_rank", "cond", "lstsq"):
                with pytest.raises((LinAlgError, ValueError)):
                    f(failing)
        tb.cuda.Device().synchronize()
        gc.collect()
        return pool.used_bytes()

    before = rounds(3)
    assert rounds(500) == before


def test_nothing_leaks_over_many_calls():
    pool, a = tb.get_default_memory_pool(), tb.eye(3) * 2
    b = tb.ones(3)

    def held(n):
        for _ in range(n):
            L.solve(a, b)
        tb.cuda.Device().synchronize()
        return pool.used_bytes(), pool.total_bytes()

    assert held(100) == held(10_000)


def memory_suffices(f, a):
    try:
        for p in arrays(f(a)):
            p.get()
    except tb.cuda.memory.OutOfMemoryError:
        return False
    return True


@pytest.mark.parametrize("name", CALLS)
def test_too_little_memory(name):
    a, f, pool = tb.eye(200) * 3, CALLS[name], tb.cuda.MemoryPool()
    want = [p.get() for p in arrays(f(a))]
    with tb.cuda.using_allocator(pool.malloc):
        suffices = []
        for limit in (1000, 321_000, 642_000, 1_000_000, 10_000_000):
            pool.set_limit(size=limit)
            suffices.append(memory_suffices(f, a))
            gc.collect()
            assert pool.used_bytes() == 0
            pool.free_all_blocks()
        assert not suffices[0] and suffices[-1]
        for p, w in zip(arrays(f(a)), want, strict=True):
            np.testing.assert_array_equal(p.get(), w)


@pytest.mark.parametrize("name", CALLS)
def test_behind_pending_host_functions(name):
    order, stream, f = [], tb.cuda.Stream(non_blocking=True), CALLS[name]
    with stream:
        a = tb.eye(3) * 2
        stream.launch_host_func(lambda _: (time.sleep(0.01), order.append("before")), None)
        result = arrays(f(a * 2))
        stream.launch_host_func(lambda _: order.append("after"), None)
    stream.synchronize()
    assert order == ["before", "after"]
    for p, w in zip(result, arrays(f(tb.eye(3) * 4)), strict=True):
        np.testing.assert_array_equal(p.get(), w.get())


def test_results_are_not_shared_with_inputs():
    for n in (0, 1, 3):
        h = regular(np.dtype("d"), (n, n), np.random.default_rng(0))
        x = tb.array(h)
        for name, f in CALLS.items():
            if n == 0 and name == "cond":
                continue
            for p in arrays(f(x)):
                if p.size and p.flags.writeable:
                    p[...] = 7
            unchanged(x, h)


def test_an_input_may_change_afterwards():
    x = tb.eye(3) * 2
    y = x + 1
    got = L.inv(y - 1)
    x[...] = 0
    np.testing.assert_array_equal(got.get(), np.eye(3) / 2)
