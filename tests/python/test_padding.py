"""pad: every mode of NumPy's, any shape, dtype and layout."""

import numpy as np
import pytest
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import arrays, same, same_outcome

MODES = ["constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap"]


@st.composite
def widths(draw, ndim):
    width = st.integers(0, 9)
    if ndim == 0:
        return draw(width)
    return draw(st.one_of(width, st.tuples(width, width), st.lists(st.tuples(width, width), min_size=ndim,
                                                                   max_size=ndim)))


@st.composite
def keywords(draw, mode):
    if mode == "constant":
        return draw(st.sampled_from([{}, {"constant_values": 3}, {"constant_values": (1, 2)}]))
    if mode == "linear_ramp":
        return draw(st.sampled_from([{}, {"end_values": 3}, {"end_values": (1, 8)}]))
    if mode in ("maximum", "mean", "median", "minimum"):
        return draw(st.sampled_from([{}, {"stat_length": None}, {"stat_length": 2}, {"stat_length": (1, 7)}]))
    if mode in ("reflect", "symmetric"):
        return draw(st.sampled_from([{}, {"reflect_type": "odd"}, {"reflect_type": "even"}]))
    return {}


@settings(max_examples=250, deadline=None)
@given(data=st.data())
def test_modes(data):
    mode = data.draw(st.sampled_from(MODES))
    host, device = data.draw(arrays(max_dims=3))
    if host.dtype.kind == "c" and mode in ("maximum", "minimum", "median"):
        host, device = host.real.astype("d"), device.real.astype("d")
    width, kwargs = data.draw(widths(host.ndim)), data.draw(keywords(mode))
    if host.dtype.kind == "b" and mode in ("mean", "median"):
        host, device = host.astype("b"), device.astype("b")
    rtol = {"e": 2e-2, "f": 1e-5, "F": 1e-5}.get(host.dtype.char, 1e-12) if mode in ("linear_ramp", "mean") else 0
    if mode == "linear_ramp" and host.dtype.kind in "fc":
        try:
            want = np.pad(host, width, mode, **kwargs)
        except ValueError:
            with pytest.raises(ValueError):
                tb.pad(device, width, mode, **kwargs)
        else:  # a ramp that ends near zero is rounded otherwise there
            np.testing.assert_allclose(tb.pad(device, width, mode, **kwargs).get(), want, rtol, rtol)
        return
    with np.errstate(all="ignore"):
        same_outcome(lambda: tb.pad(device, width, mode, **kwargs), lambda: np.pad(host, width, mode, **kwargs), rtol)


@pytest.mark.parametrize("kwargs", [
    {"pad_width": ((1, 2),)}, {"pad_width": [[1], [2]]},
    {"pad_width": np.array([2, 1])}, {"pad_width": 1.5}, {"pad_width": "a"}, {"pad_width": -1},
    {"pad_width": (1, 2, 3)}, {"pad_width": 1, "mode": "no"}, {"pad_width": 1, "mode": "edge", "constant_values": 1},
    {"pad_width": 1, "reflect_type": "odd"}, {"pad_width": 1, "mode": "maximum", "stat_length": 0},
    {"pad_width": 1, "mode": "mean", "stat_length": -1}, {"pad_width": 1, "constant_values": ((1, 2), (3, 4))},
    {"pad_width": 1, "constant_values": 2.5}, {"pad_width": 3, "mode": "mean", "stat_length": ((1, 2), (2, 9))},
])
def test_arguments(kwargs):
    host = np.arange(6).reshape(2, 3)
    same_outcome(lambda: tb.pad(tb.array(host), **kwargs), lambda: np.pad(host, **kwargs))


def test_empty_mode_and_layout():
    host = np.arange(6.0).reshape(2, 3)
    got = tb.pad(tb.array(host), 2, "empty")
    assert got.shape == (6, 7)
    same(got[2:-2, 2:-2], host)
    assert tb.pad(tb.array(host.T), 1).flags.f_contiguous
    big = np.arange(300000).reshape(500, 600)
    for mode in ("constant", "edge"):
        same(tb.pad(tb.array(big), ((2, 1), (0, 3)), mode), np.pad(big, ((2, 1), (0, 3)), mode))


def test_functions():
    def fill(vector, widths, axis, kwargs):
        vector[: widths[0]] = kwargs.get("value", 7) + axis
        if widths[1]:
            vector[-widths[1] :] = -1

    host = np.arange(6).reshape(2, 3)
    same(tb.pad(tb.array(host), (1, 2), fill), np.pad(host, (1, 2), fill))
    same(tb.pad(tb.array(host), 1, fill, value=3), np.pad(host, 1, fill, value=3))


def test_refusals():
    with pytest.raises(TypeError):
        tb.pad(np.ones(3), 1)
    same(np.pad(tb.arange(3), 1), np.pad(np.arange(3), 1))  # NumPy's function finds ours
    same(tb.pad(tb.arange(3), tb.array([1, 2]), constant_values=tb.array(5)), np.pad(np.arange(3), (1, 2),
                                                                                    constant_values=5))


def test_widths_by_axis():
    host = np.arange(6).reshape(2, 3)
    same(tb.pad(tb.array(host), {0: 3, -1: (1, 0)}), np.pad(host, ((3, 3), (1, 0))))
    same(tb.pad(tb.array(host), {}), host)


def test_few_kernels():
    x = tb.ones((600, 600))
    tb.pad(x, 1).get()
    tb.config.reset_counters()
    tb.pad(x, 1, "edge").get()
    # The array, two margins of rows, and two of columns, whose interleaved sources are copied first.
    assert tb.config.counters()["launches"] <= 7


@pytest.mark.parametrize("end", [0, -80, (1, 2)])
@pytest.mark.parametrize("code", ["i8", "u8", "f4"])
def test_ramps_of_large_numbers(code, end):
    """Corners begin where they end, so that steps of zero are among the others."""
    for seed in range(20):
        a = np.random.default_rng(seed).integers(0, 2**53, (2, 3)).astype(code)
        end = 5 if code == "u8" and end == -80 else end
        want = np.pad(a, (2, 3), "linear_ramp", end_values=end)
        same(tb.pad(tb.asarray(a), (2, 3), "linear_ramp", end_values=end), want)


@pytest.mark.parametrize("widths", [1, (1, 2), [1, 2], ((1, 2),), ((1, 2), (3, 4)), [(1, 2), [0, 4]], ((1,), (2,)),
                                    {0: 1}, {-1: (2, 0)}, np.int64(2), (np.int64(1), 2), np.array([[1, 2], [3, 0]])])
@pytest.mark.parametrize("constants", [5, (5, 6), ((5, 6), (7, 8)), ((5,), (6,)), 2.5, (1, 2.5), 2**40, -3, True,
                                       np.float32(2), [np.int8(1), 2]])
def test_forms_of_numbers(widths, constants):
    for code in "fqB":
        h = np.arange(6).reshape(2, 3).astype(code)
        same(tb.pad(tb.array(h), widths, constant_values=constants), np.pad(h, widths, constant_values=constants))
