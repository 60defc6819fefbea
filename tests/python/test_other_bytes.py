"""Views of bytes as bool: whatever is not 0 is true, in every operation, as in NumPy."""

import numpy as np
import pytest

import tombac

FUNCTIONS = {
    "sum": lambda m, x: x.sum(), "sum of columns": lambda m, x: x.sum(0), "sum of rows": lambda m, x: x.sum(1),
    "cumsum": lambda m, x: x.cumsum(), "prod": lambda m, x: x.prod(), "cumprod": lambda m, x: x.cumprod(),
    "mean": lambda m, x: x.mean(), "var": lambda m, x: x.var(0), "trace": lambda m, x: m.trace(x),
    "count_nonzero": lambda m, x: m.count_nonzero(x), "count in rows": lambda m, x: m.count_nonzero(x, axis=1),
    "max": lambda m, x: x.max(0).astype("i4"), "min": lambda m, x: x.min(1).astype("i4"),
    "any": lambda m, x: x.any(1), "all": lambda m, x: x.all(0),
    "argmax": lambda m, x: x.argmax(), "argmin in rows": lambda m, x: x.argmin(1),
    "accumulate": lambda m, x: m.maximum.accumulate(x, axis=0).astype("i4"),
    "to int": lambda m, x: x.astype("i4"), "to float": lambda m, x: x.astype("d"),
    "to complex": lambda m, x: x.astype("F"),
    "and": lambda m, x: x & x[::-1], "or": lambda m, x: x | x[::-1], "xor": lambda m, x: x ^ x[::-1],
    "invert": lambda m, x: ~x, "not": lambda m, x: m.logical_not(x), "equal": lambda m, x: x == x[::-1],
    "less": lambda m, x: x < x[::-1], "times": lambda m, x: x * x[::-1], "plus 1": lambda m, x: x + 1,
    "maximum": lambda m, x: m.maximum(x, x[::-1]).astype("i4"),
    "where": lambda m, x: m.where(x, 1, 2), "nonzero": lambda m, x: m.nonzero(x)[1],
    "mask": lambda m, x: m.arange(x.size).reshape(x.shape)[x], "where=": lambda m, x: m.sum(m.ones(x.shape), where=x),
    "extract": lambda m, x: m.extract(x, m.arange(x.size).reshape(x.shape)),
    "select": lambda m, x: m.select([x], [m.asarray(3)], 0), "packbits": lambda m, x: m.packbits(x),
    "packbits of rows": lambda m, x: m.packbits(x, axis=1, bitorder="little"),
    "sort": lambda m, x: m.sort(x, axis=1).astype("i4"), "unique": lambda m, x: m.unique(x),
    "matmul": lambda m, x: x @ x.T, "dot": lambda m, x: m.dot(x.ravel(), x.ravel()), "vdot": lambda m, x: m.vdot(x, x),
    "einsum": lambda m, x: m.einsum("ij,ij->i", x, x),
    "take": lambda m, x: m.take(x, m.asarray([1, 0]), 0).astype("i4"),
    "tril": lambda m, x: m.tril(x).astype("i4"), "concatenate": lambda m, x: m.concatenate([x, x]).sum(0),
    "diff": lambda m, x: m.diff(x, axis=0), "isin": lambda m, x: m.isin(x, m.asarray([True])),
    "bincount": lambda m, x: m.bincount(m.zeros(x.size, "i8"), x.ravel()), "median": lambda m, x: m.median(x),
}


def _put(m, x):
    a = m.zeros(x.shape, "f4")
    a[x] = 5
    a[:, ::-1] += x
    return a


FUNCTIONS["put"] = _put


@pytest.mark.parametrize("layout", ["whole", "turned", "steps"])
@pytest.mark.parametrize("shape", [(2, 7), (7, 7), (70, 130)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_not_0_is_true(name, shape, layout):
    rng = np.random.default_rng(len(name))
    bytes_ = rng.integers(0, 256, shape).astype("u1") * (rng.random(shape) < 0.6).astype("u1")

    def of(m):
        x = m.asarray(bytes_).view(bool)
        return FUNCTIONS[name](m, {"whole": x, "turned": x.T, "steps": x[:, ::2]}[layout])

    want = np.asarray(of(np))
    got = of(tombac).get()
    assert got.dtype == want.dtype
    if want.dtype == bool:
        want, got = want.view("u1") != 0, got.view("u1") != 0
    np.testing.assert_allclose(got, want, rtol=1e-6)
