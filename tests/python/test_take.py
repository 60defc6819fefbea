"""take: against NumPy over axes, modes, layouts and kinds of indices."""

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import arrays, same

import tombac as tb

MODES = ("raise", "wrap", "clip")


@given(arrays(), st.data())
def test_take(pair, data):
    host, device = pair
    axes = st.integers(-host.ndim, host.ndim - 1) if host.ndim else st.sampled_from([0, -1])
    axis = data.draw(st.none() | axes)
    mode, code = data.draw(st.sampled_from(MODES)), data.draw(st.sampled_from("bhilq"))
    n = host.size if axis is None or host.ndim == 0 else host.shape[axis]
    reach = (-n, n - 1) if mode == "raise" else (-3 * n - 1, 3 * n + 1)
    shape = data.draw(st.sampled_from([(), (0,), (3,), (2, 3), (1, 0, 2)])) if n else (0,)
    elements = st.lists(st.integers(max(reach[0], -128), min(reach[1], 127)) if n else st.nothing(),
                        min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))
    index = np.array(data.draw(elements), code).reshape(shape)
    want = host.take(index, axis, mode=mode)
    same(device.take(tb.array(index), axis, mode=mode), want)
    same(tb.take(device, index, axis=axis, mode=mode), want)
    out = tb.empty(want.shape, host.dtype)
    assert tb.take(device, index, axis, out, mode) is out
    same(out, want)


@pytest.mark.parametrize("index", [2, -1, True, np.int8(1), np.uint64(3), [1, 0], [[True, False]], [], (3,), range(3)])
def test_kinds_of_indices(index):
    host = np.arange(12.0).reshape(4, 3).T
    device = tb.array(host)
    for axis in (None, 1):
        same(device.take(index, axis), host.take(index, axis))


@pytest.mark.parametrize("code", "?bBhHiIlL")
def test_every_integer_dtype_is_an_index(code):
    host, index = np.arange(5.0), np.array([1, 0, 1], code)
    for mode in MODES:
        same(tb.array(host).take(tb.array(index), mode=mode), host.take(index, mode=mode))


def test_one_integer_makes_a_copy():
    x = tb.arange(6).reshape(2, 3)
    row = x.take(1, 0)
    row[...] = 0
    assert x.get()[1].tolist() == [3, 4, 5]


@pytest.mark.parametrize("i", [-9, -4, 3, 9])
def test_one_integer_beyond_the_axis(i):
    host = np.arange(3)
    for mode in ("wrap", "clip"):
        assert tb.array(host).take(i, mode=mode).item() == host.take(i, mode=mode)
    with pytest.raises(IndexError, match=str(i)):
        tb.array(host).take(i, mode="raise")


def test_a_subclass_and_pending_operands():
    x, i = tb.arange(5) * 2, tb.arange(3) + 1
    assert x.take(i).get().tolist() == [2, 4, 6]
    assert tb.take(3, [0, 0]).get().tolist() == [3, 3]
    y = tb.arange(4)
    y.take(tb.array([3, 2, 1, 0]), out=y)
    assert y.get().tolist() == [3, 2, 1, 0]


@pytest.mark.parametrize("error, call", [
    (IndexError, lambda x: x.take(tb.array([0, 6]), mode="raise")),
    (IndexError, lambda x: x.take([-7], mode="raise")),
    (IndexError, lambda x: tb.empty((0, 3)).take([0], 0)), (IndexError, lambda x: tb.empty(0).take(0)),
    (TypeError, lambda x: x.take(1.5)), (TypeError, lambda x: x.take([0.5])),
    (TypeError, lambda x: x.take()), (TypeError, lambda x: tb.take(x)), (TypeError, lambda x: tb.take([1, 2], 0)),
    (TypeError, lambda x: x.take(0, out=np.empty(()))),
    (TypeError, lambda x: x.take(0, mode=1.5)), (ValueError, lambda x: x.take(0, mode="nearest")),
    (ValueError, lambda x: x.take([0, 1], out=tb.empty(3))), (ValueError, lambda x: x.take([[0]], out=tb.empty(1))),
    (np.exceptions.AxisError, lambda x: x.take(0, 1)), (np.exceptions.AxisError, lambda x: tb.array(3).take(0, 1)),
])
def test_errors(error, call):
    with pytest.raises(error):
        call(tb.arange(6))


def test_signatures():
    want = "(a, indices, axis=None, out=None, mode='wrap')"
    assert str(inspect.signature(tb.take)) == want and "Raises" in tb.take.__doc__
    assert list(inspect.signature(tb.ndarray.take).parameters) == ["self", "indices", "axis", "out", "mode"]


def test_an_index_beyond_int64():
    with pytest.raises(IndexError):
        tb.take(tb.arange(5), tb.array(np.array([2**63 + 1], "u8")), mode="raise")


ROWS = [
    lambda a, i, v: a.__setitem__(i, 7),
    lambda a, i, v: a.__setitem__(i, v),
    lambda a, i, v: a.__setitem__(i, v + v),
    lambda a, i, v: a.__setitem__(i, a[i][::-1]),
    lambda a, i, v: a.__setitem__(i, v[..., ::-1]),
    lambda a, i, v: a.__setitem__(i, v[0] * 2),
    lambda a, i, v: a.__setitem__(i, v.real.astype("f8")),
    lambda a, i, v: a.__setitem__((slice(None), i), 3),
    lambda a, i, v: a.__setitem__((i, slice(1, None)), 5),
    lambda a, i, v: a[:, ::2].__setitem__(i, 9),
    lambda a, i, v: a[..., ::2].__setitem__(i, 9),
    lambda a, i, v: a.transpose(2, 0, 1).__setitem__(i, 1),
]


@pytest.mark.parametrize("number", range(len(ROWS)))
@pytest.mark.parametrize("dtype", ["u1", "f4", "c16"])
def test_rows_that_indices_mean_are_written(number, dtype):
    rng = np.random.default_rng(number)
    want = rng.integers(0, 100, (12, 13, 16)).astype(dtype)
    got = tb.array(want)
    i = rng.permutation(12)[:7]
    v = rng.integers(0, 100, (7, 13, 16)).astype(dtype)
    ROWS[number](want, i, v)
    ROWS[number](got, tb.array(i), tb.array(v))
    same(got, want)


@given(arrays(), st.data())
def test_put(pair, data):
    """Values are cut or repeated. Each element gets one, which may be any of several on a GPU."""
    host, device = pair
    n, mode = host.size, data.draw(st.sampled_from(MODES))
    reach = (-n, n - 1) if mode == "raise" else (-3 * n - 1, 3 * n + 1)
    numbers = st.integers(max(reach[0], -128), min(reach[1], 127)) if n else st.nothing()
    index = np.array(data.draw(st.lists(numbers, max_size=6 if n else 0, unique=True)), np.int8)
    values = np.arange(data.draw(st.integers(0, 8))).astype(host.dtype)
    host, device = host.copy(), device.copy()
    if mode != "raise" and n:
        at = np.clip(index, 0, n - 1) if mode == "clip" else index % n
        index = index[np.unique(at, return_index=True)[1]]
    np.put(host, index, values, mode)
    tb.put(device, tb.array(index), tb.array(values), mode)
    same(device, host)


def test_put_looks_at_indices():
    a = tb.arange(3)
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        a.put([0, 3], 7, mode="raise")
    with pytest.raises(ValueError, match="put: mode must be one of"):
        tb.put(a, [0], 7, "no")
    with pytest.raises(TypeError, match="put: indices must be integers"):
        tb.put(a, [0.5], 7)
    with pytest.raises(TypeError, match="put"):
        tb.put([1], [0], 7)
    same(a, np.arange(3))
    tb.put(a, tb.array([2**64 - 1, 0], "Q"), [5, 6], "clip")
    same(a, np.array([6, 1, 5]))
