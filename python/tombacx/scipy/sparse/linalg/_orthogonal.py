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
enum { THREADS = %(threads)d, WARPS = THREADS / 32, ITEMS = %(items)d, ROWS = %(rows)d };

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

/* w less its parts along the k rows of V, if there are any yet, and their sums with what is left: with each row, or
 * with itself. h: the parts, added to those that were found before. */
extern "C" __global__ void __launch_bounds__(THREADS)
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
    const long long step = (long long)gridDim.x * THREADS * ITEMS;
    for (long long tile = (long long)blockIdx.x * THREADS * ITEMS; tile < n; tile += step) {
        T x[ITEMS];
        long long at[ITEMS];
        #pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            at[i] = tile + i * THREADS + threadIdx.x;
            x[i] = at[i] < n ? w[at[i]] : T(0);
        }
        if (nparts > 0) {
            #pragma unroll 2
            for (int j = 0; j < k; j++) {
                #pragma unroll
                for (int i = 0; i < ITEMS; i++)
                    if (at[i] < n) x[i] -= part[j] * V[j * n + at[i]];
            }
            #pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (at[i] < n) out[at[i]] = x[i];
        }
        #pragma unroll 2
        for (int j = 0; j < nsum; j++) {
            T product = 0;
            #pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (at[i] < n) product += (with_itself ? x[i] : V[j * n + at[i]]) * x[i];
            product = over_warp(product);
            if (lane == 0) sum[warp][j] += product;
        }
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
def _module(char):
    text = _SWEEPS % {"threads": _THREADS, "items": _ITEMS, "rows": _ROWS}
    return _core.RawModule(code=f"typedef {'float' if char == 'f' else 'double'} T;\n{text}")


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
        self.sweep = _module(V.dtype.char).get_function("tombac_sweep")
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
        scale = _module(self.V.dtype.char).get_function("tombac_scale")
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
