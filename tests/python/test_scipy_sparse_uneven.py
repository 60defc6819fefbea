"""Sparse matrices with more elements than a block of a GPU has, in rows of very different lengths, against SciPy."""

import numpy as np
import pytest
import scipy.sparse as ss

import tombac as tb
import tombacx.scipy.sparse as sp

SHAPES = [(900, 700), (3, 6000), (6000, 3), (1, 2500), (2500, 1)]


def uneven(seed, shape, code="i", index=np.int32):
    """Most rows empty, one full, and a few of some elements: integers, so that sums are exact. Canonical, in CSR."""
    r = np.random.default_rng(seed)
    rows = np.concatenate([np.full(shape[1], shape[0] // 2), r.integers(0, shape[0], 2000)])
    cols = np.concatenate([np.arange(shape[1]), r.integers(0, shape[1], 2000)])
    data = r.integers(1, 4, rows.size)
    h = ss.coo_matrix((data, (rows, cols)), shape=shape).tocsr()
    h.data = (h.data * (1 + 2j) if np.dtype(code).kind == "c" else h.data).astype(code)
    h.indices, h.indptr = h.indices.astype(index), h.indptr.astype(index)
    return h


def device_of(h):
    """The same by its parts, whose indices keep their dtype."""
    a = sp.csr_array((tb.asarray(h.data), tb.asarray(h.indices), tb.asarray(h.indptr)), shape=h.shape)
    assert a.indices.dtype == h.indices.dtype
    return a


def same_parts(got, want):
    want.sort_indices()
    for x, y in ((got.indptr, want.indptr), (got.indices, want.indices), (got.data, want.data)):
        np.testing.assert_array_equal(x.get(), y)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_two_patterns(shape, index):
    h, g = uneven(1, shape, index=index), uneven(2, shape, index=index)
    a, b = device_of(h), device_of(g)
    same_parts(a + b, h + g)
    same_parts(a.multiply(b), h.multiply(g).tocsr())
    nothing = ss.csr_matrix(shape, dtype=h.dtype)
    same_parts(a + device_of(nothing), h + nothing)
    same_parts(device_of(nothing) + a, nothing + h)
    same_parts(device_of(nothing).multiply(a), nothing.multiply(h).tocsr())


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_turned_and_grouped(shape, index):
    h = uneven(3, shape, index=index)
    a = device_of(h)
    same_parts(a.tocsc(), h.tocsc())
    same_parts(a.tocoo().tocsr(), h)
    b = a.tocoo()
    c = b.tocsr()
    b.col[...] = 0
    same_parts(c, h)
    order = np.random.default_rng(4).permutation(h.nnz)
    row, col = (x[order].astype(index) for x in h.nonzero())
    same_parts(sp.coo_array((tb.asarray(h.data[order]), (tb.asarray(row), tb.asarray(col))), shape=shape).tocsr(), h)


@pytest.mark.parametrize("k", [1, 2047, 2048, 2049, -1])
@pytest.mark.parametrize("less", [0, 1])
def test_order_is_found_out(k, less):
    """One element that is out of order, or comes twice, where a block's begin and end."""
    h = uneven(5, SHAPES[0])
    index = h.indices.copy()
    index[k] = max(index[k - 1] - less, 0)
    a = sp.csr_matrix((tb.asarray(h.data), tb.asarray(index), tb.asarray(h.indptr)), shape=h.shape)
    want = ss.csr_matrix((h.data, index, h.indptr), shape=h.shape)
    assert a.has_sorted_indices == want.has_sorted_indices
    assert a.has_canonical_format == want.has_canonical_format
    row, col = want.tocoo().row, want.tocoo().col
    given = (tb.asarray(want.data), (tb.asarray(row), tb.asarray(col)))
    want.sum_duplicates()
    same_parts(sp.coo_matrix(given, shape=h.shape).tocsr(), want)


@pytest.mark.parametrize("code", ["?", "h", "i", "I", "q", "Q", "e", "f", "d", "F", "D"])
@pytest.mark.parametrize("width", [None, 3])
def test_transposed_products(code, width):
    """Sums are small enough for every dtype to hold them but float16, of which only few are added."""
    h = uneven(6, (40, 5000), "f" if code == "e" else code)
    a = device_of(h)
    a.data = a.data.astype(code)
    x = np.random.default_rng(7).integers(0, 2, (40,) if width is None else (40, width))
    got = (a.T @ tb.asarray(x.astype(code))).get()
    assert got.dtype == code
    np.testing.assert_array_equal(got, (h.T.toarray().astype("D" if code in "FD" else "q") @ x).astype(code))


def test_transposed_products_of_nothing():
    a = sp.csr_matrix((0, 5000), dtype="f")
    np.testing.assert_array_equal((a.T @ tb.zeros((0,), "f")).get(), np.zeros(5000, "f"))
    a = sp.csr_matrix((7, 5000), dtype="f")
    np.testing.assert_array_equal((a.T @ tb.ones((7, 2), "f")).get(), np.zeros((5000, 2), "f"))


@pytest.mark.parametrize("longest", [40, 200, 900, 3000])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("code", ["i", "d", "F"])
def test_products_of_two(longest, index, code):
    """Rows of no products, of a few, and one of as many as a warp, a block or no kernel puts in order."""
    r = np.random.default_rng(6)
    h, g = uneven(4, (50, 60), code, index), uneven(5, (60, longest), code, index)
    few = ss.random(60, longest, 0.2 if longest < 900 else 0.01, "csr", random_state=r)
    few.data = r.integers(1, 4, few.nnz)
    g = ss.csr_matrix((few.astype(code) + g) if longest == 3000 else few.astype(code))
    g.sort_indices()
    g.indices, g.indptr = g.indices.astype(index), g.indptr.astype(index)
    found = device_of(h) @ device_of(g)
    found.sort_indices()
    same_parts(found, ss.csr_array(h @ g))


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("code", "fidDbQ?")
@pytest.mark.parametrize("shape", [(300, 70000), (70000, 1), (1, 50000), (40000, 40000)])
def test_large_transposes(shape, code, index):
    """So many elements that a GPU's sort takes rows and values along; some come twice."""
    r = np.random.default_rng(len(code))
    rows, cols = r.integers(0, shape[0], 40000), r.integers(0, shape[1], 40000)
    h = ss.csr_array((r.integers(0, 100, 40000).astype(code), (rows, cols)), shape)
    h = ss.csr_array((h.data, h.indices.astype(index), h.indptr.astype(index)), shape)
    want, got = h.tocsc(), device_of(h).tocsc()
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(got, name).get(), getattr(want, name))
    assert got.data.dtype == h.data.dtype and got.indices.dtype == index
    back = got.tocsr()
    np.testing.assert_array_equal(back.data.get(), want.tocsr().data)
    np.testing.assert_array_equal((got * 2).data.get(), (want * 2).data)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("value", [7, -1, 2**31 - 1])
def test_overwritten_indices(index, value):
    """Are looked at again."""
    for n in (1, 40_000):  # by one table of counts, or several
        a = device_of(ss.csr_matrix((np.ones(n), np.arange(n) % 7, np.arange(n + 1)), (n, 7)))
        a.indices, a.indptr = a.indices.astype(index), a.indptr.astype(index)
        a.tocsc()
        a.indices[n // 2] = value
        with pytest.raises(ValueError, match="index"):
            a.tocsc()
        a.indices[n // 2] = 6
        assert a.tocsc().indptr[-1] == n
