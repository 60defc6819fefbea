"""Results of more bytes than can be counted are a ValueError at the call, those of more than there are an
OutOfMemoryError: never an array with less memory behind it than its shape says."""

import numpy as np
import pytest

import tombac as tb

# Views of one element, as large as they can be.
BYTES, DOUBLES = 2**61, 2**58


def wide(n=DOUBLES, dtype="f8"):
    return tb.broadcast_to(tb.zeros(1, dtype), (n,))


def plane(n=2**29, dtype="f8"):
    return tb.broadcast_to(tb.zeros((1, 1), dtype), (n, n))


TOO_BIG = {
    "broadcast_to": lambda: tb.broadcast_to(tb.zeros(1), (2**61,)),
    "broadcast_to of bytes": lambda: tb.broadcast_to(tb.zeros(1, "i1"), (2**62, 4)),
    "broadcast_arrays": lambda: tb.broadcast_arrays(wide(BYTES, "i1")[:, None], wide(BYTES, "i1")),
    "as_strided": lambda: tb.lib.stride_tricks.as_strided(tb.zeros(1), (2**61,), (0,)),
    "ufunc": lambda: wide()[:, None] + wide(),
    "wider result": lambda: wide(BYTES, "i1") + 1.5,
    "wider operand": lambda: wide(BYTES, "i1") + tb.zeros(1, "c16"),
    "comparison": lambda: wide(BYTES, "i1")[:, None] < wide(BYTES, "i1"),
    "two results": lambda: tb.divmod(wide(BYTES, "i1"), 1.5),
    "astype": lambda: wide(BYTES, "i1").astype("f8"),
    "where": lambda: tb.where(wide(BYTES, "?"), 1.5, 2.5),
    "full": lambda: tb.full((2**61,), 1.0),
    "zeros": lambda: tb.zeros((2**40, 2**40)),
    "zeros, empty": lambda: tb.zeros((0, 2**62)),
    "empty": lambda: tb.empty((2**61,)),
    "ones_like": lambda: tb.ones_like(wide(BYTES, "i1"), dtype="f8"),
    "arange": lambda: tb.arange(2**61),
    "linspace": lambda: tb.linspace(0, 1, 2**61),
    "eye": lambda: tb.eye(2**32),
    "tri": lambda: tb.tri(2**32),
    "outer": lambda: tb.outer(wide(2**40), wide(2**40)),
    "multiply.outer": lambda: tb.multiply.outer(wide(2**40), wide(2**40)),
    "take": lambda: wide(2**40).take(tb.broadcast_to(tb.zeros(1, "i8"), (2**40, 2**20))),
    "take, axis": lambda: plane(2**28).take(wide(2**40, "i8"), axis=0),
    "index": lambda: plane(2**28)[wide(2**40, "i8")],
    "reduction, keepdims": lambda: wide(BYTES, "i1").reshape(1, -1).sum(0, keepdims=True),
    "sum": lambda: wide(BYTES, "i1").reshape(1, -1).sum(0),
    "mean": lambda: wide(BYTES, "i1").reshape(1, -1).mean(0),
    "cumsum": lambda: wide(BYTES, "i1").cumsum(),
    "repeat": lambda: tb.zeros(4).repeat(2**62),
    "tile": lambda: tb.tile(tb.zeros(4), 2**62),
    "tile, axes": lambda: tb.tile(tb.zeros(4), (2**40, 2**40)),
    "concatenate": lambda: tb.concatenate([wide()] * 9),
    "stack": lambda: tb.stack([wide()] * 9),
    "hstack": lambda: tb.hstack([wide()] * 9),
    "append": lambda: tb.append(wide(2**59), wide(2**59)),
    "meshgrid": lambda: tb.meshgrid(wide(2**40), wide(2**40)),
    "random": lambda: tb.random.random(2**61),
    "random shape": lambda: tb.random.random((2**40, 2**40)),
    "normal": lambda: tb.random.normal(size=(2**40, 2**40)),
    "randint": lambda: tb.random.randint(0, 5, size=(2**40, 2**40)),
    "generator": lambda: tb.random.default_rng().random((2**40, 2**40)),
    "matmul": lambda: wide(2**40)[:, None] @ wide(2**40)[None],
    "dot": lambda: wide(2**40)[:, None].dot(wide(2**40)[None]),
    "kron": lambda: tb.kron(wide(2**40), wide(2**40)),
    "einsum": lambda: tb.einsum("i,j->ij", wide(2**40), wide(2**40)),
    "tensordot": lambda: tb.tensordot(wide(2**40), wide(2**40), 0),
    "resize": lambda: tb.resize(tb.zeros(4), (2**40, 2**40)),
    "reshape, empty": lambda: tb.zeros(0).reshape(0, 2**62),
    "diag": lambda: tb.diag(wide(2**33)),
    "ndarray": lambda: tb.ndarray((2**61,)),
    "sliding_window_view": lambda: tb.lib.stride_tricks.sliding_window_view(wide(2**59), 2**30),
    "ElementwiseKernel": lambda: tb.ElementwiseKernel("T x", "float64 y", "y = x", "k")(wide(BYTES, "i1")),
}

TOO_MUCH = {
    "ufunc": lambda: wide() + 1,
    "copy": lambda: wide().copy(),
    "copy, F": lambda: plane().copy("F"),
    "astype": lambda: wide(2**58, "i1").astype("f8"),
    "where": lambda: tb.where(wide(2**58, "?"), 1.5, 2.5),
    "flatten": lambda: wide().flatten(),
    "ravel": lambda: plane().ravel(),
    "take": lambda: tb.zeros(3).take(wide(2**58, "i8")),
    "index": lambda: tb.zeros(3)[wide(2**58, "i8")],
    "outer": lambda: tb.outer(wide(2**29), wide(2**29)),
    "zeros": lambda: tb.zeros(2**58),
    "arange": lambda: tb.arange(2**58),
    "concatenate": lambda: tb.concatenate([wide(2**57)] * 2),
    "random": lambda: tb.random.random(2**58),
    "cumsum": lambda: wide().cumsum(),
    "sum": lambda: wide(2**58, "i1").reshape(1, -1).sum(0),
    "ascontiguousarray": lambda: tb.ascontiguousarray(wide()),
}


@pytest.fixture(params=[True, "all"], autouse=True)
def fusion(request):
    with tb.config.fusion(request.param):
        yield


@pytest.mark.parametrize("name", TOO_BIG)
def test_more_bytes_than_can_be_counted(name):
    other = tb.arange(5) + 1
    with pytest.raises(ValueError, match="(?i)too big|too large|maximum allowed"):
        TOO_BIG[name]()
    assert other.get().tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("name", TOO_MUCH)
def test_more_bytes_than_there_are(name):
    other = tb.arange(5) + 1
    with pytest.raises(MemoryError):
        TOO_MUCH[name]().sum()
    assert other.get().tolist() == [1, 2, 3, 4, 5]


def test_large_views_themselves_work():
    x = wide()
    assert x.shape == (DOUBLES,) and x.nbytes == 8 * DOUBLES and float(x[-1]) == 0
    assert (x[: 2**20] + 1).sum() == 2**20
    np.testing.assert_array_equal(x[5:7].get(), [0, 0])
