/* solver.h - a call of cuSOLVER's or cuBLAS' over a stack of matrices. */
#ifndef TB_BACKEND_CUDA_SOLVER_H
#define TB_BACKEND_CUDA_SOLVER_H
#include "backend/cuda/device.h"

typedef struct tb_cusolve {
    tb_stream *s;
    const tb_solve *q;
    cusolverDnHandle_t handle;
    cusolverDnParams_t params;
    cublasHandle_t blas;
    gesvdjInfo_t jacobi;
    tb_solve_sizes size;
    int type; /* of the four of TB_FN_TYPED */
    cudaDataType data, real;
    size_t item;
    int m, n, k, batch;
    int32_t *info; /* q's, or memory for nobody */
} tb_cusolve;

tb_status tb__cusolver_check(cusolverStatus_t result, const char *call);
/* Calls a function of cuSOLVER; leaves with the error. */
#define TB_CUSOLVER(function, ...) TB_TRY(tb__cusolver_check(tb__cusolver.function(__VA_ARGS__), #function))

/* Operand of matrix i. */
static inline void *tb__cusolve_at(void *base, int i, size_t size) { return (char *)base + (size_t)i * size; }

/* A factor that cuBLAS takes: 0 or 1 in the dtype of the matrices. */
static inline const void *tb__cusolve_number(const tb_cusolve *x, int number)
{
    static const float single[2][2] = {{0, 0}, {1, 0}};
    static const double twice[2][2] = {{0, 0}, {1, 0}};
    return x->real == CUDA_R_32F ? (const void *)single[number] : twice[number];
}

/* The pool's memory for the time of what is enqueued between both. n may be 0. */
tb_status tb__cusolve_take(const tb_cusolve *x, size_t n, void **out);
void tb__cusolve_give(const tb_cusolve *x, void *memory);
/* An array on the device of the addresses of the stack's matrices; to be given. */
tb_status tb__cusolve_pointers(const tb_cusolve *x, void *base, size_t size, void **out);

typedef tb_status (*tb_cusolve_routine)(const tb_cusolve *x);
tb_status tb__cusolve_potrf(const tb_cusolve *x);
tb_status tb__cusolve_potrs(const tb_cusolve *x);
tb_status tb__cusolve_getrf(const tb_cusolve *x);
tb_status tb__cusolve_getrs(const tb_cusolve *x);
tb_status tb__cusolve_trtrs(const tb_cusolve *x);
tb_status tb__cusolve_geqrf(const tb_cusolve *x);
tb_status tb__cusolve_orgqr(const tb_cusolve *x);
tb_status tb__cusolve_ormqr(const tb_cusolve *x);
tb_status tb__cusolve_gesdd(const tb_cusolve *x);
tb_status tb__cusolve_syevd(const tb_cusolve *x);
tb_status tb__cusolve_geev(const tb_cusolve *x);
#endif
