/* ndarray_getset.c - the attributes of ndarray. */
#include "ndarray.h"

#define GETTER(name) static PyObject *name(PyObject *self, void *unused)
#define ARRAY ((void)unused, tbpy_array(self))

PyObject *tbpy_shape_tuple(const tb_array *a) { return tbpy_int_tuple(tb_array_ndim(a), tb_array_shape(a)); }
PyObject *tbpy_strides_tuple(const tb_array *a) { return tbpy_int_tuple(tb_array_ndim(a), tb_array_strides(a)); }

PyObject *tbpy_device_object(int device)
{
    static PyObject *cache;
    PyObject *type = tbpy_package(&cache, "Device");
    return type ? PyObject_CallFunction(type, "i", device) : NULL;
}

GETTER(get_shape) { return tbpy_shape_tuple(ARRAY); }
GETTER(get_strides) { return tbpy_strides_tuple(ARRAY); }
GETTER(get_ndim) { return PyLong_FromLong(tb_array_ndim(ARRAY)); }
GETTER(get_size) { return PyLong_FromLongLong(tb_array_size(ARRAY)); }
GETTER(get_dtype) { return Py_XNewRef(tbpy_dtype_object(tb_array_dtype(ARRAY))); }
GETTER(get_kind) { return PyUnicode_FromOrdinal(tbpy_dtype_kind(tb_array_dtype(ARRAY))); }
GETTER(get_itemsize) { return PyLong_FromSize_t(tb_dtype_size(tb_array_dtype(ARRAY))); }
GETTER(get_nbytes) { return PyLong_FromLongLong(tb_array_size(ARRAY) * (int64_t)tb_dtype_size(tb_array_dtype(ARRAY))); }
GETTER(get_device) { return tbpy_device_object(tb_array_device(ARRAY)); }

GETTER(get_base)
{
    (void)unused;
    PyObject *base = ((TbArray *)self)->base;
    return Py_NewRef(base ? base : Py_None);
}

static bool same_view(const tb_array *a, const tb_array *b)
{
    const size_t bytes = sizeof(int64_t) * (size_t)tb_array_ndim(a);
    return tb_array_buffer(a) == tb_array_buffer(b) && tb_array_ndim(a) == tb_array_ndim(b) &&
           memcmp(tb_array_shape(a), tb_array_shape(b), bytes) == 0 &&
           memcmp(tb_array_strides(a), tb_array_strides(b), bytes) == 0;
}

int tbpy_replace_array(TbArray *self, tb_array *r, bool alone)
{
    tb_array *a = self->array, *spare = NULL;
    tbpy_former *f = self->former;
    if (alone) {
        self->array = r;
        tb_array_release(a);
        return 0;
    }
    if (same_view(a, r)) {
        tb_array_release(r);
        return 0;
    }
    while (f && !same_view(f->array, r)) f = f->next;
    if (f) {
        spare = r;
        r = f->array;
    } else {
        f = PyMem_Malloc(sizeof *f);
        if (!f) {
            tb_array_release(r);
            PyErr_NoMemory();
            return -1;
        }
        f->next = self->former;
        self->former = f;
    }
    f->array = a;
    __atomic_store_n(&self->array, r, __ATOMIC_RELEASE);
    tb_array_release(spare); /* not before: waiting for the core's lock lets other threads in, which may do the same */
    return 0;
}

static int set_shape(PyObject *self, PyObject *value, void *unused)
{
    tb_array *r;
    int ndim, done;
    int64_t shape[TB_MAXDIM];
    (void)unused;
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "Cannot delete array shape");
        return -1;
    }
    if (tbpy_shape(value, &ndim, shape) < 0) return -1;
    bool copied = false;
    TBPY_TRY_INT(tb_reshape(tbpy_array(self), ndim, shape, 'C', &copied, &r));
    if (copied) {
        tb_array_release(r);
        PyErr_SetString(PyExc_AttributeError, "Incompatible shape for in-place modification. Use `.reshape()` to make "
                                              "a copy with the desired shape.");
        return -1;
    }
    Py_BEGIN_CRITICAL_SECTION(self);
    done = tbpy_replace_array((TbArray *)self, r, false);
    Py_END_CRITICAL_SECTION();
    return done;
}

/* The memory of the array, evaluated. Only who asks for the address itself (ptr) is taken to use it. */
GETTER(get_data)
{
    tb_array *a = ARRAY;
    tb_status st;
    TBPY_UNLOCKED_IF(tb_array_is_pending(a) ? tb_array_size(a) : 0, st, tb_array_eval(a));
    if (st != TB_OK) return tbpy_raise(st);
    tb_buffer *b = tb_array_buffer(a);
    tb_buffer_retain(b);
    return tbpy_memory_pointer(b, tb_array_offset(a));
}

GETTER(get_T)
{
    tb_array *a = ARRAY, *r;
    if (tb_array_ndim(a) < 2) return Py_NewRef(self);
    TBPY_TRY(tb_transpose(a, NULL, &r));
    return tbpy_wrap_view(r, self);
}

GETTER(get_mT)
{
    tb_array *a = ARRAY, *r;
    int n = tb_array_ndim(a), axes[TB_MAXDIM];
    if (n < 2) {
        PyErr_SetString(PyExc_ValueError, "matrix transpose with ndim < 2 is undefined");
        return NULL;
    }
    for (int i = 0; i < n; i++) axes[i] = i;
    axes[n - 2] = n - 1;
    axes[n - 1] = n - 2;
    TBPY_TRY(tb_transpose(a, axes, &r));
    return tbpy_wrap_view(r, self);
}

/* ---- real, imag -------------------------------------------------------------------------------------------------- */

GETTER(get_real)
{
    tb_array *a = ARRAY, *r;
    const tb_dtype t = tb_array_dtype(a);
    if (t != TB_C64 && t != TB_C128) return Py_NewRef(self); /* a call less than to ask for the kind */
    TBPY_TRY(tb_real_imag(a, false, &r));
    return tbpy_wrap_view(r, self);
}

GETTER(get_imag)
{
    tb_array *a = ARRAY, *r;
    tb_dtype t = tb_array_dtype(a);
    if (tb_dtype_kind(t) == TB_KIND_COMPLEX) {
        TBPY_TRY(tb_real_imag(a, true, &r));
        return tbpy_wrap_view(r, self);
    }
    TBPY_TRY(tb_full(t, tb_array_ndim(a), tb_array_shape(a), 'C', tb_scalar_int(0), &r));
    return tbpy_wrap_like(r, self);
}

static int set_part(PyObject *self, PyObject *value, bool imag)
{
    tb_array *part;
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "cannot delete the real or imaginary part");
        return -1;
    }
    TBPY_TRY_INT(tb_real_imag(tbpy_array(self), imag, &part));
    PyObject *target = tbpy_wrap(part);
    int r = target ? tbpy_assign(target, value) : -1;
    Py_XDECREF(target);
    return r;
}

static int set_real(PyObject *self, PyObject *value, void *unused)
{
    if (tb_dtype_kind(tb_array_dtype(ARRAY)) == TB_KIND_COMPLEX || !value) return set_part(self, value, false);
    return tbpy_assign(self, value);
}

static int set_imag(PyObject *self, PyObject *value, void *unused)
{
    if (tb_dtype_kind(tb_array_dtype(ARRAY)) == TB_KIND_COMPLEX || !value) return set_part(self, value, true);
    PyErr_SetString(PyExc_TypeError, "array does not have imaginary part to set");
    return -1;
}

PyGetSetDef tbpy_array_getset[] = {
    {"shape", get_shape, set_shape, "Lengths of the axes. Assigning to it reshapes in place.", NULL},
    {"strides", get_strides, NULL, "Bytes from one element to the next along each axis.", NULL},
    {"ndim", get_ndim, NULL, "Number of axes.", NULL},
    {"size", get_size, NULL, "Number of elements.", NULL},
    {"dtype", get_dtype, NULL, "numpy.dtype of the elements.", NULL},
    {"_kind", get_kind, NULL, "dtype.kind, without NumPy.", NULL},
    {"itemsize", get_itemsize, NULL, "Bytes of one element.", NULL},
    {"nbytes", get_nbytes, NULL, "Bytes of all elements.", NULL},
    {"base", get_base, NULL, "The array whose memory this one is a view of, or None.", NULL},
    {"device", get_device, NULL, "The device that holds the memory.", NULL},
    {"data", get_data, NULL, "A tombac.cuda.MemoryPointer to the first element. Evaluates the array.", NULL},
    {"flags", tbpy_flags_get, NULL, "Facts about the memory layout: c_contiguous, f_contiguous, owndata.", NULL},
    {"flat", tbpy_flat_get, tbpy_flat_set, "The elements as one dimension in C order, to iterate over or index.", NULL},
    {"T", get_T, NULL, "A view with the axes reversed.", NULL},
    {"mT", get_mT, NULL, "A view with the last two axes exchanged.", NULL},
    {"real", get_real, set_real, "The real parts: a view.", NULL},
    {"imag", get_imag, set_imag, "The imaginary parts: a view; new zeros if the array is real.", NULL},
    {"__cuda_array_interface__", tbpy_cuda_array_interface, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
