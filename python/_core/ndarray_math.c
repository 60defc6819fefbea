/* ndarray_math.c - methods that compute, other than reductions: conj, round, clip, fill, trace, dot. */
#include "ndarray.h"

#include <math.h>

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

/* u(*x, s) in place of *x; out is NULL or an array to write to. */
static tb_status step(const char *u, tb_array **x, const tb_scalar *s, tb_array *out)
{
    tb_operand in[2] = {tb_operand_array(*x)};
    if (s) in[1] = tb_operand_scalar(*s);
    const tb_ufunc *f = tb_ufunc_find(u);
    tb_array *r;
    tb_status st = out ? tb_ufunc_into(f, in, &out, NULL, NULL) : tb_ufunc_call(f, in, &r, NULL);
    if (st != TB_OK) return st;
    if (out) r = tb_array_retain(out);
    tb_array_release(*x);
    *x = r;
    return TB_OK;
}

static tb_status round_real(tb_array *a, int64_t decimals, tb_array *out, tb_array **result)
{
    tb_dtype t = tb_array_dtype(a);
    bool integer = tb_dtype_kind(t) == TB_KIND_INT;
    tb_array *x = tb_array_retain(a);
    tb_scalar scale = tb_scalar_float(pow(10.0, (double)(decimals < 0 ? -decimals : decimals)));
    tb_status st;
    if (decimals == 0) {
        st = step("rint", &x, NULL, out);
    } else {
        st = step(decimals > 0 ? "multiply" : "divide", &x, &scale, NULL);
        if (st == TB_OK) st = step("rint", &x, NULL, NULL);
        if (st == TB_OK) st = step(decimals > 0 ? "divide" : "multiply", &x, &scale, integer ? NULL : out);
        if (st == TB_OK && integer) {
            tb_array *r = NULL;
            st = out ? tb_assign(out, x, TB_CAST_UNSAFE) : tb_astype(x, t, 'K', TB_CAST_UNSAFE, false, &r);
            tb_array_release(x);
            x = out ? tb_array_retain(out) : r;
        }
    }
    if (st == TB_OK) *result = x;
    else tb_array_release(x);
    return st;
}

/* A copy of a, whose parts are then rounded in place. */
static tb_status round_complex(tb_array *a, int64_t decimals, tb_array *out, tb_array **result)
{
    tb_array *x = NULL;
    tb_status st = out ? tb_assign(out, a, TB_CAST_SAME_KIND) : tb_copy(a, 'K', &x);
    if (st != TB_OK) return st;
    if (out) x = tb_array_retain(out);
    for (int imag = 0; st == TB_OK && imag < 2; imag++) {
        tb_array *part = NULL, *rounded = NULL;
        st = tb_real_imag(x, imag, &part);
        if (st == TB_OK) st = round_real(part, decimals, part, &rounded);
        tb_array_release(part);
        tb_array_release(rounded);
    }
    if (st == TB_OK) *result = x;
    else tb_array_release(x);
    return st;
}

static PyObject *round_method(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"decimals", "out", NULL};
    PyObject *v[2];
    int64_t decimals = 0;
    tb_array *a = tbpy_array(self), *out, *r = NULL;
    if (tbpy_parse("round", names, 0, 2, args, nargs, kwnames, v) < 0 || tbpy_int_arg(v[0], &decimals) < 0 ||
        tbpy_out_arg(v[1], &out) < 0)
        return NULL;
    tb_kind kind = tb_dtype_kind(tb_array_dtype(a));
    tb_status st;
    if (kind == TB_KIND_BOOL && decimals != 0)
        return PyErr_Format(PyExc_TypeError, "round: bool arrays have no decimals; %lld were asked for",
                            (long long)decimals);
    if (kind == TB_KIND_INT && decimals >= 0) {
        st = out ? tb_assign(out, a, TB_CAST_SAME_KIND) : tb_copy(a, 'K', &r);
        if (st == TB_OK && out) r = tb_array_retain(out);
    } else {
        st = (kind == TB_KIND_COMPLEX ? round_complex : round_real)(a, decimals, out, &r);
    }
    if (st != TB_OK) return tbpy_raise(st);
    if (!out) return tbpy_wrap_like(r, self);
    tb_array_release(r);
    return Py_NewRef(PyTuple_Check(v[1]) ? PyTuple_GET_ITEM(v[1], 0) : v[1]);
}

/* ---- the others -------------------------------------------------------------------------------------------------- */

static PyObject *clip_method(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"min", "max", "out", NULL};
    static PyObject *clip;
    PyObject *v[3];
    if (tbpy_parse("clip", names, 0, 3, args, nargs, kwnames, v) < 0 || !tbpy_import(&clip, "tombac._core", "clip"))
        return NULL;
    for (int i = 0; i < 3; i++)
        if (!v[i]) v[i] = Py_None;
    return PyObject_CallFunctionObjArgs(clip, self, v[0], v[1], v[2], NULL);
}

static PyObject *fill(PyObject *self, PyObject *value)
{
    if (tbpy_check(value) && tb_array_size(tbpy_array(value)) != 1) {
        PyErr_SetString(PyExc_ValueError, "fill: the value must be a scalar or have one element");
        return NULL;
    }
    if (tbpy_assign(self, value) < 0) return NULL;
    Py_RETURN_NONE;
}

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
    {"conj", conj_method, METH_NOARGS, "conj()\n--\n\nThe complex conjugates; the array itself if it is real."},
    {"conjugate", conj_method, METH_NOARGS,
     "conjugate()\n--\n\nThe complex conjugates; the array itself if it is real."},
    {"round", FAST(round_method),
     "round(decimals=0, out=None)\n--\n\nRounds to the given number of decimals, halves to even."},
    {"clip", FAST(clip_method), "clip(min=None, max=None, out=None)\n--\n\nLimits the elements to [min, max]."},
    {"fill", fill, METH_O, "fill(value)\n--\n\nSets all elements to one value."},
    {"trace", FAST(trace),
     "trace(offset=0, axis1=0, axis2=1, dtype=None, out=None)\n--\n\nSum of the elements of a diagonal."},
    {"dot", FAST(dot), "dot(b, out=None)\n--\n\nNumPy's dot product with b."},
    {NULL, NULL, 0, NULL},
};
