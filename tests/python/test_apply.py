"""piecewise, apply_along_axis and apply_over_axes against NumPy."""

import numpy as np
import pytest
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import arrays, same, same_outcome

PIECES = [
    lambda xp, x: xp.piecewise(x, [x < 0, x >= 0], [-1, 1]),
    lambda xp, x: xp.piecewise(x, [x < 0, x > 2], [-1, 1, 5]),
    lambda xp, x: xp.piecewise(x, [x < 3, x < 5, x == 2], [1, 2]),
    lambda xp, x: xp.piecewise(x, [x < 0, x > 2], [lambda v: -v, lambda v, a, b=0: v * a + b][:1] + [7]),
    lambda xp, x: xp.piecewise(x, [x < 0], [lambda v, a, b=0: v * a + b, lambda v, a, b=0: v + a], 2, b=1),
    lambda xp, x: xp.piecewise(x, x > 1, [1.7, 0.2]),
    lambda xp, x: xp.piecewise(x, [x > 1, x < -1], xp.array([3, 4, 5])),
    lambda xp, x: xp.piecewise(x, [x > 1], [1, 2, 3]),
    lambda xp, x: xp.piecewise(x, [x > 1, x > 2], [1]),
    lambda xp, x: xp.piecewise(x, [x > 100], [lambda v: 1 / 0, 3]),
    lambda xp, x: xp.piecewise(x, True, [4, 5]),
]


FIRST_AXES = [
    lambda xp, x, c, n: xp.piecewise(x, [c, ~c], [3, lambda v: v * 2]),
    lambda xp, x, c, n: xp.piecewise(x, [c], [lambda v: v[..., ::-1] if v.ndim else v, lambda v: v * 100]),
    lambda xp, x, c, n: xp.piecewise(x, [c, c], [1, 2, 7]),
    lambda xp, x, c, n: xp.piecewise(x, [c], [xp.arange(n).reshape((-1,) + (1,) * (x.ndim - c.ndim)), 5]),
    lambda xp, x, c, n: xp.piecewise(x, [c[..., None]], [1, 2]),
    lambda xp, x, c, n: xp.piecewise(x, [xp.ones(x.shape[0] + 1, bool)], [1, 2]),
]


@settings(max_examples=30, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("i", range(len(FIRST_AXES)))
def test_piecewise_conditions_for_the_first_axes(i, data):
    host, device = data.draw(arrays("b i l e f d".split(), max_dims=3, min_dims=1))
    shape = host.shape[: data.draw(st.integers(1, host.ndim))]
    mask = np.random.default_rng(data.draw(st.integers(0, 99))).random(shape) < 0.5
    n = int(mask.sum())
    same_outcome(lambda: FIRST_AXES[i](tb, device, tb.asarray(mask), n), lambda: FIRST_AXES[i](np, host, mask, n))


@settings(max_examples=30, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("i", range(len(PIECES)))
def test_piecewise(i, data):
    host, device = data.draw(arrays("b i l e f d".split(), max_dims=3))
    if i == 5 and (host.ndim != 1 or host.size == 0):
        return  # only a vector stands for itself, not for the conditions that it holds
    same_outcome(lambda: PIECES[i](tb, device), lambda: PIECES[i](np, host))


def test_piecewise_of_numbers_and_lists():
    same(tb.piecewise(3.0, [True, False], [1, 2]), np.piecewise(3.0, [True, False], [1, 2]))
    same(tb.piecewise(tb.array(3), [False, False], [1, 2, 9]), np.piecewise(np.array(3), [False, False], [1, 2, 9]))
    same(tb.piecewise(tb.arange(3), [True, False, True], [1, 2]), np.piecewise(np.arange(3), [True, False, True],
                                                                              [1, 2]))
    with pytest.raises(TypeError):
        tb.piecewise(np.ones(3), [True], [1])


ALONG = [
    lambda xp: lambda v: v.sum(), lambda xp: lambda v: v[::-1], lambda xp: lambda v: xp.stack((v, v * 2, v)),
    lambda xp: lambda v: 3, lambda xp: lambda v: v[:1] * 1.5, lambda xp: lambda v: xp.outer(v, v),
]


@settings(max_examples=40, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("i", range(len(ALONG)))
def test_along_axis(i, data):
    host, device = data.draw(arrays("i l d".split(), max_dims=3, max_side=3, min_dims=1))
    axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
    same_outcome(lambda: tb.apply_along_axis(ALONG[i](tb), axis, device),
                 lambda: np.apply_along_axis(ALONG[i](np), axis, host))


def test_along_axis_arguments():
    host = np.arange(6).reshape(2, 3)
    x = tb.array(host)
    same(tb.apply_along_axis(lambda v, a, b: v * a + b, 0, x, 2, b=1), host * 2 + 1)
    same(np.apply_along_axis(lambda v: v.max(), 1, x), host.max(1))
    for bad, error in ((2, np.exceptions.AxisError), (-3, np.exceptions.AxisError)):
        with pytest.raises(error):
            tb.apply_along_axis(tb.sum, bad, x)
    with pytest.raises(ValueError):
        tb.apply_along_axis(tb.sum, 0, tb.ones((2, 0)))
    with pytest.raises(TypeError):
        tb.apply_along_axis(tb.sum, 0, host)


@pytest.mark.parametrize("axes", [0, 1, -1, (0, 2), [0, -1], (), (0, 1, 2)])
def test_over_axes(axes):
    host = np.arange(24).reshape(2, 3, 4)
    same(tb.apply_over_axes(tb.sum, tb.array(host), axes), np.apply_over_axes(np.sum, host, axes))
    same(tb.apply_over_axes(tb.cumsum, tb.array(host), axes), np.apply_over_axes(np.cumsum, host, axes))


def test_over_axes_refusals():
    with pytest.raises(ValueError):
        tb.apply_over_axes(lambda a, axis: a.sum(), tb.ones((2, 3, 4)), 0)
    with pytest.raises(TypeError):
        tb.apply_over_axes(tb.sum, np.ones(3), 0)
