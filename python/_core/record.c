/* record.c - structured dtypes, void bytes and times: numpy.dtype objects as the library's records and back, fields,
 * and comparison.
 *
 * A dtype is described to the library when it is first met, and known by the number that it gets from then on. Both
 * ways are tables that only grow, as the library's own does. */
#include "ndarray.h"

static PyObject *known;                   /* a dict: (dtype, its repr) to number */
static PyObject *objects[TB_RECORDS_MAX]; /* by number >> 8: the dtype */

static int unsupported(PyObject *d, const char *why)
{
    PyErr_Format(PyExc_ValueError, "Unsupported dtype %S%s", d, why);
    return -1;
}

PyObject *tbpy_record_object(tb_dtype t)
{
    PyObject *d = tbpy_kept(&objects[(unsigned)t >> 8]);
    if (!d) PyErr_Format(PyExc_SystemError, "%s is no dtype of NumPy's", tb_dtype_name(t));
    return d;
}

/* ---- from NumPy's dtype to a record ------------------------------------------------------------------------------ */

/* Fields with what they borrow from: names of the dtype's tuple, shapes. */
typedef struct description {
    Py_ssize_t n;
    PyObject *names;
    tb_field *fields;
    int64_t (*shapes)[TB_MAXDIM];
} description;

static void drop(description *x)
{
    Py_XDECREF(x->names);
    PyMem_Free(x->fields);
    PyMem_Free(x->shapes);
}

/* d.attribute as a number; -1 and an exception. */
static long long number_of(PyObject *d, const char *attribute)
{
    PyObject *o = PyObject_GetAttrString(d, attribute);
    const long long n = o ? PyLong_AsLongLong(o) : -1;
    Py_XDECREF(o);
    return n;
}

/* A field of d's dict: (dtype, offset) or (dtype, offset, title), where the dtype may be one of arrays. */
static int read_field(PyObject *entry, tb_field *f, int64_t *shape)
{
    if (!entry || !PyTuple_Check(entry) || PyTuple_GET_SIZE(entry) < 2) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "dtype.fields is no dict of tuples");
        return -1;
    }
    PyObject *base = PyObject_GetAttrString(PyTuple_GET_ITEM(entry, 0), "base");
    PyObject *dims = PyObject_GetAttrString(PyTuple_GET_ITEM(entry, 0), "shape");
    f->offset = PyLong_AsLongLong(PyTuple_GET_ITEM(entry, 1));
    f->shape = shape;
    const bool read = base && dims && !PyErr_Occurred() && tbpy_shape(dims, &f->ndim, shape) == 0 &&
                      tbpy_dtype_parse(base, &f->dtype) == 0;
    Py_XDECREF(base);
    Py_XDECREF(dims);
    return read ? 0 : -1;
}

/* x->n is 0 where d has no fields. */
static int read_fields(PyObject *d, description *x)
{
    PyObject *fields = PyObject_GetAttrString(d, "fields");
    *x = (description){.names = PyObject_GetAttrString(d, "names")};
    if (!fields || !x->names) goto fail;
    if (x->names != Py_None) {
        x->n = PyTuple_GET_SIZE(x->names);
        x->fields = PyMem_Calloc((size_t)x->n + 1, sizeof *x->fields);
        x->shapes = PyMem_Calloc((size_t)x->n + 1, sizeof *x->shapes);
        if (!x->fields || !x->shapes) {
            PyErr_NoMemory();
            goto fail;
        }
    }
    for (Py_ssize_t i = 0; i < x->n; i++) {
        PyObject *name = PyTuple_GET_ITEM(x->names, i), *entry = PyObject_GetItem(fields, name);
        const int r = read_field(entry, &x->fields[i], x->shapes[i]);
        Py_XDECREF(entry);
        if (r < 0 || !(x->fields[i].name = tbpy_text(name))) goto fail;
    }
    Py_DECREF(fields);
    return 0;
fail:
    Py_XDECREF(fields);
    drop(x);
    return -1;
}

static int describe(PyObject *d, int kind, tb_dtype *out)
{
    description x;
    tb_record r = TB_RECORD_INIT;
    PyObject *text = PyObject_Str(d);
    if (!text || read_fields(d, &x) < 0) {
        Py_XDECREF(text);
        return -1;
    }
    r.name = tbpy_text(text);
    r.size = number_of(d, "itemsize");
    r.kind = x.names != Py_None ? TB_RECORD_FIELDS : kind == 'V' ? TB_RECORD_BYTES : TB_RECORD_TIME;
    r.nfield = (int)x.n;
    r.fields = x.fields;
    const tb_status st = r.name && !PyErr_Occurred() ? tb_record_new(&r, out) : TB_OK;
    drop(&x);
    Py_DECREF(text);
    if (PyErr_Occurred()) return -1;
    return st == TB_OK ? 0 : tbpy_fail(st);
}

static int check_dtype(PyObject *d, int kind)
{
    const long long size = number_of(d, "itemsize");
    PyObject *order = PyObject_GetAttrString(d, "byteorder"), *part = PyObject_GetAttrString(d, "subdtype");
    const bool foreign =
        order && PyUnicode_Check(order) && PyUnicode_GET_LENGTH(order) == 1 && PyUnicode_READ_CHAR(order, 0) == '>';
    const bool sub = part && part != Py_None;
    Py_XDECREF(order);
    Py_XDECREF(part);
    if (PyErr_Occurred()) return -1;
    if (foreign) return unsupported(d, ": arrays have the machine's own byte-order");
    if (sub) return unsupported(d, ": the shape belongs to the array");
    return size > 0 ? 0 : unsupported(d, kind == 'V' ? ": its elements have no bytes" : "");
}

static int add(PyObject *d, PyObject *key, int kind, tb_dtype *out)
{
    if (check_dtype(d, kind) < 0 || describe(d, kind, out) < 0) return -1;
    PyObject *number = PyLong_FromUnsignedLong((unsigned long)*out);
    /* Of dtypes that are alike to the library the first one stays. */
    const bool kept =
        number && (tbpy_kept(&objects[(unsigned)*out >> 8]) || tbpy_keep(&objects[(unsigned)*out >> 8], Py_NewRef(d)));
    const int r = kept ? PyDict_SetItem(known, key, number) : -1;
    Py_XDECREF(number);
    return r;
}

int tbpy_record_parse(PyObject *d, tb_dtype *out)
{
    if (!tbpy_kept(&known) && !tbpy_keep(&known, PyDict_New())) return -1;
    /* Dtypes that are equal may differ in what they say of themselves, such as that they are aligned. */
    PyObject *text = PyObject_Repr(d), *kind = PyObject_GetAttrString(d, "kind");
    PyObject *key = text && kind ? PyTuple_Pack(2, d, text) : NULL;
    PyObject *number = key ? PyDict_GetItemWithError(known, key) : NULL;
    int r = number || PyErr_Occurred() ? -1 : 0;
    if (number) {
        *out = (tb_dtype)PyLong_AsUnsignedLong(number);
        r = 0;
    } else if (r == 0) {
        r = key ? add(d, key, (int)PyUnicode_READ_CHAR(kind, 0), out) : -1;
    }
    Py_XDECREF(text);
    Py_XDECREF(kind);
    Py_XDECREF(key);
    return r;
}

int tbpy_record_common(int n, tb_array *const *arrays, tb_dtype *out)
{
    static PyObject *cache;
    bool records = false;
    for (int i = 0; i < n; i++) records |= tbpy_is_record(tb_array_dtype(arrays[i]));
    if (!records) return 0;
    PyObject *f = tbpy_import(&cache, "numpy", "result_type"), *types = f ? PyTuple_New(n) : NULL;
    for (int i = 0; i < n && types; i++) {
        PyObject *d = tbpy_dtype_object(tb_array_dtype(arrays[i]));
        if (d) PyTuple_SET_ITEM(types, i, Py_NewRef(d));
        else Py_CLEAR(types);
    }
    PyObject *common = types ? PyObject_CallObject(f, types) : NULL;
    const int r = common ? tbpy_dtype_parse(common, out) : -1;
    Py_XDECREF(types);
    Py_XDECREF(common);
    return r;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static bool is_names(PyObject *key)
{
    if (!PyList_Check(key)) return false;
    PyObject *items = tbpy_items(key, "a list is expected");
    if (!items) PyErr_Clear();
    bool names = items && PyTuple_GET_SIZE(items) > 0;
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(items); i++)
        names = PyUnicode_Check(PyTuple_GET_ITEM(items, i));
    Py_XDECREF(items);
    return names;
}

static bool has_fields(PyObject *a)
{
    tb_record r;
    const tb_dtype t = tb_array_dtype(tbpy_array(a));
    return tbpy_is_record(t) && tb_record_of(t, &r, sizeof r) == TB_OK && r.kind == TB_RECORD_FIELDS;
}

bool tbpy_record_key(PyObject *a, PyObject *key)
{
    return (PyUnicode_Check(key) || PyList_Check(key)) && has_fields(a) && (PyUnicode_Check(key) || is_names(key));
}

/* The fields of that name or those names, of each element: the library's view. */
static tb_array *view_fields(PyObject *self, PyObject *key)
{
    tb_array *a = tbpy_array(self), *r = NULL;
    tb_dtype t;
    if (PyUnicode_Check(key)) {
        const char *name = tbpy_text(key);
        const tb_status st = name ? tb_array_field(a, name, &r) : TB_OK;
        return st == TB_OK ? r : (tbpy_raise(st), NULL);
    }
    PyObject *d = tbpy_dtype_object(tb_array_dtype(a)), *part = d ? PyObject_GetItem(d, key) : NULL;
    const int parsed = part ? tbpy_dtype_parse(part, &t) : -1;
    Py_XDECREF(part);
    if (parsed < 0) return NULL;
    const tb_status st = tb_view_dtype(a, t, &r);
    return st == TB_OK ? r : (tbpy_raise(st), NULL);
}

PyObject *tbpy_record_field(PyObject *self, PyObject *key)
{
    tb_array *view = view_fields(self, key);
    return view ? tbpy_wrap_view(view, self) : NULL;
}

/* The field as the only one of packed records, which have a's shape. */
static PyObject *packed_field(PyObject *self, PyObject *name)
{
    tb_dtype t;
    tb_array *r;
    PyObject *d = tbpy_dtype_object(tb_array_dtype(tbpy_array(self))), *part = d ? PyObject_GetItem(d, name) : NULL;
    PyObject *fields = part ? Py_BuildValue("[(OO)]", name, part) : NULL;
    const int parsed = fields ? tbpy_dtype_parse(fields, &t) : -1;
    Py_XDECREF(part);
    Py_XDECREF(fields);
    if (parsed < 0) return NULL;
    TBPY_TRY(tb_empty(t, tb_array_ndim(tbpy_array(self)), tb_array_shape(tbpy_array(self)), 'C', &r));
    return tbpy_wrap(r);
}

/* A field that is not aligned takes its values by way of records in which it is. */
static int assign_unaligned(PyObject *self, PyObject *name, PyObject *value)
{
    PyObject *packed = packed_field(self, name), *names = packed ? Py_BuildValue("[O]", name) : NULL;
    PyObject *aligned = names ? tbpy_record_field(packed, name) : NULL;
    int r = aligned ? tbpy_assign(aligned, value) : -1;
    PyObject *target = r == 0 ? tbpy_record_field(self, names) : NULL;
    r = target ? tbpy_assign(target, packed) : -1;
    Py_XDECREF(packed);
    Py_XDECREF(names);
    Py_XDECREF(aligned);
    Py_XDECREF(target);
    return r;
}

/* Whether the field's numbers cannot be looked at where they are. */
static bool is_unaligned(PyObject *self, PyObject *name)
{
    tb_array *view;
    const char *text = tbpy_text(name);
    if (!text) PyErr_Clear();
    if (!text || tb_array_field(tbpy_array(self), text, &view) == TB_OK) {
        if (text) tb_array_release(view);
        return false;
    }
    PyObject *d = tbpy_dtype_object(tb_array_dtype(tbpy_array(self))), *part = d ? PyObject_GetItem(d, name) : NULL;
    if (!part) PyErr_Clear();
    Py_XDECREF(part);
    return part != NULL;
}

int tbpy_record_assign_field(PyObject *self, PyObject *key, PyObject *value)
{
    if (PyUnicode_Check(key) && is_unaligned(self, key)) return assign_unaligned(self, key, value);
    PyObject *view = tbpy_record_field(self, key);
    const int r = view ? tbpy_assign(view, value) : -1;
    Py_XDECREF(view);
    return r;
}

/* ---- elements, comparison ---------------------------------------------------------------------------------------- */

PyObject *tbpy_record_element(tb_array *a)
{
    PyObject *host = tbpy_host_empty(tb_array_ndim(a), tb_array_shape(a), tb_array_dtype(a), 'C');
    PyObject *r = host && tbpy_get_into(a, host, NULL, true) == 0 ? PyObject_CallMethod(host, "item", NULL) : NULL;
    Py_XDECREF(host);
    return r;
}

/* The other operand, which is one of records too, or is refused. */
static PyObject *record_operand(PyObject *o)
{
    if (tbpy_has_records(o)) return Py_NewRef(o);
    PyObject *a = tbpy_is_host_array(o) || !tbpy_is_numpy_scalar(o) ? NULL : tbpy_asarray(o); /* numpy.void */
    if (a && tbpy_has_records(a)) return a;
    Py_XDECREF(a);
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "Cannot compare structured, void or time arrays with %R", Py_TYPE(o));
    return NULL;
}

PyObject *tbpy_record_compare(PyObject *l, PyObject *r, bool equal)
{
    tb_array *same, *result = NULL;
    PyObject *a = record_operand(l), *b = a ? record_operand(r) : NULL;
    if (!b) {
        Py_XDECREF(a);
        return NULL;
    }
    tb_status st = tb_record_equal(tbpy_array(a), tbpy_array(b), &same);
    Py_DECREF(a);
    Py_DECREF(b);
    TBPY_TRY(st);
    if (equal) return tbpy_wrap(same);
    const tb_operand in = tb_operand_array(same);
    st = tb_ufunc_call(tb_ufunc_find("logical_not"), &in, &result, NULL);
    tb_array_release(same);
    return st == TB_OK ? tbpy_wrap(result) : tbpy_raise(st);
}
