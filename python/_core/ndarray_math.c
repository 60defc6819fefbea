/* ndarray_math.c - methods that compute, other than reductions: conj, round, clip, fill, trace, dot. */
#include "ndarray.h"

static PyObject *conj_method(PyObject *self, PyObject *unused)
{
    (void)unused;
    tb_array *r = NULL;
    if (tb_dtype_kind(tb_array_dtype(tbpy_array(self))) != TB_KIND_COMPLEX) return Py_NewRef(self);
    tb_operand in = {TB_OPERAND_ARRAY, .array = tbpy_array(self)};
    TBPY_TRY(tb_ufunc_call(tb_ufunc_find("conjugate"), &in, &r, NULL));
    return tbpy_wrap_like(r, self);
}

/* ---- round ------------------------------------------------------------------------------------------------------- */

static PyObject *round_method(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"decimals", "out", NULL};
    PyObject *v[2];
    int64_t decimals = 0;
    tb_array *a = tbpy_array(self), *out, *r = NULL;
    if (tbpy_parse("round", names, 0, 2, args, nargs, kwnames, v) < 0 || tbpy_int_arg(v[0], &decimals) < 0 ||
        tbpy_out_arg(v[1], &out) < 0)
        return NULL;
    TBPY_TRY(out ? tb_round_into(a, decimals, out) : tb_round(a, decimals, &r));
    if (!out) return tbpy_wrap_like(r, self);
    return Py_NewRef(PyTuple_Check(v[1]) ? PyTuple_GET_ITEM(v[1], 0) : v[1]);
}

/* ---- the others -------------------------------------------------------------------------------------------------- */

static PyObject *clip_method(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static PyObject *clip;
    enum { FEW = 16 };
    PyObject *all[FEW];
    const Py_ssize_t given = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    if (nargs > 3 || given >= FEW)
        return PyErr_Format(PyExc_TypeError, "clip() takes at most 3 positional arguments (%zd given)", nargs);
    if (!tbpy_import(&clip, "tombac._core", "clip")) return NULL;
    all[0] = self;
    for (Py_ssize_t i = 0; i < given; i++) all[i + 1] = args[i];
    return PyObject_Vectorcall(clip, all, (size_t)nargs + 1, kwnames);
}

static PyObject *fill(PyObject *self, PyObject *value)
{
    const bool host = tbpy_is_host_array(value), tuple = PyTuple_Check(value) && !tbpy_has_records(self);
    if (tbpy_check(value) ? tb_array_ndim(tbpy_array(value)) > 0
                          : PyList_Check(value) || tuple || (host && PyObject_Size(value) >= 0)) {
        PyErr_SetString(PyExc_ValueError, "fill: the value must be a number or an array of no dimensions");
        return NULL;
    }
    PyErr_Clear(); /* an array of no dimensions has no length */
    if (tbpy_assign(self, value) < 0) return NULL;
    Py_RETURN_NONE;
}

TBPY_ONE(fill, "fill", "value")

static PyObject *trace(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"offset", "axis1", "axis2", "dtype", "out", NULL};
    PyObject *v[5];
    int64_t offset = 0, axis1 = 0, axis2 = 1;
    if (tbpy_parse("trace", names, 0, 5, args, nargs, kwnames, v) < 0 || tbpy_int_arg(v[0], &offset) < 0 ||
        tbpy_int_arg(v[1], &axis1) < 0 || tbpy_int_arg(v[2], &axis2) < 0)
        return NULL;
    PyObject *d = PyObject_CallMethod(self, "diagonal", "LLL", (long long)offset, (long long)axis1, (long long)axis2);
    PyObject *last = d ? PyLong_FromLong(-1) : NULL;
    PyObject *r = last ? tbpy_reduce(TB_RED_SUM, d, last, v[3], v[4], NULL, NULL, NULL) : NULL;
    Py_XDECREF(last);
    Py_XDECREF(d);
    return r;
}

static PyObject *dot(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"b", "out", NULL};
    PyObject *v[2];
    if (tbpy_parse("dot", names, 1, 2, args, nargs, kwnames, v) < 0) return NULL;
    PyObject *b = tbpy_device_array(v[0]);
    PyObject *r = b ? tbpy_dot(self, b, v[1]) : NULL;
    Py_XDECREF(b);
    return r;
}

#define FAST(f) (PyCFunction)(void (*)(void))f, METH_FASTCALL | METH_KEYWORDS

PyMethodDef tbpy_math_methods[] = {
    {"conj", conj_method, METH_NOARGS, "conj($self)\n--\n\nThe complex conjugates; the array itself if it is real."},
    {"conjugate", conj_method, METH_NOARGS,
     "conjugate($self)\n--\n\nThe complex conjugates; the array itself if it is real."},
    {"round", FAST(round_method),
     "round($self, decimals=0, out=None)\n--\n\nRounds to the given number of decimals, halves to even."},
    {"clip", FAST(clip_method),
     "clip($self, min=None, max=None, out=None, *, where=True, dtype=None, casting='same_kind', order='K', subok=True, "
     "signature=None)\n--\n\nLimits the elements to [min, max]."},
    {"fill", TBPY_ONE_ROW(fill), "fill($self, value)\n--\n\nSets all elements to one value."},
    {"trace", FAST(trace),
     "trace($self, offset=0, axis1=0, axis2=1, dtype=None, out=None)\n--\n\nSum of the elements of a diagonal."},
    {"dot", FAST(dot), "dot($self, b, out=None)\n--\n\nNumPy's dot product with b."},
    {NULL, NULL, 0, NULL},
};
