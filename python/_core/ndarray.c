/* ndarray.c - the type tombac.ndarray: allocation, construction, subclasses. What it can do is in ndarray_*.c.
 *
 * An ndarray is a thin owner of a tb_array. Its tb_array pointer never changes, except by assigning to `shape` and by
 * `resize`, which keep the former one. */
#include "ndarray.h"

#include <structmember.h>

PyTypeObject *tbpy_array_type;

/* Objects come and go with every operation: a short list of spare ones saves most of the allocations. They keep their
 * type. */
#ifndef Py_GIL_DISABLED
enum { SPARE_MAX = 1024 };
static TbArray *spare[SPARE_MAX];
static int nspare;
#endif

static inline TbArray *allocate(PyTypeObject *type)
{
    TbArray *self;
#ifndef Py_GIL_DISABLED
    if (type == tbpy_array_type && nspare > 0) {
        self = spare[--nspare];
        _Py_NewReference((PyObject *)self);
        return self;
    }
#endif
    self = (TbArray *)type->tp_alloc(type, 0);
    return self;
}

static inline PyObject *make(PyTypeObject *type, tb_array *a, PyObject *base)
{
    TbArray *self = allocate(type);
    if (!self) {
        tb_array_release(a);
        return NULL;
    }
    self->array = a;
    self->base = Py_XNewRef(base);
    self->weakreflist = NULL;
    self->former = NULL;
    return (PyObject *)self;
}

PyObject *tbpy_wrap(tb_array *a) { return a ? make(tbpy_array_type, a, NULL) : NULL; }

/* Tells a subclass that `self` was made from `from` (None: by its constructor). */
static __attribute__((noinline)) PyObject *tell_subclass(PyObject *self, PyObject *from)
{
    PyObject *r = PyObject_CallMethod(self, "__array_finalize__", "O", from);
    if (!r) Py_DECREF(self);
    Py_XDECREF(r);
    return r ? self : NULL;
}

static inline PyObject *finalize(PyObject *self, PyObject *from)
{
    return !self || Py_TYPE(self) == tbpy_array_type ? self : tell_subclass(self, from);
}

PyObject *tbpy_wrap_as(PyTypeObject *type, tb_array *a, PyObject *base, PyObject *from)
{
    return finalize(make(type, a, base), from);
}

PyObject *tbpy_wrap_view(tb_array *a, PyObject *owner)
{
    if (!a) return NULL;
    PyObject *base = ((TbArray *)owner)->base;
    return finalize(make(Py_TYPE(owner), a, base ? base : owner), owner);
}

PyObject *tbpy_wrap_like(tb_array *a, PyObject *like)
{
    return a ? finalize(make(Py_TYPE(like), a, NULL), like) : NULL;
}

double tbpy_priority(PyObject *o)
{
    PyObject *p = PyObject_GetAttrString(o, "__array_priority__");
    double priority = p ? PyFloat_AsDouble(p) : 0;
    Py_XDECREF(p);
    PyErr_Clear();
    return priority;
}

static __attribute__((noinline)) PyObject *prototype(int n, PyObject *const *operands)
{
    PyObject *found = NULL;
    double highest = 0;
    for (int i = 0; i < n; i++) {
        if (tbpy_check_exact(operands[i]) || !tbpy_check(operands[i])) continue;
        const double priority = tbpy_priority(operands[i]);
        if (found && priority <= highest) continue;
        found = operands[i];
        highest = priority;
    }
    return found;
}

PyObject *tbpy_wrap_result(tb_array *a, int n, PyObject *const *operands)
{
    PyObject *like = NULL;
    for (int i = 0; i < n; i++)
        if (!tbpy_check_exact(operands[i])) like = prototype(n, operands);
    return like ? tbpy_wrap_like(a, like) : tbpy_wrap(a);
}

static __attribute__((noinline)) void release_former(tbpy_former *f)
{
    while (f) {
        tbpy_former *next = f->next;
        tb_array_release(f->array);
        PyMem_Free(f);
        f = next;
    }
}

static void ndarray_dealloc(PyObject *o)
{
    TbArray *self = (TbArray *)o;
    PyTypeObject *type = Py_TYPE(o);
    if (self->weakreflist) PyObject_ClearWeakRefs(o);
    tb_array_release(self->array);
    if (self->former) release_former(self->former);
    Py_XDECREF(self->base);
#ifndef Py_GIL_DISABLED
    if (type == tbpy_array_type && nspare < SPARE_MAX) {
        spare[nspare++] = self;
        return;
    }
#endif
    type->tp_free(o);
    Py_DECREF(type);
}

/* ---- ndarray(shape, dtype=float, memptr=None, strides=None, order='C') ---------------------------------------- */

static int on_memory(PyObject *memptr, tb_dtype t, int ndim, const int64_t *shape, PyObject *strides, char order,
                     tb_array **out)
{
    tb_buffer *b;
    int64_t offset, bytes[TB_MAXDIM], step = (int64_t)tb_dtype_size(t);
    if (tbpy_memory_parse(memptr, &b, &offset) < 0) return -1;
    if (strides) {
        int n;
        if (tbpy_shape(strides, &n, bytes) < 0) return -1;
        if (n != ndim) {
            PyErr_Format(PyExc_ValueError, "ndarray: strides has %d entries, but shape has %d", n, ndim);
            return -1;
        }
    } else if (order == 'F') {
        for (int i = 0; i < ndim; i++) {
            bytes[i] = step;
            step *= shape[i];
        }
    }
    TBPY_TRY_INT(tb_array_on_buffer(b, offset, t, ndim, shape, strides || order == 'F' ? bytes : NULL, out));
    return 0;
}

/* A new array whose strides are the caller's, which stay within the memory of a contiguous one. */
static int on_own_memory(tb_dtype t, int ndim, const int64_t *shape, PyObject *strides, tb_array **out)
{
    int64_t bytes[TB_MAXDIM], last = 0, step;
    int n;
    tb_array *whole;
    if (tbpy_shape(strides, &n, bytes) < 0) return -1;
    bool fits = n == ndim;
    TBPY_TRY_INT(tb_empty(t, ndim, shape, 'C', &whole));
    for (int d = 0; fits && d < ndim; d++)
        fits = bytes[d] >= 0 && !__builtin_mul_overflow(bytes[d], shape[d] - 1, &step) &&
               !__builtin_add_overflow(last, step, &last);
    const int64_t item = (int64_t)tb_dtype_size(t), size = tb_array_size(whole);
    tb_status st = TB_OK;
    if (n == ndim && (size == 0 || (fits && last <= (size - 1) * item)))
        st = tb_array_on_buffer(tb_array_buffer(whole), 0, t, ndim, shape, bytes, out);
    else
        PyErr_Format(PyExc_ValueError,
                     "ndarray() with strides and no memptr needs %d strides that are not negative and stay within the "
                     "%lld bytes of a contiguous array",
                     ndim, (long long)size * item);
    tb_array_release(whole);
    return st == TB_OK ? PyErr_Occurred() ? -1 : 0 : tbpy_fail(st);
}

static PyObject *ndarray_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"shape", "dtype", "memptr", "strides", "order", NULL};
    PyObject *shape_arg, *dtype = NULL, *memptr = NULL, *strides = NULL, *order_arg = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOOO:ndarray", names, &shape_arg, &dtype, &memptr, &strides,
                                     &order_arg))
        return NULL;
    tb_dtype t = TB_F64;
    char order = 'C';
    int ndim;
    int64_t shape[TB_MAXDIM];
    if (memptr == Py_None) memptr = NULL;
    if (strides == Py_None) strides = NULL;
    if (tbpy_optional_dtype(dtype, &t) < 0 || tbpy_order(order_arg, &order) < 0 ||
        tbpy_shape(shape_arg, &ndim, shape) < 0)
        return NULL;
    tb_array *a = NULL;
    if (memptr) {
        if (on_memory(memptr, t, ndim, shape, strides, order, &a) < 0) return NULL;
    } else if (strides) {
        if (on_own_memory(t, ndim, shape, strides, &a) < 0) return NULL;
    } else {
        TBPY_TRY(tb_empty(t, ndim, shape, order == 'F' ? 'F' : 'C', &a));
    }
    return finalize(make(type, a, NULL), Py_None);
}

/* ---- the type ---------------------------------------------------------------------------------------------------- */

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(TbArray, weakreflist), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyDoc_STRVAR(ndarray_doc, "ndarray(shape, dtype='float64', memptr=None, strides=None, order='C')\n--\n\n"
                          "Multi-dimensional array on a device, or on the host where there is none.\n\n"
                          "Results of elementwise operations are deferred until somebody needs the numbers.\n\n"
                          "Args:\n"
                          "    shape (tuple of ints): Length of axes.\n"
                          "    dtype: Data type, anything that numpy.dtype accepts.\n"
                          "    memptr (tombac.cuda.MemoryPointer): Memory to use; new memory if it is None.\n"
                          "    strides (tuple of ints): Strides in bytes. Without memptr they stay within the memory\n"
                          "        of a contiguous array of the shape.\n"
                          "    order ({'C', 'F'}): Row-major or column-major layout.");

enum { METHODS_MAX = 160, SLOTS_MAX = 96 };

static PyObject *add_method(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *name, *function;
    if (!PyArg_ParseTuple(args, "UO:_add_method", &name, &function)) return NULL;
    if (PyObject_SetAttr((PyObject *)tbpy_array_type, name, function) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef module_methods[] = {
    {"_add_method", add_method, METH_VARARGS, "_add_method(name, function)\n--\n\nGives ndarray an attribute."},
    {NULL, NULL, 0, NULL},
};

static void gather(PyMethodDef *methods, PyType_Slot *slots)
{
    PyMethodDef *const tables[] = {tbpy_convert_methods, tbpy_shape_methods,    tbpy_math_methods,
                                   tbpy_reduce_methods,  tbpy_protocol_methods, tbpy_dlpack_methods,
                                   tbpy_take_methods,    tbpy_select_methods,   tbpy_resize_methods};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (PyMethodDef *m = tables[i]; m->ml_name; m++) *methods++ = *m;
    *methods = (PyMethodDef){NULL, NULL, 0, NULL};
    PyType_Slot *const parts[] = {tbpy_number_slots, tbpy_convert_slots, tbpy_index_slots};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (PyType_Slot *s = parts[i]; s->slot; s++) *slots++ = *s;
    *slots = (PyType_Slot){0, NULL};
}

int tbpy_add_ndarray(PyObject *m)
{
    static PyMethodDef methods[METHODS_MAX]; /* descriptors point into it for as long as the type lives */
    PyType_Slot slots[SLOTS_MAX] = {
        {Py_tp_new, ndarray_new},
        {Py_tp_dealloc, ndarray_dealloc},
        {Py_tp_methods, methods},
        {Py_tp_getset, tbpy_array_getset},
        {Py_tp_members, members},
        {Py_tp_doc, (void *)ndarray_doc},
        {Py_tp_hash, PyObject_HashNotImplemented},
    };
    int own = 0;
    while (slots[own].slot) own++;
    gather(methods, slots + own);
    PyType_Spec spec = {"tombac.ndarray", sizeof(TbArray), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    if (tbpy_number_init() < 0) return -1;
    tbpy_array_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &spec, NULL);
    if (!tbpy_array_type) return -1;
    PyObject *priority = PyLong_FromLong(100);
    int r = priority ? PyObject_SetAttrString((PyObject *)tbpy_array_type, "__array_priority__", priority) : -1;
    Py_XDECREF(priority);
    if (r < 0 || PyModule_AddFunctions(m, module_methods) < 0 || PyModule_AddFunctions(m, tbpy_take_functions) < 0 ||
        PyModule_AddFunctions(m, tbpy_select_functions) < 0 || PyModule_AddFunctions(m, tbpy_packing_functions) < 0 ||
        PyModule_AddFunctions(m, tbpy_position_functions) < 0 || PyModule_AddFunctions(m, tbpy_host_functions) < 0 ||
        PyModule_AddFunctions(m, tbpy_host_argument_functions) < 0)
        return -1;
    return PyModule_AddObjectRef(m, "ndarray", (PyObject *)tbpy_array_type);
}
