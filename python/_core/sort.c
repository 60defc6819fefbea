/* sort.c - order along an axis, and places in it. */
#include "reduce_args.h"

enum { FEW_POSITIONS = 16 };

/* (array, axis): *axis is TB_ALL_AXES where that is None. */
static int read_args(const char *who, PyObject *const *args, Py_ssize_t nargs, int *axis)
{
    *axis = TB_ALL_AXES;
    if (nargs == 2 && tbpy_check(args[0])) return args[1] == Py_None ? 0 : tbpy_axis(args[1], axis);
    PyErr_Format(PyExc_TypeError, "%s: an array and an axis are expected", who);
    return -1;
}

static PyObject *sorted(const char *who, PyObject *const *args, Py_ssize_t nargs,
                        tb_status (*fn)(tb_array *, int, tb_array **))
{
    int axis;
    tb_array *r = NULL;
    tb_status st;
    if (read_args(who, args, nargs, &axis) < 0) return NULL;
    tbpy_provide_sort();
    TBPY_UNLOCKED_IF(tb_array_size(tbpy_array(args[0])), st, fn(tbpy_array(args[0]), axis, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

static PyObject *sort_copy(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    return sorted("sort", args, nargs, tb_sort);
}

static PyObject *sort_positions(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    return sorted("argsort", args, nargs, tb_argsort);
}

static PyObject *sort_in_place(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    int axis;
    tb_status st;
    if (read_args("sort", args, nargs, &axis) < 0) return NULL;
    tb_array *a = tbpy_array(args[0]);
    tbpy_provide_sort();
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_sort_into(a, axis, a));
    if (st != TB_OK) return tbpy_raise(st);
    Py_RETURN_NONE;
}

/* (tuple of arrays, axis) */
static PyObject *lexsort(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *few[FEW_POSITIONS], **keys = few, *r = NULL;
    int axis;
    tb_status st;
    if (nargs != 2 || !PyTuple_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "lexsort: a tuple of keys and an axis are expected");
        return NULL;
    }
    const Py_ssize_t n = PyTuple_GET_SIZE(args[0]);
    if (tbpy_axis(args[1], &axis) < 0) return NULL;
    for (Py_ssize_t i = 0; i < n; i++)
        if (!tbpy_check(PyTuple_GET_ITEM(args[0], i))) {
            PyErr_SetString(PyExc_TypeError, "lexsort: the keys must be arrays");
            return NULL;
        }
    if (n > FEW_POSITIONS) keys = PyMem_Malloc((size_t)n * sizeof(tb_array *));
    if (!keys) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++) keys[i] = tbpy_array(PyTuple_GET_ITEM(args[0], i));
    TBPY_UNLOCKED_IF(n > 0 ? tb_array_size(keys[0]) : 0, st, tb_lexsort((int)n, keys, axis, &r));
    if (keys != few) PyMem_Free(keys);
    return st == TB_OK ? tbpy_wrap(r) : tbpy_raise(st);
}

static PyObject *inversions(PyObject *Py_UNUSED(m), PyObject *a)
{
    int64_t count = 0;
    tb_status st;
    if (!tbpy_check(a)) {
        PyErr_SetString(PyExc_TypeError, "inversions: an array is expected");
        return NULL;
    }
    TBPY_UNLOCKED(st, tb_inversions(tbpy_array(a), &count));
    return st == TB_OK ? PyLong_FromLongLong(count) : tbpy_raise(st);
}

/* ---- some positions ---------------------------------------------------------------------------------------------- */

/* (array, positions, axis): a tuple of integers, of which *nkth become *kth, in `few` where they fit. */
static int read_positions(const char *who, PyObject *const *args, Py_ssize_t nargs, int *axis, int *nkth, int64_t *few,
                          int64_t **kth)
{
    if (nargs != 3 || !tbpy_check(args[0]) || !PyTuple_Check(args[1])) {
        PyErr_Format(PyExc_TypeError, "%s: an array, a tuple of positions and an axis are expected", who);
        return -1;
    }
    const Py_ssize_t n = PyTuple_GET_SIZE(args[1]);
    *axis = TB_ALL_AXES;
    if (args[2] != Py_None && tbpy_axis(args[2], axis) < 0) return -1;
    if (n > INT_MAX) {
        PyErr_Format(PyExc_ValueError, "%s: too many positions", who);
        return -1;
    }
    *nkth = (int)n;
    *kth = n <= FEW_POSITIONS ? few : PyMem_Malloc((size_t)n * sizeof **kth);
    if (!*kth) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) (*kth)[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(args[1], i));
    if (!PyErr_Occurred()) return 0;
    if (*kth != few) PyMem_Free(*kth);
    return -1;
}

static PyObject *selected(const char *who, PyObject *const *args, Py_ssize_t nargs,
                          tb_status (*fn)(tb_array *, int, const int64_t *, int, tb_array **))
{
    int axis, nkth;
    int64_t few[FEW_POSITIONS], *kth;
    tb_array *r = NULL;
    tb_status st;
    if (read_positions(who, args, nargs, &axis, &nkth, few, &kth) < 0) return NULL;
    TBPY_UNLOCKED_IF(tb_array_size(tbpy_array(args[0])), st, fn(tbpy_array(args[0]), nkth, kth, axis, &r));
    if (kth != few) PyMem_Free(kth);
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

static PyObject *partition_copy(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    return selected("partition", args, nargs, tb_partition);
}

static PyObject *partition_positions(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    return selected("argpartition", args, nargs, tb_argpartition);
}

static PyObject *order_statistics(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    return selected("order_statistics", args, nargs, tb_order_statistics);
}

static PyObject *partition_in_place(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    int axis, nkth;
    int64_t few[FEW_POSITIONS], *kth;
    tb_status st;
    if (read_positions("partition", args, nargs, &axis, &nkth, few, &kth) < 0) return NULL;
    tb_array *a = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_partition_into(a, nkth, kth, axis, a));
    if (kth != few) PyMem_Free(kth);
    if (st != TB_OK) return tbpy_raise(st);
    Py_RETURN_NONE;
}

/* (sorted, values, right) */
static PyObject *search_sorted(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    if (nargs != 3 || !tbpy_check(args[0]) || !tbpy_check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "searchsorted: two arrays and a bool are expected");
        return NULL;
    }
    const int right = PyObject_IsTrue(args[2]);
    if (right < 0) return NULL;
    tb_array *sorted = tbpy_array(args[0]), *values = tbpy_array(args[1]);
    TBPY_UNLOCKED_IF(tb_array_size(values), st, tb_searchsorted(sorted, values, right, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[1]) : tbpy_raise(st);
}

/* (x, xp, fp, left or None, right or None) */
static PyObject *interp(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    double end[2];
    if (nargs != 5 || !tbpy_check(args[0]) || !tbpy_check(args[1]) || !tbpy_check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "interp: three arrays and two numbers are expected");
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        end[i] = args[3 + i] == Py_None ? 0 : PyFloat_AsDouble(args[3 + i]);
        if (end[i] == -1 && PyErr_Occurred()) return NULL;
    }
    tb_array *x = tbpy_array(args[0]), *xp = tbpy_array(args[1]), *fp = tbpy_array(args[2]);
    const double *left = args[3] == Py_None ? NULL : &end[0], *right = args[4] == Py_None ? NULL : &end[1];
    TBPY_UNLOCKED_IF(tb_array_size(x), st, tb_interp(x, xp, fp, left, right, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

/* (x, weights or None, minlength) */
static PyObject *bincount(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    if (nargs != 3 || !tbpy_check(args[0]) || (args[1] != Py_None && !tbpy_check(args[1]))) {
        PyErr_SetString(PyExc_TypeError, "bincount: an array, weights and a length are expected");
        return NULL;
    }
    const long long least = PyLong_AsLongLong(args[2]);
    if (least == -1 && PyErr_Occurred()) return NULL;
    tb_array *x = tbpy_array(args[0]), *weights = args[1] == Py_None ? NULL : tbpy_array(args[1]);
    TBPY_UNLOCKED_IF(tb_array_size(x), st, tb_bincount(x, weights, least, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

/* (x, bins) -> (counts, edges), or None where there is no kernel for it */
static PyObject *histogram(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *counts = NULL, *edges = NULL;
    tb_status st;
    if (nargs != 2 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "histogram: an array and a number are expected");
        return NULL;
    }
    const long long bins = PyLong_AsLongLong(args[1]);
    if (bins == -1 && PyErr_Occurred()) return NULL;
    TBPY_UNLOCKED(st, tb_histogram(tbpy_array(args[0]), bins, &counts, &edges));
    if (st == TB_ERR_NOT_IMPLEMENTED) Py_RETURN_NONE;
    if (st != TB_OK) return tbpy_raise(st);
    return Py_BuildValue("(NN)", tbpy_wrap_like(counts, args[0]), tbpy_wrap_like(edges, args[0]));
}

/* (x, edges) -> counts, or None where there is no loop for it */
static PyObject *histogram_between(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *counts = NULL;
    tb_status st;
    if (nargs != 2 || !tbpy_check(args[0]) || !tbpy_check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "histogram: two arrays are expected");
        return NULL;
    }
    TBPY_UNLOCKED(st, tb_histogram_between(tbpy_array(args[0]), tbpy_array(args[1]), &counts));
    if (st == TB_ERR_NOT_IMPLEMENTED) Py_RETURN_NONE;
    return st == TB_OK ? tbpy_wrap_like(counts, args[0]) : tbpy_raise(st);
}

/* (a, v, mode): mode is FULL, SAME or VALID in _convolution.py. */
static PyObject *overlapping(const char *who, PyObject *const *args, Py_ssize_t nargs,
                             tb_status (*fn)(tb_array *, tb_array *, tb_overlap, tb_array **))
{
    tb_array *r = NULL;
    tb_status st;
    if (nargs != 3 || !tbpy_check(args[0]) || !tbpy_check(args[1])) {
        PyErr_Format(PyExc_TypeError, "%s: two arrays and a mode are expected", who);
        return NULL;
    }
    const long mode = PyLong_AsLong(args[2]);
    if (mode == -1 && PyErr_Occurred()) return NULL;
    tb_array *a = tbpy_array(args[0]), *v = tbpy_array(args[1]);
    TBPY_UNLOCKED_IF(tb_array_size(a) + tb_array_size(v), st, fn(a, v, (tb_overlap)mode, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

static PyObject *convolve(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    return overlapping("convolve", args, nargs, tb_convolve);
}

static PyObject *correlate(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    return overlapping("correlate", args, nargs, tb_correlate);
}

/* (x, taps, up, down, start, count) */
static PyObject *polyphase(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    long long n[4];
    if (nargs != 6 || !tbpy_check(args[0]) || !tbpy_check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "polyphase: two arrays and four numbers are expected");
        return NULL;
    }
    for (int i = 0; i < 4; i++) {
        n[i] = PyLong_AsLongLong(args[2 + i]);
        if (n[i] == -1 && PyErr_Occurred()) return NULL;
    }
    tb_array *x = tbpy_array(args[0]), *taps = tbpy_array(args[1]);
    TBPY_UNLOCKED_IF(tb_array_size(x), st, tb_polyphase(x, taps, n[0], n[1], n[2], n[3], &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL
static PyMethodDef methods[] = {
    {"_polyphase", FAST(polyphase), "_polyphase(x, taps, up, down, start, count)\n--\n\nA filter between two rates."},
    {"_sort", FAST(sort_copy), "_sort(a, axis)\n--\n\nA sorted copy; axis None: of the flattened array."},
    {"_argsort", FAST(sort_positions), "_argsort(a, axis)\n--\n\nThe positions that sort, stable."},
    {"_sort_into", FAST(sort_in_place), "_sort_into(a, axis)\n--\n\nSorts a in place."},
    {"_lexsort", FAST(lexsort), "_lexsort(keys, axis)\n--\n\nThe positions that sort by several keys."},
    {"_inversions", inversions, METH_O, "_inversions(a)\n--\n\nHow many pairs of integers are out of order."},
    {"_partition", FAST(partition_copy), "_partition(a, kth, axis)\n--\n\nElements parted at positions: a tuple."},
    {"_argpartition", FAST(partition_positions), "_argpartition(a, kth, axis)\n--\n\nThe positions that part."},
    {"_partition_into", FAST(partition_in_place), "_partition_into(a, kth, axis)\n--\n\nParts a in place."},
    {"_order_statistics", FAST(order_statistics),
     "_order_statistics(a, kth, axis)\n--\n\nThe elements that sorting would put at positions: a tuple."},
    {"_searchsorted", FAST(search_sorted), "_searchsorted(sorted, values, right)\n--\n\nWhere values belong."},
    {"_interp", FAST(interp), "_interp(x, xp, fp, left, right)\n--\n\nLines between points."},
    {"_bincount", FAST(bincount), "_bincount(x, weights, minlength)\n--\n\nHow often each number comes up."},
    {"_histogram", FAST(histogram),
     "_histogram(x, bins)\n--\n\nCounts in bins of equal width, and their edges; None where there is no kernel."},
    {"_histogram_between", FAST(histogram_between),
     "_histogram_between(x, edges)\n--\n\nCounts between edges; None where there is no loop for it."},
    {"_convolve", FAST(convolve), "_convolve(a, v, mode)\n--\n\nSums of products of vectors that pass each other."},
    {"_correlate", FAST(correlate), "_correlate(a, v, mode)\n--\n\nThe same, with v as it is."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_sort(PyObject *m) { return PyModule_AddFunctions(m, methods); }
