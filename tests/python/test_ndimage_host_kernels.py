"""The CPU's kernels for filters and images at points are what compositions of array operations are, which streams with
outstanding work have."""

import threading

import numpy as np
import pytest
import scipy.ndimage as sn
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import layouts

import tombacx.scipy.ndimage as xn
from tombacx.scipy.ndimage import _windows

pytestmark = pytest.mark.skipif(tb._core.backend() != "cpu", reason="the host's kernels")
MODES = ["reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant"]


def weights(size):
    """Some that are the same from either end, the same but for the sign, complex, or any."""
    rng = np.random.default_rng(size)
    w = rng.random(size) - 0.3
    return [w, w + w[::-1], w - w[::-1], w + 1j][rng.integers(4)]


FILTERS = {
    "correlate1d": lambda x, n, axis, how: xn.correlate1d(x, weights(n), axis, **how),
    "uniform1d": lambda x, n, axis, how: xn.uniform_filter1d(x, n, axis, **how),
    "minimum1d": lambda x, n, axis, how: xn.minimum_filter1d(x, n, axis, **how),
    "maximum1d": lambda x, n, axis, how: xn.maximum_filter1d(x, n, axis, **how),
    "gaussian": lambda x, n, axis, how: xn.gaussian_filter(x, 0.3 * n, n % 3, **how),
    "uniform": lambda x, n, axis, how: xn.uniform_filter(x, n, **how),
    "minimum": lambda x, n, axis, how: xn.minimum_filter(x, n, **how),
    "sobel": lambda x, n, axis, how: xn.sobel(x, axis, **how),
    "laplace": lambda x, n, axis, how: xn.laplace(x, **how),
    "convolve": lambda x, n, axis, how: xn.convolve(x, weights(n**x.ndim).reshape((n,) * x.ndim), **how),
    "median": lambda x, n, axis, how: xn.median_filter(x, n, **how),
    "rank": lambda x, n, axis, how: xn.rank_filter(x, min(1, n**x.ndim - 1), n, **how),
    "dilation": lambda x, n, axis, how: xn.grey_dilation(x, structure=weights(n**x.ndim).real.reshape((n,) * x.ndim),
                                                         **how),
    "cross": lambda x, n, axis, how: xn.maximum_filter(x, footprint=xn.generate_binary_structure(x.ndim, 1), **how),
    "binary": lambda x, n, axis, how: xn.binary_erosion(x > 0, iterations=n, border_value=n % 2),
}


def composed(call):
    """What ``call`` gives where there are no kernels."""
    filtered, _windows.filtered = _windows.filtered, lambda *_, **__: None
    try:
        return call()
    finally:
        _windows.filtered = filtered


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(list(FILTERS)), st.sampled_from("? b B H i l f d D e".split()),
       st.lists(st.integers(1, 9), min_size=1, max_size=3), st.integers(1, 5), st.sampled_from(MODES),
       st.sampled_from([0.0, 3, -2.5]), st.sampled_from([None, "f", "d", "i", "B", "l"]))
def test_filters(data, name, code, shape, size, mode, cval, output):
    rng = np.random.default_rng(sum(shape))
    host = (rng.random(shape) * 90 - 20 * (code in "bilfde")).astype(code)
    image = data.draw(layouts(host.ndim))(tb.array(host))
    if name.endswith("1d"):
        size = data.draw(st.integers(1, 40))
    how = {"mode": mode, "cval": cval}
    if output is not None and code != "D":
        how["output"] = output
    axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
    try:
        want = composed(lambda: FILTERS[name](image, size, axis, how))
    except (TypeError, ValueError, RuntimeError) as error:
        with pytest.raises(type(error)):
            FILTERS[name](image, size, axis, how)
        return
    got = FILTERS[name](image, size, axis, how)
    assert got.dtype == want.dtype and got.shape == want.shape and got.flags.c_contiguous
    if name in ("gaussian", "dilation") and got.dtype.kind in "iu" or code == "?":
        return  # of what an integer does not hold
    np.testing.assert_array_equal(got.get(), want.get())


@settings(max_examples=100, deadline=None)
@given(st.data(), st.sampled_from(list(FILTERS)), st.sampled_from("? B i f d D".split()), st.integers(1, 3),
       st.integers(1, 7), st.sampled_from(MODES))
def test_images_of_several_tiles(data, name, code, dims, size, mode):
    """Tiles have 2^14 elements, and 64 along the last axis at least."""
    sides = st.sampled_from([1, 2, 3, 70, 130, 300]) if dims > 1 else st.sampled_from([20000, 70000])
    shape = data.draw(st.lists(sides, min_size=dims, max_size=dims))
    shape = shape if np.prod(shape) < 200000 else [*shape[:-1], 2]
    host = (np.random.default_rng(sum(shape)).random(shape) * 90).astype(code)
    image = data.draw(layouts(host.ndim))(tb.array(host))
    if name.endswith("1d"):
        size = data.draw(st.integers(1, 200))
    elif size**host.ndim > 60:
        size = 2
    axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
    if code == "D" and name not in ("correlate1d", "uniform1d", "gaussian", "uniform", "sobel", "laplace", "convolve"):
        image = image.real
    how = {"mode": mode, "cval": 1}
    if name in ("sobel", "laplace", "gaussian", "correlate1d", "convolve", "dilation") and image.dtype.kind in "biu":
        image = image.astype("f")
    np.testing.assert_array_equal(FILTERS[name](image, size, axis, how).get(),
                                  composed(lambda: FILTERS[name](image, size, axis, how)).get())


PADDING = {"reflect": "symmetric", "mirror": "reflect", "nearest": "edge", "wrap": "wrap", "constant": "constant"}


def windows_of(host, shape, mode, cval=0, origin=None):
    """What windows of that shape see: their axes behind the array's."""
    before = [n // 2 + o for n, o in zip(shape, origin or [0] * host.ndim)]
    how = {"constant_values": cval} if mode == "constant" else {}
    padded = np.pad(host, [(b, n - 1 - b) for b, n in zip(before, shape)], PADDING[mode], **how)
    return np.lib.stride_tricks.sliding_window_view(padded, shape)


def numbers(rng, shape, code):
    """Of few values, of many, or of many that differ in their last bits alone, beside one that is far away."""
    kind = rng.integers(3)
    if kind < 2 or code not in "fd":
        return (rng.random(shape) * [4, 100, 100][kind]).astype(code)
    x = (1 + rng.integers(0, 200, shape) * np.finfo(code).eps).astype(code)
    x.flat[rng.integers(x.size)] = 1e30
    return -x if rng.random() < 0.5 else x


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from("? b B e h H i l f d".split()), st.lists(st.integers(1, 40), min_size=1, max_size=3),
       st.sampled_from(list(PADDING)), st.integers(0, 2**32 - 1))
def test_ranks_in_windows_of_many_places(data, code, shape, mode, seed):
    rng = np.random.default_rng(seed)
    shape = shape if np.prod(shape) < 4000 else [min(n, 13) for n in shape]
    host = numbers(rng, shape, code)
    layout = data.draw(layouts(host.ndim))
    host, image = layout(host), layout(tb.array(host))
    footprint = rng.random(rng.integers(1, {1: 300, 2: 25, 3: 8}[host.ndim], host.ndim)) < rng.choice([0.3, 0.9, 2.0])
    footprint.flat[0] = True
    origin = [int(rng.integers(-(n // 2), (n + 1) // 2)) for n in footprint.shape]
    rank = int(rng.integers(footprint.sum()))
    got = xn.rank_filter(image, rank, footprint=footprint, mode=mode, cval=1, origin=origin)
    seen = windows_of(host, footprint.shape, mode, 1, origin)[..., footprint]
    assert got.dtype == host.dtype
    np.testing.assert_array_equal(got.get(), np.partition(seen, rank, -1)[..., rank])


@pytest.mark.parametrize("shape, size, axes", [
    ((40000,), (501,), None), ((40000,), (3001,), None), ((150, 300), (21, 21), None), ((300, 150), (201, 1), None),
    ((2, 9000), (900,), (1,)), ((30, 40, 50), (7, 7, 7), None), ((3, 200, 200), (15, 11), (1, 2)),
    ((70, 70), (150, 150), None),
])
@pytest.mark.parametrize("code", "Bhfd")
def test_ranks_of_several_tiles(shape, size, axes, code):
    rng = np.random.default_rng(sum(size))
    host = (rng.random(shape) * 200).astype(code)
    got = xn.percentile_filter(tb.array(host), 30, size, axes=axes).get()
    whole = [1] * (host.ndim - len(size)) + list(size)
    seen, rank = windows_of(host, whole, "reflect"), int(np.prod(size) * 30 / 100)
    for first in rng.integers(0, shape[0], 3).tolist():  # all would take long
        some = (slice(first, first + 20), *[slice(7, 11) for _ in shape[1:]])
        of_some = seen[some].reshape(*got[some].shape, -1)
        np.testing.assert_array_equal(got[some], np.partition(of_some, rank, -1)[..., rank])


def test_windows_of_many_places_have_a_kernel():
    places = _windows.places_of(np.ones((21, 21), bool), (0, 0))
    image = tb.array(np.random.default_rng(0).random((40, 40)))
    work = image.dtype
    assert _windows.filtered(image, _windows.RANK, (places, None), "reflect", 0, work, work, rank=200) is not None


def test_what_is_not_finite():
    a = np.random.default_rng(0).random((9, 11))
    a[2, 3], a[5, 5], a[7, 1] = np.nan, np.inf, -np.inf
    d = tb.array(a)
    for call in (lambda: xn.correlate1d(d, [1, 2, -1]), lambda: xn.maximum_filter(d, 5),
                 lambda: xn.uniform_filter(d, 3)):
        np.testing.assert_array_equal(call().get(), composed(call).get())


def test_one_kernel_is_one_allocation():
    image = tb.array(np.random.default_rng(0).random((32, 32)))
    for call in (lambda: xn.gaussian_filter(image, 2), lambda: xn.median_filter(image, 3), lambda: xn.sobel(image)):
        call()
        tb.config.reset_counters()
        call()
        assert tb.config.counters()["bytes_allocated"] <= image.nbytes


def test_windows_without_a_kernel():
    a = np.random.default_rng(0).random((40, 13))
    np.testing.assert_array_equal(xn.median_filter(tb.array(a), 13).get(), sn.median_filter(a, 13))
    np.testing.assert_allclose(xn.correlate(tb.array(a), np.ones((70, 70))).get(), sn.correlate(a, np.ones((70, 70))))
    np.testing.assert_allclose(xn.uniform_filter1d(tb.array(a), 300000, 0).get(), sn.uniform_filter1d(a, 300000, 0))


POINTS = {
    "zoom": lambda m, x, **how: m.zoom(x, 1.7, **how),
    "shift": lambda m, x, **how: m.shift(x, 0.3, **how),
    "rotate": lambda m, x, **how: m.rotate(x, 33, **how),
    "affine": lambda m, x, **how: m.affine_transform(x, np.array([[0.3, 0.8], [-0.6, 0.5]]), 2.43, **how),
    "map": lambda m, x, **how: m.map_coordinates(x, tb.array([[1.5, 2, -4], [0.2, 3, 9]]) if m is xn else
                                                 np.array([[1.5, 2, -4], [0.2, 3, 9]]), **how),
    "uniform": lambda m, x, order, mode: m.uniform_filter(x, 3, mode=mode),
    "erosion": lambda m, x, order, mode: m.binary_erosion(x > 0.4, iterations=2),
}


@pytest.mark.parametrize("name", POINTS)
def test_while_work_is_outstanding(name):
    """A function of the host holds the stream up: what comes behind it is enqueued."""
    a = np.random.default_rng(0).random((6, 7))
    d = tb.array(a)
    for order, mode in (0, "mirror"), (1, "constant"), (3, "mirror"), (3, "nearest"):
        if name == "rotate" and order == 0:
            continue  # rounding decides between two elements
        stream, gate = tb.cuda.Stream(), threading.Event()
        with stream:
            stream.launch_host_func(lambda _, gate=gate: gate.wait(120), None)
            timer = threading.Timer(0.02, gate.set)
            timer.start()
            got = POINTS[name](xn, d, order=order, mode=mode)
        stream.synchronize()
        timer.join()
        want = POINTS[name](sn, a, order=order, mode=mode)
        np.testing.assert_allclose(got.get(), want, 1e-9 if mode != "nearest" else 1e-4, 1e-9)


def test_long_lines_of_coefficients():
    a = np.random.default_rng(0).random((2, 9000))
    np.testing.assert_allclose(xn.spline_filter1d(tb.array(a), 3).get(), sn.spline_filter1d(a, 3), 1e-9, 1e-9)
