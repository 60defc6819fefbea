/* enqueue.c - the driver's part in running plans: loading a kernel, setting memory, and the launch, early where the
 * kernel allows it ("programmatic dependent launch"). */
#include "backend/cuda/device.h"
#include "base/error.h"

/* ARCH: the first with griddepcontrol. DRIVER: CUDA 12.3, whose graphs have edges for such launches: a stream
 * that somebody else captures is not known as one. */
enum { ARCH = 90, DRIVER = 12030 };

bool tb__cuda_launches_early(CUfunction function)
{
    int arch = 0;
    if (tb__driver_version < DRIVER || !tb__cu.cuLaunchKernelEx) return false;
    return tb__cu.cuFuncGetAttribute(&arch, CU_FUNC_ATTRIBUTE_PTX_VERSION, function) == CUDA_SUCCESS && arch >= ARCH;
}

CUresult tb__cuda_enqueue(const tb_stream *s, CUfunction function, bool early, const uint32_t *grid,
                          const uint32_t *block, uint32_t shared, void **args)
{
    static CUlaunchAttribute attribute = {CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                                          {.programmaticStreamSerializationAllowed = 1}};
    if (!early || s->capture)
        return TB_CU_RESULT(cuLaunchKernel, function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared,
                            s->handle, args, NULL);
    const CUlaunchConfig config = {grid[0],  grid[1], grid[2],   block[0],   block[1],
                                   block[2], shared,  s->handle, &attribute, 1};
    return TB_CU_RESULT(cuLaunchKernelEx, &config, function, args, NULL);
}

static CUresult enqueue(const tb_stream *s, CUfunction function, tb_launch_mode mode, const uint32_t *grid,
                        const uint32_t *block, void **args)
{
    if (mode != TB_LAUNCH_TOGETHER) return tb__cuda_enqueue(s, function, mode == TB_LAUNCH_EARLY, grid, block, 0, args);
    return TB_CU_RESULT(cuLaunchCooperativeKernel, function, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0,
                        s->handle, args);
}

tb_status tb__cuda_enqueue_plan(tb_stream *s, void *function, tb_launch_mode mode, const uint32_t *grid,
                                const uint32_t *block, void *params)
{
    void *args[1] = {params};
    CUresult result = CUDA_SUCCESS;
    for (int attempt = 0; attempt < 2; attempt++) {
        result = enqueue(s, function, mode, grid, block, args);
        if (result != CUDA_ERROR_OUT_OF_MEMORY) break;
        tb__pool_free_all(s->device); /* the driver loads code at the first launch */
    }
    tb__cuda_note(s, TB_KERNEL_ENTRY);
    return tb__cuda_check(result, "cuLaunchKernel");
}

static CUresult load_module(int device, const void *data, CUmodule *module)
{
    const CUresult result = TB_CU_RESULT(cuModuleLoadData, module, data);
    if (result != CUDA_ERROR_OUT_OF_MEMORY) return result;
    tb__pool_free_all(device);
    return TB_CU_RESULT(cuModuleLoadData, module, data);
}

tb_status tb__cuda_load(int device, const tb_image *image, tb_gpu_function *out)
{
    CUmodule module = NULL;
    CUfunction function = NULL;
    TB_TRY(tb__cuda_check(load_module(device, image->data, &module), "cuModuleLoadData"));
    const CUresult result = TB_CU_RESULT(cuModuleGetFunction, &function, module, TB_KERNEL_ENTRY);
    if (result != CUDA_SUCCESS) {
        tb__cu.cuModuleUnload(module);
        return tb__cuda_fail(result, "cuModuleGetFunction");
    }
    *out = (tb_gpu_function){function, tb__cuda_launches_early(function)};
    return TB_OK;
}

tb_status tb__cuda_set(tb_stream *s, void *to, uint32_t word, size_t width, size_t bytes)
{
    const CUdeviceptr at = tb__cuda_ptr(to);
    if (width == 1) TB_CU(cuMemsetD8Async, at, (unsigned char)word, bytes, s->handle);
    else if (width == 2) TB_CU(cuMemsetD16Async, at, (unsigned short)word, bytes / 2, s->handle);
    else TB_CU(cuMemsetD32Async, at, word, bytes / 4, s->handle);
    return TB_OK;
}
