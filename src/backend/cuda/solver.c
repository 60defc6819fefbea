/* solver.c - dense linear algebra on a GPU: which library solves what, handles, and memory to work in.
 *
 * Handles belong to a device and are used under the core lock. Work space is the pool's, and goes back to it as soon as
 * what uses it is enqueued: the stream keeps the order. */
#include "backend/cuda/solver.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend/memory/memory.h"
#include "base/environment.h"
#include "base/error.h"

typedef struct handles {
    cusolverDnHandle_t solver;
    cusolverDnParams_t params;
    gesvdjInfo_t jacobi;
} handles;

static handles opened[TB_DEVICE_MAX];

static const tb_cusolve_routine routines[TB_NSOLVER] = {
    [TB_SOLVER_potrf] = tb__cusolve_potrf, [TB_SOLVER_potrs] = tb__cusolve_potrs, [TB_SOLVER_getrf] = tb__cusolve_getrf,
    [TB_SOLVER_getrs] = tb__cusolve_getrs, [TB_SOLVER_trtrs] = tb__cusolve_trtrs, [TB_SOLVER_geqrf] = tb__cusolve_geqrf,
    [TB_SOLVER_orgqr] = tb__cusolve_orgqr, [TB_SOLVER_ormqr] = tb__cusolve_ormqr, [TB_SOLVER_gesdd] = tb__cusolve_gesdd,
    [TB_SOLVER_syevd] = tb__cusolve_syevd, [TB_SOLVER_geev] = tb__cusolve_geev,
};

/* ---- errors ------------------------------------------------------------------------------------------------------ */

tb_status tb__cusolver_check(cusolverStatus_t result, const char *call)
{
    static const char *const names[] = {
        "SUCCESS",          "NOT_INITIALIZED", "ALLOC_FAILED",
        "INVALID_VALUE",    "ARCH_MISMATCH",   "MAPPING_ERROR",
        "EXECUTION_FAILED", "INTERNAL_ERROR",  "MATRIX_TYPE_NOT_SUPPORTED",
        "NOT_SUPPORTED",
    };
    char text[64];
    if (result == CUSOLVER_STATUS_SUCCESS) return TB_OK;
    const bool known = result > 0 && (size_t)result < sizeof names / sizeof *names;
    snprintf(text, sizeof text, "CUSOLVER_STATUS_%s", known ? names[result] : "unknown");
    return tb__fail_device(result, call, text);
}

/* ---- handles ----------------------------------------------------------------------------------------------------- */

static tb_status open_handles(int device)
{
    handles h = {NULL, NULL, NULL};
    cusolverStatus_t result = tb__cusolver.cusolverDnCreate(&h.solver);
    if (result == CUSOLVER_STATUS_ALLOC_FAILED || result == CUSOLVER_STATUS_NOT_INITIALIZED) {
        tb__pool_free_all(device);
        result = tb__cusolver.cusolverDnCreate(&h.solver);
    }
    TB_TRY(tb__cusolver_check(result, "cusolverDnCreate"));
    TB_CUSOLVER(cusolverDnCreateParams, &h.params);
    TB_CUSOLVER(cusolverDnCreateGesvdjInfo, &h.jacobi);
    opened[device] = h;
    return TB_OK;
}

static tb_status prepare(tb_cusolve *x)
{
    const int device = x->s->device;
    TB_TRY(tb__cuda_enter(device));
    if (!opened[device].solver) TB_TRY(open_handles(device));
    x->handle = opened[device].solver;
    x->params = opened[device].params;
    x->jacobi = opened[device].jacobi;
    TB_CUSOLVER(cusolverDnSetStream, x->handle, x->s->handle);
    return tb__cuda_blas(x->s, &x->blas);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

tb_status tb__cusolve_take(const tb_cusolve *x, size_t n, void **out)
{
    *out = NULL;
    return n ? tb__pool_alloc(x->s, n, out) : TB_OK;
}

void tb__cusolve_give(const tb_cusolve *x, void *memory)
{
    if (memory) tb__pool_free(x->s->device, x->s->handle, memory);
}

tb_status tb__cusolve_pointers(const tb_cusolve *x, void *base, size_t size, void **out)
{
    const size_t bytes = (size_t)x->batch * sizeof(void *);
    void **here = malloc(bytes);
    if (!here) return tb__fail_memory(bytes, 0, 0, 0);
    for (int i = 0; i < x->batch; i++) here[i] = tb__cusolve_at(base, i, size);
    tb_status status = tb__cusolve_take(x, bytes, out);
    if (status == TB_OK) {
        status = tb__cuda_copy_in(x->s, *out, here, bytes, false);
        if (status != TB_OK) tb__cusolve_give(x, *out);
    }
    free(here);
    return status;
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

static void describe(tb_cusolve *x)
{
    static const cudaDataType data[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
    const tb_solve *q = x->q;
    x->type = q->dtype - TB_F32;
    x->data = data[x->type];
    x->real = data[x->type % 2];
    x->item = tb_dtype_size(q->dtype);
    x->m = (int)q->m;
    x->n = (int)q->n;
    x->k = (int)q->k;
    x->batch = (int)q->batch;
    tb__solve_sizes(q, &x->size);
}

static tb_status solve(tb_stream *s, const tb_solve *q)
{
    tb_cusolve x = {.s = s, .q = q};
    void *nobody = NULL;
    describe(&x);
    TB_TRY(prepare(&x));
    if (!q->info) TB_TRY(tb__cusolve_take(&x, (size_t)q->batch * sizeof *q->info, &nobody));
    x.info = q->info ? q->info : nobody;
    const tb_status status = routines[q->routine](&x);
    tb__cusolve_give(&x, nobody);
    return status;
}

static bool may_solve(void)
{
    enum { HOST, DEVICE };
    return tb__environment(TB_ENV_SOLVERS, DEVICE) != HOST;
}

static bool wants_host(void) { return !may_solve() || tb__library_load(&tb__library_cusolver) != TB_OK; }

bool tb__cuda_solves_alone(void) { return !wants_host() && tb__cusolver.cusolverDnXgeev; }

/* What no library here does: general eigenvalues before CUDA 12.6, and what cannot be counted by ints. */
static bool is_beyond(const tb_solve *q)
{
    if (!routines[q->routine] || (q->routine == TB_SOLVER_geev && !tb__cusolver.cusolverDnXgeev)) return true;
    return q->m > INT_MAX || q->n > INT_MAX || q->k > INT_MAX || q->batch > INT_MAX;
}

tb_status tb__cuda_solve(tb_stream *s, const tb_solve *q)
{
    if (may_solve() && tb__gpu_solves(q)) return tb__gpu_solve(s, q);
    if (wants_host() || is_beyond(q)) return tb__gpu_solve_on_host(s, q);
    void *given = tb__cuda_wait_begin();
    const tb_status status = solve(s, q);
    tb__wait_end(given);
    return status;
}
