/* peers.c - streams of different devices, ordered where one uses the other's memory.
 *
 * Who uses an array of another device has no say in when deferred work on it is enqueued, so the library orders the
 * two: the stream that uses the memory waits for what the memory's own stream has been given, and when the operation is
 * over that stream waits for the work of the other one. Such work is not deferred beyond the operation. */
#include <stdlib.h>

#include "base/error.h"
#include "base/lock.h"
#include "graph/expr.h"

tb_status tb__stream_follow(tb_stream *later, tb_stream *earlier)
{
    if (later == earlier || later->capture || earlier->capture) return TB_OK;
    tb_event e = {.device = earlier->device};
    TB_TRY(tb__backend->event_new(&e, TB_EVENT_NO_TIMING));
    tb_status status = tb__backend->event_record(&e, earlier);
    if (status == TB_OK) status = tb__backend->stream_wait(later, &e);
    tb__backend->event_free(&e);
    return status;
}

typedef struct visit {
    tb_stream *guest, *host; /* retained */
} visit;

/* After the operation, which has already said whether it went well: what fails here fails again at the next call. */
static void end_visit(void *arg)
{
    visit *v = arg;
    void *error = tb__error_keep(); /* what the operation said */
    tb__lock();
    if (tb__flush_stream(v->guest) == TB_OK) (void)tb__stream_follow(v->host, v->guest);
    tb__unlock();
    tb__error_put_back(error);
    tb_stream_release(v->guest);
    tb_stream_release(v->host);
    free(v);
}

tb_status tb__reach_slowly(tb_stream *s, tb_buffer *b)
{
    TB_TRY(tb__peer_ready(s->device, b->device));
    if (b->joined) TB_TRY(tb__buffer_eval(b->joined));
    TB_TRY(tb__buffer_eval(b));
    TB_TRY(tb__stream_follow(s, b->stream));
    visit *v = malloc(sizeof *v);
    if (v) *v = (visit){.guest = s, .host = b->stream};
    if (!v || !tb__defer_if_possible(end_visit, v)) {
        free(v);
        return tb__fail_memory(sizeof *v, 0, 0, 0);
    }
    tb_stream_retain(s);
    tb_stream_retain(b->stream);
    return TB_OK;
}
