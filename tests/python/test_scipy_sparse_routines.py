"""What the core does with sparse matrices in one routine on the CPU, and by compositions elsewhere, against SciPy."""

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as ss
import scipy.sparse.csgraph as sg
import scipy.sparse.linalg as sl
from hypothesis import given

import tombac as tb
import tombacx.scipy.sparse as xs
import tombacx.scipy.sparse.csgraph as xg
import tombacx.scipy.sparse.linalg as xl
from tombacx.scipy.sparse.linalg import _direct

FORMATS = ["csr", "csc", "coo"]
DTYPES = ["?", "b", "H", "i", "q", "f", "d", "F", "D"]
seeds = st.integers(0, 2**32 - 1)


def numbers(rng, shape, dtype):
    x = rng.integers(-3, 4, shape)
    return (x + 1j * rng.integers(-2, 3, shape) if dtype in "FD" else x).astype(dtype)


def matrix(rng, shape, dtype, format, count=None):
    """Elements in any order, some of them several times, in SciPy's format."""
    count = int(rng.integers(0, 30)) if count is None else count
    lines, places = shape if format == "csr" else shape[::-1]
    count *= lines * places > 0
    line = np.sort(rng.integers(0, max(lines, 1), count))
    place = rng.integers(0, max(places, 1), count).astype("i")
    parts = numbers(rng, count, dtype), place, np.searchsorted(line, np.arange(lines + 1)).astype("i")
    return getattr(ss, f"{format}_matrix")(parts, shape=shape)


def ours(a):
    return getattr(xs, type(a).__name__)(a)


def assert_same(got, want):
    got = got.get()
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


@given(seeds, st.integers(0, 9), st.integers(0, 9), st.sampled_from(DTYPES), st.sampled_from(["csr", "csc"]))
def test_dense_arrays_and_diagonals(seed, m, n, dtype, format):
    a = matrix(np.random.default_rng(seed), (m, n), dtype, format)
    b = ours(a)
    for order in (None, "C", "F"):  # None is 'C', as in CuPy
        want, got = a.toarray(order or "C"), b.toarray(order)
        assert_same(got, want)
        if want.size:
            assert got.flags.c_contiguous == want.flags.c_contiguous
            assert got.flags.f_contiguous == want.flags.f_contiguous
    for k in range(-11, 12):
        assert_same(b.diagonal(k), a.diagonal(k))


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_large_dense_arrays_and_diagonals(format):
    """On several threads."""
    a = matrix(np.random.default_rng(0), (700, 500), "d", format, 90000)
    for order in "CF":
        assert_same(ours(a).toarray(order), a.toarray(order))
    assert_same(ours(a).diagonal(-3), a.diagonal(-3))


def test_half_precision():
    a = xs.csr_matrix((tb.array([1, 2, 3, -5], "e"), tb.array([0, 0, 2, 1]), tb.array([0, 2, 4])), shape=(2, 3))
    assert a.toarray().dtype == "e" and a.toarray().tolist() == [[3, 0, 0], [0, -5, 3]]
    assert a.diagonal().dtype == "e" and a.diagonal().tolist() == [3, -5]
    b = xs.dia_matrix((tb.array([[0, 2, 3]], "e"), tb.array([0])), shape=(3, 3)).tocsr()
    assert b.dtype == "e" and b.data.tolist() == [2, 3] and b.indices.tolist() == [1, 2]


def test_indices_that_were_overwritten():
    a = xs.csr_matrix(tb.array([[1.0, 0], [0, 2]]))
    a.indices[:] = 1 << 20
    with pytest.raises(ValueError, match="exceeds matrix dimension 2"):
        a.toarray()


@given(seeds, st.integers(0, 9), st.integers(0, 9), st.sampled_from(DTYPES), st.integers(0, 5), st.integers(0, 12))
def test_diagonals_to_other_formats(seed, m, n, dtype, count, length):
    rng = np.random.default_rng(seed)
    parts = numbers(rng, (count, length), dtype), rng.choice(np.arange(-11, 12), count, replace=False)
    a, b = ss.dia_matrix(parts, shape=(m, n)), xs.dia_matrix(tuple(map(tb.array, parts)), shape=(m, n))
    for format in ("csr", "csc"):
        want, got = a.asformat(format), b.asformat(format)
        for name in ("data", "indices", "indptr"):
            assert_same(getattr(got, name), getattr(want, name))
        assert got.has_canonical_format
    assert_same(b.toarray(), a.toarray())
    assert_same(b.tocoo().toarray(), a.toarray())


@given(seeds, st.integers(0, 20), st.sampled_from(["csr", "csc", "coo", "dense"]), st.booleans(),
       st.sampled_from(["weak", "strong"]), st.sampled_from("id"))
def test_components(seed, n, format, directed, connection, dtype):
    rng = np.random.default_rng(seed)
    rows = [rng.choice(n, int(rng.integers(0, min(n, 3) + 1)), replace=False) for _ in range(n)]  # SciPy: each once
    starts = np.cumsum([0, *map(len, rows)])
    a = ss.csr_matrix((np.ones(starts[-1], dtype), np.concatenate([np.zeros(0, "i"), *rows]), starts), shape=(n, n))
    a, b = (a.toarray(), tb.array(a.toarray())) if format == "dense" else (a.asformat(format), ours(a.asformat(format)))
    want = sg.connected_components(a, directed, connection)
    got = xg.connected_components(b, directed, connection)
    assert got[0] == want[0]
    assert_same(got[1], want[1])
    assert xg.connected_components(b, directed, connection, return_labels=False) == want[0]


def test_components_of_long_paths():
    """Which a search that calls itself would not come back from."""
    n = 200_000
    path = ss.csr_matrix((np.ones(n - 1), np.arange(1, n), np.r_[np.arange(n), n - 1]), shape=(n, n))
    ring = (path + ss.csr_matrix(([1.0], ([n - 1], [0])), shape=(n, n))).tocsr()
    for a in (path, ring):
        for connection in ("weak", "strong"):
            want, got = (f(x, True, connection) for f, x in ((sg.connected_components, a),
                                                             (xg.connected_components, ours(a))))
            assert got[0] == want[0]
            assert_same(got[1], want[1])


LIMITS = {"lsqr": "iter_lim", "lsmr": "maxiter"}


@given(seeds, st.sampled_from(["lsqr", "lsmr"]), st.sampled_from("fdFD"), st.integers(1, 14), st.integers(1, 9),
       st.sampled_from(["csr", "csc", "coo"]), st.booleans(), st.sampled_from([0, 0.3]), st.integers(0, 5))
def test_least_squares_step_by_step(seed, name, dtype, m, n, format, begun, damp, steps):
    """The first few steps, whose numbers rounding does not change much."""
    rng = np.random.default_rng(seed)
    a = ss.csr_matrix(ss.eye(m, n, format="csr") * 4 + ss.random(m, n, 0.4, format="csr", rng=rng))
    a = a.astype(dtype)
    if dtype in "FD":
        a.data *= np.exp(1j * rng.random(a.nnz)).astype(dtype)
    b, x0 = (rng.standard_normal(k).astype(dtype) for k in (m, n))
    kw = {"damp": damp, LIMITS[name]: min(steps, m, n), "conlim": 0}
    want = getattr(sl, name)(a, b, **kw, **({"x0": x0} if begun else {}))
    got = getattr(xl, name)(ours(a.asformat(format)), tb.array(b), **kw, **({"x0": tb.array(x0)} if begun else {}))
    tol = 2e-3 if dtype in "fF" else 1e-6
    np.testing.assert_allclose(got[0].get(), want[0], rtol=tol, atol=tol)
    if dtype in "dD" and 0 < want[2] < min(m, n):
        assert got[1:3] == want[1:3]
        np.testing.assert_allclose(got[3:8], np.array(want[3:8], float), rtol=1e-5, atol=1e-5)
    assert all(type(x) in (int, float) for x in got[1:8])


@pytest.mark.parametrize("name", ["lsqr", "lsmr"])
@pytest.mark.parametrize("case", ["b = 0", "A = 0", "no steps", "few steps", "no columns", "no rows", "column", "ill",
                                  "integers", "solved", "nan"])
def test_least_squares_of_sparse_matrices_ends(name, case, capsys):
    a, b, kw = np.diag(np.arange(1.0, 6)), np.ones(5), {}
    if case == "b = 0":
        b[:] = 0
    elif case == "A = 0":
        a[:] = 0
    elif case in ("no steps", "few steps"):
        kw = {LIMITS[name]: 0 if case == "no steps" else 3}
    elif case == "no columns":
        a = a[:, :0]
    elif case == "no rows":
        a, b = a[:0], b[:0]
    elif case == "column":
        b = b[:, None]
    elif case == "ill":
        a = np.diag([1.0, 1e-3, 1e-9, 1, 2])
    elif case == "integers":
        a, b = a.astype("i"), b.astype("i")
    elif case == "solved":
        kw = {"x0": 1 / np.arange(1.0, 6)}
    elif case == "nan":
        b[2] = np.nan
    want = getattr(sl, name)(ss.csr_matrix(a), b, **kw)
    got = getattr(xl, name)(xs.csr_matrix(tb.array(a)), tb.array(b), show=True,
                            **{k: tb.array(v) if k == "x0" else v for k, v in kw.items()})
    assert "stopped" in capsys.readouterr().out
    assert got[1:3] == want[1:3]
    assert got[0].dtype == want[0].dtype
    np.testing.assert_allclose(got[0].get(), want[0], rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(got[3:8], np.array(want[3:8], float), rtol=1e-4, atol=1e-5)


def test_variances():
    a = ss.random(30, 8, 0.5, format="csc", rng=np.random.default_rng(5))
    b = np.arange(30.0)
    want, got = sl.lsqr(a, b, calc_var=True), xl.lsqr(ours(a), tb.array(b), calc_var=True)
    np.testing.assert_allclose(got[9].get(), want[9], rtol=1e-6)
    assert xl.lsqr(ours(a), tb.array(b))[9].tolist() == [0] * 8


@pytest.mark.parametrize("dtype", DTYPES)
def test_norms(dtype):
    a = matrix(np.random.default_rng(2), (7, 5), dtype, "csr", 20)
    np.testing.assert_allclose(float(xl.norm(ours(a))), sl.norm(a), rtol=1e-6)
    assert float(xl.norm(xs.csr_matrix((0, 3)))) == 0


@pytest.mark.filterwarnings("ignore")
@given(seeds, st.integers(1, 10), st.sampled_from("fdFDi"), st.sampled_from("dF"), st.sampled_from(FORMATS),
       st.sampled_from([(), (1,), (2,)]))
def test_equations(seed, n, dtype, other, format, columns):
    """The same numbers as SciPy's, also of what is singular, which gives NaN."""
    rng = np.random.default_rng(seed)
    a = (ss.random(n, n, 0.4, format="csr", rng=rng) * 5 + ss.eye(n) * rng.integers(0, 3)).astype(dtype)
    a = a.asformat(format)
    b = rng.standard_normal((n, *columns)).astype(rng.choice([dtype, other]))
    want = sl.spsolve(a.copy(), b)
    got = xl.spsolve(ours(a), tb.array(b))
    assert got.shape == want.shape
    assert_same(got, want)


def test_equations_where_scipy_has_another_routine(monkeypatch):
    a, b = xs.csr_matrix(tb.array([[2.0, 1], [0, 4]])), tb.array([4.0, 8])

    def refuses(*args, **options):
        raise TypeError

    for routine in (None, refuses):
        monkeypatch.setattr(_direct, "_superlu", lambda routine=routine: routine)
        assert xl.spsolve(a, b).tolist() == [1, 2]


def test_random_sources():
    for f in (lambda **kw: xs.random(5, 6, 0.5, **kw), lambda **kw: xs.rand(5, 6, 0.5, **kw),
              lambda **kw: xs.random_array((5, 6), density=0.5, **kw)):
        a, b = f(rng=3), f(random_state=3)
        assert (a != b).nnz == 0 and a.nnz == 15
        assert f(rng=np.random.default_rng(1)).nnz == 15
        with pytest.raises(TypeError, match="multiple values"):
            f(rng=1, random_state=2)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dia", "bsr"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_formats_of_exchanged_axes(format, kind):
    dense = np.arange(8.0).reshape(2, 4)
    a, b = (getattr(m, f"{format}_{kind}")(x) for m, x in ((ss, dense), (xs, tb.array(dense))))
    for got, want in ((xs.swapaxes(b, 0, 1), ss.swapaxes(a, 0, 1)), (xs.permute_dims(b, (0, 1)), b)):
        assert type(got).__name__ == type(want).__name__ and got.shape == want.shape
    np.testing.assert_array_equal(xs.swapaxes(b, 0, 1).toarray().get(), dense.T)


@pytest.mark.parametrize("format", ["csr_matrix", "csr_array", "csc_matrix", "csc_array", "coo_array", "lil_array"])
def test_keys_that_do_not_broadcast(format):
    a = getattr(xs, format)(tb.eye(4))
    for key in (([0, 1, 2], [0, 1]), ([[0, 1], [1, 2]], [0, 1, 2]), (tb.array([0, 1, 2]), tb.array([0, 1]))):
        with pytest.raises(IndexError):
            a[key] = 1
    with pytest.raises(ValueError):
        a[[0, 1], [0, 1]] = [1, 2, 3]


@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_blocks_in_order(kind):
    rng = np.random.default_rng(1)
    parts = rng.integers(-2, 3, (5, 2, 2)), np.array([2, 0, 1, 2, 0], "i"), np.array([0, 2, 4, 5], "i")
    parts[0][[1, 3]] = 0
    for method in ("sort_indices", "eliminate_zeros", "prune", "check_format"):
        a = getattr(ss, f"bsr_{kind}")(tuple(x.copy() for x in parts), shape=(6, 6))
        b = getattr(xs, f"bsr_{kind}")(tuple(map(tb.array, parts)), shape=(6, 6))
        getattr(a, method)(), getattr(b, method)()
        for name in ("data", "indices", "indptr"):
            assert_same(getattr(b, name), getattr(a, name)[: a.indptr[-1]] if name != "indptr" else a.indptr)
    with pytest.raises(NotImplementedError):
        b[0]
    with pytest.raises(NotImplementedError):
        b[0, 0] = 1


def test_what_is_like_scipy():
    h = np.array([[4.0, 1, 0], [0, 3, -1], [0, 0, 5]], "f")
    a, b = ss.csr_array(h), xs.csr_array(tb.array(h))
    with np.errstate(all="ignore"):
        assert_same(b / b, a / a)
    want = ss.dia_array(h).multiply(ss.dia_array(h.T))
    got = xs.dia_array(tb.array(h)).multiply(xs.dia_array(tb.array(h.T)))
    assert_same(got.offsets, want.offsets)
    assert_same(got.toarray(), want.toarray())
    for format in ("lil", "dok"):
        assert type(b.asformat(format).power(2)).__name__ == type(a.asformat(format).power(2)).__name__
    twice = np.ones(2, "?"), ([0, 0], [1, 1])
    a, b = ss.coo_array(twice, shape=(2, 2)), xs.coo_array((tb.array(twice[0]), twice[1]), shape=(2, 2))
    for f, g in ((sl.lsqr, xl.lsqr), (sl.lsmr, xl.lsmr)):
        np.testing.assert_allclose(g(b, tb.ones(2))[0].get(), f(a, np.ones(2))[0])
    a, b = a.tocsr(), xs.csr_array((tb.ones(2, "?"), tb.array([1, 1]), tb.array([0, 2, 2])), shape=(2, 2))
    a.setdiag(np.array([3]), 0), b.setdiag(tb.array([3]), 0)
    assert_same(b.toarray(), a.toarray())
