"""Parts picked from sparse matrices, matrices side by side, and functions of two of them, against SciPy and NumPy."""

import operator

import numpy as np
import pytest
import scipy.sparse as ss
from hypothesis import given
from hypothesis import strategies as st

import tombac as tb
from tombac import config
import tombacx.scipy.sparse as sp

SIZES = st.integers(0, 2**31)
LENGTHS = st.integers(1, 70)
FORMATS = st.sampled_from(["csr", "csc"])
CODES = st.sampled_from("?bhilBLfdFD")
INDICES = st.sampled_from([np.int32, np.int64])
OPERATORS = {"add": operator.add, "subtract": operator.sub, "not_equal": operator.ne, "less": operator.lt,
             "greater": operator.gt}


def made(r, shape, code, format, density=0.3, index=np.int32):
    """The same matrix of both: numbers of which some are opposite, so that sums are zero, and some rows are empty."""
    table = r.integers(-2, 3, shape) * (r.random(shape) < density) * (r.random((shape[0], 1)) < 0.8)
    if np.dtype(code).kind == "u":
        table = abs(table)
    table = table.astype(code) * np.dtype(code).type(1 + 2j if np.dtype(code).kind == "c" else 1)
    h = getattr(ss, f"{format}_array")(table)
    h.indices, h.indptr = h.indices.astype(index), h.indptr.astype(index)
    a = getattr(sp, f"{format}_array")((tb.array(h.data), tb.array(h.indices), tb.array(h.indptr)), shape=shape)
    assert a.indices.dtype == index
    return h, a


def same(got, want):
    """Parts are the same where rows are in order, and elements where the order is open."""
    assert (got.format, got.shape, got.dtype, got.nnz) == (want.format, want.shape, want.dtype, want.nnz)
    want.sort_indices()
    got = got.sorted_indices()
    for x, y in ((got.indptr, want.indptr), (got.indices, want.indices), (got.data, want.data)):
        np.testing.assert_array_equal(x.get(), y)


@given(SIZES, LENGTHS, LENGTHS, CODES, FORMATS, INDICES)
def test_picked(seed, rows, cols, code, format, index):
    r = np.random.default_rng(seed)
    h, a = made(r, (rows, cols), code, format, index=index)
    i, j = r.integers(-rows, rows, r.integers(0, 99)), r.integers(-cols, cols, r.integers(0, 99))
    once = r.permutation(cols)[: r.integers(0, cols + 1)]
    for key in ((i,), (slice(None), j), (slice(None), once), (i, slice(1, None)), (i[:, None], j)):
        got, want = a[tuple(tb.array(k) if isinstance(k, np.ndarray) else k for k in key)], h[key]
        same(got, want)
        assert got.indices.dtype == index or 0 in got.shape


@given(SIZES, LENGTHS, LENGTHS, CODES, FORMATS, INDICES)
def test_elements(seed, rows, cols, code, format, index):
    r = np.random.default_rng(seed)
    h, a = made(r, (rows, cols), code, format, index=index)
    for i, j in zip(r.integers(-rows, rows, 5).tolist(), r.integers(-cols, cols, 5).tolist()):
        got = a[i, j]
        assert (got.shape, got.dtype) == ((), h.dtype) and got == h[i, j]
    with pytest.raises(IndexError, match="out of range"):
        a[rows, 0]
    with pytest.raises(IndexError, match="out of range"):
        a[0, -cols - 1]


def test_elements_stored_twice_are_summed():
    a = sp.csr_matrix((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 2))
    assert a[0, 1] == 3 and a[0, 0] == 0 and a.nnz == 2


def test_picked_twice_stays_unordered():
    h = ss.csr_matrix(np.array([[1, 2, 0, 3], [0, 4, 5, 0]]))
    a = sp.csr_matrix(h)
    key = [3, 1, 1, 0]
    got, want = a[:, key], h[:, key]
    if config.backend() == "cpu":  # a GPU's are in order
        assert not got.has_sorted_indices
        np.testing.assert_array_equal(got.indices.get(), want.indices)
    np.testing.assert_array_equal((got + got).toarray().get(), (want + want).toarray())


def test_rows_stored_twice_stay_so():
    parts = np.array([1.0, 2.0, 3.0]), np.array([1, 1, 0]), np.array([0, 2, 3])
    h, a = ss.csr_matrix(parts, shape=(2, 2)), sp.csr_matrix(parts, shape=(2, 2))
    for key in (([1, 0, 0],), (slice(None), [1, 0, 1])):
        assert a[key].nnz == h[key].nnz
        np.testing.assert_array_equal(a[key].toarray().get(), h[key].toarray())


def test_out_of_range():
    a = sp.csr_matrix((3, 4))
    for key in (([3],), (slice(None), [4]), ([-4],), (slice(None), [-5])):
        with pytest.raises(IndexError, match="out of range"):
            a[key]


@given(SIZES, st.integers(0, 40), st.lists(st.tuples(st.integers(0, 30), CODES, INDICES), min_size=1, max_size=4),
       FORMATS)
def test_side_by_side(seed, lines, some, format):
    r = np.random.default_rng(seed)
    for stack, swapped in (("hstack", False), ("vstack", True)):
        shapes = [(n, lines) if swapped else (lines, n) for n, _, _ in some]
        pairs = [made(r, s, code, format, 0.5, index) for s, (_, code, index) in zip(shapes, some)]
        want = getattr(ss, stack)([h for h, _ in pairs], format=format)
        got = getattr(sp, stack)([a for _, a in pairs], format=format)
        same(got, want)
        assert got.has_canonical_format
        wide = any(a.indices.dtype == np.int64 for _, a in pairs)
        assert got.indices.dtype == (np.int64 if wide else np.int32)


def test_side_by_side_of_other_lengths():
    for stack, a, b in (("hstack", (2, 3), (3, 3)), ("vstack", (2, 3), (2, 4))):
        for format in ("csr", "csc"):
            with pytest.raises(ValueError, match="incompatible"):
                getattr(sp, stack)([sp.csr_matrix(a).asformat(format), sp.csr_matrix(b).asformat(format)])


@given(SIZES, LENGTHS, LENGTHS, CODES, CODES, FORMATS, INDICES)
def test_functions_of_two(seed, rows, cols, first, second, format, index):
    r = np.random.default_rng(seed)
    h, a = made(r, (rows, cols), first, format, 0.4, index)
    g, b = made(r, (rows, cols), second if r.random() < 0.3 else first, format, 0.4, index)
    for name in ("add", "subtract", "maximum", "minimum", "not_equal", "less", "greater"):
        if name == "subtract" and h.dtype == g.dtype == "?":
            continue
        f = OPERATORS.get(name, lambda x, y: getattr(x, name)(y))
        want = getattr(np, name)(h.toarray(), g.toarray())
        got = f(a, b)
        assert (got.format, got.dtype, got.nnz) == (format, want.dtype, np.count_nonzero(want))
        assert got.has_canonical_format
        np.testing.assert_array_equal(got.toarray().get(), want)
    assert first == "?" or (a - a).nnz == 0


@pytest.mark.parametrize("code", "fd")
def test_extremes_of_nan(code):
    x, y = np.array([[np.nan, 0, 1, -0.0, 5, np.inf]], code), np.array([[2, np.nan, np.nan, 0, -7, -np.inf]], code)
    for name in ("maximum", "minimum"):
        for p, q in ((x, y), (y, x)):
            got = getattr(sp.csr_array(tb.array(p)), name)(sp.csr_array(tb.array(q)))
            np.testing.assert_array_equal(got.toarray().get(), getattr(np, name)(p, q))


@pytest.mark.parametrize("code", "fd")
def test_comparisons_of_nan(code):
    x, y = np.array([[np.nan, 0, 1, -0.0, 5, np.inf]], code), np.array([[2, np.nan, np.nan, 0, 5, -np.inf]], code)
    for f in (operator.ne, operator.lt, operator.gt):
        for p, q in ((x, y), (y, x)):
            np.testing.assert_array_equal(f(sp.csr_array(tb.array(p)), sp.csr_array(tb.array(q))).toarray().get(),
                                          f(p, q))


@pytest.mark.parametrize("code", "il")
def test_sums_wrap(code):
    most = np.iinfo(code).max
    x = np.array([[most, -most - 1, 0]], code)
    a = sp.csr_array(tb.array(x))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal((a + a).toarray().get(), x + x)
        np.testing.assert_array_equal((a - sp.csr_array(tb.array(x[:, ::-1]))).toarray().get(), x - x[:, ::-1])


def test_stored_zeros_are_dropped():
    parts = np.array([0.0, 2.0]), np.array([0, 2]), np.array([0, 2])
    a = sp.csr_array(parts, shape=(1, 3))
    assert (a + a).nnz == 1 and a.maximum(a).nnz == 1


def test_many_rows_of_different_lengths():
    """More than one thread's work, most of it in few rows."""
    r = np.random.default_rng(5)
    lengths = np.where(r.random(9000) < 0.01, r.integers(0, 4000, 9000), r.integers(0, 3, 9000))
    rows = np.repeat(np.arange(9000), lengths)
    h = ss.csr_array((r.integers(1, 9, rows.size), (rows, r.integers(0, 5000, rows.size))), shape=(9000, 5000))
    g = ss.csr_array((r.integers(1, 9, rows.size), (rows[::-1], r.integers(0, 5000, rows.size))), shape=(9000, 5000))
    h.sum_duplicates(), g.sum_duplicates()
    a, b = sp.csr_array(h), sp.csr_array(g)
    i, j = r.integers(0, 9000, 8000), r.integers(0, 5000, 7000)
    same(a[i], h[i])
    same(a[:, j], h[:, j])
    same(sp.hstack([a, b, a]), ss.hstack([h, g, h]))
    same(a + b, h + g)
    same(a - b, h - g)
    same(a.maximum(b), h.maximum(g))


@pytest.mark.parametrize("code", "?bhilfdFD")
@pytest.mark.parametrize("cols, density", [(40, 0.5), (64, 0.1), (4096, 0.3), (5000, 0.3), (3000, 0.02)])
def test_products_of_full_and_of_sparse_rows(code, cols, density):
    """Rows have a place for each column, or a table."""
    r = np.random.default_rng(cols)
    h, a = made(r, (50, 60), code, "csr", density)
    g, b = made(r, (60, cols), code, "csr", density)
    got = a @ b
    np.testing.assert_array_equal(got.toarray().get(), (h @ g).toarray())
    assert got.dtype == (h @ g).dtype and got.nnz <= 50 * cols
    assert got.nnz == (h @ g).nnz == np.count_nonzero(got.toarray().get())


@given(SIZES, LENGTHS, LENGTHS, st.integers(0, 300), CODES, INDICES)
def test_elements_in_any_order(seed, rows, cols, n, code, index):
    """Some come twice, whose sums are of integers."""
    r = np.random.default_rng(seed)
    data = r.integers(1, 3, n).astype(code)
    i, j = r.integers(0, rows, n).astype(index), r.integers(0, cols, n).astype(index)
    h = ss.coo_array((data, (i, j)), shape=(rows, cols))
    a = sp.coo_array((tb.array(data), (tb.array(i), tb.array(j))), shape=(rows, cols))
    for format in ("csr", "csc"):
        same(a.asformat(format), h.asformat(format))
        other = {"csr": "csc", "csc": "csr"}[format]
        same(a.asformat(format).asformat(other), h.asformat(format).asformat(other))
        assert a.asformat(format).has_canonical_format


@pytest.mark.skipif(config.backend() != "cpu", reason="a GPU looks at places once")
def test_elements_out_of_range_after_a_check():
    a = sp.coo_array((np.ones(2), ([0, 1], [1, 0])), shape=(2, 2))
    a.row[...] = 7
    with pytest.raises(ValueError, match="row index 7"):
        a.tocsr()
    a.row[...] = 0
    a.col[...] = -1
    with pytest.raises(ValueError, match="negative column index"):
        a.tocsr()
