/* enqueue.c - the driver's launch, early where the kernel allows it ("programmatic dependent launch"). */
#include "backend/gpu/kernel.h"

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
    const CUlaunchConfig config = {grid[0], grid[1], grid[2], block[0], block[1], block[2], shared, s->handle,
                                   &attribute, 1};
    return TB_CU_RESULT(cuLaunchKernelEx, &config, function, args, NULL);
}
