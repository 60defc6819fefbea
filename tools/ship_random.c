/* ship_random.c - draws, and what is computed of them: distributions by transformation, orders, samples. */
#include "base/error.h"
#include "ship.h"
#include "ship_programs.h"

enum { FEW = 1000 };

static tb_array *drawn(tb_distribution d, tb_dtype t, int n, const tb_operand *p)
{
    static const int64_t shape[] = {FEW};
    tb_rng rng = {1, 0};
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_random_of(&rng, d, t, n, p, 1, shape, &out);
    return keep(status, out);
}

static tb_array *uniform(tb_dtype t) { return drawn(TB_RAND_UNIFORM, t, 2, (tb_operand[]){number(0), number(1)}); }
static tb_array *normal(tb_dtype t) { return drawn(TB_RAND_NORMAL, t, 2, (tb_operand[]){number(0), number(1)}); }
static tb_array *gamma_of(tb_dtype t) { return drawn(TB_RAND_GAMMA, t, 1, (tb_operand[]){number(2)}); }

static tb_array *order(void) { return drawn(TB_RAND_ORDER, TB_I64, 1, (tb_operand[]){tb_operand_int(FEW)}); }

static tb_status note_draws(void)
{
    static const struct {
        tb_distribution distribution;
        tb_dtype dtype;
        int n;
    } draws[] = {{TB_RAND_EXPONENTIAL, TB_F32, 1}, {TB_RAND_EXPONENTIAL, TB_F64, 1},   {TB_RAND_GAMMA, TB_F32, 1},
                 {TB_RAND_GAMMA, TB_F64, 1},       {TB_RAND_BETA, TB_F32, 2},          {TB_RAND_BETA, TB_F64, 2},
                 {TB_RAND_VONMISES, TB_F32, 1},    {TB_RAND_VONMISES, TB_F64, 1},      {TB_RAND_POISSON, TB_I64, 1},
                 {TB_RAND_BINOMIAL, TB_I64, 2},    {TB_RAND_GEOMETRIC, TB_I64, 1},     {TB_RAND_ZIPF, TB_I64, 1},
                 {TB_RAND_LOGSERIES, TB_I64, 1},   {TB_RAND_HYPERGEOMETRIC, TB_I64, 3}};
    const tb_operand one = tb_operand_int(1), ones[] = {one, one, one};
    for (size_t i = 0; i < sizeof draws / sizeof *draws; i++) {
        drawn(draws[i].distribution, draws[i].dtype, draws[i].n, ones);
        TB_TRY(done());
    }
    order();
    return done();
}

static tb_status note_transformed(tb_dtype t)
{
    call2("multiply", number(2), of(gamma_of(t))); /* chi-square */
    TB_TRY(done());
    call2("multiply", of(gamma_of(t)), number(2));
    TB_TRY(done());
    tb_array *z = normal(t), *ratio = call2("divide", number(2), of(gamma_of(t))); /* Student's t */
    both("multiply", z, call1("sqrt", ratio));
    TB_TRY(done());
    tb_array *x = call2("subtract", of(call2("multiply", number(2), of(uniform(t)))), number(1)); /* Laplace's */
    tb_array *tail = call1("log1p", call1("negative", call1("absolute", x)));
    call2("subtract", number(0), of(call2("multiply", number(2), of(both("copysign", tail, x)))));
    return done();
}

/* The inverse Gaussian distribution. */
static tb_status note_wald(tb_dtype t)
{
    tb_array *g = call2("multiply", of(call1("absolute", normal(t))), number(2));
    tb_array *root = call1("sqrt", call2("add", of(call1("square", g)), number(1)));
    tb_array *r = call1("square", both("add", g, root));
    tb_array *most = both("multiply", uniform(t), call2("add", number(1), of(r)));
    tb_array *chosen = where(both("less_equal", most, r), of(call2("divide", number(1), of(r))), of(r));
    call2("multiply", number(2), of(chosen));
    return done();
}

/* Elements in random order, as another array and in place. */
static tb_array *permuted(tb_array *a)
{
    tb_array *index = order(), *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_take(a, index, 0, TB_BOUNDS_WRAP, &out);
    keep(status, out);
    forget(index);
    return out;
}

static tb_status note_permuted(tb_dtype t)
{
    permuted(flat(t));
    TB_TRY(done());
    tb_array *a = fresh(t, 1, (const int64_t[]){FEW});
    store(a, of(permuted(a)));
    return done_and_kept();
}

/* Samples by probabilities, which are an array or all the same. */
static tb_status note_samples(void)
{
    for (int same = 0; same < 2; same++) {
        tb_array *p = same ? NULL : flat(TB_F64);
        if (same) {
            const tb_status status = tb_full(TB_F64, 1, (const int64_t[]){FEW}, 'C', tb_scalar_float(1e-3), &p);
            keep(status, p);
        }
        reduced(TB_RED_SUM, where(call2("less", of(p), number(0)), number(-1), of(p)), 0);
        TB_TRY(done());
    }
    tb_array *p = NULL;
    const tb_status status = tb_full(TB_F64, 1, (const int64_t[]){FEW}, 'C', tb_scalar_float(1e-3), &p);
    scanned(keep(status, p));
    TB_TRY(done());
    both("multiply", uniform(TB_F64), one(TB_F64));
    return done();
}

tb_status ship_random(void)
{
    static const tb_dtype dtypes[] = {TB_I32, TB_I64, TB_F32, TB_F64};
    TB_TRY(note_draws());
    for (int i = 2; i < 4; i++) {
        TB_TRY(note_transformed(dtypes[i]));
        TB_TRY(note_wald(dtypes[i]));
    }
    for (int i = 0; i < 4; i++) TB_TRY(note_permuted(dtypes[i]));
    return note_samples();
}
