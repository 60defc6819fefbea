/* pieces.c - functions in pieces, distances of pairs, and assignments, for tombacx.scipy. */
#include "core.h"

/* (x, c, form, degree, points, nu, what is outside) */
static PyObject *pieces_at(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    if (nargs != 7 || !tbpy_check(args[0]) || !tbpy_check(args[1]) || !tbpy_check(args[4])) {
        PyErr_SetString(PyExc_TypeError, "pieces_at: two arrays, two numbers, an array and two numbers are expected");
        return NULL;
    }
    const long form = PyLong_AsLong(args[2]), degree = PyLong_AsLong(args[3]), nu = PyLong_AsLong(args[5]);
    const long outside = PyLong_AsLong(args[6]);
    if (PyErr_Occurred()) return NULL;
    tb_array *x = tbpy_array(args[0]), *c = tbpy_array(args[1]), *points = tbpy_array(args[4]);
    TBPY_UNLOCKED_IF(tb_array_size(points), st,
                     tb_pieces_at(x, c, (tb_piece_form)form, (int)degree, points, nu < INT_MAX ? (int)nu : INT_MAX,
                                  (tb_piece_outside)outside, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[4]) : tbpy_raise(st);
}

/* (x, c, from, to, what is outside) */
static PyObject *pieces_integral(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    if (nargs != 5 || !tbpy_check(args[0]) || !tbpy_check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "pieces_integral: two arrays and three numbers are expected");
        return NULL;
    }
    const double a = PyFloat_AsDouble(args[2]), b = PyFloat_AsDouble(args[3]);
    const long outside = PyLong_AsLong(args[4]);
    if (PyErr_Occurred()) return NULL;
    tb_array *x = tbpy_array(args[0]), *c = tbpy_array(args[1]);
    TBPY_UNLOCKED(st, tb_pieces_integral(x, c, a, b, (tb_piece_outside)outside, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[1]) : tbpy_raise(st);
}

/* (costs, whether the greatest total is wanted) -> (rows, columns) */
static PyObject *linear_sum_assignment(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *rows = NULL, *columns = NULL;
    tb_status st;
    if (nargs != 2 || !tbpy_check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "linear_sum_assignment: an array and a truth value are expected");
        return NULL;
    }
    const int maximize = PyObject_IsTrue(args[1]);
    if (maximize < 0) return NULL;
    tb_array *cost = tbpy_array(args[0]);
    TBPY_UNLOCKED(st, tb_linear_sum_assignment(cost, maximize, &rows, &columns));
    if (st != TB_OK) return tbpy_raise(st);
    PyObject *first = tbpy_wrap_like(rows, args[0]), *second = tbpy_wrap_like(columns, args[0]);
    PyObject *both = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

/* (x, y, order and value at the beginning, order and value at the end) */
static PyObject *cubic_spline(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *c = NULL;
    tb_status st;
    if (nargs != 6 || !tbpy_check(args[0]) || !tbpy_check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "cubic_spline: two arrays and four numbers are expected");
        return NULL;
    }
    const long first = PyLong_AsLong(args[2]), last = PyLong_AsLong(args[4]);
    const double at_first = PyFloat_AsDouble(args[3]), at_last = PyFloat_AsDouble(args[5]);
    if (PyErr_Occurred()) return NULL;
    tb_array *x = tbpy_array(args[0]), *y = tbpy_array(args[1]);
    TBPY_UNLOCKED(st, tb_cubic_spline(x, y, (int)first, at_first, (int)last, at_last, &c));
    return st == TB_OK ? tbpy_wrap_like(c, args[1]) : tbpy_raise(st);
}

/* (x, y, degree) -> (knots, coefficients) */
static PyObject *spline_through(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *t = NULL, *c = NULL;
    tb_status st;
    if (nargs != 3 || !tbpy_check(args[0]) || !tbpy_check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "spline_through: two arrays and a number are expected");
        return NULL;
    }
    const long degree = PyLong_AsLong(args[2]);
    if (PyErr_Occurred()) return NULL;
    tb_array *x = tbpy_array(args[0]), *y = tbpy_array(args[1]);
    TBPY_UNLOCKED(st, tb_spline_through(x, y, (int)degree, NULL, &t, &c));
    if (st != TB_OK) return tbpy_raise(st);
    return Py_BuildValue("(NN)", tbpy_wrap_like(t, args[0]), tbpy_wrap_like(c, args[1]));
}

/* (x, y, degree, knots, weights or None) -> coefficients */
static PyObject *spline_nearest(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *c = NULL;
    tb_status st;
    if (nargs != 5 || !tbpy_check(args[0]) || !tbpy_check(args[1]) || !tbpy_check(args[3]) ||
        (args[4] != Py_None && !tbpy_check(args[4]))) {
        PyErr_SetString(PyExc_TypeError, "spline_nearest: two arrays, a number and two arrays are expected");
        return NULL;
    }
    const long degree = PyLong_AsLong(args[2]);
    if (PyErr_Occurred()) return NULL;
    tb_array *x = tbpy_array(args[0]), *y = tbpy_array(args[1]), *knots = tbpy_array(args[3]);
    tb_array *weights = args[4] == Py_None ? NULL : tbpy_array(args[4]);
    TBPY_UNLOCKED(st, tb_spline_nearest(x, y, (int)degree, knots, weights, &c));
    return st == TB_OK ? tbpy_wrap_like(c, args[1]) : tbpy_raise(st);
}

/* (a, b or None, metric, p) */
static PyObject *distances(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    if (nargs != 4 || !tbpy_check(args[0]) || (args[1] != Py_None && !tbpy_check(args[1]))) {
        PyErr_SetString(PyExc_TypeError, "distances: an array, an array or None, and two numbers are expected");
        return NULL;
    }
    const long metric = PyLong_AsLong(args[2]);
    const double p = PyFloat_AsDouble(args[3]);
    if (PyErr_Occurred()) return NULL;
    tb_array *a = tbpy_array(args[0]), *b = args[1] == Py_None ? NULL : tbpy_array(args[1]);
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_distances(a, b, (tb_metric)metric, p, &r));
    return st == TB_OK ? tbpy_wrap_like(r, args[0]) : tbpy_raise(st);
}

/* Up to TB_GRID_AXES ints of a tuple; returns how many there are, -1: an exception has been raised. */
static int take_ints(PyObject *tuple, int *out)
{
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) > TB_GRID_AXES) {
        PyErr_Format(PyExc_TypeError, "grid_at: a tuple of %d ints at most is expected", TB_GRID_AXES);
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) out[i] = (int)PyLong_AsLong(PyTuple_GET_ITEM(tuple, i));
    return PyErr_Occurred() ? -1 : (int)PyTuple_GET_SIZE(tuple);
}

/* (lines, values, form, degrees, orders, x, what is outside or None) -> (values at x, which axes points are beyond).
 * Other forms than splines have zeros for degrees and orders. */
static PyObject *grid_at(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *r = NULL;
    tb_status st;
    int degrees[TB_GRID_AXES], orders[TB_GRID_AXES];
    int beyond = 0;
    if (nargs != 7 || !tbpy_check(args[0]) || !tbpy_check(args[1]) || !tbpy_check(args[5])) {
        PyErr_SetString(PyExc_TypeError,
                        "grid_at: two arrays, a number, two tuples, an array and a number or None are expected");
        return NULL;
    }
    const long form = PyLong_AsLong(args[2]);
    const int naxis = take_ints(args[3], degrees), count = naxis < 0 ? -1 : take_ints(args[4], orders);
    if (count < 0) return NULL;
    if (count != naxis) return PyErr_Format(PyExc_TypeError, "grid_at: %d degrees and %d orders", naxis, count);
    const bool filled = args[6] != Py_None;
    const Py_complex number = filled ? PyComplex_AsCComplex(args[6]) : (Py_complex){0, 0};
    if (PyErr_Occurred()) return NULL;
    const double outside[2] = {number.real, number.imag};
    tb_array *lines = tbpy_array(args[0]), *values = tbpy_array(args[1]), *x = tbpy_array(args[5]);
    TBPY_UNLOCKED_IF(
        tb_array_size(x), st,
        tb_grid_at(lines, values, (tb_grid_form)form, naxis, degrees, orders, x, filled ? outside : NULL, &r, &beyond));
    return st == TB_OK ? Py_BuildValue("(Ni)", tbpy_wrap_like(r, args[5]), beyond) : tbpy_raise(st);
}

static PyMethodDef methods[] = {
    {"_cubic_spline", (PyCFunction)(void (*)(void))cubic_spline, METH_FASTCALL,
     "_cubic_spline(x, y, first_order, first_value, last_order, last_value)\n--\n\nA cubic spline's coefficients."},
    {"_spline_through", (PyCFunction)(void (*)(void))spline_through, METH_FASTCALL,
     "_spline_through(x, y, degree)\n--\n\nThe knots and coefficients of a spline through points."},
    {"_spline_nearest", (PyCFunction)(void (*)(void))spline_nearest, METH_FASTCALL,
     "_spline_nearest(x, y, degree, knots, weights)\n--\n\nThe coefficients of a spline near points."},
    {"_distances", (PyCFunction)(void (*)(void))distances, METH_FASTCALL,
     "_distances(a, b, metric, p)\n--\n\nDistances of pairs of rows."},
    {"_pieces_at", (PyCFunction)(void (*)(void))pieces_at, METH_FASTCALL,
     "_pieces_at(x, c, form, degree, points, nu, outside)\n--\n\nA function in pieces at points."},
    {"_linear_sum_assignment", (PyCFunction)(void (*)(void))linear_sum_assignment, METH_FASTCALL,
     "_linear_sum_assignment(costs, maximize)\n--\n\nThe rows and columns of the best assignment."},
    {"_pieces_integral", (PyCFunction)(void (*)(void))pieces_integral, METH_FASTCALL,
     "_pieces_integral(x, c, a, b, outside)\n--\n\nThe integral of a function in pieces."},
    {"_grid_at", (PyCFunction)(void (*)(void))grid_at, METH_FASTCALL,
     "_grid_at(lines, values, form, degrees, orders, x, outside)\n--\n\nA function on a grid at points."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_pieces(PyObject *m) { return PyModule_AddFunctions(m, methods); }
