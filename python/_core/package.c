/* package.c - what the extension uses of the package around it, which is above: compositions of array operations,
 * written in Python. The package registers a finder (tombac/_registered.py); none of its modules is known here. */
#include "core.h"

static PyObject *finder;

PyObject *tbpy_package(PyObject **cache, const char *name)
{
    if (tbpy_kept(cache)) return tbpy_kept(cache);
    if (!finder) {
        PyErr_Format(PyExc_ImportError, "tombac._core wants %s of the package tombac, which has registered nothing",
                     name);
        return NULL;
    }
    return tbpy_keep(cache, PyObject_CallFunction(finder, "s", name));
}

PyObject *tbpy_host_module(const char *name)
{
    static PyObject *import;
    return tbpy_package(&import, "host_module") ? PyObject_CallFunction(import, "s", name) : NULL;
}

static PyObject *register_finder(PyObject *Py_UNUSED(m), PyObject *find)
{
    Py_XSETREF(finder, Py_NewRef(find));
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"_register_finder", register_finder, METH_O,
     "_register_finder(find, /)\n--\n\nfind(name) gives what the extension uses of the package by that name."},
    {NULL, NULL, 0, NULL},
};

int tbpy_add_package(PyObject *m) { return PyModule_AddFunctions(m, methods); }
