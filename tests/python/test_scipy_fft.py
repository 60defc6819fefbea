"""tombacx.scipy.fft and fftpack against SciPy: transforms, cosine and sine transforms, Hankel transforms, plans."""

import threading

import numpy as np
import pytest
import tombac as tb
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tombac.cuda import cufft
from tombacx.scipy import fft as tf
from tombacx.scipy import fftpack as tp

sf = pytest.importorskip("scipy.fft")
sp = pytest.importorskip("scipy.fftpack")

ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL = [name + form for name in ONE for form in ("2", "n")]
NORMS = [None, "backward", "ortho", "forward"]
TRIGONOMETRIC = ["dct", "dst", "idct", "idst"]


def numbers(code, shape, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=shape) + (1j * rng.normal(size=shape) if code in "FD" else 0)).astype(code)


def close(got, want):
    want = np.asarray(want)
    assert type(got) is tb.ndarray
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    single = want.dtype.char in "fF"
    np.testing.assert_allclose(got.get(), want, 0, np.abs(want).max(initial=1) * (2e-5 if single else 1e-12))


def compare(ours, theirs):
    try:
        want = theirs()
    except Exception as e:
        with pytest.raises((type(e), ValueError)):
            ours()
        return
    close(ours(), want)


@settings(max_examples=150)
@given(data=st.data())
def test_transforms(data):
    name = data.draw(st.sampled_from(ONE + SEVERAL))
    code = data.draw(st.sampled_from("fd" if name.startswith(("rfft", "ihfft")) else "fdFD"))
    shape = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple))
    a = numbers(code, shape)
    x = tb.array(a)
    norm = data.draw(st.sampled_from(NORMS))
    if name in ONE:
        n, axis = data.draw(st.none() | st.integers(1, 8)), data.draw(st.integers(-len(shape), len(shape) - 1))
        compare(lambda: getattr(tf, name)(x, n, axis, norm), lambda: getattr(sf, name)(a, n, axis, norm))
    else:
        axes = data.draw(st.lists(st.integers(-len(shape), len(shape) - 1), min_size=1, max_size=3))
        s = data.draw(st.none() | st.lists(st.integers(1, 8), min_size=len(axes), max_size=len(axes)))
        if name.startswith(("irfft", "hfft")) and not s and shape[axes[-1]] == 1:
            return  # to no points: SciPy has a result nevertheless
        compare(lambda: getattr(tf, name)(x, s, axes, norm), lambda: getattr(sf, name)(a, s, axes, norm))


@pytest.fixture(params=["library", "transforms"])
def way(request, monkeypatch):
    """Cosine and sine transforms as the CPU has them, and by Fourier transforms, as other backends do."""
    if request.param == "transforms":
        monkeypatch.setattr(tf._real, "_by_library", lambda *arguments: None)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_cosines_and_sines(way, data):
    name, kind = data.draw(st.sampled_from(TRIGONOMETRIC)), data.draw(st.sampled_from([1, 2, 3, 4]))
    shape = data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=2).map(tuple))
    a = numbers(data.draw(st.sampled_from("fdFD")), shape)
    n, axis = data.draw(st.none() | st.integers(1, 12)), data.draw(st.integers(-len(shape), len(shape) - 1))
    norm = data.draw(st.sampled_from(NORMS))
    x = tb.array(a)
    compare(lambda: getattr(tf, name)(x, kind, n, axis, norm), lambda: getattr(sf, name)(a, kind, n, axis, norm))


@pytest.mark.parametrize("name", TRIGONOMETRIC)
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_cosines_and_sines_over_axes(way, name, kind, norm):
    a = numbers("d", (4, 5, 6))
    x = tb.array(a)
    several = name + "n"
    close(getattr(tf, several)(x, kind, norm=norm), getattr(sf, several)(a, kind, norm=norm))
    close(getattr(tf, several)(x[::-1, ::2], kind, (3, 7), (0, 2), norm),
          getattr(sf, several)(a[::-1, ::2], kind, (3, 7), (0, 2), norm))


@pytest.mark.parametrize("n", [101, 1024, 1009])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_long_cosines_and_sines(way, n, kind):
    a = numbers("d", n)
    for name in TRIGONOMETRIC:
        close(getattr(tf, name)(tb.array(a), kind), getattr(sf, name)(a, kind))
    close(tf.dct(tb.array(a.astype("e")), kind), sf.dct(a.astype("e").astype("f"), kind))
    close(tf.dct(tb.arange(n), kind), sf.dct(np.arange(n), kind))


@pytest.mark.parametrize("ends", [False, True, None])
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "dst", "idct", "idst"])
def test_ends_of_orthonormal_transforms(name, kind, norm, ends):
    x = np.random.default_rng(kind).standard_normal((3, 5))
    options = {"norm": norm, "orthogonalize": ends, "workers": 2}
    close(getattr(tf, name)(tb.array(x), kind, **options), getattr(sf, name)(x, kind, **options))
    close(getattr(tf, name + "n")(tb.array(x), kind, **options), getattr(sf, name + "n")(x, kind, **options))


def test_workers_are_accepted():
    x = np.random.default_rng(0).standard_normal((4, 6))
    for name in ("fft", "ifft2", "rfftn", "irfft", "hfft", "ihfft2"):
        close(getattr(tf, name)(tb.array(x), workers=2), getattr(sf, name)(x, workers=2))


def test_cosines_of_views_and_of_no_elements(way):
    a = numbers("F", (6, 8, 5))
    x = tb.array(a)
    for name in TRIGONOMETRIC:
        for view in (np.s_[::-1], np.s_[:, ::-3], np.s_[1:4, :, ::2]):
            close(getattr(tf, name)(x[view], 2, axis=1), getattr(sf, name)(a[view], 2, axis=1))
        close(getattr(tf, name)(x.T, 3, 7, 0), getattr(sf, name)(a.T, 3, 7, 0))
        close(getattr(tf, name)(x.real + 1, 4), getattr(sf, name)(a.real + 1, 4))
        close(getattr(tf, name)(x[:0].real, 2), np.empty((0, 8, 5), "f"))
    assert (x.get() == a).all()


@pytest.mark.skipif(tb.config.backend() != "cpu", reason="the CPU's library has them")
def test_cosines_are_one_call_of_the_library():
    x = tb.array(numbers("d", (8, 16)))
    tf.dctn(x)
    before = tb.config.counters()["launches"]
    tf.dctn(x, 4, norm="ortho")
    assert tb.config.counters()["launches"] == before + 1
    for kind, error in ((12, ValueError), (-1, ValueError), (5, TypeError)):
        with pytest.raises(error):
            tb._core._fft(x * 1j, kind, None, (0,), None, None)


@pytest.mark.parametrize("n", [9, 10])
@pytest.mark.parametrize("bias", [0.0, 0.8, -0.5])
@pytest.mark.parametrize("mu", [0.3, 0.5, -1.2])
def test_hankel(n, bias, mu):
    a = numbers("d", (3, n))
    for offset in (0.0, 0.1, sf.fhtoffset(0.4, mu, 0.0, bias)):
        for name in ("fht", "ifht"):
            want = getattr(sf, name)(a, 0.4, mu, offset, bias)
            np.testing.assert_allclose(getattr(tf, name)(tb.array(a), 0.4, mu, offset, bias).get(), want, 1e-8)
    for code in "ef":
        for name in ("fht", "ifht"):
            got, want = (getattr(m, name)(x, 0.4, mu, 0.0, bias)
                         for m, x in ((tf, tb.array(a.astype(code))), (sf, a.astype(code))))
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got.get(), want, 0, (1e-12 if bias else 1e-5) * np.abs(want).max())
    with pytest.raises(TypeError):
        tf.fht(tb.array(a * 1j), 0.4, mu)


@pytest.mark.parametrize("name", ["dct", "dst", "idct", "idst"])
@pytest.mark.parametrize("wrong", [
    {"axis": 2}, {"axis": -3}, {"type": 0}, {"type": 5}, {"type": "2"}, {"type": 1.5}, {"type": 1, "n": 1}, {"n": 0},
    {"n": -1}, {"n": 2.5}, {"norm": "wrong"}, {"axis": 1.5}], ids=str)
def test_cosine_transforms_refuse_as_scipys(name, wrong):
    a = np.arange(6.0).reshape(2, 3)
    try:
        want = getattr(sf, name)(a, **wrong)
    except Exception as e:
        kind = next(k for k in (IndexError, RuntimeError, TypeError, ValueError) if isinstance(e, k))
        with pytest.raises(kind):
            getattr(tf, name)(tb.array(a), **wrong)
    else:
        close(getattr(tf, name)(tb.array(a), **wrong), want)


def test_fast_lengths():
    smooth = sorted(2**a * 3**b * 5**c * 7**d for a in range(14) for b in range(9) for c in range(6) for d in range(5))
    for n in range(2000):
        assert tf.next_fast_len(n) == (next(m for m in smooth if m >= n) if n else 0)
    assert tf.next_fast_len(2**31 + 1, real=True) >= 2**31 + 1
    with pytest.raises(ValueError):
        tf.next_fast_len(-1)
    with pytest.raises(TypeError):
        tf.next_fast_len(1.5)


@pytest.mark.parametrize("code", ["f", "d"])
@pytest.mark.parametrize("n", [None, 1, 4, 5, 9])
def test_fftpack(code, n):
    a = numbers(code, (5, 6))
    x = tb.array(a)
    for axis in (0, 1, -1):
        for name in ("fft", "ifft", "rfft", "irfft"):
            close(getattr(tp, name)(x, n, axis), getattr(sp, name)(a, n, axis))
    for name in ("fft2", "ifft2", "fftn", "ifftn"):
        close(getattr(tp, name)(x), getattr(sp, name)(a))
        close(getattr(tp, name)(x, (3, 8)), getattr(sp, name)(a, (3, 8)))
    with pytest.raises(TypeError):
        tp.irfft(x * 1j)


def test_backend_of_scipy():
    a = numbers("d", (4, 6))
    x = tb.array(a)
    with sf.set_backend(tf):
        for name in ("fft", "irfft", "dctn", "fftn", "hfft2"):
            close(getattr(sf, name)(x), getattr(tf, name)(x).get())
        assert type(sf.fft(a, workers=2)) is np.ndarray
        close(sf.fft(x, workers=2), np.fft.fft(a))
        close(tb.fft.fft(x), np.fft.fft(a))  # which may be computed by SciPy itself
    with sf.set_backend(tf, only=True):
        close(tb.fft.rfft2(x), np.fft.rfft2(a))


# ---- plans -----------------------------------------------------------------------------------------------------------


def test_plans():
    x = tb.array(numbers("F", (4, 6)))
    plan = tf.get_fft_plan(x, axes=1)
    assert isinstance(plan, cufft.Plan1d)
    assert (plan.nx, plan.batch, plan.fft_type) == (6, 4, cufft.CUFFT_C2C)
    close(tf.fft(x, plan=plan), np.fft.fft(x.get()).astype("F"))
    with plan:
        assert cufft.get_current_plan() is plan
        close(tf.ifft(x), np.fft.ifft(x.get()).astype("F"))
        with tf.get_fft_plan(x, axes=0) as inner:
            assert cufft.get_current_plan() is inner
        seen = []
        thread = threading.Thread(target=lambda: seen.append(cufft.get_current_plan()))
        thread.start()
        thread.join()
        assert seen == [None]
        with pytest.raises(RuntimeError, match="context manager"):
            tf.fft(x, plan=plan)
        with pytest.raises(ValueError, match="nx"):
            tf.fft(x, 5)
    assert cufft.get_current_plan() is None
    several = tf.get_fft_plan(x, (3, 8), value_type="C2R")
    assert isinstance(several, cufft.PlanNd)
    close(tf.irfftn(x, (3, 8), plan=several), np.fft.irfftn(x.get(), (3, 8), (0, 1)).astype("f"))
    for wrong in (lambda: tf.fftn(x, plan=several), lambda: tf.fft(x, plan=several), lambda: tf.fftn(x, plan=plan)):
        with pytest.raises(ValueError, match="plan"):
            wrong()
    with pytest.raises(NotImplementedError, match="not yet supported"):
        tf.hfft(x, plan=plan)


def test_bad_plans():
    x = tb.ones((3, 4))
    for call, error in [
        (lambda: tf.get_fft_plan([1.0, 2.0]), TypeError),
        (lambda: tf.get_fft_plan(x * 1j, value_type="R2C"), TypeError),
        (lambda: tf.get_fft_plan(x, value_type="D2Z"), ValueError), (lambda: tf.get_fft_plan(x, (3, 4), 0), ValueError),
        (lambda: tf.get_fft_plan(x, axes=2), ValueError), (lambda: tf.get_fft_plan(x, axes=(0, 0)), ValueError),
        (lambda: tf.get_fft_plan(x, 0, 0), ValueError), (lambda: tf.get_fft_plan(x, axes=()), ValueError),
        (lambda: cufft.Plan1d(0, cufft.CUFFT_C2C, 1), ValueError), (lambda: cufft.Plan1d(4, 1, 1), ValueError),
    ]:
        with pytest.raises(error):
            call()


@pytest.mark.parametrize("code", ["F", "D"])
def test_plans_transform_without_scaling(code):
    a = numbers(code, (3, 4))
    x = tb.array(a)
    plan = tf.get_fft_plan(x, axes=1)
    out = plan.get_output_array(x)
    plan.fft(x, out, cufft.CUFFT_INVERSE)
    close(out, (np.fft.ifft(a) * 4).astype(code))
    plan = tf.get_fft_plan(x)
    out = plan.get_output_array(x)
    plan.fft(x, out, cufft.CUFFT_FORWARD)
    close(out, np.fft.fft2(a).astype(code))
    plan = tf.get_fft_plan(x.real, value_type="R2C")
    out = plan.get_output_array(x.real)
    plan.fft(x.real, out, cufft.CUFFT_FORWARD)
    close(out, np.fft.rfft2(a.real).astype(code))
    plan = tf.get_fft_plan(x, axes=1, value_type="C2R")
    out = plan.get_output_array(x)
    plan.fft(x, out, cufft.CUFFT_INVERSE)
    close(out, (np.fft.irfft(a) * 6).astype(code.lower()))
    with pytest.raises(ValueError, match="out"):
        plan.fft(x, tb.empty((3, 5)), cufft.CUFFT_INVERSE)
    with pytest.raises(TypeError, match="dtype"):
        plan.fft(x.real, out, cufft.CUFFT_INVERSE)


def test_cufft_itself():
    assert cufft.check_result(0) is None
    with pytest.raises(cufft.CuFFTError, match="CUFFT_INVALID_SIZE") as e:
        cufft.check_result(8)
    assert e.value.result == 8
    if tb.config.backend() == "cpu":
        with pytest.raises(NotImplementedError, match="GPU"):
            cufft.getVersion()
        assert tf.get_fft_plan(tb.ones(4)).handle == 0
    else:
        assert cufft.getVersion() >= 10000
        plan = cufft.create()
        cufft.setAutoAllocation(plan, True)
        x = tb.ones(4, "F")
        whole, out = tf.get_fft_plan(x), tb.zeros(4, "F")
        cufft.execC2C(whole.handle, x.data.ptr, out.data.ptr, cufft.CUFFT_FORWARD)
        close(out, np.array([4, 0, 0, 0], "F"))
        with pytest.raises(cufft.CuFFTError):  # it is a plan of nothing
            cufft.execC2C(plan, x.data.ptr, x.data.ptr, cufft.CUFFT_FORWARD)


@pytest.mark.parametrize("name", ["irfft2", "irfftn", "hfft2", "hfftn"])
@pytest.mark.parametrize("shape", [(3, 1), (2, 2, 1), (1, 1)])
def test_halves_of_one_number(name, shape):
    x = numbers("D", shape)
    close(getattr(tf, name)(tb.array(x)), getattr(sf, name)(x))
    with pytest.raises(ValueError):
        tf.irfft(tb.array(x))
