/* ship_kernels.c - makes the bundle of compiled kernels that goes with the library, for one architecture.
 *
 *   ship_kernels auto|enabled ARCH OUTPUT
 *
 * Programs of common operations run through the public API on a backend that executes nothing and notes the plans: so
 * kernels are exactly those that such programs meet. Which sizes occur follows from what distinguishes two sources
 * (codegen/variant.c). With `auto` the bundle is empty unless this machine has a GPU that it serves, and NVRTC knows
 * the architecture. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/compile.h"
#include "backend/cuda/dynlib.h"
#include "backend/gpu/kernel.h"
#include "base/error.h"
#include "base/threads.h"
#include "ship.h"

enum { MAX_KERNELS = 4096 };

/* ---- noting plans --------------------------------------------------------------------------------------------- */

/* Where the form of a kernel depends on the chip it is a question of size, and both forms are asked for below. */
static const tb_chip chip = {.sms = 108, .threads_per_sm = 2048, .max_shared = 48 << 10};

static char *sources[MAX_KERNELS];
static int nsource, noted;

static tb_status note_source(const tb_plan *p)
{
    tb_text source = {0};
    TB_TRY(tb__codegen_source(p, &chip, &source));
    for (int i = 0; i < nsource; i++) {
        if (strcmp(sources[i], source.s) != 0) continue;
        tb__text_free(&source);
        return TB_OK;
    }
    if (nsource == MAX_KERNELS) return tb__fail(TB_ERR_INTERNAL, "more than %d kernels", MAX_KERNELS);
    sources[nsource++] = source.s;
    return TB_OK;
}

/* A plan's steps as well, on which it runs until its own kernel is there, or if it is another one after all. */
tb_status ship_note(tb_stream *s, const tb_plan *p)
{
    static _Alignas(256) char memory[TB_PLAN_MAXINSTR][256];
    void *slots[TB_PLAN_MAXINSTR];
    tb_steps steps;
    tb_plan step;
    (void)s;
    noted++;
    TB_TRY(note_source(p));
    if (p->kind == TB_PLAN_ROUTINE || !tb__steps_of(p, &steps)) return TB_OK;
    for (int i = 0; i < TB_PLAN_MAXINSTR; i++) slots[i] = memory[i];
    for (int i = 0; i < steps.n; i++) {
        tb__steps_plan(&steps, i, slots, &step);
        TB_TRY(note_source(&step));
    }
    return TB_OK;
}

tb_status ship_note_sources(tb_stream *s, const tb_routine_source *source, int n)
{
    for (int i = 0; i < n; i++) {
        const tb_routine r = {.source = source[i]};
        const tb_plan p = {.kind = TB_PLAN_ROUTINE, .routine = &r};
        TB_TRY(ship_note(s, &p));
    }
    return TB_OK;
}

static tb_status note_sort(tb_stream *s, const tb_sort_rows *rows)
{
    tb_routine_source source[TB_SORT_SOURCES];
    const int n = tb__sort_sources(rows->dtype, rows->n, rows->order != NULL, source);
    return ship_note_sources(s, source, n);
}

static tb_status note_search(tb_stream *s, const tb_search *x)
{
    return ship_note_sources(s, (tb_routine_source[]){tb__search_source(x->dtype, x->right)}, 1);
}

static tb_status note_sparse_step(tb_stream *s, const tb_sparse_step *x)
{
    return ship_note_sources(s, (tb_routine_source[]){tb__sparse_step_source(x->kind, x->a.wide)}, 1);
}

/* Products come as the kernels that serve small ones; the others are a library's. */
static bool never(const tb_gemm *g)
{
    (void)g;
    return false;
}

/* What nobody has computed: as many true elements as they are counted to be. */
static tb_status read_counts(tb_stream *s, void *host, const void *src, size_t n, bool blocking)
{
    const int64_t some = 500;
    (void)s, (void)src, (void)blocking;
    memset(host, 0, n);
    if (n >= sizeof some) memcpy(host, &some, sizeof some);
    return TB_OK;
}

/* Nor has anybody solved; singular vectors come as a GPU's library leaves them. */
static tb_status solve_nothing(tb_stream *s, const tb_solve *q)
{
    (void)s;
    if (q->plain) *q->plain = true;
    return TB_OK;
}

static tb_status use_notebook(void)
{
    static tb_backend notebook;
    setenv("TOMBAC_BACKEND", "cpu", 1);
    TB_TRY(tb_init());
    notebook = *tb__backend;
    notebook.on_host = false; /* plans for a GPU are wanted */
    notebook.run = ship_note;
    notebook.gemm_suits = never;
    notebook.reduce_line = NULL;
    notebook.find_set = NULL;
    notebook.copy_out = read_counts;
    notebook.sort = note_sort;
    notebook.search = note_search;
    notebook.solve = solve_nothing;
    notebook.sparse = NULL;
    notebook.sparse_step = note_sparse_step;
    tb__backend = &notebook;
    return TB_OK;
}

/* Evaluates and drops an array; there must have been a plan since the last one. */
static tb_status finish(tb_array *a)
{
    static int last;
    tb_status status = tb_array_eval(a);
    tb_array_release(a);
    if (status == TB_OK && noted == last) status = tb__fail(TB_ERR_INTERNAL, "a program that met no plan");
    last = noted;
    return status;
}

static tb_dtype dtype_of(char letter)
{
    switch (letter) {
    case 'b': return TB_BOOL;
    case 'i': return TB_I32;
    case 'l': return TB_I64;
    case 'f': return TB_F32;
    case 'F': return TB_C64;
    case 'D': return TB_C128;
    default: return TB_F64;
    }
}

/* ---- elementwise functions ------------------------------------------------------------------------------------ */

/* Operands, a letter each: 'a', 'b' two flat arrays, 's' a number, '0' an array of one element, 'm' a matrix, 'r' and
 * 'c' a row and a column to go with it, 'u' a flat array that begins an element later than its memory. */
typedef struct elementwise {
    const char *name, *dtypes, *operands;
} elementwise;

static const elementwise functions[] = {
    {"add", "ilfd", "ab as sa"},
    {"subtract", "ilfd", "ab as sa"},
    {"multiply", "ilfd", "ab as sa aa"},
    {"divide", "fd", "ab as sa"},
    {"divide", "il", "ab as"},
    {"add", "fd", "a0 mr mc rm"},
    {"subtract", "fd", "a0 0a mr mc rm"},
    {"multiply", "fd", "a0 0a mr mc cm"},
    {"divide", "fd", "a0 mr mc"},
    {"floor_divide", "ilfd", "as"},
    {"remainder", "ilfd", "as"},
    {"power", "fd", "ab as sa"},
    {"power", "il", "as"},
    {"maximum", "ilfd", "ab as"},
    {"minimum", "ilfd", "ab as"},
    {"equal", "lfd", "ab as"},
    {"equal", "i", "as"},
    {"less", "i", "as"},
    {"greater_equal", "i", "as"},
    {"not_equal", "lfd", "ab as"},
    {"less", "lfd", "ab as"},
    {"less_equal", "lfd", "ab as"},
    {"greater", "lfd", "ab as"},
    {"greater_equal", "lfd", "ab as"},
    {"bitwise_and", "b", "ab"},
    {"bitwise_or", "b", "ab"},
    {"logical_not", "b", "a"},
    {"minimum", "fd", "a0"},
    {"maximum", "fd", "a0"},
    {"less", "fd", "a0"},
    {"greater", "fd", "a0"},
    {"clip", "fd", "ass"},
    {"multiply", "FD", "ab as mr"},
    {"add", "FD", "ab"},
    {"multiply", "l", "mr mc"},
    {"negative", "ilfd", "a"},
    {"absolute", "ilfd", "a"},
    {"square", "ilfd", "a"},
    {"sign", "fd", "a"},
    {"sqrt", "fd", "a"},
    {"exp", "fd", "a"},
    {"log", "fd", "a"},
    {"log1p", "fd", "a"},
    {"sin", "fd", "a"},
    {"cos", "fd", "a"},
    {"tanh", "fd", "a"},
    {"floor", "fd", "a"},
    {"isnan", "fd", "a"},
    {"isfinite", "fd", "a"},
};

static const int64_t flat_shape[] = {1000}, matrix_shape[] = {64, 64}, column_shape[] = {64, 1};

/* All but the first of some elements. */
static tb_status later(tb_dtype t, tb_array **out)
{
    const int64_t n = flat_shape[0] + 1;
    const tb_index rest = {.kind = TB_INDEX_SLICE, .has_start = true, .start = 1, .step = 1};
    tb_array *base;
    TB_TRY(tb_empty(t, 1, &n, 'C', &base));
    const tb_status status = tb_array_index(base, 1, &rest, out);
    tb_array_release(base);
    return status;
}

static tb_status operand(char letter, tb_dtype t, tb_operand *out)
{
    const int64_t *shape = letter == 'm'   ? matrix_shape
                           : letter == 'c' ? column_shape
                           : letter == 'r' ? matrix_shape
                                           : flat_shape;
    const int ndim = letter == '0' ? 0 : letter == 'm' || letter == 'c' ? 2 : 1;
    *out = tb_operand_int(3);
    if (letter == 's') return TB_OK;
    *out = tb_operand_array(NULL);
    return letter == 'u' ? later(t, &out->array) : tb_empty(t, ndim, shape, 'C', &out->array);
}

static tb_status call(const tb_ufunc *u, tb_dtype t, const char *letters, int n)
{
    tb_operand in[3] = {tb_operand_array(NULL), tb_operand_array(NULL), tb_operand_array(NULL)};
    tb_array *out = NULL;
    tb_status status = TB_OK;
    for (int k = 0; k < n && status == TB_OK; k++) {
        if (k == 1 && letters[0] == letters[1]) in[1].array = tb_array_retain(in[0].array);
        else status = operand(letters[k], t, &in[k]);
    }
    if (status == TB_OK) status = tb_ufunc_call(u, in, &out, NULL);
    if (status == TB_OK) status = tb_array_eval(out);
    tb_array_release(out);
    for (int k = 0; k < n; k++) tb_array_release(in[k].array);
    return status;
}

/* The same, but that a flat array begins an element later: then elements are not taken together. */
static tb_status call_later(const tb_ufunc *u, tb_dtype t, const char *letters, int n)
{
    char later[3];
    for (int k = 0; k < n; k++) {
        if (strchr("mrc", letters[k])) return TB_OK;
        later[k] = letters[k];
    }
    for (int k = 0; k < n; k++) {
        if (later[k] != 'a') continue;
        later[k] = 'u';
        return call(u, t, later, n);
    }
    return TB_OK;
}

static tb_status note_function(const elementwise *f)
{
    const tb_ufunc *u = tb_ufunc_find(f->name);
    if (!u) return tb__fail(TB_ERR_INTERNAL, "there is no %s", f->name);
    const int nin = tb_ufunc_nin(u);
    for (const char *t = f->dtypes; *t; t++)
        for (const char *letters = f->operands; *letters; letters += nin + (letters[nin] == ' ')) {
            TB_TRY(call(u, dtype_of(*t), letters, nin));
            TB_TRY(call_later(u, dtype_of(*t), letters, nin));
        }
    return TB_OK;
}

static tb_status note_where(tb_dtype t, const char *letters)
{
    tb_operand condition, x = tb_operand_array(NULL), y = tb_operand_array(NULL);
    tb_array *out = NULL;
    TB_TRY(operand('a', TB_BOOL, &condition));
    tb_status status = operand(letters[0], t, &x);
    if (status == TB_OK) status = operand(letters[1], t, &y);
    if (status == TB_OK) status = tb_where(&condition, &x, &y, &out);
    if (status == TB_OK) status = tb_array_eval(out);
    tb_array_release(out);
    tb_array_release(y.array);
    tb_array_release(x.array);
    tb_array_release(condition.array);
    return status;
}

static tb_status note_cast(tb_dtype from, tb_dtype to)
{
    tb_array *a, *out = NULL;
    if (from == to) return TB_OK;
    TB_TRY(tb_empty(from, 1, flat_shape, 'C', &a));
    tb_status status = tb_astype(a, to, 'K', TB_CAST_UNSAFE, true, &out);
    tb_array_release(a);
    return status == TB_OK ? finish(out) : status;
}

static tb_status note_elementwise(void)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) TB_TRY(note_function(&functions[i]));
    for (const char *t = "ilfd"; *t; t++) {
        TB_TRY(note_where(dtype_of(*t), "ab"));
        TB_TRY(note_where(dtype_of(*t), "as"));
        TB_TRY(note_where(dtype_of(*t), "sa"));
        TB_TRY(note_where(dtype_of(*t), "ss"));
        TB_TRY(note_where(dtype_of(*t), "su"));
    }
    for (const char *from = "bilfd"; *from; from++)
        for (const char *to = "bilfd"; *to; to++) TB_TRY(note_cast(dtype_of(*from), dtype_of(*to)));
    TB_TRY(note_cast(TB_F32, TB_C64));
    TB_TRY(note_cast(TB_F64, TB_C128));
    TB_TRY(note_cast(TB_U8, TB_F32));
    return note_cast(TB_F32, TB_U8);
}

/* ---- creation, copies ----------------------------------------------------------------------------------------- */

static tb_status note_filled(tb_dtype t)
{
    tb_array *out;
    TB_TRY(tb_full(t, 1, flat_shape, 'C', tb_scalar_int(1), &out));
    TB_TRY(finish(out));
    if (t == TB_BOOL) return TB_OK;
    TB_TRY(tb_arange(t, tb_scalar_int(0), tb_scalar_int(1), 1000, &out));
    TB_TRY(finish(out));
    if (t < TB_F32) return TB_OK;
    TB_TRY(tb_eye(t, 64, 64, 0, 'C', &out));
    TB_TRY(finish(out));
    TB_TRY(tb_linspace(t, tb_scalar_int(0), tb_scalar_int(1), 1000, true, &out));
    return finish(out);
}

/* A copy in C order of a view whose strides, in elements, are given. */
static tb_status note_copy(tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides)
{
    const int64_t room = 4096, size = (int64_t)tb_dtype_size(t);
    const int64_t first = strides[0] < 0 ? room - 1 : 0;
    int64_t bytes[2];
    tb_array *base, *view, *out = NULL;
    for (int d = 0; d < ndim; d++) bytes[d] = strides[d] * size;
    TB_TRY(tb_empty(t, 1, &room, 'C', &base));
    tb_status status = tb_as_strided(base, ndim, shape, bytes, first * size, &view);
    tb_array_release(base);
    if (status != TB_OK) return status;
    status = tb_copy(view, 'C', &out);
    tb_array_release(view);
    return status == TB_OK ? finish(out) : status;
}

/* Elements, and others of one number, into the middle of an array. */
static tb_status note_store(tb_dtype t)
{
    const int64_t n = flat_shape[0] + 1;
    const tb_index rest = {.kind = TB_INDEX_SLICE, .has_start = true, .start = 1, .step = 1};
    const tb_operand number = tb_operand_int(3);
    tb_operand from = tb_operand_array(NULL);
    tb_array *to = NULL;
    TB_TRY(operand('a', t, &from));
    tb_status status = tb_empty(t, 1, &n, 'C', &to);
    if (status == TB_OK) status = tb_array_index_set(to, 1, &rest, &from);
    if (status == TB_OK) status = tb_array_eval(to);
    if (status == TB_OK) status = tb_array_index_set(to, 1, &rest, &number);
    tb_array_release(from.array);
    return status == TB_OK ? finish(to) : (tb_array_release(to), status);
}

static tb_status note_copies(tb_dtype t)
{
    const int64_t half[] = {32, 32};
    TB_TRY(note_copy(t, 1, flat_shape, (int64_t[]){1}));
    TB_TRY(note_copy(t, 1, flat_shape, (int64_t[]){2}));
    TB_TRY(note_copy(t, 1, flat_shape, (int64_t[]){-1}));
    TB_TRY(note_store(t));
    TB_TRY(note_copy(t, 2, half, (int64_t[]){64, 1}));
    return note_copy(t, 2, matrix_shape, (int64_t[]){1, 64});
}

static tb_status note_random(tb_distribution d, tb_dtype t)
{
    tb_rng rng = {1, 0};
    tb_array *out;
    TB_TRY(tb_random(&rng, d, t, tb_scalar_int(0), tb_scalar_int(1), 1, flat_shape, &out));
    return finish(out);
}

static tb_status note_creation(void)
{
    for (const char *t = "bilfd"; *t; t++) TB_TRY(note_filled(dtype_of(*t)));
    for (const char *t = "ilfd"; *t; t++) TB_TRY(note_copies(dtype_of(*t)));
    for (const char *t = "fd"; *t; t++) {
        TB_TRY(note_random(TB_RAND_UNIFORM, dtype_of(*t)));
        TB_TRY(note_random(TB_RAND_NORMAL, dtype_of(*t)));
    }
    for (const char *t = "FD"; *t; t++) TB_TRY(note_copies(dtype_of(*t)));
    return note_random(TB_RAND_INTEGERS, TB_I64);
}

/* ---- reductions, scans ---------------------------------------------------------------------------------------- */

/* Cases, a letter each: of all elements 't' of a few, 'f' of many, 's' of every other one; of a matrix along 'r' short
 * rows, 'R' long rows, 'c' columns. */
typedef struct reduction {
    tb_reduction op;
    const char *dtypes, *cases;
} reduction;

static const reduction reductions[] = {
    {TB_RED_SUM, "fd", "tfrRc"},       {TB_RED_SUM, "l", "tfRc"},   {TB_RED_SUM, "ib", "f"},
    {TB_RED_MEAN, "fd", "tfsrRc"},     {TB_RED_MEAN, "il", "f"},    {TB_RED_MIN, "fd", "tfRc"},
    {TB_RED_MAX, "fd", "tfrRc"},       {TB_RED_MIN, "il", "tf"},    {TB_RED_MAX, "il", "tf"},
    {TB_RED_ARGMIN, "lfd", "f"},       {TB_RED_ARGMAX, "l", "f"},   {TB_RED_ARGMAX, "fd", "frR"},
    {TB_RED_ANY, "b", "tf"},           {TB_RED_ALL, "b", "tf"},     {TB_RED_COUNT_NONZERO, "b", "tf"},
    {TB_RED_COUNT_NONZERO, "fd", "f"}, {TB_RED_STD, "fd", "tfsRc"}, {TB_RED_VAR, "fd", "r"},
    {TB_RED_LOGSUMEXP, "fd", "frR"},   {TB_RED_SUM, "FD", "fR"},    {TB_RED_MAX, "fd", "r"},
};

static tb_status reducible(char letter, tb_dtype t, tb_array **out)
{
    static const int64_t few[] = {20}, many[] = {10000}, rows[] = {64, 1000};
    tb_array *base;
    switch (letter) {
    case 't': return tb_empty(t, 1, few, 'C', out);
    case 'f': return tb_empty(t, 1, many, 'C', out);
    case 'R': return tb_empty(t, 2, rows, 'C', out);
    case 's': break;
    default: return tb_empty(t, 2, matrix_shape, 'C', out);
    }
    TB_TRY(tb_empty(t, 1, many, 'C', &base));
    const tb_index every_other = {.kind = TB_INDEX_SLICE, .step = 2};
    tb_status status = tb_array_index(base, 1, &every_other, out);
    tb_array_release(base);
    return status;
}

static tb_status note_reduction(const reduction *r, tb_dtype t, char letter)
{
    const tb_reduce_args args = {sizeof args, .naxis = strchr("tfs", letter) ? -1 : 1, .axis = {letter == 'c' ? 0 : 1},
                                 .dtype = TB_NODTYPE};
    tb_array *a, *out = NULL;
    TB_TRY(reducible(letter, t, &a));
    tb_status status = tb_reduce(r->op, a, &args, &out);
    tb_array_release(a);
    return status == TB_OK ? finish(out) : status;
}

static tb_status note_scan(tb_dtype t, int64_t n)
{
    tb_array *a, *out = NULL;
    TB_TRY(tb_empty(t, 1, &n, 'C', &a));
    tb_status status = tb_scan(TB_RED_SUM, a, 0, TB_NODTYPE, &out);
    tb_array_release(a);
    return status == TB_OK ? finish(out) : status;
}

static tb_status note_reductions(void)
{
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        for (const char *t = reductions[i].dtypes; *t; t++)
            for (const char *letter = reductions[i].cases; *letter; letter++)
                TB_TRY(note_reduction(&reductions[i], dtype_of(*t), *letter));
    for (const char *t = "ilfd"; *t; t++) {
        TB_TRY(note_scan(dtype_of(*t), 1000));
        TB_TRY(note_scan(dtype_of(*t), 1 << 20));
    }
    return TB_OK;
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

static tb_status note_order(tb_dtype t, int64_t n)
{
    tb_array *a, *sorted, *order = NULL;
    TB_TRY(tb_empty(t, 1, &n, 'C', &a));
    tb_status status = tb_sort(a, -1, &sorted);
    if (status == TB_OK) status = finish(sorted);
    if (status == TB_OK) status = tb_argsort(a, -1, &order);
    tb_array_release(a);
    return status == TB_OK ? finish(order) : status;
}

static tb_status note_positions(tb_dtype t, bool right)
{
    const int64_t n = 1000;
    tb_array *sorted, *places;
    TB_TRY(tb_empty(t, 1, &n, 'C', &sorted));
    tb_status status = tb_searchsorted(sorted, sorted, right, &places);
    tb_array_release(sorted);
    return status == TB_OK ? finish(places) : status;
}

static tb_status note_orders(void)
{
    static const int64_t lengths[] = {1000, 2000, 4000, 1 << 20};
    for (const char *t = "ilfd"; *t; t++) {
        for (int k = 0; k < 4; k++) TB_TRY(note_order(dtype_of(*t), lengths[k]));
        TB_TRY(note_positions(dtype_of(*t), false));
        TB_TRY(note_positions(dtype_of(*t), true));
    }
    return TB_OK;
}

/* ---- products ------------------------------------------------------------------------------------------------- */

/* x y, or x y' */
static tb_status note_product(tb_dtype t, int x_ndim, int y_ndim, bool turned)
{
    tb_array *x, *y = NULL, *out = NULL;
    TB_TRY(tb_empty(t, x_ndim, matrix_shape, 'C', &x));
    tb_status status = tb_empty(t, y_ndim, matrix_shape, turned ? 'F' : 'C', &y);
    if (status == TB_OK) status = tb_matmul(x, y, &out);
    tb_array_release(y);
    tb_array_release(x);
    return status == TB_OK ? finish(out) : status;
}

static tb_status note_products(void)
{
    for (const char *t = "lfd"; *t; t++) {
        TB_TRY(note_product(dtype_of(*t), 1, 1, false));
        TB_TRY(note_product(dtype_of(*t), 2, 1, false));
        TB_TRY(note_product(dtype_of(*t), 1, 2, false));
        TB_TRY(note_product(dtype_of(*t), 2, 2, false));
        TB_TRY(note_product(dtype_of(*t), 2, 2, true));
    }
    return TB_OK;
}

/* ---- indexing -------------------------------------------------------------------------------------------------- */

/* Elements of a vector, rows of a matrix: read, written, and added to. */
static tb_status note_places(tb_array *a, tb_array *index)
{
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = index};
    const tb_operand zero = tb_operand_int(0);
    tb_array *x;
    TB_TRY(tb_array_index(a, 1, &key, &x));
    TB_TRY(tb_array_eval(x));
    const tb_operand value = tb_operand_array(x);
    tb_status status = tb_array_index_set(a, 1, &key, &value);
    if (status == TB_OK) status = tb_array_index_set(a, 1, &key, &zero);
    if (status == TB_OK) status = tb_ufunc_update(tb_ufunc_find("add"), a, 1, &key, &value);
    tb_array_release(x);
    return status;
}

/* Where elements are true, and those of an array there. */
static tb_status note_masks(int64_t n)
{
    tb_array *mask, *a = NULL, *out = NULL;
    TB_TRY(tb_empty(TB_BOOL, 1, &n, 'C', &mask));
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = mask};
    tb_status status = tb_argwhere(mask, &out);
    if (status == TB_OK) status = finish(out);
    for (const char *t = "lfd"; *t && status == TB_OK; t++) {
        status = tb_empty(dtype_of(*t), 1, &n, 'C', &a);
        if (status == TB_OK) status = tb_array_index(a, 1, &key, &out);
        if (status == TB_OK) status = finish(out);
        tb_array_release(a);
        a = NULL;
    }
    tb_array_release(mask);
    return status;
}

/* Sums by number: of elements, and of ones. */
static tb_status note_sums(tb_dtype to, tb_dtype from, tb_dtype number)
{
    tb_operand values = tb_operand_array(NULL), index = tb_operand_array(NULL), sums = tb_operand_array(NULL);
    const tb_operand one = tb_operand_int(1);
    TB_TRY(operand('a', from, &values));
    tb_status status = operand('a', number, &index);
    if (status == TB_OK) status = operand('a', to, &sums);
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = index.array};
    if (status == TB_OK) status = tb_ufunc_update(tb_ufunc_find("add"), sums.array, 1, &key, &values);
    if (status == TB_OK) status = tb_ufunc_update(tb_ufunc_find("add"), sums.array, 1, &key, &one);
    tb_array_release(sums.array);
    tb_array_release(index.array);
    tb_array_release(values.array);
    return status;
}

static tb_status note_indexing(void)
{
    TB_TRY(note_masks(1000));
    TB_TRY(note_masks(1 << 20));
    for (const char *t = "il"; *t; t++) {
        TB_TRY(note_sums(TB_F64, TB_F32, dtype_of(*t)));
        TB_TRY(note_sums(TB_F64, TB_F64, dtype_of(*t)));
        TB_TRY(note_sums(dtype_of(*t), dtype_of(*t), dtype_of(*t)));
    }
    for (const char *t = "lfd"; *t; t++) {
        for (int ndim = 1; ndim <= 2; ndim++) {
            for (const char *i = "il"; *i; i++) {
                tb_array *a, *index;
                TB_TRY(tb_empty(dtype_of(*t), ndim, ndim == 1 ? flat_shape : matrix_shape, 'C', &a));
                TB_TRY(tb_empty(dtype_of(*i), 1, flat_shape, 'C', &index));
                TB_TRY(note_places(a, index));
                tb_array_release(index);
                tb_array_release(a);
            }
        }
    }
    return TB_OK;
}

/* ---- making the bundle ---------------------------------------------------------------------------------------- */

static tb_kernel_name names[MAX_KERNELS];
static tb_image images[MAX_KERNELS];

/* What threads share. */
static struct {
    int arch, next; /* next: the first source that nobody has begun with */
    tb_status status;
    char message[4096]; /* of the first that failed */
    pthread_mutex_t mutex;
} work = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Another architecture's machine code, or PTX, is no help: a kernel that is missing is compiled where it is met. */
static tb_status compile(int i)
{
    TB_TRY(tb__cuda_compile(sources[i], work.arch, false, &images[i]));
    if (images[i].size < 4 || memcmp(images[i].data, "\177ELF", 4) != 0)
        return tb__fail(TB_ERR_COMPILE, "NVRTC does not know architecture %d", work.arch);
    tb__disk_shipped_name(sources[i], work.arch, &names[i]);
    return TB_OK;
}

static void *compile_some(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&work.mutex);
    while (work.next < nsource && work.status == TB_OK) {
        const int i = work.next++;
        pthread_mutex_unlock(&work.mutex);
        const tb_status status = compile(i);
        pthread_mutex_lock(&work.mutex);
        if (status == TB_OK || work.status != TB_OK) continue;
        work.status = status;
        snprintf(work.message, sizeof work.message, "%s", tb_error_message());
    }
    pthread_mutex_unlock(&work.mutex);
    return NULL;
}

static tb_status compile_all(int arch)
{
    enum { MOST_THREADS = 16 };
    pthread_t threads[MOST_THREADS];
    const int wanted = tb__processors() < MOST_THREADS ? tb__processors() : MOST_THREADS;
    int n = 0;
    work.arch = arch;
    while (n < wanted - 1 && pthread_create(&threads[n], NULL, compile_some, NULL) == 0) n++;
    compile_some(NULL);
    while (n > 0) pthread_join(threads[--n], NULL);
    return work.status == TB_OK ? TB_OK : tb__fail(work.status, "%s", work.message);
}

/* Machine code runs on GPUs of its major version, from its minor version on. */
static bool is_served(int device, int arch)
{
    CUdevice d;
    int major = 0, minor = 0;
    return tb__cu.cuDeviceGet(&d, device) == CUDA_SUCCESS &&
           tb__cu.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d) == CUDA_SUCCESS &&
           tb__cu.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, d) == CUDA_SUCCESS &&
           major == arch / 10 && minor >= arch % 10;
}

static bool is_here(int arch)
{
    int n = 0;
    if (tb__library_load(&tb__library_cuda) != TB_OK || tb__cu.cuInit(0) != CUDA_SUCCESS ||
        tb__cu.cuDeviceGetCount(&n) != CUDA_SUCCESS)
        return false;
    for (int i = 0; i < n; i++)
        if (is_served(i, arch)) return true;
    return false;
}

static tb_status make(int arch, bool optional, const char *path)
{
    TB_TRY(use_notebook());
    TB_TRY(note_elementwise());
    TB_TRY(note_creation());
    TB_TRY(note_reductions());
    TB_TRY(note_orders());
    TB_TRY(note_products());
    TB_TRY(note_indexing());
    TB_TRY(ship_routines());
    TB_TRY(ship_sparse());
    TB_TRY(ship_special());
    TB_TRY(ship_science());
    TB_TRY(ship_linalg());
    TB_TRY(ship_random());
    int n = nsource;
    tb_status status = compile_all(arch);
    if (status != TB_OK && (!optional || (status != TB_ERR_LIBRARY && status != TB_ERR_COMPILE))) return status;
    if (status != TB_OK) {
        fprintf(stderr, "no kernels are shipped for architecture %d: %s\n", arch, tb_error_message());
        n = 0;
    }
    if (!tb__bundle_write(path, (size_t)n, names, images)) return tb__fail(TB_ERR_VALUE, "cannot write %s", path);
    for (int i = 0; i < nsource; i++) {
        free(sources[i]);
        free(images[i].data);
    }
    return TB_OK;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: ship_kernels auto|enabled ARCH OUTPUT\n");
        return 2;
    }
    const int arch = atoi(argv[2]);
    const bool optional = strcmp(argv[1], "auto") == 0;
    if (optional && !is_here(arch)) {
        printf("no kernels are shipped for architecture %d: no such GPU is here\n", arch);
        if (tb__bundle_write(argv[3], 0, NULL, NULL)) return 0;
        fprintf(stderr, "ship_kernels: cannot write %s\n", argv[3]);
        return 1;
    }
    if (make(arch, optional, argv[3]) == TB_OK) return 0;
    fprintf(stderr, "ship_kernels: %s\n", tb_error_message());
    return 1;
}
