/* keys.c - patterns by sorting and searching numbers that stand for places in the matrix, on any device. */
#include "ops/sparse/keys.h"

#include "base/error.h"
#include "ops/sparse/calc.h"
#include "ops/sparse/sparse.h"
#include "ops/sparse/steps.h"

static tb_dtype index_of(const tb_pattern *p) { return (tb_dtype)p->index->dtype; }

/* ---- parts that several functions have in common --------------------------------------------------------------- */

/* The row of each element. */
static tb_array *rows_of(tb_calc *c, const tb_pattern *p)
{
    tb_array *row = NULL;
    return c->status == TB_OK ? tb__calc_keep(c, tb_pattern_rows(p, &row), &row) : NULL;
}

/* Where each row begins, of row's dtype, among elements whose rows these are, in any order. */
static tb_array *starts_of(tb_calc *c, tb_array *row, int64_t rows)
{
    tb_array *counts = NULL, *start = NULL;
    if (c->status != TB_OK) return NULL;
    const int64_t n = rows + 1;
    const tb_dtype t = (tb_dtype)row->dtype;
    counts = tb__calc_keep(c, tb_full(t, 1, &n, 'C', tb_scalar_int(0), &counts), &counts);
    tb_array *behind = tb__calc_part(c, counts, 1, n);
    if (c->status != TB_OK || row->size == 0) return counts;
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = row};
    const tb_operand one = tb_operand_int(1);
    c->status = tb_ufunc_update(tb_ufunc_find("add"), behind, 1, &key, &one);
    return c->status == TB_OK ? tb__calc_keep(c, tb_scan(TB_RED_SUM, counts, 0, t, &start), &start) : NULL;
}

/* How many keys there may be. */
static int64_t places_of(int64_t rows, int64_t cols)
{
    int64_t places;
    return __builtin_mul_overflow(rows, cols, &places) ? INT64_MAX : places;
}

/* row * cols + col. Fails for matrices with more places than int64 counts. */
static tb_array *keys_of(tb_calc *c, tb_array *row, tb_array *col, int64_t rows, int64_t cols)
{
    const int64_t places = places_of(rows, cols);
    if (c->status == TB_OK && places == INT64_MAX)
        c->status = tb__fail(TB_ERR_OVERFLOW, "a sparse matrix of more than 2^63 - 1 places");
    const int held = c->n;
    tb_array *first = tb__calc_with(c, "multiply", tb__calc_cast(c, row, TB_I64), cols);
    tb_array *key = tb__calc_of(c, "add", first, col);
    const bool narrow = places <= INT32_MAX;
    return tb__calc_only(c, held, narrow ? tb__calc_cast(c, key, TB_I32) : key);
}

static tb_array *keys_of_pattern(tb_calc *c, const tb_pattern *p)
{
    return keys_of(c, rows_of(c, p), p->index, p->rows, p->cols);
}

/* For each of the keys its number among sorted ones, -1 where it is not there. */
static tb_array *numbers_of(tb_calc *c, tb_array *sorted, tb_array *keys)
{
    if (c->status == TB_OK && sorted->size == 0) return tb__calc_fill(c, -1, keys->size);
    tb_array *at = tb__calc_search(c, sorted, keys, false);
    at = tb__calc_with(c, "minimum", at, c->status == TB_OK ? sorted->size - 1 : 0);
    return tb__calc_where(c, tb__calc_of(c, "equal", tb__calc_pick(c, sorted, at), keys), at, -1);
}

/* Ends a calculation that made a pattern, whose arrays are given as indices of dtype t. */
static tb_status deliver(tb_calc *c, tb_dtype t, tb_pattern made, tb_pattern *out, tb_array *first, tb_array **to_first,
                         tb_array *second, tb_array **to_second)
{
    tb_pattern result = {made.rows, made.cols, NULL, NULL};
    tb_array *from[2] = {NULL, NULL};
    if (c->status == TB_OK && t == TB_I32 && made.index->size > INT32_MAX)
        c->status = tb__fail(TB_ERR_OVERFLOW, "a sparse matrix with more than 2^31 - 1 elements needs int64 indices");
    tb__calc_give(c, made.start, t, &result.start);
    tb__calc_give(c, made.index, t, &result.index);
    tb__calc_give(c, first, t, &from[0]);
    if (to_second) tb__calc_give(c, second, t, &from[1]);
    const tb_status status = tb__calc_end(c);
    if (status == TB_OK) {
        *out = result;
        *to_first = from[0];
        if (to_second) *to_second = from[1];
        return TB_OK;
    }
    tb_array_release(result.start);
    tb_array_release(result.index);
    tb_array_release(from[0]);
    tb_array_release(from[1]);
    return status;
}

static tb_status deliver_one(tb_calc *c, tb_array *a, tb_dtype t, tb_array **out)
{
    tb_array *result = NULL;
    tb__calc_give(c, a, t, &result);
    const tb_status status = tb__calc_end(c);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* ---- rows, order, transposes ------------------------------------------------------------------------------------- */

/* The elements in the order that is asked for. */
static tb_status grouped(tb_calc *c, tb_array *row, tb_array *col, tb_array *by_key, int64_t rows, int64_t cols,
                         tb_pattern *out, tb_array **order)
{
    const tb_pattern made = {rows, cols, starts_of(c, row, rows), tb__calc_pick(c, col, by_key)};
    return deliver(c, (tb_dtype)row->dtype, made, out, by_key, order, NULL, NULL);
}

tb_status tb__keys_group(tb_array *row, tb_array *col, int64_t rows, int64_t cols, tb_pattern *out, tb_array **order)
{
    tb_calc c = {.status = TB_OK};
    int found = TB_PATTERN_VALID;
    if (!tb__backend->sparse) c.status = tb__steps_order(row, col, rows, cols, &found);
    if (c.status == TB_OK && !(found & TB_PATTERN_VALID)) c.status = tb__fail_outside(row, rows, col, cols);
    tb_array *by_key = found & TB_PATTERN_SORTED
                           ? tb__calc_count(&c, row->size)
                           : tb__calc_order(&c, keys_of(&c, row, col, rows, cols), places_of(rows, cols));
    return grouped(&c, row, col, by_key, rows, cols, out, order);
}

/* A vector of uint32 as t, which it is already if t has 32 bits. */
static tb_array *as_index(tb_calc *c, tb_array *a, tb_dtype t)
{
    tb_array *view = NULL;
    if (c->status != TB_OK || t == TB_I64) return a;
    return tb__calc_keep(c, tb_view_dtype(a, t, &view), &view);
}

/* The transpose by a sort whose elements take their rows along, and 32 bits of their own (NULL: their numbers). */
static tb_array *transpose_carrying(tb_calc *c, const tb_pattern *p, tb_array *bits, tb_pattern *made)
{
    tb_array *both = NULL, *sorted = NULL, *row = NULL, *moved = NULL, *start = NULL;
    if (c->status == TB_OK) tb__calc_keep(c, tb__steps_packed(p, bits, &both), &both);
    if (c->status != TB_OK) return NULL;
    tb__calc_keep(c, tb__sort_carrying(p->index, p->cols, both, &sorted, &row, &moved), &sorted);
    if (c->status != TB_OK) return NULL;
    tb__calc_keep(c, TB_OK, &row);
    tb__calc_keep(c, TB_OK, &moved);
    tb__calc_keep(c, tb__steps_starts(sorted, p->cols, &start), &start);
    *made = (tb_pattern){p->cols, p->rows, start, as_index(c, row, index_of(p))};
    return as_index(c, moved, index_of(p));
}

/* Short rows are put in order by fewer kernels. */
static bool carries(const tb_pattern *p)
{
    enum { FEW = 1 << 15 };
    return p->index->size >= FEW && p->index->size <= UINT32_MAX && p->rows <= UINT32_MAX;
}

tb_status tb__keys_transpose(const tb_pattern *p, tb_pattern *out, tb_array **order)
{
    const tb_dtype t = (tb_dtype)p->index->dtype;
    tb_calc c = {.status = TB_OK};
    tb_pattern made;
    if (carries(p)) {
        tb_array *from = transpose_carrying(&c, p, NULL, &made);
        return deliver(&c, t, made, out, from, order, NULL, NULL);
    }
    tb_array *row = rows_of(&c, p), *by_column = tb__calc_order(&c, p->index, p->cols);
    return grouped(&c, p->index, row, by_column, p->cols, p->rows, out, order);
}

bool tb__keys_carry(const tb_pattern *p, const tb_array *values)
{
    return carries(p) && tb_dtype_size((tb_dtype)values->dtype) == 4;
}

tb_status tb__keys_transpose_values(const tb_pattern *p, tb_array *values, tb_pattern *out, tb_array **moved)
{
    const tb_dtype t = (tb_dtype)p->index->dtype;
    tb_calc c = {.status = TB_OK};
    tb_array *bits = NULL, *moved_bits = NULL;
    tb_pattern made = {.rows = 0}, turned = {.rows = p->cols, .cols = p->rows};
    tb__calc_keep(&c, tb_view_dtype(values, TB_U32, &bits), &bits);
    if (c.status == TB_OK) moved_bits = transpose_carrying(&c, p, bits, &made);
    tb__calc_give(&c, made.start, t, &turned.start);
    tb__calc_give(&c, made.index, t, &turned.index);
    if (c.status == TB_OK) c.status = tb_view_dtype(moved_bits, (tb_dtype)values->dtype, moved);
    const tb_status status = tb__calc_end(&c);
    if (status == TB_OK) *out = turned;
    else tb__pattern_release(&turned);
    return status;
}

tb_status tb__keys_sort(const tb_pattern *p, tb_pattern *out, tb_array **order)
{
    tb_calc c = {.status = TB_OK};
    tb_array *row = rows_of(&c, p);
    tb_array *by_key = tb__calc_order(&c, keys_of(&c, row, p->index, p->rows, p->cols), places_of(p->rows, p->cols));
    const tb_pattern made = {p->rows, p->cols, tb__calc_pick(&c, p->start, tb__calc_count(&c, p->rows + 1)),
                             tb__calc_pick(&c, p->index, by_key)};
    return deliver(&c, index_of(p), made, out, by_key, order, NULL, NULL);
}

/* ---- results whose size is counted ------------------------------------------------------------------------------- */

/* Of sorted elements the numbers of the first of those that are equal. */
static tb_array *first_of(tb_calc *c, tb_array *keys)
{
    const int64_t n = c->status == TB_OK ? keys->size : 0;
    if (n < 2) return tb__calc_count(c, n);
    tb_array *differs = tb__calc_of(c, "not_equal", tb__calc_part(c, keys, 1, n), tb__calc_part(c, keys, 0, n - 1));
    tb_array *later = tb__calc_with(c, "add", tb__calc_nonzero(c, differs), 1);
    return tb__calc_join(c, tb__calc_fill(c, 0, 1), later);
}

tb_status tb__keys_unique(const tb_pattern *p, tb_pattern *out, tb_array **first)
{
    tb_calc c = {.status = TB_OK};
    tb_array *kept = first_of(&c, keys_of_pattern(&c, p));
    const tb_pattern made = {p->rows, p->cols, tb__calc_search(&c, kept, p->start, false),
                             tb__calc_pick(&c, p->index, kept)};
    return deliver(&c, index_of(p), made, out, kept, first, NULL, NULL);
}

/* ---- rows and elements asked for by number ----------------------------------------------------------------------- */

/* The elements of some lines, one after the other: which line each is of (its number among those that are asked for),
 * and its number in the pattern. *start: where each line's begin. */
static void spread(tb_calc *c, const tb_pattern *p, tb_array *line, tb_array **start, tb_array **own, tb_array **number)
{
    tb_array *first = tb__calc_pick(c, p->start, line);
    tb_array *end = tb__calc_pick(c, p->start, tb__calc_with(c, "add", tb__calc_cast(c, line, TB_I64), 1));
    *start = tb__calc_running_sum(c, tb__calc_of(c, "subtract", end, first));
    tb_array *at = tb__calc_count(c, tb__calc_item(c, *start, c->status == TB_OK ? (*start)->size - 1 : 0));
    const tb_pattern lines = {line->size, 0, *start, at}; /* of which nobody asks where elements are in their rows */
    *own = rows_of(c, &lines);
    tb_array *within = tb__calc_of(c, "subtract", at, tb__calc_pick(c, *start, *own));
    *number = tb__calc_of(c, "add", tb__calc_pick(c, first, *own), within);
}

tb_status tb__keys_take(const tb_pattern *p, tb_array *row, tb_pattern *out, tb_array **from)
{
    tb_calc c = {.status = TB_OK};
    tb_array *start, *own, *number;
    spread(&c, p, row, &start, &own, &number);
    const tb_pattern made = {row->size, p->cols, start, tb__calc_pick(&c, p->index, number)};
    return deliver(&c, index_of(p), made, out, number, from, NULL, NULL);
}

tb_status tb__keys_find(const tb_pattern *p, tb_array *row, tb_array *col, tb_array **out)
{
    tb_calc c = {.status = TB_OK};
    tb_array *keys = keys_of(&c, row, col, p->rows, p->cols);
    return deliver_one(&c, numbers_of(&c, keys_of_pattern(&c, p), keys), index_of(p), out);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* Values added to zeros, each at the element that its number names; numbers of a matrix are those of rows. */
static tb_array *added(tb_calc *c, tb_array *values, tb_array *numbers, int64_t n)
{
    tb_array *sum = NULL;
    if (c->status != TB_OK) return NULL;
    const int64_t shape[2] = {n, values->ndim == 2 ? values->dims[1] : 1};
    const bool truth = values->dtype == TB_BOOL;
    sum = tb__calc_keep(c, tb_full((tb_dtype)values->dtype, values->ndim, shape, 'C', tb_scalar_int(0), &sum), &sum);
    if (c->status != TB_OK || values->size == 0) return sum;
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = numbers};
    const tb_operand value = tb_operand_array(values);
    c->status = tb_ufunc_update(tb_ufunc_find(truth ? "logical_or" : "add"), sum, 1, &key, &value);
    return sum;
}

static tb_array *product(tb_calc *c, tb_array *a, tb_array *b)
{
    return c->status == TB_OK ? tb__calc_of(c, a->dtype == TB_BOOL ? "logical_and" : "multiply", a, b) : NULL;
}

/* Which of the sorted keys' equal ones each is of, counted from 0. */
static tb_array *runs_of(tb_calc *c, tb_array *first, int64_t n)
{
    return tb__calc_with(c, "subtract", tb__calc_search(c, first, tb__calc_count(c, n), true), 1);
}

tb_status tb__keys_multiply(const tb_pattern *a, tb_array *a_data, const tb_pattern *b, tb_array *b_data,
                            tb_pattern *out, tb_array **data)
{
    tb_calc c = {.status = TB_OK};
    tb_array *start, *own, *number;
    spread(&c, b, a->index, &start, &own, &number); /* every product there is */
    tb_array *row = tb__calc_pick(&c, rows_of(&c, a), own), *col = tb__calc_pick(&c, b->index, number);
    tb_array *values = product(&c, tb__calc_pick(&c, a_data, own), tb__calc_pick(&c, b_data, number));
    tb_array *keys = keys_of(&c, row, col, a->rows, b->cols);
    tb_array *order = tb__calc_order(&c, keys, places_of(a->rows, b->cols));
    tb_array *first = first_of(&c, tb__calc_pick(&c, keys, order));
    tb_array *kept = tb__calc_pick(&c, order, first);
    tb_array *runs = runs_of(&c, first, c.status == TB_OK ? order->size : 0);
    tb_array *sums = added(&c, tb__calc_pick(&c, values, order), runs, c.status == TB_OK ? first->size : 0);
    const tb_pattern made = {a->rows, b->cols, starts_of(&c, tb__calc_pick(&c, row, kept), a->rows),
                             tb__calc_pick(&c, col, kept)};
    tb_array *result = NULL, *numbers = NULL;
    tb__calc_give(&c, sums, TB_NODTYPE, &result);
    const tb_status status = deliver(&c, index_of(a), made, out, kept, &numbers, NULL, NULL);
    tb_array_release(numbers);
    if (status == TB_OK) *data = result;
    else tb_array_release(result);
    return status;
}

tb_status tb__keys_transposed_product(const tb_pattern *a, tb_array *data, tb_array *x, tb_array **out)
{
    tb_calc c = {.status = TB_OK};
    tb_array *rows = tb__calc_pick(&c, x, rows_of(&c, a)), *column = data;
    if (x->ndim == 2) {
        tb_array *view = NULL;
        const int64_t shape[2] = {data->size, 1};
        column = tb__calc_keep(&c, tb_reshape(data, 2, shape, 'C', NULL, &view), &view);
    }
    return deliver_one(&c, added(&c, product(&c, rows, column), a->index, a->cols), TB_NODTYPE, out);
}
