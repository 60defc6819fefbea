"""isin by comparing and by a table, against NumPy."""

import numpy as np
import pytest
from strategies import same

import tombac as tb


@pytest.mark.parametrize("code", ["?", "b", "B", "h", "I", "l", "L"])
@pytest.mark.parametrize("other", ["b", "B", "i", "L"])
def test_isin_by_a_table(code, other):
    rng = np.random.default_rng(6)
    host = rng.integers(-300, 300, (40, 70)).astype(code)
    for n in (0, 1, 50):
        test = rng.integers(-90 if other != "L" else 0, 60, n).astype(other)
        if np.result_type(host, test).kind == "f":
            with pytest.raises(ValueError, match="float64"):
                tb.isin(tb.array(host), tb.array(test), kind="table")
            continue
        for invert in (False, True):
            want = np.isin(host, test, invert=invert)
            same(tb.isin(tb.array(host), tb.array(test), invert=invert, kind="table"), want)
            same(tb.isin(tb.array(host), tb.array(test), invert=invert), want)


@pytest.mark.parametrize("code", ["i", "l", "L", "f"])
@pytest.mark.parametrize("high", [500, 2**31 - 1])
def test_isin_of_many(code, high):
    rng = np.random.default_rng(7)
    host, test = rng.integers(0, high, 300001).astype(code), rng.integers(0, high, 1000).astype(code)
    test[:3] = host[:3]
    same(tb.isin(tb.array(host), tb.array(test)), np.isin(host, test))


def test_isin_at_the_ends_of_a_dtype():
    for code in ("l", "L"):
        ends = np.array([np.iinfo(code).min, np.iinfo(code).max], code)
        for value in ends:
            same(tb.isin(tb.array(ends), tb.array([value]), kind="table"), np.isin(ends, [value]))


def test_isin_checks_its_arguments():
    x = tb.arange(3.0)
    with pytest.raises(ValueError, match="kind"):
        tb.isin(x, x, kind="hash")
    with pytest.raises(ValueError, match="table"):
        tb.isin(x, x, kind="table")
    with pytest.raises(TypeError, match="isin"):
        tb.isin(x, [1, 2])


@pytest.mark.parametrize("name", ["iscomplex", "isreal"])
def test_parts_of_what_is_no_device_array(name):
    for x in ([[1, 2j], [0j, 3 + 0j]], (1, 2), [], np.array([1j, 0]), [True], 2j, 1.5, np.complex64(1)):
        same(getattr(tb, name)(x), getattr(np, name)(x))
