/* sparse_solver.c - sparse equations, by cuDSS.
 *
 * A handle is used under the core lock, for one device and one dtype: with several dtypes some versions give wrong
 * numbers. The library puts something small in place of pivots that are too small and goes on. How many there were is
 * asked for, since factors of a singular matrix would otherwise pass for those of a regular one. */
#include "backend/cuda/sparse_solver.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/cuda/device.h"
#include "backend/memory/memory.h"
#include "base/environment.h"
#include "base/error.h"

typedef struct handle {
    cudssHandle_t library;
    cudssConfig_t config;
} handle;

static handle handles[TB_DEVICE_MAX][4]; /* of float32, float64, complex64, complex128 */

typedef struct factors {
    int device;
    handle *handle;
    cudaDataType_t type;
    int64_t n;
    cudssData_t data;
    cudssMatrix_t a;
} factors;

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static tb_status check_result(cudssStatus_t result, const char *function)
{
    static const char *const names[] = {
        "SUCCESS",       "NOT_INITIALIZED",  "ALLOC_FAILED",   "INVALID_VALUE",
        "NOT_SUPPORTED", "EXECUTION_FAILED", "INTERNAL_ERROR", "IR_FAILED",
    };
    char text[64];
    if (result == CUDSS_STATUS_SUCCESS) return TB_OK;
    const bool known = result > 0 && (size_t)result < sizeof names / sizeof *names;
    snprintf(text, sizeof text, "CUDSS_STATUS_%s", known ? names[result] : "unknown");
    return tb__fail_device(result, function, text);
}
#define TB_CUDSS(function, ...) TB_TRY(check_result(tb__cudss.function(__VA_ARGS__), #function))

static tb_status check(void)
{
    enum { HOST, DEVICE };
    if (tb__environment(TB_ENV_SPARSE_SOLVERS, HOST) == HOST)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED,
                        "sparse equations are solved on the host unless TOMBAC_SPARSE_SOLVERS=device asks for cuDSS");
    return tb__library_load(&tb__library_cudss);
}

/* ---- handles ----------------------------------------------------------------------------------------------------- */

static tb_status open_handle(handle *out)
{
    handle h = {NULL, NULL};
    TB_CUDSS(cudssCreate, &h.library);
    const tb_status status = check_result(tb__cudss.cudssConfigCreate(&h.config), "cudssConfigCreate");
    if (status == TB_OK) *out = h;
    else tb__cudss.cudssDestroy(h.library);
    return status;
}

/* The device's, ready for work on a stream. */
static tb_status take_handle(tb_stream *s, handle *h)
{
    TB_TRY(tb__cuda_enter(s->device));
    if (!h->library) TB_TRY(open_handle(h));
    TB_CUDSS(cudssSetStream, h->library, s->handle);
    return TB_OK;
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

/* The library has memory of its own: what the pool keeps for later makes way for it. */
static tb_status execute(const factors *f, int phase, cudssMatrix_t x, cudssMatrix_t b)
{
    cudssStatus_t result = tb__cudss.cudssExecute(f->handle->library, phase, f->handle->config, f->data, f->a, x, b);
    if (result == CUDSS_STATUS_ALLOC_FAILED) {
        tb__pool_free_all(f->device);
        result = tb__cudss.cudssExecute(f->handle->library, phase, f->handle->config, f->data, f->a, x, b);
    }
    return check_result(result, "cudssExecute");
}

/* An int, or in some versions an int64. */
static tb_status ask(const factors *f, cudssDataParam_t what, int64_t *value)
{
    size_t written;
    *value = 0;
    cudssStatus_t result = tb__cudss.cudssDataGet(f->handle->library, f->data, what, value, sizeof(int), &written);
    if (result == CUDSS_STATUS_INVALID_VALUE)
        result = tb__cudss.cudssDataGet(f->handle->library, f->data, what, value, sizeof *value, &written);
    return check_result(result, "cudssDataGet");
}

static tb_status check_pivots(const factors *f, tb_stream *s)
{
    int64_t info, replaced;
    TB_TRY(tb__cuda_stream_synchronize(s));
    TB_TRY(ask(f, CUDSS_DATA_INFO, &info));
    TB_TRY(ask(f, CUDSS_DATA_NPIVOTS, &replaced));
    if (info == 0 && replaced == 0) return TB_OK;
    return tb__fail(TB_ERR_LINALG,
                    "the matrix is singular, or nearly so, or not positive definite: cuDSS has replaced "
                    "%lld pivots, and says %lld",
                    (long long)replaced, (long long)info);
}

static cudssMatrixType_t kind_of(const tb_sparse_equations *e)
{
    if (!e->positive) return CUDSS_MTYPE_GENERAL;
    return e->dtype == TB_F32 || e->dtype == TB_F64 ? CUDSS_MTYPE_SPD : CUDSS_MTYPE_HPD;
}

static tb_status make_factors(tb_stream *s, const tb_sparse_equations *e, factors *f)
{
    const cudaDataType_t index = e->a.wide ? CUDA_R_64I : CUDA_R_32I;
    TB_CUDSS(cudssDataCreate, f->handle->library, &f->data);
    TB_CUDSS(cudssMatrixCreateCsr, &f->a, e->a.rows, e->a.cols, e->n, e->a.start, NULL, e->a.index, e->data, index,
             index, f->type, kind_of(e), e->positive ? CUDSS_MVIEW_LOWER : CUDSS_MVIEW_FULL, CUDSS_BASE_ZERO);
    TB_TRY(execute(f, CUDSS_PHASE_ANALYSIS, NULL, NULL));
    TB_TRY(execute(f, CUDSS_PHASE_FACTORIZATION, NULL, NULL));
    return check_pivots(f, s);
}

static void free_factors(void *memory)
{
    factors *f = memory;
    if (tb__cuda_enter(f->device) == TB_OK) {
        if (f->a) tb__cudss.cudssMatrixDestroy(f->a);
        if (f->data) tb__cudss.cudssDataDestroy(f->handle->library, f->data);
    }
    free(f);
}

static tb_status factor(tb_stream *s, const tb_sparse_equations *e, void **out)
{
    static const cudaDataType_t types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
    const int type = e->dtype - TB_F32;
    handle *h = &handles[s->device][type];
    TB_TRY(take_handle(s, h));
    factors *f = calloc(1, sizeof *f);
    if (!f) return tb__fail_memory(sizeof *f, 0, 0, 0);
    *f = (factors){.device = s->device, .handle = h, .type = types[type], .n = e->a.rows};
    void *given = tb__cuda_wait_begin();
    const tb_status status = make_factors(s, e, f);
    tb__wait_end(given);
    if (status == TB_OK) *out = f;
    else free_factors(f);
    return status;
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

static tb_status describe(const factors *f, int64_t k, const void *values, cudssMatrix_t *out)
{
    TB_CUDSS(cudssMatrixCreateDn, out, f->n, k, f->n, values, f->type, CUDSS_LAYOUT_COL_MAJOR);
    return TB_OK;
}

static tb_status solve(tb_stream *s, void *memory, int64_t k, const void *b_values, void *x_values)
{
    factors *f = memory;
    cudssMatrix_t b = NULL, x = NULL;
    TB_TRY(take_handle(s, f->handle));
    void *given = tb__cuda_wait_begin();
    tb_status status = describe(f, k, b_values, &b);
    if (status == TB_OK) status = describe(f, k, x_values, &x);
    if (status == TB_OK) status = execute(f, CUDSS_PHASE_SOLVE, x, b);
    if (x) tb__cudss.cudssMatrixDestroy(x);
    if (b) tb__cudss.cudssMatrixDestroy(b);
    tb__wait_end(given);
    return status;
}

const tb_sparse_solver tb__cuda_sparse_solver = {
    .check = check,
    .factor = factor,
    .solve = solve,
    .free = free_factors,
};
