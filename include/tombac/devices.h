/* devices.h - a section of tombac.h, which includes it: devices, streams and memory. */
#ifndef TOMBAC_DEVICES_H
#define TOMBAC_DEVICES_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h"
#endif

/* ---- devices, streams, memory --------------------------------------------------------------------------------- */

typedef struct tb_array tb_array;   /* a view of a buffer: dtype, shape, strides, offset. These never change */
typedef struct tb_buffer tb_buffer; /* a block of memory of one device, or the promise of one */
typedef struct tb_stream tb_stream; /* work that a device does in its order */
typedef struct tb_event tb_event;   /* a point in a stream's work */
typedef struct tb_ufunc tb_ufunc;   /* an elementwise function; constant, and never freed */

/* Chooses the backend: TOMBAC_BACKEND=cpu|cuda, else CUDA where it works, else CPU. Called by everything that needs a
 * device; call it yourself to learn early whether a forced backend is there. TB_ERR_VALUE names a TOMBAC_ variable of
 * the environment whose value is none that it may have. */
TB_API tb_status tb_init(void);
/* TB_ERR_LIBRARY, naming what is missing, where the library cannot run on this processor. tb_init asks first. */
TB_API tb_status tb_processor_check(void);
TB_API const char *tb_version(void);      /* "1.2.3": of the library that runs, which may be newer than TB_VERSION */
TB_API const char *tb_backend_name(void); /* "cpu" or "cuda"; "" before tb_init has succeeded */
/* Text that says which driver and libraries were found where; free with tb_free. */
TB_API tb_status tb_show_config(char **text);
/* Frees text that the library returned; NULL is allowed. The program's own free may belong to another C library. */
TB_API void tb_free(void *p);

/* Devices of the backend, which are numbered from 0. A number that none has is TB_ERR_DEVICE, here and below. */
TB_API tb_status tb_device_count(int *n);
TB_API tb_status tb_device_current(int *device); /* of the calling thread: 0 until it calls tb_device_use */
/* For the calling thread: where new arrays are made and operations run. Operands may be of other devices. */
TB_API tb_status tb_device_use(int device);
/* Enqueues what is pending on the device and waits until all of its streams are done. */
TB_API tb_status tb_device_synchronize(int device);
/* Whether calls of the calling thread may wait for a device, as they may at first. Where they may not, those that would
 * fail with TB_ERR_WAIT, on every backend alike: what reads elements (tb_array_get, tb_item, masks, which are counted)
 * and what synchronises. So programs find where they wait. Copies to a device are let pass. */
TB_API bool tb_waits_set(bool allowed); /* returns what it was before */
TB_API bool tb_waits_get(void);         /* what the calling thread has chosen */
/* Bytes that the device has, and of these unused; on the CPU those of the machine, or what its container allows. */
TB_API tb_status tb_device_memory(int device, size_t *free_bytes, size_t *total_bytes);
/* At most cap bytes, the end included: a longer name is cut. "CPU" on the CPU. */
TB_API tb_status tb_device_name(int device, char *name, size_t cap);
TB_API tb_status tb_device_capability(int device, int *major, int *minor); /* CUDA's compute capability; CPU: 0, 0 */
/* By CUdevice_attribute numbers; the CPU knows those that mean something there, and TB_ERR_DEVICE for the others. */
TB_API tb_status tb_device_attribute(int device, int attribute, int *value);

#define TB_STREAM_DEFAULT 0      /* waits for the null stream, and the null stream for it, as CUDA has it */
#define TB_STREAM_NON_BLOCKING 1 /* has nothing to do with the null stream */
/* On the current device. Where many wait, a GPU runs the lower priority number first; the CPU only keeps it. */
TB_API tb_status tb_stream_new(int flags, int priority, tb_stream **out);
/* Somebody else's CUstream on the current device: it must outlive the reference. */
TB_API tb_status tb_stream_wrap(uintptr_t handle, tb_stream **out);
TB_API tb_status tb_stream_null(tb_stream **out);    /* of the current device, where work goes at first; borrowed */
TB_API tb_status tb_stream_current(tb_stream **out); /* of the thread on its current device; borrowed */
/* For the calling thread and its current device, until it uses another; retained. TB_ERR_VALUE: of another device. */
TB_API tb_status tb_stream_use(tb_stream *s);
TB_API void tb_stream_retain(tb_stream *s); /* one more reference */
/* NULL is allowed. With the last reference what is pending on the stream is enqueued; it ends when that is done. */
TB_API void tb_stream_release(tb_stream *s);
/* Enqueues what is pending on s and waits until it is done. Reports faults of kernels that ran there. */
TB_API tb_status tb_stream_synchronize(tb_stream *s);
/* Enqueues what is pending on s and says, without waiting, whether all work is done. */
TB_API tb_status tb_stream_query(tb_stream *s, bool *done);
TB_API uintptr_t tb_stream_handle(const tb_stream *s); /* CUstream as a number; 0 for the null stream */
TB_API int tb_stream_device(const tb_stream *s);       /* the device that it was made on */

#define TB_EVENT_BLOCKING 1     /* waiting threads sleep rather than poll */
#define TB_EVENT_NO_TIMING 2    /* takes no time stamp, which costs less; tb_event_elapsed refuses it */
#define TB_EVENT_INTERPROCESS 4 /* with TB_EVENT_NO_TIMING only */
/* On the current device. flags: TB_EVENT_ numbers, added up; 0 for none. It is reached until it is recorded. */
TB_API tb_status tb_event_new(unsigned flags, tb_event **out);
/* An event by its driver handle, which must outlive the reference. */
TB_API tb_status tb_event_wrap(uintptr_t handle, tb_event **out);
TB_API void tb_event_release(tb_event *e); /* NULL is allowed; streams that wait for it go on waiting */
/* Behind what was given to s (NULL: the current stream) so far; what is pending on it is enqueued first. A second time
 * takes the place of the first. TB_ERR_VALUE: the event belongs to another device. */
TB_API tb_status tb_event_record(tb_event *e, tb_stream *s);
TB_API tb_status tb_event_synchronize(tb_event *e); /* waits until it is reached; at once if it was never recorded */
TB_API tb_status tb_event_query(tb_event *e, bool *done); /* whether it is reached; true if it was never recorded */
/* Milliseconds between two events. TB_ERR_DEVICE if one was not recorded, has no timing or is not reached yet. */
TB_API tb_status tb_event_elapsed(tb_event *start, tb_event *stop, float *ms);
/* Work given to s from here on begins when e is reached; the calling thread does not wait. What is pending on s was
 * asked for earlier and is enqueued before. */
TB_API tb_status tb_stream_wait_event(tb_stream *s, tb_event *e);
TB_API uintptr_t tb_event_handle(const tb_event *e); /* CUevent as a number */

/* What a pool holds. Bytes are rounded up to what it hands out. */
typedef struct tb_pool_stats {
    size_t used_bytes;    /* handed out */
    size_t free_bytes;    /* kept for later */
    size_t total_bytes;   /* both: what it has taken from the device */
    size_t n_free_blocks; /* pieces that free_bytes are in */
    size_t limit;         /* what total_bytes may not exceed; 0: nothing was set */
} tb_pool_stats;

/* Where arrays get their memory. A pool keeps what is given back and hands it out again in stream order; NULL is the
 * default pool. An array's memory comes from the allocator that is current when the array is made. */
typedef struct tb_allocator tb_allocator;
/* Which of the driver's ways memory is got by. On the CPU all of them give the host's memory. */
typedef enum tb_memory_kind {
    TB_MEMORY_DEVICE,  /* the device's own */
    TB_MEMORY_MANAGED, /* moves between host and device as it is used */
    TB_MEMORY_SYSTEM,  /* the C library's, for GPUs that read the host's memory */
    TB_MEMORY_ASYNC    /* the driver's own stream-ordered allocator */
} tb_memory_kind;
/* Each array's memory is asked of the driver and given back to it, without a pool between. For TB_MEMORY_ASYNC
 * driver_pools are the CUmemoryPools of the first n devices; the current pool serves where that is 0, and devices past
 * them. */
TB_API tb_status tb_allocator_direct(tb_memory_kind kind, int n, const uintptr_t *driver_pools, tb_allocator **out);
/* A new pool, which gets its memory from `source` (retained; NULL: from the device). */
TB_API tb_status tb_allocator_pool(tb_allocator *source, tb_allocator **out);
/* A function of the caller's gives each buffer (a new reference; see tb_buffer_wrap), of `bytes` bytes or more, on the
 * current device. It is called with the library's lock held: it may make buffers (of other allocators), but must not
 * compute with arrays, nor wait for a thread that uses the library. Arrays are evaluated where they are made, so that
 * it is called, and its failure reported, there. drop(arg) when the allocator goes (may be NULL). */
typedef tb_status (*tb_allocate_function)(void *arg, size_t bytes, tb_buffer **out);
/* An allocator that asks fn(arg, ...) for each buffer; arg must last until drop is called. */
TB_API tb_status tb_allocator_from(tb_allocate_function fn, void *arg, void (*drop)(void *), tb_allocator **out);
TB_API tb_allocator *tb_allocator_retain(tb_allocator *a); /* returns a, with one more reference */
TB_API void tb_allocator_release(tb_allocator *a); /* NULL is allowed; what has memory from it holds references */
TB_API void tb_allocator_set(tb_allocator *a);     /* for all threads that have none of their own; retained */
/* The calling thread's own, retained; NULL is the default pool. !on: it has none any more, and a does not count. */
TB_API void tb_allocator_use(bool on, tb_allocator *a);

/* Figures of a pool's memory on a device; what is pending is enqueued first, since results need memory. size:
 * sizeof *out. TB_ERR_VALUE: the allocator is no pool, here and below. */
TB_API tb_status tb_pool_statistics(tb_allocator *pool, int device, tb_pool_stats *out, size_t size);
/* Gives what is not in use back to the device: memory that s has given back, or all (NULL). */
TB_API tb_status tb_pool_free_all(tb_allocator *pool, int device, tb_stream *s);
/* What total_bytes may not exceed from here on, TB_ERR_MEMORY instead; 0: no limit. */
TB_API tb_status tb_pool_set_limit(tb_allocator *pool, int device, size_t bytes);

/* A hook is told of what pools do for the calling thread, before and after: memory asked of the device or the source
 * (ALLOC), handed out (MALLOC), given back (FREE). It is called as an allocator's function is, and not told of memory
 * that it takes itself. If it fails, so does the allocation; failures for FREE are ignored. */
typedef enum tb_memory_event_kind {
    TB_MEMORY_ALLOC,  /* the pool asks the device, or its source, for memory */
    TB_MEMORY_MALLOC, /* the pool hands memory out */
    TB_MEMORY_FREE    /* memory comes back to the pool */
} tb_memory_event_kind;
/* What a hook is told. */
typedef struct tb_memory_event {
    tb_memory_event_kind kind; /* what happens */
    bool after;                /* whether it has happened, or is about to */
    int device;                /* whose memory it is */
    size_t size, mem_size;     /* asked for, and rounded up */
    void *ptr;                 /* NULL before an allocation */
    uintptr_t id;              /* the same when a block is handed out and when it comes back */
} tb_memory_event;
/* arg is what was given with the hook; e is valid during the call. */
typedef tb_status (*tb_memory_hook)(void *arg, const tb_memory_event *e);
/* For the calling thread, in place of the one before; NULL: none. */
TB_API void tb_memory_hook_set(tb_memory_hook fn, void *arg);

/* Functions that run when a thread has to wait for the library's lock: `before` gives up what other threads may need
 * meanwhile, such as an interpreter's lock, and returns what `after` needs to get it back; the library's lock is not
 * held then. For a language whose threads call this library while they hold such a lock. */
TB_API void tb_lock_wait_functions(void *(*before)(void), void (*after)(void *));

/* How calls that take long can be given up: waits for work, for a compiler or for the library's lock, and user kernels
 * that run on the CPU. `asked` is called a few times a second by the thread that made the call, in the middle of it;
 * with anything but TB_OK the call fails with that, what the user kernel was to write is undefined, and user kernels on
 * streams that the call waited for end as well. It may run in a handler of SIGURG, but then only code of a kernel's is
 * interrupted, which holds no locks. A wait for the library's lock cannot fail: the kernel that runs with it
 * ends, the wait goes on, and `later` (may be NULL) is called so that the caller can fail afterwards. */
TB_API void tb_interrupt_functions(tb_status (*asked)(void), void (*later)(void));
/* Ends the user kernels that run on the CPU now, for whoever launched them: TB_ERR_INTERRUPTED. Returns when they have
 * ended. For programs that are about to exit. */
TB_API void tb_interrupt_all(void);

/* Hears of what works but is slower than it has to be, such as operands on another device, or products of matrices
 * without a fast BLAS. Called with the library's lock held: it must not use arrays. Anything but TB_OK makes the
 * operation fail. Until one is set, a line on the standard error stream says it. */
typedef tb_status (*tb_warning_function)(const char *message);
TB_API void tb_warning_function_set(tb_warning_function fn); /* NULL: nobody is told */

/* Counters since the start of the process, or since tb_counters_reset. */
typedef struct tb_counters {
    uint64_t launches;                            /* kernels enqueued (CPU: plans run) */
    uint64_t compiles;                            /* calls of the runtime compiler */
    uint64_t cache_hits_disk, cache_hits_shipped; /* kernels found in TOMBAC_CACHE_DIR, and among those of the build */
    uint64_t allocations;                         /* buffers given memory */
    uint64_t donations;                           /* outputs that took over an input's memory */
    uint64_t nodes;                               /* expression nodes made */
    uint64_t fused_nodes;                         /* nodes evaluated inside a kernel of two operations or more */
    uint64_t fused_kernels;                       /* kernels of two operations or more */
    uint64_t bytes_allocated;                     /* of the buffers that `allocations` counts */
    uint64_t recomputed_nodes;                    /* nodes that an earlier kernel had computed already */
    uint64_t compile_waits; /* times that a call waited for the runtime compiler, user kernels aside */
} tb_counters;
TB_API void tb_counters_get(tb_counters *out, size_t size); /* size: sizeof *out. Nothing is evaluated */
TB_API void tb_counters_reset(void);                        /* to zero, for all threads */

/* What the calling thread defers: TOMBAC_FUSION (0, 1, all) sets the start value. ON is what pays: an elementwise call
 * on a few KiB of host memory takes less time than the bookkeeping, and runs at once. */
typedef enum tb_fusion {
    TB_FUSION_OFF, /* nothing: each call computes its result. The numbers are the same */
    TB_FUSION_ON,  /* what pays */
    TB_FUSION_ALL  /* results of a few KiB too */
} tb_fusion;
TB_API tb_fusion tb_fusion_set(tb_fusion mode); /* returns the one before; other values than these change nothing */
TB_API tb_fusion tb_fusion_get(void);           /* what the calling thread defers */
/* Waits until every kernel that is being compiled in the background is ready. */
TB_API void tb_compile_wait(void);
/* Ends compiling in the background once what is under way is done; kernels are then compiled where they are needed. To
 * be called before a program exits: the compiler's own exit handlers may run before this library's. Python does. */
TB_API void tb_compile_stop(void);
#endif
