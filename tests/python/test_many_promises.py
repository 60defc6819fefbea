"""Expressions over more live promises than a kernel has room for, as promises and after they have been stored."""

import functools
import operator

import numpy as np
import pytest

import tombac as tb

pytestmark = pytest.mark.usefixtures("deferral")

KINDS = {  # of the i-th of n operands
    "constants": (lambda a, i: tb.full(a.shape, float(i)), lambda a, i: np.full(a.shape, float(i))),
    "of one array": (lambda a, i: a + i, lambda a, i: a + i),
    "alternating": (lambda a, i: a * i if i % 2 else tb.zeros(a.shape), lambda a, i: a * (i if i % 2 else 0)),
}


def from_the_left(x, begin):
    return functools.reduce(operator.add, x, begin)


def from_the_right(x, begin):
    return functools.reduce(lambda s, y: y - s, reversed(x), begin)


def chosen(x, begin):
    where = tb.where if isinstance(begin, tb.ndarray) else np.where
    return functools.reduce(lambda s, i: where(begin > i, s, x[i]), range(len(x)), begin)


def in_pairs(x, begin):
    x = [begin, *x]
    while len(x) > 1:
        x = [a + b for a, b in zip(x[::2], x[1::2])] + x[len(x) // 2 * 2:]
    return x[0]


@pytest.mark.parametrize("read", ["none", "some", "all"])
@pytest.mark.parametrize("program", [from_the_left, from_the_right, chosen, in_pairs])
@pytest.mark.parametrize("kind", KINDS)
def test_expressions_of_many_promises(kind, program, read):
    of, host_of = KINDS[kind]
    for n in 8, 9, 24, 33, 47, 49, 97:
        for shape in (5,), (3, 1000):
            a = np.arange(float(np.prod(shape))).reshape(shape)
            d = tb.asarray(a)
            x, host = [of(d, i) for i in range(n)], [host_of(a, i) for i in range(n)]
            s = program(x, d)
            for y in {"none": [], "some": x[::2], "all": x}[read]:
                y.get()
            want = program(host, a)
            np.testing.assert_allclose(s.sum().get(), want.sum(), 1e-12)
            np.testing.assert_array_equal(s.get(), want)
            for y, w in zip(x, host):
                np.testing.assert_array_equal(y.get(), w)


@pytest.mark.parametrize("read", [False, True])
def test_writes_of_many_promises(read):
    n = 60
    x = [tb.full(3000, float(i)) for i in range(n)]
    y, z = tb.arange(3000.0), tb.zeros((2, 3000))
    y.data, z.data  # noqa: B018 - both are in memory
    for i in range(n):
        y += x[i]
    z[:] = sum(x)
    joined = tb.stack([sum(x), 2 * sum(reversed(x)), x[3]])
    if read:
        for a in x:
            a.get()
    total = n * (n - 1) / 2
    np.testing.assert_array_equal(y.get(), np.arange(3000.0) + total)
    np.testing.assert_array_equal(z.get(), np.full((2, 3000), total))
    np.testing.assert_array_equal(joined.get(), np.array([[total], [2 * total], [3]]) + np.zeros(3000))


@pytest.mark.parametrize("n", [9, 33, 60, 97])
@pytest.mark.parametrize("room", [0, 1, 2, 5, 20])
def test_memory_that_runs_out_among_many_promises(own_pool, n, room):
    """Reads that fail, and leave what was promised; a call that is refused; a view written through."""
    pool, a = own_pool, np.arange(20000.0)
    d, other = tb.asarray(a), tb.ones(7)
    used = pool.used_bytes()  # before anything is pending, for it has that computed
    pool.free_all_blocks()
    x = [tb.full(a.shape, float(i)) if i % 3 else d + i for i in range(n)]
    host = [np.full(a.shape, float(i)) if i % 3 else a + i for i in range(n)]
    s, want, failures, held = from_the_left(x, d), from_the_left(host, a), 0, []
    pool.set_limit(size=used + room * a.nbytes)
    try:
        for i in range(n):
            held.append(s * 2 + x[i])
            for y, w in (x[i], host[i]), (held[i], want * 2 + host[i]), (s, want):
                try:
                    np.testing.assert_array_equal(tb.asnumpy(y), w)
                except tb.cuda.memory.OutOfMemoryError:
                    failures += 1
        with pytest.raises(ValueError):
            s + other
    except tb.cuda.memory.OutOfMemoryError:
        failures += 1  # by an operation, which needed a part computed
    finally:
        pool.set_limit(size=0)
    assert failures or room == 20
    x[0][1::2] += 1  # s is of what was there before
    changed = host[0].copy()
    changed[1::2] += 1
    for y, w in [(s, want), (x[0], changed), *zip(x[1:], host[1:])]:
        np.testing.assert_array_equal(y.get(), w)
    for y, w in zip(held, host):
        np.testing.assert_array_equal(y.get(), want * 2 + w)
    np.testing.assert_array_equal(from_the_left(x, d).get(), from_the_left([changed, *host[1:]], a))
