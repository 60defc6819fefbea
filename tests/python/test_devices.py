"""Several devices: those of the CPU backend in a process of their own, or the GPUs there are."""

import os
import subprocess
import sys

import pytest

import tombac as tb
from tombac import cuda


def run(code):
    env = os.environ | ({"TOMBAC_CPU_DEVICES": "2"} if tb.config.backend() == "cpu" else {})
    if tb.config.backend() != "cpu" and cuda.runtime.getDeviceCount() < 2:
        pytest.skip("one device")
    out = subprocess.run([sys.executable, "-W", "error", "-c", "import numpy as np\nimport tombac as tb\n"
        "from tombac import cuda\n" + code], env=env, capture_output=True, text=True, timeout=300)
    assert out.returncode == 0, out.stderr
    return out.stdout


def test_arrays_know_their_device():
    run("""
with cuda.Device(1):
    x = tb.arange(5.0)
    y = x * 2 + 1
    z = y[1:3]
assert x.device.id == y.device.id == z.device.id == 1 and cuda.Device().id == 0
assert y.get().tolist() == [1, 3, 5, 7, 9] and y[2].item() == 5
assert z.get().tolist() == [3, 5]
""")


def test_copies_between_devices():
    run("""
with cuda.Device(1):
    x = tb.arange(1000.0) + 1
    t = x.reshape(10, 100).T
y = tb.asarray(x)
assert y.device.id == 0 and (y.get() == np.arange(1000) + 1).all()
u = tb.array(t)
assert u.device.id == 0 and (u.get() == (np.arange(1000.0) + 1).reshape(10, 100).T).all()
z = y * 2
with cuda.Device(1):
    back = tb.asarray(z)
    assert back.device.id == 1 and back.sum().item() == 1001000
r = cuda.runtime
r.memcpyPeer(y.data.ptr, 0, x.data.ptr, 1, 8000)
assert (y.get() == x.get()).all()
""")


def test_peers():
    run("""
r = cuda.runtime
assert r.deviceCanAccessPeer(0, 0) == 0
if r.deviceCanAccessPeer(0, 1):
    r.deviceEnablePeerAccess(1)
    try:
        r.deviceEnablePeerAccess(1)
    except r.CUDARuntimeError as e:
        assert e.status == 704
    else:
        raise AssertionError
    r.deviceDisablePeerAccess(1)
    import warnings
    warnings.simplefilter("ignore")
    with cuda.Device(1):
        x = tb.arange(3.0)
        x.data
    for _ in range(2):  # enabled where it is needed, again after it has been disabled
        assert (x + 1).get().tolist() == [1, 2, 3]
        if tb.config.backend() != "cpu":  # which needs no access to be enabled
            r.deviceDisablePeerAccess(1)
""")


def test_streams_and_events_of_devices():
    run("""
with cuda.Device(1):
    s = cuda.Stream(non_blocking=True)
    with s:
        x = tb.ones(100) + 1
        e = s.record()
    seen = []
    s.launch_host_func(seen.append, 1)
other = cuda.Stream()
other.wait_event(e)
s.synchronize()
assert s.device_id == 1 and other.device_id == 0 and seen == [1] and x.get().sum() == 200
try:
    cuda.Event().record(s)
except ValueError as error:
    assert "device" in str(error)
else:
    raise AssertionError
with cuda.Device(1):
    cuda.Stream.null.synchronize()
cuda.Device(1).synchronize()
""")


def test_nested_contexts_and_threads():
    run("""
import threading
with cuda.Device(1):
    with cuda.Device(0):
        assert cuda.Device().id == 0
    assert cuda.Device().id == 1
    seen = []
    t = threading.Thread(target=lambda: seen.append(cuda.Device().id))
    t.start(); t.join()
    assert seen == [0]
cuda.Device(1).use()
assert cuda.runtime.getDevice() == 1 and tb.zeros(3).device.id == 1
cuda.runtime.setDevice(0)
try:
    cuda.Device(10**6).use()
except cuda.runtime.CUDARuntimeError as e:
    assert e.status == 101
else:
    raise AssertionError
""")


def test_attributes():
    d = cuda.Device(0)
    a = d.attributes
    assert a["WarpSize"] == 32 and a["MaxThreadsPerBlock"] >= 512 and len(a) >= 10
    assert d.pci_bus_id.count(":") == 2 and cuda.Device.from_pci_bus_id(d.pci_bus_id) == d
    assert sorted([cuda.Device(1), d]) == [d, cuda.Device(1)] and len({d, cuda.Device(0)}) == 1


def test_operands_of_another_device():
    run("""
import warnings
from tombac._util import PerformanceWarning
f = tb.ElementwiseKernel("T x, T y", "T z", "z = x + 2 * y", "two_devices")
r = tb.ReductionKernel("T x", "T y", "x * x", "a + b", "y = a", "0", "squares")
raw = tb.RawKernel("extern \\"C\\" __global__ void twice(double *x, const double *y) "
    "{ x[threadIdx.x] = 2 * y[threadIdx.x]; }", "twice")
with cuda.Device(1):
    x = tb.arange(6.0) + 1
    stored = tb.arange(6.0)
    stored.data
h = np.arange(6.0)
def into(y, out):
    raw((1,), (6,), (out, y))
    return out
calls = [lambda: x + tb.ones(6), lambda: stored.sum(), lambda: tb.maximum(x, 3).sum(), lambda: tb.dot(stored, stored),
    lambda: f(tb.ones(6), stored), lambda: r(stored), lambda: into(stored, tb.zeros(6)),
    lambda: tb.add(tb.ones(6), 1, out=x), lambda: stored[1:4] * 2]
want = [h + 2, h.sum(), np.maximum(h + 1, 3).sum(), h @ h, 1 + 2 * h, h @ h, 2 * h, np.full(6, 2.0), h[1:4] * 2]
can = cuda.runtime.deviceCanAccessPeer(0, 1)
for call, value in zip(calls, want):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            got = call()
        except ValueError as e:
            assert not can and "device" in str(e)
            continue
    assert can and seen and seen[0].category is PerformanceWarning and "activated automatically" in str(seen[0].message)
    assert (got.get() == value).all()
    if can:
        try:
            call()
        except PerformanceWarning:
            pass
        else:
            raise AssertionError("-W error")
# Copies, and what reads an array of another device to the host, are no such use.
assert (stored.get() == h).all() and stored[2].item() == 2 and (stored[::2].get() == h[::2]).all() and str(stored)
assert stored.copy().device.id == 0 and stored.astype("f").device.id == 0
""")


def test_copies_of_views_and_orders():
    run("""
with cuda.Device(1):
    x = (tb.arange(24.0) + 1).reshape(2, 3, 4)
    views = [x, x.T, x[:, ::2], x.transpose(1, 0, 2), x[0, 1, 2], x[:0], tb.asfortranarray(x),
        tb.broadcast_to(x, (5, 2, 3, 4))]
for v in views:
    for order in "CFAK":
        y = tb.array(v, order=order)
        n = np.array(v.get(), order=order)
        assert y.device.id == 0 and (y.get() == n).all() and y.shape == n.shape
        if order in "CF":
            assert y.flags.c_contiguous == n.flags.c_contiguous and y.flags.f_contiguous == n.flags.f_contiguous
    z = tb.asarray(v, dtype="f")
    assert z.dtype == np.float32 and (z.get() == v.get()).all() and z.device.id == 0
with cuda.Device(1):
    s = cuda.Stream(non_blocking=True)
    with s:
        big = tb.arange(1 << 20) * 3
y = tb.asarray(big)
del big
with cuda.Device(1), s:
    tb.zeros(1 << 20, int).data
assert (y.get() == 3 * np.arange(1 << 20)).all()
""")


def test_work_of_every_kind_on_another_device():
    run("""
import threading
h = np.arange(1 << 16, dtype="f") / 7
r = np.random.default_rng(0).random((96, 96))
module = tb.RawModule(code="__constant__ int c[2]; extern \\"C\\" __global__ void f(int *x) { x[threadIdx.x] = c[1]; }")
f = tb.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[_ind.size() - 1 - i]", "and_reversed")
def work():
    x, m = tb.asarray(h), tb.asarray(r)
    assert np.allclose(tb.tanh(tb.sin(x) + 0.1 * x).get(), np.tanh(np.sin(h) + np.float32(0.1) * h), 1e-5, 1e-6)
    assert np.allclose((m @ m).get(), r @ r) and np.allclose(m.sum(axis=0).get(), r.sum(axis=0))
    assert np.allclose(tb.cumsum(m).get(), np.cumsum(r)) and (f(x, x).get() == h + h[::-1]).all()
    i = np.argsort(r[0])
    assert (m[0][tb.asarray(i)].get() == r[0][i]).all() and (x[x > 100].get() == h[h > 100]).all()
    y = tb.zeros(10, "i")
    y[tb.asarray([1, 3])] = 5
    tb.add.at(y, tb.asarray([0, 0, 9]), 2)
    assert y.get().tolist() == [4, 5, 0, 5, 0, 0, 0, 0, 0, 2]
    a, b = tb.random.default_rng(3).random(100), tb.random.default_rng(3).random(100)
    assert (a.get() == b.get()).all() and 0 < tb.random.random(1000).mean().item() < 1
    c = tb.ndarray(2, "i", module.get_global("c"))
    c[:] = tb.asarray([3, 4], "i")
    z = tb.zeros(5, "i")
    module.get_function("f")((1,), (5,), (z,))
    assert z.get().tolist() == [4] * 5
    s = cuda.Stream(non_blocking=True)
    q = tb.zeros(7)
    q.data
    cuda.Stream.null.synchronize()
    with s:
        s.begin_capture()
        q += 1
        graph = s.end_capture()
        graph.launch(s)
        graph.launch(s)
    s.synchronize()
    assert q.get().tolist() == [2] * 7
    assert {v.device.id for v in (x, m, y, a, z, q)} == {cuda.Device().id}
def on(device, failed):
    try:
        with cuda.Device(device):
            for _ in range(3):
                work()
    except BaseException as e:
        failed.append(e)
failed = []
on(1, failed)
on(0, failed)
threads = [threading.Thread(target=on, args=(k % 2, failed)) for k in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
if failed:
    raise failed[0]
""")


def test_memory_of_the_drivers_pools_on_another_device():
    run("""
import warnings
warnings.simplefilter("ignore")
x = tb.zeros(5)
for pools in ("current", "default"):
    allocator = cuda.MemoryAsyncPool(pools)
    with cuda.Device(1), cuda.using_allocator(allocator.malloc):
        y = tb.arange(5.0) + 1
        y.data
    assert tb.asarray(y).get().tolist() == [1, 2, 3, 4, 5]
    if cuda.runtime.deviceCanAccessPeer(0, 1):
        x += y
assert not cuda.runtime.deviceCanAccessPeer(0, 1) or x.get().tolist() == [2, 4, 6, 8, 10]
""")


def test_devices_wait_for_one_another():
    """Operands that their own device has yet to make, and to overwrite once they have been read."""
    run("""
import warnings
warnings.simplefilter("ignore")
n = 10007
with cuda.Device(1):
    large = tb.ones((1200, 1200))
h = np.arange(n, dtype="d")
def late():
    with cuda.Device(1):
        y = large
        for _ in range(4):
            y = y @ large * 1e-3
        x = y.ravel()[:n] * 0 + tb.arange(n, dtype="d")
        x.data
    return x
def write(x, f):
    f(x)
    return x
pick = np.arange(0, n, 7)
calls = [(lambda x: x + 1, h + 1), (lambda x: x.sum(), h.sum()), (lambda x: x[5:-3:3] * 2, h[5:-3:3] * 2),
    (lambda x: tb.sort(-x), -h[::-1]), (lambda x: tb.argsort(-x), n - 1 - np.arange(n)),
    (lambda x: tb.median(x), n // 2),
    (lambda x: tb.percentile(x, 50), n // 2),
    (lambda x: x[tb.asarray(pick)], pick), (lambda x: x[x > 5000], h[5001:]),
    (lambda x: tb.cumsum(x), np.cumsum(h)), (lambda x: tb.searchsorted(x, tb.asarray(h)), h),
    (lambda x: tb.dot(x, x), h @ h), (lambda x: tb.fft.fft(x), np.fft.fft(h)),
    (lambda x: write(x, lambda x: x.sort()), h), (lambda x: write(x, lambda x: tb.add(x, 1, out=x)), h + 1),
    (lambda x: write(x, lambda x: x.__setitem__(tb.asarray(pick), 0)), np.where(np.arange(n) % 7, h, 0)),
    (lambda x: write(x, lambda x: x.__setitem__(tb.arange(n) > 9, 1)), np.where(np.arange(n) > 9, 1, h))]
for fusion in (False, True, "all"):
    with tb.config.fusion(fusion):
        for k, (call, want) in enumerate(calls):
            x = late()
            got = call(x)
            if got is not x:
                with cuda.Device(1):
                    x.fill(-1)
            np.testing.assert_allclose(got.get(), want, 1e-9, err_msg=f"{k} {fusion}")
""")
