/* sparse_merge.h - SPARSE_MERGE: two patterns in one. Where an element goes is known without its row: before it are
 * those of a and of b that come before it, less those that are in both. Blocks have chunks of a or of b, in turn as
 * far as there are as many, so that neighbours in the result are written while the cache has them; or of `start`. */

/* How many of a's elements before number k are in b. */
TB_FN tb_i64 tb_both_before(const tb_params &p, tb_i64 k) { return k > 0 ? p.both[k - 1] : 0; }

TB_FN void tb_leave(const tb_params &p, tb_i64 at, tb_column column, tb_i64 in_a, tb_i64 in_b)
{
    ((tb_column *)p.out[1])[at] = column;
    ((tb_column *)p.out[2])[at] = (tb_column)in_a;
    ((tb_column *)p.out[3])[at] = (tb_column)in_b;
}

TB_FN void tb_merge_a(const tb_params &p, tb_i64 k)
{
    const tb_column place = p.place[k];
    const bool both = place < 0;
    const tb_i64 in_b = both ? ~place : place, below = p.both[k] - both;
    if (!p.any && !both) return;
    tb_leave(p, p.any ? k + in_b - below : below, p.a.index[k], k, both ? in_b : -1);
}

TB_FN void tb_merge_start(const tb_params &p, tb_i64 row)
{
    const tb_i64 in_a = p.a.start[row], below = tb_both_before(p, in_a);
    ((tb_column *)p.out[0])[row] = (tb_column)(p.any ? in_a + p.b.start[row] - below : below);
}

TB_FN void tb_merge_b(const tb_params &p, const tb_span &span, tb_i64 k)
{
    const tb_i64 row = tb_row_of(p.b.start, span.low, span.high, k);
    const tb_column column = p.b.index[k];
    const tb_i64 in_a = tb_element_at(p.a, row, column);
    if (in_a < p.a.start[row + 1] && p.a.index[in_a] == column) return;
    tb_leave(p, k + in_a - tb_both_before(p, in_a), column, -1, k);
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_i64 of_a = (p.a.n + TB_CHUNK - 1) / TB_CHUNK, of_b = p.any ? (p.b.n + TB_CHUNK - 1) / TB_CHUNK : 0;
    const tb_i64 block = blockIdx.x, all = of_a + of_b, before = block * of_a / (all > 0 ? all : 1);
    const bool in_a = block < all && (block + 1) * of_a / all > before, in_b = block < all && !in_a;
    const tb_i64 first = (in_a ? before : block - (in_b ? before : all)) * TB_CHUNK;
    tb_span span = {0, 0};
    if (in_b) span = tb_span_of(p.b, p.rows, first);
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const tb_i64 k = first + i * TB_THREADS + threadIdx.x;
        if (in_b && k < p.b.n) tb_merge_b(p, span, k);
        else if (in_a && k < p.a.n) tb_merge_a(p, k);
        else if (!in_a && !in_b && k <= p.rows) tb_merge_start(p, k);
    }
}
