/* views.c - broadcast_to and as_strided: views whose shape or strides NumPy's indexing cannot express. */
#include "reduce_args.h"
#include "docs_arrays.h"

static PyObject *view_broadcast_to(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"array", "shape", "subok", NULL};
    PyObject *v[3];
    int ndim;
    int64_t shape[TB_MAXDIM];
    if (tbpy_parse("broadcast_to", names, 2, 3, args, nargs, kwnames, v) < 0) return NULL;
    PyObject *a = tbpy_device_array(v[0]);
    if (a == NULL) return NULL;
    tb_array *r;
    PyObject *result = NULL;
    if (tbpy_shape(v[1], &ndim, shape) == 0) {
        tb_status st = tb_broadcast_to(tbpy_array(a), ndim, shape, &r);
        result = st == TB_OK ? tbpy_wrap_view(r, a) : tbpy_raise(st);
    }
    Py_DECREF(a);
    return result;
}

/* A sequence of n byte strides; they may be negative, which shapes may not. */
static int read_strides(PyObject *o, int n, int64_t *out)
{
    PyObject *items = tbpy_items(o, "as_strided: strides must be a sequence of integers");
    if (items == NULL) return -1;
    int status = 0;
    if (PyTuple_GET_SIZE(items) != n) {
        PyErr_Format(PyExc_ValueError, "as_strided: %d dimensions, but %zd strides", n, PyTuple_GET_SIZE(items));
        status = -1;
    }
    for (int i = 0; i < n && status == 0; i++) status = tbpy_int_arg(PyTuple_GET_ITEM(items, i), &out[i]);
    Py_DECREF(items);
    return status;
}

static PyObject *view_as_strided(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"x", "shape", "strides", "offset", NULL};
    PyObject *v[4];
    if (tbpy_parse("as_strided", names, 1, 3, args, nargs, kwnames, v) < 0) return NULL;
    if (!tbpy_check(v[0]))
        return PyErr_Format(PyExc_TypeError, "as_strided: a tombac.ndarray is expected, not %R", Py_TYPE(v[0]));
    tb_array *a = tbpy_array(v[0]), *r;
    int ndim = tb_array_ndim(a), own = ndim;
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM], offset = 0;
    memcpy(shape, tb_array_shape(a), (size_t)ndim * sizeof *shape);
    memcpy(strides, tb_array_strides(a), (size_t)ndim * sizeof *strides);
    if (v[1] && v[1] != Py_None && tbpy_shape(v[1], &ndim, shape) < 0) return NULL;
    bool given = v[2] && v[2] != Py_None;
    if (given ? read_strides(v[2], ndim, strides) < 0 : false) return NULL;
    if (!given && ndim != own)
        return PyErr_Format(PyExc_ValueError, "as_strided: strides are needed to turn %d dimensions into %d", own,
                            ndim);
    if (tbpy_int_arg(v[3], &offset) < 0) return NULL;
    TBPY_TRY(tb_as_strided(a, ndim, shape, strides, offset, &r));
    return tbpy_wrap_view(r, v[0]);
}

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"broadcast_to", FAST(view_broadcast_to), "broadcast_to(array, shape, subok=False)\n--\n\n" TBPY_DOC_broadcast_to},
    {"as_strided", FAST(view_as_strided),
     "as_strided(x, shape=None, strides=None, *, offset=0)\n--\n\nA view of x's memory with any shape and byte "
     "strides.\n\n"
     "offset counts bytes from x's first element. Raises ValueError if the view would leave x's memory."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_views(PyObject *m) { return PyModule_AddFunctions(m, methods); }
