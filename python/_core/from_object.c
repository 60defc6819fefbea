/* from_object.c - any object as an ndarray: what array(), asarray() and assignment are made of.
 *
 * In this order: ndarrays; numbers; host arrays; device memory of other libraries; lists and tuples, which may hold
 * ndarrays; whatever numpy.asarray understands. */
#include "ndarray.h"

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static int real_only(void)
{
    PyErr_SetString(PyExc_TypeError, "float() argument must be a string or a real number, not 'complex'");
    return -1;
}

int tbpy_scalar_to(tb_scalar s, tb_dtype t, tb_scalar *out)
{
    tb_kind from = tb_dtype_kind(s.dtype), to = tb_dtype_kind(t);
    if (to == TB_KIND_RECORD) { /* which the library casts to */
        *out = s;
        return 0;
    }
    if (from == TB_KIND_COMPLEX && to < TB_KIND_COMPLEX && to != TB_KIND_BOOL) {
        if (s.weak) return real_only();
        if (tbpy_warn_complex(s.dtype, t) < 0) return -1;
    }
    if (s.weak && from == TB_KIND_FLOAT && to == TB_KIND_INT) {
        /* Python's own conversion reports NaN, infinities and what does not fit. */
        PyObject *i = PyLong_FromDouble(s.v.f);
        int r = i ? tbpy_scalar(i, &s) : -1;
        Py_XDECREF(i);
        if (r < 0) return -1;
    }
    TBPY_TRY_INT(tb_scalar_cast(s, t, out));
    return 0;
}

static PyObject *from_scalar(tb_scalar s, tb_dtype t)
{
    tb_array *r;
    if (t == TB_NODTYPE) t = s.dtype;
    if (tbpy_scalar_to(s, t, &s) < 0) return NULL;
    TBPY_TRY(tb_full(t, 0, &(int64_t){0}, 'C', s, &r));
    return tbpy_wrap(r);
}

/* ---- ndarrays ---------------------------------------------------------------------------------------------------- */

static bool in_order(const tb_array *a, char order)
{
    if (order == 'C') return tb_array_is_c_contiguous(a);
    if (order == 'F') return tb_array_is_f_contiguous(a);
    return order == 'K' || tb_array_is_c_contiguous(a) || tb_array_is_f_contiguous(a);
}

int tbpy_copy_arg(PyObject *o, tbpy_copy_mode *out)
{
    bool copy = true;
    if (!o || o == Py_None) return 0;
    if (PyUnicode_Check(o)) {
        PyErr_Format(PyExc_ValueError,
                     "strings are not allowed for 'copy' keyword: True, False or None is expected, "
                     "not %R",
                     o);
        return -1;
    }
    if (tbpy_bool_arg(o, &copy) < 0) return -1;
    *out = copy ? TBPY_COPY_ALWAYS : TBPY_COPY_NEVER;
    return 0;
}

static PyObject *no_copy_possible(void)
{
    PyErr_SetString(PyExc_ValueError, "Unable to avoid copy while creating an array as requested.");
    return NULL;
}

PyObject *tbpy_array_cast(PyObject *o, tb_dtype t, char order, tbpy_copy_mode copy, bool subok)
{
    tb_array *a = tbpy_array(o), *r;
    int here;
    if (t == TB_NODTYPE) t = tb_array_dtype(a);
    TBPY_TRY(tb_device_current(&here));
    bool elsewhere = tb_array_device(a) != here;
    if (copy != TBPY_COPY_ALWAYS && !elsewhere && t == tb_array_dtype(a) && in_order(a, order)) {
        if (subok || tbpy_check_exact(o)) return Py_NewRef(o);
        return tbpy_wrap_as(tbpy_array_type, tb_array_retain(a), ((TbArray *)o)->base ? ((TbArray *)o)->base : o, o);
    }
    if (copy == TBPY_COPY_NEVER) return no_copy_possible();
    if (tbpy_warn_complex(tb_array_dtype(a), t) < 0) return NULL;
    TBPY_TRY(tb_astype(a, t, order, TB_CAST_UNSAFE, true, &r));
    return subok ? tbpy_wrap_like(r, o) : tbpy_wrap(r);
}

/* ---- host arrays ------------------------------------------------------------------------------------------------- */

/* The dtype of a host array, or NODTYPE where arrays cannot have it; *foreign: its bytes are in the other order. */
static int host_dtype(PyObject *host, tb_dtype *t, bool *foreign)
{
    PyObject *d = tbpy_host_dtype(host);
    if (!d) return -1;
    *foreign = false;
    if (tbpy_dtype_parse(d, t) == 0) {
        Py_DECREF(d);
        return 0;
    }
    PyErr_Clear();
    PyObject *native = PyObject_CallMethod(d, "newbyteorder", "s", "=");
    int r = native ? tbpy_dtype_parse(native, t) : -1;
    *foreign = r == 0;
    if (r < 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "Unsupported dtype %S", d);
    }
    Py_XDECREF(native);
    Py_DECREF(d);
    return r;
}

static PyObject *from_native(PyObject *host, tb_dtype t, char order)
{
    Py_buffer view;
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    tb_array *r;
    if (tbpy_host_view(host, false, &view, shape, strides) < 0) return NULL;
    if (order == 'K') order = 'A';
    tb_status st;
    TBPY_UNLOCKED_IF(view.len, st, tb_from_host(view.buf, t, view.ndim, shape, strides, order, &r));
    PyBuffer_Release(&view);
    return st == TB_OK ? tbpy_wrap(r) : tbpy_raise(st);
}

static PyObject *from_host(PyObject *host, tb_dtype t, char order)
{
    tb_dtype own;
    bool foreign;
    if (host_dtype(host, &own, &foreign) < 0) return NULL;
    if (t == TB_NODTYPE) t = own;
    if (own == t && !foreign) return from_native(host, t, order);
    if ((own == TB_BF16 || t == TB_BF16) && !foreign) { /* ml_dtypes rounds twice */
        PyObject *a = from_native(host, own, order),
                 *r = a ? tbpy_array_cast(a, t, 'K', TBPY_COPY_IF_NEEDED, false) : a;
        Py_XDECREF(a);
        return r;
    }
    PyObject *cast = PyObject_CallMethod(host, "astype", "O", tbpy_dtype_object(t));
    PyObject *r = cast ? from_native(cast, t, order) : NULL;
    Py_XDECREF(cast);
    return r;
}

/* Through numpy.asarray(o, dtype). */
static PyObject *through_numpy(PyObject *o, tb_dtype t, char order)
{
    static PyObject *cache;
    PyObject *f = tbpy_import(&cache, "numpy", "asarray");
    if (!f) return NULL;
    PyObject *dtype = t == TB_NODTYPE ? Py_None : tbpy_dtype_object(t == TB_BF16 ? TB_F64 : t);
    PyObject *host = dtype ? PyObject_CallFunctionObjArgs(f, o, dtype, NULL) : NULL;
    if (!host) return NULL;
    PyObject *r = from_host(host, t, order);
    Py_DECREF(host);
    return r;
}

/* ---- lists and tuples -------------------------------------------------------------------------------------------- */

/* Fills `to` with the n items if all are of one exact type among bool, int and float. Their dtype, or NODTYPE. */
static tb_dtype flat_values(PyObject *const *items, Py_ssize_t n, void *to)
{
    PyTypeObject *type = Py_TYPE(items[0]);
    bool integers = type == &PyLong_Type, floats = type == &PyFloat_Type, bools = type == &PyBool_Type;
    if (!integers && !floats && !bools) return TB_NODTYPE;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!Py_IS_TYPE(items[i], type)) return TB_NODTYPE;
        if (floats) {
            ((double *)to)[i] = PyFloat_AS_DOUBLE(items[i]);
        } else if (bools) {
            ((uint8_t *)to)[i] = items[i] == Py_True;
        } else {
            int overflow;
            ((int64_t *)to)[i] = PyLong_AsLongLongAndOverflow(items[i], &overflow);
            if (overflow) return TB_NODTYPE;
        }
    }
    return floats ? TB_F64 : bools ? TB_BOOL : TB_I64;
}

/* A flat list of equal Python numbers without a detour over NumPy. 1: *out is set; 0: not such a list; -1: error. The
 * list is locked, and no Python code runs while it is read. */
static int from_flat(PyObject *seq, tb_dtype t, PyObject **out)
{
    Py_ssize_t n = PySequence_Fast_GET_SIZE(seq);
    double small[64];
    if (n == 0) return 0;
    void *values = n <= 64 ? small : PyMem_Malloc((size_t)n * 8);
    if (!values) {
        PyErr_NoMemory();
        return -1;
    }
    tb_dtype own = flat_values(PySequence_Fast_ITEMS(seq), n, values);
    bool narrow = own == TB_F64 && t == TB_F32;
    int r = 0;
    if (own != TB_NODTYPE && (t == TB_NODTYPE || t == own || narrow)) {
        int64_t length = n;
        if (narrow)
            for (Py_ssize_t i = 0; i < n; i++) {
                float f = (float)((double *)values)[i];
                memcpy((char *)values + 4 * i, &f, 4);
            }
        tb_array *a;
        tb_status st = tb_from_host(values, narrow ? TB_F32 : own, 1, &length, NULL, 'C', &a);
        *out = st == TB_OK ? tbpy_wrap(a) : tbpy_raise(st);
        r = *out ? 1 : -1;
    }
    if (values != small) PyMem_Free(values);
    return r;
}

/* Whether o is an ndarray, or says that it is one or has its elements on a device. */
static bool is_device_array(PyObject *o)
{
    static const char *const says[] = {"__tombac_get_ndarray__", "__cupy_get_ndarray__", "__cuda_array_interface__"};
    if (tbpy_check(o)) return true;
    if (PyList_Check(o) || PyTuple_Check(o) || PyUnicode_Check(o) || tbpy_is_host_array(o)) return false;
    for (int i = 0; i < 3; i++)
        if (PyObject_HasAttrString((PyObject *)Py_TYPE(o), says[i])) return true;
    return false;
}

/* Such an object as an ndarray, and any other as it is: a new reference. */
static PyObject *device_item(PyObject *o)
{
    PyObject *a;
    if (tbpy_check(o) || !is_device_array(o)) return Py_NewRef(o);
    const int found = tbpy_from_device_protocol(o, &a);
    return found < 0 ? NULL : found ? a : Py_NewRef(o);
}

static bool holds_ndarray(PyObject *o, int depth)
{
    if (is_device_array(o)) return true;
    if ((!PyList_CheckExact(o) && !PyTuple_CheckExact(o)) || depth == TB_MAXDIM) return false;
    bool found = false;
    Py_BEGIN_CRITICAL_SECTION(o);
    for (Py_ssize_t i = 0; !found && i < PySequence_Fast_GET_SIZE(o); i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(o, i);
        if (PyFloat_CheckExact(item) || PyLong_CheckExact(item)) continue;
        Py_INCREF(item); /* the lock is given up where another list's has to be waited for */
        found = holds_ndarray(item, depth + 1);
        Py_DECREF(item);
    }
    Py_END_CRITICAL_SECTION();
    return found;
}

/* The nested list with every ndarray in it as a host array. What is nested deeper than arrays can be NumPy refuses. */
static PyObject *with_host_arrays(PyObject *o, int depth)
{
    if ((!PyList_CheckExact(o) && !PyTuple_CheckExact(o)) || depth == TB_MAXDIM) {
        PyObject *a = device_item(o), *host = a && tbpy_check(a) ? tbpy_get(a, 'C') : Py_XNewRef(a);
        Py_XDECREF(a);
        return host;
    }
    PyObject *items = tbpy_items(o, "a list is expected"), *r = items ? PyList_New(PyTuple_GET_SIZE(items)) : NULL;
    for (Py_ssize_t i = 0; r && i < PyTuple_GET_SIZE(items); i++) {
        PyObject *x = with_host_arrays(PyTuple_GET_ITEM(items, i), depth + 1);
        if (!x) Py_CLEAR(r);
        else PyList_SET_ITEM(r, i, x);
    }
    Py_XDECREF(items);
    return r;
}

/* Whether all n items are ndarrays of one shape, and the dtype they have in common. */
static bool stackable(PyObject *const *items, Py_ssize_t n, tb_dtype *common)
{
    const tb_array *first = n > 0 && tbpy_check(items[0]) ? tbpy_array(items[0]) : NULL;
    if (!first || tb_array_ndim(first) == TB_MAXDIM) return false;
    *common = tb_array_dtype(first);
    for (Py_ssize_t i = 1; i < n; i++) {
        if (!tbpy_check(items[i])) return false;
        const tb_array *a = tbpy_array(items[i]);
        if (tb_array_ndim(a) != tb_array_ndim(first) ||
            memcmp(tb_array_shape(a), tb_array_shape(first), sizeof(int64_t) * (size_t)tb_array_ndim(a)) != 0)
            return false;
        *common = tb_promote(*common, tb_array_dtype(a));
        if (*common == TB_NODTYPE) return false; /* NumPy says what is wrong */
    }
    return true;
}

static PyObject *stack(PyObject *const *items, Py_ssize_t n, tb_dtype t, char order)
{
    const tb_array *first = tbpy_array(items[0]);
    for (Py_ssize_t i = 0; i < n; i++)
        if (tbpy_warn_complex(tb_array_dtype(tbpy_array(items[i])), t) < 0) return NULL;
    int64_t shape[TB_MAXDIM] = {n};
    memcpy(shape + 1, tb_array_shape(first), sizeof(int64_t) * (size_t)tb_array_ndim(first));
    tb_array *r;
    TBPY_TRY(tb_empty(t, tb_array_ndim(first) + 1, shape, order == 'F' ? 'F' : 'C', &r));
    for (Py_ssize_t i = 0; i < n; i++) {
        tb_index at = {.kind = TB_INDEX_INT, .start = i};
        tb_array *row;
        tb_status st = tb_array_index(r, 1, &at, &row);
        if (st == TB_OK) {
            st = tb_assign(row, tbpy_array(items[i]), TB_CAST_UNSAFE);
            tb_array_release(row);
        }
        if (st != TB_OK) {
            tb_array_release(r);
            return tbpy_raise(st);
        }
    }
    return tbpy_wrap(r);
}

/* The items as a tuple, in which objects over device memory are ndarrays. */
static PyObject *device_items(PyObject *o)
{
    PyObject *items = tbpy_items(o, "a list is expected"), *r = items ? PyTuple_New(PyTuple_GET_SIZE(items)) : NULL;
    for (Py_ssize_t i = 0; r && i < PyTuple_GET_SIZE(items); i++) {
        PyObject *x = device_item(PyTuple_GET_ITEM(items, i));
        if (!x) Py_CLEAR(r);
        else PyTuple_SET_ITEM(r, i, x);
    }
    Py_XDECREF(items);
    return r;
}

static PyObject *from_sequence(PyObject *o, tb_dtype t, char order)
{
    PyObject *r = NULL;
    if (PyList_CheckExact(o) || PyTuple_CheckExact(o)) {
        int done;
        Py_BEGIN_CRITICAL_SECTION(o);
        done = from_flat(o, t, &r);
        Py_END_CRITICAL_SECTION();
        if (done != 0) return done > 0 ? r : NULL;
    }
    if (!holds_ndarray(o, 0)) return through_numpy(o, t, order);
    PyObject *items = device_items(o), *host = NULL;
    if (!items) return NULL;
    tb_dtype common;
    const Py_ssize_t n = PyTuple_GET_SIZE(items);
    if (stackable(((PyTupleObject *)items)->ob_item, n, &common))
        r = stack(((PyTupleObject *)items)->ob_item, n, t == TB_NODTYPE ? common : t, order);
    else if ((host = with_host_arrays(items, 0))) r = through_numpy(host, t, order);
    Py_XDECREF(host);
    Py_DECREF(items);
    return r;
}

/* ---- any object -------------------------------------------------------------------------------------------------- */

PyObject *tbpy_array_from(PyObject *o, tb_dtype t, char order, tbpy_copy_mode copy, bool subok)
{
    if (tbpy_check(o)) return tbpy_array_cast(o, t, order, copy, subok);
    PyObject *r;
    if (!PyList_Check(o) && !PyTuple_Check(o)) {
        int found = 0;
        tb_scalar s;
        if (!tbpy_is_host_array(o)) {
            int number = tbpy_element(o, t, &s);
            if (number < 0) return NULL;
            if (number && copy == TBPY_COPY_NEVER) return no_copy_possible();
            if (number) return from_scalar(s, t);
            found = tbpy_from_device_protocol(o, &r);
        }
        if (found < 0) return NULL;
        if (found) {
            PyObject *cast = tbpy_array_cast(r, t, order, copy, subok);
            Py_DECREF(r);
            return cast;
        }
    }
    if (copy == TBPY_COPY_NEVER) return no_copy_possible();
    if (tbpy_is_host_array(o)) return from_host(o, t, order);
    return PyList_Check(o) || PyTuple_Check(o) ? from_sequence(o, t, order) : through_numpy(o, t, order);
}

PyObject *tbpy_asarray(PyObject *o)
{
    return tbpy_check(o) ? Py_NewRef(o) : tbpy_array_from(o, TB_NODTYPE, 'K', TBPY_COPY_IF_NEEDED, true);
}

PyObject *tbpy_mask(PyObject *o, const char *who)
{
    const bool is_array = tbpy_check(o) || tbpy_is_host_array(o) || is_device_array(o);
    PyObject *m = tbpy_array_from(o, is_array ? TB_NODTYPE : TB_BOOL, 'K', TBPY_COPY_IF_NEEDED, true);
    if (m == NULL || tb_array_dtype(tbpy_array(m)) == TB_BOOL) return m;
    PyErr_Format(PyExc_TypeError, "%s: where must be a bool array, not %s", who,
                 tb_dtype_name(tb_array_dtype(tbpy_array(m))));
    Py_DECREF(m);
    return NULL;
}

PyObject *tbpy_device_array(PyObject *o)
{
    tb_scalar s;
    if (tbpy_check(o)) return Py_NewRef(o);
    int r = tbpy_scalar(o, &s);
    if (r < 0) return NULL;
    if (r) return from_scalar(s, TB_NODTYPE);
    PyObject *a;
    r = tbpy_is_host_array(o) || PyList_Check(o) || PyTuple_Check(o) ? 0 : tbpy_from_device_protocol(o, &a);
    if (r > 0) return a;
    if (r == 0) PyErr_Format(PyExc_TypeError, "Unsupported type %R", Py_TYPE(o));
    return NULL;
}
