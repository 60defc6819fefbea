"""Functions of the caller's where transforms load and store elements, against NumPy on elements changed by hand."""

import threading

import numpy as np
import pytest
import tombac as tb
import tombacx.scipy.fft as tsf
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import layouts
from test_fft import NORMS, close, exact, numbers
from tombac.cuda import compiler

TYPES = {"f": ("cufftReal", "R"), "d": ("cufftDoubleReal", "D"), "F": ("cufftComplex", "C"),
         "D": ("cufftDoubleComplex", "Z")}
# What functions do to an element x at an offset, with numbers at `info`: in CUDA C++ by kind, and in NumPy.
CHANGES = {
    "c": "x.x = x.x * info[0] + (double)offset; x.y = x.y * info[0];",
    "f": "x = x * info[0] + (double)offset;",
}


def function(side, dtype, jit=False, pointer=True):
    of_type, letter = TYPES[dtype]
    change = CHANGES["c" if dtype in "FD" else "f"]
    number = "unsigned long long" if jit else "size_t"
    kind = ("cufftJITCallback" if jit else "cufftCallback") + side.title() + letter
    if side == "load":
        text = f"""__device__ {of_type} changed(void *data, {number} offset, void *caller, void *shared)
        {{
            const double *info = (const double *)caller;
            {of_type} x = (({of_type} *)data)[offset];
            {change}
            return x;
        }}
        """
    else:
        text = f"""__device__ void changed(void *data, {number} offset, {of_type} x, void *caller, void *shared)
        {{
            const double *info = (const double *)caller;
            {change}
            (({of_type} *)data)[offset] = x;
        }}
        """
    return text + (f"__device__ {kind} d_{side}CallbackPtr = changed;\n" if pointer else "")


def changed(x, by):
    return x * by + np.arange(x.size).reshape(x.shape)


KINDS = {"fft": ("c", "c"), "ifft": ("c", "c"), "rfft": ("f", "c"), "irfft": ("c", "f")}


def type_of(kind, single):
    return {"c": "DF", "f": "df"}[kind][single]


def fitted(x, shape):
    out = np.zeros(shape, x.dtype)
    common = tuple(slice(min(n, m)) for n, m in zip(x.shape, shape, strict=True))
    out[common] = x[common]
    return out


def expected(name, x, norm, n, axis, load, store):
    """By NumPy: the input as long as it is transformed, changed, transformed without a scale, changed, scaled."""
    x = x.swapaxes(axis, -1)  # whose order the callbacks count in, as CuPy's do
    points = n or (2 * (x.shape[-1] - 1) if name == "irfft" else x.shape[-1])
    x = fitted(x, (*x.shape[:-1], points // 2 + 1 if name == "irfft" else points))
    x = changed(x, load) if load else x
    y = getattr(np.fft, name)(x, points, norm="backward" if name in ("fft", "rfft") else "forward")
    y = changed(y, store) if store else y
    scale = points**-0.5 if norm == "ortho" else 1 / points if (norm == "forward") == (name in ("fft", "rfft")) else 1
    return (y * scale).swapaxes(axis, -1)


@settings(max_examples=40)
@given(st.sampled_from(sorted(KINDS)), st.sampled_from("efFdDi"), st.sampled_from(NORMS), st.data())
def test_along_an_axis(name, code, norm, data):
    if name == "rfft" and code in "FD":
        return
    shape = data.draw(st.sampled_from([(7,), (1,), (3, 4), (2, 3, 4), (0, 4)]))
    n, axis = data.draw(st.sampled_from([None, 1, 3, 8])), data.draw(st.integers(-len(shape), len(shape) - 1))
    load, store = data.draw(st.sampled_from([(0.5, 0), (0, -2.0), (0.5, -2.0)]))
    x = numbers(code, shape)
    single, layout = code in "efF", data.draw(layouts(len(shape)))
    codes = [type_of(k, single) for k in KINDS[name]]
    ours = layout(tb.array(x) + 0 if data.draw(st.booleans()) else tb.array(x))  # the former may be pending
    x = layout(x)
    if n is None and x.shape[axis] < 2:
        n = 2
    options = {}
    if load:
        options |= {"cb_load": function("load", codes[0]), "cb_load_aux_arr": tb.array([load])}
    if store:
        options |= {"cb_store": function("store", codes[1]), "cb_store_aux_arr": tb.array([store])}
    with tb.fft.config.set_cufft_callbacks(**options):
        got = getattr(tb.fft, name)(ours, n, axis, norm)
    close(got, expected(name, exact(x), norm, n, axis, load, store), single)


def test_over_axes():
    x = numbers("D", (2, 3, 4))
    codes = {"cb_load": function("load", "D"), "cb_store": function("store", "D"), "cb_load_aux_arr": tb.array([2.0]),
             "cb_store_aux_arr": tb.array([3.0])}
    with tb.fft.config.set_cufft_callbacks(**codes) as inside:
        assert isinstance(inside, tb.fft.config.set_cufft_callbacks)
        got = [tb.fft.fftn(tb.array(x)), tb.fft.ifft2(tb.array(x), (4, 4), axes=(0, 2)), tsf.fftn(tb.array(x))]
    want = changed(np.fft.fftn(changed(x, 2.0)), 3.0)
    close(got[0], want, False)
    close(got[2], want, False)
    x = changed(fitted(x, (4, 3, 4)), 2.0)
    close(got[1], changed(np.fft.ifft2(x, axes=(0, 2), norm="forward"), 3.0) / 16, False)
    close(tb.fft.fft(tb.ones(2)), np.array([2, 0], "D"), False)  # behind the block


def test_out():
    x, load = numbers("D", (3, 4)), function("load", "D")
    out = tb.zeros((3, 4), "D")
    with tb.fft.config.set_cufft_callbacks(load, cb_load_data=tb.array([2.0]).data):
        assert tb.fft.ifft(tb.array(x), out=out) is out
        with pytest.raises(ValueError, match="shape|broadcast"):
            tb.fft.ifft(tb.array(x), out=tb.zeros((3, 5), "D"))
    close(out, np.fft.ifft(changed(x, 2.0)), False)


@pytest.mark.parametrize("options", [{"cb_load_name": "changed"}, {}])
def test_jit(options):
    data = tb.array([2.0])
    with tb.fft.config.set_cufft_callbacks(function("load", "F", True, False), cb_load_data=data.data, cb_ver="jit",
                                           nvrtc_options=("-DNOTHING",), **options):
        close(tb.fft.fft(tb.ones((2, 4), "F")), np.fft.fft(changed(np.ones((2, 4)), 2.0)).astype("F"), True)


def test_elsewhere():
    """A load function reads what it likes; a store function writes where it likes."""
    load = r"""
    #include <cufftXt.h>
    // d_loadCallbackPtr = nothing;
    static __device__ cufftDoubleComplex mirrored(void *data, size_t i, void *info, void *)
    {
        cuDoubleComplex x = ((cuDoubleComplex *)data)[3 - i];
        x.x *= *(int *)info, x.y *= *(int *)info;
        return x;
    }
    __device__ const cufftCallbackLoadZ d_loadCallbackPtr = &mirrored;
    """
    store = r"""
    __device__ void shifted(void *data, size_t i, cufftDoubleComplex x, void *, void *)
    {
        ((cufftDoubleComplex *)data)[(i + 1) % 4] = x;
    }
    __device__ cufftCallbackStoreZ d_storeCallbackPtr = shifted;
    """
    x = numbers("D", 4)
    with tb.fft.config.set_cufft_callbacks(load, store, tb.array([3], "i")):
        close(tb.fft.fft(tb.array(x)), np.roll(np.fft.fft(3 * x[::-1]), 1), False)


@pytest.mark.skipif(tb.config.backend() != "cpu", reason="cuComplex.h is the toolkit's there")
def test_cucomplex():
    load = """__device__ cufftComplex turned(void *data, size_t i, void *, void *)
    {
        return cuCmulf(((cuComplex *)data)[i], make_cuComplex(0, 1));
    }
    __device__ cufftCallbackLoadC d_loadCallbackPtr = turned;"""
    with tb.fft.config.set_cufft_callbacks(load):
        close(tb.fft.fft(tb.ones(2, "F")), np.array([2j, 0], "F"), True)


def test_nested_and_threads():
    by = {n: tb.array([float(n)]) for n in (2, 3)}
    two, three = (tb.fft.config.set_cufft_callbacks(function("load", "D"), cb_load_aux_arr=by[n]) for n in (2, 3))
    x, others = tb.ones(2, "D"), []

    def first():
        return float(tb.fft.fft(x)[0].real)

    with two, three, two:
        assert first() == 5
        thread = threading.Thread(target=lambda: others.append(first()))
        thread.start()
        thread.join()
    with two:
        with pytest.raises(ZeroDivisionError), three:
            assert first() == 7
            raise ZeroDivisionError
        assert first() == 5
    assert first() == 2
    assert others == [2]


def test_errors():
    make, load, array = tb.fft.config.set_cufft_callbacks, function("load", "D"), tb.ones(1)
    for bad, match in [
        ({}, "cb_load or cb_store"), ({"cb_load": load, "cb_ver": "new"}, "cb_ver"),
        ({"cb_load": "int x;"}, "cb_load.*d_loadCallbackPtr"), ({"cb_store": load}, "d_storeCallbackPtr"),
        ({"cb_load": load, "cb_store_aux_arr": array}, "cb_store"),
        ({"cb_load": load, "cb_load_aux_arr": array, "cb_load_data": array.data}, "cb_load_aux_arr"),
    ]:
        if "cb_store" in bad:
            bad["cb_store"] = "int y;"
        with pytest.raises(ValueError, match=match):
            make(**bad)
    for bad, match in [({"cb_load": b"x"}, "cb_load"), ({"cb_load": load, "cb_load_data": 5}, "cb_load")]:
        with pytest.raises(TypeError, match=match):
            make(**bad)
    with make(load, cb_load_aux_arr=array):
        with pytest.raises(ValueError, match="points"):
            tb.fft.fft(tb.ones(4), 0)
        with pytest.raises(ValueError, match="norm"):
            tb.fft.fft(tb.ones(4), norm="half")
        with pytest.raises(ValueError, match="different lengths"):
            tb.fft.fftn(tb.ones((4, 4)), (2,), axes=(0, 1))
        with pytest.raises(np.exceptions.AxisError):
            tb.fft.fft(tb.ones(4), axis=1)
        with pytest.raises(TypeError, match="real"):
            tb.fft.rfft(tb.ones(4, "D"))
        with pytest.raises(compiler.CompileException):  # single precision, for which the function is not
            tb.fft.fft(tb.ones(4, "F"))
        close(tb.fft.fftn(tb.ones(2), axes=()), np.ones(2, "D"), False)
