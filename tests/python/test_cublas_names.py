"""tombac.cublas against the same products and sums in NumPy."""

import numpy as np
import pytest
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import values
from tombac import cublas

FACTORS = {"number": lambda a: a, "host": np.array, "device": tb.array}


def pair(shape, dtype, seed, layout="C"):
    """(NumPy array, tombac array) of random numbers: contiguous, by columns, or a view from behind with gaps."""
    wide = tuple(2 * n for n in shape)
    host = values(np.dtype(dtype), wide if layout == "view" else shape, seed)
    if layout == "F":
        return np.asfortranarray(host), tb.asfortranarray(tb.array(host))
    cut = tuple(slice(None, None, -2) for _ in shape) if layout == "view" else ...
    return host[cut], tb.array(host)[cut]


def close(got, want):
    want = np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(tb.asnumpy(got), want, 2e-5 if want.dtype.char in "fF" else 1e-12)


codes, seeds = st.sampled_from("fdFD"), st.integers(0, 2**32 - 1)
layouts, factors = st.sampled_from(["C", "F", "view"]), st.sampled_from(sorted(FACTORS))
lengths = st.integers(0, 20)


def numbers(dtype, kind):
    """alpha and beta, as numbers and as they are given."""
    alpha, beta = (0.5 - 2j, 1.5 + 1j) if dtype in "FD" else (0.5, -1.5)
    return alpha, beta, FACTORS[kind](alpha), FACTORS[kind](beta)


def taxicab(x):
    return abs(x.real) + abs(x.imag)


@given(codes, lengths, seeds, layouts)
def test_reductions(dtype, n, seed, layout):
    x, dx = pair((n,), dtype, seed, layout)
    close(cublas.asum(dx), taxicab(x).sum(dtype=dtype.lower()))
    close(cublas.nrm2(dx), np.linalg.norm(x))
    close(cublas.iamax(dx), np.int32(np.argmax(taxicab(x)) + 1 if n else 0))
    close(cublas.iamin(dx), np.int32(np.argmin(taxicab(x)) + 1 if n else 0))


@pytest.mark.parametrize("dtype", "fdFD")
def test_norms_beyond_squares(dtype):
    top = float(np.finfo(dtype).max)
    for x in ([top / 4, top / 4], [np.finfo(dtype).tiny] * 2, [np.inf, 1], [np.nan, 1], [0, 0]):
        x = np.array(x, dtype)
        with np.errstate(all="ignore"):
            want = np.hypot(*abs(x).astype("longdouble")).astype(dtype.lower())
        close(cublas.nrm2(tb.array(x)), want)


@given(codes, lengths, seeds, layouts)
def test_products_of_vectors(dtype, n, seed, layout):
    (x, dx), (y, dy) = pair((n,), dtype, seed, layout), pair((n,), dtype, seed + 1)
    close(cublas.dotu(dx, dy), np.dot(x, y))
    close(cublas.dotc(dx, dy), np.vdot(x, y))
    if dtype in "FD":
        with pytest.raises(TypeError):
            cublas.dot(dx, dy)
    else:
        close(cublas.dot(dx, dy), np.dot(x, y))


@pytest.mark.parametrize("array", [np.zeros, tb.zeros], ids=["numpy", "tombac"])
def test_out_of_numbers(array):
    x = tb.array([1.0, -3.0])
    for f, want in ((cublas.asum, 4), (cublas.nrm2, 10**0.5), (cublas.iamax, 2), (cublas.iamin, 1)):
        out = array((), "i" if isinstance(want, int) and f not in (cublas.asum,) else "d")
        assert f(x, out=out) is out
        np.testing.assert_allclose(tb.asnumpy(out), want)
    for f in cublas.dot, cublas.dotu, cublas.dotc:
        out = array(())
        assert f(x, x, out=out) is out and out == 10
    with pytest.raises(ValueError):
        cublas.asum(x, out=array(1))


@given(codes, lengths, seeds, layouts, factors)
def test_scal_and_axpy(dtype, n, seed, layout, kind):
    (x, dx), (y, dy) = pair((n,), dtype, seed), pair((n,), dtype, seed + 1, layout)
    a, _, given_a, _ = numbers(dtype, kind)
    assert cublas.axpy(given_a, dx, dy) is None
    close(dy, y + np.dtype(dtype).type(a) * x)
    assert cublas.scal(given_a, dy) is None
    close(dy, (y + np.dtype(dtype).type(a) * x) * np.dtype(dtype).type(a))


TURNS = {"N": lambda a: a, "T": lambda a: a.T, "H": lambda a: a.T.conj()}
turns = st.sampled_from("NTH")


@given(codes, lengths, lengths, seeds, layouts, factors, turns)
def test_gemv(dtype, m, n, seed, layout, kind, turn):
    a, da = pair((m, n), dtype, seed, layout)
    a = TURNS[turn](a)
    (x, dx), (y, dy) = pair(a.shape[1:], dtype, seed + 1), pair(a.shape[:1], dtype, seed + 2, layout)
    alpha, beta, given_alpha, given_beta = numbers(dtype, kind)
    cublas.gemv(turn, given_alpha, da, dx, given_beta, dy)
    close(dy, (alpha * (a @ x) + beta * y).astype(dtype))


@given(codes, lengths, lengths, seeds, layouts, factors)
def test_ger(dtype, m, n, seed, layout, kind):
    (x, dx), (y, dy) = pair((m,), dtype, seed), pair((n,), dtype, seed + 1)
    for f, other in (cublas.geru, y), (cublas.gerc, y.conj()), (cublas.ger, y):
        a, da = pair((m, n), dtype, seed + 2, layout)
        alpha, _, given_alpha, _ = numbers(dtype, kind)
        if f is cublas.ger and dtype in "FD":
            with pytest.raises(TypeError):
                f(given_alpha, dx, dy, da)
        else:
            f(given_alpha, dx, dy, da)
            close(da, (alpha * np.outer(x, other) + a).astype(dtype))


@given(codes, st.integers(0, 9), st.integers(0, 4), seeds, layouts, factors, st.booleans())
def test_sbmv(dtype, n, k, seed, layout, kind, lower):
    stored, band = pair((k + 1, n), dtype, seed, layout)
    (x, dx), (y, dy) = pair((n,), dtype, seed + 1), pair((n,), dtype, seed + 2, layout)
    whole = np.zeros((n, n), dtype)
    for i in range(k + 1):
        for j in range(n):
            r, value = (j + i, stored[i, j]) if lower else (j - i, stored[k - i, j])
            if 0 <= r < n:
                whole[r, j] = whole[j, r] = value
    alpha, beta, given_alpha, given_beta = numbers(dtype, kind)
    assert cublas.sbmv(k, given_alpha, band, dx, given_beta, dy, lower=lower) is dy
    close(dy, (alpha * (whole @ x) + beta * y).astype(dtype))


@given(codes, lengths, lengths, lengths, seeds, layouts, factors, turns, turns)
def test_gemm(dtype, m, n, k, seed, layout, kind, turn_a, turn_b):
    a, da = pair((m, k) if turn_a == "N" else (k, m), dtype, seed, layout)
    b, db = pair((k, n) if turn_b == "N" else (n, k), dtype, seed + 1)
    c, dc = pair((m, n), dtype, seed + 2, layout)
    product = TURNS[turn_a](a) @ TURNS[turn_b](b)
    alpha, beta, given_alpha, given_beta = numbers(dtype, kind)
    close(cublas.gemm(turn_a, turn_b, da, db), product)
    assert cublas.gemm(turn_a, turn_b, da, db, dc, given_alpha, given_beta) is dc
    close(dc, (alpha * product + beta * c).astype(dtype))


@given(codes, lengths, lengths, seeds, layouts, factors, turns, turns)
def test_geam(dtype, m, n, seed, layout, kind, turn_a, turn_b):
    a, da = pair((m, n) if turn_a == "N" else (n, m), dtype, seed, layout)
    b, db = pair((m, n) if turn_b == "N" else (n, m), dtype, seed + 1)
    alpha, beta, given_alpha, given_beta = numbers(dtype, kind)
    want = (alpha * TURNS[turn_a](a) + beta * TURNS[turn_b](b)).astype(dtype)
    close(cublas.geam(turn_a, turn_b, given_alpha, da, given_beta, db), want)
    out = tb.zeros((m, n), dtype, "F")
    assert cublas.geam(turn_a, turn_b, given_alpha, da, given_beta, db, out=out) is out
    close(out, want)


@given(codes, lengths, lengths, seeds, layouts, st.sampled_from("LR"), st.sampled_from([1, 2, -1, -3, 0]))
def test_dgmm(dtype, m, n, seed, layout, side, step):
    a, da = pair((m, n), dtype, seed, layout)
    size = m if side == "L" else n
    x, dx = pair((max(size - 1, 0) * abs(step) + 1,), dtype, seed + 1)
    taken = x[::step] if step else np.repeat(x, size)
    want = np.diag(taken[:size]) @ a if side == "L" else a @ np.diag(taken[:size])
    close(cublas.dgmm(side, da, dx, incx=step), want)
    assert cublas.dgmm(side, da, dx, out=da, incx=step) is da
    close(da, want)


@given(codes, st.integers(1, 9), lengths, seeds, layouts, st.booleans(), st.sampled_from("NT"))
def test_syrk(dtype, n, k, seed, layout, lower, turn):
    a, da = pair((n, k) if turn == "N" else (k, n), dtype, seed, layout)
    c, dc = pair((n, n), dtype, seed + 1, layout)
    product = TURNS[turn](a) @ TURNS[turn](a).T
    triangle = np.tril(np.ones((n, n), bool)) if lower else np.triu(np.ones((n, n), bool))
    alpha, beta, *_ = numbers(dtype, "number")
    close(cublas.syrk(turn, da, alpha=alpha, beta=beta, lower=lower),
          np.where(triangle, alpha * product, 0).astype(dtype))
    assert cublas.syrk(turn, da, dc, alpha, beta, lower) is dc
    close(dc, np.where(triangle, alpha * product + beta * c, c).astype(dtype))


def test_beta_of_zero_reads_nothing():
    bad = tb.full((2, 2), np.nan)
    cublas.gemm("N", "N", tb.ones((2, 3)), tb.ones((3, 2)), out=bad)
    close(bad, np.full((2, 2), 3.0))
    y = tb.full(2, np.inf)
    cublas.gemv("N", 1, tb.ones((2, 3)), tb.ones(3), 0, y)
    close(y, np.full(2, 3.0))


x, a = tb.ones(3), tb.ones((3, 3))
WRONG = {
    "integers": (lambda: cublas.asum(tb.arange(3)), TypeError),
    "half": (lambda: cublas.nrm2(tb.ones(3, "e")), TypeError),
    "host": (lambda: cublas.asum(np.ones(3)), TypeError),
    "matrix": (lambda: cublas.asum(a), ValueError),
    "dtypes": (lambda: cublas.axpy(1, x, tb.ones(3, "f")), TypeError),
    "lengths": (lambda: cublas.dotu(x, tb.ones(4)), ValueError),
    "broadcast": (lambda: cublas.axpy(1, tb.ones(1), x), ValueError),
    "complex factor": (lambda: cublas.scal(1j, x), TypeError),
    "complex factor on the device": (lambda: cublas.scal(tb.array(1j), x), TypeError),
    "factors": (lambda: cublas.scal(x, x), ValueError),
    "letter": (lambda: cublas.gemv("Q", 1, a, x, 0, x), TypeError),
    "gemv": (lambda: cublas.gemv("N", 1, a, tb.ones(2), 0, x), ValueError),
    "gemm": (lambda: cublas.gemm("N", "N", a, tb.ones((2, 3))), ValueError),
    "out": (lambda: cublas.gemm("N", "N", a, a, out=tb.ones((3, 4))), ValueError),
    "side": (lambda: cublas.dgmm("X", a, x), ValueError),
    "diagonal": (lambda: cublas.dgmm("L", a, tb.ones(2)), ValueError),
    "band": (lambda: cublas.sbmv(1, 1, a, x, 0, x), ValueError),
    "gesv": (lambda: cublas.batched_gesv(tb.ones((2, 3)), x), ValueError),
    "gesv of another batch": (lambda: cublas.batched_gesv(tb.ones((2, 3, 3)), tb.ones((1, 3))), ValueError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


def test_limit():
    before = cublas.get_batched_gesv_limit()
    cublas.set_batched_gesv_limit(7)
    assert cublas.get_batched_gesv_limit() == 7
    cublas.set_batched_gesv_limit(before)


@given(codes, st.integers(1, 6), st.integers(1, 3), seeds)
def test_batched_gesv(dtype, n, batch, seed):
    rng = np.random.default_rng(seed)
    a = (rng.random((batch, n, n)) + n * np.eye(n)).astype(dtype)
    for b in rng.random((batch, n)).astype(dtype), rng.random((batch, n, 2)).astype(dtype):
        got = cublas.batched_gesv(tb.array(a), tb.array(b))
        want = np.linalg.solve(a, b if b.ndim == 3 else b[..., None]).reshape(b.shape)
        np.testing.assert_allclose(got.get(), want, 1e-4, 1e-5 if dtype in "fF" else 1e-12)
