/* compile_error.c - CompileException: what a compiler said about a kernel, with the source it was given. */
#include "core.h"

static int set(PyObject *self, const char *name, PyObject *value, const char *otherwise)
{
    PyObject *v = value ? Py_NewRef(value) : otherwise ? PyUnicode_FromString(otherwise) : PyTuple_New(0);
    int r = v ? PyObject_SetAttrString(self, name, v) : -1;
    Py_XDECREF(v);
    return r;
}

static int init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"msg", "source", "name", "options", "backend", NULL};
    PyObject *message, *source = NULL, *name = NULL, *options = NULL, *backend = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOOO:CompileException", names, &message, &source, &name, &options,
                                     &backend))
        return -1;
    PyObject *only = PyTuple_Pack(1, message);
    int r = only ? ((PyTypeObject *)PyExc_Exception)->tp_init(self, only, NULL) : -1;
    Py_XDECREF(only);
    if (r < 0 || set(self, "source", source, "") < 0 || set(self, "name", name, "kernel.cu") < 0 ||
        set(self, "options", options, NULL) < 0)
        return -1;
    return set(self, "backend", backend, "nvrtc");
}

static PyObject *get_message(PyObject *self, PyObject *Py_UNUSED(ignored)) { return PyObject_Str(self); }

/* The numbered lines of the source, one after the other. */
static PyObject *listing(PyObject *source)
{
    PyObject *lines = PyUnicode_Splitlines(source, 0), *numbered = lines ? PyList_New(0) : NULL, *text = NULL;
    for (Py_ssize_t i = 0; numbered && i < PyList_GET_SIZE(lines); i++) {
        char number[32];
        snprintf(number, sizeof number, "%4zd", i + 1);
        PyObject *line = PyUnicode_FromFormat("%s  %U\n", number, PyList_GET_ITEM(lines, i));
        if (!line || PyList_Append(numbered, line) < 0) Py_CLEAR(numbered);
        Py_XDECREF(line);
    }
    PyObject *empty = numbered ? PyUnicode_FromString("") : NULL;
    if (empty) text = PyUnicode_Join(empty, numbered);
    Py_XDECREF(empty);
    Py_XDECREF(numbered);
    Py_XDECREF(lines);
    return text;
}

static PyObject *dump(PyObject *self, PyObject *file)
{
    PyObject *source = PyObject_GetAttrString(self, "source"), *options = PyObject_GetAttrString(self, "options");
    PyObject *message = PyObject_Str(self), *text = NULL, *lines = NULL, *r = NULL;
    if (source && PyUnicode_Check(source)) lines = listing(source);
    if (lines && options && message) text = PyUnicode_FromFormat("options: %R\n%U\n\n%U", options, message, lines);
    if (text) r = PyObject_CallMethod(file, "write", "O", text);
    if (!r && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "CompileException: source is not a str");
    Py_XDECREF(text);
    Py_XDECREF(lines);
    Py_XDECREF(message);
    Py_XDECREF(options);
    Py_XDECREF(source);
    if (!r) return NULL;
    Py_DECREF(r);
    Py_RETURN_NONE;
}

TBPY_ONE(dump, "dump", "f")

static PyMethodDef methods[] = {
    {"get_message", get_message, METH_NOARGS,
     "get_message($self)\n--\n\nThe compiler's messages, with numbered source."},
    {"dump", TBPY_ONE_ROW(dump),
     "dump($self, f)\n--\n\nWrites options, messages and the whole numbered source to a file object."},
    {NULL, NULL, 0, NULL}};

static const char doc[] =
    "CompileException(msg, source='', name='kernel.cu', options=(), backend='nvrtc')\n--\n\n"
    "A kernel's source did not compile. The message is the compiler's, with the numbered source; a long source is cut "
    "to the lines that it names. Attributes: source, name, options, backend.";

PyObject *tbpy_new_compile_exception(void)
{
    PyType_Slot slots[] = {{Py_tp_init, init}, {Py_tp_methods, methods}, {Py_tp_doc, (void *)doc}, {0, NULL}};
    PyType_Spec spec = {"tombac.cuda.compiler.CompileException", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return PyType_FromSpecWithBases(&spec, PyExc_Exception);
}
