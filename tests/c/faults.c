/* faults.c - the table of functions that fail when told to; see faults.h. */
#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/error.h"
#include "base/tls.h"

static const tb_backend *cpu;
static fault told;
static bool begun;
static long at, count, struck, outstanding;
static const char *name = "nothing";
static _Thread_local bool counts; /* the thread that called faults_begin */

static bool strikes(fault_row row, const char *what)
{
    if (!begun || !counts || told.row != row) return false;
    count++;
    if (told.stays ? count < at : count != at) return false;
    if (struck++ == 0) name = what;
    return true;
}

/* ---- the backend ---------------------------------------------------------------------------------------------- */

static tb_status fails(const char *what, tb_status status)
{
    if (status == TB_ERR_MEMORY) return tb__fail_memory(4711, 0, 0, 0);
    return tb__fail(status, "%s fails, as it was told to", what);
}

static tb_status keep(tb_status status)
{
    if (status == TB_OK) __atomic_fetch_add(&outstanding, 1, __ATOMIC_RELAXED);
    return status;
}

static void let_go(void) { __atomic_fetch_sub(&outstanding, 1, __ATOMIC_RELAXED); }

/* name, whether success is something to give back, parameters, arguments. The two tables differ in some of these. */
#define CALLS(X)                                                                                                    \
    X(mem_info, false, (int d, size_t *f, size_t *t), (d, f, t))                                                    \
    X(mem_alloc, true, (int d, size_t n, void **p), (d, n, p))                                                      \
    X(copy_in, false, (tb_stream * s, void *d, const void *h, size_t n, bool b), (s, d, h, n, b))                   \
    X(copy_out, false, (tb_stream * s, void *h, const void *d, size_t n, bool b), (s, h, d, n, b))                  \
    X(copy, false, (tb_stream * s, void *d, const void *f, size_t n), (s, d, f, n))                                 \
    X(run, false, (tb_stream * s, const tb_plan *p), (s, p))                                                        \
    X(gemm, false, (tb_stream * s, const tb_gemm *g), (s, g))                                                       \
    X(find_set, false, (tb_stream * s, const tb_mask *x, int64_t *count), (s, x, count))                            \
    X(peaks, false, (tb_stream * s, tb_peaks *p), (s, p))                                                           \
    X(reduce_slices, false, (const tb_slices *l), (l))                                                              \
    X(stream_new, true, (tb_stream * s, int p), (s, p))                                                             \
    X(stream_synchronize, false, (tb_stream * s), (s))                                                              \
    X(stream_query, false, (tb_stream * s, bool *d), (s, d))                                                        \
    X(stream_wait, false, (tb_stream * s, tb_event * e), (s, e))                                                    \
    X(device_synchronize, false, (int d), (d))                                                                      \
    X(event_new, true, (tb_event * e, unsigned f), (e, f))                                                          \
    X(event_record, false, (tb_event * e, tb_stream * s), (e, s))                                                   \
    X(event_synchronize, false, (tb_event * e), (e))                                                                \
    X(event_query, false, (tb_event * e, bool *d), (e, d))                                                          \
    X(event_elapsed, false, (tb_event * a, tb_event * b, float *ms), (a, b, ms))                                    \
    X(module_compile, true, (int d, const tb_module_source *m, char **l, void **o), (d, m, l, o))                   \
    X(module_load, true, (int d, const void *i, size_t n, void **o), (d, i, n, o))                                  \
    X(module_function, false, (int d, void *m, const char *n, tb_function_info *o), (d, m, n, o))                   \
    X(module_global, false, (int d, void *m, const char *n, void **p, size_t *z), (d, m, n, p, z))                  \
    X(function_attribute, false, (int d, void *f, int a, int *v), (d, f, a, v))                                     \
    X(function_launch, false,                                                                                       \
      (tb_stream * s, const tb_function_info *f, const char *n, const tb_launch_shape *h, void **a), (s, f, n, h, a)) \
    X(host_func, false, (tb_stream * s, void (*f)(void *), void *a), (s, f, a))                                     \
    X(capture_begin, false, (tb_stream * s, tb_graph * g), (s, g))                                                  \
    X(capture_end, false, (tb_stream * s, tb_graph * g), (s, g))                                                    \
    X(graph_launch, false, (tb_graph * g, tb_stream * s), (g, s))                                                   \
    X(graph_upload, false, (tb_graph * g, tb_stream * s), (g, s))                                                   \
    X(cudart, false, (tb_runtime_op o, const int64_t *in, int64_t *out), (o, in, out))

#define DEFINE(call, keeps, parameters, arguments)                                                                  \
    static tb_status plain_##call parameters                                                                        \
    {                                                                                                               \
        if (strikes(FAULT_CALLS, #call))                                                                            \
            return fails(#call, !strcmp(#call, "mem_alloc") ? TB_ERR_MEMORY : told.status);                         \
        return keeps ? keep(cpu->call arguments) : cpu->call arguments;                                             \
    }                                                                                                               \
    static tb_status busy_##call parameters                                                                         \
    {                                                                                                               \
        if (strikes(FAULT_CALLS, #call))                                                                            \
            return fails(#call, !strcmp(#call, "mem_alloc") ? TB_ERR_MEMORY : told.status);                         \
        return keeps ? keep(cpu->busy->call arguments) : cpu->busy->call arguments;                                 \
    }
CALLS(DEFINE)

/* Those that give back, and those that cannot say why they do not do it. */
static bool run_points(const tb_points *x) { return !strikes(FAULT_CALLS, "run_points") && cpu->run_points(x); }

static bool reduce_line(const tb_line *l) { return !strikes(FAULT_CALLS, "reduce_line") && cpu->reduce_line(l); }

static tb_status launch_later(tb_stream *s, tb_function *f, const tb_launch_shape *shape, void **values)
{
    if (strikes(FAULT_CALLS, "launch_later")) return fails("launch_later", told.status);
    return cpu->busy->launch_later(s, f, shape, values);
}

static void plain_mem_free(int device, void *ptr)
{
    let_go();
    cpu->mem_free(device, ptr);
}

static void busy_mem_free(int device, void *ptr)
{
    let_go();
    cpu->busy->mem_free(device, ptr);
}

static void stream_free(tb_stream *s)
{
    let_go();
    cpu->stream_free(s);
}

static void event_free(tb_event *e)
{
    let_go();
    cpu->event_free(e);
}

static void module_unload(int device, void *module)
{
    let_go();
    cpu->module_unload(device, module);
}

/* The pool tells of every block before it hands it out. */
static tb_status hook(void *ignored, const tb_memory_event *e)
{
    (void)ignored;
    if (e->kind != TB_MEMORY_MALLOC || e->after) return TB_OK;
    if (strikes(FAULT_BLOCKS, "a block")) return tb__fail_memory(e->size, 0, 0, 0);
    if (strikes(FAULT_LIMIT, "the limit")) return tb_pool_set_limit(NULL, e->device, 1);
    return TB_OK;
}

static tb_backend plain, busy;

tb_status faults_install(void)
{
    TB_TRY(tb_init());
    cpu = tb__backend_cpu();
    plain = *cpu;
    busy = *cpu->busy;
#define PUT(call, keeps, parameters, arguments) \
    plain.call = plain_##call;                  \
    busy.call = busy_##call;
    CALLS(PUT)
    plain.busy = &busy;
    plain.reduce_line = reduce_line;
    plain.run_points = run_points;
    busy.launch_later = launch_later;
    plain.mem_free = plain_mem_free;
    busy.mem_free = busy_mem_free;
    plain.stream_free = busy.stream_free = stream_free;
    plain.event_free = busy.event_free = event_free;
    plain.module_unload = busy.module_unload = module_unload;
    tb__backend = &plain;
    return TB_OK;
}

void faults_begin(const fault *f, long k)
{
    told = *f;
    at = k;
    count = struck = 0;
    name = "nothing";
    begun = counts = true;
    if (told.row == FAULT_BLOCKS || told.row == FAULT_LIMIT) tb_memory_hook_set(hook, NULL);
}

void faults_end(void)
{
    begun = counts = false;
    if (told.row == FAULT_BLOCKS || told.row == FAULT_LIMIT) tb_memory_hook_set(NULL, NULL);
    for (int device = 0; device < 2 && told.row == FAULT_LIMIT; device++) tb_pool_set_limit(NULL, device, 0);
}

long faults_struck(void) { return struck; }
const char *faults_name(void) { return name; }
long faults_outstanding(void) { return __atomic_load_n(&outstanding, __ATOMIC_RELAXED); }

/* ---- the host's memory ---------------------------------------------------------------------------------------- */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_aligned_alloc(size_t alignment, size_t n);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
void *__wrap_malloc(size_t n) { return strikes(FAULT_HOST, "malloc") ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return strikes(FAULT_HOST, "calloc") ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *p, size_t n) { return strikes(FAULT_HOST, "realloc") ? NULL : __real_realloc(p, n); }
char *__wrap_strdup(const char *s) { return strikes(FAULT_HOST, "strdup") ? NULL : __real_strdup(s); }
char *__wrap_strndup(const char *s, size_t n) { return strikes(FAULT_HOST, "strndup") ? NULL : __real_strndup(s, n); }

void *__wrap_aligned_alloc(size_t alignment, size_t n)
{
    return strikes(FAULT_HOST, "aligned_alloc") ? NULL : __real_aligned_alloc(alignment, n);
}
