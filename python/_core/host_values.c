/* host_values.c - tombac._core.HostValues: a function of the user's whose values are the host's numbers, as SciPy's
 * step-by-step methods need them. It is called for every step, of which many are shorter than a call of Python's. */
#include "core.h"

#include <stddef.h>
#include <structmember.h>

#include "ndarray.h"

typedef struct HostValues {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *function;
} HostValues;

static PyObject *number(PyObject *v);

/* A function may give its derivatives beside its value. */
static PyObject *numbers(PyObject *sequence)
{
    const bool is_tuple = PyTuple_CheckExact(sequence);
    PyObject *list = PySequence_List(sequence);
    for (Py_ssize_t i = 0; list && i < PyList_GET_SIZE(list); i++) {
        PyObject *v = number(Py_NewRef(PyList_GET_ITEM(list, i)));
        if (!v) Py_CLEAR(list);
        else PyList_SetItem(list, i, v);
    }
    Py_DECREF(sequence);
    if (!list || !is_tuple) return list;
    PyObject *tuple = PyList_AsTuple(list);
    Py_DECREF(list);
    return tuple;
}

static PyObject *number(PyObject *v)
{
    if (PyFloat_CheckExact(v)) return v;
    if (PyTuple_CheckExact(v) || PyList_CheckExact(v)) return numbers(v);
    if (!PyObject_TypeCheck(v, tbpy_array_type)) return v;
    PyObject *item = PyObject_CallMethod(v, "item", NULL);
    Py_DECREF(v);
    return item;
}

static PyObject *call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    PyObject *v = PyObject_Vectorcall(((HostValues *)self)->function, args, nargsf, kwnames);
    return v ? number(v) : NULL;
}

static PyObject *new_host_values(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *function;
    if (kwargs && PyDict_GET_SIZE(kwargs)) return PyErr_Format(PyExc_TypeError, "HostValues takes no keywords");
    if (!PyArg_ParseTuple(args, "O:HostValues", &function)) return NULL;
    HostValues *h = (HostValues *)type->tp_alloc(type, 0);
    if (!h) return NULL;
    h->vectorcall = call;
    h->function = Py_NewRef(function);
    return (PyObject *)h;
}

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((HostValues *)self)->function);
    return 0;
}

static int clear(PyObject *self)
{
    Py_CLEAR(((HostValues *)self)->function);
    return 0;
}

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMemberDef members[] = {
    {"__wrapped__", T_OBJECT_EX, offsetof(HostValues, function), READONLY, NULL},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(HostValues, vectorcall), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

int tbpy_add_host_values(PyObject *m)
{
    PyType_Slot slots[] = {
        {Py_tp_new, new_host_values},
        {Py_tp_members, members},
        {Py_tp_call, PyVectorcall_Call},
        {Py_tp_traverse, traverse},
        {Py_tp_clear, clear},
        {Py_tp_dealloc, dealloc},
        {Py_tp_doc, "HostValues(function)\n--\n\nThe function, with numbers of the host in place of arrays."},
        {0, NULL},
    };
    const unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL;
    PyType_Spec spec = {"tombac._core.HostValues", sizeof(HostValues), 0, flags, slots};
    PyObject *type = PyType_FromModuleAndSpec(m, &spec, NULL);
    const int status = type ? PyModule_AddObjectRef(m, "HostValues", type) : -1;
    Py_XDECREF(type);
    return status;
}
