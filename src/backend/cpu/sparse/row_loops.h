/* row_loops.h - products of sparse matrices with rows of dense arrays, for rows `from` up to `to`. Included by
 * row_loops.c for each dtype and width of indices, in the words of product_loops.h. */

static void LOOP(by_vector)(const tb_sparse_product *p, int64_t from, int64_t to, void *out_)
{
    const INDEX *start = p->a.start, *index = p->a.index;
    const VALUE *data = p->data, *x = p->x;
    VALUE *out = out_;
    int64_t k = start[from]; /* of 64 bits: it would be made such for each address */
    for (int64_t r = from; r < to; r++) {
        VALUE sum = {0};
        for (const int64_t end = start[r + 1]; k < end; k++) ADD_PRODUCT(sum, data[k], x[index[k]]);
        out[r] = sum;
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
    int64_t k = start[from];
    for (int64_t r = from; r < to && p->width == 1; r++) {
        const VALUE value = x[r];
        for (const int64_t end = start[r + 1]; k < end; k++) ADD_PRODUCT(out[index[k]], data[k], value);
    }
    for (int64_t r = from; r < to && p->width > 1; r++)
        for (const int64_t end = start[r + 1]; k < end; k++)
            LOOP(add_row)(p->width, data[k], x + r * p->width, out + index[k] * p->width);
}

static void LOOP(sum)(int64_t n, const void *more_, void *sum_)
{
    const VALUE *restrict more = more_;
    VALUE *restrict sum = sum_;
    for (int64_t i = 0; i < n; i++) ADD(sum[i], more[i]);
}

static void LOOP(add_products)(int64_t n, const VALUE *restrict x, const VALUE *restrict y, VALUE *restrict sum)
{
    for (int64_t i = 0; i < n; i++) ADD_PRODUCT(sum[i], x[i], y[i]);
}

static void LOOP(by_bands)(const tb_sparse_form *f, int64_t from, int64_t to)
{
    const tb_sparse_bands *b = f->bands;
    const VALUE *x = f->x;
    VALUE *out = f->out;
    memset(out + from * f->width, 0, (size_t)((to - from) * f->width) * sizeof *out);
    for (int64_t d = 0; d < b->count; d++) {
        const int64_t offset = b->bands[d].offset;
        const int64_t first = tb__max(from + offset, 0), end = tb__min(to + offset, tb__min(b->cols, b->length));
        const VALUE *data = (const VALUE *)b->data + b->bands[d].line * b->length;
        if (f->width == 1) LOOP(add_products)(end - first, data + first, x + first, out + first - offset);
        for (int64_t c = first; f->width > 1 && c < end; c++)
            LOOP(add_row)(f->width, data[c], x + c * f->width, out + (c - offset) * f->width);
    }
}

static void LOOP(by_blocks)(const tb_sparse_form *f, int64_t from, int64_t to)
{
    const INDEX *start = f->a.start, *index = f->a.index;
    const VALUE *x = f->x;
    VALUE *out = f->out;
    const int64_t high = f->high, wide = f->wide, width = f->width;
    memset(out + from * high * width, 0, (size_t)((to - from) * high * width) * sizeof *out);
    for (int64_t r = from; r < to; r++)
        for (INDEX k = start[r]; k < start[r + 1]; k++) {
            const VALUE *block = (const VALUE *)f->data + k * high * wide, *at = x + index[k] * wide * width;
            for (int64_t i = 0; i < high; i++, block += wide) {
                VALUE *to_row = out + (r * high + i) * width, sum = *to_row;
                for (int64_t c = 0; width == 1 && c < wide; c++) ADD_PRODUCT(sum, block[c], at[c]);
                if (width == 1) *to_row = sum;
                for (int64_t c = 0; width > 1 && c < wide; c++) LOOP(add_row)(width, block[c], at + c * width, to_row);
            }
        }
}

static const tb_row_loops LOOP(row_loops) = {
    LOOP(by_vector), LOOP(by_matrix), LOOP(transposed), LOOP(sum), LOOP(by_bands), LOOP(by_blocks),
};
