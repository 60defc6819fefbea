/* fake_kernels.c - modules and kernels of a driver without a GPU: any image that looks like machine code is loaded, and
 * launches do nothing but count. */
#include "fake_handles.h"

#include <stdio.h>
#include <string.h>

static fake_cuda *const fake = &fake_cuda_state;
const int fake_records = 1;

/* A CUBIN is an ELF file. */
EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    if (!fake_has_context() || memcmp(image, "\177ELF", 4) != 0) return fake_wrong("cuModuleLoadData");
    fake->loads++;
    *module = (CUmodule)fake_handle_new('m');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleUnload(CUmodule module)
{
    handle *h = fake_handle_find(module, 'm');
    if (!h) return fake_wrong("cuModuleUnload");
    fake_handle_free(h);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    if (!fake_handle_find(module, 'm')) return fake_wrong("cuModuleGetFunction");
    handle *h = fake_handle_new('f');
    snprintf(h->name, sizeof h->name, "%s", name);
    *function = (CUfunction)h;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                               unsigned int by, unsigned int bz, unsigned int shared, CUstream stream, void **params,
                               void **extra)
{
    handle *h = fake_handle_find(function, 'f');
    if (!h || !fake_is_stream(stream) || !fake_has_context() || extra || !params || !params[0])
        return fake_wrong("cuLaunchKernel");
    unsigned threads = bx * by * bz;
    if (gx == 0 || gy == 0 || gz == 0 || threads == 0 || threads > 1024 || shared > 49152) return fake_wrong("grid");
    TRY(fake_enqueue(stream));
    memcpy(fake->last_kernel, h->name, sizeof h->name);
    fake->launches++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **params, void **extra)
{
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const CUlaunchAttribute *a = &c->attrs[i];
        if (a->id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) return fake_wrong("cuLaunchKernelEx");
        fake->early += a->value.programmaticStreamSerializationAllowed;
    }
    return cuLaunchKernel(function, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ,
                          c->sharedMemBytes, c->hStream, params, extra);
}

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int noption, CUjit_option *options,
                                   void **values)
{
    if (noption != 2 || options[0] != CU_JIT_ERROR_LOG_BUFFER || !values[0]) return fake_wrong("cuModuleLoadDataEx");
    return cuModuleLoadData(module, image);
}

/* A variable of 8 bytes, whose name must not start with "no". */
EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr *ptr, size_t *size, CUmodule module, const char *name)
{
    static double variable;
    if (!fake_handle_find(module, 'm')) return fake_wrong("cuModuleGetGlobal");
    if (strncmp(name, "no", 2) == 0) return CUDA_ERROR_NOT_FOUND;
    *ptr = (CUdeviceptr)(uintptr_t)&variable;
    *size = sizeof variable;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    const int values[10] = {1024, 16, 0, 0, 24, fake->arch, fake->arch, 0, 49152, -1};
    if (!fake_handle_find(function, 'f') || attribute < 0 || attribute > 9) return INVALID_VALUE;
    *value = values[attribute];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    (void)value;
    return fake_handle_find(function, 'f') && (attribute == 8 || attribute == 9) ? CUDA_SUCCESS : INVALID_VALUE;
}

/* Every function has two parameters, of 8 and 4 bytes. */
EXPORT CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
    if (!fake_handle_find(function, 'f')) return fake_wrong("cuFuncGetParamInfo");
    if (index > 1) return INVALID_VALUE;
    *offset = 8 * index;
    *size = index ? 4 : 8;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *nblock, CUfunction function, int block, size_t shared)
{
    if (!fake_handle_find(function, 'f') || shared > 49152) return INVALID_VALUE;
    *nblock = 2048 / block;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLinkCreate_v2(unsigned int noption, CUjit_option *options, void **values, CUlinkState *state)
{
    (void)options, (void)values;
    if (noption) return fake_wrong("cuLinkCreate");
    *state = (CUlinkState)fake_handle_new('l');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                                 unsigned int noption, CUjit_option *options, void **values)
{
    (void)state, (void)type, (void)data, (void)size, (void)name, (void)noption, (void)options, (void)values;
    return fake_wrong("cuLinkAddData");
}

EXPORT CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int noption,
                                 CUjit_option *options, void **values)
{
    (void)state, (void)type, (void)path, (void)noption, (void)options, (void)values;
    return fake_wrong("cuLinkAddFile");
}

EXPORT CUresult cuLinkComplete(CUlinkState state, void **cubin, size_t *size)
{
    (void)state, (void)cubin, (void)size;
    return fake_wrong("cuLinkComplete");
}

EXPORT CUresult cuLinkDestroy(CUlinkState state)
{
    handle *h = fake_handle_find(state, 'l');
    if (!h) return fake_wrong("cuLinkDestroy");
    fake_handle_free(h);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz,
                                          unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
                                          CUstream stream, void **params)
{
    return cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, params, NULL);
}
