/* device.c - what users see of devices, of the library's configuration and of its counters.
 *
 * Waiting for a device happens without the core lock, so that other threads can go on. */
#include <stdlib.h>

#include "backend/retry.h"
#include "backend/start.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/waits.h"
#include "graph/expr.h"

const char *tb_backend_name(void) { return tb__backend_chosen() ? tb__backend->name : ""; }

tb_status tb_show_config(char **text)
{
    TB_NOT_NULL(text);
    tb_text t = {0};
    TB_TRY(tb_init());
    tb__lock();
    tb__text_addf(&t, "tombac %s\nbackend: %s\ndevices: %d\n", TB_VERSION, tb__backend->name, tb__device_total());
    if (tb__cuda_failure()) tb__text_addf(&t, "CUDA not used: %s\n", tb__cuda_failure());
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

tb_status tb_device_count(int *n)
{
    TB_NOT_NULL(n);
    TB_TRY(tb_init());
    *n = tb__device_total();
    return TB_OK;
}

tb_status tb_device_current(int *device)
{
    TB_NOT_NULL(device);
    TB_TRY(tb_init());
    *device = tb__device_current();
    return TB_OK;
}

tb_status tb_device_synchronize(int device)
{
    TB_TRY(tb__device_check("tb_device_synchronize", device));
    TB_TRY(tb__may_wait("the device"));
    tb__lock();
    bool open = tb__device_is_open(device);
    tb_status status = open ? TB__RETRYING(tb__flush_device(device)) : TB_OK;
    tb_status (*wait)(int) = tb__backend->device_synchronize;
    tb__unlock();
    if (status == TB_OK && open) status = wait(device);
    return status;
}

tb_status tb_device_memory(int device, size_t *free_bytes, size_t *total_bytes)
{
    TB_NOT_NULL(free_bytes, total_bytes);
    tb__lock();
    tb_status status = tb__device_ready("tb_device_memory", device);
    if (status == TB_OK) status = tb__backend->mem_info(device, free_bytes, total_bytes);
    tb__unlock();
    return status;
}

tb_status tb_device_name(int device, char *name, size_t cap)
{
    TB_NOT_NULL(name);
    int major, minor;
    TB_TRY(tb__device_check("tb_device_name", device));
    tb__lock();
    tb_status status = tb__backend->device_info(device, name, cap, &major, &minor);
    tb__unlock();
    return status;
}

tb_status tb_device_capability(int device, int *major, int *minor)
{
    TB_NOT_NULL(major, minor);
    char name[256];
    TB_TRY(tb__device_check("tb_device_capability", device));
    tb__lock();
    tb_status status = tb__backend->device_info(device, name, sizeof name, major, minor);
    tb__unlock();
    return status;
}

tb_status tb_device_attribute(int device, int attribute, int *value)
{
    TB_NOT_NULL(value);
    TB_TRY(tb__device_check("tb_device_attribute", device));
    tb__lock();
    tb_status status = tb__backend->device_attribute(device, attribute, value);
    tb__unlock();
    return status;
}

/* ---- counters ------------------------------------------------------------------------------------------------- */

/* All of them are of one type. Some are moved on without the lock. */
enum { COUNTERS = sizeof(tb_counters) / sizeof(uint64_t) };

void tb_counters_get(tb_counters *out, size_t size)
{
    tb_counters all;
    if (!out) return;
    const uint64_t *from = (const uint64_t *)&tb__count;
    uint64_t *to = (uint64_t *)&all;
    tb__lock();
    for (size_t i = 0; i < COUNTERS; i++) to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
    tb__unlock();
    tb__fill_struct(out, size, &all, sizeof all);
}

void tb_counters_reset(void)
{
    uint64_t *count = (uint64_t *)&tb__count;
    tb__lock();
    for (size_t i = 0; i < COUNTERS; i++) __atomic_store_n(&count[i], 0, __ATOMIC_RELAXED);
    tb__unlock();
}

void tb_compile_stop(void)
{
    if (tb__backend_chosen() && tb__backend->compile_stop) tb__backend->compile_stop();
}

void tb_compile_wait(void)
{
    if (tb__backend_chosen() && tb__backend->compile_wait) tb__backend->compile_wait();
}
