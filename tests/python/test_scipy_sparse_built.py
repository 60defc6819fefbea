"""BSR, LIL and DOK, and memory that is shared with SciPy's matrices."""

import gc
import pickle

import numpy as np
import pytest
import scipy.sparse as ss
from hypothesis import given
from hypothesis import strategies as st
from test_scipy_sparse import CODES, device_of, hosts, same

import tombac as tb
import tombacx.scipy.sparse as sp

BUILT = ["bsr", "lil", "dok"]


@given(hosts(formats=["coo"]), st.sampled_from(BUILT), st.booleans())
def test_to_and_fro(h, format, is_array):
    a = device_of(h, is_array)
    b = a.asformat(format)
    kind = "array" if is_array else "matrix"
    assert type(b) is getattr(sp, f"{format}_{kind}") and b.format == format and b.asformat(format) is b
    assert getattr(sp, f"isspmatrix_{format}")(b) != is_array and not getattr(sp, f"isspmatrix_{format}")(a)
    assert b.shape == h.shape and b.dtype == h.dtype and b.nnz >= np.count_nonzero(h.toarray())
    host = b.get()
    assert type(host) is getattr(ss, f"{format}_{kind}")
    for c in (b, host, b.copy(), b.tocsr(), b.tocsc(), b.tocoo(), b.todia(), pickle.loads(pickle.dumps(b)),
              type(b)(host), type(b)(b), type(b)(a), *(b.asformat(f) for f in BUILT)):
        same(c, h)
    same(b.T, h.T)
    same(b.astype("D"), h.tocsr().astype("D"))  # truth values that come twice are one
    same(type(b)(tb.array(h.toarray())), h)
    assert format in ("lil", "dok") or repr(b).split("\n")[0].startswith(repr(host).split("\n")[0])


@given(hosts(["i", "d", "D"], formats=["coo"]), st.sampled_from(BUILT), st.booleans())
def test_computed(h, format, is_array):
    a, x = device_of(h, is_array).asformat(format), h.toarray()
    m, n = h.shape
    v = np.arange(n).astype(x.dtype)
    same(a @ tb.array(v), x @ v, 4)
    same(a @ a.T, x @ x.T, 4)
    same(a + a, x + x)
    same(a * 2, x * np.asarray(2, x.dtype))
    same(abs(a), abs(x))
    same(a.multiply(tb.array(x)), x * x)
    same(a != a.tocsr(), x != x)
    same(a.sum(), x.sum())
    same(a.sum(axis=0), x.sum(axis=0) if is_array else x.sum(axis=0)[None])
    assert a.count_nonzero() == np.count_nonzero(x)
    same(a.reshape((n, m)), x.reshape((n, m)))
    for got, want in zip(a.nonzero(), np.nonzero(x), strict=True):
        np.testing.assert_array_equal(np.sort(got.get()), np.sort(want))
    a *= 3
    same(a, x * np.asarray(3, x.dtype))
    if m and n:
        a.setdiag(7)
        x = np.where(np.eye(m, n, dtype=bool), np.asarray(7, x.dtype), x * np.asarray(3, x.dtype))
        same(a, x)


@given(st.integers(0, 3), st.integers(0, 3), st.sampled_from([(1, 1), (2, 3), (1, 4), (3, 1)]),
       st.sampled_from(CODES), st.integers(0, 2**32 - 1), st.booleans())
def test_blocks(m, n, size, code, seed, duplicates):
    r = np.random.default_rng(seed)
    shape = (m * size[0], n * size[1])
    k = int(r.integers(0, 6)) if m * n else 0
    counts = np.bincount(r.integers(0, max(m, 1), k), minlength=m)[:m]
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype("i")
    indices = r.integers(0, max(n, 1), k).astype("i")
    if not duplicates:
        indices = np.concatenate([np.sort(r.permutation(n)[:c]) for c in counts] + [np.zeros(0, "i")]).astype("i")
        indptr = np.concatenate([[0], np.cumsum([min(c, n) for c in counts])]).astype("i")
    data = r.integers(0, 3, (indices.size, *size)).astype(code)
    host = ss.bsr_matrix((data, indices, indptr), shape=shape)
    parts = tuple(map(tb.array, (data, indices, indptr)))
    a = sp.bsr_matrix(parts, shape=shape)
    assert a.blocksize == size and a.nnz == host.nnz and a.data is parts[0]
    same(a, host)
    same(a.T, host.T)
    assert a.T.blocksize == size[::-1] or a.nnz == 0
    b = a.tocsr().tobsr(blocksize=size)
    assert b.blocksize == size and b.data.shape[0] <= max(a.data.shape[0], 0)
    same(b, host)
    same(b.get(), host)
    x = tb.array(r.integers(0, 3, shape[1]).astype(code))
    same(b @ x, host @ x.get(), 4)
    same(sp.bsr_array(tb.array(host.toarray()), blocksize=size), host)
    a.sum_duplicates()
    same(a, host)
    assert sp.bsr_matrix(shape, blocksize=size).blocksize == size


def test_bad_blocks():
    data, indices, indptr = tb.ones((2, 2, 2)), tb.array([0, 1]), tb.array([0, 1, 2])
    assert sp.bsr_matrix((data, indices, indptr)).shape == (4, 4)
    for f in (lambda: sp.bsr_matrix((data, indices, indptr), shape=(5, 4)),
              lambda: sp.bsr_matrix((data, indices, indptr), shape=(6, 4)),
              lambda: sp.bsr_matrix((data, indices + 5, indptr), shape=(4, 4)).tocsr(),
              lambda: sp.bsr_matrix((data, indices, indptr + 1), shape=(4, 4)),
              lambda: sp.bsr_matrix((data[0], indices, indptr)),
              lambda: sp.bsr_matrix((data, indices, indptr), blocksize=(1, 2)),
              lambda: sp.bsr_matrix((5, 4), blocksize=(2, 2)), lambda: sp.bsr_matrix((4, 4), blocksize=(0, 2)),
              lambda: sp.csr_matrix(tb.eye(3)).tobsr(blocksize=(2, 2)), lambda: sp.bsr_matrix((4, 4), blocksize=2),
              lambda: sp.csr_array(tb.ones(4)).tobsr(), lambda: sp.csr_array(tb.ones(4)).tolil()):
        with pytest.raises(ValueError):
            f()
    for x in (None, "abc"):
        with pytest.raises(ValueError):
            sp.bsr_matrix(x)


@pytest.mark.parametrize("format", ["lil", "dok"])
def test_built_element_by_element(format):
    a, host = getattr(sp, format + "_array")((4, 5)), getattr(ss, format + "_array")((4, 5))
    for key, value in (((0, 1), 3.0), ((slice(1, 3), 2), 4.0), ((3, slice(None)), np.arange(5.0)), ((-1, -1), 0.0)):
        a[key] = tb.array(value) if isinstance(value, np.ndarray) else value
        host[key] = value
    same(a, host)
    assert a.nnz == host.nnz
    a[tb.array([0, 1]), tb.array([4, 4])] = tb.array([7.0, 8.0])
    host[[0, 1], [4, 4]] = [7, 8]
    a[2, 0] = tb.array(5.0)
    host[2, 0] = 5
    a[0:1, 0:2] = sp.csr_array(tb.array([[0.0, 9.0]]))
    host[0:1, 0:2] = ss.csr_array([[0.0, 9.0]])
    same(a, host)
    same(a[0], host[0])
    same(a[1:3], host[1:3])
    assert type(a[0, 1]) is tb.ndarray and float(a[0, 1]) == 9
    a.resize((2, 3))
    host.resize((2, 3))
    assert a.shape == (2, 3)
    same(a, host)
    for key in ((5, 0), (0, 9), (0, 0, 0)):
        with pytest.raises(IndexError):
            a[key]
    assert a.get(copy=False) is a.get(copy=False) is not a.get()


@pytest.mark.parametrize("shape", [(5, 7), (2**40, 3), (2**31 + 9,)])
def test_places_of_a_dictionary(shape):
    """Also those that int32 does not hold, and keys of NumPy's whole numbers, which SciPy's update takes."""
    h, places = ss.dok_array(shape, dtype="f"), [tuple(n - 1 - k for n in shape) for k in (2, 0, 1)]
    for k, place in enumerate(places):
        h[place if len(shape) > 1 else place[0]] = k + 0.5
    h._dict.update({tuple(map(np.int64, k)) if isinstance(k, tuple) else np.int64(k): v for k, v in h._dict.items()})
    a = sp.dok_array(h).tocoo()
    assert a.shape == shape and a.dtype == "f" and a.data.get().tolist() == [0.5, 1.5, 2.5]
    assert [c.dtype for c in a.coords] == ["i" if max(shape) < 2**31 else "l"] * len(shape)
    assert list(zip(*(c.get().tolist() for c in a.coords))) == places


def test_lists_and_dictionaries():
    a = sp.lil_matrix(tb.array([[0, 2.0], [0, 0]]))
    assert a.rows.tolist() == [[1], []] and a.data.tolist() == [[2.0], []]
    d = sp.dok_array(tb.array([0, 2.0, 0, 3]))
    assert d.shape == (4,) and len(d) == 2 and 3 in d and 0 not in d and sorted(d.keys()) == [1, 3]
    assert [float(x) for x in d] == [0, 2, 0, 3]
    assert d.get(3) == 3 and d.get(0) == 0 and d.get(0, -1) == -1 and sorted(d.values()) == [2, 3]
    del d[3]
    assert list(d.items()) == [(1, 2.0)]
    assert (d @ tb.ones(4)) == 2


# ---- memory that is shared -------------------------------------------------------------------------------------------

on_host = pytest.mark.skipif(tb.config.backend() != "cpu", reason="the device is not the host")


def parts_of(a):
    return {"coo": lambda: (a.data, *a.coords), "dia": lambda: (a.data, a.offsets)}.get(
        a.format, lambda: (a.data, a.indices, a.indptr))()


def example(format, kind="array"):
    x = np.zeros((60, 40))
    x[np.arange(40), np.arange(40)] = np.arange(40) + 1.0
    return getattr(ss, f"{format}_{kind}")(x)


@on_host
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dia", "bsr"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_shared_with_scipy(format, kind):
    cls, h = getattr(sp, f"{format}_{kind}"), example(format, kind)
    want = h.toarray()
    a = cls(h, copy=False)
    for x, y in zip(parts_of(a), parts_of(h)):
        assert x.data.ptr == y.ctypes.data
    twice = a * 2  # computed before the memory changes
    h.data *= 3
    same(a, want * 3)
    same(twice, want * 2)
    a.data[...] = a.data + 1
    assert h.data.max() == want.max() * 3 + 1
    for b in (cls(h), cls(h, copy=True), a.copy()):
        assert all(x.data.ptr != y.ctypes.data for x, y in zip(parts_of(b), parts_of(h)))
    want = h.toarray()
    del h
    gc.collect()
    scratch = np.full((60, 40), 7.0)  # would lie where the other was, were that free
    same(a, want)
    back = a.get(copy=False)
    for x, y in zip(parts_of(a), parts_of(back)):
        assert x.data.ptr == y.ctypes.data
    apart = a.get()
    back.data += 1
    same(a, back)
    assert not np.array_equal(apart.toarray(), back.toarray())
    want = back.toarray()
    del a, scratch
    gc.collect()
    np.testing.assert_array_equal(back.toarray(), want)


@on_host
def test_shared_with_numpy():
    data, indices, indptr = np.arange(3.0), np.array([0, 2, 1], "i"), np.array([0, 2, 3], "i")
    a = sp.csr_matrix((data, indices, indptr), shape=(2, 3), copy=False)
    assert [x.data.ptr for x in parts_of(a)] == [x.ctypes.data for x in (data, indices, indptr)]
    assert sp.csr_matrix((data, indices, indptr), shape=(2, 3)).data.data.ptr != data.ctypes.data
    b = sp.coo_array((data, (indices.astype("q"),)), copy=False)
    assert b.data.data.ptr == data.ctypes.data and b.coords[0].dtype == "int64"
    data[0] = 5
    assert a[0, 0] == b[0] == 5


@on_host
def test_what_cannot_be_shared():
    indices, indptr = np.array([0, 2, 1], "i"), np.array([0, 2, 3], "i")
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    for data in (fixed, np.arange(6.0)[::2], np.arange(3.0).astype(">f8"), np.frombuffer(b"\0" * 25, "d", 3, 1)):
        a = sp.csr_matrix((data, indices, indptr), shape=(2, 3), copy=False)
        assert a.data.data.ptr != data.ctypes.data
        np.testing.assert_array_equal(a.data.get(), data)
    wide = sp.csr_matrix((np.arange(3.0), indices.astype("q"), indptr.astype("q")), shape=(2, 3), copy=False)
    assert wide.indices.dtype == "int32"
    with pytest.raises(ValueError):
        sp.csr_matrix((np.arange(3.0), indices + 5, indptr), shape=(2, 3), copy=False).toarray()
    half = sp.csr_matrix((tb.arange(3.0, dtype="e"), indices, indptr), shape=(2, 3))
    assert half.get(copy=False).dtype == "f"


@pytest.mark.parametrize("format", ["csr", "coo", "dia", "bsr"])
def test_asked_to_share_on_any_backend(format):
    """Where nothing can be shared it is copied."""
    h = example(format)
    same(getattr(sp, format + "_array")(h, copy=False), h)
    same(getattr(sp, format + "_array")(h).get(copy=False), h)
    same(getattr(sp, format + "_array")((3, 3)).get(copy=False), np.zeros((3, 3)))


def test_what_assignments_refuse():
    """A sparse matrix in the place of a matrix has its shape; a dense one may have other axes of length 1."""
    d = sp.lil_matrix((3, 3))
    with pytest.raises(ValueError):
        d[0:1, 0:3] = sp.csr_matrix(tb.ones((3, 1)))
    d[0:1, 0:3] = sp.csr_matrix(tb.ones((1, 3)))
    assert d.toarray().get().sum() == 3


def test_diagonals_of_nothing():
    for shape in [(0, 0), (0, 3), (3, 0)]:
        d = sp.csr_matrix(shape)
        d.setdiag(1.0)
        assert d.nnz == 0 and d.shape == shape


@pytest.mark.parametrize("name", ["lil_matrix", "lil_array", "dok_matrix", "dok_array"])
@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 3), (3, 4)])
def test_without_elements(name, shape):
    got, other, want = getattr(sp, name)(shape), getattr(sp, name)(shape), getattr(ss, name)(shape)
    assert type(got.get()) is type(want) and vars(got.get()).keys() == vars(want).keys()
    assert (got.shape, got.dtype, got.nnz, got.maxprint) == (want.shape, want.dtype, 0, want.maxprint)
    if want.shape == (3, 4):
        for a in (got, want):
            a[1, 2] = 5
            a[2] = [0, 1, 0, 2]
            a[0, :2] = 3
        np.testing.assert_array_equal(got.toarray().get(), want.toarray())
        assert other.nnz == 0 and getattr(sp, name)(shape).nnz == 0  # they share nothing
    for wrong in ((-1, 2), (2, -1)):
        with pytest.raises((TypeError, ValueError)) as expected:
            getattr(ss, name)(wrong)
        with pytest.raises(expected.type):
            getattr(sp, name)(wrong)
