"""compress, repeat, place, tolist and a[mask] against NumPy: dtypes, layouts, and what they refuse."""

import numpy as np
import pytest
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import same

CODES = ["?", "u1", "i2", "f2", "i4", "f4", "i8", "f8", "c8", "c16"]
SHAPES = [(7,), (0,), (3, 4), (4, 1, 3), (0, 3), (70, 3)]
LAYOUTS = {
    "plain": lambda a: a, "backwards": lambda a: a[::-1], "steps": lambda a: a.repeat(2, -1)[..., ::2],
    "transposed": lambda a: a.T,
}


def pair(code, shape, layout, seed=0):
    """The same array of NumPy's and tombac's, laid out alike."""
    a = np.random.default_rng(seed).integers(0, 100, shape).astype(code)
    return LAYOUTS[layout](a), LAYOUTS[layout](tb.array(a))


ARRAYS = st.builds(pair, st.sampled_from(CODES), st.sampled_from(SHAPES), st.sampled_from(sorted(LAYOUTS)))


NOTHING = [((0, 0), -1), ((0, 0), 0), ((0, 3), 1), ((0, 3), 0), ((3, 0), 0), ((3, 0), 1), ((0, 2, 0), 2),
           ((0, 0, 2), 1), ((0,), 0), ((2, 0), None)]


@pytest.mark.parametrize("shape, axis", NOTHING)
def test_take_and_compress_of_nothing(shape, axis):
    """Indices are looked at unless there is nothing before the axis."""
    a, d = np.zeros(shape), tb.zeros(shape)
    for index in ([0, 0], [9], [], 0, 9):
        index = np.array(index, "l")
        alike(outcome(lambda: tb.take(d, tb.array(index), axis=axis, mode="raise")),
              outcome(lambda: np.take(a, index, axis=axis)))
    for condition in ([False, True], [False] * 4 + [True], [True], [], [False] * 9):
        condition = np.array(condition, bool)
        alike(outcome(lambda: tb.compress(tb.array(condition), d, axis=axis)),
              outcome(lambda: np.compress(condition, a, axis=axis)))


def test_sizes_of_masks_before_dtypes():
    """A mask of another size is a ValueError, whatever the values are."""
    for name in "putmask", "place":
        for values in (1j, np.array([1.5])):
            for module in (np, tb):
                with pytest.raises(ValueError):
                    getattr(module, name)(module.arange(4), module.array([True, False]),
                                          module.asarray(values) if np.ndim(values) else [values])


def outcome(f):
    try:
        return f()
    except (ValueError, IndexError, TypeError) as error:
        return type(error)


def alike(got, want):
    if isinstance(want, type):
        assert got is want
    else:
        same(got, want)


@given(ARRAYS, st.integers(0, 2**32 - 1), st.booleans())
def test_masks_of_all_axes(arrays, seed, pending):
    host, device = arrays
    mask = np.random.default_rng(seed).random(host.shape) < 0.5
    if pending:
        host, device = host + host, device + device
    same(device[tb.array(mask)], host[mask])
    same(device[tb.array(mask.T.copy()).T], host[mask])


@pytest.mark.parametrize("item", [1, 2, 3, 4, 8, 12, 16, 24])
def test_masks_of_elements_of_any_size(item):
    host = np.arange(200 * item, dtype=np.uint8).view(f"V{item}")
    mask = np.arange(200) % 7 > 2
    got = tb.array(host)[tb.array(mask)]
    assert got.get().tobytes() == host[mask].tobytes()


def test_any_byte_but_zero_is_true():
    flags = np.array([0, 2, 255, 1, 0, 7] * 50, np.uint8)
    mask, x = tb.array(flags).view(bool), tb.arange(300)
    same(x[mask], np.arange(300)[flags != 0])
    same(tb.nonzero(mask)[0], np.nonzero(flags)[0])


def test_many_elements():
    host = np.random.default_rng(0).random(200_000).astype(np.float32)
    mask = host < 0.3
    same(tb.array(host)[tb.array(mask)], host[mask])


@given(ARRAYS, st.sampled_from([None, 0, -1, 1]), st.integers(0, 9), st.integers(0, 2**32 - 1))
def test_compress(arrays, axis, n, seed):
    host, device = arrays
    n = n if host.size else 0  # NumPy looks at no condition then
    condition = np.random.default_rng(seed).integers(0, 2, n).astype(bool)
    want = outcome(lambda: np.compress(condition, host, axis))
    alike(outcome(lambda: tb.compress(tb.array(condition), device, axis)), want)
    alike(outcome(lambda: device.compress(condition.tolist(), axis)), want)
    if not isinstance(want, type):
        out = tb.zeros(want.shape, want.dtype)
        assert device.compress(condition, axis, out) is out
        same(out, want)


def test_compress_refuses():
    x = tb.arange(3)
    with pytest.raises(ValueError, match="one-dimensional"):
        tb.compress(tb.ones((1, 3), bool), x)
    with pytest.raises(IndexError, match="axis 0, which has size 3"):
        tb.compress([False, False, False, True], x)
    with pytest.raises(np.exceptions.AxisError):
        x.compress([True], 1)
    with pytest.raises(ValueError, match="compress: out"):
        tb.compress([True], x, out=tb.zeros(2))


@given(ARRAYS, st.sampled_from([None, 0, -1, 1]), st.sampled_from(["i8", "u1", "i2", "?"]), st.integers(0, 2**32 - 1))
def test_repeat(arrays, axis, code, seed):
    host, device = arrays
    length = host.size if axis is None else host.shape[min(axis, host.ndim - 1)]
    counts = np.random.default_rng(seed).integers(0, 2 if code == "?" else 4, length).astype(code)
    want = outcome(lambda: np.repeat(host, counts, axis))
    alike(outcome(lambda: tb.repeat(device, tb.array(counts), axis)), want)
    alike(outcome(lambda: device.repeat(counts.astype(int).tolist(), axis=axis)), want)
    for n in (0, 1, 3, np.int8(2), [2]):
        alike(outcome(lambda: tb.repeat(device, n, axis)), outcome(lambda: np.repeat(host, n, axis)))


def test_repeat_of_records_and_numbers():
    host = np.array([(1, 2.5), (3, 4.5)], [("a", "i2"), ("b", "f8")])
    assert tb.repeat(tb.array(host), [2, 1]).get().tobytes() == np.repeat(host, [2, 1]).tobytes()
    assert tb.repeat(tb.array(host), 2).get().tobytes() == np.repeat(host, 2).tobytes()
    same(tb.repeat(3, 2), np.repeat(3, 2))
    same(tb.repeat(tb.array(3), tb.array(2), 0), np.repeat(np.array(3), 2, 0))


@pytest.mark.parametrize("error, repeats, axis", [
    (ValueError, -1, None), (ValueError, [1, -1, 2], None), (ValueError, [1, 2], None), (ValueError, [[1, 2, 3]], None),
    (TypeError, [1.0, 2.0, 1.0], None), (TypeError, 1.5, None), (np.exceptions.AxisError, 2, 1),
    (ValueError, [2**62, 2**62, 2**62], None),
])
def test_repeat_refuses(error, repeats, axis):
    with pytest.raises(error):
        tb.repeat(tb.arange(3), repeats if isinstance(repeats, int | float) else tb.array(repeats), axis)


@given(ARRAYS, st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_place(arrays, n, seed):
    host, device = arrays
    host = host.copy(order="K")
    mask = np.random.default_rng(seed).random(host.shape) < 0.5
    values = np.arange(n).astype(host.dtype)
    np.place(host, mask, values)
    tb.place(device, tb.array(mask), tb.array(values))
    same(device, host)


def test_place_refuses():
    x = tb.arange(4)
    with pytest.raises(ValueError, match="must not be empty"):
        tb.place(x, x > 2, tb.zeros(0, int))
    with pytest.raises(ValueError, match="a mask of 3 elements for an array of 4"):
        tb.place(x, tb.ones(3, bool), 1)
    with pytest.raises(TypeError, match="place"):
        tb.place(x, x > 2, tb.ones(1))
    tb.place(x, x > 9, tb.zeros(0, int))
    same(x, np.arange(4))


@given(ARRAYS)
def test_tolist(arrays):
    host, device = arrays
    got, want = device.tolist(), host.tolist()
    assert got == want and repr(got) == repr(want)
