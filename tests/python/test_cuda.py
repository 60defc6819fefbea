"""Devices, streams, events, the memory pool, and the run-time interface; on every backend."""

import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import tombac as tb
import tombacx
from tombac import cuda


def run(code, **env):
    return subprocess.run([sys.executable, "-c", code], env=os.environ | env, capture_output=True, text=True,
        check=True).stdout


def test_device():
    d = cuda.Device(0)
    assert repr(d) == str(d) == "<CUDA Device 0>" and int(d) == d.id == 0 and [10][d] == 10
    assert (
        d == cuda.Device(0) == cuda.Device() == cuda.Device(d)
        and d != cuda.Device(1)
        and hash(d) == hash(cuda.Device(0))
    )
    assert d < cuda.Device(1) and d != 0 and pickle.loads(pickle.dumps(d)) == d
    assert isinstance(d.compute_capability, str) and d.compute_capability.isdigit()
    free, total = d.mem_info
    assert 0 <= free <= total and total > 0
    assert all(isinstance(v, int) for v in d.attributes.values())
    d.synchronize()
    d.use()
    assert tb.ones(3).device == d
    with pytest.raises(TypeError):
        cuda.Device("a")


def test_device_as_a_context():
    with cuda.Device(0) as d, cuda.Device(0):
        assert cuda.Device() == d
    with pytest.raises(Exception):
        with cuda.Device(10**6):
            tb.zeros(1)
    assert cuda.Device().id == 0
    with pytest.raises(RuntimeError):
        cuda.Device(0).__exit__()


def test_several_devices():
    code = """
import tombac as tb
from tombac import cuda
assert cuda.runtime.getDeviceCount() == 2
with cuda.Device(1):
    x = tb.arange(3)
    s = cuda.Stream()
    with s:
        assert cuda.get_current_stream() == s
    assert cuda.get_current_stream(0) == cuda.Stream.null
assert x.device.id == 1 and cuda.Device().id == 0 and s.device_id == 1
try:
    s.use()
except ValueError:
    pass
else:
    raise AssertionError
assert tb.asarray(x).sum().item() == 3
"""
    run(code, TOMBAC_BACKEND="cpu", TOMBAC_CPU_DEVICES="2")


def test_null_stream():
    null = cuda.Stream.null
    assert (
        null == cuda.get_current_stream() == cuda.Stream(null=True)
        and null.ptr == 0
        and hash(null) == hash(cuda.Stream(null=True))
    )
    assert null.device_id == 0 and not null.is_non_blocking
    x = tb.arange(10) + 1
    null.synchronize()
    assert null.done and x.sum().item() == 55
    assert "null" in repr(null)


def test_streams():
    s = cuda.Stream(non_blocking=True)
    other = cuda.Stream(priority=-1)
    assert s != other and s != cuda.Stream.null and s == s and len({s, other, cuda.Stream.null}) == 3
    assert s.is_non_blocking and other.priority == -1
    with s as entered:
        assert entered is s and cuda.get_current_stream() == s
        x = tb.arange(1000.0) * 2
        with other:
            assert cuda.get_current_stream() == other
        assert cuda.get_current_stream() == s
    assert cuda.get_current_stream() == cuda.Stream.null
    s.synchronize()
    assert s.done and x.sum().item() == 999000
    assert s.use() is s and cuda.get_current_stream() == s
    cuda.Stream.null.use()
    assert s.__cuda_stream__() == (0, s.ptr)
    assert not s.is_capturing()
    with pytest.raises(RuntimeError):
        s.__exit__()


def test_a_stream_goes_away_while_it_is_current():
    cuda.Stream().use()
    x = tb.ones(10) + 1
    cuda.Stream.null.use()
    assert x.sum().item() == 20


def test_streams_belong_to_threads():
    s = cuda.Stream()
    seen = []
    with s:
        t = threading.Thread(target=lambda: seen.append(cuda.get_current_stream()))
        t.start()
        t.join()
    assert seen == [cuda.Stream.null]


def test_external_streams():
    s = cuda.Stream()
    assert cuda.ExternalStream(0) == cuda.Stream.null
    if s.ptr:
        external = cuda.ExternalStream(s.ptr)
        assert external == s and hash(external) == hash(s)
        with external:
            x = tb.ones(3) + 1
        external.synchronize()
        assert x.sum().item() == 6
    assert isinstance(cuda.Stream.from_external(s), cuda.ExternalStream)


def test_callbacks():
    s, seen = cuda.Stream(), []
    with s:
        tb.ones(10) + 1
    s.add_callback(lambda stream, status, arg: seen.append((stream, status, arg)), 5)
    s.launch_host_func(seen.append, 7)
    s.synchronize()
    assert seen == [(s, 0, 5), 7]


def test_events():
    start, stop = cuda.Event(), cuda.Event()
    start.record()
    x = tb.sin(tb.arange(1000.0)) + 1
    stop.record(cuda.Stream.null)
    stop.synchronize()
    assert start.done and stop.done and cuda.get_elapsed_time(start, stop) >= 0
    e = cuda.get_current_stream().record()
    assert isinstance(e, cuda.Event)
    s = cuda.Stream()
    s.wait_event(e)
    assert s.record(stop) is stop
    np.testing.assert_allclose(x.get(), np.sin(np.arange(1000.0)) + 1, rtol=1e-12, atol=1e-15)
    assert isinstance(e.ptr, int)


def test_event_errors():
    quiet = cuda.Event(disable_timing=True)
    quiet.record()
    with pytest.raises((ValueError, cuda.runtime.CUDARuntimeError)):
        cuda.get_elapsed_time(quiet, quiet)
    with pytest.raises((ValueError, cuda.runtime.CUDARuntimeError)):
        cuda.get_elapsed_time(cuda.Event(), cuda.Event())
    with pytest.raises(TypeError):
        quiet.record(5)
    with pytest.raises(TypeError):
        cuda.Stream.null.wait_event(5)
    with pytest.raises(TypeError):
        cuda.get_elapsed_time(1, 2)


def test_pool_statistics():
    pool = tb.get_default_memory_pool()
    assert isinstance(pool, cuda.MemoryPool)
    pool.free_all_blocks()
    used = pool.used_bytes()
    a = tb.array(np.zeros(100, "f"))
    assert pool.used_bytes() == used + 512
    b = tb.ones(1000)
    assert pool.used_bytes() >= used + 512 + 8000
    del a, b
    assert pool.used_bytes() == used
    assert pool.total_bytes() == pool.used_bytes() + pool.free_bytes()
    assert pool.n_free_blocks() >= 1
    held = pool.total_bytes()
    pool.free_all_blocks()
    assert pool.total_bytes() <= held
    pinned = tb.get_default_pinned_memory_pool()
    pinned.free_all_blocks()
    assert pinned.n_free_blocks() == 0


def test_pool_limit():
    pool = tb.get_default_memory_pool()
    before = pool.get_limit()
    try:
        pool.free_all_blocks()
        pool.set_limit(size=pool.total_bytes() + 2**20)
        assert pool.get_limit() == pool.total_bytes() + 2**20
        wanted = pool.total_bytes() + 2**21  # more than may be free in blocks of which others hold a part
        with pytest.raises(cuda.memory.OutOfMemoryError) as e:
            tb.empty(wanted, "b").data
        assert isinstance(e.value, MemoryError) and str(wanted) in str(e.value).replace(",", "")
        assert tb.ones(10).sum().item() == 10
        pool.set_limit(fraction=0.5)
        assert pool.get_limit() == cuda.Device().mem_info[1] // 2
    finally:
        pool.set_limit(size=before)
    for bad in ({}, {"size": 1, "fraction": 0.5}, {"fraction": 2}, {"size": -1}):
        with pytest.raises(ValueError):
            pool.set_limit(**bad)


def test_pool_limit_from_the_environment():
    code = "import tombac; print(tombac.get_default_memory_pool().get_limit())"
    assert run(code, TOMBAC_GPU_MEMORY_LIMIT="1073741824").strip() == "1073741824"


def test_allocators():
    assert cuda.get_allocator() == tb.get_default_memory_pool().malloc
    pool = cuda.MemoryPool()
    cuda.set_allocator(pool.malloc)
    assert cuda.get_allocator() == pool.malloc
    cuda.set_allocator(tb.get_default_memory_pool().malloc)
    with cuda.using_allocator(pool.malloc):
        assert tb.ones(3).sum().item() == 3
    assert cuda.get_allocator() == tb.get_default_memory_pool().malloc


def test_memory_pointers():
    p = cuda.alloc(80)
    x = tb.ndarray((10,), "d", p)
    x[...] = 2
    assert x.sum().item() == 20 and x.data.ptr == p.ptr
    with pytest.raises(ValueError):
        cuda.alloc(-1)


def test_host_memory():
    h = tombacx.empty_pinned((10,), "f")
    h[...] = 3
    assert tb.array(h).sum().item() == 30
    assert tombacx.zeros_like_pinned(tb.ones((2, 3), "i")).dtype == np.int32
    p = cuda.alloc_pinned_memory(16)
    np.frombuffer(p, "B")[:] = 7
    assert bytes(p)[:16] == b"\7" * 16 and p.size() >= 16 and p.ptr


def test_runtime():
    r = cuda.runtime
    assert r.getDeviceCount() >= 1 and r.getDevice() == 0
    r.setDevice(0)
    r.deviceSynchronize()
    r.streamSynchronize(0)
    free, total = r.memGetInfo()
    assert free <= total
    p = r.getDeviceProperties(0)
    assert isinstance(p["name"], bytes) and p["totalGlobalMem"] == total and p["warpSize"] > 0
    assert r.deviceGetAttribute(r.deviceAttributeComputeCapabilityMajor, 0) == p["major"]
    assert isinstance(r.driverGetVersion(), int) and isinstance(r.runtimeGetVersion(), int)
    assert (r.driverGetVersion() >= 11000) == (tb.config.backend() == "cuda")
    assert issubclass(r.CUDARuntimeError, RuntimeError)
    with pytest.raises((ValueError, r.CUDARuntimeError)):
        r.setDevice(10**6)
    assert cuda.is_available() and tb.is_available()


def test_a_backend_that_is_not_there():
    code = """
import tombac as tb
try:
    tb.ones(3)
except Exception as e:
    print(type(e).__name__, e)
"""
    text = run(code, TOMBAC_BACKEND="nope")
    assert "nope" in text


def test_importing_needs_no_device():
    code = "import tombac, tombac.cuda, tombac.random, tombac.linalg; print(tombac.config.counters()['launches'])"
    assert run(code, TOMBAC_BACKEND="nope").strip() == "0"


def test_benchmark():
    r = tombacx.profiler.benchmark(tb.ones((64, 64)).sum, (), n_repeat=10)
    assert len(r.cpu_times) == 10 and r.gpu_times.shape == (1, 10)
    assert "CPU:" in str(r) and "GPU-0:" in str(r) and "us" in str(r)
    assert len(tombacx.profiler.benchmark(lambda: None, n_repeat=10**9, max_duration=0.01).cpu_times) < 10**9
    with tombacx.profiler.profile(), tombacx.profiler.time_range("x", sync=True):
        pass


def test_show_config():
    out = run("import tombac; tombac.show_config()")
    assert "NumPy" in out and "CUDA" in out and "tombac" in out
    assert "NumPy" in tombacx.get_runtime_info()


def test_error_state():
    assert tombacx.geterr()["linalg"] == "ignore"
    with tombacx.errstate(linalg="raise"):
        assert tombacx.geterr()["linalg"] == "raise"
    assert tombacx.geterr()["linalg"] == "ignore"
    with pytest.raises(NotImplementedError):
        tombacx.seterr(divide="raise")
    with pytest.raises(ValueError):
        tombacx.seterr(linalg="nope")


@pytest.mark.parametrize("how", ["script", "module"])
def test_a_cupy_program_runs_unchanged(tmp_path, how):
    (tmp_path / "program.py").write_text("""
import sys
import cupy as cp, cupyx, cupy.random
import cupy.linalg as la
from cupyx.profiler import benchmark
from cupy.cuda import Device
import tombac
assert cp is tombac and cp.__name__ == "tombac" and la is tombac.linalg and __name__ == "__main__"
print(float(cp.sqrt(cp.arange(10.0)).sum()), sys.argv[1:])
try:
    import cupy.nothing
except ModuleNotFoundError:
    print("missing")
""")
    what = ["program.py"] if how == "script" else ["-m", "program"]
    out = subprocess.run([sys.executable, "-m", "tombac", *what, "a", "b"], cwd=tmp_path, env=os.environ | {
        "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}, capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    assert out.stdout.splitlines()[0] == f"{np.sqrt(np.arange(10.0)).sum()} ['a', 'b']" and "missing" in out.stdout


def test_errors_by_their_status():
    e = cuda.runtime.CUDARuntimeError(1)
    assert e.status == 1 and str(e) == "cudaErrorInvalidValue: invalid argument" and isinstance(e, RuntimeError)
    assert cuda.runtime.CUDARuntimeError(status=12345).status == 12345
    with pytest.raises(cuda.runtime.CUDARuntimeError) as caught:
        cuda.runtime.check_status(400)
    assert caught.value.status == 400 and "cudaErrorInvalidResourceHandle" in str(caught.value)
    with pytest.raises(cuda.runtime.CUDARuntimeError) as caught:
        cuda.Device(10**6).use()
    for error in (e, caught.value):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and again.status == error.status and str(again) == str(error)
