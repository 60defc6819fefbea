/* products.c - matrix products of emulated libraries: sums one after the other, in the product's own precision, of
 * numbers with fewer bits where TF32 is asked for. */
#include "products.h"

#include <complex.h>

#include "base/half.h"

#define MULTIPLY(name, T, S, READ, WRITE)                                                                  \
    static void name(const product *p, const void *a, const void *b, void *d)                              \
    {                                                                                                      \
        const S alpha = *(const S *)p->alpha, beta = *(const S *)p->beta;                                  \
        const T *row = p->row;                                                                             \
        for (int64_t j = 0; j < p->n; j++)                                                                 \
            for (int64_t i = 0; i < p->m; i++) {                                                           \
                const T *from = (const T *)p->c + i + j * p->ldc;                                          \
                S sum = 0;                                                                                 \
                for (int64_t x = 0; x < p->k; x++)                                                         \
                    sum += READ(((const T *)a)[i * p->a_row + x * p->a_col]) *                             \
                           READ(((const T *)b)[x * p->b_row + j * p->b_col]);                              \
                sum = alpha * sum + (beta != 0 ? beta * READ(*from) : 0);                                  \
                if (row) sum = sum + READ(row[i]);                                                         \
                ((T *)d)[i + j * p->ldd] = WRITE(sum);                                                     \
            }                                                                                              \
    }
#define PLAIN(x) (x)
#define HALF_READ(x) ((float)tb__half_to_double(x))
#define HALF_WRITE(x) tb__half_from_double((double)(x))
#define BFLOAT_READ(x) ((float)tb__bfloat_to_double(x))
#define BFLOAT_WRITE(x) tb__bfloat_from_double((double)(x))
static float tf32_read(float x)
{
    union {
        float f;
        uint32_t bits;
    } kept = {.f = x};
    kept.bits &= ~UINT32_C(0x1fff); /* 10 bits of the fraction are left */
    return kept.f;
}
MULTIPLY(multiply_tf32, float, float, tf32_read, PLAIN)
MULTIPLY(multiply_f16, uint16_t, float, HALF_READ, HALF_WRITE)
MULTIPLY(multiply_bf16, uint16_t, float, BFLOAT_READ, BFLOAT_WRITE)
MULTIPLY(multiply_f32, float, float, PLAIN, PLAIN)
MULTIPLY(multiply_f64, double, double, PLAIN, PLAIN)
MULTIPLY(multiply_c64, float _Complex, float _Complex, PLAIN, PLAIN)
MULTIPLY(multiply_c128, double _Complex, double _Complex, PLAIN, PLAIN)

int64_t product_item(cudaDataType type)
{
    static const int64_t size[] = {[CUDA_R_16F] = 2, [CUDA_R_32F] = 4,  [CUDA_R_64F] = 8,
                                   [CUDA_C_32F] = 8, [CUDA_C_64F] = 16, [CUDA_R_16BF] = 2};
    return size[type];
}

bool multiply(cudaDataType type, cublasComputeType_t compute, const product *p, const void *a, const void *b, void *d)
{
    static void (*const of_type[])(const product *, const void *, const void *, void *) = {
        [CUDA_R_16F] = multiply_f16, [CUDA_R_32F] = multiply_f32,  [CUDA_R_64F] = multiply_f64,
        [CUDA_C_32F] = multiply_c64, [CUDA_C_64F] = multiply_c128, [CUDA_R_16BF] = multiply_bf16,
    };
    product q = *p;
    float factors[2];
    if ((unsigned)type > CUDA_R_16BF || !of_type[type]) return false;
    if (compute == CUBLAS_COMPUTE_16F) { /* so are its factors */
        if (type != CUDA_R_16F) return false;
        factors[0] = HALF_READ(*(const uint16_t *)p->alpha);
        factors[1] = HALF_READ(*(const uint16_t *)p->beta);
        q.alpha = &factors[0];
        q.beta = &factors[1];
    }
    const bool tf32 = compute == CUBLAS_COMPUTE_32F_FAST_TF32 && type == CUDA_R_32F;
    (tf32 ? multiply_tf32 : of_type[type])(&q, a, b, d);
    return true;
}
