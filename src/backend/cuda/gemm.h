/* gemm.h - inside src/backend/cuda: a product as cuBLAS and cuBLASLt are asked for it. */
#ifndef TB_BACKEND_CUDA_GEMM_H
#define TB_BACKEND_CUDA_GEMM_H
#include "backend/cuda/device.h"

/* One operand as cuBLAS sees it: the row-major matrix is a column-major one of `rows` = its number of columns. */
typedef struct tb_cublas_operand {
    cublasOperation_t op;
    int64_t ld;
} tb_cublas_operand;

typedef struct tb_cublas_types {
    cudaDataType data;
    cublasComputeType_t compute;
} tb_cublas_types;

/* What a product is computed in, how its operands lie, and its factors 1 and 0. */
typedef struct tb_cublas_product {
    tb_cublas_types types;
    tb_cublas_operand a, b;
    int64_t ldc;
    const void *one, *zero;
} tb_cublas_product;

/* The stream's workspace. */
tb_status tb__cuda_blas_workspace(tb_stream *s, void **workspace, size_t *size);
/* By cuBLASLt, with its choice of an algorithm kept from the first time on; *done: whether it has one. */
tb_status tb__cuda_gemm_planned(tb_stream *s, const tb_gemm *g, const tb_cublas_product *p, bool *done);
#endif
