/* select_narrow.h - SELECT, after the counts of a pass: the digit of each target. A block of 256 threads a row. After
 * the last pass the elements go to their places, or it is worked out where what is before, between and behind them
 * begins. */

struct tb_params {
    tb_target *targets;
    tb_count *counts;
    tb_element *out;   /* after the last pass, if nothing else is wanted */
    tb_u64 *begins;    /* after the last pass, else: of a row, 2 * TB_TARGETS + 1 */
    tb_progress *progress;
    tb_u64 n, room; /* of a row; for elements of it that are kept */
    tb_u32 pass, first;
    tb_u64 kth[TB_TARGETS];
};

TB_FN void tb_set_begins(const tb_params &p, const tb_target *targets, tb_u64 *begins)
{
    begins[0] = 0;
    for (int t = 0; t < TB_TARGETS; t++) begins[2 * t + 2] = p.kth[t] - targets[t].left + targets[t].equal;
    for (int t = 0; t < TB_TARGETS; t++) begins[tb_class(targets, targets[t].key)] = p.kth[t] - targets[t].left;
}

/* Elements are kept where there is room for them and several passes would read them. */
TB_FN void tb_advance(const tb_params &p, const tb_target *targets, tb_progress &now)
{
    if (p.first) now = tb_progress();
    if (now.state == TB_KEEPS) now.state = TB_KEPT;
    if (now.state == TB_KEPT || p.pass < 2) return;
    tb_u64 n = 0;
    for (int t = 0; t < TB_TARGETS; t++)
        if (tb_leader(targets, t, p.pass - 1) == t) n += targets[t].equal;
    if (n <= p.room) now = {n, 0, TB_KEEPS};
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_u64 sums[256];
    __shared__ tb_target targets[TB_TARGETS];
    __shared__ int leader[TB_TARGETS];
    tb_wait();
    tb_target *mine = p.targets + (tb_u64)blockIdx.x * TB_TARGETS;
    tb_count *counts = p.counts + (tb_u64)blockIdx.x * (TB_TARGETS * 256) + threadIdx.x;
    const int t = threadIdx.x;
    if (t < TB_TARGETS) {
        targets[t] = p.first ? tb_target() : mine[t];
        if (p.first) targets[t].left = p.kth[t];
    }
    __syncthreads();
    if (t < TB_TARGETS) leader[t] = tb_leader(targets, t, p.pass);
    __syncthreads();
    for (int i = 0; i < TB_TARGETS; i++) {
        const tb_u64 count = counts[leader[i] * 256];
        tb_u64 sum = count;
        for (int d = 1; d < 256; d *= 2) {
            sums[t] = sum;
            __syncthreads();
            if (t >= d) sum += sums[t - d];
            __syncthreads();
        }
        const tb_u64 left = targets[i].left;
        __syncthreads();
        if (sum - count <= left && left < sum) {
            targets[i].key.w[p.pass / 4] |= (tb_u32)t << p.pass % 4 * 8;
            targets[i].left = left - (sum - count);
            targets[i].equal = count;
        }
        __syncthreads();
    }
    for (int i = 0; i < TB_TARGETS; i++) counts[i * 256] = 0;
    if (t < TB_TARGETS) mine[t] = targets[t];
    if (t == 0) tb_advance(p, targets, p.progress[blockIdx.x]);
    if (p.pass > 0) return;
    if (p.out && t < TB_TARGETS) p.out[blockIdx.x * p.n + p.kth[t]] = tb_element_of(targets[t].key);
    if (p.begins && t == 0) tb_set_begins(p, targets, p.begins + (tb_u64)blockIdx.x * (2 * TB_TARGETS + 1));
}
