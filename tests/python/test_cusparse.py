"""tombacx.cusparse against SciPy: conversions, products, triangular systems, incomplete factors, and bad input."""

import pickle

import numpy as np
import pytest
import scipy.sparse as ss
from hypothesis import given, settings
from hypothesis import strategies as st

import tombac as tb
import tombacx.cusparse as cs
import tombacx.scipy.sparse as sp

CODES = ["i", "f", "d", "F", "D"]
INEXACT = ["f", "d", "F", "D"]
TRANS = [False, True, "N", "T", "H"]
NUMBERS = [0, 1, 2, -1.5]


def close(got, want):
    got = got.toarray() if sp.issparse(got) else got
    got, want = got.get(), np.asarray(want.toarray() if ss.issparse(want) else want)
    assert got.shape == want.shape and got.dtype == want.dtype, (got.dtype, want.dtype)
    eps = np.finfo(want.dtype).eps if want.dtype.kind in "fc" else 0
    np.testing.assert_allclose(got, want, rtol=100 * eps, atol=100 * eps)


def turned(a, trans):
    return a.conj().T if trans == "H" else a.T if trans in (True, "T") else a


def side(draw, least=0):
    return draw(st.integers(least, 6))


@st.composite
def hosts(draw, m, n, codes=CODES):
    """A dense matrix of small integers of which many are zero."""
    r = np.random.default_rng(draw(st.integers(0, 2**32)))
    a = r.integers(-3, 4, (m, n)) * r.integers(0, 2, (m, n))
    dtype = np.dtype(draw(st.sampled_from(codes)))
    return (a * (1 + 2j) if dtype.kind == "c" else a).astype(dtype)


def laid_out(draw, x):
    """x on the device in one order or another, or as a view that is not contiguous."""
    way = draw(st.sampled_from("CFvn"))
    if way in "CF":
        return tb.array(x, order=way)
    if way == "n":
        return tb.array(x[::-1].copy())[::-1]
    big = tb.zeros(tuple(2 * n for n in x.shape), x.dtype)
    view = big[tuple(slice(0, None, 2) for _ in x.shape)]
    view[...] = tb.array(x)
    return view


@given(st.data())
@settings(deadline=None)
@pytest.mark.parametrize("vector", [True, False])
def test_products_with_dense(vector, data):
    draw = data.draw
    m, n, k = side(draw), side(draw), side(draw)
    a = draw(hosts(m, n))
    transa, transb = draw(st.sampled_from(TRANS)), draw(st.sampled_from(TRANS))
    left = turned(a, transa)
    x = draw(hosts(*((left.shape[1], 1) if vector else turned(np.empty((left.shape[1], k)), transb).shape)))
    right = x[:, 0] if vector else turned(x, transb)
    alpha, beta = draw(st.sampled_from(NUMBERS)), draw(st.sampled_from(NUMBERS))
    want = left @ right
    want = want * alpha if alpha != 1 else want
    a = getattr(sp, draw(st.sampled_from(["csr", "csc", "coo"])) + "_matrix")(tb.array(a))
    if vector:
        call = lambda y, beta: cs.spmv(a, laid_out(draw, right), y, alpha, beta, transa)
    else:
        call = lambda y, beta: cs.spmm(a, laid_out(draw, x), y, alpha, beta, transa, transb)
    got = call(None, 0)
    assert vector or got.flags.f_contiguous
    close(got, want)
    start = draw(hosts(*(*want.shape, 1)[:2]))[..., 0] if vector else draw(hosts(*want.shape))
    y = laid_out(draw, start)
    total = want + start * beta if beta else want
    got = call(y, beta)
    close(got, total.astype(np.result_type(total.dtype, start.dtype)))
    assert (got is y) == (np.result_type(total.dtype, start.dtype) == start.dtype)
    if got is not y:
        close(y, start)


def test_what_is_not_read():
    """Where beta is 0, out may hold anything; the older names mean the same."""
    a = sp.csr_matrix(tb.array([[0.0, 2.0], [3.0, 0.0]]))
    y = tb.full(2, np.nan)
    assert cs.csrmv(a, tb.ones(2), y=y) is y
    close(y, [2.0, 3.0])
    c = tb.full((2, 1), np.inf)
    assert cs.csrmm(a, tb.ones((2, 1)), c=c, alpha=2.0, transa=True) is c
    close(c, [[6.0], [4.0]])
    assert cs.csrmm2(a, tb.ones((2, 1)), c=c, beta=1.0) is c
    close(c, [[8.0], [7.0]])
    close(cs.spmv(a.astype("f"), tb.ones(2, "f"), alpha=np.float64(2)), np.array([4, 6], "f"))


@given(st.data())
@settings(deadline=None)
def test_products_and_sums_of_sparse(data):
    draw = data.draw
    m, n, k = side(draw), side(draw), side(draw)
    transa, transb = draw(st.sampled_from(TRANS)), draw(st.sampled_from(TRANS))
    a = draw(hosts(*turned(np.empty((m, n)), transa).shape))
    b = draw(hosts(*turned(np.empty((n, k)), transb).shape))
    left, right = turned(a, transa), turned(b, transb)
    csr = lambda x: sp.csr_matrix(tb.array(x))
    close(cs.csrgemm(csr(a), csr(b), transa, transb), left @ right)
    alpha, beta = draw(st.sampled_from(NUMBERS)), draw(st.sampled_from(NUMBERS))
    scaled = lambda x, f: x if f == 1 else x * f
    close(cs.spgemm(csr(left), csr(right), alpha), scaled(left @ right, alpha))
    d = draw(hosts(m, k))
    close(cs.csrgemm2(csr(left), csr(right), csr(d), alpha, beta), scaled(left @ right, alpha) + scaled(d, beta))
    close(cs.csrgemm2(csr(left), csr(right)), left @ right)
    e = draw(hosts(m, k))
    got = cs.csrgeam(csr(d), csr(e), alpha, beta)
    close(got, scaled(d, alpha) + scaled(e, beta))
    assert got.nnz == np.count_nonzero((d != 0) | (e != 0)) and got.format == "csr"  # sums that are zero are kept
    assert cs.csrgeam2 is cs.spgeam is cs.csrgeam


@given(st.data())
@settings(deadline=None)
def test_conversions(data):
    draw = data.draw
    m, n, k = side(draw, 1), side(draw, 1), draw(st.integers(0, 12))
    r = np.random.default_rng(draw(st.integers(0, 2**32)))
    row, col = r.integers(0, m, k), r.integers(0, n, k)
    values = np.arange(1, k + 1).astype(draw(st.sampled_from(CODES)))
    dense = ss.coo_matrix((values, (row, col)), shape=(m, n)).toarray()
    x = sp.coo_matrix((tb.array(values), (tb.array(row), tb.array(col))), shape=(m, n))
    for by, order in ("r", np.lexsort((col, row))), ("c", np.lexsort((row, col))):
        y = x.copy()
        cs.coosort(y, by)
        assert y.row.get().tolist() == row[order].tolist() and y.col.get().tolist() == col[order].tolist()
        assert y.data.get().tolist() == values[order].tolist()
    csr, csc = cs.coo2csr(x), cs.coo2csc(x)
    assert csr.nnz == csc.nnz == k and (csr.format, csc.format) == ("csr", "csc")
    for y in (csr, csc, cs.csr2csc(csr), cs.csc2csr(csc), cs.csr2coo(csr, csr.data, csr.indices),
              cs.csc2coo(csc, csc.data, csc.indices), cs.csr2cscEx2(csr), cs.csc2csrEx2(csc)):
        close(y, dense)
        got = cs.sparseToDense(y)
        close(got, dense)
        assert got.flags.f_contiguous
        out = tb.full((m, n), 7, dense.dtype)
        assert cs.sparseToDense(y, out) is out
        close(out, dense)
    close(cs.csr2dense(csr), dense)
    close(cs.csc2dense(csc), dense)
    given_ = laid_out(draw, dense)
    for y, format in ((cs.dense2csr(given_), "csr"), (cs.dense2csc(given_), "csc"),
                      (cs.denseToSparse(given_, "coo"), "coo")):
        close(y, dense)
        assert y.format == format and y.nnz == np.count_nonzero(dense)


@pytest.mark.parametrize("make, sort", [(ss.csr_matrix, cs.csrsort), (ss.csc_matrix, cs.cscsort)])
def test_sorts_in_place(make, sort):
    host = make((np.array([1.0, 2.0, 3.0]), np.array([2, 0, 1]), np.array([0, 2, 3, 3])), shape=(3, 3))
    a = getattr(sp, f"{host.format}_matrix")(host)
    assert sort(a) is None
    assert a.indices.get().tolist() == [0, 2, 1] and a.data.get().tolist() == [2.0, 1.0, 3.0]
    close(a, host)


@pytest.mark.parametrize("code", INEXACT)
def test_compress(code):
    x = np.array([[0.5, -2.0, 0.0], [1.0, np.nan, -0.25]], code)
    got = cs.csr2csr_compress(sp.csr_matrix(tb.array(x)), 0.5)
    assert got.nnz == 2 and got.data.dtype == code
    close(got, np.array([[0, -2.0, 0], [1.0, 0, 0]], code))
    assert cs.csr2csr_compress(sp.csr_matrix((3, 4)), 0.0).nnz == 0
    with pytest.raises(ValueError, match="tol"):
        cs.csr2csr_compress(got, -1)


@given(st.data())
@settings(deadline=None)
def test_triangular(data):
    draw = data.draw
    n, k = side(draw), draw(st.integers(0, 3))
    code, lower, unit = draw(st.sampled_from(INEXACT)), draw(st.booleans()), draw(st.booleans())
    trans, alpha = draw(st.sampled_from(TRANS)), draw(st.sampled_from([1.0, -2.0]))
    a = draw(hosts(n, n, [code])) + 4 * np.eye(n, dtype=code)
    b = draw(hosts(n, k, [code])) if k else draw(hosts(n, 1, [code]))[:, 0]
    triangle = np.tril(a) if lower else np.triu(a)
    if unit:
        triangle = triangle - np.diag(np.diag(triangle)) + np.eye(n, dtype=code)
    want = alpha * np.linalg.solve(turned(triangle, trans).astype("D"), b.astype("D"))
    m = getattr(sp, draw(st.sampled_from(["csr", "csc"])) + "_matrix")(tb.array(a))
    x = laid_out(draw, b)
    got = cs.spsm(m, x, alpha, lower, unit, trans)
    assert got.dtype == code and got.shape == b.shape and got.flags.f_contiguous
    close(x, b)
    assert cs.csrsm2(m, x, alpha, lower, unit, trans) is None
    scale = np.abs(want).max(initial=1) * np.finfo(code).eps * 2000
    for y in (got, x):
        np.testing.assert_allclose(y.get(), want, atol=scale, rtol=0)


@pytest.mark.parametrize("code", INEXACT)
@pytest.mark.parametrize("seed", range(4))
def test_incomplete_factors(code, seed):
    """On A's own places L @ U is A, which defines ILU(0)."""
    r = np.random.default_rng(seed)
    n = 12
    a = r.normal(size=(n, n)) * (r.random((n, n)) < 0.3) + 8 * np.eye(n)
    a = (a * (1 - 0.5j) if code in "FD" else a).astype(code)
    m = sp.csr_matrix(tb.array(a))
    assert cs.csrilu02(m) is None
    assert m.dtype == code and m.nnz == np.count_nonzero(a)
    factors = m.toarray().get()
    assert not factors[a == 0].any()
    product = (np.tril(factors, -1) + np.eye(n)) @ np.triu(factors)
    np.testing.assert_allclose(product[a != 0], a[a != 0], atol=200 * np.finfo(code).eps)


def test_incomplete_factors_fail():
    a = sp.csr_matrix(tb.array([[1.0, 2.0], [3.0, 0.0]]))
    with pytest.raises(ValueError, match=r"a\(1,1\) is missing"):
        cs.csrilu02(a)
    a = sp.csr_matrix(tb.array([[1.0, 2.0], [2.0, 4.0]]))
    with pytest.raises(ValueError, match=r"u\(1,1\) is zero"):
        cs.csrilu02(a)
    close(a, np.array([[1.0, 2.0], [2.0, 4.0]]))
    with pytest.raises(ValueError, match=r"square.*\(2, 3\)"):
        cs.csrilu02(sp.csr_matrix((2, 3)))
    with pytest.raises(TypeError, match="int64"):
        cs.csrilu02(sp.csr_matrix(tb.array([[1]])))
    cs.csrilu02(sp.csr_matrix((0, 0)))


A = sp.csr_matrix(tb.array([[1.0, 2.0], [3.0, 0.0]]))
WIDE = sp.csr_matrix((2, 3))
V = tb.ones(3)
BAD = [
    (cs.spmv, (np.ones((2, 2)), V), TypeError, "ndarray"),
    (cs.spmv, (A.todia(), V), TypeError, "dia_matrix"),
    (cs.spmv, (A, np.ones(2)), TypeError, "spmv"),
    (cs.spmv, (A, V), ValueError, r"\(2, 2\) and \(3,\)"),
    (cs.spmv, (WIDE, V, V), ValueError, r"\(2,\), not \(3,\)"),
    (cs.spmv, (A, tb.ones(2), None, 1, 0, "X"), ValueError, "'X'"),
    (cs.spmm, (A, V), ValueError, "2 dimensions"),
    (cs.spmm, (A, tb.ones((3, 2))), ValueError, r"\(3, 2\)"),
    (cs.csrmm, (A.tocsc(), tb.ones((2, 2))), TypeError, "csc_matrix"),
    (cs.spgemm, (WIDE, A), ValueError, r"\(2, 3\) and \(2, 2\)"),
    (cs.spgemm, (A, A.tocoo()), TypeError, "coo_matrix"),
    (cs.csrgeam, (A, WIDE), ValueError, r"\(2, 2\) and \(2, 3\)"),
    (cs.coosort, (A.tocoo(), "x"), ValueError, "'x'"),
    (cs.coosort, (A,), TypeError, "csr_matrix"),
    (cs.csrsort, (A.tocsc(),), TypeError, "csc_matrix"),
    (cs.csr2coo, (A, V, V[:2]), ValueError, r"\(2,\)"),
    (cs.denseToSparse, (tb.ones((2, 2)), "dia"), TypeError, "'dia'"),
    (cs.denseToSparse, (V,), ValueError, "2 dimensions"),
    (cs.sparseToDense, (A, tb.ones((3, 2))), ValueError, "shape"),
    (cs.spsm, (WIDE, V), ValueError, r"\(2, 3\)"),
    (cs.spsm, (A, V), ValueError, r"\(3,\)"),
    (cs.spsm, (A, tb.arange(2)), TypeError, "int64"),
    (cs.spsm, (A, tb.ones(2)), np.linalg.LinAlgError, "row 1"),
    (cs.csrsm2, (A, tb.ones(2, "f")), TypeError, "float64 and float32"),
    (cs.csrsm2, (A.tocoo(), tb.ones(2)), TypeError, "coo_matrix"),
    (cs.check_availability, ("nothing",), ValueError, "'nothing'"),
    (cs.DnVecDescriptor.create, (tb.ones((2, 2)),), ValueError, r"\(2, 2\)"),
]


@pytest.mark.parametrize("i", range(len(BAD)))
def test_bad_input(i):
    f, args, error, match = BAD[i]
    with pytest.raises(error, match=match):
        f(*args)


def test_descriptors():
    ended = []
    d = cs.BaseDescriptor(3, get=lambda x: x, destroyer=ended.append)
    assert d.descriptor == d.desc == d.real == 3
    del d
    assert ended == [3]
    m = cs.MatDescriptor.create()
    m.set_mat_type(1)
    m.set_mat_fill_mode(1)
    m.set_mat_diag_type(1)
    m.set_mat_index_base(1)
    kept = pickle.loads(pickle.dumps(m)).descriptor
    assert kept == dict.fromkeys(("type", "fill_mode", "diag_type", "index_base"), 1)
    s = cs.SpMatDescriptor.create(A)
    s.set_attribute(0, 1)
    assert s.descriptor is A and s.attributes == {0: 1}
    with pytest.raises(AttributeError, match="none"):
        s.none
    assert all(cs.check_availability(name) for name in ("spmv", "csrgemm2", "csrilu02", "denseToSparse"))
