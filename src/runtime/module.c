/* module.c - user code: modules, and the table of those that were compiled in this process.
 *
 * A module belongs to the device that was current when it was made. Compiled modules are in a table, which keeps them
 * without a reference, so that one release too many is noticed: the same source is compiled once, and its variables
 * live on, whether or not a program keeps the module. Past TABLE_MAX the oldest ones that nobody refers to go.
 *
 * Compiling and loading happen without the core lock. Threads that ask for what another one is compiling wait for it,
 * unless they hold the core lock: the other one may need it to finish. Lock order: the core lock before `mutex`. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "backend/compile/option_words.h"
#include "backend/module.h"
#include "backend/start.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/lock.h"

enum { TABLE_MAX = 512 };

/* ---- lifetime ------------------------------------------------------------------------------------------------- */

static tb_status module_over(int device, void *handle, tb_module **out)
{
    tb_module *m = malloc(sizeof *m);
    if (!m) {
        tb__backend->module_unload(device, handle);
        return tb__fail_memory(sizeof *m, 0, 0, 0);
    }
    *m = (tb_module){.refs = 1, .device = device, .handle = handle};
    tb__object_made(TB_OBJECT_MODULE, m);
    *out = m;
    return TB_OK;
}

static void module_end(tb_module *m)
{
    tb__backend->module_unload(m->device, m->handle);
    tb__object_end(TB_OBJECT_MODULE, m, sizeof *m, NULL);
}

tb_module *tb_module_retain(tb_module *m)
{
    if (!m) return NULL;
    tb__lock();
    if (m->refs++ <= 0) tb__released_again("tb_module_retain", TB_OBJECT_MODULE, m);
    tb__unlock();
    return m;
}

void tb_module_release(tb_module *m)
{
    if (!m) return;
    if (!m) return;
    tb__lock();
    if (--m->refs < 0) tb__released_again("tb_module_release", TB_OBJECT_MODULE, m);
    else if (m->refs == 0 && !m->in_table) module_end(m);
    tb__unlock();
}

int tb_module_device(const tb_module *m)
{
    if (TB_IS_NONE(m)) return 0;
    return m->device;
}

uintptr_t tb_module_handle(const tb_module *m)
{
    if (TB_IS_NONE(m)) return 0;
    return tb__backend->module_handle(m->handle);
}

const char *tb_module_symbol(tb_module *m, const char *expression)
{
    if (TB_IS_NONE(m) || !expression) return NULL;
    return tb__backend->module_symbol(m->handle, expression);
}

tb_status tb_module_global(tb_module *m, const char *name, void **ptr, size_t *size)
{
    TB_NOT_NULL(m, name, ptr, size);
    tb__lock();
    tb_status status = tb__backend->module_global(m->device, m->handle, name, ptr, size);
    tb__unlock();
    return status;
}

/* The calling thread's device, opened. */
static tb_status ready_device(const char *who, int *device)
{
    TB_TRY(tb_init());
    tb__lock();
    *device = tb__device_current();
    tb_status status = tb__device_ready(who, *device);
    tb__unlock();
    return status;
}

tb_status tb_module_load(const void *image, size_t size, tb_module **out)
{
    TB_NOT_NULL(image, out);
    int device = 0;
    void *handle;
    TB_TRY(ready_device("tb_module_load", &device));
    TB_TRY(tb__backend->module_load(device, image, size, &handle));
    return module_over(device, handle, out);
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

static tb_module *table; /* newest first; under the core lock */
static int ntable;

static tb_module *find(int device, const tb_kernel_name *name)
{
    tb_module *m = table;
    while (m && (m->device != device || memcmp(&m->name, name, sizeof *name) != 0)) m = m->next;
    return m;
}

static tb_module *find_retained(int device, const tb_kernel_name *name)
{
    tb__lock();
    tb_module *m = find(device, name);
    if (m) m->refs++;
    tb__unlock();
    return m;
}

static void drop_oldest_unused(void)
{
    tb_module **unused = NULL;
    for (tb_module **link = &table; *link; link = &(*link)->next)
        if ((*link)->refs == 0) unused = link;
    if (!unused) return;
    tb_module *m = *unused;
    *unused = m->next;
    ntable--;
    module_end(m);
}

/* Puts m, whose reference is the caller's, into the table; if its like is there by now, that one is taken instead. */
static tb_module *publish(tb_module *m)
{
    tb__lock();
    tb_module *there = find(m->device, &m->name);
    if (there) {
        there->refs++;
        tb_module_release(m);
        m = there;
    } else {
        if (ntable >= TABLE_MAX) drop_oldest_unused();
        m->in_table = true;
        m->next = table;
        table = m;
        ntable++;
    }
    tb__unlock();
    return m;
}

/* ---- compiling ------------------------------------------------------------------------------------------------ */

/* What is being compiled now; each is on the stack of the thread that does it. */
typedef struct job {
    int device;
    const tb_kernel_name *name;
    struct job *next;
} job;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static job *jobs;

/* The threads that would finish the jobs are not in the child. */
static void in_child(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    finished = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    jobs = NULL;
}

__attribute__((constructor)) static void install_fork_handler(void) { pthread_atfork(NULL, NULL, in_child); }

static bool under_way(int device, const tb_kernel_name *name)
{
    job *j = jobs;
    while (j && (j->device != device || memcmp(j->name, name, sizeof *name) != 0)) j = j->next;
    return j != NULL;
}

static tb_status start_job(job *j)
{
    bool wait = !tb__lock_held();
    tb_status status = TB_OK;
    pthread_mutex_lock(&mutex);
    while (wait && status == TB_OK && under_way(j->device, j->name)) status = tb__cond_wait(&finished, &mutex);
    if (status == TB_OK) {
        j->next = jobs;
        jobs = j;
    }
    pthread_mutex_unlock(&mutex);
    return status;
}

static void end_job(job *j)
{
    pthread_mutex_lock(&mutex);
    job **link = &jobs;
    while (*link != j) link = &(*link)->next;
    *link = j->next;
    pthread_cond_broadcast(&finished);
    pthread_mutex_unlock(&mutex);
}

static tb_status compile(int device, const tb_module_source *source, const tb_kernel_name *name, char **log,
                         tb_module **out)
{
    void *handle;
    tb_module *m = NULL;
    TB_TRY(tb__backend->module_compile(device, source, log, &handle));
    TB_TRY(module_over(device, handle, &m));
    m->name = *name;
    *out = publish(m);
    return TB_OK;
}

static tb_status find_or_compile(int device, const tb_module_source *source, char **log, tb_module **out)
{
    tb_name_hash hash;
    tb_kernel_name name;
    tb__source_name(source, &hash);
    tb__name_end(&hash, &name);
    tb_module *m = find_retained(device, &name);
    tb_status status = TB_OK;
    if (!m) {
        job j = {.device = device, .name = &name};
        void *given = tb__wait_begin(); /* the thread that compiles the same may need it to get to its end */
        status = start_job(&j);
        if (status == TB_OK) {
            m = find_retained(device, &name);
            if (!m) status = compile(device, source, &name, log, &m);
            end_job(&j);
        }
        tb__wait_end(given);
    }
    if (status == TB_OK) *out = m;
    return status;
}

tb_status tb_module_compile(const tb_module_source *source, char **log, tb_module **out)
{
    if (log) *log = NULL;
    TB_NOT_NULL(source, out);
    TB_WHOLE_ARGS(tb_module_source, source, TB_MODULE_SOURCE_INIT);
    int device = 0;
    tb_status status = tb__options_check(source);
    if (status == TB_OK) status = ready_device("tb_module_compile", &device);
    if (status == TB_OK) status = find_or_compile(device, source, log, out);
    if (log && !*log) *log = strdup("");
    return status;
}
