"""What CUDA C++ means, family by family: the same kernels on a GPU and on the CPU."""
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from scipy import special

import tombac as xp
from tombac import config

CPU = config.backend() == "cpu"
only_cpu = pytest.mark.skipif(not CPU, reason="on a GPU this is undefined, or ends the context")


def kernel(body, arguments="int *out", before="", name="k", **options):
    code = f'{before}\nextern "C" __global__ void {name}({arguments}) {{ {body} }}\n'
    return xp.RawKernel(code, name, **options)


def ints(n):
    return xp.zeros(n, dtype=np.int32)


def run(body, n=64, block=64, before="", dtype=np.int32, **options):
    out = xp.zeros(n, dtype=dtype)
    c = {"i": "int", "I": "unsigned", "f": "float", "d": "double", "q": "long long"}[np.dtype(dtype).char]
    kernel(body, c + " *out", before, **options)((1,), (block,), (out,))
    return out.get()


T = np.arange(64)


# ---- places, memory


def test_indices_in_three_dimensions():
    out = ints(2 * 3 * 2 * 4 * 2 * 3)
    kernel("""
        int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        out[t + b * blockDim.x * blockDim.y * blockDim.z] = b * 1000 + t + 100000 * warpSize;
    """)((2, 3, 2), (4, 2, 3), (out,))
    b, t = np.divmod(np.arange(288), 24)
    assert (out.get() == b * 1000 + t + 3200000).all()


def test_device_functions_see_their_thread():
    before = "__device__ int where() { return blockIdx.x * blockDim.x + threadIdx.x; }"
    out = ints(100)
    kernel("out[where()] = where();", before=before)((10,), (10,), (out,))
    assert (out.get() == np.arange(100)).all()


def test_dim3_and_vector_types():
    got = run("""
        dim3 d(2, 3); uint3 t = threadIdx; float4 v = make_float4(1, 2, 3, 4); double2 w = {5, 6};
        int4 *p = (int4 *)out;
        if (t.x < 16) p[t.x] = make_int4(t.x, d.x + d.y * d.z, (int)(v.x + v.w), (int)w.y);
    """)
    assert (got.reshape(16, 4) == np.stack([np.arange(16), np.full(16, 5), np.full(16, 5), np.full(16, 6)], 1)).all()


def test_static_and_dynamic_shared_memory():
    # What one name of dynamic shared memory stores is read by the other. Their addresses cannot be compared: a compiler
    # may take two variables for two places.
    before = "extern __shared__ float everywhere[];"
    k = kernel("""
        __shared__ int fixed[64];
        extern __shared__ int words[];
        fixed[threadIdx.x] = threadIdx.x; everywhere[threadIdx.x] = 2 * threadIdx.x;
        __syncthreads();
        int from = 63 - threadIdx.x;
        out[blockIdx.x * 64 + threadIdx.x] = fixed[from] + 1000 * (int)__int_as_float(words[from]);
    """, before=before)
    out = ints(256)
    k((4,), (64,), (out,), shared_mem=256)
    assert (out.get() == np.tile(2001 * (63 - T), 4)).all()


def test_structures_and_small_scalars_by_value():
    s = np.zeros((), dtype=np.dtype([("a", "f4"), ("b", "f8"), ("c", "i1")], align=True))
    s["a"], s["b"], s["c"] = 1, 2, 3
    out = xp.zeros(1)
    kernel("*out = s.a + 10 * s.b + 100 * s.c + 1000 * b + 10000 * (h == -2) + 100000 * (l == 1ll << 40);",
           "double *out, S s, bool b, short h, long long l", "struct S { float a; double b; char c; };")(
        (1,), (1,), (out, s, np.bool_(True), np.int16(-2), np.int64(1 << 40)))
    assert out.get()[0] == 111321


def test_constant_and_device_variables():
    m = xp.RawModule(code="""
        __constant__ int add[2]; __device__ int count = 5;
        extern "C" __global__ void k(int *out) { out[threadIdx.x] = add[threadIdx.x & 1]; atomicAdd(&count, 1); }
    """)
    xp.ndarray((2,), np.int32, m.get_global("add"))[...] = xp.array([3, 4], np.int32)
    out = ints(8)
    m.get_function("k")((1,), (8,), (out,))
    assert (out.get() == [3, 4] * 4).all()
    assert xp.ndarray((1,), np.int32, m.get_global("count")).get()[0] == 13


# ---- barriers


def test_barriers_that_count():
    assert (run("out[threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0);") == 22).all()
    both = "int t = threadIdx.x, a = %s != 0, b = %s != 0; out[t] = a + 2 * b;"
    assert (run(both % ("__syncthreads_and(t < 64)", "__syncthreads_and(t)")) == 1).all()
    assert (run(both % ("__syncthreads_or(t == 9)", "__syncthreads_or(0)")) == 1).all()


@pytest.mark.parametrize("block", [1, 2, 31, 33, 256, 1000, 1024])
def test_a_sum_in_a_tree(block):
    n = 4 * block
    x = xp.arange(n, dtype=np.int64)
    out = xp.zeros(4, dtype=np.int64)
    kernel("""
        __shared__ long long s[1024];
        int t = threadIdx.x;
        s[t] = x[blockIdx.x * blockDim.x + t];
        __syncthreads();
        for (int step = 512; step > 0; step /= 2) {
            if (t < step && t + step < blockDim.x) s[t] += s[t + step];
            __syncthreads();
        }
        if (t == 0) out[blockIdx.x] = s[0];
    """, "const long long *x, long long *out")((4,), (block,), (x, out))
    assert (out.get() == np.arange(n).reshape(4, block).sum(1)).all()


# ---- warps


@pytest.mark.parametrize("body, expected", [
    ("__shfl_sync(~0u, t, 5)", T // 32 * 32 + 5),
    ("__shfl_sync(~0u, t, t + 1, 8)", T // 8 * 8 + (T + 1) % 8),
    ("__shfl_up_sync(~0u, t, 3)", np.where(T % 32 < 3, T, T - 3)),
    ("__shfl_up_sync(~0u, t, 1, 16)", np.where(T % 16 < 1, T, T - 1)),
    ("__shfl_down_sync(~0u, t, 2)", np.where(T % 32 > 29, T, T + 2)),
    ("__shfl_xor_sync(~0u, t, 7)", T ^ 7),
    ("(int)__ballot_sync(~0u, t & 1)", np.full(64, -1431655766)),
    ("__any_sync(~0u, t == 3) != 0", T < 32),
    ("__all_sync(~0u, t < 40) != 0", T < 32),
    ("(int)__shfl_sync(~0u, (double)t * 3, 2)", T // 32 * 96 + 6),
    ("(int)(__shfl_sync(~0u, (long long)t << 33, 2) >> 33)", T // 32 * 32 + 2),
    ("(int)__shfl_down_sync(~0u, (float)t, 1)", np.where(T % 32 == 31, T, T + 1)),
    ("__popc(__activemask())", np.full(64, 32)),
])
def test_warp_collectives(body, expected):
    assert (run(f"int t = threadIdx.x; out[t] = {body};") == expected).all()


def test_collectives_of_part_of_a_warp():
    got = run("""
        int t = threadIdx.x, lane = t & 31;
        if (lane < 8) out[t] = __shfl_sync(0xffu, t, 7); else out[t] = __popc(__ballot_sync(0xffffff00u, lane & 1));
        __syncwarp();
        out[t] += 1000 * __shfl_sync(~0u, lane, 31);
    """)
    assert (got == np.where(T % 32 < 8, T // 32 * 32 + 7, 12) + 31000).all()


@pytest.mark.skipif(not CPU and int(xp.cuda.Device().compute_capability) < 80, reason="needs compute capability 8.0")
def test_reductions_of_a_warp():
    got = run("""
        int t = threadIdx.x;
        out[t] = __reduce_add_sync(~0u, t) + 100000 * __reduce_max_sync(~0u, t & 31);
    """, options=() if CPU else (f"-arch=sm_{xp.cuda.Device().compute_capability}",))
    assert (got == np.where(T < 32, 496, 1520) + 3100000).all()


def test_match():
    got = run("int t = threadIdx.x, p; out[t] = (int)__match_any_sync(~0u, t / 4) ; __match_all_sync(~0u, t / 32, &p);"
              "if (!p) out[t] = 0;")
    assert (got.view(np.uint32) == 0xF << (T % 32 // 4 * 4)).all()


# ---- atomics


@pytest.mark.parametrize("c, dtype", [("int", "i4"), ("unsigned", "u4"), ("unsigned long long", "u8"), ("float", "f4"),
                                      ("double", "f8")])
def test_atomic_add_from_every_block(c, dtype):
    out = xp.zeros(3, dtype=dtype)
    kernel("atomicAdd(&out[(blockIdx.x * blockDim.x + threadIdx.x) % 3], (T)1);", "T *out", f"typedef {c} T;")(
        (300,), (128,), (out,))
    assert (out.get() == 12800).all()


def test_other_atomics():
    out = xp.array([0, 1000, -5, 0, 0, -1, 0, 0, 0, 7], dtype=np.int32)
    kernel("""
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        atomicMax(&out[0], i); atomicMin(&out[1], i); atomicSub(&out[2], 1); atomicInc((unsigned *)&out[3], 9u);
        atomicOr(&out[4], 1 << (i & 7)); atomicAnd(&out[5], ~(1 << (i & 3))); atomicXor(&out[6], i);
        int seen = out[7], assumed;
        do { assumed = seen; seen = atomicCAS(&out[7], assumed, assumed + 2); } while (seen != assumed);
        if (i == 17) out[8] = atomicExch(&out[9], 70);
    """)((4,), (32,), (out,))
    assert (out.get() == [127, 0, -133, 128 % 10, 255, -16, 0, 256, 7, 70]).all()


def test_a_last_block_knows_that_it_is_last():
    out = ints(2)
    kernel("""
        __shared__ bool last;
        atomicAdd(&out[0], 1);
        __syncthreads();
        __threadfence();
        if (threadIdx.x == 0) last = atomicInc((unsigned *)&out[1], gridDim.x - 1) == gridDim.x - 1;
        __syncthreads();
        if (last && threadIdx.x == 0) out[0] *= -1;
    """)((50,), (40,), (out,))
    assert (out.get() == [-2000, 0]).all()


# ---- numbers

X = np.concatenate([np.linspace(-4, 4, 97), [0.25, 1e-3, -1e-3]])
P = np.concatenate([np.linspace(0.01, 0.99, 50), np.linspace(1, 30, 50)])
MATH = [
    ("sin(x)", X, np.sin), ("tanh(x)", X, np.tanh), ("exp10(x)", X, lambda x: 10.0**x), ("erf(x)", X, special.erf),
    ("erfcx(x)", P, special.erfcx), ("sinpi(x)", X, lambda x: np.sin(np.pi * x)), ("cbrt(x)", X, np.cbrt),
    ("cospi(x)", X, lambda x: np.cos(np.pi * x)), ("rsqrt(x)", P, lambda x: 1 / np.sqrt(x)),
    ("erfinv(x / 31)", P, lambda x: special.erfinv(x / 31)), ("erfcinv(x / 16)", P, lambda x: special.erfcinv(x / 16)),
    ("normcdf(x)", X, special.ndtr), ("normcdfinv(x / 31)", P, lambda x: special.ndtri(x / 31)),
    ("cyl_bessel_i0(x)", P, special.i0), ("cyl_bessel_i1(x)", X, special.i1), ("tgamma(x)", P, special.gamma),
    ("lgamma(x)", P, special.gammaln), ("log1p(x)", P, np.log1p),
    ("hypot(x, (T)3)", X, lambda x: np.hypot(x, 3)),
    ("pow(x, (T)2.5)", P, lambda x: x**2.5), ("fmod(x, (T)0.75)", X, lambda x: np.fmod(x, 0.75)),
    ("max(x, (T)1)", X, lambda x: np.maximum(x, 1)), ("round(x)", P, lambda x: np.floor(x + 0.5)),
    ("rint(x)", X, np.rint), ("copysign((T)2, x)", X, lambda x: np.copysign(2, x)),
]


@pytest.mark.parametrize("c, dtype", [("float", np.float32), ("double", np.float64)])
@pytest.mark.parametrize("text, x, expected", MATH, ids=[m[0] for m in MATH])
def test_math(text, x, expected, c, dtype):
    x = x.astype(dtype)
    out = xp.zeros_like(xp.array(x))
    kernel(f"T x = in[threadIdx.x]; out[threadIdx.x] = {text};", "const T *in, T *out", f"typedef {c} T;")(
        (1,), (x.size,), (xp.array(x), out))
    eps = np.finfo(dtype).eps
    np.testing.assert_allclose(out.get(), expected(x.astype(np.float64)), rtol=60 * eps, atol=40 * eps)


@pytest.mark.parametrize("c, dtype", [("float", np.float32), ("double", np.float64)])
@pytest.mark.parametrize("text, expected", [("j0(x)", special.j0), ("j1(x)", special.j1), ("y0(x)", special.y0),
                                            ("jn(3, x)", lambda x: special.jn(3, x))])
def test_bessel_functions(text, expected, c, dtype):
    # They cross zero, and CUDA promises a small absolute error only: 2.2e-6 for j0f, 5e-12 for j0 of large arguments.
    x = P.astype(dtype)
    out = xp.zeros_like(xp.array(x))
    kernel(f"T x = in[threadIdx.x]; out[threadIdx.x] = {text};", "const T *in, T *out", f"typedef {c} T;")(
        (1,), (x.size,), (xp.array(x), out))
    np.testing.assert_allclose(out.get(), expected(x.astype(np.float64)), rtol=3e-6 if c == "float" else 1e-11,
                               atol=3e-6 if c == "float" else 5e-12)


@pytest.mark.parametrize("text, expected", [
    ("__clz(1000)", 22), ("__clz(0)", 32), ("__ffs(48)", 5), ("__popc(255u)", 8), ("__popcll(~0ull)", 64),
    ("(int)(__brev(1u) >> 30)", 2), ("(int)__byte_perm(0x33221100, 0x77665544, 0x0526)", 0x00552266),
    ("__mul24(1000, -3)", -3000), ("(int)__umulhi(1u << 31, 6u)", 3), ("__mulhi(1 << 30, -8)", -2),
    ("__float_as_int(1.0f)", 0x3F800000), ("(int)__int_as_float(0x40000000)", 2),
    ("__float2int_rn(2.5f)", 2), ("__float2int_rz(-2.7f)", -2), ("__float2int_ru(2.1f)", 3),
    ("__float2int_rd(-2.1f)", -3),
    ("__double2int_rn(3.5)", 4), ("__float2int_rz(1e20f)", 2147483647), ("(int)__float2uint_rn(-5.0f)", 0),
    ("__double2hiint(1.0)", 0x3FF00000), ("(int)__hiloint2double(0x40080000, 0)", 3),
    ("(int)(__saturatef(2.0f) * 4 + __saturatef(-1.0f))", 4), ("(int)__funnelshift_l(0x80000000u, 1u, 1)", 3),
    ("__hadd(7, 8)", 7), ("__rhadd(7, 8)", 8), ("(int)__sad(3, -4, 10u)", 17),
    ("__fadd_ru(1.0f, 1e-20f) > 1.0f", 1), ("__fadd_rd(1.0f, 1e-20f) == 1.0f", 1),
    ("__fadd_rd(1.0f, -1e-20f) < 1.0f", 1),
    ("__fadd_rz(1.0f, -1e-20f) < 1.0f", 1), ("__ddiv_ru(1.0, 3.0) > __ddiv_rd(1.0, 3.0)", 1),
    ("__fmul_ru(1.1f, 1.1f) >= __fmul_rn(1.1f, 1.1f)", 1), ("__dsqrt_rd(2.0) < __dsqrt_ru(2.0)", 1),
    ("(int)(__fmaf_rn(2.0f, 3.0f, 1.0f) + __fdividef(8.0f, 2.0f))", 11),
    ("(int)(__ldg(out) + min(3, 4) + max(2.0f, 3.0f))", 6),
    ("isnan(nanf(\"\")) && isinf(1.0f / 0.0f) && !isfinite(1.0 / 0.0) && signbit(-0.0f)", 1),
])
def test_intrinsics(text, expected):
    assert (run(f"out[threadIdx.x + 1] = {text};", n=2, block=1)[1]) == expected


def test_half():
    # The _rn functions: nvcc may make one fused operation of a product and a sum, but not of these.
    x = (np.arange(64) / 7).astype(np.float16)
    y, z = xp.zeros(64, np.float16), xp.zeros(64, np.float32)
    kernel("""
        int i = threadIdx.x;
        y[i] = __hadd_rn(__hmul_rn(x[i], __float2half(1.5f)), x[i]);
        half2 p = __hmul2(__halves2half2(x[i], y[i]), __float2half2_rn(2.0f));
        z[i] = __low2float(p) + __high2float(p) + (__hlt(x[i], y[i]) ? 1000 : 0);
    """, "const half *x, half *y, float *z", "#include <cuda_fp16.h>")((1,), (64,), (xp.array(x), y, z))
    expected = (x * np.float16(1.5)) + x
    assert (y.get() == expected).all()
    sums = (x * np.float16(2)).astype("f") + (expected * np.float16(2)).astype("f")
    assert (z.get() == sums + np.where(x < expected, 1000, 0)).all()


def test_bfloat16():
    got = run("out[threadIdx.x] = __bfloat162float(__float2bfloat16(1.0f + threadIdx.x / 256.0f));",
              before="#include <cuda_bf16.h>", dtype=np.float32)
    bits = (1 + T / 256).astype(np.float32).view(np.uint32)
    assert (got.view(np.uint32) == (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).all()


# ---- the language


def test_templates_and_lambdas():
    code = """
        template <class F> __device__ void each(int n, F f) { for (int i = threadIdx.x; i < n; i += blockDim.x) f(i); }
        template <class T, int N> struct vec {
            T v[N];
            __device__ T sum() const { T s = 0; for (T x : v) s += x; return s; }
        };
        namespace inner { template <typename T, int N> __global__ void fill(T *out, int n) {
            vec<T, N> v; for (int i = 0; i < N; i++) v.v[i] = i + 1;
            each(n, [=](int i) { out[i] = v.sum() + i; });
        } }
    """
    names = ["inner::fill<float, 3>", "inner::fill<long long, 4>"]
    m = xp.RawModule(code=code, options=("-std=c++17",), name_expressions=names)
    for name, dtype, first in zip(names, (np.float32, np.int64), (6, 10)):
        out = xp.zeros(50, dtype)
        m.get_function(name)((1,), (16,), (out, np.int32(50)))
        assert (out.get() == first + np.arange(50)).all()


def test_macros_that_hold_kernels():
    code = """
        #define KERNEL(name) extern "C" __global__ void name
        #define SHARED __shared__ int
        KERNEL(first)(int *out) {
            SHARED s[64];
            s[threadIdx.x] = threadIdx.x; __syncthreads(); out[threadIdx.x] = s[63 - threadIdx.x];
        }
        KERNEL(second)(int *out) { out[threadIdx.x] += 1; }
    """
    m = xp.RawModule(code=code)
    out = ints(64)
    m.get_function("first")((1,), (64,), (out,))
    m.get_function("second")((1,), (64,), (out,))
    assert (out.get() == 64 - T).all()


def test_printf(capfd):
    body = r'if (threadIdx.x < 2) printf("thread %d of %s: %.2f\n", threadIdx.x, "two", 1.5 * threadIdx.x);'
    kernel(body, "")((1,), (4,), ())
    xp.cuda.Device().synchronize()
    assert capfd.readouterr().out.split("\n")[:2] == ["thread 0 of two: 0.00", "thread 1 of two: 1.50"]


def test_clocks_go_forward():
    got = run("long long a = clock64(); int b = clock(); out[0] = clock64() >= a; out[1] = (int)clock() - b >= 0;",
              block=1)
    assert got[0] == 1 and got[1] == 1


GROUPS = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
"""


def test_tiles():
    got = run("""
        cg::thread_block b = cg::this_thread_block();
        auto tile = cg::tiled_partition<8>(b);
        int v = b.thread_rank();
        for (int o = tile.size() / 2; o > 0; o /= 2) v += tile.shfl_down(v, o);
        b.sync();
        int any = tile.any(tile.thread_rank() == 3) != 0;
        out[b.thread_rank()] = tile.shfl(v, 0) + 1000 * any + 10000 * tile.meta_group_rank();
    """, before=GROUPS)
    assert (got == T.reshape(8, 8).sum(1).repeat(8) + 1000 + 10000 * (T // 8)).all()


def test_grids_that_meet():
    out = ints(256)
    k = kernel("""
        cg::grid_group g = cg::this_grid();
        int n = g.size(), i = g.thread_rank();
        out[i] = i;
        g.sync();
        int v = out[n - 1 - i];
        g.sync();
        out[i] = v;
    """, before=GROUPS, enable_cooperative_groups=True)
    k((4,), (64,), (out,))
    assert (out.get() == np.arange(256)[::-1]).all()


# ---- failures, on the CPU

FAULTS = [
    ("if (threadIdx.x < 16) __syncthreads();", "barrier that is not reached by all threads.*has returned"),
    ("if (threadIdx.x < 16) __shfl_sync(~0u, 1, 0); else __syncthreads();", "warp collective that is not reached"),
    ("out[1ll << 40] = 1;", "illegal memory access"),
    ("out[0] = 5 / out[1];", "division by zero"),
    ("assert(threadIdx.x != 3);", r"assert\(threadIdx.x != 3\)"),
    ("if (threadIdx.x == 2) __trap();", "__trap"),
]


@only_cpu
@pytest.mark.parametrize("body, message", FAULTS, ids=[m for _, m in FAULTS])
def test_faults_name_the_kernel(body, message):
    with pytest.raises(xp.cuda.runtime.CUDARuntimeError, match="(?s)kernel faulty.*" + message):
        kernel(body, name="faulty")((2,), (64,), (ints(64),))
        xp.cuda.Device().synchronize()
    assert (run("out[threadIdx.x] = threadIdx.x;") == T).all()


@only_cpu
@pytest.mark.parametrize("before", ["", "#define OUT __shared__ int unused;"])
def test_assertions_can_be_left_out(before):
    body = "assert(threadIdx.x != 3); out[threadIdx.x] = threadIdx.x;"
    assert (run(body, before=before, options=("-DNDEBUG",)) == T).all()
    assert (run(body, before="#define NDEBUG\n" + before) == T).all()


HANDLERS = """
import os, signal
seen = []
signal.signal(signal.SIGFPE, lambda *a: seen.append("mine"))
import tombac as xp
k = xp.RawKernel('extern "C" __global__ void k(int *out) { out[0] = 5 / out[1]; }', "k")
out = xp.zeros(2, "i")
for n in range(2):
    try:
        k((1,), (1,), (out,))
        xp.cuda.Device().synchronize()
    except xp.cuda.runtime.CUDARuntimeError:
        seen.append("kernel")
    os.kill(os.getpid(), signal.SIGFPE)
print(*seen, flush=True)
os.kill(os.getpid(), signal.SIGSEGV)
print("alive")
"""


@only_cpu
def test_other_handlers_of_signals_stay():
    env = dict(os.environ, TOMBAC_BACKEND="cpu")
    done = subprocess.run([sys.executable, "-c", HANDLERS], env=env, capture_output=True, text=True)
    assert done.stdout == "kernel mine kernel mine\n" and done.returncode == -11, done.stderr


def test_threads_launch_at_once():
    k = kernel("__shared__ int s[64]; s[threadIdx.x] = n; __syncthreads(); out[threadIdx.x] = s[63 - threadIdx.x];",
               "int *out, int n")
    wrong = []

    def work(n):
        out = ints(64)
        for i in range(100):
            k((1,), (64,), (out, np.int32(n + i)))
            if (out.get() != n + i).any():
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(1000 * i,)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


def test_headers_of_the_user(tmp_path):
    (tmp_path / "mine.cuh").write_text("#pragma once\ntemplate <class T> __device__ T twice(T x) { return 2 * x; }\n"
                                       "extern \"C\" __global__ void other(int *out) { out[threadIdx.x] = 5; }\n")
    m = xp.RawModule(code='#include "mine.cuh"\nextern "C" __global__ void k(int *o) { o[threadIdx.x] = twice(N); }',
                     options=(f"-I{tmp_path}", "-DN=21"))
    for name, expected in (("k", 42), ("other", 5)):
        out = ints(4)
        m.get_function(name)((1,), (4,), (out,))
        assert (out.get() == expected).all()


def test_headers_that_tombac_brings():
    code = """
        #include <cupy/carray.cuh>
        extern "C" __global__ void k(CArray<float, 2> a, complex<float> *z, float16 *h, int64_t n) {
            CUPY_FOR(i, n) { a[i] *= 2; z[i] = z[i] * complex<float>(0, 1); h[i] += 1; }
        }
    """
    size = np.dtype([("data", "u8"), ("size", "i8"), ("shape", "i8", 2), ("strides", "i8", 2)])
    a, z, h = xp.arange(12, dtype="f").reshape(3, 4), xp.arange(6, dtype="F"), xp.arange(6, dtype="e")
    view = a[::2, ::-1][:, :3]
    argument = np.array((view.data.ptr, 6, view.shape, view.strides), size)
    xp.RawKernel(code, "k")((1,), (4,), (argument, z, h, np.int64(6)))
    expected = np.arange(12, dtype="f").reshape(3, 4)
    expected[::2, ::-1][:, :3] *= 2
    assert (a.get() == expected).all()
    assert (z.get() == np.arange(6) * 1j).all() and (h.get() == np.arange(6) + 1).all()


def test_macros_that_say_where_a_source_is(tmp_path):
    (tmp_path / "where.cuh").write_text("#ifdef __CUDA_ARCH__\n#define DEVICE 1\n#endif\n")
    code = """
        #include "where.cuh"
        #include <tombac/float16.cuh>
        extern "C" __global__ void k(int *out) {
        #ifdef DEVICE
            float16 h = 2.5f; int four; memcpy(&four, out + 1, sizeof four); out[0] = (int)(h * 2) + four;
        #endif
        }
    """
    out = xp.array([0, 4], np.int32)
    xp.RawKernel(code, "k", (f"-I{tmp_path}",))((1,), (1,), (out,))
    assert out.get()[0] == 9


@only_cpu
def test_a_missing_compiler_is_named():
    code = "import tombac as xp; xp.RawKernel('extern \"C\" __global__ void k() {}', 'k')((1,), (1,), ())"
    env = dict(os.environ, TOMBAC_CXX="/nowhere/c++", TOMBAC_BACKEND="cpu")
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert "ImportError" in done.stderr and "g++" in done.stderr and "TOMBAC_CXX" in done.stderr
