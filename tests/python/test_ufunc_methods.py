"""The methods of universal functions: reduce, accumulate, reduceat, outer, at."""

import inspect
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import DTYPES, arrays, same

import tombac as tb
from tombac._indexing import ufunc_reduceat
from tombacx.scipy.special import xlogy

BITWISE = ["bitwise_and", "bitwise_or", "bitwise_xor"]
REDUCING = ["add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", *BITWISE]


@pytest.mark.parametrize("name", REDUCING)
def test_reduce(name):
    a = np.arange(1, 25, dtype="l").reshape(2, 3, 4)
    for kw in ({}, {"axis": 1}, {"axis": None}, {"axis": (0, 2)}, {"axis": -1, "keepdims": True}):
        want = getattr(np, name).reduce(a, **kw)
        got = getattr(tb, name).reduce(tb.array(a), **kw)
        assert got.dtype == np.asarray(want).dtype
        np.testing.assert_array_equal(got.get(), want)
    out = tb.empty((3, 4), "l" if "logical" not in name else "?")
    assert getattr(tb, name).reduce(tb.array(a), 0, None, out) is out


@pytest.mark.parametrize("code", "?bBhHiIlL")
@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor"])
def test_reduce_bits_where(name, code):
    """What a mask leaves out is the identity: no bits, or all of them."""
    rng = np.random.default_rng(3)
    a = rng.integers(0, 100, (6, 9)).astype(code)
    mask = rng.random((6, 9)) < 0.5
    mask[2] = False
    same(getattr(tb, name).reduce(tb.array(a), axis=1, where=tb.array(mask)),
         getattr(np, name).reduce(a, axis=1, where=mask))


def test_reduce_initial_and_where():
    a = np.arange(6.0).reshape(2, 3)
    mask = a > 2
    assert tb.add.reduce(tb.array(a), axis=None, initial=10).item() == 25
    np.testing.assert_array_equal(tb.add.reduce(tb.array(a), where=tb.array(mask)).get(), np.add.reduce(a, where=mask))


@pytest.mark.parametrize("name", ["logical_and", "logical_or"])
@pytest.mark.parametrize("initial", [True, 0, 2.5, float("nan"), np.float16(0)])
def test_logical_reductions_begin_with_a_truth_value(name, initial):
    ours, theirs = getattr(tb, name), getattr(np, name)
    for a in (np.arange(6.0).reshape(2, 3), np.zeros((0, 3), "i"), np.ones((2, 3), bool), np.array(0)):
        for axis in (None, 0, -1, ()):
            if a.ndim or axis is None or axis == ():
                want = theirs.reduce(a, axis=axis, initial=initial)
                same(ours.reduce(tb.array(a), axis=axis, initial=initial), want)
    a, mask = np.arange(6.0).reshape(2, 3), np.array([True, False, True])
    got = ours.reduce(tb.array(a), 1, where=tb.array(mask), initial=initial)
    same(got, theirs.reduce(a, 1, where=mask, initial=initial))


@pytest.mark.parametrize("name", REDUCING)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_accumulate_of_any_layout(name, data):
    host, device = data.draw(arrays([c for c in DTYPES if name not in BITWISE or c not in "efdFD"], min_dims=1))
    axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
    if name == "multiply" and host.dtype.kind in "fc":
        host, device = host / 8, device / 8
    if host.dtype.kind in "fc" and name.startswith("f") and host.size:
        device = tb.where(device > 5, np.nan, device).astype(host.dtype)
        host = np.where(host > 5, np.nan, host).astype(host.dtype)
    with np.errstate(all="ignore"):
        want = getattr(np, name).accumulate(host, axis)
    same(getattr(tb, name).accumulate(device, axis), want, 0 if name not in ("add", "multiply") else 1e-2)


@pytest.mark.parametrize("code", ["b", "i", "f", "d", "D"])
@pytest.mark.parametrize("shape", [(3_000_001,), (70_000, 3), (5000, 301)])
def test_accumulate_of_long_axes(shape, code):
    host = np.random.default_rng(3).integers(-100, 100, shape).astype(code)
    host[host == 7] = np.nan if code in "fdD" else 0
    for name in ("maximum", "fmin") if code in "fdD" else ("minimum", "bitwise_xor"):
        for axis in range(host.ndim):
            same(getattr(tb, name).accumulate(tb.array(host), axis), getattr(np, name).accumulate(host, axis))
    same(tb.logical_and.accumulate(tb.array(host) != 7), np.logical_and.accumulate(host != 7))


def test_accumulate_takes_dtype_and_out():
    host = np.array([[3, 1, 2], [1, 5, 0]], np.int8)
    x = tb.array(host)
    same(tb.maximum.accumulate(x, 1, np.int64), np.maximum.accumulate(host, 1, np.int64))
    out = tb.empty((2, 3), np.float32)
    assert tb.maximum.accumulate(x, 1, None, out) is out
    np.testing.assert_array_equal(out.get(), np.maximum.accumulate(host, 1))
    tb.minimum.accumulate(x, 0, out=x)
    np.testing.assert_array_equal(x.get(), np.minimum.accumulate(host, 0))
    same(tb.logical_or.accumulate(tb.array([0, 2, 0])), np.logical_or.accumulate([0, 2, 0]))
    with pytest.raises(ValueError, match="maximum.accumulate"):
        tb.maximum.accumulate(x, 1, None, tb.empty(3))
    with pytest.raises(ValueError, match="axis"):
        tb.maximum.accumulate(x, None)
    with pytest.raises(np.exceptions.AxisError):
        tb.maximum.accumulate(x, 2)
    with pytest.raises(TypeError, match="float32"):
        tb.bitwise_and.accumulate(out)


def test_outer():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(4.0)
    got = tb.subtract.outer(tb.array(a), tb.array(b))
    np.testing.assert_array_equal(got.get(), np.subtract.outer(a, b))
    assert tb.less.outer(tb.array(a), 2).shape == (2, 3)
    out = tb.empty((2, 3, 4))
    assert tb.add.outer(tb.array(a), tb.array(b), out=out) is out
    with pytest.raises(ValueError):
        tb.sin.outer(tb.ones(2), tb.ones(2))


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "minimum"])
def test_at(name):
    rng = np.random.default_rng(0)
    for index in ([0, 2, 2, 5], [-1, 0, 0], []):
        a, b = rng.integers(-9, 9, 6).astype("l"), rng.integers(-9, 9, len(index)).astype("l")
        want = a.copy()
        getattr(np, name).at(want, np.array(index, dtype=int), b)
        got = tb.array(a)
        getattr(tb, name).at(got, tb.array(index, dtype=int), tb.array(b))
        np.testing.assert_array_equal(got.get(), want)
    a = np.arange(12.0).reshape(3, 4)
    for key in (np.s_[1], np.s_[:, ::2], np.s_[..., -1]):
        want, got = a.copy(), tb.array(a)
        getattr(np, name).at(want, key, 2.0)
        getattr(tb, name).at(got, key, 2.0)
        np.testing.assert_array_equal(got.get(), want)
    want, got, mask = a.copy(), tb.array(a), a > 4
    getattr(np, name).at(want, mask, 3.0)
    getattr(tb, name).at(got, tb.array(mask), 3.0)
    np.testing.assert_array_equal(got.get(), want)


def test_at_unary_and_errors():
    a = tb.arange(4.0)
    tb.negative.at(a, slice(1, 3))
    assert a.get().tolist() == [0, -1, -2, 3]
    tb.less.at(a, tb.array([0, 0]), 1.0)
    assert a.get().tolist() == [0, -1, -2, 3]
    with pytest.raises(ValueError):
        tb.add.at(a, 0)


@pytest.mark.parametrize("axis", [0, -1, 1, -2, 7])
def test_axes_of_numbers(axis):
    for module in (np, tb):
        a = module.asarray(3.0)
        refused = TypeError if axis in (0, -1) else np.exceptions.AxisError
        with pytest.raises(refused):
            module.add.accumulate(a, axis=axis)
        with pytest.raises(refused):
            module.add.reduceat(a, [0], axis=axis)


def test_reduceat():
    a = np.arange(8.0)
    np.testing.assert_array_equal(tb.add.reduceat(tb.array(a), [0, 4, 1, 5]).get(), np.add.reduceat(a, [0, 4, 1, 5]))
    b = a.reshape(2, 4)
    np.testing.assert_array_equal(tb.maximum.reduceat(tb.array(b), [0, 2], 1).get(), np.maximum.reduceat(b, [0, 2], 1))
    with pytest.raises(IndexError, match="9 is out of bounds"):
        tb.add.reduceat(tb.array(a), [1, 9])
    with pytest.raises(IndexError, match="-1 is out of bounds"):
        tb.add.reduceat(tb.array(a), [-1])
    with pytest.raises(TypeError, match="integers"):
        tb.add.reduceat(tb.array(a), [1.0])
    with pytest.raises(TypeError, match="ndarray"):
        tb.add.reduceat(a, [1])
    assert tb.add.reduceat(tb.array(a), []).shape == (0,)


@pytest.mark.parametrize("shape, axis, count", [((9000,), 0, 3000), ((300, 5000), 0, 40), ((3, 4000), 1, 2500)])
def test_reduceat_of_many_slices(shape, axis, count):
    rng = np.random.default_rng(8)
    host = rng.integers(-50, 50, shape)
    for indices in (rng.integers(0, shape[axis], count), np.arange(0, shape[axis], 3)):
        for name in ("add", "minimum"):
            same(getattr(tb, name).reduceat(tb.array(host), indices, axis),
                 getattr(np, name).reduceat(host, indices, axis))


def test_reduceat_by_gathering():
    """What serves GPUs, on either."""
    a = np.random.default_rng(2).integers(0, 9, (3, 500))
    indices = np.random.default_rng(3).integers(0, 500, 60)
    for name in ("add", "maximum", "bitwise_and"):
        got = ufunc_reduceat(getattr(tb, name), tb.array(a), tb.array(indices), 1, None, None)
        same(got, getattr(np, name).reduceat(a, indices, 1))
    assert ufunc_reduceat(tb.add, tb.array(a), tb.array([]), 1, None, None).shape == (3, 0)
    with pytest.raises(TypeError, match="integers"):
        ufunc_reduceat(tb.add, tb.array(a), tb.ones(2), 1, None, None)


@pytest.mark.parametrize("count", [3, 40])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("even", [False, True])
def test_reduceat_is_in_c_order(axis, count, even):
    """Whichever way slices go, few or many, of about one length or not, and whatever the order of the array is."""
    a = np.random.default_rng(5).integers(0, 9, (40, 41, 42))
    indices = np.arange(count) if even else np.random.default_rng(6).integers(0, 40, count)
    for host in (a, a.T, a[::-1], np.asfortranarray(a), a.swapaxes(0, 1)):
        for name in ("add", "minimum"):
            got = ufunc_reduceat(getattr(tb, name), tb.array(host), tb.array(indices), axis, None, None)
            same(got, getattr(np, name).reduceat(host, indices, axis))
            assert got.flags.c_contiguous
            assert getattr(tb, name).reduceat(tb.array(host), indices, axis).flags.c_contiguous


@pytest.mark.parametrize("name", REDUCING)
@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "i8", "f2", "f8", "c16"])
@pytest.mark.parametrize("count", [0, 5, 17, 200])
def test_reduceat_of_slices_of_any_length(name, dtype, count):
    rng = np.random.default_rng(count)
    a = rng.integers(0, 3, (3, 400, 2)).astype(dtype)[:, ::-1]
    indices = rng.integers(0, 400, count)
    try:
        want = getattr(np, name).reduceat(a, indices, 1)
    except TypeError:
        return
    got = getattr(tb, name).reduceat(tb.array(a), tb.array(indices), 1)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, rtol=1e-2 if dtype == "f2" else 1e-12)
    out = tb.empty(want.shape, want.dtype)
    assert getattr(tb, name).reduceat(tb.array(a), np.sort(indices).tolist(), 1, None, out) is out
    np.testing.assert_allclose(out.get(), getattr(np, name).reduceat(a, np.sort(indices), 1), rtol=1e-2)


@pytest.mark.parametrize("method", ["reduce", "accumulate", "reduceat"])
def test_methods_that_are_not_there(method):
    """NumPy has no function of the name."""
    with pytest.raises(NotImplementedError, match=f"xlogy.{method}"):
        getattr(xlogy, method)(tb.ones(3), *([0],) * (method == "reduceat"))


FOLDED = ["arctan2", "copysign", "divide", "floor_divide", "fmod", "gcd", "heaviside", "hypot", "lcm", "left_shift",
          "logaddexp", "logaddexp2", "logical_xor", "nextafter", "power", "remainder", "right_shift", "subtract"]


def outcome(call):
    """What a call gives, or the type of what it raises; without NumPy's warnings."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except (TypeError, ValueError, IndexError) as e:
            return [t for t in (TypeError, IndexError, ValueError) if isinstance(e, t)]


def agree(got, want):
    if isinstance(want, list):
        assert got == want
        return
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(got.get(), want, rtol=1e-2 if want.dtype == "f2" else 1e-5)


def in_steps(name, a, dtype, axis):
    """Along an axis, by calls of NumPy's function: its reductions by power and arctan2 are not those (2.4)."""
    a = np.moveaxis(a.real if dtype.kind in "fbiu" else a, axis, 0).astype(dtype)
    out = [a[0]]
    with np.errstate(all="ignore"):
        for x in a[1:]:
            out.append(getattr(np, name)(out[-1], x))
    return np.moveaxis(np.array(out).astype(dtype), 0, axis)


@pytest.mark.parametrize("name", FOLDED)
@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "f2", "f8", "c16"])
def test_folds_that_are_no_reductions_of_the_library(name, dtype):
    ours, theirs = getattr(tb, name), getattr(np, name)
    rng = np.random.default_rng(7)
    for a in (rng.integers(0, 6, (3, 4, 5)).astype(dtype)[:, ::-1], np.ones((0, 3), dtype), np.ones((2, 0), dtype)):
        x = tb.array(a)
        for kw in (dict(axis=1), dict(axis=-1, keepdims=True), dict(axis=9), dict(), dict(dtype="f4")):
            want = outcome(lambda: theirs.reduce(a, **kw))  # noqa: B023
            if isinstance(want, np.ndarray) and a.size and kw.get("axis") != 9:
                steps = in_steps(name, a, want.dtype, kw.get("axis", 0))
                want = steps.take(-1, kw.get("axis", 0)).reshape(want.shape)
            agree(outcome(lambda: ours.reduce(x, **kw)), want)  # noqa: B023
        for axis in (0, -1, 2):
            want = outcome(lambda: theirs.accumulate(a, axis))  # noqa: B023
            agree(outcome(lambda: ours.accumulate(x, axis)), want)  # noqa: B023
        for at in ([0, 1, 0], [1], [], [7]):
            want = outcome(lambda: theirs.reduceat(a, at, 1))  # noqa: B023
            if isinstance(want, np.ndarray) and at and a.size:
                ends = [*at[1:], a.shape[1]]
                parts = [in_steps(name, a[:, i : max(i + 1, k)], want.dtype, 1)[:, -1] for i, k in zip(at, ends)]
                want = np.stack(parts, 1)
            agree(outcome(lambda: ours.reduceat(x, at, 1)), want)  # noqa: B023


@pytest.mark.parametrize("name", ["subtract", "logaddexp", "hypot", "gcd", "logical_xor", "lcm"])
def test_folds_with_masks_and_numbers_to_begin_with(name):
    ours, theirs = getattr(tb, name), getattr(np, name)
    rng = np.random.default_rng(8)
    a, mask = rng.integers(1, 9, (3, 4, 5)), rng.random((4, 1)) < 0.6
    a = a if name in ("gcd", "lcm", "subtract") else a / 3
    for kw in (dict(axis=1), dict(axis=None), dict(axis=(0, 2)), dict(axis=())):
        for more in (dict(), dict(initial=3), dict(where=mask), dict(where=mask, initial=2)):
            want = outcome(lambda: theirs.reduce(a, **kw, **more))  # noqa: B023
            given = {k: tb.array(v) if k == "where" else v for k, v in more.items()}
            agree(outcome(lambda: ours.reduce(tb.array(a), **kw, **given)), want)  # noqa: B023
    for axis in (None, 0):
        want = outcome(lambda: theirs.reduce(2.5, axis))  # noqa: B023
        agree(outcome(lambda: ours.reduce(tb.array(2.5), axis)), want)  # noqa: B023
    out = tb.empty((3, 5), a.dtype)
    assert ours.reduce(tb.array(a), 1, None, out) is out
    agree(out, theirs.reduce(a, 1, None, np.empty((3, 5), a.dtype)))
    out = tb.empty(a.shape, a.dtype)
    assert ours.accumulate(tb.array(a), 1, out=out) is out
    agree(out, theirs.accumulate(a, 1, None, np.empty(a.shape, a.dtype)))
    with pytest.raises(TypeError):
        ours.reduce(tb.array(a), 0, out=np.empty((4, 5)))
    with pytest.raises(ValueError):
        ours.reduce(tb.array(a), 0, out=tb.empty((4, 6), a.dtype))


@pytest.mark.parametrize("method", ["reduce", "accumulate"])
def test_folds_are_of_functions_of_two_numbers(method):
    for name in ("sin", "divmod", "frexp"):
        with pytest.raises(ValueError, match="only supported"):
            getattr(getattr(tb, name), method)(tb.ones(3))
    with pytest.raises(TypeError):
        getattr(tb.less, method)(tb.ones(3))
    assert float(np.logaddexp.reduce(tb.zeros(8))) == pytest.approx(np.log(8))


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("places", [1, 3, 100, 2048, 9000])
def test_at_with_many_values_for_few_places(dtype, places):
    """Sums of whole numbers, which are exact in any order."""
    rng = np.random.default_rng(places)
    index, values = rng.integers(-places, places, 40000), rng.integers(0, 3, 40000).astype(dtype)
    if dtype == "f2":
        values[rng.random(40000) < 0.99] = 0  # sums of float16 have room for so many
    for target in (np.zeros(places, dtype), np.zeros((2, places), dtype)[1], np.zeros(2 * places, dtype)[::2]):
        got = tb.array(target) if target.flags.c_contiguous else tb.zeros(2 * places, dtype)[::2]
        for name in ("add", "subtract", "maximum"):
            getattr(np, name).at(target, index, values)
            getattr(tb, name).at(got, tb.array(index), tb.array(values))
        np.testing.assert_array_equal(got.get(), target)
        tb.add.at(got, tb.array(index[:400]), 2)
        np.add.at(target, index[:400], np.array(2, dtype))
        np.testing.assert_array_equal(got.get(), target)


def test_at_of_float16_leaves_neighbours_alone():
    """Elements that share a word with zeros of either sign, infinities and NaN."""
    h = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 6e-8, 65504, 1] * 4, "f2")
    index = np.array([1, 5, 8, 10, 17, 27, 31, 1])
    for name in ("add", "subtract"):
        for begin in (0, 1):
            want, got = h.copy(), tb.array(h)
            getattr(np, name).at(want[begin:], index - begin, np.float16(-0.0))
            getattr(tb, name).at(got[begin:], tb.array(index - begin), np.float16(-0.0))
            np.testing.assert_array_equal(got.get(), want)
            np.testing.assert_array_equal(np.signbit(got.get()) | np.isnan(h), np.signbit(want) | np.isnan(h))
            getattr(np, name).at(want[begin:], index - begin, np.float16(1))
            getattr(tb, name).at(got[begin:], tb.array(index - begin), np.float16(1))
            np.testing.assert_array_equal(got.get(), want)


def test_at_of_float16_leaves_other_data_alone():
    """Bits beside the array that would be a NaN if they were float16."""
    h = np.full(16, 0x7D01, "i2")
    h[3::4] = 0
    got = tb.array(h)
    for target in (np.s_[3:4], np.s_[3::4]):
        np.add.at(h.view("f2")[target], [0, 0], np.float16(1))
        tb.add.at(got.view("f2")[target], tb.array([0, 0]), np.float16(1))
        np.testing.assert_array_equal(got.get(), h)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2"])
@pytest.mark.parametrize("places", [1, 2, 3, 5, 1000, 50000])
@pytest.mark.parametrize("begin", [0, 1, 3])
def test_at_of_narrow_integers_leaves_neighbours_alone(dtype, places, begin):
    """Sums that wrap around, of every magnitude, with elements of other words' parts beside them."""
    rng, info = np.random.default_rng(places), np.iinfo(dtype)
    for n in (7, 1000, 60000):
        index, values = rng.integers(0, places, n), rng.integers(info.min, info.max, n, dtype, endpoint=True)
        target = rng.integers(info.min, info.max, places + 7, dtype, endpoint=True)
        got = tb.array(target)
        for name in ("add", "subtract", "add"):
            getattr(np, name).at(target[begin : begin + places], index, values)
            getattr(tb, name).at(got[begin : begin + places], tb.array(index), tb.array(values))
            np.testing.assert_array_equal(got.get(), target)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("places", [1, 100, 9000])
def test_folds_of_many_values_into_few_places(dtype, places):
    """Extremes, products and bits, with NaN among the values and places that nothing goes to."""
    rng = np.random.default_rng(places)
    index = rng.integers(0, places, 40000)
    index[index == places // 2] = 0
    whole = rng.integers(-100, 100, 40000).astype(dtype)
    values = {"maximum": whole, "minimum": whole, "multiply": rng.choice([1, 1, -1], 40000).astype(dtype)}
    if np.dtype(dtype).kind in "fc":
        holes = whole.copy()
        holes[rng.integers(0, 40000, 30)] = np.nan
        values |= {"fmax": holes, "fmin": holes}
        if places > 1:
            values |= {"maximum": holes, "minimum": holes}
    else:
        values |= {"bitwise_and": whole, "bitwise_or": whole, "bitwise_xor": whole}
    for name, v in values.items():
        target = rng.integers(-50, 50, places).astype(dtype)
        got = tb.array(target)
        getattr(np, name).at(target, index, v)
        getattr(tb, name).at(got, tb.array(index), tb.array(v))
        np.testing.assert_array_equal(got.get(), target, name)


def test_at_with_many_values_for_few_places_in_two_dimensions():
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, 10, (2, 30000))
    values = rng.integers(0, 9, 30000).astype("f4")
    want, got = np.ones((10, 10), "f4"), tb.ones((10, 10), "f4")
    np.add.at(want, (rows, columns), values)
    tb.add.at(got, (tb.array(rows), tb.array(columns)), tb.array(values) * 1)
    np.testing.assert_array_equal(got.get(), want)
    np.add.at(want, rows, np.ones(10, "f4"))
    tb.add.at(got, tb.array(rows), tb.ones(10, "f4"))
    np.testing.assert_array_equal(got.get(), want)
    np.add.at(want[2:5], (slice(None), columns % 4), 1)
    tb.add.at(got[2:5], (slice(None), tb.array(columns % 4)), 1)
    np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("name, dtype", [("less", "?"), ("greater_equal", "?"), ("remainder", "i4"), ("fmod", "f8"),
                                         ("copysign", "f4"), ("nextafter", "f8"), ("power", "i8")])
def test_at_takes_numbers_in_order(name, dtype):
    """Many blocks for one element: none of them may come before another."""
    rng = np.random.default_rng(5)
    index = rng.integers(0, 3, 30)
    host, values = np.array([3, 7, 5], dtype), rng.integers(1, 4, 30).astype(dtype)
    before = tb.config.counters()["launches"]
    mine = tb.array(host)
    getattr(np, name).at(host, index, values)
    getattr(tb, name).at(mine, tb.array(index), tb.array(values))
    np.testing.assert_array_equal(mine.get(), host)
    if tb.config.backend() != "cpu":  # however seldom they would
        assert tb.config.counters()["launches"] - before > 10


@pytest.mark.parametrize("name", ["equal", "not_equal", "less", "greater_equal", "logical_and", "logical_xor"])
@pytest.mark.parametrize("dtype", ["?", "i1", "i8", "f4"])
@pytest.mark.parametrize("value", [True, 0, 3, "same", "wider"])
def test_at_of_functions_that_give_truth_values(name, dtype, value):
    rng = np.random.default_rng(3)
    index = rng.integers(0, 4, 9)
    host = rng.integers(0, 2, (4, 2)).astype(dtype)
    if value == "same":
        value = rng.integers(0, 2, (9, 2)).astype(dtype)
    elif value == "wider":
        value = rng.integers(0, 3, (9, 1)).astype("f8")
    for view in (lambda x: x, lambda x: x[:, ::-1], lambda x: x.T[::-1].T):
        a, mine = host.copy(), tb.array(host)
        getattr(np, name).at(view(a), index, value)
        getattr(tb, name).at(view(mine), tb.array(index), tb.array(value) if isinstance(value, np.ndarray) else value)
        np.testing.assert_array_equal(mine.get(), a)


AT = ["add", "subtract", "multiply", "maximum", "minimum", "fmax", "equal", "less", "logical_or", "logical_xor",
      "bitwise_and", "gcd", "left_shift", "hypot", "copysign"]


@st.composite
def updates(draw):
    """(what is updated, index, value) with numbers that any dtype's arithmetic keeps within any other's range."""
    dtype, other = np.dtype(draw(st.sampled_from(DTYPES))), np.dtype(draw(st.sampled_from(DTYPES)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    a = (rng.integers(3, 9, 6) + 0.25 * (dtype.kind in "fc")).astype(dtype)
    b = (rng.integers(0, 3, 6) + 0.3 * (other.kind in "fc")).astype(other)
    form = draw(st.sampled_from(["array", "scalar", "number", "slice", "mask"]))
    if form == "slice":
        return a, slice(1, 5), b[:4]
    if form == "mask":
        return a, a > 5, b[0]
    index = np.array([0, 0, 1, 2, 2, 5])
    if tb.config.backend() != "cpu":  # which keeps no order
        b = b[index]
    return a, index, {"array": b, "scalar": b[0], "number": b[0].item()}[form]


@pytest.mark.filterwarnings("ignore:Casting complex")
@pytest.mark.parametrize("name", AT)
@settings(max_examples=150, deadline=None)
@given(case=updates())
def test_at_computes_in_the_dtype_of_both(name, case):
    a, index, b = case
    if a.dtype == "L" and type(b) is int:
        return  # NumPy goes through float64
    want, got = a.copy(), tb.array(a)
    args = tuple(tb.array(x) if isinstance(x, np.ndarray) else x for x in (index, b))
    try:
        getattr(np, name).at(want, index, b)
    except TypeError:
        with pytest.raises(TypeError):
            getattr(tb, name).at(got, *args)
        return
    getattr(tb, name).at(got, *args)
    if name == "hypot" and a.dtype.kind in "fc":
        np.testing.assert_allclose(got.get(), want, 1e-2 if a.dtype == "e" else 1e-5)
    elif name != "hypot":
        np.testing.assert_array_equal(got.get(), want)


def test_at_rounds_what_a_wider_dtype_gives():
    index = np.array([0, 0, 0, 1])
    for name, dtype, value in [("maximum", "b", np.array([1000, 2, 300, -500], "i")), ("add", "b", 300),
                               ("add", "f", np.full(4, 2.0**-24 * 1.001)), ("add", "f", 2.0**-24 * 1.001),
                               ("add", "e", np.float32(0.1)), ("add", "b", 2.5), ("multiply", "B", np.int64(-3)),
                               ("maximum", "H", np.int16(-5)), ("divide", "i", np.array([2, 2, 3, 2])),
                               ("subtract", "l", np.uint64(2**63)), ("add", "f", np.complex64(1 + 2j)),
                               ("maximum", "l", np.uint64(7))]:
        want = np.array([2**60 + 1, 101] if dtype == "l" else [1, 101], dtype)
        got = tb.array(want)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            getattr(np, name).at(want, index, value)
        getattr(tb, name).at(got, tb.array(index), tb.array(value) if isinstance(value, np.ndarray) else value)
        np.testing.assert_array_equal(got.get(), want, f"{name} {dtype} {value}")


def test_at_keeps_the_bits_of_uint64():
    """Where a number of Python's is added, which NumPy takes for an int64, so that both become float64."""
    a = tb.array([2**60 + 1, 5], dtype="L")
    tb.add.at(a, tb.array([0, 0, 1]), 1)
    assert a.get().tolist() == [2**60 + 3, 6]


def test_sqrt_at_integers():
    want, index = np.array([16, 81]), np.array([0, 1, 0])
    got = tb.array(want)
    np.sqrt.at(want, index)
    tb.sqrt.at(got, tb.array(index))
    np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("name", ["add", "maximum", "power", "subtract"])  # power: no kernel keeps the order
@pytest.mark.parametrize("key", [([0, 2, 0],), slice(1, 3), (np.array([True, False, True]), [1, 0]), ()], ids=repr)
@pytest.mark.parametrize("values", [
    np.array([3, 2]), [3, 2], ((3,), (2,), (1,)), np.float32(2), np.array(3), [2], np.ones((3, 2), "i1"), [[], []],
], ids=repr)
def test_at_takes_values_of_the_host(name, key, values):
    a = np.arange(6.0).reshape(3, 2)
    b = tb.array(a)
    try:
        getattr(np, name).at(a, key, values)
    except ValueError:
        with pytest.raises(ValueError):
            getattr(tb, name).at(b, key, values)
    else:
        getattr(tb, name).at(b, key, values)
    same(b, a, 1e-15 if name == "power" else 0)


UFUNCS = [name for name in dir(tb) if isinstance(getattr(tb, name), tb.ufunc)]
NOT_REDUCED = {"gcd", "hypot", "logaddexp", "logaddexp2", "logical_xor"}  # but they have identities


@pytest.mark.parametrize("name", UFUNCS)
def test_what_ufuncs_say_of_themselves(name):
    ours, theirs = getattr(tb, name), getattr(np, name, None)
    assert ours.nargs == ours.nin + ours.nout and ours.ntypes == len(ours.types) > 0 and ours.signature is None
    parameters = inspect.signature(ours).parameters
    assert [p.kind is p.POSITIONAL_ONLY for p in parameters.values()].count(True) in (ours.nin, ours.nargs)
    if isinstance(theirs, np.ufunc):
        assert (ours.nin, ours.nout, ours.signature) == (theirs.nin, theirs.nout, theirs.signature)
        assert ours.identity == theirs.identity and type(ours.identity) is type(theirs.identity)
    if ours.identity is not None and name not in NOT_REDUCED:
        assert ours.reduce(tb.zeros(0, "?" if "logical" in name else "i8")) == ours.identity


def limits():
    a = np.arange(-6, 6).reshape(3, 4)
    return {
        "dtype": (a, (-2, 3), {"dtype": "f4"}), "casting": (a, (-2.5, 3.5), {"dtype": "i8", "casting": "unsafe"}),
        "where": (a, (-2, 3), {"where": a > 2, "out": a * 0}), "one bound": (a, (None, 3), {"dtype": "f8"}),
        "lower": (a, (2, None), {"casting": "same_kind"}), "order": (a.T, (0, 2), {"order": "C"}),
        "out": (a, (0, 3), {"out": np.zeros((3, 4), "f4"), "casting": "unsafe"}),
        "subok": (a, (0, 1), {"subok": False}),
    }


@pytest.mark.parametrize("name", limits())
def test_clip_takes_keywords_of_ufuncs(name):
    def ours(kw):
        return {k: tb.array(v) if isinstance(v, np.ndarray) else v for k, v in kw.items()}

    a, bounds, kw = limits()[name]
    want = np.clip(a, *bounds, **kw)
    for call in (lambda: tb.clip(tb.array(a), *bounds, **ours(limits()[name][2])),
                 lambda: tb.array(a).clip(*bounds, **ours(limits()[name][2])),
                 lambda: np.clip(tb.array(a), *bounds, **ours(limits()[name][2]))):
        same(call(), want)


def test_clip_refuses():
    a = tb.arange(4)
    with pytest.raises(TypeError):
        a.clip(0.5, 1.5, dtype="i4")  # same_kind forbids it
    with pytest.raises(TypeError, match="nonsense"):
        a.clip(0, 1, nonsense=1)
    with pytest.raises(TypeError, match="3 positional"):
        a.clip(0, 1, a, 4)
    for bounds in (dict(a_min=0, min=0), dict(a_max=2, min=0), dict(a_min=1, max=2)):
        with pytest.raises(ValueError, match="not both"):
            tb.clip(a, **bounds)
    assert tb.clip(np.arange(4), 1, 2, dtype="f4").dtype == np.float32


@pytest.mark.parametrize("name", ["gcd", "hypot", "logaddexp", "logaddexp2", "logical_xor"])
def test_one_element_is_folded_with_the_identity(name):
    """gcd and hypot of one negative element are its magnitude."""
    ours, theirs = getattr(tb, name), getattr(np, name)
    for code in "bl" if name == "gcd" else "efd":
        for host in (np.array([-3], code), np.array([[-6, 2]], code), np.array([[-6, 2], [3, -5]], code)):
            a, mask = tb.array(host), host != 2
            for axis in (0, None, ()) if name in ("gcd", "hypot") else (0,):
                same(ours.reduce(a, axis), theirs.reduce(host, axis))
                same(ours.reduce(a, axis, where=tb.array(mask)), theirs.reduce(host, axis, where=mask))


@pytest.mark.parametrize("name", ["add", "multiply", "logical_and", "bitwise_or", "maximum"])
def test_no_identity_behind_a_mask(name):
    """An initial of None says that there is no number to begin with, which a mask needs."""
    x = tb.arange(4)
    m = x != 2
    f = getattr(tb, name)
    for call in (lambda: f.reduce(x, initial=None, where=m), lambda: getattr(np, name).reduce(
            x.get(), initial=None, where=m.get())):
        with pytest.raises(ValueError):
            call()
    same(f.reduce(x, initial=None), np.asarray(getattr(np, name).reduce(x.get(), initial=None)))
    for call in (tb.sum, tb.prod, x.sum, x.prod):
        with pytest.raises(ValueError):
            call(*([] if hasattr(call, "__self__") and call.__self__ is x else [x]), initial=None, where=m)


def refused(name, method, *args, **kwargs):
    """Ours and NumPy's raise the same kind of exception."""
    def host(x):
        return x.get() if isinstance(x, tb.ndarray) else x

    with pytest.raises((TypeError, ValueError)) as theirs:
        getattr(getattr(np, name), method)(*map(host, args), **kwargs)
    with pytest.raises(TypeError if isinstance(theirs.value, TypeError) else ValueError):
        getattr(getattr(tb, name), method)(*args, **kwargs)


@pytest.mark.parametrize("name", ["add", "maximum", "subtract", "logical_or"])
def test_accumulate_needs_one_axis(name):
    refused(name, "accumulate", tb.array(3))
    refused(name, "accumulate", tb.ones((2, 3)), axis=None)


@pytest.mark.parametrize("name", ["logical_or", "logical_and", "logical_xor"])
@pytest.mark.parametrize("method", ["reduce", "accumulate"])
def test_logical_functions_give_truth_values(name, method):
    x = tb.arange(6).reshape(2, 3)
    for dtype in ("f4", "i1"):
        refused(name, method, x, dtype=dtype)
    same(getattr(getattr(tb, name), method)(x, dtype=bool), getattr(getattr(np, name), method)(x.get(), dtype=bool))
