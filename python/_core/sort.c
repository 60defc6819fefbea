/* sort.c - order along an axis, and places in it. */
#include "reduce_args.h"

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
    TBPY_UNLOCKED_IF(tb_array_size(a), st, tb_sort_into(a, axis, a));
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

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL
static PyMethodDef methods[] = {
    {"_sort", FAST(sort_copy), "_sort(a, axis)\n--\n\nA sorted copy; axis None: of the flattened array."},
    {"_argsort", FAST(sort_positions), "_argsort(a, axis)\n--\n\nThe positions that sort, stable."},
    {"_sort_into", FAST(sort_in_place), "_sort_into(a, axis)\n--\n\nSorts a in place."},
    {"_searchsorted", FAST(search_sorted), "_searchsorted(sorted, values, right)\n--\n\nWhere values belong."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_sort(PyObject *m) { return PyModule_AddFunctions(m, methods); }
