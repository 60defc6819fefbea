/* dtype.c - numpy.dtype objects to tb_dtype and back. The 14 dtype objects and their scalar types are looked up once;
 * most arguments are one of them, so comparing pointers is enough. */
#include "core.h"

PyObject *tbpy_dtypes[TB_NDTYPE];
static PyObject *scalar_types[TB_NDTYPE]; /* numpy.float32, ... */
static PyObject *numpy_dtype;             /* the class numpy.dtype */

static int string_char(PyObject *o, const char *attribute)
{
    PyObject *s = PyObject_GetAttrString(o, attribute);
    int c = s && PyUnicode_Check(s) && PyUnicode_GET_LENGTH(s) > 0 ? (int)PyUnicode_READ_CHAR(s, 0) : -1;
    Py_XDECREF(s);
    return c;
}

static tb_dtype by_kind(int kind, long size)
{
    static const char kinds[TB_NDTYPE + 1] = "biuiuiuiufffcc";
    for (int t = 0; t < TB_NDTYPE; t++)
        if (kinds[t] == kind && (long)tb_dtype_size((tb_dtype)t) == size) return (tb_dtype)t;
    return TB_NODTYPE;
}

/* d is a numpy.dtype that is none of the cached objects: longlong, other byte orders, and what arrays cannot hold. */
static int parse_unusual(PyObject *d, tb_dtype *out)
{
    int kind = string_char(d, "kind"), order = string_char(d, "byteorder");
    PyObject *size = PyObject_GetAttrString(d, "itemsize");
    long itemsize = size ? PyLong_AsLong(size) : -1;
    Py_XDECREF(size);
    if (PyErr_Occurred()) return -1;
    tb_dtype t = order == '=' || order == '|' ? by_kind(kind, itemsize) : TB_NODTYPE;
    if (t == TB_NODTYPE) {
        PyErr_Format(PyExc_TypeError, "Unsupported dtype %S", d);
        return -1;
    }
    *out = t;
    return 0;
}

static tb_dtype by_letter[128];

/* "float32" or "f": much quicker than asking numpy.dtype. Other spellings are left to it. */
static tb_dtype by_name(PyObject *o)
{
    if (!PyUnicode_IS_COMPACT_ASCII(o)) return TB_NODTYPE;
    const char *name = (const char *)PyUnicode_1BYTE_DATA(o);
    if (PyUnicode_GET_LENGTH(o) == 1) return by_letter[name[0] & 127];
    for (int t = 0; t < TB_NDTYPE; t++)
        if (strcmp(name, tb_dtype_name((tb_dtype)t)) == 0) return (tb_dtype)t;
    return TB_NODTYPE;
}

int tbpy_dtype_parse(PyObject *o, tb_dtype *out)
{
    for (int t = 0; t < TB_NDTYPE; t++) {
        if (o == tbpy_dtypes[t] || o == scalar_types[t]) {
            *out = (tb_dtype)t;
            return 0;
        }
    }
    tb_dtype named = PyUnicode_CheckExact(o) ? by_name(o) : TB_NODTYPE;
    if (named != TB_NODTYPE) *out = named;
    else if (o == (PyObject *)&PyFloat_Type || o == Py_None) *out = TB_F64;
    else if (o == (PyObject *)&PyLong_Type) *out = TB_I64;
    else if (o == (PyObject *)&PyBool_Type) *out = TB_BOOL;
    else if (o == (PyObject *)&PyComplex_Type) *out = TB_C128;
    else if (Py_IS_TYPE(o, (PyTypeObject *)numpy_dtype)) return parse_unusual(o, out);
    else {
        PyObject *d = PyObject_CallOneArg(numpy_dtype, o);
        if (!d) return -1;
        int r = -1;
        for (int t = 0; r < 0 && t < TB_NDTYPE; t++) {
            if (d == tbpy_dtypes[t]) {
                *out = (tb_dtype)t;
                r = 0;
            }
        }
        if (r < 0) r = parse_unusual(d, out);
        Py_DECREF(d);
        return r;
    }
    return 0;
}

int tbpy_optional_dtype(PyObject *o, tb_dtype *out)
{
    return !o || o == Py_None ? 0 : tbpy_dtype_parse(o, out);
}

int tbpy_add_dtypes(PyObject *m)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (!numpy) return -1;
    numpy_dtype = PyObject_GetAttrString(numpy, "dtype");
    Py_DECREF(numpy);
    if (!numpy_dtype) return -1;
    for (int c = 0; c < 128; c++) by_letter[c] = TB_NODTYPE;
    for (int t = 0; t < TB_NDTYPE; t++) {
        by_letter[tb_dtype_char((tb_dtype)t) & 127] = (tb_dtype)t;
        tbpy_dtypes[t] = PyObject_CallFunction(numpy_dtype, "s", tb_dtype_name((tb_dtype)t));
        if (!tbpy_dtypes[t]) return -1;
        scalar_types[t] = PyObject_GetAttrString(tbpy_dtypes[t], "type");
        if (!scalar_types[t]) return -1;
    }
    return PyModule_AddObjectRef(m, "dtype", numpy_dtype);
}
