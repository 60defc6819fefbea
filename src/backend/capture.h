/* capture.h - inside src/backend and src/runtime: work recorded on a stream, to be launched again and again.
 *
 * A capture is a tb_graph that is still open: `capture` of each stream that takes part points to it. */
#ifndef TB_BACKEND_CAPTURE_H
#define TB_BACKEND_CAPTURE_H
#include "backend/current.h"

typedef struct tb_host_call {
    void (*fn)(void *);
    void (*drop)(void *); /* may be NULL */
    void *arg;
    bool recorded; /* part of a graph: called again with every launch, dropped with the graph */
    struct tb_host_call *next;
} tb_host_call;

struct tb_graph {
    int refs;
    uint64_t number; /* no other graph of the process has it */
    int device, mode;
    bool open, failed;            /* failed: a call that cannot be recorded was made */
    void *handle, *exec;          /* the backend's */
    void (*release)(tb_graph *g); /* of a reference: tb_graph_release */
    tb_stream *origin;            /* where the capture began; retained while it is open */
    const char **touched;         /* addresses that the work reads or writes */
    size_t ntouched, capacity;
    void **kept; /* blocks that would be free but for this graph */
    size_t nkept, kept_capacity;
    tb_host_call *calls;
    tb_graph *next; /* all graphs */
};

/* CUDA's numbers of the errors that calls give while something is recorded. */
enum {
    TB_CAPTURE_ILLEGAL_STATE = 401,
    TB_CAPTURE_UNSUPPORTED = 900,
    TB_CAPTURE_INVALIDATED,
    TB_CAPTURE_MERGE,
    TB_CAPTURE_UNMATCHED,
    TB_CAPTURE_UNJOINED,
    TB_CAPTURE_ISOLATION,
    TB_CAPTURE_IMPLICIT,
    TB_CAPTURED_EVENT
};
/* The capture that the event is part of while that is open, or NULL. With the core lock, also while it is used. */
tb_graph *tb__capture_of(const tb_event *e);
/* Puts a graph among those that are alive. */
void tb__graph_add(tb_graph *g);
/* With the last reference the graph goes, or when nothing is recorded any more. */
void tb__graph_release(tb_graph *g);
/* The capture is over, and its origin let go of. */
void tb__capture_close(tb_graph *g);
/* Fails with one of the codes. */
tb_status tb__capture_error(int code, const char *call);
/* The same; g, if it is not NULL, cannot be completed any more, and ends as soon as the calling
 * thread has left the library: its streams then work as before, and tb_stream_capture_end says what became of it. */
tb_status tb__capture_fail(tb_graph *g, int code, const char *call);
/* The same for every capture of the device, or those of streams that the null stream waits for. */
tb_status tb__capture_fail_all(int device, bool blocking, int code, const char *call);
/* Looks for captures that the driver has ended, after one of its calls has failed for the sake of a capture. */
void tb__captures_check(void);

/* The capture is all that still refers to s, where it began: nobody can end it. */
void tb__capture_forsake(tb_stream *s);
/* g cannot be completed any more, and ends as above. */
void tb__capture_spoil(tb_graph *g);

/* Whether some stream of the device is being captured. */
bool tb__capturing(int device);
/* As above, for a stream that waits for every blocking stream. */
bool tb__capturing_blocking(int device);
/* Called by the pool before a block becomes free: true if a graph uses it, which will free it when it ends itself. */
bool tb__graph_keeps(int device, void *ptr, size_t size);
extern int tb__graph_count; /* graphs alive: the pool asks only then */

/* One more call of the host's is outstanding, on whatever stream; one less. */
void tb__host_calls_more(void);
void tb__host_calls_less(void);
/* Calls arg->fn, then drops it unless it is recorded; what backends pass to tb_backend.host_func. */
void tb__host_call(void *call);

/* Puts the table in place that fits: the plain one, the one for outstanding work, the one for captures. With the core
 * lock held. */
void tb__backend_select(void);
extern int tb__captures_open;
/* Set by a backend whose plain table must not be used just now. */
extern bool tb__backend_busy;
/* Whether the backend's own table is in force: nothing is recorded, and no work is outstanding behind a function of the
 * host. */
static inline bool tb__backend_plain(void) { return tb__captures_open == 0 && !tb__backend_busy; }
#endif
