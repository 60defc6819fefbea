/* cudart.c - the public entry to CUDA's run-time interface, as far as it is the same for every backend: finding
 * operations, enqueueing what is pending, and streams and events by their handles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/handles.h"
#include "backend/retry.h"
#include "backend/start.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/mapped.h"
#include "graph/expr.h"

static const struct {
    const char *name;
    int nin, nout;
} ops[] = {
#define TB_RUNTIME_OP(name, nin, nout) {#name, nin, nout},
    TB_RUNTIME_OPS
#undef TB_RUNTIME_OP
};

tb_runtime_op tb_runtime_find(const char *name, int *nin, int *nout)
{
    int i = name ? 0 : TB_RT_COUNT;
    while (i < TB_RT_COUNT && strcmp(ops[i].name, name) != 0) i++;
    if (i < TB_RT_COUNT) {
        if (nin) *nin = ops[i].nin;
        if (nout) *nout = ops[i].nout;
    }
    return (tb_runtime_op)i;
}

/* Operations that neither read nor write memory that deferred work may be pending on. */
static bool touches_memory(tb_runtime_op op)
{
    switch (op) {
    case TB_RT_memcpy:
    case TB_RT_memcpyAsync:
    case TB_RT_memcpyPeer:
    case TB_RT_memcpyPeerAsync:
    case TB_RT_memset:
    case TB_RT_memsetAsync:
    case TB_RT_memcpy2D:
    case TB_RT_memcpy2DAsync:
    case TB_RT_memPrefetchAsync:
    case TB_RT_ipcGetMemHandle:
    case TB_RT_ipcGetEventHandle:
    case TB_RT_memcpy3D:
    case TB_RT_memcpy3DAsync:
    case TB_RT_textureCreate: return true;
    default: return false;
    }
}

/* A stream by its handle belongs to whoever asked for it: the reference that stands for it is dropped by
 * streamDestroy. */
static tb_status stream_create(const int64_t *in, int64_t *out)
{
    tb_stream *s;
    TB_TRY(tb_stream_new((int)in[0], (int)in[1], &s));
    out[0] = (int64_t)tb_stream_handle(s);
    return tb__handle_set(TB_HANDLE_STREAM, out[0], TB_HANDLE_GIVEN);
}

/* Objects may go on using the stream, which ends with the last of them. */
static tb_status stream_destroy(int64_t handle)
{
    tb_stream *s;
    if (tb__handle_state(TB_HANDLE_STREAM, handle) != TB_HANDLE_GIVEN)
        return tb__fail_device(400, "streamDestroy", "cudaErrorInvalidResourceHandle: invalid resource handle");
    TB_TRY(tb_stream_wrap((uintptr_t)handle, &s));
    TB_TRY(tb__handle_set(TB_HANDLE_STREAM, handle, TB_HANDLE_OWNED));
    tb_stream_release(s);
    tb_stream_release(s);
    return TB_OK;
}

tb_status tb_memory_claim(void *ptr, bool claimed)
{
    tb__lock();
    tb_status status =
        tb__handle_set(TB_HANDLE_MEMORY, (int64_t)(intptr_t)ptr, claimed ? TB_HANDLE_OWNED : TB_HANDLE_ENDED);
    tb__unlock();
    return status;
}

bool tb_memory_is_mapped(const void *ptr, size_t bytes)
{
    if (!ptr) return false;
    return tb__is_mapped(ptr, bytes);
}

static tb_status disable_peer(const int64_t *in)
{
    TB_TRY(tb__backend->cudart(TB_RT_deviceDisablePeerAccess, in, NULL));
    tb__peer_forget(tb__device_current(), (int)in[0]);
    return TB_OK;
}

/* The devices that the operation names. */
static tb_status ready_devices(tb_runtime_op op, const int64_t *in)
{
    switch (op) {
    case TB_RT_deviceEnablePeerAccess:
    case TB_RT_deviceDisablePeerAccess: return tb__device_ready("tombac.cuda.runtime", (int)in[0]);
    case TB_RT_memcpyPeer:
    case TB_RT_memcpyPeerAsync:
        TB_TRY(tb__device_ready("tombac.cuda.runtime", (int)in[1]));
        return tb__device_ready("tombac.cuda.runtime", (int)in[3]);
    default: return TB_OK;
    }
}

static tb_status call(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    TB_TRY(tb__device_ready("tombac.cuda.runtime", tb__device_current()));
    TB_TRY(tb__arguments_check(op, ops[op].name, in));
    TB_TRY(ready_devices(op, in));
    if (touches_memory(op)) TB_TRY(tb__flush_device(tb__device_current()));
    if (op == TB_RT_streamCreate) return stream_create(in, out);
    if (op == TB_RT_streamDestroy) return stream_destroy(in[0]);
    if (op == TB_RT_deviceDisablePeerAccess) return disable_peer(in);
    TB_TRY(tb__backend->cudart(op, in, out));
    return tb__arguments_done(op, in, out);
}

/* Copies of the blocking kind, and the end of what kernels may use, may wait long, and behind functions of the host:
 * they wait without the lock. */
static bool waits(tb_runtime_op op)
{
    switch (op) {
    case TB_RT_memcpy:
    case TB_RT_memcpy2D:
    case TB_RT_memcpy3D:
    case TB_RT_memcpyPeer:
    case TB_RT_free:
    case TB_RT_arrayDestroy:
    case TB_RT_textureDestroy:
    case TB_RT_surfaceDestroy:
    case TB_RT_ipcGetMemHandle:
    case TB_RT_ipcCloseMemHandle:
    case TB_RT_mipmapDestroy: return true;
    default: return false;
    }
}

tb_status tb_runtime_call(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    TB_IS_CHOICE(op, TB_RT_COUNT);
    if (ops[op].nin > 0) TB_NOT_NULL(in);
    if (ops[op].nout > 0) TB_NOT_NULL(out);
    if (waits(op) && tb_host_func_pending()) TB_TRY(tb_device_synchronize(tb__device_current()));
    return TB__OPERATION(call(op, in, out));
}
