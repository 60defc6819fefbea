"""Memory pools, allocators, hooks and pinned memory: figures, reuse, lifetime, and running out."""

import ctypes
import gc
import io
import random
import threading

import numpy as np
import pytest

import tombac as xp
import tombacx
from tombac.cuda import memory, memory_hook, memory_hooks, pinned_memory

MANY = 50_000


@pytest.fixture
def pool():
    """A pool of its own, which holds nothing at the end."""
    p = xp.cuda.MemoryPool()
    yield p
    gc.collect()
    assert p.used_bytes() == 0 and p.total_bytes() == p.free_bytes()
    p.free_all_blocks()
    assert p.total_bytes() == 0 and p.n_free_blocks() == 0


def default_used():
    return xp.get_default_memory_pool().used_bytes()


# ---- pools ----------------------------------------------------------------------------------------------------------


def test_pool_of_its_own(pool):
    gc.collect()
    before = default_used()
    p = pool.malloc(1000)
    assert isinstance(p, xp.cuda.MemoryPointer) and p.size == 1000
    assert isinstance(p.mem, memory.PooledMemory) and isinstance(p.mem, xp.cuda.BaseMemory)
    assert pool.used_bytes() == 1024 and pool.total_bytes() == 1024 and pool.n_free_blocks() == 0
    assert default_used() == before
    del p
    assert pool.used_bytes() == 0 and pool.free_bytes() == 1024 and pool.n_free_blocks() == 1


def test_arrays_come_from_the_allocator_in_force(pool):
    gc.collect()
    before = default_used()
    with xp.cuda.using_allocator(pool.malloc):
        a = xp.arange(1000.0)
        b = a * 2
    c = b + 1  # made outside, from memory inside
    assert pool.used_bytes() == 2 * 8192
    np.testing.assert_array_equal(c.get(), np.arange(1000.0) * 2 + 1)
    assert default_used() == before + 8192
    del a, b
    assert pool.used_bytes() == 0
    del c


def test_promised_memory_remembers_its_allocator(pool):
    a = xp.arange(1000.0)
    with xp.cuda.using_allocator(pool.malloc):
        b = a + 1
    used = default_used()
    assert float(b.sum()) == 1000 * 999 / 2 + 1000
    assert pool.used_bytes() == 8192 and default_used() == used
    del b


def test_donated_memory_stays_in_its_pool(pool):
    with xp.cuda.using_allocator(pool.malloc):
        a = xp.arange(1000.0)
        a.data  # noqa: B018 (evaluates)
        b = a + 1
        del a
        b.data  # noqa: B018
        assert pool.used_bytes() == 8192
    c = b * 2
    del b
    assert c.data.ptr and pool.used_bytes() == 0


def test_limit(pool):
    pool.set_limit(size=1 << 20)
    assert pool.get_limit() == 1 << 20 and xp.get_default_memory_pool().get_limit() != 1 << 20
    with xp.cuda.using_allocator(pool.malloc):
        with pytest.raises(xp.cuda.memory.OutOfMemoryError, match="limit"):
            xp.empty(1 << 18)
        assert float(xp.ones(10).sum()) == 10
        a = xp.ones(1 << 16)
        a.data  # noqa: B018
        with pytest.raises(xp.cuda.memory.OutOfMemoryError):
            a + a.astype("complex128")
        assert float(a.sum()) == 1 << 16
        del a
    pool.set_limit(fraction=0.5)
    assert abs(pool.get_limit() - xp.cuda.Device().mem_info[1] // 2) <= 1
    for bad in ({}, {"size": 1, "fraction": 0.5}, {"fraction": 1.5}, {"size": -1}):
        with pytest.raises(ValueError):
            pool.set_limit(**bad)


def test_pending_work_makes_way(pool, fused):
    """Inputs that only pending work needs are given up before memory is said to have run out."""
    pool.set_limit(size=(4 << 20) + 4096)
    with xp.cuda.using_allocator(pool.malloc):
        a, b = xp.zeros(1 << 17), xp.zeros(1 << 17)
        a += 1
        a.data.ptr, b.data  # noqa: B018
        c = a + b
        del a, b
        d, e = xp.empty(1 << 17), xp.empty(1 << 17)
        f = xp.empty(1 << 17)
        assert float(c.sum()) == 1 << 17
        del c, d, e, f


def test_free_all_blocks_of_a_stream(pool):
    s = xp.cuda.Stream(non_blocking=True)
    pool.malloc(3 << 20)
    with s:
        pool.malloc(2 << 20)
    assert pool.total_bytes() == 5 << 20
    pool.free_all_blocks(stream=s)
    assert pool.total_bytes() == 3 << 20
    pool.free_all_free()
    assert pool.total_bytes() == 0


def test_arenas_of_streams(pool):
    s = xp.cuda.Stream(non_blocking=True)
    a = pool.malloc(3 << 20).ptr
    with s:
        b = pool.malloc(3 << 20)
        assert b.ptr != a
        at = b.ptr
        del b
        assert pool.malloc(3 << 20).ptr == at
    assert pool.malloc(3 << 20).ptr == a


def test_memory_of_streams_that_are_gone_is_used_again(pool):
    for _ in range(50):
        with xp.cuda.Stream(non_blocking=True):
            pool.malloc(3 << 20)
    xp.cuda.Stream.null.use()
    assert pool.total_bytes() <= 2 * 3 << 20


def test_pool_outlives_its_object():
    p = xp.cuda.MemoryPool()
    with xp.cuda.using_allocator(p.malloc):
        a = xp.arange(100.0)
    del p
    gc.collect()
    assert float((a + 1).sum()) == 5050


def test_many_allocations(pool):
    rng = random.Random(1)
    held = {}
    expected = 0
    for step in range(MANY):
        if held and (len(held) > 300 or rng.random() < 0.45):
            expected -= held.pop(rng.choice(list(held)) if len(held) < 20 else next(iter(held)))[1]
        else:
            n = int(2 ** rng.uniform(0, 17))
            rounded = -(-n // 512) * 512
            held[step] = (pool.malloc(n), rounded)
            expected += rounded
        if step % 5000 == 0:
            assert pool.used_bytes() == expected
            assert pool.used_bytes() + pool.free_bytes() == pool.total_bytes()
    held.clear()
    assert pool.used_bytes() == 0 and pool.free_bytes() == pool.total_bytes()


def test_eight_threads(pool):
    """Each thread has its own stream and its own numbers, and all share one pool."""
    errors = []

    def work(k):
        try:
            rng = random.Random(k)
            with xp.cuda.Stream(non_blocking=True), xp.cuda.using_allocator(pool.malloc):
                for _ in range(150):
                    n = rng.randrange(1, 5000)
                    a = xp.full(n, k, "int32")
                    b = a * 2 + xp.arange(n, dtype="int32")
                    del a
                    np.testing.assert_array_equal(b.get(), 2 * k + np.arange(n))
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors


def test_async_pool():
    p = xp.cuda.MemoryAsyncPool()
    with xp.cuda.using_allocator(p.malloc):
        a = xp.arange(1000.0)
        assert float((a * 2).sum()) == 999000
        assert p.used_bytes() >= 8000 and p.total_bytes() >= p.used_bytes()
        del a
    with pytest.raises(NotImplementedError):
        p.n_free_blocks()
    for f in (p.get_limit, p.set_limit):
        with pytest.raises(NotImplementedError):
            f()
    p.free_all_blocks()


# ---- allocators -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("malloc", [xp.cuda.malloc_managed, xp.cuda.malloc_async, memory._malloc_device])
def test_kinds_of_memory(malloc):
    p = malloc(80)
    a = xp.ndarray((10,), "d", p)
    a[...] = 3
    assert float(a.sum()) == 30 and p.mem.size == 80 and p.mem.device_id == 0
    with xp.cuda.using_allocator(malloc):
        b = xp.arange(10.0) + a
    np.testing.assert_array_equal(b.get(), np.arange(10.0) + 3)
    fed = xp.cuda.MemoryPool(malloc)
    with xp.cuda.using_allocator(fed.malloc):
        c = xp.arange(10.0)
        assert fed.used_bytes() == 512
    assert float(c.sum()) == 45


def test_system_memory():
    p = xp.cuda.malloc_system(80)
    a = xp.ndarray((10,), "d", p)
    if memory._core.backend() == "cuda" and not memory._core.device_attribute(None, 88):
        pytest.skip("the device does not reach the host's memory")
    a[...] = 1
    assert float(a.sum()) == 10


def test_managed_memory_methods():
    m = xp.cuda.ManagedMemory(4096)
    s = xp.cuda.Stream.null
    m.prefetch(s)
    m.advise(3, xp.cuda.Device(0))
    s.synchronize()


def test_allocators_may_look_at_arrays(pool):
    seen, other = [], xp.full(3, 77)

    def malloc(size):
        seen.append(int(other.get()[2]))
        return pool.malloc(size)

    a, x = xp.arange(2000.0) % 5, np.arange(2000.0) % 5
    a.get(), other.get()
    with xp.cuda.using_allocator(malloc):
        picked = a[a > 2], xp.flatnonzero(a > 3)
    for got, want in zip(picked, (x[x > 2], np.flatnonzero(x > 3)), strict=True):
        np.testing.assert_array_equal(got.get(), want)
    assert seen and set(seen) == {77}


def test_few_of_many_keep_little_memory():
    a, x = xp.arange(8000.0), np.arange(8000.0)
    a.get()
    before = default_used()
    kept = [a[a % 997 == i] for i in range(40)] + [xp.flatnonzero(a > 8000 - i) for i in range(40)]
    assert default_used() - before <= 512 * len(kept)
    for i in range(40):
        np.testing.assert_array_equal(kept[i].get(), x[x % 997 == i])
        np.testing.assert_array_equal(kept[40 + i].get(), np.flatnonzero(x > 8000 - i))
    del kept
    assert default_used() == before


def test_no_pool():
    before = xp.cuda.get_allocator()
    xp.cuda.set_allocator(None)
    try:
        used = default_used()
        a = xp.arange(100.0) + 1
        assert float(a.sum()) == 5050 and default_used() == used
    finally:
        xp.cuda.set_allocator(before)
    assert xp.cuda.get_allocator() == xp.get_default_memory_pool().malloc


def test_function_is_called_where_the_array_is_made(pool):
    sizes = []

    def malloc(size):
        sizes.append(size)
        return pool.malloc(size)

    with xp.cuda.using_allocator(malloc):
        assert xp.cuda.get_allocator() is malloc
        a = xp.arange(10.0)
        b = a + 1
        assert sizes == [80, 80] and pool.used_bytes() == 1024
        c = b.sum()
        assert sizes[2:] == [8]
        d = xp.cuda.alloc(100)
        assert sizes[3:] == [100]
    assert float(c) == 55
    np.testing.assert_array_equal(b.get(), np.arange(10.0) + 1)
    del a, b, c, d


def test_exceptions_of_a_function():
    a = xp.arange(10.0)

    class Mine(Exception):
        pass

    def fail(size):
        raise Mine(size)

    with xp.cuda.using_allocator(fail):
        for f in (lambda: xp.empty(4), lambda: a + 1, lambda: a.sum(), lambda: (a + 1).sum(), lambda: xp.cuda.alloc(9),
                  lambda: a.copy(), lambda: xp.asarray([1, 2])):
            with pytest.raises(Mine):
                f()
    with xp.cuda.using_allocator(lambda size: 5), pytest.raises(TypeError, match="MemoryPointer"):
        xp.empty(4)
    with xp.cuda.using_allocator(lambda size: xp.cuda.Memory(8)), pytest.raises(ValueError, match="8"):
        xp.empty(4)
    assert float((a + 1).sum()) == 55


def test_a_function_must_not_compute():
    a = xp.arange(10.0)

    def compute(size):
        (a + 1).sum().item()

    with xp.cuda.using_allocator(compute), pytest.raises(ValueError, match="must not compute"):
        xp.empty(4)


def test_a_function_may_let_go_of_arrays(pool):
    garbage = []

    def malloc(size):
        garbage.clear()
        gc.collect()
        return pool.malloc(size)

    with xp.cuda.using_allocator(malloc):
        for i in range(20):
            a = xp.arange(100.0)
            b = a + i
            garbage.append(b * 2)
            garbage.append(a)
            del a
            np.testing.assert_array_equal((b - i).get(), np.arange(100.0))
    del b
    garbage.clear()


def test_functions_on_several_threads(pool):
    """Threads that wait for the library let go of the interpreter: nobody waits for ever."""
    def malloc(size):
        sum(range(50))
        return pool.malloc(size)

    errors = []

    def work(k):
        try:
            with xp.cuda.using_allocator(malloc):
                for i in range(100):
                    a = xp.arange(20000) + k * i
                    assert int(a[0]) == k * i and int(a.sum()) == 20000 * k * i + 199990000
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(120)
    assert not errors and not any(t.is_alive() for t in threads)


def test_allocators_of_threads(pool):
    seen = []
    with xp.cuda.using_allocator(pool.malloc):
        t = threading.Thread(target=lambda: seen.append((xp.cuda.get_allocator(), xp.arange(5.0).data.mem)))
        t.start()
        t.join()
        assert seen[0][0] == xp.get_default_memory_pool().malloc and pool.used_bytes() == 0
        with pytest.raises(ValueError, match="using_allocator"):
            xp.cuda.set_allocator(None)
        with xp.cuda.using_allocator(xp.get_default_memory_pool().malloc):
            a = xp.arange(5.0)
            assert pool.used_bytes() == 0
        b = xp.arange(5.0)
        assert pool.used_bytes() == 512
    assert float(a.sum() + b.sum()) == 20
    del a, b, seen


def test_python_function_allocator():
    freed, made = [], []

    def malloc(size, device):
        p = xp.cuda.Memory(size)
        made.append(p)
        return p.ptr

    allocator = xp.cuda.PythonFunctionAllocator(malloc, lambda ptr, device: freed.append((ptr, device)))
    with xp.cuda.using_allocator(allocator.malloc):
        a = xp.arange(10.0)
        b = a * 3
    assert len(made) == 2 and made[0].size == 80
    np.testing.assert_array_equal(b.get(), np.arange(10.0) * 3)
    assert a.data.ptr == made[0].ptr and not freed
    del a, b
    gc.collect()
    assert sorted(freed) == sorted((p.ptr, 0) for p in made)


def test_c_function_allocator():
    if memory._core.backend() != "cpu":
        pytest.skip("the C library's malloc gives host memory")
    calls = []
    malloc_type = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    free_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    blocks = {}

    @malloc_type
    def malloc(param, size, device):
        block = (ctypes.c_char * size)()
        blocks[ctypes.addressof(block)] = block
        calls.append(("malloc", param, size, device))
        return ctypes.addressof(block)

    @free_type
    def free(param, ptr, device):
        calls.append(("free", param, len(blocks.pop(ptr)), device))

    addresses = [ctypes.cast(f, ctypes.c_void_p).value for f in (malloc, free)]
    allocator = xp.cuda.CFunctionAllocator(7, *addresses, (malloc, free))
    with xp.cuda.using_allocator(allocator.malloc):
        a = xp.arange(10, dtype="int64")
    assert int(a.sum()) == 45
    del a
    assert calls == [("malloc", 7, 80, 0), ("free", 7, 80, 0)]


def test_pool_fed_by_a_function():
    sizes = []

    def source(size):
        sizes.append(size)
        return xp.cuda.MemoryPointer(xp.cuda.Memory(size), 0)

    p = xp.cuda.MemoryPool(source)
    a = p.malloc(1000)
    del a
    b = p.malloc(900)
    assert sizes == [1024] and p.used_bytes() == 1024
    del b
    p.free_all_blocks()
    assert p.total_bytes() == 0


# ---- memory and pointers --------------------------------------------------------------------------------------------


def test_pointer_arithmetic_and_copies():
    mem = xp.cuda.Memory(100)
    p = xp.cuda.MemoryPointer(mem, 10)
    assert (p + 5).ptr == (5 + p).ptr == mem.ptr + 15 and (p - 10).ptr == mem.ptr and int(p) == p.ptr
    assert p.mem is mem and (p + 1).mem is mem
    q = p
    q += 3
    assert q.ptr == p.ptr + 3
    host = np.arange(50, dtype=np.uint8)
    back = np.zeros(50, np.uint8)
    s = xp.cuda.Stream(non_blocking=True)
    p.copy_from_host(ctypes.c_void_p(host.ctypes.data), 50)
    p.copy_to_host(ctypes.c_void_p(back.ctypes.data), 50)
    np.testing.assert_array_equal(host, back)
    other = xp.cuda.alloc(50)
    other.copy_from_device(p, 50)
    other.memset(7, 10)
    other.copy_to_host_async(ctypes.c_void_p(back.ctypes.data), 50, xp.cuda.Stream.null)
    xp.cuda.Stream.null.synchronize()
    assert (back[:10] == 7).all() and (back[10:] == host[10:]).all()
    with s:
        other.copy_from_host_async(ctypes.c_void_p(host.ctypes.data), 50, s)
        other.memset_async(9, 5, s)
        other.copy_to_host_async(ctypes.c_void_p(back.ctypes.data), 50, s)
    s.synchronize()
    assert (back[:5] == 9).all() and (back[5:] == host[5:]).all()


def test_unowned_memory_keeps_its_owner():
    class Owner:
        pass

    owner, gone = Owner(), []
    import weakref

    weakref.finalize(owner, gone.append, 1)
    mem = xp.cuda.Memory(80)
    p = xp.cuda.MemoryPointer(xp.cuda.UnownedMemory(mem.ptr, 80, owner, 0), 0)
    a = xp.ndarray((10,), "d", p)
    del owner, p
    gc.collect()
    assert not gone
    a[...] = 2
    assert float(a.sum()) == 20
    del a
    gc.collect()
    assert gone == [1]


def test_base_memory_cannot_be_made():
    for kind in (xp.cuda.BaseMemory, memory.PooledMemory):
        with pytest.raises(TypeError):
            kind()
    with pytest.raises(ValueError, match="negative"):
        xp.cuda.Memory(-1)


# ---- hooks ----------------------------------------------------------------------------------------------------------


class Record(memory_hook.MemoryHook):
    name = "Record"

    def __init__(self):
        self.calls = []

    def __getattribute__(self, name):
        if name.endswith("process"):
            return lambda **kwargs: self.calls.append((name, kwargs))
        return super().__getattribute__(name)


def test_hooks_see_what_happens(pool):
    with Record() as hook:
        assert memory_hook.get_memory_hooks() == {"Record": hook}
        p = pool.malloc(1000)
        at = p.ptr
        del p
        pool.malloc(600)
    names = [name for name, _ in hook.calls]
    first = ["malloc_preprocess", "alloc_preprocess", "alloc_postprocess", "malloc_postprocess"]
    free = ["free_preprocess", "free_postprocess"]
    assert names == first + free + ["malloc_preprocess", "malloc_postprocess"] + free
    kwargs = dict(hook.calls[:6])
    assert kwargs["malloc_preprocess"] == {"device_id": 0, "size": 1000, "mem_size": 1024}
    assert kwargs["alloc_preprocess"] == {"device_id": 0, "mem_size": 1024}
    assert kwargs["alloc_postprocess"] == {"device_id": 0, "mem_size": 1024, "mem_ptr": at}
    pmem_id = kwargs["malloc_postprocess"].pop("pmem_id")
    assert kwargs["malloc_postprocess"] == {"device_id": 0, "size": 1000, "mem_size": 1024, "mem_ptr": at}
    assert kwargs["free_postprocess"] == {"device_id": 0, "mem_size": 1024, "mem_ptr": at, "pmem_id": pmem_id}
    n = len(hook.calls)
    pool.malloc(10)
    assert len(hook.calls) == n and not memory_hook.get_memory_hooks()


def test_hooks_are_of_a_thread(pool):
    with Record() as hook:
        t = threading.Thread(target=lambda: pool.malloc(10))
        t.start()
        t.join()
        assert not hook.calls
        with pytest.raises(KeyError), Record():
            pass


def test_exceptions_of_hooks(pool, fused):
    class Refuse(memory_hook.MemoryHook):
        def malloc_preprocess(self, **kwargs):
            raise LookupError(kwargs["size"])

    class Late(memory_hook.MemoryHook):
        def malloc_postprocess(self, **kwargs):
            raise LookupError(pool.used_bytes())

    for kind in Refuse, Late:
        with kind(), pytest.raises(LookupError):
            pool.malloc(100)
        assert pool.used_bytes() == 0
    a = xp.arange(10.0)
    with Refuse():
        b = a + 1
        with pytest.raises(LookupError):
            b.get()
    np.testing.assert_array_equal(b.get(), np.arange(10.0) + 1)


def test_debug_print_hook(pool):
    out = io.StringIO()
    with memory_hooks.DebugPrintHook(file=out):
        p = pool.malloc(100)
        at = p.ptr
        del p
    lines = out.getvalue().splitlines()
    assert lines[0] == f'{{"hook":"alloc","device_id":0,"mem_size":512,"mem_ptr":{at}}}'
    fields = f'"mem_size":512,"mem_ptr":{at},"pmem_id":"0x'
    assert lines[1].startswith('{"hook":"malloc","device_id":0,"size":100,' + fields)
    assert lines[2].startswith('{"hook":"free","device_id":0,' + fields)
    assert len(lines) == 3


def test_line_profile_hook(pool):
    hook = memory_hooks.LineProfileHook(max_depth=1)
    with hook:
        held = [pool.malloc(1024) for _ in range(3)]
        held.append(pool.malloc(1 << 20))
    out = io.StringIO()
    hook.print_report(file=out)
    lines = out.getvalue().splitlines()
    assert lines[0] == "_root (1.00MB, 1.00MB)"
    assert any("test_memory.py" in line and "(3.00KB, 3.00KB)" in line for line in lines[1:])
    assert any("test_line_profile_hook (1.00MB, 1.00MB)" in line for line in lines[1:])
    del held


# ---- pinned memory --------------------------------------------------------------------------------------------------


def test_pinned_memory():
    m = xp.cuda.PinnedMemory(1000)
    p = xp.cuda.PinnedMemoryPointer(m, 8)
    assert m.size == 1000 and p.ptr == m.ptr + 8 == int(m) + 8 and p.size() == 992 and p.mem is m
    assert (p + 4).ptr == p.ptr + 4 and (p - 8).size() == 1000
    a = np.frombuffer(p, "d", 10)
    a[...] = 5
    assert memoryview(p)[:8].tobytes() == np.float64(5).tobytes()
    del m, p
    gc.collect()
    assert a.sum() == 50


def test_pinned_pool():
    pool = xp.cuda.PinnedMemoryPool()
    p = pool.malloc(100)
    at = p.ptr
    assert p.size() == 512 and pool.n_free_blocks() == 0 and isinstance(p.mem, pinned_memory.PooledPinnedMemory)
    del p
    assert pool.n_free_blocks() == 1
    xp.cuda.Device().synchronize()
    p = pool.malloc(512)
    assert p.ptr == at
    pool.free(p, 512)
    assert pool.n_free_blocks() == 1
    pool.free_all_blocks()
    assert pool.n_free_blocks() == 0


def test_what_is_pending_makes_room():
    unit, pool = 8 << 20, xp.cuda.MemoryPool()
    pool.set_limit(3 * unit + (1 << 20))
    with xp.cuda.using_allocator(pool.malloc):
        held, kept = xp.ones(unit, "b"), xp.ones(unit, "b")
        assert pool.used_bytes() == 2 * unit
        few = held[:20000] + 1
        del held
        twice = kept * 2
        other = xp.empty(unit, "b")
        assert twice[-1].item() == 2 and few[5].item() == 2
        assert pool.used_bytes() <= 3 * unit + 20480 and other.size == unit


def test_pinned_memory_is_reused_once_no_stream_can_use_it():
    xp.cuda.Device().synchronize()  # other tests' streams
    pool, gate = pinned_memory.PinnedMemoryPool(), threading.Event()
    s = xp.cuda.Stream(non_blocking=True)
    x = xp.arange(4.0)
    x.data
    s.launch_host_func(lambda _: gate.wait(120), None)
    p = pool.malloc(32)
    address = p.ptr
    x.get(stream=s, out=np.frombuffer(p, "d", 4), blocking=False)
    del p
    assert pool.n_free_blocks() == 1
    other = pool.malloc(32)
    assert other.ptr != address
    gate.set()
    xp.cuda.Device().synchronize()
    assert pool.malloc(32).ptr == address


def test_pinned_allocator():
    mine = xp.cuda.PinnedMemoryPool()
    xp.cuda.set_pinned_memory_allocator(mine.malloc)
    try:
        p = xp.cuda.alloc_pinned_memory(10)
        del p
        assert mine.n_free_blocks() == 1
        xp.cuda.set_pinned_memory_allocator(None)
        assert isinstance(xp.cuda.alloc_pinned_memory(10).mem, xp.cuda.PinnedMemory)
    finally:
        xp.cuda.set_pinned_memory_allocator(xp.get_default_pinned_memory_pool().malloc)


def test_pinned_arrays():
    a = tombacx.empty_pinned((3, 4), "float32", order="F")
    assert a.flags.f_contiguous and a.dtype == np.float32 and a.shape == (3, 4) and type(a) is np.ndarray
    assert tombacx.zeros_pinned(5).tolist() == [0] * 5 and tombacx.empty_pinned((0, 3)).size == 0
    like = tombacx.zeros_like_pinned(a)
    assert like.flags.f_contiguous and like.dtype == a.dtype and not like.any()
    assert tombacx.empty_like_pinned(xp.zeros((2, 3)), dtype="int8", shape=7).shape == (7,)
    assert pinned_memory.is_memory_pinned(a.ctypes.data)
    assert not pinned_memory.is_memory_pinned(np.zeros(4).ctypes.data)
    with pytest.raises(TypeError, match="subok"):
        tombacx.zeros_like_pinned(a, subok=True)
    with pytest.raises(ValueError, match="negative"):
        tombacx.empty_pinned((-1,))


def test_asynchronous_transfers():
    n = 1 << 18
    s = xp.cuda.Stream(non_blocking=True)
    host, back = tombacx.empty_pinned(n), tombacx.zeros_pinned(n)
    host[...] = np.arange(n)
    with s:
        a = xp.empty(n)
        a.set(host)
        b = a * 2
        b.get(out=back, blocking=False)
    s.synchronize()
    np.testing.assert_array_equal(back, 2 * host)
