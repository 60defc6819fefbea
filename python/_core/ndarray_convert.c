/* ndarray_convert.c - ndarrays to host arrays, Python numbers, bytes, text, pickles, other dtypes, and copies. */
#include "ndarray.h"

/* ---- get, set ---------------------------------------------------------------------------------------------------- */

static bool same_shape(const Py_buffer *view, const tb_array *a)
{
    if (view->ndim != tb_array_ndim(a)) return false;
    for (int i = 0; i < view->ndim; i++)
        if (view->shape[i] != tb_array_shape(a)[i]) return false;
    return true;
}

/* Whether d, which is the library's t, is an array's dtype: those that differ in what does not count here are. */
static int same_dtype(PyObject *d, tb_dtype t, tb_dtype own)
{
    if (t == own || !tbpy_is_record(t) || !tbpy_is_record(own)) return t == own;
    PyObject *mine = tbpy_dtype_object(own);
    return mine ? PyObject_RichCompareBool(d, mine, Py_EQ) : -1;
}

/* dtype and shape of a host array that is to receive or give a's numbers. */
static int check_host(PyObject *host, const tb_array *a, bool writable, const char *verb)
{
    PyObject *d = tbpy_host_dtype(host);
    tb_dtype t;
    if (!d) return -1;
    if (tbpy_dtype_parse(d, &t) < 0) {
        PyErr_Clear();
        t = TB_NODTYPE;
    }
    const int fits = same_dtype(d, t, tb_array_dtype(a));
    if (fits <= 0) {
        if (fits == 0)
            PyErr_Format(PyExc_TypeError, "%S array cannot be %s %s array", d, verb, tb_dtype_name(tb_array_dtype(a)));
        Py_DECREF(d);
        return -1;
    }
    Py_DECREF(d);
    Py_buffer view;
    if (PyObject_GetBuffer(host, &view, writable ? PyBUF_STRIDES | PyBUF_WRITABLE : PyBUF_STRIDES) < 0) return -1;
    bool same = same_shape(&view, a);
    PyBuffer_Release(&view);
    if (same) return 0;
    PyObject *want = tbpy_shape_tuple(a), *got = PyObject_GetAttrString(host, "shape");
    if (want && got) PyErr_Format(PyExc_ValueError, "Shape mismatch. Expected shape: %S, actual shape: %S", want, got);
    Py_XDECREF(want);
    Py_XDECREF(got);
    return -1;
}

static PyObject *get(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"stream", "order", "out", "blocking", NULL};
    PyObject *v[4];
    if (nargs == 0 && !kwnames) return tbpy_get(self, 'C');
    if (tbpy_parse("get", names, 0, 4, args, nargs, kwnames, v) < 0) return NULL;
    tb_array *a = tbpy_array(self);
    tb_stream *s = NULL;
    char order = 'C';
    bool blocking = true;
    if (tbpy_stream_arg(v[0], &s) < 0 || tbpy_order(v[1], &order) < 0 || tbpy_bool_arg(v[3], &blocking) < 0)
        return NULL;
    PyObject *out = v[2];
    if (out && out != Py_None) {
        if (!tbpy_is_host_array(out)) {
            PyErr_SetString(PyExc_TypeError, "Only numpy.ndarray can be obtained from tombac.ndarray");
            return NULL;
        }
        if (check_host(out, a, true, "obtained from") < 0) return NULL;
        Py_INCREF(out);
    } else {
        bool f = order == 'F' || (order != 'C' && tb_array_is_f_contiguous(a) && !tb_array_is_c_contiguous(a));
        out = tbpy_host_empty(tb_array_ndim(a), tb_array_shape(a), tb_array_dtype(a), f ? 'F' : 'C');
    }
    if (out && tbpy_get_into(a, out, s, blocking) < 0) Py_CLEAR(out);
    return out;
}

static PyObject *set(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"arr", "stream", NULL};
    PyObject *v[2];
    tb_stream *s = NULL;
    if (tbpy_parse("set", names, 1, 2, args, nargs, kwnames, v) < 0 || tbpy_stream_arg(v[1], &s) < 0) return NULL;
    if (!tbpy_is_host_array(v[0])) {
        PyErr_SetString(PyExc_TypeError, "Only numpy.ndarray can be set to tombac.ndarray");
        return NULL;
    }
    tb_array *a = tbpy_array(self);
    if (check_host(v[0], a, false, "set to") < 0) return NULL;
    Py_buffer view;
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    if (tbpy_host_view(v[0], false, &view, shape, strides) < 0) return NULL;
    tb_status st;
    TBPY_UNLOCKED(st, tb_array_set(a, view.buf, strides, s, true));
    PyBuffer_Release(&view);
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

/* ---- Python numbers ---------------------------------------------------------------------------------------------- */

static PyObject *element(tb_array *a)
{
    double number[2]; /* room for a complex128 */
    tb_status st;
    const tb_dtype t = tb_array_dtype(a);
    if (tbpy_is_record(t)) return tbpy_record_element(a);
    const void *there = tb_array_peek(a);
    if (there) return tbpy_number(there, t);
    if (tb_array_is_pending(a) || tb_host_func_pending()) TBPY_UNLOCKED(st, tb_array_get(a, number, NULL, NULL, true));
    else st = tb_array_get(a, number, NULL, NULL, true);
    if (st != TB_OK) return tbpy_raise(st);
    return tbpy_number(number, t);
}

PyObject *tbpy_only_element(PyObject *self)
{
    tb_array *a = tbpy_array(self);
    if (tb_array_ndim(a) == 0) return element(a);
    if (tb_array_size(a) != 1) {
        PyErr_SetString(PyExc_ValueError, "can only convert an array of size 1 to a Python scalar");
        return NULL;
    }
    const bool record = tbpy_is_record(tb_array_dtype(a));
    if (tb_array_peek(a) && !record) return element(a);
    tb_array *flat;
    bool copied;
    TBPY_TRY(tb_reshape(a, 0, &(int64_t){0}, 'C', &copied, &flat));
    PyObject *r = element(flat);
    tb_array_release(flat);
    return r;
}

static PyObject *zero_dim_element(PyObject *self)
{
    if (tb_array_ndim(tbpy_array(self)) == 0) return element(tbpy_array(self));
    PyErr_SetString(PyExc_TypeError, "only 0-dimensional arrays can be converted to Python scalars");
    return NULL;
}

/* Whether one number at p is not 0; -1 where it takes more than a look at its bits. */
static int is_set(const void *p, tb_dtype t)
{
    uint64_t bits = 0;
    if (tbpy_is_record(t) || tb_dtype_kind(t) == TB_KIND_COMPLEX) return -1;
    const size_t size = tb_dtype_size(t);
    memcpy(&bits, p, size);
    if (tb_dtype_kind(t) == TB_KIND_FLOAT) bits &= ~(1ull << (8 * size - 1)); /* of -0.0 */
    return bits != 0;
}

static int to_bool(PyObject *self)
{
    const tb_array *a = tbpy_array(self);
    if (tb_array_ndim(a) > 0 && tb_array_size(a) != 1) {
        PyErr_SetString(PyExc_ValueError,
                        tb_array_size(a) == 0
                            ? "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
                              "array is not empty."
                            : "The truth value of an array with more than one element is ambiguous. Use a.any() or "
                              "a.all()");
        return -1;
    }
    const void *there = tb_array_peek(a);
    int r = there ? is_set(there, tb_array_dtype(a)) : -1;
    if (r >= 0) return r;
    PyObject *x = tbpy_only_element(self);
    r = x ? PyObject_IsTrue(x) : -1;
    Py_XDECREF(x);
    return r;
}

int tbpy_number_arg(const char *who, PyObject *o, tb_scalar *out)
{
    int r = tbpy_scalar(o, out);
    if (r != 0) return r < 0 ? -1 : 0;
    if (!tbpy_check(o) || tb_array_size(tbpy_array(o)) != 1) {
        PyErr_Format(PyExc_TypeError, "%s: a number is expected, not %R", who, Py_TYPE(o));
        return -1;
    }
    PyObject *x = tbpy_only_element(o);
    r = x ? tbpy_scalar(x, out) : -1;
    Py_XDECREF(x);
    if (r < 0) return -1;
    if (out->dtype != tb_array_dtype(tbpy_array(o)))
        TBPY_TRY_INT(tb_scalar_cast(*out, tb_array_dtype(tbpy_array(o)), out));
    out->weak = false;
    return 0;
}

static PyObject *convert_element(PyObject *self, PyObject *(*convert)(PyObject *))
{
    PyObject *x = zero_dim_element(self);
    if (x && (convert == PyNumber_Float ? PyFloat_CheckExact(x) : PyLong_CheckExact(x))) return x;
    PyObject *r = x ? convert(x) : NULL;
    Py_XDECREF(x);
    return r;
}

bool tbpy_plain_double(PyObject *o, double *out)
{
    if (!tbpy_check_exact(o)) return false;
    const tb_array *a = tbpy_array(o);
    const void *at = tb_array_ndim(a) == 0 && tb_array_dtype(a) == TB_F64 ? tb_array_peek(a) : NULL;
    if (at) memcpy(out, at, sizeof *out);
    return at != NULL;
}

static PyObject *to_int(PyObject *self) { return convert_element(self, PyNumber_Long); }

/* Without a look at the array twice, or an object of Python's between. */
static PyObject *to_float(PyObject *self)
{
#define NUMBER(T, type)                                 \
    case T: {                                           \
        type x;                                         \
        memcpy(&x, p, sizeof x);                        \
        return PyFloat_FromDouble((double)x);           \
    }
    tb_array *a = tbpy_array(self);
    const void *p = tb_array_ndim(a) == 0 ? tb_array_peek(a) : NULL;
    switch (p ? tb_array_dtype(a) : TB_NODTYPE) {
        NUMBER(TB_I8, int8_t)
        NUMBER(TB_U8, uint8_t)
        NUMBER(TB_I16, int16_t)
        NUMBER(TB_U16, uint16_t)
        NUMBER(TB_I32, int32_t)
        NUMBER(TB_U32, uint32_t)
        NUMBER(TB_I64, int64_t)
        NUMBER(TB_U64, uint64_t)
        NUMBER(TB_F32, float)
        NUMBER(TB_F64, double)
    default: return convert_element(self, PyNumber_Float);
    }
#undef NUMBER
}

static PyObject *to_index(PyObject *self)
{
    const tb_array *a = tbpy_array(self);
    if (tb_array_ndim(a) != 0 || tb_dtype_kind(tb_array_dtype(a)) != TB_KIND_INT) {
        PyErr_SetString(PyExc_TypeError, "only integer scalar arrays can be converted to a scalar index");
        return NULL;
    }
    return zero_dim_element(self);
}

static PyObject *to_complex(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *x = zero_dim_element(self);
    if (!x) return NULL;
    Py_complex c = PyComplex_AsCComplex(x);
    Py_DECREF(x);
    return c.real == -1 && PyErr_Occurred() ? NULL : PyComplex_FromCComplex(c);
}

static PyObject *tuple_of(PyObject *const *items, Py_ssize_t n)
{
    PyObject *t = PyTuple_New(n);
    for (Py_ssize_t i = 0; t && i < n; i++) PyTuple_SET_ITEM(t, i, Py_NewRef(items[i]));
    return t;
}

/* The element with an index for each axis. */
static PyObject *element_at(tb_array *a, const int64_t *at)
{
    int n = tb_array_ndim(a);
    const int64_t *shape = tb_array_shape(a), *strides = tb_array_strides(a);
    const char *there = tbpy_is_record(tb_array_dtype(a)) ? NULL : tb_array_peek(a);
    for (int i = 0; i < n && there; i++) {
        int64_t k = at[i] < 0 ? at[i] + shape[i] : at[i];
        there = k >= 0 && k < shape[i] ? there + k * strides[i] : NULL;
    }
    if (there) return tbpy_number(there, tb_array_dtype(a));
    tb_index key[TB_MAXDIM];
    for (int i = 0; i < n; i++) key[i] = (tb_index){.kind = TB_INDEX_INT, .start = at[i]};
    tb_array *one;
    TBPY_TRY(tb_array_index(a, n, key, &one));
    PyObject *r = element(one);
    tb_array_release(one);
    return r;
}

/* item(i) counts in C order; item(i, j, ...) and item((i, j, ...)) have one index an axis. */
static PyObject *item(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *a = tbpy_array(self);
    int n, ndim = tb_array_ndim(a);
    int64_t at[TB_MAXDIM];
    if (nargs == 0) return tbpy_only_element(self);
    if (nargs == 1 && ndim == 1 && PyLong_CheckExact(args[0])) {
        at[0] = PyLong_AsSsize_t(args[0]);
        if (at[0] == -1 && PyErr_Occurred()) PyErr_Clear(); /* tbpy_shape will tell */
        else return element_at(a, at);
    }
    PyObject *index = nargs == 1 ? Py_NewRef(args[0]) : tuple_of(args, nargs);
    int parsed = index ? tbpy_shape(index, &n, at) : -1;
    Py_XDECREF(index);
    if (parsed < 0) return NULL;
    if (n == 1 && ndim != 1) {
        int64_t flat = at[0], size = tb_array_size(a);
        if (flat < -size || flat >= size)
            return PyErr_Format(PyExc_IndexError, "index %lld is out of bounds for size %lld", (long long)flat,
                                (long long)size);
        flat += flat < 0 ? size : 0;
        for (int i = ndim - 1; i >= 0; i--) {
            at[i] = flat % tb_array_shape(a)[i];
            flat /= tb_array_shape(a)[i];
        }
        n = ndim;
    }
    if (n != ndim) {
        PyErr_SetString(PyExc_ValueError, "incorrect number of indices for array");
        return NULL;
    }
    return element_at(a, at);
}

/* ---- what the host array can do already ------------------------------------------------------------------------- */

/* self.get(order='A').<name>(*args, **kwargs) */
static PyObject *host_method(PyObject *self, const char *name, PyObject *args, PyObject *kwargs)
{
    PyObject *host = tbpy_get(self, 'A');
    PyObject *f = host ? PyObject_GetAttrString(host, name) : NULL;
    PyObject *r = f ? PyObject_Call(f, args, kwargs) : NULL;
    Py_XDECREF(f);
    Py_XDECREF(host);
    return r;
}

#define HOST_METHOD(name) \
    static PyObject *name(PyObject *self, PyObject *args, PyObject *kwargs) \
    { \
        return host_method(self, #name, args, kwargs); \
    }
HOST_METHOD(tofile)
HOST_METHOD(dump)
HOST_METHOD(dumps)
HOST_METHOD(__format__)

/* Of an array in C order, by default, what is in its memory. */
static PyObject *tobytes(PyObject *self, PyObject *args, PyObject *kwargs)
{
    tb_array *a = tbpy_array(self);
    const void *there = tb_array_peek(a);
    if (!there || PyTuple_GET_SIZE(args) > 0 || kwargs || !tb_array_is_c_contiguous(a))
        return host_method(self, "tobytes", args, kwargs);
    return PyBytes_FromStringAndSize(there, tb_array_size(a) * (Py_ssize_t)tb_dtype_size(tb_array_dtype(a)));
}

/* The elements from an index of the first d axes on, of which the first is there. */
static PyObject *list_of(const tb_array *a, int d, const char *there)
{
    const int64_t n = tb_array_shape(a)[d], stride = tb_array_strides(a)[d];
    const bool last = d + 1 == tb_array_ndim(a);
    const tb_dtype t = tb_array_dtype(a);
    PyObject *list = PyList_New(n);
    for (int64_t i = 0; list && i < n; i++, there += stride) {
        PyObject *x = last ? tbpy_number(there, t) : list_of(a, d + 1, there);
        if (x) PyList_SET_ITEM(list, i, x);
        else Py_CLEAR(list);
    }
    return list;
}

static PyObject *tolist(PyObject *self, PyObject *unused)
{
    (void)unused;
    const tb_array *a = tbpy_array(self);
    if (tb_array_ndim(a) == 0) return element(tbpy_array(self));
    const void *there = tbpy_is_record(tb_array_dtype(a)) ? NULL : tb_array_peek(a);
    if (there) return list_of(a, 0, there);
    PyObject *host = tbpy_get(self, 'A');
    PyObject *r = host ? PyObject_CallMethod(host, "tolist", NULL) : NULL;
    Py_XDECREF(host);
    return r;
}

static PyObject *repr(PyObject *self)
{
    PyObject *host = tbpy_get(self, 'A');
    PyObject *r = host ? PyObject_Repr(host) : NULL;
    Py_XDECREF(host);
    return r;
}

static PyObject *str(PyObject *self)
{
    PyObject *host = tbpy_get(self, 'A');
    PyObject *r = host ? PyObject_Str(host) : NULL;
    Py_XDECREF(host);
    return r;
}

static PyObject *reduce(PyObject *self, PyObject *unused)
{
    static PyObject *array;
    (void)unused;
    if (!tbpy_import(&array, "tombac._core", "array")) return NULL;
    PyObject *host = tbpy_get(self, 'A');
    return host ? Py_BuildValue("O(N)", array, host) : NULL;
}

/* ---- astype, copy ------------------------------------------------------------------------------------------------ */

int tbpy_warn_complex(tb_dtype from, tb_dtype to)
{
    static PyObject *category;
    if (tb_dtype_kind(from) != TB_KIND_COMPLEX || tb_dtype_kind(to) == TB_KIND_COMPLEX || to == TB_BOOL) return 0;
    if (!tbpy_import(&category, "numpy.exceptions", "ComplexWarning")) return -1;
    return PyErr_WarnEx(category, "Casting complex values to real discards the imaginary part", 1);
}

static PyObject *astype(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"dtype", "order", "casting", "subok", "copy", NULL};
    PyObject *v[5];
    tb_array *a = tbpy_array(self), *r;
    tb_dtype t;
    char order = 'K';
    tb_casting casting = TB_CAST_UNSAFE;
    bool subok = true, copy = true;
    if (tbpy_parse("astype", names, 1, 5, args, nargs, kwnames, v) < 0 || tbpy_dtype_parse(v[0], &t) < 0 ||
        tbpy_order(v[1], &order) < 0 || tbpy_casting(v[2], &casting) < 0 || tbpy_bool_arg(v[3], &subok) < 0 ||
        tbpy_bool_arg(v[4], &copy) < 0 || tbpy_warn_complex(tb_array_dtype(a), t) < 0)
        return NULL;
    TBPY_TRY(tb_astype(a, t, order, casting, copy, &r));
    if (r == a) {
        tb_array_release(r);
        return Py_NewRef(self);
    }
    return subok ? tbpy_wrap_like(r, self) : tbpy_wrap(r);
}

static PyObject *copy_in_order(PyObject *self, char order)
{
    int here;
    TBPY_TRY(tb_device_current(&here));
    if (tb_array_device(tbpy_array(self)) != here)
        return tbpy_array_cast(self, TB_NODTYPE, order, TBPY_COPY_ALWAYS, true);
    tb_array *r;
    TBPY_TRY(tb_copy(tbpy_array(self), order, &r));
    return tbpy_wrap_like(r, self);
}

static PyObject *copy(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"order", NULL};
    PyObject *v[1];
    char order = 'C';
    if (tbpy_parse("copy", names, 0, 1, args, nargs, kwnames, v) < 0 || tbpy_order(v[0], &order) < 0) return NULL;
    return copy_in_order(self, order);
}

static PyObject *copy_protocol(PyObject *self, PyObject *unused)
{
    (void)unused;
    return copy_in_order(self, 'K');
}

/* The copy to another device, on the stream if one is given. */
static PyObject *bring(PyObject *self, tb_stream *s)
{
    tb_stream *before;
    if (!s) return tbpy_array_cast(self, TB_NODTYPE, 'K', TBPY_COPY_IF_NEEDED, true);
    TBPY_TRY(tb_stream_current(&before));
    tb_stream_retain(before);
    tb_status st = tb_stream_use(s);
    PyObject *r = st == TB_OK ? bring(self, NULL) : tbpy_raise(st);
    if (st == TB_OK) tb_stream_use(before);
    tb_stream_release(before);
    return r;
}

static PyObject *to_device(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"device", "stream", NULL};
    PyObject *v[2];
    tb_stream *s = NULL;
    int before;
    if (tbpy_parse("to_device", names, 1, 1, args, nargs, kwnames, v) < 0 || tbpy_stream_arg(v[1], &s) < 0 ||
        tbpy_use_device("to_device", v[0], &before) < 0)
        return NULL;
    return tbpy_back_on(before, bring(self, s));
}

PyType_Slot tbpy_convert_slots[] = {
    {Py_nb_bool, to_bool}, {Py_nb_int, to_int}, {Py_nb_float, to_float}, {Py_nb_index, to_index}, {Py_tp_repr, repr},
    {Py_tp_str, str},      {0, NULL},
};

#define FAST(f) (PyCFunction)(void (*)(void))f, METH_FASTCALL | METH_KEYWORDS
#define HOST(f) (PyCFunction)(void (*)(void))f, METH_VARARGS | METH_KEYWORDS

PyMethodDef tbpy_convert_methods[] = {
    {"get", FAST(get),
     "get($self, stream=None, order='C', out=None, blocking=True)\n--\n\nThe numbers as a numpy.ndarray.\n\n"
     "Args:\n    stream: The stream to copy on; the current one if None.\n"
     "    order ({'C', 'F', 'A'}): Layout of the result.\n"
     "    out (numpy.ndarray): Array to copy to, of the same shape and dtype.\n"
     "    blocking (bool): False: return before the copy is complete."},
    {"set", FAST(set),
     "set($self, arr, stream=None)\n--\n\nCopies a numpy.ndarray of the same shape and dtype into this array."},
    {"item", (PyCFunction)(void (*)(void))item, METH_FASTCALL,
     "item($self, *args)\n--\n\nOne element as a Python number."},
    {"tolist", tolist, METH_NOARGS, "tolist($self)\n--\n\nThe elements as nested lists of Python numbers."},
    {"tobytes", HOST(tobytes), "tobytes($self, order='C')\n--\n\nThe elements as bytes."},
    {"tofile", HOST(tofile), "tofile($self, fid, sep='', format='%s')\n--\n\nWrites the elements to a file."},
    {"dump", HOST(dump), "dump($self, file)\n--\n\nPickles the array, as a numpy.ndarray, to a file."},
    {"dumps", HOST(dumps), "dumps($self)\n--\n\nThe array, as a numpy.ndarray, pickled to bytes."},
    {"astype", FAST(astype),
     "astype($self, dtype, order='K', casting='unsafe', subok=True, copy=True)\n--\n\n"
     "A copy of another dtype. copy=False gives the array itself where nothing has to change."},
    {"to_device", FAST(to_device),
     "to_device($self, device, /, *, stream=None)\n--\n\n"
     "The array itself if it is on the device, else a copy there.\n\n"
     "Args:\n    device: A tombac.cuda.Device or its number.\n"
     "    stream: A stream of that device to copy on; its current one if None.\n\n"
     "Raises:\n    ValueError: ``device`` is none, or ``stream`` is one of another device.\n\n"
     ">>> x = tombac.arange(3)\n>>> x.to_device(x.device) is x\nTrue"},
    {"copy", FAST(copy), "copy($self, order='C')\n--\n\nA copy, on the current device."},
    {"__bytes__", HOST(tobytes), NULL},
    {"__copy__", copy_protocol, METH_NOARGS, NULL},
    {"__deepcopy__", copy_protocol, METH_O, NULL},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {"__format__", HOST(__format__), NULL},
    {"__complex__", to_complex, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
