/* sparse_pattern.h - patterns of sparse matrices (backend/sparse.h): what their kernels have in common. A block has
 * TB_CHUNK neighbouring elements. Rows are not written down: which an element is of is searched for among the rows of
 * its chunk, however long they are or many. */

enum { TB_CHUNK = TB_THREADS * TB_ITEMS };

struct tb_pattern {
    const tb_column *start, *index;
    tb_i64 n;
};

struct tb_params {
    tb_pattern a, b;
    tb_i64 rows, cols;
    const tb_column *place, *both;
    void *out[4];
    tb_i64 any;
};

/* The last row up to `high` that begins at k or before it; low is such a one. */
TB_FN tb_i64 tb_row_of(const tb_column *start, tb_i64 low, tb_i64 high, tb_i64 k)
{
    while (low < high) {
        const tb_i64 middle = low + (high - low + 1) / 2;
        if (start[middle] <= k) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* The same among all rows, by a warp, which looks at 32 of them at a time: trips to memory are what this takes. Where
 * `start` is wrong it is any row. */
TB_FN tb_i64 tb_row_by_warp(const tb_column *start, tb_i64 rows, tb_i64 k)
{
    tb_i64 low = 0, high = rows - 1;
    while (low < high) {
        const tb_i64 step = (high - low + 31) / 32, probe = low + step * (threadIdx.x % 32 + 1);
        const int passed = __popc(__ballot_sync(~0u, probe <= high && start[probe] <= k));
        const tb_i64 end = low + step * (passed + 1) - 1;
        low += step * passed;
        high = end < high ? end : high;
    }
    return low;
}

/* The rows of the elements from `first` on that a block has. */
struct tb_span {
    tb_i64 low, high;
};

/* All threads of the block come here. */
TB_FN tb_span tb_span_of(const tb_pattern &p, tb_i64 rows, tb_i64 first)
{
    __shared__ tb_i64 ends[2];
    const tb_i64 last = (first + TB_CHUNK < p.n ? first + TB_CHUNK : p.n) - 1;
    if (threadIdx.x < 64) {
        const tb_i64 row = tb_row_by_warp(p.start, rows, threadIdx.x < 32 ? first : last);
        if (threadIdx.x % 32 == 0) ends[threadIdx.x / 32] = row;
    }
    __syncthreads();
    return tb_span{ends[0], ends[1]};
}

/* The first element of a row that is not before a column. */
TB_FN tb_i64 tb_element_at(const tb_pattern &p, tb_i64 row, tb_column column)
{
    tb_i64 low = p.start[row], high = p.start[row + 1];
    while (low < high) {
        const tb_i64 middle = low + (high - low) / 2;
        if (p.index[middle] < column) low = middle + 1;
        else high = middle;
    }
    return low;
}
