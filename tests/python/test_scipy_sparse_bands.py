"""Bandwidths of sparse matrices, and solvers that SciPy runs on the host, against SciPy's."""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg as sl
from hypothesis import given
from hypothesis import strategies as st

import tombac as tb
import tombacx.scipy.sparse as xs
import tombacx.scipy.sparse.linalg as xl

seeds = st.integers(0, 2**32 - 1)
SOLVERS = ["qmr", "lgmres", "gcrotmk"]

# ---- bandwidths ------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@given(seeds, st.integers(1, 8), st.integers(1, 8), st.integers(1, 12),
       st.sampled_from(["csr", "csc", "coo", "dia", "bsr", "lil"]), st.sampled_from(["array", "matrix"]))
def test_bands(seed, rows, cols, n, format, kind):
    """Zeros that are stored count."""
    rng = np.random.default_rng(seed)
    parts = rng.integers(0, 2, n).astype(float), (rng.integers(0, rows, n), rng.integers(0, cols, n))
    name = f"{format}_{kind}"
    theirs = getattr(scipy.sparse, name)(scipy.sparse.coo_array(parts, (rows, cols)))
    if format == "lil" and not theirs.nnz:
        return
    ours = getattr(xs, name)(theirs)
    assert xl.spbandwidth(ours) == sl.spbandwidth(theirs)
    assert xl.is_sptriangular(ours) == sl.is_sptriangular(theirs)
    assert all(type(x) is int for x in xl.spbandwidth(ours))
    assert all(type(x) is bool for x in xl.is_sptriangular(ours))


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 3)])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dia"])
def test_bands_of_nothing(shape, format):
    a = getattr(xs, f"{format}_array")(shape)
    assert xl.spbandwidth(a) == (0, 0) and xl.is_sptriangular(a) == (True, True)


@pytest.mark.parametrize("f", [xl.spbandwidth, xl.is_sptriangular])
def test_bands_of_what_is_no_matrix(f):
    for bad in (tb.eye(2), np.eye(2), scipy.sparse.eye_array(2), None):
        with pytest.raises(TypeError, match="a sparse matrix is expected"):
            f(bad)
    with pytest.raises(ValueError, match="two dimensions"):
        f(xs.csr_array(tb.ones(3)))


# ---- solvers ---------------------------------------------------------------------------------------------------------


def system(seed, n, dtype):
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((2, n, n)), rng.standard_normal((2, n))
    a, b = (a[0] + 1j * a[1], b[0] + 1j * b[1]) if np.dtype(dtype).kind == "c" else (a[0], b[0])
    return (a + 5 * np.sqrt(n) * np.eye(n)).astype(dtype), b.astype(dtype)


def close(got, want):
    assert type(got) is tb.ndarray and got.dtype == want.dtype and got.shape == want.shape
    scale = abs(want).max(initial=0) * {"f": 1e-4, "d": 1e-9}[want.dtype.char.lower().replace("g", "d")]
    np.testing.assert_allclose(got.get(), want, rtol=0, atol=scale)


def given_as(a, form):
    return {"dense": tb.array, "csr": lambda x: xs.csr_array(tb.array(x)),
            "operator": lambda x: xl.aslinearoperator(tb.array(x))}[form](a)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # of one unknown
@pytest.mark.parametrize("name", SOLVERS)
@given(seeds, st.integers(1, 20), st.sampled_from("fdD"), st.sampled_from(["dense", "csr", "operator"]), st.booleans())
def test_solvers(name, seed, n, dtype, form, column):
    a, b = system(seed, n, dtype)
    rtol = 1e-3 if dtype == "f" else 1e-10
    given_b = b[:, None] if column else b
    x, info = getattr(xl, name)(given_as(a, form), tb.array(given_b), rtol=rtol)
    assert info == 0 and type(x) is tb.ndarray and x.dtype == dtype
    assert x.shape == getattr(sl, name)(a, given_b, rtol=rtol)[0].shape
    assert np.linalg.norm(a @ x.get().ravel() - b) <= 2 * rtol * np.linalg.norm(b)


@pytest.mark.parametrize("name", SOLVERS)
def test_solvers_options(name):
    """Where it begins, preconditioners, how many steps there are, and what the callback has."""
    a, b = system(0, 12, "d")
    M, one = sl.aslinearoperator(np.diag(1 / a.diagonal())), sl.aslinearoperator(np.eye(12))
    kinds = [({"M1": tb.array(M.A)}, {"M1": M, "M2": one}), ({"M2": tb.array(M.A)}, {"M1": one, "M2": M})]
    for ours, theirs in kinds if name == "qmr" else [({"M": tb.array(M.A)}, {"M": M})]:
        seen, wanted = [], []
        got = getattr(xl, name)(tb.array(a), tb.array(b), tb.array(b), rtol=1e-12, maxiter=2, callback=seen.append,
                                **ours)
        want = getattr(sl, name)(a, b, b, rtol=1e-12, maxiter=2, callback=wanted.append, **theirs)
        assert got[1] == want[1] and len(seen) == len(wanted) > 0
        close(got[0], want[0])
        assert all(type(x) is tb.ndarray for x in seen)


@pytest.mark.parametrize("name", SOLVERS)
def test_solvers_refuse(name):
    f = getattr(xl, name)
    with pytest.raises(TypeError, match=f"{name}: a tombac.ndarray"):
        f(tb.eye(2), np.ones(2))
    with pytest.raises(TypeError):
        f(np.eye(2), tb.ones(2))
    with pytest.raises(ValueError):
        f(tb.eye(2), tb.ones(3))
    with pytest.raises(ValueError):
        f(tb.ones((2, 3)), tb.ones(2))


@pytest.mark.parametrize("shape", [(40, 60), (60, 40), (1, 70), (70, 1)])
@pytest.mark.parametrize("length", [1, 30, 80])
@pytest.mark.parametrize("count", [3, 16, 17, 90])
def test_counts_of_diagonals(shape, length, count):
    offsets = np.random.default_rng(count).permutation(np.arange(-75, 75))[:count].astype("i")
    a, h = (m.dia_array((x.ones((count, length)), x.array(offsets)), shape=shape)
            for m, x in ((xs, tb), (scipy.sparse, np)))
    assert a.nnz == a.size == h.nnz and repr(a) == repr(h)


@pytest.mark.parametrize("codes", ["dd", "fd", "Fi", "BB"])
@pytest.mark.parametrize("others", [[0, 1, -1], [2, -3, 0], [4999, -4999], [-1, 0, 1]], ids=str)
@pytest.mark.parametrize("lengths", [(5000, 5000), (4500, 5000), (5100, 5100)], ids=str)
def test_sums_of_long_diagonals(codes, others, lengths):
    """Of matrices that have the same diagonals, some of them, in another order, or none. SciPy's own sums of diagonals
    fail for some of these dtypes and lengths."""
    rng = np.random.default_rng(2)
    parts = [((rng.random((len(offsets), length)) * 9).astype(code), np.array(offsets, "i"))
             for offsets, length, code in zip(([0, 1, -1], others), lengths, codes, strict=True)]
    a, b = (xs.dia_array(tuple(map(tb.array, p)), shape=(5000, 5000)) for p in parts)
    h, g = (scipy.sparse.dia_array(p, shape=(5000, 5000)).tocsr() for p in parts)
    for ours, theirs in ((a + b, h + g), (a - b, h - g), (b - a, g - h), (a.multiply(b), h.multiply(g))):
        assert ours.format == "dia" and ours.dtype == theirs.dtype
        assert (ours.get().tocsr() != theirs).nnz == 0
