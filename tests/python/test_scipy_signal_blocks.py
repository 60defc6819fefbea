"""tombacx.scipy.signal's recursive filters over rows that are cut into blocks, and long ones, against SciPy's."""

import numpy as np
import pytest
import scipy.signal as ss
import tombac as tb
from test_scipy_signal_filters import FLOATS, all_close, close, random

import tombacx.scipy.signal as xs

LONG = [  # filters that die away soon, late, never, and that grow
    ([0.2, 0.3], [1.0, -0.5]), ([1e-3], [1.0, -0.9995]), ([1.0], [1.0, -1.0]), ([1.0, 0.5], [1.0, -2.0, 1.0]),
    ([1.0], [1.0, -1.00001]), ([1.0], [1.0, -1.1]), (np.ones(9) / 9, [1.0]), ss.butter(4, 0.1), ss.butter(6, 0.3),
    ss.butter(12, 0.4), ([1.0, 0.5j], [1.0, -0.5 + 0.3j]),
]


@pytest.mark.parametrize("code", "fdF")
@pytest.mark.parametrize("i", range(len(LONG)))
def test_lfilter_in_blocks(i, code):
    b, a = (np.asarray(c) for c in LONG[i])
    b, a = (c.astype(np.result_type(c.dtype, code) if c.dtype.kind == "c" else code.lower()) for c in (b, a))
    x = random(9001, code)
    with np.errstate(all="ignore"):
        want, got = ss.lfilter(b, a, x), xs.lfilter(b, a, tb.array(x)).get()
    finite = np.isfinite(want)
    np.testing.assert_array_equal(np.isfinite(got), finite)
    if not finite.all():  # what has grown out of range
        finite[np.argmin(finite) // 2:] = False
    with np.errstate(all="ignore"):
        exact = ss.lfilter(b.astype("D"), a.astype("D"), x.astype("D"))
        rounding = np.abs(want - exact)[finite].max()  # of the sums in a row
        error = np.abs(got - want)[finite].max()
    assert error <= (1e-9 if code == "d" else 2e-3) * np.abs(want[finite]).max() + 4 * rounding


@pytest.mark.parametrize("code", FLOATS)
@pytest.mark.parametrize("shape, axis", [((511,), 0), ((512,), 0), ((1024,), 0), ((1, 1500, 2), 1), ((2, 3000), 1),
                                         ((3, 2500), 1), ((5, 600), 1)])
def test_lfilter_in_short_blocks(shape, axis, code):
    x, (b, a) = random(shape, code), ss.butter(4, 0.2)
    b, a = b.astype(code), a.astype(code)
    zi = random([4 if d == axis else n for d, n in enumerate(shape)], code, 1)
    all_close(xs.lfilter(b, a, tb.array(x), axis, tb.array(zi)), ss.lfilter(b, a, x, axis, zi))
    sos = ss.butter(5, 0.3, output="sos").astype(code.lower())
    close(xs.sosfilt(sos, tb.array(x), axis), ss.sosfilt(sos, x, axis))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("at", [0, 500, 1023])
def test_lfilter_in_short_blocks_keeps_what_is_not_finite(bad, at):
    x, (b, a) = random(1024), ss.butter(4, 0.2)
    x[at] = bad
    with np.errstate(all="ignore"):
        want = ss.lfilter(b, a, x)
    close(xs.lfilter(b, a, tb.array(x)), want)


@pytest.mark.parametrize("shape, axis", [((3, 5000), 1), ((5000, 3), 0), ((40, 4500), 1), ((2, 4200, 2), 1)])
def test_lfilter_in_blocks_of_rows(shape, axis):
    x, (b, a) = random(shape), ss.butter(3, 0.2)
    zi = random([3 if d == axis else n for d, n in enumerate(shape)], seed=1)
    all_close(xs.lfilter(b, a, tb.array(x), axis, tb.array(zi)), ss.lfilter(b, a, x, axis, zi))


@pytest.mark.parametrize("codes", ["fd", "fD", "dd", "dD"])
@pytest.mark.parametrize("rows", [1, 17, 130])
def test_lfilter_of_two_blocks_of_rows(codes, rows):
    rng = np.random.default_rng(0)
    a = np.poly(0.7 * rng.random(7) * np.exp((2j if codes[1] == "D" else 0) * np.pi * rng.random(7)))
    x, zi = random((67, rows), codes[0]), random((7, rows), seed=1)
    all_close(xs.lfilter([0.5, 2.0], a, tb.array(x), 0, tb.array(zi)), ss.lfilter([0.5, 2.0], a, x, 0, zi))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("at", [0, 3000, 8999])
def test_lfilter_keeps_what_is_not_finite(bad, at):
    x = random(9000)
    x[at] = bad
    with np.errstate(all="ignore"):
        want = ss.lfilter([1.0, 0.5], [1.0, -0.5], x)
    got = xs.lfilter([1.0, 0.5], [1.0, -0.5], tb.array(x))
    if not np.isnan(bad):
        np.testing.assert_array_equal(np.isfinite(got.get()), np.isfinite(want))
    else:
        close(got, want)
    # Without feedback a filter forgets.
    forgets = xs.lfilter([1.0, 0.5], [1.0], tb.array(x))
    assert int(tb.isnan(forgets).sum()) == (min(2, 9000 - at) if np.isnan(bad) else 0)


@pytest.mark.parametrize("shape", [(2_200_000,), (70_000, 32), (3, 300_000, 2)])
@pytest.mark.parametrize("code", "fdF")
def test_lfilter_looks_back_far(shape, code):
    """At groups of tiles, and stretches of groups; poles at 0.99995 are remembered for longer than a group."""
    x = random(shape, code, 3)
    b, a = np.r_[1.0, 0.5], np.r_[1.0, -0.99995]
    axis = max(range(len(shape)), key=shape.__getitem__)
    zi = random(tuple(1 if i == axis else n for i, n in enumerate(shape)), code, 4) * 100
    wide = np.result_type(x, "D" if code in "FD" else "d")
    wanted, end = ss.lfilter(b, a, x.astype(wide), axis, zi.astype(wide))
    got, last = xs.lfilter(*(tb.asarray(c.astype(code.lower())) for c in (b, a)), tb.asarray(x), axis, tb.asarray(zi))
    tolerance = 1e-3 if code in "fF" else 1e-11
    most = abs(wanted).max()
    assert abs(got.get() - wanted).max() <= tolerance * most
    assert abs(last.get() - end).max() <= tolerance * most


@pytest.mark.parametrize("order", [6, 9, 10, 12])
@pytest.mark.parametrize("shape", [(9000,), (3, 9000), (40_000, 2)])
def test_lfilter_of_great_orders(order, shape):
    """Of which powers of the matrix of one element are so large that double loses all digits of their products."""
    axis = int(np.argmax(shape))
    for b, a in [ss.cheby1(order, 1, 0.3), ss.butter(order, 0.2), ss.butter(order, 0.7)]:
        x = random(shape, "d", order)
        wanted = ss.lfilter(b, a, x, axis)
        assert abs(xs.lfilter(b, a, tb.asarray(x), axis).get() - wanted).max() <= 1e-7 * abs(wanted).max()


# ---- many coefficients without feedback ------------------------------------------------------------------------------


@pytest.mark.parametrize("code", FLOATS + "i")
@pytest.mark.parametrize("taps, n", [(33, 1200), (301, 400), (501, 90), (40, 3000)])
def test_long_filters_without_feedback(code, taps, n):
    b = random(taps, "d", taps)
    for shape, axis in (((n,), 0), ((n, 3), 0), ((2, n), -1), ((2, n, 2), 1)):
        x = (3 * random(shape, "D" if code in "FD" else "d", n)).astype(code)
        layout = x[::-1] if axis else x
        device = tb.array(x)[::-1] if axis else tb.array(x)
        for numerator, a in ((b, 1.0), (b.astype("f"), [-2.0]), (b * 1j if code in "dD" else b, [1.0, 0.0])):
            states = list(shape)
            states[axis] = max(taps, np.size(a)) - 1
            zi = random(states, "D" if np.iscomplexobj(numerator) or code in "FD" else "d", 5)
            close(xs.lfilter(numerator, a, device, axis), ss.lfilter(numerator, a, layout, axis))
            all_close(xs.lfilter(numerator, a, device, axis, tb.array(zi)), ss.lfilter(numerator, a, layout, axis, zi))
        if n > 3 * taps:
            close(xs.filtfilt(b, 1.0, device, axis), ss.filtfilt(b, 1.0, layout, axis))


def test_long_filters_in_blocks():
    b, x = random(101), random(5000)
    whole, zi, parts = xs.lfilter(b, 1.0, tb.array(x)), tb.zeros(100), []
    for first in range(0, 5000, 700):
        part, zi = xs.lfilter(b, 1.0, tb.array(x[first:first + 700]), zi=zi)
        parts.append(part)
    close(tb.concatenate(parts), whole.get(), 1e-12)


def test_nan_stays_in_its_part_of_long_filters():
    x = random(2000, "D")
    x.imag[700] = np.nan
    y = xs.lfilter(np.ones(50), 1.0, tb.array(x)).get()
    assert np.isfinite(y.real).all() and np.isnan(y.imag).sum() == 50


@pytest.mark.skipif(tb._core.backend() != "cpu", reason="on a GPU these filters are recurrences, too")
def test_long_filters_are_convolutions(monkeypatch):
    monkeypatch.setattr(tb._core, "_recurrence", None)
    for call in (lambda x: xs.lfilter(np.ones(101), 1.0, x), lambda x: xs.filtfilt(np.ones(101), 1.0, x)):
        assert call(tb.ones(2000)).shape == (2000,)
