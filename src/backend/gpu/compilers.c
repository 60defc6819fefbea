/* compilers.c - the threads that compile, and what they have to do.
 *
 * A job is a kernel's source. Jobs are taken by what they are worth: first those that somebody waits for, then those
 * whose kernels have cost most by not being there. A thread touches nothing but the queue (guarded by `mutex`) and the
 * kernel of its job, which is QUEUED; it neither calls the driver nor takes the core lock. Threads are started when
 * there is work for one more, stop when the process exits, and do not exist in the child of a fork. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "backend/gpu/kernel.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/threads.h"

enum { MIN_THREADS = 2 };

typedef struct job {
    tb_kernel *kernel; /* NULL: the compiler's files are to be read ahead */
    char *source;
    int arch;
    bool named;
    tb_kernel_name name;
    uint64_t worth;
    struct job *next;
} job;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, ended = PTHREAD_COND_INITIALIZER;
static pthread_t threads[TB_COMPILERS_MAX];
static int nthread, nbusy, njob, nreading; /* nreading: of the busy ones, those that make no kernel */
static bool stopping;
static job *queue; /* oldest first */

/* Two at least, so that a kernel that is waited for does not keep all others from being made. */
static int most_threads(void)
{
    static int n; /* under the mutex */
    if (n) return n;
    const char *text = getenv("TOMBAC_COMPILE_THREADS");
    n = text ? atoi(text) : 0;
    if (n <= 0) n = tb__processors() < MIN_THREADS ? MIN_THREADS : tb__processors();
    return n = n < TB_COMPILERS_MAX ? n : TB_COMPILERS_MAX;
}

/* ---- a job ------------------------------------------------------------------------------------------------------ */

/* Exit handlers run in the reverse order of their installation, and NVRTC installs some when it is loaded and more
 * during its first compilation: so the threads are stopped by handlers from after each of them. Who exits in between
 * has to call tb_compile_stop. */
static tb_status compile(const job *j, tb_image *image)
{
    static _Thread_local bool loaded, compiled;
    if (!loaded) {
        TB_TRY(tb__gpu->compiler_load());
        loaded = atexit(tb__compilers_stop) == 0;
    }
    TB_TRY(tb__gpu->compile(j->source, j->arch, image));
    if (!compiled) compiled = atexit(tb__compilers_stop) == 0;
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

static void do_job(job *j)
{
    tb_kernel *k = j->kernel;
    tb_image image = {0};
    const tb_status status = obtain(j, &image);
    k->image = image;
    k->failure = status;
    tb__kernel_set_state(k, status == TB_OK ? TB_KERNEL_COMPILED : TB_KERNEL_FAILED);
}

static void free_job(job *j)
{
    free(j->source);
    free(j);
}

/* ---- the threads ------------------------------------------------------------------------------------------------ */

/* Of the most valuable jobs the oldest; NULL: there is none. */
static job *take_job(void)
{
    job **best = &queue;
    if (!queue) return NULL;
    for (job **link = &queue; *link; link = &(*link)->next)
        if ((*link)->worth > (*best)->worth) best = link;
    job *j = *best;
    *best = j->next;
    njob--;
    return j;
}

static void *do_jobs(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (!stopping) {
        job *j = take_job();
        if (!j) {
            pthread_cond_wait(&work, &mutex);
            continue;
        }
        const bool reads = j->kernel == NULL;
        nbusy++;
        nreading += reads;
        pthread_mutex_unlock(&mutex);
        if (reads) tb__gpu->compiler_read_ahead(&stopping);
        else do_job(j);
        free_job(j);
        pthread_mutex_lock(&mutex);
        nbusy--;
        nreading -= reads;
        pthread_cond_broadcast(&ended);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* What nobody has begun with is as if it had never been asked for. */
static void drop_jobs(void)
{
    for (job *j; (j = take_job()) != NULL; free_job(j))
        if (j->kernel) tb__kernel_set_state(j->kernel, TB_KERNEL_MISSING);
}

void tb__compilers_stop(void)
{
    pthread_t joined[TB_COMPILERS_MAX];
    pthread_mutex_lock(&mutex);
    const int n = nthread;
    for (int i = 0; i < n; i++) joined[i] = threads[i];
    nthread = 0;
    __atomic_store_n(&stopping, true, __ATOMIC_RELAXED);
    drop_jobs();
    pthread_cond_broadcast(&work);
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < n; i++) pthread_join(joined[i], NULL);
}

static void before_fork(void) { pthread_mutex_lock(&mutex); }
static void in_parent(void) { pthread_mutex_unlock(&mutex); }

/* Kernels that a thread was at stay QUEUED; nobody waits for these while there is no thread. */
static void in_child(void)
{
    nthread = nbusy = nreading = 0;
    drop_jobs();
    pthread_cond_init(&work, NULL);
    pthread_cond_init(&ended, NULL);
    pthread_mutex_unlock(&mutex);
}

/* Signals are for the program's own threads. */
static bool start_thread(void)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const bool ok = pthread_create(&threads[nthread], NULL, do_jobs, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    nthread += ok;
    return ok;
}

/* With the mutex held: sees to it that there is a thread for one job more. */
static bool prepare_threads(void)
{
    static bool prepared;
    if (stopping) return false;
    if (!prepared) prepared = pthread_atfork(before_fork, in_parent, in_child) == 0 && atexit(tb__compilers_stop) == 0;
    if (!prepared) return false;
    if (nbusy + njob < nthread || nthread == most_threads()) return true;
    return start_thread() || nthread > 0;
}

static bool post(job *j)
{
    pthread_mutex_lock(&mutex);
    const bool ok = prepare_threads();
    if (ok) {
        job **end = &queue;
        while (*end) end = &(*end)->next;
        *end = j;
        njob++;
        if (j->kernel) tb__kernel_set_state(j->kernel, TB_KERNEL_QUEUED);
        pthread_cond_signal(&work);
    }
    pthread_mutex_unlock(&mutex);
    return ok;
}

/* ---- asking and waiting ----------------------------------------------------------------------------------------- */

bool tb__compilers_submit(tb_kernel *k, const tb_plan *p, uint64_t worth)
{
    const tb_gpu_device *d = &tb__gpu_devices[k->device];
    tb_text source = {0};
    job *j = calloc(1, sizeof *j);
    if (!j || tb__codegen_source(p, &d->chip, &source) != TB_OK || source.failed) goto fail;
    *j = (job){.kernel = k, .source = source.s, .arch = d->arch, .worth = worth};
    j->named = tb__disk_name(source.s, d->arch, &j->name);
    if (post(j)) return true;
fail:
    tb__text_free(&source);
    free(j);
    return false;
}

void tb__compilers_read_ahead(void)
{
    static bool done; /* under the core lock */
    job *j = done ? NULL : calloc(1, sizeof *j);
    done = true;
    if (j && !post(j)) free(j);
}

void tb__compilers_raise(const tb_kernel *k, uint64_t worth)
{
    pthread_mutex_lock(&mutex);
    for (job *j = queue; j; j = j->next)
        if (j->kernel == k && j->worth < worth) j->worth = worth;
    pthread_mutex_unlock(&mutex);
}

int tb__compilers_idle(void)
{
    pthread_mutex_lock(&mutex);
    const int n = stopping ? 0 : most_threads() - nbusy - njob;
    pthread_mutex_unlock(&mutex);
    return n > 0 ? n : 0;
}

static bool are_over(int n, tb_kernel *const *k)
{
    while (n > 0 && tb__kernel_state(k[n - 1]) != TB_KERNEL_QUEUED) n--;
    return n == 0;
}

/* Whether the plan can run, or will not by waiting. */
static bool is_over(const tb_wanted *w)
{
    return nthread == 0 || are_over(1, &w->whole) || (w->steps && are_over(w->nstep, w->step));
}

void tb__compilers_wait_for(const tb_wanted *w)
{
    void *given = tb__wait_begin();
    pthread_mutex_lock(&mutex);
    while (!is_over(w)) pthread_cond_wait(&ended, &mutex);
    pthread_mutex_unlock(&mutex);
    tb__wait_end(given);
}

void tb__compilers_wait(void)
{
    pthread_mutex_lock(&mutex);
    while (nthread > 0 && (queue || nbusy > nreading)) pthread_cond_wait(&ended, &mutex);
    pthread_mutex_unlock(&mutex);
}
