/* numpy.c - NumPy's types, found when they are first needed. NumPy's C API is not used, and a program that has no dtype
 * objects, scalars or host arrays runs without NumPy: to import it takes longer than all else at the start. */
#include "core.h"

#include <pthread.h>
#include <stdatomic.h>

tbpy_numpy_types tbpy_numpy;
static atomic_bool loaded; /* tbpy_numpy does not change from then on */

static int find_types(PyObject *numpy, tbpy_numpy_types *to)
{
    to->dtype = PyObject_GetAttrString(numpy, "dtype");
    to->array = (PyTypeObject *)PyObject_GetAttrString(numpy, "ndarray");
    to->generic = (PyTypeObject *)PyObject_GetAttrString(numpy, "generic");
    to->scalars[TB_NDTYPE] = (PyTypeObject *)PyObject_GetAttrString(numpy, "longlong");
    to->scalars[TB_NDTYPE + 1] = (PyTypeObject *)PyObject_GetAttrString(numpy, "ulonglong");
    if (!to->dtype || !to->array || !to->generic || !to->scalars[TB_NDTYPE] || !to->scalars[TB_NDTYPE + 1]) return -1;
    for (int t = 0; t < TB_NDTYPE; t++) {
        to->dtypes[t] = PyObject_CallFunction(to->dtype, "s", tb_dtype_name((tb_dtype)t));
        if (!to->dtypes[t]) return -1;
        to->scalars[t] = (PyTypeObject *)PyObject_GetAttrString(to->dtypes[t], "type");
        if (!to->scalars[t]) return -1;
    }
    return 0;
}

int tbpy_numpy_load(void)
{
    if (atomic_load_explicit(&loaded, memory_order_acquire)) return 0;
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (!numpy) return -1;
    tbpy_numpy_types found = {0};
    const int r = find_types(numpy, &found);
    Py_DECREF(numpy);
    if (r < 0) return -1;
    /* Threads that come here at once have found the same objects; one of them writes. */
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    if (!atomic_load_explicit(&loaded, memory_order_relaxed)) tbpy_numpy = found;
    atomic_store_explicit(&loaded, true, memory_order_release);
    pthread_mutex_unlock(&mutex);
    return 0;
}

bool tbpy_numpy_is_loaded(void)
{
    static PyObject *interned;
    if (atomic_load_explicit(&loaded, memory_order_acquire)) return true;
    PyObject *name = tbpy_kept(&interned);
    if (!name) name = tbpy_keep(&interned, PyUnicode_InternFromString("numpy"));
    PyObject *numpy = name ? PyImport_GetModule(name) : NULL;
    Py_XDECREF(numpy);
    if (numpy && tbpy_numpy_load() == 0) return true;
    PyErr_Clear(); /* NumPy is not there, or in the middle of its own import: nothing can be of its types yet */
    return false;
}

PyObject *tbpy_dtype_object(tb_dtype t)
{
    if (tbpy_is_record(t)) return tbpy_record_object(t);
    return tbpy_numpy_load() < 0 ? NULL : tbpy_numpy.dtypes[t];
}

tb_dtype tbpy_numpy_scalar_dtype(const PyTypeObject *type)
{
    if (!tbpy_numpy_is_loaded()) return TB_NODTYPE;
    for (int i = 0; i < TB_NDTYPE; i++)
        if (type == tbpy_numpy.scalars[i]) return (tb_dtype)i;
    if (type == tbpy_numpy.scalars[TB_NDTYPE]) return TB_I64;
    if (type == tbpy_numpy.scalars[TB_NDTYPE + 1]) return TB_U64;
    return TB_NODTYPE;
}

bool tbpy_is_host_array(PyObject *o) { return tbpy_numpy_is_loaded() && PyObject_TypeCheck(o, tbpy_numpy.array); }

bool tbpy_is_numpy_scalar(PyObject *o) { return tbpy_numpy_is_loaded() && PyObject_TypeCheck(o, tbpy_numpy.generic); }

bool tbpy_is_numpy_integer(PyObject *o)
{
    tb_dtype t = tbpy_numpy_scalar_dtype(Py_TYPE(o));
    return t != TB_NODTYPE && tb_dtype_kind(t) == TB_KIND_INT;
}
