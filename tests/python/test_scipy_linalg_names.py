"""The functions of tombacx.scipy.linalg that NumPy has too: SciPy's arguments and results."""

import numpy as np
import pytest
import scipy.linalg as sl
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.linalg as xl

CODES = "f d F D"


def tolerance(dtype):
    return 3e-4 if np.dtype(dtype).char in "fF" else 1e-9


def close(got, want, dtype=None):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.shape == want.shape
    rtol = tolerance(got.dtype) if dtype is None else tolerance(dtype)
    np.testing.assert_allclose(got.get(), want, rtol, rtol)


@st.composite
def matrices(draw, square=True):
    """A well-conditioned matrix, the generator of its numbers, and its dtype."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    code = draw(st.sampled_from(CODES.split()))
    m = draw(st.integers(1, 6))
    n = m if square else draw(st.integers(1, 6))
    a = rng.standard_normal((m, n)) + (1j * rng.standard_normal((m, n)) if code in "FD" else 0)
    return (a + 9 * np.eye(m, n)).astype(code), rng


def triangle(a, lower):
    """A Hermitian matrix's triangle, with numbers in the other one that must not be read."""
    return np.where(np.tri(len(a), dtype=bool) if lower else np.tri(len(a), dtype=bool).T, a, 7).astype(a.dtype)


@given(matrices(), st.sampled_from(["", "pos", "her", "sym", "upper triangular", "lower triangular", "diagonal"]),
       st.booleans(), st.booleans())
def test_solve_and_inv(one, kind, lower, transposed):
    a, rng = one
    assume = kind or None
    transposed &= a.dtype.kind == "f"  # SciPy solves no others
    if kind in ("pos", "her"):
        a = triangle(a @ a.conj().T, lower)
    elif kind == "sym":
        a = triangle(a + a.T, lower)
    elif kind == "diagonal":
        a = np.diag(np.diag(a))
    b = rng.standard_normal((len(a), 2)).astype(a.dtype)
    for right in b, b[:, 0]:
        want = sl.solve(a, right, lower=lower, assume_a=assume, transposed=transposed)
        close(xl.solve(tb.array(a), tb.array(right), lower, assume_a=assume, transposed=transposed), want)
    if kind != "diagonal":
        close(xl.inv(tb.array(a), assume_a=assume, lower=lower), sl.inv(a, assume_a=assume, lower=lower))


@pytest.mark.parametrize("kind", [None, "pos", "her", "upper triangular"])
def test_transposed_complex_equations(kind):
    rng = np.random.default_rng(0)
    a = rng.standard_normal((4, 4)) + 1j * rng.standard_normal((4, 4)) + 9 * np.eye(4)
    a = a @ a.conj().T if kind in ("pos", "her") else np.triu(a) if kind else a
    b = rng.standard_normal(4)
    close(xl.solve(tb.array(a), tb.array(b), assume_a=kind, transposed=True), np.linalg.solve(a.T, b))


@given(matrices())
def test_numbers_of_matrices(one):
    a, _ = one
    close(xl.det(tb.array(a)), sl.det(a), a.dtype)  # SciPy 1.18 computes it in that
    for order in None, 1, 2, np.inf, "fro", "nuc":
        close(xl.norm(tb.array(a), order), sl.norm(a, order))
    close(xl.norm(tb.array(a), axis=0, keepdims=True), sl.norm(a, axis=0, keepdims=True))


@given(matrices(square=False), st.booleans())
def test_least_squares(one, vector):
    a, rng = one
    b = rng.standard_normal((len(a), 3)).astype(a.dtype)
    b = b[:, 0] if vector else b
    for cond in None, 0.5:
        for got, want in zip(xl.lstsq(tb.array(a), tb.array(b), cond), sl.lstsq(a, b, cond)):
            close(got, want)
    for options in {}, {"atol": 0.1}, {"atol": 5.0, "rtol": 0.5}:
        (got, rank), (want, n) = (f(x, **options, return_rank=True) for f, x in ((xl.pinv, tb.array(a)), (sl.pinv, a)))
        close(got, want)
        assert int(rank) == n


@given(matrices(square=False), st.booleans())
def test_factors(one, full):
    a, _ = one
    u, s, vh = (x.get() for x in xl.svd(tb.array(a), full))
    shapes = [x.shape for x in sl.svd(a, full)]
    assert [u.shape, s.shape, vh.shape] == shapes
    k = len(s)
    np.testing.assert_allclose(u[:, :k] * s @ vh[:k], a, tolerance(a.dtype), tolerance(a.dtype))
    close(xl.svdvals(tb.array(a)), s)
    for mode in "full", "economic":
        q, r = (x.get() for x in xl.qr(tb.array(a), mode=mode))
        assert [q.shape, r.shape] == [x.shape for x in sl.qr(a, mode=mode)]
        np.testing.assert_allclose(q @ r, a, tolerance(a.dtype), tolerance(a.dtype))
    (r,), (want,) = xl.qr(tb.array(a), mode="r"), sl.qr(a, mode="r")
    close(abs(r), abs(want))
    ((packed, tau), r), ((p, t), w) = xl.qr(tb.array(a), mode="raw"), sl.qr(a, mode="raw")
    for got, want in (packed, p), (tau, t), (r, w):
        close(got, want)


@given(matrices(), st.sampled_from([None, 1, 2, 3]), st.booleans())
def test_hermitian_eigenvalues(one, kind, lower):
    a, rng = one
    n = len(a)
    b = a @ a.conj().T
    a = a + a.conj().T
    pair = (triangle(a, lower),) if kind is None else (triangle(a, lower), triangle(b, lower))
    options = {"lower": lower} if kind is None else {"lower": lower, "type": kind}
    on_device = [tb.array(x) for x in pair]
    want = sl.eigh(*pair, **options, eigvals_only=True)
    w, v = xl.eigh(*on_device, **options)
    close(w, want)
    close(xl.eigvalsh(*on_device, **options), want)
    v, w = v.get(), w.get()
    left, right = {None: (a @ v, v * w), 1: (a @ v, b @ v * w), 2: (a @ (b @ v), v * w), 3: (b @ (a @ v), v * w)}[kind]
    scale = np.abs(left).max() + 1
    np.testing.assert_allclose(left / scale, right / scale, atol=tolerance(a.dtype))
    close(xl.eigvalsh(*on_device, **options, subset_by_index=[0, n // 2]), want[:n // 2 + 1])
    middle = float(want.mean())
    some = xl.eigh(*on_device, **options, subset_by_value=[middle, np.inf])
    assert some[0].shape == (int((w > middle).sum()),) and some[1].shape == (n, len(some[0]))


def same_numbers(got, want):
    """In any order: those that differ by rounding alone are sorted one way or the other."""
    apart = abs(got[:, None] - want)
    limit = 30 * tolerance(got.dtype) * (1 + abs(want).max())
    assert got.shape == want.shape and (apart.min(0) < limit).all() and (apart.min(1) < limit).all()


@given(matrices())
def test_eigenvalues(one):
    a, _ = one
    d = tb.array(a)
    w, left, right = (x.get() for x in xl.eig(d, left=True))
    same_numbers(w, sl.eigvals(a))
    np.testing.assert_allclose(a @ right, right * w, atol=tolerance(a.dtype) * 30)
    np.testing.assert_allclose(a.conj().T @ left, left * w.conj(), atol=tolerance(a.dtype) * 100)
    assert [x.shape for x in xl.eig(d)] == [w.shape, right.shape] and xl.eigvals(d).shape == w.shape
    b = a @ a.conj().T + np.eye(len(a), dtype=a.dtype)
    same_numbers(xl.eigvals(d, tb.array(b)).get(), sl.eigvals(a, b))


def test_roots_and_logarithms():
    a = np.array([[5.0, 2.0], [1.0, 4.0]])
    stack = np.stack([a, a @ a])
    for name in "sqrtm", "logm":
        close(getattr(xl, name)(tb.array(a)), getattr(sl, name)(a))
        close(getattr(xl, name)(tb.array(stack)), np.stack([getattr(sl, name)(m) for m in stack]))
        assert getattr(xl, name)(tb.array(-a)).dtype == "D"
        assert getattr(xl, name)(tb.zeros((0, 3, 3))).shape == (0, 3, 3)
        with pytest.raises(np.linalg.LinAlgError, match=name):
            getattr(xl, name)(tb.zeros((2, 3)))


SQUARE = tb.eye(3)
WRONG = {
    "nan": (lambda: xl.solve(SQUARE * tb.nan, SQUARE), ValueError, "solve: .*infs or NaNs"),
    "host array": (lambda: xl.inv(np.eye(3)), TypeError, "inv"),
    "not square": (lambda: xl.det(tb.zeros((2, 3))), np.linalg.LinAlgError, r"det: .*\(2, 3\)"),
    "assume_a": (lambda: xl.solve(SQUARE, SQUARE, assume_a="nice"), ValueError, "'nice'"),
    "driver": (lambda: xl.lstsq(SQUARE, SQUARE, lapack_driver="x"), ValueError, "'x'"),
    "svd driver": (lambda: xl.svd(SQUARE, lapack_driver="x"), ValueError, "'x'"),
    "rows": (lambda: xl.lstsq(SQUARE, tb.zeros(2)), ValueError, "3 rows, b 2"),
    "tolerance": (lambda: xl.pinv(SQUARE, rtol=-1), ValueError, "negative"),
    "mode": (lambda: xl.qr(SQUARE, mode="q"), ValueError, "'q'"),
    "pair": (lambda: xl.eigh(SQUARE, tb.eye(2)), ValueError, r"\(3, 3\) and \(2, 2\)"),
    "type": (lambda: xl.eigh(SQUARE, type=4), ValueError, "4"),
    "subsets": (lambda: xl.eigh(SQUARE, subset_by_index=[0, 1], subset_by_value=[0, 1]), ValueError, "either"),
    "index": (lambda: xl.eigh(SQUARE, subset_by_index=[0, 3]), ValueError, "0 to 3 of 3"),
    "value": (lambda: xl.eigvalsh(SQUARE, subset_by_value=[2, 1]), ValueError, "2 and 1"),
    "homogeneous": (lambda: xl.eigvals(SQUARE, homogeneous_eigvals=True), NotImplementedError, "homogeneous"),
    "left of a pair": (lambda: xl.eig(SQUARE, SQUARE, left=True), NotImplementedError, "left"),
}


@pytest.mark.parametrize("call, error, message", WRONG.values(), ids=WRONG)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call()
