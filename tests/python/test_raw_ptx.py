"""Inline PTX in user kernels: instructions that compute, on a GPU and on the CPU."""
import numpy as np
import pytest

import tombac as xp
from tombac import config

only_cpu = pytest.mark.skipif(config.backend() != "cpu", reason="a GPU has all of PTX")
VALUES = np.array([0, 1, 2, 31, 32, 33, 255, 0x80, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xDEADBEEF, 0x12345678], "u4")
A, B = (m.ravel() for m in np.meshgrid(VALUES, VALUES))
N = len(A)


def run(body, dtype="u4", a=A, b=B, before=""):
    """What the body leaves in r, by elements of a and b."""
    names = {"u4": "unsigned", "i4": "int", "u8": "unsigned long long", "f4": "float"}
    k = xp.RawKernel(f"""{before}
    extern "C" __global__ void k(const {names[a.dtype.str[1:]]} *as, const {names[b.dtype.str[1:]]} *bs,
                                 {names[dtype]} *out, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        auto a = as[i]; auto b = bs[i]; {names[dtype]} r = 0;
        {body}
        out[i] = r;
    }}""", "k")
    out = xp.zeros(len(a), dtype)
    k(((len(a) + 63) // 64,), (64,), (xp.array(a), xp.array(b), out, np.int32(len(a))))
    return out.get()


def signed(x):
    return x.astype("i4").astype(object)


def wide(x):
    return x.astype(object)


def bits(x):
    return np.array([int(v) & 0xFFFFFFFF for v in x], "u4")


def extract(a, at, n, negative):
    last = min(at + n - 1, 31)
    fill = (a >> last) & 1 if negative and n else 0
    return sum(((a >> (at + i) & 1) if at + i < 32 else fill) << i if i < n else fill << i for i in range(32))


def insert(a, b, at, n):
    mask = sum(1 << i for i in range(at, min(at + n, 32)))
    return (b & ~mask) | ((a << at) & mask)


TWO = [
    ("add.u32", wide(A) + wide(B)),
    ("sub.s32", wide(A) - wide(B)),
    ("mul.lo.u32", wide(A) * wide(B)),
    ("mul.hi.u32", wide(A) * wide(B) // 2**32),
    ("mul.hi.s32", signed(A) * signed(B) // 2**32),
    ("and.b32", A & B),
    ("xor.b32", A ^ B),
    ("shl.b32", [a << b if b < 32 else 0 for a, b in zip(wide(A), wide(B))]),
    ("shr.u32", [a >> min(b, 32) for a, b in zip(wide(A), wide(B))]),
    ("shr.s32", [a >> min(b, 31) for a, b in zip(signed(A), wide(B))]),
    ("min.s32", np.minimum(signed(A), signed(B))),
    ("max.u32", np.maximum(A, B)),
]


@pytest.mark.parametrize("name, expected", TWO, ids=[n for n, _ in TWO])
def test_two_operands(name, expected):
    assert (run(f'asm("{name} %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));') == bits(expected)).all()


ONE = [
    ("popc.b32", [bin(a).count("1") for a in wide(A)]),
    ("clz.b32", [32 - a.bit_length() for a in wide(A)]),
    ("brev.b32", [int(f"{a:032b}"[::-1], 2) for a in wide(A)]),
    ("bfind.u32", [a.bit_length() - 1 for a in wide(A)]),
    ("bfind.s32", [(a if a >= 0 else ~a).bit_length() - 1 for a in signed(A)]),
    ("not.b32", ~A),
    ("neg.s32", -wide(A)),
    ("mov.u32", A),
]


@pytest.mark.parametrize("name, expected", ONE, ids=[n for n, _ in ONE])
def test_one_operand(name, expected):
    assert (run(f'asm volatile("{name} %0, %1;" : "=r"(r) : "r"(a));') == bits(expected)).all()


@pytest.mark.parametrize("at, n", [(0, 8), (5, 7), (31, 1), (24, 16), (0, 32), (3, 0), (40, 4), (0, 255)])
def test_bit_fields(at, n):
    if at > 31 and config.backend() == "cuda":
        pytest.skip("GPUs do not do what PTX's manual says of fields beyond the word")
    got = run(f'asm("bfe.u32 %0, %1, {at}, {n};" : "=r"(r) : "r"(a));')
    assert (got == bits(extract(a, at, n, False) for a in wide(A))).all()
    got = run(f'asm("bfe.s32 %0, %1, {at}, {n};" : "=r"(r) : "r"(a));')
    assert (got == bits(extract(a, at, n, True) for a in wide(A))).all()
    got = run(f'asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"({at}), "n"({n}));')
    assert (got == bits(insert(a, b, at, n) for a, b in zip(wide(A), wide(B)))).all()


def test_three_operands():
    got = run('asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(r) : "r"(a), "r"(b), "r"(0x0F0F0F0F));')
    c = np.uint32(0x0F0F0F0F)
    assert (got == ((A & B) | (A & c) | (B & c))).all()
    got = run('asm("prmt.b32 %0, %1, %2, 0x7B04;" : "=r"(r) : "r"(a), "r"(b));')
    source = np.stack([A, B], 1).view("u1").reshape(N, 8)
    sign = np.where(source[:, 3] & 128, 255, 0)
    assert (got.view("u1").reshape(N, 4) == np.stack([source[:, 4], source[:, 0], sign, source[:, 7]], 1)).all()
    got = run('asm("shf.l.wrap.b32 %0, %1, %2, 9;" : "=r"(r) : "r"(a), "r"(b));')
    assert (got == bits((b << 9) | (a >> 23) for a, b in zip(wide(A), wide(B)))).all()
    got = run('asm("mad.lo.s32 %0, %1, %2, %1;" : "=r"(r) : "r"(a), "r"(b));')
    assert (got == bits(wide(A) * wide(B) + wide(A))).all()
    got = run('asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(7ull));', "u8")
    assert (got.astype(object) == wide(A) * wide(B) + 7).all()


def test_declared_registers_and_predicates():
    got = run(r'''asm("{\n\t"
        ".reg .u32 t, u;\n\t"
        ".reg .pred p;\n\t"
        "add.u32 t, %1, 5;\n\t"
        "setp.lt.u32 p, t, %2;\n\t"
        "selp.u32 u, t, %2, p;\n\t"
        "@p add.u32 u, u, 1;\n\t"
        "@!p xor.b32 u, u, -1;\n\t"
        "mov.u32 %0, u;\n\t"
        "}" : "=r"(r) : "r"(a), "r"(b));''')
    t = A + np.uint32(5)
    assert (got == np.where(t < B, t + np.uint32(1), ~B)).all()


def test_floats():
    a, b = np.array([0.5, -2.75, 1e10, 3], "f"), np.array([2, 0.25, -1, 3], "f")
    assert (run('asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(r) : "f"(a), "f"(b));', "f4", a, b)
            == (a.astype("d") * b + 1).astype("f")).all()
    assert (run('asm("mov.b32 %0, %1;" : "=r"(r) : "f"(a));', "u4", a, b) == a.view("u4")).all()
    assert (run('asm("mov.b32 %0, %1;" : "=f"(r) : "r"(__float_as_uint(a)));', "f4", a, b) == a).all()
    assert (run('asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(a));', "i4", a, b) == [0, -3, 2**31 - 1, 3]).all()
    assert (run('asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(r) : "f"(a));', "u4", a, b) == [0, 0, 2**32 - 1, 3]).all()
    np.testing.assert_allclose(run('asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));', "f4", a, b), 2.0**b, 1e-6)
    np.testing.assert_allclose(run('asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(b));', "f4", a, b), 1 / b, 1e-6)


def test_special_registers():
    body = """unsigned lane, x, size, below;
        asm("mov.u32 %0, %%laneid;" : "=r"(lane));
        asm volatile ("mov.u32 %0, %%tid.x;" : "=r"(x));
        asm("mov.u32 %0, %%ntid.x; mov.u32 %1, %%lanemask_lt;" : "=r"(size), "=r"(below));
        r = lane + 100 * (x == threadIdx.x) + 1000 * size + 1000000 * (below == (1u << lane) - 1);"""
    i = np.arange(N)
    assert (run(body) == i % 32 + 1064100).all()
    assert (run('unsigned long long t, u; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");'
                'asm volatile("mov.u64 %0, %%clock64;" : "=l"(u)); r = (t != 0) + (u != 0);') == 2).all()


def test_memory():
    before = """__device__ __forceinline__ unsigned load(const unsigned *p) {
        unsigned v;
        asm volatile("ld.global.nc.u32 %0, [%1+4];" : "=r"(v) : "l"(p));
        return v;
    }"""
    body = 'unsigned t[2]; if (i + 1 < n) r = load(as + i); else asm("mov.u32 %0, 9;" : "=r"(r));'
    assert (run(body, before=before) == np.r_[A[1:], 9]).all()
    got = run('asm volatile("st.global.u32 [%0], %1;" :: "l"(out + i), "r"(b) : "memory"); r = out[i];')
    assert (got == B).all()


def test_fences_and_nothing():
    assert (run('asm volatile("" ::: "memory"); asm volatile("membar.gl;"); r = a;') == A).all()


def test_programmatic_dependent_launch():
    body = """
    #if __CUDA_ARCH__ >= 900 || defined(TB_HOST_CUDA)
        asm volatile("griddepcontrol.wait;" ::: "memory");
        asm volatile("griddepcontrol.launch_dependents;");
    #endif
        r = a;"""
    assert (run(body) == A).all()


@only_cpu
@pytest.mark.parametrize("text", ["wgmma.fence.sync.aligned;", "bra DONE;", "mma.sync.aligned.m16n8k8 %0, %1;"])
def test_what_there_is_not_is_named(text):
    with pytest.raises(xp.cuda.compiler.CompileException, match="(?s)inline PTX has no version for the CPU: "
                       + text.split(".")[0].split()[0]):
        run(f'asm volatile("{text}" : "=r"(r) : "r"(a));')


@only_cpu
def test_what_is_not_compiled_is_no_error():
    body = '#ifdef NOT_HERE\n asm volatile("wgmma.fence.sync.aligned;");\n#endif\n r = a;'
    assert (run(body) == A).all()
