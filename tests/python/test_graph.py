"""Work that is recorded and launched again."""

import threading

import numpy as np
import pytest

import tombac as tb
from tombac import cuda

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
    stream.launch_host_func(lambda _: gate.wait(30), None)
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
