/* host_sort.c - NumPy's vectorized sorts, handed to the library for processors on which it has none as good. */
#include "core.h"

#include <stdatomic.h>

/* Of NumPy's C API, whose table and structures keep their places within a major version (numpy/__multiarray_api.h,
 * numpy/ndarraytypes.h): the version, and from a number of a type its descriptor and what that has for elements. */
enum { VERSION = 0, DESCRIPTOR = 45, FUNCTIONS = 365, VERSION_2 = 0x02000000 };
enum { INT64 = 7, FLOAT64 = 12 }; /* NPY_LONG, NPY_DOUBLE */

/* PyArray_ArrFuncs, up to its sorts. */
typedef struct element_functions {
    void (*cast[21])(void);
    void (*others[12])(void);
    tb_sort_function sort[3];
} element_functions;

static tb_sort_function sort_of(void **api, int type)
{
    PyObject *descriptor = ((PyObject * (*)(int)) api[DESCRIPTOR])(type);
    if (!descriptor) return NULL;
    const element_functions *f = ((const element_functions *(*)(PyObject *))api[FUNCTIONS])(descriptor);
    Py_DECREF(descriptor); /* types that are NumPy's own last */
    return f ? f->sort[0] : NULL;
}

/* Whether it sorts: what is not where it is expected shows here, and NumPy changes it at most from 2 to 3. */
static bool is_sort(tb_sort_function f, bool floats)
{
    int64_t i[] = {3, -7, INT64_MAX, 0, INT64_MIN, 3};
    double x[] = {3, -7.5, 1e300, 0, -1e300, 3};
    if (!f || f(floats ? (void *)x : i, 6, NULL) != 0) return false;
    for (int k = 1; k < 6; k++)
        if (floats ? x[k - 1] > x[k] : i[k - 1] > i[k]) return false;
    return true;
}

static void provide(PyObject *capsule)
{
    void **api = PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
    if (!api || ((unsigned (*)(void))api[VERSION])() >> 24 != VERSION_2 >> 24) return;
    tb_sort_function i64 = sizeof(long) == sizeof(int64_t) ? sort_of(api, INT64) : NULL, f64 = sort_of(api, FLOAT64);
    if (is_sort(i64, false) && is_sort(f64, true)) tb_provide_sort(i64, f64);
}

void tbpy_provide_sort(void)
{
    static atomic_bool asked;
    if (asked || !tb_needs_sort()) return;
    PyObject *type, *value, *trace, *modules = PyImport_GetModuleDict(); /* not worth an import */
    PyObject *module = PyDict_GetItemString(modules, "numpy._core._multiarray_umath");
    if (!module) return;
    asked = true;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *capsule = PyObject_GetAttrString(module, "_ARRAY_API");
    if (capsule) provide(capsule);
    Py_XDECREF(capsule);
    PyErr_Restore(type, value, trace); /* without them the library's own sorts do */
}
