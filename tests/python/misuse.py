"""Calls the public functions of tombac.cuda with arguments that make no sense; run by test_misuse.py.

A wrong argument is an exception, whatever it is: never the end of the process, and computing goes on after it. Works
with a driver that only pretends as well, whose kernels do nothing.
"""

import inspect
import itertools
import random
import sys
import warnings

import numpy as np

import tombac as tb
import tombacx
from tombac import cuda
from tombac.cuda import runtime, texture

MODULES = [cuda, cuda.runtime, cuda.memory, cuda.pinned_memory, cuda.stream, cuda.graph, cuda.texture, cuda.driver,
           cuda.function, cuda.device]
# What waits for a person, or changes how the whole process allocates on purpose.
LEFT_OUT = {"set_allocator", "set_pinned_memory_allocator", "using_allocator"}


def ended_handles():
    """Numbers of things that are gone."""
    s, e, p, h = runtime.streamCreate(), runtime.eventCreate(), runtime.malloc(64), runtime.hostAlloc(64)
    channel = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.cudaChannelFormatKindFloat)
    a, m = runtime.mallocArray(channel.ptr, 8), runtime.mallocMipmappedArray(channel.ptr, 8, 8, 0, 2)
    level = runtime.getMipmappedArrayLevel(m, 1)
    resource = texture.ResourceDescriptor(runtime.cudaResourceTypeArray, cuArr=texture.CUDAarray(channel, 8))
    how = texture.TextureDescriptor()
    t = runtime.createTextureObject(resource.ptr, how.ptr)
    u = runtime.createSurfaceObject(resource.ptr)
    pool = runtime.memPoolCreate(runtime.MemPoolProps())
    for end, handle in [
        (runtime.streamDestroy, s), (runtime.eventDestroy, e), (runtime.free, p), (runtime.freeHost, h),
        (runtime.freeArray, a), (runtime.freeMipmappedArray, m), (runtime.destroyTextureObject, t),
        (runtime.destroySurfaceObject, u), (runtime.memPoolDestroy, pool),
    ]:
        end(handle)
    return [s, e, p, h, a, m, level, t, u, pool]


def owned_handles():
    """Numbers of things that belong to objects, with the objects."""
    channel = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.cudaChannelFormatKindFloat)
    objects = [cuda.Stream(), cuda.Event(), cuda.PinnedMemory(64), cuda.Memory(64), tb.ones(1 << 18).data]
    return [o.ptr for o in objects], [*objects, channel]


VALUES = [None, -1, 0, 1, 2, 3, 7, 4096, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 2**64 - 1, 2**70, -(2**70), 1.5, "x", b"x",
          [], (), (1, 2), {}, object(), len, tb, float("nan"), "\0", np.zeros(3), np.int8(-3)]


# What writes to an address: handles are addresses too, of the library's own memory on the CPU.
WRITES = ("memcpy", "memset", "copy_to_host", "UnownedMemory")


def values_for(name, handles):
    return VALUES if any(w in name for w in WRITES) else VALUES + handles


def arity(f):
    try:
        parameters = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        return 0, 4
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    least = sum(p.default is p.empty for p in plain)
    return least, len(plain) + 2 * any(p.kind == p.VAR_POSITIONAL for p in parameters)


def argument_lists(f, values, chance):
    least, most = arity(f)
    for n in range(least, min(most, least + 3) + 1):
        if n == 1:
            yield from ((v,) for v in values)
        elif n == 2:
            yield from chance.sample(list(itertools.product(values, repeat=2)), 200)
        elif n > 2:
            yield from (((v,) * n) for v in values)
            yield from (tuple(chance.choice(values) for _ in range(n)) for _ in range(200))
        else:
            yield ()


def call(f, args, count):
    try:
        f(*args)
    except SystemError:
        raise
    except Exception:
        count["raised"] += 1
    else:
        count["returned"] += 1


def targets(s):
    """Names and functions: of the modules, and methods of living objects, such as the stream s."""
    for module in MODULES:
        for name in sorted(getattr(module, "__all__", None) or vars(module)):
            f = getattr(module, name)
            if not name.startswith("_") and name not in LEFT_OUT and callable(f):
                yield f"{module.__name__}.{name}", f
    channel = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.cudaChannelFormatKindFloat)
    s.begin_capture()
    graph = s.end_capture()
    pinned = cuda.alloc_pinned_memory(64)
    objects = [tb.cuda.alloc(64), cuda.Memory(64), cuda.ManagedMemory(64), s, cuda.Event(), graph, pinned,
               cuda.MemoryPool(), cuda.PinnedMemoryPool(), texture.CUDAarray(channel, 8),
               texture.MipmappedArray(channel, 8, 8, levels=3), channel, cuda.Device()]
    for o in objects:
        for name in sorted(dir(type(o))):
            if not name.startswith("_") or name in ("__add__", "__sub__", "__int__", "__index__"):
                if callable(getattr(type(o), name)):
                    yield f"{type(o).__name__}.{name}", getattr(o, name)
    for name in ("empty_pinned", "empty_like_pinned"):
        yield f"tombacx.{name}", getattr(tombacx, name)


def undo(streams):
    """What a call may have begun."""
    tb.cuda.Device(0).use()
    cuda.Stream.null.use()
    for s in streams:
        if s.is_capturing():
            s.end_capture()
    tb.get_default_memory_pool().set_limit(0)


def main(seed, verbose):
    warnings.simplefilter("ignore")
    chance, count, n = random.Random(seed), {"raised": 0, "returned": 0}, 0
    owned, keep = owned_handles()
    computes = float((tb.ones(1000) + 1).sum()) == 2000
    handles, own = ended_handles() + owned, cuda.Stream()
    for name, f in targets(own):
        n += 1
        if verbose:
            print(name, flush=True)
        for args in argument_lists(f, values_for(name, handles), chance):
            if verbose > 1:
                print("   ", args, flush=True)
            call(f, args, count)
        undo([own, keep[0], cuda.Stream.null, cuda.Stream.ptds])
        assert float((tb.ones(1000) + 1).sum()) == 2000 or not computes, name
    assert n > 250 and count["raised"] > 20 * n, (n, count)
    assert [o.ptr for o in keep[:3]] == owned[:3]
    assert computes or tb.config.backend() == "cuda"
    print("functions", n, count)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
