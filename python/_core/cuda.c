/* cuda.c - what tombac.cuda and tombac.config ask of the library: backend, devices, counters, fusion.
 *
 * Thin functions with positional arguments; the Python modules give them CuPy's names and signatures. */
#include "cuda.h"

/* ---- backend, devices -------------------------------------------------------------------------------------------- */

static PyObject *backend(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    TBPY_TRY(tb_init());
    return PyUnicode_FromString(tb_backend_name());
}

static PyObject *text_and_free(char *text)
{
    PyObject *s = PyUnicode_FromString(text);
    tb_free(text);
    return s;
}

static PyObject *config_text(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    char *text;
    TBPY_TRY(tb_show_config(&text));
    return text_and_free(text);
}

static PyObject *device_count(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    int n;
    TBPY_TRY(tb_device_count(&n));
    return PyLong_FromLong(n);
}

static PyObject *device_attribute(PyObject *Py_UNUSED(m), PyObject *args)
{
    PyObject *device;
    int d, number, value;
    if (!PyArg_ParseTuple(args, "Oi:device_attribute", &device, &number) || tbpy_device_arg(device, &d) < 0)
        return NULL;
    TBPY_TRY(tb_device_attribute(d, number, &value));
    return PyLong_FromLong(value);
}

/* ---- counters, fusion, looking inside ---------------------------------------------------------------------------- */

static PyObject *counters(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    tb_counters c;
    tb_counters_get(&c, sizeof c);
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"launches", c.launches},
                {"compiles", c.compiles},
                {"cache_hits_disk", c.cache_hits_disk},
                {"cache_hits_shipped", c.cache_hits_shipped},
                {"allocations", c.allocations},
                {"donations", c.donations},
                {"nodes", c.nodes},
                {"fused_nodes", c.fused_nodes},
                {"fused_kernels", c.fused_kernels},
                {"recomputed_nodes", c.recomputed_nodes},
                {"bytes_allocated", c.bytes_allocated},
                {"compile_waits", c.compile_waits}};
    PyObject *d = PyDict_New();
    for (size_t i = 0; d && i < sizeof rows / sizeof *rows; i++) {
        PyObject *v = PyLong_FromUnsignedLongLong(rows[i].value);
        if (v == NULL || PyDict_SetItemString(d, rows[i].name, v) < 0) Py_CLEAR(d);
        Py_XDECREF(v);
    }
    return d;
}

static PyObject *device_current(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    int device;
    TBPY_TRY(tb_device_current(&device));
    return PyLong_FromLong(device);
}

static PyObject *reset_counters(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    tb_counters_reset();
    Py_RETURN_NONE;
}

static PyObject *fusion_set(PyObject *Py_UNUSED(m), PyObject *o)
{
    long mode = PyLong_AsLong(o);
    if (mode == -1 && PyErr_Occurred()) return NULL;
    if (mode < TB_FUSION_OFF || mode > TB_FUSION_ALL)
        return PyErr_Format(PyExc_ValueError, "fusion_set: the mode is 0, 1 or 2, not %ld", mode);
    return PyLong_FromLong(tb_fusion_set((tb_fusion)mode));
}

static PyObject *fusion_get(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(tb_fusion_get());
}

static PyObject *strict_indices_set(PyObject *Py_UNUSED(m), PyObject *o)
{
    const int on = PyObject_IsTrue(o);
    return on < 0 ? NULL : PyBool_FromLong(tb_strict_indices_set(on));
}

static PyObject *waits_set(PyObject *Py_UNUSED(m), PyObject *o)
{
    int allowed = PyObject_IsTrue(o);
    return allowed < 0 ? NULL : PyBool_FromLong(tb_waits_set(allowed));
}

static PyObject *strict_indices_get(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(tb_strict_indices_get());
}

static PyObject *compile_wait(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    Py_BEGIN_ALLOW_THREADS tb_compile_wait();
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

static PyObject *explain(PyObject *Py_UNUSED(m), PyObject *args)
{
    PyObject *a;
    int form;
    if (!PyArg_ParseTuple(args, "O!C:explain", tbpy_array_type, &a, &form)) return NULL;
    char *text;
    TBPY_TRY(tb_explain(tbpy_array(a), (char)form, &text));
    return text_and_free(text);
}

static PyObject *is_pending(PyObject *Py_UNUSED(m), PyObject *a)
{
    if (tbpy_check(a)) return PyBool_FromLong(tb_array_is_pending(tbpy_array(a)));
    return PyErr_Format(PyExc_TypeError, "is_pending: a tombac.ndarray is expected, not %R", Py_TYPE(a));
}

static PyMethodDef methods[] = {
    {"backend", backend, METH_NOARGS, "backend()\n--\n\nName of the backend in use: 'cpu' or 'cuda'."},
    {"config_text", config_text, METH_NOARGS, "config_text()\n--\n\nWhich driver and libraries were found, and where."},
    {"device_count", device_count, METH_NOARGS, "device_count()\n--\n\nNumber of devices."},
    {"device_current", device_current, METH_NOARGS, "device_current()\n--\n\nNumber of the current device."},
    {"device_attribute", device_attribute, METH_VARARGS,
     "device_attribute(device, number, /)\n--\n\nA device's attribute by its number in CUDA's list."},
    {"counters", counters, METH_NOARGS,
     "counters()\n--\n\nDict of what has happened since the start or the last reset."},
    {"reset_counters", reset_counters, METH_NOARGS, "reset_counters()\n--\n\nSets all counters to zero."},
    {"fusion_set", fusion_set, METH_O,
     "fusion_set(mode, /)\n--\n\nWhat this thread defers: 0 nothing, 1 what pays, 2 all. Returns what it was."},
    {"fusion_get", fusion_get, METH_NOARGS,
     "fusion_get()\n--\n\nWhat this thread defers: 0 nothing, 1 what pays, 2 all elementwise work."},
    {"strict_indices_set", strict_indices_set, METH_O,
     "strict_indices_set(on, /)\n--\n\nWhether this thread's indices are checked. Returns whether they were."},
    {"waits_set", waits_set, METH_O,
     "waits_set(allowed, /)\n--\n\nWhether this thread's calls may wait for a device. Returns whether they might."},
    {"strict_indices_get", strict_indices_get, METH_NOARGS,
     "strict_indices_get()\n--\n\nWhether this thread's indices are checked."},
    {"compile_wait", compile_wait, METH_NOARGS,
     "compile_wait()\n--\n\nWaits until every kernel that is being compiled in the background is ready."},
    {"explain", explain, METH_VARARGS,
     "explain(a, form, /)\n--\n\nWhat is pending on a: text ('t'), SVG ('s') or the kernel's source ('c')."},
    {"is_pending", is_pending, METH_O, "is_pending(a, /)\n--\n\nWhether a's elements are still to be computed."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_cuda(PyObject *m)
{
    /* Before the process's exit handlers, the compiler's among them. */
    if (Py_AtExit(tb_compile_stop) < 0) {
        PyErr_SetString(PyExc_ImportError, "tombac: the interpreter takes no more exit functions");
        return -1;
    }
    if (PyModule_AddFunctions(m, methods) < 0 || tbpy_add_device(m) < 0 || tbpy_add_events(m) < 0) return -1;
    if (tbpy_add_streams(m) < 0 || tbpy_add_graph(m) < 0) return -1;
    return tbpy_add_runtime(m);
}
