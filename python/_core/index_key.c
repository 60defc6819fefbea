/* index_key.c - Python keys, as in a[key], to libtombac's: integers, slices, Ellipsis, None, truth values, arrays. */
#include "ndarray.h"

static int parse_slice_bound(PyObject *o, bool *has, int64_t *v)
{
    if (o == Py_None) {
        *has = false;
        return 0;
    }
    *has = true;
    if (!PyIndex_Check(o)) {
        PyErr_SetString(PyExc_TypeError, "slice indices must be integers or None or have an __index__ method");
        return -1;
    }
    *v = PyNumber_AsSsize_t(o, NULL); /* clips: no array is longer */
    return *v == -1 && PyErr_Occurred() ? -1 : 0;
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
    return 0;
}

static int fail_item(PyObject *o)
{
    PyErr_Format(
        PyExc_IndexError,
        "only integers, slices (`:`), ellipsis (`...`), tombac.newaxis (`None`) and integer or boolean arrays are "
        "valid indices, not %R",
        Py_TYPE(o));
    return -1;
}

static int set_array(PyObject *o, tb_index *x, tbpy_key *k)
{
    x->kind = TB_INDEX_ARRAY;
    x->array = tbpy_array(o);
    k->held[k->nheld++] = o;
    k->has_arrays = true;
    return 0;
}

/* An empty sequence, which makes an array of floats, as one of integers; steals a. */
static int empty_indices(PyObject *a, tb_index *x, tbpy_key *k)
{
    tb_array *cast;
    tb_status st = tb_astype(tbpy_array(a), TB_I64, 'K', TB_CAST_UNSAFE, true, &cast);
    Py_DECREF(a);
    TBPY_TRY_INT(st);
    PyObject *indices = tbpy_wrap(cast);
    return indices ? set_array(indices, x, k) : -1;
}

static int fail_dtype(void)
{
    PyErr_SetString(PyExc_IndexError, "arrays used as indices must be of integer (or boolean) type");
    return -1;
}

/* o could not be made an array, for the reason that is set. A ragged list keeps NumPy's ValueError; what NumPy can make
 * an array of, and tombac cannot, is no index. */
static int fail_conversion(PyObject *o)
{
    static PyObject *cache;
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError)) return -1;
    PyErr_Clear();
    if (tbpy_is_host_array(o)) return fail_dtype();
    if (PyList_Check(o) || PyTuple_Check(o)) {
        PyObject *f = tbpy_import(&cache, "numpy", "asarray"), *host = f ? PyObject_CallOneArg(f, o) : NULL;
        if (!host && PyErr_ExceptionMatches(PyExc_ValueError)) return -1;
        Py_XDECREF(host);
        PyErr_Clear();
    }
    return fail_item(o);
}

/* A sequence or a host array. */
static int parse_host_array(PyObject *o, tb_index *x, tbpy_key *k)
{
    PyObject *a = tbpy_asarray(o);
    if (!a) return fail_conversion(o);
    tb_array *array = tbpy_array(a);
    const bool floats = tb_dtype_kind(tb_array_dtype(array)) == TB_KIND_FLOAT;
    if (tb_dtype_kind(tb_array_dtype(array)) <= TB_KIND_INT) return set_array(a, x, k);
    if (floats && tb_array_size(array) == 0 && !tbpy_is_host_array(o)) return empty_indices(a, x, k);
    bool is_number = tb_array_ndim(array) == 0;
    Py_DECREF(a);
    return is_number ? fail_item(o) : fail_dtype();
}

/* Those of NumPy before 2.3 could be indices as well. */
static bool is_truth(PyObject *o) { return PyBool_Check(o) || tbpy_numpy_scalar_dtype(Py_TYPE(o)) == TB_BOOL; }

/* 1: o is a truth value that the host knows; 0: it is not; -1: error. */
static int parse_truth(PyObject *o, tb_index *x)
{
    if (!is_truth(o)) {
        tb_scalar s;
        int r = PyIndex_Check(o) || PyFloat_Check(o) ? 0 : tbpy_scalar(o, &s);
        if (r < 0) PyErr_Clear();
        if (r <= 0 || s.dtype != TB_BOOL) return 0;
    }
    int r = PyObject_IsTrue(o);
    if (r < 0) return -1;
    x->kind = TB_INDEX_BOOL;
    x->start = r;
    return 1;
}

static int parse_array(PyObject *o, tb_index *x, tbpy_key *k)
{
    if (tbpy_check(o)) return set_array(Py_NewRef(o), x, k);
    int r = parse_truth(o, x);
    if (r != 0) {
        k->has_arrays = true;
        return r < 0 ? -1 : 0;
    }
    return parse_host_array(o, x, k);
}

static int parse_item(PyObject *o, tb_index *x, tbpy_key *k)
{
    if (PySlice_Check(o)) return parse_slice((PySliceObject *)o, x);
    if (o == Py_None) {
        x->kind = TB_INDEX_NEWAXIS;
        return 0;
    }
    if (o == Py_Ellipsis) {
        x->kind = TB_INDEX_ELLIPSIS;
        return 0;
    }
    if (!PyLong_CheckExact(o) && (is_truth(o) || tbpy_check(o) || tbpy_is_host_array(o) || !PyIndex_Check(o)))
        return parse_array(o, x, k);
    x->kind = TB_INDEX_INT;
    x->start = PyNumber_AsSsize_t(o, PyExc_IndexError);
    return x->start == -1 && PyErr_Occurred() ? -1 : 0;
}

int tbpy_key_parse(PyObject *key, tbpy_key *k)
{
    k->n = k->nheld = 0;
    k->has_arrays = false;
    if (!PyTuple_Check(key)) {
        k->n = 1;
        return parse_item(key, k->items, k);
    }
    Py_ssize_t count = PyTuple_GET_SIZE(key);
    for (Py_ssize_t i = 0; i < count; i++) {
        int r = 0;
        if (i == TBPY_MAXINDEX)
            r = (PyErr_Format(PyExc_IndexError, "too many indices for array: %zd were given", count), -1);
        else r = parse_item(PyTuple_GET_ITEM(key, i), &k->items[i], k);
        if (r < 0) {
            tbpy_key_free(k);
            return -1;
        }
    }
    k->n = (int)count;
    return 0;
}
