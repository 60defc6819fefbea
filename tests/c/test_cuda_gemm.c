/* test_cuda_gemm.c - what the CUDA backend asks of cuBLAS is the product that was wanted: the functions of cuBLAS are
 * replaced by column-major reference loops that check their arguments as cuBLAS does.
 *
 *   test_cuda_gemm DIRECTORY   where libcuda.so.1 of fake_cuda.c is */
#include <stdlib.h>

#include "backend/cuda/device.h"
#include "check.h"
#include "gemms.h"

enum { MAX = 4096, INVALID = 7 };
static int calls, batched_calls;
static tb_stream *stream;
static cudaStream_t stream_set;
static void *workspace_set;
static cublasComputeType_t asked = CUBLAS_COMPUTE_32F; /* what products are expected to be computed in */

/* ---- cuBLAS --------------------------------------------------------------------------------------------------- */

static cublasStatus_t create(cublasHandle_t *handle)
{
    static int object;
    *handle = (cublasHandle_t)&object;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t set_math_mode(cublasHandle_t handle, cublasMath_t mode)
{
    (void)handle;
    CHECK(mode == CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t set_stream(cublasHandle_t handle, cudaStream_t s)
{
    (void)handle;
    stream_set = s;
    workspace_set = NULL;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t set_workspace(cublasHandle_t handle, void *workspace, size_t bytes)
{
    (void)handle;
    CHECK(bytes >= 4 << 20);
    workspace_set = workspace;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t multiply(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const float *a,
                               int lda, const float *b, int ldb, float *c, int ldc)
{
    bool a_fits = lda >= 1 && lda >= (op_a == CUBLAS_OP_N ? m : k);
    bool b_fits = ldb >= 1 && ldb >= (op_b == CUBLAS_OP_N ? k : n);
    if (!a_fits || !b_fits || ldc < 1 || ldc < m || !workspace_set) return INVALID;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++) {
                float x = op_a == CUBLAS_OP_N ? a[i + (size_t)l * lda] : a[l + (size_t)i * lda];
                float y = op_b == CUBLAS_OP_N ? b[l + (size_t)j * ldb] : b[j + (size_t)l * ldb];
                sum += x * y;
            }
            c[i + (size_t)j * ldc] = sum;
        }
    }
    return CUBLAS_STATUS_SUCCESS;
}

/* Factors are of the type that is computed in: complex for complex numbers. */
static bool is_factor(double x, const void *factor, cudaDataType type, cublasComputeType_t compute)
{
    if (compute == CUBLAS_COMPUTE_16F) return *(const uint16_t *)factor == (x == 1 ? 0x3c00 : 0);
    if (type == CUDA_R_64F || type == CUDA_C_64F)
        return *(const double *)factor == x && (type == CUDA_R_64F || ((const double *)factor)[1] == 0);
    return *(const float *)factor == (float)x && (type != CUDA_C_32F || ((const float *)factor)[1] == 0);
}

static bool is_one(const void *x, cudaDataType type, cublasComputeType_t how) { return is_factor(1, x, type, how); }
static bool is_zero(const void *x, cudaDataType type, cublasComputeType_t how) { return is_factor(0, x, type, how); }

static cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                           const void *alpha, const void *a, cudaDataType a_type, int lda, const void *b,
                           cudaDataType b_type, int ldb, const void *beta, void *c, cudaDataType c_type, int ldc,
                           cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    (void)handle;
    calls++;
    CHECK(a_type == b_type && a_type == c_type && compute == asked && algorithm == CUBLAS_GEMM_DEFAULT);
    if (!is_one(alpha, a_type, compute) || !is_zero(beta, a_type, compute)) return INVALID;
    if (a_type != CUDA_R_32F) return CUBLAS_STATUS_SUCCESS;
    return multiply(op_a, op_b, m, n, k, a, lda, b, ldb, c, ldc);
}

static cublasStatus_t gemm_batched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                                   int k, const void *alpha, const void *a, cudaDataType a_type, int lda,
                                   long long int stride_a, const void *b, cudaDataType b_type, int ldb,
                                   long long int stride_b, const void *beta, void *c, cudaDataType c_type, int ldc,
                                   long long int stride_c, int batch, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm)
{
    (void)handle;
    batched_calls++;
    CHECK(*(const float *)alpha == 1 && *(const float *)beta == 0 && algorithm == CUBLAS_GEMM_DEFAULT);
    CHECK(a_type == CUDA_R_32F && b_type == CUDA_R_32F && c_type == CUDA_R_32F && compute == asked);
    for (int i = 0; i < batch; i++) {
        cublasStatus_t result = multiply(op_a, op_b, m, n, k, (const float *)a + i * stride_a, lda,
                                         (const float *)b + i * stride_b, ldb, (float *)c + i * stride_c, ldc);
        if (result != CUBLAS_STATUS_SUCCESS) return result;
    }
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- the test ------------------------------------------------------------------------------------------------- */

static float a[MAX], b[MAX], c[MAX];

static void test_product(tb_gemm g)
{
    g.dtype = TB_F32;
    g.a = a;
    g.b = b;
    g.c = c;
    for (int i = 0; i < MAX; i++) c[i] = -1;
    if (!CHECK_OK(tb__backend->gemm(stream, &g))) return;
    for (int64_t i = 0; i < g.batch * g.m * g.n; i++) {
        int64_t batch = i / (g.m * g.n), row = i / g.n % g.m, col = i % g.n;
        float sum = 0;
        for (int64_t l = 0; l < g.k; l++)
            sum +=
                a[batch * g.a_batch + row * g.a_row + l * g.a_col] * b[batch * g.b_batch + l * g.b_row + col * g.b_col];
        CHECK(c[batch * g.c_batch + row * g.c_row + col] == sum);
    }
}

/* Every size with every order of both operands, with lines as long as they need to be or longer. */
static void test_orders(int64_t m, int64_t n, int64_t k, int64_t batch)
{
    for (int order = 0; order < 8; order++) test_product(gemm_in_order(order, m, n, k, batch));
}

/* What a thread chooses is what cuBLAS is asked for, as far as it has that for the dtype. */
static void test_compute_types(void)
{
    static const struct {
        tb_dtype t;
        tb_compute how;
        cublasComputeType_t asked;
    } rows[] = {
        {TB_F32, TB_COMPUTE_UNSET, CUBLAS_COMPUTE_32F},
        {TB_F32, TB_COMPUTE_DEFAULT, CUBLAS_COMPUTE_32F},
        {TB_F32, TB_COMPUTE_PEDANTIC, CUBLAS_COMPUTE_32F_PEDANTIC},
        {TB_F32, TB_COMPUTE_F16, CUBLAS_COMPUTE_32F_FAST_16F},
        {TB_F32, TB_COMPUTE_BF16, CUBLAS_COMPUTE_32F_FAST_16BF},
        {TB_F32, TB_COMPUTE_TF32, CUBLAS_COMPUTE_32F_FAST_TF32},
        {TB_F32, TB_COMPUTE_F64, CUBLAS_COMPUTE_32F},
        {TB_C64, TB_COMPUTE_TF32, CUBLAS_COMPUTE_32F_FAST_TF32},
        {TB_F16, TB_COMPUTE_DEFAULT, CUBLAS_COMPUTE_32F},
        {TB_F16, TB_COMPUTE_F16, CUBLAS_COMPUTE_16F},
        {TB_F16, TB_COMPUTE_TF32, CUBLAS_COMPUTE_32F},
        {TB_BF16, TB_COMPUTE_DEFAULT, CUBLAS_COMPUTE_32F},
        {TB_BF16, TB_COMPUTE_F16, CUBLAS_COMPUTE_32F},
        {TB_BF16, TB_COMPUTE_PEDANTIC, CUBLAS_COMPUTE_32F_PEDANTIC},
        {TB_F64, TB_COMPUTE_TF32, CUBLAS_COMPUTE_64F},
        {TB_F64, TB_COMPUTE_PEDANTIC, CUBLAS_COMPUTE_64F_PEDANTIC},
        {TB_C128, TB_COMPUTE_F32, CUBLAS_COMPUTE_64F},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tb_gemm g = gemm_in_order(0, 5, 4, 3, 1);
        g.dtype = rows[i].t;
        g.compute = rows[i].how;
        g.a = a;
        g.b = b;
        g.c = c;
        asked = rows[i].asked;
        CHECK_OK(tb__backend->gemm(stream, &g));
    }
    asked = CUBLAS_COMPUTE_32F;
}

static bool suits(tb_dtype t, int64_t m, int64_t n, int64_t k, int64_t batch)
{
    return tb__backend->gemm_suits(&(tb_gemm){.dtype = t, .m = m, .n = n, .k = k, .batch = batch});
}

/* Integers, inner products and small products are kernels of the library's own; float16 and bfloat16 are not, since
 * they would be rounded too often. */
static void test_what_suits(void)
{
    CHECK(suits(TB_F32, 1024, 1024, 1024, 1) && suits(TB_C128, 4096, 1, 4096, 1) && suits(TB_F64, 32, 32, 32, 100));
    CHECK(!suits(TB_F32, 32, 32, 32, 1) && !suits(TB_C64, 8, 8, 8, 8) && !suits(TB_F64, 1, 1, 1 << 20, 1));
    CHECK(!suits(TB_F32, 1 << 20, 8, 8, 1) && suits(TB_F32, 1 << 20, 8, 9, 1) && !suits(TB_F32, 4, 1 << 20, 4, 1));
    CHECK(!suits(TB_F64, 16, 16, 16, 1000) && suits(TB_F64, 16, 17, 16, 1000) && !suits(TB_F64, 32, 1, 32, 1000));
    CHECK(suits(TB_F32, 1 << 20, 1, 64, 1) && suits(TB_F32, 1, 1 << 20, 16, 1) && suits(TB_F64, 1, 32, 32, 1000));
    CHECK(!suits(TB_I64, 1024, 1024, 1024, 1) && !suits(TB_BOOL, 1024, 1024, 1024, 1));
    CHECK(suits(TB_F16, 2, 2, 2, 1) && suits(TB_F16, 1, 1, 100, 1));
    CHECK(suits(TB_BF16, 2, 2, 2, 1) && suits(TB_BF16, 1, 1, 100, 1));
    CHECK(suits(TB_F32, (int64_t)1 << 40, 2, (int64_t)1 << 40, 2));
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    setenv("TOMBAC_BACKEND", "cuda", 1);
    setenv("TOMBAC_LIBRARY_PATH", argv[1], 1);
    tb__cublas = (tb_cublas_table){
        .cublasCreate = create,
        .cublasSetMathMode = set_math_mode,
        .cublasSetStream = set_stream,
        .cublasSetWorkspace = set_workspace,
        .cublasGemmEx = gemm,
        .cublasGemmStridedBatchedEx = gemm_batched,
    };
    tb__library_cublas.ready = true;
    for (int i = 0; i < MAX; i++) {
        a[i] = (float)(i * 7 % 23 - 11);
        b[i] = (float)(i * 5 % 19 - 9);
    }
    CHECK_OK(tb_stream_new(0, 0, &stream));
    static const int64_t sizes[] = {1, 2, 5, 8};
    for (int i = 0; i < 64; i++) {
        test_orders(sizes[i % 4], sizes[i / 4 % 4], sizes[i / 16], 1);
        test_orders(sizes[i % 4], sizes[i / 4 % 4], sizes[i / 16], 3);
    }
    CHECK(calls == 64 * 8 && batched_calls == 64 * 8);
    CHECK(stream_set == stream->handle);
    /* A row vector whose elements are far apart, as a column of a matrix is when it is transposed. */
    tb_gemm g = {.m = 1, .n = 4, .k = 6, .batch = 1, .a_row = 1, .a_col = 9, .b_row = 4, .b_col = 1, .c_row = 1};
    test_product(g);
    g = (tb_gemm){.m = 3, .n = 1, .k = 6, .batch = 1, .a_row = 6, .a_col = 1, .b_row = 7, .b_col = 1, .c_row = 2};
    test_product(g);
    g = (tb_gemm){.dtype = TB_I32, .m = 1, .n = 1, .k = 1, .batch = 1};
    CHECK_FAILS(tb__backend->gemm(stream, &g), TB_ERR_TYPE, "int32");
    g = (tb_gemm){.dtype = TB_F32, .m = (int64_t)1 << 32, .n = 1, .k = 1, .batch = 1};
    g.a_row = g.a_col = g.b_row = g.b_col = g.c_row = 1;
    CHECK_FAILS(tb__backend->gemm(stream, &g), TB_ERR_NOT_IMPLEMENTED, "cuBLAS 12");
    test_what_suits();
    test_compute_types();
    tb_stream_release(stream);
    return check_report();
}
