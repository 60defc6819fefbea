/* gemm_planned.c - products of two matrices, and what is added to them, by cuBLASLt.
 *
 * cuBLASLt chooses an algorithm for a product's sizes, which a plan keeps. What is added is computed by the same
 * algorithm, so that a sum has the bits that it has in two steps: products are made here whether or not something is
 * added. Plans are few, found by a hash, and made anew where two have one place. Under the core lock, as cuBLAS. */
#include <string.h>

#include "backend/cuda/gemm.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/half.h"

/* Sizes and strides as cuBLASLt takes them, in columns: D is the transpose of what is asked for. Keys are compared as
 * bytes, so that there must be none between members, nor at the end. */
typedef struct key {
    int64_t device, m, n, k, lda, ldb, ldd;
    int32_t data, compute, op_a, op_b;
    uint32_t aligned[4]; /* a, b, c as d, d: bytes */
} key;

typedef struct plan {
    bool made, works, sums, checked; /* sums: also with a row; checked: whether that is known */
    key key;
    cublasLtMatmulDesc_t desc, with_row;
    cublasLtMatrixLayout_t a, b, d; /* C lies as D does */
    cublasLtMatmulAlgo_t algorithm;
} plan;

enum { PLANS = 256, MOST_ALIGNED = 256 };
static plan plans[PLANS];

/* ---- plans ----------------------------------------------------------------------------------------------------- */

static uint32_t alignment(const void *p)
{
    const uintptr_t low = (uintptr_t)p & -(uintptr_t)p;
    return low == 0 || low > MOST_ALIGNED ? MOST_ALIGNED : (uint32_t)low;
}

static void describe(const tb_stream *s, const tb_gemm *g, const tb_cublas_product *p, key *out)
{
    memset(out, 0, sizeof *out);
    out->m = g->n;
    out->n = g->m;
    out->k = g->k;
    out->lda = p->b.ld;
    out->ldb = p->a.ld;
    out->ldd = p->ldc;
    out->device = s->device;
    out->data = p->types.data;
    out->compute = p->types.compute;
    out->op_a = p->b.op;
    out->op_b = p->a.op;
    const void *const at[] = {g->b, g->a, g->c, g->c};
    for (int i = 0; i < 4; i++) out->aligned[i] = alignment(at[i]);
}

static void drop(plan *p)
{
    if (p->desc) tb__cublaslt.cublasLtMatmulDescDestroy(p->desc);
    if (p->with_row) tb__cublaslt.cublasLtMatmulDescDestroy(p->with_row);
    const cublasLtMatrixLayout_t layout[] = {p->a, p->b, p->d};
    for (int i = 0; i < 3; i++)
        if (layout[i]) tb__cublaslt.cublasLtMatrixLayoutDestroy(layout[i]);
    memset(p, 0, sizeof *p);
}

#define LT(function, ...) (tb__cublaslt.function(__VA_ARGS__) == CUBLAS_STATUS_SUCCESS)

static bool set(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which, int32_t value)
{
    return LT(cublasLtMatmulDescSetAttribute, desc, which, &value, sizeof value);
}

static bool make_desc(const key *k, cublasLtMatmulDesc_t *out)
{
    const cudaDataType scale = k->compute == CUBLAS_COMPUTE_16F ? CUDA_R_16F : CUDA_R_32F;
    return LT(cublasLtMatmulDescCreate, out, k->compute, scale) && set(*out, CUBLASLT_MATMUL_DESC_TRANSA, k->op_a) &&
           set(*out, CUBLASLT_MATMUL_DESC_TRANSB, k->op_b);
}

static bool make_layouts(plan *p, const key *k)
{
    const bool ta = k->op_a != CUBLAS_OP_N, tb = k->op_b != CUBLAS_OP_N;
    return LT(cublasLtMatrixLayoutCreate, &p->a, k->data, (uint64_t)(ta ? k->k : k->m), (uint64_t)(ta ? k->m : k->k),
              k->lda) &&
           LT(cublasLtMatrixLayoutCreate, &p->b, k->data, (uint64_t)(tb ? k->n : k->k), (uint64_t)(tb ? k->k : k->n),
              k->ldb) &&
           LT(cublasLtMatrixLayoutCreate, &p->d, k->data, (uint64_t)k->m, (uint64_t)k->n, k->ldd);
}

/* Partial sums of 16-bit numbers stay in float32. */
static bool prefer(cublasLtMatmulPreference_t want, const key *k, size_t workspace)
{
    const uint32_t sums = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    if (!LT(cublasLtMatmulPreferenceSetAttribute, want, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
            sizeof workspace))
        return false;
    if (k->data != CUDA_R_32F &&
        !LT(cublasLtMatmulPreferenceSetAttribute, want, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &sums, sizeof sums))
        return false;
    for (int i = 0; i < 4; i++)
        if (!LT(cublasLtMatmulPreferenceSetAttribute, want, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES + i,
                &k->aligned[i], sizeof k->aligned[i]))
            return false;
    return true;
}

static bool choose(cublasHandle_t handle, plan *p, const key *k, size_t workspace)
{
    cublasLtMatmulPreference_t want;
    cublasLtMatmulHeuristicResult_t result;
    int found = 0;
    if (!LT(cublasLtMatmulPreferenceCreate, &want)) return false;
    const bool ok = prefer(want, k, workspace) && LT(cublasLtMatmulAlgoGetHeuristic, handle, p->desc, p->a, p->b, p->d,
                                                     p->d, want, 1, &result, &found);
    tb__cublaslt.cublasLtMatmulPreferenceDestroy(want);
    if (!ok || found == 0 || result.state != CUBLAS_STATUS_SUCCESS || result.workspaceSize > workspace) return false;
    p->algorithm = result.algo;
    return true;
}

/* Where there is no plan for a product it is kept that there is none. */
static plan *find(cublasHandle_t handle, const key *k, size_t workspace)
{
    plan *p = &plans[tb__hash_bytes(TB_HASH_START, k, sizeof *k) % PLANS];
    if (p->made && memcmp(&p->key, k, sizeof *k) == 0) return p;
    drop(p);
    p->made = true;
    p->key = *k;
    p->works = make_desc(k, &p->desc) && make_layouts(p, k) && choose(handle, p, k, workspace);
    return p;
}

/* A matrix is read by the library's kernel in the order of its tiles, which takes longer than a kernel of its own where
 * products by TF32 are large: 73 us for 4096 x 4096 x 4096 on an H200, 48 for the kernel. A matrix and a row in one
 * call took true float32 360 us where the matrix took 232, and a kernel for both 277 (65536 x 256 by 256). */
static bool adds_matrix(const tb_gemm *g, const key *k)
{
    enum { MOST_INNER = 1024 };
    const bool tf32 = k->compute == CUBLAS_COMPUTE_32F_FAST_TF32;
    if (tf32 && k->k > MOST_INNER) return false;
    if (g->row && k->data == CUDA_R_32F && !tf32) return false;
    return g->plus_row == k->ldd && alignment(g->plus) >= k->aligned[3];
}

static bool is_aligned(const void *row) { return alignment(row) >= 16; }

/* Whether the plan's algorithm adds a row too. */
static bool adds_row(cublasHandle_t handle, plan *p, size_t workspace)
{
    cublasLtMatmulHeuristicResult_t result;
    if (p->checked) return p->sums;
    p->checked = true;
    p->sums = make_desc(&p->key, &p->with_row) &&
              set(p->with_row, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS) &&
              LT(cublasLtMatmulAlgoCheck, handle, p->with_row, p->a, p->b, p->d, p->d, &p->algorithm, &result) &&
              result.workspaceSize <= workspace;
    return p->sums;
}

/* ---- products -------------------------------------------------------------------------------------------------- */

tb_status tb__cuda_gemm_planned(tb_stream *s, const tb_gemm *g, const tb_cublas_product *x, bool *done)
{
    key k;
    void *workspace;
    size_t size;
    cublasHandle_t handle;
    *done = false;
    if (g->batch != 1 || g->m < 2 || g->n < 2 || !(tb__is_half(g->dtype) || g->dtype == TB_F32)) return TB_OK;
    TB_TRY(tb__cuda_blas(s, &handle));
    if (tb__library_load(&tb__library_cublaslt) != TB_OK) return TB_OK;
    TB_TRY(tb__cuda_blas_workspace(s, &workspace, &size));
    describe(s, g, x, &k);
    plan *p = find(handle, &k, size);
    if (!p->works || (g->plus && !adds_matrix(g, &k))) return TB_OK;
    if (g->row && (!is_aligned(g->row) || !adds_row(handle, p, size))) return TB_OK;
    cublasLtMatmulDesc_t desc = g->row ? p->with_row : p->desc;
    if (g->row && !LT(cublasLtMatmulDescSetAttribute, desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &g->row, sizeof g->row))
        return TB_OK;
    *done = true;
    return tb__cublas_check(tb__cublaslt.cublasLtMatmul(handle, desc, x->one, g->b, p->a, g->a, p->b,
                                                        g->plus ? x->one : x->zero, g->plus ? g->plus : g->c, p->d,
                                                        g->c, p->d, &p->algorithm, workspace, size, s->handle),
                            "cublasLtMatmul");
}

/* Sums of float16 and bfloat16 would be rounded once, not twice: that has to be asked for. */
bool tb__cuda_gemm_adds(const tb_gemm *g)
{
    if (g->m < 2 || g->n < 2 || tb__cuda_gemm_splits(g)) return false;
    if (tb__is_half(g->dtype)) return g->compute == TB_COMPUTE_F32;
    return g->dtype == TB_F32;
}
