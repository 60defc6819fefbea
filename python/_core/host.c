/* host.c - numpy.ndarray objects as host memory, reached through the buffer protocol: get, set and asnumpy's ways. */
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
