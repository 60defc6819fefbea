"""Keys with index arrays on a few stored elements, which the host moves at the call: NumPy's elements for every dtype,
layout, form of key and dtype of indices, without an expression."""

import numpy as np
import pytest
from strategies import same

import tombac as tb
from tombac import config

DTYPES = "?bBhHiIqQefdFD"
INDEX_DTYPES = "bBhHiIqQ"


def cube(code, layout):
    """A host array of shape (6, 5, 4), not contiguous unless the layout says so."""
    x = (np.arange(240).reshape(12, 5, 4) % (2 if code == "?" else 113)).astype(code)
    return {"C": x[:6], "F": np.asfortranarray(x[:6]), "steps": x[::2], "back": x[5::-1, ::-1],
            "wide": np.broadcast_to(x[0], (6, 5, 4))}[layout]


def device(x, layout):
    made = tb.array(x)
    return {"F": lambda: tb.asfortranarray(made), "back": lambda: tb.array(x[::-1, ::-1])[::-1, ::-1],
            "wide": lambda: tb.broadcast_to(tb.array(x[0]), x.shape)}.get(layout, lambda: made)()


def keys(code):
    """Keys of index arrays; negative ones where the dtype has them."""
    i = np.array([0, 3, 1, 5, 3, 2], code)
    j = np.array([4, 1, 0, 0, 2, 1], code)
    j = -j if np.dtype(code).kind == "i" else j
    k = np.array([[3], [0], [2]], code)
    return [(i,), (i, j), (i, j, j % 4), (i, slice(None), j % 4), (slice(1, 5), j), (slice(None), slice(None), k),
            (k, j), (i, i[1]), (i[1], j), (i, 2), (2, slice(None), k), (k, None, j), (i[::2], j[::-2]),
            (Ellipsis, i % 4), (i.reshape(2, 3), k[:2]), (i[:1], j[:1], k[:1, 0]), (k, k, k)]


def on_device(key):
    items = tuple(tb.array(x) if isinstance(x, np.ndarray | np.generic) else x for x in key)
    for x in items:
        if isinstance(x, tb.ndarray):
            x.data  # noqa: B018 - nothing of the key is pending
    return items


def at_once(f):
    """f(), which makes no expression where the device is the host."""
    before = config.counters()["nodes"]
    result = f()
    assert config.backend() != "cpu" or config.counters()["nodes"] == before
    return result


@pytest.mark.parametrize("layout", ["C", "F", "steps", "back", "wide"])
@pytest.mark.parametrize("code", DTYPES)
def test_get(code, layout):
    x = cube(code, layout)
    y = device(x, layout)
    with config.fusion(True):
        for key in keys("q"):
            mine = on_device(key)
            same(at_once(lambda key=mine: y[key]), x[key])


@pytest.mark.parametrize("index", INDEX_DTYPES)
def test_get_by_any_integers(index):
    x = cube("d", "C")
    y = tb.array(x)
    with config.fusion(True):
        for key in keys(index):
            mine = on_device(key)
            same(at_once(lambda key=mine: y[key]), x[key])


@pytest.mark.parametrize("index", "bBq")
@pytest.mark.parametrize("code", DTYPES)
def test_set(code, index):
    x = cube(code, "C").copy()
    y = tb.array(x)
    with config.fusion(True):
        for n, key in enumerate(keys(index)):
            shape = x[key].shape
            every = (np.arange(np.prod(shape)).reshape(shape) % 2).astype(code)
            mine = on_device(key)
            for value in (n % 2, every, every[..., :1], every[-1:], every[(0,) * len(shape)]):
                x[key] = value
                value = tb.array(value) if isinstance(value, np.ndarray | np.generic) else value
                at_once(lambda key=mine, value=value: y.__setitem__(key, value))
                if config.backend() != "cpu":
                    y = tb.array(x)  # of several values for an element any may stay there
                same(y, x)


@pytest.mark.parametrize("code", DTYPES)
def test_indices_wrap_around(code):
    x = cube(code, "C")
    i, j = np.array([7, -8, 100, -1]), np.array([5, -6, 0, 12])
    same(tb.array(x)[tb.array(i), tb.array(j)], x[i % 6, j % 5])
    flat = x.reshape(-1)
    same(tb.array(flat)[tb.array(i * 1000)], flat[i * 1000 % 120])
    y = tb.array(x)
    y[tb.array(i), tb.array(j)] = 1
    x = x.copy()
    x[i % 6, j % 5] = 1
    same(y, x)


def test_values_that_are_written_over():
    x, i, j = np.arange(20.0).reshape(4, 5), np.array([0, 1, 2, 3]), np.array([4, 3, 0, 0])
    y, p, q = tb.array(x), tb.array(i), tb.array(j)
    x[i, j] = x[j[:4] % 4, i]
    y[p, q] = y[q % 4, p]
    same(y, x)
    x[:, i] = x[:, i[::-1]].copy()
    y[:, p] = y[:, p[::-1]]
    same(y, x)
    n = np.array([[3, 1, 0], [1, 2, 2]])
    m = tb.array(n)
    n[n[0] % 2, n[0] % 3] = n[1]
    if config.backend() == "cpu":
        m[m[0] % 2, m[0] % 3] = m[1]
        same(m, n)
    k = tb.array([2, 0, 1])
    k[k] = tb.array([5, 6, 7])
    same(k, np.array([6, 7, 5]))


def test_what_does_not_fit():
    y, i = tb.zeros((4, 5)), tb.array([0, 1, 2])
    with pytest.raises(ValueError, match="shape mismatch"):
        y[i, i] = tb.zeros(4)
    with pytest.raises(IndexError, match="shape mismatch"):
        y[i, tb.array([1, 2])]
    with pytest.raises(IndexError, match="too many indices"):
        y[i, i, i]
    with pytest.raises(OverflowError):
        tb.zeros(5, "uint8")[i] = 300
    assert not y.any()


@pytest.mark.parametrize("code", "?BqfD")
def test_numbers_along_an_axis_and_a_diagonal(code):
    for value in (True, 1, 300, -1, 2.5, float("nan")):
        for write in (lambda xp, a, value: xp.put_along_axis(a, xp.array([[1], [0]]), value, 1),
                      lambda xp, a, value: xp.fill_diagonal(a, value)):
            ours, theirs = tb.zeros((2, 3), code), np.zeros((2, 3), code)
            try:
                write(np, theirs, value)
            except (OverflowError, ValueError) as error:
                with pytest.raises(type(error)):
                    write(tb, ours, value)
            else:
                write(tb, ours, value)
                same(ours, theirs)
    with pytest.raises(IndexError, match="along axis 0"):
        tb.take_along_axis(tb.zeros((4, 3)), tb.zeros((3, 1), int), 1)
