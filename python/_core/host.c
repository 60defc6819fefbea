/* host.c - numpy.ndarray objects as host memory, reached through the buffer protocol: get, set and asnumpy's ways; and
 * arguments that the host computes with, which may be arrays of the device or hold some. */
#include "ndarray.h"

PyObject *tbpy_host_empty(int ndim, const int64_t *shape, tb_dtype t, char order)
{
    static PyObject *cache;
    PyObject *empty = tbpy_import(&cache, "numpy", "empty");
    PyObject *dims = empty ? tbpy_int_tuple(ndim, shape) : NULL;
    PyObject *r = dims ? PyObject_CallFunction(empty, "OOC", dims, tbpy_dtype_object(t), (int)order) : NULL;
    Py_XDECREF(dims);
    return r;
}

int tbpy_host_view(PyObject *host, bool writable, Py_buffer *view, int64_t *shape, int64_t *strides)
{
    if (PyObject_GetBuffer(host, view, writable ? PyBUF_STRIDES | PyBUF_WRITABLE : PyBUF_STRIDES) < 0) return -1;
    if (view->ndim > TB_MAXDIM) {
        PyErr_Format(PyExc_ValueError, "arrays have at most %d dimensions, the NumPy array has %d", TB_MAXDIM,
                     view->ndim);
        PyBuffer_Release(view);
        return -1;
    }
    for (int i = 0; i < view->ndim; i++) {
        shape[i] = view->shape[i];
        strides[i] = view->strides[i];
    }
    return 0;
}

int tbpy_get_into(tb_array *a, PyObject *out, tb_stream *s, bool blocking)
{
    Py_buffer view;
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    if (tbpy_host_view(out, true, &view, shape, strides) < 0) return -1;
    tb_status st;
    TBPY_UNLOCKED(st, tb_array_get(a, view.buf, strides, s, blocking));
    PyBuffer_Release(&view);
    return st == TB_OK ? 0 : tbpy_fail(st);
}

PyObject *tbpy_get(PyObject *self, char order)
{
    tb_array *a = tbpy_array(self);
    bool fortran = order == 'F' || (order != 'C' && tb_array_is_f_contiguous(a) && !tb_array_is_c_contiguous(a));
    PyObject *host = tbpy_host_empty(tb_array_ndim(a), tb_array_shape(a), tb_array_dtype(a), fortran ? 'F' : 'C');
    if (host && tbpy_get_into(a, host, NULL, true) < 0) Py_CLEAR(host);
    return host;
}

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

static PyObject *read_argument(PyObject *o);

/* A sequence that holds no arrays is given back itself. */
static PyObject *read_items(PyObject *sequence)
{
    PyObject *read = NULL;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); i++) {
        PyObject *before = PySequence_Fast_GET_ITEM(sequence, i), *x = read_argument(before);
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

static PyObject *read_argument(PyObject *o)
{
    if (PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyUnicode_CheckExact(o)) return Py_NewRef(o);
    if (tbpy_check(o)) return element_or_array(o);
    if (!PyTuple_CheckExact(o) && !PyList_CheckExact(o)) return Py_NewRef(o);
    if (Py_EnterRecursiveCall(" in a nested sequence")) return NULL;
    PyObject *r = read_items(o);
    Py_LeaveRecursiveCall();
    return r;
}

static PyObject *on_host(PyObject *Py_UNUSED(m), PyObject *o) { return read_argument(o); }

PyMethodDef tbpy_host_functions[] = {
    {"_on_host", on_host, METH_O,
     "_on_host(x)\n--\n\nAn argument with NumPy's arrays, and scalars for those of no dimension, in place of arrays of "
     "the device, also within tuples and lists; an object that has none, itself."},
    {NULL, NULL, 0, NULL},
};
