"""tombacx.scipy.linalg's exponentials, determinants, bandwidths, norms and pivoted QR decompositions, and the look
whether an array is finite, against SciPy's and against arithmetic that is exact."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
import scipy.linalg as sl
from hypothesis import given
from hypothesis import strategies as st
from matrices import LAYOUTS, as_worked, eps, near, numbers, regular, stacks, unchanged

import tombac as tb
import tombacx
import tombacx.scipy.linalg as xl
from tombac import _core

LinAlgError = np.linalg.LinAlgError


def size(a):
    return float(np.abs(a).max()) if a.size else 1.0


# ---- exponentials ----------------------------------------------------------------------------------------------------

SHAPES = {"full": lambda a: a, "upper": np.triu, "lower": np.tril, "nilpotent": lambda a: np.triu(a, 1),
          "diagonal": lambda a: a * np.eye(a.shape[-1], dtype=a.dtype)}  # fmt: skip


def exact_exponential(a):
    """Of a small real matrix, by Taylor's series in 80 digits."""
    n, halvings = len(a), 14
    with localcontext() as context:
        context.prec = 80
        rows = [[Decimal(float(x)) / 2**halvings for x in row] for row in a]

        def product(x, y):
            return [[sum(x[i][k] * y[k][j] for k in range(n)) for j in range(n)] for i in range(n)]

        term = result = [[Decimal(int(i == j)) for j in range(n)] for i in range(n)]
        for k in range(1, 24):
            term = [[x / k for x in row] for row in product(term, rows)]
            result = [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(result, term, strict=True)]
        for _ in range(halvings):
            result = product(result, result)
        return np.array([[float(x) for x in row] for row in result])


@given(st.sampled_from("fdFD"), st.integers(1, 34), st.sampled_from([1e-9, 1e-3, 0.03, 0.3, 1, 3, 9]),
       st.sampled_from(sorted(SHAPES)), st.integers(0, 99))
def test_expm_of_every_degree(code, n, scale, shape, seed):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((n, n)) + (1j * rng.standard_normal((n, n)) if code in "FD" else 0)
    a = SHAPES[shape]((a * scale / n**0.5).astype(code))
    got, want = xl.expm(tb.array(a)), sl.expm(a.astype("D" if code in "FD" else "d"))
    assert got.dtype == a.dtype
    np.testing.assert_allclose(got.get(), want, rtol=0, atol=40 * (1 + scale) * (n + 9) * eps(a.dtype) * size(want))
    if shape != "full" and tb.config.backend() == "cpu":
        lower = got.get() if shape == "lower" else got.get().T
        assert not np.triu(lower, 1).any()


@pytest.mark.skipif(tb.config.backend() != "cpu", reason="by products alone elsewhere, which are not as exact")
@given(st.sampled_from([1, 2, 3, 4]), st.sampled_from([0.1, 1, 5, 20]), st.sampled_from(sorted(SHAPES)),
       st.integers(0, 2**32 - 1))
def test_expm_is_exact(n, scale, shape, seed):
    a = SHAPES[shape](np.random.default_rng(seed).standard_normal((n, n)) * scale)
    want = exact_exponential(a)
    near(xl.expm(tb.array(a)), want, 40 * (1 + scale) * size(want))
    if shape in ("upper", "lower", "diagonal"):  # eigenvalues that differ much are all exact
        np.testing.assert_allclose(xl.expm(tb.array(a)).get().diagonal(), np.exp(a.diagonal()), rtol=1e-14)


def test_expm_of_what_is_out_of_range():
    e = xl.expm
    assert np.array_equal(e(tb.array([[0, 1e60], [0, 0]])).get(), [[1, 1e60], [0, 1]])
    np.testing.assert_allclose(e(tb.array([[0, 1e30, 1], [0, 0, 1], [0, 0, 0]])).get(),
                               [[1, 1e30, 5e29], [0, 1, 1], [0, 0, 1]], rtol=1e-12)
    assert not e(tb.array(np.full((3, 3), 1e10) - 1e11 * np.eye(3))).get().any()
    got = e(tb.array(np.stack([np.eye(3), np.full((3, 3), np.nan), np.diag([1.0, np.inf, 1])]))).get()
    assert np.isnan(got[1:]).all()
    np.testing.assert_allclose(got[0], np.e * np.eye(3), rtol=1e-15)


def test_expm_of_layouts():
    rng = np.random.default_rng(3)
    for code in "?bHlefdFD":
        h = numbers(np.dtype(code), (2, 3, 4, 4), rng)
        for layout in LAYOUTS.values():
            x = layout(h)
            want = np.stack([sl.expm(as_worked(m) / 4) for m in h.reshape(-1, 4, 4)]).reshape(h.shape)
            near(xl.expm(x / 4) if code not in "?bHl" else xl.expm(x.astype("d") / 4), want, 500 * size(want))
            unchanged(x, h)
    assert xl.expm(tb.zeros((0, 3, 3), dtype="F")).shape == (0, 3, 3)
    assert xl.expm(tb.zeros((2, 0, 0), dtype="e")).dtype == np.float32


# ---- determinants ----------------------------------------------------------------------------------------------------


@given(stacks(square=True))
def test_det_is_wide(pair):
    h, x = pair
    got = xl.det(x)
    assert got.dtype == (np.complex128 if h.dtype.kind == "c" else np.float64)
    want = np.linalg.det(h.astype(got.dtype)) if h.shape[-1] else np.ones(h.shape[:-2])
    assert got.shape == want.shape
    bound = np.prod(np.abs(h.astype(got.dtype)).sum(-1) + 1, -1) if h.size else 1
    assert np.all(np.abs(got.get() - want) <= 30 * eps(h.dtype) * bound)
    unchanged(x, h)


def test_det_as_scipy_has_it():
    for code in "?bBhHiIlLefdFD":
        for shape in ((3, 3), (2, 3, 3), (1, 1), (0, 0), (2, 0, 0), (0, 3, 3)):
            a = regular(np.dtype(code), shape, np.random.default_rng(1))
            got, want = xl.det(tb.array(a)), np.asarray(sl.det(a))
            assert (got.dtype, got.shape) == (want.dtype, want.shape)
            np.testing.assert_allclose(got.get(), want, rtol=40 * eps("f" if code in "?bBhHefF" else "d"))


def test_det_within_range_only_at_the_end():
    for code in "fdFD":
        large, n = (1e30, 6) if code in "fF" else (1e200, 6)
        diagonal = np.array([large, large, large, 1 / large, 1 / large, 2 / large], code)
        for f in (xl.det, tb.linalg.det):
            np.testing.assert_allclose(f(tb.array(np.diag(diagonal))).get(), 2, rtol=1e-5)
            np.testing.assert_allclose(f(tb.array(np.diag(diagonal[::-1]))).get(), 2, rtol=1e-5)
        assert tb.linalg.det(tb.array(np.diag(diagonal[:3]))).dtype == np.dtype(code)
    assert tb.linalg.det(tb.array(np.diag([1e300, -1e300]))).item() == -np.inf
    assert xl.det(tb.array(np.diag(np.full(3, 1e30, "f")))).item() == pytest.approx(1e90)
    assert xl.det(tb.array([[1.0, 2], [2, 4]])).item() == 0
    assert np.isnan(xl.det(tb.full((2, 2), np.nan), check_finite=False).item())


# ---- bandwidths ------------------------------------------------------------------------------------------------------


@given(st.sampled_from("?bBhHiIlLefdFD"), st.integers(0, 7), st.integers(0, 7), st.sampled_from(sorted(LAYOUTS)),
       st.sampled_from([0, 0.1, 0.3, 1]), st.integers(0, 2**32 - 1))
def test_bandwidth(code, m, n, layout, density, seed):
    rng = np.random.default_rng(seed)
    h = np.where(rng.random((m, n)) < density, 1, 0).astype(code)
    if code in "FD":
        h = h * rng.choice([1, 1j], (m, n)).astype(code)
    if code in "efdFD":
        h = h * rng.choice([-1, 1], (m, n)).astype(code)  # zeros with a sign are zeros
    i, j = np.nonzero(h)
    want = max((i - j).max(initial=0), 0), max((j - i).max(initial=0), 0)
    got = xl.bandwidth(LAYOUTS[layout](h))
    assert got == want
    assert [type(k) for k in got] == [int, int]


def test_arguments_of_bandwidth():
    assert xl.bandwidth(tb.array([[0.0, 0], [np.nan, 0]])) == (1, 0)
    for shape in ((), (3,)):
        with pytest.raises(ValueError, match="bandwidth"):
            xl.bandwidth(tb.zeros(shape))


# ---- norms, and what is finite ---------------------------------------------------------------------------------------


@given(st.sampled_from("efdFD"), st.integers(1, 3), st.sampled_from(sorted(LAYOUTS)), st.integers(1, 70),
       st.sampled_from([np.nan, np.inf, -np.inf, 0, 1]), st.integers(0, 2**32 - 1))
def test_all_finite(code, ndim, layout, n, value, seed):
    rng = np.random.default_rng(seed)
    h = numbers(np.dtype(code), {1: (1, n), 2: (3, n), 3: (2, n, 2)}[ndim], rng)
    at = tuple(rng.integers(0, s) for s in h.shape)
    h[at] = complex(1, value) if code in "FD" and seed % 2 else value
    x = LAYOUTS[layout](h)
    assert _core.all_finite(x) is bool(np.isfinite(h).all())
    assert _core.all_finite(x[..., :0])


def test_all_finite_of_long_arrays():
    for code in "efdFD":
        largest = np.finfo(code).max
        h = np.full(5000, largest, code)
        h[::3] = -largest
        h[1::3] = np.finfo(code).smallest_subnormal
        assert _core.all_finite(tb.array(h))
        for at in (0, 2047, 2048, 4999):
            for bad in (np.nan, -np.inf):
                k = h.copy()
                k[at] = bad
                assert not _core.all_finite(tb.array(k))
    assert _core.all_finite(tb.arange(5))
    with pytest.raises(TypeError):
        _core.all_finite(np.ones(3))
    if tb.config.backend() == "cpu":
        with tombacx.allow_synchronize(False), pytest.raises(tombacx.DeviceSynchronized):
            xl.norm(tb.ones((3, 3)))


def test_norm_of_large_and_small_vectors():
    for code, values in {"d": (1e200, 1e-200), "D": (1e200, 1e-200), "f": (1e30, 1e-30)}.items():
        for value in values:
            h = np.full(9, value, code)
            np.testing.assert_allclose(xl.norm(tb.array(h)).get(), 3 * value, rtol=1e-6)
    assert xl.norm(tb.zeros(4)).item() == 0
    assert xl.norm(tb.array([1e200, np.inf]), check_finite=False).item() == np.inf
    assert np.isnan(xl.norm(tb.array([1e200, np.nan]), check_finite=False).item())
    for bad in ([1e200, np.inf], [[np.nan, 1.0]]):
        with pytest.raises(ValueError, match="norm: array must not contain infs or NaNs"):
            xl.norm(tb.array(bad))
    with np.errstate(over="ignore"):
        assert xl.norm(tb.array([[1e200, 1e200]])).item() == sl.norm([[1e200, 1e200]]) == np.inf


@given(stacks(codes="?iefdFD"))
def test_norm(pair):
    h, x = pair
    if h.ndim == 2:
        near(xl.norm(x), sl.norm(as_worked(h)), 30 * max(size(h), 1))


# ---- QR with pivots --------------------------------------------------------------------------------------------------


@given(stacks(), st.sampled_from(["full", "economic", "r", "raw"]))
def test_qr_with_pivots(pair, mode):
    h, x = pair
    a = as_worked(h)
    got = xl.qr(x, mode=mode, pivoting=True)
    p, r = got[-1], got[-2]
    assert p.dtype == np.int32
    assert p.shape == h.shape[:-2] + h.shape[-1:]
    assert np.array_equal(np.sort(p.get(), -1), np.broadcast_to(np.arange(h.shape[-1]), p.shape))
    if h.size and (h.ndim == 2 or mode != "raw"):  # of which SciPy stacks no tuples
        for g, w in zip(got, sl.qr(a, mode=mode, pivoting=True), strict=True):
            assert [k.shape for k in g] == [k.shape for k in w] if isinstance(g, tuple) else g.shape == w.shape
    if mode in ("full", "economic"):
        product = (got[0] @ r).get()
        want = np.take_along_axis(a, p.get()[..., None, :].astype(int), -1)
        assert np.abs(product - want).max(initial=0) <= 60 * eps(h.dtype) * max(size(a), 1)
    diagonal = np.abs(np.diagonal(r.get(), 0, -2, -1))
    assert np.all(diagonal[..., 1:] <= diagonal[..., :-1] + 60 * eps(h.dtype) * size(a))
    unchanged(x, h)


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (2, 4, 3), (2, 2, 3, 4), (2, 0, 3), (0, 3)])
def test_triangles_alone_are_scipys(shape):
    a = np.random.default_rng(3).standard_normal(shape)
    got, want = xl.qr(tb.array(a), mode="r"), sl.qr(a, mode="r")
    assert isinstance(got, tuple) == (len(shape) == 2)
    got, want = (r[0] if isinstance(r, tuple) else r for r in (got, want))  # of several, a tuple since SciPy 1.18
    np.testing.assert_allclose(got.get(), want, atol=1e-13)


def test_qr_with_pivots_as_scipy_has_it():
    rng = np.random.default_rng(5)
    for code in "dD":
        for shape in ((6, 4), (4, 6), (5, 5), (2, 7, 3)):
            a = rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if code == "D" else 0)
            for mode in ("full", "economic", "r"):
                for g, w in zip(xl.qr(tb.array(a), mode=mode, pivoting=True), sl.qr(a, mode=mode, pivoting=True),
                                strict=True):
                    np.testing.assert_allclose(g.get(), w, atol=1e-13)
            if a.ndim > 2:
                continue
            (packed, tau), r, p = xl.qr(tb.array(a), mode="raw", pivoting=True)
            (want_packed, want_tau), want_r, want_p = sl.qr(a, mode="raw", pivoting=True)
            for g, w in ((packed, want_packed), (tau, want_tau), (r, want_r), (p, want_p)):
                np.testing.assert_allclose(g.get(), w, atol=1e-13)
    rank_two = tb.array(np.outer(np.arange(5), np.ones(5)) + np.outer(np.ones(5), np.arange(5)))
    assert np.count_nonzero(np.abs(xl.qr(rank_two, mode="r", pivoting=True)[0].get().diagonal()) > 1e-12) == 2
    with pytest.raises(LinAlgError, match="qr"):
        xl.qr(tb.ones(3), pivoting=True)


# ---- stacks, which SciPy takes one after the other ------------------------------------------------------------------


@pytest.mark.parametrize("code", "fdFD")
def test_stacks(code):
    rng = np.random.default_rng(8)
    a = rng.standard_normal((2, 3, 5, 2)) @ rng.standard_normal((2, 3, 2, 4))
    a = (a + (1j * a[..., ::-1] if code in "FD" else 0)).astype(code)
    x = tb.array(a)
    rank = np.linalg.matrix_rank(a).max()
    null, base = xl.null_space(x, 1e-4), xl.orth(x, 1e-4)
    assert null.shape == (2, 3, 4, 4 - rank) == sl.null_space(a, 1e-4).shape
    assert base.shape == (2, 3, 5, rank) == sl.orth(a, 1e-4).shape
    assert np.abs((x @ null).get()).max() < 1e-4
    assert np.abs((base @ (base.swapaxes(-1, -2).conj() @ x) - x).get()).max() < 1e-4
    mixed = tb.array(np.stack([np.eye(3), np.ones((3, 3))]).astype(code))
    for f in (xl.null_space, xl.orth):
        with pytest.raises(ValueError, match="the same rank"):
            f(mixed)
    banded = np.stack([np.eye(3), np.triu(np.ones((3, 3))), np.tril(np.ones((3, 3)), 1)]).astype(code)
    for got, want in zip(xl.bandwidth(tb.array(banded)), sl.bandwidth(banded), strict=True):
        assert got.dtype == want.dtype
        assert np.array_equal(got.get(), want)
    assert [w.shape for w in xl.bandwidth(tb.zeros((2, 0, 3)))] == [(2,), (2,)]


@pytest.mark.parametrize("shapes", [((2, 5, 3), (5,)), ((2, 5, 3), (5, 2)), ((5, 3), (2, 5, 1)),
                                    ((2, 1, 3, 4), (3, 3, 2)), ((1, 4, 4), (2, 4, 1))])
def test_lstsq_of_stacks(shapes):
    rng = np.random.default_rng(9)
    a, b = (rng.standard_normal(s) for s in shapes)
    for got, want in zip(xl.lstsq(tb.array(a), tb.array(b)), sl.lstsq(a, b), strict=True):
        assert got.shape == np.shape(want)
        np.testing.assert_allclose(got.get(), want, atol=1e-12)
    with pytest.raises(ValueError, match="lstsq"):
        xl.lstsq(tb.zeros((0, 3, 3)), tb.ones(3))
    with pytest.raises(ValueError, match="rows"):
        xl.lstsq(tb.ones((2, 3, 3)), tb.ones(4))


def test_expm_of_a_number():
    assert np.array_equal(xl.expm(tb.array(2.0)).get(), sl.expm(np.array(2.0)))


# ---- by SciPy on the host --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("mode", ["full", "economic"])
def test_changed_qr_decompositions(code, mode):
    rng, tol = np.random.default_rng(4), 100 * eps(code)

    def numbers_of(*shape):
        return (rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if code in "FD" else 0)).astype(code)

    a = numbers_of(6, 3)
    q, r = xl.qr(tb.array(a), mode=mode)
    u, v, row, column = numbers_of(6), numbers_of(3), numbers_of(2, 3), numbers_of(6)
    cases = [
        (xl.qr_delete(q, r, 1, 2), np.delete(a, [1, 2], 0)),
        (xl.qr_delete(q, r, 0, which="col"), a[:, 1:]),
        (xl.qr_insert(q, r, tb.array(row), 2), np.insert(a, [2, 2], row, 0)),
        (xl.qr_insert(q, r, tb.array(column), 3, "col"), np.insert(a, 3, column, 1)),
        (xl.qr_update(q, r, tb.array(u), tb.array(v)), a + np.outer(u, v.conj())),
    ]
    for (left, right), want in cases:
        assert left.dtype == right.dtype == a.dtype
        np.testing.assert_allclose((left @ right).get(), want, atol=10 * tol)
        assert np.abs(np.tril(right.get(), -1)).max() < tol
        gram = (left.T.conj() @ left).get()
        np.testing.assert_allclose(gram, np.eye(len(gram)), atol=10 * tol)
    with pytest.raises(TypeError, match="qr_delete"):
        xl.qr_delete(np.eye(3), np.eye(3), 0)


@pytest.mark.parametrize("code", "fdFD")
def test_cossin(code):
    rng = np.random.default_rng(6)
    x = np.linalg.qr(rng.standard_normal((7, 7)) + (1j * rng.standard_normal((7, 7)) if code in "FD" else 0))[0]
    x = x.astype(code)
    u, cs, vh = xl.cossin(tb.array(x), 3, 4)
    np.testing.assert_allclose((u @ cs.astype(code) @ vh).get(), x, atol=100 * eps(code))
    parts = tuple(tb.array(p) for p in (x[:3, :4], x[:3, 4:], x[3:, :4], x[3:, 4:]))
    for form in (parts, list(parts)):
        for got, want in zip(xl.cossin(form, swap_sign=True), sl.cossin(x, 3, 4, swap_sign=True), strict=True):
            np.testing.assert_allclose(got.get(), want, atol=100 * eps(code))
    (u1, u2), angles, (v1, v2) = xl.cossin(tb.array(x), 3, 4, separate=True)
    assert [a.shape for a in (u1, u2, angles, v1, v2)] == [(3, 3), (4, 4), (3,), (4, 4), (3, 3)]
    with pytest.raises(ValueError, match="p=9"):
        xl.cossin(tb.array(x), 9, 1)


# ---- others ----------------------------------------------------------------------------------------------------------


def test_companion_of_layouts():
    rng = np.random.default_rng(2)
    for code in "lfdFD":
        h = numbers(np.dtype(code), (3, 8), rng) + np.dtype(code).type(50)
        got = xl.companion(tb.array(h)[:, ::2])
        for g, row in zip(got, h[:, ::2], strict=True):
            want = sl.companion(row)
            assert g.dtype == want.dtype
            np.testing.assert_allclose(g.get(), want, rtol=1e-6 if code in "fF" else 1e-15)
    assert xl.companion(tb.array([2.0, 3])).get().tolist() == [[-1.5]]
