/* objects.c - passes over labelled arrays, distances and splines at points, for tombacx.scipy.ndimage. */
#include "core.h"

/* (a, connected: bytes of 3^ndim truth values) -> (labels, how many) */
static PyObject *label(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    int64_t count = 0;
    tb_status st;
    if (nargs != 2 || !tbpy_check(args[0]) || !PyBytes_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "label: an array and bytes are expected");
        return NULL;
    }
    tb_array *a = tbpy_array(args[0]);
    Py_ssize_t places = 1;
    for (int d = 0; d < tb_array_ndim(a); d++) places *= 3;
    if (PyBytes_GET_SIZE(args[1]) != places) {
        PyErr_Format(PyExc_ValueError, "label: %zd truth values are expected", places);
        return NULL;
    }
    const bool *connected = (const bool *)(const void *)PyBytes_AS_STRING(args[1]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_label(a, connected, &r, &count));
    if (st != TB_OK) return tbpy_raise(st);
    return Py_BuildValue("(NL)", tbpy_wrap_like(r, args[0]), (long long)count);
}

static PyObject *label_boxes(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    if (nargs != 2 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "label_boxes: an array and a number are expected");
        return NULL;
    }
    const long long n = PyLong_AsLongLong(args[1]);
    if (n == -1 && PyErr_Occurred()) return NULL;
    tb_array *a = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_label_boxes(a, n, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

/* A slice of each pair of numbers, in a tuple; or NULL. */
static PyObject *box_of(const int64_t *pair, Py_ssize_t ndim)
{
    PyObject *box = PyTuple_New(ndim);
    for (Py_ssize_t d = 0; box && d < ndim; d++) {
        PyObject *first = PyLong_FromLongLong(pair[2 * d]), *end = PyLong_FromLongLong(pair[2 * d + 1]);
        PyObject *slice = first && end ? PySlice_New(first, end, NULL) : NULL;
        Py_XDECREF(first);
        Py_XDECREF(end);
        if (slice) PyTuple_SET_ITEM(box, d, slice);
        else Py_CLEAR(box);
    }
    return box;
}

/* Of a host array of int64 and the shape (n, ndim, 2), the first index along each axis and the one behind the last: a
 * list of tuples of slices, None for boxes of nothing. */
static PyObject *box_slices(PyObject *Py_UNUSED(m), PyObject *boxes)
{
    Py_buffer view;
    if (PyObject_GetBuffer(boxes, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) return NULL;
    PyObject *list = NULL;
    if (view.ndim != 3 || view.shape[1] < 1 || view.shape[2] != 2 || strcmp(view.format, "l") != 0)
        PyErr_SetString(PyExc_TypeError, "box_slices: an array of int64 and the shape (n, ndim, 2) is expected");
    else list = PyList_New(view.shape[0]);
    for (Py_ssize_t i = 0; list && i < view.shape[0]; i++) {
        const int64_t *pair = (const int64_t *)view.buf + i * view.shape[1] * 2;
        PyObject *box = pair[0] < pair[1] ? box_of(pair, view.shape[1]) : Py_NewRef(Py_None);
        if (box) PyList_SET_ITEM(list, i, box);
        else Py_CLEAR(list);
    }
    PyBuffer_Release(&view);
    return list;
}

/* (image, order, mode, cval, margin, coordinates: a tuple of arrays) */
static PyObject *spline_at(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    enum { MOST = 8 };
    tb_array *at[MOST], *r = NULL;
    tb_status st;
    const Py_ssize_t n = nargs == 6 && PyTuple_Check(args[5]) ? PyTuple_GET_SIZE(args[5]) : 0;
    bool good = n > 0 && n <= MOST && tbpy_check(args[0]);
    for (Py_ssize_t d = 0; good && d < n; d++) {
        good = tbpy_check(PyTuple_GET_ITEM(args[5], d));
        if (good) at[d] = tbpy_array(PyTuple_GET_ITEM(args[5], d));
    }
    if (!good) {
        PyErr_SetString(PyExc_TypeError, "spline_at: an image, four numbers and a tuple of arrays are expected");
        return NULL;
    }
    const long order = PyLong_AsLong(args[1]), mode = PyLong_AsLong(args[2]);
    const double cval = PyFloat_AsDouble(args[3]), margin = PyFloat_AsDouble(args[4]);
    if (PyErr_Occurred()) return NULL;
    tb_array *image = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(at[0]), st,
                     tb_spline_at(image, (int)order, (tb_spline_mode)mode, cval, margin, (int)n, at, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

enum { MOST_NUMBERS = 72 };

/* The numbers of a tuple; how many, or -1 with an exception. */
static Py_ssize_t numbers_of(PyObject *tuple, double *out)
{
    const Py_ssize_t n = PyTuple_Check(tuple) ? PyTuple_GET_SIZE(tuple) : MOST_NUMBERS + 1;
    if (n > MOST_NUMBERS) {
        PyErr_Format(PyExc_TypeError, "a tuple of at most %d numbers is expected", MOST_NUMBERS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) out[i] = PyFloat_AsDouble(PyTuple_GET_ITEM(tuple, i));
    return PyErr_Occurred() ? -1 : n;
}

/* (a, steps: a tuple, whether distances are of float32, whether places are wanted) -> (distances, places or None) */
static PyObject *distance_transform(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    double steps[MOST_NUMBERS];
    tb_array *distances = NULL, *nearest = NULL;
    tb_status st;
    if (nargs != 4 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "distance_transform: an array, a tuple and two truth values are expected");
        return NULL;
    }
    const Py_ssize_t n = numbers_of(args[1], steps);
    const int single = PyObject_IsTrue(args[2]), wanted = PyObject_IsTrue(args[3]);
    if (n < 0 || PyErr_Occurred()) return NULL;
    tb_array *a = tbpy_array(args[0]);
    if (n != tb_array_ndim(a)) {
        PyErr_Format(PyExc_ValueError, "distance_transform: %d steps are expected", tb_array_ndim(a));
        return NULL;
    }
    const tb_dtype to = single ? TB_F32 : TB_F64;
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_distance_transform(a, steps, to, &distances, wanted ? &nearest : NULL));
    if (st != TB_OK) return tbpy_raise(st);
    if (!wanted) return Py_BuildValue("(NO)", tbpy_wrap_like(distances, args[0]), Py_None);
    return Py_BuildValue("(NN)", tbpy_wrap_like(distances, args[0]), tbpy_wrap_like(nearest, args[0]));
}

/* (image, order, mode, cval, margin, shape: a tuple, diagonal, map: a tuple, whether the result is of float32) */
static PyObject *spline_at_map(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    double map[MOST_NUMBERS];
    int64_t shape[8];
    tb_array *r = NULL;
    tb_status st;
    const Py_ssize_t n = nargs == 9 && PyTuple_Check(args[5]) ? PyTuple_GET_SIZE(args[5]) : 0;
    if (n < 1 || n > 8 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "spline_at_map: an image, four numbers, a shape, a map and how are expected");
        return NULL;
    }
    for (Py_ssize_t d = 0; d < n; d++) shape[d] = PyLong_AsLongLong(PyTuple_GET_ITEM(args[5], d));
    const long order = PyLong_AsLong(args[1]), mode = PyLong_AsLong(args[2]);
    const double cval = PyFloat_AsDouble(args[3]), margin = PyFloat_AsDouble(args[4]);
    const int diagonal = PyObject_IsTrue(args[6]), single = PyObject_IsTrue(args[8]);
    if (PyErr_Occurred()) return NULL;
    const Py_ssize_t given = numbers_of(args[7], map);
    if (given < 0) return NULL;
    if (given != n * (diagonal ? 3 : n + 1)) {
        PyErr_Format(PyExc_ValueError, "spline_at_map: %zd numbers are expected", n * (diagonal ? 3 : n + 1));
        return NULL;
    }
    tb_array *image = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(image), st,
                     tb_spline_at_map(image, (int)order, (tb_spline_mode)mode, cval, margin, (int)n, shape, diagonal,
                                      map, single ? TB_F32 : TB_F64, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

/* (a, axis, edge, poles: a tuple, weights: a tuple) */
static PyObject *two_sided_sums(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    double pole[MOST_NUMBERS], weight[MOST_NUMBERS];
    tb_array *r = NULL;
    tb_status st;
    if (nargs != 5 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "two_sided_sums: an array, two numbers and two tuples are expected");
        return NULL;
    }
    const long axis = PyLong_AsLong(args[1]), edge = PyLong_AsLong(args[2]);
    if (PyErr_Occurred()) return NULL;
    const Py_ssize_t n = numbers_of(args[3], pole);
    if (n < 0 || numbers_of(args[4], weight) < 0) return NULL;
    if (PyTuple_GET_SIZE(args[4]) != n) {
        PyErr_Format(PyExc_ValueError, "two_sided_sums: %zd weights are expected", n);
        return NULL;
    }
    tb_array *a = tbpy_array(args[0]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st,
                     tb_two_sided_sums(a, (int)axis, (tb_spline_edge)edge, (int)n, pole, weight, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

static PyMethodDef methods[] = {
    {"_label", (PyCFunction)(void (*)(void))label, METH_FASTCALL,
     "_label(a, connected)\n--\n\nThe labels of connected objects, and how many there are."},
    {"_label_boxes", (PyCFunction)(void (*)(void))label_boxes, METH_FASTCALL,
     "_label_boxes(labels, n)\n--\n\nThe boxes around labels."},
    {"_distance_transform", (PyCFunction)(void (*)(void))distance_transform, METH_FASTCALL,
     "_distance_transform(a, steps, single, places)\n--\n\nDistances to what is zero."},
    {"_box_slices", box_slices, METH_O, "_box_slices(boxes)\n--\n\nTuples of slices."},
    {"_spline_at", (PyCFunction)(void (*)(void))spline_at, METH_FASTCALL,
     "_spline_at(image, order, mode, cval, margin, coordinates)\n--\n\nSums of B-splines at points."},
    {"_spline_at_map", (PyCFunction)(void (*)(void))spline_at_map, METH_FASTCALL,
     "_spline_at_map(image, order, mode, cval, margin, shape, diagonal, map, single)\n--\n\n"
     "Sums of B-splines at the points of an affine map."},
    {"_two_sided_sums", (PyCFunction)(void (*)(void))two_sided_sums, METH_FASTCALL,
     "_two_sided_sums(a, axis, edge, poles, weights)\n--\n\nSums of exponentials to either side."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_objects(PyObject *m) { return PyModule_AddFunctions(m, methods); }
