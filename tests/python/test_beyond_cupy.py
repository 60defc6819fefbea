"""block, matvec, vecmat and einsum_path, which NumPy has and CuPy has not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import DTYPES, same, values

import tombac as tb


def device(x):
    return [device(e) for e in x] if isinstance(x, list) else tb.array(x) if isinstance(x, np.ndarray) else x


A, B, R = np.ones((2, 2)), np.zeros((2, 3), "i4"), np.arange(5)


@pytest.mark.parametrize("blocks", [
    A, [A, B], [[A, B], [R]], [[R], [A, B]], [1, 2, 3], [[1, 2], [3, 4]], 5.0, [A], [[A]], [[[A]]], [R, 1],
    [np.ones((2, 1, 3)), np.ones((2, 1, 1))], [[A, B.astype("c8")], [R]], [[[1], [2]], [[3], [4]]], [[A], [A]],
    [np.zeros((0,)), R],
], ids=str)
def test_block(blocks):
    for f in (tb.block, np.block) if isinstance(blocks, np.ndarray) or "array" in str(blocks) else (tb.block,):
        same(f(device(blocks)), np.block(blocks))


def test_block_is_new_memory():
    a = tb.ones(3)
    made = tb.block(a)
    made += 1
    assert a.tolist() == [1, 1, 1]


@pytest.mark.parametrize("blocks, error", [
    ([], ValueError), ([[]], ValueError), ([[A], A], ValueError), ((A, A), TypeError), ([(A,), [A]], TypeError),
    ([[A, B], [A]], ValueError), ([A, np.ones((3, 1))], ValueError),
], ids=str)
def test_block_refuses(blocks, error):
    given = tuple(map(device, blocks)) if isinstance(blocks, tuple) else device(blocks)
    with pytest.raises(error):
        tb.block(given)
    with pytest.raises(error):
        np.block(blocks)


def test_block_takes_no_host_arrays():
    with pytest.raises(TypeError, match="block"):
        tb.block([tb.array(A), A])


since_2_2 = pytest.mark.skipif(not hasattr(np, "matvec"), reason="NumPy has it from 2.2 on")


@since_2_2
@given(st.sampled_from(DTYPES), st.sampled_from(DTYPES), st.integers(0, 3), st.integers(0, 3),
       st.sampled_from([((), ()), ((2,), ()), ((), (3,)), ((2, 1), (3,))]), st.integers(0, 99))
def test_products_with_vectors(left, right, m, n, loops, seed):
    matrix, vector = values(np.dtype(left), (*loops[0], m, n), seed), values(np.dtype(right), (*loops[1], n), seed + 1)
    np.testing.assert_allclose(tb.matvec(tb.array(matrix), tb.array(vector)).get(), np.matvec(matrix, vector),
                               rtol=1e-5, strict=True)
    turned = np.ascontiguousarray(matrix.swapaxes(-1, -2))
    np.testing.assert_allclose(np.vecmat(tb.array(vector), tb.array(turned)).get(), np.vecmat(vector, turned),
                               rtol=1e-5, strict=True)


@since_2_2
def test_products_with_vectors_into_arrays_and_errors():
    a, v, out = tb.ones((2, 3)), tb.arange(3.0), tb.empty(2)
    assert tb.matvec(a, v, out) is out and np.matvec(a, v, out=out) is out and out.tolist() == [3, 3]
    assert tb.vecmat(v, a.T, out=out) is out and out.tolist() == [3, 3]
    for f, operands in ((tb.matvec, (v, v)), (tb.vecmat, (a, v)), (tb.matvec, (a, tb.ones(2))), (tb.vecmat, (v, a)),
                        (tb.matvec, (a, tb.array(1.0)))):
        with pytest.raises(ValueError):
            f(*operands)
    with pytest.raises(ValueError, match="shape"):
        tb.matvec(a, v, tb.empty(3))
    with pytest.raises(TypeError, match="matvec"):
        tb.matvec(a, v.get())


VECTOR_OPTIONS = [
    {"dtype": "f"}, {"dtype": "D"}, {"dtype": "i", "casting": "unsafe"}, {"casting": "no"}, {"order": "F"},
    {"signature": "ff->f", "casting": "same_kind"}, {"signature": (None, None, "D")}, {"axes": [0, 1]}, {"axes": 3},
    {"sig": "dd->d", "signature": "dd->d"}, {"dtype": "f", "signature": "ff->f"}, {"order": "X"}, {"casting": "equal"},
]
KEPT = [{"keepdims": True}, {"axis": 0}, {"axis": -2, "keepdims": True}, {"axis": 0, "axes": [0, 0]}, {"axis": 5},
        {"axes": [(0,), (1,), ()]}, {"axes": [0, (1,)]}, {"axes": [0, 0, 0], "keepdims": True}, {"axis": 0.5}]


def vector_product(xp, name, options, out):
    rng = np.random.default_rng(3)
    x, y = (xp.asarray(rng.standard_normal((4, 4, 4)).astype("d")) for _ in range(2))
    if out:
        kept = name == "vecmat" or options.get("keepdims")
        options = {**options, "out": xp.zeros((4,) * (3 if kept else 2), out)}
    return getattr(xp, name)(x, y[0] if name == "matvec" else y, **options)


@since_2_2
@pytest.mark.parametrize("out", [None, "d", "f", "D", "i"])
@pytest.mark.parametrize("name, options", [
    *[(name, o) for name in ("vecdot", "matvec", "vecmat") for o in (*VECTOR_OPTIONS, *KEPT)],
    *[("matvec", {"axes": axes}) for axes in ([(0, 1), (0,), (1,)], [(0, -1), 1, 0], [(0, 0), 1, 0])],
    *[("vecmat", {"axes": axes}) for axes in ([(0,), (0, 1), (0,)], [(0,), (0,), (0,)], [0, (2, 0), 1])],
])
def test_products_with_vectors_take_what_generalized_ufuncs_do(name, options, out):
    try:
        want = vector_product(np, name, dict(options), out)
    except (TypeError, ValueError):
        with pytest.raises((TypeError, ValueError)):
            vector_product(tb, name, dict(options), out)
        return
    got = vector_product(tb, name, dict(options), out)
    np.testing.assert_allclose(got.get(), want, rtol=1e-5, atol=1e-5, strict=True)
    assert options.get("order") != "F" or out or got.flags.f_contiguous


@pytest.mark.parametrize("optimize", ["greedy", "optimal", True, False, ("greedy", 10)])
def test_einsum_path(optimize):
    h = [np.ones((3, 40)), np.ones((40, 5)), np.ones((5, 2))]
    a = list(map(tb.array, h))
    want = np.einsum_path("ij,jk,kl->il", *h, optimize=optimize)
    assert tb.einsum_path("ij,jk,kl->il", *a, optimize=optimize) == want
    assert np.einsum_path("ij,jk,kl->il", *a, optimize=optimize) == want
    assert tb.einsum_path(a[0], [0, 1], a[1], [1, 2], [0, 2], optimize=optimize)[0] == \
        np.einsum_path(h[0], [0, 1], h[1], [1, 2], [0, 2], optimize=optimize)[0]
    with pytest.raises(ValueError):
        tb.einsum_path("ij,jk->", a[0], a[0])
    with pytest.raises(TypeError, match="einsum_path"):
        tb.einsum_path("ij", h[0])
    same(tb.einsum("ij,jk,kl->il", *a, optimize=want[0]), np.full((3, 2), 200.0))
