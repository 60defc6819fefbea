"""What expressions over sparse matrices give: class, shape, dtypes of elements and (of arrays) of indices, how many
elements are stored, values, and the kind of error, as SciPy's, in every format.
"""

import re
import warnings

import numpy as np
import pytest
import scipy.sparse as ss

import tombac as tb
import tombacx.scipy.sparse as sp

FORMATS = ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"]
CODES = "?bBhiIqfdFD"
# As many as fit a line; where SciPy raises NotImplementedError or AttributeError, something else may be had here.
UNARY = """
a; a.T; -a; abs(a); a.copy(); a.conj(); a.real; a.imag; a.nnz; a.size; a.tocsr(); a.tocsc(); a.tocoo(); a.todia()
a.tobsr(); a.tolil(); a.todok(); a.tobsr(blocksize=(1, 1)); a.tobsr(blocksize=(5, 2)); a.asformat('no')
a.astype('F'); a.count_nonzero(); a.diagonal(); a.diagonal(1); a.diagonal(-100); a.trace(); a.sum(); a.sum(0)
a.sum(1); a.sum(2); a.sum(axis=(0, 1)); a.sum(dtype='D'); a.mean(1); a.max(); a.max(0); a.max(1); a.min(0)
a.nanmax(); a.argmax(0); a.argmin(); a.power(2); a.power(3, dtype='d'); a.power(0); a**1; q**0; q**1; q**2; q**3
bool(a); a.reshape(1, -1); a.reshape((a.shape[1], a.shape[0])); a.reshape((-1, 1), order='F'); a.reshape((3, 70))
a.transpose((0, 1)); a.maximum(0); a.maximum(1); a.minimum(0); a.minimum(-1); a.minimum(2.5); sp.tril(a)
sp.triu(a, 1, 'csc'); sp.find(a); sp.vstack([a, a]); sp.hstack([a, a]); sp.block_diag([a, a])
sp.block_diag((a, a), format='csr'); sp.bmat([[a, None], [None, a]]); sp.block_array([[a, None], [None, a]])
sp.bmat([[a, a], [a, a]]); sp.bmat([[a], [a]], dtype='F'); sp.vstack([a, a], dtype='D')
sp.vstack([a, a], format='lil'); sp.hstack([a, a], format='csr'); sp.kron(a, a); sp.kron(a, a, format='csr')
sp.kronsum(q, q); sp.kronsum(q, q, format='csc'); sp.kronsum(a, a); type(a)((3, 4)); type(a)((3, -4))
type(a)('abc'); type(a)([[1, 0], [0, 2]]); type(a)(A); type(a)(A, dtype='D'); type(a)(A, shape=(9, 9))
sp.csr_array(a); sp.csc_matrix(a); sp.coo_array(a); sp.bsr_array(a); sp.dia_array(a); sp.lil_array(a)
sp.dok_matrix(a); a.getrow(1); a.getcol(-1); a.getnnz(); a.getnnz(0); a.getnnz(1); a.asfptype(); a.getH()
a.has_sorted_indices; a.sorted_indices(); list(a); repr(a)
"""
BINARY = """
a + b; a - b; a * b; b * a; a @ b; a @ c; a * c; a @ b.T; a.T @ b; q @ a; a.multiply(b); a.maximum(b); a.minimum(b)
a == b; a != b; a < b; a >= b; a + A; A + a; a - A; A - a; a @ C; A.T @ a; a @ v; w @ a; a.dot(c); a.dot(2)
a.multiply(2); a * 2; a * 2.5; 2 * a; a * 1j; a / 2; a + 0; 0 + a; a - 0; 0 - a; a + 1; 1 - a; a // 2; a @ 2; a == 0
a == 1; a != 0; a != 2; a < 0; a < 1; a >= 1; a == nan; a != nan; a == None; a + None; sp.vstack([a, b])
sp.hstack([a, b]); sp.vstack([a, c]); sp.bmat([[a, b], [b, a]]); sp.block_array([[a, b], [b, None]])
sp.block_diag([a, b, c]); sp.block_diag([a, A, 3, [1, 0]]); sp.vstack([a, A]); sp.kron(a, c); sp.kron(a, A)
sp.kron(A, a); sp.kron(a, b, format='bsr'); a.multiply(b.tocsc()[:, :1]); a.multiply(b.tocsr()[:1, :1]); a + b.T
a == b.T; a.multiply(b.T); a @ b.tocsr()[:1]
"""
READS = """
a[0]; a[-1]; a[1, 2]; a[0, -1]; a[100]; a[:]; a[...]; a[1:]; a[::-1]; a[1:3, 1:3]; a[::-2, 1:]; a[3:1]; a[:, 3:1]
a[100:]; a[:, 0]; a[:, ::2]; a[0, 1:3]; a[1:3, 0]; a[0, 0, 0]; a[[0, 1]]; a[[-1, 0, 0]]; a[[100]]; a[[]]; a[:, []]
a[[], []]; a[:, [1, 1, 0]]; a[[0, 1], [1, 0]]; a[[0, 1], 0]; a[0, [0, 1]]; a[[[0], [1]], [0, 1]]
a[[0, 1], [0, 1, 1]]; a[A > 0]; a[A > 100]; a[a > 0]; a[:, xp.arange(a.shape[1]) % 2 == 0]; a[xp.ones(3, bool)]
a['x']; a[None] if a.format == 'x' else 0
"""
WRITES = """
a[0] = 1; a[0, 0] = 5; a[-1, -1] = 0; a[1, :] = v; a[:, 1] = w[:, None]; a[:] = A; a[1:3, 1:3] = 7; a[::-1] = A
a[[0, 1]] = 1; a[[0, 0], [1, 1]] = [4, 5]; a[[0, 1], :] = A[:2]; a[A > 0] = 2; a[a > 0] = 1; a[0:2] = b.tocsr()[0:2]
a[:] = b; a[0, 0] = v; a[100, 0] = 1; a[0, 0] = 'x'; a[0, 1:3] = [1, 2]; a[[]] = 1; a.setdiag(3); a.setdiag([1, 2])
a.setdiag(2, k=1); a.setdiag(2, k=100); a.resize(2, 3); a.resize((8, 10)); a.resize(4, 12); a.resize(2)
a.resize((2, -1)); a.eliminate_zeros(); a.sum_duplicates(); a.sort_indices(); a.prune(); a += b; a -= b; a /= 2.0
a @= q.T
"""


def statements(text):
    return [s.strip() for line in text.strip().split("\n") for s in line.split(";")]


def operands(seed, format, is_array, wide):
    """Names for expressions, ours and SciPy's: a and b of one shape, c to multiply with, q square; others dense."""
    r = np.random.default_rng(seed)
    code, other = r.choice(list(CODES), 2)
    m, n, p = (int(x) for x in [(4, 6, 3), (6, 4, 2), (5, 5, 4), (10, 7, 1)][seed % 4])

    def numbers(code, shape):
        low = 0 if np.dtype(code).kind in "bu" else -2
        return (r.integers(low, 4, shape) * (1 + 2j if code in "FD" else 1)).astype(code)

    def sparse(code, format, rows, cols):
        x = ss.coo_array(numbers(code, (rows, cols)) * (r.random((rows, cols)) < 0.4))
        x.coords = tuple(i.astype(np.int64 if wide else np.int32) for i in x.coords)
        x.data[r.random(x.data.size) < 0.2] = 0
        x = x.tobsr((1 + (rows % 2 == 0), 1 + (cols % 2 == 0))) if format == "bsr" else x
        return getattr(ss, f"{format}_{'array' if is_array else 'matrix'}")(x)

    second = str(r.choice(FORMATS))
    host = {"a": sparse(code, format, m, n), "b": sparse(other, second, m, n), "c": sparse(other, second, n, p),
            "q": sparse(code, format, n, n)}
    ours = {k: getattr(sp, type(x).__name__)(x.copy()) for k, x in host.items()}
    dense = {"A": numbers(other, (m, n)), "C": numbers(other, (n, p)), "v": numbers(other, n), "w": numbers(other, m)}
    host.update(dense, sp=ss, xp=np, nan=np.nan)
    ours.update({k: tb.array(x) for k, x in dense.items()}, sp=sp, xp=tb, nan=np.nan)
    return ours, host


def described(x, index=True):
    if ss.issparse(x) or sp.issparse(x):
        parts = {"coo": lambda: x.coords, "dia": lambda: [x.offsets], "lil": list, "dok": list}
        index = index and "array" in type(x).__name__
        parts = parts.get(x.format, lambda: [x.indices, x.indptr])() if index else []
        dense = x.toarray()
        return (type(x).__name__, tuple(x.shape), np.dtype(x.dtype), [np.dtype(i.dtype) for i in parts], int(x.nnz),
                tuple(getattr(x, "blocksize", ()))), dense.get() if isinstance(dense, tb.ndarray) else dense
    if isinstance(x, tuple | list):
        parts = [described(y) for y in x]
        return [p[0] for p in parts], np.concatenate([np.ravel(p[1]).astype("D") for p in parts] or [np.zeros(0)])
    if isinstance(x, str | type(None)):
        return x, np.zeros(0)
    x = np.asarray(x.get() if isinstance(x, tb.ndarray) else x)
    return (x.shape, x.dtype), x


def outcome(statement, names):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if statement in ASSIGNED:
                exec(statement, names)
                return described(names["a"], names["a"].format != "coo")
            return described(eval(statement, names), not (statement in KEYS and names["a"].format == "coo"))
        except Exception as e:
            return e, None


KEYS, ASSIGNED = set(statements(READS)), set(statements(WRITES))  # of COO indices are of either width
# Where SciPy's is an error of its own, or the first of two elements for one place.
APART = {("bsr", "a.getcol(-1)"), ("coo", "a[[0, 0], [1, 1]] = [4, 5]"), ("coo", "a[[]] = 1"), ("coo", "list(a)"),
         ("dia", "list(a)"), ("bsr", "a.sum()"),
         ("bsr", "a.sum(axis=(0, 1))"), ("bsr", "a.sum(dtype='D')")}


def difference(statement, ours, host):
    """What is wrong with an outcome, or None."""
    (want, want_values), (got, values) = outcome(statement, host), outcome(statement, ours)
    if isinstance(want, NotImplementedError | AttributeError):
        return None
    if isinstance(want, Exception) or isinstance(got, Exception):
        return None if type(want).__name__.endswith(type(got).__name__) else f"{got!r} in place of {want!r}"
    if got != want:
        return f"{got} in place of {want}"
    eps = 1e-5 if want_values.dtype in ("f", "F") else 1e-13
    if not np.allclose(values, want_values, rtol=eps, atol=eps, equal_nan=True):
        return f"{values}\nin place of\n{want_values}"
    return None


@pytest.mark.parametrize("is_array", [True, False])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("table", [UNARY, BINARY, READS, WRITES], ids=["unary", "binary", "reads", "writes"])
def test_results(table, seed, format, is_array):
    found = []
    for statement in statements(table):
        ours, host = operands(seed, format, is_array, is_array and seed == 3)
        problem = None if (format, statement) in APART else difference(statement, ours, host)
        if problem:
            found.append(f"{statement}, {format} {host['a'].dtype}, {host['b'].format} {host['b'].dtype}: {problem}")
    assert not found, "\n".join(found)


def test_made_as_in_scipy():
    data = np.arange(12.0).reshape(3, 4)
    for args in (([0, 1, -2], (5, 6)), ([0, 1, -2],), ([0, 1, -2], 4, 4)):
        got, want = sp.spdiags(tb.array(data), *args), ss.spdiags(data, *args)
        assert got.shape == want.shape and (got.toarray().get() == want.toarray()).all()
    for code in "bBiQ?":
        a = sp.random_array((20, 30), density=0.2, dtype=code, rng=1)
        assert a.dtype == code and a.nnz == 120
        assert code == "?" or np.ptp(a.data.get().astype("d")) > np.iinfo(code).max / 2
    assert sp.random(9, 9, dtype="i", density=0.5, rng=np.random.default_rng(1)).dtype == "i"
    for n, block in ((2, 2), (3, 3), (4, 4), (6, 6), (8, 4), (5, 1)):
        h = ss.csr_array(np.kron(np.eye(3), np.ones((n, n))))
        assert sp.csr_array(h).tobsr().blocksize == h.tobsr().blocksize == (block, block)
    d = sp.dok_matrix(tb.array([[0, 2], [3, 0]]))
    assert d.pop((0, 1)) == 2 and d.pop((0, 1), 7) == 7 and d.setdefault((1, 1), 5) == 5 and d.nnz == 2
    assert d.popitem() == ((1, 1), 5) and d.nnz == 1
    d.clear()
    assert d.nnz == 0
    row = sp.lil_matrix(tb.eye(3)).getrowview(1)
    assert row.format == "lil" and row.shape == (1, 3)


@pytest.mark.parametrize("shape", [(2,), (20,), (1, 4), (3, 3), (9, 2)])
@pytest.mark.parametrize("format", ["coo", "csr"])
def test_resize_to_other_dimensions(format, shape):
    for old in ((7,), (3, 4)):
        x = np.arange(np.prod(old)).reshape(old) % 3
        host, a = getattr(ss, format + "_array")(x), getattr(sp, format + "_array")(tb.array(x))
        try:
            host.resize(shape)
        except ValueError:  # behind the end
            continue
        a.resize(shape)
        assert described(a, False)[0] == described(host, False)[0]
        np.testing.assert_array_equal(a.toarray().get(), host.toarray())


def test_solvers_give_scipys_types():
    import scipy.sparse.linalg as ssl

    import tombacx.scipy.sparse.linalg as spl

    h = ss.csr_array(np.diag([1.0, 2, 3]) + np.eye(3, k=1)).astype("f")
    a, x = sp.csr_array(h), np.ones(3, "f")
    for format in ("csr", "csc", "coo"):
        assert type(spl.inv(a.asformat(format))).__name__ == type(ssl.inv(h.asformat(format))).__name__
    for more in ({}, {"traceA": 6.0}, {"start": 0, "stop": 1, "num": 2}):
        got, want = spl.expm_multiply(a, tb.array(x), **more), ssl.expm_multiply(h, x, **more)
        assert got.dtype == want.dtype and np.allclose(got.get(), want, rtol=1e-5)


@pytest.mark.parametrize("code", ["?", "b", "i", "f", "d", "F"])
@pytest.mark.parametrize("shape, offsets, length", [
    ((6000, 5000), [0, 3, -7], 5000), ((5000, 6000), [-2, 1], 5500), ((5000, 5000), [4999, -4999, 6], 5000),
    ((4500, 4500), [5000, 2], 4500)])
def test_long_diagonals(code, shape, offsets, length):
    """Each is computed with by itself."""
    r = np.random.default_rng(length)
    data = r.integers(0, 3, (len(offsets), length)).astype(code)
    host = ss.dia_array((data, offsets), shape=shape)
    a = sp.dia_array((tb.array(data), offsets), shape=shape)
    x, y = (r.integers(0, 3, n).astype(code) for n in ((shape[1],), (shape[1], 2)))
    pairs = [(a @ tb.array(x), host @ x), (a @ tb.array(y), host @ y), (a.T.sum(1), host.T.sum(1))]
    pairs += [(a.sum(axis), host.sum(axis)) for axis in (None, 0, 1)]
    pairs += [(a.diagonal(k), host.diagonal(k)) for k in (0, 3, -7, 6, 1, -shape[0] + 1, 4999)]
    for got, want in pairs:
        assert got.shape == want.shape and got.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want, rtol=1e-5)
    for format in ("dia", "bsr"):
        assert sp.eye_array(3, format=format).sum(axis=()).shape == (3, 3)


@pytest.mark.parametrize("dtype", "?ifD")
def test_diagonals_of_elements_stored_twice(dtype):
    row, col = [0, 0, 1, 2, 2, 0], [0, 0, 1, 2, 2, 1]
    data = np.array([1, 0, 0, 0, 1, 1]).astype(dtype)
    h = ss.coo_matrix((data, (row, col)), shape=(3, 4))
    a = sp.coo_matrix(h)
    for k in range(-3, 5):
        np.testing.assert_array_equal(a.diagonal(k).get(), h.copy().diagonal(k))


# ---- what is at the edge of what there is ----------------------------------------------------------------------------

MAKING = """
sp.dia_array((xp.ones((2, 3)), xp.asarray([0, 0.5])), shape=(3, 3))
sp.dia_array((xp.ones((2, 3)), xp.asarray([0, 2**40])), shape=(3, 3))
sp.dia_array((xp.ones((2, 3)), [0, 2**40]), shape=(3, 3)); sp.dia_matrix((xp.ones((2, 3)), [0, nan]), shape=(3, 3))
sp.dia_array((xp.ones((2, 3)), [0, 1j]), shape=(3, 3))
sp.spdiags(xp.ones((2, 3)), [0, 2**40], 3, 4); sp.spdiags(xp.ones((2, 3)), [0, 0.5], 3, 4)
sp.spdiags(xp.ones(3), 1, 3, 4); sp.diags([1.0, 2], [0, 1.5], shape=(3, 3)); sp.diags([1.0, 2], 1.5)
sp.diags([1.0, 2], [0, 2**40], shape=(3, 3)); sp.diags([[1.0], [2]], xp.asarray([0, 1]), shape=(3, 3))
sp.eye(3, 4, k=1.5); sp.eye(3, 3, k=0.0, format='csr'); sp.eye(3, k=xp.asarray(1)); sp.eye(3, 4, k=5)
sp.eye(3, 4, k=4); sp.eye(3, 4, k=-3); sp.eye_array(3, 4, k=-4, format='csr'); sp.identity(2.5)
sp.coo_array((2, 2), shape=(2, 2)); sp.coo_array((2, 2), shape=(3, 3)); sp.csr_array((2, 2), shape=(2, 3))
sp.csr_array((2, 2), shape=(3, 2)); sp.csc_matrix((2, 2), shape=(3, 2)); sp.bsr_array((2, 2), shape=(2, 2))
sp.dia_array((2, 2), shape=(3, 3)); sp.coo_array((2,), shape=(3,)); sp.csr_array((2.5, 2)); sp.csc_matrix(('a', 2))
sp.csr_array((xp.ones(2), xp.asarray([[0, 1], [1, 0]]))); sp.csr_array((1, 2, 3, 4))
sp.csr_array((2, 3)).argmax(explicit=True); sp.coo_array((3,)).argmin(0, explicit=True)
"""

PLACES = """
a[1, xp.asarray([[0, 1], [1, 2]])]; a[xp.asarray([[0, 1], [1, 0]]), 1]; a[1, xp.asarray([[0], [0]])]
a[xp.asarray([[0, 1]]), 1]; a[xp.asarray([[0], [0]]), 2]; a[1, xp.asarray([[0, 1]])]; a[xp.asarray([[0]]), 2]
a[xp.asarray([[0, 1], [1, 0]])]; a[1:, xp.asarray([[0, 1], [1, 0]])]; a[1, xp.asarray([0, 1])]
"""
STRETCHED = """
a[:1] + A; A + a[:1]; a[:1] - A; A - a[:1]; a + A[:1]; A[:1] - a; a + A[:, :1]; a[:, :1] + A; a + xp.ones((1, 2, 3))
"""
JOINED = """
sp.hstack(sp.csr_array(A)); sp.vstack(sp.csr_matrix(A)); sp.hstack(A); sp.vstack(A); sp.bmat(sp.csr_array(A))
sp.bmat(sp.coo_matrix(A)); sp.block_array(sp.csr_array(A)); sp.bmat([sp.csr_array(A)]); sp.hstack((sp.csr_array(A), A))
sp.csr_array(A[0]).multiply(A); sp.csr_array(A[0]) * A[:1]; sp.csr_array(A[0]).multiply(A[0])
"""
COMPARED = """
a > nan; a < nan; a >= nan; a <= nan; a == nan; a != nan; a > 1j; a <= 0j; a == 1j; a != 1j; a > xp.asarray(1j)
"""
PUT_AT = ["xp.asarray([[0, 0], [1, 1]]), 2", "1, xp.asarray([[0, 1], [1, 2]])", "xp.asarray([[0], [1]]), 1",
          "1, xp.asarray([0, 1])", "[0, 1], None", "None", "None, :, 1", "1, None, 2", "[0, 1], None, [1, 2]"]
VALUES = ["3.0", "xp.ones((2, 2))", "[1, 2]", "xp.asarray([[7], [8.0]])", "A[:, None]", "sp.csr_array(xp.ones((2, 2)))",
          "sp.csr_matrix(A * 2)"]


def edges(text):
    return pytest.mark.parametrize("statement", statements(text))


def same_at_the_edge(statement):
    names = {"nan": np.nan, "inf": np.inf}
    x = np.array([[1.0, 0, 2], [0, 3, 0]])
    problem = difference(statement, {**names, "sp": sp, "xp": tb, "A": tb.array(x)},
                         {**names, "sp": ss, "xp": np, "A": x})
    assert not problem, problem


@pytest.mark.parametrize("name", ["csr_array", "csc_array", "csr_matrix", "csc_matrix"])
@edges(PLACES)
def test_read_in_the_shape_of_places(statement, name):
    same_at_the_edge(statement.replace("a[", f"sp.{name}(A)["))


@pytest.mark.parametrize("name", ["csr_array", "csc_array", "csr_matrix", "csc_matrix"])
@pytest.mark.parametrize("key", PUT_AT)
def test_written_in_the_shape_of_places(key, name):
    for value in VALUES:
        same_at_the_edge(f"[x := sp.{name}(A), x.__setitem__(({key}), {value}), x.toarray()][2]")


@pytest.mark.parametrize("is_array", [True, False])
@pytest.mark.parametrize("format", FORMATS)
@edges(COMPARED)
def test_compared_with_what_has_no_order(statement, format, is_array):
    same_at_the_edge(statement.replace("a ", f"sp.{format}_{'array' if is_array else 'matrix'}(A) ", 1))


@pytest.mark.parametrize("format", FORMATS[:-1])  # SciPy's in DOK are stretched, in sums alone
@edges(STRETCHED)
def test_sums_stretch_dense_ones_only(statement, format):
    same_at_the_edge(re.sub(r"\ba((\[.*?\])?)", rf"sp.{format}_array(A\1)", statement))


@edges(JOINED)
def test_joined_of_one_matrix(statement):
    same_at_the_edge(statement)


@edges(MAKING)
def test_made_of_what_hardly_makes_one(statement):
    same_at_the_edge(statement)


@pytest.mark.parametrize("is_array", [True, False])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("axis", [0, 1])
def test_sums_of_complex_infinities(axis, format, is_array):
    x = np.array([[complex(np.inf, 0), 2 - 1j], [1 + 5j, complex(3, -np.inf)], [0, complex(np.nan, 1)]])
    make = getattr(sp, f"{format}_{'array' if is_array else 'matrix'}")
    want = x.real.sum(axis) + 0j
    want.imag = x.imag.sum(axis)
    np.testing.assert_array_equal(make(tb.array(x)).sum(axis).get().ravel(), want)
    for got in (make(tb.array(x.real)).sum(axis, dtype="D"), make(tb.array(x.real)).mean(axis, dtype="D")):
        assert got.dtype == "D"
        np.testing.assert_array_equal(got.get().ravel().imag, 0)


@pytest.mark.parametrize("is_array", [True, False])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("code", ["?", "i", "f", "d", "F"])
def test_division_by_zeros(code, format, is_array):
    for zero in ("0", "0.0", "0j", "False", "xp.float64(0)", "xp.int64(0)"):
        statement = f"sp.{format}_{'array' if is_array else 'matrix'}(A.astype({code!r})) / {zero}"
        same_at_the_edge(statement)


@pytest.mark.parametrize("code", ["M8[s]", "m8[s]", "V8", "U3", object])
def test_dtypes_of_no_numbers(code):
    makes = [getattr(sp, f"{format}_{kind}") for format in FORMATS for kind in ("array", "matrix")]
    makes = [lambda dtype, make=make, x=x: make(x, dtype=dtype) for make in makes for x in ((2, 2), sp.eye(2))]
    makes += [lambda dtype: sp.eye(3, dtype=dtype), lambda dtype: sp.random(3, 3, 1, dtype=dtype),
              lambda dtype: sp.vstack([sp.eye(2, format="csr")] * 2, dtype=dtype),
              lambda dtype: sp.hstack([sp.eye(2)] * 2, dtype=dtype), lambda dtype: sp.eye(2).astype(dtype)]
    for make in makes:
        with pytest.raises(ValueError, match="does not support dtype"):
            make(code)
    if code in ("M8[s]", "V8"):
        with pytest.raises(ValueError, match="does not support dtype"):
            sp.csr_array(tb.zeros((2, 2), code))


CLASSES = [f"{format}_{kind}" for format in FORMATS for kind in ("array", "matrix")]
MIXED = ["+", "-", "*", "@", "==", "!=", "<", ">=", ".multiply", ".maximum", ".minimum", ".dot"]


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("sign", MIXED)
def test_classes_of_what_two_classes_give(sign, name):
    for other in CLASSES:
        same_at_the_edge(f"sp.{name}(A @ A.T) {sign} (sp.{other}(A @ A.T - 4 * xp.eye(2)))".replace(" .", "."))


@pytest.mark.parametrize("name", CLASSES)
def test_class_of_an_inverse(name):
    import scipy.sparse.linalg as ssl

    import tombacx.scipy.sparse.linalg as spl

    x = np.array([[2.0, 1], [1, 3]])
    got, want = spl.inv(getattr(sp, name)(tb.array(x))), ssl.inv(getattr(ss, name)(x))
    assert type(got).__name__ == type(want).__name__
    np.testing.assert_allclose(got.toarray().get(), want.toarray(), 1e-12)


BLOCKS = ["[[{0}, {0}]]", "[[{0}], [{0}]]", "[[{0}]]", "[[{0}, {0}], [{0}, {0}]]", "[[{0}, None], [None, {0}]]"]


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("blocks", BLOCKS)
def test_class_of_blocks(blocks, name):
    for function in "block_array", "bmat":
        same_at_the_edge(f"sp.{function}({blocks.format(f'sp.{name}(A)')})")


VECTORS = """
sp.csr_array(A) @ sp.csr_array(A[0]); sp.csr_array(A) @ sp.coo_array(A[1]); sp.csr_array(A[:, 1]) @ sp.csr_array(A)
sp.csr_array(A).dot(sp.dok_array(A[0])); sp.csr_array(A[:, 0]).dot(sp.csc_array(A))
sp.csr_array(A[:, 0]) @ sp.lil_array(A)
sp.coo_array(A) @ sp.csr_array(A[0]); sp.csc_array(A) @ sp.csr_array(A[0]); sp.csr_array(A[0]) @ sp.csr_array(A[0])
"""


@edges(VECTORS)
def test_class_of_a_vector_that_is_a_product(statement):
    same_at_the_edge(statement)


class Answers:
    """What answers operators that a sparse matrix leaves to it."""

    def __rmul__(self, other):
        return "answered"

    __rmatmul__ = __radd__ = __rsub__ = __rtruediv__ = __rmul__


@pytest.mark.parametrize("name", CLASSES)
def test_operands_that_are_none(name):
    a = getattr(sp, name)((2, 2))
    for method in (a.multiply, a.maximum, a.minimum, a.dot):
        for other in (None, [1, 2], object()):
            with pytest.raises(TypeError, match="is expected"):
                method(other)
    x = Answers()
    assert [a * x, a @ x, a + x, a - x, a / x] == ["answered"] * 5
    with pytest.raises(TypeError):
        a * None
