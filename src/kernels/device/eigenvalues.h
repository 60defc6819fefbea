/* eigenvalues.h - EIGENVALUES: those of a symmetric tridiagonal matrix, by how many are below a number: as many as
 * signs change in the sequence of its leading minors less the number (Givens; Golub and Van Loan, 8.4.1). A warp
 * has an eigenvalue, and tries 32 numbers at once. In float64, whatever the matrix has. */

struct tb_params {
    const tb_number *d, *e; /* n + 1, n; largest element near 1; d[n]: what values are to be multiplied by */
    tb_number *values;
    tb_i32 *info; /* or null */
    tb_i64 n;
};

enum { TB_WARPS = TB_THREADS / 32, TB_ROUNDS = 12, TB_SCALED = 8 };

struct tb_row {
    double diagonal, square; /* of the element beside it */
};

TB_FN double tb_power(int k)
{
    const tb_u64 bits = (tb_u64)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

TB_FN int tb_exponent(double x) { return ((__double2hiint(x) >> 20) & 2047) - 1023; }

/* The next minor from the two before it, and whether its sign is another. */
TB_FN int tb_next_minor(tb_row row, double x, double *before, double *last)
{
    const double minor = fma(row.diagonal - x, *last, -(row.square * *before));
    const int changes = (int)((tb_u32)(__double2hiint(minor) ^ __double2hiint(*last)) >> 31);
    *before = *last;
    *last = minor;
    return changes;
}

TB_FN int tb_below(const tb_row *row, int n, double x)
{
    double before = 1, last = row[0].diagonal - x;
    int count = (int)((tb_u32)__double2hiint(last) >> 31), i = 1;
    for (; i + TB_SCALED <= n; i += TB_SCALED) {
#pragma unroll
        for (int k = 0; k < TB_SCALED; k++) count += tb_next_minor(row[i + k], x, &before, &last);
        const double scale = tb_power(-max(tb_exponent(before), tb_exponent(last)));
        before *= scale;
        last *= scale;
    }
    for (; i < n; i++) count += tb_next_minor(row[i], x, &before, &last);
    return count;
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_row row[32 * TB_ITEMS];
    __shared__ double parts[TB_WARPS];
    tb_wait();
    const int n = (int)p.n, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    /* By rows' sums (Gershgorin); NaN stays, and infinities are NaN. An element beside the diagonal that is nearly 0
     * counts as 2^-56, so that minors do not end in zeros: less than rounding moved it. */
    double bound = 0;
    for (int i = threadIdx.x; i < n; i += TB_THREADS) {
        const double left = i > 0 ? fabs((double)p.e[i - 1]) : 0, right = i < n - 1 ? fabs((double)p.e[i]) : 0;
        const double reach = fabs((double)p.d[i]) + left + right;
        bound = reach - reach == 0 ? (bound < reach ? reach : bound) : reach - reach;
        if (bound != bound) break;
        row[i] = {(double)p.d[i], fmax(left * left, tb_power(-112))};
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = __shfl_xor_sync(0xffffffffu, bound, apart);
        bound = other > bound || other != other ? other : bound;
    }
    if (lane == 0) parts[warp] = bound;
    __syncthreads();
    for (int i = 0; i < TB_WARPS; i++) bound = parts[i] > bound || parts[i] != parts[i] ? parts[i] : bound;
    const int which = blockIdx.x * TB_WARPS + warp;
    if (p.info && blockIdx.x == 0 && threadIdx.x == 0) *p.info = 0;
    if (which >= n) return;
    double low = -bound * (1 + 1e-15), high = bound * (1 + 1e-15);
    for (int round = 0; round < TB_ROUNDS; round++) {
        const double x = low + (high - low) * ((lane + 1) * (1.0 / 33));
        /* The numbers not above the eigenvalue are the first ones. */
        const int at = __popc(__ballot_sync(0xffffffffu, tb_below(row, n, x) <= which));
        const double left = __shfl_sync(0xffffffffu, x, max(at - 1, 0));
        const double right = __shfl_sync(0xffffffffu, x, min(at, 31));
        if (at > 0) low = left;
        if (at < 32) high = right;
    }
    if (lane == 0) p.values[which] = (tb_number)(0.5 * (low + high) * (double)p.d[n]);
}
