/* structured.h - products of matrices with structured zeros, by cuSPARSELt. */
#ifndef TB_BACKEND_CUDA_STRUCTURED_H
#define TB_BACKEND_CUDA_STRUCTURED_H
#include "backend/structured.h"

extern const tb_structured_routines tb__cuda_structured;
#endif
