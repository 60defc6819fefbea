/* event.c - tombac.cuda.Event: a mark in a stream, to wait for or to take times between. */
#include "cuda.h"

typedef struct TbEvent {
    PyObject_HEAD
    tb_event *event;
} TbEvent;

PyTypeObject *tbpy_event_type;

tb_event *tbpy_event(PyObject *o)
{
    if (PyObject_TypeCheck(o, tbpy_event_type)) return ((TbEvent *)o)->event;
    PyErr_Format(PyExc_TypeError, "a tombac.cuda.Event is expected, not %R", Py_TYPE(o));
    return NULL;
}

static tb_event *event_of(PyObject *self) { return ((TbEvent *)self)->event; }

PyObject *tbpy_event_new(PyTypeObject *type, unsigned flags)
{
    tb_event *e;
    TBPY_TRY(tb_event_new(flags, &e));
    TbEvent *self = (TbEvent *)type->tp_alloc(type, 0);
    if (self == NULL) tb_event_release(e);
    else self->event = e;
    return (PyObject *)self;
}

/* Takes over the reference. */
static PyObject *wrap(tb_event *e)
{
    TbEvent *self = (TbEvent *)tbpy_event_type->tp_alloc(tbpy_event_type, 0);
    if (self == NULL) tb_event_release(e);
    else self->event = e;
    return (PyObject *)self;
}

static PyObject *event_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"block", "disable_timing", "interprocess", NULL};
    int block = 0, disable_timing = 0, interprocess = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|ppp:Event", names, &block, &disable_timing, &interprocess))
        return NULL;
    return tbpy_event_new(type, (block ? TB_EVENT_BLOCKING : 0u) | (disable_timing ? TB_EVENT_NO_TIMING : 0u) |
                                    (interprocess ? TB_EVENT_INTERPROCESS : 0u));
}

static void event_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    tb_event_release(event_of(self));
    type->tp_free(self);
    Py_DECREF(type);
}

/* With the interpreter's lock held unless a function of the host wants it: recording rarely takes a microsecond. */
static PyObject *event_record(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"stream", NULL};
    PyObject *o[1];
    tb_stream *s = NULL;
    if (tbpy_parse("record", names, 0, 1, args, nargs, kwnames, o) < 0) return NULL;
    if (o[0] && o[0] != Py_None && tbpy_stream_arg(o[0], &s) < 0) return NULL;
    tb_status st;
    TBPY_UNLOCKED_IF(0, st, tb_event_record(event_of(self), s));
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

/* An event by its handle, which belongs to somebody else. */
static PyObject *event_from_handle(PyObject *Py_UNUSED(m), PyObject *handle)
{
    void *p = PyLong_AsVoidPtr(handle);
    tb_event *e;
    if (p == NULL) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "event: the handle must not be 0");
        return NULL;
    }
    TBPY_TRY(tb_event_wrap((uintptr_t)p, &e));
    return wrap(e);
}

static PyObject *outstanding_events(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    int room = 16, n = 0;
    tb_event **events = NULL;
    tb_status st;
    do {
        if (n > room) room = n;
        PyMem_Free(events);
        if ((events = PyMem_New(tb_event *, room)) == NULL) return PyErr_NoMemory();
        st = tb_streams_outstanding(room, events, &n);
    } while (st == TB_OK && n > room);
    PyObject *list = st == TB_OK ? PyList_New(n) : tbpy_raise(st);
    for (int i = 0; st == TB_OK && i < n; i++) {
        PyObject *e = wrap(events[i]);
        if (list && e) PyList_SET_ITEM(list, i, e);
        else Py_CLEAR(list);
    }
    PyMem_Free(events);
    return list;
}

static PyObject *event_synchronize(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    tb_status st;
    TBPY_UNLOCKED(st, tb_event_synchronize(event_of(self)));
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

static PyObject *get_done(PyObject *self, void *Py_UNUSED(closure))
{
    bool done;
    TBPY_TRY(tb_event_query(event_of(self), &done));
    return PyBool_FromLong(done);
}

static PyObject *get_ptr(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromVoidPtr((void *)tb_event_handle(event_of(self)));
}

static PyObject *elapsed_time(PyObject *Py_UNUSED(m), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"start_event", "end_event", NULL};
    PyObject *a, *b;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OO:get_elapsed_time", names, &a, &b)) return NULL;
    tb_event *start = tbpy_event(a), *stop = start ? tbpy_event(b) : NULL;
    if (stop == NULL) return NULL;
    float ms;
    TBPY_TRY(tb_event_elapsed(start, stop, &ms));
    return PyFloat_FromDouble(ms);
}

#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"record", (PyCFunction)(void (*)(void))event_record, METH_FASTCALL | METH_KEYWORDS,
     "record($self, stream=None)\n--\n\nPuts the event into the stream (the current one by default), behind all work "
     "that was "
     "given to it or is still deferred."},
    {"synchronize", event_synchronize, METH_NOARGS,
     "synchronize($self)\n--\n\nWaits until the stream has reached the event."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef getset[] = {{"done", get_done, NULL, "Whether the stream has reached the event.", NULL},
                               {"ptr", get_ptr, NULL, "The driver's handle as a number.", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

static const char event_doc[] =
    "Event(block=False, disable_timing=False, interprocess=False)\n--\n\nA mark in a stream.\n\nArgs:\n"
    "    block: Waiting threads sleep rather than poll.\n    disable_timing: The event is for ordering alone.\n"
    "    interprocess: The event can be shared with other processes; needs disable_timing.\n\n"
    ">>> start, stop = tombac.cuda.Event(), tombac.cuda.Event()\n"
    ">>> start.record(); stop.record(); stop.synchronize()\n>>> tombac.cuda.get_elapsed_time(start, stop) >= 0\nTrue";

static PyType_Slot slots[] = {{Py_tp_doc, (void *)event_doc}, {Py_tp_new, event_new}, {Py_tp_dealloc, event_dealloc},
                              {Py_tp_methods, methods},       {Py_tp_getset, getset}, {0, NULL}};

static PyType_Spec spec = {.name = "tombac.cuda.Event",
                           .basicsize = sizeof(TbEvent),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           .slots = slots};

static PyMethodDef functions[] = {{"get_elapsed_time", KEYWORDS(elapsed_time),
                                   "get_elapsed_time(start_event, end_event)\n--\n\nMilliseconds between two recorded "
                                   "events that have been reached, a float.\n\n"
                                   "Raises:\n    CUDARuntimeError: An event keeps no time, or has not "
                                   "been reached."},
                                  {"event_from_handle", event_from_handle, METH_O,
                                   "event_from_handle(handle, /)\n--\n\nAn Event over a handle that somebody else "
                                   "owns."},
                                  {"outstanding_events", outstanding_events, METH_NOARGS,
                                   "outstanding_events()\n--\n\nA list of new events, one behind the work of each "
                                   "stream that is not done."},
                                  {NULL, NULL, 0, NULL}};

int tbpy_add_events(PyObject *m)
{
    tbpy_event_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (tbpy_event_type == NULL || PyModule_AddType(m, tbpy_event_type) < 0) return -1;
    return PyModule_AddFunctions(m, functions);
}
