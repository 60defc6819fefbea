"""What CUDA C++ may include and lean on: standard headers, threads that return before a barrier."""
import numpy as np
import pytest

import tombac as xp
from tombac import config

only_cpu = pytest.mark.skipif(config.backend() != "cpu", reason="NVRTC has no standard headers without a toolkit")


def run(code, name="k", n=64, block=64, arguments=(), dtype=np.int32):
    out = xp.zeros(n, dtype=dtype)
    xp.RawKernel(code, name)((1,), (block,), (out, *arguments))
    return out.get()


# ---- headers

PARTS = [
    "#include <string>\n#include <memory>\n#include <iostream>",
    "#include <vector>\n#include <map>\n#include <algorithm>",
    "#include <cstdio>\n#include <cmath>\n#include <limits>\n#include <type_traits>",
    "#include <cuda/std/limits>\n#include <cuda/std/array>\n#include <cuda/std/atomic>\n#include <cuda/std/chrono>",
    "#include <cuda_runtime.h>\n#include <driver_types.h>\n#include <math_functions.h>\n#include <vector_functions.h>",
]


@only_cpu
@pytest.mark.parametrize("headers", PARTS, ids=lambda h: h.split("\n")[0][10:-1])
def test_headers(headers):
    code = headers + """
    __device__ __noinline__ int twice(int v) { return 2 * v; }
    extern "C" __global__ void k(int *out) { out[threadIdx.x] = twice((int)threadIdx.x); }"""
    assert (run(code) == 2 * np.arange(64)).all()


@only_cpu
def test_standard_names_in_kernels():
    got = run("""#include <string>
    #include <limits>
    #include <cuda/std/array>
    #include <algorithm>
    extern "C" __global__ void k(int *out) {
        cuda::std::array<int, 4> a = {4, 1, 3, 2};
        std::sort(a.begin(), a.end());
        out[threadIdx.x] = a[threadIdx.x % 4] + (std::numeric_limits<short>::max() - 32767);
    }""")
    assert (got == np.tile([1, 2, 3, 4], 16)).all()


@only_cpu
def test_noinline_from_a_macro():
    got = run("""#define APART __noinline__
    APART __device__ int three() { return 3; }
    extern "C" __global__ __noinline__ void k(int *out) { out[threadIdx.x] = three(); }""")
    assert (got == 3).all()


@only_cpu
@pytest.mark.parametrize("header", ["cub/cub.cuh", "mma.h", "cuda/barrier"])
def test_headers_that_are_for_gpus_are_named(header):
    code = f'#include <{header}>\nextern "C" __global__ void k(int *out) {{ nvcuda::x(); cub::y(); cuda::z(); }}'
    with pytest.raises(xp.cuda.compiler.CompileException, match=f"<{header}> is for GPUs"):
        run(code)


# ---- threads that return early

EARLY = """extern "C" __global__ void k(int *out, int n) {
    __shared__ int s[64];
    int i = threadIdx.x;
    if (i >= n) return;
    s[i] = i;
    __syncthreads();
    int v = s[n - 1 - i] + 100 * __syncthreads_count(i & 1) + 10000 * (__syncthreads_and(1) != 0);
    if (i < 5) { out[i] = v; return; }
    __syncthreads();
    out[i] = v + 100000 * (__syncthreads_or(i == 7) != 0);
}"""


@pytest.mark.parametrize("n", [64, 40, 32, 6, 1, 0])
def test_threads_that_have_returned_are_not_waited_for(monkeypatch, n):
    monkeypatch.setenv("TOMBAC_BARRIER", "volta")
    i = np.arange(n)
    expected = np.zeros(64, int)
    expected[:n] = n - 1 - i + 100 * (n // 2) + 10000 + np.where(i < 5, 0, 100000 * (n > 7))
    assert (run(EARLY, arguments=(np.int32(n),)) == expected).all()


@only_cpu
def test_or_the_barrier_is_an_error(monkeypatch):
    monkeypatch.delenv("TOMBAC_BARRIER", raising=False)
    with pytest.raises(xp.cuda.runtime.CUDARuntimeError, match="(?s)thread .40, 0, 0. has returned.*TOMBAC_BARRIER"):
        run(EARLY, arguments=(np.int32(40),))


@only_cpu
def test_a_barrier_that_a_live_thread_cannot_reach_stays_an_error(monkeypatch):
    monkeypatch.setenv("TOMBAC_BARRIER", "volta")
    code = """extern "C" __global__ void k(int *out) {
        if (threadIdx.x == 0) __shfl_sync(1u << 1 | 1, 1, 0); else __syncthreads();
    }"""
    with pytest.raises(xp.cuda.runtime.CUDARuntimeError, match="is not reached"):
        run(code)
