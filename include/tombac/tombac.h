/* tombac.h - the public C API of libtombac: NumPy-compatible arrays on GPU and CPU.
 *
 * Conventions
 *  - Every fallible function returns a tb_status. On failure it leaves its out-parameters untouched and sets the
 *    calling thread's error message (tb_error_message). Nothing aborts. Arguments that cannot be what they are, NULL
 *    among them, are TB_ERR_VALUE, and functions without a status ignore them; so a variable that a failed call was to
 *    write and that holds NULL may be passed on, and the message keeps the first failure.
 *  - Inputs are borrowed. An out-parameter is a variable for a new reference, which the caller gives back with
 *    tb_array_release; what it held is neither read nor released, and it is written last: to replace an array that a
 *    call reads, keep the old reference and release it afterwards. Functions that end in _into write to arrays of the
 *    caller's, which are borrowed like inputs, may be inputs, and are cast to by the rules of NumPy's out=.
 *  - Elementwise results are deferred: they exist as expressions until somebody needs the numbers. Shape, dtype and
 *    argument errors are reported by the call; only out-of-memory and device faults may come later.
 *  - Structures of arguments begin with their size, so that later versions may add members: initialise them with their
 *    TB_..._INIT, or with designators of which the first is the size. NULL stands for TB_..._INIT where args may be
 *    NULL. Where a function fills a structure, its size is a parameter.
 *  - Strides and offsets are in bytes, shapes and sizes in elements; all are 64-bit.
 *  - All functions may be called from any thread. The current device, stream and error are per thread.
 */
#ifndef TOMBAC_H
#define TOMBAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is part of the library's interface; everything else is hidden. */
#if defined(_WIN32)
#define TB_API __declspec(dllexport)
#else
#define TB_API __attribute__((visibility("default")))
#endif

/* The version of this header; tb_version() is that of the library that runs. What changes with which number is in the
 * manual, docs/c-api.md. */
#define TB_VERSION_MAJOR 0
#define TB_VERSION_MINOR 1 /* grows with what is added; before 1.0 also with what is changed */
#define TB_VERSION_PATCH 0 /* the header is the same for all of them */
#define TB_VERSION "0.1.0" /* the three, as tb_version() spells them */
/* To compare with: #if TB_VERSION_NUMBER >= TB_VERSION_MAKE(0, 2, 0). */
#define TB_VERSION_MAKE(major, minor, patch) ((major) * 1000000 + (minor) * 1000 + (patch))
#define TB_VERSION_NUMBER TB_VERSION_MAKE(TB_VERSION_MAJOR, TB_VERSION_MINOR, TB_VERSION_PATCH)
#define TB_MAXDIM 32 /* dimensions an array may have */
/* As an axis, which may be negative otherwise: all of them. What has an order is then that of the flattened array. */
#define TB_ALL_AXES (-2147483647 - 1)
#define TB_MAXARGS 5 /* operands of one elementwise function, outputs included */

/* ---- errors --------------------------------------------------------------------------------------------------- */

/* What became of a call; behind the arrow the exception that Python raises for it. tb_error_message says more. */
typedef enum tb_status {
    TB_OK = 0,       /* it did what it says; the message of an earlier failure stays */
    TB_ERR_VALUE,    /* an argument's value: shapes that do not match, a bad order   -> ValueError */
    TB_ERR_TYPE,     /* an argument's type: no loop for these dtypes, a refused cast  -> TypeError */
    TB_ERR_INDEX,    /* an index out of bounds                                        -> IndexError */
    TB_ERR_AXIS,     /* an axis out of bounds                                         -> AxisError */
    TB_ERR_OVERFLOW, /* a Python integer that the dtype cannot hold                   -> OverflowError */
    TB_ERR_MEMORY,   /* the device or the pool's limit is exhausted                   -> OutOfMemoryError */
    TB_ERR_DEVICE,   /* the driver reported a fault (tb_error_driver_code)            -> CUDARuntimeError */
    TB_ERR_LIBRARY,  /* a library is missing; the message names the package           -> ImportError */
    TB_ERR_COMPILE,  /* a kernel did not compile                                      -> CompileException */
    TB_ERR_CASTING,  /* a cast that the casting rule forbids                          -> UFuncTypeError/TypeError */
    TB_ERR_NOT_IMPLEMENTED, /* not by this backend                                    -> NotImplementedError */
    TB_ERR_INTERNAL,        /* a broken invariant: a bug in tombac */
    TB_ERR_CALLER,          /* a function of the caller's failed, which knows why                -> its own exception */
    TB_ERR_INTERRUPTED,     /* ended from outside; results are undefined                      -> KeyboardInterrupt */
    TB_ERR_WAIT,            /* the call would wait for a device: tb_waits_set     -> tombacx.DeviceSynchronized */
    TB_ERR_LINALG,          /* a matrix: not square, singular, no convergence             -> LinAlgError */
} tb_status;

/* Of the calling thread's last failure, "" before the first; never NULL. Only the next failure writes over it, so that
 * it means something after a call that failed. */
TB_API const char *tb_error_message(void);
/* CUresult of the last failure if that was TB_ERR_DEVICE, else 0. The CPU backend uses CUDA's numbers too. */
TB_API int tb_error_driver_code(void);
/* The axis and the dimensions there were: 1 if the last failure was TB_ERR_AXIS, else 0 and nothing is written. */
TB_API int tb_error_axis(int *axis, int *ndim);
/* Bytes asked for, in use by arrays, and held by the pool: 1 if the last failure was TB_ERR_MEMORY, else 0 and nothing
 * is written. All but the first are 0 where the host's memory was exhausted. */
TB_API int tb_error_memory(size_t *asked, size_t *used, size_t *held);

/* ---- dtypes --------------------------------------------------------------------------------------------------- */

/* What the elements of an array are. Numbers of an array are stored as the C type. */
typedef enum tb_dtype {
    TB_BOOL,                    /* uint8_t, 0 or 1 */
    TB_I8,                      /* int8_t */
    TB_U8,                      /* uint8_t */
    TB_I16,                     /* int16_t */
    TB_U16,                     /* uint16_t */
    TB_I32,                     /* int32_t */
    TB_U32,                     /* uint32_t */
    TB_I64,                     /* int64_t */
    TB_U64,                     /* uint64_t */
    TB_F16,                     /* IEEE binary16, in a uint16_t */
    TB_F32,                     /* float */
    TB_F64,                     /* double */
    TB_C64,                     /* two floats, real and imaginary: float _Complex */
    TB_C128,                    /* two doubles: double _Complex */
    TB_NDTYPE,                  /* dtypes with arithmetic; bfloat16 is to follow */
    TB_NODTYPE = 255,           /* none, or whatever follows from the rest of the arguments */
    TB_LAST_RECORD = 0x7fffffff /* from 256 to here: what tb_record_new gave */
} tb_dtype;

/* Classes of dtypes, in the order in which they are raised to each other. */
typedef enum tb_kind {
    TB_KIND_BOOL,    /* TB_BOOL */
    TB_KIND_INT,     /* signed and unsigned integers */
    TB_KIND_FLOAT,   /* TB_F16 to TB_F64 */
    TB_KIND_COMPLEX, /* TB_C64, TB_C128 */
    TB_KIND_RECORD   /* what tb_record_new gave: moved, not computed with */
} tb_kind;
/* Which casts are allowed, from few to all: NumPy's rules. */
typedef enum tb_casting {
    TB_CAST_NO,        /* none */
    TB_CAST_EQUIV,     /* none either: all arrays have the host's byte order */
    TB_CAST_SAFE,      /* those that keep every value, as NumPy counts it (int64 to float64 too) */
    TB_CAST_SAME_KIND, /* to another size too, and up: bool, unsigned, signed, float, complex */
    TB_CAST_UNSAFE     /* any: floats are cut to integers, imaginary parts dropped */
} tb_casting;

TB_API size_t tb_dtype_size(tb_dtype t);      /* bytes of an element; 0 for what is no dtype */
TB_API const char *tb_dtype_name(tb_dtype t); /* "float32"; "no dtype" for what is none. Never freed */
TB_API char tb_dtype_char(tb_dtype t);        /* NumPy's type character: 'f'; 0 for what is no dtype */
TB_API tb_kind tb_dtype_kind(tb_dtype t);     /* signed and unsigned integers are both TB_KIND_INT */
TB_API bool tb_dtype_is_unsigned(tb_dtype t); /* true for TB_U8 to TB_U64 alone, not for bool */
TB_API tb_dtype tb_dtype_real(tb_dtype t);    /* the dtype of a complex number's parts; t itself if t is real */
/* The smallest dtype that both cast to safely: int64 and uint64 make float64. TB_NODTYPE if one is no dtype. */
TB_API tb_dtype tb_promote(tb_dtype a, tb_dtype b);
/* Whether the rule allows the cast; false for what is no dtype or no rule. */
TB_API bool tb_can_cast(tb_dtype from, tb_dtype to, tb_casting rule);

/* Elements that are moved and compared, but not computed with. Each such dtype is described once and has a number from
 * then on, which goes wherever a dtype goes: to tb_empty, tb_full, tb_from_host, tb_view_dtype, tb_astype. Operations
 * that compute refuse it (TB_ERR_TYPE). Elements are moved as words of up to 16 bytes; where one takes several, arrays
 * whose elements are moved have at most TB_MAXDIM - 1 dimensions. */
typedef enum tb_record_kind {
    TB_RECORD_FIELDS, /* values side by side, each with a name */
    TB_RECORD_BYTES,  /* nothing is known about them */
    TB_RECORD_TIME    /* an int64_t that counts, of which the smallest is equal to none: NumPy's times */
} tb_record_kind;
/* A part of each element, which tb_array_field looks at. */
typedef struct tb_field {
    const char *name;     /* no other field of the record has it */
    tb_dtype dtype;       /* may be a record */
    int64_t offset;       /* in bytes, from the element's begin; fields may overlap */
    int ndim;             /* 0: one value */
    const int64_t *shape; /* ndim lengths; NULL will do for none */
} tb_field;
/* What the elements are. */
typedef struct tb_record {
    size_t struct_size;     /* sizeof(tb_record) */
    const char *name;       /* what tb_dtype_name says, and what tells apart records that are alike; may be NULL */
    tb_record_kind kind;    /* which of the rest count */
    int64_t size;           /* bytes of an element; 8 for a time */
    int nfield;             /* 0 but for TB_RECORD_FIELDS, which may have none either */
    const tb_field *fields; /* in their order */
} tb_record;
/* Nothing: set at least the size. */
#define TB_RECORD_INIT {sizeof(tb_record), NULL, TB_RECORD_BYTES, 0, 0, NULL}
#define TB_RECORDS_MAX (1 << 16) /* of a dtype that tb_record_new gave, t >> 8 is below this */
/* The dtype of such elements, the same one for the same description; what it needs is copied, and never freed. */
TB_API tb_status tb_record_new(const tb_record *record, tb_dtype *out);
/* What t is: size is sizeof(tb_record). Names, fields and shapes are borrowed, for ever. TB_ERR_TYPE for a number. */
TB_API tb_status tb_record_of(tb_dtype t, tb_record *out, size_t size);

/* One number. `weak` marks a Python bool/int/float/complex, whose dtype bends to the arrays it meets (NEP 50):
 * then dtype is TB_BOOL, TB_I64 (TB_U64 above 2^63-1), TB_F64 or TB_C128. */
typedef struct tb_scalar {
    tb_dtype dtype; /* which member of v holds the number */
    bool weak;      /* whether the dtype bends */
    union {
        int64_t i;  /* signed integers, bool */
        uint64_t u; /* unsigned integers */
        double f;   /* every float dtype, and the real part */
        struct {
            double re, im;
        } c; /* complex dtypes */
    } v;     /* the number, which the dtype must be able to hold */
} tb_scalar;

TB_API tb_scalar tb_scalar_int(int64_t v);  /* a weak integer: float32 + 1 is float32, int8 + 1 is int8 */
TB_API tb_scalar tb_scalar_float(double v); /* a weak float: float32 + 0.5 is float32, int8 + 0.5 is float64 */
TB_API tb_scalar tb_scalar_complex(double re, double im); /* weak: TB_C128 */
/* Converts s to dtype t, as NumPy's astype does; *out is not weak. TB_ERR_OVERFLOW if s is a weak integer that t cannot
 * hold. */
TB_API tb_status tb_scalar_cast(tb_scalar s, tb_dtype t, tb_scalar *out);
/* Result dtype of mixed arrays and scalars by NEP 50; NULL will do for none of a kind. TB_ERR_VALUE without either. */
TB_API tb_status tb_result_type(int ndtype, const tb_dtype *dtypes, int nscalar, const tb_scalar *scalars,
                                tb_dtype *out);

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

/* ---- arrays --------------------------------------------------------------------------------------------------- */

TB_API tb_array *tb_array_retain(tb_array *a); /* returns a, with one more reference */
/* NULL is allowed. Memory goes with the last array over it; what nobody can see any more is not computed. */
TB_API void tb_array_release(tb_array *a);
/* Releases what *variable holds (NULL is allowed) and puts `by`, a reference of the caller's, there: the end of
 * x = x + 1, where the sum was made in a variable of its own. */
TB_API void tb_array_replace(tb_array **variable, tb_array *by);
/* Releases n arrays, which may be NULL, and leaves NULL in their places: for what a function needs in between, kept in
 * an array or a structure of nothing else. */
TB_API void tb_array_release_all(int n, tb_array **arrays);

TB_API int tb_array_ndim(const tb_array *a);               /* from 0 to TB_MAXDIM */
TB_API const int64_t *tb_array_shape(const tb_array *a);   /* ndim lengths, which live as long as a */
TB_API const int64_t *tb_array_strides(const tb_array *a); /* ndim steps in bytes, which live as long as a */
TB_API int64_t tb_array_size(const tb_array *a);           /* elements */
TB_API tb_dtype tb_array_dtype(const tb_array *a);         /* TB_NODTYPE for NULL */
TB_API int tb_array_device(const tb_array *a);             /* whose memory it is in */
TB_API bool tb_array_is_c_contiguous(const tb_array *a);   /* without gaps, the last index fastest; both may be true */
TB_API bool tb_array_is_f_contiguous(const tb_array *a);   /* without gaps, the first index fastest */
/* Whether its memory is yet to be written by deferred work: false does not say that the device has done its part. */
TB_API bool tb_array_is_pending(const tb_array *a);
TB_API tb_buffer *tb_array_buffer(const tb_array *a); /* borrowed; lives as long as a */
TB_API int64_t tb_array_offset(const tb_array *a);    /* bytes from the buffer's start to the first element */
/* Where a's elements are, if the host may read them there and nothing is left to do first; NULL otherwise, and then
 * tb_array_get is the way. For reading at once: any other call may change the answer. */
TB_API const void *tb_array_peek(const tb_array *a);
/* Evaluates a and gives the address of its first element (device memory on CUDA), valid as long as its buffer. Work on
 * it may be on its way: synchronise before the host looks. From then on operations on this memory run at once. */
TB_API tb_status tb_array_data(tb_array *a, void **ptr);
/* As tb_array_data, for an address that somebody will go on reading and writing through without asking again (DLPack,
 * another library's array): until tb_array_unshare, operations on this memory run at once instead of being deferred. */
TB_API tb_status tb_array_share(tb_array *a, void **ptr);
TB_API void tb_array_unshare(tb_array *a); /* once for each tb_array_share */
/* Enqueues what a's numbers come from, and does not wait for it. What failed stays pending, and fails again. */
TB_API tb_status tb_array_eval(tb_array *a);

TB_API void tb_buffer_retain(tb_buffer *b);       /* one more reference */
TB_API void tb_buffer_release(tb_buffer *b);      /* NULL is allowed; arrays over it hold references */
TB_API size_t tb_buffer_size(const tb_buffer *b); /* bytes */
/* As tb_array_data: the address of its first byte. NULL for 0 bytes. */
TB_API tb_status tb_buffer_data(tb_buffer *b, void **ptr);
TB_API tb_status tb_buffer_new(size_t bytes, tb_buffer **out); /* on the current device, not cleared */
/* From the given allocator, whichever is current; NULL: the default pool. */
TB_API tb_status tb_buffer_new_in(tb_allocator *a, size_t bytes, tb_buffer **out);
/* No operation of the library writes to the memory from here on (TB_ERR_VALUE), through whatever array: for memory of
 * somebody who lets others read it only. Copies are arrays like any other. */
TB_API void tb_buffer_set_read_only(tb_buffer *b);
TB_API bool tb_array_is_writable(const tb_array *a);  /* false after tb_buffer_set_read_only */
TB_API bool tb_buffer_is_wrapped(const tb_buffer *b); /* made by tb_buffer_wrap */
/* Gives the memory back ahead of the last reference; what is pending on it is done before. Arrays over it must not be
 * used any more. Nothing happens to memory that is wrapped, or was given back. */
TB_API tb_status tb_buffer_free(tb_buffer *b);
TB_API tb_allocator *tb_buffer_allocator(const tb_buffer *b); /* borrowed; NULL: the default pool */
/* Memory owned by somebody else, on `device`: operations on it run at once. deleter(owner) is called when the last
 * reference goes (may be NULL), by the thread that drops it and without the library's lock; the device may not be done
 * with the memory yet. */
TB_API tb_status tb_buffer_wrap(void *ptr, size_t bytes, int device, void (*deleter)(void *), void *owner,
                                tb_buffer **out);

/* Not cleared. order: 'C' or 'F', of which 'K' and 'A' are 'C' where there is no prototype. shape: ndim lengths, here
 * and below; NULL will do for none. TB_ERR_VALUE for a negative length, or more elements than there can be. */
TB_API tb_status tb_empty(tb_dtype t, int ndim, const int64_t *shape, char order, tb_array **out);
/* Filled with the value, cast as by tb_scalar_cast; deferred. */
TB_API tb_status tb_full(tb_dtype t, int ndim, const int64_t *shape, char order, tb_scalar value, tb_array **out);
/* Not cleared, of proto's shape. t: TB_NODTYPE for proto's; order: 'K' keeps the order of its axes, 'A' is 'F' where
 * proto is in that order alone. */
TB_API tb_status tb_empty_like(const tb_array *proto, tb_dtype t, char order, tb_array **out);
/* start + step * i for i < n, computed in t; deferred. TB_ERR_OVERFLOW for a weak start that t cannot hold. */
TB_API tb_status tb_arange(tb_dtype t, tb_scalar start, tb_scalar step, int64_t n, tb_array **out);
/* n numbers from start to stop, evenly spaced, the last one exactly `stop` if `endpoint`. Computed in double precision;
 * an integer t rounds down. Deferred. */
TB_API tb_status tb_linspace(tb_dtype t, tb_scalar start, tb_scalar stop, int64_t n, bool endpoint, tb_array **out);
/* Ones on the k-th diagonal (above the main one where k > 0), zeros elsewhere; deferred. */
TB_API tb_status tb_eye(tb_dtype t, int64_t rows, int64_t cols, int64_t k, char order, tb_array **out);
/* Ones at and below the k-th diagonal, zeros elsewhere, in C order; deferred. */
TB_API tb_status tb_tri(tb_dtype t, int64_t rows, int64_t cols, int64_t k, tb_array **out);
/* A view of b's memory; strides NULL means C order. TB_ERR_VALUE if it leaves the buffer, or elements would not be
 * aligned. */
TB_API tb_status tb_array_on_buffer(tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                                    const int64_t *strides, tb_array **out);

/* Host memory of dtype t, with strides in bytes (NULL: C order), to a new array of that shape; the call reads it before
 * it returns. order: of the new array, 'K' and 'A' after the strides. Host memory of no elements may be NULL. */
TB_API tb_status tb_from_host(const void *host, tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides,
                              char order, tb_array **out);
/* Writes host memory of a's shape and dtype, with strides in bytes (NULL: C order), to a. s: NULL is the current stream
 * of a's device. `blocking`: when it returns the host memory may be reused; else when s is synchronised. */
TB_API tb_status tb_array_set(tb_array *a, const void *host, const int64_t *strides, tb_stream *s, bool blocking);
/* Evaluates a and writes its elements to host memory, which has room for them: as tb_array_set the other way round.
 * Failures of deferred work come here. `blocking`: when it returns the numbers are there. */
TB_API tb_status tb_array_get(tb_array *a, void *host, const int64_t *strides, tb_stream *s, bool blocking);

/* Views: new arrays over the same memory, pending or not. One length may be -1: what the others leave. order: 'C', 'F'
 * or 'A', in which the elements are counted. Where no strides do it is a copy, and *copied (may be NULL) is true. */
TB_API tb_status tb_reshape(tb_array *a, int ndim, const int64_t *shape, char order, bool *copied, tb_array **out);
/* Axis d of the result is axes[d] of a, which may be negative; each has its turn. NULL: in reverse. */
TB_API tb_status tb_transpose(tb_array *a, const int *axes, tb_array **out);
/* A view that repeats what has length 1, by strides of 0; TB_ERR_VALUE where the shapes do not allow it. */
TB_API tb_status tb_broadcast_to(tb_array *a, int ndim, const int64_t *shape, tb_array **out);
/* The same bytes as another dtype. One of another size changes the last axis, which must be contiguous then. */
TB_API tb_status tb_view_dtype(tb_array *a, tb_dtype t, tb_array **out);
/* A view of a field of each element, with the field's dimensions behind those of a. TB_ERR_VALUE where there is no such
 * field, or it is a number that is not aligned: tb_astype to a record where it is will do. */
TB_API tb_status tb_array_field(tb_array *a, const char *name, tb_array **out);
/* A view of the real or imaginary parts; TB_ERR_TYPE for an array that is not complex. */
TB_API tb_status tb_real_imag(tb_array *a, bool imag, tb_array **out);
/* Any view inside a's own buffer; strides and offset (from a's first element) in bytes, checked. */
TB_API tb_status tb_as_strided(tb_array *a, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset,
                               tb_array **out);

/* What an item of a key is: a[1, 2:5, None, ..., i] has five of them. */
typedef enum tb_index_kind {
    TB_INDEX_INT,      /* one position, in start; the axis goes */
    TB_INDEX_SLICE,    /* start:stop:step of an axis */
    TB_INDEX_NEWAXIS,  /* a new axis of length 1 */
    TB_INDEX_ELLIPSIS, /* all axes that the other items leave, once in a key */
    TB_INDEX_BOOL,     /* a truth value, in start */
    TB_INDEX_ARRAY     /* integers, which wrap around when out of range, or a mask */
} tb_index_kind;
/* An item of a key. Axes for which a key has no item are kept whole. */
typedef struct tb_index {
    tb_index_kind kind;        /* which of the members below count */
    int64_t start, stop, step; /* an integer index is in start; negative ones count from the end */
    tb_array *array;           /* of TB_INDEX_ARRAY; borrowed */
    bool has_start, has_stop;  /* slices: absent bounds take Python's defaults; step is never 0 */
} tb_index;
/* a[key] by NumPy's rules: a view, but with arrays or truth values in the key a copy. Masks are counted, for which the
 * call waits. TB_ERR_INDEX for integers out of bounds, too many items, masks of another shape. */
TB_API tb_status tb_array_index(tb_array *a, int n, const tb_index *index, tb_array **out);
/* Whether elements of index arrays that are out of range are errors of the calling thread (TB_ERR_INDEX) rather than
 * wrap around; TOMBAC_STRICT_INDICES (0, 1) sets the start value. Each index array is looked over, and waited for. */
TB_API bool tb_strict_indices_set(bool on); /* returns what it was before */
TB_API bool tb_strict_indices_get(void);    /* what the calling thread has chosen */

/* dst[...] = src with broadcasting and `casting`; overlapping memory is handled as if src were copied first. May be
 * deferred. */
TB_API tb_status tb_assign(tb_array *dst, tb_array *src, tb_casting casting);
/* The same for n of them, none of which may write what another reads or writes: one kernel where shapes are the
 * same. */
TB_API tb_status tb_assign_all(int n, tb_array *const *dst, tb_array *const *src, tb_casting casting);
/* dst[...] = value, cast as by tb_scalar_cast. */
TB_API tb_status tb_assign_scalar(tb_array *dst, tb_scalar value);
/* An array or a number; its members are below, with the functions that take it. */
typedef struct tb_operand tb_operand;
/* a[key] = value, with broadcasting and any cast. Of several values for one element the last one stays; on a GPU, some
 * one of them. */
TB_API tb_status tb_array_index_set(tb_array *a, int n, const tb_index *index, const tb_operand *value);
/* dst[...] = value where the bool array mask, which broadcasts to dst, is true; values are cast whatever they are. */
TB_API tb_status tb_assign_where(tb_array *dst, tb_array *mask, const tb_operand *value);
/* The indices of the elements that are not zero, in C order: an int64 array for each axis, so out has room for ndim of
 * them. Waits. */
TB_API tb_status tb_nonzero(tb_array *a, tb_array **out);
/* The same as one array, with a row for each element. */
TB_API tb_status tb_argwhere(tb_array *a, tb_array **out);
/* In memory of its own, on the current device; deferred. order: as tb_empty_like. */
TB_API tb_status tb_copy(tb_array *a, char order, tb_array **out);
/* As t, by a cast that `casting` allows (TB_ERR_CASTING); deferred. With !copy *out is a itself, one more reference,
 * where dtype and order are right already. */
TB_API tb_status tb_astype(tb_array *a, tb_dtype t, char order, tb_casting casting, bool copy, tb_array **out);
/* Whether a write to one could change the other, by the bounds of their memory: true may be wrong, false is not. */
TB_API bool tb_may_share_memory(const tb_array *a, const tb_array *b);
/* Whether elements of a and b, which are broadcast, are equal: a bool array. Records are if each field of the same name
 * and place is, and all of its values; bytes if all are. TB_ERR_TYPE for others, or where the two have not as many. */
TB_API tb_status tb_record_equal(tb_array *a, tb_array *b, tb_array **out);

/* ---- elementwise functions ------------------------------------------------------------------------------------ */

/* What a function computes with: an array or one number. It says which, so that an array that could not be made is not
 * taken for a number, and one that is zeroed is an error. */
typedef enum tb_operand_kind {
    TB_OPERAND_NONE,  /* nothing, which no function takes */
    TB_OPERAND_ARRAY, /* the array, which is not NULL */
    TB_OPERAND_SCALAR /* the scalar; array is NULL */
} tb_operand_kind;
/* Made by the functions below, or written down; it borrows the array. */
struct tb_operand {
    tb_operand_kind kind; /* which of the two it is */
    tb_array *array;      /* borrowed */
    tb_scalar scalar;     /* a number, weak or of a dtype */
};

TB_API tb_operand tb_operand_array(tb_array *a);  /* a, which may be NULL: what it is given to fails then */
TB_API tb_operand tb_operand_scalar(tb_scalar s); /* s */
TB_API tb_operand tb_operand_int(int64_t v);      /* a weak integer */
TB_API tb_operand tb_operand_float(double v);     /* a weak float */

/* How an elementwise function is called. */
typedef struct tb_ufunc_args {
    size_t struct_size; /* sizeof(tb_ufunc_args) */
    tb_dtype dtype;     /* loop dtype; TB_NODTYPE: the operands decide */
    tb_casting casting; /* what operands and results may be cast by */
    char order;         /* 'K', 'C', 'F', 'A': of new arrays */
    tb_array *where;    /* bool mask; NULL: everywhere. New arrays hold anything where it is false */
} tb_ufunc_args;
/* What NULL stands for, as of the other TB_..._INIT below. */
#define TB_UFUNC_ARGS_INIT {sizeof(tb_ufunc_args), TB_NODTYPE, TB_CAST_SAME_KIND, 'K', NULL}

TB_API const tb_ufunc *tb_ufunc_find(const char *name); /* by NumPy's name, aliases too; NULL if there is none */
TB_API int tb_ufunc_count(void);                        /* how many there are, aliases aside */
TB_API const tb_ufunc *tb_ufunc_at(int i);              /* one of them; NULL if i is out of range */
TB_API const char *tb_ufunc_name(const tb_ufunc *u);    /* constant */
TB_API const char *tb_ufunc_doc(const tb_ufunc *u);     /* what it does, in a sentence or two; constant */
TB_API int tb_ufunc_nin(const tb_ufunc *u);             /* operands: 1 to 3 */
TB_API int tb_ufunc_nout(const tb_ufunc *u);            /* results: 1 or 2 */
TB_API int tb_ufunc_ntypes(const tb_ufunc *u);          /* loops as NumPy counts them */
/* "ff->f": the dtypes of a loop by tb_dtype_char, in the order of the search; NULL if i is out of range. */
TB_API const char *tb_ufunc_type(const tb_ufunc *u, int i);
/* in: tb_ufunc_nin operands; out: tb_ufunc_nout new arrays, deferred, on the current device. args may be NULL.
 * TB_ERR_TYPE: no loop takes the dtypes; TB_ERR_VALUE: shapes do not broadcast; TB_ERR_OVERFLOW: a weak integer does
 * not fit; TB_ERR_CASTING: args->casting forbids a cast. */
TB_API tb_status tb_ufunc_call(const tb_ufunc *u, const tb_operand *in, tb_array **out, const tb_ufunc_args *args);
/* Result k goes to into[k], or where that is NULL to a new array in rest[k]; rest may be NULL if none is. */
TB_API tb_status tb_ufunc_into(const tb_ufunc *u, const tb_operand *in, tb_array *const *into, tb_array **rest,
                               const tb_ufunc_args *args);
/* a[key] = u(a[key], value) in place, where an element that the key names twice is updated twice. u has one input, and
 * value is NULL, or two. The loop is that for both dtypes, where weak numbers are int64, float64 or complex128, and its
 * results are cast to a's dtype whatever they are, as by NumPy's ufunc.at. */
TB_API tb_status tb_ufunc_update(const tb_ufunc *u, tb_array *a, int n, const tb_index *index, const tb_operand *value);
/* x where the condition is not zero and y elsewhere, broadcast; dtype by promotion of x and y. Deferred. */
TB_API tb_status tb_where(const tb_operand *cond, const tb_operand *x, const tb_operand *y, tb_array **out);

/* ---- reductions, scans ---------------------------------------------------------------------------------------- */

/* TB_RED_SUM and so on: the rows of tombac/reductions.def. */
typedef enum tb_reduction {
#define TB_REDUCTION(NAME, ...) TB_RED_##NAME,
#include "tombac/reductions.def"
    TB_RED_COUNT /* how many there are */
} tb_reduction;

/* What of an array is reduced, and how. */
typedef struct tb_reduce_args {
    size_t struct_size;  /* sizeof(tb_reduce_args) */
    int naxis;           /* how many axes are reduced; -1: all of them */
    int axis[TB_MAXDIM]; /* which, counted from the end where negative */
    bool keepdims;       /* reduced axes stay, with length 1 */
    tb_dtype dtype;      /* of the result; TB_NODTYPE: NumPy's default */
    double ddof;         /* var and std: what is subtracted from the count */
    bool has_initial;    /* whether there is a number to begin with */
    tb_scalar initial;   /* that number */
} tb_reduce_args;
/* Everything, to one number. */
#define TB_REDUCE_ARGS_INIT {sizeof(tb_reduce_args), -1, {0}, false, TB_NODTYPE, 0, false, {TB_BOOL, false, {0}}}

/* The reduction that u.reduce is; TB_RED_COUNT: there is none. */
TB_API tb_reduction tb_ufunc_reduction(const tb_ufunc *u);
/* NULL as args: everything, to one number of NumPy's default dtype (narrow integers are summed in 64 bits). Enqueued at
 * the call, with what is pending on a as part of its kernel. TB_ERR_VALUE for no elements where that has no result,
 * TB_ERR_AXIS, TB_ERR_TYPE for an initial value or several axes where there can be none. */
TB_API tb_status tb_reduce(tb_reduction op, tb_array *a, const tb_reduce_args *args, tb_array **out);
/* The same to an array of the result's shape, cast to its dtype. */
TB_API tb_status tb_reduce_into(tb_reduction op, tb_array *a, const tb_reduce_args *args, tb_array *into);
/* Running results along axis of a reduction that is a function of two elements (sums, products, extremes, any, all,
 * bits); TB_ALL_AXES: of the flattened array. TB_ERR_VALUE for the others. */
TB_API tb_status tb_scan(tb_reduction op, tb_array *a, int axis, tb_dtype dtype, tb_array **out);
/* The same to an array of the result's shape, cast to its dtype. */
TB_API tb_status tb_scan_into(tb_reduction op, tb_array *a, int axis, tb_dtype dtype, tb_array *into);
/* The same reductions of slices of an axis: element i of the result is that of a[starts[i]:starts[i + 1]] (of the last
 * slice: to the end), or a[starts[i]] where this slice is empty. starts: a vector of integers; TB_ERR_INDEX where one
 * is no position. TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_reduceat(tb_reduction op, tb_array *a, tb_array *starts, int axis, tb_dtype dtype, tb_array **out);
/* The same to an array of the result's shape, cast to its dtype. */
TB_API tb_status tb_reduceat_into(tb_reduction op, tb_array *a, tb_array *starts, int axis, tb_dtype dtype,
                                  tb_array *into);

/* ---- order ---------------------------------------------------------------------------------------------------- */

/* a's elements in order along an axis (TB_ALL_AXES: of the flattened array), smallest first: NaN last, complex numbers
 * by their real parts, then by their imaginary ones. TB_ERR_AXIS for an array without dimensions. */
TB_API tb_status tb_sort(tb_array *a, int axis, tb_array **out);
/* The same in the array `into` of a's shape and dtype, which may be a. */
TB_API tb_status tb_sort_into(tb_array *a, int axis, tb_array *into);
/* The positions along the axis that put the elements in order, as int64; equal elements stay in theirs. */
TB_API tb_status tb_argsort(tb_array *a, int axis, tb_array **out);

/* The positions along an axis that put elements in order by n keys of one shape: by the last key, where that is equal
 * by the one before it, and so on; where all are, they stay. As int64. TB_ERR_NOT_IMPLEMENTED where the device is not
 * the host. */
TB_API tb_status tb_lexsort(int n, tb_array *const *keys, int axis, tb_array **out);

/* a's elements along an axis, of which those at the n positions of kth are where tb_sort would put them; before such
 * a position there is nothing larger, behind it nothing smaller. Negative positions count from the end; TB_ERR_VALUE
 * for one that the axis does not have. */
TB_API tb_status tb_partition(tb_array *a, int n, const int64_t *kth, int axis, tb_array **out);
/* The same in the array `into` of a's shape and dtype, which may be a. */
TB_API tb_status tb_partition_into(tb_array *a, int n, const int64_t *kth, int axis, tb_array *into);
/* The positions along the axis that partition a, as int64. */
TB_API tb_status tb_argpartition(tb_array *a, int n, const int64_t *kth, int axis, tb_array **out);
/* The elements alone that tb_sort would put at the n positions of kth along an axis, in the order in which kth names
 * them: the axis has the length n in the result. */
TB_API tb_status tb_order_statistics(tb_array *a, int n, const int64_t *kth, int axis, tb_array **out);

/* For each of the values how many elements of the vector `sorted` come before it, or with `right` come before it or are
 * equal to it, as int64 in the values' shape: where it belongs. Both are compared as their common dtype, in tb_sort's
 * order. `sorted` is not looked over: if it is not in order the results are some numbers from 0 to its size. */
TB_API tb_status tb_searchsorted(tb_array *sorted, tb_array *values, bool right, tb_array **out);

/* The piecewise linear function through the points (xp, fp), vectors of one length with xp in order, at each of x,
 * all real: float64 in x's shape. *left and *right are the results before the first point and behind the last one;
 * NULL: the value there. It is NaN where x is, unless there is one point only. */
TB_API tb_status tb_interp(tb_array *x, tb_array *xp, tb_array *fp, const double *left, const double *right,
                           tb_array **out);

/* The connected objects of an array: elements that are not zero and neighbours of one another. `connected` says which
 * of the elements of a box about one, 3 along each axis, are its neighbours: 3^ndim truth values in C order, the same
 * counted from either end. Labels are 0 outside of objects, which have the numbers from 1 on in the order of their
 * first elements; of int32, or of int64 for 2^31 elements and more. *count is how many there are. Waits for it.
 * TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_label(tb_array *a, const bool *connected, tb_array **labels, int64_t *count);
/* The box around the elements of each label 1 to n of an array of integers, as int64 of shape (n, ndim, 2): the first
 * index along each axis, and one more than the last; INT64_MAX and 0 for labels that are nowhere.
 * TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_label_boxes(tb_array *labels, int64_t n, tb_array **out);
/* The lower envelope of parabolas along an axis: for each i the least a[j] + (step * (i - j))^2, as float64, and unless
 * `nearest` is NULL that j, as int64. What is 1e300 or more stands for no parabola, and is the result where there is
 * none. Of squared distances so far it makes those by way of one more axis. TB_ERR_NOT_IMPLEMENTED where the device
 * is not the host. */
TB_API tb_status tb_least_parabolas(tb_array *a, int axis, double step, tb_array **least, tb_array **nearest);

/* How an image a b c d goes on beyond its edges. */
typedef enum tb_spline_edge {
    TB_SPLINE_MIRROR,  /* d c b | a b c d | c b a */
    TB_SPLINE_REFLECT, /* d c b a | a b c d | d c b a */
    TB_SPLINE_WRAP,    /* a b c d | a b c d | a b c d */
    TB_SPLINE_NEAREST, /* a a a | a b c d | d d d */
    TB_SPLINE_CONSTANT /* with one number */
} tb_spline_edge;
/* Sums of B-splines of an order from 0 to 5, whose coefficients are the elements of the last naxis axes, up to 8, of an
 * image, at points: at has an array of coordinates for each of these axes, all of one shape. float64, with the image's
 * other dimensions before those of the coordinates; NaN where one is. TB_ERR_VALUE for coefficients of no elements,
 * TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_spline_at(tb_array *image, int order, tb_spline_edge edge, double cval, int naxis,
                              tb_array *const *at, tb_array **out);

/* Functions in pieces: what the coefficients belong to. */
typedef enum tb_piece_form {
    TB_PIECE_POWERS, /* powers of the distance from where a piece begins: c[order][piece], the highest first */
    TB_PIECE_LINES,  /* lines between points: c[i] is the value at x[i] */
    TB_PIECE_SPLINE  /* B-splines of a degree over the knots x: c[i] is that of the i-th */
} tb_piece_form;
/* What such a function is before its first breakpoint and behind its last one. */
typedef enum tb_piece_outside {
    TB_PIECE_GOES_ON, /* what the first or the last piece is */
    TB_PIECE_NAN,     /* NaN */
    TB_PIECE_REPEATS  /* what is inside, repeated */
} tb_piece_outside;
/* A function in pieces, or its derivative nu (lines have none but themselves), at real points: float64, or complex128
 * where c is complex, in the points' shape with the other dimensions of c behind. x is a real vector of breakpoints,
 * at least two, in ascending order, that of TB_PIECE_POWERS in ascending or descending order; it is not looked over: if
 * it is not in order the results are some numbers. The degree, of TB_PIECE_SPLINE alone, is 99 at most; a spline begins
 * at x[degree] and ends at the knot with as many behind it. NaN where a point is. */
TB_API tb_status tb_pieces_at(tb_array *x, tb_array *c, tb_piece_form form, int degree, tb_array *points, int nu,
                              tb_piece_outside outside, tb_array **out);

/* The cubic spline through points, whose second derivative has no jumps, as coefficients of TB_PIECE_POWERS over x: x a
 * real vector that ascends, y as long along its first axis, real or complex, both finite. At either end there is one
 * piece for the first, or last, two (order 0), or the derivative of order 1 or 2 is a number. Two points without a
 * condition have a line, three a parabola. Computed on the host, which waits for the points. */
TB_API tb_status tb_cubic_spline(tb_array *x, tb_array *y, int first_order, double first_value, int last_order,
                                 double last_value, tb_array **c);
/* The spline of a degree from 1 to 9 through points, as those of tb_cubic_spline: its knots and its coefficients. Knots
 * are given, as many as there are points and the degree and one more, or chosen where `given` is NULL: points, of even
 * degree halfway between them, but for those that are nearest to the ends. Computed on the host, which waits for the
 * points. TB_ERR_VALUE where knots do not fit the points. */
TB_API tb_status tb_spline_through(tb_array *x, tb_array *y, int degree, tb_array *given, tb_array **t, tb_array **c);

/* What is between two vectors. */
typedef enum tb_metric {
    TB_METRIC_SQEUCLIDEAN, /* the sum of squared differences, */
    TB_METRIC_EUCLIDEAN,   /* and its root */
    TB_METRIC_CITYBLOCK,   /* the sum of absolute differences */
    TB_METRIC_CHEBYSHEV,   /* the largest of them */
    TB_METRIC_MINKOWSKI,   /* the sum of their powers p, to 1 / p */
    TB_METRIC_HAMMING,     /* the share of elements that differ */
    TB_METRIC_CANBERRA     /* the sum of absolute differences by sums of absolute values, 0 / 0 being 0 */
} tb_metric;
/* The distances of each row of a matrix from each of another, both of float32 or both of float64, or where b is NULL of
 * each pair of a's rows, (0, 1), (0, 2), ..., once. Computed in that dtype. TB_ERR_NOT_IMPLEMENTED where the device is
 * the host, on which the same is a reduction of expressions. */
TB_API tb_status tb_distances(tb_array *a, tb_array *b, tb_metric metric, double p, tb_array **out);
/* A tree of boxes over points, in which neighbours are found. The arrays are the caller's to release. */
typedef struct tb_tree {
    tb_array *points; /* float64 of shape (points, dimensions), in the order of the tree */
    tb_array *order;  /* int64: the number of each */
    tb_array *boxes;  /* float64 of shape (nodes, 2, dimensions) */
} tb_tree;
/* The tree of a real array of shape (points, dimensions), of finite numbers. */
TB_API tb_status tb_tree_make(tb_array *points, tb_tree *out);
/* The k nearest points of each row of x, a real array of shape (m, dimensions) of finite numbers, that are nearer than
 * `bound`: distances in order, as float64 of shape (m, k), and their numbers as int64; infinity and the number of all
 * points where there are not so many. Distances are Minkowski's of p, from 1 to infinity. Axes may be periodic:
 * `periods` is NULL, or a vector with the period of each axis, or 0, and coordinates of the points and of x lie between
 * 0 and it. */
TB_API tb_status tb_tree_nearest(const tb_tree *tree, tb_array *x, int64_t k, double p, double bound, tb_array *periods,
                                 tb_array **distances, tb_array **numbers);
/* How many points are no further from each row of x than radii says, a vector; or with `starts` (or NULL), a vector of
 * m + 1 running sums of these counts that begins with 0, the numbers of those points, in any order within a row. As
 * int64. Waits for it if `starts` is given. */
TB_API tb_status tb_tree_within(const tb_tree *tree, tb_array *x, tb_array *radii, double p, tb_array *periods,
                                tb_array *starts, tb_array **out);
/* What a filter makes of the elements of a window. */
typedef enum tb_window_kind {
    TB_WINDOW_SUM,      /* the sum of their products with weights, in the order of the places */
    TB_WINDOW_MIRRORED, /* the same; places follow one another along an axis, an odd number of them, and weights are the
                         * same from either end: the middle first, then sums of pairs from the ends on */
    TB_WINDOW_OPPOSED,  /* weights from behind have the other sign: differences of pairs */
    TB_WINDOW_MEAN,     /* places follow one another along an axis */
    TB_WINDOW_LEAST,    /* the least element, of sums with weights if there are any; NaN if one is */
    TB_WINDOW_GREATEST, /* the greatest one */
    TB_WINDOW_RANK      /* that of a rank; NaN has none */
} tb_window_kind;
/* Which elements belong to an element's window, and what is made of them. */
typedef struct tb_window {
    tb_window_kind kind;        /* what is made of them */
    int64_t nplace;             /* how many; at least 1 */
    const int64_t *place;       /* (nplace, ndim): how far they are from it along each axis */
    const double *weights;      /* nplace, or as many pairs where complex128 is computed; NULL: none, for other kinds
                                * than sums */
    int64_t rank;               /* of TB_WINDOW_RANK: from 0 for the least to nplace - 1 */
    const tb_spline_edge *edge; /* how the array goes on along each axis */
    tb_scalar beyond;           /* what is beyond constant edges */
} tb_window;
/* A filter: an array of x's shape and of dtype t of what is made of each element's window, computed in dtype `work`:
 * TB_F64 or TB_C128 for sums and means, else x's dtype or TB_F64. One kernel, at the call; x may lie in memory in any
 * order. TB_ERR_VALUE for a window or a rank that cannot be, TB_ERR_NOT_IMPLEMENTED where the device is the host, or a
 * window has no room in a multiprocessor's shared memory. */
TB_API tb_status tb_window_filter(tb_array *x, const tb_window *window, tb_dtype work, tb_dtype t, tb_array **out);
/* What an image is beyond its edges, by the names of scipy.ndimage. */
typedef enum tb_spline_mode {
    TB_SPLINE_AT_CONSTANT,      /* one number; splines near an edge are of mirrored elements */
    TB_SPLINE_AT_GRID_CONSTANT, /* splines of elements that are one number */
    TB_SPLINE_AT_NEAREST,       /* the element at the edge */
    TB_SPLINE_AT_MIRROR,        /* d c b | a b c d | c b a */
    TB_SPLINE_AT_REFLECT,       /* d c b a | a b c d | d c b a */
    TB_SPLINE_AT_WRAP,          /* b c d | a b c d | b c d: the first and the last element are one */
    TB_SPLINE_AT_GRID_WRAP      /* a b c d | a b c d | a b c d */
} tb_spline_mode;
/* Sums of B-splines of an order from 0 to 5, whose coefficients are the elements of the last naxis axes, up to 8, of a
 * real image, at the points of an affine map of the result's indices i in these axes, of which it has `shape`. Along
 * axis d the point is (i[d] + map[d][0]) * map[d][1] + map[d][2] if the map is diagonal, so that it has naxis rows of 3
 * numbers; else map[d][0] * i[0] + ... + map[d][naxis], which makes naxis + 1 numbers a row. The image has `margin`
 * more elements before each axis than are counted. A result of dtype float32 or float64. TB_ERR_NOT_IMPLEMENTED where
 * the device is the host. */
TB_API tb_status tb_spline_at_map(tb_array *image, int order, tb_spline_mode mode, double cval, double margin,
                                  int naxis, const int64_t *shape, bool diagonal, const double *map, tb_dtype dtype,
                                  tb_array **out);
/* Sums of exponentials along an axis of a real array: out[i] is the sum over poles, up to 2, of weight * sum over k of
 * pole^|k| a[i + k], in float64. Beyond its edges the array goes on by MIRROR, REFLECT or WRAP. Poles are between -0.6
 * and 0.6. TB_ERR_NOT_IMPLEMENTED where the device is the host. */
TB_API tb_status tb_two_sided_sums(tb_array *a, int axis, tb_spline_edge edge, int poles, const double *pole,
                                   const double *weight, tb_array **out);

/* How often each number from 0 on is among x, a vector of integers, as int64; or with weights (or NULL), a real vector
 * as long as x, what those of each number add up to, as float64. The result has minlength elements, or as many as the
 * largest number asks for. Waits for it. TB_ERR_VALUE for negative numbers. */
TB_API tb_status tb_bincount(tb_array *x, tb_array *weights, int64_t minlength, tb_array **out);

/* Which results of two vectors that slide past each other are asked for. */
typedef enum tb_overlap {
    TB_OVERLAP_FULL, /* all where they overlap */
    TB_OVERLAP_SAME, /* as many from their middle as the longer one has elements */
    TB_OVERLAP_VALID /* those where the shorter one lies within the longer one */
} tb_overlap;
/* The convolution of two vectors (or numbers): element i of the full one is the sum of a[j] * v[i - j]. The result has
 * the dtype that both are promoted to. TB_ERR_VALUE for more dimensions, or no elements. */
TB_API tb_status tb_convolve(tb_array *a, tb_array *v, tb_overlap mode, tb_array **out);
/* Their correlation: element i of the valid one is the sum of a[i + j] * conj(v[j]). */
TB_API tb_status tb_correlate(tb_array *a, tb_array *v, tb_overlap mode, tb_array **out);

/* A digital filter: sections that follow one another. Each makes of its input x
 * y[n] = (b[0] x[n] + ... + b[order] x[n - order] - a[1] y[n - 1] - ... - a[order] y[n - order]) / a[0]. */
typedef struct tb_filter {
    int sections;    /* at least 1 */
    int order;       /* of each section; at least 0 */
    bool is_complex; /* coefficients are pairs: a real and an imaginary part */
    const double *b; /* (sections, order + 1) coefficients, on the host */
    const double *a; /* as many; the first of a section must not be 0 */
} tb_filter;
/* x, filtered along an axis, from its first element to its last or backwards, computed in dtype t: TB_F32, TB_F64,
 * TB_C64 or TB_C128. zi: the states from which the sections begin, an array of x's shape with the order in place of the
 * axis, behind a first axis for the sections; NULL: zeros. zf: those in which they end; NULL: not wanted. The
 * form is direct form II transposed. Long rows are computed in blocks side by side where the filter's answer to what
 * came before them dies away; what of it is below 1e-30 is left out. TB_ERR_VALUE where a[0] is 0, or zi has another
 * shape. */
TB_API tb_status tb_recurrence(tb_array *x, int axis, tb_dtype t, const tb_filter *filter, bool backwards, tb_array *zi,
                               tb_array **y, tb_array **zf);

/* ---- Fourier transforms ---------------------------------------------------------------------------------------- */

/* What is transformed to what. */
typedef enum tb_fft_kind {
    TB_FFT_FORWARD,  /* complex numbers: element k is the sum of a[j] exp(-2 pi i j k / n) */
    TB_FFT_BACKWARD, /* the same with exp(2 pi i j k / n) */
    TB_FFT_REAL,     /* forward, of real numbers: along the last of the axes the first n / 2 + 1 elements */
    TB_FFT_HALF,     /* backward, to n real numbers, of these n / 2 + 1 */
} tb_fft_kind;

/* Which of two transforms that undo each other divides by the number of points. */
typedef enum tb_fft_norm {
    TB_FFT_NORM_BACKWARD, /* the backward one */
    TB_FFT_NORM_ORTHO,    /* both, by its square root */
    TB_FFT_NORM_FORWARD   /* the forward one */
} tb_fft_norm;

/* The discrete Fourier transform of a along naxis axes, the last of them first; one that is named twice is gone through
 * twice. length has the number of points along each, -1 for as many as there are: a is cut off there, or continued by
 * zeros. NULL: as many as there are, and 2 (m - 1) of m along the last axis of TB_FFT_HALF. float16, float32 and
 * complex64 are computed in float32, all else in float64. Enqueued at the call. TB_ERR_AXIS; TB_ERR_VALUE for fewer
 * than one point, or no axis for a kind that needs one; TB_ERR_TYPE for complex numbers as input of TB_FFT_REAL. */
TB_API tb_status tb_fft(tb_array *a, tb_fft_kind kind, tb_fft_norm norm, int naxis, const int *axis,
                        const int64_t *length, tb_array **out);
/* The same to an array of the result's shape; TB_ERR_CASTING if its dtype is of a lesser kind. */
TB_API tb_status tb_fft_into(tb_array *a, tb_fft_kind kind, tb_fft_norm norm, int naxis, const int *axis,
                             const int64_t *length, tb_array *into);

/* What the plans come to that the calling thread keeps for transforms on a device, the least recently used going first.
 * The CPU's library keeps its own, which do not count. */
typedef struct tb_fft_cache {
    int64_t most_plans, most_bytes; /* limits; -1: none */
    int64_t plans, bytes;           /* kept; bytes of work area that they ask for while they run */
    uint64_t hits, misses;          /* plans that were there, and that were made */
} tb_fft_cache;
/* The figures of `device`. */
TB_API tb_status tb_fft_cache_read(int device, tb_fft_cache *out);
/* Sets the limits of `device`; plans beyond them are dropped. TB_ERR_VALUE for numbers below -1. */
TB_API tb_status tb_fft_cache_limit(int device, int64_t most_plans, int64_t most_bytes);
/* Drops all plans of the calling thread for `device`, and its counts. */
TB_API tb_status tb_fft_cache_clear(int device);

/* One transform, as a library of the CPU backend is asked for it. Strides are in bytes. */
typedef struct tb_transform {
    tb_fft_kind kind;               /* what is transformed to what */
    tb_fft_norm norm;               /* and which direction is scaled */
    double scale;                   /* by what, if this is the one */
    bool wide;                      /* of float64 and complex128, else of float32 and complex64 */
    int ndim;                       /* dimensions of input and result, at least one, none of length 0 */
    int naxis;                      /* axes that are transformed, at least one */
    int axis[TB_MAXDIM];            /* each once; of real kinds the last is the one that is halved */
    int64_t points[TB_MAXDIM];      /* along each dimension: the larger of input and result */
    int64_t shape[TB_MAXDIM];       /* of the input */
    int64_t strides[TB_MAXDIM];     /* of the input, which may be negative or 0 */
    int64_t out_shape[TB_MAXDIM];   /* of the result */
    int64_t out_strides[TB_MAXDIM]; /* of room() */
    void *in;                       /* the input */
    bool spare;                     /* the input may be overwritten */
    int threads;                    /* how many are to be used at most */
    void *(*room)(
        struct tb_transform *t); /* memory for the result by out_strides; NULL: there is none, and why is set */
    void *owner;                 /* room's */
    /* Set by the library: where the result is. Memory of room(); or `in`, where that has the result's dtype, shape and
     * strides; or the library's own, in C order, which release(release_arg) gives back. */
    void *out;
    void (*release)(void *arg); /* NULL: it is not the library's */
    void *release_arg;          /* what release is called with */
    bool scaled;                /* the result has been multiplied by scale */
} tb_transform;

/* Makes a transform. */
typedef tb_status (*tb_fft_function)(void *arg, tb_transform *t);
/* Transforms for the CPU backend: fn(arg, t) makes them, with the library's lock held. The extension hands over
 * SciPy's; without it FFTW is looked for. NULL takes it back. */
TB_API void tb_provide_fft(tb_fft_function fn, void *arg);
TB_API bool tb_needs_fft(void); /* CPU backend in use and no function provided */

/* ---- linear algebra, random numbers --------------------------------------------------------------------------- */

/* NumPy's matmul: 1-d and stacked operands included, dtype by tb_promote. Operands are evaluated, and the product is
 * enqueued at the call. */
TB_API tb_status tb_matmul(tb_array *a, tb_array *b, tb_array **out);
/* The same to an array of the result's shape; TB_ERR_CASTING if its dtype is of a lesser kind. */
TB_API tb_status tb_matmul_into(tb_array *a, tb_array *b, tb_array *into);
/* BLAS for the CPU backend: find(arg, "sgemm") gives the address of that routine, with the Fortran interface and 32-bit
 * integers, or NULL. Nothing is taken unless all are there: gemm, gemv and syrk of s, d, c and z. The extension hands
 * over SciPy's; without it OpenBLAS, MKL, BLIS and others are looked for by their libraries' names, and tb_show_config
 * says which was taken. */
TB_API void tb_provide_blas(void *(*find)(void *arg, const char *name), void *arg);
TB_API bool tb_needs_blas(void); /* CPU backend in use and no tuned BLAS known yet */

/* Philox 4x32-10 streams: number i of a stream depends on (seed, offset + i) alone, so both backends agree. */
typedef enum tb_distribution {
    TB_RAND_UNIFORM,        /* [p0, p1) */
    TB_RAND_NORMAL,         /* mean p0, standard deviation p1 */
    TB_RAND_INTEGERS,       /* p0 <= x <= p1 (inclusive), any integer dtype or bool */
    TB_RAND_EXPONENTIAL,    /* scale p0 */
    TB_RAND_BITS,           /* raw 32 or 64 random bits */
    TB_RAND_GAMMA,          /* standard gamma of shape p0 */
    TB_RAND_LOG_GAMMA,      /* the logarithm of that, which shapes near 0 do not take out of range */
    TB_RAND_VONMISES,       /* angle around 0 with concentration p0 */
    TB_RAND_POISSON,        /* mean p0; like the others from here, of any dtype but complex ones */
    TB_RAND_BINOMIAL,       /* successes in p0 trials of probability p1 */
    TB_RAND_HYPERGEOMETRIC, /* good ones among p2 drawn from p0 good and p1 bad ones, none of them above 2^53 */
    TB_RAND_GEOMETRIC,      /* trials until the first success, of probability p0 */
    TB_RAND_LOGSERIES,      /* logarithmic series with p0 */
    TB_RAND_ZIPF,           /* exponent p0, above 1 */
    TB_RAND_ORDER,          /* the first of 0 ... p0 - 1 in random order, p0 a number; any integer dtype */
} tb_distribution;
/* Where a stream is; {seed, 0} is its beginning. */
typedef struct tb_rng {
    uint64_t seed;   /* which stream */
    uint64_t offset; /* where in it, in 128-bit Philox blocks; calls advance it */
} tb_rng;
/* An array of numbers, in C order of the stream; deferred. *rng is the caller's, who sees to it that one thread uses it
 * at a time. TB_ERR_TYPE for a dtype that the distribution does not have, TB_ERR_VALUE for a negative scale and for
 * bounds that the dtype cannot hold. p0 and p1 count where the distribution says so. */
TB_API tb_status tb_random(tb_rng *rng, tb_distribution d, tb_dtype t, tb_scalar p0, tb_scalar p1, int ndim,
                           const int64_t *shape, tb_array **out);
/* The same of all n parameters that the distribution has, which may be arrays from TB_RAND_GAMMA on. They broadcast to
 * the shape; with ndim -1 it is theirs. Parameters are not looked at: out of their range a point is NaN, or the least
 * int64 as dtype t has it. A count that exceeds an int64 is the largest. */
TB_API tb_status tb_random_of(tb_rng *rng, tb_distribution d, tb_dtype t, int n, const tb_operand *p, int ndim,
                              const int64_t *shape, tb_array **out);

/* ---- user kernels --------------------------------------------------------------------------------------------- */

typedef struct tb_module tb_module;     /* CUDA C++ compiled for one device, or loaded machine code */
typedef struct tb_function tb_function; /* a kernel of a module, which it keeps alive */

/* What a module is compiled from. */
typedef struct tb_module_source {
    size_t struct_size;             /* sizeof(tb_module_source) */
    const char *code;               /* CUDA C++ */
    const char *name;               /* what compiler messages call the source; NULL: "kernel.cu" */
    int noption;                    /* how many options */
    const char *const *options;     /* the compiler's, as NVRTC takes them */
    int nexpression;                /* how many expressions */
    const char *const *expressions; /* template instantiations wanted, such as "scale<float>" */
    bool nvcc;                      /* compile with the toolkit's nvcc instead of NVRTC; the CPU has one compiler */
    bool waits;                     /* every kernel begins with griddepcontrol.wait where __CUDA_ARCH__ >= 900, so
                                          that it may be launched before what precedes it in its stream has ended */
} tb_module_source;
/* No code: set at least that. */
#define TB_MODULE_SOURCE_INIT {sizeof(tb_module_source), NULL, NULL, 0, NULL, 0, NULL, false, false}

/* Compiles for the current device. The same source with the same options is compiled once in a process, and comes from
 * the disk cache after that. *log (may be NULL) receives the compiler's messages, "" if none; tb_free it, also on
 * failure. TB_ERR_COMPILE with the messages and the numbered source. */
TB_API tb_status tb_module_compile(const tb_module_source *source, char **log, tb_module **out);
/* Machine code (CUBIN, PTX, fatbin; on the CPU a shared library that tb_module_compile made), not a path. */
TB_API tb_status tb_module_load(const void *image, size_t size, tb_module **out);
TB_API tb_module *tb_module_retain(tb_module *m); /* returns m, with one more reference */
/* NULL is allowed. Of what tb_module_compile made the library keeps references of its own, to hundreds of modules. */
TB_API void tb_module_release(tb_module *m);
TB_API int tb_module_device(const tb_module *m);       /* the device that was current when it was made */
TB_API uintptr_t tb_module_handle(const tb_module *m); /* CUmodule; on the CPU the shared library's handle */
/* What one of the expressions is called in the machine code, borrowed from the module; NULL if there is none such. */
TB_API const char *tb_module_symbol(tb_module *m, const char *expression);
/* An extern "C" kernel by its name, or one of the expressions as it was given. TB_ERR_DEVICE if there is none. */
TB_API tb_status tb_module_function(tb_module *m, const char *name, tb_function **out);
/* A __device__ or __constant__ variable, in device memory. It lives as long as the module. */
TB_API tb_status tb_module_global(tb_module *m, const char *name, void **ptr, size_t *size);

TB_API tb_function *tb_function_retain(tb_function *f);     /* returns f, with one more reference */
TB_API void tb_function_release(tb_function *f);            /* NULL is allowed; it lets go of its module */
TB_API const char *tb_function_name(const tb_function *f);  /* as tb_module_function was given it; never freed */
TB_API tb_module *tb_function_module(const tb_function *f); /* borrowed */
TB_API uintptr_t tb_function_handle(const tb_function *f);  /* CUfunction as a number */
/* The number of parameters, and in *sizes (may be NULL) their sizes in bytes; -1 and NULL where that is not known. */
TB_API int tb_function_parameters(const tb_function *f, const size_t **sizes);
/* By CUfunction_attribute numbers; TB_ERR_DEVICE for others. */
TB_API tb_status tb_function_attribute(tb_function *f, int attribute, int *value);
/* Of those that can be set, such as 8: the most dynamic shared memory, in bytes. */
TB_API tb_status tb_function_set_attribute(tb_function *f, int attribute, int value);
/* Blocks of that size and dynamic shared memory that a multiprocessor runs at once. */
TB_API tb_status tb_function_occupancy(tb_function *f, int block, size_t shared, int *nblock);

/* One argument of a kernel. */
typedef struct tb_kernel_arg {
    tb_array *array;   /* the address of its first element is passed, evaluated first; NULL: the bytes */
    const void *bytes; /* an argument by value, copied by the call */
    size_t size;       /* of the bytes */
} tb_kernel_arg;

/* How many threads run a kernel, and what they share. */
typedef struct tb_launch_shape {
    size_t struct_size;         /* sizeof(tb_launch_shape) */
    uint32_t grid[3], block[3]; /* blocks of the grid, threads of a block */
    uint32_t shared;            /* bytes of dynamic shared memory */
    bool cooperative;           /* all blocks run at once, so that the grid can be synchronised */
} tb_launch_shape;
/* One thread. */
#define TB_LAUNCH_SHAPE_INIT {sizeof(tb_launch_shape), {1, 1, 1}, {1, 1, 1}, 0, false}

/* Enqueues f on s (NULL: the current stream), and does not wait: faults of the kernel show where s is waited for.
 * Deferred work on the arrays is enqueued first; so is all deferred work of the stream when an argument by value has
 * room for an address. TB_ERR_VALUE, TB_ERR_TYPE: not as many arguments, or not as large, as the kernel has. */
TB_API tb_status tb_function_launch(tb_function *f, const tb_launch_shape *shape, tb_stream *s, int narg,
                                    const tb_kernel_arg *args);

/* ---- runtime: host functions, graphs, and CUDA's run-time interface --------------------------------------------- */

/* Calls fn(arg) once everything given to the stream so far is done, on a thread of the library's; later work of the
 * stream waits for it. It must not call this library. `drop` (may be NULL) gets arg when it is not needed any more: on
 * the same thread after the call, or when the graph goes that the call was recorded into. */
TB_API tb_status tb_stream_host_func(tb_stream *s, void (*fn)(void *), void *arg, void (*drop)(void *));
/* Whether one has been given to some stream and is not done, or is part of a graph: whoever waits for a device then
 * must not hold what the function may need, such as an interpreter's lock. */
TB_API bool tb_host_func_pending(void);
/* New events behind what was given to any stream of any device and is not done yet: one for each such stream, *n of
 * them. With more than `room` nothing is made. Streams that are being captured are left out. */
TB_API tb_status tb_streams_outstanding(int room, tb_event **events, int *n);
/* Whether anything is deferred, on any device. */
TB_API bool tb_work_pending(void);

/* The calling thread's own stream of the current device, as CUDA's per-thread default stream is; borrowed. */
TB_API tb_status tb_stream_per_thread(tb_stream **out);
TB_API int tb_stream_flags(const tb_stream *s);    /* what it was made with */
TB_API int tb_stream_priority(const tb_stream *s); /* what it was made with */

typedef struct tb_graph tb_graph; /* recorded work, which can be launched many times */
/* mode: 0 global, 1 thread-local, 2 relaxed, as CUDA has it. Work on s is recorded and not run until the end; work on
 * streams that wait for an event of s as well. */
TB_API tb_status tb_stream_capture_begin(tb_stream *s, int mode);
/* Of the capture that began on s. TB_ERR_DEVICE, with CUDA's number of what is wrong, also if anything failed before;
 * the capture has ended in any case. */
TB_API tb_status tb_stream_capture_end(tb_stream *s, tb_graph **out);
/* 0 none, 1 active, 2 it has failed, and tb_stream_capture_end is yet to say so; the stream works as usual. */
TB_API int tb_stream_capture_status(tb_stream *s);
/* What has been recorded is thrown away, and the stream's work is run again. */
TB_API void tb_stream_capture_drop(tb_stream *s);
TB_API tb_graph *tb_graph_retain(tb_graph *g); /* returns g, with one more reference */
TB_API void tb_graph_release(tb_graph *g);     /* NULL is allowed */
/* All of the recorded work, with the addresses it was recorded with; the graph keeps that memory. s: NULL is the
 * current stream. What is pending on the device goes first. */
TB_API tb_status tb_graph_launch(tb_graph *g, tb_stream *s);
/* Makes the first launch quicker; NULL: the current stream. */
TB_API tb_status tb_graph_upload(tb_graph *g, tb_stream *s);
/* A drawing for Graphviz in a file; flags: CUgraphDebugDot_flags. */
TB_API tb_status tb_graph_dot(tb_graph *g, unsigned flags, const char *path);
TB_API uintptr_t tb_graph_handle(const tb_graph *g); /* CUgraph as a number */
TB_API uintptr_t tb_graph_exec(const tb_graph *g);   /* CUgraphExec as a number */
/* The argument (tb_stream_host_func) of the i-th function of the host that was recorded; false if there are no more. */
TB_API bool tb_graph_host_arg(const tb_graph *g, int i, void **arg);

/* Functions of CUDA's run-time interface that have no other place here: TB_RUNTIME_OP(name, inputs, outputs), all of
 * them 64-bit integers (addresses, handles, sizes, enumerations by CUDA's numbers) in the order of CUDA's parameters.
 * Addresses in brackets are of host memory that is read or written. */
#define TB_RUNTIME_OPS \
    TB_RUNTIME_OP(malloc, 1, 1) TB_RUNTIME_OP(mallocManaged, 2, 1) TB_RUNTIME_OP(mallocAsync, 2, 1) \
    TB_RUNTIME_OP(mallocFromPoolAsync, 3, 1) TB_RUNTIME_OP(hostAlloc, 2, 1) TB_RUNTIME_OP(hostRegister, 3, 0) \
    TB_RUNTIME_OP(hostUnregister, 1, 0) TB_RUNTIME_OP(free, 1, 0) TB_RUNTIME_OP(freeAsync, 2, 0) \
    TB_RUNTIME_OP(freeHost, 1, 0) \
    TB_RUNTIME_OP(memcpy, 4, 0) TB_RUNTIME_OP(memcpyAsync, 5, 0) TB_RUNTIME_OP(memcpyPeer, 5, 0) \
    TB_RUNTIME_OP(memcpyPeerAsync, 6, 0) TB_RUNTIME_OP(memset, 3, 0) TB_RUNTIME_OP(memsetAsync, 4, 0) \
    TB_RUNTIME_OP(memcpy2D, 7, 0) TB_RUNTIME_OP(memcpy2DAsync, 8, 0) \
    TB_RUNTIME_OP(memPrefetchAsync, 4, 0) TB_RUNTIME_OP(memAdvise, 4, 0) \
    TB_RUNTIME_OP(pointerGetAttributes, 1, 4) /* type, device, device pointer, host pointer */ \
    TB_RUNTIME_OP(deviceCanAccessPeer, 2, 1) TB_RUNTIME_OP(deviceEnablePeerAccess, 1, 0) \
    TB_RUNTIME_OP(deviceDisablePeerAccess, 1, 0) TB_RUNTIME_OP(deviceGetLimit, 1, 1) \
    TB_RUNTIME_OP(deviceSetLimit, 2, 0) TB_RUNTIME_OP(deviceGetPCIBusId, 3, 0) /* device, [text], its size */ \
    TB_RUNTIME_OP(deviceGetByPCIBusId, 1, 1) /* [text] */ \
    TB_RUNTIME_OP(deviceGetStreamPriorityRange, 0, 2) TB_RUNTIME_OP(driverGetVersion, 0, 1) \
    TB_RUNTIME_OP(runtimeGetVersion, 0, 1) TB_RUNTIME_OP(ctxGetCurrent, 0, 1) \
    TB_RUNTIME_OP(memPoolCreate, 5, 1) TB_RUNTIME_OP(memPoolDestroy, 1, 0) TB_RUNTIME_OP(memPoolTrimTo, 2, 0) \
    TB_RUNTIME_OP(memPoolGetAttribute, 2, 1) TB_RUNTIME_OP(memPoolSetAttribute, 3, 0) \
    TB_RUNTIME_OP(deviceGetDefaultMemPool, 1, 1) TB_RUNTIME_OP(deviceGetMemPool, 1, 1) \
    TB_RUNTIME_OP(deviceSetMemPool, 2, 0) \
    TB_RUNTIME_OP(ipcGetMemHandle, 2, 0) TB_RUNTIME_OP(ipcOpenMemHandle, 2, 1) /* pointer, [64 bytes]; [..], flags */ \
    TB_RUNTIME_OP(ipcCloseMemHandle, 1, 0) TB_RUNTIME_OP(ipcGetEventHandle, 2, 0) \
    TB_RUNTIME_OP(ipcOpenEventHandle, 1, 1) \
    TB_RUNTIME_OP(streamCreate, 2, 1) TB_RUNTIME_OP(streamDestroy, 1, 0) /* flags, priority; handle */ \
    TB_RUNTIME_OP(eventCreate, 1, 1) TB_RUNTIME_OP(eventDestroy, 1, 0) \
    TB_RUNTIME_OP(profilerStart, 0, 0) TB_RUNTIME_OP(profilerStop, 0, 0) \
    TB_RUNTIME_OP(arrayCreate, 5, 1) /* [channels], width, height, depth, flags: [..] is CUDA's structure */ \
    TB_RUNTIME_OP(arrayDestroy, 1, 0) TB_RUNTIME_OP(arrayElementSize, 1, 1) \
    TB_RUNTIME_OP(mipmapCreate, 6, 1) /* [channels], width, height, depth, levels, flags */ \
    TB_RUNTIME_OP(mipmapDestroy, 1, 0) TB_RUNTIME_OP(mipmapLevel, 2, 1) /* level: an array, the mipmap's */ \
    TB_RUNTIME_OP(memcpy3D, 1, 0) TB_RUNTIME_OP(memcpy3DAsync, 2, 0) /* [parameters], stream */ \
    TB_RUNTIME_OP(textureCreate, 2, 1) TB_RUNTIME_OP(textureDestroy, 1, 0) /* [resource], [texture] */ \
    TB_RUNTIME_OP(surfaceCreate, 1, 1) TB_RUNTIME_OP(surfaceDestroy, 1, 0) \
    TB_RUNTIME_OP(linkCreate, 0, 1) TB_RUNTIME_OP(linkDestroy, 1, 0) \
    TB_RUNTIME_OP(linkAddData, 5, 0) /* state, CUjitInputType, [data], its size, [name] */ \
    TB_RUNTIME_OP(linkAddFile, 3, 0) /* state, CUjitInputType, [path] */ \
    TB_RUNTIME_OP(linkComplete, 1, 2) /* [image], its size: the state's */

typedef enum tb_runtime_op {
#define TB_RUNTIME_OP(name, nin, nout) TB_RT_##name,
    TB_RUNTIME_OPS
#undef TB_RUNTIME_OP
        TB_RT_COUNT /* how many there are; also: none */
} tb_runtime_op;

/* The operation's number by its name, and how many integers it takes and gives (nin, nout may be NULL); TB_RT_COUNT if
 * there is none. */
TB_API tb_runtime_op tb_runtime_find(const char *name, int *nin, int *nout);
/* Does it on the current device. What is pending is enqueued first where the operation reads or writes memory. */
TB_API tb_status tb_runtime_call(tb_runtime_op op, const int64_t *in, int64_t *out);
/* Says that a block of hostAlloc belongs to an object of the caller's: freeing it by its number is an error until it is
 * claimed no more. */
TB_API tb_status tb_memory_claim(void *ptr, bool claimed);
/* Whether the bytes from ptr on are there to be read by the host: for addresses that come as numbers. */
TB_API bool tb_memory_is_mapped(const void *ptr, size_t bytes);

/* dlopen's handle of one of NVIDIA's libraries: "cuda", "nvrtc", "cublas", "cufft", "cusolver", "cusparse",
 * "cusparselt" or "cutensor". It is opened at the first call, and never closed. TB_ERR_LIBRARY with every place looked
 * at when it is not there, TB_ERR_VALUE for another name. */
TB_API tb_status tb_library_handle(const char *name, void **out);

/* ---- kernels from expressions ----------------------------------------------------------------------------------- */

/* What follows takes parameter lists such as "T x, raw float32 table, int32 n": a dtype by NumPy's name, or a letter
 * that stands for the dtype of the arrays given for it (outputs decide first, then inputs; numbers only where no array
 * does), and a name. `raw` gives the code the whole array, indexed as it likes, instead of one element. Code is CUDA
 * C++; on the CPU it is compiled by the system's C++ compiler. NULL strings count as empty. */

/* A parameter of a user's kernel. */
typedef struct tb_parameter {
    const char *name; /* borrowed from the kernel; NULL: there is no such parameter */
    tb_dtype dtype;   /* TB_NODTYPE: what the letter stands for */
    char letter;      /* 0 where the dtype has a name */
    bool raw;         /* the whole array, not one element */
    bool writable;    /* what the code may assign to: outputs, and inputs marked _non_const */
} tb_parameter;

typedef struct tb_elementwise tb_elementwise; /* a user's elementwise kernel, which several threads may call */

/* What an elementwise kernel is made from; everything is copied. */
typedef struct tb_elementwise_source {
    size_t struct_size;                 /* sizeof(tb_elementwise_source) */
    const char *in_params, *out_params; /* parameter lists; outputs are what the operation assigns to */
    const char *operation;              /* statements on the parameters; i is the element's number, n how many */
    const char *name;                   /* NULL: "kernel" */
    const char *preamble;               /* before the kernel, where the letters are known as types */
    const char *loop_prep, *after_loop; /* statements of a thread before and after its elements */
    bool keep_dims;                     /* neighbouring dimensions are not merged in _ind */
    int noption;                        /* how many options */
    const char *const *options;         /* the compiler's, as NVRTC takes them */
} tb_elementwise_source;
/* No code: set at least the parameters and the operation. */
#define TB_ELEMENTWISE_SOURCE_INIT \
    {sizeof(tb_elementwise_source), NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 0, NULL}

/* How an elementwise kernel is called. */
typedef struct tb_elementwise_args {
    size_t struct_size; /* sizeof(tb_elementwise_args) */
    int64_t size;       /* of the loop, where all arrays are raw; -1: it follows from the arrays */
    uint32_t block;     /* threads of a block; 0: the default */
    tb_stream *stream;  /* NULL: the current one */
} tb_elementwise_args;
/* As NULL. */
#define TB_ELEMENTWISE_ARGS_INIT {sizeof(tb_elementwise_args), -1, 0, NULL}

/* TB_ERR_VALUE or TB_ERR_TYPE, naming the parameter, for lists that cannot be read. Nothing is compiled yet. */
TB_API tb_status tb_elementwise_new(const tb_elementwise_source *source, tb_elementwise **out);
TB_API void tb_elementwise_release(tb_elementwise *k);   /* NULL is allowed; there is one reference, the maker's */
TB_API int tb_elementwise_nin(const tb_elementwise *k);  /* input parameters */
TB_API int tb_elementwise_nout(const tb_elementwise *k); /* output parameters */
/* in: one operand a parameter; out: a new array a parameter. args may be NULL. Enqueued at the call; inputs that are
 * pending may become part of the kernel. A combination of dtypes and layouts that is met first is compiled:
 * TB_ERR_COMPILE. TB_ERR_TYPE: a dtype is not the parameter's; TB_ERR_VALUE: shapes do not broadcast. */
TB_API tb_status tb_elementwise_call(tb_elementwise *k, const tb_operand *in, tb_array **out,
                                     const tb_elementwise_args *args);
/* The same to arrays of the caller's, all of them, of the result's shape and the parameters' dtypes: these are not cast
 * to. They take part in deciding what letters stand for. */
TB_API tb_status tb_elementwise_into(tb_elementwise *k, const tb_operand *in, tb_array *const *into,
                                     const tb_elementwise_args *args);
/* The i-th source compiled so far, oldest first, and (unless NULL) the dtypes of its parameters; NULL if there are no
 * more. */
TB_API const char *tb_elementwise_code(const tb_elementwise *k, int i, tb_dtype *dtypes);
/* The i-th parameter, inputs first; nothing but zeros if there is none. */
TB_API tb_parameter tb_elementwise_parameter(const tb_elementwise *k, int i);

typedef struct tb_reducer tb_reducer; /* a user's reduction, which several threads may call */

/* What a reduction of the caller's is made from; everything is copied. */
typedef struct tb_reducer_source {
    size_t struct_size;                 /* sizeof(tb_reducer_source) */
    const char *in_params, *out_params; /* one output, which is not raw */
    const char *map_expr;               /* of the inputs: what is reduced. _J is the element's position */
    const char *reduce_expr;            /* of a and b; taken to be associative and commutative */
    const char *post_map_expr;          /* a statement that assigns to the output, from a */
    const char *identity;               /* NULL: there is none, and nothing cannot be reduced */
    const char *name;                   /* NULL: "reduce_kernel" */
    const char *reduce_type;            /* of a and b; NULL: the output's */
    const char *preamble;               /* before the kernel, where the letters are known as types */
    int noption;                        /* how many options */
    const char *const *options;         /* the compiler's, as NVRTC takes them */
} tb_reducer_source;
/* No code: set at least the parameters, and how elements are mapped, reduced and post-mapped. */
#define TB_REDUCER_SOURCE_INIT \
    {sizeof(tb_reducer_source), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL}

/* What a reduction of the caller's reduces. */
typedef struct tb_reducer_args {
    size_t struct_size;  /* sizeof(tb_reducer_args) */
    int naxis;           /* -1: all axes */
    int axis[TB_MAXDIM]; /* may be negative */
    bool keepdims;       /* reduced axes stay, with length 1 */
    tb_stream *stream;   /* NULL: the current one */
} tb_reducer_args;
/* Everything, to one number. */
#define TB_REDUCER_ARGS_INIT {sizeof(tb_reducer_args), -1, {0}, false, NULL}

/* TB_ERR_VALUE or TB_ERR_TYPE, naming the parameter, for lists that cannot be read. Nothing is compiled yet. */
TB_API tb_status tb_reducer_new(const tb_reducer_source *source, tb_reducer **out);
TB_API void tb_reducer_release(tb_reducer *k);  /* NULL is allowed; there is one reference, the maker's */
TB_API int tb_reducer_nin(const tb_reducer *k); /* input parameters; there is one output */
/* As tb_elementwise_call. args may be NULL. The order in which elements are combined is fixed by shape and layout:
 * equal calls give equal results. TB_ERR_VALUE: no array that is not raw, or nothing to reduce and no identity. */
TB_API tb_status tb_reducer_call(tb_reducer *k, const tb_operand *in, tb_array **out, const tb_reducer_args *args);
/* The same to an array of the result's shape and the parameter's dtype, which is not cast to. */
TB_API tb_status tb_reducer_into(tb_reducer *k, const tb_operand *in, tb_array *into, const tb_reducer_args *args);
/* As tb_elementwise_code. */
TB_API const char *tb_reducer_code(const tb_reducer *k, int i, tb_dtype *dtypes);
/* As tb_elementwise_parameter. */
TB_API tb_parameter tb_reducer_parameter(const tb_reducer *k, int i);

/* ---- looking inside ------------------------------------------------------------------------------------------- */

/* What is pending on a, and the kernel it would become: text ('t'), SVG ('s') or the CUDA source ('c'). tb_free it.
 * Nothing is evaluated. TB_ERR_NOT_IMPLEMENTED for 'c' on the CPU, which has no source. */
TB_API tb_status tb_explain(tb_array *a, char form, char **text);

#include "tombac/conveniences.h"
#include "tombac/linalg.h"
#include "tombac/sparse.h"
#include "tombac/functions.h"

#ifdef __cplusplus
}
#endif
#endif
