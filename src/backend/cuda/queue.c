/* queue.c - streams and events of the driver, and what the backend keeps for each stream. */
#include <stdlib.h>

#include "backend/cuda/capture.h"
#include "base/error.h"

/* ---- streams -------------------------------------------------------------------------------------------------- */

tb_status tb__cuda_stream_new(tb_stream *s, int priority)
{
    CUstream handle;
    unsigned flags = s->flags & TB_STREAM_NON_BLOCKING ? CU_STREAM_NON_BLOCKING : 0;
    TB_TRY(tb__cuda_enter(s->device));
    TB_CU(cuStreamCreateWithPriority, &handle, flags, priority);
    s->handle = handle;
    return TB_OK;
}

/* Somebody else's stream is asked what it is; a bad handle is the driver's to find. */
tb_status tb__cuda_stream_wrap(tb_stream *s)
{
    unsigned flags = 0;
    TB_TRY(tb__cuda_enter(s->device));
    if (!tb__cu.cuStreamGetFlags || !tb__cu.cuStreamGetPriority) return TB_OK;
    TB_CU(cuStreamGetFlags, s->handle, &flags);
    TB_CU(cuStreamGetPriority, s->handle, &s->priority);
    s->flags = flags & CU_STREAM_NON_BLOCKING ? TB_STREAM_NON_BLOCKING : TB_STREAM_DEFAULT;
    return TB_OK;
}

tb_status tb__cuda_stream_synchronize(tb_stream *s)
{
    unsigned mark = tb__cuda_recent[s->device].n;
    TB_TRY(tb__cuda_enter(s->device));
    TB_CU(cuStreamSynchronize, s->handle);
    tb__cuda_forget(s->device, s->handle, false, mark);
    return TB_OK;
}

tb_status tb__cuda_stream_query(tb_stream *s, bool *done)
{
    TB_TRY(tb__cuda_enter(s->device));
    CUresult result = TB_CU_RESULT(cuStreamQuery, s->handle);
    for (int n = tb__cuda_just_waited(s); n > 0 && result == CUDA_ERROR_NOT_READY; n--)
        result = TB_CU_RESULT(cuStreamQuery, s->handle);
    if (result != CUDA_ERROR_NOT_READY) TB_TRY(tb__cuda_check(result, "cuStreamQuery"));
    *done = result == CUDA_SUCCESS;
    return TB_OK;
}

tb_status tb__cuda_stream_wait(tb_stream *s, tb_event *e)
{
    TB_TRY(tb__cuda_enter(s->device));
    TB_CU(cuStreamWaitEvent, s->handle, e->handle, 0);
    return TB_OK;
}

void tb__cuda_stream_free(tb_stream *s)
{
    tb__gpu_queue_free(s->device, s->handle);
    if (tb__cuda_forked() || tb__cuda_enter(s->device) != TB_OK) return;
    tb__cuda_copy_forget(s);
    (void)TB_CU_RESULT(cuStreamDestroy, s->handle);
}

/* ---- events --------------------------------------------------------------------------------------------------- */

tb_status tb__cuda_event_new(tb_event *e, unsigned flags)
{
    CUevent handle;
    TB_TRY(tb__cuda_enter(e->device));
    TB_CU(cuEventCreate, &handle, flags); /* the flags have the driver's values */
    e->handle = handle;
    return TB_OK;
}

void tb__cuda_event_free(tb_event *e)
{
    if (!tb__cuda_forked() && tb__cuda_enter(e->device) == TB_OK) (void)TB_CU_RESULT(cuEventDestroy, e->handle);
}

tb_status tb__cuda_event_record(tb_event *e, tb_stream *s)
{
    TB_TRY(tb__cuda_enter(e->device));
    TB_CU(cuEventRecord, e->handle, s->handle);
    return TB_OK;
}

tb_status tb__cuda_event_synchronize(tb_event *e)
{
    TB_TRY(tb__cuda_enter(e->device));
    TB_CU(cuEventSynchronize, e->handle);
    return TB_OK;
}

tb_status tb__cuda_event_query(tb_event *e, bool *done)
{
    TB_TRY(tb__cuda_enter(e->device));
    const int mode = tb__cuda_relax(e->device);
    const CUresult result = TB_CU_RESULT(cuEventQuery, e->handle);
    tb__cuda_unrelax(mode);
    if (result != CUDA_ERROR_NOT_READY) TB_TRY(tb__cuda_check(result, "cuEventQuery"));
    *done = result == CUDA_SUCCESS;
    return TB_OK;
}

tb_status tb__cuda_event_elapsed(tb_event *start, tb_event *stop, float *ms)
{
    TB_TRY(tb__cuda_enter(start->device));
    TB_CU(cuEventElapsedTime, ms, start->handle, stop->handle);
    return TB_OK;
}
