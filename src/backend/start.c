/* start.c - which backend runs, its devices, and the public functions about devices and the counters.
 *
 * The backend is chosen once and never changes. `chosen` is set after tb__backend, so that whoever sees it set may use
 * the backend without the lock. Waiting for a device happens without the core lock, so that other threads can go on. */
#include "backend/start.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "graph/expr.h"

const tb_backend *tb__backend;
tb_counters tb__count;

static bool chosen;
static int device_count;
static bool device_open[TB_DEVICE_MAX];
static char *cuda_failure; /* why the CPU runs although nobody asked for it */

/* ---- start ---------------------------------------------------------------------------------------------------- */

static tb_status choose(const tb_backend **out)
{
    const char *wanted = getenv("TOMBAC_BACKEND");
    bool any = !wanted || !*wanted;
    if (!any && strcmp(wanted, "cpu") != 0 && strcmp(wanted, "cuda") != 0)
        return tb__fail(TB_ERR_VALUE, "TOMBAC_BACKEND is \"%s\"; it must be \"cpu\" or \"cuda\"", wanted);
    const tb_backend *backend = NULL;
    if (any || strcmp(wanted, "cuda") == 0) {
        backend = tb__backend_cuda();
        if (!backend && !any) {
            tb__error_prefix("TOMBAC_BACKEND=cuda");
            return tb_error_driver_code() ? TB_ERR_DEVICE : TB_ERR_LIBRARY;
        }
        if (!backend) cuda_failure = strdup(tb_error_message());
    }
    if (!backend) backend = tb__backend_cpu();
    if (!backend) return TB_ERR_LIBRARY;
    *out = backend;
    return TB_OK;
}

static tb_status start(void)
{
    const tb_backend *backend = NULL;
    int n;
    TB_TRY(choose(&backend));
    TB_TRY(backend->device_count(&n));
    device_count = n < TB_DEVICE_MAX ? n : TB_DEVICE_MAX;
    tb__backend = backend;
    __atomic_store_n(&chosen, true, __ATOMIC_RELEASE);
    return TB_OK;
}

tb_status tb_init(void)
{
    if (__builtin_expect(__atomic_load_n(&chosen, __ATOMIC_ACQUIRE), 1)) return TB_OK;
    tb__lock();
    tb_status status = chosen ? TB_OK : start();
    tb__unlock();
    return status;
}

const char *tb_backend_name(void)
{
    return __atomic_load_n(&chosen, __ATOMIC_ACQUIRE) ? tb__backend->name : "";
}

tb_status tb_show_config(char **text)
{
    tb_text t = {0};
    TB_TRY(tb_init());
    tb__lock();
    tb__text_addf(&t, "tombac %s\nbackend: %s\ndevices: %d\n", TB_VERSION, tb__backend->name, device_count);
    if (cuda_failure) tb__text_addf(&t, "CUDA not used: %s\n", cuda_failure);
    else if (tb__backend->on_host) tb__text_addf(&t, "CUDA not looked for: TOMBAC_BACKEND=cpu\n");
    if (tb__backend->show_config) tb__backend->show_config(&t);
    tb__unlock();
    if (t.failed) {
        tb__text_free(&t);
        return tb__fail_memory(t.len, 0, 0, 0);
    }
    *text = t.s;
    return TB_OK;
}

void tb_free(void *p) { free(p); }

/* ---- devices -------------------------------------------------------------------------------------------------- */

static tb_status check_device(const char *who, int device)
{
    enum { INVALID_DEVICE = 101 }; /* CUDA's number, which programs that catch the error compare with */
    TB_TRY(tb_init());
    if (device >= 0 && device < device_count) return TB_OK;
    tb__fail_device(INVALID_DEVICE, who, "invalid device ordinal");
    tb_text t = {0};
    tb__text_addf(&t, "device %d of %d", device, device_count);
    if (t.s) tb__error_prefix(t.s);
    tb__text_free(&t);
    return TB_ERR_DEVICE;
}

tb_status tb__device_ready(const char *who, int device)
{
    TB_TRY(check_device(who, device));
    if (device_open[device]) return TB_OK;
    TB_TRY(tb__backend->device_open(device));
    device_open[device] = true;
    return TB_OK;
}

tb_status tb_device_count(int *n)
{
    TB_TRY(tb_init());
    *n = device_count;
    return TB_OK;
}

tb_status tb_device_current(int *device)
{
    TB_TRY(tb_init());
    *device = tb__device_current();
    return TB_OK;
}

tb_status tb_device_synchronize(int device)
{
    TB_TRY(check_device("tb_device_synchronize", device));
    tb__lock();
    bool open = device_open[device];
    tb_status status = open ? tb__flush_device(device) : TB_OK;
    tb__unlock();
    if (status == TB_OK && open) status = tb__backend->device_synchronize(device);
    return status;
}

tb_status tb_device_memory(int device, size_t *free_bytes, size_t *total_bytes)
{
    tb__lock();
    tb_status status = tb__device_ready("tb_device_memory", device);
    if (status == TB_OK) status = tb__backend->mem_info(device, free_bytes, total_bytes);
    tb__unlock();
    return status;
}

tb_status tb_device_name(int device, char *name, size_t cap)
{
    int major, minor;
    TB_TRY(check_device("tb_device_name", device));
    tb__lock();
    tb_status status = tb__backend->device_info(device, name, cap, &major, &minor);
    tb__unlock();
    return status;
}

tb_status tb_device_capability(int device, int *major, int *minor)
{
    char name[256];
    TB_TRY(check_device("tb_device_capability", device));
    tb__lock();
    tb_status status = tb__backend->device_info(device, name, sizeof name, major, minor);
    tb__unlock();
    return status;
}

tb_status tb_device_attribute(int device, int attribute, int *value)
{
    TB_TRY(check_device("tb_device_attribute", device));
    tb__lock();
    tb_status status = tb__backend->device_attribute(device, attribute, value);
    tb__unlock();
    return status;
}

/* ---- counters ------------------------------------------------------------------------------------------------- */

void tb_counters_get(tb_counters *out)
{
    tb__lock();
    *out = tb__count;
    tb__unlock();
}

void tb_counters_reset(void)
{
    tb__lock();
    tb__count = (tb_counters){0};
    tb__unlock();
}

void tb_compile_stop(void)
{
    if (__atomic_load_n(&chosen, __ATOMIC_ACQUIRE) && tb__backend->compile_stop) tb__backend->compile_stop();
}

void tb_compile_wait(void)
{
    if (__atomic_load_n(&chosen, __ATOMIC_ACQUIRE) && tb__backend->compile_wait) tb__backend->compile_wait();
}
