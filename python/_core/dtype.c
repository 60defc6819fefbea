/* dtype.c - whatever names a dtype as a tb_dtype, and result_type. Most arguments are a string, or one of NumPy's
 * dtype objects or scalar types, of which there are as many as dtypes, so comparing pointers is enough. */
#include "core.h"
#include "docs_arrays.h"

static int string_char(PyObject *o, const char *attribute)
{
    PyObject *s = PyObject_GetAttrString(o, attribute);
    int c = s && PyUnicode_Check(s) && PyUnicode_GET_LENGTH(s) > 0 ? (int)PyUnicode_READ_CHAR(s, 0) : -1;
    Py_XDECREF(s);
    return c;
}

static const char kinds[TB_NDTYPE + 1] = "biuiuiuiuffffcc";

/* Of bfloat16 too, which is of kind 'V' for NumPy, it is 'f'. */
int tbpy_dtype_kind(tb_dtype t) { return tbpy_is_record(t) ? string_char(tbpy_record_object(t), "kind") : kinds[t]; }

static tb_dtype by_kind(int kind, long size)
{
    for (int t = 0; t < TB_NDTYPE; t++)
        if (kinds[t] == kind && (long)tb_dtype_size((tb_dtype)t) == size) return (tb_dtype)t;
    return TB_NODTYPE;
}

/* Copies of its dtype object, such as a pickle makes, are others. */
static bool is_bfloat_copy(PyObject *d)
{
    PyObject *type = PyObject_GetAttrString(d, "type");
    const bool r = type && tbpy_is_bfloat(type);
    Py_XDECREF(type);
    PyErr_Clear();
    return r;
}

/* d is a numpy.dtype that is none of the cached objects: longlong, other byte orders, and what arrays cannot hold. */
static int parse_unusual(PyObject *d, tb_dtype *out)
{
    int kind = string_char(d, "kind"), order = string_char(d, "byteorder");
    PyObject *size = PyObject_GetAttrString(d, "itemsize");
    long itemsize = size ? PyLong_AsLong(size) : -1;
    Py_XDECREF(size);
    if (PyErr_Occurred()) return -1;
    if (kind == 'V' && is_bfloat_copy(d)) {
        *out = TB_BF16;
        return 0;
    }
    if (kind == 'V' || kind == 'M' || kind == 'm') return tbpy_record_parse(d, out);
    const tb_dtype t = by_kind(kind, itemsize);
    const bool native = order == '=' || order == '|';
    if (t == TB_NODTYPE || !native) {
        PyErr_Format(PyExc_ValueError, "Unsupported dtype %S%s", d,
                     t == TB_NODTYPE ? "" : ": arrays have the machine's own byte-order");
        return -1;
    }
    *out = t;
    return 0;
}

static tb_dtype by_letter[128];

/* One of NumPy's dtype objects or scalar types. */
static tb_dtype by_identity(PyObject *o)
{
    if (!tbpy_numpy_is_loaded()) return TB_NODTYPE;
    for (int t = 0; t < TB_NDTYPE; t++)
        if (o == tbpy_numpy.dtypes[t] || o == (PyObject *)tbpy_numpy.scalars[t]) return (tb_dtype)t;
    return TB_NODTYPE;
}

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

static int ask_numpy(PyObject *o, tb_dtype *out)
{
    if (tbpy_numpy_load() < 0) return -1;
    PyObject *d =
        Py_IS_TYPE(o, (PyTypeObject *)tbpy_numpy.dtype) ? Py_NewRef(o) : PyObject_CallOneArg(tbpy_numpy.dtype, o);
    if (!d) return -1;
    const tb_dtype known = by_identity(d);
    if (known != TB_NODTYPE) *out = known;
    const int r = known != TB_NODTYPE ? 0 : parse_unusual(d, out);
    Py_DECREF(d);
    return r;
}

int tbpy_dtype_parse(PyObject *o, tb_dtype *out)
{
    const tb_dtype known = PyUnicode_CheckExact(o) ? by_name(o) : by_identity(o);
    if (known != TB_NODTYPE) *out = known;
    else if (o == (PyObject *)&PyFloat_Type || o == Py_None) *out = TB_F64;
    else if (o == (PyObject *)&PyLong_Type) *out = TB_I64;
    else if (o == (PyObject *)&PyBool_Type) *out = TB_BOOL;
    else if (o == (PyObject *)&PyComplex_Type) *out = TB_C128;
    else if (tbpy_is_bfloat(o)) *out = TB_BF16;
    else return ask_numpy(o, out);
    return 0;
}

int tbpy_optional_dtype(PyObject *o, tb_dtype *out) { return !o || o == Py_None ? 0 : tbpy_dtype_parse(o, out); }

/* ---- result_type ------------------------------------------------------------------------------------------------- */

/* NumPy's answer, of the arrays' dtypes. */
static PyObject *numpy_result_type(PyObject *const *args, Py_ssize_t nargs)
{
    static PyObject *cache;
    PyObject *f = tbpy_import(&cache, "numpy", "result_type"), *types = f ? PyTuple_New(nargs) : NULL;
    for (Py_ssize_t i = 0; i < nargs && types; i++) {
        PyObject *t = tbpy_check(args[i]) ? tbpy_dtype_object(tb_array_dtype(tbpy_array(args[i]))) : args[i];
        if (t) PyTuple_SET_ITEM(types, i, Py_NewRef(t));
        else Py_CLEAR(types);
    }
    PyObject *result = types ? PyObject_CallObject(f, types) : NULL;
    Py_XDECREF(types);
    return result;
}

/* Whether x is an array or a number of bfloat16, or names it. */
static bool has_bfloat(PyObject *x)
{
    if (tbpy_check(x)) return tb_array_dtype(tbpy_array(x)) == TB_BF16;
    if (PyUnicode_Check(x)) return PyUnicode_CompareWithASCIIString(x, tb_dtype_name(TB_BF16)) == 0;
    if (tbpy_is_bfloat(x) || tbpy_is_bfloat((PyObject *)Py_TYPE(x))) return true;
    PyObject *d = tbpy_is_host_array(x) ? tbpy_host_dtype(x) : NULL;
    const bool r = d && tbpy_is_bfloat(d);
    Py_XDECREF(d);
    PyErr_Clear();
    return r;
}

/* One argument of result_type as a dtype or a number. */
static int read_argument(PyObject *x, tb_dtype *types, int *ntypes, tb_scalar *numbers, int *nnumbers)
{
    if (tbpy_check(x)) {
        types[(*ntypes)++] = tb_array_dtype(tbpy_array(x));
        return 0;
    }
    const int r = PyType_Check(x) || PyUnicode_Check(x) ? 0 : tbpy_scalar(x, &numbers[*nnumbers]);
    if (r < 0) return -1;
    *nnumbers += r;
    if (r) return 0;
    PyObject *d = tbpy_is_host_array(x) ? tbpy_host_dtype(x) : Py_NewRef(x);
    const int read = d ? tbpy_dtype_parse(d, &types[*ntypes]) : -1;
    Py_XDECREF(d);
    *ntypes += read == 0;
    return read;
}

/* NumPy promotes bfloat16 with few dtypes: what ml_dtypes' arithmetic does with the others is the library's to say. */
static PyObject *bfloat_result_type(PyObject *const *args, Py_ssize_t nargs)
{
    tb_dtype *types = PyMem_Calloc((size_t)nargs, sizeof *types), t = TB_NODTYPE;
    tb_scalar *numbers = PyMem_Calloc((size_t)nargs, sizeof *numbers);
    int ntypes = 0, nnumbers = 0, r = types && numbers ? 0 : -1;
    if (r < 0) PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < nargs && r == 0; i++) r = read_argument(args[i], types, &ntypes, numbers, &nnumbers);
    const tb_status st = r == 0 ? tb_result_type(ntypes, types, nnumbers, numbers, &t) : TB_OK;
    PyMem_Free(types);
    PyMem_Free(numbers);
    if (r < 0) return NULL;
    return st == TB_OK ? Py_XNewRef(tbpy_dtype_object(t)) : tbpy_raise(st);
}

/* An array and another, or a Python number of at most 64 bits: NumPy takes longer to look at dtypes than at arrays. */
static PyObject *result_type(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_dtype types[2], t;
    tb_scalar number;
    int ntypes = 0, nnumbers = 0;
    for (Py_ssize_t i = 0; i < nargs && nargs == 2; i++) {
        if (tbpy_check(args[i])) types[ntypes++] = tb_array_dtype(tbpy_array(args[i]));
        else if (!PyFloat_CheckExact(args[i]) && !PyLong_CheckExact(args[i])) break;
        else if (tbpy_scalar(args[i], &number) == 1) nnumbers++;
    }
    PyErr_Clear(); /* of an integer beyond 64 bits */
    for (int i = 0; i < ntypes; i++)
        if (tbpy_is_record(types[i])) ntypes = 0; /* of which NumPy knows more */
    if (ntypes == 0 || ntypes + nnumbers < 2) {
        for (Py_ssize_t i = 0; i < nargs; i++)
            if (has_bfloat(args[i])) return bfloat_result_type(args, nargs);
        return numpy_result_type(args, nargs);
    }
    TBPY_TRY(tb_result_type(ntypes, types, nnumbers, &number, &t));
    return Py_XNewRef(tbpy_dtype_object(t));
}

static PyMethodDef functions[] = {
    {"result_type", (PyCFunction)(void (*)(void))result_type, METH_FASTCALL,
     "result_type(*arrays_and_dtypes)\n--\n\n" TBPY_DOC_result_type},
    {NULL, NULL, 0, NULL},
};

int tbpy_add_dtypes(PyObject *m)
{
    for (int c = 0; c < 128; c++) by_letter[c] = TB_NODTYPE;
    for (int t = 0; t < TB_NDTYPE; t++) by_letter[tb_dtype_char((tb_dtype)t) & 127] = (tb_dtype)t;
    return PyModule_AddFunctions(m, functions);
}
