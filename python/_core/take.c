/* take.c - take(a, indices, axis, out, mode), put(a, indices, values, mode), and both along an axis. */
#include "ndarray.h"
#include "docs_arrays.h"

static int read_mode(const char *who, PyObject *o, tb_bounds *out)
{
    static const char *const names[] = {
        [TB_BOUNDS_RAISE] = "raise", [TB_BOUNDS_WRAP] = "wrap", [TB_BOUNDS_CLIP] = "clip"};
    *out = tb_strict_indices_get() ? TB_BOUNDS_RAISE : TB_BOUNDS_WRAP;
    if (!o) return 0;
    for (int i = 0; PyUnicode_Check(o) && i < 3; i++)
        if (PyUnicode_CompareWithASCIIString(o, names[i]) == 0) {
            *out = (tb_bounds)i;
            return 0;
        }
    PyErr_Format(PyUnicode_Check(o) ? PyExc_ValueError : PyExc_TypeError,
                 "%s: mode must be one of 'raise', 'wrap' or 'clip' (got %R)", who, o);
    return -1;
}

/* Without an axis, the elements in a row. */
static int read_axis(PyObject *o, int *out)
{
    *out = TB_ALL_AXES;
    return !o || o == Py_None ? 0 : tbpy_axis(o, out);
}

static int take_one(tb_array *a, PyObject *index, int axis, tb_bounds bounds, tb_array **out)
{
    int64_t i = 0;
    if (tbpy_int_arg(index, &i) < 0) return -1;
    TBPY_TRY_INT(tb_take_one(a, i, axis, bounds, out));
    return 0;
}

static int take_array(tb_array *a, PyObject *o, int axis, tb_bounds bounds, tb_array **out)
{
    PyObject *indices = tbpy_asarray(o);
    tb_status st;
    if (!indices) return -1;
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_take(a, tbpy_array(indices), axis, bounds, out));
    Py_DECREF(indices);
    return st == TB_OK ? 0 : tbpy_fail(st);
}

static bool is_integer(PyObject *o) { return PyLong_Check(o) || tbpy_is_numpy_integer(o); }

PyObject *tbpy_deliver(const char *who, tb_array *r, PyObject *like, PyObject *out)
{
    tb_array *to;
    int status = tbpy_out_arg(out, &to);
    if (status == 0 && !to) return tbpy_wrap_like(r, like);
    const int ndim = tb_array_ndim(r);
    const bool fits = status == 0 && tb_array_ndim(to) == ndim &&
                      memcmp(tb_array_shape(to), tb_array_shape(r), (size_t)ndim * sizeof(int64_t)) == 0;
    if (status == 0 && !fits) PyErr_Format(PyExc_ValueError, "%s: out does not have the shape of the result", who);
    const bool go = fits && tbpy_warn_complex(tb_array_dtype(r), tb_array_dtype(to)) == 0;
    tb_status st = go ? tb_assign(to, r, TB_CAST_UNSAFE) : TB_OK;
    tb_array_release(r);
    if (st != TB_OK) return tbpy_raise(st);
    return go ? Py_NewRef(PyTuple_Check(out) ? PyTuple_GET_ITEM(out, 0) : out) : NULL;
}

static PyObject *take(PyObject *self, PyObject *indices, PyObject *axis_arg, PyObject *out, PyObject *mode)
{
    tb_array *a = tbpy_array(self), *r;
    tb_bounds bounds;
    int axis;
    if (read_mode("take", mode, &bounds) < 0 || read_axis(axis_arg, &axis) < 0) return NULL;
    int status =
        is_integer(indices) ? take_one(a, indices, axis, bounds, &r) : take_array(a, indices, axis, bounds, &r);
    return status < 0 ? NULL : tbpy_deliver("take", r, self, out);
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

static PyObject *put(PyObject *self, PyObject *indices_arg, PyObject *values_arg, PyObject *mode)
{
    tb_bounds bounds;
    tb_status st;
    if (read_mode("put", mode, &bounds) < 0) return NULL;
    PyObject *indices = tbpy_asarray(indices_arg), *values = NULL;
    tb_array *a = tbpy_array(self);
    if (indices && tbpy_check(values_arg)) values = Py_NewRef(values_arg);
    else if (indices) values = tbpy_array_from(values_arg, tb_array_dtype(a), 'K', TBPY_COPY_IF_NEEDED, true);
    if (values && tbpy_warn_complex(tb_array_dtype(tbpy_array(values)), tb_array_dtype(a)) == 0) {
        TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_put(a, tbpy_array(indices), tbpy_array(values), bounds));
        if (st != TB_OK) tbpy_raise(st);
    }
    Py_XDECREF(indices);
    Py_XDECREF(values);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyObject *put_method(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"indices", "values", "mode", NULL};
    PyObject *v[3];
    if (tbpy_parse("put", names, 2, 3, args, nargs, kwnames, v) < 0) return NULL;
    return put(self, v[0], v[1], v[2]);
}

static PyObject *put_function(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "ind", "v", "mode", NULL};
    static const char *const method[] = {"self", "indices", "values", "mode", NULL};
    PyObject *v[4];
    if (tbpy_parse("put", names, 3, 4, args, nargs, kwnames, v) < 0) return NULL;
    PyObject *host = tbpy_host_method("put", method, v);
    if (host || PyErr_Occurred()) return host;
    if (tbpy_check(v[0])) return put(v[0], v[1], v[2], v[3]);
    return PyErr_Format(PyExc_TypeError, "put: a must be a tombac.ndarray, not %R", Py_TYPE(v[0]));
}

/* ---- along an axis ----------------------------------------------------------------------------------------------- */

/* The array in one dimension, if there is no axis: a view, or a copy. */
static tb_status open_along(tb_array *a, bool flat, bool *copied, tb_array **out)
{
    const int64_t size = tb_array_size(a);
    *copied = false;
    if (flat) return tb_reshape(a, 1, &size, 'C', copied, out);
    *out = tb_array_retain(a);
    return TB_OK;
}

static int check_along(const char *who, PyObject *a, PyObject *indices)
{
    PyObject *wrong = !tbpy_check(a) ? a : !tbpy_check(indices) ? indices : NULL;
    if (!wrong) return 0;
    PyErr_Format(PyExc_TypeError, "%s: a tombac.ndarray is expected, not %R", who, Py_TYPE(wrong));
    return -1;
}

static int along_key(const char *who, PyObject *indices, PyObject *axis_arg, const tb_array *a, tb_index *key)
{
    int axis = axis_arg == Py_None ? 0 : -1;
    const int ndim = tb_array_ndim(a), given = tb_array_ndim(tbpy_array(indices));
    if (tbpy_axis(axis_arg, &axis) < 0) return -1;
    *key = tb_along(tbpy_array(indices), axis);
    if (ndim == given) return 0;
    PyErr_Format(PyExc_ValueError, "%s: the array has %d dimensions, the indices have %d", who, ndim, given);
    return -1;
}

static PyObject *take_along_axis(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a|arr", "indices", "axis", NULL};
    const char *who = "take_along_axis";
    PyObject *v[3];
    tb_array *a, *r;
    tb_index key;
    tb_status st;
    bool copied;
    if (tbpy_parse(who, names, 2, 3, args, nargs, kwnames, v) < 0 || check_along(who, v[0], v[1]) < 0) return NULL;
    TBPY_TRY(open_along(tbpy_array(v[0]), v[2] == Py_None, &copied, &a));
    const bool fits = along_key(who, v[1], v[2], a, &key) == 0;
    if (fits) TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_array_index(a, 1, &key, &r));
    tb_array_release(a);
    if (!fits) return NULL;
    return st == TB_OK ? tbpy_wrap_like(r, v[0]) : tbpy_raise(st);
}

static int put_along(PyObject *self, PyObject *indices, PyObject *values, PyObject *axis)
{
    tb_array *a;
    tb_index key;
    bool copied;
    TBPY_TRY_INT(open_along(tbpy_array(self), axis == Py_None, &copied, &a));
    int r = along_key("put_along_axis", indices, axis, a, &key);
    if (r == 0) r = tbpy_assign_places(a, 1, &key, values);
    if (r == 0 && copied) {
        PyObject *flat = tbpy_wrap(a);
        PyObject *shaped = flat ? PyObject_CallMethod(flat, "reshape", "N", tbpy_shape_tuple(tbpy_array(self))) : NULL;
        r = shaped ? tbpy_assign(self, shaped) : -1;
        Py_XDECREF(shaped);
        Py_XDECREF(flat);
        return r;
    }
    tb_array_release(a);
    return r;
}

static PyObject *put_along_axis(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"arr", "indices", "values", "axis", NULL};
    PyObject *v[4];
    if (tbpy_parse("put_along_axis", names, 4, 4, args, nargs, kwnames, v) < 0) return NULL;
    if (check_along("put_along_axis", v[0], v[1]) < 0 || put_along(v[0], v[1], v[2], v[3]) < 0) return NULL;
    Py_RETURN_NONE;
}

#define FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS

PyMethodDef tbpy_take_methods[] = {
    {"take", FAST(take_method), "take($self, indices, axis=None, out=None, mode='wrap')\n--\n\nSee tombac.take."},
    {"put", FAST(put_method), "put($self, indices, values, mode='wrap')\n--\n\nSee tombac.put."},
    {NULL, NULL, 0, NULL},
};

PyMethodDef tbpy_take_functions[] = {
    {"take", FAST(take_function), "take(a, indices, axis=None, out=None, mode='wrap')\n--\n\n" TBPY_DOC_take},
    {"put", FAST(put_function), "put(a, ind, v, mode='wrap')\n--\n\n" TBPY_DOC_put},
    {"take_along_axis", FAST(take_along_axis), "take_along_axis(a, indices, axis=-1)\n--\n\n" TBPY_DOC_take_along_axis},
    {"put_along_axis", FAST(put_along_axis),
     "put_along_axis(arr, indices, values, axis)\n--\n\n" TBPY_DOC_put_along_axis},
    {NULL, NULL, 0, NULL},
};
