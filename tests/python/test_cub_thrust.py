"""tombac.cuda.cub and tombac.cuda.thrust: CuPy's functions over these libraries, compared with NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import arrays, same

import tombac as tb
import tombacx
from tombac.cuda import compiler, cub, jitify, thrust

OPERATIONS = {cub.CUPY_CUB_SUM: np.sum, cub.CUPY_CUB_PROD: np.prod, cub.CUPY_CUB_MIN: np.min,
              cub.CUPY_CUB_MAX: np.max, cub.CUPY_CUB_ARGMIN: np.argmin, cub.CUPY_CUB_ARGMAX: np.argmax}
DTYPES = ["i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"]


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_reductions(op, dtype):
    h = (np.arange(24).reshape(2, 3, 4) % 3 + 1).astype(dtype)
    a = tb.array(h)
    search = op in (cub.CUPY_CUB_ARGMIN, cub.CUPY_CUB_ARGMAX)
    same(cub.device_reduce(a, op), OPERATIONS[op](h))
    same(cub.device_reduce(a, op, (), None, True), OPERATIONS[op](h, keepdims=True))
    same(cub.cub_reduction(a, op), OPERATIONS[op](h))
    for axis in ((2,), (0,)) if search else ((2,), (1, 2), (0, 1)):
        given = axis[0] if search else axis
        same(cub.device_segmented_reduce(a, op, axis), OPERATIONS[op](h, axis=given))
        same(cub.cub_reduction(a, op, axis=given, keepdims=True), OPERATIONS[op](h, axis=given, keepdims=True))
    out = tb.empty((2, 3), OPERATIONS[op](h, axis=2).dtype)
    assert cub.cub_reduction(a, op, axis=2, out=out) is out
    same(out, OPERATIONS[op](h, axis=2))


def test_what_cub_does_not_do_is_none():
    truth, a = tb.array([True, False]), tb.arange(4.0)
    assert cub.cub_reduction(truth, cub.CUPY_CUB_SUM) is None and cub.cub_scan(truth, cub.CUPY_CUB_CUMSUM) is None
    assert cub.cub_reduction(a, cub.CUPY_CUB_CUMSUM) is None and cub.cub_scan(a, cub.CUPY_CUB_SUM) is None
    assert cub.cub_reduction(a, cub.CUPY_CUB_MAX, dtype="f4") is None
    assert cub.cub_histogram(a * 1j, a, tb.zeros(3, int)) is None
    same(cub.cub_reduction(a, cub.CUPY_CUB_SUM, dtype="f4"), np.float32(6))
    for f in (cub.device_reduce, cub.device_scan, cub.cub_reduction, cub.cub_scan):
        with pytest.raises(TypeError, match=f.__name__):
            f(np.arange(3.0), cub.CUPY_CUB_SUM if "redu" in f.__name__ else cub.CUPY_CUB_CUMSUM)
    for f in (cub.device_reduce, cub.device_scan):
        with pytest.raises(ValueError, match=f.__name__):
            f(a, 17)
    with pytest.raises(ValueError, match="left"):
        cub.device_reduce(a, cub.CUPY_CUB_SUM, (0,))
    with pytest.raises(ValueError):
        cub.device_reduce(tb.zeros(0), cub.CUPY_CUB_MIN)


@given(arrays("h L f D".split()), st.sampled_from(["CUMSUM", "CUMPROD"]))
def test_scans_are_in_place(pair, name):
    h, a = pair
    h, a = h.copy(), a.copy()
    f = np.cumsum if name == "CUMSUM" else np.cumprod
    with np.errstate(all="ignore"):
        expected = f(h, dtype=h.dtype).reshape(h.shape)
    assert cub.cub_scan(a, getattr(cub, "CUPY_CUB_" + name)) is a
    np.testing.assert_allclose(a.get(), expected, rtol=1e-5)


@given(st.lists(st.floats(-5, 15) | st.just(float("nan"))), st.lists(st.integers(-3, 12), min_size=2, unique=True))
def test_histograms(numbers, edges):
    h, edges = np.array(numbers, "f8"), np.sort(np.array(edges, "f8"))
    expected = [int(((h >= lo) & (h < hi)).sum()) for lo, hi in zip(edges, edges[1:])]
    y = tb.zeros(len(expected), "i8")
    assert cub.device_histogram(tb.array(h), tb.array(edges), y) is y
    assert y.tolist() == expected


def test_histograms_of_integers():
    h = np.array([[0, 3, 3], [7, 2, -1]])
    y = cub.device_histogram(tb.array(h), 5, tb.zeros(4, "i4"))
    same(y, np.array([1, 0, 1, 2], "i4"))
    with pytest.raises(ValueError, match="5 edges"):
        cub.device_histogram(tb.array(h), tb.arange(3), tb.zeros(4, int))


def test_lists_of_dtypes():
    assert np.dtype("f2") in cub.CUB_support_dtype_with_half and np.dtype("i1") in cub.CUB_support_dtype_without_half
    assert np.dtype("f2") not in cub.CUB_sum_support_dtype_without_half
    assert np.dtype("f2") in cub.CUB_sum_support_dtype[0] and len(cub.CUB_support_dtype) >= 1
    assert cub.cupy_cub_op(0) is cub.CUPY_CUB_SUM and len(cub.cupy_cub_op) == 8
    assert cub.get_build_version() == thrust.get_build_version() == 0
    with pytest.raises(AttributeError):
        cub.no_such_name


@pytest.mark.parametrize("dtype", DTYPES)
def test_sorts_of_addresses(dtype):
    h = (np.arange(35).reshape(5, 7) * 11 % 13).astype(dtype)
    a, order = tb.array(h), tb.empty((5, 7), "i8")
    thrust.argsort(a.dtype, order.data.ptr, a.data.ptr, 0, a.shape)
    same(order, np.argsort(h, kind="stable"))
    same(a, np.sort(h))
    a = tb.array(h)
    thrust.sort(a.dtype, a.data.ptr, 0, a.shape)
    same(a, np.sort(h))
    keys, order = tb.array(h[:3]), tb.empty(7, "i8")
    thrust.lexsort(keys.dtype, order.data.ptr, keys.data.ptr, 3, 7)
    same(order, np.lexsort(h[:3]))


def test_what_there_is_no_library_for():
    with pytest.raises(compiler.HIPCCException, match="ROCm"):
        compiler.compile_using_hipcc("", (), "gfx90a")
    with pytest.raises(compiler.JitifyException, match="-I"):
        jitify.jitify("", ())
    assert jitify.find_nvidia_header_directory("no such library") is None
    assert jitify.get_cuda_version() == 0 and isinstance(jitify.get_build_version(), str)


def test_tuning():
    try:
        import optuna  # noqa: F401
    except ImportError:
        with pytest.raises(ImportError, match="pip install optuna"), tombacx.optimizing.optimize():
            pass
    else:
        with tombacx.optimizing.optimize(key="k", max_trials=2):
            assert int(tb.arange(3).sum()) == 3
    with pytest.raises(TypeError, match="trials"), tombacx.optimizing.optimize(trials=3):
        pass


def test_install_library(capsys):
    from tombacx.tools import install_library

    install_library.main(["--library", "cutensor", "--cuda", "13.0", "--action", "install"])
    assert capsys.readouterr().out == "pip install cutensor-cu13\n"
    for cuda, library, match in (("9.2", "nccl", "9.2"), ("12.x", "cudnn", "cudnn")):
        with pytest.raises(ValueError, match=match):
            install_library.install_lib(cuda, None, library, None)
    with pytest.raises(SystemExit):
        install_library.main(["--library", "nothing"])


def test_scipy_get_array_module():
    scipy = pytest.importorskip("scipy")
    assert tombacx.scipy.get_array_module(np.zeros(1), tb.zeros(1)) is tombacx.scipy
    assert tombacx.scipy.get_array_module(1, [2]) is scipy
