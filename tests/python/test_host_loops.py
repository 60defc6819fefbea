"""Loops of the host that take a shorter way for most numbers, and another for the rest: NumPy's results either way."""

import numpy as np
import pytest

import tombac as tb

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 1e308, -1e308, 5e-324,
           -5e-324, 1e-310, 2.0**53, 2.0**53 - 1, 1 - 2.0**-53, 1 + 2.0**-52, 1074.0, -1074.0, 1023.0, 1024.0,
           -1022.0, 1.5]


def same(mine, theirs):
    assert mine.dtype == theirs.dtype and mine.shape == theirs.shape
    np.testing.assert_array_equal(mine.get(), theirs)


def pairs(x, y):
    return [a.ravel() for a in np.meshgrid(x, y)]


# ---- powers ----------------------------------------------------------------------------------------------------------


def test_powers_of_doubles_at_the_ends():
    x, y = pairs(SPECIAL, SPECIAL)
    mine, theirs = tb.power(tb.array(x), tb.array(y)).get(), np.power(x, y)
    np.testing.assert_array_equal(np.isnan(mine), np.isnan(theirs))
    np.testing.assert_array_equal(np.signbit(mine[~np.isnan(mine)]), np.signbit(theirs[~np.isnan(mine)]))
    np.testing.assert_array_max_ulp(mine[~np.isnan(mine)], theirs[~np.isnan(mine)], 1)


def test_powers_that_are_doubles_are_exact():
    some = [(a, b, a**b) for a in range(-60, 61) for b in range(30) if abs(a**b) <= 2**53]
    a, b, power = (np.array(c, np.float64) for c in zip(*some))
    if tb.config.backend() == "cpu":
        same(tb.power(tb.array(a), tb.array(b)), power)
    else:  # the device's own function
        np.testing.assert_array_max_ulp(tb.power(tb.array(a), tb.array(b)).get(), power, 1)


@pytest.mark.parametrize("spread", [1e-9, 1e-3, 0.3, 5.0, 300.0])
def test_powers_of_doubles_are_close(spread):
    """To the true power, as long doubles have it, wherever it lies."""
    random = np.random.default_rng(int(spread * 1000))
    x = np.exp(random.uniform(-spread, spread, 5000))
    y = random.uniform(-700, 700, x.size) / np.maximum(np.abs(np.log(x)), 1e-300)
    true = np.power(x.astype(np.longdouble), y.astype(np.longdouble))
    mine = tb.power(tb.array(x), tb.array(y)).get()
    if np.finfo(np.longdouble).nmant > 60:
        assert np.max(np.abs(mine - true) / np.spacing(true.astype(np.float64))) < 2


def test_a_power_does_not_depend_on_its_neighbours():
    random = np.random.default_rng(5)
    x = random.uniform(0, 9, 40)
    y = random.uniform(-9, 9, 40)
    plain = tb.power(tb.array(x), tb.array(y)).get()
    for k, odd in enumerate(SPECIAL):
        at = k % x.size
        some = x.copy()
        some[at] = odd
        mine = tb.power(tb.array(some), tb.array(y)).get()
        np.testing.assert_array_equal(np.delete(mine, at), np.delete(plain, at))
        alone = tb.power(tb.array(some[at : at + 1]), tb.array(y[at : at + 1])).get()[0]
        np.testing.assert_array_equal(mine[at], alone)


@pytest.mark.parametrize("code", "bBhH")
def test_powers_of_narrow_integers_wrap_around(code):
    limits = np.iinfo(code)
    base = np.arange(limits.min, limits.max + 1, 1 if limits.bits == 8 else 97).astype(code)
    exponent = np.arange(0, 128, 1 if limits.bits == 8 else 7).astype(code)
    x, y = pairs(base, exponent)
    same(tb.power(tb.array(x), tb.array(y)), np.power(x, y))


def test_negative_powers_of_narrow_integers_truncate():
    x = tb.array(np.arange(-3, 4, dtype=np.int8))
    assert (x ** tb.full(7, -3, np.int8)).get().tolist() == [0, 0, -1, 0, 1, 0, 0]
    assert (x ** tb.full(7, -2, np.int8)).get().tolist() == [0, 0, 1, 0, 1, 0, 0]


@pytest.mark.parametrize("code", "ilq")
@pytest.mark.parametrize("far", [10, 1021, 1022, 1100, 5000])
def test_ldexp(code, far):
    random = np.random.default_rng(far)
    x = np.concatenate([random.normal(size=600), SPECIAL])
    by = random.integers(-far, far + 1, x.size).astype(code)
    same(tb.ldexp(tb.array(x), tb.array(by)), np.ldexp(x, by))
    same(tb.ldexp(tb.array(x[::-2]), tb.array(by[::-2])), np.ldexp(x[::-2], by[::-2]))


@pytest.mark.parametrize("code", "bhilBH")
@pytest.mark.parametrize("number", [5, -3, 300, 2**40, True, 2.5])
def test_ldexp_of_numbers(code, number):
    """A number says nothing about the dtype where it is an integer, and exponents say nothing about it."""
    by = np.arange(4, dtype=code)
    with np.errstate(all="ignore"):
        same(tb.ldexp(number, tb.array(by)), np.ldexp(number, by))
    for three in (3, np.int32(3)):
        same(tb.ldexp(5, three), np.asarray(np.ldexp(5, three)))


# ---- division --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod"])
def test_int64_by_int64(name):
    edges = [s * ((1 << k) + near) for k in (0, 1, 2, 31, 32, 51, 52, 53, 62) for near in (-1, 0, 1) for s in (-1, 1)]
    x, y = pairs(np.array([*edges, -(2**63), 2**63 - 1]), np.array([e for e in edges if e] + [2**63 - 1, -(2**63)]))
    same(getattr(tb, name)(tb.array(x), tb.array(y)), getattr(np, name)(x, y))
    small = (np.abs(x) < 2**52) & (np.abs(y) < 2**52)
    same(getattr(tb, name)(tb.array(x[small]), tb.array(y[small])), getattr(np, name)(x[small], y[small]))
    y[::7] = 0
    same(getattr(tb, name)(tb.array(x), tb.array(y)), getattr(np, name)(x, y))


# ---- reductions of strided elements ----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", "?bhilqefdFD")
@pytest.mark.parametrize("step", [2, 3, -1, -5])
@pytest.mark.parametrize("size", [0, 1, 7, 1024, 5000, 70000])
def test_reductions_of_strided_elements(code, step, size):
    base = np.random.default_rng(size).integers(0, 2 if code == "?" else 9, abs(step) * size + 1).astype(code)
    host, mine = base[1:][::step], tb.array(base)[1:][::step]
    for name in ["count_nonzero", "any", "all", "sum"] + (["max"] if size else []):
        expected = getattr(np, name)(host)
        np.testing.assert_array_equal(getattr(tb, name)(mine).get(), getattr(tb, name)(mine.copy()).get())
        if name != "sum" or code not in "e":
            np.testing.assert_array_equal(getattr(tb, name)(mine).get(), expected)
    assert tb.count_nonzero(tb.broadcast_to(mine[:1], (9,)) if size else mine) == 9 * (size > 0 and host[0] != 0)


# ---- order -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [3, 50, 1 << 20])
def test_positions_of_complex_numbers(many):
    """Real parts that agree in what decides first, or altogether."""
    random = np.random.default_rng(many)
    x = (1 + random.integers(0, many, 1500) * 2.0**-23 + 1j * random.normal(size=1500)).astype(np.complex64)
    x[::9] = x[4]
    same(tb.argsort(tb.array(x)), np.argsort(x, kind="stable"))


@pytest.mark.parametrize("n", [2, 5, 8, 9, 31, 64, 65, 128])
def test_rows_of_int64(n):
    random = np.random.default_rng(n)
    x = random.integers(-(2**63), 2**63 - 1, (40, n), endpoint=True)
    x[::3] %= 5
    x[1, :2] = [2**63 - 1, -(2**63)]
    same(tb.sort(tb.array(x), axis=1), np.sort(x, axis=1))
    same(tb.sort(tb.array(x.T.copy()), axis=0), np.sort(x.T, axis=0))


# ---- elements put at indices -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", "?bhilqefdFD")
@pytest.mark.parametrize("size", [0, 1, 7, 256, 257, 3000])
def test_elements_at_indices(code, size):
    """Negative indices, which come in some stretches only; the last of several for one place stays, but on a GPU."""
    random = np.random.default_rng(size)
    for low in (0, -50):
        at = random.integers(low, 50, size)
        at[: size // 2] %= 50
        host, values = np.zeros(50, code), random.integers(0, 9, size).astype(code)
        if tb.config.backend() != "cpu":
            values = random.integers(0, 9, 50).astype(code)[at]
        mine = tb.array(host)
        host[at] = values
        mine[tb.array(at)] = tb.array(values)
        same(mine, host)
        for view in (slice(None, None, -1), slice(None, None, 2)):
            there, here = np.zeros(100, code), tb.zeros(100, code)
            near = at % 50
            there[view][near] = values
            here[view][tb.array(near)] = tb.array(values)
            same(here, there)


def test_indices_that_are_written():
    host = np.random.default_rng(1).permutation(600)
    mine = tb.array(host)
    host[host] = host[::-1].copy()
    mine[mine] = mine[::-1]
    same(mine, host)
