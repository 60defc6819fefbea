/* dlpack.c - DLPack in both directions. Capsules are made in the older unversioned form too, for consumers that do not
 * ask for more. */
#include "ndarray.h"

#include "dl_tensor.h"

/* ---- export ------------------------------------------------------------------------------------------------------ */

typedef struct exported {
    union {
        dl_managed plain;
        dl_versioned versioned;
    } u;
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

/* DLPack counts strides in elements, and only the newer form can say that memory is for reading. */
static int check_exportable(const tb_array *a, bool versioned)
{
    const int64_t size = (int64_t)tb_dtype_size(tb_array_dtype(a));
    const char *why = NULL;
    for (int i = 0; i < tb_array_ndim(a); i++)
        if (tb_array_strides(a)[i] % size != 0) why = "its strides are not multiples of the item's size";
    if (!versioned && !tb_array_is_writable(a)) why = "it is read-only, which only max_version=(1, 0) can tell";
    if (why) PyErr_Format(PyExc_BufferError, "__dlpack__: the array cannot be exported: %s", why);
    return why ? -1 : 0;
}

static PyObject *export(tb_array *a, bool versioned, bool copied)
{
    tb_status st;
    void *data = NULL;
    if (check_exportable(a, versioned) < 0) return NULL;
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
        m->flags = (copied ? DL_COPIED : 0) | (tb_array_is_writable(a) ? 0 : DL_READ_ONLY);
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

static int pair_of(PyObject *o, const char *name, int *first, int *second)
{
    if (PyTuple_Check(o) && PyTuple_GET_SIZE(o) == 2) return PyArg_ParseTuple(o, "ii", first, second) ? 0 : -1;
    PyErr_Format(PyExc_TypeError, "%s must be a pair of integers, not %R", name, o);
    return -1;
}

/* 1: dl_device asks for host memory while the array is elsewhere; 0: for where the array is; -1: for another place. */
static int asks_for_host(PyObject *dl_device, const tb_array *a)
{
    int type, id;
    if (!dl_device || dl_device == Py_None) return 0;
    if (pair_of(dl_device, "dl_device", &type, &id) < 0) return -1;
    if (on_host() ? type == DL_CPU && id == 0 : type == DL_CUDA && id == tb_array_device(a)) return 0;
    if (type == DL_CPU && id == 0) return 1;
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
    if (v[1] && v[1] != Py_None && pair_of(v[1], "max_version", &major, &(int){0}) < 0) return NULL;
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

/* Whether this backend can reach the memory. */
static bool reachable(int type)
{
    if (on_host()) return type == DL_CPU || type == DL_CUDA_HOST;
    return type == DL_CUDA || type == DL_CUDA_MANAGED;
}

/* An array over x's memory, which `owner` keeps alive. What the tensor says of itself is somebody else's word. */
static PyObject *wrap_tensor(const dl_tensor *x, PyObject *owner, bool read_only)
{
    tbpy_memory m;
    tb_array *a;
    int ndevice = 0;
    if (!reachable(x->device.type)) {
        PyErr_Format(PyExc_BufferError, "from_dlpack: memory of device type %d is out of reach of the '%s' backend",
                     (int)x->device.type, tb_backend_name());
        return NULL;
    }
    TBPY_TRY(tb_device_count(&ndevice));
    if (!on_host() && (x->device.id < 0 || x->device.id >= ndevice)) {
        PyErr_Format(PyExc_BufferError, "from_dlpack: there is no device %d", (int)x->device.id);
        return NULL;
    }
    const char *wrong = tbpy_dl_read(x, &m);
    if (wrong) {
        PyErr_Format(PyExc_BufferError, "from_dlpack: %s: type code %d, %d bits, %d lanes, %d dimensions", wrong,
                     x->dtype.code, x->dtype.bits, x->dtype.lanes, (int)x->ndim);
        return NULL;
    }
    m.read_only = read_only;
    if (tbpy_wrap_memory(&m, on_host() ? 0 : x->device.id, owner, &a) < 0) return NULL;
    return tbpy_wrap(a);
}

/* ---- capsules ---------------------------------------------------------------------------------------------------- */

static const char owner_name[] = "tombac.dlpack";

static void plain_gone(PyObject *owner)
{
    dl_managed *m = PyCapsule_GetPointer(owner, owner_name);
    if (m && m->deleter) m->deleter(m);
}

static void versioned_gone(PyObject *owner)
{
    dl_versioned *m = PyCapsule_GetPointer(owner, owner_name);
    if (m && m->deleter) m->deleter(m);
}

/* An array over the tensor, which calls the producer's deleter when its memory is used no more. */
static PyObject *wrap_managed(void *managed, const dl_tensor *x, PyCapsule_Destructor gone, bool read_only)
{
    PyObject *owner = PyCapsule_New(managed, owner_name, gone), *r = NULL;
    if (!owner) return NULL;
    r = wrap_tensor(x, owner, read_only);
    if (!r) PyCapsule_SetDestructor(owner, NULL); /* the producer's capsule still has it */
    Py_DECREF(owner);
    return r;
}

/* Whoever is left with the capsule has nothing any more. */
static PyObject *mark_used(PyObject *capsule, const char *name, PyObject *r)
{
    if (r && (PyCapsule_SetName(capsule, name) < 0 || PyCapsule_SetDestructor(capsule, NULL) < 0)) Py_CLEAR(r);
    return r;
}

/* A capsule of our own: the array in it keeps its place among pending work. */
static PyObject *take_own(exported *e)
{
    PyObject *r = tbpy_wrap(tb_array_retain(e->array));
    if (r) free_exported(e);
    return r;
}

static PyObject *take_versioned(PyObject *capsule)
{
    dl_versioned *m = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (m->version.major > 1) {
        PyErr_Format(PyExc_BufferError, "from_dlpack: DLPack version %u is not supported", m->version.major);
        return NULL;
    }
    PyObject *r = m->deleter == delete_versioned ? take_own(m->context)
                                                 : wrap_managed(m, &m->tensor, versioned_gone, m->flags & DL_READ_ONLY);
    return mark_used(capsule, "used_dltensor_versioned", r);
}

static PyObject *take_capsule(PyObject *capsule, bool read_only)
{
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) return take_versioned(capsule);
    if (!PyCapsule_IsValid(capsule, "dltensor")) {
        if (!PyCapsule_CheckExact(capsule))
            PyErr_Format(PyExc_TypeError, "from_dlpack: __dlpack__ must return a capsule, not %R", Py_TYPE(capsule));
        else PyErr_SetString(PyExc_ValueError, "from_dlpack: the capsule holds no tensor, or was used before");
        return NULL;
    }
    dl_managed *m = PyCapsule_GetPointer(capsule, "dltensor");
    PyObject *r =
        m->deleter == delete_plain ? take_own(m->context) : wrap_managed(m, &m->tensor, plain_gone, read_only);
    return mark_used(capsule, "used_dltensor", r);
}

/* o.__dlpack__(...) with the arguments it understands; *knows: it takes max_version. */
static PyObject *ask_for_capsule(PyObject *o, bool *knows)
{
    PyObject *method = PyObject_GetAttrString(o, "__dlpack__"), *none = PyTuple_New(0), *kwargs = NULL, *r = NULL;
    tb_stream *s;
    *knows = true;
    if (method && none && tb_stream_current(&s) == TB_OK) {
        unsigned long long handle = tb_stream_handle(s) ? tb_stream_handle(s) : 1;
        kwargs = on_host() ? Py_BuildValue("{s(ii)}", "max_version", 1, 0)
                           : Py_BuildValue("{sKs(ii)}", "stream", handle, "max_version", 1, 0);
    }
    if (kwargs) r = PyObject_Call(method, none, kwargs);
    if (!r && kwargs && PyErr_ExceptionMatches(PyExc_TypeError)) { /* from before max_version */
        PyErr_Clear();
        *knows = false;
        if (PyDict_DelItemString(kwargs, "max_version") == 0) r = PyObject_Call(method, none, kwargs);
    }
    Py_XDECREF(kwargs);
    Py_XDECREF(none);
    Py_XDECREF(method);
    return r;
}

/* Who is asked for the newer form and gives the older one cannot say that the memory is for reading, so that is taken
 * to be so, as in NumPy: JAX's arrays never change. Producers from before there was anything to ask for refused to
 * export such memory, and PyTorch's tensors among them are meant to be written. */
int tbpy_from_dlpack(PyObject *o, PyObject **out)
{
    int type, id;
    bool knows;
    TBPY_TRY_INT(tb_init());
    PyObject *where = PyObject_CallMethod(o, "__dlpack_device__", NULL);
    if (!where) return -1;
    const int parsed = pair_of(where, "__dlpack_device__'s result", &type, &id);
    Py_DECREF(where);
    if (parsed < 0) return -1;
    if (!reachable(type)) return 0;
    PyObject *capsule = ask_for_capsule(o, &knows);
    *out = capsule ? take_capsule(capsule, knows) : NULL;
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
        r = take_capsule(v[0], false); /* whoever hands over a capsule knows what is in it */
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
    {"__dlpack__", FAST(dlpack),
     "__dlpack__(stream=None, *, max_version=None, dl_device=None, copy=None)\n--\n\n"
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
         "An ndarray that shares the memory of an object with __dlpack__, or of a DLPack capsule.\n\n"
         "It is read-only (`flags.writeable`) where the producer says so, or where it was asked for a capsule that can "
         "say so and gave one that cannot, as JAX does.\n\n"
         "Raises:\n    BufferError: The memory is out of reach, or described in a way that makes no sense.\n"
         "    ValueError: The capsule was used before."},
        {NULL, NULL, 0, NULL},
    };
    return PyModule_AddFunctions(m, functions);
}
