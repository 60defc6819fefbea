/* start.c - which backend runs: it is chosen once, and its devices are opened when they are first used.
 *
 * `chosen` is set after tb__backend, so that whoever sees it set may use the backend without the lock. */
#include "backend/start.h"

#include <stdlib.h>
#include <string.h>

#include "backend/stream.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/processor.h"

static bool chosen;
static int device_count;
static bool device_open[TB_DEVICE_MAX];
static char *cuda_failure; /* why the CPU runs although nobody asked for it */

/* ---- start ---------------------------------------------------------------------------------------------------- */

static tb_status choose(const tb_backend **out)
{
    enum { ANY = -1, CPU, CUDA };
    const int64_t wanted = tb__environment(TB_ENV_BACKEND, ANY);
    const tb_backend *backend = NULL;
    if (wanted != CPU) {
        backend = tb__backend_cuda();
        if (!backend && wanted == CUDA) {
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
    TB_TRY(tb_processor_check());
    TB_TRY(tb__environment_check());
    TB_TRY(choose(&backend));
    TB_TRY(backend->device_count(&n));
    device_count = n < TB_DEVICE_MAX ? n : TB_DEVICE_MAX;
    tb__backend = backend;
    tb__host_run = tb__backend_cpu()->run;
    tb__host_solve = tb__backend_cpu()->solve;
    tb__host_recur = tb__backend_cpu()->recur;
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

/* ---- devices -------------------------------------------------------------------------------------------------- */

tb_status tb__device_check(const char *who, int device)
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
    TB_TRY(tb__device_check(who, device));
    if (device_open[device]) return TB_OK;
    TB_TRY(tb__backend->device_open(device));
    device_open[device] = true;
    return TB_OK;
}

bool tb__backend_chosen(void) { return __atomic_load_n(&chosen, __ATOMIC_ACQUIRE); }
bool tb__device_is_open(int device) { return device_open[device]; }
int tb__device_total(void) { return device_count; }
const char *tb__cuda_failure(void) { return cuda_failure; }

tb_status tb__first_stream(tb_stream **out)
{
    TB_TRY(tb__device_ready("tb_stream_current", tb__current_device));
    tb_stream *s = tb__null_stream(tb__current_device);
    s->refs++;
    tb__current_streams[tb__current_device] = s;
    *out = s;
    return TB_OK;
}

tb_status tb__stream_on(int device, tb_stream **out)
{
    if (__builtin_expect(device == tb__current_device, 1)) return tb__current_stream(out);
    TB_TRY(tb__device_ready("tb_stream_current", device));
    *out = tb__current_streams[device] ? tb__current_streams[device] : tb__null_stream(device);
    return TB_OK;
}

tb_status tb_device_use(int device)
{
    tb__lock();
    tb_status status = tb__device_ready("tb_device_use", device);
    if (status == TB_OK) tb__current_device = device;
    tb__unlock();
    return status;
}
