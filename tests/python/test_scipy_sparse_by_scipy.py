"""BSR and DIA matrices, of which SciPy computes on the CPU: results are SciPy's, in memory of their own."""

import itertools
import operator

import numpy as np
import pytest
import scipy.sparse as ref

import tombac as tb
import tombacx.scipy.sparse as xs

OPERATIONS = {
    "matmul": operator.matmul, "add": operator.add, "sub": operator.sub, "ne": operator.ne,
    "maximum": lambda a, b: a.maximum(b), "minimum": lambda a, b: a.minimum(b),
    "diagonal": lambda a, b: a.diagonal(), "below": lambda a, b: a.diagonal(-1), "tocsr": lambda a, b: a.tocsr(),
    "tobsr": lambda a, b: a.tobsr((2, 4)), "csc": lambda a, b: a.tocsc().tobsr((4, 4)), "T": lambda a, b: a.T,
    "sums": lambda a, b: a.T.sum(axis=1), "sum": lambda a, b: a.sum(axis=0), "csr": lambda a, b: a + b.tocsr(),
    "coo": lambda a, b: a @ b.tocoo(), "count": lambda a, b: a.count_nonzero(), "getcol": lambda a, b: a.getcol(3),
}


def matrices(format, dtype, n):
    rng = np.random.default_rng(7)
    made = []
    for _ in range(2):
        if format == "dia":
            data = (rng.random((5, n)) * 9 - 4).astype(dtype)
            made.append(ref.dia_matrix((data, [-40, -1, 0, 3, n // 2]), shape=(n, n)))
        else:
            pattern = ref.random(n // 4, n // 4, min(1, 40 / n), format="csr", rng=rng)
            data = (rng.random((pattern.nnz, 4, 4)) * 9 - 4).astype(dtype)
            made.append(ref.bsr_matrix((data, pattern.indices, pattern.indptr), shape=(n, n)))
    return made, [getattr(xs, f"{format}_matrix")(h) for h in made]


def same(got, want):
    if isinstance(want, (bool, int, np.integer)):
        assert got == want
        return
    assert got.dtype == want.dtype and got.shape == want.shape
    if ref.issparse(want):
        assert got.format == want.format
        if want.format in ("csr", "csc", "bsr"):
            assert got.indices.dtype == want.indices.dtype and got.nnz == want.nnz
        got, want = got.toarray(), want.toarray()
    np.testing.assert_allclose(got.get().ravel(), np.asarray(want).ravel(), 1e-5, 1e-5)


@pytest.mark.parametrize("dtype", "?bifdD")
@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("format", ["bsr", "dia"])
def test_results(format, name, dtype):
    if dtype == "?" and name == "sub":
        return
    for n in (48, 800):
        (g, h), (a, b) = matrices(format, dtype, n)
        same(OPERATIONS[name](a, b), OPERATIONS[name](g, h))


@pytest.mark.parametrize("dtype", "?bfdD")
@pytest.mark.parametrize("format", ["bsr", "dia"])
def test_vectors(format, dtype):
    for n in (48, 8000 if format == "dia" else 1600):
        (h, _), (a, _) = matrices(format, "d", n)
        x = np.random.default_rng(2).random((n, 3)).astype(dtype)
        y = tb.array(x)
        same(a @ y, h @ x)
        same(a @ y[:, 1], h @ x[:, 1])
        same(a @ (y[::-1, 0] + y[:, 1]), h @ (x[::-1, 0] + x[:, 1]))  # not computed yet


@pytest.mark.parametrize("format", ["bsr", "dia"])
def test_what_is_written_is_seen(format):
    for n in (48, 1600):
        (h, _), (a, _) = matrices(format, "d", n)
        x, y = np.ones(n), tb.ones(n)
        for _ in range(2):
            same(a @ y, h @ x)
            for m, number in ((a, 2.0), (h, 2.0)):
                m.data *= number
                m.data[0] = 5
            same(a @ y, h @ x)
            a.data, h.data = a.data + 1, h.data + 1
            same(a @ y, h @ x)
            same(a @ a, h @ h)
            y += 1
            x += 1


@pytest.mark.parametrize("name", ["add", "matmul", "tocsr", "T", "tobsr", "csc"])
@pytest.mark.parametrize("format", ["bsr", "dia"])
def test_results_have_their_own_memory(format, name):
    (g, h), (a, b) = matrices(format, "d", 1600)
    got, want = OPERATIONS[name](a, b), OPERATIONS[name](g, h)
    a.data[...] = 7
    b.data[...] = 7
    same(got, want)
    got.data[...] = 3
    assert (a.data == 7).all() and (b.data == 7).all()


@pytest.mark.parametrize("dtype", "fD")
def test_products_of_long_diagonals(dtype):
    n = 70_000
    data = (np.random.default_rng(3).random((4, n)) - 0.5).astype(dtype)
    h = ref.dia_matrix((data, [-9, 0, 1, 500]), shape=(n, n))
    a = xs.dia_matrix(h)
    got, want = (a @ a).tocsr(), (h @ h).tocsr()
    assert got.dtype == want.dtype and abs(got.get() - want).max() < 1e-5


@pytest.mark.parametrize("format", ["bsr", "dia"])
def test_float16_and_no_elements(format):
    (h, _), (a, _) = matrices(format, "f", 48)
    half, x = a.astype("e"), tb.ones(48, "e")
    assert (half @ x).dtype == (half + half).dtype == (half @ half).dtype == half.diagonal().dtype == np.float16
    np.testing.assert_allclose((half @ x).get(), h @ np.ones(48), 0.05, 0.05)
    for dtype in "?bd":
        none = getattr(xs, f"{format}_matrix")((4, 4), dtype=dtype)
        assert (none @ none).dtype == (none + none).dtype == (none @ tb.ones(4, dtype)).dtype == dtype


def rectangular(format, dtype, seed):
    """Blocks of two sizes in any order, some of them twice; or diagonals longer and shorter than the matrix."""
    rng = np.random.default_rng(seed)
    if format == "bsr":
        rows, cols = (2, 3) if seed % 2 else (4, 1)
        count = rng.integers(0, 5, 6)
        indptr = np.concatenate(([0], count.cumsum())).astype(np.int32)
        data = (rng.random((indptr[-1], rows, cols)) * 9 - 4).astype(dtype)
        indices = rng.integers(0, 5, indptr[-1]).astype(np.int32)
        return ref.bsr_matrix((data, indices, indptr), shape=(6 * rows, 5 * cols))
    m, n, length = [(7, 12, 9), (12, 7, 9), (5, 5, 5), (1, 6, 6)][seed % 4]
    offsets = [n - 2, *{1 - m, 0, 2}]
    return ref.dia_matrix(((rng.random((len(offsets), length)) * 9 - 4).astype(dtype), offsets), shape=(m, n))


@pytest.mark.parametrize("other", "?bdD")
@pytest.mark.parametrize("dtype", "?bfdFD")
@pytest.mark.parametrize("format", ["bsr", "dia"])
def test_products_and_diagonals_of_any_shape(format, dtype, other):
    for seed in range(4):
        h = rectangular(format, dtype, seed)
        a = getattr(xs, f"{format}_matrix")(h)
        x = (np.random.default_rng(seed).random((h.shape[1], 6)) * 9 - 4).astype(other)
        y = tb.array(x)
        want = h @ x
        assert (a @ y).dtype == want.dtype == (a @ y[:, 0]).dtype
        np.testing.assert_allclose((a @ y).get(), want, 1e-5, 1e-4)
        np.testing.assert_allclose((a @ y[:, ::5]).get(), want[:, ::5], 1e-5, 1e-4)
        np.testing.assert_allclose((a @ y[:, 3]).get(), want[:, 3], 1e-5, 1e-4)
        assert (a @ y[:, :0]).shape == (h.shape[0], 0)
        for k in range(-h.shape[0] + 1, h.shape[1]):
            same(a.diagonal(k), h.diagonal(k))


@pytest.mark.parametrize("dtype", "?bfD")
def test_diagonals_are_set_and_stretched(dtype):
    for seed in range(4):
        h = rectangular("dia", dtype, seed)
        a = xs.dia_matrix(h)
        for k, values in ((0, 3), (1 - h.shape[0], 2), (h.shape[1] - 1, np.ones(9)), (-1, np.arange(2))):
            if -h.shape[0] < k < h.shape[1]:
                a.setdiag(tb.array(values) if isinstance(values, np.ndarray) else values, k)
                h.setdiag(values, k)
                same(a, h)
        row = np.arange(1.0, h.shape[1] + 1)
        np.testing.assert_allclose(a.multiply(tb.array(row)).toarray().get(), h.multiply(row).toarray(), 1e-6)
        assert a.nnz == h.nnz


def test_coordinates_stored_twice():
    data, row, col = np.array([1.0, 2, 4, 8, 16]), np.array([2, 0, 2, 1, 0]), np.array([1, 0, 1, 1, 2])
    for dtype in "?bdD":
        for kept in (slice(None), slice(1, None)):  # the first one is stored twice
            h = ref.coo_matrix((data[kept].astype(dtype), (row[kept], col[kept])), shape=(3, 3))
            a = xs.coo_matrix(h)
            for _ in range(2):  # what the first one finds is known then
                for k in (-1, 0, 2):
                    same(a.diagonal(k), h.tocsr().diagonal(k))
                assert int(a.count_nonzero()) == h.copy().count_nonzero()
                assert a.max().item() == h.copy().max()
                same(a.sum(axis=1), h.sum(axis=1))
            a.row = tb.array(np.zeros(len(data[kept]), np.int32))
            a.col = a.row
            assert int(a.count_nonzero()) == 1


def test_scipys_errors_are_the_users():
    (_, _), (a, _) = matrices("bsr", "d", 800)
    with pytest.raises(ValueError):
        a + xs.bsr_matrix((400, 400))
    with pytest.raises(IndexError):
        a.getcol(800)


def test_diagonals_that_do_not_meet():
    """SciPy fails there."""
    for m, n, p in ((5, 5, 5), (6, 3, 6), (3, 6, 3), (1, 5, 1)):
        for k, j in itertools.product(range(1 - m, n), range(1 - n, p)):
            a, b = (xs.dia_matrix((tb.ones((1, shape[1])), tb.array([at])), shape=shape)
                    for at, shape in ((k, (m, n)), (j, (n, p))))
            assert ((a @ b).toarray() == a.toarray() @ b.toarray()).all()
            assert (a @ b).format == "dia"


@pytest.mark.parametrize("dtype", "?ifD")
@pytest.mark.parametrize("block", [(1, 1), (1, 3), (2, 1), (3, 2)])
def test_lines_of_blocks(block, dtype):
    """Some of which are zeros, stored twice, or in any order."""
    rng, (high, wide) = np.random.default_rng(7), block
    for rows, cols, most in ((4, 3, 6), (5, 1, 2), (1, 4, 0)):
        counts = rng.integers(0, most + 1, rows)
        data = rng.integers(-1, 2, (counts.sum(), *block)).astype(dtype)
        parts = data, rng.integers(0, cols, counts.sum()).astype("i"), np.r_[0, np.cumsum(counts)].astype("i")
        h = ref.bsr_matrix(parts, shape=(rows * high, cols * wide))
        a = xs.bsr_matrix(tuple(map(tb.array, parts)), shape=h.shape)
        for j in range(-h.shape[1], h.shape[1]):
            same(a.getcol(j), h.getcol(j))
        for i in range(-h.shape[0], h.shape[0]):
            same(a.getrow(i), h.getrow(i))


@pytest.mark.parametrize("dtype", "bfdD")
def test_long_diagonals(dtype):
    n = 5000
    rng = np.random.default_rng(5)
    for length in (n, n - 7, n + 3):
        pairs = []
        for offsets in ([0, 3, -9, 40], [-9, 40, 1]):
            h = ref.dia_matrix(((rng.random((len(offsets), length)) * 9 - 4).astype(dtype), offsets), shape=(n, n))
            pairs.append((xs.dia_matrix(h), h))
        (a, h), (b, g) = pairs
        same(a.multiply(b), h.multiply(g))
        np.testing.assert_allclose(xs.linalg.norm(a).item(), np.linalg.norm(h.data.astype("D")), 1e-5)
