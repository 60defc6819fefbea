/* product_loops.h - products of sparse matrices, for rows `from` up to `to`. Included by product_loops.c for each dtype
 * and width of indices: VALUE and INDEX are the types, ADD_PRODUCT(sum, x, y) and ADD(sum, x) add to what `sum` is,
 * LOOP(name) is a loop's name. */

static void LOOP(by_vector)(const tb_sparse_product *p, int64_t from, int64_t to, void *out_)
{
    const INDEX *start = p->a.start, *index = p->a.index;
    const VALUE *data = p->data, *x = p->x;
    VALUE *out = out_;
    for (int64_t r = from; r < to; r++) {
        VALUE even = {0}, odd = {0};
        INDEX k = start[r];
        for (const INDEX end = start[r + 1] - 1; k < end; k += 2) {
            ADD_PRODUCT(even, data[k], x[index[k]]);
            ADD_PRODUCT(odd, data[k + 1], x[index[k + 1]]);
        }
        if (k < start[r + 1]) ADD_PRODUCT(even, data[k], x[index[k]]);
        ADD(even, odd);
        out[r] = even;
    }
}

static void LOOP(add_row)(int64_t width, VALUE value, const VALUE *restrict x, VALUE *restrict sum)
{
    for (int64_t c = 0; c < width; c++) ADD_PRODUCT(sum[c], value, x[c]);
}

static void LOOP(by_matrix)(const tb_sparse_product *p, int64_t from, int64_t to, void *out_)
{
    const INDEX *start = p->a.start, *index = p->a.index;
    const VALUE *data = p->data, *x = p->x;
    VALUE *out = out_;
    memset(out + from * p->width, 0, (size_t)((to - from) * p->width) * sizeof *out);
    for (int64_t r = from; r < to; r++)
        for (INDEX k = start[r]; k < start[r + 1]; k++)
            LOOP(add_row)(p->width, data[k], x + index[k] * p->width, out + r * p->width);
}

/* Adds to the rows of out, which is as long as a is wide. */
static void LOOP(transposed)(const tb_sparse_product *p, int64_t from, int64_t to, void *out_)
{
    const INDEX *start = p->a.start, *index = p->a.index;
    const VALUE *data = p->data, *x = p->x;
    VALUE *out = out_;
    if (p->width == 1) {
        for (int64_t r = from; r < to; r++) {
            const VALUE value = x[r];
            for (INDEX k = start[r], end = start[r + 1]; k < end; k++) ADD_PRODUCT(out[index[k]], data[k], value);
        }
        return;
    }
    for (int64_t r = from; r < to; r++)
        for (INDEX k = start[r]; k < start[r + 1]; k++)
            LOOP(add_row)(p->width, data[k], x + r * p->width, out + index[k] * p->width);
}

static void LOOP(sum)(int64_t n, const void *more_, void *sum_)
{
    const VALUE *restrict more = more_;
    VALUE *restrict sum = sum_;
    for (int64_t i = 0; i < n; i++) ADD(sum[i], more[i]);
}

/* Rows of a product of matrices: a table says where in the row of the result an element's column is. */
static bool LOOP(multiply)(const tb_sparse_pair *q, int64_t from, int64_t to)
{
    const INDEX *a_start = q->a->start, *a = q->a->index, *b_start = q->b->start, *b = q->b->index, *start = q->start;
    const VALUE *a_data = q->a_data, *b_data = q->b_data;
    for (int64_t r = from; r < to; r++) {
        const tb_sparse_table t = tb__sparse_table(q->b->cols, q->work(q, r), 2 * sizeof(INDEX), sizeof(INDEX));
        if (!t.room) return false;
        INDEX *keys = t.room, *slots = keys + t.mask + 1, n = 0;
        INDEX *index = (INDEX *)q->index + start[r];
        VALUE *data = (VALUE *)q->data + start[r];
        for (INDEX i = a_start[r]; i < a_start[r + 1]; i++) {
            const VALUE x = a_data[i];
            for (INDEX k = b_start[a[i]]; k < b_start[a[i] + 1]; k++) {
                const INDEX col = b[k];
                uint64_t at = tb__sparse_slot(&t, (uint64_t)col);
                while (keys[at] != col && keys[at] != -1) at = (at + 1) & t.mask;
                if (keys[at] == -1) {
                    keys[at] = col;
                    slots[at] = n;
                    index[n] = col;
                    memset(&data[n], 0, sizeof *data);
                    n++;
                }
                ADD_PRODUCT(data[slots[at]], x, b_data[k]);
            }
        }
    }
    return true;
}

const tb_product_loops LOOP(tb__product_loops) = {
    LOOP(by_vector), LOOP(by_matrix), LOOP(transposed), LOOP(sum), LOOP(multiply),
};
