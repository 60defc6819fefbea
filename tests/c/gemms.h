/* gemms.h - matrix products that tests of backends do. */
#ifndef TB_TESTS_GEMMS_H
#define TB_TESTS_GEMMS_H
#include "backend/backend.h"

/* Operands in one of eight orders (bits: a transposed, b transposed, lines that are longer than they need to be and one
 * a for all), with c in C order. */
static inline tb_gemm gemm_in_order(int order, int64_t m, int64_t n, int64_t k, int64_t batch)
{
    const int64_t pad = order & 4 ? 3 : 0;
    tb_gemm g = {.m = m, .n = n, .k = k, .batch = batch, .c_row = n + pad};
    g.a_row = order & 1 ? 1 : k + pad;
    g.a_col = order & 1 ? m + pad : 1;
    g.b_row = order & 2 ? 1 : n + pad;
    g.b_col = order & 2 ? k + pad : 1;
    g.a_batch = order & 4 ? 0 : m * k;
    g.b_batch = n * k + pad * (n > k ? n : k);
    g.c_batch = m * g.c_row;
    return g;
}
#endif
