/* wait.c - waiting for what is done in a moment.
 *
 * The stream writes a word of pinned memory after all that it has been given, and the host looks at the word: that it
 * has changed shows about a microsecond before the driver's own wait ends. What takes long, and what fails, is left to
 * that. Until the driver sees it too it may say that the stream is not done, so that it is asked again. */
#include "backend/cuda/device.h"

#include "base/error.h"

static const void *waited[TB_DEVICE_MAX]; /* the stream, and whether it is to be asked more than once: core lock */
static bool just[TB_DEVICE_MAX];

static inline void pause_briefly(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* True: the stream has come there. False: not yet, or not at all. */
static bool watch(const uint32_t *word, uint32_t next)
{
    enum { LOOKS = 1 << 13 }; /* some 100 us */
    for (int n = 0; n < LOOKS; n++) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == next) return true;
        pause_briefly();
    }
    return false;
}

uint32_t tb__cuda_wait_ask(tb_stream *s, uint32_t *word)
{
    const uint32_t next = *word + 1 == 0 ? 1 : *word + 1;
    if (!tb__cu.cuStreamWriteValue32 || s->capture) return 0;
    const CUresult result = TB_CU_RESULT(cuStreamWriteValue32, s->handle, tb__cuda_ptr(word), next, 0);
    return result == CUDA_SUCCESS ? next : 0;
}

tb_status tb__cuda_wait_end(tb_stream *s, const uint32_t *word, uint32_t next)
{
    if (next == 0 || !watch(word, next)) {
        TB_CU(cuStreamSynchronize, s->handle);
        return TB_OK;
    }
    waited[s->device] = s->handle;
    just[s->device] = true;
    return TB_OK;
}

tb_status tb__cuda_wait(tb_stream *s, uint32_t *word) { return tb__cuda_wait_end(s, word, tb__cuda_wait_ask(s, word)); }

int tb__cuda_just_waited(const tb_stream *s)
{
    enum { TIMES = 100 };
    if (!just[s->device] || waited[s->device] != s->handle) return 0;
    just[s->device] = false;
    return TIMES;
}
