/* ndarray_reduce.c - the reductions and scans among ndarray's methods. They differ in which arguments they take, and in
 * which order; tbpy_reduce does the rest. */
#include "ndarray.h"

enum { AXIS, DTYPE, OUT, KEEPDIMS, DDOF, INITIAL, NROLES };

/* For each argument list: names for the parser, and what each argument is. */
typedef struct signature {
    const char *names[NROLES + 1];
    unsigned char roles[NROLES];
} signature;

static const signature like_sum = {{"axis", "dtype", "out", "keepdims", "initial", NULL},
                                   {AXIS, DTYPE, OUT, KEEPDIMS, INITIAL}};
static const signature like_max = {{"axis", "out", "keepdims", "initial", NULL}, {AXIS, OUT, KEEPDIMS, INITIAL}};
static const signature like_argmax = {{"axis", "dtype", "out", "keepdims", NULL}, {AXIS, DTYPE, OUT, KEEPDIMS}};
static const signature like_any = {{"axis", "out", "keepdims", NULL}, {AXIS, OUT, KEEPDIMS}};
static const signature like_mean = {{"axis", "dtype", "out", "keepdims", NULL}, {AXIS, DTYPE, OUT, KEEPDIMS}};
static const signature like_var = {{"axis", "dtype", "out", "ddof", "keepdims", NULL},
                                   {AXIS, DTYPE, OUT, DDOF, KEEPDIMS}};

static PyObject *call(const char *who, tb_reduction op, const signature *sig, PyObject *self, PyObject *const *args,
                      Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *v[NROLES], *role[NROLES] = {NULL};
    int n = 0;
    while (sig->names[n]) n++;
    if (nargs > 0 || kwnames) {
        if (tbpy_parse(who, sig->names, 0, n, args, nargs, kwnames, v) < 0) return NULL;
        for (int i = 0; i < n; i++) role[sig->roles[i]] = v[i];
    }
    return tbpy_reduce(op, self, role[AXIS], role[DTYPE], role[OUT], role[KEEPDIMS], role[DDOF], role[INITIAL]);
}

#define METHOD(name, op, sig) \
    static PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) \
    { \
        return call(#name, op, &sig, self, args, nargs, kwnames); \
    }
METHOD(sum, TB_RED_SUM, like_sum)
METHOD(prod, TB_RED_PROD, like_sum)
METHOD(min, TB_RED_MIN, like_max)
METHOD(max, TB_RED_MAX, like_max)
METHOD(argmin, TB_RED_ARGMIN, like_argmax)
METHOD(argmax, TB_RED_ARGMAX, like_argmax)
METHOD(any, TB_RED_ANY, like_any)
METHOD(all, TB_RED_ALL, like_any)
METHOD(mean, TB_RED_MEAN, like_mean)
METHOD(var, TB_RED_VAR, like_var)
METHOD(std, TB_RED_STD, like_var)
METHOD(ptp, TB_RED_PTP, like_any)

static PyObject *scan(const char *who, tb_scan_op op, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwnames)
{
    static const char *const names[] = {"axis", "dtype", "out", NULL};
    PyObject *v[3];
    if (tbpy_parse(who, names, 0, 3, args, nargs, kwnames, v) < 0) return NULL;
    return tbpy_scan(op, self, v[0], v[1], v[2]);
}

static PyObject *cumsum(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return scan("cumsum", TB_SCAN_SUM, self, args, nargs, kwnames);
}

static PyObject *cumprod(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return scan("cumprod", TB_SCAN_PROD, self, args, nargs, kwnames);
}

#define ENTRY(name, arguments, text) \
    {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL | METH_KEYWORDS, #name arguments "\n--\n\n" text}

PyMethodDef tbpy_reduce_methods[] = {
    ENTRY(sum, "(axis=None, dtype=None, out=None, keepdims=False, initial=None)", "Sum of the elements."),
    ENTRY(prod, "(axis=None, dtype=None, out=None, keepdims=False, initial=None)", "Product of the elements."),
    ENTRY(min, "(axis=None, out=None, keepdims=False, initial=None)", "Smallest element; NaN if there is one."),
    ENTRY(max, "(axis=None, out=None, keepdims=False, initial=None)", "Largest element; NaN if there is one."),
    ENTRY(argmin, "(axis=None, dtype=None, out=None, keepdims=False)", "Index of the first smallest element."),
    ENTRY(argmax, "(axis=None, dtype=None, out=None, keepdims=False)", "Index of the first largest element."),
    ENTRY(any, "(axis=None, out=None, keepdims=False)", "Whether any element is true."),
    ENTRY(all, "(axis=None, out=None, keepdims=False)", "Whether all elements are true."),
    ENTRY(mean, "(axis=None, dtype=None, out=None, keepdims=False)", "Arithmetic mean over axes."),
    ENTRY(var, "(axis=None, dtype=None, out=None, ddof=0, keepdims=False)", "Variance over axes."),
    ENTRY(std, "(axis=None, dtype=None, out=None, ddof=0, keepdims=False)", "Standard deviation over axes."),
    ENTRY(ptp, "(axis=None, out=None, keepdims=False)", "Largest minus smallest element over axes."),
    ENTRY(cumsum, "(axis=None, dtype=None, out=None)", "Running sums along an axis."),
    ENTRY(cumprod, "(axis=None, dtype=None, out=None)", "Running products along an axis."),
    {NULL, NULL, 0, NULL},
};
