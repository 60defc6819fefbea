/* ship_science.c - what functions of SciPy's modules compute of plain operations: parts of matrices moved and filled,
 * frames of signals, scores of samples, distances, tables of what is read and written by computed numbers. Most run by
 * steps, which are met here too; what has none, or is too large to be run by them, is here as a whole. */
#include "base/error.h"
#include "ship.h"
#include "ship_programs.h"

/* ---- parts of matrices ------------------------------------------------------------------------------------------- */

/* Into rows that are so far apart, out of them, and between them: how many elements are moved together follows. */
static tb_status note_part(tb_dtype t, int64_t pitch)
{
    copied(matrix(t, SIDE, pitch));
    TB_TRY(done());
    store(matrix(t, SIDE, pitch), of(matrix(t, SIDE, SIDE)));
    TB_TRY(done());
    store(matrix(t, SIDE, pitch), of(matrix(t, SIDE, pitch + SIDE)));
    TB_TRY(done());
    store(matrix(t, SIDE, pitch), of(matrix(t, SIDE, pitch)));
    TB_TRY(done());
    store(matrix(t, SIDE, pitch), tb_operand_int(0));
    return done();
}

static tb_status note_parts(void)
{
    static const tb_dtype dtypes[] = {TB_I32, TB_I64, TB_F32, TB_F64, TB_C64, TB_C128};
    for (int i = 0; i < 6; i++) {
        for (int64_t pitch = SIDE + 1; pitch <= SIDE + 4; pitch += pitch - SIDE) TB_TRY(note_part(dtypes[i], pitch));
        store(apart(dtypes[i], 3), tb_operand_int(0));
        TB_TRY(done());
        store(apart(dtypes[i], 3), of(apart(dtypes[i], 2)));
        TB_TRY(done());
    }
    return TB_OK;
}

/* Of a matrix whose rows have an odd number of elements, and a row or a column. */
static tb_status note_odd(const char *name, tb_dtype t)
{
    both(name, matrix(t, SIDE - 1, SIDE - 1), row(t, SIDE - 1));
    TB_TRY(done());
    both(name, matrix(t, SIDE - 1, SIDE - 1), column(t, SIDE - 1));
    return done();
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

/* Frames that overlap by a half: with their means subtracted, and times a window. */
static tb_status note_frames(tb_dtype t)
{
    static const int64_t shape[] = {SIDE - 1, SIDE}, strides[] = {SIDE / 2, 1};
    both("multiply", view(t, 2, shape, strides), row(t, SIDE));
    TB_TRY(done());
    both("subtract", view(t, 2, shape, strides), column(t, SIDE - 1));
    TB_TRY(done());
    both("multiply", both("subtract", view(t, 2, shape, strides), column(t, SIDE - 1)), row(t, SIDE));
    return done();
}

/* The mean power of transforms, whose parts are next to each other, and how it may be computed step by step. */
static tb_status note_powers(tb_dtype t)
{
    static const int64_t shape[] = {SIDE, SIDE}, strides[] = {2 * SIDE, 2};
    tb_array *re = view(t, 2, shape, strides), *im = view(t, 2, shape, strides);
    reduced(TB_RED_MEAN, both("add", both("multiply", re, re), both("multiply", im, im)), 0);
    TB_TRY(done());
    tb_array *x = apart(t, 2);
    both("multiply", x, x);
    TB_TRY(done());
    reduced(TB_RED_MEAN, view(t, 2, shape, strides), 0);
    return done();
}

/* What transforms are multiplied with for the analytic signal, and the signal beside what they become. */
static tb_status note_quarter_turns(tb_dtype t, tb_dtype complex)
{
    tb_array *half = flat(complex), *k = count(TB_I64);
    tb_array *first = call2("equal", of(k), tb_operand_int(0));
    tb_array *twice = call2("multiply", tb_operand_int(2), of(k));
    tb_array *last = call2("equal", of(twice), tb_operand_int(SIDE * SIDE));
    tb_array *end = both("bitwise_or", first, last);
    const tb_operand back = tb_operand_scalar(tb_scalar_complex(0, -1)),
                     on = tb_operand_scalar(tb_scalar_complex(0, 1));
    tb_array *turn = where(end, tb_operand_int(0), back);
    tb_array *led_to_it[] = {first, twice, last, end, turn};
    const bool is_narrow = complex == TB_C64;
    if (is_narrow) turn = cast(turn, complex);
    both("multiply", half, turn);
    for (int i = 0; i < (is_narrow ? 5 : 4); i++) forget(led_to_it[i]);
    TB_TRY(done_and_kept());
    tb_array *transform = call2("multiply", of(flat(t)), number(0.5));
    both("add", flat(t), call2("multiply", on, of(transform)));
    return done();
}

/* A number less elements that are apart; a line subtracted; elements times a number of another dtype. */
static tb_status note_lines(tb_dtype t, tb_dtype complex)
{
    both("subtract", one(t), apart(t, 2));
    TB_TRY(done());
    tb_array *x = both("subtract", flat(t), one(t)), *at = call2("subtract", of(count(t)), number(2));
    both("subtract", x, both("multiply", one(t), at));
    TB_TRY(done());
    both("multiply", flat(complex), one(t));
    return done();
}

/* Weights for both ends of a signal. */
static tb_status note_ends(tb_dtype t)
{
    static const int64_t x[] = {2, 1, 11}, x_strides[] = {SIDE, SIDE, 1}, w[] = {2, 11, 5}, w_strides[] = {55, 5, 1};
    product(view(t, 3, x, x_strides), view(t, 3, w, w_strides));
    return done();
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static tb_status note_scores(tb_dtype t)
{
    tb_array *a = many(t), *out = NULL;
    if (!failed()) {
        const tb_status status = tb_standardize(a, NULL, &out);
        keep(status, out);
    }
    return done();
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

/* Of vectors whose products and lengths are known. */
static tb_status note_cosines(tb_dtype t, int64_t n)
{
    tb_array *lengths = call1("sqrt", both("multiply", column(t, n), row(t, n)));
    tb_array *cosine = both("divide", matrix(t, n, n), lengths);
    call3("clip", of(call2("subtract", number(1), of(cosine))), number(0), number(2));
    return done();
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
    TB_TRY(done());
    for (int64_t pitch = SIDE + 1; pitch <= SIDE + 2; pitch++) {
        store(matrix(TB_F64, SIDE, pitch), of(thin_plate(matrix(TB_F64, SIDE, SIDE))));
        TB_TRY(done());
    }
    both("divide", both("subtract", matrix(TB_F64, SIDE, SIDE), row(TB_F64, SIDE)), row(TB_F64, SIDE));
    TB_TRY(done());
    product(fresh(TB_F64, 2, (const int64_t[]){512, 203}), fresh(TB_F64, 2, (const int64_t[]){203, 1}));
    return done();
}

/* ---- places that are computed ------------------------------------------------------------------------------------ */

/* Sums over the elements of labels from a number on, with one for all others. */
static tb_status note_labels(tb_dtype from, tb_dtype label)
{
    tb_array *place = call2("subtract", of(many(label)), tb_operand_int(1)), *values = many(from);
    tb_array *inside = both("bitwise_and", call2("greater_equal", of(place), tb_operand_int(0)),
                            call2("less", of(place), tb_operand_int(SIDE)));
    added(flat(TB_F64), where(inside, of(place), tb_operand_int(SIDE)), values);
    return done();
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
    return done();
}

/* Elements added at places that are counted from one. */
static tb_status note_moved(tb_dtype t)
{
    added(flat(t), call2("subtract", of(flat(TB_I64)), tb_operand_int(1)), taken(flat(t), flat(TB_I64)));
    return done();
}

/* Rows that occur, and the places of elements that are below a number, in 32 bits. */
static tb_status note_tables(void)
{
    put(flat(TB_BOOL), cast(flat(TB_I64), TB_I32), tb_operand_int(1));
    TB_TRY(done());
    scanned(many(TB_I32));
    TB_TRY(done());
    scanned(cast(call2("less", of(many(TB_I32)), tb_operand_int(3)), TB_I32));
    return done();
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static tb_status note_of(tb_dtype t, tb_dtype complex)
{
    static const char *const names[] = {"add", "subtract", "multiply", "divide"};
    for (int i = 0; i < 4; i++) TB_TRY(note_odd(names[i], t));
    TB_TRY(note_odd("multiply", complex));
    TB_TRY(note_frames(t));
    TB_TRY(note_powers(t));
    TB_TRY(note_quarter_turns(t, complex));
    TB_TRY(note_lines(t, complex));
    TB_TRY(note_ends(t));
    reduced(TB_RED_ENTROPY, many(t), 0);
    TB_TRY(done());
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
