/* fake_cuda.c - a libcuda.so.1 without a GPU: device memory is host memory, copies happen at once. Its kernels do
 * nothing (fake_kernels.c), or run on the host (tests/emulated).
 *
 * For test_cuda.c, which reads the counters below. Every handle is checked to be one that was given out, and memory
 * that a call touches to be allocated, so that a wrong argument shows. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_handles.h"

enum { MOST_DEVICES = 8 };

EXPORT fake_cuda fake_cuda_state = {.capacity = (size_t)1 << 30, .devices = 2, .arch = 90};

static fake_cuda *const fake = &fake_cuda_state;

static int contexts[MOST_DEVICES];
/* In the static block: LeakSanitizer fails on those of other threads that are allocated late. */
static _Thread_local CUcontext current __attribute__((tls_model("initial-exec")));

CUresult fake_wrong(const char *what)
{
    fprintf(stderr, "fake_cuda: %s\n", what);
    if (fake->aborts) abort();
    fake->errors++;
    return INVALID_VALUE;
}

int fake_has_context(void) { return current != NULL; }

int fake_is_stream(CUstream s) { return !s || fake_handle_find(s, 's'); }

/* ---- captures: what the driver answers (580.159, seen on an H100) ----------------------------------------------- */

/* A call that cannot be recorded fails and ends what is recorded of: one stream; all of them; those that the null
 * stream waits for. */
enum { UNSUPPORTED = 900, INVALIDATED = 901, IMPLICIT = 906 };
static int ncapture;

static CUresult spoil_all(int blocking_only, CUresult error)
{
    CUresult result = CUDA_SUCCESS;
    if (__atomic_load_n(&ncapture, __ATOMIC_RELAXED) == 0) return result;
    for (handle *h = NULL; (h = fake_handle_next(h, 's')) != NULL;) {
        if (!h->capture || (blocking_only && h->flags & CU_STREAM_NON_BLOCKING)) continue;
        h->capture = 2;
        result = error;
    }
    return result;
}

static CUresult spoil(CUstream s)
{
    handle *h = s ? fake_handle_find(s, 's') : NULL;
    if (!s) return spoil_all(1, IMPLICIT);
    if (!h || !h->capture) return CUDA_SUCCESS;
    h->capture = 2;
    return UNSUPPORTED;
}

CUresult fake_enqueue(CUstream s)
{
    const handle *h = s ? fake_handle_find(s, 's') : NULL;
    if (!s) return spoil_all(1, IMPLICIT);
    return h && h->capture == 2 ? INVALIDATED : CUDA_SUCCESS;
}

/* ---- the driver, devices -------------------------------------------------------------------------------------- */

EXPORT CUresult cuInit(unsigned int flags) { return flags ? fake_wrong("flags of cuInit") : CUDA_SUCCESS; }

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
    *count = fake->devices;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    if (ordinal < 0 || ordinal >= fake->devices) return fake_wrong("ordinal");
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
    if (device < 0 || device >= fake->devices) return fake_wrong("device");
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
    return current ? CUDA_SUCCESS : fake_wrong("no context");
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
    if (!current || bytes == 0) return fake_wrong("cuMemAlloc");
    if (bytes > fake->capacity - fake->used) return CUDA_ERROR_OUT_OF_MEMORY;
    void *memory = aligned_alloc(512, (bytes + 511) / 512 * 512);
    if (!memory) return CUDA_ERROR_OUT_OF_MEMORY;
    fake_memory_new('d', memory, bytes);
    fake->used += bytes;
    fake->allocs++;
    *ptr = (CUdeviceptr)(uintptr_t)memory;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr ptr)
{
    handle *h = fake_handle_find((void *)(uintptr_t)ptr, 'd');
    if (!h || !current) return fake_wrong("cuMemFree");
    fake->used -= h->size;
    fake->frees++;
    void *memory = h->ptr;
    fake_handle_free(h);
    free(memory);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemHostAlloc(void **ptr, size_t bytes, unsigned int flags)
{
    if (flags > 7) return INVALID_VALUE;
    void *memory = malloc(bytes);
    if (!memory) return CUDA_ERROR_OUT_OF_MEMORY;
    fake_memory_new('h', memory, bytes);
    *ptr = memory;
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
    if (!fake->late || !fake_within(src, bytes, 'h')) return 0;
    pthread_mutex_lock(&late_mutex);
    const int room = nlate < 64;
    if (room) late_copies[nlate++] = (struct late_copy){dst, src, bytes, stream};
    pthread_mutex_unlock(&late_mutex);
    return room;
}

EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{
    if (!fake_within((void *)(uintptr_t)dst, bytes, 'd') || !fake_is_stream(stream))
        return fake_wrong("cuMemcpyHtoDAsync");
    TRY(fake_enqueue(stream));
    __atomic_fetch_add(&fake->pinned_copies, fake_within(src, bytes, 'h'), __ATOMIC_RELAXED);
    if (!is_put_off((void *)(uintptr_t)dst, src, bytes, stream)) memcpy((void *)(uintptr_t)dst, src, bytes);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    if (!fake_within((void *)(uintptr_t)src, bytes, 'd') || !fake_is_stream(stream))
        return fake_wrong("cuMemcpyDtoHAsync");
    TRY(fake_enqueue(stream));
    __atomic_fetch_add(&fake->pinned_copies, fake_within(dst, bytes, 'h'), __ATOMIC_RELAXED);
    catch_up(stream);
    memcpy(dst, (void *)(uintptr_t)src, bytes);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuPointerGetAttributes(unsigned int n, const int *attributes, void **values, CUdeviceptr ptr)
{
    const void *place = (void *)(uintptr_t)ptr;
    if (n == 0 || attributes[0] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE) return fake_wrong("cuPointerGetAttributes");
    *(unsigned *)values[0] = fake_within(place, 1, 'h') ? 1 : fake_within(place, 1, 'd') ? 2 : 0;
    for (unsigned i = 1; i < n; i++)
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER) *(CUdeviceptr *)values[i] = ptr;
    return CUDA_SUCCESS;
}

static uint32_t *late_mark, late_value;

EXPORT CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value, unsigned int flags)
{
    if (!fake_is_stream(stream) || flags || !fake_within((void *)(uintptr_t)address, 4, 'h'))
        return fake_wrong("cuStreamWriteValue");
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
    if (!fake_within(to, bytes, 'd') || !fake_within(from, bytes, 'd') || !fake_is_stream(stream))
        return fake_wrong("cuMemcpyAsync");
    TRY(fake_enqueue(stream));
    memcpy(to, from, bytes);
    return CUDA_SUCCESS;
}

static CUresult set(CUdeviceptr dst, const void *pattern, size_t width, size_t n, CUstream stream)
{
    char *to = (char *)(uintptr_t)dst;
    if (!fake_within(to, n * width, 'd') || dst % width || !fake_is_stream(stream)) return fake_wrong("cuMemsetAsync");
    TRY(fake_enqueue(stream));
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

/* ---- streams, events ------------------------------------------------------------------------------------------ */

/* ---- pools: one number, which tests set, says what is out of any of them ----------------------------------------- */

static CUmemoryPool device_pool, default_pool = (CUmemoryPool)1;

EXPORT CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties)
{
    if (!current || properties->allocType != 1) return fake_wrong("cuMemPoolCreate");
    *pool = malloc(1);
    fake_cuda_state.pools++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    if (pool == default_pool || fake_cuda_state.pool_used || device_pool == pool) return fake_wrong("cuMemPoolDestroy");
    free(pool);
    fake_cuda_state.pools--;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value)
{
    if (!pool || attribute != 7) return fake_wrong("cuMemPoolGetAttribute");
    *(uint64_t *)value = fake_cuda_state.pool_used;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value)
{
    return pool && attribute == 4 && value ? CUDA_SUCCESS : fake_wrong("cuMemPoolSetAttribute");
}

EXPORT CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    *pool = default_pool;
    return device < fake->devices ? CUDA_SUCCESS : fake_wrong("cuDeviceGetDefaultMemPool");
}

EXPORT CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    *pool = device == 0 && device_pool ? device_pool : default_pool;
    return device < fake->devices ? CUDA_SUCCESS : fake_wrong("cuDeviceGetMemPool");
}

EXPORT CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
    device_pool = pool;
    return device == 0 ? CUDA_SUCCESS : fake_wrong("cuDeviceSetMemPool");
}

EXPORT CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    (void)priority;
    if (flags > CU_STREAM_NON_BLOCKING || !current) return fake_wrong("cuStreamCreateWithPriority");
    handle *h = fake_handle_new('s');
    h->flags = flags;
    *stream = (CUstream)h;
    fake->streams++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamDestroy_v2(CUstream stream)
{
    handle *h = fake_handle_find(stream, 's');
    if (!h) return fake_wrong("cuStreamDestroy");
    if (h->capture) __atomic_fetch_sub(&ncapture, 1, __ATOMIC_RELAXED);
    fake_handle_free(h);
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
    return fake_is_stream(stream) ? CUDA_SUCCESS : fake_wrong("cuStreamSynchronize");
}

EXPORT CUresult cuStreamQuery(CUstream stream)
{
    fake->queries++;
    TRY(spoil(stream));
    return fake_is_stream(stream) ? CUDA_ERROR_NOT_READY : fake_wrong("cuStreamQuery");
}

EXPORT CUresult cuStreamIsCapturing(CUstream stream, int *status)
{
    const handle *h = stream ? fake_handle_find(stream, 's') : NULL;
    *status = stream && (void *)stream == fake->captured ? 1 : h ? h->capture : 0;
    return fake_is_stream(stream) ? CUDA_SUCCESS : fake_wrong("cuStreamIsCapturing");
}

EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    fake->waits++;
    return fake_is_stream(stream) && fake_handle_find(event, 'e') && !flags ? CUDA_SUCCESS
                                                                            : fake_wrong("cuStreamWaitEvent");
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    if (flags > 7) return INVALID_VALUE;
    if (!current) return fake_wrong("cuEventCreate");
    *event = (CUevent)fake_handle_new('e');
    fake->events++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventDestroy_v2(CUevent event)
{
    handle *h = fake_handle_find(event, 'e');
    if (!h) return fake_wrong("cuEventDestroy");
    fake_handle_free(h);
    fake->events--;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream)
{
    __atomic_fetch_add(&fake->records, 1, __ATOMIC_RELAXED);
    if (fake->broken) return ILLEGAL_ADDRESS;
    handle *h = fake_handle_find(event, 'e');
    if (!fake_is_stream(stream) || !h) return fake_wrong("cuEventRecord");
    TRY(fake_enqueue(stream));
    h->ptr = stream;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventSynchronize(CUevent event)
{
    handle *h = fake_handle_find(event, 'e');
    if (!h) return fake_wrong("cuEventSynchronize");
    catch_up(h->ptr);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventQuery(CUevent event) { return fake_handle_find(event, 'e') ? CUDA_SUCCESS : INVALID_HANDLE; }

EXPORT CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent stop)
{
    if (!fake_handle_find(start, 'e') || !fake_handle_find(stop, 'e')) return fake_wrong("cuEventElapsedTime");
    *ms = 1.5f;
    return CUDA_SUCCESS;
}

/* ---- graphs, functions of the host ---------------------------------------------------------------------------- */

EXPORT CUresult cuLaunchHostFunc(CUstream stream, void (*fn)(void *), void *arg)
{
    if (!fake_is_stream(stream) || !fn || !current) return fake_wrong("cuLaunchHostFunc");
    fn(arg);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAllocManaged(CUdeviceptr *ptr, size_t bytes, unsigned int flags)
{
    return flags == 1 ? cuMemAlloc_v2(ptr, bytes) : fake_wrong("cuMemAllocManaged");
}

EXPORT CUresult cuMemAllocAsync(CUdeviceptr *ptr, size_t bytes, CUstream stream)
{
    return fake_is_stream(stream) ? cuMemAlloc_v2(ptr, bytes) : fake_wrong("cuMemAllocAsync");
}

EXPORT CUresult cuMemFreeAsync(CUdeviceptr ptr, CUstream stream)
{
    return fake_is_stream(stream) ? cuMemFree_v2(ptr) : fake_wrong("cuMemFreeAsync");
}

EXPORT CUresult cuMemFreeHost(void *ptr)
{
    handle *h = fake_handle_find(ptr, 'h');
    if (!h || !current) return fake_wrong("cuMemFreeHost");
    void *memory = h->ptr;
    fake_handle_free(h);
    free(memory);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
    static _Thread_local int now;
    int before = now;
    if (*mode < 0 || *mode > 2) return fake_wrong("cuThreadExchangeStreamCaptureMode");
    now = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, int mode)
{
    handle *h = fake_handle_find(stream, 's');
    if (!h || h->capture || mode < 0 || mode > 2) return fake_wrong("cuStreamBeginCapture");
    if (!fake_records) return NOT_SUPPORTED;
    h->capture = 1;
    __atomic_fetch_add(&ncapture, 1, __ATOMIC_RELAXED);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    handle *h = fake_handle_find(stream, 's');
    if (!h || !h->capture) return fake_wrong("cuStreamEndCapture");
    const int lost = h->capture == 2;
    h->capture = 0;
    __atomic_fetch_sub(&ncapture, 1, __ATOMIC_RELAXED);
    if (lost) return INVALIDATED;
    *graph = (CUgraph)fake_handle_new('g');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    if (!fake_handle_find(graph, 'g') || flags) return fake_wrong("cuGraphInstantiate");
    *exec = (CUgraphExec)fake_handle_new('x');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    return fake_handle_find(exec, 'x') && fake_is_stream(stream) && current ? CUDA_SUCCESS
                                                                            : fake_wrong("cuGraphLaunch");
}

static CUresult destroy(void *p, char kind, const char *what)
{
    handle *h = fake_handle_find(p, kind);
    if (!h) return fake_wrong(what);
    fake_handle_free(h);
    return CUDA_SUCCESS;
}

#define DESTROY(name, type, kind) \
    EXPORT CUresult name(type h) { return destroy((void *)(uintptr_t)h, kind, #name); }
DESTROY(cuGraphDestroy, CUgraph, 'g')
DESTROY(cuGraphExecDestroy, CUgraphExec, 'x')
DESTROY(cuArrayDestroy, CUarray, 'a')
DESTROY(cuMipmappedArrayDestroy, CUmipmappedArray, 'i')
DESTROY(cuTexObjectDestroy, unsigned long long, 't')
DESTROY(cuSurfObjectDestroy, unsigned long long, 'u')

/* ---- arrays, single copies: the driver follows whatever handle it is given --------------------------------------- */

EXPORT CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    if (!d->Width || !current) return fake_wrong("cuArray3DCreate");
    *array = (CUarray)fake_handle_new('a');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmap, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned int levels)
{
    if (!d->Width || !levels || !current) return fake_wrong("cuMipmappedArrayCreate");
    *mipmap = (CUmipmappedArray)fake_handle_new('i');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray mipmap, unsigned int i)
{
    if (!fake_handle_find(mipmap, 'i') || i > 8) return fake_wrong("cuMipmappedArrayGetLevel");
    *level = (CUarray)fake_handle_new('a');
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
    const handle *h = fake_handle_find(stream, 's');
    *flags = h ? h->flags : 0;
    return h ? CUDA_SUCCESS : fake_wrong("cuStreamGetFlags");
}

EXPORT CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    *priority = 0;
    return fake_handle_find(stream, 's') ? CUDA_SUCCESS : fake_wrong("cuStreamGetPriority");
}

EXPORT CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array)
{
    *d = (CUDA_ARRAY3D_DESCRIPTOR){.Width = 8, .Format = 0x20, .NumChannels = 1};
    return fake_handle_find(array, 'a') ? CUDA_SUCCESS : fake_wrong("cuArray3DGetDescriptor");
}

EXPORT CUresult cuTexObjectCreate(unsigned long long *object, const CUDA_RESOURCE_DESC *resource,
                                  const CUDA_TEXTURE_DESC *texture, const void *view)
{
    if (!resource || !texture || view) return fake_wrong("cuTexObjectCreate");
    *object = (unsigned long long)(uintptr_t)fake_handle_new('t');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuSurfObjectCreate(unsigned long long *object, const CUDA_RESOURCE_DESC *resource)
{
    if (!resource) return fake_wrong("cuSurfObjectCreate");
    *object = (unsigned long long)(uintptr_t)fake_handle_new('u');
    return CUDA_SUCCESS;
}
