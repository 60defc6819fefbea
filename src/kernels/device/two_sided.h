/* two_sided.h - TWO_SIDED: y[i] = the sum over poles of weight * sum over k of pole^|k| x[i + k] along an axis, where x
 * goes on beyond its edges. Terms of so high powers that no rounding sees them are left out, so that pieces of lines
 * need nothing of one another but TB_REACH segments of elements at either end, which are read twice.
 *
 * A thread has a segment of TB_SEGMENT elements in registers. It says what they come to at either end of it, learns
 * from its neighbours what enters there, and runs through it from both sides. TB_ALONG: elements of a line follow one
 * another, and a block has a piece of one, brought in by way of shared memory. Else a warp has segments of 32 lines. */

enum {
    TB_SEGMENT = 16,
    TB_LINES = TB_ALONG ? 1 : 32,
    TB_SEGMENTS = TB_THREADS / TB_LINES,
    TB_USED = (TB_SEGMENTS - 2 * TB_REACH) * TB_SEGMENT, /* elements of a piece */
    TB_STAGE = TB_ALONG ? TB_SEGMENTS * (TB_SEGMENT + 1) : 1,
};

struct tb_params {
    const tb_number *x;
    double *y;
    tb_i64 lines, n, inner, pieces;
    double pole[2], weight[2];
};

TB_FN tb_i64 tb_element(tb_i64 i, tb_i64 n)
{
    if (i >= 0 && i < n) return i;
    if (TB_MODE == TB_GRID_WRAP) {
        i %= n;
        return i < 0 ? i + n : i;
    }
    if (TB_MODE == TB_REFLECT) {
        i = (i < 0 ? -i - 1 : i) % (2 * n);
        return i >= n ? 2 * n - 1 - i : i;
    }
    i = (i < 0 ? -i : i) % (2 * n - 2);
    return i >= n ? 2 * n - 2 - i : i;
}

/* What enters a segment of this one's and the farther ones' ends. */
TB_FN double tb_entering(const double *ends, int segment, int step, double power)
{
    double sum = 0;
#pragma unroll
    for (int j = TB_REACH; j > 0; j--) sum = ends[(segment + step * j) * TB_LINES] + power * sum;
    return sum;
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ double before[TB_THREADS], behind[TB_THREADS], stage[TB_STAGE];
    tb_wait();
    const int lane = (int)threadIdx.x % TB_LINES, segment = (int)threadIdx.x / TB_LINES;
    const tb_i64 line = (tb_i64)blockIdx.x / p.pieces * TB_LINES + lane;
    const tb_i64 from = (tb_i64)blockIdx.x % p.pieces * TB_USED - TB_REACH * TB_SEGMENT;
    const tb_i64 first = from + segment * TB_SEGMENT, most = p.n + TB_REACH * TB_SEGMENT;
    const tb_i64 at = line / p.inner * p.n * p.inner + line % p.inner;
    const bool used = segment >= TB_REACH && segment < TB_SEGMENTS - TB_REACH && first < p.n && line < p.lines;
    double x[TB_SEGMENT], y[TB_SEGMENT];
#if TB_ALONG
#pragma unroll
    for (int i = 0; i < TB_SEGMENT; i++) {
        const int k = (int)threadIdx.x + i * TB_THREADS;
        stage[k + k / TB_SEGMENT] = from + k < most ? (double)p.x[at + tb_element(from + k, p.n)] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_SEGMENT; i++) x[i] = stage[segment * (TB_SEGMENT + 1) + i];
#else
    const bool whole = first >= 0 && first + TB_SEGMENT <= p.n;
#pragma unroll
    for (int i = 0; i < TB_SEGMENT; i++) {
        const bool there = line < p.lines && first + i < most;
        x[i] = there ? (double)p.x[at + (whole ? first + i : tb_element(first + i, p.n)) * p.inner] : 0;
    }
#endif
#pragma unroll
    for (int i = 0; i < TB_SEGMENT; i++) y[i] = 0;
#pragma unroll
    for (int k = 0; k < TB_POLES; k++) {
        const double z = p.pole[k], weight = p.weight[k];
        double power = z, up = 0, down = 0;
#pragma unroll
        for (int i = 1; i < TB_SEGMENT; i *= 2) power = power * power;
#pragma unroll
        for (int i = 0; i < TB_SEGMENT; i++) {
            up = x[i] + z * up;
            down = x[TB_SEGMENT - 1 - i] + z * down;
        }
        if (k) __syncthreads();
        before[threadIdx.x] = up;
        behind[threadIdx.x] = down;
        __syncthreads();
        if (!used) continue;
        up = tb_entering(before + lane, segment, -1, power);
        down = tb_entering(behind + lane, segment, 1, power);
#pragma unroll
        for (int i = 0; i < TB_SEGMENT; i++) {
            up = x[i] + z * up;
            y[i] = y[i] + weight * up;
        }
#pragma unroll
        for (int i = TB_SEGMENT - 1; i >= 0; i--) {
            down = z * down;
            y[i] = y[i] + weight * down;
            down = x[i] + down;
        }
    }
#if TB_ALONG
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_SEGMENT; i++) stage[segment * (TB_SEGMENT + 1) + i] = y[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_SEGMENT; i++) {
        const int k = (int)threadIdx.x + i * TB_THREADS, inside = k - TB_REACH * TB_SEGMENT;
        if (inside >= 0 && inside < TB_USED && from + k < p.n) p.y[at + from + k] = stage[k + k / TB_SEGMENT];
    }
#else
#pragma unroll
    for (int i = 0; i < TB_SEGMENT; i++)
        if (used && first + i < p.n) p.y[at + (first + i) * p.inner] = y[i];
#endif
}
