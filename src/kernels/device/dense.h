/* dense.h - DENSE: what the kernels for stacks of small matrices (dense_*.h) have in common. A block has a matrix,
 * which lies in columns: in shared memory where it has TB_ROOM rows and columns at most, in place where that is 0. */

struct tb_params {
    tb_number *a, *b, *v;
    tb_i32 *pivots, *info; /* info may be null */
    tb_i64 m, n, k;
    tb_i32 transposed, conjugated;
};

/* Columns are apart so that lanes meet in no bank, be their elements of a row, a column, or rows of some columns. */
enum { TB_WARPS = TB_THREADS / 32, TB_APART = TB_ROOM + TB_APART_BY };

TB_FN tb_real tb_re(tb_f32 x) { return (tb_real)x; }
TB_FN tb_real tb_re(tb_f64 x) { return (tb_real)x; }
TB_FN tb_real tb_re(tb_c64 x) { return (tb_real)x.re; }
TB_FN tb_real tb_re(tb_c128 x) { return (tb_real)x.re; }
TB_FN tb_real tb_im(tb_f32) { return 0; }
TB_FN tb_real tb_im(tb_f64) { return 0; }
TB_FN tb_real tb_im(tb_c64 x) { return (tb_real)x.im; }
TB_FN tb_real tb_im(tb_c128 x) { return (tb_real)x.im; }

TB_FN tb_f32 tb_conj(tb_f32 x) { return x; }
TB_FN tb_f64 tb_conj(tb_f64 x) { return x; }
TB_FN tb_c64 tb_conj(tb_c64 x) { return tb_make_c64(x.re, -x.im); }
TB_FN tb_c128 tb_conj(tb_c128 x) { return tb_make_c128(x.re, -x.im); }

template <class T> TB_FN T tb_times(T x, T y) { return x * y; }
TB_FN tb_c64 tb_times(tb_c64 x, tb_c64 y) { return tb_make_c64(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re); }
TB_FN tb_c128 tb_times(tb_c128 x, tb_c128 y)
{
    return tb_make_c128(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
}

/* s + x y, s - x y */
template <class T> TB_FN T tb_add_product(T s, T x, T y) { return s + x * y; }
TB_FN tb_c64 tb_add_product(tb_c64 s, tb_c64 x, tb_c64 y)
{
    return tb_make_c64(s.re + x.re * y.re - x.im * y.im, s.im + x.re * y.im + x.im * y.re);
}
TB_FN tb_c128 tb_add_product(tb_c128 s, tb_c128 x, tb_c128 y)
{
    return tb_make_c128(s.re + x.re * y.re - x.im * y.im, s.im + x.re * y.im + x.im * y.re);
}
template <class T> TB_FN T tb_less_product(T s, T x, T y) { return s - x * y; }
TB_FN tb_c64 tb_less_product(tb_c64 s, tb_c64 x, tb_c64 y)
{
    return tb_make_c64(s.re - x.re * y.re + x.im * y.im, s.im - x.re * y.im - x.im * y.re);
}
TB_FN tb_c128 tb_less_product(tb_c128 s, tb_c128 x, tb_c128 y)
{
    return tb_make_c128(s.re - x.re * y.re + x.im * y.im, s.im - x.re * y.im - x.im * y.re);
}

/* Smith's division: scales by the larger part of the divisor. */
template <class T> TB_FN T tb_over(T x, T y) { return x / y; }
template <class T, class R> TB_FN T tb_over_parts(T x, T y)
{
    const R p = y.re < 0 ? -y.re : y.re, q = y.im < 0 ? -y.im : y.im;
    T z;
    if (p >= q) {
        const R ratio = y.im / y.re, scale = y.re + y.im * ratio;
        z.re = (x.re + x.im * ratio) / scale;
        z.im = (x.im - x.re * ratio) / scale;
    } else {
        const R ratio = y.re / y.im, scale = y.im + y.re * ratio;
        z.re = (x.re * ratio + x.im) / scale;
        z.im = (x.im * ratio - x.re) / scale;
    }
    return z;
}
TB_FN tb_c64 tb_over(tb_c64 x, tb_c64 y) { return tb_over_parts<tb_c64, tb_f32>(x, y); }
TB_FN tb_c128 tb_over(tb_c128 x, tb_c128 y) { return tb_over_parts<tb_c128, tb_f64>(x, y); }

/* What LAPACK compares: the sum of the parts' absolute values. */
TB_FN tb_real tb_magnitude(tb_number x)
{
    const tb_real re = tb_re(x), im = tb_im(x);
    return (re < 0 ? -re : re) + (im < 0 ? -im : im);
}

struct tb_matrix {
    tb_number *at;
    int apart;
};
TB_FN tb_number &tb_cell(const tb_matrix &a, int i, int j) { return a.at[i + j * a.apart]; }

/* The block's m x n matrix, and back. */
TB_FN tb_matrix tb_bring(tb_number *from, tb_number *room, tb_i64 m, tb_i64 n)
{
#if TB_ROOM
    for (int i = (int)threadIdx.x; i < (int)(m * n); i += TB_THREADS)
        room[i / (int)m * TB_APART + i % (int)m] = from[i];
    __syncthreads();
    return {room, TB_APART};
#else
    return {from, (int)m};
#endif
}

TB_FN void tb_take_back(tb_number *to, const tb_number *room, tb_i64 m, tb_i64 n)
{
    __syncthreads();
#if TB_ROOM
    for (int i = (int)threadIdx.x; i < (int)(m * n); i += TB_THREADS)
        to[i] = room[i / (int)m * TB_APART + i % (int)m];
#endif
}

enum { TB_ELEMENTS = TB_ROOM ? TB_ROOM * TB_APART : 1 };

/* As many lanes share a column as there would be idle ones. */
TB_FN int tb_lanes_of(int columns)
{
    int lanes = 1;
    while (lanes < 32 && 2 * lanes * columns <= TB_THREADS) lanes *= 2;
    return lanes;
}

TB_FN tb_number tb_sum_of_lanes(tb_number x, int lanes)
{
    tb_real re = tb_re(x), im = tb_im(x);
    for (int apart = lanes / 2; apart > 0; apart /= 2) {
        re += __shfl_xor_sync(0xffffffffu, re, apart);
        if (sizeof(tb_number) > sizeof(tb_real)) im += __shfl_xor_sync(0xffffffffu, im, apart);
    }
    return tb_number_of(re, im);
}

/* The columns behind column k, reflected: 1 - factor v v' of its v, whose top is 1. */
TB_FN void tb_reflect(const tb_matrix &a, int m, int k, int n, tb_number factor, int lanes)
{
    const int lane = (int)threadIdx.x % lanes, groups = TB_THREADS / lanes;
    const tb_number *v = &tb_cell(a, 0, k);
    for (int first = k + 1; first < n; first += groups) {
        const int j = first + (int)threadIdx.x / lanes;
        tb_number *x = &tb_cell(a, 0, j < n ? j : k), sum = lane == 0 ? x[k] : tb_number_of(0, 0);
#pragma unroll 4
        for (int i = k + 1 + lane; i < m; i += lanes) sum = tb_add_product(sum, tb_conj(v[i]), x[i]);
        sum = tb_times(factor, tb_sum_of_lanes(sum, lanes));
        if (j >= n) continue;
        if (lane == 0) x[k] = tb_less_product(x[k], tb_number_of(1, 0), sum);
        tb_number *__restrict__ to = x;
        const tb_number *__restrict__ from = v;
#pragma unroll 4
        for (int i = k + 1 + lane; i < m; i += lanes) to[i] = tb_less_product(to[i], from[i], sum);
    }
}
