/* device.c - the driver, devices and their memory.
 *
 * Invariant: a device's entry in tb__cuda_devices is complete before `open` is set, and never changes after. */
#include "backend/cuda/capture.h"

#include <pthread.h>
#include <stdio.h>

#include "base/error.h"

tb_cuda_device tb__cuda_devices[TB_DEVICE_MAX];

enum { LAST_OF_CAPTURES = 908 };

static bool started, forked;

/* ---- the driver ----------------------------------------------------------------------------------------------- */

static void in_child(void)
{
    if (started) forked = true;
}

bool tb__cuda_forked(void) { return forked; }

void tb__cuda_error_text(CUresult result, char *text, size_t cap)
{
    const char *name = NULL, *description = NULL;
    tb__cu.cuGetErrorName(result, &name);
    tb__cu.cuGetErrorString(result, &description);
    snprintf(text, cap, "%s: %s", name ? name : "unknown error", description ? description : "no description");
    tb__cuda_add_suspects(result, text, cap);
}

tb_status tb__cuda_fail(CUresult result, const char *call)
{
    char message[1024];
    if (result >= TB_CAPTURE_UNSUPPORTED && result <= LAST_OF_CAPTURES) tb__captures_check();
    tb__cuda_error_text(result, message, sizeof message);
    return tb__fail_device(result, call, message);
}

static tb_status fail_forked(void)
{
    return tb__fail_device(CUDA_ERROR_NOT_INITIALIZED, "CUDA in a forked process",
                           "CUDA was in use before fork(), and the child cannot use it; start processes with the"
                           " 'spawn' or 'forkserver' method, as in multiprocessing.set_start_method('spawn')");
}

tb_status tb__cuda_start(void)
{
    if (started) return forked ? fail_forked() : TB_OK;
    TB_TRY(tb__library_load(&tb__library_cuda));
    TB_CU(cuInit, 0);
    TB_CU(cuDriverGetVersion, &tb__driver_version);
    int n = 0;
    TB_TRY(tb__cuda_device_count(&n));
    if (n == 0) return tb__cuda_fail(CUDA_ERROR_NO_DEVICE, "cuDeviceGetCount");
    if (pthread_atfork(NULL, NULL, in_child) != 0) return tb__fail_memory(0, 0, 0, 0);
    started = true;
    return TB_OK;
}

/* Other libraries of the process change the current context as they like, so it is asked for each time: the driver
 * keeps it in thread-local storage, and asking costs a few nanoseconds. */
tb_status tb__cuda_enter(int device)
{
    CUcontext context = NULL;
    if (__builtin_expect(forked, 0)) return fail_forked();
    TB_CU(cuCtxGetCurrent, &context);
    if (__builtin_expect(context == tb__cuda_devices[device].context, 1)) return TB_OK;
    return tb__cuda_check(tb__cu.cuCtxSetCurrent(tb__cuda_devices[device].context), "cuCtxSetCurrent");
}

/* ---- devices -------------------------------------------------------------------------------------------------- */

tb_status tb__cuda_device_count(int *n)
{
    TB_CU(cuDeviceGetCount, n);
    return TB_OK;
}

tb_status tb__cuda_device_attribute(int device, int attribute, int *value)
{
    CUdevice id;
    int v;
    if (forked) return fail_forked();
    TB_CU(cuDeviceGet, &id, device);
    TB_CU(cuDeviceGetAttribute, &v, attribute, id);
    *value = v;
    return TB_OK;
}

static tb_status read_chip(int device)
{
    tb_chip *chip = &tb__gpu_devices[device].chip;
    int major, minor;
    TB_TRY(tb__cuda_device_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major));
    TB_TRY(tb__cuda_device_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor));
    TB_TRY(tb__cuda_device_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &chip->sms));
    TB_TRY(
        tb__cuda_device_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &chip->threads_per_sm));
    TB_TRY(tb__cuda_device_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &chip->max_shared));
    tb__gpu_devices[device].arch = 10 * major + minor;
    return TB_OK;
}

/* What the driver does not say is taken to be as it is on a middling card. */
static void read_speed(CUdevice id, tb_speed *s)
{
    int clock = 0, width = 0, cache = 0;
    if (tb__cu.cuDeviceGetAttribute(&clock, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, id) != CUDA_SUCCESS) clock = 0;
    if (tb__cu.cuDeviceGetAttribute(&width, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, id) != CUDA_SUCCESS) width = 0;
    if (tb__cu.cuDeviceGetAttribute(&cache, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, id) != CUDA_SUCCESS) cache = 0;
    s->bytes_per_ns = clock > 0 && width > 0 ? 2.0 * clock * 1e3 * width / 8 / 1e9 : 1000;
    s->cache = cache > 0 ? cache : 4 << 20;
}

tb_status tb__cuda_device_open(int device)
{
    tb_cuda_device *d = &tb__cuda_devices[device];
    if (d->open) return TB_OK;
    if (forked) return fail_forked();
    TB_CU(cuDeviceGet, &d->id, device);
    TB_TRY(read_chip(device));
    read_speed(d->id, &tb__gpu_devices[device].speed);
    TB_CU(cuDevicePrimaryCtxRetain, &d->context, d->id);
    d->open = true;
    tb__compilers_read_ahead();
    return TB_OK;
}

tb_status tb__cuda_device_synchronize(int device)
{
    unsigned mark = tb__cuda_recent[device].n;
    TB_TRY(tb__cuda_enter(device));
    TB_CU(cuCtxSynchronize);
    tb__cuda_forget(device, NULL, true, mark);
    return TB_OK;
}

tb_status tb__cuda_device_info(int device, char *name, size_t cap, int *major, int *minor)
{
    CUdevice id;
    TB_TRY(tb__cuda_device_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, major));
    TB_TRY(tb__cuda_device_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, minor));
    TB_CU(cuDeviceGet, &id, device);
    TB_CU(cuDeviceGetName, name, (int)cap, id);
    return TB_OK;
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

tb_status tb__cuda_mem_info(int device, size_t *free_bytes, size_t *total_bytes)
{
    TB_TRY(tb__cuda_enter(device));
    TB_CU(cuMemGetInfo, free_bytes, total_bytes);
    return TB_OK;
}

tb_status tb__cuda_mem_alloc(int device, size_t bytes, void **ptr)
{
    CUdeviceptr p = 0;
    TB_TRY(tb__cuda_enter(device));
    int mode = tb__cuda_relax(device);
    const CUresult result = TB_CU_RESULT(cuMemAlloc, &p, bytes);
    tb__cuda_unrelax(mode);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) return tb__fail_memory(bytes, 0, 0, 0);
    TB_TRY(tb__cuda_check(result, "cuMemAlloc"));
    *ptr = (void *)(uintptr_t)p;
    return TB_OK;
}

/* A failure here is that of earlier work, or the process is ending: there is nobody to tell. */
void tb__cuda_mem_free(int device, void *ptr)
{
    if (forked || tb__cuda_enter(device) != TB_OK) return;
    (void)TB_CU_RESULT(cuMemFree, tb__cuda_ptr(ptr));
}
