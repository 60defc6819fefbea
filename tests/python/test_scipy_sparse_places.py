"""Elements of sparse matrices that are written where they are, and the places of the least and the largest."""

import math
import warnings

import numpy as np
import pytest
import scipy.sparse as ss
import tombac as tb
import tombacx.scipy.sparse as sp

FORMATS = ["csr_matrix", "csc_matrix", "csr_array", "csc_array"]


def pair(name, seed=0, shape=(7, 9), dtype="d"):
    r = np.random.default_rng(seed)
    dense = (r.integers(-3, 4, shape) * (r.random(shape) < 0.5)).astype(dtype)
    return getattr(sp, name)(tb.array(dense)), dense


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_stored_is_written_where_it_is(name):
    a, dense = pair(name)
    row, col = (x[:6] for x in np.nonzero(dense))
    parts, turned, copied, doubled = (a.indices, a.indptr), a.T, a.copy(), a * 2
    a[row, col] = tb.arange(6.0)
    a[int(row[0]), int(col[0])] = 9.0
    assert a.indices is parts[0] and a.indptr is parts[1]
    want = dense.copy()
    want[row, col], want[row[0], col[0]] = np.arange(6.0), 9.0
    for got, expected in ((a, want), (turned, want.T), (copied, dense), (doubled, 2 * dense)):
        np.testing.assert_array_equal(got.toarray().get(), expected)


@pytest.mark.parametrize("name", FORMATS)
def test_of_several_values_for_a_place_the_last_is_stored(name):
    for places in (tb.array([0, 0, 1, 0]), [0, 0, 1, 0]):
        for stored in (True, False):
            a = getattr(sp, name)(tb.ones((2, 3)) if stored else (2, 3))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                a[places, places] = tb.array([1.0, 2.0, 3.0, 4.0])
            np.testing.assert_array_equal(a.toarray().get()[[0, 1], [0, 1]], [4, 3])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("dtype", ["f", "d", "D", "i", "?"])
def test_diagonals_of_what_is_stored(name, dtype):
    for k in (-2, 0, 3):
        a = getattr(sp, name)(tb.ones((5, 6), dtype))
        want = np.ones((5, 6), dtype)
        n = len(np.diagonal(want, k))
        i = np.arange(n)
        for values in (0, np.arange(n) % 2):
            a.setdiag(tb.array(values) if np.ndim(values) else values, k)
            want[i - min(k, 0), i + max(k, 0)] = values
            np.testing.assert_array_equal(a.toarray().get(), want)
            assert a.dtype == want.dtype and a.nnz == 30


def test_writing_to_elements_that_are_stored_twice():
    a = sp.csr_matrix((tb.array([1.0, 2, 3]), tb.array([1, 1, 0]), tb.array([0, 2, 3])), shape=(2, 2))
    a[0, 1] = 7
    np.testing.assert_array_equal(a.toarray().get(), [[0, 7], [3, 0]])


@pytest.mark.parametrize("format", ["coo", "csr", "csc", "bsr"])
@pytest.mark.parametrize("dtype", ["d", "i", "?", "D", "e"])
@pytest.mark.parametrize("seed", range(6))
def test_places_of_extremes(format, dtype, seed):
    r = np.random.default_rng(seed)
    shape = (4, 6)
    few = r.integers(-1 - seed % 2, 2, shape) if seed < 4 else r.integers(1, 3, shape) * (1 - 2 * (seed % 2))
    dense = np.where(r.random(shape) < (0.3, 0.8, 1.0)[seed % 3], few, 0).astype(dtype)
    order = r.permutation(24)  # zeros are stored, too, and in no order
    kept = [i for i in order if dense.flat[i] or r.random() < 0.3]
    row, col = np.divmod(kept, 6)
    a = sp.coo_array((tb.array(dense[row, col]), (tb.array(row), tb.array(col))), shape=shape).asformat(format)
    for name in ("argmax", "argmin"):
        got = getattr(a, name)()
        assert got.shape == () and got.dtype == "int64"
        assert int(got) == getattr(dense, name)()


def test_places_of_extremes_with_nan_and_of_nothing():
    x = np.zeros((3, 4))
    assert int(sp.coo_matrix((3, 4)).argmax()) == int(sp.csr_matrix((3, 4)).argmin()) == 0
    x[2, 1], x[1, 2], x[0, 0] = np.nan, np.nan, 5
    for a in (sp.csr_matrix(tb.array(x)), sp.csc_matrix(tb.array(x)), sp.coo_array(tb.array(x))):
        assert int(a.argmax()) == int(a.argmin()) == x.argmax()
    two = sp.coo_matrix((tb.array([2.0, 3, 4]), (tb.array([1, 0, 1]), tb.array([1, 1, 1]))), shape=(2, 2))
    assert int(two.argmax()) == 3 and int(two.argmin()) == 0
    cube = np.random.default_rng(0).integers(-2, 3, (3, 4, 5))
    assert int(sp.coo_array(tb.array(cube)).argmax()) == cube.argmax()


@pytest.mark.parametrize("name", ["csr_matrix", "csc_matrix", "coo_matrix", "coo_array", "csr_array", "bsr_matrix"])
@pytest.mark.parametrize("zeros", [False, True])
def test_counts_of_what_is_not_zero(name, zeros):
    a, dense = pair(name)
    if zeros:
        a.data[:2] = 0
        dense = a.toarray().get()
    for axis in (0, 1, -1, -2):
        got = a.count_nonzero(axis)
        np.testing.assert_array_equal(got.get(), np.count_nonzero(dense, axis))
        assert got.dtype == "int64"


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dia", "bsr"])
def test_sizes_one_after_the_other(format):
    """What is cut away does not come back."""
    dense = np.arange(1.0, 31).reshape(5, 6)
    h = ss.csr_matrix(dense).asformat(format)
    a = sp.csr_matrix(tb.array(dense)).asformat(format)
    data = a.data
    a.resize((5, 6))
    assert a.data is data
    for shape in ((5, 4), (3, 4), (6, 4), (6, 9), (2, 2), (7, 7)):
        h = h.tocsr()
        h.resize(shape)
        a.resize(shape)
        np.testing.assert_array_equal(a.toarray().get(), h.toarray(), err_msg=str(shape))
        assert a.shape == shape and math.isclose(float(a.sum()), h.sum())


@pytest.mark.parametrize("name", ["lil_matrix", "lil_array", "dok_matrix", "dok_array"])
@pytest.mark.parametrize("dtype", ["d", "i", "?", "D", "f"])
def test_single_elements_of_lists_and_dictionaries(name, dtype):
    a, h = getattr(sp, name)((3, 4), dtype=dtype), getattr(ss, name)((3, 4), dtype=dtype)
    r = np.random.default_rng(0)
    for _ in range(60):
        key = int(r.integers(-3, 3)), int(r.integers(-4, 4))
        value = (0, 1, 2.5, True)[r.integers(4)]
        a[key] = value
        h[key] = value
        got = a[key]
        assert got.shape == () and got.dtype == dtype and got.get() == h[key]
        np.testing.assert_array_equal(a.toarray().get(), h.toarray())
        np.testing.assert_array_equal(a.tocsr().toarray().get(), h.toarray())
        assert a.nnz == h.nnz
    for key in ((3, 0), (0, 4), (-4, 0), (0, -5)):
        with pytest.raises(IndexError):
            a[key]
        with pytest.raises(IndexError):
            a[key] = 1
    if dtype not in "D?":
        with pytest.raises(TypeError):
            a[0, 0] = 1j
    np.testing.assert_array_equal(a.toarray().get(), h.toarray())


@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_dictionaries_of_elements_that_come_twice(kind):
    data, row, col = np.array([1.0, 2, 3, 4]), np.array([1, 0, 1, 1]), np.array([2, 0, 2, 0])
    a = getattr(sp, f"coo_{kind}")((tb.array(data), (tb.array(row), tb.array(col))), shape=(2, 3))
    h = getattr(ss, f"coo_{kind}")((data, (row, col)), shape=(2, 3))
    assert list(a.todok().items()) == list(h.todok().items())
    assert a.nnz == h.nnz == 3
    np.testing.assert_array_equal(a.toarray().get(), h.toarray())


@pytest.mark.parametrize("format", ["coo", "csr", "csc", "dia", "bsr", "lil", "dok"])
def test_find_leaves_the_matrix_as_it_is(format):
    dense = np.array([[0.0, 1, 0, 2], [3, 0, 0, 4]])
    a = sp.coo_matrix(tb.array(dense)).asformat(format)
    for zeros in (False, True):
        if zeros and format in ("coo", "csr", "csc"):
            a.data[1] = 0
        count, want = a.nnz, ss.find(a.toarray().get())
        found = sp.find(a)
        assert a.nnz == count
        order = np.lexsort((found[1].get(), found[0].get()))
        theirs = np.lexsort((want[1], want[0]))
        for got, w in zip(found, want):
            np.testing.assert_array_equal(got.get()[order], w[theirs])
        found[2][...] = 9
        np.testing.assert_array_equal(sp.find(a)[2].get()[order], want[2][theirs])


@pytest.mark.parametrize("index", ["i", "q"])
@pytest.mark.parametrize("dtype", ["?", "h", "f", "d", "D"])
def test_elements_whose_rows_ascend(index, dtype):
    """Those stay in their order, in as many parts as there are threads; rows may be empty, or all there is."""
    r = np.random.default_rng(3)
    for rows, count in ((1, 5), (7, 0), (40, 25), (300, 5000), (3, 200_000), (70_000, 150_000)):
        row = np.sort(r.integers(0, rows, count)).astype(index)
        col = r.integers(0, 50, count).astype(index)
        values = r.integers(0, 3, count).astype(dtype)
        h = ss.coo_array((values, (row, col)), shape=(rows, 50))
        a = sp.coo_array((tb.array(values), (tb.array(row), tb.array(col))), shape=(rows, 50))
        lines, want = a._lines("csr"), np.lexsort((col, row))
        np.testing.assert_array_equal(lines.indptr.get(), np.searchsorted(row, np.arange(rows + 1)))
        np.testing.assert_array_equal(lines.indices.get(), col[want])
        np.testing.assert_array_equal(lines.data.get(), values[want])
        got, h = a.tocsr(), h.tocsr()
        np.testing.assert_array_equal(got.indptr.get(), h.indptr)
        np.testing.assert_array_equal(got.data.get(), h.data)


@pytest.mark.skipif(tb.config.backend() != "cpu", reason="a GPU's kernels do not look for them")
@pytest.mark.parametrize("at", [0, 100, 199])
@pytest.mark.parametrize("wrong", [(-1, 0), (9, 0), (0, -1), (0, 9), (2**30, 2**30)])
def test_elements_in_order_that_are_outside(at, wrong):
    row = np.sort(np.arange(200) % 9)
    a = sp.coo_matrix((tb.ones(200), (tb.array(row, "i"), tb.array(row, "i"))), shape=(9, 9))
    a.row[at], a.col[at] = (x if x else row[at] for x in wrong)
    with pytest.raises((ValueError, IndexError)):
        a.tocsr().toarray()


@pytest.mark.parametrize("name", ["lil_matrix", "lil_array", "dok_matrix", "dok_array"])
@pytest.mark.parametrize("dtype", ["d", "i", "?", "D", "f"])
@pytest.mark.parametrize("shape", [(5, 7), (0, 3), (3, 0), (40, 1)])
def test_sums_and_norms_of_lists_and_dictionaries(name, dtype, shape):
    dense = (np.random.default_rng(1).integers(-2, 3, shape)).astype(dtype)
    a = getattr(sp, name)(tb.array(dense))
    assert int(a.count_nonzero()) == np.count_nonzero(dense)
    got = a.sum()
    assert got.get() == dense.sum() and got.dtype == dense.sum().dtype
    np.testing.assert_allclose(float(sp.linalg.norm(a)), np.linalg.norm(dense), rtol=1e-6)
    for axis in (0, 1):
        np.testing.assert_array_equal(a.sum(axis).get().ravel(), dense.sum(axis))
