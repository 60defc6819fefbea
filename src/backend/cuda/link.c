/* link.c - relocatable device code to code that can be loaded, by the driver's linker: for kernels that launch kernels.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/module.h"
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
        return tb__fail(TB_ERR_LIBRARY, "relocatable device code (-dc, -rdc=true) needs libcudadevrt.a, which was not"
                        " found: pip install nvidia-cuda-runtime (CUDA 13) or nvidia-cuda-runtime-cu12 (CUDA 12), or"
                        " set CUDA_PATH to a toolkit");
    TB_CU(cuLinkCreate, 2, options, values, &state);
    tb_status status = link_into(state, image, cubin, library, log);
    tb__cu.cuLinkDestroy(state);
    return status;
}
