/* creation.c - the module's functions that make arrays from objects, shapes and other arrays. ranges.c has arange and
 * its kind. */
#include "ndarray.h"
#include "docs_creation.h"

#define FUNCTION(name) \
    static PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

/* ---- from objects ------------------------------------------------------------------------------------------------ */

/* a, which was made of `from`, with leading axes of length 1 so that it has at least ndmin; steals a. */
static PyObject *at_least(PyObject *a, int64_t ndmin, PyObject *from)
{
    if (!a || tb_array_ndim(tbpy_array(a)) >= ndmin) return a;
    int n = tb_array_ndim(tbpy_array(a)), extra = (int)ndmin - n;
    int64_t shape[TB_MAXDIM];
    if (ndmin > TB_MAXDIM) {
        Py_DECREF(a);
        return PyErr_Format(PyExc_ValueError,
                            "array: maximum supported dimension for an ndarray is %d, ndmin is "
                            "%lld",
                            TB_MAXDIM, (long long)ndmin);
    }
    for (int i = 0; i < ndmin; i++) shape[i] = i < extra ? 1 : tb_array_shape(tbpy_array(a))[i - extra];
    tb_array *r;
    bool copied;
    tb_status st = tb_reshape(tbpy_array(a), (int)ndmin, shape, 'C', &copied, &r);
    const bool shared = a == from || ((TbArray *)a)->base;
    PyObject *result = st != TB_OK ? tbpy_raise(st) : shared ? tbpy_wrap_view(r, a) : tbpy_wrap(r);
    Py_DECREF(a);
    return result;
}

/* a, which was made of the object `from`, unless that is nested deeper than ndmax: beyond are objects, of which there
 * are no arrays. Steals a. */
static PyObject *no_deeper(PyObject *a, int64_t ndmax, PyObject *from)
{
    const bool known = ndmax >= 0 && ndmax <= TB_MAXDIM;
    if (!a || (known && (tb_array_ndim(tbpy_array(a)) <= ndmax || !(PyList_Check(from) || PyTuple_Check(from)))))
        return a;
    Py_DECREF(a);
    return PyErr_Format(PyExc_ValueError,
                        known ? "array: ndmax is %lld, and the object is nested deeper"
                              : "array: ndmax is %lld, not a number of dimensions that an array may have",
                        (long long)ndmax);
}

/* The new array r, or NULL; what `blocking` asks for waits until its numbers are on the device. */
static PyObject *completed(PyObject *r, PyObject *blocking)
{
    bool wait = false;
    tb_stream *s;
    tb_status st;
    if (!r || !blocking) return r;
    if (tbpy_bool_arg(blocking, &wait) < 0) {
        Py_DECREF(r);
        return NULL;
    }
    if (!wait) return r;
    TBPY_UNLOCKED(st, (st = tb_stream_current(&s)) == TB_OK ? tb_stream_synchronize(s) : st);
    if (st == TB_OK) return r;
    Py_DECREF(r);
    return tbpy_raise(st);
}

FUNCTION(array)
{
    static const char *const names[] = {"object", "dtype", "copy",     "order", "subok",
                                        "ndmin",  "ndmax", "blocking", "obj",   NULL};
    PyObject *v[9];
    tb_dtype t = TB_NODTYPE;
    char order = 'K';
    bool subok = false;
    tbpy_copy_mode mode = TBPY_COPY_ALWAYS;
    int64_t ndmin = 0, ndmax = TB_MAXDIM;
    (void)module;
    if (tbpy_parse("array", names, 0, 6, args, nargs, kwnames, v) < 0) return NULL;
    PyObject *o = v[0] ? v[0] : v[8];
    if (!o) {
        PyErr_SetString(PyExc_TypeError, "array() missing required argument 'object' (pos 1)");
        return NULL;
    }
    if (tbpy_optional_dtype(v[1], &t) < 0 || tbpy_order(v[3], &order) < 0 || tbpy_bool_arg(v[4], &subok) < 0 ||
        tbpy_int_arg(v[5], &ndmin) < 0 || (v[6] && tbpy_int_arg(v[6], &ndmax) < 0) || tbpy_copy_arg(v[2], &mode) < 0)
        return NULL;
    if (v[2] == Py_None) mode = TBPY_COPY_IF_NEEDED;
    PyObject *r = no_deeper(tbpy_array_from(o, t, order, mode, subok), ndmax, o);
    return completed(at_least(r, ndmin, o), v[7]);
}

/* Whether the only argument is an ndarray on the current device: what need not be copied then is given back. */
static inline bool is_array_here(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static bool is_only; /* there is no other device */
    int here, count;
    if (nargs != 1 || kwnames || !tbpy_check_exact(args[0])) return false;
    if (is_only) return true;
    if (tb_device_current(&here) != TB_OK || tb_array_device(tbpy_array(args[0])) != here) return false;
    is_only = tb_device_count(&count) == TB_OK && count == 1;
    return true;
}

static PyObject *as_array(const char *who, bool subok, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "dtype", "order", "copy", "blocking", "device", NULL};
    if (is_array_here(args, nargs, kwnames)) return Py_NewRef(args[0]);
    PyObject *v[6];
    tb_dtype t = TB_NODTYPE;
    char order = 'K';
    tbpy_copy_mode mode = TBPY_COPY_IF_NEEDED;
    if (tbpy_parse(who, names, 1, 3, args, nargs, kwnames, v) < 0 || tbpy_optional_dtype(v[1], &t) < 0 ||
        tbpy_order(v[2], &order) < 0 || tbpy_copy_arg(v[3], &mode) < 0)
        return NULL;
    return completed(tbpy_array_from(v[0], t, order, mode, subok), v[4]);
}

TBPY_ON_DEVICE(asarray)
{
    (void)module;
    return as_array("asarray", false, args, nargs, kwnames);
}

TBPY_ON_DEVICE(asanyarray)
{
    (void)module;
    return as_array("asanyarray", true, args, nargs, kwnames);
}

static PyObject *as_contiguous(const char *who, char order, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "dtype", NULL};
    PyObject *v[2];
    tb_dtype t = TB_NODTYPE;
    if (is_array_here(args, nargs, kwnames)) {
        const tb_array *a = tbpy_array(args[0]);
        const bool fits = order == 'C' ? tb_array_is_c_contiguous(a) : tb_array_is_f_contiguous(a);
        if (fits && tb_array_ndim(a) > 0) return Py_NewRef(args[0]);
    }
    if (tbpy_parse(who, names, 1, 2, args, nargs, kwnames, v) < 0 || tbpy_optional_dtype(v[1], &t) < 0) return NULL;
    return at_least(tbpy_array_from(v[0], t, order, TBPY_COPY_IF_NEEDED, false), 1, v[0]);
}

FUNCTION(ascontiguousarray)
{
    (void)module;
    return as_contiguous("ascontiguousarray", 'C', args, nargs, kwnames);
}

FUNCTION(asfortranarray)
{
    (void)module;
    return as_contiguous("asfortranarray", 'F', args, nargs, kwnames);
}

/* ---- from shapes ------------------------------------------------------------------------------------------------- */

TBPY_ON_DEVICE(empty)
{
    static const char *const names[] = {"shape", "dtype", "order", "device", NULL};
    PyObject *v[4];
    tb_dtype t = TB_F64;
    char order = 'C';
    int ndim;
    int64_t shape[TB_MAXDIM];
    tb_array *r;
    (void)module;
    if (tbpy_parse("empty", names, 1, 3, args, nargs, kwnames, v) < 0 || tbpy_shape(v[0], &ndim, shape) < 0 ||
        tbpy_optional_dtype(v[1], &t) < 0 || tbpy_c_or_f(v[2], &order) < 0)
        return NULL;
    TBPY_TRY(tb_empty(t, ndim, shape, order, &r));
    return tbpy_wrap(r);
}

static PyObject *constant(const char *who, int64_t value, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"shape", "dtype", "order", "device", NULL};
    PyObject *v[4];
    tb_dtype t = TB_F64;
    char order = 'C';
    int ndim;
    int64_t shape[TB_MAXDIM];
    tb_array *r;
    if (tbpy_parse(who, names, 1, 3, args, nargs, kwnames, v) < 0 || tbpy_shape(v[0], &ndim, shape) < 0 ||
        tbpy_optional_dtype(v[1], &t) < 0 || tbpy_c_or_f(v[2], &order) < 0)
        return NULL;
    TBPY_TRY(tb_full(t, ndim, shape, order, tb_scalar_int(value), &r));
    return tbpy_wrap(r);
}

TBPY_ON_DEVICE(zeros)
{
    (void)module;
    return constant("zeros", 0, args, nargs, kwnames);
}

TBPY_ON_DEVICE(ones)
{
    (void)module;
    return constant("ones", 1, args, nargs, kwnames);
}

/* What full and full_like fill with. 1: a number, which is cast to *t, or gives *t if that is TB_NODTYPE; 0: no number;
 * -1: error. Floats are cast as arrays of them are, also what no integer is, and an imaginary part is dropped with a
 * warning, though no assignment of a Python number does these. */
static int fill_value(PyObject *o, tb_dtype *t, tb_scalar *s)
{
    int number = tbpy_element(o, *t, s);
    if (number <= 0) return number;
    if (*t == TB_NODTYPE) *t = s->dtype;
    if (tb_dtype_kind(s->dtype) > TB_KIND_INT) s->weak = false;
    return tbpy_scalar_to(*s, *t, s) < 0 ? -1 : 1;
}

/* full() with a value that is no number: an array that is broadcast. */
static PyObject *full_of_array(PyObject *value, tb_dtype t, int ndim, const int64_t *shape, char order)
{
    PyObject *a = tbpy_asarray(value), *r = NULL;
    tb_array *empty;
    if (!a) return NULL;
    tb_status st = tb_empty(t == TB_NODTYPE ? tb_array_dtype(tbpy_array(a)) : t, ndim, shape, order, &empty);
    if (st != TB_OK) tbpy_raise(st);
    else r = tbpy_wrap(empty);
    if (r && tbpy_assign(r, a) < 0) Py_CLEAR(r);
    Py_DECREF(a);
    return r;
}

TBPY_ON_DEVICE(full)
{
    static const char *const names[] = {"shape", "fill_value", "dtype", "order", "device", NULL};
    PyObject *v[5];
    tb_dtype t = TB_NODTYPE;
    char order = 'C';
    int ndim;
    int64_t shape[TB_MAXDIM];
    tb_scalar s;
    tb_array *r;
    (void)module;
    if (tbpy_parse("full", names, 2, 4, args, nargs, kwnames, v) < 0 || tbpy_shape(v[0], &ndim, shape) < 0 ||
        tbpy_optional_dtype(v[2], &t) < 0 || tbpy_c_or_f(v[3], &order) < 0)
        return NULL;
    int number = fill_value(v[1], &t, &s);
    if (number < 0) return NULL;
    if (!number) return full_of_array(v[1], t, ndim, shape, order);
    TBPY_TRY(tb_full(t, ndim, shape, order, s, &r));
    return tbpy_wrap(r);
}

/* ---- like other arrays ------------------------------------------------------------------------------------------- */

typedef struct like {
    PyObject *proto; /* new reference */
    tb_dtype dtype;
    char order;     /* 'C', 'F', or 'K' for a layout that tb_empty_like must find */
    bool own_shape; /* shape was given */
    int ndim;
    int64_t shape[TB_MAXDIM];
} like;

/* v: prototype, dtype, order, subok, shape. Fails with nothing held. */
static int read_like(PyObject *const *v, like *x)
{
    bool subok = false;
    if (tbpy_bool_arg(v[3], &subok) < 0) return -1;
    if (subok) {
        PyErr_SetString(PyExc_TypeError, "subok=True is not supported: the result is a tombac.ndarray");
        return -1;
    }
    x->dtype = TB_NODTYPE;
    x->order = 'K';
    if (tbpy_optional_dtype(v[1], &x->dtype) < 0 || tbpy_order(v[2], &x->order) < 0) return -1;
    x->own_shape = v[4] && v[4] != Py_None;
    if (x->own_shape && tbpy_shape(v[4], &x->ndim, x->shape) < 0) return -1;
    x->proto = tbpy_asarray(v[0]);
    if (!x->proto) return -1;
    const tb_array *a = tbpy_array(x->proto);
    if (x->dtype == TB_NODTYPE) x->dtype = tb_array_dtype(a);
    bool f = tb_array_is_f_contiguous(a) && !tb_array_is_c_contiguous(a);
    if (x->order == 'K' && x->own_shape && (x->ndim != tb_array_ndim(a) || x->ndim <= 1)) x->order = 'C';
    if (x->order == 'A' || (x->order == 'K' && (f || tb_array_is_c_contiguous(a)))) x->order = f ? 'F' : 'C';
    if (!x->own_shape) {
        x->ndim = tb_array_ndim(a);
        memcpy(x->shape, tb_array_shape(a), sizeof(int64_t) * (size_t)x->ndim);
    }
    return 0;
}

/* An array of x's shape whose axes lie in memory in the order of those of `layout`. */
static tb_status in_order_of(const like *x, const tb_array *layout, tb_array **out)
{
    const int64_t *strides = tb_array_strides(layout);
    int64_t shape[TB_MAXDIM];
    int axis[TB_MAXDIM], place[TB_MAXDIM];
    for (int d = 0; d < x->ndim; d++) { /* outermost first */
        int at = d;
        for (; at > 0 && strides[axis[at - 1]] < strides[d]; at--) axis[at] = axis[at - 1];
        axis[at] = d;
    }
    for (int k = 0; k < x->ndim; k++) {
        shape[k] = x->shape[axis[k]];
        place[axis[k]] = k;
    }
    tb_array *r;
    tb_status st = tb_empty(x->dtype, x->ndim, shape, 'C', &r);
    if (st != TB_OK) return st;
    st = tb_transpose(r, place, out);
    tb_array_release(r);
    return st;
}

static tb_status empty_like_k(const like *x, tb_array **out)
{
    tb_array *r;
    tb_status st = tb_empty_like(tbpy_array(x->proto), x->dtype, 'K', &r);
    if (st != TB_OK || !x->own_shape) {
        if (st == TB_OK) *out = r;
        return st;
    }
    st = in_order_of(x, r, out);
    tb_array_release(r);
    return st;
}

static tb_status make_like(const like *x, const tb_scalar *value, tb_array **out)
{
    if (x->order != 'K')
        return value ? tb_full(x->dtype, x->ndim, x->shape, x->order, *value, out)
                     : tb_empty(x->dtype, x->ndim, x->shape, x->order, out);
    tb_array *r;
    tb_status st = empty_like_k(x, &r);
    if (st == TB_OK && value) {
        st = tb_assign_scalar(r, *value);
        if (st != TB_OK) tb_array_release(r);
    }
    if (st == TB_OK) *out = r;
    return st;
}

static PyObject *constant_like(const char *who, const int64_t *value, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *kwnames)
{
    static const char *const names[] = {"a", "dtype", "order", "subok", "shape", "prototype", "device", NULL};
    PyObject *v[7];
    like x;
    tb_array *r;
    tb_scalar s;
    if (tbpy_parse(who, names, 0, 5, args, nargs, kwnames, v) < 0) return NULL;
    if (!v[0]) v[0] = v[5];
    if (!v[0]) return PyErr_Format(PyExc_TypeError, "%s() missing required argument 'a' (pos 1)", who);
    if (read_like(v, &x) < 0) return NULL;
    if (value) s = tb_scalar_int(*value);
    tb_status st = make_like(&x, value ? &s : NULL, &r);
    Py_DECREF(x.proto);
    return st == TB_OK ? tbpy_wrap(r) : tbpy_raise(st);
}

TBPY_ON_DEVICE(empty_like)
{
    (void)module;
    return constant_like("empty_like", NULL, args, nargs, kwnames);
}

TBPY_ON_DEVICE(zeros_like)
{
    (void)module;
    return constant_like("zeros_like", &(int64_t){0}, args, nargs, kwnames);
}

TBPY_ON_DEVICE(ones_like)
{
    (void)module;
    return constant_like("ones_like", &(int64_t){1}, args, nargs, kwnames);
}

TBPY_ON_DEVICE(full_like)
{
    static const char *const names[] = {"a", "fill_value", "dtype", "order", "subok", "shape", "device", NULL};
    PyObject *v[7];
    like x;
    tb_array *r = NULL;
    tb_scalar s;
    (void)module;
    if (tbpy_parse("full_like", names, 2, 6, args, nargs, kwnames, v) < 0) return NULL;
    if (read_like((PyObject *[]){v[0], v[2], v[3], v[4], v[5]}, &x) < 0) return NULL;
    int number = fill_value(v[1], &x.dtype, &s);
    if (number < 0) {
        Py_DECREF(x.proto);
        return NULL;
    }
    tb_status st = make_like(&x, number ? &s : NULL, &r);
    Py_DECREF(x.proto);
    PyObject *result = st == TB_OK ? tbpy_wrap(r) : tbpy_raise(st);
    if (result && !number && tbpy_assign(result, v[1]) < 0) Py_CLEAR(result);
    return result;
}

/* ---- back to the host -------------------------------------------------------------------------------------------- */

/* asnumpy of something that is no device array: numpy.asarray(a, order=order), copied to out if that is given. */
static PyObject *host_asnumpy(PyObject *a, char order, PyObject *out)
{
    static PyObject *asarray_cache, *copyto_cache;
    PyObject *f = tbpy_import(&asarray_cache, "numpy", "asarray");
    PyObject *r = f ? PyObject_CallFunction(f, "OOC", a, Py_None, (int)order) : NULL;
    if (!r || !out || out == Py_None) return r;
    PyObject *copyto = tbpy_import(&copyto_cache, "numpy", "copyto");
    PyObject *done = copyto ? PyObject_CallFunctionObjArgs(copyto, out, r, NULL) : NULL;
    Py_DECREF(r);
    Py_XDECREF(done);
    return done ? Py_NewRef(out) : NULL;
}

FUNCTION(asnumpy)
{
    static const char *const names[] = {"a", "stream", "order", "out", "blocking", NULL};
    PyObject *v[5];
    char order = 'C';
    (void)module;
    if (nargs == 1 && !kwnames && tbpy_check(args[0])) return tbpy_get(args[0], 'C');
    if (tbpy_parse("asnumpy", names, 1, 4, args, nargs, kwnames, v) < 0 || tbpy_order(v[2], &order) < 0) return NULL;
    PyObject *a = NULL;
    tb_scalar s;
    if (tbpy_check(v[0])) {
        a = Py_NewRef(v[0]);
    } else if (!tbpy_is_host_array(v[0]) && tbpy_scalar(v[0], &s) == 0 && !PyList_Check(v[0]) && !PyTuple_Check(v[0])) {
        int found = tbpy_from_device_protocol(v[0], &a);
        if (found < 0) return NULL;
        if (!found) a = NULL;
    }
    PyErr_Clear();
    if (!a) return host_asnumpy(v[0], order, v[3]);
    for (int i = 1; i < 5; i++)
        if (!v[i]) v[i] = i == 4 ? Py_True : Py_None;
    PyObject *get = PyObject_GetAttrString(a, "get"), *named = NULL, *r = NULL, *none = PyTuple_New(0);
    if (get && none)
        named = Py_BuildValue("{sOsCsOsO}", "stream", v[1], "order", (int)order, "out", v[3], "blocking", v[4]);
    if (named) r = PyObject_Call(get, none, named);
    Py_XDECREF(named);
    Py_XDECREF(none);
    Py_XDECREF(get);
    Py_DECREF(a);
    return r;
}

FUNCTION(may_share_memory)
{
    static const char *const names[] = {"a", "b", "max_work", NULL};
    PyObject *v[3];
    (void)module;
    if (tbpy_parse("may_share_memory", names, 2, 3, args, nargs, kwnames, v) < 0) return NULL;
    if (!tbpy_check(v[0]) || !tbpy_check(v[1])) Py_RETURN_FALSE;
    return PyBool_FromLong(tb_may_share_memory(tbpy_array(v[0]), tbpy_array(v[1])));
}

#define ENTRY(name, arguments, text) \
    {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL | METH_KEYWORDS, #name arguments "\n--\n\n" text}

static PyMethodDef functions[] = {
    ENTRY(array, "(object, dtype=None, copy=True, order='K', subok=False, ndmin=0, *, ndmax=32, blocking=False)",
          TBPY_DOC_array),
    ENTRY(asarray, "(a, dtype=None, order=None, *, copy=None, blocking=False, device=None)", TBPY_DOC_asarray),
    ENTRY(asanyarray, "(a, dtype=None, order=None, *, copy=None, blocking=False, device=None)", TBPY_DOC_asanyarray),
    ENTRY(ascontiguousarray, "(a, dtype=None)", TBPY_DOC_ascontiguousarray),
    ENTRY(asfortranarray, "(a, dtype=None)", TBPY_DOC_asfortranarray),
    ENTRY(empty, "(shape, dtype='float64', order='C', *, device=None)", TBPY_DOC_empty),
    ENTRY(zeros, "(shape, dtype='float64', order='C', *, device=None)", TBPY_DOC_zeros),
    ENTRY(ones, "(shape, dtype='float64', order='C', *, device=None)", TBPY_DOC_ones),
    ENTRY(full, "(shape, fill_value, dtype=None, order='C', *, device=None)", TBPY_DOC_full),
    ENTRY(empty_like, "(prototype, dtype=None, order='K', subok=None, shape=None, *, device=None)",
          TBPY_DOC_empty_like),
    ENTRY(zeros_like, "(a, dtype=None, order='K', subok=None, shape=None, *, device=None)", TBPY_DOC_zeros_like),
    ENTRY(ones_like, "(a, dtype=None, order='K', subok=None, shape=None, *, device=None)", TBPY_DOC_ones_like),
    ENTRY(full_like, "(a, fill_value, dtype=None, order='K', subok=None, shape=None, *, device=None)",
          TBPY_DOC_full_like),
    ENTRY(asnumpy, "(a, stream=None, order='C', out=None, *, blocking=True)", TBPY_DOC_asnumpy),
    ENTRY(may_share_memory, "(a, b, max_work=None)", TBPY_DOC_may_share_memory),
    {NULL, NULL, 0, NULL},
};

int tbpy_add_creation(PyObject *m)
{
    if (PyModule_AddIntConstant(m, "MAXDIM", TB_MAXDIM) < 0) return -1;
    return PyModule_AddFunctions(m, functions) < 0 || PyModule_AddFunctions(m, tbpy_range_functions) < 0 ? -1 : 0;
}
