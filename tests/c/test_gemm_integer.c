/* test_gemm_integer.c - products of integer and bool matrices against a plain loop, over sizes about those of tiles and
 * blocks, in memory that ends with the last element: under AddressSanitizer nothing beside it is touched. */
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"

static uint64_t state = 1;

static uint64_t random_bits(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 16 | state << 48;
}

static uint64_t get(tb_dtype t, const void *p, int64_t i)
{
    uint64_t v = 0;
    size_t size = tb_dtype_size(t);
    memcpy(&v, (const char *)p + (size_t)i * size, size);
    return v;
}

static void *fill(tb_dtype t, int64_t n)
{
    size_t size = tb_dtype_size(t);
    char *p = malloc((size_t)n * size);
    if (!p) abort();
    for (int64_t i = 0; i < n; i++) {
        uint64_t v = t == TB_BOOL ? random_bits() % 16 == 0 : random_bits();
        memcpy(p + (size_t)i * size, &v, size);
    }
    return p;
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
    CHECK_OK(tb__backend->gemm(NULL, &g));
    const uint64_t mask = t == TB_BOOL ? 1 : UINT64_MAX >> (64 - 8 * tb_dtype_size(t));
    for (int64_t i = 0; i < batch * m * n; i++) {
        int64_t row = i / n % m, col = i % n;
        uint64_t sum = 0;
        for (int64_t l = 0; l < k; l++) {
            uint64_t x = get(t, a, row * g.a_row + l * g.a_col) * get(t, b, l * g.b_row + col * g.b_col);
            sum = t == TB_BOOL ? sum | x : sum + x;
        }
        CHECK(get(t, c, i / (m * n) * g.c_batch + row * g.c_row + col) == (sum & mask));
    }
    if (pad) CHECK(get(t, c, g.c_batch - pad) == get(t, before, 0)); /* what is between the lines stays */
    free(a);
    free(b);
    free(c);
    free(before);
}

int main(void)
{
    static const int64_t sizes[][3] = {{4, 4, 1},    {5, 9, 3},    {3, 31, 2},     {8, 32, 7},  {7, 127, 5},
                                       {65, 129, 4}, {9, 33, 130}, {64, 128, 128}, {66, 7, 257}};
    static const tb_dtype dtypes[] = {TB_BOOL, TB_I8, TB_U16, TB_I32, TB_U64};
    CHECK_OK(tb_init());
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; t++)
            for (int order = 0; order < 8; order++)
                test_product(dtypes[t], sizes[s][0], sizes[s][1], sizes[s][2], order);
    return check_report();
}
