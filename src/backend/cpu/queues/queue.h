/* queue.h - src/backend/cpu/queues is streams, memory and CUDA's run-time interface on the CPU: the order of work on
 * streams, when it cannot run at the call.
 *
 *   command.c  one piece of work, kept for later: made from the arguments of the backend's functions
 *   queue.c    streams, events, the threads that work a stream off
 *   busy.c     the backend's functions for as long as something is outstanding or recorded
 *   memory.c   devices and plain device memory
 *   cudart.c   pointers and the rest of CUDA's run-time interface
 *   region.c   which blocks of memory there are
 *   mempool.c  stream-ordered memory pools
 *   ipc.c      memory and events of other processes
 *   texture.c  arrays, texture and surface objects */
#ifndef TB_BACKEND_CPU_QUEUES_QUEUE_H
#define TB_BACKEND_CPU_QUEUES_QUEUE_H
#include <pthread.h>

#include "backend/cpu/plans/plans.h"
#include "backend/capture.h"
#include "backend/module.h"
#include "backend/stream.h"

typedef struct tb_command {
    struct tb_command *next;
    tb_status (*run)(struct tb_command *c);
    void (*drop)(struct tb_command *c); /* what it holds besides its own memory; may be NULL */
    bool host;                          /* foreign code: never run by the thread that enqueues it */
    struct tb_cpu_queue *behind;        /* it waits for work of that one; or NULL */
} tb_command;

typedef struct tb_command_list {
    tb_command *head, **tail;
} tb_command_list;

/* A stream's place in the order. It is used again by a later stream, and its counts go on. */
typedef struct tb_cpu_queue {
    int device, flags, priority;
    bool dead;                          /* the stream is gone; what was given to it still runs */
    bool working;                       /* has a thread */
    uint64_t given, done;               /* commands */
    tb_command *head, **tail, *current; /* the one that runs is not in the list any more */
    uint64_t stopped;                   /* user kernels among so many commands end, or are passed over; */
    bool stop;                          /* atomic: the one that runs is among them */
    tb_status status;                   /* of a command that failed; reported by the next synchronisation */
    char message[512];
    struct tb_cpu_queue *next; /* all queues */
} tb_cpu_queue;

typedef struct tb_event_page tb_event_page; /* ipc.c */

typedef struct tb_cpu_event {
    int refs;
    bool recorded;
    tb_cpu_queue *queue;
    uint64_t ticket;     /* reached when queue->done >= ticket */
    double time;         /* seconds; valid once reached */
    tb_event_page *page; /* of an event that processes share, which alone says whether it is reached; or NULL */
    int file;            /* of the page, or -1 if another process made it */
} tb_cpu_event;

typedef struct tb_cpu_pool tb_cpu_pool; /* mempool.c */

/* A block of memory. */
typedef struct tb_region {
    char *ptr;
    size_t size;
    int type, device;    /* type as in cudaMemoryType */
    int file;            /* whose pages it has, so that other processes can map them; -1: its own */
    int opened;          /* of memory of another process: how often */
    tb_cpu_pool *pool;   /* that it comes from, or NULL; while unused there: */
    tb_cpu_queue *queue; /* where it was freed, NULL: nothing can use it; */
    uint64_t ticket;     /* the work given to the queue before */
    struct tb_region *next;
} tb_region;

/* Rows of `width` bytes, by pitches and layers of bytes. */
typedef struct tb_row_copy {
    char *dst;
    const char *src;
    size_t dst_pitch, dst_layer, src_pitch, src_layer, width, rows, layers;
} tb_row_copy;

/* ---- command.c: NULL when there is no memory ---- */
tb_command *tb__command_run(const tb_plan *p);
tb_command *tb__command_gemm(const tb_gemm *g);
/* With keep the source is copied now. */
tb_command *tb__command_copy(void *dst, const void *src, size_t n, bool keep);
tb_command *tb__command_copy_rows(const tb_row_copy *copy);
tb_command *tb__command_fill(void *dst, int value, size_t n);
tb_command *tb__command_call(void (*fn)(void *), void *arg);
tb_command *tb__command_wait(tb_cpu_queue *q, uint64_t ticket);
tb_command *tb__command_record(tb_cpu_event *e, uint32_t number); /* number: of the record in its page */
tb_command *tb__command_wait_page(tb_cpu_event *e);
/* The list is the graph's; g is retained. */
tb_command *tb__command_graph(tb_graph *g);
/* The arguments' values are copied; f is retained. */
tb_command *tb__command_launch(tb_function *f, const tb_launch_shape *shape, void **values);
void tb__command_free(tb_command *c);

/* ---- queue.c ---- */
/* Makes the device's null stream ready: once, before its first use. */
void tb__cpu_null_queue(int device);
tb_cpu_queue *tb__cpu_queue(const tb_stream *s);
/* Runs c now or when everything before it on s is done, or records it; steals c, which may be NULL (no memory). */
tb_status tb__cpu_submit(tb_stream *s, tb_command *c);
/* Waits until n commands of q are done. Like all waits it may be interrupted, with the user kernels it waits for. */
tb_status tb__cpu_wait(tb_cpu_queue *q, uint64_t n);
/* Waits for what s waits for: of the null stream, every blocking stream of its device. */
tb_status tb__cpu_drain(tb_stream *s);
/* Whether nothing is outstanding anywhere; then the plain table is put back. With the core lock held. */
bool tb__cpu_idle(void);
/* Memory that queued work may use is given back when nothing is outstanding. */
void tb__cpu_free_later(tb_region *r);
uint64_t tb__cpu_given(tb_cpu_queue *q);
/* Whether the first n commands of q (NULL: none) are done. */
bool tb__cpu_done(tb_cpu_queue *q, uint64_t n);
bool tb__cpu_reached(const tb_cpu_event *e);
void tb__cpu_stamp(tb_cpu_event *e);
void tb__cpu_event_drop(tb_cpu_event *e);

tb_status tb__cpu_stream_new(tb_stream *s, int priority);
tb_status tb__cpu_stream_wrap(tb_stream *s);
void tb__cpu_stream_free(tb_stream *s);
tb_status tb__cpu_stream_synchronize(tb_stream *s);
tb_status tb__cpu_stream_query(tb_stream *s, bool *done);
tb_status tb__cpu_stream_wait(tb_stream *s, tb_event *e);
tb_status tb__cpu_device_synchronize(int device);
tb_status tb__cpu_event_new(tb_event *e, unsigned flags);
void tb__cpu_event_free(tb_event *e);
tb_status tb__cpu_event_record(tb_event *e, tb_stream *s);
tb_status tb__cpu_event_synchronize(tb_event *e);
tb_status tb__cpu_event_query(tb_event *e, bool *done);
tb_status tb__cpu_event_elapsed(tb_event *start, tb_event *stop, float *ms);
tb_status tb__cpu_host_func(tb_stream *s, void (*fn)(void *), void *arg);

/* ---- busy.c ---- */
tb_status tb__cpu_busy_run(tb_stream *s, const tb_plan *p);
tb_status tb__cpu_busy_gemm(tb_stream *s, const tb_gemm *g);
tb_status tb__cpu_busy_copy(tb_stream *s, void *dst, const void *src, size_t n);
tb_status tb__cpu_busy_copy_in(tb_stream *s, void *dst, const void *host, size_t n, bool blocking);
tb_status tb__cpu_busy_copy_out(tb_stream *s, void *host, const void *src, size_t n, bool blocking);
tb_status tb__cpu_busy_launch(tb_stream *s, tb_function *f, const tb_launch_shape *shape, void **values);
void tb__cpu_busy_mem_free(int device, void *ptr);
tb_status tb__cpu_capture_begin(tb_stream *s, tb_graph *g);
tb_status tb__cpu_capture_end(tb_stream *s, tb_graph *g);
tb_status tb__cpu_graph_launch(tb_graph *g, tb_stream *s);
tb_status tb__cpu_graph_upload(tb_graph *g, tb_stream *s);
tb_status tb__cpu_graph_dot(tb_graph *g, unsigned flags, const char *path);
void tb__cpu_graph_free(tb_graph *g);

/* ---- memory.c ---- */
tb_status tb__cpu_device_count(int *n);
tb_status tb__cpu_mem_info(int device, size_t *available, size_t *total);
tb_status tb__cpu_mem_alloc(int device, size_t bytes, void **ptr);
void tb__cpu_mem_free(int device, void *ptr);

/* ---- cudart.c ---- */
tb_status tb__cpu_cudart(tb_runtime_op op, const int64_t *in, int64_t *out);
tb_status tb__cpu_queue_of(int64_t handle, tb_cpu_queue **out);
/* Gives the stream of that handle a command, which is stolen and may be NULL (no memory); if blocking, waits for it. */
tb_status tb__cpu_submit_to(int64_t handle, tb_command *c, bool blocking);

/* ---- region.c ---- */
tb_status tb__cpu_region_new(void *ptr, size_t size, int type, tb_region **out);
tb_status tb__cpu_region_add(tb_region *r);
/* The block that has the byte, or NULL; take removes it from the known ones. */
tb_region *tb__cpu_region(const void *ptr);
tb_region *tb__cpu_region_take(const void *ptr);
/* Whether the n bytes are within one block, or, unless it must be known, in none. */
bool tb__cpu_region_fits(const void *ptr, size_t n, bool known);
/* With its memory, which is the C library's. */
void tb__cpu_region_free(tb_region *r);

/* ---- mempool.c ---- */
tb_status tb__cpu_pool_op(tb_runtime_op op, const int64_t *in, int64_t *out);
/* A block that is known no more goes back to its pool, behind the work of q; NULL: there is none. */
void tb__cpu_pool_give(tb_region *r, tb_cpu_queue *q);
/* After waiting for work: pools give up what they hold above their thresholds. Takes the core lock. */
void tb__cpu_pools_trim(void);

/* ---- ipc.c ---- */
tb_status tb__cpu_ipc(tb_runtime_op op, const int64_t *in, int64_t *out);
void tb__cpu_unshare(tb_region *r);
tb_status tb__cpu_event_share(tb_cpu_event *e);
void tb__cpu_event_unshare(tb_cpu_event *e);
/* Counts one record of the event and gives its number; reach says that the stream has come there. */
uint32_t tb__event_page_give(tb_event_page *p);
uint32_t tb__event_page_given(const tb_event_page *p);
void tb__event_page_reach(tb_event_page *p, uint32_t n);
bool tb__event_page_reached(const tb_event_page *p, uint32_t n);
tb_status tb__event_page_wait(tb_event_page *p, uint32_t n);

/* ---- texture.c ---- */
tb_status tb__cpu_texture(tb_runtime_op op, const int64_t *in, int64_t *out);
#endif
