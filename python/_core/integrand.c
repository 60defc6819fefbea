/* integrand.c - functions of a number that SciPy calls as functions of C, which call Python's: for each value that
 * spares a tuple of arguments, and a float for what an array holds.
 *
 * C's form knows no exceptions. The first one is kept until SciPy is done, which gets 0 from there on. */
#include "ndarray.h"

enum { MOST_ARGUMENTS = 16, SPARE_MAX = 8 };

typedef struct integrand {
    PyObject *function;
    PyObject *room[MOST_ARGUMENTS + 2]; /* for a method's object; the number; what is the same for all */
    size_t n;                           /* arguments */
    PyObject *type, *error, *trace;
} integrand;

/* What SciPy calls: its LowLevelCallable, whose capsule has this as context. One for each integral that is begun and
 * not done: functions integrate others, and threads, of whatever kind, take turns. */
typedef struct form {
    PyObject *callable;
    integrand *of;
} form;

static const char signature[] = "double (double, void *)";
#ifndef Py_GIL_DISABLED
static form *spare[SPARE_MAX];
static int nspare;
#endif

static double value_of(integrand *f, double x)
{
    double v = 0;
    PyObject *number = PyFloat_FromDouble(x), *found = NULL;
    if (number) {
        f->room[1] = number;
        found = PyObject_Vectorcall(f->function, f->room + 1, f->n | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
        Py_DECREF(number);
    }
    if (found && !tbpy_plain_double(found, &v)) v = PyFloat_AsDouble(found);
    Py_XDECREF(found);
    if (!found || (v == -1 && PyErr_Occurred())) {
        PyErr_Fetch(&f->type, &f->error, &f->trace);
        v = 0;
    }
    return v;
}

/* Whoever calls may have let go of the interpreter's lock. */
static double call(double x, void *context)
{
    integrand *f = ((form *)context)->of;
    if (f->type) return 0;
    if (PyGILState_Check()) return value_of(f, x);
    const PyGILState_STATE state = PyGILState_Ensure();
    const double v = value_of(f, x);
    PyGILState_Release(state);
    return v;
}

static void free_context(PyObject *capsule) { PyMem_Free(PyCapsule_GetContext(capsule)); }

static form *new_form(PyObject *class)
{
    double (*const function)(double, void *) = call;
    void *address;
    memcpy(&address, &function, sizeof address);
    form *made = PyMem_Malloc(sizeof *made);
    PyObject *capsule = made ? PyCapsule_New(address, signature, free_context) : NULL;
    if (!capsule) {
        PyMem_Free(made);
        return made ? NULL : (form *)PyErr_NoMemory();
    }
    PyCapsule_SetContext(capsule, made);
    PyObject *callable = PyObject_CallOneArg(class, capsule); /* which keeps the capsule */
    if (callable) made->callable = callable;
    Py_DECREF(capsule);
    return callable ? made : NULL;
}

static form *take_form(PyObject *class)
{
#ifndef Py_GIL_DISABLED
    if (nspare > 0) return spare[--nspare];
#endif
    return new_form(class);
}

static void give_form(form *f)
{
#ifndef Py_GIL_DISABLED
    if (nspare < SPARE_MAX) {
        spare[nspare++] = f;
        return;
    }
#endif
    Py_DECREF(f->callable);
}

static PyObject *integrated(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs < 4 || !PyTuple_Check(args[3]))
        return PyErr_Format(PyExc_TypeError, "_integrated: functions, a tuple, and arguments");
    const Py_ssize_t n = PyTuple_GET_SIZE(args[3]), rest = nargs - 4;
    integrand f = {.function = args[2], .n = (size_t)(1 + n)};
    PyObject *given[MOST_ARGUMENTS + 2] = {NULL};
    if (n > MOST_ARGUMENTS || rest > MOST_ARGUMENTS)
        return PyErr_Format(PyExc_TypeError, "_integrated: at most %d arguments", MOST_ARGUMENTS);
    form *form = take_form(args[1]);
    if (!form) return NULL;
    for (Py_ssize_t i = 0; i < n; i++) f.room[2 + i] = PyTuple_GET_ITEM(args[3], i);
    for (Py_ssize_t i = 0; i < rest; i++) given[2 + i] = args[4 + i];
    form->of = &f;
    given[1] = form->callable;
    PyObject *r = PyObject_Vectorcall(args[0], given + 1, (size_t)(1 + rest) | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    give_form(form);
    if (!f.type) return r;
    Py_XDECREF(r);
    PyErr_Restore(f.type, f.error, f.trace);
    return NULL;
}

static PyObject *is_integrand(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 2) return PyErr_Format(PyExc_TypeError, "_is_integrand: a function and its arguments");
    const bool few = PyTuple_CheckExact(args[1]) && PyTuple_GET_SIZE(args[1]) <= MOST_ARGUMENTS;
    return PyBool_FromLong(few && PyVectorcall_Function(args[0]));
}

static PyMethodDef methods[] = {
    {"_integrated", (PyCFunction)(void (*)(void))integrated, METH_FASTCALL,
     "_integrated(of_scipy, LowLevelCallable, function, args, *rest)\n--\n\nWhat of_scipy(f, *rest) gives for a "
     "LowLevelCallable f of numbers that is function(x, *args)."},
    {"_is_integrand", (PyCFunction)(void (*)(void))is_integrand, METH_FASTCALL,
     "_is_integrand(function, args)\n--\n\nWhether _integrated takes them: functions that need no tuple of arguments, "
     "as Python's are, unlike those that have a form of C for SciPy; and a tuple that is not long."},
    {NULL, NULL, 0, NULL},
};

int tbpy_add_integrand(PyObject *m) { return PyModule_AddFunctions(m, methods); }
