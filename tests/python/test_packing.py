"""packbits and unpackbits against NumPy."""

import numpy as np
import pytest
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import INTS, arrays, same

ORDERS = st.sampled_from(["big", "little"])


def axes(host):
    return st.sampled_from([None] + list(range(-max(host.ndim, 1), max(host.ndim, 1))))


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_packbits(data):
    host, device = data.draw(arrays(["?", *INTS], max_dims=3, max_side=19))
    axis, order = data.draw(axes(host)), data.draw(ORDERS)
    same(tb.packbits(device, axis, order), np.packbits(host, axis, order))


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_unpackbits(data):
    host, _ = data.draw(arrays(["B"], max_dims=3, max_side=9))
    host = host * 29
    axis, order = data.draw(axes(host)), data.draw(ORDERS)
    n = 8 * (host.size if axis is None or host.ndim == 0 else host.shape[axis])
    count = data.draw(st.one_of(st.none(), st.integers(-n, n + 9 if host.size else 0)))  # NumPy leaves no bytes unset
    same(tb.unpackbits(tb.array(host), axis, order, count=count), np.unpackbits(host, axis, count, order))


def test_there_and_back():
    host = np.random.default_rng(0).integers(0, 2, 100003).astype(bool)
    packed = tb.packbits(tb.array(host))
    same(packed, np.packbits(host))
    same(tb.unpackbits(packed, count=host.size), host.astype("B"))


def test_refusals():
    for f, bad in ((tb.packbits, tb.ones(3)), (tb.unpackbits, tb.ones(3, int)), (tb.packbits, np.ones(3, bool)),
                   (tb.unpackbits, np.ones(3, "B")), (tb.packbits, [1, 0])):
        with pytest.raises(TypeError):
            f(bad)
    x = tb.ones(9, "B")
    for f in (tb.packbits, tb.unpackbits):
        with pytest.raises(ValueError):
            f(x, bitorder="middle")
        with pytest.raises(np.exceptions.AxisError):
            f(x, 1)
    with pytest.raises(ValueError):
        tb.unpackbits(x, count=-73)


@pytest.mark.parametrize("first", range(9))
def test_views_that_begin_at_any_byte(first):
    host = np.random.default_rng(first).integers(0, 2, 80).astype(bool)
    device, host = tb.array(host)[first : first + 64], host[first : first + 64]
    same(tb.packbits(device), np.packbits(host))
    for axis in (0, 1):
        same(tb.packbits(device.reshape(4, 16), axis), np.packbits(host.reshape(4, 16), axis))
