/* test_sparse.c - patterns and products of sparse matrices: those by the backend's loops or kernels against those by
 * sorts and searches, or against what is found here element by element, and products against those of dense matrices;
 * either width of indices, all dtypes; bad input. */
#include "check.h"
#include "ops/sparse/keys.h"

enum { MOST = 4096 };

static uint64_t state = 1;

static int64_t below(int64_t n)
{
    state = state * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
    return n > 0 ? (int64_t)((state >> 33) % (uint64_t)n) : 0;
}

/* ---- arrays and the host's numbers ---------------------------------------------------------------------------- */

static tb_array *vector(tb_dtype t, int64_t n, const int64_t *x)
{
    tb_array *wide = NULL, *a = NULL;
    CHECK_OK(tb_empty(TB_I64, 1, &n, 'C', &wide));
    CHECK_OK(tb_array_set(wide, x, NULL, NULL, true));
    CHECK_OK(tb_astype(wide, t, 'C', TB_CAST_UNSAFE, true, &a));
    tb_array_release(wide);
    return a;
}

static int64_t fetch(tb_array *a, int64_t *x)
{
    tb_array *wide = NULL;
    CHECK(tb_array_size(a) <= MOST);
    if (CHECK_OK(tb_astype(a, TB_I64, 'C', TB_CAST_UNSAFE, false, &wide)))
        CHECK_OK(tb_array_get(wide, x, NULL, NULL, true));
    tb_array_release(wide);
    return tb_array_size(a);
}

/* Both are stolen. */
static void same(tb_array *a, tb_array *b)
{
    static int64_t x[MOST], y[MOST];
    CHECK(tb_array_dtype(a) == tb_array_dtype(b));
    const int64_t n = fetch(a, x), m = fetch(b, y);
    CHECK(n == m && memcmp(x, y, (size_t)n * sizeof *x) == 0);
    tb_array_release(a);
    tb_array_release(b);
}

static void same_pattern(tb_pattern a, tb_pattern b)
{
    CHECK(a.rows == b.rows && a.cols == b.cols);
    same(a.start, b.start);
    same(a.index, b.index);
}

static void release(tb_pattern *p)
{
    tb_array_release(p->start);
    tb_array_release(p->index);
}

/* ---- random matrices ------------------------------------------------------------------------------------------ */

typedef struct matrix {
    tb_pattern p;
    tb_array *data;
    int64_t rows, cols, dense[MOST];
} matrix;

/* Elements at n random places, and what they add up to. */
static void make(tb_dtype index, tb_dtype t, int64_t rows, int64_t cols, int64_t n, matrix *m)
{
    static int64_t row[MOST], col[MOST], value[MOST];
    tb_array *r, *c, *given, *order;
    tb_pattern by_keys;
    tb_array *keys_order;
    if (rows * cols == 0) n = 0;
    *m = (matrix){.rows = rows, .cols = cols};
    for (int64_t i = 0; i < n; i++) {
        row[i] = below(rows), col[i] = below(cols), value[i] = 1 + below(3);
        if (t == TB_BOOL) value[i] = 1;
        m->dense[row[i] * cols + col[i]] += value[i];
    }
    r = vector(index, n, row), c = vector(index, n, col), given = vector(t, n, value);
    CHECK_OK(tb_pattern_group(r, c, rows, cols, &m->p, &order));
    CHECK_OK(tb__keys_group(r, c, rows, cols, &by_keys, &keys_order));
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = order};
    CHECK_OK(tb_array_index(given, 1, &key, &m->data));
    same(order, keys_order);
    tb_array_retain(m->p.start);
    tb_array_retain(m->p.index);
    same_pattern(m->p, by_keys);
    tb_array_release(r);
    tb_array_release(c);
    tb_array_release(given);
}

static void drop(matrix *m)
{
    release(&m->p);
    tb_array_release(m->data);
}

/* ---- patterns, element by element ------------------------------------------------------------------------------ */

typedef struct numbers {
    int64_t rows, start[MOST], index[MOST];
} numbers;

static void fetch_pattern(const tb_pattern *p, numbers *out)
{
    out->rows = p->rows;
    fetch(p->start, out->start);
    fetch(p->index, out->index);
}

static int what_is(const numbers *p)
{
    int found = TB_PATTERN_SORTED | TB_PATTERN_UNIQUE | TB_PATTERN_VALID;
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t k = p->start[i] + 1; k < p->start[i + 1]; k++) {
            if (p->index[k] < p->index[k - 1]) found = TB_PATTERN_VALID;
            if (p->index[k] == p->index[k - 1]) found &= ~TB_PATTERN_UNIQUE;
        }
    return found;
}

static tb_array *rows_of(const tb_pattern *p)
{
    static int64_t row[MOST];
    static numbers x;
    fetch_pattern(p, &x);
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t k = x.start[i]; k < x.start[i + 1]; k++) row[k] = i;
    return vector(tb_array_dtype(p->index), tb_array_size(p->index), row);
}

/* The number of the element in a row, -1 if there is none. */
static int64_t number_of(const numbers *p, int64_t row, int64_t col)
{
    for (int64_t k = p->start[row]; k < p->start[row + 1]; k++)
        if (p->index[k] == col) return k;
    return -1;
}

static void match(const tb_pattern *a, const tb_pattern *b, bool any, tb_pattern *out, tb_array **from)
{
    static numbers x, y;
    static int64_t start[MOST], index[MOST], number[2][MOST];
    const tb_dtype t = tb_array_dtype(a->index);
    int64_t n = 0;
    fetch_pattern(a, &x);
    fetch_pattern(b, &y);
    for (int64_t i = 0; i < a->rows; i++) {
        for (int64_t col = 0; col < a->cols; col++) {
            const int64_t in_a = number_of(&x, i, col), in_b = number_of(&y, i, col);
            if (any ? in_a < 0 && in_b < 0 : in_a < 0 || in_b < 0) continue;
            index[n] = col, number[0][n] = in_a, number[1][n++] = in_b;
        }
        start[i + 1] = n;
    }
    *out = (tb_pattern){a->rows, a->cols, vector(t, a->rows + 1, start), vector(t, n, index)};
    for (int i = 0; i < 2; i++) from[i] = vector(t, n, number[i]);
}

/* ---- patterns ------------------------------------------------------------------------------------------------- */

static void test_derived(const tb_pattern *p)
{
    static tb_status (*const both[][2])(const tb_pattern *, tb_pattern *,
                                        tb_array **) = {{tb_pattern_transpose, tb__keys_transpose},
                                                        {tb_pattern_sort, tb__keys_sort},
                                                        {tb_pattern_unique, tb__keys_unique}};
    tb_array *x, *y;
    static numbers got;
    int found;
    for (int i = 0; i < 3; i++) {
        tb_pattern a, b;
        CHECK_OK(both[i][0](p, &a, &x));
        CHECK_OK(both[i][1](p, &b, &y));
        CHECK_OK(tb_pattern_check(&a, &found));
        fetch_pattern(&a, &got);
        CHECK(found == what_is(&got));
        CHECK(found & TB_PATTERN_VALID && found & TB_PATTERN_SORTED && (i < 2 || found & TB_PATTERN_UNIQUE));
        same_pattern(a, b);
        same(x, y);
    }
    CHECK_OK(tb_pattern_rows(p, &x));
    same(x, rows_of(p));
    fetch_pattern(p, &got);
    CHECK_OK(tb_pattern_check(p, &found));
    CHECK(found == what_is(&got));
}

static void test_asked_for(const tb_pattern *p)
{
    static int64_t row[64], col[64];
    const int64_t n = p->rows * p->cols > 0 ? 40 : 0;
    const tb_dtype t = tb_array_dtype(p->index);
    tb_pattern sorted, a, b;
    tb_array *x, *y;
    for (int64_t i = 0; i < n; i++) row[i] = below(p->rows), col[i] = below(p->cols);
    tb_array *r = vector(t, n, row), *c = vector(t, n, col);
    CHECK_OK(tb_pattern_take(p, r, &a, &x));
    CHECK_OK(tb__keys_take(p, r, &b, &y));
    same_pattern(a, b);
    same(x, y);
    CHECK_OK(tb_pattern_unique(p, &sorted, &x));
    tb_array_release(x);
    CHECK_OK(tb_pattern_find(&sorted, r, c, &x));
    CHECK_OK(tb__keys_find(&sorted, r, c, &y));
    same(x, y);
    release(&sorted);
    tb_array_release(r);
    tb_array_release(c);
}

static void test_matches(const tb_pattern *p, const tb_pattern *q)
{
    tb_pattern a, b, made, other;
    tb_array *first, *x[2], *y[2];
    CHECK_OK(tb_pattern_unique(p, &a, &first));
    tb_array_release(first);
    CHECK_OK(tb_pattern_unique(q, &b, &first));
    tb_array_release(first);
    for (int any = 0; any < 2; any++) {
        CHECK_OK(tb_pattern_match(&a, &b, any, &made, &x[0], &x[1]));
        match(&a, &b, any, &other, y);
        same_pattern(made, other);
        same(x[0], y[0]);
        same(x[1], y[1]);
    }
    release(&a);
    release(&b);
}

/* ---- products ------------------------------------------------------------------------------------------------- */

static int64_t wrapped(tb_dtype t, int64_t x) { return t == TB_BOOL ? x != 0 : t == TB_U8 ? x & 255 : x; }

static void test_dense_products(const matrix *m, tb_dtype t, int64_t width)
{
    static int64_t x[MOST], want[MOST];
    for (int transposed = 0; transposed < 2; transposed++) {
        const int64_t rows = transposed ? m->cols : m->rows, length = transposed ? m->rows : m->cols;
        const int64_t shape[2] = {length, width};
        tb_array *flat, *a, *got;
        for (int64_t i = 0; i < length * width; i++) x[i] = t == TB_BOOL ? below(2) : below(4);
        flat = vector(t, length * width, x);
        CHECK_OK(tb_reshape(flat, width == 1 ? 1 : 2, shape, 'C', NULL, &a));
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < width; j++) {
                int64_t sum = 0;
                for (int64_t k = 0; k < length; k++)
                    sum += m->dense[transposed ? k * m->cols + i : i * m->cols + k] * x[k * width + j];
                want[i * width + j] = wrapped(t, sum);
            }
        CHECK_OK(tb_sparse_matmul(&m->p, m->data, transposed, a, &got));
        CHECK(tb_array_ndim(got) == tb_array_ndim(a));
        same(got, vector(t, rows * width, want));
        if (transposed) {
            CHECK_OK(tb__keys_transposed_product(&m->p, m->data, a, &got));
            same(got, vector(t, rows * width, want));
        }
        tb_array_release(a);
        tb_array_release(flat);
    }
}

/* A dense vector of what a matrix's elements add up to. */
static void add_up(const tb_pattern *p, tb_array *data, tb_dtype t, int64_t *dense)
{
    static int64_t start[MOST], index[MOST], value[MOST];
    memset(dense, 0, MOST * sizeof *dense);
    fetch(p->start, start);
    fetch(p->index, index);
    fetch(data, value);
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++)
            dense[i * p->cols + index[k]] = wrapped(t, dense[i * p->cols + index[k]] + value[k]);
}

static void test_products(const matrix *a, const matrix *b, tb_dtype t)
{
    static int64_t got[MOST];
    static tb_status (*const both[])(const tb_pattern *, tb_array *, const tb_pattern *, tb_array *, tb_pattern *,
                                     tb_array **) = {tb_sparse_multiply, tb__keys_multiply};
    for (int i = 0; i < 2; i++) {
        tb_pattern p;
        tb_array *data;
        CHECK_OK(both[i](&a->p, a->data, &b->p, b->data, &p, &data));
        CHECK(p.rows == a->rows && p.cols == b->cols && tb_array_dtype(data) == t);
        add_up(&p, data, t, got);
        bool right = true;
        for (int64_t r = 0; r < a->rows; r++)
            for (int64_t c = 0; c < b->cols; c++) {
                int64_t sum = 0;
                for (int64_t k = 0; k < a->cols; k++) sum += a->dense[r * a->cols + k] * b->dense[k * b->cols + c];
                right &= got[r * b->cols + c] == wrapped(t, sum);
            }
        CHECK(right);
        release(&p);
        tb_array_release(data);
    }
}

/* ---- bad input ------------------------------------------------------------------------------------------------ */

static void test_bad_input(void)
{
    const int64_t low[] = {0, 1, 2}, falls[] = {0, 2, 1}, far[] = {0, 9}, near[] = {0, 1};
    tb_array *start = vector(TB_I32, 3, low), *bad = vector(TB_I32, 3, falls), *index = vector(TB_I32, 2, near);
    tb_array *outside = vector(TB_I32, 2, far), *wide = vector(TB_I64, 2, near), *out, *other;
    tb_pattern made;
    int found;
    const tb_pattern good = {2, 2, start, index};
    CHECK_OK(tb_pattern_check(&good, &found));
    CHECK(found == (TB_PATTERN_SORTED | TB_PATTERN_UNIQUE | TB_PATTERN_VALID));
    CHECK_OK(tb_pattern_check(&(tb_pattern){2, 2, bad, index}, &found));
    CHECK(found == 0);
    CHECK_OK(tb_pattern_check(&(tb_pattern){2, 2, start, outside}, &found));
    CHECK(found == 0);
    CHECK_FAILS(tb_pattern_rows(&(tb_pattern){2, 2, start, wide}, &out), TB_ERR_VALUE, "one dtype");
    CHECK_FAILS(tb_pattern_rows(&(tb_pattern){3, 2, start, index}, &out), TB_ERR_VALUE, "start");
    if (strcmp(tb_backend_name(), "cpu") == 0) { /* only there indices are looked at */
        CHECK_FAILS(tb_pattern_group(outside, index, 2, 2, &made, &out), TB_ERR_VALUE, "row index 9");
        CHECK_FAILS(tb_pattern_take(&good, outside, &made, &out), TB_ERR_VALUE, "row index 9");
        CHECK_FAILS(tb_pattern_find(&good, index, outside, &out), TB_ERR_VALUE, "col index 9");
    }
    CHECK_FAILS(tb_pattern_group(index, wide, 2, 2, &made, &out), TB_ERR_VALUE, "one dtype");
    CHECK_FAILS(tb_pattern_match(&good, &(tb_pattern){2, 3, start, index}, true, &made, &out, &other), TB_ERR_VALUE,
                "one shape");
    CHECK_FAILS(tb_sparse_matmul(&good, start, false, index, &out), TB_ERR_VALUE, "as many values");
    CHECK_FAILS(tb_sparse_matmul(&good, index, false, start, &out), TB_ERR_VALUE, "dimension mismatch");
    CHECK_FAILS(tb_pattern_rows(&(tb_pattern){0, 0, NULL, NULL}, &out), TB_ERR_VALUE, "NULL");
    tb_array_release(start);
    tb_array_release(bad);
    tb_array_release(index);
    tb_array_release(outside);
    tb_array_release(wide);
}

/* Neither are factors the CPU's. */
static void test_factors(void)
{
    const int64_t each[] = {0, 1, 2};
    tb_array *start = vector(TB_I32, 3, each), *index = vector(TB_I32, 2, each), *values = vector(TB_F64, 2, each);
    tb_array *out = NULL;
    tb_sparse_factors *factors = NULL;
    const tb_pattern p = {2, 2, start, index}, wide = {2, 3, start, index};
    CHECK_FAILS(tb_sparse_solver_check(), TB_ERR_NOT_IMPLEMENTED, "CPU backend");
    CHECK_FAILS(tb_sparse_factor(&p, values, false, &factors), TB_ERR_NOT_IMPLEMENTED, "CPU backend");
    CHECK_FAILS(tb_sparse_factor(&wide, values, false, &factors), TB_ERR_LINALG, "(2, 3)");
    CHECK_FAILS(tb_sparse_factor(&p, index, false, &factors), TB_ERR_TYPE, "int32");
    CHECK_FAILS(tb_sparse_factor(&(tb_pattern){2, 2, start, start}, values, false, &factors), TB_ERR_VALUE, "values");
    CHECK_FAILS(tb_sparse_solve(factors, values, &out), TB_ERR_VALUE, "factors");
    CHECK(factors == NULL && out == NULL);
    tb_sparse_factors_release(NULL);
    tb_array_release(start);
    tb_array_release(index);
    tb_array_release(values);
}

/* [[2, 0], [4, 8]] with what is above the diagonal not looked at. */
static void test_triangle(void)
{
    const int64_t starts[] = {0, 2, 4}, columns[] = {1, 0, 0, 1}, numbers[] = {7, 2, 4, 8}, right[] = {6, 28};
    tb_array *start = vector(TB_I32, 3, starts), *index = vector(TB_I32, 4, columns);
    tb_array *values = vector(TB_F64, 4, numbers), *b = vector(TB_I32, 2, right), *x = NULL;
    const tb_pattern p = {2, 2, start, index}, wide = {2, 3, start, index};
    double got[2];
    CHECK_OK(tb_sparse_solve_triangle(&p, values, true, false, b, &x));
    CHECK_OK(tb_array_get(x, got, NULL, NULL, true));
    CHECK(got[0] == 3 && got[1] == 2);
    tb_array_release(x);
    CHECK_OK(tb_sparse_solve_triangle(&p, values, true, true, b, &x));
    CHECK_OK(tb_array_get(x, got, NULL, NULL, true));
    CHECK(got[0] == 6 && got[1] == 4);
    tb_array_release(x);
    x = NULL;
    CHECK_FAILS(tb_sparse_solve_triangle(&wide, values, true, false, b, &x), TB_ERR_VALUE, "(2, 3)");
    CHECK_FAILS(tb_sparse_solve_triangle(&p, b, true, false, b, &x), TB_ERR_VALUE, "as many values");
    CHECK_FAILS(tb_sparse_solve_triangle(&p, values, true, false, values, &x), TB_ERR_VALUE, "(2,) or (2, k)");
    CHECK_OK(tb_array_set(values, (const double[]){7, 0, 4, 8}, NULL, NULL, true));
    CHECK_FAILS(tb_sparse_solve_triangle(&p, values, true, false, b, &x), TB_ERR_LINALG, "singular");
    CHECK(x == NULL);
    tb_array_release(start);
    tb_array_release(index);
    tb_array_release(values);
    tb_array_release(b);
}

/* Products of structured matrices are a library's, on GPUs: here what is said instead. */
static void test_structured(void)
{
    const int64_t few[] = {1, 2};
    tb_array *x = vector(TB_I8, 2, few), *square = NULL, *out = NULL;
    CHECK_OK(tb_full(TB_I8, 2, (const int64_t[]){32, 32}, 'C', tb_scalar_int(1), &square));
    CHECK_FAILS(tb_structured_check(TB_F16, 16, 16, 8), TB_ERR_NOT_IMPLEMENTED, "CPU backend");
    CHECK_FAILS(tb_structured_check(TB_NDTYPE, 16, 16, 8), TB_ERR_VALUE, "tb_structured_check");
    CHECK_FAILS(tb_structured_compress(square, &out), TB_ERR_NOT_IMPLEMENTED, "CPU backend");
    CHECK_FAILS(tb_structured_compress(x, &out), TB_ERR_VALUE, "matrix");
    CHECK_FAILS(tb_structured_matmul(x, 32, square, &out), TB_ERR_NOT_IMPLEMENTED, "CPU backend");
    CHECK_FAILS(tb_structured_matmul(x, 32, x, &out), TB_ERR_VALUE, "matrix");
    CHECK(out == NULL);
    tb_array_release(x);
    tb_array_release(square);
}

int main(void)
{
    static const tb_dtype dtypes[] = {TB_F64, TB_BOOL, TB_U8, TB_I16, TB_I32, TB_I64, TB_F16, TB_F32, TB_C64, TB_C128};
    static const int64_t shapes[][3] = {{0, 0, 0},  {0, 5, 0},    {5, 0, 0},    {1, 1, 3},
                                        {7, 9, 30}, {40, 50, 60}, {12, 60, 700}};
    static matrix a, b, c;
    CHECK_OK(tb_init());
    for (int s = 0; s < 7; s++)
        for (int i = 0; i < 20; i++) {
            const tb_dtype index = i % 2 ? TB_I64 : TB_I32, t = dtypes[i / 2];
            const int64_t rows = shapes[s][0], cols = shapes[s][1], n = shapes[s][2];
            make(index, t, rows, cols, n, &a);
            make(index, t, rows, cols, n / 2, &b);
            make(index, t, cols, rows, n, &c);
            test_derived(&a.p);
            test_asked_for(&a.p);
            test_matches(&a.p, &b.p);
            test_dense_products(&a, t, 1);
            test_dense_products(&a, t, 5);
            test_products(&a, &c, t);
            drop(&a);
            drop(&b);
            drop(&c);
        }
    test_bad_input();
    test_factors();
    test_triangle();
    test_structured();
    return check_report();
}
