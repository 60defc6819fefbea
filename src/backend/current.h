/* current.h - the calling thread's device and streams. Here for the sake of code in line: every operation asks. */
#ifndef TB_BACKEND_CURRENT_H
#define TB_BACKEND_CURRENT_H
#include "backend/backend.h"
#include "base/tls.h"

enum { TB_DEVICE_MAX = 64 };

/* Changed by start.c and stream.c only; and for a while, to a device that is open, by who puts it back. */
extern TB_THREAD_LOCAL int tb__current_device;
extern TB_THREAD_LOCAL tb_stream *tb__current_streams[TB_DEVICE_MAX]; /* NULL: none chosen yet, the null stream */
tb_status tb__first_stream(tb_stream **out);                          /* start.c */

static inline int tb__device_current(void) { return tb__current_device; }

/* Borrowed. */
static inline tb_status tb__current_stream(tb_stream **out)
{
    tb_stream *s = tb__current_streams[tb__current_device];
    if (__builtin_expect(s == NULL, 0)) return tb__first_stream(out);
    *out = s;
    return TB_OK;
}

/* With the core lock held. */
static inline void tb__stream_release(tb_stream *s)
{
    if (s->refs > 1 + (s->capture != NULL)) s->refs--;
    else tb_stream_release(s);
}
#endif
