"""matmul, dot, einsum and the other products, and norms, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, same, values

import tombac as tb

CODES = "?bBhHiIlLefdFD"


def data(code, *shape, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2 if code == "?" else 6, shape)
    return (x + 1j * rng.integers(0, 6, shape)).astype(code) if code in "FD" else x.astype(code)


def close(got, want, **kw):
    want = np.asarray(want)
    assert type(got) is tb.ndarray
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.dtype.kind in "biu":
        np.testing.assert_array_equal(got.get(), want)
    else:
        kw = {"rtol": 100 * np.finfo(want.dtype).eps, "atol": 1e-6} | kw
        np.testing.assert_allclose(got.get(), want, **kw)


SHAPES = [((3,), (3,)), ((2, 3), (3, 4)), ((3,), (3, 4)), ((2, 3), (3,)), ((5, 2, 3), (3, 4)), ((5, 2, 3), (5, 3, 4)),
          ((1, 2, 3), (5, 3, 4)), ((4, 1, 2, 3), (5, 3, 2)), ((3,), (5, 3, 2)), ((5, 2, 3), (3,)), ((0, 3), (3, 4)),
          ((2, 0), (0, 4)), ((0,), (0,)), ((0, 2, 3), (3, 4)), ((1, 1), (1, 1)), ((64, 65), (65, 66))]


@pytest.mark.parametrize("a, b", SHAPES, ids=str)
@pytest.mark.parametrize("code", CODES)
def test_matmul(a, b, code):
    x, y = data(code, *a), data(code, *b, seed=1)
    close(tb.matmul(tb.array(x), tb.array(y)), np.matmul(x, y))


@pytest.mark.parametrize("code", "lfdFD")
@pytest.mark.parametrize("view", ["T", "reversed", "strided", "broadcast"])
def test_matmul_of_views(code, view):
    views = {"T": lambda m: m.T, "reversed": lambda m: m[::-1, ::-1], "strided": lambda m: m[::2, ::2]}
    x, y = data(code, 6, 6), data(code, 6, 6, seed=1)
    if view == "broadcast":
        close(tb.matmul(tb.broadcast_to(tb.array(x[0]), (6, 6)), tb.array(y)),
            np.matmul(np.broadcast_to(x[0], (6, 6)), y))
        return
    f = views[view]
    close(tb.matmul(f(tb.array(x)), f(tb.array(y))), np.matmul(f(x), f(y)))
    close(f(tb.array(x)) @ tb.array(f(y).copy()), np.matmul(f(x), f(y)))


def test_matmul_of_pending_operands():
    a = tb.arange(6.0).reshape(2, 3)
    close((a + 1) @ (a * 2).T, (np.arange(6.0).reshape(2, 3) + 1) @ (np.arange(6.0).reshape(2, 3) * 2).T)


@pytest.mark.parametrize("left", CODES)
@pytest.mark.parametrize("right", "?iLfD")
def test_matmul_promotes(left, right):
    x, y = data(left, 2, 3), data(right, 3, 2)
    close(tb.matmul(tb.array(x), tb.array(y)), np.matmul(x, y))


def test_matmul_out_and_dtype():
    x, y = data("d", 2, 3), data("d", 3, 4)
    out = tb.empty((2, 4))
    assert tb.matmul(tb.array(x), tb.array(y), out) is out and tb.matmul(tb.array(x), tb.array(y), out=out) is out
    close(out, x @ y)
    part = tb.zeros((4, 8))[::2, ::2]
    tb.matmul(tb.array(x), tb.array(y), out=part)
    close(part, x @ y)
    square = tb.array(data("d", 3, 3))
    want = square.get() @ square.get()
    tb.matmul(square, square, out=square)
    close(square, want)
    close(tb.matmul(tb.array(data("i", 2, 3)), tb.array(data("i", 3, 2)), dtype="d"),
          np.matmul(data("i", 2, 3), data("i", 3, 2), dtype="d"))


@pytest.mark.parametrize("a, b", [((2, 3), (2, 3)), ((3,), (4,)), ((), (3,)), ((3,), ()), ((2, 3, 4), (3, 4, 5))])
def test_matmul_errors(a, b):
    with pytest.raises(ValueError):
        tb.matmul(tb.ones(a), tb.ones(b))
    with pytest.raises(TypeError):
        tb.matmul(tb.ones((2, 2)), np.ones((2, 2)))


DOTS = SHAPES[:4] + [((), (3,)), ((2, 3), ()), ((5, 2, 3), (3,)), ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)),
                     ((5, 2, 3), (6, 3, 4)), ((3,), (5, 3, 2)), ((0,), (0,))]


@pytest.mark.parametrize("a, b", DOTS, ids=str)
@pytest.mark.parametrize("code", "?ilfdD")
def test_dot(a, b, code):
    x, y = data(code, *a), data(code, *b, seed=1)
    want = np.dot(x, y)
    close(tb.dot(tb.array(x), tb.array(y)), want)
    close(tb.array(x).dot(tb.array(y)), want)
    out = tb.empty(np.shape(want), want.dtype)
    assert tb.dot(tb.array(x), tb.array(y), out) is out
    close(out, want)


def test_dot_errors():
    for a, b in (((2, 3), (2, 3)), ((2, 3), (4, 5, 6)), ((3,), (4,))):
        with pytest.raises(ValueError):
            tb.dot(tb.ones(a), tb.ones(b))


@pytest.mark.parametrize("code", "ldD")
def test_other_products(code):
    x, y, v = data(code, 3, 4), data(code, 3, 4, seed=1), data(code, 4, seed=2)
    X, Y, V = tb.array(x), tb.array(y), tb.array(v)
    close(tb.vdot(X, Y), np.vdot(x, y))
    close(tb.inner(X, Y), np.inner(x, y))
    close(tb.inner(X, V), np.inner(x, v))
    close(tb.inner(X, 2), np.inner(x, 2))
    close(tb.inner(2, X), np.inner(2, x))
    close(tb.inner(tb.array(2.0), tb.ones((2, 3, 4))), np.inner(2.0, np.ones((2, 3, 4))))
    close(tb.outer(X, V), np.outer(x, v))
    close(tb.kron(X, Y), np.kron(x, y))
    close(tb.kron(V, X), np.kron(v, x))
    close(tb.trace(X), np.trace(x))
    close(tb.trace(X, 1), np.trace(x, 1))
    close(tb.tensordot(X, Y.T, 1), np.tensordot(x, y.T, 1))
    close(tb.tensordot(X, Y, ([0, 1], [0, 1])), np.tensordot(x, y, ([0, 1], [0, 1])))
    close(tb.tensordot(X, Y, 0), np.tensordot(x, y, 0))
    close(tb.vecdot(X, Y), np.vecdot(x, y))
    out = tb.empty((12, 4), code)
    assert tb.outer(X, V, out) is out


def test_cross():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((5, 3)), rng.standard_normal((5, 3))
    close(tb.cross(tb.array(a), tb.array(b)), np.cross(a, b))
    close(tb.cross(tb.array(a.T), tb.array(b.T), axis=0), np.cross(a.T, b.T, axis=0))
    close(tb.linalg.cross(tb.array(a), tb.array(b)), np.linalg.cross(a, b))
    with pytest.raises(ValueError):
        tb.cross(tb.ones(4), tb.ones(4))


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
@pytest.mark.parametrize("a, b", [
    ([1, 2], [np.nan, 1, 3]), ([np.inf, 2, -1], [4, np.nan]), ([3, -0.0], [0.0, 2, np.inf]), ([1, np.nan], [2, 3]),
    ([[1, 2]], [[4, 5, np.inf], [1, np.nan, 2]]),
])
def test_cross_of_two_elements(a, b):
    def cross(x, y):  # NumPy 2.5 refuses two elements; before, products with what is missing were left out
        (x0, x1, *x2), (y0, y1, *y2) = np.moveaxis(x, -1, 0), np.moveaxis(y, -1, 0)
        last = x0 * y1 - x1 * y0
        if not x2 and not y2:
            return last
        parts = (x1 * y2[0], -(x0 * y2[0])) if y2 else (-(x2[0] * y1), x2[0] * y0)
        return np.stack(np.broadcast_arrays(*parts, last), -1)

    a, b = np.array(a, float), np.array(b, float)
    for x, y in ((a, b), (b, a)):
        want = np.cross(x, y) if x.shape[-1] == y.shape[-1] == 3 else cross(x, y)
        np.testing.assert_array_equal(tb.cross(tb.array(x), tb.array(y)).get(), want)


EINSUMS = [("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("i,i", (3,), (3,)), ("i,j->ij", (2,), (3,)),
           ("ii", (3, 3)), ("ii->i", (3, 3)), ("ij->ji", (2, 3)), ("ij->", (2, 3)),
           ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)),
           ("...ij,...jk->...ik", (5, 2, 3), (3, 4)), ("ijk,k->ij", (2, 3, 4), (4,)), ("ij,ij->i", (2, 3), (2, 3)),
           ("ij,kl->", (2, 3), (4, 5)), ("ijk,jil->kl", (2, 3, 4), (3, 2, 5)), ("i,ij,j->", (2,), (2, 3), (3,)),
           ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)), ("...->...", (2, 3)), ("i...->...", (2, 3)),
           ("iij->ij", (3, 3, 2)),
           ("ab,b->ab", (2, 3), (3,)), ("a,b,c->abc", (2,), (3,), (4,))]


@pytest.mark.parametrize("case", EINSUMS, ids=lambda c: c[0])
@pytest.mark.parametrize("code", "ldD")
def test_einsum(case, code):
    arrays = [data(code, *s, seed=i) for i, s in enumerate(case[1:])]
    close(tb.einsum(case[0], *map(tb.array, arrays)), np.einsum(case[0], *arrays))


@given(st.sampled_from([c for c in EINSUMS if len(c) > 2]), st.lists(dtypes(), min_size=4, max_size=4),
       st.integers(0, 99))
def test_einsum_promotes_all_operands_together(case, types, seed):
    arrays = [values(t, s, seed + i) for i, (t, s) in enumerate(zip(types, case[1:], strict=False))]
    want = np.asarray(np.einsum(case[0], *arrays))
    same(tb.einsum(case[0], *map(tb.array, arrays)), want, rtol=2e-3 if want.dtype == "e" else 1e-6)


@pytest.mark.parametrize("types, factors", [("bbi", (100, 100, 100)), ("BBH", (200, 200, 1)), ("eee", (300, 300, 1e-3)),
                                            ("??B", (1, 1, 200)), ("eef", (300, 300, 300)), ("HhD", (60000, 2, 1))])
def test_einsum_does_not_stop_in_a_narrow_dtype(types, factors):
    arrays = [np.full(3, f, t) for f, t in zip(factors, types, strict=True)]
    same(tb.einsum("i,i,i", *map(tb.array, arrays)), np.einsum("i,i,i", *arrays), rtol=2e-3)


@pytest.mark.filterwarnings("ignore:Casting complex values")
@pytest.mark.parametrize("options", [{}, {"dtype": "f4"}, {"dtype": "f4", "casting": "unsafe"},
                                     {"dtype": "F", "casting": "same_kind"}], ids=str)
@pytest.mark.parametrize("into", [None, "f4", "f8", "i4", "D"])
@pytest.mark.parametrize("code", "dfi")
def test_einsum_casts_as_it_is_told(options, into, code):
    def run(xp):
        x = xp.ones((3, 3), code)
        try:
            r = xp.einsum("ij,jk,kl->il", x, x, x, out=None if into is None else xp.zeros((3, 3), into), **options)
        except TypeError:
            return TypeError
        return r.dtype, float(r[0, 0].real)

    assert run(tb) == run(np)


def test_einsum_forms():
    a, b = data("d", 2, 3), data("d", 3, 4)
    close(tb.einsum(tb.array(a), [0, 1], tb.array(b), [1, 2], [0, 2]), a @ b)
    out = tb.empty((2, 4))
    assert tb.einsum("ij,jk", tb.array(a), tb.array(b), out=out) is out
    for bad in (tb.einsum, lambda: tb.einsum("ij"), lambda: tb.einsum(tb.array(a)),
                lambda: tb.einsum("ij,jk", tb.array(a)), lambda: tb.einsum("ij->k", tb.array(a)),
                lambda: tb.einsum("ij,jk", tb.array(a), tb.array(a)), lambda: tb.einsum("i", tb.array(a))):
        with pytest.raises(ValueError):
            bad()


@pytest.mark.parametrize("code", "lfdFD")
@pytest.mark.parametrize("order", [None, 0, 1, 2, 3, 0.5, np.inf, -np.inf])
def test_vector_norm(code, order):
    x = data(code, 3, 4) - data(code, 3, 4, seed=1)
    for axis in (0, 1):
        close(tb.linalg.norm(tb.array(x), order, axis), np.linalg.norm(x, order, axis), rtol=1e-5)
    close(tb.linalg.norm(tb.array(x[0]), order), np.asarray(np.linalg.norm(x[0], order)), rtol=1e-5)
    close(tb.linalg.vector_norm(tb.array(x), ord=2 if order is None else order),
          np.linalg.vector_norm(x, ord=2 if order is None else order), rtol=1e-5)


@pytest.mark.parametrize("order", [None, "fro", 1, -1, np.inf, -np.inf])
def test_matrix_norm(order):
    x = data("d", 5, 3, 4) - 2
    for axis in ((1, 2), (2, 0)):
        for keepdims in (False, True):
            close(tb.linalg.norm(tb.array(x), order, axis, keepdims), np.linalg.norm(x, order, axis, keepdims))
    close(tb.linalg.norm(tb.array(x[0]), order), np.asarray(np.linalg.norm(x[0], order)))
    if order is not None:
        close(tb.linalg.matrix_norm(tb.array(x), ord=order), np.linalg.matrix_norm(x, ord=order))


def test_norm_of_everything():
    x = tb.linalg.norm(tb.array([1, 2, 3]))
    assert type(x) is tb.ndarray and x.ndim == 0 and abs(x.item() - 14**0.5) < 1e-12
    y = data("d", 2, 3, 4)
    close(tb.linalg.norm(tb.array(y)), np.asarray(np.linalg.norm(y)))
    with pytest.raises(ValueError):
        tb.linalg.norm(tb.array(y), 1)
    with pytest.raises(ValueError):
        tb.linalg.norm(tb.array(y[0]), "nope")
    for order in (2, -2, "nuc"):
        close(tb.linalg.norm(tb.array(y), order, (2, 0), True), np.linalg.norm(y, order, (2, 0), True))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_norms_of_nothing(shape):
    """The largest of no absolute values is 0, as it is in NumPy 2.4; there is no least."""
    x = tb.zeros(shape, "f")
    for order in (1, 2, np.inf):
        same(tb.linalg.norm(x, order), np.float32(0))
        same(tb.linalg.norm(x, order, axis=(1, 0), keepdims=True), np.zeros((1, 1), "f"))
        same(tb.linalg.norm(x, order, axis=0), np.zeros(shape[1], "f"))
        same(tb.linalg.vector_norm(x, axis=1, ord=order), np.zeros(shape[0], "f"))
        same(tb.linalg.matrix_norm(x[None], ord=order), np.zeros(1, "f"))
    with pytest.raises(ValueError, match="zero-size"):
        tb.linalg.vector_norm(x, ord=-np.inf)


def test_powers_and_chains():
    m = data("d", 3, 3)
    for n in (0, 1, 2, 5):
        close(tb.linalg.matrix_power(tb.array(m), n), np.linalg.matrix_power(m, n))
    with pytest.raises(np.linalg.LinAlgError):
        tb.linalg.matrix_power(tb.ones((2, 3)), 2)
    chain = [data("d", *s) for s in ((2, 5), (5, 3), (3, 7), (7, 2))]
    close(tb.linalg.multi_dot(list(map(tb.array, chain))), np.linalg.multi_dot(chain))
    vectors = [chain[0][0], chain[1], chain[2][:, 0]]
    close(tb.linalg.multi_dot(list(map(tb.array, vectors))), np.asarray(np.linalg.multi_dot(vectors)))


AXES = [((3, 2), (3, 4), [(1, 0), (0, 1), (0, 1)]), ((3, 2), (3, 4), [(1, 0), (0, 1), (1, 0)]),
        ((3, 2, 5), (2, 4, 5), [(0, 1), (0, 1), (-1, 0)]), ((2, 3), (2,), [(1, 0), 0, 0]),
        ((2, 3), (2,), [(1, 0), (0,), (0,)]), ((3,), (3,), [(0,), 0, ()])]


@pytest.mark.parametrize("sa, sb, axes", AXES)
def test_matmul_axes(sa, sb, axes):
    a, b = data("d", *sa), data("d", *sb, seed=1)
    want = np.matmul(a, b, axes=axes)
    close(tb.matmul(tb.array(a), tb.array(b), axes=axes), want)
    out = tb.zeros(want.shape)
    assert tb.matmul(tb.array(a), tb.array(b), out=out, axes=axes) is out
    close(out, want)


@pytest.mark.parametrize("kw", [{"axes": 5}, {"axes": [(0, 1), (0, 1)]}, {"axes": [(0, 5), (0, 1), (0, 1)]},
                                {"axes": [0, (0, 1), (0, 1)]}, {"axis": 1}, {"keepdims": True}, {"keepdims": False},
                                {"signature": "ff->d"}, {"signature": "ff"}, {"signature": "ff->f", "dtype": "f"},
                                {"signature": 3}, {"dtype": "i"}, {"casting": "no", "dtype": "f"}])
def test_matmul_keyword_errors(kw):
    a, b = np.ones((3, 3)), np.ones((3, 3))
    with pytest.raises((TypeError, ValueError)) as numpy_error:
        np.matmul(a, b, **kw)
    with pytest.raises(TypeError if isinstance(numpy_error.value, TypeError) else ValueError):
        tb.matmul(tb.array(a), tb.array(b), **kw)


def test_matmul_signature_and_casting():
    a, b = data("d", 2, 3), data("d", 3, 2, seed=1)
    x, y = tb.array(a), tb.array(b)
    for kw in ({"signature": "ff->f"}, {"sig": ("d", None, None)}, {"dtype": "i", "casting": "unsafe"}):
        close(tb.matmul(x, y, **kw), np.matmul(a, b, **kw))
    out = tb.zeros((2, 2), "i")
    tb.matmul(x, y, out=out, casting="unsafe")
    close(out, (a @ b).astype("i"))
    with pytest.raises(TypeError):
        tb.matmul(x, y, out=out)
    assert tb.matmul(x, y, order="F").flags.f_contiguous


@pytest.mark.parametrize("dtypes", ["i1 i1", "u1 i2", "f4 f4", "f2 f2", "f4 f8", "c8 f8", "? ?", "i4 f4"])
@pytest.mark.parametrize("axis", [-1, -2, 0])
def test_vecdot_of_dtypes(dtypes, axis):
    rng = np.random.default_rng(0)
    x, y = (rng.integers(0, 3, (5, 5, 5)).astype(t) for t in dtypes.split())
    if dtypes.startswith("c"):
        x = x * (1 + 2j)
        x = x.astype("c8")
    for a, b in ((x, y[0]), (x[0], y), (x, y)):
        got, want = tb.vecdot(tb.array(a), tb.array(b), axis=axis), np.vecdot(a, b, axis=axis)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want, rtol=1e-3)


def test_forms_of_tensordot_axes():
    x, y = np.arange(24.0).reshape(2, 3, 4), np.arange(12.0).reshape(4, 3)
    lists = ([1], [1]), (2, 0), [(1, 2), [1, 0]], np.array([[1, 2], [1, 0]]), (np.int64(-1), 0), ((), ())
    for axes in (*lists, np.int64(0)):
        close(tb.tensordot(tb.array(x), tb.array(y), axes), np.tensordot(x, y, axes))
    for axes in (3, ([1], [1, 0]), ([0], [0]), ([3], [0])):
        with pytest.raises(ValueError):
            tb.tensordot(tb.array(x), tb.array(y), axes)


SMALL = [
    ((20000, 3), (3, 3)), ((3, 3), (3, 20000)), ((20000, 8), (8, 8)), ((70000, 1), (1, 9)), ((900, 4, 4), (900, 4, 4)),
    ((300, 16, 16), (300, 16, 16)), ((300, 17, 16), (16, 16)), ((900, 20, 30), (900, 30, 1)), ((900, 1, 30), (30, 30)),
    ((9, 900, 4), (9, 4, 9)),
]


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("shapes", SMALL)
def test_products_with_small_matrices(dtype, shapes):
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, s).astype(dtype) for s in shapes)
    if dtype[0] == "c":
        a, b = a * (1 + 1j), b * (1 - 2j)
    for x, y in ((a, b), (np.asfortranarray(a), b), (a, np.ascontiguousarray(b.swapaxes(-1, -2)).swapaxes(-1, -2))):
        x, y = x.astype(dtype, copy=False), y.astype(dtype, copy=False)
        np.testing.assert_array_equal((tb.asarray(x) @ tb.asarray(y)).get(), x @ y)


def test_dot_casts_nothing_to_out():
    a = np.arange(6.0).reshape(2, 3)
    x, y = tb.array(a), tb.array(a.T)
    for out in (np.zeros((2, 2), "f4"), np.zeros((2, 2), order="F"), np.zeros((2, 3))):
        for f, args in ((np.dot, (a, a.T, out)), (tb.dot, (x, y, tb.array(out))), (x.dot, (y, tb.array(out)))):
            with pytest.raises(ValueError):
                f(*args)
    out = tb.zeros((2, 2))
    assert tb.dot(x, y, out) is out
    np.testing.assert_array_equal(out.get(), a @ a.T)


@pytest.mark.parametrize("options", [{"axis": (0, 1, 2)}, {"axis": ()}, {"ord": [1]}, {"ord": "x", "axis": 0},
                                     {"ord": 1j, "axis": 0}, {"ord": 1j}, {"ord": 3}], ids=str)
def test_norms_that_are_none(options):
    a = np.ones((2, 3))
    with pytest.raises((ValueError, TypeError)) as refused:
        np.linalg.norm(a, **options)
    with pytest.raises(ValueError if issubclass(refused.type, ValueError) else TypeError, match="norm"):
        tb.linalg.norm(tb.array(a), **options)


def test_an_out_that_is_no_array():
    with pytest.raises(TypeError, match="multi_dot"):
        tb.linalg.multi_dot([tb.eye(2), tb.eye(2)], out=1)
