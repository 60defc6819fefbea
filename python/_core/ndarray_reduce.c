/* ndarray_reduce.c - the reductions and scans among ndarray's methods. They differ in which arguments they take, and in
 * which order; tbpy_reduce does the rest. */
#include "ndarray.h"
#include "reduce_args.h"

#define AXIS     TBPY_RED_AXIS
#define DTYPE    TBPY_RED_DTYPE
#define OUT      TBPY_RED_OUT
#define KEEPDIMS TBPY_RED_KEEPDIMS
#define DDOF     TBPY_RED_DDOF
#define INITIAL  TBPY_RED_INITIAL
#define WHERE    TBPY_RED_WHERE

static const tbpy_signature like_sum = {
    {"axis", "dtype", "out", "keepdims", "initial", "where", NULL}, {AXIS, DTYPE, OUT, KEEPDIMS, INITIAL, WHERE}, 6};
static const tbpy_signature like_max = {
    {"axis", "out", "keepdims", "initial", "where", NULL}, {AXIS, OUT, KEEPDIMS, INITIAL, WHERE}, 5};
static const tbpy_signature like_argmax = {{"axis", "dtype", "out", "keepdims", NULL}, {AXIS, DTYPE, OUT, KEEPDIMS}, 4};
static const tbpy_signature like_any = {{"axis", "out", "keepdims", "where", NULL}, {AXIS, OUT, KEEPDIMS, WHERE}, 3};
static const tbpy_signature like_ptp = {{"axis", "out", "keepdims", NULL}, {AXIS, OUT, KEEPDIMS}, 3};
static const tbpy_signature like_mean = {
    {"axis", "dtype", "out", "keepdims", "where", NULL}, {AXIS, DTYPE, OUT, KEEPDIMS, WHERE}, 4};
static const tbpy_signature like_var = {{"axis", "dtype", "out", "ddof", "keepdims", "where", "correction", NULL},
                                        {AXIS, DTYPE, OUT, DDOF, KEEPDIMS, WHERE, DDOF},
                                        5};

static PyObject *call(const char *who, tb_reduction op, const tbpy_signature *sig, PyObject *self,
                      PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *given[TBPY_RED_NROLES + 1], *v[TBPY_RED_NROLES] = {NULL};
    if (nargs > 0 || kwnames) {
        if (tbpy_parse(who, sig->names, 0, sig->npos, args, nargs, kwnames, given) < 0) return NULL;
        for (int i = 0; sig->names[i]; i++)
            if (given[i]) v[sig->roles[i]] = given[i];
        if (v[WHERE] && v[WHERE] != Py_None && v[WHERE] != Py_True) return tbpy_reduce_where(who, op, self, v);
    }
    return tbpy_reduce(op, self, v[AXIS], v[DTYPE], v[OUT], v[KEEPDIMS], v[DDOF], v[INITIAL]);
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
METHOD(ptp, TB_RED_PTP, like_ptp)

static PyObject *scan(const char *who, tb_reduction op, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwnames)
{
    static const char *const names[] = {"axis", "dtype", "out", NULL};
    PyObject *v[3];
    if (tbpy_parse(who, names, 0, 3, args, nargs, kwnames, v) < 0) return NULL;
    return tbpy_scan(op, self, v[0], v[1], v[2]);
}

static PyObject *cumsum(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return scan("cumsum", TB_RED_SUM, self, args, nargs, kwnames);
}

static PyObject *cumprod(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return scan("cumprod", TB_RED_PROD, self, args, nargs, kwnames);
}

#define ENTRY(name, arguments, text) \
    {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL | METH_KEYWORDS, #name arguments "\n--\n\n" text}

PyMethodDef tbpy_reduce_methods[] = {
    ENTRY(sum, "(axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)", "Sum of the elements."),
    ENTRY(prod, "(axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)",
          "Product of the elements."),
    ENTRY(min, "(axis=None, out=None, keepdims=False, initial=None, where=None)",
          "Smallest element; NaN if there is one."),
    ENTRY(max, "(axis=None, out=None, keepdims=False, initial=None, where=None)",
          "Largest element; NaN if there is one."),
    ENTRY(argmin, "(axis=None, dtype=None, out=None, keepdims=False)", "Index of the first smallest element."),
    ENTRY(argmax, "(axis=None, dtype=None, out=None, keepdims=False)", "Index of the first largest element."),
    ENTRY(any, "(axis=None, out=None, keepdims=False, *, where=None)", "Whether any element is true."),
    ENTRY(all, "(axis=None, out=None, keepdims=False, *, where=None)", "Whether all elements are true."),
    ENTRY(mean, "(axis=None, dtype=None, out=None, keepdims=False, *, where=None)", "Arithmetic mean over axes."),
    ENTRY(var, "(axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, correction=0)",
          "Variance over axes."),
    ENTRY(std, "(axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, correction=0)",
          "Standard deviation over axes."),
    ENTRY(ptp, "(axis=None, out=None, keepdims=False)", "Largest minus smallest element over axes."),
    ENTRY(cumsum, "(axis=None, dtype=None, out=None)", "Running sums along an axis."),
    ENTRY(cumprod, "(axis=None, dtype=None, out=None)", "Running products along an axis."),
    {NULL, NULL, 0, NULL},
};
