/* windows.c - filters over windows, for tombacx.scipy.ndimage. */
#include "core.h"

/* A host array of 8-byte elements of this format, or None. */
static int read_numbers(PyObject *o, const char *formats, Py_buffer *view)
{
    memset(view, 0, sizeof *view);
    if (o == Py_None) return 0;
    if (PyObject_GetBuffer(o, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) return -1;
    if (strstr(formats, view->format)) return 0;
    PyErr_Format(PyExc_TypeError, "window_filter: numbers of format %s, not %s, are expected", formats, view->format);
    PyBuffer_Release(view);
    return -1;
}

/* One letter for each edge, in the order of tb_spline_edge. */
static int read_edges(PyObject *o, int ndim, tb_spline_edge *edge)
{
    if (!PyTuple_Check(o) || PyTuple_GET_SIZE(o) != ndim) {
        PyErr_SetString(PyExc_TypeError, "window_filter: one edge for each axis is expected");
        return -1;
    }
    for (int d = 0; d < ndim; d++) edge[d] = (tb_spline_edge)PyLong_AsLong(PyTuple_GET_ITEM(o, d));
    return PyErr_Occurred() ? -1 : 0;
}

/* Places as a matrix, and as many weights. */
static int read_window(tb_window *w, int ndim, const Py_buffer *place, const Py_buffer *weights)
{
    if (place->ndim != 2 || place->shape[1] != ndim ||
        (weights->buf && (weights->ndim != 1 || weights->shape[0] != place->shape[0]))) {
        PyErr_SetString(PyExc_ValueError, "window_filter: places must be a matrix, and weights as many");
        return -1;
    }
    w->nplace = place->shape[0];
    w->place = place->buf;
    w->weights = weights->buf;
    return 0;
}

/* `then`: NULL, or the kind of a second filter. */
static PyObject *run(PyObject *const *args, PyObject *then, const Py_buffer *place, const Py_buffer *weights)
{
    tb_array *x = tbpy_array(args[0]), *out = NULL;
    tb_spline_edge edge[TB_MAXDIM];
    tb_dtype work = TB_NODTYPE, t = TB_NODTYPE;
    tb_window second = {.edge = edge}, w = {.edge = edge, .then = then ? &second : NULL};
    if (tbpy_check(args[3])) w.on_device = tbpy_array(args[3]);
    const int ndim = tb_array_ndim(x);
    tb_status st;
    w.kind = (tb_window_kind)PyLong_AsLong(args[1]);
    w.rank = PyLong_AsLongLong(args[4]);
    if (then) second.kind = (tb_window_kind)PyLong_AsLong(then);
    if (PyErr_Occurred() || read_edges(args[5], ndim, edge) < 0 || tbpy_dtype_parse(args[7], &work) < 0 ||
        tbpy_dtype_parse(args[8], &t) < 0)
        return NULL;
    const int number = tbpy_element(args[6], work, &w.beyond);
    if (number <= 0) {
        if (number == 0) PyErr_SetString(PyExc_TypeError, "window_filter: a number is expected beyond edges");
        return NULL;
    }
    if (read_window(&w, ndim, place, weights) < 0 || (then && read_window(&second, ndim, place + 1, weights + 1) < 0))
        return NULL;
    TBPY_UNLOCKED_IF(tb_array_size(x), st, tb_window_filter(x, &w, work, t, &out));
    return st == TB_OK ? tbpy_wrap_like(out, args[0]) : tbpy_raise(st);
}

/* (x, kind, places, weights or None, which may be on the device, rank, edges, what is beyond, dtype of the computation,
 * of the result) and, of a second filter, (kind, places, weights or None) */
static PyObject *window_filter(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    enum { FIRST = 9, BOTH = 12 };
    Py_buffer place[2] = {{0}}, weights[2] = {{0}};
    PyObject *r = NULL;
    const bool two = nargs == BOTH;
    if ((nargs != FIRST && !two) || !tbpy_check(args[0]) || args[2] == Py_None || (two && args[10] == Py_None)) {
        PyErr_SetString(PyExc_TypeError, "window_filter: an array and eight or eleven other arguments are expected");
        return NULL;
    }
    if (read_numbers(args[2], "l", &place[0]) == 0 &&
        (tbpy_check(args[3]) || read_numbers(args[3], "d Zd", &weights[0]) == 0) &&
        (!two || (read_numbers(args[10], "l", &place[1]) == 0 && read_numbers(args[11], "d Zd", &weights[1]) == 0)))
        r = run(args, two ? args[9] : NULL, place, weights);
    for (int i = 0; i < 2; i++) {
        if (place[i].obj) PyBuffer_Release(&place[i]);
        if (weights[i].obj) PyBuffer_Release(&weights[i]);
    }
    return r;
}

static PyMethodDef methods[] = {
    {"_window_filter", (PyCFunction)(void (*)(void))window_filter, METH_FASTCALL,
     "_window_filter(x, kind, places, weights, rank, edges, beyond, work, dtype, *then)\n--\n\nA filter over windows."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_windows(PyObject *m) { return PyModule_AddFunctions(m, methods); }
