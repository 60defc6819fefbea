"""Kernels of one stream run in order, whatever is between them, and see what was before: launches may overlap."""

import numpy as np
import pytest

import tombac as xp

N = 5000

double = xp.RawKernel('extern "C" __global__ void twice(float *x, int n) '
                      "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }", "twice")
increase = xp.ElementwiseKernel("T y", "T x", "x += y", "increase_by")
total = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total_of")


def chain(x, rounds):
    """Every step needs the one before; what is between them differs: kernels of both kinds, copies, fills, sums."""
    part, host = xp.empty_like(x), np.ones(N, "float32")
    for i in range(rounds):
        x += 1
        x.data
        double(((N + 255) // 256,), (256,), (x, np.int32(N)))
        increase(xp.float32(1), x)
        part[...] = x
        part[N // 2:] = 0
        x[...] = part[::-1][::-1]
        x[N // 2:] += total(x[:1]) + part[N // 2:]
        x.data
        if i % 4 == 0:
            x += xp.asarray(host)
        x %= 1024
        x.data
    return x


def expected(x, rounds):
    for i in range(rounds):
        x = (x + 1) * 2 + 1
        x[N // 2:] = x[0]
        if i % 4 == 0:
            x += 1
        x %= 1024
    return x


@pytest.mark.parametrize("flags", [None, {}, {"non_blocking": True}])
def test_one_stream(flags):
    start = np.arange(N, dtype="float32") % 1000
    with xp.cuda.Stream.null if flags is None else xp.cuda.Stream(**flags) as stream:
        got = chain(xp.asarray(start), 60)
        stream.synchronize()
        assert (got.get() == expected(start, 60)).all()


def test_events_between_streams():
    streams = [xp.cuda.Stream(non_blocking=True) for _ in range(3)]
    x = xp.zeros(1 << 20)
    xp.cuda.Device().synchronize()
    for i in range(90):
        before, now = streams[(i - 1) % 3], streams[i % 3]
        now.wait_event(before.record())
        with now:
            x += x * 0 + 1
            x.data
    xp.cuda.Device().synchronize()
    assert (x.get() == 90).all()


def test_null_stream_and_blocking_streams():
    a, b = xp.cuda.Stream(), xp.cuda.Stream()
    x = xp.zeros(1 << 20)
    for _ in range(30):
        for stream in (xp.cuda.Stream.null, a, xp.cuda.Stream.null, b):
            with stream:
                x += x * 0 + 1
                x.data
    xp.cuda.Device().synchronize()
    assert (x.get() == 120).all()


def test_graph():
    start = np.arange(N, dtype="float32")
    x = xp.asarray(start)
    stream = xp.cuda.Stream(non_blocking=True)
    xp.cuda.Device().synchronize()
    with stream:
        for _ in range(2):  # what is compiled on the way cannot be captured
            increase(xp.float32(1), x)
            x *= 2
            x.data
        stream.begin_capture()
        for _ in range(10):
            increase(xp.float32(1), x)
            x *= 2
            x %= 1024
            x.data
        graph = stream.end_capture()
        graph.launch(stream)
        graph.launch(stream)
        x += 1
        x.data
        stream.synchronize()
    want = ((start + 1) * 2 + 1) * 2
    for _ in range(20):
        want = (want + 1) * 2 % 1024
    assert (x.get() == want + 1).all()
