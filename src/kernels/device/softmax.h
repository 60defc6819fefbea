/* softmax.h - SOFTMAX: exponentials of rows' elements, divided by their sums, or the logarithms of that (TB_LOG).
 * TB_LANES threads have a row in registers, each TB_CHUNKS chunks of TB_V neighbours, so that it is read once. */

struct tb_params {
    const tb_number *in;
    tb_number *out;
    tb_i64 rows, n;
};

enum { TB_SHARED_ROW = TB_LANES > 32, TB_WARPS = TB_THREADS / 32 };

struct alignas(TB_V * sizeof(tb_number)) tb_chunk {
    tb_number v[TB_V];
};

TB_FN tb_work tb_add(tb_work a, tb_work b) { return a + b; }
/* NaN wins. */
TB_FN tb_work tb_greater(tb_work a, tb_work b) { return b > a || b != b ? b : a; }

/* What all threads of a row have together, for each of them. */
template <class F> TB_FN tb_work tb_of_row(tb_work x, F join)
{
#pragma unroll
    for (int apart = (TB_SHARED_ROW ? 32 : TB_LANES) / 2; apart > 0; apart /= 2)
        x = join(x, __shfl_xor_sync(0xffffffffu, x, apart));
    if constexpr (TB_SHARED_ROW) {
        __shared__ tb_work part[TB_WARPS];
        __syncthreads();
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
        __syncthreads();
        x = part[0];
#pragma unroll
        for (int w = 1; w < TB_WARPS; w++) x = join(x, part[w]);
    }
    return x;
}

/* Where a row is not all finite: what is subtracted is 0 of logarithms, and what makes it NaN otherwise. */
TB_FN tb_work tb_subtracted(tb_work most) { return TB_LOG && most - most != 0 ? (tb_work)0 : most; }

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    enum { ITEMS = TB_CHUNKS * TB_V };
    tb_wait();
    const unsigned lane = threadIdx.x % TB_LANES;
    const tb_i64 row = (tb_i64)blockIdx.x * (TB_THREADS / TB_LANES) + threadIdx.x / TB_LANES;
    const tb_i64 from = (row < p.rows ? row : p.rows - 1) * p.n;
    const int n = (int)p.n;
    tb_work x[ITEMS], most = -TB_INFINITY, sum = 0;
#pragma unroll
    for (int c = 0; c < TB_CHUNKS; c++) {
        const int at = (c * TB_LANES + (int)lane) * TB_V;
        tb_chunk chunk;
        if (at < n) chunk = *(const tb_chunk *)(p.in + from + at);
#pragma unroll
        for (int j = 0; j < TB_V; j++) x[c * TB_V + j] = at < n ? tb_work_of(chunk.v[j]) : -TB_INFINITY;
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) most = tb_greater(most, x[i]);
    const tb_work less = tb_subtracted(tb_of_row(most, tb_greater));
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const bool there = (i / TB_V * TB_LANES + (int)lane) * TB_V < n;
        const tb_work d = x[i] - less, e = TB_EXP(d);
        x[i] = TB_LOG ? d : e;
        if (there) sum += e;
    }
    sum = tb_of_row(sum, tb_add);
    const tb_work logarithm = TB_LOG ? (tb_work)TB_LOGARITHM(sum) : (tb_work)0;
    if (row >= p.rows) return;
#pragma unroll
    for (int c = 0; c < TB_CHUNKS; c++) {
        const int at = (c * TB_LANES + (int)lane) * TB_V;
        tb_chunk chunk;
#pragma unroll
        for (int j = 0; j < TB_V; j++) {
            const tb_work v = x[c * TB_V + j];
            chunk.v[j] = tb_number_of(TB_LOG ? v - logarithm : v / sum);
        }
        if (at < n) *(tb_chunk *)(p.out + from + at) = chunk;
    }
}
