"""Which format, dtype and values sparse operations give, for every pair of formats, against SciPy's."""

import operator
import warnings

import numpy as np
import pytest
import scipy.sparse as ss
import tombac as tb
from strategies import SCIPY

import tombacx.scipy.sparse as xs

# What SciPy's formats are changed from version to version.
pytestmark = [pytest.mark.filterwarnings("ignore"),
              pytest.mark.skipif(not (1, 16) <= SCIPY < (1, 18), reason="the formats are those of SciPy 1.16 and 1.17")]
FORMATS = ["csr", "csc", "coo", "dia", "bsr"]
KINDS = ["matrix", "array"]


def dense(seed, dtype="d", shape=(4, 4)):
    rng = np.random.default_rng(seed)
    a = rng.integers(1, 4, shape) * (rng.random(shape) < 0.5)
    return (a - 2 * (rng.random(shape) < 0.2) * a).astype(dtype)


def both(a, format, kind):
    return [getattr(m, f"coo_{kind}")(c(a)).asformat(format) for m, c in ((ss, np.asarray), (xs, tb.array))]


def same(got, want):
    if hasattr(want, "format"):
        assert type(got).__name__ == type(want).__name__
        assert got.shape == want.shape
        got, want = got.toarray(), want.toarray()
    want = np.asarray(want)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, 1e-6)


OPERATIONS = {"add": operator.add, "sub": operator.sub, "matmul": operator.matmul,
              "multiply": lambda x, y: x.multiply(y), "div": operator.truediv, "maximum": lambda x, y: x.maximum(y),
              "minimum": lambda x, y: x.minimum(y), "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
              "le": operator.le}


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("left", FORMATS)
def test_pairs_of_formats(left, kind, name):
    f = OPERATIONS[name]
    for right in FORMATS:
        for dtypes in ("dd", "fd", "if"):
            (h, a), (g, b) = both(dense(1, dtypes[0]), left, kind), both(dense(2, dtypes[1]), right, kind)
            same(f(a, b), f(h, g))


def of_format(x, format):
    """CSR and CSC stay what they are, as in CuPy; SciPy's become COO."""
    return x.asformat(format) if format in ("csr", "csc") else x


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", FORMATS)
def test_with_dense_arrays(format, kind):
    rng = np.random.default_rng(3)
    for shape in ((4, 4), (1, 4), (4, 1), (4,)):
        for dtype in "df":
            y = (rng.random(shape) + 0.5).astype(dtype)
            h, a = both(dense(4, "f"), format, kind)
            same(a.multiply(tb.array(y)), of_format(h.multiply(y), format))
            same(a / tb.array(y), of_format(h / y, format))
    row, x = both(dense(5, shape=(1, 4)), format, kind), rng.random((3, 4))
    same(row[1].multiply(tb.array(x)), of_format(row[0].multiply(x), format))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", FORMATS)
def test_products_that_broadcast(format, kind):
    h, a = both(dense(6), format, kind)
    for shape in ((1, 4), (4, 1)):
        for other in FORMATS:
            g, b = both(dense(7, shape=shape), other, kind)
            same(a.multiply(b), h.multiply(g))
            same(b.multiply(a), g.multiply(h))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", FORMATS)
def test_with_numbers(format, kind):
    h, a = both(dense(8), format, kind)
    for x in (2, -1.5, 0, np.float32(2), 1j):
        same(a.maximum(x), h.maximum(x))
        same(a.minimum(x), h.minimum(x))
        same(a.multiply(x), h.multiply(x))
        if x and x != 1j:
            for f in (operator.eq, operator.ne, operator.lt, operator.ge):
                same(f(a, x), f(h, x))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", FORMATS)
def test_of_one_matrix(format, kind):
    h, a = both(dense(9), format, kind)
    for f in (operator.neg, abs, lambda x: x.T if format != "csr" else x.transpose(), lambda x: x.reshape(2, 8),
              lambda x: x.reshape(4, 4), lambda x: x**2, lambda x: x.power(2), lambda x: x.astype("f"),
              lambda x: x.conj(), lambda x: x.tocsr(), lambda x: x.todia(), lambda x: x.sum(0), lambda x: x.mean(1)):
        same(f(a), f(h))
    if kind == "matrix" and format != "bsr":
        same(a.getcol(1), h.getcol(1))
        same(a.getrow(1), h.getrow(1))
    if format == "bsr":
        same(a.max(), h.max())
        same(a.min(axis=0), h.min(axis=0))


def test_blocks_stay_blocks():
    m = dense(10, shape=(6, 4))
    h, a = ss.bsr_array(m, blocksize=(3, 2)), xs.bsr_array(tb.array(m), blocksize=(3, 2))
    g, b = both(dense(11, shape=(6, 4)), "csr", "array")
    for got, want in ((a + b, h + g), (a.multiply(b), h.multiply(g)), (a @ b.T.tocsr(), h @ g.T.tocsr()),
                      (a @ a.T, h @ h.T)):
        same(got, want)
        assert got.blocksize == want.blocksize


def test_diagonals_of_different_lengths():
    for shape in ((3, 5), (5, 3), (4, 4)):
        parts = [(np.arange(1.0, 7).reshape(2, 3), [-1, 1]), (np.arange(1.0, 13).reshape(3, 4), [0, 1, -2])]
        (h, a), (g, b) = ((ss.dia_array(p, shape=shape), xs.dia_array(tuple(map(tb.array, p)), shape=shape))
                          for p in parts)
        for f in (operator.add, operator.sub, lambda x, y: x.multiply(y), lambda x, y: x @ y.T):
            same(f(a, b), f(h, g))
        same(a.multiply(tb.arange(15.0).reshape(shape) if shape != (4, 4) else tb.ones((4, 4))),
             h.multiply(np.arange(15.0).reshape(shape) if shape != (4, 4) else np.ones((4, 4))))
        assert (a + b).nnz == (h + g).nnz
    nothing = xs.dia_array((4, 4))
    same(nothing + nothing, ss.dia_array((4, 4)) + ss.dia_array((4, 4)))
    same(nothing.multiply(tb.ones((4, 4))), ss.dia_array((4, 4)).multiply(np.ones((4, 4))))


VALUES = {"int": 2, "float": 2.5, "bool": True, "ints": np.array([1, 2, 3, 4]), "floats": np.array([1.5, 2, 3, 4]),
          "complex": np.array([1j, 2, 3, 4]), "single": np.ones(4, "f"), "short": np.array([1, 2]),
          "long": np.arange(9), "none": np.zeros(0), "list": [1, 2, 3, 4], "int8": np.int8(3), "0-d": np.array(2.5)}


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dia"])
def test_diagonals_that_are_set(format, kind, values):
    v = VALUES[values]
    for dtype in "?bifdD":
        for m in (dense(12, dtype), np.ones((4, 4), dtype), dense(13, dtype, (3, 5))):
            for k in (0, 1, -2, 3):
                (h, a), given = both(m, format, kind), tb.array(v) if isinstance(v, np.ndarray) else v
                if k < 0 and m.shape != (4, 4) or format == "dia" and np.size(v) == 0:
                    continue  # SciPy's DIA of a diagonal of nothing fails
                h.setdiag(v, k)
                a.setdiag(given, k)
                same(a, h)


@pytest.mark.parametrize("format", ["coo", "csr", "csc"])
@pytest.mark.parametrize("kind", KINDS)
def test_truth_values_that_are_stored_twice(format, kind):
    """Their sum is whether one of them is true; where they are counted first they are numbers."""
    def made(m, c):
        if format == "coo":
            return getattr(m, f"coo_{kind}")((c(np.array([1, 1, 1, 0, 1, 1, 1], "?")), (
                c(np.array([0, 0, 1, 1, 2, 2, 2])), c(np.array([1, 1, 0, 0, 2, 2, 2])))), shape=(3, 3))
        return getattr(m, f"{format}_{kind}")((c(np.array([1, 1, 1, 0, 1, 1, 1], "?")), c(
            np.array([1, 1, 0, 0, 2, 2, 2])), c(np.array([0, 2, 4, 7]))), shape=(3, 3))

    x = np.arange(1.0, 10).reshape(3, 3)
    for f in (lambda s, y: s.toarray(), lambda s, y: s.tocsr().toarray(), lambda s, y: s.sum(),
              lambda s, y: s.diagonal(),
              lambda s, y: s.max(0).toarray(), lambda s, y: s @ y, lambda s, y: y @ s, lambda s, y: s @ (y > 2),
              lambda s, y: s + y, lambda s, y: s - y, lambda s, y: (s * 2).toarray(), lambda s, y: s.trace(),
              lambda s, y: s.astype("f").toarray(), lambda s, y: s.multiply(y).toarray(),
              lambda s, y: (s @ s).toarray(), lambda s, y: (s + s).toarray(), lambda s, y: (s != s.T).toarray()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            want, got = np.asarray(f(made(ss, np.array), x)), f(made(xs, tb.array), tb.array(x))
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_allclose(got.get(), want)


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (5, 5), (1, 3), (3, 0)])
@pytest.mark.parametrize("length", [0, 2, 5, 9])
def test_transposes_of_diagonals(shape, length):
    """Diagonals stay where they are, whatever is stored outside of the matrix."""
    data = np.arange(1.0, 4 * length + 1).reshape(4, length)
    host = ss.dia_matrix((data, [2, -3, 0, 1]), shape=shape)
    turned = xs.dia_matrix((tb.array(data), tb.array([2, -3, 0, 1])), shape=shape).T
    assert turned.format == "dia" and turned.shape == host.T.shape
    assert turned.offsets.tolist() == [-2, 3, 0, -1]
    np.testing.assert_array_equal(turned.toarray().get(), host.toarray().T)
