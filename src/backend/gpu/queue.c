/* queue.c - what is kept for each stream of a GPU, and memory for it. */
#include <stdlib.h>

#include "backend/gpu/gpu.h"
#include "base/error.h"

const tb_gpu *tb__gpu;
tb_gpu_device tb__gpu_devices[TB_DEVICE_MAX];

static tb_gpu_queue *queues[TB_DEVICE_MAX]; /* the one used last comes first */

static tb_gpu_queue *find_queue(int device, const void *handle)
{
    tb_gpu_queue **link = &queues[device];
    while (*link && (*link)->handle != handle) link = &(*link)->next;
    tb_gpu_queue *q = *link;
    if (q && q != queues[device]) {
        *link = q->next;
        q->next = queues[device];
        queues[device] = q;
    }
    return q;
}

/* While a stream is captured what it needs is the graph's, whose launches run beside the stream's later work. */
tb_status tb__gpu_queue(tb_stream *s, tb_gpu_queue **out)
{
    void *key = s->capture ? (void *)s->capture : s->handle;
    tb_gpu_queue *q = queues[s->device];
    if (!q || q->handle != key) q = find_queue(s->device, key);
    if (!q) {
        q = calloc(1, sizeof *q);
        if (!q) return tb__fail_memory(sizeof *q, 0, 0, 0);
        q->handle = key;
        q->next = queues[s->device];
        queues[s->device] = q;
    }
    *out = q;
    return TB_OK;
}

/* The driver's free waits for the device, so kernels that still use the memory finish first. */
void tb__gpu_queue_free(int device, const void *handle)
{
    tb_gpu_queue *q = find_queue(device, handle);
    if (!q) return;
    queues[device] = q->next;
    while (q->outgrown) {
        tb_gpu_outgrown *old = q->outgrown;
        q->outgrown = old->next;
        tb__gpu_free(device, old->memory);
        free(old);
    }
    tb__gpu_free(device, q->counters);
    tb__gpu_free(device, q->blas_workspace);
    free(q);
}

tb_status tb__gpu_alloc(int device, size_t bytes, void **ptr)
{
    tb_status status = tb__backend->mem_alloc(device, bytes, ptr);
    if (status != TB_ERR_MEMORY) return status;
    tb__pool_free_all(device);
    return tb__backend->mem_alloc(device, bytes, ptr);
}

void tb__gpu_free(int device, void *ptr)
{
    if (ptr) tb__backend->mem_free(device, ptr);
}
