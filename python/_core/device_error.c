/* device_error.c - CUDARuntimeError: what the driver, or what stands in for it, reported, by CUDA's number for it. */
#include "core.h"

static const struct {
    int status;
    const char *name, *text;
} known[] = {
    {0, "Success", "no error"},
    {1, "InvalidValue", "invalid argument"},
    {2, "MemoryAllocation", "out of memory"},
    {3, "InitializationError", "initialization error"},
    {4, "CudartUnloading", "driver shutting down"},
    {9, "InvalidConfiguration", "invalid configuration argument"},
    {35, "InsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"},
    {98, "InvalidDeviceFunction", "invalid device function"},
    {100, "NoDevice", "no CUDA-capable device is detected"},
    {101, "InvalidDevice", "invalid device ordinal"},
    {200, "InvalidKernelImage", "device kernel image is invalid"},
    {201, "DeviceUninitialized", "invalid device context"},
    {209, "NoKernelImageForDevice", "no kernel image is available for execution on the device"},
    {217, "PeerAccessUnsupported", "peer access is not supported between these two devices"},
    {218, "InvalidPtx", "a PTX JIT compilation failed"},
    {301, "FileNotFound", "file not found"},
    {304, "OperatingSystem", "OS call failed or operation not supported on this OS"},
    {400, "InvalidResourceHandle", "invalid resource handle"},
    {401, "IllegalState", "the operation cannot be performed in the present state"},
    {500, "SymbolNotFound", "named symbol not found"},
    {600, "NotReady", "device not ready"},
    {700, "IllegalAddress", "an illegal memory access was encountered"},
    {701, "LaunchOutOfResources", "too many resources requested for launch"},
    {702, "LaunchTimeout", "the launch timed out and was terminated"},
    {704, "PeerAccessAlreadyEnabled", "peer access is already enabled"},
    {705, "PeerAccessNotEnabled", "peer access has not been enabled"},
    {709, "ContextIsDestroyed", "context is destroyed"},
    {710, "Assert", "device-side assert triggered"},
    {712, "HostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped"},
    {713, "HostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    {715, "IllegalInstruction", "an illegal instruction was encountered"},
    {716, "MisalignedAddress", "misaligned address"},
    {719, "LaunchFailure", "unspecified launch failure"},
    {720, "CooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {800, "NotPermitted", "operation not permitted"},
    {801, "NotSupported", "operation not supported"},
    {900, "StreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    {901, "StreamCaptureInvalidated", "operation failed due to a previous error during capture"},
    {903, "StreamCaptureUnmatched", "the capture was not initiated in this stream"},
    {905, "StreamCaptureIsolation", "dependency created on uncaptured work in another stream"},
    {906, "StreamCaptureImplicit", "operation would make the legacy stream depend on a capturing blocking stream"},
    {999, "Unknown", "unknown error"},
};

static PyObject *text_of(long status)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status) return PyUnicode_FromFormat("cudaError%s: %s", known[i].name, known[i].text);
    return PyUnicode_FromFormat("CUDA error %ld", status);
}

/* A status, or (so that pickles keep the whole message) a text. */
static int init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"status", NULL};
    PyObject *status;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:CUDARuntimeError", names, &status)) return -1;
    PyObject *text = NULL;
    if (PyLong_Check(status)) {
        long number = PyLong_AsLong(status);
        if ((number == -1 && PyErr_Occurred()) || PyObject_SetAttrString(self, "status", status) < 0) return -1;
        text = text_of(number);
    } else {
        text = Py_NewRef(status);
    }
    PyObject *only = text ? PyTuple_Pack(1, text) : NULL;
    int r = only ? ((PyTypeObject *)PyExc_RuntimeError)->tp_init(self, only, NULL) : -1;
    Py_XDECREF(only);
    Py_XDECREF(text);
    return r;
}

static const char doc[] = "CUDARuntimeError(status)\n--\n\nA call failed, or the device reported a fault. `status` is "
                          "CUDA's number for it.\n\n>>> str(tombac.cuda.runtime.CUDARuntimeError(1))\n"
                          "'cudaErrorInvalidValue: invalid argument'";

PyObject *tbpy_new_device_error(void)
{
    PyType_Slot slots[] = {{Py_tp_init, init}, {Py_tp_doc, (void *)doc}, {0, NULL}};
    PyType_Spec spec = {"tombac.cuda.runtime.CUDARuntimeError", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return PyType_FromSpecWithBases(&spec, PyExc_RuntimeError);
}
