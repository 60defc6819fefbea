/* compilers.c - the threads that compile, and what they have to do.
 *
 * A job is a kernel's source. Jobs are taken by what they are worth: first those that somebody waits for, then those
 * whose kernels have cost most by not being there. A thread touches nothing but the queue (guarded by `mutex`) and the
 * kernel of its job, which is QUEUED; it neither calls the driver nor takes the core lock. Threads are started when
 * there is work for one more, stop when the process exits, and do not exist in the child of a fork.
 *
 * What somebody waits for is compiled in a hurry, where the compiler knows how: it takes about half the time, and
 * makes a kernel that is not as fast. Such jobs go to a queue of their own then, whose turn comes when nobody has
 * waited for a while, and the kernel gets its better image. A program that ends before that waits for none of it. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/threads.h"

enum {
    MIN_THREADS = 2,
    QUIET = 200000000, /* ns that nobody has waited before what was made in a hurry is made better */
};

typedef struct job {
    tb_kernel *kernel; /* NULL: the compiler's files are to be read ahead */
    char *source;
    int arch;
    bool named, hurries; /* hurries: it may be compiled in a hurry if somebody waits */
    tb_kernel_name name;
    uint64_t worth;
    struct job *next;
} job;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, ended = PTHREAD_COND_INITIALIZER;
static pthread_t threads[TB_COMPILERS_MAX];
static int nthread, nbusy, njob, nreading; /* nreading: of the busy ones, those that make no kernel */
static int nimproving, nhurrying; /* of the busy ones, those that improve a kernel, and those that are in a hurry */
static int nwaiting;              /* threads that wait for all there is */
static struct timespec quiet;     /* from when on kernels may be improved */
static bool stopping;
static job *queue, *hasty; /* oldest first; hasty: those whose kernels are to be improved */

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
static tb_status compile(const job *j, bool hurry, tb_image *image)
{
    static _Thread_local bool compiled;
    TB_TRY(tb__gpu->compile(j->source, j->arch, hurry, image));
    if (!compiled) compiled = atexit(tb__compilers_stop) == 0;
    return TB_OK;
}

static tb_status load(void)
{
    static _Thread_local bool loaded;
    if (loaded) return TB_OK;
    TB_TRY(tb__gpu->compiler_load());
    loaded = atexit(tb__compilers_stop) == 0;
    return TB_OK;
}

static bool read_file(tb_kernel *k, const tb_kernel_name *name, tb_image *image)
{
    k->read = tb__disk_read(name, image);
    if (k->read) tb__count_up(&tb__count.cache_hits_disk);
    return k->read;
}

/* What was made in a hurry has a name of its own: it is not the kernel that is looked for first. */
static tb_kernel_name hasty_name(const job *j)
{
    tb_kernel_name name = j->name;
    name.bytes[0] ^= 0xff;
    return name;
}

/* *hurry: whether to be hasty; then whether the image is such a one. */
static tb_status obtain(const job *j, bool *hurry, tb_image *image)
{
    tb_kernel *k = j->kernel;
    const bool wanted = *hurry;
    const tb_kernel_name name = hasty_name(j);
    *hurry = false;
    if (k->searched < TB_ON_DISK && j->named && read_file(k, &j->name, image)) return TB_OK;
    *hurry = wanted && j->named && !k->distrusted && read_file(k, &name, image);
    if (*hurry) return TB_OK;
    TB_TRY(load());
    *hurry = wanted && tb__gpu->compiler_hurries();
    if (*hurry && compile(j, true, image) != TB_OK) *hurry = false; /* in full it may be possible */
    if (!*hurry) TB_TRY(compile(j, false, image));
    tb__count_up(&tb__count.compiles);
    if (j->named) tb__disk_write(*hurry ? &name : &j->name, image);
    return TB_OK;
}

/* Whether the kernel is to be improved. */
static bool do_job(job *j, bool hurry)
{
    tb_kernel *k = j->kernel;
    tb_image image = {0};
    k->read = false;
    const tb_status status = obtain(j, &hurry, &image);
    k->image = image;
    k->failure = status;
    tb__kernel_set_state(k, status == TB_OK ? TB_KERNEL_COMPILED : TB_KERNEL_FAILED);
    return status == TB_OK && hurry;
}

/* Where that fails the kernel stays as it is. */
static void improve(const job *j)
{
    tb_image image = {0};
    if (load() != TB_OK || compile(j, false, &image) != TB_OK) return;
    const tb_kernel_name name = hasty_name(j);
    if (j->named) tb__disk_write(&j->name, &image);
    if (j->named) tb__disk_remove(&name);
    j->kernel->better = image;
    __atomic_store_n(&j->kernel->improved, true, __ATOMIC_RELEASE);
    tb__recent_forget();
}

static void free_job(job *j)
{
    free(j->source);
    free(j);
}

/* ---- the queues ------------------------------------------------------------------------------------------------- */

static void append(job **end, job *j)
{
    while (*end) end = &(*end)->next;
    j->next = NULL;
    *end = j;
}

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

static bool is_quiet(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return nwaiting > 0 || now.tv_sec > quiet.tv_sec || (now.tv_sec == quiet.tv_sec && now.tv_nsec >= quiet.tv_nsec);
}

static void note_waiting(void)
{
    clock_gettime(CLOCK_REALTIME, &quiet);
    quiet.tv_nsec += QUIET;
    quiet.tv_sec += quiet.tv_nsec / 1000000000;
    quiet.tv_nsec %= 1000000000;
}

/* Threads that may improve kernels: not all of them, for somebody may come to wait. */
static bool may_improve(void)
{
    return nimproving < tb__max(1, most_threads() / 4) && (nhurrying == 0 || nwaiting > 0);
}

static job *take_hasty(void)
{
    job *j = hasty;
    if (!j || !may_improve() || !is_quiet()) return NULL;
    hasty = j->next;
    return j;
}

/* ---- the threads ------------------------------------------------------------------------------------------------ */

/* With the mutex, which is given up meanwhile. */
static void work_on(job *j, bool improves)
{
    const bool reads = j->kernel == NULL;
    const bool hurry = !improves && j->hurries && j->worth == (uint64_t)TB_WORTH_WAITING;
    bool again = false;
    nbusy++;
    nreading += reads;
    nimproving += improves;
    nhurrying += hurry;
    pthread_mutex_unlock(&mutex);
    if (improves) improve(j);
    else if (reads) tb__gpu->compiler_read_ahead(&stopping);
    else again = do_job(j, hurry);
    pthread_mutex_lock(&mutex);
    if (again && !improves && !stopping) append(&hasty, j);
    else free_job(j);
    nbusy--;
    nreading -= reads;
    nimproving -= improves;
    nhurrying -= hurry;
    if (hurry) note_waiting();
    if (hasty) pthread_cond_broadcast(&work);
    pthread_cond_broadcast(&ended);
}

static void await_work(void)
{
    if (hasty && may_improve()) pthread_cond_timedwait(&work, &mutex, &quiet);
    else pthread_cond_wait(&work, &mutex);
}

static void *do_jobs(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (!stopping) {
        job *j = take_job(), *other = j ? NULL : take_hasty();
        if (j || other) work_on(j ? j : other, !j);
        else await_work();
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* What nobody has begun with is as if it had never been asked for. */
static void drop_jobs(void)
{
    for (job *j; (j = take_job()) != NULL; free_job(j))
        if (j->kernel) tb__kernel_set_state(j->kernel, TB_KERNEL_MISSING);
    for (job *j; (j = hasty) != NULL; free_job(j)) hasty = j->next;
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
    nthread = nbusy = nreading = nimproving = nhurrying = nwaiting = 0;
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
        append(&queue, j);
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
    *j = (job){.kernel = k, .source = source.s, .arch = d->arch, .worth = worth, .hurries = tb__tier_hurries()};
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
    nwaiting++;
    pthread_cond_broadcast(&work);
    while (nthread > 0 && (queue || hasty || nbusy > nreading)) pthread_cond_wait(&ended, &mutex);
    nwaiting--;
    pthread_mutex_unlock(&mutex);
}
