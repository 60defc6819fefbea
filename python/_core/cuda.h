/* cuda.h - what device.c, stream.c and runtime.c share: the parts of tombac.cuda. */
#ifndef TBPY_CUDA_H
#define TBPY_CUDA_H
#include "core.h"

int tbpy_add_device(PyObject *m);  /* device.c: Device */
int tbpy_add_streams(PyObject *m); /* stream.c: Stream, ExternalStream, get_current_stream */
int tbpy_add_events(PyObject *m);  /* event.c: Event, get_elapsed_time */

int tbpy_add_graph(PyObject *m);   /* graph.c: Graph */
int tbpy_add_runtime(PyObject *m); /* runtime_call.c: runtime_call */

/* A Graph that owns g; steals g, also on failure. */
PyObject *tbpy_graph_wrap(tb_graph *g);
/* Calls callback(arg), or callback(stream, 0, arg) if stream is not NULL, when the work of s is done. None, or NULL. */
PyObject *tbpy_host_func(tb_stream *s, PyObject *stream, PyObject *callback, PyObject *arg);

/* (callback, arg) of a function of the host that was given to the library. */
PyObject *tbpy_host_func_pair(void *call);

extern PyTypeObject *tbpy_event_type;
/* A new tombac.cuda.Event; flags as for tb_event_new. */
PyObject *tbpy_event_new(PyTypeObject *type, unsigned flags);
/* The tb_event (borrowed) of a tombac.cuda.Event; NULL with a TypeError for another object. */
tb_event *tbpy_event(PyObject *o);

/* A device number from an int, a Device or None (the current device). */
int tbpy_device_arg(PyObject *o, int *out);
#endif
