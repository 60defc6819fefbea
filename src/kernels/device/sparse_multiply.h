/* sparse_multiply.h - SPARSE_COUNT, SPARSE_FILL: rows of a product of two sparse matrices, those with more than p.more
 * and at most p.most products, by TB_GROUP threads each: a warp, or a block. All products of a row are put in order of
 * their columns in shared memory, those of one column as they come (Dalton, Olson and Bell, "Optimizing sparse
 * matrix-matrix multiplication for the GPU", 2015): so results are in order, and sums do not depend on who comes first.
 * SPARSE_COUNT finds how many elements rows have, SPARSE_FILL what they are. */

struct tb_params {
    const tb_column *a_start, *a_index, *b_start, *b_index;
    const tb_number *a, *b;
    const tb_i32 *bound; /* how many products each row has */
    const tb_column *start;
    tb_column *index; /* SPARSE_COUNT: elements of each row */
    tb_number *data;
    tb_i64 rows, more, most;
};

enum { TB_GROUP = TB_WHOLE ? TB_THREADS : 32, TB_ROOMS = TB_THREADS / TB_GROUP, TB_TILE = TB_GROUP * TB_ITEMS };

#if TB_FILLS
typedef tb_u64 tb_key; /* a column, and the number of the product among those of the row */
TB_FN tb_key tb_key_of(tb_column column, tb_u32 number) { return (tb_key)column << 32 | number; }
TB_FN tb_u32 tb_column_of(tb_key key) { return (tb_u32)(key >> 32); }
#else
typedef tb_u32 tb_key;
TB_FN tb_key tb_key_of(tb_column column, tb_u32) { return (tb_key)column; }
TB_FN tb_u32 tb_column_of(tb_key key) { return key; }
#endif

struct tb_room {
    tb_key keys[TB_TILE];
    tb_i64 from[TB_GROUP];
    tb_u32 sums[TB_GROUP];
#if TB_FILLS
    tb_number values[TB_TILE], factor[TB_GROUP];
#endif
};

TB_FN void tb_meet()
{
    if (TB_WHOLE) __syncthreads();
    else __syncwarp();
}

/* The sum of what the threads up to this one have. It stays in sums. */
TB_FN tb_u32 tb_sum_up_to(tb_room &r, int lane, tb_u32 x)
{
    r.sums[lane] = x;
    tb_meet();
    for (int apart = 1; apart < TB_GROUP; apart *= 2) {
        const tb_u32 before = lane >= apart ? r.sums[lane - apart] : 0;
        tb_meet();
        r.sums[lane] = x += before;
        tb_meet();
    }
    return x;
}

/* The products of up to TB_GROUP elements of a, from k on, behind those `done`. How many there are then. */
TB_FN int tb_expand(const tb_params &p, tb_room &r, int lane, tb_i64 k, tb_i64 end, int done)
{
    tb_u32 length = 0;
    if (k < end) {
        const tb_column row = p.a_index[k];
        const tb_i64 from = p.b_start[row];
        length = (tb_u32)(p.b_start[row + 1] - from);
        r.from[lane] = from;
#if TB_FILLS
        r.factor[lane] = p.a[k];
#endif
    }
    tb_sum_up_to(r, lane, length);
    const int total = (int)r.sums[TB_GROUP - 1];
    for (int i = lane; i < total; i += TB_GROUP) {
        int low = 0, high = TB_GROUP - 1;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (r.sums[middle] > (tb_u32)i) high = middle;
            else low = middle + 1;
        }
        const tb_i64 at = r.from[low] + (i - (low ? (int)r.sums[low - 1] : 0));
        r.keys[done + i] = tb_key_of(p.b_index[at], (tb_u32)(done + i));
#if TB_FILLS
        r.values[done + i] = tb_add_product(tb_number{}, r.factor[low], p.b[at]);
#endif
    }
    tb_meet();
    return done + total;
}

/* Batcher's bitonic network (1968). */
TB_FN void tb_order(tb_room &r, int lane, int n)
{
    int size = 2;
    while (size < n) size *= 2;
    for (int i = n + lane; i < size; i += TB_GROUP) r.keys[i] = ~(tb_key)0;
    tb_meet();
    for (int run = 2; run <= size; run *= 2)
        for (int apart = run / 2; apart > 0; apart /= 2) {
            for (int i = lane; i < size / 2; i += TB_GROUP) {
                const int first = (i & ~(apart - 1)) * 2 + (i & (apart - 1));
                const tb_key x = r.keys[first], y = r.keys[first + apart];
                if ((x > y) == !(first & run)) {
                    r.keys[first] = y;
                    r.keys[first + apart] = x;
                }
            }
            tb_meet();
        }
}

TB_FN bool tb_is_first(const tb_room &r, int i)
{
    return i == 0 || tb_column_of(r.keys[i]) != tb_column_of(r.keys[i - 1]);
}

#if TB_FILLS
TB_FN tb_number tb_sum_of_column(const tb_room &r, int i, int n)
{
    const tb_u32 column = tb_column_of(r.keys[i]);
    tb_number sum = r.values[(tb_u32)r.keys[i]];
    while (++i < n && tb_column_of(r.keys[i]) == column) sum = tb_add(sum, r.values[(tb_u32)r.keys[i]]);
    return sum;
}
#endif

TB_FN void tb_multiply_row(const tb_params &p, tb_room &r, int lane, tb_i64 row)
{
    const tb_i64 end = p.a_start[row + 1];
    int n = 0;
    for (tb_i64 k = p.a_start[row]; k < end; k += TB_GROUP) n = tb_expand(p, r, lane, k + lane, end, n);
    tb_order(r, lane, n);
    const int each = (n + TB_GROUP - 1) / TB_GROUP, from = lane * each, to = from + each < n ? from + each : n;
    tb_u32 own = 0;
    for (int i = from; i < to; i++) own += tb_is_first(r, i);
    const tb_u32 up_to = tb_sum_up_to(r, lane, own);
#if TB_FILLS
    tb_i64 at = p.start[row] + (up_to - own);
    for (int i = from; i < to; i++) {
        if (!tb_is_first(r, i)) continue;
        p.index[at] = (tb_column)tb_column_of(r.keys[i]);
        p.data[at++] = tb_sum_of_column(r, i, n);
    }
#else
    if (lane == TB_GROUP - 1) p.index[row] = (tb_column)up_to;
#endif
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_room rooms[TB_ROOMS];
    tb_wait();
    const int room = (int)threadIdx.x / TB_GROUP, lane = (int)threadIdx.x % TB_GROUP;
    const tb_i64 row = (tb_i64)blockIdx.x * TB_ROOMS + room;
    if (row >= p.rows || p.bound[row] <= p.more || p.bound[row] > p.most) return;
    tb_multiply_row(p, rooms[room], lane, row);
}
