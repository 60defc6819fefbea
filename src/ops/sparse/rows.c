/* rows.c - products of two sparse matrices by a backend's kernels for rows (backend/sparse.h), one step after the
 * other on the current stream. */
#include "backend/retry.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/calc.h"
#include "ops/sparse/sparse.h"
#include "ops/sparse/steps.h"

typedef struct factors {
    const tb_pattern *a, *b;
    tb_array *a_data, *b_data; /* of one dtype */
} factors;

/* All that a step reads, in memory while it is enqueued. */
typedef struct held {
    tb_held a, b;
    tb_array *stored[4];
    int n;
} held;

static void drop(held *h)
{
    while (h->n > 0) tb_array_release(h->stored[--h->n]);
    tb__pattern_drop(&h->b);
    tb__pattern_drop(&h->a);
}

static tb_status hold(const factors *f, held *h, tb_sparse_rows *x)
{
    static const char who[] = "tb_sparse_multiply";
    h->n = 0;
    TB_TRY(tb__pattern_hold(who, f->a, &h->a));
    const tb_status status = tb__pattern_hold(who, f->b, &h->b);
    if (status != TB_OK) {
        tb__pattern_drop(&h->a);
        return status;
    }
    *x = (tb_sparse_rows){.a = h->a.p, .b = h->b.p, .dtype = (tb_dtype)f->a_data->dtype};
    return TB_OK;
}

static tb_status keep(held *h, tb_array *a, const void **at)
{
    TB_TRY(tb__stored(a, (tb_dtype)a->dtype, &h->stored[h->n]));
    *at = tb__vector_at(h->stored[h->n++]);
    return TB_OK;
}

static tb_status run(const tb_sparse_rows *x)
{
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    return tb__backend->sparse_rows(s, x);
}

static tb_status new_vector(tb_dtype t, int64_t n, tb_array **out)
{
    TB_TRY(tb__empty(t, 1, &n, 'C', out));
    const tb_status status = tb__before_write((*out)->buffer);
    if (status != TB_OK) tb_array_release(*out);
    return status;
}

/* bound NULL: the bounds; else the counts. */
static tb_status find(const factors *f, tb_array *bound, int64_t most, tb_array **out)
{
    held h;
    tb_sparse_rows x;
    tb_array *made = NULL;
    TB_TRY(hold(f, &h, &x));
    x.most = most;
    tb_status status = bound ? keep(&h, bound, (const void **)&x.bound) : TB_OK;
    if (status == TB_OK) status = new_vector(bound ? (tb_dtype)f->a->index->dtype : TB_I32, f->a->rows, &made);
    if (status == TB_OK) {
        x.out = tb__vector_at(made);
        status = run(&x);
        if (status == TB_OK) *out = made;
        else tb_array_release(made);
    }
    drop(&h);
    return status;
}

static tb_status fill(const factors *f, tb_array *bound, int64_t most, tb_array *start, tb_array *index, tb_array *data)
{
    held h;
    tb_sparse_rows x;
    TB_TRY(hold(f, &h, &x));
    x.most = most;
    x.out = tb__vector_at(index);
    x.data = tb__vector_at(data);
    tb_status status = keep(&h, bound, (const void **)&x.bound);
    if (status == TB_OK) status = keep(&h, start, &x.start);
    if (status == TB_OK) status = keep(&h, f->a_data, &x.a_data);
    if (status == TB_OK) status = keep(&h, f->b_data, &x.b_data);
    if (status == TB_OK) status = run(&x);
    drop(&h);
    return status;
}

static void multiply(tb_calc *c, const factors *f, tb_array *bound, int64_t most, tb_pattern *out, tb_array **data)
{
    const tb_dtype t = (tb_dtype)f->a->index->dtype;
    tb_array *counts = NULL, *index = NULL, *values = NULL;
    counts = tb__calc_keep(c, TB__OPERATION(find(f, bound, most, &counts)), &counts);
    tb_array *sums = tb__calc_running_sum(c, counts), *start = tb__calc_cast(c, sums, t);
    const int64_t n = tb__calc_item(c, sums, f->a->rows);
    if (c->status == TB_OK && t == TB_I32 && n > INT32_MAX)
        c->status = tb__fail(TB_ERR_OVERFLOW, "a sparse matrix with more than 2^31 - 1 elements needs int64 indices");
    if (c->status == TB_OK) index = tb__calc_keep(c, TB__OPERATION(new_vector(t, n, &index)), &index);
    if (c->status == TB_OK)
        values = tb__calc_keep(c, TB__OPERATION(new_vector((tb_dtype)f->a_data->dtype, n, &values)), &values);
    if (c->status == TB_OK && n > 0) c->status = TB__OPERATION(fill(f, bound, most, start, index, values));
    if (c->status != TB_OK) return;
    *out = (tb_pattern){f->a->rows, f->b->cols, tb_array_retain(start), tb_array_retain(index)};
    *data = tb_array_retain(values);
}

tb_status tb__rows_multiply(const tb_pattern *a, tb_array *a_data, const tb_pattern *b, tb_array *b_data,
                            tb_pattern *out, tb_array **data)
{
    const factors f = {a, b, a_data, b_data};
    tb_calc c = {.status = TB_OK};
    tb_array *bound = NULL;
    *data = NULL;
    if (!tb__backend->sparse_rows || a->rows == 0 || b->cols >= UINT32_MAX) return TB_OK;
    bound = tb__calc_keep(&c, TB__OPERATION(find(&f, NULL, 0, &bound)), &bound);
    const int64_t most = c.status == TB_OK ? tb__calc_reduce(&c, TB_RED_MAX, bound) : 0;
    if (c.status == TB_OK && most <= TB_SPARSE_BOUND) multiply(&c, &f, bound, most, out, data);
    return tb__calc_end(&c);
}
