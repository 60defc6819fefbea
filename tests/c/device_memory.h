/* device_memory.h - memory of device 0 from the pool, for tests of the CUDA backend. */
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

static inline void give(char *ptr) { tb__pool_free(0, NULL, ptr); }
#endif
