"""tombacx.scipy.ndimage's morphology against SciPy's."""

import numpy as np
import pytest
import scipy.ndimage as sn
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import layouts, values
from test_ndimage_filters import compare, footprints, images, modes

import tombacx.scipy.ndimage as xn


def same(got, want):
    assert type(got) is tb.ndarray and got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_array_equal(got.get(), want)


@st.composite
def shapes_of_truth(draw, max_dims=3):
    """(NumPy array, tombac array) that are true in places."""
    dtype = np.dtype(draw(st.sampled_from(["?", "?", "B", "d"])))
    shape = tuple(draw(st.lists(st.integers(1, 7), min_size=1, max_size=max_dims)))
    host = values(np.dtype("?"), shape, draw(st.integers(0, 2**32 - 1))).astype(dtype)
    layout = draw(layouts(host.ndim))
    return layout(host), layout(tb.array(host))


@st.composite
def some(draw, ndim, side):
    """A footprint with an element: of others SciPy's morphology ends the process."""
    footprint = draw(footprints(ndim, side))
    footprint.flat[draw(st.integers(0, footprint.size - 1))] = True
    return footprint


@st.composite
def structures(draw, ndim):
    """None, or neighbours of which the middle is one: SciPy's lists of coordinates are right for no other."""
    if draw(st.booleans()):
        return None
    structure = draw(footprints(ndim, 3))
    structure[tuple(n // 2 for n in structure.shape)] = True
    return structure


@pytest.mark.parametrize("name", ["binary_erosion", "binary_dilation", "binary_opening", "binary_closing"])
@given(st.data(), shapes_of_truth(), st.integers(1, 4), st.integers(0, 1))
def test_steps(name, data, image, iterations, border):
    a, d = image
    structure = data.draw(structures(a.ndim))
    masked = data.draw(st.booleans())
    mask = values(np.dtype("?"), a.shape, data.draw(st.integers(0, 99))) if masked else None
    want = getattr(sn, name)(a, structure, iterations, mask=mask, border_value=border)
    on_device = tb.array(mask) if masked else None
    same(getattr(xn, name)(d, structure, iterations, mask=on_device, border_value=border), want)


@pytest.mark.parametrize("name", ["binary_erosion", "binary_dilation"])
@given(st.data(), shapes_of_truth(2), st.integers(-1, 1), st.integers(0, 1))
def test_origins_and_any_structure(name, data, image, origin, border):
    structure = data.draw(some(image[0].ndim, 4))
    if all(0 <= n // 2 + origin < n for n in structure.shape):  # SciPy does not check it
        compare(name, image, structure, 1, None, None, border, origin)
    axis = image[0].ndim - 1
    compare(name, image, data.draw(some(1, 3)), axes=(axis,))


@given(st.data(), shapes_of_truth(2))
def test_until_nothing_changes(data, image):
    a, d = image
    structure = data.draw(structures(a.ndim))
    same(xn.binary_fill_holes(d, structure), sn.binary_fill_holes(a, structure))
    mask = values(np.dtype("?"), a.shape, data.draw(st.integers(0, 99)))
    same(xn.binary_propagation(d, structure, tb.array(mask)), sn.binary_propagation(a, structure, mask))
    for name in "binary_erosion", "binary_dilation":
        same(getattr(xn, name)(d, structure, -1), getattr(sn, name)(a, structure, -1))


def test_a_long_way():
    a = np.zeros((40, 40), bool)
    a[1::4, :-1] = a[3::4, 1:] = True  # a corridor from one corner to another
    seed = np.zeros((40, 40), bool)
    seed[0, 0] = True
    same(xn.binary_propagation(tb.array(seed), mask=tb.array(~a)), sn.binary_propagation(seed, mask=~a))
    ring = np.zeros((30, 30), bool)
    ring[5:25, 5] = ring[5:25, 24] = ring[5, 5:25] = ring[24, 5:25] = True
    same(xn.binary_fill_holes(tb.array(ring)), sn.binary_fill_holes(ring))


@given(st.data(), shapes_of_truth(3), st.booleans(), st.booleans())
def test_propagation_is_a_search_for_objects(data, image, border, masked):
    a, d = image
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    structure = rng.random((3,) * a.ndim) < 0.4
    structure |= np.flip(structure)
    structure[(1,) * a.ndim] = data.draw(st.booleans())
    mask = rng.random(a.shape) < 0.6 if masked else None
    want = sn.binary_propagation(a, structure, mask, border_value=border)
    same(xn.binary_propagation(d, structure, tb.array(mask) if masked else None, border_value=border), want)
    same(xn.binary_fill_holes(d, structure), sn.binary_fill_holes(a, structure))


@given(st.data(), shapes_of_truth(2))
def test_hit_or_miss(data, image):
    a, d = image
    first, second = data.draw(some(a.ndim, 3)), data.draw(some(a.ndim, 3))
    same(xn.binary_hit_or_miss(d), sn.binary_hit_or_miss(a))
    same(xn.binary_hit_or_miss(d, first), sn.binary_hit_or_miss(a, first))
    same(xn.binary_hit_or_miss(d, first, second), sn.binary_hit_or_miss(a, first, second))


@pytest.mark.parametrize("rank", range(4))
@pytest.mark.parametrize("connectivity", range(5))
def test_structures(rank, connectivity):
    structure = sn.generate_binary_structure(rank, connectivity)
    same(xn.generate_binary_structure(rank, connectivity), structure)
    for n in 0, 1, 2, 4:
        if rank:
            same(xn.iterate_structure(tb.array(structure), n), sn.iterate_structure(structure, n))
    if rank:
        got, want = (m.iterate_structure(x, 3, 1) for m, x in ((xn, tb.array(structure)), (sn, structure)))
        same(got[0], want[0])
        assert got[1] == want[1]


def test_boxes():
    a = np.random.default_rng(0).random((6, 7)) < 0.7
    d = tb.array(a)
    for name in "binary_erosion", "binary_dilation", "binary_opening", "binary_closing", "binary_propagation":
        for box, sides in (2, (2, 2)), (3, (3, 3)), ((2, 3), (2, 3)), ((1, 1), (1, 1)):
            same(getattr(xn, name)(d, box), getattr(sn, name)(a, np.ones(sides, bool)))
        with pytest.raises(RuntimeError):
            getattr(xn, name)(d, (3, 3, 3))
    same(xn.binary_erosion(d, 3, axes=(1,)), sn.binary_erosion(a, np.ones(3, bool), axes=(1,)))
    line = tb.array(a[0])
    same(xn.binary_erosion(line, (3,)), sn.binary_erosion(a[0], np.ones(3, bool)))


def test_outputs_of_steps():
    a = np.random.default_rng(0).random((6, 7)) < 0.6
    for name in "binary_erosion", "binary_dilation", "binary_opening", "binary_closing", "binary_fill_holes":
        out = tb.zeros((6, 7), "b")
        assert getattr(xn, name)(tb.array(a), output=out) is out
        np.testing.assert_array_equal(out.get(), getattr(sn, name)(a))
        same_memory = tb.array(a)
        getattr(xn, name)(same_memory, output=same_memory)
        same(same_memory, getattr(sn, name)(a))
    out = tb.zeros((6, 7), bool)
    assert xn.binary_hit_or_miss(tb.array(a), output=out) is out
    same(out, sn.binary_hit_or_miss(a))


GREY = [
    "grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "morphological_gradient", "morphological_laplace",
    "white_tophat", "black_tophat",
]


@pytest.mark.parametrize("name", GREY)
@given(st.data(), images("h i l f d", max_dims=2), modes)
def test_grey(name, data, image, mode):
    ndim = image[0].ndim
    compare(name, image, data.draw(st.integers(1, 4)), None, None, None, mode)
    footprint = data.draw(some(ndim, 3))
    compare(name, image, None, footprint, None, None, mode)
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    structure = rng.integers(0, 4, (3,) * ndim)
    compare(name, image, None, None, structure, None, mode)
    compare(name, image, None, footprint, rng.integers(0, 4, footprint.shape), None, mode, 1.0)
    compare(name, image, 3, None, None, None, mode, 2.0, data.draw(st.integers(-2, 2)))
    if ndim == 2:
        compare(name, image, 3, None, None, None, mode, axes=(1,))


@pytest.mark.parametrize("name", GREY)
@given(images("h i f d", max_dims=2), st.sampled_from([np.float32, np.float64, np.int32, np.uint8]))
def test_dtypes_of_grey(name, image, dtype):
    """Those of differences are asked for in vain, or what is opened or closed is rounded to them first."""
    a, d = (x % 100 for x in image)
    compare(name, (a, d), 3, output=np.dtype(dtype))
    host, out = np.zeros(a.shape, dtype), tb.zeros(a.shape, dtype)
    try:
        getattr(sn, name)(a, 3, output=host)
    except TypeError:
        with pytest.raises(TypeError):
            getattr(xn, name)(d, 3, output=out)
    else:
        getattr(xn, name)(d, 3, output=out)
        same(out, host)


def test_grey_of_truth_values():
    a = np.random.default_rng(0).random((6, 7)) < 0.6
    for name in "grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "white_tophat", "black_tophat":
        same(getattr(xn, name)(tb.array(a), 3), getattr(sn, name)(a, 3))


@pytest.mark.parametrize("name", GREY)
def test_outputs_of_grey(name):
    a = np.random.default_rng(1).integers(0, 90, (6, 7)).astype(float)
    out = tb.zeros((6, 7))
    assert getattr(xn, name)(tb.array(a), 3, output=out) is out
    same(out, getattr(sn, name)(a, 3))
    same_memory = tb.array(a)
    getattr(xn, name)(same_memory, 3, output=same_memory)
    same(same_memory, getattr(sn, name)(a, 3))


x = tb.ones((4, 5), bool)
WRONG = {
    "host": (lambda: xn.binary_erosion(np.ones(3)), TypeError),
    "complex": (lambda: xn.binary_dilation(x * 1j), TypeError),
    "complex output": (lambda: xn.binary_dilation(x, output=tb.zeros((4, 5), "D")), TypeError),
    "iterations": (lambda: xn.binary_erosion(x, iterations=1.5), TypeError),
    "dimensions": (lambda: xn.binary_erosion(x, [1, 1]), RuntimeError),
    "no structure": (lambda: xn.binary_erosion(x, np.ones((0, 3))), RuntimeError),
    "mask": (lambda: xn.binary_erosion(x, mask=x.T), RuntimeError),
    "origin": (lambda: xn.binary_erosion(x, origin=2), ValueError),
    "output": (lambda: xn.binary_closing(x, output=x.T.copy()), RuntimeError),
    "no window": (lambda: xn.grey_erosion(x), ValueError),
    "no window either": (lambda: xn.white_tophat(x), ValueError),
    "structure of a shape": (lambda: xn.grey_erosion(x, footprint=[[1, 1]], structure=[[1]]), RuntimeError),
    "shape of a footprint": (lambda: xn.grey_dilation(x, footprint=[1, 1]), RuntimeError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


@pytest.mark.parametrize("iterations", [17, 40, 101, 10**4, 2**62 + 1])
@pytest.mark.parametrize("structure", [[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 0, 1]])
@pytest.mark.parametrize("masked", [False, True])
def test_many_iterations(iterations, structure, masked):
    a = np.random.default_rng(0).random(60) < 0.4
    mask = np.random.default_rng(1).random(60) < 0.9 if masked else None
    for name in ("binary_erosion", "binary_dilation"):
        for border in (0, 1):
            options = {"structure": np.array(structure), "border_value": border, "brute_force": True}
            few = min(iterations, 10**4 + iterations % 2)  # in pairs of steps nothing changes any more
            want = getattr(sn, name)(a, iterations=few, mask=mask, **options)
            got = getattr(xn, name)(tb.array(a), iterations=iterations, border_value=border,
                                    structure=tb.array(structure), mask=None if mask is None else tb.array(mask))
            np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("name", ["binary_erosion", "binary_dilation", "binary_propagation"])
def test_masks_are_arrays(name):
    with pytest.raises(TypeError, match="tombac.ndarray"):
        getattr(xn, name)(tb.ones((3, 4), bool), mask=True)


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("name", ["binary_erosion", "binary_dilation", "binary_opening", "binary_closing",
                                  "binary_propagation", "binary_fill_holes", "binary_hit_or_miss"])
def test_masks_without_dimensions(name, value):
    got, want = getattr(xn, name)(tb.array(value)), getattr(sn, name)(np.array(value))
    assert got.shape == np.shape(want) == () and bool(got) == bool(want)


@pytest.mark.parametrize("axes", [(1, 0), (2, 0), (2, 1), (2, 1, 0), (0, 2, 1)])
@pytest.mark.parametrize("origin", [0, 1])
def test_windows_along_axes_out_of_order(axes, origin):
    rng, n = np.random.default_rng(5), len(axes)
    x = rng.integers(0, 20, (5, 6, 4)).astype("d")[(..., 0) if max(axes) == 1 else ...]
    window = rng.integers(0, 2, (3, 2, 4)[:n]).astype("d")
    window[(0,) * n] = 1
    options, origin = {"axes": axes}, [0, -origin, origin][:n]
    cases = [(name, (x, window)) for name in ("convolve", "correlate")]
    cases += [(name, (x > 8, window > 0)) for name in ("binary_erosion", "binary_dilation", "binary_opening")]
    for key, value in (("footprint", window > 0), ("structure", window)):
        names = ["grey_erosion", "grey_dilation", "grey_closing"]
        names += ["minimum_filter", "median_filter"] if key == "footprint" else []
        cases += [(name, (x, key, value)) for name in names]
    for name, (image, *rest) in cases:
        keys = {rest[0]: rest[1]} if len(rest) == 2 else {}
        rest = () if keys else rest
        got = getattr(xn, name)(tb.array(image), *rest, origin=origin, **options, **keys)
        want = getattr(sn, name)(image, *rest, origin=origin, **options, **keys)
        np.testing.assert_allclose(got.get(), want, 1e-12, err_msg=name)
