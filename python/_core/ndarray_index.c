/* ndarray_index.c - a[key], a[key] = value, len and iteration; nonzero. */
#include "ndarray.h"

static int assign(tb_array *d, PyObject *value);

static PyObject *sequence_item(PyObject *self, Py_ssize_t i);

static __attribute__((noinline)) PyObject *select_items(PyObject *self, PyObject *key)
{
    tbpy_key k;
    tb_array *out;
    tb_status st;
    if (tbpy_record_key(self, key)) return tbpy_record_field(self, key);
    if (tbpy_key_parse(key, &k) < 0) return NULL;
    if (!k.has_arrays) {
        TBPY_TRY(tb_array_index(tbpy_array(self), k.n, k.items, &out));
        return tbpy_wrap_view(out, self);
    }
    TBPY_UNLOCKED_IF(tb_array_size(tbpy_array(self)), st, tb_array_index(tbpy_array(self), k.n, k.items, &out));
    tbpy_key_free(&k);
    return st == TB_OK ? tbpy_wrap_like(out, self) : tbpy_raise(st);
}

static PyObject *subscript(PyObject *self, PyObject *key)
{
    if (PyLong_CheckExact(key)) {
        Py_ssize_t i = PyLong_AsSsize_t(key);
        if (i != -1 || !PyErr_Occurred()) return sequence_item(self, i);
        PyErr_Clear(); /* the key is parsed again for its message */
    }
    return select_items(self, key);
}

static bool is_whole(int n, const tb_index *x, const tb_array *a)
{
    if (n != 1) return false;
    return x->kind == TB_INDEX_ELLIPSIS ||
           (x->kind == TB_INDEX_SLICE && !x->has_start && !x->has_stop && x->step == 1 && tb_array_ndim(a) > 0);
}

/* Tuples and lists are what the records say. */
static PyObject *value_array(PyObject *value, tb_dtype t)
{
    const bool arrays = tbpy_check(value) || tbpy_is_host_array(value);
    return tbpy_array_from(value, tbpy_is_record(t) && !arrays ? t : TB_NODTYPE, 'K', TBPY_COPY_IF_NEEDED, true);
}

/* What is assigned to elements of dtype t, kept alive by *held. */
static int parse_value(PyObject *value, tb_dtype t, tb_operand *out, PyObject **held)
{
    tb_scalar s;
    *held = NULL;
    *out = tb_operand_int(0);
    int r = tbpy_check(value) ? 0 : tbpy_element(value, t, &s);
    if (r < 0) return -1;
    if (r > 0) return tbpy_scalar_to(s, t, &out->scalar);
    *held = value_array(value, t);
    if (!*held) return -1;
    *out = (tb_operand){TB_OPERAND_ARRAY, .array = tbpy_array(*held)};
    return tbpy_warn_complex(tb_array_dtype(out->array), t);
}

int tbpy_assign_places(tb_array *a, int n, const tb_index *key, PyObject *value)
{
    tb_operand v;
    PyObject *held;
    tb_status st = TB_OK;
    int r = parse_value(value, tb_array_dtype(a), &v, &held);
    if (r == 0) TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_array_index_set(a, n, key, &v));
    Py_XDECREF(held);
    return st == TB_OK ? r : tbpy_fail(st);
}

static int assign_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    if (!value) {
        PyErr_SetString(PyExc_ValueError, "cannot delete array elements");
        return -1;
    }
    tbpy_key k;
    tb_array *view;
    int r;
    if (tbpy_record_key(self, key)) return tbpy_record_assign_field(self, key, value);
    if (tbpy_key_parse(key, &k) < 0) return -1;
    if (k.has_arrays) {
        r = tbpy_assign_places(tbpy_array(self), k.n, k.items, value);
        tbpy_key_free(&k);
        return r;
    }
    if (is_whole(k.n, k.items, tbpy_array(self))) return tbpy_assign(self, value);
    TBPY_TRY_INT(tb_array_index(tbpy_array(self), k.n, k.items, &view));
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
    PyObject *d = tbpy_host_dtype(host);
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
    PyObject *a = value_array(value, tb_array_dtype(d));
    if (!a) return -1;
    r = assign_array(d, tbpy_array(a));
    Py_DECREF(a);
    return r;
}

/* A tuple of n arrays, which are stolen. */
static PyObject *array_tuple(int n, tb_array **a)
{
    PyObject *t = PyTuple_New(n);
    for (int i = 0; i < n; i++) {
        PyObject *o = t ? tbpy_wrap(a[i]) : NULL;
        if (!t) tb_array_release(a[i]);
        else if (o) PyTuple_SET_ITEM(t, i, o);
        else Py_CLEAR(t);
    }
    return t;
}

PyObject *tbpy_nonzero(PyObject *o)
{
    tb_array *out[TB_MAXDIM];
    tb_status st;
    PyObject *a = tbpy_device_array(o);
    if (!a) return NULL;
    int n = tb_array_ndim(tbpy_array(a));
    TBPY_UNLOCKED_IF(tb_array_size(tbpy_array(a)), st, tb_nonzero(tbpy_array(a), out));
    Py_DECREF(a);
    return st == TB_OK ? array_tuple(n, out) : tbpy_raise(st);
}

/* What tb_nonzero makes, as one array. */
PyObject *tbpy_argwhere(PyObject *o)
{
    tb_array *out;
    tb_status st;
    PyObject *a = tbpy_device_array(o);
    if (!a) return NULL;
    TBPY_UNLOCKED_IF(tb_array_size(tbpy_array(a)), st, tb_argwhere(tbpy_array(a), &out));
    Py_DECREF(a);
    return st == TB_OK ? tbpy_wrap(out) : tbpy_raise(st);
}

int tbpy_assign(PyObject *dst, PyObject *value) { return assign(tbpy_array(dst), value); }

PyObject *tbpy_assign_where(PyObject *dst, PyObject *mask, PyObject *value)
{
    tb_operand v;
    PyObject *held;
    if (parse_value(value, tb_array_dtype(tbpy_array(dst)), &v, &held) < 0) return NULL;
    tb_status st = tb_assign_where(tbpy_array(dst), tbpy_array(mask), &v);
    Py_XDECREF(held);
    return st == TB_OK ? Py_NewRef(Py_None) : tbpy_raise(st);
}

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
