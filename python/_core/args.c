/* args.c - argument parsing for METH_FASTCALL|METH_KEYWORDS functions, and the kinds of argument that many share. */
#include "core.h"

/* Whether it is one of a parameter's names, which bars part. */
static bool is_named(const char *names, const char *s)
{
    for (;;) {
        const char *p = s;
        while (*p && *p == *names) p++, names++;
        if (!*p && (!*names || *names == '|')) return true;
        while (*names && *names != '|') names++;
        if (!*names++) return false;
    }
}

static int keyword_slot(const char *const *names, PyObject *key)
{
    if (!PyUnicode_IS_COMPACT_ASCII(key)) return -1;
    const char *s = (const char *)PyUnicode_1BYTE_DATA(key);
    for (int i = 0; names[i]; i++)
        if (is_named(names[i], s)) return i;
    return -1;
}

int tbpy_parse(const char *who, const char *const *names, int nreq, int npos, PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames, PyObject **out)
{
    if (nargs > npos) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments (%zd given)", who, npos, nargs);
        return -1;
    }
    int n = 0;
    for (; names[n]; n++) out[n] = n < nargs ? args[n] : NULL;
    Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    for (Py_ssize_t k = 0; k < nkw; k++) {
        PyObject *key = PyTuple_GET_ITEM(kwnames, k);
        int i = keyword_slot(names, key);
        if (i < 0) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", who, key);
            return -1;
        }
        if (out[i]) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", who, key);
            return -1;
        }
        out[i] = args[nargs + k];
    }
    for (int i = 0; i < nreq; i++) {
        if (!out[i]) {
            PyObject *name = PyUnicode_FromStringAndSize(names[i], (Py_ssize_t)strcspn(names[i], "|"));
            if (name) PyErr_Format(PyExc_TypeError, "%s() missing required argument '%U' (pos %d)", who, name, i + 1);
            Py_XDECREF(name);
            return -1;
        }
    }
    return 0;
}

static bool has_ufuncs(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    /* Numbers, Python's and NumPy's, have no types of their own on the heap: nothing is looked up for them. */
    return PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) && !tbpy_check(o) &&
           PyObject_HasAttrString((PyObject *)type, "__tombac_ufunc__");
}

/* given[0].name(...) with what else was given; NULL without an exception: it has no such method. */
static PyObject *call_method(const char *name, const char *const *names, PyObject *const *given)
{
    PyObject *method = PyObject_GetAttrString(given[0], name);
    if (!method) {
        PyErr_Clear();
        return NULL;
    }
    PyObject *none = PyTuple_New(0), *named = PyDict_New(), *r = NULL;
    bool fine = none && named;
    for (int i = 1; fine && names[i]; i++)
        if (given[i] && given[i] != Py_None) fine = PyDict_SetItemString(named, names[i], given[i]) == 0;
    if (fine) r = PyObject_Call(method, none, named);
    Py_XDECREF(named);
    Py_XDECREF(none);
    Py_DECREF(method);
    return r;
}

PyObject *tbpy_host_method(const char *name, const char *const *names, PyObject *const *given)
{
    return tbpy_check(given[0]) || !tbpy_is_host_array(given[0]) ? NULL : call_method(name, names, given);
}

PyObject *tbpy_own_method(const char *name, const char *const *names, PyObject *const *given)
{
    return has_ufuncs(given[0]) ? call_method(name, names, given) : tbpy_host_method(name, names, given);
}

PyObject *tbpy_ask_operands(const char *ufunc, PyObject *const *operands, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *o = operands[i];
        if (!has_ufuncs(o)) continue;
        PyObject *f = PyObject_GetAttrString(o, "__tombac_ufunc__"), *args = f ? PyTuple_New(n + 1) : NULL, *r = NULL;
        PyObject *name = args ? PyUnicode_FromString(ufunc) : NULL;
        if (name) {
            PyTuple_SET_ITEM(args, 0, name);
            for (Py_ssize_t k = 0; k < n; k++) PyTuple_SET_ITEM(args, k + 1, Py_NewRef(operands[k]));
            r = PyObject_Call(f, args, NULL);
        }
        Py_XDECREF(args);
        Py_XDECREF(f);
        if (r != Py_NotImplemented) return r;
        Py_DECREF(r);
    }
    return NULL;
}

int tbpy_bool_arg(PyObject *o, bool *out)
{
    if (!o || o == Py_None) return 0;
    int r = PyObject_IsTrue(o);
    if (r < 0) return -1;
    *out = r;
    return 0;
}

int tbpy_order(PyObject *o, char *out)
{
    if (!o || o == Py_None) return 0;
    if (PyUnicode_Check(o) && PyUnicode_GET_LENGTH(o) == 1) {
        Py_UCS4 c = PyUnicode_READ_CHAR(o, 0);
        if (c >= 'a' && c <= 'z') c -= 'a' - 'A';
        if (c == 'C' || c == 'F' || c == 'A' || c == 'K') {
            *out = (char)c;
            return 0;
        }
        PyErr_Format(PyExc_ValueError, "order must be one of 'C', 'F', 'A', or 'K' (got %R)", o);
        return -1;
    }
    PyErr_Format(PyUnicode_Check(o) ? PyExc_ValueError : PyExc_TypeError,
                 "order must be one of 'C', 'F', 'A', or 'K' (got %R)", o);
    return -1;
}

int tbpy_c_or_f(PyObject *o, char *out)
{
    if (tbpy_order(o, out) < 0) return -1;
    if (*out == 'C' || *out == 'F') return 0;
    PyErr_SetString(PyExc_ValueError, "only 'C' or 'F' order is permitted");
    return -1;
}

int tbpy_casting(PyObject *o, tb_casting *out)
{
    static const char *const names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    if (!o || o == Py_None) return 0;
    if (!PyUnicode_Check(o)) {
        PyErr_Format(PyExc_TypeError, "casting must be a string, not %R", Py_TYPE(o));
        return -1;
    }
    for (int i = 0; i < 5; i++) {
        if (PyUnicode_CompareWithASCIIString(o, names[i]) == 0) {
            *out = (tb_casting)i;
            return 0;
        }
    }
    PyErr_Format(PyExc_ValueError, "casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' (got %R)",
                 o);
    return -1;
}

static int as_int64(PyObject *o, int64_t *out)
{
    if (PyLong_CheckExact(o)) {
        *out = PyLong_AsLongLong(o);
    } else {
        PyObject *i = PyNumber_Index(o);
        if (!i) return -1;
        *out = PyLong_AsLongLong(i);
        Py_DECREF(i);
    }
    return *out == -1 && PyErr_Occurred() ? -1 : 0;
}

int tbpy_int_arg(PyObject *o, int64_t *out)
{
    int64_t v;
    if (!o || o == Py_None) return 0;
    if (as_int64(o, &v) < 0) return -1;
    *out = v;
    return 0;
}

int tbpy_axis(PyObject *o, int *out)
{
    int64_t v;
    if (!o || o == Py_None) return 0;
    if (as_int64(o, &v) < 0) return -1;
    /* Whatever lies outside int is out of bounds for every array: any such value will be reported as that. */
    *out = v > 1 << 20 ? 1 << 20 : v < -(1 << 20) ? -(1 << 20) : (int)v;
    return 0;
}

PyObject *tbpy_items(PyObject *o, const char *message)
{
    PyObject *items = PySequence_Fast(o, message);
    if (!items || PyTuple_Check(items)) return items;
    PyObject *kept = PyList_AsTuple(items);
    Py_DECREF(items);
    return kept;
}

/* Integers of a tuple or list; `cap` at most. Returns their number or -1. */
static int sequence_of_ints(PyObject *o, const char *what, int cap, int64_t *out)
{
    PyObject *items = tbpy_items(o, what);
    if (!items) return -1;
    Py_ssize_t n = PyTuple_GET_SIZE(items);
    if (n > cap) {
        PyErr_Format(PyExc_ValueError, "maximum supported dimension for an ndarray is %d, found %zd", cap, n);
        n = -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (as_int64(PyTuple_GET_ITEM(items, i), &out[i]) < 0) {
            n = -1;
            break;
        }
    }
    Py_DECREF(items);
    return (int)n;
}

int tbpy_axes(PyObject *o, int *naxis, int *axes)
{
    if (!o || o == Py_None) {
        *naxis = -1;
        return 0;
    }
    if (!PyTuple_Check(o) && !PyList_Check(o)) {
        *naxis = 1;
        return tbpy_axis(o, axes);
    }
    int64_t v[TB_MAXDIM];
    int n = sequence_of_ints(o, "axis must be an integer or a tuple of integers", TB_MAXDIM, v);
    if (n < 0) return -1;
    for (int i = 0; i < n; i++) axes[i] = v[i] > 1 << 20 ? 1 << 20 : v[i] < -(1 << 20) ? -(1 << 20) : (int)v[i];
    *naxis = n;
    return 0;
}

/* A NumPy array of one or more dimensions; one of none is a number. */
static bool is_host_sequence(PyObject *o)
{
    if (!tbpy_is_host_array(o)) return false;
    Py_ssize_t n = PyObject_Size(o);
    if (n < 0) PyErr_Clear();
    return n >= 0;
}

/* NumPy reports a length beyond 64 bits as a bad value. */
static int bad_shape(PyObject *o)
{
    if (PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_ValueError, "shape: maximum allowed dimension exceeded (got %R)", o);
    return -1;
}

int tbpy_shape(PyObject *o, int *ndim, int64_t *shape)
{
    if (PyLong_CheckExact(o) || (!PyTuple_Check(o) && !PyList_Check(o) && PyIndex_Check(o) &&
                                 !(tbpy_check(o) && tb_array_ndim(tbpy_array(o)) > 0) && !is_host_sequence(o))) {
        if (as_int64(o, shape) < 0) return bad_shape(o);
        *ndim = 1;
        return 0;
    }
    if (o == Py_None) {
        PyErr_SetString(PyExc_TypeError, "None is no shape. Use () for an array of no dimensions");
        return -1;
    }
    if ((PyTuple_Check(o) || PyList_Check(o)) && Py_SIZE(o) > TB_MAXDIM) {
        PyErr_Format(PyExc_ValueError, "maximum supported dimension for an ndarray is %d, found %zd", TB_MAXDIM,
                     Py_SIZE(o));
        return -1;
    }
    int n = sequence_of_ints(o, "expected a sequence of integers or a single integer for the shape", TB_MAXDIM, shape);
    if (n < 0) return bad_shape(o);
    *ndim = n;
    return 0;
}

PyObject *tbpy_int_tuple(int n, const int64_t *v)
{
    PyObject *t = PyTuple_New(n);
    for (int i = 0; t && i < n; i++) {
        PyObject *x = PyLong_FromLongLong(v[i]);
        if (!x) Py_CLEAR(t);
        else PyTuple_SET_ITEM(t, i, x);
    }
    return t;
}

int tbpy_out_arg(PyObject *o, tb_array **out)
{
    if (o && PyTuple_Check(o) && PyTuple_GET_SIZE(o) == 1) o = PyTuple_GET_ITEM(o, 0);
    if (!o || o == Py_None) {
        *out = NULL;
        return 0;
    }
    if (!tbpy_check(o)) {
        PyErr_Format(PyExc_TypeError, "return arrays must be of type tombac.ndarray, not %R", Py_TYPE(o));
        return -1;
    }
    *out = tbpy_array(o);
    return 0;
}

const char *tbpy_text(PyObject *o)
{
    Py_ssize_t n;
    const char *text = PyUnicode_AsUTF8AndSize(o, &n);
    if (!text || strlen(text) == (size_t)n) return text;
    PyErr_SetString(PyExc_ValueError, "embedded null character");
    return NULL;
}

PyObject *tbpy_keep(PyObject **cache, PyObject *made)
{
    PyObject *first = NULL;
    if (!made || __atomic_compare_exchange_n(cache, &first, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    Py_DECREF(made);
    return first;
}

/* Its package first, which another thread may be in the middle of importing: Python would hold the module's lock while
 * it waits for the package, and the package, which imports the module, would wait for that lock. */
static PyObject *import_module(const char *module)
{
    const char *dot = strchr(module, '.');
    PyObject *package = dot ? PyUnicode_FromStringAndSize(module, dot - module) : NULL;
    PyObject *whole = package ? PyImport_Import(package) : NULL;
    Py_XDECREF(package);
    if (dot && !whole) return NULL;
    Py_XDECREF(whole);
    return PyImport_ImportModule(module);
}

PyObject *tbpy_import(PyObject **cache, const char *module, const char *name)
{
    if (tbpy_kept(cache)) return tbpy_kept(cache);
    PyObject *m = import_module(module);
    if (!m) return NULL;
    PyObject *o = PyObject_GetAttrString(m, name);
    Py_DECREF(m);
    return tbpy_keep(cache, o);
}
