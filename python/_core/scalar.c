/* scalar.c - Python and NumPy numbers as tb_scalar, and operands of elementwise functions. */
#include "core.h"

static int complex_value(PyObject *o, tb_scalar *out)
{
    Py_complex c = PyComplex_AsCComplex(o);
    if (c.real == -1 && PyErr_Occurred()) return -1;
    out->v.c.re = c.real;
    out->v.c.im = c.imag;
    return 1;
}

static int integer_value(PyObject *o, tb_scalar *out)
{
    PyObject *i = PyNumber_Index(o);
    if (!i) return -1;
    if (tb_dtype_is_unsigned(out->dtype)) out->v.u = PyLong_AsUnsignedLongLong(i);
    else out->v.i = PyLong_AsLongLong(i);
    Py_DECREF(i);
    return PyErr_Occurred() ? -1 : 1;
}

static int numpy_value(PyObject *o, tb_dtype t, tb_scalar *out)
{
    out->dtype = t;
    out->weak = false;
    switch (tb_dtype_kind(t)) {
    case TB_KIND_BOOL: {
        int r = PyObject_IsTrue(o);
        out->v.i = r;
        return r < 0 ? -1 : 1;
    }
    case TB_KIND_INT: return integer_value(o, out);
    case TB_KIND_FLOAT: out->v.f = PyFloat_AsDouble(o); return out->v.f == -1 && PyErr_Occurred() ? -1 : 1;
    default: return complex_value(o, out);
    }
}

/* 2: an integer beyond 64 bits, as the nearest float (an infinity beyond the floats). */
static int python_int(PyObject *o, tb_scalar *out)
{
    int overflow;
    out->weak = true;
    out->dtype = TB_I64;
    out->v.i = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) return out->v.i == -1 && PyErr_Occurred() ? -1 : 1;
    if (overflow > 0) {
        out->v.u = PyLong_AsUnsignedLongLong(o);
        if (!PyErr_Occurred()) {
            out->dtype = TB_U64;
            return 1;
        }
        PyErr_Clear();
    }
    out->dtype = TB_F64;
    out->v.f = PyLong_AsDouble(o);
    if (out->v.f == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        out->v.f = overflow > 0 ? Py_HUGE_VAL : -Py_HUGE_VAL;
    }
    return 2;
}

/* As tbpy_scalar; 2 as python_int. */
static int any_scalar(PyObject *o, tb_scalar *out)
{
    if (PyFloat_CheckExact(o)) {
        *out = tb_scalar_float(PyFloat_AS_DOUBLE(o));
        return 1;
    }
    if (PyLong_CheckExact(o)) return python_int(o, out);
    if (PyBool_Check(o)) {
        *out = (tb_scalar){.dtype = TB_BOOL, .weak = true, .v.i = o == Py_True};
        return 1;
    }
    tb_dtype t = tbpy_numpy_scalar_dtype(Py_TYPE(o));
    if (t != TB_NODTYPE) return numpy_value(o, t, out);
    if (PyLong_Check(o)) return python_int(o, out);
    if (PyFloat_Check(o)) {
        *out = tb_scalar_float(PyFloat_AS_DOUBLE(o));
        return 1;
    }
    if (PyComplex_Check(o)) {
        *out = (tb_scalar){.dtype = TB_C128, .weak = true};
        return complex_value(o, out);
    }
    return 0;
}

static int too_large(PyObject *o)
{
    PyErr_Format(PyExc_OverflowError, "Python integer %R out of bounds for the integer dtypes", o);
    return -1;
}

int tbpy_scalar(PyObject *o, tb_scalar *out)
{
    int r = any_scalar(o, out);
    return r == 2 ? too_large(o) : r;
}

int tbpy_element(PyObject *o, tb_dtype t, tb_scalar *out)
{
    int r = any_scalar(o, out);
    if (r != 2) return r;
    return t != TB_NODTYPE && tb_dtype_kind(t) > TB_KIND_INT && isfinite(out->v.f) ? 1 : too_large(o);
}

/* Foreign memory need not be aligned. */
#define READ(name, T)                      \
    static inline T name(const void *p)    \
    {                                      \
        T x;                               \
        memcpy(&x, p, sizeof x);           \
        return x;                          \
    }
READ(read_i16, int16_t)
READ(read_u16, uint16_t)
READ(read_i32, int32_t)
READ(read_u32, uint32_t)
READ(read_i64, int64_t)
READ(read_f32, float)
READ(read_f64, double)

static double bfloat_value(uint16_t upper)
{
    const uint32_t bits = (uint32_t)upper << 16;
    return read_f32(&bits);
}

PyObject *tbpy_number(const void *p, tb_dtype t)
{
    const char *next = p;
    switch (t) {
    case TB_BOOL: return PyBool_FromLong(*(const uint8_t *)p);
    case TB_I8: return PyLong_FromLong(*(const int8_t *)p);
    case TB_U8: return PyLong_FromLong(*(const uint8_t *)p);
    case TB_I16: return PyLong_FromLong(read_i16(p));
    case TB_U16: return PyLong_FromLong(read_u16(p));
    case TB_I32: return PyLong_FromLong(read_i32(p));
    case TB_U32: return PyLong_FromUnsignedLong(read_u32(p));
    case TB_I64: return PyLong_FromLongLong(read_i64(p));
    case TB_U64: return PyLong_FromUnsignedLongLong((uint64_t)read_i64(p));
    case TB_F16: return PyFloat_FromDouble(PyFloat_Unpack2(p, PY_LITTLE_ENDIAN));
    case TB_BF16: return PyFloat_FromDouble(bfloat_value(read_u16(p)));
    case TB_F32: return PyFloat_FromDouble(read_f32(p));
    case TB_F64: return PyFloat_FromDouble(read_f64(p));
    case TB_C64: return PyComplex_FromDoubles(read_f32(p), read_f32(next + sizeof(float)));
    default: return PyComplex_FromDoubles(read_f64(p), read_f64(next + sizeof(double)));
    }
}

/* As tbpy_operand; returns 2 as python_int, 1 otherwise. */
static int any_operand(PyObject *o, tb_operand *out, PyObject **held)
{
    *held = NULL;
    out->array = NULL;
    if (tbpy_check(o)) {
        out->kind = TB_OPERAND_ARRAY;
        out->array = tbpy_array(o);
        return 1;
    }
    out->kind = TB_OPERAND_SCALAR;
    int r = any_scalar(o, &out->scalar);
    if (r != 0) return r;
    PyObject *a = tbpy_device_array(o);
    if (!a) return -1;
    *held = a;
    out->kind = TB_OPERAND_ARRAY;
    out->array = tbpy_array(a);
    return 1;
}

int tbpy_operand(PyObject *o, tb_operand *out, PyObject **held)
{
    int r = any_operand(o, out, held);
    if (r == 2) return too_large(o);
    return r < 0 ? -1 : 0;
}

static bool is_inexact(const tb_operand *x)
{
    tb_kind k = tb_dtype_kind(x->array ? tb_array_dtype(x->array) : x->scalar.dtype);
    return k == TB_KIND_FLOAT || k == TB_KIND_COMPLEX;
}

/* Whether every type list of u has one of the given codes in its part after `from` (NULL: anywhere). */
static bool every_type_has(const tb_ufunc *u, const char *codes, const char *from)
{
    for (int i = 0; i < tb_ufunc_ntypes(u); i++) {
        const char *type = tb_ufunc_type(u, i), *part = from ? strstr(type, from) : type;
        if (!part || !strpbrk(part, codes)) return false;
    }
    return true;
}

/* Whether u takes integers beyond 64 bits: those among objs that are `huge` are then in out as floats, in comparisons
 * as infinities, which are on the same side of every other number. */
static bool takes_huge(const tb_ufunc *u, unsigned huge, bool inexact, int n, tb_operand *out)
{
    bool compares = u && every_type_has(u, "?", "->");
    if (!compares && !inexact && !(u && every_type_has(u, "eEfdFD", NULL))) return false;
    for (int i = 0; i < n; i++) {
        if (!(huge >> i & 1)) continue;
        double *v = &out[i].scalar.v.f;
        if (compares && !inexact) *v = *v < 0 ? -Py_HUGE_VAL : Py_HUGE_VAL;
        if (!compares && !isfinite(*v)) return false;
    }
    return true;
}

static int operands(const tb_ufunc *u, int n, PyObject *const *objs, tb_operand *out, PyObject **held)
{
    unsigned huge = 0;
    bool inexact = false;
    int done = 0;
    for (; done < n; done++) {
        int r = any_operand(objs[done], &out[done], &held[done]);
        if (r < 0) break;
        if (r == 2) huge |= 1u << done;
        else inexact |= is_inexact(&out[done]);
    }
    if (done == n && (!huge || takes_huge(u, huge, inexact, n, out))) return 0;
    if (done == n) too_large(objs[__builtin_ctz(huge)]);
    tbpy_drop_operands(done, held);
    return -1;
}

int tbpy_operands(int n, PyObject *const *objs, tb_operand *out, PyObject **held)
{
    return operands(NULL, n, objs, out, held);
}

int tbpy_ufunc_operands(const tb_ufunc *u, PyObject *const *objs, tb_operand *out, PyObject **held)
{
    return operands(u, tb_ufunc_nin(u), objs, out, held);
}
