/* join.c - concatenate and stack: one new array, and each input assigned to its part of it. */
#include "reduce_args.h"

/* The inputs of one call: ndarrays, held by a tuple. */
typedef struct inputs {
    PyObject *items;
    Py_ssize_t n;
} inputs;

static inline tb_array *input(const inputs *in, Py_ssize_t i) { return tbpy_array(PyTuple_GET_ITEM(in->items, i)); }

static int read_inputs(const char *who, PyObject *o, inputs *in)
{
    /* A stacked array is the sequence of its rows, and says itself why it has none. */
    in->items = tbpy_check(o) ? PySequence_Tuple(o) : tbpy_items(o, "a sequence of tombac.ndarray is expected");
    if (in->items == NULL) return -1;
    in->n = PyTuple_GET_SIZE(in->items);
    if (in->n == 0) PyErr_Format(PyExc_ValueError, "%s: at least one array is needed", who);
    for (Py_ssize_t i = 0; i < in->n; i++) {
        PyObject *item = PyTuple_GET_ITEM(in->items, i);
        if (tbpy_check(item)) continue;
        PyErr_Format(PyExc_TypeError, "%s: item %zd is a %R; only tombac.ndarray can be joined", who, i, Py_TYPE(item));
        break;
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(in->items);
        return -1;
    }
    return 0;
}

static int normal_axis(const char *who, int axis, int ndim, int *out)
{
    if (axis < -ndim || axis >= ndim) {
        tbpy_raise_axis(axis, ndim, who);
        return -1;
    }
    *out = axis < 0 ? axis + ndim : axis;
    return 0;
}

/* Result dtype: the given one, out's, or the promotion of all. */
static tb_dtype joined_dtype(const inputs *in, tb_dtype given, const tb_array *out)
{
    if (given != TB_NODTYPE) return given;
    if (out) return tb_array_dtype(out);
    bool seen[TB_NDTYPE] = {false};
    tb_dtype types[TB_NDTYPE], t = TB_BOOL;
    int n = 0;
    for (Py_ssize_t i = 0; i < in->n; i++) {
        t = tb_array_dtype(input(in, i));
        if (!seen[t]) types[n++] = t;
        seen[t] = true;
    }
    (void)tb_result_type(n, types, 0, NULL, &t); /* which fails only of nothing */
    return t;
}

/* Whether axis d of every input is inside of axis e in memory, which comes before it in C order: 1, or -1 for outside;
 * 0 where axes of one element do not tell. Where inputs disagree C order wins. `added` is an axis that no input has. */
static int nests(const inputs *in, int added, int e, int d)
{
    int said = 0;
    if (e == added || d == added) return 0;
    e -= e > added;
    d -= d > added;
    for (Py_ssize_t i = 0; i < in->n; i++) {
        const int64_t *shape = tb_array_shape(input(in, i)), *strides = tb_array_strides(input(in, i));
        if (shape[e] == 1 || shape[d] == 1) continue;
        if (llabs(strides[d]) <= llabs(strides[e])) return 1;
        said = -1;
    }
    return said;
}

/* NumPy's layout of what is joined: axes sorted by the inputs' strides, the outermost first. */
static void joined_order(const inputs *in, int added, int ndim, int *order)
{
    for (int d = 0; d < ndim; d++) {
        int place = d;
        for (int k = d - 1; k >= 0; k--) {
            const int inside = nests(in, added, order[k], d);
            if (inside > 0) break;
            if (inside < 0) place = k;
        }
        memmove(order + place + 1, order + place, (size_t)(d - place) * sizeof *order);
        order[place] = d;
    }
}

static tb_status new_target(const inputs *in, int added, tb_dtype t, int ndim, const int64_t *shape, tb_array **r)
{
    int order[TB_MAXDIM], back[TB_MAXDIM];
    int64_t outer[TB_MAXDIM];
    bool plain = true;
    for (Py_ssize_t i = 0; i < in->n && plain; i++) plain = tb_array_is_c_contiguous(input(in, i));
    if (plain) return tb_empty(t, ndim, shape, 'C', r);
    joined_order(in, added, ndim, order);
    for (int k = 0; k < ndim; k++) {
        outer[k] = shape[order[k]];
        back[order[k]] = k;
    }
    tb_array *block;
    tb_status st = tb_empty(t, ndim, outer, 'C', &block);
    if (st != TB_OK) return st;
    st = tb_transpose(block, back, r);
    tb_array_release(block);
    return st;
}

/* The array to fill: out, checked, or a new one. */
static tb_status target_array(const char *who, const inputs *in, tb_array *out, tb_dtype t, int added, int ndim,
                              const int64_t *shape, tb_array **r)
{
    if (out == NULL) return new_target(in, added, t, ndim, shape, r);
    if (tb_array_ndim(out) != ndim || memcmp(tb_array_shape(out), shape, (size_t)ndim * sizeof *shape) != 0) {
        PyErr_Format(PyExc_ValueError, "%s: out has the wrong shape for the joined arrays", who);
        return TB_ERR_VALUE;
    }
    *r = tb_array_retain(out);
    return TB_OK;
}

/* target[..., start : start + length, ...] */
static tb_status part_of(tb_array *target, int axis, int64_t start, int64_t length, tb_array **out)
{
    const int64_t *strides = tb_array_strides(target);
    int ndim = tb_array_ndim(target);
    int64_t shape[TB_MAXDIM];
    memcpy(shape, tb_array_shape(target), (size_t)ndim * sizeof *shape);
    shape[axis] = length;
    return tb_as_strided(target, ndim, shape, strides, start * strides[axis], out);
}

/* What is to be written where: n pairs. */
typedef struct parts {
    Py_ssize_t n;
    tb_array **to, **from;
} parts;

static int new_parts(Py_ssize_t most, parts *p)
{
    p->n = 0;
    p->to = PyMem_New(tb_array *, 2 * (size_t)most);
    if (p->to == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    p->from = p->to + most;
    return 0;
}

static void free_parts(parts *p)
{
    while (p->n > 0) {
        p->n--;
        tb_array_release(p->to[p->n]);
        tb_array_release(p->from[p->n]);
    }
    PyMem_Free(p->to);
}

/* Writes the parts of target, and frees them. An array that the caller gave may overlap with what is read. */
static tb_status write_parts(parts *p, bool given, tb_casting casting)
{
    tb_status st = TB_OK;
    if (!given) st = tb_assign_all((int)p->n, p->to, p->from, casting);
    for (Py_ssize_t i = 0; given && i < p->n && st == TB_OK; i++) st = tb_assign(p->to[i], p->from[i], casting);
    free_parts(p);
    return st;
}

typedef struct options {
    tb_array *out;
    PyObject *out_object;
    tb_dtype dtype;
    tb_casting casting;
} options;

static PyObject *finish(tb_array *r, const options *o, const inputs *in)
{
    if (o->out == NULL) return tbpy_wrap_like(r, PyTuple_GET_ITEM(in->items, 0));
    tb_array_release(r);
    return Py_NewRef(o->out_object);
}

/* The call's result, r (stolen), once its parts are written. */
static PyObject *written(tb_status st, parts *p, tb_array *r, const options *o, const inputs *in)
{
    if (st == TB_OK) st = write_parts(p, o->out != NULL, o->casting);
    else free_parts(p);
    if (st == TB_OK) return finish(r, o, in);
    tb_array_release(r);
    return tbpy_raise(st);
}

static PyObject *concatenate(const inputs *in, int axis, const options *o)
{
    int ndim = tb_array_ndim(input(in, 0));
    if (ndim == 0) {
        PyErr_SetString(PyExc_ValueError, "concatenate: zero-dimensional arrays cannot be joined; use stack");
        return NULL;
    }
    if (normal_axis("concatenate", axis, ndim, &axis) < 0) return NULL;
    int64_t shape[TB_MAXDIM];
    memcpy(shape, tb_array_shape(input(in, 0)), (size_t)ndim * sizeof *shape);
    for (Py_ssize_t i = 1; i < in->n; i++) {
        tb_array *a = input(in, i);
        if (tb_array_ndim(a) != ndim)
            return PyErr_Format(PyExc_ValueError, "concatenate: array 0 has %d dimensions, but array %zd has %d", ndim,
                                i, tb_array_ndim(a));
        for (int d = 0; d < ndim; d++)
            if (d != axis && tb_array_shape(a)[d] != shape[d])
                return PyErr_Format(PyExc_ValueError,
                                    "concatenate: along axis %d, array 0 has length %lld, array %zd %lld", d,
                                    (long long)shape[d], i, (long long)tb_array_shape(a)[d]);
        shape[axis] += tb_array_shape(a)[axis];
    }
    tb_array *r;
    tb_status st = target_array("concatenate", in, o->out, joined_dtype(in, o->dtype, o->out), ndim, ndim, shape, &r);
    if (st != TB_OK) return PyErr_Occurred() ? NULL : tbpy_raise(st);
    int64_t start = 0;
    parts p;
    if (new_parts(in->n, &p) < 0) {
        tb_array_release(r);
        return NULL;
    }
    for (; p.n < in->n; p.n++) {
        tb_array *a = input(in, p.n);
        const int64_t length = tb_array_shape(a)[axis];
        st = part_of(r, axis, start, length, &p.to[p.n]);
        if (st != TB_OK) break;
        p.from[p.n] = tb_array_retain(a);
        start += length;
    }
    return written(st, &p, r, o, in);
}

static PyObject *stack(const inputs *in, int axis, const options *o)
{
    tb_array *first = input(in, 0);
    int ndim = tb_array_ndim(first);
    const int64_t *each = tb_array_shape(first);
    if (normal_axis("stack", axis, ndim + 1, &axis) < 0) return NULL;
    if (ndim == TB_MAXDIM)
        return PyErr_Format(PyExc_ValueError, "stack: the result would have more than %d dimensions", TB_MAXDIM);
    for (Py_ssize_t i = 1; i < in->n; i++) {
        tb_array *a = input(in, i);
        if (tb_array_ndim(a) != ndim || memcmp(tb_array_shape(a), each, (size_t)ndim * sizeof *each) != 0)
            return PyErr_Format(PyExc_ValueError,
                                "stack: all arrays must have the same shape, array %zd differs from array 0", i);
    }
    int64_t shape[TB_MAXDIM];
    for (int d = 0; d <= ndim; d++) shape[d] = d == axis ? in->n : each[d - (d > axis)];
    tb_array *r;
    tb_status st = target_array("stack", in, o->out, joined_dtype(in, o->dtype, o->out), axis, ndim + 1, shape, &r);
    if (st != TB_OK) return PyErr_Occurred() ? NULL : tbpy_raise(st);
    int64_t strides[TB_MAXDIM];
    for (int d = 0; d < ndim; d++) strides[d] = tb_array_strides(r)[d + (d >= axis)];
    const int64_t step = tb_array_strides(r)[axis];
    parts p;
    if (new_parts(in->n, &p) < 0) {
        tb_array_release(r);
        return NULL;
    }
    for (; p.n < in->n; p.n++) {
        st = tb_as_strided(r, ndim, each, strides, p.n * step, &p.to[p.n]);
        if (st != TB_OK) break;
        p.from[p.n] = tb_array_retain(input(in, p.n));
    }
    return written(st, &p, r, o, in);
}

static PyObject *call_join(const char *who, PyObject *(*join)(const inputs *, int, const options *),
                           PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"tup", "axis", "out", "dtype", "casting", NULL};
    PyObject *v[5];
    int axis = 0;
    options o = {.dtype = TB_NODTYPE, .casting = TB_CAST_SAME_KIND};
    if (tbpy_parse(who, names, 1, 3, args, nargs, kwnames, v) < 0 || tbpy_optional_dtype(v[3], &o.dtype) < 0 ||
        tbpy_casting(v[4], &o.casting) < 0 || tbpy_out_arg(v[2], &o.out) < 0)
        return NULL;
    if (o.out && o.dtype != TB_NODTYPE) {
        PyErr_Format(PyExc_TypeError, "%s: only one of out and dtype may be given", who);
        return NULL;
    }
    o.out_object = o.out && PyTuple_Check(v[2]) ? PyTuple_GET_ITEM(v[2], 0) : v[2];
    bool flatten = v[1] == Py_None;
    if (tbpy_axis(v[1], &axis) < 0) return NULL;
    inputs in;
    if (read_inputs(who, v[0], &in) < 0) return NULL;
    if (flatten) {
        PyObject *flat = PyTuple_New(in.n);
        for (Py_ssize_t i = 0; flat && i < in.n; i++) {
            PyObject *item = PyObject_CallMethod(PyTuple_GET_ITEM(in.items, i), "ravel", NULL);
            if (item) PyTuple_SET_ITEM(flat, i, item);
            else Py_CLEAR(flat);
        }
        Py_SETREF(in.items, flat);
        if (flat == NULL) return NULL;
    }
    PyObject *r = join(&in, axis, &o);
    Py_DECREF(in.items);
    return r;
}

static PyObject *join_concatenate(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    return call_join("concatenate", concatenate, args, n, kwnames);
}

static PyObject *join_stack(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    return call_join("stack", stack, args, n, kwnames);
}

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"concatenate", FAST(join_concatenate),
     "concatenate(tup, axis=0, out=None, *, dtype=None, casting='same_kind')\n--\n\nArrays joined along an existing "
     "axis."
     "\n\nArgs:\n    tup: Arrays that agree in shape except along axis.\n    axis: The axis; None joins flattened "
     "arrays."
     "\n    out: An array of the result's shape to write to.\n    dtype: Result dtype; the promotion of the inputs by "
     "default."
     "\n\nRaises:\n    ValueError: No arrays, 0-dimensional ones, or shapes that do not match.\n    AxisError: A bad "
     "axis."
     "\n\n>>> tombac.concatenate([tombac.arange(2), tombac.ones(1)])\narray([0., 1., 1.])"},
    {"stack", FAST(join_stack),
     "stack(tup, axis=0, out=None, *, dtype=None, casting='same_kind')\n--\n\nArrays of one shape joined along a new "
     "axis."
     "\n\n>>> tombac.stack([tombac.arange(2), tombac.arange(2)], axis=1)\narray([[0, 0],\n       [1, 1]])"},
    {NULL, NULL, 0, NULL}};

int tbpy_add_joins(PyObject *m) { return PyModule_AddFunctions(m, methods); }
