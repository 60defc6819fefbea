"""tombacx.scipy.ndimage's filters against SciPy's."""

import numpy as np
import pytest
import scipy.ndimage as sn
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import layouts, values

import tombacx.scipy.ndimage as xn

MODES = ["reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant"]
REFUSALS = (ValueError, RuntimeError, TypeError)
REAL = "? b B h H i I l e f d"


@st.composite
def images(draw, codes=REAL, max_dims=3, min_side=1, max_side=7, min_dims=1):
    """(NumPy array, tombac array) of any layout, of 8-bit integers in a range where SciPy's casts are defined."""
    dtype = np.dtype(draw(st.sampled_from(codes.split())))
    shape = tuple(draw(st.lists(st.integers(min_side, max_side), min_size=min_dims, max_size=max_dims)))
    host = values(dtype, shape, draw(st.integers(0, 2**32 - 1)))
    layout = draw(layouts(host.ndim))
    return layout(host), layout(tb.array(host))


def scipy_of(host):
    """SciPy knows no float16."""
    return host.astype("f") if host.dtype == "e" else host


def check(got, want, dtype=None):
    assert type(got) is tb.ndarray and got.shape == want.shape
    assert got.dtype == (want.dtype if dtype is None else dtype)
    if got.dtype == "e":
        np.testing.assert_allclose(got.get(), want.astype("e"), 1e-2, 1e-2)
    elif want.dtype.kind in "fc":
        np.testing.assert_allclose(got.get(), want, 2e-5 if want.dtype.char in "fF" else 1e-11, 1e-5)
    else:
        np.testing.assert_array_equal(got.get(), want)


def compare(name, image, *args, **options):
    """Both give the same, or refuse it; where several things are wrong, the kinds of exception may differ."""
    a, d = image
    try:
        want = getattr(sn, name)(scipy_of(a), *args, **options)
    except REFUSALS:
        with pytest.raises(REFUSALS):
            getattr(xn, name)(d, *args, **options)
        return
    check(getattr(xn, name)(d, *args, **options), want, "e" if a.dtype == "e" else None)


# Sides about those of the tiles into which a GPU cuts images; and images that are parts of other arrays.
SIDES = [1, 2, 55, 56, 62, 64, 65, 120, 130]
TWICE = {
    "sobel": lambda x, a, sizes, how: x.sobel(a, -sizes[0] % 2, **how),
    "prewitt": lambda x, a, sizes, how: x.prewitt(a, **how),
    "gaussian": lambda x, a, sizes, how: x.gaussian_filter(a, (1.0, 0.5), (0, sizes[0] % 3), **how),
    "uniform": lambda x, a, sizes, how: x.uniform_filter(a, sizes, **how),
    "maximum": lambda x, a, sizes, how: x.maximum_filter(a, sizes, **how),
    "minimum": lambda x, a, sizes, how: x.minimum_filter(a, sizes, **how),
}


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(list(TWICE)), shape=st.tuples(*[st.sampled_from(SIDES)] * 2), stacked=st.booleans(),
       code=st.sampled_from("? b H l f d".split()), sizes=st.tuples(*[st.integers(2, 10)] * 2),
       modes=st.tuples(*[st.sampled_from(MODES)] * 2), cval=st.sampled_from([0.0, 3.0, -2.5]), seed=st.integers(0, 99),
       origin=st.integers(-1, 0), swapped=st.booleans(), special=st.booleans())
def test_two_axes_of_large_images(name, shape, stacked, code, sizes, modes, cval, seed, origin, swapped, special):
    rng = np.random.default_rng(seed)
    code = "f" if name == "gaussian" and code != "d" else code  # of which none is next to being cut off
    a = (rng.random(shape) * 60).astype(code)
    if special and code in "fd":
        a.flat[rng.integers(0, a.size, 3)] = [np.nan, np.inf, -np.inf]
    d = tb.array(np.repeat(a, 2, 0))[::2, ::-1]
    a = a[:, ::-1]
    if swapped:
        a, d = a.T, d.T
    how = {"mode": modes, "cval": cval}
    if name in ("uniform", "maximum", "minimum"):
        how["origin"] = (origin, 0)
    call = TWICE[name]
    if stacked and name not in ("sobel", "prewitt"):  # which have no axes
        got = call(xn, tb.stack([d, d]), sizes, {"axes": (1, 2), **how})[1]
    else:
        tb.config.reset_counters()
        got = call(xn, d, sizes, how)
        one = code != "?" and max(sizes) <= 9
        assert tb._core.backend() == "cpu" or not one or tb.config.counters()["launches"] == 1
    with np.errstate(invalid="ignore"):
        want = call(sn, a, sizes, how)
    if special and name == "uniform":  # sums that run on in SciPy stay NaN
        seen = np.isfinite(want)
        np.testing.assert_allclose(got.get()[seen], want[seen], 2e-5, 1e-5)
    else:
        check(got, want)


modes, cvals = st.sampled_from(MODES), st.sampled_from([0.0, 1, 3.0, -2.5])
origins = st.integers(-2, 2)


def weights(draw, shape, kind):
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    if kind == "whole":
        return rng.integers(-2, 3, shape)
    if kind == "symmetric":
        w = rng.random(shape)
        return w + np.flip(w)
    return rng.random(shape) + (1j * rng.random(shape) if kind == "complex" else 0)


kinds = st.sampled_from(["whole", "symmetric", "random", "complex"])


@pytest.mark.parametrize("name", ["correlate1d", "convolve1d"])
@given(st.data(), images("l f d F D"), st.integers(1, 9), kinds, modes, cvals, origins)
def test_along_an_axis(name, data, image, size, kind, mode, cval, origin):
    axis = data.draw(st.integers(-image[0].ndim, image[0].ndim - 1))
    w = weights(data.draw, size, kind)
    if kind != "whole" and image[0].dtype.kind == "i":
        image = tuple(x.astype("d") for x in image)
    compare(name, image, w, axis, None, mode, cval, origin)


@given(st.data(), images("? b h H i I l", max_dims=2), st.integers(1, 5), modes)
def test_integers_are_exact(data, image, size, mode):
    w = np.random.default_rng(size).integers(0, 3, size)
    if image[0].dtype == bool:
        image = tuple(x.astype("B") for x in image)
    compare("correlate1d", image, w, 0, None, mode, 2)
    compare("uniform_filter1d", image, size, 0, None, mode, 2)


@pytest.mark.parametrize("name", ["correlate", "convolve"])
@given(st.data(), images("l f d D", max_side=5), kinds, modes, cvals)
def test_windows(name, data, image, kind, mode, cval):
    ndim = image[0].ndim
    axes = data.draw(st.none() | st.permutations(range(ndim)).flatmap(
        lambda p: st.integers(1, ndim).map(lambda n: tuple(p[:n]))))
    filtered = ndim if axes is None else len(axes)
    w = weights(data.draw, data.draw(st.tuples(*[st.integers(1, 4)] * filtered)), kind)
    if axes and list(axes) != sorted(axes):  # SciPy takes the window's axes in order
        axes = tuple(sorted(axes))
    if kind != "whole" and image[0].dtype.kind == "i":
        image = tuple(x.astype("d") for x in image)
    origin = data.draw(st.integers(-1, 1))
    compare(name, image, w, None, mode, cval, origin, axes=axes)


@given(st.data(), images(), st.integers(1, 40), modes, cvals, origins)
def test_means_and_extremes_along_an_axis(data, image, size, mode, cval, origin):
    axis = data.draw(st.integers(-image[0].ndim, image[0].ndim - 1))
    if image[0].dtype.kind in "bu" and cval != 1:
        cval = 0
    for name in "uniform_filter1d", "minimum_filter1d", "maximum_filter1d":
        if image[0].dtype != bool or name != "uniform_filter1d":
            compare(name, image, size, axis, None, mode, cval, origin)


@given(st.data(), images(max_dims=2), st.integers(1, 5), modes)
def test_means_and_extremes(data, image, size, mode):
    if image[0].dtype != bool:
        compare("uniform_filter", image, size, None, mode)
    for name in "minimum_filter", "maximum_filter":
        compare(name, image, size, None, None, mode)
        sizes = [size, 2][:image[0].ndim]
        several = [mode, "nearest"][:image[0].ndim]
        compare(name, image, sizes, None, None, several, 1, 0)
        if image[0].ndim == 2:
            compare(name, image, 3, None, None, mode, axes=1)


@st.composite
def footprints(draw, ndim, side=4):
    shape = draw(st.tuples(*[st.integers(1, side)] * ndim))
    return np.random.default_rng(draw(st.integers(0, 999))).random(shape) < 0.6


@given(st.data(), images(max_dims=2), modes, cvals, st.integers(-1, 1))
def test_footprints(data, image, mode, cval, origin):
    if image[0].dtype.kind in "bu" and cval != 1:
        cval = 0
    footprint = data.draw(footprints(image[0].ndim))
    for name in "minimum_filter", "maximum_filter":
        compare(name, image, None, footprint, None, mode, cval, origin)


@given(st.data(), images("b B h i l f d", max_dims=2), modes, st.integers(-3, 20), st.integers(-1, 1))
def test_ranks(data, image, mode, rank, origin):
    a, _ = image
    if mode in ("mirror", "constant", "grid-constant") and a.ndim == 1:
        mode = "reflect"  # SciPy's filter of one dimension has faults there
    options = data.draw(st.sampled_from(["size", "footprint"]))
    if options == "size":
        size, footprint = data.draw(st.integers(1, 5)), None
    else:
        size, footprint = None, data.draw(footprints(a.ndim, 5))
    if a.ndim == 1:  # and where the window is longer than the array
        a, d = (x[:, None] for x in image)
        image, footprint = (a, d), None if footprint is None else footprint[:, None]
    compare("rank_filter", image, rank, size, footprint, None, mode, 0, origin)
    compare("median_filter", image, size, footprint, None, mode, 0, origin)
    compare("percentile_filter", image, rank * 7, size, footprint, None, mode, 0, origin)


@pytest.mark.parametrize("size", [3, 4, 5, 7, 9, 11])
def test_medians_of_an_image(size):
    a = np.random.default_rng(size).random((30, 40))
    check(xn.median_filter(tb.array(a), size), sn.median_filter(a, size))
    check(xn.rank_filter(tb.array(a), size, size), sn.rank_filter(a, size, size))


@given(st.data(), images("l f d"), st.sampled_from([0, 0.5, 1.0, 2.3]), st.integers(0, 3), modes)
def test_gaussian(data, image, sigma, order, mode):
    if image[0].dtype.kind == "i":
        image = tuple(x.astype("f") for x in image)
    axis = data.draw(st.integers(-image[0].ndim, image[0].ndim - 1))
    compare("gaussian_filter", image, sigma, order, None, mode)
    if sigma:
        compare("gaussian_filter1d", image, sigma, axis, order, None, mode, 1.5, 3.0)
        compare("gaussian_filter1d", image, sigma, axis, order, None, mode, radius=2)
    if image[0].ndim > 1:
        compare("gaussian_filter", image, [sigma, 1.0], [order, 0], None, [mode, "wrap"], axes=(0, -1))
        compare("gaussian_filter", image, sigma, mode=mode, radius=[1] * image[0].ndim)


@given(st.data(), images("h i l f d D"), modes, cvals)
def test_differences(data, image, mode, cval):
    axis = data.draw(st.integers(-image[0].ndim, image[0].ndim - 1))
    for name in "sobel", "prewitt":
        compare(name, image, axis, None, mode, cval)
    compare("laplace", image, None, mode, cval)
    if image[0].ndim > 1:
        compare("laplace", image, None, mode, axes=-1)
        compare("sobel", image, axis, None, [mode] + ["nearest"] * (image[0].ndim - 1))


@given(images("f d"), st.sampled_from([0.7, 1.5]), modes)
def test_gaussian_derivatives(image, sigma, mode):
    for name in "gaussian_laplace", "gaussian_gradient_magnitude":
        compare(name, image, sigma, None, mode)
        compare(name, image, sigma, None, mode, truncate=2.0)
        if image[0].ndim > 1:
            compare("gaussian_laplace", image, [sigma, 2.0], None, mode, axes=(0, 1))
            compare("gaussian_gradient_magnitude", image, [sigma] * image[0].ndim, None, mode)
            compare("gaussian_gradient_magnitude", image, sigma, None, mode, axes=(-1,))
            compare("gaussian_gradient_magnitude", image, sigma, None, [mode, "wrap"], axes=(0, -1))


def test_own_derivatives():
    a = np.random.default_rng(0).random((5, 6))
    for name in "generic_laplace", "generic_gradient_magnitude":
        def second(module):
            def derivative(input, axis, output, mode, cval, factor, power=1):
                return module.correlate1d(input, [factor, 0, power], axis, output, mode, cval)
            return derivative

        want = getattr(sn, name)(a, second(sn), None, "wrap", 0, (2.0,), {"power": -1})
        check(getattr(xn, name)(tb.array(a), second(xn), None, "wrap", 0, (2.0,), {"power": -1}), want)


CALLS = {
    "correlate1d": ([1, 2, 1],), "correlate": ([[1, 0], [0, 1]],), "uniform_filter": (3,), "gaussian_filter": (1.0,),
    "minimum_filter": (3,), "median_filter": (3,), "sobel": (), "laplace": (), "gaussian_gradient_magnitude": (1.0,),
    "gaussian_laplace": (1.0,),
}


@pytest.mark.parametrize("name", CALLS)
def test_outputs(name):
    a = np.random.default_rng(1).integers(0, 90, (6, 7)).astype(float)
    args = CALLS[name]
    for dtype in "f", np.float64, "d":
        # Between the axes SciPy rounds to the output's dtype as well.
        check(getattr(xn, name)(tb.array(a), *args, output=dtype), getattr(sn, name)(a, *args, output=np.dtype(dtype)))
    out = tb.zeros((6, 7))
    assert getattr(xn, name)(tb.array(a), *args, output=out) is out
    check(out, getattr(sn, name)(a, *args))
    inside = tb.zeros((12, 7))
    getattr(xn, name)(tb.array(a), *args, output=inside[::-2])
    check(inside[::-2], getattr(sn, name)(a, *args))
    same = tb.array(a)
    assert getattr(xn, name)(same, *args, output=same) is same
    check(same, getattr(sn, name)(a, *args))


ORDERS = {
    "rank_filter": (2, 3), "percentile_filter": (30, 3), "grey_dilation": (3,), "uniform_filter1d": (3,),
    "generic_gradient_magnitude": (xn.sobel,), "zoom": (1.5,), "spline_filter": (), "binary_erosion": (),
    "distance_transform_edt": (),
}


@pytest.mark.parametrize("name", [*CALLS, *ORDERS])
@pytest.mark.parametrize("shape", [(6, 7), (3, 4, 5)])
def test_results_are_in_c_order(name, shape):
    args = CALLS.get(name, ORDERS.get(name))
    if len(shape) > 2 and name == "correlate":
        args = (np.ones((2, 2, 2)),)
    for order in "CF":
        image = tb.array(np.random.default_rng(1).random(shape), order=order)
        assert getattr(xn, name)(image, *args).flags.c_contiguous


COMPLEX = {
    "correlate1d": ([1, 2j],), "convolve1d": ([1, 2j],), "correlate": ([[1j, 0]],), "convolve": ([[1j, 0]],),
    "uniform_filter": (3,), "zoom": (2.0,), "spline_filter": (),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_outputs(name):
    a = np.random.default_rng(1).random((5, 6)) + 1j
    for dtype in np.float32, np.dtype("d"):
        with pytest.warns(UserWarning):
            want = getattr(sn, name)(a, *COMPLEX[name], output=dtype)
        with pytest.warns(UserWarning, match="complex"):
            got = getattr(xn, name)(tb.array(a), *COMPLEX[name], output=dtype)
        check(got, want)
    for output in "d", tb.zeros((5, 6)):
        with pytest.raises(RuntimeError):
            getattr(xn, name)(tb.array(a), *COMPLEX[name], output=output)


def test_weights_without_elements():
    a = np.ones((3, 4))
    for shape in (0, 2, 2), (2, 0, 2), (0, 2), (0, 0), (2, 0, 0), (0, 1, 1, 1):
        compare("correlate", (a, tb.array(a)), np.ones(shape))
        compare("convolve", (a, tb.array(a)), np.ones(shape))


@pytest.mark.parametrize("name", CALLS)
def test_no_elements(name):
    got = getattr(xn, name)(tb.zeros((0, 4), "f"), *CALLS[name])
    assert got.shape == (0, 4) and got.dtype == "f"


def test_windows_on_the_device():
    a, w = np.arange(12.0).reshape(3, 4), np.array([[1.0, 2], [0, 1]])
    check(xn.correlate(tb.array(a), tb.array(w)), sn.correlate(a, w))
    check(xn.maximum_filter(tb.array(a), footprint=tb.array(w)), sn.maximum_filter(a, footprint=w))


x = tb.ones((4, 5))
WRONG = {
    "host": (lambda: xn.sobel(np.ones(3)), TypeError),
    "mode": (lambda: xn.sobel(x, mode="none"), RuntimeError),
    "axis": (lambda: xn.sobel(x, 2), ValueError),
    "origin": (lambda: xn.correlate1d(x, [1, 2, 3], origin=2), ValueError),
    "weights": (lambda: xn.correlate1d(x, [[1]]), RuntimeError),
    "no weights": (lambda: xn.convolve1d(x, []), RuntimeError),
    "dimensions": (lambda: xn.correlate(x, [1, 2]), RuntimeError),
    "size": (lambda: xn.uniform_filter1d(x, 0), RuntimeError),
    "no size": (lambda: xn.median_filter(x), RuntimeError),
    "sizes": (lambda: xn.minimum_filter(x, [1, 2, 3]), RuntimeError),
    "footprint": (lambda: xn.minimum_filter(x, footprint=[[0]]), ValueError),
    "complex": (lambda: xn.maximum_filter(x * 1j, 3), TypeError),
    "rank": (lambda: xn.rank_filter(x, 9, 3), RuntimeError),
    "percentile": (lambda: xn.percentile_filter(x, 101, 3), RuntimeError),
    "output": (lambda: xn.sobel(x, output=tb.zeros((5, 4))), RuntimeError),
    "real output": (lambda: xn.correlate1d(x * 1j, [1], output="d"), RuntimeError),
    "radius": (lambda: xn.gaussian_filter1d(x, 1, radius=-1), ValueError),
    "order": (lambda: xn.gaussian_filter1d(x, 1, order=-1), ValueError),
    "modes": (lambda: xn.correlate(x, [[1]], mode=["wrap", "wrap"]), RuntimeError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


def test_size_and_footprint():
    with pytest.warns(UserWarning):
        xn.minimum_filter(x, 3, [[1, 1]])


def test_kernels_of_a_filter():
    image = tb.array(np.random.default_rng(0).random((64, 64)))
    for call in (lambda: xn.correlate1d(image, range(9)), lambda: xn.minimum_filter1d(image, 9),
                 lambda: xn.median_filter(image, 3)):
        call().get()
        with tb.config.fusion("all"):
            tb.config.reset_counters()
            call().get()
            # One kernel computes; the others extend the image beyond its edges.
            assert tb.config.counters()["fused_kernels"] <= 2
            assert tb.config.counters()["bytes_allocated"] < 5 * 8 * 72 * 72


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_derivatives_of_great_orders():
    x = np.arange(9.0)
    for order in (300, 2**40):
        got = xn.gaussian_filter1d(tb.array(x), 1, order=order).get()
        np.testing.assert_array_equal(got, sn.gaussian_filter1d(x, 1, order=300))  # NaN: weights overflow
    got = xn.gaussian_filter1d(tb.array(x), 1e10, order=2**40, radius=2).get()
    np.testing.assert_array_equal(got, sn.gaussian_filter1d(x, 1e10, order=80, radius=2))  # 0: they underflow


@pytest.mark.parametrize("name", ["uniform_filter", "median_filter", "maximum_filter", "grey_erosion", "white_tophat"])
def test_sizes_are_numbers(name):
    """Floats are cut off, as in CuPy; strings are no sizes."""
    x, f = tb.arange(30.0).reshape(5, 6), getattr(xn, name)
    want = f(x, size=(3, 2)).get()
    for size in ((3.0, 2.0), (np.float64(3.7), 2), (np.int8(3), np.array(2)), np.array([3, 2])):
        np.testing.assert_array_equal(f(x, size=size).get(), want)
    for size in ("3", (3, "2"), 1j):
        with pytest.raises(TypeError):
            f(x, size=size)


WHOLE = {
    "gaussian": lambda m, mask, x: m.gaussian_filter(mask, 1.5), "mean": lambda m, mask, x: m.uniform_filter1d(mask, 4),
    "means": lambda m, mask, x: m.uniform_filter(mask, (2, 3)),
    "gaussian of numbers": lambda m, mask, x: m.gaussian_filter1d(x, 0.7, 0, output=bool),
    "correlation": lambda m, mask, x: m.correlate(mask, [[0.3, 0.5], [0.7, 0.2]]),
    "correlation of numbers": lambda m, mask, x: m.correlate1d(x, [0.4, 1.3], output=bool, mode="wrap"),
    "rank": lambda m, mask, x: m.rank_filter(x, 2, 3, output=bool, mode="constant", cval=0.5),
    "mean of numbers": lambda m, mask, x: m.uniform_filter1d(x, 3, output=bool),
}


@pytest.mark.parametrize("shape", [(9, 11), (300, 200)])
@pytest.mark.parametrize("name", WHOLE)
def test_truth_values_are_whole_parts(name, shape):
    """A sum is true from 1 on, not wherever it is not 0."""
    rng = np.random.default_rng(2)
    mask, x = rng.random(shape) < 0.8, np.abs(rng.normal(size=shape))
    want = WHOLE[name](sn, mask, x).view("B") != 0
    assert not want.all()
    np.testing.assert_array_equal(WHOLE[name](xn, tb.array(mask), tb.array(x)).get(), want)
