"""Every public name of CuPy's cuda modules and profiler is here, or is one of those that make no sense here."""

import ctypes
import importlib
import json
import os
import pathlib
import subprocess
import sys
import weakref

import numpy as np
import pytest

import tombac as tb
from tombac import _core, cuda
from tombac.cuda import cufft, device, function
from tombac.cuda import runtime as r
from tombac.cuda import texture as t

on_cpu = tb.config.backend() == "cpu"
NAMES = json.loads((pathlib.Path(__file__).parent / "cupy_cuda_names.json").read_text())

# Modules of which nothing is here, and why; and names, by module.
NO_MODULE = {
    "cupy.cuda.common": "it is empty",
}
NO_NAME = {
    "cupy.cuda.nccl": {name: "there are no collective operations yet; nccl.available tells so"
                       for name in NAMES["cupy.cuda.nccl"] if name != "available"},
}


def own_name(module):
    return module.replace("cupyx", "tombacx").replace("cupy", "tombac")


def examples():
    """Objects of the classes whose members are set when an object is made."""
    channel = t.ChannelFormatDescriptor(32, 0, 0, 0, r.cudaChannelFormatKindFloat)
    array = t.CUDAarray(channel, 8, flags=r.cudaArraySurfaceLoadStore)
    resource, how = t.ResourceDescriptor(r.cudaResourceTypeArray, cuArr=array), t.TextureDescriptor()
    objects = [channel, array, resource, how, t.TextureObject(resource, how), t.SurfaceObject(resource),
               r.PointerAttributes(0, 0, 0), r.MemPoolProps(), device.Handle(1, lambda h: None), function.CPointer(0),
               cuda.alloc_pinned_memory(8), cuda.PinnedMemory(8), cuda.alloc_pinned_memory(8).mem,
               cufft.Plan1d(4, cufft.CUFFT_C2C, 1),
               cufft.PlanNd((4, 4), None, 1, 0, None, 1, 0, cufft.CUFFT_C2C, 1, 'C', 1, None),
               cufft.XtPlanNd((4,), None, 1, 0, 'F', None, 1, 0, 'F', 1, 'F', order='C', last_axis=-1, last_size=None)]
    return {type(o).__name__: o for o in objects}


@pytest.mark.parametrize("module", sorted(set(NAMES) - set(NO_MODULE)))
def test_names(module):
    own, objects, missing = importlib.import_module(own_name(module)), examples(), set()
    for name, members in NAMES[module].items():
        if not hasattr(own, name):
            missing.add(name)
        elif isinstance(members, list):
            o = objects.get(name, getattr(own, name))
            assert [m for m in members if not hasattr(o, m)] == [], f"{name} lacks these"
    assert missing == set(NO_NAME.get(module, ()))


@pytest.mark.parametrize("module", NO_MODULE)
def test_modules_that_are_not_there(module):
    with pytest.raises(ImportError):
        importlib.import_module(own_name(module))


def test_what_is_not_used():
    assert not (cuda.cub.available or cuda.thrust.available or cuda.nccl.available)


# ---- devices, handles


def test_the_device_of_a_pointer():
    for d in range(r.getDeviceCount()):
        with cuda.Device(d):
            assert device.from_pointer(tb.ones(3).data.ptr) == cuda.Device(d)
    with pytest.raises(ValueError, match="from_pointer"):
        device.from_pointer(np.ones(3).ctypes.data)


def test_handle():
    ended = []
    h = device.Handle(7, ended.append)
    assert h.handle == 7 and ended == []
    del h
    assert ended == [7]


@pytest.mark.parametrize("kind", ["cublas", "cusolver", "cusolver_sp", "cusparse", "cutensor"])
def test_handles_of_libraries(kind):
    get = getattr(device, f"get_{kind}_handle")
    if on_cpu:
        with pytest.raises(NotImplementedError, match="GPU"):
            get()
        return
    try:
        handle = get()
    except ImportError as e:
        assert "pip install" in str(e)
    else:
        assert handle == get() == getattr(cuda.Device(), kind + "_handle") != 0


def test_libraries_are_searched_as_the_library_does(tmp_path):
    for folder, file in ("", "libcutensor.so.2"), ("nvidia/cusparse/lib", "libcusparse.so.12"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / file).symlink_to(_core.__file__)
    code = (
        "from tombac.cuda import _handles\n"
        "print([hasattr(_handles._library(name), 'PyInit__core') for name in ('cutensor', 'cusparse')])"
    )
    env = {**os.environ, "TOMBAC_LIBRARY_PATH": str(tmp_path)}
    r = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert r.stdout == "[True, True]\n", r.stderr
    with pytest.raises(ValueError, match="'cudnn'"):
        _core.library_handle("cudnn")
    with pytest.raises(TypeError):
        _core.library_handle(3)


# ---- modules, functions, arguments


def test_what_a_module_tells():
    m = tb.RawModule(code="template<class T> __global__ void f(T *x) { *x = 3; } __device__ int n;",
        name_expressions=["f<float>", "f<int>"])
    mapping = m.module.mapping
    assert list(mapping) == ["f<float>", "f<int>"] and m.module.ptr != 0
    x = tb.zeros(1, "f")
    m.module.get_function(mapping["f<float>"])((1,), (1,), (x,))
    assert x.item() == 3
    plain = tb.RawModule(code='extern "C" __global__ void g() {}').module
    assert plain.mapping is None and cuda.Module().ptr == 0 and cuda.Module().mapping is None


@pytest.mark.parametrize("value, ctype", [(function.CIntptr(-5), "long long"), (function.CUIntMax(2**64 - 5),
    "unsigned long long"), (function.CNumpyArray(np.array([-5], "i2")), "short"), (function.CPointer(11), "void *")])
def test_arguments_by_value(value, ctype):
    code = f'extern "C" __global__ void k({ctype} v, long long *out) {{ *out = (long long)v; }}'
    out = tb.zeros(1, "i8")
    tb.RawKernel(code, "k")((1,), (1,), (value, out))
    assert out.item() == (11 if "*" in ctype else -5)
    size = 2 if ctype == "short" else 8
    assert int.from_bytes(ctypes.string_at(value.ptr, size), "little", signed=True) == out.item()


def test_a_structure_by_value():
    pair = np.array([(3, 0.5)], [("n", "i4"), ("x", "f4")])
    out = tb.zeros(1, "f")
    tb.RawKernel("""struct pair { int n; float x; };
        extern "C" __global__ void k(pair p, float *out) { *out = p.n + p.x; }""", "k")(
        (1,), (1,), (function.CNumpyArray(pair), out))
    assert out.item() == 3.5


def test_linker():
    if on_cpu:
        with pytest.raises(r.CUDARuntimeError) as e:
            function.LinkState()
        assert e.value.status == 801
        return
    arch = cuda.Device().compute_capability
    p = cuda.nvrtc.createProgram('extern "C" __global__ void f(int *x) { *x = 4; }', "f.cu", [], [])
    cuda.nvrtc.compileProgram(p, [f"-arch=compute_{arch}"])
    linker, m, x = function.LinkState(), cuda.Module(), tb.zeros(1, "i4")
    assert linker.ptr
    linker.add_ptr_data(cuda.nvrtc.getPTX(p), "f.ptx")
    m.load(linker.complete())
    m.get_function("f")((1,), (1,), (x,))
    assert x.item() == 4


# ---- memory, graphs


def test_a_block_goes_back_to_its_pool_early():
    pool = cuda.MemoryPool()
    p = pool.malloc(100_000)
    mem, used = p.mem, pool.used_bytes()
    assert mem.pool() is pool and mem.identity and mem.ptr == p.ptr and used >= 100_000
    address = mem.ptr
    mem.free()
    assert pool.used_bytes() == 0 and mem.ptr == mem.size == 0
    again = pool.malloc(100_000)
    assert again.ptr == address
    mem.free()  # nothing happens any more
    del p, mem
    assert pool.used_bytes() == used


def test_what_is_pending_is_done_before_memory_goes_back():
    pool = cuda.MemoryPool()
    with cuda.using_allocator(pool.malloc):
        a = tb.ones(50_000)
        r.deviceSynchronize()
    b = a * 2  # reads a when it is needed
    a.data.mem.free()
    with cuda.using_allocator(pool.malloc):
        c = tb.full(50_000, 9.0)
    r.deviceSynchronize()
    assert (b == 2).all() and (c == 9).all()


def test_pools_of_memory():
    assert tb.ones(3).data.mem.pool() is cuda.memory.default_pool
    pool = cuda.MemoryPool()
    p = pool.malloc(100)
    del pool
    assert p.mem.pool() is None


def test_identity_is_what_hooks_are_told():
    class Hook(cuda.MemoryHook):
        name, seen = "names", []

        def malloc_postprocess(self, **kwargs):
            self.seen.append(kwargs["pmem_id"])

    with Hook() as hook:
        p = cuda.MemoryPool().malloc(1000)
    assert hook.seen == [p.mem.identity]


def test_the_stream_of_memory():
    s = cuda.Stream(non_blocking=True)
    m = cuda.MemoryAsync(100, s)
    assert m.stream_ref() is s and isinstance(m.stream_ref, weakref.ref)
    with s:
        n = cuda.MemoryAsync(100)
    assert n.stream_ref().ptr == s.ptr
    with pytest.raises(TypeError):
        cuda.MemoryAsync(100, 3.5)


def test_functions_of_the_host_in_a_graph():
    seen, s = [], cuda.Stream(non_blocking=True)
    with s:
        s.begin_capture()
        s.launch_host_func(seen.append, 1)
        s.launch_host_func(seen.append, "two")
        graph = s.end_capture()
    pairs = graph.host_funcargs
    assert [arg for _, arg in pairs] == [1, "two"] and pairs[0][0](0) is None and seen == [0]
    graph.launch(s)
    s.synchronize()
    assert seen == [0, 1, "two"]
    with s:
        s.begin_capture()
        empty = s.end_capture()
    assert empty.host_funcargs == []
