/* sparse_product.h - SPARSE: the product of a sparse matrix with a dense one of `width` columns. TB_LANES lanes of a
 * warp share a row where the width is 1; else TB_LANES is 0, a thread has an element of the result, and neighbours the
 * same row. The order in which numbers are added depends on the matrix and the source alone. */

struct tb_params {
    const tb_column *start, *index;
    const tb_number *data, *x;
    tb_number *out;
    tb_i64 rows, width;
};

template <class T> TB_FN T tb_add_product(T s, T x, T y)
{
    if constexpr (TB_TRUTH) return (T)(s | (x & y));
    else return (T)(s + x * y);
}
TB_FN tb_c64 tb_add_product(tb_c64 s, tb_c64 x, tb_c64 y)
{
    return tb_make_c64(s.re + (x.re * y.re - x.im * y.im), s.im + (x.re * y.im + x.im * y.re));
}
TB_FN tb_c128 tb_add_product(tb_c128 s, tb_c128 x, tb_c128 y)
{
    return tb_make_c128(s.re + (x.re * y.re - x.im * y.im), s.im + (x.re * y.im + x.im * y.re));
}
template <class T> TB_FN T tb_add(T s, T x)
{
    if constexpr (TB_TRUTH) return (T)(s | x);
    else return (T)(s + x);
}
TB_FN tb_c64 tb_add(tb_c64 s, tb_c64 x) { return tb_make_c64(s.re + x.re, s.im + x.im); }
TB_FN tb_c128 tb_add(tb_c128 s, tb_c128 x) { return tb_make_c128(s.re + x.re, s.im + x.im); }

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

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    if (TB_LANES > 0) tb_by_vector(p);
    else tb_by_matrix(p);
}
