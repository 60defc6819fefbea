/* tier.c - when to compile.
 *
 * A plan of one operation is compiled when it is first met. A larger one that has not been met before runs in pieces,
 * if the kernels of all pieces are there, and nothing is looked for, generated or kept for it but a hash: programs
 * whose expressions never repeat pay what they would without fusion. Met a second time it is read from disk or
 * compiled by a background thread, and goes on in pieces until it is ready; met once more and again it waits for that,
 * PATIENCE_MS at a time, so that the number of calls before full speed does not depend on how short they are. If
 * kernels of pieces are missing, compiling the whole one is the least work; but each that was compiled for that reason
 * gives leave to compile a few of pieces, so that a program whose expressions never repeat comes to have all of these,
 * and one whose expressions do has not compiled much in vain. TOMBAC_COMPILE=sync compiles everything when it is first
 * met.
 *
 * The thread touches nothing but its queue (guarded by `mutex`) and the kernels that are QUEUED. It is started with the
 * first job, stops when the process exits, and does not exist in the child of a fork. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/gpu/kernel.h"
#include "base/error.h"
#include "base/lock.h"

enum { PATIENT_AFTER = 2, PATIENCE_MS = 50, PIECES_A_WHOLE = 2 };

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

/* Exit handlers run in the reverse order of their installation, and NVRTC installs some when it is loaded and more
 * during its first compilation: so the thread is stopped by handlers from after each of them. Who exits in between has
 * to call tb_compile_stop. */
static tb_status compile(const job *j, tb_image *image)
{
    static bool loaded, compiled; /* the thread's */
    if (!loaded) {
        TB_TRY(tb__gpu->compiler_load());
        loaded = atexit(tb__tier_stop) == 0;
    }
    TB_TRY(tb__gpu->compile(j->source, j->arch, image));
    if (!compiled) compiled = atexit(tb__tier_stop) == 0;
    return TB_OK;
}

static tb_status obtain(const job *j, tb_image *image)
{
    tb_kernel *k = j->kernel;
    k->read = k->searched < TB_ON_DISK && j->named && tb__disk_read(&j->name, image);
    if (k->read) {
        tb__count_up(&tb__count.cache_hits_disk);
        return TB_OK;
    }
    TB_TRY(compile(j, image));
    tb__count_up(&tb__count.compiles);
    if (j->named) tb__disk_write(&j->name, image);
    return TB_OK;
}

static void compile_job(job *j)
{
    tb_kernel *k = j->kernel;
    tb_image image = {0};
    const tb_status status = obtain(j, &image);
    k->image = image;
    k->failure = status;
    tb__kernel_set_state(k, status == TB_OK ? TB_KERNEL_COMPILED : TB_KERNEL_FAILED);
    free(j->source);
    free(j);
}

static void *compile_jobs(void *unused)
{
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
        pthread_mutex_lock(&mutex);
        pthread_cond_broadcast(&idle);
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

/* With the mutex held. Signals are for the program's own threads. */
static bool start_thread(void)
{
    static bool prepared;
    sigset_t all, old;
    if (running) return true;
    if (stopping) return false;
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

/* For a while, until the background thread is done with k. */
static void wait_for(const tb_kernel *k)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE_MS * 1000000l;
    until.tv_sec += until.tv_nsec / 1000000000l;
    until.tv_nsec %= 1000000000l;
    void *given = tb__wait_begin();
    pthread_mutex_lock(&mutex);
    int rc = 0;
    while (rc == 0 && running && tb__kernel_state(k) == TB_KERNEL_QUEUED)
        rc = pthread_cond_timedwait(&idle, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    tb__wait_end(given);
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

/* Whether there are no pieces of it. */
static bool is_single(const tb_plan *p)
{
    return p->kind == TB_PLAN_MAP ? p->ninstr <= 1 && p->nstore == 1 : p->ninstr == 0;
}

static int owed; /* kernels of pieces that may be compiled; under the core lock */

tb_status tb__tier_advance(tb_kernel *k, const tb_plan *p, tb_kernel_place place)
{
    if (tb__kernel_state(k) == TB_KERNEL_COMPILED) TB_TRY(tb__kernel_load(k));
    if (tb__kernel_state(k) != TB_KERNEL_MISSING) return TB_OK;
    if (place < TB_COMPILED_NOW) return tb__kernel_search(k, p, place);
    TB_TRY(tb__kernel_search(k, p, TB_ON_DISK));
    if (tb__kernel_state(k) != TB_KERNEL_MISSING || owed == 0) return TB_OK;
    owed--;
    return tb__kernel_compile(k, p);
}

/* Hands k to the background thread. If that cannot be done k stays as it is, and runs in pieces for now. */
static void enqueue(tb_kernel *k, const tb_plan *p)
{
    const tb_gpu_device *d = &tb__gpu_devices[k->device];
    tb_text source = {0};
    job *j = calloc(1, sizeof *j);
    if (!j || tb__codegen_source(p, &d->chip, &source) != TB_OK || source.failed) goto fail;
    j->kernel = k;
    j->source = source.s;
    j->arch = d->arch;
    j->named = tb__disk_name(source.s, d->arch, &j->name);
    if (!submit(j)) goto fail;
    return;
fail:
    tb__text_free(&source);
    free(j);
}

bool tb__tier_meet(int device, const tb_plan *p) { return is_single(p) || !tiered() || tb__met_before(device, p); }

/* With the kernel of a plan that was met before, which now is worth to be compiled, unless somebody does already. */
static void met_again(tb_kernel *k, const tb_plan *p)
{
    if (tb__kernel_state(k) == TB_KERNEL_MISSING) enqueue(k, p);
    k->seen++;
}

static tb_status choose(tb_stream *s, tb_kernel *k, const tb_plan *p, bool met, tb_ready *pieces, tb_tier_choice *out)
{
    if (tb__kernel_state(k) == TB_KERNEL_QUEUED && k->seen >= PATIENT_AFTER) wait_for(k);
    for (tb_kernel_place place = TB_SHIPPED; place <= TB_COMPILED_NOW; place++) {
        if (place < TB_COMPILED_NOW) TB_TRY(tb__tier_advance(k, p, place));
        const tb_kernel_state state = tb__kernel_state(k);
        if (state == TB_KERNEL_READY || state == TB_KERNEL_FAILED) return tb__tier_force(k, p);
        if (!tb__ready_pieces(s, p, place, pieces)) continue;
        if (met) met_again(k, p);
        *out = TB_TIER_PIECES;
        return TB_OK;
    }
    owed += PIECES_A_WHOLE;
    return tb__tier_force(k, p);
}

/* Without NVRTC, pieces that were shipped are the way to run; every other failure is the caller's to see. */
tb_status tb__tier_choose(tb_stream *s, tb_kernel *k, const tb_plan *p, bool met, tb_ready *pieces, tb_tier_choice *out)
{
    const bool single = is_single(p);
    *out = TB_TIER_WHOLE;
    const tb_status status = single || !tiered() ? tb__tier_force(k, p) : choose(s, k, p, met, pieces, out);
    if (status != TB_ERR_LIBRARY || single || !tb__ready_pieces(s, p, TB_ON_DISK, pieces)) return status;
    *out = TB_TIER_PIECES;
    return TB_OK;
}

tb_status tb__tier_force(tb_kernel *k, const tb_plan *p)
{
    if (tb__kernel_state(k) == TB_KERNEL_QUEUED) tb__tier_wait();
    if (k->failure == TB_ERR_LIBRARY) TB_TRY(tb__gpu->compiler_load());
    TB_TRY(tb__tier_advance(k, p, TB_ON_DISK));
    return tb__kernel_state(k) == TB_KERNEL_READY ? TB_OK : tb__kernel_compile(k, p);
}
