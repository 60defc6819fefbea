"""Arguments that make no sense, things that are freed twice or used afterwards: errors, and nothing else happens."""

import functools
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import tombac as tb
import tombacx
from tombac import cuda
from tombac.cuda import runtime as r
from tombac.cuda import texture

HERE = pathlib.Path(__file__).parent
CUDARuntimeError = r.CUDARuntimeError


def run(*command, **environment):
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=300,
                          env=os.environ | environment)


@pytest.mark.skipif(tb.config.backend() != "cpu", reason="what another library may have made, a driver follows")
@pytest.mark.parametrize("seed", [0, 1])
def test_any_arguments(seed):
    done = run("-X", "faulthandler", str(HERE / "misuse.py"), str(seed))
    assert done.returncode == 0 and done.stdout.startswith("functions"), (done.stdout[-300:], done.stderr[-1000:])


def test_any_arguments_with_a_driver_that_pretends():
    for path in sorted((HERE.parent.parent / "build").glob("**/tests/c/libcuda.so.1")):
        environment = {"TOMBAC_BACKEND": "cuda", "TOMBAC_LIBRARY_PATH": str(path.parent)}
        if run("-c", "import tombac; float((tombac.ones(1000) + 1).sum())", **environment).returncode == 0:
            break
    else:
        pytest.skip("the C tests are not built, or there is no NVRTC")
    done = run("-X", "faulthandler", str(HERE / "misuse.py"), "0", **environment)
    assert done.returncode == 0 and done.stdout.startswith("functions"), (done.stdout[-300:], done.stderr[-1000:])


def fails(status, f, *args):
    with pytest.raises(CUDARuntimeError) as e:
        f(*args)
    assert e.value.status == status


# What goes by its address must be alive.
CHANNEL = texture.ChannelFormatDescriptor(32, 0, 0, 0, r.cudaChannelFormatKindFloat)
HOW = texture.TextureDescriptor()


@functools.cache
def resource():
    return texture.ResourceDescriptor(r.cudaResourceTypeArray, cuArr=texture.CUDAarray(CHANNEL, 8))


THINGS = {
    "malloc": (lambda: r.malloc(64), r.free, 1),
    "mallocManaged": (lambda: r.mallocManaged(64), r.free, 1),
    "hostAlloc": (lambda: r.hostAlloc(64), r.freeHost, 1),
    "mallocAsync": (lambda: r.mallocAsync(64, 0), lambda p: r.freeAsync(p, 0), 1),
    "stream": (r.streamCreate, r.streamDestroy, 400),
    "event": (r.eventCreate, r.eventDestroy, 400),
    "array": (lambda: r.mallocArray(CHANNEL.ptr, 8), r.freeArray, 400),
    "mipmap": (lambda: r.mallocMipmappedArray(CHANNEL.ptr, 8, 8, 0, 2), r.freeMipmappedArray, 400),
    "texture": (lambda: r.createTextureObject(resource().ptr, HOW.ptr), r.destroyTextureObject, 400),
    "surface": (lambda: r.createSurfaceObject(resource().ptr), r.destroySurfaceObject, 400),
    "pool": (lambda: r.memPoolCreate(r.MemPoolProps()), r.memPoolDestroy, 1),
}


@pytest.mark.parametrize("thing", THINGS)
def test_ended_twice(thing):
    make, end, status = THINGS[thing]
    if thing == "surface" and tb.config.backend() != "cpu":
        pytest.skip("surfaces need an array made for them")
    handle = make()
    end(handle)
    fails(status, end, handle)
    again = make()
    end(again)
    fails(status, end, again)


def test_registered_twice():
    a = np.zeros(10000)
    r.hostRegister(a.ctypes.data, a.nbytes, 0)
    fails(712, r.hostRegister, a.ctypes.data, a.nbytes, 0)
    r.hostUnregister(a.ctypes.data)
    fails(713, r.hostUnregister, a.ctypes.data)


def test_graphs_ended_twice():
    s = r.streamCreateWithFlags(r.streamNonBlocking)
    r.streamBeginCapture(s)
    g = r.streamEndCapture(s)
    x = r.graphInstantiate(g)
    r.graphLaunch(x, s)
    r.graphExecDestroy(x)
    fails(1, r.graphExecDestroy, x)
    fails(1, r.graphLaunch, x, s)
    r.graphDestroy(g)
    fails(1, r.graphDestroy, g)
    fails(1, r.graphInstantiate, g)
    r.streamDestroy(s)


def test_what_objects_own_is_theirs():
    e, s, pinned, block = cuda.Event(), cuda.Stream(), cuda.PinnedMemory(64), cuda.Memory(64)
    a = tb.ones(1 << 20)
    fails(400, r.eventDestroy, e.ptr)
    fails(400, r.streamDestroy, s.ptr)
    fails(1, r.freeHost, pinned.ptr)
    fails(1, r.free, block.ptr)
    fails(1, r.free, a.data.ptr)
    fails(1, r.freeAsync, a.data.ptr, 0)
    with s:
        a += 1
        s.record(e)
    e.synchronize()
    assert a.sum().item() == 2 << 20
    m = texture.MipmappedArray(CHANNEL, 8, 8, levels=2)
    fails(400, r.freeArray, m.level(1).ptr)


def test_pinned_memory():
    pool = cuda.PinnedMemoryPool()
    p = pool.malloc(100)
    view = np.frombuffer(p, "B", 100)
    address = p.ptr
    pool.free(address, 100)
    with pytest.raises(RuntimeError):
        pool.free(address, 100)
    with pytest.raises(RuntimeError):
        pool.free(p.mem, 100)
    with pytest.raises(BufferError):
        memoryview(p)
    a, b = pool.malloc(100), pool.malloc(100)
    assert a.ptr != b.ptr
    del a, b
    pool.free_all_blocks()
    view[:] = 1  # what it was made from is gone, but the memory stays as long as somebody looks at it
    assert view.sum() == 100
    for wrong in (None, "x", 0, -1, 4096, object()):
        with pytest.raises((TypeError, RuntimeError)):
            pool.free(wrong, 1)
    with pytest.raises(ValueError):
        pool.malloc(-1)
    class Elsewhere(cuda.PinnedMemory):
        def __init__(self, ptr, size):
            self.ptr, self.size = ptr, size

    own = np.arange(100, dtype="B")
    p = cuda.PinnedMemoryPointer(Elsewhere(own.ctypes.data, 100), 10)
    assert memoryview(p)[0] == 10 and p.size() == 90
    with pytest.raises(BufferError):
        memoryview(cuda.PinnedMemoryPointer(Elsewhere(1, 100), 0))
    pool_of_own = cuda.PinnedMemoryPool(lambda n: cuda.PinnedMemoryPointer(Elsewhere(own.ctypes.data, n), 0))
    block = pool_of_own.malloc(50).mem
    assert isinstance(block, cuda.PinnedMemory)
    block.free()
    block.free()
    assert pool_of_own.n_free_blocks() == 1 and block.ptr == 0
    q = pool.malloc(512)
    for outside in (q + 1000, q - 8):
        with pytest.raises(BufferError):
            memoryview(outside)


@pytest.mark.parametrize("dtype", [object, "U5", "S3", ">M8[s]", "V0", "f4,U4", ">f8", np.longdouble])
def test_pinned_arrays_have_arrays_dtypes(dtype):
    for make in (tombacx.empty_pinned, tombacx.zeros_pinned):
        with pytest.raises(ValueError):
            make(5, dtype)
    with pytest.raises(ValueError):
        tombacx.empty_like_pinned(np.empty(3, dtype))
    with pytest.raises(ValueError):
        tombacx.zeros_like_pinned(np.zeros(3), dtype)


def test_pinned_arrays_of_impossible_shapes():
    for shape in (-1, (2, -3), 2**63, (2**40, 2**40), 1.5, None, "x"):
        with pytest.raises((ValueError, TypeError)):
            tombacx.empty_pinned(shape)


def test_memory_given_back_ahead_of_its_end():
    pool = tb.get_default_memory_pool()
    a = tb.zeros(1 << 21)
    block = a.data.mem
    block.free()
    block.free()
    pool.free_all_blocks()
    assert a.get().shape == (1 << 21,)  # of whatever is there by now
    del a, block
    pool.free_all_blocks()
    assert (tb.ones(1 << 21) + 1).sum().item() == 2 << 21


def test_addresses_that_are_not_there():
    p, host = cuda.alloc(64), np.zeros(8)
    for wrong in (0, 16, 2**63, 2**64 - 8):
        for f in (p.copy_from, p.copy_from_host, p.copy_to_host):
            with pytest.raises(ValueError):
                f(wrong, 8)
        fails(1, r.memcpy, wrong, host.ctypes.data, 8, r.memcpyHostToHost)
        fails(1, r.memcpy, host.ctypes.data, wrong, 8, r.memcpyHostToHost)
    fails(21, r.memcpy, p.ptr, host.ctypes.data, 8, 7)
    with pytest.raises(ValueError):
        cuda.UnownedMemory(0, 8, None)
    if tb.config.backend() == "cpu":
        with pytest.raises(ValueError):
            cuda.UnownedMemory(4096, 8, None)
        block = cuda.Memory(4096)
        fails(1, r.memset, block.ptr, 0, 8192)
        fails(1, r.memset, host.ctypes.data, 0, 8)
        fails(1, r.memcpy, block.ptr, block.ptr + 4000, 4096, r.memcpyDeviceToDevice)


class Emptying:
    """A number that empties the list that it is in when it is asked for its value."""

    def __init__(self, value, items):
        self.value, self.items = value, items
        items.insert(0, self)

    def __index__(self):
        self.items.clear()
        return self.value

    def __array__(self, dtype=None, copy=None):
        self.items.clear()
        return np.array(self.value)

    @property
    def ptr(self):
        return self.__index__()


def test_lists_that_change_while_they_are_read():
    def numbers(n):
        items = list(range(3, 2 + n))
        Emptying(2, items)
        return items

    assert tb.zeros(numbers(3)).shape == (2, 3, 4)
    assert tb.ones((2, 3, 4)).sum(numbers(1)).shape == (2, 3)
    assert tb.lib.stride_tricks.as_strided(tb.zeros(50, "int8"), (2, 2, 2), numbers(3)).strides == (2, 3, 4)
    nested = [tb.ones(()), [tb.ones(())], *numbers(4)]
    Emptying(1, nested)
    with pytest.raises(ValueError):
        tb.asarray(nested)
    kernel = tb.RawKernel('extern "C" __global__ void f(int *p, int a, int b) { *p = a + b; }', "f")
    out, args = tb.zeros(1, "int32"), [5, 6]
    Emptying(out.data.ptr, args)
    kernel([1], [1, 1], args)
    assert out == 11


def test_a_list_within_itself():
    items = [tb.ones(3)]
    items.append(items)
    with pytest.raises(ValueError):
        tb.asarray(items)
