/* dlpack.c - DLPack in both directions. The structures are those of the standard's C header, version 1.0; capsules are
 * made in the older unversioned form too, for consumers that do not ask for more. */
#include "ndarray.h"

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 };
enum { DL_INT, DL_UINT, DL_FLOAT, DL_COMPLEX = 5, DL_BOOL = 6 };
enum { DL_READ_ONLY = 1, DL_COPIED = 2 };

typedef struct dl_tensor {
    void *data;
    struct { int32_t type, id; } device;
    int32_t ndim;
    struct { uint8_t code, bits; uint16_t lanes; } dtype;
    int64_t *shape, *strides; /* in elements; strides NULL: C order */
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor tensor;
    void *context;
    void (*deleter)(struct dl_managed *);
} dl_managed;

typedef struct dl_versioned {
    struct { uint32_t major, minor; } version;
    void *context;
    void (*deleter)(struct dl_versioned *);
    uint64_t flags;
    dl_tensor tensor;
} dl_versioned;

/* ---- export ------------------------------------------------------------------------------------------------------ */

typedef struct exported {
    union { dl_managed plain; dl_versioned versioned; } u;
    tb_array *array;
    int64_t dims[2 * TB_MAXDIM];
} exported;

static void free_exported(exported *e)
{
    tb_array_unshare(e->array);
    tb_array_release(e->array);
    free(e);
}

static void delete_plain(dl_managed *m) { free_exported(m->context); }
static void delete_versioned(dl_versioned *m) { free_exported(m->context); }

static void plain_capsule_gone(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, "dltensor")) return; /* renamed: a consumer owns it now */
    dl_managed *m = PyCapsule_GetPointer(capsule, "dltensor");
    if (m && m->deleter) m->deleter(m);
}

static void versioned_capsule_gone(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, "dltensor_versioned")) return;
    dl_versioned *m = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (m && m->deleter) m->deleter(m);
}

static bool on_host(void) { return strcmp(tb_backend_name(), "cpu") == 0; }

static void describe(exported *e, dl_tensor *x, void *data)
{
    const tb_array *a = e->array;
    tb_dtype t = tb_array_dtype(a);
    int64_t size = (int64_t)tb_dtype_size(t);
    x->data = data;
    x->device.type = on_host() ? DL_CPU : DL_CUDA;
    x->device.id = on_host() ? 0 : tb_array_device(a);
    x->ndim = tb_array_ndim(a);
    x->dtype.bits = (uint8_t)(8 * size);
    x->dtype.lanes = 1;
    switch (tb_dtype_kind(t)) {
    case TB_KIND_BOOL: x->dtype.code = DL_BOOL; break;
    case TB_KIND_INT: x->dtype.code = tb_dtype_is_unsigned(t) ? DL_UINT : DL_INT; break;
    case TB_KIND_FLOAT: x->dtype.code = DL_FLOAT; break;
    default: x->dtype.code = DL_COMPLEX; break;
    }
    x->shape = e->dims;
    x->strides = e->dims + x->ndim;
    for (int i = 0; i < x->ndim; i++) {
        x->shape[i] = tb_array_shape(a)[i];
        x->strides[i] = tb_array_strides(a)[i] / size;
    }
    x->byte_offset = 0;
}

static PyObject *export(tb_array *a, bool versioned, bool copied)
{
    tb_status st;
    void *data = NULL;
    TBPY_UNLOCKED(st, tb_array_share(a, &data));
    if (st != TB_OK) return tbpy_raise(st);
    exported *e = calloc(1, sizeof *e);
    if (!e) {
        tb_array_unshare(a);
        return PyErr_NoMemory();
    }
    e->array = tb_array_retain(a);
    PyObject *capsule;
    if (versioned) {
        dl_versioned *m = &e->u.versioned;
        describe(e, &m->tensor, data);
        m->version.major = 1;
        m->context = e;
        m->deleter = delete_versioned;
        m->flags = copied ? DL_COPIED : 0;
        capsule = PyCapsule_New(m, "dltensor_versioned", versioned_capsule_gone);
    } else {
        dl_managed *m = &e->u.plain;
        describe(e, &m->tensor, data);
        m->context = e;
        m->deleter = delete_plain;
        capsule = PyCapsule_New(m, "dltensor", plain_capsule_gone);
    }
    if (!capsule) free_exported(e);
    return capsule;
}

/* Makes the consumer's stream wait for the work on ours. None means the legacy default stream, -1 no waiting. */
static int order_consumer(PyObject *stream)
{
    if (on_host()) return 0;
    if (stream && stream != Py_None) {
        int overflow;
        long long handle = PyLong_AsLongLongAndOverflow(stream, &overflow);
        if (handle == -1 && !overflow) return PyErr_Occurred() ? -1 : 0;
        return tbpy_order_streams(stream, false);
    }
    PyObject *legacy = PyLong_FromLong(1);
    int r = legacy ? tbpy_order_streams(legacy, false) : -1;
    Py_XDECREF(legacy);
    return r;
}

/* 1: dl_device asks for host memory while the array is elsewhere; 0: for where the array is; -1: for another place. */
static int asks_for_host(PyObject *dl_device, const tb_array *a)
{
    int type, id;
    if (!dl_device || dl_device == Py_None) return 0;
    if (!PyArg_ParseTuple(dl_device, "ii;dl_device must be a pair of integers", &type, &id)) return -1;
    if (on_host() ? type == DL_CPU : type == DL_CUDA && id == tb_array_device(a)) return 0;
    if (type == DL_CPU) return 1;
    PyErr_Format(PyExc_BufferError, "__dlpack__: the array cannot be exported to device (%d, %d)", type, id);
    return -1;
}

static PyObject *dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *v[4];
    tb_array *a = tbpy_array(self), *source = NULL;
    int major = 0;
    bool copy = false;
    if (tbpy_parse("__dlpack__", names, 0, 1, args, nargs, kwnames, v) < 0) return NULL;
    if (v[1] && v[1] != Py_None &&
        !PyArg_ParseTuple(v[1], "ii;max_version must be a pair of integers", &major, &(int){0}))
        return NULL;
    int to_host = asks_for_host(v[2], a);
    if (to_host < 0 || tbpy_bool_arg(v[3], &copy) < 0) return NULL;
    if (to_host) {
        if (v[3] == Py_False) {
            PyErr_SetString(PyExc_BufferError, "__dlpack__: device memory cannot go to the host without a copy");
            return NULL;
        }
        PyObject *host = tbpy_get(self, 'A');
        PyObject *r = host ? PyObject_CallMethod(host, "__dlpack__", NULL) : NULL;
        Py_XDECREF(host);
        return r;
    }
    if (copy) TBPY_TRY(tb_copy(a, 'K', &source));
    PyObject *r = export(copy ? source : a, major >= 1, copy);
    tb_array_release(source);
    if (r && order_consumer(v[0]) < 0) Py_CLEAR(r);
    return r;
}

static PyObject *dlpack_device(PyObject *self, PyObject *unused)
{
    (void)unused;
    TBPY_TRY(tb_init());
    return on_host() ? Py_BuildValue("(ii)", DL_CPU, 0)
                     : Py_BuildValue("(ii)", DL_CUDA, tb_array_device(tbpy_array(self)));
}

/* ---- import ------------------------------------------------------------------------------------------------------ */

static tb_dtype dtype_of(const dl_tensor *x)
{
    static const struct { uint8_t code, bits; tb_dtype t; } table[] = {
        {DL_BOOL, 8, TB_BOOL},   {DL_INT, 8, TB_I8},      {DL_INT, 16, TB_I16},      {DL_INT, 32, TB_I32},
        {DL_INT, 64, TB_I64},    {DL_UINT, 8, TB_U8},     {DL_UINT, 16, TB_U16},     {DL_UINT, 32, TB_U32},
        {DL_UINT, 64, TB_U64},   {DL_FLOAT, 16, TB_F16},  {DL_FLOAT, 32, TB_F32},    {DL_FLOAT, 64, TB_F64},
        {DL_COMPLEX, 64, TB_C64}, {DL_COMPLEX, 128, TB_C128},
    };
    for (size_t i = 0; x->dtype.lanes == 1 && i < sizeof table / sizeof *table; i++)
        if (table[i].code == x->dtype.code && table[i].bits == x->dtype.bits) return table[i].t;
    return TB_NODTYPE;
}

/* Whether this backend can reach the memory. */
static bool reachable(int type)
{
    if (on_host()) return type == DL_CPU || type == DL_CUDA_HOST;
    return type == DL_CUDA || type == DL_CUDA_MANAGED;
}

/* An array over x's memory, which `owner` keeps alive. */
static PyObject *wrap_tensor(const dl_tensor *x, PyObject *owner)
{
    tb_dtype t = dtype_of(x);
    int64_t strides[TB_MAXDIM], size, lo = 0, hi;
    if (!reachable(x->device.type)) {
        PyErr_Format(PyExc_BufferError, "from_dlpack: memory of device type %d is out of reach of the '%s' backend",
                     (int)x->device.type, tb_backend_name());
        return NULL;
    }
    if (t == TB_NODTYPE || x->ndim > TB_MAXDIM) {
        PyErr_Format(PyExc_BufferError, "from_dlpack: type code %d, %d bits, %d lanes, %d dimensions is not supported",
                     x->dtype.code, x->dtype.bits, x->dtype.lanes, (int)x->ndim);
        return NULL;
    }
    hi = size = (int64_t)tb_dtype_size(t);
    bool empty = false;
    for (int64_t i = x->ndim - 1, step = size; i >= 0; i--) {
        strides[i] = x->strides ? x->strides[i] * size : step;
        step *= x->shape[i];
        empty |= x->shape[i] == 0;
        int64_t reach = (x->shape[i] - 1) * strides[i];
        if (reach < 0) lo += reach;
        else hi += reach;
    }
    if (empty) lo = hi = 0;
    tb_array *a;
    char *first = (char *)x->data + x->byte_offset;
    if (tbpy_wrap_memory(first, lo, hi, on_host() ? 0 : x->device.id, owner, t, x->ndim, x->shape, strides, &a) < 0)
        return NULL;
    return tbpy_wrap(a);
}

static void consumed_plain_gone(PyObject *capsule)
{
    dl_managed *m = PyCapsule_GetPointer(capsule, "used_dltensor");
    if (m && m->deleter) m->deleter(m);
}

static void consumed_versioned_gone(PyObject *capsule)
{
    dl_versioned *m = PyCapsule_GetPointer(capsule, "used_dltensor_versioned");
    if (m && m->deleter) m->deleter(m);
}

/* A capsule of our own: the array in it keeps its place among pending work. */
static PyObject *shared_with_us(const exported *e) { return tbpy_wrap(tb_array_retain(e->array)); }

/* The capsule itself becomes the owner of the memory: renamed, with a destructor that calls the producer's deleter. */
static PyObject *take_capsule(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        dl_versioned *m = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        if (m->version.major > 1) {
            PyErr_Format(PyExc_BufferError, "from_dlpack: DLPack version %u is not supported", m->version.major);
            return NULL;
        }
        if (m->deleter == delete_versioned) return shared_with_us(m->context);
        PyObject *r = wrap_tensor(&m->tensor, capsule);
        if (!r) return NULL;
        PyCapsule_SetName(capsule, "used_dltensor_versioned");
        PyCapsule_SetDestructor(capsule, consumed_versioned_gone);
        if (!(m->flags & DL_READ_ONLY)) return r;
        PyObject *copy = PyObject_CallMethod(r, "copy", NULL);
        Py_DECREF(r);
        return copy;
    }
    dl_managed *m = PyCapsule_GetPointer(capsule, "dltensor");
    if (!m) return NULL;
    if (m->deleter == delete_plain) return shared_with_us(m->context);
    PyObject *r = wrap_tensor(&m->tensor, capsule);
    if (!r) return NULL;
    PyCapsule_SetName(capsule, "used_dltensor");
    PyCapsule_SetDestructor(capsule, consumed_plain_gone);
    return r;
}

/* o.__dlpack__(...) with the arguments it understands. */
static PyObject *ask_for_capsule(PyObject *o)
{
    PyObject *method = PyObject_GetAttrString(o, "__dlpack__"), *none = PyTuple_New(0), *kwargs = NULL, *r = NULL;
    tb_stream *s;
    if (method && none && tb_stream_current(&s) == TB_OK) {
        unsigned long long handle = tb_stream_handle(s) ? tb_stream_handle(s) : 1;
        kwargs = on_host() ? Py_BuildValue("{s(ii)}", "max_version", 1, 0)
                           : Py_BuildValue("{sKs(ii)}", "stream", handle, "max_version", 1, 0);
    }
    if (kwargs) r = PyObject_Call(method, none, kwargs);
    if (!r && kwargs && PyErr_ExceptionMatches(PyExc_TypeError)) { /* from before max_version */
        PyErr_Clear();
        if (PyDict_DelItemString(kwargs, "max_version") == 0) r = PyObject_Call(method, none, kwargs);
    }
    Py_XDECREF(kwargs);
    Py_XDECREF(none);
    Py_XDECREF(method);
    return r;
}

int tbpy_from_dlpack(PyObject *o, PyObject **out)
{
    int type, id;
    TBPY_TRY_INT(tb_init());
    PyObject *where = PyObject_CallMethod(o, "__dlpack_device__", NULL);
    if (!where) return -1;
    int parsed = PyArg_ParseTuple(where, "ii;__dlpack_device__ must return a pair of integers", &type, &id);
    Py_DECREF(where);
    if (!parsed) return -1;
    if (!reachable(type)) return 0;
    PyObject *capsule = ask_for_capsule(o);
    *out = capsule ? take_capsule(capsule) : NULL;
    Py_XDECREF(capsule);
    return *out ? 1 : -1;
}

static PyObject *from_dlpack(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"array", "device", "copy", NULL};
    PyObject *v[3], *r;
    bool copy = false;
    (void)module;
    if (tbpy_parse("from_dlpack", names, 1, 1, args, nargs, kwnames, v) < 0 || tbpy_bool_arg(v[2], &copy) < 0)
        return NULL;
    TBPY_TRY(tb_init());
    if (PyCapsule_CheckExact(v[0])) {
        r = take_capsule(v[0]);
    } else {
        int found = tbpy_from_dlpack(v[0], &r);
        if (found < 0) return NULL;
        if (!found) {
            PyErr_SetString(PyExc_TypeError, "from_dlpack: the memory is not on a device of this backend. Use "
                                             "tombac.array(numpy.from_dlpack(x)) for host arrays.");
            return NULL;
        }
    }
    if (!r || !copy) return r;
    PyObject *c = PyObject_CallMethod(r, "copy", NULL);
    Py_DECREF(r);
    return c;
}

static PyObject *to_dlpack(PyObject *self, PyObject *unused)
{
    (void)unused;
    return export(tbpy_array(self), false, false);
}

#define FAST(f) (PyCFunction)(void (*)(void))f, METH_FASTCALL | METH_KEYWORDS

PyMethodDef tbpy_dlpack_methods[] = {
    {"__dlpack__", FAST(dlpack), "__dlpack__(stream=None, *, max_version=None, dl_device=None, copy=None)\n--\n\n"
                                 "A DLPack capsule over the array's memory."},
    {"__dlpack_device__", dlpack_device, METH_NOARGS, "__dlpack_device__()\n--\n\n(device type, device number)"},
    {"toDlpack", to_dlpack, METH_NOARGS, "toDlpack()\n--\n\nAn unversioned DLPack capsule over the array's memory."},
    {NULL, NULL, 0, NULL},
};

int tbpy_add_interop(PyObject *m)
{
    static PyMethodDef functions[] = {
        {"from_dlpack", FAST(from_dlpack),
         "from_dlpack(array, /, *, device=None, copy=None)\n--\n\n"
         "An ndarray that shares the memory of an object with __dlpack__, or of a DLPack capsule."},
        {NULL, NULL, 0, NULL},
    };
    return PyModule_AddFunctions(m, functions);
}
