/* test_waits.c - a thread waits, in every way there is, while another records graphs, runs functions of the host, and
 * so changes what the backend's functions are: that they do not look at what is being changed is for ThreadSanitizer
 * to say. And waits with the core lock held. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "arrays.h"
#include "backend/backend.h"
#include "base/lock.h"

enum { ROUNDS = 300, N = 1000, RELAXED = 2, HANGS = 300 };

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

static void add_one(tb_array *x)
{
    tb_array *y = call_scalar("add", x, tb_scalar_int(1));
    CHECK_OK(tb_assign(x, y, TB_CAST_SAME_KIND));
    tb_array_release(y);
}

static void record(tb_stream *s, tb_array *x)
{
    tb_graph *g = NULL;
    CHECK_OK(tb_stream_capture_begin(s, RELAXED));
    add_one(x);
    CHECK_OK(tb_stream_capture_end(s, &g));
    CHECK_OK(tb_graph_launch(g, s));
    tb_graph_release(g);
}

static atomic_bool opened;

static void wait_at_gate(void *unused)
{
    (void)unused;
    while (!atomic_load(&opened)) usleep(100);
}

/* What a queue still has to do after its host functions is waited for with the lock, which dropping what its commands
 * held needs too: the queue goes on nevertheless. A hang ends the program by its alarm. */
static void wait_with_the_lock(tb_stream *s, tb_array *x)
{
    enum { LAUNCHES = 600 };
    tb_graph *g = NULL;
    CHECK_OK(tb_stream_capture_begin(s, RELAXED));
    add_one(x);
    CHECK_OK(tb_stream_capture_end(s, &g));
    CHECK_OK(tb_stream_host_func(s, wait_at_gate, NULL, NULL));
    for (int i = 0; i < LAUNCHES; i++) CHECK_OK(tb_graph_launch(g, s));
    tb__lock();
    atomic_store(&opened, true);
    CHECK_OK(tb__backend->stream_synchronize(s));
    tb__unlock();
    tb_graph_release(g);
    double numbers[N];
    CHECK_OK(tb_array_get(x, numbers, NULL, NULL, true));
    CHECK(numbers[0] == ROUNDS + LAUNCHES);
}

int main(void)
{
    alarm(HANGS);
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
    wait_with_the_lock(s, x);
    tb_array_release(x);
    CHECK_OK(tb_stream_null(&null));
    CHECK_OK(tb_stream_use(null));
    tb_stream_release(s);
    return check_report();
}
