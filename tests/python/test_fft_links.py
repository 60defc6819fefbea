"""Callbacks that cuFFT links into its own kernels, against kernels of their own: when, with which results, what is kept
and what becomes of it where that cannot be."""

import contextlib
import os

import numpy as np
import pytest
import tombac as tb
from test_fft import close, numbers
from test_fft_callbacks import changed, function
from tombac.cuda import compiler
from tombac.fft import _callbacks

pytestmark = pytest.mark.skipif(tb.config.backend() != "cuda", reason="cuFFT links them")

EMULATED = "emulated" in os.environ.get("TOMBAC_LIBRARY_PATH", "")
FORWARD, BACKWARD, REAL, HALF = range(4)


def device():
    return tb.cuda.Device().id


def plans():
    """How many plans are kept, what they ask for, and how many were found and made."""
    return tb._core.fft_cache_read(device())[2:]


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setenv("TOMBAC_COMPILE", "sync")
    _callbacks._link_of.cache_clear()
    tb._core.fft_cache_clear(device())
    yield
    tb._core.fft_cache_limit(device(), 16, -1)


def called(x, kind, naxis, text, info=None, link=True, lengths=None):
    """The transform over the last axes within which cuFFT calls a function."""
    code, name, stores = text
    text = (_callbacks._source(code), name, (), stores)
    axes = tuple(range(x.ndim - naxis, x.ndim))
    return tb._core._fft_called(x, kind, axes, lengths, text, info.data.ptr if info is not None else 0, link)


TYPES = {FORWARD: ("c", "c"), BACKWARD: ("c", "c"), REAL: ("f", "c"), HALF: ("c", "f")}
NUMPYS = {FORWARD: np.fft.fftn, BACKWARD: np.fft.ifftn, REAL: np.fft.rfftn, HALF: np.fft.irfftn}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("side", ["load", "store"])
@pytest.mark.parametrize(("shape", "naxis"), [((6,), 1), ((3, 4), 1), ((2, 3, 4), 2), ((2, 3, 4), 3)])
def test_within_every_kind(kind, single, side, shape, naxis):
    codes = [{"c": "DF", "f": "df"}[k][single] for k in TYPES[kind]]
    axes = tuple(range(-naxis, 0))
    points = shape[-naxis:]
    x = numbers(codes[0], shape)
    if kind == HALF:
        x = x[..., : points[-1] // 2 + 1].copy()
    loaded = changed(x, 2.0) if side == "load" else x
    norm = "backward" if kind in (FORWARD, REAL) else "forward"
    want = NUMPYS[kind](loaded, points, axes=axes, norm=norm)
    want = changed(want, 2.0) if side == "store" else want
    text = (function(side, codes[side == "store"]), "changed", side == "store")
    ours, info = tb.array(x), tb.array([2.0])
    for _ in range(2):  # linked, and found
        got = called(ours, kind, naxis, text, info, lengths=points)
        assert got.flags.c_contiguous and got.dtype.char == codes[1]
        close(got, want, single)
    np.testing.assert_array_equal(ours.get(), x)  # cuFFT's own would overwrite that of HALF
    assert plans()[0] == 1 and plans()[2:] == (1, 1)


def test_elsewhere():
    """Functions that load from and store to places that are not the offset's."""
    load = """__device__ cufftDoubleComplex f(void *data, unsigned long long i, void *, void *)
    {
        return ((cufftDoubleComplex *)data)[i ^ 3];
    }"""
    store = """__device__ void f(void *data, size_t i, cufftDoubleComplex x, void *, void *)
    {
        ((cufftDoubleComplex *)data)[(i + 5) % 12] = x;
    }"""
    x = numbers("D", (3, 4))
    close(called(tb.array(x), FORWARD, 2, (load, "f", False)), np.fft.fft2(x[:, ::-1]), False)
    want = np.roll(np.fft.fft2(x).ravel(), 5).reshape(3, 4)
    close(called(tb.array(x), FORWARD, 2, (store, "f", True)), want, False)


def test_layouts_and_pending():
    text, two = (function("store", "D"), "changed", True), tb.array([2.0])
    x = numbers("D", (4, 6))
    ours = tb.array(x)
    for view, host in [(ours.T, x.T), (ours[::-1, 1:4], x[::-1, 1:4]), (ours * 2, x * 2), (ours[:, :0], x[:, :0])]:
        got = called(view, FORWARD, 1, text, two, lengths=(3,))
        close(got, changed(np.fft.fft(host, 3) if host.size else np.zeros((4, 3), "D"), 2.0), False)


def test_info_and_streams():
    """One plan is handed other addresses from one transform to the next; each stream has its own."""
    text, x = (function("store", "D"), "changed", True), numbers("D", 4)
    ours = tb.array(x)
    infos = [tb.array([float(n)]) for n in range(1, 5)]
    kept = [called(ours, FORWARD, 1, text, info) for info in infos]
    stream = tb.cuda.Stream()
    tb.cuda.get_current_stream().synchronize()
    with stream:
        kept += [called(ours, FORWARD, 1, text, info) for info in infos]
        stream.synchronize()
    for n, y in enumerate(kept):
        close(y, changed(np.fft.fft(x), n % 4 + 1.0), False)
    assert plans()[0] == 2 and plans()[2:] == (6, 2)


def test_what_is_kept():
    """The memory that plans ask for is that of the side that cuFFT does not see as well; limits hold."""
    text, info, x = (function("store", "F"), "changed", True), tb.array([2.0]), tb.ones((8, 16), "F")
    called(x, FORWARD, 1, text, info)
    tb._core._fft(x, FORWARD, None, (1,), None, None)
    count, size, _, misses = plans()
    assert (count, misses) == (2, 2)
    tb._core.fft_cache_clear(device())
    tb._core._fft(x, FORWARD, None, (1,), None, None)
    assert size - 2 * plans()[1] in range(x.nbytes, x.nbytes + 512)
    tb._core.fft_cache_limit(device(), 1, -1)
    called(x, FORWARD, 1, text, info)
    assert plans()[0] == 1
    used = tb.get_default_memory_pool().used_bytes()
    tb._core.fft_cache_clear(device())
    assert tb.get_default_memory_pool().used_bytes() < used  # what the function was handed
    assert plans() == (0, 0, 0, 0)
    for limits in [(0, -1), (16, 100)]:
        tb._core.fft_cache_limit(device(), *limits)
        with pytest.raises(NotImplementedError, match="kept"):
            called(x, FORWARD, 1, text, info)
        assert plans()[:2] == (0, 0)


def test_out_of_memory():
    """Neither linking nor running keeps anything when memory ends."""
    text, info, x = (function("store", "D"), "changed", True), tb.array([2.0]), tb.ones((1 << 16, 8), "D")
    pool = tb.get_default_memory_pool()
    called(x[:1], FORWARD, 1, text, info)
    try:
        for made in (0, 1):  # plans of x's shape
            pool.free_all_blocks()
            used, before = pool.used_bytes(), plans()
            pool.set_limit(size=pool.total_bytes() + 1024)
            with pytest.raises(tb.cuda.memory.OutOfMemoryError):
                called(x, FORWARD, 1, text, info)
            assert pool.used_bytes() - used in range(1025) and plans()[0] in (1, 2) and plans()[3] <= before[3] + 1
            pool.set_limit(size=0)
            close(called(x, FORWARD, 1, text, info), changed(np.fft.fft(np.ones((1 << 16, 8))), 2.0), False)
            assert plans()[0] == 2
    finally:
        pool.set_limit(size=0)


def test_only_if_it_is_there():
    text, x = (function("store", "D"), "changed", True), numbers("D", 4)
    ours, info = tb.array(x), tb.array([2.0])
    before = tb.config.counters()["launches"]
    assert called(ours, FORWARD, 1, text, info, link=False) is None
    assert tb.config.counters()["launches"] == before
    assert plans()[0] == 0
    called(ours, FORWARD, 1, text, info)
    close(called(ours, FORWARD, 1, text, info, link=False), changed(np.fft.fft(x), 2.0), False)


def test_errors():
    good, x = function("store", "D"), tb.ones(4, "D")
    for code, name in [(good.replace("double *info", "none *info"), "changed"), (good, "other"),
                       (function("store", "F"), "changed")]:
        with pytest.raises(compiler.CompileException):
            called(x, FORWARD, 1, (code, name, True))
        assert plans() == (0, 0, 0, 0)
    with pytest.raises(NotImplementedError):
        called(tb.ones((2, 2, 2, 2), "D"), FORWARD, 4, (good, "changed", True), tb.array([1.0]))
    assert plans() == (0, 0, 0, 0)
    text = (_callbacks._source(good), "changed", (), True)
    with pytest.raises(NotImplementedError):  # not the last axis
        tb._core._fft_called(tb.ones((2, 2), "D"), FORWARD, (0,), None, text, 0, True)
    for bad in [("code", "changed", [], True), ("code", 5, (), True), ("code", "changed", (5,), True), None]:
        with pytest.raises(TypeError):
            tb._core._fft_called(x, FORWARD, (0,), None, bad, 0, True)
    with pytest.raises(ValueError, match="points"):
        tb._core._fft_called(x, FORWARD, (0,), (0,), text, 0, True)
    assert plans() == (0, 0, 0, 0)


def test_a_large_prime():
    """cuFFT's documentation excludes it, and versions differ."""
    x = numbers("D", 131)
    try:
        y = called(tb.array(x), FORWARD, 1, (function("store", "D"), "changed", True), tb.array([2.0]))
    except NotImplementedError:
        assert plans() == (0, 0, 0, 0)
    else:
        close(y, changed(np.fft.fft(x), 2.0), False)


def test_code_that_does_not_compile():
    """It is the kernel of its own that says so."""
    x = tb.ones(4, "D")
    for _ in range(2):
        with stores(2.0, "F"), pytest.raises(compiler.CompileException, match="tb_callback") as caught:
            tb.fft.fft(x)
        assert "cufftComplex x" in caught.value.source
        assert plans()[0] == 1
    close(tb.fft.fft(x), np.fft.fft(np.ones(4)), False)


@contextlib.contextmanager
def stores(by, code="D", **options):
    options |= {"cb_store": function("store", code), "cb_store_aux_arr": tb.array([by])}
    with tb.fft.config.set_cufft_callbacks(**options):
        yield


def test_which_transforms():
    """Stores of complex transforms with one kernel for each axis; loads have kernels of their own there."""
    x = numbers("D", (3, 4))
    with stores(2.0):
        close(tb.fft.ifft(tb.array(x)), changed(np.fft.ifft(x, norm="forward"), 2.0) / 4, False)
        assert plans()[0] == 1
        close(tb.fft.fft(tb.array(x), axis=0), changed(np.fft.fft(x.T), 2.0).T, False)  # put last
        close(tb.fft.fft2(tb.array(x)), changed(np.fft.fft2(x), 2.0), False)
        linked = plans()
        assert linked[0] == 3
        close(tb.fft.fftn(tb.array(x), axes=(1, 0)), changed(np.fft.fft2(x), 2.0), False)
    load = {"cb_load": function("load", "D"), "cb_load_aux_arr": tb.array([3.0])}
    with stores(2.0, **load):
        close(tb.fft.fft(tb.array(x)), changed(np.fft.fft(changed(x, 3.0)), 2.0), False)
    with tb.fft.config.set_cufft_callbacks(**load):
        close(tb.fft.fft(tb.array(x)), np.fft.fft(changed(x, 3.0)), False)


@pytest.mark.parametrize("kind", ["rfft", "irfft"])
def test_long_real_transforms(kind, monkeypatch):
    monkeypatch.setattr(_callbacks, "_is_faster_inside", lambda side, kind, dtype, points:
                        side == ("store" if kind == REAL else "load"))
    n = 12
    x = numbers("d", n) if kind == "rfft" else np.fft.rfft(numbers("d", n))
    both = {"cb_load": function("load", "d" if kind == "rfft" else "D"), "cb_load_aux_arr": tb.array([3.0]),
            "cb_store": function("store", "D" if kind == "rfft" else "d"), "cb_store_aux_arr": tb.array([2.0])}
    with tb.fft.config.set_cufft_callbacks(**both):
        got = getattr(tb.fft, kind)(tb.array(x))
    want = getattr(np.fft, kind)(changed(x, 3.0), norm="backward" if kind == "rfft" else "forward")
    close(got, changed(want, 2.0) / (1 if kind == "rfft" else n), False)
    assert plans()[0] == 1


def test_rows_of_the_rule():
    for row in [("store", FORWARD, "F", [4096]), ("store", BACKWARD, "F", [512, 512]), ("store", FORWARD, "D", [2048]),
                ("store", REAL, "f", [1 << 18]), ("load", HALF, "D", [1 << 20])]:
        assert _callbacks._is_faster_inside(*row)
    for row in [("store", FORWARD, "F", [4097]), ("load", FORWARD, "F", [512]), ("store", FORWARD, "D", [2, 4096]),
                ("store", REAL, "f", [1 << 10]), ("load", REAL, "f", [1 << 20]), ("store", HALF, "D", [1 << 20]),
                ("store", REAL, "f", [(1 << 18) + 2]),
                ("store", REAL, "f", [2, 1 << 18])]:
        assert not _callbacks._is_faster_inside(*row)


def test_functions_that_need_a_kernel():
    """What depends on the kernel, or keeps a state, is called as ever."""
    store = """{} __device__ void f(void *data, size_t i, cufftDoubleComplex x, void *, void *)
    {{
        {} ((cufftDoubleComplex *)data)[i] = x;
    }}
    __device__ cufftCallbackStoreZ d_storeCallbackPtr = f;"""
    for state, line, linked in [("", "", 1), ("__device__ int n;", "n = 1;", 0),
                                ("__device__ int n[2] = {1, 2};", "", 0), ("/* __shared__ */", "", 1),
                                ("", "if (threadIdx.x > 1u << 30) return;", 0),
                                ("__device__ int one() { return 1; }", "x.x *= one();", 1)]:
        with tb.fft.config.set_cufft_callbacks(cb_store=store.format(state, line)):
            close(tb.fft.fft(tb.ones(4, "D")), np.fft.fft(np.ones(4)), False)
        plain = plans()
        tb._core.fft_cache_clear(device())
        tb.fft.fft(tb.ones(4, "D"))
        assert (plans()[1] != plain[1]) == bool(linked), (state, line)
        tb._core.fft_cache_clear(device())


def test_when_it_has_paid(monkeypatch):
    """Linking takes time: it is due when kernels of their own have cost as much, and again if the plan is gone."""
    monkeypatch.delenv("TOMBAC_COMPILE")
    monkeypatch.setattr(_callbacks, "_LINK", 3 * _callbacks._LAUNCH)
    x, want = tb.ones(4, "D"), changed(np.fft.fft(np.ones(4)), 2.0)

    def made():
        before = plans()[3]
        with stores(2.0):
            close(tb.fft.fft(x), want, False)
        return plans()[3] - before

    assert [made() for _ in range(6)] == [1, 0, 0, 1, 0, 0]  # the plain plan, then the linked one
    tb._core.fft_cache_clear(device())
    assert [made() for _ in range(5)] == [1, 0, 0, 1, 0]


@pytest.mark.skipif(EMULATED, reason="the emulated GPU records no graphs")
def test_captured(monkeypatch):
    """What a graph records are kernels of their own: the address of a result is not written by it."""
    x, want = tb.ones(4, "D"), changed(np.fft.fft(np.ones(4)), 2.0)
    stream = tb.cuda.Stream(non_blocking=True)
    tb.cuda.Device().synchronize()
    with stores(2.0), stream:
        with monkeypatch.context() as m:
            m.setattr(_callbacks, "_is_faster_inside", lambda *_: False)
            tb.fft.fft(x)
        tb.fft.fft(x)
        assert plans()[0] == 2
        stream.synchronize()
        stream.begin_capture()
        out = tb.fft.fft(x)
        graph = stream.end_capture()
        graph.launch()
        close(out, want, False)
        close(tb.fft.fft(x), want, False)
    assert plans()[2:] == (2, 2)


@pytest.mark.skipif(not EMULATED, reason="nvJitLink cannot be hidden")
def test_without_a_linker(monkeypatch):
    """Where cuFFT does not find nvJitLink, the functions have kernels of their own."""
    monkeypatch.setenv("EMULATED_CUFFT_LINKS", "0")
    x, want = tb.ones(4, "D"), changed(np.fft.fft(np.ones(4)), 2.0)
    for _ in range(2):
        with stores(2.0):
            close(tb.fft.fft(x), want, False)
        assert plans()[0] == 1
    monkeypatch.delenv("EMULATED_CUFFT_LINKS")
    with stores(2.0):
        tb.fft.fft(x)
    assert plans()[0] == 1  # it was asked once
