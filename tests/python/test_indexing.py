"""Indexing and assignment against NumPy: integers, slices, Ellipsis, None, index arrays, masks, overlap, errors."""

from array import array as stdlib_array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import arrays, dtypes, same, same_outcome, values

import tombac
from tombac import config


def bounds(n):
    return st.none() | st.integers(-n - 3, n + 3)


@st.composite
def keys(draw, shape):
    """A basic index for an array of this shape, now and then one that is out of bounds."""
    items = []
    for n in shape[: draw(st.integers(0, len(shape)))]:
        kind = draw(st.sampled_from("iisss"))
        if kind == "i":
            items.append(draw(st.integers(-n - (n == 0), max(n - 1, 0))))
        else:
            items.append(slice(draw(bounds(n)), draw(bounds(n)), draw(st.sampled_from([None, 1, 2, 3, -1, -2]))))
    if draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))), None)
    if draw(st.booleans()):
        items.append(Ellipsis)
    return tuple(items) if len(items) != 1 or draw(st.booleans()) else items[0]


@given(arrays(), st.data())
def test_get(pair, data):
    a, b = pair
    key = data.draw(keys(a.shape))
    same_outcome(lambda: b[key], lambda: np.asarray(a[key]))


@given(arrays(), st.data())
def test_get_of_get(pair, data):
    a, b = pair
    for _ in range(2):
        key = data.draw(keys(a.shape))
        try:
            a = a[key if isinstance(key, tuple) and Ellipsis in key else (key if isinstance(key, tuple) else (key,))]
        except IndexError:
            with pytest.raises(IndexError):
                b[key]
            return
        a, b = np.asarray(a), b[key]
        same(b, a)


@given(arrays(), dtypes(), st.data())
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_set_array(pair, dtype, data):
    a, b = pair[0].copy("K"), pair[1].copy("K")
    key = data.draw(keys(a.shape))
    try:
        shape = a[key].shape
    except IndexError:
        with pytest.raises(IndexError):
            b[key] = 0
        return
    shape = tuple(data.draw(st.sampled_from([n, 1])) for n in shape)[data.draw(st.integers(0, len(shape))) :]
    v = values(dtype, shape, 1)
    a[key] = v
    b[key] = tombac.array(v)
    same(b, a)
    b[key] = 0
    a[key] = 0
    b[key] = v  # host arrays may be assigned
    a[key] = v
    same(b, a)


@given(arrays(), st.sampled_from([0, 1, True, 2.5, np.float32(1), np.int8(2)]), st.data())
def test_set_number(pair, x, data):
    a, b = pair[0].copy("K"), pair[1].copy("K")
    key = data.draw(keys(a.shape))
    try:
        a[key] = x
    except IndexError:
        with pytest.raises(IndexError):
            b[key] = x
        return
    b[key] = x
    same(b, a)


@given(st.integers(2, 40), st.data())
def test_overlapping_assignment(n, data):
    a, b = np.arange(n), tombac.arange(n)
    m = data.draw(st.integers(0, n // 2))
    i, j = (data.draw(st.integers(0, n - m)) for _ in range(2))
    flip = data.draw(st.sampled_from([1, -1]))
    a[i : i + m] = a[j : j + m][::flip].copy()
    b[i : i + m] = b[j : j + m][::flip]
    same(b, a)
    a[i : i + m] += a[j : j + m][::flip].copy()
    b[i : i + m] += b[j : j + m][::flip]
    same(b, a)


@pytest.mark.parametrize("flip", [1, -1])
def test_overlap_in_two_dimensions(flip):
    a = np.arange(100).reshape(10, 10)
    b = tombac.array(a)
    a[1:, 2:] = a[:-1, :-2][::flip].copy()
    b[1:, 2:] = b[:-1, :-2][::flip]
    same(b, a)
    b[...] = b.T
    same(b, a.T)


def test_indices_of_other_types():
    a, b = np.arange(10), tombac.arange(10)

    class Three:
        def __index__(self):
            return 3

    same(b[np.int8(3)], np.asarray(a[3]))
    same(b[Three()], np.asarray(a[3]))
    same(b[np.uint64(2) : np.int16(5)], a[2:5])
    same(b[: tombac.array(4)], a[:4])


def test_pending_arrays_are_indexed():
    a = tombac.arange(10) * 2 + 1
    v = a[3:6]
    a += 1
    same(v, np.arange(10)[3:6] * 2 + 2)


def test_errors():
    a = tombac.zeros((3, 4))
    for key in [3, (0, 4), (0, 0, 0), (Ellipsis, Ellipsis), -4, (Ellipsis, 0, 0, 0)]:
        with pytest.raises(IndexError):
            a[key]
        with pytest.raises(IndexError):
            a[key] = 1
    with pytest.raises(ValueError, match="zero"):
        a[::0]
    with pytest.raises(TypeError):
        a["x" : "y"]
    with pytest.raises(ValueError):
        del a[0]
    with pytest.raises(ValueError):
        a[0] = tombac.zeros(3)
    with pytest.raises(ValueError):
        a[0] = [1, 2]
    with pytest.raises((IndexError, TypeError)):
        a[1.0]
    with pytest.raises((IndexError, TypeError)):
        a["x"]


def test_numbers_that_do_not_fit():
    i, f = tombac.zeros(2, "i1"), tombac.zeros(2)
    with pytest.raises(OverflowError):
        i[0] = 300
    with pytest.raises(ValueError):
        i[0] = float("nan")
    with pytest.raises(TypeError):
        f[0] = 1j
    f[0] = 2**70
    assert f[0] == 2.0**70
    with pytest.raises(OverflowError):
        i[:] = 2**70


def test_iteration_and_membership():
    a = np.arange(6).reshape(3, 2)
    b = tombac.array(a)
    assert len(b) == 3
    for got, want in zip(b, a, strict=True):
        same(got, want)
    assert [int(x) for x in tombac.arange(4)] == [0, 1, 2, 3]
    assert 3 in b and 9 not in b
    first, *rest = b
    same(first, a[0])
    assert len(rest) == 2


def test_leading_ones_are_dropped_in_assignment():
    a = tombac.zeros(3)
    a[...] = tombac.ones((1, 1, 3))
    same(a, np.ones(3))


BOOL_KEYS = [lambda xp: True, lambda xp: False, lambda xp: xp.array(True), lambda xp: xp.array(False),
             lambda xp: (xp.array(True), 0), lambda xp: (0, True), lambda xp: (True, False),
             lambda xp: (True, Ellipsis, [0]), lambda xp: (slice(None), True), lambda xp: ([0, 1], True),
             lambda xp: (True, [0, 1]), lambda xp: (None, xp.array(True), slice(1)), lambda xp: range(2),
             lambda xp: (range(1), range(2)), lambda xp: (slice(None), range(2)), lambda xp: stdlib_array("i", [1, 0])]


@pytest.mark.parametrize("key", BOOL_KEYS)
def test_masks_without_dimensions_and_sequences(key):
    a = np.arange(12).reshape(2, 3, 2)
    x = tombac.array(a)
    same(x[key(tombac)], a[key(np)])
    x[key(tombac)] = 5
    a[key(np)] = 5
    same(x, a)


def test_a_mask_gives_a_copy():
    x = tombac.arange(3)
    x[True][0] = 9
    assert x.tolist() == [0, 1, 2]


@pytest.mark.parametrize("key", [1.5, "x", [1.5], {1}, object(), [["a"]]])
def test_what_is_no_index(key):
    with pytest.raises(IndexError):
        tombac.arange(3)[key]


class Index:
    def __init__(self, answer):
        self.answer = answer

    def __index__(self):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def __repr__(self):
        return f"Index({self.answer!r})"


NUMBERS = st.sampled_from([
    0, 1, -1, 2, -3, 5, 2**31, -(2**63), 2**63 - 1, 2**63, -(2**70), True, False, 1.0, np.int8(1),
    np.uint64(2**64 - 1), np.bool_(True), np.float32(1), Index(1), Index(-(2**70)), Index("x"),
    Index(ArithmeticError("no index")), "1", b"1", 1j,
])
ANY_ITEM = st.one_of(NUMBERS, st.none(), st.just(Ellipsis), st.just({1}), st.just(object()),
                     st.builds(slice, st.none() | NUMBERS, st.none() | NUMBERS, st.none() | NUMBERS),
                     st.recursive(NUMBERS, lambda x: st.lists(x, max_size=3) | st.tuples(x, x), max_leaves=6))


@given(st.lists(ANY_ITEM, max_size=5), st.booleans())
def test_keys_of_any_objects(items, as_tuple):
    """Whatever NumPy takes is taken alike; the rest is an error of the kinds that keys have."""
    key = items[0] if len(items) == 1 and not as_tuple else tuple(items)
    a = np.arange(24).reshape(2, 3, 4)
    x = tombac.array(a)
    try:
        want = np.asarray(a[key])
    except Exception as e:
        try:
            x[key]  # indices that are too large wrap around
            x[key] = 1
        except (IndexError, TypeError, ValueError, ArithmeticError, NotImplementedError, type(e)):
            pass
        return
    same(x[key], want)
    a[key] = x[key] = 7
    same(x, a)


def test_assignment_to_nothing():
    x = tombac.zeros((2, 0, 3))
    x[[0, 1]] = 3
    x[True] = 1
    x = tombac.zeros((2, 3))
    with pytest.raises(ValueError):
        x[[0, 1]] = tombac.zeros(2)


# ---- index arrays and masks ------------------------------------------------------------------------------------------


@st.composite
def places(draw, shape):
    """A key of index arrays, masks and basic items for an array of this shape, as a function of the library."""
    common = draw(st.sampled_from([(), (1,), (3,), (2, 3), (0,)]))
    items, axis = [], 0
    stop = draw(st.integers(0, len(shape)))
    while axis < stop:
        n = shape[axis]
        kind = draw(st.sampled_from("aaaismn"))
        if kind == "a" and n:
            own = tuple(draw(st.sampled_from([k, 1])) for k in common)[draw(st.integers(0, len(common))) :]
            seed, dtype = draw(st.integers(0, 99)), draw(dtypes("b h i l B H I L".split()))
            low = 0 if dtype.kind == "u" else -n
            items.append(("a", np.random.default_rng(seed).integers(low, n, own).astype(dtype)))
        elif kind == "i" and n:
            items.append(("b", draw(st.integers(-n, n - 1))))
        elif kind == "m" and 0 not in shape:  # an empty mask matches any axis in NumPy
            rank = draw(st.integers(1, stop - axis))
            items.append(("a", np.random.default_rng(draw(st.integers(0, 99))).random(shape[axis : axis + rank]) < 0.5))
            axis += rank - 1
        elif kind == "n" and len(items) < 5:
            items.append(("b", None))
            continue
        else:
            items.append(("b", slice(draw(bounds(n)), draw(bounds(n)), draw(st.sampled_from([None, 2, -1])))))
        axis += 1
    if draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))) if stop == len(shape) else len(items), ("b", Ellipsis))
    host = draw(st.booleans())
    return lambda xp: tuple(xp.array(k) if what == "a" and not (host and xp is tombac) else k for what, k in items)


def outcome(f):
    try:
        return f(), None
    except (IndexError, ValueError) as e:
        return None, type(e)


@given(arrays(), st.data())
def test_get_places(pair, data):
    a, b = pair
    key = data.draw(places(a.shape))
    want, error = outcome(lambda: np.asarray(a[key(np)]))
    if error:
        with pytest.raises(error):
            b[key(tombac)]
        return
    same(b[key(tombac)], want)
    same(b[key(tombac)] + b[key(tombac)], want + want)  # part of a larger kernel
    same(b[key(tombac)].sum(), want.sum())


@given(arrays(), dtypes(), st.data())
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_set_places(pair, dtype, data):
    a, b = pair[0].copy("K"), pair[1].copy("K")
    key = data.draw(places(a.shape))
    want, error = outcome(lambda: a[key(np)])
    if error:
        with pytest.raises(error):
            b[key(tombac)] = 1
        return
    if not any(isinstance(k, np.ndarray) for k in key(np)):
        return
    shape = tuple(data.draw(st.sampled_from([n, 1])) for n in want.shape)
    masked = any(isinstance(k, np.ndarray) and k.dtype == bool for k in key(np))
    longer = data.draw(st.booleans()) and not masked and shape  # NumPy drops leading ones, but not everywhere
    shape = (1,) + shape if longer else shape[data.draw(st.integers(0, len(shape))) :]
    v = values(dtype, shape, 1)
    want, error = outcome(lambda: a.__setitem__(key(np), v))
    if error:
        with pytest.raises(error):
            b[key(tombac)] = tombac.array(v)
        return
    pending = b + 1
    before = a
    b[key(tombac)] = tombac.array(v)
    if config.backend() != "cpu":
        return  # which of several values stays is not defined there
    same(b, before)
    assert pending.shape == b.shape
    b[key(tombac)] = 0
    a[key(np)] = 0
    same(b, a)


UPDATES = ["add", "subtract", "multiply", "maximum", "minimum"]


BITWISE = ["bitwise_and", "bitwise_or", "bitwise_xor"]


@given(arrays(), st.sampled_from(UPDATES + BITWISE + ["fmax", "floor_divide"]), st.data())
def test_update_places(pair, name, data):
    a, b = pair[0].copy("K"), pair[1].copy("K")
    key = data.draw(places(a.shape))
    want, error = outcome(lambda: a[key(np)])
    if error or (name == "floor_divide" and a.dtype.kind != "f"):
        return
    v = values(a.dtype, want.shape, 3)
    if name == "floor_divide":
        v = np.abs(v) + 1
    try:
        getattr(np, name).at(a, key(np), v)
    except TypeError:
        with pytest.raises(TypeError):
            getattr(tombac, name).at(b, key(tombac), tombac.array(v))
        return
    getattr(tombac, name).at(b, key(tombac), tombac.array(v))
    same(b, a)


@pytest.mark.parametrize("dtype", "FD")
@pytest.mark.parametrize("places", [1, 7, 5000])
def test_complex_products_count_every_time(places, dtype):
    index = np.random.default_rng(places).integers(0, places, 20_000)
    got, aside = tombac.ones(places, dtype), tombac.zeros((places, 3), dtype)
    tombac.multiply.at(got, tombac.array(index), tombac.array(np.full(20_000, 1j, dtype)))
    want = np.array([1, 1j, -1, -1j], dtype)[np.bincount(index, minlength=places) % 4]
    same(got, want)
    tombac.maximum.at(aside[:, 1], tombac.array(index), tombac.array(np.arange(20_000).astype(dtype)))
    last = np.zeros(places, dtype)
    np.maximum.at(last, index, np.arange(20_000).astype(dtype))
    same(aside[:, 1], last)
    same(aside[:, ::2], np.zeros((places, 2), dtype))


@pytest.mark.parametrize("dtype", "e f d F D b h i l B H I L ?".split())
@pytest.mark.parametrize("name", UPDATES)
def test_updates_count_every_time(name, dtype):
    if dtype == "?" and name == "subtract" or dtype in "FD" and name in ("maximum", "minimum", "multiply"):
        return
    rng = np.random.default_rng(2)
    index, v = rng.integers(-5, 5, 1000), (rng.integers(1, 3, 1000) % (2 if dtype == "?" else 9)).astype(dtype)
    a = np.ones(5, dtype)
    b = tombac.array(a)
    with np.errstate(over="ignore"):
        getattr(np, name).at(a, index, v)
    getattr(tombac, name).at(b, tombac.array(index), tombac.array(v))
    same(b, a)


def test_updates_of_other_kinds():
    a, b = np.arange(6.0), tombac.arange(6.0)
    index = [1, 1, 1, -1]
    np.negative.at(a, index)
    tombac.negative.at(b, index)
    np.power.at(a, index, 2)
    tombac.power.at(b, index, 2)
    np.ldexp.at(a, index, np.arange(4))
    tombac.ldexp.at(b, index, tombac.arange(4))
    same(b, a)
    with pytest.raises(TypeError):
        tombac.bitwise_or.at(tombac.arange(3), [0], 0.5)
    np.less.at(a, index, 1.0)
    tombac.less.at(b, index, 1.0)
    same(b, a)
    with pytest.raises(ValueError):
        tombac.add.at(b, index)
    with pytest.raises(IndexError):
        tombac.add.at(b, [0.5], 1)


def test_indices_wrap_around():
    x = tombac.arange(5)
    for dtype in (np.int8, np.int64, np.uint8):
        index = np.array([5, 7, 101] if dtype == np.uint8 else [5, -6, 101, -103, 4], dtype)
        same(x[tombac.array(index)], np.arange(5)[index.astype(int) % 5])
    x[[7]] = 9
    tombac.add.at(x, tombac.array([12, -8]), 1)
    assert x.tolist() == [0, 1, 11, 3, 4]


def test_nothing_to_index():
    with pytest.raises(IndexError, match="size 0"):
        tombac.zeros((0, 3))[[0]]
    with pytest.raises(IndexError):
        tombac.zeros((0, 3))[tombac.array([0])] = 1
    same(tombac.zeros((0, 3))[[]], np.zeros((0, 3)))
    same(tombac.zeros((4, 0))[[1, 2]], np.zeros((2, 0)))
    same(tombac.zeros(3)[tombac.zeros(3, bool)], np.zeros(0))
    assert [k.shape for k in tombac.nonzero(tombac.zeros((2, 0)))] == [(0,), (0,)]


@pytest.mark.parametrize("key", [([0, 1], [0, 1, 2]), np.zeros((3, 3), bool), np.zeros(4, bool), ([0], [0], [0]),
                                 np.zeros((2, 3, 1), bool), (np.zeros((2, 3), bool), 0)])
def test_keys_that_do_not_fit(key):
    a, b = np.zeros((2, 3)), tombac.zeros((2, 3))
    with pytest.raises(IndexError) as theirs:
        a[key]
    with pytest.raises(IndexError) as ours:
        b[key]
    assert str(ours.value).rstrip() == str(theirs.value).rstrip()
    with pytest.raises(IndexError):
        b[key] = 1


def test_values_that_do_not_fit():
    a = tombac.zeros((3, 4))
    mask = tombac.ones((3, 4), bool)
    for key, v in [([0, 1], tombac.ones(3)), (mask, tombac.ones(5)), ([0], tombac.ones((2, 1, 4)))]:
        with pytest.raises(ValueError):
            a[key] = v
    with pytest.raises(OverflowError):
        tombac.zeros(3, "i1")[[0]] = 300
    same(a, np.zeros((3, 4)))


def test_the_last_of_several_values_stays_on_the_cpu():
    if config.backend() != "cpu":
        return
    index = np.random.default_rng(0).integers(0, 50, 100000)
    a, b = np.zeros(50), tombac.zeros(50)
    a[index] = np.arange(100000)
    b[tombac.array(index)] = tombac.arange(100000)
    same(b, a)
    a, b = np.zeros((50, 20)), tombac.zeros((50, 20))
    v = np.random.default_rng(1).random((5000, 20))
    a[index[:5000]] = v
    b[tombac.array(index[:5000])] = tombac.array(v)
    same(b, a)


def test_reading_and_writing_one_array():
    index = np.array([3, 1, 4, 5, 0, 2])
    a, b = np.arange(6.0), tombac.arange(6.0)
    y, before = b[tombac.array(index)], a[index]
    b += b[tombac.array(index)]
    a += a[index]
    same(y, before)
    b[tombac.array(index)] = b[::-1]
    a[index] = a[::-1].copy()
    y, before = b[tombac.array(index)] * 2, a[index] * 2
    b[1:3] = 7
    a[1:3] = 7
    same(y, before)
    i, j = index.copy(), tombac.array(index)
    i[index] = np.arange(6)  # not by itself, where NumPy 2.0 reads what it has written
    j[j] = tombac.arange(6)
    j[tombac.array([0])] = j[tombac.array([5])] + 1
    i[[0]] = i[[5]] + 1
    same(j, i)
    same(b, a)


def test_a_gather_is_part_of_its_kernel():
    x, index = tombac.arange(100000.0), tombac.arange(50000)
    x.data, index.data  # in memory
    config.reset_counters()
    y = (x[index * 7 % 1000] * 2 + 1).sum()
    assert config.counters()["launches"] == 1
    assert float(y) == float((np.arange(100000.0)[np.arange(50000) * 7 % 1000] * 2 + 1).sum())


def test_large():
    n = 1000000
    rng = np.random.default_rng(0)
    index, x, mask = rng.integers(-n, n, n), rng.random(n), rng.random(n) < 0.3
    i, a, m = tombac.array(index), tombac.array(x), tombac.array(mask)
    same(a[i], x[index])
    same(a[m], x[mask])
    same(m.nonzero()[0], mask.nonzero()[0])
    same(a.reshape(1000, 1000)[m.reshape(1000, 1000)], x[mask])
    same(a.reshape(1000, 1000)[i[:5000]], x.reshape(1000, 1000)[index[:5000] % 1000])
    a[m] = tombac.arange(int(mask.sum()))
    x[mask] = np.arange(mask.sum())
    same(a, x)
    tombac.add.at(a, i, 1.0)
    np.add.at(x, index, 1.0)
    same(a, x)
    order = rng.permutation(n)
    a[tombac.array(order)] = a * 2
    x[order] = x * 2
    same(a, x)


def test_more_than_2_31_elements():
    n = (1 << 31) + 10
    x, where = tombac.empty(n, np.int8), np.array([0, 1 << 31, n - 1, -5, (1 << 30) + 1])
    v = np.arange(1, 6, dtype=np.int8)
    x[tombac.array(where)] = tombac.array(v)
    same(x[tombac.array(where)], v)
    tombac.add.at(x, where, 1)
    same(x[where] + x[where], 2 * (v + 1))


def test_along_an_axis():
    rng = np.random.default_rng(3)
    a = rng.integers(0, 99, (4, 5, 6))
    for axis in (0, 1, 2, -1, None):
        order = a.argsort(axis)
        same(tombac.take_along_axis(tombac.array(a), tombac.array(order), axis), np.take_along_axis(a, order, axis))
        got, want = tombac.array(a), a.copy()
        tombac.put_along_axis(got, tombac.array(order), -1, axis)
        np.put_along_axis(want, order, -1, axis)
        same(got, want)
    part = rng.integers(0, 5, (4, 2, 1))
    same(tombac.take_along_axis(tombac.array(a), tombac.array(part), 1), np.take_along_axis(a, part, 1))
    empty, none = np.zeros((2, 0, 3)), np.zeros((2, 1, 2), int)
    same(tombac.take_along_axis(tombac.array(empty), tombac.array(none), 2), np.take_along_axis(empty, none, 2))


@given(arrays(min_dims=1), st.data())
def test_along_an_axis_of_any_layout(pair, data):
    """Other axes are broadcast, indices have any integer dtype and layout; written values are numbers or arrays."""
    a, x = pair
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    shape = [data.draw(st.sampled_from([n, n, 1])) if d != axis % a.ndim else data.draw(st.integers(0, 4))
             for d, n in enumerate(a.shape)]
    length, rng = a.shape[axis], np.random.default_rng(data.draw(st.integers(0, 99)))
    low = 0 if length == 0 else -length
    index = rng.integers(low, max(length, 1), shape[::-1]).astype(data.draw(st.sampled_from("bhil"))).T
    where = tombac.array(index.T).T
    same_outcome(lambda: tombac.take_along_axis(x, where, axis), lambda: np.take_along_axis(a, index, axis))
    same_outcome(lambda: tombac.take_along_axis(x, where + 0, axis) + 1, lambda: np.take_along_axis(a, index, axis) + 1)
    value = data.draw(st.sampled_from([1, 0, np.arange(shape[-1] or 1, dtype="b") % 2]))

    def put(xp, a, index):
        a = xp.array(a, order="K")
        xp.put_along_axis(a, index, value if isinstance(value, int) else xp.array(value), axis)
        return a

    if tombac.config.backend() == "cpu" or np.unique(index).size == index.size:  # else any of several values stays
        same_outcome(lambda: put(tombac, x, where), lambda: put(np, a, index))


def test_along_an_axis_needs_no_other_memory():
    """Neither the places of other axes nor a copy of what is read: one kernel, which also computes the indices."""
    a = tombac.array(np.arange(60000.0).reshape(200, 300))
    order = tombac.array(np.random.default_rng(0).permuted(np.tile(np.arange(150), (200, 1)), axis=1))
    before = config.counters()
    got = tombac.take_along_axis(a, order * 2, 1) + 1
    got.data.ptr
    after = config.counters()
    assert after["launches"] - before["launches"] == 1 and after["allocations"] - before["allocations"] == 1
    same(got, np.take_along_axis(a.get(), order.get() * 2, 1) + 1)


def test_along_an_axis_of_records_and_of_views():
    kind = np.dtype([("x", "f4"), ("y", "i2", (2,))])
    host = np.zeros((3, 4), kind)
    host["x"], host["y"] = np.arange(12).reshape(3, 4), np.arange(24).reshape(3, 4, 2)
    index = np.array([[3, 0], [1, 1], [2, -1]])
    x, where = tombac.array(host), tombac.array(index)
    got, want = tombac.take_along_axis(x, where, 1).get(), np.take_along_axis(host, index, 1)
    assert got.dtype == kind and got.tobytes() == want.tobytes()
    tombac.put_along_axis(x, where, x[0, 0], 1)
    np.put_along_axis(host, index, host[0, 0], 1)
    assert x.get().tobytes() == host.tobytes()
    flat, places = np.arange(12).reshape(3, 4), np.array([0, 5, -1])
    y = tombac.array(flat)
    tombac.put_along_axis(y.T, tombac.array(places), tombac.array([7, 8, 9]), None)
    flat.T.flat[places] = [7, 8, 9]
    same(y, flat)


def test_along_an_axis_refuses():
    x, where = tombac.zeros((2, 3)), tombac.zeros((2, 3), int)
    for kind, call in ((IndexError, lambda: tombac.take_along_axis(x, where + 0.5, 1)),
                       (IndexError, lambda: tombac.take_along_axis(x, where == 0, 1)),
                       (IndexError, lambda: tombac.take_along_axis(x, tombac.zeros((4, 3), int), 1)),
                       (IndexError, lambda: tombac.take_along_axis(x[:, :0], where, 1)),
                       (ValueError, lambda: tombac.take_along_axis(x, where[0], 1)),
                       (ValueError, lambda: tombac.take_along_axis(x, where, None)),
                       (ValueError, lambda: tombac.put_along_axis(x, where, tombac.zeros((2, 2)), 1)),
                       (np.exceptions.AxisError, lambda: tombac.take_along_axis(x, where, 2)),
                       (np.exceptions.AxisError, lambda: tombac.put_along_axis(x, where, 1, -3)),
                       (TypeError, lambda: tombac.take_along_axis(x, [[0], [1]], 1)),
                       (TypeError, lambda: tombac.put_along_axis(x.get(), where, 1, 1))):
        with pytest.raises(kind):
            call()


@pytest.mark.parametrize("xp", [np, tombac])
def test_ix_and_flat_positions(xp):
    a = xp.arange(12).reshape(3, 4)
    assert a[xp.ix_([0, 2], [1, 3])].tolist() == [[1, 3], [9, 11]]
    assert a[xp.unravel_index(xp.array([5, 11]), (3, 4))].tolist() == [5, 11]
    assert a[xp.ix_(xp.array([True, False, True]), [1])].tolist() == [[1], [9]]


@pytest.mark.parametrize("dtype", "?hfdD")
@pytest.mark.parametrize("share", [0, 1e-4, 1e-3, 0.02, 0.2, 1])
def test_masks_of_any_density(share, dtype):
    rng = np.random.default_rng(5)
    for n in (1, 63, 64, 65, 1000, 200_003):
        mask, x = rng.random(n) < share, (rng.random(n) * 99).astype(dtype)
        mask[-1:] |= n % 2 == 0
        m, a = tombac.array(mask), tombac.array(x)
        same(m.nonzero()[0], mask.nonzero()[0])
        same(a[m], x[mask])
        new = np.arange(mask.sum()).astype(dtype)
        a[m] = tombac.array(new)
        x[mask] = new
        same(a, x)
    odd = np.where(mask, 6, 0).astype(np.uint8)  # truth values with other bits set, as foreign memory may have
    same(tombac.array(odd).view(bool).nonzero()[0], odd.nonzero()[0])


def test_masked_assignment_of_rows():
    """The values are one for each true element, in any layout, pending or a view of what is written."""
    rng = np.random.default_rng(0)
    for shape, width in (((7,), 1), ((4, 5), 1), ((4, 5), 2), ((3, 4, 2), 2), ((300, 20), 1), ((300, 20), 2)):
        mask = rng.random(shape[:width]) < 0.6
        values = rng.random((mask.sum(), *shape[width:]))
        for layout in (lambda a: a, lambda a: a[::-1], lambda a: a.repeat(2, 0)[::2], lambda a: a.copy(order="F")):
            for value in (lambda xp, a: xp.array(values), lambda xp, a: xp.array(values) * 2 + 1,
                          lambda xp, a: xp.array(values)[::-1], lambda xp, a: a[::-1][xp.array(mask)]):
                h, x = (layout(xp.arange(np.prod(shape)).reshape(shape)) for xp in (np, tombac))
                h[mask] = value(np, h)
                x[tombac.array(mask)] = value(tombac, x)
                same(x, h)
        with pytest.raises(ValueError, match="cannot assign"):
            x[tombac.array(mask)] = tombac.zeros((mask.sum() + 2, *shape[width:]))


@pytest.mark.parametrize("code", "bhilBHIL")
@pytest.mark.parametrize("dims", [(3, 5), (15,), [5, 3, 1], (2, 2, 4)], ids=repr)
def test_unravel_index_there_and_back(code, dims):
    h = np.arange(15).astype(code).reshape(3, 5)
    for order in "CF":
        for x, a in ((tombac.array(h), h), (tombac.array(h).T, h.T), (tombac.array(h)[:0], h[:0])):
            got = tombac.unravel_index(x, dims, order)
            for g, w in zip(got, np.unravel_index(a, dims, order), strict=True):
                same(g, w)
            same(tombac.ravel_multi_index(got, dims, order=order), a.astype("l"))
