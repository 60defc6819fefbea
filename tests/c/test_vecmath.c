/* test_vecmath.c - the CPU's elementary functions against wider types: errors in units in the last place, special
 * values included. Functions of double are compared with the C library's of long double, functions of float,
 * float16 and bfloat16 with those of double.
 *
 * The first argument is the step through the bit patterns of float (1: all of them, some minutes), the second the only
 * function to look at. With arguments the errors are printed, in the form of docs/accuracy.md. TOMBAC_CPU_ISA
 * chooses the loops, as it does everywhere. */
#include "backend/cpu/loops/loops.h"
#include "base/half.h"
#include "check.h"
#include "kernels/types.h"
#include "kernels/half.h"
#include "tables/loops.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { RUN = 4096, STEP = 4099, DRAWS = 1 << 17 };

typedef long double wide;

typedef struct function {
    const char *name;
    wide (*of_double)(wide);
    double center, reach; /* where arguments of double are drawn from, beside all bit patterns */
} function;

static const function functions[] = {
    {"exp", expl, 0, 800},   {"exp2", exp2l, 0, 1100},  {"expm1", expm1l, 0, 2},   {"log", logl, 1, 0.5},
    {"log2", log2l, 1, 0.5}, {"log10", log10l, 1, 0.5}, {"log1p", log1pl, 0, 0.7}, {"cbrt", cbrtl, 0, 10},
    {"sin", sinl, 0, 100},   {"cos", cosl, 0, 100},     {"tan", tanl, 0, 100},     {"arcsin", asinl, 0, 1},
    {"arccos", acosl, 0, 1}, {"arctan", atanl, 0, 5},   {"sinh", sinhl, 0, 5},     {"cosh", coshl, 0, 5},
    {"tanh", tanhl, 0, 2},   {"arcsinh", asinhl, 0, 2}, {"arccosh", acoshl, 2, 1}, {"arctanh", atanhl, 0, 1},
};
enum { NFUNCTION = sizeof functions / sizeof functions[0] };

typedef struct function2 {
    const char *name;
    double (*of_float)(double, double);
    wide (*of_double)(wide, wide);
} function2;

static const function2 functions2[] = {{"arctan2", atan2, atan2l}, {"hypot", hypot, hypotl}, {"power", pow, powl}};
enum { NFUNCTION2 = sizeof functions2 / sizeof functions2[0] };

/* The greatest error so far, and its arguments. */
typedef struct worst {
    double error, x, y;
} worst;

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static float float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double double_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static tb_cpu_loop find(const char *name, int nin, tb_dtype t)
{
    const tb_dtype in[2] = {t, t};
    return tb__cpu_loops()[tb__loop_find(tb__op_find(name), nin, in)];
}

/* Of `got` in a type of `digits` binary digits whose least exponent is `least` and whose largest number is `most`. NaN
 * for NaN, infinities and the sign of zero are right or wrong; past the largest number, infinity is the number after
 * it. */
static double error_of(wide got, wide want, int digits, int least, wide most)
{
    int exponent;
    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got) ? 0 : INFINITY;
    if (want == 0 || got == 0) {
        if (!signbit(want) != !signbit(got)) return INFINITY;
        if (want == got) return 0;
    }
    if (isinf(got) && fabsl(want) > most && signbit(got) == signbit(want)) return 0;
    if (isinf(want)) return isinf(got) && signbit(got) == signbit(want) ? 0 : INFINITY;
    frexpl(want, &exponent);
    if (exponent < least) exponent = least;
    return (double)(fabsl(got - want) / ldexpl(1, exponent - digits));
}

/* Ordinary numbers at once: a sweep is mostly these. */
static double error_f32(float got, double want)
{
    uint64_t bits;
    memcpy(&bits, &want, sizeof bits);
    if (fabs(want) < FLT_MIN || !(fabs(want) < FLT_MAX) || !isfinite(got))
        return error_of(got, want, 24, -125, FLT_MAX);
    return fabs(got - want) * double_of_bits((2046 + 23 - (bits >> 52 & 2047)) << 52);
}

static double error_f64(double got, wide want) { return error_of(got, want, 53, -1021, DBL_MAX); }

static void note(worst *w, double error, double x, double y)
{
    if (error > w->error) *w = (worst){error, x, y};
}

static void check_worst(const char *name, const char *type, worst w, double limit, bool print)
{
    if (print) printf("| %s, %s | %.2f |\n", name, type, w.error);
    if (w.error <= limit) return;
    fprintf(stderr, "%s of %s: error %g at %a, %a\n", name, type, w.error, w.x, w.y);
    CHECK(!"a function within its limit");
}

static const double edges[] = {
    0,
    1,
    0.5,
    2,
    3,
    10,
    100,
    1000,
    1e-3,
    1e5,
    100001,
    1e6,
    1e15,
    1e22,
    87,
    87.3,
    88,
    88.7,
    88.72284,
    88.8,
    89,
    89.4,
    89.5,
    103,
    103.97,
    104,
    105,
    126,
    127,
    128,
    129,
    148,
    149,
    150,
    151,
    152,
    708,
    709.7,
    709.79,
    710,
    710.4,
    710.5,
    744,
    745.1,
    746,
    1021,
    1022,
    1023,
    1024,
    1074,
    1075,
    1.5707963267948966,
    3.141592653589793,
    0x1.921fb6p1,
    0x1.fffffep-1,
    0x1.000002p0,
    0x1.fffffffffffffp-1,
    0x1.0000000000001p0,
    FLT_MIN,
    FLT_MAX,
    FLT_TRUE_MIN,
    DBL_MIN,
    DBL_MAX,
    DBL_TRUE_MIN,
    0x1.fffffcp-127,
    0x1p13,
    0x1p60,
    0x1p-60,
    0x1p126,
    INFINITY,
    NAN,
};
enum { NEDGE = sizeof edges / sizeof edges[0] };

/* ---- float ----------------------------------------------------------------------------------------------------- */

static void compare_f32(const function *f, int64_t n, const float *x, worst *w)
{
    static float o[RUN];
    static double wide_x[RUN], want[RUN];
    find(f->name, 1, TB_F32)(n, (void *const[]){o, (void *)(uintptr_t)x}, 0);
    for (int64_t k = 0; k < n; k++) wide_x[k] = x[k];
    find(f->name, 1, TB_F64)(n, (void *const[]){want, wide_x}, 0);
    for (int64_t k = 0; k < n; k++) note(w, error_f32(o[k], want[k]), x[k], 0);
}

static void check_f32(const function *f, uint64_t step, bool print)
{
    static float x[RUN];
    worst w = {0};
    int64_t n = 0;
    for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += step) {
        x[n++] = float_of_bits((uint32_t)bits);
        if (n == RUN) compare_f32(f, n, x, &w), n = 0;
    }
    compare_f32(f, n, x, &w);
    for (int i = 0; i < NEDGE; i++) {
        x[2 * i] = (float)edges[i];
        x[2 * i + 1] = -(float)edges[i];
    }
    compare_f32(f, 2 * NEDGE, x, &w);
    check_worst(f->name, "float32", w, 4, print);
}

/* Every number; through float, so that the rounding to 16 bits is nearly all of the error. */
static void check_half(const function *f, tb_dtype t, bool print)
{
    static uint16_t x[65536], o[65536];
    static double want[65536];
    const int digits = t == TB_F16 ? 11 : 8, least = t == TB_F16 ? -13 : -125;
    worst w = {0};
    for (int k = 0; k < 65536; k++) {
        x[k] = (uint16_t)k;
        want[k] = tb__half_value(t, x[k]);
    }
    find(f->name, 1, TB_F64)(65536, (void *const[]){want, want}, 0);
    find(f->name, 1, t)(65536, (void *const[]){o, x}, 0);
    for (int k = 0; k < 65536; k++)
        note(&w, error_of(tb__half_value(t, o[k]), want[k], digits, least, t == TB_F16 ? 65504 : 0x1.fep127),
             tb__half_value(t, x[k]), 0);
    check_worst(f->name, tb_dtype_name(t), w, 0.51, print);
}

/* ---- double ---------------------------------------------------------------------------------------------------- */

static void compare_f64(const function *f, tb_cpu_loop loop, int64_t n, const double *x, worst *w)
{
    static double o[RUN];
    loop(n, (void *const[]){o, (void *)(uintptr_t)x}, 0);
    for (int64_t k = 0; k < n; k++) note(w, error_f64(o[k], f->of_double(x[k])), x[k], 0);
}

static double sample_f64(const function *f, int64_t k)
{
    const double unit = (double)(int64_t)draw() * 0x1p-63;
    switch (k & 3) {
    case 0: return double_of_bits(draw());
    case 1: return f->center + f->reach * unit;
    case 2: return f->center + ldexp(unit, -(int)(draw() % 60));
    default: return (double)(int64_t)(draw() % 4000) * 1.5707963267948966 + ldexp(unit, -(int)(draw() % 50));
    }
}

static void check_f64(const function *f, int64_t draws, bool print)
{
    static double x[RUN];
    const tb_cpu_loop loop = find(f->name, 1, TB_F64);
    worst w = {0};
    for (int64_t done = 0; done < draws; done += RUN) {
        for (int64_t k = 0; k < RUN; k++) x[k] = sample_f64(f, k);
        compare_f64(f, loop, RUN, x, &w);
    }
    for (int i = 0; i < NEDGE; i++) {
        x[2 * i] = edges[i];
        x[2 * i + 1] = -edges[i];
    }
    compare_f64(f, loop, 2 * NEDGE, x, &w);
    check_worst(f->name, "float64", w, 4, print);
}

/* ---- two arguments --------------------------------------------------------------------------------------------- */

/* Pairs of anything, pairs of similar size, pairs whose power is mostly a number, pairs of edges. */
static void check_pairs_f32(const function2 *f, int64_t draws, bool print)
{
    static float x[RUN], y[RUN], o[RUN];
    worst w = {0};
    int64_t edge = 0;
    for (int64_t done = 0; done < draws; done += RUN) {
        for (int64_t k = 0; k < RUN; k++) {
            const uint64_t bits = draw();
            x[k] = float_of_bits((uint32_t)bits);
            y[k] = float_of_bits((uint32_t)(k & 1 ? bits >> 32 : (bits & 0x7f800000u) | bits >> 40));
            if (k % 4 == 3) x[k] = (float)(bits >> 40) * 0x1p-20f, y[k] = (float)(int32_t)bits * 0x1p-26f;
            if (done == 0 || edge < 4 * NEDGE * NEDGE) {
                x[k] = (float)edges[edge / 4 / NEDGE % NEDGE] * (edge & 1 ? -1.0f : 1.0f);
                y[k] = (float)edges[edge / 4 % NEDGE] * (edge & 2 ? -1.0f : 1.0f);
                edge++;
            }
        }
        find(f->name, 2, TB_F32)(RUN, (void *const[]){o, x, y}, 0);
        for (int64_t k = 0; k < RUN; k++) note(&w, error_f32(o[k], f->of_float(x[k], y[k])), x[k], y[k]);
    }
    check_worst(f->name, "float32", w, 4, print);
}

static void check_pairs_f64(const function2 *f, int64_t draws, bool print)
{
    static double x[RUN], y[RUN], o[RUN];
    worst w = {0};
    int64_t edge = 0;
    for (int64_t done = 0; done < draws; done += RUN) {
        for (int64_t k = 0; k < RUN; k++) {
            const uint64_t bits = draw(), others = draw();
            x[k] = double_of_bits(bits);
            y[k] = double_of_bits(k & 1 ? others : (bits & 0x7ff0000000000000u) | others >> 12);
            if (k % 4 == 3) x[k] = (double)(bits >> 11) * 0x1p-50, y[k] = (double)(int64_t)others * 0x1p-56;
            if (edge < 4 * NEDGE * NEDGE) {
                x[k] = edges[edge / 4 / NEDGE % NEDGE] * (edge & 1 ? -1.0 : 1.0);
                y[k] = edges[edge / 4 % NEDGE] * (edge & 2 ? -1.0 : 1.0);
                edge++;
            }
        }
        find(f->name, 2, TB_F64)(RUN, (void *const[]){o, x, y}, 0);
        for (int64_t k = 0; k < RUN; k++) note(&w, error_f64(o[k], f->of_double(x[k], y[k])), x[k], y[k]);
    }
    check_worst(f->name, "float64", w, 4, print);
}

/* ---- places ---------------------------------------------------------------------------------------------------- */

/* A point gives the same bits wherever it is in a run, in a run of any length, and in place. */
static void check_places(const function *f)
{
    float x[70], o[70], one, in_place[70];
    const tb_cpu_loop loop = find(f->name, 1, TB_F32);
    for (int i = 0; i < 70; i++) x[i] = i % 7 == 6 ? (float)edges[i % NEDGE] : (float)(0.05 + 0.013 * i);
    for (int n = 0; n <= 70; n++) {
        memcpy(in_place, x, sizeof x);
        o[n < 70 ? n : 0] = -7;
        loop(n, (void *const[]){o, x}, 0);
        loop(n, (void *const[]){in_place, in_place}, 0);
        if (n < 70) CHECK(n == 0 || o[n] == -7);
        if (n < 70) CHECK(memcmp(&in_place[n], &x[n], sizeof x[n]) == 0);
        CHECK(memcmp(o, in_place, (size_t)n * sizeof *o) == 0);
        for (int k = 0; k < n; k++) {
            loop(1, (void *const[]){&one, &x[k]}, 0);
            CHECK(memcmp(&one, &o[k], sizeof one) == 0);
        }
    }
}

int main(int argc, char **argv)
{
    const bool print = argc > 1;
    const uint64_t step = print ? strtoull(argv[1], NULL, 10) : STEP;
    const int64_t draws = print && step < STEP ? DRAWS * 16 : DRAWS;
    const char *only = argc > 2 ? argv[2] : NULL;
    CHECK(step > 0);
    for (int i = 0; i < NFUNCTION && step > 0; i++) {
        if (only && strcmp(only, functions[i].name) != 0) continue;
        check_f32(&functions[i], step, print);
        check_half(&functions[i], TB_F16, print);
        check_half(&functions[i], TB_BF16, print);
        if (LDBL_MANT_DIG > DBL_MANT_DIG) check_f64(&functions[i], draws, print);
        check_places(&functions[i]);
    }
    for (int i = 0; i < NFUNCTION2; i++) {
        if (only && strcmp(only, functions2[i].name) != 0) continue;
        check_pairs_f32(&functions2[i], draws, print);
        if (LDBL_MANT_DIG > DBL_MANT_DIG) check_pairs_f64(&functions2[i], draws, print);
    }
    return check_report();
}
