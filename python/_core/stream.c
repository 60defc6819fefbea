/* stream.c - tombac.cuda.Stream and ExternalStream: queues of device work, and the calling thread's current one.
 *
 * Stream.null stands for the null stream of whichever device is current, and Stream.ptds for the calling thread's own
 * stream, so that importing the module needs no device: their `stream` stays NULL and is looked up on use. */
#include "cuda.h"

#include <structmember.h>

typedef struct TbStream {
    PyObject_HEAD
    tb_stream *stream; /* NULL: the null stream of the current device, or the thread's own */
    bool ptds;
    PyObject *dict, *weakreflist;
} TbStream;

static PyTypeObject *stream_type, *external_type;
static PyObject *null_object, *ptds_object;

/* The tb_stream of self, borrowed. */
static tb_status stream_of(PyObject *self, tb_stream **out)
{
    tb_stream *s = ((TbStream *)self)->stream;
    if (s == NULL) return ((TbStream *)self)->ptds ? tb_stream_per_thread(out) : tb_stream_null(out);
    *out = s;
    return TB_OK;
}

int tbpy_stream_arg(PyObject *o, tb_stream **out)
{
    if (o == NULL || o == Py_None) return 0;
    if (PyObject_TypeCheck(o, stream_type)) {
        TBPY_TRY_INT(stream_of(o, out));
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "a tombac.cuda.Stream is expected, not %R", Py_TYPE(o));
    return -1;
}

/* A Stream object for s; steals s. */
static PyObject *wrap(PyTypeObject *type, tb_stream *s)
{
    TbStream *self = (TbStream *)type->tp_alloc(type, 0);
    if (self == NULL) {
        tb_stream_release(s);
        return NULL;
    }
    self->stream = s;
    return (PyObject *)self;
}

static PyObject *stream_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"null", "non_blocking", "ptds", "priority", NULL};
    int null = 0, non_blocking = 0, ptds = 0;
    PyObject *o = NULL;
    int64_t priority = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|pppO:Stream", names, &null, &non_blocking, &ptds, &o) ||
        tbpy_int_arg(o, &priority) < 0)
        return NULL;
    if (null || ptds) {
        PyObject *self = wrap(type, NULL);
        if (self) ((TbStream *)self)->ptds = !null;
        return self;
    }
    tb_stream *s;
    TBPY_TRY(tb_stream_new(non_blocking ? TB_STREAM_NON_BLOCKING : TB_STREAM_DEFAULT, (int)priority, &s));
    return wrap(type, s);
}

static PyObject *external_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"ptr", "device_id", NULL};
    PyObject *ptr;
    int device = -1;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|i:ExternalStream", names, &ptr, &device)) return NULL;
    void *handle = PyLong_AsVoidPtr(ptr);
    if (handle == NULL) return PyErr_Occurred() ? NULL : wrap(type, NULL);
    int before;
    TBPY_TRY(tb_device_current(&before));
    bool other = device >= 0 && device != before;
    tb_stream *s;
    if (other) TBPY_TRY(tb_device_use(device));
    tb_status st = tb_stream_wrap((uintptr_t)handle, &s);
    if (other) TBPY_TRY(tb_device_use(before));
    TBPY_TRY(st);
    return wrap(type, s);
}

static int stream_clear(PyObject *self)
{
    Py_CLEAR(((TbStream *)self)->dict);
    return 0;
}

static int stream_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((TbStream *)self)->dict);
    return 0;
}

static void stream_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (((TbStream *)self)->weakreflist) PyObject_ClearWeakRefs(self);
    stream_clear(self);
    if (((TbStream *)self)->stream) tb_stream_release(((TbStream *)self)->stream);
    type->tp_free(self);
    Py_DECREF(type);
}

/* ---- the current stream ------------------------------------------------------------------------------------------ */

/* Streams (retained) that were current when `with` blocks of this thread were entered. Freed with the last block. */
typedef struct Entered {
    tb_stream *before;
    bool capturing; /* the stream that was entered, already */
} Entered;
static _Thread_local struct {
    Entered *streams;
    int n, cap;
} entered;

static PyObject *stream_use(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    tb_stream *s;
    TBPY_TRY(stream_of(self, &s));
    TBPY_TRY(tb_stream_use(s));
    return Py_NewRef(self);
}

static PyObject *stream_enter(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    tb_stream *before, *s;
    TBPY_TRY(tb_stream_current(&before));
    TBPY_TRY(stream_of(self, &s));
    if (entered.n == entered.cap) {
        int cap = entered.cap ? 2 * entered.cap : 8;
        Entered *streams = PyMem_RawRealloc(entered.streams, (size_t)cap * sizeof *streams);
        if (streams == NULL) return PyErr_NoMemory();
        entered.streams = streams;
        entered.cap = cap;
    }
    tb_stream_retain(before);
    tb_status st = tb_stream_use(s);
    if (st != TB_OK) {
        tb_stream_release(before);
        return tbpy_raise(st);
    }
    entered.streams[entered.n++] = (Entered){before, tb_stream_capture_status(s) == 1};
    return Py_NewRef(self);
}

/* s becomes the current stream of its device, whichever device is current. */
static tb_status use_on_its_device(tb_stream *s)
{
    int device, own = tb_stream_device(s);
    tb_status st = tb_device_current(&device);
    if (st != TB_OK || device == own) return st == TB_OK ? tb_stream_use(s) : st;
    st = tb_device_use(own);
    if (st == TB_OK) st = tb_stream_use(s);
    tb_device_use(device);
    return st;
}

/* A capture that began in the block which an exception leaves has nobody to end it. */
static PyObject *stream_exit(PyObject *self, PyObject *args)
{
    tb_stream *own;
    const bool fails = PyTuple_GET_SIZE(args) > 0 && PyTuple_GET_ITEM(args, 0) != Py_None;
    if (entered.n == 0) {
        PyErr_SetString(PyExc_RuntimeError, "Stream.__exit__: this thread has not entered a stream");
        return NULL;
    }
    const Entered last = entered.streams[--entered.n];
    if (entered.n == 0) {
        PyMem_RawFree(entered.streams);
        memset(&entered, 0, sizeof entered);
    }
    if (fails && !last.capturing && stream_of(self, &own) == TB_OK && tb_stream_capture_status(own) == 1)
        tb_stream_capture_drop(own);
    tb_status st = use_on_its_device(last.before);
    tb_stream_release(last.before);
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

static PyObject *current_stream(PyObject *Py_UNUSED(m), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"device_id", NULL};
    int device = -1, before;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|i:get_current_stream", names, &device)) return NULL;
    TBPY_TRY(tb_device_current(&before));
    bool other = device >= 0 && device != before;
    if (other) TBPY_TRY(tb_device_use(device));
    tb_stream *s, *null;
    tb_status st = tb_stream_current(&s);
    if (st == TB_OK) st = tb_stream_null(&null);
    if (other) TBPY_TRY(tb_device_use(before));
    TBPY_TRY(st);
    if (s == null) return Py_NewRef(null_object);
    tb_stream_retain(s);
    return wrap(stream_type, s);
}

/* ---- work -------------------------------------------------------------------------------------------------------- */

static PyObject *stream_synchronize(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    tb_stream *s;
    tb_status st;
    TBPY_TRY(stream_of(self, &s));
    TBPY_UNLOCKED(st, tb_stream_synchronize(s));
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

static PyObject *stream_record(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"event", NULL};
    PyObject *o = NULL;
    tb_stream *s;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|O:record", names, &o)) return NULL;
    TBPY_TRY(stream_of(self, &s));
    PyObject *event = o && o != Py_None ? Py_NewRef(o) : tbpy_event_new(tbpy_event_type, 0);
    tb_event *e = event ? tbpy_event(event) : NULL;
    if (e == NULL) {
        Py_XDECREF(event);
        return NULL;
    }
    tb_status st;
    TBPY_UNLOCKED(st, tb_event_record(e, s));
    if (st == TB_OK) return event;
    Py_DECREF(event);
    return tbpy_raise(st);
}

static PyObject *stream_wait_event(PyObject *self, PyObject *o)
{
    tb_stream *s;
    tb_event *e = tbpy_event(o);
    if (e == NULL) return NULL;
    TBPY_TRY(stream_of(self, &s));
    TBPY_TRY(tb_stream_wait_event(s, e));
    Py_RETURN_NONE;
}

TBPY_ONE(stream_wait_event, "wait_event", "event")

static PyObject *stream_add_callback(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"callback", "arg", NULL};
    PyObject *callback, *arg;
    tb_stream *s;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OO:add_callback", names, &callback, &arg)) return NULL;
    TBPY_TRY(stream_of(self, &s));
    return tbpy_host_func(s, self, callback, arg);
}

static PyObject *stream_launch_host_func(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"callback", "arg", NULL};
    PyObject *callback, *arg;
    tb_stream *s;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OO:launch_host_func", names, &callback, &arg)) return NULL;
    TBPY_TRY(stream_of(self, &s));
    return tbpy_host_func(s, NULL, callback, arg);
}

/* ---- capturing --------------------------------------------------------------------------------------------------- */

enum { MODE_RELAXED = 2 };

static PyObject *stream_begin_capture(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"mode", NULL};
    PyObject *o = NULL;
    int64_t mode = MODE_RELAXED;
    tb_stream *s;
    tb_status st;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|O:begin_capture", names, &o) || tbpy_int_arg(o, &mode) < 0)
        return NULL;
    TBPY_TRY(stream_of(self, &s));
    TBPY_UNLOCKED(st, tb_stream_capture_begin(s, (int)mode));
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

static PyObject *stream_end_capture(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    tb_stream *s;
    tb_graph *g;
    tb_status st;
    TBPY_TRY(stream_of(self, &s));
    TBPY_UNLOCKED(st, tb_stream_capture_end(s, &g));
    TBPY_TRY(st);
    return tbpy_graph_wrap(g);
}

static PyObject *stream_is_capturing(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    tb_stream *s;
    TBPY_TRY(stream_of(self, &s));
    return PyBool_FromLong(tb_stream_capture_status(s) == 1);
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static PyObject *get_done(PyObject *self, void *Py_UNUSED(closure))
{
    tb_stream *s;
    bool done;
    TBPY_TRY(stream_of(self, &s));
    TBPY_TRY(tb_stream_query(s, &done));
    return PyBool_FromLong(done);
}

static PyObject *get_ptr(PyObject *self, void *Py_UNUSED(closure))
{
    tb_stream *s = ((TbStream *)self)->stream;
    if (s == NULL && !((TbStream *)self)->ptds) return PyLong_FromLong(0);
    TBPY_TRY(stream_of(self, &s));
    return PyLong_FromVoidPtr((void *)tb_stream_handle(s));
}

static PyObject *get_device_id(PyObject *self, void *Py_UNUSED(closure))
{
    tb_stream *s;
    TBPY_TRY(stream_of(self, &s));
    return PyLong_FromLong(tb_stream_device(s));
}

static PyObject *get_priority(PyObject *self, void *Py_UNUSED(closure))
{
    tb_stream *s = ((TbStream *)self)->stream;
    return PyLong_FromLong(s ? tb_stream_priority(s) : 0);
}

static PyObject *get_non_blocking(PyObject *self, void *Py_UNUSED(closure))
{
    tb_stream *s = ((TbStream *)self)->stream;
    return PyBool_FromLong(s && (tb_stream_flags(s) & TB_STREAM_NON_BLOCKING));
}

static PyObject *stream_cuda_stream(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *ptr = get_ptr(self, NULL);
    return ptr ? Py_BuildValue("iN", 0, ptr) : NULL;
}

static PyObject *stream_from_external(PyObject *Py_UNUSED(cls), PyObject *o)
{
    PyObject *pair = PyObject_CallMethod(o, "__cuda_stream__", NULL);
    if (pair == NULL) return NULL;
    PyObject *ptr = PySequence_GetItem(pair, 1);
    Py_DECREF(pair);
    PyObject *r = ptr ? PyObject_CallOneArg((PyObject *)external_type, ptr) : NULL;
    Py_XDECREF(ptr);
    return r;
}

static PyObject *stream_repr(PyObject *self)
{
    tb_stream *s = ((TbStream *)self)->stream;
    if (s == NULL) {
        bool ptds = ((TbStream *)self)->ptds;
        return PyUnicode_FromString(ptds ? "<Stream 2 (per thread)>" : "<Stream 0 (null)>");
    }
    return PyUnicode_FromFormat("<%s %p (device %d)>", Py_IS_TYPE(self, external_type) ? "ExternalStream" : "Stream",
                                (void *)tb_stream_handle(s), tb_stream_device(s));
}

/* Streams are the same if they stand for the same one, or if the driver's handles are one. */
static bool same_stream(const TbStream *self, const TbStream *other)
{
    tb_stream *a = self->stream, *b = other->stream;
    if (!a && !b) return self->ptds == other->ptds;
    if (a == b) return true;
    return a && b && tb_stream_handle(a) && tb_stream_handle(a) == tb_stream_handle(b);
}

static PyObject *stream_compare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(other, stream_type)) Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong(same_stream((TbStream *)self, (TbStream *)other) == (op == Py_EQ));
}

static Py_hash_t stream_hash(PyObject *self)
{
    const TbStream *self_ = (TbStream *)self;
    uintptr_t h = (uintptr_t)self_->stream;
    if (!self_->stream) h = 32 * (uintptr_t)self_->ptds;
    else if (tb_stream_handle(self_->stream)) h = tb_stream_handle(self_->stream);
    Py_hash_t hash = (Py_hash_t)(h >> 4 | h << (8 * sizeof h - 4));
    return hash == -1 ? -2 : hash;
}

/* ---- the types --------------------------------------------------------------------------------------------------- */

#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"use", stream_use, METH_NOARGS, "use($self)\n--\n\nMakes this the calling thread's current stream; returns it."},
    {"synchronize", stream_synchronize, METH_NOARGS,
     "synchronize($self)\n--\n\nEnqueues everything that is pending on the stream and waits until it is done."},
    {"record", KEYWORDS(stream_record),
     "record($self, event=None)\n--\n\nRecords an event (a new one by default) and returns it."},
    {"wait_event", TBPY_ONE_ROW(stream_wait_event),
     "wait_event($self, event)\n--\n\nLater work of this stream waits for the event."},
    {"add_callback", KEYWORDS(stream_add_callback),
     "add_callback($self, callback, arg)\n--\n\nCalls callback(stream, 0, arg) when the work given to the stream so "
     "far is "
     "done.\n\nAs launch_host_func."},
    {"launch_host_func", KEYWORDS(stream_launch_host_func),
     "launch_host_func($self, callback, arg)\n--\n\nCalls callback(arg) when the work given to the stream so far is "
     "done.\n\nIt runs on another thread; later work of the stream waits for it. It must not use arrays or devices. "
     "An exception in it is reported to sys.unraisablehook.\n\nOn a GPU the first use of a kernel, and giving memory "
     "back to the device, may wait for all streams, and so for the callback."},
    {"begin_capture", KEYWORDS(stream_begin_capture),
     "begin_capture($self, mode=None)\n--\n\nFrom here to end_capture() work of the stream is recorded instead of "
     "being "
     "run.\n\nmode: runtime.streamCaptureModeRelaxed (the default), ...ThreadLocal or ...Global. Deferred work of "
     "the device is enqueued before. The null stream cannot be captured: CUDARuntimeError."},
    {"end_capture", stream_end_capture, METH_NOARGS,
     "end_capture($self)\n--\n\nEnds the recording and returns a Graph. CUDARuntimeError if something was asked for "
     "that "
     "cannot be recorded, such as numbers on the host: that call has failed and has ended the capture. So does an "
     "exception that leaves a `with` block of the stream in which the capture began."},
    {"is_capturing", stream_is_capturing, METH_NOARGS,
     "is_capturing($self)\n--\n\nWhether work of the stream is being recorded."},
    {"from_external", stream_from_external, METH_O | METH_STATIC,
     "from_external(obj)\n--\n\nAn ExternalStream over another library's stream (its __cuda_stream__)."},
    {"__cuda_stream__", stream_cuda_stream, METH_NOARGS, "The stream protocol: (version, handle)."},
    {"__enter__", stream_enter, METH_NOARGS, NULL},
    {"__exit__", stream_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef getset[] = {
    {"done", get_done, NULL, "Whether all work given to the stream is done.", NULL},
    {"ptr", get_ptr, NULL, "The driver's handle as a number; 0 for the null stream.", NULL},
    {"device_id", get_device_id, NULL, "The number of the stream's device.", NULL},
    {"priority", get_priority, NULL, "The priority asked for; lower runs first.", NULL},
    {"is_non_blocking", get_non_blocking, NULL, "Whether the stream runs beside the null stream.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMemberDef members[] = {{"__dictoffset__", T_PYSSIZET, offsetof(TbStream, dict), READONLY, NULL},
                                {"__weaklistoffset__", T_PYSSIZET, offsetof(TbStream, weakreflist), READONLY, NULL},
                                {NULL, 0, 0, 0, NULL}};

static const char stream_doc[] =
    "Stream(null=False, non_blocking=False, ptds=False, priority=None)\n--\n\nA queue of device work.\n\n"
    "Array operations go to the current stream of the thread that calls them; a `with` block or use() changes it. Work "
    "of different streams is ordered by events alone.\n\n"
    "Args:\n"
    "    null: The device's null stream, which waits for the others and they for it.\n"
    "    non_blocking: A stream that runs beside the null stream.\n"
    "    ptds: The calling thread's own default stream.\n"
    "    priority: Lower runs first; see runtime.deviceGetStreamPriorityRange.\n\n"
    ">>> s = tombac.cuda.Stream(non_blocking=True)\n>>> with s:\n...     x = tombac.arange(3) + 1\n"
    ">>> s.synchronize()";

static const char external_doc[] =
    "ExternalStream(ptr, device_id=-1)\n--\n\nA stream that another library made; it must outlive this object.\n\n"
    "Args:\n    ptr: Its handle (cudaStream_t) as a number.\n    device_id: Its device; -1: the current one.\n\n"
    ">>> theirs = tombac.cuda.Stream()\n"
    ">>> with tombac.cuda.ExternalStream(theirs.ptr):\n...     x = tombac.arange(3) + 1";

static PyType_Slot slots[] = {{Py_tp_doc, (void *)stream_doc}, {Py_tp_new, stream_new},
                              {Py_tp_dealloc, stream_dealloc}, {Py_tp_traverse, stream_traverse},
                              {Py_tp_clear, stream_clear},     {Py_tp_repr, stream_repr},
                              {Py_tp_hash, stream_hash},       {Py_tp_richcompare, stream_compare},
                              {Py_tp_methods, methods},        {Py_tp_getset, getset},
                              {Py_tp_members, members},        {0, NULL}};

static PyType_Spec spec = {.name = "tombac.cuda.Stream",
                           .basicsize = sizeof(TbStream),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                           .slots = slots};

static PyType_Slot external_slots[] = {{Py_tp_doc, (void *)external_doc}, {Py_tp_new, external_new}, {0, NULL}};

static PyType_Spec external_spec = {.name = "tombac.cuda.ExternalStream",
                                    .basicsize = sizeof(TbStream),
                                    .flags = Py_TPFLAGS_DEFAULT |
                                             Py_TPFLAGS_BASETYPE, /* the base's garbage collection is inherited */
                                    .slots = external_slots};

static PyMethodDef functions[] = {{"get_current_stream", KEYWORDS(current_stream),
                                   "get_current_stream(device_id=-1)\n--\n\nThe calling thread's current stream on a "
                                   "device (the current one by default)."},
                                  {NULL, NULL, 0, NULL}};

int tbpy_add_streams(PyObject *m)
{
    stream_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (stream_type == NULL || PyModule_AddType(m, stream_type) < 0) return -1;
    external_type = (PyTypeObject *)PyType_FromSpecWithBases(&external_spec, (PyObject *)stream_type);
    if (external_type == NULL || PyModule_AddType(m, external_type) < 0) return -1;
    null_object = wrap(stream_type, NULL);
    if (null_object == NULL || PyObject_SetAttrString((PyObject *)stream_type, "null", null_object) < 0) return -1;
    ptds_object = wrap(stream_type, NULL);
    if (ptds_object == NULL) return -1;
    ((TbStream *)ptds_object)->ptds = true;
    if (PyObject_SetAttrString((PyObject *)stream_type, "ptds", ptds_object) < 0) return -1;
    return PyModule_AddFunctions(m, functions);
}
