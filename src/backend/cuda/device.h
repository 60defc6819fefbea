/* device.h - src/backend/cuda is what CUDA has of its own: the driver's calls, NVRTC, NVIDIA's libraries. Here the
 * state of a device, entering its context, checking driver calls. How plans are run is in ../gpu.
 *
 *   dynlib.h   finding the libraries; their functions
 *   compile.h  NVRTC
 *   module.h   user code
 *   capture.h  graphs; cudart.h: the rest of the run-time interface */
#ifndef TB_BACKEND_CUDA_DEVICE_H
#define TB_BACKEND_CUDA_DEVICE_H
#include "backend/cuda/dynlib.h"
#include "backend/gpu/gpu.h"
#include "base/lock.h"

typedef struct tb_cuda_device {
    bool open;
    CUdevice id;
    CUcontext context; /* the primary one, so that other CUDA libraries of the process share it */
} tb_cuda_device;

extern tb_cuda_device tb__cuda_devices[TB_DEVICE_MAX];

/* Opens the driver and initialises it. Called with the core lock held. */
tb_status tb__cuda_start(void);
/* True in the child of a fork that happened after tb__cuda_start: there the driver must not be touched any more. */
bool tb__cuda_forked(void);
/* Makes the device's context current on the calling thread. Every call of the driver about a device comes after it. */
tb_status tb__cuda_enter(int device);

/* Around calls of the driver's libraries: any may wait for the device, those that load and free, those that enqueue
 * once a stream's queue is full, and all of them under tools that watch the driver. Functions of the host, which may be
 * what the device waits for, run in the meantime. */
static inline void *tb__cuda_wait_begin(void) { return tb_host_func_pending() ? tb__wait_begin() : NULL; }

/* ---- fault.c: the kernels launched last on a device, for the message when one of them has faulted ---- */

enum { TB_CUDA_RECENT = 16 };
typedef struct tb_cuda_recent {
    const char *name[TB_CUDA_RECENT]; /* never freed; NULL: known to have ended well */
    const void *stream[TB_CUDA_RECENT];
    unsigned n; /* launches so far: the next one's place */
} tb_cuda_recent;
extern tb_cuda_recent tb__cuda_recent[TB_DEVICE_MAX];

static inline void tb__cuda_note(const tb_stream *s, const char *name)
{
    tb_cuda_recent *r = &tb__cuda_recent[s->device];
    unsigned at = r->n++ % TB_CUDA_RECENT;
    r->name[at] = name;
    r->stream[at] = s->handle;
}
/* The first `mark` launches (n from before a synchronisation that succeeded) ended well: of one stream, or of all. */
void tb__cuda_forget(int device, const void *stream, bool every_stream, unsigned mark);
/* Adds the names to the message about a fault. */
void tb__cuda_add_suspects(CUresult result, char *message, size_t cap);

/* ---- checking ---- */
/* "NAME: description" of a driver's error, with what else is known about it. */
void tb__cuda_error_text(CUresult result, char *text, size_t cap) __attribute__((cold));
tb_status tb__cuda_fail(CUresult result, const char *call) __attribute__((cold));
static inline tb_status tb__cuda_check(CUresult result, const char *call)
{
    return __builtin_expect(result == CUDA_SUCCESS, 1) ? TB_OK : tb__cuda_fail(result, call);
}
/* Calls a driver function of tb__cu, and is its result; TB_CU leaves with the error. */
#define TB_CU_RESULT(function, ...) \
    ({ \
        void *given_ = tb__cuda_wait_begin(); \
        const CUresult result_ = tb__cu.function(__VA_ARGS__); \
        tb__wait_end(given_); \
        result_; \
    })
#define TB_CU(function, ...) TB_TRY(tb__cuda_check(TB_CU_RESULT(function, __VA_ARGS__), #function))

static inline CUdeviceptr tb__cuda_ptr(const void *p) { return (CUdeviceptr)(uintptr_t)p; }

/* The operations of the backend's table. */
tb_status tb__cuda_device_count(int *n);
tb_status tb__cuda_device_open(int device);
tb_status tb__cuda_device_synchronize(int device);
tb_status tb__cuda_device_info(int device, char *name, size_t cap, int *major, int *minor);
tb_status tb__cuda_device_attribute(int device, int attribute, int *value);
tb_status tb__cuda_mem_info(int device, size_t *free_bytes, size_t *total_bytes);
tb_status tb__cuda_mem_alloc(int device, size_t bytes, void **ptr);
void tb__cuda_mem_free(int device, void *ptr);

tb_status tb__cuda_stream_wrap(tb_stream *s);
tb_status tb__cuda_stream_new(tb_stream *s, int priority);
void tb__cuda_stream_free(tb_stream *s);
tb_status tb__cuda_stream_synchronize(tb_stream *s);
tb_status tb__cuda_stream_query(tb_stream *s, bool *done);
tb_status tb__cuda_stream_wait(tb_stream *s, tb_event *e);
tb_status tb__cuda_event_new(tb_event *e, unsigned flags);
void tb__cuda_event_free(tb_event *e);
tb_status tb__cuda_event_record(tb_event *e, tb_stream *s);
tb_status tb__cuda_event_synchronize(tb_event *e);
tb_status tb__cuda_event_query(tb_event *e, bool *done);
tb_status tb__cuda_event_elapsed(tb_event *start, tb_event *stop, float *ms);

tb_status tb__cuda_copy_in(tb_stream *s, void *dst, const void *host, size_t n, bool blocking);
tb_status tb__cuda_copy_out(tb_stream *s, void *host, const void *src, size_t n, bool blocking);
void *tb__cuda_answer(tb_stream *s);
void tb__cuda_answer_ask(tb_stream *s);
tb_status tb__cuda_answer_wait(tb_stream *s);
tb_status tb__cuda_copy(tb_stream *s, void *dst, const void *src, size_t n);
/* Whether small copies from the host go through staging memory: s is not captured, nor foreign, and there is some. */
bool tb__cuda_stages(const tb_stream *s);
/* staging.c: copies much pageable host memory, in or out, and says how that went in *status: out is done when it
 * returns, and after in the host memory is free to change. False: not a copy for this, nothing was done. */
bool tb__cuda_staged(tb_stream *s, void *device, const void *host, size_t n, bool in, tb_status *status);
/* wait.c: until all is done that s has been given; `word` is zeroed pinned memory for this use alone. With the core
 * lock. */
tb_status tb__cuda_wait(tb_stream *s, uint32_t *word);
/* The same in two steps, with work in between that need not be waited for: what ask gives is end's `next`. */
uint32_t tb__cuda_wait_ask(tb_stream *s, uint32_t *word);
tb_status tb__cuda_wait_end(tb_stream *s, const uint32_t *word, uint32_t next);
/* How often to ask the driver whether s is done before believing that it is not, just after such a wait. */
int tb__cuda_just_waited(const tb_stream *s);
/* The stream goes away: what of the staging memory it still reads is marked. */
void tb__cuda_copy_forget(tb_stream *s);

tb_status tb__cuda_gemm(tb_stream *s, const tb_gemm *g);
bool tb__cuda_gemm_suits(const tb_gemm *g);
bool tb__cuda_gemm_adds(const tb_gemm *g);
/* The stream's handle of cuBLAS, ready for calls. */
tb_status tb__cuda_blas(tb_stream *s, cublasHandle_t *out);
tb_status tb__cublas_check(cublasStatus_t result, const char *call);
/* Calls a function of cuBLAS; leaves with the error. */
#define TB_CUBLAS(function, ...) TB_TRY(tb__cublas_check(tb__cublas.function(__VA_ARGS__), #function))
/* solver.c: by cuSOLVER and cuBLAS, or on the host what they do not have. */
tb_status tb__cuda_solve(tb_stream *s, const tb_solve *q);
bool tb__cuda_solves_alone(void);
/* gemm_split.c: whether a product is better computed in parts of its inner dimension; the product in such parts. */
bool tb__cuda_gemm_splits(const tb_gemm *g);
tb_status tb__cuda_gemm_split(tb_stream *s, const tb_gemm *g);

/* ---- enqueue.c ---- */
/* Whether a function whose source begins with tb_wait() (kernels/device/wait.h) was compiled for an architecture that
 * has the instruction, and the driver makes use of it. */
bool tb__cuda_launches_early(CUfunction function);
/* Enqueues a kernel. early: it may start before what is before it in the stream has ended, since it waits for that by
 * itself, which spares the driver the orders to wait. Not while the stream is captured: the edges of a graph stay plain
 * ones. */
CUresult tb__cuda_enqueue(const tb_stream *s, CUfunction function, bool early, const uint32_t *grid,
                          const uint32_t *block, uint32_t shared, void **args);

/* The same for a plan's kernel: the pool makes way for code that the driver loads at the first launch. */
tb_status tb__cuda_enqueue_plan(tb_stream *s, void *function, tb_launch_mode mode, const uint32_t *grid,
                                const uint32_t *block, void *params);
/* Loads a kernel of the library's. */
tb_status tb__cuda_load(int device, const tb_image *image, tb_gpu_function *out);
/* Sets memory to a repeated number of 1, 2 or 4 bytes. */
tb_status tb__cuda_set(tb_stream *s, void *to, uint32_t word, size_t width, size_t bytes);
#endif
