/* peaks.c - peaks of vectors and their shapes, for tombacx.scipy.signal. */
#include "core.h"

static int check_arrays(PyObject *const *args, Py_ssize_t nargs, Py_ssize_t expected, Py_ssize_t arrays)
{
    bool good = nargs == expected;
    for (Py_ssize_t i = 0; good && i < arrays; i++) good = tbpy_check(args[i]);
    if (!good) PyErr_Format(PyExc_TypeError, "%zd arguments are expected, the first %zd arrays", expected, arrays);
    return good ? 0 : -1;
}

/* A number of elements; what is too large for one is the largest. */
static int read_count(PyObject *o, int64_t *out)
{
    int overflow;
    const long long n = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (n == -1 && PyErr_Occurred()) return -1;
    *out = overflow > 0 ? INT64_MAX : overflow < 0 ? INT64_MIN : n;
    return 0;
}

/* A tuple of n arrays, like another in their type, and where `flat` is given of a truth value. Steals the arrays. */
static PyObject *pack(int n, tb_array *const *a, PyObject *like, const bool *flat)
{
    PyObject *result = PyTuple_New(flat ? n + 1 : n);
    bool good = result != NULL;
    for (int i = 0; i < n; i++) {
        PyObject *item = tbpy_wrap_like(a[i], like);
        good = good && item;
        if (good) PyTuple_SET_ITEM(result, i, item);
        else Py_XDECREF(item);
    }
    if (good && flat) PyTuple_SET_ITEM(result, n, PyBool_FromLong(*flat));
    if (!good) Py_CLEAR(result);
    return result;
}

/* (x) -> (middles, left edges, right edges) */
static PyObject *peaks_edges(PyObject *Py_UNUSED(m), PyObject *x)
{
    tb_array *found[3] = {NULL};
    tb_status st;
    if (check_arrays(&x, 1, 1, 1) < 0) return NULL;
    tb_array *a = tbpy_array(x);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_peaks_find(a, &found[0], &found[1], &found[2]));
    return st == TB_OK ? pack(3, found, x, NULL) : tbpy_raise(st);
}

/* (x) -> the middles */
static PyObject *peaks_find(PyObject *Py_UNUSED(m), PyObject *x)
{
    tb_array *found = NULL;
    tb_status st;
    if (check_arrays(&x, 1, 1, 1) < 0) return NULL;
    tb_array *a = tbpy_array(x);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_peaks_find(a, &found, NULL, NULL));
    return st == TB_OK ? tbpy_wrap_like(found, x) : tbpy_raise(st);
}

/* (peaks, order, distance) */
static PyObject *peaks_apart(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    int64_t distance;
    if (check_arrays(args, nargs, 3, 2) < 0 || read_count(args[2], &distance) < 0) return NULL;
    tb_array *peaks = tbpy_array(args[0]), *order = tbpy_array(args[1]);
    TBPY_UNLOCKED_IF(tb_array_size(peaks), st, tb_peaks_apart(peaks, order, distance, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

/* (x, peaks, window) -> (prominences, left bases, right bases, whether a prominence is 0) */
static PyObject *peak_prominences(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *found[3] = {NULL};
    tb_status st;
    int64_t window;
    bool flat = false;
    if (check_arrays(args, nargs, 3, 2) < 0 || read_count(args[2], &window) < 0) return NULL;
    tb_array *x = tbpy_array(args[0]), *peaks = tbpy_array(args[1]);
    TBPY_UNLOCKED_IF(tb_array_size(x), st, tb_peak_prominences(x, peaks, window, found, &flat));
    return st == TB_OK ? pack(3, found, args[0], &flat) : tbpy_raise(st);
}

/* (x, peaks, rel_height, window), or (x, peaks, prominences, left bases, right bases, rel_height) -> (widths, heights,
 * left ends, right ends, whether a width is 0) */
static PyObject *peak_widths(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *found[4] = {NULL}, *data[3] = {NULL};
    tb_status st;
    int64_t window = 0;
    bool flat = false;
    if (check_arrays(args, nargs, nargs == 6 ? 6 : 4, nargs == 6 ? 5 : 2) < 0) return NULL;
    const double part = PyFloat_AsDouble(args[nargs == 6 ? 5 : 2]);
    if (PyErr_Occurred() || (nargs == 4 && read_count(args[3], &window) < 0)) return NULL;
    for (int i = 0; i < 3 && nargs == 6; i++) data[i] = tbpy_array(args[2 + i]);
    tb_array *x = tbpy_array(args[0]), *peaks = tbpy_array(args[1]);
    TBPY_UNLOCKED_IF(tb_array_size(x), st,
                     tb_peak_widths(x, peaks, part, window, data[0], data[1], data[2], found, &flat));
    return st == TB_OK ? pack(4, found, args[0], &flat) : tbpy_raise(st);
}

static PyMethodDef methods[] = {
    {"_peaks_find", peaks_find, METH_O, "_peaks_find(x)\n--\n\nThe middles of peaks."},
    {"_peaks_edges", peaks_edges, METH_O, "_peaks_edges(x)\n--\n\nThe middles of peaks, and their edges."},
    {"_peaks_apart", (PyCFunction)(void (*)(void))peaks_apart, METH_FASTCALL,
     "_peaks_apart(peaks, order, distance)\n--\n\nWhich peaks stay where some are too close."},
    {"_peak_prominences", (PyCFunction)(void (*)(void))peak_prominences, METH_FASTCALL,
     "_peak_prominences(x, peaks, window)\n--\n\nHow prominent peaks are."},
    {"_peak_widths", (PyCFunction)(void (*)(void))peak_widths, METH_FASTCALL,
     "_peak_widths(x, peaks, *args)\n--\n\nHow wide peaks are."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_peaks(PyObject *m) { return PyModule_AddFunctions(m, methods); }
