"""delete, insert and trim_zeros against NumPy."""

import numpy as np
import pytest
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import arrays, same, same_outcome, values


@st.composite
def indices(draw, n):
    """What NumPy takes as indices, in and a little out of range, for an axis of length n."""
    number = st.integers(-n - 1, n) if draw(st.integers(0, 9)) == 0 else st.integers(-n, max(n - 1, -n))
    kind = draw(st.sampled_from(["int", "list", "array", "slice", "mask"]))
    if kind == "int":
        return draw(number)
    if kind == "slice":
        end = st.one_of(st.none(), st.integers(-n - 2, n + 2))
        return slice(draw(end), draw(end), draw(st.sampled_from([None, 1, 2, 3, -1, -2])))
    if kind == "mask":
        return np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    found = draw(st.lists(number, max_size=6))
    return found if kind == "list" else np.array(found, draw(st.sampled_from(["b", "i", "l"])))


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_delete(data):
    host, device = data.draw(arrays(max_dims=3, min_dims=1))
    axis = data.draw(st.one_of(st.none(), st.integers(-host.ndim, host.ndim - 1)))
    index = data.draw(indices(host.size if axis is None else host.shape[axis]))
    same_outcome(lambda: tb.delete(device, index, axis), lambda: np.delete(host, index, axis))
    if isinstance(index, np.ndarray):
        try:
            want = np.delete(host, index, axis)
        except IndexError:  # on the device such indices wrap
            return
        same(tb.delete(device, tb.array(index), axis), want)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_insert(data):
    host, device = data.draw(arrays(max_dims=3, min_dims=1))
    axis = data.draw(st.one_of(st.none(), st.integers(-host.ndim, host.ndim - 1)))
    index = data.draw(indices(host.size if axis is None else host.shape[axis]))
    n = 1
    if isinstance(index, slice):
        n = len(range(*index.indices(host.size if axis is None else host.shape[axis])))
    elif not isinstance(index, int):
        n = int(np.sum(index)) if np.asarray(index).dtype == bool else len(index)
    shape = data.draw(st.sampled_from([(), (n,), (1,), (3,)]))
    if axis is not None and host.ndim > 1:
        full = host.shape[:axis % host.ndim] + (n,) + host.shape[axis % host.ndim + 1:]
        shape = data.draw(st.sampled_from([shape, full]))
    put = values(host.dtype, shape, 1)
    if isinstance(index, (list, np.ndarray)) and len(index) > 1 and np.asarray(index).dtype != bool and \
            not all(-len_of(host, axis) <= i <= len_of(host, axis) for i in index):
        return  # NumPy looks at the range of single indices alone
    same_outcome(lambda: tb.insert(device, index, tb.array(put), axis), lambda: np.insert(host, index, put, axis))
    if isinstance(index, np.ndarray):
        same_outcome(lambda: tb.insert(device, tb.array(index), put.tolist(), axis),
                     lambda: np.insert(host, index, put.tolist(), axis))


def len_of(host, axis):
    return host.size if axis is None else host.shape[axis]


def test_insert_out_of_range_and_shapes():
    x = tb.arange(4)
    for index in (5, -6, [5], [0, 5], np.array([-6, 0])):
        with pytest.raises(IndexError):
            tb.insert(x, index, 0)
    with pytest.raises(ValueError):
        tb.insert(x, [[0, 1]], 0)
    with pytest.raises(ValueError):
        tb.insert(x, [0, 1], [1, 2, 3])
    with pytest.raises(IndexError):
        tb.insert(x, 1.5, 0)
    same(tb.insert(x, 1, 2.7), np.insert(np.arange(4), 1, 2.7))
    same(tb.insert(tb.array(7), 0, 1), np.insert(np.array(7), 0, 1))


def test_refusals():
    for bad in (np.ones(3), [1, 2, 3]):
        with pytest.raises(ValueError):
            tb.delete(bad, 1)
        with pytest.raises(TypeError):
            tb.insert(bad, 1, 1)
        with pytest.raises(TypeError):
            tb.trim_zeros(bad)
    with pytest.raises(np.exceptions.AxisError):
        tb.delete(tb.ones(3), 0, 1)
    with pytest.raises(ValueError):
        tb.delete(tb.ones(3), tb.array([True]))
    with pytest.raises(ValueError):
        tb.trim_zeros(tb.ones(3), "x")


def test_delete_in_place_of_views():
    x = tb.arange(3)
    for index in (slice(0, 0), [], np.array([], int)):
        y = tb.delete(x, index)
        y[...] = 9
        same(x, np.arange(3))


def block_of(host, trim, axis):
    """What trim_zeros leaves: looked for axis by axis."""
    axes = range(host.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    places = np.argwhere(host)
    key = [slice(None)] * host.ndim
    for d in axes:
        d %= host.ndim
        if len(places) == 0:
            key[d] = slice(0, 0)
        else:
            key[d] = slice(places[:, d].min() if "f" in trim else None, places[:, d].max() + 1 if "b" in trim else None)
    return host[tuple(key)]


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_trim_zeros(data):
    host, _ = data.draw(arrays(max_dims=3, max_side=6))
    keep = data.draw(st.lists(st.booleans(), min_size=host.size, max_size=host.size))
    host = host * np.array(keep, bool).reshape(host.shape)
    trim = data.draw(st.sampled_from(["f", "b", "fb", "bf", "FB"]))
    axis = data.draw(st.sampled_from([None] + list(range(-host.ndim, host.ndim))))
    got = tb.trim_zeros(tb.array(host), trim, axis)
    same(got, block_of(host, trim.lower(), axis) if host.ndim else host)
    if host.ndim == 1:
        same(got, np.trim_zeros(host, trim))


def test_trim_zeros_takes_nan_for_something():
    same(tb.trim_zeros(tb.array([0.0, np.nan, 0.0])), np.array([np.nan]))
