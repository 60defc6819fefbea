/* queue.c - streams and events of the CPU.
 *
 * Work normally runs at the call, and then a stream is a label. A function of the host must not: it may wait for
 * something that the calling thread does later. So it goes to a queue that a thread of its own works off, and so does
 * whatever comes after it on its stream, or waits for it by an event or by the rules of the null stream, until the
 * queue is empty again. The thread takes the core lock only to drop what commands held, when it has given up the queue.
 *
 * Everything here is guarded by `mutex`, which is never held while a command runs. */
#include "backend/cpu/queues/queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/cpu/user/user.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/lock.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t progress = PTHREAD_COND_INITIALIZER;
static tb_cpu_queue *queues; /* never freed: events and commands point to them */
static tb_cpu_queue null_queues[TB_DEVICE_MAX];
static long outstanding; /* commands given to queues and not done */
static tb_region *later; /* memory to free when nothing is outstanding */

/* ---- finding ---------------------------------------------------------------------------------------------------- */

static void forget_work(tb_cpu_queue *q)
{
    q->working = q->stop = false;
    q->head = q->current = NULL;
    q->done = q->given;
}

/* The child of a fork has none of the threads, and the work that they had left is gone. */
static void in_child(void)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&progress, NULL);
    for (int i = 0; i < TB_DEVICE_MAX; i++) forget_work(&null_queues[i]);
    for (tb_cpu_queue *q = queues; q; q = q->next) forget_work(q);
    outstanding = 0;
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

void tb__cpu_null_queue(int device) { null_queues[device].device = device; }

tb_cpu_queue *tb__cpu_queue(const tb_stream *s) { return s->handle ? s->handle : &null_queues[s->device]; }

static bool is_busy(const tb_cpu_queue *q) { return q->done < q->given; }
static bool is_null(const tb_cpu_queue *q) { return q >= null_queues && q < null_queues + TB_DEVICE_MAX; }

/* Whether work on q must wait for the work on other, by the rules of the null stream. */
static bool waits_for(const tb_cpu_queue *q, const tb_cpu_queue *other)
{
    if (q == other || q->device != other->device) return false;
    if (is_null(q)) return !(other->flags & TB_STREAM_NON_BLOCKING);
    return is_null(other) && !(q->flags & TB_STREAM_NON_BLOCKING);
}

/* ---- working off ------------------------------------------------------------------------------------------------ */

enum { MOST_SPENT = 256 }; /* commands that one thread works off */

static tb_status start(tb_cpu_queue *q);

static void fail_queue(tb_cpu_queue *q, tb_status status)
{
    if (q->status != TB_OK) return;
    q->status = status;
    snprintf(q->message, sizeof q->message, "%s", tb_error_message());
}

/* Up to MOST_SPENT commands, which are then at `spent`. */
static void work_off(tb_cpu_queue *q, tb_command **spent)
{
    for (int i = 0; i < MOST_SPENT && q->head; i++) {
        tb_command *c = q->current = q->head;
        q->head = c->next;
        pthread_mutex_unlock(&mutex);
        tb_status status = c->run(c);
        pthread_mutex_lock(&mutex);
        q->current = NULL;
        /* What was interrupted is reported by the wait that did it. */
        if (status != TB_OK && status != TB_ERR_INTERRUPTED) fail_queue(q, status);
        q->done++;
        if (q->done >= q->stopped) __atomic_store_n(&q->stop, false, __ATOMIC_RELAXED);
        outstanding--;
        pthread_cond_broadcast(&progress);
        c->next = NULL;
        *spent = c;
        spent = &c->next;
    }
}

/* Freeing commands may need the core lock, whose holder may be waiting for whatever the queue has been given, also
 * after this thread has ended: so it frees them when the queue is no longer its business. */
static void *work(void *arg)
{
    tb_cpu_queue *q = arg;
    tb_command *spent = NULL, **end = &spent;
    tb__own_thread = true;
    tb__cpu_stop_flag = &q->stop;
    pthread_mutex_lock(&mutex);
    for (;;) {
        work_off(q, end);
        while (*end) end = &(*end)->next;
        q->working = false;
        if (!q->head || start(q) == TB_OK) break;
        q->working = true; /* there is no other thread to be had */
    }
    pthread_mutex_unlock(&mutex);
    while (spent) {
        tb_command *next = spent->next;
        tb__command_free(spent);
        spent = next;
    }
    return NULL;
}

static tb_status start(tb_cpu_queue *q)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_attr_t attr;
    pthread_t id;
    if (q->working) return TB_OK;
    if (pthread_attr_init(&attr) != 0) return tb__fail(TB_ERR_MEMORY, "out of memory starting a stream's thread");
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    q->working = true;
    int result = pthread_create(&id, &attr, work, q);
    pthread_attr_destroy(&attr);
    if (result == 0) return TB_OK;
    q->working = false;
    return tb__fail(TB_ERR_MEMORY, "a stream's thread could not be started: %s", strerror(result));
}

static void append(tb_cpu_queue *q, tb_command *c)
{
    c->next = NULL;
    if (!q->head) q->tail = &q->head;
    *q->tail = c;
    q->tail = &c->next;
    q->given++;
    outstanding++;
}

static tb_status wait_behind(tb_cpu_queue *q, tb_cpu_queue *other)
{
    if (!is_busy(other) || !waits_for(q, other)) return TB_OK;
    tb_command *c = tb__command_wait(other, other->given);
    if (!c) return tb__fail_memory(sizeof *c, 0, 0, 0);
    append(q, c);
    return TB_OK;
}

/* Puts what q has to wait for ahead of its next command. */
static tb_status wait_for_others(tb_cpu_queue *q)
{
    TB_TRY(wait_behind(q, &null_queues[q->device]));
    for (tb_cpu_queue *other = queues; other; other = other->next) TB_TRY(wait_behind(q, other));
    return TB_OK;
}

static tb_status enqueue(tb_cpu_queue *q, tb_command *c, bool *run_now)
{
    TB_TRY(wait_for_others(q));
    *run_now = !c->host && !is_busy(q);
    if (*run_now) return TB_OK;
    TB_TRY(start(q));
    append(q, c);
    return TB_OK;
}

static tb_status record(tb_graph *g, tb_command *c)
{
    tb_command_list *list = g->handle;
    *list->tail = c;
    list->tail = &c->next;
    return TB_OK;
}

tb_status tb__cpu_submit(tb_stream *s, tb_command *c)
{
    if (!c) return tb__fail_memory(sizeof *c, 0, 0, 0);
    if (s->capture) {
        s->recorded++;
        return record(s->capture, c);
    }
    tb_status status = TB_OK;
    if (!s->handle && tb__capturing_blocking(s->device)) {
        tb__command_free(c);
        return tb__capture_fail_all(s->device, true, TB_CAPTURE_IMPLICIT, "work on the null stream");
    }
    bool run_now = true;
    pthread_mutex_lock(&mutex);
    status = enqueue(tb__cpu_queue(s), c, &run_now);
    pthread_mutex_unlock(&mutex);
    if (status == TB_OK && !run_now) {
        if (!tb__backend_busy) {
            tb__backend_busy = true;
            tb__backend_select();
        }
        return TB_OK;
    }
    if (status == TB_OK) status = c->run(c);
    tb__command_free(c);
    return status;
}

/* ---- waiting ---------------------------------------------------------------------------------------------------- */

static tb_status take_error(tb_cpu_queue *q)
{
    tb_status status = q->status;
    q->status = TB_OK;
    return status == TB_OK ? TB_OK : tb__fail(status, "%s", q->message);
}

/* Ends the user kernels that q has been given, and those that it waits for on other queues. */
static void stop_kernels(tb_cpu_queue *q)
{
    if (!is_busy(q) || q->stopped == q->given) return;
    q->stopped = q->given;
    __atomic_store_n(&q->stop, true, __ATOMIC_RELAXED);
    if (q->current && q->current->behind) stop_kernels(q->current->behind);
    for (const tb_command *c = q->head; c; c = c->next)
        if (c->behind) stop_kernels(c->behind);
}

/* With the mutex, which is given up meanwhile. */
static tb_status wait_until(tb_cpu_queue *q, uint64_t n)
{
    while (q->done < n) {
        tb_status status = tb__cond_wait(&progress, &mutex);
        if (status == TB_OK) continue;
        stop_kernels(q);
        return status;
    }
    return TB_OK;
}

tb_status tb__cpu_wait(tb_cpu_queue *q, uint64_t n)
{
    pthread_mutex_lock(&mutex);
    tb_status status = wait_until(q, n);
    pthread_mutex_unlock(&mutex);
    return status;
}

tb_status tb__cpu_drain(tb_stream *s)
{
    tb_cpu_queue *q = tb__cpu_queue(s);
    pthread_mutex_lock(&mutex);
    tb_status status = wait_until(q, q->given);
    tb_cpu_queue *null = &null_queues[q->device];
    if (status == TB_OK && waits_for(q, null)) status = wait_until(null, null->given);
    for (tb_cpu_queue *other = queues; other && status == TB_OK; other = other->next)
        if (waits_for(q, other)) status = wait_until(other, other->given);
    if (status == TB_OK) status = take_error(q);
    pthread_mutex_unlock(&mutex);
    return status;
}

bool tb__cpu_idle(void)
{
    pthread_mutex_lock(&mutex);
    bool idle = outstanding == 0;
    while (idle && later) {
        tb_region *r = later;
        later = r->next;
        tb__cpu_region_free(r);
    }
    pthread_mutex_unlock(&mutex);
    if (idle && tb__backend_busy) {
        tb__backend_busy = false;
        tb__backend_select();
    }
    return idle;
}

void tb__cpu_free_later(tb_region *r)
{
    pthread_mutex_lock(&mutex);
    r->next = later;
    later = r;
    pthread_mutex_unlock(&mutex);
}

uint64_t tb__cpu_given(tb_cpu_queue *q)
{
    pthread_mutex_lock(&mutex);
    uint64_t n = q->given;
    pthread_mutex_unlock(&mutex);
    return n;
}

bool tb__cpu_done(tb_cpu_queue *q, uint64_t n)
{
    if (!q) return true;
    pthread_mutex_lock(&mutex);
    bool done = q->done >= n;
    pthread_mutex_unlock(&mutex);
    return done;
}

static void stop_device(int device)
{
    stop_kernels(&null_queues[device]);
    for (tb_cpu_queue *q = queues; q; q = q->next)
        if (q->device == device) stop_kernels(q);
}

tb_status tb__cpu_device_synchronize(int device)
{
    tb_status status = TB_OK;
    if (tb__capturing(device))
        return tb__capture_fail_all(device, false, TB_CAPTURE_UNSUPPORTED, "synchronising the device");
    pthread_mutex_lock(&mutex);
    tb_cpu_queue *null = &null_queues[device];
    tb_status interrupted = wait_until(null, null->given);
    if (interrupted == TB_OK) status = take_error(null);
    for (tb_cpu_queue *q = queues; q && interrupted == TB_OK; q = q->next) {
        if (q->device != device) continue;
        interrupted = wait_until(q, q->given);
        tb_status failed = interrupted == TB_OK ? take_error(q) : TB_OK;
        if (status == TB_OK) status = failed;
    }
    if (interrupted != TB_OK) stop_device(device);
    pthread_mutex_unlock(&mutex);
    if (interrupted != TB_OK) return interrupted;
    tb__cpu_pools_trim();
    return status;
}

/* ---- streams ---------------------------------------------------------------------------------------------------- */

tb_status tb__cpu_stream_new(tb_stream *s, int priority)
{
    pthread_mutex_lock(&mutex);
    tb_cpu_queue *q = queues;
    while (q && !(q->dead && !is_busy(q) && q->device == s->device)) q = q->next;
    if (!q) {
        q = calloc(1, sizeof *q);
        if (q) {
            q->next = queues;
            queues = q;
        }
    }
    if (q) {
        q->device = s->device;
        q->flags = s->flags;
        q->priority = priority;
        q->dead = false;
        q->status = TB_OK;
    }
    pthread_mutex_unlock(&mutex);
    if (!q) return tb__fail_memory(sizeof *q, 0, 0, 0);
    s->handle = q;
    return TB_OK;
}

tb_status tb__cpu_stream_wrap(tb_stream *s)
{
    pthread_mutex_lock(&mutex);
    tb_cpu_queue *q = queues;
    while (q && q != s->handle) q = q->next;
    bool known = q && !q->dead && q->device == s->device;
    if (known) {
        s->flags = q->flags;
        s->priority = q->priority;
    }
    pthread_mutex_unlock(&mutex);
    if (known) return TB_OK;
    return tb__fail_device(400, "the stream", "cudaErrorInvalidResourceHandle: invalid resource handle");
}

void tb__cpu_stream_free(tb_stream *s)
{
    pthread_mutex_lock(&mutex);
    ((tb_cpu_queue *)s->handle)->dead = true;
    pthread_mutex_unlock(&mutex);
    s->handle = NULL;
}

/* Fails the captures that a question about s, or a wait for it, is not allowed in. */
static tb_status outside_captures(const tb_stream *s, const char *call, const char *call_of_null)
{
    tb_status status = TB_OK;
    tb__lock();
    if (s->capture) status = tb__capture_fail(s->capture, TB_CAPTURE_UNSUPPORTED, call);
    else if (!s->handle && tb__capturing_blocking(s->device))
        status = tb__capture_fail_all(s->device, true, TB_CAPTURE_IMPLICIT, call_of_null);
    tb__unlock();
    return status;
}

tb_status tb__cpu_stream_synchronize(tb_stream *s)
{
    TB_TRY(outside_captures(s, "synchronising a stream", "synchronising the null stream"));
    tb_status status = tb__cpu_drain(s);
    tb__cpu_pools_trim();
    return status;
}

tb_status tb__cpu_stream_query(tb_stream *s, bool *done)
{
    TB_TRY(outside_captures(s, "asking whether a stream is done", "asking whether the null stream is done"));
    tb_cpu_queue *q = tb__cpu_queue(s), *null = &null_queues[s->device];
    pthread_mutex_lock(&mutex);
    bool busy = is_busy(q) || (waits_for(q, null) && is_busy(null));
    for (tb_cpu_queue *other = is_null(q) ? queues : NULL; other; other = other->next)
        busy |= waits_for(q, other) && is_busy(other);
    pthread_mutex_unlock(&mutex);
    *done = !busy;
    return TB_OK;
}

tb_status tb__cpu_host_func(tb_stream *s, void (*fn)(void *), void *arg)
{
    return tb__cpu_submit(s, tb__command_call(fn, arg));
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void tb__cpu_stamp(tb_cpu_event *e) { e->time = now(); }

void tb__cpu_event_drop(tb_cpu_event *e)
{
    if (__atomic_sub_fetch(&e->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
    tb__cpu_event_unshare(e);
    free(e);
}

tb_status tb__cpu_event_new(tb_event *e, unsigned flags)
{
    tb_cpu_event *event = calloc(1, sizeof *event);
    if (!event) return tb__fail_memory(sizeof *event, 0, 0, 0);
    event->refs = 1;
    tb_status status = flags & TB_EVENT_INTERPROCESS ? tb__cpu_event_share(event) : TB_OK;
    if (status == TB_OK) e->handle = event;
    else free(event);
    return status;
}

void tb__cpu_event_free(tb_event *e) { tb__cpu_event_drop(e->handle); }

static void reached_at_once(tb_cpu_event *event, uint32_t number)
{
    event->queue = NULL;
    tb__cpu_stamp(event);
    if (event->page) tb__event_page_reach(event->page, number);
}

/* While nothing is outstanding the event is reached at once. */
tb_status tb__cpu_event_record(tb_event *e, tb_stream *s)
{
    tb_cpu_event *event = e->handle;
    if (s->capture) return TB_OK;
    event->recorded = true;
    uint32_t number = event->page ? tb__event_page_give(event->page) : 0;
    if (__builtin_expect(!tb__backend_busy, 1)) {
        reached_at_once(event, number);
        return TB_OK;
    }
    tb_cpu_queue *q = tb__cpu_queue(s);
    pthread_mutex_lock(&mutex);
    tb_command *c = NULL;
    tb_status status = wait_for_others(q);
    bool busy = is_busy(q);
    if (status == TB_OK && busy) {
        c = tb__command_record(event, number);
        status = c ? start(q) : tb__fail_memory(sizeof *c, 0, 0, 0);
        if (status == TB_OK) {
            append(q, c);
            event->queue = q;
            event->ticket = q->given;
        } else if (c) {
            tb__command_free(c);
        }
    }
    pthread_mutex_unlock(&mutex);
    /* With an error too: another process may be waiting for the number. */
    if (status != TB_OK || !busy) reached_at_once(event, number);
    return status;
}

bool tb__cpu_reached(const tb_cpu_event *e)
{
    if (e->page) return tb__event_page_reached(e->page, tb__event_page_given(e->page));
    return !e->recorded || tb__cpu_done(e->queue, e->ticket);
}

tb_status tb__cpu_event_synchronize(tb_event *e)
{
    tb_cpu_event *event = e->handle;
    tb__lock();
    tb_graph *g = tb__capture_of(e);
    tb_status status = g ? tb__capture_fail(g, TB_CAPTURED_EVENT, "waiting for an event") : TB_OK;
    tb__unlock();
    TB_TRY(status);
    if (event->page) TB_TRY(tb__event_page_wait(event->page, tb__event_page_given(event->page)));
    else if (event->queue) TB_TRY(tb__cpu_wait(event->queue, event->ticket));
    tb__cpu_pools_trim();
    return TB_OK;
}

tb_status tb__cpu_event_query(tb_event *e, bool *done)
{
    if (tb__capture_of(e)) return tb__capture_fail(tb__capture_of(e), TB_CAPTURED_EVENT, "asking for an event");
    *done = tb__cpu_reached(e->handle);
    return TB_OK;
}

tb_status tb__cpu_event_elapsed(tb_event *start, tb_event *stop, float *ms)
{
    const tb_cpu_event *a = start->handle, *b = stop->handle;
    if (!tb__cpu_reached(a) || !tb__cpu_reached(b))
        return tb__fail_device(600, "get_elapsed_time", "cudaErrorNotReady: device not ready");
    *ms = (float)(1e3 * (b->time - a->time));
    return TB_OK;
}

tb_status tb__cpu_stream_wait(tb_stream *s, tb_event *e)
{
    tb_cpu_event *event = e->handle;
    if (s->capture) return tb__capture_fail(s->capture, TB_CAPTURE_ISOLATION, "wait_event");
    if (tb__cpu_reached(event)) return TB_OK;
    if (event->page) return tb__cpu_submit(s, tb__command_wait_page(event));
    tb_cpu_queue *q = tb__cpu_queue(s);
    if (event->queue == q) return TB_OK;
    tb_command *c = tb__command_wait(event->queue, event->ticket);
    if (!c) return tb__fail_memory(sizeof *c, 0, 0, 0);
    pthread_mutex_lock(&mutex);
    tb_status status = wait_for_others(q);
    if (status == TB_OK) status = start(q);
    if (status == TB_OK) append(q, c);
    else tb__command_free(c);
    pthread_mutex_unlock(&mutex);
    return status;
}
