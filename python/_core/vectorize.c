/* vectorize.c - the two callables behind tombac.vectorize and tombac.fuse: a table from argument dtypes to kernels, and
 * a function that is simply called, since deferral fuses whatever it does. */
#include "jit_table.h"

#include <structmember.h>

/* ---- vectorize --------------------------------------------------------------------------------------------------- */

typedef struct Entry {
    tbpy_jit_entry entry;
    PyObject *kernel;
} Entry;

typedef struct Vectorize {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *make; /* types -> the callable for arguments of these types */
    PyObject *name;
    tbpy_jit_table table;
} Vectorize;

static void release_entry(tbpy_jit_entry *e)
{
    Py_DECREF(((Entry *)e)->kernel);
    PyMem_RawFree(e);
}

static Entry *make_entry(Vectorize *self, uint64_t hash, int n, const tbpy_jit_arg *args)
{
    PyObject *types = tbpy_jit_types(n, args);
    PyObject *kernel = types ? PyObject_CallOneArg(self->make, types) : NULL;
    Py_XDECREF(types);
    if (!kernel) return NULL;
    Entry *e = PyMem_RawCalloc(1, sizeof *e);
    if (e) e->kernel = kernel;
    else PyErr_NoMemory();
    if (!e || tbpy_jit_publish(&self->table, &e->entry, hash, n, args, 0) < 0) {
        Py_DECREF(kernel);
        PyMem_RawFree(e);
        return NULL;
    }
    return e;
}

static PyObject *vectorize_call(PyObject *o, PyObject *const *objs, size_t nargsf, PyObject *kwnames)
{
    Vectorize *self = (Vectorize *)o;
    Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    tbpy_jit_arg args[JIT_MAXARG];
    if (kwnames && PyTuple_GET_SIZE(kwnames))
        return PyErr_Format(PyExc_TypeError, "%S: arguments are given by position", self->name);
    if (tbpy_jit_read(self->name, objs, n, false, args) < 0) return NULL;
    uint64_t hash = tbpy_jit_hash((int)n, args, 0);
    Entry *e = (Entry *)tbpy_jit_find(&self->table, hash, (int)n, args, 0);
    if (!e) e = make_entry(self, hash, (int)n, args);
    return e ? PyObject_Vectorcall(e->kernel, objs, nargsf, NULL) : NULL;
}

static PyObject *vectorize_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"make", "name", NULL};
    PyObject *make, *name;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OU:Vectorize", names, &make, &name)) return NULL;
    Vectorize *self = (Vectorize *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->call = vectorize_call;
    self->make = Py_NewRef(make);
    self->name = Py_NewRef(name);
    return (PyObject *)self;
}

static int vectorize_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(o));
    Py_VISIT(((Vectorize *)o)->make);
    return 0;
}

static int vectorize_clear(PyObject *o)
{
    Py_CLEAR(((Vectorize *)o)->make);
    return 0;
}

static void vectorize_dealloc(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    PyObject_GC_UnTrack(o);
    tbpy_jit_clear(&((Vectorize *)o)->table, release_entry);
    Py_XDECREF(((Vectorize *)o)->make);
    Py_XDECREF(((Vectorize *)o)->name);
    type->tp_free(o);
    Py_DECREF(type);
}

/* ---- fuse -------------------------------------------------------------------------------------------------------- */

typedef struct Fused {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *func, *name, *dict;
} Fused;

/* Host arrays beside device arrays would raise in most operations; here they do in all. */
static PyObject *refuse_mixture(Fused *self, PyObject *const *objs, Py_ssize_t n)
{
    bool host = false, device = false;
    for (Py_ssize_t i = 0; i < n; i++) {
        host |= tbpy_is_host_array(objs[i]);
        device |= tbpy_check(objs[i]);
    }
    if (!host || !device) return NULL;
    return PyErr_Format(PyExc_TypeError,
                        "%S: NumPy and tombac arrays cannot be mixed; copy the former with "
                        "tombac.asarray",
                        self->name);
}

static PyObject *fused_call(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    Fused *self = (Fused *)o;
    Py_ssize_t n = PyVectorcall_NARGS(nargsf) + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    refuse_mixture(self, args, n);
    return PyErr_Occurred() ? NULL : PyObject_Vectorcall(self->func, args, nargsf, kwnames);
}

static PyObject *fused_get(PyObject *self, PyObject *owner, PyObject *Py_UNUSED(type))
{
    return owner && owner != Py_None ? PyMethod_New(self, owner) : Py_NewRef(self);
}

static PyObject *fused_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"func", "name", NULL};
    PyObject *func, *name;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OU:Fusion", names, &func, &name)) return NULL;
    if (!PyCallable_Check(func))
        return PyErr_Format(PyExc_TypeError, "fuse: a function is expected, not %R", Py_TYPE(func));
    Fused *self = (Fused *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->call = fused_call;
    self->func = Py_NewRef(func);
    self->name = Py_NewRef(name);
    return (PyObject *)self;
}

static int fused_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(o));
    Py_VISIT(((Fused *)o)->func);
    Py_VISIT(((Fused *)o)->dict);
    return 0;
}

static int fused_clear(PyObject *o)
{
    Py_CLEAR(((Fused *)o)->func);
    Py_CLEAR(((Fused *)o)->dict);
    return 0;
}

static void fused_dealloc(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    PyObject_GC_UnTrack(o);
    fused_clear(o);
    Py_XDECREF(((Fused *)o)->name);
    type->tp_free(o);
    Py_DECREF(type);
}

static PyObject *fused_repr(PyObject *o) { return PyUnicode_FromFormat("<Fusion name=%U>", ((Fused *)o)->name); }

static PyObject *fused_clear_cache(PyObject *Py_UNUSED(o), PyObject *Py_UNUSED(ignored)) { Py_RETURN_NONE; }

/* ---- registration ------------------------------------------------------------------------------------------------ */

static PyMemberDef vectorize_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Vectorize, call), READONLY, NULL}, {NULL, 0, 0, 0, NULL}};

static PyMethodDef fused_methods[] = {
    {"clear_cache", fused_clear_cache, METH_NOARGS,
     "clear_cache($self)\n--\n\nDoes nothing: kernels are kept for expressions, not for functions."},
    {NULL, NULL, 0, NULL}};
static PyMemberDef fused_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Fused, call), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(Fused, dict), READONLY, NULL},
    {"func", T_OBJECT, offsetof(Fused, func), READONLY, "The function."},
    {"name", T_OBJECT, offsetof(Fused, name), READONLY, "The name given as kernel_name, or the function's."},
    {NULL, 0, 0, 0, NULL}};
static PyGetSetDef fused_getset[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
                                     {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot vectorize_slots[] = {{Py_tp_new, vectorize_new},
                                        {Py_tp_dealloc, vectorize_dealloc},
                                        {Py_tp_traverse, vectorize_traverse},
                                        {Py_tp_clear, vectorize_clear},
                                        {Py_tp_members, vectorize_members},
                                        {Py_tp_call, PyVectorcall_Call},
                                        {0, NULL}};
static PyType_Slot fused_slots[] = {{Py_tp_new, fused_new},
                                    {Py_tp_dealloc, fused_dealloc},
                                    {Py_tp_traverse, fused_traverse},
                                    {Py_tp_clear, fused_clear},
                                    {Py_tp_members, fused_members},
                                    {Py_tp_methods, fused_methods},
                                    {Py_tp_getset, fused_getset},
                                    {Py_tp_repr, fused_repr},
                                    {Py_tp_descr_get, fused_get},
                                    {Py_tp_call, PyVectorcall_Call},
                                    {Py_tp_doc, "What tombac.fuse makes of a function."},
                                    {0, NULL}};

static PyType_Spec vectorize_spec = {
    "tombac._core.Vectorize", sizeof(Vectorize), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, vectorize_slots};
static PyType_Spec fused_spec = {"tombac.Fusion", sizeof(Fused), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, fused_slots};

int tbpy_add_vectorize(PyObject *m)
{
    PyObject *types[] = {PyType_FromModuleAndSpec(m, &vectorize_spec, NULL),
                         PyType_FromModuleAndSpec(m, &fused_spec, NULL)};
    for (int i = 0; i < 2; i++)
        if (!types[i] || PyModule_AddType(m, (PyTypeObject *)types[i]) < 0) return -1;
    return 0;
}
