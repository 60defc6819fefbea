/* device_memory.h - memory of device 0 from the pool, and plans that run, for tests of the CUDA backend. */
#ifndef TB_TESTS_DEVICE_MEMORY_H
#define TB_TESTS_DEVICE_MEMORY_H
#include "backend/memory/memory.h"
#include "check.h"

static inline char *take(size_t bytes)
{
    tb_stream *null = NULL;
    void *ptr = NULL;
    CHECK_OK(tb_stream_null(&null));
    CHECK_OK(tb__pool_alloc(null, bytes, &ptr));
    return ptr;
}

/* Runs p as the graph would, which counts a launch, and waits for kernels that are being compiled. */
static inline tb_status device_run(tb_stream *s, const tb_plan *p)
{
    for (;;) {
        tb__count.launches++;
        const tb_status status = tb__backend->run(s, p);
        if (status != TB__AGAIN) return status;
        tb__backend->run_wait();
    }
}

static inline void give(char *ptr) { tb__pool_free(0, NULL, ptr); }
#endif
