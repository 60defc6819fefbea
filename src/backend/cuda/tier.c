/* tier.c - when to compile.
 *
 * A plan of one operation is compiled when it is first met. A larger one that has not been met before runs in pieces,
 * if the kernels of all pieces are there; met a second time it is compiled by a background thread and goes on in pieces
 * until it is ready. If kernels of pieces are missing, compiling the whole one is the least work. TOMBAC_COMPILE=sync
 * compiles everything when it is first met.
 *
 * The thread touches nothing but its queue (guarded by `mutex`) and the kernels that are QUEUED. It is started with the
 * first job, stops when the process exits, and does not exist in the child of a fork. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/kernel.h"
#include "base/error.h"

typedef struct job {
    tb_kernel *kernel;
    char *source;
    int arch;
    bool named;
    tb_kernel_name name;
    struct job *next;
} job;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, idle = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool running, busy, stopping;
static job *queue, **queue_end = &queue;

/* ---- the thread ----------------------------------------------------------------------------------------------- */

static void compile_job(job *j)
{
    tb_kernel *k = j->kernel;
    tb_image image = {0};
    tb_status status = tb__cuda_compile(j->source, j->arch, &image);
    if (status == TB_OK && j->named) tb__disk_write(&j->name, &image);
    k->image = image;
    k->failure = status;
    tb__kernel_set_state(k, status == TB_OK ? TB_KERNEL_COMPILED : TB_KERNEL_FAILED);
    free(j->source);
    free(j);
}

static void *compile_jobs(void *unused)
{
    bool handled = false;
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (!stopping) {
        job *j = queue;
        if (!j) {
            busy = false;
            pthread_cond_broadcast(&idle);
            pthread_cond_wait(&work, &mutex);
            continue;
        }
        queue = j->next;
        if (!queue) queue_end = &queue;
        busy = true;
        pthread_mutex_unlock(&mutex);
        compile_job(j);
        if (!handled) handled = atexit(tb__tier_stop) == 0;
        pthread_mutex_lock(&mutex);
    }
    busy = false;
    pthread_cond_broadcast(&idle);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

void tb__tier_stop(void)
{
    pthread_mutex_lock(&mutex);
    bool was_running = running;
    stopping = true;
    running = false;
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&mutex);
    if (was_running) pthread_join(thread, NULL);
    while (queue) {
        job *j = queue;
        queue = j->next;
        tb__kernel_set_state(j->kernel, TB_KERNEL_MISSING);
        free(j->source);
        free(j);
    }
}

static void before_fork(void) { pthread_mutex_lock(&mutex); }
static void in_parent(void) { pthread_mutex_unlock(&mutex); }

static void in_child(void)
{
    running = busy = false;
    queue = NULL;
    queue_end = &queue;
    pthread_cond_init(&work, NULL);
    pthread_cond_init(&idle, NULL);
    pthread_mutex_unlock(&mutex);
}

/* With the mutex held. Signals are for the program's own threads. Exit handlers run in the reverse order of their
 * installation, and NVRTC installs some when it is loaded and more during its first compilation: so the thread is
 * stopped by handlers from before and from after that. Who exits during that first one has to call tb_compile_stop. */
static bool start_thread(void)
{
    static bool prepared;
    sigset_t all, old;
    if (running) return true;
    if (stopping || tb__library_load(&tb__library_nvrtc) != TB_OK) return false;
    if (!prepared) prepared = pthread_atfork(before_fork, in_parent, in_child) == 0 && atexit(tb__tier_stop) == 0;
    if (!prepared) return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    running = pthread_create(&thread, NULL, compile_jobs, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return running;
}

static bool submit(job *j)
{
    pthread_mutex_lock(&mutex);
    bool ok = start_thread();
    if (ok) {
        *queue_end = j;
        queue_end = &j->next;
        tb__kernel_set_state(j->kernel, TB_KERNEL_QUEUED);
        pthread_cond_signal(&work);
    }
    pthread_mutex_unlock(&mutex);
    return ok;
}

void tb__tier_wait(void)
{
    pthread_mutex_lock(&mutex);
    while (running && (queue || busy)) pthread_cond_wait(&idle, &mutex);
    pthread_mutex_unlock(&mutex);
}

/* ---- the decision --------------------------------------------------------------------------------------------- */

static bool tiered(void)
{
    static int policy = -1; /* under the core lock */
    if (policy < 0) {
        const char *text = getenv("TOMBAC_COMPILE");
        policy = !(text && strcmp(text, "sync") == 0);
    }
    return policy != 0;
}

void tb__tier_show(tb_text *out)
{
    tb__text_addf(out, "compilation: %s\n", tiered() ? "tiered" : "when first met (TOMBAC_COMPILE=sync)");
}

static bool is_single(const tb_plan *p) { return p->ninstr <= (p->kind == TB_PLAN_MAP ? 1 : 0); }

static bool piece_ready(int device, const tb_plan *p)
{
    tb_variant v;
    tb_kernel *k;
    if (tb__codegen_variant(p, &tb__cuda_devices[device].chip, &v) != TB_OK) return false;
    if (tb__kernel_get(device, &v, &k) != TB_OK) return false;
    if (tb__kernel_state(k) == TB_KERNEL_COMPILED) tb__kernel_load(k);
    else if (tb__kernel_state(k) == TB_KERNEL_MISSING && !k->searched) tb__kernel_search(k, p);
    return tb__kernel_state(k) == TB_KERNEL_READY;
}

/* The temporaries' addresses do not matter here, as long as they are as well aligned as the pool's. */
static bool pieces_ready(int device, const tb_plan *p, tb_pieces *pieces)
{
    tb_plan piece;
    void *slots[TB_PLAN_MAXINSTR];
    if (!tb__pieces_of(p, pieces)) return false;
    for (int s = 0; s < pieces->nslot; s++) slots[s] = (void *)((uintptr_t)(s + 1) << 40);
    for (int i = 0; i < pieces->n; i++) {
        tb__pieces_plan(pieces, i, slots, &piece);
        if (!piece_ready(device, &piece)) return false;
    }
    return true;
}

/* Hands k to the background thread. If that cannot be done k stays as it is, and runs in pieces for now. */
static void enqueue(tb_kernel *k, const tb_plan *p)
{
    const tb_cuda_device *d = &tb__cuda_devices[k->device];
    tb_text source = {0};
    job *j = calloc(1, sizeof *j);
    if (!j || tb__codegen_source(p, &d->chip, &source) != TB_OK || source.failed) goto fail;
    j->kernel = k;
    j->source = source.s;
    j->arch = d->arch;
    j->named = tb__disk_name(source.s, d->arch, &j->name);
    if (!submit(j)) goto fail;
    tb__count.compiles++;
    return;
fail:
    tb__text_free(&source);
    free(j);
}

/* Brings k as far as it gets without compiling it now. */
static tb_status advance(tb_kernel *k, const tb_plan *p)
{
    if (tb__kernel_state(k) == TB_KERNEL_COMPILED) return tb__kernel_load(k);
    if (tb__kernel_state(k) == TB_KERNEL_MISSING && !k->searched) return tb__kernel_search(k, p);
    return TB_OK;
}

/* Without NVRTC, pieces that were shipped are the way to run; every other failure is the caller's to see. */
static tb_status compile_or_pieces(tb_kernel *k, const tb_plan *p, tb_pieces *pieces, tb_tier_choice *out)
{
    tb_status status = tb__tier_force(k, p);
    *out = TB_TIER_WHOLE;
    if (status != TB_ERR_LIBRARY || is_single(p) || !pieces_ready(k->device, p, pieces)) return status;
    *out = TB_TIER_PIECES;
    return TB_OK;
}

tb_status tb__tier_choose(tb_kernel *k, const tb_plan *p, tb_pieces *pieces, tb_tier_choice *out)
{
    TB_TRY(advance(k, p));
    tb_kernel_state state = tb__kernel_state(k);
    *out = TB_TIER_WHOLE;
    if (state == TB_KERNEL_READY) return TB_OK;
    if (state == TB_KERNEL_FAILED || !tiered() || is_single(p)) return compile_or_pieces(k, p, pieces, out);
    if (!pieces_ready(k->device, p, pieces)) return tb__tier_force(k, p);
    if (state == TB_KERNEL_MISSING && k->seen++ > 0) enqueue(k, p);
    *out = TB_TIER_PIECES;
    return TB_OK;
}

tb_status tb__tier_force(tb_kernel *k, const tb_plan *p)
{
    if (tb__kernel_state(k) == TB_KERNEL_QUEUED) tb__tier_wait();
    TB_TRY(advance(k, p));
    return tb__kernel_state(k) == TB_KERNEL_READY ? TB_OK : tb__kernel_compile(k, p);
}
