/* operations.h - every kind of public operation that may come to a kernel, once, in a table, for tests that look at
 * what happens around their kernels: waiting for a compiler, above all. An operation that is added to the library gets
 * its row here. */
#ifndef TB_TESTS_OPERATIONS_H
#define TB_TESTS_OPERATIONS_H
#include "arrays.h"
#include <stdlib.h>

enum { OP_ROWS = 36, OP_COLS = 25, OP_N = OP_ROWS * OP_COLS, OP_PICKS = 50 };

/* What operations work on; all of it stored. */
typedef struct op_inputs {
    tb_array *x, *y;            /* vectors of OP_N float32 */
    tb_array *a, *b;            /* matrices of OP_ROWS by OP_COLS, and the other way round */
    tb_array *integers[2];      /* the same, of int64 */
    tb_array *target, *wide;    /* vectors to write to: of OP_N float32, of float64 */
    tb_array *square, *running; /* to write to: OP_ROWS by OP_ROWS, OP_ROWS by OP_COLS float32 */
    tb_array *index, *mask;     /* OP_PICKS positions, OP_PICKS true of OP_N */
} op_inputs;

static inline tb_array *op_shaped(tb_array *vector, int64_t rows, int64_t cols)
{
    tb_array *a = NULL;
    CHECK_OK(tb_reshape(vector, 2, (int64_t[]){rows, cols}, 'C', NULL, &a));
    return a;
}

static inline tb_array *op_stored(tb_array *a)
{
    CHECK_OK(tb_array_eval(a));
    return a;
}

/* Numbers that are no multiples of another and small enough that products of integers are exact. */
static inline tb_array *op_numbers(tb_dtype t, int64_t n, int seed)
{
    float *numbers = malloc((size_t)n * sizeof *numbers);
    tb_array *a = NULL, *cast = NULL;
    for (int64_t i = 0; i < n; i++) numbers[i] = (float)((i * 37 + seed) % 101 - 50) + (t == TB_F32 ? 0.25F : 0);
    CHECK_OK(tb_from_host(numbers, TB_F32, 1, &n, NULL, 'C', &a));
    free(numbers);
    CHECK_OK(tb_astype(a, t, 'C', TB_CAST_UNSAFE, false, &cast));
    tb_array_release(a);
    return op_stored(cast);
}

static inline tb_array *op_mask(void)
{
    static bool flags[OP_N];
    tb_array *a = NULL;
    for (int i = 0; i < OP_PICKS; i++) flags[i * 17] = true;
    CHECK_OK(tb_from_host(flags, TB_BOOL, 1, (int64_t[]){OP_N}, NULL, 'C', &a));
    return a;
}

static inline tb_array *op_index(void)
{
    static int64_t positions[OP_PICKS];
    tb_array *a = NULL;
    for (int i = 0; i < OP_PICKS; i++) positions[i] = (i * 7) % OP_COLS; /* with repetitions */
    CHECK_OK(tb_from_host(positions, TB_I64, 1, (int64_t[]){OP_PICKS}, NULL, 'C', &a));
    return a;
}

static inline void op_prepare(op_inputs *v)
{
    v->x = op_numbers(TB_F32, OP_N, 3);
    v->y = op_numbers(TB_F32, OP_N, 8);
    v->a = op_shaped(v->x, OP_ROWS, OP_COLS);
    v->b = op_shaped(v->y, OP_COLS, OP_ROWS);
    for (int i = 0; i < 2; i++) {
        tb_array *line = op_numbers(TB_I64, OP_N, i);
        v->integers[i] = i ? op_shaped(line, OP_COLS, OP_ROWS) : op_shaped(line, OP_ROWS, OP_COLS);
        tb_array_release(line);
    }
    v->target = op_numbers(TB_F32, OP_N, 1);
    v->wide = op_numbers(TB_F64, OP_N, 2);
    tb_array *line = op_numbers(TB_F32, OP_ROWS * OP_ROWS, 4);
    v->square = op_shaped(line, OP_ROWS, OP_ROWS);
    tb_array_release(line);
    line = op_numbers(TB_F32, OP_N, 5);
    v->running = op_shaped(line, OP_ROWS, OP_COLS);
    tb_array_release(line);
    v->index = op_index();
    v->mask = op_mask();
}

static inline void op_finish(op_inputs *v)
{
    tb_array *const all[] = {v->x,      v->y,    v->a,      v->b,       v->integers[0], v->integers[1],
                             v->target, v->wide, v->square, v->running, v->index,       v->mask};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tb_array_release(all[i]);
}

/* ---- elementwise ------------------------------------------------------------------------------------------------ */

static inline tb_array *op_into(const char *ufunc, tb_array *x, tb_array *y, tb_array *out, tb_array *mask)
{
    const tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_ARRAY, .array = y}};
    const tb_ufunc_args args = {sizeof(tb_ufunc_args), TB_NODTYPE, TB_CAST_SAME_KIND, 'K', mask};
    CHECK_OK(tb_ufunc_into(tb_ufunc_find(ufunc), in, &out, NULL, &args));
    return tb_array_retain(out);
}

static inline tb_array *op_ufunc(op_inputs *v) { return call("add", v->x, v->y); }
static inline tb_array *op_ufunc_out(op_inputs *v) { return op_into("add", v->x, v->y, v->target, NULL); }
static inline tb_array *op_ufunc_cast(op_inputs *v) { return op_into("add", v->x, v->y, v->wide, NULL); }
static inline tb_array *op_in_place(op_inputs *v) { return op_into("multiply", v->x, v->y, v->x, NULL); }
static inline tb_array *op_ufunc_where(op_inputs *v) { return op_into("add", v->x, v->y, v->x, v->mask); }

/* Both outputs are inputs; they come back one behind the other. */
static inline tb_array *op_divmod(op_inputs *v)
{
    const tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = v->x}, {TB_OPERAND_ARRAY, .array = v->y}};
    tb_array *out[2] = {v->x, v->y}, *both = NULL, *part = NULL;
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("divmod"), in, out, NULL, NULL));
    CHECK_OK(tb_empty(TB_F32, 2, (int64_t[]){2, OP_N}, 'C', &both));
    for (int64_t i = 0; i < 2; i++) {
        const tb_index key = {.kind = TB_INDEX_INT, .start = i};
        CHECK_OK(tb_array_index(both, 1, &key, &part));
        CHECK_OK(tb_assign(part, out[i], TB_CAST_NO));
        tb_array_release(part);
    }
    return both;
}

static inline tb_array *op_where(op_inputs *v)
{
    const tb_operand cond = {TB_OPERAND_ARRAY, .array = v->mask}, x = {TB_OPERAND_ARRAY, .array = v->x},
                     y = {TB_OPERAND_ARRAY, .array = v->y};
    tb_array *out = NULL;
    CHECK_OK(tb_where(&cond, &x, &y, &out));
    return out;
}

/* ---- reductions and scans --------------------------------------------------------------------------------------- */

static inline tb_array *op_reduce(tb_reduction op, tb_array *a, int axis)
{
    const tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = 1, .axis = {axis}, .dtype = TB_NODTYPE};
    tb_array *result = NULL;
    CHECK_OK(tb_reduce(op, a, &args, &result));
    return result;
}

/* The first n elements. */
static inline tb_array *op_first(tb_array *a, int64_t n)
{
    const tb_index key = {.kind = TB_INDEX_SLICE, .stop = n, .step = 1, .has_stop = true};
    tb_array *view = NULL;
    CHECK_OK(tb_array_index(a, 1, &key, &view));
    return view;
}

static inline tb_array *op_reduce_into(tb_reduction op, tb_array *a, tb_array *memory)
{
    const tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = 1, .axis = {1}, .dtype = TB_NODTYPE};
    tb_array *out = op_first(memory, OP_ROWS);
    CHECK_OK(tb_reduce_into(op, a, &args, out));
    return out;
}

static inline tb_array *op_sum(op_inputs *v) { return op_reduce(TB_RED_SUM, v->a, 1); }
static inline tb_array *op_sum_out(op_inputs *v) { return op_reduce_into(TB_RED_SUM, v->a, v->target); }
static inline tb_array *op_sum_cast(op_inputs *v) { return op_reduce_into(TB_RED_SUM, v->a, v->wide); }
static inline tb_array *op_var(op_inputs *v) { return op_reduce(TB_RED_VAR, v->a, 0); }
static inline tb_array *op_std_out(op_inputs *v) { return op_reduce_into(TB_RED_STD, v->integers[0], v->wide); }
static inline tb_array *op_ptp(op_inputs *v) { return op_reduce(TB_RED_PTP, v->a, 1); }
static inline tb_array *op_argmax(op_inputs *v) { return op_reduce(TB_RED_ARGMAX, v->a, 0); }

static inline tb_array *op_bincount(op_inputs *v)
{
    tb_array *x = NULL, *counts = NULL, *result = NULL;
    (void)v;
    CHECK_OK(tb_from_host((int64_t[]){200000, 5}, TB_I64, 1, (int64_t[]){2}, NULL, 'C', &x)); /* no work for the host */
    CHECK_OK(tb_bincount(x, NULL, 3, &counts));
    CHECK_OK(tb_take(counts, x, 0, TB_BOUNDS_WRAP, &result));
    tb_array_release(counts);
    tb_array_release(x);
    return result;
}

static inline tb_array *op_initial(op_inputs *v)
{
    const tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_F64, .has_initial = true,
                                 .initial = tb_scalar_int(7)};
    tb_array *result = NULL;
    CHECK_OK(tb_reduce(TB_RED_PROD, v->b, &args, &result));
    return result;
}

static inline tb_array *op_scan(op_inputs *v)
{
    tb_array *out = NULL;
    CHECK_OK(tb_scan(TB_RED_SUM, v->a, 1, TB_NODTYPE, &out));
    return out;
}

static inline tb_array *op_scan_out(op_inputs *v)
{
    CHECK_OK(tb_scan_into(TB_RED_MAX, v->a, 0, TB_NODTYPE, v->running));
    return tb_array_retain(v->running);
}

static inline tb_array *op_scan_itself(op_inputs *v)
{
    CHECK_OK(tb_scan_into(TB_RED_SUM, v->a, 1, TB_NODTYPE, v->a));
    return tb_array_retain(v->a);
}

/* ---- indexing --------------------------------------------------------------------------------------------------- */

static inline tb_index op_key(tb_array *a) { return (tb_index){.kind = TB_INDEX_ARRAY, .array = a}; }

static inline tb_array *op_get(tb_array *a, tb_array *key)
{
    const tb_index index = op_key(key);
    tb_array *out = NULL;
    CHECK_OK(tb_array_index(a, 1, &index, &out));
    return out;
}

static inline tb_array *op_gather(op_inputs *v) { return op_get(v->x, v->index); }
static inline tb_array *op_gather_rows(op_inputs *v) { return op_get(v->b, v->index); }
static inline tb_array *op_mask_get(op_inputs *v) { return op_get(v->x, v->mask); }

static inline tb_array *op_nonzero(op_inputs *v)
{
    tb_array *out[1] = {NULL};
    CHECK_OK(tb_nonzero(v->mask, out));
    return out[0];
}

static inline tb_array *op_argwhere(op_inputs *v)
{
    tb_array *flags = op_shaped(v->mask, OP_ROWS, OP_COLS), *out = NULL;
    CHECK_OK(tb_argwhere(flags, &out));
    tb_array_release(flags);
    return out;
}

static inline tb_array *op_set(tb_array *a, tb_array *key, tb_operand value)
{
    const tb_index index = op_key(key);
    CHECK_OK(tb_array_index_set(a, 1, &index, &value));
    return tb_array_retain(a);
}

static inline tb_array *op_scatter(op_inputs *v)
{
    return op_set(v->x, v->index, (tb_operand){TB_OPERAND_SCALAR, .scalar = tb_scalar_int(7)});
}

/* What is written is what is read, and each place comes twice. */
static inline tb_array *op_scatter_itself(op_inputs *v)
{
    tb_array *value = op_first(v->x, OP_PICKS),
             *out = op_set(v->x, v->index, (tb_operand){TB_OPERAND_ARRAY, .array = value});
    tb_array_release(value);
    return out;
}

static inline tb_array *op_mask_set(op_inputs *v)
{
    return op_set(v->x, v->mask, (tb_operand){TB_OPERAND_SCALAR, .scalar = tb_scalar_int(7)});
}

static inline tb_array *op_mask_set_each(op_inputs *v)
{
    tb_array *value = op_first(v->y, OP_PICKS),
             *out = op_set(v->x, v->mask, (tb_operand){TB_OPERAND_ARRAY, .array = value});
    tb_array_release(value);
    return out;
}

static inline tb_array *op_update(op_inputs *v)
{
    const tb_index index = op_key(v->index);
    tb_array *value = op_first(v->y, OP_PICKS);
    CHECK_OK(tb_ufunc_update(tb_ufunc_find("add"), v->x, 1, &index, &(tb_operand){TB_OPERAND_ARRAY, .array = value}));
    tb_array_release(value);
    return tb_array_retain(v->x);
}

static inline tb_array *op_update_masked(op_inputs *v)
{
    const tb_index index = op_key(v->mask);
    CHECK_OK(tb_ufunc_update(tb_ufunc_find("multiply"), v->x, 1, &index,
                             &(tb_operand){TB_OPERAND_SCALAR, .scalar = tb_scalar_int(3)}));
    return tb_array_retain(v->x);
}

/* ---- assignments and joins -------------------------------------------------------------------------------------- */

static inline tb_array *op_assign(op_inputs *v)
{
    CHECK_OK(tb_assign(v->target, v->wide, TB_CAST_SAME_KIND));
    return tb_array_retain(v->target);
}

/* x[1:] = x[:-1] */
static inline tb_array *op_shift(op_inputs *v)
{
    const tb_index key = {.kind = TB_INDEX_SLICE, .start = 1, .step = 1, .has_start = true};
    tb_array *from = op_first(v->x, -1), *to = NULL;
    CHECK_OK(tb_array_index(v->x, 1, &key, &to));
    CHECK_OK(tb_assign(to, from, TB_CAST_NO));
    tb_array_release(to);
    tb_array_release(from);
    return tb_array_retain(v->x);
}

/* Windows that overlap: of the elements that go to one place the last stays. */
static inline tb_array *op_windows(op_inputs *v)
{
    tb_array *windows = NULL, *value = op_shaped(v->y, OP_N / 2, 2);
    CHECK_OK(tb_as_strided(v->x, 2, (int64_t[]){OP_N / 2, 2}, (int64_t[]){4, 4}, 0, &windows));
    CHECK_OK(tb_assign(windows, value, TB_CAST_NO));
    tb_array_release(value);
    tb_array_release(windows);
    return tb_array_retain(v->x);
}

/* Every other element. */
static inline tb_array *op_fill(op_inputs *v)
{
    tb_array *view = NULL;
    CHECK_OK(tb_as_strided(v->x, 1, (int64_t[]){OP_N / 2}, (int64_t[]){8}, 0, &view));
    CHECK_OK(tb_assign_scalar(view, tb_scalar_int(3)));
    tb_array_release(view);
    return tb_array_retain(v->x);
}

static inline tb_array *op_assign_where(op_inputs *v)
{
    CHECK_OK(tb_assign_where(v->x, v->mask, &(tb_operand){TB_OPERAND_ARRAY, .array = v->y}));
    return tb_array_retain(v->x);
}

/* Two vectors as the columns of a matrix, or one behind the other. */
static inline tb_array *op_joined(op_inputs *v, tb_dtype t, int64_t step, int64_t stride)
{
    tb_array *const from[2] = {v->x, v->wide};
    tb_array *all = NULL, *to[2];
    CHECK_OK(tb_empty(t, 1, (int64_t[]){2 * (int64_t)OP_N}, 'C', &all));
    for (int64_t i = 0; i < 2; i++)
        CHECK_OK(tb_as_strided(all, 1, (int64_t[]){OP_N}, (int64_t[]){stride}, i * step, &to[i]));
    CHECK_OK(tb_assign_all(2, to, from, TB_CAST_SAME_KIND));
    for (int i = 0; i < 2; i++) tb_array_release(to[i]);
    return all;
}

static inline tb_array *op_stack(op_inputs *v) { return op_joined(v, TB_F32, 4, 8); }
static inline tb_array *op_concatenate(op_inputs *v) { return op_joined(v, TB_F64, 8 * (int64_t)OP_N, 8); }

/* ---- products --------------------------------------------------------------------------------------------------- */

static inline tb_array *op_matmul_integers(op_inputs *v)
{
    tb_array *out = NULL;
    CHECK_OK(tb_matmul(v->integers[0], v->integers[1], &out));
    return out;
}

static inline tb_array *op_matmul_out(op_inputs *v)
{
    tb_array *a = op_shaped(v->mask, OP_ROWS, OP_COLS), *b = op_shaped(v->mask, OP_COLS, OP_ROWS);
    CHECK_OK(tb_matmul_into(a, b, v->square)); /* of truth values, which are cast */
    tb_array_release(a);
    tb_array_release(b);
    return tb_array_retain(v->square);
}

/* ---- copies ----------------------------------------------------------------------------------------------------- */

static inline tb_array *op_copy(op_inputs *v)
{
    tb_array *out = NULL;
    CHECK_OK(tb_copy(v->a, 'F', &out));
    return out;
}

static inline tb_array *op_astype(op_inputs *v)
{
    tb_array *out = NULL;
    CHECK_OK(tb_astype(v->a, TB_I16, 'K', TB_CAST_UNSAFE, true, &out));
    return out;
}

static inline tb_array *op_reshape(op_inputs *v)
{
    tb_array *turned = NULL, *out = NULL;
    CHECK_OK(tb_transpose(v->a, NULL, &turned));
    CHECK_OK(tb_reshape(turned, 1, (int64_t[]){OP_N}, 'C', NULL, &out));
    tb_array_release(turned);
    return out;
}

/* Into every other element, and out of them again. */
static inline tb_array *op_transfer(op_inputs *v)
{
    static float numbers[OP_N];
    tb_array *view = NULL, *out = NULL;
    for (int i = 0; i < OP_N; i++) numbers[i] = (float)i;
    CHECK_OK(tb_as_strided(v->wide, 1, (int64_t[]){OP_N}, (int64_t[]){8}, 0, &view));
    tb_array *halves = NULL;
    CHECK_OK(tb_view_dtype(view, TB_F32, &halves));
    tb_array_release(view);
    CHECK_OK(tb_as_strided(halves, 1, (int64_t[]){OP_N}, (int64_t[]){8}, 4, &view));
    tb_array_release(halves);
    CHECK_OK(tb_array_set(view, numbers, NULL, NULL, true));
    CHECK_OK(tb_array_get(view, numbers, NULL, NULL, true));
    CHECK_OK(tb_from_host(numbers, TB_F32, 1, (int64_t[]){OP_N}, NULL, 'C', &out));
    tb_array_release(view);
    return out;
}

/* ---- creation --------------------------------------------------------------------------------------------------- */

static inline tb_array *op_full(op_inputs *v)
{
    tb_array *out = NULL;
    (void)v;
    CHECK_OK(tb_full(TB_C64, 1, (int64_t[]){OP_N}, 'C', tb_scalar_float(1.5), &out));
    return out;
}

static inline tb_array *op_arange(op_inputs *v)
{
    (void)v;
    return range(TB_F64, 5, OP_N);
}

static inline tb_array *op_linspace(op_inputs *v)
{
    tb_array *out = NULL;
    (void)v;
    CHECK_OK(tb_linspace(TB_F64, tb_scalar_int(1), tb_scalar_int(2), OP_N, true, &out));
    return out;
}

static inline tb_array *op_eye(op_inputs *v)
{
    tb_array *out = NULL;
    (void)v;
    CHECK_OK(tb_eye(TB_F64, OP_ROWS, OP_COLS, 1, 'C', &out));
    return out;
}

static inline tb_array *op_tri(op_inputs *v)
{
    tb_array *out = NULL;
    (void)v;
    CHECK_OK(tb_tri(TB_I32, OP_ROWS, OP_COLS, -1, &out));
    return out;
}

/* The stream goes on once, however often the call is begun. */
static inline tb_array *op_random(op_inputs *v)
{
    tb_rng rng = {.seed = 5, .offset = 3};
    tb_array *out = NULL, *more = NULL;
    (void)v;
    CHECK_OK(tb_random(&rng, TB_RAND_UNIFORM, TB_F64, tb_scalar_int(0), tb_scalar_int(1), 1, (int64_t[]){OP_N}, &out));
    CHECK(rng.offset == 3 + OP_N / 2);
    CHECK_OK(
        tb_random(&rng, TB_RAND_INTEGERS, TB_I32, tb_scalar_int(0), tb_scalar_int(9), 1, (int64_t[]){OP_N}, &more));
    tb_array *sum = call("add", out, more);
    tb_array_release(more);
    tb_array_release(out);
    return sum;
}

/* ---- what needs pending work to be done ------------------------------------------------------------------------- */

static inline tb_array *op_pending(op_inputs *v) { return call("maximum", v->x, v->y); }

static inline tb_array *op_address(op_inputs *v)
{
    tb_array *a = op_pending(v);
    void *ptr;
    CHECK_OK(tb_array_data(a, &ptr));
    return a;
}

static inline tb_array *op_share(op_inputs *v)
{
    tb_array *a = op_pending(v);
    void *ptr;
    CHECK_OK(tb_array_share(a, &ptr));
    tb_array_unshare(a);
    return a;
}

static inline tb_array *op_buffer(op_inputs *v)
{
    tb_array *a = op_pending(v);
    void *ptr;
    CHECK_OK(tb_buffer_data(tb_array_buffer(a), &ptr));
    return a;
}

static inline tb_array *op_synchronize(op_inputs *v)
{
    tb_array *a = op_pending(v);
    CHECK_OK(tb_device_synchronize(0));
    return a;
}

static inline tb_array *op_query(op_inputs *v)
{
    tb_array *a = op_pending(v);
    tb_stream *s = NULL;
    bool done;
    CHECK_OK(tb_stream_current(&s));
    CHECK_OK(tb_stream_query(s, &done));
    return a;
}

/* An event that another stream waits for, both with work pending. */
static inline tb_array *op_event(op_inputs *v)
{
    tb_stream *s = NULL;
    tb_event *e = NULL;
    CHECK_OK(tb_stream_current(&s));
    CHECK_OK(tb_event_new(0, &e));
    tb_array *a = op_pending(v);
    CHECK_OK(tb_event_record(e, s));
    tb_array *b = call("minimum", v->x, v->y);
    CHECK_OK(tb_stream_wait_event(s, e));
    tb_event_release(e);
    tb_array_release(b);
    return a;
}

static inline tb_array *op_statistics(op_inputs *v)
{
    tb_array *a = op_pending(v);
    tb_pool_stats stats;
    CHECK_OK(tb_pool_statistics(NULL, 0, &stats, sizeof stats));
    return a;
}

static const struct operation {
    const char *name;
    tb_array *(*run)(op_inputs *v); /* what it made, or what it wrote to */
} operations[] = {
    {"ufunc", op_ufunc},
    {"ufunc, out", op_ufunc_out},
    {"ufunc, out of another dtype", op_ufunc_cast},
    {"in place", op_in_place},
    {"in place where a mask is true", op_ufunc_where},
    {"two results in place", op_divmod},
    {"where", op_where},
    {"sum", op_sum},
    {"sum, out", op_sum_out},
    {"sum, out of another dtype", op_sum_cast},
    {"var", op_var},
    {"std, out", op_std_out},
    {"ptp", op_ptp},
    {"argmax", op_argmax},
    {"prod from an initial value", op_initial},
    {"bincount", op_bincount},
    {"scan", op_scan},
    {"scan, out", op_scan_out},
    {"scan in place", op_scan_itself},
    {"gather", op_gather},
    {"gather of rows", op_gather_rows},
    {"elements of a mask", op_mask_get},
    {"nonzero", op_nonzero},
    {"argwhere", op_argwhere},
    {"scatter of a number", op_scatter},
    {"scatter of what is written", op_scatter_itself},
    {"number where a mask is true", op_mask_set},
    {"values where a mask is true", op_mask_set_each},
    {"update", op_update},
    {"update where a mask is true", op_update_masked},
    {"assignment", op_assign},
    {"assignment of what is written", op_shift},
    {"assignment to windows", op_windows},
    {"fill", op_fill},
    {"assignment where a mask is true", op_assign_where},
    {"stack", op_stack},
    {"concatenate", op_concatenate},
    {"product of integers", op_matmul_integers},
    {"product, out", op_matmul_out},
    {"copy", op_copy},
    {"astype", op_astype},
    {"reshape", op_reshape},
    {"set and get", op_transfer},
    {"full", op_full},
    {"arange", op_arange},
    {"linspace", op_linspace},
    {"eye", op_eye},
    {"tri", op_tri},
    {"random numbers", op_random},
    {"address of an array", op_address},
    {"address for a while", op_share},
    {"address of a buffer", op_buffer},
    {"synchronisation", op_synchronize},
    {"query", op_query},
    {"event", op_event},
    {"statistics", op_statistics},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };
#endif
