/* ndarray_shape.c - methods that look at the same elements in another shape: reshape, transpose, view and the like. */
#include "ndarray.h"

static PyObject *view_of(PyObject *self, tb_array *a, bool copied)
{
    return copied ? tbpy_wrap_like(a, self) : tbpy_wrap_view(a, self);
}

/* The positional arguments as a shape: f(2, 3), f((2, 3)), f(6). */
static int shape_arguments(const char *who, PyObject *const *args, Py_ssize_t nargs, int *ndim, int64_t *shape)
{
    if (nargs == 1) return tbpy_shape(args[0], ndim, shape);
    if (nargs > TB_MAXDIM) {
        PyErr_Format(PyExc_ValueError, "%s: maximum supported dimension for an ndarray is %d, found %zd", who,
                     TB_MAXDIM, nargs);
        return -1;
    }
    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (args[i] == Py_None) {
            PyErr_Format(PyExc_TypeError, "%s: 'NoneType' object cannot be interpreted as an integer", who);
            return -1;
        }
        if (tbpy_int_arg(args[i], &shape[i]) < 0) return -1;
    }
    *ndim = (int)nargs;
    return 0;
}

static PyObject *reshape(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"shape", "order", "copy", NULL};
    PyObject *v[3] = {NULL, NULL, NULL};
    char order = 'C';
    tbpy_copy_mode mode = TBPY_COPY_IF_NEEDED;
    int ndim;
    int64_t shape[TB_MAXDIM];
    if (kwnames && tbpy_parse("reshape", names, 0, 0, args + nargs, 0, kwnames, v) < 0) return NULL;
    if (v[0] ? nargs > 0 : nargs == 0) {
        PyErr_SetString(PyExc_TypeError, "reshape() takes one shape, or integers");
        return NULL;
    }
    if ((v[0] ? tbpy_shape(v[0], &ndim, shape) : shape_arguments("reshape", args, nargs, &ndim, shape)) < 0 ||
        tbpy_order(v[1], &order) < 0 || tbpy_copy_arg(v[2], &mode) < 0)
        return NULL;
    if (order == 'K') {
        PyErr_SetString(PyExc_ValueError, "order 'K' is not permitted for reshaping");
        return NULL;
    }
    tb_array *a = tbpy_array(self), *r;
    if (order == 'A') order = tb_array_is_f_contiguous(a) && !tb_array_is_c_contiguous(a) ? 'F' : 'C';
    bool copied = false;
    TBPY_TRY(tb_reshape(a, ndim, shape, order, &copied, &r));
    if (!copied && mode == TBPY_COPY_ALWAYS) {
        tb_array *view = r;
        tb_status st = tb_copy(view, order, &r);
        tb_array_release(view);
        if (st != TB_OK) return tbpy_raise(st);
        copied = true;
    }
    if (copied && mode == TBPY_COPY_NEVER) {
        tb_array_release(r);
        PyErr_SetString(PyExc_ValueError, "Unable to avoid creating a copy while reshaping.");
        return NULL;
    }
    return view_of(self, r, copied);
}

/* Axes from the largest stride to the smallest: the order in which 'K' walks memory. An axis of length 1 or stride 0
 * is nowhere in memory: it stays where it is, and the others are compared across it. */
static void memory_order(const tb_array *a, int *axes)
{
    int n = tb_array_ndim(a);
    const int64_t *shape = tb_array_shape(a), *s = tb_array_strides(a);
    for (int i = n - 1; i >= 0; i--) {
        int at = i; /* axes[i + 1 .. n) is done, the innermost last */
        for (int j = i + 1; j < n; j++) {
            int64_t own = shape[i] > 1 ? llabs(s[i]) : 0, inner = shape[axes[j]] > 1 ? llabs(s[axes[j]]) : 0;
            if (own == 0 || inner == 0) continue;
            if (inner <= own) break;
            at = j;
        }
        memmove(axes + i, axes + i + 1, sizeof *axes * (size_t)(at - i));
        axes[at] = i;
    }
}

static tb_status flat(tb_array *a, char order, bool *copied, tb_array **out)
{
    int64_t n = tb_array_size(a);
    if (order == 'A') order = tb_array_is_f_contiguous(a) && !tb_array_is_c_contiguous(a) ? 'F' : 'C';
    if (order != 'K') return tb_reshape(a, 1, &n, order, copied, out);
    int axes[TB_MAXDIM];
    tb_array *t;
    memory_order(a, axes);
    tb_status st = tb_transpose(a, axes, &t);
    if (st != TB_OK) return st;
    st = tb_reshape(t, 1, &n, 'C', copied, out);
    tb_array_release(t);
    return st;
}

static PyObject *ravel(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"order", NULL};
    PyObject *v[1];
    char order = 'C';
    if (tbpy_parse("ravel", names, 0, 1, args, nargs, kwnames, v) < 0 || tbpy_order(v[0], &order) < 0) return NULL;
    tb_array *r, *own;
    bool copied = false;
    TBPY_TRY(flat(tbpy_array(self), order, &copied, &r));
    if (copied || tb_array_is_c_contiguous(r)) return view_of(self, r, copied);
    tb_status st = tb_copy(r, 'C', &own); /* what ravel gives is contiguous */
    tb_array_release(r);
    return st == TB_OK ? tbpy_wrap_like(own, self) : tbpy_raise(st);
}

static PyObject *flatten(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"order", NULL};
    PyObject *v[1];
    char order = 'C';
    if (tbpy_parse("flatten", names, 0, 1, args, nargs, kwnames, v) < 0 || tbpy_order(v[0], &order) < 0) return NULL;
    tb_array *r, *own;
    bool copied = false;
    TBPY_TRY(flat(tbpy_array(self), order, &copied, &r));
    if (copied) return tbpy_wrap_like(r, self);
    tb_status st = tb_copy(r, 'C', &own);
    tb_array_release(r);
    return st == TB_OK ? tbpy_wrap_like(own, self) : tbpy_raise(st);
}

static PyObject *transpose(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *a = tbpy_array(self), *r;
    if (nargs == 0 || (nargs == 1 && args[0] == Py_None)) {
        TBPY_TRY(tb_transpose(a, NULL, &r));
        return tbpy_wrap_view(r, self);
    }
    int n, axes[TB_MAXDIM], ndim = tb_array_ndim(a);
    int64_t v[TB_MAXDIM];
    if (shape_arguments("transpose", args, nargs, &n, v) < 0) return NULL;
    if (n != ndim) {
        PyErr_SetString(PyExc_ValueError, "axes don't match array");
        return NULL;
    }
    for (int i = 0; i < n; i++) axes[i] = v[i] < -ndim ? -ndim - 1 : v[i] > ndim ? ndim : (int)v[i];
    TBPY_TRY(tb_transpose(a, axes, &r));
    return tbpy_wrap_view(r, self);
}

static int normalize(int64_t axis, int ndim, int *out)
{
    if (axis < -ndim || axis >= ndim) {
        tbpy_raise_axis(axis, ndim, NULL);
        return -1;
    }
    *out = (int)(axis < 0 ? axis + ndim : axis);
    return 0;
}

static PyObject *swapaxes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"axis1", "axis2", NULL};
    PyObject *v[2];
    int64_t first = 0, second = 0;
    tb_array *a = tbpy_array(self), *r;
    int ndim = tb_array_ndim(a), i, j, axes[TB_MAXDIM];
    if (tbpy_parse("swapaxes", names, 2, 2, args, nargs, kwnames, v) < 0 || tbpy_int_arg(v[0], &first) < 0 ||
        tbpy_int_arg(v[1], &second) < 0 || normalize(first, ndim, &i) < 0 || normalize(second, ndim, &j) < 0)
        return NULL;
    for (int k = 0; k < ndim; k++) axes[k] = k == i ? j : k == j ? i : k;
    TBPY_TRY(tb_transpose(a, axes, &r));
    return tbpy_wrap_view(r, self);
}

static PyObject *squeeze(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"axis", NULL};
    PyObject *v[1];
    tb_array *a = tbpy_array(self), *r;
    int naxis, axes[TB_MAXDIM], ndim = tb_array_ndim(a), n = 0;
    const int64_t *shape = tb_array_shape(a), *strides = tb_array_strides(a);
    if (!nargs && !kwnames) { /* as NumPy, which gives back what has nothing to squeeze out */
        while (n < ndim && shape[n] != 1) n++;
        if (n == ndim) return Py_NewRef(self);
        n = 0;
    }
    if (tbpy_parse("squeeze", names, 0, 1, args, nargs, kwnames, v) < 0 || tbpy_axes(v[0], &naxis, axes) < 0)
        return NULL;
    uint64_t drop = 0;
    for (int i = 0; i < naxis; i++) {
        int k;
        if (ndim == 0 && naxis == 1 && (axes[i] == 0 || axes[i] == -1)) continue; /* NumPy allows it */
        if (normalize(axes[i], ndim, &k) < 0) return NULL;
        if (drop >> k & 1) {
            PyErr_SetString(PyExc_ValueError, "squeeze: duplicate value in 'axis'");
            return NULL;
        }
        if (shape[k] != 1) {
            PyErr_SetString(PyExc_ValueError, "cannot select an axis to squeeze out which has size not equal to one");
            return NULL;
        }
        drop |= 1ull << k;
    }
    int64_t kept[TB_MAXDIM], steps[TB_MAXDIM];
    for (int i = 0; i < ndim; i++) {
        if (naxis < 0 ? shape[i] == 1 : drop >> i & 1) continue;
        kept[n] = shape[i];
        steps[n++] = strides[i];
    }
    if (naxis < 0 && n == ndim) return Py_NewRef(self); /* as NumPy */
    TBPY_TRY(tb_as_strided(a, n, kept, steps, 0, &r));
    return tbpy_wrap_view(r, self);
}

/* Axes axis1 and axis2 become one, the last: the elements with second index = first index + offset. */
static tb_status diagonal_view(tb_array *a, int64_t offset, int i, int j, tb_array **out)
{
    const int64_t *shape = tb_array_shape(a), *strides = tb_array_strides(a);
    int64_t kept[TB_MAXDIM], steps[TB_MAXDIM];
    int n = 0;
    for (int k = 0; k < tb_array_ndim(a); k++) {
        if (k == i || k == j) continue;
        kept[n] = shape[k];
        steps[n++] = strides[k];
    }
    int64_t row = offset < 0 ? -offset : 0, col = offset > 0 ? offset : 0;
    int64_t rows = shape[i] - row, cols = shape[j] - col, length = rows < cols ? rows : cols;
    kept[n] = length > 0 ? length : 0;
    steps[n++] = strides[i] + strides[j];
    return tb_as_strided(a, n, kept, steps, length > 0 ? row * strides[i] + col * strides[j] : 0, out);
}

static PyObject *diagonal(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"offset", "axis1", "axis2", NULL};
    PyObject *v[3];
    int64_t offset = 0, axis1 = 0, axis2 = 1;
    tb_array *a = tbpy_array(self), *r;
    int ndim = tb_array_ndim(a), i, j;
    if (tbpy_parse("diagonal", names, 0, 3, args, nargs, kwnames, v) < 0 || tbpy_int_arg(v[0], &offset) < 0 ||
        tbpy_int_arg(v[1], &axis1) < 0 || tbpy_int_arg(v[2], &axis2) < 0)
        return NULL;
    if (ndim < 2) {
        PyErr_SetString(PyExc_ValueError, "diag requires an array of at least two dimensions");
        return NULL;
    }
    if (normalize(axis1, ndim, &i) < 0 || normalize(axis2, ndim, &j) < 0) return NULL;
    if (i == j) {
        PyErr_SetString(PyExc_ValueError, "axis1 and axis2 cannot be the same");
        return NULL;
    }
    TBPY_TRY(diagonal_view(a, offset, i, j, &r));
    return tbpy_wrap_view(r, self);
}

/* view(dtype), view(type), view(dtype, type) */
static PyObject *view(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"dtype", "type", NULL};
    PyObject *v[2];
    if (tbpy_parse("view", names, 0, 2, args, nargs, kwnames, v) < 0) return NULL;
    PyObject *type = v[1] && v[1] != Py_None ? v[1] : NULL, *dtype = v[0] && v[0] != Py_None ? v[0] : NULL;
    if (dtype && PyType_Check(dtype) && PyType_IsSubtype((PyTypeObject *)dtype, tbpy_array_type)) {
        type = dtype;
        dtype = NULL;
    }
    if (type && !(PyType_Check(type) && PyType_IsSubtype((PyTypeObject *)type, tbpy_array_type))) {
        PyErr_SetString(PyExc_ValueError, "Type must be a sub-type of ndarray type");
        return NULL;
    }
    tb_array *a = tbpy_array(self), *r;
    tb_dtype t = tb_array_dtype(a);
    if (tbpy_optional_dtype(dtype, &t) < 0) return NULL;
    TBPY_TRY(tb_view_dtype(a, t, &r));
    if (!type || type == (PyObject *)Py_TYPE(self)) return tbpy_wrap_view(r, self);
    PyObject *base = ((TbArray *)self)->base;
    return tbpy_wrap_as((PyTypeObject *)type, r, base ? base : self, self);
}

#define FAST(f) (PyCFunction)(void (*)(void))f, METH_FASTCALL | METH_KEYWORDS

PyMethodDef tbpy_shape_methods[] = {
    {"reshape", FAST(reshape),
     "reshape($self, *shape, order='C', copy=None)\n--\n\nThe elements in another shape: a view where possible."},
    {"ravel", FAST(ravel),
     "ravel($self, order='C')\n--\n\nThe elements in one dimension, contiguous: a view where they are so already."},
    {"flatten", FAST(flatten), "flatten($self, order='C')\n--\n\nA copy in one dimension."},
    {"transpose", (PyCFunction)(void (*)(void))transpose, METH_FASTCALL,
     "transpose($self, *axes)\n--\n\nA view with permuted axes; reversed without arguments."},
    {"swapaxes", FAST(swapaxes), "swapaxes($self, axis1, axis2)\n--\n\nA view with two axes exchanged."},
    {"squeeze", FAST(squeeze),
     "squeeze($self, axis=None)\n--\n\nA view without axes of length 1; the array itself if it has none."},
    {"diagonal", FAST(diagonal), "diagonal($self, offset=0, axis1=0, axis2=1)\n--\n\nA view of a diagonal."},
    {"view", FAST(view),
     "view($self, dtype=None, type=None)\n--\n\nA view of the same memory as another dtype or another subclass of "
     "ndarray."},
    {NULL, NULL, 0, NULL},
};
