/* wait.c - waiting for a stream.
 *
 * The stream writes a word of pinned memory after all that it has been given, and the host looks at the word: that it
 * has changed shows a microsecond before the driver's own wait ends. What takes long, and what fails, is left to that.
 * Waiting threads have a word each. */
#include "backend/cuda/device.h"

#include "base/error.h"

static uint64_t taken[TB_DEVICE_MAX]; /* atomic: a bit for each word */

/* A word that nobody uses, or -1. */
static int take_word(int device)
{
    uint64_t now = __atomic_load_n(&taken[device], __ATOMIC_RELAXED);
    int n;
    do {
        if (!~now) return -1;
        n = __builtin_ctzll(~now);
    } while (!__atomic_compare_exchange_n(&taken[device], &now, now | 1ull << n, true, __ATOMIC_ACQUIRE,
                                          __ATOMIC_RELAXED));
    return n;
}

static void give_word(int device, int n) { __atomic_fetch_and(&taken[device], ~(1ull << n), __ATOMIC_RELEASE); }

static inline void pause_briefly(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* True: the stream has come to its end. False: not yet, or not at all. */
static bool watch(tb_stream *s, uint32_t *word)
{
    enum { LOOKS = 1 << 13 }; /* some 100 us */
    const uint32_t next = *word + 1;
    if (tb__cu.cuStreamWriteValue32(s->handle, tb__cuda_ptr(word), next, 0) != CUDA_SUCCESS) return false;
    for (int n = 0; n < LOOKS; n++) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == next) return true;
        pause_briefly();
    }
    return false;
}

tb_status tb__cuda_wait(tb_stream *s)
{
    char *words = tb__cu.cuStreamWriteValue32 && !s->capture ? tb__cuda_words(s->device) : NULL;
    const int n = words ? take_word(s->device) : -1;
    if (n < 0 || !watch(s, (uint32_t *)(words + n * TB_CUDA_WORD)))
        TB_CU(cuStreamSynchronize, s->handle); /* after a failure the word stays taken: it may still be written */
    if (n >= 0) give_word(s->device, n);
    return TB_OK;
}
