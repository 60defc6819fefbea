/* sort_short.h - SORT of short rows by a bitonic network (Batcher, 1968): TB_LANES lanes of a warp have a row, TB_ITEMS
 * neighbouring elements each. Equal keys are told apart by their positions. */

struct tb_params {
    const tb_element *in;
    void *out; /* elements, or positions */
    tb_u64 n, rows;
};

struct tb_entry {
    tb_key key;
    tb_u32 place;
};

TB_FN bool tb_entry_less(const tb_entry &a, const tb_entry &b)
{
    const bool less = tb_key_less(a.key, b.key);
    return TB_ORDER ? less || (!tb_key_less(b.key, a.key) && a.place < b.place) : less;
}

TB_FN tb_entry tb_entry_from(const tb_entry &mine, int lanes)
{
    tb_entry other;
#pragma unroll
    for (int i = 0; i < TB_WORDS; i++) other.key.w[i] = __shfl_xor_sync(~0u, mine.key.w[i], lanes);
    other.place = TB_ORDER ? __shfl_xor_sync(~0u, mine.place, lanes) : 0;
    return other;
}

/* Pairs `step` apart, put in order: falling where bit `size` of a number is set. */
TB_FN void tb_compare(tb_entry *x, int lane, int size, int step)
{
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const int at = lane * TB_ITEMS + i;
        const bool falls = (at & size) != 0;
        if (step >= TB_ITEMS) {
            const tb_entry other = tb_entry_from(x[i], step / TB_ITEMS);
            const bool lower = (at & step) == 0;
            if (lower != falls ? tb_entry_less(other, x[i]) : tb_entry_less(x[i], other)) x[i] = other;
        } else if ((i & step) == 0) {
            tb_entry &a = x[i], &b = x[i | step];
            if (falls ? tb_entry_less(a, b) : tb_entry_less(b, a)) {
                const tb_entry c = a;
                a = b;
                b = c;
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_u64 row = (tb_u64)blockIdx.x * (256 / TB_LANES) + threadIdx.x / TB_LANES, begin = row * p.n;
    const int lane = threadIdx.x % TB_LANES;
    const tb_u32 n = row < p.rows ? (tb_u32)p.n : 0;
    tb_entry x[TB_ITEMS];
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        x[i].place = lane * TB_ITEMS + i;
        x[i].key = x[i].place < n ? tb_key_of(p.in[begin + x[i].place]) : tb_key_last();
    }
#pragma unroll
    for (int size = 2; size <= TB_LANES * TB_ITEMS; size *= 2) {
#pragma unroll
        for (int step = size / 2; step > 0; step /= 2) tb_compare(x, lane, size, step);
    }
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const tb_u32 at = lane * TB_ITEMS + i;
        if (at >= n) continue;
        if (TB_ORDER) ((tb_i64 *)p.out)[begin + at] = x[i].place;
        else ((tb_element *)p.out)[begin + at] = tb_element_of(x[i].key);
    }
}
