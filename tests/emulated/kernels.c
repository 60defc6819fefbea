/* kernels.c - modules and kernels of the emulated GPU: an image is a shared library that nvrtc.c made, and a launch
 * runs its kernel on the host, as user kernels run on the CPU, before it returns. Blocks of one launch run at the same
 * time on the threads of this library's own pool (TOMBAC_NUM_THREADS), beginning in order.
 *
 * EMULATED_MEMORY: bytes of the device's memory; EMULATED_DEVICES: how many devices there are. */
#include "fake_handles.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/user/user.h"

static fake_cuda *const fake = &fake_cuda_state;
const int fake_records = 0;

/* What no program should call ends it, so that no test passes over it. */
static __attribute__((constructor)) void begin(void)
{
    const char *memory = getenv("EMULATED_MEMORY"), *devices = getenv("EMULATED_DEVICES");
    fake->capacity = memory ? strtoull(memory, NULL, 0) : (size_t)1 << 30;
    fake->devices = devices ? atoi(devices) : 1;
    fake->aborts = 1;
}

/* ---- modules ---------------------------------------------------------------------------------------------------- */

/* The driver is not told how long an image is: the table of sections is the last of it. */
static size_t image_size(const void *image)
{
    Elf64_Ehdr h;
    memcpy(&h, image, sizeof h);
    return h.e_shoff + (size_t)h.e_shentsize * h.e_shnum;
}

EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    void *m;
    if (!fake_has_context()) return fake_wrong("cuModuleLoadData");
    if (memcmp(image, ELFMAG, SELFMAG) != 0) return INVALID_IMAGE;
    if (tb__cpu_module_load(0, image, image_size(image), &m) != TB_OK) {
        fprintf(stderr, "emulated: %s\n", tb_error_message());
        return INVALID_IMAGE;
    }
    handle *h = fake_handle_new('m');
    h->ptr = m;
    __atomic_fetch_add(&fake->loads, 1, __ATOMIC_RELAXED);
    *module = (CUmodule)h;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int noption, CUjit_option *options,
                                   void **values)
{
    if (noption != 2 || options[0] != CU_JIT_ERROR_LOG_BUFFER || !values[0]) return fake_wrong("cuModuleLoadDataEx");
    return cuModuleLoadData(module, image);
}

EXPORT CUresult cuModuleUnload(CUmodule module)
{
    handle *h = fake_handle_find(module, 'm');
    if (!h) return fake_wrong("cuModuleUnload");
    tb__cpu_module_unload(0, h->ptr);
    fake_handle_free(h);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    handle *m = fake_handle_find(module, 'm');
    tb_function_info info;
    if (!m) return fake_wrong("cuModuleGetFunction");
    if (tb__cpu_module_function(0, m->ptr, name, &info) != TB_OK) return CUDA_ERROR_NOT_FOUND;
    handle *h = fake_handle_new('f');
    snprintf(h->name, sizeof h->name, "%s", name);
    h->ptr = info.handle;
    *function = (CUfunction)h;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr *ptr, size_t *size, CUmodule module, const char *name)
{
    handle *m = fake_handle_find(module, 'm');
    void *address;
    if (!m) return fake_wrong("cuModuleGetGlobal");
    if (tb__cpu_module_global(0, m->ptr, name, &address, size) != TB_OK) return CUDA_ERROR_NOT_FOUND;
    if (!fake_within(address, *size, 'd')) fake_memory_new('d', address, *size);
    *ptr = (CUdeviceptr)(uintptr_t)address;
    return CUDA_SUCCESS;
}

/* ---- functions -------------------------------------------------------------------------------------------------- */

static tb_cpu_function *function_of(CUfunction function)
{
    const handle *h = fake_handle_find(function, 'f');
    return h ? h->ptr : NULL;
}

static CUresult result_of(tb_status status)
{
    if (status == TB_OK) return CUDA_SUCCESS;
    return status == TB_ERR_DEVICE ? tb_error_driver_code() : INVALID_VALUE;
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    tb_cpu_function *f = function_of(function);
    if (!f) return INVALID_HANDLE;
    TRY(result_of(tb__cpu_function_attribute(0, f, attribute, value)));
    if (attribute == 4) *value = 24;                           /* registers */
    if (attribute == 5 || attribute == 6) *value = fake->arch; /* PTX, machine code */
    return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    tb_cpu_function *f = function_of(function);
    return f ? result_of(tb__cpu_function_set_attribute(0, f, attribute, value)) : INVALID_HANDLE;
}

EXPORT CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
    const tb_cpu_function *f = function_of(function);
    if (!f) return fake_wrong("cuFuncGetParamInfo");
    if (index >= (size_t)f->kernel->nparam) return INVALID_VALUE;
    *offset = 0;
    for (size_t i = 0; i < index; i++) *offset = (*offset + f->kernel->size[i] + 7) / 8 * 8;
    *size = f->kernel->size[index];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *nblock, CUfunction function, int block, size_t shared)
{
    tb_cpu_function *f = function_of(function);
    return f ? result_of(tb__cpu_function_occupancy(0, f, block, shared, nblock)) : INVALID_HANDLE;
}

static CUresult launch(CUfunction function, const tb_launch_shape *shape, CUstream stream, void **params)
{
    const handle *h = fake_handle_find(function, 'f');
    if (!h || !fake_is_stream(stream) || !fake_has_context()) return fake_wrong("cuLaunchKernel");
    TRY(fake_enqueue(stream));
    const tb_cpu_function *f = h->ptr;
    const tb_function_info info = {.handle = h->ptr, .nparam = f->kernel->nparam};
    __atomic_fetch_add(&fake->launches, 1, __ATOMIC_RELAXED);
    const CUresult result = result_of(tb__cpu_function_launch(NULL, &info, h->name, shape, params));
    if (result != CUDA_SUCCESS) fprintf(stderr, "emulated: %s\n", tb_error_message());
    return result;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                               unsigned int by, unsigned int bz, unsigned int shared, CUstream stream, void **params,
                               void **extra)
{
    if (extra) return fake_wrong("cuLaunchKernel");
    return launch(
        function,
        &(tb_launch_shape){sizeof(tb_launch_shape), .grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared},
        stream, params);
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

EXPORT CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz,
                                          unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
                                          CUstream stream, void **params)
{
    const tb_launch_shape shape = {sizeof(tb_launch_shape), .grid = {gx, gy, gz}, .block = {bx, by, bz},
                                   .shared = shared, .cooperative = true};
    return launch(function, &shape, stream, params);
}
