/* test_named.c - every function of tombac/functions.h, of which the rows make a list here too: against the general call
 * with the ufunc found by its name, over two dtypes; numbers as first and second operands; NULL; axes. */
#include "arrays.h"
#include "tables/loops.h"
#include <limits.h>

/* Of one array, of two, of an array and a number, of a number and an array. */
enum { OF_1, OF_2, OF_s, OF_t };

typedef struct named {
    const char *name;
    union {
        tb_status (*of_1)(tb_array *, tb_array **);
        tb_status (*of_2)(tb_array *, tb_array *, tb_array **);
        tb_status (*of_s)(tb_array *, tb_scalar, tb_array **);
        tb_status (*of_t)(tb_scalar, tb_array *, tb_array **);
        tb_status (*into_1)(tb_array *, tb_array *);
        tb_status (*into_2)(tb_array *, tb_array *, tb_array *);
        tb_status (*into_s)(tb_array *, tb_scalar, tb_array *);
        tb_status (*into_t)(tb_scalar, tb_array *, tb_array *);
        tb_status (*pair_1)(tb_array *, tb_array **, tb_array **);
        tb_status (*pair_2)(tb_array *, tb_array *, tb_array **, tb_array **);
        tb_status (*pair_s)(tb_array *, tb_scalar, tb_array **, tb_array **);
        tb_status (*pair_t)(tb_scalar, tb_array *, tb_array **, tb_array **);
        tb_status (*both_1)(tb_array *, tb_array *, tb_array *);
        tb_status (*both_2)(tb_array *, tb_array *, tb_array *, tb_array *);
        tb_status (*both_s)(tb_array *, tb_scalar, tb_array *, tb_array *);
        tb_status (*both_t)(tb_scalar, tb_array *, tb_array *, tb_array *);
    } f;
    char operands;
    bool into;
    int nout;
    const char *row;
} named;

#define MADE(fn, made, wrote, row, kind, n)                                                               \
    {#fn, {.made##_##kind = fn}, OF_##kind, false, n, #row},                                              \
    {#fn "_into", {.wrote##_##kind = fn##_into}, OF_##kind, true, n, #row},
#define ROWS_1(op, made, wrote, n) MADE(tb_##op, made, wrote, op, 1, n)
#define ROWS_2(op, made, wrote, n)                                                       \
    MADE(tb_##op, made, wrote, op, 2, n) MADE(tb_##op##_s, made, wrote, op, s, n) MADE(tb_s_##op, made, wrote, op, t, n)
#define UFUNC(op, nin, text) ROWS_##nin(op, of, into, 1)
#define INTERNAL(op, nin, text)
#define UFUNC2(op, nin, x, y, text) ROWS_##nin(op, pair, both, 2)
static const named functions[] = {
#include "tables/loops.def"
};
enum { NFUNCTION = sizeof functions / sizeof functions[0] };

/* One of them with operands a and b, or b's number; results are new (out) or written to (into). */
static tb_status call_named(const named *n, tb_array *a, tb_array *b, tb_scalar s, tb_array **out, tb_array **into)
{
    tb_array *x = into[0], *y = into[1];
    tb_array **o = out ? &out[0] : NULL, **p = out ? &out[1] : NULL;
    const bool two = n->nout == 2;
    switch (n->operands) {
    case OF_1:
        if (n->into) return two ? n->f.both_1(a, x, y) : n->f.into_1(a, x);
        return two ? n->f.pair_1(a, o, p) : n->f.of_1(a, o);
    case OF_2:
        if (n->into) return two ? n->f.both_2(a, b, x, y) : n->f.into_2(a, b, x);
        return two ? n->f.pair_2(a, b, o, p) : n->f.of_2(a, b, o);
    case OF_s:
        if (n->into) return two ? n->f.both_s(a, s, x, y) : n->f.into_s(a, s, x);
        return two ? n->f.pair_s(a, s, o, p) : n->f.of_s(a, s, o);
    default:
        if (n->into) return two ? n->f.both_t(s, a, x, y) : n->f.into_t(s, a, x);
        return two ? n->f.pair_t(s, a, o, p) : n->f.of_t(s, a, o);
    }
}

static tb_status call_general(const named *n, tb_array *a, tb_array *b, tb_scalar s, tb_array **out)
{
    const tb_operand x = tb_operand_array(a), y = tb_operand_array(b), number = tb_operand_scalar(s);
    const tb_operand in[2] = {n->operands == OF_t ? number : x, n->operands == OF_2   ? y
                                                                : n->operands == OF_t ? x
                                                                                      : number};
    return tb_ufunc_call(tb_ufunc_find(n->row), in, out, NULL);
}

static bool same(tb_array *a, tb_array *b)
{
    char bytes[2][1024];
    const size_t size = (size_t)tb_array_size(a) * tb_dtype_size(tb_array_dtype(a));
    return tb_array_dtype(a) == tb_array_dtype(b) && tb_array_ndim(a) == tb_array_ndim(b) &&
           tb_array_size(a) == tb_array_size(b) && size <= sizeof bytes[0] &&
           CHECK_OK(tb_array_get(a, bytes[0], NULL, NULL, true)) &&
           CHECK_OK(tb_array_get(b, bytes[1], NULL, NULL, true)) && memcmp(bytes[0], bytes[1], size) == 0;
}

static void expect(bool ok, const char *name, const char *what)
{
    if (!ok) fprintf(stderr, "%s: %s: %s\n", name, what, tb_error_message());
    CHECK(ok);
}

/* Returns whether there is a loop for these. */
static bool compare(const named *n, tb_array *a, tb_array *b, tb_scalar s)
{
    tb_array *expected[2] = {NULL, NULL}, *got[2] = {NULL, NULL};
    const tb_status status = call_general(n, a, b, s, expected);
    for (int k = 0; n->into && status == TB_OK && k < n->nout; k++)
        CHECK_OK(tb_empty_like(expected[k], tb_array_dtype(expected[k]), 'C', &got[k]));
    if (n->into && status != TB_OK) got[0] = got[1] = a;
    expect(call_named(n, a, b, s, got, got) == status, n->name, "another status");
    if (status != TB_OK) return false;
    for (int k = 0; k < n->nout; k++) {
        expect(got[k] && same(got[k], expected[k]), n->name, "another result");
        tb_array_release(got[k]);
        tb_array_release(expected[k]);
    }
    return true;
}

static void test_every_function(void)
{
    static const tb_dtype dtypes[] = {TB_F64, TB_I16};
    int done = 0;
    CHECK(NFUNCTION > 300);
    for (int i = 0; i < NFUNCTION; i++) {
        bool any = false;
        for (int t = 0; t < 2; t++) {
            tb_array *a = range(dtypes[t], -3, 8), *b = range(dtypes[t], 1, 8);
            any |= compare(&functions[i], a, b, tb_scalar_int(3));
            tb_array_release(a);
            tb_array_release(b);
        }
        expect(any, functions[i].name, "no loop was found");
        done += any;
    }
    CHECK(done == NFUNCTION);
}

static void fails_on_null(const char *name, tb_status status, const char *parameter)
{
    char text[100];
    snprintf(text, sizeof text, "%s: %s is NULL", name, parameter);
    expect(status == TB_ERR_VALUE && strncmp(tb_error_message(), text, strlen(text)) == 0, name, text);
}

static void test_wrong_arguments(void)
{
    const tb_scalar s = tb_scalar_int(1), wrong = {.dtype = TB_NODTYPE};
    tb_array *a = range(TB_F32, 0, 4), *out[2] = {a, a}, *nothing[2] = {NULL, NULL}, *second[2] = {a, NULL};
    for (int i = 0; i < NFUNCTION; i++) {
        const named *n = &functions[i];
        const char *result = n->into ? (n->nout == 2 ? "into1" : "into") : n->nout == 2 ? "out1" : "out";
        fails_on_null(n->name, call_named(n, NULL, a, s, out, out), n->operands == OF_t ? "b" : "a");
        if (n->operands == OF_2) fails_on_null(n->name, call_named(n, a, NULL, s, out, out), "b");
        fails_on_null(n->name, call_named(n, a, a, s, NULL, nothing), result);
        if (n->into && n->nout == 2) fails_on_null(n->name, call_named(n, a, a, s, NULL, second), "into2");
        if (n->operands == OF_s || n->operands == OF_t)
            expect(call_named(n, a, a, wrong, out, out) == TB_ERR_VALUE, n->name, "takes a number without a dtype");
        CHECK(out[0] == a && out[1] == a);
    }
    tb_array_release(a);
}

static void test_operands(void)
{
    tb_array *x = range(TB_F32, 1, 4), *y = NULL, *z = NULL;
    CHECK_OK(tb_s_subtract(tb_scalar_float(10), x, &y));
    CHECK(gives(y, (float[]){9, 8, 7, 6}));
    CHECK_OK(tb_subtract_s(x, tb_scalar_float(10), &y));
    CHECK(gives(y, (float[]){-9, -8, -7, -6}));
    CHECK_OK(tb_divmod_s(x, tb_scalar_int(3), &y, &z));
    CHECK(gives(y, (float[]){0, 0, 1, 1}));
    CHECK(gives(z, (float[]){1, 2, 0, 1}));
    CHECK_OK(tb_multiply_s_into(x, tb_scalar_int(2), x));
    CHECK_OK(tb_s_subtract_into(tb_scalar_int(1), x, x));
    CHECK(holds(x, (float[]){-1, -3, -5, -7}));
    /* Failures leave what the variables hold alone. */
    tb_array *three = range(TB_F32, 0, 3);
    y = z = x;
    CHECK_FAILS(tb_add(x, three, &y), TB_ERR_VALUE, "(3,)");
    CHECK_FAILS(tb_divmod(x, three, &y, &z), TB_ERR_VALUE, "(3,)");
    CHECK_FAILS(tb_left_shift(x, x, &y), TB_ERR_TYPE, "left_shift");
    CHECK(y == x && z == x);
    tb_array_release(three);
    tb_array_release(x);
}

/* ---- along axes ------------------------------------------------------------------------------------------------ */

typedef struct along {
    const char *name;
    tb_status (*f)(tb_array *, int, tb_array **);
    tb_reduction op;
    bool running;
} along;

#define ALONG_METHOD(NAME, name)   {"tb_" #name, tb_##name, TB_RED_##NAME, false},
#define ALONG_FUNCTION(NAME, name) ALONG_METHOD(NAME, name)
#define ALONG_NONE(NAME, name)
#define TB_REDUCTION(NAME, name, says, of, initial, running, fold, result, nan, empty, place, like, doc) \
    ALONG_##place(NAME, name)
#define TB_RUNNING(NAME, name, place, doc) {"tb_" #name, tb_##name, TB_RED_##NAME, true},
static const along reductions[] = {
#include "tombac/reductions.def"
};
enum { NREDUCTION = sizeof reductions / sizeof reductions[0] };

static tb_status along_general(const along *r, tb_array *a, int axis, tb_array **out)
{
    const bool all = axis == TB_ALL_AXES;
    const tb_reduce_args args = {
        .struct_size = sizeof args, .naxis = all ? -1 : 1, .axis = {axis}, .dtype = TB_NODTYPE};
    if (r->running) return tb_scan(r->op, a, all ? TB_ALL_AXES : axis, TB_NODTYPE, out);
    return tb_reduce(r->op, a, &args, out);
}

static void test_axes(void)
{
    static const int axes[] = {0, 1, -1, -2, TB_ALL_AXES}, wrong[] = {2, -3, TB_MAXDIM, INT_MAX, INT_MIN + 1};
    static const tb_dtype dtypes[] = {TB_F32, TB_I16};
    CHECK(NREDUCTION > 20);
    for (int t = 0; t < 2; t++) {
        tb_array *line = range(dtypes[t], -3, 12), *a = NULL, *expected, *got;
        CHECK_OK(tb_reshape(line, 2, (int64_t[]){3, 4}, 'C', NULL, &a));
        for (int i = 0; i < NREDUCTION; i++) {
            const along *r = &reductions[i];
            for (int k = 0; k < 5; k++) {
                expected = got = NULL;
                CHECK_OK(along_general(r, a, axes[k], &expected));
                CHECK_OK(r->f(a, axes[k], &got));
                expect(got && same(got, expected), r->name, "another result");
                tb_array_release(expected);
                tb_array_release(got);
                got = a;
                expect(r->f(a, wrong[k], &got) == TB_ERR_AXIS && got == a, r->name, "the axis is not refused");
            }
            fails_on_null(r->name, r->f(NULL, 0, &got), "a");
            fails_on_null(r->name, r->f(a, 0, NULL), "out");
        }
        tb_array_release(line);
        tb_array_release(a);
    }
}

int main(void)
{
    test_every_function();
    test_wrong_arguments();
    test_operands();
    test_axes();
    return check_report();
}
