"""Kernels written in Python, each with arguments and what it must compute: test_jit.py runs them, test_jit_source.py
compiles them with NVRTC."""

import math

import numpy as np

import tombac
from tombacx import jit

CASES = []


class Case:
    """kernel(grid, block, args, shared_mem) changes the arrays among `args` to `want` (None: not checked)."""

    def __init__(self, kernel, grid, block, args, want, shared_mem=0, rtol=1e-6):
        self.kernel, self.grid, self.block, self.args, self.want = kernel, grid, block, args, want
        self.shared_mem, self.rtol, self.name = shared_mem, rtol, kernel.__name__

    def device_args(self):
        return tuple(tombac.asarray(a) if isinstance(a, np.ndarray) else a for a in self.args)


def case(grid, block, args, want, mode="cuda", **kw):
    """Decorator: the kernel of the function, run with these arguments."""
    def decorator(func):
        kernel = jit.rawkernel(mode=mode)(func)
        CASES.append(Case(kernel, grid, block, args, want, **kw))
        return kernel
    return decorator


N = 100
I = np.arange(N, dtype=np.int32)  # noqa: E741
F = np.linspace(-3, 3, N).astype(np.float32)
D = np.linspace(-3, 3, N)
M = np.arange(24, dtype=np.float32).reshape(4, 6)
C = (np.linspace(-1, 1, N) + 1j * np.linspace(2, -2, N)).astype(np.complex64)


def zeros(n=N, dtype=np.float32):
    return np.zeros(n, dtype)


# ---- threads and loops -----------------------------------------------------------------------------------------------

@case(4, 32, (F, zeros(), np.uint32(N)), {1: F})
def grid_stride(x, y, size):
    tid = jit.threadIdx.x + jit.blockIdx.x * jit.blockDim.x
    ntid = jit.gridDim.x * jit.blockDim.x
    for i in range(tid, size, ntid):
        y[i] = x[i]


@case((2, 2), (4, 4), (M, zeros((4, 6))), {1: M + 1})
def two_dimensions(x, y):
    i, j = jit.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        y[i, j] = x[i, j] + 1


@case((1, 1, 2), (2, 3, 4), (np.zeros((2, 3, 8), np.int32), zeros(3, np.int32)),
      {0: np.arange(48).reshape(2, 3, 8), 1: [2, 3, 8]})
def three_dimensions(x, sizes):
    i, j, k = jit.grid(3)
    x[i, j, k] = (i * x.shape[1] + j) * x.shape[2] + k
    nx, ny, nz = jit.gridsize(3)
    sizes[0], sizes[1], sizes[2] = nx, ny, nz


@case(2, 4, (zeros(8, np.uint32), zeros(1, np.uint32)), {0: np.arange(8), 1: [8]})
def one_dimension(x, size):
    x[jit.grid(1)] = jit.grid(1)
    size[0] = jit.gridsize(1)


@case(1, 1, (zeros(9, np.int32),), {0: [45, 10, -1, 25, 30, 3, 7, 55, 3]})
def loops(out):
    a = 0
    for i in range(10):
        a += i
    out[0] = a
    n = 0
    while True:
        n += 1
        if n >= 10:
            break
    out[1] = n
    last = 5
    for i in range(5, -1, -1):
        last -= 1
    out[2] = last
    b = 0
    for i in range(10):
        if i % 2 == 0:
            continue
        b += i
    out[3] = b
    c, step = 0, -2
    for i in range(10, 0, step):
        c += i
    out[4] = c
    d = 0
    for i in range(3):
        d = i + 1
        i = 100
    out[5] = d
    for k in range(0, 8):
        pass
    out[6] = k
    e = 0
    for k in jit.range(1, 11, unroll=True):
        e += k
    out[7] = e
    f = 0
    for k in jit.range(3, unroll=2):
        for m in jit.range(k, unroll=False):
            f += 1
    out[8] = f


@case(1, 4, (zeros(4, np.int32),), {0: [10, 21, 32, -1]})
def branches(out):
    t = jit.threadIdx.x
    if t == 0:
        y = 10
    elif t == 1:
        y = 21
    else:
        if not t == 3:
            y = 32
        else:
            y = -1
    out[t] = y


@case(1, 4, (zeros(4, np.int32),), {0: [1, 0, 0, 0]})
def early_return(out):
    """A docstring is no code."""
    if jit.threadIdx.x > 0:
        return
    out[jit.threadIdx.x] = 1


# ---- operators -------------------------------------------------------------------------------------------------------

@case(1, 1, (zeros(12, np.int32),), {0: [3, -4, 2, 1, -1, 8, 10, 12, 6, 11, -6, 4]})
def integers(out):
    a, b = 7, 2
    a += 0
    b += 0
    out[0] = a // b
    out[1] = -a // b
    out[2] = (a + 1) % 3
    out[3] = -a % b
    out[4] = a % -b
    out[5] = b ** 3
    out[6] = a | 8 & 10
    out[6] = 2 | 8
    out[7] = 3 << 2
    out[8] = 25 >> b
    out[9] = 8 ^ 3
    out[10] = ~5
    out[11] = +4


@case(1, 1, (np.array([7, -7, 3.5], np.float64), zeros(8, np.float64)), {1: [3, -4, 1, 0.5, 3.5, 49, math.sqrt(7), -7]})
def floats(x, out):
    out[0] = x[0] // 2
    out[1] = x[1] // 2
    out[2] = x[1] % 2
    out[3] = x[2] % 1
    out[4] = x[0] / 2
    out[5] = x[0] ** 2
    out[6] = x[0] ** 0.5
    out[7] = -x[0]


@case(1, 1, (zeros(3, np.float64), 7, 2), {0: [3.5, 3, 1]})
def true_division(out, a, b):
    out[0] = a / b
    out[1] = a // b
    out[2] = a % b


@case(1, 1, (np.zeros(12, np.bool_), 3, 4.0), {0: [1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1]})
def comparisons(out, a, b):
    out[0] = a < b
    out[1] = a > b
    out[2] = a <= 3
    out[3] = a >= 3
    out[4] = a == b
    out[5] = a != b
    out[6] = a < b and b < 5
    out[7] = a > b or b > 5
    out[8] = not a > b
    out[9] = True if a < b else False
    out[10] = bool(a - 3)
    out[11] = (a < b) & (b > a)


@case(1, 1, (M.copy(), 2), {0: np.r_[M.ravel()[:3], [8, 2, 1.25, 3, 2, 11], M.ravel()[9:]].reshape(4, 6)})
def augmented(x, k):
    x[0, 3] += 5
    x[0, 4] -= k
    x[0, 5] /= 4
    x[1, 0] **= 1
    x[1, 0] //= 2
    x[1, 1] %= 5
    x[1, 2] += k + 1


# ---- types -----------------------------------------------------------------------------------------------------------

@case(1, 1, (zeros(6, np.float64), 0.1, np.float32(0.1)),
      {0: [0.1, np.float32(0.1), 0.1 + 1, np.float32(0.1), 2**33, 0.1]}, rtol=1e-15)
def precision(out, a, b):
    out[0] = a
    out[1] = b
    out[2] = out[5] * 0 + a + 1
    out[3] = np.float32(a)
    out[4] = 2**33
    out[5] = 0.1


@case(1, 1, (zeros(7, np.float64), 300, 3.7), {0: [44, 3, 4, 1, 300, 3.7, 3]}, rtol=1e-6)
def conversions(out, i, f):
    out[0] = np.int8(i)
    out[1] = int(f)
    out[2] = round(f)
    out[3] = bool(f)
    out[4] = float(i)
    out[5] = np.float64(f)
    out[6] = np.uint8(f)


@case(1, N, (C, np.zeros(N, np.complex64), zeros()), {1: C * C + 2j * C.conj(), 2: np.abs(C) + C.real}, rtol=1e-5)
def complex_numbers(x, y, z):
    i = jit.threadIdx.x
    y[i] = x[i] * x[i] + 2j * x[i].conj()
    z[i] = abs(x[i]) + x[i].real


@case(1, N, (F.astype(np.float16), zeros(N, np.float16)), {1: F.astype(np.float16) * np.float16(2) + np.float16(1)},
      rtol=1e-2)
def half_precision(x, y):
    i = jit.threadIdx.x
    y[i] = x[i] * np.float16(2) + np.float16(1)


@case(1, 32, (np.arange(32, dtype=np.int8), zeros(32, np.float64)), {1: np.sqrt(np.arange(32)) + 1.5}, mode="numpy")
def numpy_mode(x, y):
    i = jit.threadIdx.x
    y[i] = np.sqrt(np.float64(x[i])) + 1.5


@case(1, 1, (zeros(4, np.int64),), {0: [3, 2, 1, 40]})
def constants(out):
    if OPTIONS["fast"]:
        out[0] = LIMIT
    else:
        undefined_name  # noqa: F821, B018
    out[1] = len(SHAPE)
    out[2] = SHAPE[0]
    total = 0
    for k in range(helper_of_constants(4)):
        total += k
    out[3] = total - 5


OPTIONS, LIMIT, SHAPE = {"fast": True}, 3, (1, 5)


def helper_of_constants(n):
    return sum([n, 6])


# ---- functions -------------------------------------------------------------------------------------------------------

@jit.rawkernel(device=True)
def clamp(x, low, high=1.0):
    if x < low:
        return low
    return high if x > high else x


def element_sum(x, n):
    s = x[0]
    for i in range(1, n):
        s += x[i]
    return s


def both(a, b):
    return a + b, a - b


@case(1, N, (F, zeros(), zeros()), {1: np.clip(F, -1, 1), 2: 2 * F})
def device_functions(x, y, z):
    i = jit.threadIdx.x
    y[i] = clamp(x[i], np.float32(-1))
    p, q = both(x[i], y[i])
    z[i] = p + q


@case(1, 1, (M, zeros(3)), {1: [M[0].sum(), M[2].sum(), M[1, 2]]})
def arrays_to_functions(x, out):
    out[0] = element_sum(x[0], x.shape[1])
    row = x[2]
    out[1] = element_sum(row, 6)
    out[2] = x[1][2]


@case(1, 1, (zeros(4),), {0: [1, 2, 3, 2]})
def tuples(out):
    t = (1.0, 2.0)
    a, b = t
    out[0] = a
    out[1] = t[1]
    a, b = b, a
    out[2] = both(a, b)[0]
    (c, d), e = (a, b), 0.0
    out[3] = c + e


@case(1, N, (D, np.zeros((30, N)), N), {1: np.array([
    np.sin(D), np.cos(D), np.tan(D), np.arctan(D), np.sinh(D), np.cosh(D), np.tanh(D), np.exp(D), np.expm1(D),
    np.sqrt(np.abs(D)), np.cbrt(D), np.log1p(np.abs(D)), np.log2(np.abs(D) + 1), np.log10(np.abs(D) + 1), np.floor(D),
    np.ceil(D), np.trunc(D), np.rint(D), np.abs(D), np.maximum(D, 0.5), np.minimum(D, 0.5), np.arctan2(D, 2),
    np.hypot(D, 2), np.power(2, D), np.sign(D), np.where(D > 0, D, -1), np.clip(D, -1, 1),
    [math.erf(x) for x in D], np.exp2(D), np.square(D)])}, rtol=1e-12)
def mathematics(x, y, n):
    i = jit.threadIdx.x
    v = x[i]
    y[0, i], y[1, i], y[2, i], y[3, i] = np.sin(v), math.cos(v), tombac.tan(v), np.arctan(v)
    y[4, i], y[5, i], y[6, i] = np.sinh(v), np.cosh(v), math.tanh(v)
    y[7, i], y[8, i], y[9, i], y[10, i] = math.exp(v), np.expm1(v), np.sqrt(np.abs(v)), np.cbrt(v)
    y[11, i], y[12, i], y[13, i] = np.log1p(abs(v)), np.log2(abs(v) + 1), math.log10(abs(v) + 1)
    y[14, i], y[15, i], y[16, i], y[17, i] = np.floor(v), math.ceil(v), np.trunc(v), np.rint(v)
    y[18, i], y[19, i], y[20, i] = abs(v), np.maximum(v, 0.5), min(v, 0.5)
    y[21, i], y[22, i], y[23, i] = np.arctan2(v, 2), math.hypot(v, 2), 2 ** v
    y[24, i], y[25, i], y[26, i] = np.sign(v), np.where(v > 0, v, -1), np.clip(v, -1, 1)
    y[27, i], y[28, i], y[29, i] = math.erf(v), np.exp2(v), np.square(v)


@case(1, 5, (np.array([1, np.nan, np.inf, -np.inf, -0.0]), np.zeros((6, 5), np.int32)), {1: [
    [0, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 0, 1], [0, 0, 0, 1, 1], [1, 0, 1, 0, 0], [0, 0, 1, 0, 0]]})
def special_values(x, y):
    i = jit.threadIdx.x
    v = x[i]
    y[0, i] = np.isnan(v)
    y[1, i] = np.isinf(v)
    y[2, i] = np.isfinite(v)
    y[3, i] = np.signbit(v)
    y[4, i] = np.logical_and(v > 0, True)
    y[5, i] = v == math.inf


@case(1, 1, (zeros(6, np.int64),), {0: [3, 6, 12, 9, 2, 1]})
def integer_functions(out):
    a, b = 6, 9
    a += 0
    out[0] = math.gcd(a, b)
    out[1] = max(a, 2)
    out[2] = np.left_shift(a, 1)
    out[3] = max(1, a, b)
    out[4] = min(a, b, 2)
    q, r = divmod(a + 1, a)
    out[5] = r * q


# ---- arrays ----------------------------------------------------------------------------------------------------------

@case(1, 1, (M, zeros(10, np.int64)), {1: [4, 6, 24, 2, 24, 4, 4, 96, 6, 4]})
def attributes(x, out):
    out[0], out[1] = x.shape
    out[2] = x.size
    out[3] = x.ndim
    out[4], out[5] = x.strides
    out[6] = len(x)
    out[7] = x.nbytes
    out[8] = x.shape[-1]
    out[9] = x.itemsize


@case(1, 1, (np.array(5.0), zeros(1, np.float64)), {1: [5]})
def no_dimensions(x, out):
    out[0] = x[()]


@case(1, 4, (M.copy(),), {0: np.concatenate([M[:, :1], M[:, :1] * 0, M[:, 2:]], axis=1)})
def parts_of_arrays(x):
    row = x[jit.threadIdx.x]
    row[1] = 0
    x[jit.threadIdx.x, :][2] = x[jit.threadIdx.x][2]


@case(1, 1, (zeros(3, np.float64),), {0: [3, 1, 2]})
def none_and_dtypes(out):
    optional = None
    if optional is None:
        out[0] = 3
    if out.dtype == np.float64:
        out[1] = 1
    T = out.dtype.type
    out[2] = T(2)


@case(1, 1, (np.broadcast_to(np.float32(2), (3,)), zeros(4)), {1: [4, 3, 2, 1]})
def no_parameters_of_its_own(x, y):
    for k in range(4):
        y[k] = 4 - k


# ---- shared memory, atomics, warps -----------------------------------------------------------------------------------

@case(1, 32, (I, zeros(32, np.int32)), {1: I[31::-1]})
def static_shared(x, y):
    s = jit.shared_memory(np.int32, 32)
    t = jit.threadIdx.x
    s[t] = x[t]
    jit.syncthreads()
    y[t] = s[31 - t]


@case(1, 32, (F, zeros(32)), {1: F[31::-1]}, shared_mem=128)
def dynamic_shared(x, y):
    s = jit.shared_memory(np.float32, None)
    t = jit.threadIdx.x
    s[t] = x[t]
    jit.syncthreads()
    y[t] = s[31 - t]


@case(1, 8, (zeros(8, np.int32),), {0: [4, 4, 4, 4, 4, 4, 4, 4]})
def exchanged_buffers(out):
    a, b = jit.shared_memory(np.int32, 8), jit.shared_memory(np.int32, 8)
    t = jit.threadIdx.x
    a[t] = 0
    jit.syncthreads()
    for k in range(4):
        b[t] = a[(t + 1) % 8] + 1
        jit.syncthreads()
        a, b = b, a
    out[t] = a[t]


@case(1, (4, 4), (np.arange(16, dtype=np.complex64).reshape(4, 4), np.zeros((4, 4), np.complex64)),
      {1: np.arange(16).reshape(4, 4).T})
def shared_tile(x, y):
    s = jit.shared_memory(np.complex64, (4, 4), alignment=16)
    i, j = jit.threadIdx.y, jit.threadIdx.x
    s[i, j] = x[i, j]
    jit.syncthreads()
    y[i, j] = s[j, i]


A, B = (np.random.default_rng(0).random((32, 32)).astype(np.float32) for _ in range(2))


@case((2, 2), (16, 16), (A, B, zeros((32, 32))), {2: A @ B}, rtol=1e-5)
def matrix_product(a, b, c):
    ta = jit.shared_memory(np.float32, (16, 16))
    tb = jit.shared_memory(np.float32, (16, 16))
    tx, ty = jit.threadIdx.x, jit.threadIdx.y
    row, col = jit.blockIdx.y * 16 + ty, jit.blockIdx.x * 16 + tx
    acc = np.float32(0)
    for t in range(a.shape[1] // 16):
        ta[ty, tx] = a[row, t * 16 + tx]
        tb[ty, tx] = b[t * 16 + ty, col]
        jit.syncthreads()
        for k in jit.range(16, unroll=True):
            acc += ta[ty, k] * tb[k, tx]
        jit.syncthreads()
    c[row, col] = acc


@case(2, 32, (np.array([0, 100, 0, 50, 50, 0, 0, 0xffff, 0, 0], np.uint32),),
      {0: [64, 36, 7, 0, 63, 64 % 11, None, 0, 63, 63]})
def atomics(x):
    i = jit.grid(1)
    jit.atomic_add(x, 0, 1)
    jit.atomic_sub(x, 1, 1)
    jit.atomic_exch(x, 2, 7)
    jit.atomic_min(x, 3, i)
    jit.atomic_max(x, 4, i)
    jit.atomic_inc(x, 5, 10)
    jit.atomic_and(x, 7, i)
    jit.atomic_or(x, 8, i)
    jit.atomic_max(x, (9,), i)


@case(1, 64, (zeros(4, np.int64), np.array([0, 9, -9], np.float64), np.zeros((2, 2), np.float32)),
      {0: [64, -64, 63, -63], 1: [32, -63, 63], 2: [[0, 0], [0, 2016]]})
def wide_atomics(x, y, m):
    i = jit.threadIdx.x
    jit.atomic_add(x, 0, 1)
    jit.atomic_sub(x, 1, 1)
    jit.atomic_max(x, 2, i)
    k = np.int64(i)
    jit.atomic_min(x, 3, -k)
    jit.atomic_add(y, 0, 0.5)
    jit.atomic_min(y, 1, -np.float64(i))
    jit.atomic_max(y, 2, i)
    jit.atomic_add(m, (1, 1), i)


@case(1, 1, (np.array([1, 2]), np.array([1, 2.0]), np.array([1, 2], np.float32), zeros(6, np.float64)),
      {0: [5, 6], 1: [5, 6], 2: [5, 6], 3: [1, 2, 1, 2, 1, 2]})
def exchanges(i, d, f, seen):
    seen[0] = jit.atomic_exch(i, 0, 5)
    seen[1] = jit.atomic_cas(i, 1, 2, 6)
    seen[2] = jit.atomic_exch(d, 0, 5)
    seen[3] = jit.atomic_cas(d, 1, 2, 6)
    seen[4] = jit.atomic_exch(f, 0, 5)
    seen[5] = jit.atomic_cas(f, 1, 2, 6)


@case(1, 4, (zeros(4), 12 << 10), {0: [4, 3, 2, 1]}, shared_mem=64 << 10)
def large_dynamic_shared(x, at):
    s = jit.shared_memory(np.float32, None, alignment=16)
    t = jit.threadIdx.x
    s[at + t] = t + 1
    jit.syncthreads()
    x[t] = s[at + 3 - t]


@case(1, 32, (zeros(3, np.int32), zeros(1, np.float16), zeros(1, np.float64), zeros(32, np.int32)),
      {0: [1, 0, 31 ^ 32], 1: [32], 2: [1.5], 3: np.arange(32)})
def more_atomics(x, h, d, seen):
    i = jit.laneid()
    if jit.atomic_cas(x, 0, 0, 1) == 0:
        jit.atomic_cas(d, 0, 0.0, 1.5)
    for k in range(2):
        jit.atomic_xor(x, 1, 5 + i)
    jit.atomic_xor(x, 2, 1 << (i % 8))
    jit.atomic_xor(x, 2, 31 ^ 32 if i == 0 else 0)
    jit.atomic_add(h, 0, 1)
    seen[jit.atomic_add(x, 1, 0) * 0 + i] = i


T = I[:64].copy()


@case(1, 64, (T, np.zeros((5, 64), np.int32)), {1: np.array([
    np.repeat([3, 35], 32), np.where(T % 32 < 1, T, T - 1), np.where(T % 32 > 30, T, T + 1), T ^ 4,
    np.where(T % 8 > 5, T, T + 2)])})
def shuffles(x, y):
    t = jit.threadIdx.x
    y[0, t] = jit.shfl_sync(0xffffffff, x[t], 3)
    y[1, t] = jit.shfl_up_sync(0xffffffff, x[t], 1)
    y[2, t] = jit.shfl_down_sync(0xffffffff, x[t], 1)
    y[3, t] = jit.shfl_xor_sync(0xffffffff, x[t], 4)
    y[4, t] = jit.shfl_down_sync(0xffffffff, x[t], 2, width=8)


@case(1, 64, (F[:64].copy(), zeros(2)), {1: [F[:32].sum(), F[32:64].sum()]}, rtol=1e-4)
def warp_sum(x, y):
    v = x[jit.threadIdx.x]
    for k in range(5):
        v += jit.shfl_down_sync(0xffffffff, v, 16 >> k)
    jit.syncwarp()
    jit.syncwarp(mask=0xffffffff)
    if jit.laneid() == 0:
        y[jit.threadIdx.x // jit.warpsize] = v


# ---- cooperative groups ----------------------------------------------------------------------------------------------

@case(2, 32, (F[:64].copy(), zeros(64), zeros(4, np.uint32)),
      {1: F[:64].reshape(2, 32)[:, ::-1].ravel(), 2: [32, 2, 64, 0]})
def groups(x, y, sizes):
    block = jit.cg.this_thread_block()
    grid = jit.cg.this_grid()
    s = jit.shared_memory(np.float32, 32)
    jit.cg.memcpy_async(block, s, 0, x, jit.blockIdx.x * 32, 128)
    jit.cg.wait(block)
    y[grid.thread_rank()] = s[31 - block.thread_rank()]
    jit.cg.sync(block)
    block.sync()
    sizes[0] = block.size()
    sizes[1] = grid.group_dim().x
    sizes[2] = grid.size()
    sizes[3] = block.group_index().y


@case(2, 16, (zeros(32, np.int32), zeros(32, np.int32)), {1: np.arange(32)[::-1]})
def grid_sync(x, y):
    grid = jit.cg.this_grid()
    i = jit.grid(1)
    x[i] = i
    grid.sync()
    y[i] = x[31 - i]


@case(1, N, (F, np.zeros(4, np.int32), zeros(N, np.int32)),
      {1: np.array([N, 0, 0, 0], np.int32), 2: ((-1 < F) & (F <= 1) & (F != 0)).astype(np.int32) + 2 * (I < 50)})
def chained_comparisons(x, count, y):
    i = jit.threadIdx.x
    y[i] = 0
    if -1 < x[i] <= 1 != x[i] + 1:
        y[i] += 1
    if -1 < jit.atomic_add(count, 0, 1) < 1000 > abs(x[i]) >= 0 and 0 <= i < 50:
        y[i] += 2
