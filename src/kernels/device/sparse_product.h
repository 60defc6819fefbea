/* sparse_product.h - SPARSE: the product of a sparse matrix with a dense one of `width` columns. TB_LANES lanes of a
 * warp share a row where the width is 1; else TB_LANES is 0, a thread has an element of the result, and neighbours the
 * same row. The order in which numbers are added depends on the matrix and the source alone.
 *
 * TB_TRANSPOSED: of the matrix's transpose. Each product is added where it belongs by the machine's atomic operations,
 * in any order; the result is zero before. */

struct tb_params {
    const tb_column *start, *index;
    const tb_number *data, *x;
    tb_number *out;
    tb_i64 rows, width;
};

enum { TB_NUMBER_WORDS = (sizeof(tb_number) + 3) / 4 };

/* Of the lane `apart` further, within TB_LANES. */
TB_FN tb_number tb_from_above(tb_number s, unsigned apart)
{
    tb_u32 w[TB_NUMBER_WORDS] = {0};
    memcpy(w, &s, sizeof s);
#pragma unroll
    for (int k = 0; k < TB_NUMBER_WORDS; k++) w[k] = __shfl_down_sync(0xffffffffu, w[k], apart);
    memcpy(&s, w, sizeof s);
    return s;
}

enum { TB_TOGETHER = TB_LANES > 0 ? TB_LANES : 1 };

TB_FN void tb_by_vector(const tb_params &p)
{
    const tb_i64 thread = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x, row = thread / TB_TOGETHER;
    const int lane = (int)(thread % TB_TOGETHER);
    tb_number sum = {};
    if (row < p.rows)
        for (tb_column k = p.start[row] + lane; k < p.start[row + 1]; k += TB_TOGETHER)
            sum = tb_add_product(sum, p.data[k], p.x[p.index[k]]);
#pragma unroll
    for (unsigned apart = TB_TOGETHER / 2; apart > 0; apart /= 2) sum = tb_add(sum, tb_from_above(sum, apart));
    if (row < p.rows && lane == 0) p.out[row] = sum;
}

TB_FN void tb_by_matrix(const tb_params &p)
{
    const tb_i64 at = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x;
    const tb_i64 row = at / p.width, col = at - row * p.width;
    if (row >= p.rows) return;
    tb_number sum = {};
    for (tb_column k = p.start[row]; k < p.start[row + 1]; k++)
        sum = tb_add_product(sum, p.data[k], p.x[(tb_i64)p.index[k] * p.width + col]);
    p.out[at] = sum;
}

#if TB_TRANSPOSED
TB_FN void tb_add_to(tb_f32 *to, tb_f32 x) { atomicAdd(to, x); }
TB_FN void tb_add_to(tb_f64 *to, tb_f64 x) { atomicAdd(to, x); }
TB_FN void tb_add_to(tb_u32 *to, tb_u32 x) { atomicAdd(to, x); }
TB_FN void tb_add_to(tb_i32 *to, tb_i32 x) { atomicAdd(to, x); }
TB_FN void tb_add_to(tb_u64 *to, tb_u64 x) { atomicAdd((unsigned long long *)to, (unsigned long long)x); }
TB_FN void tb_add_to(tb_i64 *to, tb_i64 x) { atomicAdd((unsigned long long *)to, (unsigned long long)x); }
TB_FN void tb_add_to(tb_c64 *to, tb_c64 x)
{
    atomicAdd(&to->re, x.re);
    atomicAdd(&to->im, x.im);
}
TB_FN void tb_add_to(tb_c128 *to, tb_c128 x)
{
    atomicAdd(&to->re, x.re);
    atomicAdd(&to->im, x.im);
}

/* A number of x, by each element of its row; as many lanes as share a row, or one, from `first` on. */
TB_FN void tb_scatter(const tb_params &p, tb_i64 row, tb_i64 col, int first)
{
    if (row >= p.rows) return;
    const tb_number x = p.x[row * p.width + col];
    for (tb_column k = p.start[row] + first; k < p.start[row + 1]; k += TB_TOGETHER)
        tb_add_to(&p.out[(tb_i64)p.index[k] * p.width + col], tb_add_product(tb_number{}, p.data[k], x));
}

TB_FN void tb_by_vector_transposed(const tb_params &p)
{
    const tb_i64 thread = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x;
    tb_scatter(p, thread / TB_TOGETHER, 0, (int)(thread % TB_TOGETHER));
}

TB_FN void tb_by_matrix_transposed(const tb_params &p)
{
    const tb_i64 at = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x, row = at / p.width;
    tb_scatter(p, row, at - row * p.width, 0);
}
#endif

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
#if TB_TRANSPOSED
    if (TB_LANES > 0) tb_by_vector_transposed(p);
    else tb_by_matrix_transposed(p);
#else
    if (TB_LANES > 0) tb_by_vector(p);
    else tb_by_matrix(p);
#endif
}
