/* finite.c - whether an array has finite elements alone: what most functions of SciPy's linear algebra look at first.
 * Those in memory of the host, and copies of a few, by a loop over bits, others by isfinite and all. */
#include "ndarray.h"
#include "reduce_args.h"

/* Of a number that is not finite all bits of the exponent are set: one more of them, and the highest bit is. */
#define FINITE(NAME, T, EXPONENT)                                                             \
    static bool NAME(const void *from, int64_t n)                                             \
    {                                                                                         \
        enum { BLOCK = 2048 };                                                                \
        const T *x = from, mask = (T)(EXPONENT), one = (T)(mask & -mask);                     \
        for (int64_t first = 0; first < n; first += BLOCK) {                                  \
            const int64_t last = n - first < BLOCK ? n : first + BLOCK;                       \
            T found = 0;                                                                      \
            for (int64_t i = first; i < last; i++) found |= (T)((T)(x[i] & mask) + one);      \
            if (found >> (8 * sizeof(T) - 1)) return false;                                   \
        }                                                                                     \
        return true;                                                                          \
    }
FINITE(finite_f64, uint64_t, 0x7ff0000000000000)
FINITE(finite_f32, uint32_t, 0x7f800000)
FINITE(finite_f16, uint16_t, 0x7c00)
FINITE(finite_bf16, uint16_t, 0x7f80)

static bool look(tb_dtype t, const void *at, int64_t n)
{
    switch (t) {
    case TB_F64: return finite_f64(at, n);
    case TB_C128: return finite_f64(at, 2 * n);
    case TB_F32: return finite_f32(at, n);
    case TB_C64: return finite_f32(at, 2 * n);
    case TB_F16: return finite_f16(at, n);
    default: return finite_bf16(at, n);
    }
}

/* Where the elements are, if they are without gaps and the host may read them, and its thread wait for them. */
static const void *whole(tb_array *a)
{
    if (!tb_waits_get() || !(tb_array_is_c_contiguous(a) || tb_array_is_f_contiguous(a))) return NULL;
    if (tb_array_is_pending(a) && tb_array_eval(a) != TB_OK) return NULL; /* what comes next says why */
    return tb_array_peek(a);
}

static tb_status compose(tb_array *a, bool *out)
{
    const tb_operand in[] = {tb_operand_array(a)};
    const tb_reduce_args args = TB_REDUCE_ARGS_INIT;
    tb_array *each, *all;
    tb_status st = tb_ufunc_call(tb_ufunc_find("isfinite"), in, &each, NULL);
    if (st != TB_OK) return st;
    st = tb_reduce(TB_RED_ALL, each, &args, &all);
    tb_array_release(each);
    if (st != TB_OK) return st;
    st = tb_array_get(all, out, NULL, NULL, true);
    tb_array_release(all);
    return st;
}

static tb_status are_finite(tb_array *a, bool *out)
{
    double few[512];
    const void *at = whole(a);
    const tb_dtype t = tb_array_dtype(a);
    if (!at && tb_waits_get() && (size_t)tb_array_size(a) <= sizeof few / tb_dtype_size(t)) {
        tb_status st = tb_array_get(a, few, NULL, NULL, true);
        if (st != TB_OK) return st;
        at = few;
    }
    if (!at) return compose(a, out);
    *out = look(t, at, tb_array_size(a));
    return TB_OK;
}

int tbpy_all_finite(PyObject *o)
{
    bool finite = true;
    tb_status st = TB_OK;
    tb_array *a = tbpy_array(o);
    const tb_kind kind = tb_dtype_kind(tb_array_dtype(a));
    if ((kind == TB_KIND_FLOAT || kind == TB_KIND_COMPLEX) && tb_array_size(a))
        TBPY_UNLOCKED_IF(tb_array_size(a), st, are_finite(a, &finite));
    return st == TB_OK ? finite : tbpy_fail(st);
}

static PyObject *all_finite(PyObject *Py_UNUSED(m), PyObject *o)
{
    if (!tbpy_check(o)) return PyErr_Format(PyExc_TypeError, "all_finite: an array is expected, not %R", Py_TYPE(o));
    const int finite = tbpy_all_finite(o);
    return finite < 0 ? NULL : PyBool_FromLong(finite);
}

static PyMethodDef methods[] = {
    {"all_finite", all_finite, METH_O,
     "all_finite(a, /)\n--\n\nWhether no element is infinite or NaN, as a bool, for which the host waits."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_finite(PyObject *m) { return PyModule_AddFunctions(m, methods); }
