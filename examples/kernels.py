"""Kernels of one's own: from an expression, in CUDA C++ with shared memory, and in Python.

Runs on a GPU, or on the CPU with a C++ compiler: `python examples/kernels.py`. Every result is checked against NumPy.
"""

import numpy as np

import tombac as cp
from tombacx import jit

TILE = 16

squared_difference = cp.ElementwiseKernel(
    "T x, T y", "T z",  # T: whatever dtype the arrays have
    "z = (x - y) * (x - y)",
    "squared_difference",
)

l2norm = cp.ReductionKernel(
    "T x", "T y",
    "x * x",  # what is reduced
    "a + b",  # how two are combined
    "y = sqrt(a)",  # what is made of the result
    "0",
    "l2norm",
)

transpose = cp.RawKernel(r"""
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[16][17]; /* one more column: no two threads of a warp meet in a memory bank */
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
""", "transpose")


@jit.rawkernel()
def histogram(values, counts):
    """Counts of small integers: first those of a block in its shared memory, then all of them."""
    mine = jit.shared_memory(cp.int32, 16)
    if jit.threadIdx.x < 16:
        mine[jit.threadIdx.x] = 0
    jit.syncthreads()
    for i in range(jit.grid(1), values.size, jit.gridsize(1)):
        jit.atomic_add(mine, values[i], 1)
    jit.syncthreads()
    if jit.threadIdx.x < 16:
        jit.atomic_add(counts, jit.threadIdx.x, mine[jit.threadIdx.x])


@jit.kernel
def smooth(x, y):
    """The mean of each element and its neighbours: grid and block follow from x."""
    i = jit.grid(1)
    if i < x.size:
        left = max(i - 1, 0)
        right = min(i + 1, x.size - 1)
        y[i] = (x[left] + x[i] + x[right]) / 3


def blocks(n):
    return (n + TILE - 1) // TILE


def main():
    rng = np.random.default_rng(1)
    a = rng.standard_normal((300, 200), dtype=np.float32)
    b = rng.standard_normal((300, 200), dtype=np.float32)
    x, y = cp.asarray(a), cp.asarray(b)

    np.testing.assert_allclose(squared_difference(x, y).get(), (a - b) ** 2, rtol=1e-6)
    np.testing.assert_allclose(l2norm(x, axis=1).get(), np.linalg.norm(a, axis=1), rtol=1e-5)

    turned = cp.empty((200, 300), dtype=cp.float32)
    transpose((blocks(200), blocks(300)), (TILE, TILE), (x, turned, np.int32(300), np.int32(200)))
    np.testing.assert_array_equal(turned.get(), a.T)

    values = rng.integers(0, 16, 10_000, dtype=np.int32)
    counts = cp.zeros(16, dtype=cp.int32)
    histogram[8, 256](cp.asarray(values), counts)
    np.testing.assert_array_equal(counts.get(), np.bincount(values, minlength=16))

    line, smoothed = cp.arange(1000.0), cp.empty(1000)
    smooth(line, smoothed)
    np.testing.assert_allclose(smoothed[1:-1].get(), line[1:-1].get())

    print(f"squared_difference, l2norm, transpose, histogram and smooth agree with NumPy ({cp.config.backend()})")


if __name__ == "__main__":
    main()
