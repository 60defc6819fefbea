/* objects.c - passes over labelled arrays, for tombacx.scipy.ndimage. */
#include "core.h"

/* (a, connected: bytes of 3^ndim truth values) -> (labels, how many) */
static PyObject *label(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    int64_t count = 0;
    tb_status st;
    if (nargs != 2 || !tbpy_check(args[0]) || !PyBytes_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "label: an array and bytes are expected");
        return NULL;
    }
    tb_array *a = tbpy_array(args[0]);
    Py_ssize_t places = 1;
    for (int d = 0; d < tb_array_ndim(a); d++) places *= 3;
    if (PyBytes_GET_SIZE(args[1]) != places) {
        PyErr_Format(PyExc_ValueError, "label: %zd truth values are expected", places);
        return NULL;
    }
    const bool *connected = (const bool *)(const void *)PyBytes_AS_STRING(args[1]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_label(a, connected, &r, &count));
    if (st != TB_OK) return tbpy_raise(st);
    return Py_BuildValue("(NL)", tbpy_wrap_like(r, args[0]), (long long)count);
}

static PyObject *label_boxes(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    if (nargs != 2 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "label_boxes: an array and a number are expected");
        return NULL;
    }
    const long long n = PyLong_AsLongLong(args[1]);
    if (n == -1 && PyErr_Occurred()) return NULL;
    tb_array *a = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_label_boxes(a, n, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

/* (a, axis, step, whether positions are wanted) -> (least, positions or None) */
static PyObject *least_parabolas(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *least = NULL, *nearest = NULL;
    tb_status st;
    if (nargs != 4 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "least_parabolas: an array, an axis, a number and a truth value are expected");
        return NULL;
    }
    const long axis = PyLong_AsLong(args[1]);
    const double step = PyFloat_AsDouble(args[2]);
    const int wanted = PyObject_IsTrue(args[3]);
    if (PyErr_Occurred()) return NULL;
    tb_array *a = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_least_parabolas(a, (int)axis, step, &least, wanted ? &nearest : NULL));
    if (st != TB_OK) return tbpy_raise(st);
    if (!wanted) return Py_BuildValue("(NO)", tbpy_wrap_like(least, args[0]), Py_None);
    return Py_BuildValue("(NN)", tbpy_wrap_like(least, args[0]), tbpy_wrap_like(nearest, args[0]));
}

static PyMethodDef methods[] = {
    {"_label", (PyCFunction)(void (*)(void))label, METH_FASTCALL,
     "_label(a, connected)\n--\n\nThe labels of connected objects, and how many there are."},
    {"_label_boxes", (PyCFunction)(void (*)(void))label_boxes, METH_FASTCALL,
     "_label_boxes(labels, n)\n--\n\nThe boxes around labels."},
    {"_least_parabolas", (PyCFunction)(void (*)(void))least_parabolas, METH_FASTCALL,
     "_least_parabolas(a, axis, step, positions)\n--\n\nThe lower envelope of parabolas."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_objects(PyObject *m) { return PyModule_AddFunctions(m, methods); }
