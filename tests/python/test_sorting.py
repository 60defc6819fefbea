"""Sorting, partitions and places in sorted arrays against NumPy: dtypes, shapes, axes, layouts, NaN, in place."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import DTYPES, FLOATS, INTS, arrays, dtypes, same, same_outcome, values

import tombac as tb
from tombac import config

INEXACT = FLOATS + ["F", "D"]
KINDS = [None, "quicksort", "mergesort", "heapsort", "stable"]


@st.composite
def with_nan(draw, max_dims=3, max_side=6, min_dims=0, codes=DTYPES):
    """arrays, of which some have NaN and infinities in one or both parts."""
    host, device = draw(arrays(codes, max_dims, max_side, min_dims))
    if host.dtype.kind in "fc" and host.size and draw(st.booleans()):
        host = host.copy()
        for part in (host.real, host.imag) if host.dtype.kind == "c" else (host,):
            for special in (np.nan, np.inf, -np.inf):
                part[np.random.default_rng(draw(st.integers(0, 99))).random(host.shape) < 0.2] = special
        device = tb.array(host)
    return host, device


def axis_of(ndim):
    return st.one_of(st.none(), st.integers(-ndim - 1, ndim))


@given(with_nan(), st.data())
@settings(max_examples=300, deadline=None)
def test_sort_and_argsort(pair, data):
    host, device = pair
    axis = data.draw(axis_of(host.ndim))
    kind = data.draw(st.sampled_from(KINDS))
    before = host.copy()
    same_outcome(lambda: tb.sort(device, axis, kind), lambda: np.sort(host, axis, kind))
    same_outcome(lambda: tb.argsort(device, axis, kind), lambda: np.argsort(host, axis, "stable"))
    same(device, before)
    same_outcome(lambda: device.argsort(axis, kind=kind), lambda: host.argsort(axis, kind="stable"))
    if axis is not None:
        same_outcome(lambda: in_place(device, "sort", axis), lambda: in_place(host, "sort", axis))


def in_place(a, method, *args):
    assert getattr(a, method)(*args) is None
    return a


@pytest.mark.parametrize("code", DTYPES)
@pytest.mark.parametrize("shape", [
    (9, 2), (9, 5), (300, 8), (9, 13), (9, 16), (9, 17), (40, 31), (5, 33), (300, 64), (7, 65), (5, 128), (3, 256),
    (2, 257), (2, 511), (2, 513), (3, 1025), (2, 4097), (2, 9000),
])
def test_sort_rows(code, shape):
    rng = np.random.default_rng(shape[1])
    host = values(np.dtype(code), shape, 5)
    host = np.where(rng.random(shape) < 0.5, host, np.roll(host, 3, 1)).astype(code)
    if host.dtype.kind in "fc":
        for part in (host.real, host.imag) if host.dtype.kind == "c" else (host,):
            for special in (np.nan, -np.inf, -0.0, 0.0):
                part[rng.random(shape) < 0.1] = special
    same(tb.sort(tb.array(host)), np.sort(host))
    same(tb.argsort(tb.array(host)), np.argsort(host, kind="stable"))
    same(tb.sort(tb.array(host), 0), np.sort(host, 0))


@pytest.mark.parametrize("code", DTYPES)
@pytest.mark.parametrize("n", [3, 100, 5000, 70001])
def test_sort_long(code, n):
    rng = np.random.default_rng(n)
    bits = rng.integers(0, 256, n * np.dtype(code).itemsize, np.uint8)
    host = np.frombuffer(bits.tobytes(), code) if code != "?" else bits > 127
    same(tb.sort(tb.array(host)), np.sort(host))
    same(tb.argsort(tb.array(host)), np.argsort(host, kind="stable"))
    few = values(np.dtype(code), n, n)
    same(tb.argsort(tb.array(few)), np.argsort(few, kind="stable"))


def in_order(host):
    """As NumPy sorts, but float16 as float32: NumPy's vectors of 16 bits leave long arrays out of order on some
    processors."""
    return np.sort(host.astype("f")).astype("e") if host.dtype == "e" else np.sort(host)


@pytest.mark.parametrize("code", list("bBhHefiIlLd"))
@pytest.mark.parametrize("n", [4097, 32769, 100_001])
@pytest.mark.parametrize("count", [1, 10, 32, 33])
def test_sort_of_few_values(code, n, count):
    rng = np.random.default_rng(n)
    pool = values(np.dtype(code), count, 5)
    if code in "efd":
        pool[: min(count, 5)] = [np.nan, -0.0, 0.0, np.inf, -np.inf][:count]
    else:
        pool[0], pool[-1] = np.iinfo(code).min, np.iinfo(code).max
    for host in (pool[rng.integers(0, count, n)], pool[np.zeros(n, int)]):
        host[n - 3] = 77  # which no sample is likely to have
        device = tb.array(host)
        same(tb.argsort(device, kind="stable"), np.argsort(host, kind="stable"))
        same(tb.sort(device), in_order(host))
        zeros = np.signbit(tb.sort(device).get()[in_order(host) == 0])
        assert (zeros == np.sort(np.signbit(host[host == 0]))[::-1]).all()
        host[n - 3] = host[0]
        device[n - 3] = device[0]
        same(tb.argsort(device, kind="stable"), np.argsort(host, kind="stable"))
        same(device, host)
        device.sort()
        same(device, in_order(host))


@pytest.mark.parametrize("code", ["l", "L", "d", "f", "F", "D"])
@pytest.mark.parametrize("n", [40, 900, 4000])
def test_argsort_of_close_numbers(code, n):
    """Keys that differ in low bits only, beside ones far away; few keys; keys that are in order."""
    rng = np.random.default_rng(n)
    steps = rng.integers(0, n, n)
    close = (2**62 + steps if code in "lL" else 1 + steps * 2.0**-50 if code in "dD" else 1 + steps * 2.0**-22)
    far = np.where(rng.random(n) < 0.5, close, rng.integers(0, 2**60, n)).astype(code)
    for host in (close.astype(code), far, np.sort(far), (steps % 3).astype(code), np.repeat(far[:n // 20], 20)):
        same(tb.argsort(tb.array(host)), np.argsort(host, kind="stable"))
        same(tb.sort(tb.array(host)), np.sort(host))


@pytest.mark.parametrize("special", [None, np.inf, -np.inf, -0.0, np.nan])
@pytest.mark.parametrize("n", [1, 7, 1000, 70001])
def test_sort_complex_numbers(n, special):
    """Equal real parts, both signs, and one number that has no place in a key of both parts, or an extreme one."""
    rng = np.random.default_rng(n)
    host = (rng.integers(-9, 9, n) + 1j * rng.standard_normal(n)).astype("F")
    for part in () if special is None else (host.real, host.imag):
        part[n // 2] = special
    for a in (host, host[::-1].conj(), np.stack((host, -host))):
        same(tb.sort(tb.array(a)), np.sort(a, kind="stable"))
        same(tb.argsort(tb.array(a)), np.argsort(a, kind="stable"))


@pytest.mark.parametrize("code", DTYPES)
@pytest.mark.parametrize("n", [1, 4, 30, 256, 257])
def test_partition_of_rows(code, n):
    host = values(np.dtype(code), (30, n), 7)
    device, ordered = tb.array(host), np.sort(host)
    for kth in (0, n // 2, (0, n - 1)):
        at = np.atleast_1d(kth)
        same(tb.partition(device, kth)[:, at], ordered[:, at])
        same(tb.take_along_axis(device, tb.argpartition(device, kth), 1)[:, at], ordered[:, at])


def test_sort_in_place_of_a_view():
    host = np.arange(24)[::-1].reshape(4, 6).copy()
    device = tb.array(host)
    host[::2, ::-1].sort(0)
    device[::2, ::-1].sort(0)
    same(device, host)
    host.T.sort()
    device.T.sort()
    same(device, host)


@pytest.mark.parametrize("code", "bhilfdeFD")
@pytest.mark.parametrize("shape", [(5,), (1000,), (5000,), (3, 700), (40, 3)])
def test_sort_in_place_after_others_have_read(code, shape):
    host = (np.random.default_rng(0).standard_normal(shape) * 50).astype(code)
    device = tb.array(host)
    pending, view, copy = device + device, device[..., ::2], device.copy()
    before, columns = host + host, host[..., ::2]
    device.sort()
    host.sort()
    same(device, host)
    same(view, columns)
    same(pending, before)
    same(tb.sort(copy[..., ::-2]), host_sorted := np.sort(copy.get()[..., ::-2]))
    same(copy[..., ::-2] + 0, copy.get()[..., ::-2])
    assert host_sorted.shape == (*shape[:-1], (shape[-1] + 1) // 2)


def test_sort_checks_its_arguments():
    x = tb.arange(3)
    with pytest.raises(ValueError, match="kind"):
        tb.sort(x, kind="bogo")
    with pytest.raises(ValueError, match="same time"):
        x.sort(kind="stable", stable=True)
    with pytest.raises(TypeError, match="sort"):
        tb.sort([2, 1])
    for f in (tb.sort, tb.msort, tb.sort_complex):
        with pytest.raises(np.exceptions.AxisError):
            f(tb.array(1))
    with pytest.raises(np.exceptions.AxisError):
        tb.array(1).sort()


def test_functions_take_arrays_of_numpy():
    host = np.array([3, 1, 2])
    for got, want in ((tb.sort(host), [1, 2, 3]), (tb.argsort(host), [1, 2, 0]), (tb.partition(host, 0), None),
                      (tb.argpartition(host, 0), None), (tb.searchsorted(np.sort(host), host), [2, 0, 1])):
        assert type(got) is np.ndarray
        assert want is None or got.tolist() == want


@given(with_nan(min_dims=1))
@settings(max_examples=100, deadline=None)
def test_msort_and_sort_complex(pair):
    host, device = pair
    same(tb.msort(device), np.sort(host, 0))
    same(tb.sort_complex(device), np.sort_complex(host))


@given(st.integers(1, 4), arrays(INTS, max_dims=3, max_side=6), st.data())
@settings(max_examples=150, deadline=None)
def test_lexsort(n, pair, data):
    host, _ = pair
    codes = data.draw(st.lists(dtypes(), min_size=n, max_size=n))
    keys = [values(t, host.shape, 3 * i) for i, t in enumerate(codes)]
    axis = data.draw(st.integers(-host.ndim, host.ndim - 1)) if host.ndim else -1
    same(tb.lexsort([tb.array(k) for k in keys], axis), np.lexsort(keys, axis if host.ndim else -1)
         if host.ndim else np.zeros((), np.int64))
    same(tb.lexsort(tb.array(np.stack([keys[0]] * n)), axis), np.lexsort(np.stack([keys[0]] * n), axis)
         if host.ndim else np.zeros((), np.int64))


def test_lexsort_checks_its_arguments():
    x = tb.arange(3)
    for keys in ((), tb.array(1), [[1, 2]], 3):
        with pytest.raises(TypeError):
            tb.lexsort(keys)
    with pytest.raises(ValueError, match="shape"):
        tb.lexsort((x, x[:2]))
    with pytest.raises(np.exceptions.AxisError):
        tb.lexsort((x, x), 1)


@pytest.mark.parametrize("codes", ["bbbb", "dif", "FF", "DhD", "eBLd", "?"])
def test_lexsort_of_long_keys(codes):
    """Runs of equal keys, long and short, which further keys put in order."""
    rng = np.random.default_rng(7)
    for shape, axis in (((20000,), 0), ((3, 5000), 1), ((400, 3), 0)):
        keys = []
        for i, code in enumerate(codes):
            key = rng.integers(0, (2, 40, 3, 9)[i], shape).astype(code)
            if code in "FD":
                key = key + 1j * rng.integers(0, 3, shape).astype(key.real.dtype)
            if code in "efdFD":
                key[rng.random(shape) < 0.2] = np.nan
            keys.append(key)
        same(tb.lexsort([tb.array(k) for k in keys], axis), np.lexsort(keys, axis))
        same(tb.lexsort([tb.array(k) for k in keys[::-1]], axis), np.lexsort(keys[::-1], axis))
    wide = rng.normal(size=(2, 30000)) * 10.0 ** rng.integers(-300, 300, (2, 30000))
    wide[1] = np.round(wide[1], -1)
    same(tb.lexsort(tb.array(wide)), np.lexsort(wide))


# ---- partitions ------------------------------------------------------------------------------------------------------


def check_partition(host, part, kth, axis):
    """part: host's elements, of which those at kth are where sorting would put them."""
    ordered = np.sort(host, axis)
    axis = 0 if axis is None else axis
    np.testing.assert_array_equal(np.sort(part, axis), ordered)
    n = part.shape[axis]
    for k in np.atleast_1d(kth) % n if n else ():
        at = np.take(part, [k], axis)
        np.testing.assert_array_equal(at, np.take(ordered, [k], axis))
        np.testing.assert_array_equal(np.sort(np.take(part, range(k), axis), axis),
                                      np.take(ordered, range(k), axis))


def long_row(code, n, pattern):
    """n elements: as good as random, few different ones, one that is most of them, in order, with NaN and zeros."""
    random = np.random.default_rng(n)
    at = np.arange(n)
    mostly = np.where(random.random(n) < 0.6, 7, at)
    patterns = random.standard_normal(n) * 1000, random.integers(0, 5, n), mostly, at, -at
    with np.errstate(over="ignore"):
        host = patterns[pattern].astype(code)
    if host.dtype.kind in "fc" and pattern == 0:
        for special in (np.nan, np.inf, -0.0, 0.0):
            host[random.random(n) < 0.1] = special
    return host


@pytest.mark.parametrize("pattern", range(5))
@pytest.mark.parametrize("code", ["i", "L", "f", "d", "h", "e", "F"])
def test_partition_of_long_rows(code, pattern):
    for n in (32768, 70001):
        host = np.stack((long_row(code, n, pattern), long_row(code, n, pattern)[::-1]))
        device, ordered = tb.array(host), np.sort(host, kind="stable")
        for kth in ([n // 2], [0, n // 3, n // 3 + 1, n - 1], list(range(0, n, n // 20))):
            part, places = tb.partition(device, kth).get(), tb.argpartition(device, kth).get()
            assert (np.sort(places) == np.arange(n)).all()
            for x in (part, np.take_along_axis(host, places, -1)):
                np.testing.assert_array_equal(x[:, kth], ordered[:, kth])
                for first, last in zip([0, *kth], [*kth, n]):
                    np.testing.assert_array_equal(np.sort(x[:, first:last], kind="stable"), ordered[:, first:last])


@given(with_nan(min_dims=1), st.data())
@settings(max_examples=200, deadline=None)
def test_partition_and_argpartition(pair, data):
    host, device = pair
    axis = data.draw(st.one_of(st.none(), st.integers(-host.ndim, host.ndim - 1)))
    n = host.size if axis is None else host.shape[axis]
    one = st.integers(-n, max(n - 1, -n))
    kth = data.draw(st.one_of(one, st.lists(one, max_size=3)))
    kth = np.array(kth, int) if isinstance(kth, list) and data.draw(st.booleans()) else kth
    part, places = tb.partition(device, kth, axis), tb.argpartition(device, kth, axis)
    assert places.dtype == np.int64 and part.dtype == host.dtype
    check_partition(host, part.get(), kth, axis)
    flat = host.ravel() if axis is None else host
    check_partition(host, np.take_along_axis(flat, places.get(), 0 if axis is None else axis), kth, axis)
    check_partition(host, np.take_along_axis(flat, device.argpartition(kth, axis).get(), 0 if axis is None else axis),
                    kth, axis)
    if axis is not None:
        device.partition(kth, axis)
        check_partition(host, device.get(), kth, axis)


@pytest.mark.parametrize("name", ["partition", "argpartition"])
def test_partition_checks_its_arguments(name):
    x = tb.arange(6).reshape(2, 3)
    f = getattr(tb, name)
    for kth in (3, -4, [0, 5]):
        with pytest.raises(ValueError, match="kth"):
            f(x, kth)
        with pytest.raises(ValueError, match="kth"):
            getattr(x, name)(kth)
    f(x, 5, None)
    with pytest.raises(TypeError, match="kth"):
        f(x, 1.0)
    with pytest.raises(ValueError, match="kind"):
        f(x, 1, kind="quick")
    with pytest.raises(np.exceptions.AxisError):
        f(x, 1, 2)
    with pytest.raises(TypeError, match=name):
        f([1, 2], 0)
    with pytest.raises(np.exceptions.AxisError):
        tb.partition(tb.array(1), 0)
    same(tb.argpartition(tb.array(1), 0), np.argpartition(np.array(1), 0))


# ---- places in sorted arrays -----------------------------------------------------------------------------------------


@given(with_nan(max_dims=1, max_side=20, min_dims=1), with_nan(max_dims=3, max_side=5),
       st.sampled_from(["left", "right"]))
@settings(max_examples=400, deadline=None)
def test_searchsorted(a, v, side):
    (a, _), (v, v_device) = a, v
    ordered, sorter = np.sort(a), np.argsort(a, kind="stable")
    want = np.searchsorted(ordered, v, side)
    same(tb.searchsorted(tb.array(ordered), v_device, side), want)
    same(tb.array(ordered).searchsorted(v_device, side), want)
    same(tb.array(ordered[::-1].copy())[::-1].searchsorted(v_device, side), want)
    for t in (np.int64, np.int32):
        same(tb.searchsorted(tb.array(a), v_device, side, tb.array(sorter.astype(t))), want)


@pytest.mark.parametrize("code", list("?bBhHilLefdFD"))
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted_long(code, side):
    rng = np.random.default_rng(3)
    bits = rng.integers(0, 2 if code == "?" else 256, 40000 * np.dtype(code).itemsize, np.uint8)
    a = np.sort(np.frombuffer(bits.tobytes(), code))
    for n in (1, 2, 1000, 40000):
        v = rng.permutation(a)
        some = np.sort(rng.permutation(a)[:n])
        same(tb.searchsorted(tb.array(some), tb.array(v), side), np.searchsorted(some, v, side))


@pytest.mark.parametrize("code", ["i", "l", "f", "d", "F"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted_of_values_close_to_each_other(code, side):
    """What follows on the last places, up, down and in runs with jumps between them, at both ends and in the middle."""
    rng = np.random.default_rng(8)
    a = np.sort(rng.integers(-20000, 20000, 5000)).astype(code)
    up = np.sort(rng.integers(-30000, 30000, 3000))
    runs = np.repeat(rng.integers(-30000, 30000, 60), 50) + np.tile(np.arange(50), 60)
    dense = np.sort(rng.integers(-30000, 30000, 12000))
    for v in (up, up[::-1], dense, runs, np.repeat(a[[0, -1, 7]], 100), np.concatenate((up[:1000], runs))):
        v = v.astype(code)
        if code in "fdF":
            v[rng.random(v.size) < 0.01] = np.nan
        for some in (a, a[:40], np.append(a, [a[-1]] * 90)):
            same(tb.searchsorted(tb.array(some), tb.array(v), side), np.searchsorted(some, v, side))
    if code in "fd":
        ending = np.append(a, [np.nan] * 100)
        same(tb.searchsorted(tb.array(ending), tb.array(up.astype(code)), side), np.searchsorted(ending, up, side))


def test_searchsorted_takes_numbers():
    a = np.array([1, 3, 5])
    for v in (3, 2.5, True, np.float32(4), np.nan):
        for side in ("left", "right"):
            same(tb.searchsorted(tb.array(a), v, side), np.searchsorted(a, v, side))


def test_searchsorted_keeps_to_the_bounds_of_what_is_not_sorted():
    rng = np.random.default_rng(5)
    got = tb.searchsorted(tb.array(rng.random(1000)), tb.array(rng.random(1000))).get()
    assert got.min() >= 0 and got.max() <= 1000


def test_searchsorted_checks_its_arguments():
    x = tb.arange(3)
    with pytest.raises(ValueError, match="side"):
        tb.searchsorted(x, x, "middle")
    for a in (tb.array(1), tb.ones((2, 2))):
        with pytest.raises(ValueError, match="one-dimensional"):
            tb.searchsorted(a, x)
    with pytest.raises(ValueError, match="sorter"):
        tb.searchsorted(x, x, sorter=x[:2])
    with pytest.raises(TypeError, match="sorter"):
        tb.searchsorted(x, x, sorter=x * 1.0)
    with pytest.raises(TypeError, match="searchsorted"):
        tb.searchsorted(x, [1])


def test_searchsorted_of_what_is_pending_and_is_changed_after():
    a, v = tb.arange(100) * 2, tb.arange(100) + 1
    got = tb.searchsorted(a, v)
    a += 50
    v += 3
    same(got, np.searchsorted(np.arange(100) * 2, np.arange(100) + 1))
    same(got + 1, np.searchsorted(np.arange(100) * 2, np.arange(100) + 1) + 1)


@given(with_nan(max_dims=3, max_side=5, codes=INTS + FLOATS), st.lists(st.integers(-9, 9), max_size=12), st.booleans(),
       st.booleans(), st.sampled_from(["l", "d", "f"]))
@settings(max_examples=200, deadline=None)
def test_digitize(x, bins, right, descending, code):
    host, device = x
    bins = np.sort(np.array(bins, code))[:: -1 if descending else 1]
    same(tb.digitize(device, tb.array(bins), right), np.digitize(host, bins, right))


def test_digitize_checks_its_arguments():
    x = tb.arange(3.0)
    with pytest.raises(ValueError, match="order"):
        tb.digitize(x, tb.array([1, 3, 2]))
    with pytest.raises(ValueError, match="one-dimensional"):
        tb.digitize(x, x.reshape(1, 3))
    with pytest.raises(TypeError, match="complex"):
        tb.digitize(x * 1j, x)


@pytest.mark.parametrize("odd", ["nothing", "zeros", "subnormal", "nan", "all"])
@pytest.mark.parametrize("n", [7, 100, 1000, 5000, 70_000])
@pytest.mark.parametrize("code", "efd")
def test_bits_of_floats_are_kept(code, n, odd):
    """Zeros of both signs among them, the negative ones first, and numbers that are nearly zero."""
    rng = np.random.default_rng(n)
    x = (rng.standard_normal(n) * 100).astype(code)
    tiny = np.finfo(code).smallest_subnormal
    numbers = {"zeros": [0.0, -0.0], "subnormal": [tiny, -3 * tiny, 0.0], "nan": [np.nan, np.inf, -np.inf]}
    for name, some in numbers.items():
        if odd in (name, "all"):
            at = rng.random(n) < 0.3
            x[at] = rng.choice(np.array(some, code), at.sum())
    bits = np.dtype(f"u{x.itemsize}")
    got = tb.sort(tb.array(x)).get()
    count = n - np.isnan(x).sum()
    np.testing.assert_array_equal(got, in_order(x))
    np.testing.assert_array_equal(np.sort(got[:count].view(bits)), np.sort(x[~np.isnan(x)].view(bits)))
    assert np.all(np.diff(np.signbit(got[:count]).astype(int)) <= 0)


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("values", [3, 200, 256])
def test_positions_of_many_bytes(dtype, values):
    """Of few values and of all that there are: equal ones stay in their order."""
    host = (np.random.default_rng(values).integers(0, values, 150_001) - (128 if dtype == "int8" else 0)).astype(dtype)
    np.testing.assert_array_equal(tb.argsort(tb.array(host), stable=True).get(), np.argsort(host, kind="stable"))
    parted = tb.argpartition(tb.array(host), 70_000).get()
    assert host[parted[70_000]] == np.sort(host)[70_000] and len(np.unique(parted)) == len(host)
    assert host[parted[:70_000]].max() <= host[parted[70_000]] <= host[parted[70_001:]].min()


@given(st.sampled_from("? b H l e f d F".split()), st.lists(st.integers(0, 6), min_size=1, max_size=3),
       st.integers(0, 99))
def test_descending(code, shape, seed):
    """Equal elements keep their order, as the array API standard has it; NumPy has no such argument."""
    host = np.random.default_rng(seed).integers(0, 4, shape).astype(code)
    if code in "efd":
        host[host == 3] = np.nan
    a = tb.array(host)[..., ::-1]
    host = host[..., ::-1]
    for axis in (*range(-len(shape), len(shape)), None):
        x, along = (host.ravel(), 0) if axis is None else (host, axis)
        places = x.shape[along] - 1 - np.flip(np.argsort(np.flip(x, along), along, kind="stable"), along)
        same(tb.argsort(a, axis, descending=True), places)
        ordered = tb.sort(a, axis, descending=True)
        same(ordered, np.take_along_axis(x, places, along))
        assert ordered.flags.c_contiguous
    assert tb.argsort(tb.array(2.0), descending=True).tolist() == [0]
    with pytest.raises(np.exceptions.AxisError):
        tb.sort(a, len(shape), descending=True)


def check_many_of_64_bits():
    rng = np.random.default_rng(7)
    for n in (200, 257, 1000, 5000, 40000, 300000):
        x = rng.standard_normal(n) * 1e6
        for a in (x, x // 1e5, np.sort(x), x.astype("l"), x.astype("L"), (x // 1e5).astype("l"), -np.arange(n)):
            same(tb.sort(tb.array(a)), np.sort(a))
        x[rng.integers(0, n, 9)] = np.nan, np.inf, -np.inf, 0, -0.0, 5e-324, -5e-324, 1e308, np.nan
        same(tb.sort(tb.array(x)), np.sort(x))
        same(tb.sort(tb.array(x[:n // 8 * 8].reshape(-1, 8)), 0), np.sort(x[:n // 8 * 8].reshape(-1, 8), 0))


def test_many_of_64_bits():
    check_many_of_64_bits()


def test_many_of_64_bits_with_avx2():
    """Where NumPy's sorts serve."""
    if config.backend() != "cpu":
        pytest.skip("loops of the host")
    environment = {**os.environ, "TOMBAC_BACKEND": "cpu", "TOMBAC_CPU_ISA": "avx2"}
    done = subprocess.run([sys.executable, "-c", "import test_sorting as t; t.check_many_of_64_bits()"],
                          cwd=os.path.dirname(__file__), env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
