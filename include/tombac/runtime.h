/* runtime.h - a section of tombac.h, which includes it: host functions, graphs, and CUDA's run-time interface. */
#ifndef TOMBAC_RUNTIME_H
#define TOMBAC_RUNTIME_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h"
#endif

/* ---- runtime: host functions, graphs, and CUDA's run-time interface --------------------------------------------- */

/* Calls fn(arg) once everything given to the stream so far is done, on a thread of the library's; later work of the
 * stream waits for it. It must not call this library. `drop` (may be NULL) gets arg when it is not needed any more: on
 * the same thread after the call, or when the graph goes that the call was recorded into. */
TB_API tb_status tb_stream_host_func(tb_stream *s, void (*fn)(void *), void *arg, void (*drop)(void *));
/* Whether one has been given to some stream and is not done, or is part of a graph: whoever waits for a device then
 * must not hold what the function may need, such as an interpreter's lock. */
TB_API bool tb_host_func_pending(void);
/* New events behind what was given to any stream of any device and is not done yet: one for each such stream, *n of
 * them. With more than `room` nothing is made. Streams that are being captured are left out. */
TB_API tb_status tb_streams_outstanding(int room, tb_event **events, int *n);
/* Whether anything is deferred, on any device. */
TB_API bool tb_work_pending(void);

/* The calling thread's own stream of the current device, as CUDA's per-thread default stream is; borrowed. */
TB_API tb_status tb_stream_per_thread(tb_stream **out);
TB_API int tb_stream_flags(const tb_stream *s);    /* what it was made with */
TB_API int tb_stream_priority(const tb_stream *s); /* what it was made with */

typedef struct tb_graph tb_graph; /* recorded work, which can be launched many times */
/* mode: 0 global, 1 thread-local, 2 relaxed, as CUDA has it. Work on s is recorded and not run until the end; work on
 * streams that wait for an event of s as well. */
TB_API tb_status tb_stream_capture_begin(tb_stream *s, int mode);
/* Of the capture that began on s. TB_ERR_DEVICE, with CUDA's number of what is wrong, also if anything failed before;
 * the capture has ended in any case. */
TB_API tb_status tb_stream_capture_end(tb_stream *s, tb_graph **out);
/* 0 none, 1 active, 2 it has failed, and tb_stream_capture_end is yet to say so; the stream works as usual. */
TB_API int tb_stream_capture_status(tb_stream *s);
/* What has been recorded is thrown away, and the stream's work is run again. */
TB_API void tb_stream_capture_drop(tb_stream *s);
TB_API tb_graph *tb_graph_retain(tb_graph *g); /* returns g, with one more reference */
TB_API void tb_graph_release(tb_graph *g);     /* NULL is allowed */
/* All of the recorded work, with the addresses it was recorded with; the graph keeps that memory. s: NULL is the
 * current stream. What is pending on the device goes first. */
TB_API tb_status tb_graph_launch(tb_graph *g, tb_stream *s);
/* Makes the first launch quicker; NULL: the current stream. */
TB_API tb_status tb_graph_upload(tb_graph *g, tb_stream *s);
/* A drawing for Graphviz in a file; flags: CUgraphDebugDot_flags. */
TB_API tb_status tb_graph_dot(tb_graph *g, unsigned flags, const char *path);
TB_API uintptr_t tb_graph_handle(const tb_graph *g); /* CUgraph as a number */
TB_API uintptr_t tb_graph_exec(const tb_graph *g);   /* CUgraphExec as a number */
/* The argument (tb_stream_host_func) of the i-th function of the host that was recorded; false if there are no more. */
TB_API bool tb_graph_host_arg(const tb_graph *g, int i, void **arg);

/* Functions of CUDA's run-time interface that have no other place here: TB_RUNTIME_OP(name, inputs, outputs), all of
 * them 64-bit integers (addresses, handles, sizes, enumerations by CUDA's numbers) in the order of CUDA's parameters.
 * Addresses in brackets are of host memory that is read or written. */
#define TB_RUNTIME_OPS \
    TB_RUNTIME_OP(malloc, 1, 1) TB_RUNTIME_OP(mallocManaged, 2, 1) TB_RUNTIME_OP(mallocAsync, 2, 1) \
    TB_RUNTIME_OP(mallocFromPoolAsync, 3, 1) TB_RUNTIME_OP(hostAlloc, 2, 1) TB_RUNTIME_OP(hostRegister, 3, 0) \
    TB_RUNTIME_OP(hostUnregister, 1, 0) TB_RUNTIME_OP(free, 1, 0) TB_RUNTIME_OP(freeAsync, 2, 0) \
    TB_RUNTIME_OP(freeHost, 1, 0) \
    TB_RUNTIME_OP(memcpy, 4, 0) TB_RUNTIME_OP(memcpyAsync, 5, 0) TB_RUNTIME_OP(memcpyPeer, 5, 0) \
    TB_RUNTIME_OP(memcpyPeerAsync, 6, 0) TB_RUNTIME_OP(memset, 3, 0) TB_RUNTIME_OP(memsetAsync, 4, 0) \
    TB_RUNTIME_OP(memcpy2D, 7, 0) TB_RUNTIME_OP(memcpy2DAsync, 8, 0) \
    TB_RUNTIME_OP(memPrefetchAsync, 4, 0) TB_RUNTIME_OP(memAdvise, 4, 0) \
    TB_RUNTIME_OP(pointerGetAttributes, 1, 4) /* type, device, device pointer, host pointer */ \
    TB_RUNTIME_OP(deviceCanAccessPeer, 2, 1) TB_RUNTIME_OP(deviceEnablePeerAccess, 1, 0) \
    TB_RUNTIME_OP(deviceDisablePeerAccess, 1, 0) TB_RUNTIME_OP(deviceGetLimit, 1, 1) \
    TB_RUNTIME_OP(deviceSetLimit, 2, 0) TB_RUNTIME_OP(deviceGetPCIBusId, 3, 0) /* device, [text], its size */ \
    TB_RUNTIME_OP(deviceGetByPCIBusId, 1, 1) /* [text] */ \
    TB_RUNTIME_OP(deviceGetStreamPriorityRange, 0, 2) TB_RUNTIME_OP(driverGetVersion, 0, 1) \
    TB_RUNTIME_OP(runtimeGetVersion, 0, 1) TB_RUNTIME_OP(ctxGetCurrent, 0, 1) \
    TB_RUNTIME_OP(memPoolCreate, 5, 1) TB_RUNTIME_OP(memPoolDestroy, 1, 0) TB_RUNTIME_OP(memPoolTrimTo, 2, 0) \
    TB_RUNTIME_OP(memPoolGetAttribute, 2, 1) TB_RUNTIME_OP(memPoolSetAttribute, 3, 0) \
    TB_RUNTIME_OP(deviceGetDefaultMemPool, 1, 1) TB_RUNTIME_OP(deviceGetMemPool, 1, 1) \
    TB_RUNTIME_OP(deviceSetMemPool, 2, 0) \
    TB_RUNTIME_OP(ipcGetMemHandle, 2, 0) TB_RUNTIME_OP(ipcOpenMemHandle, 2, 1) /* pointer, [64 bytes]; [..], flags */ \
    TB_RUNTIME_OP(ipcCloseMemHandle, 1, 0) TB_RUNTIME_OP(ipcGetEventHandle, 2, 0) \
    TB_RUNTIME_OP(ipcOpenEventHandle, 1, 1) \
    TB_RUNTIME_OP(streamCreate, 2, 1) TB_RUNTIME_OP(streamDestroy, 1, 0) /* flags, priority; handle */ \
    TB_RUNTIME_OP(eventCreate, 1, 1) TB_RUNTIME_OP(eventDestroy, 1, 0) \
    TB_RUNTIME_OP(profilerStart, 0, 0) TB_RUNTIME_OP(profilerStop, 0, 0) \
    TB_RUNTIME_OP(arrayCreate, 5, 1) /* [channels], width, height, depth, flags: [..] is CUDA's structure */ \
    TB_RUNTIME_OP(arrayDestroy, 1, 0) TB_RUNTIME_OP(arrayElementSize, 1, 1) \
    TB_RUNTIME_OP(mipmapCreate, 6, 1) /* [channels], width, height, depth, levels, flags */ \
    TB_RUNTIME_OP(mipmapDestroy, 1, 0) TB_RUNTIME_OP(mipmapLevel, 2, 1) /* level: an array, the mipmap's */ \
    TB_RUNTIME_OP(memcpy3D, 1, 0) TB_RUNTIME_OP(memcpy3DAsync, 2, 0) /* [parameters], stream */ \
    TB_RUNTIME_OP(textureCreate, 2, 1) TB_RUNTIME_OP(textureDestroy, 1, 0) /* [resource], [texture] */ \
    TB_RUNTIME_OP(surfaceCreate, 1, 1) TB_RUNTIME_OP(surfaceDestroy, 1, 0) \
    TB_RUNTIME_OP(linkCreate, 0, 1) TB_RUNTIME_OP(linkDestroy, 1, 0) \
    TB_RUNTIME_OP(linkAddData, 5, 0) /* state, CUjitInputType, [data], its size, [name] */ \
    TB_RUNTIME_OP(linkAddFile, 3, 0) /* state, CUjitInputType, [path] */ \
    TB_RUNTIME_OP(linkComplete, 1, 2) /* [image], its size: the state's */

typedef enum tb_runtime_op {
#define TB_RUNTIME_OP(name, nin, nout) TB_RT_##name,
    TB_RUNTIME_OPS
#undef TB_RUNTIME_OP
        TB_RT_COUNT /* how many there are; also: none */
} tb_runtime_op;

/* The operation's number by its name, and how many integers it takes and gives (nin, nout may be NULL); TB_RT_COUNT if
 * there is none. */
TB_API tb_runtime_op tb_runtime_find(const char *name, int *nin, int *nout);
/* Does it on the current device. What is pending is enqueued first where the operation reads or writes memory. */
TB_API tb_status tb_runtime_call(tb_runtime_op op, const int64_t *in, int64_t *out);
/* Says that a block of hostAlloc belongs to an object of the caller's: freeing it by its number is an error until it is
 * claimed no more. */
TB_API tb_status tb_memory_claim(void *ptr, bool claimed);
/* Whether the bytes from ptr on are there to be read by the host: for addresses that come as numbers. */
TB_API bool tb_memory_is_mapped(const void *ptr, size_t bytes);

/* dlopen's handle of one of NVIDIA's libraries: "cuda", "nvrtc", "cublas", "cufft", "cusolver", "cusparse",
 * "cusparselt" or "cutensor". It is opened at the first call, and never closed. TB_ERR_LIBRARY with every place looked
 * at when it is not there, TB_ERR_VALUE for another name. */
TB_API tb_status tb_library_handle(const char *name, void **out);
#endif
