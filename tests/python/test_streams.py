"""Order of work on streams: host functions, events, waiting, threads, forks."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import tombac as tb
from tombac import cuda


class Gate:
    """A host function that waits until the test opens it."""

    def __init__(self, stream):
        self.event, self.passed = threading.Event(), []
        stream.launch_host_func(self.wait, "through")

    def wait(self, arg):
        assert self.event.wait(120)
        self.passed.append(arg)

    def open(self):
        self.event.set()


def run(code, **env):
    return subprocess.run([sys.executable, "-c", code], env=os.environ | env, capture_output=True, text=True,
        check=True, timeout=120).stdout


def test_host_functions_run_in_order():
    s, seen = cuda.Stream(non_blocking=True), []
    for i in range(20):
        s.launch_host_func(seen.append, i)
    s.add_callback(lambda stream, status, arg: seen.append((stream, status, arg)), 5)
    s.synchronize()
    assert seen == [*range(20), (s, 0, 5)]


def test_a_host_function_may_wait_for_the_caller():
    def two_more():
        x = tb.arange(5.0) + 1
        x += 1
        return x

    s = cuda.Stream(non_blocking=True)
    with s:
        two_more().get()  # the first use of a kernel may wait for the device
        gate = Gate(s)
        x = two_more()
        mark = s.record()
    assert not s.done and not mark.done and gate.passed == []
    gate.open()
    s.synchronize()
    assert s.done and mark.done and gate.passed == ["through"]
    assert x.get().tolist() == [2, 3, 4, 5, 6]


def test_more_launches_than_a_queue_holds_behind_a_host_function():
    """A stream's queue of the driver holds some thousand launches, and who enqueues more waits."""
    s = cuda.Stream(non_blocking=True)
    kernel = tb.RawKernel('extern "C" __global__ void f(int *x) { x[0]++; }', "f")
    x, y, event = tb.zeros(2, "i"), tb.zeros(3), cuda.Event()
    with s:
        kernel((1,), (1,), (x,))
        s.synchronize()
        gate = Gate(s)
        threading.Timer(0.1, gate.open).start()
        for _ in range(3000):
            kernel((1,), (1,), (x,))
            y += 1
            y.data
            event.record()
        assert x.get().tolist() == [3001, 0] and y.get().tolist() == [3000] * 3
    assert gate.passed == ["through"]


def test_the_first_use_of_a_kernel_behind_a_host_function():
    s, other = cuda.Stream(non_blocking=True), cuda.Stream(non_blocking=True)
    gate = Gate(s)
    threading.Timer(0.1, gate.open).start()
    with other:
        x = tb.arctan2(tb.sinh(tb.arange(7.0) - 3), tb.cosh(tb.arange(7.0)))
        other.done  # noqa: B018 - enqueues
    s.synchronize()
    other.synchronize()
    assert gate.passed == ["through"]
    np.testing.assert_allclose(x.get(), np.arctan2(np.sinh(np.arange(7.0) - 3), np.cosh(np.arange(7.0))), rtol=1e-14)


def test_a_host_function_sees_the_work_before_it():
    s, seen = cuda.Stream(non_blocking=True), []
    out = np.zeros(1000)
    with s:
        x = tb.arange(1000.0)
        y = tb.sqrt(x) + 1
        y.get(out=out, blocking=False)
        s.launch_host_func(lambda a: seen.append(a.sum()), out)
    s.synchronize()
    np.testing.assert_allclose(seen, [(np.sqrt(np.arange(1000.0)) + 1).sum()], rtol=1e-12)


def test_reading_waits_for_the_host_function():
    s = cuda.Stream(non_blocking=True)
    with s:
        x = tb.zeros(3)
        gate = Gate(s)
        x += 1
        threading.Timer(0.05, gate.open).start()
        assert x.get().tolist() == [1, 1, 1] and gate.passed == ["through"]
        gate = Gate(s)
        x *= 2
        threading.Timer(0.05, gate.open).start()
        assert x.sum().item() == 6 and gate.passed == ["through"]


def test_events_order_streams():
    a, b = cuda.Stream(non_blocking=True), cuda.Stream(non_blocking=True)
    x = tb.full(100, 3.0)
    x.data  # noqa: B018 - the first use of a kernel may wait for the device
    (x * 2).get()
    gate = Gate(a)
    with a:
        x = tb.full(100, 3.0)
        e = a.record()
    b.wait_event(e)
    with b:
        y = x * 2
        done = b.record()
    assert not done.done
    gate.open()
    b.synchronize()
    assert e.done and done.done and y.sum().item() == 600


def test_the_null_stream_waits_for_blocking_streams():
    blocking, free = cuda.Stream(), cuda.Stream(non_blocking=True)
    x = tb.zeros(3)
    x.data  # noqa: B018 - the first use of a kernel may wait for the device

    def work_behind_a_gate(stream):  # while a host function runs, CUDA counts a stream with nothing behind it as idle
        for made in (lambda: None, lambda: Gate(stream)):  # kernels are loaded the first time
            gate = made()
            with stream:
                np.add(x, 1, out=x)
                x.data  # noqa: B018
        return gate

    gate = work_behind_a_gate(blocking)
    mark, other = cuda.Event(), cuda.Event()
    mark.record(cuda.Stream.null)
    other.record(free)
    free.synchronize()
    assert other.done and not mark.done and not cuda.Stream.null.done
    gate.open()
    cuda.Stream.null.synchronize()
    assert mark.done and gate.passed == ["through"]
    gate = work_behind_a_gate(cuda.Stream.null)
    assert not gate.passed
    later = blocking.record()
    assert not later.done
    gate.open()
    cuda.Device().synchronize()
    assert later.done


def test_event_times_are_real():
    s = cuda.Stream(non_blocking=True)
    start = s.record()
    gate = Gate(s)
    stop = s.record()
    with pytest.raises(cuda.runtime.CUDARuntimeError) as e:
        cuda.get_elapsed_time(start, stop)
    assert e.value.status == 600
    threading.Timer(0.1, gate.open).start()
    stop.synchronize()
    assert 50 < cuda.get_elapsed_time(start, stop) < 30000


def test_an_exception_in_a_host_function_is_reported(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda u: seen.append(u.exc_type))
    s = cuda.Stream()
    s.launch_host_func(lambda _: 1 / 0, None)
    s.launch_host_func(seen.append, "next")
    s.synchronize()
    assert seen == [ZeroDivisionError, "next"]
    with pytest.raises(TypeError):
        s.launch_host_func(5, None)


def test_arguments_of_host_functions_are_let_go():
    import gc
    import weakref

    class Thing:
        pass

    thing, s = Thing(), cuda.Stream()
    ref = weakref.ref(thing)
    s.launch_host_func(lambda t: None, thing)
    s.synchronize()
    del thing
    for _ in range(1000):
        if ref() is None:
            break
        gc.collect()
        s.launch_host_func(lambda t: None, None)
        s.synchronize()
    assert ref() is None


def test_memory_is_not_reused_too_early():
    def sum_of_roots(value):
        x = tb.full(1000, value)
        return tb.sqrt(x * x).sum()

    s = cuda.Stream(non_blocking=True)
    with s:
        sum_of_roots(0.0).item()
        gate = Gate(s)
        results = [sum_of_roots(float(i)) for i in range(50)]
    assert gate.passed == []
    threading.Timer(0.1, gate.open).start()
    tb.get_default_memory_pool().free_all_blocks()  # may wait for the device
    s.synchronize()
    assert [r.item() for r in results] == [1000.0 * i for i in range(50)]


def test_per_thread_streams():
    p = cuda.Stream.ptds
    assert p == cuda.Stream(ptds=True) and p != cuda.Stream.null and p.ptr != 0 and hash(p) != hash(cuda.Stream.null)
    seen = [p.ptr]
    t = threading.Thread(target=lambda: seen.append(cuda.Stream.ptds.ptr))
    t.start()
    t.join()
    assert seen[0] == p.ptr and len(set(seen)) == 2
    with p:
        x = tb.ones(3) + 1
        assert cuda.get_current_stream().ptr == p.ptr
    p.synchronize()
    assert x.sum().item() == 6 and "per thread" in repr(p)


def test_external_streams_are_the_same_stream():
    s = cuda.Stream(non_blocking=True, priority=-1)
    external = cuda.ExternalStream(s.ptr)
    assert external == s and external.is_non_blocking and external.priority == s.priority
    gate = Gate(s)
    assert not external.done
    gate.open()
    external.synchronize()
    assert s.done
    if tb.config.backend() == "cpu":
        with pytest.raises(cuda.runtime.CUDARuntimeError) as e:
            cuda.ExternalStream(64)
        assert e.value.status == 400


def test_eight_threads_launch_on_their_own_streams():
    results, errors = [None] * 8, []

    def work(i):
        try:
            s, x = cuda.Stream(non_blocking=True), None
            with s:
                x = tb.full(10000, float(i))
                for _ in range(50):
                    x = tb.sqrt(x * x) + 1
                    x -= 1
                seen = []
                s.launch_host_func(seen.append, i)
                s.synchronize()
                assert seen == [i]
                results[i] = x.sum().item()
        except Exception as e:
            errors.append(e)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors and results == [10000.0 * i for i in range(8)]


FORK = """
import os, sys, threading
import tombac as tb
from tombac import cuda
x = tb.arange(100000.0)
assert x.sum().item() == 4999950000.0
s = cuda.Stream()
s.launch_host_func(lambda _: None, None)
s.synchronize()
pid = os.fork()
if pid == 0:
    try:
        y = (tb.arange(100000.0) + 1).sum().item()
        cuda.Device().synchronize()
        print("result", y, flush=True)
    except cuda.runtime.CUDARuntimeError as e:
        print("error", e, flush=True)
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
assert x.sum().item() == 4999950000.0
print("parent")
"""


def test_fork():
    out = run(FORK).splitlines()
    assert out[-1] == "parent" and len(out) == 2
    if tb.config.backend() == "cpu":
        assert out[0] == "result 5000050000.0"
    else:
        assert out[0].startswith("error") and "fork" in out[0] and "spawn" in out[0]


def test_interprocess_events_need_no_timing():
    with pytest.raises(cuda.runtime.CUDARuntimeError):
        cuda.Event(interprocess=True)
    assert cuda.Event(interprocess=True, disable_timing=True).ptr
