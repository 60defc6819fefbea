/* reductions.c - sum, max, argmin, any and the other reductions and scans of the module; where and clip.
 *
 * tbpy_reduce and tbpy_scan serve the ndarray methods too. Results are 0-d arrays where NumPy gives scalars. */
#include "ndarray.h"
#include "docs_arrays.h"
#include "docs_reductions.h"
#include "reduce_args.h"
#include "ufunc.h"

/* ---- shared with the ndarray methods ---------------------------------------------------------------------------- */

PyObject *tbpy_result_or_out(tb_array *r, PyObject *out, PyObject *like)
{
    if (out == NULL || out == Py_None) return tbpy_wrap_like(r, like);
    if (PyTuple_Check(out)) out = PyTuple_GET_ITEM(out, 0);
    return Py_NewRef(out);
}

/* What is to be known here of a reduction's row, in the words of tombac/reductions.def. */
enum { SAME, SUM, MEAN, SPREAD, INDEX, COUNT, BOOL, FLOAT };
enum { EMPTY_FAILS, EMPTY_ZERO, EMPTY_ONE, EMPTY_ALL_BITS, EMPTY_NAN, EMPTY_MINUS_INF };
static const struct rule {
    unsigned char result, empty;
} rules[TB_RED_COUNT] = {
#define TB_REDUCTION(NAME, name, says, of, initial, running, fold, result, nan, empty, ...) {result, EMPTY_##empty},
#include "tombac/reductions.def"
};

/* Warns where a is complex and what is asked for, or out, is not. Reductions that do not give numbers of a's kind need
 * no warning; nor do variances, which are real unless a dtype is asked for. */
static int warn_complex(tb_reduction op, tb_array *a, tb_dtype asked, const tb_array *out)
{
    const int result = rules[op].result;
    if (result == INDEX || result == COUNT || result == BOOL) return 0;
    if (result == SPREAD && asked == TB_NODTYPE) return 0;
    tb_dtype from = tb_array_dtype(a);
    if (asked != TB_NODTYPE && tbpy_warn_complex(from, asked) < 0) return -1;
    if (asked != TB_NODTYPE) from = asked;
    return out ? tbpy_warn_complex(from, tb_array_dtype(out)) : 0;
}

/* The dtype to reduce in; logical functions have loops for truth values alone. */
static int reduction_dtype(tb_reduction op, PyObject *dtype, tb_dtype *t)
{
    if (tbpy_optional_dtype(dtype, t) < 0) return -1;
    if ((op != TB_RED_ANY && op != TB_RED_ALL) || *t == TB_NODTYPE || *t == TB_BOOL) return 0;
    PyErr_Format(PyExc_TypeError, "%s: there is no loop that gives %s", op == TB_RED_ANY ? "logical_or" : "logical_and",
                 tb_dtype_name(*t));
    return -1;
}

PyObject *tbpy_reduce(tb_reduction op, PyObject *a, PyObject *axis, PyObject *dtype, PyObject *out, PyObject *keepdims,
                      PyObject *ddof, PyObject *initial)
{
    tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_NODTYPE};
    if (axis && tbpy_axes(axis, &args.naxis, args.axis) < 0) return NULL;
    if (dtype && reduction_dtype(op, dtype, &args.dtype) < 0) return NULL;
    if (keepdims && tbpy_bool_arg(keepdims, &args.keepdims) < 0) return NULL;
    tb_array *target = NULL;
    if (out && tbpy_out_arg(out, &target) < 0) return NULL;
    if (ddof && ddof != Py_None) {
        args.ddof = PyFloat_AsDouble(ddof);
        if (args.ddof == -1.0 && PyErr_Occurred()) return NULL;
    }
    if (initial && initial != Py_None) {
        if (tbpy_number_arg("initial", initial, &args.initial) < 0) return NULL;
        args.has_initial = true;
    }
    tb_array *in = tbpy_array(a), *r = NULL;
    tb_status st;
    if ((dtype || target) && warn_complex(op, in, args.dtype, target) < 0) return NULL;
    TBPY_UNLOCKED_IF(tb_array_size(in), st,
                     target ? tb_reduce_into(op, in, &args, target) : tb_reduce(op, in, &args, &r));
    if (st != TB_OK) return tbpy_raise(st);
    return tbpy_result_or_out(r, out, a);
}

PyObject *tbpy_scan(tb_reduction op, PyObject *a, PyObject *axis, PyObject *dtype, PyObject *out)
{
    int ax = TB_ALL_AXES;
    tb_dtype t = TB_NODTYPE;
    tb_array *in = tbpy_array(a), *target = NULL;
    if (axis && axis != Py_None && tbpy_axis(axis, &ax) < 0) return NULL;
    if (dtype && reduction_dtype(op, dtype, &t) < 0) return NULL;
    if (out && tbpy_out_arg(out, &target) < 0) return NULL;
    tb_array *r = NULL;
    tb_status st;
    if ((dtype || target) && warn_complex(op, in, t, target) < 0) return NULL;
    TBPY_UNLOCKED_IF(tb_array_size(in), st, target ? tb_scan_into(op, in, ax, t, target) : tb_scan(op, in, ax, t, &r));
    if (st != TB_OK) return tbpy_raise(st);
    return tbpy_result_or_out(r, out, a);
}

/* ---- where= of reductions --------------------------------------------------------------------------------------- */

/* The element that leaves op's result as it is; 0: there is none, and initial= has to be given. */
static int neutral(tb_reduction op, tb_scalar *out)
{
    const int empty = rules[op].empty;
    *out = (tb_scalar){.dtype = TB_I64, .v.i = empty == EMPTY_ALL_BITS ? -1 : empty == EMPTY_ONE};
    return empty == EMPTY_ZERO || empty == EMPTY_ONE || empty == EMPTY_ALL_BITS;
}

/* The mask as an array; its shape may be broadcast to a's, but not the other way round. */
static PyObject *read_mask(const char *who, PyObject *a, PyObject *mask)
{
    PyObject *m = tbpy_mask(mask, who);
    if (m == NULL) return NULL;
    int na = tb_array_ndim(tbpy_array(a)), nm = tb_array_ndim(tbpy_array(m));
    const int64_t *sa = tb_array_shape(tbpy_array(a)), *sm = tb_array_shape(tbpy_array(m));
    bool fits = nm <= na;
    for (int i = 1; fits && i <= nm; i++) fits = sm[nm - i] == 1 || sm[nm - i] == sa[na - i];
    if (fits) return m;
    PyErr_Format(PyExc_ValueError, "%s: where has %d dimensions that do not broadcast to the array's %d", who, nm, na);
    Py_DECREF(m);
    return NULL;
}

/* a where the mask holds, the neutral element (or initial) elsewhere. An initial of None says that there is none. */
static PyObject *masked(const char *who, tb_reduction op, PyObject *a, PyObject *mask, PyObject *initial)
{
    tb_operand cond = {TB_OPERAND_ARRAY, .array = tbpy_array(mask)}, x = {TB_OPERAND_ARRAY, .array = tbpy_array(a)},
               y = tb_operand_int(0);
    if (!neutral(op, &y.scalar) || initial == Py_None) {
        int is_number = initial && initial != Py_None ? tbpy_scalar(initial, &y.scalar) : 0;
        if (is_number < 0) return NULL;
        if (!is_number)
            return PyErr_Format(PyExc_ValueError, "%s: where= needs initial=, since this reduction has no identity",
                                who);
    }
    TBPY_TRY(tb_scalar_cast(y.scalar, tb_array_dtype(x.array), &y.scalar));
    tb_array *r = NULL;
    TBPY_TRY(tb_where(&cond, &x, &y, &r));
    return tbpy_wrap_like(r, a);
}

/* Means and variances divide by the number of true elements, and variances may be about a mean that is given:
 * compositions, made in tombac._statistics. mask may be NULL. */
static PyObject *composed_mean(tb_reduction op, PyObject *a, PyObject *mask, PyObject *const *v)
{
    static PyObject *mean, *var, *std;
    PyObject *f = op == TB_RED_MEAN  ? tbpy_package(&mean, "masked_mean")
                  : op == TB_RED_VAR ? tbpy_package(&var, "masked_var")
                                     : tbpy_package(&std, "masked_std");
    PyObject *args[8] = {a, mask ? mask : Py_None}, *zero = PyLong_FromLong(0);
    static const unsigned char roles[] = {TBPY_RED_AXIS, TBPY_RED_DTYPE, TBPY_RED_OUT, TBPY_RED_KEEPDIMS};
    for (int i = 0; i < 4; i++) args[2 + i] = v[roles[i]] ? v[roles[i]] : Py_None;
    args[6] = v[TBPY_RED_DDOF] && v[TBPY_RED_DDOF] != Py_None ? v[TBPY_RED_DDOF] : zero;
    args[7] = v[TBPY_RED_MEAN] ? v[TBPY_RED_MEAN] : Py_None;
    PyObject *r = f && zero ? PyObject_Vectorcall(f, args, op == TB_RED_MEAN ? 6 : 8, NULL) : NULL;
    Py_XDECREF(zero);
    return r;
}

static bool is_given(const PyObject *x) { return x && x != Py_None; }

PyObject *tbpy_reduce_by_role(const char *who, tb_reduction op, PyObject *a, PyObject *const *v)
{
    const bool chosen = is_given(v[TBPY_RED_WHERE]) && v[TBPY_RED_WHERE] != Py_True;
    const bool averages = op == TB_RED_MEAN || op == TB_RED_VAR || op == TB_RED_STD;
    PyObject *mask = NULL, *part = Py_NewRef(a), *r = NULL;
    if (chosen && (mask = read_mask(who, a, v[TBPY_RED_WHERE])) == NULL) {
        Py_DECREF(part);
        return NULL;
    }
    if (averages && (chosen || is_given(v[TBPY_RED_MEAN]))) {
        r = composed_mean(op, a, mask, v);
    } else {
        if (chosen) Py_SETREF(part, masked(who, op, a, mask, v[TBPY_RED_INITIAL]));
        if (part)
            r = tbpy_reduce(op, part, v[TBPY_RED_AXIS], v[TBPY_RED_DTYPE], v[TBPY_RED_OUT], v[TBPY_RED_KEEPDIMS],
                            v[TBPY_RED_DDOF], v[TBPY_RED_INITIAL]);
    }
    Py_XDECREF(mask);
    Py_XDECREF(part);
    return r;
}

PyObject *tbpy_call_reduction(const char *who, tb_reduction op, const tbpy_signature *sig, PyObject *default_axis,
                              PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *given[TBPY_RED_NROLES + 1], *v[TBPY_RED_NROLES] = {NULL};
    if (tbpy_parse(who, sig->names, 1, sig->npos, args, nargs, kwnames, given) < 0) return NULL;
    for (int i = 0; sig->names[i]; i++)
        if (given[i]) v[sig->roles[i]] = given[i];
    PyObject *own = tbpy_own_method(who, sig->names, given);
    if (own || PyErr_Occurred()) return own;
    if (v[TBPY_RED_AXIS] == NULL) v[TBPY_RED_AXIS] = default_axis;
    PyObject *a = tbpy_device_array(v[TBPY_RED_A]);
    if (a == NULL) return NULL;
    PyObject *r = tbpy_reduce_by_role(who, op, a, v);
    Py_DECREF(a);
    return r;
}

/* ---- the functions of the module -------------------------------------------------------------------------------- */

#define A       TBPY_RED_A
#define AXIS    TBPY_RED_AXIS
#define DTYPE   TBPY_RED_DTYPE
#define OUT     TBPY_RED_OUT
#define KEEP    TBPY_RED_KEEPDIMS
#define DDOF    TBPY_RED_DDOF
#define INITIAL TBPY_RED_INITIAL
#define WHERE   TBPY_RED_WHERE
#define MEAN_   TBPY_RED_MEAN

const tbpy_signature tbpy_ufunc_reduce_signature = {
    {"array", "axis", "dtype", "out", "keepdims", "initial", "where", NULL},
    {A, AXIS, DTYPE, OUT, KEEP, INITIAL, WHERE},
    7};
const tbpy_signature tbpy_like_SUM = {{"a", "axis", "dtype", "out", "keepdims", "initial", "where", NULL},
                                      {A, AXIS, DTYPE, OUT, KEEP, INITIAL, WHERE},
                                      7};
const tbpy_signature tbpy_like_MAX = {
    {"a", "axis", "out", "keepdims", "initial", "where", NULL}, {A, AXIS, OUT, KEEP, INITIAL, WHERE}, 6};
const tbpy_signature tbpy_like_ANY = {{"a", "axis", "out", "keepdims", "where", NULL}, {A, AXIS, OUT, KEEP, WHERE}, 4};
const tbpy_signature tbpy_like_PTP = {{"a", "axis", "out", "keepdims", NULL}, {A, AXIS, OUT, KEEP}, 4};
const tbpy_signature tbpy_like_MEAN = {
    {"a", "axis", "dtype", "out", "keepdims", "where", NULL}, {A, AXIS, DTYPE, OUT, KEEP, WHERE}, 5};
const tbpy_signature tbpy_like_ARG = {{"a", "axis", "dtype", "out", "keepdims", NULL}, {A, AXIS, DTYPE, OUT, KEEP}, 5};
const tbpy_signature tbpy_like_VAR = {
    {"a", "axis", "dtype", "out", "ddof", "keepdims", "where", "mean", "correction", NULL},
    {A, AXIS, DTYPE, OUT, DDOF, KEEP, WHERE, MEAN_, DDOF},
    6};
const tbpy_signature tbpy_like_COUNT = {{"a", "axis", "keepdims", NULL}, {A, AXIS, KEEP}, 2};

#undef A
#undef AXIS
#undef DTYPE
#undef OUT
#undef KEEP
#undef DDOF
#undef INITIAL
#undef WHERE
#undef MEAN_

/* A function of the module, or none. */
#define FUNCTION_METHOD(name, NAME, like)                                                                            \
    static PyObject *red_##name(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n, PyObject *kwnames)      \
    {                                                                                                                \
        return tbpy_call_reduction(#name, TB_RED_##NAME, &tbpy_like_##like, NULL, args, n, kwnames);                 \
    }
#define FUNCTION_FUNCTION FUNCTION_METHOD
#define FUNCTION_NONE(name, NAME, like)
#define TB_REDUCTION(NAME, name, says, of, initial, running, fold, result, nan, empty, place, like, doc) \
    FUNCTION_##place(name, NAME, like)
#include "tombac/reductions.def"

static PyObject *call_scan(const char *who, tb_reduction op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "axis", "dtype", "out", NULL};
    PyObject *v[4];
    if (tbpy_parse(who, names, 1, 4, args, nargs, kwnames, v) < 0) return NULL;
    PyObject *a = tbpy_device_array(v[0]);
    if (a == NULL) return NULL;
    PyObject *r = tbpy_scan(op, a, v[1], v[2], v[3]);
    Py_DECREF(a);
    return r;
}

#define TB_RUNNING(NAME, name, place, doc)                                                                           \
    static PyObject *run_##name(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n, PyObject *kwnames)      \
    {                                                                                                                \
        return call_scan(#name, TB_RED_##NAME, args, n, kwnames);                                                    \
    }
#include "tombac/reductions.def"

/* ---- where ------------------------------------------------------------------------------------------------------- */

/* Records of two dtypes become those of the one that NumPy finds for both. */
static int common_records(tb_operand *in, tb_array **cast)
{
    tb_array *const both[2] = {in[0].array, in[1].array};
    tb_dtype t = TB_NODTYPE;
    if (!both[0] || !both[1]) return 0;
    if (tbpy_record_common(2, both, &t) < 0) return -1;
    for (int i = 0; t != TB_NODTYPE && i < 2; i++) {
        TBPY_TRY_INT(tb_astype(both[i], t, 'K', TB_CAST_SAFE, false, &cast[i]));
        in[i].array = cast[i];
    }
    return 0;
}

static PyObject *call_where(PyObject *cond, PyObject *x, PyObject *y)
{
    PyObject *objs[2] = {x, y}, *held[2];
    PyObject *mask = tbpy_device_array(cond);
    if (mask == NULL) return NULL;
    tb_operand c = {TB_OPERAND_ARRAY, .array = tbpy_array(mask)}, in[2];
    if (tbpy_operands(2, objs, in, held) < 0) {
        Py_DECREF(mask);
        return NULL;
    }
    tb_array *r = NULL, *cast[2] = {NULL, NULL};
    const int common = common_records(in, cast);
    tb_status st = common == 0 ? tb_where(&c, &in[0], &in[1], &r) : TB_OK;
    tbpy_drop_operands(2, held);
    tb_array_release_all(2, cast);
    Py_DECREF(mask);
    if (common < 0) return NULL;
    return st == TB_OK ? tbpy_wrap_result(r, 2, objs) : tbpy_raise(st);
}

static PyObject *red_where(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"condition", "x", "y", NULL};
    PyObject *v[3];
    if (tbpy_parse("where", names, 1, 3, args, nargs, kwnames, v) < 0) return NULL;
    bool has_x = v[1] && v[1] != Py_None, has_y = v[2] && v[2] != Py_None;
    if (has_x && has_y) return call_where(v[0], v[1], v[2]);
    if (has_x || has_y) {
        PyErr_SetString(PyExc_ValueError, "where: either both or neither of x and y must be given");
        return NULL;
    }
    return tbpy_nonzero(v[0]);
}

static PyObject *red_nonzero(PyObject *Py_UNUSED(m), PyObject *a) { return tbpy_nonzero(a); }

TBPY_ONE(red_nonzero, "nonzero", "a")

static PyObject *red_argwhere(PyObject *Py_UNUSED(m), PyObject *a) { return tbpy_argwhere(a); }

TBPY_ONE(red_argwhere, "argwhere", "a")

/* For copyto, which has checked that both are arrays. */
static PyObject *red_assign_where(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"dst", "mask", "value", NULL};
    PyObject *v[3];
    if (tbpy_parse("_assign_where", names, 3, 3, args, nargs, kwnames, v) < 0) return NULL;
    return tbpy_assign_where(v[0], v[1], v[2]);
}

/* For compositions in Python: their where= as an array of truth values. */
static PyObject *red_mask(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"where", "name", NULL};
    PyObject *v[2];
    if (tbpy_parse("_mask", names, 2, 2, args, nargs, kwnames, v) < 0) return NULL;
    const char *who = PyUnicode_AsUTF8(v[1]);
    return who ? tbpy_mask(v[0], who) : NULL;
}

static bool are_alike(PyObject *l, PyObject *r)
{
    if (!tbpy_check(l) || !tbpy_check(r)) return false;
    const tb_array *a = tbpy_array(l), *b = tbpy_array(r);
    const int ndim = tb_array_ndim(a);
    bool alike = ndim == tb_array_ndim(b);
    for (int d = 0; alike && d < ndim; d++) alike = tb_array_shape(a)[d] == tb_array_shape(b)[d];
    return alike;
}

/* For compositions in Python, which would make two tuples. */
static PyObject *red_alike(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *Py_UNUSED(names))
{
    return PyBool_FromLong(nargs == 2 && are_alike(args[0], args[1]));
}

/* (a, mask, values): whether they are arrays of one shape, of one dtype and truth values; then it is done. */
static PyObject *red_put_alike(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    const bool alike = nargs == 3 && are_alike(args[0], args[1]) && are_alike(args[0], args[2]);
    if (!alike || tb_array_dtype(tbpy_array(args[1])) != TB_BOOL) Py_RETURN_FALSE;
    if (tb_array_dtype(tbpy_array(args[0])) != tb_array_dtype(tbpy_array(args[2]))) Py_RETURN_FALSE;
    PyObject *none = tbpy_assign_where(args[0], args[1], args[2]);
    if (none == NULL) return NULL;
    Py_DECREF(none);
    Py_RETURN_TRUE;
}

/* ---- clip -------------------------------------------------------------------------------------------------------- */

/* clip, maximum or minimum of a and the bounds that are given. */
static PyObject *limit(const char *ufunc, int n, PyObject *const *objs, PyObject *out)
{
    PyObject *held[3];
    tb_operand in[3];
    tb_array *target = NULL;
    if ((out && tbpy_out_arg(out, &target) < 0) || tbpy_operands(n, objs, in, held) < 0) return NULL;
    const tb_ufunc *u = tb_ufunc_find(ufunc);
    tb_array *r = NULL;
    tb_status st = target ? tb_ufunc_into(u, in, &target, NULL, NULL) : tb_ufunc_call(u, in, &r, NULL);
    tbpy_drop_operands(n, held);
    if (st != TB_OK) return tbpy_raise(st);
    return target ? Py_NewRef(PyTuple_Check(out) ? PyTuple_GET_ITEM(out, 0) : out) : tbpy_wrap_result(r, n, objs);
}

/* A ufunc's keywords that clip passes on. */
static const char *const keywords[] = {"where", "dtype", "casting", "order", "subok", "signature", "out"};
enum { NKEYWORD = 7 };

static PyObject *limit_with(const char *ufunc, int n, PyObject *const *objs, PyObject *const *values)
{
    PyObject *all[3 + NKEYWORD], *names = PyList_New(0);
    int count = n;
    memcpy(all, objs, (size_t)n * sizeof *objs);
    for (int i = 0; names && i < NKEYWORD; i++) {
        if (!values[i]) continue;
        PyObject *name = PyUnicode_FromString(keywords[i]);
        if (!name || PyList_Append(names, name) < 0) Py_CLEAR(names);
        Py_XDECREF(name);
        all[count++] = values[i];
    }
    PyObject *kwnames = names ? PyList_AsTuple(names) : NULL;
    PyObject *r = kwnames ? tbpy_ufunc_call(tb_ufunc_find(ufunc), all, n, kwnames) : NULL;
    Py_XDECREF(kwnames);
    Py_XDECREF(names);
    return r;
}

static PyObject *call_clip_with(PyObject *a, PyObject *lo, PyObject *hi, PyObject *const *values)
{
    if (lo && hi) return limit_with("clip", 3, (PyObject *[]){a, lo, hi}, values);
    if (lo) return limit_with("maximum", 2, (PyObject *[]){a, lo}, values);
    if (hi) return limit_with("minimum", 2, (PyObject *[]){a, hi}, values);
    return limit_with("positive", 1, &a, values);
}

static PyObject *call_clip(PyObject *a, PyObject *lo, PyObject *hi, PyObject *out)
{
    if (lo && hi) return limit("clip", 3, (PyObject *[]){a, lo, hi}, out);
    if (lo) return limit("maximum", 2, (PyObject *[]){a, lo}, out);
    if (hi) return limit("minimum", 2, (PyObject *[]){a, hi}, out);
    return limit("positive", 1, &a, out);
}

/* *bound becomes NULL where it is a Python integer beyond all that elements of a can be. */
static int drop_idle_bound(PyObject *a, bool upper, PyObject **bound)
{
    const tb_dtype t = tb_array_dtype(tbpy_array(a));
    tb_scalar s;
    if (!*bound || !PyLong_CheckExact(*bound) || tb_dtype_kind(t) != TB_KIND_INT) return 0;
    const int bits = 8 * (int)tb_dtype_size(t);
    const bool is_unsigned = tb_dtype_is_unsigned(t);
    int overflow;
    const long long v = PyLong_AsLongLongAndOverflow(*bound, &overflow);
    if (v == -1 && !overflow && PyErr_Occurred()) return -1;
    const int64_t least = is_unsigned ? 0 : INT64_MIN >> (64 - bits);
    const int64_t most = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - !is_unsigned)) - 1;
    bool idle = upper ? overflow > 0 || (!overflow && v >= most) : overflow < 0 || (!overflow && v <= least);
    if (idle && upper && is_unsigned && bits == 64) /* unless the number is one of uint64's */
        idle = overflow > 0 && (tbpy_scalar(*bound, &s) < 0 || s.v.u == UINT64_MAX);
    PyErr_Clear();
    if (idle) *bound = NULL;
    return 0;
}

static PyObject *red_clip(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a",     "a_min",   "a_max", "out",   "min",       "max", "where",
                                        "dtype", "casting", "order", "subok", "signature", NULL};
    PyObject *v[6 + NKEYWORD] = {NULL};
    if (tbpy_parse("clip", names, 1, 4, args, nargs, kwnames, v) < 0) return NULL;
    if ((v[1] || v[2]) && (v[4] || v[5])) {
        PyErr_SetString(PyExc_ValueError, "clip: bounds are given as a_min and a_max, or as min and max, not both");
        return NULL;
    }
    bool plain = true;
    for (int i = 6; plain && i < 5 + NKEYWORD; i++) plain = !v[i];
    PyObject *lo = v[1] ? v[1] : v[4], *hi = v[2] ? v[2] : v[5], *out = v[3];
    static const char *const method[] = {"a",       "min",   "max",   "out",       "where", "dtype",
                                         "casting", "order", "subok", "signature", NULL};
    PyObject *host =
        tbpy_host_method("clip", method, (PyObject *[]){v[0], lo, hi, out, v[6], v[7], v[8], v[9], v[10], v[11]});
    if (host || PyErr_Occurred()) return host;
    PyObject *a = tbpy_device_array(v[0]);
    if (a == NULL) return NULL;
    if (lo == Py_None) lo = NULL;
    if (hi == Py_None) hi = NULL;
    const bool fine = drop_idle_bound(a, false, &lo) == 0 && drop_idle_bound(a, true, &hi) == 0;
    if (out == Py_None) out = NULL;
    v[5 + NKEYWORD] = out;
    PyObject *r = !fine ? NULL : plain ? call_clip(a, lo, hi, out) : call_clip_with(a, lo, hi, v + 6);
    Py_DECREF(a);
    return r;
}

/* ---- registration ------------------------------------------------------------------------------------------------ */

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS
#define ENTRY_METHOD(name, like, doc) \
    {#name, FAST(red_##name), #name "(a, " TBPY_TEXT_##like "\n--\n\n" doc TBPY_SECTIONS_##like TBPY_EXAMPLE_##name},
#define ENTRY_FUNCTION ENTRY_METHOD
#define ENTRY_NONE(name, like, doc)
#define ALIAS(alias, name, like) \
    {#alias, FAST(red_##name), #alias "(a, " TBPY_TEXT_##like "\n--\n\nAnother name of " #name "."}

/* (a, axes, keepdims) -> (least, greatest) */
static PyObject *red_min_max(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_reduce_args how = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_NODTYPE};
    tb_array *least = NULL, *most = NULL;
    tb_status st;
    if (nargs != 3 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "min_max: an array, axes and a bool are expected");
        return NULL;
    }
    if (tbpy_axes(args[1], &how.naxis, how.axis) < 0 || tbpy_bool_arg(args[2], &how.keepdims) < 0) return NULL;
    tb_array *a = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_min_max(a, &how, &least, &most));
    if (st != TB_OK) return tbpy_raise(st);
    return Py_BuildValue("(NN)", tbpy_wrap_like(least, args[0]), tbpy_wrap_like(most, args[0]));
}

/* The same of all elements of real numbers, as one array of two. */
static PyObject *red_extremes(PyObject *Py_UNUSED(m), PyObject *arg)
{
    tb_array *least = NULL, *most = NULL, *both = NULL;
    tb_status st;
    if (!tbpy_check(arg) || tb_dtype_kind(tb_array_dtype(tbpy_array(arg))) >= TB_KIND_COMPLEX) {
        PyErr_SetString(PyExc_TypeError, "extremes: an array of real numbers is expected");
        return NULL;
    }
    tb_array *a = tbpy_array(arg);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_min_max(a, NULL, &least, &most));
    if (st != TB_OK) return tbpy_raise(st);
    const int64_t two = 2, stride = (int64_t)tb_dtype_size(tb_array_dtype(least));
    st = tb_as_strided(least, 1, &two, &stride, 0, &both);
    tb_array_release(least);
    tb_array_release(most);
    return st == TB_OK ? tbpy_wrap_like(both, arg) : tbpy_raise(st);
}

/* (a, axes, ddof, keepdims) -> (mean, variance) */
static PyObject *red_mean_var(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_reduce_args how = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_NODTYPE};
    tb_array *mean = NULL, *var = NULL;
    tb_status st;
    if (nargs != 4 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "mean_var: an array, axes, a number and a bool are expected");
        return NULL;
    }
    if (tbpy_axes(args[1], &how.naxis, how.axis) < 0 || tbpy_bool_arg(args[3], &how.keepdims) < 0) return NULL;
    how.ddof = PyFloat_AsDouble(args[2]);
    if (how.ddof == -1.0 && PyErr_Occurred()) return NULL;
    tb_array *a = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_mean_var(a, &how, &mean, &var));
    if (st != TB_OK) return tbpy_raise(st);
    return Py_BuildValue("(NN)", tbpy_wrap_like(mean, args[0]), tbpy_wrap_like(var, args[0]));
}

/* (a, axes, ddof) */
static PyObject *red_standardize(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_reduce_args how = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_NODTYPE};
    tb_array *r = NULL;
    tb_status st;
    if (nargs != 3 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "standardize: an array, axes and a number are expected");
        return NULL;
    }
    if (tbpy_axes(args[1], &how.naxis, how.axis) < 0) return NULL;
    how.ddof = PyFloat_AsDouble(args[2]);
    if (how.ddof == -1.0 && PyErr_Occurred()) return NULL;
    tb_array *a = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_standardize(a, &how, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

/* (a, log) -> None where there is no kernel for it */
static PyObject *red_softmax(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    bool log = false;
    tb_status st;
    if (nargs != 2 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "softmax: an array and a bool are expected");
        return NULL;
    }
    if (tbpy_bool_arg(args[1], &log) < 0) return NULL;
    tb_array *a = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_softmax(a, log, &r));
    if (st == TB_ERR_NOT_IMPLEMENTED) Py_RETURN_NONE;
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

static PyMethodDef methods[] = {
#define TB_REDUCTION(NAME, name, says, of, initial, running, fold, result, nan, empty, place, like, doc) \
    ENTRY_##place(name, like, doc)
#define TB_RUNNING(NAME, name, place, doc) \
    {#name, FAST(run_##name), #name "(a, axis=None, dtype=None, out=None)\n--\n\n" doc TBPY_SECTIONS_RUNNING \
     TBPY_EXAMPLE_##name},
#include "tombac/reductions.def"
    ALIAS(amax, max, MAX),
    ALIAS(amin, min, MAX),
    ALIAS(sometrue, any, ANY),
    ALIAS(alltrue, all, ANY),
    {"where", FAST(red_where), "where(condition, x=None, y=None)\n--\n\n" TBPY_DOC_where},
    {"nonzero", TBPY_ONE_ROW(red_nonzero), "nonzero(a)\n--\n\n" TBPY_DOC_nonzero},
    {"argwhere", TBPY_ONE_ROW(red_argwhere), "argwhere(a)\n--\n\nWhat nonzero gives, as rows of one array."},
    {"_mean_var", (PyCFunction)(void (*)(void))red_mean_var, METH_FASTCALL,
     "_mean_var(a, axis, ddof, keepdims)\n--\n\nThe mean and the variance, read once where that is possible."},
    {"_standardize", (PyCFunction)(void (*)(void))red_standardize, METH_FASTCALL,
     "_standardize(a, axis, ddof)\n--\n\nStandard scores of real samples along axes."},
    {"_min_max", (PyCFunction)(void (*)(void))red_min_max, METH_FASTCALL,
     "_min_max(a, axis, keepdims)\n--\n\nThe least and the greatest element, read once."},
    {"_extremes", red_extremes, METH_O,
     "_extremes(a)\n--\n\nThe least and the greatest of all elements, as one array of two."},
    {"_softmax", (PyCFunction)(void (*)(void))red_softmax, METH_FASTCALL,
     "_softmax(a, log)\n--\n\nsoftmax along the last axis, or its logarithm; None where there is no kernel for it."},
    {"_assign_where", FAST(red_assign_where), "_assign_where(dst, mask, value)\n--\n\ndst[...] = value where mask."},
    {"_mask", FAST(red_mask), "_mask(where, name)\n--\n\nwhere= of the function of that name as an array."},
    {"_put_alike", (PyCFunction)(void (*)(void))red_put_alike, METH_FASTCALL,
     "_put_alike(a, mask, values)\n--\n\nputmask where all are arrays of one shape; whether they are."},
    {"_alike", FAST(red_alike), "_alike(a, b)\n--\n\nWhether both are arrays, and of one shape."},
    {"clip", FAST(red_clip),
     "clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None, where=True, dtype=None, casting='same_kind', "
     "order='K', subok=True, signature=None)\n--\n\n" TBPY_DOC_clip},
    {NULL, NULL, 0, NULL}};

int tbpy_add_reductions(PyObject *m)
{
    if (PyModule_AddFunctions(m, methods) < 0) return -1;
    return tbpy_add_joins(m) < 0 || tbpy_add_views(m) < 0 || tbpy_add_sort(m) < 0 || tbpy_add_recurrence(m) < 0 ||
                   tbpy_add_windows(m) < 0 || tbpy_add_objects(m) < 0 || tbpy_add_peaks(m) < 0 ||
                   tbpy_add_pieces(m) < 0 || tbpy_add_tree(m) < 0 || tbpy_add_solvers(m) < 0 ||
                   tbpy_add_finite(m) < 0 || tbpy_add_sparse(m) < 0
               ? -1
               : tbpy_add_linalg(m);
}
