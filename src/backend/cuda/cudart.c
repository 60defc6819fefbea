/* cudart.c - CUDA's run-time interface by the driver's functions, for the current device. */
#include <stdio.h>
#include <string.h>

#include "backend/cuda/capture.h"
#include "backend/cuda/module.h"
#include "backend/cuda/cudart.h"
#include "base/error.h"

enum { CUDA_ERROR_NOT_SUPPORTED = 801 };

tb_status tb__cuda_too_old(const char *what)
{
    return tb__fail_device(801, what, "cudaErrorNotSupported: the driver is too old for this");
}

static CUdeviceptr device_address(int64_t v) { return (CUdeviceptr)(uintptr_t)v; }

/* 1 and 2 are names of streams that the driver knows too. */
static CUstream stream(int64_t v) { return tb__address(v); }

tb_status tb__cuda_device_id(int64_t device, CUdevice *out)
{
    TB_CU(cuDeviceGet, out, (int)device);
    return TB_OK;
}

static tb_status context_of(int64_t device, CUcontext *out)
{
    TB_TRY(tb__cuda_device_open((int)device));
    *out = tb__cuda_devices[device].context;
    return TB_OK;
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static tb_status check_allocation(CUresult result, const char *call)
{
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return tb__fail_device(result, call, "cudaErrorMemoryAllocation: out of memory");
    if (result == CUDA_ERROR_NOT_SUPPORTED) return tb__cuda_too_old(call);
    return tb__cuda_check(result, call);
}

static tb_status allocate(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    CUdeviceptr p = 0;
    void *host = NULL;
    CUresult result = CUDA_ERROR_NOT_SUPPORTED;
    if (in[0] < 0) return tb__fail_device(1, "malloc", "cudaErrorInvalidValue: invalid argument");
    size_t n = (size_t)in[0];
    if (n == 0) {
        out[0] = 0;
        return TB_OK;
    }
    int mode = tb__cuda_relax(tb__device_current());
    switch (op) {
    case TB_RT_malloc: result = TB_CU_RESULT(cuMemAlloc, &p, n); break;
    case TB_RT_mallocManaged:
        if (tb__cu.cuMemAllocManaged) result = TB_CU_RESULT(cuMemAllocManaged, &p, n, (unsigned)in[1]);
        break;
    case TB_RT_mallocAsync:
        if (tb__cu.cuMemAllocAsync) result = TB_CU_RESULT(cuMemAllocAsync, &p, n, stream(in[1]));
        break;
    case TB_RT_mallocFromPoolAsync:
        if (tb__cu.cuMemAllocFromPoolAsync)
            result = TB_CU_RESULT(cuMemAllocFromPoolAsync, &p, n, tb__address(in[1]), stream(in[2]));
        break;
    default: result = TB_CU_RESULT(cuMemHostAlloc, &host, n, (unsigned)in[1]); break;
    }
    tb__cuda_unrelax(mode);
    TB_TRY(check_allocation(result, "tombac.cuda.runtime.malloc"));
    out[0] = host ? (int64_t)(intptr_t)host : (int64_t)p;
    return TB_OK;
}

static tb_status copy_rows(const int64_t *in, bool async)
{
    CUDA_MEMCPY2D c = {
        .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
        .srcDevice = device_address(in[2]),
        .srcPitch = (size_t)in[3],
        .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
        .dstDevice = device_address(in[0]),
        .dstPitch = (size_t)in[1],
        .WidthInBytes = (size_t)in[4],
        .Height = (size_t)in[5],
    };
    /* Ordinary memory of the host is not known to the driver: the kind says which side it is. */
    if (in[6] == 0 || in[6] == 1) {
        c.srcMemoryType = CU_MEMORYTYPE_HOST;
        c.srcHost = tb__address(in[2]);
    }
    if (in[6] == 0 || in[6] == 2) {
        c.dstMemoryType = CU_MEMORYTYPE_HOST;
        c.dstHost = tb__address(in[0]);
    }
    if (async) CALL(cuMemcpy2DAsync, &c, stream(in[7]));
    CALL(cuMemcpy2D, &c);
}

/* cuMemcpy takes any address where the host's ordinary memory can be told by the driver, which it can. But it waits for
 * the stream before it reads such memory, and the one for uploads has the driver keep a copy where there is little. */
static tb_status copy(const int64_t *in, bool async)
{
    enum { HOST_TO_DEVICE = 1 };
    if (in[2] == 0) return TB_OK;
    if (async && in[3] == HOST_TO_DEVICE)
        CALL(cuMemcpyHtoDAsync, device_address(in[0]), tb__address(in[1]), (size_t)in[2], stream(in[4]));
    if (async) CALL(cuMemcpyAsync, device_address(in[0]), device_address(in[1]), (size_t)in[2], stream(in[4]));
    CALL(cuMemcpy, device_address(in[0]), device_address(in[1]), (size_t)in[2]);
}

static tb_status copy_peer(const int64_t *in, bool async)
{
    CUcontext to, from;
    TB_TRY(context_of(in[1], &to));
    TB_TRY(context_of(in[3], &from));
    TB_TRY(tb__cuda_enter(tb__device_current()));
    if (async)
        CALL(cuMemcpyPeerAsync, device_address(in[0]), to, device_address(in[2]), from, (size_t)in[4], stream(in[5]));
    CALL(cuMemcpyPeer, device_address(in[0]), to, device_address(in[2]), from, (size_t)in[4]);
}

tb_status tb__cuda_pointer_attributes(int64_t ptr, int64_t *out)
{
    unsigned type = 0;
    int device = -2, managed = 0;
    CUdeviceptr p = device_address(ptr), on_device = 0;
    void *on_host = NULL;
    const int wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                          CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                          CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *values[] = {&type, &device, &managed, &on_device, &on_host};
    if (!tb__cu.cuPointerGetAttributes) return tb__cuda_too_old("cuPointerGetAttributes");
    TB_CU(cuPointerGetAttributes, 5, wanted, values, p);
    if (type == 0) device = -2; /* not the driver's */
    if (type != CU_MEMORYTYPE_HOST && !managed) on_host = NULL;
    out[0] = managed ? 3 : type; /* the run-time interface's numbers: 1 host, 2 device, 3 managed */
    out[1] = device;
    out[2] = (int64_t)on_device;
    out[3] = (int64_t)(intptr_t)on_host;
    return TB_OK;
}

static tb_status memory_op(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    CUdevice id = -1; /* the host */
    switch (op) {
    case TB_RT_hostRegister: CALL(cuMemHostRegister, tb__address(in[0]), (size_t)in[1], (unsigned)in[2]);
    case TB_RT_hostUnregister: CALL(cuMemHostUnregister, tb__address(in[0]));
    case TB_RT_free:
        if (!in[0]) return TB_OK;
        CALL(cuMemFree, device_address(in[0]));
    case TB_RT_freeAsync:
        if (!in[0]) return TB_OK;
        CALL(cuMemFreeAsync, device_address(in[0]), stream(in[1]));
    case TB_RT_freeHost:
        if (!in[0]) return TB_OK;
        CALL(cuMemFreeHost, tb__address(in[0]));
    case TB_RT_memcpy: return copy(in, false);
    case TB_RT_memcpyAsync: return copy(in, true);
    case TB_RT_memcpyPeer: return copy_peer(in, false);
    case TB_RT_memcpyPeerAsync: return copy_peer(in, true);
    case TB_RT_memcpy2D: return copy_rows(in, false);
    case TB_RT_memcpy2DAsync: return copy_rows(in, true);
    case TB_RT_memset: CALL(cuMemsetD8, device_address(in[0]), (unsigned char)in[1], (size_t)in[2]);
    case TB_RT_memsetAsync:
        CALL(cuMemsetD8Async, device_address(in[0]), (unsigned char)in[1], (size_t)in[2], stream(in[3]));
    case TB_RT_memPrefetchAsync:
        if (in[2] >= 0) TB_TRY(tb__cuda_device_id(in[2], &id));
        CALL(cuMemPrefetchAsync, device_address(in[0]), (size_t)in[1], id, stream(in[3]));
    case TB_RT_memAdvise:
        if (in[3] >= 0) TB_TRY(tb__cuda_device_id(in[3], &id));
        CALL(cuMemAdvise, device_address(in[0]), (size_t)in[1], (int)in[2], id);
    case TB_RT_pointerGetAttributes: return tb__cuda_pointer_attributes(in[0], out);
    default: return allocate(op, in, out);
    }
}

/* ---- devices, other processes ------------------------------------------------------------------------------------ */

/* The current device may then use memory of `owner`, what its pools give too: they have access rights of their own. */
static tb_status enable_peer(int64_t owner)
{
    enum { DEVICE = 1, READ_WRITE = 3 };
    CUcontext context;
    CUmemoryPool pool[2] = {NULL};
    CUdevice id, own;
    TB_TRY(context_of(owner, &context));
    TB_TRY(tb__cuda_device_id(owner, &own));
    TB_TRY(tb__cuda_device_id(tb__device_current(), &id));
    TB_TRY(tb__cuda_enter(tb__device_current()));
    TRY_CALL(cuCtxEnablePeerAccess, context, 0);
    if (!tb__cu.cuMemPoolSetAccess || !tb__cu.cuDeviceGetMemPool || !tb__cu.cuDeviceGetDefaultMemPool) return TB_OK;
    const CUmemAccessDesc access = {{DEVICE, id}, READ_WRITE};
    if (tb__cu.cuDeviceGetMemPool(&pool[0], own) == CUDA_SUCCESS &&
        tb__cu.cuDeviceGetDefaultMemPool(&pool[1], own) == CUDA_SUCCESS)
        for (int i = 0; i < (pool[0] == pool[1] ? 1 : 2); i++)
            (void)TB_CU_RESULT(cuMemPoolSetAccess, pool[i], &access, 1); /* a pool that cannot stays as it is */
    return TB_OK;
}

static tb_status device_op(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    CUdevice a, b;
    CUcontext context = NULL;
    int value = 0, other = 0;
    size_t size = 0;
    switch (op) {
    case TB_RT_deviceCanAccessPeer:
        TB_TRY(tb__cuda_device_id(in[0], &a));
        TB_TRY(tb__cuda_device_id(in[1], &b));
        TRY_CALL(cuDeviceCanAccessPeer, &value, a, b);
        out[0] = value;
        return TB_OK;
    case TB_RT_deviceEnablePeerAccess: return enable_peer(in[0]);
    case TB_RT_deviceDisablePeerAccess:
        TB_TRY(context_of(in[0], &context));
        TB_TRY(tb__cuda_enter(tb__device_current()));
        CALL(cuCtxDisablePeerAccess, context);
    case TB_RT_deviceGetLimit:
        TRY_CALL(cuCtxGetLimit, &size, (int)in[0]);
        out[0] = (int64_t)size;
        return TB_OK;
    case TB_RT_deviceSetLimit: CALL(cuCtxSetLimit, (int)in[0], (size_t)in[1]);
    case TB_RT_deviceGetPCIBusId:
        TB_TRY(tb__cuda_device_id(in[0], &a));
        CALL(cuDeviceGetPCIBusId, tb__address(in[1]), (int)in[2], a);
    case TB_RT_deviceGetByPCIBusId:
        TRY_CALL(cuDeviceGetByPCIBusId, &a, tb__address(in[0]));
        out[0] = a;
        return TB_OK;
    case TB_RT_deviceGetStreamPriorityRange:
        TRY_CALL(cuCtxGetStreamPriorityRange, &value, &other);
        out[0] = value;
        out[1] = other;
        return TB_OK;
    case TB_RT_driverGetVersion: out[0] = tb__driver_version; return TB_OK;
    case TB_RT_runtimeGetVersion:
        TB_TRY(tb__library_load(&tb__library_nvrtc));
        if (tb__nvrtc.nvrtcVersion(&value, &other) != NVRTC_SUCCESS) return tb__cuda_too_old("nvrtcVersion");
        out[0] = 1000 * value + 10 * other;
        return TB_OK;
    default:
        TRY_CALL(cuCtxGetCurrent, &context);
        out[0] = (int64_t)(intptr_t)context;
        return TB_OK;
    }
}

static tb_status ipc_op(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    CUipcHandle handle;
    CUdeviceptr p = 0;
    CUevent e = NULL;
    const bool opens = op == TB_RT_ipcOpenMemHandle || op == TB_RT_ipcOpenEventHandle;
    if (opens) memcpy(&handle, tb__address(in[0]), sizeof handle);
    switch (op) {
    case TB_RT_ipcGetMemHandle: CALL(cuIpcGetMemHandle, tb__address(in[1]), device_address(in[0]));
    case TB_RT_ipcCloseMemHandle: CALL(cuIpcCloseMemHandle, device_address(in[0]));
    case TB_RT_ipcGetEventHandle: CALL(cuIpcGetEventHandle, tb__address(in[1]), tb__address(in[0]));
    case TB_RT_ipcOpenMemHandle:
        TRY_CALL(cuIpcOpenMemHandle, &p, handle, (unsigned)in[1]);
        out[0] = (int64_t)p;
        return TB_OK;
    default:
        TRY_CALL(cuIpcOpenEventHandle, &e, handle);
        out[0] = (int64_t)(intptr_t)e;
        return TB_OK;
    }
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

tb_status tb__cuda_cudart(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    CUevent e = NULL;
    TB_TRY(tb__cuda_enter(tb__device_current()));
    switch (op) {
    case TB_RT_deviceCanAccessPeer:
    case TB_RT_deviceEnablePeerAccess:
    case TB_RT_deviceDisablePeerAccess:
    case TB_RT_deviceGetLimit:
    case TB_RT_deviceSetLimit:
    case TB_RT_deviceGetPCIBusId:
    case TB_RT_deviceGetByPCIBusId:
    case TB_RT_deviceGetStreamPriorityRange:
    case TB_RT_driverGetVersion:
    case TB_RT_runtimeGetVersion:
    case TB_RT_ctxGetCurrent: return device_op(op, in, out);
    case TB_RT_memPoolCreate:
    case TB_RT_memPoolDestroy:
    case TB_RT_memPoolTrimTo:
    case TB_RT_memPoolGetAttribute:
    case TB_RT_memPoolSetAttribute:
    case TB_RT_deviceGetDefaultMemPool:
    case TB_RT_deviceGetMemPool:
    case TB_RT_deviceSetMemPool: return tb__cuda_mempool(op, in, out);
    case TB_RT_ipcGetMemHandle:
    case TB_RT_ipcOpenMemHandle:
    case TB_RT_ipcCloseMemHandle:
    case TB_RT_ipcGetEventHandle:
    case TB_RT_ipcOpenEventHandle: return ipc_op(op, in, out);
    case TB_RT_arrayCreate:
    case TB_RT_arrayDestroy:
    case TB_RT_arrayElementSize:
    case TB_RT_memcpy3D:
    case TB_RT_memcpy3DAsync:
    case TB_RT_textureCreate:
    case TB_RT_textureDestroy:
    case TB_RT_surfaceCreate:
    case TB_RT_surfaceDestroy:
    case TB_RT_mipmapCreate:
    case TB_RT_mipmapDestroy:
    case TB_RT_mipmapLevel: return tb__cuda_texture(op, in, out);
    case TB_RT_linkCreate:
    case TB_RT_linkDestroy:
    case TB_RT_linkAddData:
    case TB_RT_linkAddFile:
    case TB_RT_linkComplete: return tb__cuda_linker(op, in, out);
    case TB_RT_eventCreate:
        TRY_CALL(cuEventCreate, &e, (unsigned)in[0]);
        out[0] = (int64_t)(intptr_t)e;
        return TB_OK;
    case TB_RT_eventDestroy: CALL(cuEventDestroy, tb__address(in[0]));
    case TB_RT_profilerStart: CALL(cuProfilerStart);
    case TB_RT_profilerStop: CALL(cuProfilerStop);
    default: return memory_op(op, in, out);
    }
}
