/* ranges.c - arange, linspace, eye, identity and tri: arrays given by a rule. Their lengths, dtypes and steps follow
 * NumPy's; the numbers are made by the library. */
#include "ndarray.h"
#include "docs_creation.h"

#include <math.h>

#define FUNCTION(name) \
    static PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

static double as_double(tb_scalar s)
{
    if (tb_dtype_kind(s.dtype) >= TB_KIND_FLOAT) return s.v.f;
    return tb_dtype_is_unsigned(s.dtype) ? (double)s.v.u : (double)s.v.i;
}

static bool is_integer(tb_scalar s) { return tb_dtype_kind(s.dtype) <= TB_KIND_INT; }

static bool is_complex(tb_scalar s) { return tb_dtype_kind(s.dtype) == TB_KIND_COMPLEX; }

/* ---- arange ------------------------------------------------------------------------------------------------------ */

/* Whether s is an integer that int64 holds, so that lengths can be counted exactly. */
static bool fits_int64(tb_scalar s) { return is_integer(s) && !(tb_dtype_is_unsigned(s.dtype) && s.v.u > INT64_MAX); }

static int zero_step(void)
{
    PyErr_SetString(PyExc_ZeroDivisionError, "division by zero");
    return -1;
}

/* The length of a range of `quotient` steps. A quotient that is zero although the ends differ has underflowed. */
static int length_of(bool differ, double quotient, int64_t *n)
{
    double length = quotient == 0 && differ ? !signbit(quotient) : ceil(quotient);
    if (isnan(length)) {
        PyErr_SetString(PyExc_ValueError, "arange: cannot compute length");
        return -1;
    }
    if (length > 9.2e18) {
        PyErr_SetString(PyExc_ValueError, "Maximum allowed size exceeded");
        return -1;
    }
    *n = length > 0 ? (int64_t)length : 0;
    return 0;
}

/* ceil((stop - start) / step), at least 0. */
static int range_length(tb_scalar start, tb_scalar stop, tb_scalar step, int64_t *n)
{
    if (fits_int64(start) && fits_int64(stop) && fits_int64(step)) {
        __int128 d = (__int128)stop.v.i - start.v.i, s = step.v.i;
        if (s == 0) return zero_step();
        __int128 q = d / s + (d % s != 0 && (d < 0) == (s < 0));
        if (q > INT64_MAX) {
            PyErr_SetString(PyExc_ValueError, "Maximum allowed size exceeded");
            return -1;
        }
        *n = q < 0 ? 0 : (int64_t)q;
        return 0;
    }
    double a = as_double(start), b = as_double(stop), s = as_double(step);
    if (is_complex(start) || is_complex(stop) || is_complex(step)) {
        PyErr_SetString(PyExc_TypeError, "arange: complex ranges are not supported");
        return -1;
    }
    if (s == 0) return zero_step();
    return length_of(b != a, (b - a) / s, n);
}

/* The same for NumPy's scalars, whose arithmetic is that of their dtypes: NumPy counts with it, whatever dtype the
 * array then has. Also start + step. */
static int typed_range(PyObject *start, PyObject *stop, PyObject *step, int64_t *n, tb_scalar *second)
{
    PyObject *difference = PyNumber_Subtract(stop, start), *next = difference ? PyNumber_Add(start, step) : NULL;
    PyObject *quotient = next ? PyNumber_TrueDivide(difference, step) : NULL;
    int differ = quotient ? PyObject_IsTrue(difference) : -1, result = -1;
    if (differ >= 0 && tbpy_number_arg("arange", next, second) == 0) {
        double q = PyFloat_AsDouble(quotient);
        if (q != -1 || !PyErr_Occurred()) result = length_of(differ, q, n);
    }
    Py_XDECREF(difference);
    Py_XDECREF(next);
    Py_XDECREF(quotient);
    return result;
}

/* Whether arithmetic with the number that s was read from differs from that of int64 and double. */
static bool is_typed(tb_scalar s)
{
    if (s.weak) return s.dtype == TB_U64;
    return s.dtype != TB_I64 && s.dtype != TB_F64 && s.dtype != TB_BOOL && !is_complex(s);
}

/* A number argument as an object that has its dtype's arithmetic: a new reference. */
static PyObject *typed_number(PyObject *o, int absent)
{
    if (!o) return PyLong_FromLong(absent);
    if (!tbpy_check(o)) return Py_NewRef(o);
    PyObject *x = tbpy_only_element(o);
    PyObject *r = x ? PyObject_CallMethod(tbpy_dtype_object(tb_array_dtype(tbpy_array(o))), "type", "O", x) : NULL;
    Py_XDECREF(x);
    return r;
}

static int count_typed(PyObject *const *args, int64_t *n, tb_scalar *second)
{
    PyObject *v[3] = {NULL, NULL, NULL};
    bool made = true;
    for (int i = 0; made && i < 3; i++) made = (v[i] = typed_number(args[i], i == 2)) != NULL;
    int result = made ? typed_range(v[0], v[1], v[2], n, second) : -1;
    for (int i = 0; i < 3; i++) Py_XDECREF(v[i]);
    return result;
}

/* start + step in Python's way: integers exactly where they fit, floats otherwise. */
static tb_scalar second_value(tb_scalar start, tb_scalar step)
{
    if (fits_int64(start) && fits_int64(step)) return tb_scalar_int(start.v.i + step.v.i);
    return tb_scalar_float(as_double(start) + as_double(step));
}

/* What NumPy adds from one element to the next: the difference of the first two elements, each rounded to t. */
static tb_scalar rounded_step(tb_scalar first, tb_scalar second, tb_dtype t)
{
    tb_scalar d = first;
    switch (tb_dtype_kind(t)) {
    case TB_KIND_FLOAT: d.v.f = t == TB_F32 ? (float)second.v.f - (float)first.v.f : second.v.f - first.v.f; break;
    case TB_KIND_COMPLEX:
        d.v.c.re = second.v.c.re - first.v.c.re;
        d.v.c.im = 0;
        break;
    default: d.v.i = (int64_t)((uint64_t)second.v.i - (uint64_t)first.v.i); break;
    }
    return d;
}

static PyObject *bool_range(tb_scalar start, tb_scalar second, int64_t n)
{
    if (n > 2) {
        PyErr_SetString(PyExc_TypeError,
                        "arange() is only supported for booleans when the result has at most length 2.");
        return NULL;
    }
    uint8_t values[2] = {as_double(start) != 0, as_double(second) != 0};
    tb_array *r;
    TBPY_TRY(tb_from_host(values, TB_BOOL, 1, &n, NULL, 'C', &r));
    return tbpy_wrap(r);
}

/* n numbers that begin with start and second. */
static PyObject *make_range(tb_scalar start, tb_scalar second, int64_t n, tb_dtype t)
{
    tb_scalar first = start;
    if (t == TB_BOOL) return bool_range(start, second, n);
    start.weak = second.weak = false; /* NumPy lets what does not fit wrap around */
    TBPY_TRY(tb_scalar_cast(start, t, &first));
    if (n > 1) TBPY_TRY(tb_scalar_cast(second, t, &second));
    else second = first;
    tb_array *r;
    TBPY_TRY(tb_arange(t, first, rounded_step(first, second, t), n, &r));
    return tbpy_wrap(r);
}

TBPY_ON_DEVICE(arange)
{
    static const char *const names[] = {"start", "stop", "step", "dtype", "device", NULL};
    PyObject *v[5];
    tb_dtype t = TB_NODTYPE;
    tb_scalar start = tb_scalar_int(0), stop, step = tb_scalar_int(1);
    (void)module;
    if (tbpy_parse("arange", names, 0, 4, args, nargs, kwnames, v) < 0 || tbpy_optional_dtype(v[3], &t) < 0)
        return NULL;
    if (v[1] == Py_None) v[1] = NULL;
    if (v[2] == Py_None) v[2] = NULL;
    if (!v[0] && !v[1]) {
        PyErr_SetString(PyExc_TypeError, "arange() requires stop to be specified.");
        return NULL;
    }
    PyObject *first = v[1] ? v[0] : NULL, *last = v[1] ? v[1] : v[0];
    if ((first && tbpy_number_arg("arange", first, &start) < 0) || tbpy_number_arg("arange", last, &stop) < 0 ||
        (v[2] && tbpy_number_arg("arange", v[2], &step) < 0))
        return NULL;
    if (t == TB_NODTYPE)
        t = tb_promote(tb_promote(tb_promote(TB_I64, stop.dtype), first ? start.dtype : TB_I64),
                       v[2] ? step.dtype : TB_I64);
    int64_t n;
    tb_scalar second;
    if (is_typed(start) || is_typed(stop) || is_typed(step)) {
        if (count_typed((PyObject *[]){first, last, v[2]}, &n, &second) < 0) return NULL;
    } else {
        if (range_length(start, stop, step, &n) < 0) return NULL;
        second = second_value(start, step);
    }
    return make_range(start, second, n, t);
}

/* ---- linspace ---------------------------------------------------------------------------------------------------- */

/* Endpoints as complex or float numbers of dtype t. */
static int endpoint_cast(tb_scalar s, tb_dtype t, tb_scalar *out)
{
    s.weak = false;
    TBPY_TRY_INT(tb_scalar_cast(s, t, out));
    return 0;
}

/* Rounded down and converted, which is what NumPy does for integer dtypes; steals a. */
static tb_status to_integers(tb_array *a, tb_dtype t, tb_array **out)
{
    tb_operand in = {TB_OPERAND_ARRAY, .array = a};
    tb_array *floor = NULL;
    tb_status st = tb_ufunc_call(tb_ufunc_find("floor"), &in, &floor, NULL);
    tb_array_release(a);
    if (st != TB_OK) return st;
    st = tb_astype(floor, t, 'C', TB_CAST_UNSAFE, false, out);
    tb_array_release(floor);
    return st;
}

static PyObject *linspace_step(tb_scalar start, tb_scalar stop, int64_t num, bool endpoint, tb_dtype t)
{
    int64_t div = endpoint ? num - 1 : num;
    if (div <= 0) return PyFloat_FromDouble(Py_NAN);
    if (tb_dtype_kind(t) == TB_KIND_COMPLEX)
        return PyComplex_FromDoubles((stop.v.c.re - start.v.c.re) / (double)div,
                                     (stop.v.c.im - start.v.c.im) / (double)div);
    return PyFloat_FromDouble((stop.v.f - start.v.f) / (double)div);
}

/* Whether o is an array or a sequence, and not a number. */
static bool has_length(PyObject *o)
{
    const PyTypeObject *type = Py_TYPE(o);
    return (type->tp_as_mapping && type->tp_as_mapping->mp_length) ||
           (type->tp_as_sequence && type->tp_as_sequence->sq_length);
}

static PyObject *linspace_of_arrays(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static PyObject *function;
    if (!tbpy_package(&function, "linspace")) return NULL;
    return PyObject_Vectorcall(function, args, (size_t)nargs, kwnames);
}

TBPY_ON_DEVICE(linspace)
{
    static const char *const names[] = {"start", "stop", "num", "endpoint", "retstep", "dtype", "axis", "device", NULL};
    PyObject *v[8];
    tb_dtype t = TB_NODTYPE, work;
    tb_scalar start, stop, a, b;
    int64_t num = 50;
    bool endpoint = true, retstep = false;
    tb_array *r;
    (void)module;
    if (tbpy_parse("linspace", names, 2, 7, args, nargs, kwnames, v) < 0) return NULL;
    if (has_length(v[0]) || has_length(v[1])) return linspace_of_arrays(args, nargs, kwnames);
    if (tbpy_int_arg(v[2], &num) < 0 || tbpy_bool_arg(v[3], &endpoint) < 0 || tbpy_bool_arg(v[4], &retstep) < 0 ||
        tbpy_optional_dtype(v[5], &t) < 0 || tbpy_number_arg("linspace", v[0], &start) < 0 ||
        tbpy_number_arg("linspace", v[1], &stop) < 0)
        return NULL;
    if (num < 0)
        return PyErr_Format(PyExc_ValueError, "Number of samples, %lld, must be non-negative.", (long long)num);
    tb_dtype strong[2];
    tb_scalar weak[3] = {tb_scalar_float((double)num)};
    int nstrong = 0, nweak = 1;
    for (int i = 0; i < 2; i++) {
        tb_scalar s = i ? stop : start;
        if (s.weak) weak[nweak++] = s;
        else strong[nstrong++] = s.dtype;
    }
    TBPY_TRY(tb_result_type(nstrong, strong, nweak, weak, &work));
    if (endpoint_cast(start, work, &a) < 0 || endpoint_cast(stop, work, &b) < 0) return NULL;
    if (t == TB_NODTYPE) t = work;
    if (tbpy_warn_complex(work, t) < 0) return NULL;
    TBPY_TRY(tb_linspace(work, a, b, num, endpoint, &r));
    if (t != work) {
        tb_array *cast;
        tb_status st;
        if (tb_dtype_kind(t) == TB_KIND_INT && tb_dtype_kind(work) == TB_KIND_FLOAT) {
            st = to_integers(r, t, &cast);
        } else {
            st = tb_astype(r, t, 'C', TB_CAST_UNSAFE, false, &cast);
            tb_array_release(r);
        }
        if (st != TB_OK) return tbpy_raise(st);
        r = cast;
    }
    PyObject *result = tbpy_wrap(r);
    if (!retstep || !result) return result;
    PyObject *size = linspace_step(a, b, num, endpoint, work);
    PyObject *pair = size ? PyTuple_Pack(2, result, size) : NULL;
    Py_XDECREF(size);
    Py_DECREF(result);
    return pair;
}

/* ---- eye, identity, tri ------------------------------------------------------------------------------------------ */

/* The number of a diagonal; beyond 64 bits it is one that no array has. */
static int read_diagonal(PyObject *o, int64_t *k)
{
    if (!o || o == Py_None) return 0;
    *k = PyNumber_AsSsize_t(o, NULL);
    return *k == -1 && PyErr_Occurred() ? -1 : 0;
}

TBPY_ON_DEVICE(eye)
{
    static const char *const names[] = {"N", "M", "k", "dtype", "order", "device", NULL};
    PyObject *v[6];
    int64_t rows = 0, cols, k = 0;
    tb_dtype t = TB_F64;
    char order = 'C';
    tb_array *r;
    (void)module;
    if (tbpy_parse("eye", names, 1, 5, args, nargs, kwnames, v) < 0 || tbpy_int_arg(v[0], &rows) < 0) return NULL;
    cols = rows;
    if (tbpy_int_arg(v[1], &cols) < 0 || read_diagonal(v[2], &k) < 0 || tbpy_optional_dtype(v[3], &t) < 0 ||
        tbpy_c_or_f(v[4], &order) < 0)
        return NULL;
    TBPY_TRY(tb_eye(t, rows, cols, k, order, &r));
    return tbpy_wrap(r);
}

FUNCTION(identity)
{
    static const char *const names[] = {"n", "dtype", NULL};
    PyObject *v[2];
    int64_t n = 0;
    tb_dtype t = TB_F64;
    tb_array *r;
    (void)module;
    if (tbpy_parse("identity", names, 1, 2, args, nargs, kwnames, v) < 0 || tbpy_int_arg(v[0], &n) < 0 ||
        tbpy_optional_dtype(v[1], &t) < 0)
        return NULL;
    TBPY_TRY(tb_eye(t, n, n, 0, 'C', &r));
    return tbpy_wrap(r);
}

FUNCTION(tri)
{
    static const char *const names[] = {"N", "M", "k", "dtype", NULL};
    PyObject *v[4];
    int64_t rows = 0, cols, k = 0;
    tb_dtype t = TB_F64;
    tb_array *r;
    (void)module;
    if (tbpy_parse("tri", names, 1, 4, args, nargs, kwnames, v) < 0 || tbpy_int_arg(v[0], &rows) < 0) return NULL;
    cols = rows;
    if (tbpy_int_arg(v[1], &cols) < 0 || read_diagonal(v[2], &k) < 0 || tbpy_optional_dtype(v[3], &t) < 0) return NULL;
    TBPY_TRY(tb_tri(t, rows, cols, k, &r));
    return tbpy_wrap(r);
}

#define ENTRY(name, arguments, text) \
    {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL | METH_KEYWORDS, #name arguments "\n--\n\n" text}

PyMethodDef tbpy_range_functions[] = {
    ENTRY(arange, "(start, stop=None, step=1, dtype=None, *, device=None)", TBPY_DOC_arange),
    ENTRY(linspace, "(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
          TBPY_DOC_linspace),
    ENTRY(eye, "(N, M=None, k=0, dtype='float64', order='C', *, device=None)", TBPY_DOC_eye),
    ENTRY(identity, "(n, dtype='float64')", TBPY_DOC_identity),
    ENTRY(tri, "(N, M=None, k=0, dtype='float64')", TBPY_DOC_tri),
    {NULL, NULL, 0, NULL},
};
