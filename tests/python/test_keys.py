"""Keys that are no plain indices: masks without elements, ragged lists, and what no array can be made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import same

import tombac as tb


def outcome(function, *args):
    """The result, or the type of the exception."""
    try:
        return function(*args)
    except (IndexError, ValueError, TypeError) as e:
        return type(e)


def stored(a, key, value):
    a = a.copy()
    a[key] = value
    return a


def added(xp, a, key, value):
    a = a.copy()
    xp.add.at(a, key, value)
    return a


def agree(theirs, ours):
    if isinstance(theirs, type):
        assert ours is theirs
    else:
        same(ours, theirs)


@given(
    shape=st.sampled_from([(2,), (0,), (2, 3), (2, 0), (2, 3, 4), (0, 3, 4)]),
    mask=st.sampled_from([(0,), (0, 3), (2, 0), (0, 1), (0, 0), (2, 0, 4), (2, 3, 0), (0, 3, 4)]),
    before=st.sampled_from([(), (slice(None),), (0,), (None,), (Ellipsis,)]),
    after=st.sampled_from([(), (slice(1),), ([0, 1],)]),
)
def test_a_mask_without_elements_fits_axes_of_any_length(shape, mask, before, after):
    a = np.arange(float(np.prod(shape))).reshape(shape)
    key = (*before, np.zeros(mask, bool), *after)
    own = tuple(tb.asarray(k) if isinstance(k, np.ndarray) else k for k in key)
    b = tb.asarray(a)
    agree(outcome(lambda: a[key]), outcome(lambda: b[own]))
    agree(outcome(stored, a, key, 7), outcome(stored, b, own, 7))
    agree(outcome(added, np, a, key, 7), outcome(added, tb, b, own, 7))


@pytest.mark.parametrize("key", [
    [[1, 1], 1], [[1], slice(1, 2)], [1, [1, [1]]], [[0, 1], [1]], [object()], ["a"], [1.5], [None], [{}], "x", {},
    np.array([1.0, 2.0]), np.array([]), np.array([], object), np.array([1, 2], object), np.array(["a"]),
    np.array([1, 2], "i4,i4"), np.array([1, 2], "M8[s]"), [], [[]], (), ([],),
], ids=repr)
def test_keys_that_are_no_indices_fail_as_in_numpy(key):
    a = np.arange(24.0).reshape(2, 3, 4)
    b = tb.asarray(a)
    agree(outcome(lambda: a[key]), outcome(lambda: b[key]))
    agree(outcome(stored, a, key, 7), outcome(stored, b, key, 7))


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", object, "U3", "S2", "i4,i4", "M8[s]"])
def test_a_host_array_of_another_dtype_is_no_index(dtype):
    with pytest.raises(IndexError, match="arrays used as indices"):
        tb.arange(10)[np.zeros(2, dtype)]
