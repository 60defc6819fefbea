"""Samples, orders and vectors of random numbers; streams of bit generators."""

import itertools
import pickle

import numpy as np
import pytest
import scipy.stats as st
from hypothesis import given
from hypothesis import strategies as hs

import tombac as tb
from tombac.random import _selections

LEAST = 1e-4


def even(counts):
    """The p-value of counts that should be alike."""
    return st.chisquare(counts).pvalue > LEAST


# ---- orders ----------------------------------------------------------------------------------------------------------


def test_every_order_comes_as_often():
    g = tb.random.default_rng(1)
    orders = list(itertools.permutations(range(4)))
    rows = g.permuted(np.tile(np.arange(4), (24_000, 1)), axis=1).get()
    places = {o: k for k, o in enumerate(orders)}
    assert even(np.bincount([places[tuple(r)] for r in rows.tolist()], minlength=24))
    many = [tuple(g.permutation(4).tolist()) for _ in range(2400)]
    assert even(np.bincount([places[o] for o in many], minlength=24))


M32 = 2**32 - 1


def order(key, n, count):
    """The first of range(n) in the order of a key, as written down in kernels/philox.h: once more in Python."""
    bits = max(8, (n - 1).bit_length())
    low, high = bits // 2, bits - bits // 2

    def mixed(x, k):
        p = (x ^ k) * 0x85EBCA6B & M32
        return (p ^ p >> 15) * 0xC2B2AE35 & M32

    def cipher(x):
        a, b, k0, k1 = x & (1 << low) - 1, x >> low, key & M32, key >> 32
        for _ in range(6):
            a ^= mixed(b, k0) >> 32 - low
            b ^= mixed(a, k1) >> 32 - high
            k0, k1 = k0 + 0x9E3779B9 & M32, k1 + 0xBB67AE85 & M32
        return b << low | a

    result = []
    for i in range(count):
        x = cipher(i ^ (key >> 63) if i < 2 < n + 1 else i)
        while x >= n:
            x = cipher(x)
        result.append(x)
    return result


@pytest.mark.parametrize("n, count", [(1, 1), (2, 2), (3, 3), (255, 255), (256, 256), (257, 257), (3000, 3000),
                                      (2**20 + 1, 70), (2**32, 50), (2**32 + 1, 50), (2**62 - 1, 50), (2**63 - 1, 50)])
def test_orders_follow_from_the_key(n, count):
    g = tb.random.default_rng([n, 2])
    key, again = int(g._rng.draw("bits", np.uint64, 1)[0]), tb.random.default_rng([n, 2])
    assert again.choice(n, count, replace=False).tolist() == order(key, n, count)
    second = int(g._rng.draw("bits", np.uint64, 1)[0])
    assert again.choice(n, count, replace=False).tolist() == order(second, n, count)


@pytest.mark.parametrize("n", [1, 2, 100, 255, 256, 257, 1023, 1025, 2**16, 2**16 + 1, 2**18])
def test_orders_have_each_number_once(n):
    g = tb.random.default_rng(n)
    x = g.permutation(n)
    assert x.dtype == np.int64 and (np.sort(x.get()) == np.arange(n)).all()
    again = tb.random.default_rng(n)
    assert (again.choice(n, (n + 1) // 2, replace=False).get() == x.get()[:(n + 1) // 2]).all()
    assert n < 100 or (g.permutation(n).get() != x.get()).any()


def is_odd(order):
    order, odd = order.tolist(), False
    for k in range(len(order)):
        while order[k] != k:
            at = order[k]
            order[k], order[at], odd = order[at], at, not odd
    return odd


@pytest.mark.parametrize("n", [16, 200, 256, 300])
def test_orders_are_even(n):
    """Places, neighbours, numbers that stay, rises, and odd orders as often as even ones."""
    g = tb.random.default_rng(12)
    x = np.array([g.permutation(n).get() for _ in range(2000)])
    for k in (0, 1, n // 2, n - 1):
        assert even(np.bincount(x[:, k] * 8 // n, minlength=8)) or n % 8
        assert st.kstest((x[:, k] + np.random.default_rng(k).random(2000)) / n, "uniform").pvalue > LEAST
    assert even(np.bincount((x[:, 1] - x[:, 0]) % n, minlength=n)[1:])
    stay = np.bincount(np.minimum((x == np.arange(n)).sum(1), 4), minlength=5)
    expected = st.poisson(1).pmf(np.arange(5))
    expected[4] = 1 - expected[:4].sum()
    assert st.chisquare(stay, expected * 2000).pvalue > LEAST
    rises = (np.diff(x, axis=1) > 0).sum(1)
    assert abs(rises.mean() - (n - 1) / 2) < 5 * ((n + 1) / 12 / 2000) ** 0.5
    assert st.binomtest(sum(is_odd(row) for row in x), 2000).pvalue > LEAST


def test_bad_orders():
    draw = tb.random.default_rng(1)._rng.draw
    for size, n in ((4, 3), (1, 0), (1, -1), (1, 2.5), (1, 2**63)):
        with pytest.raises((ValueError, OverflowError), match="random|order|int"):
            draw("order", np.int64, size, n)
    for dtype in ("d", "?", "F"):
        with pytest.raises(TypeError, match="order"):
            draw("order", dtype, 1, 3)
    assert draw("order", np.int64, 0, 0).shape == (0,) and draw("order", "i2", (2, 3), 6).dtype == np.int16
    with pytest.raises(ValueError, match="permutation"):
        tb.random.default_rng(1).permutation(-1)


def test_an_order_is_one_kernel():
    x = tb.arange(5000.0)
    g = tb.random.default_rng(1)

    def kernels(f):
        f().get()
        tb.config.reset_counters()
        f().get()
        return tb.config.counters()["launches"]

    assert kernels(lambda: g.permutation(5000)) == 1 and kernels(lambda: g.permutation(x) + 1) <= 2
    assert kernels(lambda: g.choice(10**9, 5000, replace=False)) == 1


@given(hs.lists(hs.integers(0, 4), min_size=1, max_size=3), hs.data())
def test_slices_are_kept(shape, data):
    axis = data.draw(hs.integers(-len(shape), len(shape) - 1))
    host = np.arange(np.prod(shape)).reshape(shape)
    device = tb.array(np.repeat(host, 2, 0))[::2] if data.draw(hs.booleans()) else tb.array(host[::-1])[::-1]
    g = tb.random.default_rng(data.draw(hs.integers(0, 99)))

    def slices(x):
        return sorted(np.moveaxis(x, axis, 0).reshape(x.shape[axis], x.size // max(x.shape[axis], 1)).tolist())

    assert slices(g.permutation(device, axis).get()) == slices(host)
    rows = g.permuted(device, axis=axis).get()
    assert (np.sort(rows, axis) == np.sort(host, axis)).all()
    assert sorted(g.permuted(device).get().ravel().tolist()) == sorted(host.ravel().tolist())
    assert (device.get() == host).all()
    base = tb.zeros((2, *shape), host.dtype)
    base[0] = tb.array(host)
    g.shuffle(base[0], axis)
    assert slices(base[0].get()) == slices(host) and (base[1].get() == 0).all()


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_permuted_where_keys_have_no_room_for_places(monkeypatch, axis):
    """Random bits above places and a stable sort of all random bits are the same order, unless the former are equal."""
    x = tb.arange(5 * 40 * 7).reshape(5, 40, 7)
    want = tb.random.default_rng(2).permuted(x, axis=axis).get()
    monkeypatch.setattr(_selections, "_MOST_PLACES", 0)
    assert (tb.random.default_rng(2).permuted(x, axis=axis).get() == want).all()


def test_permuted_out():
    g = tb.random.default_rng(0)
    x = tb.arange(12.0).reshape(3, 4)
    assert g.permuted(x, axis=1, out=x) is x and (np.sort(x.get(), 1) == np.arange(12.0).reshape(3, 4)).all()
    for out, error in ((tb.empty(3), ValueError), (tb.empty((3, 4), "f"), TypeError), (np.empty((3, 4)), TypeError)):
        with pytest.raises(error, match="out"):
            g.permuted(x, out=out)
    for call in (lambda: g.permuted(x, axis=2), lambda: g.permutation(x, 2), lambda: g.shuffle(x, -3)):
        with pytest.raises(np.exceptions.AxisError):
            call()
    for bad in (np.arange(3), tb.array(3), 5):
        with pytest.raises(TypeError, match="shuffle"):
            g.shuffle(bad)
    with pytest.raises(TypeError):
        g.permutation(2.5)
    assert g.permutation(0).shape == (0,) and tb.random.permutation([3, 1]).shape == (2,)


# ---- samples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n, size", [(5, 5), (5, 2), (1, 1), (100, (3, 4)), (70_000, 10), (10**9, 1000), (3, 0)])
def test_choice_without_replacement(n, size):
    g = tb.random.default_rng(3)
    x = g.choice(n, size, replace=False).get()
    assert x.shape == ((size,) if isinstance(size, int) else size) and x.dtype == np.int64
    assert len(set(x.ravel().tolist())) == x.size and (x.size == 0 or x.min() >= 0 and x.max() < n)


def test_choices_are_even():
    g = tb.random.default_rng(4)
    pairs = list(itertools.permutations(range(4), 2))
    drawn = [tuple(g.choice(4, 2, replace=False).tolist()) for _ in range(2400)]
    assert even(np.bincount([pairs.index(p) for p in drawn], minlength=12))
    many = np.concatenate([g.choice(100_000, 5000, replace=False).get() for _ in range(20)])
    assert even(np.bincount(many // 1000, minlength=100))
    p = np.array([0.5, 0.25, 0.25, 0.0])
    drawn = [tuple(g.choice(4, 2, replace=False, p=p).tolist()) for _ in range(2400)]
    expected = [p[i] * p[k] / (1 - p[i]) for i, k in itertools.permutations(range(3), 2)]
    seen = [drawn.count(pair) for pair in itertools.permutations(range(3), 2)]
    assert sum(seen) == 2400 and st.chisquare(seen, np.array(expected) * 2400).pvalue > LEAST
    x = g.choice(4, 24_000, p=p).get()
    assert st.chisquare(np.bincount(x, minlength=4)[:3], p[:3] * 24_000).pvalue > LEAST and 3 not in x


def test_choice_of_elements():
    g = tb.random.default_rng(5)
    a = tb.arange(12).reshape(3, 4)
    x = g.choice(a, 5, axis=1)
    assert x.shape == (3, 5) and (x.get() // 4 == [[0], [1], [2]]).all()
    assert g.choice(a, (2, 2)).shape == (2, 2, 4) and g.choice(a, replace=False).shape == (4,)
    assert g.choice([1.5]).item() == 1.5 and g.choice(tb.array(3), 2).shape == (2,)
    assert g.choice(3, 3, False, shuffle=False).shape == (3,) and g.choice(0, 0).shape == (0,)


@pytest.mark.parametrize("args, what", [
    ((0, 3), "a must"), ((-1,), "a must"), (([], 3), "a must"), ((2.5,), "a must"), ((5, 6, False), "larger sample"),
    ((5, 3, True, [0.5, 0.5]), "same size"), ((2, 3, True, [0.5, 0.6]), "sum to 1"),
    ((2, 3, True, [-0.5, 1.5]), "non-negative"), ((2, 2, False, [1, 0]), "non-zero"),
    ((2, 2, True, [[1, 0]]), "p must"), ((2, 3, True, [0.5, np.nan]), "NaN")], ids=str)
def test_bad_choices(args, what):
    for make in (tb.random.default_rng, tb.random.RandomState):
        with pytest.raises(ValueError, match=what):
            make(0).choice(*args)
    with pytest.raises(ValueError):
        np.random.default_rng(0).choice(*args)
    with pytest.raises(ValueError):
        tb.random.default_rng(0).choice(3, -1)
    with pytest.raises(np.exceptions.AxisError):
        tb.random.default_rng(0).choice([[1]], axis=2)


# ---- vectors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [[1.0, 2.0, 3.0], [0.1, 0.2], [0.01] * 3, list(np.linspace(0.5, 2, 20))], ids=len)
def test_dirichlet(alpha):
    x = tb.random.default_rng(1).dirichlet(alpha, 20_000).get()
    assert x.shape == (20_000, len(alpha)) and abs(x.sum(-1) - 1).max() < 1e-14
    for k in (0, len(alpha) - 1):
        f, column = st.beta(alpha[k], sum(alpha) - alpha[k]).cdf, x[:, k]
        below = column[column < 0.99]  # what is nearer to 1 than float64 can say is 1
        assert st.kstest(below, lambda y, f=f: f(y) / f(0.99)).pvalue > LEAST
        assert st.binomtest(below.size, column.size, f(0.99)).pvalue > LEAST
    assert tb.random.dirichlet(alpha, (2, 3), "f").dtype == np.float32
    # A device's parameters are not looked at: their numbers come by way of logarithms.
    np.testing.assert_allclose(tb.random.default_rng(1).dirichlet(tb.array(alpha), 20_000).get(), x, 1e-10, 1e-290)


def test_multinomial():
    g, p = tb.random.default_rng(1), [0.2, 0.0, 0.5, 0.3]
    for pvals in (p, tb.array(p)):
        x = g.multinomial(20, pvals, 20_000).get()
        assert (x.sum(-1) == 20).all() and (x >= 0).all() and x.dtype == np.int64 and not x[:, 1].any()
        for k in (0, 2, 3):
            counts = np.bincount(x[:, k], minlength=21)
            expected = st.binom(20, p[k]).pmf(np.arange(21)) * len(x)
            keep = expected > 8
            assert st.chisquare(np.append(counts[keep], counts[~keep].sum()),
                                np.append(expected[keep], expected[~keep].sum())).pvalue > LEAST
    assert (g.multinomial([[1], [5]], [p, p]).get().sum(-1) == [[1, 1], [5, 5]]).all()
    assert (g.multinomial([3, 4], p, size=(3, 2)).get().sum(-1) == [3, 4]).all()
    assert g.multinomial(4, [1.0]).tolist() == [4] and g.multinomial(4, [0.0, 0.0]).tolist() == [0, 4]
    with pytest.raises(ValueError):
        g.multinomial([3, 4], p, size=3)


def test_multivariate_hypergeometric():
    g = tb.random.default_rng(1)
    for method in ("marginals", "count"):
        x = g.multivariate_hypergeometric([3, 0, 5, 4], 6, 10_000, method).get()
        assert (x.sum(-1) == 6).all() and (x >= 0).all() and (x <= [3, 0, 5, 4]).all()
        expected = st.multivariate_hypergeom([3, 5, 4], 6)
        rows, seen = np.unique(x[:, [0, 2, 3]], axis=0, return_counts=True)
        assert st.chisquare(seen, expected.pmf(rows) * len(x)).pvalue > LEAST
    with pytest.raises(ValueError, match="method"):
        g.multivariate_hypergeometric([3], 1, method="x")


COV = np.array([[2.0, 0.6, -0.3], [0.6, 1.0, 0.2], [-0.3, 0.2, 0.5]])


@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_multivariate_normal(method):
    g = tb.random.default_rng(1)
    x = g.multivariate_normal([1, 2, 3], COV, 40_000, method=method).get()
    assert abs(x.mean(0) - [1, 2, 3]).max() < 0.03 and abs(np.cov(x.T) - COV).max() < 0.04
    assert g.multivariate_normal(tb.zeros(3), tb.array(COV), (2, 2), method=method, dtype="f").dtype == np.float32
    assert tb.random.RandomState(0).multivariate_normal([0, 0, 0], COV, method=method).shape == (3,)


def test_bad_covariances():
    g, bad = tb.random.default_rng(1), [[1, 2], [2, 1]]
    with pytest.warns(RuntimeWarning):
        g.multivariate_normal([0, 0], bad)
    for method in ("svd", "eigh"):
        with pytest.raises(ValueError, match="cov"):
            g.multivariate_normal([0, 0], bad, check_valid="raise", method=method)
        g.multivariate_normal([0, 0], bad, check_valid="ignore", method=method)
    with pytest.raises(np.linalg.LinAlgError):
        g.multivariate_normal([0, 0], bad, method="cholesky")
    for kwargs, what in (({"method": "x"}, "method"), ({"check_valid": "x"}, "check_valid")):
        with pytest.raises(ValueError, match=what):
            g.multivariate_normal([0, 0], np.eye(2), **kwargs)


def test_bytes():
    assert len(tb.random.bytes(13)) == 13 and tb.random.bytes(0) == b""
    for bad, error in ((-1, ValueError), (1.5, TypeError)):
        with pytest.raises(error):
            tb.random.bytes(bad)


# ---- streams ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["XORWOW", "MRG32k3a", "Philox4x3210"])
def test_a_bit_generator_can_be_assigned(kind):
    make = getattr(tb.random, kind)
    rng = tb.random.Generator(make(1))
    want = [rng.random(5).get(), rng.integers(9, size=5).get(), rng.permutation(7).get()]
    rng.random(3)
    again = make(1)
    rng.bit_generator = again
    assert rng.bit_generator is again
    for x, y in zip(want, (rng.random(5), rng.integers(9, size=5), rng.permutation(7))):
        np.testing.assert_array_equal(y.get(), x)
    with pytest.raises(TypeError, match="BitGenerator"):
        rng.bit_generator = 5
    assert rng.bit_generator is again


def test_spawned_streams():
    assert tb.random.SeedSequence is np.random.SeedSequence
    g = tb.random.default_rng(7)
    children = g.spawn(3) + g.spawn(2) + [g]
    first = [c.random(4).tolist() for c in children]
    assert len({tuple(x) for x in first}) == 6 and type(children[0].bit_generator) is tb.random.XORWOW
    again = tb.random.default_rng(7).spawn(5)
    assert [c.random(4).tolist() for c in again] == first[:5]
    assert len(tb.random.Philox4x3210().spawn(2)) == 2 and tb.random.MRG32k3a([1, 2]).spawn(0) == []
    assert tb.random.XORWOW(tb.arange(3)).seed_seq.entropy is not None
    with pytest.raises(ValueError, match="n_children"):
        g.spawn(-1)


def test_jumped_streams():
    a = tb.random.Philox4x3210(3)
    a.random_raw(10)
    b, c, d = a.jumped(), a.jumped().jumped(), a.jumped(2)
    assert type(b) is tb.random.Philox4x3210 and b.state()["offset"] == a.state()["offset"]
    x, y, z, w = (r.random_raw(100).tolist() for r in (a, b, c, d))
    assert z == w and not set(x) & set(y) and not set(y) & set(z)


def test_generators_are_pickled():
    g = tb.random.default_rng(np.random.SeedSequence(3))
    g.standard_gamma(2.0, 7)
    copy = pickle.loads(pickle.dumps(g))
    assert copy.bit_generator.state() == g.bit_generator.state()
    assert (copy.poisson(4.0, 50) == g.poisson(4.0, 50)).all()
    assert [c.random().item() for c in copy.spawn(2)] == [c.random().item() for c in g.spawn(2)]
    state = g.bit_generator.state()
    x = g.binomial(50, 0.5, 9)
    g.bit_generator.set_state(state)
    assert (g.binomial(50, 0.5, 9) == x).all()
