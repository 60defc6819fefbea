"""tombacx.scipy.ndimage's measurements against SciPy's."""

import numpy as np
import pytest
import scipy.ndimage as sn
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import layouts, values

import tombacx
import tombacx.scipy.ndimage as xn

pytestmark = pytest.mark.filterwarnings("ignore")


@st.composite
def measured(draw, codes="? b B h l f d"):
    """Elements that differ, labels of them and an index, on the host and on the device."""
    shape = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=3)))
    dtype = np.dtype(draw(st.sampled_from(codes.split())))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    size = int(np.prod(shape))
    if dtype.kind == "b" or size > 120:
        host = values(dtype, shape, seed)
    else:
        host = rng.permutation(size).reshape(shape).astype(dtype)
    labels = rng.integers(-1, 4, shape[draw(st.integers(0, len(shape) - 1)):]).astype(draw(st.sampled_from("bild")))
    layout = draw(layouts(len(shape)))
    index = draw(st.sampled_from([None, 1, 2, [1, 2], [3, 1, 1], [[0, 1], [2, -1]], [7, 1]]))
    labels = draw(st.sampled_from([labels, None]))
    if labels is None:
        return (layout(host), None, None), (layout(tb.array(host)), None, None)
    if labels.ndim == len(shape):
        return (layout(host), layout(labels), index), (layout(tb.array(host)), layout(tb.array(labels)), index)
    return (host, labels, index), (tb.array(host), tb.array(labels), index)


def close(got, want, dtype=True):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.shape == want.shape
    if dtype:
        assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, 1e-9)


def is_there(host):
    """Whether a single group has elements."""
    a, labels, index = host
    if labels is None or not (index is None or np.isscalar(index)):
        return True
    return bool(np.any(labels > 0 if index is None else labels == index))


@pytest.mark.parametrize("name", ["sum_labels", "sum", "mean", "variance", "standard_deviation"])
@given(measured("? b B h l f d"))
def test_sums(name, both):
    host, device = both
    got = getattr(xn, name)(*device)
    if host[0].dtype == "f" and name in ("variance", "standard_deviation"):
        host = (host[0].astype("d"), *host[1:])
    if host[0].dtype == bool and name in ("variance", "standard_deviation"):
        host = (host[0].astype("b"), *host[1:])
    close(got, getattr(sn, name)(*host), not name.startswith("sum") or host[0].dtype != "f")


def test_sums_of_complex_numbers():
    a, labels = np.array([1 + 2j, 3j, 4, 1 - 1j]), np.array([1, 1, 2, 0])
    for name in "sum_labels", "mean", "variance":
        close(getattr(xn, name)(tb.array(a), tb.array(labels), 1), getattr(sn, name)(a, labels, 1), False)
    close(xn.sum_labels(tb.array(a), tb.array(labels), [1, 2]), np.array([1 + 5j, 4]))


@pytest.mark.parametrize("name", ["minimum", "maximum", "median"])
@given(measured("b B h l f d"))
def test_orders(name, both):
    host, device = both
    if not is_there(host) and name != "median":
        for f, given_ in ((getattr(xn, name), device), (getattr(sn, name), host)):
            with pytest.raises(ValueError):
                f(*given_)
        return
    want = np.asarray(getattr(sn, name)(*host))
    if name == "median" and np.ndim(host[2]):  # SciPy has some element where there is none
        want = np.where(np.isin(host[2], host[1]), want, np.nan)
    close(getattr(xn, name)(*device), want)


def inside(host, want):
    """SciPy's places, as tuples of ints."""
    if isinstance(want, list):
        return [tuple(int(i) for i in row) for row in want]
    return tuple(int(i) for i in want)


@given(measured("l d"))
def test_positions(both):
    host, device = both
    a, labels, index = host
    if not is_there(host):
        for module, given_ in ((xn, device), (sn, host)):
            for name in "minimum_position", "maximum_position", "extrema":
                with pytest.raises(ValueError):
                    getattr(module, name)(*given_)
        return
    if labels is not None and labels.ndim < a.ndim:
        labels = np.broadcast_to(labels, a.shape)
        host = a, labels, index
    if len(np.unique(a)) < a.size:
        return
    for name in "minimum_position", "maximum_position":
        assert getattr(xn, name)(*device) == inside(host, getattr(sn, name)(*host))
    got, want = xn.extrema(*device), sn.extrema(*host)
    close(got[0], want[0])
    close(got[1], want[1])
    assert got[2:] == (inside(host, want[2]), inside(host, want[3]))


@pytest.mark.parametrize("name", ["sum_labels", "mean", "variance", "standard_deviation", "minimum", "maximum",
                                  "median", "minimum_position", "maximum_position", "center_of_mass", "extrema",
                                  "histogram"])
@pytest.mark.parametrize("dtype", ["B", "i", "f", "d"])
@pytest.mark.parametrize("index", [3, None])
def test_one_group_of_many_elements(name, dtype, index):
    """Of arrays and labels that are whole, views, broadcast, or yet to be computed."""
    rng = np.random.default_rng(4)
    a, labels = (rng.random((60, 90)) * 250).astype(dtype), rng.integers(-2, 9, (60, 90)).astype("i")
    ends = (0, 250, 7) if name == "histogram" else ()
    ours, marks = tb.array(a), tb.array(labels)
    cases = [(a, ours, labels, marks), (a[::-1, ::2], ours[::-1, ::2], labels[::2, 45:].repeat(2, 0), None),
             (a, ours, labels[7], marks[7]), (a.T, ours.T, labels.T > 2, marks.T > 2),
             (a + a, ours + ours, labels + 0, marks + 0)]
    for host, device, of_host, of_device in cases:
        of_device = tb.array(of_host) if of_device is None else of_device
        chosen = 1 if of_host.dtype == bool and index else index
        want = getattr(sn, name)(host, *ends, np.broadcast_to(of_host, host.shape), chosen)
        got = getattr(xn, name)(device, *ends, of_device, chosen)
        for g, w in zip(got if isinstance(got, tuple) else [got], want if isinstance(want, tuple) else [want],
                        strict=True):
            np.testing.assert_allclose(tb.asarray(g).get() if isinstance(g, tb.ndarray) else g, w, 1e-5)


def test_the_median_of_one_group_with_nan():
    a, labels = np.array([1.0, np.nan, 3.0, 7.0]), np.array([1, 1, 2, 2])
    for index in (1, 2, None):
        close(xn.median(tb.array(a), tb.array(labels), index), sn.median(a, labels, index))
    close(xn.median(tb.array(a)), sn.median(a))


def test_first_of_several():
    a = tb.array([[3, 1, 1], [3, 1, 0]])
    assert xn.minimum_position(a, tb.array([[1, 1, 1], [1, 1, 2]]), [1, 2]) == [(0, 1), (1, 2)]
    assert xn.maximum_position(a) == (0, 0)


@given(measured("B h l f d"))
def test_centres(both):
    host, device = both
    got = xn.center_of_mass(*device)
    want = sn.center_of_mass(*host) if host[2] is None or np.ndim(host[2]) < 2 else None
    if isinstance(want, tuple):
        np.testing.assert_allclose([float(x) for x in got], want, 1e-4)
    elif want is not None:
        np.testing.assert_allclose([[float(x) for x in row] for row in got], want, 1e-4)


@given(measured("B h l d"), st.integers(1, 5), st.sampled_from([(0, 4), (-3, 50), (2, 3)]))
def test_histograms(both, bins, ends):
    host, device = both
    if np.ndim(host[2]) > 1:  # SciPy fails
        return
    want = sn.histogram(host[0], *ends, bins, *host[1:])
    got = xn.histogram(device[0], *ends, bins, *device[1:])
    if want is None:
        want = np.zeros(bins, int)
    elif np.ndim(host[2]):
        rows = [np.zeros(bins, int) if row is None else row for row in want.ravel()]
        want = np.reshape(rows, (*want.shape, bins))
    close(got, want)


@given(measured("l d"), st.booleans())
def test_comprehension(both, positions):
    host, device = both
    if np.ndim(host[2]) > 1:
        return

    def of(module):
        return (lambda x, p: x.sum() + (p % 5).sum()) if positions else (lambda x: x.max() if x.size else -1)

    want = sn.labeled_comprehension(*host, of(sn), float, -1, positions)
    got = xn.labeled_comprehension(*device, of(xn), float, -1, positions)
    np.testing.assert_allclose(tb.asnumpy(got), want)
    assert np.shape(got) == np.shape(want)


def test_comprehension_without_a_default():
    x, labels = np.arange(6.0), np.array([1, 3, 3, 0, 1, 7])
    for index in ([1, 3, 7], [7, 2, 1, 1], [], np.array([[0, 5], [3, 3]])):
        if np.ndim(index) == 2 or not len(index):  # SciPy fails
            want = np.array([[3.0, np.nan], [1.5, 1.5]]) if len(index) else np.zeros(0)
        else:
            want = sn.labeled_comprehension(x, labels, index, np.mean, float, None)
        close(xn.labeled_comprehension(tb.array(x), tb.array(labels), index, tb.mean, float, None), want)


def test_comprehension_calls_only_for_labels_that_are_there():
    sizes = []
    x, labels = tb.arange(1000), tb.arange(1000) % 250 * 2
    got = xn.labeled_comprehension(x, labels, tb.arange(500), lambda v: sizes.append(v.size) or v.sum(), int, -1)
    assert sizes == [4] * 250
    want = np.full(500, -1)
    want[::2] = np.arange(1000).reshape(4, 250).sum(0)
    np.testing.assert_array_equal(got.get(), want)


def test_histograms_without_bins():
    x, labels = np.arange(6.0), np.array([1, 1, 2, 0, 2, 2])
    close(xn.histogram(tb.array(x), 0, 5, 0), sn.histogram(x, 0, 5, 0))
    assert xn.histogram(tb.array(x), 0, 5, 0, tb.array(labels), [1, 2, 4]).shape == (3, 0)
    for args in ((0, 5, 3, None, 1), (0, 5, 3, None, [1]), (5, 0, 3)):
        for m, of in ((sn, np.asarray), (xn, tb.asarray)):
            with pytest.raises(ValueError):
                m.histogram(of(x), *args)


@st.composite
def objects(draw):
    shape = tuple(draw(st.lists(st.integers(0, 8), min_size=0, max_size=3)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    host = (rng.random(shape) < draw(st.sampled_from([0.2, 0.5, 0.7]))).astype(draw(st.sampled_from("?bd")))
    layout = draw(layouts(len(shape)))
    return layout(np.asarray(host)), layout(tb.array(host))


@given(st.data(), objects())
def test_label(data, both):
    a, d = both
    structure = None
    if a.ndim:
        kind = data.draw(st.sampled_from(["none", "all", "some"]))
        structure = None if kind == "none" else np.ones((3,) * a.ndim, bool)
        if kind == "some":
            structure = np.random.default_rng(data.draw(st.integers(0, 99))).random((3,) * a.ndim) < 0.4
            structure |= np.flip(structure)
            structure[(1,) * a.ndim] = True
    want, n = sn.label(a, structure)
    got, m = xn.label(d, structure)
    assert m == n and got.dtype == "i"
    np.testing.assert_array_equal(got.get(), want)
    for dtype in "lhd":
        got, m = xn.label(d, structure, dtype)
        assert m == n and got.dtype == dtype
        np.testing.assert_array_equal(got.get(), want)
    out = tb.zeros(a.shape, "i")
    assert xn.label(d, structure, out) == n
    np.testing.assert_array_equal(out.get(), want)


def test_labels_of_long_objects():
    n = 41
    snake = np.zeros((n, n), int)
    snake[::2] = 1
    snake[1::4, -1] = snake[3::4, 0] = 1
    y, x = np.mgrid[-20:21, -20:21]
    spiral = (np.hypot(x, y) - 1.5 * np.arctan2(y, x)) % 6 < 2.5
    for a in snake, snake.T, spiral, ~spiral, np.ones((n, n)):
        want, m = sn.label(a)
        got, k = xn.label(tb.array(a))
        assert k == m
        np.testing.assert_array_equal(got.get(), want)


LARGE = {"lines": (700, 431), "short lines": (60_001, 5), "planes": (9, 130, 257), "one line": (300_000,)}


@pytest.mark.parametrize("shape", LARGE.values(), ids=LARGE)
@pytest.mark.parametrize("share", [0.3, 0.6])
def test_labels_and_boxes_of_many_elements(shape, share):
    """Of several pieces, whose objects go on in one another."""
    rng = np.random.default_rng(len(shape))
    a = rng.random(shape) < share
    middle, ends = (1,) * a.ndim, np.zeros((3,) * a.ndim, bool)
    ends[(0,) * a.ndim] = ends[(2,) * a.ndim] = ends[middle] = True
    if a.ndim > 1:
        ends[(0,) * (a.ndim - 1) + (2,)] = ends[(2,) * (a.ndim - 1) + (0,)] = True
    for structure in None, np.ones((3,) * a.ndim, bool), ends:
        want, n = sn.label(a, structure)
        got, m = xn.label(tb.array(a), structure)
        assert m == n
        np.testing.assert_array_equal(got.get(), want)
    few = rng.integers(-2, 6, shape)
    for labels in want, few, few.astype("b"), want.astype("H"):
        assert xn.find_objects(tb.array(labels)) == sn.find_objects(labels.astype("i"))


@pytest.mark.parametrize("share", [0.3, 0.6])
def test_labels_in_many_dimensions(share):
    """With more neighbours than a launch has room for."""
    rng = np.random.default_rng(6)
    a = rng.random((2, 3, 2, 3, 4, 5)) < share
    some = rng.random((3,) * 6) < 0.01
    for structure in None, np.ones((3,) * 6, bool), some | np.flip(some):
        want, n = sn.label(a, structure)
        got, m = xn.label(tb.array(a), structure)
        assert m == n
        np.testing.assert_array_equal(got.get(), want)


def test_groups_of_labels_that_are_many_or_negative():
    rng = np.random.default_rng(5)
    x = rng.random((30, 40))
    for labels in rng.integers(0, 9, x.shape), rng.integers(-3, 3, x.shape), rng.integers(0, 9, x.shape) * 10**12:
        for index in [1, 3, 2], np.unique(labels), [3.0, 1.0], np.array([8, 7], "B"):
            for name in "sum_labels", "mean", "minimum", "median":
                want = getattr(sn, name)(x, labels, index)
                got = getattr(xn, name)(tb.array(x), tb.array(labels), tb.array(index)).get()
                there = np.isin(index, labels)  # SciPy's results of other labels are those of some group
                np.testing.assert_allclose(got[there], np.asarray(want)[there], 1e-12)
                of_none = np.nan if name in ("mean", "median") else 0
                np.testing.assert_array_equal(got[~there], of_none)
            assert not xn.sum_labels(tb.array(x), tb.array(labels), tb.array([2.5, 1e300])).any()


@pytest.mark.parametrize("code", list("?bBhHiIlLd"))
def test_groups_of_labels_that_are_near_each_other(code):
    rng = np.random.default_rng(6)
    most = {"?": 1, "b": 100, "B": 200}.get(code, 5000)
    labels = (rng.integers(0, most + 1, (30, 40)) - (50 if code in "bhilqd" else 0)).astype(code)
    x = rng.random(labels.shape)
    wanted = [range(most + 1), range(3, 9), [5, 3, 3, 4], [[7, 6], [9, 8]], [1], [2, 3, 10**6], [2**62, 2**62 + 1]]
    for index in [*map(np.array, wanted), np.array([-5, -4], "b"), np.array([254, 255], "B")]:
        want = np.array([x[labels == i].sum() for i in index.ravel().tolist()]).reshape(index.shape)
        for given in tb.array(index), index.tolist():
            np.testing.assert_allclose(xn.sum_labels(tb.array(x), tb.array(labels), given).get(), want, 1e-12)
        spread = xn.variance(tb.array(x), tb.array(labels), tb.array(index)).get()
        there = np.isin(index, labels)
        np.testing.assert_allclose(spread[there], np.array([x[labels == i].var() for i in index[there]]), 1e-12)


def test_groups_at_the_ends_of_integers():
    ends = np.array([-2**31, -2**31 + 1, -1, 0, 1, 2**31 - 2, 2**31 - 1], "i")
    for index in ends[:2], ends[-2:], ends[2:5], ends[:1], ends[-1:]:
        want = [float(i in index.tolist()) for i in index.tolist()]
        assert xn.sum_labels(tb.ones(ends.shape), tb.array(ends), tb.array(index)).get().tolist() == want
        outside = np.setdiff1d(ends, index)
        assert not xn.sum_labels(tb.ones(outside.shape), tb.array(outside), tb.array(index)).any()


@pytest.mark.skipif(tb.config.backend() == "cpu", reason="labels are read there")
def test_wanted_labels_that_must_not_be_read():
    x, labels = tb.array([1.0, 5.0, 2.0, 4.0, 8.0]), tb.array([1, 1, 0, 2, 2])
    index = tb.array([1, 2])
    with tombacx.allow_synchronize(False):
        sums = xn.sum_labels(x, labels, index)
    assert sums.get().tolist() == [6, 12]


@given(objects(), st.integers(0, 5))
def test_boxes(both, most):
    a, d = both
    if not a.ndim or not a.size:
        return
    labels, _ = sn.label(a)
    assert xn.find_objects(tb.array(labels), most) == sn.find_objects(labels, most)


@given(st.data(), st.sampled_from("b B h l".split()), st.booleans())
def test_values(data, code, adaptive):
    shape = tuple(data.draw(st.lists(st.integers(0, 6), min_size=1, max_size=3)))
    a = values(np.dtype(code), shape, data.draw(st.integers(0, 99)))
    ignored = data.draw(st.none() | st.integers(0, 3))
    want = sn.value_indices(a, ignore_value=ignored)
    got = xn.value_indices(tb.array(a), ignore_value=ignored, adaptive_index_dtype=adaptive)
    assert list(got) == sorted(want)
    for value, places in want.items():
        for g, w in zip(got[value], places, strict=True):
            np.testing.assert_array_equal(g.get(), w)
            assert g.dtype == ("B" if adaptive else "l")


x, labels_ = tb.arange(6.0).reshape(2, 3), tb.array([[1, 1, 0], [2, 2, 1]])
WRONG = {
    "host": (lambda: xn.mean(np.ones(3)), TypeError),
    "host labels": (lambda: xn.mean(x, np.ones((2, 3))), TypeError),
    "shapes": (lambda: xn.sum_labels(x, tb.ones(4)), ValueError),
    "index": (lambda: xn.labeled_comprehension(x, None, [1], tb.sum, float, 0), ValueError),
    "half labels": (lambda: xn.labeled_comprehension(x, labels_, [0.5], tb.sum, float, 0), ValueError),
    "complex": (lambda: xn.label(x * 1j), TypeError),
    "structure": (lambda: xn.label(x, [1, 1, 1]), RuntimeError),
    "sides": (lambda: xn.label(x, np.ones((3, 5))), ValueError),
    "symmetry": (lambda: xn.label(x, [[1, 0, 0], [0, 1, 0], [0, 0, 0]]), ValueError),
    "output": (lambda: xn.label(x, output=tb.zeros((3, 2), int)), ValueError),
    "few bits": (lambda: xn.label(tb.arange(600) % 2, output="b"), RuntimeError),
    "objects": (lambda: xn.find_objects(x), TypeError),
    "values": (lambda: xn.value_indices(x), ValueError),
}


@pytest.mark.parametrize("call, kind", WRONG.values(), ids=WRONG)
def test_refusals(call, kind):
    with pytest.raises(kind):
        call()


@pytest.mark.parametrize("name", ["minimum", "maximum", "extrema", "minimum_position", "maximum_position"])
def test_extremes_of_nothing(name):
    x, labels = tb.zeros(0), tb.zeros(0, int)
    for args in ((), (labels,), (labels, 1), (labels, tb.array([1, 2]))):
        with pytest.raises(ValueError, match="no elements"):
            getattr(xn, name)(x, *args)


def alike(got, want):
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            alike(g, w)
    else:
        np.testing.assert_array_equal(tb.asnumpy(got), want)
        assert np.shape(tb.asnumpy(got)) == np.shape(want)


EXTREMES = ["minimum", "maximum", "extrema", "minimum_position", "maximum_position", "median"]


@pytest.mark.parametrize("name", EXTREMES)
def test_extremes_of_a_number(name):
    x, labels, index = np.array(3.0), np.array(1), np.array([1, 1])
    for args in ((x,), (x, labels), (x, labels, index)):
        alike(getattr(xn, name)(*map(tb.array, args)), getattr(sn, name)(*args))


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize("dtype", "FD")
def test_extremes_of_complex_numbers(name, dtype):
    rng = np.random.default_rng(5)
    x = rng.permutation((np.arange(4)[:, None] + 1j * np.arange(5)).ravel()).reshape(4, 5).astype(dtype)
    labels = rng.integers(0, 3, x.shape)
    for args in ((x,), (x, labels), (x, labels, np.array([2, 1]))):
        alike(getattr(xn, name)(*map(tb.array, args)), getattr(sn, name)(*args))


@pytest.mark.parametrize("labels, index", [([True, False, True], [0, 1, 2]), ([True, False, True], -1),
                                           ([True, False, True], 5)])
def test_histograms_of_labels_that_cannot_be(labels, index):
    x, labels = tb.arange(3.0), tb.array(labels)
    for wanted in (index, tb.array(index)) if isinstance(index, list) else (index,):
        with pytest.raises(ValueError, match="does not fit"):
            xn.histogram(x, 0, 4, 2, labels, wanted)
    with pytest.raises(ValueError, match="does not fit"):
        xn.histogram(x, 0, 4, 2, labels.astype("B"), [300])
    assert xn.histogram(x, 0, 4, 2, labels, [0, 1]).tolist() == [[1, 0], [1, 1]]
