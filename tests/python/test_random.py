"""Random numbers: seeds and streams, shapes and dtypes, ranges, and the first moments of every distribution."""

import functools
import inspect
import pickle
import threading

import numpy as np
import pytest

import tombac as tb

N = 200_000


def moments(x, mean, std, tol=0.02):
    x = x.get().astype("d")
    assert np.isfinite(x).all()
    assert abs(x.mean() - mean) < tol * max(1, std), (x.mean(), mean)
    assert abs(x.std() - std) < 2 * tol * max(1, std), (x.std(), std)


# ---- seeds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2**40, 2**100, [1, 2, 3], (5,), np.arange(4), np.int32(7), np.array(3),
                                  np.random.SeedSequence(5)], ids=str)
def test_a_seed_names_a_stream(seed):
    for make in (tb.random.RandomState, tb.random.default_rng):
        a, b = make(seed), make(seed)
        x = a.random(100)
        assert (x == b.random(100)).all()
        assert not (x == a.random(100)).all()
        assert not (x == make(12345).random(100)).all()


def test_seeds_that_differ():
    seen = {tb.random.RandomState(s).random_sample().item() for s in (0, 1, [0], [0, 0], [1, 0], [0, 1], 2**64,
        2**64 + 1)}
    assert len(seen) == 8
    classes = (tb.random.XORWOW, tb.random.MRG32k3a, tb.random.Philox4x3210)
    assert len({tb.random.Generator(c(1)).random().item() for c in classes}) == 3


@pytest.mark.parametrize("seed, error", [("a", TypeError), (1.5, TypeError), (-1, ValueError), ([1, -2], ValueError)])
def test_bad_seeds(seed, error):
    with pytest.raises(error):
        tb.random.RandomState(seed)
    with pytest.raises(error):
        tb.random.default_rng(seed)


def test_fresh_seeds_differ():
    assert tb.random.RandomState().random_sample().item() != tb.random.RandomState().random_sample().item()


def test_states_are_read_and_set():
    for of in (tb.random, tb.random.RandomState(5)):
        of.seed(7)
        of.rand(5)
        for legacy in (True, False):
            before = of.get_state(legacy=legacy)
            first = of.rand(4).tolist()
            assert of.rand(4).tolist() != first
            of.set_state(before)
            assert of.get_state(legacy=legacy) == before and of.rand(4).tolist() == first
        for bad in (("MT19937", 1, 2), ("Philox4x32", 1), {"bit_generator": "MT19937"}, {}, np.random.get_state()):
            with pytest.raises(ValueError):
                of.set_state(bad)
        for bad in (3, None, ("Philox4x32", "a", 0)):
            with pytest.raises(TypeError):
                of.set_state(bad)


def test_module_state():
    tb.random.seed(3)
    a = tb.random.rand(5)
    tb.random.seed(3)
    assert (tb.random.random_sample(5) == a).all()
    before = tb.random.get_random_state()
    mine = tb.random.RandomState(3)
    tb.random.set_random_state(mine)
    try:
        assert tb.random.get_random_state() is mine
        assert (tb.random.rand(5) == a).all()
    finally:
        tb.random.set_random_state(before)
    with pytest.raises(TypeError):
        tb.random.set_random_state(5)


def test_deferred_draws_keep_their_numbers():
    rng = tb.random.RandomState(1)
    a = rng.rand(10)
    b = rng.rand(10)
    first_b = b.get()
    reference = tb.random.RandomState(1)
    assert (a.get() == reference.rand(10).get()).all() and (first_b == reference.rand(10).get()).all()
    c = rng.rand(1000)
    assert (c.get() == c.get()).all() and ((c + 1) - 1).get().std() > 0.1


def test_position_can_be_stored():
    bits = tb.random.Philox4x3210(4)
    g = tb.random.Generator(bits)
    g.random(17)
    state = bits.state()
    x = g.random(10)
    bits.set_state(state)
    assert (g.random(10) == x).all()
    with pytest.raises(ValueError):
        tb.random.XORWOW(1).set_state(state)
    rng = tb.random.RandomState(9)
    rng.rand(3)
    copy = pickle.loads(pickle.dumps(rng))
    assert (copy.rand(5) == rng.rand(5)).all()


def test_threads_take_disjoint_parts():
    rng = tb.random.RandomState(1)
    parts = []

    def work():
        for _ in range(50):
            parts.append(rng.random_sample(100).get())

    threads = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    every = np.concatenate(parts)
    assert len(np.unique(every)) == every.size == 20_000


# ---- shapes and dtypes -----------------------------------------------------------------------------------------------

FLOATS = {
    "random_sample": (), "standard_normal": (), "standard_exponential": (), "uniform": (-1, 2), "normal": (1, 2),
    "exponential": (2,), "lognormal": (0, 0.5), "laplace": (1, 2), "logistic": (1, 2), "gumbel": (1, 2), "pareto": (3,),
    "power": (3,), "rayleigh": (2,), "weibull": (2,), "standard_cauchy": (), "triangular": (-1, 0, 2), "wald": (1, 2),
}


@pytest.mark.parametrize("code", "efd")
@pytest.mark.parametrize("name", FLOATS)
def test_dtypes_and_shapes(name, code):
    f, args = getattr(tb.random.RandomState(0), name), FLOATS[name]
    for size, shape in ((None, ()), (5, (5,)), ((2, 3), (2, 3)), ((0, 3), (0, 3)), ([2], (2,))):
        x = f(*args, size=size, dtype=code)
        assert type(x) is tb.ndarray and x.dtype == np.dtype(code) and x.shape == shape
    assert f(*args, size=3).dtype == np.float64
    assert getattr(tb.random, name)(*args, size=3, dtype=code).shape == (3,)
    with pytest.raises(TypeError):
        f(*args, size=3, dtype="i")


def test_older_functions():
    for f in (tb.random, tb.random.RandomState(0)):
        assert f.rand().shape == () and f.rand(2, 3).shape == (2, 3) and f.randn(4, dtype="f").dtype == np.float32
        with pytest.raises(TypeError):
            f.rand(3, nope=1)
        x = f.randint(5, size=1000).get()
        assert x.dtype == np.int64 and x.min() == 0 and x.max() == 4
        x = f.random_integers(5, size=1000).get()
        assert x.min() == 1 and x.max() == 5
    assert tb.random.ranf(3).shape == tb.random.sample(3).shape == tb.random.random(3).shape == (3,)
    assert len(tb.random.bytes(13)) == 13
    with pytest.raises(ValueError, match="-1"):
        tb.random.bytes(-1)


def test_bad_sizes():
    for size in (-1, (2, -3), "a", 1.5):
        with pytest.raises((ValueError, TypeError)):
            tb.random.rand(*(size if isinstance(size, tuple) else (size,)))


# ---- ranges ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", "efd")
def test_uniform_leaves_the_end_out(code):
    x = tb.random.RandomState(0).uniform(1, 2, 2_000_000, dtype=code)
    assert x.min().item() >= 1 and x.max().item() < 2
    assert tb.random.uniform(3, 3, 4).get().tolist() == [3] * 4
    with pytest.raises(OverflowError):
        tb.random.uniform(0, np.inf)


@pytest.mark.parametrize("code", "bBhHiIlL?")
def test_integers(code):
    rng = tb.random.default_rng(0)
    high = 2 if code == "?" else 5
    x = rng.integers(0, high, 5000, dtype=code).get()
    assert x.dtype == np.dtype(code) and sorted(set(x.tolist())) == list(range(high))
    if code == "?":
        return
    limits = np.iinfo(code)
    x = rng.integers(limits.min, limits.max, 5000, dtype=code, endpoint=True).get()
    spread = float(limits.max) - float(limits.min)
    assert x.astype("d").std() > 0.25 * spread and len(set(x.tolist())) > 200
    assert rng.integers(limits.max, limits.max, dtype=code, endpoint=True).item() == limits.max
    for low, high in ((limits.min - 1, 0), (0, limits.max + 2)):
        with pytest.raises(ValueError):
            rng.integers(low, high, dtype=code)


def test_integers_are_even():
    x = tb.random.default_rng(1).integers(0, 10, 1_000_000).get()
    counts = np.bincount(x, minlength=10)
    assert abs(counts - 1e5).max() < 2000


def test_integer_errors():
    for args in ((5, 5), (5, 4), (0,)):
        with pytest.raises(ValueError):
            tb.random.randint(*args)
    with pytest.raises(TypeError):
        tb.random.randint(0, 5, dtype="f")


def test_raw_bits():
    bits = tb.random.XORWOW(0).random_raw(10_000).get()
    assert bits.dtype == np.uint64
    for k in range(64):
        assert 4700 < ((bits >> np.uint64(k)) & np.uint64(1)).sum() < 5300
    assert tb.random.XORWOW(0).random_raw(5, output=False) is None


# ---- moments ---------------------------------------------------------------------------------------------------------

E = 0.5772156649015329
MOMENTS = {
    "random_sample": ((), 0.5, 12**-0.5), "standard_normal": ((), 0, 1), "standard_exponential": ((), 1, 1),
    "uniform": ((-1, 2), 0.5, 3 * 12**-0.5), "normal": ((1, 2), 1, 2), "exponential": ((2,), 2, 2),
    "lognormal": ((0, 0.5), np.exp(0.125), ((np.exp(0.25) - 1) * np.exp(0.25)) ** 0.5), "laplace": ((1, 2), 1, 8**0.5),
    "logistic": ((1, 2), 1, 2 * np.pi / 3**0.5), "gumbel": ((1, 2), 1 + 2 * E, 2 * np.pi / 6**0.5),
    "power": ((3,), 0.75, 0.19365),
    "rayleigh": ((2,), 2 * (np.pi / 2) ** 0.5, (8 - 2 * np.pi) ** 0.5), "weibull": ((2,), 0.886227, 0.463251),
    "triangular": ((-1, 0, 2), 1 / 3, (7 / 18) ** 0.5), "wald": ((1, 4), 1, 0.5), "pareto": ((5,), 0.25, 0.3227),
}


@pytest.mark.parametrize("code", "fd")
@pytest.mark.parametrize("name", MOMENTS)
def test_moments(name, code):
    args, mean, std = MOMENTS[name]
    moments(getattr(tb.random.RandomState(11), name)(*args, size=N, dtype=code), mean, std)


def test_normal_tails():
    x = tb.random.RandomState(2).standard_normal(1_000_000).get()
    for k, p in ((1, 0.31731), (2, 0.0455), (3, 0.0027)):
        assert abs((abs(x) > k).mean() - p) < 0.002
    assert abs(x[::2] @ x[1::2] / 5e5) < 0.01


def test_geometric():
    x = tb.random.RandomState(1).geometric(0.25, N).get()
    assert x.min() == 1 and abs(x.mean() - 4) < 0.05 and x.dtype == np.int64


# ---- arrays as parameters --------------------------------------------------------------------------------------------


def test_array_parameters():
    rng = tb.random.RandomState(0)
    loc, scale = tb.array([0.0, 10.0, -10.0]), tb.array([[1.0], [0.0]])
    x = rng.normal(loc, scale)
    assert x.shape == (2, 3) and x.get()[1].tolist() == [0, 10, -10]
    assert rng.normal(loc, 1, (50_000, 3)).get().mean(0).round(1).tolist() == [0, 10, -10]
    low, high = tb.array([0, 10]), tb.array([5, 20])
    x = rng.randint(low, high, (5000, 2)).get()
    assert x.min(0).tolist() == [0, 10] and x.max(0).tolist() == [4, 19]
    x = rng.uniform(low, high, (5000, 2), dtype="f").get()
    assert x.dtype == np.float32 and (x.min(0) >= [0, 10]).all() and (x.max(0) < [5, 20]).all()
    x = rng.exponential(tb.array([1.0, 5.0]), (50_000, 2)).get()
    assert abs(x.mean(0) - [1, 5]).max() < 0.1
    with pytest.raises(ValueError):
        rng.normal(loc, 1, (2, 4))
    with pytest.raises(ValueError):
        rng.normal(0, -1)


def test_generator_out():
    g = tb.random.default_rng(0)
    out = tb.empty((2, 3), "f")
    assert g.random(dtype="f", out=out) is out and out.get().max() < 1
    assert g.standard_normal((2, 3), dtype="f", out=out) is out
    assert g.standard_exponential((2, 3), dtype="f", out=out) is out
    with pytest.raises(ValueError):
        g.random((3, 3), dtype="f", out=out)
    with pytest.raises(TypeError):
        g.random(3, out=np.empty(3))
    with pytest.raises(TypeError, match="out"):
        g.random(out=out)
    with pytest.raises(TypeError):
        tb.random.Generator(5)
    assert tb.random.default_rng(g) is g and repr(g) == "Generator(XORWOW)"


def test_choice():
    rng = tb.random.RandomState(0)
    x = rng.choice(5, 1000).get()
    assert sorted(set(x.tolist())) == [0, 1, 2, 3, 4]
    assert rng.choice(tb.array([2.5, 7.5]), (3, 4)).shape == (3, 4)
    assert rng.choice(5).shape == ()
    x = rng.choice(3, 20_000, p=tb.array([0.5, 0.0, 0.5])).get()
    assert 1 not in x and abs((x == 0).mean() - 0.5) < 0.02
    with pytest.raises(ValueError):
        rng.choice(0, 3)


@pytest.mark.usefixtures("fused")
def test_draws_are_fused():
    rng = tb.random.RandomState(0)
    (rng.rand(1000) * 2 + 1).get()
    tb.config.reset_counters()
    x = rng.rand(1000) * 2 + 1
    x.get()
    assert tb.config.counters()["launches"] == 1


# ---- functions in C --------------------------------------------------------------------------------------------------


def test_signatures():
    """help() and inspect know the methods, and the functions over a device's state, which have no ``self``."""
    assert str(inspect.signature(tb.random.uniform)) == "(low=0.0, high=1.0, size=None, dtype='float64')"
    for name in tb.random._functions:
        f = getattr(tb.random, name)
        if not isinstance(f, type) and name not in ("get_random_state", "set_random_state", "reset_states", "seed"):
            method = getattr(tb.random.RandomState, f.__name__)
            assert list(inspect.signature(f).parameters) == list(inspect.signature(method).parameters)[1:]
            assert inspect.getdoc(f) == inspect.getdoc(method) and f.__module__ == "tombac.random"
    assert pickle.loads(pickle.dumps(tb.random.normal)) is tb.random.normal
    assert str(inspect.signature(tb.random.default_rng(0).random)) == "(size=None, dtype='float64', out=None)"


def test_functions_take_any_arguments():
    """By position and by keyword, from a call and from apply-like calls, which leave no room before the arguments."""
    reference = tb.random.RandomState(3).uniform(1, 5, (2, 3), "f").get()
    for call in (lambda: tb.random.uniform(1, 5, (2, 3), "f"),
                 lambda: tb.random.uniform(1, high=5, size=(2, 3), dtype="f"),
                 lambda: tb.random.uniform(*(1, 5), **{"size": (2, 3), "dtype": "f"}),
                 lambda: functools.partial(tb.random.uniform, 1, 5)((2, 3), dtype="f"),
                 lambda: list(map(tb.random.uniform, [1], [5], [(2, 3)], ["f"]))[0]):
        tb.random.seed(3)
        assert (call().get() == reference).all()
    lengths = (1,) * 12
    assert tb.random.rand(*lengths).shape == functools.partial(tb.random.rand, *lengths)().shape == lengths
    with pytest.raises(TypeError, match="nope"):
        tb.random.uniform(nope=1)


def test_a_state_is_made_when_needed():
    before = tb.random.get_random_state()
    tb.random.reset_states()
    try:
        assert tb.random.rand(3).shape == (3,) and tb.random.get_random_state() is not before
    finally:
        tb.random.set_random_state(before)


@pytest.mark.parametrize("low, high", [(1, 2), (2, 1), (-3.5, 7), (-60000, 60000), (1, 1.0001), (1, 1.01), (0, 2**-24)])
@pytest.mark.parametrize("code", "efd")
def test_uniform_stays_in_its_interval(low, high, code):
    x = tb.random.RandomState(2).uniform(low, high, 100_000, code).get().astype("d")
    first, last = np.array([low, high], code).astype("d")
    assert (min(first, last) <= x).all() and (x <= max(first, last)).all()
    assert first == last or (x != last).all()


def test_generator_and_its_bits_share_a_position():
    bits = tb.random.XORWOW(1)
    g = tb.random.Generator(bits)
    first = g.random(8)
    assert bits.state()["offset"] == 4
    copy = pickle.loads(pickle.dumps(g))
    assert (copy.random(8) == g.random(8)).all() and copy.bit_generator.state() == bits.state()
    bits.set_state(tb.random.XORWOW(1).state())
    assert (g.random(8) == first).all()


@pytest.mark.parametrize("low, high, dtype, want", [
    (0.5, 1.5, "i", {1}), (np.float32(0.5), np.int8(2), "i", {1}), (True, 3, "q", {1, 2}), (2**64 - 1, 2**64, "Q",
    {2**64 - 1}), (-2**63, -2**63 + 1, "q", {-2**63}), (2**31 - 1, 2**31, "i", {2**31 - 1}), (0, 1, "?", {False}),
])
def test_ends_of_integers(low, high, dtype, want):
    assert set(tb.random.default_rng(0).integers(low, high, 50, dtype).get().tolist()) == want


@pytest.mark.parametrize("low, high, dtype, error", [
    (0, 2**64 + 1, "Q", "high"), (-1, 5, "Q", "low"), (0, 2**70, "q", "high"), (-2**70, 0, "q", "low"),
    (0, 3, "?", "high"), (3, 2.5, "i", "low >= high"), (0, np.inf, "i", "infinity"), (np.nan, 3, "i", "NaN"),
])
def test_bad_ends_of_integers(low, high, dtype, error):
    with pytest.raises((ValueError, OverflowError), match=error):
        tb.random.default_rng(0).integers(low, high, dtype=dtype)
