/* flatiter.c - what `a.flat` gives: the array seen as one dimension in C order. Reading an index gives a copy; writing
 * one writes to the array, also where no view has the elements in that order. */
#include "ndarray.h"

typedef struct Flat {
    PyObject_HEAD
    PyObject *base;
    Py_ssize_t next; /* where iteration stands */
} Flat;

static PyTypeObject *flat_type;

PyObject *tbpy_flat_get(PyObject *self, void *unused)
{
    (void)unused;
    Flat *f = PyObject_New(Flat, flat_type);
    if (!f) return NULL;
    f->base = Py_NewRef(self);
    f->next = 0;
    return (PyObject *)f;
}

static PyObject *new_flat(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"a", NULL};
    PyObject *a;
    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!:flatiter", names, tbpy_array_type, &a)) return NULL;
    return tbpy_flat_get(a, NULL);
}

/* The elements in one dimension: a view where one exists, else a copy. */
static PyObject *raveled(PyObject *base, bool *copied)
{
    int64_t n = tb_array_size(tbpy_array(base));
    tb_array *r;
    *copied = false;
    TBPY_TRY(tb_reshape(tbpy_array(base), 1, &n, 'C', copied, &r));
    return tbpy_wrap(r);
}

static int check_key(PyObject *key)
{
    if (key != Py_None && !PyBool_Check(key) && !PyTuple_Check(key)) return 0;
    PyErr_Format(PyExc_IndexError,
                 "flat: an integer, a slice, an ellipsis or an array of integers or bools is expected as index, not %R",
                 key);
    return -1;
}

/* The element of this number, as a view without dimensions. */
static tb_status element(tb_array *a, int64_t i, tb_array **out)
{
    tb_index key[TB_MAXDIM];
    const int64_t *shape = tb_array_shape(a);
    for (int d = tb_array_ndim(a) - 1; d > 0; d--) {
        key[d] = (tb_index){.kind = TB_INDEX_INT, .start = i % shape[d]};
        i /= shape[d];
    }
    key[0] = (tb_index){.kind = TB_INDEX_INT, .start = i};
    return tb_array_index(a, tb_array_ndim(a), key, out);
}

/* Where the element of this number is, if it can be read without waiting; or NULL. */
static const void *peek(const tb_array *a, int64_t i)
{
    const char *first = tb_array_peek(a);
    const int64_t *shape = tb_array_shape(a), *strides = tb_array_strides(a);
    if (!first || tb_array_ndim(a) == 0 || tbpy_is_record(tb_array_dtype(a))) return NULL;
    for (int d = tb_array_ndim(a) - 1; d > 0; d--) {
        first += i % shape[d] * strides[d];
        i /= shape[d];
    }
    return first + i * strides[0];
}

/* A copy of one element; NULL without an exception where there is none of that number. */
static PyObject *one(PyObject *base, PyObject *key)
{
    tb_array *a = tbpy_array(base), *view, *r;
    int64_t i = PyLong_AsLongLong(key);
    if (i == -1 && PyErr_Occurred()) PyErr_Clear();
    else if (i < 0) i += tb_array_size(a);
    if (i < 0 || i >= tb_array_size(a)) return NULL;
    tb_status st;
    const void *there = peek(a, i);
    if (there) {
        st = tb_from_host(there, tb_array_dtype(a), 0, NULL, NULL, 'C', &r);
    } else {
        TBPY_TRY(element(a, i, &view));
        st = tb_copy(view, 'C', &r);
        tb_array_release(view);
    }
    return st == TB_OK ? tbpy_wrap_like(r, base) : tbpy_raise(st);
}

static PyObject *subscript(PyObject *self, PyObject *key)
{
    bool copied;
    if (PyLong_CheckExact(key)) {
        PyObject *x = one(((Flat *)self)->base, key);
        if (x || PyErr_Occurred()) return x;
    }
    if (check_key(key) < 0) return NULL;
    PyObject *flat = raveled(((Flat *)self)->base, &copied);
    PyObject *view = flat ? PyObject_GetItem(flat, key) : NULL;
    Py_XDECREF(flat);
    PyObject *r = view ? PyObject_CallMethod(view, "copy", NULL) : NULL;
    Py_XDECREF(view);
    return r;
}

/* What is assigned to flat[key]: an array is read in C order, again and again. */
static PyObject *repeated(PyObject *value, PyObject *flat, PyObject *key)
{
    static PyObject *function;
    const bool number = PyFloat_Check(value) || PyLong_Check(value) || PyComplex_Check(value);
    if (number || PyLong_Check(key)) return Py_NewRef(value);
    if (!tbpy_package(&function, "flat_values")) return NULL;
    return PyObject_CallFunctionObjArgs(function, value, flat, key, NULL);
}

static int assign_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    bool copied;
    PyObject *base = ((Flat *)self)->base;
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "cannot delete iterator elements");
        return -1;
    }
    if (check_key(key) < 0) return -1;
    PyObject *flat = raveled(base, &copied);
    PyObject *values = flat ? repeated(value, flat, key) : NULL;
    int r = values ? PyObject_SetItem(flat, key, values) : -1;
    Py_XDECREF(values);
    if (r == 0 && copied) {
        PyObject *shaped = PyObject_CallMethod(flat, "reshape", "N", tbpy_shape_tuple(tbpy_array(base)));
        r = shaped ? tbpy_assign(base, shaped) : -1;
        Py_XDECREF(shaped);
    }
    Py_XDECREF(flat);
    return r;
}

int tbpy_flat_set(PyObject *self, PyObject *value, void *unused)
{
    PyObject *flat = tbpy_flat_get(self, unused);
    PyObject *all = flat ? PySlice_New(NULL, NULL, NULL) : NULL;
    int r = all ? assign_subscript(flat, all, value) : -1;
    Py_XDECREF(all);
    Py_XDECREF(flat);
    return r;
}

static Py_ssize_t length(PyObject *self) { return (Py_ssize_t)tb_array_size(tbpy_array(((Flat *)self)->base)); }

static PyObject *next(PyObject *self)
{
    Flat *f = (Flat *)self;
    tb_array *a = tbpy_array(f->base), *r;
    if (f->next >= tb_array_size(a)) return NULL;
    TBPY_TRY(element(a, f->next++, &r));
    return tbpy_wrap_view(r, f->base);
}

static PyObject *get_base(PyObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef(((Flat *)self)->base);
}

static PyObject *get_index(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSsize_t(((Flat *)self)->next);
}

static PyObject *get_coords(PyObject *self, void *unused)
{
    (void)unused;
    const tb_array *a = tbpy_array(((Flat *)self)->base);
    int64_t coords[TB_MAXDIM], i = ((Flat *)self)->next;
    for (int d = tb_array_ndim(a) - 1; d >= 0; d--) {
        const int64_t n = tb_array_shape(a)[d];
        coords[d] = d == 0 ? i : n ? i % n : 0;
        i = n ? i / n : 0;
    }
    return tbpy_int_tuple(tb_array_ndim(a), coords);
}

/* The elements are compared. */
static PyObject *compare(PyObject *self, PyObject *other, int op)
{
    bool copied;
    PyObject *a = raveled(((Flat *)self)->base, &copied);
    PyObject *b = Py_IS_TYPE(other, flat_type) ? raveled(((Flat *)other)->base, &copied) : Py_NewRef(other);
    PyObject *r = a && b ? PyObject_RichCompare(a, b, op) : NULL;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return r;
}

static PyObject *copy(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyObject_CallMethod(((Flat *)self)->base, "flatten", NULL);
}

/* By which it is an array where one is asked for. */
static PyObject *get_ndarray(PyObject *self, PyObject *unused)
{
    bool copied;
    (void)unused;
    return raveled(((Flat *)self)->base, &copied);
}

/* An ndarray says whether its elements may go to the host unasked. */
static PyObject *host_array(PyObject *self, PyObject *args, PyObject *kwargs)
{
    bool copied;
    PyObject *a = raveled(((Flat *)self)->base, &copied);
    PyObject *f = a ? PyObject_GetAttrString(a, "__array__") : NULL;
    PyObject *r = f ? PyObject_Call(f, args, kwargs) : NULL;
    Py_XDECREF(f);
    Py_XDECREF(a);
    return r;
}

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(((Flat *)self)->base);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyGetSetDef getset[] = {
    {"base", get_base, NULL, "The array that is iterated over.", NULL},
    {"index", get_index, NULL, "The number of the element that comes next.", NULL},
    {"coords", get_coords, NULL, "Where in the array the element is that comes next: a tuple.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyMethodDef methods[] = {
    {"copy", copy, METH_NOARGS, "copy($self)\n--\n\nA one-dimensional copy of the array."},
    {"__tombac_get_ndarray__", get_ndarray, METH_NOARGS, "The elements in one dimension: a view where there is one."},
    {"__array__", (PyCFunction)(void (*)(void))host_array, METH_VARARGS | METH_KEYWORDS, "As ndarray's."},
    {NULL, NULL, 0, NULL},
};

int tbpy_add_flatiter(PyObject *m)
{
    PyType_Slot slots[] = {
        {Py_tp_new, new_flat},
        {Py_tp_getset, getset},
        {Py_tp_methods, methods},
        {Py_tp_iter, PyObject_SelfIter},
        {Py_tp_iternext, next},
        {Py_mp_length, length},
        {Py_mp_subscript, subscript},
        {Py_mp_ass_subscript, assign_subscript},
        {Py_tp_dealloc, dealloc},
        {Py_tp_hash, PyObject_HashNotImplemented},
        {Py_tp_richcompare, compare},
        {Py_tp_doc, "flatiter(a)\n--\n\nAn array seen as one dimension in C order: ``a.flat``."},
        {0, NULL},
    };
    PyType_Spec spec = {"tombac.flatiter", sizeof(Flat), 0, Py_TPFLAGS_DEFAULT, slots};
    flat_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &spec, NULL);
    return flat_type ? PyModule_AddObjectRef(m, "flatiter", (PyObject *)flat_type) : -1;
}
