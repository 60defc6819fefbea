/* errors.c - statuses of libtombac as Python exceptions, and the exception types that NumPy does not have. */
#include "core.h"

static PyObject *performance_warning, *device_synchronized;
PyObject *tbpy_OutOfMemoryError, *tbpy_CUDARuntimeError, *tbpy_CompileException;

static PyObject *axis_error;

static void raise_axis_text(const char *message)
{
    PyObject *type = tbpy_import(&axis_error, "numpy.exceptions", "AxisError");
    if (type) PyErr_SetString(type, message);
}

void tbpy_raise_axis(int64_t axis, int ndim, const char *who)
{
    PyObject *type = tbpy_import(&axis_error, "numpy.exceptions", "AxisError");
    PyObject *e = type ? PyObject_CallFunction(type, "Liz", (long long)axis, ndim, who) : NULL;
    if (e) PyErr_SetObject(type, e);
    Py_XDECREF(e);
}

static void raise_axis(const char *message)
{
    int axis, ndim;
    if (tb_error_axis(&axis, &ndim)) tbpy_raise_axis(axis, ndim, NULL);
    else raise_axis_text(message);
}

static void raise_linalg(const char *message)
{
    static PyObject *linalg_error;
    PyObject *type = tbpy_import(&linalg_error, "numpy.linalg", "LinAlgError");
    if (type) PyErr_SetString(type, message);
}

static void raise_device(const char *message)
{
    PyObject *e = PyObject_CallFunction(tbpy_CUDARuntimeError, "s", message);
    PyObject *code = e ? PyLong_FromLong(tb_error_driver_code()) : NULL;
    if (code && PyObject_SetAttrString(e, "status", code) == 0) PyErr_SetObject(tbpy_CUDARuntimeError, e);
    Py_XDECREF(code);
    Py_XDECREF(e);
}

/* Called in the middle of an operation, by a thread that may not have the interpreter's lock. */
static tb_status warn(const char *message)
{
    if (!Py_IsInitialized()) return TB_OK;
    PyGILState_STATE gil = PyGILState_Ensure();
    tb_status st = PyErr_WarnEx(performance_warning, message, 1) == 0 ? TB_OK : tbpy_keep_exception();
    PyGILState_Release(gil);
    return st;
}

PyObject *tbpy_raise(tb_status st)
{
    const char *message = tb_error_message();
    switch (st) {
    case TB_ERR_VALUE: PyErr_SetString(PyExc_ValueError, message); break;
    case TB_ERR_TYPE: PyErr_SetString(PyExc_TypeError, message); break;
    case TB_ERR_CASTING: PyErr_SetString(PyExc_TypeError, message); break;
    case TB_ERR_INDEX: PyErr_SetString(PyExc_IndexError, message); break;
    case TB_ERR_AXIS: raise_axis(message); break;
    case TB_ERR_OVERFLOW: PyErr_SetString(PyExc_OverflowError, message); break;
    case TB_ERR_MEMORY: PyErr_SetString(tbpy_OutOfMemoryError, message); break;
    case TB_ERR_DEVICE: raise_device(message); break;
    case TB_ERR_LIBRARY: PyErr_SetString(PyExc_ImportError, message); break;
    case TB_ERR_COMPILE: PyErr_SetString(tbpy_CompileException, message); break;
    case TB_ERR_NOT_IMPLEMENTED: PyErr_SetString(PyExc_NotImplementedError, message); break;
    case TB_ERR_CALLER: tbpy_raise_kept(); break;
    case TB_ERR_INTERRUPTED: PyErr_SetString(PyExc_KeyboardInterrupt, message); break;
    case TB_ERR_WAIT: PyErr_SetString(device_synchronized, message); break;
    case TB_ERR_LINALG: raise_linalg(message); break;
    default: PyErr_Format(PyExc_SystemError, "tombac: internal error: %s", message); break;
    }
    return NULL;
}

static int add_exception(PyObject *m, PyObject **slot, const char *qualified, const char *name, PyObject *base,
                         const char *doc)
{
    *slot = PyErr_NewExceptionWithDoc(qualified, doc, base, NULL);
    return *slot ? PyModule_AddObjectRef(m, name, *slot) : -1;
}

int tbpy_add_errors(PyObject *m)
{
    if (add_exception(m, &tbpy_OutOfMemoryError, "tombac.cuda.memory.OutOfMemoryError", "OutOfMemoryError",
                      PyExc_MemoryError, "The device, or the limit of its memory pool, is exhausted.") < 0)
        return -1;
    tbpy_CUDARuntimeError = tbpy_new_device_error();
    if (!tbpy_CUDARuntimeError || PyModule_AddObjectRef(m, "CUDARuntimeError", tbpy_CUDARuntimeError) < 0) return -1;
    if (add_exception(m, &performance_warning, "tombac._util.PerformanceWarning", "PerformanceWarning",
                      PyExc_RuntimeWarning, "What was asked for works, but there is a faster way.") < 0)
        return -1;
    if (add_exception(m, &device_synchronized, "tombacx.DeviceSynchronized", "DeviceSynchronized", PyExc_RuntimeError,
                      "A call would wait for the device where allow_synchronize(False) forbids it.") < 0)
        return -1;
    tb_warning_function_set(warn);
    tbpy_CompileException = tbpy_new_compile_exception();
    if (!tbpy_CompileException || PyModule_AddObjectRef(m, "CompileException", tbpy_CompileException) < 0) return -1;
    PyObject *zero = PyLong_FromLong(0);
    int r = zero ? PyObject_SetAttrString(tbpy_CUDARuntimeError, "status", zero) : -1;
    Py_XDECREF(zero);
    return r;
}
