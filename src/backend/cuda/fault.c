/* fault.c - which kernels a fault may have come from.
 *
 * The driver reports the fault of a kernel at a later call, and does not say whose it was. So the names of the kernels
 * launched last are kept for each device until a synchronisation succeeds. Written under the core lock. */
#include <stdio.h>
#include <string.h>

#include "backend/cuda/device.h"
#include "base/lock.h"

tb_cuda_recent tb__cuda_recent[TB_DEVICE_MAX];

void tb__cuda_forget(int device, const void *stream, bool every_stream, unsigned mark)
{
    tb_cuda_recent *r = &tb__cuda_recent[device];
    tb__lock();
    for (unsigned i = mark > TB_CUDA_RECENT ? mark - TB_CUDA_RECENT : 0; i < mark; i++) {
        if (r->n - i > TB_CUDA_RECENT) continue;
        unsigned at = i % TB_CUDA_RECENT;
        if (every_stream || r->stream[at] == stream) r->name[at] = NULL;
    }
    tb__unlock();
}

static bool is_fault(CUresult result)
{
    return result == CUDA_ERROR_ILLEGAL_ADDRESS || result == CUDA_ERROR_LAUNCH_TIMEOUT || result == CUDA_ERROR_ASSERT ||
           (result >= CUDA_ERROR_HARDWARE_STACK_ERROR && result <= CUDA_ERROR_LAUNCH_FAILED);
}

static const tb_cuda_recent *current_device(void)
{
    CUcontext context = NULL;
    if (tb__cu.cuCtxGetCurrent(&context) != CUDA_SUCCESS || !context) return NULL;
    for (int d = 0; d < TB_DEVICE_MAX; d++)
        if (tb__cuda_devices[d].context == context) return &tb__cuda_recent[d];
    return NULL;
}

void tb__cuda_add_suspects(CUresult result, char *message, size_t cap)
{
    const tb_cuda_recent *r = is_fault(result) ? current_device() : NULL;
    size_t len = strlen(message);
    bool first = true;
    if (!r) return;
    for (unsigned i = 0; i < TB_CUDA_RECENT && i < r->n && len < cap; i++) { /* newest first */
        const char *name = r->name[(r->n - 1 - i) % TB_CUDA_RECENT];
        bool again = false;
        for (unsigned k = 0; k < i; k++) again |= r->name[(r->n - 1 - k) % TB_CUDA_RECENT] == name;
        if (!name || again) continue;
        len += (size_t)snprintf(message + len, cap - len, "%s%s",
                                first ? "; kernels it may come from, the last one launched first: " : ", ", name);
        first = false;
    }
    if (len < cap) snprintf(message + len, cap - len, "; the device can be used again only in a new process");
}
