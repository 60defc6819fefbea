/* product_loops.h - what is computed of the elements of sparse matrices, for rows `from` up to `to`. Included by
 * product_loops.c for each dtype and width of indices: VALUE and INDEX are the types, ADD_PRODUCT(sum, x, y) and
 * ADD(sum, x) add to what `sum` is, NOT_ZERO(x) asks that, LOOP(name) is a loop's name. */

/* A row of a product by a place for each column. */
static bool LOOP(multiply_dense)(const tb_sparse_pair *q, int64_t r)
{
    const INDEX *a_start = q->a->start, *a = q->a->index, *b_start = q->b->start, *b = q->b->index, *start = q->start;
    const VALUE *a_data = q->a_data, *b_data = q->b_data;
    const size_t cols = (size_t)q->b->cols, bytes = cols * (sizeof(VALUE) + 1);
    VALUE *sums = tb__scratch(bytes), *data = (VALUE *)q->data + start[r];
    if (!sums) return false;
    uint8_t *there = (uint8_t *)(sums + cols);
    memset(sums, 0, bytes);
    for (INDEX i = a_start[r]; i < a_start[r + 1]; i++) {
        const VALUE x = a_data[i];
        for (INDEX k = b_start[a[i]]; k < b_start[a[i] + 1]; k++) {
            ADD_PRODUCT(sums[b[k]], x, b_data[k]);
            there[b[k]] = 1;
        }
    }
    INDEX *index = (INDEX *)q->index + start[r];
    const INDEX count = start[r + 1] - start[r];
    for (INDEX n = 0, c = 0; n < count; c++) {
        index[n] = c;
        data[n] = sums[c];
        n += there[c];
    }
    return true;
}

/* Rows of a product: a column's place says which element of the result it was last seen as, which is of an earlier row,
 * or of the same. */
static bool LOOP(multiply_in_places)(const tb_sparse_pair *q, int64_t from, int64_t to)
{
    const INDEX *a_start = q->a->start, *a = q->a->index, *b_start = q->b->start, *b = q->b->index, *start = q->start;
    const VALUE *a_data = q->a_data, *b_data = q->b_data;
    INDEX *index = q->index, *place = tb__scratch((size_t)q->b->cols * sizeof *place);
    VALUE *data = q->data;
    if (!place) return false;
    memset(place, 0xff, (size_t)q->b->cols * sizeof *place);
    for (int64_t r = from; r < to; r++) {
        const INDEX begin = start[r];
        INDEX n = begin;
        for (INDEX i = a_start[r]; i < a_start[r + 1]; i++) {
            const VALUE x = a_data[i];
            for (INDEX k = b_start[a[i]], end = b_start[a[i] + 1]; k < end; k++) {
                INDEX at = place[b[k]];
                if (at < begin) {
                    place[b[k]] = at = n++;
                    index[at] = b[k];
                    memset(&data[at], 0, sizeof *data);
                }
                ADD_PRODUCT(data[at], x, b_data[k]);
            }
        }
    }
    return true;
}

/* The same, where a table says where in the row of the result an element's column is. */
static bool LOOP(multiply)(const tb_sparse_pair *q, int64_t from, int64_t to)
{
    if (q->places) return LOOP(multiply_in_places)(q, from, to);
    const INDEX *a_start = q->a->start, *a = q->a->index, *b_start = q->b->start, *b = q->b->index, *start = q->start;
    const VALUE *a_data = q->a_data, *b_data = q->b_data;
    for (int64_t r = from; r < to; r++) {
        const int64_t work = q->work(q, r);
        if (tb__sparse_is_dense(q->b->cols, work)) {
            if (!LOOP(multiply_dense)(q, r)) return false;
            continue;
        }
        const tb_sparse_table t = tb__sparse_table(q->b->cols, work, 2 * sizeof(INDEX), sizeof(INDEX));
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

/* ---- other formats ----------------------------------------------------------------------------------------------- */

/* False: a column is none of the matrix's, though they have been checked before: nothing is written beside `out`. */
static bool LOOP(dense)(const tb_sparse_dense *d, int64_t from, int64_t to)
{
    const INDEX *start = d->a.start, *index = d->a.index;
    const VALUE *data = d->data;
    for (int64_t r = from; r < to; r++) {
        VALUE *row = (VALUE *)d->out + r * d->row_step;
        for (INDEX k = start[r]; k < start[r + 1]; k++) {
            if ((uint64_t)index[k] >= (uint64_t)d->a.cols) return false;
            VALUE *place = row + index[k] * d->col_step;
            ADD(*place, data[k]);
        }
    }
    return true;
}

static __attribute__((noinline)) bool LOOP(has)(const INDEX *index, INDEX n, INDEX col)
{
    INDEX found = 0;
    for (INDEX k = 0; k < n; k++) found |= index[k] == col;
    return found;
}

static void LOOP(diagonal)(const tb_sparse_diagonal *d, int64_t from, int64_t to)
{
    const INDEX *start = d->a.start, *index = d->a.index;
    const VALUE *data = d->data;
    const int64_t first = d->k < 0 ? -d->k : 0;
    const bool long_rows = (start[first + to] - start[first + from]) / 8 >= to - from; /* are looked over at once */
    for (int64_t i = from; i < to; i++) {
        const int64_t r = first + i;
        const INDEX col = (INDEX)(r + d->k), end = start[r + 1];
        VALUE sum = {0};
        for (INDEX k = long_rows && !LOOP(has)(index + start[r], end - start[r], col) ? end : start[r]; k < end; k++)
            if (index[k] == col) ADD(sum, data[k]);
        ((VALUE *)d->out)[i] = sum;
    }
}

/* How many elements rows have that are not zero, in start[row + 1]. */
static void LOOP(count_bands)(const tb_sparse_bands *b, int64_t from, int64_t to)
{
    INDEX *start = b->start;
    for (int64_t r = from; r < to; r++) start[r + 1] = 0;
    for (int64_t d = 0; d < b->count; d++) {
        const int64_t offset = b->bands[d].offset;
        const VALUE *data = (const VALUE *)b->data + b->bands[d].line * b->length;
        const int64_t first = tb__max(from, -offset), end = tb__min(to, tb__min(b->cols, b->length) - offset);
        for (int64_t r = first; r < end; r++)
            start[r + 1] = (INDEX)(start[r + 1] + (NOT_ZERO(data[r + offset]) ? 1 : 0));
    }
}

static void LOOP(place_bands)(const tb_sparse_bands *b, int64_t from, int64_t to)
{
    const INDEX *start = b->start;
    const int64_t cols = tb__min(b->cols, b->length);
    for (int64_t r = from; r < to; r++) {
        INDEX *index = (INDEX *)b->index + start[r];
        VALUE *values = (VALUE *)b->values + start[r];
        for (int64_t d = 0; d < b->count; d++) {
            const int64_t col = r + b->bands[d].offset;
            if (col < 0) continue;
            if (col >= cols) break;
            const VALUE x = ((const VALUE *)b->data)[b->bands[d].line * b->length + col];
            if (!NOT_ZERO(x)) continue;
            *index++ = (INDEX)col;
            *values++ = x;
        }
    }
}

static void LOOP(block_diagonal)(const tb_sparse_form *f, int64_t from, int64_t to)
{
    const INDEX *start = f->a.start, *index = f->a.index;
    VALUE *out = f->out;
    for (int64_t r = from; r < to; r++)
        for (INDEX k = start[r]; k < start[r + 1]; k++) {
            /* Its element in row i of the block is in column i + shift of it. */
            const int64_t shift = r * f->high + f->k - index[k] * f->wide;
            const int64_t first = tb__max(0, -shift), end = tb__min(f->high, f->wide - shift);
            const VALUE *block = (const VALUE *)f->data + k * f->high * f->wide;
            for (int64_t i = first; i < end; i++)
                ADD(out[r * f->high + i + tb__min(f->k, 0)], block[i * f->wide + i + shift]);
        }
}

const tb_product_loops LOOP(tb__product_loops) = {
    LOOP(multiply), LOOP(dense), LOOP(diagonal), LOOP(count_bands), LOOP(place_bands), LOOP(block_diagonal),
};
