/* numpy.c - NumPy's types, found when they are first needed. NumPy's C API is not used, and a program that has no dtype
 * objects, scalars or host arrays runs without NumPy: to import it takes longer than all else at the start. */
#include "core.h"

#include <pthread.h>
#include <stdatomic.h>

tbpy_numpy_types tbpy_numpy;
static atomic_bool loaded; /* tbpy_numpy does not change from then on */

static int find_array_dtype(tbpy_numpy_types *to)
{
    PyObject *d = PyObject_GetAttrString((PyObject *)to->array, "dtype");
    if (d && Py_IS_TYPE(d, &PyGetSetDescr_Type)) to->array_dtype = ((PyGetSetDescrObject *)d)->d_getset;
    Py_XDECREF(d); /* the class keeps it */
    return d ? 0 : -1;
}

static int find_types(PyObject *numpy, tbpy_numpy_types *to)
{
    to->dtype = PyObject_GetAttrString(numpy, "dtype");
    to->array = (PyTypeObject *)PyObject_GetAttrString(numpy, "ndarray");
    to->generic = (PyTypeObject *)PyObject_GetAttrString(numpy, "generic");
    to->scalars[TB_NDTYPE] = (PyTypeObject *)PyObject_GetAttrString(numpy, "longlong");
    to->scalars[TB_NDTYPE + 1] = (PyTypeObject *)PyObject_GetAttrString(numpy, "ulonglong");
    if (!to->dtype || !to->array || !to->generic || !to->scalars[TB_NDTYPE] || !to->scalars[TB_NDTYPE + 1]) return -1;
    for (int t = 0; t < TB_NDTYPE; t++) {
        if (t == TB_BF16) continue;
        to->dtypes[t] = PyObject_CallFunction(to->dtype, "s", tb_dtype_name((tb_dtype)t));
        if (!to->dtypes[t]) return -1;
        to->scalars[t] = (PyTypeObject *)PyObject_GetAttrString(to->dtypes[t], "type");
        if (!to->scalars[t]) return -1;
    }
    return find_array_dtype(to);
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

/* ---- bfloat16: ml_dtypes' ---------------------------------------------------------------------------------------- */

static PyObject *bfloat_type, *bfloat_dtype;

/* Keeps the scalar type and the dtype object of module ml_dtypes. */
static PyObject *keep_bfloat(PyObject *module)
{
    PyObject *type = PyObject_GetAttrString(module, "bfloat16");
    PyObject *dtype = type ? PyObject_CallOneArg(tbpy_numpy.dtype, type) : NULL;
    if (!dtype) Py_XDECREF(type);
    else if (tbpy_keep(&bfloat_dtype, dtype) && tbpy_keep(&bfloat_type, type)) return tbpy_kept(&bfloat_dtype);
    return NULL;
}

static PyObject *load_bfloat(void)
{
    PyObject *kept = tbpy_kept(&bfloat_dtype), *module = kept ? NULL : PyImport_ImportModule("ml_dtypes");
    if (kept) return kept;
    if (!module) {
        if (!PyErr_ExceptionMatches(PyExc_ImportError)) return NULL;
        PyErr_Clear();
        PyErr_SetString(PyExc_ImportError, "bfloat16: its dtype object and arrays on the host are those of the package "
                                           "ml_dtypes, which is not installed: pip install ml_dtypes");
        return NULL;
    }
    kept = keep_bfloat(module);
    Py_DECREF(module);
    return kept;
}

/* Whether anybody has imported ml_dtypes, and its types are known. */
static bool bfloat_is_loaded(void)
{
    static PyObject *interned;
    if (tbpy_kept(&bfloat_type)) return true;
    PyObject *name = tbpy_kept(&interned);
    if (!name) name = tbpy_keep(&interned, PyUnicode_InternFromString("ml_dtypes"));
    PyObject *module = name ? PyImport_GetModule(name) : NULL;
    const bool loaded = module && keep_bfloat(module);
    Py_XDECREF(module);
    PyErr_Clear(); /* in the middle of its import */
    return loaded;
}

bool tbpy_is_bfloat(PyObject *o)
{
    if (!tbpy_numpy_is_loaded() || !bfloat_is_loaded()) return false;
    return o == tbpy_kept(&bfloat_type) || o == tbpy_kept(&bfloat_dtype);
}

uint16_t tbpy_bfloat_bits(double x)
{
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (uint16_t)(bits >> 16);
}

PyObject *tbpy_dtype_object(tb_dtype t)
{
    if (tbpy_is_record(t)) return tbpy_record_object(t);
    if (tbpy_numpy_load() < 0) return NULL;
    return t == TB_BF16 ? load_bfloat() : tbpy_numpy.dtypes[t];
}

tb_dtype tbpy_numpy_scalar_dtype(const PyTypeObject *type)
{
    if (!tbpy_numpy_is_loaded()) return TB_NODTYPE;
    for (int i = 0; i < TB_NDTYPE; i++)
        if (type == tbpy_numpy.scalars[i]) return (tb_dtype)i;
    if (type == tbpy_numpy.scalars[TB_NDTYPE]) return TB_I64;
    if (type == tbpy_numpy.scalars[TB_NDTYPE + 1]) return TB_U64;
    return tbpy_is_bfloat((PyObject *)(uintptr_t)type) ? TB_BF16 : TB_NODTYPE;
}

bool tbpy_is_host_array(PyObject *o) { return tbpy_numpy_is_loaded() && PyObject_TypeCheck(o, tbpy_numpy.array); }

PyObject *tbpy_host_dtype(PyObject *o)
{
    static PyObject *interned; /* making the string costs more than the attribute */
    const PyGetSetDef *known = tbpy_numpy.array_dtype;
    if (Py_IS_TYPE(o, tbpy_numpy.array) && known) return known->get(o, known->closure);
    PyObject *name = tbpy_kept(&interned);
    if (!name && !(name = tbpy_keep(&interned, PyUnicode_InternFromString("dtype")))) return NULL;
    return PyObject_GetAttr(o, name);
}

bool tbpy_is_numpy_scalar(PyObject *o) { return tbpy_numpy_is_loaded() && PyObject_TypeCheck(o, tbpy_numpy.generic); }

bool tbpy_is_numpy_integer(PyObject *o)
{
    tb_dtype t = tbpy_numpy_scalar_dtype(Py_TYPE(o));
    return t != TB_NODTYPE && tb_dtype_kind(t) == TB_KIND_INT;
}
