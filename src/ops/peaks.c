/* peaks.c - peaks of vectors, which of them are apart, and their shapes, where the device is the host. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/lock.h"
#include "base/waits.h"
#include "ops/sparse/calc.h"

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static tb_status here(const char *who)
{
    if (!tb__backend->peaks) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: the device is not the host", who);
    TB_TRY(tb__may_wait("the peaks"));
    return tb_host_func_pending() ? tb__wait_unlocked(NULL, true) : TB_OK;
}

static tb_status check_signal(const char *who, const tb_array *x)
{
    if (x->ndim != 1) return tb__fail(TB_ERR_VALUE, "%s: `x` must be a 1-D array, it has %d dimensions", who, x->ndim);
    if (tb__is_record(x->dtype) || tb_dtype_kind((tb_dtype)x->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "%s: `x` must have real numbers, not %s", who, tb_dtype_name((tb_dtype)x->dtype));
    return TB_OK;
}

/* Positions, or numbers of peaks. */
static tb_status check_positions(const char *who, const char *name, const tb_array *a)
{
    if (a->ndim != 1)
        return tb__fail(TB_ERR_VALUE, "%s: `%s` must be a 1-D array, it has %d dimensions", who, name, a->ndim);
    if (!tb_can_cast((tb_dtype)a->dtype, TB_I64, TB_CAST_SAFE))
        return tb__fail(TB_ERR_TYPE, "%s: `%s` must be integers, not %s", who, name, tb_dtype_name((tb_dtype)a->dtype));
    return TB_OK;
}

/* ---- vectors in memory ------------------------------------------------------------------------------------------- */

static tb_array *stored(tb_calc *c, tb_array *a, tb_dtype t)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    return tb__calc_keep(c, tb__stored(a, t, &result), &result);
}

static tb_array *new_vector(tb_calc *c, tb_dtype t, int64_t n)
{
    tb_array *result = NULL;
    if (c->status != TB_OK || !tb__calc_keep(c, tb__empty(t, 1, &n, 'C', &result), &result)) return NULL;
    c->status = tb__before_write(result->buffer);
    return c->status == TB_OK ? result : NULL;
}

static void *memory(const tb_array *a) { return a ? tb__vector_at(a) : NULL; }

static void run(tb_calc *c, tb_peaks *p)
{
    tb_stream *s;
    if (c->status == TB_OK) c->status = tb__current_stream(&s);
    if (c->status == TB_OK) c->status = tb__backend->peaks(s, p);
}

/* Ends a calculation, whose results these are. */
static tb_status deliver(tb_calc *c, int n, tb_array *const *results, tb_array **out)
{
    for (int i = 0; i < n && c->status == TB_OK; i++) out[i] = tb_array_retain(results[i]);
    return tb__calc_end(c);
}

/* ---- where they are ---------------------------------------------------------------------------------------------- */

/* out: the middles, and where edges are wanted those on the left and on the right. */
static tb_status find(tb_array *given, bool edges, tb_array **out)
{
    tb_calc c = {.status = TB_OK};
    const int64_t n = given->size, words = tb__ceil_div(n, 64);
    const int results = edges ? 3 : 1;
    tb_array *x = stored(&c, given, TB_F64), *bits = new_vector(&c, TB_U64, 2 * words), *found[3] = {NULL};
    tb_peaks p = {.work = TB_PEAKS_MARK, .x = memory(x), .n = n, .rises = memory(bits)};
    if (bits) p.ends = p.rises + words;
    if (n > 0) run(&c, &p);
    p.work = TB_PEAKS_LIST;
    if (n > 0) run(&c, &p);
    for (int i = 0; i < results; i++) found[i] = new_vector(&c, TB_I64, p.count);
    p.at = memory(found[0]);
    p.left = memory(found[1]);
    p.right = memory(found[2]);
    if (p.count > 0) run(&c, &p);
    return deliver(&c, results, found, out);
}

tb_status tb_peaks_find(tb_array *x, tb_array **middles, tb_array **left, tb_array **right)
{
    tb_array *found[3];
    TB_NOT_NULL(x, middles);
    if (!left != !right) return tb__fail_null(__func__, left ? "right" : "left");
    TB_TRY(check_signal("peaks_find", x));
    TB_TRY(here("peaks_find"));
    TB_TRY(TB__OPERATION(find(x, left != NULL, found)));
    *middles = found[0];
    if (left) *left = found[1];
    if (right) *right = found[2];
    return TB_OK;
}

/* ---- which of them are apart ------------------------------------------------------------------------------------- */

static tb_status check_order(const tb_array *order)
{
    const int64_t *at = memory(order), n = order->size;
    for (int64_t i = 0; i < n; i++)
        if (at[i] < 0 || at[i] >= n)
            return tb__fail(TB_ERR_VALUE, "peaks_apart: there is no peak %lld for `by`", (long long)at[i]);
    return TB_OK;
}

static tb_status apart(tb_array *peaks, tb_array *order, int64_t distance, tb_array **out)
{
    tb_calc c = {.status = TB_OK};
    tb_array *at = stored(&c, peaks, TB_I64), *by = stored(&c, order, TB_I64);
    if (c.status == TB_OK) c.status = check_order(by);
    tb_array *flags = new_vector(&c, TB_BOOL, peaks->size);
    tb_peaks p = {.work = TB_PEAKS_THIN,
                  .count = peaks->size,
                  .peak = memory(at),
                  .order = memory(by),
                  .reach = distance,
                  .flags = memory(flags)};
    if (p.count > 0) run(&c, &p);
    return deliver(&c, 1, &flags, out);
}

tb_status tb_peaks_apart(tb_array *peaks, tb_array *by, int64_t distance, tb_array **out)
{
    TB_NOT_NULL(peaks, by, out);
    TB_TRY(check_positions("peaks_apart", "peaks", peaks));
    TB_TRY(check_positions("peaks_apart", "by", by));
    if (peaks->size != by->size)
        return tb__fail(TB_ERR_VALUE, "peaks_apart: %lld peaks are in an order of %lld", (long long)peaks->size,
                        (long long)by->size);
    TB_TRY(here("peaks_apart"));
    return TB__OPERATION(apart(peaks, by, distance, out));
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

typedef struct request {
    const char *who;
    tb_array *x, *peaks;
    int64_t window;
    bool widths;
    double part;
    tb_array *data[3]; /* prominences and bases; NULL: they are to be found */
} request;

static tb_status check_peaks(const request *q, const tb_peaks *p)
{
    for (int64_t k = 0; k < p->count; k++)
        if (p->peak[k] < 0 || p->peak[k] >= p->n)
            return tb__fail(TB_ERR_VALUE, "%s: peak %lld is not a valid index for `x`", q->who, (long long)p->peak[k]);
    return TB_OK;
}

static tb_status check_bases(const request *q, const tb_peaks *p)
{
    for (int64_t k = 0; k < p->count; k++) {
        const int64_t at = p->peak[k], left = p->left_base[k], right = p->right_base[k];
        if (left < 0 || left > at || right < at || right >= p->n)
            return tb__fail(TB_ERR_VALUE, "%s: prominence data is invalid: bases must be around their peaks", q->who);
    }
    return TB_OK;
}

static void find_prominences(tb_calc *c, tb_peaks *p, tb_array **found)
{
    for (int i = 0; i < 3; i++) found[i] = new_vector(c, i ? TB_I64 : TB_F64, p->count);
    p->work = TB_PEAKS_PROMINENCES;
    p->values[0] = memory(found[0]);
    p->left = memory(found[1]);
    p->right = memory(found[2]);
    if (p->count > 0) run(c, p);
}

static void find_widths(tb_calc *c, const request *q, tb_peaks *p, tb_array **found)
{
    tb_array *data[3];
    for (int i = 0; i < 3 && q->data[0]; i++) data[i] = stored(c, q->data[i], i ? TB_I64 : TB_F64);
    if (!q->data[0]) find_prominences(c, p, data);
    p->work = TB_PEAKS_WIDTHS;
    p->part = q->part;
    p->prominence = memory(data[0]);
    p->left_base = memory(data[1]);
    p->right_base = memory(data[2]);
    if (c->status == TB_OK && q->data[0]) c->status = check_bases(q, p);
    for (int i = 0; i < 4; i++) {
        found[i] = new_vector(c, TB_F64, p->count);
        p->values[i] = memory(found[i]);
    }
    if (p->count > 0) run(c, p);
}

static tb_status shapes(const request *q, tb_array **out, bool *flat)
{
    tb_calc c = {.status = TB_OK};
    tb_array *x = stored(&c, q->x, TB_F64), *peaks = stored(&c, q->peaks, TB_I64), *found[4];
    const int64_t n = q->x->size;
    tb_peaks p = {.x = memory(x),
                  .n = n,
                  .count = q->peaks->size,
                  .peak = memory(peaks),
                  .reach = q->window ? tb__min(q->window / 2, n) : n};
    if (c.status == TB_OK) c.status = check_peaks(q, &p);
    if (q->widths) find_widths(&c, q, &p, found);
    else find_prominences(&c, &p, found);
    if (c.status == TB_OK && flat) *flat = p.flat;
    return deliver(&c, q->widths ? 4 : 3, found, out);
}

static tb_status check_shapes(const request *q)
{
    TB_TRY(check_signal(q->who, q->x));
    TB_TRY(check_positions(q->who, "peaks", q->peaks));
    if (q->window < 0 || q->window == 1)
        return tb__fail(TB_ERR_VALUE, "%s: a window has 2 elements at least, or 0 for all of them", q->who);
    if (q->part < 0) return tb__fail(TB_ERR_VALUE, "%s: `rel_height` must be greater or equal to 0.0", q->who);
    for (int i = 0; i < 3 && q->data[0]; i++) {
        TB_ARE_NUMBERS(q->who, q->data[i]->dtype);
        if (q->data[i]->ndim != 1 || q->data[i]->size != q->peaks->size)
            return tb__fail(TB_ERR_VALUE, "%s: arrays in `prominence_data` must have the same shape as `peaks`",
                            q->who);
    }
    return here(q->who);
}

tb_status tb_peak_prominences(tb_array *x, tb_array *peaks, int64_t window, tb_array **out, bool *flat)
{
    TB_NOT_NULL(x, peaks, out);
    const request q = {.who = "peak_prominences", .x = x, .peaks = peaks, .window = window};
    TB_TRY(check_shapes(&q));
    return TB__OPERATION(shapes(&q, out, flat));
}

tb_status tb_peak_widths(tb_array *x, tb_array *peaks, double rel_height, int64_t window, tb_array *prominences,
                         tb_array *left_bases, tb_array *right_bases, tb_array **out, bool *flat)
{
    TB_NOT_NULL(x, peaks, out);
    TB_NOT_RELEASED(prominences);
    TB_NOT_RELEASED(left_bases);
    TB_NOT_RELEASED(right_bases);
    if (!prominences != !left_bases || !prominences != !right_bases)
        return tb__fail_null(__func__, !prominences ? "prominences" : !left_bases ? "left_bases" : "right_bases");
    const request q = {.who = "peak_widths",
                       .x = x,
                       .peaks = peaks,
                       .window = window,
                       .widths = true,
                       .part = rel_height,
                       .data = {prominences, left_bases, right_bases}};
    TB_TRY(check_shapes(&q));
    return TB__OPERATION(shapes(&q, out, flat));
}
