/* device.c - tombac.cuda.Device: a device's number, with what can be asked of it.
 *
 * The CPU backend's devices are Devices too, with the same repr, so that programs and doctests read alike. */
#include "cuda.h"

#include <limits.h>

typedef struct TbDevice {
    PyObject_HEAD
    int id;
} TbDevice;

static PyTypeObject *device_type;

static int id_of(PyObject *self) { return ((TbDevice *)self)->id; }

int tbpy_device_arg(PyObject *o, int *out)
{
    if (o == NULL || o == Py_None) {
        TBPY_TRY_INT(tb_device_current(out));
        return 0;
    }
    if (Py_IS_TYPE(o, device_type)) {
        *out = id_of(o);
        return 0;
    }
    int64_t v = 0;
    if (tbpy_int_arg(o, &v) < 0) return -1;
    if (v < INT_MIN || v > INT_MAX) {
        PyErr_Format(PyExc_ValueError, "device: %lld is not a device number", (long long)v);
        return -1;
    }
    *out = (int)v;
    return 0;
}

int tbpy_use_device(const char *who, PyObject *o, int *before)
{
    int there;
    if (o != Py_None && !Py_IS_TYPE(o, device_type) && !PyIndex_Check(o)) {
        PyErr_Format(PyExc_ValueError, "%s: device must be a tombac.cuda.Device or its number, not %R", who, o);
        return -1;
    }
    if (tbpy_device_arg(o, &there) < 0) return -1;
    TBPY_TRY_INT(tb_device_current(before));
    TBPY_TRY_INT(tb_device_use(there));
    return 0;
}

PyObject *tbpy_back_on(int before, PyObject *r)
{
    tb_status st = tb_device_use(before);
    if (st == TB_OK || !r) return r;
    Py_DECREF(r);
    return tbpy_raise(st);
}

PyObject *tbpy_on_device(const char *who, tbpy_function f, PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                         PyObject *kwnames)
{
    PyObject *wanted = NULL;
    Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    for (Py_ssize_t k = 0; k < nkw && !wanted; k++)
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, k), "device") == 0) wanted = args[nargs + k];
    if (!wanted || wanted == Py_None) return f(module, args, nargs, kwnames);
    int before;
    if (tbpy_use_device(who, wanted, &before) < 0) return NULL;
    return tbpy_back_on(before, f(module, args, nargs, kwnames));
}

static PyObject *device_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"device", NULL};
    PyObject *o = NULL;
    int id;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|O:Device", names, &o) || tbpy_device_arg(o, &id) < 0) return NULL;
    TbDevice *self = (TbDevice *)type->tp_alloc(type, 0);
    if (self) self->id = id;
    return (PyObject *)self;
}

static void device_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

/* ---- the current device ------------------------------------------------------------------------------------------ */

/* Devices that were current when `with` blocks of this thread were entered. Freed when the last block is left. */
static _Thread_local struct {
    int *ids;
    int n, cap;
} entered;

static PyObject *device_use(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    TBPY_TRY(tb_device_use(id_of(self)));
    Py_RETURN_NONE;
}

static PyObject *device_enter(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    int before;
    TBPY_TRY(tb_device_current(&before));
    if (entered.n == entered.cap) {
        int cap = entered.cap ? 2 * entered.cap : 8;
        int *ids = PyMem_RawRealloc(entered.ids, (size_t)cap * sizeof *ids);
        if (ids == NULL) return PyErr_NoMemory();
        entered.ids = ids;
        entered.cap = cap;
    }
    TBPY_TRY(tb_device_use(id_of(self)));
    entered.ids[entered.n++] = before;
    return Py_NewRef(self);
}

static PyObject *device_exit(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    if (entered.n == 0) {
        PyErr_SetString(PyExc_RuntimeError, "Device.__exit__: this thread has not entered a device");
        return NULL;
    }
    int before = entered.ids[--entered.n];
    if (entered.n == 0) {
        PyMem_RawFree(entered.ids);
        memset(&entered, 0, sizeof entered);
    }
    TBPY_TRY(tb_device_use(before));
    Py_RETURN_NONE;
}

static PyObject *device_synchronize(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    tb_status st;
    TBPY_UNLOCKED(st, tb_device_synchronize(id_of(self)));
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

/* ---- what a device is -------------------------------------------------------------------------------------------- */

/* Names as in CUDA's cudaDevAttr list, with their numbers. */
/* clang-format off */
static const struct {
    const char *name;
    int number;
} attributes[] = {
    {"MaxThreadsPerBlock", 1}, {"MaxBlockDimX", 2}, {"MaxBlockDimY", 3}, {"MaxBlockDimZ", 4}, {"MaxGridDimX", 5},
    {"MaxGridDimY", 6}, {"MaxGridDimZ", 7}, {"MaxSharedMemoryPerBlock", 8}, {"TotalConstantMemory", 9},
    {"WarpSize", 10}, {"MaxPitch", 11}, {"MaxRegistersPerBlock", 12}, {"ClockRate", 13}, {"TextureAlignment", 14},
    {"GpuOverlap", 15}, {"MultiProcessorCount", 16}, {"KernelExecTimeout", 17}, {"Integrated", 18},
    {"CanMapHostMemory", 19}, {"ComputeMode", 20}, {"MaxTexture1DWidth", 21}, {"MaxTexture2DWidth", 22},
    {"MaxTexture2DHeight", 23}, {"MaxTexture3DWidth", 24}, {"MaxTexture3DHeight", 25}, {"MaxTexture3DDepth", 26},
    {"MaxTexture2DLayeredWidth", 27}, {"MaxTexture2DLayeredHeight", 28}, {"MaxTexture2DLayeredLayers", 29},
    {"SurfaceAlignment", 30}, {"ConcurrentKernels", 31}, {"EccEnabled", 32}, {"PciBusId", 33}, {"PciDeviceId", 34},
    {"TccDriver", 35}, {"MemoryClockRate", 36}, {"GlobalMemoryBusWidth", 37}, {"L2CacheSize", 38},
    {"MaxThreadsPerMultiProcessor", 39}, {"AsyncEngineCount", 40}, {"UnifiedAddressing", 41},
    {"MaxTexture1DLayeredWidth", 42}, {"MaxTexture1DLayeredLayers", 43}, {"MaxTexture2DGatherWidth", 45},
    {"MaxTexture2DGatherHeight", 46}, {"MaxTexture3DWidthAlt", 47}, {"MaxTexture3DHeightAlt", 48},
    {"MaxTexture3DDepthAlt", 49}, {"PciDomainId", 50}, {"TexturePitchAlignment", 51}, {"MaxTextureCubemapWidth", 52},
    {"MaxTextureCubemapLayeredWidth", 53}, {"MaxTextureCubemapLayeredLayers", 54}, {"MaxSurface1DWidth", 55},
    {"MaxSurface2DWidth", 56}, {"MaxSurface2DHeight", 57}, {"MaxSurface3DWidth", 58}, {"MaxSurface3DHeight", 59},
    {"MaxSurface3DDepth", 60}, {"MaxSurface1DLayeredWidth", 61}, {"MaxSurface1DLayeredLayers", 62},
    {"MaxSurface2DLayeredWidth", 63}, {"MaxSurface2DLayeredHeight", 64}, {"MaxSurface2DLayeredLayers", 65},
    {"MaxSurfaceCubemapWidth", 66}, {"MaxSurfaceCubemapLayeredWidth", 67}, {"MaxSurfaceCubemapLayeredLayers", 68},
    {"MaxTexture1DLinearWidth", 69}, {"MaxTexture2DLinearWidth", 70}, {"MaxTexture2DLinearHeight", 71},
    {"MaxTexture2DLinearPitch", 72}, {"MaxTexture2DMipmappedWidth", 73}, {"MaxTexture2DMipmappedHeight", 74},
    {"ComputeCapabilityMajor", 75}, {"ComputeCapabilityMinor", 76}, {"MaxTexture1DMipmappedWidth", 77},
    {"StreamPrioritiesSupported", 78}, {"GlobalL1CacheSupported", 79}, {"LocalL1CacheSupported", 80},
    {"MaxSharedMemoryPerMultiprocessor", 81}, {"MaxRegistersPerMultiprocessor", 82}, {"ManagedMemory", 83},
    {"IsMultiGpuBoard", 84}, {"MultiGpuBoardGroupID", 85}, {"HostNativeAtomicSupported", 86},
    {"SingleToDoublePrecisionPerfRatio", 87}, {"PageableMemoryAccess", 88}, {"ConcurrentManagedAccess", 89},
    {"ComputePreemptionSupported", 90}, {"CanUseHostPointerForRegisteredMem", 91}, {"Reserved92", 92},
    {"Reserved93", 93}, {"Reserved94", 94}, {"CooperativeLaunch", 95}, {"CooperativeMultiDeviceLaunch", 96},
    {"MaxSharedMemoryPerBlockOptin", 97}, {"CanFlushRemoteWrites", 98}, {"HostRegisterSupported", 99},
    {"PageableMemoryAccessUsesHostPageTables", 100}, {"DirectManagedMemAccessFromHost", 101},
    {"MaxBlocksPerMultiprocessor", 106}, {"ReservedSharedMemoryPerBlock", 111}, {"SparseCudaArraySupported", 112},
    {"HostRegisterReadOnlySupported", 113}, {"MaxTimelineSemaphoreInteropSupported", 114},
    {"MemoryPoolsSupported", 115}, {"GPUDirectRDMASupported", 116}, {"GPUDirectRDMAFlushWritesOptions", 117},
    {"GPUDirectRDMAWritesOrdering", 118}, {"MemoryPoolSupportedHandleTypes", 119},
};
/* clang-format on */

static PyObject *get_attributes(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *d = PyDict_New();
    if (d == NULL) return NULL;
    /* So that a bad device is an error, and an attribute that a device lacks is left out. */
    int major, minor;
    tb_status st = tb_device_capability(id_of(self), &major, &minor);
    for (size_t i = 0; st == TB_OK && i < sizeof attributes / sizeof *attributes; i++) {
        int value;
        if (tb_device_attribute(id_of(self), attributes[i].number, &value) != TB_OK) continue;
        PyObject *v = PyLong_FromLong(value);
        int status = v ? PyDict_SetItemString(d, attributes[i].name, v) : -1;
        Py_XDECREF(v);
        if (status == 0) continue;
        Py_DECREF(d);
        return NULL;
    }
    if (st == TB_OK) return d;
    Py_DECREF(d);
    return tbpy_raise(st);
}

static PyObject *get_id(PyObject *self, void *Py_UNUSED(closure)) { return PyLong_FromLong(id_of(self)); }

static PyObject *get_capability(PyObject *self, void *Py_UNUSED(closure))
{
    int major, minor;
    TBPY_TRY(tb_device_capability(id_of(self), &major, &minor));
    return PyUnicode_FromFormat("%d%d", major, minor);
}

static PyObject *get_mem_info(PyObject *self, void *Py_UNUSED(closure))
{
    size_t available, total;
    TBPY_TRY(tb_device_memory(id_of(self), &available, &total));
    return Py_BuildValue("nn", (Py_ssize_t)available, (Py_ssize_t)total);
}

static PyObject *get_name(PyObject *self, void *Py_UNUSED(closure))
{
    char name[256];
    TBPY_TRY(tb_device_name(id_of(self), name, sizeof name));
    return PyUnicode_FromString(name);
}

static PyObject *get_pci_bus_id(PyObject *self, void *Py_UNUSED(closure))
{
    char text[32];
    const int64_t in[3] = {id_of(self), (int64_t)(intptr_t)text, sizeof text};
    TBPY_TRY(tb_runtime_call(TB_RT_deviceGetPCIBusId, in, NULL));
    return PyUnicode_FromString(text);
}

/* For programs that call NVIDIA's libraries themselves. */
static PyObject *library_handle(PyObject *self, void *kind)
{
    static PyObject *handle_of;
    if (!tbpy_package(&handle_of, "handle_of")) return NULL;
    return PyObject_CallFunction(handle_of, "si", (const char *)kind, id_of(self));
}

static PyObject *device_repr(PyObject *self) { return PyUnicode_FromFormat("<CUDA Device %d>", id_of(self)); }

static Py_hash_t device_hash(PyObject *self) { return id_of(self) == -1 ? -2 : id_of(self); }

static PyObject *device_compare(PyObject *self, PyObject *other, int op)
{
    if (!Py_IS_TYPE(other, device_type)) Py_RETURN_NOTIMPLEMENTED;
    Py_RETURN_RICHCOMPARE(id_of(self), id_of(other), op);
}

static PyObject *device_int(PyObject *self) { return get_id(self, NULL); }

static PyObject *device_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("O(i)", Py_TYPE(self), id_of(self));
}

static PyObject *device_from_bus(PyObject *type, PyObject *text)
{
    tb_runtime_op op = TB_RT_deviceGetByPCIBusId;
    const char *s = tbpy_text(text);
    int64_t in = (int64_t)(intptr_t)s, out = 0;
    if (s == NULL) return NULL;
    TBPY_TRY(tb_runtime_call(op, &in, &out));
    return PyObject_CallFunction(type, "i", (int)out);
}

static PyMethodDef methods[] = {
    {"from_pci_bus_id", device_from_bus, METH_O | METH_CLASS,
     "from_pci_bus_id(pci_bus_id, /)\n--\n\nThe device at a bus address such as '0000:1B:00.0'."},
    {"use", device_use, METH_NOARGS, "use()\n--\n\nMakes this the calling thread's current device."},
    {"synchronize", device_synchronize, METH_NOARGS,
     "synchronize()\n--\n\nEnqueues everything that is pending on the device and waits until it is done."},
    {"__enter__", device_enter, METH_NOARGS, NULL},
    {"__exit__", device_exit, METH_VARARGS, NULL},
    {"__reduce__", device_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

#define LIBRARY_HANDLE(kind)                                                                                      \
    {kind "_handle", library_handle, NULL, "The calling thread's handle of the library as a number; see cuda.device.", \
     kind}
static PyGetSetDef getset[] = {
    {"id", get_id, NULL, "The device's number.", NULL},
    {"attributes", get_attributes, NULL, "Dict of the device's attributes by CUDA's names.", NULL},
    {"compute_capability", get_capability, NULL, "Such as '90'; '00' on the CPU backend.", NULL},
    {"mem_info", get_mem_info, NULL, "(free, total) bytes of device memory.", NULL},
    LIBRARY_HANDLE("cublas"),
    LIBRARY_HANDLE("cusolver"),
    LIBRARY_HANDLE("cusolver_sp"),
    LIBRARY_HANDLE("cusparse"),
    LIBRARY_HANDLE("cutensor"),
    {"name", get_name, NULL, "The device's name.", NULL},
    {"pci_bus_id", get_pci_bus_id, NULL, "Such as '0000:1B:00.0'.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static const char device_doc[] =
    "Device(device=None)\n--\n\nA device, by number; the current one by default.\n\n"
    "As a context manager it is the current device within the block.\n\n>>> with tombac.cuda.Device(0) as d:\n"
    "...     x = tombac.zeros(3)\n>>> d, x.device == d\n(<CUDA Device 0>, True)";

static PyType_Slot slots[] = {{Py_tp_doc, (void *)device_doc},
                              {Py_tp_new, device_new},
                              {Py_tp_dealloc, device_dealloc},
                              {Py_tp_repr, device_repr},
                              {Py_tp_hash, device_hash},
                              {Py_tp_richcompare, device_compare},
                              {Py_nb_int, device_int},
                              {Py_nb_index, device_int},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, getset},
                              {0, NULL}};

static PyType_Spec spec = {.name = "tombac.cuda.Device",
                           .basicsize = sizeof(TbDevice),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                           .slots = slots};

/* DEVICE_ATTRIBUTES: their numbers by name. */
static int add_attributes(PyObject *m)
{
    PyObject *d = PyDict_New();
    for (size_t i = 0; d && i < sizeof attributes / sizeof *attributes; i++) {
        PyObject *v = PyLong_FromLong(attributes[i].number);
        if (v == NULL || PyDict_SetItemString(d, attributes[i].name, v) < 0) Py_CLEAR(d);
        Py_XDECREF(v);
    }
    int status = d ? PyModule_AddObjectRef(m, "DEVICE_ATTRIBUTES", d) : -1;
    Py_XDECREF(d);
    return status;
}

int tbpy_add_device(PyObject *m)
{
    device_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (device_type == NULL || PyModule_AddType(m, device_type) < 0) return -1;
    return add_attributes(m);
}
