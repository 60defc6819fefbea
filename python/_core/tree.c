/* tree.c - neighbours of points, and triangulations, for tombacx.scipy.spatial, which checks arguments. A tree is given
 * as (points, order, boxes). */
#include "reduce_args.h"

/* The arrays of a call's first n arguments; None is NULL where that is allowed. */
static bool take(const char *who, PyObject *const *args, int n, int required, tb_array **out)
{
    for (int i = 0; i < n; i++) {
        out[i] = tbpy_check(args[i]) ? tbpy_array(args[i]) : NULL;
        if (out[i] || (i >= required && args[i] == Py_None)) continue;
        PyErr_Format(PyExc_TypeError, "%s: argument %d must be an array, not %s", who, i + 1,
                     Py_TYPE(args[i])->tp_name);
        return false;
    }
    return true;
}

static bool counted(const char *who, Py_ssize_t nargs, Py_ssize_t expected)
{
    if (nargs == expected) return true;
    PyErr_Format(PyExc_TypeError, "%s: %zd arguments are expected, not %zd", who, expected, nargs);
    return false;
}

/* points -> (points, order, boxes) */
static PyObject *tree_make(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *points;
    tb_tree tree = {NULL, NULL, NULL};
    tb_status st;
    if (!counted("tree_make", nargs, 1) || !take("tree_make", args, 1, 1, &points)) return NULL;
    TBPY_UNLOCKED(st, tb_tree_make(points, &tree));
    if (st != TB_OK) return tbpy_raise(st);
    return Py_BuildValue("(NNN)", tbpy_wrap_like(tree.points, args[0]), tbpy_wrap_like(tree.order, args[0]),
                         tbpy_wrap_like(tree.boxes, args[0]));
}

/* (points, order, boxes, x, periods or None, k, p, bound) -> (distances, numbers) */
static PyObject *tree_nearest(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    enum { ARRAYS = 5, ALL = 8 };
    tb_array *a[ARRAYS], *distances = NULL, *numbers = NULL;
    tb_status st;
    if (!counted("tree_nearest", nargs, ALL) || !take("tree_nearest", args, ARRAYS, ARRAYS - 1, a)) return NULL;
    const long long k = PyLong_AsLongLong(args[ARRAYS]);
    const double p = PyFloat_AsDouble(args[ARRAYS + 1]), bound = PyFloat_AsDouble(args[ARRAYS + 2]);
    if (PyErr_Occurred()) return NULL;
    const tb_tree tree = {a[0], a[1], a[2]};
    TBPY_UNLOCKED(st, tb_tree_nearest(&tree, a[3], k, p, bound, a[4], &distances, &numbers));
    if (st != TB_OK) return tbpy_raise(st);
    return Py_BuildValue("(NN)", tbpy_wrap_like(distances, args[3]), tbpy_wrap_like(numbers, args[3]));
}

/* (points, order, boxes, x, radii, periods or None, starts or None, p) -> numbers */
static PyObject *tree_within(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    enum { REQUIRED = 5, ARRAYS = 7, ALL = 8 };
    tb_array *a[ARRAYS], *out = NULL;
    tb_status st;
    if (!counted("tree_within", nargs, ALL) || !take("tree_within", args, ARRAYS, REQUIRED, a)) return NULL;
    const double p = PyFloat_AsDouble(args[ARRAYS]);
    if (PyErr_Occurred()) return NULL;
    const tb_tree tree = {a[0], a[1], a[2]};
    TBPY_UNLOCKED(st, tb_tree_within(&tree, a[3], a[4], p, a[5], a[6], &out));
    return st == TB_OK ? tbpy_wrap_like(out, args[3]) : tbpy_raise(st);
}

/* points -> (simplices, neighbors, vertex_to_simplex, coplanar) */
static PyObject *delaunay(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    tb_array *points;
    tb_triangulation t = {NULL, NULL, NULL, NULL};
    tb_status st;
    if (!counted("delaunay", nargs, 1) || !take("delaunay", args, 1, 1, &points)) return NULL;
    TBPY_UNLOCKED(st, tb_delaunay(points, &t));
    if (st != TB_OK) return tbpy_raise(st);
    return Py_BuildValue("(NNNN)", tbpy_wrap_like(t.simplices, args[0]), tbpy_wrap_like(t.neighbors, args[0]),
                         tbpy_wrap_like(t.vertex_to_simplex, args[0]), tbpy_wrap_like(t.coplanar, args[0]));
}

/* (points, order, boxes, the same of another tree or three None, periods or None, radius, p, whether distances are
 * wanted) -> pairs, or (pairs, distances) */
static PyObject *tree_pairs(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    enum { REQUIRED = 3, ARRAYS = 7, ALL = 10 };
    tb_array *a[ARRAYS], *pairs = NULL, *distances = NULL;
    tb_status st;
    if (!counted("tree_pairs", nargs, ALL) || !take("tree_pairs", args, ARRAYS, REQUIRED, a)) return NULL;
    const double radius = PyFloat_AsDouble(args[ARRAYS]), p = PyFloat_AsDouble(args[ARRAYS + 1]);
    const int wanted = PyObject_IsTrue(args[ARRAYS + 2]);
    if (PyErr_Occurred()) return NULL;
    const tb_tree tree = {a[0], a[1], a[2]}, other = {a[3], a[4], a[5]};
    TBPY_UNLOCKED(st, tb_tree_pairs(&tree, a[3] ? &other : NULL, radius, p, a[6], &pairs, wanted ? &distances : NULL));
    if (st != TB_OK) return tbpy_raise(st);
    if (!wanted) return tbpy_wrap_like(pairs, args[0]);
    return Py_BuildValue("(NN)", tbpy_wrap_like(pairs, args[0]), tbpy_wrap_like(distances, args[0]));
}

/* (points, simplices, neighbors, x, tol, whether all triangles are looked at) -> triangles */
static PyObject *delaunay_find(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    enum { ARRAYS = 4, ALL = 6 };
    tb_array *a[ARRAYS], *out = NULL;
    tb_status st;
    if (!counted("delaunay_find", nargs, ALL) || !take("delaunay_find", args, ARRAYS, ARRAYS, a)) return NULL;
    const double tol = PyFloat_AsDouble(args[ARRAYS]);
    const int exhaustive = PyObject_IsTrue(args[ARRAYS + 1]);
    if (PyErr_Occurred()) return NULL;
    const tb_triangulation t = {.simplices = a[1], .neighbors = a[2]};
    TBPY_UNLOCKED(st, tb_delaunay_find(&t, a[0], a[3], tol, exhaustive, &out));
    return st == TB_OK ? tbpy_wrap_like(out, args[3]) : tbpy_raise(st);
}

/* (points, simplices, neighbors, values, tol, most) -> (slopes, rounds) */
static PyObject *delaunay_slopes(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    enum { ARRAYS = 4, ALL = 6 };
    tb_array *a[ARRAYS], *slopes = NULL;
    int rounds = 0;
    tb_status st;
    if (!counted("delaunay_slopes", nargs, ALL) || !take("delaunay_slopes", args, ARRAYS, ARRAYS, a)) return NULL;
    const double tol = PyFloat_AsDouble(args[ARRAYS]);
    const long most = PyLong_AsLong(args[ARRAYS + 1]);
    if (PyErr_Occurred()) return NULL;
    const tb_triangulation t = {.simplices = a[1], .neighbors = a[2]};
    TBPY_UNLOCKED(st, tb_delaunay_slopes(&t, a[0], a[3], tol, (int)most, &slopes, &rounds));
    return st == TB_OK ? Py_BuildValue("(Ni)", tbpy_wrap_like(slopes, args[3]), rounds) : tbpy_raise(st);
}

/* (points, simplices, neighbors, values, outside, x, slopes or None) -> values at x */
static PyObject *delaunay_values(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    enum { REQUIRED = 6, ALL = 7 };
    tb_array *a[ALL], *out = NULL;
    tb_status st;
    if (!counted("delaunay_values", nargs, ALL) || !take("delaunay_values", args, ALL, REQUIRED, a)) return NULL;
    const tb_triangulation t = {.simplices = a[1], .neighbors = a[2]};
    TBPY_UNLOCKED(st, tb_delaunay_values(&t, a[0], a[3], a[6], a[4], a[5], &out));
    return st == TB_OK ? tbpy_wrap_like(out, args[5]) : tbpy_raise(st);
}

static PyMethodDef methods[] = {
    {"_delaunay", (PyCFunction)(void (*)(void))delaunay, METH_FASTCALL,
     "_delaunay(points)\n--\n\nThe Delaunay triangulation of points of the plane."},
    {"_delaunay_find", (PyCFunction)(void (*)(void))delaunay_find, METH_FASTCALL,
     "_delaunay_find(points, simplices, neighbors, x, tol, exhaustive)\n--\n\nThe triangles that points are in."},
    {"_delaunay_slopes", (PyCFunction)(void (*)(void))delaunay_slopes, METH_FASTCALL,
     "_delaunay_slopes(points, simplices, neighbors, values, tol, most)\n--\n\nSlopes with which cubics bend least."},
    {"_delaunay_values", (PyCFunction)(void (*)(void))delaunay_values, METH_FASTCALL,
     "_delaunay_values(points, simplices, neighbors, values, outside, x, slopes)\n--\n\nFunctions on triangles."},
    {"_tree_make", (PyCFunction)(void (*)(void))tree_make, METH_FASTCALL,
     "_tree_make(points)\n--\n\nA tree of boxes over points."},
    {"_tree_nearest", (PyCFunction)(void (*)(void))tree_nearest, METH_FASTCALL,
     "_tree_nearest(points, order, boxes, x, periods, k, p, bound)\n--\n\nThe nearest points of a tree."},
    {"_tree_within", (PyCFunction)(void (*)(void))tree_within, METH_FASTCALL,
     "_tree_within(points, order, boxes, x, radii, periods, starts, p)\n--\n\nPoints of a tree within a distance."},
    {"_tree_pairs", (PyCFunction)(void (*)(void))tree_pairs, METH_FASTCALL,
     "_tree_pairs(points, order, boxes, points2, order2, boxes2, periods, radius, p, distances)\n--\n\n"
     "Pairs of points of one or two trees within a distance."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_tree(PyObject *m) { return PyModule_AddFunctions(m, methods); }
