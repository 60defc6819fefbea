/* tridiagonal.h - TRIDIAGONAL: a symmetric matrix of up to 32 TB_ITEMS rows made tridiagonal by reflections
 * (Householder; Golub and Van Loan, Matrix Computations, 8.3.1). All blocks are at work at once, and wait for each
 * other once a step. The matrix stays in registers: a warp has whole rows, those of its block's number modulo the
 * grid's size, and every lane the same columns of them and of all vectors. In step k, with the reflection's vector v,
 *   each row is updated by v and w of the step before, and multiplied by the new v, in one pass;
 *   the products p, and row k + 1, are posted, and everybody takes them;
 *   w = p - (tau / 2 p.v) v, by which row k + 1, whose rest is the next reflection, can be updated by everybody.
 * What is posted is its own signal: places have bits that no number has before, and each step has places of its own. */

struct tb_params {
    const tb_number *a; /* n x n, columns; of which one triangle is looked at: the upper one if TB_UPPER */
    tb_number *d, *e;   /* n + 1, n; d[n]: by how much what is there is to be multiplied */
    tb_number *posts;   /* 2 n n + blocks, all bits 1 */
    tb_i64 n;
    tb_i32 upper;
};

enum { TB_WARPS = TB_THREADS / 32, TB_ROWS = 2 };
#define TB_COLUMNS _Pragma("unroll") for (int t = 0; t < TB_ITEMS; t++)
#define TB_OWN     _Pragma("unroll") for (int r = 0; r < TB_ROWS; r++)

TB_FN tb_number tb_sum(tb_number x)
{
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) x += __shfl_xor_sync(0xffffffffu, x, apart);
    return x;
}

TB_FN tb_posted tb_take(const tb_number *p) { return *(const volatile tb_posted *)p; }
TB_FN tb_number tb_number_of(tb_posted bits)
{
    tb_number x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
/* There are many bits of NaN, and one of them is not to be posted. */
TB_FN void tb_post(tb_number *p, tb_number x) { *(volatile tb_number *)p = x == x ? x : tb_number_of(TB_NAN_BITS); }

/* A power of two that brings the largest number near 1; of what is not finite, 1. */
TB_FN tb_number tb_scale(const tb_params &p, tb_number most)
{
    __shared__ tb_number part[TB_WARPS];
    tb_number *posts = p.posts + 2 * p.n * p.n;
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, apart));
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = most;
    __syncthreads();
    for (int i = 0; i < TB_WARPS; i++) most = fmax(most, part[i]);
    if (threadIdx.x == 0) tb_post(posts + blockIdx.x, most);
    __syncthreads();
    for (int i = threadIdx.x % 32; i < gridDim.x; i += 32) {
        tb_posted bits;
        do bits = tb_take(posts + i);
        while (bits == ~(tb_posted)0);
        most = fmax(most, tb_number_of(bits));
    }
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, apart));
    if (!(most > 0) || most > TB_MOST) return 1;
    const int exponent = ilogb(most);
    return ldexp((tb_number)1, -min(max(exponent, -TB_WIDE), TB_WIDE));
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number taken[2][2][32 * TB_ITEMS]; /* p and row k + 1, of even and of odd steps */
    tb_wait();
    const int n = (int)p.n, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const bool first = blockIdx.x == 0 && threadIdx.x == 0;
    tb_number m[TB_ROWS][TB_ITEMS], v[TB_ITEMS], w[TB_ITEMS], x[TB_ITEMS], most = 0;
    int row[TB_ROWS];
    TB_OWN
    {
        row[r] = (warp * TB_ROWS + r) * gridDim.x + blockIdx.x;
        TB_COLUMNS
        {
            const int j = lane + 32 * t, i = row[r], above = min(i, j), below = max(i, j);
            const bool inside = below < n;
            m[r][t] = !inside ? (tb_number)0 : p.upper ? p.a[above + p.n * below] : p.a[below + p.n * above];
            most = fmax(most, fabs(m[r][t]));
        }
    }
    const tb_number scale = tb_scale(p, most);
    TB_OWN TB_COLUMNS m[r][t] *= scale;
    TB_COLUMNS
    {
        const int j = lane + 32 * t;
        x[t] = j < n && j > 0 ? scale * (p.upper ? p.a[p.n * j] : p.a[j]) : (tb_number)0;
        v[t] = w[t] = 0;
    }
    for (int i = threadIdx.x; i < 4 * 32 * TB_ITEMS; i += TB_THREADS) (&taken[0][0][0])[i] = 0;
    if (first) p.d[0] = scale * p.a[0];
    if (first) p.d[n] = 1 / scale;
    __syncthreads();
    tb_number v_own[TB_ROWS] = {0}, w_own[TB_ROWS] = {0};
    for (int k = 0; k < n - 2; k++) {
        /* The reflection of x, what is below the diagonal of column k. */
        tb_number squares = 0, head = 0;
        TB_COLUMNS
        {
            const int j = lane + 32 * t;
            if (j > k + 1) squares = fma(x[t], x[t], squares);
            if (j == k + 1) head = x[t];
        }
        squares = tb_sum(squares);
        head = __shfl_sync(0xffffffffu, head, (k + 1) % 32);
        tb_number beta = head, tau = 0, inverse = 0;
        if (squares != 0) {
            beta = sqrt(fma(head, head, squares));
            if (head > 0) beta = -beta;
            const tb_number gap = head - beta, q = 1 / (beta * gap);
            tau = -gap * gap * q;
            inverse = beta * q;
        }
        TB_COLUMNS
        {
            const int j = lane + 32 * t;
            x[t] = j == k + 1 ? (tb_number)1 : j > k + 1 ? x[t] * inverse : (tb_number)0;
        }
        if (first) p.e[k] = beta;

        tb_number *posts = p.posts + 2 * p.n * k, product[TB_ROWS];
        TB_OWN
        {
            product[r] = 0;
            TB_COLUMNS
            {
                if (32 * t + 31 <= k) continue;
                m[r][t] = fma(-v_own[r], w[t], fma(-w_own[r], v[t], m[r][t]));
                product[r] = fma(m[r][t], x[t], product[r]);
            }
        }
        TB_OWN if (row[r] == k + 1) TB_COLUMNS
        {
            const int j = lane + 32 * t;
            if (j > k && j < n) tb_post(posts + n + j, m[r][t]);
        }
        TB_OWN
        {
            product[r] = tau * tb_sum(product[r]);
            if (lane == 0 && row[r] > k && row[r] < n) tb_post(posts + row[r], product[r]);
        }
        __syncthreads(); /* the block's own posts are out before it waits for others */
        tb_number(*here)[32 * TB_ITEMS] = taken[k % 2];
        for (int j = threadIdx.x; j < n; j += TB_THREADS) {
            if (j <= k) continue;
            tb_posted of_p, of_row;
            do {
                of_p = tb_take(posts + j);
                of_row = tb_take(posts + n + j);
            } while (of_p == ~(tb_posted)0 || of_row == ~(tb_posted)0);
            here[0][j] = tb_number_of(of_p);
            here[1][j] = tb_number_of(of_row);
        }
        __syncthreads();

        tb_number dot = 0;
        TB_COLUMNS
        {
            v[t] = x[t];
            w[t] = here[0][lane + 32 * t];
            if (32 * t + 31 > k) dot = fma(w[t], v[t], dot);
        }
        const tb_number half = tau * (tb_number)0.5 * tb_sum(dot), w_next = here[0][k + 1] - half;
        TB_OWN
        {
            tb_number own = 0;
            TB_COLUMNS if (lane + 32 * t == row[r]) own = v[t];
            v_own[r] = __shfl_sync(0xffffffffu, own, row[r] % 32);
            w_own[r] = row[r] > k && row[r] < n ? fma(-half, v_own[r], here[0][row[r]]) : (tb_number)0;
        }
        TB_COLUMNS
        {
            const int j = lane + 32 * t;
            w[t] = j > k ? fma(-half, v[t], w[t]) : (tb_number)0;
            const tb_number updated = fma(-w_next, v[t], here[1][j] - w[t]);
            if (j == k + 1 && blockIdx.x == 0 && warp == 0) p.d[j] = updated;
            x[t] = j > k + 1 ? updated : (tb_number)0;
        }
    }
    TB_OWN if (row[r] == n - 1) TB_COLUMNS
    {
        const int j = lane + 32 * t;
        const tb_number last = fma(-v_own[r], w[t], fma(-w_own[r], v[t], m[r][t]));
        if (j == n - 1) p.d[j] = last;
        if (j == n - 2) p.e[j] = last;
    }
}
