/* compile.h - inside src/backend/cuda: source to machine code by NVRTC. */
#ifndef TB_BACKEND_CUDA_COMPILE_H
#define TB_BACKEND_CUDA_COMPILE_H
#include "backend/cuda/dynlib.h"
#include "backend/gpu/gpu.h"

/* Compiles for compute capability `arch` (10 * major + minor): a CUBIN, or PTX ending in a zero byte where NVRTC does
 * not know the chip yet. Callable from any thread, without the core lock. */
tb_status tb__cuda_compile(const char *source, int arch, bool hasty, tb_image *out);
/* Whether NVRTC knows how to be hasty: to leave out what takes it long and makes kernels fast. */
bool tb__nvrtc_hurries(void);
/* What the compilation of user code shares with it. */
tb_status tb__nvrtc_check(nvrtcResult result, const char *call);
/* The newest architecture that NVRTC knows and the chip runs: the chip's own one, or its PTX is what to compile to. */
tb_status tb__cuda_choose_arch(int arch, int *chosen);
/* Whether NVRTC knows --minimal. */
bool tb__nvrtc_minimal(void);
char *tb__nvrtc_log(nvrtcProgram program); /* free it; NULL if there is none */
/* read_ahead.c: NVRTC's files into the system's cache, until *stop. Callable from any thread. */
void tb__nvrtc_read_ahead(const bool *stop);
typedef enum tb_nvrtc_form {
    TB_NVRTC_PTX,
    TB_NVRTC_CUBIN,
    TB_NVRTC_LTO /* LTO-IR, which nvJitLink links; TB_ERR_NOT_IMPLEMENTED before CUDA 11.4 */
} tb_nvrtc_form;
tb_status tb__nvrtc_fetch(nvrtcProgram program, tb_nvrtc_form form, tb_image *out);
#endif
