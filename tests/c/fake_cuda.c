/* fake_cuda.c - a libcuda.so.1 without a GPU: device memory is host memory, copies happen at once, kernels do nothing.
 *
 * For test_cuda.c, which reads the counters below. Every handle is checked to be one that was given out, and memory
 * that a call touches to be allocated, so that a wrong argument shows. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/abi_cudart.h"
#include "fake_cuda.h"

#define EXPORT __attribute__((visibility("default")))

enum { DEVICES = 2, HANDLES = 4096, INVALID_VALUE = 1, INVALID_HANDLE = 400, ILLEGAL_ADDRESS = 700 };

EXPORT fake_cuda fake_cuda_state = {.capacity = (size_t)1 << 30, .arch = 90};

static fake_cuda *const fake = &fake_cuda_state;

typedef struct handle {
    char kind; /* 's', 'e', 'm', 'f', 'd': device memory, 'h': host memory; 0: free */
    void *ptr;
    size_t size;
    char name[128];
    int capture; /* of a stream: 1 it is recorded, 2 that has failed */
    unsigned flags;
} handle;

static handle handles[HANDLES];
static int contexts[DEVICES];
/* In the static block: LeakSanitizer fails on those of other threads that are allocated late. */
static _Thread_local CUcontext current __attribute__((tls_model("initial-exec")));

static handle *new_handle(char kind)
{
    for (int i = 0; i < HANDLES; i++) {
        if (handles[i].kind) continue;
        handles[i] = (handle){.kind = kind};
        return &handles[i];
    }
    abort();
}

static handle *find(const void *p, char kind)
{
    for (int i = 0; i < HANDLES; i++)
        if (handles[i].kind == kind && (kind == 'd' || kind == 'h' ? handles[i].ptr == p : &handles[i] == p))
            return &handles[i];
    return NULL;
}

static CUresult wrong(const char *what)
{
    fprintf(stderr, "fake_cuda: %s\n", what);
    fake->errors++;
    return INVALID_VALUE;
}

/* [p, p + n) lies within one allocation of the kind. */
static int within(const void *p, size_t n, char kind)
{
    for (int i = 0; i < HANDLES; i++) {
        if (handles[i].kind != kind) continue; /* other handles change meanwhile */
        const char *start = handles[i].ptr;
        if ((const char *)p >= start && (const char *)p + n <= start + handles[i].size) return 1;
    }
    return 0;
}

static int is_stream(CUstream s) { return !s || find(s, 's'); }

/* ---- captures: what the driver answers (580.159, seen on an H100) ----------------------------------------------- */

/* A call that cannot be recorded fails and ends what is recorded of: one stream; all of them; those that the null
 * stream waits for. */
enum { UNSUPPORTED = 900, INVALIDATED = 901, IMPLICIT = 906 };

static CUresult spoil_all(int blocking_only, CUresult error)
{
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < HANDLES; i++) {
        handle *h = &handles[i];
        if (h->kind != 's' || !h->capture || (blocking_only && h->flags & CU_STREAM_NON_BLOCKING)) continue;
        h->capture = 2;
        result = error;
    }
    return result;
}

static CUresult spoil(CUstream s)
{
    handle *h = s ? find(s, 's') : NULL;
    if (!s) return spoil_all(1, IMPLICIT);
    if (!h || !h->capture) return CUDA_SUCCESS;
    h->capture = 2;
    return UNSUPPORTED;
}

/* Work in a stream. */
static CUresult enqueue(CUstream s)
{
    const handle *h = s ? find(s, 's') : NULL;
    if (!s) return spoil_all(1, IMPLICIT);
    return h && h->capture == 2 ? INVALIDATED : CUDA_SUCCESS;
}

#define TRY(call) do { CUresult tried = (call); if (tried != CUDA_SUCCESS) return tried; } while (0)

/* ---- the driver, devices -------------------------------------------------------------------------------------- */

EXPORT CUresult cuInit(unsigned int flags) { return flags ? wrong("flags of cuInit") : CUDA_SUCCESS; }

EXPORT CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorName(CUresult error, const char **text)
{
    *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_THE_FAKE";
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorString(CUresult error, const char **text)
{
    *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "made up";
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *count)
{
    *count = DEVICES;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    if (ordinal < 0 || ordinal >= DEVICES) return wrong("ordinal");
    *device = ordinal;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    snprintf(name, (size_t)size, "Fake %d", device);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    if (device < 0 || device >= DEVICES) return wrong("device");
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = fake->arch / 10; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = fake->arch % 10; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = 132; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = 2048; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = 49152; break;
    default: return INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    *context = (CUcontext)&contexts[device];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSetCurrent(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSynchronize(void)
{
    fake->synchronisations++;
    TRY(spoil_all(0, UNSUPPORTED));
    return current ? CUDA_SUCCESS : wrong("no context");
}

/* NVRTC asks a driver that it finds in the process for this. */
EXPORT CUresult cuGetExportTable(const void **table, const void *id)
{
    (void)id;
    *table = NULL;
    return INVALID_VALUE;
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

EXPORT CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = fake->capacity - fake->used;
    *total_bytes = fake->capacity;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *ptr, size_t bytes)
{
    if (!current || bytes == 0) return wrong("cuMemAlloc");
    if (bytes > fake->capacity - fake->used) return CUDA_ERROR_OUT_OF_MEMORY;
    handle *h = new_handle('d');
    h->ptr = aligned_alloc(512, (bytes + 511) / 512 * 512);
    h->size = bytes;
    fake->used += bytes;
    fake->allocs++;
    *ptr = (CUdeviceptr)(uintptr_t)h->ptr;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr ptr)
{
    handle *h = find((void *)(uintptr_t)ptr, 'd');
    if (!h || !current) return wrong("cuMemFree");
    fake->used -= h->size;
    fake->frees++;
    free(h->ptr);
    h->kind = 0;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemHostAlloc(void **ptr, size_t bytes, unsigned int flags)
{
    if (flags > 7) return INVALID_VALUE;
    void *memory = malloc(bytes);
    if (!memory) return CUDA_ERROR_OUT_OF_MEMORY;
    handle *h = new_handle('h');
    h->ptr = memory;
    h->size = bytes;
    *ptr = h->ptr;
    return CUDA_SUCCESS;
}

/* Copies from pinned memory that wait until somebody waits for them, or for what comes after them in their stream. */
static struct late_copy {
    void *dst;
    const void *src;
    size_t bytes;
    CUstream stream;
} late_copies[64];
static int nlate;
static pthread_mutex_t late_mutex = PTHREAD_MUTEX_INITIALIZER;

static void catch_up(CUstream stream)
{
    int kept = 0;
    pthread_mutex_lock(&late_mutex);
    for (int i = 0; i < nlate; i++) {
        const struct late_copy c = late_copies[i];
        if (c.stream == stream) memcpy(c.dst, c.src, c.bytes);
        else late_copies[kept++] = c;
    }
    nlate = kept;
    pthread_mutex_unlock(&late_mutex);
}

static int is_put_off(void *dst, const void *src, size_t bytes, CUstream stream)
{
    if (!fake->late || !within(src, bytes, 'h')) return 0;
    pthread_mutex_lock(&late_mutex);
    const int room = nlate < 64;
    if (room) late_copies[nlate++] = (struct late_copy){dst, src, bytes, stream};
    pthread_mutex_unlock(&late_mutex);
    return room;
}

EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{
    if (!within((void *)(uintptr_t)dst, bytes, 'd') || !is_stream(stream)) return wrong("cuMemcpyHtoDAsync");
    TRY(enqueue(stream));
    __atomic_fetch_add(&fake->pinned_copies, within(src, bytes, 'h'), __ATOMIC_RELAXED);
    if (!is_put_off((void *)(uintptr_t)dst, src, bytes, stream)) memcpy((void *)(uintptr_t)dst, src, bytes);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    if (!within((void *)(uintptr_t)src, bytes, 'd') || !is_stream(stream)) return wrong("cuMemcpyDtoHAsync");
    TRY(enqueue(stream));
    __atomic_fetch_add(&fake->pinned_copies, within(dst, bytes, 'h'), __ATOMIC_RELAXED);
    catch_up(stream);
    memcpy(dst, (void *)(uintptr_t)src, bytes);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuPointerGetAttributes(unsigned int n, const int *attributes, void **values, CUdeviceptr ptr)
{
    const void *place = (void *)(uintptr_t)ptr;
    if (n == 0 || attributes[0] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE) return wrong("cuPointerGetAttributes");
    *(unsigned *)values[0] = within(place, 1, 'h') ? 1 : within(place, 1, 'd') ? 2 : 0;
    for (unsigned i = 1; i < n; i++)
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER) *(CUdeviceptr *)values[i] = ptr;
    return CUDA_SUCCESS;
}

static uint32_t *late_mark, late_value;

EXPORT CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value, unsigned int flags)
{
    if (!is_stream(stream) || flags || !within((void *)(uintptr_t)address, 4, 'h')) return wrong("cuStreamWriteValue");
    if (fake->lag == 2) return INVALID_VALUE;
    uint32_t *mark = (uint32_t *)(uintptr_t)address;
    if (fake->lag) late_mark = mark, late_value = value;
    else *mark = value;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    const void *from = (void *)(uintptr_t)src;
    void *to = (void *)(uintptr_t)dst;
    if (!within(to, bytes, 'd') || !within(from, bytes, 'd') || !is_stream(stream)) return wrong("cuMemcpyAsync");
    TRY(enqueue(stream));
    memcpy(to, from, bytes);
    return CUDA_SUCCESS;
}

static CUresult set(CUdeviceptr dst, const void *pattern, size_t width, size_t n, CUstream stream)
{
    char *to = (char *)(uintptr_t)dst;
    if (!within(to, n * width, 'd') || dst % width || !is_stream(stream)) return wrong("cuMemsetAsync");
    TRY(enqueue(stream));
    for (size_t i = 0; i < n; i++) memcpy(to + i * width, pattern, width);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t bytes, CUstream stream)
{
    return set(dst, &value, 1, bytes, stream);
}

EXPORT CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t n, CUstream stream)
{
    return set(dst, &value, 2, n, stream);
}

EXPORT CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned int value, size_t n, CUstream stream)
{
    return set(dst, &value, 4, n, stream);
}

/* ---- kernels -------------------------------------------------------------------------------------------------- */

/* A CUBIN is an ELF file. */
EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    if (!current || memcmp(image, "\177ELF", 4) != 0) return wrong("cuModuleLoadData");
    fake->loads++;
    *module = (CUmodule)new_handle('m');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleUnload(CUmodule module)
{
    handle *h = find(module, 'm');
    if (!h) return wrong("cuModuleUnload");
    h->kind = 0;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    if (!find(module, 'm')) return wrong("cuModuleGetFunction");
    handle *h = new_handle('f');
    snprintf(h->name, sizeof h->name, "%s", name);
    *function = (CUfunction)h;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                               unsigned int by, unsigned int bz, unsigned int shared, CUstream stream, void **params,
                               void **extra)
{
    handle *h = find(function, 'f');
    if (!h || !is_stream(stream) || !current || extra || !params || !params[0]) return wrong("cuLaunchKernel");
    unsigned threads = bx * by * bz;
    if (gx == 0 || gy == 0 || gz == 0 || threads == 0 || threads > 1024 || shared > 49152) return wrong("grid");
    TRY(enqueue(stream));
    memcpy(fake->last_kernel, h->name, sizeof h->name);
    fake->launches++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **params, void **extra)
{
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const CUlaunchAttribute *a = &c->attrs[i];
        if (a->id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) return wrong("cuLaunchKernelEx");
        fake->early += a->value.programmaticStreamSerializationAllowed;
    }
    return cuLaunchKernel(function, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ,
                          c->sharedMemBytes, c->hStream, params, extra);
}

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int noption, CUjit_option *options,
                                   void **values)
{
    if (noption != 2 || options[0] != CU_JIT_ERROR_LOG_BUFFER || !values[0]) return wrong("cuModuleLoadDataEx");
    return cuModuleLoadData(module, image);
}

/* A variable of 8 bytes, whose name must not start with "no". */
EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr *ptr, size_t *size, CUmodule module, const char *name)
{
    static double variable;
    if (!find(module, 'm')) return wrong("cuModuleGetGlobal");
    if (strncmp(name, "no", 2) == 0) return CUDA_ERROR_NOT_FOUND;
    *ptr = (CUdeviceptr)(uintptr_t)&variable;
    *size = sizeof variable;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    const int values[10] = {1024, 16, 0, 0, 24, fake->arch, fake->arch, 0, 49152, -1};
    if (!find(function, 'f') || attribute < 0 || attribute > 9) return INVALID_VALUE;
    *value = values[attribute];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    (void)value;
    return find(function, 'f') && (attribute == 8 || attribute == 9) ? CUDA_SUCCESS : INVALID_VALUE;
}

/* Every function has two parameters, of 8 and 4 bytes. */
EXPORT CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
    if (!find(function, 'f')) return wrong("cuFuncGetParamInfo");
    if (index > 1) return INVALID_VALUE;
    *offset = 8 * index;
    *size = index ? 4 : 8;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *nblock, CUfunction function, int block, size_t shared)
{
    if (!find(function, 'f') || shared > 49152) return INVALID_VALUE;
    *nblock = 2048 / block;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLinkCreate_v2(unsigned int noption, CUjit_option *options, void **values, CUlinkState *state)
{
    (void)options, (void)values;
    if (noption) return wrong("cuLinkCreate");
    *state = (CUlinkState)new_handle('l');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                                 unsigned int noption, CUjit_option *options, void **values)
{
    (void)state, (void)type, (void)data, (void)size, (void)name, (void)noption, (void)options, (void)values;
    return wrong("cuLinkAddData");
}

EXPORT CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int noption,
                                 CUjit_option *options, void **values)
{
    (void)state, (void)type, (void)path, (void)noption, (void)options, (void)values;
    return wrong("cuLinkAddFile");
}

EXPORT CUresult cuLinkComplete(CUlinkState state, void **cubin, size_t *size)
{
    (void)state, (void)cubin, (void)size;
    return wrong("cuLinkComplete");
}

EXPORT CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz,
                                          unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
                                          CUstream stream, void **params)
{
    return cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, params, NULL);
}

/* ---- streams, events ------------------------------------------------------------------------------------------ */

/* ---- pools: one number, which tests set, says what is out of any of them ----------------------------------------- */

static CUmemoryPool device_pool, default_pool = (CUmemoryPool)1;

EXPORT CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties)
{
    if (!current || properties->allocType != 1) return wrong("cuMemPoolCreate");
    *pool = malloc(1);
    fake_cuda_state.pools++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    if (pool == default_pool || fake_cuda_state.pool_used || device_pool == pool) return wrong("cuMemPoolDestroy");
    free(pool);
    fake_cuda_state.pools--;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value)
{
    if (!pool || attribute != 7) return wrong("cuMemPoolGetAttribute");
    *(uint64_t *)value = fake_cuda_state.pool_used;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value)
{
    return pool && attribute == 4 && value ? CUDA_SUCCESS : wrong("cuMemPoolSetAttribute");
}

EXPORT CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    *pool = default_pool;
    return device < DEVICES ? CUDA_SUCCESS : wrong("cuDeviceGetDefaultMemPool");
}

EXPORT CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    *pool = device == 0 && device_pool ? device_pool : default_pool;
    return device < DEVICES ? CUDA_SUCCESS : wrong("cuDeviceGetMemPool");
}

EXPORT CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
    device_pool = pool;
    return device == 0 ? CUDA_SUCCESS : wrong("cuDeviceSetMemPool");
}

EXPORT CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    (void)priority;
    if (flags > CU_STREAM_NON_BLOCKING || !current) return wrong("cuStreamCreateWithPriority");
    handle *h = new_handle('s');
    h->flags = flags;
    *stream = (CUstream)h;
    fake->streams++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamDestroy_v2(CUstream stream)
{
    handle *h = find(stream, 's');
    if (!h) return wrong("cuStreamDestroy");
    h->kind = 0;
    fake->streams--;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamSynchronize(CUstream stream)
{
    fake->synchronisations++;
    TRY(spoil(stream));
    catch_up(stream);
    if (late_mark) *late_mark = late_value;
    late_mark = NULL;
    return is_stream(stream) ? CUDA_SUCCESS : wrong("cuStreamSynchronize");
}

EXPORT CUresult cuStreamQuery(CUstream stream)
{
    fake->queries++;
    TRY(spoil(stream));
    return is_stream(stream) ? CUDA_ERROR_NOT_READY : wrong("cuStreamQuery");
}

EXPORT CUresult cuStreamIsCapturing(CUstream stream, int *status)
{
    const handle *h = stream ? find(stream, 's') : NULL;
    *status = stream && (void *)stream == fake->captured ? 1 : h ? h->capture : 0;
    return is_stream(stream) ? CUDA_SUCCESS : wrong("cuStreamIsCapturing");
}

EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    fake->waits++;
    return is_stream(stream) && find(event, 'e') && !flags ? CUDA_SUCCESS : wrong("cuStreamWaitEvent");
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    if (flags > 7) return INVALID_VALUE;
    if (!current) return wrong("cuEventCreate");
    *event = (CUevent)new_handle('e');
    fake->events++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventDestroy_v2(CUevent event)
{
    handle *h = find(event, 'e');
    if (!h) return wrong("cuEventDestroy");
    h->kind = 0;
    fake->events--;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream)
{
    __atomic_fetch_add(&fake->records, 1, __ATOMIC_RELAXED);
    if (fake->broken) return ILLEGAL_ADDRESS;
    handle *h = find(event, 'e');
    if (!is_stream(stream) || !h) return wrong("cuEventRecord");
    TRY(enqueue(stream));
    h->ptr = stream;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventSynchronize(CUevent event)
{
    handle *h = find(event, 'e');
    if (!h) return wrong("cuEventSynchronize");
    catch_up(h->ptr);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventQuery(CUevent event) { return find(event, 'e') ? CUDA_SUCCESS : INVALID_HANDLE; }

EXPORT CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent stop)
{
    if (!find(start, 'e') || !find(stop, 'e')) return wrong("cuEventElapsedTime");
    *ms = 1.5f;
    return CUDA_SUCCESS;
}

/* ---- graphs, functions of the host ---------------------------------------------------------------------------- */

EXPORT CUresult cuLaunchHostFunc(CUstream stream, void (*fn)(void *), void *arg)
{
    if (!is_stream(stream) || !fn || !current) return wrong("cuLaunchHostFunc");
    fn(arg);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAllocManaged(CUdeviceptr *ptr, size_t bytes, unsigned int flags)
{
    return flags == 1 ? cuMemAlloc_v2(ptr, bytes) : wrong("cuMemAllocManaged");
}

EXPORT CUresult cuMemAllocAsync(CUdeviceptr *ptr, size_t bytes, CUstream stream)
{
    return is_stream(stream) ? cuMemAlloc_v2(ptr, bytes) : wrong("cuMemAllocAsync");
}

EXPORT CUresult cuMemFreeAsync(CUdeviceptr ptr, CUstream stream)
{
    return is_stream(stream) ? cuMemFree_v2(ptr) : wrong("cuMemFreeAsync");
}

EXPORT CUresult cuMemFreeHost(void *ptr)
{
    handle *h = find(ptr, 'h');
    if (!h || !current) return wrong("cuMemFreeHost");
    free(h->ptr);
    h->kind = 0;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
    static _Thread_local int now;
    int before = now;
    if (*mode < 0 || *mode > 2) return wrong("cuThreadExchangeStreamCaptureMode");
    now = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, int mode)
{
    handle *h = find(stream, 's');
    if (!h || h->capture || mode < 0 || mode > 2) return wrong("cuStreamBeginCapture");
    h->capture = 1;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    handle *h = find(stream, 's');
    if (!h || !h->capture) return wrong("cuStreamEndCapture");
    const int lost = h->capture == 2;
    h->capture = 0;
    if (lost) return INVALIDATED;
    *graph = (CUgraph)new_handle('g');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    if (!find(graph, 'g') || flags) return wrong("cuGraphInstantiate");
    *exec = (CUgraphExec)new_handle('x');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    return find(exec, 'x') && is_stream(stream) && current ? CUDA_SUCCESS : wrong("cuGraphLaunch");
}

static CUresult destroy(void *p, char kind, const char *what)
{
    handle *h = find(p, kind);
    if (!h) return wrong(what);
    h->kind = 0;
    return CUDA_SUCCESS;
}

#define DESTROY(name, type, kind) \
    EXPORT CUresult name(type h) { return destroy((void *)(uintptr_t)h, kind, #name); }
DESTROY(cuGraphDestroy, CUgraph, 'g')
DESTROY(cuGraphExecDestroy, CUgraphExec, 'x')
DESTROY(cuLinkDestroy, CUlinkState, 'l')
DESTROY(cuArrayDestroy, CUarray, 'a')
DESTROY(cuMipmappedArrayDestroy, CUmipmappedArray, 'i')
DESTROY(cuTexObjectDestroy, unsigned long long, 't')
DESTROY(cuSurfObjectDestroy, unsigned long long, 'u')

/* ---- arrays, single copies: the driver follows whatever handle it is given --------------------------------------- */

EXPORT CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    if (!d->Width || !current) return wrong("cuArray3DCreate");
    *array = (CUarray)new_handle('a');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmap, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned int levels)
{
    if (!d->Width || !levels || !current) return wrong("cuMipmappedArrayCreate");
    *mipmap = (CUmipmappedArray)new_handle('i');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray mipmap, unsigned int i)
{
    if (!find(mipmap, 'i') || i > 8) return wrong("cuMipmappedArrayGetLevel");
    *level = (CUarray)new_handle('a');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    TRY(spoil_all(1, IMPLICIT));
    memmove((void *)(uintptr_t)dst, (void *)(uintptr_t)src, bytes);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
    const handle *h = find(stream, 's');
    *flags = h ? h->flags : 0;
    return h ? CUDA_SUCCESS : wrong("cuStreamGetFlags");
}

EXPORT CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    *priority = 0;
    return find(stream, 's') ? CUDA_SUCCESS : wrong("cuStreamGetPriority");
}

EXPORT CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array)
{
    *d = (CUDA_ARRAY3D_DESCRIPTOR){.Width = 8, .Format = 0x20, .NumChannels = 1};
    return find(array, 'a') ? CUDA_SUCCESS : wrong("cuArray3DGetDescriptor");
}

EXPORT CUresult cuTexObjectCreate(unsigned long long *object, const CUDA_RESOURCE_DESC *resource,
                                  const CUDA_TEXTURE_DESC *texture, const void *view)
{
    if (!resource || !texture || view) return wrong("cuTexObjectCreate");
    *object = (unsigned long long)(uintptr_t)new_handle('t');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuSurfObjectCreate(unsigned long long *object, const CUDA_RESOURCE_DESC *resource)
{
    if (!resource) return wrong("cuSurfObjectCreate");
    *object = (unsigned long long)(uintptr_t)new_handle('u');
    return CUDA_SUCCESS;
}
