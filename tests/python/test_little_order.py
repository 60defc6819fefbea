"""Positions of short rows by every way that the host finds them, against NumPy: bytes that are counted, runs of equal
keys, the least and the greatest of a few elements; and values that go where a mask is true."""

import numpy as np
import pytest
from strategies import same

import tombac as tb
from tombac import config

CODES = "?bBhHiIqQefdFD"


def numbers(code, shape, values, seed=0):
    """So many different ones, NaN among those of floats."""
    host = np.random.default_rng(seed).integers(-values // 2, values // 2 + 1, shape).astype(code)
    if code in "efdFD":
        host[np.random.default_rng(seed + 1).random(shape) < 0.1] = np.nan
    return host


@pytest.mark.parametrize("n", [3, 63, 64, 100, 1024, 4096, 5000, 40_000])
@pytest.mark.parametrize("code", "?bB")
def test_positions_of_bytes(code, n):
    for values in (1, 2, 10, 250):
        h = numbers(code, n, values)
        for x in (h, np.sort(h), h[::-1], np.full_like(h, 1)):
            same(tb.argsort(tb.array(x)), np.argsort(x, kind="stable"))
            k = n // 3
            found = x[tb.argpartition(tb.array(x), k).get()]
            assert found[k] == np.sort(x)[k] and (found[:k] <= found[k]).all() and (found[k:] >= found[k]).all()
    rows = numbers(code, (7, n), 99)
    same(tb.argsort(tb.array(rows), axis=1), np.argsort(rows, axis=1, kind="stable"))


@pytest.mark.parametrize("code", "qdQ")
def test_runs_that_are_equal(code):
    """Of as many bits as have room beside positions, and of others that differ below these."""
    rng = np.random.default_rng(4)
    few = rng.integers(0, 10, 1000)
    for h in (few, few * 2**40, few * 2**59 + rng.integers(0, 2, 1000), (few // 5) * 2**59 + rng.integers(0, 9, 1000)):
        x = h.astype("i8").view("d") if code == "d" else h.astype(code)
        same(tb.argsort(tb.array(x)), np.argsort(x, kind="stable"))
        same(tb.argsort(tb.array(-x)), np.argsort(-x, kind="stable"))


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("n", [1, 2, 3, 16, 20, 21, 64])
def test_the_least_of_short_lines(code, n):
    for values in (1, 3, 100):
        x = numbers(code, (50, n), values)
        if code in "FD":
            x = np.nan_to_num(x) + 1j * numbers(code.lower(), (50, n), values, 2).astype(code)
        for name in ("argmin", "argmax"):
            if code in "FD":
                x = np.nan_to_num(x)  # where several elements are NaN, NumPy has an order for them
            same(getattr(tb, name)(tb.array(x), axis=1), getattr(np, name)(x, axis=1))
    if code in "FD" and n > 2:
        x = np.zeros((4, n), code)
        x[0, 1] = complex(np.nan, 1)
        x[1, 2] = complex(1, np.nan)
        x[2, 0] = complex(5, np.nan)
        for name in ("argmin", "argmax"):
            same(getattr(tb, name)(tb.array(x), axis=1), getattr(np, name)(x, axis=1))


@pytest.mark.parametrize("size", [1, 63, 64, 65, 1024, 150_000])
@pytest.mark.parametrize("code", CODES)
def test_place(code, size):
    rng = np.random.default_rng(size)
    for share in (0, 0.5, 1):
        mask = rng.random(size) < share
        for given in (1, 3, 64, 100, size + 5):
            h, values = numbers(code, size, 99), numbers(code, given, 99, 7)
            x = tb.array(h)
            tb.place(x, tb.array(mask), tb.array(values))
            np.place(h, mask, values)
            same(x, h)
        if share:
            values = numbers(code, mask.sum(), 99, 9)
            h[mask] = values
            x[tb.array(mask)] = tb.array(values)
            same(x, h)


def test_place_in_any_layout():
    h, mask = np.arange(24.0).reshape(4, 6), np.arange(24).reshape(4, 6) % 3 == 0
    for layout in (lambda a: a, lambda a: a.T, lambda a: a[::2], lambda a: a[:, ::-1], lambda a: a.ravel()):
        for pick in (lambda a: a, lambda a: a[:2] * 2, lambda a: a[::-1]):
            x, y = tb.array(h) + 0, h.copy()
            tb.place(layout(x), layout(tb.array(mask)), pick(x).ravel())
            np.place(layout(y) if layout(y).base is not None else y, layout(mask), pick(y).ravel().copy())
            same(x, y)
    truth = tb.array(mask)
    tb.place(truth, truth, tb.array([True, False]))  # the array is its own mask
    want = mask.copy()
    np.place(want, want.copy(), [True, False])
    same(truth, want)
    with pytest.raises(ValueError, match="must not be empty"):
        tb.place(tb.zeros(3), tb.ones(3, bool), tb.zeros(0))
    tb.place(tb.zeros(3), tb.zeros(3, bool), tb.zeros(0))
    with pytest.raises(ValueError, match="cannot assign"):
        tb.zeros(3)[tb.array([True, False, True])] = tb.zeros(3)
    host = np.zeros(3)
    host.flags.writeable = False
    if config.backend() == "cpu":
        with pytest.raises(ValueError, match="read-only"):
            tb.place(tb.from_dlpack(host), tb.ones(3, bool), tb.ones(1))


@pytest.mark.parametrize("code", CODES)
def test_vectors_that_are_taken_by_steps(code):
    h = numbers(code, 4096, 50)
    x = tb.array(h)
    for part in (slice(None, None, 2), slice(None, None, -1), slice(1, 2000, 3), slice(5, 6), slice(0, 4096, 1000)):
        a, b = x[part], h[part]
        same(a + a, b + b)
        same(a + x[: b.size], b + h[: b.size])
        same(tb.multiply(a, 3), np.multiply(b, 3))
        same(tb.where(a == a, a, x[: b.size]), np.where(b == b, b, h[: b.size]))
        y, g = x.copy(), h.copy()
        y[part] += x[part][::-1]
        g[part] += h[part][::-1]
        same(y, g)
