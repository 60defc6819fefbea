/* test_cuda_misuse.c - what has ended, belongs to an object or was never there must not reach a driver, and a capture
 * that has failed must leave everything as it was: against the driver of fake_cuda.c, which counts wrong handles.
 *
 *   test_cuda_misuse DIRECTORY   where libcuda.so.1 of fake_cuda.c is */
#include "backend/texture.h"

#include <stdlib.h>

#include "backend/cuda/abi_cudart.h"
#include "backend/capture.h"
#include "backend/handles.h"
#include "backend/memory/memory.h"
#include "backend/start.h"
#include "base/lock.h"
#include "check.h"
#include "device_memory.h"
#include "fake_cuda.h"

static fake_cuda *fake;
static tb_stream *null;

static int64_t number(const void *p) { return (int64_t)(intptr_t)p; }

static tb_status call(tb_runtime_op op, int64_t a, int64_t b, int64_t c, int64_t d, int64_t *out)
{
    const int64_t in[8] = {a, b, c, d};
    int64_t results[8] = {0};
    tb_status status = tb_runtime_call(op, in, results);
    if (status == TB_OK && out) *out = results[0];
    return status;
}

#define FAILS(op, a, code)                                                                                          \
    do {                                                                                                            \
        CHECK(call(op, a, 0, 0, 0, NULL) == TB_ERR_DEVICE);                                                         \
        CHECK(tb_error_driver_code() == (code));                                                                    \
    } while (0)

/* ---- handles ---------------------------------------------------------------------------------------------------- */

enum { INVALID_VALUE = 1, INVALID_HANDLE = 400 };

/* Each is ended once, and no call takes it any more. */
static void test_ended(void)
{
    const tb_channel_desc channel = {{32, 0, 0, 0}, TB_CHANNEL_FLOAT};
    int64_t e, s, a, m, level, l, host;
    CHECK_OK(call(TB_RT_eventCreate, 0, 0, 0, 0, &e));
    CHECK_OK(call(TB_RT_eventDestroy, e, 0, 0, 0, NULL));
    FAILS(TB_RT_eventDestroy, e, INVALID_HANDLE);
    CHECK_OK(call(TB_RT_streamCreate, 0, 0, 0, 0, &s));
    CHECK_OK(call(TB_RT_streamDestroy, s, 0, 0, 0, NULL));
    FAILS(TB_RT_streamDestroy, s, INVALID_HANDLE);
    CHECK_OK(call(TB_RT_arrayCreate, number(&channel), 8, 0, 0, &a));
    CHECK_OK(call(TB_RT_arrayDestroy, a, 0, 0, 0, NULL));
    FAILS(TB_RT_arrayDestroy, a, INVALID_HANDLE);
    FAILS(TB_RT_arrayElementSize, a, INVALID_HANDLE);
    const int64_t in[6] = {number(&channel), 8, 8, 0, 2, 0};
    CHECK_OK(tb_runtime_call(TB_RT_mipmapCreate, in, &m));
    CHECK_OK(call(TB_RT_mipmapLevel, m, 1, 0, 0, &level));
    FAILS(TB_RT_arrayDestroy, level, INVALID_HANDLE); /* it is the mipmap's */
    CHECK_OK(call(TB_RT_mipmapDestroy, m, 0, 0, 0, NULL));
    FAILS(TB_RT_mipmapDestroy, m, INVALID_HANDLE);
    FAILS(TB_RT_arrayElementSize, level, INVALID_HANDLE);
    tb_resource_desc resource = {.type = TB_RESOURCE_ARRAY, .of.array = (void *)(intptr_t)a};
    const tb_texture_desc how = {0};
    CHECK(call(TB_RT_textureCreate, number(&resource), number(&how), 0, 0, NULL) == TB_ERR_DEVICE);
    CHECK_OK(call(TB_RT_linkCreate, 0, 0, 0, 0, &l));
    CHECK_OK(call(TB_RT_linkDestroy, l, 0, 0, 0, NULL));
    FAILS(TB_RT_linkDestroy, l, INVALID_HANDLE);
    CHECK_OK(call(TB_RT_hostAlloc, 100, CU_MEMHOSTALLOC_PORTABLE, 0, 0, &host));
    CHECK_OK(tb_memory_claim((void *)(intptr_t)host, true));
    FAILS(TB_RT_freeHost, host, INVALID_VALUE);
    CHECK_OK(tb_memory_claim((void *)(intptr_t)host, false));
    CHECK_OK(call(TB_RT_freeHost, host, 0, 0, 0, NULL));
    CHECK(fake->errors == 0);
}

/* What objects and pools own is not the program's to end; what is nowhere is nobody's. */
static void test_not_ours(void)
{
    tb_event *e = NULL;
    tb_stream *s = NULL;
    tb_buffer *b = NULL;
    void *p = NULL;
    tb_allocator *direct = NULL;
    CHECK_OK(tb_event_new(0, &e));
    CHECK_OK(tb_stream_new(0, 0, &s));
    FAILS(TB_RT_eventDestroy, (int64_t)tb_event_handle(e), INVALID_HANDLE);
    FAILS(TB_RT_streamDestroy, (int64_t)tb_stream_handle(s), INVALID_HANDLE);
    CHECK_OK(tb_buffer_new(1 << 20, &b));
    CHECK_OK(tb_buffer_data(b, &p));
    FAILS(TB_RT_free, number(p), INVALID_VALUE);
    FAILS(TB_RT_freeAsync, number(p), INVALID_VALUE);
    tb_buffer_release(b);
    CHECK_OK(tb_allocator_direct(TB_MEMORY_DEVICE, 0, NULL, &direct));
    CHECK_OK(tb_buffer_new_in(direct, 1000, &b));
    CHECK_OK(tb_buffer_data(b, &p));
    FAILS(TB_RT_free, number(p), INVALID_VALUE);
    tb_buffer_release(b);
    tb_allocator_release(direct);
    static const int64_t nowhere[] = {-1, 3, 4096, INT64_MIN, INT64_MAX};
    static const tb_runtime_op ends[] = {TB_RT_eventDestroy,  TB_RT_streamDestroy, TB_RT_arrayDestroy,
                                         TB_RT_mipmapDestroy, TB_RT_linkDestroy,   TB_RT_memPoolDestroy};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            CHECK(call(ends[k], nowhere[i], 0, 0, 0, NULL) == TB_ERR_DEVICE);
    CHECK(call(TB_RT_memcpy, 16, 32, 8, 4, NULL) == TB_ERR_DEVICE);
    CHECK(call(TB_RT_memcpy, number(&p), 32, 8, 0, NULL) == TB_ERR_DEVICE);
    CHECK(call(TB_RT_memcpy, number(&p), number(&e), 8, 9, NULL) == TB_ERR_DEVICE && tb_error_driver_code() == 21);
    CHECK(call(TB_RT_memcpy, number(&p), number(&e), -8, 0, NULL) == TB_ERR_DEVICE);
    CHECK(call(TB_RT_arrayCreate, 16, 8, 0, 0, NULL) == TB_ERR_DEVICE);
    CHECK(call(TB_RT_memcpy3D, 16, 0, 0, 0, NULL) == TB_ERR_DEVICE);
    CHECK(call(TB_RT_textureCreate, 0, 0, 0, 0, NULL) == TB_ERR_DEVICE);
    CHECK(call(TB_RT_mallocAsync, 100, (int64_t)tb_event_handle(e), 0, 0, NULL) == TB_ERR_DEVICE);
    tb_stream_release(s);
    CHECK_FAILS(tb_stream_wrap(4096, &s), TB_ERR_DEVICE, "cudaErrorInvalidResourceHandle");
    tb_event_release(e);
    CHECK(fake->errors == 0);
}

/* Memory that was given back while somebody may still look at it is not taken away from the device. */
static void test_given_back(void)
{
    enum { LARGE = 8 << 20 };
    tb_buffer *b = NULL;
    const int frees = fake->frees;
    CHECK_OK(tb_pool_free_all(NULL, 0, NULL));
    CHECK_OK(tb_buffer_new(LARGE, &b));
    CHECK_OK(tb_buffer_free(b));
    CHECK_OK(tb_buffer_free(b));
    const int before = fake->frees;
    CHECK_OK(tb_pool_free_all(NULL, 0, NULL));
    CHECK(fake->frees == before);
    tb_buffer_release(b);
    CHECK_OK(tb_pool_free_all(NULL, 0, NULL));
    CHECK(fake->frees == before + 1 && fake->frees > frees);
}

/* ---- captures --------------------------------------------------------------------------------------------------- */

static char *memory;

static tb_status synchronise(tb_stream *s) { return tb_stream_synchronize(s); }
static tb_status query(tb_stream *s) { return tb_stream_query(s, &(bool){false}); }
static tb_status wait_for_device(tb_stream *s) { return (void)s, tb_device_synchronize(0); }

static tb_status read_back(tb_stream *s)
{
    char host[8];
    tb_status status = tb__backend->copy_out(s, host, memory, sizeof host, true);
    return status == TB_OK ? tb_stream_synchronize(s) : status;
}

static tb_status work_on_null(tb_stream *s) { return (void)s, tb__backend->copy(null, memory, memory + 512, 8); }

static void check_usable(tb_stream *s)
{
    tb_graph *g = NULL;
    CHECK(tb_stream_capture_status(s) == 0 && tb__captures_open == 0 && tb__backend_plain());
    CHECK_OK(tb__backend->copy(s, memory, memory + 512, 8));
    CHECK_OK(tb_stream_synchronize(s));
    CHECK_OK(tb_device_synchronize(0));
    CHECK_OK(tb__backend->copy(null, memory, memory + 512, 8));
    CHECK_OK(tb_stream_capture_begin(s, 2));
    CHECK_OK(tb__backend->copy(s, memory, memory + 512, 8));
    CHECK_OK(tb_stream_capture_end(s, &g));
    CHECK_OK(tb_graph_launch(g, s));
    tb_graph_release(g);
}

static void test_failed_captures(void)
{
    static tb_status (*const fail[])(tb_stream *) = {synchronise, query, wait_for_device, read_back, work_on_null};
    for (size_t i = 0; i < sizeof fail / sizeof *fail; i++) {
        tb_stream *s = NULL;
        tb_graph *g = NULL;
        CHECK_OK(tb_stream_new(TB_STREAM_DEFAULT, 0, &s));
        CHECK_OK(tb_stream_capture_begin(s, 2));
        CHECK_OK(tb__backend->copy(s, memory, memory + 512, 8));
        CHECK(fail[i](s) == TB_ERR_DEVICE);
        const int code = tb_error_driver_code();
        CHECK(code == TB_CAPTURE_UNSUPPORTED || code == TB_CAPTURE_IMPLICIT);
        CHECK(tb_stream_capture_status(s) == 2 && tb__captures_open == 0);
        CHECK_OK(tb__backend->copy(null, memory, memory + 512, 8));
        CHECK(tb_stream_capture_end(s, &g) == TB_ERR_DEVICE && tb_error_driver_code() == TB_CAPTURE_INVALIDATED);
        CHECK(tb_stream_capture_end(s, &g) == TB_ERR_DEVICE && tb_error_driver_code() == TB_CAPTURE_ILLEGAL_STATE);
        check_usable(s);
        tb_stream_release(s);
    }
    CHECK(fake->errors == 0);
}

/* Nobody can end what was begun on a stream that nobody knows any more. */
static void test_forgotten_capture(void)
{
    tb_stream *s = NULL;
    const int streams = fake->streams;
    CHECK_OK(tb_stream_new(TB_STREAM_DEFAULT, 0, &s));
    CHECK_OK(tb_stream_capture_begin(s, 2));
    tb_stream_release(s);
    CHECK(tb__captures_open == 0 && fake->streams == streams);
    CHECK_OK(tb_stream_new(TB_STREAM_DEFAULT, 0, &s));
    CHECK_OK(tb_stream_capture_begin(s, 2));
    tb_stream_capture_drop(s);
    CHECK(tb_stream_capture_status(s) == 2);
    tb_stream_capture_drop(s);
    CHECK_OK(tb_stream_capture_begin(s, 2));
    tb_graph *g = NULL;
    CHECK_OK(tb_stream_capture_end(s, &g));
    tb_graph_release(g);
    check_usable(s);
    tb_stream_release(s);
    CHECK(fake->errors == 0);
}

/* A graph that goes while another one is recorded does not spoil that: the device is waited for later. */
static void test_graph_gone_while_recording(void)
{
    tb_stream *s = NULL;
    tb_graph *g = NULL, *other = NULL;
    const int alive = tb__graph_count;
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    CHECK_OK(tb_stream_capture_begin(s, 2));
    CHECK_OK(tb_stream_capture_end(s, &g));
    CHECK_OK(tb_stream_capture_begin(s, 2));
    tb_graph_release(g);
    CHECK_OK(tb__backend->copy(s, memory, memory + 512, 8));
    CHECK_OK(tb_stream_capture_end(s, &other));
    CHECK(tb__graph_count == alive + 1);
    tb_graph_release(other);
    CHECK(tb__graph_count == alive && fake->errors == 0);
    tb_stream_release(s);
}

/* A pool that takes over what a stream left behind waits for it, which a capture must not do. */
static void test_inheriting_while_recording(void)
{
    tb_stream *s = NULL, *gone = NULL;
    tb_graph *g = NULL;
    void *p = NULL;
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &gone));
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    tb__lock();
    CHECK_OK(tb__pool_alloc(gone, 4 << 20, &p));
    tb__pool_free(0, NULL, p);
    tb__unlock();
    tb_stream_release(gone);
    CHECK_OK(tb_stream_capture_begin(s, 2));
    const int waits = fake->waits;
    tb__lock();
    CHECK_OK(tb__pool_alloc(s, 4 << 20, &p));
    tb__pool_free(0, NULL, p);
    tb__unlock();
    CHECK(fake->waits == waits);
    CHECK_OK(tb_stream_capture_end(s, &g));
    tb_graph_release(g);
    tb_stream_release(s);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    fake = fake_cuda_open(argv[1]);
    CHECK(fake != NULL);
    if (!fake) return check_report();
    unsetenv("TOMBAC_GPU_MEMORY_LIMIT");
    CHECK_OK(tb_stream_null(&null));
    memory = take(1024);
    test_ended();
    test_not_ours();
    test_given_back();
    test_failed_captures();
    test_forgotten_capture();
    test_graph_gone_while_recording();
    test_inheriting_while_recording();
    give(memory);
    return check_report();
}
