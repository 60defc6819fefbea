/* host_func.c - Python functions in a stream.
 *
 * The library calls them on a thread of its own, which takes the interpreter's lock. So whoever waits for a device lets
 * go of that lock while a function is outstanding (tb_host_func_pending). What a call held is dropped later, in the
 * main thread: freeing an array wants the library's lock, which somebody may hold who waits for the call. */
#include "cuda.h"

#include <stdatomic.h>

typedef struct host_call {
    PyObject *stream, *callback, *arg; /* stream: NULL unless it is passed on */
    struct host_call *next;
} host_call;

static _Atomic(host_call *) finished;

static void drop_call(host_call *c)
{
    Py_XDECREF(c->stream);
    Py_DECREF(c->callback);
    Py_DECREF(c->arg);
    PyMem_RawFree(c);
}

static int drop_finished(void *Py_UNUSED(ignored))
{
    host_call *c = atomic_exchange(&finished, NULL);
    while (c) {
        host_call *next = c->next;
        drop_call(c);
        c = next;
    }
    return 0;
}

static void run_call(void *p)
{
    const host_call *c = p;
    if (!Py_IsInitialized()) return;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *r = c->stream ? PyObject_CallFunction(c->callback, "OiO", c->stream, 0, c->arg)
                            : PyObject_CallOneArg(c->callback, c->arg);
    if (r == NULL) PyErr_WriteUnraisable(c->callback);
    Py_XDECREF(r);
    PyGILState_Release(state);
}

static void finish_call(void *p)
{
    host_call *c = p;
    c->next = atomic_load(&finished);
    while (!atomic_compare_exchange_weak(&finished, &c->next, c)) {}
    if (Py_IsInitialized()) Py_AddPendingCall(drop_finished, NULL); /* when its queue is full, the next one will do */
}

PyObject *tbpy_host_func(tb_stream *s, PyObject *stream, PyObject *callback, PyObject *arg)
{
    drop_finished(NULL);
    if (!PyCallable_Check(callback))
        return PyErr_Format(PyExc_TypeError, "the callback must be callable, not %R", Py_TYPE(callback));
    host_call *c = PyMem_RawMalloc(sizeof *c);
    if (c == NULL) return PyErr_NoMemory();
    *c = (host_call){Py_XNewRef(stream), Py_NewRef(callback), Py_NewRef(arg), NULL};
    tb_status st;
    TBPY_UNLOCKED(st, tb_stream_host_func(s, run_call, c, finish_call));
    if (st != TB_OK) {
        drop_call(c);
        return tbpy_raise(st);
    }
    Py_RETURN_NONE;
}

PyObject *tbpy_host_func_pair(void *call)
{
    const host_call *c = call;
    return PyTuple_Pack(2, c->callback, c->arg);
}
