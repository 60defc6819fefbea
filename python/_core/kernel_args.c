/* kernel_args.c - Python objects as arguments of user kernels.
 *
 * Where the size of a kernel's parameter is known, Python numbers take it; otherwise they have C's widest types, as in
 * CuPy: long long, double, bool, complex of doubles. Everything else is passed as the bytes it is. NumPy's scalars keep
 * their value right behind the object's header, which is checked once a dtype against what their buffers hold. */
#include "ndarray.h"

#include <float.h>
#include <stdatomic.h>

/* Everything that filling one argument needs. */
typedef struct slot {
    tbpy_kernel_args *all;
    const char *kernel;
    Py_ssize_t i;
    size_t want; /* bytes of the parameter; 0: not known */
    tb_kernel_arg *arg;
    tbpy_value *value;
} slot;

static int bytes_of(const slot *s, const void *bytes, size_t size)
{
    *s->arg = (tb_kernel_arg){.bytes = bytes, .size = size};
    return 0;
}

static int hold(const slot *s, PyObject *o)
{
    if (!o) return -1;
    if (!s->all->held) s->all->held = PyList_New(0);
    int r = s->all->held ? PyList_Append(s->all->held, o) : -1;
    Py_DECREF(o);
    return r;
}

/* ---- Python numbers ---------------------------------------------------------------------------------------------- */

static int too_large(const slot *s, PyObject *o, size_t size)
{
    PyErr_Format(PyExc_OverflowError, "kernel %s: argument %zd is %R, which does not fit the parameter's %zu bytes",
                 s->kernel, s->i, o, size);
    return -1;
}

static int from_int(const slot *s, PyObject *o)
{
    size_t size = s->want == 1 || s->want == 2 || s->want == 4 ? s->want : 8;
    int overflow;
    int64_t v = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (v == -1 && !overflow && PyErr_Occurred()) return -1;
    if (overflow > 0 && size == 8) {
        uint64_t u = PyLong_AsUnsignedLongLong(o);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            return too_large(s, o, size);
        }
        v = (int64_t)u;
    } else if (overflow || (size < 8 && (v < -((int64_t)1 << (8 * size - 1)) || v >= (int64_t)1 << 8 * size))) {
        return too_large(s, o, size);
    }
    s->value->i = v;
    return bytes_of(s, s->value, size);
}

static int from_bool(const slot *s, bool v)
{
    s->value->i = v;
    return bytes_of(s, s->value, s->want == 2 || s->want == 4 || s->want == 8 ? s->want : 1);
}

static int from_float(const slot *s, PyObject *o)
{
    double v = PyFloat_AS_DOUBLE(o);
    if (s->want == 4) {
        if (isfinite(v) && fabs(v) > FLT_MAX * (1 + 0.25 * FLT_EPSILON)) return too_large(s, o, 4);
        s->value->f[0] = (float)v;
        return bytes_of(s, s->value, 4);
    }
    if (s->want == 2) return PyFloat_Pack2(v, s->value->bytes, 1) < 0 ? -1 : bytes_of(s, s->value, 2);
    s->value->d[0] = v;
    return bytes_of(s, s->value, 8);
}

static int from_complex(const slot *s, PyObject *o)
{
    Py_complex c = PyComplex_AsCComplex(o);
    if (s->want == 8) {
        s->value->f[0] = (float)c.real;
        s->value->f[1] = (float)c.imag;
        return bytes_of(s, s->value, 8);
    }
    s->value->d[0] = c.real;
    s->value->d[1] = c.imag;
    return bytes_of(s, s->value, 16);
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static const char *scalar_bytes(PyObject *o) { return (const char *)o + sizeof(PyObject); }

/* A copy of what o's buffer holds. only_value: it must be one value, or exactly what the parameter takes. */
static int from_buffer(const slot *s, PyObject *o, bool only_value)
{
    Py_buffer view;
    if (PyObject_GetBuffer(o, &view, PyBUF_SIMPLE) < 0) return -1;
    bool fits = !only_value || (s->want ? (size_t)view.len == s->want : view.len == view.itemsize);
    PyObject *copy = fits ? PyBytes_FromStringAndSize(view.buf, view.len) : NULL;
    PyBuffer_Release(&view);
    if (!fits) {
        PyErr_Format(PyExc_TypeError,
                     "kernel %s: argument %zd is a numpy.ndarray, which is in host memory; copy it to "
                     "the device with tombac.asarray",
                     s->kernel, s->i);
        return -1;
    }
    if (hold(s, copy) < 0) return -1;
    return bytes_of(s, PyBytes_AS_STRING(copy), (size_t)PyBytes_GET_SIZE(copy));
}

static int from_address(const slot *s, void *address)
{
    s->value->p = address;
    return bytes_of(s, s->value, sizeof address);
}

/* 1 if o is a ctypes object. A program that has one has imported ctypes. */
static int is_ctypes(PyObject *o)
{
    static const char *const bases[] = {"_SimpleCData", "Structure", "Union", "Array", "_Pointer"};
    PyObject *name = PyUnicode_FromString("_ctypes"), *module = name ? PyImport_GetModule(name) : NULL;
    int r = 0;
    Py_XDECREF(name);
    if (!module) return PyErr_Occurred() ? -1 : 0;
    for (size_t i = 0; i < sizeof bases / sizeof *bases && r == 0; i++) {
        PyObject *base = PyObject_GetAttrString(module, bases[i]);
        r = base ? PyObject_IsInstance(o, base) : -1;
        Py_XDECREF(base);
    }
    Py_DECREF(module);
    return r;
}

/* An object with the address of device memory, or the handle of a texture, in its attribute `ptr`. 0: it has none. */
static int from_ptr(const slot *s, PyObject *o)
{
    PyObject *ptr = PyObject_GetAttrString(o, "ptr");
    if (!ptr) {
        PyErr_Clear();
        return 0;
    }
    unsigned long long address = PyLong_Check(ptr) ? PyLong_AsUnsignedLongLong(ptr) : 0;
    bool number = PyLong_Check(ptr);
    Py_DECREF(ptr);
    if (!number || PyErr_Occurred()) return PyErr_Occurred() ? -1 : 0;
    return from_address(s, (void *)(uintptr_t)address) < 0 ? -1 : 1;
}

/* Whether the scalar of dtype t that holds 1 has its bytes where scalar_bytes looks for them. -1: an exception. */
static int reads_directly(tb_dtype t)
{
    Py_buffer view;
    PyTypeObject *type = tbpy_numpy.scalars[t];
    PyObject *one = PyObject_CallFunction((PyObject *)type, "i", 1);
    int r = -1;
    if (one && PyObject_GetBuffer(one, &view, PyBUF_SIMPLE) == 0) {
        bool room = type->tp_basicsize >= (Py_ssize_t)(sizeof(PyObject) + tb_dtype_size(t));
        r = room && (size_t)view.len == tb_dtype_size(t) && memcmp(scalar_bytes(one), view.buf, (size_t)view.len) == 0;
        PyBuffer_Release(&view);
    }
    Py_XDECREF(one);
    return r;
}

static int from_numpy(const slot *s, PyObject *o, tb_dtype t)
{
    static atomic_schar direct[TB_NDTYPE]; /* 1: may be read where they are, -1: may not, 0: not known */
    if (t == TB_BF16) {                    /* ml_dtypes' numbers are no buffers */
        tb_scalar x;
        if (tbpy_scalar(o, &x) < 0) return -1;
        s->value->i = tbpy_bfloat_bits(x.v.f);
        return bytes_of(s, s->value, tb_dtype_size(t));
    }
    if (!direct[t]) {
        const int r = reads_directly(t);
        if (r < 0) return -1;
        direct[t] = r ? 1 : -1;
    }
    return direct[t] > 0 ? bytes_of(s, scalar_bytes(o), tb_dtype_size(t)) : from_buffer(s, o, false);
}

static int unsupported(const slot *s, PyObject *o)
{
    PyErr_Format(PyExc_TypeError,
                 "kernel %s: argument %zd is of type %.200s, which cannot be passed to a kernel; "
                 "expected an array, a number, a NumPy scalar, None, a MemoryPointer, a ctypes object or an object "
                 "with __cuda_array_interface__ or ptr",
                 s->kernel, s->i, Py_TYPE(o)->tp_name);
    return -1;
}

static int from_other(const slot *s, PyObject *o)
{
    if (tbpy_is_numpy_scalar(o)) return from_buffer(s, o, false);
    if (tbpy_is_host_array(o)) return from_buffer(s, o, true);
    int r = is_ctypes(o);
    if (r) return r < 0 ? -1 : from_buffer(s, o, false);
    PyObject *a;
    r = tbpy_from_device_protocol(o, &a);
    if (r < 0) return -1;
    if (r) {
        *s->arg = (tb_kernel_arg){.array = tbpy_array(a)};
        return hold(s, a);
    }
    r = from_ptr(s, o);
    if (r == 0) return unsupported(s, o);
    return r < 0 ? -1 : 0;
}

static int fill(const slot *s, PyObject *o)
{
    if (tbpy_check(o)) {
        *s->arg = (tb_kernel_arg){.array = tbpy_array(o)};
        return 0;
    }
    if (PyLong_CheckExact(o)) return from_int(s, o);
    tb_dtype t = tbpy_numpy_scalar_dtype(Py_TYPE(o));
    if (t != TB_NODTYPE) return from_numpy(s, o, t);
    if (PyFloat_Check(o)) return from_float(s, o);
    if (PyBool_Check(o)) return from_bool(s, o == Py_True);
    if (o == Py_None) return from_address(s, NULL);
    if (PyLong_Check(o)) return from_int(s, o);
    if (PyComplex_Check(o)) return from_complex(s, o);
    return from_other(s, o);
}

int tbpy_kernel_args_fill(const tb_function *f, PyObject *const *objs, Py_ssize_t n, tbpy_kernel_args *out)
{
    const size_t *sizes;
    int nparam = tb_function_parameters(f, &sizes);
    slot s = {.all = out, .kernel = tb_function_name(f)};
    out->n = (int)n;
    out->held = NULL;
    out->room = NULL;
    out->args = out->small_args;
    tbpy_value *values = out->small_values;
    if (n > TBPY_KERNEL_ARGS) {
        out->room = PyMem_Malloc((size_t)n * (sizeof *out->args + sizeof *values));
        if (!out->room) return PyErr_NoMemory(), -1;
        values = out->room;
        out->args = (tb_kernel_arg *)(values + n);
    }
    for (s.i = 0; s.i < n; s.i++) {
        s.want = sizes && s.i < nparam ? sizes[s.i] : 0;
        s.arg = &out->args[s.i];
        s.value = &values[s.i];
        if (fill(&s, objs[s.i]) == 0) continue;
        tbpy_kernel_args_drop(out);
        return -1;
    }
    return 0;
}

void tbpy_kernel_args_drop(tbpy_kernel_args *args)
{
    Py_CLEAR(args->held);
    PyMem_Free(args->room);
    args->room = NULL;
}
