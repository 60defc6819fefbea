/* ship_science.c - what functions of SciPy's modules compute of plain operations: parts of matrices moved and filled,
 * frames of signals, scores of samples, distances, tables of what is read and written by computed numbers. Most run by
 * steps, which are met here too; what has none, or is too large to be run by them, is here as a whole. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "ship.h"

enum { SIDE = 64, MOST = 16 };

/* What a program has made; of a program that has failed the rest makes nothing. */
static struct {
    tb_array *made[MOST];
    int n;
    tb_status status;
} now;

static tb_array *keep(tb_status status, tb_array *a)
{
    if (status == TB_OK && now.n == MOST) status = tb__fail(TB_ERR_INTERNAL, "a program of more than %d arrays", MOST);
    if (status != TB_OK) return now.status = status, NULL;
    return now.made[now.n++] = a;
}

/* Ends a program: evaluates what it has made last. What led to it is nobody's, so that it is not stored. */
static tb_status end(void)
{
    tb_status status = now.status;
    for (int i = 0; i + 1 < now.n; i++) tb_array_release(now.made[i]);
    tb_array *last = now.n > 0 ? now.made[now.n - 1] : NULL;
    if (status == TB_OK) status = tb_array_eval(last);
    tb_array_release(last);
    memset(&now, 0, sizeof now);
    return status;
}

/* A view with these strides in elements. */
static tb_array *view(tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides)
{
    const int64_t room = 2 * SIDE * SIDE + 8 * SIDE, size = (int64_t)tb_dtype_size(t);
    int64_t bytes[3];
    tb_array *base, *out = NULL;
    if (now.status != TB_OK) return NULL;
    for (int d = 0; d < ndim; d++) bytes[d] = strides[d] * size;
    tb_status status = tb_empty(t, 1, &room, 'C', &base);
    if (status != TB_OK) return keep(status, NULL);
    status = tb_as_strided(base, ndim, shape, bytes, 0, &out);
    tb_array_release(base);
    return keep(status, out);
}

static tb_array *flat(tb_dtype t) { return view(t, 1, (const int64_t[]){SIDE * SIDE}, (const int64_t[]){1}); }

static tb_array *many(tb_dtype t)
{
    const int64_t n = 1 << 20;
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    const tb_status status = tb_empty(t, 1, &n, 'C', &out);
    return keep(status, out);
}

static tb_array *one(tb_dtype t)
{
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    const tb_status status = tb_empty(t, 0, NULL, 'C', &out);
    return keep(status, out);
}

/* Some elements that are so far apart. */
static tb_array *apart(tb_dtype t, int64_t step) { return view(t, 1, (const int64_t[]){SIDE}, &step); }

static tb_array *matrix(tb_dtype t, int64_t n, int64_t pitch)
{
    return view(t, 2, (const int64_t[]){n, n}, (const int64_t[]){pitch, 1});
}

static tb_array *row(tb_dtype t, int64_t n) { return view(t, 2, (const int64_t[]){1, n}, (const int64_t[]){n, 1}); }

static tb_array *column(tb_dtype t, int64_t n) { return view(t, 2, (const int64_t[]){n, 1}, (const int64_t[]){1, 1}); }

static tb_operand of(tb_array *a) { return tb_operand_array(a); }
static tb_operand number(double x) { return tb_operand_float(x); }

static tb_array *call3(const char *name, tb_operand a, tb_operand b, tb_operand c)
{
    const tb_operand in[] = {a, b, c};
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    const tb_status status = tb_ufunc_call(tb_ufunc_find(name), in, &out, NULL);
    return keep(status, out);
}

static tb_array *call2(const char *name, tb_operand a, tb_operand b) { return call3(name, a, b, a); }
static tb_array *call1(const char *name, tb_array *a) { return call3(name, of(a), of(a), of(a)); }
static tb_array *both(const char *name, tb_array *a, tb_array *b) { return call2(name, of(a), of(b)); }

static tb_array *where(tb_array *condition, tb_operand x, tb_operand y)
{
    const tb_operand c = of(condition);
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    const tb_status status = tb_where(&c, &x, &y, &out);
    return keep(status, out);
}

static tb_array *cast(tb_array *a, tb_dtype t)
{
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    const tb_status status = tb_astype(a, t, 'K', TB_CAST_UNSAFE, true, &out);
    return keep(status, out);
}

static tb_array *reduced(tb_reduction r, tb_array *a, int axis)
{
    tb_reduce_args args = {sizeof args, .naxis = axis < 0 ? -1 : 1, .axis = {axis}};
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    args.dtype = tb_array_dtype(a);
    const tb_status status = tb_reduce(r, a, &args, &out);
    return keep(status, out);
}

static tb_array *product(tb_array *x, tb_array *y)
{
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    const tb_status status = tb_matmul(x, y, &out);
    return keep(status, out);
}

/* 0, 1, 2... */
static tb_array *count(tb_dtype t)
{
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    const tb_status status = tb_arange(t, tb_scalar_int(0), tb_scalar_int(1), SIDE * SIDE, &out);
    return keep(status, out);
}

/* Writes to all of an array, which is then what has been made last. */
static void store(tb_array *to, tb_operand from)
{
    const tb_index all = {.kind = TB_INDEX_ELLIPSIS};
    if (now.status != TB_OK) return;
    now.status = tb_array_index_set(to, 1, &all, &from);
    keep(now.status, tb_array_retain(to));
}

static tb_array *taken(tb_array *a, tb_array *index)
{
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = index};
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    const tb_status status = tb_array_index(a, 1, &key, &out);
    return keep(status, out);
}

static void put(tb_array *to, tb_array *index, tb_operand from)
{
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = index};
    if (now.status != TB_OK) return;
    now.status = tb_array_index_set(to, 1, &key, &from);
    keep(now.status, tb_array_retain(to));
}

static tb_array *copied(tb_array *a)
{
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    const tb_status status = tb_copy(a, 'C', &out);
    return keep(status, out);
}

/* ---- parts of matrices ------------------------------------------------------------------------------------------- */

/* Into rows that are so far apart, out of them, and between them: how many elements are moved together follows. */
static tb_status note_part(tb_dtype t, int64_t pitch)
{
    copied(matrix(t, SIDE, pitch));
    TB_TRY(end());
    store(matrix(t, SIDE, pitch), of(matrix(t, SIDE, SIDE)));
    TB_TRY(end());
    store(matrix(t, SIDE, pitch), of(matrix(t, SIDE, pitch + SIDE)));
    TB_TRY(end());
    store(matrix(t, SIDE, pitch), tb_operand_int(0));
    return end();
}

static tb_status note_parts(void)
{
    static const tb_dtype dtypes[] = {TB_I32, TB_I64, TB_F32, TB_F64, TB_C64, TB_C128};
    for (int i = 0; i < 6; i++) {
        for (int64_t pitch = SIDE + 1; pitch <= SIDE + 4; pitch += pitch - SIDE) TB_TRY(note_part(dtypes[i], pitch));
        store(apart(dtypes[i], 3), tb_operand_int(0));
        TB_TRY(end());
        store(apart(dtypes[i], 3), of(apart(dtypes[i], 2)));
        TB_TRY(end());
    }
    return TB_OK;
}

/* Of a matrix whose rows have an odd number of elements, and a row or a column. */
static tb_status note_odd(const char *name, tb_dtype t)
{
    both(name, matrix(t, SIDE - 1, SIDE - 1), row(t, SIDE - 1));
    TB_TRY(end());
    both(name, matrix(t, SIDE - 1, SIDE - 1), column(t, SIDE - 1));
    return end();
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

/* Frames that overlap by a half: with their means subtracted, and times a window. */
static tb_status note_frames(tb_dtype t)
{
    static const int64_t shape[] = {SIDE - 1, SIDE}, strides[] = {SIDE / 2, 1};
    both("multiply", view(t, 2, shape, strides), row(t, SIDE));
    TB_TRY(end());
    both("subtract", view(t, 2, shape, strides), column(t, SIDE - 1));
    TB_TRY(end());
    both("multiply", both("subtract", view(t, 2, shape, strides), column(t, SIDE - 1)), row(t, SIDE));
    return end();
}

/* The mean power of transforms, whose parts are next to each other, and how it may be computed step by step. */
static tb_status note_powers(tb_dtype t)
{
    static const int64_t shape[] = {SIDE, SIDE}, strides[] = {2 * SIDE, 2};
    tb_array *re = view(t, 2, shape, strides), *im = view(t, 2, shape, strides);
    reduced(TB_RED_MEAN, both("add", both("multiply", re, re), both("multiply", im, im)), 0);
    TB_TRY(end());
    tb_array *x = apart(t, 2);
    both("multiply", x, x);
    TB_TRY(end());
    reduced(TB_RED_MEAN, view(t, 2, shape, strides), 0);
    return end();
}

/* What transforms are multiplied with for the analytic signal. */
static tb_status note_one_sided(tb_dtype t, tb_dtype complex)
{
    tb_array *z = flat(complex), *i = count(TB_I64);
    const tb_operand n = tb_operand_int(SIDE * SIDE), two = tb_operand_int(2);
    tb_array *first = call2("equal", of(i), tb_operand_int(0));
    tb_array *below = call2("less", of(call2("multiply", two, of(i))), n);
    tb_array *middle = call2("equal", of(call2("multiply", two, of(i))), n);
    tb_array *rest = where(middle, tb_operand_int(1), tb_operand_int(0));
    tb_array *factor = where(first, tb_operand_int(1), of(where(below, two, of(rest))));
    both("multiply", z, cast(factor, t));
    return end();
}

/* A number less elements that are apart; a line subtracted; elements times a number of another dtype. */
static tb_status note_lines(tb_dtype t, tb_dtype complex)
{
    both("subtract", one(t), apart(t, 2));
    TB_TRY(end());
    tb_array *x = both("subtract", flat(t), one(t)), *at = call2("subtract", of(count(t)), number(2));
    both("subtract", x, both("multiply", one(t), at));
    TB_TRY(end());
    both("multiply", flat(complex), one(t));
    return end();
}

/* Weights for both ends of a signal. */
static tb_status note_ends(tb_dtype t)
{
    static const int64_t x[] = {2, 1, 11}, x_strides[] = {SIDE, SIDE, 1}, w[] = {2, 11, 5}, w_strides[] = {55, 5, 1};
    product(view(t, 3, x, x_strides), view(t, 3, w, w_strides));
    return end();
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static tb_status note_scores(tb_dtype t)
{
    tb_array *a = many(t), *out = NULL;
    if (now.status == TB_OK) {
        const tb_status status = tb_standardize(a, NULL, &out);
        keep(status, out);
    }
    return end();
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

/* Of vectors whose products and lengths are known. */
static tb_status note_cosines(tb_dtype t, int64_t n)
{
    tb_array *lengths = call1("sqrt", both("multiply", column(t, n), row(t, n)));
    tb_array *cosine = both("divide", matrix(t, n, n), lengths);
    call3("clip", of(call2("subtract", number(1), of(cosine))), number(0), number(2));
    return end();
}

/* Of r, which is evaluated. */
static tb_array *thin_plate(tb_array *r)
{
    tb_array *log = call1("log", call2("maximum", of(r), number(1e-200)));
    return both("multiply", both("multiply", r, r), log);
}

static tb_status note_splines(void)
{
    thin_plate(flat(TB_F64));
    TB_TRY(end());
    for (int64_t pitch = SIDE + 1; pitch <= SIDE + 2; pitch++) {
        store(matrix(TB_F64, SIDE, pitch), of(thin_plate(matrix(TB_F64, SIDE, SIDE))));
        TB_TRY(end());
    }
    both("divide", both("subtract", matrix(TB_F64, SIDE, SIDE), row(TB_F64, SIDE)), row(TB_F64, SIDE));
    return end();
}

/* ---- places that are computed ------------------------------------------------------------------------------------ */

static void added(tb_array *to, tb_array *index, tb_array *from)
{
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = index};
    const tb_operand value = of(from);
    if (now.status != TB_OK) return;
    now.status = tb_ufunc_update(tb_ufunc_find("add"), to, 1, &key, &value);
    keep(now.status, tb_array_retain(to));
}

/* Sums over the elements of labels from a number on, with one for all others. */
static tb_status note_labels(tb_dtype from, tb_dtype label)
{
    tb_array *place = call2("subtract", of(many(label)), tb_operand_int(1)), *values = many(from);
    tb_array *inside = both("bitwise_and", call2("greater_equal", of(place), tb_operand_int(0)),
                            call2("less", of(place), tb_operand_int(SIDE)));
    added(flat(TB_F64), where(inside, of(place), tb_operand_int(SIDE)), values);
    return end();
}

static tb_array *at_or_zero(tb_dtype t)
{
    tb_array *i = flat(TB_I32), *known = call2("greater_equal", of(i), tb_operand_int(0));
    return where(known, of(taken(flat(t), call2("maximum", of(i), tb_operand_int(0)))), tb_operand_int(0));
}

/* Of two sparse matrices, by where their elements come from. */
static tb_status note_matched(tb_dtype t, const char *name)
{
    tb_array *x = at_or_zero(t);
    both(name, x, at_or_zero(t));
    return end();
}

/* Elements added at places that are counted from one. */
static tb_status note_moved(tb_dtype t)
{
    added(flat(t), call2("subtract", of(flat(TB_I64)), tb_operand_int(1)), taken(flat(t), flat(TB_I64)));
    return end();
}

static tb_array *scanned(tb_array *a)
{
    tb_array *out = NULL;
    if (now.status != TB_OK) return NULL;
    const tb_status status = tb_scan(TB_RED_SUM, a, 0, tb_array_dtype(a), &out);
    return keep(status, out);
}

/* Rows that occur, and the places of elements that are below a number, in 32 bits. */
static tb_status note_tables(void)
{
    put(flat(TB_BOOL), cast(flat(TB_I64), TB_I32), tb_operand_int(1));
    TB_TRY(end());
    scanned(many(TB_I32));
    TB_TRY(end());
    scanned(cast(call2("less", of(many(TB_I32)), tb_operand_int(3)), TB_I32));
    return end();
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static tb_status note_of(tb_dtype t, tb_dtype complex)
{
    static const char *const names[] = {"add", "subtract", "multiply", "divide"};
    for (int i = 0; i < 4; i++) TB_TRY(note_odd(names[i], t));
    TB_TRY(note_odd("multiply", complex));
    TB_TRY(note_frames(t));
    TB_TRY(note_powers(t));
    TB_TRY(note_one_sided(t, complex));
    TB_TRY(note_lines(t, complex));
    TB_TRY(note_ends(t));
    reduced(TB_RED_ENTROPY, many(t), 0);
    TB_TRY(end());
    TB_TRY(note_scores(t));
    for (int64_t n = SIDE - 1; n <= SIDE; n++) TB_TRY(note_cosines(t, n));
    TB_TRY(note_labels(t, TB_I32));
    TB_TRY(note_labels(t, TB_I64));
    TB_TRY(note_moved(t));
    TB_TRY(note_matched(t, "add"));
    return note_matched(t, "subtract");
}

tb_status ship_science(void)
{
    TB_TRY(note_parts());
    TB_TRY(note_of(TB_F32, TB_C64));
    TB_TRY(note_of(TB_F64, TB_C128));
    TB_TRY(note_splines());
    return note_tables();
}
