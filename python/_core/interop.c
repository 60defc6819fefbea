/* interop.c - how ndarray meets NumPy and other libraries: __array_ufunc__, __array_function__, the refusal of implicit
 * conversion, and __cuda_array_interface__ both ways. */
#include "ndarray.h"

#include <stdatomic.h>

/* ---- NumPy's functions called on ndarrays ------------------------------------------------------------------------ */

static PyObject *array(PyObject *self, PyObject *args, PyObject *kwargs)
{
    (void)self, (void)args, (void)kwargs;
    PyErr_SetString(PyExc_TypeError, "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to "
                                     "construct a NumPy array explicitly.");
    return NULL;
}

static PyObject *tombac; /* the package */

/* Attribute `name` of o, or NotImplemented if it has none. */
static PyObject *attribute_or_not_implemented(PyObject *o, PyObject *name)
{
    PyObject *f = PyObject_GetAttr(o, name);
    if (f || !PyErr_ExceptionMatches(PyExc_AttributeError)) return f;
    PyErr_Clear();
    Py_RETURN_NOTIMPLEMENTED;
}

/* The module of tombac that stands where NumPy's module `name` does; NotImplemented if there is none. */
static PyObject *counterpart(PyObject *name)
{
    PyObject *m = Py_XNewRef(tbpy_package(&tombac, "tombac"));
    if (!m || !PyUnicode_Check(name)) return m;
    PyObject *dot = PyUnicode_FromString(".");
    PyObject *parts = dot ? PyUnicode_Split(name, dot, -1) : NULL;
    Py_XDECREF(dot);
    if (!parts) Py_CLEAR(m);
    for (Py_ssize_t i = 1; m && m != Py_NotImplemented && i < PyList_GET_SIZE(parts); i++)
        Py_SETREF(m, attribute_or_not_implemented(m, PyList_GET_ITEM(parts, i)));
    Py_XDECREF(parts);
    return m;
}

/* NumPy hands over out= as a tuple; functions of one result take the array itself. */
static PyObject *without_out_tuple(PyObject *kwargs)
{
    PyObject *copy = kwargs ? PyDict_Copy(kwargs) : PyDict_New();
    PyObject *out = copy ? PyDict_GetItemString(copy, "out") : NULL;
    if (out && PyTuple_Check(out) && PyTuple_GET_SIZE(out) == 1 &&
        PyDict_SetItemString(copy, "out", PyTuple_GET_ITEM(out, 0)) < 0)
        Py_CLEAR(copy);
    return copy;
}

static bool is_comparison(PyObject *name)
{
    static const char *const names[] = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, names[i]) == 0) return true;
    return false;
}

/* The inputs among __array_ufunc__'s arguments. Host arrays are refused, but comparison operators of NumPy's scalars
 * wrap these in 0-d arrays before they get here: with `scalars` such arrays become scalars again. */
static PyObject *device_inputs(PyObject *args, bool scalars)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args) - 2;
    PyObject *inputs = PyTuple_New(n), *none = scalars ? PyTuple_New(0) : NULL;
    for (Py_ssize_t i = 0; inputs && i < n; i++) {
        PyObject *o = Py_NewRef(PyTuple_GET_ITEM(args, i + 2));
        if (tbpy_is_host_array(o) && none) {
            /* a[()] is a scalar of a 0-d array, and an array otherwise. */
            Py_SETREF(o, PyObject_GetItem(o, none));
        }
        if (o && tbpy_is_host_array(o)) {
            PyErr_Format(PyExc_TypeError, "Unsupported type %R", Py_TYPE(o));
            Py_CLEAR(o);
        }
        if (o) PyTuple_SET_ITEM(inputs, i, o);
        else Py_CLEAR(inputs);
    }
    Py_XDECREF(none);
    return inputs;
}

bool tbpy_overrides_ufuncs(PyObject *o)
{
    PyObject *f = PyObject_GetAttrString((PyObject *)Py_TYPE(o), "__array_ufunc__");
    bool overrides = f && f != Py_None;
    Py_XDECREF(f);
    PyErr_Clear();
    return overrides;
}

/* Whether an input has an __array_ufunc__ of its own that knows better. */
static bool others_know_better(PyObject *args)
{
    for (Py_ssize_t i = 2; i < PyTuple_GET_SIZE(args); i++) {
        PyObject *o = PyTuple_GET_ITEM(args, i);
        if (!tbpy_check(o) && !tbpy_is_host_array(o) && !tbpy_is_numpy_scalar(o) && tbpy_overrides_ufuncs(o))
            return true;
    }
    return false;
}

static PyObject *array_ufunc(PyObject *self, PyObject *args, PyObject *kwargs)
{
    (void)self;
    if (PyTuple_GET_SIZE(args) < 2) {
        PyErr_SetString(PyExc_TypeError, "__array_ufunc__ takes a ufunc, a method and inputs");
        return NULL;
    }
    if (others_know_better(args)) Py_RETURN_NOTIMPLEMENTED;
    PyObject *ufunc = PyTuple_GET_ITEM(args, 0), *method = PyTuple_GET_ITEM(args, 1);
    PyObject *package = tbpy_package(&tombac, "tombac"), *name = PyObject_GetAttrString(ufunc, "__name__");
    PyObject *inputs = name ? device_inputs(args, is_comparison(name)) : NULL;
    PyObject *f = package && inputs ? attribute_or_not_implemented(package, name) : NULL, *r = NULL;
    if (f && f != Py_NotImplemented && PyUnicode_Check(method) &&
        PyUnicode_CompareWithASCIIString(method, "__call__") != 0)
        Py_SETREF(f, attribute_or_not_implemented(f, method));
    if (f == Py_NotImplemented) {
        /* NumPy's own message would show the arrays: long, and a reason to wait for them. */
        PyErr_Format(PyExc_TypeError, "tombac has no counterpart of the ufunc %R, method %R", name, method);
        Py_CLEAR(f);
    }
    Py_XDECREF(name);
    if (!f) {
        Py_XDECREF(inputs);
        return NULL;
    }
    PyObject *named = without_out_tuple(kwargs);
    if (named) r = PyObject_Call(f, inputs, named);
    Py_DECREF(inputs);
    Py_XDECREF(named);
    Py_DECREF(f);
    return r;
}

/* 1: all types are ndarray or its subclasses; 0: there are others; -1: error. */
static int only_ndarrays(PyObject *types)
{
    PyObject *items = tbpy_items(types, "types must be a sequence");
    if (!items) return -1;
    int r = 1;
    for (Py_ssize_t i = 0; r && i < PyTuple_GET_SIZE(items); i++) {
        PyObject *t = PyTuple_GET_ITEM(items, i);
        r = PyType_Check(t) && PyType_IsSubtype((PyTypeObject *)t, tbpy_array_type);
    }
    Py_DECREF(items);
    return r;
}

/* f with the arguments of NumPy's function `name`, of which some have other names or places. Only those that are named,
 * and those of calls with more than three, may have. */
static PyObject *call_dispatched(PyObject *f, PyObject *name, PyObject *inputs, PyObject *named)
{
    static PyObject *translate;
    if (PyDict_GET_SIZE(named) == 0 && PyTuple_GET_SIZE(inputs) <= 3) return PyObject_Call(f, inputs, named);
    PyObject *ours = tbpy_package(&translate, "dispatched_arguments")
                         ? PyObject_CallFunctionObjArgs(translate, name, inputs, named, NULL)
                         : NULL;
    PyObject *r = ours ? PyObject_Call(f, PyTuple_GET_ITEM(ours, 0), PyTuple_GET_ITEM(ours, 1)) : NULL;
    Py_XDECREF(ours);
    return r;
}

static PyObject *array_function(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *func, *types, *inputs, *named;
    if (!PyArg_ParseTuple(args, "OOO!O!", &func, &types, &PyTuple_Type, &inputs, &PyDict_Type, &named)) return NULL;
    int ours = only_ndarrays(types);
    if (ours < 0) return NULL;
    if (!ours) Py_RETURN_NOTIMPLEMENTED;
    PyObject *module = PyObject_GetAttrString(func, "__module__"), *name = PyObject_GetAttrString(func, "__name__");
    PyObject *m = module && name ? counterpart(module) : NULL;
    PyObject *f = m && m != Py_NotImplemented ? attribute_or_not_implemented(m, name) : Py_XNewRef(m);
    PyObject *r = f && f != Py_NotImplemented ? call_dispatched(f, name, inputs, named) : Py_XNewRef(f);
    Py_XDECREF(f);
    Py_XDECREF(m);
    Py_XDECREF(module);
    Py_XDECREF(name);
    return r;
}

/* ---- __cuda_array_interface__ ------------------------------------------------------------------------------------ */

/* What does not change from one dict to the next. */
static PyObject *typestrs[TB_NDTYPE], *fields[TB_NDTYPE]; /* "<f4"; ("", "<f4") */
enum { SHAPE, TYPESTR, DESCR, STREAM, VERSION, STRIDES, DATA, MASK, NKEYS };
static PyObject *keys[NKEYS];

static int prepare_keys(void)
{
    static const char *const names[NKEYS] = {"shape",   "typestr", "descr", "stream",
                                             "version", "strides", "data",  "mask"};
    for (int i = 0; i < NKEYS; i++)
        if (!tbpy_kept(&keys[i]) && !tbpy_keep(&keys[i], PyUnicode_InternFromString(names[i]))) return -1;
    return 0;
}

/* As ml_dtypes has it bfloat16 is "<V2", which nothing else is: bytes have no order. */
static int prepare_dtype(tb_dtype t)
{
    if (tbpy_kept(&fields[t])) return 0;
    const int size = (int)tb_dtype_size(t);
    PyObject *typestr =
        PyUnicode_FromFormat("%c%c%d", size == 1 ? '|' : '<', t == TB_BF16 ? 'V' : tbpy_dtype_kind(t), size);
    typestr = tbpy_keep(&typestrs[t], typestr);
    return typestr && tbpy_keep(&fields[t], Py_BuildValue("(sO)", "", typestr)) ? 0 : -1;
}

/* The new reference `value` becomes the dict's. */
static int put(PyObject *dict, int key, PyObject *value)
{
    int r = value ? PyDict_SetItem(dict, keys[key], value) : -1;
    Py_XDECREF(value);
    return r;
}

/* What the dict says of the elements. */
static PyObject *typestr_of(tb_dtype t)
{
    return tbpy_is_record(t) ? PyObject_GetAttrString(tbpy_dtype_object(t), "str") : Py_NewRef(typestrs[t]);
}

/* Of fields that are not in the order in which they lie there is none but that they are so many bytes. */
static PyObject *record_descr(PyObject *d)
{
    PyObject *descr = PyObject_GetAttrString(d, "descr");
    if (descr || !PyErr_ExceptionMatches(PyExc_ValueError)) return descr;
    PyErr_Clear();
    PyObject *text = PyObject_GetAttrString(d, "str");
    return text ? Py_BuildValue("[(sN)]", "", text) : NULL;
}

static PyObject *descr_of(tb_dtype t)
{
    if (tbpy_is_record(t)) return record_descr(tbpy_dtype_object(t));
    PyObject *list = PyList_New(1);
    if (list) PyList_SET_ITEM(list, 0, Py_NewRef(fields[t]));
    return list;
}

static PyObject *address_and_access(void *p, bool writable)
{
    PyObject *address = PyLong_FromVoidPtr(p), *pair = address ? PyTuple_New(2) : NULL;
    if (!pair) {
        Py_XDECREF(address);
        return NULL;
    }
    PyTuple_SET_ITEM(pair, 0, address);
    PyTuple_SET_ITEM(pair, 1, PyBool_FromLong(!writable));
    return pair;
}

/* What it announces is device memory, and other libraries would take the host's for that. They find DLPack instead. */
static bool is_announced(void)
{
    static atomic_int setting = -1;
    if (tb_init() == TB_OK && strcmp(tb_backend_name(), "cpu") != 0) return true;
    if (setting < 0) {
        const char *wanted = getenv("TOMBAC_CPU_CUDA_INTERFACE");
        setting = wanted && strcmp(wanted, "1") == 0;
    }
    return setting;
}

PyObject *tbpy_cuda_array_interface(PyObject *self, void *unused)
{
    (void)unused;
    tb_array *a = tbpy_array(self);
    tb_dtype t = tb_array_dtype(a);
    tb_stream *s;
    void *p = NULL;
    tb_status st;
    if (!is_announced()) {
        PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute '__cuda_array_interface__' on the CPU backend",
                     Py_TYPE(self)->tp_name);
        return NULL;
    }
    if (!keys[NKEYS - 1] && prepare_keys() < 0) return NULL;
    if (!tbpy_is_record(t) && !fields[t] && prepare_dtype(t) < 0) return NULL;
    TBPY_TRY(tb_stream_current(&s));
    TBPY_UNLOCKED_IF(tb_array_is_pending(a) ? tb_array_size(a) : 0, st, tb_array_share(a, &p));
    if (st != TB_OK) return tbpy_raise(st);
    uintptr_t stream = tb_stream_handle(s) ? tb_stream_handle(s) : 1; /* 1: the legacy default stream */
    bool contiguous = tb_array_is_c_contiguous(a);
    PyObject *r = PyDict_New();
    if (r && put(r, SHAPE, tbpy_shape_tuple(a)) == 0 && put(r, TYPESTR, typestr_of(t)) == 0 &&
        put(r, DESCR, descr_of(t)) == 0 && put(r, STREAM, PyLong_FromUnsignedLongLong(stream)) == 0 &&
        put(r, VERSION, PyLong_FromLong(3)) == 0 &&
        put(r, STRIDES, contiguous ? Py_NewRef(Py_None) : tbpy_strides_tuple(a)) == 0 &&
        put(r, DATA, address_and_access(tb_array_size(a) ? p : NULL, tb_array_is_writable(a))) == 0)
        return r;
    Py_XDECREF(r);
    return NULL;
}

void tbpy_drop_owner(void *owner)
{
    if (!Py_IsInitialized()) return;
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF((PyObject *)owner);
    PyGILState_Release(state);
}

/* What a __cuda_array_interface__ says. */
typedef struct interface {
    char *first;
    bool read_only, strided;
    tb_dtype dtype;
    int ndim;
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM]; /* strides in bytes, unless C order */
} interface;

static int refuse(const char *what)
{
    PyErr_Format(PyExc_ValueError, "__cuda_array_interface__: %s", what);
    return -1;
}

/* An entry of the dict, borrowed; NULL if it is missing or None. */
static PyObject *entry_of(PyObject *d, int key)
{
    PyObject *o = PyDict_GetItemWithError(d, keys[key]);
    return o == Py_None ? NULL : o;
}

/* The dtype that descr says, if it is one of as many bytes. */
static void read_fields(PyObject *descr, tb_dtype *t)
{
    static PyObject *cache;
    PyObject *f = tbpy_import(&cache, "numpy.lib.format", "descr_to_dtype");
    PyObject *d = f ? PyObject_CallOneArg(f, descr) : NULL;
    tb_dtype said;
    tb_record r;
    const bool fits = d && tbpy_dtype_parse(d, &said) == 0 && tb_dtype_size(said) == tb_dtype_size(*t);
    if (fits && tb_record_of(said, &r, sizeof r) == TB_OK && r.nfield > 0) *t = said;
    Py_XDECREF(d);
    PyErr_Clear();
}

static int read_typestr(PyObject *o, PyObject *descr, tb_dtype *out)
{
    if (!o || !PyUnicode_Check(o)) return refuse("typestr must be a string");
    if (PyUnicode_CompareWithASCIIString(o, "<V2") == 0) {
        *out = TB_BF16;
        return 0;
    }
    if (tbpy_dtype_parse(o, out) == 0) {
        if (tbpy_is_record(*out) && tbpy_dtype_kind(*out) == 'V' && descr) read_fields(descr, out);
        return 0;
    }
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "__cuda_array_interface__: typestr %R is not supported", o);
    return -1;
}

static int read_data(PyObject *o, interface *x)
{
    if (!o || !PyTuple_Check(o) || PyTuple_GET_SIZE(o) != 2) return refuse("data must be a pair: address, read-only");
    PyObject *address = PyTuple_GET_ITEM(o, 0);
    const int read_only = PyObject_IsTrue(PyTuple_GET_ITEM(o, 1));
    if (read_only < 0) return -1;
    x->read_only = read_only;
    x->first = NULL;
    if (address == Py_None) return 0;
    PyObject *number = PyNumber_Index(address);
    if (!number) return -1;
    x->first = (char *)(uintptr_t)PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    return PyErr_Occurred() ? -1 : 0;
}

/* As many byte strides as the shape has extents, NULL: C order. */
static int read_strides(PyObject *o, interface *x)
{
    x->strided = o != NULL;
    if (!o) return 0;
    if (!PyTuple_Check(o) || PyTuple_GET_SIZE(o) != x->ndim) return refuse("strides must be a tuple as long as shape");
    for (int i = 0; i < x->ndim; i++) {
        PyObject *stride = PyTuple_GET_ITEM(o, i);
        if (!PyIndex_Check(stride)) return refuse("strides must be integers");
        if (tbpy_int_arg(stride, &x->strides[i]) < 0) return -1;
    }
    return 0;
}

static int read_interface(PyObject *d, interface *x)
{
    PyObject *shape = entry_of(d, SHAPE), *version = entry_of(d, VERSION);
    if (!shape || !(PyTuple_Check(shape) || PyList_Check(shape))) return refuse("shape must be a tuple");
    if (version && !PyLong_Check(version)) return refuse("version must be an integer");
    if (entry_of(d, MASK)) return refuse("tombac does not support masked arrays");
    if (tbpy_shape(shape, &x->ndim, x->shape) < 0 ||
        read_typestr(entry_of(d, TYPESTR), entry_of(d, DESCR), &x->dtype) < 0)
        return -1;
    if (read_data(entry_of(d, DATA), x) < 0) return -1;
    return PyErr_Occurred() ? -1 : read_strides(entry_of(d, STRIDES), x);
}

static tb_status wait_for(tb_stream *later, tb_stream *earlier)
{
    tb_event *e;
    tb_status st = tb_event_new(TB_EVENT_NO_TIMING, &e);
    if (st != TB_OK) return st;
    st = tb_event_record(e, earlier);
    if (st == TB_OK) st = tb_stream_wait_event(later, e);
    tb_event_release(e);
    return st;
}

int tbpy_order_streams(PyObject *handle_arg, bool foreign_first)
{
    tb_stream *ours, *theirs;
    if (strcmp(tb_backend_name(), "cpu") == 0) return 0; /* work is done when a call returns */
    unsigned long long handle = PyLong_AsUnsignedLongLong(handle_arg);
    if (PyErr_Occurred()) return -1;
    TBPY_TRY_INT(tb_stream_current(&ours));
    if (handle == (tb_stream_handle(ours) ? tb_stream_handle(ours) : 1)) return 0;
    TBPY_TRY_INT(tb_stream_wrap((uintptr_t)handle, &theirs));
    tb_status st = foreign_first ? wait_for(ours, theirs) : wait_for(theirs, ours);
    tb_stream_release(theirs);
    return st == TB_OK ? 0 : tbpy_fail(st);
}

static PyObject *from_interface(PyObject *o, PyObject *d)
{
    interface x;
    int device;
    tb_array *a;
    if (!PyDict_Check(d)) {
        PyErr_SetString(PyExc_TypeError, "__cuda_array_interface__ must be a dict");
        return NULL;
    }
    if (!keys[NKEYS - 1] && prepare_keys() < 0) return NULL;
    if (read_interface(d, &x) < 0) return NULL;
    TBPY_TRY(tb_init());
    TBPY_TRY(tb_device_current(&device));
    PyObject *stream = entry_of(d, STREAM);
    if (stream && tbpy_order_streams(stream, true) < 0) return NULL;
    const int64_t *strides = x.strided ? x.strides : NULL;
    tb_status st =
        tb_from_memory(x.first, x.dtype, x.ndim, x.shape, strides, device, x.read_only, tbpy_drop_owner, o, &a);
    if (st == TB_ERR_VALUE) return refuse(tb_error_message()), NULL;
    if (st != TB_OK) return tbpy_raise(st);
    Py_INCREF(o);
    return tbpy_wrap(a);
}

/* An attribute of o that may be missing: 1: *out is set; 0: missing; -1: error. */
static int optional_attribute(PyObject *o, const char *name, PyObject **out)
{
    *out = PyObject_GetAttrString(o, name);
    if (*out) return 1;
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    PyErr_Clear();
    return 0;
}

int tbpy_from_device_protocol(PyObject *o, PyObject **out)
{
    PyObject *x;
    if (PyType_Check(o) || PyUnicode_Check(o) || PyBytes_Check(o) || o == Py_None) return 0;
    static const char *const getters[] = {"__tombac_get_ndarray__", "__cupy_get_ndarray__"};
    for (int i = 0; i < 2; i++) {
        int r = optional_attribute(o, getters[i], &x);
        if (r < 0) return -1;
        if (r == 0) continue;
        *out = PyObject_CallNoArgs(x);
        Py_DECREF(x);
        if (*out && !tbpy_check(*out)) {
            PyErr_Format(PyExc_TypeError, "%s of %R did not return an ndarray", getters[i], Py_TYPE(o));
            Py_CLEAR(*out);
        }
        return *out ? 1 : -1;
    }
    int r = optional_attribute(o, "__cuda_array_interface__", &x);
    if (r < 0) return -1;
    if (r > 0) {
        *out = from_interface(o, x);
        Py_DECREF(x);
        return *out ? 1 : -1;
    }
    r = optional_attribute(o, "__dlpack__", &x);
    if (r <= 0) return r;
    Py_DECREF(x);
    return tbpy_from_dlpack(o, out);
}

/* ---- small protocols --------------------------------------------------------------------------------------------- */

static PyObject *array_namespace(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"api_version", NULL};
    PyObject *v[1];
    static const char *const versions[] = {"2021.12", "2022.12", "2023.12", "2024.12"};
    bool known = false;
    (void)self;
    if (tbpy_parse("__array_namespace__", names, 0, 0, args, nargs, kwnames, v) < 0) return NULL;
    if (!v[0] || v[0] == Py_None) known = true;
    for (size_t i = 0; !known && PyUnicode_Check(v[0]) && i < sizeof versions / sizeof *versions; i++)
        known = PyUnicode_CompareWithASCIIString(v[0], versions[i]) == 0;
    if (known) return Py_XNewRef(tbpy_package(&tombac, "tombac"));
    return PyErr_Format(PyExc_ValueError,
                        "__array_namespace__: api_version must be a version of the Array API standard "
                        "from '2021.12' to '2024.12', not %R",
                        v[0]);
}

/* JAX asks for this before it looks for an interface of NumPy's, which refuses. */
static PyObject *jax_array(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    static PyObject *from_dlpack;
    return tbpy_import(&from_dlpack, "jax.dlpack", "from_dlpack") ? PyObject_CallOneArg(from_dlpack, self) : NULL;
}

/* Subclasses override it; what they inherit does nothing. */
static PyObject *array_finalize(PyObject *self, PyObject *obj)
{
    (void)self, (void)obj;
    Py_RETURN_NONE;
}

#define ANY(f) (PyCFunction)(void (*)(void))f, METH_VARARGS | METH_KEYWORDS

PyMethodDef tbpy_protocol_methods[] = {
    {"__array__", ANY(array), NULL},
    {"__array_ufunc__", ANY(array_ufunc), NULL},
    {"__array_function__", array_function, METH_VARARGS, NULL},
    {"__array_namespace__", (PyCFunction)(void (*)(void))array_namespace, METH_FASTCALL | METH_KEYWORDS,
     "__array_namespace__($self, *, api_version=None)\n--\n\nThe module whose functions work on this array: tombac."},
    {"__jax_array__", jax_array, METH_NOARGS, "__jax_array__($self)\n--\n\nA jax.Array over the same memory."},
    {"__array_finalize__", array_finalize, METH_O, "Called on every new object of a subclass."},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};
