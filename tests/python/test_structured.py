"""Pruning two of each four elements, and products of what is left: NumPy's dense ones of the same numbers."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import layouts, same, values

import tombac as tb
from tombac import _core
from tombacx.linalg.sparse import SemiStructured, matmul_2to4, prune_2to4

CODES = "befd"


def pruned(a):
    """The definition, four elements at a time."""
    out = np.zeros_like(a)
    for at in np.ndindex(*a.shape[:-1], a.shape[-1] // 4):
        where = (*at[:-1], slice(4 * at[-1], 4 * at[-1] + 4))
        four = [float(v) for v in a[where]]
        size = [(not np.isnan(v), -abs(v)) for v in four]
        kept = sorted(sorted(range(4), key=lambda i: (*size[i], i))[:2])
        for i in kept:
            out[where][i] = a[where][i]
    return out


@st.composite
def groups(draw, max_dims=3, codes=CODES):
    """(NumPy array, tombac array) whose last axis has groups of four, in any layout."""
    dtype = np.dtype(draw(st.sampled_from(codes)))
    ndim = draw(st.integers(1, max_dims))
    layout = draw(layouts(ndim))
    shape = [draw(st.integers(0, 8)) for _ in range(ndim)]
    host = values(dtype, shape, draw(st.integers(0, 2**32 - 1)))
    device = tb.array(host)
    if dtype.kind == "f" and draw(st.booleans()):
        host = host.astype(dtype)
        host[..., ::3] = draw(st.sampled_from([np.nan, np.inf, -np.inf, -0.0, np.finfo(dtype).max]))
        device = tb.array(host)
    host, device = layout(host), layout(device)
    n = host.shape[-1] // 4 * 4
    return host[..., :n], device[..., :n]


@given(groups())
def test_prune(pair):
    host, device = pair
    same(prune_2to4(device), pruned(host))


def test_prune_goes_by_magnitude():
    a = np.array([[-128, 127, 127, 1], [-128, -127, 127, 0], [3, 3, 3, 3], [0, 0, 0, -1]], "b")
    want = np.array([[-128, 127, 0, 0], [-128, -127, 0, 0], [3, 3, 0, 0], [0, 0, 0, -1]], "b")
    assert (pruned(a) == want).all()
    same(prune_2to4(tb.array(a)), want)
    nan = np.array([np.inf, np.nan, 1e30, np.nan, 1, -np.inf, -np.nan, 2], "f")
    same(prune_2to4(tb.array(nan)), np.array([0, np.nan, 0, np.nan, 0, -np.inf, np.nan, 0], "f"))


def test_prune_is_few_kernels(fused):
    a = tb.array(values(np.dtype("f"), (64, 64), 1))
    a.sum().item()
    before = tb.config.counters()["launches"]
    prune_2to4(a).data.ptr  # noqa: B018
    assert tb.config.counters()["launches"] <= before + 4  # of some fifty operations


@given(groups(max_dims=2), st.sampled_from("befdi"), st.integers(0, 5), st.integers(0, 2**32 - 1), st.data())
def test_product(pair, code, width, seed, data):
    host, device = pair
    if host.ndim == 1:
        host, device = host[None], device[None]
    if not np.isfinite(host.astype("d")).all() or (abs(host.astype("d")) > 9).any():
        host, device = np.nan_to_num(host, nan=2, posinf=3, neginf=-3), tb.array(device)
        host = np.clip(host, -9, 9).astype(host.dtype)
        device = tb.array(host)
    k = host.shape[1]
    shape = data.draw(st.sampled_from([(k,), (k, width), (2, k, width)]))
    x = values(np.dtype(code), shape, seed)
    want = pruned(host)
    s = SemiStructured(device)
    assert s.shape == host.shape and s.dtype == host.dtype and s.ndim == 2
    same(s.todense(), want)
    same(s @ tb.array(x), np.matmul(want, x))
    same(matmul_2to4(device, tb.array(x)), np.matmul(want, x))


@given(groups(max_dims=2))
def test_parts(pair):
    host, device = pair
    if host.ndim == 1:
        host, device = host[None], device[None]
    s, want = SemiStructured(device), pruned(host)
    m, k = host.shape
    assert s.values.shape == s.indices.shape == (m, k // 2) and s.values.dtype == host.dtype
    assert s.nbytes == s.values.nbytes + m * k // 2
    index, kept = s.indices.get().reshape(m, k // 4, 2), s.values.get().reshape(m, k // 4, 2)
    assert index.dtype == np.uint8 and (index[..., 0] < index[..., 1]).all() and (index < 4).all()
    np.testing.assert_array_equal(np.take_along_axis(want.reshape(m, k // 4, 4), index.astype("l"), -1), kept)


def test_from_the_right():
    host, x = values(np.dtype("f"), (6, 8), 3), values(np.dtype("f"), (5, 6), 4)
    s = SemiStructured(tb.array(host))
    same(tb.array(x) @ s, x @ pruned(host))
    same(s.toarray(), pruned(host))
    assert repr(s) == "<SemiStructured float32 matrix of shape (6, 8)>"


def test_integers_are_summed_in_the_dtype_that_is_asked_for():
    a, x = np.full((4, 8), 100, "b"), np.full((8, 3), 50, "b")
    s = SemiStructured(tb.array(a))
    same(s @ tb.array(x), pruned(a) @ x)
    same(s.matmul(tb.array(x), "i4"), pruned(a).astype("i4") @ x.astype("i4"))
    assert s.matmul(tb.array(x), "i4")[0, 0].item() == 4 * 100 * 50


def test_later_writes_change_nothing():
    host = values(np.dtype("f"), (4, 8), 5)
    a = tb.array(host)
    s, p = SemiStructured(a), prune_2to4(a)
    a[...] = 0
    same(s.todense(), pruned(host))
    same(p, pruned(host))


def test_pickle():
    host = values(np.dtype("e"), (16, 32), 6)
    s = SemiStructured(tb.array(host))
    s @ tb.ones((32, 8), "e")
    same(pickle.loads(pickle.dumps(s)).todense(), pruned(host))


@pytest.mark.parametrize("call, error, match", [
    (lambda: prune_2to4(tb.ones((4, 6))), ValueError, r"prune_2to4: .*multiple of 4.*\(4, 6\)"),
    (lambda: prune_2to4(tb.array(1.0)), ValueError, "prune_2to4"),
    (lambda: prune_2to4(tb.ones(4, "D")), TypeError, "prune_2to4: .*complex128"),
    (lambda: prune_2to4(tb.ones(4, "?")), TypeError, "prune_2to4: .*bool"),
    (lambda: prune_2to4(np.ones(4)), TypeError, "prune_2to4: a tombac.ndarray is expected"),
    (lambda: SemiStructured(tb.ones(8)), ValueError, r"SemiStructured: a matrix.*\(8,\)"),
    (lambda: SemiStructured(tb.ones((8, 7))), ValueError, r"SemiStructured: .*\(8, 7\)"),
    (lambda: SemiStructured([[1.0] * 4]), TypeError, "SemiStructured: .*list"),
    (lambda: SemiStructured(tb.ones((4, 8))) @ tb.ones((4, 8)), ValueError, "matmul"),
    (lambda: SemiStructured(tb.ones((16, 32), "e")) @ tb.ones((16, 8), "e"), ValueError, "matmul"),
    (lambda: SemiStructured(tb.ones((4, 8))).matmul(np.ones((8, 4))), TypeError, "SemiStructured.matmul"),
    (lambda: SemiStructured(tb.ones((4, 8))) @ [1.0] * 8, TypeError, "unsupported operand"),
    (lambda: matmul_2to4(tb.ones((4, 8)), np.ones(8)), TypeError, "matmul_2to4"),
    (lambda: matmul_2to4(tb.ones((4, 8)), tb.array(2.0)), ValueError, "matmul"),
], ids=range(14))
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        call()


# ---- where cuSPARSELt is


@pytest.fixture
def library():
    if tb.config.backend() == "cpu":
        pytest.skip("cuSPARSELt computes on GPUs; this is the CPU backend")
    if int(tb.cuda.Device().compute_capability) < 80:
        pytest.skip("cuSPARSELt needs compute capability 8.0")
    try:
        _core.library_handle("cusparselt")
    except ImportError as e:
        pytest.skip(str(e).split(":")[0])


LAYOUTS = {
    "rows": lambda x: x, "columns": lambda x: x.T.copy().T, "strided": lambda x: x.repeat(2, 1)[:, ::2],
    "backwards": lambda x: x[::-1].copy()[::-1],
    "not_aligned": lambda x: (xp := tb if isinstance(x, tb.ndarray) else np).concatenate(
        [xp.zeros(1, x.dtype), x.ravel()])[1:].reshape(x.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("code", ["e", "b", "i"])
def test_product_by_the_library(library, code, layout):
    dtype, kind = np.dtype("b" if code == "i" else code), np.dtype(code)
    host, x = values(dtype, (64, 96), 8), values(dtype, (96, 48), 9)
    s = SemiStructured(tb.array(host))
    assert _core._sparse_structured_suits(dtype, 64, 96, 48)
    before = tb.config.counters()["launches"]
    got = s.matmul(LAYOUTS[layout](tb.array(x)), kind)
    same(got, pruned(host).astype(kind) @ x.astype(kind))
    assert s._compressed is not None and s._dense is None and tb.config.counters()["launches"] > before
    again = s.matmul(tb.array(2 * x), kind)
    same(again, pruned(host).astype(kind) @ (2 * x).astype(kind))


def test_what_the_library_does_not_do_is_done_densely(library):
    suits = _core._sparse_structured_suits
    assert suits("e", 16, 32, 8) and suits("b", 32, 32, 16)
    for refused in (("f", 64, 64, 64), ("d", 64, 64, 64), ("e", 8, 32, 8), ("e", 16, 24, 8), ("e", 16, 32, 4),
                    ("b", 16, 32, 16), ("b", 32, 32, 8), ("e", 0, 32, 8), ("e", 16, 32, -8)):
        assert not suits(*refused), refused
    for code, m, k, n in (("e", 8, 32, 8), ("e", 16, 32, 4), ("b", 32, 32, 8), ("f", 64, 64, 64)):
        host, x = values(np.dtype(code), (m, k), 1), values(np.dtype(code), (k, n), 2)
        s = SemiStructured(tb.array(host))
        same(s @ tb.array(x), pruned(host) @ x)
        assert s._compressed is None


def test_pending_operands(library):
    host, x = values(np.dtype("e"), (16, 32), 3), values(np.dtype("e"), (32, 8), 4)
    s = SemiStructured(tb.array(host) * 1)
    y = (s @ (tb.array(x) + 1)) * 2
    same(y, pruned(host) @ (x + 1) * 2)
    same(s @ tb.zeros((32, 0), "e"), np.zeros((16, 0), "e"))


def test_compressed_matrices_of_other_shapes_are_refused(library):
    compressed = _core._sparse_structured_compress(tb.zeros((16, 32), "e"))
    with pytest.raises(ValueError, match=r"tb_structured_matmul: a matrix \(32, 32\) of float16 is a vector of"):
        _core._sparse_structured_matmul(compressed, 32, tb.zeros((32, 8), "e"))
    with pytest.raises(NotImplementedError, match=r"multiples of 16.*\(8, 32\)"):
        _core._sparse_structured_compress(tb.zeros((8, 32), "e"))
    with pytest.raises(NotImplementedError, match="float64"):
        _core._sparse_structured_compress(tb.zeros((16, 32)))
