"""CUDA's run-time interface by CuPy's names; NVRTC, NVTX, textures, the profiler's functions."""

import os
import pickle
import threading
import warnings

import numpy as np
import pytest

import tombac as tb
import tombacx
from tombac import cuda

r = cuda.runtime
on_cpu = tb.config.backend() == "cpu"


def test_memory():
    n = 1000
    host, back = np.arange(n, dtype="d"), np.zeros(n)
    p, q = r.malloc(host.nbytes), r.malloc(host.nbytes)
    r.memcpy(p, host.ctypes.data, host.nbytes, r.memcpyHostToDevice)
    r.memcpyAsync(q, p, host.nbytes, r.memcpyDeviceToDevice, 0)
    r.memcpy(back.ctypes.data, q, host.nbytes, r.memcpyDeviceToHost)
    assert (back == host).all()
    r.memset(p, 0, 8 * 10)
    r.memsetAsync(p + 80, 255, 80, 0)
    r.memcpy(back.ctypes.data, p, host.nbytes, r.memcpyDefault)
    assert (back[:10] == 0).all() and np.isnan(back[10:20]).all() and (back[20:] == host[20:]).all()
    r.memcpyPeer(q, 0, p, 0, 80)
    r.memcpyPeerAsync(q, 0, p, 0, 80, 0)
    r.free(p)
    r.free(q)
    r.free(0)
    assert r.malloc(0) == 0
    with pytest.raises(r.CUDARuntimeError) as e:
        r.free(64)
    assert e.value.status == 1


def test_rows():
    host, back = np.arange(60, dtype="d").reshape(6, 10), np.zeros((6, 4))
    p = r.malloc(host.nbytes)
    r.memcpy(p, host.ctypes.data, host.nbytes, r.memcpyHostToDevice)
    r.memcpy2D(back.ctypes.data, 32, p + 16, 80, 32, 6, r.memcpyDeviceToHost)
    assert (back == host[:, 2:6]).all()
    r.memcpy2DAsync(p, 80, back.ctypes.data, 32, 32, 6, r.memcpyHostToDevice, 0)
    r.deviceSynchronize()
    r.memcpy(host.ctypes.data, p, host.nbytes, r.memcpyDeviceToHost)
    assert (host[:, :4] == back).all()
    r.free(p)


def test_copies_see_deferred_work():
    x, back = tb.arange(10.0), np.zeros(10)
    r.deviceSynchronize()
    p = x.data.ptr
    x += 1
    r.memcpy(back.ctypes.data, p, 80, r.memcpyDeviceToHost)
    assert (back == np.arange(10) + 1).all()


def test_pointers():
    p, m, h = r.malloc(100), r.mallocManaged(100), r.hostAlloc(100, r.hostAllocDefault)
    x, host = tb.ones(10), np.zeros(10)
    assert r.pointerGetAttributes(p).type == r.memoryTypeDevice
    assert r.pointerGetAttributes(p).device == 0 and r.pointerGetAttributes(p).devicePointer == p
    assert r.pointerGetMemoryType(m) == r.memoryTypeManaged and r.pointerGetMemoryType(h) == r.memoryTypeHost
    assert r.pointerGetAttributes(x.data.ptr).type == r.memoryTypeDevice
    assert r.pointerGetAttributes(host.ctypes.data).type == r.memoryTypeUnregistered
    r.hostRegister(host.ctypes.data, host.nbytes, 0)
    assert r.pointerGetMemoryType(host.ctypes.data) == r.memoryTypeHost
    with pytest.raises(r.CUDARuntimeError) as e:
        r.hostRegister(host.ctypes.data, host.nbytes, 0)
    assert e.value.status == 712
    r.hostUnregister(host.ctypes.data)
    r.memPrefetchAsync(m, 100, 0, 0)
    r.memAdvise(m, 100, r.cudaMemAdviseSetReadMostly, 0)
    r.free(p)
    r.free(m)
    r.freeHost(h)


def test_streams_and_events():
    s = r.streamCreateWithPriority(r.streamNonBlocking, 0)
    assert r.streamGetFlags(s) == r.streamNonBlocking and r.streamGetPriority(s) == 0 and not r.streamIsCapturing(s)
    a, b, seen = r.eventCreate(), r.eventCreateWithFlags(r.eventBlockingSync), []
    r.eventRecord(a, s)
    r.launchHostFunc(s, seen.append, 3)
    r.streamAddCallback(s, lambda stream, status, arg: seen.append((stream, status, arg)), 4)
    r.eventRecord(b, s)
    r.streamWaitEvent(0, b)
    r.eventSynchronize(b)
    assert r.eventQuery(b) == 0 and r.eventElapsedTime(a, b) >= 0 and seen == [3, (s, 0, 4)]
    r.streamSynchronize(s)
    assert r.streamQuery(s) == 0
    with cuda.ExternalStream(s):
        x = tb.ones(10) + 1
    r.streamSynchronize(s)
    assert x.sum().item() == 20
    del x
    r.eventDestroy(a)
    r.eventDestroy(b)
    r.streamDestroy(s)


def test_devices():
    p = r.getDeviceProperties(0)
    assert p["warpSize"] == 32 and len(p["maxThreadsDim"]) == len(p["maxGridSize"]) == 3
    assert r.deviceGetByPCIBusId(r.deviceGetPCIBusId(0)) == 0
    assert cuda.Device.from_pci_bus_id(cuda.Device(0).pci_bus_id) == cuda.Device(0)
    before = r.deviceGetLimit(r.cudaLimitStackSize)  # the others are fixed once a kernel has printed or allocated
    r.deviceSetLimit(r.cudaLimitStackSize, 2 * before)
    assert r.deviceGetLimit(r.cudaLimitStackSize) >= 2 * before
    r.deviceSetLimit(r.cudaLimitStackSize, before)
    assert r.deviceGetAttribute(r.cudaDevAttrMaxThreadsPerBlock, 0) == p["maxThreadsPerBlock"] >= 512
    assert r.deviceCanAccessPeer(0, 0) == 0
    with pytest.raises(r.CUDARuntimeError) as e:
        r.deviceCanAccessPeer(0, 10**6)
    assert e.value.status == 101
    with pytest.raises(r.CUDARuntimeError) as e:
        r.check_status(101)
    assert e.value.status == 101
    r.check_status(0)
    assert cuda.driver.get_build_version() == r.driverGetVersion() and isinstance(cuda.driver.ctxGetCurrent(), int)


# ---- stream-ordered pools


ATTRIBUTES = [r.cudaMemPoolAttrReservedMemCurrent, r.cudaMemPoolAttrReservedMemHigh, r.cudaMemPoolAttrUsedMemCurrent,
              r.cudaMemPoolAttrUsedMemHigh]


@pytest.fixture
def pool():
    p = r.memPoolCreate(r.MemPoolProps(r.cudaMemAllocationTypePinned, r.cudaMemHandleTypeNone,
        r.cudaMemLocationTypeDevice, 0))
    yield p
    r.memPoolDestroy(p)


def figures(p):
    """What a pool holds, held at most, has given out, had given out at most."""
    return [r.memPoolGetAttribute(p, a) for a in ATTRIBUTES]


def status_of(function, *args):
    with pytest.raises(r.CUDARuntimeError) as e:
        function(*args)
    return e.value.status


def test_a_pool_counts(pool):
    assert figures(pool) == [0, 0, 0, 0]
    p, q = r.mallocFromPoolAsync(1 << 20, pool, 0), r.mallocFromPoolAsync(1000, pool, 0)
    held, most, used, used_most = figures(pool)
    assert held == most >= used == used_most >= (1 << 20) + 1000
    r.memset(p, 7, 1 << 20)
    r.freeAsync(p, 0)
    assert figures(pool)[2:] == [used - (1 << 20), used] and figures(pool)[0] == held
    r.freeAsync(q, 0)
    r.deviceSynchronize()
    r.memPoolSetAttribute(pool, r.cudaMemPoolAttrUsedMemHigh, 0)
    assert figures(pool)[2:] == [0, 0]
    assert figures(pool)[0] == 0 and figures(pool)[1] == most  # beyond the threshold, which is 0
    r.memPoolSetAttribute(pool, r.cudaMemPoolAttrReservedMemHigh, 0)
    assert figures(pool)[:2] == [0, 0]


@pytest.mark.parametrize("wait", [r.deviceSynchronize, lambda: r.streamSynchronize(0), cuda.Event().synchronize])
def test_a_pool_keeps_what_is_below_its_threshold(pool, wait):
    assert r.memPoolGetAttribute(pool, r.cudaMemPoolAttrReleaseThreshold) == 0
    r.memPoolSetAttribute(pool, r.cudaMemPoolAttrReleaseThreshold, 2**64 - 1)
    assert r.memPoolGetAttribute(pool, r.cudaMemPoolAttrReleaseThreshold) == 2**64 - 1
    p = r.mallocFromPoolAsync(100_000, pool, 0)
    r.freeAsync(p, 0)
    wait()
    held = figures(pool)[0]
    assert held >= 100_000
    assert r.mallocFromPoolAsync(100_000, pool, 0) == p  # found again
    r.freeAsync(p, 0)
    r.deviceSynchronize()
    r.memPoolTrimTo(pool, held)
    assert figures(pool)[0] == held
    r.memPoolTrimTo(pool, 0)
    assert figures(pool)[0] == 0


def test_reuse_policies(pool):
    for a in (r.cudaMemPoolReuseFollowEventDependencies, r.cudaMemPoolReuseAllowOpportunistic,
              r.cudaMemPoolReuseAllowInternalDependencies):
        assert r.memPoolGetAttribute(pool, a) == 1
        r.memPoolSetAttribute(pool, a, 0)
        assert r.memPoolGetAttribute(pool, a) == 0


def test_freed_memory_waits_for_its_stream(pool):
    r.memPoolSetAttribute(pool, r.cudaMemPoolAttrReleaseThreshold, 1 << 30)
    a, b, go = cuda.Stream(non_blocking=True), cuda.Stream(non_blocking=True), threading.Event()
    p = r.mallocFromPoolAsync(1 << 16, pool, a.ptr)
    a.launch_host_func(lambda _: go.wait(120), None)
    r.memsetAsync(p, 1, 1 << 16, a.ptr)
    r.freeAsync(p, a.ptr)
    elsewhere = r.mallocFromPoolAsync(1 << 16, pool, b.ptr)
    assert elsewhere != p  # work on it is outstanding
    if on_cpu:
        assert r.mallocFromPoolAsync(1 << 16, pool, a.ptr) == p  # the same stream may have it at once
        r.freeAsync(p, a.ptr)
    go.set()
    a.synchronize()
    r.freeAsync(elsewhere, b.ptr)
    b.synchronize()


def test_the_pool_of_a_device(pool):
    first = r.deviceGetDefaultMemPool(0)
    assert r.deviceGetMemPool(0) == first
    r.deviceSetMemPool(0, pool)
    try:
        assert r.deviceGetMemPool(0) == pool and r.deviceGetDefaultMemPool(0) == first
        p = r.mallocAsync(1000, 0)
        assert figures(pool)[2] >= 1000
        r.freeAsync(p, 0)
        assert figures(pool)[2] == 0
    finally:
        r.deviceSetMemPool(0, first)
    assert status_of(r.memPoolDestroy, first) == 1


def test_memory_outlives_its_pool():
    p = r.memPoolCreate(r.MemPoolProps(devId=0))
    r.deviceSetMemPool(0, p)
    q = r.mallocFromPoolAsync(100, p, 0)
    r.memPoolDestroy(p)
    assert r.deviceGetMemPool(0) == r.deviceGetDefaultMemPool(0)
    r.memset(q, 5, 100)
    back = np.zeros(100, "u1")
    r.memcpy(back.ctypes.data, q, 100, r.memcpyDeviceToHost)
    assert (back == 5).all()
    r.freeAsync(q, 0)
    r.deviceSynchronize()
    if on_cpu:  # a driver may crash
        assert status_of(r.memPoolGetAttribute, p, ATTRIBUTES[0]) == 1


def test_wrong_uses_of_pools(pool):
    used = r.cudaMemPoolAttrUsedMemCurrent
    assert status_of(r.memPoolSetAttribute, pool, used, 0) == 1
    assert status_of(r.memPoolSetAttribute, pool, r.cudaMemPoolAttrUsedMemHigh, 3) == 1
    assert status_of(r.memPoolGetAttribute, pool, 99) == 1
    assert status_of(r.memPoolCreate, r.MemPoolProps(allocType=7)) == 1
    assert status_of(r.deviceGetDefaultMemPool, 10**6) == 101
    p = r.mallocFromPoolAsync(100, pool, 0)
    r.free(p)
    if on_cpu:
        assert status_of(r.freeAsync, p, 0) == status_of(r.free, p) == 1
    r.freeAsync(0, 0)
    assert r.mallocFromPoolAsync(0, pool, 0) == 0


def test_memory_of_a_pool_in_a_graph(pool):
    s = cuda.Stream(non_blocking=True)
    allocator = cuda.MemoryAsyncPool([pool] * r.getDeviceCount())
    x = tb.zeros(1000)
    with s:
        s.begin_capture()
        with cuda.using_allocator(allocator.malloc):
            x += tb.arange(1000.0) * 2
        graph = s.end_capture()
    for _ in range(3):
        graph.launch(s)
    s.synchronize()
    assert (x.get() == 6 * np.arange(1000.0)).all()
    del graph
    r.deviceSynchronize()
    assert not on_cpu or figures(pool)[2] == 0


def test_all_names_of_the_api():
    for name in ("memcpyHostToDevice", "eventInterprocess", "cudaDevAttrMaxPitch", "cudaMemPoolAttrUsedMemHigh",
                 "streamCaptureModeThreadLocal", "CUDA_R_16BF", "cudaGraphDebugDotFlagsVerbose"):
        assert isinstance(getattr(r, name), int)
    assert not r.is_hip


def test_nvrtc():
    try:
        version = cuda.nvrtc.getVersion()
    except ImportError as e:
        assert "nvidia-cuda-nvrtc" in str(e)
        return
    assert version[0] >= 11
    p = cuda.nvrtc.createProgram("template<class T> __global__ void f(T *x) { *x = 1; }", "f.cu", [], [])
    cuda.nvrtc.addNameExpression(p, "f<float>")
    cuda.nvrtc.compileProgram(p, ["-arch=compute_75"])
    assert cuda.nvrtc.getLoweredName(p, "f<float>").encode() in cuda.nvrtc.getPTX(p)
    cuda.nvrtc.destroyProgram(p)
    p = cuda.nvrtc.createProgram("nonsense", "f.cu", [], [])
    with pytest.raises(cuda.nvrtc.NVRTCError) as e:
        cuda.nvrtc.compileProgram(p, [])
    assert e.value.status == 6 and "f.cu" in cuda.nvrtc.getProgramLog(p)
    again = pickle.loads(pickle.dumps(e.value))
    assert (again.args, again.status) == (e.value.args, 6)
    cuda.nvrtc.destroyProgram(p)


def test_marks():
    n = cuda.nvtx
    n.Mark("here", 1)
    n.MarkC("here", 0xFF00FF00)
    n.RangePush("a")
    n.RangePushC("b", 5)
    n.RangePop()
    n.RangePop()
    n.RangeEnd(n.RangeStart("c", 3))
    assert isinstance(n.available, bool)


def test_profiler():
    cuda.profiler.start()
    cuda.profiler.stop()
    with tombacx.profiler.profile(), tombacx.profiler.time_range("x", color_id=1, sync=True):
        pass

    @tombacx.profiler.time_range()
    def double(x):
        """Twice."""
        return 2 * x

    assert double(3) == 6 and double.__doc__ == "Twice."
    with pytest.raises(ValueError):
        tombacx.profiler.time_range("x", color_id=1, argb_color=2)
    with pytest.raises(ValueError):
        with tombacx.profiler.time_range():
            pass
    with pytest.raises(ValueError):
        tombacx.profiler.benchmark(double, [1])
    b = tombacx.profiler.benchmark(double, (1,), n_repeat=3, n_warmup=0, name="d")
    text = str(b)
    assert text.startswith("d                   :    CPU: ") and "   +/- " in text and " us    GPU-0: " in text
    assert b.gpu_times.shape == (1, 3) and b.to_str() in text
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        tombacx.time.repeat(double, (1,), n_repeat=1)
    assert seen[0].category is DeprecationWarning


def test_arrays_of_textures():
    t = cuda.texture
    channel = t.ChannelFormatDescriptor(32, 0, 0, 0, r.cudaChannelFormatKindFloat)
    assert channel.get_channel_format() == {"x": 32, "y": 0, "z": 0, "w": 0, "f": 2}
    for shape in ((5,), (4, 5), (3, 4, 5)):
        host = np.random.random(shape).astype("f")
        a = t.CUDAarray(channel, *shape[::-1])
        assert a.ndim == len(shape) and a.ptr
        a.copy_from(host)
        out = tb.zeros(shape, "f")
        a.copy_to(out)
        assert (out.get() == host).all()
        a.copy_from(out * 2)
        back = np.zeros(shape, "f")
        a.copy_to(back)
        assert (back == 2 * host).all()
        with pytest.raises(ValueError):
            a.copy_from(np.zeros(7, "f"))
    resource = t.ResourceDescriptor(r.cudaResourceTypeArray, cuArr=a)
    how = t.TextureDescriptor((r.cudaAddressModeClamp,) * 3, r.cudaFilterModePoint, r.cudaReadModeElementType)
    assert resource.get_resource_desc()["array"] is a and how.get_texture_desc()["filterMode"] == 0
    texture = t.TextureObject(resource, how)
    assert texture.ptr
    surface = t.SurfaceObject(t.ResourceDescriptor(r.cudaResourceTypeArray,
        cuArr=t.CUDAarray(channel, 8, 8, flags=r.cudaArraySurfaceLoadStore)))
    assert surface.ptr
    linear = t.ResourceDescriptor(r.cudaResourceTypeLinear, arr=tb.zeros(16, "f"), chDesc=channel, sizeInBytes=64)
    assert t.TextureObject(linear, how).ptr
    with pytest.raises(ValueError):
        t.ChannelFormatDescriptor(32, 16, 0, 0, 2)


def test_paths():
    assert cuda.get_cuda_path() is None or os.path.isdir(cuda.get_cuda_path())
    assert cuda.get_nvcc_path() is None or isinstance(cuda.get_nvcc_path(), str)
    assert cuda.get_rocm_path() is None and cuda.get_hipcc_path() is None


def test_pointer_methods_take_names():
    a, b, stream = cuda.alloc(64), cuda.alloc(64), cuda.Stream(non_blocking=True)
    host, back = np.arange(16, dtype="f"), np.zeros(16, "f")
    a.copy_from_host(mem=host.ctypes.data, size=64)
    b.copy_from_device(src=a, size=64)
    b.copy_to_host(mem=back.ctypes.data, size=64)
    assert (back == host).all()
    a.memset(value=0, size=8)
    b.copy_from(mem=a, size=8)
    stream.synchronize()
    cuda.Stream.null.synchronize()
    b.memset_async(value=255, size=4, stream=stream)
    b.copy_to_host_async(mem=back.ctypes.data, size=64, stream=stream)
    stream.synchronize()
    assert back.view("u4")[0] == 0xFFFFFFFF and back[1] == 0 and (back[2:] == host[2:]).all()
    a.copy_from_device_async(src=b, size=8, stream=stream)
    a.copy_from_async(mem=b, size=8, stream=stream)
    stream.synchronize()
    with pytest.raises(TypeError):
        a.memset(value=0, size=8, stream=stream)
    with pytest.raises(TypeError):
        a.copy_from(source=b, size=8)


def test_memset_is_in_the_streams_order():
    stream, go, x = cuda.Stream(non_blocking=True), threading.Event(), tb.ones(4, "u1")
    other = tb.zeros(4, "u1")
    x.device.synchronize()
    stream.launch_host_func(lambda _: go.wait(120), None)
    x.data.memset_async(7, 4, stream)
    r.memcpyAsync(other.data.ptr, x.data.ptr, 4, r.memcpyDeviceToDevice, stream.ptr)
    assert not stream.done
    go.set()
    stream.synchronize()
    assert other.get().tolist() == [7] * 4
