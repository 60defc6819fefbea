/* link.c - relocatable device code to code that can be loaded, by the driver's linker: for kernels that launch kernels,
 * and for programs that link themselves. */
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/module.h"
#include "backend/cuda/cudart.h"
#include "base/error.h"

enum { LOG_SIZE = 4096 };

static tb_status link_into(CUlinkState state, tb_image *image, bool cubin, const char *library, const char *log)
{
    void *data = NULL;
    size_t size = 0;
    CUresult result = tb__cu.cuLinkAddData(state, cubin ? CU_JIT_INPUT_CUBIN : CU_JIT_INPUT_PTX, image->data,
                                           image->size + !cubin, "kernel", 0, NULL, NULL);
    if (result == CUDA_SUCCESS) result = tb__cu.cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, library, 0, NULL, NULL);
    if (result == CUDA_SUCCESS) result = tb__cu.cuLinkComplete(state, &data, &size);
    if (result != CUDA_SUCCESS)
        return tb__fail(TB_ERR_COMPILE, "a kernel's relocatable code could not be linked with %s (error %d):\n%s",
                        library, result, log);
    unsigned char *copy = malloc(size + 1);
    if (!copy) return tb__fail_memory(size, 0, 0, 0);
    memcpy(copy, data, size);
    copy[size] = 0;
    free(image->data);
    *image = (tb_image){copy, size};
    return TB_OK;
}

tb_status tb__cuda_link(tb_image *image, bool cubin)
{
    char library[TB_TOOLKIT_PATH], log[LOG_SIZE] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUlinkState state;
    if (!tb__toolkit_library("libcudadevrt.a", library))
        return tb__fail(TB_ERR_LIBRARY,
                        "relocatable device code (-dc, -rdc=true) needs libcudadevrt.a, which was not"
                        " found: pip install nvidia-cuda-runtime (CUDA 13) or nvidia-cuda-runtime-cu12 (CUDA 12), or"
                        " set CUDA_PATH to a toolkit");
    TB_CU(cuLinkCreate, 2, options, values, &state);
    tb_status status = link_into(state, image, cubin, library, log);
    tb__cu.cuLinkDestroy(state);
    return status;
}

/* ---- a linker of the caller's ----------------------------------------------------------------------------------- */

tb_status tb__cuda_linker(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    CUlinkState state = (void *)(intptr_t)in[0];
    void *data = (void *)(intptr_t)in[2];
    size_t size = 0;
    switch (op) {
    case TB_RT_linkCreate:
        TRY_CALL(cuLinkCreate, 0, NULL, NULL, &state);
        out[0] = (int64_t)(intptr_t)state;
        return TB_OK;
    case TB_RT_linkDestroy: CALL(cuLinkDestroy, state);
    case TB_RT_linkAddData:
        CALL(cuLinkAddData, state, (CUjitInputType)in[1], data, (size_t)in[3], (const char *)(intptr_t)in[4], 0, NULL,
             NULL);
    case TB_RT_linkAddFile: CALL(cuLinkAddFile, state, (CUjitInputType)in[1], data, 0, NULL, NULL);
    default:
        TRY_CALL(cuLinkComplete, state, &data, &size);
        out[0] = (int64_t)(intptr_t)data;
        out[1] = (int64_t)size;
        return TB_OK;
    }
}
