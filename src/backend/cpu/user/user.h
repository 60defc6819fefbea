/* user.h - src/backend/cpu/user is user kernels on the CPU: from CUDA C++ to a shared library whose kernels are called.
 * The one header of it that other folders include; plans are none of its business.
 *
 *   rewrite/         finds kernels and variables in CUDA C++ and makes it C++
 *   headers.c        the headers that come with it
 *   options.c        options of CUDA's compilers, for the host's
 *   compiler.c       the system's C++ compiler: finding it, running it
 *   module.c         the backend's module entries: compiling or the disk cache, loading, looking up
 *   launch.c         launches: limits, blocks over the thread pool, faults
 *   stop.c           ending user code that runs
 *   grid.c           cooperative launches
 *   child.c          launches from kernels
 *   fiber.c          switching between the threads of a block
 *   fiber_block.c    a block whose threads wait for each other */
#ifndef TB_BACKEND_CPU_USER_USER_H
#define TB_BACKEND_CPU_USER_USER_H
#include <pthread.h>
#include <setjmp.h>

#include "backend/backend.h"
#include "backend/compile/disk.h"
#include "backend/compile/folder.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/tls.h"
#include "kernels/host_cuda/abi.h"

/* ---- rewrite/rewrite.c ---- */

/* C++ for the host compiler, without the headers that come before it. TB_ERR_NOT_IMPLEMENTED for what cannot run on a
 * CPU. *macros (may be NULL): a macro, or a file that the source includes, may hold kernels or shared memory, so that
 * only the preprocessed source says what there is. */
tb_status tb__rewrite(const tb_module_source *source, const char *code, bool preprocessed, tb_text *out, bool *macros);

/* ---- headers.c ---- */

/* Whether a header, as an include directive names it, is one of ours or of the C++ library. */
bool tb__host_has_header(const char *directive, size_t n);
/* What comes before `code` and the macros of the user's options: the declarations, and the words, which must follow
 * them. */
void tb__host_prelude(const char *code, const char *defines, tb_text *out);
void tb__host_words(tb_text *out);
/* Adds a line on every header of the source that there is none of, for a message. */
void tb__host_hint(const char *code, tb_text *out);
/* What the C library has of math on vectors, glibc's libmvec: 0 nothing, 1 its first functions, 2 nearly all. */
int tb__host_vector_math(void);
tb_status tb__host_write_headers(const tb_folder *f, const tb_module_source *source);
void tb__host_headers_hash(tb_name_hash *h);

/* ---- options.c ---- */

typedef struct tb_host_options {
    const char **argv; /* what the host compiler is given; free with tb__host_options_free */
    int n;
    char *room;
    tb_text defines; /* the user's macros as directives: they must not change our headers */
} tb_host_options;

/* NVRTC's and nvcc's options in the host compiler's spelling; those that only concern a GPU are dropped. */
tb_status tb__host_options_of(const tb_module_source *source, tb_host_options *out);
void tb__host_options_free(tb_host_options *o);

/* ---- compiler.c ---- */

/* What decides the image: the compiler, the CPU, the headers, the source and its options. TB_ERR_LIBRARY when there is
 * no C++ compiler. */
tb_status tb__host_compiler_name(const tb_module_source *source, tb_kernel_name *out);
/* Compiles. *log is set or left alone. */
tb_status tb__host_compile(const tb_module_source *source, char **log, tb_image *out);
void tb__host_compiler_show(tb_text *out);

/* ---- module.c ---- */

enum { TB_CPU_CODE = 8 };
typedef struct tb_cpu_module {
    void *library;
    const tb_host_exports *exports;
    size_t shared_bytes, constant_bytes;
    struct {
        uintptr_t start, end;
    } code[TB_CPU_CODE]; /* instructions of the library's own, and of those that hold no locks */
    int ncode;
    struct tb_cpu_function *functions; /* one for every kernel */
} tb_cpu_module;

typedef struct tb_cpu_function {
    tb_cpu_module *module;
    const tb_host_kernel *kernel;
    int max_dynamic; /* bytes of dynamic shared memory that a launch may ask for */
} tb_cpu_function;

enum { TB_CPU_SHARED = 48 << 10, TB_CPU_SHARED_MOST = 227 << 10, TB_CPU_MAX_THREADS = 1024 };

tb_status tb__cpu_module_compile(int device, const tb_module_source *source, char **log, void **module);
tb_status tb__cpu_module_load(int device, const void *image, size_t size, void **module);
void tb__cpu_module_unload(int device, void *module);
tb_status tb__cpu_module_function(int device, void *module, const char *name, tb_function_info *out);
tb_status tb__cpu_module_global(int device, void *module, const char *name, void **ptr, size_t *size);
uintptr_t tb__cpu_module_handle(void *module);
const char *tb__cpu_module_symbol(void *module, const char *expression);
tb_status tb__cpu_function_attribute(int device, void *function, int attribute, int *value);
tb_status tb__cpu_function_set_attribute(int device, void *function, int attribute, int value);

/* ---- launch.c ---- */

tb_status tb__cpu_function_launch(tb_stream *s, const tb_function_info *f, const char *name,
                                  const tb_launch_shape *shape, void **args);
tb_status tb__cpu_function_occupancy(int device, void *function, int block, size_t shared, int *nblock);
extern const tb_host_services *tb__host_services(void);

/* One launch. */
typedef struct tb_cpu_launch {
    const tb_host_kernel *kernel;
    const tb_cpu_module *module;
    const char *name;
    void **args;
    tb_host_here here; /* extents; block and thread are each block's own */
    int nthread;       /* of a block */
    uint32_t shared;
    bool volta;                    /* threads that have returned are not waited for */
    struct tb_cpu_grid *grid;      /* of a cooperative launch, else NULL */
    int depth;                     /* of launches from kernels */
    struct tb_cpu_child *children; /* atomic: what the kernel has launched, newest first; and how many */
    uint64_t nchild;
    int failed; /* atomic: a failure has been recorded, and further blocks do not start */
    int code;   /* its CUresult, or: */
#define TB_CPU_INTERRUPTED -1
    tb_status status; /* of what was interrupted */
    const bool *stop; /* atomic; may be NULL: to be interrupted */
    char text[640];
} tb_cpu_launch;

/* Runs a kernel and what it launches. */
tb_status tb__cpu_launch(const tb_cpu_function *f, const char *name, const tb_launch_shape *shape, void **args,
                         int depth);

/* Records the first failure of a launch: its CUresult and what happened. */
void tb__cpu_launch_fail(tb_cpu_launch *l, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What the calling thread is running; launch is NULL when it runs no user code. */
typedef struct tb_cpu_running {
    tb_cpu_launch *launch;
    struct tb_block *block; /* whose threads are fibers; NULL: thread after thread */
    void *dynamic;
    sigjmp_buf jump; /* where a fault leads */

    /* stop.c; atomic but for the first line */
    pthread_t thread;
    struct tb_cpu_running *next;
    uint64_t seen;
    bool on_queue;      /* the thread is a stream's */
    tb_cpu_launch *top; /* the innermost launch that the thread has made and waits for, or NULL */
    uint64_t launches;  /* so far */
    bool due, end;      /* the thread is to ask; to end its launch */
    bool poked, missed; /* the signal is ours; it found the thread where it cannot be stopped */
} tb_cpu_running;
/* Both of the calling thread; `running` is NULL until it first runs user code. Modules read `here` through the offset
 * that the runtime table gives them. */
extern TB_THREAD_LOCAL tb_cpu_running *tb__cpu_running;
extern TB_THREAD_LOCAL const tb_host_here *tb__host_here;

/* Leaves the user code that the calling thread runs; from inside of it. */
_Noreturn void tb__cpu_leave(void);

/* ---- stop.c ---- */

/* The calling thread is about to launch l, and is done; `begin` returns what `end` is given. */
tb_cpu_launch *tb__cpu_watch_begin(tb_cpu_launch *l);
void tb__cpu_watch_end(tb_cpu_launch *outer);
/* Asks, if it is time to, whether the calling thread's launch is to go on; if not it fails. */
void tb__cpu_look(void);
/* The same from inside user code, which is left if its launch has failed. */
void tb__cpu_stop_point(void);
/* What is to interrupt the launches that the calling thread makes; NULL: nothing. */
extern TB_THREAD_LOCAL const bool *tb__cpu_stop_flag;
void tb__cpu_thread_begins(tb_cpu_running *r);
void tb__cpu_thread_ends(tb_cpu_running *r);

/* ---- child.c ---- */

/* Called by a kernel: notes a launch. */
void tb__cpu_child_add(const tb_host_launch *launch);
/* Runs what `parent` has launched, if `run`, and frees it. */
tb_status tb__cpu_children_run(tb_cpu_launch *parent, tb_cpu_module *module, bool run);

/* ---- fiber.c ---- */

/* Goes on at `to`, a value that tb__fiber_switch stored or tb__fiber_prepare returned, on its stack; stores where this
 * one is to go on. */
void tb__fiber_switch(void **from, void *to);
/* A fiber that has not run: calls entry(), which must not return, on the stack that ends at `top`. */
void *tb__fiber_prepare(void *top, void (*entry)(void));

/* ---- fiber_block.c ---- */

/* Runs one block on the calling thread. A failure is recorded in the launch. */
void tb__block_run(tb_cpu_launch *l, tb_host_index block);
int tb__block_sync(int kind, int value);
unsigned long long tb__block_warp(int operation, unsigned mask, unsigned long long value, int from);
unsigned tb__block_converged(const void *site);
/* Leaves the block at once, on a thread's own stack: what a failed thread does. */
_Noreturn void tb__block_leave(void);
/* Where the stack of the thread of the system ends that runs the block. */
char *tb__block_outside(const struct tb_block *b);
/* Whether `address` is in the gap below a thread's stack. */
bool tb__block_overflowed(const void *address);
#endif
