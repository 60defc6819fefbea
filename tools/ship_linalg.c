/* ship_linalg.c - what is computed before and after a library's routines: of dense linear algebra, which do nothing
 * here, and of cosine transforms. */
#include "base/error.h"
#include "ship.h"
#include "ship_programs.h"

enum { EDGE = 32 }; /* of the matrices in stacks */
/* Of matrices, since reductions of few numbers have another form. */
static const int64_t sizes[] = {SIDE, 512};

static tb_array *square(tb_dtype t) { return matrix(t, SIDE, SIDE); }
static tb_array *stack(tb_dtype t) { return fresh(t, 3, (const int64_t[]){SIDE, EDGE, EDGE}); }

/* a and its transpose, as symmetric matrices are made. */
static tb_array *symmetric(tb_array *a) { return both("add", a, turned(a)); }

/* ---- triangles --------------------------------------------------------------------------------------------------- */

/* Cholesky's factor, of what the caller computes. */
static tb_status note_factor(tb_array *a, bool upper)
{
    tb_array *out = NULL;
    if (!failed()) {
        const tb_status status = tb_cholesky(a, upper, &out);
        keep(status, out);
    }
    return done();
}

static tb_status note_qr(tb_array *a)
{
    tb_array *q = NULL, *r = NULL;
    if (failed()) return done();
    const tb_status status = tb_qr(a, TB_QR_REDUCED, &q, &r);
    if (keep(status, q)) keep(TB_OK, r);
    return done();
}

/* The other parts of a factorization in one array: what is on or above the diagonal, what is below and ones. */
static tb_status note_lu(tb_dtype t)
{
    for (int lower = 0; lower < 2; lower++) {
        tb_array *mask = NULL, *unit = NULL;
        tb_array *a = square(t);
        tb_status status = tb_tri(TB_BOOL, SIDE, SIDE, 0, &mask);
        keep(status, mask);
        if (lower) {
            status = tb_eye(t, SIDE, SIDE, 0, 'C', &unit);
            keep(status, unit);
        }
        where(mask, lower ? of(unit) : of(a), lower ? of(a) : number(0));
        TB_TRY(done());
    }
    copied(count(t));
    TB_TRY(done_and_kept());
    cast(both("equal", column(TB_I32, SIDE), row(TB_I32, SIDE)), t); /* exchanges as a matrix */
    return done();
}

static tb_status note_triangles(tb_dtype t)
{
    TB_TRY(note_factor(symmetric(square(t)), false));
    TB_TRY(note_factor(square(t), true));
    TB_TRY(note_factor(stack(t), false));
    TB_TRY(note_qr(square(t)));
    TB_TRY(note_qr(stack(t)));
    return note_lu(t);
}

/* ---- eigenvalues ------------------------------------------------------------------------------------------------- */

static tb_status note_symmetric(tb_array *a)
{
    tb_array *values = NULL, *vectors = NULL;
    if (failed()) return done();
    const tb_status status = tb_eigh(a, true, &values, &vectors);
    if (keep(status, values)) keep(TB_OK, vectors);
    return done();
}

static tb_status note_eigenvalues(tb_array *a)
{
    tb_array *values = NULL;
    if (!failed()) {
        const tb_status status = tb_eigvals(a, &values);
        keep(status, values);
    }
    return done();
}

/* ---- singular values --------------------------------------------------------------------------------------------- */

typedef struct parts {
    tb_array *u, *s, *vh;
} parts;

static parts decomposed(tb_array *a)
{
    parts p = {0};
    if (failed()) return p;
    const tb_status status = tb_svd(a, false, &p.u, &p.s, &p.vh);
    if (keep(status, p.u)) {
        keep(TB_OK, p.vh);
        keep(TB_OK, p.s);
    }
    return p;
}

static tb_array *singular_values(tb_array *a)
{
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_singular_values(a, &out);
    return keep(status, out);
}

/* A part of the largest one, with an axis of length 1. */
static tb_array *limit_of(tb_array *s)
{
    const tb_reduce_args args = {sizeof args, .naxis = 1, .axis = {-1}, .keepdims = true, .dtype = TB_NODTYPE};
    tb_array *most = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_reduce(TB_RED_MAX, s, &args, &most);
    keep(status, most);
    tb_array *limit = call2("multiply", number(1e-15), of(most));
    forget(most);
    return limit;
}

static tb_status note_norm_and_rank(tb_dtype t, int64_t n)
{
    const int64_t shape[] = {n, n};
    reduced(TB_RED_MAX, singular_values(fresh(t, 2, shape)), 0);
    TB_TRY(done());
    tb_array *s = singular_values(fresh(t, 2, shape));
    reduced_to(TB_I64, TB_RED_SUM, both("greater", s, limit_of(s)), 0);
    return done();
}

static tb_array *as_column(tb_array *a)
{
    const tb_index key[] = {{.kind = TB_INDEX_ELLIPSIS}, {.kind = TB_INDEX_NEWAXIS}};
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_array_index(a, 2, key, &out);
    return keep(status, out);
}

/* The inverse of the singular values that count, times vectors. */
static tb_status note_pseudo_inverse(tb_dtype t, int64_t n)
{
    const parts p = decomposed(matrix(t, n, n));
    tb_array *limit = limit_of(p.s), *large = both("greater", p.s, limit);
    forget(limit);
    tb_array *divisor = where(large, of(p.s), number(1));
    tb_array *quotient = call2("divide", number(1), of(divisor));
    forget(divisor);
    tb_array *inverse = where(large, of(quotient), number(0));
    forget(quotient);
    both("multiply", as_column(inverse), turned(p.u));
    return done_and_kept();
}

static tb_status note_singular_values(tb_dtype t)
{
    decomposed(square(t));
    TB_TRY(done());
    decomposed(stack(t));
    TB_TRY(done());
    for (int i = 0; i < 2; i++) TB_TRY(note_norm_and_rank(t, sizes[i]));
    reduced_to(TB_I64, TB_RED_SUM, both("greater", apart(t, 1), one(t)), 0);
    TB_TRY(done());
    TB_TRY(note_pseudo_inverse(t, SIDE));
    return note_pseudo_inverse(t, SIDE - 1);
}

/* ---- equations, determinants ------------------------------------------------------------------------------------- */

static tb_status note_equations(tb_dtype t)
{
    tb_array *a = stack(t), *b = fresh(t, 3, (const int64_t[]){SIDE, EDGE, 4}), *x = NULL;
    if (!failed()) {
        const tb_status status = tb_solve_linear(a, b, &x);
        keep(status, x);
    }
    return done();
}

/* Squared lengths of what is left of a right side of few columns, and of one. */
static tb_status note_residuals(tb_dtype t)
{
    for (int64_t k = 1; k <= 4; k += 3) {
        tb_array *b = fresh(t, 2, (const int64_t[]){SIDE, k}), *product = fresh(t, 2, (const int64_t[]){SIDE, k});
        tb_array *rest = both("subtract", b, product);
        reduced(TB_RED_SUM, both("multiply", rest, rest), 0);
        TB_TRY(done());
    }
    return TB_OK;
}

/* The diagonal of factors, and the pivots that exchange a row. */
static tb_array *diagonal(tb_dtype t, int64_t n) { return view(t, 1, &n, (const int64_t[]){9}); }

static tb_array *exchanged(int64_t n)
{
    tb_array *rows = NULL, *pivots = fresh(TB_I32, 1, &n);
    const tb_status status = tb_arange(TB_I32, tb_scalar_int(0), tb_scalar_int(1), n, &rows);
    return both("not_equal", pivots, keep(status, rows));
}

static tb_array *sign_of(tb_array *diagonal, tb_array *exchange)
{
    tb_array *unit = call1("sign", diagonal);
    return reduced(TB_RED_PROD, where(exchange, of(call1("negative", unit)), of(unit)), 0);
}

static tb_array *log_of(tb_array *diagonal)
{
    return reduced(TB_RED_SUM, call1("log", call1("absolute", diagonal)), 0);
}

static tb_status note_determinant(tb_dtype t, int64_t n)
{
    sign_of(diagonal(t, n), exchanged(n));
    TB_TRY(done());
    log_of(diagonal(t, n));
    TB_TRY(done());
    tb_array *d = diagonal(t, n), *exchange = exchanged(n);
    tb_array *value = reduced(TB_RED_PROD, where(exchange, of(call1("negative", d)), of(d)), 0);
    tb_array *size = call1("absolute", value);
    tb_array *plain = both("bitwise_and", call2("greater_equal", of(size), number(1e-30)),
                           call2("less_equal", of(size), number(1e30)));
    tb_array *wide = t == TB_F64 ? d : cast(d, TB_F64);
    tb_array *sign = sign_of(wide, exchange);
    tb_array *other = both("multiply", sign, call1("exp", log_of(wide)));
    where(plain, of(value), of(t == TB_F64 ? other : cast(other, t)));
    return done();
}

/* ---- exponentials ------------------------------------------------------------------------------------------------ */

/* A sum and one more power of a matrix times a number, neither of which anybody else has. */
static tb_array *with_term(tb_operand sum, tb_array *before, tb_array *power)
{
    tb_array *term = call2("multiply", number(2), of(power)), *out = call2("add", sum, of(term));
    forget(term);
    forget(before);
    return out;
}

static tb_array *sum_of_powers(tb_dtype t, tb_array *unit, int n)
{
    tb_array *sum = with_term(number(0), NULL, unit);
    for (int i = 1; i < n; i++) sum = with_term(of(sum), sum, square(t));
    return sum;
}

/* The pieces of Taylor's polynomial by powers of a matrix: the last one, in which the unit matrix is made, has one term
 * more. */
static tb_status note_polynomial(tb_dtype t, int terms)
{
    tb_array *unit = NULL;
    const tb_status status = tb_eye(t, SIDE, SIDE, 0, 'C', &unit);
    sum_of_powers(t, keep(status, unit), terms + 1);
    TB_TRY(done_and_kept());
    tb_array *product = square(t);
    both("add", product, sum_of_powers(t, square(t), terms));
    return done();
}

static tb_status note_exponential(tb_dtype t)
{
    for (int64_t n = SIDE - 1; n <= SIDE; n++) {
        reduced(TB_RED_SUM, call1("absolute", matrix(t, n, n)), 0);
        TB_TRY(done());
    }
    both("multiply", both("multiply", square(t), one(t)), one(t));
    TB_TRY(done());
    reduced(TB_RED_SUM, call1("absolute", call2("divide", of(square(t)), number(2))), 0);
    TB_TRY(done());
    for (int terms = 2; terms <= (t == TB_F32 ? 5 : 6); terms++) TB_TRY(note_polynomial(t, terms));
    return TB_OK;
}

/* ---- cosine transforms ------------------------------------------------------------------------------------------- */

/* Every other element along the last axis, then the rest in reverse: of rows, and of stacks whose last two axes are
 * turned, with elements next to each other and apart. */
static tb_status note_halves(tb_dtype t)
{
    static const int64_t rows[] = {SIDE, SIDE / 2}, stacks[] = {2, EDGE, SIDE / 2};
    joined(view(t, 2, rows, (const int64_t[]){SIDE, 2}), view(t, 2, rows, (const int64_t[]){SIDE, -2}));
    TB_TRY(done());
    for (int64_t step = 1; step <= 2; step++) {
        const int64_t forth[] = {SIDE * EDGE * step, step, 2 * EDGE * step};
        const int64_t back[] = {SIDE * EDGE * step, step, -2 * EDGE * step};
        joined(view(t, 3, stacks, forth), view(t, 3, stacks, back));
        TB_TRY(done());
    }
    return TB_OK;
}

static tb_array *part_of(tb_array *complex, bool imag)
{
    tb_array *out = NULL;
    if (failed()) return NULL;
    const tb_status status = tb_real_imag(complex, imag, &out);
    return keep(status, out);
}

/* exp(i angle) of angles that are counted and kept, part by part. */
static tb_status note_turns(tb_dtype complex)
{
    tb_array *turns = fresh(complex, 1, (const int64_t[]){SIDE * SIDE}), *place = count(TB_I64);
    tb_array *shifted = call2("add", of(place), number(0)), *angles = call2("multiply", of(shifted), number(0.5));
    tb_array *cosine = call1("cos", angles);
    forget(place);
    forget(shifted);
    store(part_of(turns, false), of(cosine));
    forget(cosine);
    TB_TRY(done_and_kept());
    store(part_of(fresh(complex, 1, (const int64_t[]){SIDE * SIDE}), true), of(call1("sin", flat(TB_F64))));
    return done();
}

/* The real parts of a product, and the imaginary ones in reverse with the other sign. */
static tb_status note_product_parts(tb_dtype t)
{
    static const int64_t shape[] = {SIDE / 2, SIDE / 2}, strides[][2] = {{2 * SIDE, 2}, {2 * SIDE, -2}};
    joined(view(t, 2, shape, strides[0]), call1("negative", view(t, 2, shape, strides[1])));
    return done();
}

static tb_status note_cosine_transform(tb_dtype t, tb_dtype complex)
{
    TB_TRY(note_halves(t));
    TB_TRY(note_turns(complex));
    return note_product_parts(t);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static tb_status note_of(tb_dtype t, tb_dtype complex)
{
    TB_TRY(note_triangles(t));
    TB_TRY(note_symmetric(symmetric(square(t))));
    TB_TRY(note_symmetric(symmetric(stack(t))));
    TB_TRY(note_eigenvalues(square(t)));
    TB_TRY(note_eigenvalues(matrix(t, SIDE, 2 * SIDE)));
    TB_TRY(note_singular_values(t));
    TB_TRY(note_equations(t));
    TB_TRY(note_residuals(t));
    for (int i = 0; i < 2; i++) TB_TRY(note_determinant(t, sizes[i]));
    TB_TRY(note_exponential(t));
    return note_cosine_transform(t, complex);
}

tb_status ship_linalg(void)
{
    TB_TRY(note_of(TB_F32, TB_C64));
    return note_of(TB_F64, TB_C128);
}
