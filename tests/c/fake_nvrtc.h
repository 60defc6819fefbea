/* fake_nvrtc.h - a runtime compiler that only pretends: it takes the time that a test gives it, counts, and answers
 * with what fake_cuda.c takes for machine code. It is in the library's table in place of the real one, so that tests of
 * when kernels are compiled need no NVRTC and know what happens at the same time. */
#ifndef TB_TESTS_FAKE_NVRTC_H
#define TB_TESTS_FAKE_NVRTC_H
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/cuda/dynlib.h"
#include "check.h"

enum { FAKE_NVRTC_THREADS = 16 };

static struct fake_nvrtc {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool (*holds)(const char *source); /* whether a compilation has to wait until this is changed */
    bool (*fails)(const char *source);
    int ms;                            /* that each takes */
    int started, ended, running, most; /* most: at the same time */
    int hasty;                         /* of those that ended, how many were to be made in a hurry */
    int nthread, by[FAKE_NVRTC_THREADS];
    pthread_t thread[FAKE_NVRTC_THREADS];
} fake_nvrtc = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static inline void fake_nvrtc_count_thread(void)
{
    int i = 0;
    while (i < fake_nvrtc.nthread && !pthread_equal(fake_nvrtc.thread[i], pthread_self())) i++;
    if (i == FAKE_NVRTC_THREADS) abort();
    fake_nvrtc.nthread += i == fake_nvrtc.nthread;
    fake_nvrtc.thread[i] = pthread_self();
    fake_nvrtc.by[i]++;
}

/* A program is a copy of its source. */
static inline nvrtcResult fake_nvrtc_create(nvrtcProgram *program, const char *source, const char *name, int nheader,
                                            const char *const *headers, const char *const *names)
{
    (void)name, (void)nheader, (void)headers, (void)names;
    *program = (nvrtcProgram)strdup(source);
    return NVRTC_SUCCESS;
}

static inline nvrtcResult fake_nvrtc_destroy(nvrtcProgram *program)
{
    free(*program);
    *program = NULL;
    return NVRTC_SUCCESS;
}

static inline nvrtcResult fake_nvrtc_compile(nvrtcProgram program, int noption, const char *const *options)
{
    struct fake_nvrtc *f = &fake_nvrtc;
    int hasty = 0;
    for (int i = 0; i < noption; i++) hasty += strcmp(options[i], "--Ofast-compile=mid") == 0;
    pthread_mutex_lock(&f->mutex);
    fake_nvrtc_count_thread();
    f->started++;
    if (++f->running > f->most) f->most = f->running;
    pthread_cond_broadcast(&f->changed);
    while (f->holds && f->holds((const char *)program)) pthread_cond_wait(&f->changed, &f->mutex);
    const int ms = f->ms;
    const bool fails = f->fails && f->fails((const char *)program);
    pthread_mutex_unlock(&f->mutex);
    if (ms) usleep((unsigned)ms * 1000);
    pthread_mutex_lock(&f->mutex);
    f->running--;
    f->ended++;
    f->hasty += hasty;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->mutex);
    return fails ? (nvrtcResult)6 : NVRTC_SUCCESS;
}

static inline nvrtcResult fake_nvrtc_size(nvrtcProgram program, size_t *size)
{
    (void)program;
    *size = 5;
    return NVRTC_SUCCESS;
}

static inline nvrtcResult fake_nvrtc_image(nvrtcProgram program, char *image)
{
    (void)program;
    memcpy(image, "\177ELF", 5);
    return NVRTC_SUCCESS;
}

static inline nvrtcResult fake_nvrtc_log(nvrtcProgram program, char *log)
{
    (void)program;
    memcpy(log, "made", 5);
    return NVRTC_SUCCESS;
}

static inline nvrtcResult fake_nvrtc_version(int *major, int *minor)
{
    *major = 13, *minor = 0;
    return NVRTC_SUCCESS;
}

static inline nvrtcResult fake_nvrtc_narch(int *n)
{
    *n = 1;
    return NVRTC_SUCCESS;
}

static inline nvrtcResult fake_nvrtc_archs(int *archs)
{
    archs[0] = 90;
    return NVRTC_SUCCESS;
}

/* Before the first compilation. */
static inline void fake_nvrtc_install(void)
{
    tb__nvrtc = (tb_nvrtc_table){
        .nvrtcVersion = fake_nvrtc_version,
        .nvrtcGetNumSupportedArchs = fake_nvrtc_narch,
        .nvrtcGetSupportedArchs = fake_nvrtc_archs,
        .nvrtcCreateProgram = fake_nvrtc_create,
        .nvrtcDestroyProgram = fake_nvrtc_destroy,
        .nvrtcCompileProgram = fake_nvrtc_compile,
        .nvrtcGetCUBINSize = fake_nvrtc_size,
        .nvrtcGetCUBIN = fake_nvrtc_image,
        .nvrtcGetProgramLogSize = fake_nvrtc_size,
        .nvrtcGetProgramLog = fake_nvrtc_log,
    };
    snprintf(tb__library_nvrtc.path, sizeof tb__library_nvrtc.path, "/proc/self/exe");
    __atomic_store_n(&tb__library_nvrtc.ready, true, __ATOMIC_RELEASE);
}

static inline void fake_nvrtc_hold(bool (*holds)(const char *source))
{
    pthread_mutex_lock(&fake_nvrtc.mutex);
    fake_nvrtc.holds = holds;
    pthread_cond_broadcast(&fake_nvrtc.changed);
    pthread_mutex_unlock(&fake_nvrtc.mutex);
}

static inline void fake_nvrtc_fail(bool (*fails)(const char *source))
{
    pthread_mutex_lock(&fake_nvrtc.mutex);
    fake_nvrtc.fails = fails;
    pthread_mutex_unlock(&fake_nvrtc.mutex);
}

static inline bool fake_nvrtc_all(const char *source)
{
    (void)source;
    return true;
}

/* Begins to count anew. */
static inline void fake_nvrtc_reset(void)
{
    pthread_mutex_lock(&fake_nvrtc.mutex);
    fake_nvrtc.started = fake_nvrtc.ended = fake_nvrtc.hasty = fake_nvrtc.most = fake_nvrtc.nthread = 0;
    memset(fake_nvrtc.by, 0, sizeof fake_nvrtc.by);
    pthread_mutex_unlock(&fake_nvrtc.mutex);
}

/* Until n compilations have been started since then. */
static inline void fake_nvrtc_await(int n)
{
    pthread_mutex_lock(&fake_nvrtc.mutex);
    while (fake_nvrtc.started < n) pthread_cond_wait(&fake_nvrtc.changed, &fake_nvrtc.mutex);
    pthread_mutex_unlock(&fake_nvrtc.mutex);
}
#endif
