"""Sparse arrays of one and of many dimensions against NumPy and SciPy: everything is done to dense arrays as well."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as ss
from hypothesis import given, settings
from hypothesis import strategies as st

import tombac as tb
import tombacx.scipy.sparse as sp
from tombacx.scipy.sparse.linalg import norm

CODES = ["?", "b", "H", "i", "q", "f", "d", "F", "D"]
SHAPES = [(0,), (1,), (5,), (8,), (1, 5), (3, 4), (0, 3), (2, 3, 4), (1, 3, 1), (2, 0, 3), (3, 1, 2, 2),
          (2, 1, 2, 1, 3)]


def dense_of(x):
    x = x.toarray() if hasattr(x, "toarray") else x
    return np.asarray(x.get() if isinstance(x, tb.ndarray) else x)


def same(got, want, tol=1.0, dtype=True):
    got, want = dense_of(got), dense_of(want)
    assert got.shape == want.shape
    assert not dtype or got.dtype == want.dtype
    eps = np.finfo(want.dtype).eps if want.dtype.kind in "fc" else 0
    np.testing.assert_allclose(got, want, rtol=50 * tol * eps, atol=50 * tol * eps)


def numbers(r, shape, code, share=0.5):
    x = r.integers(0 if np.dtype(code).kind in "bu" else -3, 4, shape)
    x = np.where(r.random(shape) < share, x, 0)
    return (x * (1 + 1j) if np.dtype(code).kind == "c" else x).astype(code)


@st.composite
def arrays(draw, codes=CODES, shapes=SHAPES, shape=None):
    """A dense array of NumPy's, and a sparse one of it: elements in any order, zeros, and some stored in two parts."""
    shape = shape or draw(st.sampled_from(shapes))
    r = np.random.default_rng(draw(st.integers(0, 2**32)))
    x = numbers(r, shape, draw(st.sampled_from(codes)))
    coords = np.nonzero(x)
    data = x[coords]
    if x.dtype.kind not in "bu" and x.size and draw(st.booleans()):
        where = tuple(r.integers(0, n, 4) for n in shape)
        more = numbers(r, 4, x.dtype.char)
        coords = tuple(np.concatenate(c) for c in zip(coords, where, where))
        data = np.concatenate([data, more, (0 * more - more).astype(x.dtype)])
    order = r.permutation(data.size)
    a = sp.coo_array((tb.array(data[order]), tuple(tb.array(c[order]) for c in coords)), shape=shape)
    if len(shape) < 3 and draw(st.booleans()):
        a = a.tocsr()
    return x, a


# ---- what they are ---------------------------------------------------------------------------------------------------


@given(arrays(), st.data())
@settings(max_examples=200)
def test_forms(pair, data):
    x, a = pair
    assert a.shape == x.shape and a.ndim == x.ndim and a.dtype == x.dtype and isinstance(a, sp.sparray)
    same(a, x)
    same(a.get(), x)
    same(pickle.loads(pickle.dumps(a)), x)
    same(a.toarray(order="F"), x)
    same(sp.coo_array(tb.array(x)), x)
    same(sp.coo_array(a.get()), x)
    same(a.T, x.T)
    same(a.copy(), x)
    b = a.tocoo()
    order = data.draw(st.permutations(range(x.ndim)))
    same(b.transpose(order), x.transpose(order))
    same(sp.permute_dims(b, order), x.transpose(order))
    if x.ndim > 1:
        same(b.mT, x.swapaxes(-1, -2))
        same(sp.swapaxes(b, 0, -1), x.swapaxes(0, -1))
    for order in "CF":
        same(a.reshape(-1, order=order), x.reshape(-1, order=order))
        shape = (*x.shape[1:], 1, x.shape[0])
        same(a.reshape(shape, order=order), x.reshape(shape, order=order))
    for got, want in zip(a.nonzero(), a.get().nonzero(), strict=True):
        np.testing.assert_array_equal(got.get(), want)
    assert a.count_nonzero() == np.count_nonzero(x)
    b.sum_duplicates()
    assert b.has_canonical_format and len(set(zip(*(c.tolist() for c in b.coords)))) == b.nnz
    same(b, x)
    b.eliminate_zeros()
    assert b.nnz == np.count_nonzero(x)
    same(b, x)


def test_rows_and_formats():
    v = np.array([0, 1.5, 0, -2])
    a = sp.coo_array(tb.array(v))
    assert a.row.tolist() == [0, 0] and a.col.tolist() == [1, 3] and len(a.coords) == 1
    r = a.tocsr()
    assert r.shape == (4,) and r.indptr.tolist() == [0, 2] and r.indices.tolist() == [1, 3] and r.tocoo().shape == (4,)
    assert sp.csr_array((r.data, r.indices, r.indptr), shape=(4,)).ndim == 1
    assert sp.csr_array(r, shape=(1, 4)).shape == (1, 4) and sp.csr_array(tb.array(v), shape=(6,)).shape == (6,)
    assert sp.csr_matrix(r).shape == sp.coo_matrix(a).shape == sp.csc_matrix(tb.array(v)).shape == (1, 4)
    assert (a + a).format == (r + a).format == "csr" and a.reshape(2, 2).format == r.reshape(2, 2).format == "coo"
    for f in (a.tocsc, a.todia, r.tocsc, r.todia, a.diagonal, r.trace, sp.coo_array((2, 2, 2)).tocsr, lambda: a.mT,
              lambda: r.setdiag(1), lambda: sp.tril(a), lambda: sp.csc_array(tb.array(v)),
              lambda: sp.dia_array(tb.array(v)),
              lambda: sp.csr_array(tb.ones((2, 2, 2))), lambda: sp.csr_array(r, shape=(2, 2)),
              lambda: sp.csr_array(r, shape=(3,)), lambda: sp.coo_array(tb.array(v), shape=(1, 4)),
              lambda: sp.coo_array((2, -1, 3)), lambda: sp.coo_array((r.data, ([1, 2], [0, 1], [1, 1])), shape=(4, 4)),
              lambda: sp.coo_array((r.data, ([1, 2], [0, 1], [1, 1])), shape=(4, 4, 1)),
              lambda: sp.coo_array((r.data, ([1, -1],)), shape=(4,)), lambda: sp.coo_array((r.data, ([1.5, 0],)))):
        with pytest.raises(ValueError):
            f()
    for f in (lambda: sp.coo_array(tb.array(3.0)), lambda: sp.csr_array(tb.array(3.0)), lambda: sp.coo_matrix((5,))):
        with pytest.raises(TypeError):
            f()
    assert sp.coo_array((5,)).nnz == 0 and sp.csr_array((5,), dtype="b").dtype == "b"
    assert sp.coo_array((2**20, 2**20, 2**20)).sum(axis=(0, 1, 2)) == 0
    wide = sp.coo_array((r.data, (tb.array([1, 3], "q"),)), shape=(4,))
    assert wide.col.dtype == wide.tocsr().indices.dtype == (wide + wide).indices.dtype == "int64"


def test_many_places():
    """Shapes of which no array of lines could be made."""
    shape = (2**20, 2**20, 2**20)
    a = sp.coo_array((tb.array([1.0, 2.0, 3.0]), ([0, 5, 2**20 - 1], [7, 5, 0], [9, 5, 2**20 - 1])), shape=shape)
    b = a + a.multiply(a)
    assert b.nnz == 3 and b.shape == shape and b[5, 5, 5] == 6 and b[0, 7, 10] == 0
    assert b[[5, 0], [5, 7], [5, 9]].toarray().tolist() == [6, 2]
    b[5, 5, 5] = 9
    assert b.nnz == 3 and sorted(b.data.tolist()) == [2, 9, 12]
    far = sp.csr_array((tb.arange(5.0), [7, 2**33, 1, 2**33, 5], [0, 2, 4, 5]), shape=(3, 2**33 + 1))
    assert far[:, [2**33, 5, 2**33, 6]].toarray().tolist() == [[1, 0, 1, 0], [3, 0, 3, 0], [0, 4, 0, 0]]
    assert far[:, []].shape == (3, 0)
    tall = sp.coo_matrix((tb.arange(4.0), ([2**33, 1, 2**33, 0], [1, 0, 1, 1])), shape=(2**33 + 1, 2))
    tall.sum_duplicates()
    assert tall.row.tolist() == [0, 1, 2**33] and tall.col.tolist() == [1, 0, 1] and tall.data.tolist() == [3, 1, 2]
    with pytest.raises(OverflowError):
        sp.coo_array((2**30, 2**30, 2**30)) + sp.coo_array((2**30, 2**30, 2**30))


# ---- elementwise -----------------------------------------------------------------------------------------------------

PAIRS = {
    "add": (lambda a, b: a + b, np.add), "subtract": (lambda a, b: a - b, np.subtract),
    "multiply": (lambda a, b: a.multiply(b), np.multiply), "star": (lambda a, b: a * b, np.multiply),
    "maximum": (lambda a, b: a.maximum(b), np.maximum), "minimum": (lambda a, b: a.minimum(b), np.minimum),
    "less": (lambda a, b: a < b, np.less), "equal": (lambda a, b: a == b, np.equal),
    "not_equal": (lambda a, b: a != b, np.not_equal), "greater_equal": (lambda a, b: a >= b, np.greater_equal),
}


@given(arrays(), st.data())
@settings(max_examples=300)
def test_two_of_a_shape(pair, data):
    (x, a), (y, b) = pair, data.draw(arrays(shape=pair[0].shape))
    name = data.draw(st.sampled_from(sorted(PAIRS)))
    if name == "subtract" and x.dtype.kind == y.dtype.kind == "b":
        return
    ours, theirs = PAIRS[name]
    if name in ("maximum", "minimum", "less", "greater_equal") and "c" in (x.dtype.kind, y.dtype.kind):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = ours(a, b)
        assert sp.issparse(got) and got.format == ("csr" if x.ndim < 3 else "coo")
        same(got, theirs(x, y))
        dense = ours(a, tb.array(y))
        assert sp.issparse(dense) == (name in ("multiply", "star"))
        same(dense, theirs(x, y))
        number = 0 if name in ("add", "subtract") else 2
        if not (name == "subtract" and x.dtype.kind == "b"):
            same(ours(a, number), theirs(x, number), dtype=False)


@given(st.data())
@settings(max_examples=200)
def test_broadcast(data):
    shapes = [(3,), (1,), (4, 3), (1, 3), (4, 1), (2, 4, 3), (2, 1, 3), (1, 1, 1)]
    (x, a), (y, b) = (data.draw(arrays(["i", "d", "F"], shapes)) for _ in range(2))
    want = x * y
    for other in (b, tb.array(y)):
        got = a.multiply(other)
        assert sp.issparse(got)
        same(got, want)
    if want.shape == x.shape:
        same(a + tb.array(y), x + y)
    else:
        with pytest.raises(ValueError, match="broadcast"):
            a + tb.array(y)
    y = np.abs(y) + 1
    same(a / tb.array(y), x / y.astype(np.result_type(x / y)))
    if x.ndim > y.ndim and x.shape == (1,) * (x.ndim - y.ndim) + y.shape:
        same(a + b, x + b.toarray().get())


@given(arrays(["i", "f", "d", "D"]))
def test_functions(pair):
    x, a = pair
    same(-a, -x)
    same(abs(a), abs(x))
    same(a * 3, x * np.asarray(3, x.dtype))
    same(a**2, x**2)
    same(a.sin(), np.sin(x))
    same(a.conj(), x.conj())
    same(a.real, x.real)
    same(a.astype("F"), x.astype("F"))
    b = a.copy()
    b *= 2
    same(b, x * np.asarray(2, x.dtype))
    same(a, x)


# ---- reductions ------------------------------------------------------------------------------------------------------


@given(arrays(), st.data())
@settings(max_examples=300)
def test_sums(pair, data):
    x, a = pair
    n = data.draw(st.integers(0, x.ndim))
    axes = tuple(i - x.ndim * data.draw(st.booleans()) for i in data.draw(st.permutations(range(x.ndim)))[:n])
    axis = data.draw(st.sampled_from([None, axes, *range(-x.ndim, x.ndim)]))
    want = x.sum(axis=axis)
    same(a.sum(axis=axis), want, dtype=x.dtype.kind != "u")
    np.testing.assert_array_equal(dense_of(a.count_nonzero(axis=axis)), np.count_nonzero(x, axis=axis))
    if x.size:
        same(a.mean(axis=axis), x.mean(axis=axis), 4)
    if x.size and axis != ():
        for name in ("max", "min"):
            if x.dtype.kind != "c":
                got = getattr(a, name)(axis=axis)
                same(got, getattr(x, name)(axis=axis))
                assert sp.issparse(got) == (np.ndim(dense_of(got)) > 0)
        if x.dtype.kind != "c" and not isinstance(axis, tuple):
            np.testing.assert_array_equal(dense_of(a.argmax(axis=axis)), x.argmax(axis=axis))
            np.testing.assert_array_equal(dense_of(a.argmin(axis=axis)), x.argmin(axis=axis))


@given(arrays(["i", "f", "d", "D"], [(1,), (5,), (2, 3, 4), (1, 3, 1)]),
       st.sampled_from([None, 1, 2, np.inf, -np.inf, 0]))
def test_norms(pair, order):
    x, a = pair
    if x.ndim == 1:
        same(norm(a, order), np.linalg.norm(x, order), 4)
    else:
        same(norm(a), np.linalg.norm(x), 4, dtype=False)
        with pytest.raises(ValueError):
            norm(a, 1)


def test_bad_axes():
    a = sp.coo_array((2, 3, 4))
    for axis in (3, -4, (0, 0), (0, -3), (0, 5)):
        with pytest.raises(ValueError):
            a.sum(axis=axis)
    for axis in (0.5, (None,), "x"):
        with pytest.raises(TypeError):
            a.sum(axis=axis)
    with pytest.raises(ValueError):
        a.argmax(axis=(0, 1))
    with pytest.raises(ValueError):
        a.transpose((0, 1, 1))
    with pytest.raises(ValueError):
        a.transpose((0, 1))
    with pytest.raises(ZeroDivisionError):
        sp.coo_array((2, 0, 3)).mean(axis=1)
    with pytest.raises(ValueError):
        sp.coo_array((2, 0, 3)).max()


# ---- products --------------------------------------------------------------------------------------------------------


@given(st.data())
@settings(max_examples=300)
def test_matmul(data):
    n = data.draw(st.integers(0, 4))
    left = data.draw(st.sampled_from([(n,), (3, n), (2, 3, n), (1, 2, n), (5, 2, 1, n), (0, 2, n)]))
    right = data.draw(st.sampled_from([(n,), (n, 2), (2, n, 3), (1, n, 2), (5, 1, n, 2), (0, n, 2)]))
    (x, a), (y, b) = data.draw(arrays(["i", "d", "D"], shape=left)), data.draw(arrays(["i", "f", "d"], shape=right))
    a, b = (c.tocoo() if data.draw(st.booleans()) or max(x.ndim, y.ndim) > 2 else c for c in (a, b))
    try:
        want = x @ y
    except ValueError:
        for f in (lambda: a @ b, lambda: a @ tb.array(y), lambda: tb.array(x) @ b):
            with pytest.raises(ValueError):
                f()
        return
    got = a @ b
    assert sp.issparse(got) == (want.ndim > 0)
    same(got, want)
    for got in (a @ tb.array(y), tb.array(x) @ b):
        assert isinstance(got, tb.ndarray)
        same(got, want)
    same(a.dot(b), x.dot(y))
    same(a.dot(tb.array(y)), x.dot(y))


@given(st.data())
@settings(max_examples=200)
def test_tensordot(data):
    (x, a), (y, b) = (data.draw(arrays(["i", "d"], [(4,), (3, 4), (2, 3, 4), (4, 3, 2, 1)])) for _ in range(2))
    a, b = a.tocoo(), b.tocoo()
    n = data.draw(st.integers(0, min(x.ndim, y.ndim)))
    axes = data.draw(st.one_of(st.just(n), st.tuples(
        st.permutations(range(x.ndim)).map(lambda p: p[:n]), st.permutations(range(-y.ndim, 0)).map(lambda p: p[:n]))))
    try:
        want = np.tensordot(x, y, axes)
    except ValueError:
        with pytest.raises(ValueError):
            a.tensordot(b, axes)
        return
    got = a.tensordot(b, axes)
    assert sp.issparse(got) == (want.ndim > 0)
    same(got, want)
    same(a.tensordot(tb.array(y), axes), want)


def test_bad_products():
    a, c = sp.coo_array(tb.ones((2, 3, 4))), sp.csr_array(tb.ones((2, 3)))
    for f in (lambda: a @ tb.ones(3), lambda: a @ sp.coo_array(tb.ones((3, 4, 5))), lambda: tb.ones(2) @ a,
              lambda: a @ 2,
              lambda: a.dot(tb.ones(3)), lambda: a.tensordot(a, axes=4), lambda: a.tensordot(a, axes=([0], [1])),
              lambda: a.tensordot(a, axes=([0, 0], [0, 0])), lambda: a.tensordot(a, axes=([0], [0, 1])),
              lambda: a.tensordot(a, axes=([7], [0])), lambda: c @ tb.ones((2, 3, 4)), lambda: c @ c):
        with pytest.raises(ValueError):
            f()
    for f in (lambda: a @ None, lambda: a.tensordot([1.0]), lambda: a.dot([[1.0]])):
        with pytest.raises(TypeError):
            f()


# ---- keys ------------------------------------------------------------------------------------------------------------


@st.composite
def keys(draw, shape, new=True):
    """A key of NumPy's for a shape: integers, slices, index arrays that broadcast, masks, new axes, an ellipsis."""
    r = np.random.default_rng(draw(st.integers(0, 2**32)))
    together = draw(st.sampled_from([(3,), (1,), (2, 2), (0,)]))
    items, i = [], 0
    dots = draw(st.integers(0, 3)) == 0
    while i < len(shape):
        n, kind = shape[i], draw(st.integers(0, 8))
        if new and kind == 8:
            items.append(None)
            continue
        if dots and kind == 7:
            items.append(Ellipsis)
            i = len(shape) - draw(st.integers(0, len(shape) - i))
            dots = False
            continue
        if kind in (2, 3) and n:
            items.append(int(r.integers(-n, n)))
        elif kind in (4, 5) and n:
            lengths = together[r.integers(0, len(together)) :] if draw(st.booleans()) else together
            items.append(r.integers(-n, n, lengths))
        elif kind == 6 and len(together) == 1 and together[0] <= n:
            mask = np.zeros(n, bool)
            mask[r.permutation(n)[: together[0]]] = True
            items.append(mask)
        else:
            step = int(r.choice([1, 1, 2, -1, -2]))
            items.append(slice(*(None if r.random() < 0.4 else int(r.integers(-n - 1, n + 2)) for _ in range(2)), step))
        i += 1
    return tuple(items)


def on_device(key):
    return tuple(tb.array(k) if isinstance(k, np.ndarray) and k.size % 2 else k for k in key)


@given(arrays(["i", "d", "?"]), st.data())
@settings(max_examples=600)
def test_read(pair, data):
    x, a = pair
    key = data.draw(keys(x.shape))
    want = x[key]
    if a.format == "csr":
        if want.ndim > 2:
            with pytest.raises(IndexError):
                a[on_device(key)]
            return
    got = a[on_device(key)]
    assert sp.issparse(got) == (want.ndim > 0) or a.format == "csr" and x.ndim == 2
    same(got, want)


@given(arrays(["i", "d", "?"]), st.data())
@settings(max_examples=300)
def test_written(pair, data):
    x, a = pair
    if a.format == "csr" and x.ndim == 2:
        return
    key = data.draw(keys(x.shape, new=False))
    places = np.arange(x.size).reshape(x.shape)[key]
    if len(np.unique(places)) < places.size:
        return  # which of several stays is not said
    value = np.asarray(data.draw(st.sampled_from([0, 1, None])))
    if value.dtype == object:
        value = numbers(np.random.default_rng(1), places.shape, x.dtype.char)
    x[key] = value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        a[on_device(key)] = tb.array(value) if value.ndim else value.item()
    same(a, x)
    assert len(set(zip(*(c.tolist() for c in a.tocoo().coords)))) == a.nnz


@given(arrays(["d"]))
def test_masks_and_iteration(pair):
    x, a = pair
    same(a[tb.array(x > 0)], x[x > 0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(a[a > 0], x[x > 0])
    for got, want in zip(a, x, strict=True):
        same(got, want)


def test_keys_of_arrays():
    x = np.array([[1.0, 0, 2], [0, 3, 0]])
    for name in ("csr", "csc", "coo"):
        a = getattr(sp, name + "_array")(tb.array(x))
        host = getattr(ss, name + "_array")(x)
        for key in (0, (slice(None), 1), ([0, 1], 1), (1, [[0, 1], [1, 2]]), (0, ...), (None, 0),
                    (slice(None), None, 0), (slice(0, 1),), ([0, 1],), (1, 2), ([[0], [1]], [1, 2])):
            got, want = a[key], host[key]
            same(got, want)
            assert sp.issparse(got) == ss.issparse(want)
            if ss.issparse(want) and name != "csc":
                assert got.format == want.format
        for key in ((0, 0, 0), 2, (0, 3), "x", [0, 7], ([0, 1], [0, 1, 2]), [True], np.ones((3, 3), bool),
                    (..., ...)):
            with pytest.raises(IndexError):
                a[key]
        with pytest.raises(ValueError):
            a[0] = tb.ones(2)
        if name != "coo":
            with pytest.raises(IndexError):
                a[None]
    for v in (sp.csr_array(tb.array([1.0, 0, 2])), sp.coo_array(tb.array([1.0, 0, 2]))):
        for key in ((0, 0), 3, -4, [5], np.ones(2, bool), np.ones((3, 1), bool)):
            with pytest.raises(IndexError):
                v[key]
            with pytest.raises(IndexError):
                v[key] = 1
    with pytest.raises(TypeError):
        sp.coo_matrix(tb.eye(2))[0]
    with pytest.raises(TypeError):
        sp.dia_array(tb.eye(2))[0]
    v = sp.csr_array(tb.array([1.0, 0, 2]))
    with pytest.warns(sp.SparseEfficiencyWarning):
        v[1] = 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        v[1] = 5
    same(v, np.array([1.0, 5, 2]))


# ---- construction ----------------------------------------------------------------------------------------------------


@given(arrays(["i", "d"], [(4,), (0,), (3, 4)]), arrays(["d"], [(4,), (2, 4)]))
def test_stacks(one, two):
    (x, a), (y, b) = one, two
    rows = [np.atleast_2d(x), np.atleast_2d(y)]
    if x.shape[-1] == y.shape[-1]:
        same(sp.vstack([a, b]), np.vstack(rows))
    if rows[0].shape[0] == rows[1].shape[0]:
        same(sp.hstack([a, b]), np.hstack(rows))
    same(sp.block_diag([a, b]), ss.block_diag([ss.coo_array(r) for r in rows]))
    same(sp.kron(a, b), np.kron(x, y))


@given(arrays(["d"], [(2, 3, 2), (3,)]), arrays(["i"], [(2, 2), (1, 2, 3)]))
def test_kron(one, two):
    same(sp.kron(one[1], two[1]), np.kron(one[0], two[0]))


@pytest.mark.parametrize("name", ["coo", "csr", "csc"])
def test_int64_kept(name):
    """Indices of 64 bits where one operand has them, as in SciPy's arrays, and in CuPy's matrices."""
    x = np.array([[1.0, 0, 2], [0, 3, 0]])

    def kinds(a):
        parts = a.coords if a.format == "coo" else (a.indices, a.indptr)
        return {str(p.dtype) for p in parts}

    for kind in ("array", "matrix"):
        a = getattr(sp, f"{name}_{kind}")(tb.array(x))
        b = getattr(sp, f"{name}_{kind}")(tb.array(x))
        if name == "coo":
            b.coords = tuple(c.astype("q") for c in b.coords)
        else:
            b.indices, b.indptr = b.indices.astype("q"), b.indptr.astype("q")
        for format in ("coo", "csr", "csc"):
            for got in (sp.hstack([a, b], format), sp.vstack([b, a], format),
                        sp.bmat([[a, None], [None, b]], format), sp.block_diag([a, b], format), sp.kron(a, b, format)):
                assert kinds(got) == {"int64"} and kinds(sp.hstack([a, a], format)) == {"int32"}


def test_random():
    a = sp.random_array((3, 4, 5), density=0.5, rng=3)
    assert a.shape == (3, 4, 5) and a.nnz == 30 and a.has_canonical_format and a.count_nonzero() == 30
    assert sp.random_array((50,), density=0.2, format="csr").nnz == 10
    with pytest.raises(ValueError):
        sp.random_array((3, 4, 5), format="csr")


def test_truth_values_multiplied_in_place():
    a = sp.csr_array(tb.array([[True, False], [False, True]]))
    b = a
    a *= 3
    assert a is b and a.dtype == "float64" and a.data.tolist() == [3, 3]
    a = sp.coo_array(tb.array([True, False]))
    a *= True
    assert a.dtype == "bool"
    a /= 2
    assert a.data.tolist() == [0.5]
