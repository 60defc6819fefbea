"""Reductions and scans against NumPy: every function over shapes, axes, layouts and dtypes; NaN; empty input; out=."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import arrays, same

import tombac as tb

WHOLE = ["sum", "prod", "max", "min", "any", "all", "mean", "var", "std", "ptp", "count_nonzero", "argmax", "argmin"]
NAN = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nanargmax", "nanargmin"]
SCANS = ["cumsum", "cumprod", "nancumsum", "nancumprod"]


def close(got, want, scale=1.0):
    """Equal numbers for integers; a few rounding errors for floats, relative to the size of what was added up."""
    want = np.asarray(want)
    assert type(got) is tb.ndarray
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.dtype.kind in "biu":
        np.testing.assert_array_equal(got.get(), want)
        return
    eps = np.finfo(want.dtype).eps
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(got.get(), want, rtol=64 * eps, atol=64 * eps * scale)


def outcome(name, host, device, **kw):
    """The same result, or an error where NumPy has one."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            want = getattr(np, name)(host, **kw)
        except (ValueError, TypeError, np.exceptions.AxisError):
            with pytest.raises((ValueError, TypeError, np.exceptions.AxisError)):
                getattr(tb, name)(device, **kw)
            return
    close(getattr(tb, name)(device, **kw), want, 100.0)


@st.composite
def axes(draw, ndim, single=False):
    if ndim == 0 or draw(st.booleans()):
        return None
    if single or draw(st.booleans()):
        return draw(st.integers(-ndim, ndim - 1))
    return tuple(draw(st.permutations(range(ndim)))[: draw(st.integers(1, ndim))])


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_axes_any_layout(name, data):
    host, device = data.draw(arrays())
    if name == "ptp" and host.dtype == bool:
        return
    if name in ("prod", "var", "std", "mean") and host.dtype == np.float16:
        host, device = host.astype("f"), device.astype("f")
    if name == "prod" and host.dtype in ("f", "F"):
        host, device = host / host.dtype.type(4), device / host.dtype.type(4)  # an overflow depends on the order
    axis = data.draw(axes(host.ndim, name.startswith("arg")))
    kw = {"axis": axis}
    if name not in ("count_nonzero",) or data.draw(st.booleans()):
        kw["keepdims"] = data.draw(st.booleans())
    if name in ("var", "std"):
        kw["ddof"] = data.draw(st.sampled_from([0, 1, 0.5]))
    outcome(name, host, device, **kw)


@pytest.mark.parametrize("name", WHOLE[:-2] + ["argmax", "argmin"])
@pytest.mark.parametrize("shape, axis", [((100_003,), None), ((300, 401), 0), ((300, 401), 1), ((17, 33, 65), 1),
                                         ((17, 33, 65), (0, 2)), ((2, 70_000), 1), ((70_000, 2), 0)])
@pytest.mark.parametrize("code", "fdlB")
def test_large(name, shape, axis, code):
    if isinstance(axis, tuple) and name.startswith("arg"):
        pytest.skip("one axis only")
    rng = np.random.default_rng(1)
    host = rng.integers(0, 100, shape).astype(code)
    if name == "prod":
        host = np.where(host < 50, 1, 2 if code == "f" else 1).astype(code)
        host.flat[::7] = 1
        host = np.where(rng.random(shape) < 0.001, 2, 1).astype(code)
    want = getattr(np, name)(host, axis=axis)
    got = getattr(tb, name)(tb.array(host), axis=axis)
    assert got.dtype == np.asarray(want).dtype
    np.testing.assert_allclose(got.get(), want, rtol=1e-5 if code == "f" else 1e-12)


@pytest.mark.parametrize("name", ["any", "all", "max", "min", "argmax", "argmin"])
@pytest.mark.parametrize("odd", [None, 0, 1, 16_384, 70_001, 299_999, slice(5, None, 65_536)])
def test_truth_is_decided_by_one_element(name, odd):
    host = np.full(300_000, name in ("all", "min", "argmin"))
    if odd is not None:
        host[odd] = not host[0]
    device = tb.array(host)
    for view in (slice(None), slice(None, None, -1), slice(3, None, 2)):
        assert getattr(tb, name)(device[view]).item() == getattr(np, name)(host[view])
    for shape, axis in (((3000, 100), 0), ((3000, 100), 1), ((3, 100_000), 1), ((3, 1000, 100), 1)):
        want = getattr(np, name)(host.reshape(shape), axis=axis)
        np.testing.assert_array_equal(getattr(tb, name)(device.reshape(shape), axis=axis).get(), want)


@pytest.mark.parametrize("size", [1, 63, 64, 65, 16_319, 16_320, 16_321, 16_385, 300_007])
def test_counts(size):
    random = np.random.default_rng(size)
    for host in (np.ones(size, bool), random.random(size) < 0.5, np.zeros(size, bool)):
        device = tb.array(host)
        for view in (slice(None), slice(1, None), slice(None, None, -1)):
            assert tb.count_nonzero(device[view]).item() == np.count_nonzero(host[view])
            assert device[view].sum().item() == host[view].sum()
    assert tb.count_nonzero(tb.arange(size) % 3).item() == size - (size + 2) // 3


@pytest.mark.parametrize("length", [2, 7, 8, 9, 16, 31, 100, 257])
@pytest.mark.parametrize("code", "?bqefdD")
def test_extremes_of_many_short_lines(length, code):
    """Repeated values, and NaN in some places of some lines, along either axis and of both memory orders."""
    random = np.random.default_rng(length)
    host = random.integers(-3, 4, (521, length)).astype(code)
    if host.dtype.kind == "c":
        host.imag = random.integers(-3, 4, host.shape)
    if host.dtype.kind in "fc":
        host[random.random(host.shape) < 1 / 64] = np.nan
    device = tb.array(host)
    for name in ("max", "min", "argmax", "argmin", "sum") + (("nanmax", "nanmin") if host.dtype.kind in "fc" else ()):
        for x, y in ((host, device), (host.T, device.T), (host[::-1, ::2], device[::-1, ::2])):
            for axis in (0, 1):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)
                    want = getattr(np, name)(x, axis=axis)
                got = getattr(tb, name)(y, axis=axis).get()
                if host.dtype.kind == "c" and name != "sum" and not name.startswith("arg"):
                    # Which of two numbers with a NaN it is, is not laid down.
                    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
                    got, want = got[~np.isnan(want)], want[~np.isnan(want)]
                np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("size", [5, 63, 64, 257, 1023, 1025, 16_384, 16_385, 300_007])
@pytest.mark.parametrize("code", "efd")
def test_extremes_among_infinities_and_nan(size, code):
    """Infinities of both signs without NaN, and one NaN at the start, in the middle, at the end."""
    random = np.random.default_rng(size)
    plain = random.standard_normal(size).astype(code)
    infinite = plain.copy()
    infinite[size // 3], infinite[2 * size // 3] = -np.inf, np.inf
    hosts = [plain, infinite, np.full(size, -np.inf, code), np.full(size, np.nan, code)]
    for place in (0, size // 2, size - 1):
        hosts.append(infinite.copy())
        hosts[-1][place] = np.nan
    for host in hosts:
        device = tb.array(host)
        for name in ("max", "min", "argmax", "argmin", "nanmax", "nanmin"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                want = getattr(np, name)(host)
            np.testing.assert_array_equal(getattr(tb, name)(device).get(), want)
            np.testing.assert_array_equal(getattr(tb, name)(device[::-1][::-1]).get(), want)


@pytest.mark.parametrize("size", [1, 127, 129, 2047, 2049, 4097, 16_385, 300_007])
@pytest.mark.parametrize("code", "eifdD")
def test_computed_values_reduce_as_stored_ones(size, code):
    random = np.random.default_rng(size)
    x, y = (tb.array(random.integers(-9, 9, size).astype(code)) for _ in range(2))
    stored = x * y
    stored.data
    for name in ("sum", "max", "argmin", "any"):
        np.testing.assert_array_equal(getattr(x * y, name)().get(), getattr(stored, name)().get())
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(x.dot(y).get(), np.dot(x.get(), y.get()))


@pytest.mark.parametrize("code", "fdilBeF")
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 6, 7, 8, 9, 11])
def test_few_long_rows(rows, code):
    """Rows far apart, columns of every number that has code of its own; results beside each other and apart."""
    rng = np.random.default_rng(rows)
    host = (rng.integers(0, 100, (3, rows, 9001)) if code in "ilB" else rng.normal(size=(3, rows, 9001))).astype(code)
    if code in "fde":
        host[0, rows // 2, ::7], host[1, 0, 5] = np.nan, np.inf
    device = tb.array(host)
    for part in (np.s_[:], np.s_[:, :, 1:-3], np.s_[1], np.s_[::2]):
        h, d = host[part], device[part]
        axis = h.ndim - 2
        for name in ("sum", "max", "min", "mean", "prod", "argmax") if code not in "eF" else ("sum", "max"):
            with np.errstate(all="ignore"):
                if name == "prod":
                    h, d = h % 3, d % 3
                want = getattr(h, name)(axis)
            close(getattr(d, name)(axis), want, 100.0)
            out = tb.empty((*want.shape, 2), want.dtype)[..., 0]
            getattr(d, name)(axis, out=out)
            close(out, want, 100.0)


@pytest.mark.parametrize("length", [5, 17, 31, 33, 50, 129, 1023])
@pytest.mark.parametrize("code", "?bBefdiqFD")
def test_many_rows_that_begin_anywhere(length, code):
    """Enough elements for a GPU to take rows through shared memory; of neighbours, and of parts that are not."""
    rng = np.random.default_rng(length)
    rows = 600_000 // length
    host = rng.integers(0, 2 if code == "?" else 9, (rows + 1, length)).astype(code)
    if code in "fde":
        host[rng.random(host.shape) < 1 / 256] = np.nan
    device, weight = tb.array(host), (np.arange(length) % 3).astype(code)
    scale, column = tb.array(weight), (np.arange(rows) % 4).astype(code)[:, None]
    for h, d in ((host[1:], device[1:]), (host[:-1, 1:], device[:-1, 1:])):
        for name in ("sum", "max", "argmax", "any", "cumsum") if code not in "FD" else ("sum", "any", "cumsum"):
            close(getattr(d, name)(axis=1), getattr(h, name)(axis=1), 100.0)
    h, d = host[1:], device[1:]
    close((d * scale).sum(axis=1), (h * weight).sum(axis=1), 100.0)
    close((d * scale + tb.array(column)).cumsum(axis=1), (h * weight + column).cumsum(axis=1), 100.0)
    out = tb.zeros((rows, 2 * length), d.cumsum(axis=1).dtype)
    d.cumsum(axis=1, out=out[:, ::2])
    close(out[:, ::2], h.cumsum(axis=1), 100.0)
    assert not out[:, 1::2].any()


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 6, 7, 8, 9])
@pytest.mark.parametrize("code", "fdiBeD")
def test_running_sums_of_narrow_rows(width, code):
    """Down columns, of dense rows, parts of rows, and stacks; in place; longer than what is scanned in one piece."""
    rng = np.random.default_rng(width)
    host = rng.integers(0, 3, (1_060_000 if code in "fi" else 3000, width)).astype(code)
    device = tb.array(host)
    close(device.cumsum(axis=0), host.cumsum(axis=0), 100.0)
    host, device = host[:2997], device[:2997]
    close((device * 2).cumsum(axis=0), (host * 2).cumsum(axis=0), 100.0)
    close(device[::-1, 1:].cumsum(axis=0), host[::-1, 1:].cumsum(axis=0), 100.0)
    if code != "D":
        close((device % 2 + 1)[:9].cumprod(axis=0), (host % 2 + 1)[:9].cumprod(axis=0), 100.0)
    stack = (9, 333, width)
    close(device.reshape(stack).cumsum(axis=1), host.reshape(stack).cumsum(axis=1), 100.0)
    if code in "fdeD":
        device.cumsum(axis=0, out=device)
        close(device, host.cumsum(axis=0), 100.0)


@pytest.mark.parametrize("length", [1, 2, 5, 17, 100, 127, 128, 129, 1000, 5000])
@pytest.mark.parametrize("chance", [0, 0.002, 0.5, 1])
def test_first_truth_of_rows(length, chance):
    host = np.random.default_rng(length).random((3 + 20_000 // length, length)) < chance
    device = tb.array(host)
    for view in (np.s_[:], np.s_[:, ::-1], np.s_[1:, 1:]):
        if host[view].shape[1]:
            close(device[view].argmax(axis=1), host[view].argmax(axis=1))
            close(device[view].argmin(axis=1), host[view].argmin(axis=1))


@pytest.mark.parametrize("name", NAN)
@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_nan_is_passed_over(name, code, axis):
    if code in "FD" and name in ("nanmax", "nanmin", "nanargmax", "nanargmin"):
        pytest.skip("the order of complex NaN is not NumPy's")
    rng = np.random.default_rng(3)
    host = rng.integers(-5, 5, (6, 7)).astype(code)
    host[rng.random((6, 7)) < 0.3] = np.nan
    host[:, 0] = 1
    host[0, :] = 2
    want = getattr(np, name)(host, axis=axis)
    got = getattr(tb, name)(tb.array(host), axis=axis)
    close(got, want, 100.0)
    close(getattr(tb, name)(tb.array(host), axis=axis, keepdims=True),
        getattr(np, name)(host, axis=axis, keepdims=True), 100)


@pytest.mark.parametrize("name", ["max", "min", "sum", "mean", "ptp", "prod", "std"])
def test_nan_spreads(name):
    a = tb.array([1.0, np.nan, 2.0])
    assert np.isnan(getattr(tb, name)(a).item())
    assert tb.argmax(a).item() == 1 and tb.argmin(a).item() == 1
    b = tb.array([[1, 2], [np.nan, 4]], "f")
    np.testing.assert_array_equal(tb.max(b, axis=1).get(), [2, np.nan])


@pytest.mark.parametrize("name", ["nanmean", "nanvar", "nanstd"])
def test_nothing_but_nan(name):
    assert np.isnan(getattr(tb, name)(tb.full(3, np.nan)).item())


@pytest.mark.parametrize("code", "?bBhHiIlLefdFD")
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "max", "min", "var", "cumsum", "cumprod"])
def test_result_dtypes(name, code):
    host = np.ones((2, 3), code)
    want = getattr(np, name)(host, axis=0)
    same(getattr(tb, name)(tb.array(host), axis=0), want)


@pytest.mark.parametrize("code", "bBilfdD")
def test_dtype(code):
    host = np.arange(6, dtype="h").reshape(2, 3)
    for name in ("sum", "prod", "cumsum", "cumprod"):
        same(getattr(tb, name)(tb.array(host), axis=1, dtype=code), getattr(np, name)(host, axis=1, dtype=code))
    if code in "fd":
        for name in ("mean", "var", "std"):
            want = getattr(np, name)(host, axis=1, dtype=code)
            close(getattr(tb, name)(tb.array(host), axis=1, dtype=code), want)


def test_integers_wrap_around():
    host = np.full(1000, 2**62, "l")
    same(tb.sum(tb.array(host)), np.sum(host))
    same(tb.prod(tb.full(70, 3, "l")), np.prod(np.full(70, 3, "l")))
    same(tb.sum(tb.full(300, 255, "B"), dtype="B"), np.sum(np.full(300, 255, "B"), dtype="B"))


def test_out():
    a = np.arange(6.0).reshape(2, 3)
    x = tb.array(a)
    for name in ("sum", "prod", "max", "min", "mean", "var", "std", "ptp"):
        out = tb.empty(3)
        assert getattr(tb, name)(x, 0, out=out) is out
        np.testing.assert_allclose(out.get(), getattr(np, name)(a, 0))
    for name in ("argmax", "argmin"):
        out = tb.empty(3, "l")
        assert getattr(tb, name)(x, 0, out=out) is out
    for name in ("any", "all"):
        out = tb.empty(3, "?")
        assert getattr(tb, name)(x, 0, out=out) is out
    out = tb.empty((2, 3))
    assert tb.cumsum(x, 1, out=out) is out
    np.testing.assert_array_equal(out.get(), np.cumsum(a, 1))
    view = tb.zeros((3, 4))[:, 1]
    tb.sum(x, 0, out=view)
    np.testing.assert_array_equal(view.base.get()[:, 1], a.sum(0))
    tb.cumsum(x, 0, out=x)
    np.testing.assert_array_equal(x.get(), np.cumsum(a, 0))


def test_means_are_of_the_precision_of_out():
    host = np.random.default_rng(1).random((300, 3)).astype("f")
    for code in "dD":
        out = tb.zeros(3, code)
        tb.mean(tb.array(host), 0, out=out)
        np.testing.assert_allclose(out.get(), host.astype(code).mean(0), rtol=1e-14)
    host = host.astype("F") * (1 + 1j)
    tb.mean(tb.array(host), 0, out=out)
    np.testing.assert_allclose(out.get(), host.astype("D").mean(0), rtol=1e-14)


def test_out_errors():
    x = tb.ones((2, 3))
    with pytest.raises(ValueError):
        tb.sum(x, 0, out=tb.empty(2))
    with pytest.raises(TypeError):
        tb.sum(x, 0, out=np.empty(3))
    with pytest.raises(TypeError):
        tb.argmax(x, 0, out=tb.empty(3, "f"))


def test_initial_and_where():
    a = np.arange(6.0).reshape(2, 3)
    x, mask = tb.array(a), np.array([True, False, True])
    m = tb.array(mask)
    for name, initial in (("sum", 10), ("prod", 2), ("max", 3), ("min", 3)):
        close(getattr(tb, name)(x, axis=1, initial=initial), getattr(np, name)(a, axis=1, initial=initial))
        close(getattr(tb, name)(x, axis=1, initial=initial, where=m),
              getattr(np, name)(a, axis=1, initial=initial, where=mask))
    close(tb.sum(x, where=m), np.sum(a, where=mask))
    same(tb.any(x, axis=0, where=m), np.any(a, axis=0, where=mask))
    same(tb.all(x, axis=0, where=m), np.all(a, axis=0, where=mask))
    assert tb.max(tb.empty(0), initial=5).item() == 5
    with pytest.raises(ValueError):
        tb.max(x, where=m)
    with pytest.raises(TypeError):
        tb.sum(x, initial="a")


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "ptp", "nanmax"])
def test_empty_has_no_extreme(name):
    with pytest.raises(ValueError):
        getattr(tb, name)(tb.empty((0, 3)))
    assert getattr(tb, name)(tb.empty((3, 0)), axis=0).shape == (0,)


def test_empty_has_a_sum():
    x = tb.empty((0, 3))
    assert tb.sum(x).item() == 0 and tb.prod(x).item() == 1 and tb.all(x).item() and not tb.any(x).item()
    assert tb.sum(x, axis=0).get().tolist() == [0, 0, 0]
    assert np.isnan(tb.mean(x).item())


@pytest.mark.parametrize("name", ["sum", "max", "argmin", "cumsum", "mean", "any"])
def test_bad_axes(name):
    x = tb.ones((2, 3))
    for axis in (2, -3):
        with pytest.raises(np.exceptions.AxisError):
            getattr(tb, name)(x, axis=axis)
    with pytest.raises(TypeError):
        getattr(tb, name)(x, axis=1.5)
    with pytest.raises(TypeError):
        getattr(tb, name)(x, nope=1)
    with pytest.raises(TypeError):
        getattr(tb, name)([1, 2, 3])
    with pytest.raises(TypeError):
        getattr(tb, name)()


def test_repeated_axis():
    with pytest.raises(ValueError):
        tb.sum(tb.ones((2, 3)), axis=(0, 0))


def test_results_are_arrays():
    r = tb.sum(tb.arange(3))
    assert type(r) is tb.ndarray and r.shape == ()
    assert tb.sum(tb.arange(4).reshape(2, 2), keepdims=True).shape == (1, 1)
    assert tb.sum(a=tb.arange(3), axis=0).item() == 3
    assert tb.sum(5).item() == 5


@pytest.mark.parametrize("name", SCANS)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_scans(name, data):
    host, device = data.draw(arrays())
    if "cumprod" in name and host.dtype == np.float16:
        return
    outcome(name, host, device, axis=data.draw(axes(host.ndim, True)))


@pytest.mark.parametrize("shape, axis", [((100_003,), 0), ((300, 401), 0), ((300, 401), 1), ((17, 33, 65), 1),
    ((9, 999), None)])
@pytest.mark.parametrize("code", "fdl?")
def test_large_scans(shape, axis, code):
    host = np.random.default_rng(2).integers(0, 2, shape).astype(code)
    device = tb.array(host)
    for x, y in ((host, device), (host.T, device.T)):
        along = axis if axis is None else x.ndim - 1 - axis if x is not host else axis
        want = np.cumsum(x, axis=along)
        got = tb.cumsum(y, axis=along)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want, rtol=1e-6)


@pytest.mark.parametrize("code", ["B", "i", "f", "d"])
@pytest.mark.parametrize("shape", [(17_000_003,), (5_000_001, 3), (800_000, 21), (170_000, 100), (300_000, 50)])
def test_scans_of_many_tiles(shape, code):
    """More tiles than a group has, and a section of groups; operands that begin at any element."""
    host = (np.random.default_rng(5).random(np.prod(shape) + 1) < 0.01).astype(code)
    x = tb.array(host)
    for first in (0, 1):
        h, d = host[first:][: host.size - 1].reshape(shape), x[first:][: host.size - 1].reshape(shape)
        for dtype in (code, None) if code in "Bi" else (code,):  # None: results are wider than operands
            np.testing.assert_array_equal(tb.cumsum(d, axis=0, dtype=dtype).get(), np.cumsum(h, axis=0, dtype=dtype))


@pytest.mark.parametrize("code", ["e", "f", "d", "F", "i"])
def test_nan_scans(code):
    a = np.array([[1, np.nan, 3], [np.nan, 5, 6]]) if code != "i" else np.array([[1, 2, 3], [0, 5, 6]])
    a = a.astype(code)
    for name in ("nancumsum", "nancumprod"):
        for axis in (None, 0, 1):
            close(getattr(tb, name)(tb.array(a), axis=axis), getattr(np, name)(a, axis=axis))
        close(getattr(tb, name)(tb.array(a) + 1), getattr(np, name)(a + 1))


def test_cumulative():
    a = np.arange(1, 7.0).reshape(2, 3)
    for name in ("cumulative_sum", "cumulative_prod"):
        for start in (False, True):
            same(getattr(tb, name)(tb.array(a), axis=1, include_initial=start),
                 getattr(np, name)(a, axis=1, include_initial=start))
        with pytest.raises(ValueError):
            getattr(tb, name)(tb.array(a))
        same(getattr(tb, name)(tb.array(a[0])), getattr(np, name)(a[0]))


def test_average():
    a, w = np.arange(6.0).reshape(2, 3), np.array([1.0, 2.0, 3.0])
    close(tb.average(tb.array(a)), np.average(a))
    close(tb.average(tb.array(a), 1, tb.array(w)), np.average(a, 1, w))
    close(tb.average(tb.array(a), 1, tb.array(w), keepdims=True), np.average(a, 1, w, keepdims=True))
    got, scale = tb.average(tb.array(a), 0, returned=True)
    close(got, np.average(a, 0))
    assert scale.get().tolist() == [2, 2, 2]
    close(tb.average(tb.arange(4), weights=tb.arange(4)), np.average(np.arange(4), weights=np.arange(4)))
    with pytest.raises(ZeroDivisionError):
        tb.average(tb.ones(2), weights=tb.zeros(2))
    with pytest.raises((TypeError, ValueError)):
        tb.average(tb.array(a), weights=tb.array(w))


def test_average_takes_arrays_of_numpy():
    host, w = np.arange(6.0).reshape(2, 3), np.arange(6).reshape(2, 3)
    for got, want in zip(tb.average(host, 1, w, True), np.average(host, 1, w, True)):
        close(got, want)


def test_covariance_checks_its_arguments():
    x = tb.arange(6).reshape(2, 3)
    with pytest.raises(ValueError, match="ddof"):
        tb.cov(x, ddof=1.2)
    with pytest.raises(TypeError, match="inexact"):
        tb.cov(x, dtype="i")
    for ddof in (3, 4):
        with pytest.warns(RuntimeWarning, match="freedom"), np.errstate(all="ignore"):
            tb.cov(x, ddof=ddof)
    for m, y in ((tb.ones((1, 1, 1)), None), (x, tb.ones((2, 3, 1)))):
        with pytest.raises(ValueError, match="two dimensions"):
            tb.cov(m, y)


def test_covariance_of_little():
    same(tb.cov(tb.zeros((0, 1), "f")), np.zeros((0, 0)))
    one = np.arange(3.0).reshape(1, 3)
    with pytest.warns(RuntimeWarning, match="freedom"), np.errstate(all="ignore"):
        got = tb.cov(tb.array(one), rowvar=False)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        close(got, np.cov(one, rowvar=False))
    with pytest.raises(ValueError):
        tb.cov(tb.array(one), tb.array(one), rowvar=False)


def test_covariance():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((3, 20)), rng.standard_normal(20)
    for kw in ({}, {"rowvar": False}, {"bias": True}, {"ddof": 0}):
        close(tb.cov(tb.array(a), **kw), np.cov(a, **kw), 10)
    close(tb.cov(tb.array(a[0]), tb.array(b)), np.cov(a[0], b), 10)
    close(tb.corrcoef(tb.array(a)), np.corrcoef(a), 10)
    f, w = np.arange(1, 21), rng.random(20)
    close(tb.cov(tb.array(a), fweights=tb.array(f), aweights=tb.array(w)), np.cov(a, fweights=f, aweights=w), 10)


def test_correction_is_ddof():
    x = tb.arange(5.0)
    assert tb.var(x, correction=1).item() == tb.var(x, ddof=1).item() == 2.5


def test_methods_are_the_functions():
    x = tb.array([[1.0, 5.0], [3.0, 2.0]])
    for name in ("sum", "prod", "max", "min", "mean", "var", "std", "argmax", "argmin", "any", "all", "cumsum",
        "cumprod", "ptp"):
        np.testing.assert_array_equal(getattr(x, name)(axis=1).get(), getattr(tb, name)(x, axis=1).get())


def test_clip():
    a = np.array([-2.0, 0.5, np.nan, 7.0])
    x = tb.array(a)
    same(tb.clip(x, 0, 1), np.clip(a, 0, 1))
    same(tb.clip(x, None, 1), np.clip(a, None, 1))
    same(tb.clip(x, 0, None), np.clip(a, 0, None))
    same(tb.clip(x, min=0, max=1), np.clip(a, 0, 1))
    same(tb.clip(x, tb.array([0.0, 1.0, 2.0, 3.0]), 5), np.clip(a, [0.0, 1.0, 2.0, 3.0], 5))
    same(tb.clip(tb.arange(5), 1, 3), np.clip(np.arange(5), 1, 3))
    same(tb.clip(tb.arange(5, dtype="B"), 1, 3), np.clip(np.arange(5, dtype="B"), 1, 3))
    same(tb.clip(x, 3, 1), np.clip(a, 3, 1))
    out = tb.empty(4)
    assert tb.clip(x, 0, 1, out) is out
    same(out, np.clip(a, 0, 1))
    same(x.clip(0, 1), np.clip(a, 0, 1))


def test_where():
    a = np.arange(6).reshape(2, 3)
    x = tb.array(a)
    same(tb.where(x > 2, x, 0), np.where(a > 2, a, 0))
    same(tb.where(x > 2, x, 0.5), np.where(a > 2, a, 0.5))
    same(tb.where(x > 2, 1, 0), np.where(a > 2, 1, 0))
    same(tb.where(x, x[:, :1], tb.array([1j, 2, 3])), np.where(a, a[:, :1], np.array([1j, 2, 3])))
    same(tb.where(tb.array(True), x, 1), np.where(True, a, 1))
    for got, want in zip(tb.where(x > 2), np.where(a > 2)):
        same(got, want)
    for bad in (lambda: tb.where(x, x), lambda: tb.where(np.ones(2), 1, 2), lambda: tb.where(x, [1], 2)):
        with pytest.raises((ValueError, TypeError)):
            bad()


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_scans_of_one_number_take_an_axis(name):
    for axis in (None, 0, -1):
        np.testing.assert_array_equal(getattr(tb, name)(tb.array(3), axis=axis).get(), [3])


MASKED = ["sum", "prod", "max", "min", "any", "all", "mean", "var", "std", "nansum", "nanmean", "nanvar", "nanstd"]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", MASKED)
@pytest.mark.parametrize("code", "?bLefdFD")
def test_where(name, code):
    rng = np.random.default_rng(3)
    a = rng.integers(0, 2 if code == "?" else 5, (3, 4)).astype(code)
    mask = rng.random((3, 4)) < 0.6
    mask[1] = False
    kw = {"initial": 1} if name in ("max", "min") else {}
    for axis in (None, 0, 1, (0, 1)):
        for keepdims in (False, True):
            want = getattr(np, name)(a, axis=axis, keepdims=keepdims, where=mask, **kw)
            rtol = 2e-3 if code == "e" else 1e-5 if code in "fF" else 1e-12
            got = [getattr(tb, name)(tb.array(a), axis=axis, keepdims=keepdims, where=tb.array(mask), **kw)]
            if not name.startswith("nan"):
                got.append(getattr(tb.array(a), name)(axis=axis, keepdims=keepdims, where=tb.array(mask), **kw))
            for g in got:
                assert g.dtype == want.dtype and g.shape == want.shape
                np.testing.assert_allclose(g.get(), want, rtol=rtol)


def test_where_errors():
    x = tb.ones(3)
    with pytest.raises(TypeError):
        tb.mean(x, where=tb.array([1, 0, 1]))
    with pytest.raises(ValueError):
        tb.sum(x, where=tb.ones((2, 3), bool))
    with pytest.raises(ValueError):
        tb.max(x, where=tb.array([True, False, True]))


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "max", "any", "cumsum", "cumprod"])
@pytest.mark.parametrize("code", "?bildD")
@pytest.mark.parametrize("to", "bifdD")
def test_out_of_another_kind(name, code, to):
    a = np.arange(1, 7).reshape(2, 3).astype(code)
    want, out = np.zeros((2, 3) if name.startswith("cum") else 3, to), None
    out = tb.array(want)
    getattr(np, name)(a, axis=0, out=want)
    assert getattr(tb, name)(tb.array(a), axis=0, out=out) is out
    np.testing.assert_allclose(out.get(), want, rtol=1e-6)


def test_out_decides_what_is_summed_in():
    threes = np.full(100, 3)
    assert tb.prod(tb.array(threes), out=tb.zeros(())).item() == pytest.approx(3.0**100, rel=1e-13)
    assert tb.sum(tb.full(3, 100, "b"), out=tb.zeros((), "b")).item() == np.int8(300 - 256)


def test_complex_to_real_warns():
    z = tb.array([1 + 1j, 2])
    for call in (lambda: z.sum(out=tb.zeros(())), lambda: z.sum(dtype="f"), lambda: z.mean(dtype="d"),
                 lambda: tb.cumsum(z, out=tb.zeros(2)), lambda: z.var(dtype="d")):
        with pytest.warns(np.exceptions.ComplexWarning):
            call()


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("name", ["mean", "var", "std"])
@pytest.mark.parametrize("code", "ifdFD")
@pytest.mark.parametrize("dtype", "fdFD")
def test_mean_and_var_dtypes(name, code, dtype):
    a = np.array([1.5, 2.5, -3]).astype(code) * (1 + 1j if code in "FD" else 1)
    a = a.astype(code)
    want = getattr(np, name)(a, dtype=dtype)
    got = getattr(tb, name)(tb.array(a), dtype=dtype)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, rtol=1e-5)


def test_mean_in_integers():
    assert tb.mean(tb.array([1.5, 2.5]), dtype=int).item() == np.mean([1.5, 2.5], dtype=int) == 1


def test_axes_of_zero_dimensions():
    x = tb.array(3.0)
    assert tb.sum(x, axis=0).item() == 3
    for name in ("mean", "var", "std", "average"):
        with pytest.raises(np.exceptions.AxisError):
            getattr(tb, name)(x, axis=0)


def test_nan_reductions_need_a_dtype_with_nan():
    x = tb.array([1, np.nan])
    for name in ("nanmean", "nanvar", "nanstd"):
        with pytest.raises(TypeError):
            getattr(tb, name)(x, dtype=int)
        with pytest.raises(TypeError):
            getattr(tb, name)(x, out=tb.zeros((), int))
    assert tb.nanvar(tb.array([1, 2, np.nan, 4]), correction=1).item() == pytest.approx(np.var([1, 2, 4], ddof=1))


@pytest.mark.parametrize("n", [63, 64, 65, 4200, 9000])
def test_truth_values_that_are_decided_late(n):
    """One element that differs, anywhere in a row or nowhere; an exclusive or is never decided."""
    rng = np.random.default_rng(n)
    rows = np.zeros((40, n), bool)
    rows[np.arange(39), rng.integers(0, n, 39)] = True
    for host in (rows, ~rows):
        for name in ("any", "all", "max", "min", "argmax", "argmin"):
            same(getattr(tb, name)(tb.array(host), axis=1), getattr(np, name)(host, axis=1))
        same(tb.bitwise_xor.reduce(tb.array(host), 1), np.bitwise_xor.reduce(host, 1))


def test_questions_that_integers_answer_without_being_read():
    host = np.arange(60, dtype="i").reshape(5, 12)
    for h, d in ((host[:, ::2], tb.array(host)[:, ::2]), (host.T, tb.array(host).T), (host[:0], tb.array(host)[:0])):
        for name in ("isnan", "isinf", "isfinite"):
            want, got = getattr(np, name)(h), getattr(tb, name)(d)
            same(got, want)
            assert got.strides == want.strides or h.size == 0
            same(getattr(tb, name)(d).sum(0), want.sum(0))
            same(~getattr(tb, name)(d), ~want)


@pytest.mark.parametrize("code", "bBhHiIlL")
@pytest.mark.parametrize("name", ["min", "max", "sum", "argmin"])
def test_negated_integers(code, name):
    """Compilers merge a negation with what follows, not always rightly."""
    host = np.random.default_rng(1).integers(0, 19, (3000, 2)).astype(code)
    device = tb.array(host)
    least = lambda a: np.minimum(np.minimum(a, -a[::-1]), -a)
    for f in (lambda a: -a, lambda a: -(-a >> 5), lambda a: -abs(-a), least):
        want, got = getattr(np, name)(f(host)), getattr(tb, name)(f(device))
        assert got.dtype == want.dtype and got.item() == want
        assert (getattr(tb, name)(f(device), axis=0).get() == getattr(np, name)(f(host), axis=0)).all()


@pytest.mark.parametrize("name", ["nanargmax", "nanargmin"])
@pytest.mark.parametrize("code", "efdFD")
def test_nothing_but_nan_is_nowhere(name, code):
    host = np.full((5, 300), np.nan).astype(code)
    host[1, 7], host[2, 299], host[3] = 1, 2, np.arange(300)
    want = [-1, 7, 299, 299 if name == "nanargmax" else 0, -1]
    for rows in (tb.array(host), tb.array(host) * 1, tb.asfortranarray(tb.array(host))):
        got = getattr(tb, name)(rows, axis=1)
        assert got.dtype == np.int64 and got.tolist() == want
        assert getattr(tb, name)(rows, axis=1, keepdims=True).tolist() == [[i] for i in want]
        out = tb.zeros(5, int)
        assert getattr(tb, name)(rows, axis=1, out=out) is out and out.tolist() == want
        assert getattr(tb, name)(rows[0]).item() == -1 and getattr(tb, name)(rows[1]).item() == 7
    with pytest.raises(ValueError):
        getattr(tb, name)(tb.zeros(0, code))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
def test_spreads_about_a_known_mean(name, data):
    host, device = data.draw(arrays("? b I l f d F D".split(), max_dims=3))
    axis = data.draw(axes(host.ndim))
    kw = {"axis": axis, "ddof": data.draw(st.sampled_from([0, 0, 1])), "keepdims": data.draw(st.booleans())}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        mean = np.mean(host, axis=axis, keepdims=True) + data.draw(st.sampled_from([0, 1]))
        want = getattr(np, name)(host, mean=mean, **kw)
        mask = np.asarray(np.random.default_rng(7).random(host.shape) < 0.6)
        some = getattr(np, name)(host, mean=mean, where=mask, **kw)
    close(getattr(tb, name)(device, mean=tb.asarray(mean), **kw), want, 100.0)
    close(getattr(tb, name)(device, mean=tb.asarray(mean), where=tb.asarray(mask), **kw), some, 100.0)
    if name in ("var", "std"):
        close(getattr(device, name)(mean=tb.asarray(mean), **kw), want, 100.0)


@pytest.mark.parametrize("code", "FD")
@pytest.mark.parametrize("value", [complex(*z) for z in [(np.inf, 1), (1, -np.inf), (np.inf, np.inf), (np.nan, 1)]])
def test_complex_means_are_complex_quotients(value, code):
    """The imaginary part of an infinity over 3 + 0j is NaN."""
    for a in (np.array([value], code), np.array([[value, 1], [2, 3]], code)):
        with np.errstate(all="ignore"):
            for kw in ({}, {"axis": 0}, {"where": np.ones(a.shape, bool)}):
                ours = {k: tb.asarray(v) if isinstance(v, np.ndarray) else v for k, v in kw.items()}
                close(tb.mean(tb.asarray(a), **ours), np.mean(a, **kw))
            close(tb.pad(tb.asarray(a), 1, "mean"), np.pad(a, 1, "mean"))


@pytest.mark.skipif(tb.config.backend() != "cpu", reason="on a GPU lanes meet elements in an order of their own")
@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
@pytest.mark.parametrize("shape", [(1,), (7,), (300,), (40, 50), (3, 70), (5, 4, 6)])
def test_the_first_of_several_complex_nans(name, shape):
    """Nothing can be compared with NaN, and the one that is met first stays; fmax and fmin have it where all is NaN."""
    some = [1 + 1j, complex(np.nan, 1), complex(np.nan, 2), complex(1, np.nan), complex(3, np.nan), 2]
    for seed in range(12):
        rng = np.random.default_rng(seed)
        a = rng.choice(np.array(some[1:5] if seed % 3 == 0 else some), shape).astype("FD"[seed % 2])
        a = np.asfortranarray(a) if seed % 4 == 1 else a[::-1] if seed % 4 == 2 else a
        d, ours, theirs = tb.asarray(a), getattr(tb, name), getattr(np, name)
        for axis in range(a.ndim):
            for got, want in ((ours.reduce(d, axis).get(), theirs.reduce(a, axis)),
                              (ours.accumulate(d, axis).get(), theirs.accumulate(a, axis))):
                np.testing.assert_array_equal(got.real, want.real)
                np.testing.assert_array_equal(got.imag, want.imag)


@pytest.mark.parametrize("length", [1, 7, 8, 63, 64, 65, 300, 5000])
def test_rows_of_truth_values_are_decided_by_the_first_ones(length):
    """Early, late, not at all; rows that follow one another and others, many of them and few."""
    rng = np.random.default_rng(length)
    for rows in (1, 3, 200, 9000 if length < 100 else 40):
        host = np.zeros((2, rows, length), bool)
        for where in (0, length // 2, length - 1, None):
            host[...] = False
            if where is not None:
                host[..., where] = rng.random((2, rows)) < 0.9
            for a in (host, ~host, host[:, ::2], host[1], host[..., ::-1], host.transpose(2, 0, 1)):
                view = tb.array(a, order="K")
                for name in ("any", "all", "max", "min", "argmax", "argmin"):
                    same(getattr(view, name)(axis=-1), getattr(a, name)(axis=-1))
                same(view.any(axis=-1, keepdims=True), a.any(axis=-1, keepdims=True))
        view = tb.array(host)[:, ::2]
        same(view.any(-1), host[:, ::2].any(-1))
    odd = tb.array(np.full((4, 70), 2, "u1")).view(bool)
    assert odd.all(axis=1).all() and (odd.argmin(axis=1) == 0).all()
