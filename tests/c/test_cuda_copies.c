/* test_cuda_copies.c - copies between host and device against the driver of fake_cuda.c: which memory they go through,
 * and that every byte arrives.
 *
 *   test_cuda_copies DIRECTORY   where libcuda.so.1 of fake_cuda.c is */
#include <stdlib.h>

#include "backend/cuda/abi_cudart.h"
#include "backend/start.h"
#include "check.h"
#include "device_memory.h"
#include "fake_cuda.h"

static fake_cuda *fake;
static tb_stream *null;

static void test_copies(void)
{
    enum { LARGE = 1 << 20, TURNS = 5000 };
    tb_stream *s = NULL;
    char *device = take(LARGE), *host = malloc(LARGE), *back = malloc(LARGE);
    for (int i = 0; i < LARGE; i++) host[i] = (char)(i * 7);
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    CHECK_OK(tb__backend->copy_in(null, device, host, LARGE, true));
    CHECK_OK(tb__backend->copy_out(null, back, device, LARGE, true));
    CHECK(memcmp(host, back, LARGE) == 0 && fake->pinned_copies == 0);
    for (int i = 0; i < TURNS; i++) {
        size_t n = 1 + (size_t)i * 31 % 60000;
        tb_stream *on = i % 100 < 90 ? null : s;
        host[0] = (char)i;
        CHECK_OK(tb__backend->copy_in(on, device, host, n, false));
        CHECK_OK(tb__backend->copy_out(on, back, device, n, true));
        CHECK(memcmp(host, back, n) == 0);
    }
    CHECK(fake->pinned_copies == 2 * TURNS);
    CHECK_OK(tb__backend->copy(null, device + LARGE / 2, device, 1000));
    CHECK_OK(tb__backend->copy_out(null, back, device + LARGE / 2, 1000, true));
    CHECK(memcmp(host, back, 1000) == 0);
    CHECK_OK(tb__backend->copy_in(s, device, host, 100, false));
    tb_stream_release(s);
    CHECK_OK(tb__backend->copy_in(null, device, host, 100, false));
    free(host);
    free(back);
    give(device);
}

/* Much pageable memory goes through pinned chunks of 1 MiB, the last one in part. */
static void test_staged_copies(void)
{
    const size_t n = (9u << 20) + 12345;
    char *device = take(n), *host = malloc(n), *back = malloc(n);
    int64_t pinned = 0;
    for (size_t i = 0; i < n; i++) host[i] = (char)(i * 2654435761u >> 13);
    for (int turn = 0; turn < 3; turn++) {
        const int copies = fake->pinned_copies;
        host[turn * (n / 3)]++;
        memset(back, 0, n);
        CHECK_OK(tb__backend->copy_in(null, device, host, n - turn, true));
        CHECK_OK(tb__backend->copy_out(null, back, device, n - turn, true));
        CHECK(memcmp(host, back, n - turn) == 0 && memcmp(back + n - turn, "\0\0", turn) == 0);
        CHECK(fake->pinned_copies == copies + 20);
    }
    CHECK_OK(tb_runtime_call(TB_RT_hostAlloc, (const int64_t[]){(int64_t)n, CU_MEMHOSTALLOC_PORTABLE}, &pinned));
    const int copies = fake->pinned_copies;
    CHECK_OK(tb__backend->copy_out(null, (void *)(intptr_t)pinned, device, n, true));
    CHECK(fake->pinned_copies == copies + 1 && memcmp((void *)(intptr_t)pinned, host, n - 2) == 0);
    CHECK_OK(tb_runtime_call(TB_RT_freeHost, &pinned, NULL));
    fake->broken = 1;
    CHECK_FAILS(tb__backend->copy_in(null, device, host, n, true), TB_ERR_DEVICE, "cuMemcpyHtoDAsync");
    CHECK_FAILS(tb__backend->copy_out(null, back, device, n, true), TB_ERR_DEVICE, "cuMemcpyDtoHAsync");
    fake->broken = 0;
    CHECK_OK(tb__backend->copy_out(null, back, device, n, true));
    give(device);
    free(host);
    free(back);
}

/* What one stream has not taken yet stays as it is while another's copy out wants the same chunks. */
static void test_two_streams(void)
{
    enum { N = 8 << 20 };
    tb_stream *s = NULL;
    char *in = take(N), *out = take(N), *host = malloc(N), *back = malloc(N);
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    for (size_t i = 0; i < N; i++) host[i] = (char)(i * 2654435761u >> 13);
    memset(back, 1, N);
    CHECK_OK(tb__backend->copy_in(null, out, back, N, true));
    fake->late = 1;
    CHECK_OK(tb__backend->copy_in(s, in, host, N, true));
    CHECK_OK(tb__backend->copy_out(null, back, out, N, true));
    CHECK(back[0] == 1 && memcmp(back, back + 1, N - 1) == 0);
    CHECK_OK(tb__backend->copy_out(s, back, in, N, true));
    fake->late = 0;
    CHECK(memcmp(back, host, N) == 0);
    tb_stream_release(s);
    give(in);
    give(out);
    free(host);
    free(back);
}

static void test_pinned_memory(void)
{
    int64_t ptr = 0;
    int copies = fake->pinned_copies;
    char *memory = take(1 << 20);
    CHECK_OK(tb_runtime_call(TB_RT_hostAlloc, (const int64_t[]){1 << 20, CU_MEMHOSTALLOC_PORTABLE}, &ptr));
    CHECK_OK(tb__backend->copy_in(null, memory, (void *)(intptr_t)ptr, 1 << 20, false));
    CHECK_OK(tb__backend->copy_out(null, (void *)(intptr_t)ptr, memory, 1 << 20, false));
    CHECK(fake->pinned_copies == copies + 2);
    CHECK_OK(tb_runtime_call(TB_RT_freeHost, &ptr, NULL));
    give(memory);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    fake = fake_cuda_open(argv[1]);
    CHECK(fake != NULL);
    if (!fake) return check_report();
    CHECK_OK(tb_init());
    CHECK_OK(tb_stream_null(&null));
    test_copies();
    test_staged_copies();
    test_two_streams();
    test_pinned_memory();
    CHECK(fake->errors == 0);
    return check_report();
}
