/* copy.c - copies between host and device.
 *
 * Small copies from the host go through a ring of pinned memory, so that they neither wait for the stream nor for each
 * other: the host memory may be reused at once, whatever kind of memory it is. A slot of the ring holds copies of one
 * stream until it is full or another stream comes; then an event marks its end, and it is filled again once that event
 * has happened. Small copies to the host that are waited for land in a pinned page of their own. Large ones of pageable
 * memory are shared by threads (staging.c). */
#include <string.h>

#include "backend/cuda/capture.h"
#include "base/error.h"

enum { SLOT = 64 << 10, SLOTS = 16, ALIGN = 64 };

typedef struct ring {
    char *memory; /* SLOTS slots, one for copies to the host, a word to wait at; NULL: not made */
    bool failed;  /* there is no pinned memory to be had */
    int slot;     /* being filled */
    size_t fill;
    void *stream;       /* whose copies are in it */
    CUevent end[SLOTS]; /* made on first use */
    bool marked[SLOTS]; /* end[i] was recorded and not yet waited for */
    uint32_t asked;     /* what the word is looked at for */
    bool awaited;       /* page and word are an answer's, until it is waited for */
} ring;

static ring rings[TB_DEVICE_MAX];

static bool ring_ready(int device)
{
    ring *r = &rings[device];
    if (r->memory) return true;
    if (r->failed) return false;
    const size_t bytes = (SLOTS + 1) * SLOT + ALIGN;
    void *memory = NULL;
    const int mode = tb__cuda_relax(device);
    r->failed = TB_CU_RESULT(cuMemHostAlloc, &memory, bytes, CU_MEMHOSTALLOC_PORTABLE) != CUDA_SUCCESS;
    tb__cuda_unrelax(mode);
    if (memory) r->memory = memset(memory, 0, bytes);
    return !r->failed;
}

static uint32_t *word_of(int device) { return (uint32_t *)(rings[device].memory + (size_t)(SLOTS + 1) * SLOT); }

/* Marks where the copies of the current slot end. */
static tb_status close_slot(ring *r)
{
    if (r->fill == 0) return TB_OK;
    if (!r->end[r->slot]) TB_CU(cuEventCreate, &r->end[r->slot], CU_EVENT_DISABLE_TIMING);
    TB_CU(cuEventRecord, r->end[r->slot], r->stream);
    r->marked[r->slot] = true;
    r->fill = 0;
    r->slot = (r->slot + 1) % SLOTS;
    return TB_OK;
}

/* Room for n bytes that the given stream will read. */
static tb_status stage(ring *r, void *stream, size_t n, char **out)
{
    size_t rounded = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (r->fill > 0 && (r->stream != stream || r->fill + rounded > SLOT)) TB_TRY(close_slot(r));
    if (r->fill == 0 && r->marked[r->slot]) {
        TB_CU(cuEventSynchronize, r->end[r->slot]);
        r->marked[r->slot] = false;
    }
    r->stream = stream;
    *out = r->memory + (size_t)r->slot * SLOT + r->fill;
    r->fill += rounded;
    return TB_OK;
}

/* A graph that somebody else records would read what is in the ring by then. A foreign stream may vanish before its
 * slot is closed. */
bool tb__cuda_stages(const tb_stream *s)
{
    int capturing = 0;
    if (s->capture || s->foreign || !ring_ready(s->device)) return false;
    if (!s->handle) return true;
    return TB_CU_RESULT(cuStreamIsCapturing, s->handle, &capturing) == CUDA_SUCCESS && !capturing;
}

void tb__cuda_copy_forget(tb_stream *s)
{
    ring *r = &rings[s->device];
    if (r->fill == 0 || r->stream != s->handle) return;
    if (close_slot(r) == TB_OK) return;
    (void)TB_CU_RESULT(cuStreamSynchronize, s->handle);
    r->fill = 0;
}

tb_status tb__cuda_copy_in(tb_stream *s, void *dst, const void *host, size_t n, bool blocking)
{
    char *staged;
    tb_status status;
    if (n == 0) return TB_OK;
    TB_TRY(tb__cuda_enter(s->device));
    if (s->capture) return tb__cuda_capture_copy_in(s, dst, host, n, blocking);
    if (n <= SLOT && tb__cuda_stages(s)) {
        TB_TRY(stage(&rings[s->device], s->handle, n, &staged));
        memcpy(staged, host, n);
        TB_CU(cuMemcpyHtoDAsync, tb__cuda_ptr(dst), staged, n, s->handle);
        return TB_OK;
    }
    if (blocking && tb__cuda_staged(s, dst, host, n, true, &status)) return status;
    TB_CU(cuMemcpyHtoDAsync, tb__cuda_ptr(dst), host, n, s->handle);
    if (blocking) TB_CU(cuStreamSynchronize, s->handle);
    return TB_OK;
}

tb_status tb__cuda_copy_out(tb_stream *s, void *host, const void *src, size_t n, bool blocking)
{
    tb_status status;
    if (n == 0) return TB_OK;
    TB_TRY(tb__cuda_enter(s->device));
    if (blocking && tb__cuda_staged(s, (void *)src, host, n, false, &status)) return status;
    bool staged = blocking && n <= SLOT && ring_ready(s->device) && !rings[s->device].awaited;
    char *page = staged ? rings[s->device].memory + (size_t)SLOTS * SLOT : NULL;
    TB_CU(cuMemcpyDtoHAsync, staged ? page : host, tb__cuda_ptr(src), n, s->handle);
    if (staged) {
        TB_TRY(tb__cuda_wait(s, word_of(s->device)));
        memcpy(host, page, n);
    } else if (blocking) {
        TB_CU(cuStreamSynchronize, s->handle);
    }
    return TB_OK;
}

/* ---- answers ---------------------------------------------------------------------------------------------------- */

/* While one is awaited memory may be asked of an allocator of the application's, which computes nothing but may copy
 * arrays to the host. */
void *tb__cuda_answer(tb_stream *s)
{
    if (s->capture || s->foreign || tb__cuda_enter(s->device) != TB_OK || !ring_ready(s->device)) return NULL;
    return rings[s->device].memory + (size_t)SLOTS * SLOT;
}

void tb__cuda_answer_ask(tb_stream *s)
{
    rings[s->device].asked = tb__cuda_wait_ask(s, word_of(s->device));
    rings[s->device].awaited = true;
}

tb_status tb__cuda_answer_wait(tb_stream *s)
{
    rings[s->device].awaited = false;
    return tb__cuda_wait_end(s, word_of(s->device), rings[s->device].asked);
}

/* Addresses are unified: the driver knows which devices both belong to. */
tb_status tb__cuda_copy(tb_stream *s, void *dst, const void *src, size_t n)
{
    if (n == 0) return TB_OK;
    TB_TRY(tb__cuda_enter(s->device));
    TB_CU(cuMemcpyAsync, tb__cuda_ptr(dst), tb__cuda_ptr(src), n, s->handle);
    return TB_OK;
}
