/* runtime_call.c - CUDA's run-time interface, for tombac.cuda.runtime: one function that takes and gives integers; and
 * the handles of NVIDIA's libraries, for who calls those by ctypes. */
#include "cuda.h"

enum { MOST = 8 };

static PyObject *results(int n, const int64_t *out)
{
    if (n == 0) Py_RETURN_NONE;
    if (n == 1) return PyLong_FromLongLong(out[0]);
    PyObject *t = PyTuple_New(n);
    for (int i = 0; t && i < n; i++) {
        PyObject *v = PyLong_FromLongLong(out[i]);
        if (v == NULL) Py_CLEAR(t);
        else PyTuple_SET_ITEM(t, i, v);
    }
    return t;
}

/* Addresses may have the top bit set, so unsigned values are taken as they are. */
static int as_integer(PyObject *o, int64_t *out)
{
    PyObject *index = PyNumber_Index(o);
    if (index == NULL) return -1;
    int overflow;
    *out = PyLong_AsLongLongAndOverflow(index, &overflow);
    if (overflow > 0) *out = (int64_t)PyLong_AsUnsignedLongLong(index);
    else if (overflow < 0) PyErr_SetString(PyExc_OverflowError, "runtime: an argument has more than 64 bits");
    Py_DECREF(index);
    return *out == -1 && PyErr_Occurred() ? -1 : 0;
}

static PyObject *runtime_call(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    int nin = 0, nout = 0;
    int64_t in[MOST] = {0}, out[MOST] = {0};
    const char *name = nargs > 0 && PyUnicode_Check(args[0]) ? tbpy_text(args[0]) : NULL;
    tb_runtime_op op = name ? tb_runtime_find(name, &nin, &nout) : TB_RT_COUNT;
    if (op == TB_RT_COUNT || nargs - 1 != nin) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "runtime_call: %s takes %d integers", name ? name : "an operation", nin);
        return NULL;
    }
    for (int i = 0; i < nin; i++)
        if (as_integer(args[i + 1], &in[i]) < 0) return NULL;
    tb_status st;
    TBPY_UNLOCKED(st, tb_runtime_call(op, in, out));
    TBPY_TRY(st);
    return results(nout, out);
}

static PyObject *library_handle(PyObject *Py_UNUSED(m), PyObject *name)
{
    const char *text = tbpy_text(name);
    void *handle = NULL;
    tb_status st;
    if (text == NULL) return NULL;
    TBPY_UNLOCKED(st, tb_library_handle(text, &handle));
    TBPY_TRY(st);
    return PyLong_FromVoidPtr(handle);
}

static PyMethodDef functions[] = {
    {"runtime_call", (PyCFunction)(void (*)(void))runtime_call, METH_FASTCALL,
     "runtime_call(name, /, *integers)\n--\n\nA function of CUDA's run-time interface, by its name without 'cuda'."},
    {"library_handle", library_handle, METH_O,
     "library_handle(name, /)\n--\n\nThe system's handle of one of NVIDIA's libraries, such as 'cublas'.\n\nRaises:\n"
     "    ImportError: It was not found.\n    ValueError: Another library."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_runtime(PyObject *m) { return PyModule_AddFunctions(m, functions); }
