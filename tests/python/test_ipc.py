"""Memory and events that are shared with another process, by cuda.runtime's ipc functions."""

import subprocess
import sys

import numpy as np
import pytest

import tombac as tb
from tombac import cuda

r = cuda.runtime
on_cpu = tb.config.backend() == "cpu"

CHILD = """
import sys
import numpy as np
import tombac as tb
from tombac import cuda
r = cuda.runtime
def say(*what):
    print(*what, flush=True)
def hear():
    return sys.stdin.readline().strip()
"""


@pytest.fixture
def child():
    """Starts another process with code; what it says line by line, and a function that tells it something."""
    processes = []

    def start(code):
        p = subprocess.Popen([sys.executable, "-c", CHILD + code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        processes.append(p)

        def tell(what=""):
            p.stdin.write(what + "\n")
            p.stdin.flush()

        return (lambda: p.stdout.readline().strip()), tell

    yield start
    for p in processes:
        p.stdin.close()
        p.stdout.close()
        p.wait(60)


@pytest.mark.parametrize("size", [100, 5000, 8 << 20])
def test_memory(child, size):
    data = np.random.default_rng(1).integers(0, 256, size).astype("u1")
    p = r.malloc(size)
    r.memcpy(p, data.ctypes.data, size, r.memcpyHostToDevice)
    handle = r.ipcGetMemHandle(p)
    assert len(handle) == 64 and r.ipcGetMemHandle(p) == handle
    hear, tell = child(f"""
size, handle = {size}, bytes.fromhex(hear())
p = r.ipcOpenMemHandle(handle)
assert r.ipcOpenMemHandle(handle) == p and r.pointerGetMemoryType(p) == r.memoryTypeDevice
x = tb.ndarray((size,), "u1", cuda.MemoryPointer(cuda.UnownedMemory(p, size, None), 0))
say(x.astype("u8").sum().item())
x += 1
cuda.Device().synchronize()
say("added")
hear()
say(x[0].item())
del x
r.ipcCloseMemHandle(p)
r.ipcCloseMemHandle(p)
try:
    r.ipcCloseMemHandle(p)
except r.CUDARuntimeError:
    say("closed")
""")
    tell(handle.hex())
    assert int(hear()) == data.sum(dtype="u8") and hear() == "added"
    back = np.zeros(size, "u1")
    r.memcpy(back.ctypes.data, p, size, r.memcpyDeviceToHost)
    assert (back == data + np.uint8(1)).all()
    r.memset(p, 9, size)
    r.deviceSynchronize()
    tell()
    assert hear() == "9" and hear() == "closed"
    r.free(p)


def test_an_array(child):
    """What the other process opens is the pool's block, as on a GPU; here the array begins it."""
    pool = cuda.MemoryPool()
    with cuda.using_allocator(pool.malloc):
        x = tb.arange(2_000_000, dtype="f")
    hear, tell = child("""
p = r.ipcOpenMemHandle(bytes.fromhex(hear()))
x = tb.ndarray((2_000_000,), "f", cuda.MemoryPointer(cuda.UnownedMemory(p, 8_000_000, None), 0))
x *= 2
cuda.Device().synchronize()
say(x[-1].item())
""")
    tell(r.ipcGetMemHandle(x.data.ptr).hex())
    assert float(hear()) == 2 * 1_999_999
    assert (x.get() == 2 * np.arange(2_000_000, dtype="f")).all()


@pytest.mark.skipif(not on_cpu, reason="a GPU's memory goes with the process that has it")
def test_memory_stays_as_long_as_it_is_open(child):
    p = r.malloc(4096)
    r.memset(p, 3, 4096)
    hear, tell = child("""
p = r.ipcOpenMemHandle(bytes.fromhex(hear()))
say("open")
hear()
x = tb.ndarray((4096,), "u1", cuda.MemoryPointer(cuda.UnownedMemory(p, 4096, None), 0))
say(x.sum().item())
""")
    tell(r.ipcGetMemHandle(p).hex())
    assert hear() == "open"
    r.free(p)
    again = r.malloc(4096)
    r.memset(again, 8, 4096)
    tell()
    assert int(hear()) == 3 * 4096
    r.free(again)


def test_handles_that_do_not_open(child):
    p = r.malloc(1 << 12)
    handle = r.ipcGetMemHandle(p)
    with pytest.raises((r.CUDARuntimeError, cuda.driver.CUDADriverError)) as e:
        r.ipcOpenMemHandle(handle)  # this very process's
    assert e.value.status == 201
    with pytest.raises(r.CUDARuntimeError):
        r.ipcOpenMemHandle(b"no handle")
    q = r.mallocAsync(1 << 12, 0)
    host = np.zeros(10)
    for pointer in (q, host.ctypes.data):
        with pytest.raises(r.CUDARuntimeError) as e:
            r.ipcGetMemHandle(pointer)
        assert e.value.status == 1
    r.freeAsync(q, 0)
    r.free(p)
    if on_cpu:
        hear, tell = child("""
try:
    r.ipcOpenMemHandle(bytes.fromhex(hear()))
except r.CUDARuntimeError as e:
    say(e.status)
""")
        tell(handle.hex())
        assert hear() == "205"


def test_event(child):
    """The other process's stream waits for this one's, in the order in which things were recorded."""
    import threading

    p, go, s = r.malloc(8), threading.Event(), cuda.Stream(non_blocking=True)
    event = cuda.Event(disable_timing=True, interprocess=True)
    r.memset(p, 0, 8)
    r.deviceSynchronize()
    hear, tell = child("""
p = r.ipcOpenMemHandle(bytes.fromhex(hear()))
e = r.ipcOpenEventHandle(bytes.fromhex(hear()))
say(r.eventQuery(e))
hear()
say(r.eventQuery(e))
s, seen = cuda.Stream(non_blocking=True), np.zeros(1)
r.streamWaitEvent(s.ptr, e)
say(s.done)
r.memcpyAsync(seen.ctypes.data, p, 8, r.memcpyDeviceToHost, s.ptr)
r.eventSynchronize(e)
s.synchronize()
say(r.eventQuery(e), seen[0])
r.eventRecord(e, s.ptr)
r.eventDestroy(e)
say("recorded")
""")
    tell(r.ipcGetMemHandle(p).hex())
    tell(r.ipcGetEventHandle(event.ptr).hex())
    assert hear() == "0"  # never recorded
    value = np.array([2.5])
    s.launch_host_func(lambda _: go.wait(60), None)
    r.memcpyAsync(p, value.ctypes.data, 8, r.memcpyHostToDevice, s.ptr)
    event.record(s)
    assert not event.done
    tell()
    assert hear() == "600" and hear() == "False"
    go.set()
    event.synchronize()
    assert event.done and hear() == "0 2.5" and hear() == "recorded" and event.done
    r.free(p)


def test_events_that_are_not_shared():
    with pytest.raises(r.CUDARuntimeError):
        r.ipcGetEventHandle(cuda.Event().ptr)
    with pytest.raises(r.CUDARuntimeError):
        r.ipcOpenEventHandle(bytes(64))
