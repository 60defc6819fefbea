/* graph.c - tombac.cuda.Graph: work that was recorded on a stream, to be launched as often as one likes. */
#include "cuda.h"

typedef struct TbGraph {
    PyObject_HEAD
    tb_graph *graph;
} TbGraph;

static PyTypeObject *graph_type;

static tb_graph *graph_of(PyObject *self) { return ((TbGraph *)self)->graph; }

PyObject *tbpy_graph_wrap(tb_graph *g)
{
    TbGraph *self = (TbGraph *)graph_type->tp_alloc(graph_type, 0);
    if (self) self->graph = g;
    else tb_graph_release(g);
    return (PyObject *)self;
}

static void graph_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    tb_graph *g = graph_of(self);
    if (g) {
        Py_BEGIN_ALLOW_THREADS tb_graph_release(
            g); /* waits for launches, whose host functions may want the interpreter */
        Py_END_ALLOW_THREADS
    }
    type->tp_free(self);
    Py_DECREF(type);
}

static int stream_arg(PyObject *args, PyObject *kwds, const char *format, tb_stream **out)
{
    static char *names[] = {"stream", NULL};
    PyObject *o = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, format, names, &o)) return -1;
    return tbpy_stream_arg(o, out);
}

static PyObject *graph_launch(PyObject *self, PyObject *args, PyObject *kwds)
{
    tb_stream *s = NULL;
    tb_status st;
    if (stream_arg(args, kwds, "|O:launch", &s) < 0) return NULL;
    TBPY_UNLOCKED(st, tb_graph_launch(graph_of(self), s));
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

static PyObject *graph_upload(PyObject *self, PyObject *args, PyObject *kwds)
{
    tb_stream *s = NULL;
    if (stream_arg(args, kwds, "|O:upload", &s) < 0) return NULL;
    TBPY_TRY(tb_graph_upload(graph_of(self), s));
    Py_RETURN_NONE;
}

static PyObject *graph_dot(PyObject *self, PyObject *args)
{
    PyObject *path;
    unsigned flags;
    if (!PyArg_ParseTuple(args, "O&I:_dot", PyUnicode_FSConverter, &path, &flags)) return NULL;
    tb_status st = tb_graph_dot(graph_of(self), flags, PyBytes_AS_STRING(path));
    Py_DECREF(path);
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

static PyObject *graph_dot_str(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"flags", NULL};
    static PyObject *draw;
    PyObject *flags = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|O:debug_dot_str", names, &flags)) return NULL;
    if (!tbpy_package(&draw, "dot_str")) return NULL;
    PyObject *zero = flags && flags != Py_None ? Py_NewRef(flags) : PyLong_FromLong(0);
    PyObject *r = zero ? PyObject_CallFunctionObjArgs(draw, self, zero, NULL) : NULL;
    Py_XDECREF(zero);
    return r;
}

static PyObject *get_graph(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromVoidPtr((void *)tb_graph_handle(graph_of(self)));
}

static PyObject *get_exec(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromVoidPtr((void *)tb_graph_exec(graph_of(self)));
}

static PyObject *get_host_funcargs(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *list = PyList_New(0);
    void *call;
    for (int i = 0; list && tb_graph_host_arg(graph_of(self), i, &call); i++) {
        PyObject *pair = tbpy_host_func_pair(call);
        if (!pair || PyList_Append(list, pair) < 0) Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"launch", KEYWORDS(graph_launch),
     "launch($self, stream=None)\n--\n\nRuns the recorded work in the stream (the current one by default)."},
    {"upload", KEYWORDS(graph_upload),
     "upload($self, stream=None)\n--\n\nBrings the graph to the device ahead of its first launch."},
    {"debug_dot_str", KEYWORDS(graph_dot_str),
     "debug_dot_str($self, flags=None)\n--\n\nThe graph as text for Graphviz; flags of "
     "runtime.cudaGraphDebugDotFlags."},
    {"_dot", graph_dot, METH_VARARGS, "_dot($self, path, flags, /)\n--\n\nWrites the drawing to a file."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef getset[] = {{"graph", get_graph, NULL, "The driver's handle of the graph as a number.", NULL},
                               {"host_funcargs", get_host_funcargs, NULL,
                                "(callback, arg) of the functions of the host that were recorded, a list.", NULL},
                               {"graphExec", get_exec, NULL, "The driver's handle of what is launched.", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

static const char graph_doc[] =
    "Work recorded between Stream.begin_capture and Stream.end_capture.\n\n"
    "Arrays made meanwhile keep their memory for as long as the graph lives.\n\n"
    ">>> s = tombac.cuda.Stream(non_blocking=True)\n>>> with s:\n...     x = tombac.ones(3)\n"
    "...     s.begin_capture()\n...     x += 1\n...     g = s.end_capture()\n>>> g.launch(s); g.launch(s)\n"
    ">>> s.synchronize()\n>>> x\narray([3., 3., 3.])";

static PyType_Slot slots[] = {{Py_tp_doc, (void *)graph_doc},
                              {Py_tp_dealloc, graph_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, getset},
                              {0, NULL}};

static PyType_Spec spec = {.name = "tombac.cuda.Graph",
                           .basicsize = sizeof(TbGraph),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                           .slots = slots};

int tbpy_add_graph(PyObject *m)
{
    graph_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return graph_type ? PyModule_AddType(m, graph_type) : -1;
}
