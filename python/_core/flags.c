/* flags.c - what `a.flags` gives: an immutable record of the layout, read by attribute or, as in NumPy, by key. */
#include "ndarray.h"

typedef struct Flags {
    PyObject_HEAD
    bool c, f, own, writeable;
} Flags;

static PyTypeObject *flags_type;

PyObject *tbpy_flags_get(PyObject *self, void *unused)
{
    (void)unused;
    Flags *r = PyObject_New(Flags, flags_type);
    if (!r) return NULL;
    const tb_array *a = tbpy_array(self);
    r->c = tb_array_is_c_contiguous(a);
    r->f = tb_array_is_f_contiguous(a);
    r->own = ((TbArray *)self)->base == NULL;
    r->writeable = tb_array_is_writable(a);
    return (PyObject *)r;
}

enum { C, F, OWN, WRITEABLE, ALIGNED, COPY_BACK, FNC, FORC, BEHAVED, NFLAGS };
static const struct {
    const char *attribute, *key, *letter;
} names[NFLAGS] = {
    {"c_contiguous", "C_CONTIGUOUS", "C"},
    {"f_contiguous", "F_CONTIGUOUS", "F"},
    {"owndata", "OWNDATA", "O"},
    {"writeable", "WRITEABLE", "W"},
    {"aligned", "ALIGNED", "A"},
    {"writebackifcopy", "WRITEBACKIFCOPY", "X"},
    {"fnc", "FNC", "FNC"},
    {"forc", "FORC", "FORC"},
    {"behaved", "BEHAVED", "B"},
};

static bool value(const Flags *x, int i)
{
    switch (i) {
    case C: return x->c;
    case F: return x->f;
    case OWN: return x->own;
    case WRITEABLE:
    case BEHAVED: return x->writeable;
    case COPY_BACK: return false;
    case FNC: return x->f && !x->c;
    case FORC: return x->f || x->c;
    default: return true;
    }
}

static PyObject *get(PyObject *self, void *which)
{
    return PyBool_FromLong(value((Flags *)self, (int)(intptr_t)which));
}

static PyObject *subscript(PyObject *self, PyObject *key)
{
    for (int i = 0; PyUnicode_Check(key) && i < NFLAGS; i++)
        if (PyUnicode_CompareWithASCIIString(key, names[i].key) == 0 ||
            PyUnicode_CompareWithASCIIString(key, names[i].letter) == 0)
            return PyBool_FromLong(value((Flags *)self, i));
    PyErr_SetString(PyExc_KeyError, "Unknown flag");
    return NULL;
}

static PyObject *repr(PyObject *self)
{
    const Flags *x = (Flags *)self;
    static const char *const text[] = {"False", "True"};
    return PyUnicode_FromFormat("  C_CONTIGUOUS : %s\n  F_CONTIGUOUS : %s\n  OWNDATA : %s", text[x->c], text[x->f],
                                text[x->own]);
}

static PyObject *compare(PyObject *l, PyObject *r, int op)
{
    if (!Py_IS_TYPE(r, Py_TYPE(l)) || (op != Py_EQ && op != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
    const Flags *x = (Flags *)l, *y = (Flags *)r;
    bool same = x->c == y->c && x->f == y->f && x->own == y->own && x->writeable == y->writeable;
    return PyBool_FromLong(op == Py_EQ ? same : !same);
}

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

int tbpy_add_flags(PyObject *m)
{
    static PyGetSetDef getset[NFLAGS + 1];
    for (int i = 0; i < NFLAGS; i++)
        getset[i] = (PyGetSetDef){names[i].attribute, get, NULL, NULL, (void *)(intptr_t)i};
    PyType_Slot slots[] = {
        {Py_tp_getset, getset},
        {Py_mp_subscript, subscript},
        {Py_tp_repr, repr},
        {Py_tp_richcompare, compare},
        {Py_tp_dealloc, dealloc},
        {Py_tp_hash, PyObject_HashNotImplemented},
        {Py_tp_doc, "Facts about the memory layout of an array."},
        {0, NULL},
    };
    PyType_Spec spec = {"tombac._core.Flags", sizeof(Flags), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        slots};
    flags_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &spec, NULL);
    return flags_type ? PyModule_AddObjectRef(m, "Flags", (PyObject *)flags_type) : -1;
}
