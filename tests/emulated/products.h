/* products.h - matrix products of emulated libraries. Matrices lie in columns. */
#ifndef EMULATED_PRODUCTS_H
#define EMULATED_PRODUCTS_H
#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/abi.h"

/* d = alpha a b + beta c, and a number for each of d's rows, or NULL. Factors are of float16 for products computed so,
 * else of the precision of the sums. */
typedef struct product {
    int64_t m, n, k, a_row, a_col, b_row, b_col, ldc, ldd;
    const void *alpha, *beta, *c, *row;
} product;

/* False where there is no such product. */
bool multiply(cudaDataType type, cublasComputeType_t compute, const product *p, const void *a, const void *b, void *d);
int64_t product_item(cudaDataType type);
#endif
