/* select.c - compress(condition, a, axis, out), repeat(a, repeats, axis) and place(a, mask, values). */
#include "ndarray.h"
#include "docs_arrays.h"

/* Without an axis, the elements in a row. */
static int read_axis(PyObject *o, int *out)
{
    *out = TB_ALL_AXES;
    return !o || o == Py_None ? 0 : tbpy_axis(o, out);
}

/* ---- compress ---------------------------------------------------------------------------------------------------- */

static PyObject *compress(PyObject *self, PyObject *condition, PyObject *axis_arg, PyObject *out)
{
    tb_array *r;
    tb_status st;
    int axis;
    if (read_axis(axis_arg, &axis) < 0) return NULL;
    PyObject *mask = tbpy_asarray(condition);
    if (!mask) return NULL;
    TBPY_UNLOCKED_IF(tb_array_size(tbpy_array(self)), st, tb_compress(tbpy_array(mask), tbpy_array(self), axis, &r));
    Py_DECREF(mask);
    return st == TB_OK ? tbpy_deliver("compress", r, self, out) : tbpy_raise(st);
}

static PyObject *compress_method(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"condition", "axis", "out", NULL};
    PyObject *v[3];
    if (tbpy_parse("compress", names, 1, 3, args, nargs, kwnames, v) < 0) return NULL;
    return compress(self, v[0], v[1], v[2]);
}

static PyObject *compress_function(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"condition", "a", "axis", "out", NULL};
    static const char *const method[] = {"self", "condition", "axis", "out", NULL};
    PyObject *v[4];
    if (tbpy_parse("compress", names, 2, 4, args, nargs, kwnames, v) < 0) return NULL;
    PyObject *host = tbpy_host_method("compress", method, (PyObject *[]){v[1], v[0], v[2], v[3]});
    if (host || PyErr_Occurred()) return host;
    PyObject *a = tbpy_device_array(v[1]);
    PyObject *result = a ? compress(a, v[0], v[2], v[3]) : NULL;
    Py_XDECREF(a);
    return result;
}

/* ---- repeat ------------------------------------------------------------------------------------------------------ */

static int repeat_by(tb_array *a, PyObject *repeats, int axis, tb_array **out)
{
    PyObject *counts = tbpy_asarray(repeats);
    tb_status st;
    if (!counts) return -1;
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_repeat_by(a, tbpy_array(counts), axis, out));
    Py_DECREF(counts);
    return st == TB_OK ? 0 : tbpy_fail(st);
}

static int repeat_alike(tb_array *a, PyObject *repeats, int axis, tb_array **out)
{
    int64_t n = 0;
    tb_status st;
    if (tbpy_int_arg(repeats, &n) < 0) return -1;
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_repeat(a, n, axis, out));
    return st == TB_OK ? 0 : tbpy_fail(st);
}

static PyObject *repeat(PyObject *self, PyObject *repeats, PyObject *axis_arg)
{
    tb_array *a = tbpy_array(self), *r;
    int axis;
    if (read_axis(axis_arg, &axis) < 0) return NULL;
    const bool alike = PyLong_Check(repeats) || tbpy_is_numpy_integer(repeats);
    if ((alike ? repeat_alike : repeat_by)(a, repeats, axis, &r) < 0) return NULL;
    return tbpy_wrap_like(r, self);
}

static PyObject *repeat_method(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"repeats", "axis", NULL};
    PyObject *v[2];
    if (tbpy_parse("repeat", names, 1, 2, args, nargs, kwnames, v) < 0) return NULL;
    return repeat(self, v[0], v[1]);
}

static PyObject *repeat_function(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "repeats", "axis", NULL};
    PyObject *v[3];
    if (tbpy_parse("repeat", names, 2, 3, args, nargs, kwnames, v) < 0) return NULL;
    PyObject *host = tbpy_host_method("repeat", names, v);
    if (host || PyErr_Occurred()) return host;
    PyObject *a = tbpy_device_array(v[0]);
    PyObject *result = a ? repeat(a, v[1], v[2]) : NULL;
    Py_XDECREF(a);
    return result;
}

/* ---- place ------------------------------------------------------------------------------------------------------- */

static PyObject *place(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_status st;
    if (nargs != 3 || !tbpy_check(args[0]) || !tbpy_check(args[1]) || !tbpy_check(args[2]))
        return PyErr_Format(PyExc_TypeError, "place: three arrays are expected");
    tb_array *a = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_put_where(a, tbpy_array(args[1]), tbpy_array(args[2])));
    return st == TB_OK ? Py_NewRef(Py_None) : tbpy_raise(st);
}

#define FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS

PyMethodDef tbpy_select_methods[] = {
    {"compress", FAST(compress_method), "compress($self, condition, axis=None, out=None)\n--\n\nSee tombac.compress."},
    {"repeat", FAST(repeat_method), "repeat($self, repeats, axis=None)\n--\n\nSee tombac.repeat."},
    {NULL, NULL, 0, NULL},
};

PyMethodDef tbpy_select_functions[] = {
    {"compress", FAST(compress_function), "compress(condition, a, axis=None, out=None)\n--\n\n" TBPY_DOC_compress},
    {"repeat", FAST(repeat_function), "repeat(a, repeats, axis=None)\n--\n\n" TBPY_DOC_repeat},
    {"_place", (PyCFunction)(void (*)(void))place, METH_FASTCALL,
     "_place(a, mask, values)\n--\n\nValues of a's dtype where the mask holds."},
    {NULL, NULL, 0, NULL},
};
