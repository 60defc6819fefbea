/* host_arguments.c - functions that the host computes, SciPy's above all: their arguments with host arrays in place of
 * the device's, their results the other way round, and keys by which results are kept. */
#include "ndarray.h"

/* The class whose instances stand for objects of SciPy's, their attribute _held. */
static PyObject *holder;

static PyObject *hold(PyObject *Py_UNUSED(m), PyObject *type)
{
    if (!PyType_Check(type)) return PyErr_Format(PyExc_TypeError, "_hold: a class is expected, not %R", type);
    return tbpy_keep(&holder, Py_NewRef(type)) ? Py_NewRef(type) : NULL;
}

/* A tuple or a list with every item by `convert`; it is given back itself where that changes nothing. */
static PyObject *converted_items(PyObject *sequence, PyObject *(*convert)(PyObject *))
{
    PyObject *read = NULL;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); i++) {
        PyObject *before = PySequence_Fast_GET_ITEM(sequence, i), *x = convert(before);
        if (x && x != before && !read) read = PySequence_List(sequence);
        if (!x || (x != before && (!read || PyList_SetItem(read, i, Py_NewRef(x)) < 0))) {
            Py_XDECREF(x);
            Py_XDECREF(read);
            return NULL;
        }
        Py_DECREF(x);
    }
    if (!read) return Py_NewRef(sequence);
    if (PyList_CheckExact(sequence)) return read;
    PyObject *tuple = PyList_AsTuple(read);
    Py_DECREF(read);
    return tuple;
}

static PyObject *converted(PyObject *sequence, PyObject *(*convert)(PyObject *))
{
    if (Py_EnterRecursiveCall(" in a nested sequence")) return NULL;
    PyObject *r = converted_items(sequence, convert);
    Py_LeaveRecursiveCall();
    return r;
}

static bool is_plain(PyObject *o)
{
    return PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyUnicode_CheckExact(o) || o == Py_None || PyBool_Check(o);
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* SciPy asks of numbers whether they are scalars, which NumPy's 0-d arrays are not. */
static PyObject *element_or_array(PyObject *a)
{
    PyObject *host = tbpy_get(a, 'A');
    PyObject *none = host && tb_array_ndim(tbpy_array(a)) == 0 ? PyTuple_New(0) : NULL;
    if (!none) return host;
    PyObject *x = PyObject_GetItem(host, none);
    Py_DECREF(none);
    Py_DECREF(host);
    return x;
}

static PyObject *read_argument(PyObject *o)
{
    if (is_plain(o)) return Py_NewRef(o);
    if (tbpy_check(o)) return element_or_array(o);
    if (PyTuple_CheckExact(o) || PyList_CheckExact(o)) return converted(o, read_argument);
    PyObject *class = tbpy_kept(&holder);
    return class && PyObject_TypeCheck(o, (PyTypeObject *)class) ? PyObject_GetAttrString(o, "_held") : Py_NewRef(o);
}

static PyObject *on_host(PyObject *Py_UNUSED(m), PyObject *o) { return read_argument(o); }

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* Whether a host array or a scalar of NumPy's is of numbers or truth values: 1 or 0, or -1 for an error. */
static int is_numeric(PyObject *o)
{
    PyObject *d = tbpy_host_dtype(o);
    for (int t = 0; d && t < TB_NDTYPE; t++) {
        if (d != tbpy_numpy.dtypes[t]) continue;
        Py_DECREF(d);
        return 1;
    }
    PyObject *letter = d ? PyObject_GetAttrString(d, "kind") : NULL;
    const char *s = letter ? PyUnicode_AsUTF8(letter) : NULL;
    const int numeric = !s ? -1 : strlen(s) == 1 && strchr("biufc", *s) != NULL;
    Py_XDECREF(letter);
    Py_XDECREF(d);
    return numeric;
}

static PyObject *write_result(PyObject *o)
{
    if (is_plain(o) || tbpy_check(o)) return Py_NewRef(o);
    if (PyTuple_CheckExact(o) || PyList_CheckExact(o)) return converted(o, write_result);
    if (!tbpy_is_host_array(o) && !tbpy_is_numpy_scalar(o)) return Py_NewRef(o);
    const int numeric = is_numeric(o);
    if (numeric < 0) return NULL;
    return numeric ? tbpy_array_from(o, TB_NODTYPE, 'K', TBPY_COPY_ALWAYS, false) : Py_NewRef(o);
}

static PyObject *on_device(PyObject *Py_UNUSED(m), PyObject *o) { return write_result(o); }

enum { MOST = 32 };

/* args[0](*args[1:], **kwargs), arguments by `read` or, from `plain` on, by read_argument, and the result by
 * write_result. */
static PyObject *call_host(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, Py_ssize_t plain,
                           PyObject *(*read)(PyObject *))
{
    PyObject *given[MOST] = {NULL}, *found = NULL, *r = NULL;
    const Py_ssize_t n = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    Py_ssize_t made = 1;
    while (made < n && (given[made] = made < plain ? read(args[made]) : read_argument(args[made]))) made++;
    if (made == n)
        found = PyObject_Vectorcall(args[0], given + 1, (size_t)(nargs - 1) | PY_VECTORCALL_ARGUMENTS_OFFSET, kwnames);
    if (found) r = write_result(found);
    Py_XDECREF(found);
    while (--made > 0) Py_DECREF(given[made]);
    return r;
}

static bool is_call(Py_ssize_t nargs, PyObject *kwnames)
{
    return nargs > 0 && nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0) <= MOST;
}

/* (f, *args, **kwargs) -> f(*args, **kwargs), both ways by the functions above. */
static PyObject *by_host(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    if (!is_call(nargs, kwnames)) return PyErr_Format(PyExc_TypeError, "_by_host: a function and its arguments");
    return call_host(args, nargs, kwnames, nargs, read_argument);
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

/* LAPACK knows no precision below the single one. */
static PyObject *read_matrix(PyObject *o)
{
    if (PyTuple_CheckExact(o)) return converted(o, read_matrix);
    if (!tbpy_check(o) || tb_dtype_size(tb_array_dtype(tbpy_array(o))) != 2 ||
        tb_dtype_kind(tb_array_dtype(tbpy_array(o))) != TB_KIND_FLOAT)
        return read_argument(o);
    PyObject *single = tbpy_array_cast(o, TB_F32, 'K', TBPY_COPY_ALWAYS, false);
    PyObject *r = single ? read_argument(single) : NULL;
    Py_XDECREF(single);
    return r;
}

/* A failure of function f; message has a place for its name. */
static void fail(PyObject *f, PyObject *exception, const char *message, PyObject *o)
{
    PyObject *name = PyObject_GetAttrString(f, "__name__");
    if (name) PyErr_Format(exception, message, name, o);
    Py_XDECREF(name);
}

static int check_finite(PyObject *f, PyObject *o)
{
    int r = 0;
    if (PyTuple_CheckExact(o)) {
        if (Py_EnterRecursiveCall(" in a nested sequence")) return -1;
        for (Py_ssize_t i = 0; r == 0 && i < PyTuple_GET_SIZE(o); i++) r = check_finite(f, PyTuple_GET_ITEM(o, i));
        Py_LeaveRecursiveCall();
        return r;
    }
    r = tbpy_check(o) ? tbpy_all_finite(o) : 1;
    if (r == 0) fail(f, PyExc_ValueError, "%U: array must not contain infs or NaNs", NULL);
    return r > 0 ? 0 : -1;
}

/* Where check_finite=True is among the values of keywords; -1: nowhere. */
static Py_ssize_t asks_for_finite(PyObject *const *values, PyObject *kwnames)
{
    const Py_ssize_t n = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    for (Py_ssize_t i = 0; i < n; i++)
        if (values[i] == Py_True && PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, i), "check_finite") == 0)
            return i;
    return -1;
}

/* (f, *arrays, **options) -> f(*arrays, **options). On the CPU it is seen sooner here than by SciPy whether arrays are
 * finite. */
static PyObject *by_lapack(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *given[MOST];
    if (!is_call(nargs, kwnames)) return PyErr_Format(PyExc_TypeError, "_by_lapack: a function and its arguments");
    const Py_ssize_t n = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    Py_ssize_t finite = asks_for_finite(args + nargs, kwnames);
    if (finite >= 0 && strcmp(tb_backend_name(), "cpu") != 0) finite = -1;
    for (Py_ssize_t i = 1; i < nargs; i++) {
        if (!tbpy_check(args[i]) && args[i] != Py_None && !PyTuple_CheckExact(args[i])) {
            fail(args[0], PyExc_TypeError, "%U: a tombac.ndarray is expected, not %R", (PyObject *)Py_TYPE(args[i]));
            return NULL;
        }
        if (finite >= 0 && check_finite(args[0], args[i]) < 0) return NULL;
    }
    memcpy(given, args, sizeof *args * (size_t)n);
    if (finite >= 0) given[nargs + finite] = Py_False;
    return call_host(given, nargs, kwnames, nargs, read_matrix);
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

enum { MOST_KEYED = 4096 }; /* elements of an array */

typedef struct key {
    char few[512], *bytes;
    size_t size, room;
} key;

/* Room for so many bytes more, or NULL. */
static char *more(key *k, size_t n)
{
    if (k->room - k->size < n) {
        const size_t room = 2 * (k->size + n);
        char *grown = PyMem_Malloc(room);
        if (!grown) return (char *)PyErr_NoMemory();
        memcpy(grown, k->bytes, k->size);
        if (k->bytes != k->few) PyMem_Free(k->bytes);
        k->bytes = grown;
        k->room = room;
    }
    char *at = k->bytes + k->size;
    k->size += n;
    return at;
}

/* These functions give 1; or 0 for what has no key; or -1 for an error. */
static int put(key *k, char what, const void *bytes, size_t n)
{
    char *at = more(k, 1 + n);
    if (!at) return -1;
    *at = what;
    memcpy(at + 1, bytes, n);
    return 1;
}

static int put_whole(key *k, PyObject *o)
{
    int overflow;
    const long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow ? 0 : put(k, 'i', &v, sizeof v);
}

static int put_text(key *k, PyObject *o)
{
    Py_ssize_t n;
    const char *text = PyUnicode_AsUTF8AndSize(o, &n);
    if (text) return put(k, 's', &n, sizeof n) < 0 || put(k, ':', text, (size_t)n) < 0 ? -1 : 1;
    PyErr_Clear();
    return 0;
}

static int put_array(key *k, PyObject *o)
{
    tb_array *a = tbpy_array(o);
    const tb_dtype t = tb_array_dtype(a);
    const int ndim = tb_array_ndim(a);
    const size_t n = (size_t)tb_array_size(a) * tb_dtype_size(t);
    if (tbpy_is_record(t) || tb_array_size(a) > MOST_KEYED) return 0;
    if (put(k, 'a', &t, sizeof t) < 0 || put(k, (char)ndim, tb_array_shape(a), sizeof(int64_t) * (size_t)ndim) < 0)
        return -1;
    char *at = more(k, n);
    if (!at) return -1;
    tb_status st;
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_array_get(a, at, NULL, NULL, true));
    return st == TB_OK ? 1 : tbpy_fail(st);
}

static int put_host_array(key *k, PyObject *o)
{
    static const char simple[] = "?bBhHiIlLqQefdgFDG";
    Py_buffer view;
    if (PyObject_GetBuffer(o, &view, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        return 0;
    }
    const char *format = view.format + (view.format[0] == 'Z');
    int r = format[0] && strchr(simple, format[0]) && !format[1] && view.len <= MOST_KEYED * view.itemsize;
    if (r) r = put(k, 'h', view.format, strlen(view.format));
    if (r > 0) r = put(k, (char)view.ndim, view.shape, sizeof *view.shape * (size_t)view.ndim);
    char *at = r > 0 ? more(k, (size_t)view.len) : NULL;
    if (r > 0 && (!at || PyBuffer_ToContiguous(at, &view, view.len, 'C') < 0)) r = -1;
    PyBuffer_Release(&view);
    return r;
}

static int put_any(key *k, PyObject *o);

static int put_items(key *k, PyObject *sequence)
{
    PyObject *items = tbpy_items(sequence, "a sequence is expected");
    if (!items) return -1;
    const Py_ssize_t n = PyTuple_GET_SIZE(items);
    int r = put(k, PyTuple_CheckExact(sequence) ? '(' : '[', &n, sizeof n);
    for (Py_ssize_t i = 0; r > 0 && i < n; i++) r = put_any(k, PyTuple_GET_ITEM(items, i));
    Py_DECREF(items);
    return r;
}

static int put_dict(key *k, PyObject *dict)
{
    PyObject *items = PyDict_Items(dict);
    const int r = items && put(k, '{', "", 0) > 0 ? put_any(k, items) : -1;
    Py_XDECREF(items);
    return r;
}

static int put_nested(key *k, PyObject *o)
{
    if (Py_EnterRecursiveCall(" in a nested sequence")) return -1;
    const int r = PyDict_CheckExact(o) ? put_dict(k, o) : put_items(k, o);
    Py_LeaveRecursiveCall();
    return r;
}

static int put_any(key *k, PyObject *o)
{
    if (PyUnicode_CheckExact(o)) return put_text(k, o);
    if (PyFloat_CheckExact(o)) return put(k, 'f', &(double){PyFloat_AS_DOUBLE(o)}, sizeof(double));
    if (PyLong_CheckExact(o)) return put_whole(k, o);
    if (o == Py_None || PyBool_Check(o)) return put(k, o == Py_None ? 'N' : o == Py_True ? 'T' : 'F', "", 0);
    if (PyComplex_CheckExact(o)) return put(k, 'c', &((PyComplexObject *)o)->cval, sizeof(Py_complex));
    if (PyTuple_CheckExact(o) || PyList_CheckExact(o) || PyDict_CheckExact(o)) return put_nested(k, o);
    if (tbpy_check(o)) return put_array(k, o);
    if (tbpy_numpy_scalar_dtype(Py_TYPE(o)) != TB_NODTYPE) return put_host_array(k, o);
    return tbpy_is_host_array(o) && Py_IS_TYPE(o, tbpy_numpy.array) ? put_host_array(k, o) : 0;
}

static PyObject *host_key(PyObject *Py_UNUSED(m), PyObject *o)
{
    key k;
    k.bytes = k.few;
    k.size = 0;
    k.room = sizeof k.few;
    const int r = put_any(&k, o);
    PyObject *bytes = r > 0 ? PyBytes_FromStringAndSize(k.bytes, (Py_ssize_t)k.size) : NULL;
    if (k.bytes != k.few) PyMem_Free(k.bytes);
    return r ? bytes : Py_NewRef(Py_None);
}

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS
PyMethodDef tbpy_host_argument_functions[] = {
    {"_hold", hold, METH_O,
     "_hold(cls)\n--\n\nA decorator of the class in place of whose instances _on_host gives their attribute _held."},
    {"_on_host", on_host, METH_O,
     "_on_host(x)\n--\n\nAn argument with NumPy's arrays, and scalars for those of no dimension, in place of arrays of "
     "the device, also within tuples and lists; an object that has none, itself."},
    {"_on_device", on_device, METH_O,
     "_on_device(x)\n--\n\nA result with arrays of the device in place of NumPy's arrays and scalars, also within "
     "tuples and lists; an object that has none, itself."},
    {"_by_host", FAST(by_host),
     "_by_host(f, *args, **kwargs)\n--\n\nWhat a function of the host's gives for these arguments: _on_device of its "
     "result for _on_host of each."},
    {"_by_lapack", FAST(by_lapack),
     "_by_lapack(f, *arrays, **options)\n--\n\nThe same of a function of linear algebra: arrays are tuples of arrays "
     "too, and None, with float32 in place of float16; TypeError for anything else. With check_finite=True, ValueError "
     "where there are infinities or NaNs."},
    {"_host_key", host_key, METH_O,
     "_host_key(x)\n--\n\nBytes that tell arguments apart: numbers, strings, arrays that are not large, and tuples, "
     "lists and dicts of such; None for others."},
    {NULL, NULL, 0, NULL},
};
