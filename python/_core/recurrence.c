/* recurrence.c - digital filters along an axis. */
#include "core.h"

/* Host arrays of float64, or complex128, as (sections, order + 1) coefficients. */
static int read_coefficients(PyObject *o, Py_buffer *view, bool *is_complex)
{
    if (PyObject_GetBuffer(o, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) return -1;
    *is_complex = strcmp(view->format, "Zd") == 0;
    if (view->ndim == 2 && view->shape[1] > 0 && (*is_complex || strcmp(view->format, "d") == 0)) return 0;
    PyErr_SetString(PyExc_TypeError, "recurrence: coefficients are matrices of float64 or complex128");
    PyBuffer_Release(view);
    return -1;
}

static PyObject *run(PyObject *const *args, int axis, tb_dtype t, const tb_filter *filter, bool backwards)
{
    tb_status st;
    tb_array *y = NULL, *zf = NULL, *x = tbpy_array(args[0]), *zi = args[6] == Py_None ? NULL : tbpy_array(args[6]);
    TBPY_UNLOCKED_IF(tb_array_size(x), st, tb_recurrence(x, axis, t, filter, backwards, zi, &y, zi ? &zf : NULL));
    if (st != TB_OK) return tbpy_raise(st);
    PyObject *result = tbpy_wrap_like(y, args[0]);
    if (!zi) return result;
    PyObject *states = tbpy_wrap(zf);
    PyObject *both = result && states ? PyTuple_Pack(2, result, states) : NULL;
    Py_XDECREF(result);
    Py_XDECREF(states);
    return both;
}

/* (x, axis, dtype, b, a, backwards, zi or None) */
static PyObject *recurrence(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    int axis;
    tb_dtype t = TB_NODTYPE;
    bool backwards = false, complex_b, complex_a;
    Py_buffer b, a;
    PyObject *r = NULL;
    if (nargs != 7 || !tbpy_check(args[0]) || (args[6] != Py_None && !tbpy_check(args[6]))) {
        PyErr_SetString(PyExc_TypeError, "recurrence: an array, six other arguments, and an array or None");
        return NULL;
    }
    if (tbpy_axis(args[1], &axis) < 0 || tbpy_dtype_parse(args[2], &t) < 0 || tbpy_bool_arg(args[5], &backwards) < 0 ||
        read_coefficients(args[3], &b, &complex_b) < 0)
        return NULL;
    if (read_coefficients(args[4], &a, &complex_a) == 0) {
        if (complex_a != complex_b || a.shape[0] != b.shape[0] || a.shape[1] != b.shape[1] || a.shape[1] > INT_MAX) {
            PyErr_SetString(PyExc_ValueError, "recurrence: b and a must have one shape and one dtype");
        } else {
            const tb_filter filter = {(int)a.shape[0], (int)a.shape[1] - 1, complex_a, b.buf, a.buf};
            r = run(args, axis, t, &filter, backwards);
        }
        PyBuffer_Release(&a);
    }
    PyBuffer_Release(&b);
    return r;
}

static PyMethodDef methods[] = {
    {"_recurrence", (PyCFunction)(void (*)(void))recurrence, METH_FASTCALL,
     "_recurrence(x, axis, dtype, b, a, backwards, zi)\n--\n\nA digital filter along an axis."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_recurrence(PyObject *m) { return PyModule_AddFunctions(m, methods); }
