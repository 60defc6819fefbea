/* ndarray_index.c - a[key], a[key] = value, len and iteration.
 *
 * Keys of integers, slices, Ellipsis and None give views, made here. Anything else in a key (arrays, lists, booleans)
 * makes it an advanced index, which tombac._indexing composes from take, put and the like. */
#include "ndarray.h"

enum { MAXINDEX = 2 * TB_MAXDIM };

/* 1: x is set; 0: o belongs to an advanced index; -1: error. */
static int parse_slice_bound(PyObject *o, bool *has, int64_t *v)
{
    if (o == Py_None) {
        *has = false;
        return 1;
    }
    *has = true;
    if (!PyIndex_Check(o)) {
        PyErr_SetString(PyExc_TypeError, "slice indices must be integers or None or have an __index__ method");
        return -1;
    }
    *v = PyNumber_AsSsize_t(o, NULL); /* clips: no array is longer */
    return *v == -1 && PyErr_Occurred() ? -1 : 1;
}

static int parse_slice(PySliceObject *s, tb_index *x)
{
    bool has_step;
    x->kind = TB_INDEX_SLICE;
    x->start = x->stop = 0;
    x->step = 1;
    if (parse_slice_bound(s->start, &x->has_start, &x->start) < 0 ||
        parse_slice_bound(s->stop, &x->has_stop, &x->stop) < 0 || parse_slice_bound(s->step, &has_step, &x->step) < 0)
        return -1;
    if (has_step && x->step == 0) {
        PyErr_SetString(PyExc_ValueError, "slice step cannot be zero");
        return -1;
    }
    if (!has_step) x->step = 1;
    if (x->step < -INT64_MAX) x->step = -INT64_MAX;
    return 1;
}

static int parse_item(PyObject *o, tb_index *x)
{
    if (PySlice_Check(o)) return parse_slice((PySliceObject *)o, x);
    if (o == Py_None) {
        x->kind = TB_INDEX_NEWAXIS;
        return 1;
    }
    if (o == Py_Ellipsis) {
        x->kind = TB_INDEX_ELLIPSIS;
        return 1;
    }
    if (!PyLong_CheckExact(o)) {
        if (PyBool_Check(o) || tbpy_check(o) || tbpy_is_host_array(o) || PyList_Check(o) || PyTuple_Check(o)) return 0;
        if (!PyIndex_Check(o)) return 0;
        tb_scalar s;
        int r = tbpy_scalar(o, &s);
        if (r < 0) PyErr_Clear();
        if (r == 1 && s.dtype == TB_BOOL) return 0;
    }
    x->kind = TB_INDEX_INT;
    x->start = PyNumber_AsSsize_t(o, PyExc_IndexError);
    return x->start == -1 && PyErr_Occurred() ? -1 : 1;
}

/* 1: items[0..*n) is the key; 0: an advanced index; -1: error. */
static int parse_key(PyObject *key, int *n, tb_index *items)
{
    if (!PyTuple_Check(key)) {
        *n = 1;
        return parse_item(key, items);
    }
    Py_ssize_t count = PyTuple_GET_SIZE(key);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (i == MAXINDEX) {
            PyErr_Format(PyExc_IndexError, "too many indices for array: %zd were given", count);
            return -1;
        }
        int r = parse_item(PyTuple_GET_ITEM(key, i), &items[i]);
        if (r <= 0) return r;
    }
    *n = (int)count;
    return 1;
}

static PyObject *get_advanced(PyObject *self, PyObject *key)
{
    static PyObject *cache;
    PyObject *f = tbpy_import(&cache, "tombac._indexing", "getitem");
    return f ? PyObject_CallFunctionObjArgs(f, self, key, NULL) : NULL;
}

static int set_advanced(PyObject *self, PyObject *key, PyObject *value)
{
    static PyObject *cache;
    PyObject *f = tbpy_import(&cache, "tombac._indexing", "setitem");
    PyObject *r = f ? PyObject_CallFunctionObjArgs(f, self, key, value, NULL) : NULL;
    Py_XDECREF(r);
    return r ? 0 : -1;
}

static int assign(tb_array *d, PyObject *value);

static PyObject *sequence_item(PyObject *self, Py_ssize_t i);

static PyObject *subscript(PyObject *self, PyObject *key)
{
    if (PyLong_CheckExact(key)) {
        Py_ssize_t i = PyLong_AsSsize_t(key);
        if (i != -1 || !PyErr_Occurred()) return sequence_item(self, i);
        PyErr_Clear(); /* the key is parsed again for its message */
    }
    tb_index items[MAXINDEX];
    int n, r = parse_key(key, &n, items);
    if (r < 0) return NULL;
    if (r == 0) return get_advanced(self, key);
    tb_array *out;
    TBPY_TRY(tb_array_index(tbpy_array(self), n, items, &out));
    return tbpy_wrap_view(out, self);
}

static bool is_whole(int n, const tb_index *x, const tb_array *a)
{
    if (n != 1) return false;
    return x->kind == TB_INDEX_ELLIPSIS ||
           (x->kind == TB_INDEX_SLICE && !x->has_start && !x->has_stop && x->step == 1 && tb_array_ndim(a) > 0);
}

static int assign_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    if (!value) {
        PyErr_SetString(PyExc_ValueError, "cannot delete array elements");
        return -1;
    }
    tb_index items[MAXINDEX];
    int n, r = parse_key(key, &n, items);
    if (r < 0) return -1;
    if (r == 0) return set_advanced(self, key, value);
    if (is_whole(n, items, tbpy_array(self))) return tbpy_assign(self, value);
    tb_array *view;
    TBPY_TRY_INT(tb_array_index(tbpy_array(self), n, items, &view));
    r = assign(view, value);
    tb_array_release(view);
    return r;
}

static Py_ssize_t length(PyObject *self)
{
    const tb_array *a = tbpy_array(self);
    if (tb_array_ndim(a) == 0) {
        PyErr_SetString(PyExc_TypeError, "len() of unsized object");
        return -1;
    }
    return (Py_ssize_t)tb_array_shape(a)[0];
}

static PyObject *sequence_item(PyObject *self, Py_ssize_t i)
{
    tb_index x = {.kind = TB_INDEX_INT, .start = i};
    tb_array *out;
    TBPY_TRY(tb_array_index(tbpy_array(self), 1, &x, &out));
    return tbpy_wrap_view(out, self);
}

static PyObject *iterate(PyObject *self)
{
    if (tb_array_ndim(tbpy_array(self)) == 0) {
        PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
        return NULL;
    }
    return PySeqIter_New(self);
}

/* x in a: whether any element equals x. */
static int contains(PyObject *self, PyObject *x)
{
    PyObject *equal = PyObject_RichCompare(self, x, Py_EQ);
    if (!equal || !tbpy_check(equal)) {
        int r = equal ? PyObject_IsTrue(equal) : -1;
        Py_XDECREF(equal);
        return r;
    }
    PyObject *any = tbpy_reduce(TB_RED_ANY, equal, NULL, NULL, NULL, NULL, NULL, NULL);
    int r = any ? PyObject_IsTrue(any) : -1;
    Py_XDECREF(any);
    Py_DECREF(equal);
    return r;
}

/* ---- assignment of any value ------------------------------------------------------------------------------------- */

static int assign_scalar(tb_array *dst, tb_scalar s)
{
    tb_scalar cast;
    if (tbpy_scalar_to(s, tb_array_dtype(dst), &cast) < 0) return -1;
    TBPY_TRY_INT(tb_assign_scalar(dst, cast));
    return 0;
}

/* Host memory of dst's own shape and dtype goes straight in. 1: done; 0: not applicable; -1: error. */
static int assign_host(tb_array *dst, PyObject *host)
{
    PyObject *d = PyObject_GetAttrString(host, "dtype");
    bool same = d == tbpy_dtype_object(tb_array_dtype(dst));
    Py_XDECREF(d);
    if (!same) return d ? 0 : -1;
    Py_buffer view;
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    if (tbpy_host_view(host, false, &view, shape, strides) < 0) return -1;
    int ndim = tb_array_ndim(dst);
    same = view.ndim == ndim && memcmp(shape, tb_array_shape(dst), sizeof *shape * (size_t)ndim) == 0;
    tb_status st = TB_OK;
    if (same) TBPY_UNLOCKED(st, tb_array_set(dst, view.buf, strides, NULL, true));
    PyBuffer_Release(&view);
    return st != TB_OK ? tbpy_fail(st) : same;
}

static int assign_array(tb_array *dst, tb_array *src)
{
    if (tbpy_warn_complex(tb_array_dtype(src), tb_array_dtype(dst)) < 0) return -1;
    TBPY_TRY_INT(tb_assign(dst, src, TB_CAST_UNSAFE));
    return 0;
}

static int assign(tb_array *d, PyObject *value)
{
    if (tbpy_check(value)) return assign_array(d, tbpy_array(value));
    tb_scalar s;
    int r = tbpy_element(value, tb_array_dtype(d), &s);
    if (r != 0) return r < 0 ? -1 : assign_scalar(d, s);
    if (tbpy_is_host_array(value)) {
        r = assign_host(d, value);
        if (r != 0) return r < 0 ? -1 : 0;
    }
    PyObject *a = tbpy_asarray(value);
    if (!a) return -1;
    r = assign_array(d, tbpy_array(a));
    Py_DECREF(a);
    return r;
}

int tbpy_assign(PyObject *dst, PyObject *value) { return assign(tbpy_array(dst), value); }

PyType_Slot tbpy_index_slots[] = {
    {Py_mp_length, length},
    {Py_mp_subscript, subscript},
    {Py_mp_ass_subscript, assign_subscript},
    {Py_sq_length, length},
    {Py_sq_item, sequence_item},
    {Py_sq_contains, contains},
    {Py_tp_iter, iterate},
    {0, NULL},
};
