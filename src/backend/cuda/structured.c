/* structured.c - products of matrices with structured zeros, by cuSPARSELt.
 *
 * Handles belong to a device and are used under the core lock. What describes a product is made for each call: it takes
 * the host some microseconds, and the library has nothing that would say which of it may be kept. */
#include "backend/cuda/structured.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/cuda/device.h"
#include "backend/memory/memory.h"
#include "base/error.h"

enum { AMPERE = 80 };

static cusparseLtHandle_t *handles[TB_DEVICE_MAX];

typedef struct call {
    tb_stream *s;
    const tb_structured *q;
    const cusparseLtHandle_t *handle;
    int nmatrix;
    bool has_choice, has_plan;
    cusparseLtMatDescriptor_t matrix[3]; /* a, x, the product */
    cusparseLtMatmulDescriptor_t product;
    cusparseLtMatmulAlgSelection_t choice;
    cusparseLtMatmulPlan_t plan;
} call;

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static tb_status check_result(cusparseStatus_t result, const char *function)
{
    static const char *const names[] = {
        "SUCCESS",          "NOT_INITIALIZED", "ALLOC_FAILED",
        "INVALID_VALUE",    "ARCH_MISMATCH",   "MAPPING_ERROR",
        "EXECUTION_FAILED", "INTERNAL_ERROR",  "MATRIX_TYPE_NOT_SUPPORTED",
        "ZERO_PIVOT",       "NOT_SUPPORTED",   "INSUFFICIENT_RESOURCES",
    };
    char text[64];
    if (result == CUSPARSE_STATUS_SUCCESS) return TB_OK;
    const bool known = result > 0 && (size_t)result < sizeof names / sizeof *names;
    snprintf(text, sizeof text, "CUSPARSE_STATUS_%s", known ? names[result] : "unknown");
    return tb__fail_device(result, function, text);
}
#define TB_CUSPARSELT(function, ...) TB_TRY(check_result(tb__cusparselt.function(__VA_ARGS__), #function))

/* ---- what the library does --------------------------------------------------------------------------------------- */

/* What rows and columns have to be multiples of. */
typedef struct steps {
    int64_t sparse, dense;
} steps;

static steps steps_of(tb_dtype t) { return t == TB_I8 ? (steps){32, 16} : (steps){16, 8}; }

/* float32 is left out: its products would be of numbers with 10 bits. */
static tb_status check(int device, const tb_structured *q)
{
    TB_TRY(tb__library_load(&tb__library_cusparselt));
    if (tb__gpu_devices[device].arch < AMPERE)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED,
                        "cuSPARSELt: a GPU of compute capability 8.0 is needed, this one has "
                        "%d.%d",
                        tb__gpu_devices[device].arch / 10, tb__gpu_devices[device].arch % 10);
    if (q->dtype != TB_F16 && q->dtype != TB_I8)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "cuSPARSELt: matrices of float16 and int8 are multiplied, not of %s",
                        tb_dtype_name(q->dtype));
    const steps step = steps_of(q->dtype);
    if (q->m > 0 && q->k > 0 && q->n >= 0 && q->m % step.sparse == 0 && q->k % step.sparse == 0 &&
        q->n % step.dense == 0)
        return TB_OK;
    return tb__fail(TB_ERR_NOT_IMPLEMENTED,
                    "cuSPARSELt: rows and columns of the %s matrix must be multiples of %d, and columns of what it is "
                    "multiplied with of %d; the shapes are (%lld, %lld) and (%lld, %lld)",
                    tb_dtype_name(q->dtype), (int)step.sparse, (int)step.dense, (long long)q->m, (long long)q->k,
                    (long long)q->k, (long long)q->n);
}

static bool wants_columns(tb_dtype t) { return t == TB_I8; }

/* ---- handles and descriptions ------------------------------------------------------------------------------------ */

static tb_status open_handle(int device)
{
    cusparseLtHandle_t *handle = aligned_alloc(_Alignof(cusparseLtHandle_t), sizeof *handle);
    if (!handle) return tb__fail_memory(sizeof *handle, 0, 0, 0);
    cusparseStatus_t result = tb__cusparselt.cusparseLtInit(handle);
    if (result == CUSPARSE_STATUS_ALLOC_FAILED || result == CUSPARSE_STATUS_NOT_INITIALIZED) {
        tb__pool_free_all(device);
        result = tb__cusparselt.cusparseLtInit(handle);
    }
    const tb_status status = check_result(result, "cusparseLtInit");
    if (status == TB_OK) handles[device] = handle;
    else free(handle);
    return status;
}

static tb_status begin(tb_stream *s, const tb_structured *q, call **out)
{
    TB_TRY(tb__cuda_enter(s->device));
    if (!handles[s->device]) TB_TRY(open_handle(s->device));
    call *c = aligned_alloc(_Alignof(call), sizeof *c);
    if (!c) return tb__fail_memory(sizeof *c, 0, 0, 0);
    c->s = s;
    c->q = q;
    c->handle = handles[s->device];
    c->nmatrix = 0;
    c->has_choice = c->has_plan = false;
    *out = c;
    return TB_OK;
}

static void end(call *c)
{
    if (c->has_plan) tb__cusparselt.cusparseLtMatmulPlanDestroy(&c->plan);
    if (c->has_choice && tb__cusparselt.cusparseLtMatmulAlgSelectionDestroy)
        tb__cusparselt.cusparseLtMatmulAlgSelectionDestroy(&c->choice);
    while (c->nmatrix-- > 0) tb__cusparselt.cusparseLtMatDescriptorDestroy(&c->matrix[c->nmatrix]);
    free(c);
}

static cudaDataType type_of(tb_dtype t) { return t == TB_I8 ? CUDA_R_8I : CUDA_R_16F; }

static tb_status describe_structured(call *c)
{
    const tb_structured *q = c->q;
    TB_CUSPARSELT(cusparseLtStructuredDescriptorInit, c->handle, &c->matrix[0], q->m, q->k, q->k, TB_STRUCTURED_ALIGNED,
                  type_of(q->dtype), CUSPARSE_ORDER_ROW, CUSPARSELT_SPARSITY_50_PERCENT);
    c->nmatrix = 1;
    return TB_OK;
}

static tb_status describe_dense(call *c, int64_t rows, int64_t cols, cudaDataType type)
{
    TB_CUSPARSELT(cusparseLtDenseDescriptorInit, c->handle, &c->matrix[c->nmatrix], rows, cols, cols,
                  TB_STRUCTURED_ALIGNED, type, CUSPARSE_ORDER_ROW);
    c->nmatrix++;
    return TB_OK;
}

static tb_status describe_product(call *c)
{
    const tb_structured *q = c->q;
    const bool whole = q->dtype == TB_I8;
    const cusparseOperation_t op = q->x_by_columns ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
    TB_TRY(describe_structured(c));
    TB_TRY(describe_dense(c, q->x_by_columns ? q->n : q->k, q->x_by_columns ? q->k : q->n, type_of(q->dtype)));
    TB_TRY(describe_dense(c, q->m, q->n, whole ? CUDA_R_32I : CUDA_R_16F));
    TB_CUSPARSELT(cusparseLtMatmulDescriptorInit, c->handle, &c->product, CUSPARSE_OPERATION_NON_TRANSPOSE, op,
                  &c->matrix[0], &c->matrix[1], &c->matrix[2], &c->matrix[2],
                  whole ? CUSPARSE_COMPUTE_32I : CUSPARSE_COMPUTE_32F);
    TB_CUSPARSELT(cusparseLtMatmulAlgSelectionInit, c->handle, &c->choice, &c->product, CUSPARSELT_MATMUL_ALG_DEFAULT);
    c->has_choice = true;
    TB_CUSPARSELT(cusparseLtMatmulPlanInit, c->handle, &c->plan, &c->product, &c->choice);
    c->has_plan = true;
    return TB_OK;
}

/* ---- the routines ------------------------------------------------------------------------------------------------ */

static tb_status take(const call *c, size_t n, void **out)
{
    *out = NULL;
    return n ? tb__pool_alloc(c->s, n, out) : TB_OK;
}

static void give(const call *c, void *memory)
{
    if (memory) tb__pool_free(c->s->device, c->s->handle, memory);
}

static tb_status measure(call *c, size_t *bytes, size_t *buffer_bytes)
{
    TB_TRY(describe_structured(c));
    TB_CUSPARSELT(cusparseLtSpMMACompressedSize2, c->handle, &c->matrix[0], bytes, buffer_bytes);
    return TB_OK;
}

static tb_status compress_now(call *c)
{
    size_t bytes, buffer_bytes;
    void *buffer;
    TB_TRY(measure(c, &bytes, &buffer_bytes));
    TB_TRY(take(c, buffer_bytes, &buffer));
    const cusparseStatus_t result = tb__cusparselt.cusparseLtSpMMACompress2(
        c->handle, &c->matrix[0], true, CUSPARSE_OPERATION_NON_TRANSPOSE, c->q->a, c->q->out, buffer, c->s->handle);
    give(c, buffer);
    return check_result(result, "cusparseLtSpMMACompress2");
}

static tb_status multiply_now(call *c)
{
    static const float one = 1, zero = 0;
    const tb_structured *q = c->q;
    cudaStream_t stream = c->s->handle;
    size_t bytes;
    void *workspace;
    TB_TRY(describe_product(c));
    TB_CUSPARSELT(cusparseLtMatmulGetWorkspace, c->handle, &c->plan, &bytes);
    TB_TRY(take(c, bytes, &workspace));
    const cusparseStatus_t result = tb__cusparselt.cusparseLtMatmul(c->handle, &c->plan, &one, q->a, q->x, &zero,
                                                                    q->out, q->out, workspace, &stream, 1);
    give(c, workspace);
    return check_result(result, "cusparseLtMatmul");
}

/* Around a call: its descriptions, and the interpreter of who waits meanwhile. */
static tb_status perform(tb_stream *s, const tb_structured *q, tb_status (*what)(call *c))
{
    call *c = NULL;
    void *given = tb__cuda_wait_begin();
    tb_status status = begin(s, q, &c);
    if (status == TB_OK) {
        status = what(c);
        end(c);
    }
    tb__wait_end(given);
    return status;
}

static tb_status compress(tb_stream *s, const tb_structured *q) { return perform(s, q, compress_now); }

static tb_status multiply(tb_stream *s, const tb_structured *q) { return perform(s, q, multiply_now); }

static tb_status size(tb_stream *s, const tb_structured *q, size_t *bytes)
{
    call *c;
    size_t buffer_bytes;
    TB_TRY(begin(s, q, &c));
    const tb_status status = measure(c, bytes, &buffer_bytes);
    end(c);
    return status;
}

const tb_structured_routines tb__cuda_structured = {
    .check = check,
    .wants_columns = wants_columns,
    .size = size,
    .compress = compress,
    .multiply = multiply,
};
