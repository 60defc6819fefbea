"""Plans with types of their own, transforms on several devices, and cuFFT's functions that take more than arrays."""

import numpy as np
import pytest
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from test_devices import run
from test_fft import numbers
from tombac.cuda import cufft

LIMITS = {"e": 2e-3, "f": 1e-5, "d": 1e-13}


def plan(points, idtype, odtype, **options):
    options = {"order": "C", "last_axis": -1, "last_size": None} | options
    return cufft.XtPlanNd(points, points, 1, 1, idtype, points, 1, 1, odtype, 1, idtype if idtype.isupper() else odtype,
                          **options)


def halves(x):
    """Complex numbers as halves in turn."""
    return np.ascontiguousarray(x, "F").view("f").astype("e")


@settings(max_examples=60)
@given(st.sampled_from("efd"), st.sampled_from(["EE", "eE", "Ee"]), st.sampled_from([(2, 4), (3, 5), (1, 6)]),
       st.sampled_from([1, 2]), st.booleans())
def test_xt_plans(precision, kinds, shape, naxis, inverse):
    of_input, of_output = (precision.upper() if k.isupper() else precision for k in kinds)
    points, axes = shape[-naxis:], tuple(range(-naxis, 0))
    x = numbers("d" if of_input.islower() else "D", (2, *shape))
    if of_output.islower():
        x = np.fft.rfftn(x.real, axes=axes)
    exact = x
    if precision == "e":
        x = halves(x) if of_input == "E" else x.astype("e")
        exact = x.astype("f").view("F") if of_input == "E" else x
    ours = tb.array(x) if precision == "e" else tb.array(x, of_input)
    p = plan(points, of_input, of_output)
    if of_output.islower():
        want = np.fft.irfftn(exact, points, axes=axes, norm="forward")
    elif of_input.islower():
        want = np.fft.rfftn(exact.astype("d"), axes=axes)
    else:
        want = np.fft.ifftn(exact, axes=axes, norm="forward") if inverse else np.fft.fftn(exact, axes=axes)
    out = p.get_output_array(ours)
    assert p.fft(ours, out, cufft.CUFFT_INVERSE if inverse else cufft.CUFFT_FORWARD) is out
    assert out.dtype.char == of_output.replace("E", "e")
    want = halves(want) if of_output == "E" else want
    assert out.shape == want.shape
    np.testing.assert_allclose(out.get().astype(want.dtype.char if precision != "e" else "d"), want, 0,
                               LIMITS[precision] * np.abs(want).max())


def test_xt_plans_in_fortran_order():
    x = numbers("F", (3, 4, 2))
    p = plan((3, 4), "F", "F", order="F")
    out = p.get_output_array(tb.array(x), "F")
    assert out.flags.f_contiguous
    p.fft(tb.array(x), out, cufft.CUFFT_FORWARD)
    np.testing.assert_allclose(out.get(), np.fft.fft2(x, axes=(0, 1)), 0, 1e-4)
    assert (p.itype, p.otype, p.etype, p.shape, p.gpus) == ("F", "F", "F", (3, 4), None)
    if tb.config.backend() == "cpu":
        assert p.handle == 0


def test_errors_of_xt_plans():
    for types, match in [("gF", "idtype.*'g'"), ("F?", "odtype"), ("Fd", "one transform"), ("fD", "one transform"),
                         ("ff", "one transform")]:
        with pytest.raises(ValueError, match=match):
            plan((4,), *types)
    with pytest.raises(NotImplementedError, match="C order"):
        plan((4,), "E", "E", order="F")
    p = plan((4,), "E", "E")
    for bad, match in [(tb.ones(8, "f"), "dtype E"), (tb.ones(8, "F"), "dtype E")]:
        with pytest.raises(TypeError, match=match):
            p.fft(bad, tb.ones(8, "e"), -1)
    with pytest.raises(ValueError, match="imaginary"):
        p.fft(tb.ones(7, "e"), tb.ones(8, "e"), -1)
    for out in (tb.ones(7, "e"), tb.ones(4, "F")):
        with pytest.raises(ValueError, match="out"):
            p.fft(tb.ones(8, "e"), out, -1)


def test_one_device_is_a_list_too():
    x = numbers("D", (3, 4))
    config = tb.fft.config
    try:
        config.use_multi_gpus = True
        if config._devices is None:
            with pytest.raises(RuntimeError, match="set_cufft_gpus"):
                tb.fft.fft(tb.array(x))
        config.set_cufft_gpus([0])
        np.testing.assert_allclose(tb.fft.fft(tb.array(x)).get(), np.fft.fft(x))
        np.testing.assert_allclose(tb.fft.ifft(tb.array(x), 3, 0).get(), np.fft.ifft(x, 3, 0))
        out = tb.empty((3, 4), "D")
        assert tb.fft.fft(tb.array(x), out=out) is out
        np.testing.assert_allclose(out.get(), np.fft.fft(x))
        with pytest.raises(np.exceptions.AxisError):
            tb.fft.fft(tb.array(x), axis=2)
        with pytest.raises(ValueError, match="points"):
            tb.fft.fft(tb.array(x), 0)
    finally:
        config.use_multi_gpus = False
    for bad, error in [(0, ValueError), ([0, 0], ValueError), ([-1], ValueError), (1000, ValueError), (None, TypeError),
                       ([1.5], TypeError)]:
        with pytest.raises(error):
            config.set_cufft_gpus(bad)


def test_several_devices():
    run("""
from tombac.cuda import cufft
x = np.random.default_rng(1).normal(size=(3, 4, 5)) + 1j
tb.fft.config.set_cufft_gpus([1, 0])
tb.fft.config.use_multi_gpus = True
for name in ("fft", "ifft"):
    for axis in (-1, 0, 1):
        got = getattr(tb.fft, name)(tb.array(x), 6, axis)
        assert got.device.id == 0
        np.testing.assert_allclose(got.get(), getattr(np.fft, name)(x, 6, axis), 1e-12, 1e-12)
np.testing.assert_allclose(tb.fft.fft(tb.array(x[0, 0])).get(), np.fft.fft(x[0, 0]))
code = "__device__ void f(void *, size_t, cufftDoubleComplex, void *, void *) {}"
with tb.fft.config.set_cufft_callbacks(cb_store=code):
    try:
        tb.fft.fft(tb.array(x))
        assert False
    except NotImplementedError:
        pass
tb.fft.config.set_cufft_gpus([1])
try:
    tb.fft.fft(tb.array(x))
    assert False
except ValueError as e:
    assert "device 0" in str(e)
tb.fft.config.use_multi_gpus = False
plan = cufft.Plan1d(5, cufft.CUFFT_Z2Z, 12, devices=2)
assert plan.gpus == [0, 1]
for module in (np, tb):
    for out in (plan.get_output_array(module.array(x)), module.empty((5, 4, 3), "D").T):
        assert type(out) is module.ndarray and plan.fft(module.array(x), out, cufft.CUFFT_INVERSE) is out
        np.testing.assert_allclose(out if module is np else out.get(), np.fft.ifft(x) * 5)
""")


def test_errors_of_plans_on_devices():
    with pytest.raises(NotImplementedError, match="complex"):
        cufft.Plan1d(4, cufft.CUFFT_R2C, 1, devices=[0])
    with pytest.raises(ValueError, match="device"):
        cufft.Plan1d(4, cufft.CUFFT_C2C, 1, devices=[1000])


def test_functions_of_the_library():
    with pytest.raises(NotImplementedError, match="set_cufft_callbacks"):
        cufft.setCallback(0, cufft.CUFFT_CB_LD_COMPLEX, True)
    for call in (lambda: cufft.setJITCallback(0, b"f", b"", cufft.CUFFT_CB_LD_COMPLEX),
                 lambda: cufft.XtExec(0, 0, 0, -1), lambda: cufft.multi_gpu_execC2C(0, 0, 0, -1),
                 lambda: cufft.multi_gpu_execZ2Z(0, 0, 0, -1)):
        with pytest.raises((NotImplementedError, cufft.CuFFTError), match="GPU|no such function|CUFFT"):
            call()
