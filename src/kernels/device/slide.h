/* slide.h - SLIDE: sums of products of a vector's windows with `k` weights; out[i] of a[i - before] and what follows. A
 * block makes TB_ITEMS * TB_THREADS results, of what it has of both in shared memory, TB_WEIGHTS weights at a time. */

struct tb_params {
    const tb_number *a, *weights;
    tb_number *out;
    tb_i64 n, k, m, before;
};

enum { TB_TILE = TB_ITEMS * TB_THREADS, TB_WEIGHTS = 128 };

/* `count` weights by the window that begins at a[from]. WHOLE: nothing is asked for beyond a. */
template <bool WHOLE>
TB_FN void tb_slide(const tb_params &p, const tb_number *a, const tb_number *weights, tb_i64 from, int count,
                    tb_number *sum)
{
    for (int j = 0; j < count; j++) {
        const tb_number weight = weights[j];
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) {
            const int at = (int)threadIdx.x + i * TB_THREADS + j;
            if (WHOLE || (from + at >= 0 && from + at < p.n)) sum[i] = tb_add_product(sum[i], a[at], weight);
        }
    }
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number a[TB_TILE + TB_WEIGHTS], weights[TB_WEIGHTS];
    tb_wait();
    const tb_i64 first = (tb_i64)blockIdx.x * TB_TILE;
    tb_number sum[TB_ITEMS] = {};
    for (tb_i64 done = 0; done < p.k; done += TB_WEIGHTS) {
        const int count = p.k - done < TB_WEIGHTS ? (int)(p.k - done) : TB_WEIGHTS;
        const tb_i64 from = first - p.before + done;
        __syncthreads();
        for (int i = (int)threadIdx.x; i < TB_TILE + count - 1; i += TB_THREADS)
            if (from + i >= 0 && from + i < p.n) a[i] = p.a[from + i];
        for (int i = (int)threadIdx.x; i < count; i += TB_THREADS) weights[i] = p.weights[done + i];
        __syncthreads();
        if (from >= 0 && from + TB_TILE + count - 1 <= p.n) tb_slide<true>(p, a, weights, from, count, sum);
        else tb_slide<false>(p, a, weights, from, count, sum);
    }
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const tb_i64 at = first + i * TB_THREADS + threadIdx.x;
        if (at < p.m) p.out[at] = sum[i];
    }
}
