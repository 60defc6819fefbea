/* cudart.c - the public entry to CUDA's run-time interface, as far as it is the same for every backend: finding
 * operations, enqueueing what is pending, and streams and events by their handles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/capture.h"
#include "backend/memory/memory.h"
#include "base/error.h"
#include "base/lock.h"
#include "graph/expr.h"

static const struct { const char *name; int nin, nout; } ops[] = {
#define TB_RUNTIME_OP(name, nin, nout) {#name, nin, nout},
    TB_RUNTIME_OPS
#undef TB_RUNTIME_OP
};

tb_runtime_op tb_runtime_find(const char *name, int *nin, int *nout)
{
    int i = 0;
    while (i < TB_RT_COUNT && strcmp(ops[i].name, name) != 0) i++;
    if (i < TB_RT_COUNT) {
        *nin = ops[i].nin;
        *nout = ops[i].nout;
    }
    return (tb_runtime_op)i;
}

/* Operations that neither read nor write memory that deferred work may be pending on. */
static bool touches_memory(tb_runtime_op op)
{
    switch (op) {
    case TB_RT_memcpy: case TB_RT_memcpyAsync: case TB_RT_memcpyPeer: case TB_RT_memcpyPeerAsync: case TB_RT_memset:
    case TB_RT_memsetAsync: case TB_RT_memcpy2D: case TB_RT_memcpy2DAsync: case TB_RT_memPrefetchAsync:
    case TB_RT_ipcGetMemHandle: case TB_RT_ipcGetEventHandle: case TB_RT_memcpy3D: case TB_RT_memcpy3DAsync:
    case TB_RT_textureCreate:
        return true;
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
    return TB_OK;
}

static tb_status stream_destroy(int64_t handle)
{
    tb_stream *s;
    if (handle >= 0 && handle <= 2)
        return tb__fail_device(400, "streamDestroy", "cudaErrorInvalidResourceHandle: invalid resource handle");
    TB_TRY(tb_stream_wrap((uintptr_t)handle, &s));
    tb_stream_release(s);
    tb_stream_release(s);
    return TB_OK;
}

static bool peer_ready[TB_DEVICE_MAX][TB_DEVICE_MAX]; /* [device][owner]: access has been enabled */

static tb_status disable_peer(const int64_t *in)
{
    TB_TRY(tb__backend->runtime(TB_RT_deviceDisablePeerAccess, in, NULL));
    peer_ready[tb__device_current()][in[0]] = false;
    return TB_OK;
}

static tb_status call(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    TB_TRY(tb__device_ready("tombac.cuda.runtime", tb__device_current()));
    if (touches_memory(op)) TB_TRY(tb__flush_device(tb__device_current()));
    if (op == TB_RT_streamCreate) return stream_create(in, out);
    if (op == TB_RT_streamDestroy) return stream_destroy(in[0]);
    if (op == TB_RT_deviceDisablePeerAccess) return disable_peer(in);
    return tb__backend->runtime(op, in, out);
}

/* Copies of the blocking kind, and the end of what kernels may use, may wait long, and behind functions of the host:
 * they wait without the lock. */
static bool waits(tb_runtime_op op)
{
    switch (op) {
    case TB_RT_memcpy: case TB_RT_memcpy2D: case TB_RT_memcpy3D: case TB_RT_memcpyPeer: case TB_RT_free:
    case TB_RT_arrayDestroy: case TB_RT_textureDestroy: case TB_RT_surfaceDestroy: case TB_RT_ipcGetMemHandle:
    case TB_RT_ipcCloseMemHandle: case TB_RT_mipmapDestroy:
        return true;
    default: return false;
    }
}

tb_status tb_runtime_call(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    if ((unsigned)op >= TB_RT_COUNT)
        return tb__fail(TB_ERR_VALUE, "tb_runtime_call: there is no operation %d", (int)op);
    if (waits(op) && tb_host_func_pending()) TB_TRY(tb_device_synchronize(tb__device_current()));
    tb__lock();
    tb_status status = call(op, in, out);
    tb__unlock();
    return status;
}

/* ---- memory of other devices ---------------------------------------------------------------------------------- */

static tb_warning_function warning;

void tb_warning_function_set(tb_warning_function fn)
{
    tb__lock();
    warning = fn;
    tb__unlock();
}

/* The backend's call is about the current device. */
static tb_status enable_peer(int device, int owner)
{
    enum { ALREADY_ENABLED = 704, NOT_SUPPORTED = 801 };
    int64_t pair[2] = {device, owner}, can = 0;
    int before = tb__device_current();
    if (tb__backend->on_host || peer_ready[device][owner]) return TB_OK;
    tb_status asked = tb__backend->runtime(TB_RT_deviceCanAccessPeer, pair, &can);
    if (asked != TB_OK && tb_error_driver_code() != NOT_SUPPORTED) return asked;
    if (!can)
        return tb__fail(TB_ERR_VALUE, "Array device must be same as the current device: array device = %d while"
                        " current = %d, and the two cannot access each other's memory", owner, device);
    if (before != device) TB_TRY(tb_device_use(device));
    tb_status status = tb__backend->runtime(TB_RT_deviceEnablePeerAccess, &pair[1], NULL);
    if (before != device) tb_device_use(before);
    if (status != TB_OK && tb_error_driver_code() != ALREADY_ENABLED) return status;
    peer_ready[device][owner] = true;
    return TB_OK;
}

void tb__peer_reach(int device, int owner) { (void)enable_peer(device, owner); }

tb_status tb__peer_ready(int device, int owner)
{
    char text[160];
    if (device == owner) return TB_OK;
    TB_TRY(enable_peer(device, owner));
    if (!warning) return TB_OK;
    snprintf(text, sizeof text, "The device where the array resides (%d) is different from the current device (%d)."
             " Peer access has been activated automatically.", owner, device);
    tb__foreign++;
    tb_status status = warning(text);
    tb__foreign--;
    return status;
}
