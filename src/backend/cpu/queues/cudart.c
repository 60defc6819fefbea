/* cudart.c - CUDA's run-time interface on the CPU: all memory is the host's, so that most of it is malloc and memcpy.
 * Called with the core lock held. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/queues/queue.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/mapped.h"

enum { TYPE_UNREGISTERED, TYPE_HOST, TYPE_DEVICE, TYPE_MANAGED, TYPE_REGISTERED };
enum { INVALID_VALUE = 1, INVALID_DEVICE = 101 };

static tb_status invalid(const char *what)
{
    return tb__fail_device(INVALID_VALUE, what, "cudaErrorInvalidValue: invalid argument");
}

static void *address(int64_t v) { return (void *)(intptr_t)v; }

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static tb_status allocate(int64_t size, int type, int64_t *out)
{
    void *ptr = NULL;
    if (size > 0) {
        TB_TRY(tb__cpu_mem_alloc(tb__device_current(), (size_t)size, &ptr));
        tb__cpu_region(ptr)->type = type;
    }
    out[0] = (int64_t)(intptr_t)ptr;
    return TB_OK;
}

/* The block that begins there, which may be freed. */
static tb_status owned(const char *who, int64_t ptr, bool host, tb_region **out)
{
    tb_region *r = tb__cpu_region(address(ptr));
    if (!r || r->ptr != address(ptr) || r->opened || r->type == TYPE_REGISTERED || (r->type == TYPE_HOST) != host)
        return invalid(who);
    *out = r;
    return TB_OK;
}

static tb_status release(const char *who, int64_t ptr, bool host)
{
    tb_region *r = NULL;
    if (ptr == 0) return TB_OK;
    TB_TRY(owned(who, ptr, host, &r));
    if (r->pool) tb__cpu_pool_give(tb__cpu_region_take(r->ptr), NULL);
    else tb__backend->mem_free(tb__device_current(), r->ptr);
    return TB_OK;
}

/* A block that a graph uses stays until the graph is gone. */
static tb_status release_in_order(int64_t ptr, int64_t stream)
{
    tb_region *r = NULL;
    tb_cpu_queue *q = NULL;
    TB_TRY(tb__cpu_queue_of(stream, &q));
    if (ptr == 0) return TB_OK;
    TB_TRY(owned("freeAsync", ptr, false, &r));
    if (tb__graph_count > 0 && tb__graph_keeps(r->device, r->ptr, r->size)) return TB_OK;
    if (!r->pool) return release("freeAsync", ptr, false);
    tb__cpu_pool_give(tb__cpu_region_take(r->ptr), q);
    return TB_OK;
}

static tb_status register_host(int64_t ptr, int64_t size)
{
    if (size == 0 || !tb__is_mapped(address(ptr), (size_t)size)) return invalid("hostRegister");
    if (tb__cpu_region(address(ptr)))
        return tb__fail_device(712, "hostRegister",
                               "cudaErrorHostMemoryAlreadyRegistered: part or all of the requested"
                               " memory range is already mapped");
    tb_region *r;
    return tb__cpu_region_new(address(ptr), (size_t)size, TYPE_REGISTERED, &r);
}

static tb_status unregister_host(int64_t ptr)
{
    const tb_region *r = tb__cpu_region(address(ptr));
    if (!r || r->ptr != address(ptr) || r->type != TYPE_REGISTERED)
        return tb__fail_device(713, "hostUnregister",
                               "cudaErrorHostMemoryNotRegistered: pointer does not correspond to"
                               " a registered memory region");
    free(tb__cpu_region_take(address(ptr)));
    return TB_OK;
}

tb_status tb__cpu_queue_of(int64_t handle, tb_cpu_queue **out)
{
    tb_stream *s;
    TB_TRY(tb__stream_wrap((uintptr_t)handle, &s));
    *out = tb__cpu_queue(s);
    tb_stream_release(s);
    return TB_OK;
}

tb_status tb__cpu_submit_to(int64_t handle, tb_command *c, bool blocking)
{
    tb_stream *s;
    tb_status status = tb__stream_wrap((uintptr_t)handle, &s);
    if (status != TB_OK) {
        if (c) tb__command_free(c);
        return status;
    }
    if (blocking && s->capture) {
        if (c) tb__command_free(c);
        status = tb__capture_fail(s->capture, TB_CAPTURE_UNSUPPORTED, "memcpy");
    } else {
        status = tb__cpu_submit(s, c);
    }
    if (status == TB_OK && blocking) status = tb__cpu_drain(s);
    tb_stream_release(s);
    return status;
}

/* Memory that no block is known of is the host's. */
static bool fits(int64_t ptr, int64_t n) { return tb__cpu_region_fits(address(ptr), (size_t)n, false); }

static tb_status copy(int64_t dst, int64_t src, int64_t n, int64_t stream, bool blocking)
{
    if (n == 0) return TB_OK;
    if (!fits(dst, n) || !fits(src, n)) return invalid("memcpy");
    return tb__cpu_submit_to(stream, tb__command_copy(address(dst), address(src), (size_t)n, false), blocking);
}

static tb_status copy_rows(const int64_t *in, int64_t stream, bool blocking)
{
    int64_t dst = in[0], dpitch = in[1], src = in[2], spitch = in[3], width = in[4], height = in[5];
    if (width > dpitch || width > spitch) return invalid("memcpy2D");
    if (width == 0 || height == 0) return TB_OK;
    if (!fits(dst, dpitch * (height - 1) + width) || !fits(src, spitch * (height - 1) + width))
        return invalid("memcpy2D");
    tb_row_copy c = {.dst = address(dst),
                     .dst_pitch = (size_t)dpitch,
                     .src = address(src),
                     .src_pitch = (size_t)spitch,
                     .width = (size_t)width,
                     .rows = (size_t)height,
                     .layers = 1};
    return tb__cpu_submit_to(stream, tb__command_copy_rows(&c), blocking);
}

static tb_status fill(int64_t dst, int64_t value, int64_t n, int64_t stream)
{
    if (n == 0) return TB_OK;
    if (!tb__cpu_region_fits(address(dst), (size_t)n, true)) return invalid("memset");
    return tb__cpu_submit_to(stream, tb__command_fill(address(dst), (int)value, (size_t)n), false);
}

static tb_status attributes(int64_t ptr, int64_t *out)
{
    const tb_region *r = tb__cpu_region(address(ptr));
    out[0] = !r ? TYPE_UNREGISTERED : r->type == TYPE_REGISTERED ? TYPE_HOST : r->type;
    out[1] = r ? r->device : -2;
    out[2] = r ? ptr : 0;
    out[3] = r && r->type != TYPE_DEVICE ? ptr : 0;
    return TB_OK;
}

/* ---- devices --------------------------------------------------------------------------------------------------- */

static int device_count(void)
{
    int n = 0;
    tb__cpu_device_count(&n);
    return n;
}

static tb_status check_device(const char *who, int64_t device)
{
    if (device >= 0 && device < device_count()) return TB_OK;
    return tb__fail_device(INVALID_DEVICE, who, "cudaErrorInvalidDevice: invalid device ordinal");
}

static bool peers[TB_DEVICE_MAX][TB_DEVICE_MAX];

static tb_status peer_access(const char *who, int64_t peer, bool enable)
{
    int device = tb__device_current();
    TB_TRY(check_device(who, peer));
    if (peer == device) return tb__fail_device(INVALID_DEVICE, who, "cudaErrorInvalidDevice: invalid device ordinal");
    if (peers[device][peer] == enable)
        return enable ? tb__fail_device(704, who, "cudaErrorPeerAccessAlreadyEnabled: peer access is already enabled")
                      : tb__fail_device(705, who, "cudaErrorPeerAccessNotEnabled: peer access has not been enabled");
    peers[device][peer] = enable;
    return TB_OK;
}

/* All memory is near. -1 stands for the host. */
static tb_status hint(const char *who, const int64_t *in, int64_t device)
{
    if (device != -1) TB_TRY(check_device(who, device));
    return tb__cpu_region_fits(address(in[0]), (size_t)in[1], false) ? TB_OK : invalid(who);
}

/* Limits are numbers that somebody may set and read again. */
static tb_status limit(int64_t which, int64_t value, bool set, int64_t *out)
{
    static int64_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 128};
    if (which < 0 || which >= (int64_t)(sizeof limits / sizeof *limits)) return invalid("deviceGetLimit");
    if (set) limits[which] = value;
    else out[0] = limits[which];
    return TB_OK;
}

static tb_status bus_id(const int64_t *in)
{
    TB_TRY(check_device("deviceGetPCIBusId", in[0]));
    snprintf(address(in[1]), (size_t)in[2], "0000:%02X:00.0", (unsigned)in[0]);
    return TB_OK;
}

static tb_status by_bus_id(int64_t text, int64_t *out)
{
    unsigned domain, bus, device;
    if (sscanf(address(text), "%x:%x:%x", &domain, &bus, &device) != 3 || domain || device ||
        (int)bus >= device_count())
        return invalid("deviceGetByPCIBusId");
    out[0] = bus;
    return TB_OK;
}

static tb_status event_create(unsigned flags, int64_t *out)
{
    tb_event e = {.device = tb__device_current()};
    TB_TRY(tb__cpu_event_new(&e, flags));
    out[0] = (int64_t)(intptr_t)e.handle;
    return TB_OK;
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

static tb_status memory_op(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    switch (op) {
    case TB_RT_malloc: return allocate(in[0], TYPE_DEVICE, out);
    case TB_RT_mallocManaged: return allocate(in[0], TYPE_MANAGED, out);
    case TB_RT_hostAlloc: return allocate(in[0], TYPE_HOST, out);
    case TB_RT_hostRegister: return register_host(in[0], in[1]);
    case TB_RT_hostUnregister: return unregister_host(in[0]);
    case TB_RT_free: return release("free", in[0], false);
    case TB_RT_freeAsync: return release_in_order(in[0], in[1]);
    case TB_RT_freeHost: return release("freeHost", in[0], true);
    case TB_RT_memcpy: return copy(in[0], in[1], in[2], 0, true);
    case TB_RT_memcpyAsync: return copy(in[0], in[1], in[2], in[4], false);
    case TB_RT_memcpyPeer: return copy(in[0], in[2], in[4], 0, true);
    case TB_RT_memcpyPeerAsync: return copy(in[0], in[2], in[4], in[5], false);
    case TB_RT_memcpy2D: return copy_rows(in, 0, true);
    case TB_RT_memcpy2DAsync: return copy_rows(in, in[7], false);
    case TB_RT_memset: return fill(in[0], in[1], in[2], 0);
    case TB_RT_memsetAsync: return fill(in[0], in[1], in[2], in[3]);
    case TB_RT_memPrefetchAsync: return hint("memPrefetchAsync", in, in[2]);
    case TB_RT_memAdvise: return hint("memAdvise", in, in[3]);
    case TB_RT_pointerGetAttributes: return attributes(in[0], out);
    default: return tb__fail(TB_ERR_INTERNAL, "no such memory operation");
    }
}

tb_status tb__cpu_cudart(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    switch (op) {
    case TB_RT_deviceCanAccessPeer:
        TB_TRY(check_device("deviceCanAccessPeer", in[0]));
        TB_TRY(check_device("deviceCanAccessPeer", in[1]));
        out[0] = in[0] != in[1];
        return TB_OK;
    case TB_RT_deviceEnablePeerAccess: return peer_access("deviceEnablePeerAccess", in[0], true);
    case TB_RT_deviceDisablePeerAccess: return peer_access("deviceDisablePeerAccess", in[0], false);
    case TB_RT_deviceGetLimit: return limit(in[0], 0, false, out);
    case TB_RT_deviceSetLimit: return limit(in[0], in[1], true, NULL);
    case TB_RT_deviceGetPCIBusId: return bus_id(in);
    case TB_RT_deviceGetByPCIBusId: return by_bus_id(in[0], out);
    case TB_RT_deviceGetStreamPriorityRange:
        out[0] = 0;
        out[1] = -5;
        return TB_OK;
    case TB_RT_driverGetVersion:
    case TB_RT_runtimeGetVersion: out[0] = 0; return TB_OK;
    case TB_RT_ctxGetCurrent: out[0] = 1 + tb__device_current(); return TB_OK;
    case TB_RT_eventCreate: return event_create((unsigned)in[0], out);
    case TB_RT_eventDestroy: tb__cpu_event_drop(address(in[0])); return TB_OK;
    case TB_RT_profilerStart:
    case TB_RT_profilerStop: return TB_OK;
    case TB_RT_memPoolCreate:
    case TB_RT_memPoolDestroy:
    case TB_RT_memPoolTrimTo:
    case TB_RT_memPoolGetAttribute:
    case TB_RT_memPoolSetAttribute:
    case TB_RT_deviceGetDefaultMemPool:
    case TB_RT_deviceGetMemPool:
    case TB_RT_deviceSetMemPool:
    case TB_RT_mallocAsync:
    case TB_RT_mallocFromPoolAsync: return tb__cpu_pool_op(op, in, out);
    case TB_RT_ipcGetMemHandle:
    case TB_RT_ipcOpenMemHandle:
    case TB_RT_ipcCloseMemHandle:
    case TB_RT_ipcGetEventHandle:
    case TB_RT_ipcOpenEventHandle: return tb__cpu_ipc(op, in, out);
    case TB_RT_linkCreate:
    case TB_RT_linkDestroy:
    case TB_RT_linkAddData:
    case TB_RT_linkAddFile:
    case TB_RT_linkComplete:
        return tb__fail_device(801, "LinkState",
                               "cudaErrorNotSupported: device code is not linked on the CPU;"
                               " RawModule compiles all of it at once");
    case TB_RT_arrayCreate:
    case TB_RT_arrayDestroy:
    case TB_RT_arrayElementSize:
    case TB_RT_memcpy3D:
    case TB_RT_memcpy3DAsync:
    case TB_RT_textureCreate:
    case TB_RT_textureDestroy:
    case TB_RT_surfaceCreate:
    case TB_RT_surfaceDestroy:
    case TB_RT_mipmapCreate:
    case TB_RT_mipmapDestroy:
    case TB_RT_mipmapLevel: return tb__cpu_texture(op, in, out);
    default: return memory_op(op, in, out);
    }
}
