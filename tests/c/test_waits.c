/* test_waits.c - a thread waits, in every way there is, while another records graphs, runs functions of the host, and
 * so changes what the backend's functions are. That they do not look at what is being changed is for ThreadSanitizer
 * to say. */
#include <pthread.h>
#include <stdatomic.h>

#include "arrays.h"

enum { ROUNDS = 300, N = 1000, RELAXED = 2 };

static atomic_bool over;

static void *wait_for_everything(void *unused)
{
    tb_event *e = NULL;
    tb_stream *null = NULL;
    bool done;
    CHECK_OK(tb_event_new(0, &e));
    CHECK_OK(tb_stream_null(&null));
    while (!atomic_load(&over)) {
        double numbers[N];
        tb_array *x = range(TB_F64, 1, N);
        CHECK_OK(tb_event_record(e, null));
        CHECK_OK(tb_event_query(e, &done));
        CHECK_OK(tb_event_synchronize(e));
        CHECK_OK(tb_stream_query(null, &done));
        CHECK_OK(tb_stream_synchronize(null));
        CHECK_OK(tb_array_get(x, numbers, NULL, NULL, true));
        CHECK(numbers[N - 1] == N);
        tb_array_release(x);
    }
    tb_event_release(e);
    return unused;
}

static void count(void *calls) { ++*(int *)calls; }

static void record(tb_stream *s, tb_array *x)
{
    tb_graph *g = NULL;
    CHECK_OK(tb_stream_capture_begin(s, RELAXED));
    tb_array *y = call_scalar("add", x, tb_scalar_int(1));
    CHECK_OK(tb_assign(x, y, TB_CAST_SAME_KIND));
    tb_array_release(y);
    CHECK_OK(tb_stream_capture_end(s, &g));
    CHECK_OK(tb_graph_launch(g, s));
    tb_graph_release(g);
}

int main(void)
{
    pthread_t other;
    tb_stream *s = NULL, *null = NULL;
    double numbers[N];
    int calls = 0;
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    CHECK_OK(tb_stream_use(s));
    tb_array *x = range(TB_F64, 0, N);
    CHECK_OK(tb_array_eval(x));
    CHECK(pthread_create(&other, NULL, wait_for_everything, NULL) == 0);
    for (int i = 0; i < ROUNDS; i++) {
        record(s, x);
        CHECK_OK(tb_stream_host_func(s, count, &calls, NULL));
        CHECK_OK(tb_stream_synchronize(s));
    }
    atomic_store(&over, true);
    pthread_join(other, NULL);
    CHECK_OK(tb_array_get(x, numbers, NULL, NULL, true));
    CHECK(calls == ROUNDS && numbers[0] == ROUNDS && numbers[N - 1] == N - 1 + ROUNDS);
    tb_array_release(x);
    CHECK_OK(tb_stream_null(&null));
    CHECK_OK(tb_stream_use(null));
    tb_stream_release(s);
    return check_report();
}
