"""Fourier transforms against NumPy's: dtypes, axes, lengths, norms, layouts; the plan cache; pending inputs."""

import os
import subprocess
import sys

import numpy as np
import pytest
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import DTYPES, layouts

COMPLEX = ["fft", "ifft"]
REAL = ["rfft", "ihfft"]
HALF = ["irfft", "hfft"]
NORMS = [None, "backward", "ortho", "forward"]
SINGLE = "efF"


def close(got, want, single):
    want = np.asarray(want)
    assert type(got) is tb.ndarray
    assert got.shape == want.shape
    assert got.dtype.kind == want.dtype.kind
    assert got.dtype.itemsize == (8 if want.dtype.kind == "c" else 4) * (1 if single else 2)
    scale = np.abs(want).max(initial=1.0)
    np.testing.assert_allclose(got.get(), want, 0, scale * (1e-5 if single else 1e-13))


def numbers(code, shape, seed=0):
    rng = np.random.default_rng(seed)
    if code in "FD":
        return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(code)
    if code in "efd":
        return rng.normal(size=shape).astype(code)
    return rng.integers(0, 2 if code == "?" else 9, shape).astype(code)


def exact(a):
    """What NumPy is to transform: it has no float16, and no need to be compared in single precision."""
    return a.astype("D" if a.dtype.kind == "c" else "d")


def outcome(call):
    try:
        return call()
    except Exception as e:
        return e


def compare(ours, theirs, single):
    want, got = outcome(theirs), outcome(ours)
    if isinstance(want, Exception):
        assert isinstance(got, Exception), f"no exception where NumPy raises {want!r}"
        assert isinstance(got, type(want)) or isinstance(want, type(got)), f"{got!r} where NumPy raises {want!r}"
    else:
        assert not isinstance(got, Exception), f"{got!r} where NumPy has a result"
        close(got, want, single)


def usable(code, names):
    return [n for n in names if code not in "FD" or not n.startswith(("rfft", "ihfft"))]


@st.composite
def inputs(draw, min_dims=1):
    code = draw(st.sampled_from(DTYPES))
    shape = draw(st.lists(st.integers(0, 7), min_size=min_dims, max_size=4).map(tuple))
    host = numbers(code, shape, draw(st.integers(0, 99)))
    layout = draw(layouts(host.ndim))
    return code, layout(host), layout(tb.array(host))


@settings(max_examples=400)
@given(data=st.data())
def test_one_axis(data):
    code, a, x = data.draw(inputs(min_dims=0))
    name = data.draw(st.sampled_from(usable(code, COMPLEX + REAL + HALF)))
    n = data.draw(st.none() | st.integers(-2, 12))
    axis = data.draw(st.integers(-a.ndim - 1, a.ndim))
    norm = data.draw(st.sampled_from(NORMS))
    compare(lambda: getattr(tb.fft, name)(x, n, axis, norm),
            lambda: getattr(np.fft, name)(exact(a), n, axis, norm), code in SINGLE)


@settings(max_examples=400)
@given(data=st.data())
def test_several_axes(data):
    code, a, x = data.draw(inputs())
    name = data.draw(st.sampled_from(usable(code, ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2",
                                                   "irfft2"])))
    axes = data.draw(st.lists(st.integers(-a.ndim, a.ndim - 1), min_size=1, max_size=4).map(tuple))
    s = data.draw(st.none() | st.lists(st.integers(1, 8), min_size=len(axes), max_size=len(axes)))
    norm = data.draw(st.sampled_from(NORMS))
    compare(lambda: getattr(tb.fft, name)(x, s, axes, norm),
            lambda: getattr(np.fft, name)(exact(a), s, axes, norm), code in SINGLE)


@pytest.mark.parametrize("name", ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"])
def test_axes_are_chosen_as_numpy_does(name):
    a = numbers("d", (3, 4, 5))
    x = tb.array(a)
    close(getattr(tb.fft, name)(x), getattr(np.fft, name)(a), False)
    close(getattr(tb.fft, name)(x, (4, -1), (0, 1)), getattr(np.fft, name)(a, (4, -1), (0, 1)), False)
    with pytest.raises(ValueError, match="different lengths"):
        getattr(tb.fft, name)(x, (4, 4), (0,))


@pytest.mark.parametrize("shape", [(3, 1), (4, 5, 1), (2, 1, 1), (1, 1)])
def test_a_halved_axis_of_one_point(shape):
    """cuFFT leaves such axes out, and would halve the one before."""
    rng = np.random.default_rng(0)
    real, x = rng.standard_normal(shape), rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    axes = range(x.ndim)
    close(tb.fft.rfftn(tb.array(real)), np.fft.rfftn(real), False)
    close(tb.fft.irfftn(tb.array(x), shape, axes), np.fft.irfftn(x, shape, axes), False)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
def test_lengths_without_axes_are_the_last_ones(name):
    a = numbers("d", (3, 4, 5))
    with pytest.warns(DeprecationWarning):
        got = getattr(tb.fft, name)(tb.array(a), (2, 6))
    close(got, getattr(np.fft, name)(a, (2, 6), (-2, -1)), False)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 16, 97, 101, 210, 1024, 1009, 4099])
@pytest.mark.parametrize("code", ["f", "d", "F", "D"])
def test_lengths(n, code):
    a = numbers(code, n)
    for name in usable(code, COMPLEX + REAL + HALF):
        if name in HALF and n == 1:
            continue
        close(getattr(tb.fft, name)(tb.array(a)), getattr(np.fft, name)(exact(a)), code in SINGLE)


@pytest.mark.parametrize("code", "fd")
@pytest.mark.parametrize("shape, axes", [((4,), (0,)), ((6, 4), (0, 1)), ((3, 4, 5), (1,)), ((2, 4, 6), (0, 2)),
                                         ((7,), (0,))])
def test_frequencies_without_phase_are_not_negative_zeros(code, shape, axes):
    """As in NumPy, so that the angle of a negative real number is pi."""
    x = numbers(code, shape)
    for f in (tb.fft.fftn, tb.fft.ifftn):
        got = f(tb.array(x), axes=axes).get()
        places = [range(n) if d not in axes else [0] if n % 2 else [0, n // 2] for d, n in enumerate(shape)]
        real = got[np.ix_(*places)]
        assert (np.abs(real.imag) < 1e-6 * np.abs(real.real).max()).all()
        assert not np.signbit(real.imag[real.imag == 0]).any() and (real.imag == 0).any()
    assert str(tb.fft.fft(tb.array([1.0, 2.0, 3.0, 4.0]))) == str(np.fft.fft([1.0, 2.0, 3.0, 4.0]))


def test_many_axes():
    a = numbers("F", (2, 3, 2, 3, 2))
    x = tb.array(a)
    close(tb.fft.fftn(x), np.fft.fftn(exact(a)), True)
    close(tb.fft.ifftn(x, axes=(4, 0, 2, 1)), np.fft.ifftn(exact(a), axes=(4, 0, 2, 1)), True)
    close(tb.fft.rfftn(x.real), np.fft.rfftn(exact(a.real)), True)
    close(tb.fft.irfftn(x), np.fft.irfftn(exact(a)), True)
    close(tb.fft.fftn(x, axes=()), a, True)


def test_out():
    a = numbers("D", (4, 6))
    x, out = tb.array(a), tb.empty((4, 6), "D")
    assert tb.fft.fft(x, out=out) is out
    close(out, np.fft.fft(a), False)
    assert tb.fft.fft(x, out=x) is x
    close(x, np.fft.fft(a), False)
    every_other = tb.zeros((4, 12), "D")
    tb.fft.ifftn(tb.array(a), out=every_other[:, ::2])
    close(every_other[:, ::2], np.fft.ifftn(a), False)
    np.testing.assert_array_equal(every_other[:, 1::2].get(), 0)
    for name in ("rfft", "ihfft", "irfft", "hfft"):
        v = tb.array(a.real)
        want = getattr(np.fft, name)(a.real)
        out = tb.empty(want.shape, want.dtype)
        assert getattr(tb.fft, name)(v, out=out) is out
        close(out, want, False)
    with pytest.raises(ValueError):
        tb.fft.fft(x, out=tb.empty((4, 5), "D"))
    with pytest.raises(TypeError):
        tb.fft.fft(x, out=tb.empty((4, 6), "d"))


def test_the_input_stays():
    for code in "dD":
        a = numbers(code, (5, 6))
        x = tb.array(a)
        for name in usable(code, ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "rfftn", "irfftn"]):
            getattr(tb.fft, name)(x).get()
            np.testing.assert_array_equal(x.get(), a)


def test_pending_inputs_and_what_follows(deferral):
    v = numbers("F", 256)
    x = tb.array(v)
    y = x * 0.5 + 1
    close(tb.fft.fft(y), np.fft.fft(exact(v) * 0.5 + 1), True)
    close(tb.fft.ifft(tb.fft.fft(x) * 0.5).real, v.real * 0.5, True)
    np.testing.assert_allclose(y.get(), v * 0.5 + 1, 1e-6)
    z = tb.fft.fft(x)
    x[...] = 0
    close(z, np.fft.fft(exact(v)), True)
    z += 1
    close(z, np.fft.fft(exact(v)) + 1, True)


def test_results_outlive_their_inputs():
    results = [tb.fft.fft(tb.full(1000, i, "F")) for i in range(50)]
    for i, r in enumerate(results):
        assert r[0].item() == 1000 * i
        assert abs(r[1:]).max().item() < 1e-3 * (i + 1)


def test_special_values():
    a = np.array([1.0, np.nan, np.inf, -1.0])
    with np.errstate(invalid="ignore"):
        want = np.fft.fft(a)
    np.testing.assert_array_equal(np.isnan(tb.fft.fft(tb.array(a)).get()), np.isnan(want))
    huge = np.full(4, 1e300)
    close(tb.fft.fft(tb.array(huge)), np.fft.fft(huge), False)


def test_broadcast_and_fields():
    a = numbers("d", 6)
    wide = tb.broadcast_to(tb.array(a), (3, 6))
    close(tb.fft.fft(wide), np.fft.fft(np.broadcast_to(a, (3, 6))), False)
    close(tb.fft.fft(wide, axis=0), np.fft.fft(np.broadcast_to(a, (3, 6)), axis=0), False)
    records = np.zeros(5, [("x", "F"), ("y", "f")])
    records["x"] = numbers("F", 5)
    close(tb.fft.fft(tb.array(records)["x"]), np.fft.fft(exact(records["x"])), True)


def test_bad_input():
    x = tb.ones((3, 4))
    for call, error, text in [
        (lambda: tb.fft.fft(x, 0), ValueError, r"Invalid number of FFT data points \(0\)"),
        (lambda: tb.fft.fft(x, axis=2), np.exceptions.AxisError, "axis 2"),
        (lambda: tb.fft.fftn(x, axes=(0, -3)), np.exceptions.AxisError, "axis -3"),
        (lambda: tb.fft.fft(x, norm="backwards"), ValueError, "Invalid norm value backwards"),
        (lambda: tb.fft.hfft(x, norm=[]), ValueError, "Invalid norm value"),
        (lambda: tb.fft.rfft(x * 1j), TypeError, "complex128"),
        (lambda: tb.fft.irfft(tb.ones(1)), ValueError, r"data points \(0\)"),
        (lambda: tb.fft.fft(tb.ones(0)), ValueError, r"data points \(0\)"),
        (lambda: tb.fft.fft(x, 1.5), TypeError, "integer"),
        (lambda: tb.fft.fft([1, 2]), TypeError, "Unsupported type"),
        (lambda: tb.fft.fft(np.ones(3)), TypeError, "Unsupported type"),
        (lambda: tb.fft.rfftn(x, axes=()), ValueError, "at least one axis"),
        (lambda: tb.fft.fft(x, 2**62), ValueError, None),
    ]:
        with pytest.raises(error, match=text):
            call()
    close(tb.fft.fft(tb.ones(4)), np.array([4, 0, 0, 0j]), False)


@pytest.mark.parametrize("n", [1, 2, 5, 8, 9])
def test_frequencies(n):
    for d in (1.0, 0.25, 3):
        np.testing.assert_array_equal(tb.fft.fftfreq(n, d).get(), np.fft.fftfreq(n, d))
        np.testing.assert_array_equal(tb.fft.rfftfreq(n, d).get(), np.fft.rfftfreq(n, d))
    for name in ("fftfreq", "rfftfreq"):
        for code in "efd":
            got = getattr(tb.fft, name)(9, 0.3, dtype=code)
            assert got.dtype == code
            np.testing.assert_array_equal(got.get(), getattr(np.fft, name)(9, 0.3).astype(code))
        for code in "iFD?":
            with pytest.raises(TypeError, match="dtype"):
                getattr(tb.fft, name)(9, dtype=code)
        for device in (None, tb.cuda.Device(), 0):
            got = getattr(tb.fft, name)(n, device=device)
            assert got.device == tb.cuda.Device()
            np.testing.assert_array_equal(got.get(), getattr(np.fft, name)(n))
        with pytest.raises(ValueError, match="device"):
            getattr(tb.fft, name)(n, device="gpu")
        with pytest.raises(ValueError):
            getattr(tb.fft, name)(2.5)
        with pytest.raises(ZeroDivisionError):
            getattr(tb.fft, name)(0)


@settings(max_examples=60)
@given(data=st.data())
def test_shifts(data):
    _, a, x = data.draw(inputs())
    axes = data.draw(st.none() | st.lists(st.integers(-a.ndim, a.ndim - 1), max_size=3))
    for name in ("fftshift", "ifftshift"):
        np.testing.assert_array_equal(getattr(tb.fft, name)(x, axes).get(), getattr(np.fft, name)(a, axes))


# ---- plans -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def cache():
    cache = tb.fft.config.get_plan_cache()
    size, memsize = cache.get_size(), cache.get_memsize()
    cache.clear()
    yield cache
    cache.set_size(size)
    cache.set_memsize(memsize)
    cache.clear()


def test_limits_of_the_cache(cache, capsys):
    assert (cache.get_size(), cache.get_memsize(), cache.get_curr_size(), cache.get_curr_memsize()) == (16, -1, 0, 0)
    cache.set_size(3)
    cache.set_memsize(1 << 30)
    assert (cache.get_size(), cache.get_memsize()) == (3, 1 << 30)
    for n in range(2, 12):
        tb.fft.fft(tb.ones(n))
    assert cache.get_curr_size() == (0 if tb.config.backend() == "cpu" else 3)
    cache.show_info()
    assert "at most: 3" in capsys.readouterr().out
    tb.fft.config.show_plan_cache_info()
    assert "device 0" in capsys.readouterr().out
    tb.fft.config.clear_plan_cache()
    assert cache.get_curr_size() == 0
    with pytest.raises(ValueError):
        cache.set_size(-2)
    with pytest.raises(ValueError):
        cache.set_memsize(-2)


def test_calls_keep_no_memory(cache):
    x = tb.ones((2, 60), "F")
    pool = tb.get_default_memory_pool() if hasattr(tb, "get_default_memory_pool") else None

    def calls(times):
        for i in range(times):
            tb.fft.fft(x, 5 + i % 40)
        tb.cuda.Device().synchronize()

    calls(100)
    used, plans = pool and pool.used_bytes(), cache.get_curr_size()
    calls(2000 if tb.config.backend() != "cpu" else 10000)
    assert (pool and pool.used_bytes(), cache.get_curr_size()) == (used, plans)


@pytest.mark.parametrize("name, most", [
    ("ifft(fft(v) * 0.5).real * 2", 4), ("ifft(fft(v) * 0.5).real.sum()", 4), ("ifft(v) * 2 + 1", 2),
    ("fft2(v * 2, norm='forward') * 3", 3), ("abs(fft(v)) ** 2", 2),
])
def test_kernels_around_transforms(name, most):
    """The scale is part of a kernel behind the transform, where there is one, also for a part of the result."""
    names = {"v": tb.array(numbers("F", (128, 128))), **vars(tb.fft)}
    with tb.config.fusion("all"):
        eval(name, names)
        tb.cuda.Device().synchronize()
        before = tb.config.counters()["launches"]
        y = eval(name, names)
        tb.cuda.Device().synchronize()
        assert tb.config.counters()["launches"] - before == most
    np.testing.assert_allclose(y.get(), eval(name, {"v": names["v"].get(), **vars(np.fft)}), 1e-3, 1e-3)


def test_scipy_without_what_its_functions_come_down_to():
    """The library calls a private module of SciPy's where it is, and the public functions otherwise."""
    code = """
import sys
import numpy as np
import scipy.fft
sys.modules["scipy.fft._pocketfft.pypocketfft"] = None
import tombac as tb
x = np.random.default_rng(1).normal(size=(3, 4, 6))
for norm in ("backward", "ortho", "forward"):
    for name in ("fft", "ifft", "fftn", "ifftn", "rfft", "rfftn", "irfft", "irfftn"):
        got, want = (getattr(m.fft, name)(m.array(x) * 1, norm=norm) for m in (tb, np))
        np.testing.assert_allclose(got.get(), want, 0, 1e-12)
    from tombacx.scipy import fft
    for name in ("dct", "idct", "dst", "idst", "dctn", "dstn"):
        for kind in (1, 2, 3, 4):
            got, want = (getattr(m, name)(a * 1, kind, norm=norm) for m, a in ((fft, tb.array(x)), (scipy.fft, x)))
            np.testing.assert_allclose(got.get(), want, 0, 1e-12)
"""
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"TOMBAC_BACKEND": "cpu"})
