/* host_values.c - tombac._core.HostValues: a function of the user's whose values are the host's, as SciPy's
 * step-by-step methods need them: numbers, or arrays too, and then arguments that are NumPy's arrays are the device's
 * for the function. It is called for every step, of which many are shorter than a call of Python's. */
#include "core.h"

#include <stddef.h>
#include <structmember.h>

#include "ndarray.h"

typedef struct HostValues {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *function, *args; /* args is NULL for numbers alone */
    bool is_vector;            /* its value, so that a tuple is none of several values */
    Py_buffer last;            /* the array given last, to be written to again once nobody else has it; or zeros */
    tb_dtype last_dtype;
} HostValues;

enum { MOST_ARGUMENTS = 32 };

static PyObject *value(HostValues *h, PyObject *v);

/* A function may give its derivatives beside its value. */
static PyObject *values(HostValues *h, PyObject *sequence)
{
    const bool is_tuple = PyTuple_CheckExact(sequence);
    PyObject *list = PySequence_List(sequence);
    for (Py_ssize_t i = 0; list && i < PyList_GET_SIZE(list); i++) {
        PyObject *v = value(h, Py_NewRef(PyList_GET_ITEM(list, i)));
        if (!v) Py_CLEAR(list);
        else PyList_SetItem(list, i, v);
    }
    Py_DECREF(sequence);
    if (!list || !is_tuple) return list;
    PyObject *tuple = PyList_AsTuple(list);
    Py_DECREF(list);
    return tuple;
}

#ifndef Py_GIL_DISABLED
/* SciPy reads most values and lets go of them: the next one may be in the same memory, which saves making an array.
 * Here that memory is taken out of h, since other threads may come while this one waits, or is none. */
static bool take_last(HostValues *h, tb_dtype t, int ndim, const int64_t *shape, Py_buffer *last)
{
    *last = h->last;
    h->last = (Py_buffer){0};
    if (last->obj && Py_REFCNT(last->obj) == 1 && h->last_dtype == t && last->ndim == ndim &&
        memcmp(last->shape, shape, sizeof(int64_t) * (size_t)ndim) == 0)
        return true;
    PyBuffer_Release(last);
    return false;
}

/* A new reference to the array of that memory, which h keeps again, if it has none by now. */
static PyObject *give_last(HostValues *h, tb_dtype t, Py_buffer *last)
{
    PyObject *array = Py_NewRef(last->obj);
    if (h->last.obj) {
        PyBuffer_Release(last);
    } else {
        h->last = *last;
        h->last_dtype = t;
    }
    return array;
}
#endif

/* A list (or a tuple) of numbers, or of arrays of one, as a vector of float64; NULL without an exception: it is of
 * something else. */
static PyObject *vector(HostValues *h, PyObject *list)
{
#ifdef Py_GIL_DISABLED
    return NULL;
#else
    enum { MOST = 64 };
    double x[MOST];
    const int64_t n = PySequence_Fast_GET_SIZE(list);
    Py_buffer last;
    if (n == 0 || n > MOST) return NULL;
    for (int64_t i = 0; i < n; i++) {
        PyObject *o = PySequence_Fast_GET_ITEM(list, i);
        if (PyFloat_CheckExact(o)) x[i] = PyFloat_AS_DOUBLE(o);
        else if (!tbpy_plain_double(o, &x[i])) return NULL;
    }
    if (!take_last(h, TB_F64, 1, &n, &last)) {
        PyObject *made = tbpy_host_empty(1, &n, TB_F64, 'C');
        const int r = made ? PyObject_GetBuffer(made, &last, PyBUF_STRIDES | PyBUF_WRITABLE) : -1;
        Py_XDECREF(made); /* the buffer has it */
        if (r < 0) return NULL;
    }
    memcpy(last.buf, x, sizeof *x * (size_t)n);
    return give_last(h, TB_F64, &last);
#endif
}

static PyObject *host_array(HostValues *h, PyObject *v)
{
#ifdef Py_GIL_DISABLED
    return tbpy_get(v, 'A');
#else
    tb_array *a = tbpy_array(v);
    const tb_dtype t = tb_array_dtype(a);
    Py_buffer last;
    if (tb_array_is_c_contiguous(a) && take_last(h, t, tb_array_ndim(a), tb_array_shape(a), &last)) {
        const tb_status st = tbpy_read(a, last.buf, NULL, NULL, true);
        if (st == TB_OK) return give_last(h, t, &last);
        PyBuffer_Release(&last);
        return tbpy_raise(st);
    }
    PyObject *host = tbpy_get(v, 'A');
    if (!host || !tb_array_is_c_contiguous(a) || h->last.obj) return host;
    if (PyObject_GetBuffer(host, &h->last, PyBUF_STRIDES | PyBUF_WRITABLE) < 0) Py_CLEAR(host);
    h->last_dtype = t;
    return host;
#endif
}

static PyObject *value(HostValues *h, PyObject *v)
{
    if (PyFloat_CheckExact(v)) return v;
    const bool is_list = h->args && (PyList_CheckExact(v) || (h->is_vector && PyTuple_CheckExact(v)));
    PyObject *whole_list = is_list ? vector(h, v) : NULL;
    if (whole_list || PyErr_Occurred()) {
        Py_DECREF(v);
        return whole_list;
    }
    if (PyTuple_CheckExact(v) || PyList_CheckExact(v)) return values(h, v);
    if (!PyObject_TypeCheck(v, tbpy_array_type)) return v;
    const bool whole = h->args && tb_array_ndim(tbpy_array(v)) > 0;
    PyObject *item = whole ? host_array(h, v) : tbpy_only_element(v);
    Py_DECREF(v);
    return item;
}

static PyObject *on_device(PyObject *x)
{
    if (PyFloat_CheckExact(x)) return Py_NewRef(x);
    if (tbpy_is_host_array(x)) return tbpy_asarray(x);
    return PyFloat_Check(x) ? PyFloat_FromDouble(PyFloat_AS_DOUBLE(x)) : Py_NewRef(x);
}

/* The function of these arguments and of those that are always the same. */
static PyObject *call_with_arrays(const HostValues *h, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    PyObject *all[MOST_ARGUMENTS], *r = NULL;
    const Py_ssize_t fixed = PyTuple_GET_SIZE(h->args), named = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    Py_ssize_t made = 0;
    if (n + fixed + named > MOST_ARGUMENTS)
        return PyErr_Format(PyExc_TypeError, "a function for SciPy takes at most %d arguments", MOST_ARGUMENTS);
    while (made < n && (all[made] = on_device(args[made]))) made++;
    if (made == n) {
        for (Py_ssize_t i = 0; i < fixed; i++) all[made++] = Py_NewRef(PyTuple_GET_ITEM(h->args, i));
        for (Py_ssize_t i = 0; i < named; i++) all[made++] = Py_NewRef(args[n + i]);
        r = PyObject_Vectorcall(h->function, all, (size_t)(n + fixed), kwnames);
    }
    for (Py_ssize_t i = 0; i < made; i++) Py_DECREF(all[i]);
    return r;
}

static PyObject *call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    HostValues *h = (HostValues *)self;
    PyObject *v = h->args ? call_with_arrays(h, args, PyVectorcall_NARGS(nargsf), kwnames)
                          : PyObject_Vectorcall(h->function, args, nargsf, kwnames);
    return v ? value(h, v) : NULL;
}

static PyObject *new_host_values(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    const Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    if (n < 1 || n > 3 || (n > 1 && !PyTuple_Check(args[1])) || (kwnames && PyTuple_GET_SIZE(kwnames)))
        return PyErr_Format(PyExc_TypeError, "HostValues takes a function, a tuple and a bool, the last two or one of "
                                             "which may be left out");
    const int is_vector = n == 3 ? PyObject_IsTrue(args[2]) : 0;
    if (is_vector < 0) return NULL;
    HostValues *h = (HostValues *)((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, 0);
    if (!h) return NULL;
    h->vectorcall = call;
    h->function = Py_NewRef(args[0]);
    h->args = n > 1 ? Py_NewRef(args[1]) : NULL;
    h->is_vector = is_vector;
    return (PyObject *)h;
}

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((HostValues *)self)->function);
    Py_VISIT(((HostValues *)self)->args);
    return 0;
}

static int clear(PyObject *self)
{
    Py_CLEAR(((HostValues *)self)->function);
    Py_CLEAR(((HostValues *)self)->args);
    PyBuffer_Release(&((HostValues *)self)->last);
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
        {Py_tp_members, members},
        {Py_tp_call, PyVectorcall_Call},
        {Py_tp_traverse, traverse},
        {Py_tp_clear, clear},
        {Py_tp_dealloc, dealloc},
        {Py_tp_doc, "HostValues(function, args=None, is_vector=False)\n--\n\nThe function, with numbers of the host in "
                    "place of arrays; with args, a tuple of further arguments, with arrays of the host, which it gets "
                    "as the device's. A tuple of numbers is a vector too if is_vector."},
        {0, NULL},
    };
    const unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                           Py_TPFLAGS_DISALLOW_INSTANTIATION; /* but by the call below */
    PyType_Spec spec = {"tombac._core.HostValues", sizeof(HostValues), 0, flags, slots};
    PyObject *type = PyType_FromModuleAndSpec(m, &spec, NULL);
    if (type) ((PyTypeObject *)type)->tp_vectorcall = new_host_values;
    const int status = type ? PyModule_AddObjectRef(m, "HostValues", type) : -1;
    Py_XDECREF(type);
    return status;
}
