/* ndarray.h - the pieces that tombac.ndarray is put together from; private to ndarray*.c, from_object.c, interop. */
#ifndef TBPY_NDARRAY_H
#define TBPY_NDARRAY_H
#include "core.h"

/* Zero-terminated tables, one for each file. */
extern PyMethodDef tbpy_convert_methods[], tbpy_shape_methods[], tbpy_math_methods[], tbpy_reduce_methods[],
    tbpy_protocol_methods[], tbpy_dlpack_methods[], tbpy_take_methods[], tbpy_select_methods[], tbpy_resize_methods[];
extern PyGetSetDef tbpy_array_getset[];
extern PyType_Slot tbpy_number_slots[], tbpy_convert_slots[], tbpy_index_slots[];

/* An ndarray of any subclass, with the given base (or NULL), made from `from`; steals a. */
PyObject *tbpy_wrap_as(PyTypeObject *type, tb_array *a, PyObject *base, PyObject *from);
int tbpy_number_init(void); /* looks up the ufuncs behind the operators */

/* What `array` was before somebody assigned to the shape. Calls that other threads are in may read it, so it lives as
 * long as the object. Each view is there once, however often shapes are assigned. */
typedef struct tbpy_former {
    tb_array *array;
    struct tbpy_former *next;
} tbpy_former;

/* Getters. */
PyObject *tbpy_flags_get(PyObject *self, void *unused);
PyObject *tbpy_flat_get(PyObject *self, void *unused);
int tbpy_flat_set(PyObject *self, PyObject *value, void *unused);
PyObject *tbpy_cuda_array_interface(PyObject *self, void *unused);
/* Python numbers of a's shape and strides. */
PyObject *tbpy_shape_tuple(const tb_array *a);
/* The object is over r (stolen) from now on. Unless nobody else can be looking at it, what it was over stays as long as
 * it does. */
int tbpy_replace_array(TbArray *self, tb_array *r, bool alone);
PyObject *tbpy_strides_tuple(const tb_array *a);
/* The only element of a as a Python number; ValueError unless a.size is 1. */
PyObject *tbpy_only_element(PyObject *self);
/* Whether o is an ndarray of one float64 without dimensions, for which nothing has to be waited for; *out is it. */
bool tbpy_plain_double(PyObject *o, double *out);
/* A number; an ndarray of one element is read, and is of its dtype. TypeError for all else. */
int tbpy_number_arg(const char *who, PyObject *o, tb_scalar *out);
/* tombac.cuda.Device of the given number. */
PyObject *tbpy_device_object(int device);

/* ---- index_key.c ------------------------------------------------------------------------------------------------ */

enum { TBPY_MAXINDEX = 2 * TB_MAXDIM };

typedef struct tbpy_key {
    int n, nheld;
    bool has_arrays; /* or truth values: the key does not give a view */
    tb_index items[TBPY_MAXINDEX];
    PyObject *held[TBPY_MAXINDEX]; /* the arrays of items */
} tbpy_key;

/* IndexError for what cannot be part of a key. Nothing need be freed after a failure, nor without arrays. */
int tbpy_key_parse(PyObject *key, tbpy_key *k);
static inline void tbpy_key_free(tbpy_key *k)
{
    while (k->nheld > 0) Py_DECREF(k->held[--k->nheld]);
}

/* interop.c: whether o's type has an __array_ufunc__ other than None. */
bool tbpy_overrides_ufuncs(PyObject *o);

/* ndarray_index.c: a tuple of index arrays. */
PyObject *tbpy_nonzero(PyObject *a);
/* a[key] = value for a key that holds arrays. */
int tbpy_assign_places(tb_array *a, int n, const tb_index *key, PyObject *value);
PyObject *tbpy_assign_where(PyObject *dst, PyObject *mask, PyObject *value);
PyObject *tbpy_argwhere(PyObject *a);

/* ---- from_object.c ---------------------------------------------------------------------------------------------- */

typedef enum tbpy_copy_mode { TBPY_COPY_NEVER, TBPY_COPY_IF_NEEDED, TBPY_COPY_ALWAYS } tbpy_copy_mode;

/* `copy=` arguments: true, false, or None (or NULL), which leaves *out as it is. A string is a ValueError, as in
 * NumPy. */
int tbpy_copy_arg(PyObject *o, tbpy_copy_mode *out);

/* array(): any object as an ndarray of dtype t (TB_NODTYPE: its own). order: 'C', 'F', 'A', 'K'. */
PyObject *tbpy_array_from(PyObject *o, tb_dtype t, char order, tbpy_copy_mode copy, bool subok);
/* a as a base-class ndarray of dtype t and order, copied as `copy` says. */
PyObject *tbpy_array_cast(PyObject *a, tb_dtype t, char order, tbpy_copy_mode copy, bool subok);
/* A scalar as dtype t; TypeError for a Python complex that t cannot hold. */
int tbpy_scalar_to(tb_scalar s, tb_dtype t, tb_scalar *out);

extern PyMethodDef tbpy_range_functions[];         /* ranges.c */
extern PyMethodDef tbpy_take_functions[];          /* take.c */
extern PyMethodDef tbpy_select_functions[];        /* select.c */
extern PyMethodDef tbpy_position_functions[];      /* positions.c */
extern PyMethodDef tbpy_host_functions[];          /* host.c */
extern PyMethodDef tbpy_host_argument_functions[]; /* host_arguments.c */
/* Whether no element of an ndarray is infinite or NaN: 1 or 0, or -1 for an error. finite.c */
int tbpy_all_finite(PyObject *o);
/* r (stolen) as an array of like's class, or in `out` if that is not None: take.c. */
PyObject *tbpy_deliver(const char *who, tb_array *r, PyObject *like, PyObject *out);
extern PyMethodDef tbpy_packing_functions[]; /* packing.c */

/* ---- host arrays ---- */

/* A new numpy.ndarray with uninitialised content. order: 'C' or 'F'. */
PyObject *tbpy_host_empty(int ndim, const int64_t *shape, tb_dtype t, char order);
/* Memory of a numpy.ndarray; give back with PyBuffer_Release. strides has room for TB_MAXDIM. */
int tbpy_host_view(PyObject *host, bool writable, Py_buffer *view, int64_t *shape, int64_t *strides);
/* a's numbers into the numpy.ndarray `out`, which has a's shape and dtype. s: NULL for the current stream. */
int tbpy_get_into(tb_array *a, PyObject *out, tb_stream *s, bool blocking);
/* tb_array_get, without the GIL where that may take long. */
tb_status tbpy_read(tb_array *a, void *host, const int64_t *strides, tb_stream *s, bool blocking);

/* ---- foreign memory: interop.c and dlpack.c ---- */

/* 1: *out is an ndarray over the memory that o offers through a device protocol; 0: o offers none; -1: error. */
int tbpy_from_device_protocol(PyObject *o, PyObject **out);
int tbpy_from_dlpack(PyObject *o, PyObject **out);
/* Deleter of wrapped memory: drops a reference to a Python object, from any thread. */
void tbpy_drop_owner(void *owner);
/* Orders the current stream and another library's stream, given by its handle: the first one's work comes first. */
int tbpy_order_streams(PyObject *handle, bool foreign_first);
#endif
