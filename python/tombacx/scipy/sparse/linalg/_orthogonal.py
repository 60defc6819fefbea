"""Vectors made orthogonal to the rows of a basis.

Two passes of the classical Gram-Schmidt process, which are products with all rows at once (Giraud, Langou and
Rozloznik, "The loss of orthogonality in the Gram-Schmidt orthogonalization process", 2005). On a GPU a pass is a sweep
over the basis that takes off the parts that the sweep before has found, and finds those of what is left: for its
elements a block has both in hand. Blocks leave their sums to the next sweep, where every block adds them up, in one
order.
"""

import functools

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._system import norm

__all__ = ["extend", "orthogonalise"]

_THREADS, _ITEMS, _BLOCKS = 256, 4, 264
_ROWS = 256  # that shared memory has room for
_SHORT = 1 << 12  # elements of a vector with which products take no longer

_SWEEPS = """
enum { THREADS = %(threads)d, WARPS = THREADS / 32, ITEMS = %(items)d, TILE = THREADS * ITEMS };
enum { ROWS = %(rows)d, TOGETHER = 4 };

static __device__ T over_warp(T sum)
{
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    return sum;
}

/* What the blocks of the sweep before have left of one sum. */
static __device__ T whole(const T *parts, int nparts)
{
    T sum = 0;
    for (int i = threadIdx.x %% 32; i < nparts; i += 32) sum += parts[i];
    return over_warp(sum);
}

/* What a thread has of some rows; all of them are asked for before one is needed. Full: no element is past the end. */
template <bool FULL> struct Piece {
    const T *from;
    long long n, left; /* elements of a row, and from this thread's first one to the end */

    __device__ bool has(int i) const { return FULL || i * THREADS < left; }

    template <int MANY> __device__ void load(int j, T (&v)[MANY][ITEMS]) const
    {
        #pragma unroll
        for (int r = 0; r < MANY; r++)
            #pragma unroll
            for (int i = 0; i < ITEMS; i++) v[r][i] = has(i) ? from[(j + r) * n + i * THREADS] : T(0);
    }

    template <int MANY> __device__ void take_off(int j, const T *part, T (&x)[ITEMS]) const
    {
        T v[MANY][ITEMS];
        load(j, v);
        #pragma unroll
        for (int r = 0; r < MANY; r++)
            #pragma unroll
            for (int i = 0; i < ITEMS; i++) x[i] -= part[j + r] * v[r][i];
    }

    template <int MANY> __device__ void find(int j, const T (&x)[ITEMS], T *sum) const
    {
        T v[MANY][ITEMS], product[MANY];
        load(j, v);
        #pragma unroll
        for (int r = 0; r < MANY; r++) {
            product[r] = 0;
            #pragma unroll
            for (int i = 0; i < ITEMS; i++) product[r] += v[r][i] * x[i];
        }
        #pragma unroll
        for (int r = 0; r < MANY; r++) product[r] = over_warp(product[r]);
        if (threadIdx.x %% 32 != 0) return;
        #pragma unroll
        for (int r = 0; r < MANY; r++) sum[j + r] += product[r];
    }
};

template <bool FULL>
static __device__ void tile_of(const Piece<FULL> &V, int k, const T *w, const T *part, T *out, T *sum, bool with_itself)
{
    T x[ITEMS];
    int j = 0;
    #pragma unroll
    for (int i = 0; i < ITEMS; i++) x[i] = V.has(i) ? w[i * THREADS] : T(0);
    if (part) {
        for (; j + TOGETHER <= k; j += TOGETHER) V.template take_off<TOGETHER>(j, part, x);
        for (; j < k; j++) V.template take_off<1>(j, part, x);
        #pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (V.has(i)) out[i * THREADS] = x[i];
    }
    if (with_itself) {
        T square = 0;
        #pragma unroll
        for (int i = 0; i < ITEMS; i++) square += x[i] * x[i];
        square = over_warp(square);
        if (threadIdx.x %% 32 == 0) *sum += square;
        return;
    }
    for (j = 0; j + TOGETHER <= k; j += TOGETHER) V.template find<TOGETHER>(j, x, sum);
    for (; j < k; j++) V.template find<1>(j, x, sum);
}

/* w less its parts along the k rows of V, if there are any yet, and their sums with what is left: with each row, or
 * with itself. h: the parts, added to those that were found before. */
extern "C" __global__ void __launch_bounds__(THREADS, 2)
tombac_sweep(const T *V, long long n, int k, const T *w, const T *parts, int nparts, int again, T *h, T *out, T *left,
             int with_itself)
{
    __shared__ T part[ROWS], sum[WARPS][ROWS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x %% 32, nsum = with_itself ? 1 : k;
    for (int j = warp; nparts > 0 && j < k; j += WARPS) {
        const T found = whole(parts + (long long)j * nparts, nparts);
        if (lane > 0) continue;
        part[j] = found;
        if (blockIdx.x == 0) h[j] = again ? h[j] + found : found;
    }
    for (int j = lane; j < nsum; j += 32) sum[warp][j] = 0;
    __syncthreads();
    const T *known = nparts > 0 ? part : nullptr;
    for (long long tile = blockIdx.x; tile * TILE < n; tile += gridDim.x) {
        const long long at = tile * TILE + threadIdx.x;
        if ((tile + 1) * TILE <= n)
            tile_of(Piece<true>{V + at, n, 0}, k, w + at, known, out + at, sum[warp], with_itself);
        else tile_of(Piece<false>{V + at, n, n - at}, k, w + at, known, out + at, sum[warp], with_itself);
    }
    __syncthreads();
    for (int j = threadIdx.x; j < nsum; j += THREADS) {
        T all = 0;
        for (int i = 0; i < WARPS; i++) all += sum[i][j];
        left[(long long)j * gridDim.x + blockIdx.x] = all;
    }
}

/* w divided by its length, of whose square these are parts. */
extern "C" __global__ void __launch_bounds__(THREADS)
tombac_scale(const T *w, long long n, const T *parts, int nparts, T *length, T *out)
{
    const T found = sqrt(whole(parts, nparts));
    if (blockIdx.x == 0 && threadIdx.x == 0) *length = found;
    for (long long i = (long long)blockIdx.x * THREADS + threadIdx.x; i < n; i += (long long)gridDim.x * THREADS)
        out[i] = w[i] / found;
}
"""


@functools.cache
def _kernel(name, char):
    text = _SWEEPS % {"threads": _THREADS, "items": _ITEMS, "rows": _ROWS}
    return _core.RawModule(code=f"typedef {'float' if char == 'f' else 'double'} T;\n{text}").get_function(name)


def _suits(V):
    """Whether sweeps are quicker than products."""
    return _core.backend() != "cpu" and V.dtype.char in "fd" and len(V) <= _ROWS and V.shape[1] >= _SHORT


class _Sweeps:
    """Sweeps over some rows of a basis, for one vector. Sums go from one of two places to the other."""

    def __init__(self, V, w, h):
        (self.k, self.n), self.V, self.w, self.h = V.shape, V, _core.ascontiguousarray(w), h
        self.blocks = min(-(-self.n // (_THREADS * _ITEMS)), _BLOCKS)
        self.parts, self.left = _core.empty((2, self.k, self.blocks), V.dtype)
        self.out = _core.empty(self.n, V.dtype)
        self.sweep = _kernel("tombac_sweep", V.dtype.char)
        self._go(0, False, False)

    def _go(self, nparts, again, with_itself):
        self.sweep((self.blocks,), (_THREADS,), (self.V, self.n, np.int32(self.k), self.w, self.parts,
                                                 np.int32(nparts), np.int32(again), self.h, self.out, self.left,
                                                 np.int32(with_itself)))
        self.parts, self.left = self.left, self.parts

    def take_off(self, again, last):
        """Takes off the parts that were found, and finds what is left of them; the last time the norm's square."""
        self._go(self.blocks, again, last)
        self.w = self.out

    def scale_into(self, row, length):
        """Divides by the norm, and tells it."""
        scale = _kernel("tombac_scale", self.V.dtype.char)
        scale((self.blocks,), (_THREADS,), (self.w, self.n, self.parts, np.int32(self.blocks), length, row))


def orthogonalise(V, w, passes=2):
    """``w`` less its parts along the rows of ``V``, which are orthonormal, and these parts."""
    if _suits(V):
        sweeps = _Sweeps(V, w, _core.empty(len(V), V.dtype))
        for i in range(passes):
            sweeps.take_off(i > 0, i == passes - 1)
        return sweeps.w, sweeps.h
    parts = None
    for _ in range(passes):
        h = (V @ w.conj()).conj() if V._kind == "c" else V @ w
        w = w - h @ V
        parts = h if parts is None else parts + h
    return w, parts


def extend(V, k, w, column):
    """The row ``k`` of ``V``: what of ``w`` is orthogonal to those before, of length 1. ``column``: the parts of ``w``
    along these rows, and that length."""
    if _suits(V[:k]):
        sweeps = _Sweeps(V[:k], w, column)
        sweeps.take_off(False, False)
        sweeps.take_off(True, True)
        sweeps.scale_into(V[k], column[k:])
        return
    w, column[:k] = orthogonalise(V[:k], w)
    length = norm(w)
    column[k] = length
    V[k] = w / length
