/* tree.c - trees of boxes over points, and neighbours in them, by the backend's steps (backend/tree.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/calc.h"

enum { LEAF = 8, AXES = 32, KEY_BITS = 62 }; /* as in kernels/tree.h */

static void *at_of(const tb_array *a) { return a ? a->buffer->ptr + a->offset : NULL; }

static tb_status run(tb_tree_step *x)
{
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    tb__count.launches += tb__backend->on_host; /* a GPU's are counted where they are made */
    return tb__backend->tree(s, x);
}

static tb_status new_array(tb_dtype t, int ndim, const int64_t *shape, tb_array **out)
{
    TB_TRY(tb__empty(t, ndim, shape, 'C', out));
    const tb_status status = tb__before_write((*out)->buffer);
    if (status != TB_OK) {
        tb_array_release(*out);
        *out = NULL;
    }
    return status;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* The bits of a key for each axis: some more than it takes to tell so many points apart. */
static int key_bits(int64_t n, int axes)
{
    enum { MORE = 6, MOST = 31 };
    int all = 1;
    while ((n - 1) >> all) all++;
    const int enough = axes == 1 ? all : (int)tb__ceil_div(all, axes) + MORE;
    return tb__min(tb__min(all, enough), tb__min(KEY_BITS / axes, MOST));
}

static tb_status find_keys(tb_array *points, tb_array *columns, int axes, tb_array **out)
{
    tb_array *keys;
    const int64_t n = points->dims[0];
    TB_TRY(new_array(TB_I64, 1, &n, &keys));
    tb_tree_step x = {.kind = TB_TREE_KEYS,
                      .n = n,
                      .dims = points->dims[1],
                      .points = at_of(points),
                      .columns = at_of(columns),
                      .ranks = columns->dims[1],
                      .bits = key_bits(n, axes),
                      .keys = at_of(keys)};
    const tb_status status = run(&x);
    if (status == TB_OK) *out = keys;
    else tb_array_release(keys);
    return status;
}

static int64_t leaves_of(int64_t n)
{
    int64_t leaves = 1;
    while (leaves * LEAF < n) leaves *= 2;
    return leaves;
}

static tb_status pack(tb_array *points, tb_array *order, tb_array **packed, tb_array **boxes)
{
    const int64_t n = points->dims[0], dims = points->dims[1], leaves = leaves_of(n);
    tb_array *new_points, *new_boxes;
    TB_TRY(new_array(TB_F64, 2, points->dims, &new_points));
    tb_status status = new_array(TB_F64, 3, (int64_t[]){2 * leaves, 2, dims}, &new_boxes);
    if (status == TB_OK) {
        tb_tree_step x = {.kind = TB_TREE_PACK,
                          .n = n,
                          .dims = dims,
                          .leaves = leaves,
                          .points = at_of(points),
                          .order = at_of(order),
                          .packed = at_of(new_points),
                          .boxes = at_of(new_boxes)};
        status = dims > 0 ? run(&x) : TB_OK;
        if (status != TB_OK) tb_array_release(new_boxes);
    }
    if (status != TB_OK) {
        tb_array_release(new_points);
        return status;
    }
    *packed = new_points;
    *boxes = new_boxes;
    return TB_OK;
}

/* Coordinates of as many points as keys tell apart, axis by axis. */
static tb_status sample(tb_array *points, int axes, tb_array **out)
{
    const int64_t n = points->dims[0], count = tb__min(n, (int64_t)1 << key_bits(n, axes));
    const int64_t strides[] = {points->strides[1], n / count * points->strides[0]};
    return tb__view(points, points->offset, TB_F64, 2, (int64_t[]){points->dims[1], count}, strides, out);
}

static tb_status find_halves(tb_array *points, tb_array **out)
{
    tb_array *order;
    const int64_t n = points->dims[0];
    TB_TRY(new_array(TB_I64, 1, &n, &order));
    tb_tree_step x = {.kind = TB_TREE_ORDER,
                      .n = n,
                      .dims = points->dims[1],
                      .leaves = leaves_of(n),
                      .points = at_of(points),
                      .index = at_of(order)};
    const tb_status status = run(&x);
    if (status == TB_OK) *out = order;
    else tb_array_release(order);
    return status;
}

/* The numbers of the points as a curve passes them, or on the host by halves. */
static tb_array *order_of(tb_calc *c, tb_array *points)
{
    tb_array *view = NULL, *sorted = NULL, *columns = NULL, *keys = NULL, *halves = NULL;
    const int64_t n = points->dims[0];
    const int axes = (int)tb__min(points->dims[1], AXES);
    if (n == 0 || axes == 0) return tb__calc_count(c, n);
    if (tb__backend->on_host) return tb__calc_keep(c, TB__OPERATION(find_halves(points, &halves)), &halves);
    view = tb__calc_keep(c, TB__OPERATION(sample(points, axes, &view)), &view);
    if (c->status == TB_OK) sorted = tb__calc_keep(c, tb_sort(view, 1, &sorted), &sorted);
    if (c->status == TB_OK) columns = tb__calc_keep(c, TB__OPERATION(tb__stored(sorted, TB_F64, &columns)), &columns);
    if (c->status == TB_OK) keys = tb__calc_keep(c, TB__OPERATION(find_keys(points, columns, axes, &keys)), &keys);
    return c->status == TB_OK ? tb__calc_order(c, keys, (int64_t)1 << key_bits(n, axes) * axes) : NULL;
}

static tb_status check_points(const char *function, const char *name, const tb_array *a)
{
    TB_ARE_NUMBERS(function, a->dtype);
    if (tb_dtype_kind((tb_dtype)a->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "%s: %s must be real, not %s", function, name, tb_dtype_name((tb_dtype)a->dtype));
    if (a->ndim != 2)
        return tb__fail(TB_ERR_VALUE, "%s: %s must have two dimensions, it has %d", function, name, a->ndim);
    return TB_OK;
}

tb_status tb_tree_make(tb_array *points, tb_tree *out)
{
    TB_NOT_NULL(points, out);
    TB_TRY(check_points("tree_make", "points", points));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    tb_calc c = {.status = TB_OK};
    tb_tree made = {NULL, NULL, NULL};
    tb_array *stored = NULL;
    stored = tb__calc_keep(&c, TB__OPERATION(tb__stored(points, TB_F64, &stored)), &stored);
    tb_array *order = c.status == TB_OK ? order_of(&c, stored) : NULL;
    tb__calc_give(&c, order, TB_NODTYPE, &made.order);
    if (c.status == TB_OK) c.status = TB__OPERATION(tb__buffer_eval(made.order->buffer));
    if (c.status == TB_OK) c.status = TB__OPERATION(pack(stored, made.order, &made.points, &made.boxes));
    const tb_status status = tb__calc_end(&c);
    if (status == TB_OK) *out = made;
    else if (made.order) tb_array_release(made.order);
    return status;
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

/* What is asked, in memory. */
typedef struct question {
    tb_array *held[8]; /* references */
    int n;
    tb_tree_step step;
} question;

static tb_status hold(question *q, tb_array *a, tb_dtype t, const void **at)
{
    *at = NULL;
    if (!a) return TB_OK;
    TB_TRY(tb__stored(a, t, &q->held[q->n]));
    *at = at_of(q->held[q->n++]);
    return TB_OK;
}

static void drop(question *q)
{
    while (q->n > 0) tb_array_release(q->held[--q->n]);
}

static tb_status ask(question *q, const tb_tree *tree, tb_array *x, tb_array *radii, tb_array *periods,
                     tb_array *starts, tb_array *visit)
{
    tb_tree_step *s = &q->step;
    s->n = tree->points->dims[0];
    s->dims = tree->points->dims[1];
    s->leaves = tree->boxes->dims[0] / 2;
    s->m = x->dims[0];
    TB_TRY(hold(q, tree->points, TB_F64, (const void **)&s->packed));
    TB_TRY(hold(q, tree->order, TB_I64, (const void **)&s->order));
    TB_TRY(hold(q, tree->boxes, TB_F64, (const void **)&s->boxes));
    TB_TRY(hold(q, x, TB_F64, (const void **)&s->x));
    TB_TRY(hold(q, radii, TB_F64, (const void **)&s->radius));
    TB_TRY(hold(q, periods, TB_F64, (const void **)&s->periods));
    TB_TRY(hold(q, starts, TB_I64, (const void **)&s->start));
    return hold(q, visit, TB_I64, (const void **)&s->visit);
}

static tb_status find_nearest(question *q, tb_array **distances, tb_array **numbers)
{
    const int64_t shape[] = {q->step.m, q->step.k};
    tb_array *d, *i;
    TB_TRY(new_array(TB_F64, 2, shape, &d));
    tb_status status = new_array(TB_I64, 2, shape, &i);
    if (status == TB_OK) {
        q->step.distance = at_of(d);
        q->step.index = at_of(i);
        if (d->size > 0) status = run(&q->step);
        if (status != TB_OK) tb_array_release(i);
    }
    if (status != TB_OK) {
        tb_array_release(d);
        return status;
    }
    *distances = d;
    *numbers = i;
    return TB_OK;
}

static tb_status nearest(const tb_tree_step *step, const tb_tree *tree, tb_array *x, tb_array *periods, tb_array *visit,
                         tb_array **distances, tb_array **numbers)
{
    question q = {.n = 0, .step = *step};
    tb_status status = ask(&q, tree, x, NULL, periods, NULL, visit);
    if (status == TB_OK) status = find_nearest(&q, distances, numbers);
    drop(&q);
    return status;
}

static tb_status find_within(question *q, int64_t n, tb_array **out)
{
    tb_array *result;
    TB_TRY(new_array(TB_I64, 1, &n, &result));
    q->step.index = at_of(result);
    const tb_status status = n > 0 ? run(&q->step) : TB_OK;
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status within(const tb_tree_step *step, int64_t n, const tb_tree *tree, tb_array *x, tb_array *radii,
                        tb_array *periods, tb_array *starts, tb_array *visit, tb_array **out)
{
    question q = {.n = 0, .step = *step};
    tb_status status = ask(&q, tree, x, radii, periods, starts, visit);
    if (status == TB_OK) status = find_within(&q, n, out);
    drop(&q);
    return status;
}

/* On the host the order in which to go through x, so that what one row has looked at is in the cache for the next;
 * NULL where that does not pay. */
static tb_array *visits(tb_calc *c, const tb_tree *tree, tb_array *x)
{
    enum { FEW = 1 << 11, SMALL = 1 << 12 };
    tb_array *stored = NULL;
    if (!tb__backend->on_host || x->dims[0] < FEW || tree->points->size < SMALL) return NULL;
    stored = tb__calc_keep(c, TB__OPERATION(tb__stored(x, TB_F64, &stored)), &stored);
    return c->status == TB_OK ? order_of(c, stored) : NULL;
}

/* ---- pairs of points of two trees -------------------------------------------------------------------------------- */

/* What the tasks of a step have found. */
typedef struct findings {
    tb_tree_found *found;
    int64_t ntask, n;
} findings;

static void free_findings(findings *f)
{
    for (int64_t i = 0; i < f->ntask; i++) {
        free(f->found[i].numbers);
        free(f->found[i].distances);
    }
    free(f->found);
}

static tb_status find_pairs(tb_tree_step *step, findings *f)
{
    f->ntask = tb__tree_tasks(step->leaves);
    f->n = 0;
    f->found = calloc((size_t)f->ntask, sizeof *f->found);
    if (!f->found) return tb__fail_memory((size_t)f->ntask * sizeof *f->found, 0, 0, 0);
    step->found = f->found;
    const tb_status status = step->n > 0 && step->dims > 0 ? run(step) : TB_OK;
    for (int64_t i = 0; i < f->ntask; i++) f->n += f->found[i].n;
    if (status != TB_OK) free_findings(f);
    return status;
}

static tb_status deliver_pairs(const findings *f, tb_array **numbers, tb_array **distances)
{
    tb_array *pairs, *apart = NULL;
    TB_TRY(new_array(TB_I64, 2, (int64_t[]){f->n, 2}, &pairs));
    const tb_status status = distances ? new_array(TB_F64, 1, &f->n, &apart) : TB_OK;
    if (status != TB_OK) {
        tb_array_release(pairs);
        return status;
    }
    int64_t *number = at_of(pairs);
    double *distance = at_of(apart);
    for (int64_t i = 0; i < f->ntask; i++) {
        const tb_tree_found *some = &f->found[i];
        if (some->n == 0) continue;
        memcpy(number, some->numbers, (size_t)some->n * 2 * sizeof *number);
        number += 2 * some->n;
        if (!distances) continue;
        memcpy(distance, some->distances, (size_t)some->n * sizeof *distance);
        distance += some->n;
    }
    *numbers = pairs;
    if (distances) *distances = apart;
    return TB_OK;
}

static tb_status pairs_of(const tb_tree_step *step, const tb_tree *tree, const tb_tree *other, tb_array *periods,
                          tb_array **numbers, tb_array **distances)
{
    question q = {.n = 0, .step = *step}, second = {.n = 0};
    findings f;
    tb_status status = ask(&q, tree, tree->points, NULL, periods, NULL, NULL);
    if (status == TB_OK && other) status = ask(&second, other, other->points, NULL, NULL, NULL, NULL);
    second.step.p = q.step.p;
    q.step.other = other ? &second.step : NULL;
    if (status == TB_OK) status = find_pairs(&q.step, &f);
    if (status == TB_OK) {
        status = deliver_pairs(&f, numbers, distances);
        free_findings(&f);
    }
    drop(&q);
    drop(&second);
    return status;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static tb_status check_tree(const char *function, const tb_tree *tree)
{
    const tb_array *points = tree->points, *order = tree->order, *boxes = tree->boxes;
    TB_NOT_NULL(points, order, boxes);
    const int64_t leaves = points->ndim == 2 ? leaves_of(points->dims[0]) : 0;
    if (points->ndim == 2 && order->ndim == 1 && boxes->ndim == 3 && points->dtype == TB_F64 &&
        order->dtype == TB_I64 && boxes->dtype == TB_F64 && order->dims[0] == points->dims[0] &&
        boxes->dims[0] == 2 * leaves && boxes->dims[1] == 2 && boxes->dims[2] == points->dims[1])
        return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: these arrays are not a tree's", function);
}

static tb_status check_vector(const char *function, const char *name, const tb_array *a, int64_t n)
{
    TB_ARE_NUMBERS(function, a->dtype);
    if (a->ndim == 1 && a->dims[0] == n && tb_dtype_kind((tb_dtype)a->dtype) != TB_KIND_COMPLEX) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: %s must be a real vector of %lld elements", function, name, (long long)n);
}

static tb_status check(const char *function, const tb_tree *tree, const tb_array *x, double p, const tb_array *periods)
{
    TB_TRY(check_tree(function, tree));
    TB_TRY(check_points(function, "x", x));
    const int64_t dims = tree->points->dims[1];
    if (x->dims[1] != dims)
        return tb__fail(TB_ERR_VALUE, "%s: points of %lld dimensions, and x of %lld", function, (long long)dims,
                        (long long)x->dims[1]);
    if (!(p >= 1)) return tb__fail(TB_ERR_VALUE, "%s: p must be at least 1, it is %g", function, p);
    return periods ? check_vector(function, "periods", periods, dims) : TB_OK;
}

tb_status tb_tree_nearest(const tb_tree *tree, tb_array *x, int64_t k, double p, double bound, tb_array *periods,
                          tb_array **distances, tb_array **numbers)
{
    TB_NOT_NULL(tree, x, distances, numbers);
    TB_NOT_RELEASED(periods);
    TB_TRY(check("tree_nearest", tree, x, p, periods));
    if (k < 0) return tb__fail(TB_ERR_VALUE, "tree_nearest: k must not be negative, it is %lld", (long long)k);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    const int norm = tb__tree_norm(p);
    const tb_tree_step step = {.kind = TB_TREE_NEAREST,
                               .k = k,
                               .p = p,
                               .bound = !(bound > 0) ? 0
                                        : norm == 2  ? bound * bound
                                        : norm == 3  ? pow(bound, p)
                                                     : bound};
    tb_calc c = {.status = TB_OK};
    tb_array *visit = visits(&c, tree, x);
    if (c.status == TB_OK) c.status = TB__OPERATION(nearest(&step, tree, x, periods, visit, distances, numbers));
    return tb__calc_end(&c);
}

static tb_status last_of(tb_array *starts, int64_t *n)
{
    tb_calc c = {.status = TB_OK};
    *n = tb__calc_item(&c, starts, starts->dims[0] - 1);
    return tb__calc_end(&c);
}

tb_status tb_tree_within(const tb_tree *tree, tb_array *x, tb_array *radii, double p, tb_array *periods,
                         tb_array *starts, tb_array **out)
{
    TB_NOT_NULL(tree, x, radii, out);
    TB_NOT_RELEASED(periods);
    TB_NOT_RELEASED(starts);
    TB_TRY(check("tree_within", tree, x, p, periods));
    TB_TRY(check_vector("tree_within", "radii", radii, x->dims[0]));
    if (starts) TB_TRY(check_vector("tree_within", "starts", starts, x->dims[0] + 1));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    int64_t n = x->dims[0];
    if (starts) TB_TRY(last_of(starts, &n));
    if (n < 0) return tb__fail(TB_ERR_VALUE, "tree_within: starts must not be negative");
    const tb_tree_step step = {.kind = starts ? TB_TREE_LIST : TB_TREE_COUNT, .p = p};
    tb_calc c = {.status = TB_OK};
    tb_array *visit = visits(&c, tree, x);
    if (c.status == TB_OK) c.status = TB__OPERATION(within(&step, n, tree, x, radii, periods, starts, visit, out));
    return tb__calc_end(&c);
}

tb_status tb_tree_pairs(const tb_tree *tree, const tb_tree *other, double radius, double p, tb_array *periods,
                        tb_array **numbers, tb_array **distances)
{
    TB_NOT_NULL(tree, numbers);
    TB_NOT_RELEASED(periods);
    if (!tb__backend->on_host) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "tree_pairs: the device is not the host");
    TB_TRY(check_tree("tree_pairs", tree));
    if (other && (!other->points || !other->order || !other->boxes)) return tb__fail_null(__func__, "other");
    if (other) TB_TRY(check_tree("tree_pairs", other));
    TB_TRY(check("tree_pairs", tree, other ? other->points : tree->points, p, periods));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    const tb_tree_step step = {.kind = TB_TREE_PAIRS, .p = p, .reach = radius};
    return TB__OPERATION(pairs_of(&step, tree, other, periods, numbers, distances));
}
