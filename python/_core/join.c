/* join.c - concatenate and stack: sequences of arrays for the library to join. */
#include "reduce_args.h"
#include "docs_arrays.h"

/* The inputs of one call: ndarrays, held by a tuple. */
typedef struct inputs {
    PyObject *items;
    Py_ssize_t n;
} inputs;

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

typedef struct options {
    int axis;
    tb_array *out;
    PyObject *out_object;
    tb_dtype dtype;
    tb_casting casting;
} options;

/* What joins: the library's functions. */
typedef struct joiner {
    const char *name;
    tb_status (*as)(int n, tb_array *const *arrays, int axis, tb_dtype dtype, tb_casting casting, tb_array **out);
    tb_status (*into)(int n, tb_array *const *arrays, int axis, tb_casting casting, tb_array *into);
} joiner;

static const joiner concatenation = {"concatenate", tb_concatenate_as, tb_concatenate_into};
static const joiner stacking = {"stack", tb_stack_as, tb_stack_into};

static PyObject *join_inputs(const joiner *j, const inputs *in, const options *o)
{
    tb_array *few[16], **arrays = in->n <= 16 ? few : PyMem_New(tb_array *, in->n), *r = NULL;
    if (!arrays) return PyErr_NoMemory();
    const tb_dtype to = o->out ? tb_array_dtype(o->out) : o->dtype;
    int warned = 0;
    for (Py_ssize_t i = 0; i < in->n && warned == 0; i++) {
        arrays[i] = tbpy_array(PyTuple_GET_ITEM(in->items, i));
        if (o->casting == TB_CAST_UNSAFE && to != TB_NODTYPE) warned = tbpy_warn_complex(tb_array_dtype(arrays[i]), to);
    }
    tb_dtype dtype = o->dtype;
    if (warned == 0 && !o->out && dtype == TB_NODTYPE) warned = tbpy_record_common((int)in->n, arrays, &dtype);
    tb_status st = warned < 0 ? TB_OK
                   : o->out   ? j->into((int)in->n, arrays, o->axis, o->casting, o->out)
                              : j->as((int)in->n, arrays, o->axis, dtype, o->casting, &r);
    if (arrays != few) PyMem_Free(arrays);
    if (warned < 0) return NULL;
    if (st != TB_OK) return tbpy_raise(st);
    return o->out ? Py_NewRef(o->out_object) : tbpy_wrap_like(r, PyTuple_GET_ITEM(in->items, 0));
}

/* axis=None: the arrays in a row each. */
static int flatten_inputs(inputs *in)
{
    PyObject *flat = PyTuple_New(in->n);
    for (Py_ssize_t i = 0; flat && i < in->n; i++) {
        PyObject *item = PyObject_CallMethod(PyTuple_GET_ITEM(in->items, i), "ravel", NULL);
        if (item) PyTuple_SET_ITEM(flat, i, item);
        else Py_CLEAR(flat);
    }
    Py_SETREF(in->items, flat);
    return flat ? 0 : -1;
}

static PyObject *call_join(const joiner *j, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"tup|arrays", "axis", "out", "dtype", "casting", NULL};
    PyObject *v[5];
    options o = {.dtype = TB_NODTYPE, .casting = TB_CAST_SAME_KIND};
    if (tbpy_parse(j->name, names, 1, 3, args, nargs, kwnames, v) < 0 || tbpy_optional_dtype(v[3], &o.dtype) < 0 ||
        tbpy_casting(v[4], &o.casting) < 0 || tbpy_out_arg(v[2], &o.out) < 0)
        return NULL;
    if (o.out && o.dtype != TB_NODTYPE) {
        PyErr_Format(PyExc_TypeError, "%s: only one of out and dtype may be given", j->name);
        return NULL;
    }
    o.out_object = o.out && PyTuple_Check(v[2]) ? PyTuple_GET_ITEM(v[2], 0) : v[2];
    inputs in;
    if (tbpy_axis(v[1], &o.axis) < 0 || read_inputs(j->name, v[0], &in) < 0) return NULL;
    if (v[1] == Py_None && flatten_inputs(&in) < 0) return NULL;
    PyObject *r = join_inputs(j, &in, &o);
    Py_DECREF(in.items);
    return r;
}

static PyObject *join_concatenate(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    return call_join(&concatenation, args, n, kwnames);
}

static PyObject *join_stack(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    return call_join(&stacking, args, n, kwnames);
}

/* The parts of a list as arrays; those that are no object's yet are released after a failure. */
static PyObject *wrap_parts(tb_array **part, Py_ssize_t n, PyObject *like)
{
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *o = list ? tbpy_wrap_like(part[i], like) : NULL;
        if (o) PyList_SET_ITEM(list, i, o);
        else if (!list) tb_array_release(part[i]);
        else Py_CLEAR(list); /* what could not be wrapped was released */
    }
    return list;
}

/* (array, list of positions, axis) -> a list of views */
static PyObject *split(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 3 || !tbpy_check(args[0]) || !PyList_Check(args[1]) || PyList_GET_SIZE(args[1]) >= INT_MAX) {
        PyErr_SetString(PyExc_TypeError, "split: an array, a list of ints and an axis are expected");
        return NULL;
    }
    const Py_ssize_t n = PyList_GET_SIZE(args[1]);
    const long axis = PyLong_AsLong(args[2]);
    if (PyErr_Occurred()) return NULL;
    int64_t *at = PyMem_Malloc(((size_t)n + 1) * sizeof *at);
    tb_array **part = PyMem_Malloc(((size_t)n + 1) * sizeof(tb_array *));
    PyObject *list = NULL;
    if (!at || !part) PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n && !PyErr_Occurred(); i++)
        at[i] = PyNumber_AsSsize_t(PyList_GET_ITEM(args[1], i), NULL); /* clipped, as in slices */
    if (!PyErr_Occurred()) {
        const tb_status st = tb_split(tbpy_array(args[0]), (int)n, at, (int)axis, part);
        list = st == TB_OK ? wrap_parts(part, n + 1, args[0]) : tbpy_raise(st);
    }
    PyMem_Free(at);
    PyMem_Free(part);
    return list;
}

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"concatenate", FAST(join_concatenate),
     "concatenate(tup, axis=0, out=None, *, dtype=None, casting='same_kind')\n--\n\n" TBPY_DOC_concatenate},
    {"stack", FAST(join_stack),
     "stack(tup, axis=0, out=None, *, dtype=None, casting='same_kind')\n--\n\n" TBPY_DOC_stack},
    {"_split", (PyCFunction)(void (*)(void))split, METH_FASTCALL,
     "_split(a, positions, axis)\n--\n\nViews of the parts of an axis."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_joins(PyObject *m) { return PyModule_AddFunctions(m, methods); }
