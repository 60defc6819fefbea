"""Basic indexing and assignment against NumPy: integers, slices, Ellipsis and None, overlap, errors."""

from array import array as stdlib_array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import arrays, dtypes, same, same_outcome, values

import tombac


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


def test_assignment_to_nothing():
    x = tombac.zeros((2, 0, 3))
    x[[0, 1]] = 3
    x[True] = 1
    x = tombac.zeros((2, 3))
    with pytest.raises(ValueError):
        x[[0, 1]] = tombac.zeros(2)
