/* dlpack.c - DLPack's capsules in both directions, in the older unversioned form too, for consumers that do not ask for
 * more. What is in them is the library's. */
#include "ndarray.h"

/* DLPack's device types. */
enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 };

static bool on_host(void) { return strcmp(tb_backend_name(), "cpu") == 0; }

/* What cannot be exported or imported is a BufferError. */
static PyObject *refuse(tb_status st)
{
    if (st != TB_ERR_VALUE) return tbpy_raise(st);
    PyErr_SetString(PyExc_BufferError, tb_error_message());
    return NULL;
}

/* ---- export ------------------------------------------------------------------------------------------------------ */

/* Capsules that were renamed are a consumer's. */
static void plain_capsule_gone(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor")) tb_dlpack_delete(PyCapsule_GetPointer(capsule, "dltensor"));
}

static void versioned_capsule_gone(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
        tb_dlpack_delete_versioned(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
}

static PyObject *export_plain(tb_array *a)
{
    struct DLManagedTensor *m = NULL;
    tb_status st;
    TBPY_UNLOCKED(st, tb_to_dlpack(a, &m));
    if (st != TB_OK) return refuse(st);
    PyObject *capsule = PyCapsule_New(m, "dltensor", plain_capsule_gone);
    if (!capsule) tb_dlpack_delete(m);
    return capsule;
}

static PyObject *export_versioned(tb_array *a, bool copied)
{
    struct DLManagedTensorVersioned *m = NULL;
    tb_status st;
    TBPY_UNLOCKED(st, tb_to_dlpack_versioned(a, copied, &m));
    if (st != TB_OK) return refuse(st);
    PyObject *capsule = PyCapsule_New(m, "dltensor_versioned", versioned_capsule_gone);
    if (!capsule) tb_dlpack_delete_versioned(m);
    return capsule;
}

/* Makes the consumer's stream wait for the work on ours. None means the legacy default stream, -1 no waiting. */
static int order_consumer(PyObject *stream)
{
    const bool given = stream && stream != Py_None;
    int overflow = 0;
    const long long handle = given ? PyLong_AsLongLongAndOverflow(stream, &overflow) : 1;
    static const char zero[] =
        "Stream 0 may mean several streams; __dlpack__ takes it for the legacy default stream, 1";
    if (given && handle == 0 && PyErr_WarnEx(PyExc_UserWarning, zero, 1) < 0) return -1;
    if (given && handle == -1 && !overflow) return PyErr_Occurred() ? -1 : 0;
    if (on_host()) return 0;
    if (given) return tbpy_order_streams(stream, false);
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
    PyObject *r = major >= 1 ? export_versioned(copy ? source : a, copy) : export_plain(copy ? source : a);
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

/* Deleters of producers written in Python release objects. */
static void call_deleter(void (*fn)(void *), void *arg)
{
    if (!Py_IsInitialized()) return;
    PyGILState_STATE state = PyGILState_Ensure();
    fn(arg);
    PyGILState_Release(state);
}

/* Whoever is left with the capsule has nothing any more. */
static PyObject *taken(PyObject *capsule, const char *name, tb_status st, tb_array *a)
{
    if (st != TB_OK) return refuse(st);
    PyObject *r = tbpy_wrap(a);
    if (PyCapsule_SetName(capsule, name) < 0 || PyCapsule_SetDestructor(capsule, NULL) < 0) Py_CLEAR(r);
    return r;
}

static PyObject *take_capsule(PyObject *capsule, bool read_only)
{
    static const char plain[] = "dltensor", versioned[] = "dltensor_versioned";
    tb_array *a = NULL;
    if (PyCapsule_IsValid(capsule, versioned)) {
        tb_status st = tb_from_dlpack_versioned(PyCapsule_GetPointer(capsule, versioned), &a);
        return taken(capsule, "used_dltensor_versioned", st, a);
    }
    if (PyCapsule_IsValid(capsule, plain)) {
        tb_status st = tb_from_dlpack(PyCapsule_GetPointer(capsule, plain), read_only, &a);
        return taken(capsule, "used_dltensor", st, a);
    }
    if (!PyCapsule_CheckExact(capsule))
        PyErr_Format(PyExc_TypeError, "from_dlpack: __dlpack__ must return a capsule, not %R", Py_TYPE(capsule));
    else
        PyErr_SetString(PyExc_ValueError,
                        "from_dlpack: the capsule holds no tensor; none can be consumed multiple times");
    return NULL;
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

/* r on the device that was asked for, which is the current one, or else where it is; steals r. */
static PyObject *placed(PyObject *r, PyObject *device, PyObject *copy)
{
    tbpy_copy_mode mode = TBPY_COPY_IF_NEEDED;
    PyObject *moved = NULL;
    int before;
    if (!r || tbpy_use_device("from_dlpack", Py_None, &before) < 0) return Py_XDECREF(r), NULL;
    tb_status st = device && device != Py_None ? TB_OK : tb_device_use(tb_array_device(tbpy_array(r)));
    if (st != TB_OK) tbpy_raise(st);
    else if (tbpy_copy_arg(copy, &mode) == 0) moved = tbpy_array_cast(r, TB_NODTYPE, 'K', mode, true);
    Py_DECREF(r);
    return tbpy_back_on(before, moved);
}

TBPY_ON_DEVICE(from_dlpack)
{
    static const char *const names[] = {"array", "device", "copy", NULL};
    PyObject *v[3], *r;
    (void)module;
    if (tbpy_parse("from_dlpack", names, 1, 1, args, nargs, kwnames, v) < 0) return NULL;
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
    return placed(r, v[1], v[2]);
}

static PyObject *to_dlpack(PyObject *self, PyObject *unused)
{
    (void)unused;
    return export_plain(tbpy_array(self));
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
         "Args:\n    device: The device that it is to be on; where the memory is if None.\n"
         "    copy: True: always copy; False: never; None: only where the memory is on another device.\n\n"
         "Raises:\n    BufferError: The memory is out of reach, or described in a way that makes no sense.\n"
         "    ValueError: The capsule was used before, or ``copy`` is False and a copy is needed."},
        {NULL, NULL, 0, NULL},
    };
    tb_dlpack_deleter_function(call_deleter);
    return PyModule_AddFunctions(m, functions);
}
