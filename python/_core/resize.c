/* resize.c - a.resize(shape): another number of elements for the same object. */
#include "ndarray.h"

/* A call of a method has a reference to its object; up to 3.13 another one is on the interpreter's stack. */
enum { CALLS = PY_VERSION_HEX >= 0x030e0000 ? 1 : 2, MOST_CALLS = 2 };

/* Whether nobody else, in no other thread, can be in a call that looks at the object. */
static bool is_alone(PyObject *self)
{
#ifdef Py_GIL_DISABLED
    (void)self;
    return false;
#else
    return Py_REFCNT(self) <= CALLS;
#endif
}

static int check_resizable(PyObject *self, bool refcheck)
{
    const char *message = NULL;
    if (((TbArray *)self)->base) message = "cannot resize this array: it does not own its data";
    else if (refcheck && Py_REFCNT(self) > MOST_CALLS)
        message = "cannot resize an array that references or is referenced by another array in this way.\n"
                  "Use tombac.resize, or refcheck=False: views keep the elements that there were";
    if (message) PyErr_SetString(PyExc_ValueError, message);
    return message ? -1 : 0;
}

/* The first elements of a in the order of its memory, as many as there are in both, become those of r. */
static tb_status copy_first(tb_array *a, tb_array *r, char order)
{
    const int64_t size[2] = {tb_array_size(a), tb_array_size(r)};
    const tb_index first = tb_slice(0, size[0] < size[1] ? size[0] : size[1], 1);
    tb_array *flat[2] = {NULL, NULL}, *part[2] = {NULL, NULL};
    tb_status st = TB_OK;
    bool copied;
    for (int i = 0; i < 2 && st == TB_OK; i++) {
        st = tb_reshape(i == 0 ? a : r, 1, &size[i], order, &copied, &flat[i]);
        if (st == TB_OK) st = tb_array_index(flat[i], 1, &first, &part[i]);
    }
    if (st == TB_OK) st = tb_assign(part[1], part[0], TB_CAST_NO);
    tb_array_release_all(2, part);
    tb_array_release_all(2, flat);
    return st;
}

static tb_status resized(tb_array *a, int ndim, const int64_t *shape, tb_array **out)
{
    const char order = tb_array_is_c_contiguous(a) ? 'C' : 'F';
    tb_array *r;
    tb_status st = tb_full(tb_array_dtype(a), ndim, shape, order, tb_scalar_int(0), &r);
    if (st != TB_OK) return st;
    st = copy_first(a, r, order);
    if (st == TB_OK) *out = r;
    else tb_array_release(r);
    return st;
}

static int read_shape(PyObject *const *args, Py_ssize_t nargs, int *ndim, int64_t *shape)
{
    PyObject *all = nargs == 1 ? Py_NewRef(args[0]) : PyTuple_New(nargs);
    for (Py_ssize_t i = 0; all && nargs != 1 && i < nargs; i++) PyTuple_SET_ITEM(all, i, Py_NewRef(args[i]));
    const int r = all ? tbpy_shape(all, ndim, shape) : -1;
    Py_XDECREF(all);
    for (int d = 0; r == 0 && d < *ndim; d++)
        if (shape[d] < 0) {
            PyErr_SetString(PyExc_ValueError, "negative dimensions not allowed");
            return -1;
        }
    return r;
}

static int resize_to(PyObject *self, int ndim, const int64_t *shape, bool refcheck)
{
    tb_array *a = tbpy_array(self), *r;
    const bool alone = is_alone(self);
    bool copied = false;
    int64_t size = 1;
    tb_status st;
    int done;
    for (int d = 0; d < ndim; d++)
        if (__builtin_mul_overflow(size, shape[d], &size)) size = INT64_MAX;
    if (!tb_array_is_c_contiguous(a) && !tb_array_is_f_contiguous(a)) {
        PyErr_SetString(PyExc_ValueError, "resize only works on single-segment arrays");
        return -1;
    }
    if (size == tb_array_size(a)) {
        TBPY_TRY_INT(tb_reshape(a, ndim, shape, tb_array_is_c_contiguous(a) ? 'C' : 'F', &copied, &r));
    } else {
        if (check_resizable(self, refcheck) < 0) return -1;
        TBPY_UNLOCKED_IF(size, st, resized(a, ndim, shape, &r));
        if (st != TB_OK) return tbpy_fail(st);
    }
    Py_BEGIN_CRITICAL_SECTION(self);
    done = tbpy_replace_array((TbArray *)self, r, alone);
    Py_END_CRITICAL_SECTION();
    return done;
}

static PyObject *resize(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"refcheck", NULL};
    PyObject *v[1] = {NULL};
    bool refcheck = true;
    int ndim;
    int64_t shape[TB_MAXDIM];
    if (kwnames && tbpy_parse("resize", names, 0, 0, args + nargs, 0, kwnames, v) < 0) return NULL;
    if (tbpy_bool_arg(v[0], &refcheck) < 0) return NULL;
    if (nargs == 0 || (nargs == 1 && args[0] == Py_None)) Py_RETURN_NONE;
    if (read_shape(args, nargs, &ndim, shape) < 0 || resize_to(self, ndim, shape, refcheck) < 0) return NULL;
    Py_RETURN_NONE;
}

PyMethodDef tbpy_resize_methods[] = {
    {"resize", (PyCFunction)(void (*)(void))resize, METH_FASTCALL | METH_KEYWORDS,
     "resize($self, *shape, refcheck=True)\n--\n\n"
     "Another shape for this array, in place: what it has more elements for are zeros.\n\n"
     "The elements keep their order in memory. A view cannot get another size (ValueError), nor can an array that\n"
     "something else refers to, unless ``refcheck`` is False: views of it then keep the elements that there were."},
    {NULL, NULL, 0, NULL},
};
