"""Work that is recorded and launched again."""

import threading

import numpy as np
import pytest

import tombac as tb
from tombac import cuda
from tombacx.linalg.sparse import SemiStructured

CUDARuntimeError = cuda.runtime.CUDARuntimeError


@pytest.fixture
def stream():
    s = cuda.Stream(non_blocking=True)
    with s:
        yield s
    if s.is_capturing():
        with pytest.raises(CUDARuntimeError):
            s.end_capture()


def test_work_is_recorded_and_not_run(stream):
    x = tb.zeros(1000)
    assert x.sum().item() == 0
    stream.begin_capture()
    assert stream.is_capturing()
    x += 1
    y = tb.sin(x) * 10
    total = y.sum()
    graph = stream.end_capture()
    assert isinstance(graph, cuda.Graph) and not stream.is_capturing()
    assert x.sum().item() == 0
    for n in range(1, 4):
        graph.launch()
        stream.synchronize()
        assert x.sum().item() == 1000 * n
        np.testing.assert_allclose(y.get(), np.full(1000, np.sin(n) * 10), rtol=1e-12)
        np.testing.assert_allclose(total.item(), 10000 * np.sin(n), rtol=1e-10)
    other = cuda.Stream(non_blocking=True)
    graph.upload(other)
    graph.launch(stream=other)
    other.synchronize()
    assert x.sum(dtype="d").item() == 4000


def test_what_was_pending_before_is_not_recorded(stream):
    x = tb.zeros(10)
    x += 5
    stream.begin_capture()
    x *= 2
    graph = stream.end_capture()
    graph.launch()
    stream.synchronize()
    assert x.get().tolist() == [10] * 10


def test_memory_belongs_to_the_graph(stream):
    x = tb.arange(1000.0)
    stream.begin_capture()
    y = x + 1
    z = (y * 2).sum()
    del y
    graph = stream.end_capture()
    del x
    others = [tb.full(1000, 7.0) for _ in range(20)]
    graph.launch()
    stream.synchronize()
    assert z.item() == 2 * np.arange(1, 1001).sum()
    assert all((o == 7).all().item() for o in others)
    pool = tb.get_default_memory_pool()
    held = pool.used_bytes()
    del graph
    assert pool.used_bytes() < held


def test_host_functions_are_part_of_it(stream):
    seen = []
    stream.begin_capture()
    stream.launch_host_func(seen.append, "x")
    graph = stream.end_capture()
    assert seen == []
    for _ in range(3):
        graph.launch()
    stream.synchronize()
    assert seen == ["x"] * 3


def test_data_of_the_host_is_kept(stream):
    host = np.arange(1000.0)
    x = tb.zeros(1000)
    stream.synchronize()
    stream.begin_capture()
    x.set(host)
    graph = stream.end_capture()
    expected = host.copy()
    host[:] = -1
    graph.launch()
    stream.synchronize()
    assert (x.get() == expected).all()


@pytest.mark.parametrize("m, k, n", [(20, 30, 10), (200, 130, 110)])
def test_matrix_products(stream, m, k, n):
    a, b = tb.random.random((m, k)), tb.random.random((k, n))
    c = a @ b
    expected = c.get()
    stream.begin_capture()
    d = a @ b
    graph = stream.end_capture()
    graph.launch()
    stream.synchronize()
    np.testing.assert_allclose(d.get(), expected, rtol=1e-12)


@pytest.mark.parametrize("what", [
    lambda s, x: x.get(), lambda s, x: x.sum().item(), lambda s, x: s.synchronize(), lambda s, x: s.done,
])
def test_what_cannot_be_recorded(stream, what):
    x = tb.zeros(3)
    stream.synchronize()
    stream.begin_capture()
    x += 1
    with pytest.raises(CUDARuntimeError) as e:
        what(stream, x)
    assert 900 <= e.value.status < 910
    with pytest.raises(CUDARuntimeError) as e:
        stream.end_capture()
    assert e.value.status == 901
    assert not stream.is_capturing()
    x = tb.ones(3) + 1
    assert x.sum().item() == 6


def test_wrong_use(stream):
    with pytest.raises(CUDARuntimeError):
        stream.end_capture()
    with pytest.raises(RuntimeError):
        cuda.Stream.null.begin_capture()
    with pytest.raises(ValueError):
        stream.begin_capture(mode=17)
    stream.begin_capture(mode=cuda.runtime.streamCaptureModeGlobal)
    with pytest.raises(CUDARuntimeError):
        stream.begin_capture()
    if stream.is_capturing():
        try:
            stream.end_capture()
        except CUDARuntimeError:
            pass
    with pytest.raises(TypeError):
        cuda.Graph()


def test_other_streams_take_part_through_events(stream):
    side = cuda.Stream(non_blocking=True)
    x, y = tb.zeros(10), tb.zeros(10)
    stream.synchronize()
    stream.begin_capture()
    x += 1
    fork = stream.record(cuda.Event(disable_timing=True))
    side.wait_event(fork)
    assert side.is_capturing()
    with side:
        y += x * 10
        join = side.record(cuda.Event(disable_timing=True))
    stream.wait_event(join)
    x += y
    graph = stream.end_capture()
    assert not side.is_capturing()
    graph.launch()
    graph.launch()
    stream.synchronize()
    assert y.get().tolist() == [130] * 10 and x.get().tolist() == [142] * 10


def test_drawing(stream):
    x = tb.zeros(10)
    stream.begin_capture()
    x += 1
    graph = stream.end_capture()
    assert "digraph" in graph.debug_dot_str() and graph.graph and graph.graphExec


def test_launched_behind_a_host_function(stream):
    x, gate = tb.zeros(10), threading.Event()
    stream.synchronize()
    stream.begin_capture()
    x += 1
    graph = stream.end_capture()
    stream.launch_host_func(lambda _: gate.wait(120), None)
    graph.launch()
    graph.launch()
    del graph
    gate.set()
    stream.synchronize()
    assert x.get().tolist() == [2] * 10


def test_by_numbers():
    r = cuda.runtime
    s = r.streamCreateWithFlags(r.streamNonBlocking)
    p = r.malloc(64)
    r.memset(p, 1, 64)
    r.deviceSynchronize()
    r.streamBeginCapture(s, r.streamCaptureModeRelaxed)
    assert r.streamIsCapturing(s)
    r.memsetAsync(p, 2, 64, s)
    g = r.streamEndCapture(s)
    run = r.graphInstantiate(g)
    r.graphUpload(run, s)
    r.graphLaunch(run, s)
    r.streamSynchronize(s)
    out = np.zeros(64, "B")
    r.memcpy(out.ctypes.data, p, 64, r.memcpyDeviceToHost)
    assert (out == 2).all()
    r.graphExecDestroy(run)
    r.graphDestroy(g)
    r.free(p)
    r.streamDestroy(s)


def _fork(s, side, x):
    side.wait_event(s.record())
    work = tb.empty(10)
    work.data.memset_async(0, 80, side)
    return work


def _unjoined(s, side, x):
    work = _fork(s, side, x)
    s.end_capture()
    del work


def _unjoined_again(s, side, x):
    work = _fork(s, side, x)
    s.wait_event(side.record())
    work.data.memset_async(1, 80, side)
    s.end_capture()


def _unmatched(s, side, x):
    _fork(s, side, x)
    side.end_capture()


def _merge(s, side, x):
    side.begin_capture()
    s.wait_event(side.record())


def _on_null(s, side, x):
    with cuda.Stream.null:
        float((tb.ones(1 << 20) + 1).sum())


def _callback(s, side, x):
    s.launch_host_func(None, 1)


# What fails while a stream is captured: with CUDA's status if it is the capture's fault; None: another exception.
FAILURES = {
    "get": (900, lambda s, side, x: x.get()),
    "number": (900, lambda s, side, x: float(x.sum())),
    "text": (900, lambda s, side, x: str(x)),
    "mask": (900, lambda s, side, x: x[x > 0]),
    "synchronize": (900, lambda s, side, x: s.synchronize()),
    "done": (900, lambda s, side, x: s.done),
    "device": (900, lambda s, side, x: cuda.Device().synchronize()),
    "by number": (900, lambda s, side, x: cuda.runtime.deviceSynchronize()),
    "again": (900, lambda s, side, x: s.begin_capture()),
    "event": (907, lambda s, side, x: s.record().synchronize()),
    "event done": (907, lambda s, side, x: s.record().done),
    "isolation": (905, lambda s, side, x: s.wait_event(side.record())),
    "null waits": (906, lambda s, side, x: cuda.Stream.null.wait_event(s.record())),
    "merge": (902, _merge),
    "unmatched": (903, _unmatched),
    "unjoined": (904, _unjoined),
    "unjoined again": (904, _unjoined_again),
    "memory": (None, lambda s, side, x: tb.empty(1 << 55, "b")),
    "shapes": (None, lambda s, side, x: x + tb.ones(3)),
    "user": (None, lambda s, side, x: 1 // 0),
    "callback": (None, _callback),
}
# These fail if the stream waits for the null stream and that for it.
IMPLICIT = {"null": _on_null, "null synchronize": lambda s, side, x: cuda.Stream.null.synchronize()}


def _check_usable(s, side):
    assert cuda.get_current_stream() == cuda.Stream.null
    assert not s.is_capturing() and not side.is_capturing()
    assert (tb.ones(1000) + 1).sum().item() == 2000
    for stream in (s, side):
        stream.synchronize()
        assert stream.done
        with stream:
            assert (tb.ones(1000) * 3).sum().item() == 3000
    cuda.Device().synchronize()
    with s:
        x = tb.ones(1 << 12)
        s.synchronize()
        s.begin_capture()
        x += 1
        graph = s.end_capture()
    graph.launch(s)
    s.synchronize()
    assert x.sum().item() == 2 << 12


def _fail(s, f, status):
    side, x = cuda.Stream(non_blocking=True), tb.zeros(1000)
    cuda.Device().synchronize()
    with pytest.raises(Exception) as e, s:
        s.begin_capture()
        x += 1
        f(s, side, x)
    if status:
        assert isinstance(e.value, CUDARuntimeError) and e.value.status == status
    return side


@pytest.mark.parametrize("non_blocking", [True, False])
@pytest.mark.parametrize("name", FAILURES)
def test_everything_works_after_a_failure(name, non_blocking):
    status, f = FAILURES[name]
    s = cuda.Stream(non_blocking=non_blocking)
    side = _fail(s, f, status)
    assert not s.is_capturing()
    _check_usable(s, side)
    # What failed is said once more where the recording is to end, and then forgotten.
    _fail(s, f, status)
    with pytest.raises(CUDARuntimeError) as e:
        s.end_capture()
    assert e.value.status == (401 if name.startswith("unjoined") else 901)
    with pytest.raises(CUDARuntimeError) as e:
        s.end_capture()
    assert e.value.status == 401
    _check_usable(s, side)


@pytest.mark.parametrize("name", IMPLICIT)
def test_the_null_stream_and_a_capture(name):
    s = cuda.Stream()
    for _ in range(2):
        side = _fail(s, IMPLICIT[name], 906)
        _check_usable(s, side)
    s = cuda.Stream(non_blocking=True)
    s.begin_capture()
    IMPLICIT[name](s, None, None)
    assert s.is_capturing()
    s.end_capture()


def test_an_exception_between_begin_and_end():
    s = cuda.Stream(non_blocking=True)
    x = tb.zeros(10)
    cuda.Device().synchronize()
    # The capture began outside of the block: whoever began it ends it.
    s.begin_capture()
    with pytest.raises(ZeroDivisionError), s:
        x += 1
        1 // 0
    assert s.is_capturing()
    s.end_capture().launch(s)
    s.synchronize()
    assert x.get().tolist() == [1] * 10
    # It fails in the block, and the exception is caught there.
    with s:
        s.begin_capture()
        with pytest.raises(CUDARuntimeError):
            x.get()
        assert not s.is_capturing() and cuda.get_current_stream() == s
        assert (x + 1).get().tolist() == [2] * 10
        with pytest.raises(CUDARuntimeError):
            s.end_capture()


def test_a_capture_goes_with_its_stream():
    for _ in range(3):
        s = cuda.Stream()
        s.begin_capture()
        del s
        assert (tb.ones(1000) + 1).sum().item() == 2000


def test_the_current_stream_after_a_device_changed():
    if cuda.runtime.getDeviceCount() < 2:
        pytest.skip("one device")
    s = cuda.Stream()
    with pytest.raises(ZeroDivisionError), s:
        cuda.Device(1).use()
        1 // 0
    cuda.Device(0).use()
    assert cuda.get_current_stream() == cuda.Stream.null


def test_products_of_structured_matrices(stream):
    host = np.random.default_rng(3).integers(1, 9, (16, 32)).astype("e")
    a, x, out = SemiStructured(tb.array(host)), tb.zeros((32, 8), "e"), tb.zeros((16, 8), "e")
    out[...] = a @ x
    stream.begin_capture()
    out[...] = a @ x
    graph = stream.end_capture()
    for n in 3, 4:
        x[...] = n
        graph.launch()
        stream.synchronize()
        np.testing.assert_array_equal(out.get(), a.todense().get() @ np.full((32, 8), n, "e"))


def test_memory_of_streams_that_are_gone_while_recording():
    gone = cuda.Stream(non_blocking=True)
    with gone:
        x = tb.ones(1 << 18) + 1
        gone.synchronize()
    del x, gone
    s = cuda.Stream(non_blocking=True)
    with s:
        y = tb.ones(1 << 18)
        s.synchronize()
        s.begin_capture()
        z = y + 1
        graph = s.end_capture()
    graph.launch(s)
    s.synchronize()
    assert z.sum().item() == 2 << 18
