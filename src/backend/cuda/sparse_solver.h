/* sparse_solver.h - sparse equations, by cuDSS. */
#ifndef TB_BACKEND_CUDA_SPARSE_SOLVER_H
#define TB_BACKEND_CUDA_SPARSE_SOLVER_H
#include "backend/sparse.h"

extern const tb_sparse_solver tb__cuda_sparse_solver;
#endif
