/* ufunc_methods.c - the methods of tombac.ufunc: reduce, accumulate, reduceat, outer, at. */
#include "ndarray.h"
#include "reduce_args.h"
#include "ufunc.h"

static const char *ufunc_name(PyObject *self) { return tb_ufunc_name(((TbUfunc *)self)->ufunc); }

#define FAST(f)      (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS
#define METHOD(name) static PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

/* ---- reduce, accumulate ------------------------------------------------------------------------------------------ */

/* The reduction by this function; TB_RED_COUNT: there is none. */
static tb_reduction reduction_of(PyObject *self) { return tb_ufunc_reduction(((TbUfunc *)self)->ufunc); }

/* What the package composes of calls of the function, where there is no reduction by it. */
static PyObject *composed(PyObject **method, const char *name, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                          PyObject *kwnames)
{
    if (tbpy_package(method, name) == NULL) return NULL;
    const Py_ssize_t n = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    PyObject **v = PyMem_New(PyObject *, (size_t)(n + 1));
    if (v == NULL) return PyErr_NoMemory();
    v[0] = self;
    for (Py_ssize_t i = 0; i < n; i++) v[i + 1] = args[i];
    PyObject *r = PyObject_Vectorcall(*method, v, (size_t)(nargs + 1), kwnames);
    PyMem_Free(v);
    return r;
}

METHOD(ufunc_reduce)
{
    static PyObject *made, *fold;
    PyObject *zero = tbpy_kept(&made);
    if (zero == NULL && (zero = tbpy_keep(&made, PyLong_FromLong(0))) == NULL) return NULL;
    tb_reduction op = reduction_of(self);
    if (op == TB_RED_COUNT) return composed(&fold, "ufunc_fold", self, args, nargs, kwnames);
    return tbpy_call_reduction("reduce", op, &tbpy_ufunc_reduce_signature, zero, args, nargs, kwnames);
}

/* Of an array of no dimension the first axis and the last one are none to go along, and others no axes. */
static int check_scalar(const char *who, PyObject *a, int axis)
{
    if (tb_array_ndim(tbpy_array(a)) > 0) return 0;
    if (axis == 0 || axis == -1) PyErr_Format(PyExc_TypeError, "%s: a scalar has no axis", who);
    else tbpy_raise_axis(axis, 0, who);
    return -1;
}

METHOD(ufunc_accumulate)
{
    static const char *const names[] = {"array", "axis", "dtype", "out", NULL};
    static PyObject *running;
    PyObject *v[4];
    if (tbpy_parse("accumulate", names, 1, 4, args, nargs, kwnames, v) < 0) return NULL;
    tb_reduction op = reduction_of(self);
    if (op == TB_RED_COUNT) return composed(&running, "ufunc_running", self, args, nargs, kwnames);
    PyObject *a = tbpy_device_array(v[0]);
    const bool only = v[1] == Py_None && a && tb_array_ndim(tbpy_array(a)) == 1;
    PyObject *axis = v[1] && !only ? Py_NewRef(v[1]) : PyLong_FromLong(0);
    PyObject *r = NULL;
    int at = 0;
    if (axis == Py_None) PyErr_SetString(PyExc_ValueError, "accumulate: there must be one axis, not all of them");
    else if (a && axis && tbpy_axis(axis, &at) == 0 && check_scalar("accumulate", a, at) == 0)
        r = tbpy_scan(op, a, axis, v[2], v[3]);
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

/* ---- at, reduceat ---------------------------------------------------------------------------------------------- */

/* Where the order of updates matters, and kernels keep none. */
static PyObject *composed_at(PyObject *self, PyObject *a, PyObject *key, PyObject *b)
{
    static PyObject *at;
    if (tbpy_package(&at, "ufunc_at") == NULL) return NULL;
    return PyObject_CallFunctionObjArgs(at, self, a, key, b, NULL);
}

static bool is_host_data(PyObject *o) { return PyList_Check(o) || PyTuple_Check(o) || tbpy_is_host_array(o); }

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
    /* The values may be host memory, as in an assignment. */
    PyObject *b = n == 2 && is_host_data(v[2]) ? tbpy_asarray(v[2]) : Py_XNewRef(v[2]);
    if ((n == 2 && !b) || tbpy_operands(n, (PyObject *[]){v[0], b}, in, held) < 0) {
        Py_XDECREF(b);
        return NULL;
    }
    const bool array = n == 2 && in[1].array;
    if ((array && tbpy_warn_complex(tb_array_dtype(in[1].array), tb_array_dtype(tbpy_array(v[0]))) < 0) ||
        tbpy_key_parse(v[1], &k) < 0) {
        tbpy_drop_operands(n, held);
        Py_XDECREF(b);
        return NULL;
    }
    tb_array *a = tbpy_array(v[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st,
                     tb_ufunc_update(((TbUfunc *)self)->ufunc, a, k.n, k.items, n == 2 ? &in[1] : NULL));
    tbpy_key_free(&k);
    tbpy_drop_operands(n, held);
    PyObject *r = st == TB_OK                    ? Py_NewRef(Py_None)
                  : st == TB_ERR_NOT_IMPLEMENTED ? composed_at(self, v[0], v[1], b ? b : Py_None)
                                                 : tbpy_raise(st);
    Py_XDECREF(b);
    return r;
}

/* Where the device is not the host: by gathering the elements. */
static PyObject *composed_reduceat(PyObject *self, PyObject *const *v, PyObject *starts, int axis)
{
    static PyObject *reduceat;
    if (tbpy_package(&reduceat, "ufunc_reduceat") == NULL) return NULL;
    return PyObject_CallFunction(reduceat, "OOOiOO", self, v[0], starts, axis, v[3] ? v[3] : Py_None,
                                 v[4] ? v[4] : Py_None);
}

METHOD(ufunc_reduceat)
{
    static const char *const names[] = {"array", "indices", "axis", "dtype", "out", NULL};
    static PyObject *slices;
    PyObject *v[5];
    int axis = 0;
    tb_dtype t = TB_NODTYPE;
    tb_array *out = NULL;
    tb_status st;
    if (tbpy_parse("reduceat", names, 2, 5, args, nargs, kwnames, v) < 0) return NULL;
    if (!tbpy_check(v[0]))
        return PyErr_Format(PyExc_TypeError, "reduceat: a tombac.ndarray is expected, not %R", Py_TYPE(v[0]));
    tb_reduction op = reduction_of(self);
    if (op == TB_RED_COUNT) return composed(&slices, "ufunc_fold_slices", self, args, nargs, kwnames);
    if (tbpy_axis(v[2], &axis) < 0 || tbpy_optional_dtype(v[3], &t) < 0) return NULL;
    if (check_scalar("reduceat", v[0], axis) < 0) return NULL;
    if (tbpy_out_arg(v[4], &out) < 0) return NULL;
    PyObject *starts = tbpy_asarray(v[1]);
    if (starts == NULL) return NULL;
    tb_array *a = tbpy_array(v[0]), *s = tbpy_array(starts), *r = NULL;
    TBPY_UNLOCKED_IF(tb_array_size(a), st,
                     out ? tb_reduceat_into(op, a, s, axis, t, out) : tb_reduceat(op, a, s, axis, t, &r));
    PyObject *result = st == TB_OK                    ? tbpy_result_or_out(r, v[4], v[0])
                       : st == TB_ERR_NOT_IMPLEMENTED ? composed_reduceat(self, v, starts, axis)
                                                      : tbpy_raise(st);
    Py_DECREF(starts);
    return result;
}

static PyObject *ufunc_pickle(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    const tb_ufunc *u = ((TbUfunc *)self)->ufunc;
    return PyUnicode_FromFormat(tbpy_ufunc_is_special(u) ? "_core.%s" : "%s", tb_ufunc_name(u));
}

PyMethodDef tbpy_ufunc_methods[] = {
    {"reduce", FAST(ufunc_reduce),
     "reduce($self, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None)\n--\n\n"
     "The function applied between all elements along the axes.\n\n>>> tombac.add.reduce(tombac.ones((2, 3)))\n"
     "array([2., 2., 2.])"},
    {"accumulate", FAST(ufunc_accumulate),
     "accumulate($self, array, axis=0, dtype=None, out=None)\n--\n\nRunning results of the function along an axis."
     "\n\n>>> tombac.maximum.accumulate(tombac.array([1, 3, 2, 5]))\narray([1, 3, 3, 5])"},
    {"reduceat", FAST(ufunc_reduceat),
     "reduceat($self, array, indices, axis=0, dtype=None, out=None)\n--\n\nReductions over slices: element i reduces "
     "array[indices[i]:indices[i+1]].\n\nThe host waits for the lengths of the slices."},
    {"outer", FAST(ufunc_outer),
     "outer($self, A, B, /, **kwargs)\n--\n\nThe function of every pair of elements: shape A.shape + B.shape.\n\n"
     ">>> tombac.add.outer(tombac.arange(2), tombac.arange(3))\narray([[0, 1, 2],\n       [1, 2, 3]])"},
    {"at", FAST(ufunc_at),
     "at($self, a, indices, b=None)\n--\n\nIn place a[indices] = self(a[indices], b), where an index that is "
     "repeated counts "
     "every time.\n\nThe order in which a GPU takes repeated indices is not fixed: sums of floats may differ in "
     "their last bits, and what depends on the order altogether.\n\nArgs:\n    a: A tombac.ndarray.\n"
     "    indices: A key as in a[indices].\n    b: A number or an array that broadcasts against a[indices]; None\n"
     "        for functions of one argument.\n\nRaises:\n"
     "    NotImplementedError: With index arrays, the function has no loop for a's dtype; or, on a GPU, it is not add\n"
     "        or subtract and a is complex128.\n\n>>> a = tombac.zeros(3)\n"
     ">>> tombac.add.at(a, tombac.array([0, 2, 2]), 1)\n>>> a\narray([1., 0., 2.])"},
    {"__reduce__", ufunc_pickle, METH_NOARGS, "Pickled by name."},
    {NULL, NULL, 0, NULL}};
