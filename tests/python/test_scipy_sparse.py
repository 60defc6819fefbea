"""Sparse matrices against SciPy: formats, operators, keys, reductions, construction, and bad input."""

import pickle
import threading
import warnings

import numpy as np
import pytest
import random_sparse
import scipy.sparse as ss
from hypothesis import given, settings
from hypothesis import strategies as st

import tombac as tb
import tombacx.scipy.sparse as sp

pytestmark = pytest.mark.filterwarnings("ignore:Changing the sparsity structure")
FORMATS = ["coo", "csr", "csc", "dia"]
CODES = ["?", "b", "B", "h", "H", "i", "I", "q", "Q", "f", "d", "F", "D"]


def dense_of(x):
    x = x.toarray() if hasattr(x, "toarray") else x
    return np.asarray(x.get() if isinstance(x, tb.ndarray) else x)


def same(got, want, tol=1.0, shape=True):
    got, want = dense_of(got), dense_of(want)
    if shape:
        assert got.shape == want.shape
        assert got.dtype == want.dtype, (got.dtype, want.dtype)
    eps = np.finfo(want.dtype).eps if want.dtype.kind in "fc" else 0
    np.testing.assert_allclose(got, want, rtol=20 * tol * eps, atol=20 * tol * eps)


def valid(a):
    """What every result has to be, looked at from outside."""
    if a.format in ("csr", "csc"):
        lines, length = a.shape if a.format == "csr" else a.shape[::-1]
        start, index = a.indptr.get(), a.indices.get()
        assert start.shape == (lines + 1,) and start[0] == 0 and start[-1] == index.size == a.data.size
        assert (np.diff(start) >= 0).all() and (index >= 0).all() and (index < max(length, 1)).all()
        inside = np.diff(index)[np.setdiff1d(np.arange(1, index.size), start) - 1] if index.size else index
        assert a.has_sorted_indices == bool((inside >= 0).all())
        assert a.has_canonical_format == bool((inside > 0).all())
        assert start.dtype == index.dtype
    return a


@st.composite
def hosts(draw, codes=CODES, max_side=7, formats=FORMATS, shape=None):
    """A matrix of SciPy's in COO with duplicates and zeros among its elements, as another format or as it is."""
    m, n = shape or (draw(st.integers(0, max_side)), draw(st.integers(0, max_side)))
    code = draw(st.sampled_from(codes))
    k = draw(st.integers(0, 2 * max_side)) if m * n else 0
    r = np.random.default_rng(draw(st.integers(0, 2**32)))
    row, col = r.integers(0, max(m, 1), k), r.integers(0, max(n, 1), k)
    data = r.integers(0 if np.dtype(code).kind in "bu" else -3, 4, k).astype(code)
    if np.dtype(code).kind == "c":
        data = data * (1 + 1j)
    a = ss.coo_matrix((data.astype(code), (row, col)), shape=(m, n))
    return a.asformat(draw(st.sampled_from(formats)))


def device_of(h, is_array=False):
    return getattr(sp, f"{h.format}_{'array' if is_array else 'matrix'}")(h)


# ---- formats ---------------------------------------------------------------------------------------------------------


@given(hosts(), st.sampled_from(FORMATS), st.booleans())
@settings(max_examples=400)
def test_formats(h, format, is_array):
    a = device_of(h, is_array)
    assert a.nnz == h.nnz and a.shape == h.shape and a.dtype == h.dtype and a.format == h.format
    same(a, h)
    b = valid(a.asformat(format))
    assert b.format == format and isinstance(b, sp.sparray) == is_array and sp.isspmatrix(b) != is_array
    same(b, h)
    same(b.get(), h)
    same(valid(b.T), h.T)
    same(pickle.loads(pickle.dumps(b)), h)
    if format in ("csr", "csc"):
        want = h.asformat(format)
        want.sum_duplicates()
        b.sum_duplicates()
        valid(b)
        assert b.has_canonical_format
        for x, y in ((b.indptr, want.indptr), (b.indices, want.indices), (b.data, want.data)):
            np.testing.assert_array_equal(x.get(), y)


@given(hosts(formats=["coo"]), st.sampled_from(["csr", "csc"]), st.booleans())
@settings(max_examples=200)
def test_parts_as_they_are(h, format, wide):
    """Parts in no order, with duplicates, as a user may have them."""
    name = format + ("_array" if wide else "_matrix")  # matrices have int32 wherever that is enough
    lines = h.shape[format == "csc"]
    major, minor = (h.row, h.col) if format == "csr" else (h.col, h.row)
    order = np.argsort(major, kind="stable")
    indptr = np.searchsorted(major[order], np.arange(lines + 1)).astype("q" if wide else "i")
    parts = (h.data[order], minor[order].astype(indptr.dtype), indptr)
    host = getattr(ss, name)(parts, shape=h.shape)
    a = valid(getattr(sp, name)(tuple(map(tb.array, parts)), shape=h.shape))
    assert a.indices.dtype == indptr.dtype == host.indices.dtype
    same(a, host)
    same(valid(a.sorted_indices()), host)
    same(valid(a.tocoo()), host)
    x = np.arange(h.shape[1]).astype(h.dtype)
    same(a @ tb.array(x), host @ x, 4)
    for result, want in ((a.tocsr(), host.tocsr()), (a.tocsc(), host.tocsc()), (a + a, host + host),
                         (a[::-1], host[::-1]), (a.copy(), host)):
        same(valid(result), want)
    a.sort_indices()
    assert valid(a).has_sorted_indices


@given(hosts(), st.data())
@settings(max_examples=100)
def test_shapes(h, data):
    m, n = h.shape
    a = device_of(h)
    divisors = [d for d in range(1, m * n + 1) if m * n % d == 0] or [1]
    rows = data.draw(st.sampled_from(divisors))
    if m * n:
        for order in "CF":
            same(a.reshape(rows, -1, order=order), h.toarray().reshape((rows, -1), order=order))
        a.shape = (rows, m * n // rows)
        same(a, h.toarray().reshape(rows, -1))
    else:
        same(a.reshape(n, m), np.zeros((n, m), h.dtype))


def test_dense_is_taken_and_made():
    host = np.arange(12.0).reshape(3, 4) % 5
    for cls in (sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.dia_matrix, sp.csr_array):
        for x in (tb.array(host), host, host.tolist(), tb.asfortranarray(tb.array(host)), tb.array(host)[::-1, ::2]):
            want = dense_of(x) if isinstance(x, tb.ndarray) else np.asarray(x)
            same(cls(x), want)
    same(sp.csr_matrix(tb.arange(3)), np.arange(3)[None])
    a = sp.csr_matrix(tb.array(host))
    out = tb.full((3, 4), 7.0)
    assert a.toarray(out=out) is out
    same(out, host)
    assert a.toarray("F").flags.f_contiguous and a.todense().flags.c_contiguous
    with pytest.raises(ValueError, match="out"):
        a.toarray(out=tb.zeros((4, 3)))


# ---- operators -------------------------------------------------------------------------------------------------------


@st.composite
def two(draw, codes=CODES):
    shape = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    return draw(hosts(codes, shape=shape)), draw(hosts(codes, shape=shape))


BINARY = {
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x.multiply(y),
    "maximum": lambda x, y: x.maximum(y), "minimum": lambda x, y: x.minimum(y), "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y, "gt": lambda x, y: x > y, "eq": lambda x, y: x == y, "le": lambda x, y: x <= y,
    "ge": lambda x, y: x >= y,
}


@given(two(), st.sampled_from(sorted(BINARY)))
@settings(max_examples=600)
def test_two_matrices(pair, name):
    h, g = pair
    complexes = "c" in (h.dtype.kind, g.dtype.kind)
    if complexes and name in ("maximum", "minimum", "lt", "gt", "le", "ge"):
        return
    if name == "subtract" and h.dtype.kind == g.dtype.kind == "b":
        return  # NumPy has no such function, SciPy has
    f = BINARY[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # SciPy's own sums of stored duplicates first: its comparisons of them differ.
        want = f(h.tocoo().tocsr(), g.tocoo().tocsr())
        got = valid(f(device_of(h), device_of(g)))
    same(got, want)
    if name in ("add", "subtract", "multiply") and got.format != "dia":
        assert got.nnz == np.count_nonzero(dense_of(want))


BROADCASTS = [((8, 1), (1, 8)), ((1, 5), (4, 1)), ((4, 5), (1, 5)), ((4, 5), (4, 1)), ((1, 5), (4, 5)),
              ((4, 1), (4, 5)), ((4, 5), (1, 1)), ((1, 1), (1, 5)), ((0, 1), (1, 5)), ((4, 1), (1, 0))]


@pytest.mark.parametrize("kind", ["csr_matrix", "csr_array"])
@pytest.mark.parametrize("formats", [("csr", "csr"), ("csc", "csr"), ("csr", "csc"), ("coo", "coo"), ("bsr", "csr"),
                                     ("dia", "csr")])
@pytest.mark.parametrize("shapes", BROADCASTS, ids=str)
def test_stored_elements_of_broadcast_products(shapes, formats, kind):
    """As many as in SciPy: none of zero, and no NaN of an infinity and what is not stored."""
    rng = np.random.default_rng(3)
    for values in ([0, 0, 1, -2], [0, 0, 2.5, np.inf, np.nan]):
        given_by = [getattr(ss, kind)(rng.choice(values, shape)) for shape in shapes]
        for h in given_by:
            h.data[:1] = 0
        h, g = (h.asformat(format) for h, format in zip(given_by, formats, strict=True))
        a, b = (getattr(sp, kind)(h).asformat(format) for h, format in zip(given_by, formats, strict=True))
        with np.errstate(all="ignore"):
            want, got = h.multiply(g), valid(a.multiply(b))
        assert got.nnz == want.nnz
        same(got, want)
        if shapes[0][::-1] == shapes[1]:
            assert got.format == want.format


@given(hosts(["i", "f", "d", "D"]), st.sampled_from([0, 1, -2, 2.5, np.float32(1.5), np.nan, np.inf]))
@settings(max_examples=200)
def test_numbers(h, x):
    a, s = device_of(h), h.tocoo().tocsr()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if np.isfinite(x):
            same(a * x, s * x)
            same(x * a, x * s)
            same(a.multiply(x), s.multiply(x))
        if x and x == x:
            same(a / x, s.toarray() / x, shape=False)
        if h.dtype.kind != "c":
            for f in (lambda y: y < x, lambda y: y >= x, lambda y: y == x, lambda y: y != x):
                same(f(a), f(s.toarray()))
            same(a.maximum(x), np.maximum(s.toarray(), x), shape=False)
            same(a.minimum(x), np.minimum(s.toarray(), x), shape=False)


@given(hosts(["i", "f", "d", "D"], formats=["csr", "csc", "coo"]), st.data())
@settings(max_examples=200)
def test_dense_operands(h, data):
    m, n = h.shape
    shape = data.draw(st.sampled_from([(m, n), (1, n), (m, 1), (n,), (1, 1)]))
    x = np.random.default_rng(1).integers(1, 5, shape).astype("d")
    a, s, y = device_of(h), h.tocoo().tocsr(), tb.array(x)
    same(valid(a.multiply(y)), s.toarray() * x)
    same(a / y, s.toarray() / x)
    if shape == (m, n):
        same(a + y, s.toarray() + x)
        same(y - a, x - s.toarray())
        if h.dtype.kind != "c":
            same(a.maximum(y), np.maximum(s.toarray(), x))
            same(a < y, s.toarray() < x)


UNARY = ["sin", "tan", "arctan", "arcsinh", "sqrt", "expm1", "log1p", "ceil", "floor", "rint", "sign", "trunc", "tanh",
         "deg2rad", "rad2deg", "sinh"]


@given(hosts(["f", "d"]), st.sampled_from(UNARY))
@settings(max_examples=100)
def test_functions_of_elements(h, name):
    with np.errstate(all="ignore"):
        same(getattr(device_of(h), name)(), getattr(np, name)(h.toarray()), 4)


@given(hosts(["i", "f", "D"]))
@settings(max_examples=100)
def test_parts_and_powers(h):
    a, s = device_of(h), h.toarray()
    same(abs(a), abs(s))
    same(-a, -s)
    same(a.conj(), s.conj())
    same(a.real, s.real)
    same(a.imag, s.imag)
    same(a.power(3), s**3, 4)
    same(a.astype("D"), s.astype("D"))
    assert a.astype(a.dtype, copy=False) is a
    assert a.count_nonzero() == np.count_nonzero(s)
    got, want = (np.stack(x) for x in ([x.get() for x in a.nonzero()], h.copy().nonzero()))
    if h.format == "dia":  # along diagonals, in SciPy 1.18 another way
        got, want = (x[:, np.lexsort(x)] for x in (got, want))
    np.testing.assert_array_equal(got, want)


# ---- products --------------------------------------------------------------------------------------------------------


@given(hosts(), st.sampled_from(CODES), st.integers(0, 4), st.booleans())
@settings(max_examples=400)
def test_products_with_dense_arrays(h, code, width, pending):
    r = np.random.default_rng(3)
    m, n = h.shape
    for x in (r.integers(0, 3, n), r.integers(0, 3, (n, width)), r.integers(0, 3, (width, n)).T):
        x = x.astype(code)
        y = tb.array(x) * tb.array(1, code) if pending and code != "?" else tb.array(x)
        same(device_of(h) @ y, h @ x, 4)
        same(device_of(h, True).T @ (tb.ones(m, code)), h.T @ np.ones(m, code), 4)
    x = r.integers(0, 3, (2, m)).astype(code)
    same(tb.array(x) @ device_of(h), x @ h, 4)
    same(device_of(h).dot(tb.ones((n, 1), code)), h.dot(np.ones((n, 1), code)), 4)


@given(st.data(), st.sampled_from(CODES), st.sampled_from(CODES))
@settings(max_examples=300)
def test_products_of_matrices(data, left, right):
    m, k, n = (data.draw(st.integers(0, 6)) for _ in range(3))
    h, g = data.draw(hosts([left], shape=(m, k))), data.draw(hosts([right], shape=(k, n)))
    want = h.tocsr() @ g.tocsr()
    got = valid(device_of(h) @ device_of(g))
    same(got, want, 4)
    same(device_of(h) * device_of(g), want, 4)
    both = h.format == g.format == "dia"
    assert got.format == (h.format if h.format in ("csr", "csc") or both else "csr")


def test_large_products():
    h = ss.random(3000, 2500, 0.01, "csr", random_state=1, dtype="d")
    g = ss.random(2500, 4000, 0.003, "csc", random_state=2, dtype="d")
    dense = ss.random(40, 2500, 0.5, "csr", random_state=3)
    a, b, d = map(device_of, (h, g, dense))
    same(valid(a @ b), h @ g, 50)
    same(valid(d @ b), dense @ g, 50)
    same(a @ a.T, h @ h.T, 50)
    x = np.random.default_rng(1).random((2500, 33))
    same(a @ tb.array(x), h @ x, 50)
    same(b.T @ tb.array(x), g.T @ x, 50)
    same(b @ tb.ones((4000, 3)), g @ np.ones((4000, 3)), 50)
    same(valid(a + b.T[:3000, :2500].tocsr()), h + g.T[:3000, :2500].tocsr())


def test_float16():
    h = ss.random(20, 30, 0.3, "csr", random_state=1, dtype="f")
    a = device_of(h).astype("e")
    x = tb.arange(30).astype("e")
    got = a @ x
    assert got.dtype == np.float16
    np.testing.assert_allclose(got.get(), (a.toarray().get().astype("f") @ np.arange(30, dtype="f")), rtol=1e-3)
    assert (a + a).dtype == np.float16 and (a @ a.T).dtype == np.float16


# ---- keys ------------------------------------------------------------------------------------------------------------


@st.composite
def keys(draw, shape):
    def one(n):
        choices = [st.slices(n), st.just(slice(None))]
        if n:
            choices += [st.integers(-n, n - 1), st.lists(st.integers(-n, n - 1), min_size=1, max_size=4),
                        st.lists(st.booleans(), min_size=n, max_size=n)]
        return draw(st.one_of(choices))

    row, col = one(shape[0]), one(shape[1])
    if isinstance(row, list) and isinstance(col, list):
        row, col = (np.flatnonzero(x) if x and isinstance(x[0], bool) else np.array(x) for x in (row, col))
        row, col = row[:, None], col[None, :]
        if 0 in (row.size, col.size):
            return slice(None), slice(None)
    return draw(st.sampled_from([(row, col), (row,), (..., col)])) if not isinstance(row, np.ndarray) else (row, col)


@given(hosts(["f"], formats=["csr", "csc"]), st.data())
@settings(max_examples=500)
def test_reading_by_key(h, data):
    key = data.draw(keys(h.shape))
    dense = h.toarray()
    want = dense
    full = key if key[0] is not ... else (slice(None), key[1])
    for axis, k in enumerate(full):
        if isinstance(k, (int, np.integer)):
            k = slice(k, k + 1) if k != -1 else slice(-1, None)
        if isinstance(k, np.ndarray):
            k = k.reshape(-1)
        want = want[k] if axis == 0 else want[:, k]
    got = device_of(h)[key if len(key) > 1 else key[0]]
    if all(isinstance(k, (int, np.integer)) for k in full) and len(full) == 2:
        assert got.shape == ()
        want = want.reshape(())
    else:
        valid(got)
    same(got, want)


@given(hosts(["d"], formats=["csr", "csc"]), st.data())
@settings(max_examples=300)
def test_writing_by_key(h, data):
    key = data.draw(keys(h.shape))
    dense = h.toarray()
    key = key if len(key) > 1 else key[0]
    shape = dense[key].shape
    value = data.draw(st.sampled_from([np.float64(5), np.arange(1.0, 1 + np.prod(shape)).reshape(shape)]))
    a = device_of(h)
    a[key] = value if np.ndim(value) == 0 else tb.array(value)
    dense[key] = value
    same(valid(a), dense)


def test_places_and_masks():
    h = ss.random(9, 11, 0.4, "csr", random_state=4)
    a = device_of(h)
    row, col = np.array([0, 3, 3, 8, -1]), np.array([1, 10, 10, -2, 4])
    same(a[row, col], h.toarray()[row, col][None])
    same(sp.csr_array(h)[tb.array(row), tb.array(col)], h.toarray()[row, col])
    mask = h.toarray() > 0.5
    same(a[mask], h.toarray()[mask][None])
    same(a[tb.array(mask)], h.toarray()[mask][None])
    same(a[a > 0.5], h.toarray()[mask][None])
    b = a.copy()
    b[mask] = -1
    want = h.toarray()
    want[mask] = -1
    same(b, want)
    b[row, col] = tb.array([1.0, 2.0, 3.0, 4.0, 5.0])
    want[row, col] = [1, 2, 3, 4, 5]
    same(b, want)
    same(a.getrow(2), h[2])
    same(a.getcol(-1), h[:, -1])
    assert [r.shape for r in a] == [(1, 11)] * 9


def test_keys_that_are_wrong():
    a = sp.csr_matrix(tb.eye(4))
    for key in (4, -5, (0, 4), [0, 4], [-5], (slice(None), [7]), None, (0, 1, 2), "x", np.ones(3, bool), 1.5,
                np.ones((2, 3), bool)):
        with pytest.raises(IndexError):
            a[key]
    with pytest.raises(ValueError):
        a[0] = tb.ones(3)
    with pytest.raises(IndexError):
        a[9, 9] = 1
    same(a, np.eye(4))


@given(hosts(["d", "i"]), st.integers(-8, 8))
@settings(max_examples=150)
def test_diagonals(h, k):
    a, dense = device_of(h), h.toarray()
    m, n = h.shape
    same(a.diagonal(k), dense.diagonal(k) if -m < k < n else np.zeros(0, h.dtype))
    if -m < k < n:
        assert a.trace(k) == dense.trace(k)
        a.setdiag(9, k)
        length = dense.diagonal(k).size
        dense[np.arange(length) - min(k, 0), np.arange(length) + max(k, 0)] = 9
        same(a, dense)
        a.setdiag(tb.arange(length).astype(a.dtype), k)
        dense[np.arange(length) - min(k, 0), np.arange(length) + max(k, 0)] = np.arange(length)
        same(a, dense)
    for f in (sp.tril, sp.triu):
        same(f(a, k), getattr(np, f.__name__)(dense, k))


# ---- reductions ------------------------------------------------------------------------------------------------------


@given(hosts(), st.sampled_from([None, 0, 1, -1, -2]), st.booleans())
@settings(max_examples=300)
def test_sums(h, axis, is_array):
    a = device_of(h, is_array)

    def host():  # of its own each time: SciPy may sum up what is stored twice in it
        return getattr(ss, f"{h.format}_array")(h.copy()) if is_array else h.copy()

    want = host().sum(axis)
    same(a.sum(axis), np.asarray(want), 4, shape=np.ndim(want) > 0)
    if h.shape[0] * h.shape[1]:
        same(a.mean(axis), np.asarray(host().mean(axis)), 4, shape=False)
    if axis is not None and not is_array and h.format in ("csr", "csc"):
        same(a.getnnz(axis), h.getnnz(axis), shape=False)


@pytest.mark.parametrize("name", ["coo_matrix", "coo_array"])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "bool"])
def test_sums_of_narrow_elements_stored_twice(name, dtype):
    most = 1 if dtype == "bool" else np.iinfo(dtype).max
    data, row, col = np.full(4, most, dtype), np.array([0, 0, 0, 1]), np.array([1, 1, 1, 2])
    a = getattr(sp, name)((tb.array(data), (tb.array(row), tb.array(col))), shape=(3, 3))
    for axis in (0, 1):
        want = getattr(ss, name)((data.copy(), (row.copy(), col.copy())), shape=(3, 3)).sum(axis)
        same(a.sum(axis), np.asarray(want), shape=np.ndim(want) > 0)
    assert int(a.sum()) == (2 if dtype == "bool" else 4 * int(most))


@given(hosts(["i", "f", "d"], formats=["csr", "csc"]), st.sampled_from([None, 0, 1]), st.booleans(),
       st.sampled_from(["max", "min", "argmax", "argmin", "nanmax", "nanmin"]))
@settings(max_examples=400)
def test_extremes(h, axis, nan, name):
    if nan and h.dtype.kind == "f" and h.data.size:
        h.data[:: 3] = np.nan
    h = h.tocoo().asformat(h.format)
    dense = h.toarray()
    a = device_of(h)
    if dense.size == 0:
        if 0 in (dense.shape if axis is None else (dense.shape[axis],)):
            with pytest.raises(ValueError):
                getattr(a, name)(axis)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name.startswith("arg"):
            same(getattr(a, name)(axis), getattr(np, name)(dense, axis, keepdims=axis is not None), shape=False)
        else:
            same(getattr(a, name)(axis), getattr(h, name)(axis))


# ---- construction ----------------------------------------------------------------------------------------------------


def test_constructors():
    a, b = ss.random(3, 4, 0.5, random_state=1), ss.random(3, 2, 0.5, "csr", random_state=2)
    x, y = sp.coo_matrix(a), sp.csr_matrix(b)
    for format in (None, "csr", "csc", "coo", "dia"):
        same(sp.hstack([x, y], format), ss.hstack([a, b], format))
        same(sp.vstack([x, x], format), ss.vstack([a, a], format))
        same(sp.bmat([[x, None], [None, y]], format), ss.bmat([[a, None], [None, b]], format))
        same(sp.block_diag([x, tb.ones((1, 2)), y], format), ss.block_diag([a, np.ones((1, 2)), b], format))
        same(sp.kron(x, y, format), ss.kron(a, b, format))
        same(sp.kronsum(sp.eye(3), sp.csr_matrix(tb.ones((2, 2))), format),
             ss.kronsum(ss.eye(3), ss.csr_matrix(np.ones((2, 2))), format))
        same(sp.eye(3, 5, -1, "f", format), ss.eye(3, 5, -1, "f", format))
        same(sp.identity(4, "D", format), ss.identity(4, "D", format))
        same(sp.spdiags(tb.arange(12.0).reshape(3, 4), [0, -1, 2], 4, 4, format),
             ss.spdiags(np.arange(12.0).reshape(3, 4), [0, -1, 2], 4, 4, format))
        for args in (([[1.0, 2, 3], [4.0, 5]], [0, 1]), ([1.0], [2], (3, 7)), ([[2.0]], [0], (3, 3)),
                     ([[1.0, 2]], [-1]), ([1.0, -2.0, 1.0], [1, 0, -1], (4, 4))):
            same(sp.diags(*args, format=format), ss.diags(*args, format=format))
        same(sp.block_array([[x, y]], format=format), ss.block_array([[a, b]], format=format))
    assert isinstance(sp.eye_array(3), sp.sparray) and isinstance(sp.hstack([sp.eye_array(2)]), sp.sparray)
    same(sp.diags_array([[1.0, 2.0]], offsets=[1]),
         ss.diags_array([[1.0, 2.0]], offsets=[1]))
    r, c, v = sp.find(x)
    for got, want in zip((r, c, v), ss.find(a)):
        assert sorted(got.get().tolist()) == sorted(want.tolist())


@pytest.mark.parametrize("format", ["coo", "csr", "csc", "dia"])
def test_random_matrices(format):
    a = sp.random(20, 30, 0.2, format, random_state=7)
    assert a.count_nonzero() == 120 and a.format == format and a.shape == (20, 30)
    values = a.tocoo().data.get()
    assert (values >= 0).all() and (values < 1).all()
    same(a, sp.random(20, 30, 0.2, format, random_state=7))
    b = sp.random_array((5, 5), density=1, format=format, data_sampler=lambda size: tb.arange(size) + 1.0)
    assert sorted(b.toarray().get().ravel()) == list(range(1, 26))
    assert sp.rand(3, 3, 0).nnz == 0
    with pytest.raises(ValueError, match="density"):
        sp.random(3, 3, 1.5)


# ---- bad input -------------------------------------------------------------------------------------------------------


def test_parts_that_do_not_fit():
    one, i = tb.ones(2), tb.array([0, 1])
    bad = [
        ((one, i, tb.array([1, 1, 2])), (2, 2)),
        ((one, i, tb.array([0, 1, 3])), (2, 2)), ((one, i, tb.array([0, 2])), (2, 2)), ((one, i[:1], i), None),
        ((one.reshape(1, 2), i, i), None), ((one, tb.array([0.5, 1]), i), None),
    ]
    for parts, shape in bad:
        with pytest.raises(ValueError):
            sp.csr_matrix(parts, shape=shape)
        with pytest.raises(ValueError):
            sp.csc_matrix(parts, shape=shape)
    for data, row, col, shape in ((one, i, tb.array([0, 9]), (2, 2)), (one, -i, i, (2, 2)), (one, i[:1], i, None),
                                  (one[:0], i[:0], i[:0], None)):
        with pytest.raises(ValueError):
            sp.coo_matrix((data, (row, col)), shape=shape)
        with pytest.raises(ValueError):
            sp.csr_matrix((data, (row, col)), shape=shape)
    for cls, x, error in ((sp.csr_matrix, None, ValueError), (sp.csr_matrix, "abc", ValueError),
                          (sp.csr_array, None, TypeError), (sp.csr_array, 3.0, ValueError)):
        with pytest.raises(error):
            cls(x)
    with pytest.raises(ValueError, match="two dimensions"):
        sp.csr_matrix(tb.ones((2, 2, 2)))
    with pytest.raises(ValueError):
        sp.csr_matrix((-1, 2))
    with pytest.raises(ValueError):
        sp.dia_matrix((tb.ones((2, 3)), [0, 0]), shape=(3, 3))
    for cls in (sp.sparray, sp.spmatrix):
        with pytest.raises(ValueError):
            cls()


def test_parts_that_are_replaced():
    a = sp.csr_matrix(tb.array([[1.0, 0, 2], [0, 3, 0]]))
    assert a.has_canonical_format
    a.indices = tb.array([2, 0, 1], "i")
    assert not a.has_sorted_indices
    same(a, np.array([[2.0, 0, 1], [0, 3, 0]]))
    a.indptr = tb.array([0, 1, 3], "i")
    same(a @ tb.ones(3), np.array([1.0, 5]))
    a.indices = tb.array([2, 9, 1], "i")
    for _ in range(2):
        with pytest.raises(ValueError, match="index 9"):
            a @ tb.ones(3)
    a.indices = tb.array([1, 1, 1], "i")
    a.has_canonical_format = True
    same(a, np.array([[0.0, 1, 0], [0, 5, 0]]))


def test_threads_that_put_one_matrix_in_order():
    r = np.random.default_rng(0)
    parts = r.random(3000), r.integers(0, 100, 3000), np.linspace(0, 3000, 101).astype(int)
    for _ in range(15):
        a = sp.csr_matrix(tuple(map(tb.array, parts)), shape=(100, 100))
        total = float(a.data.sum())
        work = [a.sum_duplicates, a.sort_indices, a.sum_duplicates, lambda: a @ tb.ones(100), a.eliminate_zeros]
        threads = [threading.Thread(target=f) for f in work]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        valid(a)
        assert abs(float(a.data.sum()) - total) < 1e-9 * total


def test_what_is_too_large_is_refused():
    with pytest.raises(OverflowError):
        sp.csr_matrix((3, 2**63))
    o = sp.coo_matrix((tb.ones(1), (tb.array([2**40]), tb.array([0]))))
    with pytest.raises(OverflowError):
        sp.kron(o, o)
    with pytest.raises(OverflowError):
        sp.coo_matrix((tb.ones(2), (tb.array([0, 2]), tb.array([2**62, 5])))).reshape((2**62 + 1, 3))


def test_what_scipy_takes():
    same(sp.csr_matrix(tb.array([[1.0, 4]])).power(-0.5), np.array([[1, 0.5]]))
    same(sp.diags([[1, 2, 3], [4, 5, 6]], [0, 1]), np.array([[1.0, 4, 0], [0, 2, 5], [0, 0, 3]]))
    assert sp.diags([1, 2, 3]).dtype == np.float64
    same(sp.bmat([[None, None], [None, tb.ones((1, 2))]]), np.ones((1, 2)))
    same(sp.bmat([[None]]), np.zeros((0, 0)))
    a, b = np.array([[True, False, True]]), np.array([[True, True, False]])
    same(sp.csr_matrix(tb.array(a)) - sp.csr_matrix(tb.array(b)), ss.csr_matrix(a) - ss.csr_matrix(b))
    lower = np.array([[2, 0], [1, 3]])
    same(sp.linalg.spsolve_triangular(sp.csr_matrix(tb.array(lower)), tb.ones(2)), np.linalg.solve(lower, np.ones(2)))


def test_operands_that_do_not_fit():
    a, b = sp.eye(3, format="csr"), sp.eye(4, format="csr")
    for f in (lambda: a + b, lambda: a @ b, lambda: a @ tb.ones(4), lambda: tb.ones((2, 4)) @ a, lambda: a.multiply(b),
              lambda: a < b, lambda: a.maximum(b), lambda: sp.hstack([a, b]), lambda: sp.bmat([[None, a], [None, b]]),
              lambda: a.reshape(2, 5), lambda: bool(a), lambda: a @ 3, lambda: a.asformat("xyz"),
              lambda: a.sum(2), lambda: a.max(out=tb.ones(3))):
        with pytest.raises(ValueError):
            f()
    for f in (lambda: a + "x", lambda: len(a), lambda: a @ object(), lambda: 1 / a):
        with pytest.raises(TypeError):
            f()
    with pytest.raises(NotImplementedError):
        a + 1
    same(a, np.eye(3))


@pytest.mark.parametrize("seed", range(8))
def test_random_programs(seed):
    program = random_sparse.Program(seed)
    for _ in range(40):
        program.step()


def test_nothing_at_all():
    for shape in ((0, 0), (0, 5), (5, 0), (3, 4)):
        for name in ("csr_matrix", "csc_matrix", "coo_matrix", "csr_array"):
            a, h = getattr(sp, name)(shape), getattr(ss, name)(shape)
            same(a, h)
            assert a.nnz == 0
            same(a.T @ a, h.T @ h)
            same(a + a, h + h)
            same(a @ tb.ones(shape[1]), h @ np.ones(shape[1]))
            same(a.sum(0), np.asarray(h.sum(0)))
            same(a.tocsc().tocoo().tocsr(), h)


def test_values_are_expressions(fused):
    a = sp.random(50, 60, 0.2, "csr")
    b = abs(a * 2 - a.sqrt())
    assert b.shape == a.shape
    launches = tb.config.counters()["launches"]
    c = abs(a * 2).sqrt() * 3
    assert tb.config.counters()["launches"] == launches  # three functions, and nothing computed
    same(c, np.sqrt(np.abs(a.toarray().get() * 2)) * 3)


def test_modules_know_sparse_matrices():
    a = sp.eye(3)
    assert tb.get_array_module(a) is tb
    assert sp.issparse(a) and sp.isspmatrix(a) and sp.isspmatrix_dia(a) and not sp.isspmatrix_csr(a)
    assert not sp.issparse(ss.eye(3)) and not sp.issparse(tb.eye(3))
    assert sp.get_index_dtype(maxval=2**31) is np.int64 and sp.get_index_dtype((tb.arange(3, dtype="i"),)) is np.int32


def test_details_of_scipy():
    """What is easily different: orders, dtypes, names, places of new elements, and what is refused."""
    h = ss.coo_matrix((np.array([1, 2, 3], "f"), ([2, 0, 1], [0, 1, 1])), shape=(3, 4))
    for format in FORMATS:
        a, b = (getattr(m, f"{format}_matrix")(h) for m in (sp, ss))
        assert a.toarray().flags.c_contiguous  # as in CuPy; SciPy's of CSC are in Fortran's order
        if format == "coo":
            same(a.dot(tb.array(2.0)), b.dot(np.array(2.0)))
        else:
            with pytest.raises(ValueError, match="Scalar"):
                a.dot(tb.array(2.0))
        assert repr(a) == repr(b)
        assert (a / 2.0).dtype == (b / 2.0).dtype == np.float64
        with pytest.raises(ZeroDivisionError):
            type(a)((3, 0)).mean(axis=1)
        assert sp.tril(a).format == ss.tril(b).format == "coo"
    x, y = sp.coo_matrix(h), h.copy()
    for values, k in ([7, 8], 0), (5, -1), ([], 1), (6, 3), ([1, 2, 3, 4], 1):
        x.setdiag(tb.array(values, "f") if type(values) is list else values, k)
        y.setdiag(np.array(values, "f"), k)
        assert (x.row.get().tolist(), x.col.get().tolist()) == (y.row.tolist(), y.col.tolist())
        same(x, y)
    with pytest.raises(ValueError, match="0-d or 1-d"):
        x.setdiag(tb.ones((2, 2)))
    with pytest.raises(ValueError, match="exceeds"):
        x.setdiag(1, 4)
    data = np.ones((2, 9))
    same(sp.dia_matrix((tb.array(data), [0, 2]), shape=(3, 4)).sum(), ss.dia_matrix((data, [0, 2]), shape=(3, 4)).sum())
    with pytest.raises(NotImplementedError):
        sp.eye(3).count_nonzero(axis=0)
    twice = ((np.array([True, True]), ([0, 0], [1, 1])))
    same(sp.coo_matrix((tb.array(twice[0]), twice[1])).sum(), ss.coo_matrix(twice).sum())
    with pytest.raises(AttributeError):
        sp.coo_array(h).shape = (4, 3)
    with pytest.raises(ValueError, match="length 2"):
        x.reshape(12)
    for format in FORMATS:
        with pytest.raises(ValueError, match="axes"):
            x.asformat(format).transpose(axes=0)
        with pytest.raises(TypeError, match="NoneType"):
            x.asformat(format).dot(None)


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_prune(format):
    a = getattr(sp, format + "_matrix")(tb.array([[1.0, 0.0], [2.0, 3.0]]))
    want = a.toarray().get()
    a.data, a.indices = tb.concatenate([a.data, tb.ones(2)]), tb.concatenate([a.indices, tb.full(2, 99, "i")])
    a.prune()
    assert a.data.size == a.indices.size == 3
    same(a, want)
