"""tombacx.scipy.ndimage's filters of transforms, distances, and filters by functions, against SciPy's."""

import numpy as np
import pytest
import scipy.ndimage as sn
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import layouts, values
from test_ndimage_filters import modes
from test_ndimage_morphology import some

import tombacx.scipy.ndimage as xn

try:
    from tombacx.scipy.special import j1
except ImportError:
    j1 = None


@st.composite
def arrays(draw, codes, max_dims=3, max_side=7, min_side=1):
    shape = tuple(draw(st.lists(st.integers(min_side, max_side), min_size=1, max_size=max_dims)))
    host = values(np.dtype(draw(st.sampled_from(codes.split()))), shape, draw(st.integers(0, 2**32 - 1)))
    layout = draw(layouts(host.ndim))
    return layout(host), layout(tb.array(host))


def check(got, want):
    assert type(got) is tb.ndarray and got.dtype == want.dtype and got.shape == want.shape
    single = want.dtype.char in "fF"
    np.testing.assert_allclose(got.get(), want, 1e-4 if single else 1e-10, 1e-4 if single else 1e-10)


@pytest.mark.parametrize("name", ["fourier_gaussian", "fourier_uniform", "fourier_shift", "fourier_ellipsoid"])
@given(st.data(), arrays("l f d F D"), st.booleans())
def test_products_with_transforms(name, data, image, real):
    a, d = image
    if name == "fourier_ellipsoid" and (a.ndim == 2 and j1 is None or a.size == 1):
        return
    if name == "fourier_shift" and a.dtype.kind != "c":
        a, d = a.astype("D"), d.astype("D")
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    n = 2 * (a.shape[axis] - 1) + data.draw(st.integers(0, 1)) if real and a.shape[axis] > 1 else -1
    by = [data.draw(st.sampled_from([0.5, 1.0, 2.3, 4])) for _ in range(a.ndim)]
    # SciPy's ellipsoid takes one size of its dimensions along the real axis wrongly where there are several.
    for size in by, 1.5:
        check(getattr(xn, name)(d, size, n, axis), getattr(sn, name)(a, size, n, axis))


def test_outputs_of_transforms():
    a = np.arange(12.0).reshape(3, 4) + 1j
    out = tb.zeros((3, 4), "D")
    assert xn.fourier_gaussian(tb.array(a), 1, output=out) is out
    check(out, sn.fourier_gaussian(a, 1))
    check(xn.fourier_shift(tb.array(a), 1, output=np.complex64), sn.fourier_shift(a, 1, output=np.complex64))
    assert xn.fourier_gaussian(tb.zeros((0, 3)), 1).shape == (0, 3)


# ---- distances -------------------------------------------------------------------------------------------------------


@given(st.data(), arrays("? B d"))
def test_distances(data, image):
    a, d = image
    if a.all():
        assert np.isinf(xn.distance_transform_edt(d).get()).all()
        return
    sampling = data.draw(st.none() | st.sampled_from([0.5, 2.0]) | st.just([1.0, 0.3, 2.5][:a.ndim]))
    want = sn.distance_transform_edt(a, sampling)
    distances, indices = xn.distance_transform_edt(d, sampling, return_indices=True)
    check(distances, want)
    assert indices.dtype == "i" and indices.shape == (a.ndim, *a.shape)
    # Indices are those of zeros that are so far away.
    places = indices.get()
    assert not a[tuple(places)].any()
    steps = np.reshape(np.broadcast_to(1.0 if sampling is None else sampling, a.ndim), (-1,) + (1,) * a.ndim)
    np.testing.assert_allclose(np.sqrt((((places - np.indices(a.shape)) * steps) ** 2).sum(0)), want, 1e-12)
    check(xn.distance_transform_edt(d, sampling, float64_distances=False), want.astype("f"))


def test_distances_of_an_image():
    a = np.random.default_rng(0).random((60, 50)) < 0.98
    check(xn.distance_transform_edt(tb.array(a)), sn.distance_transform_edt(a))


@pytest.mark.parametrize("shape", [(300, 1009), (40, 50, 60), (100_003,)])
@pytest.mark.parametrize("sampling", [None, 0.37, 0.0])
def test_distances_in_large_arrays(shape, sampling):
    a = np.random.default_rng(1).random(shape) < 0.9995
    check(xn.distance_transform_edt(tb.array(a), sampling), sn.distance_transform_edt(a, sampling))


@pytest.mark.parametrize("shape", [(33, 70), (9, 20, 37), (3, 4, 5, 6), (2, 1, 3, 2, 5)])
def test_places_of_nearest_elements(shape):
    """Along all axes."""
    a = np.random.default_rng(len(shape)).random(shape) < 0.98
    a[(0,) * a.ndim] = False
    distances, indices = xn.distance_transform_edt(tb.array(a), return_indices=True)
    places = indices.get()
    assert not a[tuple(places)].any()
    check(distances, sn.distance_transform_edt(a))
    np.testing.assert_allclose(np.sqrt(((places - np.indices(shape)) ** 2).sum(0)), distances.get(), 1e-12)
    ones = xn.distance_transform_edt(tb.ones(shape), return_distances=False, return_indices=True)
    np.testing.assert_array_equal(ones.get(), np.indices(shape))


@pytest.mark.parametrize("shape", [(37, 70), (40, 31), (14, 16, 25), (7, 6, 5, 4), (1, 9), (200,)])
@pytest.mark.parametrize("sampling", [None, 2.0, "one each"])
@pytest.mark.parametrize("part", [0.05, 0.5, 0.95])
def test_which_of_equally_near_elements(shape, sampling, part):
    sampling = (3.0, 1.0, 2.0, 5.0)[:len(shape)] if sampling == "one each" else sampling
    a = np.random.default_rng(len(shape)).random(shape) < part
    a[(0,) * a.ndim] = False
    indices = xn.distance_transform_edt(tb.array(a)[..., ::-1], sampling, return_distances=False, return_indices=True)
    np.testing.assert_array_equal(indices.get(), sn.distance_transform_edt(
        a[..., ::-1], sampling, return_distances=False, return_indices=True))
    assert indices.flags.c_contiguous


def test_outputs_of_distances():
    a = np.array([[0, 1, 1], [1, 1, 1]])
    d = tb.array(a)
    out, places = tb.zeros((2, 3)), tb.zeros((2, 2, 3), "i")
    assert xn.distance_transform_edt(d, distances=out) is None
    check(out, sn.distance_transform_edt(a))
    check(xn.distance_transform_edt(d, return_indices=True, indices=places), sn.distance_transform_edt(a))
    np.testing.assert_array_equal(places.get(), np.zeros((2, 2, 3)))
    assert xn.distance_transform_edt(tb.zeros((0, 3))).shape == (0, 3)
    check(xn.distance_transform_edt(tb.array(0)), np.zeros(1))


OTHER_METRICS = [
    ("distance_transform_cdt", {}), ("distance_transform_cdt", {"metric": "taxicab"}),
    ("distance_transform_cdt", {"metric": "manhattan"}), ("distance_transform_bf", {}),
    ("distance_transform_bf", {"metric": "chessboard"}), ("distance_transform_bf", {"metric": "cityblock"}),
    ("distance_transform_bf", {"sampling": 1.5}),
]


@pytest.mark.parametrize("name, options", OTHER_METRICS)
@given(arrays("? l d"))
def test_distances_by_other_metrics(name, options, image):
    a, d = image
    ours, theirs = getattr(xn, name), getattr(sn, name)
    want, places = theirs(a, return_indices=True, **options)
    check(ours(d, **options), want)
    for g, w in zip(ours(d, return_indices=True, **options), (want, places), strict=True):
        check(g, w)
    out, indices = tb.zeros(want.shape, want.dtype), tb.zeros(places.shape, "i")
    assert ours(d, return_indices=True, distances=out, indices=indices, **options) is None
    np.testing.assert_allclose(out.get(), want)
    np.testing.assert_array_equal(indices.get(), places)


def test_distances_by_a_structure():
    a = np.arange(30).reshape(5, 6) % 7
    metric = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 1]])
    want = sn.distance_transform_cdt(a, metric)
    check(xn.distance_transform_cdt(tb.array(a), metric), want)
    check(xn.distance_transform_cdt(tb.array(a), tb.array(metric)), want)


@pytest.mark.parametrize("dtype", ["h", "H", "i", "I", "l", "L"])
def test_integers_for_indices(dtype):
    d = tb.array(np.random.default_rng(0).random((9, 10)) < 0.8)
    places = tb.zeros((2, 9, 10), dtype)
    assert xn.distance_transform_edt(d, return_distances=False, return_indices=True, indices=places) is None
    want = xn.distance_transform_edt(d, return_distances=False, return_indices=True)
    np.testing.assert_array_equal(places.get(), want.get())


def test_blocks():
    d = tb.array(np.random.default_rng(0).random((40, 50)) < 0.8)
    want = xn.distance_transform_edt(d)
    for blocks in (1, 1, 1), (2, 2, 2), (2, 1, 1):
        check(xn.distance_transform_edt(d, block_params=blocks), want.get())
    for blocks in (0, 1, 1), (1, 1, 0), (1, 3, 1), (3, 1, 1), (1, 4, 1), (1, 1), (1.5, 1, 1), 3:
        with pytest.raises(ValueError):
            xn.distance_transform_edt(d, block_params=blocks)


def test_no_array_of_all_pairs():
    d = tb.array(np.random.default_rng(0).random((100, 120)) < 0.9)
    xn.distance_transform_edt(d).get()
    tb.config.reset_counters()
    xn.distance_transform_edt(d).get()
    assert tb.config.counters()["bytes_allocated"] < 8 * 100 * 120 * 120 / 2


# ---- functions of one's own ------------------------------------------------------------------------------------------


@given(st.data(), arrays("l f d", 2, 4), modes)
def test_functions_of_windows(data, image, mode):
    a, d = image
    footprint = data.draw(some(a.ndim, 3))
    want = sn.generic_filter(a, lambda x, k: x.max() + k * x[0], footprint=footprint, mode=mode, extra_arguments=(2,))
    got = xn.generic_filter(d, lambda x, k: x.max() + k * x[0], footprint=footprint, mode=mode, extra_arguments=(2,))
    check(got, want)


def test_kernels_of_windows():
    k = tb.ReductionKernel("T x", "T y", "x * x", "a + b", "y = a", "0", "squares")
    a = np.random.default_rng(0).random((6, 7))
    check(xn.generic_filter(tb.array(a), k, 3), sn.generic_filter(a, lambda x: (x * x).sum(), 3))
    footprint = np.array([[1, 0, 1], [0, 1, 1]], bool)
    want = sn.generic_filter(a, lambda x: (x * x).sum(), footprint=footprint, mode="wrap", origin=(0, 1))
    check(xn.generic_filter(tb.array(a), k, footprint=footprint, mode="wrap", origin=(0, 1)), want)


@given(st.data(), arrays("l f d", 2, 5), st.integers(1, 4), modes)
def test_functions_of_lines(data, image, size, mode):
    a, d = image
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))

    def sums(line, result, k=1):
        result[...] = k * sum(line[i:i + result.shape[0]] for i in range(size))

    check(xn.generic_filter1d(d, sums, size, axis, mode=mode, extra_keywords={"k": 3}),
          sn.generic_filter1d(a, sums, size, axis, mode=mode, extra_keywords={"k": 3}))


x = tb.ones((4, 5))
WRONG = {
    "host": (lambda: xn.fourier_shift(np.ones(3), 1), TypeError),
    "axis": (lambda: xn.fourier_gaussian(x, 1, axis=2), ValueError),
    "integers": (lambda: xn.fourier_gaussian(x, 1, output=int), RuntimeError),
    "real": (lambda: xn.fourier_shift(x, 1, output=float), RuntimeError),
    "four dimensions": (lambda: xn.fourier_ellipsoid(tb.ones((1, 1, 1, 1)), 1), NotImplementedError),
    "sizes": (lambda: xn.fourier_uniform(x, [1, 2, 3]), RuntimeError),
    "nothing": (lambda: xn.distance_transform_edt(x, return_distances=False), RuntimeError),
    "shape": (lambda: xn.distance_transform_edt(x, distances=tb.zeros((5, 4))), RuntimeError),
    "dtype": (lambda: xn.distance_transform_edt(x, return_indices=True, indices=tb.zeros((2, 4, 5))), RuntimeError),
    "bytes": (lambda: xn.distance_transform_edt(x, return_indices=True, indices=tb.zeros((2, 4, 5), "b")),
              RuntimeError),
    "few": (lambda: xn.distance_transform_edt(tb.ones(40000), return_indices=True, indices=tb.zeros((1, 40000), "h")),
            RuntimeError),
    "no metric": (lambda: xn.distance_transform_cdt(x, "round"), ValueError),
    "no metric of all pairs": (lambda: xn.distance_transform_bf(x, "round"), RuntimeError),
    "no distances": (lambda: xn.distance_transform_cdt(x, return_distances=False), RuntimeError),
    "distances of int64": (lambda: xn.distance_transform_cdt(x, distances=tb.zeros((4, 5), "l")), RuntimeError),
    "indices of int64": (lambda: xn.distance_transform_bf(x, return_indices=True, indices=tb.zeros((2, 4, 5), "l")),
                         RuntimeError),
    "host image": (lambda: xn.distance_transform_bf(np.ones(3)), TypeError),
    "unwanted": (lambda: xn.distance_transform_edt(x, indices=tb.zeros((2, 4, 5), "i")), RuntimeError),
    "no window": (lambda: xn.generic_filter(x, tb.sum), RuntimeError),
    "size": (lambda: xn.generic_filter1d(x, tb.sum, 0), RuntimeError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


@pytest.mark.parametrize("name", ["distance_transform_cdt", "distance_transform_bf"])
def test_other_metrics_find_what_is_wanted(name, monkeypatch):
    a, asked, all_wanted = np.arange(30).reshape(5, 6) % 7, [], [(True, False), (False, True), (True, True)]
    theirs = getattr(sn, name)
    monkeypatch.setattr("tombacx.scipy.ndimage._distances.scipy_function", lambda module, name: (
        lambda *args, **how: asked.append(how) or theirs(*args, **how)))
    for wanted in all_wanted:
        how = dict(zip(("return_distances", "return_indices"), wanted))
        got, want = getattr(xn, name)(tb.array(a), **how), theirs(a, **how)
        for g, w in zip(got, want) if all(wanted) else [(got, want)]:
            check(g, w)
    assert [(how["return_distances"], how["return_indices"]) for how in asked] == all_wanted
