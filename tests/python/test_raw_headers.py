"""What CUDA C++ may include and lean on: standard headers, threads that return before a barrier."""
import numpy as np
import pytest

import tombac as xp
from tombac import config

only_cpu = pytest.mark.skipif(config.backend() != "cpu", reason="NVRTC has no standard headers without a toolkit")


def run(code, name="k", n=64, block=64, arguments=(), dtype=np.int32):
    out = xp.zeros(n, dtype=dtype)
    xp.RawKernel(code, name)((1,), block if isinstance(block, tuple) else (block,), (out, *arguments))
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
@pytest.mark.parametrize("header", ["cub/block/block_scan.cuh", "mma.h", "cuda/barrier"])
def test_headers_that_are_for_gpus_are_named(header):
    code = f'#include <{header}>\nextern "C" __global__ void k(int *out) {{ nvcuda::x(); cub::y(); cuda::z(); }}'
    with pytest.raises(xp.cuda.compiler.CompileException, match=f"<{header}> is for GPUs"):
        run(code)


@only_cpu
@pytest.mark.parametrize("header, name", [("cub/cub.cuh", "cub::BlockScan<int, 64>"),
                                          ("thrust/sort.h", "thrust::host_vector<int>")])
def test_what_a_header_has_in_part_is_named(header, name):
    with pytest.raises(xp.cuda.compiler.CompileException, match=f"<{header}> has .* on the CPU, and nothing else"):
        run(f'#include <{header}>\nextern "C" __global__ void k(int *out) {{ {name} x; }}')


@only_cpu
@pytest.mark.parametrize("header", ["cub/cub.cuh", "cub/block/block_reduce.cuh", "cub/warp/warp_reduce.cuh"])
def test_reductions_of_cub(header):
    got = run("#include <%s>" % header + """
    struct Longest { __device__ int operator()(int a, int b) const { return max(a, b); } };
    template <int x, int y> using Block = cub::BlockReduce<int, x, cub::BLOCK_REDUCE_RAKING, y>;
    extern "C" __global__ void k(int *out) {
        using Warp = cub::WarpReduce<int, 16>;
        __shared__ typename Block<16, 4>::TempStorage s, t;
        __shared__ typename Warp::TempStorage w[4];
        int i = threadIdx.x + threadIdx.y * 16, items[2] = {i, 1};
        int sum = Block<16, 4>(s).Sum(items), most = Block<16, 4>(t).Reduce(i, Longest(), 40);
        int part = Warp(w[i / 16]).Reduce(i, [](int a, int b) { return a + b; });
        if (i == 0) out[0] = sum, out[1] = most;
        if (i % 16 == 0) out[2 + i / 16] = part;
    }""", block=(16, 4))
    i = np.arange(64)
    assert got[:6].tolist() == [i.sum() + 64, 39, *i.reshape(4, 16).sum(1)]


@only_cpu
def test_algorithms_of_thrust():
    got = run("""#include <thrust/sort.h>
    #include <thrust/execution_policy.h>
    #include <thrust/functional.h>
    #include <thrust/set_operations.h>
    #include <thrust/iterator/counting_iterator.h>
    #include <thrust/transform_reduce.h>
    extern "C" __global__ void k(int *out, int n) {
        int *first = out + 8, *last = first + n;
        auto count = thrust::make_counting_iterator(1);
        thrust::copy(thrust::seq, count, count + n, first);
        thrust::sort(thrust::device, first, last, thrust::greater<int>());
        out[0] = *thrust::lower_bound(thrust::seq, first, last, 3, thrust::greater<int>());
        out[1] = thrust::reduce(first, last);
        out[2] = thrust::reduce(thrust::seq, first, last, -1, thrust::maximum<int>());
        out[3] = thrust::inner_product(thrust::seq, first, last, count, 0);
        thrust::pair<int *, int *> p = thrust::equal_range(thrust::seq, first, last, 2, thrust::greater<>());
        out[4] = p.second - p.first;
        out[5] = thrust::transform_reduce(thrust::seq, first, last, thrust::square<int>(), 0, thrust::plus<int>());
        thrust::reverse(first, last);
        out[6] = thrust::set_intersection(thrust::seq, first, last, count + 2, count + 20, last) - last;
        out[7] = *(count + 4) + (thrust::count_if(thrust::seq, first, last, [](int v) { return v % 2 == 0; }) << 4);
    }""", block=1, arguments=(np.int32(6),))
    assert got[:8].tolist() == [3, 21, 6, 56, 1, 91, 4, 5 + (3 << 4)]
    assert got[8:18].tolist() == [1, 2, 3, 4, 5, 6, 3, 4, 5, 6]


@only_cpu
def test_atomic_references():
    got = run("""#include <cuda/atomic>
    #include <cuda/functional>
    #include <cuda/std/cmath>
    __device__ cuda::atomic<int, cuda::thread_scope_device> tally;
    extern "C" __global__ void k(int *out) {
        __shared__ float shared;
        if (threadIdx.x == 0) shared = 0;
        __syncthreads();
        int i = threadIdx.x;
        cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[0]), most(out[1]), bits(out[2]);
        sum.fetch_add(i, cuda::memory_order_relaxed);
        most.fetch_max(i, cuda::std::memory_order_relaxed);
        bits |= 1 << i % 8;
        cuda::atomic_ref<float, cuda::thread_scope_block>(shared).fetch_add(0.5f);
        cuda::atomic_ref<int> once(out[4]);
        int nothing = 0;
        if (once.compare_exchange_strong(nothing, 7)) out[5] = cuda::maximum<>()(3, i * 0);
        tally++;
        __syncthreads();
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
        if (i == 0) out[3] = (int)cuda::std::floor(shared), out[6] = tally.load(), out[7] = tally.exchange(1) + tally;
    }""")
    assert got[:8].tolist() == [2016, 63, 255, 32, 7, 3, 64, 65]


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
