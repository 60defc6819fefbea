/* host.c - numpy.ndarray objects as host memory, reached through the buffer protocol: get, set and asnumpy's ways. */
#include "ndarray.h"

PyObject *tbpy_host_empty(int ndim, const int64_t *shape, tb_dtype t, char order)
{
    static PyObject *cache, *fortran;
    PyObject *empty = tbpy_import(&cache, "numpy", "empty");
    if (!empty || (order == 'F' && !tbpy_kept(&fortran) && !tbpy_keep(&fortran, PyUnicode_FromString("F"))))
        return NULL;
    PyObject *args[] = {tbpy_int_tuple(ndim, shape), tbpy_dtype_object(t), tbpy_kept(&fortran)};
    PyObject *r = args[0] && args[1] ? PyObject_Vectorcall(empty, args, order == 'F' ? 3 : 2, NULL) : NULL;
    Py_XDECREF(args[0]);
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
    const tb_status st = tbpy_read(a, view.buf, strides, s, blocking);
    PyBuffer_Release(&view);
    return st == TB_OK ? 0 : tbpy_fail(st);
}

tb_status tbpy_read(tb_array *a, void *host, const int64_t *strides, tb_stream *s, bool blocking)
{
    enum { FEW = 4096 }; /* bytes */
    const void *there = tb_array_peek(a);
    const size_t bytes = (size_t)tb_array_size(a) * tb_dtype_size(tb_array_dtype(a));
    tb_status st = TB_OK;
    if (there && !strides && bytes <= FEW && tb_array_is_c_contiguous(a)) memcpy(host, there, bytes);
    else if (there) TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_array_get(a, host, strides, s, blocking));
    else TBPY_UNLOCKED(st, tb_array_get(a, host, strides, s, blocking));
    return st;
}

PyObject *tbpy_get(PyObject *self, char order)
{
    tb_array *a = tbpy_array(self);
    bool fortran = order == 'F' || (order != 'C' && tb_array_is_f_contiguous(a) && !tb_array_is_c_contiguous(a));
    PyObject *host = tbpy_host_empty(tb_array_ndim(a), tb_array_shape(a), tb_array_dtype(a), fortran ? 'F' : 'C');
    if (host && tbpy_get_into(a, host, NULL, true) < 0) Py_CLEAR(host);
    return host;
}

enum { MOST_COLUMNS = 2 };

typedef struct columns {
    Py_ssize_t n, length;
    bool wide;
    void *at[MOST_COLUMNS];
} columns;

static bool store_key(const columns *c, Py_ssize_t i, PyObject *key)
{
    const bool is_tuple = PyTuple_Check(key) && PyTuple_GET_SIZE(key) == c->n;
    for (Py_ssize_t k = 0; k < c->n; k++) {
        const long long place = PyLong_AsLongLong(is_tuple ? PyTuple_GET_ITEM(key, k) : key);
        if (place == -1 && PyErr_Occurred()) return false;
        if (c->wide) ((int64_t *)c->at[k])[i] = place;
        else ((int32_t *)c->at[k])[i] = (int32_t)place;
    }
    return true;
}

static int store_keys(const columns *c, PyObject *keys)
{
    PyObject *all = PyObject_GetIter(keys), *key = NULL;
    Py_ssize_t i = 0;
    while (all && i < c->length && (key = PyIter_Next(all))) {
        const bool stored = store_key(c, i, key);
        Py_DECREF(key);
        if (!stored) break;
        i++;
    }
    Py_XDECREF(all);
    if (i < c->length && !PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "_key_columns: there are fewer keys");
    return i < c->length ? -1 : 0;
}

static PyObject *key_columns(PyObject *Py_UNUSED(m), PyObject *args)
{
    columns c;
    PyObject *keys, *arrays[MOST_COLUMNS] = {NULL};
    Py_buffer views[MOST_COLUMNS];
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    int wide;
    if (!PyArg_ParseTuple(args, "Onp:_key_columns", &keys, &c.n, &wide) || (c.length = PyObject_Size(keys)) < 0)
        return NULL;
    if (c.n < 1 || c.n > MOST_COLUMNS) return PyErr_Format(PyExc_ValueError, "_key_columns: %zd columns", c.n);
    c.wide = wide;
    Py_ssize_t made = 0;
    for (; made < c.n; made++) {
        arrays[made] = tbpy_host_empty(1, &(int64_t){c.length}, wide ? TB_I64 : TB_I32, 'C');
        if (!arrays[made] || tbpy_host_view(arrays[made], true, &views[made], shape, strides) < 0) break;
        c.at[made] = views[made].buf;
    }
    const bool good = made == c.n && store_keys(&c, keys) == 0;
    for (Py_ssize_t k = 0; k < made; k++) PyBuffer_Release(&views[k]);
    PyObject *r = good ? PyTuple_New(c.n) : NULL;
    for (Py_ssize_t k = 0; k < c.n; k++) {
        if (r) PyTuple_SET_ITEM(r, k, arrays[k]);
        else Py_XDECREF(arrays[k]);
    }
    return r;
}

PyMethodDef tbpy_host_functions[] = {
    {"_key_columns", key_columns, METH_VARARGS,
     "_key_columns(keys, n, wide)\n--\n\nKeys, which are tuples of n whole numbers, or numbers, as n host arrays of "
     "int32, or of int64 if wide."},
    {NULL, NULL, 0, NULL},
};
