"""ndarray.resize, and a.flat as an array, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import arrays, same

import tombac


@given(arrays())
def test_flat_is_an_array_where_one_is_asked_for(pair):
    a, b = pair
    same(tombac.asarray(b.flat), np.asarray(a.flat))
    same(tombac.array(b.flat, dtype="D"), np.array(a.flat, dtype="D"))
    same(tombac.array([b.flat, b.flat]), np.array([a.flat, a.flat]))
    same(tombac.add(b.flat, 1), np.add(a.flat, 1))
    mask = a.ravel() > 0
    same(b.flat[tombac.array(mask)], a.flat[mask])
    with pytest.raises(TypeError):
        np.asarray(b.flat)


@given(arrays(max_dims=3), st.lists(st.integers(0, 4), max_size=3))
def test_resize(pair, shape):
    """In the order of memory; what is more is zeros."""
    for layout in ("C", "F"):
        a, b = pair[0].copy(layout), pair[1].copy(layout)
        a.resize(shape)
        assert b.resize(shape) is None
        same(b, a)
        assert b.strides == a.strides or 0 in shape or b.size == 1
        b += b
        a.resize(2, 3)
        b.resize(2, 3)
        same(b, a + a)


def test_resize_of_what_others_see():
    a = tombac.arange(6.0)
    a.resize()
    a.resize(None)
    a.resize((2, 3))
    same(a, np.arange(6.0).reshape(2, 3))
    view = a[1:]
    for b, shape in ((view, 5), (a, 7), (a, (2, -3))):
        with pytest.raises(ValueError):
            b.resize(shape)
    a.resize(4, refcheck=False)
    a.resize((2, 3), refcheck=False)
    same(a, np.array([[0, 1, 2], [3, 0, 0.0]]))
    same(view, np.array([[3, 4, 5.0]]))
    with pytest.raises(ValueError, match="single-segment"):
        tombac.zeros((4, 4))[:, ::2].resize(8)
    with pytest.raises(TypeError):
        a.resize("x")
    pending = tombac.arange(3) + 1
    pending.resize(5)
    same(pending, np.array([1, 2, 3, 0, 0]))
