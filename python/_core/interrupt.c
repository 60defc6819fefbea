/* interrupt.c - signals that come while the library waits, or runs a kernel on the CPU.
 *
 * Python handles signals in its main thread, between two instructions of a program. A call of the library may take
 * long, so the library asks now and then (tb_interrupt_functions): the handlers run, and an exception of theirs, such
 * as KeyboardInterrupt, is what the call raises. */
#include "core.h"

/* A program that ended by KeyboardInterrupt waits for its threads, which may be in kernels that never end. */
static bool is_ending(void)
{
    PyObject *last = PySys_GetObject("last_type"), *name = PyUnicode_FromString("threading");
    PyObject *threading = name ? PyImport_GetModule(name) : NULL;
    Py_XDECREF(name);
    bool ending = false;
    if (threading && last && PyType_Check(last) && PyErr_GivenExceptionMatches(last, PyExc_KeyboardInterrupt)) {
        PyObject *main = PyObject_CallMethod(threading, "main_thread", NULL);
        PyObject *alive = main ? PyObject_CallMethod(main, "is_alive", NULL) : NULL;
        ending = alive == Py_False;
        Py_XDECREF(alive);
        Py_XDECREF(main);
    }
    Py_XDECREF(threading);
    PyErr_Clear();
    return ending;
}

/* A call on few elements keeps the interpreter's lock, since it is usually over in a moment: if not, others have their
 * turn now and then. */
static void let_others_run(void)
{
    if (!PyGILState_Check()) return;
    PyThreadState *state = PyEval_SaveThread();
    PyEval_RestoreThread(state);
}

static tb_status asked(void)
{
    if (!Py_IsInitialized()) return TB_OK;
    let_others_run();
    PyGILState_STATE gil = PyGILState_Ensure();
    tb_status st = TB_OK;
    if (PyErr_CheckSignals() < 0) {
        st = tbpy_keep_exception();
    } else if (is_ending()) {
        PyErr_SetString(PyExc_KeyboardInterrupt, "the program is ending");
        st = tbpy_keep_exception();
    }
    PyGILState_Release(gil);
    return st;
}

static int raise_kept(void *Py_UNUSED(ignored))
{
    tbpy_raise_kept();
    return -1;
}

/* Only the main thread is ever interrupted, and it is the one that makes pending calls. */
static void later(void) { Py_AddPendingCall(raise_kept, NULL); }

static PyObject *end_kernels(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    Py_BEGIN_ALLOW_THREADS tb_interrupt_all();
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"_end_kernels", end_kernels, METH_NOARGS,
     "_end_kernels()\n--\n\nEnds the user kernels that other threads run on the CPU: the program is over."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_interrupt(PyObject *m)
{
    static PyObject *registry;
    if (PyModule_AddFunctions(m, methods) < 0) return -1;
    PyObject *at_exit = tbpy_import(&registry, "atexit", "register");
    PyObject *end = at_exit ? PyObject_GetAttrString(m, "_end_kernels") : NULL;
    PyObject *r = end ? PyObject_CallOneArg(at_exit, end) : NULL;
    Py_XDECREF(r);
    Py_XDECREF(end);
    tb_interrupt_functions(asked, later);
    return r ? 0 : -1;
}
