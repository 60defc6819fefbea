/* launch.c - launches of user kernels: their blocks over the thread pool, and what can go wrong on the way.
 *
 * A launch is over when the call returns. User code that faults (an address that is not there, a division by zero, a
 * failed assert, a barrier that cannot be passed) ends its launch, not the process: signals of the processor are caught
 * in threads that run user code; all others go to whoever handled them before. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#undef _FORTIFY_SOURCE /* its longjmp refuses to leave a stack that is not the thread's own */
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/cpu/user/grid.h"
#include "backend/cpu/user/user.h"
#include "base/environment.h"
#include "base/error.h"

enum { /* CUresult */
       INVALID_VALUE = 1,
       OUT_OF_MEMORY = 2,
       ILLEGAL_ADDRESS = 700,
       OUT_OF_RESOURCES = 701,
       ASSERT = 710,
       ILLEGAL_INSTRUCTION = 715,
       LAUNCH_FAILED = 719,
       TOO_LARGE = 720,
};
enum {
    SIGNAL_STACK = 64 << 10,
    TASK_THREADS = 1024, /* a task has at least that many threads, if the grid does, so that starting it pays */
    MOST_TASKS = 4096,
};

TB_THREAD_LOCAL tb_cpu_running *tb__cpu_running;
TB_THREAD_LOCAL const tb_host_here *tb__host_here;

/* ---- failures ------------------------------------------------------------------------------------------------- */

void tb__cpu_launch_fail(tb_cpu_launch *l, int code, const char *format, ...)
{
    char text[sizeof l->text];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    int expected = 0;
    if (!__atomic_compare_exchange_n(&l->failed, &expected, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return;
    l->code = code;
    memcpy(l->text, text, strlen(text) + 1);
}

static bool has_failed(const tb_cpu_launch *l) { return __atomic_load_n(&l->failed, __ATOMIC_ACQUIRE) != 0; }

_Noreturn void tb__cpu_leave(void)
{
    if (tb__cpu_running->block) tb__block_leave();
    siglongjmp(tb__cpu_running->jump, 1);
}

static void runtime_fail(int kind, const char *text)
{
    tb_cpu_launch *l = tb__cpu_running->launch;
    const tb_host_here *h = tb__host_here;
    char where[96] = "";
    if (h)
        snprintf(where, sizeof where, " in thread (%u, %u, %u) of block (%u, %u, %u)", h->thread.x, h->thread.y,
                 h->thread.z, h->block.x, h->block.y, h->block.z);
    if (kind == TB_HOST_FAIL_ASSERT) tb__cpu_launch_fail(l, ASSERT, "assertion failed%s: %s", where, text);
    else if (kind == TB_HOST_FAIL_TRAP) tb__cpu_launch_fail(l, LAUNCH_FAILED, "__trap() was called%s", where);
    else tb__cpu_launch_fail(l, LAUNCH_FAILED, "%s%s", text, where);
    tb__cpu_leave();
}

/* ---- signals -------------------------------------------------------------------------------------------------- */

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { NCAUGHT = sizeof caught / sizeof *caught };
static struct sigaction before[NCAUGHT]; /* the handlers that were there */

static void pass_on(int sig, siginfo_t *info, void *context)
{
    int i = 0;
    while (i < NCAUGHT - 1 && caught[i] != sig) i++;
    bool sent = info->si_code <= 0; /* by a process, rather than met by an instruction */
    if (before[i].sa_flags & SA_SIGINFO) {
        before[i].sa_sigaction(sig, info, context);
    } else if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN) {
        before[i].sa_handler(sig);
    } else if (before[i].sa_handler == SIG_DFL || !sent) {
        /* The default is to end the process: the instruction faults again, without a handler. */
        signal(sig, SIG_DFL);
        if (sent) raise(sig);
    }
}

/* User code holds no locks of ours, so that snprintf, which the record of a failure needs, is as safe as leaving. */
static void on_signal(int sig, siginfo_t *info, void *context)
{
    tb_cpu_running *r = tb__cpu_running;
    if (!r || !r->launch) {
        pass_on(sig, info, context);
        return;
    }
    char where[96] = "";
    const tb_host_here *h = tb__host_here;
    if (h && r->block)
        snprintf(where, sizeof where, ", in thread (%u, %u, %u) of block (%u, %u, %u)", h->thread.x, h->thread.y,
                 h->thread.z, h->block.x, h->block.y, h->block.z);
    if (sig == SIGFPE)
        tb__cpu_launch_fail(r->launch, LAUNCH_FAILED, "an integer division by zero, or one that overflows%s", where);
    else if (sig == SIGILL)
        tb__cpu_launch_fail(r->launch, ILLEGAL_INSTRUCTION, "an illegal instruction was encountered%s", where);
    else if (tb__block_overflowed(info->si_addr))
        tb__cpu_launch_fail(r->launch, LAUNCH_FAILED, "a thread's stack has overflowed%s", where);
    else
        tb__cpu_launch_fail(r->launch, ILLEGAL_ADDRESS, "an illegal memory access was encountered (address %p)%s",
                            info->si_addr, where);
    tb__cpu_leave();
}

/* Once, since a launch must not pay for it. A handler that somebody installs later comes first; Python's faulthandler
 * then passes faults on to this one. */
static void install_handlers(void)
{
    struct sigaction ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    for (int i = 0; i < NCAUGHT; i++) {
        sigaction(caught[i], NULL, &before[i]); /* the handler may be called before the next line returns */
        sigaction(caught[i], &ours, NULL);
    }
}

/* ---- what a thread of the system needs to run user code ------------------------------------------------------- */

typedef struct own {
    tb_cpu_running running;
    void *signal_stack, *dynamic;
} own;

static pthread_key_t own_key;

static void free_own(void *p)
{
    own *o = p;
    tb__cpu_thread_ends(&o->running);
    stack_t none = {.ss_flags = SS_DISABLE}, now;
    if (o->signal_stack && sigaltstack(NULL, &now) == 0 && now.ss_sp == o->signal_stack) sigaltstack(&none, NULL);
    if (o->signal_stack) munmap(o->signal_stack, SIGNAL_STACK);
    if (o->dynamic) munmap(o->dynamic, TB_CPU_SHARED_MOST);
    free(o);
    tb__cpu_running = NULL;
}

static void prepare_process(void)
{
    pthread_key_create(&own_key, free_own);
    install_handlers();
}

static void *map(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static bool prepare_thread(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    stack_t now;
    if (tb__cpu_running) return true;
    pthread_once(&once, prepare_process);
    own *o = calloc(1, sizeof *o);
    if (!o) return false;
    o->dynamic = map(TB_CPU_SHARED_MOST);
    if (sigaltstack(NULL, &now) != 0 || now.ss_flags & SS_DISABLE || now.ss_size < SIGNAL_STACK / 4) {
        o->signal_stack = map(SIGNAL_STACK);
        stack_t stack = {.ss_sp = o->signal_stack, .ss_size = SIGNAL_STACK};
        if (o->signal_stack) sigaltstack(&stack, NULL);
    }
    o->running.dynamic = o->dynamic;
    pthread_setspecific(own_key, o);
    tb__cpu_running = &o->running;
    tb__cpu_thread_begins(&o->running);
    if (o->dynamic) return true;
    free_own(o);
    pthread_setspecific(own_key, NULL);
    return false;
}

/* ---- running blocks ------------------------------------------------------------------------------------------- */

static tb_host_index block_at(const tb_cpu_launch *l, uint64_t i)
{
    uint64_t x = l->here.grid_dim.x, y = l->here.grid_dim.y;
    return (tb_host_index){(unsigned)(i % x), (unsigned)(i / x % y), (unsigned)(i / x / y)};
}

void tb__cpu_run_blocks(tb_cpu_launch *l, uint64_t first, uint64_t count)
{
    if (!prepare_thread()) {
        tb__cpu_launch_fail(l, OUT_OF_MEMORY, "no memory for a kernel's stacks");
        return;
    }
    tb_cpu_running *r = tb__cpu_running;
    __atomic_store_n(&r->launch, l, __ATOMIC_RELAXED);
    if (sigsetjmp(r->jump, 0) == 0) {
        if (l->kernel->blocks) {
            l->kernel->blocks(&l->here, l->args, first, count);
        } else {
            for (uint64_t i = first; i < first + count && !has_failed(l); i++) tb__block_run(l, block_at(l, i));
        }
    }
    __atomic_store_n(&r->launch, NULL, __ATOMIC_RELAXED);
    r->block = NULL;
    tb__host_here = NULL;
}

typedef struct spread {
    tb_cpu_launch *launch;
    uint64_t nblock, chunk;
} spread;

static bool run_chunk(void *arg, int64_t task)
{
    const spread *s = arg;
    uint64_t first = (uint64_t)task * s->chunk, left = s->nblock - first;
    if (!has_failed(s->launch)) tb__cpu_run_blocks(s->launch, first, left < s->chunk ? left : s->chunk);
    return true;
}

/* This thread has nothing left to do, and others run what may not end. */
static void look(void *ignored)
{
    (void)ignored;
    tb__cpu_look();
}

static tb_status run_grid(tb_cpu_launch *l)
{
    uint64_t nblock = (uint64_t)l->here.grid_dim.x * l->here.grid_dim.y * l->here.grid_dim.z;
    uint64_t chunk = (uint64_t)tb__ceil_div(TASK_THREADS, l->nthread), even = (nblock + MOST_TASKS - 1) / MOST_TASKS;
    if (chunk < even) chunk = even;
    spread s = {l, nblock, chunk};
    return tb__parallel_watched((int64_t)((nblock + chunk - 1) / chunk), run_chunk, &s, look);
}

/* ---- what modules call ---------------------------------------------------------------------------------------- */

static const tb_host_here **runtime_here(void) { return &tb__host_here; }
static void *runtime_dynamic(void) { return tb__cpu_running->dynamic; }
static unsigned runtime_dynamic_size(void) { return tb__cpu_running->launch->shared; }

/* The text is made before the stream is locked: an argument that faults leaves no lock behind. */
static int runtime_print(const char *format, va_list args)
{
    char text[4096];
    int n = vsnprintf(text, sizeof text, format, args);
    tb__cpu_stop_point();
    if (n >= (int)sizeof text) n = (int)sizeof text - 1;
    if (n > 0) fwrite(text, 1, (size_t)n, stdout);
    return n;
}

const tb_host_services *tb__host_services(void)
{
    static tb_host_services table = {
        .here = runtime_here,
        .dynamic = runtime_dynamic,
        .dynamic_size = runtime_dynamic_size,
        .sync_block = tb__block_sync,
        .warp = tb__block_warp,
        .converged = tb__block_converged,
        .sync_grid = tb__grid_sync,
        .sync_grid_valid = tb__grid_valid,
        .fail = runtime_fail,
        .print = runtime_print,
        .launch = tb__cpu_child_add,
    };
#if defined(__ELF__) && defined(__has_builtin)
#if __has_builtin(__builtin_thread_pointer)
    table.here_offset = (long)((char *)&tb__host_here - (char *)__builtin_thread_pointer());
#endif
#endif
    return &table;
}

/* ---- launching ------------------------------------------------------------------------------------------------ */

static tb_status fail_launch(const char *name, int code, const char *text)
{
    char call[256];
    snprintf(call, sizeof call, "the launch of kernel %s", name);
    return tb__fail_device(code, call, text);
}

static uint64_t product(const uint32_t v[3]) { return (uint64_t)v[0] * v[1] * v[2]; }

static tb_status check_block(const tb_cpu_function *f, const char *name, const tb_launch_shape *s)
{
    char text[256];
    const uint32_t *b = s->block;
    uint64_t n = b[0] <= 1024 && b[1] <= 1024 && b[2] <= 64 ? product(b) : ~0ull;
    if (n == 0 || n > TB_CPU_MAX_THREADS) {
        snprintf(text, sizeof text,
                 "invalid argument: a block of (%u, %u, %u) threads; at most (1024, 1024, 64), 1024"
                 " in all, and at least one",
                 b[0], b[1], b[2]);
        return fail_launch(name, INVALID_VALUE, text);
    }
    if (f->kernel->max_threads && n > (uint64_t)f->kernel->max_threads) {
        snprintf(text, sizeof text,
                 "too many resources requested for launch: a block of %llu threads; its"
                 " __launch_bounds__ allow %d",
                 (unsigned long long)n, f->kernel->max_threads);
        return fail_launch(name, OUT_OF_RESOURCES, text);
    }
    return TB_OK;
}

static tb_status check_shape(const tb_cpu_function *f, const char *name, const tb_launch_shape *s)
{
    char text[256];
    const uint32_t *g = s->grid;
    if (product(g) == 0 || g[0] > 0x7fffffff || g[1] > 65535 || g[2] > 65535) {
        snprintf(text, sizeof text,
                 "invalid argument: a grid of (%u, %u, %u) blocks; at most (2147483647, 65535,"
                 " 65535), and at least one",
                 g[0], g[1], g[2]);
        return fail_launch(name, INVALID_VALUE, text);
    }
    TB_TRY(check_block(f, name, s));
    if (s->shared > (uint32_t)f->max_dynamic) {
        snprintf(text, sizeof text,
                 "invalid argument: %u bytes of dynamic shared memory; at most %d, unless the"
                 " kernel's max_dynamic_shared_size_bytes is set (up to %d)",
                 s->shared, f->max_dynamic, TB_CPU_SHARED_MOST);
        return fail_launch(name, INVALID_VALUE, text);
    }
    return TB_OK;
}

static tb_status run_cooperative(tb_cpu_launch *l, const tb_cpu_function *f, const char *name)
{
    int nblock = 0;
    uint64_t n = (uint64_t)l->here.grid_dim.x * l->here.grid_dim.y * l->here.grid_dim.z;
    TB_TRY(tb__cpu_function_occupancy(0, (void *)(uintptr_t)f, l->nthread, l->shared, &nblock));
    if (n > (uint64_t)nblock * (uint64_t)tb__threads()) {
        char text[256];
        snprintf(text, sizeof text, "too many blocks in cooperative launch: %llu of %d threads; at most %d",
                 (unsigned long long)n, l->nthread, nblock * tb__threads());
        return fail_launch(name, TOO_LARGE, text);
    }
    return tb__grid_run(l, (int)n);
}

static bool as_volta(void) { return tb__environment(TB_ENV_BARRIER, -1) == 0; }

static tb_host_extent extent(const uint32_t v[3]) { return (tb_host_extent){v[0], v[1], v[2]}; }

tb_status tb__cpu_launch(const tb_cpu_function *f, const char *name, const tb_launch_shape *shape, void **args,
                         int depth)
{
    TB_TRY(check_shape(f, name, shape));
    tb_cpu_launch l = {
        .kernel = f->kernel,
        .module = f->module,
        .name = name,
        .args = args,
        .here = {.block_dim = extent(shape->block), .grid_dim = extent(shape->grid)},
        .nthread = (int)product(shape->block),
        .shared = shape->shared,
        .volta = !f->kernel->blocks && as_volta(),
        .depth = depth,
    };
    if (!prepare_thread()) return fail_launch(name, OUT_OF_MEMORY, "no memory for a kernel's stacks");
    tb_cpu_launch *outer = tb__cpu_watch_begin(&l);
    tb_status status = shape->cooperative ? run_cooperative(&l, f, name) : run_grid(&l);
    tb__cpu_watch_end(outer);
    bool good = status == TB_OK && !l.failed;
    tb_status launched = tb__cpu_children_run(&l, f->module, good);
    if (good || status != TB_OK) return good ? launched : status;
    if (l.code == TB_CPU_INTERRUPTED && l.status != TB_ERR_INTERRUPTED) return l.status; /* of the caller's making */
    if (l.code == TB_CPU_INTERRUPTED)
        return tb__fail(TB_ERR_INTERRUPTED, "the launch of kernel %s was interrupted", name);
    return fail_launch(name, l.code, l.text);
}

tb_status tb__cpu_function_launch(tb_stream *s, const tb_function_info *info, const char *name,
                                  const tb_launch_shape *shape, void **args)
{
    const tb_cpu_function *f = info->handle;
    (void)s;
    tb_status status = tb__cpu_launch(f, name, shape, args, 0);
    if (f->module->exports->prints) fflush(stdout);
    return status;
}

/* A multiprocessor's limits, as if each thread of the pool were one: 2048 threads, 32 blocks, shared memory. */
tb_status tb__cpu_function_occupancy(int device, void *function, int block, size_t shared, int *nblock)
{
    const tb_cpu_function *f = function;
    (void)device;
    if (block <= 0 || block > TB_CPU_MAX_THREADS)
        return tb__fail_device(INVALID_VALUE, "occupancy", "invalid argument: a block has 1 to 1024 threads");
    size_t of_block = shared + f->module->shared_bytes;
    int n = 2048 / ((block + 31) & ~31);
    if (n > 32) n = 32;
    if (of_block > 0 && (size_t)n > TB_CPU_SHARED_MOST / of_block) n = (int)(TB_CPU_SHARED_MOST / of_block);
    *nblock = n;
    return TB_OK;
}
