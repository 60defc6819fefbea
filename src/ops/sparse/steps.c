/* steps.c - patterns by kernels of a device's (backend/sparse.h), one after the other on the current stream. */
#include "ops/sparse/steps.h"

#include "backend/retry.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/calc.h"
#include "ops/sparse/sparse.h"

static tb_status run(const tb_sparse_step *x)
{
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    return tb__backend->sparse_step(s, x);
}

/* One new vector of n indices, which the step writes. */
static tb_status run_into(tb_sparse_step *x, int64_t n, tb_array **out)
{
    tb_array *result;
    TB_TRY(tb__index_vector(x->a.wide, n, &result));
    x->out[0] = tb__vector_at(result);
    const tb_status status = n > 0 ? run(x) : TB_OK;
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static tb_status rows(const tb_pattern *p, tb_array **row)
{
    tb_held h;
    TB_TRY(tb__pattern_hold("tb_pattern_rows", p, &h));
    tb_sparse_step x = {.kind = TB_SPARSE_ROWS, .a = h.p, .n = h.n};
    const tb_status status = run_into(&x, h.n, row);
    tb__pattern_drop(&h);
    return status;
}

tb_status tb__steps_rows(const tb_pattern *p, tb_array **row) { return TB__OPERATION(rows(p, row)); }

static tb_status packed(const tb_pattern *p, tb_array *bits, tb_array **out)
{
    tb_held h;
    tb_array *low = NULL, *words = NULL;
    TB_TRY(tb__pattern_hold("tb_pattern_rows", p, &h));
    tb_status status = bits ? tb__stored(bits, TB_U32, &low) : TB_OK;
    if (status == TB_OK) status = tb__empty(TB_U64, 1, &h.n, 'C', &words);
    if (status == TB_OK) status = tb__before_write(words->buffer);
    if (status == TB_OK) {
        const tb_sparse_step x = {.kind = TB_SPARSE_ROWS,
                                  .a = h.p,
                                  .n = h.n,
                                  .place = low ? tb__vector_at(low) : NULL,
                                  .any = true,
                                  .out = {tb__vector_at(words)}};
        status = run(&x);
    }
    tb_array_release(low);
    tb__pattern_drop(&h);
    if (status == TB_OK) *out = words;
    else tb_array_release(words);
    return status;
}

tb_status tb__steps_packed(const tb_pattern *p, tb_array *bits, tb_array **words)
{
    return TB__OPERATION(packed(p, bits, words));
}

static tb_status starts(tb_array *sorted, int64_t lines, tb_array **start)
{
    tb_array *row;
    TB_TRY(tb__stored(sorted, (tb_dtype)sorted->dtype, &row));
    const bool wide = sorted->dtype == TB_I64;
    tb_sparse_step x = {.kind = TB_SPARSE_STARTS, .a = {lines, 0, wide, NULL, tb__vector_at(row)}, .n = row->size};
    const tb_status status = run_into(&x, lines + 1, start);
    tb_array_release(row);
    return status;
}

tb_status tb__steps_starts(tb_array *sorted, int64_t lines, tb_array **start)
{
    return TB__OPERATION(starts(sorted, lines, start));
}

/* ---- checking ---------------------------------------------------------------------------------------------------- */

/* A word of what is not so. */
static tb_status find_fails(tb_sparse_step *x, tb_array **out)
{
    tb_array *word;
    x->kind = TB_SPARSE_CHECK;
    TB_TRY(tb__full(TB_U32, 0, NULL, 'C', tb_scalar_int(0), &word));
    tb_status status = tb__buffer_eval(word->buffer);
    x->out[0] = status == TB_OK ? tb__vector_at(word) : NULL;
    if (status == TB_OK) status = run(x);
    if (status == TB_OK) *out = word;
    else tb_array_release(word);
    return status;
}

static tb_status check(const tb_pattern *p, tb_array **fails)
{
    tb_held h;
    TB_TRY(tb__pattern_hold("tb_pattern_check", p, &h));
    tb_sparse_step x = {.a = h.p, .n = h.n};
    const tb_status status = find_fails(&x, fails);
    tb__pattern_drop(&h);
    return status;
}

static tb_status fetch(tb_array *fails, int *found)
{
    uint32_t is_not = 0;
    const tb_status status = tb_array_get(fails, &is_not, NULL, NULL, true);
    tb_array_release(fails);
    *found = 0;
    if (status != TB_OK || is_not & TB_SPARSE_VALID) return status;
    *found = TB_SPARSE_VALID | (~is_not & TB_SPARSE_SORTED);
    if (*found & TB_SPARSE_SORTED) *found |= ~is_not & TB_SPARSE_UNIQUE;
    return TB_OK;
}

tb_status tb__steps_check(const tb_pattern *p, int *found)
{
    tb_array *fails;
    TB_TRY(TB__OPERATION(check(p, &fails)));
    return fetch(fails, found);
}

static tb_status check_order(tb_array *row, tb_array *col, int64_t nrows, int64_t ncols, tb_array **fails)
{
    tb_array *r, *c = NULL;
    TB_TRY(tb__stored(row, (tb_dtype)row->dtype, &r));
    tb_status status = tb__stored(col, (tb_dtype)col->dtype, &c);
    if (status == TB_OK) {
        tb_sparse_step x = {.a = {nrows, ncols, row->dtype == TB_I64, NULL, tb__vector_at(c)},
                            .n = col->size,
                            .place = tb__vector_at(r)};
        status = find_fails(&x, fails);
        tb_array_release(c);
    }
    tb_array_release(r);
    return status;
}

tb_status tb__steps_order(tb_array *row, tb_array *col, int64_t nrows, int64_t ncols, int *found)
{
    tb_array *fails;
    *found = TB_PATTERN_SORTED | TB_PATTERN_UNIQUE | TB_PATTERN_VALID;
    if (row->size == 0) return TB_OK;
    TB_TRY(TB__OPERATION(check_order(row, col, nrows, ncols, &fails)));
    return fetch(fails, found);
}

/* ---- two patterns ------------------------------------------------------------------------------------------------ */

static tb_status hold_both(const tb_pattern *a, const tb_pattern *b, tb_held *x, tb_held *y)
{
    TB_TRY(tb__pattern_hold("tb_pattern_match", a, x));
    const tb_status status = tb__pattern_hold("tb_pattern_match", b, y);
    if (status != TB_OK) tb__pattern_drop(x);
    return status;
}

static tb_status pair(const tb_pattern *a, const tb_pattern *b, tb_array **place)
{
    tb_held x, y;
    TB_TRY(hold_both(a, b, &x, &y));
    tb_sparse_step q = {.kind = TB_SPARSE_PAIR, .a = x.p, .b = y.p, .n = x.n, .nb = y.n};
    const tb_status status = run_into(&q, x.n, place);
    tb__pattern_drop(&x);
    tb__pattern_drop(&y);
    return status;
}

/* start, index, and the numbers in a and b, of n elements. */
static tb_status run_merge(tb_sparse_step *q, int64_t n, tb_array **made)
{
    for (int i = 0; i < 4; i++) {
        TB_TRY(tb__index_vector(q->a.wide, i == 0 ? q->a.rows + 1 : n, &made[i]));
        q->out[i] = tb__vector_at(made[i]);
    }
    return run(q);
}

static tb_status merge(const tb_pattern *a, const tb_pattern *b, bool any, tb_array *place, tb_array *both, int64_t n,
                       tb_array **made)
{
    tb_held x, y;
    tb_array *sums, *new[4] = {NULL, NULL, NULL, NULL};
    TB_TRY(hold_both(a, b, &x, &y));
    tb_status status = tb__stored(both, (tb_dtype)place->dtype, &sums);
    if (status == TB_OK) {
        tb_sparse_step q = {.kind = TB_SPARSE_MERGE,
                            .a = x.p,
                            .b = y.p,
                            .n = x.n,
                            .nb = y.n,
                            .any = any,
                            .place = tb__vector_at(place),
                            .both = tb__vector_at(sums)};
        status = run_merge(&q, n, new);
        tb_array_release(sums);
    }
    tb__pattern_drop(&x);
    tb__pattern_drop(&y);
    for (int i = 0; i < 4; i++)
        if (status == TB_OK) made[i] = new[i];
        else tb_array_release(new[i]);
    return status;
}

static tb_status match(tb_calc *c, const tb_pattern *a, const tb_pattern *b, bool any, tb_array **made)
{
    tb_array *place = NULL, *both = NULL;
    const tb_dtype t = (tb_dtype)a->index->dtype;
    const int64_t na = a->index->size, nb = b->index->size;
    place = tb__calc_keep(c, TB__OPERATION(pair(a, b, &place)), &place);
    tb_array *found = tb__calc_with(c, "less", place, 0);
    if (c->status == TB_OK) both = tb__calc_keep(c, tb_scan(TB_RED_SUM, found, 0, t, &both), &both);
    const int64_t common = na > 0 ? tb__calc_item(c, both, na - 1) : 0, n = any ? na + nb - common : common;
    TB_TRY(c->status);
    if (t == TB_I32 && n > INT32_MAX)
        return tb__fail(TB_ERR_OVERFLOW, "a sparse matrix with more than 2^31 - 1 elements needs int64 indices");
    return TB__OPERATION(merge(a, b, any, place, both, n, made));
}

tb_status tb__steps_match(const tb_pattern *a, const tb_pattern *b, bool any, tb_pattern *out, tb_array **from_a,
                          tb_array **from_b)
{
    tb_calc c = {.status = TB_OK};
    tb_array *made[4] = {NULL};
    c.status = match(&c, a, b, any, made);
    TB_TRY(tb__calc_end(&c));
    *out = (tb_pattern){a->rows, a->cols, made[0], made[1]};
    *from_a = made[2];
    *from_b = made[3];
    return TB_OK;
}
