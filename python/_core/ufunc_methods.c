/* ufunc_methods.c - the methods of tombac.ufunc: reduce, accumulate, reduceat, outer, at. */
#include "ndarray.h"
#include "reduce_args.h"
#include "ufunc.h"

static const char *ufunc_name(PyObject *self)
{
    return tb_ufunc_name(((TbUfunc *)self)->ufunc);
}

static PyObject *no_method(PyObject *self, const char *method, const char *supported)
{
    return PyErr_Format(PyExc_NotImplementedError, "%s.%s is not supported; %s is there for %s", ufunc_name(self),
                        method, method, supported);
}

#define FAST(f)      (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS
#define METHOD(name) static PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

/* ---- reduce, accumulate ------------------------------------------------------------------------------------------ */

static const struct {
    const char *ufunc;
    tb_reduction op;
} reductions[] = {
    {"add", TB_RED_SUM},         {"multiply", TB_RED_PROD},  {"maximum", TB_RED_MAX},     {"minimum", TB_RED_MIN},
    {"logical_and", TB_RED_ALL}, {"logical_or", TB_RED_ANY}, {"bitwise_and", TB_RED_AND}, {"bitwise_or", TB_RED_OR},
    {"bitwise_xor", TB_RED_XOR}, {"fmax", TB_RED_NANMAX},    {"fmin", TB_RED_NANMIN},
};

METHOD(ufunc_reduce)
{
    static PyObject *zero;
    if (zero == NULL && (zero = PyLong_FromLong(0)) == NULL) return NULL;
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        if (strcmp(reductions[i].ufunc, ufunc_name(self)) == 0)
            return tbpy_call_reduction("reduce", reductions[i].op, &tbpy_ufunc_reduce_signature, zero, args, nargs,
                                       kwnames);
    return no_method(
        self, "reduce",
        "add, multiply, maximum, minimum, fmax, fmin, logical_and, logical_or, bitwise_and, bitwise_or and "
        "bitwise_xor");
}

METHOD(ufunc_accumulate)
{
    static const char *const names[] = {"array", "axis", "dtype", "out", NULL};
    PyObject *v[4];
    if (tbpy_parse("accumulate", names, 1, 4, args, nargs, kwnames, v) < 0) return NULL;
    bool is_add = strcmp(ufunc_name(self), "add") == 0;
    if (!is_add && strcmp(ufunc_name(self), "multiply") != 0) return no_method(self, "accumulate", "add and multiply");
    PyObject *a = tbpy_device_array(v[0]);
    PyObject *axis = v[1] ? Py_NewRef(v[1]) : PyLong_FromLong(0);
    PyObject *r = NULL;
    if (a && axis && axis == Py_None) PyErr_SetString(PyExc_TypeError, "accumulate: an axis is needed");
    else if (a && axis) r = tbpy_scan(is_add ? TB_SCAN_SUM : TB_SCAN_PROD, a, axis, v[2], v[3]);
    Py_XDECREF(a);
    Py_XDECREF(axis);
    return r;
}

/* ---- outer ------------------------------------------------------------------------------------------------------- */

/* a with n axes of length 1 behind its own. */
static PyObject *with_axes(PyObject *a, int n)
{
    int64_t shape[TB_MAXDIM];
    tb_array *in = tbpy_array(a), *r;
    int ndim = tb_array_ndim(in);
    if (ndim + n > TB_MAXDIM)
        return PyErr_Format(PyExc_ValueError, "outer: the result would have %d dimensions; %d is the limit", ndim + n,
                            TB_MAXDIM);
    for (int i = 0; i < ndim + n; i++) shape[i] = i < ndim ? tb_array_shape(in)[i] : 1;
    bool copied;
    TBPY_TRY(tb_reshape(in, ndim + n, shape, 'C', &copied, &r));
    return tbpy_wrap_view(r, a);
}

METHOD(ufunc_outer)
{
    TbUfunc *u = (TbUfunc *)self;
    if (tb_ufunc_nin(u->ufunc) != 2)
        return PyErr_Format(PyExc_ValueError, "outer: %s does not have two inputs", ufunc_name(self));
    if (nargs != 2)
        return PyErr_Format(PyExc_TypeError, "outer() takes 2 positional arguments but %zd were given", nargs);
    Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    PyObject **v = PyMem_New(PyObject *, (size_t)(2 + nkw));
    if (v == NULL) return PyErr_NoMemory();
    PyObject *a = tbpy_device_array(args[0]), *b = a ? tbpy_device_array(args[1]) : NULL, *r = NULL;
    PyObject *wide = b ? with_axes(a, tb_array_ndim(tbpy_array(b))) : NULL;
    if (wide) {
        v[0] = wide;
        v[1] = b;
        for (Py_ssize_t i = 0; i < nkw; i++) v[2 + i] = args[2 + i];
        r = u->vectorcall(self, v, 2, kwnames);
    }
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(wide);
    PyMem_Free(v);
    return r;
}

/* ---- at; reduceat, a composition of reductions ------------------------------------------------------------ */

METHOD(ufunc_at)
{
    static const char *const names[] = {"a", "indices", "b", NULL};
    PyObject *v[3], *held[2];
    tb_operand in[2];
    tbpy_key k;
    tb_status st;
    if (tbpy_parse("at", names, 2, 3, args, nargs, kwnames, v) < 0) return NULL;
    if (!tbpy_check(v[0]))
        return PyErr_Format(PyExc_TypeError, "at: a tombac.ndarray is expected, not %R", Py_TYPE(v[0]));
    const int n = v[2] && v[2] != Py_None ? 2 : 1;
    if (tbpy_operands(n, (PyObject *[]){v[0], v[2]}, in, held) < 0) return NULL;
    if (tbpy_key_parse(v[1], &k) < 0) {
        tbpy_drop_operands(n, held);
        return NULL;
    }
    tb_array *a = tbpy_array(v[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st,
                     tb_ufunc_update(((TbUfunc *)self)->ufunc, a, k.n, k.items, n == 2 ? &in[1] : NULL));
    tbpy_key_free(&k);
    tbpy_drop_operands(n, held);
    if (st != TB_OK) return tbpy_raise(st);
    Py_RETURN_NONE;
}

METHOD(ufunc_reduceat)
{
    static const char *const names[] = {"array", "indices", "axis", "dtype", "out", NULL};
    static PyObject *reduceat;
    PyObject *v[5];
    if (tbpy_parse("reduceat", names, 2, 5, args, nargs, kwnames, v) < 0) return NULL;
    if (tbpy_import(&reduceat, "tombac._indexing", "ufunc_reduceat") == NULL) return NULL;
    PyObject *axis = v[2] ? Py_NewRef(v[2]) : PyLong_FromLong(0);
    if (axis == NULL) return NULL;
    PyObject *r = PyObject_CallFunctionObjArgs(reduceat, self, v[0], v[1], axis, v[3] ? v[3] : Py_None,
                                               v[4] ? v[4] : Py_None, NULL);
    Py_DECREF(axis);
    return r;
}

static PyObject *ufunc_pickle(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyUnicode_FromString(ufunc_name(self));
}

PyMethodDef tbpy_ufunc_methods[] = {
    {"reduce", FAST(ufunc_reduce),
     "reduce(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None)\n--\n\n"
     "The function applied between all elements along the axes.\n\n>>> tombac.add.reduce(tombac.ones((2, 3)))\n"
     "array([2., 2., 2.])"},
    {"accumulate", FAST(ufunc_accumulate),
     "accumulate(array, axis=0, dtype=None, out=None)\n--\n\nRunning results of the function along an axis (add, "
     "multiply)."},
    {"reduceat", FAST(ufunc_reduceat),
     "reduceat(array, indices, axis=0, dtype=None, out=None)\n--\n\nReductions over slices: element i reduces "
     "array[indices[i]:indices[i+1]].\n\nThe host waits for the lengths of the slices."},
    {"outer", FAST(ufunc_outer),
     "outer(A, B, /, **kwargs)\n--\n\nThe function of every pair of elements: shape A.shape + B.shape.\n\n"
     ">>> tombac.add.outer(tombac.arange(2), tombac.arange(3))\narray([[0, 1, 2],\n       [1, 2, 3]])"},
    {"at", FAST(ufunc_at),
     "at(a, indices, b=None)\n--\n\nIn place a[indices] = self(a[indices], b), where an index that is repeated counts "
     "every time.\n\nThe order in which a GPU takes repeated indices is not fixed, so sums of floats may differ in "
     "their last bits.\n\nArgs:\n    a: A tombac.ndarray.\n    indices: A key as in a[indices].\n    b: A number or an "
     "array that broadcasts against a[indices]; None for functions of one argument.\n\nRaises:\n"
     "    NotImplementedError: With index arrays, the function has no loop for a's dtype; or, on a GPU, it is not add\n"
     "        or subtract and a is complex128.\n\n>>> a = tombac.zeros(3)\n"
     ">>> tombac.add.at(a, tombac.array([0, 2, 2]), 1)\n>>> a\narray([1., 0., 2.])"},
    {"__reduce__", ufunc_pickle, METH_NOARGS, "Pickled by name."},
    {NULL, NULL, 0, NULL}};
