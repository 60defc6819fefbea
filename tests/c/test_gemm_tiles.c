/* test_gemm_tiles.c - products of matrices by the library's own loops against a plain loop, over sizes about those of
 * tiles and blocks, in memory that ends with the last element: under AddressSanitizer nothing beside it is touched.
 * Floats are small whole numbers, whose sums are exact in any order. */
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "backend/cpu/plans/plans.h"
#include "check.h"

static uint64_t state = 1;

static uint64_t random_bits(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 16 | state << 48;
}

/* An element as a number; of truth values and integers the bits, which wrap, in `re`. */
typedef struct number {
    uint64_t bits;
    double re, im;
} number;

static number get(tb_dtype t, const void *p, int64_t i)
{
    number v = {0};
    const size_t size = tb_dtype_size(t);
    const char *from = (const char *)p + (size_t)i * size;
    const float *single = (const void *)from;
    const double *wide = (const void *)from;
    if (t == TB_F32 || t == TB_C64) v.re = single[0], v.im = t == TB_C64 ? single[1] : 0;
    else if (t == TB_F64 || t == TB_C128) v.re = wide[0], v.im = t == TB_C128 ? wide[1] : 0;
    else memcpy(&v.bits, from, size);
    return v;
}

static void fill_element(tb_dtype t, char *to)
{
    const size_t size = tb_dtype_size(t);
    const uint64_t v = t == TB_BOOL ? random_bits() % 16 == 0 : random_bits();
    const double small[2] = {(double)(v % 32) - 16, (double)(v / 32 % 32) - 16};
    const float single[2] = {(float)small[0], (float)small[1]};
    if (t == TB_F32 || t == TB_C64) memcpy(to, single, size);
    else if (t == TB_F64 || t == TB_C128) memcpy(to, small, size);
    else memcpy(to, &v, size);
}

static void *fill(tb_dtype t, int64_t n)
{
    const size_t size = tb_dtype_size(t);
    char *p = malloc((size_t)n * size);
    if (!p) abort();
    for (int64_t i = 0; i < n; i++) fill_element(t, p + (size_t)i * size);
    return p;
}

static void add_product(tb_dtype t, number x, number y, number *sum)
{
    sum->bits = t == TB_BOOL ? sum->bits | (x.bits & y.bits) : sum->bits + x.bits * y.bits;
    sum->re += x.re * y.re - x.im * y.im;
    sum->im += x.re * y.im + x.im * y.re;
}

/* Lines of `length` elements, `pad` elements from one to the next. */
static int64_t extent(int64_t lines, int64_t length, int64_t pad) { return (lines - 1) * (length + pad) + length; }

static void test_product(tb_dtype t, int64_t m, int64_t n, int64_t k, int order)
{
    const int64_t pad = order & 4 ? 5 : 0, batch = 2;
    tb_gemm g = {.dtype = t, .m = m, .n = n, .k = k, .batch = batch, .c_row = n + pad, .c_batch = m * (n + pad)};
    g.a_row = order & 1 ? 1 : k + pad;
    g.a_col = order & 1 ? m + pad : 1;
    g.b_row = order & 2 ? 1 : n + pad;
    g.b_col = order & 2 ? k + pad : 1;
    void *a = fill(t, order & 1 ? extent(k, m, pad) : extent(m, k, pad));
    void *b = fill(t, order & 2 ? extent(n, k, pad) : extent(k, n, pad));
    void *c = fill(t, g.c_batch + extent(m, n, pad)), *before = fill(t, 1);
    memcpy(before, (char *)c + (size_t)(g.c_batch - pad) * tb_dtype_size(t), pad ? tb_dtype_size(t) : 0);
    g.a = a, g.b = b, g.c = c;
    CHECK_OK(tb__cpu_gemm_tiles(&g));
    const uint64_t mask = t == TB_BOOL ? 1 : t > TB_U64 ? 0 : UINT64_MAX >> (64 - 8 * tb_dtype_size(t));
    for (int64_t i = 0; i < batch * m * n; i++) {
        int64_t row = i / n % m, col = i % n;
        number sum = {0};
        for (int64_t l = 0; l < k; l++)
            add_product(t, get(t, a, row * g.a_row + l * g.a_col), get(t, b, l * g.b_row + col * g.b_col), &sum);
        const number got = get(t, c, i / (m * n) * g.c_batch + row * g.c_row + col);
        CHECK(got.bits == (sum.bits & mask) && got.re == sum.re && got.im == sum.im);
    }
    if (pad) { /* what is between the lines stays */
        const number now = get(t, c, g.c_batch - pad), then = get(t, before, 0);
        CHECK(now.bits == then.bits && now.re == then.re && now.im == then.im);
    }
    free(a);
    free(b);
    free(c);
    free(before);
}

int main(void)
{
    static const int64_t sizes[][3] = {{4, 4, 1},    {5, 9, 3},    {3, 31, 2},     {8, 32, 7},  {7, 127, 5},
                                       {65, 129, 4}, {9, 33, 130}, {64, 128, 128}, {66, 7, 257}};
    static const tb_dtype dtypes[] = {TB_BOOL, TB_I8, TB_U16, TB_I32, TB_U64, TB_F32, TB_F64, TB_C64, TB_C128};
    CHECK_OK(tb_init());
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; t++)
            for (int order = 0; order < 8; order++)
                test_product(dtypes[t], sizes[s][0], sizes[s][1], sizes[s][2], order);
    return check_report();
}
