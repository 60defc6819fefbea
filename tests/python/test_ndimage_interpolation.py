"""tombacx.scipy.ndimage's interpolation against SciPy's."""

import numpy as np
import pytest
import scipy.ndimage as sn
import tombac as tb
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import layouts

import tombacx.scipy.ndimage as xn

MODES = ["constant", "grid-constant", "nearest", "mirror", "reflect", "grid-mirror", "wrap", "grid-wrap"]
REFLECTED = ("reflect", "grid-mirror")
ON_HOST = pytest.mark.skipif(tb.config.backend() != "cpu", reason="kernels take an image as floats as a whole")
modes = st.sampled_from(MODES)
# In the reflected modes SciPy's coefficients near the first elements of short arrays are inexact: shift(x, 0) is not x.
exact = st.tuples(st.sampled_from(MODES), st.integers(0, 5)).filter(lambda m: m[0] not in REFLECTED or m[1] < 2)
numbers = st.floats(-20, 20).map(lambda x: round(x, 2) + 0.003)  # none at an edge, where rounding decides


@st.composite
def images(draw, codes="f d D", max_dims=3, min_dims=1, min_side=1):
    """(NumPy array, tombac array) of any layout."""
    shape = tuple(draw(st.lists(st.integers(min_side, 7), min_size=min_dims, max_size=max_dims)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    code = draw(st.sampled_from(codes.split()))
    host = (rng.random(shape) * 90 + (1j * rng.random(shape) if code in "FD" else 0)).astype(code)
    layout = draw(layouts(host.ndim))
    return layout(host), layout(tb.array(host))


def check(got, want, order=0, mode=""):
    assert type(got) is tb.ndarray and got.dtype == want.dtype and got.shape == want.shape
    # Those of the nearest elements are reflected, too, twelve elements from the edge.
    inexact = want.dtype.char in "fF" or mode == "nearest" and order > 1
    np.testing.assert_allclose(got.get(), want, 1e-4 if inexact else 1e-9, 1e-2 if inexact else 1e-9)


@given(st.data(), images(), st.integers(0, 5), modes)
def test_coefficients(data, image, order, mode):
    a, d = image
    axis, dtype = data.draw(st.integers(-a.ndim, a.ndim - 1)), "D" if a.dtype.kind == "c" else "d"
    if mode in (*REFLECTED, "nearest"):
        wide = [(60, 60) if e == axis % a.ndim else (0, 0) for e in range(a.ndim)]
        inside = tuple(slice(b, b + n) for (b, _), n in zip(wide, a.shape))
        want = sn.spline_filter1d(np.pad(a, wide, "symmetric"), order, axis, dtype)[inside]
        check(xn.spline_filter1d(d, order, axis, mode=mode), want)
        return
    check(xn.spline_filter1d(d, order, axis, mode=mode), sn.spline_filter1d(a, order, axis, dtype, mode))
    if order > 1:
        check(xn.spline_filter(d, order, mode=mode), sn.spline_filter(a, order, dtype, mode))
        check(xn.spline_filter(d, order, "D", mode), sn.spline_filter(a.astype("D"), order, "D", mode))


@given(images("f d"), st.integers(2, 5), modes)
def test_splines_go_through_the_elements(image, order, mode):
    a, d = image
    check(xn.shift(d, 0, None, order, mode), a, order)


@given(st.data(), images(max_dims=2, codes="d"), st.integers(2, 5), st.sampled_from(REFLECTED))
def test_reflected_points(data, image, order, mode):
    a, d = image
    points = np.array([[data.draw(numbers) for _ in range(4)] for _ in range(a.ndim)])
    want = sn.map_coordinates(np.pad(a, 80, "symmetric"), points + 80, order=order, mode="mirror")
    check(xn.map_coordinates(d, tb.array(points), order=order, mode=mode), want)


@given(st.data(), images(max_dims=2), exact, st.booleans(), st.sampled_from([0.0, 3.5]))
def test_points(data, image, chosen, prefilter, cval):
    (a, d), (mode, order) = image, chosen
    shape = data.draw(st.sampled_from([(1,), (6,), (2, 3)]))
    points = np.array([[data.draw(numbers) / 2 for _ in range(int(np.prod(shape)))] for _ in range(a.ndim)])
    points = points.reshape((a.ndim, *shape))
    want = sn.map_coordinates(a, points, None, order, mode, cval, prefilter)
    check(xn.map_coordinates(d, tb.array(points), None, order, mode, cval, prefilter), want, order, mode)


@given(images(max_dims=2), exact, st.booleans(), st.sampled_from([None, (3,), (2, 3)]))
def test_points_by_a_function(image, chosen, prefilter, shape):
    (a, d), (mode, order) = image, chosen

    def mapping(index, by, more=0.0):
        return tuple(by * sum(index) + 0.3 * k + more for k in range(a.ndim))

    options = (None, order, mode, 3.5, prefilter, (0.7,), {"more": 0.103})
    check(xn.geometric_transform(d, mapping, shape, *options), sn.geometric_transform(a, mapping, shape, *options),
          order, mode)


def test_outputs_of_points_by_a_function():
    x, out = tb.arange(6.0).reshape(2, 3), tb.zeros((3, 2))
    assert xn.geometric_transform(x, lambda index: index[::-1], output=out, order=1) is out
    np.testing.assert_array_equal(out.get(), x.get().T)
    assert xn.geometric_transform(x, lambda index: index[::-1], (3, 2), "f", order=1).dtype == "f"
    assert xn.geometric_transform(x, lambda index: index, (0, 2)).shape == (0, 2)
    with pytest.raises(RuntimeError):
        xn.geometric_transform(x, lambda index: index[:1])
    with pytest.raises(RuntimeError):
        xn.geometric_transform(x, lambda index: index, (3, 3), output=out)


@pytest.mark.parametrize("mode", [m for m in MODES if m not in REFLECTED])
@pytest.mark.parametrize("order", range(6))
def test_points_of_a_cube(order, mode):
    rng = np.random.default_rng(order)
    a, points = rng.random((6, 7, 5)), rng.random((3, 50)) * 12 - 3
    want = sn.map_coordinates(a, points, order=order, mode=mode)
    check(xn.map_coordinates(tb.array(a), points, order=order, mode=mode), want, order, mode)


@given(st.data(), images(), exact, st.sampled_from([0.0, 3.5]))
def test_shift(data, image, chosen, cval):
    (a, d), (mode, order) = image, chosen
    by = [data.draw(numbers) for _ in range(a.ndim)]
    check(xn.shift(d, by, None, order, mode, cval), sn.shift(a, by, None, order, mode, cval), order, mode)


@given(images(), st.integers(-3, 3), exact)
def test_whole_shifts(image, by, chosen):
    (a, d), (mode, order) = image, chosen
    check(xn.shift(d, by, None, order, mode), sn.shift(a, by, None, order, mode), order, mode)


@given(st.data(), images(min_side=2), exact, st.booleans())
@pytest.mark.filterwarnings("ignore")
def test_zoom(data, image, chosen, grid):
    (a, d), (mode, order) = image, chosen
    by = [data.draw(st.sampled_from([1, 0.5, 2, 1.7, 3.1])) for _ in range(a.ndim)]
    grid = grid and a.dtype.kind == "f"  # SciPy forgets it for complex numbers
    if order % 2 == 0 and order < 2 or mode == "wrap":  # rounding decides between two elements
        by = [1.7 if z != 1 else 1 for z in by]
    want = sn.zoom(a, by, None, order, mode, 1.5, grid_mode=grid)
    check(xn.zoom(d, by, None, order, mode, 1.5, grid_mode=grid), want, order, mode)


@given(st.data(), images(max_dims=2, codes="d D"), exact, st.sampled_from([0.0, 3.5]))
def test_affine(data, image, chosen, cval):
    (a, d), (mode, order) = image, chosen
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    n = a.ndim
    matrix, offset = rng.random((n, n)) * 2 - 0.7, rng.random(n) * 4 - 1
    whole = np.eye(n + 1)
    whole[:n, :n], whole[:n, n] = matrix, offset
    shape = tuple(rng.integers(1, 7, n).tolist())
    for m, o in ((matrix, offset), (matrix, 0.25), (whole, 0), (whole[:n], 0), (rng.random(n) + 0.3, offset)):
        options = {"order": order, "mode": mode, "cval": cval, "output_shape": shape}
        check(xn.affine_transform(d, tb.array(m), o, **options), sn.affine_transform(a, m, o, **options), order, mode)


@given(st.data(), images(min_dims=2, codes="d"), st.sampled_from([17.0, 90, 180, -45.3, 271.1, 0]), exact,
       st.booleans())
def test_rotate(data, image, angle, chosen, reshape):
    (a, d), (mode, order) = image, chosen
    axes = data.draw(st.permutations(range(-a.ndim, 0)))[:2]
    assume(order > 0)  # the middle stays where it is, half way between elements: rounding decides
    if angle % 90 == 0 and mode == "wrap":
        angle += 1.1
    if angle == -45.3 and mode == "constant":
        angle = 33.3
    want = sn.rotate(a, angle, axes, reshape, order=order, mode=mode)
    check(xn.rotate(d, angle, axes, reshape, order=order, mode=mode), want, order, mode)


@pytest.mark.parametrize("dtype", ["B", "b", "H", "i", "l", "f"])
def test_rounding(dtype):
    a = np.random.default_rng(0).integers(0, 120, (6, 7)).astype(dtype)
    for order in range(4):
        for call in (lambda m, x: m.shift(x, 0.3, order=order, mode="nearest"),  # noqa: B023
                     lambda m, x: m.zoom(x, 1.6, order=order, mode="mirror")):  # noqa: B023
            got, want = call(xn, tb.array(a)), call(sn, a)
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got.get(), want, 1e-5)


def test_outputs():
    a = np.random.default_rng(0).random((5, 6))
    d = tb.array(a)
    out = tb.zeros((5, 6))
    assert xn.shift(d, 1.5, out) is out
    check(out, sn.shift(a, 1.5))
    check(xn.zoom(d, 2, "f", order=1), sn.zoom(a, 2, np.float32, order=1))
    out = tb.zeros((3, 4))
    assert xn.affine_transform(d, [2, 1], output=out) is out
    check(out, sn.affine_transform(a, [2, 1], output_shape=(3, 4)))
    xn.rotate(d, 30, reshape=False, output=d)
    check(d, sn.rotate(a, 30, reshape=False))


def test_no_elements():
    d = tb.zeros((0, 4))
    assert xn.shift(d, 1).shape == (0, 4) and xn.zoom(d, 2).shape == (0, 8)
    assert xn.map_coordinates(tb.ones((3, 4)), tb.zeros((2, 0))).shape == (0,)


x = tb.ones((4, 5))
WRONG = {
    "host": (lambda: xn.shift(np.ones(3), 1), TypeError),
    "order": (lambda: xn.shift(x, 1, order=6), RuntimeError),
    "order of a filter": (lambda: xn.spline_filter(x, 1), RuntimeError),
    "mode": (lambda: xn.zoom(x, 2, mode="none"), RuntimeError),
    "dimensions": (lambda: xn.zoom(tb.ones(()), 2), RuntimeError),
    "shifts": (lambda: xn.shift(x, [1, 2, 3]), RuntimeError),
    "coordinates": (lambda: xn.map_coordinates(x, tb.ones((3, 2))), RuntimeError),
    "complex coordinates": (lambda: xn.map_coordinates(x, tb.ones((2, 2)) * 1j), TypeError),
    "output": (lambda: xn.shift(x, 1, tb.zeros((5, 4))), RuntimeError),
    "real output": (lambda: xn.shift(x * 1j, 1, "d"), RuntimeError),
    "rows": (lambda: xn.affine_transform(x, tb.ones((3, 2))), RuntimeError),
    "columns": (lambda: xn.affine_transform(x, tb.ones((2, 1))), RuntimeError),
    "last row": (lambda: xn.affine_transform(x, tb.ones((3, 3))), ValueError),
    "offset": (lambda: xn.affine_transform(x, tb.ones((2, 2)), [1, 2, 3]), RuntimeError),
    "plane": (lambda: xn.rotate(x, 1, (0, 2)), ValueError),
    "axes": (lambda: xn.rotate(x, 1, (0, 1, 2)), ValueError),
    "one dimension": (lambda: xn.rotate(tb.ones(3), 1), ValueError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


def test_grid_mode_warns():
    with pytest.warns(UserWarning):
        xn.zoom(x, 2, grid_mode=True)


@pytest.mark.parametrize("order", [2, 3, 4, 5])
@pytest.mark.parametrize("mode", ["mirror", "reflect", "grid-wrap", "wrap", "nearest", "constant", "grid-constant"])
@pytest.mark.parametrize("shape", [(7,), (5, 6), (1, 4), (3, 4, 5)])
def test_splines_far_beyond_the_edges(shape, mode, order):
    rng = np.random.default_rng(order)
    a, at = rng.random(shape), rng.uniform(-25, 25, (len(shape), 40, 3))
    at[:, 0, 0] = 0  # an element itself
    options = {"order": order, "mode": mode, "cval": 2.5, "prefilter": False}
    got = xn.map_coordinates(tb.array(a), tb.array(at), **options)
    np.testing.assert_allclose(got.get(), sn.map_coordinates(a, at, **options), 1e-9, 1e-9)


def test_splines_at_coordinates_that_are_no_numbers():
    a = np.random.default_rng(0).random((6, 7))
    at = np.array([[1.5, np.nan, 2.0], [3.5, 1.0, np.nan]])
    got = xn.map_coordinates(tb.array(a), tb.array(at), mode="nearest").get()
    np.testing.assert_allclose(got[0], sn.map_coordinates(a, at, mode="nearest")[0])
    assert got.shape == (3,)


def test_negative_shapes():
    x = tb.ones((3, 3))
    for wrong in (lambda: xn.affine_transform(x, np.eye(2), output_shape=(-1, 2)),
                  lambda: xn.affine_transform(x, np.ones(2), output_shape=(2, -1)),
                  lambda: xn.zoom(x, -1), lambda: xn.zoom(x, (1, -2.5))):
        with pytest.raises(ValueError, match="negative"):
            wrong()


@pytest.mark.parametrize("order, mode", [(1, "constant"), (2, "mirror"), (3, "grid-wrap"), (5, "constant")])
def test_images_of_several_tiles(order, mode):
    a = np.random.default_rng(order).random((70, 331)).astype("f")
    for x in a, a[::-1, ::2]:
        d = tb.array(a) if x is a else tb.array(a)[::-1, ::2]
        check(xn.spline_filter1d(d, order, 0, mode=mode), sn.spline_filter1d(x, order, 0, "d", mode))
        check(xn.spline_filter1d(d, order, 1, mode=mode), sn.spline_filter1d(x, order, 1, "d", mode))
        check(xn.zoom(d, 1.3, None, order, mode), sn.zoom(x, 1.3, None, order, mode))
        check(xn.rotate(d, 31.7, order=order, mode=mode), sn.rotate(x, 31.7, order=order, mode=mode))


@pytest.mark.parametrize("order, mode, shape", [
    (0, "nearest", (130, 97)), (1, "constant", (140, 150)), (1, "wrap", (90, 120)), (2, "mirror", (100, 80)),
    (3, "constant", (130, 97)), (4, "grid-constant", (90, 120)), (5, "grid-wrap", (100, 80)),
    (1, "mirror", (5, 90, 80)), (3, "constant", (12, 60, 70)),
])
def test_tiles_inside_an_image(order, mode, shape):
    """Tiles of points that are far from the edges, those that are not, and those that hang over the result's end."""
    rng = np.random.default_rng(3)
    a = (rng.random(shape) * 90).astype("f")
    for angle, slide in ((0.1, 0), (-2.3, 1.5), (np.pi / 2, 0.25)):
        matrix = np.eye(len(shape))
        matrix[-2:, -2:] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        middle = (np.array(shape) - 1) / 2
        offset = middle - matrix @ middle + slide
        out = tuple(n - 3 * k for k, n in enumerate(shape))
        want = sn.affine_transform(a, matrix, offset, out, "d", order, mode)
        got = xn.affine_transform(tb.array(a), tb.array(matrix), offset, out, "d", order, mode)
        np.testing.assert_allclose(got.get(), want, 1e-9, 1e-9)


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("matrix", [[[0.9, 0.1], [-0.1, 0.9]], [[0.5, 0], [0, 1.1]]])
def test_images_of_many_tiles(order, matrix):
    """With 2^20 points and more a GPU's tiles are higher."""
    a = np.random.default_rng(5).random((1030, 1100)).astype(np.float32)
    want = sn.affine_transform(a, np.array(matrix), order=order)
    got = xn.affine_transform(tb.array(a), tb.array(matrix), order=order)
    np.testing.assert_allclose(got.get(), want, 1e-6, 1e-6)


@pytest.mark.parametrize("angle", [45, -45, 40, -50, 130, 225, 30.0, 90, -270, 12.34])
def test_rotations_pick_the_elements_that_scipys_pick(angle):
    a = np.random.default_rng(7).standard_normal((38, 75))
    want = sn.rotate(a, angle, order=0, mode="constant")
    got = xn.rotate(tb.array(a), angle, order=0, mode="constant").get()
    # Where the middle is moved to is rounded in BLAS's order there, which decides some ties at odd multiples of 45.
    assert (got != want).mean() < (0.004 if angle % 90 == 45 else 1e-9)


def test_orders_that_are_no_whole_numbers():
    x = tb.ones((5, 6))
    for call in (lambda k: xn.zoom(x, 2, order=k), lambda k: xn.shift(x, 1, order=k),
                 lambda k: xn.rotate(x, 9, order=k), lambda k: xn.spline_filter(x, k),
                 lambda k: xn.map_coordinates(x, tb.ones((2, 3)), order=k),
                 lambda k: xn.affine_transform(x, tb.eye(2), order=k), lambda k: xn.spline_filter1d(x, k)):
        with pytest.raises(TypeError, match="order"):
            call(2.5)
        for order in (-1, 6):
            with pytest.raises(RuntimeError, match="order"):
                call(order)


def test_numbers_that_are_arrays():
    a = np.random.default_rng(0).random((7, 9))
    x = tb.array(a)
    np.testing.assert_allclose(xn.zoom(x, tb.array(1.5)).get(), sn.zoom(a, 1.5), 1e-9)
    np.testing.assert_allclose(xn.zoom(x, tb.array([1.5, 2.0])).get(), sn.zoom(a, (1.5, 2)), 1e-9)
    np.testing.assert_allclose(xn.rotate(x, tb.array(30.0)).get(), sn.rotate(a, 30), 1e-9, 1e-12)
    with pytest.raises(ValueError, match="axes"):
        xn.rotate(x, 30, axes=(1, -1))


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("mode", ["constant", "nearest", "mirror", "grid-wrap"])
def test_truth_values_are_whole_parts(order, mode):
    """A value becomes true from 1 on, not wherever it is not 0."""
    host = np.random.default_rng(order).normal(size=(9, 11)) * 1.5
    a = tb.array(host)
    for f in (lambda m, x: m.zoom(x, (1.3, 1.7), bool, order, mode),
              lambda m, x: m.shift(x, (0.3, 1.2), bool, order, mode),
              lambda m, x: m.rotate(x, 33, output=bool, order=order, mode=mode),
              lambda m, x: m.affine_transform(x, [[0.9, 0.1], [-0.2, 1.1]], (0.31, 1.2), None, bool, order, mode)):
        want = f(sn, host)
        assert want.any() and not want.all()
        np.testing.assert_array_equal(f(xn, a).get(), want.view("B") != 0)
    mask = tb.array(host > 0)
    assert not bool((xn.rotate(mask, 0.001, reshape=False) & ~mask).sum() > 9)


@pytest.mark.parametrize("order", [2, 3, 4, 5])
@pytest.mark.parametrize("n", [127, 128, 129, 135, 136, 1023, 1024, 4099])
def test_coefficients_of_one_line(order, n):
    """Which the CPU takes as several from some length on."""
    x = np.random.default_rng(n).standard_normal(n)
    for mode in ("mirror", "reflect", "grid-wrap", "nearest", "constant"):
        want = sn.spline_filter1d(x, order, mode=mode)
        np.testing.assert_allclose(xn.spline_filter1d(tb.array(x), order, mode=mode).get(), want, 1e-12, 1e-12)
        both = tb.array(np.stack([x, x]))
        np.testing.assert_allclose(xn.spline_filter1d(both, order, 1, mode=mode).get(), [want, want], 1e-12, 1e-12)


@pytest.mark.parametrize("offset", [(-3, 2.5), (0.15, -0.45)])
def test_nearest_elements_are_scipys_where_two_are_as_near(offset):
    """Decimal fractions put many points half way between two elements, but for the last bit."""
    a = np.arange(70 * 90.0).reshape(70, 90)
    for matrix in ([[0.9, 0.1], [-0.1, 0.95]], [[0.45, 0.05], [0.15, 1.05]]):
        want = sn.affine_transform(a, np.array(matrix), offset, order=0, cval=-1)
        got = xn.affine_transform(tb.array(a), tb.array(matrix), offset, order=0, cval=-1)
        np.testing.assert_array_equal(got.get(), want)
        for dtype in ("float32", "float64"):
            want = sn.affine_transform(a, np.array(matrix), offset, output=dtype, order=1)
            got = xn.affine_transform(tb.array(a), tb.array(matrix), offset, output=dtype, order=1)
            np.testing.assert_allclose(got.get(), want, rtol=1e-12 if dtype == "float64" else 2e-7, atol=1e-9)


@pytest.mark.parametrize("name, options", [("spline_filter", {}), ("spline_filter1d", {}),
                                           ("spline_filter1d", {"axis": 0}), ("spline_filter1d", {"order": 1})],
                         ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, int], ids=str)
@pytest.mark.filterwarnings("ignore:.*promoting")
def test_coefficients_of_complex_images_are_complex(name, options, dtype):
    x = np.arange(12).reshape(3, 4) * (1 + 0.5j)
    got, want = (f(a, output=dtype, **options) for f, a in ((getattr(xn, name), tb.array(x)), (getattr(sn, name), x)))
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, 1e-5, 1e-5)


PARTS = {
    "points": lambda m, a, of, **o: m.map_coordinates(a, of(np.array([[0.3, 2.5, 4.0], [1.0, 3.7, 2.2]])), **o),
    "shift": lambda m, a, of, **o: m.shift(a, (0.5, -1.25), **o),
    "zoom": lambda m, a, of, **o: m.zoom(a, (1.5, 0.8), **o),
    "affine": lambda m, a, of, **o: m.affine_transform(a, of(np.array([[0.9, 0.2], [-0.1, 1.1]])), **o),
    "rotate": lambda m, a, of, **o: m.rotate(a, 30, **o),
}


@pytest.mark.parametrize("order", [0, 1, 3])
@pytest.mark.parametrize("dtype", "FD")
@pytest.mark.parametrize("name", PARTS)
def test_parts_of_complex_images_do_not_mix(name, dtype, order):
    rng = np.random.default_rng(7)
    a = (rng.random((6, 7)) + 1j * rng.random((6, 7))).astype(dtype)
    a.real[1, 2] = np.nan
    options = {"order": order, "cval": 2 - 3j, "prefilter": False}
    with np.errstate(invalid="ignore"):
        want = PARTS[name](sn, a, np.asarray, **options)
    got = PARTS[name](xn, tb.array(a), tb.asarray, **options)
    assert got.dtype == want.dtype and np.isfinite(want.imag).all()
    check(got.real, want.real)
    check(got.imag, want.imag)


@pytest.mark.parametrize("name", PARTS)
def test_real_images_have_real_edges(name):
    for m, of in ((sn, np.asarray), (xn, tb.asarray)):
        with pytest.raises(TypeError):
            PARTS[name](m, of(np.ones((6, 7))), of, cval=1j)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", [0, 1, 3])
def test_few_points_of_large_images(order, mode):
    rng = np.random.default_rng(order)
    for code, shape in (("?", (500, 90)), ("B", (60, 700)), ("h", (30, 40, 50)), ("Q", (40000,)), ("e", (300, 200)),
                        ("f", (3, 20000)), ("d", (200, 300)), ("F", (200, 300))):
        host = (rng.random(shape) * 90).astype(code)
        points = np.stack([rng.uniform(-1.5 * n, 2.5 * n, 9) for n in shape])
        points[0, 0], points[-1, 1] = 0, shape[-1] - 1
        how = {"order": order, "mode": mode, "cval": 7, "prefilter": False, "output": "D" if code == "F" else "d"}
        for layout in (lambda x: x, lambda x: x.T[::-1], lambda x: x[..., ::-2]):
            some = points if layout(host).shape == shape else points[::-1] if host.ndim > 1 else points / 2.1
            want = sn.map_coordinates(layout(host.astype("d") if code == "e" else host), some, **how)
            check(xn.map_coordinates(layout(tb.array(host)), tb.array(some), **how), want, order, mode)


@ON_HOST
def test_few_points_take_little_memory():
    image, points = tb.array(np.ones((1000, 1200), "B")), tb.array([[3.5, 20, 7], [100, 4.2, 1199]])
    for x in (image, image.T, image[::-1, ::3]):
        tb.config.reset_counters()
        xn.map_coordinates(x, points, order=1).get()
        assert tb.config.counters()["bytes_allocated"] < 10000


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", [0, 1, 3])
def test_small_parts_of_large_images(order, mode):
    rng = np.random.default_rng(order)
    how = {"order": order, "mode": mode, "cval": 7, "prefilter": False}
    for code, shape in (("?", (500, 90)), ("B", (120, 700)), ("i", (30, 40, 50)), ("f", (60000,)), ("d", (200, 300))):
        host = (rng.random(shape) * 90).astype(code)
        for layout in (lambda x: x, lambda x: x.T[::-1], lambda x: x[..., ::-2]):
            a, d = layout(host), layout(tb.array(host))
            matrix = np.eye(a.ndim) * 0.83 + 0.107
            offset, small = [0.31 * n for n in a.shape], (5, 4, 3)[:a.ndim]
            for m in (matrix, matrix[0]):
                want = sn.affine_transform(a, m, offset, small, output="d", **how)
                check(xn.affine_transform(d, tb.array(m), offset, small, output="d", **how), want, order, mode)
            if code == "f":
                check(xn.affine_transform(d, matrix, offset, small, **how),
                      sn.affine_transform(a, matrix, offset, small, **how), order, mode)


@ON_HOST
def test_small_parts_take_little_memory():
    image = tb.array(np.ones((1000, 1200), "B"))
    for x in (image, image.T, image[::-1, ::3]):
        tb.config.reset_counters()
        xn.affine_transform(x, np.array([[0.9, 0.1], [-0.1, 0.9]]), 20, (8, 8), order=1).get()
        xn.zoom(x, 0.01, order=0).get()
        assert tb.config.counters()["bytes_allocated"] < 10000
