/* take.c - take(a, indices, axis, out, mode): indexing along one axis, where indices beyond it wrap around, are clipped
 * or are errors. */
#include "ndarray.h"

typedef enum take_mode { TAKE_RAISE, TAKE_WRAP, TAKE_CLIP } take_mode;

static int read_mode(PyObject *o, take_mode *out)
{
    static const char *const names[] = {[TAKE_RAISE] = "raise", [TAKE_WRAP] = "wrap", [TAKE_CLIP] = "clip"};
    if (!o) return 0;
    for (int i = 0; PyUnicode_Check(o) && i < 3; i++)
        if (PyUnicode_CompareWithASCIIString(o, names[i]) == 0) {
            *out = (take_mode)i;
            return 0;
        }
    PyErr_Format(PyUnicode_Check(o) ? PyExc_ValueError : PyExc_TypeError,
                 "take: mode must be one of 'raise', 'wrap' or 'clip' (got %R)", o);
    return -1;
}

/* What is taken from: an array seen so that it has the axis, and the axis. */
typedef struct source {
    tb_array *array;
    int axis;
    int64_t length; /* of the axis */
} source;

/* Without an axis, and for arrays of no dimension, the elements in a row. */
static int open_source(tb_array *a, PyObject *axis, source *s)
{
    const bool flat = !axis || axis == Py_None || tb_array_ndim(a) == 0;
    const int64_t size = tb_array_size(a);
    bool copied;
    s->axis = 0;
    if (tbpy_axis(axis, &s->axis) < 0) return -1;
    const int ndim = flat ? 1 : tb_array_ndim(a), given = s->axis;
    if (s->axis < 0) s->axis += ndim;
    if (s->axis < 0 || s->axis >= ndim) {
        tbpy_raise_axis(given, ndim, NULL);
        return -1;
    }
    if (flat) TBPY_TRY_INT(tb_reshape(a, 1, &size, 'C', &copied, &s->array));
    else s->array = tb_array_retain(a);
    s->length = tb_array_shape(s->array)[s->axis];
    return 0;
}

/* ---- indices ----------------------------------------------------------------------------------------------------- */

static int fail_bounds(int64_t index, const source *s)
{
    PyErr_Format(PyExc_IndexError, "index %lld is out of bounds for axis %d with size %lld", (long long)index, s->axis,
                 (long long)s->length);
    return -1;
}

static int place_int(int64_t i, const source *s, take_mode mode, int64_t *out)
{
    const int64_t n = s->length;
    const bool inside = i >= -n && i < n;
    if (n == 0 || (mode == TAKE_RAISE && !inside)) return fail_bounds(i, s);
    if (mode == TAKE_CLIP) *out = i < 0 ? 0 : i >= n ? n - 1 : i;
    else *out = i % n < 0 ? i % n + n : i % n;
    return 0;
}

/* The smallest or largest element: waits. */
static int extreme(PyObject *a, tb_reduction op, int64_t *out)
{
    PyObject *r = tbpy_reduce(op, a, NULL, NULL, NULL, NULL, NULL, NULL);
    PyObject *x = r ? tbpy_only_element(r) : NULL;
    int status = x ? tbpy_int_arg(x, out) : -1;
    if (x && status < 0 && PyErr_ExceptionMatches(PyExc_OverflowError)) { /* a uint64, which is out of any bounds */
        PyErr_Clear();
        *out = INT64_MAX;
        status = 0;
    }
    Py_XDECREF(x);
    Py_XDECREF(r);
    return status;
}

static int check_bounds(PyObject *indices, const source *s)
{
    int64_t least, most;
    if (tb_array_size(tbpy_array(indices)) == 0) return 0;
    if (extreme(indices, TB_RED_MIN, &least) < 0 || extreme(indices, TB_RED_MAX, &most) < 0) return -1;
    if (least < -s->length) return fail_bounds(least, s);
    return most >= s->length ? fail_bounds(most, s) : 0;
}

/* Replaces the new reference *indices. */
static int replace(PyObject **indices, tb_status st, tb_array *by)
{
    Py_DECREF(*indices);
    *indices = st == TB_OK ? tbpy_wrap(by) : tbpy_raise(st);
    return *indices ? 0 : -1;
}

static int clip_indices(PyObject **indices, const source *s)
{
    tb_array *r = NULL;
    tb_operand in[3] = {{TB_OPERAND_ARRAY, .array = tbpy_array(*indices)},
                        {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(0)},
                        {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(s->length > 0 ? s->length - 1 : 0)}};
    tb_status st = tb_ufunc_call(tb_ufunc_find("clip"), in, &r, NULL);
    return replace(indices, st, r);
}

/* Truth values count as 0 and 1 here, and an empty sequence, which makes an array of floats, is one of integers. */
static int as_integers(PyObject **indices, take_mode mode)
{
    tb_array *a = tbpy_array(*indices), *r = NULL;
    const tb_kind kind = tb_dtype_kind(tb_array_dtype(a));
    const bool empty = kind == TB_KIND_FLOAT && tb_array_size(a) == 0;
    if (kind > TB_KIND_INT && !empty) {
        PyErr_Format(PyExc_TypeError, "take: indices must be integers, not %s", tb_dtype_name(tb_array_dtype(a)));
        Py_CLEAR(*indices);
        return -1;
    }
    if (kind == TB_KIND_INT && (mode != TAKE_CLIP || tb_array_dtype(a) == TB_I64)) return 0;
    tb_status st = tb_astype(a, TB_I64, 'K', TB_CAST_UNSAFE, false, &r);
    return replace(indices, st, r);
}

/* A new reference to index arrays that are in bounds, or are to wrap around. */
static PyObject *read_indices(PyObject *o, const source *s, take_mode mode)
{
    PyObject *indices = tbpy_asarray(o);
    if (!indices || as_integers(&indices, mode) < 0) return NULL;
    int r = mode == TAKE_CLIP ? clip_indices(&indices, s) : mode == TAKE_RAISE ? check_bounds(indices, s) : 0;
    if (r < 0) Py_CLEAR(indices);
    return indices;
}

/* ---- taking ------------------------------------------------------------------------------------------------------ */

static tb_status take_item(const source *s, tb_index *key, tb_index item, tb_array **out)
{
    tb_status st;
    for (int d = 0; d < s->axis; d++) key[d] = (tb_index){.kind = TB_INDEX_SLICE, .step = 1};
    key[s->axis] = item;
    TBPY_UNLOCKED_IF(tb_array_size(s->array), st, tb_array_index(s->array, s->axis + 1, key, out));
    return st;
}

/* One integer makes a view, of which a copy is taken. */
static int take_int(const source *s, PyObject *o, take_mode mode, tb_array **out)
{
    tb_index key[TB_MAXDIM];
    tb_array *view;
    int64_t i = 0;
    if (tbpy_int_arg(o, &i) < 0 || place_int(i, s, mode, &i) < 0) return -1;
    TBPY_TRY_INT(take_item(s, key, (tb_index){.kind = TB_INDEX_INT, .start = i}, &view));
    tb_status st = tb_copy(view, 'C', out);
    tb_array_release(view);
    return st == TB_OK ? 0 : tbpy_fail(st);
}

static int take_array(const source *s, PyObject *o, take_mode mode, tb_array **out)
{
    tb_index key[TB_MAXDIM];
    PyObject *indices = read_indices(o, s, mode);
    if (!indices) return -1;
    tb_status st = take_item(s, key, (tb_index){.kind = TB_INDEX_ARRAY, .array = tbpy_array(indices)}, out);
    Py_DECREF(indices);
    return st == TB_OK ? 0 : tbpy_fail(st);
}

static bool is_integer(PyObject *o) { return PyLong_Check(o) || tbpy_is_numpy_integer(o); }

static PyObject *deliver(tb_array *r, PyObject *like, PyObject *out)
{
    tb_array *to;
    int status = tbpy_out_arg(out, &to);
    if (status == 0 && !to) return tbpy_wrap_like(r, like);
    const int ndim = tb_array_ndim(r);
    const bool fits = status == 0 && tb_array_ndim(to) == ndim &&
                      memcmp(tb_array_shape(to), tb_array_shape(r), (size_t)ndim * sizeof(int64_t)) == 0;
    if (status == 0 && !fits) PyErr_SetString(PyExc_ValueError, "take: out does not have the shape of the result");
    tb_status st = fits ? tb_assign(to, r, TB_CAST_UNSAFE) : TB_OK;
    tb_array_release(r);
    if (st != TB_OK) return tbpy_raise(st);
    return fits ? Py_NewRef(PyTuple_Check(out) ? PyTuple_GET_ITEM(out, 0) : out) : NULL;
}

static PyObject *take(PyObject *a, PyObject *indices, PyObject *axis, PyObject *out, PyObject *mode_name)
{
    take_mode mode = TAKE_WRAP;
    source s;
    tb_array *r;
    if (read_mode(mode_name, &mode) < 0 || open_source(tbpy_array(a), axis, &s) < 0) return NULL;
    int status = is_integer(indices) ? take_int(&s, indices, mode, &r) : take_array(&s, indices, mode, &r);
    tb_array_release(s.array);
    return status < 0 ? NULL : deliver(r, a, out);
}

static PyObject *take_method(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"indices", "axis", "out", "mode", NULL};
    PyObject *v[4];
    if (tbpy_parse("take", names, 1, 4, args, nargs, kwnames, v) < 0) return NULL;
    return take(self, v[0], v[1], v[2], v[3]);
}

static PyObject *take_function(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "indices", "axis", "out", "mode", NULL};
    PyObject *v[5];
    if (tbpy_parse("take", names, 2, 5, args, nargs, kwnames, v) < 0) return NULL;
    PyObject *host = tbpy_host_method("take", names, v);
    if (host || PyErr_Occurred()) return host;
    PyObject *a = tbpy_device_array(v[0]);
    PyObject *result = a ? take(a, v[1], v[2], v[3], v[4]) : NULL;
    Py_XDECREF(a);
    return result;
}

#define FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS

PyMethodDef tbpy_take_methods[] = {
    {"take", FAST(take_method), "take($self, indices, axis=None, out=None, mode='wrap')\n--\n\nSee tombac.take."},
    {NULL, NULL, 0, NULL},
};

PyMethodDef tbpy_take_functions[] = {
    {"take", FAST(take_function),
     "take(a, indices, axis=None, out=None, mode='wrap')\n--\n\n"
     "The elements of ``a`` at ``indices`` along ``axis`` (of the flattened array by default).\n\n"
     "The result has the shape of ``indices`` in place of the axis.\n\n"
     "Args:\n"
     "    indices: Integers: one, or an array or sequence of them.\n"
     "    out: An array of the result's shape to write to.\n"
     "    mode: What becomes of indices beyond the axis: 'wrap' around it, 'clip' to its ends, where negative ones "
     "are\n"
     "        clipped to 0, or 'raise', which waits for the device to look at them.\n\n"
     "Raises:\n"
     "    IndexError: An index is out of bounds and ``mode`` is 'raise', or the axis is empty.\n"
     "    TypeError: The indices are not integers.\n"
     "    ValueError: ``out`` has another shape, or there is no such mode.\n\n"
     ">>> tombac.take(tombac.arange(10, 15), [0, -1, 7])\n"
     "array([10, 14, 12])"},
    {NULL, NULL, 0, NULL},
};
