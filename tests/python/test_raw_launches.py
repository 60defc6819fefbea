"""Kernels that launch kernels. A GPU needs CUDA's device runtime for it, which comes with a toolkit."""
import numpy as np
import pytest
import raw_kernels

import tombac as xp
from tombac import config

only_cpu = pytest.mark.skipif(config.backend() != "cpu", reason="on a GPU the order of grids is not fixed")


def compiled(code):
    return raw_kernels.compiled(xp.RawKernel(code, "parent", ("-dc",)))


def run(code, n=64, grid=1, block=1, dtype=np.int32):
    out = xp.zeros(n, dtype=dtype)
    compiled(code)((grid,), (block,), (out,))
    return out.get()


CHILD = """__global__ void child(int *out, int base, int v) {
    out[base + blockIdx.x * blockDim.x + threadIdx.x] = v + threadIdx.x + 100 * blockIdx.x + 10000 * gridDim.x;
}
"""


def test_a_grid_from_every_thread():
    got = run(CHILD + """extern "C" __global__ void parent(int *out) {
        int i = blockIdx.x * blockDim.x + threadIdx.x, base = 8 * i;
        child<<<2, 4>>>(out, base, 1000 * i);
        base = -1;
    }""", grid=2, block=4)
    i, b, t = np.indices((8, 2, 4))
    assert (got == (1000 * i + t + 100 * b + 20000).ravel()).all()


def test_children_that_wait_and_have_shared_memory():
    got = run("""__global__ void child(int *out) {
        extern __shared__ int s[];
        s[threadIdx.x] = threadIdx.x;
        __syncthreads();
        out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
    }
    extern "C" __global__ void parent(int *out) {
        if (threadIdx.x == 0) child<<<dim3(1, 1), dim3(64), 64 * sizeof(int)>>>(out);
    }""", block=32)
    assert (got == 63 - np.arange(64)).all()


def test_templates_namespaces_and_conversions():
    got = run("""
    namespace a { template <class T, int N> __global__ void child(T *out, double v) { out[threadIdx.x] = v + N; } }
    template <class T> __global__ void deduced(T *out, T v) { out[threadIdx.x] += v; }
    extern "C" __global__ void parent(int *out) {
        a::child<int, (3 > 2) ? 5 : 6><<<1, (1 << 5) >> 1>>>(out, 1);
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        deduced<<<1, 64, 0, s>>>(out, 7);
        cudaStreamDestroy(s);
        if (cudaGetLastError() != cudaSuccess) out[0] = -1;
    }""")
    assert (got == np.r_[np.full(16, 13), np.full(48, 7)]).all()


@only_cpu
def test_order():
    # In a block's order; what is launched by a child comes before its parent's next; a tail comes last.
    got = run("""
    __device__ int at;
    __global__ void note(int *out, int v) { out[at++] = v; }
    __global__ void child(int *out, int v) { note<<<1, 1>>>(out, v + 1); note<<<1, 1>>>(out, v + 2); out[at++] = v; }
    extern "C" __global__ void parent(int *out) {
        int v = 100 * blockIdx.x;
        note<<<1, 1, 0, cudaStreamTailLaunch>>>(out, v + 50);
        child<<<1, 1>>>(out, v + 10);
        child<<<1, 1, 0, cudaStreamFireAndForget>>>(out, v + 20);
    }""", grid=3)
    expected = [v + w for v in (0, 100, 200) for w in (10, 11, 12, 20, 21, 22)] + [50, 150, 250]
    assert got.tolist() == expected + [0] * (64 - len(expected))


def test_recursion_and_launches_in_device_functions():
    code = """
    __global__ void sort_of(int *out, int from, int to);
    __device__ void split(int *out, int from, int to) {
        int middle = (from + to) / 2 + threadIdx.x;
        sort_of<<<1, 1>>>(out, from, middle);
        sort_of<<<1, 1>>>(out, middle, to);
    }
    __global__ void sort_of(int *out, int from, int to) {
        if (to - from == 1) out[from] = from;
        else split(out, from, to);
    }
    extern "C" __global__ void parent(int *out) { split(out, 0, 64); }"""
    assert (run(code) == np.arange(64)).all()


def test_launches_from_macros():
    got = run(CHILD + """
    #define LAUNCH(n) child<<<1, n>>>(out, 0, 3)
    extern "C" __global__ void parent(int *out) { LAUNCH(64); }""")
    assert (got == 10003 + np.arange(64)).all()


@only_cpu
def test_many_children_do_not_depend_on_threads():
    code = """__global__ void child(float *out, float v) { out[0] = out[0] * 1.0001f + v; }
    extern "C" __global__ void parent(float *out) { child<<<1, 1>>>(out, blockIdx.x * .37f); }"""
    results = {run(code, n=1, grid=500, dtype=np.float32)[0] for _ in range(5)}
    x = np.float32(0)
    for i in range(500):
        x = np.float32(x * np.float32(1.0001)) + np.float32(np.float32(i) * np.float32(0.37))
    assert len(results) == 1 and abs(results.pop() - x) <= 1e-4 * x


@only_cpu
def test_a_recorded_launch():
    code = CHILD + 'extern "C" __global__ void parent(int *out) { child<<<1, 8>>>(out, 0, out[9]); }'
    parent = compiled(code)
    out = xp.zeros(10, np.int32)
    stream = xp.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        parent((1,), (1,), (out,))
        graph = stream.end_capture()
    assert not out.any()
    out[9] = 5
    graph.launch(stream)
    stream.synchronize()
    assert (out.get()[:8] == 10005 + np.arange(8)).all()


@only_cpu
@pytest.mark.parametrize("launch, message", [
    ("child<<<1, 2000>>>(out, 0, 0)", "(?s)launched by kernel parent.*kernel child.*block of"),
    ("child<<<0, 1>>>(out, 0, 0)", "grid of"),
    ("bad<<<1, 1>>>(out)", "(?s)kernel bad.*illegal memory access"),
    ("deep<<<1, 1>>>(out)", "nested more than 24 deep"),
])
def test_failures_are_the_launchs(launch, message):
    code = CHILD + """__global__ void bad(int *out) { out[1ll << 40] = 1; }
    __global__ void deep(int *out) { deep<<<1, 1>>>(out); }
    extern "C" __global__ void parent(int *out) { %s; }""" % launch
    with pytest.raises(xp.cuda.runtime.CUDARuntimeError, match=message):
        run(code)


def test_wrong_arguments_do_not_compile():
    code = CHILD + 'extern "C" __global__ void parent(int *out) { child<<<1, 1>>>(out); }'
    with pytest.raises(xp.cuda.compiler.CompileException):
        run(code)
