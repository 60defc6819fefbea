/* staging.c - large copies between pageable host memory and a device.
 *
 * The driver takes such memory through pinned memory of its own with one thread, which moves fewer bytes than the bus
 * takes, and has the page faults of new memory one after the other. Here several threads do. Each has two chunks of
 * pinned memory: while the device moves one, the thread moves the other. Chunks are large beside the cost of the two
 * calls for each. */
#include <stdatomic.h>
#include <string.h>

#include "backend/cuda/abi_cudart.h"
#include "backend/cuda/device.h"
#include "backend/cuda/capture.h"
#include "base/error.h"
#include "base/threads.h"

enum { CHUNK = 1 << 20, LANES = 16, LEAST = 4 * CHUNK };

typedef struct lane {
    char *chunk[2];
    CUevent moved[2]; /* the device is done with the chunk */
} lane;

static struct stage {
    lane lane[LANES];
    int nlane;   /* that have their memory */
    bool failed; /* there is no more to be had */
    bool taken;  /* by a copy: the core lock may be given up while it waits */
} stages[TB_DEVICE_MAX];

/* ---- one copy --------------------------------------------------------------------------------------------------- */

typedef struct copy {
    lane *lane;
    CUcontext context;
    CUstream stream;
    CUdeviceptr device;
    char *host;
    size_t n;
    atomic_size_t next; /* bytes handed out */
    atomic_int result;  /* the driver's first error */
} copy;

typedef struct part {
    size_t at, n; /* n is 0 where nothing is left */
} part;

static bool fails(copy *c, CUresult result)
{
    int none = CUDA_SUCCESS;
    if (result != CUDA_SUCCESS) atomic_compare_exchange_strong(&c->result, &none, (int)result);
    return result != CUDA_SUCCESS;
}

static part next_part(copy *c)
{
    const size_t at = atomic_fetch_add_explicit(&c->next, CHUNK, memory_order_relaxed);
    if (at >= c->n || atomic_load_explicit(&c->result, memory_order_relaxed) != CUDA_SUCCESS) return (part){0, 0};
    return (part){at, c->n - at < CHUNK ? c->n - at : CHUNK};
}

static bool move_in(void *arg, int64_t number)
{
    copy *c = arg;
    lane *own = &c->lane[number];
    if (fails(c, tb__cu.cuCtxSetCurrent(c->context))) return true;
    for (int k = 0;; k ^= 1) {
        const part p = next_part(c);
        if (p.n == 0 || fails(c, tb__cu.cuEventSynchronize(own->moved[k]))) return true;
        memcpy(own->chunk[k], c->host + p.at, p.n);
        if (fails(c, tb__cu.cuMemcpyHtoDAsync(c->device + p.at, own->chunk[k], p.n, c->stream))) return true;
        if (fails(c, tb__cu.cuEventRecord(own->moved[k], c->stream))) return true;
    }
}

/* The chunk may hold what another stream has not taken yet, of a copy in. */
static bool fetch(copy *c, lane *own, int k, part p)
{
    if (p.n == 0) return true;
    if (fails(c, tb__cu.cuEventSynchronize(own->moved[k]))) return false;
    if (fails(c, tb__cu.cuMemcpyDtoHAsync(own->chunk[k], c->device + p.at, p.n, c->stream))) return false;
    return !fails(c, tb__cu.cuEventRecord(own->moved[k], c->stream));
}

static bool move_out(void *arg, int64_t number)
{
    copy *c = arg;
    lane *own = &c->lane[number];
    if (fails(c, tb__cu.cuCtxSetCurrent(c->context))) return true;
    part p[2] = {next_part(c)};
    if (!fetch(c, own, 0, p[0])) return true;
    for (int k = 0; p[k].n > 0; k ^= 1) {
        p[k ^ 1] = next_part(c);
        if (!fetch(c, own, k ^ 1, p[k ^ 1]) || fails(c, tb__cu.cuEventSynchronize(own->moved[k]))) return true;
        memcpy(c->host + p[k].at, own->chunk[k], p[k].n);
    }
    return true;
}

/* ---- who is copied like that ------------------------------------------------------------------------------------ */

static bool is_pageable(const void *host)
{
    const int wanted = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    unsigned type = 0;
    void *value = &type;
    if (!tb__cu.cuPointerGetAttributes) return false;
    return tb__cu.cuPointerGetAttributes(1, &wanted, &value, tb__cuda_ptr(host)) == CUDA_SUCCESS && type == 0;
}

static bool is_captured(const tb_stream *s)
{
    int capturing = 0;
    return TB_CU_RESULT(cuStreamIsCapturing, s->handle, &capturing) != CUDA_SUCCESS || capturing;
}

static bool lane_made(lane *l)
{
    void *memory = NULL;
    for (int k = 0; k < 2; k++) {
        if (l->moved[k]) continue;
        if (TB_CU_RESULT(cuEventCreate, &l->moved[k], CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) return false;
    }
    if (TB_CU_RESULT(cuMemHostAlloc, &memory, 2 * CHUNK, CU_MEMHOSTALLOC_PORTABLE) != CUDA_SUCCESS) return false;
    l->chunk[0] = memory;
    l->chunk[1] = l->chunk[0] + CHUNK;
    return true;
}

/* How many threads can take part: as many as there are, and as there is work and memory for. */
static int lanes_for(int device, size_t n)
{
    struct stage *stage = &stages[device];
    const int threads = tb__threads() < LANES ? tb__threads() : LANES;
    const int wanted = n / (2 * CHUNK) < (size_t)threads ? (int)(n / (2 * CHUNK)) : threads;
    const int mode = tb__cuda_relax(device);
    while (stage->nlane < wanted && !stage->failed) {
        if (lane_made(&stage->lane[stage->nlane])) stage->nlane++;
        else stage->failed = true;
    }
    tb__cuda_unrelax(mode);
    return stage->nlane < wanted ? stage->nlane : wanted;
}

bool tb__cuda_staged(tb_stream *s, void *device, const void *host, size_t n, bool in, tb_status *status)
{
    struct stage *stage = &stages[s->device];
    if (n < LEAST || stage->taken || !is_pageable(host) || is_captured(s)) return false;
    const int lanes = lanes_for(s->device, n);
    if (lanes == 0) return false;
    copy c = {.lane = stage->lane,
              .context = tb__cuda_devices[s->device].context,
              .stream = s->handle,
              .device = tb__cuda_ptr(device),
              .host = (char *)host,
              .n = n};
    stage->taken = true;
    void *given = tb__cuda_wait_begin();
    (void)tb__parallel(lanes, in ? move_in : move_out, &c);
    tb__wait_end(given);
    stage->taken = false;
    *status = tb__cuda_check((CUresult)atomic_load(&c.result), in ? "cuMemcpyHtoDAsync" : "cuMemcpyDtoHAsync");
    return true;
}
