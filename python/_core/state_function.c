/* state_function.c - tombac._core.StateFunction: the functions of tombac.random, each a method of RandomState called on
 * the current device's state. */
#include "core.h"

#include <structmember.h>

typedef struct StateFunction {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *name, *method;
    PyObject *states; /* a dict by device */
    PyObject *find;   /* makes the current device's state where there is none */
} StateFunction;

/* The current device's state: a new reference. */
static PyObject *current_state(const StateFunction *f)
{
    int device;
    TBPY_TRY(tb_device_current(&device));
    PyObject *key = PyLong_FromLong(device);
    PyObject *state = key ? PyDict_GetItemWithError(f->states, key) : NULL;
    Py_XINCREF(state);
    Py_XDECREF(key);
    return state || PyErr_Occurred() ? state : PyObject_CallNoArgs(f->find);
}

/* The caller left no room for one more argument before its own. */
static PyObject *call_copied(PyObject *method, PyObject *state, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames)
{
    enum { FEW = 8 };
    PyObject *few[FEW + 1], **all = few;
    size_t n = (size_t)nargs + (kwnames ? (size_t)PyTuple_GET_SIZE(kwnames) : 0);
    if (n > FEW && !(all = PyMem_Malloc((n + 1) * sizeof *all))) return PyErr_NoMemory();
    all[0] = state;
    for (size_t i = 0; i < n; i++) all[i + 1] = args[i];
    PyObject *result = PyObject_Vectorcall(method, all, (size_t)nargs + 1, kwnames);
    if (all != few) PyMem_Free(all);
    return result;
}

static PyObject *call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    const StateFunction *f = (const StateFunction *)self;
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    PyObject *state = current_state(f), *result;
    if (!state) return NULL;
    if (nargsf & PY_VECTORCALL_ARGUMENTS_OFFSET) {
        PyObject **all = (PyObject **)args - 1, *kept = all[0];
        all[0] = state;
        result = PyObject_Vectorcall(f->method, all, (size_t)nargs + 1, kwnames);
        all[0] = kept;
    } else {
        result = call_copied(f->method, state, args, nargs, kwnames);
    }
    Py_DECREF(state);
    return result;
}

static PyObject *function_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"name", "method", "states", "find", NULL};
    PyObject *name, *method, *states, *find;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "UOO!O:StateFunction", names, &name, &method, &PyDict_Type, &states,
                                     &find))
        return NULL;
    StateFunction *f = (StateFunction *)type->tp_alloc(type, 0);
    if (!f) return NULL;
    f->vectorcall = call;
    f->name = Py_NewRef(name);
    f->method = Py_NewRef(method);
    f->states = Py_NewRef(states);
    f->find = Py_NewRef(find);
    return (PyObject *)f;
}

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    StateFunction *f = (StateFunction *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(f->method);
    Py_VISIT(f->states);
    Py_VISIT(f->find);
    return 0;
}

static int clear(PyObject *self)
{
    StateFunction *f = (StateFunction *)self;
    Py_CLEAR(f->method);
    Py_CLEAR(f->states);
    Py_CLEAR(f->find);
    return 0;
}

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    clear(self);
    Py_CLEAR(((StateFunction *)self)->name);
    type->tp_free(self);
    Py_DECREF(type);
}

/* It is no method of a class that it is an attribute of, and help() takes it for a function since it has this. */
static PyObject *bind(PyObject *self, PyObject *Py_UNUSED(object), PyObject *Py_UNUSED(type))
{
    return Py_NewRef(self);
}

static PyObject *repr(PyObject *self)
{
    return PyUnicode_FromFormat("<function tombac.random.%U>", ((StateFunction *)self)->name);
}

static PyObject *get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    return PyObject_GetAttrString(((StateFunction *)self)->method, "__doc__");
}

/* The method's signature without the state. */
static PyObject *get_signature(PyObject *self, void *Py_UNUSED(closure))
{
    static PyObject *signature;
    if (!tbpy_import(&signature, "inspect", "signature")) return NULL;
    PyObject *bound = NULL, *result = NULL, *state = current_state((StateFunction *)self);
    if (state) bound = PyObject_GetAttr(state, ((StateFunction *)self)->name);
    if (bound) result = PyObject_CallOneArg(signature, bound);
    Py_XDECREF(bound);
    Py_XDECREF(state);
    return result;
}

/* Pickled as what the module calls it. */
static PyObject *reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_NewRef(((StateFunction *)self)->name);
}

static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {
    {"__name__", T_OBJECT_EX, offsetof(StateFunction, name), READONLY, NULL},
    {"__qualname__", T_OBJECT_EX, offsetof(StateFunction, name), READONLY, NULL},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(StateFunction, vectorcall), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef getset[] = {{"__doc__", get_doc, NULL, NULL, NULL},
                               {"__signature__", get_signature, NULL, NULL, NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_new, function_new},
    {Py_tp_dealloc, dealloc},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_descr_get, bind},
    {Py_tp_repr, repr},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_getset, getset},
    {0, NULL},
};

/* Named for the module whose functions they are: an instance's __module__ is that of its type. */
static PyType_Spec spec = {.name = "tombac.random.StateFunction",
                           .basicsize = sizeof(StateFunction),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                                    Py_TPFLAGS_IMMUTABLETYPE,
                           .slots = slots};

int tbpy_add_state_function(PyObject *m)
{
    PyObject *type = PyType_FromSpec(&spec);
    if (!type) return -1;
    int r = PyModule_AddType(m, (PyTypeObject *)type);
    Py_DECREF(type);
    return r;
}
