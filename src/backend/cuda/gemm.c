/* gemm.c - matrix products, by cuBLAS.
 *
 * cuBLAS thinks in columns, so a row-major C = A B is asked for as its transpose, C' = B' A'. Products of float32 are
 * of true float32, and float16 is summed in float32, unless less will do (tb_compute_set). A handle belongs to a device
 * and is used under the core lock; each stream has a workspace of its own, so that products on different streams do not
 * disturb each other. */
#include <limits.h>

#include "backend/cuda/gemm.h"
#include "base/error.h"
#include "base/half.h"

enum { WORKSPACE = 32 << 20, SMALL_WORKSPACE = 4 << 20, HOPPER = 90 };

static cublasHandle_t handles[TB_DEVICE_MAX];
static const void *handle_stream[TB_DEVICE_MAX]; /* which stream a handle is set to */
static bool handle_set[TB_DEVICE_MAX];

tb_status tb__cublas_check(cublasStatus_t result, const char *call)
{
    if (result == CUBLAS_STATUS_SUCCESS) return TB_OK;
    const char *text = result == CUBLAS_STATUS_NOT_INITIALIZED ? "CUBLAS_STATUS_NOT_INITIALIZED"
                       : result == CUBLAS_STATUS_ALLOC_FAILED  ? "CUBLAS_STATUS_ALLOC_FAILED"
                                                               : "a cuBLAS error";
    return tb__fail_device(result, call, text);
}
static tb_status open_handle(int device)
{
    cublasHandle_t handle;
    TB_TRY(tb__library_load(&tb__library_cublas));
    cublasStatus_t result = tb__cublas.cublasCreate(&handle);
    if (result == CUBLAS_STATUS_ALLOC_FAILED || result == CUBLAS_STATUS_NOT_INITIALIZED) {
        tb__pool_free_all(device);
        result = tb__cublas.cublasCreate(&handle);
    }
    TB_TRY(tb__cublas_check(result, "cublasCreate"));
    TB_CUBLAS(cublasSetMathMode, handle, CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
    handles[device] = handle;
    return TB_OK;
}

static tb_status workspace_of(tb_stream *s, tb_gpu_queue **q, size_t *size, bool *fresh)
{
    *size = tb__gpu_devices[s->device].arch >= HOPPER ? WORKSPACE : SMALL_WORKSPACE;
    TB_TRY(tb__gpu_queue(s, q));
    *fresh = !(*q)->blas_workspace;
    return *fresh ? tb__gpu_alloc(s->device, *size, &(*q)->blas_workspace) : TB_OK;
}

tb_status tb__cuda_blas_workspace(tb_stream *s, void **workspace, size_t *size)
{
    tb_gpu_queue *q;
    bool fresh;
    TB_TRY(workspace_of(s, &q, size, &fresh));
    *workspace = q->blas_workspace;
    return TB_OK;
}

tb_status tb__cuda_blas(tb_stream *s, cublasHandle_t *out)
{
    tb_gpu_queue *q;
    size_t size;
    bool fresh;
    int device = s->device;
    TB_TRY(tb__cuda_enter(device));
    if (!handles[device]) TB_TRY(open_handle(device));
    TB_TRY(workspace_of(s, &q, &size, &fresh));
    if (fresh || !handle_set[device] || handle_stream[device] != q->handle) {
        handle_set[device] = false;
        TB_CUBLAS(cublasSetStream, handles[device], s->handle);
        TB_CUBLAS(cublasSetWorkspace, handles[device], q->blas_workspace, size);
        handle_stream[device] = q->handle;
        handle_set[device] = true;
    }
    *out = handles[device];
    return TB_OK;
}

static int64_t at_least(int64_t v, int64_t least) { return v < least ? least : v; }

/* A leading dimension only matters when there is more than one line; otherwise any valid one will do. */
static tb_cublas_operand describe(int64_t rows, int64_t cols, int64_t row, int64_t col)
{
    bool by_rows = col == 1 || cols == 1;
    int64_t lines = by_rows ? rows : cols, length = by_rows ? cols : rows, step = by_rows ? row : col;
    return (tb_cublas_operand){by_rows ? CUBLAS_OP_N : CUBLAS_OP_T,
                               lines > 1 ? step : at_least(step, at_least(length, 1))};
}

/* What cuBLAS has for numbers of 16, 32 and 64 bits; 0: as the default. */
enum { COMPUTES = TB_COMPUTE_TF32 + 1 };
static const cublasComputeType_t compute_16[COMPUTES] = {
    [TB_COMPUTE_DEFAULT] = CUBLAS_COMPUTE_32F,
    [TB_COMPUTE_PEDANTIC] = CUBLAS_COMPUTE_32F_PEDANTIC,
    [TB_COMPUTE_F16] = CUBLAS_COMPUTE_16F,
};
static const cublasComputeType_t compute_bfloat[COMPUTES] = {
    [TB_COMPUTE_DEFAULT] = CUBLAS_COMPUTE_32F,
    [TB_COMPUTE_PEDANTIC] = CUBLAS_COMPUTE_32F_PEDANTIC,
};
static const cublasComputeType_t compute_32[COMPUTES] = {
    [TB_COMPUTE_DEFAULT] = CUBLAS_COMPUTE_32F,        [TB_COMPUTE_PEDANTIC] = CUBLAS_COMPUTE_32F_PEDANTIC,
    [TB_COMPUTE_F16] = CUBLAS_COMPUTE_32F_FAST_16F,   [TB_COMPUTE_BF16] = CUBLAS_COMPUTE_32F_FAST_16BF,
    [TB_COMPUTE_TF32] = CUBLAS_COMPUTE_32F_FAST_TF32,
};
static const cublasComputeType_t compute_64[COMPUTES] = {
    [TB_COMPUTE_DEFAULT] = CUBLAS_COMPUTE_64F,
    [TB_COMPUTE_PEDANTIC] = CUBLAS_COMPUTE_64F_PEDANTIC,
};

static tb_status types_of(const tb_gemm *g, tb_cublas_types *out)
{
    const cublasComputeType_t *row;
    switch (g->dtype) {
    case TB_F16: out->data = CUDA_R_16F, row = compute_16; break;
    case TB_BF16: out->data = CUDA_R_16BF, row = compute_bfloat; break;
    case TB_F32: out->data = CUDA_R_32F, row = compute_32; break;
    case TB_F64: out->data = CUDA_R_64F, row = compute_64; break;
    case TB_C64: out->data = CUDA_C_32F, row = compute_32; break;
    case TB_C128: out->data = CUDA_C_64F, row = compute_64; break;
    default: return tb__fail(TB_ERR_TYPE, "matmul: cuBLAS has no product of %s", tb_dtype_name(g->dtype));
    }
    out->compute = row[g->compute] ? row[g->compute] : row[TB_COMPUTE_DEFAULT];
    return TB_OK;
}

static bool fits_int(const tb_gemm *g, const tb_cublas_product *p)
{
    const int64_t all[] = {g->m, g->n, g->k, g->batch, p->a.ld, p->b.ld, p->ldc};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] > INT_MAX) return false;
    return true;
}

static tb_status describe_product(const tb_gemm *g, tb_cublas_product *p)
{
    static const float one_f[2] = {1, 0}, zero_f[2];
    static const double one_d[2] = {1, 0}, zero_d[2];
    static const uint16_t one_h = 0x3c00, zero_h;
    const bool wide = g->dtype == TB_F64 || g->dtype == TB_C128;
    TB_TRY(types_of(g, &p->types));
    const bool narrow = p->types.compute == CUBLAS_COMPUTE_16F;
    p->one = narrow ? (const void *)&one_h : wide ? (const void *)one_d : one_f;
    p->zero = narrow ? (const void *)&zero_h : wide ? (const void *)zero_d : zero_f;
    p->a = describe(g->m, g->k, g->a_row, g->a_col);
    p->b = describe(g->k, g->n, g->b_row, g->b_col);
    p->ldc = g->m > 1 ? g->c_row : at_least(g->c_row, g->n);
    return TB_OK;
}

static tb_status multiply(cublasHandle_t handle, const tb_gemm *g, const tb_cublas_product *p)
{
    const tb_cublas_operand a = p->a, b = p->b;
    const cudaDataType t = p->types.data;
    const cublasComputeType_t compute = p->types.compute;
    if (!fits_int(g, p)) {
        if (!tb__cublas.cublasGemmStridedBatchedEx_64)
            return tb__fail(TB_ERR_NOT_IMPLEMENTED, "matmul: matrices past 2^31 rows or columns need cuBLAS 12");
        TB_CUBLAS(cublasGemmStridedBatchedEx_64, handle, b.op, a.op, g->n, g->m, g->k, p->one, g->b, t, b.ld,
                  g->b_batch, g->a, t, a.ld, g->a_batch, p->zero, g->c, t, p->ldc, g->c_batch, g->batch, compute,
                  CUBLAS_GEMM_DEFAULT);
    } else if (g->batch > 1) {
        TB_CUBLAS(cublasGemmStridedBatchedEx, handle, b.op, a.op, (int)g->n, (int)g->m, (int)g->k, p->one, g->b, t,
                  (int)b.ld, g->b_batch, g->a, t, (int)a.ld, g->a_batch, p->zero, g->c, t, (int)p->ldc, g->c_batch,
                  (int)g->batch, compute, CUBLAS_GEMM_DEFAULT);
    } else {
        TB_CUBLAS(cublasGemmEx, handle, b.op, a.op, (int)g->n, (int)g->m, (int)g->k, p->one, g->b, t, (int)b.ld, g->a,
                  t, (int)a.ld, p->zero, g->c, t, (int)p->ldc, compute, CUBLAS_GEMM_DEFAULT);
    }
    return TB_OK;
}

/* Whether a reduction kernel is bound by memory where cuBLAS, whose tiles are larger than the matrices, is not: many
 * rows or columns times a small matrix, and many products of small matrices. The limits are the largest sizes that were
 * measured to take less time, of float32 and float64; nothing larger was, on any side. */
static bool has_small_matrix(const tb_gemm *g)
{
    enum { RIGHT = 64, LEFT = 4, EDGE = 16, VECTOR = 32 };
    if (g->n <= EDGE && g->k <= EDGE && g->n * g->k <= RIGHT) return true;
    if (g->m <= LEFT && g->k <= LEFT) return true;
    const int64_t edge = g->n == 1 ? VECTOR : EDGE;
    return g->batch > 1 && g->m <= edge && g->n <= edge && g->k <= edge;
}

/* Calling cuBLAS takes the host longer than launching a kernel, so a small product is left to the reduction kernels.
 * They read every operand m or n times, from the cache, which does not show until there is more work than a launch
 * costs, nor where a matrix is small, nor where there are few sums, which cuBLAS gives to few blocks however long they
 * are. cuBLAS has no integers of which all bits are kept. */
bool tb__cuda_gemm_suits(const tb_gemm *g)
{
    enum { SMALL = 1 << 18, FEW = 400 /* bytes */, LONG = 1024 };
    if (g->dtype < TB_F32) return tb__is_half(g->dtype);
    const double sums = (double)g->batch * (double)g->m * (double)g->n;
    if (sums * (double)tb_dtype_size(g->dtype) <= FEW && g->k >= LONG) return false;
    if ((g->m == 1 && g->n == 1) || has_small_matrix(g)) return false;
    return sums * (double)g->k > SMALL;
}

static tb_status enqueue(tb_stream *s, const tb_gemm *g, const tb_cublas_product *p)
{
    cublasHandle_t handle;
    bool done;
    TB_TRY(tb__cuda_gemm_planned(s, g, p, &done));
    if (done) return TB_OK;
    if (g->row || g->plus) return TB_ERR_NOT_IMPLEMENTED;
    TB_TRY(tb__cuda_blas(s, &handle));
    return multiply(handle, g, p);
}

tb_status tb__cuda_gemm(tb_stream *s, const tb_gemm *g)
{
    tb_cublas_product p;
    if (g->m == 0 || g->n == 0 || g->batch == 0) return TB_OK;
    if (tb__cuda_gemm_splits(g)) return tb__cuda_gemm_split(s, g);
    TB_TRY(describe_product(g, &p));
    void *given = tb__cuda_wait_begin();
    const tb_status status = enqueue(s, g, &p);
    tb__wait_end(given);
    return status;
}
